/* Intervals: what copies of a co-run tell about processors, and what draws make of it. */
#include "test_run.h"
#include "analysis/predict/draws.h"
#include "analysis/predict/local.h"
#include "analysis/predict/replay.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>

#define FREE "[openmp.parallel]\n"
enum { TASKS = 64, LENGTH = 10000 };

static char csv[TASKS * 40];

static void make_csv(void)
{
    size_t at = 0;
    for (int i = 0; i < TASKS; i++)
        at += (size_t)snprintf(csv + at, sizeof csv - at, "it,%d,%d\n", i * LENGTH, (i + 1) * LENGTH);
}

/* With eight at work, half of the copies take twice as long, as on a machine with two threads on each core.
 */
static void give_copies(struct cc_htg *h)
{
    static const double half[] = {1, 1, 1, 1, 2, 2, 2, 2};
    static const struct cc_tasks_copies copies[] = {{0, 8, half, CC_COUNT(half)}};
    static const struct cc_tasks_burden burden[] = {{0, 8, 1.5, 0.5}};
    h->copies = copies;
    h->ncopies = 1;
    h->burdens = burden;
    h->nburdens = 1;
}

static struct cc_predict_schedule predicted(const char *scenario, double coverage, unsigned processors)
{
    struct cc_predict_schedule r = {0};
    const struct test_run t = {.options.coverage = coverage, .change = give_copies};
    OK(run_with(&t, csv, FREE, scenario, processors, &r) == 0 && adds_up(&r), "%u processors, %s%s",
       processors, scenario, last.msg);
    return r;
}

/* In how many tasks' lengths. */
static double in_tasks(cc_ticks t)
{
    return CC_TICKS_TO_F64(t) / LENGTH;
}

static void test_stragglers(void)
{
    static const char *const fixed = "it = #pragma omp parallel for schedule(static)\n",
                             *const dynamic = "it = #pragma omp parallel for schedule(dynamic)\n";
    struct cc_predict_schedule s = predicted(fixed, 0.9, 8), d = predicted(dynamic, 0.9, 8),
                               one = predicted(fixed, 0.9, 1);
    /* Eight tasks each, and four slow processors, say: after 8 the fast ones are done and the slow ones half;
     * four at work take 1 + 3/7 times as long as one, so the rest takes 4 (1 + 3/7). Dynamic: 64 tasks on 4 +
     * 4/2. All give or take how many are slow, the code and the shares. */
    OK(in_tasks(s.time) > 12.7 && in_tasks(s.time) < 15, "a static loop waits for the slowest: %.2f of 13.7",
       in_tasks(s.time));
    OK(in_tasks(d.time) > 9.5 && in_tasks(d.time) < 12.5, "a dynamic one gives it less: %.2f of 11",
       in_tasks(d.time));
    OK(in_tasks(one.time) > 62 && in_tasks(one.time) < 66, "one processor has no others: %.2f of 64",
       in_tasks(one.time));
    OK(s.coverage == 0.9 && s.time_low < s.time && s.time < s.time_high, "an interval of stated coverage");
    OK(in_tasks(s.time_high) < 24, "that is no wider than what was seen: up to %.1f", in_tasks(s.time_high));
    struct cc_predict_schedule narrow = predicted(fixed, 0.5, 8);
    OK(narrow.time == s.time && narrow.time_low >= s.time_low && narrow.time_high <= s.time_high &&
           narrow.time_high - narrow.time_low < s.time_high - s.time_low,
       "half of the draws lie in less than nine tenths of them do");
    cc_predict_schedule_fini(&s);
    cc_predict_schedule_fini(&d);
    cc_predict_schedule_fini(&one);
    cc_predict_schedule_fini(&narrow);
}

