/* Loops of the kind for which suites of applications have published OpenMP versions: heat, images,
 * clustering, particles in boxes, networks of neurons, filters, factors, graphs, look-ups. Labels as in
 * dependent.c and independent.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
static unsigned long long seed = 88172645463325252ULL;
static double rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed % 100000) / 100000.0;
}
typedef struct {
    float x, y, z, w;
} quad;
typedef struct {
    int first, count, nn;
    int nb[27];
} box_t;
typedef struct {
    float lat, lng, dist;
    char name[16];
} rec_t;
/* hotspot */
static void hotspot(float *res, const float *temp, const float *power, int rows, int cols, float cap)
{
    for (int r = 0; r < rows; r++) {     /* loop: parallel */
        for (int c = 0; c < cols; c++) { /* loop: parallel */
            float d;
            if (r == 0 && c == 0)
                d = temp[1] + temp[cols] - 2 * temp[0];
            else if (r == 0)
                d = temp[c - 1] + temp[cols + c] - 2 * temp[c];
            else if (r == rows - 1)
                d = temp[r * cols + c] - temp[(r - 1) * cols + c];
            else if (c == 0)
                d = temp[r * cols + 1] - temp[r * cols];
            else if (c == cols - 1)
                d = temp[r * cols + c - 1] - temp[r * cols + c];
            else
                d = temp[r * cols + c - 1] + temp[r * cols + c + 1] + temp[(r - 1) * cols + c] +
                    temp[(r + 1) * cols + c] - 4 * temp[r * cols + c];
            res[r * cols + c] = temp[r * cols + c] + cap * (power[r * cols + c] + d);
        }
    }
}
/* srad */
struct stencil {
    float *c, *dN, *dS, *dW, *dE;
    int *iN, *iS, *jW, *jE;
};
static float srad(float *img, int rows, int cols, const struct stencil *of, float lambda)
{
    float *c = of->c, *dN = of->dN, *dS = of->dS, *dW = of->dW, *dE = of->dE;
    const int *iN = of->iN, *iS = of->iS, *jW = of->jW, *jE = of->jE;
    float sum = 0, sum2 = 0, q0;
    int k;
    for (int i = 0; i < rows * cols; i++) { /* loop: reduction */
        float t = img[i];
        sum += t;
        sum2 += t * t;
    }
    q0 = (sum2 - sum * sum / (rows * cols)) / (sum * sum + 1);
    for (int j = 0; j < cols; j++) {     /* loop: parallel */
        for (int i = 0; i < rows; i++) { /* loop: parallel */
            k = i + rows * j;
            float Jc = img[k];
            dN[k] = img[iN[i] + rows * j] - Jc;
            dS[k] = img[iS[i] + rows * j] - Jc;
            dW[k] = img[i + rows * jW[j]] - Jc;
            dE[k] = img[i + rows * jE[j]] - Jc;
            float G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
            float L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
            float num = 0.5f * G2 - L * L / 16, den = 1 + 0.25f * L;
            float q = num / (den * den);
            den = (q - q0) / (q0 * (1 + q0) + 1e-3f);
            c[k] = 1.0f / (1.0f + den);
            if (c[k] < 0)
                c[k] = 0;
            else if (c[k] > 1)
                c[k] = 1;
        }
    }
    for (int j = 0; j < cols; j++) {     /* loop: parallel */
        for (int i = 0; i < rows; i++) { /* loop: parallel */
            k = i + rows * j;
            float cN = c[k], cS = c[iS[i] + rows * j], cE = c[i + rows * jE[j]];
            float D = cN * dN[k] + cS * dS[k] + cN * dW[k] + cE * dE[k];
            img[k] = img[k] + 0.25f * lambda * D;
        }
    }
    return q0;
}
/* kmeans */
enum { CLUSTERS = 5 };
static float dist2(const float *a, const float *b, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += (a[i] - b[i]) * (a[i] - b[i]);
    return s;
}
static int nearest(const float *p, int nf, float **c, int nc)
{
    int index = 0;
    float min = 3.4e38f;
    for (int i = 0; i < nc; i++) {
        float d = dist2(p, c[i], nf);
        if (d < min) {
            min = d;
            index = i;
        }
    }
    return index;
}
static float kmeans(float **feature, int nf, int np, int *member, float **clusters, float **nw, int *len)
{
    int nc = CLUSTERS;
    float delta = 0;
    for (int i = 0; i < np; i++) { /* loop: reduction */
        int index = nearest(feature[i], nf, clusters, nc);
        if (member[i] != index)
            delta += 1.0f;
        member[i] = index;
        len[index]++;
        for (int j = 0; j < nf; j++) /* loop: parallel */
            nw[index][j] += feature[i][j];
    }
    for (int i = 0; i < nc; i++) {     /* loop: parallel */
        for (int j = 0; j < nf; j++) { /* loop: parallel */
            if (len[i] > 0)
                clusters[i][j] = nw[i][j] / len[i];
            nw[i][j] = 0;
        }
        len[i] = 0;
    }
    return delta;
}
/* lavaMD */
static void lava(const box_t *box, int nboxes, const quad *rv, const float *qv, quad *fv, float a2)
{
    int l, k, i, j, pointer;
    for (l = 0; l < nboxes; l++) { /* loop: parallel */
        int first_i = box[l].first;
        for (k = 0; k < 1 + box[l].nn; k++) { /* loop: reduction */
            if (k == 0)
                pointer = l;
            else
                pointer = box[l].nb[k - 1];
            int first_j = box[pointer].first;
            for (i = 0; i < 8; i++) {     /* loop: parallel */
                for (j = 0; j < 8; j++) { /* loop: reduction */
                    float r2 =
                        rv[first_i + i].w + rv[first_j + j].w -
                        (rv[first_i + i].x * rv[first_j + j].x + rv[first_i + i].y * rv[first_j + j].y +
                         rv[first_i + i].z * rv[first_j + j].z);
                    float u2 = a2 * r2, vij = expf(-u2), fs = 2 * vij;
                    fv[first_i + i].w += qv[first_j + j] * vij;
                    fv[first_i + i].x += qv[first_j + j] * fs * (rv[first_i + i].x - rv[first_j + j].x);
                    fv[first_i + i].y += qv[first_j + j] * fs * (rv[first_i + i].y - rv[first_j + j].y);
                    fv[first_i + i].z += qv[first_j + j] * fs * (rv[first_i + i].z - rv[first_j + j].z);
                }
            }
        }
    }
}
/* nn */
static void nn(rec_t *rec, int n, float lat, float lng)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        rec[i].dist =
            sqrtf((rec[i].lat - lat) * (rec[i].lat - lat) + (rec[i].lng - lng) * (rec[i].lng - lng));
}
/* pathfinder */
static void pathfinder(int **wall, int rows, int cols, int *dst, int *src)
{
    for (int t = 0; t < rows - 1; t++) { /* loop: sequential */
        int *tmp = src;
        src = dst;
        dst = tmp;
        for (int n = 0; n < cols; n++) { /* loop: parallel */
            int min = src[n];
            if (n > 0)
                min = min < src[n - 1] ? min : src[n - 1];
            if (n < cols - 1)
                min = min < src[n + 1] ? min : src[n + 1];
            dst[n] = wall[t + 1][n] + min;
        }
    }
}
/* backprop */
static void layerforward(float *l1, float *l2, float **conn, int n1, int n2)
{
    float sum;
    int j, k;
    l1[0] = 1.0f;
    for (j = 1; j <= n2; j++) { /* loop: parallel */
        sum = 0.0f;
        for (k = 0; k <= n1; k++) /* loop: reduction */
            sum += conn[k][j] * l1[k];
        l2[j] = 1.0f / (1.0f + expf(-sum));
    }
}
static void adjust(float *delta, int nd, float *ly, int nly, float **w, float **oldw)
{
    float new_dw;
    int k, j;
    ly[0] = 1.0f;
    for (j = 1; j <= nd; j++) {      /* loop: parallel */
        for (k = 0; k <= nly; k++) { /* loop: parallel */
            new_dw = 0.3f * delta[j] * ly[k] + 0.3f * oldw[k][j];
            w[k][j] += new_dw;
            oldw[k][j] = new_dw;
        }
    }
}
static float output_error(float *delta, float *target, float *output, int nj)
{
    float err = 0;
    for (int j = 1; j <= nj; j++) { /* loop: reduction */
        float o = output[j], t = target[j];
        delta[j] = o * (1.0f - o) * (t - o);
        err += fabsf(delta[j]);
    }
    return err;
}
/* particle filter */
static int find_index(const double *cdf, int n, double v)
{
    for (int i = 0; i < n; i++)
        if (cdf[i] >= v)
            return i;
    return n - 1;
}
struct swarm {
    int np, dim, nones;
    double *ax, *ay, *w, *cdf, *u, *xj, *yj, *lik;
    int *sd, *img, *ind;
};
static void likelihood(const struct swarm *of, const double *objxy)
{
    int np = of->np, dim = of->dim, nones = of->nones, *sd = of->sd, *ind = of->ind;
    double *ax = of->ax, *ay = of->ay, *w = of->w, *lik = of->lik;
    const int *img = of->img;
    int x, y;
    for (x = 0; x < np; x++) { /* loop: parallel */
        sd[x] = 1103515245 * sd[x] + 12345;
        ax[x] += 1 + 5 * (sd[x] & 1023) / 1024.0;
        sd[x] = 1103515245 * sd[x] + 12345;
        ay[x] += -2 + 2 * (sd[x] & 1023) / 1024.0;
    }
    for (x = 0; x < np; x++) {        /* loop: private */
        for (y = 0; y < nones; y++) { /* loop: parallel */
            int ix = (int)(ax[x] + objxy[y * 2 + 1]), iy = (int)(ay[x] + objxy[y * 2]);
            ind[x * nones + y] = abs(ix * dim + iy);
            if (ind[x * nones + y] >= dim * dim)
                ind[x * nones + y] = 0;
        }
        lik[x] = 0;
        for (y = 0; y < nones; y++) /* loop: reduction */
            lik[x] += (pow(img[ind[x * nones + y]] - 100, 2) - pow(img[ind[x * nones + y]] - 228, 2)) / 50.0;
        lik[x] = lik[x] / nones;
    }
    for (x = 0; x < np; x++) /* loop: parallel */
        w[x] = w[x] * exp(lik[x] / 1000);
}
static double resample(const struct swarm *of)
{
    int np = of->np, x;
    double *ax = of->ax, *ay = of->ay, *w = of->w, *cdf = of->cdf, *u = of->u, *xj = of->xj, *yj = of->yj;
    double sum = 0;
    for (x = 0; x < np; x++) /* loop: reduction */
        sum += w[x];
    for (x = 0; x < np; x++) /* loop: parallel */
        w[x] = w[x] / sum;
    double xe = 0, ye = 0;
    for (x = 0; x < np; x++) { /* loop: reduction */
        xe += ax[x] * w[x];
        ye += ay[x] * w[x];
    }
    cdf[0] = w[0];
    for (x = 1; x < np; x++) /* loop: sequential */
        cdf[x] = w[x] + cdf[x - 1];
    double u1 = 0.5 / np;
    for (x = 0; x < np; x++) /* loop: parallel */
        u[x] = u1 + x / (double)np;
    int j, i;
    for (j = 0; j < np; j++) { /* loop: parallel */
        i = find_index(cdf, np, u[j]);
        if (i == -1)
            i = np - 1;
        xj[j] = ax[i];
        yj[j] = ay[i];
    }
    for (x = 0; x < np; x++) { /* loop: parallel */
        ax[x] = xj[x];
        ay[x] = yj[x];
        w[x] = 1.0 / np;
    }
    return xe + ye;
}
/* lud (blocked by rows) */
static void lud(float *a, int n)
{
    for (int i = 0; i < n; i++) {     /* loop: sequential */
        for (int j = i; j < n; j++) { /* loop: parallel */
            float sum = a[i * n + j];
            for (int k = 0; k < i; k++) /* loop: reduction */
                sum -= a[i * n + k] * a[k * n + j];
            a[i * n + j] = sum;
        }
        for (int j = i + 1; j < n; j++) { /* loop: parallel */
            float sum = a[j * n + i];
            for (int k = 0; k < i; k++) /* loop: reduction */
                sum -= a[j * n + k] * a[k * n + i];
            a[j * n + i] = sum / a[i * n + i];
        }
    }
}
/* bfs */
typedef struct {
    int start, n;
} node_t;
static int bfs(const node_t *g, const int *edges, char *mask, char *upd, char *vis, int *cost, int n)
{
    int levels = 0, stop;
    do {
        stop = 0;
        for (int t = 0; t < n; t++) { /* loop: sequential */
            if (mask[t]) {
                mask[t] = 0;
                for (int i = g[t].start; i < g[t].start + g[t].n; i++) { /* loop: sequential */
                    int id = edges[i];
                    if (!vis[id]) {
                        cost[id] = cost[t] + 1;
                        upd[id] = 1;
                    }
                }
            }
        }
        for (int t = 0; t < n; t++) { /* loop: reduction */
            if (upd[t]) {
                mask[t] = 1;
                vis[t] = 1;
                stop = 1;
                upd[t] = 0;
            }
        }
        levels++;
    } while (stop);
    return levels;
}
/* streamcluster cost */
typedef struct {
    float weight;
    float *coord;
    long assign;
    float cost;
} point;
static double pgain(long x, const point *p, int n, int dim, char *sw, double *lower, const int *center)
{
    double cost = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        float xc = dist2(p[i].coord, p[x].coord, dim) * p[i].weight;
        float cur = p[i].cost;
        if (xc < cur) {
            sw[i] = 1;
            cost += xc - cur;
        } else {
            lower[center[p[i].assign]] += cur - xc;
        }
    }
    return cost;
}
/* b+tree-like search */
static void lookup(const int *keys, int n, const int *q, int nq, int *ans)
{
    for (int b = 0; b < nq; b++) { /* loop: parallel */
        int lo = 0, hi = n - 1;
        ans[b] = -1;
        while (lo <= hi) { /* loop: sequential */
            int mid = (lo + hi) / 2;
            if (keys[mid] == q[b]) {
                ans[b] = mid;
                break;
            }
            if (keys[mid] < q[b])
                lo = mid + 1;
            else
                hi = mid - 1;
        }
    }
}

