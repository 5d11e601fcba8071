/* Loops whose dependences go through memory at -O0 and -O1, for tests/cli/loop-foreign.sh. A comment says
 * what a recording that sees memory alone has to say of a loop, and what its sentence has to have. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, ALL = 80 };
static double a[ALL], b[ALL], c[ALL];
static int counts[16], kept;
static jmp_buf back;

static double scratch(int k) /* its frame is used again by each call, for something else */
{
    volatile double t[8];
    for (int i = 0; i < 8; i++)
        t[i] = i + k;
    return t[k & 7];
}

static double *make(int n)
{
    double *p = malloc((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    return p;
}

static int keeps(int k)
{
    kept = kept / 2 + k;
    return kept;
}

static void one(int n)
{
    for (int i = 0; i < n; i++) /* wants: unknown registers not analysed */
        b[i] = c[i] * 2 + n;
    for (int i = 1; i < n; i++) { /* wants: sequential a at line READ that .* wrote at line WRITE */
        if (a[i - 1] >= 0)        /* READ */
            a[i] = b[i];          /* WRITE */
    }
    for (int i = 4; i < n; i++) /* wants: ordered 4 iterations before .*not analysed */
        a[i] = a[i - 4] + b[i];
    for (int i = 0; i < n; i++) /* wants: sequential reads c at line .* before a later one overwrites it */
        c[i] = c[i + 1] + b[i];
    for (int i = 0; i < n; i++) /* wants: unknown registers not analysed */
        counts[(int)b[i] & 15]++;
    for (int i = 0; i < 2 * n; i++) /* wants: sequential counts */
        counts[i & 15] = counts[i & 15] * 3 + counts[i + 5 & 15];
}

static void two(int n)
{
    double *p = make(n);
    for (int i = 1; i < n; i++) /* wants: sequential block allocated */
        p[i] = p[i] * p[i - 1];
    for (int i = 0; i < n; i++) /* wants: unknown registers not analysed */
        b[i] = scratch(i);
    for (int i = 0; i < 5; i++) /* wants: unknown registers not analysed */
        free(make(n + i));
    for (int i = 0; i < n; i++) /* wants: unknown registers not analysed */
        a[i] = keeps(i);
    for (int i = 0; i < 5; i++) /* wants: ordered printf */
        printf("%d %g %g %g %g %d\n", i, a[i], b[i], c[i], p[i], counts[i]);
    free(p);
}

static void out(int k)
{
    if (k % 3 == 2)
        longjmp(back, 1);
}

static void on_signal(int s)
{
    for (int i = 1; i < 9; i++) /* wants: sequential a */
        a[i] = a[i - 1] + s;
}

static void jumps(void)
{
    volatile int k = 0;
    signal(SIGUSR1, on_signal);
    while (k < 9) { /* wants: any */
        if (setjmp(back) == 0)
            for (int i = 0; i < 6; i++) { /* wants: any */
                k++;
                out(i);
            }
        raise(SIGUSR1);
    }
}

struct part {
    double *v;
    int chain;
};

static void *work(void *arg)
{
    struct part *p = arg;
    double *v = p->v;
    if (p->chain)
        for (int i = 1; i < N; i++) /* wants: sequential line */
            v[i] = v[i - 1] + v[i];
    else
        for (int i = 0; i < N; i++) /* wants: unknown registers not analysed */
            v[i] = v[i] * 3 + 1;
    return NULL;
}

static void threads(void)
{
    static double room[4][N];
    struct part p[4];
    pthread_t t[4];
    for (int i = 0; i < 4; i++) { /* wants: ordered pthread_create */
        p[i] = (struct part){room[i], i & 1};
        pthread_create(&t[i], NULL, work, &p[i]);
    }
    for (int i = 0; i < 4; i++) /* wants: ordered pthread_join */
        pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
    (void)argv;
    one(N);
    two(N);
    jumps();
    if (argc > 1)
        threads();
    return 0;
}
