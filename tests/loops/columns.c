/* Rows that an inner loop writes, one element longer than they are apart: compilers that unroll it make the
 * last store, which the next iteration overwrites, but once. */
#include "loops.h"

static int b[16 * N], c[16 * N];
static double x[16 * N];
static short s[16 * N];

KERNEL(apart)
{
    for (int k = 0; k < n; k++)     /* loop: parallel */
        for (int j = 0; j < 8; j++) /* loop: parallel */
            b[k * 8 + j] = k * 100 + j;
}
KERNEL(over)
{
    for (int k = 0; k < n; k++)     /* loop: no */
        for (int j = 0; j < 9; j++) /* loop: parallel */
            b[k * 8 + j] = k * 100 + j;
}
KERNEL(short_over)
{
    for (int k = 0; k < n; k++)     /* loop: no */
        for (int j = 0; j < 3; j++) /* loop: parallel */
            s[k * 2 + j] = (short)(k * 10 + j);
}
KERNEL(doubles_over)
{
    for (int k = 0; k < n; k++)     /* loop: no */
        for (int j = 0; j < 5; j++) /* loop: parallel */
            x[k * 4 + j] = k * 0.5 + j;
}
KERNEL(doubles_apart)
{
    for (int k = 0; k < n; k++)     /* loop: parallel */
        for (int j = 0; j < 5; j++) /* loop: parallel */
            x[k * 5 + j] = k * 0.5 + j;
}
KERNEL(blocks_over)
{
    for (int k = 0; k < n; k++)         /* loop: no */
        for (int r = 0; r < 3; r++)     /* loop: parallel */
            for (int j = 0; j < 3; j++) /* loop: parallel */
                b[k * 8 + r * 3 + j] = k + r * j;
}
KERNEL(blocks_apart)
{
    for (int k = 0; k < n; k++)         /* loop: parallel */
        for (int r = 0; r < 3; r++)     /* loop: parallel */
            for (int j = 0; j < 3; j++) /* loop: parallel */
                b[k * 9 + r * 3 + j] = k + r * j;
}
KERNEL(downward)
{
    for (int k = n - 1; k >= 0; k--) /* loop: no */
        for (int j = 0; j < 5; j++)  /* loop: parallel */
            b[k * 4 + j] = k * 3 - j;
}
KERNEL(in_front)
{
    for (int k = 1; k < n; k++)     /* loop: no */
        for (int j = 0; j < 4; j++) /* loop: parallel */
            b[k * 3 - j] = k * 3 - j * k;
}
KERNEL(of_two)
{
    for (int k = 0; k < n; k++) {   /* loop: no */
        for (int j = 0; j < 4; j++) /* loop: parallel */
            c[k * 4 + j] = k - j;
        for (int j = 0; j < 5; j++) /* loop: parallel */
            b[k * 4 + j] = k + j;
    }
}
KERNEL(of_two_apart)
{
    for (int k = 0; k < n; k++) {   /* loop: parallel */
        for (int j = 0; j < 4; j++) /* loop: parallel */
            c[k * 4 + j] = k - j;
        for (int j = 0; j < 4; j++) /* loop: parallel */
            b[k * 4 + j] = k + j;
    }
}
KERNEL(same_value)
{
    for (int k = 0; k < n; k++)     /* loop: either */
        for (int j = 0; j < 5; j++) /* loop: parallel */
            b[k * 4 + j] = 7;
}
KERNEL(in_two_lines)
{
    for (int k = 0; k < n; k++) {   /* loop: no */
        for (int j = 0; j < 4; j++) /* loop: parallel */
            b[k * 4 + j] = k - j;
        b[k * 4 + 4] = k;
    }
}
KERNEL(twice)
{
    for (int k = 0; k < n; k++)       /* loop: parallel */
        for (int j = 0; j < 4; j++) { /* loop: parallel */
            b[k * 4 + j] = k - j;
            if (c[k] > 1)
                b[k * 4 + j] += 1;
        }
}
KERNEL(stepped)
{
    for (int k = 0; k < 4 * n; k += 4) /* loop: no */
        for (int j = 0; j < 5; j++)    /* loop: parallel */
            b[k + j] = k * 3 - j;
}
KERNEL(by_pointer)
{
    int *p = b;
    for (int k = 0; k < n; k++, p += 4) /* loop: no */
        for (int j = 0; j < 5; j++)     /* loop: parallel */
            p[j] = k * 3 - j;
}
KERNEL(by_own_pointer)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        int *p = b + 4 * k;
        for (int j = 0; j < 5; j++) /* loop: parallel */
            p[j] = k * 3 - j;
    }
}
KERNEL(by_hand)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        b[k * 4] = k;
        b[k * 4 + 1] = k + 1;
        b[k * 4 + 2] = k + 2;
        b[k * 4 + 3] = k + 3;
        b[k * 4 + 4] = k + 4;
    }
}
static inline void put_five(int *to, int k)
{
    for (int j = 0; j < 5; j++) /* loop: either */
        to[j] = k * 3 - j;
}
KERNEL(by_call)
{
    for (int k = 0; k < n; k++) /* loop: no */
        put_five(b + 4 * k, k);
}
KERNEL(by_call_apart)
{
    for (int k = 0; k < n; k++) /* loop: parallel */
        put_five(b + 5 * k, k);
}

