/* Readers take a lock that each of them writes; repaired: what they read is replaced as a whole, and needs
 * none. */
#include "faults.h"

static struct {
    pthread_rwlock_t rwlock;
} __attribute__((aligned(LINE))) lock;
static const long three = 3;
static const long *_Atomic setting __attribute__((aligned(LINE))) = &three;

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    for (int i = 0; i < 2000; i++) {
#ifdef FIXED
        sum += *atomic_load_explicit(&setting, memory_order_acquire);
#else
        pthread_rwlock_rdlock(&lock.rwlock); /* FAULT */
        sum += *atomic_load_explicit(&setting, memory_order_relaxed);
        pthread_rwlock_unlock(&lock.rwlock);
#endif
        sum += (long)(compute((uint64_t)i, 60) & 0);
    }
    result[me][0] = sum;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
