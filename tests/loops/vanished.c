/* Loops that read memory in a line for which optimised code has no load, or which is stored to by more
 * instructions than the source has stores: what is free, and beside it what looks alike and needs its order.
 */
#include "loops.h"
#include <string.h>
#define ALONE static __attribute__((noinline))

enum { W = 24, COUNT = 160, PARTS = 4 };
static int a[COUNT + 16], b[COUNT + 16], c[COUNT + 16], flat[(W + 2) * (W + 2)], cost[(W + 2) * (W + 2)];
static int square[W][W], other[W][W], cube[2][W][W];
static double p[2][COUNT], q[3][COUNT];

/* --- arrays that memset and memcpy set, by several instructions --- */
ALONE int counted_anew(int n)
{
    int seen[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: private */
        memset(seen, 0, sizeof seen);
        for (int k = 0; k < 8; k++)
            seen[b[i + k] & 15]++;
        c[i] = seen[3];
    }
    return seen[4] + seen[5];
}
ALONE int set_anew(int n)
{
    int mark[32];
    mark[3] = mark[9] = 0;
    for (int i = 0; i < n; i++) { /* loop: private */
        memset(mark, 0, sizeof mark);
        mark[b[i] & 31] = i;
        mark[b[i + 1] & 31] += 2;
        c[i] = mark[3] + mark[17];
    }
    return mark[9];
}
ALONE int copied_anew(int n)
{
    int row[8];
    row[2] = 0;
    for (int i = 0; i < n; i++) { /* loop: private */
        memcpy(row, &a[i], sizeof row);
        row[b[i] & 7] = i;
        c[i] = row[5];
    }
    return row[2];
}
ALONE int never_emptied(int n)
{
    int seen[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        for (int k = 0; k < 8; k++)
            seen[b[i + k] & 15]++;
        c[i] = seen[3];
    }
    return seen[4] + seen[5];
}
ALONE int half_emptied(int n)
{
    int seen[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        memset(seen, 0, sizeof seen / 2);
        for (int k = 0; k < 8; k++)
            seen[b[i + k] & 15]++;
        c[i] = seen[12];
    }
    return seen[4] + seen[5];
}
ALONE int emptied_too_late(int n)
{
    int seen[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        c[i] = seen[3];
        memset(seen, 0, sizeof seen);
        for (int k = 0; k < 8; k++)
            seen[b[i + k] & 15]++;
    }
    return seen[4];
}
ALONE int handed_on_beside(int n)
{
    int seen[16];
    seen[4] = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        /* clang-format off */
        memset(seen, 0, sizeof seen); a[i + 1] = a[i] + 3;
        /* clang-format on */
        seen[b[i] & 15]++;
        c[i] = seen[3];
    }
    return seen[4];
}
ALONE int handed_on_below(int n)
{
    int seen[16];
    seen[4] = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        memset(seen, 0, sizeof seen);
        a[i + 4] = a[i] + 3;
        seen[b[i] & 15]++;
        c[i] = seen[3];
    }
    return seen[4];
}
ALONE void rows_by_memcpy(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memcpy(&a[i + 1], &a[i], sizeof a[0]);
}
ALONE void pairs_by_memcpy(int n)
{
    int two[2];
    for (int i = 0; i < n; i++) { /* loop: no */
        memcpy(two, &a[i], sizeof two);
        a[i + 2] = two[0] + two[1];
    }
}

