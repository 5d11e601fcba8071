/* Sums that compilers keep in registers, and put aside, where the pointers of a function lead to blocks of
 * their own; and the same functions where one of these leads to what is written. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { WIDE = 20, FEW = 5, L = 200 };
static double cube[L][FEW], other[L][FEW];
static double v[L + 8], w[L + 8], x[L + 8], y[WIDE], z[WIDE], m[WIDE][WIDE];

/* called with blocks of their own alone */
ALONE void squares(int n, double *sums, double (*from)[FEW])
{
    for (int k = 0; k < n; k++) /* loop: reduction */
        for (int i = 0; i < FEW; i++)
            sums[i] = sums[i] + from[k][i] * from[k][i];
}
ALONE void turned(int n, const double (*a)[WIDE], const double *by, double *to)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        for (int j = 0; j < WIDE; j++)
            to[j] += a[i][j] * by[i];
}
/* the element before is looked at by another name, of the same block */
ALONE void squares_of_sums(int n, double *sums, const double *from)
{
    for (int k = 0; k < n; k++) /* loop: no */
        for (int i = 0; i < FEW; i++)
            sums[i] = sums[i] + from[i] * 0.125;
}
/* put into two callers, one of which goes on from what the iteration before has left */
static inline __attribute__((always_inline)) void after(int n, double *to, const double *from)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] = from[i] * 0.5 + i;
}
ALONE void after_others(int n)
{
    after(n, v + 1, w);
    after(n, v + 2, x);
}
ALONE void after_itself(int n)
{
    after(n, x + 1, x);
}
static inline __attribute__((always_inline)) void beside(int n, double *to, const double *from)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = from[i] * 0.5 + i;
}
ALONE void beside_others(int n)
{
    beside(n, v + 1, w);
    beside(n, v + 1, x);
}
/* now into another block, and now into the same */
ALONE void now_and_then(int n, double *to, const double *from)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = from[i - 1] * 0.5 + 1;
}
/* edges in front, as an image has them: what is loaded for one pixel serves the next */
ALONE void blurred(int rows, int n, const double *from, double *to)
{
    for (int r = 1; r < rows - 1; r++)  /* loop: parallel */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            to[r * n + i] =
                from[r * n + i - 1] + from[r * n + i] * 2 + from[r * n + i + 1] + from[r * n + i - n];
}
ALONE void blurred_in_place(int rows, int n, const double *from, double *to)
{
    for (int r = 1; r < rows - 1; r++)  /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: no */
            to[r * n + i] =
                from[r * n + i - 1] + from[r * n + i] * 2 + from[r * n + i + 1] + from[r * n + i - n];
}
int main(int argc, char **argv)
{
    (void)argv;
    double sums[FEW] = {0}, more[FEW] = {1, 2, 3, 4, 5}, *image = calloc(L, 8), *copy = calloc(L, 8);
    int n = L + 1 - argc;
    for (int i = 0; i < L; i++) {
        v[i] = w[i] = x[i] = image[i] = i % 7;
        for (int k = 0; k < FEW; k++)
            cube[i][k] = other[i][k] = (i + k) % 5;
    }
    for (int i = 0; i < WIDE; i++)
        for (int j = 0; j < WIDE; j++)
            m[i][j] = i - j;
    squares(n, sums, cube);
    squares(n, sums, other);
    turned(WIDE, (const double(*)[WIDE])m, w, y);
    squares_of_sums(n, more, more);
    after_others(n);
    after_itself(n);
    beside_others(n);
    now_and_then(n, v, w);
    now_and_then(n, w, w);
    now_and_then(n, v, x);
    blurred(10, L / 10, image, copy);
    blurred_in_place(10, L / 10, image, image);
    turned(WIDE, (const double(*)[WIDE])m, x, z);
    digest(v, sizeof v), digest(w, sizeof w), digest(x, sizeof x), digest(y, sizeof y), digest(z, sizeof z);
    digest(sums, sizeof sums), digest(more, sizeof more), digest(image, L * sizeof *image),
        digest(copy, L * sizeof *copy);
    free(image), free(copy);
    return finish();
}
