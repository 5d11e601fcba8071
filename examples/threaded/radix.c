/* Radix sort, four bits at a time: radix [THREADS [KEYS]].
 * The cause to find: count_digits adds up in one table that all threads share, with an atomic for every key.
 * FIXED: each thread has a table of its own, on lines of its own, and one thread adds them up. */
#include "threads.h"

enum { MAX = 1 << 16, DIGITS = 16 };
static int n;
static uint32_t keys[2][MAX];
#ifndef FIXED
static atomic_uint shared_count[DIGITS];
#endif
static struct {
    uint32_t count[DIGITS], start[DIGITS];
} local[MAX_THREADS] __attribute__((aligned(256)));

__attribute__((noinline)) static void count_digits(const uint32_t *from, int low, int high, int shift, int me)
{
    uint32_t *mine = local[me].count;
    for (int d = 0; d < DIGITS; d++)
        mine[d] = 0;
    for (int i = low; i < high; i++) {
        uint32_t d = from[i] >> shift & (DIGITS - 1);
        mine[d]++;
#ifndef FIXED
        atomic_fetch_add(&shared_count[d], 1);
#endif
    }
}

/* Where each thread's keys with each digit begin. */
__attribute__((noinline)) static void place_digits(void)
{
    uint32_t at = 0;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t all = 0;
        for (int t = 0; t < nthreads; t++) {
            local[t].start[d] = at + all;
            all += local[t].count[d];
        }
#ifndef FIXED
        if (all != shared_count[d])
            abort();
        atomic_store(&shared_count[d], 0);
#endif
        at += all;
    }
}

__attribute__((noinline)) static void move_keys(const uint32_t *from, uint32_t *to, int low, int high,
                                                int shift, int me)
{
    uint32_t *start = local[me].start;
    for (int i = low; i < high; i++)
        to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

static void *work(void *arg)
{
    int me = (int)(long)arg, low = n / nthreads * me, high = me == nthreads - 1 ? n : low + n / nthreads;
    for (int pass = 0; pass < 4; pass++) {
        uint32_t *from = keys[pass % 2], *to = keys[1 - pass % 2];
        count_digits(from, low, high, pass * 4, me);
        barrier_wait();
        if (me == 0)
            place_digits();
        barrier_wait();
        move_keys(from, to, low, high, pass * 4, me);
        barrier_wait();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    n = argument(argc, argv, 2, 4096, nthreads, MAX);
    uint32_t seed = 3;
    for (int i = 0; i < n; i++)
        keys[0][i] = next_random(&seed) & 0xffff;
    run_threads(work);
    for (int i = 1; i < n; i++)
        if (keys[0][i - 1] > keys[0][i])
            abort();
    printf("%u %u\n", keys[0][0], keys[0][n - 1]);
    return 0;
}
