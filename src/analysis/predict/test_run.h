/* For tests: a trace in CSV, costs and a scenario as text, replayed. */
#ifndef CC_ANALYSIS_PREDICT_TEST_RUN_H
#define CC_ANALYSIS_PREDICT_TEST_RUN_H

#include "analysis/predict/predict.h"
#include "base/text.h"

#include <math.h>

static struct cc_err last;

/* What a run may have besides its texts. */
struct test_run {
    struct cc_predict_options options;
    bool segments;
    void (*change)(struct cc_htg *h); /* of the graph, before it is used */
};

/* Costs are cycles of one tick each; the platform has a clock of 1 GHz, and four cores if it tells no other
 * number. The schedule borrows the directives' texts: they stay until the next run. */
static int run_with(const struct test_run *t, const char *csv, const char *platform, const char *scenario,
                    unsigned processors, struct cc_predict_schedule *out)
{
    static struct cc_scenario *s;
    struct cc_htg *h = NULL;
    struct cc_platform *p = NULL;
    struct cc_predict_model *m = NULL;
    struct cc_predict_plan *plan = NULL;
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf("[platform]\nname = t\nsource = test\nclock_mhz = 1000\n%s%s",
                             strstr(platform, "cores = ") ? "" : "cores = 4\n", platform);
    last = (struct cc_err){0};
    cc_scenario_free(s);
    s = NULL;
    int rc =
        cc_htg_parse_csv("t.csv", csv, strlen(csv), &(struct cc_htg_options){.any_thread = true}, &h, &last);
    if (rc == 0 && t->change)
        t->change(h);
    if (rc == 0)
        rc = cc_platform_parse("t.ini", text, strlen(text), &p, &last);
    if (rc == 0)
        rc = cc_scenario_parse("s.omp", scenario, strlen(scenario), &s, &last);
    if (rc == 0)
        rc = cc_predict_model_new(h, p, &t->options, &m, &last);
    if (rc == 0)
        rc = cc_predict_plan_new(h, s, &plan, &last);
    if (rc == 0)
        rc = cc_predict_run(m, plan, processors, t->segments, out, &last);
    cc_predict_plan_free(plan);
    cc_predict_model_free(m);
    cc_platform_free(p);
    cc_htg_free(h);
    return rc;
}

static inline int run(const char *csv, const char *platform, const char *scenario, unsigned processors,
                      struct cc_predict_schedule *out)
{
    return run_with(&(struct test_run){.segments = false}, csv, platform, scenario, processors, out);
}

/* Parts are positive and make processors x time; so do those of each region. */
static inline bool adds_up(const struct cc_predict_schedule *r)
{
    cc_wide_ticks sum = 0;
    for (int i = 0; i < CC_PARTS; i++) {
        if (r->parts[i] < 0)
            return false;
        sum += r->parts[i];
    }
    bool ok = sum == (cc_wide_ticks)r->time * r->processors;
    for (size_t i = 0; i < r->nregions; i++) {
        double s = 0;
        for (int k = 0; k < CC_PARTS; k++)
            s += r->regions[i].stack[k];
        ok = ok && fabs(s - r->regions[i].time) <= 1e-9 * (1 + r->regions[i].time);
    }
    return ok;
}

/* In ticks; -1: it fails, -2: the parts do not add up to processors x time. */
static inline double time_of(const char *csv, const char *platform, const char *scenario, unsigned processors)
{
    struct cc_predict_schedule r;
    if (run(csv, platform, scenario, processors, &r) < 0) {
        printf("# %s:%u: %s\n", last.file, last.line, last.msg);
        return -1;
    }
    double t = adds_up(&r) ? CC_TICKS_TO_F64(r.time) : -2;
    cc_predict_schedule_fini(&r);
    return t;
}

#endif
