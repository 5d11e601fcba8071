#include "copies.h"
#include "../../engines/native/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COPIES = 1024 };

/* --- starting and waiting --- */

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void child(const struct session *s, const struct copy *c, int cpu, bool quiet, int go, int fail)
{
    if (cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)cpu, &set);
        sched_setaffinity(0, sizeof set, &set); /* without it the copy runs anywhere: slower, not wrong */
    }
    setenv(CC_NT_ENV, c->trace, 1);
    if (c->plan)
        setenv(CC_NT_CORUN_ENV, c->plan, 1);
    if (quiet) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        dup2(null, 2);
    }
    char byte;
    while (read(go, &byte, 1) < 0 && errno == EINTR)
        ; /* all copies start when the parent closes its end */
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    execvp(s->argv[0], s->argv);
    int e = errno;
    if (write(fail, &e, sizeof e) < 0)
        _exit(127);
    _exit(e == ENOENT ? 127 : 126);
}

int cc_native_run_copies(const struct session *s, struct copy *copies, size_t n, const int *cpus, bool quiet,
                         struct cc_err *err)
{
    int go[2], fail[2];
    if (pipe2(go, O_CLOEXEC) < 0)
        return cc_err_set(err, CC_EENGINE, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(fail, O_CLOEXEC) < 0) {
        close(go[0]);
        close(go[1]);
        return cc_err_set(err, CC_EENGINE, "cannot make a pipe: %s", strerror(errno));
    }
    fflush(NULL);
    /* Ctrl-C is for the program; what it recorded up to there is kept. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old_int, old_quit;
    sigaction(SIGINT, &ignore, &old_int);
    sigaction(SIGQUIT, &ignore, &old_quit);
    int rc = 0;
    size_t started = 0;
    for (; started < n; started++) {
        copies[started].pid = fork();
        if (copies[started].pid == 0) {
            close(go[1]);
            child(s, &copies[started], cpus ? cpus[started] : -1, quiet, go[0], fail[1]);
        }
        if (copies[started].pid < 0) {
            rc = cc_err_set(err, CC_EENGINE, "cannot start copy %zu: %s", started + 1, strerror(errno));
            break;
        }
    }
    close(go[0]);
    double start = now_ns();
    close(go[1]);
    close(fail[1]);
    for (size_t i = 0; i < started; i++) {
        while (waitpid(copies[i].pid, &copies[i].status, 0) < 0 && errno == EINTR)
            ;
        copies[i].wall_ns = now_ns() - start;
    }
    int e;
    if (n && read(fail[0], &e, sizeof e) == (ssize_t)sizeof e)
        copies[0].exec_errno = e;
    close(fail[0]);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGQUIT, &old_quit, NULL);
    return rc;
}

int cc_native_exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void cc_native_init_copies(const struct session *s, struct copy *c, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        c[i] = (struct copy){.trace = cc_asprintf("%s/%s.%zu", s->dir, what, i)};
}

void cc_native_fini_copies(struct copy *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (c[i].trace)
            unlink(c[i].trace);
        free(c[i].trace);
        cc_native_times_fini(&c[i].times);
    }
}

/* --- the trace of the run alone --- */

/* All runs met the same marks in the same order: then each stretch between two marks can be taken from the
 * run in which it was shortest. Disturbances (other processes, interrupts) only ever add time. */
static bool same_marks(struct cc_native_trace **runs, size_t n)
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

/* Writes one thread; times are the running sum of the shortest stretches over the runs. Ends at *last ns. */
static int write_thread(struct cc_tasks_writer *w, struct cc_native_trace **runs, size_t n, size_t thread,
                        const int64_t *names, double *last, uint64_t *events, struct cc_err *err)
{
    struct cc_native_cursor *cursors[16];
    double before[16] = {0}, now = 0;
    for (size_t r = 0; r < n; r++)
        cursors[r] = cc_native_cursor_new(runs[r], thread);
    struct cc_native_event ev, other;
    int rc = 0;
    bool first = true;
    while (rc == 0 && cc_native_next(cursors[0], &ev)) {
        double step = ev.ns - before[0];
        before[0] = ev.ns;
        for (size_t r = 1; r < n; r++) {
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
        rc = (begin ? cc_tasks_begin : cc_tasks_end)(w, (uint32_t)thread, (uint32_t)names[ev.site],
                                                     (uint64_t)llround(now), NULL, err);
        ++*events;
    }
    double tail = runs[0]->end_ns - before[0];
    for (size_t r = 1; r < n; r++)
        tail = CC_MIN(tail, runs[r]->end_ns - before[r]);
    *last = CC_MAX(*last, now + CC_MAX(tail, 0));
    for (size_t r = 0; r < n; r++)
        cc_native_cursor_free(cursors[r]);
    return rc;
}

static int write_tasks(struct cc_tasks_writer *w, struct cc_native_trace **runs, size_t n, double *ret_end,
                       uint64_t *events, struct cc_err *err)
{
    struct cc_native_trace *t = runs[0];
    int64_t *names = cc_alloc_array(t->nsites + 1, sizeof *names);
    int rc = 0;
    for (size_t i = 1; rc == 0 && i < t->nsites; i++)
        if (t->sites[i].name && t->sites[i].kind >= CC_NT_REGION_BEGIN &&
            t->sites[i].kind <= CC_NT_TASK_END) {
            names[i] = cc_tasks_name(w, t->sites[i].name, err);
            rc = names[i] < 0 ? (int)names[i] : 0;
        }
    double end = t->nthreads ? 0 : t->end_ns;
    for (size_t th = 0; rc == 0 && th < t->nthreads; th++)
        rc = write_thread(w, runs, n, th, names, &end, events, err);
    free(names);
    *ret_end = end;
    return rc;
}

/* --- the whole --- */

static int session_init(struct session *s, char **argv, struct cc_err *err)
{
    const char *tmp = getenv("TMPDIR");
    *s = (struct session){.argv = argv};
    if (snprintf(s->dir, sizeof s->dir, "%s/corecast.XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp") < 0 ||
        !mkdtemp(s->dir))
        return cc_err_set(err, CC_EENGINE, "cannot make a folder '%s': %s", s->dir, strerror(errno));
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        CPU_ZERO(&set);
    s->cpus = cc_alloc_array(CPU_SETSIZE, sizeof *s->cpus);
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET((size_t)c, &set))
            s->cpus[s->ncpus++] = c;
    return 0;
}

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
    if (WIFSIGNALED(c->status))
        snprintf(text, 128, "the program was killed by signal %d", WTERMSIG(c->status));
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
    int status = cc_native_exit_status(c->status);
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
    if (rc == 0 && !WIFSIGNALED(c->status))
        rc = cc_store_set_u64(st, "exit.code", (uint64_t)status, err);
    if (rc == 0 && WIFSIGNALED(c->status))
        rc = cc_store_set_u64(st, "exit.signal", (uint64_t)WTERMSIG(c->status), err);
    if (rc == 0)
        rc = cc_store_set_u64(st, "native.mark_ps", (uint64_t)llround(t->mark_ns * 1000), err);
    if (rc == 0)
        rc = cc_store_set_u64(st, "native.lost", t->lost, err);
    return rc;
}

