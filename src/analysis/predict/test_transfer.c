/* DMA transfers, energy, CPUs that share a core. */
#include "test_run.h"
#include "analysis/tile/tile.h"
#include "base/rng.h"
#include "tap.h"

/* n iterations of 100 without gaps; [dma] takes a cycle for every byte. */
#define FOUR "main,0,400\nmain.i,0,100\nmain.i,100,200\nmain.i,200,300\nmain.i,300,400\n"
#define BYTE "[openmp.parallel]\n[dma]\nalpha = 1\n"
#define FOR "main.i = #pragma omp parallel for\n"

static void test_by_hand(void)
{
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(50) write(30) buffers(1)\n", 1),
            4 * (50 + 100) + 30, 0, "one buffer: read, compute, read …, writing overlaps the next read");
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(50) write(30)\n", 1), 50 + 400 + 30,
            0, "two buffers: only the first read and the last write show");
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(150) write(30)\n", 1),
            4 * 150 + 100 + 30, 0, "two buffers, bound by reading");
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(10) write(150)\n", 1),
            10 + 100 + 4 * 150, 0, "two buffers, bound by writing");
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(150)\n", 2), 4 * 150 + 100, 0,
            "two processors share one channel");
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(10)\n", 4), 4 * 10 + 100, 0,
            "four start one after the other");
    OK_NEAR(time_of(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(5*4, 3) write(2)\n", 1), 60 + 400 + 2,
            0, "lines of 20 bytes");
    OK_NEAR(time_of(FOUR,
                    "[openmp.parallel]\n[dma]\ni0 = 7\ni1 = 3\nalpha = 2\nwrite_i0 = 1\nwrite_i1 = "
                    "0\nwrite_alpha = 0.5\n",
                    FOR "main.i = #pragma corecast dma read(4, 5) write(8)\n", 1),
            (7 + 3 * 5 + 2 * 20) + 400 + (1 + 4), 0, "i0 + i1 lines + alpha bytes, writes their own");
    OK_NEAR(time_of(FOUR, BYTE, "main.i = #pragma corecast dma read(50) write(30)\n", 3), 50 + 400 + 30, 0,
            "also outside regions");
    OK_NEAR(time_of("main,0,130\nf,10,110\n", BYTE,
                    "f = #pragma corecast speedup(4)\nf = #pragma corecast dma read(20) write(5)\n", 1),
            10 + 20 + 25 + 20, 0, "a hardware block with its transfers; writing overlaps what follows it");
    OK_NEAR(time_of("main,0,100\nmain.c,0,100\n", BYTE,
                    "main = #pragma omp parallel\nmain.c = #pragma omp critical\nmain.c = #pragma corecast "
                    "dma read(20) write(5)\n",
                    3),
            20 + 3 * 105, 0, "a critical section is left when all is written; its input can come before");
    OK_NEAR(time_of("main,0,90\nmain.s,0,90\nt,0,30\nt,30,60\nt,60,90\n", BYTE,
                    "main = #pragma omp parallel\nmain.s = #pragma omp single\nt = #pragma omp task\n"
                    "t = #pragma corecast dma write(100)\n",
                    3),
            30 + 3 * 100, 0, "tasks wait for the one channel");
    struct cc_predict_schedule r;
    OK(run(FOUR, BYTE, FOR "main.i = #pragma corecast dma read(50) write(30)\n", 1, &r) == 0 && adds_up(&r),
       "the parts add up");
    OK_NEAR(r.stack[CC_PART_TRANSFER], 80, 0, "waiting for transfers is a part of its own");
    OK(r.dma.transfers == 8 && r.dma.bytes == 320 && r.dma.busy[0] == 200 && r.dma.busy[1] == 120,
       "what the DMA did is counted");
    cc_predict_schedule_fini(&r);
}

