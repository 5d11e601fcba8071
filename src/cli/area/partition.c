/* corecast area partition FILE… --profile RUN.cast: which functions become hardware. */
#include "inputs.h"
#include "../../analysis/area/cut_recording.h"
#include "../../base/file.h"
#include "../../draw/chart.h"
#include "../../platform/link.h"

#include <math.h>

enum { USUAL_CANDIDATES = 16, USUAL_WITH_LOOPS = 24, FRONT_STEPS = 20 };

static const double usual_clock_hz = 1e9; /* only matters beside a link, and then the platform has one */

struct front_point {
    double share; /* of the device: the measure that takes most of it */
    struct cc_cut cut;
};

struct job {
    struct cc_area_options *o;
    struct cc_area_inputs in;
    struct cc_platform *platform;
    const char *link; /* "cpu:pl"; NULL: communication is not charged */
    struct cc_cut_input *cut;
    struct cc_cut_problem problem;
    size_t *measure; /* of the problem -> of the model */
    double *area, *budget;
    size_t cycles;   /* the model's measure of time; SIZE_MAX: none */
    double clock_ns; /* that its cycles are taken as; 0: not told */
    struct cc_cut best;
    struct front_point front[FRONT_STEPS];
    size_t nfront;
    uint32_t order[CC_CUT_MOST]; /* chosen kernels, the one that brings most first */
    size_t nchosen;
    struct cc_arena arena;
};

/* --- the bus --- */

static int choose_link(struct job *j, char *from, char *to, struct cc_err *err)
{
    const char *const *names;
    const char *wanted = j->o->link, *link = wanted ? NULL : cc_link_to_logic(j->platform);
    for (size_t n = cc_platform_list(j->platform, "link", &names), i = 0; wanted && i < n; i++)
        link = strcmp(wanted, names[i]) == 0 ? names[i] : link;
    if (!link) {
        int rc = cc_err_at(err, CC_EINPUT, cc_platform_path(j->platform), 0, "no link '%s'",
                           wanted ? wanted : "to programmable logic (.pl, .fpga)");
        cc_err_hint(err, wanted ? "'corecast platform show' shows those there are"
                                : "name one with '--link A.B'; 'corecast platform list' tells who has one");
        return rc;
    }
    j->link = link;
    const char *dot = strchr(link, '.');
    snprintf(from, 64, "%.*s", dot ? (int)(dot - link) : 0, link);
    snprintf(to, 64, "%s", dot ? dot + 1 : "");
    return 0;
}

static int charge_link(struct job *j, double *clock_hz, struct cc_err *err)
{
    char from[64], to[64];
    struct cc_link link;
    struct cc_quantity clock;
    const double many = 1e6;
    int rc = cc_platform_load(j->o->platform, &j->platform, err);
    if (rc == 0)
        rc = choose_link(j, from, to, err);
    if (rc == 0)
        rc = cc_link_load(j->platform, from, to, &j->arena, &link, err);
    if (rc == 0 && !link.present)
        rc = cc_err_at(err, CC_EINPUT, cc_platform_path(j->platform), 0, "no link '%s'", j->link);
    if (rc == 0)
        rc = cc_platform_num(j->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, &clock, err);
    if (rc < 0)
        return rc;
    double once = cc_link_seconds(&link, 0);
    j->problem.call_seconds = 2 * once; /* there and back */
    j->problem.byte_seconds = (cc_link_seconds(&link, many) - once) / many;
    *clock_hz = clock.value * 1e6;
    return 0;
}

/* --- the budget --- */

