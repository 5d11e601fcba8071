/* Products of polynomials by three halves: recursion with tasks whose memory lies on stacks. */
#include "truth.h"
enum { N = SIZE(256, 8192), CUT = SIZE(32, 512) };
static int a[N], b[N], product[2 * N];
static void plain(const int *x, const int *y, int *z, int n)
{
    memset(z, 0, 2 * (size_t)n * sizeof *z);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i + j] += x[i] * y[j];
}
static void multiply(const int *x, const int *y, int *z, int n)
{
    if (n <= CUT) {
        plain(x, y, z, n);
        return;
    }
    int h = n / 2, sx[h], sy[h], middle[n];
    for (int i = 0; i < h; i++) {
        sx[i] = x[i] + x[h + i];
        sy[i] = y[i] + y[h + i];
    }
#pragma omp task
    {
        CALL_BEGIN("karat.part");
        multiply(x, y, z, h);
        CALL_END("karat.part");
    }
#pragma omp task
    {
        CALL_BEGIN("karat.part");
        multiply(x + h, y + h, z + n, h);
        CALL_END("karat.part");
    }
#pragma omp task shared(sx, sy, middle)
    {
        CALL_BEGIN("karat.part");
        multiply(sx, sy, middle, h);
        CALL_END("karat.part");
    }
    CALL_BEGIN("karat.wait");
#pragma omp taskwait
    CALL_END("karat.wait");
    for (int i = 0; i < n; i++)
        middle[i] -= z[i] + z[n + i];
    for (int i = 0; i < n; i++)
        z[h + i] += middle[i];
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++) {
        a[i] = i % 11 - 5;
        b[i] = i % 7 - 3;
    }
    KERNEL_BEGIN();
    BEGIN("karat.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("karat.root");
        multiply(a, b, product, N);
        END("karat.root");
    }
    END("karat.all");
    KERNEL_END(product[N]);
}
