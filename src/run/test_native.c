/* The native trace: written by the real library (this program runs itself as the recorded one) and by hand.
 */
#define CORECAST_NATIVE
#include "../../include/corecast/mark.h"
#include "../../engines/native/trace.h"
#include "../profile/native.h"
#include "native.h"
#include "tap.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- programs to record --- */

static _Thread_local volatile unsigned sink;

static void work(unsigned n)
{
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u + (x >> 7);
    sink = x;
}

static void on_signal(int n)
{
    (void)n;
    CC_TASK_BEGIN("handler");
    CC_TASK_END("handler");
}

static void *thread_main(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        CC_TASK_BEGIN("threaded");
        work(10);
        CC_TASK_END("threaded");
    }
    return arg;
}

static void child_threads(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, thread_main, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}

static void child_signals(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    sigaction(SIGALRM, &a, NULL);
    struct itimerspec every = {.it_interval = {0, 50000}, .it_value = {0, 50000}};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    timer_settime(timer, 0, &every, NULL);
    for (int i = 0; i < 200000; i++) {
        CC_TASK_BEGIN("interrupted");
        CC_TASK_END("interrupted");
    }
    timer_delete(timer);
}

static void child_names(void)
{
    for (int i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "dynamic %d \"x\"", i % 10);
        CC_TASK_BEGIN_NAMED(name);
        work(10);
        CC_TASK_END_NAMED(name);
    }
}

static void child_off(void)
{
    for (int i = 0; i < 30; i++) {
        CC_TASK_BEGIN("outer");
        if (i == 10)
            CC_RECORD_OFF();
        CC_TASK_BEGIN("inner");
        work(20000);
        if (i == 20)
            CC_RECORD_ON();
        CC_TASK_END("inner");
        CC_TASK_END("outer");
    }
}

static int child(const char *what, const char *arg)
{
    int64_t n = 1000;
    if (arg)
        cc_parse_i64(arg, &n);
    if (strcmp(what, "loop") == 0 || strcmp(what, "crash") == 0 || strcmp(what, "kill") == 0) {
        CC_REGION_BEGIN("loop");
        for (int64_t i = 0; i < n; i++) {
            CC_TASK_BEGIN("it");
            work(100);
            CC_TASK_END("it");
        }
        if (strcmp(what, "crash") == 0)
            abort();
        if (strcmp(what, "kill") == 0)
            raise(SIGKILL);
        CC_REGION_END("loop");
    } else if (strcmp(what, "threads") == 0) {
        child_threads();
    } else if (strcmp(what, "signals") == 0) {
        child_signals();
    } else if (strcmp(what, "names") == 0) {
        child_names();
    } else if (strcmp(what, "off") == 0) {
        child_off();
    } else if (strcmp(what, "fork") == 0) {
        CC_TASK_BEGIN("parent");
        if (fork() == 0) {
            for (int i = 0; i < 100000; i++) {
                CC_TASK_BEGIN("forked");
                CC_TASK_END("forked");
            }
            _exit(0);
        }
        wait(NULL);
        CC_TASK_END("parent");
    } else if (strcmp(what, "status") == 0) {
        return 7;
    }
    return 0;
}

/* --- recording them --- */

static char self[4096];
static const char *const out = "native-test.cast";

static int record(const char *what, const char *arg, struct cc_native_options o, struct cc_native_result *r,
                  struct cc_err *err)
{
    char *argv[] = {self, (char *)"--child", (char *)what, (char *)arg, NULL};
    o.output = out;
    o.quiet_copies = true;
    *err = (struct cc_err){0};
    return cc_native_record(&o, argv, r, err);
}

struct seen {
    uint64_t begins, ends, forked;
    size_t threads, names;
    int rc;
    bool incomplete;
    uint64_t length;
};

