/* What the OpenMP runtime costs, in ns. See bench.h for how it is sampled and printed.
 *
 * All times are read from one clock that is the same on every core, inside and around the construct:
 *
 *   region:   t0 | par_open, thr_launch per worker | first statement of the master … last | join, par_close |
 * t1 a worker's first statement comes thr_prologue after its launch. loop:     before | for_prologue | first
 * iteration … last iteration | for_epilogue | after (nowait)
 *
 * Threads are pooled by the runtime (gcc's libgomp, clang's libomp): in the steady state nothing is created.
 * What each thread costs the master is thr_create if all start together when all are ready, thr_launch if
 * each starts at once. What the very first region of a process costs more is printed as a comment.
 */
#include "crowd_tasks.h"

#include <sys/wait.h>

enum { MAX_THREADS = 1024, BATCH = 40 };

struct stamp { /* one cache line each: threads must not disturb each other */
    uint64_t first, last, aux;
    char pad[128 - 24];
};
static struct stamp stamps[MAX_THREADS] __attribute__((aligned(128)));
static volatile int sink;

static double ns(uint64_t ticks)
{
    return (double)ticks * bench_tick_ns();
}

/* --- parallel region --- */

enum region_part { OPEN, FIRST, START, CLOSE, WHOLE };

static double region_once(enum region_part part)
{
    uint64_t t0 = bench_ticks();
#pragma omp parallel num_threads(threads)
    {
        struct stamp *s = &stamps[omp_get_thread_num()];
        s->first = bench_ticks();
        s->last = bench_ticks();
    }
    uint64_t t1 = bench_ticks(), last_start = 0, last_end = 0, first_start = UINT64_MAX;
    for (int i = 0; i < threads; i++) {
        first_start = i && stamps[i].first < first_start ? stamps[i].first : first_start;
        last_start = stamps[i].first > last_start ? stamps[i].first : last_start;
        last_end = stamps[i].last > last_end ? stamps[i].last : last_end;
    }
    switch (part) {
    case OPEN:
        return ns(stamps[0].first - t0);
    case FIRST:
        return ns(first_start - t0);
    case START:
        return ns(last_start - t0);
    case CLOSE:
        return ns(t1 - last_end);
    default:
        return ns(t1 - t0);
    }
}

/* The middle one: threads that meet at a line or a lock do so in a different order each time, which is no
 * disturbance but what regions cost. */
static double middle(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, bench_by_size);
    return v[n / 2];
}

static double region_part(void *part)
{
    double v[BATCH];
    for (int i = 0; i < BATCH; i++)
        v[i] = region_once(*(enum region_part *)part);
    return middle(v, BATCH);
}

static double clock_cost(void *unused)
{
    (void)unused;
    double least = 1e18;
    for (int b = 0; b < BATCH; b++) {
        uint64_t t0 = bench_ticks();
        for (int i = 0; i < 100; i++)
            sink = (int)bench_ticks();
        double t = ns(bench_ticks() - t0) / 101;
        least = t < least ? t : least;
    }
    return least;
}

static struct bench_figure measure_region(enum region_part part, int n)
{
    threads = n;
    return bench_samples(region_part, &part, 10, n > 1);
}

static struct bench_figure minus(struct bench_figure a, struct bench_figure b, double divide)
{
    struct bench_figure f = a;
    f.median = (a.median - b.median) / divide;
    f.median = f.median > 0 ? f.median : 0;
    f.spread = sqrt(a.spread * a.spread + b.spread * b.spread) / divide;
    f.samples = a.samples < b.samples ? a.samples : b.samples;
    f.stable = a.stable && b.stable;
    return f;
}

static void zero(const char *section, const char *key)
{
    printf("value %s %s 0 0 1 stable\n", section, key);
}

/* How far single regions of all threads lie apart: what is sampled elsewhere are middles of many. */
static double region_jitter(int n)
{
    enum { REGIONS = 1000 };
    static double v[REGIONS];
    threads = n;
    for (int i = 0; i < REGIONS; i++)
        v[i] = region_once(WHOLE);
    return bench_summary(v, REGIONS, 0).spread;
}

