/* Directives of OpenMP 5.2, each against its closed form. */
#include "test_run.h"
#include "tap.h"

#define REGION                                                                                               \
    "[openmp.parallel]\nbarrier_ovh = 10\ntask_create = 3\ntask_start = 5\ncritical_ovh = 7\nreduction_ovh " \
    "= 2\n"
#define FREE "[openmp.parallel]\n"

/* main, with `n` tasks of one name and `each` ticks inside a region, one behind the other. */
static char *tasks_csv(const char *name, unsigned n, unsigned each)
{
    struct cc_buf b = {0};
    cc_buf_printf(&b, "main,0,%u\none,0,%u\n", n * each, n * each);
    for (unsigned i = 0; i < n; i++)
        cc_buf_printf(&b, "%s,%u,%u\n", name, i * each, (i + 1) * each);
    return b.s;
}

static double tasks(const char *name, unsigned n, unsigned each, const char *platform, const char *scenario,
                    unsigned processors)
{
    CC_CLEANUP(cc_free_ptr) char *csv = tasks_csv(name, n, each);
    return time_of(csv, platform, scenario, processors);
}

static bool near(double a, double b)
{
    bool ok = a > b - 1e-6 && a < b + 1e-6;
    if (!ok)
        printf("# %.6f, expected %.6f\n", a, b);
    return ok;
}

#define PARALLEL "one = #pragma omp parallel masked\n"

static void depend(void)
{
    OK(near(tasks("t", 8, 100, FREE, PARALLEL "t = #pragma omp task\n", 4), 200), "8 tasks of 100 on 4: 200");
    OK(near(tasks("t", 8, 100, FREE, PARALLEL "t = #pragma omp task depend(inout: x)\n", 4), 800),
       "all through one variable: one after the other, 800");
    OK(near(tasks("t", 8, 100, FREE, PARALLEL "t = #pragma omp task depend(in: x)\n", 4), 200),
       "readers do not wait for each other");
    OK(near(tasks("t", 8, 100, FREE, PARALLEL "t = #pragma omp task depend(inout: x[TASK % 2])\n", 4), 400),
       "two chains of four: 400, on any number of processors from 2");
    OK(near(tasks("t", 16, 100, FREE,
                  PARALLEL "t = #pragma omp task depend(in: a[TASK/4-1][TASK%4], a[TASK/4][TASK%4-1]) \\\n"
                           " depend(out: a[TASK/4][TASK%4])\n",
                  4),
            700),
       "a wave front over 4 x 4: 7 diagonals");
    OK(near(tasks("t", 16, 100, FREE,
                  PARALLEL "t = #pragma omp task depend(in: a[TASK/4-1][TASK%4], a[TASK/4][TASK%4-1]) \\\n"
                           " depend(out: a[TASK/4][TASK%4])\n",
                  2),
            900),
       "on two processors: diagonals of 1, 2, 3, 4, 3, 2, 1 take 1, 1, 2, 2, 2, 1 rounds, but they overlap: "
       "9");
    /* a writer after three readers */
    const char *csv = "main,0,350\none,0,350\nw,300,350\nr,200,300\nr,100,200\nr,0,100\n";
    OK(near(time_of(csv, FREE,
                    PARALLEL "r = #pragma omp task depend(in: x)\nw = #pragma omp task depend(out: x)\n", 4),
            150),
       "a writer waits for all that read before");
    OK(near(time_of(csv, FREE,
                    PARALLEL
                    "r = #pragma omp task depend(in: x)\nw = #pragma omp task depend(out: x) if(0)\n",
                    4),
            150),
       "also when it is undeferred");
    OK(near(time_of(csv, FREE,
                    PARALLEL
                    "r = #pragma omp task depend(out: x[TASK])\nw = #pragma omp taskwait depend(in: x[1])\n",
                    4),
            150),
       "taskwait with a dependence");
    OK(near(tasks("t", 6, 100, REGION, PARALLEL "t = #pragma omp task depend(inout: x)\n", 1), 6 * 108),
       "costs: every task is made and started once");
}

