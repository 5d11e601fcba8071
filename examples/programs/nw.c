/* Alignment of two sequences: diagonals in order, each of them free.      nw [N] */
#include <stdio.h>
#include <stdlib.h>
static int blosum(int a, int b)
{
    return a == b ? 5 : -((a * 3 + b) % 4);
}
static int max3(int a, int b, int c)
{
    int k = a > b ? a : b;
    return k > c ? k : c;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, penalty = 10, m = n + 1;
    int *ref = malloc(m * m * sizeof(int)), *items = calloc(m * m, sizeof(int));
    int *s = malloc(m * sizeof(int)), *t = malloc(m * sizeof(int));
    srand(7);
    for (int i = 1; i < m; i++)
        s[i] = rand() % 10 + 1;
    for (int j = 1; j < m; j++)
        t[j] = rand() % 10 + 1;
    for (int i = 1; i < m; i++)
        for (int j = 1; j < m; j++)
            ref[i * m + j] = blosum(s[i], t[j]);
    for (int i = 1; i < m; i++)
        items[i * m] = -i * penalty;
    for (int j = 1; j < m; j++)
        items[j] = -j * penalty;
    for (int i = 0; i < n; i++)
        for (int idx = 0; idx <= i; idx++) {
            int index = (idx + 1) * m + (i + 1 - idx);
            items[index] = max3(items[index - 1 - m] + ref[index], items[index - 1] - penalty,
                                items[index - m] - penalty);
        }
    for (int i = n - 2; i >= 0; i--)
        for (int idx = 0; idx <= i; idx++) {
            int index = (n - idx) * m + idx + n - i;
            items[index] = max3(items[index - 1 - m] + ref[index], items[index - 1] - penalty,
                                items[index - m] - penalty);
        }
    printf("%d\n", items[m * m - 1]);
    return 0;
}
