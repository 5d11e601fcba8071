#include "child.h"
#include "../base/ending.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_GUARDED = 1024, CHUNK = 1 << 16, LOOK_AGAIN_MS = 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void cc_words_take(struct cc_words *w, char *word)
{
    CC_VEC_RESERVE(w, w->n + 2);
    w->v[w->n++] = word;
    w->v[w->n] = NULL;
}

void cc_words_add(struct cc_words *w, const char *word)
{
    cc_words_take(w, cc_strdup(word));
}

void cc_words_fini(struct cc_words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->v[i]);
    CC_VEC_FINI(w);
}

/* --- signals while programs run --- */

/* A signal handler can only see what is static. */
static struct {
    volatile pid_t pids[MAX_GUARDED];
    size_t n;                   /* guarded children that run, and holds */
    volatile sig_atomic_t seen; /* signals while no child ran */
    struct sigaction old[4];
} guard;
static const int guarded[4] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/* The terminal (the kernel, that is) sends its own signals to the program as well; what another process sends
 * is for us alone. Without a program, the first signal only asks us to hurry. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
    (void)context;
    int e = errno;
    bool any = false;
    for (size_t i = 0; i < MAX_GUARDED; i++) {
        if (guard.pids[i] <= 0)
            continue;
        any = true;
        if (sig == SIGTERM || sig == SIGHUP || info->si_code <= 0)
            kill(guard.pids[i], sig);
    }
    if (!any && guard.seen++) {
        for (size_t i = 0; i < CC_COUNT(guarded); i++)
            sigaction(guarded[i], &guard.old[i], NULL);
        raise(sig);
    }
    errno = e;
}

static void guard_take(void)
{
    if (guard.n++)
        return;
    guard.seen = 0;
    for (size_t i = 0; i < CC_COUNT(guarded); i++) {
        struct sigaction a = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
        sigaction(guarded[i], &a, &guard.old[i]);
    }
}

static void guard_restore(void)
{
    for (size_t i = 0; i < CC_COUNT(guarded); i++)
        sigaction(guarded[i], &guard.old[i], NULL);
}

static void guard_release(void)
{
    if (--guard.n == 0)
        guard_restore();
}

void cc_child_hold(void)
{
    guard_take();
}

void cc_child_release(void)
{
    guard_release();
}

bool cc_child_held(void)
{
    return guard.seen > 0;
}

static void guard_swap(pid_t from, pid_t to)
{
    for (size_t i = 0; i < MAX_GUARDED; i++)
        if (guard.pids[i] == from) {
            guard.pids[i] = to;
            return;
        }
}

/* --- in the child --- */

struct plan { /* made before the fork */
    const struct cc_child_request *r;
    char **environment;
    int gate[2], report[2], out[2], err[2];
    sigset_t mask;
};

extern char **environ;

static bool set_stream(enum cc_child_stream how, const int pipe[2], bool by_function, int fd)
{
    if (how == CC_STREAM_CAPTURED && !by_function)
        return dup2(pipe[1], fd) >= 0;
    if (how == CC_STREAM_TO_STDERR)
        return dup2(STDERR_FILENO, fd) >= 0;
    if (how == CC_STREAM_OURS)
        return true;
    int null = open("/dev/null", O_RDWR);
    bool done = null >= 0 && dup2(null, fd) >= 0;
    if (null > STDERR_FILENO)
        close(null);
    return done;
}

static bool set_surroundings(const struct plan *p, pid_t parent)
{
    const struct cc_child_request *r = p->r;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever kills us means the programs we run as well */
    if (getppid() != parent)
        _exit(CC_EOWN);
    if (r->cpu) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)*r->cpu, &set);
        sched_setaffinity(0, sizeof set, &set); /* without it the program runs anywhere: slower, not wrong */
    }
    if (r->cpu_seconds) {
        struct rlimit limit = {r->cpu_seconds, r->cpu_seconds}, none = {0, 0};
        setrlimit(RLIMIT_CPU, &limit);
        setrlimit(RLIMIT_CORE, &none);
    }
    if (r->fixed_addresses)
        personality(ADDR_NO_RANDOMIZE);
    if (r->group)
        setpgid(0, 0);
    return set_stream(r->in, NULL, true, STDIN_FILENO) &&
           set_stream(r->out, p->out, r->work, STDOUT_FILENO) &&
           set_stream(r->err, p->err, r->work, STDERR_FILENO) && (!r->folder || chdir(r->folder) == 0);
}

