/* The search against all that could have been chosen: every set of loops of which none is inside another, in
 * every way, each replayed as a whole. */
#include "explore.h"
#include "internal.h"
#include "../../base/curve.h"
#include "../../base/rng.h"
#include "../../../tests/tap.h"

enum { LOOPS = 4, SIMPLE_WAYS = 6 };

static const char platform_text[] =
    "[platform]\nname = t\nsource = made up\nclock_mhz = 1000\ncores = 4\ncpi = 1\n"
    "[openmp.parallel]\nsource = made up\npar_open = 900\nthr_launch = 50\nbarrier_ovh = 20\ncritical_ovh = "
    "30\n"
    "[openmp.static]\nsource = made up\npar_open = 900\nfor_prologue = 60\nfor_next_chunk = 40\nthr_launch = "
    "50\n"
    "[openmp.dynamic]\nsource = made up\npar_open = 1000\nfor_prologue = 80\nfor_next_chunk = "
    "150\nthr_launch = 50\n"
    "[openmp.guided]\nsource = made up\npar_open = 1000\nfor_prologue = 80\nfor_next_chunk = 150\nthr_launch "
    "= 50\n";

struct world {
    struct cc_profile p;
    struct cc_ploop ploops[LOOPS];
    struct cc_loop_list loops;
    struct cc_explore_input inputs[LOOPS];
    struct cc_htg *h;
    struct cc_platform *platform;
    int parent[LOOPS];
    char *csv;
};

/* Loop i is written in line 10 + i; its tasks are named as import names them. */
static uint64_t put_loop(struct world *w, struct cc_rng *r, int loop, uint64_t at, struct cc_buf *b)
{
    uint64_t start = at;
    size_t trips = 1 + cc_rng_below(r, 9), size = 1 + cc_rng_below(r, 4000), slope = cc_rng_below(r, 800);
    struct cc_buf inside = {0};
    cc_buf_puts(&inside, "");
    for (size_t k = 0; k < trips; k++) {
        uint64_t begin = at;
        at += size + k * slope;
        for (int c = loop + 1; c < LOOPS; c++)
            if (w->parent[c] == loop)
                at = put_loop(w, r, c, at, &inside);
        at += 3;
        cc_buf_printf(b, "t.c:%d,%llu,%llu\n", 10 + loop, (unsigned long long)begin, (unsigned long long)at);
    }
    cc_buf_printf(b, "loop t.c:%d,%llu,%llu\n%s", 10 + loop, (unsigned long long)start,
                  (unsigned long long)at, inside.s);
    cc_buf_fini(&inside);
    return at;
}

static bool make_world(struct world *w, struct cc_rng *r, struct cc_err *err)
{
    struct cc_buf b = {0};
    *w = (struct world){0};
    cc_buf_puts(&b, "name,start,end\n");
    for (int i = 0; i < LOOPS; i++)
        w->parent[i] = i && cc_rng_below(r, 3) ? (int)cc_rng_below(r, (size_t)i) : -1;
    uint64_t at = 100;
    for (int i = 0; i < LOOPS; i++)
        if (w->parent[i] < 0)
            at = put_loop(w, r, i, at + 50, &b);
    w->csv = b.s;
    struct cc_htg_options any = {.any_thread = true};
    for (uint32_t i = 0; i < LOOPS; i++) {
        w->ploops[i] = (struct cc_ploop){.outer = CC_NONE, .file = "t.c", .line = 10 + i, .iterations = 1};
        struct cc_loop l = {.parent = CC_NONE, .first = i, .file = "t.c", .line = 10 + i, .iterations = 1};
        CC_VEC_PUSH(&w->loops.v, l);
        w->inputs[i] = (struct cc_explore_input){.lines = 1, .clauses = ""};
    }
    w->p.loops = w->ploops;
    w->p.nloops = LOOPS;
    return cc_htg_parse_csv("t.csv", b.s, b.n, &any, &w->h, err) == 0 &&
           cc_platform_parse("t.ini", platform_text, sizeof platform_text - 1, &w->platform, err) == 0;
}