/* "lut=70%" or "lut=50000" */
static int set_budget(struct job *j, const char *item, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(item);
    char *value = strchr(copy, '=');
    double v;
    if (value)
        *value++ = 0;
    size_t n = value ? strlen(value) : 0;
    bool percent = n && value[n - 1] == '%';
    if (percent)
        value[n - 1] = 0;
    if (!value || !cc_parse_f64(value, &v) || !(v >= 0))
        return cc_err_set(err, CC_EUSAGE,
                          "option '--budget': '%s' is not MEASURE=AMOUNT or MEASURE=PERCENT%%", item);
    for (size_t m = 0; m < j->problem.nmeasures; m++) {
        const char *name = j->in.model->measures[j->measure[m]].name;
        if (strcmp(name, copy) != 0)
            continue;
        double capacity = cc_area_device_capacity(j->in.device, name);
        if (percent && isnan(capacity))
            return cc_err_set(err, CC_EUSAGE,
                              "option '--budget': the device does not say how many '%s' it has", copy);
        j->budget[m] = percent ? v / 100 * capacity : v;
        return 0;
    }
    return cc_err_set(err, CC_EUSAGE, "option '--budget': the model has no measure '%s' that adds up", copy);
}

static int read_budget(struct job *j, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < j->o->budget.n; i++) {
        CC_CLEANUP(cc_free_ptr) char *list = cc_strdup(j->o->budget.v[i]);
        char *save = NULL;
        for (char *item = strtok_r(list, ",", &save); rc == 0 && item; item = strtok_r(NULL, ",", &save))
            rc = set_budget(j, item, err);
    }
    return rc;
}

/* Seconds of one call, from the cycles that are estimated. */
static struct cc_area_prediction call_seconds(const struct job *j, uint32_t kernel)
{
    struct cc_area_prediction e = j->cut->kernels[kernel].measure[j->cycles];
    double second = 1e-9 * j->clock_ns;
    e.value *= second;
    e.low *= second;
    e.high *= second;
    return e;
}

static int find_clock(struct job *j, struct cc_err *err)
{
    const struct cc_area_model *model = j->in.model;
    j->cycles = SIZE_MAX;
    for (size_t m = 0; m < model->nmeasures; m++)
        if (strcmp(model->measures[m].name, "cycles") == 0 || strcmp(model->measures[m].name, "latency") == 0)
            j->cycles = m;
    j->clock_ns = CC_GIVEN(j->o, clock_ns) ? j->o->clock_ns : model->clock_ns;
    if (!CC_GIVEN(j->o, clock_ns))
        return 0;
    if (CC_GIVEN(j->o, gain))
        return cc_err_set(err, CC_EUSAGE, "'--gain' and '--clock' exclude each other");
    if (j->cycles == SIZE_MAX)
        return cc_err_set(err, CC_EUSAGE, "option '--clock': the model does not estimate cycles");
    double *seconds = cc_arena_alloc(&j->arena, (j->cut->nkernels + 1) * sizeof *seconds);
    for (uint32_t k = 0; k < j->cut->nkernels; k++)
        seconds[k] = call_seconds(j, k).value;
    j->problem.kernel_seconds = seconds;
    return 0;
}

static int make_problem(struct job *j, struct cc_err *err)
{
    const struct cc_area_model *model = j->in.model;
    struct cc_cut_problem *p = &j->problem;
    j->measure = cc_arena_alloc(&j->arena, model->nmeasures * sizeof *j->measure);
    for (size_t m = 0; m < model->nmeasures; m++)
        if (cc_area_is_additive(&model->measures[m]))
            j->measure[p->nmeasures++] = m;
    j->budget = cc_arena_alloc(&j->arena, (p->nmeasures + 1) * sizeof *j->budget);
    for (size_t m = 0; m < p->nmeasures; m++) {
        double capacity = cc_area_device_capacity(j->in.device, model->measures[j->measure[m]].name);
        j->budget[m] = isnan(capacity) ? INFINITY : capacity;
    }
    p->nkernels = j->cut->nkernels;
    j->area = cc_arena_alloc(&j->arena, (p->nkernels * p->nmeasures + 1) * sizeof *j->area);
    for (size_t k = 0; k < p->nkernels; k++)
        for (size_t m = 0; m < p->nmeasures; m++)
            j->area[k * p->nmeasures + m] = j->cut->kernels[k].measure[j->measure[m]].value;
    p->area = j->area;
    p->budget = j->budget;
    p->nodes = j->cut->nodes;
    p->nnodes = j->cut->nnodes;
    p->edges = j->cut->edges;
    p->nedges = j->cut->nedges;
    p->gain = CC_GIVEN(j->o, gain) ? j->o->gain : INFINITY;
    int rc = find_clock(j, err);
    return rc < 0 ? rc : read_budget(j, err);
}

