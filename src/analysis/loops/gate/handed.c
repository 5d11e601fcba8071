#include "handed.h"

struct hands {
    const struct cc_source_loops *s;
    uint32_t *by;  /* by function of the source: parameters that lead to what others have as well */
    bool *reached; /* the loop calls it, or something that it calls does */
    bool beyond;   /* elements that each iteration has for itself do not count */
    bool any;      /* something is called that the source does not name */
    bool changed;
};

/* Sets it for all functions of that name: headers are read with each file that includes them. */
static void set(struct hands *x, const char *symbol, uint32_t by)
{
    x->any = x->any || *symbol == '?';
    for (size_t i = 0; i < x->s->functions.n; i++)
        if (strcmp(x->s->functions.v[i].symbol, symbol) == 0 && (!x->reached[i] || by & ~x->by[i])) {
            x->changed = x->reached[i] = true;
            x->by[i] |= by;
        }
}

/* Arguments of operators are counted in another way than their parameters. */
static uint32_t bits_of(const struct cc_source_hand *h)
{
    bool told = h->to >= 0 && h->to < CC_STATE_PARAMETERS && !strstr(h->symbol, "@F@operator");
    return told ? 1U << h->to : h->to == CC_STORE_OBJECT ? 0 : UINT32_MAX;
}

static void follow(struct hands *x, size_t at)
{
    const struct cc_loop_function *g = &x->s->functions.v[at];
    for (size_t i = 0; i < g->calls.n; i++)
        set(x, g->calls.v[i].symbol, 0);
    for (size_t i = 0; i < g->hands.n; i++) {
        const struct cc_source_hand *h = &g->hands.v[i];
        bool passed = (h->whole || h->lies) && h->from >= 0 && h->from < CC_STATE_PARAMETERS;
        if (!passed || x->by[at] >> h->from & 1)
            set(x, h->symbol, bits_of(h));
    }
}

static uint32_t *find(const struct gate_input *in, bool beyond, bool **ret_reached)
{
    size_t n = in->sources->functions.n;
    struct hands x = {.s = in->sources,
                      .beyond = beyond,
                      .by = cc_alloc_array(n + 1, sizeof *x.by),
                      .reached = cc_alloc_array(n + 1, sizeof *x.reached)};
    for (size_t i = 0; i < in->source->calls.n; i++)
        set(&x, in->source->calls.v[i].symbol, 0);
    for (size_t i = 0; i < in->source->hands.n; i++)
        if (!x.beyond || !in->source->hands.v[i].apart)
            set(&x, in->source->hands.v[i].symbol, bits_of(&in->source->hands.v[i]));
    do {
        x.changed = false;
        for (size_t i = 0; i < n; i++)
            if (x.reached[i])
                follow(&x, i);
    } while (x.changed);
    for (size_t i = 0; i < n; i++) {
        x.reached[i] = x.reached[i] || x.any;
        x.by[i] = x.any || !x.reached[i] ? UINT32_MAX : x.by[i];
    }
    if (ret_reached)
        *ret_reached = x.reached;
    else
        free(x.reached);
    return x.by;
}

uint32_t *cc_handed_find(const struct gate_input *in, bool **ret_reached)
{
    return find(in, false, ret_reached);
}

uint32_t *cc_handed_beyond(const struct gate_input *in)
{
    return find(in, true, NULL);
}
