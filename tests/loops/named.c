/* What race benchmarks ask, by the names they have for it, and what only looks like it. Labels as in
 * dependent.c and independent.c. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { M = 28, L = 500 };

ALONE static void anti(int n, double *a) /* reads what the next one overwrites */
{
    for (int i = 0; i < n - 1; i++) /* loop: no */
        a[i] = a[i + 1] + 1;
}

ALONE static void truly(int n, double *a)
{
    for (int i = 0; i < n - 1; i++) /* loop: no */
        a[i + 1] = a[i] * 0.5 + i;
}

ALONE static double last_value(int n, const double *a)
{
    double x = 0;
    for (int i = 0; i < n; i++) /* loop: private */
        x = a[i] * 2;
    return x;
}

ALONE static double kept_value(int n, const double *a, double *b)
{
    double x = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        b[i] = x;
        x = a[i] * 2;
    }
    return x;
}

ALONE static int packed(int n, const double *a, double *b)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (a[i] > 0.3)
            b[k++] = a[i];
    return k;
}

ALONE static void second_counter(int n, double *a, const double *b)
{
    int k = 3;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[k] = b[i];
        k += 2;
    }
}

ALONE static double both_used(int n, double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        sum += a[i];
        a[i] = sum;
    }
    return sum;
}

ALONE static int where_least(int n, const double *a)
{
    int at = 0;
    for (int i = 1; i < n; i++) /* loop: no */
        if (a[i] < a[at])
            at = i;
    return at;
}

ALONE static void own_scratch(int n, const double *a, double *b)
{
    double t[8];
    for (int i = 0; i < n; i++) { /* loop: private */
        for (int k = 0; k < 8; k++)
            t[k] = a[i] * k;
        for (int k = 0; k < 8; k++)
            b[i] += t[k] * t[7 - k];
    }
}

ALONE static void shared_scratch(int n, const double *a, double *b)
{
    double t[8] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        for (int k = 0; k < 8; k += 1 + (i & 1))
            t[k] = a[i] * k;
        for (int k = 0; k < 8; k++)
            b[i] += t[k];
    }
}

/* Far enough apart for halves, not for all. */
ALONE static void halves(int n, double *a)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        a[i] = a[i + n / 2] * 0.5;
}

ALONE static void more_than_halves(int n, double *a)
{
    for (int i = 0; i < n / 2 + 1; i++) /* loop: no */
        a[i] = a[i + n / 2] * 0.5;
}

ALONE static void upwards(int n, double a[M][M])
{
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 0; j < n; j++) /* loop: parallel */
            a[i][j] = a[i][j] + a[i - 1][j];
}

ALONE static void sideways(int n, double a[M][M])
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 1; j < n; j++) /* loop: no */
            a[i][j] = a[i][j] + a[i][j - 1];
}

ALONE static void slanting(int n, double a[M][M])
{
    for (int i = 1; i < n; i++)         /* loop: no */
        for (int j = 0; j < n - 1; j++) /* loop: parallel */
            a[i][j] = a[i][j] + a[i - 1][j + 1];
}

/* The first of them sees the element as it was before all updates. */
ALONE static void seen_first(int n, double *a, const double *b, double *c)
{
    for (int i = 0; i < n - 3; i++) { /* loop: no */
        c[i] = a[i + 3];
        a[3] *= b[i];
    }
}

/* What is only multiplied in both lines is looked at in the second before the first gets there. */
ALONE static void seen_between(int n, double *a, const double *b)
{
    for (int i = 0; i < n / 3; i++) { /* loop: no */
        a[3 + i] *= b[i];
        a[3 + 2 * i] *= a[4 + 2 * i];
    }
}

/* The store is never met: the condition does not hold for these values. */
ALONE static void not_met(int n, unsigned char *a)
{
    for (int i = 0; i < n - 9; i++) /* loop: no */
        if (a[i] > 254)
            a[i + 8] = (unsigned char)(a[i] * 3);
}

/* What compilers make of these at -O2 hides one dependence: the load for the next round stands before the
 * header, and where an iteration begins was taken for one later; the first iteration stands before the loop,
 * and only one of its stores is left; iterations with and without the condition are two loops that lie in
 * each other. */
static const int from[16] = {9, 7, 8, 5, 1, 14, 8, 4, 13, 11, 7, 12, 15, 10, 6, 2};
static const int to[24] = {1, 0, 14, 20, 19, 21, 22, 23, 16, 17, 18, 15, 13, 12, 11, 10};
static const unsigned char some[16] = {1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0};
static int i1[160], i2[160], i3[160];

ALONE static void next_load(int n)
{
    int add = n;
    for (int i = 0; i < n + 4; i++) { /* loop: no */
        i3[(3 + i) % 160] *= i1[from[(4 + i) % 16]];
        for (int j = 0; j < n + 8; j++)
            ;
        i1[i % 160] = i2[(4 + i) % 160];
        i3[(4 + i) % 160] *= add + i2[(2 + i) % 160];
    }
}

ALONE static void first_apart(int n)
{
    for (int i = 0; i < n + 16; i++) { /* loop: no */
        i1[(3 + i) % 160] += i;
        i1[to[(2 + i) % 24]] = i2[(5 + i) % 160] + i;
    }
}

ALONE static void two_in_one(int n)
{
    int add = n + 1;
    for (int i = 0; i < n + 9; i++) { /* loop: no */
        if (some[i])
            i1[i % 160] = i + i1[(3 + i) % 160];
        for (int j = 0; j < n + 7; j++) /* loop: parallel */
            i2[(4 + j) % 160] = i3[(2 + i) % 160] + add;
    }
}

