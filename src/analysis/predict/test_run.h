/* For tests: a trace in CSV, costs and a scenario as text, replayed. */
#ifndef CC_ANALYSIS_PREDICT_TEST_RUN_H
#define CC_ANALYSIS_PREDICT_TEST_RUN_H

#include "analysis/predict/predict.h"
#include "base/text.h"

static struct cc_err last;

/* Costs are cycles of one tick each; the platform has a clock of 1 GHz. */
static int run(const char *csv, const char *platform, const char *scenario, unsigned processors,
               struct cc_predict_schedule *out)
{
    struct cc_htg *h = NULL;
    struct cc_platform *p = NULL;
    struct cc_scenario *s = NULL;
    struct cc_predict_model *m = NULL;
    struct cc_predict_plan *plan = NULL;
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf("[platform]\nname = t\nsource = test\nclock_mhz = 1000\n%s", platform);
    last = (struct cc_err){0};
    int rc =
        cc_htg_parse_csv("t.csv", csv, strlen(csv), &(struct cc_htg_options){.any_thread = true}, &h, &last);
    if (rc == 0)
        rc = cc_platform_parse("t.ini", text, strlen(text), &p, &last);
    if (rc == 0)
        rc = cc_scenario_parse("s.omp", scenario, strlen(scenario), &s, &last);
    if (rc == 0)
        rc = cc_predict_model_new(h, p, &(struct cc_predict_options){0}, &m, &last);
    if (rc == 0)
        rc = cc_predict_plan_new(h, s, &plan, &last);
    if (rc == 0)
        rc = cc_predict_run(m, plan, processors, false, out, &last);
    cc_predict_plan_free(plan);
    cc_predict_model_free(m);
    cc_platform_free(p);
    cc_htg_free(h);
    cc_scenario_free(s); /* the texts of regions' directives go with it: tests do not look at them */
    return rc;
}

/* In ticks; -1: it fails, -2: the parts do not add up to processors x time. */
static double time_of(const char *csv, const char *platform, const char *scenario, unsigned processors)
{
    struct cc_predict_schedule r;
    if (run(csv, platform, scenario, processors, &r) < 0) {
        printf("# %s:%u: %s\n", last.file, last.line, last.msg);
        return -1;
    }
    cc_wide_ticks sum = 0;
    for (int i = 0; i < CC_PARTS; i++)
        sum += r.parts[i];
    double t = sum == (cc_wide_ticks)r.time * r.processors ? CC_TICKS_TO_F64(r.time) : -2;
    cc_predict_schedule_fini(&r);
    return t;
}

#endif
