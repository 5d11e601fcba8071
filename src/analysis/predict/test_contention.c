/* Burdens, latencies, bandwidth and sweeps, on traces that come from a profile. */
#include "analysis/predict/sweep.h"
#include "base/arena.h"
#include "tap.h"

#include <unistd.h>

static char cast[TAP_FOLDER], ini[TAP_FOLDER];

static void write_platform(const char *more)
{
    FILE *f = fopen(ini, "w");
    fprintf(f, "[platform]\nname = t\nsource = test\nclock_mhz = 1000\n%s", more);
    fclose(f);
}

/* main: 100 before, n iterations of 1000 with 10 reads and 500 bytes each, 100 after; one read between
 * iterations. */
static const char *counter_names[] = {"l2.read", "dram.bytes"};

static void write_trace(const char *clock, bool counters, bool burden, const char *incomplete)
{
    const char *const *names = counter_names;
    struct cc_err err = {0};
    struct cc_store *s;
    cc_store_create(cast, &s, &err);
    struct cc_tasks_writer *w = cc_tasks_writer_new(s, clock, 1e9, names, counters ? 2 : 0);
    uint32_t m = (uint32_t)cc_tasks_name(w, "main", &err), it = (uint32_t)cc_tasks_name(w, "main.i", &err);
    uint64_t t = 0, c[2] = {0, 0};
    cc_tasks_begin(w, 0, m, t, c, &err);
    t += 100;
    for (int i = 0; i < 8; i++) {
        cc_tasks_begin(w, 0, it, t, c, &err);
        c[0] += 10;
        c[1] += 500;
        cc_tasks_end(w, 0, it, t += 1000, c, &err);
        c[0] += i < 7;
    }
    cc_tasks_end(w, 0, m, t += 100, c, &err);
    if (burden) {
        cc_tasks_burden(w, it, 2, 1.5, 0.25, &err);
        cc_tasks_burden(w, it, 4, 2.5, 0, &err);
    }
    OK(cc_tasks_finish(w, 0, t, incomplete, &err) == 0 && cc_store_commit(s, &err) == 0,
       "a trace in %s is written", clock);
    cc_tasks_writer_free(w);
}

static struct cc_err last;

static bool predict(const int64_t *cores, size_t ncores, const char *const *sets, size_t nsets,
                    enum cc_contention how, struct cc_predict_result *r)
{
    static struct cc_arena arena; /* results borrow from it until the process ends */
    static struct cc_scenario *s;
    static struct cc_htg *h;
    last = (struct cc_err){0};
    const char *text = "main.i = #pragma omp parallel for\n";
    struct cc_predict_setting *settings;
    struct cc_predict_sweep w = {
        .platform = ini, .cores = cores, .ncores = ncores, .options.contention = how};
    if (cc_htg_load(cast, &(struct cc_htg_options){.any_thread = true}, &h, &last) < 0 ||
        cc_scenario_parse("s.omp", text, strlen(text), &s, &last) < 0 ||
        cc_predict_settings(sets, nsets, &arena, &settings, &w.nsettings, &last) < 0)
        return false;
    w.h = h;
    const struct cc_scenario *list[] = {s};
    w.scenarios = list;
    w.nscenarios = 1;
    w.settings = settings;
    return cc_predict_sweep_run(&w, r, &last) == 0;
}

static double time_on(int64_t cores, enum cc_contention how, int part)
{
    struct cc_predict_result r;
    if (!predict(&cores, 1, NULL, 0, how, &r)) {
        printf("# %s:%u: %s\n", last.file, last.line, last.msg);
        return -1;
    }
    const struct cc_predict_schedule *s = &r.outcomes[0].schedules[0];
    double v = part < 0 ? CC_TICKS_TO_F64(part == -1   ? s->time
                                          : part == -2 ? s->time_low
                                                       : s->time_high)
                        : s->stack[part] * s->processors;
    cc_predict_result_fini(&r);
    return v;
}

