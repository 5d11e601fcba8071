/* corecast compare: what changed between two recordings, and how figures grow over a set of them. */
#include "compare.h"
#include "model.h"
#include "../command.h"
#include "../report/page.h"

/* Whose an option is. */
enum { PAIR = 1, MODEL = 2 };
static const char *const owners[] = {"with two recordings", "--model", NULL};

struct options {
    struct cc_common common;
    struct cc_strs fail_if;
    const char *only, *svg, *html, *sarif, *junit;
    const char *model, *controls, *at, *focus, *runs_svg;
    int64_t top;
    double min_share, coverage;
    bool all, check;
};

static const struct cc_opt table[] = {
    {CC_OPT_LIST, 0, "fail-if", "CONDITION", offsetof(struct options, fail_if),
     "exit with 1 if this holds of anything, as in 'stream bytes > +5%'; may be given again", .of = PAIR},
    {CC_OPT_STR, 0, "only", "KIND", offsetof(struct options, only),
     "show functions, loops, regions, streams, flows, objects, classes or tasks only"},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct options, top), "rows of a table, of each kind (12)", 1, 1e9},
    {CC_OPT_PERCENT, 0, "min-share", "P", offsetof(struct options, min_share),
     "leave out things below this share of their kind, in conditions too", .of = PAIR},
    {CC_OPT_FLAG, 0, "all", NULL, offsetof(struct options, all), "also show what is the same in both",
     .of = PAIR},
    {CC_OPT_OUT, 0, "svg", "FILE", offsetof(struct options, svg),
     "draw what changed most; of a set, a stream over its control variables"},
    {CC_OPT_OUT, 0, "html", "FILE", offsetof(struct options, html),
     "also write a report page of both recordings with their differences", .of = PAIR},
    {CC_OPT_OUT, 0, "sarif", "FILE", offsetof(struct options, sarif),
     "write broken conditions as SARIF 2.1.0", .of = PAIR},
    {CC_OPT_OUT, 0, "junit", "FILE", offsetof(struct options, junit), "write conditions as JUnit test cases",
     .of = PAIR},
    {CC_OPT_STR, 0, "model", "SET", offsetof(struct options, model),
     "find how each figure grows over a set of recordings, or over the frames of one", .of = MODEL},
    {CC_OPT_STR, 0, "controls", "FILE.csv", offsetof(struct options, controls),
     "control variables of the frames of a recording, a row each", .of = MODEL},
    {CC_OPT_STR, 0, "at", "NAME=VALUE,…", offsetof(struct options, at),
     "also tell the figures for these values of the variables, and their bounds", .of = MODEL},
    {CC_OPT_PERCENT, 0, "coverage", "P", offsetof(struct options, coverage),
     "share of runs to come that envelopes are to hold for (95)", 50, 99.9, .of = MODEL},
    {CC_OPT_STR, 0, "focus", "NAME", offsetof(struct options, focus),
     "the stream or function that variables are related to; the heaviest stream that varies", .of = MODEL},
    {CC_OPT_FLAG, 0, "check", NULL, offsetof(struct options, check),
     "leave each run out in turn and tell how well the others predict it", .of = MODEL},
    {CC_OPT_OUT, 0, "runs-svg", "FILE", offsetof(struct options, runs_svg), "draw the stream of each run",
     .of = MODEL},
};

static const struct cc_opt_table options = {table, CC_COUNT(table), "compare", owners, false};

static int find_kind(const char *name, int *ret, struct cc_err *err)
{
    const char *names[CC_OFS];
    for (int k = 0; k < CC_OFS; k++) {
        names[k] = cc_subject_infos[k].plural;
        if (strcmp(name, names[k]) == 0 || strcmp(name, cc_subject_infos[k].name) == 0) {
            *ret = k;
            return 0;
        }
    }
    int rc = cc_err_set(err, CC_EUSAGE, "option '--only': no kind is called '%s'", name);
    const char *near = cc_nearest(name, names, CC_OFS);
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    return rc;
}