static void free_world(struct world *w)
{
    cc_htg_free(w->h);
    cc_platform_free(w->platform);
    CC_VEC_FINI(&w->loops.v);
    free(w->csv);
}

static bool inside(const struct world *w, int a, int b)
{
    for (int up = w->parent[a]; up >= 0; up = w->parent[up])
        if (up == b)
            return true;
    return false;
}

/* A whole replay of a set in given ways; the time on 4 processors. */
static double time_of(const struct world *w, const struct cc_predict_model *m, unsigned set,
                      const unsigned *ways)
{
    struct cc_buf b = {0};
    struct cc_scenario *s = NULL;
    struct cc_predict_plan *plan = NULL;
    struct cc_predict_schedule schedule = {0};
    double time = INFINITY;
    cc_buf_puts(&b, "");
    for (int i = 0; i < LOOPS; i++)
        if (set >> i & 1)
            cc_buf_printf(&b, "t.c:%d = #pragma omp parallel for %s\n", 10 + i,
                          cc_explore_ways[ways[i]].clause);
    if (cc_scenario_parse("b", b.s, b.n, &s, NULL) == 0 && cc_predict_plan_new(w->h, s, &plan, NULL) == 0 &&
        cc_predict_run(m, plan, 4, false, &schedule, NULL) == 0)
        time = CC_TICKS_TO_F64(schedule.time);
    cc_predict_schedule_fini(&schedule);
    cc_predict_plan_free(plan);
    cc_scenario_free(s);
    cc_buf_fini(&b);
    return time;
}

static double brute_force(const struct world *w, const struct cc_predict_model *m)
{
    double best = CC_TICKS_TO_F64(cc_predict_sequential(m));
    for (unsigned set = 1; set < 1u << LOOPS; set++) {
        bool legal = true;
        for (int a = 0; a < LOOPS; a++)
            for (int b = 0; b < LOOPS; b++)
                legal = legal && !((set >> a & 1) && (set >> b & 1) && inside(w, a, b));
        unsigned ways[LOOPS] = {0};
        for (bool more = legal; more;) {
            best = fmin(best, time_of(w, m, set, ways));
            more = false;
            for (int i = 0; i < LOOPS && !more; i++) {
                if (!(set >> i & 1))
                    continue;
                more = ++ways[i] < SIMPLE_WAYS;
                if (!more)
                    ways[i] = 0;
            }
        }
    }
    return best;
}

/* Without the largest loop of the first plan there is a plan that does not have it, or none is worth it. */
static bool again(const struct cc_explore_request *rq, struct cc_explore_result *r, struct cc_err *err)
{
    bool without[LOOPS] = {0};
    if (!r->plans.n)
        return true;
    uint32_t out = r->plans.v[0].parts.v[0].candidate;
    without[out] = true;
    size_t before = r->plans.n;
    if (cc_explore_again(rq, r, without, err) < 0)
        return false;
    for (size_t i = before; i < r->plans.n; i++)
        for (size_t k = 0; k < r->plans.v[i].parts.n; k++)
            if (r->plans.v[i].parts.v[k].candidate == out)
                return false;
    before = r->plans.n;
    return cc_explore_again(rq, r, without, err) == 0 && r->plans.n == before; /* it is there already */
}

