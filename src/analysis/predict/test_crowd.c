/* Costs of the runtime by the number of threads that are at it: closed forms. */
#include "test_run.h"
#include "tap.h"

static double time_with(const char *csv, const char *costs, const char *scenario, unsigned processors)
{
    CC_CLEANUP(cc_free_ptr) char *platform = cc_asprintf("[openmp.parallel]\n%s", costs);
    return time_of(csv, platform, scenario, processors);
}

#define PARALLEL "main = #pragma omp parallel\n"
#define MASTER "main = #pragma omp parallel\none = #pragma omp master\n"
#define SINGLE "main = #pragma omp parallel\none = #pragma omp single nowait\n"

static void test_barriers(void)
{
    const char *costs = "[openmp]\nbarrier = 1:3, 4:9\n";
    for (unsigned p = 1; p <= 5; p++) {
        OK_NEAR(time_with("main,0,100\nx,40,50\n", costs, PARALLEL "x = #pragma omp barrier\n", p),
                103 + 2 * (p - 1), 0, "a barrier of %u threads, by the curve and beyond it", p);
        OK_NEAR(time_with("main,0,100\nx,0,100\n", costs, PARALLEL "x = #pragma omp for\n", p),
                103 + 2 * (p - 1), 0, "that of a loop, too");
    }
    OK_NEAR(time_with("main,0,100\nx,0,100\n", costs, PARALLEL "x = #pragma omp for nowait\n", 4), 100, 0,
            "none without a wait");
}

/* Everybody waits for what is copied, and for all to have it. */
static void test_copies(void)
{
    const char *costs = "[openmp]\nbarrier = 1:3, 4:9\n", *csv = "main,0,100\none,40,50\n";
    OK_NEAR(time_with(csv, costs, PARALLEL "one = #pragma omp single\n", 4), 100 + 9, 0, "a single");
    OK_NEAR(time_with(csv, costs, PARALLEL "one = #pragma omp single copyprivate(x)\n", 4), 100 + 2 * 9, 0,
            "one that copies to the others has two barriers");
    CC_CLEANUP(cc_free_ptr) char *curve = cc_asprintf("%scopies = 1:3, 4:30\n", costs);
    OK_NEAR(time_with(csv, curve, PARALLEL "one = #pragma omp single copyprivate(x)\n", 4), 100 + 30, 0,
            "or what was measured for all of it");
}

/* The last to come lets the others go and then calls the system: 30 and 20 of one thread, 10 and 10 of the
 * other, which is let go 4 earlier. */
static void test_last_of_barrier(void)
{
    const char *csv = "main,0,70\na,0,10\na,10,40\nb,40,60\nb,60,70\n",
               *s = PARALLEL
               "a = #pragma omp for schedule(static)\nb = #pragma omp for schedule(static) nowait\n";
    OK_NEAR(time_with(csv, "[openmp]\nbarrier = 1:3, 2:6\n", s, 2), 30 + 6 + 20, 0,
            "a barrier is the same to all");
    OK_NEAR(time_with(csv, "[openmp]\nbarrier = 1:3, 2:6\nbarrier_call = 4\n", s, 2), 30 + 2 + 20, 0,
            "or the call of the system the last one's alone");
    OK_NEAR(time_with(csv, "[openmp]\nbarrier = 1:3, 2:6\nbarrier_call = 9\n", s, 2), 30 + 20, 0,
            "never less than nothing");
    OK_NEAR(time_with(csv, "[openmp]\nbarrier = 1:3, 2:6\nbarrier_call = 4\n", s, 1), 70 + 3, 0,
            "one thread is the last");
}

/* Two threads that each have a region of their own inside. */
static void test_inner_regions(void)
{
    const char
        *csv = "j,0,10\nj,10,20\no,0,20\nj,20,30\nj,30,40\no,20,40\nmain,0,40\n",
        *s = "o = #pragma omp parallel for num_threads(2)\nj = #pragma omp parallel for num_threads(2)\n",
        *costs = "[openmp]\nregion_inside = 1:50, 2:7, 4:100\n";
    OK_NEAR(time_with(csv, costs, s, 4), 10 + 7, 0, "threads of a region inside another are made anew");
    OK_NEAR(time_with(csv, costs, s, 2), 20 + 50, 0, "so is a team of one");
    CC_CLEANUP(cc_free_ptr) char *both = cc_asprintf("%sregion_inside_both = 2:11\n", costs);
    OK_NEAR(time_with(csv, both, s, 4), 10 + 11, 0, "two that make theirs at once keep each other");
    /* one makes them from 0 to 7, the other from 2 on, and from then to 7 both */
    const char *late = "j,0,10\nj,10,20\no,0,20\nj,22,32\nj,32,42\no,20,42\nmain,0,42\n";
    OK_NEAR(time_with(late, both, s, 4), 2 + 10 + 7 + 4 * 5 / 7., 0.01, "for as long as both do");
    const char *one = "j,0,10\nj,10,20\no,0,20\nmain,0,20\n";
    OK_NEAR(time_with(one, both, s, 4), 10 + 7, 0, "one alone is not kept");
    CC_CLEANUP(cc_free_ptr) char *stacks = cc_asprintf("%sregion_inside_first = 3\n", costs);
    OK_NEAR(time_with(csv, stacks, s, 4), 10 + 7 + 3, 0, "and need a stack");
    const char *twice = "j,0,10\nj,10,20\nk,20,30\nk,30,40\no,0,40\nmain,0,40\n";
    CC_CLEANUP(cc_free_ptr) char *again = cc_asprintf("%sk = #pragma omp parallel for num_threads(2)\n", s);
    OK_NEAR(time_with(twice, stacks, again, 4), 10 + 7 + 3 + 10 + 7, 0, "which is kept");
    CC_CLEANUP(cc_free_ptr) char *memory = cc_asprintf("task_first_thread = 5\n%s", costs);
    OK_NEAR(time_with(csv, memory, s, 2), 20 + 50 + 5, 0,
            "who opens one and is not the first thread needs memory");
    OK_NEAR(time_with(csv, costs, "o = #pragma omp parallel for num_threads(2)\n", 4), 20, 0, "nor outside");
}

