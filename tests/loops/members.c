/* Pointers in structs and in arrays: a struct of the function's own is a thing by its name, where its pointer
 * leads is another, and may be an array that has a name. */
#include "loops.h"

struct view {
    double *p;
    int n;
};
struct numbers {
    int n;
    int *v;
};
static double a[N], b[N], c[N];
static int k[N], table[N];
static struct numbers all = {N, k};
static double *both[2] = {a, a};

KERNEL(field_and_array)
{
    struct view s = {a, n};
    for (int i = 1; i < n; i++) /* loop: no */
        a[i] = s.p[i - 1];
}
KERNEL(field_set_later)
{
    int own[N] = {3};
    struct numbers s;
    s.v = own;
    for (int i = 1; i < n; i++) /* loop: no */
        own[i] = s.v[i - 1] + 1;
    keep(own[n - 1]);
}
KERNEL(field_of_global)
{
    for (int i = 1; i < n; i++) /* loop: no */
        all.v[i] = k[i - 1] + 1;
}
KERNEL(two_structs)
{
    struct numbers s = {n, k}, t = {n, k};
    for (int i = 1; i < n; i++) /* loop: no */
        s.v[i] = t.v[i - 1] ^ 5;
}
KERNEL(two_rows)
{
    for (int i = 1; i < n; i++) /* loop: no */
        both[0][i] = both[1][i - 1] * .5;
}
KERNEL(views_in_an_array)
{
    struct view v[2] = {{b, n}, {b, n}};
    for (int i = 1; i < n; i++) /* loop: no */
        v[0].p[i] = v[1].p[i - 1] + 1;
}
KERNEL(by_a_pointer_to_it)
{
    struct view s = {c, n}, *p = &s;
    for (int i = 1; i < n; i++) /* loop: no */
        p->p[i] = c[i - 1] * .25;
}
KERNEL(moved_on)
{
    struct numbers s = {n, table + 1};
    for (int i = 0; i < n - 1; i++) { /* loop: no */
        s.v[i] = i;
        k[i] = table[i];
    }
}
KERNEL(in_a_block)
{
    int *block = malloc(sizeof *block * (size_t)n);
    struct numbers s = {n, block};
    block[0] = 3;
    for (int i = 1; i < n; i++) /* loop: no */
        block[i] = s.v[i - 1] + 1;
    keep(block[n - 1]);
    free(block);
}
KERNEL(each_its_own)
{
    struct view s = {a, n};
    for (int i = 0; i < n; i++) /* loop: parallel */
        s.p[i] = i * .5;
    for (int i = 0; i < n; i++) /* loop: parallel */
        b[i] = s.p[i] + 1;
}
KERNEL(sum_of_a_field)
{
    struct view s = {a, n};
    double sum = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        sum += s.p[i];
    keep(sum);
}

/* Two pointers of one struct may lead to one array, too. */
static struct two {
    int n;
    int *v, *w;
} two = {N, k, k};
struct doubles {
    double *x, *y;
};

KERNEL(two_fields)
{
    struct two s = {n, k, k};
    for (int i = 1; i < n; i++) /* loop: no */
        s.v[i] = s.w[i - 1] + 1;
}
KERNEL(two_fields_of_global)
{
    for (int i = 1; i < n; i++) /* loop: no */
        two.v[i] = two.w[i - 1];
}
static __attribute__((noinline)) void two_fields_by_pointer(struct two *s)
{
    for (int i = 1; i < s->n; i++) /* loop: no */
        s->v[i] = s->w[i - 1] + 1;
}
static __attribute__((noinline)) void two_fields_by_value(struct doubles s, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        s.x[i] = s.y[i - 1];
}
static __attribute__((noinline)) void elements_of_structs(struct two *s, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        s[0].v[i] = s[1].v[i - 1] + 1;
}

/* As applications keep what belongs to bodies: an array for each property. */
struct bodies {
    int n;
    double *x, *v, *m;
    int *cell, *count;
};
static __attribute__((noinline)) void move(struct bodies *s, double dt)
{
    for (int i = 0; i < s->n; i++) { /* loop: parallel */
        s->x[i] += s->v[i] * dt;
        s->v[i] *= .99;
    }
}
static __attribute__((noinline)) void kick(struct bodies *s, double dt)
{
    for (int i = 0; i < s->n; i += 16) { /* loop: parallel */
        double f = 0;
        for (int j = 0; j < s->n; j++) /* loop: reduction */
            f += s->m[j] * (s->x[j] - s->x[i]);
        s->v[i] += f * dt;
    }
}
static __attribute__((noinline)) double sort(struct bodies *s)
{
    double e = 0;
    for (int i = 0; i < s->n; i++) /* loop: parallel */
        s->cell[i] = (int)(s->x[i] * 3) & 15;
    for (int i = 0; i < s->n; i++) /* loop: reduction */
        s->count[s->cell[i]]++;
    for (int i = 0; i < s->n; i++) /* loop: reduction */
        e += .5 * s->m[i] * s->v[i] * s->v[i];
    return e;
}

int main(int argc, char **argv)
{
    int n = N * argc;
    a[0] = b[0] = c[0] = 2.5, k[0] = 3;
    field_and_array(n), digest(a, sizeof a), field_set_later(n);
    field_of_global(n), digest(k, sizeof k), two_structs(n), digest(k, sizeof k);
    two_rows(n), digest(a, sizeof a), views_in_an_array(n), digest(b, sizeof b);
    by_a_pointer_to_it(n), digest(c, sizeof c), moved_on(n), digest(k, sizeof k), digest(table, sizeof table);
    in_a_block(n), each_its_own(n), digest(b, sizeof b), sum_of_a_field(n);
    static int count[16];
    struct two pair[2] = {{n, k, k}, {n, k, k}};
    struct bodies all_bodies = {n, a, b, c, table, count};
    two_fields(n), digest(k, sizeof k), two_fields_of_global(n), digest(k, sizeof k);
    two_fields_by_pointer(&pair[0]), digest(k, sizeof k), elements_of_structs(pair, n), digest(k, sizeof k);
    two_fields_by_value((struct doubles){a, a}, n), digest(a, sizeof a);
    move(&all_bodies, .1), kick(&all_bodies, .1), keep(sort(&all_bodies)), digest(a, sizeof a);
    digest(b, sizeof b), digest(count, sizeof count);
    (void)argv;
    return finish();
}
