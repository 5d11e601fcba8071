/* Level 2 on the host CPU: what data sheets do not say, from small loops of known instructions.
 *
 * The compiler must neither merge nor drop the instructions counted: an empty asm makes each result look
 * used. The clock is measured, not read: a chain of dependent additions runs one a cycle on every core of the
 * last decades. */
#include "measure.h"

#include <math.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#if defined(__aarch64__)
#define IN_FLOAT "+w"
#elif defined(__x86_64__)
#define IN_FLOAT "+x"
#elif defined(__riscv)
#define IN_FLOAT "+f"
#else
#define IN_FLOAT "+m"
#endif
#define KEEP(v) __asm__ volatile("" : "+r"(v))
#define KEEP_FLOAT(v) __asm__ volatile("" : IN_FLOAT(v))
#define TIMES8(x) x x x x x x x x
/* Loops of 64 operations on eight registers that do not depend on each other. */
#define ON8(op) op(a) op(b) op(c) op(d) op(e) op(f) op(g) op(h)

enum {
    TRIES = 5,
    PASSES = 6,
    MAX_THREADS = 256,
    SMALL_BYTES = 8192,
    LARGE_BYTES = 64 << 20,
    ADDITIONS = 500000
};

double cc_measure_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- operations; each runs n rounds and returns how many instructions of its class that were --- */

#define INT_LOOP(name, op)                                                               \
    static double name(long n)                                                           \
    {                                                                                    \
        unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 12345; \
        KEEP(k);                                                                         \
        for (long i = 0; i < n; i++) {                                                   \
            TIMES8(ON8(op))                                                              \
        }                                                                                \
        return 64.0 * (double)n;                                                         \
    }
#define FLOAT_LOOP(name, op)                                                          \
    static double name(long n)                                                        \
    {                                                                                 \
        double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 1.0000001; \
        KEEP_FLOAT(k);                                                                \
        for (long i = 0; i < n; i++) {                                                \
            TIMES8(ON8(op))                                                           \
        }                                                                             \
        return 64.0 * (double)n;                                                      \
    }
#define ADD(v) \
    v += k;    \
    KEEP(v);
#define MULTIPLY(v) \
    v *= k;         \
    KEEP(v);
#define ADDRESS(v)    \
    v = k + (v << 3); \
    KEEP(v);
#define FADD(v) \
    v += k;     \
    KEEP_FLOAT(v);
#define FDIV(v) \
    v /= k;     \
    KEEP_FLOAT(v);
#define FSQRT(v)           \
    v = __builtin_sqrt(v); \
    KEEP_FLOAT(v);
INT_LOOP(simple_ints, ADD)
INT_LOOP(multiplications, MULTIPLY)
INT_LOOP(addresses, ADDRESS)
FLOAT_LOOP(floats, FADD)
FLOAT_LOOP(divisions, FDIV)
FLOAT_LOOP(roots, FSQRT)

/* One after the other: a cycle each. */
static double dependent_ints(long n)
{
    unsigned long a = 1, k = 12345;
    KEEP(k);
    for (long i = 0; i < n; i++) {
        TIMES8(TIMES8(ADD(a)))
    }
    return 64.0 * (double)n;
}

static double branches(long n)
{
    for (unsigned long i = (unsigned long)n * 64; i; i--)
        KEEP(i);
    return 64.0 * (double)n;
}

static unsigned long small[SMALL_BYTES / sizeof(unsigned long)];

/* Two loads for each store, in the first-level cache; what is stored is not loaded again. */
static double accesses(long n)
{
    unsigned long *from = small, *to = small + CC_COUNT(small) / 2;
    for (long i = 0; i < n; i++) {
        KEEP(from);
        KEEP(to);
        for (int k = 0; k < 8; k++) {
            unsigned long a = from[2 * k], b = from[2 * k + 1];
            KEEP(a);
            KEEP(b);
            to[k] = a;
        }
        __asm__ volatile("" ::: "memory");
    }
    return 24.0 * (double)n;
}

