/* The proof: plans are put into a copy of the tree, built, run, compared with the sequential program, and
 * looked through for races. */
#include "internal.h"
#include "../../analysis/explore/same.h"
#include "../../base/curve.h"
#include "../../base/ending.h"
#include "../../base/file.h"
#include "../../base/where.h"
#include "../../run/others.h"
#include "../../run/trial.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OUTPUT = 256 << 20, MOST_TRIES = 6, BUILD_SECONDS = 1200, MOST_MEASURED = 32, MOST_VERDICTS = 64 };
#define SHORT 10.0 /* seconds of a run that may be made a few times more */

struct verifier {
    struct exploration *x;
    const volatile sig_atomic_t *stop;
    char *folder, *base, *tree, *beside,
        *said; /* base: as it is; tree: with a plan; beside: for copies of what is in base, run at once;
                  said: what a command wrote to stderr */
    char *want, *got; /* files of outputs */
    struct cc_same_text reference;
    int status; /* of the sequential program */
    bool *varying;
    size_t nvarying;
    double shell; /* least seconds of an empty command */
    struct measured sequential;
    uint64_t memory;   /* bytes it needs */
    const char *apart; /* why copies of it are not run at once; NULL: they are */
    bool pointless;    /* the build knows no OpenMP */
    unsigned cpus;
};

static bool stopped(const struct verifier *v)
{
    return *v->stop != 0;
}

/* --- commands --- */

struct command {
    const char *folder, *text, *out;
    unsigned threads;
    double limit;
    unsigned copies; /* at once; 0 is one */
};

/* ret: one for each copy. */
static int run_command(struct verifier *v, const struct command *c, struct cc_trial_end *ret,
                       struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *threads = cc_asprintf("OMP_NUM_THREADS=%u", c->threads);
    CC_CLEANUP(cc_free_ptr) char *base = cc_asprintf("CORECAST_REFERENCE=%s", v->base);
    CC_CLEANUP(cc_free_ptr) char *want = cc_asprintf("CORECAST_REFERENCE_OUTPUT=%s", v->want);
    CC_CLEANUP(cc_free_ptr) char *got = cc_asprintf("CORECAST_OUTPUT=%s", v->got);
    const char *const environment[] = {threads, "OMP_DYNAMIC=false", base, want, got, NULL};
    struct cc_trial trial = {.folder = c->folder,
                             .command = c->text,
                             .environment = environment,
                             .out = c->out,
                             .err = v->said,
                             .limit = c->limit,
                             .stop = v->stop};
    unsigned n = CC_MAX(c->copies, 1u);
    CC_CLEANUP(cc_free_ptr) struct cc_trial *all = cc_alloc_array(n, sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = trial;
    return cc_trial_run_all(all, n, ret, err);
}

/* The first line of what a command said that looks like the cause. */
static const char *cause(struct verifier *v)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size = 0;
    if (cc_file_read(v->said, 16 << 20, &text, &size, NULL) < 0 || !size)
        return "it said nothing";
    const char *line = strstr(text, "error");
    line = line ? line : text;
    while (line > text && line[-1] != '\n')
        line--;
    return cc_arena_printf(&v->x->arena, "%.*s", (int)CC_MIN(strcspn(line, "\n"), (size_t)300), line);
}

static const char *ending(struct verifier *v, const struct cc_trial_end *e, double limit)
{
    if (e->stopped)
        return "stopped";
    if (e->late)
        return cc_arena_printf(&v->x->arena, "did not end within %.0f s", limit);
    return cc_arena_printf(&v->x->arena, "ended with status %d", e->status);
}

static int build(struct verifier *v, const char *folder, const char **ret_why, struct cc_err *err)
{
    struct cc_trial_end e;
    struct command c = {folder, v->x->o->build, NULL, 1, BUILD_SECONDS};
    int rc = run_command(v, &c, &e, err);
    *ret_why = NULL;
    if (rc == 0 && (e.status || e.late || e.stopped))
        *ret_why = cc_arena_printf(&v->x->arena, "the build %s: %s", ending(v, &e, c.limit), cause(v));
    return rc;
}

