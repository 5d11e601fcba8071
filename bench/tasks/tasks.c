/* Tasks of a given length, by one maker, by all threads, and in a recursion: how long they take in all.
 *
 *   tasks KIND TASKS NS REPEATS     KIND: flat (one thread makes all), tree (two at each step down, each
 * waits for its two), cut (as tree, with `final` from half its depth on)
 *
 * Prints "NS-OF-ONE-TASK SERIAL LEAST MIDDLE": ns of a task's work as measured, of the same work without
 * tasks, of the region with them. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static __attribute__((noinline)) void work(long rounds)
{
    for (long i = 0; i < rounds; i++)
        __asm__ __volatile__("" : "+r"(i));
}

static long rounds_for(double ns)
{
    double least = 1e18;
    enum { MANY = 1000000 };
    for (int i = 0; i < 10; i++) {
        double t = now();
        work(MANY);
        t = now() - t;
        least = t < least ? t : least;
    }
    return (long)(ns * MANY / least);
}

static long rounds;
static int levels;

static void flat(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp task
        work(rounds);
    }
}

static void tree(int depth)
{
    if (depth < levels) {
#pragma omp task
        tree(depth + 1);
#pragma omp task
        tree(depth + 1);
#pragma omp taskwait
    }
    work(rounds);
}

static void cut(int depth)
{
    if (depth < levels) {
#pragma omp task final(depth >= levels / 2)
        cut(depth + 1);
#pragma omp task final(depth >= levels / 2)
        cut(depth + 1);
#pragma omp taskwait
    }
    work(rounds);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    long n = atol(argv[2]), repeats = atol(argv[4]);
    double serial = 1e18, *with = malloc(sizeof *with * (size_t)(repeats + 1));
    rounds = rounds_for(atof(argv[3]));
    while ((2L << (levels + 1)) - 1 <= n)
        levels++;
    if (strcmp(argv[1], "flat") != 0)
        n = (2L << levels) - 1;
    for (long r = 0; r <= repeats; r++) {
        double t = now();
        for (long i = 0; i < n; i++)
            work(rounds);
        t = now() - t;
        serial = t < serial ? t : serial;
        t = now();
#pragma omp parallel
#pragma omp master
        {
            if (strcmp(argv[1], "flat") == 0)
                flat(n);
            else if (strcmp(argv[1], "tree") == 0)
                tree(0);
            else
                cut(0);
        }
        with[r] = now() - t;
    }
    qsort(with + 1, (size_t)repeats, sizeof *with,
          by_size); /* the first is another matter: threads are made */
    printf("%.1f %.0f %.0f %.0f\n", serial / (double)n, serial, with[1], with[1 + repeats / 2]);
    return 0;
}
