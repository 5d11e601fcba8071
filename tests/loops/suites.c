/* Loops as benchmark suites have them: matrices as parameters, rows behind pointers, blocks on the heap,
 * records, macros, functions that compilers put into the loop; and, beside them, what only looks like one of
 * these. Labels as in dependent.c and independent.c. */
#include "loops.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define ALONE __attribute__((noinline))
#define AT(m, i, j) (m)[(size_t)(i) * (size_t)n + (size_t)(j)]

enum { M = 28, L = 500, F = 6, C = 5 };

/* --- linear algebra, matrices as parameters --- */

ALONE static void correlate(int n, int m, double data[M][M], double corr[M][M], double *mean, double *dev)
{
    for (int j = 0; j < m; j++) { /* loop: parallel */
        mean[j] = 0.0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) { /* loop: parallel */
        dev[j] = 0.0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        dev[j] = sqrt(dev[j] / n);
        dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
    }
    for (int i = 0; i < n; i++)       /* loop: parallel */
        for (int j = 0; j < m; j++) { /* loop: parallel */
            data[i][j] -= mean[j];
            data[i][j] /= sqrt((double)n) * dev[j];
        }
    for (int i = 0; i < m - 1; i++) { /* loop: parallel */
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) { /* loop: parallel */
            corr[i][j] = 0.0;
            for (int k = 0; k < n; k++) /* loop: reduction */
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
}

ALONE static void rank_update(int n, double alpha, double beta, double c[M][M], double a[M][M])
{
    for (int i = 0; i < n; i++) {    /* loop: parallel */
        for (int j = 0; j <= i; j++) /* loop: parallel */
            c[i][j] *= beta;
        for (int k = 0; k < n; k++)      /* loop: reduction */
            for (int j = 0; j <= i; j++) /* loop: parallel */
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

/* Two vectors at once: one by rows, one by columns. */
ALONE static void both_products(int n, double a[M][M], double *s, double *q, const double *p, const double *r)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        s[i] = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        q[i] = 0.0;
        for (int j = 0; j < n; j++) { /* loop: reduction */
            s[j] = s[j] + r[i] * a[i][j];
            q[i] = q[i] + a[i][j] * p[j];
        }
    }
}

ALONE static void triangular(int n, double l[M][M], double *x, const double *b)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        x[i] = b[i];
        for (int j = 0; j < i; j++) /* loop: reduction */
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / l[i][i];
    }
}

ALONE static void factorise(int n, double a[M][M])
{
    for (int k = 0; k < n; k++) {       /* loop: no */
        for (int j = k + 1; j < n; j++) /* loop: parallel */
            a[k][j] = a[k][j] / a[k][k];
        for (int i = k + 1; i < n; i++)     /* loop: parallel */
            for (int j = k + 1; j < n; j++) /* loop: parallel */
                a[i][j] -= a[i][k] * a[k][j];
    }
}

ALONE static void orthogonal(int n, double a[M][M], double r[M][M], double q[M][M])
{
    for (int k = 0; k < n; k++) { /* loop: no */
        double nrm = 0.0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            nrm += a[i][k] * a[i][k];
        r[k][k] = sqrt(nrm) + 1;
        for (int i = 0; i < n; i++) /* loop: parallel */
            q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < n; j++) { /* loop: parallel */
            r[k][j] = 0.0;
            for (int i = 0; i < n; i++) /* loop: reduction */
                r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < n; i++) /* loop: parallel */
                a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}

/* --- stencils --- */

ALONE static void waves(int steps, int n, double ex[M][M], double ey[M][M], double hz[M][M])
{
    for (int t = 0; t < steps; t++) { /* loop: no */
        for (int j = 0; j < n; j++)   /* loop: parallel */
            ey[0][j] = t;
        for (int i = 1; i < n; i++)     /* loop: parallel */
            for (int j = 0; j < n; j++) /* loop: parallel */
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)     /* loop: parallel */
            for (int j = 1; j < n; j++) /* loop: parallel */
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)     /* loop: parallel */
            for (int j = 0; j < n - 1; j++) /* loop: parallel */
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

