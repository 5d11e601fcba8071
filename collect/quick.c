/* What loads find: the tables of nodes. */
#include "quick.h"
#include "internal.h"

enum {
    LEAST = 4,    /* places of a table */
    MOST = 1024,  /* and beyond these, some have to go for others */
    SPARSE = 4,   /* with more places a find, a table does not grow: it is looked through at each cc_fold */
    PATIENCE = 4, /* misses after which a table has to have room: what comes now and then is to drive nothing
                     out */
    RARE = 4,     /* of what the thread has not met lately, every so many become finds: most of it is never
                     met again */
    SECONDS = 64  /* loads that found it in the second place, after which a table grows or the two change
                     places */
};

/* Behind the finds of a table. */
struct cc_find_more {
    struct cc_stream *stream;
    uint64_t *edge;     /* see cc_lookup */
    uint64_t *bits;     /* addresses of the page that took part in the stream */
    uint64_t fresh : 8; /* bit per level, of first reads */
    uint64_t stack : 1;
    uint64_t page : 40; /* cc_page_of the last address that was marked; NO_PAGE: none */
};
#define NO_PAGE ((UINT64_C(1) << 40) - 1)

struct cc_find cc_finds_none[2];

static uint32_t size_of(uint64_t mask)
{
    return (uint32_t)(mask / sizeof(struct cc_find)) + 1;
}

static struct cc_find_more *more_of(struct cc_find *v, uint64_t mask, const struct cc_find *f)
{
    return (struct cc_find_more *)(v + size_of(mask)) + (f - v);
}

static uint32_t class_of(const struct cc_find *f)
{
    return ((f->key >> 24) - 1) & 7;
}

static enum cc_how how_of(const struct cc_find *f)
{
    return (enum cc_how)(((f->key >> 24) - 1) >> 3);
}

/* --- counts that finds still hold --- */

static void count(struct cc_thread *t, struct cc_node *n, struct cc_find *f)
{
    const struct cc_find_more *m = more_of(n->finds, n->finds_mask, f);
    enum cc_how how = how_of(f);
    uint32_t class = class_of(f) - (how != CC_ONE); /* of one */
    uint64_t times = f->count << (how != CC_ONE);
    cc_count_read(t, m->stream, m->edge, class, times);
    if (m->fresh)
        cc_count_fresh(t, m->stream, m->fresh, times << class);
    n->tally.reads[m->stack].n[class] += times;
    if (how == CC_TWICE)
        n->tally.again[m->stack] += f->count;
    f->count = 0;
}

void cc_finds_flush(struct cc_thread *t, struct cc_node *n)
{
    for (uint32_t i = 0; n->finds != cc_finds_none && i < size_of(n->finds_mask); i++)
        if (n->finds[i].count)
            count(t, n, &n->finds[i]);
}

void cc_finds_forget(struct cc_collect *c)
{
    for (uint32_t k = 0; k < c->nodes.all.n; k++) {
        struct cc_node *n = cc_node_at(c, k);
        if (n->finds == cc_finds_none)
            continue;
        cc_finds_flush(c->threads.v[cc_context_at(c, n->context)->thread], n);
        for (uint32_t i = 0; i < size_of(n->finds_mask); i++)
            n->finds[i].key = 0;
        n->nfinds = 0;
    }
}

/* --- where finds are --- */

static struct cc_find *table_new(struct cc_thread *t, uint32_t size)
{
    uint32_t kind = (uint32_t)__builtin_ctz(size);
    struct cc_find *v = t->room.finds_free[kind];
    size_t bytes = size * (sizeof(struct cc_find) + sizeof(struct cc_find_more));
    if (!v)
        return cc_thread_pool(t, bytes);
    __builtin_memcpy(&t->room.finds_free[kind], v, sizeof(void *)); /* the next one */
    __builtin_memset(v, 0, bytes);
    return v;
}

