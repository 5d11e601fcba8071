/* Against all sets of kernels and loops, on random programs. */
#include "mixed.h"
#include "../../base/rng.h"
#include "../../../tests/tap.h"

#include <math.h>

enum { MOST = 6, PLACES = 8 };

struct instance {
    struct cc_cut_node nodes[PLACES];
    struct cc_cut_edge edges[PLACES];
    double area[MOST], budget, seconds[MOST];
    unsigned effort[MOST];
    struct cc_cut_problem cut;
    struct cc_choose_item items[MOST];
    uint64_t above[MOST], apart[MOST];
    struct cc_mixed_problem p;
};

static double draw(struct cc_rng *r, unsigned below)
{
    return (double)cc_rng_below(r, below);
}

static void draw_cut(struct instance *x, struct cc_rng *r)
{
    size_t kernels = 1 + cc_rng_below(r, MOST - 1), places = kernels + 1;
    for (uint32_t i = 0; i < places; i++)
        x->nodes[i] = (struct cc_cut_node){i ? (uint32_t)cc_rng_below(r, i) : 0, i ? i - 1 : 0,
                                           1 + draw(r, 40), 1 + draw(r, 4)};
    for (size_t i = 0; i < PLACES; i++)
        x->edges[i] = (struct cc_cut_edge){(uint32_t)cc_rng_below(r, (unsigned)places),
                                           (uint32_t)cc_rng_below(r, (unsigned)places), draw(r, 20)};
    for (size_t k = 0; k < kernels; k++) {
        x->area[k] = 1 + draw(r, 9);
        x->seconds[k] = draw(r, 12);
        x->effort[k] = 1 + (unsigned)cc_rng_below(r, 4);
    }
    x->budget = draw(r, 30);
    x->cut = (struct cc_cut_problem){.nkernels = kernels,
                                     .nmeasures = 1,
                                     .area = x->area,
                                     .budget = &x->budget,
                                     .nodes = x->nodes,
                                     .nnodes = places,
                                     .edges = x->edges,
                                     .nedges = PLACES,
                                     .byte_seconds = 0.25,
                                     .call_seconds = 0.5,
                                     .gain = INFINITY,
                                     .kernel_seconds = x->seconds};
}

static void draw_loops(struct instance *x, struct cc_rng *r)
{
    size_t loops = cc_rng_below(r, MOST);
    for (size_t i = 0; i < loops; i++) {
        x->items[i] = (struct cc_choose_item){draw(r, 15), 1 + (unsigned)cc_rng_below(r, 3)};
        x->above[i] = i && cc_rng_below(r, 2) ? UINT64_C(1) << cc_rng_below(r, (unsigned)i) : 0;
        x->apart[i] = cc_rng_below(r, 1 << MOST);
    }
    x->p.loops = (struct cc_choose_problem){x->items, loops, x->above, 1 + (unsigned)cc_rng_below(r, 12)};
}

static void draw_instance(struct instance *x, struct cc_rng *r)
{
    *x = (struct instance){0};
    draw_cut(x, r);
    draw_loops(x, r);
    x->p.cut = &x->cut;
    x->p.able = cc_rng_below(r, 1 << MOST) | cc_rng_below(r, 1 << MOST);
    x->p.most = 1 + cc_rng_below(r, MOST);
    x->p.effort = x->effort;
    x->p.any_effort = cc_rng_below(r, 2);
    x->p.apart = x->apart;
}

/* Seconds of one choice by the definition; INFINITY: it is not allowed. */
static double time_of(const struct instance *x, uint64_t set, uint64_t loops)
{
    const struct cc_mixed_problem *p = &x->p;
    double time = cc_cut_time(p->cut, set);
    unsigned lines = 0;
    size_t n = 0;
    for (size_t k = 0; k < x->cut.nkernels; k++) {
        n += set >> k & 1;
        lines += set >> k & 1 && !p->any_effort ? x->effort[k] : 0;
    }
    for (size_t i = 0; i < p->loops.n; i++) {
        if (!(loops >> i & 1))
            continue;
        if (p->apart[i] & set || p->loops.above[i] & loops)
            return INFINITY;
        time -= x->items[i].gain;
        lines += x->items[i].lines;
    }
    bool fine = !(set & ~p->able) && n <= p->most && lines <= p->loops.lines && cc_cut_fits(p->cut, set);
    return fine ? time : INFINITY;
}

static double by_hand(const struct instance *x)
{
    double best = INFINITY;
    for (uint64_t set = 0; set < UINT64_C(1) << x->cut.nkernels; set++)
        for (uint64_t loops = 0; loops < UINT64_C(1) << x->p.loops.n; loops++)
            best = fmin(best, time_of(x, set, loops));
    return best;
}

static uint64_t bits_of(const bool *taken, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits |= (uint64_t)taken[i] << i;
    return bits;
}

int main(void)
{
    struct cc_rng r = {19};
    size_t wrong = 0, illegal = 0, unproven = 0, moved = 0, shared = 0, beyond = 0;
    for (int round = 0; round < 1500; round++) {
        struct instance x;
        bool taken[MOST] = {false};
        struct cc_mixed_answer a = {.taken = taken};
        draw_instance(&x, &r);
        cc_mixed(&x.p, &a);
        double best = by_hand(&x);
        uint64_t loops = bits_of(taken, x.p.loops.n);
        wrong += !(fabs(a.time - best) < 1e-9);
        illegal += !(fabs(time_of(&x, a.set, loops) - a.time) < 1e-9);
        unproven += !a.proven;
        moved += a.set != 0 && loops;
        shared += !a.set && loops;
        x.p.most_tries = 1;
        cc_mixed(&x.p, &a);
        beyond += a.bound > best + 1e-9 || (a.proven && a.time > best + 1e-9);
    }
    OK(wrong == 0, "the best of all choices in all of 1500 random programs (%zu were worse)", wrong);
    OK(illegal == 0, "what is chosen may be, and takes what is said (%zu do not)", illegal);
    OK(unproven == 0, "and is proven (%zu are not)", unproven);
    OK(moved > 100 && shared > 100, "some move code and share loops (%zu), some only share (%zu)", moved,
       shared);
    OK(beyond == 0, "after one try the bound is still below the best (%zu are not)", beyond);
    return TAP_DONE();
}
