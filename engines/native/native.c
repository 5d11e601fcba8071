/* libcorecast-native: time stamps for the marks of a program built with -DCORECAST_NATIVE.
 *
 * Link libcorecast-native, or compile this one file with the program (it needs only a C11 compiler and POSIX,
 * so it can be cross-compiled for a board). Without CORECAST_NATIVE_TRACE in the environment a mark is a call
 * and a test. With it, each mark stores one 8-byte event into a window of a shared file mapping, so nothing
 * is lost when the program crashes. Format: engines/native/trace.h.
 *
 * Marks may come from many threads (each has its own window) and from signal handlers (one that breaks into a
 * mark of its own thread writes to a second stream). A forked child does not record.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* traces of more than 2 GiB on 32-bit machines */
#endif
#ifndef CORECAST_NATIVE
#define CORECAST_NATIVE
#endif
#include "../../include/corecast/mark.h"
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

_Static_assert((int)CORECAST_REGION_BEGIN == (int)CC_NT_REGION_BEGIN &&
                   (int)CORECAST_RECORD_OFF == (int)CC_NT_RECORD_OFF,
               "mark.h and native_trace.h number the kinds alike");

struct window {
    uint64_t *at, *end; /* next event, one before the terminating zero's place */
    struct cc_nt_piece *piece;
};

struct thread {
    unsigned depth; /* marks of this thread under way: > 0 in a signal handler that broke into one */
    struct window window[2];
    uint32_t number;
    bool numbered;
};

static _Thread_local struct thread self __attribute__((tls_model("initial-exec")));
static struct cc_nt_header *header; /* NULL: not recording */
static uint64_t start_tick;
static double start_cpu;
static int trace_fd = -1;
static atomic_uint next_thread, next_site = 1;
static pthread_key_t thread_end;
static atomic_flag sites_lock = ATOMIC_FLAG_INIT;
static _Atomic(struct thread *) sites_owner;
static struct window sites;

static inline uint64_t ticks(void)
{
#if defined(__aarch64__)
    uint64_t t;
    __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#elif defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

static double nanoseconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Ticks per second. The TSC's rate is not readable from user space: 2 ms against the system clock is good to
 * about 50 ppm. */
static double tick_rate(uint32_t *clock)
{
#if defined(__aarch64__)
    uint64_t hz;
    __asm__ __volatile__("mrs %0, cntfrq_el0" : "=r"(hz));
    *clock = CC_NT_CNTVCT;
    return (double)hz;
#elif defined(__x86_64__)
    *clock = CC_NT_TSC;
    double from = nanoseconds(CLOCK_MONOTONIC), now;
    uint64_t first = ticks();
    do
        now = nanoseconds(CLOCK_MONOTONIC);
    while (now - from < 2e6);
    return (double)(ticks() - first) / (now - from) * 1e9;
#else
    *clock = CC_NT_MONOTONIC;
    return 1e9;
#endif
}

static void lose(void)
{
    if (header)
        __atomic_add_fetch(&header->lost, 1, __ATOMIC_RELAXED);
}

/* A new piece of the file, mapped and its pages present, so that marks meet no page fault; NULL when the disk
 * is full. fallocate first: writing to a hole of a full disk would kill the program. */
static struct cc_nt_piece *map_piece(uint32_t type, uint32_t blocks)
{
    uint32_t first = __atomic_fetch_add(&header->blocks, blocks, __ATOMIC_RELAXED);
    off_t offset = (off_t)first * CC_NT_BLOCK;
    size_t size = (size_t)blocks * CC_NT_BLOCK;
    if (posix_fallocate(trace_fd, offset, (off_t)size) != 0)
        return NULL;
    struct cc_nt_piece *p =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, trace_fd, offset);
    if (p == MAP_FAILED)
        return NULL;
    /* MAP_POPULATE maps shared pages for reading only: take the write fault of each page here, not in a mark.
     */
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)p)[i] = 0;
    p->blocks = blocks;
    p->type = type;
    return p;
}

static void unmap_window(struct window *w)
{
    if (w->piece)
        munmap(w->piece, (size_t)w->piece->blocks * CC_NT_BLOCK);
    *w = (struct window){0};
}