static struct seen look(struct cc_err *err)
{
    struct seen s = {0};
    struct cc_store *st;
    struct cc_tasks *t;
    s.rc = cc_store_open(out, &st, err);
    if (s.rc < 0)
        return s;
    s.rc = cc_tasks_open(st, &t, err);
    if (s.rc == 0) {
        s.threads = t->nthreads;
        s.names = t->nnames;
        s.incomplete = t->incomplete != NULL;
        s.length = t->end - t->start;
        for (size_t i = 0; i < t->nthreads && s.rc >= 0; i++) {
            struct cc_tasks_cursor *c = cc_tasks_cursor_new(st, t, i);
            struct cc_task_event ev;
            while ((s.rc = cc_tasks_next(c, &ev, err)) > 0) {
                s.begins += !ev.end;
                s.ends += ev.end;
                s.forked += strcmp(t->names[ev.name], "forked") == 0;
            }
            cc_tasks_cursor_free(c);
        }
        cc_tasks_free(t);
    }
    cc_store_free(st);
    return s;
}

static void test_records(void)
{
    struct cc_err err;
    struct cc_native_result r;
    struct cc_native_options none = {0};
    OK(record("loop", "100000", none, &r, &err) == 0, "records a loop: %s", err.msg);
    struct seen s = look(&err);
    OK_U64(s.begins, 100001, "every task and the region begin");
    OK_U64(s.ends, 100001, "and end");
    OK(s.rc == 0 && !s.incomplete && s.threads == 1 && r.status == 0, "whole, one thread, status 0");
    OK(r.mark_ns < 100, "a mark costs %.1f ns, under 100", r.mark_ns);
    OK(record("threads", NULL, none, &r, &err) == 0, "records threads: %s", err.msg);
    s = look(&err);
    OK(s.rc == 0 && s.threads == 4 && s.begins == 4000 && s.ends == 4000, "four threads, 1000 tasks each");
    OK(record("signals", NULL, none, &r, &err) == 0, "records with signal handlers: %s", err.msg);
    s = look(&err);
    OK(s.rc == 0 && s.begins == s.ends && s.begins > 200000, "no mark is lost or torn by a handler: %llu, %s",
       (unsigned long long)s.begins, s.rc < 0 ? err.msg : "");
    OK(record("names", NULL, none, &r, &err) == 0, "records names made at run time: %s", err.msg);
    s = look(&err);
    OK(s.rc == 0 && s.begins == 5000 && s.names == 10, "ten names, 5000 tasks");
    OK(record("fork", NULL, none, &r, &err) == 0, "records a program that forks: %s", err.msg);
    s = look(&err);
    OK(s.rc == 0 && s.begins == 1 && s.forked == 0, "the child's marks are not in the trace");
    OK(record("off", NULL, none, &r, &err) == 0, "records on and off: %s", err.msg);
    s = look(&err);
    OK_U64(s.begins, 11 + 10 + 9 + 9, "marks while off are left out, pairs stay whole");
    OK_U64(s.ends, s.begins, "and balanced");
}

static void test_faults(void)
{
    struct cc_err err;
    struct cc_native_result r;
    struct cc_native_options none = {0};
    OK(record("kill", "50000", none, &r, &err) == 0 && r.status == 128 + SIGKILL,
       "a killed program leaves a profile");
    struct seen s = look(&err);
    OK(s.rc == 0 && s.incomplete && s.begins == 50001 && s.ends == 50001,
       "with every mark, said to be incomplete");
    OK(record("crash", "10", none, &r, &err) == 0 && r.status == 128 + SIGABRT, "so does one that aborts");
    OK(record("status", NULL, none, &r, &err) == 0 && r.status == 7, "the program's own status comes back");
    char *absent[] = {(char *)"/no/such/program", NULL};
    struct cc_native_options o = {.output = out};
    OK(cc_native_record(&o, absent, &r, &err) == -CC_ENOT_FOUND, "absent program: %s", err.msg);
    char *unmarked[] = {(char *)"true", NULL};
    err = (struct cc_err){0};
    OK(cc_native_record(&o, unmarked, &r, &err) == -CC_EENGINE && strstr(err.hint, "CORECAST_NATIVE"),
       "a program without the library: %s", err.msg);
    unsigned many = 100000;
    OK(record("loop", NULL, (struct cc_native_options){.corun = &many, .ncorun = 1}, &r, &err) == -CC_EUSAGE,
       "more copies than sense: %s", err.msg);
}

