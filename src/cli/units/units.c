/* corecast units: how long kernels take on the units of a chip, as intervals and as a density for the chain.
 */
#include "../command.h"
#include "../output.h"
#include "../../analysis/classes/work.h"
#include "../../analysis/units/density.h"
#include "../../draw/chart.h"
#include "../../platform/link.h"
#include "mapping.h"

#include <math.h>

enum { MAX_CONFIDENCES = 16, DENSITY_POINTS = 300, MAX_SIDE = 1 << 20, PARTS = 12 };

struct options {
    struct cc_common common;
    const char *platform, *image, *confidence, *between, *from, *density;
    int64_t cores, top;
    int by;
    double transfer;
    bool map, parallel;
    struct cc_strs set, only;
};

static const char *const levels[] = {"function", "region", NULL};
static const enum cc_level level_of[] = {CC_LEVEL_FUNCTION, CC_LEVEL_REGION};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P.ini", offsetof(struct options, platform),
     "platform with [unit.NAME] sections"},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value of the platform"},
    {CC_OPT_LIST, 'u', "unit", "NAME", offsetof(struct options, only), "only this unit (may be repeated)"},
    {CC_OPT_STR, 0, "image", "WxH", offsetof(struct options, image),
     "image size: rows to divide over cores, and times of a whole image"},
    {CC_OPT_INT, 0, "cores", "N", offsetof(struct options, cores),
     "cores to use of a unit that has as many (1)", 1, 65536},
    {CC_OPT_STR, 0, "confidence", "PCT", offsetof(struct options, confidence),
     "the narrowest interval of this probability; a list as 70,95 (50,70,95)"},
    {CC_OPT_STR, 0, "between", "A:B", offsetof(struct options, between),
     "how probable is a time from A to B ticks"},
    {CC_OPT_STR, 0, "from", "UNIT", offsetof(struct options, from),
     "the data lie on this unit: the others' chains begin with a transfer"},
    {CC_OPT_NUM, 0, "transfer", "BYTES", offsetof(struct options, transfer),
     "bytes of that transfer for each element (1)", 0, 1e9},
    {CC_OPT_OUT, 0, "density", "F.svg", offsetof(struct options, density), "draw the density of each chain"},
    {CC_OPT_CHOICE, 0, "by", "WHAT", offsetof(struct options, by),
     "kernels of a recording: function (default) or region", .choices = levels},
    {CC_OPT_FLAG, 0, "map", NULL, offsetof(struct options, map),
     "of a recording, also the computing profile of each kernel and the mapping onto the units of least "
     "time"},
    {CC_OPT_FLAG, 0, "parallel", NULL, offsetof(struct options, parallel),
     "with --map: kernels divide evenly over the cores of a unit"},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct options, top),
     "of a recording, the N heaviest are kernels and the rest is one more (12)", 1, CC_WORK_MAX_PARTS},
};

struct chain {
    const struct cc_unit *unit;
    struct cc_kernel_time *times;
    size_t n;
    double transfer; /* ticks for each element before the first kernel; 0: none */
    struct cc_density *density;
};

struct job {
    struct options *o;
    struct cc_platform *platform;
    struct cc_kernels *kernels;
    bool recorded;              /* the kernels are parts of a recorded run */
    struct cc_profile *profile; /* with --map */
    struct cc_units_mapping mapping;
    struct cc_unit *units;
    size_t nunits;
    double columns, rows; /* 0: no image */
    double confidences[MAX_CONFIDENCES];
    size_t nconfidences;
    double between[2];
    CC_VEC(struct chain) chains;
};

static int parse_image(struct job *j, struct cc_err *err)
{
    const char *text = j->o->image, *x = text ? strchr(text, 'x') : NULL;
    if (!text)
        return 0;
    CC_CLEANUP(cc_free_ptr) char *head = cc_strndup(text, x ? (size_t)(x - text) : 0);
    int64_t w, h;
    if (!x || !cc_parse_i64(head, &w) || !cc_parse_i64(x + 1, &h) || w < 1 || h < 1 || w > MAX_SIDE ||
        h > MAX_SIDE)
        return cc_err_set(err, CC_EUSAGE, "option '--image': must be WxH in pixels, not '%.80s'", text);
    j->columns = (double)w;
    j->rows = (double)h;
    return 0;
}