/* --- solving --- */

static double speedup(const struct job *j, double time)
{
    return time > 0 ? j->cut->seconds / time : INFINITY;
}

/* With the kernels taking the cycles that are estimated for them, whose errors are independent; NaN where the
 * model, its clock or how often a loop goes round is not known. */
static struct cc_area_prediction estimated_speedup(const struct job *j, uint64_t set)
{
    struct cc_area_prediction none = {NAN, NAN, NAN, .zero = NAN};
    struct cc_cut_problem p = j->problem;
    p.kernel_seconds = NULL;
    p.gain = INFINITY;
    double rest = cc_cut_time(&p, set), hardware = 0, below = 0, above = 0;
    if (j->cycles == SIZE_MAX || !(j->clock_ns > 0))
        return none;
    for (uint32_t k = 0; k < p.nkernels; k++) {
        if (!(set >> k & 1))
            continue;
        if (j->cut->kernels[k].f->untold)
            return none;
        struct cc_area_prediction e = call_seconds(j, k);
        double calls = cc_cut_calls(&p, set, k);
        hardware += calls * e.value;
        below += pow(calls * (e.value - e.low), 2);
        above += pow(calls * (e.high - e.value), 2);
    }
    return (struct cc_area_prediction){.value = speedup(j, rest + hardware),
                                       .low = speedup(j, rest + hardware + sqrt(above)),
                                       .high = speedup(j, rest + fmax(0, hardware - sqrt(below)))};
}

/* What shares of a measure are of: the device, or the budget where the device says nothing. */
static double whole(const struct job *j, size_t m)
{
    double capacity = cc_area_device_capacity(j->in.device, j->in.model->measures[j->measure[m]].name);
    return isnan(capacity) ? j->budget[m] : capacity;
}

/* The measure that takes most. */
static double share_of(const struct job *j, uint64_t set)
{
    double most = 0;
    for (size_t m = 0; m < j->problem.nmeasures; m++) {
        double sum = 0;
        for (size_t k = 0; k < j->problem.nkernels; k++)
            sum += set >> k & 1 ? j->area[k * j->problem.nmeasures + m] : 0;
        most = fmax(most, isinf(whole(j, m)) ? 0 : sum / whole(j, m));
    }
    return most;
}

/* The best set of each area from little to what the chosen set takes. */
static void find_front(struct job *j)
{
    double *part = cc_alloc_array(j->problem.nmeasures + 1, sizeof *part), all = share_of(j, j->best.set);
    struct cc_cut_problem p = j->problem;
    p.budget = part;
    for (int i = 1; i <= FRONT_STEPS; i++) {
        for (size_t m = 0; m < p.nmeasures; m++)
            part[m] =
                i == FRONT_STEPS ? j->budget[m] : fmin(j->budget[m], whole(j, m) * all * i / FRONT_STEPS);
        struct cc_cut c = i == FRONT_STEPS ? j->best : cc_cut_solve(&p, 0);
        double before = j->nfront ? j->front[j->nfront - 1].cut.time : j->cut->seconds;
        if (c.set && c.time < before)
            j->front[j->nfront++] = (struct front_point){share_of(j, c.set), c};
    }
    free(part);
}

/* Each time the one that brings most beside those before it. */
static void order_chosen(struct job *j)
{
    uint64_t in = 0;
    while (in != j->best.set) {
        size_t pick = SIZE_MAX;
        double least = INFINITY;
        for (size_t k = 0; k < j->problem.nkernels; k++) {
            uint64_t bit = UINT64_C(1) << k;
            if (!(j->best.set & bit) || in & bit)
                continue;
            double time = cc_cut_time(&j->problem, in | bit);
            if (pick == SIZE_MAX || time < least) {
                pick = k;
                least = time;
            }
        }
        in |= UINT64_C(1) << pick;
        j->order[j->nchosen++] = (uint32_t)pick;
    }
}