/* The same draws give the same answer; without copies there are none. */
static void test_repeats(void)
{
    static const char *const fixed = "it = #pragma omp parallel for schedule(static)\n";
    struct cc_predict_schedule a = predicted(fixed, 0, 4), b = predicted(fixed, 0, 4), plain;
    OK(a.time == b.time && a.time_low == b.time_low && a.time_high == b.time_high && a.coverage == 0.9,
       "predictions repeat, nine tenths if nothing is asked for");
    OK(run(csv, FREE, fixed, 4, &plain) == 0 && plain.coverage == 0 && plain.time_low == plain.time_high,
       "without a co-run nothing is known about processors");
    OK_NEAR(in_tasks(plain.time), 16, 1e-9, "and they are alike");
    const struct test_run off = {.options.contention = CC_CONTENTION_OFF, .change = give_copies};
    cc_predict_schedule_fini(&b);
    OK(run_with(&off, csv, FREE, fixed, 4, &b) == 0 && b.time == plain.time,
       "nor does it count when it is not to");
    cc_predict_schedule_fini(&a);
    cc_predict_schedule_fini(&b);
    cc_predict_schedule_fini(&plain);
}

/* Of n times, the interval at coverage c leaves (1 - c) / 2 of n + 1 on either side. */
static void test_quantiles(void)
{
    cc_ticks t[39], low, high;
    struct cc_rng rng = {.state = 5};
    for (int i = 0; i < 39; i++)
        t[i] = (i + 1) * 1000;
    for (int i = 38; i > 0; i--) {
        size_t k = cc_rng_below(&rng, (size_t)i + 1);
        cc_ticks x = t[i];
        t[i] = t[k];
        t[k] = x;
    }
    cc_draw_interval(t, 39, 0.9, &low, &high);
    OK(low == 2000 && high == 38000, "nine tenths of 39: from the 2nd to the 38th");
    cc_draw_interval(t, 39, 0.5, &low, &high);
    OK(low == 10000 && high == 30000, "half: from the 10th to the 30th");
    cc_draw_interval(t, 39, 0.999, &low, &high);
    OK(low == 1000 && high == 39000, "all there are");
    cc_draw_interval(t, 1, 0.9, &low, &high);
    OK(low == t[0] && high == t[0], "of one, itself");
    bool among =
        cc_draw_is_among(t, 39, 10000) && cc_draw_is_among(t, 39, 20000) && cc_draw_is_among(t, 39, 30000);
    OK(among && !cc_draw_is_among(t, 39, 9999) && !cc_draw_is_among(t, 39, 30001),
       "the middle half of 39 is from the 10th to the 30th");
}

/* Few draws, but none lie to one side: as many above as below, as far, in every cause. */
static void test_even(void)
{
    struct cc_predict_model m = {0};
    double above[4] = {0};
    unsigned more[4] = {0};
    struct draw d;
    cc_draw_init(&d, 1);
    for (int i = 0; i < CC_DRAWS; i++) {
        cc_draw_next(&d, &m, 1, i, &(struct cc_rng){.state = (uint64_t)i});
        double v[] = {d.overhead, d.waiting, d.beyond, d.lock};
        for (size_t k = 0; k < CC_COUNT(v); k++) {
            above[k] += log(v[k]);
            more[k] += v[k] > 1 + 1e-9;
        }
    }
    cc_draw_fini(&d);
    for (size_t k = 0; k < CC_COUNT(above); k++)
        OK(fabs(above[k]) < 1e-9 && more[k] == CC_DRAWS / 2, "%u of %d draws are above, by as much: %g",
           more[k], CC_DRAWS, above[k]);
}

/* Ticks are rounded as the C library does it. */
static void test_rounding(void)
{
    static const double ends[] = {
        0, 0.49999999999999994, 0.5, 1.5, 2.5, 4503599627370495.5, 4503599627370497, 1e18};
    struct cc_rng r = {.state = 3};
    unsigned right = 0, all = 0;
    for (size_t i = 0; i < CC_COUNT(ends); i++, all += 2)
        right += (cc_ticks_of(ends[i]) == llround(ends[i])) + (cc_ticks_of(-ends[i]) == llround(-ends[i]));
    for (unsigned i = 0; i < 10000; i++, all++) {
        double v = (double)(int64_t)cc_rng_below(&r, 1 << 20) / (1 << cc_rng_below(&r, 20)) - 1000;
        right += cc_ticks_of(v) == llround(v);
    }
    OK(right == all, "ticks are rounded to the nearest (%u of %u)", right, all);
}