/* --- the sequential program --- */

static double most_seconds(const struct verifier *v)
{
    return v->x->o->limit ? (double)v->x->o->limit : 300;
}

static double run_limit(const struct verifier *v)
{
    double told = most_seconds(v);
    return v->sequential.seconds > 0 ? fmin(told, fmax(10, 50 * v->sequential.seconds)) : told;
}

static void take_time(struct measured *m, const struct cc_trial_end *e)
{
    if (m->seconds <= 0 || e->seconds < m->seconds) {
        m->seconds = e->seconds;
        m->user = e->user;
        m->system = e->system;
    }
    m->slowest = fmax(m->slowest, e->seconds);
}

static int run_base(struct verifier *v, const char *out, struct cc_err *err)
{
    struct cc_trial_end e;
    struct command c = {v->base, v->x->o->command, out, 1, run_limit(v)};
    int rc = run_command(v, &c, &e, err);
    if (rc == 0 && (e.late || e.stopped))
        return cc_err_set(err, CC_EENGINE, "the sequential program %s", ending(v, &e, c.limit));
    if (rc == 0 && (e.status == 126 || e.status == 127))
        return cc_err_set(err, CC_EENGINE, "'%s' cannot be run: %s", v->x->o->command, cause(v));
    v->status = e.status;
    v->memory = CC_MAX(v->memory, e.memory);
    take_time(&v->sequential, &e);
    return rc;
}

static int read_output(const char *path, struct cc_same_text *ret, struct cc_err *err)
{
    char *text = NULL;
    int rc = cc_file_read(path, MAX_OUTPUT, &text, &ret->n, err);
    ret->s = text;
    return rc;
}

/* Another run of the sequential program: lines that differ from the first say nothing. */
static int compare_runs(struct verifier *v, struct cc_err *err)
{
    struct cc_same_text again = {0};
    bool *varying = NULL;
    size_t n = 0;
    int rc = run_base(v, v->got, err);
    if (rc == 0)
        rc = read_output(v->got, &again, err);
    if (rc == 0 && !cc_same_varying(v->reference, again, &varying, &n) && !v->x->o->compare)
        rc = cc_err_set(
            err, CC_EINPUT,
            "two runs of the sequential program write different numbers of lines: --compare is needed");
    for (size_t i = 0; v->varying && i < CC_MIN(n, v->nvarying); i++)
        varying[i] = varying[i] || v->varying[i];
    if (varying) {
        free(v->varying);
        v->varying = varying;
        v->nvarying = n;
    }
    free((char *)again.s);
    return rc;
}

static int prepare(struct verifier *v, struct cc_err *err)
{
    enum { RUNS = 3 }; /* a time may be the same twice, but a long run is repeated once only */
    const char *why;
    struct cc_trial_end e;
    struct command empty = {v->folder, ":", NULL, 1, 60};
    cc_note(&v->x->o->common, "building and running the program as it is");
    int rc = cc_trial_copy(v->x->root, v->base, err);
    for (int i = 0; rc == 0 && i < 5; i++) {
        rc = run_command(v, &empty, &e, err);
        v->shell = i ? fmin(v->shell, e.seconds) : e.seconds;
    }
    if (rc == 0)
        rc = build(v, v->base, &why, err);
    if (rc == 0 && why)
        rc = cc_err_set(err, CC_EENGINE, "in a copy of the tree as it is, %s", why);
    if (rc == 0)
        rc = run_base(v, v->want, err);
    if (rc == 0)
        rc = read_output(v->want, &v->reference, err);
    for (int i = 0; rc == 0 && i < (v->sequential.seconds < SHORT ? RUNS : 1); i++)
        rc = compare_runs(v, err);
    return rc;
}

/* --- the sequential program beside itself --- */

