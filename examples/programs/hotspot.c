/* Heat of a chip: a step reads what the last one left.      hotspot [N [STEPS]] */
#include <stdio.h>
#include <stdlib.h>
static void single_iteration(double *result, double *temp, double *power, int row, int col, double cap,
                             double rx, double ry, double rz, double step)
{
    double delta;
    int r, c;
    for (r = 0; r < row; r++) {
        for (c = 0; c < col; c++) {
            double up = r > 0 ? temp[(r - 1) * col + c] : temp[r * col + c];
            double down = r < row - 1 ? temp[(r + 1) * col + c] : temp[r * col + c];
            double left = c > 0 ? temp[r * col + c - 1] : temp[r * col + c];
            double right = c < col - 1 ? temp[r * col + c + 1] : temp[r * col + c];
            double t = temp[r * col + c];
            delta = (step / cap) * (power[r * col + c] + (up + down - 2 * t) / ry +
                                    (left + right - 2 * t) / rx + (80.0 - t) / rz);
            result[r * col + c] = t + delta;
        }
    }
    for (r = 0; r < row; r++)
        for (c = 0; c < col; c++)
            temp[r * col + c] = result[r * col + c];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 10;
    double *temp = malloc(n * n * sizeof *temp), *power = malloc(n * n * sizeof *power),
           *res = malloc(n * n * sizeof *res);
    for (int i = 0; i < n * n; i++) {
        temp[i] = 320 + i % 977 * 7 % 10;
        power[i] = (i % 1009 * 31 % 100) / 1e4;
    }
    for (int s = 0; s < steps; s++)
        single_iteration(res, temp, power, n, n, 0.5, 10, 10, 30, 0.01);
    for (int i = 0; i < n; i += n / 4)
        printf("%d\t%g\n", i, temp[i * n + i]);
    return 0;
}
