/* gcc's OpenMP run-time functions, on plain threads that are made and joined for every region, locks and
 * barriers: all that orders two accesses is then seen by a race detector that knows threads (helgrind), which
 * the futexes of libgomp are not. Loaded in front of libgomp by `corecast explore --verify`.
 *
 * Chunks are dealt out in turn, without a shared counter: taking one would order the threads and hide races.
 * A region inside a region runs on one thread, as it does by default. A task is a thread of its own, up to
 * some depth and number; beyond, whoever meets it runs it. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

struct team {
    unsigned n;
    bool parallel; /* it, or one around it, has several threads */
    void (*fn)(void *);
    void *data;
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    unsigned long single;  /* constructs that somebody has taken */
    pthread_cond_t passed; /* the turn of an ordered loop: how many chunks have had theirs */
    unsigned long long turn;
    long start, end, incr, chunk;
    unsigned sections;
};

struct member {
    struct team *team;
    unsigned id;
};

static __thread struct member self;
/* Where a thread is in the region that it is in: one inside it has its own. */
static __thread struct place {
    struct {
        unsigned next, n;
    } sections;
    unsigned long singles; /* constructs this thread has met */
    struct {
        long start, end, incr, chunk, next;
    } loop;
    struct {
        unsigned long long start, end, incr, chunk, next;
        bool up;
    } wide;
    struct {
        unsigned long long before, mine; /* chunks of ordered loops before this one; this thread's, of all */
        unsigned long long chunk;
        bool due; /* it has not had its turn yet */
    } order;
} here;
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER, atomic = PTHREAD_MUTEX_INITIALIZER;
static int wanted; /* omp_set_num_threads */

/* --- teams --- */

int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_in_parallel(void);
void omp_set_num_threads(int n);

int omp_get_thread_num(void)
{
    return (int)self.id;
}

int omp_get_num_threads(void)
{
    return self.team ? (int)self.team->n : 1;
}

int omp_get_max_threads(void)
{
    const char *told = getenv("OMP_NUM_THREADS");
    int n = wanted > 0 ? wanted : told ? atoi(told) : 2;
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}

int omp_in_parallel(void)
{
    return self.team && self.team->parallel;
}

void omp_set_num_threads(int n)
{
    wanted = n;
}

/* Tells whoever set the variable that these functions were used. */
static void leave_note(void)
{
    const char *path = getenv("CORECAST_OPENMP_NOTE");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        close(fd);
}

static void take_loop(const struct team *t)
{
    here.loop.start = t->start;
    here.loop.end = t->end;
    here.loop.incr = t->incr;
    here.loop.chunk = t->chunk;
    here.loop.next = 0;
}

/* --- tasks --- */

enum { MOST_TASKS = 16, DEEPEST_TASK = 4 };

struct task {
    void (*fn)(void *);
    void *data;
    struct member of;
    unsigned depth;
    void *room; /* that the data lie in */
};

static __thread struct {
    pthread_t v[MOST_TASKS];
    unsigned n, depth;
} tasks; /* that this thread has made and not yet waited for */

static void wait_for_tasks(void)
{
    while (tasks.n)
        pthread_join(tasks.v[--tasks.n], NULL);
}

static void *run_task(void *arg)
{
    struct task *t = arg;
    self = t->of;
    tasks.depth = t->depth;
    t->fn(t->data);
    wait_for_tasks();
    free(t->room);
    free(t);
    return NULL;
}

/* Two more follow, of depend and priority: that there is a depend is in the flags. */
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags)
{
    enum { HAS_DEPEND = 8 };
    struct task *t = malloc(sizeof *t);
    char *room = malloc((size_t)(size + align));
    if (!t || !room)
        abort();
    char *at = (char *)(((uintptr_t)room + (uintptr_t)align - 1) / (uintptr_t)align * (uintptr_t)align);
    if (copy)
        copy(at, data);
    else if (size)
        memcpy(at, data, (size_t)size);
    *t = (struct task){fn, at, self, tasks.depth + 1, room};
    bool own = deferred && !(flags & HAS_DEPEND) && omp_in_parallel() && tasks.n < MOST_TASKS &&
               tasks.depth < DEEPEST_TASK;
    if (own && pthread_create(&tasks.v[tasks.n], NULL, run_task, t) == 0) {
        tasks.n++;
        return;
    }
    fn(at);
    free(room);
    free(t);
}

