#include "internal.h"
#include "../../base/map.h"

#include <math.h>

enum { BUDGET = 3000000, EXACT_NODES = 64, SEEDS = 4, MAX_SWAP_NODES = 5000 };

void cc_partition_csr_init(struct cc_csr *c, const struct cc_graph *g)
{
    size_t n = g->nodes.n;
    CC_VEC(struct cc_graph_edge) pairs = {0}; /* both directions of a pair become one edge */
    struct cc_map at = {0};
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct cc_graph_edge *e = &g->edges.v[i];
        if (e->from == e->to || !e->bytes)
            continue;
        struct cc_graph_edge pair = {CC_MIN(e->from, e->to), CC_MAX(e->from, e->to), 0};
        bool fresh;
        uint64_t *slot = cc_map_put(&at, (uint64_t)pair.from << 32 | pair.to, &fresh);
        if (fresh) {
            *slot = pairs.n;
            CC_VEC_PUSH(&pairs, pair);
        }
        pairs.v[*slot].bytes += e->bytes;
    }
    cc_map_fini(&at);
    *c = (struct cc_csr){.n = n,
                         .weight = cc_alloc_array(n, sizeof *c->weight),
                         .start = cc_alloc_array(n + 1, sizeof *c->start),
                         .adjacent = cc_alloc_array(2 * pairs.n, sizeof *c->adjacent),
                         .bytes = cc_alloc_array(2 * pairs.n, sizeof *c->bytes)};
    size_t *fill = cc_alloc_array(n + 1, sizeof *fill);
    for (size_t i = 0; i < pairs.n; i++) {
        fill[pairs.v[i].from]++;
        fill[pairs.v[i].to]++;
    }
    for (size_t i = 0; i < n; i++) {
        c->weight[i] = g->nodes.v[i].weight;
        c->start[i + 1] = c->start[i] + fill[i];
        fill[i] = c->start[i];
    }
    for (size_t i = 0; i < pairs.n; i++) {
        const struct cc_graph_edge *p = &pairs.v[i];
        c->adjacent[fill[p->from]] = (uint32_t)p->to;
        c->bytes[fill[p->from]++] = p->bytes;
        c->adjacent[fill[p->to]] = (uint32_t)p->from;
        c->bytes[fill[p->to]++] = p->bytes;
    }
    free(fill);
    CC_VEC_FINI(&pairs);
}

void cc_partition_csr_fini(struct cc_csr *c)
{
    free(c->weight);
    free(c->start);
    free(c->adjacent);
    free(c->bytes);
    *c = (struct cc_csr){0};
}

bool cc_partition_split_fits(const struct split *s)
{
    for (size_t p = 0; p < s->parts; p++)
        if (s->load[p] > s->limit)
            return false;
    return true;
}

uint64_t cc_partition_split_cut(const struct split *s)
{
    uint64_t cut = 0;
    for (size_t i = 0; i < s->g->n; i++)
        for (size_t k = s->g->start[i]; k < s->g->start[i + 1]; k++)
            if (s->g->adjacent[k] > i && s->part[i] != s->part[s->g->adjacent[k]])
                cut += s->g->bytes[k];
    return cut;
}

void cc_partition_split_loads(struct split *s)
{
    memset(s->load, 0, s->parts * sizeof *s->load);
    for (size_t i = 0; i < s->g->n; i++)
        s->load[s->part[i]] += s->g->weight[i];
}

void cc_partition_measure(const struct cc_graph *g, const size_t *part, size_t parts,
                          struct cc_partition *ret)
{
    *ret = (struct cc_partition){.parts = parts,
                                 .nodes = g->nodes.n,
                                 .part = cc_alloc_array(g->nodes.n, sizeof *ret->part),
                                 .load = cc_alloc_array(parts, sizeof *ret->load)};
    for (size_t i = 0; i < g->nodes.n; i++) {
        ret->part[i] = part[i];
        ret->load[part[i]] += g->nodes.v[i].weight;
    }
    for (size_t p = 0; p < parts; p++)
        ret->max_load = CC_MAX(ret->max_load, ret->load[p]);
    for (size_t i = 0; i < g->edges.n; i++)
        if (part[g->edges.v[i].from] != part[g->edges.v[i].to])
            ret->cut += g->edges.v[i].bytes;
}