/* What processors take from each other on this machine (a memory, the caches, a core that two of them are),
 * the sequential program tells, too: as many copies of it at once as there are threads. They work in a tree
 * of their own; the files they leave there nobody reads. */
static int run_copies(struct verifier *v, struct measured *m, struct cc_err *err)
{
    if (v->apart || m->processors < 2 || m->processors > v->cpus)
        return 0;
    if (v->memory > cc_others_leave_memory() / 2 / m->processors) {
        v->apart = "so many of them need too much memory";
        return 0;
    }
    int rc = access(v->beside, F_OK) == 0 ? 0 : cc_trial_copy(v->base, v->beside, err);
    CC_CLEANUP(cc_free_ptr) struct cc_trial_end *e = cc_alloc_array(m->processors, sizeof *e);
    struct command c = {v->beside, v->x->o->command, NULL, 1, run_limit(v), m->processors};
    rc = rc < 0 ? rc : run_command(v, &c, e, err);
    double sum = 0;
    for (unsigned i = 0; rc == 0 && i < m->processors; i++) {
        if (e[i].late || e[i].stopped || e[i].status != v->status)
            v->apart = cc_arena_printf(&v->x->arena, "one %s then", ending(v, &e[i], c.limit));
        sum += e[i].seconds;
    }
    double mean = sum / m->processors;
    if (rc == 0 && !v->apart)
        m->together = m->together > 0 ? fmin(m->together, mean) : mean;
    return rc;
}

/* --- a plan --- */

double cc_explore_tolerance(const struct exploration *x, const struct cc_explore_plan *plan)
{
    bool rounds = false;
    for (size_t i = 0; i < plan->parts.n; i++)
        rounds = rounds || x->places[x->r.candidates.v[plan->parts.v[i].candidate].loop].clauses.rounds;
    return !rounds ? 0 : CC_GIVEN(x->o, tolerance) ? x->o->tolerance : 1e-6;
}

/* NULL: as the sequential program's. */
static const char *compare(struct verifier *v, const struct cc_explore_plan *plan)
{
    struct cc_same_text got = {0};
    struct cc_err ignored = {0};
    struct cc_trial_end e;
    if (v->x->o->compare) {
        struct command c = {v->tree, v->x->o->compare, NULL, 1, run_limit(v)};
        if (run_command(v, &c, &e, &ignored) < 0 || e.status || e.late)
            return cc_arena_printf(&v->x->arena, "--compare %s", ending(v, &e, c.limit));
        return NULL;
    }
    double tolerance = cc_explore_tolerance(v->x, plan);
    if (read_output(v->got, &got, &ignored) < 0)
        return "its output cannot be read";
    const char *why = cc_same(v->reference, got, v->varying, v->nvarying, tolerance, &v->x->arena);
    free((char *)got.s);
    return why;
}

/* One run with so many threads; *ret_why NULL: as it should be. */
static int run_plan(struct verifier *v, const struct cc_explore_plan *plan, struct measured *m,
                    const char **ret_why, struct cc_err *err)
{
    struct cc_trial_end e;
    struct command c = {v->tree, v->x->o->command, v->got, m->processors, run_limit(v)};
    int rc = run_command(v, &c, &e, err);
    *ret_why = NULL;
    if (rc < 0)
        return rc;
    if (e.late || e.stopped || e.status != v->status)
        *ret_why = cc_arena_printf(&v->x->arena, "%s, the sequential program with status %d",
                                   ending(v, &e, c.limit), v->status);
    else
        *ret_why = compare(v, plan);
    if (*ret_why)
        *ret_why = cc_arena_printf(&v->x->arena, "with %u thread%s it is wrong: %s", m->processors,
                                   m->processors == 1 ? "" : "s", *ret_why);
    take_time(m, &e);
    return rc;
}

