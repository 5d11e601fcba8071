/* Every way to ask for memory; four threads count side by side in each block. */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, BLOCKS = 9, ROUNDS = 50 };
static volatile long *block[BLOCKS];

static void *count(void *me)
{
    for (int k = 0; k < BLOCKS; k++)
        for (int i = 0; i < ROUNDS; i++)
            block[k][(long)me] += i;
    for (int i = 0; i < 50; i++) { /* what comes and goes is one object */
        volatile char *own = malloc(64);
        own[0] = 1;
        free((void *)own);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    void *aligned = NULL;
    block[0] = malloc(200);
    block[1] = calloc(30, 8);
    block[2] = realloc(malloc(16), 400);
    if (posix_memalign(&aligned, 64, 128))
        return 1;
    block[3] = aligned;
    block[4] = aligned_alloc(64, 128);
    block[5] = memalign(64, 128);
    block[6] = valloc(64);
    block[7] = reallocarray(NULL, 20, 16);
    block[8] = malloc(300000);
    for (int k = 0; k < BLOCKS; k++)
        memset((void *)block[k], 0, 64);
    for (long i = 1; i < THREADS; i++)
        pthread_create(&t[i], NULL, count, (void *)i);
    count(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(t[i], NULL);
    printf("%ld\n", block[0][0]);
}
