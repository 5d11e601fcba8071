/* Loops whose iterations do not need each other. The word behind "loop:" in the line of a loop's head is what
 * the source demands at every level of optimisation: parallel, private or reduction. */
#include "loops.h"

double a[N], b[N], c[N], m[R][R], q[R][R], w[R][R];
float fa[N], fb[N];
int ia[N], ib[N], perm[N];
unsigned char bytes[N], more[N];
short shorts[N];
long la[N];
double scratch[R], planes[9][R * R];
struct particle {
    double x, y, vx, vy;
    int kind;
} ps[N];
struct list {
    struct list *next;
    int value;
} cells[N];

KERNEL(copy)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = b[i];
}

KERNEL(scale_in_place)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = a[i] * 1.5 + 1;
}

KERNEL(saxpy)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        fa[i] = 2.5f * fb[i] + fa[i];
}

KERNEL(backwards)
{
    for (int i = n - 1; i >= 0; i--) /* loop: parallel */
        c[i] = a[i] - b[i];
}

KERNEL(strided)
{
    for (int i = 0; i < n; i += 3) /* loop: parallel */
        a[i] = b[i] + 1;
}

KERNEL(two_outputs)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[i] = b[i] + c[i];
        b[i] = a[i] * 0.5;
    }
}

KERNEL(three_point)
{
    for (int i = 1; i < n - 1; i++) /* loop: parallel */
        c[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

KERNEL(halves)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        a[i] = a[i + n / 2] * 2;
}

KERNEL(even_odd)
{
    for (int i = 0; i + 1 < n; i += 2) /* loop: parallel */
        a[i] = a[i + 1];
}

KERNEL(permuted)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[perm[i]] = b[i];
}

KERNEL(gather)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        c[i] = b[perm[i]];
}

KERNEL(conditional)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        if (b[i] > 0.5)
            a[i] = 0;
}

KERNEL(choose)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = b[i] > c[i] ? b[i] : c[i];
}

KERNEL(with_continue)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        if (ia[i] & 1)
            continue;
        ib[i] = ia[i] * 3;
    }
}

KERNEL(with_switch)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        switch (ia[i] & 7) {
        case 0:
            ib[i] = 5;
            break;
        case 1:
            ib[i] = ia[i] * 7;
            break;
        case 2:
        case 3:
            ib[i] = ia[i] - 1;
            break;
        case 5:
            ib[i] = ia[i] / 3;
            break;
        default:
            ib[i] = 0;
        }
}

KERNEL(matrix_product)
{
    int r = side(n);
    for (int i = 0; i < r; i++)       /* loop: parallel */
        for (int j = 0; j < r; j++) { /* loop: parallel */
            double s = 0;
            for (int k = 0; k < r; k++) /* loop: reduction */
                s += m[i][k] * q[k][j];
            w[i][j] = s;
        }
}

KERNEL(transpose)
{
    int r = side(n);
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 0; j < r; j++) /* loop: parallel */
            w[j][i] = m[i][j];
}

KERNEL(stencil)
{
    int r = side(n);
    for (int i = 1; i < r - 1; i++)     /* loop: parallel */
        for (int j = 1; j < r - 1; j++) /* loop: parallel */
            w[i][j] = m[i - 1][j] + m[i + 1][j] + m[i][j - 1] + m[i][j + 1] - 4 * m[i][j];
}

KERNEL(triangle)
{
    int r = side(n);
    for (int i = 0; i < r; i++)      /* loop: parallel */
        for (int j = 0; j <= i; j++) /* loop: parallel */
            w[i][j] = m[i][j] + m[j][i];
}

KERNEL(rows)
{
    int r = side(n);
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 1; j < r; j++) /* loop: sequential */
            m[i][j] += m[i][j - 1];
}

KERNEL(columns)
{
    int r = side(n);
    for (int i = 1; i < r; i++)     /* loop: sequential */
        for (int j = 0; j < r; j++) /* loop: parallel */
            m[i][j] += 0.5 * m[i - 1][j];
}

KERNEL(scalar_outside)
{
    double t;
    for (int i = 0; i < n; i++) { /* loop: private */
        t = b[i] * b[i];
        a[i] = t + t * c[i];
    }
}

