/* A kernel's hardware holds what it calls: the metrics of a function and of all it reaches, each once. */
#include "metrics.h"
#include "../../base/map.h"

#include <math.h>

/* More functions than any kernel calls; what is beyond is not looked at, and the function said to be unfit.
 */
enum { MOST_FUNCTIONS = 4096 };

struct reach {
    struct cc_sources *s;
    struct cc_strmap by_usr; /* -> 1 + index */
    uint32_t *seen;          /* 1 + the function whose tree it was last put into */
    uint32_t *list;          /* the tree */
    size_t n;
    bool cut;
};

static void reach_from(struct reach *r, uint32_t root)
{
    r->n = 0;
    r->cut = false;
    r->list[r->n++] = root;
    r->seen[root] = root + 1;
    for (size_t at = 0; at < r->n; at++) {
        const struct cc_source_function *f = &r->s->functions.v[r->list[at]];
        for (size_t i = 0; i < f->ncalls; i++) {
            const uint64_t *callee = cc_strmap_get(&r->by_usr, f->calls[i].usr);
            if (!callee || r->seen[*callee - 1] == root + 1)
                continue;
            if (r->n == MOST_FUNCTIONS) {
                r->cut = true;
                return;
            }
            r->seen[*callee - 1] = root + 1;
            r->list[r->n++] = (uint32_t)*callee - 1;
        }
    }
}

static void reach_init(struct reach *r, struct cc_sources *s)
{
    *r = (struct reach){.s = s};
    r->seen = cc_alloc_array(s->functions.n + 1, sizeof *r->seen);
    r->list = cc_alloc_array(CC_MIN(s->functions.n, (size_t)MOST_FUNCTIONS) + 1, sizeof *r->list);
    for (size_t v = 0; v < s->functions.n; v++)
        *cc_strmap_put(&r->by_usr, s->functions.v[v].usr, NULL) = v + 1;
}

static void reach_fini(struct reach *r)
{
    free(r->seen);
    free(r->list);
    cc_strmap_fini(&r->by_usr);
}

void cc_sources_count_trees(struct cc_sources *s)
{
    struct reach r;
    reach_init(&r, s);
    for (size_t v = 0; v < s->functions.n; v++) {
        reach_from(&r, (uint32_t)v);
        s->functions.v[v].m[CC_M_tree_functions] = (double)r.n;
    }
    reach_fini(&r);
}

/* --- joining --- */

enum how { SUM, LARGEST, OF_TOP };

/* What is largest somewhere in the tree, and what is seen from outside; the rest adds up. */
static enum how joined(enum cc_metric m)
{
    switch ((int)m) {
    case CC_M_loop_depth:
    case CC_M_nesting:
    case CC_M_live_max:
    case CC_M_critical_path:
    case CC_M_critical_latency:
    case CC_M_memory_ports:
    case CC_M_region_accesses:
    case CC_M_unique_operators:
    case CC_M_dataflow_distance_mean:
    case CC_M_parallelism:
    case CC_M_npath:
    case CC_M_essential:
        return LARGEST;
    case CC_M_parameters:
    case CC_M_parameter_bits:
    case CC_M_pointer_parameters:
    case CC_M_array_parameters:
    case CC_M_array_parameter_bits:
    case CC_M_fan_in:
    case CC_M_fan_out:
    case CC_M_information_flow:
    case CC_M_returns:
    case CC_M_tree_functions:
    case CC_M_tree_instances:
    case CC_M_inlined_operations:
        return OF_TOP;
    default:
        return SUM;
    }
}

static void join(const struct reach *r, double m[CC_METRIC_COUNT])
{
    for (size_t i = 1; i < r->n; i++) {
        const struct cc_source_function *f = &r->s->functions.v[r->list[i]];
        for (int k = 0; k < CC_METRIC_COUNT; k++) {
            enum how how = joined((enum cc_metric)k);
            if (how == SUM)
                m[k] += f->m[k];
            else if (how == LARGEST)
                m[k] = fmax(m[k], f->m[k]);
        }
    }
}