static void table_free(struct cc_thread *t, struct cc_find *v, uint32_t size)
{
    uint32_t kind = (uint32_t)__builtin_ctz(size);
    __builtin_memcpy(v, &t->room.finds_free[kind], sizeof(void *));
    t->room.finds_free[kind] = v;
}

/* Its first place, or if that is taken its second. Those of two neighbouring places come to four, so that
 * each has one of its own. */
static struct cc_find *place_again(struct cc_find *v, uint64_t mask, uint32_t key)
{
    struct cc_find *f = &v[key & (size_of(mask) - 1)];
    return f->key ? &v[(f - v) ^ 1] : f;
}

/* The table of the present node becomes twice as large. */
static void grow(struct cc_thread *t, struct cc_node *n)
{
    struct cc_find *old = n->finds;
    uint64_t old_mask = n->finds_mask;
    uint32_t before = old == cc_finds_none ? 0 : size_of(old_mask), size = before ? before * 2 : LEAST;
    n->finds = table_new(t, size);
    n->finds_mask = (uint64_t)(size - 1) * sizeof *n->finds;
    for (uint32_t i = 0; i < before; i++) {
        if (!old[i].key)
            continue;
        struct cc_find *f = place_again(n->finds, n->finds_mask, old[i].key);
        *f = old[i];
        *more_of(n->finds, n->finds_mask, f) = *more_of(old, old_mask, &old[i]);
    }
    if (before)
        table_free(t, old, before);
    t->finds = n->finds;
    t->finds_mask = n->finds_mask;
}

static bool can_grow(const struct cc_node *n)
{
    return size_of(n->finds_mask) < MOST && size_of(n->finds_mask) < SPARSE * (uint32_t)n->nfinds;
}

/* Where what is in none of its two places may go: an empty one, or after some misses another, in a table with
 * more room if there may be one. NULL: nowhere. */
static struct cc_find *room(struct cc_thread *t, struct cc_node *n, uint32_t key)
{
    if (n->finds == cc_finds_none)
        grow(t, n);
    struct cc_find *f = cc_find_place(t, key), *second = &n->finds[(f - n->finds) ^ 1];
    if (!f->key || !second->key) {
        n->nfinds++;
        return f->key ? second : f;
    }
    if (++n->finds_missed < PATIENCE)
        return NULL;
    n->finds_missed = 0;
    if (can_grow(n)) {
        grow(t, n);
        return room(t, n, key);
    }
    f = f->count <= second->count ? f : second;
    if (f->count)
        count(t, n, f);
    return f;
}

/* `lately`: the transition is in the cache of all not for the first time. */
static struct cc_find *adopt(struct cc_thread *t, uint32_t key, const struct cc_transition *m, bool lately)
{
    struct cc_node *n = cc_node_at(t->owner, t->node);
    if (m == &t->alone || m->next >= CC_FIND_STATES || (uint32_t)m->key >= CC_FIND_STATES)
        return NULL;
    if (!lately && ++n->finds_rare % RARE)
        return NULL;
    struct cc_find *f = room(t, n, key);
    if (!f)
        return NULL;
    *f = (struct cc_find){.key = key, .next = m->next | (m->holds || m->known ? 0 : CC_FIND_MARK)};
    *more_of(n->finds, n->finds_mask, f) = (struct cc_find_more){.stream = m->stream,
                                                                 .edge = m->edge,
                                                                 .fresh = m->holds ? 0 : m->fresh,
                                                                 .stack = m->stack,
                                                                 .page = NO_PAGE};
    return f;
}

/* --- loads --- */

static __attribute__((noinline)) void mark_elsewhere(struct cc_thread *t, uint64_t a, uint32_t size,
                                                     struct cc_find_more *m)
{
    if ((a & 63) + size > 64) {
        cc_edge_touch(t, m->stream, a, size);
    } else if (!cc_edge_mark_inside(m->stream, a, size)) {
        m->bits = cc_edge_page(t, m->stream, a);
        m->page = cc_page_of(a);
        cc_edge_mark(m->bits, a, size);
    }
}

