/* Numbers of a function's own that a pointer leads to: compilers that know it keep them in registers, and
 * nothing is left in memory of what iterations hand on. */
#include "loops.h"

static double a[N], b[N], c[N];
static int t[N];
static double *where;
static double g, gs[4];
static int *place;
static struct pair {
    int n;
    double x;
} pair;

KERNEL(written)
{
    double k = 1, *p = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        *p = b[i];
    }
}
KERNEL(written_or_not)
{
    double k = 1, *p = n > 3 ? &k : c;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        *p = b[i];
    }
    keep(k);
}
KERNEL(told)
{
    int k = 1, *p = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[k] = b[i];
        *p = i % 7;
    }
    keep(k);
}
KERNEL(found)
{
    double k = 1, *p = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        double v = *p;
        a[i] = v;
        k = b[i];
    }
    keep(k);
}
KERNEL(kept)
{
    int k = 1, *p = &k;
    place = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = *p;
        k = (int)b[i];
    }
    keep(k);
}
KERNEL(combined)
{
    int k = 1, *p = &k;
    place = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        *p += 3;
        a[i] = k;
    }
    keep(k);
}
KERNEL(element)
{
    double k[2] = {1, 2}, *q = n > 2 ? &k[1] : k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k[1];
        *q = b[i];
    }
    keep(k[1]);
}
KERNEL(row)
{
    double k[4] = {1, 2, 3, 4}, *q = k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k[0];
        q[0] = b[i];
    }
    keep(k[0]);
}
KERNEL(field)
{
    struct pair k = {1, 2}, *p = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k.x;
        p->x = b[i];
    }
    keep(k.x);
}
KERNEL(far)
{
    double k = 1, **pp = &where;
    where = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        **pp = b[i];
    }
    keep(k);
}
/* of the file's variables, too */
KERNEL(global)
{
    double *p = &g;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = g;
        *p = b[i];
    }
}
KERNEL(global_set)
{
    double *p = &g;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = *p;
        g = b[i];
    }
}
KERNEL(global_row)
{
    double *p = &gs[2];
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = gs[2];
        *p = b[i];
    }
}
/* one pointer to look, another to write */
KERNEL(both)
{
    double k = 1, *p = &k, *q = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = *p;
        *q = b[i];
    }
    keep(k);
}
KERNEL(record)
{
    struct pair k = {1, 2}, *p = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k.x;
        *p = (struct pair){i, b[i] + 1};
    }
    keep(k.x);
}
KERNEL(records)
{
    struct pair *p = &pair, *q = &pair;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = q->x;
        p->x = b[i] + 1;
    }
    keep(pair.x);
}
KERNEL(rows)
{
    double *p = gs, *q = gs;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = p[3];
        q[3] = b[i] + 1;
    }
    keep(gs[3]);
}
/* a function hands the place out */
static inline double *at(double *v, int i)
{
    return v + i;
}
KERNEL(handed_out)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = gs[1];
        *at(gs, 1) = b[i] + 1;
    }
    keep(gs[1]);
}
/* the pointer is not followed in the loop */
KERNEL(before)
{
    double k = 1, *p = &k;
    *p = n;
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = k * b[i];
}
/* what it leads to is of another type, or of another field */
KERNEL(types)
{
    int k = 1, *p = &k;
    double *q = a;
    *p = n;
    for (int i = 0; i < n; i++) /* loop: parallel */
        q[i] = k * b[i];
}
KERNEL(fields)
{
    struct pair k = {3, 2}, *p = &k;
    double *q = a;
    p->x = n;
    for (int i = 0; i < n; i++) /* loop: parallel */
        q[i] = k.n * b[i];
}
/* fresh memory is nobody else's */
KERNEL(fresh)
{
    int k = 1, *p = &k, *q = malloc(N * sizeof *q);
    *p = n;
    for (int i = 0; i < n; i++) /* loop: parallel */
        q[i] = k + i;
    keep(q[n / 2]);
    free(q);
}
/* a function gets the address, and pointers are the caller's */
static __attribute__((noinline)) void set(int *to, int v)
{
    *to = v;
}
static __attribute__((noinline)) void given(int *to, const double *from, int n)
{
    int k = 0;
    set(&k, n);
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = k + (int)from[i];
}

int main(int argc, char **argv)
{
    int n = N * argc;
    for (int i = 0; i < n; i++)
        b[i] = i % 13 * 0.5;
    written(n), digest(a, sizeof a), written_or_not(n), digest(a, sizeof a), told(n), digest(a, sizeof a);
    found(n), digest(a, sizeof a), kept(n), digest(a, sizeof a), combined(n), digest(a, sizeof a);
    element(n), digest(a, sizeof a), row(n), digest(a, sizeof a), field(n), digest(a, sizeof a);
    far(n), digest(a, sizeof a), before(n), digest(a, sizeof a), types(n), digest(a, sizeof a);
    global(n), digest(a, sizeof a), global_set(n), digest(a, sizeof a);
    global_row(n), digest(a, sizeof a), both(n), digest(a, sizeof a), fresh(n);
    record(n), digest(a, sizeof a), records(n), digest(a, sizeof a), rows(n), digest(a, sizeof a);
    handed_out(n), digest(a, sizeof a);
    fields(n), digest(a, sizeof a), given(t, b, n), digest(t, sizeof t), digest(c, sizeof c);
    (void)argv;
    return finish();
}
