#include "offload.h"

#include <math.h>

/* --- what a kernel does --- */

static double ratio(double part, double whole)
{
    return whole > 0 ? fmin(1, part / whole) : 0;
}

static void add_counts(double *to, const struct cc_class_counts *c, double times)
{
    for (int k = 0; k < CC_CLASSES; k++)
        to[k] += times * (double)c->n[k];
}

/* Instructions of each class while a function was on the path; those of a context are its part of its
 * function's. */
static void counts_below(const struct cc_profile *p, const struct cc_classes *c, const bool *wanted,
                         double ret[CC_CLASSES])
{
    bool *inside = cc_alloc_array(p->ncontexts + 1, sizeof *inside);
    memset(ret, 0, CC_CLASSES * sizeof *ret);
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        inside[i] = wanted[x->function] || (x->parent != CC_NONE && inside[x->parent]);
        if (inside[i] && x->function < c->nfunctions)
            add_counts(ret, &c->functions[x->function],
                       ratio((double)x->exclusive, (double)p->functions[x->function].exclusive));
    }
    free(inside);
}

static bool is_at(const struct cc_source_function *f, const struct cc_ploop *l)
{
    return (f->test_line == l->line || f->line == l->line) && l->file &&
           cc_source_same_file(l->file, f->file);
}

/* A recording has the classes of functions only: a loop has its part of them, by its instructions. */
static void counts_of_loop(const struct cc_profile *p, const struct cc_classes *c,
                           const struct cc_source_function *f, double ret[CC_CLASSES])
{
    bool *wanted = cc_alloc_array(p->nfunctions + 1, sizeof *wanted);
    memset(ret, 0, CC_CLASSES * sizeof *ret);
    for (size_t l = 0; l < p->nloops; l++) {
        double all[CC_CLASSES];
        uint32_t function = p->loops[l].function;
        bool nested = p->loops[l].outer != CC_NONE && is_at(f, &p->loops[p->loops[l].outer]);
        if (!is_at(f, &p->loops[l]) || nested)
            continue;
        memset(wanted, 0, p->nfunctions * sizeof *wanted);
        wanted[function] = true;
        counts_below(p, c, wanted, all);
        double part = ratio((double)p->loops[l].instructions, (double)p->functions[function].inclusive);
        for (int k = 0; k < CC_CLASSES; k++)
            ret[k] += part * all[k];
    }
    free(wanted);
}

static void counts_of(const struct cc_profile *p, const struct cc_classes *c,
                      const struct cc_source_function *f, double ret[CC_CLASSES])
{
    if (f->of) {
        counts_of_loop(p, c, f, ret);
        return;
    }
    bool *wanted = cc_alloc_array(p->nfunctions + 1, sizeof *wanted);
    for (size_t i = 0; i < p->nfunctions; i++)
        wanted[i] = cc_area_same_function(p->functions[i].name, f->name);
    counts_below(p, c, wanted, ret);
    free(wanted);
}

/* What goes in and out of the kernel's places and all below them. */
static double bytes_of(const struct cc_cut_problem *cut, uint32_t kernel)
{
    bool *inside = cc_alloc_array(cut->nnodes + 1, sizeof *inside);
    double bytes = 0;
    for (size_t i = 1; i < cut->nnodes; i++)
        inside[i] = cut->nodes[i].kernel == kernel || inside[cut->nodes[i].parent];
    for (size_t i = 0; i < cut->nedges; i++)
        bytes += inside[cut->edges[i].from] != inside[cut->edges[i].to] ? cut->edges[i].bytes : 0;
    free(inside);
    return bytes;
}

static void begin(const struct cc_offload_request *rq, uint32_t k, struct cc_offload_kernel *ret)
{
    *ret = (struct cc_offload_kernel){.cores = 1,
                                      .calls = cc_cut_calls(rq->cut, UINT64_C(1) << k, k),
                                      .bytes = bytes_of(rq->cut, k),
                                      .low = NAN,
                                      .middle = NAN,
                                      .high = NAN};
    if (!(ret->calls > 0))
        ret->why = "it is only called from code that would go there with it";
}