/* --- diagonals: two subscripts together tell iterations apart, and neither alone --- */
ALONE void diagonals(int n)
{
    for (int d = 2; d < 2 * n - 1; d++)                               /* loop: no */
        for (int i = d < n ? 1 : d - n + 1; i < (d < n ? d : n); i++) /* loop: parallel */
            square[i][d - i] = square[i - 1][d - i] * 5 + square[i][d - i - 1] * 3;
}
ALONE void diagonals_down(int n)
{
    for (int d = 2; d < n; d++)     /* loop: no */
        for (int i = 1; i < d; i++) /* loop: parallel */
            square[i][d - i] = square[i - 1][d - i] + square[i - 1][d - i - 1] + square[i][d - i - 1];
}
/* on the diagonal itself an iteration needs the one before */
ALONE void along_diagonal(int n)
{
    for (int d = 2; d < n; d++)     /* loop: parallel */
        for (int i = 1; i < d; i++) /* loop: no */
            square[i][d - i] = square[i - 1][d - i + 1] + 1;
}
ALONE void along_other(int n)
{
    for (int d = 0; d < 4; d++)         /* loop: parallel */
        for (int i = 1; i < n - d; i++) /* loop: no */
            square[i][i + d] = square[i - 1][i + d - 1] + 1;
}
/* a column to the left of the first is the last of the row before */
ALONE void beyond_row(int n)
{
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 0; j < W; j++) /* loop: no */
            square[i][j] = square[i][j - 1] + 1;
}
/* the same by bounds that were computed before, in one row after the other */
ALONE void aligned(int n, const int *v, int *m)
{
    for (int d = 2; d <= 2 * n; d++) { /* loop: no */
        int low = d - n > 1 ? d - n : 1, high = d - 1 < n ? d - 1 : n;
        for (int i = low; i <= high; i++) { /* loop: parallel */
            int j = d - i, best = m[(i - 1) * (n + 1) + j - 1] + v[j];
            int up = m[(i - 1) * (n + 1) + j] - 1, left = m[i * (n + 1) + j - 1] - 1;
            best = best > up ? best : up;
            m[i * (n + 1) + j] = best > left ? best : left;
        }
    }
}
/* each needs the one before it on the same diagonal */
ALONE void misaligned(int n, int *m)
{
    for (int d = 2; d <= 2 * n; d++) { /* loop: parallel */
        int low = d - n > 1 ? d - n : 1, high = d - 1 < n ? d - 1 : n;
        for (int i = low; i <= high; i++) { /* loop: no */
            int j = d - i;
            m[i * (n + 1) + j] = m[(i - 1) * (n + 1) + j + 1] + 1;
        }
    }
}
ALONE void wide_table(int *t, int n)
{
    int m = n + 1;
    for (int i = 0; i < n; i++)        /* loop: no */
        for (int k = 0; k <= i; k++) { /* loop: parallel */
            int at = (k + 1) * m + (i + 1 - k);
            t[at] = t[at - 1 - m] + t[at - 1] * 3 - t[at - m];
        }
}

/* --- what lies below the diagonal is read above it --- */
ALONE void mirrored(int n)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < i; j++) /* loop: parallel */
            other[i][j] = other[j][i] + 1;
}
ALONE void mirrored_up(int n)
{
    for (int i = 0; i < n - 1; i++)     /* loop: parallel */
        for (int j = i + 1; j < n; j++) /* loop: parallel */
            other[j][i] = other[i][j];
}
ALONE void turned_over(int n)
{
    for (int i = 0; i < n; i++)         /* loop: no */
        for (int j = 0; j < n - 1; j++) /* loop: parallel */
            other[i][j] = other[j][i] + 1;
}
ALONE void beside_mirror(int n)
{
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 0; j < i; j++) /* loop: no */
            other[i][j] = other[i - 1][j] + other[i][j > 0 ? j - 1 : j];
}