static int no_trace(const struct session *s, const struct copy *c, struct cc_err *err)
{
    if (c->exec_errno)
        return cc_err_set(err, CC_EENGINE, "cannot run '%s': %s", s->argv[0], strerror(c->exec_errno));
    cc_err_set(err, CC_EENGINE, "'%s' left no native trace", s->argv[0]);
    cc_err_hint(err, "build it with -DCORECAST_NATIVE and link libcorecast-native");
    return -CC_EENGINE;
}

/* Opens the traces of the runs that ended like the first; the fastest comes first. */
static int open_runs(const struct session *s, struct copy *runs, size_t n, struct cc_native_trace **ret,
                     size_t *ret_n, size_t *ret_first, double *outside, struct cc_err *err)
{
    *ret_n = *ret_first = 0;
    if (access(runs[0].trace, R_OK) < 0)
        return no_trace(s, &runs[0], err);
    for (size_t i = 0; i < n; i++) {
        struct cc_native_trace *t;
        if (i && runs[i].status != runs[0].status)
            continue;
        int rc = cc_native_trace_open(runs[i].trace, &t, i ? NULL : err);
        if (rc < 0 && i == 0)
            return rc;
        if (rc < 0)
            continue;
        if (t->inside_ns > 0 && runs[i].wall_ns > t->inside_ns)
            *outside = CC_MIN(*outside, runs[i].wall_ns - t->inside_ns);
        ret[*ret_n] = t;
        if (*ret_n && t->end_ns < ret[0]->end_ns) {
            ret[*ret_n] = ret[0];
            ret[0] = t;
            *ret_first = i;
        }
        ++*ret_n;
    }
    return 0;
}