/* The window is full, or there was none yet. Pieces grow, so that short threads stay small. */
static bool next_window(struct window *w, uint32_t stream)
{
    if (!header)
        return false;
    uint64_t begun = ticks();
    uint32_t blocks = 1;
    uint64_t seq = 0;
    if (w->piece) {
        blocks = w->piece->blocks < CC_NT_MAX_BLOCKS ? w->piece->blocks * 2 : CC_NT_MAX_BLOCKS;
        seq = w->piece->seq + 1;
        unmap_window(w);
    }
    if (!self.numbered) {
        self.number = atomic_fetch_add(&next_thread, 1);
        self.numbered = true;
        pthread_setspecific(thread_end, &self);
    }
    struct cc_nt_piece *p = map_piece(CC_NT_EVENTS, blocks);
    if (!p)
        return false;
    p->thread = self.number;
    p->stream = stream;
    p->seq = seq;
    w->piece = p;
    w->at = (uint64_t *)(p + 1);
    w->end = (uint64_t *)((char *)p + (size_t)blocks * CC_NT_BLOCK) - 1;
    p->begun = begun;
    p->ready = ticks();
    return true;
}

static size_t cut_length(const char *s)
{
    return s ? strnlen(s, CC_NT_MAX_NAME / 2) : 0;
}

static bool write_site(unsigned id, unsigned kind, unsigned line, const char *name, const char *file)
{
    size_t name_length = cut_length(name), file_length = cut_length(file);
    size_t length = (sizeof(struct cc_nt_site) + name_length + file_length + 7) & ~(size_t)7;
    if (!sites.piece || (size_t)((char *)sites.end - (char *)sites.at) < length + sizeof(struct cc_nt_site)) {
        unmap_window(&sites);
        struct cc_nt_piece *p = map_piece(CC_NT_SITES, 1);
        if (!p)
            return false;
        sites.piece = p;
        sites.at = (uint64_t *)(p + 1);
        sites.end = (uint64_t *)((char *)p + CC_NT_BLOCK);
    }
    struct cc_nt_site *s = (struct cc_nt_site *)sites.at;
    s->id = id;
    s->kind = kind;
    s->line = line;
    s->name_length = (uint32_t)name_length;
    s->file_length = (uint32_t)file_length;
    if (name_length)
        memcpy(s + 1, name, name_length);
    if (file_length)
        memcpy((char *)(s + 1) + name_length, file, file_length);
    __atomic_store_n(&s->length, (uint32_t)length, __ATOMIC_RELEASE);
    sites.at = (uint64_t *)((char *)sites.at + length);
    return true;
}

/* False when this very thread holds the lock: a signal handler broke into it. */
static bool lock_sites(void)
{
    if (atomic_load(&sites_owner) == &self)
        return false;
    while (atomic_flag_test_and_set_explicit(&sites_lock, memory_order_acquire))
        sched_yield();
    atomic_store(&sites_owner, &self);
    return true;
}

static void unlock_sites(void)
{
    atomic_store(&sites_owner, NULL);
    atomic_flag_clear_explicit(&sites_lock, memory_order_release);
}

static unsigned new_site_id(unsigned kind, unsigned line, const char *name, const char *file)
{
    unsigned id = atomic_load(&next_site);
    if (id > CC_NT_MAX_SITES || !write_site(id, kind, line, name, file))
        return 0;
    atomic_store(&next_site, id + 1);
    return id;
}

static __attribute__((noinline)) unsigned register_site(struct corecast_site *site)
{
    if (!lock_sites())
        return 0;
    if (!site->id)
        __atomic_store_n(&site->id, new_site_id(site->kind, site->line, site->name, site->file),
                         __ATOMIC_RELEASE);
    unsigned id = site->id;
    unlock_sites();
    return id;
}

#include "corun.h"

static inline void put_event(unsigned id)
{
    struct thread *t = &self;
    unsigned depth = t->depth;
    struct window *w = &t->window[depth];
    t->depth = depth + 1;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(w->at == w->end, 0) && !next_window(w, depth)) {
        lose();
    } else {
        uint64_t *at = w->at;
        *at = (ticks() - start_tick + 1) << 16 | id;
        w->at = at + 1;
    }
    atomic_signal_fence(memory_order_seq_cst);
    t->depth = depth;
}

void corecast_native_mark(struct corecast_site *site)
{
    if (__builtin_expect(!header, 0)) {
        if (co.plan || co.scout)
            unrecorded(site->kind);
        if (!header)
            return;
    }
    if (__builtin_expect(self.depth > 1, 0)) {
        lose();
        return;
    }
    unsigned id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!id, 0) && !(id = register_site(site))) {
        lose();
        return;
    }
    put_event(id);
}

/* Names that are made at run time: one table of (kind, name) -> id, linear probing, under the sites' lock. */
static struct {
    unsigned id, kind;
    char *name;
} named[1 << 17];

