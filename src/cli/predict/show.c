/* What corecast predict found: a section a scenario, with a table of its schedules and one of the regions of
 * the last. */
#include "show.h"

#include <math.h>

const char *const cc_predict_energy_names[] = {"chip at rest", "cores at work", "cores waiting",
                                               "accesses",     "transfers",     "units at work"};

char *cc_predict_whole(double v)
{
    char digits[400];
    struct cc_buf b = {0};
    snprintf(digits, sizeof digits, "%.0f", v);
    cc_buf_grouped(&b, digits);
    return b.s;
}

/* Parts of a time: data have them in ticks, text as shares of `time`. */
#define PART_COLS(sequential)                                                                 \
    {"stack.sequential", sequential, CC_COL_NUM}, {"stack.processing", "work", CC_COL_NUM},   \
        {"stack.imbalance", "imbal", CC_COL_NUM}, {"stack.limited", "limited", CC_COL_NUM},   \
        {"stack.overhead", "overh", CC_COL_NUM}, {"stack.contention", "contend", CC_COL_NUM}, \
        {"stack.transfer", "dma", CC_COL_NUM},                                                \
    {                                                                                         \
        "stack.idle", "idle", CC_COL_NUM                                                      \
    }

static void put_parts(struct cc_table *t, const double *stack, double time)
{
    for (int k = 0; k < CC_PARTS; k++) {
        cc_table_num(t, stack[k]);
        cc_table_show(t, "%.1f %%", time > 0 ? 100 * stack[k] / time : 0);
    }
}

/* --- regions --- */

enum { REGION_PARTS = 6, MAX_REGIONS = 100 };

static const struct cc_col region_cols[] = {
    {"path", "region", CC_COL_STR},
    {"directive", "directive", CC_COL_STR},
    {"calls", "calls", CC_COL_INT},
    {"threads", "threads", CC_COL_NUM, 1},
    {"time", "time", CC_COL_INT},
    {NULL, "of all", CC_COL_PERCENT, 1},
    PART_COLS(NULL),
};

static void put_region(struct cc_table *t, const struct cc_predict_region *r, double whole)
{
    cc_table_row(t);
    cc_table_str(t, r->path);
    cc_table_str(t, r->directive);
    cc_table_u64(t, r->calls);
    cc_table_num(t, r->processors);
    cc_table_num(t, r->time);
    cc_table_num(t, whole > 0 ? r->time / whole : 0);
}

/* All of them, as data. */
static void put_regions(struct cc_table *t, const struct cc_predict_schedule *s)
{
    for (size_t i = 0; i < s->nregions; i++) {
        put_region(t, &s->regions[i], CC_TICKS_TO_F64(s->time));
        for (int k = 0; k < CC_PARTS; k++)
            cc_table_num(t, s->regions[i].stack[k]);
    }
}

/* As text, those that a person reads. */
static void add_regions(const struct cc_predict_schedule *s, struct cc_result *r)
{
    struct cc_col cols[CC_COUNT(region_cols)];
    memcpy(cols, region_cols, sizeof cols);
    if (!s->dma.transfers)
        cols[REGION_PARTS + CC_PART_TRANSFER].title = NULL;
    cc_result_note(r, "regions on %u core%s:", s->processors, s->processors == 1 ? "" : "s");
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < CC_MIN(s->nregions, (size_t)MAX_REGIONS); i++) {
        put_region(t, &s->regions[i], CC_TICKS_TO_F64(s->time));
        put_parts(t, s->regions[i].stack, s->regions[i].time);
    }
    if (s->nregions > MAX_REGIONS)
        cc_result_note(r, "%zu more regions: --full or --json", s->nregions - MAX_REGIONS);
}

/* --- schedules --- */

enum { COL_LOW = 2, COL_HIGH, COL_GAIN = 9, COL_PARTS, COL_ENERGY = 25, COL_POWER = 33 };