static void choose_threads(struct verifier *v, struct verdict *ret)
{
    ret->v = cc_arena_alloc(&v->x->arena, (MOST_MEASURED + 1) * sizeof *ret->v);
    for (size_t i = 0; i < v->x->ncores && ret->n < MOST_MEASURED; i++)
        if (v->x->cores[i] <= CC_MAX(v->cpus, 4u))
            ret->v[ret->n++].processors = (unsigned)v->x->cores[i];
    if (ret->n == 0) /* all are more than can be had here: that it is right is shown all the same */
        ret->v[ret->n++].processors = CC_MAX(v->cpus, 4u);
}

/* Times of the program alone. */
static struct measured without_shell(struct measured m, double shell)
{
    m.seconds = fmax(0, m.seconds - shell);
    m.slowest = fmax(0, m.slowest - shell);
    return m;
}

/* Rounds outside, threads inside, the sequential program among them: what drifts hits all alike. */
static int measure(struct verifier *v, const struct cc_explore_plan *plan, struct verdict *ret,
                   struct cc_err *err)
{
    int64_t repeat = v->x->o->repeat ? v->x->o->repeat : 5;
    struct cc_others others;
    int rc = 0;
    choose_threads(v, ret);
    cc_others_begin(&others);
    cc_note(&v->x->o->common, "running it %lld times with each number of threads", (long long)repeat);
    for (int64_t r = 0; rc == 0 && r < repeat && !ret->reason && !stopped(v); r++) {
        CC_CLEANUP(cc_free_ptr) char *aside = cc_asprintf("%s/aside", v->folder);
        rc = run_base(v, aside, err);
        for (size_t i = 0; rc == 0 && i < ret->n && !ret->reason; i++) {
            rc = run_plan(v, plan, &ret->v[i], &ret->reason, err);
            if (rc == 0 && !ret->reason && (r == 0 || v->sequential.seconds < SHORT))
                rc = run_copies(v, &ret->v[i], err);
        }
    }
    ret->stolen = cc_others_stolen(&others);
    ret->apart = v->apart;
    ret->ran = rc == 0 && ret->v[0].seconds > 0;
    ret->sequential = without_shell(v->sequential, v->shell);
    size_t kept = 0;
    for (size_t i = 0; i < ret->n; i++) { /* more threads than processors only show that it is right */
        if (ret->v[i].seconds <= 0 || ret->v[i].processors > v->cpus)
            continue;
        struct measured m = without_shell(ret->v[i], v->shell);
        /* times shorter than a shell's start are no more than how much that varies */
        bool told = ret->sequential.seconds > v->shell && m.seconds > 0;
        m.speedup = told ? ret->sequential.seconds / m.seconds : NAN;
        m.slowdown = told && m.together > 0 ? fmax(1, (m.together - v->shell) / ret->sequential.seconds) : 0;
        ret->v[kept++] = m;
    }
    ret->n = kept;
    return rc;
}

/* What the plan comes to where processors slow each other down as the copies did. */
static int expect(struct verifier *v, const struct cc_explore_plan *plan, struct verdict *ret,
                  struct cc_err *err)
{
    double busy[MOST_MEASURED + 2] = {1}, slower[MOST_MEASURED + 2] = {1};
    struct cc_curve together = {.n = 1, .x = busy, .y = slower};
    struct cc_explore_plan here;
    for (size_t i = 0; i < ret->n; i++)
        if (ret->v[i].slowdown > 0) {
            busy[together.n] = ret->v[i].processors;
            slower[together.n++] = ret->v[i].slowdown;
        }
    if (together.n == 1)
        return 0;
    int rc = cc_explore_replay_slowed(&v->x->rq, &v->x->r, plan, &together, &here, err);
    for (size_t i = 0; rc == 0 && i < ret->n; i++)
        for (size_t c = 0; c < v->x->ncores; c++)
            if (v->x->cores[c] == ret->v[i].processors)
                ret->v[i].expected = here.speedups[c];
    if (rc == 0)
        CC_VEC_FINI(&here.parts);
    return rc;
}