ALONE static void in_place(int n, double a[M][M])
{
    for (int i = 1; i < n - 1; i++)     /* loop: no */
        for (int j = 1; j < n - 1; j++) /* loop: no */
            a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) / 5.0;
}

/* One colour after the other: those of one colour have no neighbours among themselves. */
ALONE static void two_colours(int n, double a[M][M])
{
    for (int colour = 0; colour < 2; colour++)                    /* loop: no */
        for (int i = 1; i < n - 1; i++)                           /* loop: parallel */
            for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2) /* loop: parallel */
                a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

/* --- images and grids in one block --- */

static inline int clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

ALONE static void diffuse(int n, const float *in, float *c, float *dn, float *ds, float q0)
{
    for (int i = 0; i < n; i++)       /* loop: parallel */
        for (int j = 0; j < n; j++) { /* loop: parallel */
            int k = i * n + j;
            float jc = in[k];
            dn[k] = in[clamp(i - 1, n) * n + j] - jc;
            ds[k] = in[clamp(i + 1, n) * n + j] - jc;
            float g2 = (dn[k] * dn[k] + ds[k] * ds[k]) / (jc * jc + 1), l = (dn[k] + ds[k]) / (jc + 1);
            float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l;
            float q = num / (den * den + 1);
            c[k] = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
            if (c[k] < 0)
                c[k] = 0;
            else if (c[k] > 1)
                c[k] = 1;
        }
}

ALONE static void convolve(int n, const float *in, float *out, const float *mask, int r)
{
    for (int i = 0; i < n; i++)       /* loop: parallel */
        for (int j = 0; j < n; j++) { /* loop: parallel */
            float sum = 0;
            for (int y = -r; y <= r; y++)     /* loop: reduction */
                for (int x = -r; x <= r; x++) /* loop: reduction */
                    sum += AT(in, clamp(i + y, n), clamp(j + x, n)) * mask[(y + r) * (2 * r + 1) + x + r];
            AT(out, i, j) = sum;
        }
}

ALONE static void histogram(int n, const unsigned char *pixels, unsigned *bins)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        bins[pixels[i] & 31]++;
}

ALONE static void threshold(int n, const unsigned char *in, unsigned char *out, int least)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        if (in[i] < least) {
            out[i] = 0;
            continue;
        }
        out[i] = in[i] > 200 ? 250 : in[i];
    }
}

/* --- rows behind pointers, blocks on the heap --- */

ALONE static int nearest(const float *point, float **centres)
{
    int best = 0;
    float least = FLT_MAX;
    for (int k = 0; k < C; k++) { /* loop: no */
        float d = 0;
        for (int f = 0; f < F; f++)
            d += (point[f] - centres[k][f]) * (point[f] - centres[k][f]);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return best;
}

ALONE static int cluster(int n, float **points, float **centres, float **sums, int *sizes, int *member)
{
    int moved = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int k = nearest(points[i], centres);
        if (member[i] != k)
            moved += 1;
        member[i] = k;
        sizes[k]++;
        for (int f = 0; f < F; f++)
            sums[k][f] += points[i][f];
    }
    return moved;
}

ALONE static double distances(int n, float **points, double *out)
{
    double total = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double s = 0;
        for (int f = 0; f < F; f++)
            s += points[i][f] * points[i][f];
        out[i] = sqrt(s);
        total += out[i];
    }
    return total;
}

ALONE static void relax_edges(int n, const int *from, const int *to, const double *flux, double *rate)
{
    for (int e = 0; e < n; e++) { /* loop: reduction */
        rate[from[e]] += flux[e];
        rate[to[e]] -= flux[e];
    }
}

/* Elements that are found by a table without the same twice. */
ALONE static void scatter(int n, const int *to, const double *in, double *out)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[to[i]] = in[i] * 2;
}

