/* Access sites that find something else than last time. */
#include "site.h"
#include "internal.h"

/* --- counts that sites still hold --- */

static void load_flush(struct cc_load_site *l, struct cc_way *w)
{
    const struct cc_load_more *m = &l->more[w - l->ways];
    uint32_t class = (uint32_t)l->class - l->twice; /* of one */
    uint64_t n = (uint64_t)w->count << l->twice;
    cc_count_read(m->stream, m->edge, class, n);
    if (m->fresh)
        cc_count_fresh(m->stream, m->fresh, n << class);
    m->reads->n[class] += n;
    if (l->twice)
        *m->again += w->count;
    w->count = 0;
}

static void store_flush(struct cc_store_site *l, struct cc_way *w)
{
    l->writes[w - l->ways]->n[l->class - l->twice] += (uint64_t)w->count << l->twice;
    if (l->twice)
        *l->again[w - l->ways] += w->count;
    w->count = 0;
}

static void activate(struct cc_collect *c, struct cc_sites *s, void *site)
{
    s->v = cc_extend(c, s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = site;
}

static void ways_empty(struct cc_way *ways)
{
    for (uint32_t i = 0; i < CC_WAYS; i++)
        ways[i].key = 0;
}

/* Those that nobody came by since the last time are forgotten, so that the next time is shorter. */
static void loads_flush(struct cc_sites *s, bool forget)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct cc_load_site *l = s->v[i];
        bool used = false;
        for (struct cc_way *w = l->ways; w < l->ways + CC_WAYS; w++) {
            used |= w->count != 0;
            if (w->count)
                load_flush(l, w);
        }
        if (used && !forget) {
            s->v[kept++] = l;
            continue;
        }
        ways_empty(l->ways);
        l->marked = NULL;
        l->active = false;
    }
    s->n = kept;
}

static void stores_flush(struct cc_sites *s, bool forget)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct cc_store_site *l = s->v[i];
        bool used = false;
        for (struct cc_way *w = l->ways; w < l->ways + CC_WAYS; w++) {
            used |= w->count != 0;
            if (w->count)
                store_flush(l, w);
        }
        if (used && !forget) {
            s->v[kept++] = l;
            continue;
        }
        ways_empty(l->ways);
        l->active = false;
    }
    s->n = kept;
}

void cc_sites_flush(struct cc_collect *c, bool forget)
{
    loads_flush(&c->sites.loads, forget);
    stores_flush(&c->sites.stores, forget);
}

/* --- loads --- */

void cc_site_mark(struct cc_thread *t, uint64_t a, struct cc_load_site *l, const struct cc_way *w)
{
    struct cc_stream *stream = l->more[w - l->ways].stream;
    uint32_t size = 1u << l->class;
    if (__builtin_expect((a & 63) + size > 64, 0)) {
        cc_edge_touch(t, stream, a, size);
        return;
    }
    uint64_t page = cc_page_of(a);
    if (page != l->page || stream != l->marked) {
        if (cc_edge_mark_inside(stream, a, size))
            return;
        l->bits = cc_edge_page(t, stream, a);
        l->marked = stream;
        l->page = page;
    }
    cc_edge_mark(l->bits, a, size);
}

struct cc_way *cc_site_adopt_load(struct cc_thread *t, struct cc_load_site *l, struct cc_way *w,
                                  const struct cc_transition *m)
{
    if (w->count)
        load_flush(l, w);
    if (!l->active)
        activate(t->owner, &t->owner->sites.loads, l);
    l->active = true;
    *w = (struct cc_way){.key = m->key, .next = m->next | (m->holds || m->known ? 0 : CC_ATTEND)};
    l->more[w - l->ways] = (struct cc_load_more){.stream = m->stream,
                                                 .edge = m->edge,
                                                 .reads = &t->tally->reads[m->stack],
                                                 .again = &t->tally->again[m->stack],
                                                 .fresh = m->holds ? 0 : m->fresh};
    return w;
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

const struct cc_transition *cc_site_transition(struct cc_thread *t, uint32_t state, uint64_t a,
                                               uint32_t class)
{
    const struct cc_transition *m = cc_transition_alone(t, state, cc_alone_place(a, class));
    return m ? m : cc_transition_find(t, state);
}

/* --- stores --- */

/* Memory that nobody has written may have no shadow that others know of: the first store there tells. */
struct cc_way *cc_site_adopt_store(struct cc_thread *t, struct cc_store_site *l, struct cc_way *w,
                                   uint32_t old, uint32_t stack)
{
    if (w->count)
        store_flush(l, w);
    if (!l->active)
        activate(t->owner, &t->owner->sites.stores, l);
    l->active = true;
    *w = (struct cc_way){.key = t->reader_key | cc_store_key(old, stack),
                         .next = cc_overwrite(t, old, stack) | (old ? 0 : CC_ATTEND)};
    l->writes[w - l->ways] = &t->tally->writes[stack];
    l->again[w - l->ways] = &t->tally->again[stack];
    return w;
}