/* Races, of a wrong plan too: that tells which loop it was. Then our own recorder. */
static void look_inside(struct verifier *v, const struct cc_explore_plan *plan, struct verdict *ret)
{
    struct cc_explore_race at = {plan, v->folder, v->tree, v->stop, most_seconds(v)}, unchanged = at;
    unchanged.tree = v->base;
    const struct cc_common *o = &v->x->o->common;
    cc_note(o, "looking for races");
    ret->race = cc_explore_race(v->x, &at, ret);
    if (!ret->reason && !stopped(v)) {
        cc_note(o, "recording the unchanged program with the input of the proof");
        ret->again = cc_explore_record_again(v->x, &unchanged, ret);
    }
    if (!ret->reason && !stopped(v)) {
        cc_note(o, "recording the patched program");
        ret->patched = cc_explore_record_patched(v->x, &at, ret);
    }
}

/* The patched tree; a program without OpenMP is no proof, of any plan. */
static int build_plan(struct verifier *v, const char **ret_why, struct cc_err *err)
{
    struct timespec begin;
    clock_gettime(CLOCK_REALTIME_COARSE, &begin); /* as files have it */
    int rc = build(v, v->tree, ret_why, err);
    v->pointless = rc == 0 && !*ret_why && cc_explore_without_openmp(v->tree, begin);
    if (v->pointless)
        *ret_why =
            "it was not proven: the build makes a program without OpenMP (--build has to switch it on, "
            "-fopenmp)";
    return rc;
}

static int try_plan(struct verifier *v, const struct cc_explore_plan *plan, struct verdict *ret,
                    struct cc_err *err)
{
    ret->tried = true;
    cc_trial_remove(v->tree);
    int rc = cc_trial_copy(v->x->root, v->tree, err);
    if (rc == 0)
        rc = cc_explore_patch_into(v->x, plan, v->tree, err);
    if (rc == 0)
        rc = build_plan(v, &ret->reason, err);
    if (rc == 0 && !ret->reason)
        rc = measure(v, plan, ret, err);
    if (rc == 0 && !ret->reason && !stopped(v))
        rc = expect(v, plan, ret, err);
    if (rc == 0 && stopped(v))
        ret->reason = "stopped before it was proven";
    ret->race = "not looked for";
    ret->again = ret->patched = "not recorded";
    if (rc == 0 && ret->ran && !stopped(v) && v->x->o->race == 0)
        look_inside(v, plan, ret);
    ret->ok = rc == 0 && !ret->reason;
    return rc;
}

/* --- the whole --- */

static unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static int check(const struct exploration *x, struct cc_err *err)
{
    if (!x->o->build || !x->o->command)
        return cc_err_set(err, CC_EUSAGE, "--verify needs --build COMMAND and --run COMMAND");
    if (!x->root)
        return cc_err_set(err, CC_EINPUT, "the program's source was not found (--source DIR)");
    return 0;
}

/* --- one after the other --- */

static bool has(const struct cc_explore_plan *plan, uint32_t candidate)
{
    for (size_t i = 0; i < plan->parts.n; i++)
        if (plan->parts.v[i].candidate == candidate)
            return true;
    return false;
}

/* A plan with a loop that raced in another needs no trial. */
static bool known_wrong(struct verifier *v, size_t plan)
{
    struct exploration *x = v->x;
    for (size_t i = 0; i < x->r.plans.n; i++) {
        uint32_t culprit = x->verdicts[i].culprit;
        if (!culprit || !has(&x->r.plans.v[plan], culprit - 1))
            continue;
        x->verdicts[plan] = (struct verdict){
            .tried = true,
            .reason = cc_arena_printf(&x->arena, "it has %s, which failed in plan %zu",
                                      x->loops->v.v[x->r.candidates.v[culprit - 1].loop].id, i + 1)};
        return true;
    }
    return false;
}

/* The best without the loops that raced is tried next: whether there is such a plan that was not there
 * before. */
