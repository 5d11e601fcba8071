#include "law.h"
#include "../../base/rng.h"

#include <math.h>

enum {
    SCREENED = 200,  /* runs on which terms are tried first; all of them decide among the best */
    KEPT = 6,        /* terms that go on from there */
    THRESHOLDS = 16, /* of a variable, where a law may change */
    LEAST = 4        /* runs of a piece */
};
static const double EXACT = 1e-9;      /* relative errors below are rounding */
static const double WELL = 0.005;      /* a law this good is not cut in pieces */
static const double BETTER = 0.7;      /* what another term must leave of the error */
static const double CLOSE = 0.02;      /* from here on a term that grows faster than all before must leave */
static const double MUCH_BETTER = 0.1; /* this of the error: it would be most of the law beyond the runs */
static const double CUT = 0.4;         /* what pieces must leave of it */

struct candidate {
    struct cc_term term;
    double largest; /* of its values: columns are divided by it */
    double *column; /* [run] */
};

struct cc_growth_search {
    const struct cc_controls *c;
    CC_VEC(struct candidate) terms; /* simple ones first */
};

/* --- the terms --- */

/* The same as one that is there, for these runs: nothing could tell them apart. */
static bool is_known(const struct cc_growth_search *s, const double *column)
{
    for (size_t t = 0; t < s->terms.n; t++) {
        size_t r = 0;
        while (r < s->c->nruns && fabs(s->terms.v[t].column[r] - column[r]) < 1e-12)
            r++;
        if (r == s->c->nruns)
            return true;
    }
    return false;
}

static void add_term(struct cc_growth_search *s, struct cc_term term)
{
    struct candidate x = {.term = term, .column = cc_alloc_array(s->c->nruns + 1, sizeof *x.column)};
    for (size_t r = 0; r < s->c->nruns; r++) {
        double v = 1;
        for (size_t i = 0; i < term.n; i++)
            v *= cc_shape_at((enum cc_shape)term.shape[i], s->c->x[r * s->c->nvariables + term.variable[i]]);
        x.column[r] = v;
        x.largest = fmax(x.largest, fabs(v));
    }
    for (size_t r = 0; r < s->c->nruns && x.largest > 0; r++)
        x.column[r] /= x.largest;
    if (x.largest > 0 && isfinite(x.largest) && !is_known(s, x.column))
        CC_VEC_PUSH(&s->terms, x);
    else
        free(x.column);
}

struct cc_growth_search *cc_growth_search_new(const struct cc_controls *c)
{
    static const uint8_t in_products[] = {CC_SHAPE_N, CC_SHAPE_LOG, CC_SHAPE_N_LOG, CC_SHAPE_SQUARE,
                                          CC_SHAPE_ROOT};
    enum { WIDE = 6 }; /* with more variables products are of plain factors only */
    struct cc_growth_search *s = cc_alloc(sizeof *s);
    s->c = c;
    CC_VEC(uint8_t) v = {0};
    for (size_t i = 0; i < c->nvariables && i < CC_CONTROLS_MAX; i++)
        if (c->numeric[i])
            CC_VEC_PUSH(&v, (uint8_t)i);
    static const uint8_t simple_first[CC_SHAPES] = {CC_SHAPE_N,      CC_SHAPE_LOG,       CC_SHAPE_N_LOG,
                                                    CC_SHAPE_SQUARE, CC_SHAPE_CUBE,      CC_SHAPE_ROOT,
                                                    CC_SHAPE_N_ROOT, CC_SHAPE_SQUARE_LOG};
    for (size_t k = 0; k < CC_SHAPES; k++)
        for (size_t i = 0; i < v.n; i++)
            add_term(s, (struct cc_term){1, {v.v[i]}, {simple_first[k]}});
    size_t shapes = v.n > WIDE ? 1 : CC_COUNT(in_products);
    for (size_t a = 0; a < shapes * shapes; a++)
        for (size_t i = 0; i < v.n; i++)
            for (size_t k = i + 1; k < v.n; k++)
                add_term(s, (struct cc_term){
                                2, {v.v[i], v.v[k]}, {in_products[a / shapes], in_products[a % shapes]}});
    for (size_t i = 0; i < v.n && v.n <= WIDE; i++)
        for (size_t k = i + 1; k < v.n; k++)
            for (size_t l = k + 1; l < v.n; l++)
                add_term(s,
                         (struct cc_term){3, {v.v[i], v.v[k], v.v[l]}, {CC_SHAPE_N, CC_SHAPE_N, CC_SHAPE_N}});
    CC_VEC_FINI(&v);
    return s;
}

