/* Sums and counters that live in memory: in elements, in fields, where pointers lead; some of them are looked
 * at on the way. Elements that an iteration writes before it reads them. Labels as in dependent.c. */
#include "loops.h"
#define ALONE __attribute__((noinline))
static int out[2000];
static int cell[4];
struct s {
    int k, v;
};
static struct s glob;
ALONE static void by_pointer(int *k, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] = *k;
        *k += 3;
    }
}
ALONE static void element(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] += cell[1];
        cell[1] += 3;
    }
}
ALONE static void own_element(int n)
{
    int a[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] += a[1];
        a[1] += 3;
    }
    keep(a[1]);
}
ALONE static void own_struct(int n)
{
    struct s a = {1, 2};
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] += a.k;
        a.k += 3;
    }
    keep(a.k);
}
ALONE static void field(struct s *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] ^= p->k;
        p->k += 3;
    }
}
ALONE static void global_field(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] ^= glob.k;
        glob.k += 3;
    }
}
ALONE static void field_added(struct s *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: reduction */
        out[i] ^= p->v;
        p->k += 3;
    }
}
ALONE static void other_element(int *a, int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        a[0] += a[i + 1];
}
ALONE static void same_at_times(int *a, const int *x, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[0] += a[x[i]];
}
ALONE static void prefix_by_element(int *a, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        a[i] += a[i - 1];
}
ALONE static void bits_seen(int *flags, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        flags[0] |= 1 << (i & 15);
        out[i] += flags[0];
    }
}
ALONE static void max_seen(double *m, const double *v, double *o, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (v[i] > m[0])
            m[0] = v[i];
        o[i] = m[0];
    }
}
ALONE static void written_before(double *c, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        c[i] = i * 0.5;
        c[n + i] = c[i] + 1;
    }
}
ALONE static void written_before_unless(double *c, const int *x, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        if (x[i] & 1)
            c[0] = i * 0.5;
        c[n + i] = c[0] + 1;
    }
}
ALONE static void moved_between(double *c, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        c[k] = i * 0.5;
        k = (k + 1) & 3;
        c[n + i] = c[k] + 1;
    }
}
static inline void add_to(double *sum, double by)
{
    *sum += by;
}
ALONE static void times_to(double *product, double by)
{
    *product *= by;
}

/* Functions that only combine what they are given. */
ALONE static double added_by_function(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        add_to(&s, v[i]);
    return s;
}

ALONE static double times_by_function(const double *v, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        times_to(&s, 1 + v[i] / 1024);
    return s;
}

/* The sum is looked at each time. */
ALONE static double added_and_seen(double *o, const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        times_to(&s, 0.5);
        o[i] = s;
        add_to(&s, v[i]);
    }
    return s;
}

/* Every iteration but the last writes what the next one overwrites: a compiler keeps the last of these. */
ALONE static void overwritten_next(double *o, const double *v, int n)
{
    for (int i = 0; i < 3 * n; i += 3) { /* loop: no */
        o[2 + i] = v[i];
        o[5 + i] = i;
    }
}

/* Bounded by its test alone, and a value that nobody uses. */
ALONE static void counted_while(double *restrict o, const double *restrict v, int n)
{
    double last = 0;
    int i = 0;
    while (i < 2 * n) { /* loop: private */
        last = v[i];
        o[i] = last * last;
        i += 2;
    }
    (void)last;
}

ALONE static int larger(int a, int b, int c)
{
    return a > b ? (a > c ? a : c) : b > c ? b : c;
}

/* A table along its diagonals: what is written over two lines has its loads in the first, by what compilers
 * say. */
ALONE static void diagonals(int *t, const int *v, int n)
{
    int m = n + 1;
    for (int i = 0; i < n; i++)        /* loop: no */
        for (int k = 0; k <= i; k++) { /* loop: parallel */
            int at = (k + 1) * m + (i + 1 - k);
            t[at] = larger(t[at - 1 - m] + v[at], t[at - 1] - 10, t[at - m] - 10);
        }
}

/* The same along rows. */
ALONE static void over_rows(int *t, const int *v, int n)
{
    int m = n + 1;
    for (int i = 1; i <= n; i++)       /* loop: no */
        for (int k = 1; k <= n; k++) { /* loop: no */
            int at = i * m + k;
            t[at] = larger(t[at - 1 - m] + v[at], v[at] - 10, t[at - 1] - 10);
        }
}

/* Four sums at once, in one register, which a call that follows could take as an argument. */
ALONE static int sums_of_groups(const float (*f)[4], const int *group, int n)
{
    float sums[5][4] = {{0}};
    int changed = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        changed += group[i] != 2;
        for (int j = 0; j < 4; j++)
            sums[group[i]][j] += f[i][j];
    }
    for (int i = 0; i < 5; i++)
        keep(sums[i][0] + sums[i][3]);
    return changed;
}

/* The same, but what is added was a sum before. */
ALONE static int sums_of_sums(float (*f)[4], const int *group, int n)
{
    static float sums[6][4];
    f = n < 0 ? f : sums;
    for (int i = 0; i < n; i++) { /* loop: no */
        for (int j = 0; j < 4; j++)
            sums[group[i]][j] += f[group[i + 1]][j] + 1;
    }
    for (int i = 0; i < 5; i++)
        keep(sums[i][0] + sums[i][3]);
    return 0;
}

/* A field that goes on by one, by which the loop ends and finds its element: the store of it is put behind
 * the loop. */
struct skip {
    long level, top;
};
ALONE static void field_while(struct skip *s, int *to, long level)
{
    while (level > s->level) { /* loop: no */
        s->level++;
        to[s->level] = 3;
    }
}

int main(void)
{
    static double d[4000], o[2000], v[2000];
    static int x[2000];
    int k = 1, a[2001];
    struct s st = {1, 2};
    for (int i = 0; i < 2000; i++) {
        v[i] = i * 7 % 13;
        x[i] = (i * i) % 3;
        a[i] = i;
    }
    by_pointer(&k, 500);
    element(500);
    own_element(500);
    own_struct(500);
    field(&st, 500);
    global_field(500);
    field_added(&st, 500);
    other_element(a, 500);
    same_at_times(a, x, 500);
    prefix_by_element(a, 500);
    bits_seen(a, 500);
    max_seen(o + 1999, v, o, 500);
    written_before(d, 1000);
    written_before_unless(d, x, 1000);
    moved_between(d, 1000);
    keep(added_by_function(v, 500)), keep(times_by_function(v, 500)), keep(added_and_seen(o, v, 500));
    overwritten_next(o, v, 300), counted_while(d, v, 500);
    struct skip skip = {0, 0};
    field_while(&skip, a, 600);
    keep((double)skip.level);
    static int table[61 * 61];
    static float rows[500][4];
    diagonals(table, a, 40), over_rows(table, a, 40);
    for (int i = 0; i < 500; i++)
        rows[i][i % 4] = (float)(i % 8);
    keep(sums_of_groups(rows, x, 500) + sums_of_sums(rows, x, 499));
    digest(table, sizeof table);
    digest(out, sizeof out), digest(a, sizeof a), digest(o, sizeof o), digest(d, sizeof d);
    keep(k + st.k);
    return finish();
}
