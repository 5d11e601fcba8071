/* Pairs of threads, each with a ring that one fills and the other empties; head and tail are on one line. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { ROOM = 32, ITEMS = 900, MOST = 64 };
static struct {
    _Alignas(64) atomic_uint head, tail;
    unsigned item[ROOM];
} ring[MOST / 2];
static void *send(void *arg)
{
    long me = (long)arg;
    unsigned v = (unsigned)me + 1;
    for (unsigned i = 0; i < ITEMS; i++) {
        for (unsigned k = 0; k < v % 32; k++)
            v = v * 1664525u + 1013904223u;
        v = v * 1664525u + 1013904223u;
        while (i - atomic_load_explicit(&ring[me].tail, memory_order_acquire) == ROOM)
            ;
        ring[me].item[i % ROOM] = v;
        atomic_store_explicit(&ring[me].head, i + 1, memory_order_release);
    }
    return NULL;
}
static void *receive(void *arg)
{
    long me = (long)arg, sum = 0;
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&ring[me].head, memory_order_acquire) == i)
            ;
        unsigned v = ring[me].item[i % ROOM];
        atomic_store_explicit(&ring[me].tail, i + 1, memory_order_release);
        for (unsigned k = 0; k < v % 40; k++)
            sum += v >> k % 16 & 1;
    }
    return (void *)sum;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) / 2 * 2 : 4;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, i % 2 ? receive : send, (void *)(i / 2));
    long sum = 0;
    for (int i = 0; i < n; i++) {
        void *part;
        pthread_join(t[i], &part);
        sum += (long)part;
    }
    printf("%ld\n", sum);
}