ALONE static void scatter_some_twice(int n, const int *to, const double *in, double *out)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[to[i]] = in[i] * 3;
}

ALONE static void gather_moved(int n, const int *from, double *a)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = a[from[i]] + 1;
}

/* --- records --- */

struct body {
    double pos[3], vel[3], force[3], mass;
};
struct cell {
    int neighbours[4];
    double now, next;
};

ALONE static double energy(int n, const struct body *b)
{
    double kinetic = 0, potential = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        const struct body *x = &b[i];
        kinetic += 0.5 * x->mass * (x->vel[0] * x->vel[0] + x->vel[1] * x->vel[1] + x->vel[2] * x->vel[2]);
        for (int j = i + 1; j < n; j++) { /* loop: reduction */
            double dx = x->pos[0] - b[j].pos[0], dy = x->pos[1] - b[j].pos[1];
            potential -= x->mass * b[j].mass / sqrt(dx * dx + dy * dy + 1);
        }
    }
    return kinetic + potential;
}

ALONE static void advance(int n, struct body *b, double dt)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct body *x = b + i;
        if (x->mass <= 0)
            continue;
        for (int k = 0; k < 3; k++) {
            x->vel[k] += dt * x->force[k] / x->mass;
            x->pos[k] += dt * x->vel[k];
            x->force[k] = 0;
        }
    }
}

ALONE static void automaton(int n, struct cell *c)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += c[c[i].neighbours[k]].now;
        c[i].next = 0.25 * sum;
    }
    for (int i = 0; i < n; i++) /* loop: parallel */
        c[i].now = c[i].next;
}

ALONE static void automaton_in_place(int n, struct cell *c)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += c[c[i].neighbours[k]].now;
        c[i].now = 0.25 * sum;
    }
}

/* --- graphs --- */

ALONE static bool frontier(int n, const int *first, const int *edge, const char *now, char *next, int *level,
                           int depth)
{
    bool more = false;
    for (int v = 0; v < n; v++) /* loop: reduction */
        if (level[v] < 0)
            for (int e = first[v]; e < first[v + 1]; e++)
                if (now[edge[e]]) {
                    next[v] = 1;
                    more = true;
                }
    for (int v = 0; v < n; v++) { /* loop: parallel */
        if (next[v])
            level[v] = depth;
    }
    return more;
}

ALONE static void push_shares(int n, const int *first, const int *edge, const double *rank, double *next)
{
    for (int v = 0; v < n; v++) { /* loop: reduction */
        double share = rank[v] / (first[v + 1] - first[v] + 1);
        for (int e = first[v]; e < first[v + 1]; e++) /* loop: reduction */
            next[edge[e]] += share;
    }
}

ALONE static void pull_shares(int n, const int *first, const int *edge, const double *rank, double *next)
{
    for (int v = 0; v < n; v++) { /* loop: parallel */
        double sum = 0;
        for (int e = first[v]; e < first[v + 1]; e++) /* loop: reduction */
            sum += rank[edge[e]];
        next[v] = 0.15 + 0.85 * sum;
    }
}

ALONE static void shortest(int n, int *d)
{
    for (int k = 0; k < n; k++)         /* loop: no */
        for (int i = 0; i < n; i++)     /* loop: parallel */
            for (int j = 0; j < n; j++) /* loop: parallel */
                if (AT(d, i, k) + AT(d, k, j) < AT(d, i, j))
                    AT(d, i, j) = AT(d, i, k) + AT(d, k, j);
}

ALONE static int colour(int n, const int *first, const int *edge, int *colours)
{
    int most = 0;
    for (int v = 0; v < n; v++) { /* loop: no */
        unsigned used = 0;
        for (int e = first[v]; e < first[v + 1]; e++) /* loop: reduction */
            if (colours[edge[e]] >= 0)
                used |= 1u << colours[edge[e]];
        int c = 0;
        while (used >> c & 1)
            c++;
        colours[v] = c;
        most = c > most ? c : most;
    }
    return most;
}

