/* What a function that is put into a loop looks at, and the loop writes for the next iteration: where a
 * compiler knows that value, it keeps it in a register, or computes it from the counter. Beside each its like
 * that is free. */
#include "loops.h"

enum { CELLS = 40 };
struct cell {
    double x, y;
    int n;
};
struct pair {
    int a, b;
};
static struct cell cells[CELLS + 2], other[CELLS + 2];
static struct pair pairs[CELLS + 2], twos[CELLS + 2];
static int a[CELLS + 2], b[CELLS + 2];

static int from_pointer(const int *p)
{
    return *p + 1;
}
static int from_place(const int *p, int i)
{
    return p[i] + 1;
}
static int from_record(const struct cell *p)
{
    return p->n + 1;
}
static int from_records(const struct cell *p, int i)
{
    return p[i].n + 1;
}
static int from_value(struct cell c)
{
    return c.n + 1;
}
static int with_sum(struct cell *p)
{
    p->y += p->n;
    return p->n + 1;
}
static void set(struct cell *p, int n)
{
    p->n = n;
}
static struct pair make(int x, int y)
{
    struct pair p = {x, y};
    return p;
}

KERNEL(places)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i + 1] = from_place(a, i);
    for (int i = 0; i < n; i++) /* loop: parallel */
        b[i] = from_place(a, i);
}
KERNEL(pointers)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i + 1] = from_pointer(a + i);
    for (int i = 0; i < n; i++) /* loop: parallel */
        b[i] = from_pointer(a + i);
}
KERNEL(fields)
{
    for (int i = 0; i < n; i++) /* loop: no */
        cells[i + 1].n = from_record(&cells[i]);
    for (int i = 0; i < n; i++) /* loop: parallel */
        other[i].n = from_record(&cells[i]);
    for (int i = 0; i < n; i++) /* loop: no */
        cells[i + 1].n = from_records(cells, i);
}
KERNEL(sums)
{
    for (int i = 0; i < n; i++) /* loop: no */
        cells[i + 1].n = with_sum(&cells[i]);
    for (int i = 0; i < n; i++) /* loop: parallel */
        other[i].n = with_sum(&cells[i]);
}
KERNEL(both)
{
    for (int i = 0; i < n; i++) /* loop: no */
        set(&cells[i + 1], from_record(&cells[i]));
    for (int i = 0; i < n; i++) /* loop: parallel */
        set(&other[i], from_record(&cells[i]));
}
KERNEL(elements)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        struct cell *e = &cells[i], *f = &cells[i + 1];
        f->n = from_record(e);
    }
}
/* records as a whole, and a field of one */
KERNEL(values)
{
    for (int i = 0; i < n; i++) /* loop: no */
        cells[i + 1].n = from_value(cells[i]);
    for (int i = 0; i < n; i++) /* loop: parallel */
        other[i].n = from_value(cells[i]);
}
KERNEL(copies)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        struct cell c = cells[i];
        cells[i + 1].n = c.n + 1;
    }
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct cell c = cells[i];
        cells[i].n = c.n + 1;
    }
}
KERNEL(made)
{
    for (int i = 0; i < n; i++) /* loop: no */
        pairs[i + 1] = make(pairs[i].a + 1, i);
    for (int i = 0; i < n; i++) /* loop: parallel */
        twos[i] = make(pairs[i].a + 1, i);
}

/* Static data of a function that is called: no clause makes copies of it. */
static int kept;
static __attribute__((noinline)) int by_static(int x)
{
    static int t[4];
    for (int k = 0; k < 4; k++)
        t[k] = x + k;
    return t[0] * t[3];
}
static __attribute__((noinline)) int by_file(int x)
{
    kept = x * 3;
    return kept + 1;
}
static __attribute__((noinline)) int by_frame(int x)
{
    int t[4];
    for (int k = 0; k < 4; k++)
        t[k] = x + k;
    return t[0] * t[3];
}
KERNEL(statics)
{
    for (int i = 0; i < n; i++) /* loop: no */
        b[i] = by_static(i);
    for (int i = 0; i < n; i++) /* loop: no */
        b[i] = by_file(i);
    for (int i = 0; i < n; i++) /* loop: parallel */
        b[i] = by_frame(i);
}

/* So many iterations have elements of their own, and more would not. */
KERNEL(wraps)
{
    for (int i = 0; i < n; i++) /* loop: input */
        a[i * 7 % 41] = i;
    for (int i = 0; i < n / 2; i++) /* loop: input */
        a[i + 20] = a[i] + 1;
}

/* two calls alike: what the second one looks at, the first one has looked at before */
static double draw(int *seeds, int i)
{
    seeds[i] = seeds[i] * 1103515245 + 12345;
    return seeds[i] * 0.5;
}
static double draw_and_pass(int *seeds, int i)
{
    int r = seeds[i];
    seeds[i] = r * 77 + 1;
    seeds[i + 1] = r;
    return r * 0.5;
}
static int turn(int *seeds, const int *at)
{
    seeds[*at & 7] += 3;
    return seeds[*at & 7];
}
static int count(int *n)
{
    return (*n)++;
}
static double px[CELLS], py[CELLS];
static int pn[CELLS], seeds[CELLS + 2];
KERNEL(twice)
{
    int *s = seeds, *v = pn;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        px[i] += 1 + 5 * draw(s, i);
        py[i] += -2 + 2 * draw(s, i);
    }
    for (int i = 0; i < n; i++) { /* loop: no */
        px[i] += 1 + 5 * draw(s, 3);
        py[i] += -2 + 2 * draw(s, 3);
    }
    for (int i = 0; i < n; i++) { /* loop: no */
        px[i] += draw(s, i);
        py[i] += draw(s, i + 1);
    }
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] = (int)draw_and_pass(s, i);
        v[i] += (int)draw_and_pass(s, i) + 1;
    }
    for (int i = 0; i < n; i++) { /* loop: no */
        px[i] += draw_and_pass(s, i);
        py[i] += draw_and_pass(s, i);
    }
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] += turn(s, &v[0]);
        v[i] += turn(s, &v[0]) & 7;
    }
    int c = n, *at = &c;
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] = count(at);
        v[i] += count(at);
    }
    for (int i = 0; i < n; i++) { /* loop: no */
        int k = i;
        px[i] += draw(s, k);
        k++;
        py[i] += draw(s, k);
    }
    digest(seeds, sizeof seeds);
    digest(px, sizeof px);
    digest(pn, sizeof pn);
    keep(c + py[3]);
}

int main(void)
{
    for (int i = 0; i < CELLS; i++) {
        cells[i] = (struct cell){i, 1, i % 3};
        pairs[i].a = a[i] = i * 5 % 7;
    }
    places(CELLS);
    pointers(CELLS);
    fields(CELLS);
    sums(CELLS);
    both(CELLS);
    elements(CELLS);
    values(CELLS);
    copies(CELLS);
    made(CELLS);
    statics(CELLS);
    wraps(CELLS);
    twice(CELLS);
    digest(a, sizeof a);
    digest(b, sizeof b);
    digest(pairs, sizeof pairs);
    digest(twos, sizeof twos);
    for (int i = 0; i < CELLS; i++)
        keep(cells[i].n + cells[i].y + other[i].n);
    return finish();
}
