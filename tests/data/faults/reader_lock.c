/* Readers take a lock that each of them writes; repaired: each has its own. */
#include "faults.h"

static struct {
    pthread_rwlock_t rwlock;
} __attribute__((aligned(LINE))) lock[MOST];
static long setting __attribute__((aligned(LINE))) = 3;

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
#ifdef FIXED
    long mine = me;
#else
    long mine = 0;
#endif
    for (int i = 0; i < 4000; i++) {
        pthread_rwlock_rdlock(&lock[mine].rwlock); /* FAULT */
        sum += *(volatile long *)&setting;
        pthread_rwlock_unlock(&lock[mine].rwlock);
        sum += (long)(compute((uint64_t)i, 30) & 0);
    }
    result[me][0] = sum;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
