#include "model.h"
#include "../../draw/chart.h"
#include "../../profile/names.h"

#include <math.h>

struct showing {
    const struct cc_model_request *rq;
    const struct cc_samples *s;
    const struct cc_models *m;
    const struct cc_thing *focus; /* NULL: nothing varies */
    double *x;                    /* of --at, for each variable */
    uint32_t *category;
    struct cc_relation *relations;
    double *scores;
};

/* --- what the variables are related to --- */

static int find_focus(struct showing *w, struct cc_err *err)
{
    const struct cc_samples *s = w->s;
    CC_CLEANUP(cc_free_ptr) const char **names = cc_alloc_array(s->things.n + 1, sizeof *names);
    for (size_t i = 0; i < s->things.n; i++)
        names[i] = s->things.v[i].name;
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(s->things.n + 1, sizeof *match);
    if (w->rq->focus) {
        int rc = cc_names_focus(w->rq->focus, names, s->things.n, match, err);
        if (rc < 0)
            return rc;
    }
    static const enum cc_subject_kind order[] = {CC_OF_STREAM, CC_OF_FLOW, CC_OF_FUNCTION};
    for (size_t k = 0; k < CC_COUNT(order); k++)
        for (size_t i = 0; i < s->things.n; i++) {
            const struct cc_thing *t = &s->things.v[i];
            bool varies = false;
            for (size_t r = 1; t->y[0] && r < s->nruns; r++)
                varies |= t->y[0][r] != t->y[0][0];
            if (t->kind == order[k] && (w->rq->focus ? match[i] && t->y[0] != NULL : varies)) {
                w->focus = t;
                return 0;
            }
        }
    return w->rq->focus
               ? cc_err_set(err, CC_EINPUT, "option '--focus': no stream, flow or function is called '%s'",
                            w->rq->focus)
               : 0;
}

static void put_variables(const struct showing *w, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"name", "variable", CC_COL_STR},
        {"kind", "", CC_COL_STR, .meaning = "number; mode: few values; label: tells runs apart only"},
        {"values", "values", CC_COL_INT, .meaning = "different ones"},
        {"weight", "weight", CC_COL_PERCENT, 0, .meaning = "in the principal component"},
        {"correlation", "correlation", CC_COL_NUM, 2, .meaning = "of ranks"},
        {"chance", "by chance", CC_COL_NUM, 3,
         .meaning = "probability that unrelated numbers go together as much"},
        {"matters", "matters", CC_COL_BOOL},
    };
    const struct cc_controls *c = &w->s->controls;
    if (w->focus)
        cc_result_note(r, "what %s of '%s' goes with:", cc_subject_infos[w->focus->kind].figures[0].name,
                       w->focus->name);
    cc_result_str(r, "focus", w->focus ? w->focus->name : NULL);
    struct cc_table *t = cc_result_table(r, "variables", cols, CC_COUNT(cols));
    for (size_t v = 0; v < c->nvariables; v++) {
        const struct cc_relation *x = &w->relations[v];
        cc_table_row(t);
        cc_table_str(t, c->names[v]);
        cc_table_str(t, c->numeric[v] ? "number" : c->modes[v] ? "mode" : "label");
        cc_table_u64(t, c->ncategories[v]);
        cc_table_num(t, w->focus && c->numeric[v] ? x->weight : NAN);
        cc_table_num(t, w->focus ? x->correlation : NAN);
        cc_table_num(t, w->focus ? x->chance : NAN);
        if (w->focus && c->numeric[v])
            cc_table_bool(t, x->matters);
        else
            cc_table_null(t);
    }
}

/* --- the laws --- */

static void put_model(const struct showing *w, const struct cc_model *m, struct cc_table *t)
{
    const struct cc_controls *c = &w->s->controls;
    const struct cc_thing *of = &w->s->things.v[m->thing];
    const struct cc_growth *g = &m->growth;
    CC_CLEANUP(cc_free_ptr)
    char *law = cc_growth_text(g, c), *order = cc_law_order(&g->piece[g->npieces - 1], c->names);
    cc_table_row(t);
    cc_table_str(t, of->name);
    cc_table_str(t, cc_subject_infos[of->kind].name);
    cc_table_str(t, cc_subject_infos[of->kind].figures[m->figure].name);
    cc_table_str(t, law);
    cc_table_str(t, order);
    cc_table_num(t, g->error);
    cc_table_num(t, g->worst);
    cc_table_num(t, g->explained);
    cc_table_num(t, g->confidence);
    cc_table_num(t, g->above);
    if (g->above >= 10) /* a figure that is large now and then */
        cc_table_show(t, "%.3g times", 1 + g->above);
    cc_table_num(t, g->coverage);
    struct cc_table *pieces = cc_table_sub(t);
    for (size_t p = 0; p < g->npieces; p++) {
        CC_CLEANUP(cc_free_ptr)
        char *when = g->npieces > 1 ? cc_growth_when(g, c, p) : NULL,
             *one = cc_law_text(&g->piece[p], c->names);
        cc_table_row(pieces);
        cc_table_str(pieces, when);
        cc_table_str(pieces, one);
    }
    if (w->rq->at) {
        double at = cc_growth_at(g, w->x, w->category);
        cc_table_num(t, at);
        cc_table_num(t, cc_growth_bound(g, at));
    }
}

