/* What the seeded faults share. Each program takes the number of threads; built with -DFIXED it is repaired
 * and computes the same. The line a finding must name has the word FAULT in a comment. */
#ifndef FAULTS_H
#define FAULTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, LINE = 256 };

static int nthreads = 4;
static long result[MOST][LINE / sizeof(long)] __attribute__((aligned(LINE)));

static inline uint64_t mix(uint64_t x)
{
    return x * 6364136223846793005u + 1442695040888963407u;
}

/* Computation that nobody else sees. */
static __attribute__((noinline, unused)) uint64_t compute(uint64_t x, int n)
{
    for (int i = 0; i < n; i++) {
        x = mix(x) ^ x >> 29;
        __asm__ volatile("" : "+r"(x)); /* so that it is done even if nobody uses it */
    }
    return x;
}

static void *work(void *arg);

static int run(int argc, char **argv)
{
    pthread_t t[MOST];
    nthreads = argc > 1 ? atoi(argv[1]) : 4;
    if (nthreads < 1 || nthreads > MOST)
        return 2;
    for (long i = 1; i < nthreads; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    work(NULL);
    for (int i = 1; i < nthreads; i++)
        pthread_join(t[i], NULL);
    long sum = 0;
    for (int i = 0; i < nthreads; i++)
        sum += result[i][0];
    printf("%ld\n", sum);
    return 0;
}

#endif