/* --- numbers --- */

static inline bool is_prime(unsigned n)
{
    if (n < 2 || (n > 2 && n % 2 == 0))
        return false;
    for (unsigned d = 3; d * d <= n; d += 2)
        if (n % d == 0)
            return false;
    return true;
}

ALONE static int count_primes(unsigned n)
{
    int count = 0;
    for (unsigned i = 0; i < n; i++) /* loop: reduction */
        count += is_prime(i);
    return count;
}

static inline double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

ALONE static double estimate(int n)
{
    int inside = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        uint64_t seed = 77u * (unsigned)i + 1;
        double x = uniform(&seed), y = uniform(&seed);
        if (x * x + y * y <= 1)
            inside++;
    }
    return 4.0 * inside / n;
}

ALONE static double estimate_by_one_seed(int n)
{
    uint64_t seed = 42;
    int inside = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        double x = uniform(&seed), y = uniform(&seed);
        if (x * x + y * y <= 1)
            inside++;
    }
    return 4.0 * inside / n;
}

/* Pairs of normal numbers, and how many fall into each ring. */
ALONE static double rings(int n, const double *u, double *q)
{
    double sx = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double x = 2 * u[2 * i] - 1, y = 2 * u[2 * i + 1] - 1, t = x * x + y * y;
        if (t <= 1 && t > 0) {
            double s = sqrt(-2 * log(t) / t), gx = x * s, gy = y * s;
            int l = (int)fmax(fabs(gx), fabs(gy));
            q[l] += 1.0;
            sx += gx;
        }
    }
    return sx;
}

ALONE static int iterate(int n, double cr0, int *out)
{
    int most = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double cr = cr0 + 0.01 * i, ci = 0.3, zr = 0, zi = 0;
        int k = 0;
        while (k < 60 && zr * zr + zi * zi < 4) { /* loop: no */
            double t = zr * zr - zi * zi + cr;
            zi = 2 * zr * zi + ci;
            zr = t;
            k++;
        }
        out[i] = k;
        if (k > most)
            most = k;
    }
    return most;
}

ALONE static double prices(int n, const double *spot, const double *strike, double *call)
{
    double worst = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double d1 = log(spot[i] / strike[i]) + 0.2, d2 = d1 - 0.3;
        double n1 = 0.5 * erfc(-d1 * 0.7071), n2 = 0.5 * erfc(-d2 * 0.7071);
        call[i] = spot[i] * n1 - strike[i] * 0.95 * n2;
        double e = fabs(call[i] - 10);
        worst = fmax(worst, e);
    }
    return worst;
}

/* --- all of them --- */

static double m1[M][M], m2[M][M], m3[M][M], m4[M][M], v1[L], v2[L], v3[L], v4[2 * L + 8];
static int to_[L], twice[L], ends[L], first_[L + 1], edge_[4 * L], level_[L], dist[M * M];
static char now_[L], next_[L];
static unsigned char bytes[L], bytes2[L];
static unsigned bins[32];
static struct body bodies[L / 4];
static struct cell cells[L];

static void fill(void)
{
    for (int i = 0; i < L; i++) {
        v1[i] = 0.1 + (i * 37 % 101) / 100.0, v2[i] = 0.5 + (i * 53 % 97) / 200.0, v3[i] = i % 7;
        v4[2 * i] = (i * 29 % 83) / 83.0, v4[2 * i + 1] = (i * 31 % 89) / 89.0;
        to_[i] = (i * 7) % L, twice[i] = (i * 7) % (L / 2), ends[i] = (i * 11 + 3) % L;
        bytes[i] = (unsigned char)(i * 41 % 250);
        first_[i] = 3 * i, level_[i] = -1;
        for (int k = 0; k < 3; k++)
            edge_[3 * i + k] = (i * (k + 2) + 13 * k + 1) % L;
        for (int k = 0; k < 4; k++)
            cells[i].neighbours[k] = (i + (k - 2) * 5 + L) % L;
        cells[i].now = i % 10;
    }
    first_[L] = 3 * L;
    for (int i = 0; i < L / 4; i++)
        bodies[i] = (struct body){{i, i % 5, 1}, {0, 1, i % 3}, {0.1, 0.2, 0.1 * i}, i % 9 - 1};
}