/* In text only what varies, and the first figure of each thing, the heaviest of each kind. */
static void put_models(const struct showing *w, struct cc_result *r)
{
    static const struct cc_col piece_cols[] = {{"when", NULL, CC_COL_STR}, {"law", NULL, CC_COL_STR}};
    static const struct cc_col cols[] = {
        {"name", "of", CC_COL_STR, .wrap = 36},
        {"kind", NULL, CC_COL_STR},
        {"figure", "figure", CC_COL_STR},
        {"law", "law", CC_COL_STR, .wrap = 44},
        {"order", NULL, CC_COL_STR, .meaning = "of what grows fastest"},
        {"error", "error", CC_COL_PERCENT, 1, .meaning = "median at runs left out one at a time"},
        {"worst", "worst", CC_COL_PERCENT, 1},
        {"explained", NULL, CC_COL_NUM, 4, .meaning = "share of the variance at runs left out"},
        {"confidence", "sure", CC_COL_PERCENT, 0, .meaning = "weight among the laws tried"},
        {"envelope.above", "envelope", CC_COL_PERCENT, 1, .meaning = "above the law"},
        {"envelope.coverage", NULL, CC_COL_PERCENT, 1, .meaning = "of runs to come that stay below it"},
        {"pieces", NULL, CC_COL_TABLE, .sub = piece_cols, .nsub = CC_COUNT(piece_cols)},
        {"at.value", "there", CC_COL_COUNT},
        {"at.bound", "at most", CC_COL_COUNT},
    };
    size_t shown[CC_OFS] = {0}, same = 0;
    struct cc_table *t = cc_result_table(r, "models", cols, CC_COUNT(cols) - (w->rq->at ? 0 : 2));
    for (size_t i = 0; i < w->m->v.n; i++) {
        const struct cc_model *m = &w->m->v.v[i];
        enum cc_subject_kind kind = w->s->things.v[m->thing].kind;
        put_model(w, m, t);
        same += m->constant && m->figure == 0;
        bool show = !m->constant && m->figure == 0 && shown[kind] < w->rq->top;
        shown[kind] += show;
        if (!show)
            cc_table_row_only(t, CC_ROW_DATA);
    }
    if (same)
        cc_result_note(r, "%zu more are the same in all runs", same);
}

/* What the whole run would take: the sum over its functions and streams, each at most at its bound. */
static void put_totals(const struct showing *w, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"figure", "of the run", CC_COL_STR},
        {"value", "there", CC_COL_COUNT},
        {"bound", "at most", CC_COL_COUNT},
        {"unknown", "left out", CC_COL_INT, .meaning = "parts whose law says nothing there"},
    };
    static const struct {
        const char *name;
        enum cc_subject_kind kind;
        uint32_t figure;
    } sums[] = {{"instructions", CC_OF_FUNCTION, CC_FUNCTION_INSTRUCTIONS},
                {"bytes", CC_OF_STREAM, CC_STREAM_BYTES},
                {"fresh bytes", CC_OF_STREAM, CC_STREAM_FRESH}};
    if (!w->rq->at)
        return;
    CC_CLEANUP(cc_free_ptr) char *beyond = cc_controls_beyond(&w->s->controls, w->x);
    cc_result_str(r, "beyond", beyond);
    if (beyond)
        cc_result_note(r, "note: beyond what was recorded, where envelopes promise nothing: %s", beyond);
    struct cc_table *t = cc_result_table(r, "totals", cols, CC_COUNT(cols));
    for (size_t k = 0; k < CC_COUNT(sums); k++) {
        double value = 0, bound = 0;
        size_t unknown = 0;
        for (size_t i = 0; i < w->m->v.n; i++) {
            const struct cc_model *m = &w->m->v.v[i];
            if (w->s->things.v[m->thing].kind != sums[k].kind || m->figure != sums[k].figure)
                continue;
            double at = cc_growth_at(&m->growth, w->x, w->category);
            unknown += isnan(at);
            value += isnan(at) ? 0 : at;
            bound += isnan(at) ? 0 : cc_growth_bound(&m->growth, at);
        }
        cc_table_row(t);
        cc_table_str(t, sums[k].name);
        cc_table_num(t, value);
        cc_table_num(t, bound);
        cc_table_u64(t, unknown);
    }
}

