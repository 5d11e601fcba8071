/* Threads that have ended: what they counted stays, in as little room as it takes; what they needed for
 * running goes to the next one that begins, so that a program may have had any number of them. */
#include "internal.h"

enum { KEPT = 64 << 10 }; /* what is larger is given back: the next thread may never need as much */

/* --- what stays --- */

static void *packed(struct cc_collect *c, const void *p, size_t size)
{
    return size ? __builtin_memcpy(cc_pool(c, size), p, size) : NULL;
}

static uint32_t items_in(const struct cc_grow *g, uint32_t block)
{
    uint32_t left = g->n - (block << CC_BLOCK_BITS);
    return left < 1u << CC_BLOCK_BITS ? left : 1u << CC_BLOCK_BITS;
}

static uint32_t blocks_of(const struct cc_grow *g)
{
    return (g->n + (1u << CC_BLOCK_BITS) - 1) >> CC_BLOCK_BITS;
}

static struct cc_grow *grow_packed(struct cc_collect *c, const struct cc_grow *g)
{
    uint32_t n = blocks_of(g);
    struct cc_grow *p = packed(c, g, __builtin_offsetof(struct cc_grow, blocks) + n * sizeof *p->blocks);
    for (uint32_t i = 0; i < n; i++)
        p->blocks[i] = packed(c, g->blocks[i], (size_t)items_in(g, i) * g->item);
    return p;
}

static struct cc_index index_packed(struct cc_collect *c, const struct cc_index *x)
{
    struct cc_index p = {.cap = 4};
    while (p.cap < 2 * x->n)
        p.cap *= 2;
    p.keys = cc_pool(c, p.cap * sizeof *p.keys);
    p.values = cc_pool(c, p.cap * sizeof *p.values);
    for (size_t i = 0; i < x->cap; i++)
        if (x->keys[i]) {
            size_t slot = cc_index_slot(c, &p, x->keys[i]);
            p.keys[slot] = x->keys[i];
            p.values[slot] = x->values[i];
            p.n++;
        }
    return p;
}

static void keep_inclusive(struct cc_collect *c, const struct cc_thread *t)
{
    struct cc_threads *of = &c->threads;
    of->inclusive =
        cc_extend(c, of->inclusive, &of->inclusive_cap, t->room.activity_cap, sizeof *of->inclusive);
    for (size_t i = 0; i < t->room.activity_cap; i++)
        of->inclusive[i] += t->room.activity[i].inclusive;
}

/* --- what goes to the next --- */

static void *emptied(struct cc_collect *c, void *p, size_t *cap, size_t item)
{
    if (*cap * item <= KEPT && p)
        return __builtin_memset(p, 0, *cap * item);
    cc_give_back(c, p, *cap * item);
    *cap = 0;
    return NULL;
}

static void index_empty(struct cc_collect *c, struct cc_index *x)
{
    size_t cap = x->cap;
    x->keys = emptied(c, x->keys, &x->cap, sizeof *x->keys);
    if (!x->keys) {
        cc_give_back(c, x->values, cap * sizeof *x->values);
        x->values = NULL;
    }
    x->n = 0;
}

static void grow_empty(struct cc_collect *c, struct cc_grow *g)
{
    for (uint32_t i = 0; i < blocks_of(g); i++) {
        size_t used = (size_t)items_in(g, i) * g->item;
        if (used <= KEPT) {
            __builtin_memset(g->blocks[i], 0, used);
        } else {
            cc_give_back(c, g->blocks[i], (size_t)g->item << CC_BLOCK_BITS);
            g->blocks[i] = NULL;
        }
    }
    g->n = 0;
}

static void room_empty(struct cc_collect *c, struct cc_room *r)
{
    __builtin_memset(r->caches, 0, sizeof *r->caches);
    r->activations = emptied(c, r->activations, &r->activations_cap, sizeof *r->activations);
    r->activity = emptied(c, r->activity, &r->activity_cap, sizeof *r->activity);
    r->open = emptied(c, r->open, &r->open_cap, sizeof *r->open);
    r->region_active = emptied(c, r->region_active, &r->region_active_cap, sizeof *r->region_active);
    r->stream_index = emptied(c, r->stream_index, &r->stream_index_cap, sizeof *r->stream_index);
    r->edge_index = emptied(c, r->edge_index, &r->edge_index_cap, sizeof *r->edge_index);
    r->touched = emptied(c, r->touched, &r->touched_cap, sizeof *r->touched);
    r->memo = emptied(c, r->memo, &r->memo_cap, sizeof *r->memo);
    index_empty(c, &r->children);
    index_empty(c, &r->scoped);
    index_empty(c, &r->large_index);
    grow_empty(c, r->streams);
    grow_empty(c, r->large);
    grow_empty(c, r->edges);
    cc_marks_empty(&r->marks, &c->host);
}

static struct cc_grow *grow_new(struct cc_collect *c, uint32_t item)
{
    struct cc_grow *g = c->host.map(c->host.self, sizeof *g);
    g->item = item;
    return g;
}

struct cc_thread *cc_thread_place(struct cc_collect *c)
{
    uintptr_t p = (uintptr_t)cc_pool(c, sizeof(struct cc_thread) + CC_LINE);
    return (struct cc_thread *)((p + CC_LINE - 1) & -(uintptr_t)CC_LINE);
}

void cc_thread_make_room(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    struct cc_room *r = c->threads.spare;
    if (r) {
        c->threads.spare = r->spare;
        t->room = *r;
        t->room.spare = r;
        return;
    }
    t->room.caches = c->host.map(c->host.self, sizeof *t->room.caches);
    t->room.streams = grow_new(c, sizeof(struct cc_stream));
    t->room.large = grow_new(c, CC_COUNTED * sizeof(uint64_t));
    t->room.edges = grow_new(c, sizeof(struct cc_edge));
}

/* Lock held. */
static bool all_ended(const struct cc_collect *c)
{
    uint32_t i = 0;
    while (i < c->threads.n && c->threads.v[i]->ended)
        i++;
    return i == c->threads.n;
}

/* Lock held. */
static void leave_room(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    struct cc_room *r = t->room.spare ? t->room.spare : cc_pool(c, sizeof *r);
    keep_inclusive(c, t);
    cc_stack_forget_parked(t);
    *r = t->room;
    t->room = (struct cc_room){.streams = grow_packed(c, r->streams),
                               .large = grow_packed(c, r->large),
                               .large_index = index_packed(c, &r->large_index),
                               .edges = grow_packed(c, r->edges),
                               .marks = cc_marks_packed(c, &r->marks)};
    struct cc_frame_flow *flows = t->flows;
    t->flows = packed(c, flows, t->nflows * sizeof *flows);
    cc_give_back(c, flows, t->flows_cap * sizeof *flows);
    t->flows_cap = t->nflows;
    t->depth = t->nopen = t->ntouched = t->nmemo = 0;
    room_empty(c, r);
    r->spare = c->threads.spare;
    c->threads.spare = r;
}

void cc_thread_leave(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    cc_lock(c);
    t->ended = true;
    if (!all_ended(c)) /* the last one's nobody will need, and to pack it takes time and room */
        leave_room(t);
    cc_unlock(c);
}
