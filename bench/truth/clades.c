/* Trees of descent: words are told apart by their first letters, group by group, tasks in a group for those
 * that are large; leaves compare all pairs. */
#include "truth.h"
enum { WORDS = SIZE(480, 6000), LETTERS = 12, SMALL = SIZE(24, 60) };
static char word[WORDS][LETTERS + 1];
static int order[WORDS];
static long near_[WORDS];
static long pairs(const int *w, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int same = 0;
            for (int k = 0; k < LETTERS; k++)
                same += word[w[i]][k] == word[w[j]][k];
            sum += same * same;
        }
    return sum;
}
static int split(int *w, int n, int letter)
{
    int low = 0;
    for (int i = 0; i < n; i++)
        if ((word[w[i]][letter] ^ letter) & 1) {
            int t = w[i];
            w[i] = w[low];
            w[low++] = t;
        }
    return low;
}
static void clade(int *w, int n, int letter)
{
    if (n <= SMALL || letter == LETTERS) {
        near_[w - order] = pairs(w, n);
        return;
    }
    int low = split(w, n, letter);
    BEGIN("clades.group");
#pragma omp taskgroup
    {
        if (low > 0) {
#pragma omp task
            {
                CALL_BEGIN("clades.part");
                clade(w, low, letter + 1);
                CALL_END("clades.part");
            }
        }
        if (low < n) {
#pragma omp task
            {
                CALL_BEGIN("clades.part");
                clade(w + low, n - low, letter + 1);
                CALL_END("clades.part");
            }
        }
    }
    END("clades.group");
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 12345;
    for (int i = 0; i < WORDS; i++) {
        order[i] = i;
        for (int k = 0; k < LETTERS; k++) {
            x = x * 1664525 + 1013904223;
            word[i][k] = (char)('a' + (x >> 28) % (3 + (unsigned)k % 5));
        }
    }
    KERNEL_BEGIN();
    BEGIN("clades.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("clades.root");
        clade(order, WORDS, 0);
        END("clades.root");
    }
    END("clades.all");
    long sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += near_[i];
    KERNEL_END((double)sum);
}