static const struct cc_col schedule_cols[] = {
    {"processors", "cores", CC_COL_INT},
    {"time", "time", CC_COL_INT},
    [COL_LOW] = {"time_low", "low", CC_COL_INT},
    [COL_HIGH] = {"time_high", "high", CC_COL_INT},
    {"coverage", NULL, CC_COL_NUM, .meaning = "of the interval from time_low to time_high"},
    {"seconds", NULL, CC_COL_NUM},
    {"speedup", "speed-up", CC_COL_NUM, 2},
    {"amdahl", "amdahl", CC_COL_NUM, 2},
    {"efficiency", "efficiency", CC_COL_PERCENT, 1},
    [COL_GAIN] = {"gain", "with blocks", CC_COL_NUM, 2},
    PART_COLS("seq"), /* from COL_PARTS on */
    {"dma.transfers", NULL, CC_COL_INT},
    {"dma.bytes", NULL, CC_COL_NUM},
    {"dma.read_busy", NULL, CC_COL_NUM},
    {"dma.write_busy", NULL, CC_COL_NUM},
    {"offload.kernels", NULL, CC_COL_INT},
    {"offload.bytes", NULL, CC_COL_NUM},
    {"offload.busy", NULL, CC_COL_NUM},
    [COL_ENERGY] = {"energy.total", "energy J", CC_COL_NUM, 3},
    {"energy.fixed", NULL, CC_COL_NUM},
    {"energy.busy", NULL, CC_COL_NUM},
    {"energy.waiting", NULL, CC_COL_NUM},
    {"energy.accesses", NULL, CC_COL_NUM},
    {"energy.transfers", NULL, CC_COL_NUM},
    {"energy.units", NULL, CC_COL_NUM},
    {"regions", NULL, CC_COL_TABLE, .sub = region_cols, .nsub = CC_COUNT(region_cols)},
    [COL_POWER] = {NULL, "power W", CC_COL_NUM, 3},
};

/* What never occurs needs no column, and energies one unit. Returns what joules are multiplied by. */
static double choose_columns(const struct cc_predict_outcome *o, size_t ncores, struct cc_col *cols)
{
    static const char *const units[] = {"energy J", "energy mJ", "energy uJ", "energy nJ"};
    bool spread = false, blocks = false;
    double most[CC_PARTS] = {0}, largest = 0, scale = 1;
    for (size_t i = 0; i < ncores; i++) {
        const struct cc_predict_schedule *s = &o->schedules[i];
        spread = spread || s->time_low != s->time_high;
        blocks = blocks || s->blocks;
        for (int k = 0; k < CC_PARTS; k++)
            most[k] = fmax(most[k], s->stack[k]);
        largest = fmax(largest, s->energy.total);
    }
    if (!blocks)
        cols[COL_GAIN].title = NULL;
    if (!spread)
        cols[COL_LOW].title = cols[COL_HIGH].title = NULL;
    for (int k = 0; k < CC_PARTS; k++)
        if (most[k] == 0)
            cols[COL_PARTS + k].title = NULL;
    size_t unit = 0;
    for (; unit + 1 < CC_COUNT(units) && largest * scale < 1; unit++)
        scale *= 1000;
    bool known = o->schedules[0].energy.known;
    cols[COL_ENERGY].title = known ? units[unit] : NULL;
    if (!known || o->seconds <= 0)
        cols[COL_POWER].title = NULL;
    return scale;
}

static void put_dma(struct cc_table *t, const struct cc_predict_dma *d)
{
    if (!d->transfers) {
        cc_table_no_object(t);
        return;
    }
    cc_table_u64(t, d->transfers);
    cc_table_num(t, d->bytes);
    cc_table_num(t, d->busy[0]);
    cc_table_num(t, d->busy[1]);
}

static void put_offload(struct cc_table *t, const struct cc_predict_offload *o)
{
    if (!o->kernels) {
        cc_table_no_object(t);
        return;
    }
    cc_table_u64(t, o->kernels);
    cc_table_num(t, o->bytes);
    cc_table_num(t, o->busy);
}

