/* All threads take places in one log, one by one; repaired: each takes as many as it needs at once. */
#include "faults.h"
static struct {
    atomic_long next;
} place __attribute__((aligned(LINE)));
static int written[MOST * 2048];
static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
#ifdef FIXED
    long at = atomic_fetch_add(&place.next, 1024);
#endif
    for (int i = 0; i < 1000; i++) {
        x = compute(x, 12);
#ifdef FIXED
        written[at + i] = (int)(x >> 40);
#else
        written[me * 1024 + atomic_fetch_add(&place.next, 1) % 1000] = (int)(x >> 40); /* FAULT */
#endif
    }
    result[me][0] = 1;
    return NULL;
}
int main(int argc, char **argv)
{
    return run(argc, argv);
}
