#include "sweep.h"
#include "../../base/arena.h"
#include "../../base/parallel.h"

#include <math.h>

enum { MAX_SETTINGS = 4096, MAX_VALUES = 4096 };

/* --- settings --- */

struct values {
    const char *name;
    const char **v;
    size_t n;
};

static int add_value(struct values *list, struct cc_arena *a, const char *set, const char *text,
                     struct cc_err *err)
{
    if (list->n == MAX_VALUES)
        return cc_err_set(err, CC_EUSAGE, "'--set %s' has more than %d values", set, MAX_VALUES);
    list->v[list->n++] = cc_arena_strdup(a, text);
    return 0;
}

static int add_range(struct values *list, struct cc_arena *a, const char *set, const char *from,
                     const char *dots, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *low_text = cc_strndup(from, (size_t)(dots - from));
    CC_CLEANUP(cc_free_ptr) char *high_text = cc_strdup(dots + 2);
    char *colon = strchr(high_text, ':');
    if (colon)
        *colon++ = 0;
    double low, high, step = 1;
    if (!cc_parse_f64(low_text, &low) || !cc_parse_f64(high_text, &high) ||
        (colon && !cc_parse_f64(colon, &step)) || !(step > 0) || high < low)
        return cc_err_set(
            err, CC_EUSAGE,
            "'--set %s': expected NAME=FROM..TO or NAME=FROM..TO:STEP with FROM <= TO and a positive STEP",
            set);
    if ((high - low) / step > MAX_VALUES)
        return cc_err_set(err, CC_EUSAGE, "'--set %s' has more than %d values", set, MAX_VALUES);
    int rc = 0;
    for (size_t i = 0; rc == 0; i++) { /* by multiplication: no error piles up */
        double v = low + (double)i * step;
        if (v > high * (1 + 1e-12) + 1e-300)
            break;
        char text[40];
        snprintf(text, sizeof text, "%.12g", v);
        rc = add_value(list, a, set, text, err);
    }
    return rc;
}

static int parse_set(const char *set, struct cc_arena *a, struct values *ret, struct cc_err *err)
{
    const char *eq = strchr(set, '=');
    if (!eq || eq == set || !eq[1])
        return cc_err_set(err, CC_EUSAGE, "'--set %s' is not NAME=VALUE or NAME=FROM..TO:STEP", set);
    CC_CLEANUP(cc_free_ptr) char *name = cc_strndup(set, (size_t)(eq - set));
    CC_CLEANUP(cc_free_ptr) char *full = cc_predict_parameter(name);
    *ret = (struct values){.name = cc_arena_strdup(a, full),
                           .v = cc_arena_alloc(a, MAX_VALUES * sizeof *ret->v)};
    const char *dots = strstr(eq, "..");
    if (dots)
        return add_range(ret, a, set, eq + 1, dots, err);
    if (strchr(eq, ':')) /* a curve, whose commas are its own */
        return add_value(ret, a, set, eq + 1, err);
    int rc = 0;
    for (const char *p = eq + 1; rc == 0;) {
        size_t n = strcspn(p, ",");
        CC_CLEANUP(cc_free_ptr) char *one = cc_strndup(p, n);
        rc = *one ? add_value(ret, a, set, one, err)
                  : cc_err_set(err, CC_EUSAGE, "'--set %s' has an empty value", set);
        if (!p[n])
            break;
        p += n + 1;
    }
    return rc;
}

int cc_predict_settings(const char *const *sets, size_t n, struct cc_arena *a,
                        struct cc_predict_setting **ret, size_t *ret_n, struct cc_err *err)
{
    struct values *lists = cc_arena_alloc(a, (n + 1) * sizeof *lists);
    size_t total = 1;
    for (size_t i = 0; i < n; i++) {
        int rc = parse_set(sets[i], a, &lists[i], err);
        if (rc < 0)
            return rc;
        total *= lists[i].n;
        if (total > MAX_SETTINGS)
            return cc_err_set(err, CC_EUSAGE, "the values of --set make more than %d combinations",
                              MAX_SETTINGS);
    }
    struct cc_predict_setting *out = cc_arena_alloc(a, total * sizeof *out);
    for (size_t k = 0; k < total; k++) {
        out[k].n = n;
        out[k].assignments = cc_arena_alloc(a, (n + 1) * sizeof *out[k].assignments);
        out[k].label = "";
        size_t rest = k;
        for (size_t i = n; i-- > 0;) { /* the last one changes fastest */
            CC_CLEANUP(cc_free_ptr)
            char *one = cc_asprintf("%s=%s", lists[i].name, lists[i].v[rest % lists[i].n]);
            CC_CLEANUP(cc_free_ptr)
            char *label = cc_asprintf("%s%s%s", one, *out[k].label ? ", " : "", out[k].label);
            out[k].assignments[i] = cc_arena_strdup(a, one);
            out[k].label = cc_arena_strdup(a, label);
            rest /= lists[i].n;
        }
    }
    *ret = out;
    *ret_n = total;
    return 0;
}

