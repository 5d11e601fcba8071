/* A tree of arrivals and a flag that turns, by hand, between steps of a relaxation. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { SIDE = 48, STEPS = 24, MOST = 64 };
static double grid[2][SIDE + 2][SIDE + 2];
static struct {
    _Alignas(64) atomic_int arrived;
} node[MOST];
static atomic_int sense;
static int n;
static void meet(int me, int turn)
{
    int children = (2 * me + 1 < n) + (2 * me + 2 < n);
    while (atomic_load_explicit(&node[me].arrived, memory_order_acquire) < children * (turn + 1))
        ;
    if (me) {
        atomic_fetch_add_explicit(&node[(me - 1) / 2].arrived, 1, memory_order_acq_rel);
        while (atomic_load_explicit(&sense, memory_order_acquire) <= turn)
            ;
    } else
        atomic_store_explicit(&sense, turn + 1, memory_order_release);
}
static void *work(void *arg)
{
    int me = (int)(long)arg, from = 1 + SIDE * me / n, to = 1 + SIDE * (me + 1) / n;
    for (int s = 0; s < STEPS; s++) {
        double(*a)[SIDE + 2] = grid[s % 2], (*b)[SIDE + 2] = grid[1 - s % 2];
        for (int i = from; i < to; i++)
            for (int j = 1; j <= SIDE; j++)
                b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
        meet(me, s);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n = argc > 1 ? atoi(argv[1]) : 4;
    for (int i = 0; i < SIDE + 2; i++)
        grid[0][0][i] = grid[1][0][i] = i;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    double sum = 0;
    for (int i = 1; i <= SIDE; i++)
        for (int j = 1; j <= SIDE; j++)
            sum += grid[STEPS % 2][i][j];
    printf("%.6f\n", sum);
}
