/* Every step counts into one variable. */
#include "faults.h"

static atomic_long counter __attribute__((aligned(LINE)));

static void *work(void *arg)
{
    long me = (long)arg, own = 0;
    for (int i = 0; i < 20000; i++) {
        compute((uint64_t)i, 2);
#ifdef FIXED
        own++;
#else
        atomic_fetch_add(&counter, 1); /* FAULT */
        own++;
#endif
    }
    result[me][0] = own;
    (void)counter;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
