/* Loops too long to be followed whole, whose iterations meet far from each other or late; see
 * loop-samples.sh. */
#include <stdio.h>
#include <stdlib.h>
enum { N = 300000 };
static int x[N], y[N], table[N], count, last;
static double a[N];
static struct {
    double at, speed;
} body[1000];
__attribute__((noinline)) static void rare(int i)
{
    static int seen;
    seen = seen * 3 + i;
    last = seen;
    count++;
}
__attribute__((noinline)) static int hash(int i)
{
    return i * 7 % 299993;
}
__attribute__((noinline)) static int *find(int *t, int i)
{
    return &t[table[i]];
}
int main(void)
{
    int *t = calloc(N, sizeof *t);
    for (int i = 0; i < N; i++)
        table[i] = i;
    table[290000] = 7;
    for (int i = 0; i < N; i++) { /* needs: late call */
        a[i] = a[i] * 0.5 + i;
        if (i > 250000)
            rare(i);
    }
    for (int i = 0; i < N; i++) { /* needs: looked up first */
        int j = table[i];
        x[j] = i;
    }
    for (int i = 0; i < N; i++) /* needs: computed by a function */
        y[hash(i)] = i;
    for (int i = 0; i < N; i++) { /* needs: a remainder */
        int h = i * 7 % 299981;
        y[h] += x[i] - y[h] / 2;
    }
    for (int i = 0; i < N; i++) { /* needs: a pointer to what was looked up */
        int *q = &x[table[i]];
        *q = i;
    }
    for (int i = 0; i < N; i++) { /* combines: a pointer from a function */
        int *q = find(t, i);
        *q += i;
    }
    for (int i = 1; i < N - 1; i++) { /* free: its own elements */
        double *own = &a[i];
        *own = (x[i - 1] + x[i] + x[i + 1]) / 3;
    }
    for (int i = 0; i < 1000; i++) { /* free: a field that is combined with others' */
        double f = 0;
        for (int j = 0; j < 1000; j++)
            f += body[j].at - body[i].at;
        body[i].speed += f;
    }
    printf("%d %d %g %d %d\n", count, last, a[5], t[7], y[9]);
    return 0;
}
