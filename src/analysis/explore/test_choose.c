#include "../../../tests/tap.h"
#include "choose.h"
#include "../../base/rng.h"

enum { MOST = 10 };

struct trial {
    struct cc_choose_item items[MOST];
    uint64_t above[MOST];
    struct cc_choose_problem p;
};

static void set_above(struct trial *t, size_t i, size_t a)
{
    t->above[i] |= UINT64_C(1) << a;
}

/* A forest: each runs inside one of those before it, and in all that is around that one. */
static void make_forest(struct trial *t, struct cc_rng *r)
{
    for (size_t i = 1; i < t->p.n; i++)
        if (cc_rng_below(r, 4)) {
            size_t up = cc_rng_below(r, i);
            t->above[i] = t->above[up];
            set_above(t, i, up);
        }
}

/* What functions called from everywhere, and recursion, make. */
static void make_tangle(struct trial *t, struct cc_rng *r)
{
    for (size_t i = 0; i < t->p.n; i++)
        for (size_t a = 0; a < t->p.n; a++)
            if (a != i && cc_rng_below(r, 4) == 0)
                set_above(t, i, a);
}

static void make(struct trial *t, struct cc_rng *r, bool forest)
{
    *t = (struct trial){.p = {.items = t->items,
                              .n = 1 + cc_rng_below(r, MOST),
                              .above = t->above,
                              .lines = 1 + (unsigned)cc_rng_below(r, 8)}};
    for (size_t i = 0; i < t->p.n; i++)
        t->items[i] =
            (struct cc_choose_item){(double)cc_rng_below(r, 100) - 10, 1 + (unsigned)cc_rng_below(r, 3)};
    if (forest)
        make_forest(t, r);
    else
        make_tangle(t, r);
}

/* The gain of a set; negative: it may not be taken. */
static double gain_of(const struct cc_choose_problem *p, uint64_t set)
{
    double gain = 0;
    unsigned lines = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!(set >> i & 1))
            continue;
        if (p->above[i] & set)
            return -1;
        gain += p->items[i].gain;
        lines += p->items[i].lines;
    }
    return lines <= p->lines ? gain : -1;
}

static double brute_force(const struct cc_choose_problem *p)
{
    double best = 0;
    for (uint64_t set = 0; set < UINT64_C(1) << p->n; set++) {
        double gain = gain_of(p, set);
        best = gain > best ? gain : best;
    }
    return best;
}

static void test_against_brute_force(bool forest, const char *what)
{
    struct cc_rng r = {forest ? 7 : 8};
    int wrong = 0, illegal = 0, unproven = 0;
    for (int k = 0; k < 3000; k++) {
        struct trial t;
        make(&t, &r, forest);
        bool taken[MOST];
        struct cc_choose_answer a = {.taken = taken};
        cc_choose(&t.p, &a);
        uint64_t set = 0;
        for (size_t i = 0; i < t.p.n; i++)
            set |= (uint64_t)taken[i] << i;
        wrong += fabs(a.gain - brute_force(&t.p)) > 1e-9;
        illegal += fabs(gain_of(&t.p, set) - a.gain) > 1e-9;
        unproven += !a.proven || a.bound < a.gain;
    }
    OK_U64(wrong, 0, "%s: never another gain than trying all sets", what);
    OK_U64(illegal, 0, "%s: the set has that gain, fits, and none is inside another", what);
    OK_U64(unproven, 0, "%s: proven", what);
}

/* Large ones: the bound holds, and what is not proven says so. */
static void test_large(void)
{
    enum { N = 1000, W = (N + 63) / 64 };
    struct cc_rng r = {3};
    struct cc_choose_item *items = cc_alloc_array(N, sizeof *items);
    uint64_t *above = cc_alloc_array(N * W, sizeof *above);
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        items[i] = (struct cc_choose_item){1 + (double)cc_rng_below(&r, 50), 1};
        sum += items[i].gain;
        for (size_t k = 0; k < 3; k++) {
            size_t a = cc_rng_below(&r, N);
            if (a != i)
                above[i * W + a / 64] |= UINT64_C(1) << (a % 64);
        }
    }
    struct cc_choose_problem p = {items, N, above, 20};
    bool *taken = cc_alloc_array(N, sizeof *taken);
    struct cc_choose_answer a = {.taken = taken};
    cc_choose(&p, &a);
    OK(a.gain > 0 && a.bound >= a.gain && a.bound <= sum, "a thousand tangled items: %g of at most %g",
       a.gain, a.bound);
    OK(a.proven == (a.bound <= a.gain), "proven only if the bound is reached");
    memset(above, 0, N * W * sizeof *above);
    p.lines = CC_CHOOSE_MAX_LINES;
    cc_choose(&p, &a);
    OK(a.proven && fabs(a.gain - 50.0 * CC_CHOOSE_MAX_LINES) < 700, "a thousand free ones are proven: %g",
       a.gain);
    free(items);
    free(above);
    free(taken);
}

int main(void)
{
    test_against_brute_force(true, "forests");
    test_against_brute_force(false, "tangles");
    test_large();
    return TAP_DONE();
}
