/* corecast explore: which loops to share out, how, and what that gives. */
#include "explore.h"
#include "units.h"
#include "internal.h"
#include "../../base/ending.h"
#include "../../base/file.h"
#include "../../platform/machine.h"
#include "../../run/record.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char *const objectives[] = {"time", "core", "energy", "area", NULL};
static const char *const checks[] = {"auto", "none", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct options, platform),
     "platform file, or the name of a shipped one"},
    {CC_OPT_STR, 'n', "cores", "LIST", offsetof(struct options, cores),
     "numbers of cores: 1,2,4 or 1..16 (default: 1 to the platform's); plans are best for the largest"},
    {CC_OPT_CHOICE, 0, "objective", "O", offsetof(struct options, objective),
     "what plans are ranked by: time, core (speed-up for each core), energy or area (of logic)", 0, 0,
     objectives},
    {CC_OPT_LIST, 0, "budget", "WHAT=N", offsetof(struct options, budget),
     "lines=N: lines to write; cores=N: use no more; lut=50%, ff, dsp, bram: of programmable logic; area=A: "
     "of chips that cost no more"},
    {CC_OPT_LIST, 0, "set", "NAME=V", offsetof(struct options, set),
     "override a value of the platform; several (cores=1..16, cache.l2.size=256k..2M:*2, or a list) are as "
     "many "
     "chips"},
    {CC_OPT_STR, 0, "reach", "WHAT", offsetof(struct options, reach),
     "of these, the smallest chip that reaches a time (20ms) or a rate (30fps)"},
    {CC_OPT_INT, 0, "frames", "N", offsetof(struct options, frames),
     "frames that the run makes, if it does not mark them", 1, 1000000000},
    {CC_OPT_STR, 0, "cost", "core=N,mib=N", offsetof(struct options, cost),
     "what a core and a MiB of cache of a chip cost (default core=1,mib=2)"},
    {CC_OPT_CHOICE, 0, "contention", "HOW", offsetof(struct options, contention),
     "slowdown by busy neighbours: auto, corun, model, off or locality", 0, 0, cc_contention_names},
    {CC_OPT_PERCENT, 0, "min-gain", "PCT", offsetof(struct options, min_gain),
     "what a directive has to save of the run to be worth it (default 0.5)", 0, 100},
    {CC_OPT_STR, 0, "keep", "F.cast", offsetof(struct options, keep),
     "with a program: keep its recording in this file"},
    {CC_OPT_INT, 'j', "jobs", "N", offsetof(struct options, jobs),
     "threads to compute with (default: as many as processors)", 1, 256},
    {CC_OPT_HEADING, 0, NULL, NULL, 0, "loops"},
    {CC_OPT_LIST, 0, "only", "LOOP", offsetof(struct options, only),
     "consider only FILE:LINE, all of a function, all of a file, or calls; may be given again"},
    {CC_OPT_LIST, 0, "not", "LOOP", offsetof(struct options, leave), "leave these out; may be given again"},
    {CC_OPT_LIST, 0, "assume", "independent=LOOP", offsetof(struct options, assume),
     "take the iterations of a loop to be independent, whatever was seen"},
    {CC_OPT_FLAG, 0, "force", NULL, offsetof(struct options, force),
     "also take loops of which it is not known whether iterations are independent"},
    {CC_OPT_STR, 0, "source", "DIR", offsetof(struct options, source),
     "where the source is, if not where it was compiled"},
    {CC_OPT_STR, 0, "cflags", "WORDS", offsetof(struct options, cflags),
     "what the source needs to be read as it was compiled: '-DN=100 -Iinclude'"},
    {CC_OPT_HEADING, 0, NULL, NULL, 0, "proof"},
    {CC_OPT_FLAG, 0, "verify", NULL, offsetof(struct options, verify),
     "build and run plans in a copy of the tree until one is proven"},
    {CC_OPT_STR, 0, "build", "COMMAND", offsetof(struct options, build), "builds the program, with OpenMP"},
    {CC_OPT_STR, 0, "run", "COMMAND", offsetof(struct options, command), "runs it"},
    {CC_OPT_STR, 0, "compare", "COMMAND", offsetof(struct options, compare),
     "decides whether a run was right, instead of its output"},
    {CC_OPT_NUM, 0, "tolerance", "T", offsetof(struct options, tolerance),
     "relative difference of numbers that sums in another order may make (default 1e-6)", 0, 1},
    {CC_OPT_INT, 0, "repeat", "N", offsetof(struct options, repeat),
     "runs with each number of threads (default 5)", 1, 1000},
    {CC_OPT_INT, 0, "limit", "SECONDS", offsetof(struct options, limit),
     "longest time of one run (default 300)", 1, 1000000},
    {CC_OPT_CHOICE, 0, "race", "HOW", offsetof(struct options, race), "look for races: auto or none", 0, 0,
     checks},
    {CC_OPT_CHOICE, 0, "copies", "HOW", offsetof(struct options, copies),
     "run copies of the sequential program at once, to see what processors take from each other: auto or "
     "none",
     0, 0, checks},
    {CC_OPT_STR, 0, "race-run", "COMMAND", offsetof(struct options, race_run),
     "what to look for races in, if not the run: a smaller input, say"},
    {CC_OPT_HEADING, 0, NULL, NULL, 0, "output"},
    {CC_OPT_OUT, 0, "patch", "F.diff", offsetof(struct options, patch),
     "write the directives as a difference for patch -p1"},
    {CC_OPT_INT, 0, "plan", "N", offsetof(struct options, plan),
     "the plan to write and to verify (default: the first, or the first that is proven)", 1, 1000},
    {CC_OPT_OUT, 0, "scenario", "FILE", offsetof(struct options, scenario),
     "write the plan as a scenario for predict"},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct options, top), "plans to show (default 5)", 1, 1000},
    {CC_OPT_PERCENT, 0, "min-share", "PCT", offsetof(struct options, min_share),
     "loops of less than this share of the run need no reason (default 2)", 0, 100},
};