static int plan_again(struct verifier *v, struct cc_err *err)
{
    struct exploration *x = v->x;
    CC_CLEANUP(cc_free_ptr) bool *without = cc_alloc_array(x->r.candidates.n + 1, sizeof *without);
    for (size_t i = 0; i < x->r.plans.n; i++)
        if (x->verdicts[i].culprit)
            without[x->verdicts[i].culprit - 1] = true;
    return x->r.plans.n + 1 < MOST_VERDICTS ? cc_explore_again(&x->rq, &x->r, without, err) : 0;
}

/* The next that can be, was not tried and has no loop that raced; the number of plans if there is none. */
static size_t next_plan(struct verifier *v)
{
    size_t i = 0;
    while (i < v->x->r.plans.n &&
           (v->x->r.plans.v[i].unwritten || v->x->verdicts[i].tried || known_wrong(v, i)))
        i++;
    return i;
}

static int try_all(struct verifier *v, struct cc_err *err)
{
    struct exploration *x = v->x;
    size_t i = x->o->plan ? (size_t)x->o->plan - 1 : next_plan(v);
    int rc = prepare(v, err);
    for (unsigned tries = 0; rc == 0 && tries < MOST_TRIES && i < x->r.plans.n && !stopped(v); tries++) {
        cc_note(&x->o->common, "trying plan %zu", i + 1);
        rc = try_plan(v, &x->r.plans.v[i], &x->verdicts[i], err);
        if (rc < 0 || x->verdicts[i].ok)
            break;
        cc_note(&x->o->common, "plan %zu is struck out: %s", i + 1, x->verdicts[i].reason);
        if (x->o->plan || v->pointless)
            break;
        size_t before = x->r.plans.n;
        if (x->verdicts[i].culprit)
            rc = plan_again(v, err);
        i = x->r.plans.n > before ? before : next_plan(v);
    }
    return rc;
}

/* What was asked to stop has not failed: the plans are known, and that none was proven. */
static int be_stopped(struct verifier *v)
{
    struct exploration *x = v->x;
    size_t i = x->o->plan ? (size_t)x->o->plan - 1 : cc_explore_writable(x);
    for (size_t k = 0; k < x->r.plans.n; k++)
        i = x->verdicts[k].tried && !x->verdicts[k].reason ? k : i;
    if (i < x->r.plans.n)
        x->verdicts[i] = (struct verdict){.tried = true, .reason = "stopped before it was proven"};
    return 0;
}

int cc_explore_verify(struct exploration *x, const volatile sig_atomic_t *stop, struct cc_err *err)
{
    int rc = check(x, err);
    if (rc < 0 || cc_explore_writable(x) == x->r.plans.n)
        return rc;
    const char *tmp = getenv("TMPDIR");
    struct verifier v = {.x = x, .stop = stop, .cpus = processors()};
    v.apart = x->o->copies ? "--copies none" : NULL;
    v.folder = cc_asprintf("%s/corecast-verify.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(v.folder)) {
        rc = cc_err_set(err, CC_EINPUT, "cannot make '%s': %s", v.folder, strerror(errno));
        free(v.folder);
        return rc;
    }
    v.base = cc_asprintf("%s/base", v.folder);
    v.tree = cc_asprintf("%s/plan", v.folder);
    v.beside = cc_asprintf("%s/beside", v.folder);
    v.said = cc_asprintf("%s/said", v.folder);
    v.want = cc_asprintf("%s/want", v.folder);
    v.got = cc_asprintf("%s/got", v.folder);
    x->verdicts = cc_arena_alloc(&x->arena, MOST_VERDICTS * sizeof *x->verdicts);
    struct cc_err failed = {0};
    rc = try_all(&v, &failed);
    rc = rc < 0 && stopped(&v) ? be_stopped(&v) : rc;
    if (rc < 0)
        *err = failed;
    cc_trial_remove(v.folder);
    char *const owned[] = {v.folder, v.base, v.tree, v.beside, v.said, v.want, v.got, (char *)v.reference.s};
    for (size_t i = 0; i < CC_COUNT(owned); i++)
        free(owned[i]);
    free(v.varying);
    return rc;
}
