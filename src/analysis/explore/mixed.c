#include "mixed.h"

#include <math.h>

enum { USUAL_TRIES = 4096 };

struct point {
    uint64_t set;
    double time; /* of the cut alone */
};

struct search {
    const struct cc_mixed_problem *p;
    struct cc_mixed_answer *ret;
    struct cc_choose_item *items; /* those that may stay, the others gain nothing */
    bool *taken;
    double most_gain; /* of any choice of loops */
    double bound;
};

static unsigned effort_of(const struct cc_mixed_problem *p, uint64_t set)
{
    unsigned lines = 0;
    for (size_t k = 0; k < p->cut->nkernels && !p->any_effort; k++)
        lines += set >> k & 1 ? p->effort[k] : 0;
    return lines;
}

static bool is_open(const struct cc_mixed_problem *p, uint64_t set)
{
    return !(set & ~p->able) && (size_t)__builtin_popcountll(set) <= p->most &&
           effort_of(p, set) <= p->loops.lines && cc_cut_fits(p->cut, set);
}

static int by_time(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    int n = __builtin_popcountll(x->set), m = __builtin_popcountll(y->set);
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (n != m)
        return n < m ? -1 : 1;
    return x->set < y->set ? -1 : x->set > y->set;
}

/* Sets that are allowed, the quickest first. */
static struct point *list_sets(const struct cc_mixed_problem *p, size_t *ret_n)
{
    CC_VEC(struct point) v = {0};
    for (uint64_t set = 0; set < UINT64_C(1) << p->cut->nkernels; set++)
        if (is_open(p, set))
            CC_VEC_PUSH(&v, (struct point){set, cc_cut_time(p->cut, set)});
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_time);
    *ret_n = v.n;
    return v.v;
}

/* The loops that stay beside a set. */
static struct cc_choose_answer choose_beside(struct search *s, uint64_t set)
{
    struct cc_choose_problem loops = s->p->loops;
    for (size_t i = 0; i < loops.n; i++) {
        s->items[i] = loops.items[i];
        if (s->p->apart[i] & set)
            s->items[i].gain = 0;
    }
    loops.items = s->items;
    loops.lines -= effort_of(s->p, set);
    struct cc_choose_answer a = {.taken = s->taken};
    memset(s->taken, 0, loops.n * sizeof *s->taken);
    if (loops.n && loops.lines)
        cc_choose(&loops, &a);
    return a;
}

static bool is_better(const struct search *s, double time, uint64_t set)
{
    const struct cc_mixed_answer *r = s->ret;
    return time < r->time || (time == r->time && __builtin_popcountll(set) < __builtin_popcountll(r->set));
}

static void try_set(struct search *s, const struct point *at)
{
    struct cc_choose_answer a = choose_beside(s, at->set);
    s->bound = fmin(s->bound, at->time - a.bound);
    if (!is_better(s, at->time - a.gain, at->set))
        return;
    s->ret->set = at->set;
    s->ret->time = at->time - a.gain;
    memcpy(s->ret->taken, s->taken, s->p->loops.n * sizeof *s->taken);
}

void cc_mixed(const struct cc_mixed_problem *p, struct cc_mixed_answer *ret)
{
    size_t n, tries = p->most_tries ? p->most_tries : USUAL_TRIES;
    struct point *sets = list_sets(p, &n);
    struct search s = {.p = p, .ret = ret, .bound = INFINITY};
    s.items = cc_alloc_array(p->loops.n + 1, sizeof *s.items);
    s.taken = cc_alloc_array(p->loops.n + 1, sizeof *s.taken);
    ret->time = INFINITY;
    s.most_gain = choose_beside(&s, 0).bound;
    try_set(&s, &(struct point){0, cc_cut_time(p->cut, 0)});
    for (size_t i = 0; i < n; i++) {
        double least = sets[i].time - s.most_gain;
        if (least > ret->time) /* nor can any behind it be better */
            break;
        if (tries-- == 0) {
            s.bound = fmin(s.bound, least);
            break;
        }
        try_set(&s, &sets[i]);
    }
    ret->bound = s.bound;
    ret->proven = ret->time <= s.bound + 1e-9 * fabs(s.bound);
    free(sets);
    free(s.items);
    free(s.taken);
}
