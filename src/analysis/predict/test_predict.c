#include "test_run.h"
#include "analysis/predict/model.h"
#include "tap.h"

/* --- making inputs --- */

#define FREE_RUNTIME "[openmp.parallel]\n"

/* Distinct primes for every cost of every column, so that a wrong count shows. */
static unsigned prime(unsigned i)
{
    unsigned n = 101;
    for (unsigned k = 0;; n += 2) {
        bool is = true;
        for (unsigned d = 3; d * d <= n; d += 2)
            is = is && n % d;
        if (is && k++ == i)
            return n;
    }
}

static unsigned cost(enum column column, enum cost c)
{
    return c == COST_FOR_NEXT_CHUNK_SERIAL || c == COST_BARRIER_THREAD ? 0
                                                                       : prime((unsigned)column * NCOSTS + c);
}

static char *prime_costs(void)
{
    static const enum cc_num_key keys[] = {
#define X(id) CC_NUM_COST_##id,
        CC_COSTS(X)
#undef X
    };
    static const char *const sections[] = {"parallel", "static", "dynamic", "guided"};
    struct cc_buf b = {0};
    for (int column = 0; column < NCOLUMNS; column++) {
        cc_buf_printf(&b, "[openmp.%s]\n", sections[column]);
        for (int c = 0; c < NCOSTS; c++)
            cc_buf_printf(&b, "%s = %u\n", cc_platform_key_name(keys[c]),
                          cost((enum column)column, (enum cost)c));
    }
    return b.s;
}

/* main with a prologue of 7, iterations of the given lengths (3 apart), an epilogue of 11. */
static char *loop_csv(const uint64_t *len, size_t n)
{
    struct cc_buf b = {0};
    uint64_t t = 7;
    for (size_t i = 0; i < n; i++) {
        cc_buf_printf(&b, "main.i,%llu,%llu\n", (unsigned long long)t, (unsigned long long)(t + len[i]));
        t += len[i] + 3;
    }
    cc_buf_printf(&b, "main,0,%llu\n", (unsigned long long)(t - 3 + 11));
    return b.s;
}

