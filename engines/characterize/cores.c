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

/* The same of each member alone. */
static double alone_ns(void *arg)
{
    const struct crew *c = arg;
    double total = 0;
    for (int i = 0; i < c->k; i++) {
        struct crew one = {&c->cpus[i], 1};
        total += crew_ns(&one);
    }
    return total / c->k;
}

/* How much slower the members are together than each alone, by turns: CPUs differ, and a host changes its
 * mind. Company never makes code in its own caches faster; what looks like it is chance. */
static struct bench_figure company(struct crew c)
{
    enum { WINDOWS = 9 };
    double v[WINDOWS];
    for (int w = 0; w < WINDOWS; w++) {
        double alone = INFINITY, all = INFINITY, from = bench_now();
        do {
            double a = alone_ns(&c), t = crew_ns(&c);
            alone = a < alone ? a : alone;
            all = t < all ? t : all;
        } while (bench_now() - from < bench_window);
        v[w] = c.k > 1 && all > alone ? all / alone : 1;
    }
    return bench_summary(v, WINDOWS, 0);
}

/* --- siblings --- */

enum { LOOKS = 3 };
#define SLOW 1.2 /* and more: they share a core */

/* Both of two CPUs are slowed down, each against itself alone: what other work does to one of them is no
 * sibling. */
static int both_slow(const int two[2], const double alone[2])
{
    double least[2] = {1e18, 1e18};
    for (int b = 0; b < 5; b++) {
        double t[2] = {0, 0};
#pragma omp parallel num_threads(2)
        {
            int me = omp_get_thread_num();
            bench_pin(two[me]);
#pragma omp barrier
            uint64_t t0 = bench_ticks();
            sink = kernel(rounds);
            t[me] = (double)(bench_ticks() - t0) * bench_tick_ns();
        }
        for (int i = 0; i < 2; i++)
            least[i] = t[i] < least[i] ? t[i] : least[i];
    }
    return least[0] > SLOW * alone[0] && least[1] > SLOW * alone[1];
}

static void look_alone(const int *cpus, int n, double *alone)
{
    for (int i = 0; i < n; i++) {
        struct crew c = {&cpus[i], 1};
        double t = crew_ns(&c);
        alone[i] = t < alone[i] ? t : alone[i];
    }
}

static double crew_of(const int *cpus, int k)
{
    struct crew c = {cpus, k};
    return bench_sample(crew_ns, &c, 0).median;
}

/* Siblings are a matching: a CPU has one at most. A pair counts that is slow both ways at every look; a CPU
 * with several such pairs means that a host moves CPUs about, and nothing is told but the factors. */
static void pairs(const int *cpus, int n)
{
    static int partner[MAX_CORES];
    static double alone[MAX_CORES];
    int found = 0, floating = 0, seen = 0;
    for (int i = 0; i < n; i++) {
        partner[i] = -1;
        alone[i] = 1e18;
    }
    for (int look = 0; look < LOOKS; look++)
        look_alone(cpus, n, alone);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int two[2] = {cpus[i], cpus[j]}, looks = 0;
            double own[2] = {alone[i], alone[j]};
            while (looks < LOOKS && both_slow(two, own))
                looks++;
            seen += looks > 0;
            if (looks < LOOKS)
                continue;
            found++;
            floating += partner[i] >= 0 || partner[j] >= 0;
            partner[i] = j;
            partner[j] = i;
        }
    if (floating || (!found && seen > n / 2)) {
        printf("# siblings float: %d pairs of CPUs were slow together at every look, %d at one at least; a "
               "host moves "
               "CPUs about\n",
               found, seen);
        return;
    }
    if (!found) {
        printf("# no pair of CPUs slows each other down by more than 20 %%\n");
        return;
    }
    printf("text contention siblings");
    for (int i = 0, first = 1; i < n; i++)
        if (partner[i] > i) {
            printf("%s%d-%d", first ? " " : ", ", cpus[i], cpus[partner[i]]);
            first = 0;
        }
    printf("\n");
}

/* --- cycles of an instruction --- */

enum { CPI_ROUNDS = 2000, CPI_WIDE = 16, CPI_NARROW = 8 };
static volatile long cells[16];
static void *volatile ring = (void *)&ring;

/* What programs are made of, a quarter of it loads, and nothing waits for anything. */
static double wide_ns(void *unused)
{
    unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, k = 7;
    double x = 1, y = 2, z = 1.0000001;
    (void)unused;
    BENCH_KEEP(k);
    BENCH_KEEP_FLOAT(z);
#define ONE(v)         \
    do {               \
        v += k;        \
        BENCH_KEEP(v); \
    } while (0)
    uint64_t t0 = bench_ticks();
    for (int i = 0; i < CPI_ROUNDS; i++) { /* the loop itself: two of the sixteen */
        ONE(a);
        ONE(b);
        ONE(c);
        ONE(d);
        ONE(e);
        ONE(f);
        ONE(a);
        (void)cells[0];
        (void)cells[3];
        (void)cells[5];
        (void)cells[9];
        cells[12] = (long)k;
        x += z;
        BENCH_KEEP_FLOAT(x);
        y += z;
        BENCH_KEEP_FLOAT(y);
    }
    return (double)(bench_ticks() - t0) * bench_tick_ns() / ((double)CPI_ROUNDS * CPI_WIDE);
}

/* The same in one chain: everything waits for what stands before it. */
static double narrow_ns(void *unused)
{
    uintptr_t v = (uintptr_t)&ring, none = 0;
    (void)unused;
    BENCH_KEEP(none);
    uint64_t t0 = bench_ticks();
    for (int i = 0; i < CPI_ROUNDS; i++) { /* a load and five additions, and the loop's two beside them */
        v = (uintptr_t) * (void *volatile *)v;
        for (int s = 0; s < 5; s++) {
            v += none;
            BENCH_KEEP(v);
        }
    }
    return (double)(bench_ticks() - t0) * bench_tick_ns() / ((double)CPI_ROUNDS * CPI_NARROW);
}

/* Programs lie between: the middle in ratio, and the ends as its spread. */
static void cycles_per_instruction(void)
{
    double cycle = bench_sample(bench_cycle_ns, NULL, 0).median;
    struct bench_figure wide = bench_scale(bench_sample(wide_ns, NULL, 0), 1 / cycle),
                        narrow = bench_scale(bench_sample(narrow_ns, NULL, 0), 1 / cycle);
    struct bench_figure cpi = {sqrt(wide.median * narrow.median), (narrow.median - wide.median) / 2,
                               wide.samples, wide.stable && narrow.stable};
    cpi.spread = cpi.spread > 0 ? cpi.spread : 0;
    printf("# cycles of an instruction: %.2f where nothing waits, %.2f where all does\n", wide.median,
           narrow.median);
    bench_print("platform", "cpi", cpi);
}

int main(int argc, char **argv)
{
    static int cpus[MAX_CORES], spread[MAX_CORES];
    bench_begin("cores", argc, argv);
    int n = bench_cpus(cpus, MAX_CORES);
    crew_of(cpus, 1); /* lets the clock come up */
    cycles_per_instruction();
    if (n * (n - 1) / 2 > MAX_PAIRS)
        printf("# too many CPUs to try all pairs\n");
    else
        pairs(cpus, n);
    for (int k = 1; k <= n; k = k < 4 ? k + 1 : k < n && 2 * k > n ? n : 2 * k) {
        for (int i = 0; i < k; i++)
            spread[i] = cpus[(size_t)i * (size_t)n / (size_t)k];
        struct crew c = {spread, k};
        bench_point("contention", "compute", k, company(c));
    }
    printf("end\n");
    return 0;
}
