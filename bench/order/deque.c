/* Deques that their owner uses at one end and thieves at the other without locks; tasks split in two. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { ROOM = 256, SIZE = 3000, LEAF = 24, MOST = 64 };
static struct deque {
    _Alignas(64) atomic_long top;
    _Alignas(64) atomic_long bottom;
    _Atomic unsigned long task[ROOM];
} deque[MOST];
static atomic_long left = SIZE, sum;
static int n;
static void push(struct deque *d, unsigned long task)
{
    long b = atomic_load_explicit(&d->bottom, memory_order_relaxed);
    atomic_store_explicit(&d->task[b % ROOM], task, memory_order_relaxed);
    atomic_store_explicit(&d->bottom, b + 1, memory_order_release);
}
static unsigned long pop(struct deque *d)
{
    long b = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
    atomic_store(&d->bottom, b);
    long t = atomic_load(&d->top);
    unsigned long task = 0;
    if (t <= b) {
        task = atomic_load_explicit(&d->task[b % ROOM], memory_order_relaxed);
        if (t != b)
            return task;
        if (!atomic_compare_exchange_strong(&d->top, &t, t + 1))
            task = 0;
    }
    atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
    return task;
}
static unsigned long steal(struct deque *d)
{
    long t = atomic_load(&d->top), b = atomic_load(&d->bottom);
    if (t >= b)
        return 0;
    unsigned long task = atomic_load_explicit(&d->task[t % ROOM], memory_order_relaxed);
    return atomic_compare_exchange_strong(&d->top, &t, t + 1) ? task : 0;
}
static void *work(void *arg)
{
    long me = (long)arg;
    unsigned v = (unsigned)me + 1;
    while (atomic_load_explicit(&left, memory_order_acquire) > 0) {
        unsigned long task = pop(&deque[me]);
        if (!task) {
            v = v * 1664525u + 1013904223u;
            task = steal(&deque[(v >> 16) % (unsigned)n]);
        }
        if (!task)
            continue;
        unsigned long from = task >> 32, to = task & 0xffffffff;
        while (to - from > LEAF) {
            unsigned long mid = (from + to) / 2;
            push(&deque[me], mid << 32 | to);
            to = mid;
        }
        unsigned long part = 0;
        for (unsigned long i = from; i < to; i++)
            for (unsigned long k = 0; k < i % 40; k++)
                part += i * k;
        atomic_fetch_add(&sum, (long)part);
        atomic_fetch_sub(&left, (long)(to - from));
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n = argc > 1 ? atoi(argv[1]) : 4;
    push(&deque[0], 1ul << 32 | (SIZE + 1));
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    printf("%ld\n", atomic_load(&sum));
}
