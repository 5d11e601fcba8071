#include "mapping.h"

#include <math.h>

int cc_units_map(const struct cc_profile *profile, const struct cc_platform *platform,
                 const struct cc_map_recording *how, struct cc_units_mapping *ret, struct cc_err *err)
{
    *ret = (struct cc_units_mapping){0};
    struct cc_map_solve_options o = {.objective = CC_MAP_LATENCY,
                                     .plan = CC_MAP_EXPECTED,
                                     .deadline = INFINITY,
                                     .effort = 1,
                                     .alternatives = 1};
    int rc = cc_map_problem_from_profile(profile, platform, how, &ret->problem, &ret->facts, err);
    return rc < 0 ? rc : cc_map_solve(ret->problem, &o, &ret->solved, err);
}

void cc_units_unmap(struct cc_units_mapping *m)
{
    if (m->problem) {
        cc_map_result_fini(&m->solved);
        cc_map_problem_free(m->problem);
    }
    *m = (struct cc_units_mapping){0};
}

void cc_units_show_profiles(const struct cc_kernels *k, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"name", "kernel", CC_COL_STR},
        {"s_int", "s_int", CC_COL_PERCENT, 1},
        {"m_int", "m_int", CC_COL_PERCENT, 1},
        {"float", "float", CC_COL_PERCENT, 1},
        {"specific", "specific", CC_COL_PERCENT, 1},
        {"branch", "branch", CC_COL_PERCENT, 1},
        {"address", "address", CC_COL_PERCENT, 1},
        {"intensity", "intensity", CC_COL_NUM, 2},
    };
    cc_result_gap(r);
    cc_result_note(
        r, "computing profile: shares of the instructions that compute, and how many for each access");
    struct cc_table *t = cc_result_table(r, "profiles", cols, CC_COUNT(cols));
    for (size_t i = 0; i < k->v.n; i++) {
        const double *n = k->v.v[i].n;
        double sum = 0;
        for (int c = 0; c < CC_MEMORY; c++)
            sum += n[c];
        cc_table_row(t);
        cc_table_str(t, k->v.v[i].name);
        for (int c = 0; c < CC_MEMORY; c++)
            cc_table_num(t, sum > 0 ? n[c] / sum : NAN);
        cc_table_num(t, n[CC_MEMORY] > 0 ? sum / n[CC_MEMORY] : NAN);
    }
}

void cc_units_show_mapping(const struct cc_units_mapping *m, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"task", "kernel", CC_COL_STR},   {"unit", "unit", CC_COL_STR},       {"cores", "cores", CC_COL_INT},
        {"low", "low ms", CC_COL_NUM, 3}, {"high", "high ms", CC_COL_NUM, 3},
    };
    const struct cc_map_problem *p = m->problem;
    const struct cc_map_solution *s = &m->solved.best[0];
    cc_result_gap(r);
    cc_result_note(r, "mapping: %.3f to %.3f ms a run, %s", 1e3 * s->low, 1e3 * s->high,
                   m->solved.proven ? "no mapping is better" : "not proven to be the best");
    cc_result_obj(r, "mapping");
    struct cc_table *t = cc_result_table(r, "assignment", cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->tasks.n; i++) {
        const struct cc_map_option *o = &p->tasks.v[i].options.v[s->tasks[i].option];
        cc_table_row(t);
        cc_table_str(t, p->tasks.v[i].name);
        cc_table_str(t, p->units.v[o->unit].name);
        cc_table_u64(t, o->cores);
        cc_table_num(t, 1e3 * o->low);
        cc_table_num(t, 1e3 * o->high);
    }
    cc_result_num(r, "seconds", s->time);
    cc_result_num(r, "seconds_low", s->low);
    cc_result_num(r, "seconds_high", s->high);
    cc_result_num(r, "lower_bound", m->solved.lower_bound);
    cc_result_bool(r, "proven", m->solved.proven);
    cc_result_end(r);
    if (m->solved.nalternatives) {
        const struct cc_map_solution *next = &m->solved.alternatives[0];
        cc_result_note(r,
                       "the next best takes %.2f %% longer; this one wins in %.0f %% of runs with times "
                       "drawn from the intervals",
                       100 * (next->time / s->time - 1), 100 * next->better);
    }
    cc_result_note(r, "'corecast map' has more: objectives, pins, alternatives, drawings");
}