KERNEL(scalar_inside)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double t = b[i] * b[i], u = t - 1;
        a[i] = t * u;
    }
}

KERNEL(scalar_both_ways)
{
    double t;
    for (int i = 0; i < n; i++) { /* loop: private */
        if (b[i] > 0.5)
            t = 1;
        else
            t = c[i];
        a[i] = t;
    }
}

KERNEL(inner_counter_outside)
{
    int r = side(n), j;
    for (int i = 0; i < r; i++) /* loop: private */
        for (j = 0; j < r; j++) /* loop: parallel */
            w[i][j] = m[i][j] * 2;
}

KERNEL(scratch_array)
{
    int r = side(n);
    for (int i = 0; i < r; i++) {   /* loop: private */
        for (int j = 0; j < r; j++) /* loop: parallel */
            scratch[j] = m[i][j] * m[i][j];
        for (int j = 0; j < r; j++) /* loop: parallel */
            w[i][j] = scratch[r - 1 - j];
    }
}

KERNEL(local_array)
{
    int r = side(n);
    for (int i = 0; i < r; i++) { /* loop: parallel */
        double t[R];
        for (int j = 0; j < r; j++) /* loop: parallel */
            t[j] = m[i][j] + 1;
        for (int j = 0; j < r; j++) /* loop: parallel */
            w[i][j] = t[r - 1 - j];
    }
}

KERNEL(last_value)
{
    double t = 0;
    for (int i = 0; i < n; i++) { /* loop: private */
        t = b[i] + 1;
        a[i] = t;
    }
    keep(t);
}

KERNEL(sum)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += b[i];
    keep(s);
}

KERNEL(sum_of_integers)
{
    long s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += ia[i];
    keep((double)s);
}

KERNEL(difference)
{
    double s = 100;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s -= b[i] * c[i];
    keep(s);
}

KERNEL(product)
{
    double s = 1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s *= 1 + b[i] * 1e-6;
    keep(s);
}

KERNEL(largest)
{
    double s = b[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        if (b[i] > s)
            s = b[i];
    keep(s);
}

KERNEL(smallest_integer)
{
    int s = ia[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        s = ia[i] < s ? ia[i] : s;
    keep(s);
}

KERNEL(bits)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s ^= (unsigned)ia[i] * 2654435761u;
    keep(s);
}

KERNEL(any)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s |= ia[i] == 77;
    keep(s);
}

KERNEL(count_some)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (b[i] > 0.25)
            s++;
    keep(s);
}

KERNEL(conditional_sum)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (ia[i] & 1)
            s += b[i];
    keep(s);
}

KERNEL(two_sums)
{
    double s = 0, t = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        s += b[i];
        t += c[i] * c[i];
    }
    keep(s / t);
}

double total;
KERNEL(global_sum)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        total += b[i];
}

KERNEL(histogram)
{
    static int h[64];
    for (int i = 0; i < n; i++) /* loop: reduction */
        h[ia[i] & 63]++;
    keep(h[5]);
}

KERNEL(pixels)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        bytes[i] = (unsigned char)(more[i] > 100 ? 255 : more[i] * 2);
}

KERNEL(widen)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        shorts[i] = (short)(bytes[i] - 7);
}

KERNEL(structs)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        ps[i].x += ps[i].vx;
        ps[i].y += ps[i].vy;
        if (ps[i].kind == 2)
            ps[i].vy -= 0.1;
    }
}

static __attribute__((noinline)) double poly(double x)
{
    return ((x + 1) * x - 2) * x + 0.5;
}

KERNEL(calls)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = poly(b[i]);
}

static __attribute__((noinline)) int depth(int x)
{
    return x <= 1 ? 1 : depth(x / 2) + depth(x / 3);
}

KERNEL(recursive_calls)
{
    for (int i = 0; i < n / 8; i++) /* loop: parallel */
        ib[i] = depth(ia[i] & 63);
}

static __attribute__((noinline)) void fill(double *to, double x)
{
    double t[8];
    for (int k = 0; k < 8; k++) /* loop: parallel */
        t[k] = x * k;
    *to = t[3] + t[5];
}

KERNEL(calls_with_arrays)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        fill(&a[i], b[i]);
}

