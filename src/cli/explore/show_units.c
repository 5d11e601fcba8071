/* What goes to other units, and what stays, as tables. */
#include "units.h"

#include <math.h>

const struct cc_col cc_explore_move_cols[CC_EXPLORE_MOVE_COLS] = {
    {"name", NULL, CC_COL_STR, .meaning = "a function, or a loop as FUNCTION:LINE"},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"unit", NULL, CC_COL_STR},
    {"kind", NULL, CC_COL_STR, .meaning = "of the unit; fpga: it becomes a block of logic"},
    {"cores", NULL, CC_COL_NUM, .meaning = "of the unit"},
    {"calls", NULL, CC_COL_NUM},
    {"bytes", NULL, CC_COL_NUM, .meaning = "in and out, of the whole run, if it goes there alone"},
    {"seconds", NULL, CC_COL_NUM, .meaning = "on the unit, of the whole run"},
    {"seconds_low", NULL, CC_COL_NUM, .meaning = "the least it may take on the unit"},
    {"seconds_high", NULL, CC_COL_NUM, .meaning = "the most it may take on the unit"},
    {"share", NULL, CC_COL_NUM, .meaning = "of the sequential run: what it takes on the cores"},
    {"saves", NULL, CC_COL_NUM, .meaning = "share of the sequential run, transfers paid"},
    {"saves_low", NULL, CC_COL_NUM, .meaning = "the same if it takes the longest"},
};

const struct cc_col cc_explore_area_cols[CC_EXPLORE_AREA_COLS] = {
    {"measure", NULL, CC_COL_STR},
    {"value", NULL, CC_COL_NUM,
     .meaning = "what the blocks of the plan take of the device, in the units of the measure"},
    {"low", NULL, CC_COL_NUM, .meaning = "the least they may take"},
    {"high", NULL, CC_COL_NUM, .meaning = "the most they may take"},
    {"share", NULL, CC_COL_NUM, .meaning = "of the device"},
};

static double least_saved(const struct exploration *x, const struct cc_explore_move *m)
{
    return m->saved - (m->high - m->seconds) / x->devices->in->seconds;
}

static void put_area(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan)
{
    const struct cc_devices *d = x->devices;
    for (size_t i = 0; plan->nmoves && plan->moves[0].logic && i < d->nmeasures; i++) {
        const char *name = d->model->measures[d->measure[i]].name;
        struct cc_devices_area sum = cc_devices_area(d, plan, i);
        cc_table_row(t);
        cc_table_str(t, name);
        cc_table_num(t, sum.value);
        cc_table_num(t, sum.low);
        cc_table_num(t, sum.high);
        cc_table_num(t, sum.value / cc_area_device_capacity(d->part, name));
    }
}

void cc_explore_put_moves(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan)
{
    cc_table_str(t, plan->unwritten);
    struct cc_table *sub = cc_table_sub(t);
    for (size_t i = 0; i < plan->nmoves; i++) {
        const struct cc_explore_move *m = &plan->moves[i];
        cc_table_row(sub);
        cc_table_str(sub, m->name);
        cc_table_str(sub, m->file);
        cc_table_u64(sub, m->line);
        cc_table_str(sub, m->unit);
        cc_table_str(sub, m->kind);
        cc_table_num(sub, m->cores);
        cc_table_num(sub, m->calls);
        cc_table_num(sub, m->bytes);
        cc_table_num(sub, m->seconds);
        cc_table_num(sub, m->low);
        cc_table_num(sub, m->high);
        cc_table_num(sub, m->share);
        cc_table_num(sub, m->saved);
        cc_table_num(sub, least_saved(x, m));
    }
    put_area(x, cc_table_sub(t), plan);
}

