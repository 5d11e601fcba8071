/* Kernels of applications: sparse solvers, sorting by counting, clustering, graphs, particles, images,
 * sequences. Labels as in dependent.c and independent.c. */
#include "loops.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define ALONE __attribute__((noinline))

enum { P = 600, NZ = 5, K = 4, D = 3, S = 24 };
static int row[P + 1], col[P * NZ], keys[P], counts[64], rank_[P], next_level[P], edges[P * 3],
    first_edge[P + 1];
static double val[P * NZ], x[P], y[P], r[P], p[P], score[P], weight[P];
static unsigned char mask[P], updating[P], visited[P];
static float points[P][D], centre[K][D], sums[K][D];
static int member[P], sizes[K];
static double grid[S][S], power[S][S], out[S][S];

/* --- sparse --- */

ALONE static void spmv(int n, const int *rp, const int *ci, const double *a, const double *in, double *res)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double s = 0;
        for (int k = rp[i]; k < rp[i + 1]; k++) /* loop: reduction */
            s += a[k] * in[ci[k]];
        res[i] = s;
    }
}

/* By columns: rows get from several of them. */
ALONE static void spmv_by_columns(int n)
{
    for (int j = 0; j < n; j++)                   /* loop: reduction */
        for (int k = row[j]; k < row[j + 1]; k++) /* loop: reduction */
            y[col[k]] += val[k] * x[j];
}

ALONE static double conjugate(int n, int steps)
{
    double rho = 0;
    for (int j = 0; j < n; j++) { /* loop: reduction */
        r[j] = x[j];
        p[j] = r[j];
        rho += r[j] * r[j];
    }
    for (int it = 0; it < steps; it++) { /* loop: no */
        double d = 0, rho0 = rho;
        spmv(n, row, col, val, p, y);
        for (int j = 0; j < n; j++) /* loop: reduction */
            d += p[j] * y[j];
        double alpha = rho0 / (d + 1);
        rho = 0;
        for (int j = 0; j < n; j++) { /* loop: reduction */
            score[j] += alpha * p[j];
            r[j] -= alpha * y[j];
            rho += r[j] * r[j];
        }
        double beta = rho / (rho0 + 1);
        for (int j = 0; j < n; j++) /* loop: parallel */
            p[j] = r[j] + beta * p[j];
    }
    return rho;
}

ALONE static void page_rank(int n, double damping)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        weight[i] = (1 - damping) / n;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int degree = first_edge[i + 1] - first_edge[i];
        for (int e = first_edge[i]; e < first_edge[i + 1]; e++) /* loop: reduction */
            weight[edges[e]] += damping * score[i] / degree;
    }
}

ALONE static void gauss_seidel_rows(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        double s = 1;
        for (int k = row[i]; k < row[i + 1]; k++) /* loop: reduction */
            s -= val[k] * x[col[k]];
        x[i] = 0.5 * x[i] + 0.1 * s;
    }
}

/* --- integers --- */

ALONE static void counting_sort(int n)
{
    for (int i = 0; i < 64; i++) /* loop: parallel */
        counts[i] = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        counts[keys[i]]++;
    for (int i = 1; i < 64; i++) /* loop: no */
        counts[i] += counts[i - 1];
    for (int i = n - 1; i >= 0; i--) /* loop: no */
        rank_[--counts[keys[i]]] = i;
}

ALONE static int tally(int n, double *sx, int *q)
{
    int accepted = 0;
    for (int k = 0; k < n; k++) { /* loop: reduction */
        uint64_t s = 0x9e3779b97f4a7c15u * (uint64_t)(k + 1);
        double qx = 0;
        for (int i = 0; i < 6; i++) { /* loop: no */
            s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
            qx += (double)(s % 1000) / 1000;
        }
        if (qx < 4) {
            *sx += qx;
            q[(int)qx]++;
            accepted++;
        }
    }
    return accepted;
}

/* --- clustering --- */

ALONE static void assign_clusters(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        float best = 1e30f;
        int which = -1;
        for (int k = 0; k < K; k++) {
            float d = 0;
            for (int j = 0; j < D; j++)
                d += (points[i][j] - centre[k][j]) * (points[i][j] - centre[k][j]);
            if (d < best) {
                best = d;
                which = k;
            }
        }
        member[i] = which;
    }
}

ALONE static int move_centres(int n)
{
    int moved = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int k = member[i];
        sizes[k]++;
        if (k != i % K)
            moved++;
        for (int j = 0; j < D; j++)
            sums[k][j] += points[i][j];
    }
    return moved;
}