/* An option that takes up to `cap` numbers, from lo to hi, separated by `sep`. */
struct numbers {
    const char *option, *sep;
    double lo, hi;
    double *out;
    size_t cap;
};

/* A '%' after a number is allowed. */
static int parse_numbers(const struct numbers *want, const char *text, size_t *ret_n, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    size_t n = 0;
    for (char *word = strtok_r(copy, want->sep, &save); word; word = strtok_r(NULL, want->sep, &save)) {
        size_t length = strlen(word);
        if (length && word[length - 1] == '%')
            word[length - 1] = 0;
        if (n == want->cap || !cc_parse_f64(word, &want->out[n]) || want->out[n] < want->lo ||
            want->out[n] > want->hi)
            return cc_err_set(err, CC_EUSAGE, "option '--%s': '%.80s' is not what it takes", want->option,
                              text);
        n++;
    }
    *ret_n = n;
    return 0;
}

static int parse_options(struct job *j, struct cc_err *err)
{
    const struct numbers confidences = {"confidence", ",", 1e-9, 100, j->confidences, MAX_CONFIDENCES};
    const struct numbers between = {"between", ":", -1e300, 1e300, j->between, 2};
    size_t n = 0;
    int rc = parse_image(j, err);
    if (rc == 0)
        rc = parse_numbers(&confidences, j->o->confidence ? j->o->confidence : "50,70,95", &j->nconfidences,
                           err);
    if (rc == 0 && j->o->between) {
        rc = parse_numbers(&between, j->o->between, &n, err);
        if (rc == 0 && n != 2)
            rc = cc_err_set(err, CC_EUSAGE, "option '--between': expected A:B, not '%.80s'", j->o->between);
        else if (rc == 0 && j->between[0] > j->between[1])
            rc = cc_err_set(err, CC_EUSAGE, "option '--between': '%.80s' ends before it begins",
                            j->o->between);
    }
    if (rc == 0 && j->o->from && !j->rows)
        rc = cc_err_set(err, CC_EUSAGE,
                        "option '--from' needs --image: a transfer's time depends on its size");
    return rc;
}

static bool wanted(const struct options *o, const char *unit)
{
    for (size_t i = 0; i < o->only.n; i++)
        if (strcmp(o->only.v[i], unit) == 0)
            return true;
    return o->only.n == 0;
}

static int check_units(const struct job *j, struct cc_err *err)
{
    for (size_t i = 0; i <= j->o->only.n; i++) {
        const char *name = i < j->o->only.n ? j->o->only.v[i] : j->o->from;
        size_t u = 0;
        while (name && u < j->nunits && strcmp(j->units[u].name, name) != 0)
            u++;
        if (name && u == j->nunits)
            return cc_err_set(err, CC_EUSAGE, "the platform has no unit '%.80s'", name);
    }
    for (size_t i = 0; i < j->kernels->v.n; i++) {
        const struct cc_kernel *k = &j->kernels->v.v[i];
        size_t u = 0;
        while (k->unit && u < j->nunits && strcmp(j->units[u].name, k->unit) != 0)
            u++;
        if (k->unit && u == j->nunits)
            cc_note(&j->o->common, "%s:%u: no unit '%s' on this platform: not used", k->file, k->line,
                    k->unit);
    }
    return 0;
}

static int add_transfer(struct job *j, struct chain *c, struct cc_err *err)
{
    if (!j->o->from || strcmp(j->o->from, c->unit->name) == 0)
        return 0;
    if (isnan(c->unit->clock_hz))
        return cc_err_at(err, CC_EINPUT, cc_platform_path(j->platform), 0, "unit '%.80s' has no clock_mhz",
                         c->unit->name);
    struct cc_arena arena = {0};
    struct cc_link link;
    int rc = cc_link_load(j->platform, j->o->from, c->unit->name, &arena, &link, err);
    if (rc == 0 && !link.present)
        rc = cc_err_at(err, CC_EINPUT, cc_platform_path(j->platform), 0,
                       "no [link.%.80s.%.80s] for the transfer", j->o->from, c->unit->name);
    double elements = j->columns * j->rows, bytes = j->o->transfer > 0 ? j->o->transfer : 1;
    if (rc == 0)
        c->transfer = cc_link_seconds(&link, bytes * elements) * c->unit->clock_hz / elements;
    cc_arena_fini(&arena);
    return rc;
}