static void test_errors(void)
{
    static const struct {
        const char *scenario, *platform, *message;
    } bad[] = {
        {"main.i = #pragma corecast dma\n", BYTE, "needs read"},
        {"main.i = #pragma corecast dma read()\n", BYTE, "read"},
        {"main.i = #pragma corecast dma read(1) read(2)\n", BYTE, "twice"},
        {"main.i = #pragma corecast dma read(1) speedup(2)\n", BYTE, "does not go"},
        {"main.i = #pragma corecast dma read(-1)\n", BYTE, "outside"},
        {"main.i = #pragma corecast dma read(1) buffers(0)\n", BYTE, "outside"},
        {"main.i = #pragma corecast dma read(1) buffers(9)\n", BYTE, "outside"},
        {"main.i = #pragma corecast dma read(1)\nmain.i = #pragma corecast dma write(1)\n", BYTE,
         "contradicts"},
        {"main.i = #pragma corecast dma read(1)\n", "[openmp.parallel]\n", "no [dma]"},
        {"main.i = #pragma corecast dma read(100)\n", BYTE "limit = 64\n", "over its limit"},
        {"main.j = #pragma corecast dma read(1)\n", BYTE, "no task"},
        {FOR, BYTE "[contention]\ncompute = 1:1, 4:2\nsiblings = 0-1, 2\n", "pairs of CPUs"},
        {FOR, BYTE "[contention]\ncompute = 1:1, 4:2\nsiblings = 1-1\n", "pairs of CPUs"},
        {FOR, BYTE "[contention]\ncompute = 1:1, 4:2\nsiblings = 0-1 2-3, 4-5\n", "more CPUs"},
    };
    struct cc_predict_schedule r;
    for (size_t i = 0; i < CC_COUNT(bad); i++)
        OK(run(FOUR, bad[i].platform, bad[i].scenario, 2, &r) < 0 && last.line > 0 &&
               strstr(last.msg, bad[i].message),
           "%s:%u: %s", last.file, last.line, last.msg);
}

/* --- against plain simulations --- */

/* One processor with `n` buffers: the recurrence. */
static uint64_t one_processor(const uint64_t *len, size_t count, uint64_t rd, uint64_t wr, size_t n)
{
    uint64_t computed[64] = {0}, written[64] = {0}, rfree = 0, wfree = 0, t = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t asked = i >= n ? computed[i - n] : 0;
        uint64_t start = rd ? (rfree = CC_MAX(rfree, asked) + rd) : 0;
        start = CC_MAX(start, t);
        if (i >= n)
            start = CC_MAX(start, written[i - n]);
        t = computed[i] = start + len[i];
        written[i] = wr ? (wfree = CC_MAX(wfree, t) + wr) : t;
    }
    return CC_MAX(t, wfree);
}

/* p processors with one buffer each, dynamic: whoever is earliest does its next step. */
static uint64_t many_processors(const uint64_t *len, size_t count, uint64_t rd, uint64_t wr, unsigned p)
{
    struct {
        uint64_t time, written;
        size_t task;
        int state; /* 0 fetch, 1 read, 2 write, 3 through */
    } w[16] = {{0}};
    uint64_t rfree = 0, wfree = 0, end = 0;
    size_t next = 0;
    for (;;) {
        unsigned who = p;
        for (unsigned i = 0; i < p; i++)
            if (w[i].state < 3 && (who == p || w[i].time < w[who].time))
                who = i;
        if (who == p)
            return end;
        switch (w[who].state) {
        case 0:
            w[who].state = next < count ? 1 : 3;
            w[who].task = next++;
            if (w[who].state == 3)
                end = CC_MAX(end, CC_MAX(w[who].time, w[who].written));
            break;
        case 1:
            if (rd)
                w[who].time = rfree = CC_MAX(rfree, w[who].time) + rd;
            w[who].time = CC_MAX(w[who].time, w[who].written) + len[w[who].task];
            w[who].state = 2;
            break;
        default:
            if (wr)
                w[who].written = wfree = CC_MAX(wfree, w[who].time) + wr;
            w[who].state = 0;
        }
    }
}

static char *loop_csv(const uint64_t *len, size_t n)
{
    struct cc_buf b = {0};
    uint64_t t = 0;
    for (size_t i = 0; i < n; t += len[i++])
        cc_buf_printf(&b, "main.i,%llu,%llu\n", (unsigned long long)t, (unsigned long long)(t + len[i]));
    cc_buf_printf(&b, "main,0,%llu\n", (unsigned long long)t);
    return b.s;
}

