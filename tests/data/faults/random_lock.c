/* The C library's random numbers have one state under a lock; repaired: a state of each thread. */
#include "faults.h"

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    char bytes[128] = {0};
    struct random_data state = {0};
    initstate_r((unsigned)me + 1, bytes, sizeof bytes, &state);
    for (int i = 0; i < 2000; i++) {
        sum += (long)(compute((uint64_t)i, 30) & 0);
#ifdef FIXED
        int32_t v;
        random_r(&state, &v);
        sum += v & 0;
#else
        sum += random() & 0; /* FAULT */
#endif
    }
    result[me][0] = sum + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
