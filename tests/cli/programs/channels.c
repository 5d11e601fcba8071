/* Producers and consumers whose channel is known in closed form. What is measured, the functions do only: the
 * loops below keep their variables in registers (-O1). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

/* fifo: blocks of 16 elements, each read once in order */
enum { BLOCK = 16, BLOCKS = 100 };
static int block[BLOCK];
NOINLINE void fifo_make(int seed)
{
    for (int i = 0; i < BLOCK; i++)
        block[i] = seed + i;
}
NOINLINE int fifo_take(void)
{
    int sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += block[i];
    return sum;
}

/* matrix: written by rows, read by columns */
enum { ROWS = 24, COLUMNS = 40 };
static double matrix[ROWS][COLUMNS];
NOINLINE void rows_make(void)
{
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            matrix[y][x] = x * y;
}
NOINLINE double columns_take(void)
{
    double sum = 0;
    for (int x = 0; x < COLUMNS; x++)
        for (int y = 0; y < ROWS; y++)
            sum += matrix[y][x];
    return sum;
}

/* again: 64 values, read TIMES times */
enum { VALUES = 64, TIMES = 10 };
static int values[VALUES];
NOINLINE void values_make(void)
{
    for (int i = 0; i < VALUES; i++)
        values[i] = i;
}
NOINLINE int values_take(void)
{
    int sum = 0;
    for (int k = 0; k < TIMES; k++) {
        for (int i = 0; i < VALUES; i++)
            sum += values[i];
        __asm__ volatile("" : "+r"(sum) : : "memory");
    }
    return sum;
}

/* frames: each read backwards, then forwards */
enum { FRAME = 128, FRAMES = 30 };
static short frame[FRAME];
NOINLINE void frame_make(int seed)
{
    for (int i = 0; i < FRAME; i++)
        frame[i] = (short)(seed + i);
}
NOINLINE int frame_take(void)
{
    int sum = 0;
    for (int i = FRAME; i-- > 0;)
        sum += frame[i];
    __asm__ volatile("" : "+r"(sum) : : "memory");
    for (int i = 0; i < FRAME; i++)
        sum -= frame[i] / 2;
    return sum;
}

/* copied: a library does the writing and the reading */
static char text[4096], sink[4096];
NOINLINE void copy_make(const char *from)
{
    memcpy(text, from, sizeof text);
}
NOINLINE void copy_take(void)
{
    memcpy(sink, text, sizeof sink);
}

/* threads: a ring of 8 slots between two threads */
enum { SLOTS = 8, ITEMS = 2000 };
static uint64_t ring[SLOTS];
static atomic_int made, taken;
NOINLINE void slot_make(int i)
{
    ring[i % SLOTS] = (uint64_t)i;
}
NOINLINE uint64_t slot_take(int i)
{
    return ring[i % SLOTS];
}
static void *maker(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load(&taken) + SLOTS <= i)
            sched_yield();
        slot_make(i);
        atomic_store(&made, i + 1);
    }
    return arg;
}
static uint64_t take_all(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load(&made) <= i)
            sched_yield();
        sum += slot_take(i);
        atomic_store(&taken, i + 1);
    }
    return sum;
}

NOINLINE int never(void)
{
    return block[0];
}

int main(int argc, char **argv)
{
    double sum = 0;
    pthread_t thread;
    for (int i = 0; i < BLOCKS; i++) {
        fifo_make(i);
        sum += fifo_take();
    }
    rows_make();
    sum += columns_take();
    values_make();
    sum += values_take();
    for (int i = 0; i < FRAMES; i++) {
        frame_make(i);
        sum += frame_take();
    }
    char *from = calloc(1, sizeof text);
    copy_make(from);
    copy_take();
    free(from);
    sum += sink[argc];
    if (pthread_create(&thread, NULL, maker, NULL) == 0) {
        sum += (double)take_all();
        pthread_join(thread, NULL);
    }
    if (argc > 1 &&
        strcmp(argv[1], "fork") == 0) { /* the child reads what its parent made, then a block of its own */
        fifo_make(1);
        if (fork() == 0) {
            sum += fifo_take();
            fifo_make(2);
            sum += fifo_take();
            _exit(sum > 0 ? 0 : 1);
        }
        wait(NULL);
    }
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    if (argc > 100)
        sum += never() + argv[0][0];
    printf("%.0f\n", sum);
    return 0;
}
