/* Kernels as a suite of classes has them: random pairs, ranks of keys, systems along lines, sweeps,
 * transforms, grids. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    double real, imag;
} dcomplex;
#define max(x, y) ((x) > (y) ? (x) : (y))
#define MK 8
#define NQ 10
#define GRID 14
#define IMAX (GRID + 1)
static double xbuf[2 * (1 << MK)], q[NQ];
static double u[5][GRID][GRID + 1][GRID + 1], us[GRID][IMAX][IMAX], rho_i[GRID][IMAX][IMAX],
    speed[GRID][IMAX][IMAX], rhs[GRID][GRID][GRID][5], forcing[GRID][GRID][GRID][5], lhs[IMAX][5],
    uu[GRID][GRID][GRID][5];
static double dt = 0.015, c1c2 = 0.4, conz1 = 0.3;
static int grid_points[3] = {GRID - 2, GRID - 2, GRID - 2};
double randlc(double *x, double a)
{
    const double r23 = pow(0.5, 23), r46 = r23 * r23, t23 = pow(2, 23), t46 = t23 * t23;
    double t1 = r23 * a, a1 = (int)t1, a2 = a - t23 * a1, x1, x2, z, t2, t3, t4;
    t1 = r23 * (*x);
    x1 = (int)t1;
    x2 = *x - t23 * x1;
    t1 = a1 * x2 + a2 * x1;
    t2 = (int)(r23 * t1);
    z = t1 - t23 * t2;
    t3 = t23 * z + a2 * x2;
    t4 = (int)(r46 * t3);
    *x = t3 - t46 * t4;
    return r46 * (*x);
}
void vranlc(int n, double *x, double a, double y[])
{
    const double r23 = pow(0.5, 23), r46 = r23 * r23, t23 = pow(2, 23), t46 = t23 * t23;
    double t1, t2, t3, t4, a1, a2, x1, x2, z;
    t1 = r23 * a;
    a1 = (int)t1;
    a2 = a - t23 * a1;
    for (int i = 0; i < n; i++) { /* loop: no */
        t1 = r23 * (*x);
        x1 = (int)t1;
        x2 = *x - t23 * x1;
        t1 = a1 * x2 + a2 * x1;
        t2 = (int)(r23 * t1);
        z = t1 - t23 * t2;
        t3 = t23 * z + a2 * x2;
        t4 = (int)(r46 * t3);
        *x = t3 - t46 * t4;
        y[i] = r46 * (*x);
    }
}
static void ep(int np)
{
    double sx = 0, sy = 0, an = 1220703125.0, t1, t2, t3, t4, x1, x2, gc = 0;
    int i, k, kk, ik, l, k_offset = -1;
    t1 = an;
    for (i = 0; i < MK + 1; i++) /* loop: no */
        t2 = randlc(&t1, t1);
    an = t1;
    for (i = 0; i < NQ; i++) /* loop: parallel */
        q[i] = 0;
    for (k = 1; k <= np; k++) { /* loop: no */
        kk = k_offset + k;
        t1 = 271828183.0;
        t2 = an;
        for (i = 1; i <= 100; i++) { /* loop: no */
            ik = kk / 2;
            if ((2 * ik) != kk)
                t3 = randlc(&t1, t2);
            if (ik == 0)
                break;
            t3 = randlc(&t2, t2);
            kk = ik;
        }
        vranlc(2 * (1 << MK), &t1, 1220703125.0, xbuf);
        for (i = 0; i < (1 << MK); i++) { /* loop: reduction */
            x1 = 2.0 * xbuf[2 * i] - 1.0;
            x2 = 2.0 * xbuf[2 * i + 1] - 1.0;
            t1 = x1 * x1 + x2 * x2;
            if (t1 <= 1.0) {
                t2 = sqrt(-2.0 * log(t1) / t1);
                t3 = (x1 * t2);
                t4 = (x2 * t2);
                l = (int)max(fabs(t3), fabs(t4));
                q[l] = q[l] + 1.0;
                sx = sx + t3;
                sy = sy + t4;
            }
        }
    }
    for (i = 0; i < NQ; i++) /* loop: reduction */
        gc = gc + q[i];
    printf("ep %.8g %.8g %g\n", sx, sy, gc);
}
/* is */
enum { NKEYS = 512, MAXKEY = 128, BUCKETS = 16 };
static int key_array[NKEYS], key_buff1[MAXKEY], key_buff2[NKEYS], bucket_size[BUCKETS], bucket_ptrs[BUCKETS],
    *key_buff_ptr_global, passed;
