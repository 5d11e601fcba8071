/* Records that loops copy from one array to another: compilers call memcpy for them. */
#include "loops.h"

enum { SIDE = 12 };
struct complex {
    double re, im;
};
static struct complex *grid, *other;
static volatile int side_ = SIDE; /* known to no compiler */

static __attribute__((noinline)) void turn(struct complex *s, struct complex *t, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        t[i] = (struct complex){s[n - 1 - i].im + s[i].re, s[i].re * 0.5};
    memcpy(s, t, (size_t)n * sizeof *s);
}
static __attribute__((noinline)) void pencils(struct complex *x, int n)
{
    struct complex s[SIDE], t[SIDE];
    for (int k = 0; k < n; k++)       /* loop: private */
        for (int j = 0; j < n; j++) { /* loop: private */
            for (int i = 0; i < n; i++)
                s[i] = x[(k * n + j) * n + i];
            turn(s, t, n);
            for (int i = 0; i < n; i++)
                x[(k * n + j) * n + i] = s[i];
        }
}
static __attribute__((noinline)) int handed_over(struct complex *x, int n)
{
    struct complex s[SIDE], t[SIDE];
    int before = 3, count = 0;
    for (int k = 0; k < n; k++) {     /* loop: no */
        for (int j = 0; j < n; j++) { /* loop: no */
            for (int i = 0; i < n; i++)
                s[i] = x[(k * n + j) * n + i];
            turn(s, t, n);
            count += before & 3;
            for (int i = 0; i < n; i++)
                x[(k * n + j) * n + i].re = s[i].re + before;
            before = (int)s[j].re % 7;
        }
    }
    return count + before;
}
static __attribute__((noinline)) void rows(struct complex *x, int n)
{
    struct complex s[SIDE], t[SIDE];
    for (int k = 1; k < n; k++) { /* loop: no */
        for (int i = 0; i < n; i++)
            s[i] = x[(k - 1) * n + i];
        turn(s, t, n);
        for (int i = 0; i < n; i++)
            x[k * n + i] = s[i];
    }
}
int main(void)
{
    const size_t all = SIDE * SIDE * SIDE;
    grid = calloc(all, sizeof *grid);
    other = calloc(SIDE * SIDE, sizeof *other);
    for (size_t i = 0; i < all; i++)
        grid[i] = (struct complex){(double)(i % 17), (double)(i % 5)};
    for (size_t i = 0; i < SIDE * SIDE; i++)
        other[i] = (struct complex){(double)(i % 13), 1};
    pencils(grid, side_);
    keep(handed_over(grid, side_));
    rows(other, side_);
    digest(grid, all * sizeof *grid);
    digest(other, SIDE * SIDE * sizeof *other);
    return finish();
}