/* fib-like: a tree of tasks, each with its own code of 10 before and 5 behind its two children. */
static void add_tree(struct cc_buf *b, unsigned *t, unsigned depth)
{
    unsigned begin = *t;
    *t += 10;
    for (int i = 0; i < 2 && depth; i++)
        add_tree(b, t, depth - 1);
    *t += 5;
    cc_buf_printf(b, "fib,%u,%u\n", begin, *t);
}

static char *tree_csv(unsigned depth)
{
    struct cc_buf b = {0};
    unsigned t = 0;
    add_tree(&b, &t, depth);
    char *csv = cc_asprintf("main,0,%u\none,0,%u\n%s", t, t, b.s);
    cc_buf_fini(&b);
    return csv;
}

static void taskwait(void)
{
    CC_CLEANUP(cc_free_ptr) char *csv = tree_csv(3); /* 15 nodes: levels of 1, 2, 4, 8 */
    const char *wait = PARALLEL "fib = #pragma omp task\nfib = #pragma omp taskwait\n";
    OK(near(time_of(csv, FREE, wait, 16), 4 * 15), "taskwait inside its own task: down and up four levels");
    /* Tasks are tied: the threads of the upper three levels wait for children that others have, and may take
     * no other. One of eight is left for eight leaves; the makers of the other seven do them, two each. */
    OK(near(time_of(csv, FREE, wait, 8), 3 * 10 + 2 * 15 + 3 * 5),
       "whoever waits takes none but its own children");
    OK(near(time_of(csv, FREE, PARALLEL "fib = #pragma omp task\n", 12), 3 * 10 + 15),
       "without it nobody waits: three levels down, and the last task whole");
    OK(near(time_of(csv, FREE, wait, 1), 15 * 15), "on one processor the sum");
    OK(near(time_of(csv, REGION,
                    PARALLEL "fib = #pragma omp task final(DEPTH >= 1)\nfib = #pragma omp taskwait\n", 1),
            15 * 15 + 3 * 8),
       "final from depth 1 on: three tasks are made, what is inside is plain code");
    OK(near(time_of(csv, REGION,
                    PARALLEL "fib = #pragma omp task final(TASK >= 1)\nfib = #pragma omp taskwait\n", 1),
            15 * 15 + 7 * 8),
       "final from the second on: of each pair one goes on, seven tasks are made");
    OK(near(time_of(csv, REGION "task_inline = 2\n",
                    PARALLEL "fib = #pragma omp task final(DEPTH >= 1)\nfib = #pragma omp taskwait\n", 1),
            15 * 15 + 3 * 8 + 12 * 2),
       "which the runtime is asked twelve times to run");
    OK(near(time_of(csv, REGION "task_inline = 2\n",
                    PARALLEL
                    "fib = #pragma omp task final(DEPTH >= 1) mergeable\nfib = #pragma omp taskwait\n",
                    1),
            15 * 15 + 3 * 8),
       "but not where they may be merged");
    OK(near(time_of(csv, REGION,
                    PARALLEL "fib = #pragma omp task if(DEPTH < 1)\nfib = #pragma omp taskwait\n", 1),
            15 * 15 + 15 * 3 + 5),
       "if: all are made, but only the first waits to be started");
    OK(near(time_of(csv, FREE,
                    PARALLEL "fib = #pragma omp task final(DEPTH >= 1)\nfib = #pragma omp taskwait\n", 4),
            15 + 7 * 15),
       "two final halves of seven nodes beside each other");
    /* a function whose own end waits */
    const char *two = "main,0,240\none,0,240\nend,230,240\nwork,0,230\nt,100,200\nt,0,100\n";
    OK(near(time_of(two, FREE, PARALLEL "t = #pragma omp task\nwork = #pragma omp taskwait end\n", 2), 140),
       "taskwait end: behind the two tasks, in front of the function's last 30");
    OK(near(time_of(two, FREE, PARALLEL "t = #pragma omp task\nend = #pragma omp taskwait\n", 2), 140),
       "in front of the next task: the 30 are done beside one task, which waits for its turn");
    OK(near(time_of(two, FREE, "one = #pragma omp parallel\nwork = #pragma omp barrier end\n", 2), 240),
       "a barrier at a task's end");
    OK(near(time_of(two, REGION, "one = #pragma omp parallel\nwork = #pragma omp barrier end\n", 2), 250),
       "it costs what a barrier costs");
}

