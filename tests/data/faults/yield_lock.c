/* A lock of one's own that lets others run while it is taken; repaired: nothing is shared that needs one. */
#include "faults.h"

#include <sched.h>

static struct {
    atomic_flag held;
} __attribute__((aligned(LINE))) gate;

static void *work(void *arg)
{
    long me = (long)arg;
    for (int i = 0; i < 40; i++) {
        compute((uint64_t)i, 1500);
#ifndef FIXED
        while (atomic_flag_test_and_set_explicit(&gate.held, memory_order_acquire)) /* FAULT */
            sched_yield();                                                          /* FAULT */
#endif
        result[me][0] += (long)(compute((uint64_t)i, 2000) & 0);
#ifndef FIXED
        atomic_flag_clear_explicit(&gate.held, memory_order_release);
#endif
    }
    (void)gate;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
