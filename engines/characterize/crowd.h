/* What the OpenMP runtime costs by the number of threads that are at it: barriers, locks, turns, chunks and
 * sums; tasks are in crowd_tasks.h. With more threads lines travel further and more often, and those that
 * wait get in the way of those that work; nothing of it is a straight line. For openmp.c alone. */
#ifndef CC_ENGINES_CHARACTERIZE_CROWD_H
#define CC_ENGINES_CHARACTERIZE_CROWD_H

#include "bench.h"
#include <omp.h>

static int threads; /* of the measurement under way */
static volatile int crowd_sink;

static double crowd_ns(uint64_t ticks)
{
    return (double)ticks * bench_tick_ns();
}

static double crowd_middle(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, bench_by_size);
    return v[n / 2];
}

/* --- barriers, locks, turns, chunks --- */

static double crowd_barrier(void *unused)
{
    enum { N = 100 };
    uint64_t t0 = 0, t1 = 0;
    (void)unused;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            t0 = bench_ticks();
        for (int i = 0; i < N; i++) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 0)
            t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / N;
}

/* What one of all copies to the others, with their waiting for it and for each other. */
static double crowd_copies(void *unused)
{
    enum { N = 40 };
    uint64_t t0 = 0, t1 = 0;
    (void)unused;
#pragma omp parallel num_threads(threads)
    {
        int value = 0;
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
        for (int i = 0; i < N; i++) {
#pragma omp single copyprivate(value)
            value = i;
        }
#pragma omp master
        t1 = bench_ticks();
        if (value != N - 1)
            crowd_sink = value;
    }
    return crowd_ns(t1 - t0) / N;
}

static inline void crowd_work(int rounds)
{
    for (volatile int k = 0; k < rounds; k++)
        ;
}

/* How much longer the last to come is kept by a barrier than those that wait for it: it lets them go, and
 * then asks the system to wake those that sleep. Each thread in turn is the last. */
static double crowd_barrier_call(void *unused)
{
    enum { N = 40, LATE = 400 };
    static uint64_t came[1024][N], went[1024][N];
    double v[N];
    (void)unused;
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < N; i++) {
            crowd_work(me == i % threads ? LATE : 1);
            came[me][i] = bench_ticks();
#pragma omp barrier
            went[me][i] = bench_ticks();
        }
    }
    for (int i = 0; i < N; i++) {
        int last = i % threads;
        double others = 0;
        for (int k = 0; k < threads; k++)
            if (k != last && went[k][i] > came[last][i])
                others += crowd_ns(went[k][i] - came[last][i]) / (threads - 1);
        v[i] = crowd_ns(went[last][i] - came[last][i]) - others;
    }
    return fmax(crowd_middle(v, N), 0);
}

enum { CROWD_LOCKED = 12, CROWD_SECTIONS = 40 };

/* What is done inside the sections of crowd_critical, without a lock. */
static double crowd_inside(void *unused)
{
    (void)unused;
    uint64_t t0 = bench_ticks();
    for (int i = 0; i < CROWD_SECTIONS; i++)
        crowd_work(CROWD_LOCKED);
    return crowd_ns(bench_ticks() - t0) / CROWD_SECTIONS;
}

/* Somebody always waits for the lock: how often it is handed over. Whoever leaves it has other things to do
 * for a while, less than a section takes: if it came back at once it would take the lock's line away from
 * those that wait. */