static int test_index[5] = {3, 44, 99, 200, 400}, partial[5];
static void create_seq(double seed, double a)
{
    double x;
    int k = MAXKEY / 4;
    for (int i = 0; i < NKEYS; i++) { /* loop: no */
        x = randlc(&seed, a);
        x += randlc(&seed, a);
        x += randlc(&seed, a);
        x += randlc(&seed, a);
        key_array[i] = (int)(k * x);
    }
}
static void rank(int iteration)
{
    int i, k, shift = 3, key;
    int *kb, *kb2;
    key_array[iteration] = iteration;
    key_array[iteration + 10] = MAXKEY - iteration;
    key_array[iteration + 10] = MAXKEY - 1 - iteration;
    for (i = 0; i < 5; i++) /* loop: parallel */
        partial[i] = key_array[test_index[i]];
    for (i = 0; i < BUCKETS; i++) /* loop: parallel */
        bucket_size[i] = 0;
    for (i = 0; i < NKEYS; i++) /* loop: reduction */
        bucket_size[key_array[i] >> shift]++;
    bucket_ptrs[0] = 0;
    for (i = 1; i < BUCKETS; i++) /* loop: no */
        bucket_ptrs[i] = bucket_ptrs[i - 1] + bucket_size[i - 1];
    for (i = 0; i < NKEYS; i++) { /* loop: no */
        key = key_array[i];
        key_buff2[bucket_ptrs[key >> shift]++] = key;
    }
    kb2 = key_buff2;
    kb = key_buff1;
    for (i = 0; i < MAXKEY; i++) /* loop: parallel */
        kb[i] = 0;
    for (i = 0; i < NKEYS; i++) /* loop: reduction */
        kb[kb2[i]]++;
    for (i = 0; i < MAXKEY - 1; i++) /* loop: no */
        kb[i + 1] += kb[i];
    for (i = 0; i < 5; i++) { /* loop: reduction */
        k = partial[i];
        if (0 < k && k <= NKEYS - 1) {
            int key_rank = kb[k - 1], failed = 0;
            if (key_rank < 0)
                failed = 1;
            else
                passed++;
            if (failed == 1)
                printf("Failed partial verification: iteration %d, test key %d\n", iteration, i);
        }
    }
    if (iteration == 4)
        key_buff_ptr_global = kb;
}
static void full_verify(void)
{
    int i, j = 0;
    for (i = 0; i < NKEYS; i++) /* loop: no */
        key_array[--key_buff_ptr_global[key_buff2[i]]] = key_buff2[i];
    for (i = 1; i < NKEYS; i++) /* loop: reduction */
        if (key_array[i - 1] > key_array[i])
            j++;
    printf("is %d %d\n", j, passed);
}
/* bt/sp */
static void initialize(void)
{
    int i, j, k, m;
    for (k = 0; k < GRID; k++)            /* loop: parallel */
        for (j = 0; j < GRID; j++)        /* loop: parallel */
            for (i = 0; i < GRID; i++)    /* loop: parallel */
                for (m = 0; m < 5; m++) { /* loop: parallel */
                    uu[k][j][i][m] = 1.0 + 0.01 * i + 0.02 * j * m;
                    forcing[k][j][i][m] = 0.001 * (i + j + k + m);
                }
}
static void compute_rhs(void)
{
    int i, j, k, m;
    double rho_inv, aux;
    for (k = 0; k <= grid_points[2] - 1; k++) {         /* loop: private */
        for (j = 0; j <= grid_points[1] - 1; j++) {     /* loop: private */
            for (i = 0; i <= grid_points[0] - 1; i++) { /* loop: private */
                rho_inv = 1.0 / uu[k][j][i][0];
                rho_i[k][j][i] = rho_inv;
                us[k][j][i] = uu[k][j][i][1] * rho_inv;
                aux = c1c2 * rho_inv * (uu[k][j][i][4] - 0.5 * us[k][j][i]);
                speed[k][j][i] = sqrt(fabs(aux));
            }
        }
    }
    for (k = 0; k <= grid_points[2] - 1; k++)         /* loop: parallel */
        for (j = 0; j <= grid_points[1] - 1; j++)     /* loop: parallel */
            for (i = 0; i <= grid_points[0] - 1; i++) /* loop: parallel */
                for (m = 0; m < 5; m++)
                    rhs[k][j][i][m] = forcing[k][j][i][m];
    for (k = 1; k <= grid_points[2] - 2; k++) {         /* loop: private */
        for (j = 1; j <= grid_points[1] - 2; j++) {     /* loop: private */
            for (i = 1; i <= grid_points[0] - 2; i++) { /* loop: private */
                double uijk = us[k][j][i], up1 = us[k][j][i + 1], um1 = us[k][j][i - 1];
                rhs[k][j][i][0] = rhs[k][j][i][0] +
                                  0.1 * (uu[k][j][i + 1][0] - 2.0 * uu[k][j][i][0] + uu[k][j][i - 1][0]) -
                                  0.2 * (uu[k][j][i + 1][1] - uu[k][j][i - 1][1]);
                rhs[k][j][i][1] = rhs[k][j][i][1] + conz1 * (up1 - 2.0 * uijk + um1);
            }
        }
        for (j = 1; j <= grid_points[1] - 2; j++) { /* loop: parallel */
            i = 1;
            for (m = 0; m < 5; m++)
                rhs[k][j][i][m] = rhs[k][j][i][m] - 0.01 * (5.0 * uu[k][j][i][m] - 4.0 * uu[k][j][i + 1][m] +
                                                            uu[k][j][i + 2][m]);
            i = 2;
            for (m = 0; m < 5; m++)
                rhs[k][j][i][m] = rhs[k][j][i][m] - 0.01 * (-4.0 * uu[k][j][i - 1][m] + 6.0 * uu[k][j][i][m] -
                                                            4.0 * uu[k][j][i + 1][m]);
        }
    }
    for (k = 1; k <= grid_points[2] - 2; k++)         /* loop: parallel */
        for (j = 1; j <= grid_points[1] - 2; j++)     /* loop: parallel */
            for (i = 1; i <= grid_points[0] - 2; i++) /* loop: parallel */
                for (m = 0; m < 5; m++)
                    rhs[k][j][i][m] = rhs[k][j][i][m] * dt;
}
static double cv[IMAX], rhon[IMAX];
static void x_solve(void)
{
    int i, j, k, i1, m;
    double ru1, fac1;
    for (k = 1; k <= grid_points[2] - 2; k++) {         /* loop: private */
        for (j = 1; j <= grid_points[1] - 2; j++) {     /* loop: private */
            for (i = 0; i <= grid_points[0] - 1; i++) { /* loop: private */
                ru1 = 0.1 * rho_i[k][j][i];
                cv[i] = us[k][j][i];
                rhon[i] = max(0.7 + 0.3 * ru1, max(0.2 + ru1, 0.5));
            }
            for (i = 0; i < IMAX; i++) /* loop: parallel */
                for (m = 0; m < 5; m++)
                    lhs[i][m] = m == 2;
            for (i = 1; i <= grid_points[0] - 2; i++) { /* loop: parallel */
                lhs[i][0] = 0.0;
                lhs[i][1] = -dt * cv[i - 1] - dt * rhon[i - 1];
                lhs[i][2] = 1.0 + dt * 2 * rhon[i];
                lhs[i][3] = dt * cv[i + 1] - dt * rhon[i + 1];
                lhs[i][4] = 0.0;
            }
            for (i = 0; i <= grid_points[0] - 3; i++) { /* loop: no */
                i1 = i + 1;
                fac1 = 1.0 / lhs[i][2];
                lhs[i][3] = fac1 * lhs[i][3];
                for (m = 0; m < 3; m++)
                    rhs[k][j][i][m] = fac1 * rhs[k][j][i][m];
                lhs[i1][2] = lhs[i1][2] - lhs[i1][1] * lhs[i][3];
                for (m = 0; m < 3; m++)
                    rhs[k][j][i1][m] = rhs[k][j][i1][m] - lhs[i1][1] * rhs[k][j][i][m];
            }
            for (i = grid_points[0] - 3; i >= 0; i--) { /* loop: no */
                i1 = i + 1;
                for (m = 0; m < 3; m++)
                    rhs[k][j][i][m] = rhs[k][j][i][m] - lhs[i][3] * rhs[k][j][i1][m];
            }
        }
    }
}
static void add(void)
{
    int i, j, k, m;
    for (k = 1; k <= grid_points[2] - 2; k++)         /* loop: parallel */
        for (j = 1; j <= grid_points[1] - 2; j++)     /* loop: parallel */
            for (i = 1; i <= grid_points[0] - 2; i++) /* loop: parallel */
                for (m = 0; m < 5; m++)
                    uu[k][j][i][m] = uu[k][j][i][m] + rhs[k][j][i][m];
}
static void rhs_norm(double rms[5])
{
    int i, j, k, d, m;
    double a;
    for (m = 0; m < 5; m++)
        rms[m] = 0.0;
    for (k = 1; k <= grid_points[2] - 2; k++)         /* loop: reduction */
        for (j = 1; j <= grid_points[1] - 2; j++)     /* loop: reduction */
            for (i = 1; i <= grid_points[0] - 2; i++) /* loop: reduction */
                for (m = 0; m < 5; m++) {
                    a = rhs[k][j][i][m];
                    rms[m] = rms[m] + a * a;
                }
    for (m = 0; m < 5; m++) { /* loop: parallel */
        for (d = 0; d < 3; d++)
            rms[m] = rms[m] / (double)(grid_points[d] - 2);
        rms[m] = sqrt(rms[m]);
    }
}
/* lu ssor sweep */
static double rsd[GRID][GRID][GRID], flux[GRID];
static void blts(double omega)
{
    for (int k = 1; k < GRID - 1; k++)         /* loop: no */
        for (int j = 1; j < GRID - 1; j++)     /* loop: no */
            for (int i = 1; i < GRID - 1; i++) /* loop: no */
                rsd[k][j][i] =
                    rsd[k][j][i] - omega * (rsd[k - 1][j][i] + rsd[k][j - 1][i] + rsd[k][j][i - 1]) * 0.1;
}
static void buts(double omega)
{
    double tv[GRID];
    for (int k = GRID - 2; k >= 1; k--)         /* loop: no */
        for (int j = GRID - 2; j >= 1; j--) {   /* loop: no */
            for (int i = GRID - 2; i >= 1; i--) /* loop: parallel */
                tv[i] = omega * (rsd[k + 1][j][i] + rsd[k][j + 1][i]);
            for (int i = GRID - 2; i >= 1; i--) /* loop: no */
                rsd[k][j][i] -= 0.05 * (tv[i] + rsd[k][j][i + 1]);
        }
}
static void erhs(void)
{
    for (int k = 0; k < GRID; k++)         /* loop: private */
        for (int j = 0; j < GRID; j++) {   /* loop: private */
            for (int i = 0; i < GRID; i++) /* loop: parallel */
                flux[i] = 0.1 * i * uu[k][j][i][0];
            for (int i = 1; i < GRID - 1; i++) /* loop: parallel */
                rsd[k][j][i] = forcing[k][j][i][0] - 0.5 * (flux[i + 1] - flux[i - 1]);
        }
}
/* ft */
static dcomplex uf[64], ux[64], scr[64];
static void cfftz_setup(int n)
{
    int ku = 1, ln = 1, m = 6;
    uf[0].real = m;
    for (int j = 1; j <= m; j++) { /* loop: no */
        double t = 3.141592653589793 / ln;
        for (int i = 0; i <= ln - 1 && i + ku < n; i++) { /* loop: parallel */
            double ti = i * t;
            uf[i + ku].real = cos(ti);
            uf[i + ku].imag = sin(ti);
        }
        ku = ku + ln;
        ln = 2 * ln;
    }
}
static void fftz2(int is, int l, int m, int n, dcomplex *u, dcomplex *x, dcomplex *y)
{
    int n1 = n / 2, lk = 1 << (l - 1), li = 1 << (m - l), lj = 2 * lk, ku = li;
    for (int i = 0; i <= li - 1; i++) { /* loop: parallel */
        int i11 = i * lk, i12 = i11 + n1, i21 = i * lj, i22 = i21 + lk;
        dcomplex u1 = u[ku + i];
        if (is < 1)
            u1.imag = -u1.imag;
        for (int k = 0; k <= lk - 1; k++) { /* loop: parallel */
            dcomplex x11 = x[i11 + k], x21 = x[i12 + k];
            y[i21 + k].real = x11.real + x21.real;
            y[i21 + k].imag = x11.imag + x21.imag;
            y[i22 + k].real = u1.real * (x11.real - x21.real) - u1.imag * (x11.imag - x21.imag);
            y[i22 + k].imag = u1.real * (x11.imag - x21.imag) + u1.imag * (x11.real - x21.real);
        }
    }
}
static void evolve(dcomplex *u0, dcomplex *u1, double *tw, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        u0[i].real = u0[i].real * tw[i];
        u0[i].imag = u0[i].imag * tw[i];
        u1[i] = u0[i];
    }
}
/* mg with rows on the stack */
static void resid(double *ou, double *ov, double * or, int n, double a[4])
{
    double(*u)[n][n] = (double(*)[n][n])ou, (*v)[n][n] = (double(*)[n][n])ov,
    (*r)[n][n] = (double(*)[n][n]) or
        ;
    double u1[40], u2[40];
    for (int i3 = 1; i3 < n - 1; i3++)       /* loop: private */
        for (int i2 = 1; i2 < n - 1; i2++) { /* loop: private */
            for (int i1 = 0; i1 < n; i1++) { /* loop: parallel */
                u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
                u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] +
                         u[i3 + 1][i2 + 1][i1];
            }
            for (int i1 = 1; i1 < n - 1; i1++) /* loop: parallel */
                r[i3][i2][i1] = v[i3][i2][i1] - a[0] * u[i3][i2][i1] -
                                a[2] * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) - a[3] * (u2[i1 - 1] + u2[i1 + 1]);
        }
}
static void psinv_same(double *z, int n)
{
    double(*u)[n][n] = (double(*)[n][n])z;
    for (int i3 = 1; i3 < n - 1; i3++)         /* loop: no */
        for (int i2 = 1; i2 < n - 1; i2++)     /* loop: no */
            for (int i1 = 1; i1 < n - 1; i1++) /* loop: no */
                u[i3][i2][i1] += 0.1 * (u[i3 - 1][i2][i1] + u[i3][i2 - 1][i1] + u[i3][i2][i1 - 1]);
}
static void comm3(double *ou, int n)
{
    double(*u)[n][n] = (double(*)[n][n])ou;
    for (int i3 = 1; i3 < n - 1; i3++) {     /* loop: parallel */
        for (int i2 = 1; i2 < n - 1; i2++) { /* loop: parallel */
            u[i3][i2][0] = u[i3][i2][n - 2];
            u[i3][i2][n - 1] = u[i3][i2][1];
        }
        for (int i1 = 0; i1 < n; i1++) { /* loop: parallel */
            u[i3][0][i1] = u[i3][n - 2][i1];
            u[i3][n - 1][i1] = u[i3][1][i1];
        }
    }
    for (int i2 = 0; i2 < n; i2++)       /* loop: parallel */
        for (int i1 = 0; i1 < n; i1++) { /* loop: parallel */
            u[0][i2][i1] = u[n - 2][i2][i1];
            u[n - 1][i2][i1] = u[1][i2][i1];
        }
}
int main(void)
{
    ep(4);
    create_seq(314159265.0, 1220703125.0);
    for (int it = 1; it <= 4; it++) { /* loop: no */
        rank(it);
    }
    full_verify();
    initialize();
    double rms[5];
    for (int step = 1; step <= 3; step++) { /* loop: no */
        if ((step % 2) == 0 || step == 1)
            printf(" Time step %4d\n", step);
        compute_rhs();
        x_solve();
        add();
    }
    rhs_norm(rms);
    printf("bt %.8g %.8g %.8g\n", rms[0], rms[1], rms[4]);
    erhs();
    blts(1.2);
    buts(1.2);
    double s = 0, tw[64], a[4] = {-8.0 / 3, 0, 1.0 / 6, 1.0 / 12};
    for (int k = 0; k < GRID; k++)         /* loop: reduction */
        for (int j = 0; j < GRID; j++)     /* loop: reduction */
            for (int i = 0; i < GRID; i++) /* loop: reduction */
                s += rsd[k][j][i] * rsd[k][j][i];
    cfftz_setup(64);
    for (int i = 0; i < 64; i++) { /* loop: parallel */
        ux[i].real = i % 9;
        ux[i].imag = 0.1 * i;
        tw[i] = 1 - 0.001 * i;
    }
    for (int l = 1; l <= 6; l += 2) { /* loop: no */
        fftz2(1, l, 6, 64, uf, ux, scr);
        if (l == 6)
            break;
        fftz2(1, l + 1, 6, 64, uf, scr, ux);
    }
    evolve(ux, scr, tw, 64);
    int n = 10;
    double *uz = malloc(8000), *vz = calloc(1000, 8), *rz = calloc(1000, 8);
    for (int i = 0; i < 1000; i++) /* loop: parallel */
        uz[i] = (i * 7 % 13) * 0.1;
    comm3(uz, n);
    resid(uz, vz, rz, n, a);
    psinv_same(rz, n);
    comm3(rz, n);
    for (int i = 0; i < 1000; i++) /* loop: reduction */
        s += rz[i] * rz[i];
    printf("%.8g %.8g\n", s, scr[5].real);
    return 0;
}
