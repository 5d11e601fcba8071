/* The Mandelbrot set on cores without a floating-point unit: mandelbrot [THREADS [SIZE]].
 * The cause to find: every multiplication and addition is a call of soft_mul or soft_add, and the two lie so
 * that they evict each other from a small direct-mapped instruction cache. FIXED: the processor's own
 * floating-point instructions. */
#include "threads.h"

enum { MAX = 256 };
static int size;
static uint8_t image[MAX][MAX];
static atomic_int next_row;

#ifdef FIXED
typedef float real;
#define soft_mul(x, y) ((x) * (y))
#define soft_add(x, y) ((x) + (y))
#define soft_sub(x, y) ((x) - (y))
static int above(real x, real limit)
{
    return x > limit;
}
static real from_int(int v)
{
    return (real)v;
}
#else
/* Numbers as sign, exponent and 24 bits of mantissa, packed as IEEE singles; no denormals, infinities or
 * rounding but truncation. */
typedef uint32_t real;

__attribute__((noinline)) static real pack(uint32_t sign, int exponent, uint64_t mantissa)
{
    if (mantissa == 0 || exponent <= 0)
        return 0;
    while (mantissa >= (uint64_t)1 << 24) {
        mantissa >>= 1;
        exponent++;
    }
    while (mantissa < (uint64_t)1 << 23) {
        mantissa <<= 1;
        exponent--;
    }
    return sign | (uint32_t)exponent << 23 | ((uint32_t)mantissa & 0x7fffff);
}

/* Both at the same place modulo the cache's 4 KiB. */
__attribute__((noinline, aligned(4096))) static real soft_mul(real x, real y)
{
    if (x << 1 == 0 || y << 1 == 0)
        return 0;
    uint64_t mx = (x & 0x7fffff) | 0x800000, my = (y & 0x7fffff) | 0x800000;
    int e = (int)(x >> 23 & 255) + (int)(y >> 23 & 255) - 127;
    uint64_t m = mx * my >> 23;
    return pack((x ^ y) & 0x80000000u, e, m);
}

__attribute__((noinline, aligned(4096))) static real soft_add(real x, real y)
{
    if (x << 1 == 0)
        return y;
    if (y << 1 == 0)
        return x;
    int ex = (int)(x >> 23 & 255), ey = (int)(y >> 23 & 255);
    if (ex < ey || (ex == ey && (x & 0x7fffff) < (y & 0x7fffff))) {
        real t = x;
        x = y;
        y = t;
        int te = ex;
        ex = ey;
        ey = te;
    }
    uint64_t mx = ((x & 0x7fffff) | 0x800000) << 3, my = ((y & 0x7fffff) | 0x800000) << 3;
    int shift = ex - ey;
    my = shift > 40 ? 0 : my >> shift;
    uint64_t m = (x ^ y) >> 31 ? mx - my : mx + my;
    return pack(x & 0x80000000u, ex - 3, m);
}

static real soft_sub(real x, real y)
{
    return soft_add(x, y ^ 0x80000000u);
}

static real from_int(int v)
{
    return v < 0 ? pack(0x80000000u, 127 + 23, (uint64_t)-v) : pack(0, 127 + 23, (uint64_t)v);
}

static int above(real x, real limit)
{
    real d = soft_sub(x, limit);
    return d << 1 != 0 && !(d >> 31);
}
#endif

__attribute__((noinline)) static int escape(real cr, real ci)
{
    real x = 0, y = 0, four = from_int(4);
    for (int i = 0; i < 24; i++) {
        real xx = soft_mul(x, x), yy = soft_mul(y, y);
        if (above(soft_add(xx, yy), four))
            return i;
        real xy = soft_mul(x, y);
        x = soft_add(soft_sub(xx, yy), cr);
        y = soft_add(soft_add(xy, xy), ci);
    }
    return 24;
}

static void *work(void *arg)
{
    (void)arg;
    /* one 16th is 2^-4: a product of two numbers of 2^-2 */
    real quarter = soft_mul(from_int(1), from_int(1));
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        quarter = quarter * 0.5f;
#else
        quarter -= 1u << 23; /* halves it */
#endif
    }
    real step = soft_mul(quarter, quarter);
    for (int row; (row = atomic_fetch_add(&next_row, 1)) < size;)
        for (int col = 0; col < size; col++) {
            real cr = soft_mul(from_int(col * 48 / size - 32), step),
                 ci = soft_mul(from_int(row * 40 / size - 20), step);
            image[row][col] = (uint8_t)escape(cr, ci);
        }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    size = argument(argc, argv, 2, 24, 1, MAX);
    run_threads(work);
    long sum = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            sum += image[i][j];
    printf("%ld\n", sum);
    return 0;
}
