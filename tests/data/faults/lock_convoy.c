/* All work under one mutex; repaired: each thread has its own. */
#include "faults.h"

static struct {
    pthread_mutex_t mutex;
} __attribute__((aligned(LINE))) lock[MOST];

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    long mine = me;
#else
    long mine = 0;
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 150; i++) {
        pthread_mutex_lock(&lock[mine].mutex); /* FAULT */
        x = compute(x, 400);
        result[me][0]++;
        pthread_mutex_unlock(&lock[mine].mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
