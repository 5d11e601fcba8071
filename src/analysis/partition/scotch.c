#include "scotch.h"

#include <scotch/scotch.h>

/* Scotch's numbers are 32 bits: weights and bytes are scaled so that their sums fit. What was not zero stays
 * so. */
static SCOTCH_Num *scaled(const uint64_t *values, size_t n)
{
    SCOTCH_Num *out = cc_alloc_array(n, sizeof *out);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    double limit = (double)(1 << 29) - (double)n;
    double scale = (double)sum > limit ? limit / (double)sum : 1;
    for (size_t i = 0; i < n; i++) {
        double v = (double)values[i] * scale;
        out[i] = values[i] && v < 1 ? 1 : (SCOTCH_Num)v;
    }
    return out;
}

struct bound_graph {
    SCOTCH_Graph *graph;
    SCOTCH_Num *start, *adjacent, *weight, *bytes;
};

static int bind(struct bound_graph *b, const struct cc_csr *g, struct cc_err *err)
{
    size_t arcs = g->start[g->n];
    *b = (struct bound_graph){.graph = SCOTCH_graphAlloc(),
                              .start = cc_alloc_array(g->n + 1, sizeof *b->start),
                              .adjacent = cc_alloc_array(arcs, sizeof *b->adjacent),
                              .weight = scaled(g->weight, g->n),
                              .bytes = scaled(g->bytes, arcs)};
    for (size_t i = 0; i <= g->n; i++)
        b->start[i] = (SCOTCH_Num)g->start[i];
    for (size_t i = 0; i < arcs; i++) {
        b->adjacent[i] = (SCOTCH_Num)g->adjacent[i];
        b->bytes[i] = CC_MAX(b->bytes[i], 1);
    }
    if (!b->graph || SCOTCH_graphInit(b->graph) != 0 ||
        SCOTCH_graphBuild(b->graph, 0, (SCOTCH_Num)g->n, b->start, b->start + 1, b->weight, NULL,
                          (SCOTCH_Num)arcs, b->adjacent, b->bytes) != 0)
        return cc_err_set(err, CC_EBUG, "scotch refuses the graph");
    return 0;
}

static void unbind(struct bound_graph *b)
{
    if (b->graph) {
        SCOTCH_graphExit(b->graph);
        free(b->graph);
    }
    free(b->start);
    free(b->adjacent);
    free(b->weight);
    free(b->bytes);
}

/* A copy of the graph handle that carries the options: Scotch 7 keeps them in a context. */
static int in_context(SCOTCH_Graph *plain, int seed, SCOTCH_Context *context, SCOTCH_Graph *ret,
                      struct cc_err *err)
{
    if (SCOTCH_contextInit(context) != 0 ||
        SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
        SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1) != 0 ||
        SCOTCH_contextRandomClone(context) != 0)
        return cc_err_set(err, CC_EBUG, "scotch gives no context");
    SCOTCH_contextRandomSeed(context, seed);
    SCOTCH_contextRandomReset(context);
    if (SCOTCH_graphInit(ret) != 0 || SCOTCH_contextBindGraph(context, plain, ret) != 0)
        return cc_err_set(err, CC_EBUG, "scotch cannot bind the graph to a context");
    return 0;
}

int cc_scotch_split(const struct cc_csr *g, size_t parts, double imbalance, const int *fixed, int seed,
                    size_t *part, struct cc_err *err)
{
    struct bound_graph b;
    SCOTCH_Context context;
    SCOTCH_Graph graph;
    SCOTCH_Strat strat;
    SCOTCH_Num *out = cc_alloc_array(g->n, sizeof *out);
    bool any_fixed = false;
    for (size_t i = 0; i < g->n; i++) {
        out[i] = fixed[i];
        any_fixed = any_fixed || fixed[i] >= 0;
    }
    int rc = bind(&b, g, err);
    if (rc == 0)
        rc = in_context(b.graph, seed, &context, &graph, err);
    if (rc == 0) {
        SCOTCH_stratInit(&strat);
        int failed = SCOTCH_stratGraphMapBuild(&strat, SCOTCH_STRATQUALITY, (SCOTCH_Num)parts, imbalance);
        if (!failed)
            failed = any_fixed ? SCOTCH_graphPartFixed(&graph, (SCOTCH_Num)parts, &strat, out)
                               : SCOTCH_graphPart(&graph, (SCOTCH_Num)parts, &strat, out);
        if (failed)
            rc = cc_err_set(err, CC_EBUG, "scotch found no partition");
        SCOTCH_stratExit(&strat);
        SCOTCH_graphExit(&graph);
        SCOTCH_contextExit(&context);
    }
    unbind(&b);
    for (size_t i = 0; i < g->n && rc == 0; i++)
        part[i] = (size_t)out[i];
    free(out);
    return rc;
}

int cc_scotch_place(const struct cc_csr *g, const struct cc_csr *target, int seed, size_t *place,
                    struct cc_err *err)
{
    struct bound_graph b, t;
    SCOTCH_Context context;
    SCOTCH_Graph graph;
    SCOTCH_Arch arch;
    SCOTCH_Strat strat;
    SCOTCH_Num *out = cc_alloc_array(g->n, sizeof *out);
    int rc = bind(&b, g, err);
    int rc2 = bind(&t, target, err);
    rc = rc < 0 ? rc : rc2;
    if (rc == 0)
        rc = in_context(b.graph, seed, &context, &graph, err);
    if (rc == 0) {
        SCOTCH_randomSeed(seed); /* the decomposition of the target uses the global generator */
        SCOTCH_randomReset();
        SCOTCH_archInit(&arch);
        SCOTCH_stratInit(&strat);
        int failed = SCOTCH_archBuild(&arch, t.graph, 0, NULL, &strat);
        SCOTCH_stratExit(&strat);
        SCOTCH_stratInit(&strat);
        if (!failed)
            failed = SCOTCH_stratGraphMapBuild(&strat, SCOTCH_STRATQUALITY, (SCOTCH_Num)target->n, 0.01) ||
                     SCOTCH_graphMap(&graph, &arch, &strat, out);
        if (failed)
            rc = cc_err_set(err, CC_EBUG, "scotch found no placement");
        SCOTCH_stratExit(&strat);
        SCOTCH_archExit(&arch);
        SCOTCH_graphExit(&graph);
        SCOTCH_contextExit(&context);
    }
    unbind(&b);
    unbind(&t);
    for (size_t i = 0; i < g->n && rc == 0; i++)
        place[i] = (size_t)out[i];
    free(out);
    return rc;
}
