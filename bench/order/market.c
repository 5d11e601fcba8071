/* Half of the threads make numbers, half use them, through one bounded queue with a mutex and two conditions.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 12, EACH = 250, MOST = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static unsigned queue[ROOM];
static int head, tail;
static struct {
    unsigned long sum;
} __attribute__((aligned(256))) own[MOST];

static unsigned chew(unsigned v)
{
    for (int i = 0; i < 150; i++)
        v = v * 1664525u + 1013904223u;
    return v;
}

static void *make(void *arg)
{
    for (int i = 0; i < EACH; i++) {
        unsigned v = chew((unsigned)(long)arg + (unsigned)i);
        pthread_mutex_lock(&lock);
        while (head - tail == ROOM)
            pthread_cond_wait(&less, &lock);
        queue[head++ % ROOM] = v;
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&more);
    }
    return NULL;
}

static void *use(void *arg)
{
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_lock(&lock);
        while (head == tail)
            pthread_cond_wait(&more, &lock);
        unsigned v = queue[tail++ % ROOM];
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&less);
        own[(long)arg].sum += chew(v);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 4;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, i % 2 ? use : make, (void *)i);
    for (long i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum += own[i].sum;
    printf("%lu\n", sum);
}
