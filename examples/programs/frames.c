/* A decoder of frames of 8x8 blocks: bits come one after the other, each frame starts from the last one, the
 * blocks of a frame are transformed by themselves.      frames [FRAMES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { W = 40, H = 30, SIDE = 8 };
static unsigned state = 12345;
static short coefficients[H][W][SIDE * SIDE];
static int picture[H * SIDE][W * SIDE];
static double cosines[SIDE][SIDE];

static unsigned bits(int n)
{
    state = state * 1664525u + 1013904223u;
    return state >> (32 - n);
}

static void parse(void)
{
    for (int by = 0; by < H; by++)
        for (int bx = 0; bx < W; bx++)
            for (int k = 0; k < SIDE * SIDE; k++)
                coefficients[by][bx][k] = bits(3) ? 0 : (short)((int)bits(6) - 32);
}

static void transform(void)
{
    int by, bx, x, y, u, v;
    for (by = 0; by < H; by++)
        for (bx = 0; bx < W; bx++)
            for (y = 0; y < SIDE; y++)
                for (x = 0; x < SIDE; x++) {
                    double sum = 0;
                    for (v = 0; v < SIDE; v++)
                        for (u = 0; u < SIDE; u++)
                            sum += coefficients[by][bx][v * SIDE + u] * cosines[x][u] * cosines[y][v];
                    picture[by * SIDE + y][bx * SIDE + x] += (int)sum;
                }
}

static unsigned checksum(void)
{
    unsigned sum = 0;
    for (int y = 0; y < H * SIDE; y++)
        for (int x = 0; x < W * SIDE; x++)
            sum = sum * 31 + (unsigned)picture[y][x];
    return sum;
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 3;
    for (int x = 0; x < SIDE; x++)
        for (int u = 0; u < SIDE; u++)
            cosines[x][u] = cos((2 * x + 1) * u * 3.14159265358979 / 16) / (u ? 2 : 2.8284271247461903);
    for (int f = 0; f < frames; f++) {
        parse();
        transform();
        printf("frame %d: %08x\n", f, checksum());
    }
    return 0;
}
