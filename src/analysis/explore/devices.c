#include "devices.h"
#include "mixed.h"
#include "../../base/text.h"
#include "../../platform/link.h"

#include <math.h>

struct finder {
    const struct cc_explore_request *rq;
    struct cc_explore_result *r;
};

static bool is_logic(const struct cc_unit *u)
{
    return strcmp(u->kind, "fpga") == 0;
}

/* The cores that plans are for: unit cpu, or the first of the platform's own clock. */
static const struct cc_unit *find_cpu(const struct cc_devices *d, const struct cc_platform *p)
{
    double hz = 1e6 * cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    for (size_t i = 0; i < d->nunits; i++)
        if (strcmp(d->units[i].name, "cpu") == 0)
            return &d->units[i];
    for (size_t i = 0; i < d->nunits; i++)
        if (strcmp(d->units[i].kind, "cpu") == 0 && d->units[i].clock_hz == hz)
            return &d->units[i];
    return NULL;
}

/* --- kernels --- */

static bool is_at(const struct cc_source_function *f, const struct cc_loop *l)
{
    return f->of && l->file && (f->line == l->line || f->test_line == l->line) &&
           cc_source_same_file(l->file, f->file);
}

/* Of loops in one line the outermost. */
static uint32_t loop_of(const struct finder *x, const struct cc_source_function *f)
{
    for (uint32_t i = 0; i < x->rq->loops->v.n; i++)
        if (!x->rq->inputs[i].group && is_at(f, &x->rq->loops->v.v[i]))
            return i;
    return CC_NONE;
}

static const struct cc_source_function *source_of(const struct cc_devices *d, const struct cc_loop *l)
{
    for (size_t i = 0; i < d->sources->functions.n; i++)
        if (is_at(&d->sources->functions.v[i], l))
            return &d->sources->functions.v[i];
    return NULL;
}

/* What is not found in the source stays beside nothing. */
static void find_apart(const struct finder *x, struct cc_devices *d)
{
    for (uint32_t i = 0; i < x->rq->loops->v.n; i++) {
        const struct cc_source_function *l = d->written[i] =
            x->rq->inputs[i].group ? NULL : source_of(d, &x->rq->loops->v.v[i]);
        for (size_t k = 0; k < d->in->nkernels; k++) {
            const struct cc_source_function *f = d->in->kernels[k].f;
            if (!l || cc_offload_holds(d->sources, l, f) || cc_offload_holds(d->sources, f, l))
                d->apart[i] |= UINT64_C(1) << k;
        }
    }
}

static unsigned lines_of(const struct cc_devices *d, const struct cc_source_function *f)
{
    unsigned lines = 0;
    for (size_t i = 0; i < f->ntree; i++) {
        const struct cc_source_function *g = &d->sources->functions.v[f->tree[i]];
        lines += g->last_line >= g->line ? g->last_line - g->line + 1 : 1;
    }
    return CC_MAX(lines, 1u);
}

static int build_input(const struct finder *x, struct cc_devices *d, struct cc_err *err)
{
    static const struct cc_area_model none;
    double second = x->r->second, ticks = x->r->sequential;
    struct cc_cut_request rq = {.profile = x->rq->p,
                                .model = d->model ? d->model : &none,
                                .sources = d->sources,
                                .confidence = 0.9,
                                .most = CC_MIXED_KERNELS,
                                .clock_hz = 1};
    int rc = cc_cut_input_build(&rq, &d->in, err);
    if (rc < 0)
        return rc;
    /* an instruction takes as long as it does in the sequential run, on average */
    for (size_t i = 0; i < d->in->nnodes; i++)
        d->in->nodes[i].time *= ticks * second / d->in->seconds;
    d->in->seconds = ticks * second;
    d->loop = cc_arena_alloc(&x->r->arena, (d->in->nkernels + 1) * sizeof *d->loop);
    d->effort = cc_arena_alloc(&x->r->arena, (d->in->nkernels + 1) * sizeof *d->effort);
    d->written = cc_arena_alloc(&x->r->arena, (x->rq->loops->v.n + 1) * sizeof *d->written);
    d->apart = cc_arena_alloc(&x->r->arena, (x->rq->loops->v.n + 1) * sizeof *d->apart);
    for (size_t k = 0; k < d->in->nkernels; k++) {
        d->loop[k] = d->in->kernels[k].f->of ? loop_of(x, d->in->kernels[k].f) : CC_NONE;
        d->effort[k] = lines_of(d, d->in->kernels[k].f);
    }
    find_apart(x, d);
    if (!d->in->nkernels)
        d->why = "no function or loop of the program can run by itself elsewhere";
    return 0;
}