enum { POINTS = 120, FEATURES = 6 };
static float **f;

static double heat(void)
{
    double s = 0;
    int R = 40, C = 48;
    float *t = malloc(R * C * 4), *p = malloc(R * C * 4), *res = malloc(R * C * 4);
    for (int i = 0; i < R * C; i++) {
        t[i] = 1 + rnd();
        p[i] = rnd();
    }
    for (int k = 0; k < 4; k++) {
        hotspot(res, t, p, R, C, 0.1f);
        float *x = res;
        res = t;
        t = x;
    }
    int *iN = malloc(R * 4), *iS = malloc(R * 4), *jW = malloc(C * 4), *jE = malloc(C * 4);
    for (int i = 0; i < R; i++) {
        iN[i] = i ? i - 1 : 0;
        iS[i] = i < R - 1 ? i + 1 : i;
    }
    for (int i = 0; i < C; i++) {
        jW[i] = i ? i - 1 : 0;
        jE[i] = i < C - 1 ? i + 1 : i;
    }
    float *dd[5];
    for (int i = 0; i < 5; i++)
        dd[i] = calloc(R * C, 4);
    const struct stencil of = {dd[0], dd[1], dd[2], dd[3], dd[4], iN, iS, jW, jE};
    for (int k = 0; k < 3; k++)
        s += srad(t, R, C, &of, 0.5f);
    return s;
}

