/* Access sites that find something else than last time. */
#include "site.h"
#include "internal.h"

/* --- counts that sites still hold --- */

static void load_flush(struct cc_load_site *l)
{
    if (l->count) {
        l->edge->reads.n[l->class] += l->count;
        l->count = 0;
    }
    if (l->first) {
        l->first_edge->reads.n[l->class] += l->first;
        l->stream->fresh[l->fresh] += l->first << l->class;
        l->first = 0;
    }
}

static void store_flush(struct cc_store_site *l)
{
    l->writes->n[l->class] += l->count;
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
        l->node = 0;
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
    if (l->node == t->reader_key)
        return;
    load_flush(l);
    if (l->node || l->held != t->reader_key)
        l->cells = l->pre = CC_NO_CELLS;
    l->node = t->reader_key;
    if (!l->active) {
        l->active = true;
        activate(t->owner, &t->owner->sites.loads, l);
    }
}

void cc_site_read_first(struct cc_thread *t, uint64_t a, struct cc_load_site *l)
{
    uint32_t size = 1u << l->class;
    if (__builtin_expect(a >> BITMAP_BITS != l->page || (a & 63) + size > 64, 0)) {
        cc_edge_touch(t, l->stream, a, size);
        l->page = a >> BITMAP_BITS;
        l->bits = cc_edge_page(t, l->stream, a);
        return;
    }
    cc_edge_mark(l->stream, l->bits, a, size);
}

/* The state that all bytes of the access are in; 0: there is no such state. */
static uint32_t one_state(struct cc_collect *c, uint64_t a, uint32_t class)
{
    const cc_cell *chunk = c->shadow.directory[cc_chunk_of(a)];
    if (!chunk || cc_awkward(a, class))
        return 0;
    const cc_cell *cell = chunk + cc_cell_of(a);
    uint64_t cells = cc_site_cells(cell, class);
    uint32_t s = (uint32_t)cells;
    if (cells != cc_twice(s))
        return 0;
    if (s != CC_SPLIT)
        return s;
    if (class >= 2)
        return 0;
    const cc_cell *bytes = cc_bytes_at(c, a);
    return class == 0 || bytes[0] == bytes[1] ? bytes[0] : 0;
}

/* Reads that only count: another state becomes the record's after a few misses, so that two that take turns
 * do not drive each other out at every access. */
static void read_held(struct cc_thread *t, struct cc_load_site *l, uint32_t s, struct cc_edge *e)
{
    enum { PATIENCE = 4 };
    if (l->node == t->reader_key && l->cells == cc_twice(s)) {
        l->count++;
        return;
    }
    if (l->node && l->cells != CC_NO_CELLS && ++l->misses < PATIENCE) {
        e->reads.n[l->class]++;
        return;
    }
    load_take(t, l);
    load_flush(l);
    l->misses = 0;
    l->cells = cc_twice(s);
    l->edge = e;
    l->count = 1;
}

static void read_first(struct cc_thread *t, uint64_t a, struct cc_load_site *l, uint32_t s,
                       const struct cc_transition *m)
{
    load_take(t, l);
    if (l->pre != cc_twice(s)) {
        load_flush(l);
        if (l->stream != m->stream)
            l->page = 0;
        l->pre = cc_twice(s);
        l->post = cc_twice(m->next);
        l->first_edge = m->edge;
        l->stream = m->stream;
        l->fresh = m->fresh;
        l->known = m->known;
    }
    l->first++;
    if (!l->known)
        cc_site_read_first(t, a, l);
    cc_shadow_put(t->owner, a, 1u << l->class, m->next);
}

void cc_site_read_other(struct cc_thread *t, uint64_t a, struct cc_load_site *l)
{
    uint32_t s = one_state(t->owner, a, l->class);
    if (!s) {
        cc_read_any(t, a, 1u << l->class);
        return;
    }
    if (l->held == t->reader_key && !l->node)
        load_take(t, l);
    const struct cc_transition *m = &t->moves[(s ^ t->salt) & (CC_LOOKUPS - 1)];
    if (__builtin_expect(m->key != (t->reader_key | s), 0))
        m = cc_transition_find(t, s);
    if (m->holds)
        read_held(t, l, s, m->edge);
    else
        read_first(t, a, l, s, m);
}

/* --- stores --- */

static void store_take(struct cc_thread *t, struct cc_store_site *l, uint32_t stack)
{
    if (l->node != t->reader_key || l->stack != stack) {
        if (l->count)
            store_flush(l);
        if (l->node || l->held != t->reader_key || l->stack != stack)
            l->pre = l->post = CC_NO_CELLS;
        l->node = t->reader_key;
        l->stack = stack;
        l->writes = &t->writes[stack];
    }
    if (!l->active) {
        l->active = true;
        activate(t->owner, &t->owner->sites.stores, l);
    }
}

void cc_site_write_other(struct cc_thread *t, uint64_t a, struct cc_store_site *l)
{
    uint32_t old = one_state(t->owner, a, l->class), stack = cc_on_stack(t, a);
    if (!old) {
        cc_write_any(t, a, 1u << l->class);
        return;
    }
    store_take(t, l, stack);
    if (l->pre != cc_twice(old) && l->post != cc_twice(old)) {
        l->pre = cc_twice(old);
        l->post = cc_twice(cc_overwrite(t, old, stack));
    }
    l->count++;
    cc_shadow_put(t->owner, a, 1u << l->class, (uint32_t)l->post);
}
