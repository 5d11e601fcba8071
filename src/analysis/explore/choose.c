/* Loops that run inside each other make a forest, where dynamic programming is exact: of each loop, with each
 * number of lines, take it or the best of what is inside. A function that is called from several loops makes
 * more of it than a forest. Then as many of the relations as fit one are kept, which can only gain more, and
 * if the answer takes two that exclude each other, one of them is forbidden and both ways are tried. */
#include "choose.h"

#include <math.h>

enum { LINES = CC_CHOOSE_MAX_LINES + 1 };
/* A branch costs items x lines x lines additions; so many are about a second. */
#define MAX_ADDITIONS 4e8

struct search {
    const struct cc_choose_problem *p;
    size_t *parent;                /* in the forest; n: none */
    size_t *order;                 /* children before their parents */
    double (*best)[LINES];         /* by item: of all that is inside it, within so many lines */
    unsigned char (*split)[LINES]; /* by item: lines it gets of those its parent's children so far share */
    double (*whole)[LINES];        /* the item itself or what is inside it */
    bool *forbidden, *taken;
    double branches, most;
    double cut; /* the largest bound of what was not looked at */
    struct cc_choose_answer *ret;
};

/* --- the forest --- */

static size_t count_above(const struct cc_choose_problem *p, size_t i)
{
    size_t n = 0;
    for (size_t w = 0; w < cc_choose_words(p->n); w++)
        n += (size_t)__builtin_popcountll(p->above[i * cc_choose_words(p->n) + w]);
    return n;
}

/* Whether all that is around `a` in the forest is around i as well. */
static bool chain_is_above(const struct search *s, size_t i, size_t a)
{
    for (; a != s->p->n; a = s->parent[a])
        if (a == i || !cc_choose_above(s->p, i, a))
            return false;
    return true;
}

static size_t depth_of(const struct search *s, size_t i)
{
    size_t depth = 0;
    for (; s->parent[i] != s->p->n; i = s->parent[i])
        depth++;
    return depth;
}

struct ranked {
    size_t item, rank;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->item < y->item ? -1 : 1;
}

/* Items with few around them first, so that parents are known when their children come; relations that go
 * round (recursion) are cut by that order. */
static void plant(struct search *s)
{
    size_t n = s->p->n;
    struct ranked *ranked = cc_alloc_array(n + 1, sizeof *ranked);
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){i, count_above(s->p, i)};
    qsort(ranked, n, sizeof *ranked, by_rank);
    for (size_t k = 0; k < n; k++) {
        size_t i = ranked[k].item, deepest = 0;
        s->parent[i] = n;
        for (size_t a = 0; a < k; a++) {
            size_t up = ranked[a].item;
            if (cc_choose_above(s->p, i, up) && chain_is_above(s, i, up) && depth_of(s, up) + 1 > deepest) {
                s->parent[i] = up;
                deepest = depth_of(s, up) + 1;
            }
        }
    }
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){i, n - depth_of(s, i)};
    qsort(ranked, n, sizeof *ranked, by_rank);
    for (size_t k = 0; k < n; k++)
        s->order[k] = ranked[k].item;
    free(ranked);
}

/* --- the program --- */

static void share(const double *of, double *sum, unsigned char *split, unsigned lines)
{
    for (unsigned all = lines + 1; all-- > 0;) {
        double best = -INFINITY;
        for (unsigned mine = 0; mine <= all; mine++)
            if (sum[all - mine] + of[mine] > best) {
                best = sum[all - mine] + of[mine];
                split[all] = (unsigned char)mine;
            }
        sum[all] = best;
    }
}

static bool takes(const struct search *s, size_t i, unsigned lines)
{
    const struct cc_choose_item *x = &s->p->items[i];
    return !s->forbidden[i] && x->gain > 0 && x->lines <= lines && x->gain > s->best[i][lines];
}

