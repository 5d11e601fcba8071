/* Matrix multiplication, rows dealt out to threads: matmul [THREADS [SIZE]].
 * The cause to find: a barrier after every row, where one at the end would do. The threads' rows take
 * different times (the matrix is sparse in places), so most of the time goes into barrier_wait's loop. FIXED:
 * the barrier is where it belongs. */
#include "threads.h"

enum { MAX = 128 };
static int n;
static int a[MAX][MAX], b[MAX][MAX], c[MAX][MAX];

__attribute__((noinline)) static void multiply_row(int i)
{
    const int size = n;
    for (int j = 0; j < size; j++)
        c[i][j] = 0;
    for (int k = 0; k < size; k++) {
        int f = a[i][k];
        if (f == 0)
            continue; /* rows differ in how much there is to do */
        for (int j = 0; j < size; j++)
            c[i][j] += f * b[k][j];
    }
}

static void *work(void *arg)
{
    int me = (int)(long)arg;
    for (int i = me; i < n; i += nthreads) {
        multiply_row(i);
#ifndef FIXED
        barrier_wait(); /* nobody needs this row yet */
#endif
    }
    barrier_wait();
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    n = argument(argc, argv, 2, 48, nthreads, MAX);
    n -= n % nthreads; /* everyone has the same number of rows */
    uint32_t seed = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int full = (i / nthreads + i) % nthreads ==
                       0; /* in turn, one thread's row is full and the others' are sparse */
            a[i][j] = full || next_random(&seed) % 8 == 0 ? (int)(next_random(&seed) % 9) + 1 : 0;
            b[i][j] = (int)(next_random(&seed) % 10);
        }
    run_threads(work);
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += (long)c[i][j] * (i + 1);
    printf("%ld\n", sum);
    return 0;
}