static int add_chain(struct job *j, const struct cc_unit *u, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) const struct cc_kernel **on = cc_alloc_array(j->kernels->v.n, sizeof *on);
    struct chain c = {.unit = u, .n = cc_kernels_on(j->kernels, u, on)};
    if (c.n == 0)
        return 0;
    c.times = cc_alloc_array(c.n, sizeof *c.times);
    struct cc_interval *v = cc_alloc_array(c.n + 1, sizeof *v);
    int rc = add_transfer(j, &c, err);
    for (size_t i = 0; rc == 0 && i < c.n; i++) {
        double cores = j->o->cores ? (double)j->o->cores : 1;
        rc = cc_kernel_interval(on[i], u, cores, j->columns, j->rows, &c.times[i], err);
        v[i] = c.times[i].time;
    }
    v[c.n] = (struct cc_interval){c.transfer, c.transfer};
    if (rc == 0)
        rc = cc_density_sum(v, c.n + 1, &c.density, err);
    free(v);
    if (rc < 0)
        free(c.times);
    else
        CC_VEC_PUSH(&j->chains, c);
    return rc;
}

/* What a time is for; 0: nobody said how many there are. A recorded run is one unless an image divides it. */
static double elements(const struct job *j)
{
    return j->rows > 0 ? j->columns * j->rows : j->recorded ? 1 : 0;
}

static const char *element(const struct job *j)
{
    return j->recorded && j->rows <= 0 ? "run" : "element";
}

/* Cores used of the unit. */
static double used_cores(const struct job *j, const struct cc_unit *u)
{
    return fmin(j->o->cores ? (double)j->o->cores : 1, u->cores);
}

/* --- what is shown --- */

static void add_kernels(const struct job *j, struct cc_result *r)
{
    int digits = j->recorded && j->rows <= 0 ? 0 : 5;
    const struct cc_col cols[] = {
        {"name", "kernel", CC_COL_STR},
        {"unit", "unit", CC_COL_STR},
        {"low", "low", CC_COL_NUM, digits},
        {"high", "high", CC_COL_NUM, digits},
        {"bound", "bound by", CC_COL_STR},
        {"slowest", "slowest class", CC_COL_STR},
        {"intensity", "intensity", CC_COL_NUM, 2},
    };
    cc_result_note(r, "ticks of the unit for %s",
                   !j->recorded   ? "each element"
                   : j->rows <= 0 ? "the whole recorded run"
                                  : "each element of the recorded run");
    struct cc_table *t = cc_result_table(r, "kernels", cols, CC_COUNT(cols));
    for (size_t c = 0; c < j->chains.n; c++)
        for (size_t i = 0; i < j->chains.v[c].n; i++) {
            const struct cc_kernel_time *k = &j->chains.v[c].times[i];
            cc_table_row(t);
            cc_table_str(t, k->kernel->name);
            cc_table_str(t, k->unit->name);
            cc_table_num(t, k->time.low);
            cc_table_num(t, k->time.high);
            cc_table_str(t, k->bound);
            cc_table_str(t, cc_class_names[k->class]);
            cc_table_num(t, k->intensity);
        }
}

static double off_middle(double end, double mid)
{
    return mid > 0 ? 100 * (end - mid) / mid : 0;
}

