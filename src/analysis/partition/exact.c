/* Exact searches: branch and bound with a budget of steps. */
#include "internal.h"

struct search {
    struct split *s;
    size_t *order; /* free nodes, in the order they are placed */
    size_t n;
    size_t *part;        /* current */
    uint64_t *load;      /* current */
    size_t *count;       /* nodes on each part: empty ones are alike */
    uint64_t *link;      /* [node * parts + part] towards placed nodes */
    uint64_t *remaining; /* weight of order[k..] */
    uint64_t best, steps, budget, bound;
    size_t *best_part;
    bool improved;
};

/* The node with most bytes towards those already placed comes next: costs show early. */
static void order_by_ties(struct search *x)
{
    const struct cc_csr *g = x->s->g;
    uint64_t *tie = cc_alloc_array(g->n, sizeof *tie), *all = cc_alloc_array(g->n, sizeof *all);
    bool *placed = cc_alloc_array(g->n, sizeof *placed);
    for (size_t i = 0; i < g->n; i++) {
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++) {
            all[i] += g->bytes[k];
            if (x->s->pin[g->adjacent[k]] != CC_PARTITION_FREE)
                tie[i] += g->bytes[k];
        }
        placed[i] = x->s->pin[i] != CC_PARTITION_FREE;
    }
    for (size_t k = 0; k < x->n; k++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < g->n; i++)
            if (!placed[i] &&
                (best == SIZE_MAX || tie[i] > tie[best] || (tie[i] == tie[best] && all[i] > all[best])))
                best = i;
        placed[best] = true;
        x->order[k] = best;
        for (size_t e = g->start[best]; e < g->start[best + 1]; e++)
            tie[g->adjacent[e]] += g->bytes[e];
    }
    free(tie);
    free(all);
    free(placed);
}

static void search_init(struct search *x, struct split *s, uint64_t best, uint64_t budget, bool with_links)
{
    const struct cc_csr *g = s->g;
    *x = (struct search){.s = s,
                         .order = cc_alloc_array(g->n, sizeof *x->order),
                         .part = cc_alloc_array(g->n, sizeof *x->part),
                         .load = cc_alloc_array(s->parts, sizeof *x->load),
                         .count = cc_alloc_array(s->parts, sizeof *x->count),
                         .link = with_links ? cc_alloc_array(g->n * s->parts, sizeof *x->link) : NULL,
                         .remaining = cc_alloc_array(g->n + 1, sizeof *x->remaining),
                         .best_part = cc_alloc_array(g->n, sizeof *x->best_part),
                         .best = best,
                         .budget = budget};
    for (size_t i = 0; i < g->n; i++) {
        x->part[i] = s->pin[i];
        if (s->pin[i] == CC_PARTITION_FREE) {
            x->order[x->n++] = i;
            continue;
        }
        x->load[s->pin[i]] += g->weight[i];
        x->count[s->pin[i]]++;
    }
}

static void search_fini(struct search *x)
{
    if (x->improved)
        memcpy(x->s->part, x->best_part, x->s->g->n * sizeof *x->best_part);
    cc_partition_split_loads(x->s);
    free(x->order);
    free(x->part);
    free(x->load);
    free(x->count);
    free(x->link);
    free(x->remaining);
    free(x->best_part);
}

static void link_all(struct search *x, size_t node, size_t part, bool add)
{
    const struct cc_csr *g = x->s->g;
    for (size_t k = g->start[node]; k < g->start[node + 1]; k++) {
        uint64_t *link = &x->link[g->adjacent[k] * x->s->parts + part];
        *link = add ? *link + g->bytes[k] : *link - g->bytes[k];
    }
}

/* What every node still to place must cut towards placed ones, at least; UINT64_MAX if one fits nowhere. */
static uint64_t cut_bound(const struct search *x, size_t depth)
{
    size_t parts = x->s->parts;
    uint64_t sum = 0;
    for (size_t k = depth; k < x->n; k++) {
        const uint64_t *link = &x->link[x->order[k] * parts];
        uint64_t w = x->s->g->weight[x->order[k]], total = 0, kept = 0;
        bool fits = false;
        for (size_t p = 0; p < parts; p++) {
            total += link[p];
            if (x->load[p] + w <= x->s->limit) {
                fits = true;
                kept = CC_MAX(kept, link[p]);
            }
        }
        if (!fits)
            return UINT64_MAX;
        sum += total - kept;
    }
    return sum;
}

static bool room_left(const struct search *x, size_t depth)
{
    uint64_t room = 0;
    for (size_t p = 0; p < x->s->parts; p++)
        room += x->s->limit - x->load[p];
    return room >= x->remaining[depth];
}

