/* Phases in closed form: fill writes N bytes, total reads them; then idle computes without memory; then both
 * again if asked. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4 << 20 };
static uint64_t data[N / 8];

__attribute__((noinline)) void fill(uint64_t seed)
{
    for (size_t i = 0; i < N / 8; i++)
        data[i] = seed + i;
}

__attribute__((noinline)) uint64_t total(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < N / 8; i++)
        sum += data[i];
    return sum;
}

__attribute__((noinline)) uint64_t idle(uint64_t n)
{
    uint64_t x = n;
    while (n--) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

/* Calls itself: its frames are on the stack. */
__attribute__((noinline)) uint64_t deep(uint64_t n)
{
    volatile uint64_t frame[64];
    for (int i = 0; i < 64; i++)
        frame[i] = n;
    return n ? deep(n - 1) + frame[n % 64] : frame[0];
}

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < rounds; i++) {
        fill((uint64_t)i);
        sum += total();
    }
    sum += idle(400000);
    for (int i = 0; i < 200; i++)
        sum += deep(100);
    printf("%d\n", (int)(sum & 1));
    return 0;
}
