/* More of these: flows over cells, particles in boxes, centres of a stream, templates, filters by particles,
 * heat in space. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define NDIM 3
#define NNB 4
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY (VAR_MOMENTUM + NDIM)
#define NVAR (VAR_DENSITY_ENERGY + 1)
#define GAMMA 1.4
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))
typedef double fp;
struct float3 {
    fp x, y, z;
};
static fp ff_variable[NVAR];
static struct float3 ff_flux_contribution_momentum[NDIM];

/* cfd */
static inline void compute_velocity(fp density, struct float3 momentum, struct float3 *velocity)
{
    velocity->x = momentum.x / density;
    velocity->y = momentum.y / density;
    velocity->z = momentum.z / density;
}
static inline fp compute_speed_sqd(struct float3 v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}
static inline fp compute_pressure(fp density, fp energy, fp speed_sqd)
{
    return ((fp)(GAMMA) - (fp)(1.0)) * (energy - (fp)(0.5) * density * speed_sqd);
}
static inline fp compute_speed_of_sound(fp density, fp pressure)
{
    return sqrt((fp)(GAMMA)*pressure / density);
}
static void initialize_variables(int nelr, fp *variables)
{
    for (int i = 0; i < nelr; i++)     /* loop: parallel */
        for (int j = 0; j < NVAR; j++) /* loop: parallel */
            variables[i + j * nelr] = ff_variable[j] * (1 + 0.01 * (i % 5));
}
static void copy(fp *dst, fp *src, int N)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        dst[i] = src[i];
}
static void compute_step_factor(int nelr, fp *variables, fp *areas, fp *step_factors)
{
    for (int i = 0; i < nelr; i++) { /* loop: parallel */
        fp density = variables[i + VAR_DENSITY * nelr];
        struct float3 momentum;
        momentum.x = variables[i + (VAR_MOMENTUM + 0) * nelr];
        momentum.y = variables[i + (VAR_MOMENTUM + 1) * nelr];
        momentum.z = variables[i + (VAR_MOMENTUM + 2) * nelr];
        fp density_energy = variables[i + VAR_DENSITY_ENERGY * nelr];
        struct float3 velocity;
        compute_velocity(density, momentum, &velocity);
        fp speed_sqd = compute_speed_sqd(velocity),
           pressure = compute_pressure(density, density_energy, speed_sqd),
           sos = compute_speed_of_sound(density, pressure);
        step_factors[i] = (fp)(0.5) / (sqrt(areas[i]) * (sqrt(speed_sqd) + sos));
    }
}
static void compute_flux(int nelr, int *esel, fp *normals, fp *variables, fp *fluxes)
{
    for (int i = 0; i < nelr; i++) { /* loop: parallel */
        fp flux_d = 0, flux_e = 0;
        struct float3 flux_m = {0, 0, 0}, m, v, m_nb, v_nb, normal;
        fp d = variables[i], e;
        m.x = variables[i + nelr];
        m.y = variables[i + 2 * nelr];
        m.z = variables[i + 3 * nelr];
        e = variables[i + 4 * nelr];
        compute_velocity(d, m, &v);
        fp p = compute_pressure(d, e, compute_speed_sqd(v));
        for (int j = 0; j < NNB; j++) { /* loop: reduction */
            int nb = esel[i + j * nelr];
            normal.x = normals[i + (j + 0 * NNB) * nelr];
            normal.y = normals[i + (j + 1 * NNB) * nelr];
            normal.z = normals[i + (j + 2 * NNB) * nelr];
            fp normal_len = sqrt(DOT(normal, normal));
            if (nb >= 0) {
                fp d_nb = variables[nb], e_nb = variables[nb + 4 * nelr];
                m_nb.x = variables[nb + nelr];
                m_nb.y = variables[nb + 2 * nelr];
                m_nb.z = variables[nb + 3 * nelr];
                compute_velocity(d_nb, m_nb, &v_nb);
                fp p_nb = compute_pressure(d_nb, e_nb, compute_speed_sqd(v_nb)),
                   factor = -normal_len * 0.2 * 0.5;
                flux_d += factor * (d - d_nb) + normal.x * (m.x + m_nb.x);
                flux_e += factor * (e - e_nb);
                flux_m.x += factor * (m.x - m_nb.x) + p + p_nb;
                flux_m.y += factor * (m.y - m_nb.y);
                flux_m.z += factor * (m.z - m_nb.z);
            } else if (nb == -1) {
                flux_m.x += normal.x * p;
                flux_m.y += normal.y * p;
            } else if (nb == -2) {
                flux_d += 0.5 * normal.x * (ff_variable[1] + m.x);
                flux_m.x += 0.5 * (ff_flux_contribution_momentum[0].x + p);
            }
        }
        fluxes[i] = flux_d;
        fluxes[i + nelr] = flux_m.x;
        fluxes[i + 2 * nelr] = flux_m.y;
        fluxes[i + 3 * nelr] = flux_m.z;
        fluxes[i + 4 * nelr] = flux_e;
    }
}
static void time_step(int j, int nelr, fp *old, fp *variables, fp *sf, fp *fluxes)
{
    for (int i = 0; i < nelr; i++) { /* loop: parallel */
        fp factor = sf[i] / (fp)(3 + 1 - j);
        variables[i + 0 * nelr] = old[i + 0 * nelr] + factor * fluxes[i];
        variables[i + 1 * nelr] = old[i + 1 * nelr] + factor * fluxes[i + nelr];
        variables[i + 4 * nelr] = old[i + 4 * nelr] + factor * fluxes[i + 4 * nelr];
    }
}
static void cfd(void)
{
    int nelr = 64;
    fp *areas = malloc(sizeof(fp) * 64), *normals = malloc(sizeof(fp) * 64 * NDIM * NNB),
       *variables = malloc(sizeof(fp) * 64 * NVAR), *old = malloc(sizeof(fp) * 64 * NVAR),
       *fluxes = malloc(sizeof(fp) * 64 * NVAR), *sf = malloc(sizeof(fp) * 64);
    int *esel = malloc(sizeof(int) * 64 * NNB);
    ff_variable[0] = 1.4;
    ff_variable[1] = 1.2;
    ff_variable[4] = 3;
    for (int i = 0; i < nelr; i++) { /* loop: parallel */
        areas[i] = 1 + i % 3;
        for (int j = 0; j < NNB; j++) {
            esel[i + j * nelr] = i % 9 == 0 && j == 0 ? -1 : i % 13 == 0 && j == 3 ? -2 : (i * 3 + j) % nelr;
            for (int k = 0; k < NDIM; k++)
                normals[i + (j + k * NNB) * nelr] = 0.1 * k + 0.01 * j;
        }
    }
    initialize_variables(nelr, variables);
    for (int n = 0; n < 3; n++) { /* loop: no */
        copy(old, variables, nelr * NVAR);
        compute_step_factor(nelr, variables, areas, sf);
        for (int j = 0; j < 3; j++) { /* loop: no */
            compute_flux(nelr, esel, normals, variables, fluxes);
            time_step(j, nelr, old, variables, sf, fluxes);
        }
    }
    printf("cfd %g %g\n", variables[5], variables[70]);
}
/* lavaMD */
typedef struct {
    fp x, y, z;
} THREE_VECTOR;
typedef struct {
    fp v, x, y, z;
} FOUR_VECTOR;
typedef struct {
    int x, y, z, number;
    long offset;
} nei_str;
typedef struct {
    int x, y, z, number;
    long offset;
    int nn;
    nei_str nei[26];
} box_str;
typedef struct {
    fp alpha;
} par_str;
typedef struct {
    int boxes1d_arg;
    long number_boxes, box_mem, space_elem;
} dim_str;
enum { PER_BOX = 10 };
static void kernel_cpu(par_str par, dim_str dim, box_str *box, FOUR_VECTOR *rv, fp *qv, FOUR_VECTOR *fv)
{
    fp alpha, a2, r2, u2, fs, vij, fxij, fyij, fzij;
    int i, j, k, l;
    long first_i, first_j;
    FOUR_VECTOR *rA, *fA, *rB;
    fp *qB;
    int pointer;
    THREE_VECTOR d;
    alpha = par.alpha;
    a2 = 2.0 * alpha * alpha;
    for (l = 0; l < dim.number_boxes; l = l + 1) { /* loop: private */
        first_i = box[l].offset;
        rA = &rv[first_i];
        fA = &fv[first_i];
        for (k = 0; k < (1 + box[l].nn); k++) { /* loop: reduction */
            if (k == 0)
                pointer = l;
            else
                pointer = box[l].nei[k - 1].number;
            first_j = box[pointer].offset;
            rB = &rv[first_j];
            qB = &qv[first_j];
            for (i = 0; i < PER_BOX; i = i + 1) {     /* loop: private */
                for (j = 0; j < PER_BOX; j = j + 1) { /* loop: reduction */
                    r2 = rA[i].v + rB[j].v - (rA[i].x * rB[j].x + rA[i].y * rB[j].y + rA[i].z * rB[j].z);
                    u2 = a2 * r2;
                    vij = exp(-u2);
                    fs = 2. * vij;
                    d.x = rA[i].x - rB[j].x;
                    d.y = rA[i].y - rB[j].y;
                    d.z = rA[i].z - rB[j].z;
                    fxij = fs * d.x;
                    fyij = fs * d.y;
                    fzij = fs * d.z;
                    fA[i].v += qB[j] * vij;
                    fA[i].x += qB[j] * fxij;
                    fA[i].y += qB[j] * fyij;
                    fA[i].z += qB[j] * fzij;
                }
            }
        }
    }
}
static void lavamd(int b)
{
    dim_str dim = {b, (long)b * b * b, 0, 0};
    par_str par = {0.5};
    box_str *box = calloc((size_t)dim.number_boxes, sizeof *box);
    int nh = 0;
    for (int i = 0; i < b; i++)           /* loop: no */
        for (int j = 0; j < b; j++)       /* loop: no */
            for (int k = 0; k < b; k++) { /* loop: no */
                box[nh].x = k;
                box[nh].y = j;
                box[nh].z = i;
                box[nh].number = nh;
                box[nh].offset = (long)nh * PER_BOX;
                box[nh].nn = 0;
                for (int l = -1; l < 2; l++)
                    for (int m = -1; m < 2; m++)
                        for (int n = -1; n < 2; n++)
                            if ((i + l >= 0 && j + m >= 0 && k + n >= 0) &&
                                (i + l < b && j + m < b && k + n < b) && (l || m || n)) {
                                box[nh].nei[box[nh].nn].x = k + n;
                                box[nh].nei[box[nh].nn].number = (i + l) * b * b + (j + m) * b + k + n;
                                box[nh].nn = box[nh].nn + 1;
                            }
                nh = nh + 1;
            }
    long n = dim.number_boxes * PER_BOX;
    FOUR_VECTOR *rv = malloc((size_t)n * sizeof *rv), *fv = malloc((size_t)n * sizeof *fv);
    fp *qv = malloc((size_t)n * sizeof *qv);
    srand(5);
    for (long i = 0; i < n; i++) { /* loop: no */
        rv[i].v = (rand() % 10 + 1) / 10.0;
        rv[i].x = (rand() % 10 + 1) / 10.0;
        rv[i].y = rv[i].z = 0.4;
    }
    for (long i = 0; i < n; i++) { /* loop: parallel */
        qv[i] = 0.1 * (double)(i % 7);
        fv[i].v = fv[i].x = fv[i].y = fv[i].z = 0;
    }
    kernel_cpu(par, dim, box, rv, qv, fv);
    printf("lava %g %g\n", fv[3].v, fv[n - 1].x);
    free(box);
    free(rv);
    free(fv);
    free(qv);
}
/* streamcluster */
typedef struct {
    float weight;
    float *coord;
    long assign;
    float cost;
} Point;
typedef struct {
    long num;
    int dim;
    Point *p;
} Points;
static bool *is_center, *switch_membership;
static int *center_table;
static float dist(Point p1, Point p2, int dim)
{
    float result = 0.0f;
    for (int i = 0; i < dim; i++) /* loop: reduction */
        result += (p1.coord[i] - p2.coord[i]) * (p1.coord[i] - p2.coord[i]);
    return result;
}
static double pgain(long x, Points *points, double z, long *numcenters)
{
    int stride = (int)*numcenters + 2, number_of_centers_to_close = 0;
    double *work_mem = malloc((size_t)(stride * 2) * sizeof(double)), gl_cost_of_opening_x = z,
           cost_of_opening_x = 0;
    int count = 0;
    for (long i = 0; i < points->num; i++) /* loop: no */
        if (is_center[i])
            center_table[i] = count++;
    memset(switch_membership, 0, (size_t)points->num * sizeof(bool));
    memset(work_mem, 0, (size_t)(stride * 2) * sizeof(double));
    double *lower = &work_mem[0];
    for (long i = 0; i < points->num; i++) { /* loop: reduction */
        float x_cost = dist(points->p[i], points->p[x], points->dim) * points->p[i].weight,
              current_cost = points->p[i].cost;
        if (x_cost < current_cost) {
            switch_membership[i] = 1;
            cost_of_opening_x += x_cost - current_cost;
        } else {
            long assign = points->p[i].assign;
            lower[center_table[assign]] += current_cost - x_cost;
        }
    }
    double *gl_lower = &work_mem[stride];
    for (long i = 0; i < points->num; i++) { /* loop: reduction */
        if (is_center[i]) {
            double low = z + work_mem[center_table[i]];
            gl_lower[center_table[i]] = low;
            if (low > 0) {
                ++number_of_centers_to_close;
                cost_of_opening_x -= low;
            }
        }
    }
    gl_cost_of_opening_x += cost_of_opening_x;
    if (gl_cost_of_opening_x < 0) {
        for (long i = 0; i < points->num; i++) { /* loop: parallel */
            bool close_center = gl_lower[center_table[points->p[i].assign]] > 0;
            if (switch_membership[i] || close_center) {
                points->p[i].cost = points->p[i].weight * dist(points->p[i], points->p[x], points->dim);
                points->p[i].assign = x;
            }
        }
        for (long i = 0; i < points->num; i++) /* loop: parallel */
            if (is_center[i] && gl_lower[center_table[i]] > 0)
                is_center[i] = false;
        is_center[x] = true;
        *numcenters = *numcenters + 1 - number_of_centers_to_close;
    } else
        gl_cost_of_opening_x = 0;
    free(work_mem);
    return -gl_cost_of_opening_x;
}
static void streamcluster(int n, int dim)
{
    Points points = {n, dim, malloc((size_t)n * sizeof(Point))};
    float *block = malloc((size_t)(n * dim) * sizeof(float));
    is_center = calloc((size_t)n, sizeof(bool));
    switch_membership = calloc((size_t)n, sizeof(bool));
    center_table = calloc((size_t)n, sizeof(int));
    for (int i = 0; i < n; i++) { /* loop: parallel */
        points.p[i].coord = &block[i * dim];
        points.p[i].weight = 1;
        for (int j = 0; j < dim; j++) /* loop: parallel */
            points.p[i].coord[j] = (float)((i * 31 + j * 7) % 50);
    }
    long k = 1;
    is_center[0] = true;
    double cost = 0, hi;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        float d = dist(points.p[i], points.p[0], dim);
        cost += d;
        points.p[i].assign = 0;
        points.p[i].cost = d;
    }
    hi = cost;
    for (int i = 0; i < 8; i++) { /* loop: no */
        double change = pgain((i * 13 + 5) % n, &points, 5000, &k);
        cost -= change;
    }
    printf("sc %ld %g %g\n", k, cost, hi);
}
/* heart wall / template matching, particle filter */
typedef struct {
    int frame, rows, cols;
    float *img, conv[16 * 16], cum[16 * 16], tmpl[25];
    int best_r, best_c;
} track;
static void match(track *t)
{
    int ic, jc, cent = 0;
    float best = -1e30f;
    for (int r = 0; r < 12; r++)       /* loop: parallel */
        for (int c = 0; c < 12; c++) { /* loop: parallel */
            float s = 0;
            for (ic = 0; ic < 5; ic++)     /* loop: reduction */
                for (jc = 0; jc < 5; jc++) /* loop: reduction */
                    s += t->img[(r + ic) * t->cols + c + jc] * t->tmpl[ic * 5 + jc];
            t->conv[r * 12 + c] = s;
        }
    for (int c = 0; c < 12; c++) { /* loop: parallel */
        float sum = 0;
        for (int r = 0; r < 12; r++) { /* loop: no */
            sum = sum + t->conv[r * 12 + c];
            t->cum[r * 12 + c] = sum;
        }
    }
    for (int r = 0; r < 12; r++)       /* loop: no */
        for (int c = 0; c < 12; c++) { /* loop: no */
            float v = t->conv[r * 12 + c] - 0.01f * t->cum[r * 12 + c];
            if (v > best) {
                best = v;
                cent = r * 12 + c;
            }
        }
    t->best_r = cent / 12;
    t->best_c = cent % 12;
    for (int i = 0; i < 25; i++) /* loop: parallel */
        t->tmpl[i] = 0.9f * t->tmpl[i] + 0.1f * t->img[(t->best_r + i / 5) * t->cols + t->best_c + i % 5];
}
static void heartwall(void)
{
    enum { T = 6 };
    static track tr[T];
    float *img = malloc(20 * 20 * sizeof(float));
    for (int p = 0; p < T; p++)      /* loop: parallel */
        for (int i = 0; i < 25; i++) /* loop: parallel */
            tr[p].tmpl[i] = (float)((i + p) % 5);
    for (int f = 0; f < 3; f++) {     /* loop: no */
        for (int i = 0; i < 400; i++) /* loop: parallel */
            img[i] = (float)((i * (f + 3)) % 17);
        for (int p = 0; p < T; p++) { /* loop: parallel */
            tr[p].frame = f;
            tr[p].rows = tr[p].cols = 20;
            tr[p].img = img;
            match(&tr[p]);
        }
    }
    printf("hw %d %d %g\n", tr[2].best_r, tr[3].best_c, tr[1].tmpl[4]);
    free(img);
}
static double randu(int *seed, int index)
{
    int num = 1103515245 * seed[index] + 12345;
    seed[index] = num;
    return fabs(num / ((double)0x7fffffff + 1));
}
static int findIndex(double *CDF, int n, double value)
{
    int index = -1;
    for (int x = 0; x < n; x++) /* loop: no */
        if (CDF[x] >= value) {
            index = x;
            break;
        }
    return index == -1 ? n - 1 : index;
}
static void particles(int n)
{
    int *seed = malloc((size_t)n * sizeof(int));
    double *x = malloc((size_t)n * 8), *y = malloc((size_t)n * 8), *w = malloc((size_t)n * 8),
           *lik = malloc((size_t)n * 8), *CDF = malloc((size_t)n * 8), *u = malloc((size_t)n * 8),
           *xj = malloc((size_t)n * 8);
    for (int i = 0; i < n; i++) { /* loop: parallel */
        seed[i] = i * 77 + 1;
        w[i] = 1.0 / n;
        x[i] = y[i] = 10;
    }
    double xe = 0;
    for (int k = 1; k < 4; k++) {     /* loop: no */
        for (int i = 0; i < n; i++) { /* loop: parallel */
            x[i] += 1 + 5 * randu(seed, i);
            y[i] += -2 + 2 * randu(seed, i);
        }
        for (int i = 0; i < n; i++) { /* loop: parallel */
            lik[i] = 0;
            for (int p = 0; p < 6; p++) /* loop: reduction */
                lik[i] += pow(x[i] - 10 - p, 2) / 50 - pow(y[i] - 8, 2) / 50;
            lik[i] = lik[i] / 6;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) /* loop: parallel */
            w[i] = w[i] * exp(-fabs(lik[i]));
        for (int i = 0; i < n; i++) /* loop: reduction */
            sum += w[i];
        for (int i = 0; i < n; i++) /* loop: parallel */
            w[i] = w[i] / sum;
        xe = 0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            xe += x[i] * w[i];
        CDF[0] = w[0];
        for (int i = 1; i < n; i++) /* loop: no */
            CDF[i] = w[i] + CDF[i - 1];
        double u1 = (1 / (double)n) * randu(seed, 0);
        for (int i = 0; i < n; i++) /* loop: parallel */
            u[i] = u1 + i / (double)n;
        for (int j = 0; j < n; j++) { /* loop: parallel */
            int i = findIndex(CDF, n, u[j]);
            xj[j] = x[i];
        }
        for (int i = 0; i < n; i++) { /* loop: parallel */
            x[i] = xj[i];
            w[i] = 1 / (double)n;
        }
    }
    printf("pf %g\n", xe);
}
/* hotspot3D with pointer exchange in a do loop */
static void hotspot3d(float *pIn, float *tIn, float *tOut, int nx, int ny, int nz, int numiter)
{
    int count = 0;
    float *t1 = tIn, *t2 = tOut;
    do {                                       /* loop: no */
        for (int z = 0; z < nz; z++)           /* loop: parallel */
            for (int y = 0; y < ny; y++)       /* loop: parallel */
                for (int x = 0; x < nx; x++) { /* loop: parallel */
                    int c = x + y * nx + z * nx * ny;
                    int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1, n = y == 0 ? c : c - nx,
                        s = y == ny - 1 ? c : c + nx, b = z == 0 ? c : c - nx * ny,
                        t = z == nz - 1 ? c : c + nx * ny;
                    t2[c] = 0.4f * t1[c] + 0.1f * (t1[w] + t1[e] + t1[n] + t1[s] + t1[b] + t1[t]) +
                            0.01f * pIn[c];
                }
        float *t = t1;
        t1 = t2;
        t2 = t;
        count++;
    } while (count < numiter);
}
int main(void)
{
    cfd();
    lavamd(3);
    streamcluster(120, 6);
    heartwall();
    particles(50);
    int n = 8 * 8 * 4;
    float *p = malloc(4 * (size_t)n), *a = malloc(4 * (size_t)n), *b = malloc(4 * (size_t)n), s = 0;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        p[i] = (float)(i % 3);
        a[i] = b[i] = (float)(i % 11);
    }
    hotspot3d(p, a, b, 8, 8, 4, 4);
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += a[i] + b[i];
    printf("h3 %g\n", s);
    return 0;
}
