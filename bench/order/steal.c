/* Work stealing: each thread has a deque after Chase and Lev; it pushes and takes at one end, others steal at
 * the other. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, ROOM = 4096 };
static struct deque {
    _Atomic long top, bottom;
    _Atomic int task[ROOM];
} __attribute__((aligned(256))) deque[MOST];
static _Atomic long left __attribute__((aligned(256)));
static struct {
    long sum;
} __attribute__((aligned(256))) own[MOST];
static int threads;

static void push(struct deque *d, int v)
{
    long b = atomic_load_explicit(&d->bottom, memory_order_relaxed);
    atomic_store_explicit(&d->task[b % ROOM], v, memory_order_relaxed);
    atomic_store_explicit(&d->bottom, b + 1, memory_order_release);
}

static int take(struct deque *d)
{
    long b = atomic_load(&d->bottom) - 1;
    atomic_store(&d->bottom, b);
    long t = atomic_load(&d->top);
    if (t > b) {
        atomic_store(&d->bottom, b + 1);
        return -1;
    }
    int v = atomic_load_explicit(&d->task[b % ROOM], memory_order_relaxed);
    if (t == b) {
        if (!atomic_compare_exchange_strong(&d->top, &t, t + 1))
            v = -1;
        atomic_store(&d->bottom, b + 1);
    }
    return v;
}

static int steal(struct deque *d)
{
    long t = atomic_load(&d->top), b = atomic_load(&d->bottom);
    if (t >= b)
        return -1;
    int v = atomic_load_explicit(&d->task[t % ROOM], memory_order_relaxed);
    return atomic_compare_exchange_strong(&d->top, &t, t + 1) ? v : -1;
}

/* A task of size n makes two of half the size, or computes. */
static void *work(void *arg)
{
    long me = (long)arg, from = me;
    while (atomic_load_explicit(&left, memory_order_acquire) > 0) {
        int n = take(&deque[me]);
        if (n < 0)
            n = steal(&deque[from = (from + 1) % threads]);
        if (n < 0)
            continue;
        if (n > 40) {
            push(&deque[me], n / 2);
            push(&deque[me], n - n / 2);
            continue;
        }
        for (int i = 0; i < n * 8; i++)
            own[me].sum += own[me].sum % 7 + i;
        atomic_fetch_sub(&left, n);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    threads = argc > 1 ? atoi(argv[1]) : 4;
    left = 2000L * threads;
    push(&deque[0], (int)left);
    for (long i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    printf("%ld\n", (long)left);
}
