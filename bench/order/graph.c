/* Breadth first through a random graph: levels are taken by an atomic index, a node is visited by compare and
 * exchange, distances are written beside each other. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { NODES = 3000, EDGES = 4, MOST = 64 };
static unsigned edge[NODES][EDGES];
static atomic_uchar seen[NODES];
static unsigned short far[NODES];
static unsigned list[2][NODES];
static atomic_uint taken, size[2];
static pthread_barrier_t bar;
static void *walk(void *arg)
{
    (void)arg;
    for (unsigned level = 1, now = 0;; level++, now = !now) {
        unsigned i, length = size[now];
        if (!length)
            return NULL;
        while ((i = atomic_fetch_add(&taken, 4)) < length)
            for (unsigned k = i; k < i + 4 && k < length; k++)
                for (int e = 0; e < EDGES; e++) {
                    unsigned to = edge[list[now][k]][e];
                    unsigned char no = 0;
                    if (!seen[to] && atomic_compare_exchange_strong(&seen[to], &no, 1)) {
                        far[to] = (unsigned short)level;
                        list[!now][atomic_fetch_add(&size[!now], 1)] = to;
                    }
                }
        if (pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD) {
            taken = 0;
            size[now] = 0;
        }
        pthread_barrier_wait(&bar);
    }
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 4;
    unsigned v = 1;
    for (int i = 0; i < NODES; i++)
        for (int e = 0; e < EDGES; e++)
            edge[i][e] = (v = v * 1664525u + 1013904223u) / 1024 % NODES;
    pthread_barrier_init(&bar, NULL, (unsigned)n);
    size[0] = 1;
    seen[0] = 1;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, walk, NULL);
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < NODES; i++)
        sum += far[i];
    printf("%lu\n", sum);
}