static void refill(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            m1[i][j] = (i * 13 + j * 7) % 31 + 1, m2[i][j] = (i * 5 + j * 11) % 29 * 0.25;
            m3[i][j] = (i + j) % 17, m4[i][j] = i == j ? 50 : (i * 3 + j) % 9;
            dist[i * M + j] = i == j ? 0 : 5 + (i * 19 + j * 23) % 90;
        }
}

static void matrices(int n)
{
    refill();
    correlate(n, n, m1, m2, v1, v2);
    rank_update(n, 0.5, 0.7, m2, m1);
    both_products(n, m1, v1, v2, v3, v3 + 50);
    refill();
    triangular(n, m4, v1, v3);
    factorise(n, m4);
    orthogonal(n, m1, m2, m3);
    digest(m1, sizeof m1), digest(m2, sizeof m2), digest(m3, sizeof m3), digest(m4, sizeof m4);
    refill();
    waves(3, n, m1, m2, m3);
    in_place(n, m4);
    two_colours(n, m4);
    shortest(n, dist);
    digest(m1, sizeof m1), digest(m2, sizeof m2), digest(m3, sizeof m3), digest(m4, sizeof m4),
        digest(dist, sizeof dist);
}

static void blocks(int n)
{
    size_t size = (size_t)n * (size_t)n * sizeof(float);
    float *in = malloc(size), *c = malloc(size), *dn = malloc(size), *ds = malloc(size), mask[9];
    for (int i = 0; i < n * n; i++)
        in[i] = (float)(i % 23);
    for (int i = 0; i < 9; i++)
        mask[i] = 0.1f * (float)i;
    diffuse(n, in, c, dn, ds, 0.3f);
    convolve(n, c, in, mask, 1);
    digest(in, size), digest(c, size), digest(dn, size);
    float *points[L / 4], *centres[C], *sums[C];
    int sizes[C] = {0}, member[L / 4] = {0};
    for (int i = 0; i < L / 4; i++) {
        points[i] = malloc(F * sizeof(float));
        for (int f = 0; f < F; f++)
            points[i][f] = (float)((i * (f + 3)) % 50);
    }
    for (int k = 0; k < C; k++)
        centres[k] = points[k * 20], sums[k] = calloc(F, sizeof(float));
    keep(cluster(L / 4, points, centres, sums, sizes, member));
    keep(distances(L / 4, points, v2));
    for (int k = 0; k < C; k++)
        digest(sums[k], F * sizeof(float));
    digest(sizes, sizeof sizes), digest(member, sizeof member), digest(v2, sizeof v2);
}

static void graphs(int n)
{
    now_[0] = 1, level_[0] = 0;
    for (int depth = 1; depth < 4; depth++) {
        keep(frontier(n, first_, edge_, now_, next_, level_, depth));
        memcpy(now_, next_, sizeof now_);
    }
    push_shares(n, first_, edge_, v1, v2);
    pull_shares(n, first_, edge_, v1, v3);
    relax_edges(n, to_, ends, v1, v3);
    scatter(n, to_, v1, v2);
    digest(v2, sizeof v2);
    scatter_some_twice(n, twice, v1, v2);
    gather_moved(n, ends, v1);
    for (int i = 0; i < L; i++)
        level_[i] = -1;
    keep(colour(n, first_, edge_, level_));
    digest(level_, sizeof level_), digest(v1, sizeof v1), digest(v2, sizeof v2), digest(v3, sizeof v3);
}