/* --- running --- */

struct work {
    const struct cc_predict_sweep *w;
    struct cc_predict_result *r;
    struct cc_predict_model **models; /* by setting */
    struct cc_predict_plan **plans;   /* by scenario */
    struct cc_profile *profile;       /* for what tasks take on units; NULL: not needed, or there is none */
    struct cc_classes *classes;
    struct cc_err *err;
    int rc; /* the first failure */
};

static void replay(struct cc_parallel *p, void *arg)
{
    struct work *k = arg;
    const struct cc_predict_sweep *w = k->w;
    for (size_t i; cc_parallel_next(p, &i);) {
        size_t outcome = i / w->ncores, core = i % w->ncores;
        struct cc_err err = {0};
        int rc = cc_predict_run(k->models[outcome % w->nsettings], k->plans[outcome / w->nsettings],
                                (unsigned)w->cores[core], w->segments_at == w->cores[core],
                                &k->r->outcomes[outcome].schedules[core], &err);
        if (rc < 0) {
            cc_parallel_stop(p);
            cc_parallel_lock(p);
            if (k->rc == 0) {
                k->rc = rc;
                *k->err = err;
            }
            cc_parallel_unlock(p);
        }
    }
}

static void warn(struct cc_predict_result *r, const char *text)
{
    for (size_t i = 0; i < r->nwarnings; i++)
        if (strcmp(r->warnings[i], text) == 0)
            return;
    if (r->nwarnings < 64)
        r->warnings[r->nwarnings++] = cc_arena_strdup(r->arena, text);
}

static bool on_unit(const struct cc_directive *d)
{
    return d->kind == CC_OMP_TARGET || d->kind == CC_OMP_TARGET_LOOP || d->kind == CC_OMP_TARGET_DATA ||
           d->kind == CC_OMP_TARGET_ENTER || d->kind == CC_OMP_TARGET_EXIT || d->kind == CC_OMP_TARGET_UPDATE;
}

/* Figures of a unit: its vectors and atomics, or all that tells how long work takes there. */
static bool needs_unit(const struct cc_directive *d, const struct cc_assumed *a)
{
    if (strcmp(a->key, "vector_gain") == 0)
        return d->simd;
    if (strcmp(a->key, "atomic") == 0)
        return d->kind == CC_OMP_ATOMIC;
    return (d->kind == CC_OMP_TARGET || d->kind == CC_OMP_TARGET_LOOP) && strcmp(a->key, "reduction") != 0 &&
           strcmp(a->key, "barrier") != 0 && strcmp(a->key, "vector_load_store") != 0;
}

/* Whether a directive makes the replay look at this figure; the model reads them all, whatever is replayed.
 */
static bool needs(const struct cc_directive *d, const struct cc_assumed *a)
{
    bool tasks = d->kind == CC_OMP_TASK || d->kind == CC_OMP_TASKLOOP || d->kind == CC_OMP_MASTER_TASKLOOP ||
                 d->kind == CC_OMP_PARALLEL_TASKLOOP;
    bool local = strncmp(a->section, "memory.", 7) == 0 && strcmp(a->key, "size") == 0;
    if (strcmp(a->section, "dma") == 0 || local)
        return d->kind == CC_OMP_TRANSFER || d->kind == CC_OMP_TILE;
    if (strcmp(a->section, "openmp.static") == 0)
        return d->schedule == CC_OMP_STATIC;
    if (strcmp(a->section, "openmp.dynamic") == 0 || strcmp(a->section, "openmp.guided") == 0)
        return d->schedule != CC_OMP_STATIC;
    if (strncmp(a->section, "unit.", 5) == 0)
        return needs_unit(d, a);
    if (strncmp(a->section, "link.", 5) == 0)
        return on_unit(d);
    if (strncmp(a->key, "task_", 5) == 0)
        return tasks;
    if (strcmp(a->key, "reduction_ovh") == 0)
        return d->nreductions > 0;
    if (strcmp(a->key, "critical_ovh") == 0)
        return d->kind == CC_OMP_CRITICAL || d->kind == CC_OMP_ORDERED;
    return true;
}