struct job {
    const struct cc_child_request *r;
    FILE *out;
};

static void *do_work(void *arg)
{
    struct job *job = arg;
    job->r->work(job->r->data, job->out);
    return NULL;
}

static void work_and_exit(struct plan *p)
{
    struct job job = {p->r, p->out[1] >= 0 ? fdopen(p->out[1], "wb") : stdout};
    pthread_attr_t attr;
    pthread_t thread;
    if (!job.out)
        _exit(CC_EOWN);
    environ = p->environment;
    pthread_attr_init(&attr);
    if (!p->r->stack || pthread_attr_setstacksize(&attr, p->r->stack) != 0 ||
        pthread_create(&thread, &attr, do_work, &job) != 0)
        do_work(&job);
    else
        pthread_join(thread, NULL);
    _exit(fflush(job.out) == 0 ? 0 : CC_EOWN);
}

static void become(struct plan *p, pid_t parent)
{
    const struct cc_child_request *r = p->r;
    cc_ending_forget();
    if (guard.n)
        guard_restore();
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    close_fd(&p->gate[1]);
    close_fd(&p->report[0]);
    close_fd(&p->out[0]);
    close_fd(&p->err[0]);
    if (set_surroundings(p, parent)) {
        char byte;
        while (p->gate[0] >= 0 && read(p->gate[0], &byte, 1) < 0 && errno == EINTR)
            ; /* all begin when the parent closes its end */
        if (r->work) {
            close_fd(&p->report[1]);
            work_and_exit(p);
        }
        execve(r->file ? r->file : r->argv[0], r->argv, p->environment);
    }
    int e = errno;
    ssize_t told = write(p->report[1], &e, sizeof e);
    _exit(told == (ssize_t)sizeof e ? (int)cc_child_exec_code(e) : CC_EOWN);
}

/* --- in the parent --- */

char **cc_child_environment(const char *const *changes)
{
    size_t n = 0, nchanges = 0, at = 0;
    while (environ[n])
        n++;
    while (changes && changes[nchanges])
        nchanges++;
    char **all = cc_alloc_array(n + nchanges + 1, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        size_t name = strcspn(environ[i], "=");
        bool changed = false;
        for (size_t k = 0; k < nchanges; k++)
            changed |= strcspn(changes[k], "=") == name && strncmp(changes[k], environ[i], name) == 0;
        if (!changed)
            all[at++] = environ[i];
    }
    for (size_t k = 0; k < nchanges; k++)
        if (strchr(changes[k], '='))
            all[at++] = (char *)changes[k];
    return all;
}

static void turn(char **words)
{
    size_t n = 0;
    while (words[n])
        n++;
    for (size_t i = 0; i < n / 2; i++) {
        char *word = words[i];
        words[i] = words[n - 1 - i];
        words[n - 1 - i] = word;
    }
}

/* Beyond the standard streams: where we were started with one of them closed, its number must not become a
 * pipe's, which setting up the streams would then overwrite. */
static bool make_pipe(bool wanted, int fds[2])
{
    if (!wanted)
        return true;
    if (pipe2(fds, O_CLOEXEC) < 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (fds[i] <= STDERR_FILENO) {
            int low = fds[i];
            fds[i] = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
            close(low);
        }
    return fds[0] >= 0 && fds[1] >= 0;
}

static void plan_fini(struct plan *p)
{
    free(p->environment);
    for (int i = 0; i < 2; i++) {
        close_fd(&p->report[i]);
        close_fd(&p->out[i]);
        close_fd(&p->err[i]);
    }
}

/* Signals wait while there is a child that the handler does not know yet, or that has our handlers. */
static int fork_child(struct plan *p, struct cc_child *c)
{
    sigset_t all;
    pid_t parent = getpid();
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL); /* ignored, as some parents leave it, it would take the status away */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &p->mask);
    if (p->r->stay)
        guard_take();
    c->pid = fork();
    int e = errno;
    if (c->pid == 0)
        become(p, parent);
    if (p->r->stay && c->pid > 0)
        guard_swap(0, c->pid);
    else if (p->r->stay)
        guard_release();
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    errno = e;
    return c->pid > 0 ? 0 : -1;
}