void cc_growth_search_free(struct cc_growth_search *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->terms.n; i++)
        free(s->terms.v[i].column);
    CC_VEC_FINI(&s->terms);
    free(s);
}

/* --- one fit: least squares of relative errors --- */

struct runs {
    const double *y;
    const uint32_t *v;
    size_t n;
    double scale; /* figures below count as this much: errors are relative to the larger */
};

enum { WIDTH = CC_LAW_TERMS + 1 };

struct fit {
    size_t terms[CC_LAW_TERMS], n;
    double b[WIDTH];              /* constant, then coefficients of the scaled columns */
    double inverse[WIDTH][WIDTH]; /* of the normal equations, for leverages */
    double squares;               /* mean of squared relative errors, */
    double left_out;              /* and of runs left out one at a time */
};

static void row_of(const struct cc_growth_search *s, const struct fit *f, uint32_t run, double *row)
{
    row[0] = 1;
    for (size_t i = 0; i < f->n; i++)
        row[i + 1] = s->terms.v[f->terms[i]].column[run];
}

static double weight(const struct runs *r, double y)
{
    double w = fmax(fabs(y), r->scale);
    return 1 / (w * w);
}

/* Gauss-Jordan with pivots on a small symmetric matrix; false: columns depend on each other. */
static bool invert(double a[WIDTH][WIDTH], double inverse[WIDTH][WIDTH], size_t n)
{
    double m[WIDTH][2 * WIDTH] = {{0}};
    for (size_t i = 0; i < n; i++) {
        memcpy(m[i], a[i], n * sizeof *a[i]);
        m[i][n + i] = 1;
    }
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t k = i; k < n; k++)
            if (fabs(m[k][i]) > fabs(m[best][i]))
                best = k;
        if (fabs(m[best][i]) <= 1e-13 * fabs(a[i][i]))
            return false;
        for (size_t k = 0; best != i && k < 2 * n; k++) {
            double t = m[i][k];
            m[i][k] = m[best][k];
            m[best][k] = t;
        }
        double pivot = m[i][i];
        for (size_t k = 0; k < 2 * n; k++)
            m[i][k] /= pivot;
        for (size_t j = 0; j < n; j++) {
            double factor = j == i ? 0 : m[j][i];
            for (size_t k = 0; factor != 0 && k < 2 * n; k++)
                m[j][k] -= factor * m[i][k];
        }
    }
    for (size_t i = 0; i < n; i++)
        memcpy(inverse[i], m[i] + n, n * sizeof *inverse[i]);
    return true;
}

static double predicted(const struct fit *f, const double *row)
{
    double v = 0;
    for (size_t i = 0; i <= f->n; i++)
        v += f->b[i] * row[i];
    return v;
}