/* --- on a unit --- */

/* Such units have nothing for code that runs alone. */
static bool needs_many(const struct cc_unit *u)
{
    return u->gpu || strcmp(u->kind, "vector") == 0;
}

static const char *refuses(const struct cc_offload_request *rq, const struct cc_unit *u, uint32_t k,
                           struct cc_arena *arena)
{
    if (!(u->clock_hz > 0))
        return cc_arena_printf(arena, "no figure: [unit.%s] has no clock_mhz", u->name);
    if (needs_many(u) && !rq->free[k])
        return rq->in->kernels[k].f->of
                   ? "its iterations are not seen to be independent: it would run on one lane"
                   : "only its loops could use the lanes: they are looked at one by one";
    return NULL;
}

void cc_offload_unit(const struct cc_offload_request *rq, const struct cc_classes *classes,
                     const struct cc_unit *unit, struct cc_offload_kernel *ret, struct cc_arena *arena)
{
    for (uint32_t k = 0; k < rq->in->nkernels; k++) {
        struct cc_offload_kernel *to = &ret[k];
        struct cc_kernel kernel = {.name = rq->in->kernels[k].f->name,
                                   .parallel = rq->free[k] && rq->combines[k] ? CC_P2 : CC_P0,
                                   .iterations = 1,
                                   .inner = 1};
        struct cc_kernel_time time;
        struct cc_err why = {0};
        begin(rq, k, to);
        if (!to->why)
            to->why = refuses(rq, unit, k, arena);
        if (to->why)
            continue;
        to->cores = rq->free[k] ? unit->cores : 1;
        counts_of(rq->p, classes, rq->in->kernels[k].f, kernel.n);
        double rows = rq->free[k] ? fmax(1, round(rq->trips[k])) : 1; /* of a call, shared out by cores */
        for (int c = 0; c < CC_CLASSES; c++)
            kernel.n[c] /= to->calls * rows;
        kernel.bytes = to->bytes / (to->calls * rows);
        if (cc_kernel_interval(&kernel, unit, to->cores, 1, rows, &time, &why) < 0) {
            to->why = cc_arena_printf(arena, "no figure for it: %s", why.msg);
            continue;
        }
        to->low = rows * time.time.low / unit->clock_hz;
        to->high = rows * time.time.high / unit->clock_hz;
        to->middle = (to->low + to->high) / 2;
    }
}

/* --- as logic --- */

void cc_offload_logic(const struct cc_offload_request *rq, size_t cycles, double second,
                      struct cc_offload_kernel *ret, struct cc_arena *arena)
{
    for (uint32_t k = 0; k < rq->in->nkernels; k++) {
        const struct cc_cut_kernel *from = &rq->in->kernels[k];
        struct cc_offload_kernel *to = &ret[k];
        begin(rq, k, to);
        if (to->why)
            continue;
        if (from->f->untold)
            to->why = cc_arena_printf(
                arena, "no figure for it: how often %u of its loops go round is not known", from->f->untold);
        else if (!cc_cut_fits(rq->cut, UINT64_C(1) << k))
            to->why = "it does not fit: larger than the budget";
        if (to->why)
            continue;
        to->low = from->measure[cycles].low * second;
        to->middle = from->measure[cycles].value * second;
        to->high = from->measure[cycles].high * second;
    }
}

/* --- who is inside whom --- */

static bool same_function(const struct cc_source_function *a, const struct cc_source_function *b)
{
    return strcmp(a->of ? a->of : a->usr, b->of ? b->of : b->usr) == 0;
}

bool cc_offload_holds(const struct cc_sources *s, const struct cc_source_function *outer,
                      const struct cc_source_function *inner)
{
    const struct cc_source_function *all = s->functions.v;
    if (outer == inner)
        return true;
    if (same_function(outer, inner))
        return !outer->of ||
               (inner->of && outer->line <= inner->line && inner->last_line <= outer->last_line);
    for (size_t i = 0; i < outer->ntree; i++)
        if (&all[outer->tree[i]] != outer && same_function(&all[outer->tree[i]], inner))
            return true;
    return false;
}
