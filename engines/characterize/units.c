/* The units of a machine as `corecast units` takes them: how many instructions of each class a core does in a
 * cycle, what vectors gain, bandwidths, atomics, copies; and the same of an NVIDIA GPU (gpu.h). What data
 * sheets do not say, from small loops of known instructions. See bench.h.
 *
 * The compiler must neither merge nor drop the instructions counted: an empty asm makes each result look
 * used.
 */
#include "bench.h"
#include "gpu.h"

#include <omp.h>
#include <pthread.h>

/* Loops of 64 operations on eight registers that do not depend on each other. */
#define ON8(op) op(a) op(b) op(c) op(d) op(e) op(f) op(g) op(h)

enum { MAX_CORES = 256, SMALL_BYTES = 8192, LARGE_BYTES = 64 << 20, ADDITIONS = 20000, ROUNDS = 500 };

/* --- operations; each runs n rounds and returns how many instructions of its class that were --- */

#define INT_LOOP(name, op)                                                               \
    static double name(long n)                                                           \
    {                                                                                    \
        unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 12345; \
        BENCH_KEEP(k);                                                                   \
        for (long i = 0; i < n; i++) {                                                   \
            BENCH_TIMES8(ON8(op))                                                        \
        }                                                                                \
        return 64.0 * (double)n;                                                         \
    }
#define FLOAT_LOOP(name, op)                                                          \
    static double name(long n)                                                        \
    {                                                                                 \
        double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 1.0000001; \
        BENCH_KEEP_FLOAT(k);                                                          \
        for (long i = 0; i < n; i++) {                                                \
            BENCH_TIMES8(ON8(op))                                                     \
        }                                                                             \
        return 64.0 * (double)n;                                                      \
    }
#define ADD(v) \
    v += k;    \
    BENCH_KEEP(v);
#define MULTIPLY(v) \
    v *= k;         \
    BENCH_KEEP(v);
#define ADDRESS(v)    \
    v = k + (v << 3); \
    BENCH_KEEP(v);
#define FADD(v) \
    v += k;     \
    BENCH_KEEP_FLOAT(v);
#define FDIV(v) \
    v /= k;     \
    BENCH_KEEP_FLOAT(v);
#define FSQRT(v)           \
    v = __builtin_sqrt(v); \
    BENCH_KEEP_FLOAT(v);
INT_LOOP(simple_ints, ADD)
INT_LOOP(multiplications, MULTIPLY)
INT_LOOP(addresses, ADDRESS)
FLOAT_LOOP(floats, FADD)
#define SHIFT(v)             \
    v = (v << 3) ^ (v >> 5); \
    BENCH_KEEP(v);
#define FMUL(v) \
    v *= k;     \
    BENCH_KEEP_FLOAT(v);
#define FSUM(v)    \
    v = v * k + k; \
    BENCH_KEEP_FLOAT(v);
INT_LOOP(shift_pairs, SHIFT)
FLOAT_LOOP(float_products, FMUL)
FLOAT_LOOP(float_fused, FSUM)
FLOAT_LOOP(divisions, FDIV)
FLOAT_LOOP(roots, FSQRT)

/* Each needs the one before: a remainder as in Euclid's algorithm, of numbers that stay large. */
static double chained_divisions(long n)
{
    unsigned long v = 1ul << 40, k = 3;
    BENCH_KEEP(v);
    BENCH_KEEP(k);
    for (long i = 0; i < n; i++) {
        BENCH_TIMES8(BENCH_TIMES8(v = (v | 1ul << 40) / k;))
    }
    BENCH_KEEP(v);
    return 64.0 * (double)n;
}

static double branches(long n)
{
    for (unsigned long i = (unsigned long)n * 64; i; i--)
        BENCH_KEEP(i);
    return 64.0 * (double)n;
}

/* Shift and exclusive or: two instructions or three, by the machine; counted as the two that all have. */
static double shifts(long n)
{
    return 2 * shift_pairs(n);
}

/* A product and a sum: one instruction where the compiler may join them, else two. */
static double fused(long n)
{
#if defined(__x86_64__) && !defined(__FMA__)
    return 2 * float_fused(n);
#else
    return float_fused(n);
#endif
}

/* Never taken, 64 in a row; on x86-64 16 bytes each, as programs have other code between: side by side some
 * would lie across a border of 32 bytes, where processors decode them again and again. */
#if defined(__aarch64__)
#define UNTAKEN(v) __asm__ goto("cbnz %0, %l1" : : "r"(v) : : out);
#elif defined(__x86_64__)
#define UNTAKEN(v) \
    __asm__ goto("jc %l1\n\t.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0" : : "r"(v) : : out);