static bool solve(const struct cc_growth_search *s, const struct runs *r, struct fit *f)
{
    double a[WIDTH][WIDTH] = {{0}}, rhs[WIDTH] = {0}, row[WIDTH];
    const size_t n = f->n + 1;
    for (size_t k = 0; k < r->n; k++) {
        double y = r->y[r->v[k]], w = weight(r, y);
        row_of(s, f, r->v[k], row);
        for (size_t i = 0; i < n; i++) {
            rhs[i] += w * row[i] * y;
            for (size_t j = 0; j < n; j++)
                a[i][j] += w * row[i] * row[j];
        }
    }
    if (!invert(a, f->inverse, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        f->b[i] = 0;
        for (size_t j = 0; j < n; j++)
            f->b[i] += f->inverse[i][j] * rhs[j];
    }
    return true;
}

/* The error at a run if it had been left out: e / (1 - leverage). */
static double left_out_error(const struct cc_growth_search *s, const struct runs *r, const struct fit *f,
                             uint32_t run)
{
    double row[WIDTH], leverage = 0, y = r->y[run];
    row_of(s, f, run, row);
    for (size_t i = 0; i <= f->n; i++)
        for (size_t j = 0; j <= f->n; j++)
            leverage += row[i] * f->inverse[i][j] * row[j];
    leverage *= weight(r, y);
    double left = 1 - leverage;
    return (y - predicted(f, row)) / (left > 1e-9 ? left : 1e-9);
}

static void judge(const struct cc_growth_search *s, const struct runs *r, struct fit *f, bool leave_out)
{
    double row[WIDTH];
    f->squares = f->left_out = 0;
    for (size_t k = 0; k < r->n; k++) {
        double y = r->y[r->v[k]], w = weight(r, y);
        row_of(s, f, r->v[k], row);
        double e = y - predicted(f, row), l = leave_out ? left_out_error(s, r, f, r->v[k]) : e;
        f->squares += w * e * e;
        f->left_out += w * l * l;
    }
    f->squares /= (double)r->n;
    f->left_out /= (double)r->n;
}

static bool try(const struct cc_growth_search *s, const struct runs *r, struct fit *f, bool leave_out)
{
    if (r->n < f->n + 2 || !solve(s, r, f))
        return false;
    judge(s, r, f, leave_out);
    return isfinite(f->left_out);
}

/* --- which terms --- */

/* What is fastest must grow: a law that falls below nothing is none. */
static bool grows(const struct cc_growth_search *s, const struct fit *f)
{
    double most = 0, sign = 1;
    for (size_t i = 0; i < f->n; i++)
        if (s->terms.v[f->terms[i]].largest >= most) {
            most = s->terms.v[f->terms[i]].largest;
            sign = f->b[i + 1];
        }
    return sign >= 0;
}

/* Of those that the runs hardly tell from the best (Akaike's information differs by less than 2) the one that
 * grows most slowly: it errs least beyond them. */
static const struct fit *slowest(const struct cc_growth_search *s, const struct fit *v, size_t n,
                                 const struct fit *best, size_t runs)
{
    const double least = best->left_out + EXACT * EXACT;
    for (size_t i = 0; i < n; i++) {
        bool alike =
            isfinite(v[i].left_out) && (double)runs * log((v[i].left_out + EXACT * EXACT) / least) < 2;
        const struct cc_term *mine = &s->terms.v[best->terms[best->n - 1]].term,
                             *other = &s->terms.v[v[i].terms[v[i].n - 1]].term;
        if (alike && cc_term_order(other) < cc_term_order(mine))
            best = &v[i];
    }
    return best;
}

/* The best fit with one more term than `base`, none of a higher order than `order`; weights of rivals go into
 * *rivals. */
static bool best_with_one_more(const struct cc_growth_search *s, const struct runs *all,
                               const struct runs *some, const struct fit *base, double order, struct fit *ret,
                               double *ret_rivals)
{
    struct fit kept[KEPT];
    size_t n = 0;
    for (size_t t = 0; t < s->terms.n; t++) {
        struct fit f = *base;
        f.terms[f.n++] = t;
        bool again = false;
        for (size_t i = 0; i < base->n; i++)
            again |= base->terms[i] == t;
        if (again || cc_term_order(&s->terms.v[t].term) > order || !try(s, some, &f, false) || !grows(s, &f))
            continue;
        size_t at = n < KEPT ? n++ : KEPT;
        /* equally good ones stay in order: the simple one first */
        for (; at > 0 && f.squares < kept[at - 1].squares * (1 - 1e-6) - EXACT * EXACT; at--)
            if (at < KEPT)
                kept[at] = kept[at - 1];
        if (at < KEPT)
            kept[at] = f;
    }
    const struct fit *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (try(s, all, &kept[i], true) &&
            (!best || kept[i].left_out < best->left_out * (1 - 1e-6) - EXACT * EXACT))
            best = &kept[i];
    if (!best)
        return false;
    best = slowest(s, kept, n, best, all->n);
    *ret = *best;
    *ret_rivals = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(kept[i].left_out))
            *ret_rivals += pow((best->left_out + EXACT * EXACT) / (kept[i].left_out + EXACT * EXACT),
                               (double)all->n / 2);
    return true;
}

