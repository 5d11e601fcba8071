/* Fields of one colour, which have no neighbours of their own colour; loops that are run a few times over the
 * same elements, by one around them that compilers unroll as a whole; and, beside them, what only looks like
 * it. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { M = 26, L = 300 };
struct dot {
    float x, y, far;
};
static double u[M][M], v[M][M], w[M][M];
static int a[L + 8], b[L + 8];
static struct dot dots[L + 8];

ALONE void board(int n, int c)
{
    for (int i = 1; i < n - 1; i++)                        /* loop: parallel */
        for (int j = 1 + ((i + c) & 1); j < n - 1; j += 2) /* loop: parallel */
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
ALONE void board_corners(int n, int c)
{
    for (int i = 1; i < n - 1; i++)                        /* loop: no */
        for (int j = 1 + ((i + c) & 1); j < n - 1; j += 2) /* loop: parallel */
            u[i][j] = 0.25 * (u[i - 1][j - 1] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
/* half of the colours here, all of them there */
ALONE void board_twice(int n)
{
    for (int c = 0; c < 2; c++)                              /* loop: no */
        for (int i = 1; i < n - 1; i++)                      /* loop: parallel */
            for (int j = 1 + (i % 2 ^ c); j < n - 1; j += 2) /* loop: parallel */
                v[i][j] += v[i - 1][j] * 0.5 + v[i][j + 1];
}
ALONE void board_in_rows(int n)
{
    for (int c = 0; c < 2; c++)                    /* loop: no */
        for (int i = 1; i < n - 1; i++)            /* loop: no */
            for (int j = 1 + c; j < n - 1; j += 2) /* loop: parallel */
                v[i][j] += v[i - 1][j] * 0.5 + v[i][j + 1];
}
ALONE void thirds(int n)
{
    for (int i = 1; i < n; i++)            /* loop: parallel */
        for (int j = i % 3; j < n; j += 3) /* loop: parallel */
            w[i][j] = w[i - 1][j] + 1;
}
ALONE void thirds_aslant(int n)
{
    for (int i = 1; i < n; i++)                /* loop: no */
        for (int j = 1 + i % 3; j < n; j += 3) /* loop: parallel */
            w[i][j] = w[i - 1][j - 1] + 1;
}
/* rows of one line, an even number of them */
ALONE void steps_of_four(int n)
{
    for (int i = 1; i < n - 1; i++)                    /* loop: no */
        for (int j = 1 + i / 2 % 2; j < n - 1; j += 4) /* loop: parallel */
            w[i][j] = w[i - 1][j] * 0.5 + w[i + 1][j];
}
/* --- run a few times over --- */
ALONE void pairs_sorted(int n, int *t)
{
    for (int p = 0; p < 4; p++)                /* loop: no */
        for (int i = p & 1; i < n - 1; i += 2) /* loop: parallel */
            if (t[i] > t[i + 1]) {
                int x = t[i];
                t[i] = t[i + 1];
                t[i + 1] = x;
            }
}
ALONE void threes_sorted(int n, int *t)
{
    for (int p = 0; p < 4; p++)                /* loop: no */
        for (int i = p & 1; i < n - 2; i += 2) /* loop: no */
            if (t[i] > t[i + 2]) {
                int x = t[i];
                t[i] = t[i + 2];
                t[i + 2] = x;
            }
}
ALONE void measured(int n, struct dot *d)
{
    for (int t = 0; t < 3; t++)     /* loop: no */
        for (int i = 0; i < n; i++) /* loop: parallel */
            d[i].far = d[i].far * 0.5f + d[i].x * d[i].x + d[i].y;
}
ALONE void measured_from(int n, struct dot *d)
{
    for (int t = 0; t < 3; t++)     /* loop: no */
        for (int i = 1; i < n; i++) /* loop: no */
            d[i].far = d[i - 1].far * 0.5f + d[i].x * d[i].x + d[i].y;
}
ALONE void taken_over(double g[2][L], int n)
{
    int s = 0;
    for (int t = 0; t < 4; t++) {       /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            g[1 - s][i] = 0.5 * (g[s][i - 1] + g[s][i + 1]);
        s = 1 - s;
    }
}
ALONE void kept_there(double g[2][L], int n)
{
    int s = 0;
    for (int t = 0; t < 4; t++) {       /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: no */
            g[s][i] = 0.5 * (g[s][i - 1] + g[1 - s][i + 1]);
        s = 1 - s;
    }
}
/* four at a time, as people unroll by hand: the head says more than that i is below n */
ALONE void quads(int n, int *t)
{
    for (int i = 0; i + 3 < n; i += 4) { /* loop: parallel */
        t[i] = t[i + 3] + 1;
        t[i + 1] = t[i] ^ t[i + 2];
        t[i + 2] = t[i + 1] + 2;
        t[i + 3] = t[i + 2] & 1023;
    }
}
ALONE void quads_and_one(int n, int *t)
{
    for (int i = 0; i + 4 < n; i += 4) { /* loop: no */
        t[i] = t[i + 3] + 1;
        t[i + 1] = t[i] ^ t[i + 2];
        t[i + 2] = t[i + 1] + 2;
        t[i + 4] = t[i + 2] & 1023;
    }
}
/* from both ends of a row */
ALONE void folded(int n, int r)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        w[r][i] = w[r][n - 1 - i] * 0.5 + 1;
}
ALONE void folded_over(int n, int r)
{
    for (int i = 0; i < n / 2 + 2; i++) /* loop: no */
        w[r][i] = w[r][n - 1 - i] * 0.5 + 1;
}
/* a row goes on into the next */
ALONE void too_long(int n, double (*g)[8])
{
    for (int t = 0; t < 2; t++)         /* loop: no */
        for (int i = 0; i < n; i++)     /* loop: no */
            for (int j = 0; j < n; j++) /* loop: parallel */
                g[i][j] = g[i][j] * 0.5 + t + i;
}
int main(int argc, char **argv)
{
    (void)argv;
    int n = M + argc - 1;
    static double g[2][L], h[20][8];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            u[i][j] = v[i][j] = w[i][j] = i * 7 % 5 + j * 0.25;
    for (int i = 0; i < L + 8; i++) {
        a[i] = i * 37 % 101;
        b[i] = i * 53 % 211;
        dots[i] = (struct dot){(float)i, 1, 0};
    }
    for (int i = 0; i < L; i++)
        g[0][i] = g[1][i] = i % 11;
    for (int c = 0; c < 4; c++) {
        board(n, c);
        board_corners(n, c);
    }
    board_twice(n);
    board_in_rows(n);
    thirds(n);
    thirds_aslant(n);
    steps_of_four(n);
    pairs_sorted(L, a);
    threes_sorted(L, b);
    measured(L, dots);
    measured_from(L, dots);
    taken_over(g, L);
    kept_there(g, L);
    too_long(12, h);
    quads(L, a);
    quads_and_one(L, b);
    folded(n, 2);
    folded_over(n, 3);
    digest(u, sizeof u), digest(v, sizeof v), digest(w, sizeof w), digest(a, sizeof a), digest(b, sizeof b);
    digest(dots, sizeof dots), digest(g, sizeof g), digest(h, sizeof h);
    return finish();
}
