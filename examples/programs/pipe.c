/* Frames that go through four stages, each of which needs its own order: they can only overlap.     pipe
 * [FRAMES] */
#include <stdio.h>
#include <stdlib.h>
enum { N = 2000 };
static unsigned state = 1, raw[N], image[N], smooth[N], model[N], total;
static void grab(void)
{
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        raw[i] = state >> 8;
    }
}
static void decode(void)
{
    unsigned last = 0;
    for (int i = 0; i < N; i++) {
        last = (raw[i] ^ last) * 2654435761u + (last >> 5);
        image[i] = last;
    }
}
static void filter(void)
{
    unsigned a = 7;
    for (int i = 0; i < N; i++) {
        a = a * 5 + image[i] / 3 + (a >> 9);
        smooth[i] = a;
    }
}
static void learn(void)
{
    unsigned carry = 1;
    for (int i = 0; i < N; i++) {
        carry = carry * 3 + smooth[i] + model[i];
        model[i] = carry >> 3;
    }
}
int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 30;
    for (int f = 0; f < frames; f++) {
        grab();
        decode();
        filter();
        learn();
    }
    for (int i = 0; i < N; i++)
        total += model[i];
    printf("%u\n", total);
    return 0;
}
