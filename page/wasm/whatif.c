#include "whatif.h"
#include "analysis/htg/pack.h"
#include "analysis/predict/sweep.h"
#include "base/json.h"
#include "cli/predict/show.h"
#include "files.h"

#define EXPORT(name) __attribute__((export_name(#name)))

struct whatif {
    struct cc_htg *h;
    char *text[WHATIF_TEXTS];
    double *segments;
    size_t nsegments;
};

struct request {
    struct cc_arena arena;
    const char *platform;
    CC_VEC(const char *) scenarios;
    CC_VEC(const char *) sets;
    struct cc_int_list cores;
    int64_t at;
    enum cc_contention contention;
    bool middle;
};

EXPORT(whatif_alloc) void *whatif_alloc(size_t n)
{
    return cc_alloc(n);
}

EXPORT(whatif_free) void whatif_free(void *p)
{
    free(p);
}

EXPORT(whatif_file) void whatif_file(const char *name, const char *text)
{
    cc_files_put(name, text);
}

/* --- what is asked for --- */

static int take_contention(const char *text, enum cc_contention *ret, struct cc_err *err)
{
    for (int i = 0; cc_contention_names[i]; i++)
        if (strcmp(cc_contention_names[i], text) == 0) {
            *ret = (enum cc_contention)i;
            return 0;
        }
    return cc_err_set(err, CC_EUSAGE, "unknown contention '%.40s'", text);
}

static int take_line(struct request *rq, const char *key, const char *value, struct cc_err *err)
{
    if (strcmp(key, "platform") == 0)
        rq->platform = value;
    else if (strcmp(key, "scenario") == 0)
        CC_VEC_PUSH(&rq->scenarios, value);
    else if (strcmp(key, "set") == 0)
        CC_VEC_PUSH(&rq->sets, value);
    else if (strcmp(key, "middle") == 0)
        rq->middle = true;
    else if (strcmp(key, "cores") == 0)
        return cc_opt_int_list("cores", value, 1, CC_PREDICT_MAX_CORES, &rq->cores, err);
    else if (strcmp(key, "contention") == 0)
        return take_contention(value, &rq->contention, err);
    else if (strcmp(key, "at") != 0 || !cc_parse_i64(value, &rq->at))
        return cc_err_set(err, CC_EUSAGE, "unknown request '%.40s'", key);
    return 0;
}

static int take_request(struct request *rq, const char *text, struct cc_err *err)
{
    int rc = 0;
    rq->cores = (struct cc_int_list){cc_arena_alloc(&rq->arena, CC_PREDICT_MAX_CORES * sizeof(int64_t)),
                                     CC_PREDICT_MAX_CORES, 0};
    for (char *line = cc_arena_strdup(&rq->arena, text); rc == 0 && *line;) {
        size_t n = strcspn(line, "\n");
        char *next = line + n + (line[n] == '\n');
        line[n] = 0;
        char *value = strchr(line, ' ');
        if (value) {
            *value++ = 0;
            rc = take_line(rq, line, value, err);
        }
        line = next;
    }
    if (rc == 0 && (!rq->platform || !rq->scenarios.n || !rq->cores.n))
        rc = cc_err_set(err, CC_EUSAGE, "a request names a platform, a scenario and cores");
    return rc;
}

/* --- what comes out --- */

static char *json_of(struct cc_result *r)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    cc_result_print(r, CC_FORMAT_JSON, NULL, f, NULL);
    fclose(f);
    cc_result_free(r);
    return text;
}

static char *names_of(const struct cc_htg *h)
{
    char *text = NULL;
    size_t n;
    struct cc_json j;
    FILE *f = open_memstream(&text, &n);
    cc_json_init(&j, f);
    cc_json_arr(&j, NULL);
    for (size_t i = 0; i <= h->nnames; i++)
        cc_json_str(&j, NULL, h->names[i]);
    cc_json_end(&j);
    fclose(f);
    return text;
}

static void put_text(struct whatif *w, enum whatif_text which, char *text)
{
    free(w->text[which]);
    w->text[which] = text;
}

static void keep_notes(struct whatif *w, const struct cc_predict_result *r)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (size_t i = 0; i < r->nwarnings; i++)
        cc_buf_printf(&b, "%s\n", r->warnings[i]);
    put_text(w, WHATIF_NOTES, b.s);
}