static void show_area(struct exploration *x, const struct cc_explore_plan *plan, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "logic", CC_COL_STR},
        {NULL, "estimate", CC_COL_NUM, 0},
        {NULL, "from", CC_COL_NUM, 0},
        {NULL, "to", CC_COL_NUM, 0},
        {NULL, "of the device", CC_COL_PERCENT, 2},
    };
    if (!plan->moves[0].logic)
        return;
    cc_result_note(r, "of %s, with intervals of 90 %%:", x->devices->part->name);
    put_area(x, cc_result_table(r, NULL, cols, CC_COUNT(cols)), plan);
    cc_result_note(r, "its cycles take %.3g ns, that of the model or of the unit, whichever is longer",
                   1e9 * x->devices->cycle);
}

void cc_explore_show_moves(struct exploration *x, size_t at, struct cc_result *r)
{
    static const struct cc_col cols[] = {{NULL, "moves", CC_COL_STR},    {NULL, "to", CC_COL_STR},
                                         {NULL, "calls", CC_COL_NUM, 0}, {NULL, "bytes", CC_COL_NUM, 0},
                                         {NULL, "takes", CC_COL_STR},    {NULL, "from", CC_COL_STR},
                                         {NULL, "up to", CC_COL_STR},    {NULL, "saves", CC_COL_PERCENT, 1}};
    const struct cc_explore_plan *plan = &x->r.plans.v[at];
    if (!plan->nmoves)
        return;
    cc_result_note(r, "plan %zu, what goes to %s:", at + 1, plan->moves[0].unit);
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < plan->nmoves; i++) {
        const struct cc_explore_move *m = &plan->moves[i];
        cc_table_row(t);
        cc_table_str(t, m->name);
        cc_table_str(t, m->unit);
        cc_table_num(t, m->calls);
        cc_table_num(t, m->bytes);
        cc_table_str(t, cc_explore_duration(x, m->seconds, 1));
        cc_table_str(t, cc_explore_duration(x, m->low, 1));
        cc_table_str(t, cc_explore_duration(x, m->high, 1));
        cc_table_num(t, m->saved);
    }
    show_area(x, plan, r);
}

/* --- what stays --- */

static const struct cc_col left_cols[] = {
    {"name", "stays on the cores", CC_COL_STR},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"unit", "not on", CC_COL_STR, .meaning = "null: on none"},
    {"share", "share", CC_COL_PERCENT, 1},
    {"reason", "because", CC_COL_STR, .wrap = 72},
};

static void put_left(struct cc_table *t, const struct cc_source_function *f, const char *unit, double share,
                     const char *why)
{
    cc_table_row(t);
    cc_table_str(t, f->name);
    cc_table_str(t, f->file);
    cc_table_u64(t, f->line);
    cc_table_str(t, unit);
    cc_table_num(t, share);
    cc_table_str(t, why);
}

static const char *why_unfit(struct exploration *x, const struct cc_source_function *f)
{
    struct cc_buf b = {0};
    for (size_t i = 0; i < f->nunfit && i < 3; i++)
        cc_buf_printf(&b, "%s%s at line %u%s%s%s", i ? "; " : "", cc_unfit_name(f->unfit[i].kind),
                      f->unfit[i].line, *f->unfit[i].detail ? " (" : "", f->unfit[i].detail,
                      *f->unfit[i].detail ? ")" : "");
    const char *text = cc_arena_strdup(&x->arena, b.s ? b.s : "it cannot run by itself");
    cc_buf_fini(&b);
    return text;
}

/* Functions and loops that no unit can take as they stand. */
static void put_unfit(struct exploration *x, struct cc_table *t, double least)
{
    const struct cc_devices *d = x->devices;
    for (size_t i = 0; i < d->in->nleft; i++) {
        const struct cc_cut_left *l = &d->in->left[i];
        const struct cc_source_function *f = NULL;
        for (size_t k = 0; k < d->sources->functions.n && !f; k++)
            f = d->sources->functions.v[k].name == l->name ? &d->sources->functions.v[k] : NULL;
        if (!f || l->share < least || strcmp(f->name, "main") == 0)
            continue;
        const char *why = f->refused  ? cc_arena_printf(&x->arena, "not measured: %s", f->refused)
                          : f->nunfit ? why_unfit(x, f)
                                      : l->why;
        put_left(t, f, NULL, l->share, why);
    }
}

