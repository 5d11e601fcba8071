/* A five-point stencil over a grid, rows dealt out in stripes: stencil [THREADS [SIZE [STEPS]]].
 * The cause to find: after every barrier all threads clear rows of the next grid at once, in clear_row:
 * bursts of stores that fill the write buffers and then wait for the memory. A larger write buffer helps
 * (--set cache.l1d.write_buffer=16). FIXED: nothing is cleared that will be written anyway. */
#include "threads.h"

enum { MAX = 128 };
static int n, steps;
static int32_t grid[2][MAX][MAX];

__attribute__((noinline, unused)) static void clear_row(int32_t *row)
{
    for (int j = 0, size = n; j < size; j += 4) {
        row[j] = 0;
        row[j + 1] = 0;
        row[j + 2] = 0;
        row[j + 3] = 0;
    }
}

__attribute__((noinline)) static void relax_row(int32_t *to, int32_t (*from)[MAX], int i)
{
    const int last = n - 1;
    int32_t left = from[i][0], here = from[i][1];
    for (int j = 1; j < last; j++) {
        int32_t right = from[i][j + 1], v = here * 4 + from[i - 1][j] + from[i + 1][j] + left + right;
        to[j] = v / 8;
        left = here;
        here = right;
    }
}

static void *work(void *arg)
{
    int me = (int)(long)arg, rows = (n - 2) / nthreads, low = 1 + me * rows,
        high = me == nthreads - 1 ? n - 1 : low + rows;
    for (int s = 0; s < steps; s++) {
        int32_t(*from)[MAX] = grid[s % 2], (*to)[MAX] = grid[1 - s % 2];
        for (int i = low; i < high; i++) {
#ifndef FIXED
            clear_row(to[i]); /* relax_row writes it all */
#endif
            relax_row(to[i], from, i);
        }
        barrier_wait();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    n = argument(argc, argv, 2, 32, 8, MAX) / 4 * 4;
    steps = argument(argc, argv, 3, 16, 1, 1000);
    uint32_t seed = 9;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            grid[0][i][j] = grid[1][i][j] =
                i == 0 || j == 0 || i == n - 1 || j == n - 1 ? 0 : (int32_t)(next_random(&seed) % 1000);
    run_threads(work);
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += (long)grid[steps % 2][i][j] * (j + 1);
    printf("%ld\n", sum);
    return 0;
}
