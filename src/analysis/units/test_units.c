/* Units: the figures of Saussard et al. for the Tegra K1, densities against closed forms and Monte Carlo, and
 * hostile kernel files. */
#include "density.h"
#include "../../platform/link.h"
#include "../../../tests/tap.h"

#include <time.h>

static uint64_t seed = 0x853c49e6748fea9bu;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static const struct cc_unit arm = {.name = "arm",
                                   .clock_hz = 1.5e9,
                                   .cores = 4,
                                   .superscalar = true,
                                   .per_cycle = {2, 1, 1, NAN, 1, 1, 0.5},
                                   .bandwidth = NAN,
                                   .core_bandwidth = NAN,
                                   .vector_gain = 1};
static const struct cc_unit gpu = {.name = "gpu",
                                   .clock_hz = 600e6,
                                   .cores = 1,
                                   .superscalar = true,
                                   .per_cycle = {160, 32, 192, 32, 32, 32, 32},
                                   .bandwidth = NAN,
                                   .core_bandwidth = NAN,
                                   .vector_gain = 1};

/* Counts of section VI.B. */
static const struct cc_kernel gray = {.name = "gray", .n = {8, 3, 0, 0, 1}, .halo = 1, .inner = 1};
static const struct cc_kernel sobel1 = {.name = "sobel1", .n = {6, 0, 0, 0, 1}, .halo = 1, .inner = 1};
static const struct cc_kernel sobel2 = {.name = "sobel2", .n = {10, 0, 0, 0, 2}, .halo = 1, .inner = 1};
static const struct cc_kernel gray_gpu = {.name = "gray", .n = {32, 0, 12, 0, 1}, .inner = 1};
static const struct cc_kernel sobel_gpu = {.name = "sobel", .n = {29, 0, 0, 4, 4}, .inner = 1};

static struct cc_interval interval(const struct cc_kernel *k, const struct cc_unit *u, double cores,
                                   double rows)
{
    struct cc_kernel_time t;
    struct cc_err err = {0};
    if (cc_kernel_interval(k, u, cores, 1280, rows, &t, &err) < 0)
        return (struct cc_interval){NAN, NAN};
    return t.time;
}

static void same(struct cc_interval got, double low, double high, double tolerance, const char *what)
{
    OK_NEAR(got.low, low, tolerance, "%s: low", what);
    OK_NEAR(got.high, high, tolerance, "%s: high", what);
}

static struct cc_density *sum(const struct cc_interval *v, size_t n)
{
    struct cc_density *d = NULL;
    struct cc_err err = {0};
    if (cc_density_sum(v, n, &d, &err) < 0)
        printf("# %s\n", err.msg);
    return d;
}

/* Equation 14, with its sixth line's sign mended: (18.5 - p) / 8. */
static double equation14(double p)
{
    if (p < 12 || p > 19)
        return 0;
    if (p <= 13)
        return (p - 12) * (p - 12) / 16;
    if (p <= 14)
        return (p - 12.5) / 8;
    if (p <= 15)
        return 0.25 - (p - 15) * (p - 15) / 16;
    if (p <= 16)
        return 0.25;
    if (p <= 17)
        return 0.25 - (p - 16) * (p - 16) / 16;
    return p <= 18 ? (18.5 - p) / 8 : (p - 19) * (p - 19) / 16;
}