static uint64_t rnd(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* --- static loops by hand --- */

static void test_static(void)
{
    const uint64_t len[] = {10, 20, 30, 40, 50};
    char *csv = loop_csv(len, 5);
    const char *s = "main.i = #pragma omp parallel for schedule(static)\n",
               *s1 = "main.i = #pragma omp parallel for schedule(static,1)\n";
    /* the gap of 3 before an iteration but the first belongs to it: 10 23 33 43 53 */
    OK_NEAR(time_of(csv, FREE_RUNTIME, s, 1), 7 + 162 + 11, 0,
            "one processor without costs: the sequential time");
    OK_NEAR(time_of(csv, FREE_RUNTIME, s, 2), 7 + (43 + 53) + 11, 0, "blocks of 3 and 2");
    OK_NEAR(time_of(csv, FREE_RUNTIME, s, 4), 7 + 53 + 11, 0, "blocks of 2 1 1 1");
    OK_NEAR(time_of(csv, FREE_RUNTIME, s1, 2), 7 + (10 + 33 + 53) + 11, 0, "round robin on 2");
    OK_NEAR(time_of(csv, FREE_RUNTIME, s1, 3), 7 + (23 + 53) + 11, 0, "round robin on 3");
    struct cc_predict_schedule r;
    OK(run(csv, FREE_RUNTIME, s, 8, &r) == 0 && adds_up(&r), "eight processors for five iterations");
    OK_NEAR(r.stack[CC_PART_LIMITED] * 8, 3 * 53, 0, "three processors find no chunk: limited parallelism");
    OK_NEAR(r.stack[CC_PART_IMBALANCE] * 8, 5 * 53 - 162, 0, "the others wait for the longest: imbalance");
    OK_NEAR(r.stack[CC_PART_PROCESSING] * 8, 162, 0, "processing is the loop");
    OK_NEAR(r.stack[CC_PART_SEQUENTIAL], 18, 0, "sequential part");
    OK_NEAR(r.amdahl, 180.0 / (18 + 162.0 / 8), 1e-12, "Amdahl's bound");
    OK(r.nregions == 1 && r.regions[0].calls == 1 && strcmp(r.regions[0].path, "main > main.i") == 0,
       "one region: %s", r.regions[0].path);
    OK_NEAR(r.regions[0].time, 53, 0, "its time");
    cc_predict_schedule_fini(&r);
    OK_NEAR(time_of(csv, FREE_RUNTIME, "main.i = #pragma omp parallel for num_threads(2)\n", 8), 7 + 96 + 11,
            0, "num_threads limits the team");
    OK_NEAR(time_of(csv, FREE_RUNTIME,
                    "main = #define N 1+1\nmain.i = #pragma omp parallel for num_threads(N*2/2)\n", 8),
            7 + 96 + 11, 0, "a #define is put in as a value");
    OK_NEAR(time_of(csv, FREE_RUNTIME, "main.i = #pragma omp parallel for if(omp_get_num_procs() > 8)\n", 8),
            180, 0, "if(false) leaves one thread");
    free(csv);
}

/* --- every cost as often as the model says --- */

#define C(col, id) ((double)cost(COL_##col, COST_##id))

static void code_for_threads(struct cc_htg *h)
{
    h->threaded = true;
}

/* Recorded code that shares out static loops itself: that is not charged again; dynamic ones still ask. */
static void test_threaded(const char *csv, const char *costs)
{
    static const struct test_run threaded = {.change = code_for_threads};
    static const struct {
        const char *scenario;
        double less;
    } loops[] = {{"main.i = #pragma omp parallel for\n", 1},
                 {"main.i = #pragma omp parallel for schedule(dynamic)\n", 0}};
    double less = C(STATIC, FOR_PROLOGUE) + C(STATIC, FOR_NEXT_CHUNK) + 5 * C(STATIC, FOR_GAP);
    for (size_t i = 0; i < CC_COUNT(loops); i++) {
        struct cc_predict_schedule out = {0};
        OK(run_with(&threaded, csv, costs, loops[i].scenario, 1, &out) == 0 &&
               CC_TICKS_TO_F64(out.time) == time_of(csv, costs, loops[i].scenario, 1) - loops[i].less * less,
           "code for threads: %s", loops[i].scenario);
        cc_predict_schedule_fini(&out);
    }
}

/* A loop of six equal iterations. */
static void test_static_costs(const char *csv, const char *costs)
{
    for (unsigned p = 1; p <= 3; p++) {
        /* combined static, chunk 1: 6/p chunks each; the master is last to start and all are equal, so it is
         * last */
        double open = C(STATIC, PAR_OPEN) + (p == 1 ? C(STATIC, PAR_ALONE) : 0) +
                      (p - 1) * (C(STATIC, THR_CREATE) + C(STATIC, THR_CREATE_GAP) + C(STATIC, THR_LAUNCH) +
                                 C(STATIC, THR_LAUNCH_GAP)) +
                      C(STATIC, THR_LAUNCH_MASTER);
        double each = C(STATIC, THR_PROLOGUE) + C(STATIC, FOR_PROLOGUE) +
                      6.0 / p * (C(STATIC, FOR_NEXT_CHUNK) + 1000) + C(STATIC, FOR_EPILOGUE) +
                      C(STATIC, THR_EPILOGUE);
        double gaps =
            3 * (6.0 / p - 1); /* iteration 0 is the master's: it has one gap less than the others */
        double close = C(STATIC, THR_FREE_MASTER) + (p - 1) * C(STATIC, THR_FREE) + C(STATIC, PAR_CLOSE);
        OK_NEAR(time_of(csv, costs, "main.i = #pragma omp parallel for schedule(static,1)\n", p),
                18 + open + each + gaps + close, 0, "static,1 on %u: every cost counted", p);
        /* blocks: one chunk, for_gap between its iterations */
        each = C(STATIC, THR_PROLOGUE) + C(STATIC, FOR_PROLOGUE) + C(STATIC, FOR_NEXT_CHUNK) +
               6.0 / p * 1000 + (6.0 / p - 1) * (C(STATIC, FOR_GAP) + 3) + C(STATIC, FOR_EPILOGUE) +
               C(STATIC, THR_EPILOGUE);
        OK_NEAR(time_of(csv, costs, "main.i = #pragma omp parallel for\n", p), 18 + open + each + close, 0,
                "static blocks on %u", p);
        /* a thread combines its 6 values alone, under the lock of a critical section; the workers started
         * earlier, but one gap more is theirs */
        double red = C(PARALLEL, CRITICAL_OVH) + 6 * C(STATIC, REDUCTION_VALUE);
        double lead = p == 1 ? 0
                             : C(STATIC, THR_LAUNCH_GAP) + C(STATIC, THR_LAUNCH_MASTER) +
                                   (p - 2) * (C(STATIC, THR_LAUNCH) + C(STATIC, THR_LAUNCH_GAP)) - 3;
        OK_NEAR(time_of(csv, costs, "main.i = #pragma omp parallel for reduction(+:a,b[:5])\n", p),
                18 + open + each + close - lead + p * red, 0,
                "a reduction of 6 values on %u: one thread after the other", p);
    }
}

static void test_chunk_costs(const char *csv, const char *costs)
{
    /* dynamic on one processor */
    double one = C(DYNAMIC, PAR_OPEN) + C(DYNAMIC, PAR_ALONE) + C(DYNAMIC, THR_LAUNCH_MASTER) +
                 C(DYNAMIC, THR_PROLOGUE) + C(DYNAMIC, FOR_PROLOGUE) + 3 * C(DYNAMIC, FOR_NEXT_CHUNK) +
                 3 * C(DYNAMIC, FOR_GAP) + 6000 + 15 + C(DYNAMIC, FOR_EPILOGUE) + C(DYNAMIC, THR_EPILOGUE) +
                 C(DYNAMIC, THR_FREE_MASTER) + C(DYNAMIC, PAR_CLOSE);
    OK_NEAR(time_of(csv, costs, "main.i = #pragma omp parallel for schedule(dynamic, 2)\n", 1), 18 + one, 0,
            "dynamic,2 on one processor");
    double guided = C(GUIDED, PAR_OPEN) + C(GUIDED, PAR_ALONE) + C(GUIDED, THR_LAUNCH_MASTER) +
                    C(GUIDED, THR_PROLOGUE) + C(GUIDED, FOR_PROLOGUE) + C(GUIDED, FOR_NEXT_CHUNK) +
                    5 * C(GUIDED, FOR_GAP) + 6000 + 15 + C(GUIDED, FOR_EPILOGUE) + C(GUIDED, THR_EPILOGUE) +
                    C(GUIDED, THR_FREE_MASTER) + C(GUIDED, PAR_CLOSE);
    OK_NEAR(time_of(csv, costs, "main.i = #pragma omp parallel for schedule(guided)\n", 1), 18 + guided, 0,
            "guided on one processor: one chunk");
}

static void test_region_costs(const char *costs)
{
    /* parallel with a loop, a barrier, a critical, a single inside; two threads, all replicated code equal */
    const char *body = "main,0,1000\nmain.par,100,900\nmain.it,200,300\nmain.it,300,400\nmain.bar,450,"
                       "460\nmain.crit,500,550\nmain.single,600,700\nmain.master,750,800\n";
    const char *s = "main.par = #pragma omp parallel\nmain.it = #pragma omp for schedule(static,1)\nmain.bar "
                    "= #pragma omp barrier\n"
                    "main.crit = #pragma omp critical(x)\nmain.single = #pragma omp single\nmain.master = "
                    "#pragma omp master\n";
    double start0 = 100 + C(PARALLEL, PAR_OPEN) + C(PARALLEL, THR_CREATE) + C(PARALLEL, THR_CREATE_GAP) +
                    C(PARALLEL, THR_LAUNCH) + C(PARALLEL, THR_LAUNCH_GAP) + C(PARALLEL, THR_LAUNCH_MASTER);
    double t = start0 + C(PARALLEL, THR_PROLOGUE) + 100 + C(STATIC, FOR_PROLOGUE) +
               C(STATIC, FOR_NEXT_CHUNK) + 100 + C(STATIC, FOR_EPILOGUE); /* master last at the loop's end */
    t += 50 + C(PARALLEL, BARRIER_OVH) + 10;                              /* 400..450, barrier, its task */
    t += 40 + 2 * (C(PARALLEL, CRITICAL_OVH) + 50);                       /* both at once: the second waits */
    double first = t - (C(PARALLEL, CRITICAL_OVH) + 50); /* the first comer gets the single 50 later */
    t = fmax(first + 50 + 100, t + 50) + C(PARALLEL, BARRIER_OVH); /* single's barrier */
    t += 50 + 50 + 100 + C(PARALLEL, THR_EPILOGUE); /* 700..750, master, 800..900; the master is last */
    t += C(PARALLEL, THR_FREE_MASTER) + C(PARALLEL, THR_FREE) + C(PARALLEL, PAR_CLOSE) + 100;
    OK_NEAR(time_of(body, costs, s, 2), t, 0,
            "parallel, for, barrier, critical, single, master together on 2");
}

static void test_primes(void)
{
    char *costs = prime_costs();
    const uint64_t len[] = {1000, 1000, 1000, 1000, 1000, 1000};
    char *csv = loop_csv(len, 6);
    test_static_costs(csv, costs);
    test_threaded(csv, costs);
    test_chunk_costs(csv, costs);
    test_region_costs(costs);
    free(csv);
    free(costs);
}

/* --- each directive by itself, without runtime costs --- */

static const char two_loops[] = "main,0,80\na.i,0,30\na.i,30,40\nb.i,40,50\nb.i,50,80\n";
static const char ordered_loop[] =
    "main,0,60\nl.i,0,15\nl.o,10,15\nl.i,15,30\nl.o,25,30\nl.i,30,45\nl.o,40,45\nl.i,45,60\nl.o,55,60\n";
static const char nested_loops[] =
    "main,0,60\no.i,0,30\no.j,0,10\no.j,10,20\no.j,20,30\no.i,30,60\no.j,30,40\no.j,40,50\no.j,50,60\n";
static const char three_tasks[] = "main,0,90\nmain.s,0,90\nt,0,30\nt,30,60\nt,60,90\n";
static const char as_tasks[] =
    "main = #pragma omp parallel\nmain.s = #pragma omp single\nt = #pragma omp task\n";
static const char task_costs[] = "[openmp.parallel]\ntask_create = 7\ntask_start = 3\n";
static const char recursion[] = "main,0,100\nf,0,50\ng,0,20\ng,20,40\nf.w,40,50\nmain.end,50,100\n";

static const struct {
    const char *csv, *costs, *scenario;
    unsigned processors;
    double time;
    const char *what;
} directive_cases[] = {
    {"main,0,100\nmain.p,10,60\n", FREE_RUNTIME, "main.p = #pragma omp parallel\n", 4, 100,
     "replicated code gains nothing"},
    {"main,0,100\nmain.c,0,100\n", FREE_RUNTIME,
     "main = #pragma omp parallel\nmain.c = #pragma omp critical\n", 4, 400,
     "a critical on 4 threads takes turns"},
    {"main,0,100\nmain.a,0,50\nmain.b,50,100\n", FREE_RUNTIME,
     "main = #pragma omp parallel\nmain.a = #pragma omp critical(a)\nmain.b = #pragma omp "
     "critical(b)\n",
     4, 250, "two locks overlap: the last leaves a after 200, b is free then"},
    {"main,0,100\nmain.a,0,50\nmain.b,50,100\n", FREE_RUNTIME,
     "main = #pragma omp parallel\nmain.a = #pragma omp critical\nmain.b = #pragma omp critical\n", 2, 200,
     "one lock for both"},
    {"main,0,100\nmain.s,0,100\n", FREE_RUNTIME, "main = #pragma omp parallel\nmain.s = #pragma omp single\n",
     4, 100, "a single runs once"},
    {"main,0,90\nmain.s,0,60\nmain.t,60,90\n", FREE_RUNTIME,
     "main = #pragma omp parallel\nmain.s = #pragma omp single nowait\nmain.t = #pragma omp "
     "single nowait\n",
     2, 60, "singles with nowait overlap"},
    {"main,0,100\nmain.s,0,100\nx,0,40\ny,40,70\nz,70,100\n", FREE_RUNTIME,
     "main.s = #pragma omp parallel sections\n", 2, 60, "sections 40 | 30 30 on two"},
    {"main,0,100\nmain.s,0,100\nx,0,40\ny,40,70\nz,70,100\n", FREE_RUNTIME,
     "main = #pragma omp parallel\nmain.s = #pragma omp sections\n", 3, 40, "sections on three"},
    /* nowait: 30|10 then 10|30; with the barrier 30 + 30 */
    {two_loops, FREE_RUNTIME, "main = #pragma omp parallel\na.i = #pragma omp for\nb.i = #pragma omp for\n",
     2, 60, "two loops with their barriers"},
    {two_loops, FREE_RUNTIME,
     "main = #pragma omp parallel\na.i = #pragma omp for nowait\nb.i = #pragma omp for\n", 2, 40,
     "two loops with nowait"},
    /* ordered: iterations of 10 + 5 ordered; two threads in turns: 10 | 10, ordered 10-15, 15-20; 3rd 25.. */
    {ordered_loop, FREE_RUNTIME,
     "l.i = #pragma omp parallel for ordered schedule(static,1)\nl.o = #pragma omp ordered\n", 2, 35,
     "ordered sections take turns"},
    {ordered_loop, FREE_RUNTIME,
     "l.i = #pragma omp parallel for ordered schedule(static)\nl.o = #pragma omp ordered\n", 2,
     15 + 15 + 5 + 15, "ordered with blocks: the second half waits"},
    {ordered_loop, FREE_RUNTIME,
     "l.i = #pragma omp parallel for ordered schedule(dynamic)\nl.o = #pragma omp ordered\n", 4, 10 + 4 * 5,
     "ordered on four"},
    /* collapse: 2 x 3 inner iterations of 10 over 3 threads */
    {nested_loops, FREE_RUNTIME, "o.i = #pragma omp parallel for\n", 3, 30, "two outer iterations"},
    {nested_loops, FREE_RUNTIME, "o.i = #pragma omp parallel for collapse(2)\n", 3, 20,
     "collapsed: six iterations"},
    {nested_loops, FREE_RUNTIME, "o.i = #pragma omp parallel for collapse(2)\n", 6, 10, "collapsed on six"},
    /* nested regions: outer on 2 threads, inner gets the two processors left: 30 -> the first to open takes
     * both */
    {nested_loops, FREE_RUNTIME,
     "o.i = #pragma omp parallel for num_threads(2)\no.j = #pragma omp parallel for num_threads(3)\n", 6, 10,
     "nested regions, enough processors"},
    {nested_loops, FREE_RUNTIME,
     "o.i = #pragma omp parallel for num_threads(2)\no.j = #pragma omp parallel for num_threads(2)\n", 4, 20,
     "nested regions of two"},
    {nested_loops, FREE_RUNTIME,
     "o.i = #pragma omp parallel for num_threads(2)\no.j = #pragma omp parallel for num_threads(2)\n", 2, 30,
     "nested regions without processors left"},
    /* tasks: a single makes three of 30; two threads: 60, three: 30 */
    {three_tasks, FREE_RUNTIME, as_tasks, 1, 90, "tasks on one thread"},
    {three_tasks, FREE_RUNTIME, as_tasks, 2, 60, "tasks on two"},
    {three_tasks, FREE_RUNTIME, as_tasks, 3, 30, "tasks on three"},
    {three_tasks, task_costs, as_tasks, 4, 3 * 7 + 3 + 30, "the last task is made after three creations"},
    {three_tasks, task_costs,
     "main = #pragma omp parallel\nmain.s = #pragma omp single\nt = #pragma omp task if(0)\n", 4, 3 * 7 + 90,
     "tasks with if(0) run at once"},
    {three_tasks, task_costs,
     "main = #pragma omp parallel\nmain.s = #pragma omp single\nt = #pragma omp taskloop "
     "num_tasks(3)\n",
     4, 3 * 7 + 3 + 30, "taskloop in three tasks"},
    {three_tasks, task_costs,
     "main = #pragma omp parallel\nmain.s = #pragma omp single\nt = #pragma omp taskloop "
     "grainsize(3)\n",
     4, 7 + 3 + 90, "taskloop in one task"},
    /* recursion: f spawns two g of 20, waits, 10 more */
    {recursion, FREE_RUNTIME,
     "main = #pragma omp parallel\nf = #pragma omp single\ng = #pragma omp task\nf.w = "
     "#pragma omp taskwait\n",
     2, 20 + 10 + 50, "taskwait helps with the work, then goes on"},
    {"main,0,100\nmain.b,0,100\nx,0,10\nmain.m,0,10\n", FREE_RUNTIME,
     "main.b = #pragma omp parallel\nx = #pragma omp barrier\nmain.m = #pragma omp master\n", 3, 100,
     "barrier among equals"},
};

static void test_directives(void)
{
    for (size_t i = 0; i < CC_COUNT(directive_cases); i++)
        OK_NEAR(time_of(directive_cases[i].csv, directive_cases[i].costs, directive_cases[i].scenario,
                        directive_cases[i].processors),
                directive_cases[i].time, 0, "%s", directive_cases[i].what);
}

/* The two costs that grow with the number of threads. */
static void test_threads_costs(void)
{
    const char *bar = "[openmp.parallel]\nbarrier_ovh = 7\nbarrier_thread = 5\n";
    for (unsigned p = 1; p <= 4; p++) {
        OK_NEAR(time_of("main,0,100\nx,40,50\n", bar,
                        "main = #pragma omp parallel\nx = #pragma omp barrier\n", p),
                100 + 7 + 5 * (p - 1), 0, "a barrier of %u threads", p);
        OK_NEAR(
            time_of("main,0,100\nx,0,100\n", bar, "main = #pragma omp parallel\nx = #pragma omp single\n", p),
            100 + 7 + 5 * (p - 1), 0, "the one after a single, too");
    }
    const char *six = "main,0,6\ni,0,1\ni,1,2\ni,2,3\ni,3,4\ni,4,5\ni,5,6\n";
    const char *s = "i = #pragma omp parallel for schedule(dynamic)\n";
    OK_NEAR(time_of(six, "[openmp.parallel]\nfor_next_chunk = 10\nfor_next_chunk_serial = 10\n", s, 3),
            6 * 10 + 1, 0, "fetches one after the other");
    OK_NEAR(time_of(six, "[openmp.parallel]\nfor_next_chunk = 10\nfor_next_chunk_serial = 4\n", s, 3),
            8 + 12 + 11, 0, "only a part of a fetch excludes the others");
    OK_NEAR(time_of(six, "[openmp.parallel]\nfor_next_chunk = 10\n", s, 3), 2 * 11, 0, "none of it");
}

static void vectors(void)
{
    const char *rows = "main,0,1000\nrow,200,300\nrow,300,400\nrow,400,500\nrow,500,600\nrow,600,700\nrow,"
                       "700,800\nrow,800,900\nrow,900,1000\n";
    struct cc_predict_schedule r;
    /* vectors that gain 4: 200 + 8 x 25 */
    const char *gain = FREE_RUNTIME "[unit.gpu]\nkind = gpu\nvector_gain = 9\n[unit.cpu]\nvector_gain = 4\n";
    OK_NEAR(time_of(rows, gain, "row = #pragma omp simd simdlen(8)\n", 2), 400, 0,
            "simd: the platform's gain");
    OK_NEAR(time_of(rows, gain, "row = #pragma omp simd if(0)\n", 2), 1000, 0, "none where 'if' says so");
    OK_NEAR(time_of(rows, gain, "row = #pragma omp parallel for simd\n", 4), 250, 0, "on four processors");
    OK_NEAR(time_of(rows, gain, "row = #pragma omp parallel for simd if(omp_get_num_procs() > 4)\n", 4), 1000,
            0, "'if' is about threads and vectors");
    OK_NEAR(time_of(rows, gain, "row = #pragma omp parallel for simd if(parallel: 0)\n", 4), 400, 0,
            "of the threads alone");
    OK_NEAR(time_of(rows, gain, "main = #pragma omp parallel\nrow = #pragma omp for simd\n", 2), 300, 0,
            "in a loop of a region");
    OK_NEAR(
        time_of(rows, gain, "row = #pragma omp parallel for simd\nrow = #pragma corecast speedup(10)\n", 8),
        210, 0, "a block has no use for them");
    OK(run(rows, FREE_RUNTIME, "\nrow = #pragma omp parallel for simd\n", 2, &r) < 0 && last.line == 2 &&
           strstr(last.msg, "vector_gain"),
       "simd without a gain");
    OK(run(rows, gain, "row = #pragma omp for simdlen(4)\n", 2, &r) < 0 && last.line == 1,
       "simdlen without simd");
}

static void test_replace(void)
{
    const char *csv = "main,0,100\nf,10,50\ng,20,30\nh,60,80\n";
    OK_NEAR(time_of(csv, FREE_RUNTIME, "f = #pragma corecast time(5)\n", 2), 65, 0,
            "a hardware block takes its own time");
    OK_NEAR(time_of(csv, FREE_RUNTIME, "f = #pragma corecast speedup(4)\nh = #pragma omp parallel\n", 2), 70,
            0, "or a share of the task's");
    struct cc_predict_schedule r;
    OK(run(csv, FREE_RUNTIME, "f = #pragma corecast speedup(4)\n", 1, &r) == 0, "a block");
    OK(fabs(r.speedup - 1) < 1e-12 && fabs(r.efficiency - 1) < 1e-12 && fabs(r.gain - 100 / 70.0) < 1e-12 &&
           r.blocks == 1,
       "its gain is none of the processors'");
    cc_predict_schedule_fini(&r);
    /* eight rows of 100 behind 200 alone, each ten times faster by a block: 200 + 8 x 10 on one processor */
    const char *rows = "main,0,1000\nrow,200,300\nrow,300,400\nrow,400,500\nrow,500,600\nrow,600,700\nrow,"
                       "700,800\nrow,800,900\nrow,900,1000\n";
    const char *both = "row = #pragma omp parallel for\nrow = #pragma corecast speedup(10)\n";
    for (unsigned n = 1; n <= 8; n *= 2) {
        OK(run(rows, FREE_RUNTIME, both, n, &r) == 0, "blocks in a parallel loop on %u", n);
        double want = 200 + 80.0 / n;
        OK(fabs(CC_TICKS_TO_F64(r.time) - want) < 1e-9 && fabs(r.speedup - 280 / want) < 1e-12 &&
               r.blocks == 8 && fabs(r.gain - 1000 / want) < 1e-12 && r.efficiency <= 1 &&
               fabs(r.amdahl - 280 / want) < 1e-9,
           "time, speed-up, gain and Amdahl's bound on %u", n);
        cc_predict_schedule_fini(&r);
    }
    OK_NEAR(time_of(rows, FREE_RUNTIME,
                    "row = #pragma omp parallel for schedule(dynamic)\nrow = #pragma corecast time(3)\n", 4),
            206, 0, "in a dynamic loop");
    OK(run(rows, FREE_RUNTIME, "row = #pragma corecast time(3)\nrow = #pragma corecast speedup(2)\n", 2, &r) <
               0 &&
           last.line == 2,
       "two blocks for one task");
    OK(run(csv, FREE_RUNTIME, "f = #pragma corecast time(1) speedup(2)\n", 2, &r) < 0 && last.line == 1,
       "not both");
    OK(run(csv, FREE_RUNTIME, "f = #pragma corecast faster\n", 2, &r) < 0 && last.line == 1,
       "nor anything else");
    OK(run(csv, FREE_RUNTIME, "f = #pragma corecast speedup(0)\n", 2, &r) < 0 && last.line == 1,
       "no speed-up of 0");
}

/* --- dynamic and guided against a plain event simulation --- */

static uint64_t brute_force(const uint64_t *len, size_t n, unsigned p, uint64_t chunk, bool guided,
                            uint64_t fetch, uint64_t gap)
{
    uint64_t *free_at = cc_alloc_array(p, sizeof *free_at), end = 0;
    for (size_t next = 0; next < n;) {
        unsigned who = 0;
        for (unsigned i = 1; i < p; i++)
            if (free_at[i] < free_at[who])
                who = i;
        uint64_t left = n - next, take = chunk;
        if (guided && (left + p - 1) / p > take)
            take = (left + p - 1) / p;
        if (take > left)
            take = left;
        uint64_t t = free_at[who] + fetch;
        for (uint64_t k = 0; k < take; k++, next++)
            t += len[next] + (next ? 3 : 0) + (k ? gap : 0);
        free_at[who] = t;
        end = t > end ? t : end;
    }
    free(free_at);
    return end;
}

static void test_brute_force(void)
{
    uint64_t seed = 42;
    unsigned wrong = 0, cases = 0;
    for (int round = 0; round < 3000; round++) {
        size_t n = 1 + rnd(&seed) % 40;
        uint64_t len[40];
        bool equal = rnd(&seed) % 4 == 0; /* runs that are stored once */
        for (size_t i = 0; i < n; i++)
            len[i] = equal && i ? len[0] : rnd(&seed) % (rnd(&seed) % 3 ? 1000 : 5);
        unsigned p = 1 + (unsigned)(rnd(&seed) % 9);
        uint64_t chunk = 1 + rnd(&seed) % 5, fetch = rnd(&seed) % 50, gap = rnd(&seed) % 20;
        bool guided = rnd(&seed) % 2;
        char *csv = loop_csv(len, n);
        char *costs = cc_asprintf("[openmp.parallel]\nfor_next_chunk = %llu\nfor_gap = %llu\n",
                                  (unsigned long long)fetch, (unsigned long long)gap);
        char *s = cc_asprintf("main.i = #pragma omp parallel for schedule(%s, %llu)\n",
                              guided ? "guided" : "dynamic", (unsigned long long)chunk);
        double want = 18.0 + (double)brute_force(len, n, p, chunk, guided, fetch, gap);
        double got = time_of(csv, costs, s, p);
        cases++;
        if (got != want && wrong++ < 3)
            printf("# n %zu p %u %s chunk %llu: got %g, want %g\n", n, p, s, (unsigned long long)chunk, got,
                   want);
        free(csv);
        free(costs);
        free(s);
    }
    OK(wrong == 0, "%u random loops, dynamic and guided, equal an event simulation", cases);
}

/* --- random programs: the parts add up and no schedule beats its bounds --- */

static void random_program(struct cc_buf *b, uint64_t *seed, uint64_t *t, int depth)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    uint64_t start = *t;
    unsigned children = depth ? (unsigned)(rnd(seed) % 5) : 0;
    *t += rnd(seed) % 20;
    const char *name = names[rnd(seed) % CC_COUNT(names)];
    for (unsigned i = 0; i < children; i++) {
        random_program(b, seed, t, depth - 1);
        *t += rnd(seed) % 4;
    }
    *t += 1 + rnd(seed) % 30;
    cc_buf_printf(b, "%s,%llu,%llu\n", name, (unsigned long long)start, (unsigned long long)*t);
}

