#include "asked.h"
#include "legal.h"

static int load_scenarios(const struct cc_strs *paths, struct cc_scenario **list, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < paths->n; i++)
        rc = cc_scenario_load(paths->v[i], &list[i], err);
    return rc;
}

static int parse_cores(const struct cc_predict_asked *o, struct cc_int_list *cores, struct cc_err *err)
{
    if (o->cores)
        return cc_opt_int_list("cores", o->cores, 1, CC_PREDICT_MAX_CORES, cores, err);
    struct cc_platform *p;
    int rc = cc_platform_load(o->platform, &p, err);
    if (rc < 0)
        return rc;
    int64_t most = CC_MIN(cc_predict_cores(p), (int64_t)CC_PREDICT_MAX_CORES);
    cc_platform_free(p);
    while ((int64_t)cores->n < CC_MIN(most, 16)) {
        cores->v[cores->n] = (int64_t)cores->n + 1;
        cores->n++;
    }
    for (int64_t c = 32; c <= most; c *= 2)
        cores->v[cores->n++] = c;
    return 0;
}

int cc_predict_task_init(struct cc_predict_task *x, const struct cc_predict_asked *o, struct cc_err *err)
{
    struct cc_int_list cores = {cc_alloc_array(CC_PREDICT_MAX_CORES, sizeof *cores.v), CC_PREDICT_MAX_CORES,
                                0};
    struct cc_predict_setting *settings = NULL;
    *x = (struct cc_predict_task){.cores = cores.v, .nscenarios = o->scenarios.n};
    x->scenarios = cc_alloc_array(x->nscenarios, sizeof *x->scenarios);
    x->sweep = (struct cc_predict_sweep){
        .platform = o->platform,
        .scenarios = (const struct cc_scenario *const *)x->scenarios,
        .nscenarios = x->nscenarios,
        .cores = x->cores,
        .jobs = (unsigned)o->jobs,
        .options = {.contention = (enum cc_contention)o->contention,
                    .coverage = CC_GIVEN(o, coverage) ? o->coverage : 0,
                    .no_latency = o->no_latency},
    };
    int rc = parse_cores(o, &cores, err);
    x->sweep.ncores = cores.n;
    if (rc == 0)
        rc = cc_predict_settings(o->set.v, o->set.n, &x->arena, &settings, &x->sweep.nsettings, err);
    x->sweep.settings = settings;
    return rc < 0 ? rc : load_scenarios(&o->scenarios, x->scenarios, err);
}

void cc_predict_task_fini(struct cc_predict_task *x)
{
    for (size_t i = 0; i < x->nscenarios; i++)
        cc_scenario_free(x->scenarios[i]);
    free(x->scenarios);
    free(x->cores);
    cc_arena_fini(&x->arena);
}

int cc_predict_task_run(struct cc_predict_task *x, const struct cc_predict_asked *o, const char *input,
                        const struct cc_htg *h, struct cc_predict_result *ret, struct cc_err *err)
{
    int rc = cc_predict_legal(&o->common, input, x->scenarios, x->nscenarios, o->force, err);
    x->sweep.h = h;
    return rc < 0 ? rc : cc_predict_sweep_run(&x->sweep, ret, err);
}

int cc_predict_load(const struct cc_predict_asked *o, const char *input, struct cc_htg **ret,
                    struct cc_err *err)
{
    uint64_t thread = 0;
    if (o->thread && (!cc_parse_u64(o->thread, &thread) || thread > UINT32_MAX))
        return cc_err_set(err, CC_EUSAGE, "--thread takes a number, not '%s'", o->thread);
    struct cc_htg_options how = {.any_thread = !o->thread, .thread = (uint32_t)thread, .partial = o->partial};
    return cc_htg_load(input, &how, ret, err);
}
