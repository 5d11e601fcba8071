/* Complex FFT in doubles: forward and back, and how far off that is.   fft [LOG2-SIZE [ROUNDS]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct complex_number {
    double re, im;
};

static void reverse_bits(struct complex_number *v, unsigned log2n)
{
    size_t n = (size_t)1 << log2n;
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            struct complex_number swap = v[i];
            v[i] = v[j];
            v[j] = swap;
        }
    }
}

static void butterflies(struct complex_number *v, size_t n, size_t half, const struct complex_number *roots,
                        size_t step, double sign)
{
    for (size_t start = 0; start < n; start += 2 * half)
        for (size_t k = 0; k < half; k++) {
            struct complex_number w = roots[k * step], a = v[start + k], b = v[start + k + half], t;
            w.im *= sign;
            t.re = b.re * w.re - b.im * w.im;
            t.im = b.re * w.im + b.im * w.re;
            v[start + k] = (struct complex_number){a.re + t.re, a.im + t.im};
            v[start + k + half] = (struct complex_number){a.re - t.re, a.im - t.im};
        }
}

static void transform(struct complex_number *v, unsigned log2n, const struct complex_number *roots,
                      double sign)
{
    size_t n = (size_t)1 << log2n;
    reverse_bits(v, log2n);
    for (size_t half = 1; half < n; half *= 2)
        butterflies(v, n, half, roots, n / 2 / half, sign);
}

static struct complex_number *make_roots(size_t n)
{
    struct complex_number *roots = malloc(n / 2 * sizeof *roots);
    for (size_t i = 0; roots && i < n / 2; i++)
        roots[i] = (struct complex_number){cos(2 * M_PI * (double)i / (double)n),
                                           -sin(2 * M_PI * (double)i / (double)n)};
    return roots;
}

int main(int argc, char **argv)
{
    unsigned log2n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 16;
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 4;
    size_t n = (size_t)1 << log2n;
    struct complex_number *v = malloc(n * sizeof *v), *roots = make_roots(n);
    if (!v || !roots)
        return 1;
    for (size_t i = 0; i < n; i++)
        v[i] = (struct complex_number){(double)(i * 7919 % 1000) / 1000, 0};
    double worst = 0;
    for (long r = 0; r < rounds; r++) {
        transform(v, log2n, roots, 1);
        transform(v, log2n, roots, -1);
        for (size_t i = 0; i < n; i++) {
            v[i].re /= (double)n;
            v[i].im /= (double)n;
            worst = fmax(worst, fabs(v[i].re - (double)(i * 7919 % 1000) / 1000));
        }
    }
    printf("%s\n", worst < 1e-9 ? "right" : "wrong");
    free(v);
    free(roots);
    return 0;
}
