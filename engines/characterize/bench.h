/* What the benchmarks share: a clock, robust sampling, and the lines `corecast characterize --import` reads.
 *
 * Each .c file here compiles alone, for this machine or a board:  gcc -O2 -fopenmp openmp.c -o openmp -lm
 * Output, one fact a line, fields separated by blanks; unknown lines are an error:
 *     corecast-bench 1 NAME                                        first line
 *     # …                                                          a remark, kept at the end of the platform
 * file text SECTION KEY VALUE…                                      as it is to stand in the platform file
 *     value SECTION KEY VALUE SPREAD SAMPLES stable|unstable       ns, MHz, bytes, bytes per second
 *     point SECTION KEY K VALUE SPREAD SAMPLES stable|unstable     one point of a curve over K cores
 *     grid WIDTH HEIGHT NS                                         copy of HEIGHT lines of WIDTH bytes
 *     end                                                          last line: the run was whole
 *
 * -DBENCH_SYSTEM_CLOCK reads the system's clock and no counter of the CPU: on a simulated machine
 * (corecast simulate) only that tells simulated time.
 *
 * Sampling: disturbances (other processes, interrupts, a host that takes the CPU away) only ever add time,
 * and last for milliseconds. So a sample is the least of all measurements within a window of some
 * milliseconds: longer than a time slice of the scheduler. Samples are repeated until half the distance
 * between their quartiles is within TOLERANCE of the median, or time is up: then the figure is marked
 * unstable.
 * Where threads meet at a line or a lock, who comes when is different each time; that is no disturbance but
 * what it costs, and the least is the luck of one (of critical sections and tasks two to three times too
 * low). Such samples are the middle of a window: a disturbance takes long, so among the many that fit into a
 * window disturbed ones are few.
 */
#ifndef CC_ENGINES_CHARACTERIZE_BENCH_H
#define CC_ENGINES_CHARACTERIZE_BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BENCH_MIN_SAMPLES = 9, BENCH_MAX_SAMPLES = 61 };
#define BENCH_TOLERANCE 0.05

/* The first argument of the program scales both. */
static double bench_seconds_each = 0.8; /* longest time for one figure */
static double bench_window = 8e6;       /* ns of one sample */