/* --- showing --- */

static struct cc_area_prediction sum_of(const struct job *j, size_t m, size_t chosen)
{
    struct cc_area_prediction sum = {0};
    double below = 0, above = 0;
    for (size_t i = 0; i < chosen; i++) {
        const struct cc_area_prediction *e = &j->cut->kernels[j->order[i]].measure[j->measure[m]];
        sum.value += e->value;
        below += (e->value - e->low) * (e->value - e->low);
        above += (e->high - e->value) * (e->high - e->value);
    }
    sum.low = fmax(0, sum.value - sqrt(below));
    sum.high = sum.value + sqrt(above);
    return sum;
}

static void add_area(struct cc_result *r, const struct job *j)
{
    static const struct cc_col cols[] = {
        {NULL, "measure", CC_COL_STR},
        {NULL, "estimate", CC_COL_NUM, .digits = 0},
        {NULL, "from", CC_COL_NUM, .digits = 0},
        {NULL, "to", CC_COL_NUM, .digits = 0},
        {NULL, "budget", CC_COL_NUM, .digits = 0},
        {NULL, "of device", CC_COL_PERCENT, .digits = 1},
        {NULL, "note", CC_COL_STR},
    };
    cc_result_obj(r, "area");
    for (size_t m = 0; m < j->problem.nmeasures; m++) {
        struct cc_area_prediction sum = sum_of(j, m, j->nchosen);
        cc_result_obj(r, j->in.model->measures[j->measure[m]].name);
        cc_result_num(r, "value", sum.value);
        cc_result_num(r, "low", sum.low);
        cc_result_num(r, "high", sum.high);
        cc_result_num(r, "budget", j->budget[m]);
        cc_result_end(r);
    }
    cc_result_end(r);
    cc_result_note(r, "Together, with %g %% intervals:", j->in.confidence * 100);
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t m = 0; m < j->problem.nmeasures; m++) {
        const char *name = j->in.model->measures[j->measure[m]].name;
        struct cc_area_prediction sum = sum_of(j, m, j->nchosen);
        cc_table_row(t);
        cc_table_str(t, name);
        cc_table_num(t, sum.value);
        cc_table_num(t, sum.low);
        cc_table_num(t, sum.high);
        cc_table_num(t, isinf(j->budget[m]) ? NAN : j->budget[m]);
        cc_table_num(t, sum.value / cc_area_device_capacity(j->in.device, name));
        cc_table_str(t, sum.high > j->budget[m] ? "may not fit: the interval goes beyond the budget" : "");
    }
}

static void put_speedup(struct cc_table *t, struct cc_area_prediction e)
{
    cc_table_num(t, e.value);
    cc_table_num(t, e.low);
    cc_table_num(t, e.high);
}