void GOMP_taskwait(void);
void GOMP_taskwait(void)
{
    wait_for_tasks();
}

static void *run_member(void *arg)
{
    struct member *m = arg;
    self = *m;
    here.singles = 0;
    memset(&here.order, 0, sizeof here.order);
    take_loop(m->team);
    here.sections.next = m->id + 1;
    here.sections.n = m->team->sections;
    m->team->fn(m->team->data);
    wait_for_tasks();
    return NULL;
}

static void run_team(struct team *t, unsigned threads)
{
    pthread_t made[MOST_THREADS];
    struct member members[MOST_THREADS], before = self;
    struct place left = here;
    bool nested = omp_in_parallel();
    t->n = nested    ? 1
           : threads ? (threads > MOST_THREADS ? MOST_THREADS : threads)
                     : (unsigned)omp_get_max_threads();
    t->parallel = nested || t->n > 1;
    pthread_barrier_init(&t->barrier, NULL, t->n);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->passed, NULL);
    leave_note();
    for (unsigned i = 1; i < t->n; i++) {
        members[i] = (struct member){t, i};
        if (pthread_create(&made[i], NULL, run_member, &members[i]) != 0)
            abort();
    }
    members[0] = (struct member){t, 0};
    run_member(&members[0]);
    for (unsigned i = 1; i < t->n; i++)
        pthread_join(made[i], NULL);
    pthread_barrier_destroy(&t->barrier);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->passed);
    self = before;
    here = left;
}

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
    struct team t = {.fn = fn, .data = data};
    (void)flags;
    run_team(&t, threads);
}

/* --- sections: from 1, 0 at their end --- */

unsigned GOMP_sections_next(void);
unsigned GOMP_sections_next(void)
{
    unsigned now = here.sections.next;
    here.sections.next += (unsigned)omp_get_num_threads();
    return now <= here.sections.n ? now : 0;
}

unsigned GOMP_sections_start(unsigned n);
unsigned GOMP_sections_start(unsigned n)
{
    here.sections.next = self.id + 1;
    here.sections.n = n;
    return GOMP_sections_next();
}

void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned n, unsigned flags);
void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned n, unsigned flags)
{
    struct team t = {.fn = fn, .data = data, .sections = n};
    (void)flags;
    run_team(&t, threads);
}

/* --- loops --- */

static long iterations(void)
{
    long start = here.loop.start, end = here.loop.end, incr = here.loop.incr;
    long all = incr > 0 ? (end - start + incr - 1) / incr : (start - end - incr - 1) / -incr;
    return all > 0 ? all : 0;
}

static unsigned long long iterations_wide(void)
{
    unsigned long long start = here.wide.start, end = here.wide.end, incr = here.wide.incr;
    if (here.wide.up)
        return end > start ? (end - start + incr - 1) / incr : 0;
    return start > end ? (start - end - incr - 1) / -incr : 0;
}

static bool next_chunk(long *from, long *to)
{
    long chunk = here.loop.chunk > 0 ? here.loop.chunk : 1, n = omp_get_num_threads(), all = iterations();
    long first = (omp_get_thread_num() + n * here.loop.next++) * chunk;
    if (first >= all)
        return false;
    long last = first + chunk < all ? first + chunk : all;
    *from = here.loop.start + first * here.loop.incr;
    *to = here.loop.start + last * here.loop.incr;
    return true;
}

static bool next_wide(unsigned long long *from, unsigned long long *to)
{
    unsigned long long chunk = here.wide.chunk ? here.wide.chunk : 1,
                       n = (unsigned long long)omp_get_num_threads();
    unsigned long long first = ((unsigned long long)omp_get_thread_num() + n * here.wide.next++) * chunk;
    unsigned long long all = iterations_wide();
    if (first >= all)
        return false;
    unsigned long long last = first + chunk < all ? first + chunk : all;
    *from = here.wide.start + first * here.wide.incr;
    *to = here.wide.start + last * here.wide.incr;
    return true;
}

