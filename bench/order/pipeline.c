/* Stages that hand numbers on through rings with one writer and one reader each; the second is slower. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 600, ROOM = 16, MOST = 64 };
static struct ring {
    _Atomic unsigned head __attribute__((aligned(128)));
    _Atomic unsigned tail __attribute__((aligned(128)));
    unsigned v[ROOM] __attribute__((aligned(128)));
} ring[MOST];
static int stages;

static void put(struct ring *r, unsigned v)
{
    unsigned h = atomic_load_explicit(&r->head, memory_order_relaxed);
    while (h - atomic_load_explicit(&r->tail, memory_order_acquire) == ROOM)
        ;
    r->v[h % ROOM] = v;
    atomic_store_explicit(&r->head, h + 1, memory_order_release);
}

static unsigned get(struct ring *r)
{
    unsigned t = atomic_load_explicit(&r->tail, memory_order_relaxed);
    while (atomic_load_explicit(&r->head, memory_order_acquire) == t)
        ;
    unsigned v = r->v[t % ROOM];
    atomic_store_explicit(&r->tail, t + 1, memory_order_release);
    return v;
}

static void *stage(void *arg)
{
    long me = (long)arg;
    unsigned last = 0;
    for (int i = 0; i < NUMBERS; i++) {
        unsigned v = me ? get(&ring[me]) : (unsigned)i;
        for (int k = 0; k < (me == 1 ? 120 : 40); k++)
            v = v * 1664525u + 1013904223u;
        if (me + 1 < stages)
            put(&ring[me + 1], v);
        else
            last = v;
    }
    return (void *)(long)last;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    stages = argc > 1 ? atoi(argv[1]) : 4;
    for (long i = 0; i < stages; i++)
        pthread_create(&t[i], NULL, stage, (void *)i);
    void *last;
    for (long i = 0; i < stages; i++)
        pthread_join(t[i], &last);
    printf("%u\n", (unsigned)(long)last);
}
