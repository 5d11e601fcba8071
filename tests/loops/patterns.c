/* Patterns that race benchmarks are made of, most of them put into one function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdint.h>
#define SIZE 300
#define IDX(i, j) ((i)*SIZE2 + (j))
#define SIZE2 40
int a[SIZE + 70], b[SIZE + 70];
double u[SIZE2][SIZE2], w[SIZE2][SIZE2];
float x_glob[SIZE], y_glob[SIZE];
int tmp_glob;
static int counter;
int *p_alias;
struct cell {
    int key, val;
    double weight;
};
static struct cell cells[SIZE];

static void anti1(int len)
{
    for (int i = 0; i < len - 1; i++) /* loop: no */
        a[i] = a[i + 1] + 1;
}
static void anti2(void)
{
    int i, j;
    for (i = 0; i < SIZE2 - 1; i++) /* loop: no */
        for (j = 0; j < SIZE2; j++) /* loop: parallel */
            u[i][j] += u[i + 1][j];
}
static void true1(int len)
{
    for (int i = 0; i < len - 1; i++) /* loop: no */
        a[i + 1] = a[i] + 1;
}
static void true_inner(void)
{
    for (int i = 0; i < SIZE2; i++)     /* loop: parallel */
        for (int j = 1; j < SIZE2; j++) /* loop: no */
            w[i][j] = w[i][j - 1] * 0.5 + 1;
}
static void firsthalf(int len)
{
    for (int i = 0; i < len; i++) /* loop: no */
        a[i] = a[len / 2] + b[i];
}
static void linear_missing(int len)
{
    int j = 0;
    for (int i = 0; i < len; i++) { /* loop: no */
        if (b[i] > 3)
            a[j++] = b[i];
    }
    printf("%d\n", j);
}
static void linear_plain(int len)
{
    int j = 0;
    for (int i = 0; i < len; i++) {
        a[j] = b[i] + i;
        j++;
    }
    printf("j=%d\n", j);
}
static void outer_lastprivate(int len)
{
    int x = 0;
    for (int i = 0; i <= len; i++) /* loop: private */
        x = i * 3;
    printf("x=%d\n", x);
}
static void plus_plus(int *in, int *out, int len)
{
    int n = 0;
    for (int i = 0; i < len; i++) /* loop: no */
        if (in[i] % 3 == 0)
            out[n++] = in[i];
    counter = n;
}
static void private_missing(int len)
{
    int tmp;
    for (int i = 0; i < len; i++) { /* loop: private */
        tmp = a[i] + i;
        a[i] = tmp * 2;
    }
}
static void private_carried(int len)
{
    int tmp = 10;
    for (int i = 0; i < len; i++) { /* loop: no */
        a[i] = tmp;
        tmp = b[i] + i;
    }
    printf("tmp %d\n", tmp);
}
static void private_global(int len)
{
    for (int i = 0; i < len; i++) { /* loop: private */
        tmp_glob = b[i] - i;
        a[i] = tmp_glob ^ 5;
    }
}
static int helper_glob(void)
{
    return tmp_glob + 1;
}
static void private_global_call(int len)
{
    for (int i = 0; i < len; i++) { /* loop: no */
        a[i] = helper_glob();
        tmp_glob = b[i];
    }
}
static void reduc_missing(void)
{
    double sum = 0, t;
    for (int i = 0; i < SIZE2; i++)       /* loop: reduction */
        for (int j = 0; j < SIZE2; j++) { /* loop: reduction */
            t = u[i][j];
            sum = sum + t * t;
        }
    printf("%g\n", sqrt(sum));
}
static void reduc_looked(int len)
{
    int sum = 0;
    for (int i = 0; i < len; i++) { /* loop: no */
        sum += b[i];
        if (sum > 1000)
            sum -= 1000;
    }
    printf("%d\n", sum);
}
static void minmax(int len)
{
    int mx = b[0], mn = b[0];
    for (int i = 1; i < len; i++) { /* loop: reduction */
        if (b[i] > mx)
            mx = b[i];
        if (b[i] < mn)
            mn = b[i];
    }
    printf("%d %d\n", mx, mn);
}
static void targ(int len)
{
    for (int i = 0; i < len; i++) { /* loop: private */
        int t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}
/* indirect with table whose places are two apart */
static int places[180];
static void indirect(double *base)
{
    double *xa1 = base, *xa2 = base + 12;
    for (int i = 0; i < 180; i++) { /* loop: reduction */
        int idx = places[i];
        xa1[idx] += 1.0;
        xa2[idx] += 3.0;
    }
}
static void indirect_sum(double *base)
{
    for (int i = 0; i < 180; i++) /* loop: reduction */
        base[places[i]] += 1.0;
}
static void plus_same(void)
{
    int n = SIZE / 2;
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[2 * i + 1] = a[2 * i] + 1;
}
static void minus_step(int len)
{
    for (int i = len - 1; i > 1; i -= 2) /* loop: no */
        a[i] = a[i - 2] + a[i - 1];
}
static void order_out(int len)
{
    for (int i = 0; i < len; i++) /* loop: ordered */
        if (i % 100 == 0)
            printf("%d\n", b[i]);
}
static void triangle(void)
{
    for (int i = 1; i < SIZE2; i++) /* loop: no */
        for (int j = 0; j < i; j++) /* loop: no */
            u[i][j] = u[i - 1][j] + u[i][j + 1];
}
static void jacobi(int iters)
{
    for (int it = 0; it < iters; it++) { /* loop: no */
        double err = 0;
        for (int i = 1; i < SIZE2 - 1; i++)       /* loop: reduction */
            for (int j = 1; j < SIZE2 - 1; j++) { /* loop: reduction */
                double r = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4 - u[i][j];
                w[i][j] = u[i][j] + r;
                err += r * r;
            }
        for (int i = 1; i < SIZE2 - 1; i++)     /* loop: parallel */
            for (int j = 1; j < SIZE2 - 1; j++) /* loop: parallel */
                u[i][j] = w[i][j];
        if (err < 1e-9)
            break;
        if (it % 4 == 0)
            printf("it %d %g\n", it, err);
    }
}
static void gauss_seidel(int iters)
{
    for (int it = 0; it < iters; it++)          /* loop: no */
        for (int i = 1; i < SIZE2 - 1; i++)     /* loop: no */
            for (int j = 1; j < SIZE2 - 1; j++) /* loop: no */
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
static void alias_swap(int iters)
{
    double *old = malloc(SIZE * sizeof *old), *new = malloc(SIZE * sizeof *new);
    for (int i = 0; i < SIZE; i++) /* loop: parallel */
        old[i] = new[i] = i % 7;
    for (int t = 0; t < iters; t++) {      /* loop: no */
        for (int i = 1; i < SIZE - 1; i++) /* loop: parallel */
            new[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
        double *s = old;
        old = new;
        new = s;
    }
    printf("%g\n", old[SIZE / 2]);
    free(old);
    free(new);
}
static void alias_same(void)
{
    double *p = malloc((SIZE + 8) * sizeof *p), *q = p;
    for (int i = 0; i < SIZE + 8; i++) /* loop: parallel */
        p[i] = i;
    if (counter >= 0)
        q = p + 1;
    for (int i = 0; i < SIZE; i++) /* loop: no */
        q[i] = p[i] * 0.5 + 1;
    printf("%g\n", p[SIZE]);
    free(p);
}
static void struct_cells(void)
{
    for (int i = 1; i < SIZE; i++) { /* loop: no */
        cells[i].key = cells[i - 1].val + 1;
        cells[i].val = cells[i].key % 17;
    }
    for (int i = 1; i < SIZE; i++) { /* loop: parallel */
        cells[i].key = cells[i - 1].val + 1;
        cells[i].weight = cells[i].key * 0.5;
    }
}
static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static void recursion(void)
{
    for (int i = 0; i < 16; i++) /* loop: parallel */
        a[i] = fib(i);
}
static int depth_seen;
static int walk(int n)
{
    if (n > depth_seen)
        depth_seen = n;
    return n <= 0 ? 0 : 1 + walk(n - 2);
}
static void recursion_state(void)
{
    for (int i = 0; i < 16; i++) /* loop: no */
        a[i] = walk(i);
}
static int calls;
static int walk2(int n)
{
    calls++;
    return n <= 0 ? calls : walk2(n - 2);
}
static void recursion_no(void)
{
    for (int i = 0; i < 16; i++) /* loop: no */
        a[i] = walk2(i);
}
static void cond_dep(int len, int k)
{
    for (int i = 1; i < len; i++) { /* loop: no */
        if (i == k)
            a[i] = a[i - 1] + 1;
        else
            a[i] = b[i];
    }
}
static void cond_dep_mod(int len)
{
    for (int i = 1; i < len; i++) /* loop: no */
        a[i] = (i & 7) == 0 ? a[i - 1] * 2 : b[i];
}
static void pipeline(int len)
{
    int prev = 0, cur;
    for (int i = 0; i < len; i++) { /* loop: no */
        cur = b[i] * 2;
        a[i] = cur - prev;
        prev = cur;
    }
}
static void pipeline2(int len)
{
    int left = b[len - 1];
    for (int i = 0; i < len; i++) { /* loop: no */
        a[i] = (b[i] + left) / 2;
        left = b[i];
    }
}
static void powers(int len)
{
    int f = 1;
    for (int i = 0; i < len; i++) { /* loop: no */
        a[i] = f;
        f = f * 3 % 1001;
    }
}
static void geometric(int len)
{
    double f = 1;
    for (int i = 0; i < len; i++) { /* loop: no */
        x_glob[i] = f;
        f *= 1.01;
    }
}
static void fstep(int len)
{
    double f = 0;
    for (int i = 0; i < len; i++) { /* loop: no */
        y_glob[i] = f;
        f += 0.1;
    }
}
static void idiv(int len)
{
    for (int i = 0; i < len; i++) /* loop: no */
        a[i / 2] = a[i / 2] * 2 + i;
}
static void polynomial(int len)
{
    for (int k = 2; k < len; k++) /* loop: no */
        x_glob[k] = 2 * 0.3f * x_glob[k - 1] - x_glob[k - 2];
}
static void flag_found(int len)
{
    int found = 0;
    for (int i = 0; i < len; i++) /* loop: reduction */
        if (b[i] == 77)
            found = 1;
    printf("found %d\n", found);
}
static void last_where(int len)
{
    int at = -1;
    for (int i = 0; i < len; i++) /* loop: no */
        if (b[i] % 5 == 0)
            at = i;
    printf("at %d\n", at);
}
static void first_where(int len)
{
    int i;
    for (i = 0; i < len; i++) /* loop: no */
        if (b[i] == 13)
            break;
    printf("first %d\n", i);
}
static void scalars(int len)
{
    cond_dep(len, len / 2);
    cond_dep_mod(len);
    pipeline(len);
    pipeline2(len);
    powers(len);
    geometric(len);
    fstep(len);
    idiv(len);
    polynomial(len);
    flag_found(len);
    last_where(len);
    first_where(len);
}
int main(int argc, char **argv)
{
    int len = argc > 1 ? atoi(argv[1]) : SIZE;
    for (int i = 0; i < len; i++) { /* loop: parallel */
        a[i] = i;
        b[i] = (i * 7919) % 101;
    }
    for (int i = 0; i < SIZE2; i++)     /* loop: parallel */
        for (int j = 0; j < SIZE2; j++) /* loop: parallel */
            u[i][j] = w[i][j] = i * 0.3 + j;
    for (int i = 0; i < 180; i++) /* loop: parallel */
        places[i] = i * 3 % 1000 + (i % 2);
    double *base = calloc(2000, sizeof *base);
    anti1(len);
    anti2();
    true1(len);
    true_inner();
    firsthalf(len);
    linear_missing(len);
    linear_plain(len);
    outer_lastprivate(len);
    plus_plus(b, a, len);
    private_missing(len);
    private_carried(len);
    private_global(len);
    private_global_call(len);
    reduc_missing();
    reduc_looked(len);
    minmax(len);
    targ(len);
    indirect(base);
    indirect_sum(base);
    plus_same();
    minus_step(len);
    order_out(len);
    triangle();
    jacobi(9);
    gauss_seidel(5);
    alias_swap(6);
    alias_same();
    struct_cells();
    recursion();
    recursion_state();
    recursion_no();
    scalars(len);
    double s = 0;
    for (int i = 0; i < len; i++) /* loop: reduction */
        s += a[i] * 1e-3 + b[i] + x_glob[i] + y_glob[i] + cells[i].key + cells[i].weight;
    for (int i = 0; i < 2000; i++) /* loop: reduction */
        s += base[i];
    for (int i = 0; i < SIZE2; i++)     /* loop: reduction */
        for (int j = 0; j < SIZE2; j++) /* loop: reduction */
            s += u[i][j] + w[i][j];
    printf("%.9g %d %d\n", s, counter, depth_seen + calls);
    return 0;
}