/* Directives for some of the tasks that the program has. Returns whether there are transfers among them. */
static bool random_scenario(struct cc_buf *s, const char *csv, uint64_t *seed)
{
    static const char *const directives[] = {"parallel",
                                             "parallel for",
                                             "parallel for schedule(dynamic)",
                                             "for",
                                             "for nowait",
                                             "for schedule(guided,2)",
                                             "single",
                                             "single nowait",
                                             "critical",
                                             "critical(x)",
                                             "master",
                                             "sections",
                                             "task",
                                             "taskwait",
                                             "taskloop grainsize(2)",
                                             "barrier",
                                             "parallel sections",
                                             "parallel for collapse(2)",
                                             "for ordered",
                                             "ordered",
                                             "taskloop nogroup"};
    if (rnd(seed) % 2)
        cc_buf_puts(s, "main = #pragma omp parallel num_threads(3)\n");
    for (const char *name = "abcdef"; *name; name++)
        if (rnd(seed) % 2 && strstr(csv, (char[]){*name, ',', 0}))
            cc_buf_printf(s, "%c = #pragma omp %s\n", *name, directives[rnd(seed) % CC_COUNT(directives)]);
    bool transfers = s->n && rnd(seed) % 3 == 0;
    for (const char *name = "abcdef"; transfers && *name; name++)
        if (rnd(seed) % 2 && strstr(csv, (char[]){*name, ',', 0}))
            cc_buf_printf(s, "%c = #pragma corecast dma read(%u) write(%u) buffers(%u)\n", *name,
                          (unsigned)(rnd(seed) % 9), (unsigned)(rnd(seed) % 9),
                          1 + (unsigned)(rnd(seed) % 3));
    return transfers;
}