static int parse_conditions(const struct cc_strs *texts, struct cc_verdicts *v, struct cc_err *err)
{
    v->conditions = cc_alloc_array(texts->n + 1, sizeof *v->conditions);
    for (size_t i = 0; i < texts->n; i++) {
        v->nconditions++;
        int rc = cc_condition_parse(texts->v[i], &v->conditions[i], err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* A condition on what these recordings do not tell must not pass in silence. */
static int judge(struct cc_verdicts *v, double min_share, struct cc_err *err)
{
    for (size_t i = 0; i < v->nconditions; i++) {
        const struct cc_condition *c = &v->conditions[i];
        if ((c->kind == CC_OF_LOOP && !(v->c->a->loops && v->c->b->loops)) ||
            (c->kind == CC_OF_OBJECT && !(v->c->a->objects && v->c->b->objects)) ||
            (c->kind == CC_OF_TASK && !(v->c->a->clock && v->c->b->clock)))
            return cc_err_set(err, CC_EINPUT, "condition '%s': the recordings do not both have %s", c->text,
                              cc_subject_infos[c->kind].plural);
        for (size_t k = 0; k < v->c->of[c->kind].n; k++) {
            const struct cc_difference *d = &v->c->of[c->kind].v[k];
            if (d->weight >= min_share && cc_condition_holds(c, d))
                CC_VEC_PUSH(&v->broken, (struct cc_broken){c, d});
        }
    }
    return 0;
}

static int show(const struct options *o, const struct cc_verdicts *v, const struct cc_compare_shown *how,
                struct cc_err *err)
{
    struct cc_result *r = cc_result_new("corecast.compare", 1);
    cc_compare_result(v, how, r);
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    if (rc == 0 && o->svg) {
        struct cc_buf svg = {0};
        cc_compare_chart(v->c, how, &svg);
        rc = cc_output_file(o->svg, &svg, err);
        cc_buf_fini(&svg);
    }
    if (rc == 0 && o->sarif)
        rc = cc_compare_sarif(v, o->sarif, err);
    if (rc == 0 && o->junit)
        rc = cc_compare_junit(v, o->junit, err);
    return rc;
}

static int load_pair(const char *const *paths, struct cc_subjects *s[2], struct cc_comparison **c,
                     struct cc_err *err)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < 2; i++)
        rc = cc_subjects_load(paths[i], true, &s[i], err);
    if (rc == 0)
        cc_compare(s[0], s[1], c);
    return rc;
}

static int compare(const struct options *o, struct cc_verdicts *v, const struct cc_strs *operands,
                   struct cc_err *err)
{
    struct cc_compare_shown how = {
        .top = CC_GIVEN(o, top) ? (size_t)o->top : 12, .min_share = o->min_share, .all = o->all, .only = -1};
    struct cc_subjects *s[2] = {0};
    struct cc_comparison *c = NULL;
    int rc = o->only ? find_kind(o->only, &how.only, err) : 0;
    if (rc == 0)
        rc = load_pair(operands->v, s, &c, err);
    if (rc == 0) {
        v->c = c;
        rc = judge(v, o->min_share, err);
    }
    if (rc == 0)
        rc = show(o, v, &how, err);
    rc = rc < 0 ? rc : v->broken.n > 0;
    cc_comparison_free(c);
    cc_subjects_free(s[0]);
    cc_subjects_free(s[1]);
    return rc;
}

int cc_compare_of(const char *a, const char *b, size_t most, struct cc_result **ret, struct cc_err *err)
{
    struct cc_compare_shown how = {.top = 12, .only = -1, .most = most};
    const char *const paths[2] = {a, b};
    struct cc_subjects *s[2] = {0};
    struct cc_comparison *c = NULL;
    int rc = load_pair(paths, s, &c, err);
    if (rc == 0) {
        struct cc_verdicts v = {.c = c};
        *ret = cc_result_new("corecast.compare", 1);
        cc_compare_result(&v, &how, *ret);
    }
    cc_comparison_free(c);
    cc_subjects_free(s[0]);
    cc_subjects_free(s[1]);
    return rc;
}

static int model(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_model_request rq = {.set = o->model,
                                  .controls = o->controls,
                                  .at = o->at,
                                  .focus = o->focus,
                                  .coverage = CC_GIVEN(o, coverage) ? o->coverage : 0.95,
                                  .only = -1,
                                  .top = CC_GIVEN(o, top) ? (size_t)o->top : 12,
                                  .check = o->check,
                                  .svg = o->svg,
                                  .runs_svg = o->runs_svg};
    if (operands->n)
        return cc_err_set(err, CC_EUSAGE, "--model takes a set and no further recordings");
    int rc = o->only ? find_kind(o->only, &rq.only, err) : 0;
    return rc < 0 ? rc : cc_model_show(&o->common, &rq, err);
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = opts;
    int rc = cc_opt_check(&options, o->model ? MODEL : PAIR, &o->common, err);
    if (rc < 0)
        return rc;
    if (o->model)
        return model(o, operands, err);
    if (operands->n != 2)
        return cc_err_set(err, CC_EUSAGE, "expected two recordings");
    struct cc_verdicts v = {0};
    rc = parse_conditions(&o->fail_if, &v, err);
    if (rc == 0)
        rc = compare(o, &v, operands, err);
    if (rc >= 0 && o->html) {
        struct cc_strs none = {0};
        struct cc_page_request rq = {
            .profiles = operands, .out = o->html, .open = "compare", .scenarios = &none};
        int written = cc_page_write(&rq, err);
        rc = written < 0 ? written : rc;
    }
    for (size_t i = 0; i < v.nconditions; i++)
        cc_condition_fini(&v.conditions[i]);
    free(v.conditions);
    CC_VEC_FINI(&v.broken);
    return rc;
}

const struct cc_command cc_cmd_compare = {
    .name = "compare",
    .summary = "show what changed between recordings, and how figures grow",
    .synopsis = "[OPTIONS] A.cast B.cast | --model SET",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .run = run,
};
