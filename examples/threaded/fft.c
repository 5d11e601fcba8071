/* Fast Fourier transforms of whole numbers modulo a prime, in place, a barrier after every stage: fft
 * [THREADS [SIZE [TRANSFORMS]]]. The cause to find: butterflies deals pairs out one by one, so that
 * neighbouring values, in one cache line, are written by different threads. FIXED: every thread has a stretch
 * of neighbours. */
#include "threads.h"

enum { MAX = 1 << 16, PRIME = 998244353, GENERATOR = 3 };
static int n, transforms;
static uint32_t signal[MAX], twiddle[MAX];
static _Alignas(256) uint64_t sum;

static uint32_t times(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b % PRIME);
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base))
        if (exponent & 1)
            result = times(result, base);
    return result;
}

static void prepare(void)
{
    uint32_t root = power(GENERATOR, (PRIME - 1) / (uint32_t)n), state = 1;
    twiddle[0] = 1;
    for (int i = 1; i < n / 2; i++)
        twiddle[i] = times(twiddle[i - 1], root);
    for (int i = 0; i < n; i++)
        signal[i] = next_random(&state) % PRIME;
}

/* The pairs of one stage, `half` apart, that are this thread's. */
__attribute__((noinline)) static void butterflies(int half, int me)
{
    const int step = n / (2 * half);
#ifdef FIXED
    for (int k = me * (n / 2) / nthreads; k < (me + 1) * (n / 2) / nthreads; k++)
#else
    for (int k = me; k < n / 2; k += nthreads)
#endif
    {
        int at = k / half * 2 * half + k % half;
        uint32_t a = signal[at], b = signal[at + half];
        uint32_t d = a + PRIME - b;
        signal[at] = (a + b) % PRIME;
        signal[at + half] = times(d % PRIME, twiddle[k % half * step]);
    }
}

static void *work(void *arg)
{
    int me = (int)(long)arg;
    for (int t = 0; t < transforms; t++) {
        for (int half = n / 2; half > 0; half /= 2) {
            butterflies(half, me);
            barrier_wait();
        }
        if (me == 0)
            sum += signal[0] + signal[n - 1];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    n = argument(argc, argv, 2, 512, 4, MAX);
    transforms = argument(argc, argv, 3, 2, 1, 10000);
    if (n & (n - 1)) {
        fprintf(stderr, "the size must be a power of two\n");
        return 2;
    }
    prepare();
    run_threads(work);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
