#include "devices.h"
#include "../loop_sources.h"
#include "../source_child.h"
#include "../area/area.h"
#include "../report/source.h"
#include "../../analysis/area/recorded.h"
#include "../../analysis/explore/mixed.h"
#include "../../base/text.h"
#include "../../platform/link.h"

#include <math.h>

static const char usual_model[] = "vitis-hls-u280", usual_part[] = "u280";

static bool is_logic(const struct cc_unit *u)
{
    return strcmp(u->kind, "fpga") == 0;
}

bool cc_explore_has_logic(const struct cc_platform *p)
{
    const char *const *names;
    bool found = false;
    for (size_t n = cc_platform_list(p, "unit", &names), i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", names[i]);
        found = found || strcmp(cc_platform_str_or(p, section, CC_STR_UNIT_KIND, "cpu"), "fpga") == 0;
    }
    return found;
}

/* The cores that plans are for: unit cpu, or the first of the platform's own clock. */
static const struct cc_unit *find_cpu(const struct devices *d, const struct cc_platform *p)
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

/* --- the source --- */

static bool *wanted_files(const struct cc_profile *p)
{
    bool *want = cc_alloc_array(p->nfiles + 1, sizeof *want);
    for (size_t f = 0; f < p->nfunctions; f++)
        for (size_t k = 0; k < p->nfiles; k++)
            want[k] = want[k] || (p->functions[f].file && !p->functions[f].library &&
                                  strcmp(p->functions[f].file, p->files[k].path) == 0 &&
                                  !cc_explore_is_system(p->functions[f].file));
    return want;
}

static int measure(struct exploration *x, struct devices *d, struct cc_err *err)
{
    struct cc_strs files = {0}, given = {0}, flags = {0};
    struct cc_source_options options = {.flags = &flags, .loops = true};
    CC_CLEANUP(cc_free_ptr) bool *want = wanted_files(x->p);
    for (size_t i = 0; i < x->p->nfiles; i++) {
        struct cc_source text = {0};
        if (!want[i])
            continue;
        cc_source_read(&text, &x->p->files[i], x->o->source);
        const char *path = text.path && !text.changed ? cc_arena_strdup(&x->arena, text.path) : NULL;
        if (path)
            CC_VEC_PUSH(&files, path);
        cc_source_fini(&text);
    }
    cc_explore_words(x->o->cflags, &x->arena, &given);
    cc_loop_flags(x->p, &given, &x->arena, &flags);
    cc_area_recorded_trips(x->p, &x->arena, &options.trips);
    int rc = files.n ? cc_area_measure(&files, &options, &d->sources, err) : 0;
    if (d->sources)
        cc_sources_join_trees(d->sources);
    if (rc == 0 && (!d->sources || !d->sources->functions.n))
        d->why = "the program's source was not found, was changed since the recording, or cannot be read";
    cc_strs_fini(&files);
    cc_strs_fini(&given);
    cc_strs_fini(&flags);
    return rc;
}

/* --- kernels --- */

static bool is_at(const struct cc_source_function *f, const struct cc_loop *l)
{
    return f->of && l->file && (f->line == l->line || f->test_line == l->line) &&
           cc_source_same_file(l->file, f->file);
}

/* Of loops in one line the outermost. */
static uint32_t loop_of(const struct exploration *x, const struct cc_source_function *f)
{
    for (uint32_t i = 0; i < x->loops->v.n; i++)
        if (!cc_explore_calls_of(x, i) && is_at(f, &x->loops->v.v[i]))
            return i;
    return CC_NONE;
}

static const struct cc_source_function *source_of(const struct devices *d, const struct cc_loop *l)
{
    for (size_t i = 0; i < d->sources->functions.n; i++)
        if (is_at(&d->sources->functions.v[i], l))
            return &d->sources->functions.v[i];
    return NULL;
}