void cc_find_mark(struct cc_thread *t, uint64_t a, uint32_t class, const struct cc_find *f)
{
    struct cc_find_more *m = more_of(t->finds, t->finds_mask, f);
    uint32_t size = 1u << class;
    if (__builtin_expect(m->page == cc_page_of(a) && (a & 63) + size <= 64, 1))
        cc_edge_mark(m->bits, a, size);
    else
        mark_elsewhere(t, a, size, m);
}

static const struct cc_transition *transition(struct cc_thread *t, uint32_t state, uint64_t place)
{
    const struct cc_transition *m = cc_transition_known(t, state);
    if (!m)
        m = cc_transition_alone(t, state, place);
    return m ? m : cc_transition_find(t, state);
}

/* It is counted without a find. */
static void count_load(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_how how,
                       const struct cc_transition *m)
{
    uint32_t size = 1u << class, two = how != CC_ONE;
    cc_count_read(t, m->stream, m->edge, class - two, 1u << two);
    t->tally->reads[m->stack].n[class - two] += 1u << two;
    t->tally->again[m->stack] += how == CC_TWICE;
    if (m->holds)
        return;
    cc_count_fresh(t, m->stream, m->fresh, size);
    if (m->known)
        return;
    if (__builtin_expect((a & 63) + size <= 64, 1))
        cc_edge_touch_within(t, m->stream, a, size);
    else
        cc_edge_touch(t, m->stream, a, size);
}

static void change_places(struct cc_node *n, struct cc_find *f, struct cc_find *g)
{
    struct cc_find_more *mf = more_of(n->finds, n->finds_mask, f), *mg = more_of(n->finds, n->finds_mask, g);
    struct cc_find was = *f;
    struct cc_find_more more = *mf;
    *f = *g;
    *mf = *mg;
    *g = was;
    *mg = more;
}

/* A load found it in its second place. */
static void found_second(struct cc_thread *t, struct cc_find *second)
{
    struct cc_node *n = cc_node_at(t->owner, t->node);
    if (++n->finds_seconds < SECONDS)
        return;
    n->finds_seconds = 0;
    if (can_grow(n))
        grow(t, n);
    else
        change_places(n, second, &n->finds[(second - n->finds) ^ 1]);
}

static inline __attribute__((always_inline)) bool load_other(struct cc_thread *t, uint64_t a, uint32_t class,
                                                             enum cc_how how, struct cc_spot at)
{
    struct cc_seen seen = cc_quick_look(at, class);
    uint32_t s = seen.state, key = cc_find_key(s, class, how);
    if (__builtin_expect((seen.differ | cc_quick_awry(a, class)) || !s || s == CC_SPLIT, 0))
        return false;
    struct cc_find *second = &t->finds[(cc_find_place(t, key) - t->finds) ^ 1];
    if (second->key == key) {
        cc_quick_found(t, a, class, second, s, at);
        found_second(t, second);
        return true;
    }
    const struct cc_transition *m = &t->room.caches->moves[(s ^ cc_salt(t->node)) & (CC_LOOKUPS - 1)];
    bool lately = m->key == (t->reader_key | s);
    if (__builtin_expect(!lately, 0))
        m = transition(t, s, cc_alone_place(a, class));
    struct cc_find *f = adopt(t, key, m, lately);
    if (f) {
        cc_quick_found(t, a, class, f, s, at);
        return true;
    }
    if (!m->holds)
        cc_quick_put(at, a, class, m->next);
    count_load(t, a, class, how, m);
    return true;
}

bool cc_quick_load_other(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_how how, struct cc_spot at)
{
    switch (class) {
    case 0:
        return load_other(t, a, 0, how, at);
    case 1:
        return load_other(t, a, 1, how, at);
    case 2:
        return load_other(t, a, 2, how, at);
    case 3:
        return load_other(t, a, 3, how, at);
    default:
        return load_other(t, a, 4, how, at);
    }
}
