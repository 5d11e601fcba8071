/* corecast area estimate FILE… --model MODEL: hardware measures of each function beside its share of the run.
 */
#include "area.h"
#include "../../analysis/area/estimate.h"

#include <math.h>

struct inputs {
    struct cc_area_model *model;
    struct cc_area_device *device;
    struct cc_area_shares *shares;
    struct cc_sources *sources;
    struct cc_area_estimate *estimate;
    double confidence;
};

static int load_inputs(struct cc_area_options *o, const struct cc_strs *operands, struct inputs *in,
                       struct cc_err *err)
{
    in->confidence = CC_GIVEN(o, confidence) ? o->confidence : 0.9;
    int rc = cc_area_model_load(o->model, &in->model, err);
    if (rc == 0 && o->device)
        rc = cc_area_device_load(o->device, &in->device, err);
    if (rc == 0 && o->shares)
        rc = cc_area_shares_load(o->shares, &in->shares, err);
    if (rc == 0 && o->profile)
        rc = cc_area_shares_from_profile(o->profile, &in->shares, err);
    if (rc == 0)
        rc = cc_area_sources(o, operands, &in->sources, err);
    if (rc < 0) {
        in->sources = NULL; /* freed where it failed */
        return rc;
    }
    return cc_area_estimate_all(&(struct cc_area_estimate_request){.sources = in->sources,
                                                                   .model = in->model,
                                                                   .shares = in->shares,
                                                                   .device = in->device,
                                                                   .confidence = in->confidence,
                                                                   .hot = o->order == 0},
                                &in->estimate, err);
}

static void inputs_fini(struct inputs *in)
{
    cc_area_estimate_free(in->estimate);
    cc_sources_free(in->sources);
    cc_area_shares_free(in->shares);
    cc_area_device_free(in->device);
    cc_area_model_free(in->model);
}

static void put_note(struct cc_table *t, const struct inputs *in, const struct cc_area_row *r,
                     const struct cc_area_cell *c, const char *measure)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    if (c->additive && c->sum > cc_area_device_capacity(in->device, measure))
        cc_buf_puts(&b,
                    c->e.value > cc_area_device_capacity(in->device, measure) ? "too large; " : "no room; ");
    if (c->e.outside)
        cc_buf_printf(&b, "extrapolated (%s); ", c->e.outside_metric ? c->e.outside_metric : "combination");
    if (r->f->nunfit)
        cc_buf_puts(&b, "unfit; ");
    if (b.n >= 2)
        b.s[b.n - 2] = 0;
    cc_table_str(t, b.s);
    cc_buf_fini(&b);
}

/* The form of a partitioning table: area and its sum, then share of the run and what leaving it out would
 * bring. */