static void test_arm(void)
{
    struct cc_interval v[3] = {interval(&gray, &arm, 1, 720), interval(&sobel1, &arm, 1, 720),
                               interval(&sobel2, &arm, 1, 720)};
    same(v[0], 4, 8, 0, "gray on ARM");
    same(v[1], 3, 4, 0, "first Sobel on ARM");
    same(v[2], 5, 7, 0, "second Sobel on ARM");
    struct cc_density *d = sum(v, 3);
    same(cc_density_support(d), 12, 19, 0, "gradient on ARM");
    struct cc_interval whole = cc_density_support(d), middle = cc_density_interval(d, 17 / 24.0);
    OK_NEAR(100 * (whole.high - whole.low) / (whole.high + whole.low), 22.6, 0.05, "15.5 +- 22.6 %%");
    same(cc_density_mode(d), 15, 16, 1e-12, "most probable");
    double worst = 0;
    for (double p = 11; p < 20; p += 0.001)
        worst = fmax(worst, fabs(cc_density_at(d, p) - equation14(p)));
    OK(worst < 1e-14, "the density is equation 14 (worst %g)", worst);
    OK_U64(cc_density_pieces(d), 7, "seven pieces");
    struct cc_piece piece;
    cc_density_piece(d, 0, &piece);
    OK(piece.ncoefficients == 3 && piece.coefficients[0] == 0 && piece.coefficients[1] == 0 &&
           fabs(piece.coefficients[2] - 1 / 16.0) < 1e-14,
       "first piece: (p - 12)^2 / 16");
    cc_density_piece(d, 3, &piece);
    OK(fabs(piece.from - 15) < 1e-12 && fabs(piece.coefficients[0] - 0.25) < 1e-14 &&
           piece.coefficients[1] == 0 && piece.coefficients[2] == 0,
       "plateau: 0.25 from 15");
    OK_NEAR(cc_density_between(d, 14, 17), 17 / 24.0, 1e-14, "Pr[14, 17] is 17/24");
    OK_NEAR(100 * cc_density_between(d, 14, 17), 70, 1, "which the paper prints as 70 %%");
    same(middle, 14, 17, 1e-12, "and back");
    OK(middle.low < 15.87 && 15.87 < middle.high, "the paper's measurement lies inside");
    cc_density_free(d);
    struct cc_interval four[3] = {interval(&gray, &arm, 4, 720), interval(&sobel1, &arm, 4, 720),
                                  interval(&sobel2, &arm, 4, 720)};
    d = sum(four, 3);
    same(cc_density_support(d), 12 * 181 / 720.0, 19 * 181 / 720.0, 1e-12, "four cores");
    OK(fabs(cc_density_support(d).low - 3.017) < 5e-4 && fabs(cc_density_support(d).high - 4.776) < 5e-4,
       "to the printed digits 3.017, 4.776");
    cc_density_free(d);
}

static void test_gpu(void)
{
    struct cc_interval v[2] = {interval(&gray_gpu, &gpu, 1, 720), interval(&sobel_gpu, &gpu, 1, 720)};
    same(v[0], 0.2, 0.29375, 1e-15, "gray on GPU (the paper prints 0.29275)");
    same(v[1], 0.18125, 0.43125, 1e-15, "Sobel on GPU");
    struct cc_density *d = sum(v, 2);
    same(cc_density_support(d), 0.38125, 0.725, 1e-15, "gradient on GPU");
    same(cc_density_mode(d), 0.475, 0.63125, 1e-12, "most probable");
    OK_NEAR(cc_density_between(d, 0.475, 0.63125), 0.625, 1e-12, "with 62.5 %%");
    cc_density_free(d);
    v[0].high = 0.29275;
    d = sum(v, 2);
    OK_NEAR(cc_density_support(d).high, 0.724, 1e-12, "with the printed slip: 0.724");
    OK_NEAR(100 * cc_density_between(d, 0.474, 0.63125), 63, 0.5, "and 63 %%");
    OK(fabs(600 / 0.38125 - 1574) < 0.5 && fabs(600 / 0.724 - 829) < 0.5, "829 to 1574 Mp/s");
    cc_density_free(d);
}

