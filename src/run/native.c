#include "native.h"
#include "corun.h"
#include "../../engines/native/trace.h"

#include <errno.h>
#include <math.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_COPIES = 1024, MAX_RUNS = 16 };

/* The traces of the runs alone. */
struct runs {
    struct cc_native_trace *v[MAX_RUNS]; /* the fastest first */
    size_t n;
    const struct copy *fastest;
    double outside; /* ns: least time that a run spent before and after what its trace tells; INFINITY:
                       unknown */
};

/* --- the trace of the run alone --- */

/* All runs met the same marks in the same order: then each stretch between two marks can be taken from the
 * run in which it was shortest. Disturbances (other processes, interrupts) only ever add time. */
static bool same_marks(struct cc_native_trace *const *runs, size_t n)
{
    for (size_t r = 1; r < n; r++) {
        if (runs[r]->nthreads != runs[0]->nthreads || !runs[r]->complete)
            return false;
        for (size_t th = 0; th < runs[0]->nthreads; th++) {
            struct cc_native_cursor *a = cc_native_cursor_new(runs[0], th),
                                    *b = cc_native_cursor_new(runs[r], th);
            struct cc_native_event x, y;
            bool more_a, more_b, same = true;
            do {
                more_a = cc_native_next(a, &x);
                more_b = cc_native_next(b, &y);
                same = more_a == more_b &&
                       (!more_a || (runs[0]->sites[x.site].kind == runs[r]->sites[y.site].kind &&
                                    strcmp(runs[0]->sites[x.site].name, runs[r]->sites[y.site].name) == 0));
            } while (same && more_a);
            cc_native_cursor_free(a);
            cc_native_cursor_free(b);
            if (!same)
                return false;
        }
    }
    return true;
}

struct output {
    struct cc_tasks_writer *w;
    const struct runs *runs;
    size_t use;     /* so many of the runs */
    int64_t *names; /* by site */
    double end;     /* ns */
    uint64_t events;
};

/* Writes one thread; times are the running sum of the shortest stretches over the runs. */
static int write_thread(struct output *o, size_t thread, struct cc_err *err)
{
    struct cc_native_trace *const *runs = o->runs->v;
    struct cc_native_cursor *cursors[MAX_RUNS];
    double before[MAX_RUNS] = {0}, now = 0;
    for (size_t r = 0; r < o->use; r++)
        cursors[r] = cc_native_cursor_new(runs[r], thread);
    struct cc_native_event ev, other;
    int rc = 0;
    bool first = true;
    while (rc == 0 && cc_native_next(cursors[0], &ev)) {
        double step = ev.ns - before[0];
        before[0] = ev.ns;
        for (size_t r = 1; r < o->use; r++) {
            if (!cc_native_next(cursors[r], &other))
                break;
            if (!first || thread == 0) /* when a thread begins is its own */
                step = CC_MIN(step, other.ns - before[r]);
            before[r] = other.ns;
        }
        now += step;
        first = false;
        uint32_t kind = runs[0]->sites[ev.site].kind;
        bool begin = kind == CC_NT_REGION_BEGIN || kind == CC_NT_TASK_BEGIN;
        rc = (begin ? cc_tasks_begin : cc_tasks_end)(o->w, (uint32_t)thread, (uint32_t)o->names[ev.site],
                                                     (uint64_t)llround(now), NULL, err);
        o->events++;
    }
    double tail = runs[0]->end_ns - before[0];
    for (size_t r = 1; r < o->use; r++)
        tail = CC_MIN(tail, runs[r]->end_ns - before[r]);
    o->end = CC_MAX(o->end, now + CC_MAX(tail, 0));
    for (size_t r = 0; r < o->use; r++)
        cc_native_cursor_free(cursors[r]);
    return rc;
}

static int write_tasks(struct output *o, struct cc_err *err)
{
    const struct cc_native_trace *t = o->runs->v[0];
    o->names = cc_alloc_array(t->nsites + 1, sizeof *o->names);
    int rc = 0;
    for (size_t i = 1; rc == 0 && i < t->nsites; i++)
        if (t->sites[i].name && t->sites[i].kind >= CC_NT_REGION_BEGIN &&
            t->sites[i].kind <= CC_NT_TASK_END) {
            o->names[i] = cc_tasks_name(o->w, t->sites[i].name, err);
            rc = o->names[i] < 0 ? (int)o->names[i] : 0;
        }
    o->end = t->nthreads ? 0 : t->end_ns;
    for (size_t th = 0; rc == 0 && th < t->nthreads; th++)
        rc = write_thread(o, th, err);
    free(o->names);
    return rc;
}

/* --- the whole --- */

