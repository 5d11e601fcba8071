/* Pairs of threads hand numbers on through rings whose two indices share a line, and look at each other's for
 * every number; repaired: a line each, and a look only when what was seen last says full or empty. */
#include "faults.h"

#ifdef FIXED
#define APART __attribute__((aligned(LINE)))
#define SEEN(copy, limit) ((copy) != (limit))
#else
#define APART
#define SEEN(copy, limit) 0
#endif
enum { SLOTS = 4096, ITEMS = 2000 };
static struct ring {
    APART _Atomic long head;
    APART _Atomic long tail;
    int slot[SLOTS] __attribute__((aligned(LINE)));
} __attribute__((aligned(LINE))) ring[MOST / 2];

static void produce(struct ring *r)
{
    long tail = 0;
    for (long i = SLOTS / 2; i < SLOTS / 2 + ITEMS; i++) {
        while (!SEEN(tail, i - SLOTS) && (tail = atomic_load(&r->tail)) == i - SLOTS) /* FAULT */
            ;
        r->slot[i % SLOTS] = (int)(compute((uint64_t)i, 15) & 7);
        atomic_store(&r->head, i + 1); /* FAULT */
    }
}

static long consume(struct ring *r)
{
    long head = SLOTS / 2, sum = 0; /* so many are there at the start */
    for (long i = 0; i < ITEMS; i++) {
        while (!SEEN(head, i) && (head = atomic_load(&r->head)) == i) /* FAULT */
            ;
        sum += r->slot[i % SLOTS] + (long)(compute((uint64_t)i, 15) & 0);
        atomic_store(&r->tail, i + 1); /* FAULT */
    }
    return sum;
}

static void *work(void *arg)
{
    long me = (long)arg;
    if (me % 2 == 0 && me + 1 < nthreads)
        produce(&ring[me / 2]);
    else if (me % 2)
        result[me][0] = consume(&ring[me / 2]);
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < MOST / 2; i++)
        ring[i].head = SLOTS / 2;
    return run(argc, argv);
}
