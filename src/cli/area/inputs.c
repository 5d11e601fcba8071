#include "inputs.h"
#include "../../analysis/area/recorded.h"
#include "../../analysis/area/table.h"
#include "../../base/where.h"

#include <unistd.h>

static const char usual_model[] = "vitis-hls-u280.model";

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k && strcmp(s + n - k, end) == 0;
}

char *cc_area_shipped(const char *name, const char *suffix)
{
    bool is_file = ends_in(name, suffix); /* with its suffix it is the file that is there */
    CC_CLEANUP(cc_free_ptr) char *file = cc_asprintf("%s%s", name, is_file ? "" : suffix);
    char *found =
        strchr(name, '/') || (is_file && access(name, F_OK) == 0) ? NULL : cc_where(CC_OWN_MODEL, file);
    return found ? found : cc_strdup(name);
}

static const char *resolve(struct cc_area_inputs *in, const char *name, const char *suffix)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_area_shipped(name, suffix);
    return cc_arena_strdup(&in->arena, path);
}

static int load_model(const struct cc_area_options *o, struct cc_area_inputs *in, struct cc_err *err)
{
    in->model_path = resolve(in, o->model ? o->model : usual_model, ".model");
    int rc = cc_area_model_load(in->model_path, &in->model, err);
    if (rc < 0 && !o->model) {
        CC_CLEANUP(cc_free_ptr) char *looked = cc_where_looked(CC_OWN_MODEL, usual_model);
        *err = (struct cc_err){0};
        rc = cc_err_set(err, CC_EINPUT, "the model that ships is not installed: there is no %s", looked);
        cc_err_hint(err, "name one with '--model'");
    }
    return rc;
}

static int load_functions(struct cc_area_options *o, const struct cc_strs *operands,
                          struct cc_area_inputs *in, struct cc_err *err)
{
    in->metric_set = CC_METRIC_SET;
    size_t tables = 0;
    for (size_t i = 0; i < operands->n; i++)
        tables += ends_in(operands->v[i], ".csv");
    if (tables && operands->n > 1)
        return cc_err_set(err, CC_EUSAGE, "one table of metrics, or source files: '%s' is not alone",
                          operands->v[operands->n - 1]);
    if (tables) {
        int rc = cc_area_table_load(operands->v[0], in->model, &in->sources, &in->metric_set, err);
        return rc < 0 ? rc : cc_area_select(in->sources, &o->functions, err);
    }
    int rc = cc_area_sources(o, operands, !o->alone, &in->trips, &in->sources, err);
    if (rc < 0)
        in->sources = NULL; /* freed where it failed */
    return rc;
}

/* "clock_ns=5" */
static int set_input(struct cc_area_model *m, char *item, struct cc_err *err)
{
    char *value = strchr(item, '=');
    double v;
    if (value)
        *value++ = 0;
    if (!value || !cc_parse_f64(value, &v) || !(v >= 0 && v <= 1e30))
        return cc_err_set(err, CC_EUSAGE, "option '--input': '%s' is not NAME=NUMBER", item);
    struct cc_area_input *input = cc_area_model_input(m, item);
    if (!input && m->ninputs == 0)
        return cc_err_set(err, CC_EUSAGE, "option '--input': the model has no inputs");
    if (!input) {
        int rc = cc_err_set(err, CC_EUSAGE, "option '--input': the model has no input '%s'", item);
        cc_err_hint(err, "its first is '%s'; 'corecast area model show' lists them", m->inputs[0].name);
        return rc;
    }
    input->value = v;
    input->given = true;
    return 0;
}

static int set_inputs(const struct cc_area_options *o, struct cc_area_inputs *in, struct cc_err *err)
{
    struct cc_strs items = {0};
    int rc = 0;
    cc_area_split(&o->inputs, &in->arena, &items);
    for (size_t i = 0; rc == 0 && i < items.n; i++)
        rc = set_input(in->model, cc_arena_strdup(&in->arena, items.v[i]), err);
    cc_strs_fini(&items);
    return rc;
}