/* Functions that were recorded and have no source. */
static void put_unread(struct exploration *x, struct cc_table *t, double least)
{
    const struct cc_devices *d = x->devices;
    for (size_t i = 1; i < x->p->nfunctions; i++) {
        const struct cc_pfunction *f = &x->p->functions[i];
        double share = (double)f->exclusive / (double)CC_MAX(x->p->instructions, UINT64_C(1));
        bool found = share < least || strcmp(f->name, "main") == 0;
        for (size_t k = 0; k < d->sources->functions.n && !found; k++)
            found = cc_area_same_function(f->name, d->sources->functions.v[k].name);
        if (found)
            continue;
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->file);
        cc_table_u64_if(t, f->line > 0, f->line);
        cc_table_str(t, NULL);
        cc_table_num(t, share);
        cc_table_str(t, f->library ? "it belongs to a library: its source was not read"
                                   : "its source was not found, or was changed since the recording");
    }
}

static bool is_moved(const struct exploration *x, const struct cc_source_function *f, const char *unit)
{
    for (size_t i = 0; i < x->r.plans.n; i++)
        for (size_t k = 0; k < x->r.plans.v[i].nmoves; k++) {
            const struct cc_explore_move *m = &x->r.plans.v[i].moves[k];
            if (m->unit == unit && m->name == f->name && m->line == f->line)
                return true;
        }
    return false;
}

static const char *not_worth(struct exploration *x, const struct cc_device *v, uint32_t k)
{
    const struct cc_offload_kernel *from = &v->kernels[k];
    double before = cc_cut_time(&v->cut, 0), after = cc_cut_time(&v->cut, UINT64_C(1) << k);
    double way = from->bytes * v->cut.byte_seconds + from->calls * v->cut.call_seconds;
    if (after < before * (1 - x->rq.min_gain))
        return NULL; /* it is worth it; another choice is better */
    return cc_arena_printf(&x->arena, "it would take %s there, and %s for %.0f call%s and %.3g bytes",
                           cc_explore_duration(x, from->calls * from->middle, 1),
                           cc_explore_duration(x, way, 1), from->calls, from->calls == 1 ? "" : "s",
                           from->bytes);
}

static void put_unable(struct exploration *x, struct cc_table *t, const struct cc_device *v, double least)
{
    const struct cc_devices *d = x->devices;
    for (uint32_t k = 0; k < d->in->nkernels && !v->why; k++) {
        const struct cc_cut_kernel *kernel = &d->in->kernels[k];
        if (kernel->share < least || is_moved(x, kernel->f, v->unit->name))
            continue;
        const char *why = v->kernels[k].why ? v->kernels[k].why : not_worth(x, v, k);
        if (why)
            put_left(t, kernel->f, v->unit->name, kernel->share, why);
        if (why && cc_devices_is_inner(d, k))
            cc_table_row_only(t, CC_ROW_DATA);
    }
}

void cc_explore_show_left(struct exploration *x, struct cc_result *r)
{
    const struct cc_devices *d = x->devices;
    double least = cc_explore_least(x);
    struct cc_table *t = cc_result_table(r, "left", left_cols, CC_COUNT(left_cols));
    if (!d || !d->in)
        return;
    for (size_t i = 0; i < d->n; i++)
        if (d->v[i].why)
            cc_result_note(r, "nothing goes to %s: %s", d->v[i].unit->name, d->v[i].why);
    put_unfit(x, t, least);
    put_unread(x, t, least);
    for (size_t i = 0; i < d->n; i++)
        put_unable(x, t, &d->v[i], least);
}

const char *cc_explore_units_untried(const struct exploration *x)
{
    return x->devices ? x->devices->why : NULL;
}
