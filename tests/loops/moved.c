/* What goes from one iteration to the next by way of functions that a compiler puts into the loop, or that
 * set what they get only if something holds; and lines with several loops. */
#include "loops.h"

#define ALONE __attribute__((noinline))
#define EACH(i, n) for (int i = 0; i < (n); i++)
/* clang-format off */
#define BOTH(n) do { for (int i = 0; i < (n); i++) x[i] = y[i]; for (int i = 0; i < (n); i++) x[i + 1] = x[i] * 2; } while (0)
/* clang-format on */

static double x[2 * N], y[2 * N], z[2 * N];
static int ints[2 * N], from[2 * N];
static int common;

static inline void move(double *to, const double *what)
{
    *to = *what + 1;
}
static inline double hand(double *p, double *next)
{
    double r = *p;
    *next = r + 1;
    return r;
}
/* Reads what others have, writes where a parameter leads to: by one, by a part of a struct, by a pointer that
 * lies in an array. */
struct table {
    double *at;
    int n;
};
static inline void pick(int i, struct table t, double *to)
{
    const double *low = &t.at[i % 50], *high = low + 1;
    to[0] = high[0] - 0.5 * (high[0] - low[0]);
    to[1] = high[1] - 0.25 * (high[1] - low[1]);
}
static inline void pick_on(int i, struct table t, double *to)
{
    pick(i, t, to);
    to[0] += to[1];
}
static inline void pick_into(int i, struct table t, struct table r)
{
    pick(i, t, r.at);
}
static inline void pick_row(int i, struct table t, double **rows)
{
    pick(i, t, rows[i & 1]);
}
/* What may only be looked at, and is set nevertheless. */
static inline int look(const int *p)
{
    return *p + 1;
}
static inline void sneak(const int *p, int v)
{
    *(int *)p = v;
}
static ALONE void fill(int *t, int v)
{
    if (v >= 0)
        for (int k = 0; k < 4; k++)
            t[k] = v * k;
}
static ALONE void either(int *t, int v)
{
    if (v & 1)
        t[0] = v;
    else
        t[0] = v * 3;
    t[1] = v + 1;
}
static ALONE void set(int v)
{
    if (v >= 0)
        common = v;
}
static ALONE void early(int *t, int v)
{
    if (v < 0)
        return;
    t[0] = v;
}

ALONE static void moves(int n)
{
    for (int i = 0; i < n; i++) /* loop: sequential */
        move(&x[i + 1], &x[i]);
}
ALONE static void moves_apart(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        move(&x[i], &y[i]);
}
ALONE static void hands_on(int n)
{
    for (int i = 0; i < n; i++) /* loop: sequential */
        y[i] = hand(x + i, x + i + 1);
}
ALONE static void fills(int n)
{
    int t[4] = {0};
    for (int i = 0; i < n; i++) { /* loop: sequential */
        fill(t, from[i]);
        ints[i] = t[0] + t[3];
    }
}
ALONE static void fills_either(int n)
{
    int t[2];
    for (int i = 0; i < n; i++) { /* loop: private */
        either(t, from[i]);
        ints[i] = t[0] + t[1];
    }
}
ALONE static void fills_early(int n)
{
    int t[2] = {0};
    for (int i = 0; i < n; i++) { /* loop: sequential */
        early(t, from[i]);
        ints[i] = t[0];
    }
}
ALONE static void sets(int n)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        set(from[i]);
        ints[i] = common + 1;
    }
}
/* clang-format off */
/* The second store of the line is never made. */
ALONE static void beside(int n, int d)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        ints[i] = from[i]; if (d) ints[i + d] = 7;
    }
}
ALONE static void looks(int n)
{
    int t = n;
    for (int i = 0; i < n; i++) /* loop: parallel */
        ints[i] = look(&t) + look(&from[3]) * i;
}
ALONE static void looks_before(int n)
{
    int t = n;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        ints[i] = look(&t);
        t = from[i];
    }
}
ALONE static void looks_back(int n)
{
    for (int i = 1; i < n; i++) /* loop: sequential */
        ints[i] = look(&ints[i - 1]) + from[i];
}
ALONE static void sneaks(int n)
{
    int t = n;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        ints[i] = t;
        sneak(&t, from[i]);
    }
}
ALONE static void sneaks_on(int n)
{
    for (int i = 0; i < n; i++) /* loop: sequential */
        sneak(&ints[i + 1], ints[i] + from[i]);
}
ALONE static void picks(struct table t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double own[2];
        pick_on(i, t, own);
        z[i] = own[0];
    }
}
ALONE static void picks_shared(struct table t, int n)
{
    double own[2];
    for (int i = 0; i < n; i++) { /* loop: private */
        pick_on(i, t, own);
        z[i] = own[0];
    }
}
ALONE static void picks_back(struct table t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        struct table r = {t.at + 3, n};
        pick_into(i, t, r);
    }
}
ALONE static void picks_rows(struct table t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        double *rows[2] = {t.at + 7, t.at + 9};
        pick_row(i, t, rows);
    }
}
ALONE static void picks_next(struct table t, int n)
{
    for (int i = 0; i < n; i++) /* loop: sequential */
        pick(i, t, &t.at[(i + 1) % 50]);
}
/* Two loops in a line, behind a macro. */
ALONE static void two(int n) { for (int i = 0; i < n; i++) x[i] = y[i]; for (int i = 0; i < n; i++) x[i + 1] = x[i] * 2; } /* loop:32 parallel */ /* loop:73 sequential */
ALONE static void nested(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) y[i + j] = x[i] * z[j]; } /* loop:35 sequential */ /* loop:63 parallel */
/* And in a macro, where no column tells which is which. */
ALONE static void in_macro(int n) { BOTH(n); } /* loop: sequential */
ALONE static void macros(int n) { EACH(i, n) EACH(j, 4) y[i + j] = x[i] * z[j]; } /* loop: sequential */
/* clang-format on */

int main(void)
{
    for (int i = 0; i < 2 * N; i++) {
        x[i] = i * 0.001;
        y[i] = i;
        z[i] = i % 5;
        from[i] = i % 77;
    }
    moves(N);
    moves_apart(N);
    hands_on(N);
    fills(N);
    fills_either(N);
    fills_early(N);
    sets(N);
    beside(N, z[0] > 0);
    looks(N);
    looks_before(N);
    looks_back(N);
    sneaks(N);
    sneaks_on(N);
    struct table t = {x, N};
    picks(t, N);
    picks_shared(t, N);
    picks_back(t, N);
    picks_rows(t, N);
    picks_next(t, N);
    two(N);
    nested(N);
    in_macro(N);
    macros(N);
    double s = 0;
    for (int i = 0; i < 2 * N; i++)
        s += x[i] + y[i] + ints[i];
    printf("%g %d\n", s, common);
    return 0;
}
