#include <stdio.h>
#include <string.h>
#define N 6
static int fits(int b[N][N], int r, int c, int v)
{
    for (int i = 0; i < N; i++)
        if (b[r][i] == v || b[i][c] == v)
            return 0;
    return 1;
}
static long fill(int b[N][N], int at)
{
    long found = 0;
    while (at < 20 && b[at / N][at % N])
        at++;
    if (at >= 20)
        return 1;
    for (int v = 1; v <= N; v++)
        if (fits(b, at / N, at % N, v)) {
            b[at / N][at % N] = v;
            found += fill(b, at + 1);
            b[at / N][at % N] = 0;
        }
    return found;
}
int main(void)
{
    int given[N][N] = {{0}};
    long count[N + 1] = {0}, total = 0;
    for (int i = 1; i < 12; i++)
        given[i / N][i % N] = (i * 2 + i / N) % N + 1;
    memset(given[1] + 2, 0, 4 * sizeof(int));
    for (int v = 1; v <= N; v++) {
        int b[N][N];
        memcpy(b, given, sizeof b);
        b[0][0] = v;
        count[v] = fill(b, 1);
    }
    for (int v = 1; v <= N; v++)
        total += count[v];
    printf("%ld\n", total);
    return 0;
}
/* kinds: a board for each first move, copied in the loop; memcpy reads the other one */
