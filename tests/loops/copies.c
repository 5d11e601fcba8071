/* What a compiler leaves out of some copies of a body: values that only the last iteration hands on are
 * loaded in the last copy of an unrolled loop, or in the loop for what is left over, and stores that a later
 * iteration makes needless are done when the loop is over. What is left shows no dependence. */
#include "loops.h"

#define ALONE __attribute__((noinline))
#ifdef __clang__
#define FOURFOLD _Pragma("clang loop unroll_count(4) vectorize(disable)")
#define TWOFOLD _Pragma("clang loop unroll_count(2) vectorize(disable)")
#else
#define FOURFOLD _Pragma("GCC unroll 4")
#define TWOFOLD _Pragma("GCC unroll 2")
#endif

static double x[4 * N], y[4 * N], z[4 * N];
static double *rows[4 * N], *others[4 * N];
static int fours[4 * N], lasts[4 * N], some[4 * N];
static double pairs[2 * N][2];
static int ints[4 * N], more[4 * N];
static const unsigned char nearly[512] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1};
static struct {
    int used;
    double *to, *from;
} all = {0, x, y};

static inline void add(double *p, double v)
{
    *p += v;
}
static ALONE void scale(double *p, double v)
{
    *p *= v;
}

/* Every fourth iteration reads what an earlier one wrote. */
ALONE static double last_of_table(int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s = x[i] + y[i];
        x[fours[i]] = i;
    }
    return s;
}

ALONE static double last_behind(int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s = all.to[i] + all.from[i];
        all.to[fours[i]] = i;
    }
    return s;
}

ALONE static double last_of_pointer(double *a, const int *t, int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s = a[i];
        a[t[i]] = i;
    }
    return s;
}

ALONE static double last_of_two_pointers(double *a, double *b, const int *t, int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s = b[i];
        a[t[i]] = i;
    }
    return s;
}

ALONE static double last_backwards(int n)
{
    double s = 0;
    FOURFOLD
    for (int i = n - 1; i >= 0; i--) { /* loop: sequential */
        *rows[lasts[i]] *= *others[i];
        s = *others[i];
        *others[fours[i]] = *others[n + i] + i;
    }
    return s;
}

ALONE static double last_and_own(int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: private */
        s = x[i];
        x[i] = y[i];
    }
    return s;
}

/* z[i] gets what the last j reads: the loads of the others are gone. */
ALONE static void last_inside(int n)
{
    FOURFOLD
    for (int i = 0; i < n; i++)       /* loop: sequential */
        for (int j = 0; j < 4; j++) { /* loop: sequential */
            z[lasts[i]] = i + x[(4 * i + j) % N];
            x[2 + i] = n;
        }
}

ALONE static void last_inside_of(int n, int m)
{
    FOURFOLD
    for (int i = 0; i < n; i++)       /* loop: sequential */
        for (int j = 0; j < m; j++) { /* loop: sequential */
            z[lasts[i]] = i + x[4 * i + j];
            x[2 + i] = n;
        }
}

/* The store of the last line is left for when the loop is over: the one before overwrites it two on. */
ALONE static void set_twice(int n, double s)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        x[4 + i] = i + y[4 + i];
        x[2 + i] = s + y[2 + i];
        x[4 + i] = y[some[i]] + i;
        z[4 + i] += y[4 + i] + s;
    }
}

ALONE static void set_by_condition(int n, double s)
{
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        if (some[i] < 0)
            x[4 + i] = i;
        x[2 + i] = s + y[2 + i];
        x[4 + i] = y[some[i]] + i;
    }
}

ALONE static void set_and_chosen(int n)
{
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: parallel */
        x[i] = 0;
        if (some[i] > 3)
            x[i] = y[i];
    }
}

/* The load of a sum that nobody reads is gone; what is left in its line is of other elements. */
ALONE static double read_and_scaled(int n)
{
    double s = 0, t = 0;
    FOURFOLD
    for (int i = n - 1; i >= 0; i--) { /* loop: sequential */
        t = *rows[5 + 2 * i] + *others[1 + 2 * i];
        s = *rows[5 + 2 * i];
        if (some[i])
            scale(&*others[1 + i], *rows[3 + i]);
    }
    (void)t;
    return s;
}

