/* C11 threads: one mtx_t for the parts of all threads; repaired: each has its part to itself. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
enum { MOST = 64, SLOTS = 64 };
static mtx_t guard;
static long table[MOST][SLOTS] __attribute__((aligned(256)));
static int n;
static int work(void *arg)
{
    int me = (int)(intptr_t)arg;
    uint64_t x = (uint64_t)me + 1;
    for (int i = 0; i < 400; i++) {
        for (int k = 0; k < 60; k++)
            x = x * 6364136223846793005u + 1442695040888963407u;
#ifndef FIXED
        mtx_lock(&guard); /* FAULT */
#endif
        for (int k = 0; k < 8; k++)
            table[me][(x >> (k + 8)) % SLOTS] += k;
#ifndef FIXED
        mtx_unlock(&guard);
#endif
    }
    return 0;
}
int main(int argc, char **argv)
{
    thrd_t t[MOST];
    n = argc > 1 ? atoi(argv[1]) : 4;
    mtx_init(&guard, mtx_plain);
    for (int i = 1; i < n; i++)
        thrd_create(&t[i], work, (void *)(intptr_t)i);
    work((void *)0);
    long sum = 0;
    for (int i = 1; i < n; i++)
        thrd_join(t[i], NULL);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < SLOTS; k++)
            sum += table[i][k];
    printf("%ld\n", sum);
}
