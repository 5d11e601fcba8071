#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}
static int distance(const char *s, const char *t)
{
    int n = strlen(s), m = strlen(t), i, j, d;
    int *row = malloc((m + 1) * sizeof *row);
    for (j = 0; j <= m; j++)
        row[j] = j;
    for (i = 1; i <= n; i++) {
        int before = row[0];
        row[0] = i;
        for (j = 1; j <= m; j++) {
            int old = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, before + (s[i - 1] != t[j - 1]));
            before = old;
        }
    }
    d = row[m];
    free(row);
    return d;
}
int main(int argc, char **argv)
{
    int words = argc > 1 ? atoi(argv[1]) : 24, i, j, best = 1 << 30, one = -1, other = -1;
    char **word = malloc(words * sizeof *word);
    unsigned s = 2;
    for (i = 0; i < words; i++) {
        word[i] = calloc(12, 1);
        for (j = 0; j < 10; j++)
            word[i][j] = "abcdef"[(s = s * 1103515245u + 12345u) >> 16 & 3];
    }
    for (i = 0; i < words; i++)
        for (j = i + 1; j < words; j++) {
            int d = distance(word[i], word[j]);
            if (d < best) {
                best = d;
                one = i;
                other = j;
            }
        }
    printf("%d %d %d\n", best, one, other);
    return 0;
}
/* kinds: the best of all pairs, with a function put into the loop that keeps variables of its own in the
 * frame */
