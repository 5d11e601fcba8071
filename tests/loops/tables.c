/* Elements that a constant table or a remainder tells: whether iterations meet is said by the numbers and by
 * how often the loop turns. Labels as in dependent.c. */
#include "loops.h"
#define ALONE __attribute__((noinline))
static int x[200], y[200];
static unsigned char z[200];
static const unsigned char zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                         12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                         35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                         58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
static const int late[40] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113,
                             114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
                             128, 129, 130, 131, 132, 133, 134, 135, 5,   137, 138, 139};
static const int few[40] = {3, 1, 3, 2, 1};
static const unsigned char odd[40] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0,
                                      1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
ALONE static void permuted(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        x[zigzag[i]] = y[i];
}
ALONE static void looked_at_for_nothing(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        x[late[i]] = i;
        s = x[i + 6];
    }
    keep(y[n]);
}
ALONE static void looked_at_late(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        x[late[i]] = i;
        s = x[i + 2];
        y[i] = s;
    }
}
ALONE static void met_late(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        y[late[i]] = y[i] + 1;
        z[i] = 1;
    }
}
ALONE static void met_late_if(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = 1;
        if (odd[i])
            y[late[i]] = y[i + 1] + 1;
    }
}
ALONE static void never_if(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        z[i] = 1;
        if (odd[i])
            y[late[i]] = y[i] + 1;
    }
}
ALONE static void remainder_apart(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        x[(3 + i) % 160] = x[(90 + i) % 160] + 1;
}
ALONE static void remainder_wraps(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        x[(3 + i) % 160] = x[(90 + i) % 160] + 2;
}
ALONE static void summed(int n)
{
    for (int i = 0; i < n; i++) { /* loop: reduction */
        x[few[i % 5]] += y[i];
        y[i] = x[i + 50];
    }
}
ALONE static void summed_and_seen(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        x[few[i % 5]] += y[i];
        y[i] = x[i + 2];
    }
}
ALONE static void downwards(int n)
{
    for (int i = 3 * (n - 1); i >= 0; i -= 3) /* loop: parallel */
        x[i + 1] = x[i + 2] + x[5];
}
ALONE static void downwards_met(int n)
{
    for (int i = 3 * (n - 1); i >= 0; i -= 3) /* loop: no */
        x[i + 1] = x[i + 4] + x[5];
}
ALONE static void while_counted(int n)
{
    int i = 0;
    while (i < 2 * n) { /* loop: parallel */
        x[zigzag[i] + 100] = x[i];
        i += 2;
    }
}
ALONE static void rows(int n, int m)
{
    for (int i = 0; i < n; i++) {   /* loop: no */
        for (int j = 0; j < m; j++) /* loop: parallel */
            x[zigzag[j] + 80] = x[zigzag[i]] + 1;
        x[zigzag[i]] = x[80 + i];
    }
}
ALONE static void overwritten(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        x[i] = 1;
        x[i + 1] = 2;
        y[late[i]] = y[i];
    }
}
ALONE static void leaves_last(int n)
{
    int last = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        last = z[i];
        x[5] = last;
        y[late[i]] += y[i];
    }
    keep(last);
}
int main(int argc, char **argv)
{
    (void)argv;
    int n = argc + 38;
    permuted(n + 25);
    looked_at_for_nothing(n - 10);
    looked_at_late(n);
    met_late(n);
    met_late_if(n);
    never_if(n);
    remainder_apart(n);
    remainder_wraps(n + 80);
    summed(n);
    summed_and_seen(n);
    downwards(n);
    downwards_met(n);
    while_counted(n - 10);
    rows(n - 10, n - 19);
    overwritten(n);
    leaves_last(n);
    for (int i = 0; i < 200; i++)
        keep(x[i] + y[i] + z[i]);
    return finish();
}