ALONE static double read_and_added(int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        add(&x[4 + i], y[4 + i] + i);
        s = x[1 + 2 * i];
    }
    return s;
}

/* The iteration that is left over stands outside the loop. */
ALONE static void left_over(int n)
{
    FOURFOLD
    for (int i = 0; i < n; i++) /* loop: sequential */
        x[i % 6 + 1] = y[i];
}

ALONE static void left_over_table(int n)
{
    FOURFOLD
    for (int i = 0; i < n; i++) /* loop: sequential */
        x[lasts[i]] = i + y[i];
}

ALONE static void left_over_added(int n)
{
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        add(&x[lasts[i]], y[i]);
        z[i] = x[N + i];
    }
}

ALONE static double last_by_condition(int n)
{
    double s = 0;
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        if (some[i] >= 0)
            s = x[i];
        x[fours[i]] = i;
    }
    return s;
}

ALONE static double last_of_field(int n)
{
    struct {
        double a, b;
    } s = {0, 0};
    FOURFOLD
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s.a = x[i];
        s.b = y[i];
        x[fours[i]] = i;
    }
    return s.a + s.b;
}

/* two iterations have one element: of these a compiler makes one */
ALONE static void halves(void)
{
    TWOFOLD
    for (size_t i = 0; i < 400; i++) /* loop: sequential */
        x[i / 2] = x[i / 2] * 2 + 1;
}

ALONE static void halves_named(void)
{
    TWOFOLD
    for (size_t i = 0; i < 400; i++) { /* loop: sequential */
        size_t k = i >> 1;
        double *p = &x[k];
        *p = *p * 2 + 1;
    }
}

ALONE static void halves_of_steps(size_t n)
{
    TWOFOLD
    for (size_t i = 0; i < n; i += 2) /* loop: parallel */
        z[i / 2] = x[i] + y[i + 1];
}

ALONE static void rows_of_numbers(size_t n)
{
    TWOFOLD
    for (size_t i = 0; i < n; i++) /* loop: parallel */
        pairs[i / 2][i % 2] = x[i] + 1;
}

/* the last iteration is none of those that write */
ALONE static void left_by_condition(int n)
{
    for (long i = 3 * (n + 5); i >= 0; i -= 3) { /* loop: sequential */
        if (nearly[i])
            x[2] = i;
    }
}

/* what the main loop leaves the rest overwrites */
ALONE static int overwritten_by_rest(int n, int *p, int *q)
{
    int s = n, last = 0;
    for (int i = 0; i < n + 10; i++) { /* loop: sequential */
        p[i] = q[1 + i] + i;
        p[4 + i] = s;
        last = i;
    }
    return last;
}

static void set_up(int n)
{
    for (int i = 0; i < 4 * N; i++) {
        x[i] = i * 0.5, y[i] = i * 0.25 + 1, z[i] = 1;
        rows[i] = &x[i], others[i] = &y[i];
        fours[i] = i % 4 == 0 && i + 4 < N ? i + 4 : N + i % N;
        lasts[i] = N + (i == n - 1 ? 0 : i % N);
        some[i] = i % 5 + 1;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40;
    set_up(n + 1);
    keep(last_of_table(n)), keep(last_behind(n)), keep(last_of_pointer(y, fours, n));
    keep(last_of_two_pointers(z, z, fours, n)), keep(last_backwards(n)), keep(last_and_own(n));
    set_up(n), last_inside(4), last_inside_of(4, 4), set_twice(n - 1, 3), set_by_condition(n - 1, 3);
    set_and_chosen(n);
    set_up(n), keep(read_and_scaled(n - 9)), keep(read_and_added(n - 1));
    left_over(7), set_up(n + 1), left_over_table(n + 1), left_over_added(n + 1);
    keep(last_by_condition(n)), keep(last_of_field(n));
    halves(), halves_named(), halves_of_steps((size_t)n), rows_of_numbers((size_t)n);
    digest(pairs, sizeof pairs), left_by_condition(n - 40), keep(overwritten_by_rest(n - 40, ints, more));
    digest(ints, sizeof ints), digest(x, sizeof x), digest(y, sizeof y), digest(z, sizeof z);
    return finish();
}