/* A kernel that calls what cannot be hardware cannot be either. */
static void inherit_reasons(const struct reach *r, struct cc_source_function *f)
{
    size_t n = f->nunfit + 1;
    for (size_t i = 1; i < r->n; i++)
        n += r->s->functions.v[r->list[i]].nunfit;
    struct cc_unfit_reason *all = cc_arena_alloc(&r->s->arena, n * sizeof *all);
    memcpy(all, f->unfit, f->nunfit * sizeof *all);
    size_t have = f->nunfit;
    for (size_t i = 1; i < r->n; i++) {
        const struct cc_source_function *callee = &r->s->functions.v[r->list[i]];
        for (size_t k = 0; k < callee->nown_unfit; k++) {
            CC_CLEANUP(cc_free_ptr)
            char *detail = cc_asprintf("in %s%s%s", callee->name, *callee->unfit[k].detail ? ": " : "",
                                       callee->unfit[k].detail);
            all[have] = callee->unfit[k];
            all[have++].detail = cc_arena_strdup(&r->s->arena, detail);
        }
    }
    if (r->cut)
        all[have++] = (struct cc_unfit_reason){CC_UNFIT_EXTERNAL, f->line, "calls too many functions"};
    f->unfit = all;
    f->nunfit = have;
}

void cc_sources_join_trees(struct cc_sources *s)
{
    struct reach r;
    size_t n = s->functions.n;
    double(*m)[CC_METRIC_COUNT] = cc_alloc_array(n + 1, sizeof *m);
    unsigned *untold = cc_alloc_array(n + 1, sizeof *untold);
    reach_init(&r, s);
    for (size_t v = 0; v < n; v++)
        s->functions.v[v].nown_unfit = s->functions.v[v].nunfit;
    for (size_t v = 0; v < n; v++) {
        struct cc_source_function *f = &s->functions.v[v];
        reach_from(&r, (uint32_t)v);
        memcpy(m[v], f->m, sizeof f->m);
        join(&r, m[v]);
        for (size_t i = 0; i < r.n; i++)
            untold[v] += s->functions.v[r.list[i]].untold;
        cc_metrics_derive(m[v]);
        f->ntree = r.n;
        f->tree = cc_arena_alloc(&s->arena, r.n * sizeof *f->tree);
        memcpy(f->tree, r.list, r.n * sizeof *f->tree);
        inherit_reasons(&r, f);
    }
    for (size_t v = 0; v < n; v++) {
        memcpy(s->functions.v[v].m, m[v], sizeof m[v]);
        s->functions.v[v].untold = untold[v];
    }
    free(m);
    free(untold);
    reach_fini(&r);
}

void cc_metrics_as_set(double m[CC_METRIC_COUNT], int set)
{
    if (set >= 2)
        return;
    /* set 1 took array parameters for what they point to */
    m[CC_M_pointer_parameters] -= m[CC_M_array_parameters];
    m[CC_M_parameter_bits] += m[CC_M_array_parameter_bits] - 64 * m[CC_M_array_parameters];
}

/* Text and operations of a body that stands n times; how often each runs falls as much, so that what is
 * weighted by trips stays. */
static bool grows(enum cc_metric m)
{
    return (m >= CC_M_statements && m <= CC_M_operands) || m == CC_M_halstead_length ||
           m == CC_M_def_use_pairs || m == CC_M_dataflow_distance || m == CC_M_oviedo ||
           (m >= CC_M_add_8 && m <= CC_M_operations) || m == CC_M_operation_bits ||
           m == CC_M_unrolled_operations || m == CC_M_inlined_operations || m == CC_M_loads ||
           m == CC_M_stores || m == CC_M_memory_ports || m == CC_M_region_accesses || m == CC_M_parallelism;
}

/* Ports of a memory that are used at once. */
enum { PORTS = 2 };

void cc_metrics_pipeline(double m[CC_METRIC_COUNT])
{
    if (m[CC_M_loops] == 0)
        return;
    double interval = fmax(1, ceil(m[CC_M_memory_ports] / PORTS));
    double work = m[CC_M_parallelism] * m[CC_M_critical_path];
    m[CC_M_critical_latency] = fmin(m[CC_M_critical_latency], interval);
    m[CC_M_critical_path] = fmin(m[CC_M_critical_path], interval);
    if (m[CC_M_critical_path] > 0)
        m[CC_M_parallelism] = work / m[CC_M_critical_path];
}

void cc_metrics_unroll(double m[CC_METRIC_COUNT], double n)
{
    if (m[CC_M_loops] == 0)
        return;
    for (int k = 0; k < CC_METRIC_COUNT; k++)
        if (grows((enum cc_metric)k))
            m[k] *= n;
    if (m[CC_M_halstead_vocabulary] > 0)
        m[CC_M_halstead_volume] = m[CC_M_halstead_length] * log2(m[CC_M_halstead_vocabulary]);
    m[CC_M_halstead_effort] = m[CC_M_halstead_difficulty] * m[CC_M_halstead_volume];
    cc_metrics_derive(m);
}