static double crowd_critical(void *named)
{
    uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(threads)
    {
        int away = threads == 1 ? 0 : CROWD_LOCKED / 2 + omp_get_thread_num() % 3;
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
        for (int i = 0; i < CROWD_SECTIONS; i++) {
            if (named) {
#pragma omp critical(crowd_lock)
                crowd_work(CROWD_LOCKED);
            } else {
#pragma omp critical
                crowd_work(CROWD_LOCKED);
            }
            if (away)
                crowd_work(away);
        }
#pragma omp barrier
#pragma omp master
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / ((double)CROWD_SECTIONS * threads);
}

/* Nothing but turns, each of another thread, with fetching its next chunk, which libraries may do before they
 * let go of the turn (one thread's turns are static ones, and no fetch is in them). How far their lines
 * travel depends on where these lie, which is another place for each of a few loops that follow each other in
 * a region (346 to 474 ns on manycore), and for another team's memory. */
static double crowd_turns(int loops)
{
    enum { N = 60 };
    uint64_t took = 0;
    int all = N + 4 * threads;
#pragma omp parallel num_threads(threads)
    for (int l = 0; l < loops; l++) {
        uint64_t t0 = 0;
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
        if (l % 2 && threads > 1) {
#pragma omp for schedule(dynamic, 1) ordered
            for (int i = 0; i < all; i++) {
#pragma omp ordered
                __asm__ __volatile__("" : : : "memory");
            }
        } else {
#pragma omp for schedule(static, 1) ordered
            for (int i = 0; i < all; i++) {
#pragma omp ordered
                __asm__ __volatile__("" : : : "memory");
            }
        }
#pragma omp master
        took += bench_ticks() - t0;
    }
    return crowd_ns(took) / loops / all;
}

/* So many turns, each of another thread where there are as many: from the start of the first to that of the
 * last. */
static double crowd_few_turns(int last)
{
    uint64_t from = 0, to = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
#pragma omp for schedule(static, 1) ordered
        for (int i = 0; i <= last; i++) {
#pragma omp ordered
            if (i == 0)
                from = bench_ticks();
            else if (i == last)
                to = bench_ticks();
        }
    }
    return crowd_ns(to - from);
}

/* A thread's first turn needs code and memory that later ones find: so many ns of it keep the others. Those
 * of a few threads, so that none of them waits for so long that it sleeps. To be called when the process had
 * no turn yet. */
static double crowd_first_turns(void)
{
    enum { FEW = 8, N = 15 };
    int last = threads < FEW ? threads : FEW;
    double v[N], first = crowd_few_turns(last);
    for (int i = 0; i < N; i++)
        v[i] = crowd_few_turns(last);
    return fmax(first - crowd_middle(v, N), 0) / last;
}

/* Turns of two threads, so long: from the end of one to the start of the other's; ret: how long they are. The
 * least of some: one that was interrupted tells nothing. */
static double crowd_turn(int rounds, double *ret_length)
{
    enum { N = 26 };
    uint64_t from[N], to[N];
    double least = 1e18;
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        {
            from[i] = bench_ticks();
            for (volatile int k = 0; k < rounds; k++)
                ;
            to[i] = bench_ticks();
        }
    }
    *ret_length = 1e18;
    for (int i = 2; i < N; i++) {
        least = fmin(least, crowd_ns(from[i] - to[i - 1]));
        *ret_length = fmin(*ret_length, crowd_ns(to[i] - from[i]));
    }
    return least;
}

/* With turns of so many rounds and more, threads sleep. */
static double crowd_asleep(int rounds)
{
    double length, least = crowd_turn(2 * rounds, &length);
    for (int times = 4; times <= 8; times *= 2) {
        least = fmin(least, crowd_turn(times * rounds, &length));
    }
    return least;
}

/* Threads that have waited for a while sleep, and waking one takes a call of the system: for how long they
 * look, found by turns that are longer and longer, and what it takes then. Not told where they look for more
 * than 5 ms. */
static double crowd_sleeps; /* ns that threads look before they sleep; 0: they do not, or not known */

static void crowd_sleep(void)
{
    enum { FEW = 100 };
    double length = 0, within = 0, awake = crowd_turn(FEW, &within), asleep = 0;
    int low = FEW, high = 2 * FEW;
    for (double before = awake;; high *= 2) { /* lines go further and further away meanwhile */
        double now = crowd_turn(high, &length);
        asleep = now > 1.4 * before ? crowd_asleep(high) : 0;
        if (asleep > 1.4 * before) {
            awake = before;
            break;
        }
        if (length > 5e6)
            return;
        low = high;
        within = length;
        before = now;
    }
    for (int i = 0; i < 7; i++) {
        int half = low + (high - low) / 2;
        if (crowd_turn(half, &length) < 1.4 * awake) {
            low = half;
            within = length;
        } else {
            high = half;
        }
    }
    crowd_sleeps = within + awake;
    bench_print("openmp", "sleep_after", (struct bench_figure){crowd_sleeps, within / 128, 1, 1});
    bench_print_once("openmp", "sleep_wake", asleep - awake, 4);
}

/* A thread that has slept once is woken by a call of the system at each turn from then on, also while it
 * looks, until it finds its turn there when it comes: gcc's library then forgets that somebody slept. So each
 * comes later than the one before has had its turn. */
