/* corecast area calibrate and corecast area model show. */
#include "area.h"
#include "../../analysis/area/folds.h"
#include "../../analysis/area/stats.h"

#include <math.h>

#ifndef CC_VERSION
#define CC_VERSION "0"
#endif

/* --- what a model says, for both commands --- */

static const char *scale_name(const struct cc_area_model_measure *m)
{
    return !m->log ? "linear" : m->plus1 ? "log1p" : "log";
}

static void add_measures(struct cc_result *r, const struct cc_area_model *m)
{
    static const struct cc_col cols[] = {
        {"measure", "measure", CC_COL_STR},
        {"unit", "unit", CC_COL_STR},
        {"family", "family", CC_COL_STR},
        {"scale", "scale", CC_COL_STR},
        {"kernels", "kernels", CC_COL_INT},
        {"groups", NULL, CC_COL_INT},
        {"terms", "terms", CC_COL_INT},
        {"r2", "r2", CC_COL_NUM, .digits = 3},
        {"r2_left_out", "r2 left out", CC_COL_NUM, .digits = 3},
        {"median_abs_error", "median |error|", CC_COL_PERCENT, .digits = 1},
        {"factor", "median factor", CC_COL_NUM, .digits = 2},
        {"mean_abs_error", NULL, CC_COL_PERCENT},
        {"error_05", "5 %", CC_COL_PERCENT, .digits = 1},
        {"error_25", "25 %", CC_COL_PERCENT, .digits = 1},
        {"error_50", "50 %", CC_COL_PERCENT, .digits = 1},
        {"error_75", "75 %", CC_COL_PERCENT, .digits = 1},
        {"error_95", "95 %", CC_COL_PERCENT, .digits = 1},
        {"worst_error", "worst", CC_COL_PERCENT, .digits = 1},
        {"worst_kernel", "worst kernel", CC_COL_STR},
        {"mean_abs_error_fixed_terms", NULL, CC_COL_PERCENT},
        {"condition", NULL, CC_COL_NUM},
        {"ridge", NULL, CC_COL_NUM},
        {"sigma", NULL, CC_COL_NUM},
    };
    struct cc_table *t = cc_result_table(r, "measures", cols, CC_COUNT(cols));
    for (size_t i = 0; i < m->nmeasures; i++) {
        const struct cc_area_model_measure *x = &m->measures[i];
        cc_table_row(t);
        cc_table_str(t, x->name);
        cc_table_str(t, x->unit);
        cc_table_str(t, cc_family_names[x->family]);
        cc_table_str(t, scale_name(x));
        cc_table_u64(t, x->kernels);
        cc_table_u64(t, x->groups);
        cc_table_u64(t, x->nterms);
        cc_table_num(t, x->r2);
        cc_table_num(t, x->r2_left_out);
        cc_table_num(t, x->left_out.median_abs);
        cc_table_num(t, x->left_out.factor);
        cc_table_num(t, x->left_out.mean_abs);
        for (size_t q = 0; q < CC_ERROR_QUANTILES; q++)
            cc_table_num(t, x->left_out.q[q]);
        cc_table_num(t, x->left_out.worst);
        cc_table_str(t, x->left_out.worst_kernel);
        cc_table_num(t, x->fixed.mean_abs);
        cc_table_num(t, x->condition);
        cc_table_num(t, x->ridge);
        cc_table_num(t, x->sigma);
    }
}

/* Coefficients range over many orders of magnitude: text shows five digits. */
static void put_number(struct cc_table *t, double v)
{
    cc_table_num(t, v);
    cc_table_show(t, "%.5g", v);
}

static void put_term(struct cc_table *t, const struct cc_area_model_measure *x,
                     const struct cc_area_model_term *term)
{
    double factor = cc_area_student_quantile(0.95, fmax(1, x->dof));
    double coef = term ? term->coef : x->intercept, se = term ? term->se : x->intercept_se;
    CC_CLEANUP(cc_free_ptr)
    char *name = term ? cc_asprintf(x->log ? "log(1 + %s)" : "%s", term->name) : cc_strdup("(constant)");
    cc_table_row(t);
    cc_table_str(t, x->name);
    cc_table_str(t, name);
    put_number(t, coef);
    if (x->family == CC_FAMILY_PENALISED) { /* shrunk on purpose: an interval would say something else */
        cc_table_null(t);
        cc_table_null(t);
    } else {
        put_number(t, coef - factor * se);
        put_number(t, coef + factor * se);
    }
    if (term) {
        put_number(t, term->min);
        put_number(t, term->max);
    }
}

