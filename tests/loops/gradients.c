/* A conjugate gradient solver over rows of pointers, with what surrounds it, and a sweep in both directions.
 * One file: what clang makes of it, all in one function, has to be judged in the time of the others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct matrix {
    int local_nrow, local_ncol, local_nnz, *nnz_in_row, **ptr_to_inds_in_row;
    double **ptr_to_vals_in_row, *list_of_vals;
    int *list_of_inds;
};
#define TICK() t0 = mytimer()
#define TOCK(t) t += mytimer() - t0
double mytimer(void);
void generate(int nx, int ny, int nz, struct matrix **A, double **x, double **b, double **xexact);
int waxpby(const int n, const double alpha, const double *const x, const double beta, const double *const y,
           double *const w);
int ddot(const int n, const double *const x, const double *const y, double *const result);
int sparsemv(struct matrix *A, const double *const x, double *const y);
int cg(struct matrix *A, const double *const b, double *const x, int max_iter, double tol, int *niters,
       double *normr);
int symgs(const struct matrix *A, const double *r, double *x);
int residual(int n, const double *v1, const double *v2, double *const res);
int waxpby(const int n, const double alpha, const double *const x, const double beta, const double *const y,
           double *const w)
{
    if (alpha == 1.0) {
        for (int i = 0; i < n; i++) /* loop: parallel */
            w[i] = x[i] + beta * y[i];
    } else if (beta == 1.0) {
        for (int i = 0; i < n; i++) /* loop: parallel */
            w[i] = alpha * x[i] + y[i];
    } else {
        for (int i = 0; i < n; i++) /* loop: parallel */
            w[i] = alpha * x[i] + beta * y[i];
    }
    return 0;
}
int ddot(const int n, const double *const x, const double *const y, double *const result)
{
    double local = 0.0;
    if (y == x)
        for (int i = 0; i < n; i++) /* loop: reduction */
            local += x[i] * x[i];
    else
        for (int i = 0; i < n; i++) /* loop: reduction */
            local += x[i] * y[i];
    *result = local;
    return 0;
}
int sparsemv(struct matrix *A, const double *const x, double *const y)
{
    const int nrow = (const int)A->local_nrow;
    for (int i = 0; i < nrow; i++) { /* loop: parallel */
        double sum = 0.0;
        const double *const cur_vals = (const double *const)A->ptr_to_vals_in_row[i];
        const int *const cur_inds = (const int *const)A->ptr_to_inds_in_row[i];
        const int cur_nnz = (const int)A->nnz_in_row[i];
        for (int j = 0; j < cur_nnz; j++) /* loop: reduction */
            sum += cur_vals[j] * x[cur_inds[j]];
        y[i] = sum;
    }
    return 0;
}
int symgs(const struct matrix *A, const double *r, double *x)
{
    int n = A->local_nrow;
    for (int i = 0; i < n; i++) { /* loop: no */
        const double *vals = A->ptr_to_vals_in_row[i];
        const int *inds = A->ptr_to_inds_in_row[i];
        double diag = 1, sum = r[i];
        for (int j = 0; j < A->nnz_in_row[i]; j++) {
            int c = inds[j];
            if (c == i)
                diag = vals[j];
            else
                sum -= vals[j] * x[c];
        }
        x[i] = sum / diag;
    }
    for (int i = n - 1; i >= 0; i--) { /* loop: no */
        const double *const vals = A->ptr_to_vals_in_row[i];
        const int *const inds = A->ptr_to_inds_in_row[i];
        const int nnz = A->nnz_in_row[i];
        double sum = r[i];
        for (int j = 0; j < nnz; j++) /* loop: reduction */
            sum -= vals[j] * x[inds[j]];
        sum += x[i] * 27.0;
        x[i] = sum / 27.0;
    }
    return 0;
}
int residual(int n, const double *v1, const double *v2, double *const res)
{
    double local = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double diff = fabs(v1[i] - v2[i]);
        if (diff > local)
            local = diff;
    }
    *res = local;
    return 0;
}
int cg(struct matrix *A, const double *const b, double *const x, int max_iter, double tol, int *niters,
       double *normr)
{
    int n = A->local_nrow, print_freq = max_iter / 10;
    double *r = malloc((size_t)n * sizeof *r), *p = malloc((size_t)n * sizeof *p),
           *Ap = malloc((size_t)n * sizeof *Ap), t0 = 0, t1 = 0, t2 = 0, rtrans = 0, oldrtrans = 0;
    *normr = 0;
    if (print_freq > 50)
        print_freq = 50;
    if (print_freq < 1)
        print_freq = 1;
    TICK();
    waxpby(n, 1.0, x, 0.0, x, p);
    TOCK(t2);
    sparsemv(A, p, Ap);
    waxpby(n, 1.0, b, -1.0, Ap, r);
    TICK();
    ddot(n, r, r, &rtrans);
    TOCK(t1);
    *normr = sqrt(rtrans);
    for (int k = 1; k<max_iter && * normr> tol; k++) { /* loop: no */
        if (k == 1)
            waxpby(n, 1.0, r, 0.0, r, p);
        else {
            oldrtrans = rtrans;
            ddot(n, r, r, &rtrans);
            double beta = rtrans / oldrtrans;
            waxpby(n, 1.0, r, beta, p, p);
        }
        *normr = sqrt(rtrans);
        if (k % print_freq == 0 || k + 1 == max_iter)
            printf("Iteration = %d Residual = %g\n", k, *normr);
        sparsemv(A, p, Ap);
        double alpha = 0;
        ddot(n, p, Ap, &alpha);
        alpha = rtrans / alpha;
        waxpby(n, 1.0, x, alpha, p, x);
        waxpby(n, 1.0, r, -alpha, Ap, r);
        *niters = k;
    }
    if (t1 + t2 < 0)
        puts("time");
    free(p);
    free(Ap);
    free(r);
    return 0;
}
double mytimer(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}
void generate(int nx, int ny, int nz, struct matrix **A, double **x, double **b, double **xexact)
{
    *A = malloc(sizeof **A);
    int n = nx * ny * nz, nnz = 27 * n;
    (*A)->nnz_in_row = malloc((size_t)n * sizeof(int));
    (*A)->ptr_to_vals_in_row = malloc((size_t)n * sizeof(double *));
    (*A)->ptr_to_inds_in_row = malloc((size_t)n * sizeof(int *));
    *x = malloc((size_t)n * sizeof(double));
    *b = malloc((size_t)n * sizeof(double));
    *xexact = malloc((size_t)n * sizeof(double));
    (*A)->list_of_vals = malloc((size_t)nnz * sizeof(double));
    (*A)->list_of_inds = malloc((size_t)nnz * sizeof(int));
    double *curvalptr = (*A)->list_of_vals;
    int *curindptr = (*A)->list_of_inds, nnzglobal = 0;
    for (int iz = 0; iz < nz; iz++)           /* loop: no */
        for (int iy = 0; iy < ny; iy++)       /* loop: no */
            for (int ix = 0; ix < nx; ix++) { /* loop: no */
                int row = iz * nx * ny + iy * nx + ix, nnzrow = 0;
                (*A)->ptr_to_vals_in_row[row] = curvalptr;
                (*A)->ptr_to_inds_in_row[row] = curindptr;
                for (int sz = -1; sz <= 1; sz++)           /* loop: no */
                    for (int sy = -1; sy <= 1; sy++)       /* loop: no */
                        for (int sx = -1; sx <= 1; sx++) { /* loop: no */
                            int col = row + sz * nx * ny + sy * nx + sx;
                            if (ix + sx >= 0 && ix + sx < nx && iy + sy >= 0 && iy + sy < ny && col >= 0 &&
                                col < n) {
                                *curvalptr++ = col == row ? 27.0 : -1.0;
                                *curindptr++ = col;
                                nnzrow++;
                            }
                        }
                (*A)->nnz_in_row[row] = nnzrow;
                nnzglobal += nnzrow;
                (*x)[row] = 0.0;
                (*b)[row] = 27.0 - (double)(nnzrow - 1);
                (*xexact)[row] = 1.0;
            }
    (*A)->local_nnz = nnzglobal;
    (*A)->local_nrow = (*A)->local_ncol = n;
}
int main(void)
{
    struct matrix *A;
    double *x, *b, *xexact, norm = 0, d = 0;
    int niters = 0;
    generate(6, 6, 6, &A, &x, &b, &xexact);
    cg(A, b, x, 20, 1e-12, &niters, &norm);
    residual(A->local_nrow, x, xexact, &d);
    printf("%d %d %g\n", niters, A->local_nnz, d < 1e-6 ? 1.0 : d);
    memset(x, 0, (size_t)A->local_nrow * sizeof *x);
    for (int k = 0; k < 4; k++) /* loop: no */
        symgs(A, b, x);
    double h = 0;
    for (int i = 0; i < A->local_nrow; i++) /* loop: reduction */
        h += x[i] * (i + 1);
    printf("%.8g\n", h);
    return 0;
}