static void taskgroup(void)
{
    /* one task makes a grandchild; taskwait waits for the child only, taskgroup for all */
    const char *csv = "main,0,130\none,0,130\nrest,110,130\ng,0,110\nt,0,110\ninner,10,110\n";
    const char *both = PARALLEL "t = #pragma omp task\ninner = #pragma omp task\n";
    CC_CLEANUP(cc_free_ptr) char *group = cc_asprintf("%sg = #pragma omp taskgroup\n", both);
    CC_CLEANUP(cc_free_ptr) char *wait = cc_asprintf("%sg = #pragma omp taskwait end\n", both);
    OK(near(time_of(csv, FREE, group, 3), 130),
       "taskgroup: the rest comes behind the grandchild, 10 + 100 + 20");
    OK(near(time_of(csv, FREE, wait, 3), 110),
       "taskwait: behind the child only, the rest beside the grandchild");
    OK(near(tasks("i", 12, 10, FREE, "i = #pragma omp parallel masked taskloop num_tasks(4)\n", 4), 30),
       "parallel masked taskloop: 12 iterations in 4 tasks on 4");
    OK(near(tasks("i", 12, 10, FREE,
                  "one = #pragma omp parallel\ni = #pragma omp masked taskloop grainsize(3)\n", 4),
            30),
       "masked taskloop: one thread makes them, once");
    OK(near(tasks("i", 12, 10, FREE,
                  "one = #pragma omp parallel\ni = #pragma omp masked filter(2) taskloop\n", 4),
            -1),
       "a clause inside the directive's name is an error");
}

static void synchronised(void)
{
    const char *unit = REGION "[unit.cpu]\nkind = cpu\natomic = 20\n";
    OK(near(tasks("a", 8, 10, unit, "a = #pragma omp parallel for schedule(static, 1)\n", 4), 20),
       "8 iterations on 4");
    const char *csv =
        "main,0,40\none,0,40\ni,30,40\nu,30,35\ni,20,30\nu,20,25\ni,10,20\nu,10,15\ni,0,10\nu,0,5\n";
    const char *loop = "i = #pragma omp parallel for schedule(static, 1)\n";
    CC_CLEANUP(cc_free_ptr) char *atomic = cc_asprintf("%su = #pragma omp atomic\n", loop);
    CC_CLEANUP(cc_free_ptr)
    char *apart = cc_asprintf("%su = #pragma omp atomic hint(omp_sync_hint_uncontended)\n", loop);
    OK(near(time_of(csv, unit, atomic, 4), 4 * 25 + 5), "atomic: one after the other, 20 more each");
    OK(near(time_of(csv, unit, apart, 4), 30), "where threads do not meet: 20 more, side by side");
    OK(near(time_of(csv, unit, atomic, 1), 40), "one processor alone owns the line");
    struct cc_predict_schedule r;
    OK(run(csv, REGION, atomic, 4, &r) < 0 && strstr(last.msg, "tells 'atomic'") && last.line == 2,
       "a platform that does not tell what an atomic costs");
    OK(near(time_of("main,0,60\none,0,60\ns,0,50\n", REGION,
                    "one = #pragma omp parallel\ns = #pragma omp scope reduction(+: x, y)\n", 3),
            50 + 3 * 4 + 10 + 10),
       "scope: all run it, combine two values one after the other, and meet");
    OK(near(time_of("main,0,60\none,0,60\ns,0,50\n", REGION,
                    "one = #pragma omp parallel\ns = #pragma omp scope nowait\n", 3),
            60),
       "scope nowait");
    OK(near(time_of("main,0,90\none,0,90\nt,50,90\ns,0,50\n", FREE,
                    "one = #pragma omp parallel\ns = #pragma omp masked filter(1)\nt = #pragma omp masked\n",
                    2),
            50),
       "masked filter: two threads, each its own");
    OK(near(tasks("i", 12, 10, FREE, "i = #pragma omp parallel loop bind(parallel) order(concurrent)\n", 4),
            30),
       "parallel loop is a loop with static blocks");
    OK(near(tasks("i", 12, 10, FREE, PARALLEL "i = #pragma omp flush\n", 4), 120), "flush takes no time");
}

