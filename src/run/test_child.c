/* Programs in processes of their own: what comes back, and what is left behind when it goes wrong. */
#include "run/child.h"
#include "tap.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The library's fork is this one: 0 fails the next. */
static int forks_left = -1;

pid_t fork(void)
{
    static pid_t (*real)(void);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (forks_left == 0) {
        errno = EAGAIN;
        return -1;
    }
    forks_left -= forks_left > 0;
    return real();
}

static char *const *shell(const char *command)
{
    static char *argv[4];
    argv[0] = "sh";
    argv[1] = "-c";
    argv[2] = (char *)command;
    return argv;
}

#define SH(command) .file = "/bin/sh", .argv = shell(command)
#define CAPTURED .out = CC_STREAM_CAPTURED, .max_out = 1 << 20

static int run(struct cc_child_request r, struct cc_child *c)
{
    struct cc_err err = {0};
    return cc_child_run(&r, c, &err);
}

static int status_of(struct cc_child_request r)
{
    struct cc_child c;
    if (run(r, &c) < 0)
        return -1;
    cc_child_fini(&c);
    return cc_child_exit_status(c.status);
}

static const char *output_of(struct cc_child_request r)
{
    static char text[4096];
    struct cc_child c;
    if (run(r, &c) < 0)
        return "(not run)";
    snprintf(text, sizeof text, "%s", c.out.s ? c.out.s : "");
    cc_child_fini(&c);
    return text;
}

static void pause_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* --- how they end --- */

static void test_endings(void)
{
    OK_U64((unsigned)status_of((struct cc_child_request){SH("exit 0")}), 0, "status 0");
    OK_U64((unsigned)status_of((struct cc_child_request){SH("exit 77")}), 77, "status 77");
    OK_U64((unsigned)status_of((struct cc_child_request){SH("kill -TERM $$")}), 128 + SIGTERM,
           "killed by SIGTERM: 128 + 15");
    OK_U64((unsigned)status_of((struct cc_child_request){SH("kill -INT $$"), .stay = true}), 128 + SIGINT,
           "SIGINT does to the program what it does, although we stay");

    struct cc_child c;
    struct cc_err err = {0};
    char *argv[] = {"x", NULL};
    struct cc_child_request r = {.file = "/no/such/program", .argv = argv};
    OK(cc_child_run(&r, &c, &err) < 0 && c.exec_errno == ENOENT &&
           cc_child_exec_code(c.exec_errno) == CC_ENOT_FOUND,
       "no such program: '%s'", err.msg);
    OK(strstr(err.msg, "/no/such/program") && strstr(err.msg, strerror(ENOENT)), "the message says both");
    r.file = "/etc/passwd";
    OK(cc_child_run(&r, &c, NULL) < 0 && c.exec_errno == EACCES &&
           cc_child_exec_code(c.exec_errno) == CC_ECANNOT_RUN,
       "no program");
    r.file = NULL;
    OK(cc_child_run(&r, &c, NULL) < 0 && c.exec_errno == ENOENT, "argv[0] is a path, not searched for");
    OK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "none of them is left to be waited for");

    signal(SIGCHLD, SIG_IGN);
    OK_U64((unsigned)status_of((struct cc_child_request){SH("exit 3")}), 3,
           "the status is known where our own parent ignores SIGCHLD");
}

/* --- streams --- */