static void test_memory_and_cores(void)
{
    struct cc_unit u = {.name = "u",
                        .clock_hz = 1e9,
                        .cores = 8,
                        .superscalar = true,
                        .per_cycle = {2, 1, 1, 1, 1, 1, 1},
                        .bandwidth = 4e9,
                        .core_bandwidth = 2e9,
                        .vector_gain = 4,
                        .atomic = 10,
                        .reduction = 50,
                        .barrier = 1000,
                        .latency = 0};
    struct cc_kernel k = {.name = "k", .n = {4, 1, 0, 0, 0, 0, 3}, .bytes = 16, .inner = 1, .iterations = 1};
    struct cc_kernel_time t;
    struct cc_err err = {0};
    cc_kernel_interval(&k, &u, 1, 100, 100, &t, &err);
    same(t.compute, 2, 3, 0, "compute bound");
    same(t.memory, 8, 11, 0, "memory bound: one core's bandwidth");
    OK_STR(t.bound, "memory", "memory wins");
    OK_NEAR(t.intensity, 5 / 3.0, 1e-15, "arithmetic intensity");
    cc_kernel_interval(&k, &u, 4, 100, 100, &t, &err);
    OK_NEAR(t.memory.low, 4, 0, "more cores share the unit's bandwidth");
    k.has_missed = true;
    k.missed = 8;
    u.kind = "cpu";
    cc_kernel_interval(&k, &u, 1, 100, 100, &t, &err);
    same(t.memory, 4, 7, 0, "a CPU's caches keep half of it from its memory");
    u.kind = "gpu";
    cc_kernel_interval(&k, &u, 1, 100, 100, &t, &err);
    same(t.memory, 8, 11, 0, "another unit's memory is not behind them");
    k.has_missed = false;
    u.kind = "cpu";
    k.bytes = k.n[CC_MEMORY] = 0;
    u.superscalar = false;
    same(interval(&k, &u, 1, 100), 3, 3, 0, "scalar: the sum");
    u.superscalar = true;
    k.vector = CC_VECTOR_MAYBE;
    same(interval(&k, &u, 1, 100), 0.5, 3, 0, "perhaps vectorised");
    k.vector = CC_VECTOR_NO;
    k.parallel = CC_P1;
    k.atomics = 1;
    same(interval(&k, &u, 4, 0), 0.5 + 2.5, 0.75 + 10, 1e-12, "P1: updates apart or all in a row");
    same(interval(&k, &u, 1, 0), 2, 3, 1e-12, "P1: one core needs none");
    k.parallel = CC_P2;
    same(interval(&k, &u, 4, 100), 0.5 + 1100 / 128000.0, 0.75 + 1100 / 128000.0, 1e-12,
         "P2: a reduction tree");
    k.parallel = CC_P3;
    same(interval(&k, &u, 4, 100), 2, 3, 1e-12, "P3: nothing to divide");
    k.inner = 2;
    k.iterations = 64;
    same(interval(&k, &u, 4, 100), 1.5, 2, 1e-12, "P3: inside an iteration, with its barriers");
    OK(isnan(interval(&(struct cc_kernel){.name = "s", .n = {0, 0, 0, 1}}, &arm, 1, 0).low),
       "a class without a throughput is an error");
}