#else
#define UNTAKEN(v) \
    if (v)         \
        goto out;
#endif
static double untaken(long n)
{
    unsigned long none = 0;
    BENCH_KEEP(none);
#if defined(__x86_64__)
    __asm__ volatile("clc");
#endif
    for (long i = 0; i < n; i++) {
#if defined(__x86_64__)
        __asm__ volatile(".p2align 5");
#endif
        BENCH_TIMES8(BENCH_TIMES8(UNTAKEN(none)))
#if defined(__x86_64__)
        __asm__ volatile("clc");
#endif
    }
out:
    return 64.0 * (double)n;
}

/* One branch a round, which way is decided by bits that nothing foretells, or by the same bits hidden. */
static double chances(long n, unsigned long seen)
{
    static unsigned long state = 88172645463325252u; /* goes on: what was seen before is foretold */
    unsigned long x = state;
    BENCH_KEEP(seen);
    for (long i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        if ((x & seen) >> 62 & 1)
            __asm__ volatile("" ::: "memory");
        else
            __asm__ volatile("" : "+r"(x));
    }
    state = x;
    return (double)n;
}

static double by_chance(long n)
{
    return chances(n, ~0ul);
}

static double foretold(long n)
{
    return chances(n, 0);
}

static unsigned long small[SMALL_BYTES / sizeof(unsigned long)];

/* Written out: a loop would wait for its own branches. */
#define LOAD(k)                    \
    do {                           \
        unsigned long v = from[k]; \
        BENCH_KEEP(v);             \
    } while (0);
#define LOAD2_STORE(k)                                          \
    do {                                                        \
        unsigned long v = from[2 * (k)], w = from[2 * (k) + 1]; \
        BENCH_KEEP(v);                                          \
        BENCH_KEEP(w);                                          \
        to[k] = v;                                              \
    } while (0);
#define EACH8(op, k) op(k) op(k + 1) op(k + 2) op(k + 3) op(k + 4) op(k + 5) op(k + 6) op(k + 7)

/* Two loads for each store, in the first-level cache; what is stored is not loaded again. */
static double accesses(long n)
{
    unsigned long *from = small, *to = small + sizeof small / sizeof *small / 2;
    for (long i = 0; i < n; i++) {
        BENCH_KEEP(from);
        BENCH_KEEP(to);
        EACH8(LOAD2_STORE, 0)
        __asm__ volatile("" ::: "memory");
    }
    return 24.0 * (double)n;
}

/* Loads alone. */
static double loads(long n)
{
    const unsigned long *from = small;
    for (long i = 0; i < n; i++) {
        BENCH_KEEP(from);
        EACH8(LOAD, 0)
        EACH8(LOAD, 8)
        EACH8(LOAD, 16)
    }
    return 24.0 * (double)n;
}

/* --- vectorisation --- */

#if defined(__clang__)
#define VECTOR_OFF
#define VECTOR_ON
#define LOOP_OFF _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define VECTOR_OFF __attribute__((optimize("O2", "no-tree-vectorize"), noinline))
#define VECTOR_ON __attribute__((optimize("O3", "tree-vectorize"), noinline))
#define LOOP_OFF
#endif

enum { PIXELS = 4096 };
static unsigned short image_in[PIXELS], image_out[PIXELS];

/* The pointers are hidden from the compiler, or it would see that nobody reads the result. */
#define FILTER                                                               \
    const unsigned short *restrict in = image_in;                            \
    unsigned short *restrict out = image_out;                                \
    BENCH_KEEP(in);                                                          \
    BENCH_KEEP(out);                                                         \
    LOOP_HINT                                                                \
    for (int i = 1; i < PIXELS - 1; i++)                                     \
        out[i] = (unsigned short)((in[i - 1] + 2 * in[i] + in[i + 1]) >> 2); \
    __asm__ volatile("" ::: "memory");

#define LOOP_HINT LOOP_OFF
VECTOR_OFF static void filter_scalar(void){FILTER}
#undef LOOP_HINT
#define LOOP_HINT
VECTOR_ON static void filter_vector(void)
{
    FILTER
}

static double scalar_pixels(long n)
{
    for (long i = 0; i < n / 32; i++)
        filter_scalar();
    return (double)(n / 32) * PIXELS;
}

static double vector_pixels(long n)
{
    for (long i = 0; i < n / 32; i++)
        filter_vector();
    return (double)(n / 32) * PIXELS;
}

/* --- rates --- */

typedef double operation(long rounds);

/* ns of one instruction. */
static double operation_ns(void *arg)
{
    operation *const *op = arg;
    uint64_t t0 = bench_ticks();
    double count = (*op)(ROUNDS);
    return (double)(bench_ticks() - t0) * bench_tick_ns() / count;
}

