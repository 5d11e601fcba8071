/* Arrays of several types: what is written as one is not read as another, but for characters and unions. */
#include "loops.h"

enum { COUNT = 400 };
static double *da, *dv, *dw;
static float *fa;
static int *ia, *ib;
static unsigned char *ca;
static union both {
    int i;
    float f;
} * ua, *ub;

KERNEL(product)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double s = 0;
        for (int k = ia[i]; k < ia[i + 1]; k++) /* loop: reduction */
            s += dv[ib[k]];
        dw[i] = s;
    }
}
KERNEL(differences)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        da[i] = ia[i + 1] - ia[i];
}
KERNEL(halves)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        fa[i] = (float)(dv[i] + dv[i + 1]);
}
KERNEL(bytes)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ia[i] + 1;
        ca[4 * (i + 1)] = (unsigned char)i;
    }
}
KERNEL(unions)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ua[i].i + 1;
        ub[i + 1].f = (float)i;
    }
}
KERNEL(same_type)
{
    int *p = ia, *q = ia + 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        da[i] = p[i];
        q[i] = i;
    }
}
KERNEL(signs)
{
    int *p = ia;
    unsigned *q = (unsigned *)ia + 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        da[i] = p[i];
        q[i] = (unsigned)i;
    }
}

int main(int argc, char **argv)
{
    int n = COUNT + (argc - 1), m = n + 16;
    (void)argv;
    da = malloc(m * sizeof *da), dv = malloc(m * sizeof *dv), dw = malloc(m * sizeof *dw);
    fa = malloc(m * sizeof *fa), ia = malloc(m * sizeof *ia), ib = malloc(m * sizeof *ib);
    ua = ub = malloc(m * sizeof *ua);
    ca = (unsigned char *)ia;
    for (int i = 0; i < m; i++)
        da[i] = dv[i] = dw[i] = i, fa[i] = 1, ia[i] = i, ib[i] = i * 7 % n, ua[i].i = i;
    product(n), differences(n), halves(n), same_type(n), signs(n), bytes(n), unions(n);
    for (int i = 0; i < n; i++)
        keep(da[i] + dw[i] + fa[i] + ib[i] + ua[i].i);
    printf("%g\n", sink);
    return 0;
}
