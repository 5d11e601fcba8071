/* corecast predict SET --at: the times of an input that was never run. Every recording of the set is
 * predicted by itself; what is extrapolated are the predicted times, by the laws of analysis/growth. */
#include "asked.h"
#include "../output.h"
#include "../../analysis/growth/samples.h"

#include <math.h>

/* A time in all runs: of one outcome, sequential or on so many processors. */
struct series {
    double *time, *low, *high;
    struct cc_foreseen found;
};

struct forecast {
    const struct cc_predict_asked *o;
    struct cc_set *set;
    struct cc_controls controls;
    size_t *run; /* of the manifest */
    struct cc_predict_task task;
    size_t noutcomes;
    struct series *series; /* [outcome * (1 + ncores)]: the first is the sequential time */
    double seconds;        /* of a tick, 0 if unknown */
    const char *clock;
    struct cc_predict_result last; /* of the last run: what it rests on */
    double *x;                     /* of --at */
    uint32_t *category;
    struct cc_arena arena;
};

static struct series *series_of(const struct forecast *f, size_t outcome)
{
    return &f->series[outcome * (1 + f->task.sweep.ncores)];
}

static void take(struct series *s, size_t run, cc_ticks time, cc_ticks low, cc_ticks high)
{
    s->time[run] = CC_TICKS_TO_F64(time);
    s->low[run] = CC_TICKS_TO_F64(low);
    s->high[run] = CC_TICKS_TO_F64(high);
}

static void take_result(struct forecast *f, size_t run, const struct cc_predict_result *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct cc_predict_outcome *o = &r->outcomes[i];
        struct series *s = series_of(f, i);
        take(s, run, o->sequential, o->sequential, o->sequential);
        for (size_t c = 0; c < r->ncores; c++)
            take(&s[1 + c], run, o->schedules[c].time, o->schedules[c].time_low, o->schedules[c].time_high);
        f->seconds = o->seconds;
    }
}

static int predict_run(struct forecast *f, size_t run, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_set_path(f->set, &f->set->runs.v[f->run[run]]);
    struct cc_htg *h;
    int rc = cc_predict_load(f->o, path, &h, err);
    if (rc < 0)
        return rc;
    struct cc_predict_asked o = *f->o;
    o.common.quiet |= run > 0; /* what is to be noted of one is of all */
    cc_predict_result_fini(&f->last);
    f->last = (struct cc_predict_result){0};
    rc = cc_predict_task_run(&f->task, &o, path, h, &f->last, err);
    if (rc == 0) {
        take_result(f, run, &f->last);
        bool cycles = f->last.outcomes[0].contention == CC_CONTENTION_LOCALITY;
        const char *clock = cycles ? "cycles" : h->clock;
        if (f->clock && strcmp(f->clock, clock) != 0)
            rc = cc_err_at(err, CC_EINPUT, path, 0, "times in %s, those of the other recordings in %s", clock,
                           f->clock);
        f->clock = cc_arena_strdup(&f->arena, clock);
    }
    cc_htg_free(h);
    return rc;
}

static int foresee(struct forecast *f, struct cc_err *err)
{
    size_t runs = f->controls.nruns, n = f->noutcomes * (1 + f->task.sweep.ncores);
    f->series = cc_arena_alloc(&f->arena, n * sizeof *f->series);
    for (size_t i = 0; i < n; i++)
        f->series[i] = (struct series){.time = cc_arena_alloc(&f->arena, runs * sizeof(double)),
                                       .low = cc_arena_alloc(&f->arena, runs * sizeof(double)),
                                       .high = cc_arena_alloc(&f->arena, runs * sizeof(double))};
    int rc = 0;
    for (size_t run = 0; rc == 0 && run < runs; run++)
        rc = predict_run(f, run, err);
    if (rc < 0)
        return rc;
    struct cc_growth_search *search = cc_growth_search_new(&f->controls);
    for (size_t i = 0; i < n; i++) {
        struct series *s = &f->series[i];
        cc_growth_foresee(search, s->time, s->low, s->high, f->x, f->category, &s->found);
    }
    cc_growth_search_free(search);
    return 0;
}

/* --- what is shown --- */

static void put_time(struct cc_table *t, const struct forecast *f, const struct series *s)
{
    const struct cc_foreseen *v = &s->found;
    cc_table_num(t, v->value);
    cc_table_num(t, v->low);
    cc_table_num(t, v->high);
    cc_table_num(t, f->seconds > 0 ? v->value * f->seconds : NAN);
}

