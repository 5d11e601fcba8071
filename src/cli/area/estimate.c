/* corecast area estimate FILE… --model MODEL: hardware measures of each function beside its share of the run.
 */
#include "area.h"
#include "inputs.h"

#include <math.h>

static void put_note(struct cc_table *t, const struct cc_area_inputs *in, const struct cc_area_row *r,
                     const struct cc_area_cell *c, const char *measure)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    if (c->additive && c->sum > cc_area_device_capacity(in->device, measure))
        cc_buf_puts(&b,
                    c->e.value > cc_area_device_capacity(in->device, measure) ? "too large; " : "no room; ");
    if (c->e.outside)
        cc_buf_printf(&b, "extrapolated (%s); ", c->e.outside_metric ? c->e.outside_metric : "combination");
    if (in->unrolled && r->f->m[CC_M_loops] > 0)
        cc_buf_printf(&b, "unrolled %lld: extrapolated; ", (long long)in->unroll);
    if (in->pipelined && r->f->m[CC_M_loops] > 0)
        cc_buf_puts(&b, "pipelined: extrapolated; ");
    if (r->f->nunfit)
        cc_buf_puts(&b, "unfit: in no sum; ");
    if (!c->additive && r->f->untold)
        cc_buf_puts(&b, "trip counts unknown; ");
    if (in->shares && isnan(r->share))
        cc_buf_puts(&b, in->profiled ? "not recorded (inlined or never called); " : "no share; ");
    if (b.n >= 2)
        b.s[b.n - 2] = 0;
    cc_table_str(t, b.s);
    cc_buf_fini(&b);
}

/* One function, one measure. */
#define FIGURES                                                                                              \
    {"value", "estimate", CC_COL_NUM, .digits = 0}, {"low", "from", CC_COL_NUM, .digits = 0},                \
        {"high", "to", CC_COL_NUM, .digits = 0}, {"device_share", "of device", CC_COL_PERCENT, .digits = 1}, \
        {"cumulative", "sum", CC_COL_NUM, .digits = 0}, {"cumulative_low", NULL, CC_COL_NUM},                \
        {"cumulative_high", NULL, CC_COL_NUM},                                                               \
    {                                                                                                        \
        "cumulative_share", "of device", CC_COL_PERCENT, .digits = 1                                         \
    }

/* The form of a partitioning table: area and its sum, then share of the run and what leaving it out would
 * bring. Text has one a measure; CSV all of them in one. */
static const struct cc_col row_columns[] = {
    {"function", "function", CC_COL_STR},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"measure", NULL, CC_COL_STR},
    {"unit", NULL, CC_COL_STR},
    FIGURES,
    {"share", "share of run", CC_COL_PERCENT, .digits = 2},
    {"speedup", "speed-up", CC_COL_NUM, .digits = 2},
    {"cumulative_speedup", "together", CC_COL_NUM, .digits = 2},
    {"note", "note", CC_COL_STR},
};

/* JSON has the measures inside the functions. */
static const struct cc_col estimate_columns[] = {
    {"measure", NULL, CC_COL_STR},
    FIGURES,
    {"zero_probability", NULL, CC_COL_PERCENT},
    {"extrapolated", NULL, CC_COL_BOOL},
    {"outside_metric", NULL, CC_COL_STR},
};

static const struct cc_col function_columns[] = {
    {"name", NULL, CC_COL_STR},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"share", NULL, CC_COL_PERCENT},
    {"speedup", NULL, CC_COL_NUM},
    {"cumulative_speedup", NULL, CC_COL_NUM},
    {"fits", NULL, CC_COL_BOOL},
    {"trips_unknown", NULL, CC_COL_INT},
    {"estimates", NULL, CC_COL_TABLE, .sub = estimate_columns, .nsub = CC_COUNT(estimate_columns)},
    {"unfit", NULL, CC_COL_TABLE, .sub = cc_area_unfit_columns, .nsub = CC_AREA_UNFIT_COLUMNS},
};

static void put_figures(struct cc_table *t, const struct cc_area_cell *c)
{
    cc_table_num(t, c->e.value);
    cc_table_num(t, c->e.low);
    cc_table_num(t, c->e.high);
    cc_table_num(t, c->share);
    cc_table_num(t, c->sum);
    cc_table_num(t, c->sum_low);
    cc_table_num(t, c->sum_high);
    cc_table_num(t, c->sum_share);
}

static void put_rows(struct cc_table *t, const struct cc_area_inputs *in, size_t k)
{
    const struct cc_area_model_measure *m = &in->model->measures[k];
    for (size_t i = 0; i < in->estimate->n; i++) {
        const struct cc_area_row *r = &in->estimate->rows[i];
        cc_table_row(t);
        cc_table_str(t, r->f->name);
        cc_table_str(t, r->f->file);
        cc_table_u64(t, r->f->line);
        cc_table_str(t, m->name);
        cc_table_str(t, m->unit);
        put_figures(t, &r->cells[k]);
        cc_table_num(t, r->share);
        cc_table_num(t, r->speedup);
        cc_table_num(t, r->cumulative);
        put_note(t, in, r, &r->cells[k], m->name);
    }
}