static void test_against_brute_force(void)
{
    struct cc_rng r = {11};
    static const int64_t cores[] = {1, 2, 3, 4};
    double worst = 1;
    int failed = 0, unproven = 0, unlike = 0, several = 0, other = 0, unheard = 0;
    for (int k = 0; k < 25; k++) {
        struct world w;
        struct cc_err err = {0};
        struct cc_explore_result res = {0};
        struct cc_predict_model *m = NULL;
        struct cc_predict_options po = {0};
        if (!make_world(&w, &r, &err)) {
            printf("# %s\n", err.msg);
            failed++;
            continue;
        }
        struct cc_explore_request rq = {.p = &w.p,
                                        .loops = &w.loops,
                                        .inputs = w.inputs,
                                        .h = w.h,
                                        .platform = w.platform,
                                        .cores = cores,
                                        .ncores = CC_COUNT(cores),
                                        .jobs = 1};
        if (cc_explore_run(&rq, &res, &err) < 0 || cc_predict_model_new(w.h, w.platform, &po, &m, &err) < 0) {
            printf("# %s\n", err.msg);
            failed++;
        } else {
            double found = res.plans.n ? res.plans.v[0].time : res.sequential;
            worst = fmax(worst, found / brute_force(&w, m));
            unproven += !res.proven;
            several += res.plans.n && res.plans.v[0].parts.n > 1;
            for (size_t i = 0; res.plans.n && i < res.plans.v[0].parts.n; i++)
                other += res.candidates.v[res.plans.v[0].parts.v[i].candidate].way != 0;
            double sum = 0;
            for (size_t i = 0; res.plans.n && i < res.plans.v[0].parts.n; i++)
                sum += res.plans.v[0].parts.v[i].saved;
            unlike += fabs(res.sequential - found - sum) > 1e-3 * res.sequential;
            unheard += !again(&rq, &res, &err);
            cc_explore_fini(&res);
        }
        cc_predict_model_free(m);
        free_world(&w);
    }
    OK_U64(failed, 0, "all were explored");
    OK(worst <= 1.02, "within 2 %% of the best of all sets and ways: at most %.3f times as long", worst);
    OK(several > 5 && other > 5,
       "%d plans of several loops, %d loops that are best in another way than static", several, other);
    OK_U64(unproven, 0, "proven over what was measured of each loop");
    OK_U64(unheard, 0, "a loop that is not wanted is in no further plan");
    OK_U64(unlike, 0, "what the loops of a plan save adds up to what the plan saves");
}

static void test_stopped(void)
{
    struct cc_rng r = {12};
    struct world w;
    struct cc_err err = {0};
    static const int64_t cores[] = {1, 4};
    volatile sig_atomic_t stop = 1;
    struct cc_explore_result res;
    if (!make_world(&w, &r, &err))
        return;
    struct cc_explore_request rq = {.p = &w.p,
                                    .loops = &w.loops,
                                    .inputs = w.inputs,
                                    .h = w.h,
                                    .platform = w.platform,
                                    .cores = cores,
                                    .ncores = 2,
                                    .stop = &stop};
    OK(cc_explore_run(&rq, &res, &err) == 0 && !res.complete, "stopped at once: an answer that says so");
    cc_explore_fini(&res);
    free_world(&w);
}

static const char costless[] =
    "[platform]\nname = t\nsource = made up\nclock_mhz = 1000\ncores = 4\ncpi = 1\n"
    "[openmp.parallel]\nsource = made up\npar_open = 0\nthr_launch = 0\n"
    "barrier_ovh = 0\ncritical_ovh = 0\n"
    "[openmp.static]\nsource = made up\npar_open = 0\nfor_prologue = 0\n"
    "for_next_chunk = 0\nthr_launch = 0\n"
    "[openmp.dynamic]\nsource = made up\npar_open = 0\nfor_prologue = 0\n"
    "for_next_chunk = 0\nthr_launch = 0\n";

/* A program that is one loop, t.c:10, each iteration a task of the recording, and what is explored of it. */
struct one_loop {
    struct cc_ploop ploop;
    struct cc_profile p;
    struct cc_loop_list loops;
    struct cc_explore_input input;
    struct cc_explore_request rq;
    struct cc_explore_result res;
    struct cc_err err;
    bool run;
};

static const int64_t few_cores[] = {1, 2, 4};