/* Loops as they are recorded: a task around the iterations of each. */
static void recorded_nest(void)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "main,0,1200\nloop f.c:4,0,1200\n");
    for (unsigned i = 0; i < 3; i++) {
        cc_buf_printf(&b, "f.c:4,%u,%u\nloop f.c:5,%u,%u\n", i * 400, i * 400 + 400, i * 400, i * 400 + 400);
        for (unsigned j = 0; j < 8; j++)
            cc_buf_printf(&b, "f.c:5,%u,%u\n", i * 400 + j * 50, i * 400 + j * 50 + 50);
    }
    OK(near(time_of(b.s, FREE, "f.c:4 = #pragma omp parallel for\n", 8), 400),
       "three iterations keep three busy");
    OK(near(time_of(b.s, FREE, "f.c:4 = #pragma omp parallel for collapse(2)\n", 8), 150),
       "collapsed over the recorded nest: 24 iterations of 50 on 8");
    struct cc_predict_schedule r;
    OK(run(b.s, FREE, "\nf.c:4 = #pragma omp parallel for collapse(3)\n", 8, &r) < 0 && last.line == 2 &&
           strstr(last.msg, "is 2 deep"),
       "a nest that is not so deep is refused with its line");
    cc_buf_fini(&b);
}

#define GPU \
    FREE "[unit.arm]\nkind = cpu\n[unit.gpu]\nkind = gpu\n[link.arm.gpu]\nlatency = 1e-7\nbandwidth = 1e9\n"
#define SIZES "* = #define sizeof_a 4\n* = #define sizeof_b 8\n"

static void target(void)
{
    const char *csv = "main,0,10000\nk,1000,9000\npre,0,1000\n";
    const char *block = "k = #pragma corecast speedup(8)\n";
    CC_CLEANUP(cc_free_ptr)
    char *one = cc_asprintf(SIZES "%sk = #pragma omp target map(to: a[0:100]) map(from: b[0:25])\n", block);
    /* 8000/8 on the unit; 100 + 400 ticks there, 100 + 200 back */
    OK(near(time_of(csv, GPU, one, 1), 2000 + 1000 + 500 + 300), "target: to the unit, its work, and back");
    struct cc_predict_schedule r;
    OK(run(csv, GPU, one, 2, &r) == 0 && r.offload.kernels == 1 && r.offload.bytes == 600 &&
           r.offload.busy == 1000,
       "one kernel, 600 bytes, 1000 ticks");
    cc_predict_schedule_fini(&r);
    CC_CLEANUP(cc_free_ptr)
    char *data = cc_asprintf(SIZES "%smain = #pragma omp target data map(tofrom: a[0:100])\n"
                                   "k = #pragma omp target map(to: a[0:100]) map(from: b[0:25])\n",
                             block);
    OK(near(time_of(csv, GPU, data, 1), 2000 + 1000 + 300 + 2 * 500), "target data: there once, back once");
    CC_CLEANUP(cc_free_ptr)
    char *enter = cc_asprintf(
        SIZES
        "%spre = #pragma omp target enter data map(to: a[0:100])\n"
        "k = #pragma omp target map(to: a[0:100])\nmain = #pragma omp target update end from(a[0:10])\n",
        block);
    OK(near(time_of(csv, GPU, enter, 1), 2000 + 1000 + 500 + 140), "enter data before, update at the end");
    CC_CLEANUP(cc_free_ptr)
    char *off = cc_asprintf(SIZES "%sk = #pragma omp target if(2 > 3) map(to: a)\n", "");
    OK(near(time_of(csv, GPU, off, 1), 10000), "if(0): on the host");
}

