/* All threads allocate from one arena in the inner loop; repaired: each has an arena of its own. */
#include "faults.h"

#include <malloc.h>

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    for (int i = 0; i < 800; i++) {
        size_t n = 1100 + (size_t)(mix((uint64_t)(me * 1200 + i)) >> 55);
        char *p = malloc(n); /* FAULT */
        p[0] = (char)i;
        *(volatile char *)(p + n - 1) = 1;
        sum += p[0];
        free(p);
        sum += (long)(compute((uint64_t)i, 100) & 0);
    }
    result[me][0] = sum * 0 + me;
    return NULL;
}

int main(int argc, char **argv)
{
#ifndef FIXED
    mallopt(M_ARENA_MAX, 1);
#endif
    return run(argc, argv);
}