/* several in a line, or one in several */
static struct {
    int v, w;
} recs[8 * N];
KERNEL(fields_over_both)
{
    for (int k = 0; k < n; k++) /* loop: no */
        for (int j = 0; j < 5; j++) {
            recs[k * 4 + j].v = k * 100 + j;
            recs[k * 4 + j].w = k;
        }
}
KERNEL(chained)
{
    for (int k = 0; k < n; k++) /* loop: no */
        for (int j = 0; j < 5; j++)
            b[k * 4 + j] = c[k * 5 + j] = k * 100 + j;
}
KERNEL(two_lines)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        for (int j = 0; j < 3; j++)
            b[k * 4 + j] = k - j;
        for (int j = 3; j < 5; j++)
            b[k * 4 + j] = k - j;
    }
}
KERNEL(same_line_two)
{
    for (int k = 0; k < n; k++) /* loop: no */
        for (int j = 0; j < 3; j++)
            b[k * 3 + j] = k - j, c[k * 2 + j] = k + j;
}
KERNEL(two_inner)
{
    for (int k = 0; k < n; k++) /* loop: no */
        for (int j = 0; j < 4; j++)
            b[k * 4 + j] = k - j, b[k * 4 + j + 1] = k * 3;
}
KERNEL(twice_same)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        for (int j = 0; j < 4; j++)
            b[k * 4 + j] = k - j;
        for (int j = 1; j < 5; j++)
            b[k * 4 + j] = k + j;
    }
}
KERNEL(chained_apart)
{
    for (int k = 0; k < n; k++) /* loop: parallel */
        for (int j = 0; j < 5; j++)
            b[k * 5 + j] = c[k * 5 + j] = k * 100 + j;
}
KERNEL(two_lines_apart)
{
    for (int k = 0; k < n; k++) { /* loop: parallel */
        for (int j = 0; j < 3; j++)
            b[k * 5 + j] = k - j;
        for (int j = 3; j < 5; j++)
            b[k * 5 + j] = k - j;
    }
}

int main(void)
{
    int n = N;
    apart(n), digest(b, sizeof b), over(n), digest(b, sizeof b), short_over(n), doubles_over(n),
        digest(x, sizeof x), doubles_apart(n);
    blocks_over(n), digest(b, sizeof b), blocks_apart(n), digest(b, sizeof b), downward(n),
        digest(b, sizeof b), in_front(n), digest(b, sizeof b);
    of_two(n), digest(b, sizeof b), of_two_apart(n), digest(b, sizeof b), same_value(n), digest(b, sizeof b),
        in_two_lines(n), digest(b, sizeof b);
    twice(n), digest(b, sizeof b), stepped(n), digest(b, sizeof b), by_pointer(n), digest(b, sizeof b),
        by_own_pointer(n), digest(b, sizeof b), by_hand(n);
    digest(b, sizeof b), by_call(n), digest(b, sizeof b), by_call_apart(n);
    digest(b, sizeof b), digest(c, sizeof c), digest(x, sizeof x), digest(s, sizeof s);
    fields_over_both(n), digest(b, sizeof b), digest(c, sizeof c);
    chained(n), digest(b, sizeof b), digest(c, sizeof c);
    two_lines(n), digest(b, sizeof b), digest(c, sizeof c);
    same_line_two(n), digest(b, sizeof b), digest(c, sizeof c);
    two_inner(n), digest(b, sizeof b), digest(c, sizeof c);
    twice_same(n), digest(b, sizeof b), digest(c, sizeof c);
    chained_apart(n), digest(b, sizeof b), digest(c, sizeof c);
    two_lines_apart(n), digest(b, sizeof b), digest(c, sizeof c);
    digest(recs, sizeof recs);
    return finish();
}