static void test_first_region(void)
{
    const char *csv = "main,0,40\na,0,20\nx,0,20\na,20,40\nx,20,40\n",
               *s = "a = #pragma omp parallel\nx = #pragma omp for\n";
    OK_NEAR(time_with(csv, "[openmp]\nregion_first = 1:7, 3:9\n", s, 1), 40 + 7, 0,
            "the first region costs more, the second does not");
    OK_NEAR(time_with(csv, "[openmp]\nregion_first = 1:7, 3:9\n", s, 2), 40 + 8, 0, "by its threads");
}

/* The memory of a team of one is another one each time, the first few times. */
static void test_fresh_teams(void)
{
    const char *csv = "main,0,40\nx,0,10\nx,10,20\ny,20,30\ny,30,40\n",
               *costs = "[openmp]\nregion_fresh = 5\nregion_fresh_times = 1\n";
    CC_CLEANUP(cc_free_ptr)
    char *s = cc_asprintf("x = %s\ny = %s\n", "#pragma omp parallel for", "#pragma omp parallel for");
    CC_CLEANUP(cc_free_ptr) char *three = cc_asprintf("%sz = #pragma omp parallel for\n", s);
    OK_NEAR(time_with(csv, costs, s, 1), 40 + 5, 0, "what the first region costs more has that in it");
    OK_NEAR(time_with("main,0,30\nx,0,10\ny,10,20\nz,20,30\n", costs, three, 1), 30 + 5, 0,
            "and then there is memory that was given back");
    OK_NEAR(time_with(csv, costs, s, 2), 20, 0, "a team of several is kept");
    OK_NEAR(time_with(csv, costs, "x = #pragma omp parallel for\ny = #pragma omp parallel for if(0)\n", 2),
            10 + 20 + 5, 0, "one of one thread is not");
    OK_NEAR(time_with("j,0,10\nj,10,20\no,0,20\nj,20,30\nj,30,40\no,20,40\nmain,0,40\n", costs,
                      "o = #pragma omp parallel for num_threads(2)\n"
                      "j = #pragma omp parallel for num_threads(2)\n",
                      4),
            10 + 5, 0, "nor is one inside another");
}

/* Chunks of a loop: the way of its counter is one thread's at a time. */
static void test_fetches(void)
{
    const char *csv = "main,0,40\nx,0,10\nx,10,20\nx,20,30\nx,30,40\n";
    const char *costs = "[openmp]\nfetch = 1:3, 2:8\nfetch_guided = 1:3, 2:20\n";
    const char *dynamic = "x = #pragma omp parallel for schedule(dynamic)\n",
               *guided = "x = #pragma omp parallel for schedule(guided)\n";
    OK_NEAR(time_with(csv, costs, dynamic, 1), 4 * (3 + 10), 0, "one thread fetches four chunks");
    /* the second begins 5 later: 8 to 18 and 26 to 36, 13 to 23 and 31 to 41 */
    OK_NEAR(time_with(csv, costs, dynamic, 2), 41, 0, "the fetches of two threads follow each other");
    /* two iterations from 20 on, one from 17 + 20 on, one from 40 + 20 on */
    OK_NEAR(time_with(csv, costs, guided, 2), 70, 0, "guided fetches have a curve of their own");
    OK_NEAR(time_with(csv, "[openmp]\nfetch = 1:3, 2:20\n", guided, 2), 70, 0, "or the other one's");
    OK_NEAR(time_with(csv, costs, "x = #pragma omp parallel for schedule(static,1)\n", 2), 20, 0,
            "static ones need none");
}

/* A closed queue: threads work and come back for the counter, which one has for `serial` at a time. Either
 * nobody waits but for the first time, or the counter never rests; in both cases the time is known. */
static void test_crowded_fetches(void)
{
    enum { N = 24, ALONE = 3, TOGETHER = 23, WORK = 10 };
    CC_CLEANUP(cc_buf_fini) struct cc_buf csv = {0};
    cc_buf_printf(&csv, "main,0,%d\n", N * WORK);
    for (int i = 0; i < N; i++)
        cc_buf_printf(&csv, "x,%d,%d\n", i * WORK, (i + 1) * WORK);
    for (int threads = 2; threads <= 8; threads *= 2)
        for (int serial = 1; serial <= 16; serial += 5) {
            CC_CLEANUP(cc_free_ptr)
            char *costs = cc_asprintf("[openmp]\nfetch = 1:%d, 2:%d, 8:%d\nfetch_serial = 1:0, 2:%d, 8:%d\n",
                                      ALONE, TOGETHER, TOGETHER, serial, serial);
            int free = (threads - 1) * serial + N / threads * (TOGETHER + WORK),
                full = (N - 1) * serial + TOGETHER + WORK;
            OK_NEAR(time_with(csv.s, costs, "x = #pragma omp parallel for schedule(dynamic)\n",
                              (unsigned)threads),
                    CC_MAX(free, full), 0, "%d threads that keep the counter for %d", threads, serial);
        }
    OK_NEAR(time_with(csv.s, "[openmp]\nfetch = 1:3, 2:23\nfetch_serial = 1:0, 2:90\n",
                      "x = #pragma omp parallel for schedule(dynamic)\n", 2),
            23 * 20 + 33, 0, "never for longer than what the fetch takes beyond one thread");
}