static void put_energy(struct cc_table *t, const struct cc_predict_energy *e, double scale)
{
    if (!e->known) {
        cc_table_no_object(t);
        return;
    }
    const double parts[] = {e->fixed, e->busy, e->waiting, e->accesses, e->transfers, e->units};
    cc_table_num(t, e->total);
    cc_table_show(t, "%.3f", e->total * scale);
    for (size_t i = 0; i < CC_COUNT(parts); i++)
        cc_table_num(t, parts[i]);
}

static void add_schedules(const struct cc_predict_outcome *o, size_t ncores, struct cc_result *r)
{
    struct cc_col cols[CC_COUNT(schedule_cols)];
    memcpy(cols, schedule_cols, sizeof cols);
    double scale = choose_columns(o, ncores, cols);
    struct cc_table *t = cc_result_table(r, "schedules", cols, CC_COUNT(cols));
    for (size_t i = 0; i < ncores; i++) {
        const struct cc_predict_schedule *s = &o->schedules[i];
        double time = CC_TICKS_TO_F64(s->time), seconds = time * o->seconds;
        cc_table_row(t);
        cc_table_u64(t, s->processors);
        cc_table_num(t, time);
        cc_table_num(t, CC_TICKS_TO_F64(s->time_low));
        cc_table_num(t, CC_TICKS_TO_F64(s->time_high));
        cc_table_num(t, s->coverage > 0 ? s->coverage : NAN);
        cc_table_num(t, o->seconds > 0 ? seconds : NAN);
        cc_table_num(t, s->speedup);
        cc_table_num(t, s->amdahl);
        cc_table_num(t, s->efficiency);
        cc_table_num(t, s->gain);
        put_parts(t, s->stack, time);
        put_dma(t, &s->dma);
        put_offload(t, &s->offload);
        put_energy(t, &s->energy, scale);
        put_regions(cc_table_sub(t), s);
        cc_table_num(t, seconds > 0 ? s->energy.total / seconds : NAN);
    }
}

/* --- scenarios --- */

static void add_parameters(const struct cc_predict_setting *setting, struct cc_result *r)
{
    cc_result_obj(r, "parameters");
    for (size_t a = 0; a < setting->n; a++) {
        const char *text = setting->assignments[a], *eq = strchr(text, '=');
        CC_CLEANUP(cc_free_ptr) char *name = cc_strndup(text, (size_t)(eq - text));
        double v;
        if (cc_parse_f64(eq + 1, &v))
            cc_result_num(r, name, v);
        else
            cc_result_str(r, name, eq + 1);
    }
    cc_result_end(r);
}

/* With the trace of lines, code takes the cycles of its instructions and not one each. */
static const char *clock_of(const struct cc_predict_result *r, const struct cc_htg *h)
{
    return r->n && r->outcomes[0].contention == CC_CONTENTION_LOCALITY ? "cycles" : h->clock;
}

static void add_sequential(const struct cc_predict_outcome *o, const char *clock, struct cc_result *r)
{
    double time = CC_TICKS_TO_F64(o->sequential);
    cc_result_num(r, "sequential_time", time);
    struct cc_buf b = {0};
    CC_CLEANUP(cc_free_ptr) char *ticks = cc_predict_whole(time);
    cc_buf_printf(&b, "%s%s: sequential time %s %s", *o->setting->label ? ", " : "", o->setting->label, ticks,
                  clock);
    if (o->seconds > 0)
        cc_buf_printf(&b, " (%.4g s)", time * o->seconds);
    cc_result_note(r, "scenario %s%s", o->scenario->name, b.s);
    cc_buf_fini(&b);
    const struct cc_predict_energy *e = &o->energy;
    if (!e->known) {
        cc_result_null(r, "sequential_energy");
        return;
    }
    cc_result_obj(r, "sequential_energy");
    cc_result_num(r, "total", e->total);
    cc_result_num(r, "fixed", e->fixed);
    cc_result_num(r, "busy", e->busy);
    cc_result_num(r, "waiting", e->waiting);
    cc_result_num(r, "accesses", e->accesses);
    cc_result_num(r, "transfers", e->transfers);
    cc_result_end(r);
}