/* A region of one thread is a case of its own in runtimes: what regions cost is told by two and by n threads,
 * what one thread takes more by itself. Between two readings of the clock lies one reading. */
static void regions(int n, struct bench_figure clock)
{
    int few = n > 1 ? 2 : 1;
    struct bench_figure alone = measure_region(WHOLE, 1), open2 = measure_region(OPEN, few),
                        close2 = measure_region(CLOSE, few);
    struct bench_figure open = measure_region(OPEN, n), start = measure_region(START, n),
                        close = measure_region(CLOSE, n);
    struct bench_figure launch = minus(open, open2, n > 2 ? n - 2 : 1),
                        release = minus(close, close2, n > 2 ? n - 2 : 1);
    struct bench_figure par_open = minus(minus(open2, launch, 1), clock, 1),
                        par_close = minus(minus(close2, release, 1), clock, 1);
    struct bench_figure both = {par_open.median + par_close.median + 3 * clock.median, 0, par_open.samples,
                                1};
    bench_print("openmp.parallel", "par_open", par_open);
    par_close.spread = hypot(par_close.spread, region_jitter(n));
    bench_print("openmp.parallel", "par_close", par_close);
    bench_print("openmp.parallel", "par_alone", minus(alone, both, 1));
    zero("openmp.parallel", "thr_create_gap");
    zero("openmp.parallel", "thr_launch_gap");
    zero("openmp.parallel", "thr_launch_master");
    zero("openmp.parallel", "thr_epilogue");
    zero("openmp.parallel", "thr_free_master");
    if (n == 1) {
        zero("openmp.parallel", "thr_create");
        zero("openmp.parallel", "thr_launch");
        zero("openmp.parallel", "thr_prologue");
        zero("openmp.parallel", "thr_free");
        return;
    }
    /* a runtime that makes all ready and then lets all go: nobody starts before the last is ready */
    struct bench_figure first = measure_region(FIRST, n);
    int together = first.median > (open2.median + open.median) / 2;
    zero("openmp.parallel", together ? "thr_launch" : "thr_create");
    bench_print("openmp.parallel", together ? "thr_create" : "thr_launch", launch);
    bench_print("openmp.parallel", "thr_prologue", minus(start, open, 1));
    bench_print("openmp.parallel", "thr_free", release);
}

/* --- work-shared loops --- */

enum loop_part { BEFORE, AFTER, NEXT };
struct loop {
    int kind; /* omp_sched_t */
    int chunk, iterations;
    enum loop_part part;
};

/* Each schedule is written out: gcc compiles the static ones inline, without a call of the runtime. */
#define LOOP(clause)                                         \
    _Pragma("omp parallel num_threads(threads)")             \
    {                                                        \
        struct stamp *s = &stamps[omp_get_thread_num()];     \
        uint64_t first = 0, last = 0, before;                \
        _Pragma("omp barrier") before = bench_ticks();       \
        _Pragma(clause) for (int i = 0; i < iterations; i++) \
        {                                                    \
            last = bench_ticks();                            \
            first = first ? first : last;                    \
        }                                                    \
        uint64_t after = bench_ticks();                      \
        s->first = first ? first - before : 0;               \
        s->last = last ? after - last : 0;                   \
        s->aux = after - before;                             \
    }

static void loop_once(const struct loop *l)
{
    int iterations = l->iterations;
    if (l->kind == omp_sched_static && l->chunk == 0) {
        LOOP("omp for schedule(static) nowait")
    } else if (l->kind == omp_sched_static) {
        LOOP("omp for schedule(static, 1) nowait")
    } else if (l->kind == omp_sched_dynamic) {
        LOOP("omp for schedule(dynamic, 1) nowait")
    } else {
        LOOP("omp for schedule(guided, 1) nowait")
    }
}

static double loop_part(void *arg)
{
    const struct loop *l = arg;
    double least = 1e18;
    for (int b = 0; b < BATCH; b++) {
        loop_once(l);
        for (int i = 0; i < threads; i++) {
            if (!stamps[i].first)
                continue;
            double t = ns(l->part == BEFORE  ? stamps[i].first
                          : l->part == AFTER ? stamps[i].last
                                             : stamps[i].aux);
            least = t < least ? t : least;
        }
    }
    return l->part == NEXT ? least / l->iterations : least;
}

