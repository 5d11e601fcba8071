/* Speckle reduced by diffusion: two stencils a step, an index that each computes anew.      srad [N [STEPS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 64, cols = rows, niter = argc > 2 ? atoi(argv[2]) : 4,
        size_I = rows * cols;
    float *I = malloc(size_I * sizeof(float)), *J = malloc(size_I * sizeof(float)),
          *c = malloc(size_I * sizeof(float));
    int *iN = malloc(sizeof(int) * rows), *iS = malloc(sizeof(int) * rows), *jW = malloc(sizeof(int) * cols),
        *jE = malloc(sizeof(int) * cols);
    float *dN = malloc(sizeof(float) * size_I), *dS = malloc(sizeof(float) * size_I),
          *dW = malloc(sizeof(float) * size_I), *dE = malloc(sizeof(float) * size_I);
    float q0sqr, sum, sum2, tmp, meanROI, varROI, Jc, G2, L, num, den, qsqr, cN, cS, cW, cE, D, lambda = 0.5;
    int i, j, k, iter;
    for (i = 0; i < rows; i++) {
        iN[i] = i - 1;
        iS[i] = i + 1;
    }
    for (j = 0; j < cols; j++) {
        jW[j] = j - 1;
        jE[j] = j + 1;
    }
    iN[0] = 0;
    iS[rows - 1] = rows - 1;
    jW[0] = 0;
    jE[cols - 1] = cols - 1;
    srand(7);
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            I[i * cols + j] = rand() / (float)RAND_MAX;
    for (k = 0; k < size_I; k++)
        J[k] = (float)exp(I[k]);
    for (iter = 0; iter < niter; iter++) {
        sum = 0;
        sum2 = 0;
        for (i = 0; i <= rows / 2; i++) {
            for (j = 0; j <= cols / 2; j++) {
                tmp = J[i * cols + j];
                sum += tmp;
                sum2 += tmp * tmp;
            }
        }
        meanROI = sum / ((rows / 2 + 1) * (cols / 2 + 1));
        varROI = (sum2 / ((rows / 2 + 1) * (cols / 2 + 1))) - meanROI * meanROI;
        q0sqr = varROI / (meanROI * meanROI);
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                Jc = J[k];
                dN[k] = J[iN[i] * cols + j] - Jc;
                dS[k] = J[iS[i] * cols + j] - Jc;
                dW[k] = J[i * cols + jW[j]] - Jc;
                dE[k] = J[i * cols + jE[j]] - Jc;
                G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
                num = (0.5 * G2) - ((1.0 / 16.0) * (L * L));
                den = 1 + (.25 * L);
                qsqr = num / (den * den);
                den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
                c[k] = 1.0 / (1.0 + den);
                if (c[k] < 0)
                    c[k] = 0;
                else if (c[k] > 1)
                    c[k] = 1;
            }
        }
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                cN = c[k];
                cS = c[iS[i] * cols + j];
                cW = c[k];
                cE = c[i * cols + jE[j]];
                D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                J[k] = J[k] + 0.25 * lambda * D;
            }
        }
    }
    double t = 0;
    for (i = 0; i < size_I; i++)
        t += J[i];
    printf("%.4f %.4f\n", t, J[rows + 3]);
    return 0;
}