/* The form of a partitioning table: each kernel with its area and share, alone and with those above it. */
static void add_kernels(struct cc_result *r, const struct job *j)
{
    static const struct cc_col cols[] = {
        {"name", "function", CC_COL_STR},
        {"file", NULL, CC_COL_STR},
        {"line", NULL, CC_COL_INT},
        {"share", "share of run", CC_COL_PERCENT, .digits = 2},
        {"device_share", "of device", CC_COL_PERCENT, .digits = 2},
        {"cumulative_share", "sum", CC_COL_PERCENT, .digits = 2},
        {"speedup", "speed-up", CC_COL_NUM, .digits = 2},
        {"cumulative_speedup", "together", CC_COL_NUM, .digits = 2},
        {"speedup_estimated", NULL, CC_COL_NUM},
        {"speedup_low", NULL, CC_COL_NUM},
        {"speedup_high", NULL, CC_COL_NUM},
        {"cumulative_speedup_estimated", "with cycles", CC_COL_NUM, .digits = 2},
        {"cumulative_speedup_low", "from", CC_COL_NUM, .digits = 2},
        {"cumulative_speedup_high", "to", CC_COL_NUM, .digits = 2},
        {"note", "note", CC_COL_STR},
    };
    struct cc_table *t = cc_result_table(r, "kernels", cols, CC_COUNT(cols));
    uint64_t in = 0;
    for (size_t i = 0; i < j->nchosen; i++) {
        const struct cc_cut_kernel *k = &j->cut->kernels[j->order[i]];
        uint64_t bit = UINT64_C(1) << j->order[i];
        in |= bit;
        cc_table_row(t);
        cc_table_str(t, k->f->name);
        cc_table_str(t, k->f->file);
        cc_table_u64(t, k->f->line);
        cc_table_num(t, k->share);
        cc_table_num(t, share_of(j, bit));
        cc_table_num(t, share_of(j, in));
        cc_table_num(t, speedup(j, cc_cut_time(&j->problem, bit)));
        cc_table_num(t, speedup(j, cc_cut_time(&j->problem, in)));
        put_speedup(t, estimated_speedup(j, bit));
        put_speedup(t, estimated_speedup(j, in));
        cc_table_str(t, j->cycles != SIZE_MAX && k->f->untold ? "trip counts unknown" : "");
    }
    if (j->nchosen == 0)
        cc_result_note(
            r, "Nothing is worth making: no set of candidates that fits is faster than software alone");
}

static void put_names(struct cc_result *r, const struct job *j, const char *key, uint64_t set)
{
    cc_result_arr(r, key);
    for (size_t k = 0; k < j->problem.nkernels; k++)
        if (set >> k & 1)
            cc_result_str(r, NULL, j->cut->kernels[k].f->name);
    cc_result_end(r);
}

static char *names_of(const struct job *j, uint64_t set)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (size_t k = 0; k < j->problem.nkernels; k++)
        if (set >> k & 1)
            cc_buf_printf(&b, "%s%s", b.n ? " " : "", j->cut->kernels[k].f->name);
    return b.s;
}

static void add_front(struct cc_result *r, const struct job *j)
{
    static const struct cc_col cols[] = {
        {NULL, "of device", CC_COL_PERCENT, .digits = 2},
        {NULL, "speed-up", CC_COL_NUM, .digits = 2},
        {NULL, "functions", CC_COL_STR},
    };
    cc_result_arr(r, "front");
    for (size_t i = 0; i < j->nfront; i++) {
        cc_result_obj(r, NULL);
        cc_result_num(r, "device_share", j->front[i].share);
        cc_result_num(r, "speedup", speedup(j, j->front[i].cut.time));
        cc_result_bool(r, "proven", j->front[i].cut.proven);
        put_names(r, j, "hardware", j->front[i].cut.set);
        cc_result_end(r);
    }
    cc_result_end(r);
    if (j->nfront < 2)
        return;
    cc_result_note(r, "Less hardware, less speed:");
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < j->nfront; i++) {
        CC_CLEANUP(cc_free_ptr) char *names = names_of(j, j->front[i].cut.set);
        cc_table_row(t);
        cc_table_num(t, j->front[i].share);
        cc_table_num(t, speedup(j, j->front[i].cut.time));
        cc_table_str(t, names);
    }
}

/* The chosen kernel that holds this one; NULL if there is none. */
static const char *holder(const struct job *j, size_t kernel)
{
    const struct cc_source_function *all = j->in.sources->functions.v, *f = j->cut->kernels[kernel].f;
    for (size_t i = 0; i < j->nchosen; i++) {
        const struct cc_source_function *top = j->cut->kernels[j->order[i]].f;
        for (size_t k = 0; k < top->ntree; k++)
            if (&all[top->tree[k]] == f || (f->of && strcmp(all[top->tree[k]].usr, f->of) == 0))
                return top->name;
        if (top->of && f->of && strcmp(top->of, f->of) == 0 && top->line <= f->line &&
            f->last_line <= top->last_line)
            return top->name;
    }
    return NULL;
}