/* 2000 ticks of the processor, 800 of moving and 1000 of the unit, at 1 ns: 3 W at work, 1 W at rest. */
static void target_energy(void)
{
#define POWERED                                                                     \
    FREE "[unit.arm]\nkind = cpu\n[unit.gpu]\nkind = gpu\npower = 3\nidle_power = " \
         "1\n[link.arm.gpu]\nlatency = 1e-7\nbandwidth = 1e9\n" POWER
#define POWER "[energy]\nbusy_cycle = 2e-9\nidle_cycle = 0.5e-9\nidle = 0.25\nbyte = 1e-11\n"
    const char *csv = "main,0,10000\nk,1000,9000\n";
    const char *how = SIZES "k = #pragma corecast speedup(8)\n"
                            "k = #pragma omp target teams map(to: a[0:100]) map(from: b[0:25])\n";
    struct cc_predict_schedule r;
    OK(run(csv, POWERED, how, 1, &r) == 0 && r.energy.known, "energy with a unit");
    OK_NEAR(r.energy.units, (3 - 1) * 1000e-9, 1e-18, "the unit's, beyond what it takes at rest");
    OK_NEAR(r.energy.busy, 2000 * 2e-9, 1e-18, "the processor's while it works");
    OK_NEAR(r.energy.waiting, 1800 * 0.5e-9, 1e-18, "... and while it waits for data and for the unit");
    OK_NEAR(r.energy.transfers, 600 * 1e-11, 1e-18, "every byte there and back");
    OK_NEAR(r.energy.total,
            r.energy.units + r.energy.busy + r.energy.waiting + r.energy.transfers + 0.25 * 3800e-9, 1e-18,
            "nothing else but the chip's rest");
    cc_predict_schedule_fini(&r);
    const char *later = SIZES "k = #pragma corecast speedup(2)\nk = #pragma omp target teams nowait\n";
    OK(run(csv, POWERED, later, 1, &r) == 0, "without waiting");
    OK_NEAR(r.energy.busy, 2000 * 2e-9, 1e-18, "the end of the run waits for the unit, which is no work");
    OK_NEAR(r.energy.units, (3 - 1) * 4000e-9, 1e-18, "... and the unit's energy is the same for each tick");
    cc_predict_schedule_fini(&r);
    OK(run(csv, GPU POWER, how, 1, &r) == 0 && !r.energy.known, "a unit whose power nobody tells: no energy");
    cc_predict_schedule_fini(&r);
}

