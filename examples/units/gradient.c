/* The gradient of a lane detection, as Saussard et al. (ICPPW 2015, section VI.B) list it: RGB to gray, then
 * a Sobel filter in two parts, row by row through small buffers. For `corecast units` on a recording:
 *
 *   arm-linux-gnueabihf-gcc -O1 -g -mcpu=cortex-a15 -static gradient.c -o gradient
 *   corecast record -o gradient.cast -- ./gradient && corecast units gradient.cast -p tegra-k1 --image
 * 320x240
 */
#include <stdlib.h>

enum { WIDTH = 320, HEIGHT = 240 };

static unsigned char rgb[HEIGHT][3 * WIDTH], result[HEIGHT][WIDTH];
static short line[WIDTH + 2], differences[HEIGHT + 2][WIDTH];

__attribute__((noinline)) static void gray(const unsigned char *in, short *out)
{
    for (int x = 0; x < WIDTH; x++) {
        *(out++) = (short)((*in * 28 + *(in + 1) * 151 + *(in + 2) * 77) >> 8);
        in += 3;
    }
}

__attribute__((noinline)) static void sobel_1(const short *in, short *out)
{
    for (int x = 0; x < WIDTH; x++) {
        *(out++) = (short)(*(in - 1) - *(in + 1));
        in++;
    }
}

__attribute__((noinline)) static void sobel_2(const short *in, long step, unsigned char *out)
{
    for (int x = 0; x < WIDTH; x++) {
        int v = abs(*(in - step) + *in * 2 + *(in + step));
        if (v > 255)
            *(out++) = 255;
        else
            *(out++) = (unsigned char)v;
        in++;
    }
}

int main(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < 3 * WIDTH; x++)
            rgb[y][x] = (unsigned char)(x * y * 40503u >> 8);
    for (int y = 0; y < HEIGHT; y++) {
        gray(rgb[y], line + 1);
        sobel_1(line + 1, differences[y + 1]);
    }
    for (int y = 0; y < HEIGHT; y++)
        sobel_2(differences[y + 1], WIDTH, result[y]);
    return result[HEIGHT / 2][WIDTH / 2] == 1;
}