static void put_reason(struct cc_table *t, const struct job *j, size_t kernel)
{
    const char *in = holder(j, kernel);
    if (!cc_cut_fits(&j->problem, UINT64_C(1) << kernel)) {
        cc_table_str(t, "larger than the budget");
    } else if (in) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("is part of %s", in);
        cc_table_str(t, text);
    } else {
        cc_table_str(t, "not worth its area or its data's way");
    }
}

static void add_left(struct cc_result *r, const struct job *j)
{
    static const struct cc_col cols[] = {
        {"name", "stays in software", CC_COL_STR},
        {"share", "share of run", CC_COL_PERCENT, .digits = 2},
        {"reason", "why", CC_COL_STR},
    };
    struct cc_table *t = cc_result_table(r, "left", cols, CC_COUNT(cols));
    for (size_t k = 0; k < j->problem.nkernels; k++) {
        if (j->best.set >> k & 1)
            continue;
        cc_table_row(t);
        cc_table_str(t, j->cut->kernels[k].f->name);
        cc_table_num(t, j->cut->kernels[k].share);
        put_reason(t, j, k);
    }
    for (size_t i = 0; i < j->cut->nleft; i++) {
        cc_table_row(t);
        cc_table_str(t, j->cut->left[i].name);
        cc_table_num(t, j->cut->left[i].share);
        cc_table_str(t, j->cut->left[i].why);
    }
}

/* What hardware's time is taken as, and what the estimated cycles would make of it. */
static void describe_time(struct cc_result *r, const struct job *j)
{
    struct cc_area_prediction e = estimated_speedup(j, j->best.set);
    cc_result_num(r, "clock_ns", j->clock_ns > 0 ? j->clock_ns : NAN);
    cc_result_num(r, "speedup_estimated", e.value);
    cc_result_num(r, "speedup_low", e.low);
    cc_result_num(r, "speedup_high", e.high);
    if (j->problem.kernel_seconds)
        cc_result_note(r, "Hardware takes the cycles that are estimated, of %g ns", j->clock_ns);
    else if (isinf(j->problem.gain))
        cc_result_note(r, "Hardware takes no time (an upper bound); '--gain N' makes it N times as fast as "
                          "software, '--clock NS' gives it the cycles that are estimated");
    else
        cc_result_note(r, "Hardware is %g times as fast as software", j->problem.gain);
    if (!isnan(e.value) && j->nchosen)
        cc_result_note(r, "With the cycles that are estimated for it, of %g ns: speed-up %.2f (%.2f to %.2f)",
                       j->clock_ns, e.value, e.low, e.high);
    else if (j->cycles != SIZE_MAX && j->nchosen)
        cc_result_note(r, "What it would be with the cycles that are estimated is not known: %s",
                       j->clock_ns > 0 ? "trip counts unknown ('record --loops count' tells them)"
                                       : "the model has no clock ('--clock NS')");
}

static void describe(struct cc_result *r, const struct job *j)
{
    cc_result_num(r, "speedup", speedup(j, j->best.time));
    cc_result_bool(r, "proven", j->best.proven);
    cc_result_u64(r, "candidates", j->problem.nkernels);
    cc_result_num(r, "seconds", j->cut->seconds);
    cc_result_num(r, "seconds_with_hardware", j->best.time);
    cc_result_str(r, "device", j->in.device ? j->in.device->name : NULL);
    cc_result_str(r, "link", j->link);
    cc_result_note(r, "Speed-up %.2f with %zu of %zu candidates in hardware%s", speedup(j, j->best.time),
                   j->nchosen, j->problem.nkernels,
                   j->best.proven ? "; no other set that fits is faster" : " (search cut short: not proven)");
    if (j->link)
        cc_result_note(
            r, "Data over link %s: %.3g s a byte, %.3g s a call; an instruction takes a cycle of software",
            j->link, j->problem.byte_seconds, j->problem.call_seconds);
    else
        cc_result_note(r, "Moving data is not charged: name a platform with its link ('--platform')");
    describe_time(r, j);
    cc_result_gap(r);
}
static int draw(const struct job *j, struct cc_err *err)
{
    double x[FRONT_STEPS + 1] = {0}, y[FRONT_STEPS + 1] = {1};
    for (size_t i = 0; i < j->nfront; i++) {
        x[i + 1] = 100 * j->front[i].share;
        y[i + 1] = speedup(j, j->front[i].cut.time);
    }
    struct cc_series series[] = {{"best that fits", CC_SERIES_STEP, x, y, j->nfront + 1, NULL},
                                 {"sets", CC_SERIES_POINTS, x, y, j->nfront + 1, NULL}};
    struct cc_xy_chart chart = {.title = "Speed-up over area",
                                .x_label = "of the device (%), the measure that takes most",
                                .y_label = "speed-up",
                                .y_from_zero = true,
                                .series = series,
                                .nseries = CC_COUNT(series)};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(j->o->svg, &svg, err);
    cc_buf_fini(&svg);
    return rc;
}

