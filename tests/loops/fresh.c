/* Blocks that a function has allocated: each pointer that never gets anything else leads to its own, and
 * nobody else's pointer does. And declarations at the top of a function, as old C has them. */
#include "loops.h"

static double a[N];
static int t[N];
static double *kept;

struct atom {
    double v, x, y, z;
};
struct box {
    long offset;
    int n, near[4];
};

KERNEL(allocated)
{
    double *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
    double *w = calloc((size_t)n, sizeof *w);
    for (int i = 0; i < n; i++) { /* loop: parallel */
        x[i] = i * .5;
        w[i] = 1;
    }
    for (int i = 0; i < n; i++) { /* loop: parallel */
        y[i] = x[i];
        w[i] = 1 / (double)n;
    }
    for (int i = 1; i < n; i++) /* loop: parallel */
        x[i] = y[i - 1] + w[i];
    digest(x, sizeof *x * (size_t)n), digest(y, sizeof *y * (size_t)n);
    free(x), free(y), free(w);
}
static __attribute__((noinline)) void beside_given(double *to, const double *from, int n)
{
    double *own = malloc(sizeof *own * (size_t)n);
    for (int i = 0; i < n; i++) /* loop: parallel */
        own[i] = from[i];
    for (int i = 0; i < n - 1; i++) /* loop: parallel */
        to[i] = own[i + 1] * 2;
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = own[i];
    free(own);
}
KERNEL(another_name)
{
    int *x = malloc(sizeof *x * (size_t)n), *y = x;
    x[0] = 3;
    for (int i = 1; i < n; i++) /* loop: no */
        x[i] = y[i - 1] + 1;
    keep(x[n - 1]);
    free(x);
}
KERNEL(one_or_the_other)
{
    int *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n), *from = n > 3 ? x : y;
    x[0] = y[0] = 3;
    for (int i = 1; i < n; i++) /* loop: no */
        x[i] = from[i - 1] + 1;
    keep(x[n - 1]);
    free(x), free(y);
}
KERNEL(set_again)
{
    int *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
    free(y);
    y = x;
    x[0] = 3;
    for (int i = 1; i < n; i++) /* loop: no */
        y[i] = x[i - 1] ^ 1;
    keep(x[n - 1]);
    free(x);
}
KERNEL(set_by_address)
{
    int *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n), **which = &y, *was = y;
    *which = x;
    x[0] = 3;
    for (int i = 1; i < n; i++) /* loop: no */
        y[i] = x[i - 1] + 2;
    keep(x[n - 1]);
    free(x), free(was);
}
KERNEL(kept_elsewhere)
{
    double *x = malloc(sizeof *x * (size_t)n);
    kept = x;
    x[0] = 2.5;
    for (int i = 1; i < n; i++) /* loop: no */
        x[i] = kept[i - 1];
    keep(x[n - 1]);
    free(x);
}
KERNEL(rows)
{
    int m = side(n);
    double **x = malloc(sizeof *x * (size_t)m), *all = malloc(sizeof *all * (size_t)(m * m));
    for (int i = 0; i < m; i++) /* loop: parallel */
        x[i] = all;
    all[0] = 1.5;
    for (int i = 0; i < m; i++)     /* loop: no */
        for (int j = 1; j < m; j++) /* loop: no */
            x[i][j] = all[j - 1];
    keep(all[m - 1]);
    free(all), free(x);
}
static __attribute__((noinline)) void declared_above(const struct box *b, int n, struct atom *r,
                                                     const double *q, struct atom *f)
{
    int i, j, k, l, other;
    long first, next;
    struct atom *rA, *rB;
    struct atom *fA;
    const double *qB;
    double r2, e;
    struct atom d;
    for (l = 0; l < n; l++) { /* loop: reduction */
        first = b[l].offset;
        rA = &r[first];
        fA = &f[first];
        for (k = 0; k < 1 + b[l].n; k++) {
            if (k == 0)
                other = l;
            else
                other = b[l].near[k - 1];
            next = b[other].offset;
            rB = &r[next];
            qB = &q[next];
            for (i = 0; i < 8; i++) {     /* loop: private */
                for (j = 0; j < 8; j++) { /* loop: reduction */
                    r2 = rA[i].v + rB[j].v;
                    e = 1 / (1 + r2 * r2);
                    d.x = rA[i].x - rB[j].x;
                    fA[i].v += qB[j] * e;
                    fA[i].x += qB[j] * d.x;
                }
            }
        }
    }
}
static __attribute__((noinline)) void rows_above(double *to, const double *from, int m)
{
    int i, j;
    const double *row;
    double *out;
    for (i = 1; i < m; i++) { /* loop: private */
        row = &from[i * m];
        out = &to[i * m];
        for (j = 0; j < m; j++) /* loop: parallel */
            out[j] = row[j] - row[j - m];
    }
}
static __attribute__((noinline)) void multiplied(double *c, const double *b, int m)
{
    int i, j, k;
    const double *row;
    double x;
    for (i = 0; i < m; i++) { /* loop: private */
        for (k = 0; k < 4; k++) {
            row = &b[k * m];
            x = b[i * m + k];
            for (j = 0; j < m; j++) /* loop: parallel */
                c[i * m + j] += x * row[j];
        }
    }
}
static __attribute__((noinline)) void one_of_two(double *to, const double *even, const double *odd, int m)
{
    int i, j;
    const double *row;
    for (i = 0; i < m; i++) { /* loop: private */
        if (i & 1)
            row = odd;
        else
            row = even;
        for (j = 0; j < m; j++) /* loop: parallel */
            to[i * m + j] = row[j] * i;
    }
}
static __attribute__((noinline)) void the_one_before(double *to, const double *even, int m)
{
    int i, j;
    const double *row = even;
    for (i = 0; i < m; i++) { /* loop: no */
        if (i % 3 == 1)
            row = to;
        for (j = 0; j < m; j++) /* loop: parallel */
            to[(i + 1) * m + j] = row[j] * i;
    }
}
static __attribute__((noinline)) void rows_that_meet(double *to, int m)
{
    int i, j;
    double *row, *above;
    for (i = 1; i < m; i++) { /* loop: no */
        row = &to[i * m];
        above = row - m;
        for (j = 0; j < m; j++) /* loop: parallel */
            row[j] += above[j];
    }
}
static __attribute__((noinline)) void row_of_before(double *to, int m)
{
    int i, j;
    double *row = to;
    for (i = 1; i < m; i++) {   /* loop: no */
        for (j = 0; j < m; j++) /* loop: parallel */
            row[j] += i;
        row = &to[i * m];
    }
}
/* A number that tells where a pointer leads, and one that it leads to. */
KERNEL(which)
{
    int at = n / 2, *p = &t[at];
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        p[i] = t[i] + at;
}
KERNEL(leads_there)
{
    int at = 1, *p = &at, *q = &at;
    for (int i = 0; i < n; i++) { /* loop: no */
        t[i] = *q;
        *p = (int)a[i];
    }
    keep(at);
}

int main(int argc, char **argv)
{
    int n = N * argc, m = side(n), boxes = n / 8;
    static struct box b[N];
    static struct atom r[N], f[N];
    static double x[N];
    for (int i = 0; i < n; i++) {
        r[i].v = r[i].x = i % 7, x[i] = a[i] = i * .5, t[i] = i;
        b[i].offset = i % boxes * 8, b[i].n = 4;
        for (int k = 0; k < 4; k++)
            b[i].near[k] = (i + k) % boxes;
    }
    allocated(n), beside_given(x, a, n), digest(x, sizeof x), another_name(n), one_or_the_other(n),
        set_again(n);
    set_by_address(n), kept_elsewhere(n), rows(n);
    declared_above(b, boxes, r, x, f), digest(f, sizeof f), rows_above(a, x, m), digest(a, sizeof a);
    multiplied(a, x, m), digest(a, sizeof a), one_of_two(a, x, x + m, m), digest(a, sizeof a),
        the_one_before(a, x, m - 1), digest(a, sizeof a);
    rows_that_meet(a, m), row_of_before(a, m), digest(a, sizeof a);
    which(n), leads_there(n), digest(t, sizeof t);
    (void)argv;
    return finish();
}