/* Rows that come and go through one scratch plane: compilers make copies of the inner loops. */
enum { ROW = 12 };
struct box {
    int offset, count;
};
struct four {
    double v, x;
};
static double planes_[M][ROW][ROW], rows_[M][ROW][ROW], scratch_[ROW][ROW];
static struct box boxes_[M / 4];
static struct four values_[M], forces_[M];
static __attribute__((noinline)) void turn(double plane[ROW][ROW], int n)
{
    for (int i = 0; i < n / 2; i++) { /* loop: parallel */
        double t = plane[i][1];
        plane[i][1] = plane[n - 1 - i][2] * 0.5;
        plane[n - 1 - i][2] = t;
    }
}
static void through_scratch(int n, double from[M][ROW][ROW], double to[M][ROW][ROW])
{
    for (int k = 0; k < n; k++) { /* loop: private */
        for (int j = 0; j < ROW; j++)
            for (int i = 0; i < ROW; i++)
                scratch_[j][i] = from[k][j][i];
        turn(scratch_, ROW);
        for (int j = 0; j < ROW; j++)
            for (int i = 0; i < ROW; i++)
                to[k][j][i] = scratch_[j][i];
    }
}
static void hand_planes_on(int n, double to[M][ROW][ROW])
{
    for (int k = 0; k < n - 1; k++) { /* loop: sequential */
        for (int j = 0; j < ROW; j++)
            for (int i = 0; i < ROW; i++)
                scratch_[j][i] = to[k][j][i];
        turn(scratch_, ROW);
        for (int j = 0; j < ROW; j++)
            for (int i = 0; i < ROW; i++)
                to[k + 1][j][i] = scratch_[j][i];
    }
}
static void by_pointers(int n, const struct box *box, struct four *value, struct four *force)
{
    struct four *a, *f, *b;
    double r;
    int i, j, k, l;
    for (l = 0; l < n; l++) { /* loop: private */
        a = &value[box[l].offset];
        f = &force[box[l].offset];
        for (k = 0; k < n; k++) {
            b = &value[box[k].offset];
            for (i = 0; i < box[l].count; i++)
                for (j = 0; j < box[k].count; j++) {
                    r = a[i].v - b[j].v;
                    f[i].v += r / (1 + r * r);
                    f[i].x += b[j].x * r;
                }
        }
    }
}
static void rows(int n)
{
    for (int k = 0; k < n * ROW * ROW; k++)
        (&planes_[0][0][0])[k] = (k * 7) % 11;
    for (int l = 0; l < n; l++)
        values_[l] = (struct four){l % 5, l % 3}, boxes_[l / 4] = (struct box){l / 4 * 4, 3 + l / 4 % 2};
    through_scratch(n, planes_, rows_);
    digest(rows_, sizeof rows_), digest(scratch_, sizeof scratch_);
    hand_planes_on(n, rows_);
    by_pointers(n / 4, boxes_, values_, forces_);
    digest(rows_, sizeof rows_), digest(forces_, sizeof forces_);
}

int main(int argc, char **argv)
{
    double q[16] = {0};
    int outs[L];
    (void)argv;
    fill();
    matrices(M - argc + 1);
    blocks(M - argc + 1);
    histogram(L, bytes, bins), threshold(L, bytes, bytes2, 60);
    digest(bins, sizeof bins), digest(bytes2, sizeof bytes2);
    keep(energy(L / 8, bodies)), advance(L / 4, bodies, 0.1), automaton(L, cells),
        automaton_in_place(L, cells);
    digest(bodies, sizeof bodies), digest(cells, sizeof cells);
    keep(count_primes(L) + estimate(L) + estimate_by_one_seed(L) + rings(L, v4, q) +
         iterate(L / 4, -1, outs));
    keep(prices(L, v1, v2, v4));
    digest(q, sizeof q), digest(outs, sizeof(int) * (L / 4)), digest(v4, sizeof v4);
    graphs(L);
    rows(M);
    return finish();
}