/* How long the chain takes, and how probable that is; %.6g: as many digits as tell something. */
static void add_times(const struct job *j, const struct chain *c, struct cc_result *r)
{
    static const struct cc_col interval_cols[] = {
        {"confidence", NULL, CC_COL_NUM}, {"low", NULL, CC_COL_NUM}, {"high", NULL, CC_COL_NUM}};
    struct cc_interval s = cc_density_support(c->density), m = cc_density_mode(c->density);
    double mid = (s.low + s.high) / 2;
    cc_result_num(r, "low", s.low);
    cc_result_num(r, "high", s.high);
    cc_result_fact(r, "between", "%.6g and %.6g ticks, %.6g ± %.1f %%", s.low, s.high, mid,
                   off_middle(s.high, mid));
    cc_result_num(r, "mode_low", m.low);
    cc_result_num(r, "mode_high", m.high);
    if (m.high > m.low)
        cc_result_fact(r, "most probable", "%.6g to %.6g", m.low, m.high);
    else
        cc_result_fact(r, "most probable", "%.6g", m.low);
    struct cc_table *t = cc_result_table(r, "intervals", interval_cols, CC_COUNT(interval_cols));
    for (size_t i = 0; i < j->nconfidences; i++) {
        struct cc_interval v = cc_density_interval(c->density, j->confidences[i] / 100);
        cc_table_row(t);
        cc_table_num(t, j->confidences[i]);
        cc_table_num(t, v.low);
        cc_table_num(t, v.high);
        CC_CLEANUP(cc_free_ptr) char *label = cc_asprintf("with %5.4g %%", j->confidences[i]);
        cc_result_fact(r, label, "%.6g to %.6g (± %.1f %%)", v.low, v.high, off_middle(v.high, mid));
    }
    if (j->o->between) {
        double low = j->between[0], high = j->between[1];
        double confidence = 100 * cc_density_between(c->density, low, high);
        cc_result_obj(r, "between");
        cc_result_num(r, "low", low);
        cc_result_num(r, "high", high);
        cc_result_num(r, "confidence", confidence);
        cc_result_end(r);
        CC_CLEANUP(cc_free_ptr) char *label = cc_asprintf("from %.6g to %.6g", low, high);
        cc_result_fact(r, label, "%.1f %%", confidence);
    }
}

static void add_seconds(const struct job *j, const struct chain *c, struct cc_result *r)
{
    struct cc_interval s = cc_density_support(c->density);
    double hz = c->unit->clock_hz, to_s = elements(j) > 0 ? elements(j) / hz : NAN;
    cc_result_num(r, "clock_hz", hz);
    cc_result_num(r, "seconds_low", s.low * to_s);
    cc_result_num(r, "seconds_high", s.high * to_s);
    if (isnan(hz))
        return;
    struct cc_buf b = {0};
    if (j->recorded && j->rows <= 0)
        cc_buf_printf(&b, "%.3f to %.3f ms a run", 1e3 * s.low / hz, 1e3 * s.high / hz);
    else if (s.low > 0)
        cc_buf_printf(&b, "%.0f to %.0f million elements per second", hz / s.high / 1e6, hz / s.low / 1e6);
    if (j->rows > 0)
        cc_buf_printf(&b, "%s%.3f to %.3f ms an image", b.n ? "; " : "", 1e3 * s.low * to_s,
                      1e3 * s.high * to_s);
    CC_CLEANUP(cc_free_ptr) char *label = cc_asprintf("at %.0f MHz", hz / 1e6);
    if (b.n)
        cc_result_fact(r, label, "%s", b.s);
    cc_buf_fini(&b);
}

static void add_density(const struct chain *c, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"from", NULL, CC_COL_NUM}, {"to", NULL, CC_COL_NUM}, {"coefficients", NULL, CC_COL_LIST}};
    cc_result_num(r, "error", cc_density_error(c->density));
    struct cc_table *t = cc_result_table(r, "density", cols, CC_COUNT(cols));
    for (size_t i = 0; i < cc_density_pieces(c->density); i++) {
        struct cc_piece p;
        cc_density_piece(c->density, i, &p);
        cc_table_row(t);
        cc_table_num(t, p.from);
        cc_table_num(t, p.to);
        cc_table_list(t);
        for (size_t k = 0; k < p.ncoefficients; k++)
            cc_table_num(t, p.coefficients[k]);
        cc_table_end(t);
    }
}

static void add_chain_result(const struct job *j, const struct chain *c, struct cc_result *r)
{
    double cores = used_cores(j, c->unit);
    cc_result_obj(r, NULL);
    cc_result_gap(r);
    cc_result_note(r, "chain on %s, %g core%s", c->unit->name, cores, cores == 1 ? "" : "s");
    cc_result_str(r, "unit", c->unit->name);
    cc_result_num(r, "cores", cores);
    cc_result_num(r, "transfer", c->transfer);
    if (c->transfer > 0)
        cc_result_fact(r, "transfer first", "%.6g ticks", c->transfer);
    add_times(j, c, r);
    add_seconds(j, c, r);
    add_density(c, r);
    cc_result_end(r);
}