/* --- the command --- */

static size_t candidates(const struct job *j)
{
    if (CC_GIVEN(j->o, candidates))
        return (size_t)j->o->candidates;
    return j->o->loops ? USUAL_WITH_LOOPS : USUAL_CANDIDATES;
}

static int load(struct job *j, const struct cc_strs *operands, struct cc_err *err)
{
    if (!j->o->profile)
        return cc_err_set(err, CC_EUSAGE, "partition needs '--profile FILE'");
    if (operands->n == 1 && strlen(operands->v[0]) > 4 &&
        strcmp(operands->v[0] + strlen(operands->v[0]) - 4, ".csv") == 0)
        return cc_err_set(err, CC_EUSAGE,
                          "partition needs source files: a table does not say who calls whom");
    if (!j->o->device && !j->o->model)
        j->o->device = "u280"; /* that of the model that ships */
    int rc = cc_area_inputs_load(j->o, operands, &j->in, err);
    if (rc == 0 && j->o->loops && !j->in.profile->loops_known) {
        rc = cc_err_at(err, CC_EINPUT, j->o->profile, 0, "the recording has no loops");
        cc_err_hint(err, "'corecast record --loops count' counts them");
    }
    double clock_hz = usual_clock_hz;
    if (rc == 0 && j->o->platform)
        rc = charge_link(j, &clock_hz, err);
    if (rc < 0)
        return rc;
    struct cc_cut_request rq = {.profile = j->in.profile,
                                .model = j->in.model,
                                .sources = j->in.sources,
                                .confidence = j->in.confidence,
                                .most = candidates(j),
                                .clock_hz = clock_hz};
    rc = cc_cut_input_build(&rq, &j->cut, err);
    return rc < 0 ? rc : make_problem(j, err);
}

static struct cc_result *build(struct job *j)
{
    struct cc_result *r = cc_result_new("corecast.area.partition", 1);
    cc_area_add_scope(r, &j->in);
    put_names(r, j, "hardware", j->best.set);
    describe(r, j);
    add_kernels(r, j);
    add_area(r, j);
    add_front(r, j);
    add_left(r, j);
    if (j->platform)
        cc_platform_show_assumed(j->platform, r);
    return r;
}

int cc_area_partition(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    struct job *j = cc_alloc(sizeof *j);
    j->o = options;
    int rc = load(j, operands, err);
    if (rc == 0) {
        j->best = cc_cut_solve(&j->problem, 0);
        j->cut->seconds =
            cc_cut_time(&j->problem, 0); /* added up in the same order: nothing gained is exactly 1 */
        order_chosen(j);
        find_front(j);
        if (j->o->svg)
            rc = draw(j, err);
        if (rc == 0)
            rc = cc_area_show(&j->o->common, build(j), err);
    }
    cc_cut_input_free(j->cut);
    cc_platform_free(j->platform);
    cc_area_inputs_fini(&j->in);
    cc_arena_fini(&j->arena);
    free(j);
    return rc;
}
