#include "locality.h"

enum { USUAL = 512 }; /* lines of the cache that functions are ordered by: 32 KiB */

/* The class whose cache has this many lines; one of the bounds. */
static uint32_t class_of_lines(uint64_t lines)
{
    uint32_t j = 0;
    while (j + 1 < CC_REUSE_CLASSES && cc_reuse_bound(j) < lines)
        j++;
    return j;
}

static uint64_t usual_misses(const struct cc_locality_curve *c)
{
    return c->misses[class_of_lines(USUAL)];
}

static int by_misses(const void *a, const void *b)
{
    const struct cc_locality_curve *x = a, *y = b;
    uint64_t u = usual_misses(x), v = usual_misses(y);
    if (u != v)
        return u > v ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* Counts of distances become misses: what is at class j or nearer hits in the cache of class j. */
static void add_reuse(struct cc_locality_curve *c, const struct cc_rec_reuse *r)
{
    for (uint32_t j = 0; j < CC_REUSE_CLASSES && j < r->distance; j++)
        c->misses[j] += CC_MIN(r->count, UINT64_MAX - c->misses[j]);
}

static void fill(const struct cc_profile *p, struct cc_locality_curve *of, struct cc_locality_curves *c)
{
    for (size_t i = 0; i < p->nlocality; i++) {
        const struct cc_rec_locality *l = &p->locality[i];
        of[l->function].lines += CC_MIN(l->lines, UINT64_MAX - of[l->function].lines);
        of[l->function].touches += CC_MIN(l->touches, UINT64_MAX - of[l->function].touches);
        c->total.touches += CC_MIN(l->touches, UINT64_MAX - c->total.touches);
        c->sampled = CC_MAX(c->sampled, 1u << CC_MIN(l->shift, 20u));
    }
    for (size_t i = 0; i < p->nreuse; i++) {
        add_reuse(&of[p->reuse[i].function], &p->reuse[i]);
        add_reuse(&c->total, &p->reuse[i]);
    }
}

/* Sizes from 1 KiB up to the first that leaves first touches only. */
static void choose_sizes(struct cc_locality_curves *c)
{
    uint32_t last = CC_REUSE_CLASSES - 1;
    while (last > class_of_lines(USUAL) && c->total.misses[last - 1] == c->total.misses[CC_REUSE_CLASSES - 1])
        last--;
    c->nsizes = last + 1;
    for (uint32_t j = 0; j <= last; j++)
        c->sizes[j] = cc_reuse_bound(j) * CC_LOCALITY_LINE;
}

static void select_rows(const struct cc_filter *filter, const bool *match, size_t n,
                        const struct cc_locality_curve *of, struct cc_locality_curves *c)
{
    double least = filter->min_share * (double)usual_misses(&c->total);
    for (size_t f = 0; f < n; f++) {
        if (!of[f].touches)
            continue;
        if (filter->focus ? match[f] : (double)usual_misses(&of[f]) >= least)
            c->rows[c->n++] = of[f];
        else
            c->hidden++;
    }
    qsort(c->rows, c->n, sizeof *c->rows, by_misses);
    if (filter->top && c->n > filter->top) {
        c->hidden += c->n - filter->top;
        c->n = filter->top;
    }
}

int cc_locality_curves(const struct cc_profile *p, const struct cc_filter *filter,
                       struct cc_locality_curves **ret, struct cc_err *err)
{
    if (!p->nlocality)
        return cc_err_set(err, CC_EINPUT, "locality was not recorded (corecast record --locality)");
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    int rc = filter->focus ? cc_names_focus_functions(filter->focus, p, match, err) : 0;
    if (rc < 0)
        return rc;
    struct cc_locality_curves *c = cc_alloc(sizeof *c);
    CC_CLEANUP(cc_free_ptr) struct cc_locality_curve *of = cc_alloc_array(p->nfunctions + 1, sizeof *of);
    c->rows = cc_alloc_array(p->nfunctions + 1, sizeof *c->rows);
    c->sampled = 1;
    for (size_t f = 0; f < p->nfunctions; f++)
        of[f].function = (uint32_t)f;
    fill(p, of, c);
    choose_sizes(c);
    select_rows(filter, match, p->nfunctions, of, c);
    *ret = c;
    return 0;
}

void cc_locality_curves_free(struct cc_locality_curves *c)
{
    if (!c)
        return;
    free(c->rows);
    free(c);
}