/* The inner loop's first iteration stands before it, in the outer one. */
ALONE static void first_of_inner(int n, double *a, const double *b)
{
    for (int i = 0; i < n + 8; i++)     /* loop: no */
        for (int j = 0; j < n + 4; j++) /* loop: no */
            a[to[(2 + j) % 24]] += a[(4 + 2 * i) % 160] + b[1];
}

/* Nobody needs the first element of the sum but the source. */
ALONE static void no_load(int n)
{
    int sum = 0;
    for (int i = 0; i < n + 6; i++) { /* loop: no */
        sum = i1[(5 + i) % 160] + i1[(4 + i) % 160];
        i1[(4 + i) % 160] += i2[(4 + i) % 160];
    }
    (void)sum;
}

static double state;

static inline double smooth(double x)
{
    state = 0.9 * state + 0.1 * x;
    return state;
}

ALONE static void filter(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++) /* loop: no */
        b[i] = smooth(a[i]);
}

ALONE static void polynomial(int n, const double *c, const double *x, double *y)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double v = 0;
        for (int k = 7; k >= 0; k--)
            v = v * x[i] + c[k];
        y[i] = v;
    }
}

ALONE static double longest_run(int n, const double *a)
{
    int run = 0, best = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        run = a[i] > 0.2 ? run + 1 : 0;
        if (run > best)
            best = run;
    }
    return best;
}

ALONE static void transpose(int n, double a[M][M])
{
    for (int i = 0; i < n; i++)           /* loop: parallel */
        for (int j = i + 1; j < n; j++) { /* loop: parallel */
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}

ALONE static void reverse(int n, double *a)
{
    for (int i = 0; i < n / 2; i++) { /* loop: parallel */
        double t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

ALONE static void odd_even(int n, int *a, int phases)
{
    for (int p = 0; p < phases; p++)           /* loop: no */
        for (int i = p % 2; i < n - 1; i += 2) /* loop: parallel */
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
}

static double m1[M][M], m2[M][M], m3[M][M], m4[M][M], v1[L], v2[L], v3[L], v4[2 * L + 8];
static int keys[L];
static unsigned char bytes[L];

/* Two updates of one array, and a look at what a later iteration adds to. */
static int y1[160], y2[160], y3[160];
KERNEL(seen_beside)
{
    for (int i = 0; i < n + 15; i++) { /* loop: no */
        y1[(4 + i) % 160] += y3[(1 + 2 * i) % 160];
        y2[(2 + i) % 160] += y1[7 * i % 160] + n;
        y1[1] += y1[(4 + i) % 160];
    }
}

/* What only some ways set has its address passed on: none in this run goes another way. */
ALONE static void plus(double *x, double v)
{
    *x += v;
}

KERNEL(maybe_set)
{
    double s = 1, t = 1, u = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        for (int j = 0; j < n - i / n; j++)
            s = y1[j] + i;
        plus(&s, y3[i]);
        y2[i] = i;
    }
    for (int i = 0; i < n; i++) { /* loop: private */
        t = y1[i];
        plus(&t, y3[i]);
    }
    for (int i = 0; i < n; i++) { /* loop: private */
        u = i;
        plus(&u, y3[i]);
        y1[i] = u;
    }
    keep(s + t);
}

static void fill(void)
{
    for (int i = 0; i < L; i++) {
        v1[i] = 0.1 + (i * 37 % 101) / 100.0, v2[i] = 0.5 + (i * 53 % 97) / 200.0, v3[i] = i % 7;
        bytes[i] = (unsigned char)(i * 41 % 250), keys[i] = (i * 73) % 211;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            m1[i][j] = (i * 13 + j * 7) % 31 + 1, m2[i][j] = (i * 5 + j * 11) % 29 * 0.25;
            m3[i][j] = (i + j) % 17, m4[i][j] = i == j ? 50 : (i * 3 + j) % 9;
        }
}

static void races(int n)
{
    anti(n, v1), truly(n, v2);
    keep(last_value(n, v1) + kept_value(n, v1, v3) + packed(n, v1, v2) + both_used(n, v3) +
         where_least(n, v1));
    second_counter(n, v4, v1), own_scratch(n, v1, v2), shared_scratch(n, v1, v2);
    halves(n, v1), more_than_halves(n - 2, v2), filter(n, v1, v3), polynomial(n, v2, v1, v3);
    seen_first(n, v3, v1, v2), seen_between(n, v3, v1), not_met(n, bytes);
    keep(longest_run(n, v1)), reverse(n, v1), odd_even(n, keys, 6);
    digest(v1, sizeof v1), digest(v2, sizeof v2), digest(v3, sizeof v3), digest(v4, sizeof v4),
        digest(keys, sizeof keys);
}

int main(int argc, char **argv)
{
    int n = M - argc + 1;
    (void)argv;
    fill();
    races(L);
    for (int i = 0; i < 160; i++)
        y1[i] = i % 9, y3[i] = i % 5;
    seen_beside(argc - 1), digest(y1, sizeof y1), digest(y2, sizeof y2);
    maybe_set(argc + 19), next_load(argc - 1), first_apart(argc - 1), two_in_one(argc - 1), no_load(argc);
    first_of_inner(argc - 1, v1, v2);
    digest(v1, sizeof v1);
    digest(i1, sizeof i1), digest(i2, sizeof i2), digest(i3, sizeof i3);
    upwards(n, m1), sideways(n, m2), slanting(n, m3), transpose(n, m4);
    digest(m1, sizeof m1), digest(m2, sizeof m2), digest(m3, sizeof m3), digest(m4, sizeof m4);
    return finish();
}
