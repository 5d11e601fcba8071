/* Loops as others write them: solvers, images, graphs and particles in the manner of benchmark suites, and
 * pairs of which one has a race and the other has none. Labels as in dependent.c and independent.c. */
#include "loops.h"

#include <math.h>
#include <stdbool.h>

#define ALONE __attribute__((noinline))
#define ROWS (40)
#define COLS 48

static double temp[ROWS][COLS], power[ROWS][COLS], next[ROWS][COLS], oob[ROWS][COLS];
static float image[ROWS * COLS], north[ROWS * COLS], south[ROWS * COLS], coefficient[ROWS * COLS];
static double field[12][12][12], residual[12][12][12];
static int table[512], offsets[512], twice[512], list[600];

/* --- grids --- */

ALONE static double hotspot(int rows, int cols)
{
    double most = 0;
    for (int r = 1; r < rows - 1; r++)       /* loop: reduction */
        for (int c = 1; c < cols - 1; c++) { /* loop: reduction */
            double delta = power[r][c] + temp[r - 1][c] + temp[r + 1][c] - 2 * temp[r][c] +
                           0.5 * (temp[r][c - 1] + temp[r][c + 1] - 2 * temp[r][c]);
            next[r][c] = temp[r][c] + 0.1 * delta;
            most = fmax(most, fabs(delta));
        }
    return most;
}

/* In place, so a row needs the one above. */
ALONE static void hotspot_in_place(int rows, int cols)
{
    for (int r = 1; r < rows - 1; r++)     /* loop: no */
        for (int c = 1; c < cols - 1; c++) /* loop: no */
            temp[r][c] += 0.1 * (temp[r - 1][c] + temp[r][c - 1] - 2 * temp[r][c]);
}

ALONE static void diffusion(int rows, int cols, float q0)
{
    for (int i = 0; i < rows; i++)       /* loop: parallel */
        for (int j = 0; j < cols; j++) { /* loop: parallel */
            int k = i * cols + j;
            float here = image[k], g2 = (north[k] * north[k] + south[k] * south[k]) / (here * here + 1);
            float l = (north[k] + south[k]) / (here + 1), num = 0.5f * g2 - 0.0625f * (l * l),
                  den = 1 + 0.25f * l;
            float c = 1 / (1 + (num / (den * den + 1) - q0) / (q0 * (1 + q0)));
            coefficient[k] = c < 0 ? 0 : c > 1 ? 1 : c;
        }
    for (int i = 0; i < rows; i++)     /* loop: parallel */
        for (int j = 0; j < cols; j++) /* loop: parallel */
            image[i * cols + j] +=
                0.125f * coefficient[i * cols + j] * (north[i * cols + j] + south[i * cols + j]);
}

ALONE static double multigrid(int n)
{
    double norm = 0;
    for (int i = 1; i < n - 1; i++)           /* loop: reduction */
        for (int j = 1; j < n - 1; j++)       /* loop: reduction */
            for (int k = 1; k < n - 1; k++) { /* loop: reduction */
                residual[i][j][k] = field[i - 1][j][k] + field[i + 1][j][k] + field[i][j - 1][k] +
                                    field[i][j + 1][k] + field[i][j][k - 1] + field[i][j][k + 1] -
                                    6 * field[i][j][k];
                norm += residual[i][j][k] * residual[i][j][k];
            }
    return norm;
}

ALONE static void smooth(int n)
{
    double line[12];
    for (int i = 1; i < n - 1; i++)       /* loop: private */
        for (int j = 1; j < n - 1; j++) { /* loop: private */
            for (int k = 0; k < n; k++)   /* loop: parallel */
                line[k] = residual[i][j - 1][k] + residual[i][j + 1][k];
            for (int k = 1; k < n - 1; k++) /* loop: parallel */
                field[i][j][k] += 0.1 * (line[k - 1] + line[k + 1]);
        }
}

/* Lines of an implicit solver, forwards and back. */
ALONE static void tridiagonal(int rows, int cols)
{
    for (int r = 0; r < rows; r++) { /* loop: parallel */
        next[r][0] = temp[r][0];
        for (int c = 1; c < cols; c++) /* loop: no */
            next[r][c] = temp[r][c] - 0.3 * next[r][c - 1];
        for (int c = cols - 2; c >= 0; c--) /* loop: no */
            next[r][c] -= 0.2 * next[r][c + 1];
    }
}

/* --- matrices --- */

ALONE static void update_rank_one(int n, double *restrict a, const double *restrict x,
                                  const double *restrict y)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < n; j++) /* loop: parallel */
            a[i * n + j] += x[i] * y[j];
}

ALONE static void trailing(int n, int k, double *a)
{
    for (int i = k + 1; i < n; i++) { /* loop: parallel */
        a[i * n + k] /= a[k * n + k] + 1;
        for (int j = k + 1; j < n; j++) /* loop: parallel */
            a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

ALONE static void lower_solve(int n, const double *a, double *x)
{
    for (int i = 0; i < n; i++) {   /* loop: no */
        for (int j = 0; j < i; j++) /* loop: reduction */
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i] + 2;
    }
}

ALONE static void triangle(int n, double a[COLS][COLS])
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < i; j++) /* loop: parallel */
            a[i][j] = a[j][i] + 1;
}

