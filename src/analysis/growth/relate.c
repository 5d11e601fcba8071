#include "relate.h"

#include <math.h>

/* --- correlation --- */

struct ranked {
    double v;
    size_t i;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->v != y->v ? (x->v > y->v) - (x->v < y->v) : (x->i > y->i) - (x->i < y->i);
}

/* Ranks; equal values share the mean of theirs. */
static void rank(const double *v, size_t n, double *ret)
{
    CC_CLEANUP(cc_free_ptr) struct ranked *r = cc_alloc_array(n + 1, sizeof *r);
    for (size_t i = 0; i < n; i++)
        r[i] = (struct ranked){v[i], i};
    qsort(r, n, sizeof *r, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && r[end].v == r[i].v; end++)
            ;
        for (size_t k = i; k < end; k++)
            ret[r[k].i] = (double)(i + end - 1) / 2;
    }
}

static double pearson(const double *x, const double *y, size_t n)
{
    double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        mx += x[i] / (double)n;
        my += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* Fisher's transformation, with the variance that ranks have. */
static double chance_of(double r, size_t n)
{
    if (isnan(r) || n < 4)
        return 1;
    return erfc(atanh(fmin(fabs(r), 1 - 1e-15)) * sqrt((double)(n - 3) / 1.06) / sqrt(2));
}

/* --- principal component --- */

/* Column `to` of rows of `width`: deviations from the mean in units of their spread, times `by`. */
static void standardise(const double *v, size_t n, double by, double *z, size_t width, size_t to)
{
    double mean = 0, squares = 0;
    for (size_t r = 0; r < n; r++)
        mean += v[r] / (double)n;
    for (size_t r = 0; r < n; r++)
        squares += (v[r] - mean) * (v[r] - mean);
    double spread = sqrt(squares / (double)n);
    for (size_t r = 0; r < n; r++)
        z[r * width + to] = spread > 0 ? (v[r] - mean) * by / spread : 0;
}

/* The direction of most variance, by powers: each step is z' (z l). */
static void principal(const double *z, size_t n, size_t k, double *l)
{
    enum { STEPS = 500 };
    for (int step = 0; step < STEPS; step++) {
        CC_CLEANUP(cc_free_ptr) double *next = cc_alloc_array(k + 1, sizeof *next);
        double length = 0, moved = 0;
        for (size_t r = 0; r < n; r++) {
            double score = 0;
            for (size_t v = 0; v < k; v++)
                score += z[r * k + v] * l[v];
            for (size_t v = 0; v < k; v++)
                next[v] += z[r * k + v] * score;
        }
        for (size_t v = 0; v < k; v++)
            length += next[v] * next[v];
        if (length <= 0)
            return;
        for (size_t v = 0; v < k; v++) {
            moved = fmax(moved, fabs(next[v] / sqrt(length) - l[v]));
            l[v] = next[v] / sqrt(length);
        }
        if (moved < 1e-12)
            return;
    }
}

void cc_relate(const struct cc_controls *c, const double *y, struct cc_relation *ret, double *scores)
{
    const size_t n = c->nruns, k = c->nvariables, width = k + 1; /* the figure is the last column */
    CC_CLEANUP(cc_free_ptr)
    double *z = cc_alloc_array(n * width, sizeof *z), *l = cc_alloc_array(width, sizeof *l);
    CC_CLEANUP(cc_free_ptr)
    double *of_y = cc_alloc_array(n + 1, sizeof *of_y), *of_x = cc_alloc_array(n + 1, sizeof *of_x),
           *x = cc_alloc_array(n + 1, sizeof *x);
    size_t asked = 0;
    double sum = 0;
    rank(y, n, of_y);
    for (size_t v = 0; v < k; v++) {
        ret[v] = (struct cc_relation){.correlation = NAN, .chance = NAN};
        if (!c->numeric[v])
            continue;
        for (size_t r = 0; r < n; r++)
            x[r] = c->x[r * k + v];
        rank(x, n, of_x);
        ret[v].correlation = pearson(of_x, of_y, n);
        double by = isnan(ret[v].correlation) ? 0 : ret[v].correlation;
        standardise(x, n, by, z, width, v); /* with its sign: the component then rises with the figure */
        l[v] = fabs(by);
        asked++;
    }
    standardise(y, n, 1, z, width, k);
    l[k] = 1;
    principal(z, n, width, l);
    for (size_t r = 0; r < n; r++) {
        scores[r] = 0;
        for (size_t v = 0; v < k; v++)
            scores[r] += z[r * width + v] * l[v];
    }
    for (size_t v = 0; v < k; v++) {
        double by = isnan(ret[v].correlation) ? 0 : fabs(ret[v].correlation);
        ret[v].weight = fabs(l[v]) * by;
        sum += ret[v].weight;
    }
    for (size_t v = 0; v < k; v++) {
        ret[v].weight = sum > 0 ? ret[v].weight / sum : 0;
        if (c->numeric[v])
            ret[v].chance = fmin(1, chance_of(ret[v].correlation, n) * (double)asked); /* Bonferroni */
        ret[v].matters = ret[v].chance < 0.05;
    }
}

/* --- the envelope as a line --- */

/* The sum of a + b x - y over all points depends on the line's height at the mean only: so it is the edge of
 * the upper hull there. */
void cc_upper_line(const double *x, const double *y, size_t n, double *a, double *b)
{
    CC_CLEANUP(cc_free_ptr) struct ranked *p = cc_alloc_array(n + 1, sizeof *p);
    CC_CLEANUP(cc_free_ptr) size_t *hull = cc_alloc_array(n + 1, sizeof *hull);
    size_t h = 0;
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = (struct ranked){x[i], i};
        mean += x[i] / (double)n;
    }
    qsort(p, n, sizeof *p, by_value);
    for (size_t i = 0; i < n; i++) {
        size_t at = p[i].i;
        if (h && x[hull[h - 1]] == x[at] && y[hull[h - 1]] >= y[at])
            continue;
        if (h && x[hull[h - 1]] == x[at])
            h--;
        while (h > 1 && (y[hull[h - 1]] - y[hull[h - 2]]) * (x[at] - x[hull[h - 2]]) <=
                            (y[at] - y[hull[h - 2]]) * (x[hull[h - 1]] - x[hull[h - 2]]))
            h--;
        hull[h++] = at;
    }
    *b = 0;
    *a = h ? y[hull[0]] : 0;
    for (size_t i = 0; i + 1 < h; i++)
        if (x[hull[i + 1]] >= mean || i + 2 == h) {
            *b = (y[hull[i + 1]] - y[hull[i]]) / (x[hull[i + 1]] - x[hull[i]]);
            *a = y[hull[i]] - *b * x[hull[i]];
            return;
        }
}

