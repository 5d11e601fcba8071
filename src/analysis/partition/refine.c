/* Fiduccia-Mattheyses refinement for any number of parts. A pass moves every free node at most once, each
 * time the move that saves most, even when it costs; the best state within the limit that was passed through
 * is kept. */
#include "internal.h"

enum { PASSES = 20, FULL_SCAN_NODES = 1500 };

struct pass {
    struct split *s;
    uint64_t *link; /* [node * parts + part]: bytes between the node and the part */
    bool *locked;
    size_t *trail_node, *trail_from;
    size_t moves;
    uint64_t slack; /* how far above the limit a part may go on the way */
};

static void fill_links(struct pass *f)
{
    struct split *s = f->s;
    memset(f->link, 0, s->g->n * s->parts * sizeof *f->link);
    for (size_t i = 0; i < s->g->n; i++)
        for (size_t k = s->g->start[i]; k < s->g->start[i + 1]; k++)
            f->link[i * s->parts + s->part[s->g->adjacent[k]]] += s->g->bytes[k];
}

static void move(struct pass *f, size_t node, size_t to)
{
    struct split *s = f->s;
    size_t from = s->part[node];
    for (size_t k = s->g->start[node]; k < s->g->start[node + 1]; k++) {
        uint64_t *links = &f->link[s->g->adjacent[k] * s->parts];
        links[from] -= s->g->bytes[k];
        links[to] += s->g->bytes[k];
    }
    s->load[from] -= s->g->weight[node];
    s->load[to] += s->g->weight[node];
    s->part[node] = to;
}

/* How much the overload shrinks (positive) or grows when the node moves. */
static int64_t relief(const struct split *s, size_t node, size_t to)
{
    uint64_t w = s->g->weight[node], from_load = s->load[s->part[node]], to_load = s->load[to];
    uint64_t before =
        (from_load > s->limit ? from_load - s->limit : 0) + (to_load > s->limit ? to_load - s->limit : 0);
    from_load -= w;
    to_load += w;
    uint64_t after =
        (from_load > s->limit ? from_load - s->limit : 0) + (to_load > s->limit ? to_load - s->limit : 0);
    return (int64_t)before - (int64_t)after;
}

static bool best_move(const struct pass *f, bool must_relieve, size_t *ret_node, size_t *ret_to)
{
    const struct split *s = f->s;
    int64_t best_gain = INT64_MIN, best_relief = INT64_MIN;
    bool found = false;
    for (size_t i = 0; i < s->g->n; i++) {
        if (f->locked[i] || s->pin[i] != CC_PARTITION_FREE)
            continue;
        const uint64_t *links = &f->link[i * s->parts];
        for (size_t p = 0; p < s->parts; p++) {
            if (p == s->part[i] || s->load[p] + s->g->weight[i] > s->limit + f->slack)
                continue;
            int64_t relieves = relief(s, i, p);
            if (must_relieve && relieves <= 0)
                continue;
            int64_t gain = (int64_t)links[p] - (int64_t)links[s->part[i]];
            if (gain > best_gain || (gain == best_gain && relieves > best_relief)) {
                best_gain = gain;
                best_relief = relieves;
                *ret_node = i;
                *ret_to = p;
                found = true;
            }
        }
    }
    return found;
}

/* Returns whether the pass ended in a feasible state better than *cut (UINT64_MAX: none yet). */
static bool run_pass(struct pass *f, uint64_t *cut)
{
    struct split *s = f->s;
    memset(f->locked, 0, s->g->n * sizeof *f->locked);
    f->moves = 0;
    uint64_t now = cc_partition_split_cut(s);
    size_t keep = SIZE_MAX; /* moves to keep */
    uint64_t best = *cut;
    if (now < best && cc_partition_split_fits(s)) {
        best = now;
        keep = 0;
    }
    size_t node, to;
    while (f->moves < s->g->n && best_move(f, !cc_partition_split_fits(s), &node, &to)) {
        now = now + f->link[node * s->parts + s->part[node]] - f->link[node * s->parts + to];
        f->trail_node[f->moves] = node;
        f->trail_from[f->moves++] = s->part[node];
        move(f, node, to);
        f->locked[node] = true;
        if (now < best && cc_partition_split_fits(s)) {
            best = now;
            keep = f->moves;
        }
    }
    size_t back_to = keep == SIZE_MAX ? 0 : keep;
    while (f->moves > back_to) {
        f->moves--;
        move(f, f->trail_node[f->moves], f->trail_from[f->moves]);
    }
    if (keep == SIZE_MAX)
        return false;
    *cut = best;
    return true;
}

/* For large graphs: sweeps that take every move that saves and fits. */
static bool sweep(struct pass *f)
{
    struct split *s = f->s;
    bool any = false;
    for (size_t i = 0; i < s->g->n; i++) {
        if (s->pin[i] != CC_PARTITION_FREE)
            continue;
        const uint64_t *links = &f->link[i * s->parts];
        bool over = s->load[s->part[i]] > s->limit;
        size_t to = s->part[i];
        for (size_t p = 0; p < s->parts; p++) {
            if (p == s->part[i] || s->load[p] + s->g->weight[i] > s->limit)
                continue;
            if (links[p] > links[to] || (over && (to == s->part[i] || links[p] > links[to])))
                to = p;
        }
        if (to != s->part[i]) {
            move(f, i, to);
            any = true;
        }
    }
    return any;
}

bool cc_partition_split_refine(struct split *s)
{
    size_t n = s->g->n;
    if (s->parts < 2 || n > 20000000 / s->parts)
        return cc_partition_split_loads(s), cc_partition_split_fits(s);
    uint64_t heaviest = 0;
    for (size_t i = 0; i < n; i++)
        heaviest = CC_MAX(heaviest, s->g->weight[i]);
    struct pass f = {.s = s,
                     .link = cc_alloc_array(n * s->parts, sizeof *f.link),
                     .locked = cc_alloc_array(n, sizeof *f.locked),
                     .trail_node = cc_alloc_array(n, sizeof *f.trail_node),
                     .trail_from = cc_alloc_array(n, sizeof *f.trail_from),
                     .slack = heaviest};
    cc_partition_split_loads(s);
    fill_links(&f);
    uint64_t cut = UINT64_MAX;
    if (n > FULL_SCAN_NODES) {
        for (int i = 0; i < PASSES && sweep(&f); i++)
            continue;
    } else {
        for (int i = 0; i < PASSES && run_pass(&f, &cut); i++)
            continue;
    }
    free(f.link);
    free(f.locked);
    free(f.trail_node);
    free(f.trail_from);
    return cc_partition_split_fits(s);
}