/* The gap before a task is code of the task around it, whose stores are those of bytes. */
static void test_gap_stores(void)
{
    struct cc_htg_node nodes[] = {{.len = 20, .next = 2, .name = 0},
                                  {.gap = 5, .len = 10, .next = 2, .name = 1}};
    struct cc_htg h = {.nodes = nodes, .nnodes = 2};
    double work[2] = {0}, store[] = {1, 8};
    uint64_t start[] = {0, 5};
    size_t noted = 0;
    struct local l = {.h = &h, .start = start, .store = store};
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++)
        l.work[k] = work;
    struct local_run r = {.l = &l, .last = &noted};
    struct cc_locality_visit none = {0};
    OK(cc_local_note(&r, 0, 0, false, none, (struct local_code){1, 0, PIECE_GAP, 0, 1}) &&
           cc_local_note(&r, 0, 5, false, none, (struct local_code){1, 1, PIECE_TAIL, 0, 1}),
       "a gap and the task behind it are noted");
    OK_NEAR(r.pieces.v[0].store, 1, 0, "a gap's stores are those of the task around it");
    OK_NEAR(r.pieces.v[1].store, 8, 0, "a task's its own");
    CC_VEC_FINI(&r.pieces);
    CC_VEC_FINI(&r.node);
    CC_VEC_FINI(&r.kind);
    CC_VEC_FINI(&r.part);
}

/* Threads that are let go at the same moment: with the trace of lines all orders come about, each as often.
 */
static void test_orders(void)
{
    enum { N = 3, TIMES = 6000 };
    struct strand s[N] = {0}, *v[N] = {&s[0], &s[1], &s[2]};
    struct local_run lines = {0};
    struct engine e = {0};
    unsigned seen[N * N * N] = {0}, orders = 0, least = TIMES;
    cc_eng_shuffle(&e, v, N);
    OK(v[0] == &s[0] && v[1] == &s[1] && v[2] == &s[2] && !s[2].order, "else they stay as they are");
    e.local = &lines;
    for (unsigned i = 0; i < TIMES; i++) {
        cc_eng_shuffle(&e, v, N);
        seen[s[0].order + N * s[1].order + N * N * s[2].order]++;
    }
    for (unsigned i = 0; i < CC_COUNT(seen); i++)
        if (seen[i]) {
            orders++;
            least = CC_MIN(least, seen[i]);
        }
    OK(orders == 6, "three threads have six orders (%u)", orders);
    OK(least > 900, "each a sixth of the times (%u of %d at least)", least, TIMES);
    for (unsigned i = 0; i < N; i++)
        OK(v[i]->order == i, "in the order in which they are to be let go");
}

/* What lets a lock go waits for what was stored before it, whether anybody waits for the lock or not. */
static void test_publishing(void)
{
    struct cc_locality_piece piece = {0};
    size_t noted = 1;
    struct local_run lines = {.last = &noted};
    struct strand s = {0};
    struct engine e = {.nprocs = 1, .local = &lines};
    CC_VEC_PUSH(&lines.pieces, piece);
    cc_eng_publish(&e, &s);
    OK(!lines.pieces.v[0].published, "where pieces are not noted, nothing is");
    lines.log = true;
    cc_eng_publish(&e, &s);
    OK(lines.pieces.v[0].published, "on one processor, too");
    CC_VEC_FINI(&lines.pieces);
}

int main(void)
{
    make_csv();
    test_publishing();
    test_orders();
    test_gap_stores();
    test_rounding();
    test_even();
    test_stragglers();
    test_repeats();
    test_quantiles();
    return TAP_DONE();
}
