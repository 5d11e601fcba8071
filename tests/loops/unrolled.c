/* Loops whose only dependence is where a compiler that unrolls a loop, or takes it apart, hides it: between
 * iterations that became one, or between the last of the main loop and what is left over. Labels as in
 * dependent.c and independent.c; `make bench-loops` also builds it with -funroll-loops. */
#include "loops.h"

#define ALONE __attribute__((noinline))

static int ints[4 * N], other[4 * N], places[4 * N], pairs[4 * N], left[4 * N];
static double reals[4 * N], to[4 * N];

/* i and i + 1 meet, for even i. */
ALONE static void writes_in_pairs(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[pairs[i]] = other[i];
}

ALONE static void same_value_in_pairs(int n, int v)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[pairs[i] * 2] = v;
    keep(ints[4]);
}

ALONE static void reads_in_pairs(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        other[i] = ints[pairs[i]] + (ints[i] = i * 3);
}

ALONE static void partner_by_bit(double *v, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        v[i] = v[i ^ 1] * 0.5;
}

ALONE static void even_writes_odd_reads(double *v, const int *c, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (c[i] & 1)
            to[i] = v[i];
        else
            v[i + 1] = i * 0.5;
    }
}

ALONE static void counts_in_pairs(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        ints[pairs[i]] += other[i];
}

ALONE static void scaled_in_pairs(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        reals[pairs[i]] = reals[pairs[i]] * 0.5 + i;
}

/* In fours: 0 and 3 of each meet. */
ALONE static void writes_in_fours(const int *fours, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[fours[i]] = i;
}

/* Only the last iteration meets an earlier one, and n is odd. */
ALONE static void last_meets(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[left[i]] = other[i];
    keep(ints[7]);
}

ALONE static void last_reads(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[i] = ints[left[i] + 1] + 1;
}

ALONE static void last_writes_what_was_read(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        to[i] = reals[i];
        reals[left[i] + n] = i;
        reals[n + 1 + i] = 0.5;
    }
}

ALONE static void last_counts(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        ints[left[i]] += 3;
}

/* Two stores, of which compilers make two loops. */
ALONE static void of_neighbour(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        reals[i] = other[i] * 0.5;
        to[i] = reals[i - 1] + 1;
    }
}

ALONE static void of_itself(int n)
{
    for (int i = 1; i < n; i++) { /* loop: parallel */
        reals[i] = other[i] * 0.5;
        to[i] = reals[i] + 1;
    }
}

/* Nothing meets. */
ALONE static void permuted(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ints[places[i]] = other[i];
}

ALONE static void permuted_update(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        reals[places[i]] = reals[places[i]] * 0.5 + i;
}

struct point {
    double x, y, z;
};
static struct point points[N], images[N];

ALONE static void whole_structs(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        images[i] = points[i];
        images[i].z = images[i].x + images[i].y;
    }
}

#define SWAP(a, b)    \
    do {              \
        double t = a; \
        a = b;        \
        b = t;        \
    } while (0)
ALONE static void swaps(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        SWAP(reals[i], to[i]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 401; /* odd: something is left over */
    static int fours[4 * N];
    for (int i = 0; i < 4 * N; i++) {
        other[i] = i * 7 % 31;
        pairs[i] = i / 2;
        places[i] = i % 401 * 7 % 401;
        left[i] = i + 1 == n ? 7 : i;
        fours[i] = i % 4 == 3 ? i - 3 : i;
        reals[i] = i * 0.25;
    }
    for (int i = 0; i < N; i++)
        points[i] = (struct point){i, 2 * i, 1};
    writes_in_pairs(n), same_value_in_pairs(n, 3), reads_in_pairs(n), partner_by_bit(reals, n - 1);
    even_writes_odd_reads(reals, pairs[1] ? pairs : places, 0);
    for (int i = 0; i < 4 * N; i++)
        other[i] = i;
    even_writes_odd_reads(reals, other, n - 1);
    counts_in_pairs(n), scaled_in_pairs(n), writes_in_fours(fours, n - 1), last_meets(n), last_reads(n);
    last_writes_what_was_read(n), last_counts(n), of_neighbour(n), of_itself(n), permuted(n),
        permuted_update(n), whole_structs(n), swaps(n);
    digest(ints, sizeof ints), digest(to, sizeof to), digest(reals, sizeof reals),
        digest(images, sizeof images);
    return finish();
}