/* --- graphs --- */

ALONE static bool breadth_first(int n, int *cost)
{
    bool more = false;
    for (int v = 0; v < n; v++)
        if (mask[v]) {
            mask[v] = 0;
            for (int e = first_edge[v]; e < first_edge[v + 1]; e++)
                if (!visited[edges[e]]) {
                    cost[edges[e]] = cost[v] + 1;
                    updating[edges[e]] = 1;
                }
        }
    for (int v = 0; v < n; v++) /* loop: reduction */
        if (updating[v]) {
            mask[v] = 1;
            visited[v] = 1;
            more = true;
            updating[v] = 0;
        }
    return more;
}

/* A queue: who comes behind it is appended. */
ALONE static int queue_search(int n, int *queue)
{
    int head = 0, tail = 1;
    memset(visited, 0, (size_t)n);
    queue[0] = 0;
    visited[0] = 1;
    while (head < tail) { /* loop: no */
        int v = queue[head++];
        for (int e = first_edge[v]; e < first_edge[v + 1]; e++) /* loop: no */
            if (!visited[edges[e]]) {
                visited[edges[e]] = 1;
                queue[tail++] = edges[e];
            }
    }
    return tail;
}

ALONE static long triangles(int n)
{
    long found = 0;
    for (int v = 0; v < n; v++)                                                   /* loop: reduction */
        for (int e = first_edge[v]; e < first_edge[v + 1]; e++)                   /* loop: reduction */
            for (int f = first_edge[edges[e]]; f < first_edge[edges[e] + 1]; f++) /* loop: reduction */
                if (edges[f] % 7 == v % 7)
                    found++;
    return found;
}

ALONE static void relax(int n, int *dist)
{
    for (int round = 0; round < 3; round++) /* loop: no */
        for (int v = 0; v < n; v++)         /* loop: no */
            for (int e = first_edge[v]; e < first_edge[v + 1]; e++)
                if (dist[v] + 1 + e % 5 < dist[edges[e]])
                    dist[edges[e]] = dist[v] + 1 + e % 5;
}

/* --- grids --- */

ALONE static double hotspot(int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)       /* loop: reduction */
        for (int j = 0; j < n; j++) { /* loop: reduction */
            double up = grid[i > 0 ? i - 1 : 0][j], down = grid[i < n - 1 ? i + 1 : n - 1][j];
            double left = grid[i][j > 0 ? j - 1 : 0], right = grid[i][j < n - 1 ? j + 1 : n - 1];
            double delta = 0.1 * (power[i][j] + up + down + left + right - 4 * grid[i][j]);
            out[i][j] = grid[i][j] + delta;
            if (delta > most)
                most = delta;
        }
    return most;
}

ALONE static void dynamic_path(int rows, int cols, int *wall, int *src, int *dst)
{
    for (int t = 0; t < rows - 1; t++) { /* loop: no */
        int *swap = src;
        src = dst;
        dst = swap;
        for (int c = 0; c < cols; c++) { /* loop: parallel */
            int least = src[c];
            if (c > 0 && src[c - 1] < least)
                least = src[c - 1];
            if (c < cols - 1 && src[c + 1] < least)
                least = src[c + 1];
            dst[c] = wall[(t + 1) * cols + c] + least;
        }
    }
}

ALONE static void align(int n, const char *s, const char *t, int *m)
{
    for (int i = 1; i <= n; i++)       /* loop: no */
        for (int j = 1; j <= n; j++) { /* loop: no */
            int diag = m[(i - 1) * (n + 1) + j - 1] + (s[i - 1] == t[j - 1] ? 2 : -1);
            int up = m[(i - 1) * (n + 1) + j] - 1, left = m[i * (n + 1) + j - 1] - 1;
            int best = diag > up ? diag : up;
            m[i * (n + 1) + j] = best > left ? best : left;
        }
}

/* Along diagonals all cells are free of each other. */
ALONE static void align_by_diagonals(int n, const char *s, const char *t, int *m)
{
    for (int d = 2; d <= 2 * n; d++) { /* loop: no */
        int low = d - n > 1 ? d - n : 1, high = d - 1 < n ? d - 1 : n;
        for (int i = low; i <= high; i++) { /* loop: parallel */
            int j = d - i;
            int diag = m[(i - 1) * (n + 1) + j - 1] + (s[i - 1] == t[j - 1] ? 2 : -1);
            int up = m[(i - 1) * (n + 1) + j] - 1, left = m[i * (n + 1) + j - 1] - 1;
            int best = diag > up ? diag : up;
            m[i * (n + 1) + j] = best > left ? best : left;
        }
    }
}

