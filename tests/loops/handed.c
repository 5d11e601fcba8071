/* Values that go from one iteration to the next in a register, beside loads of other things in the same line.
 */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { COUNT = 400 };
static int ga[COUNT + 16], gb[COUNT + 16], gv[COUNT + 16], gw[COUNT + 16];
static double da[COUNT + 16], db[COUNT + 16], dv[COUNT + 16], dw[COUNT + 16];

ALONE void handed_on(int *restrict w, int *restrict a, const int *restrict b, const int *restrict v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        w[i] = a[i] + b[i];
        a[i + 1] = v[i];
    }
}
ALONE void handed_on_global(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        gw[i] = ga[i] + gb[i];
        ga[i + 1] = gv[i];
    }
}
ALONE void handed_on_names(int *x, int n)
{
    int *p = x, *q = x + 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        gw[i] = p[i] + gb[i];
        q[i] = gv[i];
    }
}
#ifdef __clang__
#define TWICE _Pragma("clang loop unroll_count(2)")
#else
#define TWICE _Pragma("GCC unroll 2")
#endif
ALONE void handed_on_names_twice(int *x, int n)
{
    int *p = x, *q = x + 1;
    TWICE for (int i = 0; i < n; i++) /* loop: no */
    {
        gw[i] = p[i] + gb[i];
        q[i] = gv[i];
    }
}
ALONE void handed_on_late(int *restrict w, int *restrict a, const int *restrict b, const int *restrict v,
                          int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x = v[i];
        w[i] = a[i] * b[i];
        a[i + 1] = x;
    }
}
ALONE void handed_on_sum(double *restrict w, double *restrict a, const double *restrict b,
                         const double *restrict v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        w[i] = a[i] + b[i];
        a[i + 1] = v[i] * 2;
    }
}
ALONE void handed_on_two(double *restrict w, double *restrict a, const double *restrict v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        w[i] = a[i] + v[i];
        a[i + 2] = v[i + 1];
    }
}
ALONE void counted(int *restrict a, const int *restrict b, int *restrict w, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        w[i] = a[i] + b[i];
        a[i + 1] = i;
    }
}
ALONE void same_each(int *restrict a, const int *restrict b, int *restrict w, int n, int k)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        w[i] = a[i] + b[i];
        a[i + 1] = k;
    }
}
ALONE void two_of_line(double *restrict a, const double *restrict b, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        a[i] = a[i - 1] + b[i] + b[i - 1];
}
ALONE void struct_part(int n)
{
    struct {
        int before, sum;
    } s = {0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        gw[i] = s.before + gb[i];
        s.before = gv[i];
    }
    keep(s.before);
}
ALONE void array_part(int n)
{
    int s[2] = {0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        gw[i] = s[0] + gb[i];
        s[0] = gv[i];
    }
    keep(s[0]);
}
ALONE void array_turned(int n)
{
    int s[2] = {0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        gw[i] = s[i & 1] + gb[i];
        s[1 - (i & 1)] = gv[i];
    }
    keep(s[0]);
}
ALONE void behind_pointer(int *last, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        gw[i] = *last;
        *last = gv[i];
    }
}
ALONE void neighbours(double *restrict w, const double *restrict v, int n)
{
    for (int i = 1; i < n; i++) /* loop: parallel */
        w[i] = v[i - 1] + v[i] + v[i + 1];
}
ALONE void neighbours_global(int n)
{
    for (int i = 1; i < n; i++) { /* loop: parallel */
        dw[i] = dv[i - 1] + dv[i + 1];
        db[i] = dv[i];
    }
}
ALONE void ahead(double *restrict a, const double *restrict b, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = a[i + 1] + b[i];
}
ALONE void row_by_row(double (*g)[20], double (*h)[20])
{
    for (int i = 1; i < 19; i++)     /* loop: parallel */
        for (int j = 1; j < 19; j++) /* loop: parallel */
            h[i][j] = g[i][j - 1] + g[i][j] + g[i][j + 1] + g[i - 1][j];
}

/* In vectors of two, what one round stores is what the next one looks at; the odd one left over loads it. */
static struct {
    float *x, *y, *z;
} parts;
ALONE void handed_on_vectors(float by, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        parts.x[1 + i] = parts.z[5 + 2 * i] + parts.y[2 + i];
        parts.y[4 + i] *= by;
    }
}

int main(int argc, char **argv)
{
    static double g[20][20], h[20][20];
    int n = COUNT - 3 + argc;
    for (int i = 0; i < COUNT; i++) { /* loop: parallel */
        ga[i] = i * 37 % 101;
        gb[i] = i % 7;
        gv[i] = i % 11;
        da[i] = i % 17 * 0.25;
        db[i] = 1 + i % 3;
        dv[i] = i % 5;
        g[i / 20][i % 20] = i % 13;
    }
    handed_on(gw, ga, gb, gv, n);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    handed_on_global(n);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    handed_on_names(ga, n);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    handed_on_names_twice(ga, n);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    handed_on_late(gw, ga, gb, gv, n);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    handed_on_sum(dw, da, db, dv, n);
    digest(dw, sizeof dw), digest(da, sizeof da);
    handed_on_two(dw, da, dv, n);
    digest(dw, sizeof dw), digest(da, sizeof da);
    counted(ga, gb, gw, n);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    same_each(ga, gb, gw, n, argc);
    digest(gw, sizeof gw), digest(ga, sizeof ga);
    two_of_line(da, db, n);
    struct_part(n);
    digest(gw, sizeof gw);
    array_part(n);
    digest(gw, sizeof gw);
    array_turned(n);
    digest(gw, sizeof gw);
    behind_pointer(calloc(1, sizeof(int)), n);
    digest(gw, sizeof gw);
    neighbours(dw, dv, n);
    digest(dw, sizeof dw);
    neighbours_global(n);
    digest(dw, sizeof dw), digest(db, sizeof db);
    ahead(da, db, n);
    digest(da, sizeof da);
    row_by_row(g, h);
    digest(h, sizeof h);
    parts.x = calloc(64, sizeof(float)), parts.y = calloc(64, sizeof(float)),
    parts.z = calloc(64, sizeof(float));
    for (int i = 0; i < 64; i++) /* loop: parallel */
        parts.y[i] = (float)(i % 9), parts.z[i] = (float)(i % 5);
    handed_on_vectors(0.5f, 6 + argc);
    digest(parts.x, 64 * sizeof(float));
    return finish();
}