static void test_locks(void)
{
    const char *costs = "critical_ovh = 1000\n[openmp]\ncritical = 1:2, 2:5, 4:9\n";
    const char *csv = "main,0,10\nx,0,10\n", *s = PARALLEL "x = #pragma omp critical\n";
    OK_NEAR(time_with(csv, costs, s, 1), 12, 0, "a lock that nobody else wants");
    OK_NEAR(time_with(csv, costs, s, 2), 12 + 10 + 5, 0, "the second waits, and gets it from the first");
    OK_NEAR(time_with(csv, costs, s, 4), 12 + 10 + 9 + 10 + 7 + 10 + 5, 0, "fewer and fewer are at it");
}

static void test_turns(void)
{
    const char *csv = "main,0,40\ni,0,10\no,0,10\ni,10,20\no,10,20\ni,20,30\no,20,30\ni,30,40\no,30,40\n";
    const char *costs = "critical_ovh = 1000\n[openmp]\nordered = 1:2, 2:7\n";
    const char *s = "i = #pragma omp parallel for ordered schedule(static, 1)\no = #pragma omp ordered\n";
    OK_NEAR(time_with(csv, costs, s, 1), 40 + 4 * 2, 0, "turns of one thread");
    OK_NEAR(time_with(csv, costs, s, 2), 40 + 2 + 3 * 7, 0, "turns of two: handed on three times");
    const char *blocks =
        "i = #pragma omp parallel for ordered schedule(static, 2)\no = #pragma omp ordered\n";
    OK_NEAR(time_with(csv, costs, blocks, 2), 40 + 3 * 2 + 7, 0, "in blocks of two: once");
    /* the second waits for the first's 12, and each for the 17 of the other afterwards; asleep these are 21
     */
    const char *asleep = "[openmp]\nordered = 1:2, 2:7\nsleep_after = 15\nsleep_wake = 4\n";
    OK_NEAR(time_with(csv, asleep, s, 2), 40 + 2 + 3 * 7 + 2 * 4, 0,
            "who waits too long sleeps, and is woken");
    CC_CLEANUP(cc_free_ptr) char *call = cc_asprintf("%sbarrier_call = 1\n", asleep);
    OK_NEAR(time_with(csv, call, s, 2), 40 + 2 + 3 * 7 + 2 * 4, 0, "also behind the call to sleep");
    CC_CLEANUP(cc_free_ptr) char *late = cc_asprintf("%sbarrier_call = 3\n", asleep);
    /* 17 are over while it falls asleep, which takes 18; the other then waits for 18 */
    OK_NEAR(time_with(csv, late, s, 2), 40 + 2 + 3 * 7 + 1, 0, "a turn that comes during that is found");
    const char *awake = "[openmp]\nordered = 1:2, 2:7\nsleep_after = 21\nsleep_wake = 4\n";
    OK_NEAR(time_with(csv, awake, s, 2), 40 + 2 + 3 * 7, 0, "who does not wait as long does not");
    const char *first = "[openmp]\nordered = 1:2, 2:7\nordered_first = 1:3, 2:5\n";
    OK_NEAR(time_with(csv, first, s, 1), 40 + 4 * 2 + 3, 0, "the first turn costs more");
    OK_NEAR(time_with(csv, first, s, 2), 40 + 2 + 3 * 7 + 2 * 5, 0, "that of each thread");
    CC_CLEANUP(cc_free_ptr) char *doze = cc_asprintf("%ssleep_after = 21\nsleep_wake = 4\n", first);
    OK_NEAR(time_with(csv, doze, s, 2), 40 + 2 + 3 * 7 + 2 * 5 + 4, 0, "and who waits for it may sleep");
}

/* Iterations of 10 whose first 2 are ordered: two threads overlap what comes behind, or do not. */
static void test_turns_by_chunk(void)
{
    const char *csv = "main,0,40\ni,0,10\no,0,2\ni,10,20\no,10,12\ni,20,30\no,20,22\ni,30,40\no,30,32\n";
    const char *section = "[openmp]\nordered = 1:0, 2:1\nfetch = 1:0, 2:0\n";
    const char *chunk = "[openmp]\nordered = 1:0, 2:1\nfetch = 1:0, 2:0\nordered_chunk = 1\n";
    const char *turns = "o = #pragma omp ordered\n", *loop = "i = #pragma omp parallel for ordered schedule";
    CC_CLEANUP(cc_free_ptr) char *one = cc_asprintf("%s(static, 1)\n%s", loop, turns);
    CC_CLEANUP(cc_free_ptr) char *two = cc_asprintf("%s(static, 2)\n%s", loop, turns);
    CC_CLEANUP(cc_free_ptr) char *any = cc_asprintf("%s(dynamic)\n%s", loop, turns);
    /* the second begins 3 later, and is second to come again */
    OK_NEAR(time_with(csv, section, one, 2), 2 * 10 + 3 + 1, 0, "a turn ends with its section");
    OK_NEAR(time_with(csv, chunk, one, 2), 4 * 10 + 3 * 1, 0, "or with its chunk: one after the other");
    OK_NEAR(time_with(csv, chunk, any, 2), 4 * 10 + 3 * 1, 0,
            "also where chunks are taken by who comes first");
    const char *fetches = "[openmp]\nordered = 1:0, 2:1\nfetch = 1:2, 2:7\nordered_chunk = 1\n";
    OK_NEAR(time_with(csv, fetches, any, 2), 2 + 4 * 10 + 3 * 1, 0,
            "a turn has the fetch of its next chunk in it, a thread's first is fetched as if it were alone");
    OK_NEAR(time_with(csv, fetches, any, 1), 4 * (2 + 10), 0, "one thread's turn has not");
    OK_NEAR(time_with(csv, chunk, two, 2), 4 * 10 + 1, 0, "inside a chunk it stays where it is");
    OK_NEAR(time_with(csv, chunk, one, 1), 40, 0, "one thread has every turn");
    const char *some = "main,0,40\ni,0,10\no,0,2\ni,10,20\ni,20,30\no,20,22\ni,30,40\n";
    OK_NEAR(time_with(some, section, one, 2), 2 * 10, 0, "who has no section waits for no turn");
    OK_NEAR(time_with(some, chunk, one, 2), 2 * 10, 0, "or for its turn at the chunk's end");
}