static void keep_segments(struct whatif *w, const struct cc_predict_outcome *o, size_t ncores, int64_t at)
{
    free(w->segments);
    w->segments = NULL;
    w->nsegments = 0;
    for (size_t c = 0; c < ncores; c++) {
        const struct cc_predict_schedule *s = &o->schedules[c];
        if (s->processors != at || !s->nsegments || w->segments)
            continue;
        w->segments = cc_alloc_array(s->nsegments, 5 * sizeof *w->segments);
        for (size_t i = 0; i < s->nsegments; i++) {
            const struct cc_predict_segment *g = &s->segments[i];
            double *out = &w->segments[5 * w->nsegments++];
            out[0] = g->processor;
            out[1] = g->name == UINT32_MAX ? -1.0 : (double)g->name;
            out[2] = g->part;
            out[3] = CC_TICKS_TO_F64(g->start);
            out[4] = CC_TICKS_TO_F64(g->end);
        }
    }
}

/* --- a run --- */

static int load_scenarios(const struct request *rq, struct cc_scenario **list, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < rq->scenarios.n; i++)
        rc = cc_scenario_load(rq->scenarios.v[i], &list[i], err);
    return rc;
}

static int predict(struct whatif *w, struct request *rq, struct cc_scenario **scenarios, struct cc_err *err)
{
    struct cc_predict_setting *settings;
    struct cc_predict_sweep sweep = {.h = w->h,
                                     .platform = rq->platform,
                                     .scenarios = (const struct cc_scenario *const *)scenarios,
                                     .nscenarios = rq->scenarios.n,
                                     .cores = rq->cores.v,
                                     .ncores = rq->cores.n,
                                     .options = {.contention = rq->contention, .middle = rq->middle},
                                     .segments_at = rq->at};
    struct cc_predict_result r = {0};
    int rc = cc_predict_settings(rq->sets.v, rq->sets.n, &rq->arena, &settings, &sweep.nsettings, err);
    sweep.settings = settings;
    if (rc == 0)
        rc = cc_predict_sweep_run(&sweep, &r, err);
    if (rc < 0)
        return rc;
    keep_notes(w, &r);
    keep_segments(w, &r.outcomes[0], r.ncores, rq->at);
    put_text(w, WHATIF_RESULT, json_of(cc_predict_show(&r, w->h, false)));
    cc_predict_result_fini(&r);
    return 0;
}

static char *message_of(const struct cc_err *e)
{
    CC_CLEANUP(cc_free_ptr) char *place = e->line ? cc_asprintf("line %u: ", e->line) : cc_strdup("");
    return cc_asprintf("%s%s%s%s", place, e->msg, e->hint[0] ? "\n" : "", e->hint);
}

EXPORT(whatif_run) int whatif_run(struct whatif *w, const char *text)
{
    struct request rq = {0};
    struct cc_err err = {0};
    int rc = take_request(&rq, text, &err);
    struct cc_scenario **scenarios = cc_alloc_array(rq.scenarios.n + 1, sizeof(struct cc_scenario *));
    if (rc == 0)
        rc = load_scenarios(&rq, scenarios, &err);
    if (rc == 0)
        rc = predict(w, &rq, scenarios, &err);
    put_text(w, WHATIF_MESSAGE, rc < 0 ? message_of(&err) : NULL);
    for (size_t i = 0; i < rq.scenarios.n; i++)
        cc_scenario_free(scenarios[i]);
    free(scenarios);
    CC_VEC_FINI(&rq.scenarios);
    CC_VEC_FINI(&rq.sets);
    cc_arena_fini(&rq.arena);
    return rc;
}

EXPORT(whatif_new) struct whatif *whatif_new(const void *graph, size_t n)
{
    struct cc_htg *h;
    if (cc_htg_unpack(graph, n, &h, NULL) < 0)
        return NULL;
    struct whatif *w = cc_alloc(sizeof *w);
    w->h = h;
    put_text(w, WHATIF_TASKS, json_of(cc_predict_show_tasks(h)));
    put_text(w, WHATIF_NAMES, names_of(h));
    return w;
}

EXPORT(whatif_text) const char *whatif_text(const struct whatif *w, int which)
{
    return which >= 0 && which < WHATIF_TEXTS && w->text[which] ? w->text[which] : "";
}

EXPORT(whatif_segments) const double *whatif_segments(const struct whatif *w)
{
    return w->segments;
}

EXPORT(whatif_nsegments) size_t whatif_nsegments(const struct whatif *w)
{
    return w->nsegments;
}