/* --- lines of a solver, each with scratch of its own --- */

ALONE static void solve_lines(int n)
{
    double lhs[S], rhs[S];
    for (int i = 0; i < n; i++) {     /* loop: private */
        for (int j = 0; j < n; j++) { /* loop: parallel */
            lhs[j] = 2 + grid[i][j] * 0.001;
            rhs[j] = out[i][j];
        }
        for (int j = 1; j < n; j++) { /* loop: no */
            double m = 0.3 / lhs[j - 1];
            lhs[j] -= m * 0.3;
            rhs[j] -= m * rhs[j - 1];
        }
        out[i][n - 1] = rhs[n - 1] / lhs[n - 1];
        for (int j = n - 2; j >= 0; j--) /* loop: no */
            out[i][j] = (rhs[j] - 0.3 * out[i][j + 1]) / lhs[j];
    }
}

ALONE static void restrict_grid(int n, double *coarse, const double *fine)
{
    for (int i = 1; i < n - 1; i++)       /* loop: parallel */
        for (int j = 1; j < n - 1; j++) { /* loop: parallel */
            int fi = 2 * i, fj = 2 * j, w = 2 * n;
            coarse[i * n + j] =
                0.5 * fine[fi * w + fj] + 0.125 * (fine[(fi - 1) * w + fj] + fine[(fi + 1) * w + fj] +
                                                   fine[fi * w + fj - 1] + fine[fi * w + fj + 1]);
        }
}

ALONE static void interpolate(int n, const double *coarse, double *fine)
{
    for (int i = 0; i < n - 1; i++)       /* loop: parallel */
        for (int j = 0; j < n - 1; j++) { /* loop: parallel */
            int w = 2 * n, at = 2 * i * w + 2 * j;
            fine[at] += coarse[i * n + j];
            fine[at + 1] += 0.5 * (coarse[i * n + j] + coarse[i * n + j + 1]);
            fine[at + w] += 0.5 * (coarse[i * n + j] + coarse[(i + 1) * n + j]);
            fine[at + w + 1] += 0.25 * (coarse[i * n + j] + coarse[i * n + j + 1] + coarse[(i + 1) * n + j] +
                                        coarse[(i + 1) * n + j + 1]);
        }
}

/* --- networks --- */

ALONE static void forward(int in, int outs, const float *l1, float *l2, const float *w)
{
    for (int j = 1; j <= outs; j++) { /* loop: parallel */
        float sum = 0;
        for (int k = 0; k <= in; k++) /* loop: reduction */
            sum += w[k * (outs + 1) + j] * l1[k];
        l2[j] = 1.0f / (1.0f + expf(-sum));
    }
}

ALONE static float output_error(float *delta, const float *target, const float *o, int n)
{
    float total = 0;
    for (int j = 1; j <= n; j++) { /* loop: reduction */
        float e = o[j] * (1 - o[j]) * (target[j] - o[j]);
        delta[j] = e;
        total += fabsf(e);
    }
    return total;
}

ALONE static void adjust(float *delta, int nd, float *l, int nl, float *w, float *old)
{
    for (int j = 1; j <= nd; j++)       /* loop: parallel */
        for (int k = 0; k <= nl; k++) { /* loop: parallel */
            float change = 0.3f * delta[j] * l[k] + 0.3f * old[k * (nd + 1) + j];
            w[k * (nd + 1) + j] += change;
            old[k * (nd + 1) + j] = change;
        }
}

/* --- particles --- */

struct particle {
    double pos[3], force[3], mass;
};
static struct particle particles[64];

ALONE static double forces(int n)
{
    double energy = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double f[3] = {0, 0, 0};
        for (int j = 0; j < n; j++) { /* loop: reduction */
            if (j == i)
                continue;
            double dist = 0.1, d[3];
            for (int k = 0; k < 3; k++) {
                d[k] = particles[j].pos[k] - particles[i].pos[k];
                dist += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++)
                f[k] += d[k] * particles[j].mass / (dist * sqrt(dist));
            energy += particles[j].mass / sqrt(dist);
        }
        for (int k = 0; k < 3; k++)
            particles[i].force[k] = f[k];
    }
    return energy;
}

