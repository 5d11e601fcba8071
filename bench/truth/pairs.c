/* Distances between pairs of words: a table of two rows on the stack of whoever does the pair, words of
 * uneven length. */
#include "truth.h"
enum { WORDS = SIZE(24, 220), MOST = SIZE(40, 120), PAIRS = WORDS * (WORDS - 1) / 2 };
static unsigned char word[WORDS][MOST];
static int length[WORDS], one[PAIRS], other[PAIRS], apart[PAIRS];
static int distance(const unsigned char *a, int n, const unsigned char *b, int m)
{
    int line[2][MOST + 1];
    for (int j = 0; j <= m; j++)
        line[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = line[i & 1], *last = line[~i & 1];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int d = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < d)
                d = last[j] + 1;
            if (now[j - 1] + 1 < d)
                d = now[j - 1] + 1;
            now[j] = d;
        }
    }
    return line[n & 1][m];
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 5;
    int n = 0;
    for (int i = 0; i < WORDS; i++) {
        length[i] = MOST / 4 + i * 29 % (MOST * 3 / 4);
        for (int j = 0; j < MOST; j++) {
            x = x * 1664525 + 1013904223;
            word[i][j] = (unsigned char)(x >> 29);
        }
        for (int j = 0; j < i; j++) {
            one[n] = i;
            other[n++] = j;
        }
    }
    KERNEL_BEGIN();
    BEGIN("pairs.all");
#pragma omp parallel for schedule(dynamic, 3)
    for (int p = 0; p < PAIRS; p++) {
        BEGIN("pairs.pair");
        apart[p] = distance(word[one[p]], length[one[p]], word[other[p]], length[other[p]]);
        END("pairs.pair");
    }
    END("pairs.all");
    KERNEL_END(apart[PAIRS / 2]);
}