#define LOOP(kind)                                                                                          \
    void GOMP_parallel_loop_##kind(void (*fn)(void *), void *data, unsigned threads, long start, long end,  \
                                   long incr, long chunk, unsigned flags);                                  \
    void GOMP_parallel_loop_##kind(void (*fn)(void *), void *data, unsigned threads, long start, long end,  \
                                   long incr, long chunk, unsigned flags)                                   \
    {                                                                                                       \
        struct team t = {.fn = fn, .data = data, .start = start, .end = end, .incr = incr, .chunk = chunk}; \
        (void)flags;                                                                                        \
        run_team(&t, threads);                                                                              \
    }                                                                                                       \
    bool GOMP_loop_##kind##_next(long *from, long *to);                                                     \
    bool GOMP_loop_##kind##_next(long *from, long *to)                                                      \
    {                                                                                                       \
        return next_chunk(from, to);                                                                        \
    }                                                                                                       \
    bool GOMP_loop_##kind##_start(long start, long end, long incr, long chunk, long *from, long *to);       \
    bool GOMP_loop_##kind##_start(long start, long end, long incr, long chunk, long *from, long *to)        \
    {                                                                                                       \
        struct team t = {.start = start, .end = end, .incr = incr, .chunk = chunk};                         \
        take_loop(&t);                                                                                      \
        return next_chunk(from, to);                                                                        \
    }                                                                                                       \
    bool GOMP_loop_ull_##kind##_next(unsigned long long *from, unsigned long long *to);                     \
    bool GOMP_loop_ull_##kind##_next(unsigned long long *from, unsigned long long *to)                      \
    {                                                                                                       \
        return next_wide(from, to);                                                                         \
    }                                                                                                       \
    bool GOMP_loop_ull_##kind##_start(bool up, unsigned long long start, unsigned long long end,            \
                                      unsigned long long incr, unsigned long long chunk,                    \
                                      unsigned long long *from, unsigned long long *to);                    \
    bool GOMP_loop_ull_##kind##_start(bool up, unsigned long long start, unsigned long long end,            \
                                      unsigned long long incr, unsigned long long chunk,                    \
                                      unsigned long long *from, unsigned long long *to)                     \
    {                                                                                                       \
        here.wide.start = start, here.wide.end = end, here.wide.incr = incr, here.wide.chunk = chunk,       \
        here.wide.next = 0, here.wide.up = up;                                                              \
        return next_wide(from, to);                                                                         \
    }
LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)

/* --- ordered loops: chunks have their turn one after the other --- */