static void test_tasks(void)
{
    const char *csv = "main,0,30\none,0,30\nt,0,10\nt,10,20\nt,20,30\n", *s = SINGLE "t = #pragma omp task\n";
    const char *curves =
        "[openmp]\ntask_make = 1:4\ntask_makers = 1:2\ntask_idle = 1:4\ntask_drain = 1:1\ntask_take = 1:3\n";
    OK_NEAR(time_with(csv, curves, s, 1), 30 + 3 * (4 + 3), 0, "one thread makes three tasks and takes them");
    CC_CLEANUP(cc_free_ptr) char *first = cc_asprintf("task_first = 50\n%s", curves);
    OK_NEAR(time_with(csv, first, s, 1), 50 + 30 + 3 * (4 + 3), 0, "the first of all costs more, once");
    CC_CLEANUP(cc_free_ptr) char *limit = cc_asprintf("task_inline = 1\n%stask_limit = 2\n", curves);
    OK_NEAR(time_with(csv, limit, s, 1), 30 + 2 * (4 + 3) + 1, 0,
            "beyond two that wait, a task is run at once");
    const char *depends = SINGLE "t = #pragma omp task depend(in: a, b) depend(out: c[TASK])\n";
    CC_CLEANUP(cc_free_ptr) char *named = cc_asprintf("task_depend = 10\n%s", curves);
    OK_NEAR(time_with(csv, named, depends, 1), 30 + 3 * (4 + 3 + 3 * 10), 0,
            "each variable of a depend costs");
    const char *chain = SINGLE "t = #pragma omp task depend(inout: a)\n";
    CC_CLEANUP(cc_free_ptr) char *chained = cc_asprintf("%stask_chain = 1:20\n", curves);
    OK_NEAR(time_with(csv, chained, chain, 1), 30 + 3 * 4 + 3 + 2 * 20, 0,
            "a task that waited for another is let go by it");
}

/* With the lock of the queue a thread alone makes 0.22 of a task, and takes and ends 0.38 of one. */
static void test_queue_lock(void)
{
    const char *s = SINGLE "t = #pragma omp task\n",
               *chain = SINGLE "t = #pragma omp task depend(inout: a)\n";
    const char *curves = "[openmp]\ntask_make = 1:4\ntask_makers = 1:2\ntask_drain = 1:1\ntask_take = 1:3\n";
    const char *one = "main,0,130\none,0,130\nt,20,120\n";
    double before = 4 - 0.22 * 4;
    OK_NEAR(time_with(one, curves, s, 2), 20 + before + 2 + 3 + 100, 0.01,
            "a thread that waits takes a task that another has put there");
    CC_CLEANUP(cc_free_ptr) char *sleeps = cc_asprintf("%ssleep_after = 10\nsleep_wake = 5\n", curves);
    CC_CLEANUP(cc_free_ptr) char *looks = cc_asprintf("%ssleep_after = 50\nsleep_wake = 5\n", curves);
    OK_NEAR(time_with(one, sleeps, s, 2), 20 + before + 2 + 5 + 3 + 100, 0.01, "later, if it sleeps");
    OK_NEAR(time_with("main,0,130\none,0,130\nt,30,130\n", sleeps, s, 2), 30 + before + 2 + 3 + 100, 0.01,
            "its maker has it before, if it comes for it");
    OK_NEAR(time_with(one, looks, s, 2), 20 + before + 2 + 3 + 100, 0.01, "not if it still looks");
    /* one takes the first task, 0.57 with the lock; handing it on takes 4, so its maker, who comes 3.12 after
     * it let go, gets it behind that and behind the third thread's look, or not behind that: a matter of luck
     */
    const char *handed =
        "[openmp]\ntask_make = 1:4\ntask_makers = 1:6\ntask_drain = 1:5\ntask_take = 1:3\ncritical = 1:4\n";
    const char *rest = "main,0,170\none,0,170\nt,20,60\nt,60,70\n";
    OK_NEAR(time_with(rest, handed, s, 2), 20 + (before + 2) + 4 + 0.57 + 4 + 2 + 100, 0.01,
            "its maker waits until it has been handed on twice");
    OK_NEAR(time_with(rest, handed, chain, 2), 20 + (before + 2) + 4 + 0.57 + 4 + 2 + 4 + 100, 0.01,
            "also for a task that has to wait, and for what was written of it: a line for each name");
    /* the other thread runs beside */
    const char *own = "main,0,2050\none,0,2050\nt,0,10\nw,10,11\nt,11,21\nw,21,22\n",
               *waits = "main = #pragma omp parallel\none = #pragma omp single nowait\n"
                        "t = #pragma omp task\nw = #pragma omp taskwait\n";
    OK_NEAR(time_with(own, curves, waits, 1), 2050 + 2 * (4 + 3), 0.01,
            "a thread alone has the lock at once");
    const char *first = "task_first_take = 7\n[openmp]\ntask_make = 1:4\ntask_makers = 1:2\ntask_drain = "
                        "1:1\ntask_take = 1:3\n";
    OK_NEAR(time_with(one, first, MASTER "t = #pragma omp task\n", 2), 20 + before + 2 + 3 + 100 + 2 * 7,
            0.01, "a thread's first task needs code, to take it and to end it");
    OK_NEAR(time_with(one, first, s, 1), 130 + 4 + 3, 0.01, "but not the first thread's");
    OK_NEAR(time_with("main,0,110\none,0,110\nt,0,10\n", "task_depend = 10\n", chain, 2), 100 + 10 / 2.0,
            0.01, "what it names costs its maker one half, and whoever ends it the other");
    const char *table = "task_table = 9\n";
    OK_NEAR(time_with("main,0,20\none,0,20\nt,0,10\nt,10,20\n", table, chain, 1), 20 + 9, 0.01,
            "a table of what tasks depend on is made once");
    OK_NEAR(time_with("main,0,20\none,0,20\nt,0,10\nt,10,20\n", "task_first_table = 8\n", chain, 1), 20 + 8,
            0.01, "so are a thread's first task that names variables, and the first such that it ends");
    OK_NEAR(time_with("main,0,30\none,0,30\nt,0,10\n", "task_first_make = 7\n", s, 2), 7 + 20, 0.01,
            "a thread's first making needs code");
    OK_NEAR(time_with("main,0,30\none,0,30\nt,0,10\n", "task_first_make = 7\n", s, 1), 30, 0.01,
            "but not the first thread's");
}