static void add_terms(struct cc_result *r, const struct cc_area_model *m)
{
    static const struct cc_col cols[] = {
        {"measure", "measure", CC_COL_STR},
        {"metric", "metric", CC_COL_STR},
        {"coefficient", "coefficient", CC_COL_NUM},
        {"low", "95 % from", CC_COL_NUM},
        {"high", "to", CC_COL_NUM},
        {"least", "calibrated from", CC_COL_NUM},
        {"most", "to", CC_COL_NUM},
    };
    struct cc_table *t = cc_result_table(r, "terms", cols, CC_COUNT(cols));
    for (size_t i = 0; i < m->nmeasures; i++) {
        if (m->measures[i].forest)
            continue;
        put_term(t, &m->measures[i], NULL);
        for (size_t j = 0; j < m->measures[i].nterms; j++)
            put_term(t, &m->measures[i], &m->measures[i].terms[j]);
    }
}

/* A forest's metrics by how often it splits on them; a person sees the first ten. */
static void add_splits(struct cc_result *r, const struct cc_area_model *m)
{
    enum { SHOWN = 10 };
    static const struct cc_col cols[] = {
        {"measure", "measure", CC_COL_STR},
        {"metric", "metric", CC_COL_STR},
        {"share", "of its splits", CC_COL_PERCENT, .digits = 1},
        {"least", "calibrated from", CC_COL_NUM},
        {"most", "to", CC_COL_NUM},
    };
    struct cc_table *t = NULL;
    for (size_t i = 0; i < m->nmeasures; i++) {
        const struct cc_area_model_measure *x = &m->measures[i];
        if (!x->forest)
            continue;
        if (!t) {
            cc_result_note(r, "Forests, the metrics they split on most:");
            t = cc_result_table(r, "splits", cols, CC_COUNT(cols));
        }
        for (size_t j = 0; j < x->nterms; j++) {
            cc_table_row(t);
            cc_table_row_only(t, j < SHOWN ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
            cc_table_str(t, x->name);
            cc_table_str(t, x->terms[j].name);
            cc_table_num(t, x->terms[j].coef);
            put_number(t, x->terms[j].min);
            put_number(t, x->terms[j].max);
        }
    }
}

static void add_inputs(struct cc_result *r, const struct cc_area_model *m)
{
    static const struct cc_col cols[] = {
        {"name", "input", CC_COL_STR},
        {"value", "usual", CC_COL_NUM},
        {"least", "calibrated from", CC_COL_NUM},
        {"most", "to", CC_COL_NUM},
    };
    if (m->ninputs == 0)
        return;
    struct cc_table *t = cc_result_table(r, "inputs", cols, CC_COUNT(cols));
    for (size_t i = 0; i < m->ninputs; i++) {
        cc_table_row(t);
        cc_table_str(t, m->inputs[i].name);
        put_number(t, m->inputs[i].value);
        put_number(t, m->inputs[i].min);
        put_number(t, m->inputs[i].max);
    }
}

static void add_model(struct cc_result *r, const struct cc_area_model *m)
{
    cc_result_str(r, "tables", m->tables);
    cc_result_str(r, "options", m->options);
    cc_result_str(r, "made_by", m->made_by);
    cc_result_fact(r, "tables", "%s", m->tables);
    cc_result_fact(r, "options", "%s", m->options);
    cc_result_fact(r, "made by", "%s", m->made_by);
    cc_result_str(r, "scope", *m->scope ? m->scope : NULL);
    cc_result_u64(r, "metric_set", (uint64_t)m->metric_set);
    if (*m->scope)
        cc_result_fact(r, "scope", "%s", m->scope);
    cc_result_fact(r, "metric set", "%d", m->metric_set);
    cc_result_num(r, "clock_ns", m->clock_ns > 0 ? m->clock_ns : NAN);
    if (m->clock_ns > 0)
        cc_result_fact(r, "clock", "%g ns", m->clock_ns);
    cc_result_gap(r);
    add_inputs(r, m);
    cc_result_note(r,
                   "Measures; errors are (estimate - measured) / measured of kernels left out of the fit:");
    add_measures(r, m);
    bool linear = false;
    for (size_t i = 0; i < m->nmeasures; i++)
        linear |= !m->measures[i].forest;
    if (linear)
        cc_result_note(r, "Terms:");
    add_terms(r, m);
    add_splits(r, m);
    for (size_t i = 0; i < m->nmeasures; i++)
        if (m->measures[i].ridge > 0)
            cc_result_note(r, "%s: its metrics are nearly collinear (condition %.0f); fitted with ridge %.3g",
                           m->measures[i].name, m->measures[i].condition, m->measures[i].ridge);
}

int cc_area_model_show(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_area_options *o = options;
    struct cc_area_model *m;
    if (operands->n != 2 || strcmp(operands->v[0], "show") != 0)
        return cc_err_set(err, CC_EUSAGE, "expected 'area model show MODEL'");
    CC_CLEANUP(cc_free_ptr) char *path = cc_area_shipped(operands->v[1], ".model");
    int rc = cc_area_model_load(path, &m, err);
    if (rc < 0)
        return rc;
    struct cc_result *r = cc_result_new("corecast.area.model", 1);
    add_model(r, m);
    rc = cc_area_show(&o->common, r, err);
    cc_area_model_free(m);
    return rc;
}

/* --- calibrate --- */

struct calibration {
    struct cc_area_model model;
    struct cc_area_fit *fits;
    struct cc_area_trial *trials; /* one a measure; NULL without --folds */
    CC_VEC(char *) skipped;       /* measures that could not be fitted, and why */
};

/* A person looks at those that are flagged. */
static void add_kernels(struct cc_result *r, const struct calibration *c)
{
    static const struct cc_col cols[] = {
        {"measure", "measure", CC_COL_STR},
        {"kernel", "kernel", CC_COL_STR},
        {"measured", "measured", CC_COL_NUM, .digits = 1},
        {"fitted", NULL, CC_COL_NUM},
        {"left_out", "left out", CC_COL_NUM, .digits = 1},
        {"leverage", "leverage", CC_COL_NUM, .digits = 3},
        {"studentised", "residual / its spread", CC_COL_NUM, .digits = 2},
        {"cook", "cook's distance", CC_COL_NUM, .digits = 2},
    };
    bool flagged = false;
    for (size_t i = 0; i < c->model.nmeasures; i++)
        for (size_t k = 0; k < c->fits[i].npoints; k++)
            flagged |= c->fits[i].points[k].flagged;
    if (flagged) {
        cc_result_gap(r);
        cc_result_note(r, "Kernels to look at (far from the others, or far from the fit):");
    }
    struct cc_table *t = cc_result_table(r, "kernels", cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->model.nmeasures; i++) {
        for (size_t k = 0; k < c->fits[i].npoints; k++) {
            const struct cc_area_fit_point *p = &c->fits[i].points[k];
            cc_table_row(t);
            cc_table_row_only(t, p->flagged ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
            cc_table_str(t, c->fits[i].model.name);
            cc_table_str(t, p->kernel);
            cc_table_num(t, p->measured);
            cc_table_num(t, p->fitted);
            cc_table_num(t, p->left_out);
            cc_table_num(t, p->leverage);
            cc_table_num(t, p->studentised);
            cc_table_num(t, p->cook);
        }
    }
}

static const double fold_confidence = 0.9;

static void add_trials(struct cc_result *r, const struct calibration *c)
{
    static const struct cc_col cols[] = {
        {"measure", "measure", CC_COL_STR},
        {"kernels", "kernels", CC_COL_INT},
        {"forests", "forests", CC_COL_INT},
        {"median_abs_error", "median |error|", CC_COL_PERCENT, .digits = 1},
        {"factor", "median factor", CC_COL_NUM, .digits = 2},
        {"r2_log", "r2 of log", CC_COL_NUM, .digits = 3},
        {"covered", "in 90 % interval", CC_COL_PERCENT, .digits = 1},
        {"width", "its median width (factor)", CC_COL_NUM, .digits = 1},
    };
    if (!c->trials)
        return;
    cc_result_gap(r);
    cc_result_note(r, "Models made without each fold, on the kernels of that fold:");
    struct cc_table *t = cc_result_table(r, "folds", cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->model.nmeasures; i++) {
        const struct cc_area_trial *x = &c->trials[i];
        cc_table_row(t);
        cc_table_str(t, x->measure);
        cc_table_u64(t, x->kernels);
        cc_table_u64(t, x->forests);
        cc_table_num(t, x->error.median_abs);
        cc_table_num(t, x->error.factor);
        cc_table_num(t, x->r2);
        cc_table_num(t, x->covered);
        cc_table_num(t, x->width);
    }
}

static bool is_target(const struct cc_strs *targets, const char *measure, bool *found)
{
    bool wanted = targets->n == 0;
    for (size_t i = 0; i < targets->n; i++) {
        bool same = strcmp(targets->v[i], measure) == 0;
        found[i] |= same;
        wanted |= same;
    }
    return wanted;
}

/* Measures asked for by name must come out; of the others, those that can. */
static int fit_all(const struct cc_area_options *o, const struct cc_area_kernels *k,
                   const struct cc_strs *targets, struct calibration *c, struct cc_err *err)
{
    static const enum cc_family families[] = {CC_FAMILY_AUTO, CC_FAMILY_LINEAR, CC_FAMILY_PENALISED,
                                              CC_FAMILY_FOREST};
    struct cc_area_fit_options options = {(enum cc_transform)o->transform, (size_t)o->max_terms,
                                          families[o->family]};
    struct cc_arena *arena = &c->model.arena;
    bool *found = cc_alloc_array(targets->n + 1, sizeof *found);
    int rc = 0;
    c->model.measures = cc_arena_alloc(arena, k->nmeasures * sizeof *c->model.measures);
    c->fits = cc_arena_alloc(arena, k->nmeasures * sizeof *c->fits);
    if (k->nfolds)
        c->trials = cc_arena_alloc(arena, k->nmeasures * sizeof *c->trials);
    for (size_t i = 0; rc == 0 && i < k->nmeasures; i++) {
        if (!is_target(targets, k->measures[i].name, found))
            continue;
        struct cc_err fault = {0};
        int fitted =
            cc_area_fit_measure(k, &k->measures[i], &options, arena, &c->fits[c->model.nmeasures], &fault);
        if (fitted == 0 && k->nfolds)
            fitted = cc_area_try_folds(k, &k->measures[i], &options, fold_confidence, arena,
                                       &c->trials[c->model.nmeasures], &fault);
        if (fitted == 0) {
            c->model.measures[c->model.nmeasures] = c->fits[c->model.nmeasures].model;
            c->model.nmeasures++;
        } else if (targets->n || fitted != -CC_EINPUT) {
            *err = fault;
            rc = fitted;
        } else {
            CC_VEC_PUSH(&c->skipped, cc_strdup(fault.msg));
        }
    }
    for (size_t i = 0; rc == 0 && i < targets->n; i++)
        if (!found[i])
            rc = cc_err_at(err, CC_EINPUT, k->files.v[0], 0, "no measure '%s' in the table", targets->v[i]);
    if (rc == 0 && c->model.nmeasures == 0)
        rc = cc_err_set(err, CC_EINPUT, "%s", c->skipped.n ? c->skipped.v[0] : "no measure to model");
    free(found);
    return rc;
}

/* A column of numbers that is neither a metric nor named as an input is a measure: an unroll factor, say, if
 * nobody says otherwise. */
static void note_measures(const struct cc_area_options *o, const struct cc_area_kernels *k,
                          const struct calibration *c)
{
    for (size_t i = 0; i < k->nmeasures && o->targets.n == 0; i++)
        for (size_t m = 0; m < c->model.nmeasures && !k->measures[i].usual; m++)
            if (strcmp(c->model.measures[m].name, k->measures[i].name) == 0)
                cc_note(
                    &o->common,
                    "'%s' is taken as a measure: '--input' names columns that explain, '--target' those to "
                    "model",
                    k->measures[i].name);
}

static void note_set(const struct cc_area_options *o, const struct cc_area_kernels *k)
{
    if (k->metric_set < CC_METRIC_SET)
        cc_note(&o->common,
                "the table's metrics are of set %d, this corecast measures set %d: estimates will tell; "
                "'area metrics --tree --csv' of the kernels' sources gives a table of set %d",
                k->metric_set, CC_METRIC_SET, CC_METRIC_SET);
    if (k->metric_set > CC_METRIC_SET)
        cc_note(
            &o->common,
            "the table's metrics are of set %d, this corecast knows sets up to %d: a later corecast wrote "
            "it, and metrics that are new there are not used",
            k->metric_set, CC_METRIC_SET);
}

static char *joined(const struct cc_strs *s)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (size_t i = 0; i < s->n; i++)
        cc_buf_printf(&b, "%s%s", i ? ", " : "", s->v[i]);
    return b.s;
}

static void describe(const struct cc_area_options *o, const struct cc_area_kernels *k,
                     struct cc_area_model *m)
{
    static const char *const transforms[] = {"auto", "linear", "log"}, *const zeros[] = {"auto", "keep",
                                                                                         "drop"};
    CC_CLEANUP(cc_free_ptr) char *tables = joined(&k->files);
    CC_CLEANUP(cc_free_ptr)
    char *options = cc_asprintf("transform %s, zeros %s, left out by %s, %zu kernels, %zu metrics offered",
                                transforms[o->transform], zeros[o->zeros], o->group ? o->group : "kernel",
                                k->n, k->nmetrics);
    m->made_by = "corecast " CC_VERSION;
    m->tables = cc_arena_strdup(&m->arena, tables);
    m->options = cc_arena_strdup(&m->arena, options);
    m->checksum = k->checksum;
    m->scope = o->scope ? o->scope : "";
    m->metric_set = k->metric_set;
    m->clock_ns = CC_GIVEN(o, clock_ns) ? o->clock_ns : 0;
    cc_area_model_take_inputs(m, k);
}

/* -o is the model's: the report goes to standard output. */
static int report(const struct cc_area_options *o, const struct cc_area_kernels *k,
                  const struct calibration *c, struct cc_err *err)
{
    struct cc_common common = o->common;
    common.output = NULL;
    struct cc_result *r = cc_result_new("corecast.area.calibration", 1);
    add_model(r, &c->model);
    add_trials(r, c);
    add_kernels(r, c);
    cc_result_arr(r, "notes");
    for (size_t i = 0; i < k->notes.n; i++)
        cc_result_str(r, NULL, k->notes.v[i]);
    for (size_t i = 0; i < c->skipped.n; i++)
        cc_result_str(r, NULL, c->skipped.v[i]);
    cc_result_end(r);
    return cc_area_show(&common, r, err);
}

static int write_model(const struct cc_area_options *o, const struct cc_area_model *m, struct cc_err *err)
{
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, o->common.output, err);
    if (rc < 0)
        return rc;
    cc_area_model_write(m, out.f);
    return cc_outfile_commit(&out, err);
}