static unsigned named_id(unsigned kind, const char *name, const char *file, unsigned line)
{
    size_t mask = sizeof named / sizeof named[0] - 1;
    uint64_t h = 1469598103934665603u ^ kind;
    for (const char *c = name; *c; c++)
        h = (h ^ (unsigned char)*c) * 1099511628211u;
    for (size_t i = h & mask;; i = (i + 1) & mask) { /* more places than ids: a free one always comes */
        if (!named[i].id) {
            char *copy = strdup(name);
            unsigned id = copy ? new_site_id(kind, line, name, file) : 0;
            if (!id) {
                free(copy);
                return 0;
            }
            named[i].id = id;
            named[i].kind = kind;
            named[i].name = copy;
            return id;
        }
        if (named[i].kind == kind && strcmp(named[i].name, name) == 0)
            return named[i].id;
    }
}

void corecast_native_named(unsigned kind, const char *name, const char *file, unsigned line)
{
    if (!header) {
        if (co.plan || co.scout)
            unrecorded(kind);
        if (!header)
            return;
    }
    unsigned id = 0;
    if (self.depth <= 1 && lock_sites()) {
        id = named_id(kind, name ? name : "", file, line);
        unlock_sites();
    }
    if (id)
        put_event(id);
    else
        lose();
}

static void end_thread(void *t)
{
    struct thread *ended = t;
    unmap_window(&ended->window[0]);
    unmap_window(&ended->window[1]);
}

/* A child shares the windows with its parent: it must not write there. */
static void stop_child(void)
{
    header = NULL;
    self.window[0] = self.window[1] = (struct window){0};
}

/* What one mark costs, as the difference between a loop of work with and without marks, so that what the
 * processor overlaps is overlapped here too. The lowest of many rounds: disturbances only add. */
static double measure_mark(void)
{
    enum { ROUNDS = 40, MARKS = 100, WORK = 60 };
    static struct corecast_site probe;
    double lowest[2] = {1e18, 1e18};
    probe.id = 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (int with = 0; with < 2; with++) {
            volatile unsigned sink;
            unsigned x = 1;
            uint64_t t0 = ticks();
            for (int i = 0; i < MARKS; i++) {
                for (int k = 0; k < WORK; k++)
                    x = x * 1664525u + 1013904223u;
                __asm__ __volatile__("" : "+r"(x) : : "memory");
                if (with)
                    corecast_native_mark(&probe);
                __asm__ __volatile__("" : "+r"(x) : : "memory");
            }
            uint64_t t1 = ticks();
            sink = x;
            (void)sink;
            double per = (double)(t1 - t0) / MARKS;
            if (per < lowest[with])
                lowest[with] = per;
            struct window *w = &self.window[0];
            if (w->piece) {
                memset(w->piece + 1, 0, (size_t)((char *)w->at - (char *)(w->piece + 1)));
                w->at = (uint64_t *)(w->piece + 1);
            }
        }
    }
    double cost = lowest[1] - lowest[0];
    return cost > 0 ? cost : 0;
}

/* Creates the trace; false when there is none to write. */
static bool start_trace(const char *path)
{
    uint64_t begun = ticks();
    /* Only the first process that asks gets the file: programs this one starts inherit the environment. */
    trace_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (trace_fd < 0) {
        if (errno != EEXIST)
            fprintf(stderr, "corecast-native: cannot create '%s': %s\n", path, strerror(errno));
        return false;
    }
    if (posix_fallocate(trace_fd, 0, CC_NT_BLOCK) != 0 || pthread_key_create(&thread_end, end_thread) != 0)
        return false;
    struct cc_nt_header *h = mmap(NULL, CC_NT_BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED, trace_fd, 0);
    if (h == MAP_FAILED)
        return false;
    h->order = 0x01020304;
    h->pid = (uint32_t)getpid();
    h->blocks = 1;
    h->begun = begun;
    h->hz = tick_rate(&h->clock);
    header = h;
    start_tick = ticks();
    h->mark_ticks = measure_mark();
    pthread_atfork(NULL, NULL, stop_child);
    return true;
}

static void start_clock(void)
{
    start_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    start_tick = header->start = ticks();
    if (self.window[0].piece) /* set up while measuring, before the program began */
        self.window[0].piece->begun = self.window[0].piece->ready = start_tick;
    memcpy(header->magic, CC_NT_MAGIC, sizeof header->magic);
}

static __attribute__((constructor)) void begin(void)
{
    const char *path = secure_getenv(CC_NT_ENV), *plan = secure_getenv(CC_NT_CORUN_ENV);
    if (!path || !*path || (plan && *plan && read_plan(path, plan)))
        return;
    if (start_trace(path))
        start_clock();
}

static __attribute__((destructor)) void finish(void)
{
    if (co.scout)
        scan();
    if (!header)
        return;

    header->end = ticks();
    header->cpu_ns = (uint64_t)(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start_cpu);
    header->complete = 1;
}
