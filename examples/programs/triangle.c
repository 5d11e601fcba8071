/* Work that grows along the loop: pairs (i, j) with j < i.      triangle [N] */
#include <stdio.h>
#include <stdlib.h>

#define MOST 20000
static float x[MOST], y[MOST], near[MOST];

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1200, i, j, best = 0;
    if (n < 2 || n > MOST)
        return 2;
    for (i = 0; i < n; i++) {
        x[i] = (float)(i * 37 % 101);
        y[i] = (float)(i * 53 % 97);
    }
    for (i = 1; i < n; i++) {
        float least = 1e30f;
        for (j = 0; j < i; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j], d = dx * dx + dy * dy;
            if (d < least)
                least = d;
        }
        near[i] = least;
    }
    for (i = 2; i < n; i++)
        if (near[i] > near[best])
            best = i;
    printf("loneliest: %d at %.1f\n", best, near[best]);
    return 0;
}