static void test_capture(void)
{
    struct cc_child c;
    OK_STR(output_of((struct cc_child_request){SH("echo a; echo b"), CAPTURED}), "a\nb\n", "captured");
    OK_STR(output_of((struct cc_child_request){SH("cat; echo end"), CAPTURED, .in = CC_STREAM_NULL}), "end\n",
           "nothing to read");

    run((struct cc_child_request){SH("head -c 30000000 /dev/zero; echo x"), .out = CC_STREAM_CAPTURED,
                                  .max_out = 1 << 25},
        &c);
    OK(c.out.n == 30000002 && !c.too_long && cc_child_exit_status(c.status) == 0, "30 MB of output: %zu",
       c.out.n);
    cc_child_fini(&c);

    run((struct cc_child_request){SH("echo 123456"), .out = CC_STREAM_CAPTURED, .max_out = 7}, &c);
    OK(c.out.n == 7 && !c.too_long, "as much as the bound");
    cc_child_fini(&c);
    run((struct cc_child_request){SH("while :; do echo 123456; done"), .out = CC_STREAM_CAPTURED,
                                  .max_out = 1000},
        &c);
    OK(c.out.n == 1000 && c.too_long && cc_child_exit_status(c.status) == 128 + SIGKILL,
       "endless output: %zu bytes, then killed (%d)", c.out.n, cc_child_exit_status(c.status));
    cc_child_fini(&c);

    /* a pipe holds 64 KiB: whoever reads one to its end before the other would wait for ever */
    run((struct cc_child_request){SH("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; echo e >&2"),
                                  .out = CC_STREAM_CAPTURED, .err = CC_STREAM_CAPTURED, .max_out = 1 << 20,
                                  .max_err = 1000},
        &c);
    OK(c.out.n == 300000 && c.err.n == 1000 && !c.too_long && cc_child_exit_status(c.status) == 0,
       "both streams: %zu, and %zu of the other kept", c.out.n, c.err.n);
    cc_child_fini(&c);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void test_grandchild(void)
{
    struct cc_child c;
    double began = now();
    run((struct cc_child_request){SH("sleep 60 & echo $!"), CAPTURED, .err = CC_STREAM_CAPTURED,
                                  .max_err = 100},
        &c);
    long pid = strtol(c.out.s ? c.out.s : "0", NULL, 10);
    OK(now() - began < 20 && pid > 0, "a grandchild holds the pipe: %.2f s", now() - began);
    OK(kill((pid_t)pid, 0) == 0, "and still runs");
    kill((pid_t)pid, SIGKILL);
    cc_child_fini(&c);
    began = now();
    run((struct cc_child_request){SH("timeout 60 yes >&2 & sleep 0.2; echo $!"), CAPTURED,
                                  .err = CC_STREAM_CAPTURED, .max_err = 100},
        &c);
    pid = strtol(c.out.s ? c.out.s : "0", NULL, 10);
    OK(now() - began < 20 && pid > 0 && c.err.n <= 100, "a grandchild that prints without end: %.2f s",
       now() - began);
    kill((pid_t)pid, SIGTERM);
    cc_child_fini(&c);
}

/* A function in a child, so that what it does to its descriptors stays there. */
static void without_streams(void *data, FILE *out)
{
    struct cc_child c;
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    run((struct cc_child_request){SH("echo seen; echo unseen >&2"), CAPTURED, .err = CC_STREAM_NULL}, &c);
    fprintf(out, "%s%s", (const char *)data, c.out.s ? c.out.s : "");
    cc_child_fini(&c);
    char *argv[] = {"/no/such/program", NULL};
    int rc = run((struct cc_child_request){.argv = argv, CAPTURED, .err = CC_STREAM_NULL}, &c);
    fprintf(out, "%d %d", rc < 0, c.exec_errno == ENOENT);
}

static void to_stderr(void *data, FILE *out)
{
    struct cc_child c;
    int fds[2];
    char text[64] = "";
    if (data || pipe(fds) < 0 || dup2(fds[1], 2) < 0)
        return;
    run((struct cc_child_request){SH("echo via stderr"), .out = CC_STREAM_TO_STDERR}, &c);
    if (read(fds[0], text, sizeof text - 1) > 0)
        fputs(text, out);
}

static void test_streams(void)
{
    struct cc_child_request closed = {.work = without_streams, .data = "child: ", CAPTURED};
    OK_STR(output_of(closed), "child: seen\n1 1", "where we have no standard streams ourselves");
    struct cc_child_request moved = {.work = to_stderr, CAPTURED};
    OK_STR(output_of(moved), "via stderr\n", "standard output goes where errors go");
}

/* --- surroundings --- */

static void test_surroundings(void)
{
    setenv("CC_KEPT", "1", 1);
    setenv("CC_REPLACED", "1", 1);
    setenv("CC_REMOVED", "1", 1);
    static const char *const changes[] = {"CC_REPLACED=2=3", "CC_ADDED=", "CC_REMOVED", "CC_REP=9", NULL};
    OK_STR(output_of((struct cc_child_request){SH("echo $CC_KEPT,$CC_REPLACED,${CC_ADDED-none},"
                                                  "${CC_REMOVED-none},$CC_REP"),
                                               CAPTURED, .environment = changes}),
           "1,2=3,,none,9\n", "environment: kept, replaced, added empty, removed");
    OK(!getenv("CC_ADDED") && strcmp(getenv("CC_REMOVED"), "1") == 0, "ours is as it was");
    OK_STR(output_of((struct cc_child_request){SH("pwd"), CAPTURED, .folder = "/"}), "/\n", "its folder");

    cpu_set_t set;
    int cpu = 0;
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((size_t)i, &set))
            cpu = i; /* the last, so that it is not any */
    char want[32];
    snprintf(want, sizeof want, "%d\n", cpu);
    OK_STR(output_of((struct cc_child_request){
               SH("sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status"), CAPTURED, .cpu = &cpu}),
           want, "pinned");
    int status = status_of((struct cc_child_request){SH("while :; do :; done"), .cpu_seconds = 1});
    OK(status == 128 + SIGXCPU || status == 128 + SIGKILL, "a limit of CPU time: %d", status);
    OK_STR(output_of((struct cc_child_request){SH("cut -c 1-8 /proc/self/personality"), CAPTURED,
                                               .fixed_addresses = true}),
           "00040000\n", "no randomisation of addresses");
}