static void cut_step(struct search *x, size_t depth, uint64_t cut)
{
    if (x->steps >= x->budget)
        return;
    x->steps++;
    cc_count_set(x->s->count, x->steps);
    if (depth == x->n) {
        x->best = cut;
        x->improved = true;
        memcpy(x->best_part, x->part, x->s->g->n * sizeof *x->part);
        return;
    }
    uint64_t bound = cut_bound(x, depth);
    if (bound == UINT64_MAX || cut + bound >= x->best || !room_left(x, depth))
        return;
    size_t node = x->order[depth], parts = x->s->parts;
    uint64_t w = x->s->g->weight[node], total = 0;
    for (size_t p = 0; p < parts; p++)
        total += x->link[node * parts + p];
    /* parts in order of what they save; among empty ones only the first */
    uint64_t tried_links = UINT64_MAX;
    size_t tried_part = 0;
    for (size_t round = 0; round < parts; round++) {
        size_t pick = SIZE_MAX;
        uint64_t pick_links = 0;
        for (size_t p = 0; p < parts; p++) {
            uint64_t l = x->link[node * parts + p];
            bool after = l < tried_links || (l == tried_links && p > tried_part);
            if (!(round == 0 || after) || (pick != SIZE_MAX && l <= pick_links))
                continue;
            pick = p;
            pick_links = l;
        }
        if (pick == SIZE_MAX)
            break;
        tried_links = pick_links;
        tried_part = pick;
        bool alike = false;
        for (size_t p = 0; p < pick && !alike; p++)
            alike = x->count[p] == 0 && x->count[pick] == 0;
        if (alike || x->load[pick] + w > x->s->limit || cut + total - pick_links >= x->best)
            continue;
        x->part[node] = pick;
        x->load[pick] += w;
        x->count[pick]++;
        link_all(x, node, pick, true);
        cut_step(x, depth + 1, cut + total - pick_links);
        link_all(x, node, pick, false);
        x->count[pick]--;
        x->load[pick] -= w;
        x->part[node] = CC_PARTITION_FREE;
    }
}

bool cc_partition_split_exact(struct split *s, uint64_t *best, uint64_t budget, uint64_t *steps)
{
    struct search x;
    search_init(&x, s, *best, budget, true);
    cc_count_phase(s->count, budget, true);
    order_by_ties(&x);
    uint64_t cut = 0;
    for (size_t i = 0; i < s->g->n; i++) {
        for (size_t k = s->g->start[i]; k < s->g->start[i + 1]; k++) {
            size_t j = s->g->adjacent[k];
            if (j > i && x.part[i] != CC_PARTITION_FREE && x.part[j] != CC_PARTITION_FREE &&
                x.part[i] != x.part[j])
                cut += s->g->bytes[k];
        }
        if (x.part[i] != CC_PARTITION_FREE)
            link_all(&x, i, x.part[i], true);
    }
    for (size_t k = x.n; k-- > 0;)
        x.remaining[k] = x.remaining[k + 1] + s->g->weight[x.order[k]];
    cut_step(&x, 0, cut);
    *best = x.best;
    *steps += x.steps;
    bool ended = x.steps < budget;
    search_fini(&x);
    return ended;
}

struct by_weight {
    uint64_t weight;
    size_t node;
};

static int heavier_first(const void *a, const void *b)
{
    const struct by_weight *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

static void balance_step(struct search *x, size_t depth, uint64_t max_load)
{
    if (x->steps >= x->budget || x->best <= x->bound || max_load >= x->best)
        return;
    x->steps++;
    cc_count_set(x->s->count, x->steps);
    if (depth == x->n) {
        x->best = max_load;
        cc_count_bounds(x->s->count, (double)x->best, (double)x->bound);
        x->improved = true;
        memcpy(x->best_part, x->part, x->s->g->n * sizeof *x->part);
        return;
    }
    size_t parts = x->s->parts, node = x->order[depth];
    uint64_t w = x->s->g->weight[node], room = 0;
    for (size_t p = 0; p < parts; p++)
        room += x->best - 1 - CC_MIN(x->load[p], x->best - 1);
    if (room < x->remaining[depth])
        return;
    for (size_t p = 0; p < parts; p++) {
        bool alike = false; /* parts with the same load lead to the same states */
        for (size_t q = 0; q < p && !alike; q++)
            alike = x->load[q] == x->load[p];
        if (alike || x->load[p] + w >= x->best)
            continue;
        x->part[node] = p;
        x->load[p] += w;
        balance_step(x, depth + 1, CC_MAX(max_load, x->load[p]));
        x->load[p] -= w;
    }
}

bool cc_partition_balance_exact(struct split *s, uint64_t *best, uint64_t bound, uint64_t budget,
                                uint64_t *steps)
{
    enum { DEEPEST = 2000 }; /* recursion */
    struct search x;
    size_t weighty = 0;
    for (size_t i = 0; i < s->g->n; i++)
        weighty += s->pin[i] == CC_PARTITION_FREE && s->g->weight[i];
    if (weighty > DEEPEST)
        return false;
    search_init(&x, s, *best, budget, false);
    cc_count_phase(s->count, budget, true);
    cc_count_bounds(s->count, (double)*best, (double)bound);
    x.bound = bound;
    struct by_weight *order = cc_alloc_array(x.n, sizeof *order);
    for (size_t k = 0; k < x.n; k++)
        order[k] = (struct by_weight){s->g->weight[x.order[k]], x.order[k]};
    qsort(order, x.n, sizeof *order, heavier_first);
    for (size_t k = 0; k < x.n; k++)
        x.order[k] = order[k].node;
    free(order);
    /* what weighs nothing stays where it is */
    while (x.n && s->g->weight[x.order[x.n - 1]] == 0) {
        size_t node = x.order[--x.n];
        x.part[node] = s->part[node];
    }
    for (size_t k = x.n; k-- > 0;)
        x.remaining[k] = x.remaining[k + 1] + s->g->weight[x.order[k]];
    uint64_t max_load = 0;
    for (size_t p = 0; p < s->parts; p++)
        max_load = CC_MAX(max_load, x.load[p]);
    balance_step(&x, 0, max_load);
    *best = x.best;
    *steps += x.steps;
    bool ended = x.steps < budget;
    search_fini(&x);
    return ended;
}