static void test_corun(void)
{
    struct cc_err err;
    struct cc_native_result r;
    unsigned two = 2;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        SKIP("one CPU only");
        return;
    }
    /* Copies made by fork look through all memory first: a sanitizer's shadow would take a minute. */
    struct cc_native_options o = {.corun = &two, .ncorun = 1, .repeat = 2};
    if (tap_percent() < 100)
        o.copies = CC_NATIVE_SEPARATE;
    OK(record("loop", "20000", o, &r, &err) == 0, "co-run of two: %s", err.msg);
    struct cc_store *st;
    struct cc_tasks *t;
    if (cc_store_open(out, &st, &err) < 0 || cc_tasks_open(st, &t, &err) < 0) {
        OK(false, "profile of the co-run opens: %s", err.msg);
        return;
    }
    bool it = false, rest = false;
    for (size_t i = 0; i < t->nburdens; i++) {
        const struct cc_tasks_burden *b = &t->burdens[i];
        it |= strcmp(t->names[b->name], "it") == 0 && b->busy == 2 && b->factor > 0;
        rest |= strcmp(t->names[b->name], CC_TASKS_REST) == 0;
    }
    OK(it && rest, "burdens of the task and of the whole are stored");
    bool same = t->ncopies == t->nburdens + 1, rounds = false;
    for (size_t i = 0, k = 0; same && i < t->ncopies; i++) {
        const struct cc_tasks_copies *c = &t->copies[i];
        if (c->busy == 1) {
            rounds = c->n == 4 && c->factors[0] <= 1; /* 1 and 2 copies, 2 rounds */
            continue;
        }
        same = c->name == t->burdens[k].name && c->busy == t->burdens[k].busy &&
               c->n == 4 && /* 2 copies, 2 rounds */
               c->factors[0] <= t->burdens[k].factor && t->burdens[k].factor <= c->factors[c->n - 1];
        k++;
    }
    OK(rounds, "and how far rounds lie apart");
    OK(same, "and what every copy took, the burden among them");
    cc_tasks_free(t);
    cc_store_free(st);
}

/* --- damaged traces --- */

static const char *const trace = "native-test.trace";

static void write_bytes(const unsigned char *data, size_t n)
{
    FILE *f = fopen(trace, "wb");
    if (f) {
        fwrite(data, 1, n, f);
        fclose(f);
    }
}

/* Reads everything; returns false if it was refused. */
static bool drain(uint64_t *events)
{
    struct cc_native_trace *t;
    struct cc_err err = {0};
    *events = 0;
    if (cc_native_trace_open(trace, &t, &err) < 0)
        return false;
    for (size_t th = 0; th < t->nthreads; th++) {
        struct cc_native_cursor *c = cc_native_cursor_new(t, th);
        struct cc_native_event ev;
        double last = 0;
        while (cc_native_next(c, &ev)) {
            if (ev.ns < last || ev.site >= t->nsites || !t->sites[ev.site].name)
                *events += 1u << 30;
            last = ev.ns;
            ++*events;
        }
        cc_native_cursor_free(c);
    }
    struct cc_native_times times;
    cc_native_times_of(t, &times);
    cc_native_times_fini(&times);
    cc_native_trace_free(t);
    return true;
}

