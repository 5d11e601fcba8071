/* Cores that are not whole: which pairs of CPUs slow each other down (hyper-thread siblings, which virtual
 * machines hide; cores that share a floating-point unit), and how much slower code that stays in its caches
 * gets with k CPUs at work (shared pipelines, lower clocks). See bench.h.
 */
#include "bench.h"
#include <omp.h>

enum { MAX_CORES = 1024, MAX_PAIRS = 4000 };

/* Eight independent chains of multiply-adds on integers and eight on doubles keep every port of a core busy:
 * two threads on one core cannot both have them. */
static __attribute__((noinline)) double kernel(int n)
{
    double f[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t k[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++)
            f[j] = f[j] * 0.999 + 0.001;
        for (int j = 0; j < 8; j++)
            k[j] = k[j] * 6364136223846793005u + (uint64_t)i;
    }
    double sum = 0;
    for (int j = 0; j < 8; j++)
        sum += f[j] + (double)(k[j] & 1);
    return sum;
}

static volatile double sink;
static int rounds = 20000;

struct crew {
    const int *cpus;
    int k;
};

/* Mean time of the kernel over the members, all at work at once; the least of a few tries. */
static double crew_ns(void *arg)
{
    const struct crew *c = arg;
    double least = 1e18;
    for (int b = 0; b < 5; b++) {
        double total = 0;
#pragma omp parallel num_threads(c->k) reduction(+ : total)
        {
            bench_pin(c->cpus[omp_get_thread_num()]);
#pragma omp barrier
            uint64_t t0 = bench_ticks();
            sink = kernel(rounds);
            total += (double)(bench_ticks() - t0);
        }
        double t = total / c->k * bench_tick_ns();
        least = t < least ? t : least;
    }
    return least;
}

static void pairs(const int *cpus, int n, double alone)
{
    double keep = bench_seconds_each;
    int all = n * (n - 1) / 2;
    bench_seconds_each = keep * 10 / (all > 10 ? all : 10);
    int found = 0;
    char list[8192] = "";
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && all <= MAX_PAIRS; j++) {
            int two[2] = {cpus[i], cpus[j]};
            struct crew c = {two, 2};
            struct bench_figure f = bench_sample(crew_ns, &c, 0);
            /* Looked at twice: a busy neighbour must not make a sibling. */
            if (f.median / alone > 1.2)
                f = bench_sample(crew_ns, &c, 0);
            if (f.median / alone > 1.2) {
                size_t used = strlen(list);
                snprintf(list + used, sizeof list - used, "%s%d-%d", found++ ? ", " : "", two[0], two[1]);
                printf("# CPUs %d and %d slow each other down: %.2f times\n", two[0], two[1],
                       f.median / alone);
            }
        }
    if (all > MAX_PAIRS)
        printf("# too many CPUs to try all pairs\n");
    else if (found)
        printf("text contention siblings %s\n", list);
    else
        printf("# no pair of CPUs slows each other down by more than 20 %%\n");
    bench_seconds_each = keep;
}

int main(int argc, char **argv)
{
    static int cpus[MAX_CORES], spread[MAX_CORES];
    bench_begin("cores", argc, argv);
    int n = bench_cpus(cpus, MAX_CORES);
    struct crew one = {cpus, 1};
    bench_sample(crew_ns, &one, 0); /* lets the clock come up */
    struct bench_figure alone = bench_sample(crew_ns, &one, 0);
    pairs(cpus, n, alone.median);
    double base = 0;
    for (int k = 1; k <= n; k = k < 4 ? k + 1 : k < n && 2 * k > n ? n : 2 * k) {
        for (int i = 0; i < k; i++)
            spread[i] = cpus[(size_t)i * (size_t)n / (size_t)k];
        struct crew c = {spread, k};
        struct bench_figure f = bench_sample(crew_ns, &c, 0);
        base = k == 1 ? f.median : base;
        bench_point("contention", "compute", k, bench_scale(f, 1 / base));
    }
    printf("end\n");
    return 0;
}
