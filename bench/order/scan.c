/* A prefix sum in phases: blocks, the blocks' sums by one thread, blocks again; spinning barriers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 6000, ROUNDS = 6, MOST = 64 };
static long v[N], sums[MOST][32];
static _Atomic int arrived, sense;
static int threads;

static void barrier(int *mine)
{
    *mine = !*mine;
    if (atomic_fetch_add(&arrived, 1) == threads - 1) {
        arrived = 0;
        sense = *mine;
    } else
        while (sense != *mine)
            ;
}

static void *work(void *arg)
{
    int me = (int)(long)arg, mine = 0, first = N * me / threads, last = N * (me + 1) / threads;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = first + 1; i < last; i++)
            v[i] += v[i - 1];
        sums[me][0] = v[last - 1];
        barrier(&mine);
        if (me == 0)
            for (int i = 1; i < threads; i++)
                sums[i][0] += sums[i - 1][0];
        barrier(&mine);
        for (int i = first; me && i < last; i++)
            v[i] += sums[me - 1][0];
        barrier(&mine);
        for (int i = first; i < last; i++)
            v[i] %= 1001;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    threads = argc > 1 ? atoi(argv[1]) : 4;
    for (int i = 0; i < N; i++)
        v[i] = i % 13;
    for (long i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    printf("%ld\n", v[N - 1]);
}
