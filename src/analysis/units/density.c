#include "density.h"

#include <math.h>

/* A piece holds the density as a Chebyshev series in its own [-1, 1]: well conditioned at any degree used
 * here. EXACT pieces are kept at most; a joined piece has degree JOINED. */
enum { MAX_TERMS = 32, EXACT = 4096, JOINED = 15, FEW = 24, MANY = 2048, CHECKS = 7, HIGHEST = 4096 };
static const double PI = 3.14159265358979323846;

struct piece {
    double from, to;
    double c[MAX_TERMS];      /* density */
    double a[MAX_TERMS + 1];  /* its integral from `from` */
    double below, below_rest; /* probability left of `from`, and what its rounding lost */
};

struct cc_density {
    struct piece *p;
    size_t n;
    int terms;     /* of every piece's series */
    double origin; /* of x = 0 in the pieces */
    double scale;  /* length of 1 in the pieces: the whole width */
    double low, high, widest;
    double error;
};

static double clenshaw(const double *c, int terms, double t)
{
    double b1 = 0, b2 = 0;
    for (int k = terms - 1; k > 0; k--) {
        double b = 2 * t * b1 - b2 + c[k];
        b2 = b1;
        b1 = b;
    }
    return t * b1 - b2 + c[0];
}

static double local(const struct piece *p, double x)
{
    return (2 * x - p->from - p->to) / (p->to - p->from);
}

/* The integral's series from the density's, zero at the left end. */
static void integrate(struct piece *p, int terms)
{
    double half = (p->to - p->from) / 2, left = 0;
    for (int k = 1; k <= terms; k++) {
        double before = p->c[k - 1] * (k == 1 ? 2 : 1), after = k + 1 < terms ? p->c[k + 1] : 0;
        p->a[k] = half * (before - after) / (2 * k);
        left += k % 2 ? -p->a[k] : p->a[k];
    }
    p->a[0] = -left;
}

static void settle(struct cc_density *d)
{
    double below = 0, rest = 0;
    for (size_t i = 0; i < d->n; i++) {
        integrate(&d->p[i], d->terms);
        d->p[i].below = below;
        d->p[i].below_rest = rest;
        double mass = clenshaw(d->p[i].a, d->terms + 1, 1), sum = below + mass, part = sum - below;
        rest += (below - (sum - part)) + (mass - part); /* what the addition dropped */
        below = sum;
    }
}

/* Probability of at most x in the pieces' own units; *hint is a piece at or before x's. */
static double below_at(const struct piece *p, size_t n, int terms, double x, size_t *hint)
{
    if (x <= p[0].from)
        return 0;
    if (x >= p[n - 1].to)
        return p[n - 1].below + clenshaw(p[n - 1].a, terms + 1, 1);
    while (x > p[*hint].to)
        ++*hint;
    return p[*hint].below + clenshaw(p[*hint].a, terms + 1, local(&p[*hint], x));
}

static double piece_at(const struct piece *p, int terms, double x)
{
    return clenshaw(p->c, terms, local(p, x));
}

/* The integral over [u, v] inside a piece, `length` long (the difference of u and v may be mostly rounding).
 * So may the difference of two values of the integral: over a short stretch the density is averaged by
 * Gauss's rule, with as many points as the stretch needs. */
static double part_of(const struct piece *p, int terms, double u, double v, double length)
{
    static const double x2[] = {0.57735026918962576}, w2[] = {1};
    static const double x4[] = {0.33998104358485626, 0.86113631159405258},
                        w4[] = {0.65214515486254614, 0.34785484513745386};
    static const double x8[] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                0.96028985649753623},
                        w8[] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                0.10122853629037626};
    double ratio = length / (p->to - p->from);
    if (ratio >= 0.25)
        return clenshaw(p->a, terms + 1, local(p, v)) - clenshaw(p->a, terms + 1, local(p, u));
    int n = ratio < 1e-4 ? 1 : ratio < 0.01 ? 2 : 4;
    const double *x = n == 1 ? x2 : n == 2 ? x4 : x8, *w = n == 1 ? w2 : n == 2 ? w4 : w8;
    double mid = (u + v) / 2, half = length / 2, sum = 0;
    for (int i = 0; i < n; i++)
        sum += w[i] * (piece_at(p, terms, mid - half * x[i]) + piece_at(p, terms, mid + half * x[i]));
    return sum * half;
}