static void crowd_forget_sleep(void)
{
    enum { LATE = 300 };
#pragma omp parallel for num_threads(threads) schedule(static, 1) ordered
    for (int i = 0; i < threads; i++) {
        crowd_work(i * LATE);
#pragma omp ordered
        __asm__ __volatile__("" : : : "memory");
    }
}

/* The team gets other memory: libraries keep that of the last region's, and what is taken from the heap
 * behind one of another number of threads lies in its place. */
static void crowd_move_team(void)
{
    static void *volatile stays;
    int other = threads > 2 ? threads - 1 : threads + 1;
    if (threads < 2 || other > omp_get_max_threads())
        return;
#pragma omp parallel num_threads(other)
    crowd_work(1);
    stays = malloc(192);
    (void)stays;
#pragma omp parallel num_threads(threads)
    crowd_work(1);
}

/* Of turns in which nobody sleeps, by far: what waking takes is told by itself, and a turn goes to one thread
 * only, so that what it takes with fewer threads holds for more. */
static double crowd_ordered(void *unused)
{
    static double awake;
    (void)unused;
    enum { PLACES = 3, LOOPS = 4 };
    double v[PLACES];
    for (int i = 0; i < PLACES; i++) {
        crowd_move_team();
        crowd_forget_sleep();
        crowd_turns(1); /* threads that are made anew */
        v[i] = crowd_turns(LOOPS);
    }
    double turn = crowd_middle(v, PLACES);
    if (!awake || !crowd_sleeps || 2 * turn * threads < crowd_sleeps)
        awake = turn;
    return awake;
}

/* Where in a page the frame of a region's code begins on the stack of a thread that the runtime made: what
 * lies there is the library's own, and as long in each thread and run. */
static void crowd_stack_place(void)
{
    uintptr_t frame = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        frame = (uintptr_t)__builtin_dwarf_cfa();
    printf("value openmp stack_place %u 0 1 stable\n", (unsigned)(frame % 4096));
}

/* ret: a turn goes on only when its thread asks for its next chunk. The first thread's iteration goes on
 * behind its section until the second has had its own, or for a while; that it had it once is enough. */
static int crowd_ordered_chunk(void)
{
    enum { TRIES = 16, WHILE = 20000 };
    int seen = 0;
    for (int t = 0; t < TRIES && !seen; t++) {
        int had = 0;
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
#pragma omp for schedule(static, 1) ordered
            for (int i = 0; i < 2; i++) {
#pragma omp ordered
                if (i == 1)
                    __atomic_store_n(&had, 1, __ATOMIC_RELEASE);
                for (int k = 0; i == 0 && k < WHILE && !seen; k++)
                    seen = __atomic_load_n(&had, __ATOMIC_ACQUIRE);
            }
        }
    }
    return !seen;
}

enum { CROWD_EACH = 6 }; /* chunks for each thread */

/* Of a chunk: from the end of the one before in the same thread to its start, then some work. */
#define CROWD_CHUNK(i)                                                        \
    {                                                                         \
        uint64_t start = bench_ticks();                                       \
        gap[i] = last ? crowd_ns(start - last) : 0;                           \
        for (volatile int k = 0; k < 60 + 61 * threads + 17 * ((i) % 7); k++) \
            ;                                                                 \
        last = bench_ticks();                                                 \
        busy += last - start;                                                 \
    }

/* While all threads have work: fetching a chunk. Whoever had the loop's counter last was mostly another.
 * Where threads come for it faster than it goes round, they also wait for each other, which is no cost of a
 * fetch: each has it once in a round of work and fetch, so that it keeps it for no more than its part of a
 * round. */
static double crowd_fetch(void *kind)
{
    static double gap[1024 * CROWD_EACH], alone;
    int n = 0, all = CROWD_EACH * threads, guided = *(int *)kind && threads > 1; /* for one it is one chunk */
    double work = 0;
#pragma omp parallel num_threads(threads) reduction(+ : work)
    {
        uint64_t last = 0, busy = 0;
#pragma omp barrier
        if (guided) {
#pragma omp for schedule(guided, 1)
            for (int i = 0; i < all; i++)
                CROWD_CHUNK(i)
        } else {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < all; i++)
                CROWD_CHUNK(i)
        }
        work = crowd_ns(busy) / all;
    }
    /* of guided chunks the last ones are single iterations, and those before are longer */
    for (int i = guided ? all - threads : 0; i < all; i++)
        if (gap[i] > 0)
            gap[n++] = gap[i];
    double took = n ? crowd_middle(gap, n) : 0;
    if (threads == 1)
        return alone = took;
    return fmin(took, alone + (took + work) / threads);
}