struct tally {
    unsigned ran, refused, bad;
};

#define DMA "[dma]\nalpha = 3\n"

static void run_random(const char *costs, uint64_t *seed, struct tally *n)
{
    struct cc_buf csv = {0}, s = {0};
    uint64_t t = 0;
    random_program(&csv, seed, &t, 5);
    cc_buf_printf(&csv, "main,0,%llu\n", (unsigned long long)t);
    bool transfers = random_scenario(&s, csv.s, seed);
    struct cc_predict_schedule r;
    unsigned p = 1 + (unsigned)(rnd(seed) % 8);
    bool costly = rnd(seed) % 2;
    if (!s.n || run(csv.s, costly ? costs : FREE_RUNTIME DMA, s.s, p, &r) < 0) {
        n->refused += !s.n || (last.line > 0 && last.msg[0]); /* illegal nesting, with its line */
        n->bad += s.n && !(last.line > 0 && last.msg[0]);
    } else {
        n->ran++;
        /* on one processor without costs everything runs exactly once, and waits for transfers at most */
        bool conserved = costly || p > 1 || r.time == (cc_ticks)(t << CC_TICK_BITS) ||
                         (transfers && r.time > (cc_ticks)(t << CC_TICK_BITS));
        if ((!adds_up(&r) || r.time <= 0 || !conserved) && n->bad++ < 3)
            printf("# parts do not add up on %u:\n%s%s", p, csv.s, s.s);
        cc_predict_schedule_fini(&r);
    }
    cc_buf_fini(&csv);
    cc_buf_fini(&s);
}

static void test_random_programs(void)
{
    char *primes = prime_costs(), *costs = cc_asprintf("%s" DMA, primes);
    free(primes);
    uint64_t seed = 7;
    struct tally n = {0};
    for (int round = 0; round < 3000; round++)
        run_random(costs, &seed, &n);
    OK(n.bad == 0 && n.ran > 800,
       "3000 random programs and scenarios: %u schedules add up exactly, %u refused with a line", n.ran,
       n.refused);
    free(costs);
}

int main(void)
{
    test_static();
    test_primes();
    test_directives();
    test_threads_costs();
    test_replace();
    vectors();
    test_brute_force();
    test_random_programs();
    return TAP_DONE();
}
