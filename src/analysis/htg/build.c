#include "build.h"

#include <inttypes.h>

/* The public graph with what it owns. Counters of the two pieces of node i lie at small[(2 * i + piece) *
 * ncounters]; the rare value beyond 32 bits has its upper half in `large`. */
struct graph {
    struct cc_htg pub;
    struct cc_arena arena;
    CC_VEC(struct cc_htg_node) nodes;
    CC_VEC(uint32_t) small;
    struct cc_map large;
};

struct open_task {
    uint32_t node;
    uint32_t last_child;                      /* 0: none */
    uint64_t start, cursor;                   /* cursor: end of the last child, or start */
    uint64_t counters[CC_TASKS_MAX_COUNTERS]; /* at the cursor */
};

#define MOST_BYTES ((uint64_t)3 << 30) /* of nodes and their counters */

struct cc_htg_builder {
    struct graph *g;
    size_t ncounters;
    uint64_t most; /* nodes */
    bool unfolded;
    CC_VEC(struct open_task) open;
};

static uint64_t count_at(const struct graph *g, size_t at)
{
    uint64_t v = g->small.v[at];
    if (g->large.n) {
        uint64_t *high = cc_map_get(&g->large, at);
        if (high)
            v |= *high << 32;
    }
    return v;
}

static void set_count(struct graph *g, size_t at, uint64_t v)
{
    g->small.v[at] = (uint32_t)v;
    if (v >> 32)
        *cc_map_put(&g->large, at, NULL) = v >> 32;
    else if (g->large.n && cc_map_get(&g->large, at)) /* left by a node that was folded away */
        *cc_map_put(&g->large, at, NULL) = 0;
}

uint64_t cc_htg_gap_count(const struct cc_htg *h, size_t node, size_t c)
{
    return count_at((const struct graph *)h, 2 * node * h->ncounters + c);
}

uint64_t cc_htg_tail_count(const struct cc_htg *h, size_t node, size_t c)
{
    return count_at((const struct graph *)h, (2 * node + 1) * h->ncounters + c);
}

size_t cc_htg_memory(const struct cc_htg *h)
{
    const struct graph *g = (const struct graph *)h;
    return g->nodes.n * sizeof *g->nodes.v + g->small.n * sizeof *g->small.v + g->large.cap * 17;
}

struct cc_arena *cc_htg_arena(struct cc_htg *h)
{
    return &((struct graph *)h)->arena;
}

static uint32_t add_node(struct cc_htg_builder *b, uint32_t name, uint64_t gap)
{
    struct graph *g = b->g;
    struct cc_htg_node n = {.gap = gap, .name = name, .repeat = 1};
    CC_VEC_PUSH(&g->nodes, n);
    if (b->ncounters) {
        CC_VEC_RESERVE(&g->small, g->nodes.n * 2 * b->ncounters);
        g->small.n = g->nodes.n * 2 * b->ncounters;
    }
    return (uint32_t)(g->nodes.n - 1);
}

struct cc_htg_builder *cc_htg_builder_new(const char *path, size_t ncounters, uint64_t start)
{
    struct cc_htg_builder *b = cc_alloc(sizeof *b);
    b->g = cc_alloc(sizeof *b->g);
    b->g->pub.path = cc_arena_strdup(&b->g->arena, path);
    b->ncounters = ncounters;
    b->most = MOST_BYTES / (sizeof *b->g->nodes.v + 2 * ncounters * sizeof *b->g->small.v);
    struct open_task whole = {.node = add_node(b, 0, 0), .start = start, .cursor = start};
    for (size_t c = 0; c < ncounters; c++)
        set_count(b->g, c, 0);
    CC_VEC_PUSH(&b->open, whole);
    return b;
}

void cc_htg_builder_limit(struct cc_htg_builder *b, uint64_t nodes)
{
    b->most = nodes;
}

void cc_htg_builder_unfold(struct cc_htg_builder *b)
{
    b->unfolded = true;
}

/* Puts what the counters rose since the task's cursor into a piece of a node, and moves the cursor's
 * counters. */
static void close_piece(struct cc_htg_builder *b, struct open_task *t, size_t node, unsigned piece,
                        const uint64_t *counters)
{
    for (size_t c = 0; c < b->ncounters; c++) {
        set_count(b->g, (2 * node + piece) * b->ncounters + c, counters[c] - t->counters[c]);
        t->counters[c] = counters[c];
    }
}