/* The taker of the first task, who slept, keeps the lock for 0.57 and 100 more, its maker comes 9.12 after it
 * let go and sleeps there: the lock is marked, and whoever lets it go from then on asks the system, 6, for
 * somebody who comes 5 later: the taker, its maker, the taker again, who took the second in the same visit as
 * it ended the first, while the maker slept once more; not the last, which finds it free. */
static void test_marked_lock(void)
{
    const char *costs =
        "task_first_take = 100\n[openmp]\ntask_make = 1:4, 2:10\ntask_makers = 1:2\ntask_drain = "
        "1:1\ntask_take = 1:3\nsleep_after = 10\nsleep_wake = 5\n";
    const char *s = MASTER "t = #pragma omp task\n", *csv = "main,0,150\none,0,150\nt,20,60\nt,60,70\n";
    double made = 20 + (4 - 0.88) + 0.88, taken = made + 5 + 0.57 + 100, over = taken + 6 + (3 - 1.14) + 40,
           again = over + 0.57 + 100 + 0.57, second = again + 6 + (3 - 1.14) + 10;
    OK_NEAR(time_with(csv, costs, s, 2), second + 0.57, 0.01,
            "whoever lets a marked lock go asks the system");
}

/* All threads making tasks at once says what one has the lock for only if they wait for each other. */
static void test_who_makes_waits(void)
{
    const char *s = MASTER "t = #pragma omp task\n", *csv = "main,0,130\none,0,130\nt,20,120\n";
    const char *rest = "task_drain = 1:1\ntask_take = 1:3\n";
    CC_CLEANUP(cc_free_ptr)
    char *free = cc_asprintf("[openmp]\ntask_make = 1:4, 2:10\ntask_makers = 1:4, 2:5\n%s", rest);
    CC_CLEANUP(cc_free_ptr)
    char *some = cc_asprintf("[openmp]\ntask_make = 1:4, 2:10\ntask_makers = 1:4, 2:6\n%s", rest);
    CC_CLEANUP(cc_free_ptr)
    char *all = cc_asprintf("[openmp]\ntask_make = 1:4, 2:10\ntask_makers = 1:4, 2:60\n%s", rest);
    double took = 3 + 100;
    OK_NEAR(time_with(csv, free, s, 2), 20 + 4 + took, 0.01, "two that make one in 10 each do not");
    OK_NEAR(time_with(csv, some, s, 2), 20 + 4 + 2 + took, 0.01, "in 12 each, 2 at most");
    OK_NEAR(time_with(csv, all, s, 2), 20 + 3.12 + 60 + took, 0.01, "and never longer than until the next");
}

/* Whoever takes another's task was not the last at the queue: what it finds there comes from others of the
 * team, also if nobody else wants the lock just then. Its maker comes 2 after it and waits for the rest
 * of 7.5.
 */
static void test_taking_of_a_team(void)
{
    const char *costs = "[openmp]\ntask_make = 1:4\ntask_makers = 1:2\ntask_drain = 1:1, 2:1, 3:15\n"
                        "task_take = 1:20\nsleep_after = 10\nsleep_wake = 1\n";
    double taken = 20 + 3.12 + 2 + 1;
    OK_NEAR(time_with("main,0,170\none,0,170\nt,20,60\nt,60,70\n", costs, MASTER "t = #pragma omp task\n", 3),
            taken + 7.5 + 2 + 100, 0.01, "as long as where all of the team take some");
}

/* Memory that no task had before is its maker's, before it comes to the queue; what is written of names, with
 * the lock. That of few tasks is near. */
static void test_memory(void)
{
    const char *s = MASTER "t = #pragma omp task\n", *csv = "main,0,130\none,0,130\nt,20,120\n";
    OK_NEAR(time_with(csv, "task_fresh = 7\n", s, 2), 20 + 7 + 100, 0.01, "memory is there before a task is");
    const char *named = MASTER "t = #pragma omp task depend(in: a, b)\n";
    OK_NEAR(time_with(csv, "task_fresh = 216\n", named, 1), 130 + 216 + 2 * 40, 0.01,
            "so much of it for each name");
    const char *three = "main,0,30\none,0,30\nt,0,10\nt,10,20\nt,20,30\n",
               *costs = "[openmp]\ntask_make = 1:4\ntask_makers = 1:2\ntask_drain = 1:1\ntask_take = 1:3\n"
                        "task_spares = %d\n";
    for (int few = 0; few <= 4; few++) {
        CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf(costs, few);
        OK_NEAR(time_with(three, text, s, 1), 30 + 3 * 3 + 3 * 4 - 2 * CC_MIN(few, 3), 0.01,
                "tasks of which less than %d are not done", few);
    }
}

