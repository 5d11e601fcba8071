#include "place.h"
#include "../partition/scotch.h"
#include "../../base/rng.h"

#include <math.h>

enum {
    BUDGET = 200000,   /* steps of the exact search */
    EXACT_PARTS = 10,  /* beyond, it would not end */
    ANNEALED = 300000, /* swaps tried */
    TIE_NODES = 64,
};

struct place {
    const struct cc_topology *t;
    const uint64_t *bytes;
    const bool *fixed;
    size_t parts, nodes;
    struct cc_csr talk; /* parts; both directions together */
    struct cc_traffic *list;
    size_t nlist;
    size_t *node; /* of each part */
    size_t *part; /* on each node, SIZE_MAX if none */
    uint64_t best_cost, best_link;
    size_t *best;
};

static uint64_t cost_of(const struct place *p, size_t part, size_t node)
{
    uint64_t sum = 0;
    for (size_t k = p->talk.start[part]; k < p->talk.start[part + 1]; k++) {
        size_t other = p->node[p->talk.adjacent[k]];
        if (other != SIZE_MAX)
            sum += p->talk.bytes[k] * cc_topology_hops(p->t, node, other);
    }
    return sum;
}

static uint64_t whole_cost(const struct place *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->parts; i++)
        sum += cost_of(p, i, p->node[i]);
    return sum / 2;
}

static uint64_t fullest_link(const struct place *p)
{
    struct cc_traffic_result r;
    cc_topology_route_all(p->t, p->list, p->nlist, p->node, false, &r);
    return r.max_link;
}

static void offer(struct place *p)
{
    uint64_t cost = whole_cost(p);
    if (cost > p->best_cost)
        return;
    uint64_t link = fullest_link(p);
    if (cost == p->best_cost && link >= p->best_link)
        return;
    p->best_cost = cost;
    p->best_link = link;
    memcpy(p->best, p->node, p->parts * sizeof *p->best);
}

static void put(struct place *p, size_t part, size_t node)
{
    p->node[part] = node;
    p->part[node] = part;
}

static void clear(struct place *p)
{
    for (size_t i = 0; i < p->parts; i++)
        p->node[i] = SIZE_MAX;
    for (size_t i = 0; i < p->nodes; i++)
        p->part[i] = SIZE_MAX;
    for (size_t i = 0; i < p->parts; i++)
        if (p->fixed && p->fixed[i])
            put(p, i, i);
}

/* Exchanges what is on nodes a and b (either may be empty). */
static void swap(struct place *p, size_t a, size_t b)
{
    size_t x = p->part[a], y = p->part[b];
    p->part[a] = y;
    p->part[b] = x;
    if (x != SIZE_MAX)
        p->node[x] = b;
    if (y != SIZE_MAX)
        p->node[y] = a;
}

static bool movable(const struct place *p, size_t node)
{
    return p->part[node] == SIZE_MAX || !p->fixed || !p->fixed[p->part[node]];
}

static int64_t swap_gain(struct place *p, size_t a, size_t b)
{
    size_t x = p->part[a], y = p->part[b];
    uint64_t before = (x != SIZE_MAX ? cost_of(p, x, a) : 0) + (y != SIZE_MAX ? cost_of(p, y, b) : 0);
    swap(p, a, b);
    uint64_t after = (x != SIZE_MAX ? cost_of(p, x, b) : 0) + (y != SIZE_MAX ? cost_of(p, y, a) : 0);
    swap(p, a, b);
    return (int64_t)before - (int64_t)after; /* the pair's own bytes cost the same both ways */
}

static void descend(struct place *p)
{
    for (bool any = true; any;) {
        any = false;
        for (size_t a = 0; a < p->nodes; a++) {
            for (size_t b = a + 1; b < p->nodes && movable(p, a); b++) {
                if (p->part[a] == p->part[b] || !movable(p, b))
                    continue;
                if (swap_gain(p, a, b) > 0) {
                    swap(p, a, b);
                    any = true;
                }
            }
        }
    }
}

/* Swaps that cost nothing but lighten the fullest link. */
static void lighten(struct place *p)
{
    uint64_t link = fullest_link(p);
    for (size_t a = 0; a < p->nodes; a++) {
        for (size_t b = a + 1; b < p->nodes && movable(p, a); b++) {
            if (p->part[a] == p->part[b] || !movable(p, b) || swap_gain(p, a, b) != 0)
                continue;
            swap(p, a, b);
            uint64_t now = fullest_link(p);
            if (now < link)
                link = now;
            else
                swap(p, a, b);
        }
    }
}

static void improve(struct place *p)
{
    descend(p);
    if (p->nodes <= TIE_NODES)
        lighten(p);
    offer(p);
}