static void target_nowait(void)
{
    /* nowait: the host goes on, the region's end waits */
    const char *two = "main,0,1200\none,0,1200\nh,800,1200\nk,0,800\n";
    OK(near(time_of(two, GPU, PARALLEL "k = #pragma corecast speedup(2)\nk = #pragma omp target nowait\n", 1),
            400),
       "nowait: 400 on the unit beside 400 on the host");
    OK(near(time_of(two, GPU, PARALLEL "k = #pragma corecast speedup(2)\nk = #pragma omp target\n", 1), 800),
       "else one after the other");
    OK(near(time_of(
                two, GPU,
                PARALLEL
                "k = #pragma corecast time(700)\nk = #pragma omp target nowait\nh = #pragma omp taskwait\n",
                1),
            1100),
       "taskwait waits for the unit too");
    OK(near(time_of(two, GPU, "k = #pragma corecast time(700)\nk = #pragma omp target nowait\n", 1), 700),
       "also outside regions, where the end of the run waits");
    /* the unit does one thing at a time */
    OK(near(tasks("k", 4, 100, GPU, "k = #pragma omp parallel for\n", 4), 100) &&
           near(time_of(
                    "main,0,200\none,0,200\ni,100,200\nk,100,200\ni,0,100\nk,0,100\n", GPU,
                    "i = #pragma omp parallel for\nk = #pragma omp target\nk = #pragma corecast time(70)\n",
                    2),
                140),
       "two threads, one unit: 70 and 70");
    OK(near(tasks("k", 10, 100, GPU,
                  SIZES "k = #pragma omp target teams distribute parallel for map(tofrom: a[0:250])\n"
                        "k = #pragma corecast speedup(5)\n",
                  1),
            1000 / 5 + 2 * 1100),
       "a loop is one kernel with one transfer each way");
}

/* Kernels a on the DSP (time 500) and b, c on the GPU, and a host task h, 100 recorded ticks each. */
#define UNITS GPU "[unit.dsp]\nkind = dsp\n[link.arm.dsp]\nlatency = 1e-7\nbandwidth = 1e9\n"
#define A_FIRST "a = #pragma corecast time(500)\na = #pragma omp target device(dsp) nowait depend(out: x)\n"
#define B_AFTER "b = #pragma corecast time(200)\nb = #pragma omp target device(gpu) nowait depend(in: x)\n"

static void target_depend(void)
{
    const char *csv = "main,0,400\none,0,400\nh,300,400\nc,200,300\nb,100,200\na,0,100\n";
    const char *c = "c = #pragma corecast time(300)\nc = #pragma omp target device(gpu) nowait\n";
    CC_CLEANUP(cc_free_ptr) char *three = cc_asprintf("%s%s", A_FIRST B_AFTER, c);
    OK(near(time_of(csv, UNITS, three, 1), 500 + 200),
       "a target waits for one on another unit; a third goes before it on the same unit");
    CC_CLEANUP(cc_free_ptr) char *region = cc_asprintf(PARALLEL "%s%s", A_FIRST B_AFTER, c);
    OK(near(time_of(csv, UNITS, region, 2), 700), "... and in a region, whose end waits");
    CC_CLEANUP(cc_free_ptr)
    char *waits = cc_asprintf(PARALLEL "%s%sh = #pragma omp task depend(in: x)\n", A_FIRST, c);
    OK(near(time_of(csv, UNITS, waits, 2), 500 + 100), "a task waits for a unit");
    OK(near(time_of(csv, UNITS, A_FIRST "h = #pragma omp task depend(in: x)\n", 1), 500 + 100),
       "... outside regions too");
    OK(near(time_of(csv, UNITS, A_FIRST "h = #pragma omp taskwait depend(in: x)\n", 1), 500 + 100),
       "... and so does taskwait");
    const char *host = PARALLEL "a = #pragma omp task depend(out: x)\n"
                                "b = #pragma corecast time(200)\nb = #pragma omp target device(gpu) %s\n";
    CC_CLEANUP(cc_free_ptr) char *later = cc_asprintf(host, "nowait depend(in: x)");
    CC_CLEANUP(cc_free_ptr) char *here = cc_asprintf(host, "depend(in: x)");
    OK(near(time_of(csv, UNITS, later, 2), 100 + 200), "a unit waits for a task, the thread does not");
    OK(near(time_of(csv, UNITS, here, 2), 100 + 200 + 200), "... and does without nowait");
    OK(near(time_of(csv, UNITS, here, 1), 100 + 200 + 200), "... doing the task itself if nobody else can");
    OK(near(time_of(csv, UNITS, A_FIRST "b = #pragma omp target device(gpu) if(0) depend(in: x)\n", 1),
            500 + 300),
       "on the host it waits as well");
}

