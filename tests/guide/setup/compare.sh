cat >filter.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static unsigned char image[4096], out[4096];
static void blur(void) { for (int i = 1; i < 4095; i++) out[i] = (image[i - 1] + image[i] + image[i + 1]) / 3; }
int main(int argc, char **argv)
{
    FILE *f = fopen(argv[argc - 1], "rb");
    if (!f || !fread(image, 1, sizeof image, f)) return 2;
    blur();
    return 0;
}
END
seq 2000 | head -c 4096 >image.pgm
gcc -g -O1 -fno-inline filter.c -o filter && gcc -g -O2 -fno-inline filter.c -o filter-new && corecast record --loops count -o main.cast -- ./filter image.pgm &&
    corecast record --loops count -o branch.cast -- ./filter-new image.pgm
cp "$SOURCE/examples/canny/canny.c" .