static void place_greedy(struct place *p)
{
    clear(p);
    for (size_t i = 0; i < p->parts; i++) {
        if (p->node[i] != SIZE_MAX)
            continue;
        size_t best = SIZE_MAX;
        uint64_t best_cost = 0;
        for (size_t n = 0; n < p->nodes; n++) {
            if (p->part[n] != SIZE_MAX)
                continue;
            uint64_t cost = cost_of(p, i, n);
            if (best == SIZE_MAX || cost < best_cost) {
                best = n;
                best_cost = cost;
            }
        }
        put(p, i, best);
    }
}

static int place_scotch(struct place *p, struct cc_err *err)
{
    struct cc_csr net = {.n = p->nodes,
                         .weight = cc_alloc_array(p->nodes, sizeof *net.weight),
                         .start = cc_alloc_array(p->nodes + 1, sizeof *net.start),
                         .adjacent = cc_alloc_array(cc_topology_links(p->t), sizeof *net.adjacent),
                         .bytes = cc_alloc_array(cc_topology_links(p->t), sizeof *net.bytes)};
    size_t at = 0;
    for (size_t l = 0; l < cc_topology_links(p->t); l++) /* links come sorted by their start */
        net.start[cc_topology_link(p->t, l).from + 1]++;
    for (size_t i = 0; i < p->nodes; i++) {
        net.weight[i] = 1;
        net.start[i + 1] += net.start[i];
    }
    for (size_t l = 0; l < cc_topology_links(p->t); l++) {
        net.adjacent[at] = (uint32_t)cc_topology_link(p->t, l).to;
        net.bytes[at++] = 1;
    }
    size_t *wish = cc_alloc_array(p->parts, sizeof *wish);
    int rc = cc_scotch_place(&p->talk, &net, 1, wish, err);
    if (rc == 0) {
        clear(p);
        for (size_t i = 0; i < p->parts; i++)
            if (p->node[i] == SIZE_MAX && p->part[wish[i]] == SIZE_MAX)
                put(p, i, wish[i]);
        size_t next = 0;
        for (size_t i = 0; i < p->parts; i++) {
            if (p->node[i] != SIZE_MAX)
                continue;
            while (p->part[next] != SIZE_MAX)
                next++;
            put(p, i, next);
        }
        improve(p);
    }
    free(wish);
    free(net.weight);
    free(net.start);
    free(net.adjacent);
    free(net.bytes);
    return rc;
}

/* Simulated annealing over swaps of two nodes, from the best state known. The temperature falls from the size
 * of a typical swap to a thousandth of it. */
static void anneal(struct place *p)
{
    struct cc_rng rng = {1};
    clear(p);
    for (size_t i = 0; i < p->parts; i++)
        put(p, i, p->best[i]);
    double typical = 0;
    for (int i = 0; i < 64; i++) {
        size_t a = cc_rng_below(&rng, p->nodes), b = cc_rng_below(&rng, p->nodes);
        typical += a == b ? 0 : fabs((double)swap_gain(p, a, b)) / 64;
    }
    double heat = typical, cooling = pow(1e-3, 1.0 / ANNEALED);
    for (int i = 0; i < ANNEALED && typical > 0; i++, heat *= cooling) {
        size_t a = cc_rng_below(&rng, p->nodes), b = cc_rng_below(&rng, p->nodes);
        if (p->part[a] == p->part[b] || !movable(p, a) || !movable(p, b))
            continue;
        int64_t gain = swap_gain(p, a, b);
        if (gain >= 0 || cc_rng_unit(&rng) < exp((double)gain / heat))
            swap(p, a, b);
    }
    improve(p);
}

struct exact {
    struct place *p;
    uint64_t steps;
    size_t *order;
    size_t n;
};

/* What is not placed yet pays at least its cheapest free node towards the placed ones, and one hop among
 * itself. */
static uint64_t rest_bound(const struct exact *x, size_t depth)
{
    const struct place *p = x->p;
    uint64_t sum = 0, among = 0;
    for (size_t k = depth; k < x->n; k++) {
        size_t part = x->order[k];
        uint64_t least = UINT64_MAX;
        for (size_t n = 0; n < p->nodes; n++)
            if (p->part[n] == SIZE_MAX)
                least = CC_MIN(least, cost_of(p, part, n));
        sum += least;
        for (size_t e = p->talk.start[part]; e < p->talk.start[part + 1]; e++)
            if (p->node[p->talk.adjacent[e]] == SIZE_MAX)
                among += p->talk.bytes[e];
    }
    return sum + among / 2;
}