/* A class with a range of costs never has an interval without width, on no kind of unit. */
static void test_ranges(void)
{
    struct cc_unit u = {.name = "u",
                        .cores = 1,
                        .per_cycle = {2, 1, 1, 0.1, 1, 1, 1},
                        .vector_gain = 4,
                        .vector_load_store = NAN};
    struct cc_kernel k = {.name = "k", .n = {4, 0, 0, 1}, .inner = 1, .iterations = 1};
    same(interval(&k, &u, 1, 0), 12, 12, 1e-12, "scalar, one cost for each class: no width");
    u.spread[CC_SPECIFIC] = 0.06;
    same(interval(&k, &u, 1, 0), 2 + 1 / 0.16, 2 + 1 / 0.04, 1e-12,
         "a range of costs: the cheapest and the dearest");
    u.superscalar = true;
    same(interval(&k, &u, 1, 0), 1 / 0.16, 2 + 1 / 0.04, 1e-12, "superscalar too");
    k.n[CC_BRANCH] = 40;
    u.mispredict = 20;
    same(interval(&k, &u, 1, 0), 40, 2 + 1 / 0.04 + 40 + 0.05 * 40 * 20, 1e-12,
         "one branch in twenty may go another way than foretold");
    struct cc_kernel m = {.name = "m", .n = {[CC_MEMORY] = 8}, .inner = 1, .iterations = 1};
    m.chained = 6;
    u.load_latency = 4;
    same(interval(&m, &u, 1, 0), 8, 8 + 6 * 4, 1e-12, "loads that wait for each other");
    m.has_missed = true;
    m.missed_first = 5;
    m.missed = 2 * 64;
    u.kind = "cpu";
    u.second = 10;
    u.alone = 100;
    same(interval(&m, &u, 1, 0), 8, 8 + 6 * 4 + 3 * 10 + 2 * 100, 1e-12, "from where they lie");
    m.chained = m.missed = 0;
    m.has_missed = false;
    u.spread[CC_MEMORY] = 0.5;
    same(interval(&m, &u, 1, 0), 8 / 1.5, 16, 1e-12, "accesses");
    u.spread[CC_MEMORY] = 0;
    u.vector_load_store = 0.5;
    same(interval(&m, &u, 1, 0), 8, 8, 1e-12, "vector accesses are none of a kernel without vectors");
    m.vector = CC_VECTOR_YES;
    same(interval(&m, &u, 1, 0), 4, 4, 1e-12, "a quarter as many at half the rate");
    m.vector = CC_VECTOR_MAYBE;
    same(interval(&m, &u, 1, 0), 4, 8, 1e-12, "either");
    u.vector_gain = 1;
    same(interval(&m, &u, 1, 0), 8, 16, 1e-12, "vectors that gain nothing may cost");
}

/* Threads of a GPU meet on one multiprocessor; what is needed and not known is an error. */
static void test_meeting(void)
{
    struct cc_unit g = {.name = "g",
                        .gpu = true,
                        .cores = 2,
                        .superscalar = true,
                        .per_cycle = {160, 32, 192, 32, 32, 32, 32},
                        .vector_gain = 1,
                        .vector_load_store = NAN,
                        .atomic = 3,
                        .reduction = 10,
                        .barrier = 100};
    struct cc_kernel k = {
        .name = "k", .n = {160}, .parallel = CC_P1, .atomics = 2, .inner = 1, .iterations = 1};
    struct cc_kernel_time t;
    struct cc_err err = {0};
    same(interval(&k, &g, 1, 0), 1 + 6 / 192.0, 1 + 6, 1e-12, "P1 on one multiprocessor: 192 lanes meet");
    same(interval(&k, &g, 2, 0), 0.5 + 6 / 384.0, 0.5 + 6, 1e-12, "on two");
    k.parallel = CC_P2;
    same(interval(&k, &g, 1, 100), 1 + (100 + 8 * 10) / 128000.0, 1 + (100 + 8 * 10) / 128000.0, 1e-12,
         "P2: a tree over the lanes");
    OK(cc_kernel_interval(&k, &g, 1, 0, 0, &t, &err) == -CC_EINPUT && strstr(err.msg, "--image"),
       "what is paid once for all elements needs their number");
    g.reduction = NAN;
    err = (struct cc_err){0};
    OK(cc_kernel_interval(&k, &g, 1, 10, 10, &t, &err) == -CC_EINPUT && strstr(err.msg, "'reduction'"),
       "a reduction that nobody knows");
    k.parallel = CC_P1;
    g.atomic = NAN;
    err = (struct cc_err){0};
    OK(cc_kernel_interval(&k, &g, 1, 10, 10, &t, &err) == -CC_EINPUT && strstr(err.msg, "'atomic'"),
       "an atomic update that nobody knows");
    k.atomics = 0;
    OK(cc_kernel_interval(&k, &g, 1, 10, 10, &t, &err) == 0, "is not asked for if there is none");
}

/* n equal boxes: the Irwin-Hall distribution, by its alternating sum while that is stable. */
static double irwin_hall(int n, double x)
{
    double s = 0, binomial = 1;
    for (int k = 0; k <= (int)floor(x); k++) {
        s += (k % 2 ? -1 : 1) * binomial * pow(x - k, n - 1);
        binomial = binomial * (n - k) / (k + 1);
    }
    for (int k = 2; k < n; k++)
        s /= k;
    return s;
}