static void add_schedules(const struct forecast *f, const struct series *sequential, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"processors", "cores", CC_COL_INT},
        {"time", "time", CC_COL_INT},
        {"time_low", "low", CC_COL_INT},
        {"time_high", "high", CC_COL_INT},
        {"seconds", "seconds", CC_COL_NUM, 4},
        {"speedup", "speed-up", CC_COL_NUM, 2},
        {"law", "law of the time", CC_COL_STR},
        {"law_error", "off by", CC_COL_PERCENT, 1,
         .meaning = "median error of the law at recordings left out, one at a time"},
    };
    struct cc_table *t = cc_result_table(r, "schedules", cols, CC_COUNT(cols));
    for (size_t c = 0; c < f->task.sweep.ncores; c++) {
        const struct series *s = &sequential[1 + c];
        CC_CLEANUP(cc_free_ptr) char *law = cc_growth_text(&s->found.growth, &f->controls);
        cc_table_row(t);
        cc_table_u64(t, (uint64_t)f->task.sweep.cores[c]);
        put_time(t, f, s);
        cc_table_num(t, s->found.value > 0 ? sequential->found.value / s->found.value : NAN);
        cc_table_str(t, law);
        cc_table_num(t, s->found.growth.error);
    }
}

static void add_outcome(const struct forecast *f, size_t outcome, struct cc_result *r)
{
    const struct cc_predict_sweep *w = &f->task.sweep;
    const struct cc_scenario *scenario = w->scenarios[outcome / w->nsettings];
    const char *setting = w->settings[outcome % w->nsettings].label;
    const struct series *s = series_of(f, outcome);
    cc_result_obj(r, NULL);
    cc_result_gap(r);
    cc_result_str(r, "name", scenario->name);
    cc_result_str(r, "setting", setting);
    cc_result_num(r, "sequential_time", s->found.value);
    cc_result_note(r, "scenario %s%s%s: sequential time %.4g %s", scenario->name, *setting ? ", " : "",
                   setting, s->found.value, f->clock);
    add_schedules(f, s, r);
    cc_result_end(r);
}

static struct cc_result *show(const struct forecast *f)
{
    struct cc_result *r = cc_result_new("corecast.predict.set", 1);
    CC_CLEANUP(cc_free_ptr) char *beyond = cc_controls_beyond(&f->controls, f->x);
    cc_result_note(r, "%s at %s, from the predictions of %zu recordings", f->set->folder, f->o->at,
                   f->controls.nruns);
    cc_result_str(r, "input", f->set->folder);
    cc_result_str(r, "at", f->o->at);
    cc_result_u64(r, "runs", f->controls.nruns);
    cc_result_str(r, "clock", f->clock);
    cc_result_str(r, "beyond", beyond);
    cc_result_arr(r, "scenarios");
    for (size_t i = 0; i < f->noutcomes; i++)
        add_outcome(f, i, r);
    cc_result_end(r);
    cc_result_gap(r);
    if (beyond)
        cc_result_note(r, "note: beyond what was recorded, where intervals promise nothing: %s", beyond);
    cc_assumed_show(f->last.assumed, f->last.nassumed, r);
    return r;
}

/* --- the whole --- */

static int forecast(struct forecast *f, struct cc_err *err)
{
    int rc = cc_controls_of_set(f->set, &f->arena, f->run, &f->controls, err);
    if (rc < 0)
        return rc;
    f->x = cc_arena_alloc(&f->arena, f->controls.nvariables * sizeof *f->x);
    f->category = cc_arena_alloc(&f->arena, f->controls.nvariables * sizeof *f->category);
    rc = cc_controls_at(&f->controls, f->o->at, f->x, f->category, err);
    if (rc == 0)
        rc = cc_predict_task_init(&f->task, f->o, err);
    f->noutcomes = f->task.sweep.nscenarios * f->task.sweep.nsettings;
    if (rc == 0)
        rc = foresee(f, err);
    return rc;
}

int cc_predict_set(const struct cc_predict_asked *o, const char *path, struct cc_result **ret,
                   struct cc_err *err)
{
    if (!o->at)
        return cc_err_set(err, CC_EUSAGE, "a set of recordings needs --at, the values to predict for");
    if (o->speedup || o->stacks || o->energy || o->gantt || o->chrome || o->full)
        return cc_err_set(err, CC_EUSAGE,
                          "of a set of recordings there are times only: no charts, no --full");
    struct forecast f = {.o = o};
    int rc = cc_set_load(path, &f.set, err);
    if (rc < 0)
        return rc;
    f.run = cc_alloc_array(f.set->runs.n + 1, sizeof *f.run);
    rc = forecast(&f, err);
    if (rc == 0) {
        for (size_t i = 0; i < f.last.nwarnings; i++)
            cc_note(&o->common, "%s", f.last.warnings[i]);
        *ret = show(&f);
    }
    cc_predict_result_fini(&f.last);
    cc_predict_task_fini(&f.task);
    cc_controls_fini(&f.controls);
    free(f.run);
    cc_arena_fini(&f.arena);
    cc_set_free(f.set);
    return rc;
}