static double clusters(void)
{
    double s = 0;
    int np = POINTS, nf = FEATURES, nc = CLUSTERS, *mem = calloc(np, 4), *len = calloc(nc, 4);
    float **cl = malloc(nc * sizeof *cl), **nw = malloc(nc * sizeof *nw);
    f = malloc(np * sizeof *f);
    for (int i = 0; i < np; i++) {
        f[i] = malloc(nf * 4);
        for (int j = 0; j < nf; j++)
            f[i][j] = rnd();
        mem[i] = -1;
    }
    for (int i = 0; i < nc; i++) {
        cl[i] = malloc(nf * 4);
        nw[i] = calloc(nf, 4);
        for (int j = 0; j < nf; j++)
            cl[i][j] = f[i][j];
    }
    for (int k = 0; k < 4; k++)
        s += kmeans(f, nf, np, mem, cl, nw, len);
    return s;
}

static double boxes(void)
{
    double s = 0;
    int nb = 8;
    box_t *box = malloc(nb * sizeof *box);
    quad *rv = malloc(nb * 8 * sizeof *rv), *fv = calloc(nb * 8, sizeof *fv);
    float *qv = malloc(nb * 8 * 4);
    for (int i = 0; i < nb; i++) {
        box[i].first = i * 8;
        box[i].nn = 0;
        for (int j = 0; j < nb; j++)
            if (j != i)
                box[i].nb[box[i].nn++] = j;
    }
    for (int i = 0; i < nb * 8; i++) {
        rv[i].x = rnd();
        rv[i].y = rnd();
        rv[i].z = rnd();
        rv[i].w = rnd();
        qv[i] = rnd();
    }
    for (int k = 0; k < 2; k++)
        lava(box, nb, rv, qv, fv, 0.5f);
    s += fv[3].x;
    rec_t *rec = calloc(200, sizeof *rec);
    for (int i = 0; i < 200; i++) {
        rec[i].lat = rnd();
        rec[i].lng = rnd();
    }
    for (int k = 0; k < 2; k++)
        nn(rec, 200, 0.3f, 0.4f);
    s += rec[7].dist;
    return s;
}

