/* corecast predict: how a traced sequential run would do in parallel. */
#include "../command.h"
#include "../output.h"
#include "../../base/arena.h"
#include "asked.h"
#include "show.h"
#include "../../profile/set.h"

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct cc_predict_asked, platform),
     "platform file, or the name of a shipped one"},
    {CC_OPT_LIST, 's', "scenario", "FILE", offsetof(struct cc_predict_asked, scenarios),
     "directives for tasks; may be given several times"},
    {CC_OPT_STR, 'n', "cores", "LIST", offsetof(struct cc_predict_asked, cores),
     "numbers of processors: 1,2,4 or 1..16 (default: 1 to the platform's)"},
    {CC_OPT_LIST, 0, "set", "NAME=V", offsetof(struct cc_predict_asked, set),
     "a platform value, V,V or FROM..TO:STEP; several: all combinations"},
    {CC_OPT_CHOICE, 0, "contention", "HOW", offsetof(struct cc_predict_asked, contention),
     "auto, corun (measured with the trace), model (of the platform), locality (recorded lines on the "
     "platform's "
     "caches) or off",
     0, 0, cc_contention_names},
    {CC_OPT_PERCENT, 0, "coverage", "PCT", offsetof(struct cc_predict_asked, coverage),
     "how often reality is to lie between low and high, with locality or a co-run (default 90 %)", 50, 99},
    {CC_OPT_FLAG, 0, "no-latency", NULL, offsetof(struct cc_predict_asked, no_latency),
     "leave the platform's memory latencies out"},
    {CC_OPT_STR, 0, "thread", "ID", offsetof(struct cc_predict_asked, thread),
     "replay this thread's tasks instead of the first's"},
    {CC_OPT_FLAG, 0, "partial", NULL, offsetof(struct cc_predict_asked, partial),
     "accept a trace that is marked incomplete"},
    {CC_OPT_FLAG, 0, "force", NULL, offsetof(struct cc_predict_asked, force),
     "predict loops in parallel that the recording shows to need their order"},
    {CC_OPT_INT, 'j', "jobs", "N", offsetof(struct cc_predict_asked, jobs),
     "threads to compute with (default: as many as processors)", 1, 256},
    {CC_OPT_HEADING, 0, NULL, NULL, 0, "output"},
    {CC_OPT_FLAG, 0, "tasks", NULL, offsetof(struct cc_predict_asked, tasks),
     "print the tasks of the trace with their times instead"},
    {CC_OPT_FLAG, 0, "full", NULL, offsetof(struct cc_predict_asked, full),
     "every schedule and region in full"},
    {CC_OPT_OUT, 0, "speedup", "FILE", offsetof(struct cc_predict_asked, speedup),
     "speed-up with Amdahl's bound, as SVG"},
    {CC_OPT_OUT, 0, "stacks", "FILE", offsetof(struct cc_predict_asked, stacks),
     "cycle stacks over processors, as SVG"},
    {CC_OPT_OUT, 0, "energy", "FILE", offsetof(struct cc_predict_asked, energy),
     "energy over processors, as SVG; the platform must tell it"},
    {CC_OPT_OUT, 0, "gantt", "FILE", offsetof(struct cc_predict_asked, gantt),
     "the schedule over time, as SVG"},
    {CC_OPT_OUT, 0, "chrome", "FILE", offsetof(struct cc_predict_asked, chrome),
     "the schedule for chrome://tracing and Perfetto"},
    {CC_OPT_STR, 0, "at", "N|NAME=V,…", offsetof(struct cc_predict_asked, at),
     "processors of the schedule drawn (default: the largest); of a set, the input to predict"},
};

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

static int write_charts(const struct cc_predict_asked *o, const struct cc_predict_result *r,
                        const struct cc_htg *h, int64_t at, struct cc_err *err)
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
static int print(const struct cc_predict_asked *o, struct cc_result *r, struct cc_err *err)
{
    if (o->kept) {
        *o->kept = r;
        return 0;
    }
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    return rc;
}

/* Whose schedule is drawn: --at, or the largest. */
static int choose_drawn(const struct cc_predict_asked *o, const struct cc_predict_sweep *w, int64_t *ret,
                        struct cc_err *err)
{
    uint64_t at = 0;
    bool there = !o->at;
    if (o->at && !cc_parse_u64(o->at, &at))
        return cc_err_set(err, CC_EUSAGE,
                          "--at takes a number of processors, not '%s'; sets of recordings have inputs",
                          o->at);
    *ret = (int64_t)at;
    for (size_t i = 0; i < w->ncores; i++) {
        there = there || w->cores[i] == *ret;
        *ret = o->at ? *ret : CC_MAX(*ret, w->cores[i]);
    }
    return there ? 0 : cc_err_set(err, CC_EUSAGE, "--at %s is not among --cores", o->at);
}

static int predict(struct cc_predict_asked *o, const char *input, const struct cc_htg *h, struct cc_err *err)
{
    struct cc_predict_task x;
    struct cc_predict_result r = {0};
    int64_t at = 0;
    int rc = cc_predict_task_init(&x, o, err);
    if (rc == 0)
        rc = choose_drawn(o, &x.sweep, &at, err);
    x.sweep.segments_at = o->gantt || o->chrome ? at : 0;
    if (rc == 0)
        rc = cc_predict_task_run(&x, o, input, h, &r, err);
    for (size_t i = 0; rc == 0 && i < r.nwarnings; i++)
        cc_note(&o->common, "%s", r.warnings[i]);
    if (rc == 0)
        rc = write_charts(o, &r, h, at, err);
    if (rc == 0)
        rc = print(o, cc_predict_show(&r, h, o->full || o->common.verbose), err);
    cc_predict_result_fini(&r);
    cc_predict_task_fini(&x);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_predict_asked *o = opts;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one profile, CSV task trace, or set of recordings");
    if (!o->tasks && !o->platform)
        return cc_err_set(err, CC_EUSAGE, "--platform is missing");
    if (!o->tasks && o->scenarios.n == 0)
        return cc_err_set(err, CC_EUSAGE, "--scenario is missing");
    if (cc_is_set(operands->v[0]) && !o->tasks) {
        struct cc_result *r;
        int rc = cc_predict_set(o, operands->v[0], &r, err);
        return rc < 0 ? rc : print(o, r, err);
    }
    struct cc_htg *h;
    int rc = cc_predict_load(o, operands->v[0], &h, err);
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
    struct cc_predict_asked o = {
        .common = {.quiet = true}, .platform = platform, .scenarios = *scenarios, .kept = ret};
    struct cc_strs operands = {.v = &profile, .n = 1};
    return run(&o, &operands, err);
}

const struct cc_command cc_cmd_predict = {
    .name = "predict",
    .summary = "predict parallel speed-ups from a sequential run",
    .synopsis = "[OPTIONS] PROFILE|SET --platform P --scenario FILE",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_predict_asked),
    .results = true,
    .run = run,
};