/* --- logic --- */

static int set_budget(struct cc_devices *d, const struct cc_device_budget *b, struct cc_err *err)
{
    for (size_t m = 0; m < d->nmeasures; m++) {
        const char *name = d->model->measures[d->measure[m]].name;
        double capacity = cc_area_device_capacity(d->part, name);
        if (strcmp(name, b->measure) != 0)
            continue;
        if (b->percent && isnan(capacity))
            return cc_err_set(err, CC_EUSAGE, "--budget %s: %s does not say how many it has", b->text,
                              d->part->name);
        d->budget[m] = b->percent ? b->amount / 100 * capacity : b->amount;
        return 0;
    }
    int rc = cc_err_set(err, CC_EUSAGE, "--budget %s: no such measure", b->text);
    cc_err_hint(err, "lines, cores, area, or of logic: lut, ff, dsp, bram");
    return rc;
}

static int set_measures(const struct finder *x, struct cc_devices *d, struct cc_err *err)
{
    size_t n = d->model->nmeasures, kernels = d->in->nkernels;
    int rc = 0;
    d->measure = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *d->measure);
    d->budget = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *d->budget);
    for (size_t m = 0; m < n; m++)
        if (cc_area_is_additive(&d->model->measures[m]))
            d->measure[d->nmeasures++] = m;
    d->area = cc_arena_alloc(&x->r->arena, (kernels * d->nmeasures + 1) * sizeof *d->area);
    for (size_t m = 0; m < d->nmeasures; m++) {
        double capacity = cc_area_device_capacity(d->part, d->model->measures[d->measure[m]].name);
        d->budget[m] = isnan(capacity) ? INFINITY : capacity;
        for (size_t k = 0; k < kernels; k++)
            d->area[k * d->nmeasures + m] = d->in->kernels[k].measure[d->measure[m]].value;
    }
    for (size_t i = 0; rc == 0 && i < d->nbudgets; i++)
        rc = set_budget(d, &d->budgets[i], err);
    return rc;
}

/* --- units --- */

static const char *charge_link(const struct finder *x, const struct cc_devices *d, const struct cc_unit *u,
                               struct cc_cut_problem *ret)
{
    const double many = 1e6;
    struct cc_link link;
    struct cc_err why = {0};
    if (cc_link_load(x->rq->platform, d->cpu->name, u->name, &x->r->arena, &link, &why) < 0)
        return cc_arena_strdup(&x->r->arena, why.msg);
    if (!link.present)
        return cc_arena_printf(&x->r->arena, "no figure: the platform has no [link.%s.%s]", d->cpu->name,
                               u->name);
    double once = cc_link_seconds(&link, 0);
    ret->call_seconds = 2 * once; /* there and back */
    ret->byte_seconds = (cc_link_seconds(&link, many) - once) / many;
    return NULL;
}

static void make_cut(const struct cc_devices *d, struct cc_device *v)
{
    v->cut = (struct cc_cut_problem){.nkernels = d->in->nkernels,
                                     .nodes = d->in->nodes,
                                     .nnodes = d->in->nnodes,
                                     .edges = d->in->edges,
                                     .nedges = d->in->nedges,
                                     .gain = INFINITY};
    if (!v->logic)
        return;
    v->cut.nmeasures = d->nmeasures;
    v->cut.area = d->area;
    v->cut.budget = d->budget;
}

