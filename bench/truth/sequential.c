/* OpenMP for one thread and nothing else: what gcc's code calls runs at once, in order. A program compiled
 * with -fopenmp and linked with this instead of the runtime runs the code that the compiler makes for
 * threads, and none of a runtime: that is what a sequential recording of it then holds. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef void body(void *);

static struct {
    long next, end;
    unsigned sections; /* not begun yet */
    unsigned section;
} loop;

int omp_get_num_threads(void)
{
    return 1;
}

int omp_get_max_threads(void)
{
    return 1;
}

void omp_set_max_active_levels(int levels)
{
    (void)levels;
}

int omp_get_thread_num(void)
{
    return 0;
}

void GOMP_parallel(body *fn, void *data, unsigned threads, unsigned flags)
{
    (void)threads, (void)flags;
    fn(data);
}

/* All iterations at once. */
static bool take(long *from, long *to)
{
    *from = loop.next;
    *to = loop.end;
    loop.next = loop.end;
    return *from != *to;
}

static bool begin(long start, long end, long *from, long *to)
{
    loop.next = start;
    loop.end = end;
    return take(from, to);
}

#define LOOP(kind)                                                                                          \
    bool GOMP_loop_##kind##_start(long start, long end, long step, long chunk, long *from, long *to)        \
    {                                                                                                       \
        (void)step, (void)chunk;                                                                            \
        return begin(start, end, from, to);                                                                 \
    }                                                                                                       \
    bool GOMP_loop_##kind##_next(long *from, long *to)                                                      \
    {                                                                                                       \
        return take(from, to);                                                                              \
    }                                                                                                       \
    void GOMP_parallel_loop_##kind(body *fn, void *data, unsigned threads, long start, long end, long step, \
                                   long chunk, unsigned flags)                                              \
    {                                                                                                       \
        (void)threads, (void)step, (void)chunk, (void)flags;                                                \
        loop.next = start;                                                                                  \
        loop.end = end;                                                                                     \
        fn(data);                                                                                           \
    }

LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)
LOOP(ordered_static)
LOOP(ordered_dynamic)
LOOP(ordered_guided)

unsigned GOMP_sections_next(void)
{
    if (!loop.sections)
        return 0;
    loop.sections--;
    return ++loop.section;
}

unsigned GOMP_sections_start(unsigned n)
{
    loop.sections = n;
    loop.section = 0;
    return GOMP_sections_next();
}

void GOMP_parallel_sections(body *fn, void *data, unsigned threads, unsigned n, unsigned flags)
{
    (void)threads, (void)flags;
    loop.sections = n;
    loop.section = 0;
    fn(data);
}

/* With its own copy of what it was given, as the runtime makes it. */
static void run_task(body *fn, void *data, void (*copy)(void *, void *), long size, long align,
                     const long *range)
{
    char room[size + align];
    char *own = (char *)(((uintptr_t)room + (uintptr_t)align - 1) & -(uintptr_t)align);
    if (copy)
        copy(own, data);
    else
        memcpy(own, data, (size_t)size);
    if (range)
        memcpy(own, range, 2 * sizeof *range);
    fn(own);
}

void GOMP_task(body *fn, void *data, void (*copy)(void *, void *), long size, long align, bool condition,
               unsigned flags, void **depend, int priority, void *detach)
{
    (void)condition, (void)flags, (void)depend, (void)priority, (void)detach;
    run_task(fn, data, copy, size, align, NULL);
}

void GOMP_taskloop(body *fn, void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
                   unsigned long tasks, int priority, long start, long end, long step)
{
    (void)flags, (void)tasks, (void)priority, (void)step;
    run_task(fn, data, copy, size, align, (long[]){start, end});
}

bool GOMP_single_start(void)
{
    return true;
}

/* Who runs it copies nothing to anybody. */
void *GOMP_single_copy_start(void)
{
    return NULL;
}

void GOMP_single_copy_end(void *data)
{
    (void)data;
}

#define NOTHING(name) \
    void name(void) {}

void GOMP_critical_name_start(void **name)
{
    (void)name;
}

void GOMP_critical_name_end(void **name)
{
    (void)name;
}

NOTHING(GOMP_loop_end)
NOTHING(GOMP_loop_end_nowait)
NOTHING(GOMP_sections_end)
NOTHING(GOMP_sections_end_nowait)
NOTHING(GOMP_barrier)
NOTHING(GOMP_taskwait)
NOTHING(GOMP_taskgroup_start)
NOTHING(GOMP_taskgroup_end)
NOTHING(GOMP_atomic_start)
NOTHING(GOMP_atomic_end)
NOTHING(GOMP_critical_start)
NOTHING(GOMP_critical_end)
NOTHING(GOMP_ordered_start)
NOTHING(GOMP_ordered_end)