static int by_channel_and_start(const void *a, const void *b)
{
    const struct cc_predict_segment *x = a, *y = b;
    if (x->processor != y->processor)
        return x->processor < y->processor ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* No processor or channel does two things at once. */
static bool no_overlap(struct cc_predict_schedule *r)
{
    qsort(r->segments, r->nsegments, sizeof *r->segments, by_channel_and_start);
    for (size_t i = 1; i < r->nsegments; i++)
        if (r->segments[i].processor == r->segments[i - 1].processor &&
            r->segments[i].start < r->segments[i - 1].end)
            return false;
    return true;
}

static void test_random(void)
{
    struct cc_rng seed = {11};
    unsigned wrong = 0, overlaps = 0, bounds = 0, cases = 0;
    for (int round = 0; round < 1500; round++) {
        uint64_t len[40], work = 0, longest = 0;
        size_t n = 1 + cc_rng_below(&seed, 40);
        for (size_t i = 0; i < n; i++) {
            work += len[i] = 1 + cc_rng_below(&seed, 300);
            longest = CC_MAX(longest, len[i]);
        }
        uint64_t rd = cc_rng_below(&seed, 3) ? cc_rng_below(&seed, 200) : 0;
        uint64_t wr = cc_rng_below(&seed, 3) ? cc_rng_below(&seed, 200) : 0;
        unsigned p = 1 + (unsigned)cc_rng_below(&seed, 6), buffers = 1 + (unsigned)cc_rng_below(&seed, 4);
        char *csv = loop_csv(len, n);
        char *s = cc_asprintf("main.i = #pragma omp parallel for schedule(dynamic)\n"
                              "main.i = #pragma corecast dma read(%llu) write(%llu) buffers(%u)\n",
                              (unsigned long long)rd, (unsigned long long)wr, buffers);
        struct cc_predict_schedule r;
        if (run_with(&(struct test_run){.segments = true}, csv, BYTE, s, p, &r) < 0) {
            printf("# %s\n", last.msg);
            wrong++;
        } else {
            double got = adds_up(&r) ? CC_TICKS_TO_F64(r.time) : -1;
            if (p == 1 || buffers == 1) {
                cases++;
                uint64_t want =
                    p == 1 ? one_processor(len, n, rd, wr, buffers) : many_processors(len, n, rd, wr, p);
                if (got != (double)want && wrong++ < 3)
                    printf("# n %zu p %u rd %llu wr %llu buffers %u: got %g, want %llu\n", n, p,
                           (unsigned long long)rd, (unsigned long long)wr, buffers, got,
                           (unsigned long long)want);
            }
            overlaps += !no_overlap(&r);
            double least = fmax(fmax((double)work / p, (double)(rd * n + 1)), (double)(wr * n + 1));
            bounds += got < least || got > (double)((rd + wr) * n + work);
            bounds += r.dma.busy[0] != (double)(rd * n) || r.dma.busy[1] != (double)(wr * n);
            cc_predict_schedule_fini(&r);
        }
        free(csv);
        free(s);
    }
    OK(wrong == 0 && cases > 400, "%u random loops with transfers equal plain simulations", cases);
    OK(overlaps == 0, "no channel and no processor does two things at once");
    OK(bounds == 0, "never faster than work, reads or writes allow, nor slower than one after the other");
}

/* The pipeline of tiles (read, compute, write) that `tile` simulates is a loop with transfers. */
static void test_tiles(void)
{
    struct cc_rng seed = {23};
    unsigned wrong = 0, cases = 0;
    for (int round = 0; round < 600; round++) {
        unsigned p = 1 + (unsigned)cc_rng_below(&seed, 5), n = 1 + (unsigned)cc_rng_below(&seed, 20);
        double rd = (double)cc_rng_below(&seed, 8), wr = (double)cc_rng_below(&seed, 8);
        unsigned len = 10 * (1 + (unsigned)cc_rng_below(&seed, 20));
        bool twice = cc_rng_below(&seed, 2);
        struct cc_dma dma = {{.line.alpha = rd, .limit = INFINITY}, {.line.alpha = wr, .limit = INFINITY}};
        struct cc_tile_problem problem = {.image_w = 10 * n,
                                          .image_h = 1,
                                          .kernel_w = 1,
                                          .kernel_h = 1,
                                          .in_bytes = 1,
                                          .out_bytes = 1,
                                          .planes = 1,
                                          .kernel_time = len / 10.0,
                                          .cores = p,
                                          .memory = INFINITY,
                                          .double_buffer = twice,
                                          .blocking_writes = true,
                                          .align = 1,
                                          .dma = &dma};
        struct cc_tiling tiles;
        struct cc_tile_run simulated;
        if (!cc_tile_build(&problem, 10, 1, &tiles))
            continue;
        cc_tile_simulate(&problem, &tiles, NULL, NULL, &simulated);
        uint64_t lens[20];
        for (unsigned i = 0; i < n; i++)
            lens[i] = len;
        char *csv = loop_csv(lens, n);
        char *ini = cc_asprintf("[openmp.parallel]\n[dma]\nalpha = %g\nwrite_alpha = %g\n", rd, wr);
        char *s = cc_asprintf("main.i = #pragma omp parallel for schedule(static, 1)\n"
                              "main.i = #pragma corecast dma read(10) write(10) buffers(%d)\n",
                              twice ? 2 : 1);
        double got = time_of(csv, ini, s, p);
        cases++;
        if (fabs(got - simulated.time) > 1e-6 && wrong++ < 5)
            printf("# p %u n %u read %g compute %u write %g %s: %g, tile %g\n", p, n, rd * 10, len, wr * 10,
                   twice ? "double" : "single", got, simulated.time);
        free(csv);
        free(ini);
        free(s);
    }
    OK(wrong == 0 && cases > 500, "%u pipelines of tiles take as long as in the simulation of 'tile'", cases);
}

/* --- energy --- */

#define JOULES                                                                                               \
    "[openmp.parallel]\npar_open = 10\n[energy]\nbusy_cycle = 2e-9\nidle_cycle = 0.5e-9\nidle = 0.25\nbyte " \
    "= 1e-11\n[dma]\nalpha = 1\n"

static void test_energy(void)
{
    struct cc_predict_schedule r;
    /* 50 before, two iterations of 100, on two processors: 10 to open */
    const char *csv = "main,0,250\nmain.i,50,150\nmain.i,150,250\n";
    OK(run(csv, JOULES, FOR, 2, &r) == 0 && r.energy.known, "a platform with energy");
    OK_NEAR(CC_TICKS_TO_F64(r.time), 160, 0, "160 cycles");
    OK_NEAR(r.energy.busy, (50 + 10 + 200) * 2e-9, 1e-18,
            "at work: the sequential part, the runtime, the loop");
    OK_NEAR(r.energy.waiting, (2 * 160 - 260) * 0.5e-9, 1e-18, "the other processor rests until then");
    OK_NEAR(r.energy.fixed, 0.25 * 160e-9, 1e-18, "the chip at rest, all the time");
    OK_NEAR(r.energy.total, r.energy.busy + r.energy.waiting + r.energy.fixed, 1e-18, "nothing else");
    cc_predict_schedule_fini(&r);
    OK(run(csv, JOULES, FOR "main.i = #pragma corecast dma read(30) write(20)\n", 2, &r) == 0,
       "with transfers");
    OK_NEAR(r.energy.transfers, 100 * 1e-11, 1e-18, "every byte moved counts");
    OK_NEAR(r.energy.busy, (50 + 10 + 200) * 2e-9, 1e-18, "waiting for them is not work");
    cc_predict_schedule_fini(&r);
    OK(run(csv, BYTE, FOR, 2, &r) == 0 && !r.energy.known, "a platform that tells none");
    cc_predict_schedule_fini(&r);
}

/* --- CPUs that share a core --- */

static void test_siblings(void)
{
    const char *eight = "main,0,8000\nmain.i,0,1000\nmain.i,1000,2000\nmain.i,2000,3000\nmain.i,3000,4000\n"
                        "main.i,4000,5000\nmain.i,5000,6000\nmain.i,6000,7000\nmain.i,7000,8000\n";
    const char *all = "[openmp.parallel]\n[contention]\ncompute = 1:1, 2:1.5, 4:1.5\nsiblings = 0-2, 1-3\n";
    OK_NEAR(time_of(eight, all, FOR, 1), 8000, 0, "one processor has no busy sibling");
    OK_NEAR(time_of(eight, all, FOR, 2), 4000, 0, "two of four CPUs are more likely apart than not");
    OK_NEAR(time_of(eight, all, FOR, 4), 2 * 1500, 0, "all four: everybody's sibling is busy");
    OK_NEAR(time_of(eight, all, FOR, 8), 1500, 0, "a larger machine of that kind");
    /* three: one pair, the first and the last; 3 3 2 iterations, the last is through at 3000 */
    OK_NEAR(time_of(eight, all, "main.i = #pragma omp parallel for schedule(dynamic)\n", 3), 4500, 0,
            "three: two share a core, the third does more of a dynamic loop");
    const char *some = "[openmp.parallel]\n[contention]\ncompute = 1:1, 4:1.2\nsiblings = 0-1\n";
    OK_NEAR(time_of(eight, some, FOR, 4), 2 * (1 + 0.2 * 4 / 2) * 1000, 1e-2,
            "one pair of four: the mean of 1.2 is 1.4 for two and 1 for two");
}

int main(void)
{
    test_by_hand();
    test_errors();
    test_random();
    test_tiles();
    test_energy();
    test_siblings();
    return TAP_DONE();
}