/* A task of 100, which another takes; its maker waits for it. */
static void test_told(void)
{
    const char *s = "main = #pragma omp parallel\none = #pragma omp master\nt = #pragma omp task\n"
                    "w = #pragma omp taskwait\n",
               *csv = "main,0,150\none,0,150\nt,0,100\nw,100,101\n";
    double times[2];
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        CC_CLEANUP(cc_free_ptr)
        char *costs = cc_asprintf(
            "[openmp]\ntask_make = 1:4, 2:7\ntask_makers = 1:2\ntask_drain = 1:1\ntask_take = 1:3\n"
            "sleep_after = %d\nsleep_wake = 5\n",
            sleeps ? 10 : 500);
        times[sleeps] = time_with(csv, costs, s, 2);
    }
    OK_NEAR(times[1] - times[0], 5, 0.01, "who sleeps while it waits for its tasks is woken");
    OK_NEAR(time_with(csv, "task_wait = 10\n", s, 2), 100 + 10 / 2.0 + 50, 0.01,
            "the way out of a wait comes after it, that into it goes on beside");
    OK_NEAR(time_with(csv, "task_wait = 10\n", s, 1), 150 + 10, 0.01, "one alone has both");
}

/* As measured on three simulated machines, in ns. */
#define MESH                                                                                                \
    "cores = 16\n[openmp.parallel]\n[openmp]\ntask_make = 1:679, 2:1047, 16:1051\ntask_makers = 1:620, "    \
    "2:697, 4:549, 8:528, 16:514\ntask_idle = 1:656, 2:1718, 4:1871, 8:2657, 16:3252\ntask_drain = 1:502, " \
    "2:821, 4:965, 8:1129, 16:1124\ntask_take = 1:305, 2:1070, 4:1443, 16:1509\ncritical = 1:33, 2:74, "    \
    "4:67, 8:90, 16:102\ncritical_named = 1:35, 2:140, 4:152, 8:138, 16:148\ntask_spares = 12\n"
#define BUS                                                                                             \
    "[openmp.parallel]\n[openmp]\ntask_make = 1:413, 2:789, 4:785\ntask_makers = 1:370, 2:399, 4:200\n" \
    "task_idle = 1:410, 2:780, 4:1078\ntask_drain = 1:269, 2:217, 4:238\ntask_take = 1:203, 2:296, "    \
    "4:368\ncritical = 1:23, 2:18, 4:16\ncritical_named = 1:25, 2:20, 4:16\ntask_spares = 9\n"
#define CROSSBAR                                                                                          \
    "[openmp.parallel]\n[openmp]\ntask_make = 1:19967, 2:23151, 4:21734\ntask_makers = 1:13877, 2:9000, " \
    "4:6240\ntask_idle = 1:20336, 2:23477, 4:20695\ntask_drain = 1:11734, 2:7837, 4:6594\ntask_take = "   \
    "1:9950, 2:14630, 4:15000\ncritical = 1:619, 2:389, 4:276\ncritical_named = 1:616, 2:363, 4:331\n"    \
    "task_spares = 7\n"

/* Costs are taken from programs that do one thing only; the replay of such a program gives them again. */
static void test_measured_again(void)
{
    enum { N = 300 };
    static const struct {
        const char *of, *costs;
        unsigned threads;
        double idle;
    } m[] = {
        {"manycore", MESH, 4, 1871},      {"manycore", MESH, 8, 2657},      {"manycore", MESH, 16, 3252},
        {"cortex-a53-quad", BUS, 2, 780}, {"mips-smp", CROSSBAR, 4, 20695},
    };
    CC_CLEANUP(cc_buf_fini) struct cc_buf csv = {0};
    cc_buf_printf(&csv, "main,0,%d\none,0,%d\n", N, N);
    for (int i = 0; i < N; i++)
        cc_buf_printf(&csv, "t,%d,%d\n", i, i + 1);
    for (size_t k = 0; k < sizeof m / sizeof *m; k++)
        OK_NEAR(time_of(csv.s, m[k].costs, SINGLE "t = #pragma omp task\n", m[k].threads) / N, m[k].idle,
                0.15 * m[k].idle, "%s: one maker, %u that look for its tasks", m[k].of, m[k].threads - 1);
    /* all of 16 make tasks: as many as all make of them, then as many as all take */
    double all = time_of("main,0,40\nt,0,1\nt,1,2\nt,2,3\nt,3,4\nt,4,5\nt,5,6\nt,6,7\nt,7,8\n", MESH,
                         PARALLEL "t = #pragma omp task\n", 16);
    OK(all > 16 * 8 * (514 + 305) && all < 16 * 8 * (514 + 1124) * 1.1, "all make tasks, then all take them");
}

/* The second thread comes last to the barrier behind the loop, so it gets the single, and the first has its
 * own code to run meanwhile. */
static void test_last_is_first(void)
{
    const char *csv = "main,0,35\ni,0,5\ni,5,15\no,15,25\nm,25,35\n";
    const char *s = "main = #pragma omp parallel\ni = #pragma omp for schedule(static)\n"
                    "o = #pragma omp single nowait\nm = #pragma omp master\n";
    OK_NEAR(time_with(csv, "", s, 2), 10 + 10, 0.01, "who comes last to a barrier goes on first");
    OK_NEAR(time_with("main,0,30\none,0,30\nt,0,10\n", "task_first_thread = 50\n",
                      SINGLE "t = #pragma omp task\n", 4),
            50 + 10 + 50, 0.01,
            "a region's master comes last: another makes its tasks; both pay for their first");
}

