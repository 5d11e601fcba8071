/* What the examples share: starting threads, a barrier that spins, and time-free pseudo-random numbers. */
#ifndef EXAMPLE_THREADS_H
#define EXAMPLE_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 64 };

static int nthreads = 4;
/* on lines of their own: what is written while others spin must not sit beside what they read */
static _Alignas(256) atomic_int barrier_arrived;
static _Alignas(256) atomic_int barrier_round;
static _Alignas(256) char barrier_end[256] __attribute__((unused));

/* Everyone spins until the last has come, as on a machine without an operating system. */
__attribute__((noinline, unused)) static void barrier_wait(void)
{
    int round = atomic_load_explicit(&barrier_round, memory_order_acquire);
    int last = nthreads - 1;
    if (atomic_fetch_add(&barrier_arrived, 1) == last) {
        atomic_store(&barrier_arrived, 0);
        atomic_store_explicit(&barrier_round, round + 1, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&barrier_round, memory_order_acquire) == round)
        ;
}

/* The main thread is thread 0. */
__attribute__((unused)) static void run_threads(void *(*f)(void *))
{
    pthread_t t[MAX_THREADS];
    for (long i = 1; i < nthreads; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    f((void *)0);
    for (int i = 1; i < nthreads; i++)
        pthread_join(t[i], NULL);
}

__attribute__((unused)) static int argument(int argc, char **argv, int at, int otherwise, int low, int high)
{
    long v = argc > at ? strtol(argv[at], NULL, 10) : otherwise;
    if (v < low || v > high) {
        fprintf(stderr, "argument %d must be from %d to %d\n", at, low, high);
        exit(2);
    }
    return (int)v;
}

__attribute__((unused)) static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

#endif