static void describe_measure(struct cc_result *r, const struct cc_area_inputs *in, size_t k)
{
    const struct cc_area_model_measure *m = &in->model->measures[k];
    double capacity = cc_area_device_capacity(in->device, m->name);
    struct cc_buf b = {0};
    cc_buf_puts(&b, m->name);
    if (*m->unit && strcmp(m->unit, m->name) != 0)
        cc_buf_printf(&b, " (%s)", m->unit);
    cc_buf_printf(&b, ", %g %% interval", in->confidence * 100);
    if (!isnan(capacity))
        cc_buf_printf(&b, "; %g on %s", capacity, in->device->name);
    cc_result_note(r, "%s; model's error on kernels left out: median %.0f %%, factor %.2f", b.s,
                   100 * m->left_out.median_abs, m->left_out.factor);
    cc_buf_fini(&b);
}

static void add_measures(struct cc_result *r, const struct cc_area_inputs *in)
{
    static const struct cc_col cols[] = {
        {"name", NULL, CC_COL_STR}, {"unit", NULL, CC_COL_STR}, {"capacity", NULL, CC_COL_NUM}};
    struct cc_table *t = cc_result_table(r, "measures", cols, CC_COUNT(cols));
    for (size_t k = 0; k < in->model->nmeasures; k++) {
        cc_table_row(t);
        cc_table_str(t, in->model->measures[k].name);
        cc_table_str(t, in->model->measures[k].unit);
        cc_table_num(t, cc_area_device_capacity(in->device, in->model->measures[k].name));
    }
}

static void add_functions(struct cc_result *r, const struct cc_area_inputs *in)
{
    struct cc_table *t = cc_result_table(r, "functions", function_columns, CC_COUNT(function_columns));
    for (size_t i = 0; i < in->estimate->n; i++) {
        const struct cc_area_row *row = &in->estimate->rows[i];
        cc_table_row(t);
        cc_table_str(t, row->f->name);
        cc_table_str(t, row->f->file);
        cc_table_u64(t, row->f->line);
        cc_table_num(t, row->share);
        cc_table_num(t, row->speedup);
        cc_table_num(t, row->cumulative);
        if (in->device)
            cc_table_bool(t, row->fits);
        else
            cc_table_null(t);
        cc_table_u64(t, row->f->untold);
        struct cc_table *estimates = cc_table_sub(t);
        for (size_t k = 0; k < in->model->nmeasures; k++) {
            cc_table_row(estimates);
            cc_table_str(estimates, in->model->measures[k].name);
            put_figures(estimates, &row->cells[k]);
            cc_table_num(estimates, row->cells[k].e.zero);
            cc_table_bool(estimates, row->cells[k].e.outside ||
                                         ((in->unrolled || in->pipelined) && row->f->m[CC_M_loops] > 0));
            cc_table_str(estimates, row->cells[k].e.outside_metric);
        }
        cc_area_put_unfit(t, row->f);
    }
}

static struct cc_result *build(const struct cc_area_inputs *in, bool csv)
{
    struct cc_result *r = cc_result_new("corecast.area.estimate", 1);
    struct cc_table *t = csv ? cc_result_table(r, "rows", row_columns, CC_COUNT(row_columns)) : NULL;
    cc_area_add_scope(r, in);
    for (size_t k = 0; k < in->model->nmeasures; k++) {
        if (in->estimate->n > 0)
            describe_measure(r, in, k);
        if (!csv)
            t = cc_result_table(r, NULL, row_columns, CC_COUNT(row_columns));
        put_rows(t, in, k);
    }
    cc_result_num(r, "confidence", in->confidence);
    cc_result_str(r, "device", in->device ? in->device->name : NULL);
    add_measures(r, in);
    add_functions(r, in);
    bool heading = false;
    for (size_t i = 0; i < in->estimate->n; i++)
        cc_area_add_unfit(r, in->estimate->rows[i].f, &heading);
    cc_area_add_refused(r, in->sources);
    cc_result_num(r, "matched_share", in->estimate->matched_share);
    return r;
}

static void notes(const struct cc_area_options *o, const struct cc_area_inputs *in)
{
    for (size_t k = 0; k < in->model->nmeasures; k++)
        if (in->model->measures[k].r2_left_out < 0.5)
            cc_note(&o->common, "the model of '%s' says little about kernels it has not seen (R2 %.2f)",
                    in->model->measures[k].name, in->model->measures[k].r2_left_out);
    if (in->device)
        for (size_t k = 0; k < in->model->nmeasures; k++)
            if (isnan(cc_area_device_capacity(in->device, in->model->measures[k].name)))
                cc_note(&o->common, "the device gives no capacity for '%s'", in->model->measures[k].name);
    bool untold = false;
    for (size_t i = 0; i < in->estimate->n; i++)
        untold |= in->estimate->rows[i].f->untold > 0;
    if (untold && in->profile && !in->profile->loops_known)
        cc_note(&o->common,
                "the recording has no loops: with 'record --loops count' it would tell trip counts");
    if (!in->shares)
        return;
    cc_note(&o->common, "%.1f %% of the run is in functions of the source given",
            100 * in->estimate->matched_share);
    for (size_t i = 0; i < in->estimate->nunmatched; i++)
        cc_note(&o->common, "not in the source given: '%s'", in->estimate->unmatched[i]);
}

int cc_area_estimate(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_area_options *o = options;
    struct cc_area_inputs in = {0};
    int rc = cc_area_inputs_load(o, operands, &in, err);
    if (rc == 0)
        rc = cc_area_show(&o->common, build(&in, o->common.csv), err);
    if (rc == 0)
        notes(o, &in);
    if (rc == 0 && in.estimate->n == 0) {
        cc_note(&o->common, "no function could be measured");
        rc = 1;
    }
    cc_area_inputs_fini(&in);
    return rc;
}