/* front: ticks before the loop, 0 for none. */
static void explore_one_loop(struct one_loop *w, const char *platform, unsigned front, unsigned iterations,
                             unsigned each, struct cc_explore_input input)
{
    struct cc_buf b = {0};
    struct cc_htg_options any = {.any_thread = true};
    *w = (struct one_loop){.input = input};
    cc_buf_puts(&b, "name,start,end\n");
    if (front)
        cc_buf_printf(&b, "first,0,%u\n", front);
    for (unsigned i = 0; i < iterations; i++)
        cc_buf_printf(&b, "t.c:10,%u,%u\n", front + i * each, front + (i + 1) * each);
    w->ploop = (struct cc_ploop){.outer = CC_NONE, .file = "t.c", .line = 10, .iterations = iterations};
    w->p = (struct cc_profile){.loops = &w->ploop, .nloops = 1};
    CC_VEC_PUSH(&w->loops.v,
                ((struct cc_loop){
                    .id = "t.c:10", .parent = CC_NONE, .file = "t.c", .line = 10, .iterations = iterations}));
    w->rq = (struct cc_explore_request){.p = &w->p,
                                        .loops = &w->loops,
                                        .inputs = &w->input,
                                        .cores = few_cores,
                                        .ncores = CC_COUNT(few_cores),
                                        .jobs = 1};
    w->run = cc_htg_parse_csv("t.csv", b.s, b.n, &any, &w->rq.h, &w->err) == 0 &&
             cc_platform_parse("t.ini", platform, strlen(platform), &w->rq.platform, &w->err) == 0 &&
             cc_explore_run(&w->rq, &w->res, &w->err) == 0;
    cc_buf_fini(&b);
}

static void free_one_loop(struct one_loop *w)
{
    if (w->run)
        cc_explore_fini(&w->res);
    cc_htg_free(w->rq.h);
    cc_platform_free(w->rq.platform);
    CC_VEC_FINI(&w->loops.v);
}

/* A loop of which each iteration waits for its turn, on a platform that charges nothing: where all turns of a
 * round fit into an iteration, a round takes as long as one, else the turns alone take the time. */
static void test_turns(void)
{
    enum { N = 40, EACH = 1000 };
    static const double shares[] = {0.1, 0.2, 0.3, 0.5, 0.1};
    static const double atomics[CC_COUNT(shares)] = {[4] = 4 * N * EACH}; /* more than there is to save */
    for (size_t k = 0; k < CC_COUNT(shares); k++) {
        struct one_loop w;
        struct cc_explore_input input = {
            .lines = 2, .clauses = "", .turn = {1 - shares[k], shares[k]}, .atomics = atomics[k]};
        explore_one_loop(&w, costless, 0, N, EACH, input);
        size_t plans = w.run ? w.res.plans.n : 0;
        if (atomics[k])
            OK(w.run && !plans, "turns with more atomic updates than they save are in no plan: %zu", plans);
        else
            OK(plans && w.res.candidates.v[0].turns, "turns of %g of an iteration: %s", shares[k], w.err.msg);
        for (size_t c = 0; plans && c < CC_COUNT(few_cores); c++) {
            double turn = shares[k] * EACH, n = (double)few_cores[c];
            double want = n * turn <= EACH ? N / n * EACH + (n - 1) * turn : EACH - turn + N * turn;
            OK(fabs(w.res.plans.v[0].speedups[c].time / want - 1) < 0.01, "  on %g cores: %g, not %g", n,
               w.res.plans.v[0].speedups[c].time, want);
        }
        free_one_loop(&w);
    }
}

/* Of a run of 100, with the half percent that a directive has to save. */
static void test_pays(void)
{
    double times[] = {1};
    const struct cc_explore_request rq = {.min_gain = 0.005};
    const struct cc_explore_candidate free = {.gain = 1}, few = {.gain = 3, .turns = times},
                                      many = {.gain = 6, .turns = times}, none = {.gain = 0.4};
    OK(cc_explore_pays(&rq, &free, 100) && !cc_explore_pays(&rq, &none, 100), "half a percent is worth it");
    OK(!cc_explore_pays(&rq, &few, 100) && cc_explore_pays(&rq, &many, 100),
       "and five, where threads wait for their turn");
}

