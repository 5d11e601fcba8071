/* Threads allocate, fill and free blocks of changing sizes, and hand every eighth to the next thread through
 * a slot. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { ROUNDS = 400, MOST = 64 };
static _Atomic(char *) slot[MOST];
static int n;
static unsigned long sum[MOST * 16];
static void *work(void *arg)
{
    long me = (long)arg;
    unsigned seed = 17u + (unsigned)me;
    for (int i = 0; i < ROUNDS; i++) {
        seed = seed * 1664525u + 1013904223u;
        size_t size = 16 + (seed >> 20) % 400;
        char *p = malloc(size);
        memset(p, (int)(seed >> 24), size);
        for (size_t k = 0; k < size; k += 7)
            sum[me * 16] += (unsigned char)p[k];
        if (i % 8 == 0)
            p = atomic_exchange(&slot[(me + 1) % n], p);
        free(p);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n = argc > 1 ? atoi(argv[1]) : 4;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    unsigned long all = 0;
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < n; i++)
        all += sum[i * 16];
    printf("%lu\n", all);
}