static int check_options(const struct session *s, const struct cc_native_options *o, struct cc_err *err)
{
    for (size_t i = 0; i < o->ncorun; i++) {
        if (o->corun[i] < 2 || o->corun[i] > MAX_COPIES)
            return cc_err_set(err, CC_EUSAGE, "a co-run takes 2 to %d copies, not %u", MAX_COPIES,
                              o->corun[i]);
        if (o->corun[i] > s->ncpus)
            return cc_err_set(err, CC_EUSAGE,
                              "a co-run of %u copies needs as many CPUs; this process may use %zu",
                              o->corun[i], s->ncpus);
    }
    return 0;
}

/* Why the trace lacks something, NULL if it is whole. */
static const char *missing(const struct copy *c, const struct cc_native_trace *t, char text[static 128])
{
    if (WIFSIGNALED(c->child.status))
        snprintf(text, 128, "the program was killed by signal %d", WTERMSIG(c->child.status));
    else if (!t->complete)
        snprintf(text, 128, "the program left without exit()");
    else if (t->lost)
        snprintf(text, 128, "%llu marks could not be stored", (unsigned long long)t->lost);
    else
        return NULL;
    return text;
}

static int write_meta(struct cc_store *st, char **argv, const struct copy *c, const struct cc_native_trace *t,
                      struct cc_err *err)
{
    int status = cc_child_exit_status(c->child.status);
    char text[128];
    const char *reason = missing(c, t, text);
    struct utsname u;
    int rc = cc_store_set(st, "engine", "native", err);
    if (rc == 0)
        rc = cc_store_set(st, "isa", uname(&u) == 0 ? u.machine : NULL, err);
    if (rc == 0)
        rc = cc_store_set_u64(st, "complete", reason == NULL, err);
    if (rc == 0 && reason)
        rc = cc_store_set(st, "reason", reason, err);
    if (rc == 0)
        rc = cc_store_set(st, "program", argv[0], err);
    for (int i = 1; rc == 0 && argv[i]; i++) {
        char *key = cc_asprintf("argument.%d", i - 1);
        rc = cc_store_set(st, key, argv[i], err);
        free(key);
    }
    if (rc == 0 && !WIFSIGNALED(c->child.status))
        rc = cc_store_set_u64(st, "exit.code", (uint64_t)status, err);
    if (rc == 0 && WIFSIGNALED(c->child.status))
        rc = cc_store_set_u64(st, "exit.signal", (uint64_t)WTERMSIG(c->child.status), err);
    if (rc == 0)
        rc = cc_store_set_u64(st, "native.mark_ps", (uint64_t)llround(t->mark_ns * 1000), err);
    if (rc == 0)
        rc = cc_store_set_u64(st, "native.lost", t->lost, err);
    return rc;
}

static int no_trace(const struct session *s, struct cc_err *err)
{
    cc_err_set(err, CC_EENGINE, "'%s' left no native trace", s->argv[0]);
    cc_err_hint(err, "build it with -DCORECAST_NATIVE and link libcorecast-native");
    return -CC_EENGINE;
}

static void add_run(struct runs *runs, const struct copy *c, struct cc_native_trace *t)
{
    double wall = c->child.seconds * 1e9;
    if (t->inside_ns > 0 && wall > t->inside_ns)
        runs->outside = CC_MIN(runs->outside, wall - t->inside_ns);
    runs->v[runs->n] = t;
    if (!runs->n || t->end_ns < runs->v[0]->end_ns) {
        runs->v[runs->n] = runs->v[0];
        runs->v[0] = t;
        runs->fastest = c;
    }
    runs->n++;
}

/* Opens the traces of the runs that ended like the first. */
static int open_runs(const struct session *s, const struct copy *copies, size_t n, struct runs *ret,
                     struct cc_err *err)
{
    *ret = (struct runs){.outside = INFINITY};
    if (access(copies[0].trace, R_OK) < 0)
        return no_trace(s, err);
    for (size_t i = 0; i < n; i++) {
        struct cc_native_trace *t;
        if (i && copies[i].child.status != copies[0].child.status)
            continue;
        int rc = cc_native_trace_open(copies[i].trace, &t, i ? NULL : err);
        if (rc < 0 && i == 0)
            return rc;
        if (rc == 0)
            add_run(ret, &copies[i], t);
    }
    return 0;
}

