/* Loops whose iterations need each other in one invocation of many: by an offset, a step, a mask, a pointer
 * or a table that is another one there. Those beside them are entered in as many ways and stay free. */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { COUNT = 60, CALLS = 3000 };
static int ia[4 * COUNT + 8], ib[4 * COUNT + 8], ic[4 * COUNT + 8], table[COUNT], other[COUNT],
    grid[3 * COUNT][8];
static unsigned char narrow[COUNT];
static int global_offset, global_mask;
struct view {
    int *to, *from, offset;
};
struct entry {
    int weight, at;
};
static struct entry entries[COUNT];
static int *targets[COUNT];

ALONE void by_offset(int n, int k)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i + k] = ia[i] + 1;
}
ALONE void by_table(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[table[i]] = i;
}
ALONE void by_pointers(int *p, int *q, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p[i] = q[i] + 1;
}
ALONE void by_step(int n, int step)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i * step] = i;
}
ALONE void by_mask(int n, int mask)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i & mask] = i;
}
ALONE void by_global_offset(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i + global_offset] = ia[i] + 1;
}
ALONE void by_global_mask(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i & global_mask] = i;
}
ALONE void by_field(const struct view *v, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        v->to[i + v->offset] = v->from[i] + 1;
}
ALONE void by_rows(int n, int k)
{
    for (int i = 0; i < n; i++)     /* loop: no */
        for (int j = 0; j < 8; j++) /* loop: parallel */
            grid[i + k][j] = grid[i][j] + 1;
}
ALONE void by_remainder(int n, int m)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i % m] = i;
}
ALONE void by_shift(int n, int s)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i >> s] = i;
}
ALONE void by_flipped(int n, int m)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i ^ m] = ia[i + 2 * COUNT] + ia[i];
}
ALONE void by_two_stores(int n, int k)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = i;
        ic[i + k] = 2 * i;
    }
}
ALONE void by_entries(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[entries[i].at] = i;
}
ALONE void by_bytes(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[narrow[i]] = i;
}
ALONE void by_targets(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *targets[i] = i;
}
ALONE void by_two_tables(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[table[other[i]]] = i;
}
ALONE void backwards(int *p, const int *q, int n)
{
    for (int i = n - 1; i >= 0; i--) /* loop: no */
        p[i] = q[i] + 1;
}
/* these are free whatever they are entered with */
ALONE void always_apart(int n, int k)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ia[i + k] = ia[i] + 1;
}
ALONE void permuted(int n, const int *t)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ib[t[i]] = i;
}
ALONE void copied(int *p, const int *q, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        p[i] = q[i] + 1;
}

static void fill(int late, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        table[i] = late ? i / 2 : i * 7 % COUNT;
        other[i] = late == 2 ? i / 2 : i;
        entries[i].at = late ? i / 3 : i;
        entries[i].weight = i;
        narrow[i] = (unsigned char)(late ? i / 2 : i);
        targets[i] = &ia[late ? i / 2 : i];
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = COUNT + argc - 1;
    static int orders[5][COUNT];
    for (int i = 0; i < 4 * COUNT; i++)
        ia[i] = i, ib[i] = i * 7 % 61, ic[i] = i * 3 % 61;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < COUNT; i++)
            orders[k][i] = (i * 7 + k) % COUNT;
    for (int c = 0; c < CALLS; c++) {
        int late = c == CALLS - 200;
        struct view v = {ia, ia, late ? 1 : n};
        int *block = malloc(sizeof *block * (size_t)(2 * n + c % 9));
        fill(late, n);
        by_offset(n, late ? 1 : n), by_table(n), by_pointers(late ? ia + 1 : ia + n, ia, n),
            by_step(n, late ? 0 : 2), by_mask(n, late ? 31 : 63);
        global_offset = late ? 2 : n, global_mask = late ? 15 : 63;
        by_global_offset(n), by_global_mask(n), by_field(&v, n), by_rows(n, late ? 1 : n),
            by_remainder(n, late ? 20 : 100), by_shift(n, late);
        by_flipped(n, late ? 1 : 128), by_two_stores(n, late ? 3 : n), by_entries(n), by_bytes(n),
            by_targets(n), keep(ia[n / 4]), by_two_tables(n);
        backwards(late ? ia : ia + n, late ? ia + 1 : ia, n);
        always_apart(n, n + c % 3 * 10), permuted(n, orders[c % 5]), copied(block + n, block, n);
        keep(block[n + 3]), free(block);
    }
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(ic, sizeof ic), digest(grid, sizeof grid);
    return finish();
}