static void target_pipeline(void)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "main,0,900\none,0,800\nh,800,900\n");
    for (int i = 0; i < 4; i++)
        cc_buf_printf(&b, "a,%d,%d\nb,%d,%d\n", 200 * i, 200 * i + 100, 200 * i + 100, 200 * i + 200);
    const char *pipe = "a = #pragma corecast time(500)\nb = #pragma corecast time(200)\n"
                       "a = #pragma omp target device(dsp) nowait depend(out: x[TASK])\n"
                       "b = #pragma omp target device(gpu) nowait depend(in: x[%s])\n%s";
    CC_CLEANUP(cc_free_ptr) char *each = cc_asprintf(pipe, "TASK", "");
    OK(near(time_of(b.s, UNITS, each, 1), 4 * 500 + 200), "a pipeline of two units, element by element");
    CC_CLEANUP(cc_free_ptr) char *first = cc_asprintf(pipe, "0", "");
    OK(near(time_of(b.s, UNITS, first, 1), 4 * 500), "... and of what is there after the first");
    CC_CLEANUP(cc_free_ptr)
    char *group =
        cc_asprintf(pipe, "TASK", "main = #pragma omp parallel masked\none = #pragma omp taskgroup\n");
    OK(near(time_of(b.s, UNITS, group, 1), 4 * 500 + 200 + 100), "a taskgroup waits for units");
    CC_CLEANUP(cc_free_ptr)
    char *loop =
        cc_asprintf("a = #pragma corecast time(500)\n"
                    "a = #pragma omp target device(dsp) nowait depend(out: x)\n"
                    "i = #pragma omp target teams distribute parallel for device(gpu) nowait depend(in: x)\n"
                    "i = #pragma corecast time(%d)\n",
                    20);
    OK(near(time_of("main,0,400\na,0,100\ni,300,400\ni,200,300\ni,100,200\n", UNITS, loop, 1), 500 + 3 * 20),
       "a loop that is one kernel");
    struct cc_predict_schedule r;
    OK(run(b.s, UNITS, "a = #pragma omp target device(dsp) if(TASK > 1) depend(out: x)\n", 1, &r) < 0 &&
           strstr(last.msg, "TASK"),
       "which target is on the host cannot change from one to the next");
    cc_buf_fini(&b);
}

static void target_errors(void)
{
    const char *csv = "main,0,10000\nk,1000,9000\npre,0,1000\n";
    struct cc_predict_schedule r;
    OK(run(csv, GPU, "k = #pragma omp target\n", 1, &r) < 0 && strstr(last.msg, "not known") &&
           last.line == 1,
       "a time that nobody tells is an error");
    OK(run(csv, GPU, "k = #pragma omp target device(dsp)\nk = #pragma corecast time(1)\n", 1, &r) < 0 &&
           strstr(last.msg, "no such unit"),
       "a unit that is not there");
    OK(run(csv, FREE "[unit.arm]\nkind = cpu\n[unit.gpu]\nkind = gpu\n",
           "k = #pragma omp target\nk = #pragma corecast time(1)\n", 1, &r) < 0 &&
           strstr(last.msg, "no link"),
       "no link to it");
    OK(run(csv, GPU, "k = #pragma omp teams distribute\n", 1, &r) < 0 && strstr(last.msg, "in no target"),
       "teams on the host");
}

#define CLUSTERS "cores = 4\nclusters = 2\n" FREE "[dma]\ni0 = 100\n"