/* --- halves that steps take by turns --- */
ALONE void by_parity(int steps, int n)
{
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            p[(t + 1) & 1][i] = p[t & 1][i - 1] + p[t & 1][i + 1] + i;
}
ALONE void by_rest(int steps, int n)
{
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            p[(t + 1) % 2][i] = p[t % 2][i - 1] + p[t % 2][i + 1] + i;
}
ALONE void by_three(int steps, int n)
{
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            q[(t + 2) % 3][i] = q[(t + 1) % 3][i - 1] + q[(t + 1) % 3][i + 1] - q[t % 3][i];
}
ALONE void by_turning(int steps, int n)
{
    int now = 0;
    for (int t = 0; t < steps; t++) {   /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            p[now ^ 1][i] = p[now][i - 1] + p[now][i + 1];
        now ^= 1;
    }
}
ALONE void by_not(int steps, int n)
{
    int now = 0;
    for (int t = 0; t < steps; t++) {   /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            p[!now][i] = p[now][i - 1] + p[now][i + 1];
        now = !now;
    }
}
ALONE void in_one_half(int steps, int n)
{
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: no */
            p[(t + 2) & 1][i] = p[t & 1][i - 1] + p[t & 1][i + 1] + i;
}
ALONE void in_one_third(int steps, int n)
{
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: no */
            q[(t + 3) % 3][i] = q[t % 3][i - 1] + q[(t + 1) % 3][i + 1];
}
ALONE void planes(int steps, int n)
{
    for (int t = 0; t < steps; t++)         /* loop: no */
        for (int i = 1; i < n - 1; i++)     /* loop: parallel */
            for (int j = 1; j < n - 1; j++) /* loop: parallel */
                cube[(t + 1) % 2][i][j] = cube[t % 2][i - 1][j] + cube[t % 2][i + 1][j] +
                                          cube[t % 2][i][j - 1] + cube[t % 2][i][j + 1];
}

/* --- pointers into objects that the loop was not seen to write, and into one that it does --- */
static double from[COUNT + 8], into[COUNT + 8], more[COUNT + 8], one[COUNT + 8], two[COUNT + 8];
static double scale = 0.5;
struct pair {
    double re, im;
};
static struct pair left[COUNT], right[COUNT];
struct setting {
    double scale;
};
static struct setting settings = {0.25};
ALONE void smoothed(const double *v, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: parallel */
        to[i] = (v[i - 1] + v[i] + v[i + 1]) * 0.25;
}
ALONE void smoothed_twice(const double *v, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) { /* loop: parallel */
        double a0 = v[i - 1] + w[i], b0 = v[i] - w[i + 1];
        to[i] = a0 * b0 + v[i + 1] - w[i - 1];
    }
}
ALONE void polynomials(const double *v, const double *w, double *to, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double s = 0;
        for (int k = 3; k >= 0; k--)
            s = s * v[i] + w[k];
        to[i] = s;
    }
}
ALONE void turned(struct pair *v, struct pair *w, const double *by, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        v[i].re *= by[i];
        v[i].im *= by[i];
        w[i] = v[i];
    }
}
ALONE void medians(const double *v, double *to, int n)
{
    for (int i = 1; i < n; i++) { /* loop: parallel */
        double x = v[i - 1], y = v[i], z = v[i + 1];
        if (x > y)
            x = v[i], y = v[i - 1];
        to[i] = z < x ? x : z > y ? y : z;
    }
}
/* the same array by two names: what it has read it has written */
ALONE void after_itself(const double *v, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = (v[i - 1] + v[i]) * 0.25;
}
ALONE void before_itself(const double *v, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = (v[i] + v[i + 1]) * 0.25;
}
ALONE void now_and_then(const double *v, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = (v[i - 1] + v[i] + v[i + 1]) * 0.125;
}
ALONE void one_of_both(const double *v, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = v[i] + v[i + 1] + w[i - 1] * 0.5;
}
ALONE void other_of_both(const double *v, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = v[i] + w[i - 1] * scale;
}
ALONE void with_setting(const struct setting *s, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = w[i - 1] * s->scale + 1;
}
ALONE void with_both(const struct setting *s, const double *v, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = w[i - 1] * s->scale + v[i] + v[i - 1];
}
ALONE void three_names(const double *u, const double *v, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = u[i] + v[i - 1] + w[i - 1] * 0.5;
}
ALONE void by_rows(double *const *rows, double *to, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        const double *row = rows[i & 3];
        to[i] = row[i - 1] + row[i] * 0.5;
    }
}
ALONE void going_on(const double *v, const double *w, double *to, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        to[i] = v[0] + w[i];
        v = to + i;
    }
}
ALONE void pairs_shifted(struct pair *v, struct pair *w, const double *by, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i].re *= by[i];
        v[i].im *= by[i] + 1;
        w[i] = v[i];
    }
}

