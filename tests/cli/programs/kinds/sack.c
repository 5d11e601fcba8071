#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int best[41][701], weight[40], worth[40];
int main(void)
{
    int i, w;
    for (i = 0; i < 40; i++)
        weight[i] = 3 + i * 7 % 50, worth[i] = 10 + i * 13 % 90;
    for (i = 0; i <= 40; i++)
        for (w = 0; w <= 700; w++) {
            if (i == 0 || w == 0)
                best[i][w] = 0;
            else if (weight[i - 1] <= w)
                best[i][w] = MAX(worth[i - 1] + best[i - 1][w - weight[i - 1]], best[i - 1][w]);
            else
                best[i][w] = best[i - 1][w];
        }
    printf("%d\n", best[40][700]);
    return 0;
}
/* kinds: one of several ways sets an element, and the compiler has one store for all */