/* The platform's figures that this chain's times rest on. */
static void ask_again(const struct job *j, const struct chain *c)
{
    for (size_t i = 0; i < c->n; i++)
        cc_kernel_figures(j->platform, &c->times[i], used_cores(j, c->unit));
    if (c->transfer > 0) {
        struct cc_arena arena = {0};
        struct cc_link link;
        cc_link_load(j->platform, j->o->from, c->unit->name, &arena, &link, NULL);
        cc_arena_fini(&arena);
    }
}

static int show(const struct job *j, struct cc_err *err)
{
    struct cc_result *r = cc_result_new("corecast.units", 1);
    CC_CLEANUP(cc_free_ptr) char *clock = cc_asprintf("ticks of the unit per %s", element(j));
    cc_result_str(r, "clock", clock);
    add_kernels(j, r);
    cc_result_arr(r, "chains");
    for (size_t c = 0; c < j->chains.n; c++)
        add_chain_result(j, &j->chains.v[c], r);
    cc_result_end(r);
    if (j->o->map) {
        cc_units_show_profiles(j->kernels, r);
        cc_units_show_mapping(&j->mapping, r);
    }
    if (!j->o->map) /* a mapping weighs all units against each other */
        cc_platform_forget(j->platform);
    for (size_t c = 0; c < j->chains.n; c++)
        ask_again(j, &j->chains.v[c]);
    cc_platform_show_assumed(j->platform, r);
    int rc = cc_output_result(&j->o->common, r, err);
    cc_result_free(r);
    return rc;
}

static int draw_density(const struct job *j, struct cc_err *err)
{
    struct cc_series *series = cc_alloc_array(j->chains.n, sizeof *series);
    double *data = cc_alloc_array(j->chains.n * 2 * DENSITY_POINTS, sizeof *data);
    bool ns = j->chains.n > 1; /* units of different clocks: one axis in time */
    for (size_t c = 0; c < j->chains.n; c++)
        ns &= !isnan(j->chains.v[c].unit->clock_hz);
    size_t drawn = 0;
    for (size_t c = 0; c < j->chains.n; c++) {
        const struct chain *chain = &j->chains.v[c];
        struct cc_interval s = cc_density_support(chain->density);
        double *xs = data + 2 * c * DENSITY_POINTS, *ys = xs + DENSITY_POINTS;
        double scale = ns ? 1e9 / chain->unit->clock_hz : 1, margin = (s.high - s.low) * 0.03;
        if (s.high <= s.low)
            continue;
        for (size_t i = 0; i < DENSITY_POINTS; i++) {
            double x = s.low - margin + (s.high - s.low + 2 * margin) * (double)i / (DENSITY_POINTS - 1);
            xs[i] = x * scale;
            ys[i] = cc_density_at(chain->density, x) / scale;
        }
        series[drawn++] = (struct cc_series){
            .name = chain->unit->name, .style = CC_SERIES_LINE, .x = xs, .y = ys, .n = DENSITY_POINTS};
    }
    struct cc_band band = {j->between[0], j->between[1]};
    if (!j->o->between && j->chains.n == 1 && j->nconfidences) {
        struct cc_interval v = cc_density_interval(j->chains.v[0].density, j->confidences[0] / 100);
        band = (struct cc_band){v.low, v.high};
    }
    CC_CLEANUP(cc_free_ptr) char *label = cc_asprintf("%s per %s", ns ? "nanoseconds" : "ticks", element(j));
    struct cc_xy_chart chart = {.title = "density of the chain's time",
                                .x_label = label,
                                .y_label = "probability density",
                                .y_from_zero = true,
                                .series = series,
                                .nseries = drawn,
                                .bands = &band,
                                .nbands = j->chains.n == 1};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(j->o->density, &svg, err);
    cc_buf_fini(&svg);
    free(series);
    free(data);
    return rc;
}

