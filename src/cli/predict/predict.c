/* corecast predict: how a traced sequential run would do in parallel. */
#include "../command.h"
#include "../output.h"
#include "../../base/arena.h"
#include "legal.h"
#include "show.h"

struct options {
    struct cc_common common;
    const char *platform, *cores, *speedup, *stacks, *energy, *gantt, *chrome, *thread;
    struct cc_strs scenarios, set;
    int contention;
    double coverage;
    bool no_latency, tasks, partial, full, force;
    int64_t at, jobs;
    struct cc_result **kept; /* where the result goes instead of being printed; NULL: it is printed */
};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct options, platform),
     "platform file, or the name of a shipped one"},
    {CC_OPT_LIST, 's', "scenario", "FILE", offsetof(struct options, scenarios),
     "directives for tasks; may be given several times"},
    {CC_OPT_STR, 'n', "cores", "LIST", offsetof(struct options, cores),
     "numbers of processors: 1,2,4 or 1..16 (default: 1 to the platform's)"},
    {CC_OPT_LIST, 0, "set", "NAME=V", offsetof(struct options, set),
     "a platform value, V,V or FROM..TO:STEP; several: all combinations"},
    {CC_OPT_CHOICE, 0, "contention", "HOW", offsetof(struct options, contention),
     "auto, corun (measured with the trace), model (of the platform), locality (recorded lines on the "
     "platform's "
     "caches) or off",
     0, 0, cc_contention_names},
    {CC_OPT_PERCENT, 0, "coverage", "PCT", offsetof(struct options, coverage),
     "how often reality is to lie between low and high, with locality or a co-run (default 90 %)", 50, 99},
    {CC_OPT_FLAG, 0, "no-latency", NULL, offsetof(struct options, no_latency),
     "leave the platform's memory latencies out"},
    {CC_OPT_STR, 0, "thread", "ID", offsetof(struct options, thread),
     "replay this thread's tasks instead of the first's"},
    {CC_OPT_FLAG, 0, "partial", NULL, offsetof(struct options, partial),
     "accept a trace that is marked incomplete"},
    {CC_OPT_FLAG, 0, "force", NULL, offsetof(struct options, force),
     "predict loops in parallel that the recording shows to need their order"},
    {CC_OPT_INT, 'j', "jobs", "N", offsetof(struct options, jobs),
     "threads to compute with (default: as many as processors)", 1, 256},
    {CC_OPT_HEADING, 0, NULL, NULL, 0, "output"},
    {CC_OPT_FLAG, 0, "tasks", NULL, offsetof(struct options, tasks),
     "print the tasks of the trace with their times instead"},
    {CC_OPT_FLAG, 0, "full", NULL, offsetof(struct options, full), "every schedule and region in full"},
    {CC_OPT_OUT, 0, "speedup", "FILE", offsetof(struct options, speedup),
     "speed-up with Amdahl's bound, as SVG"},
    {CC_OPT_OUT, 0, "stacks", "FILE", offsetof(struct options, stacks),
     "cycle stacks over processors, as SVG"},
    {CC_OPT_OUT, 0, "energy", "FILE", offsetof(struct options, energy),
     "energy over processors, as SVG; the platform must tell it"},
    {CC_OPT_OUT, 0, "gantt", "FILE", offsetof(struct options, gantt), "the schedule over time, as SVG"},
    {CC_OPT_OUT, 0, "chrome", "FILE", offsetof(struct options, chrome),
     "the schedule for chrome://tracing and Perfetto"},
    {CC_OPT_INT, 0, "at", "N", offsetof(struct options, at),
     "processors of the schedule drawn (default: the largest)", 1, CC_PREDICT_MAX_CORES},
};

static int load_scenarios(const struct cc_strs *paths, struct cc_scenario **list, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < paths->n; i++)
        rc = cc_scenario_load(paths->v[i], &list[i], err);
    return rc;
}

static int parse_cores(const struct options *o, struct cc_int_list *cores, struct cc_err *err)
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

/* The schedule that charts show: the first scenario's and setting's, on so many processors. */
static const struct cc_predict_schedule *drawn(const struct cc_predict_result *r, int64_t at)
{
    for (size_t c = 0; c < r->ncores; c++)
        if (r->outcomes[0].schedules[c].processors == at)
            return &r->outcomes[0].schedules[c];
    return NULL;
}

static int write_chrome(const char *path, const struct cc_predict_schedule *s, const struct cc_htg *h,
                        double seconds, struct cc_err *err)
{
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    cc_predict_chrome(s, h, seconds, out.f);
    return cc_outfile_commit(&out, err);
}