static struct cc_table *measure_table(const struct inputs *in, size_t k)
{
    static const struct cc_col cols[] = {
        {"function", "function", CC_COL_STR},
        {"file", NULL, CC_COL_STR},
        {"line", NULL, CC_COL_INT},
        {"measure", NULL, CC_COL_STR},
        {"unit", NULL, CC_COL_STR},
        {"value", "estimate", CC_COL_NUM, .digits = 0},
        {"low", "from", CC_COL_NUM, .digits = 0},
        {"high", "to", CC_COL_NUM, .digits = 0},
        {"device_share", "of device", CC_COL_PERCENT, .digits = 1},
        {"cumulative", "sum", CC_COL_NUM, .digits = 0},
        {"cumulative_low", NULL, CC_COL_NUM},
        {"cumulative_high", NULL, CC_COL_NUM},
        {"cumulative_share", "of device", CC_COL_PERCENT, .digits = 1},
        {"share", "share of run", CC_COL_PERCENT, .digits = 2},
        {"speedup", "speed-up", CC_COL_NUM, .digits = 2},
        {"cumulative_speedup", "together", CC_COL_NUM, .digits = 2},
        {"note", "note", CC_COL_STR},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    const struct cc_area_model_measure *m = &in->model->measures[k];
    for (size_t i = 0; i < in->estimate->n; i++) {
        const struct cc_area_row *r = &in->estimate->rows[i];
        const struct cc_area_cell *c = &r->cells[k];
        cc_table_row(t);
        cc_table_str(t, r->f->name);
        cc_table_str(t, r->f->file);
        cc_table_int(t, r->f->line);
        cc_table_str(t, m->name);
        cc_table_str(t, m->unit);
        cc_table_num(t, c->e.value);
        cc_table_num(t, c->e.low);
        cc_table_num(t, c->e.high);
        cc_table_num(t, c->share);
        cc_table_num(t, c->sum);
        cc_table_num(t, c->sum_low);
        cc_table_num(t, c->sum_high);
        cc_table_num(t, c->sum_share);
        cc_table_num(t, r->share);
        cc_table_num(t, r->speedup);
        cc_table_num(t, r->cumulative);
        put_note(t, in, r, c, m->name);
    }
    return t;
}

static void print_text(const struct inputs *in, FILE *out)
{
    for (size_t k = 0; k < in->model->nmeasures; k++) {
        const struct cc_area_model_measure *m = &in->model->measures[k];
        double capacity = cc_area_device_capacity(in->device, m->name);
        fprintf(out, "%s%s", k ? "\n" : "", m->name);
        if (*m->unit && strcmp(m->unit, m->name) != 0)
            fprintf(out, " (%s)", m->unit);
        fprintf(out, ", %g %% interval", in->confidence * 100);
        if (!isnan(capacity)) {
            fprintf(out, "; %g on ", capacity);
            cc_text_print_safe(out, in->device->name);
        }
        fprintf(out, "; model's error on kernels left out: mean %.0f %%, worst %.0f %%\n",
                100 * m->left_out.mean_abs, 100 * m->left_out.worst);
        struct cc_table *t = measure_table(in, k);
        cc_table_print_text(t, out);
        cc_table_free(t);
    }
    bool heading = false;
    for (size_t i = 0; i < in->estimate->n; i++)
        cc_area_print_unfit(in->estimate->rows[i].f, &heading, out);
    struct cc_table *refused = cc_area_refused(in->sources);
    if (cc_table_rows(refused)) {
        fputc('\n', out);
        cc_table_print_text(refused, out);
    }
    cc_table_free(refused);
}

static void json_cells(struct cc_json *j, const struct inputs *in, const struct cc_area_row *r)
{
    cc_json_arr(j, "estimates");
    for (size_t k = 0; k < in->model->nmeasures; k++) {
        const struct cc_area_cell *c = &r->cells[k];
        cc_json_obj(j, NULL);
        cc_json_str(j, "measure", in->model->measures[k].name);
        cc_json_num(j, "value", c->e.value);
        cc_json_num(j, "low", c->e.low);
        cc_json_num(j, "high", c->e.high);
        cc_json_num(j, "device_share", c->share);
        cc_json_num(j, "cumulative", c->sum);
        cc_json_num(j, "cumulative_low", c->sum_low);
        cc_json_num(j, "cumulative_high", c->sum_high);
        cc_json_num(j, "cumulative_share", c->sum_share);
        cc_json_bool(j, "extrapolated", c->e.outside);
        cc_json_str(j, "outside_metric", c->e.outside_metric);
        cc_json_end(j);
    }
    cc_json_end(j);
}

static void print_json(const struct inputs *in, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.area.estimate", 1);
    cc_json_num(&j, "confidence", in->confidence);
    cc_json_str(&j, "device", in->device ? in->device->name : NULL);
    cc_json_arr(&j, "measures");
    for (size_t k = 0; k < in->model->nmeasures; k++) {
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", in->model->measures[k].name);
        cc_json_str(&j, "unit", in->model->measures[k].unit);
        cc_json_num(&j, "capacity", cc_area_device_capacity(in->device, in->model->measures[k].name));
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_arr(&j, "functions");
    for (size_t i = 0; i < in->estimate->n; i++) {
        const struct cc_area_row *r = &in->estimate->rows[i];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", r->f->name);
        cc_json_str(&j, "file", r->f->file);
        cc_json_u64(&j, "line", r->f->line);
        cc_json_num(&j, "share", r->share);
        cc_json_num(&j, "speedup", r->speedup);
        cc_json_num(&j, "cumulative_speedup", r->cumulative);
        if (in->device)
            cc_json_bool(&j, "fits", r->fits);
        else
            cc_json_null(&j, "fits");
        json_cells(&j, in, r);
        cc_area_unfit_json(&j, r->f);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    struct cc_table *refused = cc_area_refused(in->sources);
    cc_table_print_json(refused, &j, "not_measured");
    cc_table_free(refused);
    cc_json_num(&j, "matched_share", in->estimate->matched_share);
    cc_json_end(&j);
}

static void print_csv(const struct inputs *in, FILE *out)
{
    for (size_t k = 0; k < in->model->nmeasures; k++) {
        struct cc_table *t = measure_table(in, k);
        if (k == 0) {
            cc_table_print_csv(t, out);
        } else { /* the header only once */
            char *text = NULL;
            size_t size;
            FILE *f = open_memstream(&text, &size);
            if (!f)
                abort();
            cc_table_print_csv(t, f);
            fclose(f);
            fputs(strchr(text, '\n') + 1, out);
            free(text);
        }
        cc_table_free(t);
    }
}

static void notes(const struct cc_area_options *o, const struct inputs *in)
{
    for (size_t k = 0; k < in->model->nmeasures; k++)
        if (in->model->measures[k].r2_left_out < 0.5)
            cc_note(&o->common, "the model of '%s' says little about kernels it has not seen (R2 %.2f)",
                    in->model->measures[k].name, in->model->measures[k].r2_left_out);
    if (in->device)
        for (size_t k = 0; k < in->model->nmeasures; k++)
            if (isnan(cc_area_device_capacity(in->device, in->model->measures[k].name)))
                cc_note(&o->common, "the device gives no capacity for '%s'", in->model->measures[k].name);
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
    if (!o->model)
        return cc_err_set(err, CC_EUSAGE, "estimate needs '--model FILE'");
    if (o->profile && o->shares)
        return cc_err_set(err, CC_EUSAGE, "'--profile' and '--shares' exclude each other");
    if (o->csv && o->common.json)
        return cc_err_set(err, CC_EUSAGE, "'--csv' and '--json' exclude each other");
    struct inputs in = {0};
    struct cc_outfile out = {0};
    int rc = load_inputs(o, operands, &in, err);
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        if (o->common.json)
            print_json(&in, out.f);
        else if (o->csv)
            print_csv(&in, out.f);
        else
            print_text(&in, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    if (rc == 0)
        notes(o, &in);
    inputs_fini(&in);
    return rc;
}