/* Time this thread ran, so that other programs on the machine do not count. */
static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Instructions per second: the best of several tries, each long enough to time. */
static double rate(double (*op)(long))
{
    long n = 256;
    double best = 0;
    for (int i = 0; i < TRIES;) {
        double start = cpu_now(), count = op(n), took = cpu_now() - start;
        if (took < 5e-3 && n < 1L << 30) {
            n *= 2;
            continue;
        }
        best = fmax(best, count / took);
        i++;
    }
    return best;
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
    KEEP(in);                                                                \
    KEEP(out);                                                               \
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
    for (long i = 0; i < n; i++)
        filter_scalar();
    return (double)n * PIXELS;
}

static double vector_pixels(long n)
{
    for (long i = 0; i < n; i++)
        filter_vector();
    return (double)n * PIXELS;
}

/* --- memory and cores --- */

struct worker {
    pthread_t thread;
    char *from, *to;
    size_t bytes;
    long rounds;
    unsigned long *shared;
    pthread_barrier_t *start;
    double from_time, to_time;
};

static void *copy_worker(void *arg)
{
    struct worker *w = arg;
    pthread_barrier_wait(w->start);
    w->from_time = cc_measure_now();
    for (long i = 0; i < w->rounds; i++) {
        memcpy(w->to, w->from, w->bytes);
        __asm__ volatile("" ::: "memory");
    }
    w->to_time = cc_measure_now();
    return NULL;
}

static void *atomic_worker(void *arg)
{
    struct worker *w = arg;
    pthread_barrier_wait(w->start);
    w->from_time = cc_measure_now();
    for (long i = 0; i < w->rounds; i++)
        __atomic_fetch_add(w->shared, 1, __ATOMIC_RELAXED);
    w->to_time = cc_measure_now();
    return NULL;
}

/* Runs n workers and returns the seconds from the first one's start to the last one's end; NAN if threads
 * fail. */
static double run_workers(struct worker *w, size_t n, void *(*body)(void *))
{
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, (unsigned)n + 1);
    for (size_t i = 0; i < n; i++) {
        w[i].start = &start;
        if (pthread_create(&w[i].thread, NULL, body, &w[i]) != 0)
            return NAN; /* the others wait for ever at the barrier; the caller gives up on all of it */
    }
    pthread_barrier_wait(&start);
    double from = INFINITY, to = 0;
    for (size_t i = 0; i < n; i++) {
        pthread_join(w[i].thread, NULL);
        from = fmin(from, w[i].from_time);
        to = fmax(to, w[i].to_time);
    }
    pthread_barrier_destroy(&start);
    return to - from;
}

/* Bytes read and written per second by n cores that copy far more than caches hold. */
static double bandwidth(size_t n)
{
    struct worker w[MAX_THREADS] = {0};
    size_t each = CC_MAX(LARGE_BYTES / n, (size_t)1 << 20);
    double best = 0;
    for (size_t i = 0; i < n; i++) {
        w[i].from = cc_alloc(each);
        w[i].to = cc_alloc(each);
        memset(w[i].from, 1, each);
        memset(w[i].to, 2, each);
        w[i].bytes = each;
        w[i].rounds = 2;
    }
    for (int t = 0; t < 5; t++)
        best = fmax(best, 2.0 * 2 * (double)each * (double)n / run_workers(w, n, copy_worker));
    for (size_t i = 0; i < n; i++) {
        free(w[i].from);
        free(w[i].to);
    }
    return best;
}

/* Seconds of one atomic addition when n cores add to one word. */
static double contended_atomic(size_t n)
{
    struct worker w[MAX_THREADS] = {0};
    unsigned long shared = 0;
    double best = INFINITY;
    for (size_t i = 0; i < n; i++) {
        w[i].shared = &shared;
        w[i].rounds = ADDITIONS;
    }
    for (int t = 0; t < 3; t++)
        best = fmin(best, run_workers(w, n, atomic_worker) / (ADDITIONS * (double)n));
    return best;
}

static void *nothing(void *arg)
{
    return arg;
}

/* Seconds to start and join n threads. */
static double start_and_join(size_t n)
{
    double best = INFINITY;
    for (int t = 0; t < TRIES; t++) {
        pthread_t threads[MAX_THREADS];
        size_t made = 0;
        double at = cc_measure_now();
        while (made < n && pthread_create(&threads[made], NULL, nothing, NULL) == 0)
            made++;
        for (size_t i = 0; i < made; i++)
            pthread_join(threads[i], NULL);
        best = fmin(best, cc_measure_now() - at);
    }
    return best;
}

