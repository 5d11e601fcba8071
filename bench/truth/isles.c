/* Which parts of a picture hang together: every point takes the least label beside it, row by row into
 * another picture, until a round changes nothing; all rounds in one region. */
#include "truth.h"
enum { N = SIZE(66, 1026), ROUNDS = SIZE(40, 60) };
static unsigned char ink[N][N];
static int label[2][N][N];
static int changed, rounds;
static int row(int from, int i)
{
    int n = 0;
    for (int j = 1; j < N - 1; j++) {
        int v = label[from][i][j];
        if (ink[i][j]) {
            int w = label[from][i - 1][j];
            v = w < v ? w : v;
            w = label[from][i + 1][j];
            v = w < v ? w : v;
            w = label[from][i][j - 1];
            v = w < v ? w : v;
            w = label[from][i][j + 1];
            v = w < v ? w : v;
            n += v != label[from][i][j];
        }
        label[!from][i][j] = v;
    }
    return n;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int in = i && j && i < N - 1 && j < N - 1;
            ink[i][j] = in && (i * 7 + j * 13 + (i >> 3) * (j >> 3) * 5) % 9 > 2;
            label[0][i][j] = label[1][i][j] = ink[i][j] ? i * N + j : N * N;
        }
    KERNEL_BEGIN();
    int more = 1;
    BEGIN("isles.all");
#pragma omp parallel
    for (int r = 0; r < ROUNDS && more; r++) {
#pragma omp for schedule(static) reduction(+ : changed)
        for (int i = 1; i < N - 1; i++) {
            BEGIN("isles.row");
            changed += row(r & 1, i);
            END("isles.row");
        }
#pragma omp single
        {
            BEGIN("isles.look");
            more = changed > 0;
            changed = 0;
            rounds = r;
            END("isles.look");
        }
    }
    END("isles.all");
    KERNEL_END(rounds + label[0][N / 2][N / 2]);
}