void cc_partition_fini(struct cc_partition *p)
{
    free(p->part);
    free(p->load);
    *p = (struct cc_partition){0};
}

uint64_t *cc_partition_traffic(const struct cc_graph *g, const struct cc_partition *p)
{
    uint64_t *t = cc_alloc_array(p->parts * p->parts, sizeof *t);
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct cc_graph_edge *e = &g->edges.v[i];
        if (p->part[e->from] != p->part[e->to])
            t[p->part[e->from] * p->parts + p->part[e->to]] += e->bytes;
    }
    return t;
}

static int check_options(const struct cc_graph *g, const struct cc_partition_options *o, struct cc_err *err)
{
    if (o->parts < 1 || o->parts > CC_PARTITION_MAX_PARTS)
        return cc_err_set(err, CC_EUSAGE, "a graph is split into 1 to %d parts, not %zu",
                          CC_PARTITION_MAX_PARTS, o->parts);
    if (!(o->tolerance >= 0 && o->tolerance <= 1e6))
        return cc_err_set(err, CC_EUSAGE, "the tolerance must not be negative");
    for (size_t i = 0; o->pin && i < g->nodes.n; i++)
        if (o->pin[i] != CC_PARTITION_FREE && o->pin[i] >= o->parts)
            return cc_err_set(err, CC_EUSAGE, "'%s' is pinned to part %zu, but parts are 0 to %zu",
                              g->nodes.v[i].name, o->pin[i], o->parts - 1);
    return 0;
}

static void split_init(struct split *s, const struct cc_csr *g, const struct cc_partition_options *o)
{
    size_t *pin = cc_alloc_array(g->n, sizeof *pin);
    for (size_t i = 0; i < g->n; i++)
        pin[i] = o->pin ? o->pin[i] : CC_PARTITION_FREE;
    *s = (struct split){.g = g,
                        .pin = pin,
                        .parts = o->parts,
                        .part = cc_alloc_array(g->n, sizeof *s->part),
                        .load = cc_alloc_array(o->parts, sizeof *s->load),
                        .count = o->count};
}

static void split_fini(struct split *s)
{
    free((void *)s->pin);
    free(s->part);
    free(s->load);
}

struct weighed {
    uint64_t weight;
    size_t node;
};