static volatile sig_atomic_t asked_to_stop; /* by a signal: nothing else can be seen from a handler */

static void stop(int signal)
{
    (void)signal;
    asked_to_stop = 1;
}

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

struct signals {
    struct sigaction before[CC_COUNT(caught)];
};

/* The first one asks us to come to an end, the second ends us. */
static void catch_signals(struct signals *s)
{
    struct sigaction once = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&once.sa_mask);
    for (size_t i = 0; i < CC_COUNT(caught); i++)
        sigaction(caught[i], &once, &s->before[i]);
}

static void release_signals(const struct signals *s)
{
    for (size_t i = 0; i < CC_COUNT(caught); i++)
        sigaction(caught[i], &s->before[i], NULL);
}

/* --- recording --- */

/* What the program prints goes to standard error: standard output is for the result. */
static int record_aside(const struct cc_record_options *o, const struct cc_target *target, char **argv,
                        struct cc_record_result *ret, struct cc_err *err)
{
    fflush(stdout);
    int ours = dup(STDOUT_FILENO);
    if (ours < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return cc_err_set(err, CC_EENGINE, "cannot turn standard output aside: %s", strerror(errno));
    int rc = cc_record(o, target, argv, ret, err);
    if (dup2(ours, STDOUT_FILENO) < 0 && rc == 0)
        rc = cc_err_set(err, CC_EENGINE, "cannot get standard output back: %s", strerror(errno));
    close(ours);
    return rc;
}

/* What caches do is only known from the lines that are touched. */
static bool wants_lines(const struct exploration *x)
{
    struct cc_sim_config ignored;
    struct cc_err why = {0};
    bool asked = x->o->contention == CC_CONTENTION_LOCALITY ||
                 (x->o->contention == CC_CONTENTION_AUTO && !cc_predict_overlaps(x->platform));
    return asked && cc_machine_of(x->platform, 0, &ignored, &why) == 0;
}

static int record_once(struct exploration *x, const struct cc_strs *operands, const char *output, bool exact,
                       struct cc_err *err)
{
    const struct options *o = x->o;
    struct cc_target target;
    int rc = cc_target_find(operands->v[0], &target, err);
    if (rc < 0)
        return -CC_EINPUT;
    CC_CLEANUP(cc_free_ptr) char **argv = cc_alloc_array(operands->n + 1, sizeof *argv);
    memcpy(argv, operands->v, operands->n * sizeof *argv);
    struct cc_record_options record = {.output = output};
    record.collect.loops = CC_LOOPS_DEPENDENCES;
    record.collect.tasks = CC_TASKS_ALL;
    record.collect.locality = wants_lines(x);
    record.collect.exact = exact;
    struct cc_record_result result = {0};
    rc = record_aside(&record, &target, argv, &result, err);
    if (rc == 0 && result.untranslated)
        cc_note(&o->common, "%s", result.untranslated);
    if (rc == 0 && result.status)
        cc_note(&o->common, "the program ended with status %d: what follows is of that run", result.status);
    x->interrupted = rc == 0 && (result.status == 128 + SIGINT || result.status == 128 + SIGTERM);
    free(result.problems);
    free(result.left);
    free(result.untranslated);
    cc_target_fini(&target);
    return rc;
}

/* Whether a hot loop met no sample, in a run that is short enough to be followed as a whole. */
static bool missed_much(const char *path)
{
    const double MUCH = 0.05, SHORT = 400e6; /* of the run; instructions: half a minute */
    struct cc_profile *p = NULL;
    struct cc_err ignored = {0};
    bool missed = false;
    if (cc_profile_load(path, &p, &ignored) < 0)
        return false;
    for (size_t i = 0; i < p->nloops && (double)p->instructions < SHORT; i++) {
        const struct cc_ploop *l = &p->loops[i];
        missed = missed || (l->sampled_iterations < 2 && l->trips_max > 1 && l->invocations < l->iterations &&
                            (double)l->instructions > MUCH * (double)p->instructions);
    }
    cc_profile_free(p);
    return missed;
}

static int record(struct exploration *x, const struct cc_strs *operands, const char *output,
                  struct cc_err *err)
{
    cc_note(&x->o->common, "recording %s: that may take hundreds of times as long as it runs",
            operands->v[0]);
    int rc = record_once(x, operands, output, false, err);
    if (rc < 0 || x->interrupted || !missed_much(output))
        return rc;
    cc_note(&x->o->common,
            "of a hot loop no iteration was followed: recording %s once more, following every one",
            operands->v[0]);
    return record_once(x, operands, output, true, err);
}

/* --- options --- */

static int bad_budget(const char *text, struct cc_err *err)
{
    return cc_err_set(err, CC_EUSAGE,
                      "--budget %s: expected lines=N, cores=N (from 1 on), area=A, or of logic lut=50%%, "
                      "ff, dsp, bram",
                      text);
}

/* "lut=50%" or "lut=50000" */
static int take_logic(struct exploration *x, const char *item, struct cc_err *err)
{
    const char *eq = strchr(item, '=');
    size_t size = strlen(eq + 1);
    struct cc_device_budget b = {.text = item,
                                 .measure = cc_arena_strndup(&x->arena, item, (size_t)(eq - item)),
                                 .percent = eq[size] == '%'};
    const char *value = cc_arena_strndup(&x->arena, eq + 1, size - b.percent);
    if (!cc_parse_f64(value, &b.amount) || !(b.amount >= 0))
        return cc_err_set(err, CC_EUSAGE, "--budget %s: expected MEASURE=AMOUNT or MEASURE=PERCENT%%", item);
    CC_VEC_PUSH(&x->logic, b);
    return 0;
}

/* "cores=4"; what is not known here is a measure of logic. */
static int take_budget(struct exploration *x, const char *one, struct cc_err *err)
{
    const char *equals = strchr(one, '=');
    int64_t v = 0;
    double area;
    if (!equals || equals == one || !equals[1])
        return bad_budget(one, err);
    if (strncmp(one, "area=", 5) == 0 && cc_parse_f64(equals + 1, &area) && area > 0) {
        x->area = area;
        return 0;
    }
    bool lines = strncmp(one, "lines=", 6) == 0, cores = strncmp(one, "cores=", 6) == 0;
    if ((lines || cores) && (!cc_parse_i64(equals + 1, &v) || v < 1 || v > 1000000))
        return bad_budget(one, err);
    if (lines)
        x->lines = (unsigned)v;
    else if (cores)
        x->most_cores = v;
    else if (strncmp(one, "area=", 5) == 0)
        return bad_budget(one, err);
    else
        return take_logic(x, one, err);
    return 0;
}

static bool is_measure(const char *budget)
{
    static const char *const names[] = {"lut=", "ff=", "dsp=", "bram="};
    for (size_t i = 0; i < CC_COUNT(names); i++)
        if (strncmp(budget, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A measure of another name is known once the model is there; without logic there is none. */
static int check_logic(const struct exploration *x, struct cc_err *err)
{
    if (cc_explore_has_logic(x->platform))
        return 0;
    for (size_t i = 0; i < x->logic.n; i++)
        return is_measure(x->logic.v[i].text)
                   ? cc_err_set(err, CC_EUSAGE, "--budget %s: the platform has no programmable logic",
                                x->logic.v[i].text)
                   : bad_budget(x->logic.v[i].text, err);
    if (x->o->objective == CC_EXPLORE_AREA) {
        cc_err_set(err, CC_EUSAGE, "--objective area: the platform has no programmable logic");
        cc_err_hint(err, "the smallest chip: --set cores=1..8 --reach 20ms, with --budget area=A");
        return -CC_EUSAGE;
    }
    return 0;
}

static int parse_budget(struct exploration *x, struct cc_err *err)
{
    int rc = 0;
    x->most_cores = CC_PREDICT_MAX_CORES;
    for (size_t i = 0; rc == 0 && i < x->o->budget.n; i++) {
        char *copy = cc_arena_strdup(&x->arena, x->o->budget.v[i]);
        for (char *one = copy, *next; rc == 0 && one; one = next) {
            next = strchr(one, ',');
            if (next)
                *next++ = '\0';
            rc = take_budget(x, one, err);
        }
    }
    return rc == 0 ? check_logic(x, err) : rc;
}

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int parse_cores(struct exploration *x, struct cc_err *err)
{
    struct cc_int_list list = {cc_arena_alloc(&x->arena, CC_PREDICT_MAX_CORES * sizeof *list.v),
                               CC_PREDICT_MAX_CORES, 0};
    int64_t most = x->most_cores;
    int rc = 0;
    x->ncores = 0;
    if (x->o->cores)
        rc = cc_opt_int_list("cores", x->o->cores, 1, CC_PREDICT_MAX_CORES, &list, err);
    if (rc < 0)
        return rc;
    int64_t has = (int64_t)cc_platform_num_or(x->platform, NULL, CC_NUM_PLATFORM_CORES, 1);
    for (int64_t c = 1; !x->o->cores && c <= CC_MIN(has, CC_PREDICT_MAX_CORES); c = c < 16 ? c + 1 : 2 * c)
        list.v[list.n++] = c;
    qsort(list.v, list.n, sizeof *list.v, by_value);
    x->cores = list.v;
    for (size_t i = 0; i < list.n; i++)
        if (list.v[i] <= most && (!x->ncores || list.v[i] != x->cores[x->ncores - 1]))
            x->cores[x->ncores++] = list.v[i];
    if (!x->ncores)
        return cc_err_set(err, CC_EUSAGE, "--budget cores=%lld leaves none of --cores", (long long)most);
    return 0;
}

/* --- progress --- */

static void tell_progress(void *data, size_t done, size_t all)
{
    struct cc_progress *p = data;
    atomic_store(&p->count.done, done);
    atomic_store(&p->count.total, all);
}

/* --- the whole --- */

static int load(struct exploration *x, const char *path, struct cc_err *err)
{
    int rc = cc_profile_load(path, &x->p, err);
    if (rc == 0 && !cc_profile_has_dependences(x->p)) {
        rc = cc_err_at(err, CC_EINPUT, path, 0,
                       "it does not tell what the iterations of loops need from each other");
        cc_err_hint(err, "record it with --loops dependences --tasks all, or explore -- PROGRAM");
    }
    return rc;
}

/* Once it is known which calls are to be tasks. */
static int load_tasks(struct exploration *x, const char *path, struct cc_err *err)
{
    struct cc_htg_options any = {.any_thread = true, .partial = true};
    any.groups = cc_explore_call_groups(x, &any.ngroups);
    int rc = cc_htg_load(path, &any, &x->h, err);
    if (rc < 0) {
        *err->hint = '\0'; /* marks are not what is missing here */
        cc_err_hint(err, "record it with --loops dependences --tasks all, or explore -- PROGRAM");
    }
    return rc;
}

/* Before anything that takes long. */
static int load_platform(struct exploration *x, struct cc_err *err)
{
    int rc = cc_platform_load(x->o->platform, &x->platform, err);
    if (rc == 0)
        rc = cc_explore_set(x->o, x->platform, err);
    if (rc == 0)
        rc = parse_budget(x, err);
    return rc;
}

static int explore_and_tell(struct exploration *x, struct cc_progress *progress, struct cc_err *err)
{
    if (!x->ranks) /* of several processes, each is only a part */
        cc_output_progress(&x->o->common, progress);
    int rc = cc_explore_run(&x->rq, &x->r, err);
    cc_progress_end(progress);
    return rc;
}

static void request(struct exploration *x, struct cc_progress *progress)
{
    x->rq =
        (struct cc_explore_request){.p = x->p,
                                    .loops = x->loops,
                                    .inputs = x->inputs,
                                    .sources = x->sources,
                                    .h = x->h,
                                    .platform = x->platform,
                                    .predict = {.contention = (enum cc_contention)x->o->contention},
                                    .cores = x->cores,
                                    .ncores = x->ncores,
                                    .lines = x->lines,
                                    .objective = (enum cc_explore_objective)x->o->objective,
                                    .min_gain = CC_GIVEN(x->o, min_gain) ? x->o->min_gain : 0.005,
                                    .most_events = x->o->most_events,
                                    .ranks = x->ranks,
                                    .jobs = x->o->jobs ? (unsigned)x->o->jobs : cc_ranks_threads(x->ranks),
                                    .stop = &asked_to_stop,
                                    .progress = tell_progress,
                                    .data = progress};
}

static bool has_chips(const struct options *o)
{
    for (size_t i = 0; i < o->set.n; i++)
        if (cc_explore_is_range(o->set.v[i]))
            return true;
    return false;
}

static int search(struct exploration *x, struct cc_err *err)
{
    struct cc_progress progress = {.what = "exploring", .unit = "replays"};
    struct signals before;
    int rc = 0;
    request(x, &progress);
    if (!x->ranks) /* of several processes one cannot stop by itself: it ends, and mpirun ends the others */
        catch_signals(&before);
    if (has_chips(x->o) || x->o->reach)
        rc = cc_explore_chips(x, &asked_to_stop, err);
    if (rc == 0)
        rc = parse_cores(x, err);
    request(x, &progress);
    if (rc == 0)
        rc = explore_and_tell(x, &progress, err);
    if (!x->ranks)
        release_signals(&before);
    for (size_t i = 0; rc == 0 && cc_ranks_own(x->ranks) == 0 && i < x->r.nwarnings; i++)
        cc_note(&x->o->common, "%s", x->r.warnings[i]);
    return rc;
}

static int verify(struct exploration *x, struct cc_err *err)
{
    struct signals before;
    if (!x->o->verify && (x->o->build || x->o->command || x->o->compare || x->o->race_run))
        return cc_err_set(err, CC_EUSAGE, "--build, --run, --compare and --race-run belong to --verify");
    if (x->o->verify && x->interrupted)
        cc_note(&x->o->common, "no plan is tried: the recording was interrupted");
    if (!x->o->verify || asked_to_stop || x->interrupted)
        return 0;
    catch_signals(&before);
    int rc = cc_explore_verify(x, &asked_to_stop, err);
    release_signals(&before);
    return rc;
}

static int write_plan(struct exploration *x, struct cc_err *err)
{
    size_t which = x->o->plan ? (size_t)x->o->plan - 1 : cc_explore_writable(x);
    bool unproven = x->verdicts && which < x->r.plans.n && !x->verdicts[which].ok;
    if (x->o->patch && unproven)
        return cc_err_set(err, CC_ETHRESHOLD, "no plan was proven: no patch is written");
    if (x->o->patch && x->sources->blind)
        return cc_err_set(err, CC_EENGINE, "no patch: %s", x->sources->blind);
    if (x->o->patch && !x->r.plans.n && x->unread)
        return cc_err_set(err, CC_EINPUT,
                          "no patch: the program's source was not found, was changed since the recording, or "
                          "cannot be read");
    if ((x->o->patch || x->o->scenario) && which >= x->r.plans.n)
        return x->o->plan && x->r.plans.n
                   ? cc_err_set(err, CC_EUSAGE, "there are only %zu plans", x->r.plans.n)
                   : cc_err_set(err, CC_ETHRESHOLD, "there is no plan to be written");
    const struct cc_explore_plan *plan = which < x->r.plans.n ? &x->r.plans.v[which] : NULL;
    if ((x->o->patch || x->o->scenario) && plan->unwritten)
        return cc_err_set(err, CC_EUSAGE, "plan %zu cannot be written: %s", which + 1, plan->unwritten);
    if ((x->o->patch || x->o->scenario) && which && !x->o->plan && !x->verdicts)
        cc_note(&x->o->common, "plan %zu is written: those above it are not only directives", which + 1);
    struct cc_buf b = {0};
    int rc = 0;
    if (x->o->scenario && plan) {
        cc_explore_scenario(&x->rq, &x->r, plan, &b);
        rc = cc_output_file(x->o->scenario, &b, err);
        cc_buf_fini(&b);
    }
    if (rc == 0 && x->o->patch && plan) {
        if (!cc_explore_diff(x, plan, &b))
            rc = cc_err_set(err, CC_EINPUT, "no patch: the source of a loop in plan %zu was not found",
                            which + 1);
        else
            rc = cc_output_file(x->o->patch, &b, err);
        cc_buf_fini(&b);
    }
    if (rc == 0 && x->o->patch && x->unread)
        cc_note(&x->o->common,
                "loops whose source was not found, or was changed since, are not in the patch");
    if (rc == 0 && x->o->patch && x->root)
        cc_note(&x->o->common, "apply it in '%s': patch -p1 < %s", x->root, x->o->patch);
    if (rc == 0 && unproven && !asked_to_stop)
        rc = cc_err_set(err, CC_ETHRESHOLD, "no plan was proven");
    return rc;
}

static int explore(struct exploration *x, const char *path, struct cc_err *err)
{
    int rc = x->platform ? 0 : load_platform(x, err);
    if (rc == 0)
        rc = load(x, path, err);
    if (rc == 0)
        rc = cc_explore_sources(x, err);
    if (rc == 0)
        rc = cc_explore_legal(x, err);
    if (rc == 0)
        rc = load_tasks(x, path, err);
    rc = cc_ranks_agree(x->ranks, rc, err);
    if (rc == 0)
        rc = search(x, err);
    bool tells = cc_ranks_own(x->ranks) == 0;
    cc_ranks_close(x->ranks);
    x->ranks = NULL;
    if (rc == 0 && tells)
        rc = cc_explore_units(x, err);
    if (rc == 0 && tells)
        rc = cc_stages_find(&x->rq, x->facts, &x->r, &x->stages, err);
    if (rc == 0 && tells)
        rc = cc_explore_tiles(&x->rq, &x->r, cc_explore_least(x), &x->tiles, err);
    if (rc == 0 && tells)
        rc = verify(x, err);
    if (rc == 0 && tells) {
        struct cc_result *r = cc_explore_show(x);
        if (x->o->kept) {
            *x->o->kept = r;
        } else {
            rc = cc_output_result(&x->o->common, r, err);
            cc_result_free(r);
        }
    }
    if (rc == 0 && tells)
        rc = write_plan(x, err);
    if (x->devices)
        cc_devices_fini(x->devices);
    cc_stages_fini(&x->stages);
    cc_explore_fini(&x->r);
    if (x->p)
        cc_explore_sources_fini(x);
    cc_htg_free(x->h);
    cc_platform_free(x->platform);
    if (x->p)
        cc_profile_free(x->p);
    CC_VEC_FINI(&x->calls);
    CC_VEC_FINI(&x->logic);
    cc_arena_fini(&x->arena);
    return rc < 0 && !tells ? -rc : rc; /* all processes agree on an error: one tells it */
}

static int record_and_explore(struct exploration *x, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = x->o;
    const char *tmp = getenv("TMPDIR");
    CC_CLEANUP(cc_free_ptr)
    char *folder = cc_asprintf("%s/corecast-explore.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!o->keep && !mkdtemp(folder))
        return cc_err_set(err, CC_EINPUT, "cannot make '%s': %s", folder, strerror(errno));
    CC_CLEANUP(cc_free_ptr) char *path = o->keep ? cc_strdup(o->keep) : cc_asprintf("%s/run.cast", folder);
    if (!o->keep) {
        cc_ending_add(path);
        cc_ending_add(folder);
    }
    int rc = load_platform(x, err);
    if (rc == 0)
        rc = record(x, operands, path, err);
    if (rc == 0)
        rc = explore(x, path, err);
    else
        cc_platform_free(x->platform);
    if (!o->keep) {
        unlink(path);
        rmdir(folder);
        cc_ending_drop(path);
        cc_ending_drop(folder);
    }
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = opts;
    struct exploration x = {.o = o};
    if (operands->n == 0)
        return cc_err_set(err, CC_EUSAGE, "expected a recording, or -- PROGRAM [ARGUMENTS]");
    if (!o->platform)
        return cc_err_set(err, CC_EUSAGE,
                          "--platform is missing (corecast platform list shows those that ship)");
    size_t size = strlen(operands->v[0]);
    bool named = size > 5 && strcmp(operands->v[0] + size - 5, ".cast") == 0;
    int rc = cc_ranks_open(&x.ranks, err);
    if (rc < 0)
        return rc;
    if (x.ranks) { /* mpirun gives us a terminal that nobody sits at */
        setenv("CORECAST_PAGER", "", 1);
        setenv("NO_COLOR", "1", 1);
    }
    if (operands->n == 1 && (named || cc_input_is_recording(operands->v[0])))
        return explore(&x, operands->v[0], err);
    if (x.ranks) {
        rc = cc_err_set(err, CC_EUSAGE, "mpirun would record the program several times");
        cc_err_hint(err, "record it first, with --loops dependences --tasks all");
        cc_ranks_close(x.ranks);
        return rc;
    }
    return record_and_explore(&x, operands, err);
}

int cc_explore_of(const char *profile, const char *platform, const char *source, struct cc_result **ret,
                  struct cc_err *err)
{
    struct options o = {.common = {.quiet = true},
                        .platform = platform,
                        .source = source,
                        .most_events = 32 << 20, /* a page is wanted in a moment */
                        .kept = ret};
    struct exploration x = {.o = &o};
    return explore(&x, profile, err);
}

const struct cc_command cc_cmd_explore = {
    .name = "explore",
    .summary = "find out which loops to parallelise, how, and what it gives",
    .synopsis = "[OPTIONS] --platform P RECORDING | -- PROGRAM [ARGUMENTS]",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .run = run,
};