static void move_fd(int *from, int *to)
{
    *to = *from;
    *from = -1;
}

static int start(const struct cc_child_request *r, const int gate[2], struct cc_child *c, struct cc_err *err)
{
    struct plan p = {
        .r = r, .gate = {gate[0], gate[1]}, .report = {-1, -1}, .out = {-1, -1}, .err = {-1, -1}};
    *c = (struct cc_child){.report = -1, .out_fd = -1, .err_fd = -1};
    if (!make_pipe(true, p.report) || !make_pipe(r->out == CC_STREAM_CAPTURED, p.out) ||
        !make_pipe(r->err == CC_STREAM_CAPTURED, p.err)) {
        int rc = cc_err_set(err, CC_EENGINE, "cannot make a pipe: %s", strerror(errno));
        plan_fini(&p);
        return rc;
    }
    p.environment = cc_child_environment(r->environment);
    if (r->turned)
        turn(p.environment);
    int rc = fork_child(&p, c);
    if (rc < 0) {
        rc = cc_err_set(err, CC_EENGINE, "cannot start a process: %s", strerror(errno));
    } else {
        c->guarded = r->stay;
        c->max_out = r->max_out;
        c->max_err = r->max_err;
        move_fd(&p.report[0], &c->report);
        move_fd(&p.out[0], &c->out_fd);
        move_fd(&p.err[0], &c->err_fd);
    }
    plan_fini(&p);
    return rc;
}

/* The pipe closes when the program is executed. */
static void read_report(struct cc_child *c)
{
    int e = 0;
    ssize_t n;
    while ((n = read(c->report, &e, sizeof e)) < 0 && errno == EINTR)
        ;
    c->exec_errno = n == (ssize_t)sizeof e ? e : 0;
    close_fd(&c->report);
}

static void kill_all(struct cc_child *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        kill(c[i].pid, SIGKILL);
    for (size_t i = 0; i < n; i++) {
        cc_child_wait(&c[i]);
        cc_child_fini(&c[i]);
    }
}

static const char *name_of(const struct cc_child_request *r)
{
    return r->file ? r->file : r->argv ? r->argv[0] : "a process of corecast";
}

int cc_child_start_all(const struct cc_child_request *r, size_t n, struct cc_child *ret, struct cc_err *err)
{
    int gate[2] = {-1, -1}, rc = 0;
    size_t started = 0;
    memset(ret, 0, n * sizeof *ret);
    if (n && r->stay && guard.n + n > MAX_GUARDED)
        return cc_err_set(err, CC_EENGINE, "cannot run more than %d programs at once", MAX_GUARDED);
    if (!make_pipe(n > 0, gate))
        return cc_err_set(err, CC_EENGINE, "cannot make a pipe: %s", strerror(errno));
    while (started < n && rc == 0) {
        rc = start(&r[started], gate, &ret[started], err);
        started += rc == 0;
    }
    close_fd(&gate[0]);
    double began = now(); /* what forking takes is not the program's */
    if (rc < 0)
        kill_all(ret, started);
    close_fd(&gate[1]);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        ret[i].began = began;
        read_report(&ret[i]);
        if (ret[i].exec_errno) {
            rc = cc_err_set(err, CC_EENGINE, "cannot run '%s': %s", name_of(&r[i]),
                            strerror(ret[i].exec_errno));
            kill_all(ret, n);
        }
    }
    return rc;
}

int cc_child_start(const struct cc_child_request *r, struct cc_child *ret, struct cc_err *err)
{
    return cc_child_start_all(r, 1, ret, err);
}

/* The handler must not send a signal to a process number that may be another's by then: it forgets the child
 * before the number is free. */