static void burdens(void)
{
    write_platform("[openmp.parallel]\n[contention]\ncompute = 1:1, 2:1.1, 4:1.2\n");
    write_trace("ns", false, true, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200, 0, "one processor: no burden");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4000 * 1.5, 0, "two: the measured factor");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, CC_PART_CONTENTION), 8000 * 0.5, 0, "its own part of the stack");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -2), 200 + 4000 * 1.25, 0, "the spread gives the low end");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -3), 200 + 4000 * 1.75, 0, "and the high end");
    OK_NEAR(time_on(4, CC_CONTENTION_AUTO, -1), 200 + 2000 * 2.5, 0, "four");
    OK_NEAR(time_on(8, CC_CONTENTION_AUTO, -1), 200 + 1000 * 4.5, 0, "eight: on beyond the last two points");
    OK_NEAR(time_on(2, CC_CONTENTION_MODEL, -1), 200 + 4000 * 1.1, 1e-2, "the platform's curve instead");
    OK_NEAR(time_on(4, CC_CONTENTION_OFF, -1), 200 + 2000, 0, "off");
    write_platform("[openmp.parallel]\nthr_launch = 10\nthr_launch_gap = 5\n");
    /* three threads with 3 3 2 iterations start at 30, 10 and 25; the third is through when the first begins
     * its last */
    OK_NEAR(time_on(3, CC_CONTENTION_AUTO, -1), 200 + 10 + 3 * 2000, 0,
            "the second thread is burdened by all");
    OK_NEAR(time_on(3, CC_CONTENTION_AUTO, CC_PART_CONTENTION), 2500 + 3000 + 2000, 0,
            "a thread that is through burdens no more");
    write_platform("[openmp.parallel]\n[contention]\ncompute = 1:1, 2:1.1, 4:1.2\n");
    write_trace("ns", false, false, NULL);
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4000 * 1.1, 1e-2, "auto without a co-run: the model");
    struct cc_predict_result r;
    OK(!predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_CORUN, &r) && strstr(last.msg, "no co-run"),
       "corun without one is an error");
}

static void memories(void)
{
    write_platform("[openmp.parallel]\n[memory.l2]\nread = 14\n");
    write_trace("cycles", true, false, NULL);
    double accesses = 8 * 10 + 7;
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + 14 * accesses, 0,
            "every counted access adds its latency, also between iterations");
    OK_NEAR(time_on(8, CC_CONTENTION_AUTO, -1), 200 + 1000 + 14 * 11, 0,
            "the longest iteration with its own");
    /* ns trace, platform in cycles of 1 ns: the same figures */
    write_platform("[openmp.parallel]\npar_open = 50\n[memory.dram]\ncurve = 1:1e9, 2:1e9, 4:1.25e9\n");
    write_trace("ns", true, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8250, 0,
            "half a byte per ns: one core is below the memory's rate");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 50 + 200 + 4000, 0, "two cores just fill it");
    OK_NEAR(time_on(4, CC_CONTENTION_AUTO, -1), 50 + 200 + 2 * (4 * 500 / 1.25), 1e-2,
            "four want 2 bytes per ns and get 1.25");
    write_platform("[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 50\n");
    write_trace("cycles", false, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8250, 0,
            "ns of the platform against cycles of the trace at 1 GHz");
}

/* Reads get slower while others read: the curve beyond its first point, for tasks that count reads. */
static void latency_curves(void)
{
    write_platform("[openmp.parallel]\n[memory.l2]\nread = 14\nlatency_curve = 1:14, 2:20, 4:30\n");
    write_trace("cycles", true, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + 14 * 87, 0, "one processor: the latency alone");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4 * (1000 + 20 * 11), 0,
            "two: every read takes as long as the curve says");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, CC_PART_CONTENTION), 6 * 87, 0, "what is added is contention");
    OK_NEAR(time_on(4, CC_CONTENTION_AUTO, -1), 200 + 2 * (1000 + 30 * 11), 0, "four");
    OK_NEAR(time_on(4, CC_CONTENTION_OFF, -1), 200 + 2 * (1000 + 14 * 11), 0, "off: the latency stays");
    write_platform(
        "[openmp.parallel]\n[memory.l2]\nlatency_curve = 1:14, 2:20\n[contention]\ncompute = 1:1, 2:1.5\n");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4 * (1500 + 6 * 11), 0, "on top of shared pipelines");
    write_platform("[openmp.parallel]\n[memory.l2]\nlatency_curve = 1:14, 2:20\n"
                   "[memory.dram]\ncurve = 1:1e9, 2:0.8e9\n");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4 * (2 * 500 / 0.8 + 6), 1e-2,
            "not on top of a bandwidth that is used up: the longer of the two");
    write_platform("[openmp.parallel]\n[memory.l2]\nlatency_curve = 2:14, 1:20\n");
    struct cc_predict_result r;
    OK(!predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_AUTO, &r) && last.line == 7 &&
           strstr(last.msg, "latency_curve"),
       "a curve that does not rise, with its line");
}

/* Pages touched for the first time: where that was, and once more at the end, when they are given back. */
static void fresh_pages(void)
{
    const char *kept = counter_names[0];
    counter_names[0] = "fresh.read";
    write_platform("[openmp.parallel]\n[memory.fresh]\nread = 14\nwrite = 5\nlatency_curve = 1:14, 2:20\n");
    write_trace("cycles", true, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + (14 + 5) * 87, 0, "one processor: there and back");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4 * (1000 + 20 * 11) + 5 * 87, 0,
            "two: shared out, and slower; giving back is not");
    write_platform("[openmp.parallel]\n[memory.dram]\nread = 10\n");
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200, 0, "a platform that does not know what they cost");
    counter_names[0] = kept;
}