static int store_runs(const struct session *s, const struct cc_native_options *o, struct copy *runs, size_t n,
                      struct cc_native_result *ret, struct cc_err *err)
{
    struct cc_native_trace *traces[16] = {0};
    size_t ntraces, first;
    double outside = INFINITY;
    int rc = open_runs(s, runs, n, traces, &ntraces, &first, &outside, err);
    if (rc < 0)
        return rc;
    size_t use = ntraces > 1 && same_marks(traces, ntraces) ? ntraces : 1;
    struct cc_store *st = NULL;
    struct cc_tasks_writer *w = NULL;
    char text[128];
    rc = cc_store_create(o->output, &st, err);
    if (rc == 0) {
        w = cc_tasks_writer_new(st, "ns", 1e9, NULL, 0);
        rc = write_meta(st, s->argv, &runs[first], traces[0], err);
    }
    if (rc == 0)
        rc = write_tasks(w, traces, use, &ret->ns, &ret->events, err);
    /* The run is the whole process: what starting and tearing it down takes is sequential, and put at the
     * end. A program that switches recording off has said what it wants to see. */
    if (isfinite(outside) && traces[0]->noff == 0)
        ret->ns += ret->outside_ns = outside;
    if (rc == 0)
        rc = cc_store_set_u64(st, "native.outside_ns", (uint64_t)llround(ret->outside_ns), err);
    ret->mark_ns = traces[0]->mark_ns;
    ret->lost = traces[0]->lost;
    if (n > 1 && use == 1)
        snprintf(ret->note, sizeof ret->note, "the runs met different marks: only the fastest of %zu is used",
                 n);
    double share = traces[0]->cpu_share;
    bool whole = missing(&runs[first], traces[0], text) == NULL;
    if (rc == 0 && o->ncorun && whole)
        rc = cc_native_corun(s, o, ret->ns, w, &share, ret->note, err);
    if (share < 0.9 && !ret->note[0])
        snprintf(ret->note, sizeof ret->note,
                 "the program had a CPU for only %.0f %% of its time: if it does not wait by itself, the "
                 "machine is "
                 "busy%s",
                 share * 100, n == 1 ? "; --repeat helps" : "");
    if (rc == 0)
        rc = cc_tasks_finish(w, 0, (uint64_t)llround(ret->ns), missing(&runs[first], traces[0], text), err);
    if (rc == 0 && !whole)
        snprintf(ret->note, sizeof ret->note, "the trace is incomplete: %s", text);
    cc_tasks_writer_free(w);
    for (size_t i = 0; i < ntraces; i++)
        cc_native_trace_free(traces[i]);
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
    int rc = session_init(&s, argv, err);
    if (rc < 0)
        return rc;
    rc = check_options(&s, o, err);
    size_t n = CC_MIN(CC_MAX(o->repeat, 1u), 16u);
    struct copy runs[16] = {{0}};
    if (rc == 0)
        cc_native_init_copies(&s, runs, n, "alone");
    for (size_t i = 0; rc == 0 && i < n; i++) {
        rc = cc_native_run_copies(&s, &runs[i], 1, NULL, i > 0 && o->quiet_copies, err);
        if (i == 0)
            ret->status = cc_native_exit_status(runs[0].status);
        if (cc_native_exit_status(runs[i].status) != 0)
            n = i + 1; /* a program that fails is not run again */
    }
    if (rc == 0)
        rc = store_runs(&s, o, runs, n, ret, err);
    cc_native_fini_copies(runs, 16);
    rmdir(s.dir);
    free(s.cpus);
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