/* Short chunks by all threads at once, without a look at the clock in them: none keeps the counter from the
 * others for longer than from one to the next. Not quite empty: who comes back at once finds it still there.
 */
static double crowd_fetch_serial(void *unused)
{
    enum { SHORT = 10 };
    uint64_t t0 = 0, t1 = 0;
    int all = 64 * threads;
    (void)unused;
    if (threads == 1)
        return 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < all; i++)
            for (volatile int k = 0; k < SHORT; k++)
                ;
#pragma omp master
        t1 = bench_ticks();
    }
    return crowd_ns(t1 - t0) / all;
}

/* A region in which nobody does anything: what is charged for opening, launching and closing it is a straight
 * line through two and all threads, and the runtime is not. Readings of the clock inside would count as the
 * region's. */
static double crowd_region_once(void)
{
    uint64_t t0 = bench_ticks();
#pragma omp parallel num_threads(threads)
    __asm__ __volatile__("" : : : "memory");
    return crowd_ns(bench_ticks() - t0);
}

static double crowd_region(void *unused)
{
    enum { N = 40 };
    double v[N];
    (void)unused;
    for (int i = 0; i < N; i++)
        v[i] = crowd_region_once();
    return crowd_middle(v, N);
}

/* What a process's first regions cost more than later ones, in ns. */
struct crowd_early {
    double first;
    double fresh; /* each of the next `times`: their teams get other memory each time, until some is given
                     back */
    int times;
};

/* A region with some work that waits for nothing: what is still to be written meanwhile is written beside it.
 */
static double crowd_region_busy(void)
{
    enum { ROUNDS = 1000 };
    uint64_t t0 = bench_ticks();
#pragma omp parallel num_threads(threads)
    for (int k = 0; k < ROUNDS; k++)
        __asm__ __volatile__("" : : "r"(k));
    return crowd_ns(bench_ticks() - t0);
}

/* How many regions at the beginning of a process take longer than all later ones, and how much. */
static void crowd_fresh_regions(struct crowd_early *ret)
{
    enum { N = 64, FEW = 5, MOST = N / 2 };
    double v[N], sorted[N], more = 0;
    for (int i = 0; i < N; i++)
        v[i] = crowd_region_busy();
    memcpy(sorted, v + MOST, sizeof *v * (N - MOST));
    double later = crowd_middle(sorted, N - MOST);
    memcpy(sorted, v, sizeof *v * FEW);
    double half = (crowd_middle(sorted, FEW) - later) / 2;
    for (int i = 0; half > later / 50 && i < MOST && fmax(v[i], v[i + 1]) > later + half; i++) {
        more += v[i] - later;
        ret->times++;
    }
    ret->fresh = ret->times ? more / ret->times : 0;
}

/* The first region that finds its threads there needs code and memory that later ones find. To be called when
 * the process had one region of as many threads and no other; there is a first time once only, so it is not
 * told for fewer. */
static struct crowd_early crowd_early_regions(void)
{
    struct crowd_early f = {.first = crowd_region_once()};
    crowd_fresh_regions(&f);
    f.first = fmax(f.first - crowd_region(NULL), 0);
    return f;
}

/* Regions inside another one, whose threads libraries make anew each time: by one thread, or by each of two
 * that begin at the same time. Making and ending threads takes locks of the process, so that these keep each
 * other. */
enum { CROWD_INSIDE = 20 };
static double crowd_inside_each[CROWD_INSIDE];

static double crowd_region_inside(void *both)
{
    int outer = both ? 2 : 1;
#pragma omp parallel num_threads(outer) proc_bind(spread)
    for (int i = 0; i < CROWD_INSIDE; i++) {
#pragma omp barrier
        double took = crowd_region_once();
        if (omp_get_thread_num() == outer - 1)
            crowd_inside_each[i] = took;
    }
    double v[CROWD_INSIDE];
    memcpy(v, crowd_inside_each, sizeof v);
    return crowd_middle(v, CROWD_INSIDE);
}

