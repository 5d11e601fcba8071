/* Data on the heap that has names: four threads count in a table that one of them allocated and marked.
 * objects: marked once. objects again: given back and allocated under another name. */
#include "corecast/mark.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 2000, SLOTS = 16, LARGE = 150000 };
static atomic_int *table;

static void *count(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(&table[i % SLOTS], 1);
    return unused;
}

static int all_count(const char *name)
{
    pthread_t t[THREADS];
    table = calloc(SLOTS, sizeof *table);
    CC_OBJECT(table, SLOTS * sizeof *table, name);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    int sum = 0;
    for (int i = 0; i < SLOTS; i++)
        sum += table[i];
    free(table);
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    char *large = malloc(LARGE); /* a mapping of its own */
    memset(large, 1, LARGE);
    int sum = all_count("work_queue");
    if (argc > 1)
        sum += all_count("second_queue");
    printf("%d %d\n", sum, large[LARGE / 2]);
    free(large);
}