static struct bench_figure sample(operation *op)
{
    return bench_sample(operation_ns, &op, 0);
}

static struct bench_figure quotient(struct bench_figure a, struct bench_figure b)
{
    struct bench_figure f = {a.median / b.median, 0, a.samples < b.samples ? a.samples : b.samples,
                             a.stable && b.stable};
    f.spread = f.median * (a.spread / a.median + b.spread / b.median);
    return f;
}

/* --- memory and cores --- */

struct team {
    const int *cpus;
    int k;
    char **from, **to; /* one a core */
    size_t bytes;
    unsigned long *word;
};

static void copy_twice(const struct team *t, int me)
{
    for (int i = 0; i < 2; i++) {
        memcpy(t->to[me], t->from[me], t->bytes);
        __asm__ volatile("" ::: "memory");
    }
}

static void add_often(const struct team *t, int me)
{
    (void)me;
    for (int i = 0; i < ADDITIONS; i++)
        __atomic_fetch_add(t->word, 1, __ATOMIC_RELAXED);
}

/* ns from the first one's start to the last one's end. */
static double together(const struct team *t, void (*work)(const struct team *, int))
{
    uint64_t from = UINT64_MAX, to = 0;
#pragma omp parallel num_threads(t->k) reduction(min : from) reduction(max : to)
    {
        int me = omp_get_thread_num();
        bench_pin(t->cpus[me]);
#pragma omp barrier
        from = bench_ticks();
        work(t, me);
        to = bench_ticks();
    }
    return (double)(to - from) * bench_tick_ns();
}

/* ns of a byte read and written, in copies far larger than caches. */
static double copy_byte_ns(void *arg)
{
    const struct team *t = arg;
    return together(t, copy_twice) / (2.0 * 2 * (double)t->bytes * t->k);
}

/* ns of one addition when all add to one word. */
static double atomic_ns(void *arg)
{
    const struct team *t = arg;
    return together(t, add_often) / ((double)ADDITIONS * t->k);
}