KERNEL(blocks_of_memory)
{
    for (int i = 0; i < n / 8; i++) { /* loop: parallel */
        double *t = malloc(4 * sizeof *t);
        t[0] = b[i];
        t[1] = t[0] + c[i];
        a[i] = t[1] * t[0];
        free(t);
    }
}

KERNEL(copies)
{
    int r = side(n);
    for (int i = 0; i < r; i++) /* loop: parallel */
        memcpy(w[i], m[i], (size_t)r * sizeof w[i][0]);
}

/* The nearest is set below a condition, but it always is: each iteration has its own. */
KERNEL(nearest)
{
    int r = side(n);
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int best;
        double least = 1e9;
        for (int j = 0; j < r; j++) {
            double d = (b[i] - m[0][j]) * (b[i] - m[0][j]);
            if (d < least) {
                least = d;
                best = j;
            }
        }
        ib[i] = best;
    }
}

KERNEL(pointers)
{
    double *p = a, *end = a + n;
    const double *s = b;
    for (int i = 0; i < n; i++) /* loop: parallel */
        p[i] = s[i] * 2;
    keep(*(end - 1));
}

KERNEL(mandelbrot)
{
    int r = side(n);
    for (int i = 0; i < r; i++)       /* loop: parallel */
        for (int j = 0; j < r; j++) { /* loop: parallel */
            double x = 0, y = 0, u = i * 3.0 / r - 2, v = j * 2.0 / r - 1;
            int k = 0;
            while (k < 30 && x * x + y * y < 4) { /* loop: sequential */
                double t = x * x - y * y + u;
                y = 2 * x * y + v;
                x = t;
                k++;
            }
            w[i][j] = k;
        }
}

KERNEL(long_counter)
{
    for (long i = 0; i < n; i++) /* loop: parallel */
        la[i] = i * i;
}

KERNEL(bodies)
{
    int r = side(n);
    for (int i = 0; i < r; i++) { /* loop: parallel */
        double fx = 0, fy = 0;
        for (int j = 0; j < r; j++) { /* loop: reduction */
            double dx = ps[j].x - ps[i].x, dy = ps[j].y - ps[i].y;
            double d = dx * dx + dy * dy + 0.01;
            fx += dx / d;
            fy += dy / d;
        }
        ps[i].vx = fx;
        ps[i].vy = fy;
    }
}

KERNEL(accumulate_rows)
{
    int r = side(n);
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 0; j < r; j++) /* loop: reduction */
            c[i] += m[i][j];
}

KERNEL(convolution)
{
    static const double k[5] = {1, 4, 6, 4, 1};
    for (int i = 2; i < n - 2; i++) { /* loop: parallel */
        double s = 0;
        for (int j = -2; j <= 2; j++) /* loop: reduction */
            s += k[j + 2] * b[i + j];
        c[i] = s / 16;
    }
}

/* More values than registers: what one loop keeps in the frame lies where the other keeps its counter. */
__attribute__((noinline)) static double part(double *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += p[i] *= 1.25;
    return s;
}

__attribute__((noinline)) static void two_phases(double (*all)[R * R], int n, int k, int h)
{
    double *p = all[0], *r = all[1], *s = all[2], *t = all[3], *u = all[4], *v = all[5], *x = all[6],
           *y = all[7], *z = all[8];
    int ii, jj, i, j;
    for (ii = 0; ii < n; ii += 8) { /* loop: private */
        for (i = ii; i < ii + 8; i++)
            p[i] = part(r + i * n, k) + part(s + i * n, h);
        for (i = ii; i < ii + 8; i++)
            for (j = 0; j < k; j++)
                t[i * n + j] = u[i * n + j] * v[j] + x[i] + y[i] + z[i];
    }
    for (jj = 0; jj < k; jj += 8) { /* loop: private */
        for (j = jj; j < jj + 8; j++)
            u[j] = part(v + j * k, n) + part(x + j * k, h);
        for (i = 0; i < n; i++)
            for (j = jj; j < jj + 8; j++)
                y[j * k + i] = r[i * k + j] + s[i * k + j] * p[i] + t[j] + z[j];
    }
}

