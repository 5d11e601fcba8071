/* Grids whose last row is treated in another way: a sample of the first rows does not meet it, a later one
 * has to. */
#include <stdio.h>

enum { N = 700, STEPS = 5 };
static double from[N * N], to[N * N], down[N * N];

__attribute__((noinline)) static void average(int n)
{
    for (int r = 0; r < n; r++) /* free: the last row is its own */
        for (int c = 0; c < n; c++)
            if (r == n - 1)
                to[r * n + c] = from[r * n + c] * 0.5;
            else
                to[r * n + c] = from[r * n + c] + from[(r + 1) * n + c];
}

__attribute__((noinline)) static void carry(int n)
{
    for (int r = 0; r < n; r++) /* needs: the last row takes the one before */
        for (int c = 0; c < n; c++)
            if (r == n - 1)
                down[r * n + c] = down[(r - 1) * n + c] * 0.5;
            else
                down[r * n + c] = to[r * n + c] * 2;
}

int main(void)
{
    for (int i = 0; i < N * N; i++)
        from[i] = i % 97;
    for (int s = 0; s < STEPS; s++) { /* needs: iterations longer than a sample */
        average(N);
        carry(N);
    }
    printf("%g %g\n", to[N * N - 1], down[N * N - 1]);
    return 0;
}