/* --- functions --- */

static void deep(void *data, FILE *out)
{
    size_t size = *(size_t *)data;
    volatile char *p = alloca(size);
    for (size_t i = 0; i < size; i += 4096)
        p[i] = 1;
    fprintf(out, "%zu", size);
}

static void crash(void *data, FILE *out)
{
    fputs(data, out);
    fflush(out);
    fputs("never seen", out);
    abort();
}

static void test_work(void)
{
    size_t size = 100 << 20;
    struct cc_child c;
    struct cc_child_request r = {.work = deep, .data = &size, .stack = (size_t)128 << 20, CAPTURED};
    OK_STR(output_of(r), "104857600", "a function with 100 MiB on its stack");
    run(
        (struct cc_child_request){
            .work = crash, .data = "before", CAPTURED, .err = CC_STREAM_NULL, .cpu_seconds = 60},
        &c);
    OK(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGABRT, "it crashes");
    OK_STR(c.out.s, "before", "what it had written is there");
    cc_child_fini(&c);
    struct cc_child_request nowhere = {.work = deep, .data = &size, .folder = "/nowhere/at/all", CAPTURED};
    struct cc_child none;
    struct cc_err why = {0};
    OK(cc_child_run(&nowhere, &none, &why) < 0 && strstr(why.msg, "process of corecast"),
       "a function that cannot be begun: %s", why.msg);
}

/* --- signals --- */

static volatile sig_atomic_t terminated;

static void on_term(int sig)
{
    terminated = sig;
}

static bool as_before(void)
{
    struct sigaction a[4];
    sigset_t mask;
    sigaction(SIGINT, NULL, &a[0]);
    sigaction(SIGQUIT, NULL, &a[1]);
    sigaction(SIGTERM, NULL, &a[2]);
    sigaction(SIGHUP, NULL, &a[3]);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    return a[0].sa_handler == SIG_DFL && a[1].sa_handler == SIG_DFL && a[2].sa_handler == on_term &&
           a[3].sa_handler == SIG_DFL && !sigismember(&mask, SIGINT) && !sigismember(&mask, SIGTERM);
}