static int write_charts(const struct options *o, const struct cc_predict_result *r, const struct cc_htg *h,
                        int64_t at, struct cc_err *err)
{
    int rc = 0;
    struct cc_buf b = {0};
    if (o->speedup) {
        cc_predict_chart_speedup(r, &b);
        rc = cc_output_file(o->speedup, &b, err);
        cc_buf_fini(&b);
    }
    if (rc == 0 && o->stacks) {
        cc_predict_chart_stacks(r, h->clock, &b);
        rc = cc_output_file(o->stacks, &b, err);
        cc_buf_fini(&b);
    }
    if (rc == 0 && o->energy && !r->outcomes[0].energy.known)
        rc = cc_err_set(err, CC_EUSAGE,
                        "--energy: the platform tells no energy: see busy_cycle and idle_cycle of [energy]");
    if (rc == 0 && o->energy) {
        cc_predict_chart_energy(r, &b);
        rc = cc_output_file(o->energy, &b, err);
        cc_buf_fini(&b);
    }
    const struct cc_predict_schedule *s = drawn(r, at);
    if (rc == 0 && s && s->segments_cut && (o->gantt || o->chrome))
        cc_note(&o->common, "the schedule has too many pieces to draw: only its beginning is shown");
    if (rc == 0 && o->gantt && s) {
        CC_CLEANUP(cc_free_ptr)
        char *title =
            cc_asprintf("schedule of %s on %u processors", r->outcomes[0].scenario->name, s->processors);
        cc_predict_chart_gantt(s, h, title, &b);
        rc = cc_output_file(o->gantt, &b, err);
        cc_buf_fini(&b);
    }
    if (rc == 0 && o->chrome && s)
        rc = write_chrome(o->chrome, s, h, r->outcomes[0].seconds, err);
    return rc;
}

/* Frees r, unless it is to be kept. */
static int print(const struct options *o, struct cc_result *r, struct cc_err *err)
{
    if (o->kept) {
        *o->kept = r;
        return 0;
    }
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    return rc;
}

static int predict(struct options *o, const char *input, const struct cc_htg *h, struct cc_err *err)
{
    struct cc_arena arena = {0};
    struct cc_int_list cores = {cc_alloc_array(CC_PREDICT_MAX_CORES, sizeof *cores.v), CC_PREDICT_MAX_CORES,
                                0};
    struct cc_scenario **scenarios = cc_alloc_array(o->scenarios.n, sizeof *scenarios);
    struct cc_predict_setting *settings = NULL;
    struct cc_predict_sweep w = {
        .h = h, .platform = o->platform, .cores = cores.v, .jobs = (unsigned)o->jobs};
    w.options = (struct cc_predict_options){.contention = (enum cc_contention)o->contention,
                                            .coverage = CC_GIVEN(o, coverage) ? o->coverage : 0,
                                            .no_latency = o->no_latency};
    struct cc_predict_result r = {0};
    int rc = parse_cores(o, &cores, err);
    w.ncores = cores.n;
    if (rc == 0)
        rc = cc_predict_settings(o->set.v, o->set.n, &arena, &settings, &w.nsettings, err);
    if (rc == 0)
        rc = load_scenarios(&o->scenarios, scenarios, err);
    if (rc == 0)
        rc = cc_predict_legal(&o->common, input, scenarios, o->scenarios.n, o->force, err);
    if (rc == 0) {
        w.settings = settings;
        w.scenarios = (const struct cc_scenario *const *)scenarios;
        w.nscenarios = o->scenarios.n;
        int64_t most = 0;
        bool there = false;
        for (size_t i = 0; i < w.ncores; i++) {
            most = CC_MAX(most, cores.v[i]);
            there = there || cores.v[i] == o->at;
        }
        if (o->at && !there)
            rc = cc_err_set(err, CC_EUSAGE, "--at %lld is not among --cores", (long long)o->at);
        int64_t at = o->at ? o->at : most;
        w.segments_at = o->gantt || o->chrome ? at : 0;
        if (rc == 0)
            rc = cc_predict_sweep_run(&w, &r, err);
        for (size_t i = 0; rc == 0 && i < r.nwarnings; i++)
            cc_note(&o->common, "%s", r.warnings[i]);
        if (rc == 0)
            rc = write_charts(o, &r, h, at, err);
        if (rc == 0)
            rc = print(o, cc_predict_show(&r, h, o->full || o->common.verbose), err);
    }
    cc_predict_result_fini(&r);
    for (size_t i = 0; i < o->scenarios.n; i++)
        cc_scenario_free(scenarios[i]);
    free(scenarios);
    free(cores.v);
    cc_arena_fini(&arena);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one profile (or CSV task trace)");
    if (!o->tasks && !o->platform)
        return cc_err_set(err, CC_EUSAGE, "--platform is missing");
    if (!o->tasks && o->scenarios.n == 0)
        return cc_err_set(err, CC_EUSAGE, "--scenario is missing");
    uint64_t thread = 0;
    if (o->thread && (!cc_parse_u64(o->thread, &thread) || thread > UINT32_MAX))
        return cc_err_set(err, CC_EUSAGE, "--thread takes a number, not '%s'", o->thread);
    struct cc_htg *h;
    struct cc_htg_options how = {.any_thread = !o->thread, .thread = (uint32_t)thread, .partial = o->partial};
    int rc = cc_htg_load(operands->v[0], &how, &h, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < h->nwarnings; i++)
        cc_note(&o->common, "%s: %s", operands->v[0], h->warnings[i]);
    rc = o->tasks ? print(o, cc_predict_show_tasks(h), err) : predict(o, operands->v[0], h, err);
    cc_htg_free(h);
    return rc;
}

int cc_predict_of(const char *profile, const char *platform, const struct cc_strs *scenarios,
                  struct cc_result **ret, struct cc_err *err)
{
    struct options o = {
        .common = {.quiet = true}, .platform = platform, .scenarios = *scenarios, .kept = ret};
    struct cc_strs operands = {.v = &profile, .n = 1};
    return run(&o, &operands, err);
}

const struct cc_command cc_cmd_predict = {
    .name = "predict",
    .summary = "predict parallel speed-ups from a sequential run",
    .synopsis = "[OPTIONS] PROFILE --platform P --scenario FILE",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .run = run,
};