/* 10 reads in 1000 cycles meet those of others in few banks. */
static void banks(void)
{
    static const int64_t two[] = {2};
    write_platform("[openmp.parallel]\n[memory.l2]\nread = 90\nbanks = 1\n");
    write_trace("cycles", true, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + 90 * 87, 0, "one processor has no conflicts");
    double base = 1000 + 90 * 10, gap = 90, load = 10 / base, gap_load = 1 / gap;
    double wait = 10 * load / (2 * (1 - load)), gap_wait = gap_load / (2 * (1 - gap_load));
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4 * (base + wait + gap + gap_wait), 0.02,
            "two: as in a queue with steady service");
    OK_NEAR(time_on(2, CC_CONTENTION_OFF, -1), 200 + 4 * (base + gap), 0, "off");
    static const char *const many[] = {"memory.l2.banks=1,2,4,8,32"};
    struct cc_predict_result r;
    bool falls = predict(two, 1, many, 1, CC_CONTENTION_AUTO, &r) && r.n == 5;
    for (size_t i = 1; falls && i < r.n; i++)
        falls = r.outcomes[i].schedules[0].time < r.outcomes[i - 1].schedules[0].time;
    OK(falls, "more banks, fewer conflicts");
    cc_predict_result_fini(&r);
    /* a bank is full: 8 processors with 8 iterations want 80 cycles of it in 60 */
    write_platform("[openmp.parallel]\n[memory.l2]\nbanks = 1\n");
    struct cc_err err = {0};
    struct cc_store *s;
    static const char *const reads[] = {"l2.read"};
    cc_store_create(cast, &s, &err);
    struct cc_tasks_writer *w = cc_tasks_writer_new(s, "cycles", 1e9, reads, 1);
    uint32_t m = (uint32_t)cc_tasks_name(w, "main", &err), it = (uint32_t)cc_tasks_name(w, "main.i", &err);
    uint64_t t = 0, c = 0;
    cc_tasks_begin(w, 0, m, t, &c, &err);
    for (int i = 0; i < 8; i++) {
        cc_tasks_begin(w, 0, it, t, &c, &err);
        c += 50;
        cc_tasks_end(w, 0, it, t += 60, &c, &err);
    }
    cc_tasks_end(w, 0, m, t, &c, &err);
    cc_tasks_finish(w, 0, t, NULL, &err);
    cc_store_commit(s, &err);
    cc_tasks_writer_free(w);
    OK(time_on(8, CC_CONTENTION_AUTO, -1) >= 8 * 50, "never faster than the banks serve");
}

/* Traces that count instructions: a tick is an instruction of so many cycles. */
static void counted(void)
{
    struct cc_predict_result r;
    write_platform("cpi = 2\n[openmp.parallel]\npar_open = 50\n[memory.l2]\nread = 14\n");
    write_trace("instructions", true, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + 25 + 7 * 87, 0,
            "two cycles an instruction: costs in cycles halve");
    OK(predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_AUTO, &r) &&
           fabs(r.outcomes[0].seconds - 2e-9) < 1e-18,
       "an instruction takes 2 ns at 1 GHz, whatever rate the recorder had");
    cc_predict_result_fini(&r);
    counter_names[0] = "mem.read"; /* what the instrumenting engines count */
    write_platform("data_memory = l1\n[openmp.parallel]\n[memory.l1]\nread = 3\n[memory.l2]\nread = 14\n");
    write_trace("instructions", true, false, NULL);
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + 3 * 87, 0,
            "all data lies in the platform's data_memory");
    write_platform("data_memory = l1\n[openmp.parallel]\n[memory.l1]\nread = 3\n[memory.mem]\nread = 5\n");
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8200 + 5 * 87, 0, "unless it has a memory of that name");
    counter_names[0] = "l2.read";
    write_trace("instructions", true, false, NULL);
    write_platform(
        "[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 50\n[memory.dram]\ncurve = 1:1e9, 2:0.8e9\n");
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -1), 8250, 0, "one cycle an instruction without");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 50 + 200 + 4 * (2 * 500 / 0.8), 1e-2,
            "counted bytes use up the bandwidth");
    bool cpi = false, l2 = false;
    OK(predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_AUTO, &r), "predicted once more");
    for (size_t i = 0; i < r.nwarnings; i++) {
        cpi = cpi || strstr(r.warnings[i], "cpi");
        l2 = l2 || strstr(r.warnings[i], "counts 'l2.read', which");
    }
    OK(cpi && l2, "both guesses are said: cycles of an instruction, and a counter of no known memory");
    cc_predict_result_fini(&r);
    write_platform(
        "[openmp.parallel]\n[memory.l2]\nread_energy = 1e-9\n[memory.dram]\nbyte_energy = 1e-11\n");
    static const int64_t four[] = {4};
    OK(predict(four, 1, NULL, 0, CC_CONTENTION_AUTO, &r), "energy of accesses");
    OK_NEAR(r.outcomes[0].schedules[0].energy.accesses, 87e-9 + 4000e-11, 1e-18,
            "every access once, however many processors");
    OK_NEAR(r.outcomes[0].energy.total, 87e-9 + 4000e-11, 1e-18, "and in the sequential run");
    cc_predict_result_fini(&r);
}