/* The integral over [x - w, x]. *hint is a piece at or before x - w's, *to one at or before x's. */
static double window(const struct cc_density *d, double x, double w, size_t *hint, size_t *to)
{
    const struct piece *p = d->p;
    double u = fmax(x - w, p[0].from), v = fmin(x, p[d->n - 1].to);
    if (u >= v)
        return 0;
    while (u > p[*hint].to)
        ++*hint;
    while (v > p[*to].to)
        ++*to;
    const struct piece *a = &p[*hint], *b = &p[*to];
    double whole = x - w > p[0].from ? w - (x - v) : v - u;
    if (a == b)
        return part_of(a, d->terms, u, v, whole);
    double tail = v - b->from, head = fmax(whole - tail - (b->from - a->to), 0);
    double between = (b->below - a[1].below) + (b->below_rest - a[1].below_rest);
    return part_of(a, d->terms, u, a->to, head) + between + part_of(b, d->terms, b->from, v, tail);
}

/* cos(pi k (j + 1/2) / terms) for all k, j, once for each number of terms. */
static void cosines(int terms, double table[MAX_TERMS][MAX_TERMS])
{
    for (int k = 0; k < terms; k++)
        for (int j = 0; j < terms; j++)
            table[k][j] = cos(PI * k * (j + 0.5) / terms);
}

static void interpolate(const double *values, int terms, double table[MAX_TERMS][MAX_TERMS], double *c)
{
    for (int k = 0; k < terms; k++) {
        double sum = 0;
        for (int j = 0; j < terms; j++)
            sum += values[j] * table[k][j];
        c[k] = sum * (k ? 2.0 : 1.0) / terms;
    }
}

/* The ends of the new pieces: those of the old ones, and those moved by w; what is one end in both up to
 * rounding is one. */
static size_t new_ends(const struct cc_density *d, double w, double *out)
{
    size_t i = 0, j = 0, n = 0;
    double near = 1e-13;
    while (i <= d->n || j <= d->n) {
        double a = i <= d->n ? (i < d->n ? d->p[i].from : d->p[d->n - 1].to) : INFINITY;
        double b = j <= d->n ? (j < d->n ? d->p[j].from : d->p[d->n - 1].to) + w : INFINITY;
        double x = fmin(a, b);
        i += a <= b;
        j += b <= a;
        if (n == 0 || x > out[n - 1] + near)
            out[n++] = x;
    }
    return n;
}

/* One more box of width w: the mean over [x - w, x], a polynomial between two neighbouring ends. */
static void add_box(struct cc_density *d, double w)
{
    double table[MAX_TERMS][MAX_TERMS], values[MAX_TERMS];
    CC_CLEANUP(cc_free_ptr) double *ends = cc_alloc_array(2 * d->n + 2, sizeof *ends);
    size_t n = new_ends(d, w, ends) - 1;
    struct piece *p = cc_alloc_array(n, sizeof *p);
    int terms = CC_MIN(d->terms + 1, d->error > 0 ? JOINED + 1 : MAX_TERMS);
    if (d->terms == MAX_TERMS && d->error == 0) /* no more terms: not exact from here on */
        d->error = 1e-16;
    cosines(terms, table);
    size_t hint = 0, to = 0;
    for (size_t i = 0; i < n; i++) {
        p[i].from = ends[i];
        p[i].to = ends[i + 1];
        double mid = (p[i].from + p[i].to) / 2, half = (p[i].to - p[i].from) / 2;
        for (int j = terms; j-- > 0;) { /* table[1] falls, so x rises */
            double x = mid + half * (terms > 1 ? table[1][j] : 0);
            values[j] = window(d, x, w, &hint, &to) / w;
        }
        interpolate(values, terms, table, p[i].c);
    }
    free(d->p);
    d->p = p;
    d->n = n;
    d->terms = terms;
    settle(d);
}

/* Joins a and b if one polynomial of degree JOINED is within `slack` of both. */
static bool join(const struct piece *a, const struct piece *b, int terms, double slack,
                 double table[MAX_TERMS][MAX_TERMS], struct piece *ret)
{
    struct piece r = {.from = a->from, .to = b->to};
    double values[MAX_TERMS], mid = (r.from + r.to) / 2, half = (r.to - r.from) / 2;
    for (int j = 0; j <= JOINED; j++) {
        double x = mid + half * table[1][j];
        values[j] = piece_at(x <= a->to ? a : b, terms, x);
    }
    interpolate(values, JOINED + 1, table, r.c);
    for (int j = 0; j < CHECKS; j++) {
        double u = (double)j / (CHECKS - 1);
        double xa = a->from + u * (a->to - a->from), xb = b->from + u * (b->to - b->from);
        if (fabs(piece_at(&r, JOINED + 1, xa) - piece_at(a, terms, xa)) > slack ||
            fabs(piece_at(&r, JOINED + 1, xb) - piece_at(b, terms, xb)) > slack)
            return false;
    }
    *ret = r;
    return true;
}

