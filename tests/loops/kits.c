/* Kernels as suites of parallel programs have them, each with its program around it: paths, heat, alignments,
 * speckles, factors, clusters, networks, graphs. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#define BLOCK_SIZE 8
#define ABS(x) (((x) > 0.0) ? (x) : (-(x)))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define GAMMA 1.4f
static long long get_time(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1000000 + tv.tv_usec;
}

/* --- pathfinder --- */
static int rows = 20, cols = 200, **wall, *pdata, *result;
static void init_path(void)
{
    pdata = malloc(sizeof(int) * (size_t)(rows * cols));
    wall = malloc(sizeof(int *) * (size_t)rows);
    for (int n = 0; n < rows; n++) /* loop: parallel */
        wall[n] = pdata + cols * n;
    result = malloc(sizeof(int) * (size_t)cols);
    srand(9);
    for (int i = 0; i < rows; i++)     /* loop: no */
        for (int j = 0; j < cols; j++) /* loop: no */
            wall[i][j] = rand() % 10;
    for (int j = 0; j < cols; j++) /* loop: parallel */
        result[j] = wall[0][j];
}
static void pathfinder(void)
{
    int *src, *dst, *temp;
    int min;
    dst = result;
    src = malloc(sizeof(int) * (size_t)cols);
    for (int t = 0; t < rows - 1; t++) { /* loop: no */
        temp = src;
        src = dst;
        dst = temp;
        for (int n = 0; n < cols; n++) { /* loop: private */
            min = src[n];
            if (n > 0)
                min = MIN(min, src[n - 1]);
            if (n < cols - 1)
                min = MIN(min, src[n + 1]);
            dst[n] = wall[t + 1][n] + min;
        }
    }
    printf("path %d %d\n", dst[0], dst[cols - 1]);
}
/* --- hotspot --- */
struct chip {
    double Cap, Rx, Ry, Rz, step;
};
static void single_iteration(double *result, double *temp, double *power, int row, int col,
                             const struct chip *chip)
{
    double step = chip->step, Cap = chip->Cap, Rx = chip->Rx, Ry = chip->Ry, Rz = chip->Rz;
    double delta;
    int r, c;
    for (r = 0; r < row; r++) {     /* loop: private */
        for (c = 0; c < col; c++) { /* loop: private */
            if (r == 0 && c == 0)
                delta = (step / Cap) * (power[0] + (temp[1] - temp[0]) / Rx + (temp[col] - temp[0]) / Ry +
                                        (80.0 - temp[0]) / Rz);
            else if (r == 0 || r == row - 1 || c == 0 || c == col - 1)
                delta = 0.01;
            else
                delta = (step / Cap) *
                        (power[r * col + c] +
                         (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.0 * temp[r * col + c]) / Ry +
                         (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.0 * temp[r * col + c]) / Rx +
                         (80.0 - temp[r * col + c]) / Rz);
            result[r * col + c] = temp[r * col + c] + delta;
        }
    }
    for (r = 0; r < row; r++)     /* loop: parallel */
        for (c = 0; c < col; c++) /* loop: parallel */
            temp[r * col + c] = result[r * col + c];
}
static void hotspot_inplace(float *t, const float *p, int row, int col)
{
    for (int r = 1; r < row - 1; r++)     /* loop: no */
        for (int c = 1; c < col - 1; c++) /* loop: no */
            t[r * col + c] +=
                0.1f * (p[r * col + c] + t[(r - 1) * col + c] + t[r * col + c - 1] - 2 * t[r * col + c]);
}
static void hotspot(int n)
{
    double *temp = calloc(sizeof(double), (size_t)(n * n)), *power = calloc(sizeof(double), (size_t)(n * n)),
           *res = calloc(sizeof(double), (size_t)(n * n));
    for (int i = 0; i < n * n; i++) { /* loop: parallel */
        temp[i] = 320 + i % 7;
        power[i] = 0.001 * (i % 5);
    }
    long long t0 = get_time();
    for (int i = 0; i < 5; i++) { /* loop: no */
        single_iteration(res, temp, power, n, n, &(struct chip){0.5, 1.1, 1.2, 70, 0.01});
    }
    if (get_time() < t0)
        puts("clock");
    float *tf = malloc(sizeof(float) * (size_t)(n * n)), *pf = malloc(sizeof(float) * (size_t)(n * n));
    for (int i = 0; i < n * n; i++) { /* loop: parallel */
        tf[i] = (float)temp[i];
        pf[i] = (float)power[i];
    }
    hotspot_inplace(tf, pf, n, n);
    double s = 0;
    for (int i = 0; i < n * n; i++) /* loop: reduction */
        s += temp[i] + tf[i];
    printf("hotspot %g\n", s);
    free(temp);
    free(power);
    free(res);
    free(tf);
    free(pf);
}
/* --- needleman-wunsch --- */
static int blosum[4][4] = {{4, -1, -2, -2}, {-1, 5, 0, -2}, {-2, 0, 6, 1}, {-2, -2, 1, 6}};
static int maximum(int a, int b, int c)
{
    int k;
    if (a <= b)
        k = b;
    else
        k = a;
    if (k <= c)
        return c;
    else
        return k;
}
static void nw_blocks(int max_cols, int penalty, const int *ref, int *items)
{
    for (int blk = 1; blk <= (max_cols - 1) / BLOCK_SIZE; blk++) /* loop: no */
        for (int b_index_x = 0; b_index_x < blk; ++b_index_x) {  /* loop: parallel */
            int b_index_y = blk - 1 - b_index_x;
            int in_l[BLOCK_SIZE + 1][BLOCK_SIZE + 1], ref_l[BLOCK_SIZE][BLOCK_SIZE];
            for (int i = 0; i < BLOCK_SIZE; ++i)
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    ref_l[i][j] =
                        ref[max_cols * (b_index_y * BLOCK_SIZE + i + 1) + b_index_x * BLOCK_SIZE + j + 1];
            for (int i = 0; i < BLOCK_SIZE + 1; ++i)
                for (int j = 0; j < BLOCK_SIZE + 1; ++j)
                    in_l[i][j] = items[max_cols * (b_index_y * BLOCK_SIZE + i) + b_index_x * BLOCK_SIZE + j];
            for (int i = 1; i < BLOCK_SIZE + 1; ++i)     /* loop: no */
                for (int j = 1; j < BLOCK_SIZE + 1; ++j) /* loop: no */
                    in_l[i][j] = maximum(in_l[i - 1][j - 1] + ref_l[i - 1][j - 1], in_l[i][j - 1] - penalty,
                                         in_l[i - 1][j] - penalty);
            for (int i = 0; i < BLOCK_SIZE; ++i)
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    items[max_cols * (b_index_y * BLOCK_SIZE + i + 1) + b_index_x * BLOCK_SIZE + j + 1] =
                        in_l[i + 1][j + 1];
        }
}