/* Two strands that read each other: of four tasks the second comes behind one that writes what it reads and
 * reads what it writes, once; the third behind two; the last behind three, of which one is long waited for by
 * others. */
static void test_lists(void)
{
    const char *csv = "main,0,40\none,0,40\nt,0,10\nt,10,20\nt,20,30\nt,30,40\n";
    const char *s = SINGLE "t = #pragma omp task depend(in: a[(TASK + 1) % 2]) depend(inout: a[TASK % 2])\n";
    OK_NEAR(time_with(csv, "task_behind = 10\n", s, 1), 40 + 6 * 10, 0,
            "each that a task comes behind costs");
    OK_NEAR(time_with(csv, "task_ahead = 10\n", s, 1), 40 + (3 + 2 + 1) * 10, 0,
            "so does each that came behind a task, but the first");
    const char *limit = "task_inline = 1\ntask_behind = 10\n[openmp]\ntask_limit = 2\n";
    OK_NEAR(time_with(csv, limit, s, 1), 40 + 1 + 10, 0, "a task that runs at once is in no list");
}

/* The maker of three tasks, and one other thread: the first task is made while that has none, so it is asked
 * for (6 more, once the task is there); the others while it is at the first (2). */
static void test_asking(void)
{
    const char *costs = "[openmp]\ntask_make = 1:2, 2:8\ntask_makers = 1:0\n",
               *csv = "main,0,130\none,0,130\nt,0,100\nt,100,110\nt,110,120\n";
    OK_NEAR(time_with(csv, costs, SINGLE "t = #pragma omp task\n", 2), 2 + 100, 0.01,
            "a task is there before somebody is asked for it");
    OK_NEAR(time_with(csv, costs, SINGLE "t = #pragma omp task\n", 1), 3 * 2 + 130, 0.01,
            "one alone has none to ask for");
    const char *makes = "main,0,202\none,0,202\nt,0,100\nt,100,101\nt,101,102\n",
               *slow = "[openmp]\ntask_make = 1:2, 2:20\ntask_makers = 1:0\n";
    OK_NEAR(time_with(makes, slow, SINGLE "t = #pragma omp task\n", 2), 20 + 2 + 2 + 100, 0.01,
            "of three it is asked once: then all have tasks");
}

/* A lock with a name has costs of its own, where they are known. */
static void test_named_lock(void)
{
    const char *csv = "main,0,20\nc,0,20\n", *both = "[openmp]\ncritical = 1:7\ncritical_named = 1:3\n";
    OK_NEAR(time_with(csv, both, "main = #pragma omp parallel\nc = #pragma omp critical\n", 1), 20 + 7, 0.01,
            "without a name");
    OK_NEAR(time_with(csv, both, "main = #pragma omp parallel\nc = #pragma omp critical(a)\n", 1), 20 + 3,
            0.01, "with one");
    OK_NEAR(time_with(csv, "[openmp]\ncritical = 1:7\n",
                      "main = #pragma omp parallel\nc = #pragma omp critical(a)\n", 1),
            20 + 7, 0.01, "with one of which nothing is known");
}

/* Tasks need code and memory that was not needed before. */
static void test_first_tasks(void)
{
    const char *csv = "main,0,30\none,0,30\nt,0,10\nt,10,20\nt,20,30\n", *s = SINGLE "t = #pragma omp task\n";
    OK_NEAR(time_with(csv, "task_first_thread = 50\n", s, 1), 30, 0, "the first thread has its memory");
    OK_NEAR(time_with("main,0,30\none,0,30\nt,20,30\n", "task_first_thread = 50\n", s, 2), 30 + 50, 0,
            "the first task of another thread, made or taken");
    const char *late = "main,0,80\none,0,80\nt,20,30\nt,30,80\n",
               *chain = SINGLE "t = #pragma omp task depend(inout: a)\n";
    OK_NEAR(time_with(late, "task_first_thread = 60\n", chain, 2), 20 + 10 + 60 + 50, 0,
            "what waits for a thread's first task waits until it has its memory, too");
    OK_NEAR(time_with(late, "task_first_thread = 20\n", MASTER "t = #pragma omp task\n", 2), 20 + 50, 0,
            "nobody else waits for that");
    OK_NEAR(time_with(csv, "task_fresh = 7\n", s, 1), 30 + 3 * 7, 0, "three tasks at a time");
    const char *twice = "main,0,50\none,0,30\nt,0,10\nt,10,20\nt,20,30\none,30,50\nt,30,40\nt,40,50\n";
    const char *waited = "main = #pragma omp parallel\none = #pragma omp single\nt = #pragma omp task\n";
    OK_NEAR(time_with(twice, "task_fresh = 7\n", waited, 1), 50 + 3 * 7, 0,
            "later ones use their memory again");
    OK_NEAR(time_with("main,0,20\none,0,20\ni,0,10\ni,10,20\n", "task_fresh = 7\n[openmp]\ntaskloop = 1:5\n",
                      SINGLE "i = #pragma omp taskloop num_tasks(2)\n", 1),
            20 + 2 * (5 + 7), 0, "those of a taskloop");
}

/* A thread that has run tasks has memory for the next, of a few. */
static void test_spares(void)
{
    const char *csv = "main,0,50\none,0,30\nt,0,10\nt,10,20\nt,20,30\none,30,50\nt,30,40\nt,40,50\n";
    const char *s = "main = #pragma omp parallel\none = #pragma omp single\nt = #pragma omp task\n";
    OK_NEAR(time_with(csv, "task_create = 5\n", s, 1), 50 + 5 * 5, 0, "five tasks");
    OK_NEAR(time_with(csv, "task_create = 5\ntask_near = 2\n[openmp]\ntask_spares = 7\n", s, 1),
            50 + 5 * 5 - 2 * 2, 0, "two of them in the memory of two that are done");
    OK_NEAR(time_with(csv, "task_create = 5\ntask_near = 2\n[openmp]\ntask_spares = 1\n", s, 1),
            50 + 5 * 5 - 2, 0, "or one, if no more is kept");
    OK_NEAR(time_with(csv, "task_create = 5\ntask_near = 9\n[openmp]\ntask_spares = 7\n", s, 1), 50 + 3 * 5,
            0, "making one takes no less than nothing");
}