/* Passes over the neighbours until few pieces are left or none can be joined. */
static void join_pieces(struct cc_density *d)
{
    double table[MAX_TERMS][MAX_TERMS], peak = 0;
    cosines(JOINED + 1, table);
    for (size_t i = 0; i < d->n; i++)
        peak = fmax(peak, piece_at(&d->p[i], d->terms, (d->p[i].from + d->p[i].to) / 2));
    /* A series of more terms than a joined piece has is cut to that first; less is only padded. */
    double slack = 1e-13;
    for (bool joined = true; d->n > FEW && (joined || d->n > MANY);) {
        joined = false;
        size_t n = 0;
        for (size_t i = 0; i < d->n; i++) {
            struct piece r;
            if (n && join(&d->p[n - 1], &d->p[i], d->terms, slack * peak, table, &r)) {
                joined = true;
                d->p[n - 1] = r;
            } else {
                d->p[n++] = d->p[i];
            }
        }
        d->n = n;
        if (!joined)
            slack *= 10;
    }
    d->error += slack;
    settle(d);
}

/* Brings every piece to the joined number of terms. */
static void set_terms(struct cc_density *d, int terms)
{
    double table[MAX_TERMS][MAX_TERMS], values[MAX_TERMS];
    cosines(terms, table);
    for (size_t i = 0; i < d->n; i++) {
        struct piece *p = &d->p[i];
        for (int j = 0; j < terms; j++)
            values[j] = clenshaw(p->c, d->terms, terms > 1 ? table[1][j] : 0);
        interpolate(values, terms, table, p->c);
    }
    d->terms = terms;
}

/* The same density from its Fourier series, for sums of so many boxes that their pieces are too many. The
 * support is one period, so the coefficients are the characteristic function, a product of sinc; with no box
 * much wider than all others it soon falls below rounding. False if it does not by the frequency HIGHEST. */
static bool from_series(struct cc_density *d, const double *widths, size_t n)
{
    double table[MAX_TERMS][MAX_TERMS], values[MAX_TERMS];
    CC_CLEANUP(cc_free_ptr) double *phi = cc_alloc_array(HIGHEST + 1, sizeof *phi);
    size_t last = 0;
    phi[0] = 1;
    for (size_t k = 1; k <= HIGHEST && last == 0; k++) {
        double product = 1, envelope = 1;
        for (size_t i = 0; i < n && envelope > 1e-30; i++) {
            double x = PI * (double)k * widths[i] / d->scale;
            product *= sin(x) / x;
            envelope *= fmin(1, 1 / x);
        }
        phi[k] = 2 * product;
        if (envelope * (double)k < 1e-17) /* what is left out, all together, is below rounding */
            last = k;
        if (fabs(product) < 1e-19 && k > 8 && fabs(phi[k - 1]) < 1e-19 && n > 64) /* as good as normal */
            last = k;
    }
    if (last == 0)
        return false;
    free(d->p);
    d->n = CC_MAX(last / 4, 4);
    d->p = cc_alloc_array(d->n, sizeof *d->p);
    d->terms = JOINED + 1;
    cosines(d->terms, table);
    for (size_t i = 0; i < d->n; i++) {
        struct piece *p = &d->p[i];
        p->from = (double)i / (double)d->n;
        p->to = (double)(i + 1) / (double)d->n;
        for (int j = 0; j < d->terms; j++) {
            double x = (p->from + p->to) / 2 + (p->to - p->from) / 2 * table[1][j];
            values[j] = clenshaw(phi, (int)last + 1, cos(2 * PI * (x - 0.5)));
        }
        interpolate(values, d->terms, table, p->c);
    }
    d->error = 1e-14;
    settle(d);
    if (d->n > FEW)
        join_pieces(d);
    return true;
}

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Boxes in falling width, in units of their sum. */
static void convolve(struct cc_density *d, double *widths, size_t n)
{
    qsort(widths, n, sizeof *widths, falling);
    d->p = cc_alloc_array(1, sizeof *d->p);
    d->n = 1;
    d->terms = 1;
    d->p[0].to = widths[0] / d->scale;
    d->p[0].c[0] = d->scale / widths[0];
    settle(d);
    for (size_t i = 1; i < n; i++) {
        add_box(d, widths[i] / d->scale);
        if (d->n > EXACT || d->error > 0) {
            if (d->error <= 1e-16 && from_series(d, widths, n))
                return;
            d->error = fmax(d->error, 2e-16);
            if (d->terms != JOINED + 1)
                set_terms(d, JOINED + 1);
            settle(d);
            if (d->n > FEW)
                join_pieces(d);
        }
    }
}