static bool needed(const struct cc_predict_sweep *w, const struct cc_assumed *a)
{
    for (size_t s = 0; s < w->nscenarios; s++)
        for (size_t d = 0; d < w->scenarios[s]->n; d++)
            if (needs(&w->scenarios[s]->directives[d], a))
                return true;
    return false;
}

/* Adds what this setting's model rests on; settings differ only in what they override. */
static void add_assumed(const struct cc_predict_sweep *w, struct cc_predict_result *r,
                        const struct cc_platform *p)
{
    const struct cc_assumed *found;
    size_t n = cc_platform_assumed(p, r->arena, &found), all = r->nassumed;
    struct cc_assumed *list = cc_arena_alloc(r->arena, (all + n + 1) * sizeof *list);
    if (all)
        memcpy(list, r->assumed, all * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        bool known = !needed(w, &found[i]);
        for (size_t k = 0; k < r->nassumed; k++)
            known |= strcmp(list[k].section, found[i].section) == 0 && strcmp(list[k].key, found[i].key) == 0;
        if (!known)
            list[all++] = found[i];
    }
    r->assumed = list;
    r->nassumed = all;
}

int64_t cc_predict_cores(const struct cc_platform *p)
{
    return (int64_t)(cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1) *
                     cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLUSTERS, 1));
}

static void warn_limits(struct work *k, struct cc_platform *p)
{
    int64_t most = 0, measured = 0;
    for (size_t i = 0; i < k->w->ncores; i++)
        most = CC_MAX(most, k->w->cores[i]);
    for (size_t i = 0; i < k->w->h->nburdens; i++)
        measured = CC_MAX(measured, (int64_t)k->w->h->burdens[i].busy);
    int64_t cores = cc_predict_cores(p);
    char text[160];
    snprintf(text, sizeof text,
             "the platform has %lld cores: beyond that, predictions are for a larger one of its kind",
             (long long)cores);
    if (most > cores)
        warn(k->r, text);
    snprintf(text, sizeof text,
             "the co-run went up to %lld busy processors: beyond that, its burden is extrapolated",
             (long long)measured);
    if (measured && most > measured && k->w->options.contention <= CC_CONTENTION_CORUN)
        warn(k->r, text);
}

static void run_jobs(struct work *k)
{
    unsigned missing = cc_parallel_run(k->r->n * k->w->ncores, k->w->jobs, replay, k);
    char text[80];
    snprintf(text, sizeof text, "%u threads could not be started: this took longer", missing);
    if (missing)
        warn(k->r, text);
}

static int make_model(struct work *k, size_t i, struct cc_err *err)
{
    const struct cc_predict_sweep *w = k->w;
    struct cc_predict_options options = w->options;
    options.classes = k->classes;
    struct cc_platform *p;
    int rc = cc_platform_load(w->platform, &p, err);
    if (rc < 0)
        return rc;
    for (size_t a = 0; rc == 0 && a < w->settings[i].n; a++)
        rc = cc_platform_override(p, w->settings[i].assignments[a], err);
    if (rc == 0)
        rc = cc_predict_model_new(w->h, p, &options, &k->models[i], err);
    if (rc == 0) {
        const char *const *texts;
        size_t n = cc_platform_warnings(p, &texts);
        for (size_t t = 0; t < n; t++)
            warn(k->r, texts[t]);
        n = cc_predict_model_warnings(k->models[i], &texts);
        for (size_t t = 0; t < n; t++)
            warn(k->r, texts[t]);
        warn_limits(k, p);
        add_assumed(w, k->r, p);
        for (size_t s = 0; s < w->nscenarios; s++) {
            struct cc_predict_outcome *o = &k->r->outcomes[s * w->nsettings + i];
            o->seconds = cc_predict_tick_seconds(k->models[i]);
            o->energy = cc_predict_sequential_energy(k->models[i]);
        }
    }
    cc_platform_free(p);
    return rc;
}

