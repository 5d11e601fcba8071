/* Known laws are found again, with and without noise; envelopes hold for runs left out. */
#include "law.h"
#include "relate.h"
#include "../../base/rng.h"
#include "../../../tests/tap.h"

enum { MOST = 64 };

struct trial {
    const char *what, *order;
    double (*y)(double n, double m, double mode);
};

static double constant(double n, double m, double k)
{
    (void)n;
    (void)m;
    (void)k;
    return 4096;
}
static double linear(double n, double m, double k)
{
    (void)m;
    (void)k;
    return 96 + 8 * n;
}
static double n_log_n(double n, double m, double k)
{
    (void)m;
    (void)k;
    return 100 + 4 * n * floor(log2(n));
}
static double product(double n, double m, double k)
{
    (void)k;
    return 50 + 4 * n * m;
}
static double square(double n, double m, double k)
{
    (void)m;
    (void)k;
    return 10 + n * n - n;
}
static double cube(double n, double m, double k)
{
    (void)m;
    (void)k;
    return 2 * n * n * n + 3 * n * n;
}
static double logarithm(double n, double m, double k)
{
    (void)m;
    (void)k;
    return 1000 + 64 * log2(n);
}
static double both(double n, double m, double k)
{
    (void)k;
    return 12 + 3 * n + 5 * m * m;
}

static const struct trial trials[] = {
    {"constant", "constant", constant}, {"linear", "n", linear},     {"n log n", "n log n", n_log_n},
    {"product", "n * m", product},      {"square", "n^2", square},   {"cube", "n^3", cube},
    {"logarithm", "log n", logarithm},  {"sum of two", "m^2", both},
};

static struct cc_controls controls(const double *v, size_t nruns, size_t nvariables, const char *const *names)
{
    static char texts[MOST * 4][32];
    static const char *values[MOST * 4];
    for (size_t i = 0; i < nruns * nvariables; i++) {
        snprintf(texts[i], sizeof texts[i], "%.17g", v[i]);
        values[i] = texts[i];
    }
    struct cc_controls c;
    cc_controls_init(&c, names, nvariables, values, nruns);
    return c;
}

static const char *const names[] = {"n", "m", "mode"};
static const double sizes[] = {64, 100, 128, 200, 256, 320, 400, 512, 640, 800, 1000, 1280, 1600, 2000, 2560};

/* Runs over n and m that do not go together. */
static size_t grid(struct cc_rng *rng, double *v, uint32_t *all)
{
    size_t runs = 30;
    for (uint32_t r = 0; r < runs; r++) {
        v[3 * r] = sizes[cc_rng_below(rng, CC_COUNT(sizes))];
        v[3 * r + 1] = sizes[cc_rng_below(rng, CC_COUNT(sizes))];
        v[3 * r + 2] = (double)(r % 2);
        all[r] = r;
    }
    return runs;
}

static void test_laws(void)
{
    struct cc_rng rng = {3};
    double v[3 * MOST], y[MOST];
    uint32_t all[MOST];
    size_t runs = grid(&rng, v, all);
    struct cc_controls c = controls(v, runs, 3, names);
    struct cc_growth_search *s = cc_growth_search_new(&c);
    for (size_t t = 0; t < CC_COUNT(trials); t++) {
        for (size_t r = 0; r < runs; r++)
            y[r] = trials[t].y(v[3 * r], v[3 * r + 1], v[3 * r + 2]);
        struct cc_growth g;
        cc_growth_fit(s, y, all, runs, 0.95, true, &g);
        CC_CLEANUP(cc_free_ptr)
        char *order = cc_law_order(&g.piece[0], names), *text = cc_law_text(&g.piece[0], names);
        printf("# %s: %s, error %.2g, confidence %.2f\n", trials[t].what, text, g.error, g.confidence);
        OK_STR(order, trials[t].order, "%s", trials[t].what);
        OK(g.npieces == 1 && g.error < 0.035, "%s: whole and exact",
           trials[t].what); /* but for floor(log n) */
        /* far beyond what was seen */
        double x[3] = {20000, 30000, 0};
        uint32_t category[3] = {0};
        double want = trials[t].y(x[0], x[1], 0);
        OK(fabs(cc_growth_at(&g, x, category) / want - 1) < 0.1, "%s: ten times beyond", trials[t].what);
    }
    cc_growth_search_free(s);
    cc_controls_fini(&c);
}