static void nw(int max_cols, int penalty)
{
    int max_rows = max_cols, *ref = malloc((size_t)(max_rows * max_cols) * sizeof(int)),
        *items = calloc((size_t)(max_rows * max_cols), sizeof(int));
    for (int i = 1; i < max_rows; i++) /* loop: parallel */
        items[i * max_cols] = (i * 7 + 3) % 4;
    for (int j = 1; j < max_cols; j++) /* loop: parallel */
        items[j] = (j * 5 + j / 3) % 4;
    for (int i = 1; i < max_rows; i++)     /* loop: parallel */
        for (int j = 1; j < max_cols; j++) /* loop: parallel */
            ref[i * max_cols + j] = blosum[items[i * max_cols]][items[j]];
    for (int i = 1; i < max_rows; i++) /* loop: parallel */
        items[i * max_cols] = -i * penalty;
    for (int j = 1; j < max_cols; j++) /* loop: parallel */
        items[j] = -j * penalty;
    for (int i = 0; i < max_cols - 2; i++)   /* loop: no */
        for (int idx = 0; idx <= i; idx++) { /* loop: parallel */
            int index = (idx + 1) * max_cols + (i + 1 - idx);
            items[index] = maximum(items[index - 1 - max_cols] + ref[index], items[index - 1] - penalty,
                                   items[index - max_cols] - penalty);
        }
    for (int i = max_cols - 4; i >= 0; i--)  /* loop: no */
        for (int idx = 0; idx <= i; idx++) { /* loop: parallel */
            int index = (max_cols - idx - 2) * max_cols + idx + max_cols - i - 2;
            items[index] = maximum(items[index - 1 - max_cols] + ref[index], items[index - 1] - penalty,
                                   items[index - max_cols] - penalty);
        }
    nw_blocks(max_cols, penalty, ref, items);
    int path = 0;
    for (int i = max_rows - 2, j = max_rows - 2; i >= 0 && j >= 0;) { /* loop: no */
        int n = i * max_cols + j, nw_ = i && j ? items[n - max_cols - 1] : -9999,
            w = j ? items[n - 1] : -9999, nn = i ? items[n - max_cols] : -9999;
        path += items[n];
        if (i == 0 && j == 0)
            break;
        int t = maximum(nw_ + ref[n], w - penalty, nn - penalty);
        if (t == nw_ + ref[n]) {
            i--;
            j--;
        } else if (t == w - penalty)
            j--;
        else
            i--;
        if (i < 0)
            i = 0;
        if (j < 0)
            j = 0;
    }
    printf("nw %d %d\n", path, items[(max_rows - 2) * max_cols + max_cols - 2]);
    free(ref);
    free(items);
}
/* --- srad --- */
static void sides(int n, int *before, int *after)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        before[i] = i - 1;
        after[i] = i + 1;
    }
    before[0] = 0;
    after[n - 1] = n - 1;
}
static void speckle(int rows, int cols, float *I, float *J)
{
    int size_I = rows * cols;
    for (int i = 0; i < rows; i++)     /* loop: parallel */
        for (int j = 0; j < cols; j++) /* loop: parallel */
            I[i * cols + j] = (float)((i * 13 + j * 7) % 255) / 255.0f;
    for (int k = 0; k < size_I; k++) /* loop: parallel */
        J[k] = (float)exp(I[k]);
}
static void srad_sum(int n, const float *J)
{
    double t = 0;
    for (int k = 0; k < n; k++) /* loop: reduction */
        t += J[k];
    printf("srad %g\n", t);
}
static void srad(int rows, int cols, int niter, float lambda)
{
    int size_I = rows * cols, size_R = 100, r1 = 0, r2 = 9, c1 = 0, c2 = 9;
    float *I = malloc((size_t)size_I * sizeof(float)), *J = malloc((size_t)size_I * sizeof(float)),
          *c = malloc(sizeof(float) * (size_t)size_I);
    int *iN = malloc(sizeof(int) * (size_t)rows), *iS = malloc(sizeof(int) * (size_t)rows),
        *jW = malloc(sizeof(int) * (size_t)cols), *jE = malloc(sizeof(int) * (size_t)cols);
    float *dN = malloc(sizeof(float) * (size_t)size_I), *dS = malloc(sizeof(float) * (size_t)size_I),
          *dW = malloc(sizeof(float) * (size_t)size_I), *dE = malloc(sizeof(float) * (size_t)size_I);
    float sum, sum2, tmp, meanROI, varROI, q0sqr, Jc, G2, L, num, den, qsqr, cN, cS, cW, cE, D;
    int i, j, k, iter;
    sides(rows, iN, iS);
    sides(cols, jW, jE);
    speckle(rows, cols, I, J);
    for (iter = 0; iter < niter; iter++) { /* loop: no */
        sum = sum2 = 0;
        for (i = r1; i <= r2; i++)       /* loop: reduction */
            for (j = c1; j <= c2; j++) { /* loop: reduction */
                tmp = J[i * cols + j];
                sum += tmp;
                sum2 += tmp * tmp;
            }
        meanROI = sum / size_R;
        varROI = (sum2 / size_R) - meanROI * meanROI;
        q0sqr = varROI / (meanROI * meanROI);
        for (i = 0; i < rows; i++) {     /* loop: private */
            for (j = 0; j < cols; j++) { /* loop: private */
                k = i * cols + j;
                Jc = J[k];
                dN[k] = J[iN[i] * cols + j] - Jc;
                dS[k] = J[iS[i] * cols + j] - Jc;
                dW[k] = J[i * cols + jW[j]] - Jc;
                dE[k] = J[i * cols + jE[j]] - Jc;
                G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
                num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
                den = 1 + (.25f * L);
                qsqr = num / (den * den);
                den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
                c[k] = 1.0f / (1.0f + den);
                if (c[k] < 0)
                    c[k] = 0;
                else if (c[k] > 1)
                    c[k] = 1;
            }
        }
        for (i = 0; i < rows; i++) {     /* loop: private */
            for (j = 0; j < cols; j++) { /* loop: private */
                k = i * cols + j;
                cN = c[k];
                cS = c[iS[i] * cols + j];
                cW = c[k];
                cE = c[i * cols + jE[j]];
                D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                J[k] = J[k] + 0.25f * lambda * D;
            }
        }
    }
    srad_sum(size_I, J);
}
/* --- lud --- */
static void lud_omp(float *a, int size)
{
    int i, j, k;
    float sum;
    for (i = 0; i < size; i++) {     /* loop: no */
        for (j = i; j < size; j++) { /* loop: private */
            sum = a[i * size + j];
            for (k = 0; k < i; k++) /* loop: reduction */
                sum -= a[i * size + k] * a[k * size + j];
            a[i * size + j] = sum;
        }
        for (j = i + 1; j < size; j++) { /* loop: private */
            sum = a[j * size + i];
            for (k = 0; k < i; k++) /* loop: reduction */
                sum -= a[j * size + k] * a[k * size + i];
            a[j * size + i] = sum / a[i * size + i];
        }
    }
}
/* --- k-means --- */
static float euclid_dist_2(float *p1, float *p2, int numdims)
{
    float ans = 0.0f;
    for (int i = 0; i < numdims; i++) /* loop: reduction */
        ans += (p1[i] - p2[i]) * (p1[i] - p2[i]);
    return ans;
}
static int find_nearest_point(float *pt, int nfeatures, float **pts, int npts)
{
    int index = 0, i;
    float max_dist = FLT_MAX;
    for (i = 0; i < npts; i++) { /* loop: no */
        float dist = euclid_dist_2(pt, pts[i], nfeatures);
        if (dist < max_dist) {
            max_dist = dist;
            index = i;
        }
    }
    return index;
}
static void kmeans(float **feature, int nfeatures, int npoints, int nclusters, float threshold,
                   int *membership)
{
    int i, j, k, n = 0, index, loop = 0;
    float delta, **clusters, **new_centers;
    int *new_centers_len = calloc((size_t)nclusters, sizeof(int));
    clusters = malloc((size_t)nclusters * sizeof(float *));
    clusters[0] = malloc((size_t)(nclusters * nfeatures) * sizeof(float));
    for (i = 1; i < nclusters; i++) /* loop: no */
        clusters[i] = clusters[i - 1] + nfeatures;
    new_centers = malloc((size_t)nclusters * sizeof(float *));
    new_centers[0] = calloc((size_t)(nclusters * nfeatures), sizeof(float));
    for (i = 1; i < nclusters; i++) /* loop: no */
        new_centers[i] = new_centers[i - 1] + nfeatures;
    for (i = 0; i < nclusters; i++) {   /* loop: parallel */
        for (j = 0; j < nfeatures; j++) /* loop: parallel */
            clusters[i][j] = feature[n][j];
        n++;
    }
    for (i = 0; i < npoints; i++) /* loop: parallel */
        membership[i] = -1;
    do { /* loop: no */
        delta = 0.0f;
        for (i = 0; i < npoints; i++) { /* loop: reduction */
            index = find_nearest_point(feature[i], nfeatures, clusters, nclusters);
            if (membership[i] != index)
                delta += 1.0f;
            membership[i] = index;
            new_centers_len[index]++;
            for (j = 0; j < nfeatures; j++) /* loop: parallel */
                new_centers[index][j] += feature[i][j];
        }
        for (i = 0; i < nclusters; i++) {     /* loop: parallel */
            for (j = 0; j < nfeatures; j++) { /* loop: parallel */
                if (new_centers_len[i] > 0)
                    clusters[i][j] = new_centers[i][j] / new_centers_len[i];
                new_centers[i][j] = 0.0f;
            }
            new_centers_len[i] = 0;
        }
    } while (delta > threshold && loop++ < 8);
    double t = 0;
    for (i = 0; i < nclusters; i++)     /* loop: reduction */
        for (j = 0; j < nfeatures; j++) /* loop: reduction */
            t += clusters[i][j];
    printf("kmeans %g %d\n", t, loop);
}
/* --- backprop --- */
typedef struct {
    int input_n, hidden_n;
    float *input_units, *hidden_units, *hidden_delta, **input_weights, **input_prev_weights;
} BPNN;
static float squash(float x)
{
    return (1.0f / (1.0f + expf(-x)));
}
static void bpnn_layerforward(float *l1, float *l2, float **conn, int n1, int n2)
{
    float sum;
    int j, k;
    l1[0] = 1.0f;
    for (j = 1; j <= n2; j++) { /* loop: private */
        sum = 0.0f;
        for (k = 0; k <= n1; k++) /* loop: reduction */
            sum += conn[k][j] * l1[k];
        l2[j] = squash(sum);
    }
}
static void bpnn_output_error(float *delta, float *target, float *output, int nj, float *err)
{
    float o, t, errsum = 0.0f;
    for (int j = 1; j <= nj; j++) { /* loop: reduction */
        o = output[j];
        t = target[j];
        delta[j] = o * (1.0f - o) * (t - o);
        errsum += ABS(delta[j]);
    }
    *err = errsum;
}
static void bpnn_adjust_weights(float *delta, int ndelta, float *ly, int nly, float **w, float **oldw)
{
    float new_dw;
    int k, j;
    ly[0] = 1.0f;
    for (j = 1; j <= ndelta; j++) {  /* loop: private */
        for (k = 0; k <= nly; k++) { /* loop: private */
            new_dw = ((0.3f * delta[j] * ly[k]) + (0.3f * oldw[k][j]));
            w[k][j] += new_dw;
            oldw[k][j] = new_dw;
        }
    }
}
static void backprop(int in, int hid)
{
    BPNN n = {in,
              hid,
              calloc((size_t)in + 1, 4),
              calloc((size_t)hid + 1, 4),
              calloc((size_t)hid + 1, 4),
              malloc(sizeof(float *) * ((size_t)in + 1)),
              malloc(sizeof(float *) * ((size_t)in + 1))},
         *net = &n;
    float err, target[40];
    for (int i = 0; i <= in; i++) { /* loop: parallel */
        net->input_weights[i] = malloc(sizeof(float) * ((size_t)hid + 1));
        net->input_prev_weights[i] = calloc((size_t)hid + 1, sizeof(float));
        net->input_units[i] = (float)(i % 10) / 10;
        for (int j = 0; j <= hid; j++) /* loop: parallel */
            net->input_weights[i][j] = (float)((i * 31 + j * 17) % 100) / 1000;
    }
    for (int j = 0; j <= hid; j++) /* loop: parallel */
        target[j] = 0.1f;
    for (int e = 0; e < 3; e++) { /* loop: no */
        bpnn_layerforward(net->input_units, net->hidden_units, net->input_weights, in, hid);
        bpnn_output_error(net->hidden_delta, target, net->hidden_units, hid, &err);
        bpnn_adjust_weights(net->hidden_delta, hid, net->input_units, in, net->input_weights,
                            net->input_prev_weights);
    }
    printf("backprop %g %g\n", err, net->input_weights[3][4]);
}
/* --- bfs --- */
struct Node {
    int starting, no_of_edges;
};
static void bfs(int n)
{
    struct Node *h_graph_nodes = malloc(sizeof(struct Node) * (size_t)n);
    bool *mask = calloc((size_t)n, sizeof(bool)), *updating = calloc((size_t)n, sizeof(bool)),
         *visited = calloc((size_t)n, sizeof(bool));
    int *edges = malloc(sizeof(int) * (size_t)n * 3), *cost = malloc(sizeof(int) * (size_t)n), start, edgeno;
    start = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        edgeno = 1 + i % 3;
        h_graph_nodes[i].starting = start;
        h_graph_nodes[i].no_of_edges = edgeno;
        for (int e = 0; e < edgeno; e++) /* loop: parallel */
            edges[start + e] = (i * 2 + e * 5 + 1) % n;
        start += edgeno;
    }
    for (int i = 0; i < n; i++) /* loop: parallel */
        cost[i] = -1;
    cost[0] = 0;
    mask[0] = visited[0] = true;
    bool stop;
    int k = 0;
    do { /* loop: no */
        stop = false;
        for (int tid = 0; tid < n; tid++) { /* loop: no */
            if (mask[tid] == true) {
                mask[tid] = false;
                for (int i = h_graph_nodes[tid].starting;
                     i < (h_graph_nodes[tid].no_of_edges + h_graph_nodes[tid].starting); i++) {
                    int id = edges[i];
                    if (!visited[id]) {
                        cost[id] = cost[tid] + 1;
                        updating[id] = true;
                    }
                }
            }
        }
        for (int tid = 0; tid < n; tid++) { /* loop: reduction */
            if (updating[tid] == true) {
                mask[tid] = true;
                visited[tid] = true;
                stop = true;
                updating[tid] = false;
            }
        }
        k++;
    } while (stop);
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += cost[i];
    printf("bfs %d %d\n", s, k);
}
int main(void)
{
    init_path();
    pathfinder();
    hotspot(32);
    nw(33, 10);
    srad(24, 24, 4, 0.5f);
    int size = 24;
    float *m = malloc(sizeof(float) * (size_t)(size * size));
    for (int i = 0; i < size; i++)     /* loop: parallel */
        for (int j = 0; j < size; j++) /* loop: parallel */
            m[i * size + j] = i == j ? 30 : 1.0f / (float)(1 + i + j);
    lud_omp(m, size);
    printf("lud %g\n", m[size * size - 1]);
    int np = 300, nf = 5, *mem = malloc(sizeof(int) * (size_t)np);
    float **f = malloc(sizeof(float *) * (size_t)np);
    f[0] = malloc(sizeof(float) * (size_t)(np * nf));
    for (int i = 1; i < np; i++) /* loop: no */
        f[i] = f[i - 1] + nf;
    for (int i = 0; i < np; i++)     /* loop: parallel */
        for (int j = 0; j < nf; j++) /* loop: parallel */
            f[i][j] = (float)((i * 37 + j * 11) % 100) / (float)(1 + i % 5);
    kmeans(f, nf, np, 5, 0.001f, mem);
    backprop(40, 16);
    bfs(300);
    return 0;
}