static void await_turn(void)
{
    struct team *t = self.team;
    if (!t || !here.order.due)
        return;
    pthread_mutex_lock(&t->lock);
    while (t->turn != here.order.mine)
        pthread_cond_wait(&t->passed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static void pass_turn(void)
{
    struct team *t = self.team;
    await_turn();
    if (!t || !here.order.due)
        return;
    here.order.due = false;
    pthread_mutex_lock(&t->lock);
    t->turn++;
    pthread_cond_broadcast(&t->passed);
    pthread_mutex_unlock(&t->lock);
}

/* A chunk is this thread's now, or (!more) the loop is over. */
static bool take_turn(bool more, unsigned long long next, unsigned long long all, unsigned long long chunk)
{
    unsigned long long n = (unsigned long long)omp_get_num_threads();
    here.order.chunk = chunk ? chunk : 1;
    if (more)
        here.order.mine = here.order.before + self.id + n * (next - 1);
    else
        here.order.before += (all + here.order.chunk - 1) / here.order.chunk;
    here.order.due = more;
    return more;
}

static bool next_ordered(long *from, long *to)
{
    pass_turn();
    bool more = next_chunk(from, to);
    return take_turn(more, (unsigned long long)here.loop.next, (unsigned long long)iterations(),
                     here.loop.chunk > 0 ? (unsigned long long)here.loop.chunk : 1);
}

static bool next_ordered_wide(unsigned long long *from, unsigned long long *to)
{
    pass_turn();
    bool more = next_wide(from, to);
    return take_turn(more, here.wide.next, iterations_wide(), here.wide.chunk);
}

void GOMP_ordered_start(void);
void GOMP_ordered_start(void)
{
    await_turn();
}

/* Of a chunk of several iterations the last one passes the turn. */
void GOMP_ordered_end(void);
void GOMP_ordered_end(void)
{
    if (here.order.chunk == 1)
        pass_turn();
}

#define ORDERED(kind)                                                                                        \
    bool GOMP_loop_ordered_##kind##_next(long *from, long *to);                                              \
    bool GOMP_loop_ordered_##kind##_next(long *from, long *to)                                               \
    {                                                                                                        \
        return next_ordered(from, to);                                                                       \
    }                                                                                                        \
    bool GOMP_loop_ordered_##kind##_start(long start, long end, long incr, long chunk, long *from,           \
                                          long *to);                                                         \
    bool GOMP_loop_ordered_##kind##_start(long start, long end, long incr, long chunk, long *from, long *to) \
    {                                                                                                        \
        struct team t = {.start = start, .end = end, .incr = incr, .chunk = chunk};                          \
        take_loop(&t);                                                                                       \
        return next_ordered(from, to);                                                                       \
    }                                                                                                        \
    bool GOMP_loop_ull_ordered_##kind##_next(unsigned long long *from, unsigned long long *to);              \
    bool GOMP_loop_ull_ordered_##kind##_next(unsigned long long *from, unsigned long long *to)               \
    {                                                                                                        \
        return next_ordered_wide(from, to);                                                                  \
    }                                                                                                        \
    bool GOMP_loop_ull_ordered_##kind##_start(bool up, unsigned long long start, unsigned long long end,     \
                                              unsigned long long incr, unsigned long long chunk,             \
                                              unsigned long long *from, unsigned long long *to);             \
    bool GOMP_loop_ull_ordered_##kind##_start(bool up, unsigned long long start, unsigned long long end,     \
                                              unsigned long long incr, unsigned long long chunk,             \
                                              unsigned long long *from, unsigned long long *to)              \
    {                                                                                                        \
        here.wide.start = start, here.wide.end = end, here.wide.incr = incr, here.wide.chunk = chunk,        \
        here.wide.next = 0, here.wide.up = up;                                                               \
        return next_ordered_wide(from, to);                                                                  \
    }
ORDERED(static)
ORDERED(dynamic)
ORDERED(guided)

/* --- order --- */

#define ORDER(name, ...)    \
    void GOMP_##name(void); \
    void GOMP_##name(void)  \
    {                       \
        __VA_ARGS__;        \
    }
static void meet(void)
{
    wait_for_tasks();
    if (self.team)
        pthread_barrier_wait(&self.team->barrier);
}
ORDER(barrier, meet())
ORDER(loop_end, meet())
ORDER(loop_end_nowait, (void)0)
ORDER(sections_end, meet())
ORDER(sections_end_nowait, (void)0)
ORDER(critical_start, pthread_mutex_lock(&critical))
ORDER(critical_end, pthread_mutex_unlock(&critical))
ORDER(atomic_start, pthread_mutex_lock(&atomic))
ORDER(atomic_end, pthread_mutex_unlock(&atomic))

/* The room that gcc keeps for a name holds a pointer. */
void GOMP_critical_name_start(void **room);
void GOMP_critical_name_start(void **room)
{
    pthread_mutex_lock(&critical);
    if (!*room) {
        *room = malloc(sizeof(pthread_mutex_t));
        if (!*room)
            abort();
        pthread_mutex_init(*room, NULL);
    }
    pthread_mutex_t *own = *room;
    pthread_mutex_unlock(&critical);
    pthread_mutex_lock(own);
}

void GOMP_critical_name_end(void **room);
void GOMP_critical_name_end(void **room)
{
    pthread_mutex_unlock(*room);
}

bool GOMP_single_start(void);
bool GOMP_single_start(void)
{
    struct team *t = self.team;
    unsigned long mine = ++here.singles;
    if (!t)
        return true;
    pthread_mutex_lock(&t->lock);
    bool first = t->single < mine;
    if (first)
        t->single = mine;
    pthread_mutex_unlock(&t->lock);
    return first;
}
