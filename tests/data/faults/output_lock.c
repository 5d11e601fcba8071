/* All threads write to one stream, a character at a time; repaired: each collects
 * its text and hands it to the system at once. */
#include "faults.h"

#include <unistd.h>

enum { CHARACTERS = 2000 };
static FILE *stream;

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    char text[CHARACTERS];
    for (int i = 0; i < CHARACTERS; i++)
        text[i] = (char)('a' + (compute((uint64_t)i, 20) >> 60));
    if (write(fileno(stream), text, sizeof text) < 0)
        result[me][0] = -1;
#else
    for (int i = 0; i < CHARACTERS; i++)
        fputc((int)('a' + (compute((uint64_t)i, 20) >> 60)), stream); /* FAULT */
#endif
    result[me][0] += me;
    return NULL;
}

int main(int argc, char **argv)
{
    if (!(stream = fopen("/dev/null", "w")))
        return 2;
    return run(argc, argv);
}