static void test_equal_boxes(void)
{
    for (int n = 1; n <= 12; n += (n < 4 ? 1 : 4)) {
        struct cc_interval v[12];
        for (int i = 0; i < n; i++)
            v[i] = (struct cc_interval){0, 1};
        struct cc_density *d = sum(v, (size_t)n);
        double worst = 0;
        for (double x = 0.05; x < n / 2.0; x += 0.1)
            worst = fmax(worst, fabs(cc_density_at(d, x) - irwin_hall(n, x)));
        OK(worst < 1e-12 && cc_density_error(d) == 0 && cc_density_pieces(d) == (size_t)n,
           "%d equal boxes: Irwin-Hall (worst %g, %zu pieces)", n, worst, cc_density_pieces(d));
        cc_density_free(d);
    }
}

static void test_degenerate(void)
{
    struct cc_interval v[3] = {{2, 2}, {3, 3}, {1, 2}};
    struct cc_density *d = sum(v, 2);
    OK(cc_density_pieces(d) == 0 && cc_density_below(d, 4.99) == 0 && cc_density_below(d, 5) == 1,
       "a certain sum is a step");
    same(cc_density_interval(d, 0.5), 5, 5, 0, "its intervals are the point");
    OK_NEAR(cc_density_between(d, 5, 5), 1, 0, "all of it is there");
    cc_density_free(d);
    d = sum(v, 3);
    same(cc_density_support(d), 6, 7, 0, "certain kernels only shift");
    OK_NEAR(cc_density_at(d, 6.5), 1, 1e-14, "the box stays a box");
    OK_NEAR(cc_density_below(d, 6.25), 0.25, 1e-14, "and its distribution straight");
    cc_density_free(d);
    struct cc_err err = {0};
    struct cc_interval wrong = {2, 1}, endless = {0, INFINITY};
    OK(cc_density_sum(&wrong, 1, &d, &err) < 0 && cc_density_sum(&endless, 1, &d, &err) < 0 &&
           cc_density_sum(v, 0, &d, &err) < 0,
       "what is no interval is refused");
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Largest distance between the distribution and that of `runs` drawn sums: below 1.95 / sqrt(runs) in 999 of
 * 1000 cases if they are the same (Kolmogorov). The seed is fixed. */
static double kolmogorov(const struct cc_density *d, const struct cc_interval *v, size_t n, size_t runs)
{
    double *x = cc_alloc_array(runs, sizeof *x), worst = 0;
    for (size_t r = 0; r < runs; r++)
        for (size_t i = 0; i < n; i++)
            x[r] += v[i].low + uniform() * (v[i].high - v[i].low);
    qsort(x, runs, sizeof *x, rising);
    for (size_t r = 0; r < runs; r++) {
        double f = cc_density_below(d, x[r]);
        worst =
            fmax(worst, fmax(fabs(f - (double)r / (double)runs), fabs(f - (double)(r + 1) / (double)runs)));
    }
    free(x);
    return worst;
}

/* Moments by integration of the pieces: mass, mean, variance. */
static void moments(const struct cc_density *d, double *mass, double *mean, double *variance)
{
    enum { STEPS = 400 };
    struct cc_interval s = cc_density_support(d);
    double mid = (s.low + s.high) / 2;
    *mass = *mean = *variance = 0;
    for (size_t i = 0; i < cc_density_pieces(d); i++) {
        struct cc_piece p;
        cc_density_piece(d, i, &p);
        double h = (p.to - p.from) / STEPS;
        for (int k = 0; k < STEPS; k++) {
            double x = p.from + (k + 0.5) * h, f = cc_density_at(d, x) * h;
            *mass += f;
            *mean += f * (x - mid);
            *variance += f * (x - mid) * (x - mid);
        }
    }
    *mean += mid;
}

static void check_chain(const char *what, const struct cc_interval *v, size_t n)
{
    enum { RUNS = 100000 };
    struct cc_density *d = sum(v, n);
    double mass, mean, variance, want = 0;
    for (size_t i = 0; i < n; i++)
        want += (v[i].high - v[i].low) * (v[i].high - v[i].low) / 12;
    moments(d, &mass, &mean, &variance);
    struct cc_interval s = cc_density_support(d);
    OK_NEAR(mass, 1, 1e-5, "%s: mass", what);
    OK_NEAR(mean, (s.low + s.high) / 2, 1e-7 * (s.high - s.low), "%s: mean", what);
    OK_NEAR(variance / want, 1, 1e-4, "%s: variance", what);
    OK_NEAR(cc_density_below(d, s.high), 1, 1e-11, "%s: certain at the end", what);
    bool rises = true;
    for (int i = 0; i < 1000; i++)
        rises &= cc_density_below(d, s.low + (s.high - s.low) * (i + 1) / 1000) >=
                 cc_density_below(d, s.low + (s.high - s.low) * i / 1000) - 1e-12;
    OK(rises, "%s: the distribution never falls", what);
    double k = kolmogorov(d, v, n, RUNS);
    OK(k < 1.95 / sqrt(RUNS), "%s: Monte Carlo agrees (distance %.5f; %zu pieces, error %g)", what, k,
       cc_density_pieces(d), cc_density_error(d));
    cc_density_free(d);
}

static void test_long_chains(void)
{
    struct cc_interval v[30];
    for (size_t i = 0; i < 30; i++)
        v[i] = (struct cc_interval){uniform() * 5, 5 + uniform() * 10};
    check_chain("30 random kernels", v, 30);
    for (size_t i = 0; i < 30; i++)
        v[i] = (struct cc_interval){0, pow(10, -6 + 6 * uniform())};
    check_chain("30 kernels, widths over six decades", v, 30);
    for (size_t i = 0; i < 30; i++)
        v[i] = (struct cc_interval){i, i % 3 ? (double)i + 1 : (double)i};
    check_chain("30 kernels, a third of them certain", v, 30);
    for (size_t i = 0; i < 30; i++)
        v[i] = (struct cc_interval){0, i ? 0.001 * (double)i : 100};
    check_chain("one wide kernel and 29 narrow ones", v, 30);
    for (size_t i = 0; i < 30; i++)
        v[i] = (struct cc_interval){0, pow(2, -(double)i)};
    check_chain("30 kernels, each half as wide as the last", v, 30);
    for (size_t i = 0; i < 30; i++)
        v[i] = (struct cc_interval){0, i ? 1e-7 * (1 + uniform()) : 1};
    check_chain("one wide kernel and 29 that are hardly there", v, 30);
    for (size_t i = 0; i < 13; i++)
        v[i] = (struct cc_interval){0, 1 + uniform()};
    check_chain("13 kernels, more pieces than are kept", v, 13);
}

static void test_thousands(void)
{
    enum { N = 5000 };
    struct cc_interval *v = cc_alloc_array(N, sizeof *v);
    double variance = 0;
    for (size_t i = 0; i < N; i++) {
        v[i] = (struct cc_interval){uniform(), 1 + uniform()};
        double w = v[i].high - v[i].low;
        variance += w * w / 12;
    }
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    struct cc_density *d = sum(v, N);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double took = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
    struct cc_interval c = cc_density_interval(d, 0.6826894921370859);
    OK_NEAR((c.high - c.low) / 2 / sqrt(variance), 1, 1e-4, "5000 kernels: nearly normal");
    OK(took < 1, "in %.2f s (%zu pieces, error %g)", took, cc_density_pieces(d), cc_density_error(d));
    cc_density_free(d);
    free(v);
}

/* --- files --- */

static const char kernels_text[] =
    "# gradient\n[kernel.gray]\ns_int = 8\nm_int = 3\nbranch = 1\nclass = P0\nhalo = 1\n"
    "[kernel.gray.gpu]\nfloat = 12\ns_int = 32\nbranch = 1\nper = 4\n"
    "[kernel.sobel]\ns_int = 16\nbranch = 3\nbytes = 4\nmemory = 4\nvector = maybe\n";

static void test_kernel_files(void)
{
    struct cc_kernels *k = NULL;
    struct cc_err err = {0};
    OK(cc_kernels_parse("k.ini", kernels_text, strlen(kernels_text), &k, &err) == 0 && k->v.n == 3,
       "a file is read");
    const struct cc_kernel *on[3];
    OK_U64(cc_kernels_on(k, &gpu, on), 2, "two kernels on the GPU");
    OK(on[0]->n[CC_FLOAT] == 3 && on[0]->n[CC_S_INT] == 8 && strcmp(on[1]->name, "sobel") == 0,
       "its own counts, for each element, in the chain's order");
    cc_kernels_on(k, &arm, on);
    OK(on[0]->n[CC_M_INT] == 3, "the general counts elsewhere");
    cc_kernels_free(k);
    static const char *const bad[] = {"",
                                      "[kernel.]\n",
                                      "[kernel.a.]\n",
                                      "[other]\n",
                                      "[kernel.a]\ns_int = -1\n",
                                      "[kernel.a]\ns_int = x\n",
                                      "[kernel.a]\nclass = P4\n",
                                      "[kernel.a]\nper = 0\n",
                                      "[kernel.a]\nbogus = 1\n",
                                      "[kernel.a]\ns_int = 1e300\n"};
    bool all = true;
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        err = (struct cc_err){0};
        all &= cc_kernels_parse("k.ini", bad[i], strlen(bad[i]), &k, &err) < 0 && err.code == CC_EINPUT &&
               (i == 0 || err.line > 0);
    }
    OK(all, "bad files are refused with their line");
    size_t read = 0;
    for (int i = 0; i < 20000; i++) {
        char text[sizeof kernels_text];
        memcpy(text, kernels_text, sizeof text);
        for (int m = 0; m < 3; m++)
            text[(size_t)(uniform() * (double)(sizeof text - 1))] = (char)(unsigned char)(uniform() * 256);
        size_t size = (size_t)(uniform() * (double)sizeof text);
        err = (struct cc_err){0};
        if (cc_kernels_parse("k.ini", text, size, &k, &err) == 0) {
            read++;
            cc_kernels_free(k);
        } else {
            all &= err.msg[0] != 0;
        }
    }
    OK(all && read > 100 && read < 20000, "20000 mutated files: read or refused (%zu read)", read);
}