static bool reap(struct cc_child *c, int flags)
{
    siginfo_t info = {0};
    int rc;
    if (c->ended)
        return true;
    while ((rc = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT | flags)) < 0 && errno == EINTR)
        ;
    if (rc == 0 && info.si_pid == 0)
        return false;
    c->seconds = now() - c->began;
    if (c->guarded)
        guard_swap(c->pid, 0);
    struct rusage used = {0};
    while (wait4(c->pid, &c->status, 0, &used) < 0 && errno == EINTR)
        ;
    c->user = seconds_of(used.ru_utime);
    c->system = seconds_of(used.ru_stime);
    c->memory = (uint64_t)used.ru_maxrss << 10;
    if (c->guarded)
        guard_release();
    return c->ended = true;
}

bool cc_child_ended(struct cc_child *c)
{
    return reap(c, WNOHANG);
}

/* Reads once; the end of the pipe closes it. */
static void take(int *fd, struct cc_buf *b, size_t max, bool *more, int *failed, char *chunk)
{
    ssize_t n = read(*fd, chunk, CHUNK);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        *failed = n < 0 ? errno : *failed;
        close_fd(fd);
        return;
    }
    size_t room = max - b->n, keep = CC_MIN((size_t)n, room);
    cc_buf_add(b, chunk, keep);
    *more |= keep < (size_t)n;
}

/* Of fds[0] and fds[1], its pipes as they were polled. What a grandchild may still write once the child has
 * ended is not ours to wait for: `ended` before the poll, and nothing there. */
static bool all_read(struct cc_child *c, const struct pollfd *fds, bool ended, char *chunk)
{
    bool dropped = false;
    if (c->out_fd >= 0 && fds[0].revents)
        take(&c->out_fd, &c->out, c->max_out, &c->too_long, &c->read_errno, chunk);
    if (c->err_fd >= 0 && fds[1].revents)
        take(&c->err_fd, &c->err, c->max_err, &dropped, &c->read_errno, chunk);
    if (c->too_long && !c->ended)
        kill(c->pid, SIGKILL);
    bool quiet = !fds[0].revents && !fds[1].revents;
    return c->too_long || (c->out_fd < 0 && c->err_fd < 0) || (ended && (quiet || dropped));
}

static void finish(struct cc_child *c)
{
    reap(c, 0);
    close_fd(&c->report);
    close_fd(&c->out_fd);
    close_fd(&c->err_fd);
}

size_t cc_child_wait_any(struct cc_child *const *c, size_t n)
{
    CC_CLEANUP(cc_free_ptr) struct pollfd *fds = cc_alloc_array(2 * n, sizeof *fds);
    CC_CLEANUP(cc_free_ptr) bool *ended = cc_alloc_array(n, sizeof *ended);
    CC_CLEANUP(cc_free_ptr) char *chunk = cc_alloc(CHUNK);
    for (;;) {
        bool any = false;
        for (size_t i = 0; i < n; i++) {
            fds[2 * i] = (struct pollfd){c[i]->out_fd, POLLIN, 0};
            fds[2 * i + 1] = (struct pollfd){c[i]->err_fd, POLLIN, 0};
            any |= ended[i] = cc_child_ended(c[i]);
        }
        if (poll(fds, (nfds_t)(2 * n), any ? 0 : LOOK_AGAIN_MS) < 0)
            continue;
        for (size_t i = 0; i < n; i++)
            if (all_read(c[i], &fds[2 * i], ended[i], chunk)) {
                finish(c[i]);
                return i;
            }
    }
}

void cc_child_wait(struct cc_child *c)
{
    if (c->pid > 0)
        cc_child_wait_any(&c, 1);
}

int cc_child_heard(struct cc_child *c, const char *name, struct cc_err *err)
{
    if (!c->read_errno)
        return 0;
    cc_child_fini(c);
    return cc_err_set(err, CC_EENGINE, "cannot read what '%s' writes: %s", name, strerror(c->read_errno));
}

int cc_child_run(const struct cc_child_request *r, struct cc_child *ret, struct cc_err *err)
{
    int rc = cc_child_start(r, ret, err);
    if (rc < 0)
        return rc;
    cc_child_wait(ret);
    return cc_child_heard(ret, name_of(r), err);
}

void cc_child_fini(struct cc_child *c)
{
    cc_buf_fini(&c->out);
    cc_buf_fini(&c->err);
}

int cc_child_exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

enum cc_errc cc_child_exec_code(int exec_errno)
{
    return exec_errno == ENOENT ? CC_ENOT_FOUND : CC_ECANNOT_RUN;
}