static void time_kernels(const struct finder *x, const struct cc_devices *d, struct cc_device *v)
{
    size_t n = d->in->nkernels;
    bool *free = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *free);
    bool *combines = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *combines);
    double *trips = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *trips);
    for (size_t k = 0; k < n; k++) {
        uint32_t l = d->loop[k];
        free[k] = l != CC_NONE &&
                  (x->rq->loops->v.v[l].verdict <= CC_VERDICT_REDUCTION || x->rq->inputs[l].assumed);
        combines[k] = free[k] && x->rq->loops->v.v[l].reductions.n;
        if (free[k])
            trips[k] = (double)x->rq->loops->v.v[l].iterations /
                       (double)CC_MAX(x->rq->loops->v.v[l].invocations, 1u);
    }
    struct cc_offload_request rq = {x->rq->p, d->in, &v->cut, free, combines, trips};
    v->kernels = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *v->kernels);
    v->seconds = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *v->seconds);
    if (v->logic)
        cc_offload_logic(&rq, d->cycles, d->cycle, v->kernels, &x->r->arena);
    else
        cc_offload_unit(&rq, d->classes, v->unit, v->kernels, &x->r->arena);
    for (size_t k = 0; k < n; k++) {
        const char *why = d->unwanted ? d->unwanted(d->data, d->in->kernels[k].f) : NULL;
        if (why)
            v->kernels[k].why = why;
        v->seconds[k] = v->kernels[k].why ? 0 : v->kernels[k].middle;
        v->able |= v->kernels[k].why ? 0 : UINT64_C(1) << k;
    }
    v->cut.kernel_seconds = v->seconds;
}

static void add_device(const struct finder *x, struct cc_devices *d, const struct cc_unit *u)
{
    struct cc_device *v = &d->v[d->n++];
    *v = (struct cc_device){.unit = u, .logic = is_logic(u)};
    make_cut(d, v);
    v->why = v->logic && d->no_logic ? d->no_logic : charge_link(x, d, u, &v->cut);
    if (!v->why && v->logic && (d->cycles == SIZE_MAX || !(d->cycle > 0)))
        v->why = "no figure: the model of logic does not tell cycles or their clock";
    if (!v->why && !v->logic && !d->classes)
        v->why = "no figure: the classes of its instructions are not known";
    if (!v->why)
        time_kernels(x, d, v);
}

int cc_devices_build(const struct cc_explore_request *rq, struct cc_explore_result *r, struct cc_devices *d,
                     struct cc_err *err)
{
    struct finder x = {rq, r};
    for (size_t i = 0; d->model && d->model->metric_set < CC_METRIC_SET && i < d->sources->functions.n; i++)
        cc_metrics_as_set(d->sources->functions.v[i].m, d->model->metric_set);
    d->cycles = SIZE_MAX;
    for (size_t m = 0; d->model && m < d->model->nmeasures; m++)
        if (strcmp(d->model->measures[m].name, "cycles") == 0)
            d->cycles = m;
    double own = d->logic && d->logic->clock_hz > 0 ? 1 / d->logic->clock_hz : 0;
    d->cycle = d->model && d->part ? fmax(own, 1e-9 * d->model->clock_ns) : 0;
    int rc = build_input(&x, d, err);
    if (rc == 0 && d->model && d->part)
        rc = set_measures(&x, d, err);
    if (rc < 0 || d->why)
        return rc;
    struct cc_err ignored = {0};
    if (cc_classes_build(rq->p, &d->classes, &ignored) < 0)
        d->classes = NULL;
    d->v = cc_arena_alloc(&r->arena, d->nunits * sizeof *d->v);
    for (size_t i = 0; i < d->nunits; i++)
        if (&d->units[i] != d->cpu)
            add_device(&x, d, &d->units[i]);
    return 0;
}

int cc_devices_open(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                    struct cc_devices *d, struct cc_err *err)
{
    int rc = cc_units_load(rq->platform, &d->units, &d->nunits, err);
    if (rc < 0)
        return rc;
    d->cpu = find_cpu(d, rq->platform);
    for (size_t i = 0; i < d->nunits && !d->logic; i++)
        d->logic = is_logic(&d->units[i]) ? &d->units[i] : NULL;
    if (!d->cpu)
        d->why = "the platform does not tell which unit its cores are (unit.cpu, or one of its clock)";
    else if (r->second <= 0)
        d->why = "the platform does not tell its clock (clock_mhz)";
    else if (rq->p->nthreads > 1)
        d->why = "the program has threads of its own";
    return 0;
}

void cc_devices_fini(struct cc_devices *d)
{
    cc_sources_free(d->sources);
    cc_cut_input_free(d->in);
    cc_classes_free(d->classes);
    cc_area_model_free(d->model);
    cc_area_device_free(d->part);
    free(d->units);
}