/* Each pair once: both get something. */
ALONE static void forces_by_pairs(int n)
{
    for (int i = 0; i < n; i++)           /* loop: reduction */
        for (int j = i + 1; j < n; j++) { /* loop: reduction */
            double d = particles[j].pos[0] - particles[i].pos[0], f = d / (1 + d * d);
            particles[i].force[0] += f;
            particles[j].force[0] -= f;
        }
}

ALONE static void resample(int n, const double *w, double *cdf, double *u, double *from, double *to)
{
    cdf[0] = w[0];
    for (int i = 1; i < n; i++) /* loop: no */
        cdf[i] = w[i] + cdf[i - 1];
    for (int i = 0; i < n; i++) /* loop: parallel */
        u[i] = cdf[n - 1] * (i + 0.5) / n;
    for (int j = 0; j < n; j++) { /* loop: parallel */
        int i = 0;
        while (i < n - 1 && cdf[i] < u[j])
            i++;
        to[j] = from[i];
    }
}

/* --- sequences --- */

ALONE static int lookups(int n, const int *sorted, const int *what, int *where)
{
    int hits = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int lo = 0, hi = n;
        while (lo < hi) { /* loop: no */
            int mid = (lo + hi) / 2;
            if (sorted[mid] < what[i])
                lo = mid + 1;
            else
                hi = mid;
        }
        where[i] = lo;
        hits += lo < n && sorted[lo] == what[i];
    }
    return hits;
}

ALONE static int run_lengths(int n, const int *v, int *lens)
{
    int runs = 0, len = 1;
    for (int i = 1; i < n; i++) { /* loop: no */
        if (v[i] == v[i - 1])
            len++;
        else {
            lens[runs++] = len;
            len = 1;
        }
    }
    return runs;
}

ALONE static double longest(int n, int *which)
{
    double best = -1;
    int at = 0;
    for (int i = 0; i < n; i++) {
        double d = fabs(x[i] - y[i]);
        if (d > best) {
            best = d;
            at = i;
        }
    }
    *which = at;
    return best;
}

/* Stages of a transform: pairs of each stage are free, stages are not. */
ALONE static void butterflies(int n, double *re, double *im)
{
    for (int len = 2; len <= n; len <<= 1)      /* loop: no */
        for (int i = 0; i < n; i += len)        /* loop: parallel */
            for (int j = 0; j < len / 2; j++) { /* loop: parallel */
                double wr = cos(-6.283185307 * j / len), wi = sin(-6.283185307 * j / len);
                int a = i + j, b = i + j + len / 2;
                double tr = re[b] * wr - im[b] * wi, ti = re[b] * wi + im[b] * wr;
                re[b] = re[a] - tr;
                im[b] = im[a] - ti;
                re[a] += tr;
                im[a] += ti;
            }
}

/* A window that slides. */
ALONE static void moving_average(int n, int w, const double *v, double *res)
{
    double s = 0;
    for (int i = 0; i < w; i++) /* loop: reduction */
        s += v[i];
    for (int i = w; i < n; i++) { /* loop: no */
        res[i - w] = s / w;
        s += v[i] - v[i - w];
    }
}

ALONE static void median3(int n, const int *v, int *res)
{
    for (int i = 1; i < n - 1; i++) { /* loop: parallel */
        int win[3] = {v[i - 1], v[i], v[i + 1]};
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2 - a; b++)
                if (win[b] > win[b + 1]) {
                    int t = win[b];
                    win[b] = win[b + 1];
                    win[b + 1] = t;
                }
        res[i] = win[1];
    }
}

static int cost[P], queue[P * 4], dist[P], q[8], sorted[P], where[P], lens[P], w1[P], w2[P], wall[8 * 60];
static double cdf[P], u[P], to[P], fine[4 * S * S], coarse[S * S], re[64], im[64];
static float l1[32], l2[32], wt[32 * 32], old[32 * 32], delta[32], target[32];
static char s1[32], s2[32];
static int m1[33 * 33], m2[33 * 33];