/* Everything of the profile but the co-runs. */
static int store_alone(const struct session *s, struct cc_store *st, struct output *o,
                       struct cc_native_result *ret, struct cc_err *err)
{
    const struct runs *runs = o->runs;
    int rc = write_meta(st, s->argv, runs->fastest, runs->v[0], err);
    if (rc == 0)
        rc = write_tasks(o, err);
    ret->ns = o->end;
    ret->events = o->events;
    /* The run is the whole process: what starting and tearing it down takes is sequential, and put at the
     * end. A program that switches recording off has said what it wants to see. */
    if (isfinite(runs->outside) && runs->v[0]->noff == 0)
        ret->ns += ret->outside_ns = runs->outside;
    ret->mark_ns = runs->v[0]->mark_ns;
    ret->lost = runs->v[0]->lost;
    return rc == 0 ? cc_store_set_u64(st, "native.outside_ns", (uint64_t)llround(ret->outside_ns), err) : rc;
}

static int store(const struct session *s, const struct cc_native_options *options, size_t asked,
                 struct output *o, struct cc_store *st, struct cc_native_result *ret, struct cc_err *err)
{
    const struct runs *runs = o->runs;
    char text[128];
    const char *lacks = missing(runs->fastest, runs->v[0], text);
    double share = runs->v[0]->cpu_share;
    int rc = store_alone(s, st, o, ret, err);
    if (asked > 1 && o->use == 1)
        snprintf(ret->note, sizeof ret->note, "the runs met different marks: only the fastest of %zu is used",
                 asked);
    if (rc == 0 && options->ncorun && !lacks)
        rc = cc_corun(s, options, ret->ns, o->w, &share, ret->note, err);
    if (share < 0.9 && !ret->note[0])
        snprintf(ret->note, sizeof ret->note,
                 "the program had a CPU for only %.0f %% of its time: if it does not wait by itself, the "
                 "machine is busy%s",
                 share * 100, asked == 1 ? "; --repeat helps" : "");
    if (rc == 0)
        rc = cc_tasks_finish(o->w, 0, (uint64_t)llround(ret->ns), lacks, err);
    if (rc == 0 && lacks)
        snprintf(ret->note, sizeof ret->note, "the trace is incomplete: %s", lacks);
    return rc;
}

static int store_runs(const struct session *s, const struct cc_native_options *o, const struct copy *copies,
                      size_t n, struct cc_native_result *ret, struct cc_err *err)
{
    struct runs runs;
    struct cc_store *st = NULL;
    int rc = open_runs(s, copies, n, &runs, err);
    if (rc == 0)
        rc = cc_store_create(o->output, &st, err);
    if (rc == 0) {
        struct output out = {.w = cc_tasks_writer_new(st, "ns", 1e9, NULL, 0),
                             .runs = &runs,
                             .use = runs.n > 1 && same_marks(runs.v, runs.n) ? runs.n : 1};
        rc = store(s, o, n, &out, st, ret, err);
        cc_tasks_writer_free(out.w);
    }
    for (size_t i = 0; i < runs.n; i++)
        cc_native_trace_free(runs.v[i]);
    if (rc == 0)
        return cc_store_commit(st, err);
    cc_store_free(st);
    return rc;
}

int cc_native_record(const struct cc_native_options *o, char **argv, struct cc_native_result *ret,
                     struct cc_err *err)
{
    *ret = (struct cc_native_result){0};
    struct session s;
    int rc = cc_session_init(&s, argv, err);
    if (rc < 0)
        return rc;
    rc = check_options(&s, o, err);
    size_t n = CC_MIN(CC_MAX(o->repeat, 1u), (unsigned)MAX_RUNS);
    struct copy runs[MAX_RUNS] = {{.trace = NULL}};
    if (rc == 0)
        cc_copies_init(&s, runs, n, "alone");
    for (size_t i = 0; rc == 0 && i < n; i++) {
        rc = cc_copies_run(&s, &runs[i], 1, NULL, i > 0 && o->quiet_copies, err);
        if (runs[i].child.status != 0)
            n = i + 1; /* a program that fails is not run again */
    }
    if (rc == 0)
        rc = store_runs(&s, o, runs, n, ret, err);
    if (rc == 0)
        ret->status = cc_child_exit_status(runs[0].child.status);
    cc_copies_fini(runs, MAX_RUNS);
    cc_session_fini(&s);
    return rc;
}

int cc_native_import(const char *trace, const char *output, struct cc_native_result *ret, struct cc_err *err)
{
    *ret = (struct cc_native_result){0};
    char *argv[] = {(char *)trace, NULL}; /* the trace does not tell its program */
    struct session s = {.argv = argv};
    struct copy run = {.trace = (char *)trace};
    struct cc_native_options o = {.output = output};
    if (access(trace, R_OK) < 0)
        return cc_err_set(err, CC_EINPUT, "cannot open '%s': %s", trace, strerror(errno));
    return store_runs(&s, &o, &run, 1, ret, err);
}