static double paths(void)
{
    double s = 0;
    int **wall = malloc(20 * sizeof *wall), *src = malloc(80 * 4), *dst = malloc(80 * 4);
    for (int i = 0; i < 20; i++) {
        wall[i] = malloc(80 * 4);
        for (int j = 0; j < 80; j++)
            wall[i][j] = (int)(rnd() * 10);
    }
    for (int j = 0; j < 80; j++)
        dst[j] = wall[0][j];
    pathfinder(wall, 20, 80, dst, src);
    s += dst[3] + src[3];
    return s;
}

static double neurons(void)
{
    double s = 0;
    int n1 = 24, n2 = 16;
    float **conn = malloc((n1 + 1) * sizeof *conn), **old = malloc((n1 + 1) * sizeof *old),
          *l1 = calloc(n1 + 1, 4), *l2 = calloc(n2 + 1, 4), *de = calloc(n2 + 1, 4), *ta = calloc(n2 + 1, 4);
    for (int i = 0; i <= n1; i++) {
        conn[i] = calloc(n2 + 1, 4);
        old[i] = calloc(n2 + 1, 4);
        l1[i] = rnd();
        for (int j = 0; j <= n2; j++)
            conn[i][j] = rnd() - 0.5;
    }
    for (int k = 0; k < 3; k++) {
        layerforward(l1, l2, conn, n1, n2);
        s += output_error(de, ta, l2, n2);
        adjust(de, n2, l1, n1, conn, old);
    }
    return s;
}