static void test_modes(void)
{
    struct cc_rng rng = {5};
    double v[3 * MOST], y[2][MOST];
    uint32_t all[MOST];
    size_t runs = grid(&rng, v, all);
    for (size_t r = 0; r < runs; r++) {
        double n = v[3 * r];
        y[0][r] = v[3 * r + 2] > 0 ? n * n : 50 * n;
        y[1][r] = n > 700 ? 30 * n * log2(n) : n * n;
    }
    struct cc_controls c = controls(v, runs, 3, names);
    struct cc_growth_search *s = cc_growth_search_new(&c);
    struct cc_growth g;
    cc_growth_fit(s, y[0], all, runs, 0.95, true, &g);
    OK(g.npieces == 2 && g.mode && g.by == 2 && g.error < 1e-6, "a switch of mode is found");
    double x[3] = {5000, 1, 1};
    uint32_t category[3] = {0, 0, c.category[1 * 3 + 2]};
    OK_NEAR(cc_growth_at(&g, x, category), 25e6, 1, "with the law of its mode");
    category[2] = UINT32_MAX;
    OK(isnan(cc_growth_at(&g, x, category)), "of a mode that was not seen nothing is known");
    cc_growth_fit(s, y[1], all, runs, 0.95, true, &g);
    OK(g.npieces == 2 && !g.mode && g.by == 0 && g.threshold > 640 && g.threshold < 800 && g.error < 1e-6,
       "a switch at a size is found");
    cc_growth_search_free(s);
    cc_controls_fini(&c);
}

/* Noise of 3 %: laws stay, and of runs that were left out as many lie below the envelope as it says. */
static void test_noise(void)
{
    struct cc_rng rng = {9};
    size_t orders = 0, laws = 0, below = 0, tried = 0;
    double errors = 0;
    for (int round = 0; round < 40; round++) {
        double v[3 * MOST], y[MOST];
        uint32_t all[MOST];
        size_t runs = grid(&rng, v, all);
        struct cc_controls c = controls(v, runs, 3, names);
        struct cc_growth_search *s = cc_growth_search_new(&c);
        for (size_t t = 1; t < 5; t++) {
            for (size_t r = 0; r < runs; r++)
                y[r] = trials[t].y(v[3 * r], v[3 * r + 1], 0) * (0.97 + 0.06 * cc_rng_unit(&rng));
            struct cc_growth g;
            cc_growth_fit(s, y, all, runs - 1, 0.95, true, &g); /* the last is left out */
            CC_CLEANUP(cc_free_ptr) char *order = cc_law_order(&g.piece[0], names);
            laws++;
            orders += strcmp(order, trials[t].order) == 0;
            double at = cc_growth_at(&g, &v[3 * (runs - 1)], &c.category[3 * (runs - 1)]);
            below += y[runs - 1] <= cc_growth_bound(&g, at);
            errors += fabs(at / y[runs - 1] - 1);
            tried++;
        }
        cc_growth_search_free(s);
        cc_controls_fini(&c);
    }
    printf("# %zu of %zu laws, %zu of %zu left out below the envelope, mean error %.3f\n", orders, laws,
           below, tried, errors / (double)tried);
    OK((double)orders > 0.85 * (double)laws, "with noise of 3 %% most laws are found");
    OK((double)below >= 0.92 * (double)tried, "the envelope holds for runs left out");
    OK(errors / (double)tried < 0.04, "and the error is that of the noise");
}

