/* Loops whose order is needed where few look: in a late invocation, by a side effect of a condition, by
 * another view of the same bytes. */
#include "loops.h"

#include <setjmp.h>

#define ALONE static __attribute__((noinline))
enum { COUNT = 60, CALLS = 3000 };
static int ia[4 * COUNT], ib[4 * COUNT], ic[4 * COUNT], grid[COUNT][40];
static double da[4 * COUNT];

ALONE void strides(int n, int step)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i * step] = i;
}
ALONE void rows_of(int n, int width)
{
    for (int i = 0; i < n; i++)         /* loop: no */
        for (int j = 0; j < width; j++) /* loop: parallel */
            ia[i * 8 + j] = i + j;
}
static int before;
ALONE void by_mode(int n, int mode)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x = ib[i];
        if (mode == 2) {
            x += before;
            before = ib[i];
        }
        ic[i] = x;
    }
}
/* side effects that a carried truth decides */
ALONE int short_circuit(int n)
{
    int ok = 1;
    for (int i = 0; i < n; i++) /* loop: no */
        ok = ok && ia[i]++ < 40;
    return ok;
}
ALONE int short_circuit_or(int n)
{
    int found = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        found = found || (ib[i] = ic[i]) > 50;
    return found;
}
static int calls;
static int counts(int x)
{
    calls++;
    return x < 40;
}
ALONE int short_circuit_call(int n)
{
    int ok = 1;
    for (int i = 0; i < n; i++) /* loop: no */
        ok = ok && counts(ic[i]);
    return ok;
}
ALONE int all_below(int n)
{
    int ok = 1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        ok = ok && ic[i] < 4000;
    return ok;
}
ALONE int any_above(int n)
{
    _Bool found = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        found = found || (ic[i] > 4000 && ib[i] > 3);
    return found;
}
ALONE int all_so_far(int n)
{
    int ok = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        ok = ok && ic[i] < 50;
        ib[i] = ok;
    }
    return ok;
}
/* the value of a sum is used */
ALONE int prefix(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i] = s += ic[i];
    return s;
}
ALONE int last_of_sum(int n)
{
    int s = 0, t = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += ic[i];
        t = s & 7;
    }
    return s + t;
}
ALONE void counter_jumps(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = i;
        if (ic[i] % 5 == 0)
            i++;
    }
}
ALONE int bound_shrinks(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ic[i] % 7 == 3)
            n--;
        ib[i] = ic[i] + 1;
    }
    return n;
}
/* other views of the same bytes */
ALONE void as_bytes(int n)
{
    unsigned char *b = (unsigned char *)ia;
    for (int i = 0; i < n; i++) /* loop: no */
        b[4 * i + 4] = (unsigned char)(ia[i] + 1);
}
ALONE void as_bytes_apart(int n)
{
    unsigned char *b = (unsigned char *)ib;
    for (int i = 0; i < n; i++) /* loop: parallel */
        b[4 * i] = (unsigned char)(ia[i] + 1);
}
ALONE void next_row(int n)
{
    for (int i = 0; i < n - 1; i++)  /* loop: no */
        for (int j = 0; j < 40; j++) /* loop: parallel */
            (&grid[i][0])[40 + j] = grid[i][j] + 1;
}
ALONE void downwards(int n)
{
    for (int i = n - 1; i >= 0; i--) /* loop: no */
        ia[i] = ia[i + 1] + ib[i];
}
ALONE void downwards_apart(int n)
{
    for (int i = n - 1; i >= 0; i--) /* loop: parallel */
        ia[i] = ia[i + n] + ib[i];
}
static jmp_buf out;
ALONE void jumps(int n)
{
    if (setjmp(out) == 0)
        for (int i = 0; i < n; i++) { /* loop: no */
            ic[i] = i;
            if (ib[i] == 50)
                longjmp(out, 1);
        }
}
ALONE void assembly(int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        __asm__ volatile("" : "+r"(x) : : "memory");
        ic[i] = x + i;
        x = ic[i] & 3;
    }
}
ALONE int *grows(int n)
{
    int *v = NULL;
    for (int i = 0; i < n; i++) { /* loop: no */
        v = realloc(v, sizeof *v * (size_t)(i + 1));
        v[i] = i;
    }
    return v;
}
ALONE void own_blocks(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int *v = malloc(sizeof *v * 4);
        v[0] = i, v[3] = ic[i];
        ib[i] = v[0] + v[3];
        free(v);
    }
}
struct item {
    int key;
    struct item *next;
};
ALONE struct item *chains(struct item *pool, int n)
{
    struct item *head = NULL;
    for (int i = 0; i < n; i++) { /* loop: no */
        pool[i].key = i;
        pool[i].next = head;
        head = &pool[i];
    }
    return head;
}
ALONE void buckets(struct item **heads, struct item *pool, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        pool[i].next = heads[i % 7];
        heads[i % 7] = &pool[i];
    }
}
ALONE void two_rows(double *now, double *then, int n)
{
    for (int t = 0; t < 4; t++) {       /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            then[i] = (now[i - 1] + now[i + 1]) / 2;
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            now[i] = then[i];
    }
}
ALONE void within(double *v, int n)
{
    for (int t = 0; t < 4; t++)         /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: no */
            v[i] = (v[i - 1] + v[i + 1]) / 2;
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = COUNT + argc - 1;
    static struct item pool[COUNT], *heads[7];
    for (int i = 0; i < 4 * COUNT; i++)
        ia[i] = i, ib[i] = i * 7 % 61, ic[i] = i * 3 % 61, da[i] = i;
    for (int c = 0; c < CALLS; c++) {
        int late = c == CALLS - 200;
        strides(n, late ? 0 : 2);
        rows_of(n / 3, late ? 9 : 8);
        by_mode(n, late ? 2 : 1);
    }
    keep(short_circuit(n)), keep(short_circuit_or(n)), keep(short_circuit_call(n)), keep(all_below(n)),
        keep(any_above(n)), keep(all_so_far(n)), keep(prefix(n)), keep(last_of_sum(n));
    counter_jumps(n), keep(bound_shrinks(n)), as_bytes(n), as_bytes_apart(n), next_row(n), downwards(n),
        downwards_apart(n), jumps(n), assembly(n);
    int *v = grows(n);
    keep(v[n - 1]), free(v), own_blocks(n), keep(chains(pool, n)->key), buckets(heads, pool, n),
        keep(heads[3]->key);
    two_rows(da, da + 2 * COUNT, n), within(da, n), keep(calls);
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(ic, sizeof ic), digest(da, sizeof da),
        digest(grid, sizeof grid);
    return finish();
}
