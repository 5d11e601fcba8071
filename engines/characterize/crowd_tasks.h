/* What tasks cost by the number of threads that are at the queue. For openmp.c alone. */
#ifndef CC_ENGINES_CHARACTERIZE_CROWD_TASKS_H
#define CC_ENGINES_CHARACTERIZE_CROWD_TASKS_H

#include "crowd.h"

/* Who makes the tasks. It may be near the memory that the queue lies in or far from it: on 16 cores of a
 * simulated mesh a task of which all others come takes 2.7 us with one maker and 5.6 with another. Which
 * thread of a program makes its tasks is chance: what counts is the mean of some. */
static int crowd_maker;

static double crowd_mean(double (*measure)(void *), void *arg)
{
    enum { MAKERS = 4 };
    int makers = threads < MAKERS ? threads : MAKERS;
    double sum = 0;
    for (int i = 0; i < makers; i++) {
        crowd_maker = makers > 1 ? i * (threads - 1) / (makers - 1) : 0;
        sum += measure(arg);
    }
    return sum / makers;
}

/* Empty tasks of one maker: the others wait for them all, and all of them come for each. */
static double crowd_idle_one(void *unused)
{
    enum { N = 40 };
    (void)unused;
    uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
        if (omp_get_thread_num() == crowd_maker) {
            t0 = bench_ticks();
            for (int i = 0; i < N; i++) {
#pragma omp task
                __asm__ __volatile__("" : : : "memory");
            }
            t1 = bench_ticks();
        }
    }
    return crowd_ns(t1 - t0) / N;
}

static double crowd_idle(void *unused)
{
    return crowd_mean(crowd_idle_one, unused);
}

static volatile int crowd_go; /* those that are not to be at the queue wait for it */

enum crowd_phase { CROWD_MAKING, CROWD_DRAINING, CROWD_CHAINED };

/* One thread makes tasks while nobody is at the queue, then all take them: what it takes to make one, or how
 * often one is taken. */
static double crowd_queue_one(void *phase)
{
    enum { N = 48 };
    uint64_t t0 = 0, t1 = 0;
    crowd_go = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
        if (omp_get_thread_num() == crowd_maker) {
            t0 = bench_ticks();
            for (int i = 0; i < N; i++) {
                if (*(enum crowd_phase *)phase == CROWD_CHAINED) {
#pragma omp task depend(inout : t0)
                    __asm__ __volatile__("" : : : "memory");
                } else {
#pragma omp task
                    __asm__ __volatile__("" : : : "memory");
                }
            }
            t1 = bench_ticks();
            crowd_go = 1;
        } else {
            while (!crowd_go)
                ;
        }
    }
    uint64_t t2 = bench_ticks();
    return crowd_ns(*(enum crowd_phase *)phase == CROWD_MAKING ? t1 - t0 : t2 - t1) / N;
}

static double crowd_queue(void *phase)
{
    return crowd_mean(crowd_queue_one, phase);
}

/* All threads make tasks at once, and none takes one: how often one is made. */
static double crowd_makers(void *unused)
{
    enum { EACH = 10 };
    static volatile int done;
    uint64_t t0 = 0, t1 = 0;
    (void)unused;
    done = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
        for (int i = 0; i < EACH; i++) {
#pragma omp task
            __asm__ __volatile__("" : : : "memory");
        }
#pragma omp atomic
        done++;
        while (done < threads)
            ;
#pragma omp master
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / ((double)EACH * threads);
}

/* While all threads have work: from the end of one task to the start of the next in the same thread. All are
 * made before the others come: one maker cannot keep many busy, and they would wait for it. */