ALONE static void triangle_and_back(int n, double a[COLS][COLS])
{
    for (int i = 0; i < n; i++)     /* loop: no */
        for (int j = 0; j < n; j++) /* loop: no */
            a[i][j] = a[j][i] + a[i][0];
}

/* --- what is told by two names --- */

ALONE static void shifted(int n, int *to, const int *from)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] = from[i] + 1;
}

ALONE static void not_shifted(int n, int *to, const int *from)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = from[i] + 1;
}

/* A row that begins one too early is the end of the one before. */
ALONE static void out_of_bounds(int rows, int cols)
{
    for (int r = 1; r < rows; r++)     /* loop: no */
        for (int c = 0; c < cols; c++) /* loop: no */
            oob[r][c] = oob[r][c - 1] + 1;
}

union half {
    int whole;
    struct {
        short low, high;
    } part;
};
static union half halves[300];

ALONE static void through_union(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        halves[i].whole = halves[i - 1].part.low + i;
}

ALONE static void union_alone(int n)
{
    for (int i = 1; i < n; i++) /* loop: parallel */
        halves[i].whole = halves[i].part.low + i;
}

struct flags {
    unsigned seen : 1, kind : 3;
    int next;
};
static struct flags nodes[300];

ALONE static void bit_fields(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        nodes[i].seen = 1;
        nodes[i].kind = (unsigned)i & 7;
    }
}

ALONE static void follow(int n)
{
    for (int i = 0; i < n - 1; i++) /* loop: no */
        nodes[nodes[i].next].kind = nodes[i].kind + 1;
}

/* --- elements that are looked up --- */

ALONE static void scatter(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        table[offsets[i]] = i * 3;
}

ALONE static void scatter_twice(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        table[twice[i]] = table[twice[i]] / 2 + i;
}

ALONE static void histogram(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        table[twice[i]] += i;
}

ALONE static void ring(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        list[(i + 1) % 100] = list[i % 100] + 1;
}

ALONE static void hidden_step(int n) /* the compiler has a sum in a register for it */
{
    for (int i = 0; i < n; i++) /* loop: no */
        list[i + 1] = list[590] + list[i];
}

/* --- what is combined --- */

ALONE static int rounded(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s += table[i] * 0.37;
    return s;
}

ALONE static short cut_off(int n)
{
    short most = -32768;
    for (int i = 0; i < n; i++) /* loop: no */
        if (table[i] * 5000 > most)
            most = table[i] * 5000;
    return most;
}

ALONE static bool all_even(int n)
{
    bool all = true;
    for (int i = 0; i < n; i++) /* loop: reduction */
        all &= table[i] % 2 == 0;
    return all;
}

ALONE static double product_and_least(int n, double *least)
{
    double p = 1, m = 1e30;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        p *= 1 + 0.001 * table[i];
        m = table[i] * 0.5 < m ? table[i] * 0.5 : m;
    }
    *least = m;
    return p;
}

ALONE static int nearest(int n, double x, double *distance)
{
    double best = 1e30;
    int at = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        double d = fabs(table[i] - x);
        if (d < best) {
            best = d;
            at = i;
        }
    }
    *distance = best;
    return at;
}

static int served(void)
{
    static int ticket;
    return ++ticket;
}

ALONE static void tickets(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        list[i] = served();
}

static double weight(double x)
{
    double w = 1;
    for (int k = 1; k < 4; k++) /* loop: no */
        w = w * x / k + 1;
    return w;
}

ALONE static void weights(int n, double *to)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = weight(i * 0.01) + sqrt(i);
}

ALONE static int first_negative(int n)
{
    int at = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (list[i] < 0) {
            at = i;
            break;
        }
    return at;
}

ALONE static void in_pairs(int n, double *a)
{
    for (int i = 0; i < n - 1; i += 2) /* loop: parallel */
        a[i + 1] = a[i] * 0.5;
}

ALONE static void over_pairs(int n, double *a)
{
    for (int i = 0; i < n - 2; i += 2) /* loop: no */
        a[i + 2] = a[i] * 0.5 + a[i + 1];
}

ALONE static void upper_half(int n, double *a)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        a[i] += a[i + n / 2];
}

ALONE static void columns(int n, double a[COLS][COLS])
{
    for (int j = 1; j < n; j++)     /* loop: no */
        for (int i = 0; i < n; i++) /* loop: parallel */
            a[i][j] += a[i][j - 1];
}

/* --- pairs that differ by what is left in a register --- */

/* A compiler sets the counter to 1 where it has just tested that it is 0. */
ALONE static void cheapest(int n, const int *wall, const int *from, int *to)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int least = from[i];
        if (i > 0)
            least = least < from[i - 1] ? least : from[i - 1];
        if (i < n - 1)
            least = least < from[i + 1] ? least : from[i + 1];
        to[i] = wall[i] + least;
    }
}

