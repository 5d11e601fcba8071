/* LU factorisation of many small matrices without pivoting, rows dealt out to threads: lu [THREADS [SIZE
 * [MATRICES]]]. The cause to find: init_matrix runs in every thread, each writing the whole matrix, with all
 * the others writing the same lines at the same time. FIXED: every thread sets the rows it will work on. */
#include "threads.h"

enum { MAX = 128 };
static int n, matrices;
static float a[MAX][MAX], original[MAX][MAX], lower[MAX][MAX];
static double trace;

__attribute__((noinline)) static void init_matrix(int me, int m)
{
    const int size = n;
#ifdef FIXED
    for (int i = me; i < size; i += nthreads)
#else
    (void)me;
    for (int i = 0; i < size; i++)
#endif
    {
        float value = (float)(1 + (i + m) % 3);
        for (int j = 0; j < size; j++)
            a[i][j] = value;
        for (int j = 0; j < size; j++)
            original[i][j] = value;
        for (int j = 0; j < size; j++)
            lower[i][j] = 0;
        a[i][i] = original[i][i] = (float)(size * 4 + i);
    }
}

__attribute__((noinline)) static void eliminate(int k, int me)
{
    const int size = n, step = nthreads;
    for (int i = k + 1 + (me + step - (k + 1) % step) % step; i < size; i += step) {
        float f = a[i][k] / a[k][k];
        lower[i][k] = f;
        for (int j = k + 1; j < size; j++)
            a[i][j] -= f * a[k][j];
    }
}

static void *work(void *arg)
{
    int me = (int)(long)arg;
    for (int m = 0; m < matrices; m++) {
        init_matrix(me, m);
        barrier_wait();
        for (int k = 0; k < n - 1; k++) {
            eliminate(k, me);
            barrier_wait();
        }
        if (me == 0)
            trace += a[n - 1][n - 1] / original[n - 1][n - 1] + lower[n - 1][0];
        barrier_wait();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    n = argument(argc, argv, 2, 12, 2, MAX);
    matrices = argument(argc, argv, 3, 24, 1, 10000);
    run_threads(work);
    printf("%.3f\n", trace);
    return 0;
}
