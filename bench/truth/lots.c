/* Four sections of uneven length without waiting, then a loop over all lots with a struct of sums. */
#include "truth.h"
enum { LOTS = SIZE(900, 60000) };
struct sums {
    int n;
    float of, most;
};
static float price[LOTS];
static struct sums join(struct sums a, struct sums b)
{
    return (struct sums){a.n + b.n, a.of + b.of, a.most > b.most ? a.most : b.most};
}
#pragma omp declare reduction(join          \
                              : struct sums \
                              : omp_out = join(omp_out, omp_in)) initializer(omp_priv = {0, 0, 0})
static float walk(int from, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s = s * 0.99f + (float)((from + i) % 23);
    return s;
}
int main(void)
{
    CC_RECORD_OFF();
    float fee[4];
    struct sums all = {0, 0, 0};
    for (int l = 0; l < LOTS; l++)
        price[l] = (float)(l * 7 % 31);
    KERNEL_BEGIN();
    BEGIN("lots.all");
#pragma omp parallel
    {
        BEGIN("lots.fees");
#pragma omp sections nowait
        {
#pragma omp section
            {
                BEGIN("lots.a");
                fee[0] = walk(1, 1500);
                END("lots.a");
            }
#pragma omp section
            {
                BEGIN("lots.b");
                fee[1] = walk(2, 400);
                END("lots.b");
            }
#pragma omp section
            {
                BEGIN("lots.c");
                fee[2] = walk(3, 900);
                END("lots.c");
            }
#pragma omp section
            {
                BEGIN("lots.d");
                fee[3] = walk(4, 200);
                END("lots.d");
            }
        }
        END("lots.fees");
#pragma omp for schedule(dynamic, 25) reduction(join : all)
        for (int l = 0; l < LOTS; l++) {
            BEGIN("lots.lot");
            float p = price[l];
            for (int i = 0; i < 4 + l % 7; i++)
                p = p * 0.9f + 1;
            all = join(all, (struct sums){1, p, p});
            END("lots.lot");
        }
    }
    END("lots.all");
    KERNEL_END(all.of + all.most + fee[0] + fee[1] + fee[2] + fee[3]);
}
