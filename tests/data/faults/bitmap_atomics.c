/* All threads mark what they have seen in one small map of bits; repaired: maps of their own. */
#include "faults.h"

enum { WORDS = 8 };
static struct {
#ifdef FIXED
    uint64_t word[WORDS];
#else
    _Atomic uint64_t word[WORDS];
#endif
} __attribute__((aligned(LINE))) seen[MOST];

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me + 1;
    for (int i = 0; i < 3000; i++) {
        x = compute(x, 10);
        unsigned bit = (unsigned)(x >> 32) % (WORDS * 64);
#ifdef FIXED
        seen[me].word[bit / 64] |= (uint64_t)1 << bit % 64;
#else
        atomic_fetch_or(&seen[0].word[bit / 64], (uint64_t)1 << bit % 64); /* FAULT */
#endif
    }
    result[me][0] = me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