static void sweeps(void)
{
    write_platform("[openmp.parallel]\npar_open = 10\n[memory.l2]\nread = 14\n");
    write_trace("cycles", true, false, NULL);
    static const char *const sets[] = {"l2_rd=20..40:10", "overhead_scale=1,3"};
    struct cc_predict_result r = {0};
    OK(predict((const int64_t[]){1, 2}, 2, sets, 2, CC_CONTENTION_OFF, &r) && r.n == 6,
       "three latencies times two scales");
    bool right = true;
    for (size_t i = 0; i < r.n; i++) {
        double want = 8200 + (20 + 10 * (double)(i / 2)) * 87 + (i % 2 ? 30 : 10);
        right = right && CC_TICKS_TO_F64(r.outcomes[i].schedules[0].time) == want;
    }
    OK(right, "each with its own time");
    OK_STR(r.outcomes[3].setting->label, "memory.l2.read=30, openmp.scale=3", "and its label");
    cc_predict_result_fini(&r);
    static const char *const bad[][2] = {{"l2_rd", "not NAME"},        {"l2_rd=40..20", "expected"},
                                         {"l2_rd=1..2:0", "expected"}, {"l2_rd=-5", "outside"},
                                         {"nothing=3", "no key"},      {"l2_rd=0..1e9:1", "more than"},
                                         {"l2_rd=a..b", "expected"},   {"clock_mhz=0", "outside"}};
    for (size_t i = 0; i < CC_COUNT(bad); i++)
        OK(!predict((const int64_t[]){1}, 1, &bad[i][0], 1, CC_CONTENTION_OFF, &r) &&
               strstr(last.msg, bad[i][1]),
           "--set %s: %s", bad[i][0], last.msg);
    write_trace("cycles", false, false, "killed by signal 9");
    OK(!predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_OFF, &r) && strstr(last.msg, "signal 9"),
       "an incomplete trace needs --partial");
    write_platform("[unit.x]\n");
    write_trace("cycles", false, false, NULL);
    OK(!predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_OFF, &r) &&
           strstr(last.msg, "[openmp.parallel]"),
       "a platform without runtime costs");
    write_platform("[openmp.parallel]\npar_open = -3\n");
    OK(!predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_OFF, &r) && last.line == 6 &&
           strstr(last.msg, "outside"),
       "a negative cost, with its line");
    write_platform("[openmp.parallel]\n[contention]\ncompute = 1:1, 1:2\n");
    OK(!predict((const int64_t[]){1}, 1, NULL, 0, CC_CONTENTION_MODEL, &r) && last.line == 7,
       "a curve that does not rise, with its line");
}

/* Nothing tells what the program wants of a memory that was measured: anything up to all. 1.645 standard
 * deviations of 6.5 % to both sides, and twice the work on two that share what one gets. */
static void blind(void)
{
    double code = exp(1.6448536 * 0.065);
    write_platform("[openmp.parallel]\n[memory.dram]\ncurve = 1:1e9, 2:1e9, 4:2e9\n");
    write_trace("ns", false, false, NULL);
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -1), 200 + 4000, 0, "what is told has no waiting for memory");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -2), (200 + 4000) / code, 0.1, "the least: quick code alone");
    OK_NEAR(time_on(2, CC_CONTENTION_AUTO, -3), (200 + 4000) * code + 4000, 0.1,
            "the most: memory that gives two what it gives one");
    OK_NEAR(time_on(4, CC_CONTENTION_AUTO, -3), (200 + 2000) * code + 2000, 0.1, "four get twice of that");
    OK_NEAR(time_on(1, CC_CONTENTION_AUTO, -3), 8200 * code, 0.1, "one alone waits for nobody");
    OK_NEAR(time_on(2, CC_CONTENTION_OFF, -3), 200 + 4000, 0, "unless it is off");
}

int main(void)
{
    tap_file(cast);
    tap_file(ini);
    burdens();
    blind();
    memories();
    latency_curves();
    fresh_pages();
    banks();
    counted();
    sweeps();
    unlink(cast);
    unlink(ini);
    return TAP_DONE();
}
