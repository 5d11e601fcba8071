/* Bodies that attract each other: all read all, each thread moves its own, a barrier between the two. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 96, STEPS = 5, MOST = 64 };
static struct {
    double x, y, vx, vy;
} body[BODIES];
static pthread_barrier_t gate;
static int threads;

static void *work(void *arg)
{
    int me = (int)(long)arg, first = BODIES * me / threads, last = BODIES * (me + 1) / threads;
    for (int s = 0; s < STEPS; s++) {
        for (int i = first; i < last; i++)
            for (int k = 0; k < BODIES; k++) {
                double dx = body[k].x - body[i].x, dy = body[k].y - body[i].y, d = dx * dx + dy * dy + 0.01;
                body[i].vx += dx / d * 1e-4;
                body[i].vy += dy / d * 1e-4;
            }
        pthread_barrier_wait(&gate);
        for (int i = first; i < last; i++) {
            body[i].x += body[i].vx;
            body[i].y += body[i].vy;
        }
        pthread_barrier_wait(&gate);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    threads = argc > 1 ? atoi(argv[1]) : 4;
    pthread_barrier_init(&gate, NULL, (unsigned)threads);
    for (int i = 0; i < BODIES; i++) {
        body[i].x = i * 37 % 101;
        body[i].y = i * 61 % 97;
    }
    for (long i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    printf("%.3f\n", body[0].x);
}
