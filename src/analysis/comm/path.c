/* The critical data path; README.md defines it. */
#include "comm.h"

enum { MAX_STREAMS = 4000 }; /* the heaviest; what is below moves next to no data */

struct graph {
    const struct cc_comm_stream *s;
    bool fresh;   /* weights are first reads, not all */
    size_t *kept; /* streams of the acyclic graph */
    size_t nkept;
    uint32_t *first; /* by end: kept stream + 1 */
    uint32_t *next;  /* by kept stream: + 1 */
    uint32_t *seen;
    uint32_t round;
    uint32_t *stack;
};

/* Whether `to` can be reached from `from`. */
static bool reaches(struct graph *g, uint32_t from, uint32_t to)
{
    size_t n = 0;
    g->round++;
    g->stack[n++] = from;
    g->seen[from] = g->round;
    while (n) {
        uint32_t at = g->stack[--n];
        if (at == to)
            return true;
        for (uint32_t k = g->first[at]; k; k = g->next[k - 1]) {
            uint32_t there = g->s[g->kept[k - 1]].to;
            if (g->seen[there] != g->round) {
                g->seen[there] = g->round;
                g->stack[n++] = there;
            }
        }
    }
    return false;
}

/* Ends in an order in which every kept stream goes forward (Kahn). */
static size_t in_order(const struct graph *g, uint32_t nends, uint32_t *order)
{
    CC_CLEANUP(cc_free_ptr) uint32_t *waiting = cc_alloc_array(nends + 1, sizeof *waiting);
    for (size_t i = 0; i < g->nkept; i++)
        waiting[g->s[g->kept[i]].to]++;
    size_t n = 0;
    for (uint32_t i = 0; i < nends; i++)
        if (!waiting[i])
            order[n++] = i;
    for (size_t done = 0; done < n; done++)
        for (uint32_t k = g->first[order[done]]; k; k = g->next[k - 1])
            if (--waiting[g->s[g->kept[k - 1]].to] == 0)
                order[n++] = g->s[g->kept[k - 1]].to;
    return n;
}

static uint64_t weight_of(const struct graph *g, const struct cc_comm_stream *s)
{
    return g->fresh ? s->e.fresh : s->e.bytes;
}

static size_t heaviest(const struct graph *g, uint32_t nends, size_t **ret_path)
{
    CC_CLEANUP(cc_free_ptr) uint32_t *order = cc_alloc_array(nends + 1, sizeof *order);
    CC_CLEANUP(cc_free_ptr) double *weight = cc_alloc_array(nends + 1, sizeof *weight);
    CC_CLEANUP(cc_free_ptr) size_t *via = cc_alloc_array(nends + 1, sizeof *via); /* stream + 1 */
    size_t n = in_order(g, nends, order);
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t at = order[i];
        if (weight[at] > weight[last])
            last = at;
        for (uint32_t k = g->first[at]; k; k = g->next[k - 1]) {
            const struct cc_comm_stream *s = &g->s[g->kept[k - 1]];
            double w = weight[at] + (double)weight_of(g, s);
            if (w > weight[s->to]) {
                weight[s->to] = w;
                via[s->to] = g->kept[k - 1] + 1;
            }
        }
    }
    CC_VEC(size_t) back = {0};
    for (uint32_t at = last; via[at]; at = g->s[via[at] - 1].from)
        CC_VEC_PUSH(&back, via[at] - 1);
    size_t *path = cc_alloc_array(back.n + 1, sizeof *path);
    for (size_t i = 0; i < back.n; i++)
        path[i] = back.v[back.n - 1 - i];
    size_t length = back.n;
    CC_VEC_FINI(&back);
    *ret_path = path;
    return length;
}

struct ranked {
    uint64_t weight;
    size_t stream;
};

/* Heaviest first; those that weigh the same in the order they came. */
static int by_weight(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

size_t cc_comm_path(const struct cc_comm_stream *streams, size_t n, uint32_t nends, bool fresh,
                    size_t **ret_path)
{
    struct graph g = {.s = streams, .fresh = fresh};
    CC_CLEANUP(cc_free_ptr) struct ranked *ranks = cc_alloc_array(n + 1, sizeof *ranks);
    CC_CLEANUP(cc_free_ptr) size_t *kept = g.kept = cc_alloc_array(MAX_STREAMS, sizeof *kept);
    CC_CLEANUP(cc_free_ptr) uint32_t *next = g.next = cc_alloc_array(MAX_STREAMS, sizeof *next);
    CC_CLEANUP(cc_free_ptr) uint32_t *ends = cc_alloc_array((size_t)nends * 3 + 3, sizeof *ends);
    g.first = ends;
    g.seen = ends + nends + 1;
    g.stack = ends + 2 * ((size_t)nends + 1);
    for (size_t i = 0; i < n; i++)
        ranks[i] = (struct ranked){weight_of(&g, &streams[i]), i};
    qsort(ranks, n, sizeof *ranks, by_weight);
    for (size_t i = 0; i < n && ranks[i].weight && g.nkept < MAX_STREAMS; i++) {
        const struct cc_comm_stream *s = &streams[ranks[i].stream];
        if (s->from == s->to || reaches(&g, s->to, s->from))
            continue;
        kept[g.nkept] = ranks[i].stream;
        next[g.nkept] = g.first[s->from];
        g.first[s->from] = (uint32_t)++g.nkept;
    }
    return heaviest(&g, nends, ret_path);
}