static double serial_loop(void *arg)
{
    const struct loop *l = arg;
    double least = 1e18;
    for (int b = 0; b < BATCH; b++) {
        uint64_t before = bench_ticks(), last = 0;
        for (int i = 0; i < l->iterations; i++)
            last = bench_ticks();
        sink = (int)last;
        double t = ns(bench_ticks() - before);
        least = t < least ? t : least;
    }
    return least / l->iterations;
}

/* Empty iterations, all threads at once: what the fetches cannot do side by side is what is left. */
static double contended_fetch(void *arg)
{
    const struct loop *l = arg;
    double least = 1e18;
    for (int b = 0; b < 5; b++) {
        uint64_t t0 = bench_ticks();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (int i = 0; i < l->iterations; i++)
            __asm__ __volatile__("" : : "r"(i));
        double t = ns(bench_ticks() - t0);
        least = t < least ? t : least;
    }
    return least / l->iterations;
}

static void loops(const char *section, int kind, int n, struct bench_figure clock)
{
    threads = n;
    struct loop l = {.kind = kind, .chunk = kind == omp_sched_static ? 0 : 1, .iterations = n * 4};
    l.part = BEFORE;
    bench_print(section, "for_prologue", minus(bench_sample(loop_part, &l, 25), clock, 1));
    l.part = AFTER;
    bench_print(section, "for_epilogue", minus(bench_sample(loop_part, &l, 25), clock, 1));
    if (kind == omp_sched_guided)
        return; /* its fetch is the dynamic one's plus a division: left to be taken from there */
    /* One thread, many iterations: what each costs more than in a serial loop. */
    threads = 1;
    l = (struct loop){.kind = kind, .chunk = 0, .iterations = 2000, .part = NEXT};
    struct bench_figure serial = bench_sample(serial_loop, &l, 1);
    if (kind == omp_sched_static) {
        bench_print(section, "for_gap", minus(bench_sample(loop_part, &l, 1), serial, 1));
        l.chunk = 1;
        bench_print(section, "for_next_chunk", minus(bench_sample(loop_part, &l, 1), serial, 1));
        zero(section, "for_next_chunk_serial");
        return;
    }
    zero(section, "for_gap");
    struct bench_figure fetch = minus(bench_sample(loop_part, &l, 1), serial, 1);
    threads = n;
    l.iterations = 20000;
    struct bench_figure contended = bench_sample_meeting(contended_fetch, &l, 1);
    if (n > 1 && contended.median > fetch.median) /* the counter's cache line moves between the cores */
        fetch = contended;
    bench_print(section, "for_next_chunk", fetch);
    if (n > 1)
        bench_print(section, "for_next_chunk_serial", contended);
    else
        zero(section, "for_next_chunk_serial");
}

/* --- synchronisation --- */

static double barrier_loop(void *unused)
{
    double least = 1e18;
    for (int b = 0; b < 10; b++) {
        double t = crowd_barrier(unused);
        least = t < least ? t : least;
    }
    return least;
}

static volatile int shared_count;

static double critical_loop(void *unused)
{
    (void)unused;
    enum { N = 200 };
    double least = 1e18;
    for (int b = 0; b < 10; b++) {
        uint64_t t0 = bench_ticks();
#pragma omp parallel num_threads(threads)
        for (int i = 0; i < N; i++) {
#pragma omp critical
            shared_count++;
        }
        double t = ns(bench_ticks() - t0) / ((double)N * threads);
        least = t < least ? t : least;
    }
    return least;
}

static double reduce(void *with)
{
    double v[BATCH];
    for (int b = 0; b < BATCH; b++) {
        int sum = 0;
        uint64_t t0 = bench_ticks();
        if (*(int *)with) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
            sum += omp_get_thread_num();
        } else {
#pragma omp parallel num_threads(threads)
            stamps[omp_get_thread_num()].aux = 1;
        }
        v[b] = ns(bench_ticks() - t0);
        sink = sum;
    }
    return middle(v, BATCH);
}

