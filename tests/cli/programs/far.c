/* The same lower 40 bits of two addresses: they are two places all the same. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

enum { WORDS = 1000 };
#define ALONE __attribute__((noinline, noclone))

ALONE static void fill_near(volatile uint64_t *at)
{
    for (int i = 0; i < WORDS; i++)
        at[i] = (uint64_t)i;
}
ALONE static void fill_far(volatile uint64_t *at)
{
    for (int i = 0; i < WORDS; i++)
        at[i] = (uint64_t)i + 1;
    ((volatile uint8_t *)at)[3] = 0;
}
ALONE static uint64_t read_near(const volatile uint64_t *at)
{
    uint64_t sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += at[i];
    return sum;
}
ALONE static uint64_t read_far(const volatile uint64_t *at)
{
    uint64_t sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += at[i];
    return sum;
}

int main(void)
{
    enum { SIZE = 65536 };
    char *near = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uintptr_t low = (uintptr_t)near & ((UINT64_C(1) << 40) - 1);
    void *wanted = (void *)(low | ((uintptr_t)near >> 40 == 9 ? UINT64_C(10) : UINT64_C(9)) << 40);
    char *far = mmap(wanted, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (near == MAP_FAILED || far != wanted)
        return 77;
    fill_near((uint64_t *)near);
    fill_far((uint64_t *)far);
    uint64_t sum = read_near((uint64_t *)near) + 2 * read_far((uint64_t *)far);
    return sum == WORDS * (WORDS - 1) / 2 + WORDS * (WORDS + 1) ? 0 : 2;
}