/* A trace that is no profile, or one without code, has none: a scenario then has to tell the times. */
static void load_classes(struct work *k)
{
    bool wanted = false;
    for (size_t s = 0; s < k->w->nscenarios; s++)
        for (size_t d = 0; d < k->w->scenarios[s]->n; d++)
            wanted = wanted || on_unit(&k->w->scenarios[s]->directives[d]);
    struct cc_err ignored = {0};
    if (wanted && cc_profile_load(k->w->h->path, &k->profile, &ignored) == 0)
        cc_classes_build(k->profile, &k->classes, &ignored);
}

static void warn_of(struct cc_predict_result *r, size_t outcome, const struct cc_directive *d,
                    const char *what)
{
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf("%s:%u: '%s' for '%s' %s", r->outcomes[outcome].scenario->path, d->line, d->text,
                             d->task, what);
    warn(r, text);
}

/* What had no effect, and loops that nothing could be shared out of: mostly a mark around the whole loop. */
static void warn_orphans(struct cc_predict_result *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t c = 0; c < r->ncores; c++) {
            const struct cc_predict_schedule *s = &r->outcomes[i].schedules[c];
            for (size_t o = 0; o < s->norphans; o++)
                warn_of(r, i, s->orphans[o], "met no parallel region: no effect there");
            for (size_t l = 0; l < s->nlone; l++)
                warn_of(r, i, s->lone[l],
                        "had one iteration each time, which one thread does: its task is to be an iteration");
        }
}

int cc_predict_sweep_run(const struct cc_predict_sweep *w, struct cc_predict_result *ret, struct cc_err *err)
{
    *ret = (struct cc_predict_result){
        .n = w->nscenarios * w->nsettings, .ncores = w->ncores, .arena = cc_alloc(sizeof(struct cc_arena))};
    ret->outcomes = cc_arena_alloc(ret->arena, ret->n * sizeof *ret->outcomes);
    ret->warnings = cc_arena_alloc(ret->arena, 64 * sizeof *ret->warnings);
    struct cc_err first = {0};
    struct work k = {.w = w, .r = ret, .err = &first};
    k.models = cc_alloc_array(w->nsettings, sizeof *k.models);
    k.plans = cc_alloc_array(w->nscenarios, sizeof *k.plans);
    int rc = 0;
    load_classes(&k);
    for (size_t i = 0; rc == 0 && i < w->nsettings; i++)
        rc = make_model(&k, i, &first);
    for (size_t s = 0; rc == 0 && s < w->nscenarios; s++)
        rc = cc_predict_plan_new(w->h, w->scenarios[s], &k.plans[s], &first);
    for (size_t i = 0; rc == 0 && i < ret->n; i++) {
        struct cc_predict_outcome *o = &ret->outcomes[i];
        o->scenario = w->scenarios[i / w->nsettings];
        o->setting = &w->settings[i % w->nsettings];
        o->sequential = cc_predict_sequential(k.models[i % w->nsettings]);
        o->contention = cc_predict_contention(k.models[i % w->nsettings]);
        o->schedules = cc_arena_alloc(ret->arena, w->ncores * sizeof *o->schedules);
    }
    if (rc == 0) {
        run_jobs(&k);
        rc = k.rc;
    }
    if (rc == 0)
        warn_orphans(ret);
    for (size_t i = 0; i < w->nsettings; i++)
        cc_predict_model_free(k.models[i]);
    for (size_t s = 0; s < w->nscenarios; s++)
        cc_predict_plan_free(k.plans[s]);
    free(k.models);
    free(k.plans);
    cc_classes_free(k.classes);
    cc_profile_free(k.profile);
    if (rc < 0) {
        if (err)
            *err = first;
        cc_predict_result_fini(ret);
    }
    return rc;
}

void cc_predict_result_fini(struct cc_predict_result *r)
{
    for (size_t i = 0; r->outcomes && i < r->n; i++)
        for (size_t c = 0; r->outcomes[i].schedules && c < r->ncores; c++)
            cc_predict_schedule_fini(&r->outcomes[i].schedules[c]);
    if (r->arena)
        cc_arena_fini(r->arena);
    free(r->arena);
    *r = (struct cc_predict_result){0};
}