static void synchronisation(int n)
{
    threads = 1;
    struct bench_figure alone = bench_sample(barrier_loop, NULL, 2);
    threads = 2;
    struct bench_figure two = n > 1 ? bench_sample(barrier_loop, NULL, 2) : alone;
    threads = n;
    struct bench_figure all = n > 2 ? bench_sample(barrier_loop, NULL, 2) : two;
    /* barrier_ovh + barrier_thread * (k - 1), through 2 and n threads */
    struct bench_figure each = n > 2 ? minus(all, two, n - 2) : minus(two, two, 1);
    struct bench_figure base = two;
    base.median = n > 1 ? two.median - each.median : alone.median;
    bench_print("openmp.parallel", "barrier_ovh", base);
    bench_print("openmp.parallel", "barrier_thread", each);
    bench_print("openmp.parallel", "critical_ovh", bench_sample(critical_loop, NULL, 2));
    int with = 1, without = 0;
    struct bench_figure r = bench_sample(reduce, &with, 10), p = bench_sample(reduce, &without, 10);
    bench_print("openmp.parallel", "reduction_ovh", minus(r, p, n));
}

/* --- explicit tasks --- */

/* One thread makes tasks while nobody takes them, then all are taken. */
static double tasks(void *create)
{
    enum { N = 50 }; /* more than that for a thread, and a runtime may run them at once */
    double least = 1e18;
    for (int b = 0; b < 10; b++) {
        uint64_t t0 = 0, t1 = 0, t2 = 0;
#pragma omp parallel num_threads(1)
        {
            t0 = bench_ticks();
            for (int i = 0; i < N; i++) {
#pragma omp task
                __asm__ __volatile__("" : : : "memory");
            }
            t1 = bench_ticks();
#pragma omp taskwait
            t2 = bench_ticks();
        }
        double t = ns(*(int *)create ? t1 - t0 : t2 - t1) / N;
        least = t < least ? t : least;
    }
    return least;
}

/* One thread makes tasks that are worth one while the others take them: what making one takes then. */
static double tasks_taken(void *unused)
{
    (void)unused;
    enum { N = 50, ROUNDS = 3000 };
    double v[5];
    for (int b = 0; b < 5; b++) {
        uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(threads)
        {
#pragma omp master
            {
                t0 = bench_ticks();
                for (int i = 0; i < N; i++) {
#pragma omp task
                    for (volatile int k = 0; k < ROUNDS; k++)
                        ;
                }
                t1 = bench_ticks();
            }
        }
        v[b] = ns(t1 - t0) / N;
    }
    return middle(v, 5);
}

static void explicit_tasks(int n)
{
    int create = 1, take = 0;
    threads = 1;
    struct bench_figure alone = bench_sample(tasks, &create, 2);
    bench_print("openmp.parallel", "task_create", alone);
    bench_print("openmp.parallel", "task_start", bench_sample(tasks, &take, 2));
    threads = n;
    if (n > 1)
        bench_print("openmp.parallel", "task_thread",
                    minus(bench_sample_meeting(tasks_taken, NULL, 5), alone, n - 1));
}

/* Two threads on one CPU would measure the scheduler: bind them, which must be asked for before the program
 * starts. */
static void bind_threads(char **argv)
{
    if (getenv("OMP_PROC_BIND"))
        return;
    setenv("OMP_PROC_BIND", "true", 1);
    execv("/proc/self/exe", argv); /* where it fails, unbound figures are better than none */
}

/* --- first regions and turns --- */

/* What the first of a process costs more than later ones. */
struct first {
    struct crowd_early regions;
    double turn;
};

/* A team of several threads is kept: only one of one is made anew. */
static void print_first(int n, struct first f)
{
    bench_point("openmp", "region_first", n,
                (struct bench_figure){f.regions.first, f.regions.first / 4, 1, 1});
    if (n == 1 && f.regions.times > 0) {
        bench_print_once("openmp", "region_fresh", f.regions.fresh, 4);
        printf("value openmp region_fresh_times %d 0 1 stable\n", f.regions.times);
    }
    bench_point("openmp", "ordered_first", n, (struct bench_figure){f.turn, f.turn / 4, 1, 1});
}