static void test_signals(void)
{
    struct cc_child c[3];
    struct cc_err err = {0};
    char path[TAP_FOLDER];
    tap_file(path);
    unlink(path);
    signal(SIGTERM, on_term);
    char command[TAP_FOLDER + 150];
    snprintf(command, sizeof command,
             "trap 'exit 41' TERM; trap 'exit 42' HUP; trap 'exit 43' INT; >%s; while :; do sleep 0.02; done",
             path);
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
    for (int i = 0; i < 3; i++) {
        struct cc_child_request r = {SH(command), .stay = true};
        OK(cc_child_start(&r, c, &err) == 0, "a program that we stay for");
        for (int k = 0; k < 1000 && access(path, F_OK) != 0; k++)
            pause_ms(10);
        unlink(path);
        raise(signals[i]);
        cc_child_wait(c);
        OK_U64((unsigned)cc_child_exit_status(c->status), 41u + (unsigned)i, "%s is passed on",
               strsignal(signals[i]));
        OK(!terminated && as_before(), "afterwards signals are as before");
    }

    forks_left = 0;
    struct cc_child_request r = {SH("exit 0"), .stay = true};
    OK(cc_child_run(&r, c, &err) < 0 && c->exec_errno == 0, "a fork that fails: '%s'", err.msg);
    OK(as_before(), "leaves signals as they were");
    struct cc_child_request many[3] = {{SH("exec sleep 60"), .stay = true}};
    many[1] = many[2] = many[0];
    forks_left = 2;
    OK(cc_child_start_all(many, 3, c, &err) < 0 && as_before(), "the third of three fails: the same");
    forks_left = -1;
    OK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "and the other two are gone");
    many[2].file = "/no/such/program";
    OK(cc_child_start_all(many, 3, c, &err) < 0 && c[2].exec_errno == ENOENT && as_before(),
       "the third is no program: the same");
    OK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "and the other two are gone");
    signal(SIGTERM, SIG_DFL);
}

/* --- several --- */

static void test_all(void)
{
    enum { N = 12 };
    struct cc_child_request r[N];
    struct cc_child c[N];
    struct cc_err err = {0};
    static const char *const env[] = {"CC_WHO=x", NULL};
    static char *argv[] = {"sh", "-c", "echo $CC_WHO; exit 5", NULL};
    for (size_t i = 0; i < N; i++)
        r[i] = (struct cc_child_request){
            .file = "/bin/sh", .argv = argv, .environment = env, CAPTURED, .stay = true};
    OK(cc_child_start_all(r, N, c, &err) == 0, "%d programs at once", N);
    unsigned right = 0;
    for (size_t i = 0; i < N; i++) {
        cc_child_wait(&c[N - 1 - i]); /* in any order */
        right += cc_child_exit_status(c[N - 1 - i].status) == 5 && c[N - 1 - i].seconds > 0;
        right += c[N - 1 - i].out.s && strcmp(c[N - 1 - i].out.s, "x\n") == 0;
        cc_child_fini(&c[N - 1 - i]);
    }
    OK_U64(right, 2 * N, "all of them tell");
    OK(c[0].began == c[N - 1].began, "and began together");
    OK(cc_child_start_all(r, 0, c, &err) == 0, "none");
}

/* More than a pipe holds, from children that end in another order than they began in. */
static void write_much(void *data, FILE *out)
{
    unsigned i = *(unsigned *)data;
    usleep(i % 3 * 20000);
    for (unsigned k = 0; k < 50000 + i; k++)
        fputs("word ", out);
}

static void test_any(void)
{
    enum { N = 7 };
    unsigned number[N], right = 0, seen = 0;
    struct cc_child c[N], *left[N];
    struct cc_err err = {0};
    for (unsigned i = 0; i < N; i++) {
        number[i] = i;
        struct cc_child_request r = {
            .work = write_much, .data = &number[i], .out = CC_STREAM_CAPTURED, .max_out = 1 << 20};
        right += cc_child_start(&r, &c[i], &err) == 0;
        left[i] = &c[i];
    }
    OK_U64(right, N, "seven at a time");
    for (size_t n = N; n > 0; n--) {
        size_t i = cc_child_wait_any(left, n), who = (size_t)(left[i] - c);
        seen |= 1u << who;
        right -= left[i]->ended && left[i]->out.n == 5 * (50000 + who);
        cc_child_fini(left[i]);
        left[i] = left[n - 1];
    }
    OK(right == 0 && seen == (1u << N) - 1, "each is heard to its end, once");
}

int main(void)
{
    signal(SIGHUP, SIG_DFL); /* nohup ignores it, and a shell in the background the others */
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    test_endings();
    test_capture();
    test_grandchild();
    test_streams();
    test_surroundings();
    test_work();
    test_signals();
    test_all();
    test_any();
    return TAP_DONE();
}