static int heavier_first(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

static size_t lightest(const struct split *s)
{
    size_t best = 0;
    for (size_t p = 1; p < s->parts; p++)
        if (s->load[p] < s->load[best])
            best = p;
    return best;
}

/* Longest first, each onto the part with the least so far. */
static void balance_greedy(struct split *s)
{
    struct weighed *order = cc_alloc_array(s->g->n, sizeof *order);
    size_t n = 0;
    memset(s->load, 0, s->parts * sizeof *s->load);
    for (size_t i = 0; i < s->g->n; i++) {
        if (s->pin[i] == CC_PARTITION_FREE) {
            order[n++] = (struct weighed){s->g->weight[i], i};
        } else {
            s->part[i] = s->pin[i];
            s->load[s->pin[i]] += s->g->weight[i];
        }
    }
    qsort(order, n, sizeof *order, heavier_first);
    for (size_t k = 0; k < n; k++) {
        size_t p = lightest(s);
        s->part[order[k].node] = p;
        s->load[p] += order[k].weight;
    }
    free(order);
}

static size_t heaviest(const struct split *s)
{
    size_t best = 0;
    for (size_t p = 1; p < s->parts; p++)
        if (s->load[p] > s->load[best])
            best = p;
    return best;
}

/* Swaps a node of the fullest part against a lighter one elsewhere (or against nothing) while the fuller of
 * the two parts gets lighter. */
static bool balance_swap(struct split *s)
{
    size_t full = heaviest(s);
    uint64_t best = s->load[full];
    size_t give = SIZE_MAX, take = SIZE_MAX, to = 0;
    for (size_t i = 0; i < s->g->n; i++) {
        if (s->part[i] != full || s->pin[i] != CC_PARTITION_FREE || !s->g->weight[i])
            continue;
        for (size_t p = 0; p < s->parts; p++) {
            uint64_t moved = CC_MAX(s->load[full] - s->g->weight[i], s->load[p] + s->g->weight[i]);
            if (p != full && moved < best) {
                best = moved;
                give = i;
                take = SIZE_MAX;
                to = p;
            }
        }
        for (size_t j = 0; j < s->g->n; j++) {
            if (s->part[j] == full || s->pin[j] != CC_PARTITION_FREE || s->g->weight[j] >= s->g->weight[i])
                continue;
            uint64_t d = s->g->weight[i] - s->g->weight[j];
            uint64_t moved = CC_MAX(s->load[full] - d, s->load[s->part[j]] + d);
            if (moved < best) {
                best = moved;
                give = i;
                take = j;
                to = s->part[j];
            }
        }
    }
    if (give == SIZE_MAX)
        return false;
    s->part[give] = to;
    if (take != SIZE_MAX)
        s->part[take] = full;
    cc_partition_split_loads(s);
    return true;
}

/* No largest load can be below this. */
static uint64_t balance_bound(const struct split *s)
{
    uint64_t sum = 0, bound = 0;
    for (size_t i = 0; i < s->g->n; i++) {
        sum += s->g->weight[i];
        bound = CC_MAX(bound, s->g->weight[i]);
    }
    memset(s->load, 0, s->parts * sizeof *s->load);
    for (size_t i = 0; i < s->g->n; i++) {
        if (s->pin[i] == CC_PARTITION_FREE)
            continue;
        s->load[s->pin[i]] += s->g->weight[i];
        bound = CC_MAX(bound, s->load[s->pin[i]]);
    }
    return CC_MAX(bound, (sum + s->parts - 1) / s->parts);
}

/* Numbers the parts by their heaviest node, so that two partitions of one graph read alike. Pins name parts:
 * then nothing is renumbered. */
static void renumber(struct split *s)
{
    size_t n = s->g->n, next = 0;
    struct weighed *order = cc_alloc_array(n, sizeof *order);
    size_t *name = cc_alloc_array(s->parts, sizeof *name);
    bool pinned = false;
    for (size_t i = 0; i < n; i++) {
        order[i] = (struct weighed){s->g->weight[i], i};
        pinned = pinned || s->pin[i] != CC_PARTITION_FREE;
    }
    for (size_t p = 0; p < s->parts; p++)
        name[p] = SIZE_MAX;
    qsort(order, n, sizeof *order, heavier_first);
    for (size_t k = 0; k < n && !pinned; k++) {
        size_t *p = &name[s->part[order[k].node]];
        if (*p == SIZE_MAX)
            *p = next++;
    }
    for (size_t i = 0; i < n && !pinned; i++)
        s->part[i] = name[s->part[i]];
    free(order);
    free(name);
}

int cc_partition_balance(const struct cc_graph *g, const struct cc_partition_options *o,
                         struct cc_partition *ret, struct cc_err *err)
{
    int rc = check_options(g, o, err);
    if (rc < 0)
        return rc;
    struct cc_csr csr;
    struct split s;
    cc_partition_csr_init(&csr, g);
    split_init(&s, &csr, o);
    uint64_t bound = balance_bound(&s), steps = 0;
    balance_greedy(&s);
    for (int round = 0; round < 1000 && csr.n <= MAX_SWAP_NODES && s.load[heaviest(&s)] > bound; round++)
        if (!balance_swap(&s))
            break;
    uint64_t best = s.load[heaviest(&s)];
    bool proven = best <= bound;
    if (!proven)
        proven = cc_partition_balance_exact(&s, &best, bound, o->budget ? o->budget : BUDGET, &steps);
    renumber(&s);
    cc_partition_measure(g, s.part, o->parts, ret);
    ret->proven = proven;
    ret->limit = bound;
    ret->steps = steps;
    ret->found_by = steps && proven ? "exact search" : "longest first and swaps";
    split_fini(&s);
    cc_partition_csr_fini(&csr);
    return 0;
}

/* Keeps the better of two feasible states: smaller cut, then smaller largest load. */
struct best {
    uint64_t cut, max_load;
    size_t *part;
    const char *found_by;
};

static void offer(struct best *b, struct split *s, const char *found_by)
{
    cc_partition_split_loads(s);
    if (!cc_partition_split_fits(s))
        return;
    uint64_t cut = cc_partition_split_cut(s), load = s->load[heaviest(s)];
    if (cut > b->cut || (cut == b->cut && load >= b->max_load))
        return;
    b->cut = cut;
    b->max_load = load;
    b->found_by = found_by;
    memcpy(b->part, s->part, s->g->n * sizeof *b->part);
}

static int try_scotch(struct split *s, double imbalance, struct best *b, struct cc_err *err)
{
    int *fixed = cc_alloc_array(s->g->n, sizeof *fixed);
    for (size_t i = 0; i < s->g->n; i++)
        fixed[i] = s->pin[i] == CC_PARTITION_FREE ? -1 : (int)s->pin[i];
    int rc = 0;
    for (int seed = 1; seed <= SEEDS && rc == 0; seed++) {
        rc = cc_scotch_split(s->g, s->parts, fmax(imbalance / seed, 0.01), fixed, seed, s->part, err);
        if (rc < 0)
            break;
        offer(b, s, "scotch");
        if (cc_partition_split_refine(s))
            offer(b, s, "scotch and moves");
    }
    free(fixed);
    return rc;
}

int cc_partition_cut(const struct cc_graph *g, const struct cc_partition_options *o,
                     const struct cc_partition *balance, struct cc_partition *ret, struct cc_err *err)
{
    int rc = check_options(g, o, err);
    if (rc < 0)
        return rc;
    struct cc_csr csr;
    struct split s;
    cc_partition_csr_init(&csr, g);
    split_init(&s, &csr, o);
    uint64_t sum = 0, steps = 0;
    for (size_t i = 0; i < csr.n; i++)
        sum += csr.weight[i];
    double allowed = floor((1 + o->tolerance) * (double)sum / (double)o->parts * (1 + 1e-12));
    s.limit = CC_MAX(balance->max_load, allowed < (double)CC_GRAPH_MAX_TOTAL ? (uint64_t)allowed : sum);
    struct best b = {UINT64_MAX, UINT64_MAX, cc_alloc_array(csr.n, sizeof *b.part), NULL};
    memcpy(s.part, balance->part, csr.n * sizeof *s.part);
    offer(&b, &s, "load balance");
    if (cc_partition_split_refine(&s))
        offer(&b, &s, "load balance and moves");
    if (o->parts > 1 && csr.start[csr.n])
        rc = try_scotch(&s, fmin(o->tolerance, 0.9), &b, err);
    bool proven = b.cut == 0;
    size_t free_nodes = 0;
    for (size_t i = 0; i < csr.n; i++)
        free_nodes += s.pin[i] == CC_PARTITION_FREE;
    if (rc == 0 && !proven && free_nodes <= EXACT_NODES) {
        uint64_t cut = b.cut;
        proven = cc_partition_split_exact(&s, &cut, o->budget ? o->budget : BUDGET, &steps);
        if (cut < b.cut)
            offer(&b, &s, "exact search");
    }
    if (rc == 0) {
        memcpy(s.part, b.part, csr.n * sizeof *s.part);
        renumber(&s);
        cc_partition_measure(g, s.part, o->parts, ret);
        ret->limit = s.limit;
        ret->proven = proven;
        ret->steps = steps;
        ret->found_by = b.found_by;
    }
    free(b.part);
    split_fini(&s);
    cc_partition_csr_fini(&csr);
    return rc;
}
