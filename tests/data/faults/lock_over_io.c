/* A lock is held while a record is written; repaired: each thread has its own and writes beside it. */
#include "faults.h"
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static struct {
    pthread_mutex_t guard;
    long records;
} __attribute__((aligned(LINE))) journal[MOST];
static int out;

static void record(long mine, const char *text, size_t n)
{
    pthread_mutex_lock(&journal[mine].guard); /* FAULT */
    journal[mine].records++;
    if (write(out, text, n) < 0)
        exit(1);
    nanosleep(&(struct timespec){0, 30000}, NULL); /* a slow device */
    pthread_mutex_unlock(&journal[mine].guard);
}

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    long mine = me;
#else
    long mine = 0;
#endif
    for (int i = 0; i < 40; i++) {
        char text[16];
        for (size_t k = 0; k < sizeof text; k++)
            text[k] = (char)('a' + (compute((uint64_t)i, 50) >> 60));
        record(mine, text, sizeof text);
    }
    result[me][0] = me;
    return NULL;
}

int main(int argc, char **argv)
{
    out = open("/dev/null", O_WRONLY);
    return out < 0 ? 2 : run(argc, argv);
}