static inline uint64_t bench_ticks(void)
{
#if defined(__aarch64__) && !defined(BENCH_SYSTEM_CLOCK)
    uint64_t t;
    __asm__ __volatile__("isb; mrs %0, cntvct_el0" : "=r"(t) : : "memory");
    return t;
#elif defined(__x86_64__) && !defined(BENCH_SYSTEM_CLOCK)
    unsigned aux;
    uint64_t t = __builtin_ia32_rdtscp(&aux);
    __asm__ __volatile__("lfence" : : : "memory");
    return t;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

static inline double bench_now(void) /* ns */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns per tick of bench_ticks, against the system clock. */
static inline double bench_tick_ns(void)
{
#if defined(BENCH_SYSTEM_CLOCK)
    static double ns = 1;
#else
    static double ns;
#endif
    if (ns == 0) {
        double from = bench_now(), now;
        uint64_t first = bench_ticks();
        do
            now = bench_now();
        while (now - from < 2e7);
        ns = (now - from) / (double)(bench_ticks() - first);
    }
    return ns;
}

/* Makes v look used and changed: what computes it is neither merged nor dropped. */
#define BENCH_KEEP(v) __asm__ __volatile__("" : "+r"(v))
#if defined(__aarch64__)
#define BENCH_IN_FLOAT "+w"
#elif defined(__x86_64__)
#define BENCH_IN_FLOAT "+x"
#elif defined(__riscv)
#define BENCH_IN_FLOAT "+f"
#else
#define BENCH_IN_FLOAT "+m"
#endif
#define BENCH_KEEP_FLOAT(v) __asm__ __volatile__("" : BENCH_IN_FLOAT(v))
#define BENCH_TIMES8(x) x x x x x x x x

/* ns of a clock cycle: a chain of additions, one a cycle on everything that has been built for decades. */
static inline double bench_cycle_ns(void *unused)
{
    enum { ROUNDS = 1000 };
    unsigned long sum = 0, one = 1;
    (void)unused;
    BENCH_KEEP(one);
    uint64_t t0 = bench_ticks();
    for (int i = 0; i < ROUNDS; i++) {
        BENCH_TIMES8(BENCH_TIMES8(sum += one; BENCH_KEEP(sum);))
    }
    return (double)(bench_ticks() - t0) * bench_tick_ns() / (64 * ROUNDS);
}

static int bench_by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct bench_figure {
    double median, spread; /* spread: half the distance between the quartiles */
    int samples;
    int stable;
};

/* Turns n samples into a figure; sorts them. `floor`: a spread below this counts as stable (ns near zero). */
static inline struct bench_figure bench_summary(double *v, int n, double floor)
{
    struct bench_figure f = {0, 0, n, 0};
    if (n == 0)
        return f;
    qsort(v, (size_t)n, sizeof *v, bench_by_size);
    f.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    f.spread = (v[(3 * n) / 4] - v[n / 4]) / 2;
    f.stable = f.spread <= BENCH_TOLERANCE * fabs(f.median) || f.spread <= floor;
    return f;
}

/* One sample: the least or the middle of what is measured within a window. */
static inline double bench_window_of(double (*measure)(void *), void *arg, int middle)
{
    enum { MOST = 2048 };
    static double v[MOST];
    double least = INFINITY, from = bench_now();
    size_t n = 0;
    do {
        double t = measure(arg);
        least = t < least ? t : least;
        v[n++ % MOST] = t;
    } while (bench_now() - from < bench_window);
    if (!middle)
        return least;
    n = n < MOST ? n : MOST;
    qsort(v, n, sizeof *v, bench_by_size);
    return v[n / 2];
}

static inline struct bench_figure bench_samples(double (*measure)(void *), void *arg, double floor,
                                                int middle)
{
    double v[BENCH_MAX_SAMPLES], sorted[BENCH_MAX_SAMPLES];
    struct bench_figure f = {0, 0, 0, 0};
    double start = bench_now();
    measure(arg); /* caches, threads */
    for (int n = 0; n < BENCH_MAX_SAMPLES;) {
        v[n++] = bench_window_of(measure, arg, middle);
        memcpy(sorted, v, sizeof *v * (size_t)n);
        f = bench_summary(sorted, n, floor);
        if (n >= BENCH_MIN_SAMPLES && f.stable)
            break;
        if (n >= 3 && bench_now() - start > bench_seconds_each * 1e9)
            break;
    }
    f.stable = f.stable && f.samples >= BENCH_MIN_SAMPLES;
    return f;
}

/* Samples `measure`, which gives a time: smaller is truer. */
static inline struct bench_figure bench_sample(double (*measure)(void *), void *arg, double floor)
{
    return bench_samples(measure, arg, floor, 0);
}

/* The same where threads meet: the middle is what it costs. */
static inline struct bench_figure bench_sample_meeting(double (*measure)(void *), void *arg, double floor)
{
    return bench_samples(measure, arg, floor, 1);
}

/* A rate from the time of `amount`. */
static inline struct bench_figure bench_rate(struct bench_figure f, double amount)
{
    double time = f.median;
    f.median = amount / time;
    f.spread = f.median * f.spread / time;
    return f;
}

/* The same in another unit. */
static inline struct bench_figure bench_scale(struct bench_figure f, double factor)
{
    f.median *= factor;
    f.spread *= factor;
    return f;
}

/* A difference that others' load has made less than nothing is nothing that was found. */
static inline struct bench_figure bench_from_zero(struct bench_figure f)
{
    if (f.median < 0)
        f = (struct bench_figure){.samples = f.samples, .spread = -f.median};
    return f;
}

static inline void bench_print(const char *section, const char *key, struct bench_figure f)
{
    f = bench_from_zero(f);
    printf("value %s %s %.6g %.3g %d %s\n", section, key, f.median, f.spread, f.samples,
           f.stable ? "stable" : "unstable");
    fflush(stdout);
}

static inline void bench_point(const char *section, const char *key, int k, struct bench_figure f)
{
    f = bench_from_zero(f);
    printf("point %s %s %d %.6g %.3g %d %s\n", section, key, k, f.median, f.spread, f.samples,
           f.stable ? "stable" : "unstable");
    fflush(stdout);
}

/* What can be seen once only: its spread is taken for a `part` of it. */
static inline void bench_print_once(const char *section, const char *key, double value, double part)
{
    bench_print(section, key, (struct bench_figure){value, value / part, 1, 1});
}

/* The CPUs this process may use. */
static inline int bench_cpus(int *out, int max)
{
    cpu_set_t set;
    int n = 0;
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        return 0;
    for (int c = 0; c < CPU_SETSIZE && n < max; c++)
        if (CPU_ISSET((size_t)c, &set))
            out[n++] = c;
    return n;
}

static inline int bench_pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

static inline void bench_begin(const char *name, int argc, char **argv)
{
    double scale = argc > 1 ? strtod(argv[1], NULL) : 1;
    if (argc > 2 || !(scale > 0 && scale < 1000)) {
        fprintf(stderr, "usage: %s [TIME-SCALE]   (1: normal, 0.1: quick and rough)\n", argv[0]);
        exit(2);
    }
    bench_seconds_each *= scale;
    bench_window *= scale;
    printf("corecast-bench 1 %s\n", name);
}

#endif
