/* A bounded queue with a mutex and two condition variables; half of the threads fill it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { ROOM = 6, ITEMS = 160, MOST = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static unsigned item[ROOM], first, count, left;
static unsigned churn(unsigned v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        v = v * 1664525u + 1013904223u;
    return v;
}
static void *fill(void *arg)
{
    unsigned v = (unsigned)(long)arg + 1;
    for (int i = 0; i < ITEMS; i++) {
        v = churn(v, 40 + v % 64);
        pthread_mutex_lock(&lock);
        while (count == ROOM)
            pthread_cond_wait(&emptied, &lock);
        item[(first + count++) % ROOM] = v;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
static void *drain(void *arg)
{
    unsigned long sum = 0;
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!count && left)
            pthread_cond_wait(&filled, &lock);
        if (!left) {
            pthread_mutex_unlock(&lock);
            return (void *)sum;
        }
        unsigned v = item[first];
        first = (first + 1) % ROOM;
        count--;
        if (--left == 0)
            pthread_cond_broadcast(&filled);
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
        sum += v % 1000 + churn(v, 60) % 2;
    }
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 4;
    unsigned long sum = 0;
    left = (unsigned)(n / 2) * ITEMS;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, i < n / 2 ? fill : drain, (void *)i);
    for (int i = 0; i < n; i++) {
        void *part;
        pthread_join(t[i], &part);
        sum += (unsigned long)part;
    }
    printf("%lu\n", sum);
}
