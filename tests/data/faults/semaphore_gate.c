/* Two may pass at a time, as a semaphore says; repaired: nobody has to wait. */
#include "faults.h"
#include <semaphore.h>

static struct {
    sem_t pass;
} __attribute__((aligned(LINE))) gate[MOST];

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    long mine = me;
#else
    long mine = 0;
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 40; i++) {
        sem_wait(&gate[mine].pass); /* FAULT */
        x = compute(x, 1500);
        sem_post(&gate[mine].pass);
        result[me][0]++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < MOST; i++)
        sem_init(&gate[i].pass, 0, 2);
    return run(argc, argv);
}