/* --- runs that are alike --- */

enum { FEATURES = 32, GROUPS = 8, ROUNDS = 100 };

struct grouping {
    size_t n, k; /* runs, features */
    double *v;   /* [run * k + feature] */
};

/* Logarithms of the streams (of functions, where there is none) that vary most. */
static struct grouping features_of(const struct cc_samples *s)
{
    struct grouping g = {.n = s->nruns, .v = cc_alloc_array(s->nruns * FEATURES + 1, sizeof *g.v)};
    double spread[FEATURES];
    for (size_t i = 0; i < s->things.n; i++) {
        const struct cc_thing *t = &s->things.v[i];
        double mean = 0, squares = 0;
        if ((t->kind != CC_OF_STREAM && t->kind != CC_OF_FUNCTION) || !t->y[0])
            continue;
        for (size_t r = 0; r < s->nruns; r++)
            mean += log2(1 + t->y[0][r]) / (double)s->nruns;
        for (size_t r = 0; r < s->nruns; r++)
            squares += pow(log2(1 + t->y[0][r]) - mean, 2);
        size_t at = 0;
        if (g.k < FEATURES) {
            at = g.k++;
        } else {
            for (size_t f = 1; f < FEATURES; f++)
                at = spread[f] < spread[at] ? f : at;
            if (spread[at] >= squares)
                continue;
        }
        spread[at] = squares;
        for (size_t r = 0; r < s->nruns; r++)
            g.v[r * FEATURES + at] = log2(1 + t->y[0][r]);
    }
    return g;
}