static void put_groups(const struct showing *w, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"runs", "runs", CC_COL_INT},
        {"of", "where", CC_COL_STR, .wrap = 60},
        {"files", NULL, CC_COL_LIST},
    };
    const struct cc_samples *s = w->s;
    const struct cc_controls *c = &s->controls;
    CC_CLEANUP(cc_free_ptr) uint32_t *group = cc_alloc_array(s->nruns + 1, sizeof *group);
    double silhouette;
    size_t n = cc_group_runs(s, group, &silhouette);
    cc_result_num(r, "silhouette", silhouette);
    if (n > 1)
        cc_result_note(r, "%zu scenarios: runs whose streams are alike (silhouette %.2f)", n, silhouette);
    struct cc_table *t = cc_result_table(r, "scenarios", cols, CC_COUNT(cols));
    for (uint32_t g = 0; n > 1 && g < n; g++) {
        struct cc_buf b = {0};
        size_t count = 0;
        for (size_t k = 0; k < s->nruns; k++)
            count += group[k] == g;
        for (size_t v = 0; v < c->nvariables; v++) {
            double lo = INFINITY, hi = -INFINITY;
            for (size_t k = 0; k < s->nruns; k++)
                if (group[k] == g) {
                    lo = fmin(lo, c->x[k * c->nvariables + v]);
                    hi = fmax(hi, c->x[k * c->nvariables + v]);
                }
            if (isfinite(lo) && isfinite(hi))
                cc_buf_printf(&b, "%s%s %.6g to %.6g", b.n ? ", " : "", c->names[v], lo, hi);
        }
        cc_table_row(t);
        cc_table_u64(t, count);
        cc_table_str(t, b.s);
        cc_table_list(t);
        for (size_t k = 0; k < s->nruns; k++)
            if (group[k] == g)
                cc_table_str(t, s->runs[k]);
        cc_table_end(t);
        cc_buf_fini(&b);
    }
}

static void put_check(const struct showing *w, const struct cc_models_options *o, struct cc_result *r)
{
    struct cc_models_check c;
    cc_models_check(w->s, o, &c);
    cc_result_obj(r, "check");
    cc_result_u64(r, "figures", c.tried);
    cc_result_u64(r, "unknown", c.unknown);
    cc_result_num(r, "median", c.median);
    cc_result_num(r, "mean", c.mean);
    cc_result_num(r, "nine_of_ten", c.worst_tenth);
    cc_result_num(r, "held", c.held);
    cc_result_num(r, "held_largest", c.held_largest);
    cc_result_end(r);
    cc_result_note(r,
                   "each run left out in turn, laws looked for anew: of %zu figures that vary half are "
                   "predicted within %.2g %%, nine of ten within %.2g %%;",
                   c.tried, 100 * c.median, 100 * c.worst_tenth);
    cc_result_note(
        r, "%.1f %% lie below their envelope, %.1f %% of each law's largest, which has to be extrapolated",
        100 * c.held, 100 * c.held_largest);
}

/* --- charts --- */

static int draw_component(const struct showing *w, struct cc_err *err)
{
    const size_t n = w->s->nruns;
    double a, b, lo = INFINITY, hi = -INFINITY;
    cc_upper_line(w->scores, w->focus->y[0], n, &a, &b);
    for (size_t i = 0; i < n; i++) {
        lo = fmin(lo, w->scores[i]);
        hi = fmax(hi, w->scores[i]);
    }
    const double ends[2] = {lo, hi}, line[2] = {a + b * lo, a + b * hi};
    const struct cc_series series[] = {
        {"a run or frame", CC_SERIES_POINTS, w->scores, w->focus->y[0], n, NULL},
        {"upper envelope", CC_SERIES_DASHED, ends, line, 2, NULL},
    };
    CC_CLEANUP(cc_free_ptr)
    char *title = cc_asprintf("%s over the combination of control variables", w->focus->name);
    struct cc_xy_chart chart = {.title = title,
                                .x_label = "principal component of the control variables",
                                .y_label = cc_subject_infos[w->focus->kind].figures[0].unit,
                                .y_from_zero = true,
                                .series = series,
                                .nseries = CC_COUNT(series)};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(w->rq->svg, &svg, err);
    cc_buf_fini(&svg);
    return rc;
}

static int draw_runs(const struct showing *w, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) double *x = cc_alloc_array(w->s->nruns + 1, sizeof *x);
    for (size_t i = 0; i < w->s->nruns; i++)
        x[i] = (double)(i + 1);
    const struct cc_series series[] = {
        {w->focus->name, CC_SERIES_STEP, x, w->focus->y[0], w->s->nruns, NULL}};
    CC_CLEANUP(cc_free_ptr) char *title = cc_asprintf("%s, run by run or frame by frame", w->focus->name);
    struct cc_xy_chart chart = {.title = title,
                                .x_label = "run or frame",
                                .y_label = cc_subject_infos[w->focus->kind].figures[0].unit,
                                .y_from_zero = true,
                                .series = series,
                                .nseries = 1};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(w->rq->runs_svg, &svg, err);
    cc_buf_fini(&svg);
    return rc;
}

