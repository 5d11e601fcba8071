/* Access sites that find something else than last time. */
#include "site.h"
#include "internal.h"

/* --- counts that sites still hold --- */

static void load_flush(struct cc_load_site *l)
{
    uint32_t class = (uint32_t)l->class - l->twice; /* of one */
    if (l->count) {
        cc_count_read(l->stream, l->edge, class, l->count << l->twice);
        l->reads[l->stack].n[class] += l->count << l->twice;
        l->count = 0;
    }
    if (l->first) {
        cc_count_read(l->first_stream, l->first_edge, class, l->first << l->twice);
        cc_count_fresh(l->first_stream, l->fresh, l->first << l->class);
        l->reads[l->first_stack].n[class] += l->first << l->twice;
        l->first = 0;
    }
}

static void store_flush(struct cc_store_site *l)
{
    l->writes->n[l->class - l->twice] += l->count << l->twice;
    l->count = 0;
}

static void activate(struct cc_collect *c, struct cc_sites *s, void *site)
{
    s->v = cc_extend(c, s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = site;
}

void cc_sites_flush(struct cc_collect *c, bool forget)
{
    for (size_t i = 0; i < c->sites.loads.n; i++) {
        struct cc_load_site *l = c->sites.loads.v[i];
        load_flush(l);
        l->held = forget ? 0 : l->node;
        l->node = l->page = 0;
        l->active = false;
    }
    for (size_t i = 0; i < c->sites.stores.n; i++) {
        struct cc_store_site *l = c->sites.stores.v[i];
        store_flush(l);
        l->held = forget ? 0 : l->node;
        l->node = 0;
        l->active = false;
    }
    c->sites.loads.n = c->sites.stores.n = 0;
}

/* --- loads --- */

/* The record is about the current node from here on; what it knew of another is void. */
static void load_take(struct cc_thread *t, struct cc_load_site *l)
{
    l->misses = 0;
    if (l->node == t->reader_key) {
        load_flush(l);
        return;
    }
    if (l->node)
        load_flush(l);
    if (l->node || l->held != t->reader_key) {
        l->cells = l->pre = CC_NO_CELLS;
        l->page = 0;
    }
    l->node = t->reader_key;
    l->reads = t->tally->reads;
    if (!l->active) {
        l->active = true;
        activate(t->owner, &t->owner->sites.loads, l);
    }
}

void cc_site_mark(struct cc_thread *t, uint64_t a, struct cc_load_site *l)
{
    uint32_t size = 1u << l->class;
    if (__builtin_expect((a & 63) + size > 64, 0)) {
        cc_edge_touch(t, l->first_stream, a, size);
        return;
    }
    uint64_t page = cc_page_of(a);
    if (page != l->page) {
        if (cc_edge_mark_line(l->first_stream, a, size))
            return;
        l->bits = cc_edge_page(t, l->first_stream, a);
        l->page = page;
    }
    cc_edge_mark(l->bits, a, size);
}

void cc_site_adopt_held(struct cc_thread *t, struct cc_load_site *l, uint64_t cells,
                        const struct cc_transition *m)
{
    load_take(t, l);
    l->cells = cells;
    l->stream = m->stream;
    l->edge = m->edge;
    l->stack = m->stack;
}

void cc_site_adopt_first(struct cc_thread *t, struct cc_load_site *l, uint64_t cells,
                         const struct cc_transition *m)
{
    load_take(t, l);
    if (l->first_stream != m->stream)
        l->page = 0;
    l->pre = cells;
    l->post = cc_twice(m->next);
    l->first_edge = m->edge;
    l->first_stream = m->stream;
    l->first_stack = m->stack;
    l->fresh = m->fresh;
    l->known = m->known;
}

void cc_site_first(struct cc_thread *t, uint64_t a, uint32_t class, const struct cc_transition *m)
{
    uint32_t size = 1u << class;
    cc_count_fresh(m->stream, m->fresh, size);
    if (m->known)
        return;
    if (__builtin_expect((a & 63) + size <= 64, 1))
        cc_edge_touch_within(t, m->stream, a, size);
    else
        cc_edge_touch(t, m->stream, a, size);
}

const struct cc_transition *cc_site_transition(struct cc_thread *t, uint32_t state)
{
    return cc_transition_find(t, state);
}

/* --- stores --- */

void cc_site_adopt_store(struct cc_thread *t, struct cc_store_site *l, uint64_t cells, uint32_t stack)
{
    if (l->active)
        store_flush(l);
    else
        activate(t->owner, &t->owner->sites.stores, l);
    l->active = true;
    l->misses = 0;
    l->node = t->reader_key;
    l->stack = stack;
    l->writes = &t->tally->writes[stack];
    l->pre = cells;
    l->post = cc_twice(cc_overwrite(t, (cc_cell)cells, stack));
}