static char *filled(size_t bytes, int with)
{
    char *p = aligned_alloc(4096, bytes);
    if (!p) {
        fprintf(stderr, "units: not enough memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memset(p, with, bytes);
}

static struct bench_figure bandwidth(const int *cpus, int k)
{
    char *from[MAX_CORES], *to[MAX_CORES];
    size_t each = (size_t)LARGE_BYTES / (size_t)k / 4096 * 4096, least = 1 << 20;
    struct team t = {cpus, k, from, to, each > least ? each : least, NULL};
    for (int i = 0; i < k; i++) {
        from[i] = filled(t.bytes, 1);
        to[i] = filled(t.bytes, 2);
    }
    struct bench_figure f = bench_rate(bench_sample(copy_byte_ns, &t, 0), 1e9);
    for (int i = 0; i < k; i++) {
        free(from[i]);
        free(to[i]);
    }
    return f;
}

static void *nothing(void *arg)
{
    return arg;
}

/* ns to start and join n threads. */
static double start_and_join(void *arg)
{
    int n = *(int *)arg, made = 0;
    pthread_t threads[MAX_CORES];
    double at = bench_now();
    while (made < n && pthread_create(&threads[made], NULL, nothing, NULL) == 0)
        made++;
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    return bench_now() - at;
}

struct copy {
    char *from, *to;
    size_t bytes;
};

static double copy_ns(void *arg)
{
    const struct copy *c = arg;
    size_t rounds = (1 << 20) / c->bytes > 1 ? (1 << 20) / c->bytes : 1;
    uint64_t t0 = bench_ticks();
    for (size_t r = 0; r < rounds; r++) {
        memcpy(c->to, c->from, c->bytes);
        __asm__ volatile("" ::: "memory");
    }
    return (double)(bench_ticks() - t0) * bench_tick_ns() / (double)rounds;
}

static void copy_curve(void)
{
    struct copy c = {filled(LARGE_BYTES, 1), filled(LARGE_BYTES, 2), 4096};
    printf("# [link.cpu.cpu] is memcpy by one core\ntext link.cpu.cpu points");
    for (; c.bytes <= LARGE_BYTES; c.bytes *= 4)
        printf(" %zu:%.4g", c.bytes, bench_sample(copy_ns, &c, 0).median * 1e-9);
    printf("\n");
    free(c.from);
    free(c.to);
}

/* A core begins a whole number of instructions of a kind in a cycle: a little less was measured, for what the
 * loop takes beside them. */
static double whole(double per_cycle)
{
    return per_cycle > 1 && ceil(per_cycle) - per_cycle < 0.07 * per_cycle ? ceil(per_cycle) : per_cycle;
}

/* Each load tells where the next is. */
static double chased(long n)
{
    static void *ring[64];
    for (int i = 0; i < 64; i++)
        ring[i] = &ring[(i * 5 + 9) % 64];
    void **p = ring;
    for (long i = 0; i < n; i++) {
        BENCH_TIMES8(BENCH_TIMES8(p = *p;))
    }
    BENCH_KEEP(p);
    return 64.0 * (double)n;
}

/* Of kinds of one class: from the dearest to the cheapest, its middle and half its width. */
static struct bench_figure range(struct bench_figure cycle, operation *const *ops, int n)
{
    struct bench_figure f = quotient(cycle, sample(ops[0]));
    double low = f.median - f.spread, high = f.median + f.spread;
    for (int i = 1; i < n && ops[i]; i++) {
        struct bench_figure g = quotient(cycle, sample(ops[i]));
        low = g.median - g.spread < low ? g.median - g.spread : low;
        high = g.median + g.spread > high ? g.median + g.spread : high;
        f.stable = f.stable && g.stable;
    }
    high = whole(high);
    f.median = (low + high) / 2;
    f.spread = (high - low) / 2;
    return f;
}

/* Instructions of each class in a cycle. */
static void throughputs(struct bench_figure cycle)
{
    static const struct {
        const char *key;
        operation *ops[3]; /* kinds of it that cost differently */
    } classes[] = {
        {"s_int", {simple_ints, shifts}},
        {"m_int", {multiplications}},
        {"float", {floats, float_products, fused}},
        {"branch", {branches, untaken}},
        {"address", {addresses}},
        {"load_store", {accesses, loads}},
        {"specific", {divisions, roots, chained_divisions}},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        bench_print("unit.cpu", classes[i].key, range(cycle, classes[i].ops, 3));
    printf("# [unit.cpu] ranges: branches taken (and foretold) and not taken; additions and shifts; loads "
           "alone and two "
           "for each store; division and square root of double precision, and divisions of integers that "
           "wait for each other\n");
    bench_print("unit.cpu", "load_latency", quotient(sample(chased), cycle));
    struct bench_figure missed = sample(by_chance), right = sample(foretold); /* half of them are missed */
    missed.median = missed.median > right.median ? 2 * (missed.median - right.median) / cycle.median : 0;
    missed.spread = 2 * (missed.spread + right.spread) / cycle.median;
    missed.stable = missed.stable && right.stable;
    bench_print("unit.cpu", "mispredict", missed);
    struct bench_figure gain = quotient(sample(scalar_pixels), sample(vector_pixels));
    gain.median = gain.median > 1 ? gain.median : 1;
    bench_print("unit.cpu", "vector_gain", gain);
    printf("# [unit.cpu] vector_gain: a 1-2-1 filter of 16-bit pixels\n");
}

static void cpu(const int *cpus, int n)
{
    /* First: threads inherit the CPUs of the one that starts them, and later that one is bound. */
    struct bench_figure threads = bench_sample(start_and_join, &n, 0);
    bench_sample(bench_cycle_ns, NULL, 0); /* lets the clock come up */
    struct bench_figure cycle = bench_sample(bench_cycle_ns, NULL, 0);
    printf("text unit.cpu kind cpu\ntext unit.cpu cores %d\ntext unit.cpu superscalar yes\n", n);
    bench_print("unit.cpu", "clock_mhz", bench_rate(cycle, 1000));
    printf("# [unit.cpu] clock_mhz: from a chain of dependent additions\n");
    throughputs(cycle);
    bench_print("unit.cpu", "core_bandwidth", bandwidth(cpus, 1));
    bench_print("unit.cpu", "bandwidth", bandwidth(cpus, n));
    unsigned long word = 0;
    struct team t = {.cpus = cpus, .k = n, .word = &word};
    struct bench_figure atomic = quotient(bench_sample(atomic_ns, &t, 0), cycle);
    bench_print("unit.cpu", "atomic", atomic);
    if (n > 1) /* a step of a reduction hands one line from core to core, as an atomic addition does */
        bench_print("unit.cpu", "reduction", atomic);
    bench_print("unit.cpu", "barrier", quotient(threads, cycle));
    printf("# [unit.cpu] atomic: %d cores on one word; barrier: start and join %d threads\n", n, n);
    copy_curve();
}

int main(int argc, char **argv)
{
    static int cpus[MAX_CORES];
    bench_begin("units", argc, argv);
    int n = bench_cpus(cpus, MAX_CORES);
    if (n < 1)
        return 1;
    cpu(cpus, n);
    gpu_measure("cpu");
    printf("end\n");
    return 0;
}