static double fill(struct search *s)
{
    size_t n = s->p->n;
    unsigned lines = s->p->lines;
    double top[LINES] = {0};
    memset(s->best, 0, n * sizeof *s->best);
    for (size_t k = 0; k < n; k++) {
        size_t i = s->order[k];
        for (unsigned l = 0; l <= lines; l++)
            s->whole[i][l] = takes(s, i, l) ? s->p->items[i].gain : s->best[i][l];
        share(s->whole[i], s->parent[i] == n ? top : s->best[s->parent[i]], s->split[i], lines);
    }
    return top[lines];
}

/* Backwards: the last child that was added knows its share of what was there then. */
static void trace(struct search *s)
{
    size_t n = s->p->n;
    unsigned *left = cc_alloc_array(n + 1, sizeof *left);
    left[n] = s->p->lines;
    for (size_t k = n; k-- > 0;) {
        size_t i = s->order[k], up = s->parent[i];
        unsigned mine = s->split[i][left[up]];
        left[up] -= mine;
        s->taken[i] = takes(s, i, mine);
        left[i] = s->taken[i] ? 0 : mine;
    }
    free(left);
}

/* A pair that was taken though one runs inside the other. */
static bool clash(const struct search *s, size_t *ret_a, size_t *ret_b)
{
    for (size_t i = 0; i < s->p->n; i++)
        for (size_t a = 0; s->taken[i] && a < s->p->n; a++)
            if (a != i && s->taken[a] && cc_choose_above(s->p, i, a)) {
                *ret_a = a;
                *ret_b = i;
                return true;
            }
    return false;
}

static void branch(struct search *s)
{
    double bound = fill(s);
    if (bound <= s->ret->gain)
        return;
    if (++s->branches > s->most) {
        s->cut = CC_MAX(s->cut, bound);
        return;
    }
    size_t pair[2];
    trace(s);
    if (!clash(s, &pair[0], &pair[1])) {
        s->ret->gain = bound;
        memcpy(s->ret->taken, s->taken, s->p->n * sizeof *s->taken);
        return;
    }
    for (int k = 0; k < 2; k++) {
        s->forbidden[pair[k]] = true;
        branch(s);
        s->forbidden[pair[k]] = false;
    }
}

/* Whatever happens there is an answer: the largest first, as long as they fit. */
static void greedy(const struct cc_choose_problem *p, struct cc_choose_answer *ret)
{
    unsigned left = p->lines;
    for (;;) {
        size_t best = p->n;
        for (size_t i = 0; i < p->n; i++) {
            bool fits = !ret->taken[i] && p->items[i].gain > 0 && p->items[i].lines <= left &&
                        (best == p->n || p->items[i].gain > p->items[best].gain);
            for (size_t k = 0; fits && k < p->n; k++)
                fits = !ret->taken[k] || (!cc_choose_above(p, i, k) && !cc_choose_above(p, k, i));
            if (fits)
                best = i;
        }
        if (best == p->n)
            return;
        ret->taken[best] = true;
        ret->gain += p->items[best].gain;
        left -= p->items[best].lines;
    }
}

void cc_choose(const struct cc_choose_problem *p, struct cc_choose_answer *ret)
{
    size_t n = p->n;
    struct search s = {.p = p,
                       .parent = cc_alloc_array(n + 1, sizeof *s.parent),
                       .order = cc_alloc_array(n + 1, sizeof *s.order),
                       .best = cc_alloc_array(n + 1, sizeof *s.best),
                       .split = cc_alloc_array(n + 1, sizeof *s.split),
                       .whole = cc_alloc_array(n + 1, sizeof *s.whole),
                       .forbidden = cc_alloc_array(n + 1, sizeof *s.forbidden),
                       .taken = cc_alloc_array(n + 1, sizeof *s.taken),
                       .ret = ret};
    memset(ret->taken, 0, n * sizeof *ret->taken);
    ret->gain = 0;
    s.most = CC_MAX(50.0, MAX_ADDITIONS / ((double)(n + 1) * (p->lines + 1) * (p->lines + 1)));
    greedy(p, ret);
    plant(&s);
    branch(&s);
    ret->bound = CC_MAX(s.cut, ret->gain);
    ret->proven = s.cut <= ret->gain;
    free(s.parent);
    free(s.order);
    free(s.best);
    free(s.split);
    free(s.whole);
    free(s.forbidden);
    free(s.taken);
}