/* One thread, two sites "a", pairs 10 us long every 20 us, ticks of 1 ns, marks that cost 100 ns each. */
static size_t by_hand(unsigned char *data, unsigned pairs)
{
    memset(data, 0, (size_t)3 * CC_NT_BLOCK);
    struct cc_nt_header h = {.order = 0x01020304,
                             .clock = CC_NT_MONOTONIC,
                             .complete = 1,
                             .hz = 1e9,
                             .mark_ticks = 100,
                             .start = 1000,
                             .blocks = 3};
    memcpy(h.magic, CC_NT_MAGIC, 8);
    h.end = h.start + (uint64_t)pairs * 20000;
    memcpy(data, &h, sizeof h);
    struct cc_nt_piece sites = {.type = CC_NT_SITES, .blocks = 1};
    unsigned char *at = data + CC_NT_BLOCK;
    memcpy(at, &sites, sizeof sites);
    at += sizeof sites;
    for (uint32_t id = 1; id <= 2; id++) {
        struct cc_nt_site s = {.length = 32,
                               .id = id,
                               .kind = CC_NT_TASK_BEGIN + id - 1,
                               .line = 5,
                               .name_length = 1,
                               .file_length = 3};
        memcpy(at, &s, sizeof s);
        memcpy(at + sizeof s, "ax.c", 4);
        at += 32;
    }
    struct cc_nt_piece events = {.type = CC_NT_EVENTS, .blocks = 1, .begun = h.start, .ready = h.start + 500};
    at = data + 2 * CC_NT_BLOCK;
    memcpy(at, &events, sizeof events);
    at += sizeof events;
    for (unsigned i = 0; i < pairs; i++)
        for (uint64_t k = 0; k < 2; k++, at += 8) {
            uint64_t e = ((uint64_t)i * 20000 + 5000 + k * 10000 + 1) << 16 | (k + 1);
            memcpy(at, &e, sizeof e);
        }
    return (size_t)3 * CC_NT_BLOCK;
}

static void test_reader(void)
{
    static unsigned char good[3 * CC_NT_BLOCK], mutant[3 * CC_NT_BLOCK];
    size_t n = by_hand(good, 1000);
    write_bytes(good, n);
    struct cc_native_trace *t;
    struct cc_err err = {0};
    OK(cc_native_trace_open(trace, &t, &err) == 0, "a trace made by hand opens: %s", err.msg);
    struct cc_native_cursor *c = cc_native_cursor_new(t, 0);
    struct cc_native_event ev;
    cc_native_next(c, &ev);
    OK_NEAR(ev.ns, 5000 - 500, 1e-6, "setting the window up is not the program's time");
    cc_native_next(c, &ev);
    OK_NEAR(ev.ns, 15000 - 500 - 100, 1e-6, "nor is the mark before");
    cc_native_cursor_free(c);
    OK_NEAR(t->end_ns, 1000 * 20000.0 - 500 - 2000 * 100.0, 1e-3, "the run is shorter by every mark");
    struct cc_native_times times;
    cc_native_times_of(t, &times);
    OK(times.n == 1 && strcmp(times.v[0].name, "a") == 0, "one name");
    OK_NEAR(times.v[0].ns, 1000 * (10000.0 - 100), 1e-3, "self time of the task, compensated");
    cc_native_times_fini(&times);
    cc_native_trace_free(t);

    uint64_t seed = 1, events, odd = 0;
    unsigned accepted = 0;
    int rounds = tap_rounds(1500);
    for (int round = 0; round < rounds; round++) {
        memcpy(mutant, good, n);
        for (int k = 0; k <= round % 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            /* mostly the headers, where a byte matters most */
            size_t where = (size_t)(seed >> 33) % (k % 2 ? n : 200) +
                           (k % 3 == 1 ? 0 : (round % 3) * (size_t)CC_NT_BLOCK);
            mutant[where % n] = (unsigned char)(seed >> 24);
        }
        size_t cut = round % 7 ? n : (size_t)(seed >> 40) % n;
        write_bytes(mutant, cut);
        if (drain(&events)) {
            accepted++;
            odd += events >= 1u << 30;
        }
    }
    OK(odd == 0, "%d damaged traces: no event without a site, no time that goes back (%u still readable)",
       rounds, accepted);
    OK(accepted > (unsigned)rounds / 30 && accepted < (unsigned)rounds, "some are refused, some salvaged");
    unlink(trace);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--child") == 0)
        return child(argv[2], argc > 3 ? argv[3] : NULL);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    test_reader();
    test_records();
    test_faults();
    test_corun();
    unlink(out);
    return TAP_DONE();
}
