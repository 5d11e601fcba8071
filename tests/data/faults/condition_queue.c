/* One thread makes pieces of work one at a time, all others wait for the next on a condition. */
#include "faults.h"

enum { PIECES = 640 };
static pthread_mutex_t mutex __attribute__((aligned(LINE))) = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more __attribute__((aligned(LINE))) = PTHREAD_COND_INITIALIZER;
static int made, taken;

static __attribute__((unused)) int next(void)
{
    pthread_mutex_lock(&mutex);
    while (taken == made && made < PIECES)
        pthread_cond_wait(&more, &mutex); /* FAULT */
    int mine = taken < made ? taken++ : -1;
    pthread_mutex_unlock(&mutex);
    return mine;
}

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
#ifdef FIXED
    for (int i = 0; i < PIECES / nthreads; i++) {
        x = compute(x, 500);
        result[me][0]++;
    }
    (void)mutex, (void)more, (void)made, (void)taken;
#else
    if (me == 0) {
        for (int i = 0; i < PIECES; i++) {
            x = compute(x, 500);
            pthread_mutex_lock(&mutex);
            made++;
            pthread_mutex_unlock(&mutex);
            pthread_cond_signal(&more);
        }
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_cond_broadcast(&more);
    } else {
        while (next() >= 0)
            result[me][0]++;
    }
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