static void test_links(void)
{
    double b[] = {1000, 2000, 4000}, s[] = {1e-3, 1.5e-3, 3e-3};
    struct cc_link l = {.curve = {3, b, s, NULL}};
    OK_NEAR(cc_link_seconds(&l, 2000), 1.5e-3, 1e-18, "a curve's point");
    OK_NEAR(cc_link_seconds(&l, 3000), 2.25e-3, 1e-18, "between two");
    OK_NEAR(cc_link_seconds(&l, 8000), 6e-3, 1e-15, "beyond the last");
    OK_NEAR(cc_link_seconds(&l, 10), 1e-3, 0, "below the first");
    l.curve.n = 1;
    OK_NEAR(cc_link_seconds(&l, 2 * b[0]), 2e-3, 1e-18, "one point alone is a rate");
    l.curve = (struct cc_curve){2, (double[]){1, 2}, (double[]){5, 3}, NULL};
    OK_NEAR(cc_link_seconds(&l, 10), 3, 0, "beyond the last point the time never falls");
    l = (struct cc_link){.latency = 1e-6, .bandwidth = 1e9};
    OK_NEAR(cc_link_seconds(&l, 1e6), 1.001e-3, 1e-15, "a straight line");
}

int main(void)
{
    test_arm();
    test_gpu();
    test_memory_and_cores();
    test_ranges();
    test_meeting();
    test_equal_boxes();
    test_degenerate();
    test_long_chains();
    test_thousands();
    test_kernel_files();
    test_links();
    return TAP_DONE();
}