/* Without optimisation the counter is loaded at more than a hundred places. */
#define ONE(k) x += m[i][k] * q[i][(k) + 1] - m[i][(k) + 2];
#define FOUR(k) ONE(k) ONE((k) + 1) ONE((k) + 2) ONE((k) + 3)
#define ALL FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16)
/* A function without calls of its own keeps its variables below the stack pointer, where the next call finds
 * them. */
static __attribute__((noinline)) int nearest_of(const double *at, int k, double x)
{
    int best = 0;
    for (int i = 1; i < k; i++)
        if ((at[i] - x) * (at[i] - x) < (at[best] - x) * (at[best] - x))
            best = i;
    return best;
}

KERNEL(leaf_calls)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ia[i] = nearest_of(m[0], R, b[i]);
}

/* Its head and its body are one line, so that both store there. */
#define LESS(to, from)          \
    for (int j = 0; j < r; j++) \
    w[to][j] = w[to][j] - 0.5 * w[from][j]

KERNEL(in_one_line)
{
    int r = side(n), low = r / 3;
    LESS(low + 1, low); /* loop: parallel */
}

static __attribute__((noinline)) double first_of(const double row[R])
{
    return row[0] + row[R / 2];
}

KERNEL(rows_passed)
{
    int r = side(n);
    for (int i = 0; i < r; i++) { /* loop: parallel */
        w[i][0] = b[i];
        w[i][R / 2] = b[i] * 2;
        c[i] = first_of(w[i]);
    }
}

KERNEL(long_body)
{
    int i;
    for (i = 0; i < R - 1; i++) { /* loop: parallel */
        double x = 0;
        ALL;
        ALL;
        w[0][i] = x;
    }
}

static void prepare(int n)
{
    for (int i = 0; i < n; i++) {
        perm[i] = i;
        ia[i] = (i * 7919) % 1000;
        a[i] = i;
        b[i] = (i * 31 % 100) / 100.0;
        c[i] = (i * 17 % 100) / 50.0;
        fa[i] = fb[i] = (float)i;
        bytes[i] = (unsigned char)i;
        more[i] = (unsigned char)(i * 3);
        ps[i] = (struct particle){i * 0.5, i * 0.25, 1, 2, i % 3};
        cells[i] = (struct list){i + 1 < n ? &cells[i + 1] : NULL, i};
    }
    for (int i = n - 1; i > 0; i--) {
        int k = (int)((unsigned)i * 2654435761u % (unsigned)(i + 1)), t = perm[i];
        perm[i] = perm[k];
        perm[k] = t;
    }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++)
            m[i][j] = q[i][j] = (i * 13 + j * 7) % 11 * 1e-3;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 600;
    prepare(n);
    copy(n), scale_in_place(n), saxpy(n), backwards(n), strided(n), two_outputs(n), three_point(n), halves(n),
        even_odd(n);
    permuted(n), gather(n), conditional(n), choose(n), with_continue(n), with_switch(n), matrix_product(n),
        transpose(n);
    stencil(n), triangle(n), rows(n), columns(n), scalar_outside(n), scalar_inside(n), scalar_both_ways(n);
    inner_counter_outside(n), scratch_array(n), local_array(n), last_value(n), sum(n), sum_of_integers(n),
        difference(n);
    product(n), largest(n), smallest_integer(n), bits(n), any(n), count_some(n), conditional_sum(n),
        two_sums(n);
    global_sum(n), histogram(n), pixels(n), widen(n), structs(n), calls(n), recursive_calls(n),
        calls_with_arrays(n);
    blocks_of_memory(n), copies(n), nearest(n), pointers(n), mandelbrot(n), long_counter(n), bodies(n),
        accumulate_rows(n), convolution(n), long_body(n), leaf_calls(n), in_one_line(n), rows_passed(n);
    two_phases(planes, R, R, R / 2);
    digest(a, sizeof a), digest(b, sizeof b), digest(c, sizeof c), digest(m, sizeof m), digest(w, sizeof w);
    digest(fa, sizeof fa), digest(ib, sizeof ib), digest(la, sizeof la), digest(bytes, sizeof bytes),
        digest(shorts, sizeof shorts);
    for (int i = 0; i < n; i++)
        digest(&ps[i], 4 * sizeof ps[i].x);
    return finish();
}
