/* LU factorisation without pivoting, columns dealt out to threads: lu [THREADS [SIZE]].
 * The cause to find: init_matrix runs in every thread, each writing the whole matrix, with all the others writing the same lines at the same
 * time. FIXED: every thread sets the rows it will work on. */
#include "threads.h"

enum { MAX = 128 };
static int n;
static float a[MAX][MAX];

__attribute__((noinline)) static void init_matrix(int me)
{
#ifdef FIXED
    for (int i = me; i < n; i += nthreads)
#else
    (void)me;
    for (int i = 0; i < n; i++)
#endif
    {
        uint32_t seed = (uint32_t)i * 77 + 5;
        for (int j = 0; j < n; j++)
            a[i][j] = (float)(next_random(&seed) % 100) + (i == j ? 1000 : 1);
    }
}

__attribute__((noinline)) static void eliminate(int k, int me)
{
    for (int i = k + 1; i < n; i++) {
        if (i % nthreads != me)
            continue;
        float f = a[i][k] / a[k][k];
        a[i][k] = f;
        for (int j = k + 1; j < n; j++)
            a[i][j] -= f * a[k][j];
    }
}

static void *work(void *arg)
{
    int me = (int)(long)arg;
    init_matrix(me);
    barrier_wait();
    for (int k = 0; k < n - 1; k++) {
        eliminate(k, me);
        barrier_wait();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    n = argument(argc, argv, 2, 40, 2, MAX);
    run_threads(work);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i][i];
    printf("%.3f\n", sum);
    return 0;
}
