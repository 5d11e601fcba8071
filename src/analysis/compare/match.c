#include "match.h"
#include "../../base/map.h"
#include "../../base/text.h"

#include <math.h>

struct matching {
    const struct cc_subjects *a, *b;
    struct cc_match *m;
};

static void join(struct matching *x, enum cc_subject_kind kind, uint32_t a, uint32_t b, enum cc_match_how how)
{
    x->m->to[kind][a] = b;
    x->m->from[kind][b] = a;
    x->m->how[kind][a] = how;
}

/* --- by a key --- */

typedef char *key_of(struct matching *x, enum cc_subject_kind kind, const struct cc_subjects *side,
                     uint32_t i);

/* The key of a thing in terms of the other side's functions, so that keys of both are comparable; a's own are
 * translated. */
static uint32_t owner(struct matching *x, const struct cc_subjects *side, uint32_t function)
{
    return side == x->a && function != CC_NONE ? x->m->to[CC_OF_FUNCTION][function] : function;
}

static char *by_name(struct matching *x, enum cc_subject_kind kind, const struct cc_subjects *side,
                     uint32_t i)
{
    (void)x;
    return cc_strdup(side->of[kind].v[i].name);
}

/* Names get files or numbers behind them only where there are others alike: without. */
static char *by_bare_name(struct matching *x, enum cc_subject_kind kind, const struct cc_subjects *side,
                          uint32_t i)
{
    (void)x;
    const char *name = side->of[kind].v[i].name, *file = cc_text_base(side->of[kind].v[i].file);
    size_t n = strlen(name), tail = file ? strlen(file) + 3 : 0;
    if (tail && n > tail && name[n - 1] == ')' && memcmp(name + n - tail + 2, file, tail - 3) == 0)
        n -= tail;
    return cc_strndup(name, n);
}

/* A loop by its function and how far below the function's line it begins. */
static char *by_offset(struct matching *x, enum cc_subject_kind kind, const struct cc_subjects *side,
                       uint32_t i)
{
    const struct cc_subject *l = &side->of[kind].v[i];
    const struct cc_subject *f = l->ends[0] == CC_NONE ? NULL : &side->of[CC_OF_FUNCTION].v[l->ends[0]];
    uint32_t function = owner(x, side, l->ends[0]);
    if (!f || function == CC_NONE || !f->line || l->line < f->line)
        return NULL;
    return cc_asprintf("%u +%u %u", function, l->line - f->line, l->depth);
}

/* A thing of a function by its turn among those of the function (and depth) that have no match yet; only
 * where both sides have as many. */
static char *by_owner(struct matching *x, enum cc_subject_kind kind, const struct cc_subjects *side,
                      uint32_t i)
{
    const struct cc_subject *s = &side->of[kind].v[i];
    uint32_t function = owner(x, side, s->ends[0]);
    return s->ends[0] == CC_NONE || function == CC_NONE ? NULL : cc_asprintf("%u %u", function, s->depth);
}

/* Things whose key is the same and on both sides unique are one; with `turns`, also the n-th of a key with
 * the n-th, if both sides have as many. */
static void match_by(struct matching *x, enum cc_subject_kind kind, key_of *key, bool turns,
                     enum cc_match_how how)
{
    const struct cc_subjects *sides[2] = {x->a, x->b};
    uint32_t *const done[2] = {x->m->to[kind], x->m->from[kind]};
    struct cc_strmap count[2] = {{0}, {0}}, place = {0};
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < sides[s]->of[kind].n; i++) {
            CC_CLEANUP(cc_free_ptr) char *k = done[s][i] == CC_NONE ? key(x, kind, sides[s], i) : NULL;
            if (!k)
                continue;
            uint64_t nth = (*cc_strmap_put(&count[s], k, NULL))++;
            CC_CLEANUP(cc_free_ptr) char *at = cc_asprintf("%llu %s", (unsigned long long)nth, k);
            if (s == 1)
                *cc_strmap_put(&place, at, NULL) = i;
        }
    struct cc_strmap turn = {0};
    for (uint32_t i = 0; i < x->a->of[kind].n; i++) {
        CC_CLEANUP(cc_free_ptr) char *k = done[0][i] == CC_NONE ? key(x, kind, x->a, i) : NULL;
        const uint64_t *mine = k ? cc_strmap_get(&count[0], k) : NULL,
                       *theirs = k ? cc_strmap_get(&count[1], k) : NULL;
        if (!mine || !theirs || *mine != *theirs || (*mine > 1 && !turns))
            continue;
        uint64_t nth = (*cc_strmap_put(&turn, k, NULL))++;
        CC_CLEANUP(cc_free_ptr) char *at = cc_asprintf("%llu %s", (unsigned long long)nth, k);
        join(x, kind, i, (uint32_t)*cc_strmap_get(&place, at), how);
    }
    for (int s = 0; s < 2; s++)
        cc_strmap_fini(&count[s]);
    cc_strmap_fini(&place);
    cc_strmap_fini(&turn);
}