static void clusters(void)
{
    const char *dma = "i = #pragma omp parallel for schedule(static, 1)\ni = #pragma corecast dma read(64)\n";
    OK(near(tasks("i", 8, 10, FREE "[dma]\ni0 = 100\n", dma, 8), 8 * 100 + 10),
       "one DMA serves eight, one after the other");
    OK(near(tasks("i", 8, 10, CLUSTERS, dma, 8), 4 * 100 + 10), "two clusters with a DMA each: half of it");
    OK(near(tasks("i", 8, 10, CLUSTERS, dma, 4), 8 * 100 + 10),
       "four processors are one cluster, with its one DMA");
    /* nested regions: a thread for each cluster, each with the processors of its own */
    const char *nest = "j,0,100\nj,100,200\nj,200,300\nj,300,400\no,0,400\nj,400,500\nj,500,600\nj,600,"
                       "700\nj,700,800\no,400,800\n"
                       "main,0,800\n";
    const char *both = "o = #pragma omp parallel for num_threads(2) proc_bind(spread)\n"
                       "j = #pragma omp parallel for num_threads(4)\nj = #pragma corecast dma read(64)\n";
    OK(near(time_of(nest, CLUSTERS, both, 8), 4 * 100 + 100),
       "nested: both clusters read at once, four tiles each");
    const char *lines = "o = #pragma omp parallel num_threads(2) proc_bind(spread)\no = #pragma omp for\n"
                        "j = #pragma omp parallel for num_threads(4)\nj = #pragma corecast dma read(64)\n";
    OK(near(time_of(nest, CLUSTERS, lines, 8), 4 * 100 + 100), "spread by the first of two lines");
    OK(near(time_of(nest, FREE "[dma]\ni0 = 100\n", both, 8), 8 * 100 + 100),
       "without clusters all eight wait for one DMA");
}

static void tiles(void)
{
    /* 64 x 64 outputs of 10 cycles on p processors: DMA that costs nothing leaves the work */
    const char *csv = "main,0,40960\nfilter,0,40960\n";
    const char *platform = FREE "[dma]\ni0 = 0\ni1 = 0\nalpha = 0\n[memory.local]\nsize = 1M\n";
    const char *tile = "filter = #pragma corecast tile(auto) image(64, 64)\n";
    OK(near(time_of(csv, platform, tile, 1), 40960) && near(time_of(csv, platform, tile, 4), 10240) &&
           near(time_of(csv, platform, tile, 8), 5120),
       "tiles without transfers: the work over the processors");
    const char *costly = FREE "[dma]\ni0 = 1000\n[memory.local]\nsize = 1M\n";
    /* one tile on one processor: read, compute, write; more tiles only add reads that nothing hides */
    OK(near(time_of(csv, costly, "filter = #pragma corecast tile(auto) image(64, 64) buffers(1)\n", 1),
            40960 + 2000),
       "one tile, in and out");
    OK(near(time_of(csv, costly, "filter = #pragma corecast tile(64, 32) image(64, 64) buffers(1)\n", 1),
            40960 + 3000),
       "a given tile: two reads, the last write");
    struct cc_predict_schedule r;
    OK(run(csv, costly, "filter = #pragma corecast tile(64, 32) image(64, 64) buffers(1)\n", 2, &r) == 0 &&
           r.dma.transfers == 4 && near(CC_TICKS_TO_F64(r.time), 1000 + 1000 + 20480 + 1000) &&
           near(r.stack[CC_PART_PROCESSING], 20480),
       "two processors: the second waits for its read; parts of the stack are the tile room's");
    cc_predict_schedule_fini(&r);
    OK(run(csv, costly, "filter = #pragma corecast tile(64, 32) image(64, 64) memory(100)\n", 2, &r) < 0 &&
           strstr(last.msg, "filter"),
       "a tile that does not fit");
}

int main(void)
{
    depend();
    taskwait();
    taskgroup();
    synchronised();
    recorded_nest();
    target();
    target_energy();
    target_nowait();
    target_depend();
    target_pipeline();
    target_errors();
    clusters();
    tiles();
    return TAP_DONE();
}
