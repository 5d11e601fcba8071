#include "forest.h"
#include "../../base/rng.h"

#include <math.h>

struct grow {
    const struct cc_area_forest_data *d;
    const struct cc_area_forest_options *options;
    struct cc_rng rng;
    CC_VEC(struct cc_area_node) nodes;
    uint32_t *features; /* those that may split, in an order that splits shuffle */
    size_t nfeatures;
};

struct split {
    int32_t feature;
    double threshold, gain;
};

/* A split to be made: the rows of a node whose parent waits for its number. */
struct task {
    uint32_t first, count;
    uint32_t parent; /* UINT32_MAX: none, or it is the left child */
};

double cc_area_round5(double v)
{
    char text[40];
    snprintf(text, sizeof text, "%.5g", v);
    return strtod(text, NULL);
}

static double value(const struct grow *g, uint32_t row, uint32_t feature)
{
    return g->d->x[feature * g->d->n + row];
}

/* The sum of squares a split takes away, or less than 0 if it is none. */
static double gain_of(const struct grow *g, const uint32_t *rows, size_t n, uint32_t feature, double at,
                      double sum)
{
    double left = 0;
    size_t nleft = 0;
    for (size_t i = 0; i < n; i++) {
        bool below = value(g, rows[i], feature) <= at;
        left += below ? g->d->y[rows[i]] : 0;
        nleft += below;
    }
    size_t nright = n - nleft;
    if (nleft < g->options->least || nright < g->options->least)
        return -1;
    double right = sum - left, ml = left / (double)nleft, mr = right / (double)nright;
    if (g->d->rises[feature] && mr < ml)
        return -1;
    return left * ml + right * mr - sum * sum / (double)n;
}

/* Every metric gets one threshold, uniform between the least and the largest of its logarithms here. */
static struct split best_split(struct grow *g, const uint32_t *rows, size_t n)
{
    struct split best = {-1, 0, 0};
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += g->d->y[rows[i]];
    for (size_t j = 0; j < g->nfeatures; j++) {
        size_t other = j + cc_rng_below(&g->rng, g->nfeatures - j);
        uint32_t feature = g->features[other];
        g->features[other] = g->features[j];
        g->features[j] = feature;
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, value(g, rows[i], feature));
            high = fmax(high, value(g, rows[i], feature));
        }
        if (low >= high)
            continue;
        double u = cc_rng_unit(&g->rng), a = log1p(low), b = log1p(high);
        double at = expm1(a + u * (b - a)), gain = gain_of(g, rows, n, feature, at, sum);
        if (gain > best.gain)
            best = (struct split){(int32_t)feature, at, gain};
    }
    if (best.feature < 0)
        return best;
    /* five digits are enough to tell counts apart, and make the file a third smaller */
    double rounded = cc_area_round5(best.threshold);
    if (gain_of(g, rows, n, (uint32_t)best.feature, rounded, sum) > 0)
        best.threshold = rounded;
    return best;
}

static bool all_alike(const struct grow *g, const uint32_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (g->d->y[rows[i]] != g->d->y[rows[0]])
            return false;
    return true;
}

static struct cc_area_node leaf(const struct grow *g, const uint32_t *rows, size_t n)
{
    double sum = 0, zeros = 0;
    for (size_t i = 0; i < n; i++) {
        sum += g->d->y[rows[i]];
        zeros += g->d->zero[rows[i]];
    }
    return (struct cc_area_node){-1, 0, cc_area_round5(sum / (double)n), cc_area_round5(zeros / (double)n)};
}

static size_t divide(const struct grow *g, uint32_t *rows, size_t n, const struct split *s)
{
    size_t i = 0, end = n;
    while (i < end) {
        if (value(g, rows[i], (uint32_t)s->feature) <= s->threshold) {
            i++;
            continue;
        }
        uint32_t row = rows[i];
        rows[i] = rows[--end];
        rows[end] = row;
    }
    return i;
}

/* Depth first with a stack of its own: a tree may be as deep as there are rows. */
static void grow_tree(struct grow *g, uint32_t *rows, size_t n)
{
    CC_VEC(struct task) stack = {0};
    CC_VEC_PUSH(&stack, (struct task){0, (uint32_t)n, UINT32_MAX});
    while (stack.n) {
        struct task t = stack.v[--stack.n];
        uint32_t *mine = rows + t.first, me = (uint32_t)g->nodes.n;
        if (t.parent != UINT32_MAX)
            g->nodes.v[t.parent].right = me;
        struct split s = {-1, 0, 0};
        if (t.count >= 2 * g->options->least && !all_alike(g, mine, t.count))
            s = best_split(g, mine, t.count);
        if (s.feature < 0) {
            CC_VEC_PUSH(&g->nodes, leaf(g, mine, t.count));
            continue;
        }
        uint32_t left = (uint32_t)divide(g, mine, t.count, &s);
        CC_VEC_PUSH(&g->nodes, (struct cc_area_node){s.feature, 0, s.threshold, 0});
        CC_VEC_PUSH(&stack, (struct task){t.first + left, t.count - left, me});
        CC_VEC_PUSH(&stack, (struct task){t.first, left, UINT32_MAX});
    }
    CC_VEC_FINI(&stack);
}

void cc_area_forest_grow(const struct cc_area_forest_data *d, const uint32_t *rows, size_t nrows,
                         const struct cc_area_forest_options *options, struct cc_arena *arena,
                         struct cc_area_forest *ret)
{
    struct grow g = {.d = d, .options = options, .features = cc_alloc_array(d->p + 1, sizeof *g.features)};
    uint32_t *mine = cc_alloc_array(nrows + 1, sizeof *mine);
    *ret = (struct cc_area_forest){.ntrees = options->trees};
    ret->roots = cc_arena_alloc(arena, (options->trees + 1) * sizeof *ret->roots);
    for (size_t t = 0; t < options->trees; t++) {
        g.rng.state = options->seed + t * 0x632be59bd9b4e019u;
        g.nfeatures = 0;
        for (size_t j = 0; j < d->p; j++)
            if (!d->offered || d->offered[j])
                g.features[g.nfeatures++] = (uint32_t)j;
        memcpy(mine, rows, nrows * sizeof *mine);
        ret->roots[t] = (uint32_t)g.nodes.n;
        grow_tree(&g, mine, nrows);
    }
    ret->nnodes = g.nodes.n;
    ret->nodes = cc_arena_alloc(arena, (g.nodes.n + 1) * sizeof *ret->nodes);
    memcpy(ret->nodes, g.nodes.v, g.nodes.n * sizeof *ret->nodes);
    CC_VEC_FINI(&g.nodes);
    free(g.features);
    free(mine);
}

struct cc_area_forest_mean cc_area_forest_at(const struct cc_area_forest *f, const double *x)
{
    double sum = 0, squares = 0, zeros = 0, n = (double)f->ntrees;
    for (size_t t = 0; t < f->ntrees; t++) {
        uint32_t at = f->roots[t];
        while (f->nodes[at].feature >= 0)
            at = x[f->nodes[at].feature] <= f->nodes[at].threshold ? at + 1 : f->nodes[at].right;
        sum += f->nodes[at].threshold;
        squares += f->nodes[at].threshold * f->nodes[at].threshold;
        zeros += f->nodes[at].zeros;
    }
    double mean = sum / n;
    return (struct cc_area_forest_mean){mean, sqrt(fmax(0, squares / n - mean * mean)), zeros / n};
}