/* --- all of it --- */

static void put_all(const struct showing *w, const struct cc_models_options *o, struct cc_result *r)
{
    const struct cc_samples *s = w->s;
    cc_result_str(r, "set", w->rq->set);
    cc_result_u64(r, "runs", s->nruns);
    cc_result_u64(r, "skipped", s->skipped);
    cc_result_fact(r, "set", "%s", w->rq->set);
    cc_result_fact(r, cc_input_is_recording(w->rq->set) ? "frames" : "runs", "%zu", s->nruns);
    if (s->skipped)
        cc_result_note(r, "note: %zu %s", s->skipped,
                       cc_input_is_recording(w->rq->set) ? "frames have no control variables"
                                                         : "rows of the manifest have no whole recording");
    for (size_t i = 0; i < s->limits.n; i++)
        cc_result_note(r, "note: %s", s->limits.v[i]);
    put_variables(w, r);
    put_models(w, r);
    put_totals(w, r);
    put_groups(w, r);
    if (w->rq->check)
        put_check(w, o, r);
}

static int show(const struct cc_common *common, struct showing *w, const struct cc_models_options *o,
                struct cc_err *err)
{
    int rc = find_focus(w, err);
    if (rc == 0 && w->rq->at)
        rc = cc_controls_at(&w->s->controls, w->rq->at, w->x, w->category, err);
    if (rc < 0)
        return rc;
    if (w->focus)
        cc_relate(&w->s->controls, w->focus->y[0], w->relations, w->scores);
    struct cc_result *r = cc_result_new("corecast.compare.model", 1);
    put_all(w, o, r);
    rc = cc_output_result(common, r, err);
    cc_result_free(r);
    if (rc == 0 && !w->focus && (w->rq->svg || w->rq->runs_svg))
        rc = cc_err_set(err, CC_EINPUT, "nothing varies over the set: there is nothing to draw");
    if (rc == 0 && w->rq->svg)
        rc = draw_component(w, err);
    if (rc == 0 && w->rq->runs_svg)
        rc = draw_runs(w, err);
    return rc;
}

static int load(const struct cc_model_request *rq, const struct cc_ranks *ranks, struct cc_samples **ret,
                struct cc_err *err)
{
    struct cc_set *set;
    if (cc_input_is_recording(rq->set))
        return cc_samples_of_frames(rq->set, rq->controls, ret, err);
    if (rq->controls)
        return cc_err_set(err, CC_EUSAGE, "option '--controls': the variables of a set are in its manifest");
    int rc = cc_set_load(rq->set, &set, err);
    if (rc == 0) {
        rc = cc_samples_load(set, ranks, ret, err);
        cc_set_free(set);
    }
    return rc;
}

static int show_models(const struct cc_common *common, const struct cc_model_request *rq,
                       const struct cc_samples *s, const struct cc_models *m,
                       const struct cc_models_options *o, struct cc_err *err)
{
    const size_t n = s->controls.nvariables;
    CC_CLEANUP(cc_free_ptr)
    double *x = cc_alloc_array(n + 1, sizeof *x), *scores = cc_alloc_array(s->nruns + 1, sizeof *scores);
    CC_CLEANUP(cc_free_ptr) uint32_t *category = cc_alloc_array(n + 1, sizeof *category);
    CC_CLEANUP(cc_free_ptr) struct cc_relation *relations = cc_alloc_array(n + 1, sizeof *relations);
    struct showing w = {
        .rq = rq, .s = s, .m = m, .x = x, .category = category, .relations = relations, .scores = scores};
    return show(common, &w, o, err);
}

int cc_model_show(const struct cc_common *common, const struct cc_model_request *rq, struct cc_err *err)
{
    struct cc_ranks *ranks;
    struct cc_samples *s = NULL;
    int rc = cc_ranks_open(&ranks, err);
    if (rc == 0)
        rc = load(rq, ranks, &s, err);
    if (rc == 0) {
        struct cc_models_options o = {
            .coverage = rq->coverage, .only = rq->only, .pieces = 200, .ranks = ranks};
        struct cc_models *m;
        cc_models_build(s, &o, &m);
        o.ranks = NULL;
        if (cc_ranks_own(ranks) == 0)
            rc = show_models(common, rq, s, m, &o, err);
        cc_models_free(m);
        cc_samples_free(s);
    }
    cc_ranks_close(ranks);
    return rc;
}