static void fill(void)
{
    for (int i = 0; i < P; i++) { /* loop: parallel */
        row[i] = i * NZ;
        first_edge[i] = i * 3;
        for (int k = 0; k < NZ; k++) {
            col[i * NZ + k] = (i * (k + 3) + k * 17) % P;
            val[i * NZ + k] = 0.1 * ((i + k) % 7);
        }
        for (int k = 0; k < 3; k++)
            edges[i * 3 + k] = (i * 2 + k * 31 + 1) % P;
        x[i] = 1.0 / (1 + i % 9);
        keys[i] = (i * 37) % 64;
        score[i] = 1.0 / P;
        sorted[i] = 3 * i;
        w1[i] = (i * 53) % P * 2;
        dist[i] = i ? 1000 : 0;
        for (int j = 0; j < D; j++)
            points[i][j] = (float)((i * (j + 3)) % 50);
    }
    row[P] = P * NZ;
    first_edge[P] = P * 3;
    for (int i = 0; i < S; i++)       /* loop: parallel */
        for (int j = 0; j < S; j++) { /* loop: parallel */
            grid[i][j] = i + 0.5 * j;
            power[i][j] = (i * j) % 5;
        }
    for (int i = 0; i < 4 * S * S; i++) /* loop: parallel */
        fine[i] = i % 17;
    for (int i = 0; i < 32; i++) { /* loop: parallel */
        l1[i] = 0.1f * (float)i;
        target[i] = 0.5f;
        s1[i] = (char)('a' + i * 7 % 4);
        s2[i] = (char)('a' + i * 5 % 4);
        re[i] = re[i + 32] = i;
    }
    for (int i = 0; i < 32 * 32; i++) /* loop: parallel */
        wt[i] = 0.01f * (float)(i % 13);
    for (int i = 0; i < 64; i++) /* loop: parallel */
        particles[i] = (struct particle){.pos = {i, i * 0.5, i % 7}, .mass = 1 + i % 3};
    for (int k = 0; k < K; k++)
        for (int j = 0; j < D; j++)
            centre[k][j] = points[k * 50][j];
    for (int i = 0; i < 8 * 60; i++) /* loop: parallel */
        wall[i] = (i * 29) % 10;
}

static double run(void)
{
    double sx = 0;
    int which;
    spmv(P, row, col, val, x, y);
    spmv_by_columns(P);
    double a = conjugate(P, 3);
    page_rank(P, 0.85);
    gauss_seidel_rows(P);
    counting_sort(P);
    a += tally(P, &sx, q);
    assign_clusters(P);
    a += move_centres(P);
    mask[0] = visited[0] = 1;
    for (int i = 0; i < 4; i++)
        a += breadth_first(P, cost);
    a += queue_search(P, queue);
    a += triangles(P);
    relax(P, dist);
    a += hotspot(S);
    dynamic_path(8, 60, wall, w1 + 100, w2);
    align(32, s1, s2, m1);
    align_by_diagonals(32, s1, s2, m2);
    solve_lines(S);
    restrict_grid(S, coarse, fine);
    interpolate(S, coarse, fine);
    forward(20, 20, l1, l2, wt);
    a += output_error(delta, target, l2, 20);
    adjust(delta, 20, l1, 20, wt, old);
    a += forces(64);
    forces_by_pairs(64);
    resample(P, weight, cdf, u, x, to);
    a += lookups(P, sorted, w1, where);
    a += run_lengths(P, keys, lens);
    a += longest(P, &which);
    butterflies(64, re, im);
    moving_average(P, 8, x, cdf);
    median3(P, w1, w2);
    return a + which + sx;
}

int main(void)
{
    fill();
    keep(run());
    digest(y, sizeof y), digest(score, sizeof score), digest(weight, sizeof weight), digest(x, sizeof x),
        digest(rank_, sizeof rank_), digest(counts, sizeof counts);
    digest(q, sizeof q), digest(member, sizeof member), digest(sums, sizeof sums),
        digest(sizes, sizeof sizes), digest(cost, sizeof cost), digest(queue, sizeof queue);
    digest(dist, sizeof dist), digest(out, sizeof out), digest(w1, sizeof w1), digest(w2, sizeof w2),
        digest(m1, sizeof m1), digest(m2, sizeof m2), digest(fine, sizeof fine),
        digest(coarse, sizeof coarse);
    digest(l2, sizeof l2), digest(delta, sizeof delta), digest(wt, sizeof wt), digest(old, sizeof old),
        digest(particles, sizeof particles), digest(to, sizeof to), digest(where, sizeof where),
        digest(lens, sizeof lens);
    digest(re, sizeof re), digest(im, sizeof im), digest(cdf, sizeof cdf), digest(p, sizeof p),
        digest(r, sizeof r), digest(next_level, sizeof next_level);
    return finish();
}