/* A nest in tiles, on the same platform: a diagonal takes as many rounds as its tiles need, and of all edges
 * the best is taken. Tiles at the borders are smaller: the nest is one that has none. */
static void test_wave(void)
{
    enum { SIDE = 512, EACH = 1000 };
    struct one_loop w;
    struct cc_explore_input input = {.lines = 5, .clauses = "", .wave = {1, SIDE, SIDE, 0}};
    explore_one_loop(&w, costless, 0, SIDE, SIDE * EACH, input);
    size_t plans = w.run ? w.res.plans.n : 0;
    OK(plans && w.res.candidates.v[0].edge, "a nest in tiles: %s", w.err.msg);
    for (size_t c = 0; plans && c < CC_COUNT(few_cores); c++) {
        double edge = w.res.candidates.v[0].edge, tiles = SIDE / edge, rounds = 0, n = (double)few_cores[c];
        for (double d = 0; d < 2 * tiles - 1; d++)
            rounds += ceil(fmin(d + 1, 2 * tiles - 1 - d) / n);
        double want = rounds * edge * edge * EACH;
        OK(fabs(w.res.plans.v[0].speedups[c].time / want - 1) < 0.01, "  on %g cores: %g, not %g", n,
           w.res.plans.v[0].speedups[c].time, want);
    }
    free_one_loop(&w);
}

/* Where busy processors slow each other down: a loop's iterations take so many times as long, what is in
 * front of it does not, and what the platform says of that is left out. Turns and free iterations. */
static void test_slowed(double turn)
{
    enum { FRONT = 20000, N = 40, EACH = 1000 };
    static const double factors[] = {1, 1.5, 3};
    double busy[] = {1, 2, 4}, slower[] = {1, 1.5, 3};
    const struct cc_curve together = {.n = 3, .x = busy, .y = slower};
    CC_CLEANUP(cc_free_ptr)
    char *platform = cc_asprintf("%s[contention]\nsource = made up\ncompute = 1:1, 2:1.2, 4:1.9\n", costless);
    struct cc_explore_input input = {.lines = 1, .clauses = ""};
    if (turn > 0)
        input.turn = (struct cc_explore_turn){1 - turn, turn};
    struct one_loop w;
    struct cc_explore_plan slow = {0};
    explore_one_loop(&w, platform, FRONT, N, EACH, input);
    bool slowed = w.run && w.res.plans.n &&
                  cc_explore_replay_slowed(&w.rq, &w.res, &w.res.plans.v[0], &together, &slow, &w.err) == 0;
    OK(slowed && slow.parts.n == 1, "a plan on a machine that is slower with company: %s", w.err.msg);
    for (size_t c = 0; slowed && c < CC_COUNT(few_cores); c++) {
        double n = (double)few_cores[c], alone = N / n * EACH + (n - 1) * turn * EACH;
        double want = FRONT + alone * factors[c];
        OK(fabs(slow.speedups[c].time / want - 1) < 0.01, "  on %g cores: %g, not %g", n,
           slow.speedups[c].time, want);
        OK(fabs(slow.speedups[c].speedup * want / (FRONT + N * EACH) - 1) < 0.01,
           "  which is %.2f times as fast", slow.speedups[c].speedup);
        OK(c == 0 || turn > 0 || w.res.plans.v[0].speedups[c].time < want * 0.99,
           "  the plan itself is as it was");
    }
    CC_VEC_FINI(&slow.parts);
    free_one_loop(&w);
}

int main(void)
{
    test_turns();
    test_slowed(0);
    test_slowed(0.1);
    test_pays();
    test_wave();
    test_against_brute_force();
    test_stopped();
    return TAP_DONE();
}