/* A directive is an input where the model has one of its name; else the metrics are transformed. */
static bool set_directive(struct cc_area_model *m, const char *name, double value)
{
    struct cc_area_input *input = cc_area_model_input(m, name);
    if (!input)
        return false;
    input->value = value;
    input->given = true;
    return true;
}

static void transform(const struct cc_area_options *o, struct cc_area_inputs *in)
{
    if (in->unroll > 1)
        in->unrolled = !set_directive(in->model, "unroll", (double)in->unroll);
    if (o->pipeline)
        in->pipelined = !set_directive(in->model, "pipeline", 1);
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        double *m = in->sources->functions.v[i].m;
        if (in->unrolled)
            cc_metrics_unroll(m, (double)in->unroll);
        if (in->pipelined)
            cc_metrics_pipeline(m);
        if (in->model->metric_set < in->metric_set)
            cc_metrics_as_set(m, in->model->metric_set);
    }
}

static int load_profile(const struct cc_area_options *o, struct cc_area_inputs *in, struct cc_err *err)
{
    int rc = cc_profile_load(o->profile, &in->profile, err);
    if (rc == 0)
        rc = cc_area_shares_from_profile(in->profile, &in->shares, err);
    if (rc == 0)
        cc_area_recorded_trips(in->profile, &in->arena, &in->trips);
    return rc;
}

int cc_area_inputs_load(struct cc_area_options *o, const struct cc_strs *operands, struct cc_area_inputs *in,
                        struct cc_err *err)
{
    in->unroll = CC_GIVEN(o, unroll) ? o->unroll : 1;
    in->profiled = o->profile != NULL;
    in->confidence = CC_GIVEN(o, confidence) ? o->confidence : 0.9;
    if (o->profile && o->shares)
        return cc_err_set(err, CC_EUSAGE, "'--profile' and '--shares' exclude each other");
    int rc = load_model(o, in, err);
    if (rc == 0)
        rc = set_inputs(o, in, err);
    if (rc == 0 && o->device)
        rc = cc_area_device_load(resolve(in, o->device, ".ini"), &in->device, err);
    if (rc == 0 && o->shares)
        rc = cc_area_shares_load(o->shares, &in->shares, err);
    if (rc == 0 && o->profile)
        rc = load_profile(o, in, err);
    if (rc == 0)
        rc = load_functions(o, operands, in, err);
    if (rc < 0)
        return rc;
    transform(o, in);
    in->estimate = cc_area_estimate_all(&(struct cc_area_estimate_request){.sources = in->sources,
                                                                           .model = in->model,
                                                                           .shares = in->shares,
                                                                           .device = in->device,
                                                                           .confidence = in->confidence,
                                                                           .hot = o->order == 0});
    return 0;
}

void cc_area_inputs_fini(struct cc_area_inputs *in)
{
    cc_area_estimate_free(in->estimate);
    cc_sources_free(in->sources);
    cc_area_shares_free(in->shares);
    cc_area_device_free(in->device);
    cc_area_model_free(in->model);
    cc_profile_free(in->profile);
    cc_arena_fini(&in->arena);
}

void cc_area_add_scope(struct cc_result *r, const struct cc_area_inputs *in)
{
    const struct cc_area_model *m = in->model;
    cc_result_str(r, "model", in->model_path);
    cc_result_str(r, "scope", *m->scope ? m->scope : NULL);
    cc_result_u64(r, "model_metric_set", (uint64_t)m->metric_set);
    cc_result_u64(r, "metric_set", (uint64_t)in->metric_set);
    cc_result_note(r, "Scope: %s", *m->scope ? m->scope : "not said by the model");
    if (m->metric_set != in->metric_set)
        cc_result_note(
            r,
            "The model was calibrated with metric set %d, the functions were measured with set %d: "
            "some metrics mean a little less or more",
            m->metric_set, in->metric_set);
    for (size_t i = 0; i < m->ninputs; i++)
        cc_result_note(r, "%s: %g%s", m->inputs[i].name, m->inputs[i].value,
                       m->inputs[i].given ? "" : " (the table's median, or the table of metrics')");
    cc_result_gap(r);
}
