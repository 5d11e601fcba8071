/* All threads write to one stream, a character at a time; repaired: each has a stream. */
#include "faults.h"

static FILE *stream[MOST];

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    FILE *to = stream[me];
#else
    FILE *to = stream[0];
#endif
    for (int i = 0; i < 2000; i++)
        fputc((int)('a' + (compute((uint64_t)i, 20) >> 60)), to); /* FAULT */
    result[me][0] = me;
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 4); i++)
        if (!(stream[i] = fopen("/dev/null", "w")))
            return 2;
    return run(argc, argv);
}