/* --- functions that were renamed --- */

/* Who calls a function and whom it calls, as the other side's functions: 2 f for callers, 2 f + 1 for
 * callees. */
struct neighbours {
    CC_VEC(uint32_t) v;
};

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static struct neighbours *neighbours_of(struct matching *x, const struct cc_subjects *side)
{
    struct neighbours *n = cc_alloc_array(side->of[CC_OF_FUNCTION].n + 1, sizeof *n);
    for (size_t i = 0; i < side->calls.n; i++) {
        struct cc_subject_call c = side->calls.v[i];
        uint32_t from = owner(x, side, c.from), to = owner(x, side, c.to);
        /* only what has a match says anything */
        if (from != CC_NONE && x->m->from[CC_OF_FUNCTION][from] != CC_NONE)
            CC_VEC_PUSH(&n[c.to].v, 2 * from);
        if (to != CC_NONE && x->m->from[CC_OF_FUNCTION][to] != CC_NONE)
            CC_VEC_PUSH(&n[c.from].v, 2 * to + 1);
    }
    for (size_t i = 0; i < side->of[CC_OF_FUNCTION].n; i++)
        if (n[i].v.n)
            qsort(n[i].v.v, n[i].v.n, sizeof *n[i].v.v, by_id);
    return n;
}

static void neighbours_free(struct neighbours *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        CC_VEC_FINI(&n[i].v);
    free(n);
}

/* Of all neighbours of either, those of both. */
static double shared(const struct neighbours *a, const struct neighbours *b)
{
    size_t i = 0, j = 0, both = 0;
    while (i < a->v.n && j < b->v.n) {
        uint32_t p = a->v.v[i], q = b->v.v[j];
        both += p == q;
        i += p <= q;
        j += q <= p;
    }
    size_t all = a->v.n + b->v.n - both;
    return all ? (double)both / (double)all : 0;
}

static double alike(double a, double b)
{
    double most = fmax(a, b);
    return isnan(a) || isnan(b) ? 0 : most > 0 ? fmin(a, b) / most : 1;
}

/* 0 to 1. Without a neighbour in common nothing else counts. */
static double likeness(const struct cc_subject *a, const struct cc_subject *b, const struct neighbours *na,
                       const struct neighbours *nb)
{
    double s = shared(na, nb);
    if (s <= 0)
        return 0;
    bool file = a->file && b->file && strcmp(cc_text_base(a->file), cc_text_base(b->file)) == 0;
    return 0.5 * s + 0.2 * file + 0.15 * alike(a->value[CC_FUNCTION_CALLS], b->value[CC_FUNCTION_CALLS]) +
           0.15 * alike(a->value[CC_FUNCTION_INSTRUCTIONS], b->value[CC_FUNCTION_INSTRUCTIONS]);
}

/* The best and how far behind the next is. */
struct best {
    uint32_t at;
    double score, second;
};

static void better(struct best *x, uint32_t at, double score)
{
    if (score > x->score) {
        x->second = x->score;
        x->score = score;
        x->at = at;
    } else if (score > x->second) {
        x->second = score;
    }
}

/* Those without a match, most instructions first: with too many the light ones are left. */
static size_t open_functions(const struct cc_subjects *side, const uint32_t *done, uint32_t *list)
{
    enum { MOST = 3000 };
    size_t n = 0;
    double least = 0;
    for (;;) {
        n = 0;
        for (uint32_t i = 0; i < side->of[CC_OF_FUNCTION].n; i++)
            if (done[i] == CC_NONE && side->of[CC_OF_FUNCTION].v[i].value[0] >= least)
                list[n++] = i;
        if (n <= MOST)
            return n;
        least = fmax(1, least * 4);
    }
}

