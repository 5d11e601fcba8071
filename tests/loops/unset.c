/* Locals that are not set on every way. C gives each iteration its own, and compilers that optimise take it
 * at its word; where they do not, what an earlier iteration left is found there, and the run shows it. Labels
 * as in dependent.c, for -O0. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { COUNT = 100 };
static int out[COUNT], in[COUNT];
ALONE static void l1(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x;
        if (i % 10 == 0)
            x = i;
        out[i] = x;
    }
}
ALONE static void l2(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x[2];
        if (i % 10 == 0)
            x[1] = i;
        out[i] = x[1];
    }
}
ALONE static void l3(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        struct {
            int a, b;
        } x;
        x.a = i;
        if (i % 10 == 0)
            x.b = i;
        out[i] = x.b + x.a;
    }
}
ALONE static void l4(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int x;
        if (in[i] & 1)
            x = i;
        else
            x = 3;
        out[i] = x;
    }
}
ALONE static void l5(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x;
        switch (i % 10) {
        case 0:
            x = i;
            break;
        case 1:
            x = 3;
        }
        out[i] = x;
    }
}
ALONE static void l6(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int x;
        switch (i % 3) {
        case 0:
            x = i;
            break;
        case 1:
            x = 3;
            break;
        default:
            x = 4;
        }
        out[i] = x;
    }
}
ALONE static void l7(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int x[4];
        for (int j = 0; j < 4; j++)
            x[j] = i * j;
        out[i] = 0;
        for (int j = 0; j < 4; j++)
            out[i] += x[j];
    }
}
ALONE static void l8(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int *p;
        if (i % 10 == 0)
            p = &in[i];
        out[i] = *p;
    }
}
ALONE static void l9(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        double x;
        for (int j = 0; j < i % 3; j++)
            x = in[j] * 2;
        out[i] = x;
    }
}
ALONE static void l10(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int x, y;
        x = in[i];
        if (x > 3)
            y = 2;
        else {
            y = 4;
            x++;
        }
        out[i] = x * y;
    }
}
ALONE static void l11(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x;
        if (i % 4 == 0) {
            x = in[i];
            continue;
        }
        out[i] = x;
    }
}
ALONE static void get(int i, int *p)
{
    if (i % 5 == 0)
        *p = i;
}
ALONE static void l12(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int x;
        get(i, &x);
        out[i] = x;
    }
}
ALONE static void l13(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        char b[16];
        if (i % 5 == 0)
            strcpy(b, "hello");
        b[i % 4]++;
        out[i] = b[1];
    }
}
int main(int argc, char **argv)
{
    int n = COUNT * argc;
    for (int i = 0; i < COUNT; i++)
        in[i] = i * 7 % 13;
    l1(n);
    digest(out, 400);
    l2(n);
    digest(out, 400);
    l3(n);
    digest(out, 400);
    l4(n);
    digest(out, 400);
    l5(n);
    digest(out, 400);
    l6(n);
    digest(out, 400);
    l7(n);
    digest(out, 400);
    l8(n);
    digest(out, 400);
    l9(n);
    digest(out, 400);
    l10(n);
    digest(out, 400);
    l11(n);
    digest(out, 400);
    l12(n);
    digest(out, 400);
    l13(n);
    digest(out, 400);
    return finish();
}