static struct fit constant_fit(const struct cc_growth_search *s, const struct runs *r)
{
    struct fit f = {.n = 0};
    if (!try(s, r, &f, true)) { /* a run or none: its figure */
        f.b[0] = r->n ? r->y[r->v[0]] : NAN;
        f.left_out = f.squares = 0;
        f.inverse[0][0] = 0;
    }
    return f;
}

static double order_of(const struct cc_growth_search *s, const struct fit *f)
{
    double most = 0;
    for (size_t i = 0; i < f->n; i++)
        most = fmax(most, cc_term_order(&s->terms.v[f->terms[i]].term));
    return most;
}

static struct fit best_fit(const struct cc_growth_search *s, const struct runs *r, double *ret_confidence)
{
    uint32_t chosen[SCREENED];
    struct runs some = *r;
    if (r->n > SCREENED) { /* spread evenly: laws show over the whole range */
        for (size_t i = 0; i < SCREENED; i++)
            chosen[i] = r->v[i * r->n / SCREENED];
        some.v = chosen;
        some.n = SCREENED;
    }
    struct fit f = constant_fit(s, r), more;
    double rivals;
    *ret_confidence = 1;
    while (f.n < CC_LAW_TERMS && sqrt(f.left_out) > EXACT && r->n >= f.n + 4) {
        bool close = f.n && sqrt(f.left_out) < CLOSE;
        bool found =
            best_with_one_more(s, r, &some, &f, close ? order_of(s, &f) : INFINITY, &more, &rivals) &&
            more.left_out < BETTER * BETTER * f.left_out;
        if (!found && close)
            found = best_with_one_more(s, r, &some, &f, INFINITY, &more, &rivals) &&
                    more.left_out < MUCH_BETTER * MUCH_BETTER * f.left_out;
        if (!found)
            break;
        f = more;
        *ret_confidence = 1 / rivals;
    }
    return f;
}

/* --- pieces --- */

struct piece_fit {
    struct fit fit;
    CC_VEC(uint32_t) runs;
};

static void law_of(const struct cc_growth_search *s, const struct fit *f, struct cc_law *ret)
{
    double most = fabs(f->b[0]);
    for (size_t i = 0; i < f->n; i++)
        most = fmax(most, fabs(f->b[i + 1]));
    /* what is left of nothing after rounding is nothing */
    *ret = (struct cc_law){.constant = fabs(f->b[0]) > EXACT * most ? f->b[0] : 0, .n = f->n};
    for (size_t i = 0; i < f->n; i++) {
        const struct candidate *x = &s->terms.v[f->terms[i]];
        ret->coefficient[i] = f->b[i + 1] / x->largest;
        ret->term[i] = x->term;
    }
}

struct cut {
    size_t by;
    bool mode;
    double threshold;
    size_t npieces;
};

static size_t piece_of(const struct cc_growth_search *s, const struct cut *cut, uint32_t run)
{
    size_t at = run * s->c->nvariables + cut->by;
    return cut->npieces == 1 ? 0 : cut->mode ? s->c->category[at] : s->c->x[at] > cut->threshold;
}