static size_t copy_curve(struct cc_copy_point *out)
{
    size_t n = 0;
    char *from = cc_alloc(LARGE_BYTES), *to = cc_alloc(LARGE_BYTES);
    memset(from, 1, LARGE_BYTES);
    memset(to, 2, LARGE_BYTES);
    for (size_t bytes = 4096; bytes <= LARGE_BYTES && n < CC_COPY_POINTS; bytes *= 4) {
        double best = INFINITY;
        long rounds = (long)CC_MAX((1 << 22) / bytes, 1);
        for (int t = 0; t < TRIES; t++) {
            double at = cc_measure_now();
            for (long r = 0; r < rounds; r++) {
                memcpy(to, from, bytes);
                __asm__ volatile("" ::: "memory");
            }
            best = fmin(best, (cc_measure_now() - at) / (double)rounds);
        }
        out[n++] = (struct cc_copy_point){(double)bytes, best};
    }
    free(from);
    free(to);
    return n;
}

void cc_measure_print_points(FILE *out, const struct cc_copy_point *v, size_t n)
{
    fputs("points =", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %.0f:%.4g", v[i].bytes, v[i].seconds);
    fputc('\n', out);
}

/* Rates by operation. Several passes over all of them: a neighbour on the machine that disturbs one pass for
 * a while does not disturb the others, and the best counts. */
enum op { CLOCK, S_INT, M_INT, FLOAT, DIVIDE, ROOT, BRANCH, ADDRESSES, ACCESS, SCALAR, VECTOR, OPS };

static void measure_rates(double best[OPS])
{
    static double (*const op[OPS])(long) = {dependent_ints, simple_ints,   multiplications, floats,
                                            divisions,      roots,         branches,        addresses,
                                            accesses,       scalar_pixels, vector_pixels};
    for (int p = 0; p < PASSES; p++)
        for (int i = 0; i < OPS; i++)
            best[i] = fmax(best[i], rate(op[i]));
}

static void measure_cpu(FILE *out)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    size_t cores = (size_t)CC_MIN(CC_MAX(online, 1), MAX_THREADS);
    double r[OPS] = {0};
    measure_rates(r);
    double clock = r[CLOCK];
    fprintf(out,
            "[unit.cpu]\nkind = cpu\nclock_mhz = %.0f ; from a chain of dependent additions\ncores = %zu\n",
            clock / 1e6, cores);
    fprintf(out, "superscalar = yes\ns_int = %.3g\nm_int = %.3g\nfloat = %.3g\n", r[S_INT] / clock,
            r[M_INT] / clock, r[FLOAT] / clock);
    fprintf(out, "specific = %.3g ; the mean of division and square root, double precision\n",
            2 / (clock / r[DIVIDE] + clock / r[ROOT]));
    fprintf(out,
            "branch = %.3g ; taken, foretold\naddress = %.3g\nload_store = %.3g ; two loads for each store\n",
            r[BRANCH] / clock, r[ADDRESSES] / clock, r[ACCESS] / clock);
    fprintf(out, "vector_gain = %.3g ; a 1-2-1 filter of 16-bit pixels\n", fmax(r[VECTOR] / r[SCALAR], 1));
    fprintf(out, "core_bandwidth = %.4g\nbandwidth = %.4g\n", bandwidth(1), bandwidth(cores));
    double atomic = contended_atomic(cores);
    if (isfinite(atomic))
        fprintf(out, "atomic = %.4g ; %zu cores on one word\n", atomic * clock, cores);
    if (cores > 1) /* a step of a reduction hands one line from core to core, as an atomic addition does */
        fprintf(out, "reduction = %.4g\n", isfinite(atomic) ? atomic * clock : 0);
    fprintf(out, "barrier = %.4g ; start and join %zu threads\n\n", start_and_join(cores) * clock, cores);
    struct cc_copy_point curve[CC_COPY_POINTS];
    size_t n = copy_curve(curve);
    fputs("; memcpy by one core\n[link.cpu.cpu]\n", out);
    cc_measure_print_points(out, curve, n);
}

int cc_units_characterize(FILE *out, struct cc_err *err)
{
    measure_cpu(out);
    fputc('\n', out);
    return cc_measure_cuda(out, "cpu", err);
}