int cc_htg_builder_begin(struct cc_htg_builder *b, uint32_t name, uint64_t time, const uint64_t *counters,
                         struct cc_err *err)
{
    struct open_task *parent = &b->open.v[b->open.n - 1];
    if (b->g->nodes.n >= b->most)
        return cc_err_at(err, CC_EINPUT, b->g->pub.path, 0,
                         "more than %" PRIu64 " tasks that differ: they do not fit into 3 GiB", b->most - 1);
    if (time < parent->cursor) /* only the first event can come before the run's start */
        parent->start = parent->cursor = time;
    uint32_t node = add_node(b, name, time - parent->cursor);
    if (b->open.n == 1 && !parent->last_child && counters)
        memcpy(parent->counters, counters, b->ncounters * sizeof *counters); /* totals start anywhere */
    close_piece(b, parent, node, 0, counters);
    struct open_task t = {.node = node, .start = time, .cursor = time};
    memcpy(t.counters, parent->counters, sizeof t.counters);
    CC_VEC_PUSH(&b->open, t);
    return 0;
}

/* Whether the subtree at `a`, one copy of it, equals the one at `b`. */
static bool same_subtree(const struct graph *g, size_t ncounters, size_t a, size_t b)
{
    const struct cc_htg_node *x = &g->nodes.v[a], *y = &g->nodes.v[b];
    size_t n = x->next - a;
    if (x->name != y->name || x->gap != y->gap || x->len != y->len || n != y->next - b)
        return false;
    for (size_t i = 1; i < n; i++)
        if (x[i].gap != y[i].gap || x[i].len != y[i].len || x[i].name != y[i].name ||
            x[i].repeat != y[i].repeat || x[i].next - a != y[i].next - b)
            return false;
    for (size_t i = 0; i < 2 * n * ncounters; i++)
        if (count_at(g, 2 * a * ncounters + i) != count_at(g, 2 * b * ncounters + i))
            return false;
    return true;
}

void cc_htg_builder_end(struct cc_htg_builder *b, uint64_t time, const uint64_t *counters)
{
    struct graph *g = b->g;
    struct open_task *t = &b->open.v[b->open.n - 1];
    uint32_t node = t->node;
    close_piece(b, t, node, 1, counters);
    g->nodes.v[node].len = time - t->start;
    g->nodes.v[node].next = (uint32_t)g->nodes.n;
    b->open.n--;
    struct open_task *parent = &b->open.v[b->open.n - 1];
    parent->cursor = time;
    memcpy(parent->counters, t->counters, sizeof t->counters);
    g->pub.tasks++;
    uint32_t last = parent->last_child;
    if (last && !b->unfolded && g->nodes.v[last].repeat < UINT32_MAX &&
        same_subtree(g, b->ncounters, last, node)) {
        g->nodes.v[last].repeat++;
        g->nodes.n = node;
        g->small.n = (size_t)node * 2 * b->ncounters;
    } else {
        parent->last_child = node;
    }
}

struct cc_htg *cc_htg_builder_finish(struct cc_htg_builder *b, uint64_t end)
{
    struct graph *g = b->g;
    struct open_task *whole = &b->open.v[0];
    struct cc_htg_node *root = &g->nodes.v[0];
    root->len = CC_MAX(end, whole->cursor) - whole->start;
    root->next = (uint32_t)g->nodes.n;
    for (size_t c = 0; c < b->ncounters; c++)
        set_count(g, b->ncounters + c, 0);
    g->nodes.v = cc_realloc_array(g->nodes.v, g->nodes.n, sizeof *g->nodes.v);
    g->nodes.cap = g->nodes.n;
    g->pub.nodes = g->nodes.v;
    g->pub.nnodes = g->nodes.n;
    g->pub.ncounters = b->ncounters;
    b->g = NULL;
    return &g->pub;
}

struct cc_htg *cc_htg_of_nodes(const struct cc_htg_node *nodes, size_t n, const uint64_t *counts,
                               size_t ncounters)
{
    struct graph *g = cc_alloc(sizeof *g);
    CC_VEC_RESERVE(&g->nodes, n);
    memcpy(g->nodes.v, nodes, n * sizeof *nodes);
    g->nodes.n = n;
    g->small.n = 2 * n * ncounters;
    g->small.v = cc_alloc_array(g->small.n + 1, sizeof *g->small.v);
    for (size_t i = 0; i < g->small.n; i++)
        set_count(g, i, counts[i]);
    g->pub.nodes = g->nodes.v;
    g->pub.nnodes = n;
    g->pub.ncounters = ncounters;
    return &g->pub;
}

void cc_htg_builder_free(struct cc_htg_builder *b)
{
    if (!b)
        return;
    if (b->g)
        cc_htg_free(&b->g->pub);
    CC_VEC_FINI(&b->open);
    free(b);
}

void cc_htg_free(struct cc_htg *h)
{
    if (!h)
        return;
    struct graph *g = (struct graph *)h;
    cc_line_trace_free(h->lines);
    cc_pace_free(h->pace);
    CC_VEC_FINI(&g->nodes);
    CC_VEC_FINI(&g->small);
    cc_map_fini(&g->large);
    cc_arena_fini(&g->arena);
    free(g);
}