static int load_recording(struct job *j, const char *path, struct cc_err *err)
{
    struct cc_profile *p;
    int rc = cc_profile_load(path, &p, err);
    if (rc < 0)
        return rc;
    struct cc_work *w;
    rc = cc_work_build(p, level_of[j->o->by], j->o->top ? (size_t)j->o->top : PARTS, &w, err);
    if (rc == 0) {
        j->recorded = true;
        double l1 = cc_platform_num_or(j->platform, "cache.l1d", CC_NUM_CACHE_SIZE, 0);
        struct cc_work_caches caches = {l1,
                                        cc_platform_num_or(j->platform, "cache.l2", CC_NUM_CACHE_SIZE, l1)};
        j->kernels = cc_work_kernels(w, path, elements(j), &caches);
        if (!p->complete)
            cc_note(&j->o->common, "%s: the run was cut short: %s", path,
                    p->reason ? p->reason : "no reason given");
        if ((double)w->total.unknown > 0.001 * (double)w->total.instructions)
            cc_note(&j->o->common, "%s: %.1f %% of the instructions are not known and cost nothing here",
                    path, 100 * (double)w->total.unknown / (double)w->total.instructions);
        cc_work_free(w);
    }
    if (rc == 0 && j->o->map)
        j->profile = p;
    else
        cc_profile_free(p);
    return rc;
}

static int map_kernels(struct job *j, struct cc_err *err)
{
    if (!j->o->map)
        return j->o->parallel ? cc_err_set(err, CC_EUSAGE, "'--parallel' goes with '--map'") : 0;
    if (!j->recorded)
        return cc_err_set(err, CC_EUSAGE,
                          "'--map' needs a recording: kernel files do not tell what data kernels pass on");
    struct cc_map_recording how = {level_of[j->o->by], j->o->top ? (size_t)j->o->top : PARTS, 0.01,
                                   j->o->parallel, false};
    return cc_units_map(j->profile, j->platform, &how, &j->mapping, err);
}

/* A unit that cannot do all a recorded program does is left out, unless it was asked for. */
static int add_chains(struct job *j, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < j->nunits; i++) {
        if (!wanted(j->o, j->units[i].name))
            continue;
        struct cc_err why = {0};
        rc = add_chain(j, &j->units[i], &why);
        if (rc == 0)
            continue;
        if (j->recorded)
            cc_err_hint(&why, "give one with --set unit.%.60s.CLASS=PER_CYCLE", j->units[i].name);
        if (j->recorded && j->o->only.n == 0 && (i + 1 < j->nunits || j->chains.n > 0)) {
            cc_note(&j->o->common, "unit '%s' is left out: %s", j->units[i].name, why.msg);
            rc = 0;
        } else {
            *err = why;
        }
    }
    return rc;
}

static int load(struct job *j, const struct cc_strs *operands, struct cc_err *err)
{
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one kernel description file or recording");
    if (!j->o->platform)
        return cc_err_set(err, CC_EUSAGE, "give --platform, the chip with the units");
    int rc = parse_options(j, err);
    if (rc == 0)
        rc = cc_platform_load(j->o->platform, &j->platform, err);
    for (size_t i = 0; rc == 0 && i < j->o->set.n; i++)
        rc = cc_platform_override(j->platform, j->o->set.v[i], err);
    if (rc == 0)
        rc = cc_input_is_recording(operands->v[0]) ? load_recording(j, operands->v[0], err)
                                                   : cc_kernels_load(operands->v[0], &j->kernels, err);
    if (rc == 0)
        rc = cc_units_load(j->platform, &j->units, &j->nunits, err);
    if (rc == 0)
        rc = check_units(j, err);
    if (rc == 0)
        rc = add_chains(j, err);
    if (rc == 0 && j->chains.n == 0)
        rc = cc_err_at(err, CC_EINPUT, j->kernels->path, 0, "no kernel is described for the wanted unit");
    if (rc == 0)
        rc = map_kernels(j, err);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    struct job j = {.o = o};
    int rc = load(&j, operands, err);
    if (rc == 0 && o->density)
        rc = draw_density(&j, err);
    if (rc == 0)
        rc = show(&j, err);
    for (size_t c = 0; c < j.chains.n; c++) {
        free(j.chains.v[c].times);
        cc_density_free(j.chains.v[c].density);
    }
    CC_VEC_FINI(&j.chains);
    free(j.units);
    cc_units_unmap(&j.mapping);
    cc_kernels_free(j.kernels);
    cc_profile_free(j.profile);
    cc_platform_free(j.platform);
    return rc;
}

const struct cc_command cc_cmd_units = {
    .name = "units",
    .summary = "time intervals and densities of kernels on the units of a chip",
    .synopsis = "[OPTIONS] --platform P.ini KERNELS.ini|PROFILE",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .run = run,
};