/* Who waits, for children or for a group; nobody pays who has nothing to wait for. */
static void test_waits(void)
{
    const char *csv = "main,0,22\none,0,22\nw,0,0\nt,0,10\nt,10,20\nw,20,21\nw,21,22\n";
    const char *s = "main = #pragma omp parallel\none = #pragma omp single\nt = #pragma omp task\n"
                    "w = #pragma omp taskwait\n";
    OK_NEAR(time_with(csv, "task_wait = 6\n", s, 1), 22 + 6, 0, "one wait of three has tasks to wait for");
    const char *groups = "main,0,30\none,0,30\ng,0,20\nt,0,10\nt,10,20\ng,20,30\n";
    const char *group = "main = #pragma omp parallel\none = #pragma omp single\nt = #pragma omp task\n"
                        "g = #pragma omp taskgroup\n";
    OK_NEAR(time_with(groups, "task_wait = 6\ntask_group = 4\n", group, 1), 30 + 2 * 4 + 6, 0,
            "two groups, one with tasks");
}

/* What a depend names, where all tasks are made before one is done. */
static void test_names(void)
{
    const char *csv = "main,0,30\none,0,30\nt,0,10\nt,10,20\nt,20,30\n";
    const char *three = SINGLE "t = #pragma omp task depend(in: a, b, c)\n",
               *one = SINGLE "t = #pragma omp task depend(in: a)\n",
               *own = SINGLE "t = #pragma omp task depend(in: a[TASK])\n";
    OK_NEAR(time_with(csv, "task_named = 10\ntask_depend = 4\n", three, 1), 30 + 3 * (10 + 2 * 4), 0,
            "the first name of a task has a cost of its own");
    OK_NEAR(time_with(csv, "task_place = 7\n", one, 1), 30 + 7, 0, "a name that is new");
    OK_NEAR(time_with(csv, "task_place = 7\n", own, 1), 30 + 3 * 7, 0, "three of them");
    OK_NEAR(time_with(csv, "task_pass = 5\n", one, 1), 30 + (1 + 2) * 5, 0,
            "the second comes by one that reads, the third by two");
    OK_NEAR(time_with(csv, "task_pass = 5\n", own, 1), 30, 0, "of its own variable by none");
    OK_NEAR(time_with(csv, "task_far = 8\n[openmp]\ntask_spares = 2\n", one, 1), 30 + 8, 0,
            "the third task that is not done is far");
}

static void test_taskloop(void)
{
    const char *csv = "main,0,40\none,0,40\ni,0,10\ni,10,20\ni,20,30\ni,30,40\n";
    const char *s = SINGLE "i = #pragma omp taskloop num_tasks(4)\n";
    OK_NEAR(time_with(csv, "task_create = 5\n", s, 4), 4 * 5 + 10, 0,
            "tasks are taken while others are made");
    OK_NEAR(time_with(csv, "task_create = 5\n[openmp]\ntaskloop = 1:5\n", s, 2), 20 + 20, 0,
            "or all are made first");
    OK_NEAR(time_with(csv, "task_inline = 1\n[openmp]\ntaskloop = 1:5\ntask_limit = 1\n", s, 2), 4 * 11, 0,
            "too many of them are run at once, one after the other");
}

static void test_sums(void)
{
    const char *csv = "main,0,10\n",
               *costs = "reduction_ovh = 3\nreduction_value = 2\n[openmp]\ncritical = 1:1, 2:5\n";
    OK_NEAR(time_with(csv, costs, "main = #pragma omp parallel reduction(+: x)\n", 2), 10 + 2 * 3, 0,
            "one value");
    OK_NEAR(time_with(csv, costs, "main = #pragma omp parallel reduction(+: x[:8])\n", 2),
            10 + 2 * (5 + 8 * 2), 0, "an array is added up under a lock");
    OK_NEAR(time_with(csv, "reduction_ovh = 3\n", "main = #pragma omp parallel reduction(+: x[:8])\n", 2),
            10 + 2 * 24, 0, "a platform that does not tell it");
}

static void test_damaged(void)
{
    OK(time_with("main,0,10\n", "[openmp]\nbarrier = 1:2, 1:3\n", PARALLEL, 2) < 0,
       "a curve with a number of threads twice");
    OK(time_with("main,0,10\n", "[openmp]\ntask_make = some\n", PARALLEL, 2) < 0, "no curve at all");
    OK_NEAR(time_with("main,0,100\nx,40,50\n", "[openmp]\nbarrier = 1:30, 2:10\n",
                      PARALLEL "x = #pragma omp barrier\n", 4),
            100, 0, "a curve that falls ends at nothing");
}

int main(void)
{
    test_barriers();
    test_copies();
    test_last_of_barrier();
    test_inner_regions();
    test_first_region();
    test_fresh_teams();
    test_fetches();
    test_crowded_fetches();
    test_locks();
    test_turns();
    test_turns_by_chunk();
    test_tasks();
    test_queue_lock();
    test_marked_lock();
    test_who_makes_waits();
    test_taking_of_a_team();
    test_memory();
    test_told();
    test_measured_again();
    test_last_is_first();
    test_lists();
    test_first_tasks();
    test_asking();
    test_named_lock();
    test_spares();
    test_waits();
    test_names();
    test_taskloop();
    test_sums();
    test_damaged();
    return TAP_DONE();
}