static double distance(const double *a, const double *b, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static size_t nearest(const struct grouping *g, size_t run, const double *centres, size_t groups)
{
    size_t best = 0;
    for (size_t c = 1; c < groups; c++)
        if (distance(&g->v[run * FEATURES], &centres[c * FEATURES], g->k) <
            distance(&g->v[run * FEATURES], &centres[best * FEATURES], g->k))
            best = c;
    return best;
}

/* k-means from centres that are far apart. */
static void split(const struct grouping *g, size_t groups, uint32_t *group)
{
    double centres[GROUPS * FEATURES] = {0};
    memcpy(centres, g->v, FEATURES * sizeof *centres);
    for (size_t c = 1; c < groups; c++) {
        size_t far = 0;
        double most = -1;
        for (size_t r = 0; r < g->n; r++) {
            size_t at = nearest(g, r, centres, c);
            double d = distance(&g->v[r * FEATURES], &centres[at * FEATURES], g->k);
            if (d > most) {
                most = d;
                far = r;
            }
        }
        memcpy(&centres[c * FEATURES], &g->v[far * FEATURES], FEATURES * sizeof *centres);
    }
    for (int round = 0; round < ROUNDS; round++) {
        bool moved = round == 0;
        size_t count[GROUPS] = {0};
        for (size_t r = 0; r < g->n; r++) {
            uint32_t at = (uint32_t)nearest(g, r, centres, groups);
            moved |= at != group[r];
            group[r] = at;
            count[at]++;
        }
        if (!moved)
            return;
        memset(centres, 0, sizeof centres);
        for (size_t r = 0; r < g->n; r++)
            for (size_t f = 0; f < g->k; f++)
                centres[group[r] * FEATURES + f] +=
                    g->v[r * FEATURES + f] / (double)CC_MAX(count[group[r]], (size_t)1);
    }
}

/* How much nearer runs are to their own group than to the next: the mean of (b - a) / max(a, b). */
static double silhouette(const struct grouping *g, size_t groups, const uint32_t *group)
{
    double sum = 0;
    for (size_t r = 0; r < g->n; r++) {
        double total[GROUPS] = {0}, other = INFINITY;
        size_t count[GROUPS] = {0};
        for (size_t q = 0; q < g->n; q++)
            if (q != r) {
                total[group[q]] += distance(&g->v[r * FEATURES], &g->v[q * FEATURES], g->k);
                count[group[q]]++;
            }
        if (count[group[r]] == 0)
            continue; /* alone: 0 */
        double own = total[group[r]] / (double)count[group[r]];
        for (size_t c = 0; c < groups; c++)
            if (c != group[r] && count[c])
                other = fmin(other, total[c] / (double)count[c]);
        sum += fmax(own, other) > 0 && isfinite(other) ? (other - own) / fmax(own, other) : 0;
    }
    return sum / (double)g->n;
}

size_t cc_group_runs(const struct cc_samples *s, uint32_t *group, double *ret_silhouette)
{
    const double CLEAR = 0.5;
    struct grouping g = features_of(s);
    CC_CLEANUP(cc_free_ptr) uint32_t *trial = cc_alloc_array(s->nruns + 1, sizeof *trial);
    size_t best = 1;
    *ret_silhouette = CLEAR;
    memset(group, 0, s->nruns * sizeof *group);
    for (size_t groups = 2; groups <= GROUPS && groups < s->nruns; groups++) {
        split(&g, groups, trial);
        double how = silhouette(&g, groups, trial);
        if (how > *ret_silhouette + 0.02) { /* more groups must be worth it */
            best = groups;
            *ret_silhouette = how;
            memcpy(group, trial, s->nruns * sizeof *group);
        }
    }
    if (best == 1)
        *ret_silhouette = NAN;
    free(g.v);
    return best;
}