ALONE static void set_back(int n, int *to)
{
    int at = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        to[at] += i;
        if (at == 7)
            at = 3;
        else
            at++;
    }
}

/* The last sum is still in a register when the loop is over. */
ALONE static void two_sums(int n, double p[COLS][COLS], double *sum, double *other, const double *v)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        sum[i] = 0;
        other[i] = 0;
        for (int j = 0; j < n; j++) { /* loop: reduction */
            sum[i] = p[i][j] * v[j] + sum[i];
            other[i] = p[j][i] * v[j] + other[i];
        }
        other[i] = 0.5 * sum[i] + 0.25 * other[i];
    }
}

ALONE static double last_sum(int n, double *sum, const double *v)
{
    double seen = 0;
    for (int j = 0; j < n; j++) { /* loop: no */
        sum[3] = v[j] * 2 + sum[3];
        if (v[j] > 5)
            seen = sum[3];
    }
    return seen;
}

/* The line that reads the scratch writes another array, which is read before. */
ALONE static void contraction(int n, double a[12][12][12], double c[COLS][COLS], double *scratch)
{
    for (int r = 0; r < n; r++)           /* loop: private */
        for (int q = 0; q < n; q++) {     /* loop: private */
            for (int k = 0; k < n; k++) { /* loop: parallel */
                scratch[k] = 0;
                for (int s = 0; s < n; s++) /* loop: reduction */
                    scratch[k] += a[r][q][s] * c[s][k];
            }
            for (int k = 0; k < n; k++) /* loop: parallel */
                a[r][q][k] = scratch[k];
        }
}

ALONE static void contraction_goes_on(int n, double a[12][12][12], double c[COLS][COLS], double *scratch)
{
    for (int r = 0; r < n; r++)           /* loop: no */
        for (int q = 0; q < n; q++) {     /* loop: no */
            for (int k = 0; k < n; k++) { /* loop: parallel */
                scratch[k] *= 0.5;
                for (int s = 0; s < n; s++) /* loop: reduction */
                    scratch[k] += a[r][q][s] * c[s][k];
            }
            for (int k = 0; k < n; k++) /* loop: parallel */
                a[r][q][k] = scratch[k];
        }
}

int main(int argc, char **argv)
{
    static double square[COLS][COLS], flat[COLS * COLS], x[COLS * COLS], y[COLS * COLS];
    (void)argv;
    int n = 512 - argc + 1;
    double least, distance;
    for (int i = 0; i < 512; i++)
        table[i] = i * 37 % 101, offsets[i] = (i * 5) % 512, twice[i] = i % 7 * 11, list[i] = i;
    for (int i = 0; i < ROWS * COLS; i++) {
        image[i] = i % 13, north[i] = i % 5 - 2, south[i] = i % 7 - 3;
        temp[i / COLS][i % COLS] = i % 17, power[i / COLS][i % COLS] = i % 3;
    }
    for (int i = 0; i < COLS * COLS; i++)
        flat[i] = 1 + i % 19, x[i] = i % 11, y[i] = i % 4, square[i / COLS][i % COLS] = i % 23;
    for (int i = 0; i < 12 * 12 * 12; i++)
        field[i / 144][i / 12 % 12][i % 12] = i % 29;
    for (int i = 0; i < 300; i++)
        nodes[i].next = (i * 7 + 1) % 300;
    keep(hotspot(ROWS, COLS)), hotspot_in_place(ROWS, COLS), diffusion(ROWS, COLS, 0.5f);
    keep(multigrid(12)), smooth(12), tridiagonal(ROWS, COLS);
    update_rank_one(COLS, flat, x, y), trailing(COLS, 2, flat), lower_solve(COLS, flat, x);
    triangle(COLS, square), triangle_and_back(COLS, square), columns(COLS, square);
    shifted(n - 12, list + 1, list), not_shifted(n - 12, list, table), out_of_bounds(ROWS, COLS);
    through_union(300), union_alone(300), bit_fields(300), follow(300);
    scatter(n), scatter_twice(n), histogram(n), ring(n), hidden_step(80);
    keep(rounded(n) + cut_off(n) + all_even(n) + product_and_least(n, &least) + least + first_negative(n));
    keep(nearest(n, 50.3, &distance) + distance);
    tickets(n), weights(300, y), in_pairs(300, x), over_pairs(300, y), upper_half(300, x);
    cheapest(400, offsets, table, list), set_back(300, twice), two_sums(COLS, square, x, y, flat);
    keep(last_sum(300, x, flat)), contraction(12, field, square, y),
        contraction_goes_on(12, field, square, x);
    digest(twice, sizeof twice), digest(next, sizeof next), digest(temp, sizeof temp),
        digest(image, sizeof image), digest(field, sizeof field);
    digest(flat, sizeof flat), digest(square, sizeof square), digest(list, sizeof list),
        digest(oob, sizeof oob);
    digest(halves, sizeof halves), digest(nodes, sizeof nodes), digest(table, sizeof table);
    digest(x, sizeof x), digest(y, sizeof y), digest(coefficient, sizeof coefficient);
    return finish();
}