static double swarm(void)
{
    double s = 0;
    int P = 64, ones = 9, dim = 32, *sd = malloc(P * 4), *img = malloc(dim * dim * 4),
        *ind = malloc(P * ones * 4);
    double *d[8], obj[18];
    for (int i = 0; i < 8; i++) {
        d[i] = malloc(P * sizeof(double));
        for (int j = 0; j < P; j++)
            d[i][j] = i == 2 ? 1.0 / P : 10.0;
    }
    for (int i = 0; i < P; i++)
        sd[i] = i * 77 + 3;
    for (int i = 0; i < dim * dim; i++)
        img[i] = (int)(rnd() * 255);
    for (int i = 0; i < 18; i++)
        obj[i] = rnd() * 4 - 2;
    const struct swarm of = {P, dim, ones, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], sd, img, ind};
    for (int k = 0; k < 3; k++) {
        likelihood(&of, obj);
        s += resample(&of);
    }
    return s;
}

static double graph(void)
{
    double s = 0;
    int ln = 24;
    float *la = malloc(ln * ln * 4);
    for (int i = 0; i < ln * ln; i++)
        la[i] = rnd() + (i % (ln + 1) == 0 ? ln : 0);
    lud(la, ln);
    s += la[5];
    int gn = 150;
    node_t *g = malloc(gn * sizeof *g);
    int *ed = malloc(gn * 3 * 4), *cost = calloc(gn, 4);
    char *ma = calloc(gn, 1), *up = calloc(gn, 1), *vi = calloc(gn, 1);
    for (int i = 0; i < gn; i++) {
        g[i].start = i * 3;
        g[i].n = 3;
        for (int k = 0; k < 3; k++)
            ed[i * 3 + k] = (int)(rnd() * gn) % gn;
    }
    ma[0] = vi[0] = 1;
    s += bfs(g, ed, ma, up, vi, cost, gn);
    return s;
}

static double looks(void)
{
    double s = 0;
    int np = POINTS, nf = FEATURES;
    point *pt = malloc(np * sizeof *pt);
    double *lower = calloc(8, sizeof *lower);
    char *sw = calloc(np, 1);
    int *ct = calloc(np, 4);
    for (int i = 0; i < np; i++) {
        pt[i].weight = 1;
        pt[i].coord = f[i];
        pt[i].assign = i % 40;
        pt[i].cost = 0.5;
        ct[i] = i % 8;
    }
    for (int k = 0; k < 3; k++)
        s += pgain(k * 5, pt, np, nf, sw, lower, ct);
    int ks[256], qs[64], an[64];
    for (int i = 0; i < 256; i++)
        ks[i] = i * 3;
    for (int i = 0; i < 64; i++)
        qs[i] = (i * 37) % 700;
    for (int k = 0; k < 2; k++)
        lookup(ks, 256, qs, 64, an);
    s += an[5] + lower[2];
    return s;
}

int main(void)
{
    printf("%g\n", heat() + clusters() + boxes() + paths() + neurons() + swarm() + graph() + looks());
}
