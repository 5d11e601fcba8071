/* A byte each, side by side; repaired: a line each. */
#include "faults.h"
#ifdef FIXED
static struct {
    volatile unsigned char b;
} __attribute__((aligned(LINE))) seen[MOST];
#else
static struct {
    volatile unsigned char b;
} seen[MOST] __attribute__((aligned(LINE)));
#endif
static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 4000; i++) {
        x = compute(x, 12);
        seen[me].b += (unsigned char)x; /* FAULT */
    }
    result[me][0] = (long)x;
    return NULL;
}
int main(int argc, char **argv)
{
    return run(argc, argv);
}
