/* Diners with semaphores for forks, and a room that seats one less than there are. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
enum { MEALS = 60, MOST = 64 };
static sem_t fork_of[MOST], room;
static int n, meals[MOST];
static unsigned plate[MOST];
static void *dine(void *arg)
{
    long me = (long)arg;
    unsigned v = (unsigned)me;
    for (int i = 0; i < MEALS; i++) {
        for (unsigned k = 0; k < 80 + v % 128; k++)
            v = v * 1664525u + 1013904223u;
        sem_wait(&room);
        sem_wait(&fork_of[me]);
        sem_wait(&fork_of[(me + 1) % n]);
        for (int k = 0; k < 16; k++)
            plate[me] += plate[(me + 1) % n] / 2 + 1;
        meals[me]++;
        sem_post(&fork_of[(me + 1) % n]);
        sem_post(&fork_of[me]);
        sem_post(&room);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n = argc > 1 ? atoi(argv[1]) : 4;
    sem_init(&room, 0, (unsigned)n - 1);
    for (int i = 0; i < n; i++)
        sem_init(&fork_of[i], 0, 1);
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, dine, (void *)i);
    int all = 0;
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL), all += meals[i];
    printf("%d\n", all);
}
