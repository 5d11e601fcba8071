/* Reductions of a struct and of an array. */
#include "truth.h"
enum { N = SIZE(12000, 2 << 20), BINS = 48 };
struct box {
    float lo, hi;
    double sum, squares;
};
static void join(struct box *a, const struct box *b)
{
    a->lo = b->lo < a->lo ? b->lo : a->lo;
    a->hi = b->hi > a->hi ? b->hi : a->hi;
    a->sum += b->sum;
    a->squares += b->squares;
}
#pragma omp declare reduction(join                       \
                              : struct box               \
                              : join(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct box){1e9f, -1e9f, 0, 0})
static float x[N];
static unsigned bins[BINS];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        x[i] = (float)(i * 2654435761u >> 12) * 1e-3f;
    struct box b = {1e9f, -1e9f, 0, 0};
    KERNEL_BEGIN();
    BEGIN("vectors.box");
#pragma omp parallel for reduction(join : b)
    for (int j = 0; j < 60; j++) {
        BEGIN("vectors.block");
        for (int i = j * (N / 60); i < (j + 1) * (N / 60); i++) {
            struct box one = {x[i], x[i], x[i], (double)x[i] * x[i]};
            join(&b, &one);
        }
        END("vectors.block");
    }
    END("vectors.box");
    BEGIN("vectors.bins");
#pragma omp parallel for reduction(+ : bins[:BINS])
    for (int j = 0; j < 60; j++) {
        BEGIN("vectors.count");
        for (int i = j * (N / 60); i < (j + 1) * (N / 60); i++)
            bins[(unsigned)(x[i] / (b.hi + 1) * BINS)]++;
        END("vectors.count");
    }
    END("vectors.bins");
    KERNEL_END(b.sum + b.squares + bins[3]);
}
