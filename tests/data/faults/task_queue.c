/* Small tasks from one queue under a lock; repaired: each thread has a queue, and takes many at a time. */
#include "faults.h"

enum { TASKS = 1200 }; /* of each thread */
static struct queue {
    pthread_mutex_t lock;
    int next, end;
} __attribute__((aligned(LINE))) queue[MOST];

#ifdef FIXED
enum { AT_ONCE = 100 };
#else
enum { AT_ONCE = 1 };
#endif

static int take(struct queue *q)
{
    pthread_mutex_lock(&q->lock); /* FAULT */
    int many = q->next < q->end ? AT_ONCE : 0;
    q->next += many;
    pthread_mutex_unlock(&q->lock);
    return many;
}

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
#ifdef FIXED
    struct queue *q = &queue[me];
#else
    struct queue *q = &queue[0];
#endif
    for (int many = take(q); many > 0; many = take(q))
        while (many-- > 0) {
            x = compute(x, 40);
            result[me][0]++;
        }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    for (int i = 0; i < n; i++)
        queue[i].end = TASKS;
#ifndef FIXED
    queue[0].end = n * TASKS;
#endif
    return run(argc, argv);
}