/* What is not found in the source stays beside nothing. */
static void find_apart(struct exploration *x, struct devices *d)
{
    for (uint32_t i = 0; i < x->loops->v.n; i++) {
        const struct cc_source_function *l = d->written[i] =
            cc_explore_calls_of(x, i) ? NULL : source_of(d, &x->loops->v.v[i]);
        for (size_t k = 0; k < d->in->nkernels; k++) {
            const struct cc_source_function *f = d->in->kernels[k].f;
            if (!l || cc_offload_holds(d->sources, l, f) || cc_offload_holds(d->sources, f, l))
                d->apart[i] |= UINT64_C(1) << k;
        }
    }
}

static unsigned lines_of(const struct devices *d, const struct cc_source_function *f)
{
    unsigned lines = 0;
    for (size_t i = 0; i < f->ntree; i++) {
        const struct cc_source_function *g = &d->sources->functions.v[f->tree[i]];
        lines += g->last_line >= g->line ? g->last_line - g->line + 1 : 1;
    }
    return CC_MAX(lines, 1u);
}

static int build_input(struct exploration *x, struct devices *d, struct cc_err *err)
{
    static const struct cc_area_model none;
    double second = x->r.second, ticks = x->r.sequential;
    struct cc_cut_request rq = {.profile = x->p,
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
    d->loop = cc_arena_alloc(&x->arena, (d->in->nkernels + 1) * sizeof *d->loop);
    d->effort = cc_arena_alloc(&x->arena, (d->in->nkernels + 1) * sizeof *d->effort);
    d->written = cc_arena_alloc(&x->arena, (x->loops->v.n + 1) * sizeof *d->written);
    d->apart = cc_arena_alloc(&x->arena, (x->loops->v.n + 1) * sizeof *d->apart);
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

static int load_logic(struct exploration *x, struct devices *d, const struct cc_unit *u, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", u->name);
    const char *name = cc_platform_str_or(x->platform, section, CC_STR_UNIT_DEVICE, usual_part);
    CC_CLEANUP(cc_free_ptr) char *part = cc_area_shipped(name, ".ini");
    CC_CLEANUP(cc_free_ptr) char *model = cc_area_shipped(usual_model, ".model");
    int rc = cc_area_model_load(model, &d->model, err);
    if (rc < 0)
        d->model = NULL;
    if (rc == 0)
        rc = cc_area_device_load(part, &d->part, err);
    if (rc < 0)
        d->part = NULL;
    d->cycles = SIZE_MAX;
    for (size_t m = 0; rc == 0 && m < d->model->nmeasures; m++)
        if (strcmp(d->model->measures[m].name, "cycles") == 0)
            d->cycles = m;
    double own = u->clock_hz > 0 ? 1 / u->clock_hz : 0;
    d->cycle = rc == 0 ? fmax(own, 1e-9 * d->model->clock_ns) : 0;
    if (rc == 0 || x->logic.n || x->o->objective == CC_EXPLORE_AREA)
        return rc;
    d->no_logic = cc_arena_printf(&x->arena, "no figure: %s", err->msg); /* nobody asked for it */
    *err = (struct cc_err){0};
    return 0;
}

/* "lut=50%" or "lut=50000" */
static int set_budget(struct devices *d, const char *item, struct cc_err *err)
{
    const char *eq = strchr(item, '=');
    size_t size = strlen(eq + 1);
    bool percent = size && eq[size] == '%';
    CC_CLEANUP(cc_free_ptr) char *value = cc_strndup(eq + 1, size - percent);
    double v;
    if (!cc_parse_f64(value, &v) || !(v >= 0))
        return cc_err_set(err, CC_EUSAGE, "--budget %s: expected MEASURE=AMOUNT or MEASURE=PERCENT%%", item);
    for (size_t m = 0; m < d->nmeasures; m++) {
        const char *name = d->model->measures[d->measure[m]].name;
        double capacity = cc_area_device_capacity(d->part, name);
        if (strlen(name) != (size_t)(eq - item) || strncmp(name, item, strlen(name)) != 0)
            continue;
        if (percent && isnan(capacity))
            return cc_err_set(err, CC_EUSAGE, "--budget %s: %s does not say how many it has", item,
                              d->part->name);
        d->budget[m] = percent ? v / 100 * capacity : v;
        return 0;
    }
    int rc = cc_err_set(err, CC_EUSAGE, "--budget %s: no such measure", item);
    cc_err_hint(err, "lines, cores, area, or of logic: lut, ff, dsp, bram");
    return rc;
}

static int set_measures(struct exploration *x, struct devices *d, struct cc_err *err)
{
    size_t n = d->model->nmeasures, kernels = d->in->nkernels;
    int rc = 0;
    d->measure = cc_arena_alloc(&x->arena, (n + 1) * sizeof *d->measure);
    d->budget = cc_arena_alloc(&x->arena, (n + 1) * sizeof *d->budget);
    for (size_t m = 0; m < n; m++)
        if (cc_area_is_additive(&d->model->measures[m]))
            d->measure[d->nmeasures++] = m;
    d->area = cc_arena_alloc(&x->arena, (kernels * d->nmeasures + 1) * sizeof *d->area);
    for (size_t m = 0; m < d->nmeasures; m++) {
        double capacity = cc_area_device_capacity(d->part, d->model->measures[d->measure[m]].name);
        d->budget[m] = isnan(capacity) ? INFINITY : capacity;
        for (size_t k = 0; k < kernels; k++)
            d->area[k * d->nmeasures + m] = d->in->kernels[k].measure[d->measure[m]].value;
    }
    for (size_t i = 0; rc == 0 && i < x->logic.n; i++)
        rc = set_budget(d, x->logic.v[i], err);
    return rc;
}

/* --- units --- */

static const char *charge_link(struct exploration *x, const struct devices *d, const struct cc_unit *u,
                               struct cc_cut_problem *ret)
{
    const double many = 1e6;
    struct cc_link link;
    struct cc_err why = {0};
    if (cc_link_load(x->platform, d->cpu->name, u->name, &x->arena, &link, &why) < 0)
        return cc_arena_strdup(&x->arena, why.msg);
    if (!link.present)
        return cc_arena_printf(&x->arena, "no figure: the platform has no [link.%s.%s]", d->cpu->name,
                               u->name);
    double once = cc_link_seconds(&link, 0);
    ret->call_seconds = 2 * once; /* there and back */
    ret->byte_seconds = (cc_link_seconds(&link, many) - once) / many;
    return NULL;
}

static void make_cut(const struct devices *d, struct device *v)
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

/* A loop is known by its place, a function by its name, both by their file. */
static const char *left_out(struct exploration *x, const struct cc_source_function *f)
{
    const char *colon = f->of ? strrchr(f->name, ':') : NULL;
    size_t size = colon ? (size_t)(colon - f->name) : strlen(f->name);
    struct cc_loop l = {.id = f->of ? cc_arena_printf(&x->arena, "%s:%u", cc_text_base(f->file), f->line)
                                    : f->name,
                        .function = cc_arena_strndup(&x->arena, f->name, size),
                        .file = f->file};
    return cc_explore_left_out(x, &l);
}

static void time_kernels(struct exploration *x, const struct devices *d, struct device *v)
{
    size_t n = d->in->nkernels;
    bool *free = cc_arena_alloc(&x->arena, (n + 1) * sizeof *free);
    bool *combines = cc_arena_alloc(&x->arena, (n + 1) * sizeof *combines);
    double *trips = cc_arena_alloc(&x->arena, (n + 1) * sizeof *trips);
    for (size_t k = 0; k < n; k++) {
        uint32_t l = d->loop[k];
        free[k] = l != CC_NONE && (x->loops->v.v[l].verdict <= CC_VERDICT_REDUCTION || x->places[l].assumed);
        combines[k] = free[k] && x->loops->v.v[l].reductions.n;
        if (free[k])
            trips[k] = (double)x->loops->v.v[l].iterations / (double)CC_MAX(x->loops->v.v[l].invocations, 1u);
    }
    struct cc_offload_request rq = {x->p, d->in, &v->cut, free, combines, trips};
    v->kernels = cc_arena_alloc(&x->arena, (n + 1) * sizeof *v->kernels);
    v->seconds = cc_arena_alloc(&x->arena, (n + 1) * sizeof *v->seconds);
    if (v->logic)
        cc_offload_logic(&rq, d->cycles, d->cycle, v->kernels, &x->arena);
    else
        cc_offload_unit(&rq, d->classes, v->unit, v->kernels, &x->arena);
    for (size_t k = 0; k < n; k++) {
        const char *why = left_out(x, d->in->kernels[k].f);
        if (why)
            v->kernels[k].why = why;
        v->seconds[k] = v->kernels[k].why ? 0 : v->kernels[k].middle;
        v->able |= v->kernels[k].why ? 0 : UINT64_C(1) << k;
    }
    v->cut.kernel_seconds = v->seconds;
}

static void add_device(struct exploration *x, struct devices *d, const struct cc_unit *u)
{
    struct device *v = &d->v[d->n++];
    *v = (struct device){.unit = u, .logic = is_logic(u)};
    make_cut(d, v);
    v->why = v->logic && d->no_logic ? d->no_logic : charge_link(x, d, u, &v->cut);
    if (!v->why && v->logic && (d->cycles == SIZE_MAX || !(d->cycle > 0)))
        v->why = "no figure: the model of logic does not tell cycles or their clock";
    if (!v->why && !v->logic && !d->classes)
        v->why = "no figure: the classes of its instructions are not known";
    if (!v->why)
        time_kernels(x, d, v);
}

static int build(struct exploration *x, struct devices *d, struct cc_err *err)
{
    int rc = measure(x, d, err);
    for (size_t i = 0; rc == 0 && i < d->nunits; i++)
        if (is_logic(&d->units[i]) && !d->model && !d->no_logic)
            rc = load_logic(x, d, &d->units[i], err);
    if (rc < 0 || d->why)
        return rc;
    for (size_t i = 0; d->model && d->model->metric_set < CC_METRIC_SET && i < d->sources->functions.n; i++)
        cc_metrics_as_set(d->sources->functions.v[i].m, d->model->metric_set);
    rc = build_input(x, d, err);
    if (rc == 0 && d->model && d->part)
        rc = set_measures(x, d, err);
    if (rc < 0 || d->why)
        return rc;
    struct cc_err ignored = {0};
    if (cc_classes_build(x->p, &d->classes, &ignored) < 0)
        d->classes = NULL;
    d->v = cc_arena_alloc(&x->arena, d->nunits * sizeof *d->v);
    for (size_t i = 0; i < d->nunits; i++)
        if (&d->units[i] != d->cpu)
            add_device(x, d, &d->units[i]);
    return 0;
}

int cc_explore_devices(struct exploration *x, struct cc_err *err)
{
    const char *const *names;
    if (cc_platform_list(x->platform, "unit", &names) < 2)
        return 0;
    struct devices *d = x->devices = cc_arena_alloc(&x->arena, sizeof *d);
    *d = (struct devices){0};
    int rc = cc_units_load(x->platform, &d->units, &d->nunits, err);
    if (rc < 0)
        return rc;
    d->cpu = find_cpu(d, x->platform);
    if (!d->cpu)
        d->why = "the platform does not tell which unit its cores are (unit.cpu, or one of its clock)";
    else if (x->r.second <= 0)
        d->why = "the platform does not tell its clock (clock_mhz)";
    else if (x->p->nthreads > 1)
        d->why = "the program has threads of its own";
    return d->why ? 0 : build(x, d, err);
}

void cc_explore_devices_fini(struct exploration *x)
{
    struct devices *d = x->devices;
    if (!d)
        return;
    cc_sources_free(d->sources);
    cc_cut_input_free(d->in);
    cc_classes_free(d->classes);
    cc_area_model_free(d->model);
    cc_area_device_free(d->part);
    free(d->units);
}