int cc_area_calibrate(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_area_options *o = options;
    if (operands->n == 0)
        return cc_err_set(err, CC_EUSAGE, "no table given");
    if (!o->common.output)
        return cc_err_set(err, CC_EUSAGE, "calibrate needs '-o MODEL'");
    if (strcmp(o->common.output, "-") == 0)
        return cc_err_set(err, CC_EUSAGE, "the model cannot go to standard output, where the report goes");
    struct calibration c = {0};
    struct cc_strs targets = {0};
    struct cc_area_kernels_options how = {
        .key = o->key, .group = o->group, .folds = o->folds, .zeros = (enum cc_zeros)o->zeros};
    cc_area_split(&o->targets, &c.model.arena, &targets);
    cc_area_split(&o->inputs, &c.model.arena, &how.inputs);
    struct cc_area_kernels *k;
    int rc = cc_area_kernels_load(operands, &how, &k, err);
    cc_strs_fini(&how.inputs);
    if (rc < 0) {
        cc_strs_fini(&targets);
        cc_arena_fini(&c.model.arena);
        return rc;
    }
    for (size_t i = 0; i < k->notes.n; i++)
        cc_note(&o->common, "%s", k->notes.v[i]);
    note_set(o, k);
    rc = fit_all(o, k, &targets, &c, err);
    for (size_t i = 0; rc == 0 && i < c.skipped.n; i++)
        cc_note(&o->common, "left out: %s", c.skipped.v[i]);
    describe(o, k, &c.model);
    if (rc == 0)
        note_measures(o, k, &c);
    if (rc == 0)
        rc = write_model(o, &c.model, err);
    if (rc == 0)
        rc = report(o, k, &c, err);
    for (size_t i = 0; i < c.skipped.n; i++)
        free(c.skipped.v[i]);
    CC_VEC_FINI(&c.skipped);
    cc_strs_fini(&targets);
    cc_arena_fini(&c.model.arena);
    cc_area_kernels_free(k);
    return rc;
}