static void pointers(void)
{
    for (int i = 0; i < COUNT + 8; i++)
        from[i] = rand() % 50, into[i] = rand() % 50, more[i] = rand() % 50, one[i] = two[i] = rand() % 5;
    for (int i = 0; i < COUNT; i++)
        left[i] = right[i] = (struct pair){rand() % 5, rand() % 7};
    double *rows[4] = {from, more, one, into};
    smoothed(from, into, COUNT);
    smoothed_twice(from, more, into, COUNT);
    polynomials(from, more, one, COUNT);
    turned(left, right, from, COUNT - 1);
    medians(from, into, COUNT);
    after_itself(into, into, COUNT);
    before_itself(into, into, COUNT);
    now_and_then(from, one, COUNT);
    now_and_then(one, one, COUNT);
    one_of_both(from, two, two, COUNT);
    other_of_both(from, two, two, COUNT);
    with_setting(&settings, two, two, COUNT);
    with_both(&settings, from, two, two, COUNT);
    three_names(from, from, two, two, COUNT);
    by_rows(rows, into, COUNT);
    going_on(from, more, into, COUNT);
    pairs_shifted(left, left + 1, from, COUNT - 1);
}
/* from both ends to the middle, and a little further */
ALONE void reversed(int *t, int n)
{
    for (int i = 0; i < n / 2; i++) { /* loop: parallel */
        int x = t[i];
        t[i] = t[n - 1 - i];
        t[n - 1 - i] = x;
    }
}
ALONE void second_half(int n)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        p[0][i] = p[0][n - 1 - i] * 0.5;
}
ALONE void short_of_end(int n)
{
    for (int i = 0; i < n / 2; i++) /* loop: no */
        p[1][i] = p[1][n - 4 - i] * 0.5 + 1;
}
ALONE void past_middle(int n)
{
    for (int i = 0; i < n / 2 + 2; i++) /* loop: no */
        q[0][i] = q[0][n - 1 - i] * 0.5 + 1;
}
ALONE void from_third(int n)
{
    for (int i = 0; i < n / 2; i++) /* loop: no */
        q[1][i] = q[1][n / 2 + 1 - i] * 0.5 + 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    const int steps = 5 + argc; /* no number that compilers see */
    srand(4);
    for (int i = 0; i < COUNT + 16; i++)
        a[i] = rand() % 100, b[i] = rand() % 64;
    for (int i = 0; i < (W + 2) * (W + 2); i++)
        flat[i] = rand() % 9, cost[i] = rand() % 9;
    for (int i = 0; i < W * W; i++)
        square[i / W][i % W] = rand() % 9, other[i / W][i % W] = rand() % 9;
    int sum = counted_anew(COUNT) + set_anew(COUNT) + copied_anew(COUNT) + never_emptied(COUNT);
    sum += half_emptied(COUNT) + emptied_too_late(COUNT) + handed_on_beside(COUNT) + handed_on_below(COUNT);
    rows_by_memcpy(COUNT);
    pairs_by_memcpy(COUNT);
    diagonals(W);
    diagonals_down(W);
    along_diagonal(W);
    along_other(W);
    beyond_row(W);
    aligned(W, b, flat);
    misaligned(W, flat);
    wide_table(cost, W);
    mirrored(W);
    mirrored_up(W);
    turned_over(W);
    beside_mirror(W);
    by_parity(steps, COUNT);
    by_rest(steps, COUNT);
    by_three(steps, COUNT);
    by_turning(steps, COUNT);
    by_not(steps, COUNT);
    in_one_half(steps, COUNT);
    in_one_third(steps, COUNT);
    planes(steps, W);
    pointers();
    reversed(c, COUNT - 1), second_half(COUNT), short_of_end(COUNT), past_middle(COUNT), from_third(COUNT);
    digest(into, sizeof into);
    digest(one, sizeof one);
    digest(two, sizeof two);
    digest(left, sizeof left);
    digest(right, sizeof right);
    digest(a, sizeof a);
    digest(c, sizeof c);
    digest(flat, sizeof flat);
    digest(cost, sizeof cost);
    digest(square, sizeof square);
    digest(other, sizeof other);
    digest(p, sizeof p);
    digest(q, sizeof q);
    digest(cube, sizeof cube);
    return sum == 42;
}