static void exact_step(struct exact *x, size_t depth, uint64_t cost)
{
    struct place *p = x->p;
    if (x->steps >= BUDGET)
        return;
    x->steps++;
    if (depth == x->n) {
        offer(p);
        return;
    }
    if (cost + rest_bound(x, depth) > p->best_cost)
        return;
    size_t part = x->order[depth];
    for (size_t n = 0; n < p->nodes; n++) {
        if (p->part[n] != SIZE_MAX)
            continue;
        uint64_t more = cost_of(p, part, n);
        put(p, part, n);
        exact_step(x, depth + 1, cost + more);
        p->node[part] = SIZE_MAX;
        p->part[n] = SIZE_MAX;
    }
}

static bool search(struct place *p)
{
    struct exact x = {.p = p, .order = cc_alloc_array(p->parts, sizeof *x.order)};
    clear(p);
    uint64_t cost = 0;
    for (size_t i = 0; i < p->parts; i++) {
        if (p->node[i] == SIZE_MAX)
            x.order[x.n++] = i;
        else
            cost += cost_of(p, i, i);
    }
    /* the talkative first */
    for (size_t a = 0; a < x.n; a++) {
        for (size_t b = a + 1; b < x.n; b++) {
            uint64_t ta = 0, tb = 0;
            for (size_t k = p->talk.start[x.order[a]]; k < p->talk.start[x.order[a] + 1]; k++)
                ta += p->talk.bytes[k];
            for (size_t k = p->talk.start[x.order[b]]; k < p->talk.start[x.order[b] + 1]; k++)
                tb += p->talk.bytes[k];
            if (tb > ta) {
                size_t keep = x.order[a];
                x.order[a] = x.order[b];
                x.order[b] = keep;
            }
        }
    }
    exact_step(&x, 0, cost / 2);
    free(x.order);
    return x.steps < BUDGET;
}

static void build_talk(struct place *p)
{
    size_t n = p->parts, arcs = 0;
    p->list = cc_alloc_array(n * n, sizeof *p->list);
    p->talk = (struct cc_csr){.n = n,
                              .weight = cc_alloc_array(n, sizeof *p->talk.weight),
                              .start = cc_alloc_array(n + 1, sizeof *p->talk.start),
                              .adjacent = cc_alloc_array(n * n, sizeof *p->talk.adjacent),
                              .bytes = cc_alloc_array(n * n, sizeof *p->talk.bytes)};
    for (size_t a = 0; a < n; a++) {
        p->talk.weight[a] = 1;
        for (size_t b = 0; b < n; b++) {
            uint64_t there = p->bytes[a * n + b], both = there + p->bytes[b * n + a];
            if (a == b)
                continue;
            if (there)
                p->list[p->nlist++] = (struct cc_traffic){a, b, there};
            if (both) {
                p->talk.adjacent[arcs] = (uint32_t)b;
                p->talk.bytes[arcs++] = both;
            }
        }
        p->talk.start[a + 1] = arcs;
    }
}

static int solve(struct place *p, bool *proven, struct cc_err *err)
{
    place_greedy(p);
    *proven = cc_topology_uniform(p->t);
    if (*proven || p->nlist == 0) {
        *proven = true;
        offer(p);
        return 0;
    }
    improve(p);
    int rc = place_scotch(p, err);
    if (rc == 0 && p->parts <= EXACT_PARTS)
        *proven = search(p);
    if (rc == 0 && !*proven)
        anneal(p);
    return rc;
}

int cc_topology_place(const struct cc_topology *t, const uint64_t *bytes, size_t parts, const bool *fixed,
                      struct cc_placement *ret, struct cc_err *err)
{
    size_t nodes = cc_topology_nodes(t);
    if (parts > nodes)
        return cc_err_set(err, CC_EUSAGE, "%zu parts do not fit on a topology of %zu nodes", parts, nodes);
    struct place p = {.t = t,
                      .bytes = bytes,
                      .fixed = fixed,
                      .parts = parts,
                      .nodes = nodes,
                      .node = cc_alloc_array(parts, sizeof *p.node),
                      .part = cc_alloc_array(nodes, sizeof *p.part),
                      .best = cc_alloc_array(parts, sizeof *p.best),
                      .best_cost = UINT64_MAX,
                      .best_link = UINT64_MAX};
    build_talk(&p);
    *ret = (struct cc_placement){.parts = parts, .node = p.best};
    int rc = solve(&p, &ret->proven, err);
    if (rc == 0)
        cc_topology_route_all(t, p.list, p.nlist, p.best, true, &ret->traffic);
    else
        cc_placement_fini(ret);
    free(p.list);
    free(p.talk.weight);
    free(p.talk.start);
    free(p.talk.adjacent);
    free(p.talk.bytes);
    free(p.node);
    free(p.part);
    return rc;
}

void cc_placement_fini(struct cc_placement *p)
{
    free(p->node);
    free(p->traffic.link_bytes);
    *p = (struct cc_placement){0};
}