struct cc_result *cc_predict_show(const struct cc_predict_result *p, const struct cc_htg *h, bool full)
{
    struct cc_result *r = cc_result_new("corecast.predict", 1);
    const char *clock = clock_of(p, h);
    cc_result_str(r, "clock", clock);
    cc_result_u64(r, "tasks", h->tasks);
    cc_result_arr(r, "scenarios");
    for (size_t i = 0; i < p->n; i++) {
        const struct cc_predict_outcome *o = &p->outcomes[i];
        const struct cc_predict_schedule *last = &o->schedules[p->ncores - 1];
        cc_result_obj(r, NULL);
        cc_result_gap(r);
        cc_result_str(r, "name", o->scenario->name);
        add_parameters(o->setting, r);
        add_sequential(o, clock, r);
        cc_result_str(r, "contention_model", cc_contention_names[o->contention]);
        add_schedules(o, p->ncores, r);
        for (size_t c = 0; full && c < p->ncores; c++)
            cc_predict_show_full(&o->schedules[c], clock, r);
        if (!full && last->nregions)
            add_regions(last, r);
        cc_result_end(r);
    }
    cc_result_end(r);
    cc_assumed_show(p->assumed, p->nassumed, r);
    return r;
}

/* --- the tasks of the trace --- */

/* Text shows a tree that a person can read; data have every row. */
enum { MAX_DEPTH = 64, MAX_ROWS = 10000 };

struct cc_result *cc_predict_show_tasks(const struct cc_htg *h)
{
    static const struct cc_col cols[] = {
        {"name", "task", CC_COL_STR, .tree = true},
        {"id", NULL, CC_COL_INT},
        {"parent", NULL, CC_COL_INT},
        {"depth", NULL, CC_COL_INT},
        {"calls", "calls", CC_COL_INT},
        {"cumulative", "cumulative", CC_COL_INT},
        {"average", "average", CC_COL_NUM, 1},
        {"self", "self", CC_COL_INT},
        {"average_self", "average self", CC_COL_NUM, 1},
    };
    struct cc_result *result = cc_result_new("corecast.profile", 1);
    CC_CLEANUP(cc_free_ptr) char *total = cc_predict_whole((double)h->nodes[0].len);
    cc_result_str(result, "clock", h->clock);
    cc_result_u64(result, "tasks", h->tasks);
    cc_result_u64(result, "time", h->nodes[0].len);
    cc_result_note(result, "profile of the sequential run: %llu tasks, %s %s", (unsigned long long)h->tasks,
                   total, h->clock);
    struct cc_table *t = cc_result_table(result, "rows", cols, CC_COUNT(cols));
    CC_CLEANUP(cc_free_ptr) struct cc_htg_profile_row *rows = NULL;
    size_t n = cc_htg_profile(h, &rows), left_out = 0;
    CC_CLEANUP(cc_free_ptr) size_t *at = cc_alloc_array(n + 1, sizeof *at);
    for (size_t i = 0; i < n; i++) {
        const struct cc_htg_profile_row *r = &rows[i];
        bool shown = r->depth <= MAX_DEPTH && i - left_out < MAX_ROWS;
        left_out += !shown;
        at[i] = cc_table_row_under(t, r->parent == SIZE_MAX ? SIZE_MAX : at[r->parent]);
        cc_table_row_only(t, shown ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        cc_table_str(t, h->names[r->name]);
        cc_table_u64(t, i);
        cc_table_u64_if(t, r->parent != SIZE_MAX, r->parent);
        cc_table_u64(t, r->depth);
        cc_table_u64(t, r->calls);
        cc_table_u64(t, r->cumulative);
        cc_table_num(t, (double)r->cumulative / (double)r->calls);
        cc_table_u64(t, r->self);
        cc_table_num(t, (double)r->self / (double)r->calls);
    }
    if (left_out)
        cc_result_note(result, "%zu deeper or further rows are left out; --json has them all", left_out);
    return result;
}