#ifndef BENCH_SYSTEM_CLOCK
/* What another process of so many threads says; regions.first < 0: nothing. */
static struct first first_elsewhere(int n)
{
    int ends[2];
    struct first f = {{-1, 0, 0}, -1};
    char text[512] = "", number[16];
    snprintf(number, sizeof number, "%d", n);
    if (pipe(ends) < 0)
        return f;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        setenv("OMP_NUM_THREADS", number, 1);
        execl("/proc/self/exe", "openmp", "first", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    size_t all = 0;
    for (ssize_t got; child > 0 && (got = read(ends[0], text + all, sizeof text - 1 - all)) > 0;)
        all += (size_t)got;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    const char *turn = strstr(text, "point openmp ordered_first"),
               *fresh = strstr(text, "value openmp region_fresh "),
               *times = strstr(text, "value openmp region_fresh_times");
    if (!turn || sscanf(text, "point openmp region_first %*d %lf", &f.regions.first) != 1 ||
        sscanf(turn, "point openmp ordered_first %*d %lf", &f.turn) != 1)
        f.regions.first = -1;
    if (fresh && times)
        (void)(sscanf(fresh, "value openmp region_fresh %lf", &f.regions.fresh) == 1 &&
               sscanf(times, "value openmp region_fresh_times %d", &f.regions.times) == 1);
    return f;
}

static struct first first_least(int n)
{
    enum { TIMES = 5 };
    struct first least = first_elsewhere(n);
    for (int i = 1; i < TIMES && least.regions.first >= 0; i++) {
        struct first f = first_elsewhere(n);
        if (f.regions.first < 0)
            continue;
        double first = fmin(least.regions.first, f.regions.first);
        if (f.regions.fresh * f.regions.times < least.regions.fresh * least.regions.times)
            least.regions = f.regions;
        least.regions.first = first;
        least.turn = fmin(least.turn, f.turn);
    }
    return least;
}
/* There is a first time once only in a process: those of fewer threads are other processes'. */
static void first_times(int n, struct first own)
{
    for (int k = 1; k <= n; k = k < n && 2 * k > n ? n : 2 * k) {
        struct first f = first_least(k);
        if (f.regions.first >= 0 || k == n)
            print_first(k, f.regions.first >= 0 ? f : own);
    }
}
#else
static void
first_times(int n, struct first own) /* a simulated machine runs one process: who runs it asks for each n */
{
    (void)n, (void)own;
}
#endif

int main(int argc, char **argv)
{
    bind_threads(argv);
    int n = omp_get_max_threads();
    n = n > MAX_THREADS ? MAX_THREADS : n;
    threads = n;
    bench_tick_ns();
    double made = crowd_region_once();
    struct first first = {.regions = crowd_early_regions()};
    if (argc == 2 && strcmp(argv[1], "first") == 0) { /* nothing else, for first_elsewhere() */
        first.turn = crowd_first_turns();
        print_first(n, first);
        return 0;
    }
    struct crowd_first first_tasks =
        crowd_first(n); /* threads have no memory of their own yet: turns take some */
    first.turn = crowd_first_turns();
    bench_begin("openmp", argc, argv);
    printf("text openmp unit ns\n");
    printf("# first region of the process: %.0f ns for %d threads\n", made, n);
    struct bench_figure clock = bench_sample(clock_cost, NULL, 1);
    printf("# reading the clock: %.1f ns\n", clock.median);
    regions(n, clock);
    loops("openmp.static", omp_sched_static, n, clock);
    loops("openmp.dynamic", omp_sched_dynamic, n, clock);
    loops("openmp.guided", omp_sched_guided, n, clock);
    synchronisation(n);
    explicit_tasks(n);
    first_times(n, first);
    crowd_print_first(first_tasks);
    crowds(n, clock.median);
    crowd_tasks(n, clock.median);
    printf("end\n");
    return 0;
}