static double crowd_take(void *unused)
{
    enum { EACH = 6 };
    static double gap[1024 * EACH];
    static struct {
        uint64_t end;
        char pad[120];
    } last[1024];
    int n = 0;
    (void)unused;
    crowd_go = 0;
#pragma omp parallel num_threads(threads)
    {
        last[omp_get_thread_num()].end = 0;
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < EACH * threads; i++) {
#pragma omp task firstprivate(i) shared(gap, last)
                {
                    int me = omp_get_thread_num();
                    uint64_t start = bench_ticks();
                    gap[i] = last[me].end ? crowd_ns(start - last[me].end) : 0;
                    crowd_work(400 + 397 * threads + 97 * (i % 7));
                    last[me].end = bench_ticks();
                }
            }
            crowd_go = 1;
        } else {
            while (!crowd_go)
                ;
        }
    }
    for (int i = 0; i < EACH * threads; i++)
        if (gap[i] > 0)
            gap[n++] = gap[i];
    return n ? crowd_middle(gap, n) : 0;
}

/* A taskloop of tasks that nobody takes before all are made. */
static double crowd_taskloop_one(void *unused)
{
    enum { N = 40 };
    (void)unused;
    uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
        if (omp_get_thread_num() == crowd_maker) {
            t0 = bench_ticks();
#pragma omp taskloop num_tasks(N) nogroup
            for (int i = 0; i < N; i++)
                __asm__ __volatile__("" : : : "memory");
            t1 = bench_ticks();
        }
    }
    return crowd_ns(t1 - t0) / N;
}

static double crowd_taskloop(void *unused)
{
    return crowd_mean(crowd_taskloop_one, unused);
}

