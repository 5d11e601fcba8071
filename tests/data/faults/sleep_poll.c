/* Everybody looks for a new step every 5 us; repaired: no steps to wait for. */
#include "faults.h"
#include <time.h>
static struct {
    atomic_int step;
} __attribute__((aligned(LINE))) ready;
static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 20; i++) {
#ifdef FIXED
        x = compute(x, 1500);
#else
        if (me == 0) {
            x = compute(x, 6000);
            atomic_store(&ready.step, i + 1);
        } else {
            while (atomic_load(&ready.step) <= i)             /* FAULT */
                nanosleep(&(struct timespec){0, 5000}, NULL); /* FAULT */
            x = compute(x, 500);
        }
#endif
    }
    result[me][0] = (long)x;
    return NULL;
}
int main(int argc, char **argv)
{
    return run(argc, argv);
}