static void test_few(void)
{
    double v[3] = {1, 2, 3}, y[3] = {7, 7, 7};
    uint32_t all[3] = {0, 1, 2};
    struct cc_controls c = controls(v, 3, 1, names);
    struct cc_growth_search *s = cc_growth_search_new(&c);
    struct cc_growth g;
    for (size_t n = 0; n <= 3; n++) {
        cc_growth_fit(s, y, all, n, 0.95, true, &g);
        OK(g.npieces == 1 && g.piece[0].n == 0 && (n == 0 || fabs(g.piece[0].constant - 7) < 1e-9),
           "%zu runs: a constant", n);
    }
    cc_growth_search_free(s);
    cc_controls_fini(&c);
}

/* A figure with an interval of its own in each run: 10 % below, 20 % above. */
static void test_foresee(void)
{
    double v[3 * MOST], y[MOST], low[MOST], high[MOST];
    uint32_t all[MOST], category[3] = {0};
    struct cc_rng rng = {3};
    size_t runs = grid(&rng, v, all);
    for (size_t r = 0; r < runs; r++) {
        y[r] = 100 + v[3 * r] * v[3 * r];
        low[r] = 0.9 * y[r];
        high[r] = 1.2 * y[r];
    }
    struct cc_controls c = controls(v, runs, 3, names);
    struct cc_growth_search *s = cc_growth_search_new(&c);
    struct cc_foreseen f;
    cc_growth_foresee(s, y, low, high, (double[]){5000, 1, 1}, category, &f);
    OK_NEAR(f.value, 25000100, 10, "a figure where no run was");
    OK_NEAR(f.low, 0.9 * 25000100, 10, "with the interval of the runs: its low end");
    OK_NEAR(f.high, 1.2 * 25000100, 10, "and its high one");
    for (size_t r = 0; r < runs; r++)
        y[r] *= 0.9 + 0.2 * cc_rng_unit(&rng);
    cc_growth_foresee(s, y, y, y, (double[]){500, 1, 1}, category, &f);
    OK(f.low < 0.97 * f.value && f.high > 1.03 * f.value, "figures without one get how far laws are off");
    cc_growth_search_free(s);
    cc_controls_fini(&c);
}

/* Two variables that do not go with each other make the figure; three more go with each other only. */
static void test_relate(void)
{
    enum { RUNS = 25, VARIABLES = 5 };
    static const char *const five[] = {"n", "m", "p", "q", "r"};
    struct cc_rng rng = {5};
    char texts[RUNS * VARIABLES][24];
    const char *values[RUNS * VARIABLES];
    double y[RUNS], scores[RUNS];
    for (size_t r = 0; r < RUNS; r++) {
        double other = cc_rng_unit(&rng);
        for (size_t v = 0; v < VARIABLES; v++) {
            double x = v == 0 ? (double)(r % 5) : v == 1 ? (double)(r / 5) : other * (double)v;
            snprintf(texts[r * VARIABLES + v], sizeof *texts, "%.6f", x);
            values[r * VARIABLES + v] = texts[r * VARIABLES + v];
        }
        y[r] = 100 + (double)(r % 5) + (double)(r / 5);
    }
    struct cc_controls c;
    struct cc_relation of[VARIABLES];
    cc_controls_init(&c, five, VARIABLES, values, RUNS);
    cc_relate(&c, y, of, scores);
    OK_NEAR(of[0].weight, of[1].weight, 0.02, "two that make the figure weigh the same");
    OK(of[0].weight + of[1].weight > 0.9, "and nearly all: %.2f", of[0].weight + of[1].weight);
    OK(of[0].matters && of[1].matters && !of[2].matters, "those that only go with each other do not matter");
    double rising = 0;
    for (size_t r = 1; r < RUNS; r++)
        rising += (y[r] - y[0]) * (scores[r] - scores[0]);
    OK(rising > 0 && scores[RUNS - 1] > scores[0], "the component rises with the figure");
    cc_controls_fini(&c);
}

int main(void)
{
    test_relate();
    test_foresee();
    test_laws();
    test_modes();
    test_noise();
    test_few();
    return TAP_DONE();
}