int cc_density_sum(const struct cc_interval *v, size_t n, struct cc_density **ret, struct cc_err *err)
{
    struct cc_density *d = cc_alloc(sizeof *d);
    double *widths = cc_alloc_array(n + 1, sizeof *widths), total = 0;
    int rc = n ? 0 : cc_err_set(err, CC_EINPUT, "a chain needs at least one kernel");
    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (!isfinite(v[i].low) || !isfinite(v[i].high) || v[i].low > v[i].high)
            rc = cc_err_set(err, CC_EINPUT, "[%g, %g] is not an interval", v[i].low, v[i].high);
        d->low += v[i].low;
        d->high += v[i].high;
        total += v[i].high - v[i].low;
    }
    size_t boxes = 0;
    d->origin = d->low;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        double w = v[i].high - v[i].low;
        d->widest = fmax(d->widest, w);
        if (w > 1e-9 * total)
            widths[boxes++] = w;
        else /* too narrow to tell from a shift */
            d->origin += w / 2;
    }
    for (size_t i = 0; i < boxes; i++)
        d->scale += widths[i];
    if (rc == 0 && boxes)
        convolve(d, widths, boxes);
    free(widths);
    if (rc < 0) {
        cc_density_free(d);
        return rc;
    }
    *ret = d;
    return 0;
}

void cc_density_free(struct cc_density *d)
{
    if (!d)
        return;
    free(d->p);
    free(d);
}

struct cc_interval cc_density_support(const struct cc_density *d)
{
    return (struct cc_interval){d->low, d->high};
}

struct cc_interval cc_density_mode(const struct cc_density *d)
{
    double mid = (d->low + d->high) / 2, others = d->high - d->low - d->widest;
    double half = fmax(d->widest - others, 0) / 2;
    return (struct cc_interval){mid - half, mid + half};
}

static size_t find(const struct cc_density *d, double x)
{
    size_t lo;
    CC_FIRST(lo, d->n - 1, x <= d->p[lo].to);
    return lo;
}

double cc_density_at(const struct cc_density *d, double x)
{
    if (d->n == 0)
        return x == d->low ? INFINITY : 0;
    double u = (x - d->origin) / d->scale;
    if (u < 0 || u > d->p[d->n - 1].to)
        return 0;
    return fmax(piece_at(&d->p[find(d, u)], d->terms, u), 0) / d->scale;
}

double cc_density_below(const struct cc_density *d, double x)
{
    if (d->n == 0)
        return x >= d->low;
    double u = (x - d->origin) / d->scale;
    size_t hint = u > 0 && u < d->p[d->n - 1].to ? find(d, u) : 0;
    return fmin(fmax(below_at(d->p, d->n, d->terms, u, &hint), 0), 1);
}

double cc_density_between(const struct cc_density *d, double a, double b)
{
    if (b < a)
        return 0;
    if (d->n == 0)
        return a <= d->low && d->low <= b;
    return fmax(cc_density_below(d, b) - cc_density_below(d, a), 0);
}

struct cc_interval cc_density_interval(const struct cc_density *d, double probability)
{
    double mid = (d->low + d->high) / 2, lo = 0, hi = (d->high - d->low) / 2;
    if (probability >= 1)
        return cc_density_support(d);
    for (int i = 0; i < 200 && lo < hi; i++) {
        double half = (lo + hi) / 2;
        if (half == lo || half == hi)
            break;
        if (cc_density_between(d, mid - half, mid + half) < probability)
            lo = half;
        else
            hi = half;
    }
    return (struct cc_interval){mid - hi, mid + hi};
}

double cc_density_error(const struct cc_density *d)
{
    return d->error;
}

size_t cc_density_pieces(const struct cc_density *d)
{
    return d->n;
}

/* Chebyshev series in [-1, 1] -> powers of t, then of s = (t + 1) / 2 length. */
void cc_density_piece(const struct cc_density *d, size_t i, struct cc_piece *ret)
{
    const struct piece *p = &d->p[i];
    double power[MAX_TERMS] = {0}, t0[MAX_TERMS] = {1}, t1[MAX_TERMS] = {0, 1};
    int terms = d->terms;
    for (int k = 0; k < terms; k++) {
        for (int j = 0; j <= k; j++)
            power[j] += p->c[k] * t0[j];
        double next[MAX_TERMS] = {0};
        for (int j = 0; j < terms; j++)
            next[j] = (j ? 2 * t1[j - 1] : 0) - t0[j];
        memcpy(t0, t1, sizeof t0);
        memcpy(t1, next, sizeof t1);
    }
    for (int j = 0; j < terms; j++) /* Taylor shift to the left end, t = s - 1 */
        for (int k = terms - 2; k >= j; k--)
            power[k] -= power[k + 1];
    ret->from = d->origin + p->from * d->scale;
    ret->to = d->origin + p->to * d->scale;
    ret->ncoefficients = (size_t)terms;
    double unit = 2 / (ret->to - ret->from), f = 1 / d->scale;
    for (int k = 0; k < terms; k++) {
        /* what is less than rounding leaves of the largest density is none */
        ret->coefficients[k] = fabs(power[k]) * d->widest < 4e-15 * d->scale ? 0 : power[k] * f;
        f *= unit;
    }
}
