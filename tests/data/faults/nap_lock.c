/* A lock that is tried, with a sleep after each try that fails; repaired: a lock each. */
#include "faults.h"
#include <unistd.h>

static struct {
    pthread_mutex_t m;
    long n;
} __attribute__((aligned(LINE))) door[MOST];

static void *work(void *arg)
{
    long me = (long)arg, mine = 0;
#ifdef FIXED
    mine = me;
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 80; i++) {
        while (pthread_mutex_trylock(&door[mine].m)) /* FAULT */
            usleep(3);                               /* FAULT */
        x = compute(x, 500);
        door[mine].n++;
        pthread_mutex_unlock(&door[mine].m);
        x = compute(x, 300);
    }
    result[me][0] = (long)x;
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < MOST; i++)
        pthread_mutex_init(&door[i].m, NULL);
    return run(argc, argv);
}