/* Fits each piece by itself; the mean squared error of runs left out, infinite if a piece has too few. */
static double fit_pieces(const struct cc_growth_search *s, const struct runs *r, const struct cut *cut,
                         struct piece_fit *pieces, double *ret_confidence)
{
    double sum = 0;
    for (size_t p = 0; p < cut->npieces; p++)
        pieces[p].runs.n = 0;
    for (size_t k = 0; k < r->n; k++)
        CC_VEC_PUSH(&pieces[piece_of(s, cut, r->v[k])].runs, r->v[k]);
    *ret_confidence = 1;
    for (size_t p = 0; p < cut->npieces; p++) {
        if (pieces[p].runs.n < LEAST && cut->npieces > 1)
            return INFINITY;
        struct runs part = {r->y, pieces[p].runs.v, pieces[p].runs.n, r->scale};
        double confidence;
        pieces[p].fit = best_fit(s, &part, &confidence);
        *ret_confidence *= confidence;
        sum += pieces[p].fit.left_out * (double)part.n;
    }
    return sum / (double)CC_MAX(r->n, (size_t)1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Midpoints between neighbouring values, at most THRESHOLDS of them. */
static size_t thresholds_of(const struct cc_growth_search *s, const struct runs *r, size_t v, double *ret)
{
    CC_CLEANUP(cc_free_ptr) double *x = cc_alloc_array(r->n + 1, sizeof *x);
    size_t n = 0, found = 0;
    for (size_t k = 0; k < r->n; k++)
        x[k] = s->c->x[r->v[k] * s->c->nvariables + v];
    qsort(x, r->n, sizeof *x, by_value);
    for (size_t k = 0; k < r->n; k++)
        if (k == 0 || x[k] != x[n - 1])
            x[n++] = x[k];
    size_t gaps = n > 0 ? n - 1 : 0, step = gaps / THRESHOLDS + 1;
    for (size_t k = 0; k < gaps && found < THRESHOLDS; k += step)
        ret[found++] = (x[k] + x[k + 1]) / 2;
    return found;
}

static void try_cut(const struct cc_growth_search *s, const struct runs *r, struct cut cut,
                    struct piece_fit *scratch, double *least, struct cut *best)
{
    double confidence, error = fit_pieces(s, r, &cut, scratch, &confidence);
    if (error < *least * (1 - 1e-6)) { /* modes are tried before sizes */
        *least = error;
        *best = cut;
    }
}

static struct cut best_cut(const struct cc_growth_search *s, const struct runs *r, double whole)
{
    const struct cc_controls *c = s->c;
    struct piece_fit scratch[CC_LAW_PIECES] = {0};
    struct cut best = {.npieces = 1};
    double least = whole * CUT * CUT;
    for (size_t v = 0; v < c->nvariables; v++) {
        if (c->modes[v])
            try_cut(s, r, (struct cut){.by = v, .mode = true, .npieces = c->ncategories[v]}, scratch, &least,
                    &best);
        double at[THRESHOLDS];
        size_t n = c->numeric[v] ? thresholds_of(s, r, v, at) : 0;
        for (size_t i = 0; i < n; i++)
            try_cut(s, r, (struct cut){.by = v, .threshold = at[i], .npieces = 2}, scratch, &least, &best);
    }
    for (size_t p = 0; p < CC_LAW_PIECES; p++)
        CC_VEC_FINI(&scratch[p].runs);
    return best;
}

/* --- errors and envelope, from runs left out --- */

static double quantile(const double *sorted, size_t n, double q, double *ret_level)
{
    size_t rank =
        (size_t)ceil((double)(n + 1) * q - 1e-9); /* conformal: the rank among n and the one to come */
    rank = CC_MIN(CC_MAX(rank, (size_t)1), n);
    *ret_level = CC_MIN((double)rank / (double)(n + 1), 1.0);
    return sorted[rank - 1];
}

/* Errors at runs left out are too small by what choosing terms on the same runs has gained: a coefficient and
 * a choice count as a parameter each, and errors grow as those of predictions do (Akaike's final prediction
 * error). */
static double chosen(const struct piece_fit *pieces, size_t npieces, size_t runs)
{
    double parameters = npieces > 1 ? 1 : 0, n = (double)runs;
    for (size_t p = 0; p < npieces; p++)
        parameters += 1 + 2 * (double)pieces[p].fit.n;
    return parameters < n ? sqrt((n + parameters) / fmax(n - parameters, 1)) : 3;
}

static void measure(const struct cc_growth_search *s, const struct runs *r, const struct piece_fit *pieces,
                    size_t npieces, double coverage, struct cc_growth *g)
{
    CC_CLEANUP(cc_free_ptr)
    double *error = cc_alloc_array(r->n + 1, sizeof *error), *over = cc_alloc_array(r->n + 1, sizeof *over);
    double mean = 0, squares = 0, deviations = 0, level;
    size_t n = 0;
    for (size_t k = 0; k < r->n; k++)
        mean += r->y[r->v[k]] / (double)r->n;
    for (size_t p = 0; p < npieces; p++)
        for (size_t k = 0; k < pieces[p].runs.n; k++) {
            struct runs part = {r->y, pieces[p].runs.v, pieces[p].runs.n, r->scale};
            double y = r->y[pieces[p].runs.v[k]],
                   e = left_out_error(s, &part, &pieces[p].fit, pieces[p].runs.v[k]);
            squares += e * e;
            deviations += (y - mean) * (y - mean);
            error[n] = fabs(e) / fmax(fabs(y), r->scale);
            over[n] = e / fmax(y - e, r->scale);
            n++;
        }
    qsort(error, n, sizeof *error, by_value);
    qsort(over, n, sizeof *over, by_value);
    g->error = n ? n % 2 ? error[n / 2] : (error[n / 2 - 1] + error[n / 2]) / 2 : NAN;
    g->worst = n ? error[n - 1] : NAN;
    g->explained = deviations > 0 ? 1 - squares / deviations : NAN;
    g->above = n ? fmax(0, quantile(over, n, coverage, &level)) * chosen(pieces, npieces, n) + EXACT : NAN;
    g->coverage = n ? level : 0;
    g->scale = r->scale;
}

void cc_growth_fit(const struct cc_growth_search *s, const double *y, const uint32_t *list, size_t n,
                   double coverage, bool pieces, struct cc_growth *ret)
{
    struct runs r = {y, list, n, 0};
    for (size_t k = 0; k < n; k++)
        r.scale = fmax(r.scale, fabs(y[list[k]]));
    r.scale = fmax(r.scale * 1e-3, 1); /* small figures beside large ones need not be exact */
    struct piece_fit parts[CC_LAW_PIECES] = {0};
    struct cut cut = {.npieces = 1};
    *ret = (struct cc_growth){0};
    double error = fit_pieces(s, &r, &cut, parts, &ret->confidence);
    if (pieces && sqrt(error) > WELL) {
        cut = best_cut(s, &r, error);
        if (cut.npieces > 1)
            fit_pieces(s, &r, &cut, parts, &ret->confidence);
    }
    ret->npieces = cut.npieces;
    ret->by = cut.by;
    ret->mode = cut.mode;
    ret->threshold = cut.threshold;
    for (size_t p = 0; p < cut.npieces; p++)
        law_of(s, &parts[p].fit, &ret->piece[p]);
    measure(s, &r, parts, cut.npieces, coverage, ret);
    for (size_t p = 0; p < CC_LAW_PIECES; p++)
        CC_VEC_FINI(&parts[p].runs);
}

void cc_growth_foresee(const struct cc_growth_search *s, const double *y, const double *low,
                       const double *high, const double *x, const uint32_t *category, struct cc_foreseen *ret)
{
    const double coverage = 0.9; /* as predictions have it; few runs promise less */
    size_t n = s->c->nruns;
    CC_CLEANUP(cc_free_ptr) uint32_t *runs = cc_alloc_array(n, sizeof *runs);
    for (size_t i = 0; i < n; i++)
        runs[i] = (uint32_t)i;
    struct cc_growth below, above;
    cc_growth_fit(s, y, runs, n, coverage, true, &ret->growth);
    cc_growth_fit(s, low, runs, n, coverage, true, &below);
    cc_growth_fit(s, high, runs, n, coverage, true, &above);
    ret->value = cc_growth_at(&ret->growth, x, category);
    ret->low = fmin(ret->value, fmax(0, cc_growth_at(&below, x, category) * (1 - below.worst)));
    ret->high = fmax(ret->value, cc_growth_bound(&above, cc_growth_at(&above, x, category)));
    if (isnan(ret->value))
        ret->low = ret->high = NAN;
}