/* So many tasks, made and run by one thread, and waited for, again and again: what one round takes. */
static double crowd_pile(void *tasks)
{
    enum { ROUNDS = 4 };
    uint64_t t0 = 0, t1 = 0;
    int n = *(int *)tasks;
#pragma omp parallel num_threads(1)
    {
        for (int round = -1; round < ROUNDS; round++) {
            if (round == 0)
                t0 = bench_ticks();
            for (int i = 0; i < n; i++) {
#pragma omp task
                __asm__ __volatile__("" : : : "memory");
            }
#pragma omp taskwait
        }
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / ROUNDS;
}

/* The same, in a group. */
static double crowd_group(void *tasks)
{
    enum { ROUNDS = 4 };
    uint64_t t0 = 0, t1 = 0;
    int n = *(int *)tasks;
#pragma omp parallel num_threads(1)
    {
        for (int round = -1; round < ROUNDS; round++) {
            if (round == 0)
                t0 = bench_ticks();
#pragma omp taskgroup
            for (int i = 0; i < n; i++) {
#pragma omp task
                __asm__ __volatile__("" : : : "memory");
            }
        }
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / ROUNDS;
}

/* So many KiB of code, a jump for each line of 32 bytes or more. */
#if defined(__x86_64__) || defined(__i386__)
#define CROWD_CODE(lines) \
    __asm__ __volatile__(".rept " #lines "\n\tjmp 1f\n\t.balign 32\n1:\n\t.endr" : : : "memory")
#elif defined(__aarch64__) || defined(__arm__)
#define CROWD_CODE(lines) \
    __asm__ __volatile__(".rept " #lines "\n\tb 1f\n\t.balign 32\n1:\n\t.endr" : : : "memory")
#elif defined(__riscv)
#define CROWD_CODE(lines) \
    __asm__ __volatile__(".rept " #lines "\n\tj 1f\n\t.balign 32\n1:\n\t.endr" : : : "memory")
#else
#define CROWD_CODE(lines) (void)0
#endif

static void crowd_code(int kib)
{
    switch (kib) {
    case 4:
        CROWD_CODE(128);
        break;
    case 8:
        CROWD_CODE(256);
        break;
    case 16:
        CROWD_CODE(512);
        break;
    case 32:
        CROWD_CODE(1024);
        break;
    default:
        CROWD_CODE(2048);
    }
}

struct crowd_driven_out {
    int kib, tasks;
};

/* Such code, and a task behind it or none. */
static double crowd_driven_out(void *arg)
{
    enum { ROUNDS = 4 };
    const struct crowd_driven_out *d = arg;
    uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(1)
    {
        for (int round = -1; round < ROUNDS; round++) {
            if (round == 0)
                t0 = bench_ticks();
            crowd_code(d->kib);
            for (int i = 0; i < d->tasks; i++) {
#pragma omp task
                __asm__ __volatile__("" : : : "memory");
            }
#pragma omp taskwait
        }
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / ROUNDS;
}

/* What a task and code between tasks take longer because each drives the other's out of the first cache:
 * most where that code just fits it. */
static void crowd_both_driven_out(struct bench_figure task)
{
    struct bench_figure most = {.samples = task.samples, .stable = 1};
    for (int kib = 4; kib <= 64; kib *= 2) {
        struct crowd_driven_out without = {kib, 0}, with = {kib, 1};
        struct bench_figure less = bench_sample(crowd_driven_out, &without, 2),
                            f = bench_sample(crowd_driven_out, &with, 2);
        f.median -= less.median + task.median;
        f.spread = hypot(hypot(f.spread, less.spread), task.spread);
        most = f.median > most.median ? f : most;
    }
    bench_print("openmp.parallel", "task_code", most);
}

/* A round of a few tasks is one wait and so much for each. What is waited for costs more than that where the
 * code for making tasks and the code for waiting do not fit a cache together. Returns what each takes. */
static double crowd_waits(void)
{
    int one = 1, four = 4;
    struct bench_figure few = bench_sample(crowd_pile, &one, 2), more = bench_sample(crowd_pile, &four, 2),
                        group = bench_sample(crowd_group, &one, 2), wait = few;
    double each = (more.median - few.median) / (four - one);
    wait.median = few.median - each;
    wait.spread = hypot(few.spread, more.spread);
    bench_print("openmp.parallel", "task_wait", wait);
    group.median -= few.median;
    group.spread = hypot(group.spread, few.spread);
    bench_print("openmp.parallel", "task_group", group);
    crowd_both_driven_out(few);
    return each;
}

/* Libraries keep the memory of a few things that a thread is done with at hand for it: a task in such takes
 * `near`, others more. What they take less than they are told to take, made and taken by their own. */
static void crowd_spares(double clock)
{
    int some = 16, many = 48;
    enum crowd_phase making = CROWD_MAKING;
    double near = crowd_waits();
    threads = 1;
    struct bench_figure mid = bench_sample(crowd_pile, &some, 2), far = bench_sample(crowd_pile, &many, 2),
                        make = bench_sample(crowd_queue, &making, 2),
                        take = bench_sample(crowd_take, NULL, 2);
    double dear = (far.median - mid.median) / (many - some), more = dear - near;
    double spares = more > 0.02 * dear ? (many * dear - far.median + near) / more : 0;
    spares = spares < 4 ? 0 : spares < some ? round(spares) : some;
    struct bench_figure less = make;
    less.median = spares > 0 ? make.median + take.median - clock - near : 0;
    less.spread = spares > 0 ? hypot(make.spread, take.spread) : 0;
    bench_print("openmp.parallel", "task_near", less);
    printf("value openmp task_spares %.0f 0 1 stable\n", spares);
}

/* A task that is run at once. */
static double crowd_inline(void *unused)
{
    enum { N = 100 };
    (void)unused;
    uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(1)
    {
        t0 = bench_ticks();
        for (int i = 0; i < N; i++) {
#pragma omp task if (0)
            __asm__ __volatile__("" : : : "memory");
        }
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / N;
}

struct crowd_depend {
    int names, tasks, rounds, same;
};

/* What a task costs that reads so many variables, each its own or all the same: some of them made and waited
 * for, once or again and again after a first time. */
static double crowd_depend(void *arg)
{
    enum { MOST = 20 };
    static char at[4 * MOST];
    const struct crowd_depend *d = arg;
    uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(1)
    {
        t0 = bench_ticks();
        for (int round = d->rounds > 1 ? -1 : 0; round < d->rounds; round++) {
            if (round == 0)
                t0 = bench_ticks();
            for (int i = 0; i < d->tasks; i++) {
                char *v = d->same ? at : at + 4 * i;
                (void)v;
                if (d->names == 0) {
#pragma omp task
                    __asm__ __volatile__("" : : : "memory");
                } else if (d->names == 1) {
#pragma omp task depend(in : v[0])
                    __asm__ __volatile__("" : : : "memory");
                } else {
#pragma omp task depend(in : v[0], v[1], v[2])
                    __asm__ __volatile__("" : : : "memory");
                }
            }
#pragma omp taskwait
        }
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / (d->tasks * d->rounds);
}

/* What the second costs less than the first, divided; not below nothing. */
static struct bench_figure crowd_less(struct bench_figure f, struct bench_figure less, double divide)
{
    f.median = f.median > less.median ? (f.median - less.median) / divide : 0;
    f.spread = hypot(f.spread, less.spread) / divide;
    return f;
}

/* One task, with a depend or without. */
static double crowd_single(void *depend)
{
    static char at;
    uint64_t t0 = 0, t1 = 0;
    (void)at;
#pragma omp parallel num_threads(1)
    {
        t0 = bench_ticks();
        if (*(int *)depend) {
#pragma omp task depend(inout : at)
            __asm__ __volatile__("" : : : "memory");
        } else {
#pragma omp task
            __asm__ __volatile__("" : : : "memory");
        }
#pragma omp taskwait
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0);
}

/* What it costs to name anything. */
static struct bench_figure crowd_one_name(struct crowd_depend d)
{
    struct crowd_depend one = d;
    one.names = 1;
    return crowd_less(bench_sample(crowd_depend, &one, 2), bench_sample(crowd_depend, &d, 2), 1);
}

/* What two more names cost in tasks that read so. */
static struct bench_figure crowd_two_names(struct crowd_depend d)
{
    struct crowd_depend one = d, three = d;
    one.names = 1;
    three.names = 3;
    return crowd_less(bench_sample(crowd_depend, &three, 2), bench_sample(crowd_depend, &one, 2), 2);
}

/* What naming variables costs: the first of a task, each other one; more for one that was not named before,
 * whose place in the table of its maker's tasks is new; for each task before that reads it, too, and is not
 * done; and that table itself. Returns the last but one. */
static double crowd_names(void)
{
    enum { MANY = 20 };
    int yes = 1, no = 0;
    struct crowd_depend few = {.tasks = 6, .rounds = 4}, many = few, fresh = few, same = few;
    many.tasks = fresh.tasks = same.tasks = MANY;
    same.same = fresh.rounds = 1;
    struct bench_figure named = crowd_one_name(few), each = crowd_two_names(few),
                        far = crowd_less(crowd_one_name(many), named, 1), many_each = crowd_two_names(many);
    bench_print("openmp.parallel", "task_named", named);
    bench_print("openmp.parallel", "task_depend", each);
    bench_print("openmp.parallel", "task_far", far);
    struct bench_figure place = crowd_less(crowd_two_names(fresh), many_each, 1),
                        pass = crowd_less(crowd_two_names(same), many_each, (MANY - 1) / 2.0),
                        f = crowd_less(bench_sample(crowd_single, &yes, 2),
                                       bench_sample(crowd_single, &no, 2), 1);
    bench_print("openmp.parallel", "task_place", place);
    bench_print("openmp.parallel", "task_pass", pass);
    named.median += place.median;
    bench_print("openmp.parallel", "task_table", crowd_less(f, named, 1));
    return pass.median;
}

/* --- tasks behind others --- */

enum { CROWD_STRANDS = 5, CROWD_STEPS = 12, CROWD_BRAID = CROWD_STRANDS * CROWD_STEPS };

struct crowd_braid {
    int own; /* what a task reads is its own, so that it comes behind the last of its strand only */
    double making, ending; /* ns, of all tasks */
};

/* As many tasks as a thread may put off, each reading one variable and writing another, in steps. */
static void crowd_braid(struct crowd_braid *b)
{
    static char at[64 * (CROWD_STRANDS + CROWD_BRAID)];
    uint64_t t[3] = {0};
#pragma omp parallel num_threads(1)
    {
        t[0] = bench_ticks();
        for (int i = 0; i < CROWD_BRAID; i++) {
            char *v = at + 64 * (i % CROWD_STRANDS);
            char *other = at + 64 * (b->own ? CROWD_STRANDS + i : (i + 1) % CROWD_STRANDS);
            (void)v, (void)other;
#pragma omp task depend(in : other[0]) depend(inout : v[0])
            __asm__ __volatile__("" : : : "memory");
        }
        t[1] = bench_ticks();
#pragma omp taskwait
        t[2] = bench_ticks();
    }
    b->making = crowd_ns(t[1] - t[0]);
    b->ending = crowd_ns(t[2] - t[1]);
}

/* Pairs of its tasks of which one comes behind the other, beyond those of one strand: behind the last that
 * wrote what it reads, and behind all that read what it writes. */
static int crowd_braid_pairs(void)
{
    int pairs = 0;
    for (int i = 0; i < CROWD_BRAID; i++) {
        pairs += i > (i + 1) % CROWD_STRANDS;
        for (int j = 0; j < i; j++)
            pairs += (j + 1) % CROWD_STRANDS == i % CROWD_STRANDS;
    }
    return pairs;
}

/* And how often one is passed by in doing so: all that read a place and are not done, and the last that wrote
 * it, whenever it is named. */
static int crowd_braid_passes(void)
{
    int passes = 0;
    for (int i = 0; i < CROWD_BRAID; i++) {
        passes += i > (i + 1) % CROWD_STRANDS;
        for (int j = 0; j < i; j++)
            passes +=
                ((j + 1) % CROWD_STRANDS == i % CROWD_STRANDS) + (j % CROWD_STRANDS == i % CROWD_STRANDS);
    }
    return passes;
}

static double crowd_braid_making(void *b)
{
    crowd_braid(b);
    return ((struct crowd_braid *)b)->making;
}

static double crowd_braid_ending(void *b)
{
    crowd_braid(b);
    return ((struct crowd_braid *)b)->ending;
}

/* What it costs for each pair, when one is made or when the other ends. */
static void crowd_pairs(const char *key, double (*measure)(void *), double pass)
{
    struct crowd_braid together = {.own = 0}, apart = {.own = 1};
    struct bench_figure f = bench_sample(measure, &together, 2), less = bench_sample(measure, &apart, 2);
    int pairs = crowd_braid_pairs();
    less.median += pass * crowd_braid_passes();
    f.median = f.median > less.median ? (f.median - less.median) / pairs : 0;
    f.spread = hypot(f.spread, less.spread) / pairs;
    bench_print("openmp.parallel", key, f);
}

/* How many tasks one thread can make before the runtime runs one at once; 0: more than are tried. */
static int crowd_limit(void)
{
    enum { MOST = 5000 };
    static volatile int done, first;
    done = first = 0;
#pragma omp parallel num_threads(1)
    for (int i = 0; i < MOST; i++) {
#pragma omp task
        done++;
        if (done && !first)
            first = i;
    }
    return first;
}

struct crowd_pass {
    int maker, taker, tasks;
    /* ns: of all of them; from coming for the first to starting it, and to starting the last */
    double making, coming, taking;
};

/* One thread makes tasks, then another takes them; no third is at the queue. */
static void crowd_pass(struct crowd_pass *p)
{
    static volatile int made, done;
    uint64_t t[5] = {0};
    made = done = 0;
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num();
        if (me == p->maker) {
            t[0] = bench_ticks();
            for (int i = 0; i < p->tasks; i++) {
#pragma omp task
                {
                    t[3] = bench_ticks();
                    t[4] = done ? t[4] : t[3];
                    done++;
                }
            }
            t[1] = bench_ticks();
            made = 1;
        }
        while (!made || (me != p->taker && done < p->tasks))
            ;
        if (me == p->taker)
            t[2] = bench_ticks();
    }
    p->making = crowd_ns(t[1] - t[0]);
    p->coming = crowd_ns(t[4] - t[2]);
    p->taking = crowd_ns(t[3] - t[2]);
}

/* What the first time takes more than the second. */
static struct crowd_pass crowd_twice(struct crowd_pass p)
{
    struct crowd_pass again = p;
    crowd_pass(&p);
    crowd_pass(&again);
    p.making = p.making > again.making ? p.making - again.making : 0;
    p.coming = p.coming > again.coming ? p.coming - again.coming : 0;
    p.taking = p.taking > again.taking ? p.taking - again.taking : 0;
    return p;
}

/* One thread makes a task, with a depend or without, and waits for it. */
static double crowd_own_task(int maker, int depend)
{
    static volatile int done;
    static char at;
    uint64_t t0 = 0, t1 = 0;
    (void)at;
    done = 0;
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() == maker) {
            t0 = bench_ticks();
            if (depend) {
#pragma omp task depend(inout : at)
                __asm__ __volatile__("" : : : "memory");
            } else {
#pragma omp task
                __asm__ __volatile__("" : : : "memory");
            }
#pragma omp taskwait
            t1 = bench_ticks();
            done = 1;
        }
        while (!done)
            ;
    }
    return crowd_ns(t1 - t0);
}

/* What its first time takes more than its second. */
static double crowd_own_first(int maker, int depend)
{
    double first = crowd_own_task(maker, depend), again = crowd_own_task(maker, depend);
    return first > again ? first - again : 0;
}

struct crowd_first {
    /* ns more: the first task of all; of a thread, of that taking it, making one, and one with a depend; in
     * memory not used yet */
    double all, thread, take, make, table, fresh;
};

/* First tasks need code and memory that later ones find. To be called before any other task of the process.
 */
static struct crowd_first crowd_first(int n)
{
    enum { FEW = 2, MANY = 42, TAKERS = 16 };
    threads = n;
    struct crowd_pass all = crowd_twice((struct crowd_pass){.tasks = FEW});
    struct crowd_first f = {.all = all.making + all.taking};
    int takers = n - 1 < TAKERS ? n - 1 : TAKERS;
    for (int t = 1; t <= takers; t++) {
        struct crowd_pass first = crowd_twice((struct crowd_pass){.taker = t, .tasks = FEW});
        f.thread += first.taking / takers;
        f.take += first.coming / takers;
    }
    for (int t = 1; t <= takers; t++) { /* they have memory now */
        f.make += crowd_own_first(t, 0) / takers;
        f.table += crowd_own_first(t, 1) / takers;
    }
    /* ending it needs as much code as taking it; the rest is memory of its own */
    f.thread = f.thread > 2 * f.take ? f.thread - 2 * f.take : 0;
    f.fresh = crowd_twice((struct crowd_pass){.taker = n > 1, .tasks = MANY}).making / (MANY - FEW);
    f.all = f.all > FEW * f.fresh ? f.all - FEW * f.fresh : 0;
    return f;
}

/* There is a first time once only: so much for its spread. */
static void crowd_print_first(struct crowd_first f)
{
    bench_print_once("openmp.parallel", "task_first", f.all, 4);
    bench_print_once("openmp.parallel", "task_first_thread", f.thread, 4);
    bench_print_once("openmp.parallel", "task_first_take", f.take, 4);
    bench_print_once("openmp.parallel", "task_first_make", f.make, 4);
    bench_print_once("openmp.parallel", "task_first_table", f.table, 4);
    bench_print_once("openmp.parallel", "task_fresh", f.fresh, 4);
}
static void crowd_tasks(int n, double clock)
{
    enum crowd_phase making = CROWD_MAKING, draining = CROWD_DRAINING, chained = CROWD_CHAINED;
    crowd_curve("task_make", crowd_queue, &making, n, 0);
    crowd_curve("task_makers", crowd_makers, NULL, n, 0);
    crowd_curve("task_idle", crowd_idle, NULL, n, 0);
    crowd_curve("task_drain", crowd_queue, &draining, n, 0);
    crowd_curve("task_chain", crowd_queue, &chained, n, 0);
    crowd_curve("task_take", crowd_take, NULL, n, clock);
    crowd_curve("taskloop", crowd_taskloop, NULL, n, 0);
    bench_print("openmp.parallel", "task_inline", bench_sample(crowd_inline, NULL, 2));
    crowd_pairs("task_behind", crowd_braid_making, crowd_names());
    crowd_pairs("task_ahead", crowd_braid_ending, 0);
    crowd_spares(clock);
    printf("value openmp task_limit %d 0 1 stable\n", crowd_limit());
}
#endif
