/* Points to their nearest centre: sums and counts of each centre are combined.      kmeans [POINTS] */
#include <stdio.h>
#include <stdlib.h>
#include <float.h>
#include <string.h>
#define NF 4
#define NC 5
static int nearest(const float *pt, int nf, float (*c)[NF], int nc)
{
    int i, j, index = 0;
    float best = FLT_MAX;
    for (i = 0; i < nc; i++) {
        float d = 0;
        for (j = 0; j < nf; j++)
            d += (pt[j] - c[i][j]) * (pt[j] - c[i][j]);
        if (d < best) {
            best = d;
            index = i;
        }
    }
    return index;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3000, loop = 0, i, j, delta;
    float(*f)[NF] = malloc(n * sizeof *f);
    int *member = malloc(n * sizeof *member);
    float clusters[NC][NF];
    srand(5);
    for (i = 0; i < n; i++)
        for (j = 0; j < NF; j++)
            f[i][j] = rand() / (float)RAND_MAX;
    for (i = 0; i < NC; i++)
        for (j = 0; j < NF; j++)
            clusters[i][j] = f[i * 7][j];
    for (i = 0; i < n; i++)
        member[i] = -1;
    do {
        int len[NC];
        float sums[NC][NF];
        memset(len, 0, sizeof len);
        memset(sums, 0, sizeof sums);
        delta = 0;
        for (i = 0; i < n; i++) {
            int index = nearest(f[i], NF, clusters, NC);
            if (member[i] != index)
                delta += 1;
            member[i] = index;
            len[index]++;
            for (j = 0; j < NF; j++)
                sums[index][j] += f[i][j];
        }
        for (i = 0; i < NC; i++)
            for (j = 0; j < NF; j++)
                if (len[i] > 0)
                    clusters[i][j] = sums[i][j] / len[i];
    } while (delta > n / 1000 && loop++ < 20);
    for (i = 0; i < NC; i++) {
        for (j = 0; j < NF; j++)
            printf("%.3f ", clusters[i][j]);
        printf("\n");
    }
    return 0;
}