/* Two functions are one under a new name if each is by far the other's likeliest. */
static size_t match_renamed(struct matching *x)
{
    const double ENOUGH = 0.55, AHEAD = 0.1;
    const size_t na = x->a->of[CC_OF_FUNCTION].n, nb = x->b->of[CC_OF_FUNCTION].n;
    CC_CLEANUP(cc_free_ptr)
    uint32_t *la = cc_alloc_array(na + 1, sizeof *la), *lb = cc_alloc_array(nb + 1, sizeof *lb);
    size_t ka = open_functions(x->a, x->m->to[CC_OF_FUNCTION], la),
           kb = open_functions(x->b, x->m->from[CC_OF_FUNCTION], lb);
    CC_CLEANUP(cc_free_ptr)
    struct best *of_a = cc_alloc_array(ka + 1, sizeof *of_a), *of_b = cc_alloc_array(kb + 1, sizeof *of_b);
    struct neighbours *ga = neighbours_of(x, x->a), *gb = neighbours_of(x, x->b);
    for (uint32_t i = 0; i < ka; i++)
        for (uint32_t j = 0; j < kb; j++) {
            double s = likeness(&x->a->of[CC_OF_FUNCTION].v[la[i]], &x->b->of[CC_OF_FUNCTION].v[lb[j]],
                                &ga[la[i]], &gb[lb[j]]);
            better(&of_a[i], j, s);
            better(&of_b[j], i, s);
        }
    size_t found = 0;
    for (uint32_t i = 0; i < ka; i++) {
        const struct best *p = &of_a[i], *q = &of_b[p->at];
        if (p->score < ENOUGH || q->at != i || p->score < p->second + AHEAD || q->score < q->second + AHEAD)
            continue;
        join(x, CC_OF_FUNCTION, la[i], lb[p->at], CC_MATCH_RENAMED);
        found++;
    }
    neighbours_free(ga, na);
    neighbours_free(gb, nb);
    return found;
}

/* --- streams follow their ends --- */

static void match_streams(struct matching *x, enum cc_subject_kind kind, enum cc_subject_kind ends)
{
    const uint32_t na = (uint32_t)x->a->of[ends].n, nb = (uint32_t)x->b->of[ends].n;
    struct cc_map places = {0};
    for (uint32_t i = 0; i < x->b->of[kind].n; i++) {
        const uint32_t *e = x->b->of[kind].v[i].ends;
        *cc_map_put(&places, (uint64_t)e[0] << 32 | e[1], NULL) = i;
    }
    for (uint32_t i = 0; i < x->a->of[kind].n; i++) {
        uint32_t e[2], how = CC_MATCH_NAME;
        for (int k = 0; k < 2; k++) {
            uint32_t end = x->a->of[kind].v[i].ends[k];
            e[k] = end < na ? x->m->to[ends][end] : end - na + nb;
            if (end < na && x->m->how[ends][end] > how)
                how = x->m->how[ends][end];
        }
        const uint64_t *at =
            e[0] == CC_NONE || e[1] == CC_NONE ? NULL : cc_map_get(&places, (uint64_t)e[0] << 32 | e[1]);
        if (at)
            join(x, kind, i, (uint32_t)*at, (enum cc_match_how)how);
    }
    cc_map_fini(&places);
}

void cc_match_build(const struct cc_subjects *a, const struct cc_subjects *b, struct cc_match *ret)
{
    struct matching x = {a, b, ret};
    for (int k = 0; k < CC_OFS; k++) {
        ret->to[k] = cc_alloc_array(a->of[k].n + 1, sizeof *ret->to[k]);
        ret->from[k] = cc_alloc_array(b->of[k].n + 1, sizeof *ret->from[k]);
        ret->how[k] = cc_alloc_array(a->of[k].n + 1, sizeof *ret->how[k]);
        memset(ret->to[k], 0xff, (a->of[k].n + 1) * sizeof *ret->to[k]);
        memset(ret->from[k], 0xff, (b->of[k].n + 1) * sizeof *ret->from[k]);
        if (k != CC_OF_STREAM && k != CC_OF_FLOW && k != CC_OF_LOOP)
            match_by(&x, (enum cc_subject_kind)k, by_name, false, CC_MATCH_NAME);
    }
    match_by(&x, CC_OF_FUNCTION, by_bare_name, false, CC_MATCH_MOVED);
    for (int round = 0; round < 8 && match_renamed(&x); round++) {
    }
    match_by(&x, CC_OF_LOOP, by_offset, true, CC_MATCH_NAME);
    match_by(&x, CC_OF_LOOP, by_owner, true, CC_MATCH_MOVED);
    match_by(&x, CC_OF_LOOP, by_name, false, CC_MATCH_NAME);
    match_by(&x, CC_OF_OBJECT, by_owner, true, CC_MATCH_MOVED);
    match_streams(&x, CC_OF_STREAM, CC_OF_FUNCTION);
    match_streams(&x, CC_OF_FLOW, CC_OF_REGION);
}

void cc_match_fini(struct cc_match *m)
{
    for (int k = 0; k < CC_OFS; k++) {
        free(m->to[k]);
        free(m->from[k]);
        free(m->how[k]);
    }
    *m = (struct cc_match){0};
}