/* What the first one takes more for each thread that it makes: a process has one such region, and where that
 * takes ten times as long as later ones it was interrupted, and nothing is told. */
static void crowd_first_inside(int n)
{
    threads = 1; /* memory of the outer threads' own */
    crowd_region_inside(NULL);
    threads = n / 2;
    if (threads < 2)
        return;
    double later = crowd_region_inside(NULL), first = crowd_inside_each[0];
    if (first < 10 * later)
        bench_print_once("openmp", "region_inside_first", fmax(first - later, 0) / (threads - 1), 4);
}

/* What they take more than regions that find their threads there: by one thread, by two if there are so many.
 */
static void crowd_inside_curve(const char *key, void *both, int n)
{
    for (int k = 1; k <= n; k = k < n && 2 * k > n ? n : 2 * k) {
        threads = k;
        struct bench_figure inside = bench_samples(crowd_region_inside, both, 2, 1),
                            plain = bench_samples(crowd_region, NULL, 2, 1);
        inside.median = fmax(inside.median - plain.median, 0);
        inside.spread = hypot(inside.spread, plain.spread);
        bench_point("openmp", key, k, inside);
    }
}

static void crowd_regions_inside(int n)
{
    omp_set_max_active_levels(2);
    crowd_first_inside(n);
    crowd_inside_curve("region_inside", NULL, n);
    if (n > 1)
        crowd_inside_curve("region_inside_both", "", n / 2);
    omp_set_max_active_levels(1);
}

/* Arrays of so many values are added up by all threads. */
static double crowd_reduction(void *values)
{
    static int sum[256];
    uint64_t t0 = 0, t1 = 0;
    int n = *(int *)values;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
#pragma omp for schedule(static) reduction(+ : sum[:n])
        for (int i = 0; i < threads; i++)
            sum[i % n] += i;
#pragma omp master
        t1 = bench_ticks();
    }
    crowd_sink = sum[0];
    return crowd_ns(t1 - t0);
}

static void crowd_curve(const char *key, double (*measure)(void *), void *arg, int n, double less)
{
    for (int k = 1; k <= n; k = k < n && 2 * k > n ? n : 2 * k) {
        threads = k;
        struct bench_figure f = bench_samples(measure, arg, 2, k > 1); /* one alone meets nobody */
        f.median = f.median > less ? f.median - less : 0;
        bench_point("openmp", key, k, f);
    }
}

/* What a thread adds to the time of an array's reduction: for coming at all, and for each value. */
static void crowd_sums(int n)
{
    int few = 2, many = 130;
    threads = n;
    struct bench_figure f = bench_sample_meeting(crowd_reduction, &few, 2),
                        m = bench_sample_meeting(crowd_reduction, &many, 2);
    struct bench_figure each = m;
    each.median = m.median > f.median ? (m.median - f.median) / (many - few) / n : 0;
    each.spread = hypot(f.spread, m.spread) / (many - few) / n;
    bench_print("openmp.parallel", "reduction_value", each);
}

static void crowds(int n, double clock)
{
    crowd_sums(n);
    crowd_curve("region", crowd_region, NULL, n, clock);
    crowd_regions_inside(n);
    crowd_curve("barrier", crowd_barrier, NULL, n, 0);
    crowd_curve("copies", crowd_copies, NULL, n, 0);
    threads = n;
    if (n > 1)
        bench_print("openmp", "barrier_call", bench_sample_meeting(crowd_barrier_call, NULL, 2));
    double inside = bench_sample(crowd_inside, NULL, 1).median;
    crowd_curve("critical", crowd_critical, NULL, n, inside);
    crowd_curve("critical_named", crowd_critical, "", n, inside);
    int dynamic = 0, guided = 1;
    crowd_curve("fetch", crowd_fetch, &dynamic, n, clock);
    crowd_curve("fetch_guided", crowd_fetch, &guided, n, clock);
    crowd_curve("fetch_serial", crowd_fetch_serial, NULL, n, 0);
    if (n > 1) {
        crowd_sleep();
        crowd_stack_place();
        printf("value openmp ordered_chunk %d 0 1 stable\n", crowd_ordered_chunk());
    }
    crowd_curve("ordered", crowd_ordered, NULL, n, 0);
}
#endif
