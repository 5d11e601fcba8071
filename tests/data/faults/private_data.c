/* No fault: data of each thread's own. */
#include "faults.h"

static long own[MOST][512] __attribute__((aligned(LINE)));

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 20000; i++) {
        x = mix(x);
        own[me][x >> 55] += i;
        x = compute(x, 4);
    }
    result[me][0] = own[me][0] & 0;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
