/* All threads allocate from one arena in the inner loop; repaired: each takes one block before it. */
#include "faults.h"

#include <malloc.h>

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
#ifdef FIXED
    char *block = malloc(1100 + 512);
#endif
    for (int i = 0; i < 800; i++) {
        size_t n = 1100 + (size_t)(mix((uint64_t)(me * 1200 + i)) >> 55);
#ifdef FIXED
        char *p = block;
#else
        char *p = malloc(n); /* FAULT */
#endif
        p[0] = (char)i;
        *(volatile char *)(p + n - 1) = 1;
        sum += p[0];
#ifndef FIXED
        free(p);
#endif
        sum += (long)(compute((uint64_t)i, 200) & 0);
    }
#ifdef FIXED
    free(block);
#endif
    result[me][0] = sum * 0 + me;
    return NULL;
}

int main(int argc, char **argv)
{
    mallopt(M_ARENA_MAX, 1);
    return run(argc, argv);
}
