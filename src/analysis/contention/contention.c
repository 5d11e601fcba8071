#include "internal.h"

#include <math.h>

void cc_contention_defaults(struct cc_contention_options *o, enum cc_contention_method method)
{
    *o = (struct cc_contention_options){.method = method,
                                        .support = method == CC_CONTENTION_WINDOWS ? 0.60 : 0.65,
                                        .explain = 0.75,
                                        .quantile = 0.75,
                                        .min_cpus = 2,
                                        .bin = 10,
                                        .bin_max = 250,
                                        .min_lost = 0.005,
                                        .top = 10};
}

double cc_contention_bound(unsigned n)
{
    return n ? n * (exp2(1.0 / n) - 1) : M_LN2;
}

/* The latency of an idle system, by kind and distance: what the fastest tenth of such accesses takes. */
enum { BASE_BINS = 4096, BASE_CLASSES = CC_TRACE_KINDS * 256, ENOUGH_FOR_BASE = 100 };

struct bases {
    uint32_t *bins[BASE_CLASSES];
    uint64_t n[BASE_CLASSES];
    uint32_t base[BASE_CLASSES];
};

static unsigned base_class(const struct cc_trace_event *e)
{
    return e->kind * 256u + e->hops;
}

static void bases_add(struct bases *b, const struct cc_trace_event *e)
{
    unsigned k = base_class(e);
    if (!b->bins[k])
        b->bins[k] = cc_alloc_array(BASE_BINS, sizeof *b->bins[k]);
    uint32_t *bin = &b->bins[k][CC_MIN(e->latency, (uint32_t)BASE_BINS - 1)];
    *bin += *bin < UINT32_MAX;
    b->n[k]++;
}

/* Accesses to data of one distance idle alike: where every store met contention, the loads tell what is
 * normal. */
static void bases_settle(struct bases *b)
{
    for (unsigned k = 0; k < BASE_CLASSES; k++) {
        uint64_t seen = 0;
        if (!b->bins[k])
            continue;
        while (b->base[k] < BASE_BINS - 1 && (seen += b->bins[k][b->base[k]]) * 10 < b->n[k])
            b->base[k]++;
        free(b->bins[k]);
    }
    for (unsigned hops = 0; hops < 256; hops++) {
        uint32_t least = UINT32_MAX;
        for (unsigned kind = CC_TRACE_LOAD; kind <= CC_TRACE_ATOMIC; kind++)
            if (b->n[kind * 256 + hops] >= ENOUGH_FOR_BASE)
                least = CC_MIN(least, b->base[kind * 256 + hops]);
        for (unsigned kind = CC_TRACE_LOAD; kind <= CC_TRACE_ATOMIC; kind++)
            b->base[kind * 256 + hops] = CC_MIN(b->base[kind * 256 + hops], least);
    }
}

static uint32_t excess_of(const struct bases *b, const struct cc_trace_event *e, bool known)
{
    uint64_t lost = 0;
    for (unsigned i = 0; i < CC_TRACE_CAUSES; i++)
        lost += e->lost[i];
    if (known)
        return (uint32_t)CC_MIN(lost, (uint64_t)UINT32_MAX);
    uint32_t base = b->base[base_class(e)];
    return (e->flags & (CC_TRACE_HIT | CC_TRACE_BUFFERED)) || e->latency <= base ? 0 : e->latency - base;
}

/* Everything that must be known of the trace before windows can be laid; returns how long all but the slowest
 * twentieth take. */
static uint32_t first_pass(struct cc_trace_reader *trace, struct cc_contention *c, struct spins *s,
                           struct bases *b)
{
    struct cc_latency_histogram h = {0};
    struct cc_trace_event e;
    uint64_t end = 0;
    cc_trace_select(trace, NULL);
    while (cc_trace_next(trace, &e)) {
        c->events++;
        uint64_t done =
            e.kind >= CC_TRACE_WAIT || e.cycle + e.latency < e.cycle ? e.cycle : e.cycle + e.latency;
        end = CC_MAX(end, done);
        contention_spins_feed(s, &e);
        if (e.kind >= CC_TRACE_WAIT || (e.flags & (CC_TRACE_HIT | CC_TRACE_BUFFERED)))
            continue;
        cc_latency_add(&h, e.latency);
        bases_add(b, &e);
    }
    c->last = CC_MAX(c->last, end);
    contention_spins_end(s);
    bases_settle(b);
    c->memory_events = h.n;
    c->median = cc_latency_quantile(&h, 0.5);
    c->q3 = cc_latency_quantile(&h, 0.75);
    c->threshold = cc_latency_quantile(&h, c->options.quantile);
    if (c->threshold <=
        c->median) /* most accesses take the same time: only those that take longer are slow */
        c->threshold = cc_latency_above(&h, c->median);
    uint32_t reach = cc_latency_quantile(&h, 0.95);
    cc_latency_fini(&h);
    return reach;
}

static void slice(struct cc_contention *c, const struct cc_trace_event *e)
{
    if (e->cpu >= c->nrows || (e->flags & CC_TRACE_HIT))
        return;
    double at = (double)(e->cycle - c->first) / ((double)(c->last - c->first) + 1);
    uint32_t *cell =
        &c->slices[e->cpu][CC_MIN((size_t)(at * CC_CONTENTION_SLICES), (size_t)CC_CONTENTION_SLICES - 1)];
    *cell = CC_MAX(*cell, e->latency);
}

/* Lays the windows; returns all excess latency, windows or not. */
static uint64_t second_pass(struct cc_trace_reader *trace, struct cc_contention *c, struct spins *s,
                            struct items *x, struct windows *w, const struct bases *b)
{
    struct cc_trace_event e;
    uint64_t excess_all = 0;
    contention_spins_restart(s);
    cc_trace_select(trace, NULL);
    while (cc_trace_next(trace, &e)) {
        bool waiting = contention_spins_again(s, &e);
        contention_instructions_event(w->instructions, &e);
        contention_spins_writer(s, &e);
        if (!contention_is_memory(&c->options, &e))
            continue;
        uint32_t excess = excess_of(b, &e, c->known), item = contention_items_of(x, &e);
        excess_all += excess;
        c->slow += e.latency >= c->threshold;
        slice(c, &e);
        if (item == NO_ITEM)
            continue;
        contention_items_count(x, item, &e, excess, waiting);
        contention_windows_feed(w, &(struct past){e.cycle, e.pc, item, e.latency, excess, e.cpu});
    }
    contention_windows_end(w);
    return excess_all;
}

int cc_contention_mine(struct cc_trace_reader *trace, const struct cc_contention_options *options,
                       struct cc_contention **ret, struct cc_err *err)
{
    struct cc_trace_summary sum;
    cc_trace_summary(trace, &sum);
    if (!sum.events)
        return cc_err_set(err, CC_EINPUT, "the trace holds no events");
    struct cc_contention *c = cc_alloc(sizeof *c);
    c->options = *options;
    c->cpus = sum.cpus;
    c->known = cc_trace_contexts(trace) > 0;
    c->first = sum.first;
    c->last = sum.last;
    c->bound = cc_contention_bound(sum.cpus);
    c->nrows = CC_MIN(sum.cpus, (size_t)CC_CONTENTION_ROWS);
    c->slices = cc_arena_alloc(&c->arena, c->nrows * sizeof *c->slices);
    struct items x;
    struct spins s;
    struct windows w;
    struct bases *b = cc_alloc(sizeof *b);
    contention_items_init(&x, trace, &c->options, &c->arena);
    contention_spins_init(&s, &x, sum.cpus);
    uint32_t reach = first_pass(trace, c, &s, b);
    if (!c->options.window)
        c->options.window = contention_windows_choose(trace, &c->options, sum.cpus, c->threshold, reach);
    contention_windows_init(&w, &x, &c->options, sum.cpus, c->options.window, c->threshold,
                            c->last - c->first);
    w.instructions = contention_instructions_new(trace, sum.cpus, &c->arena);
    uint64_t excess_all = second_pass(trace, c, &s, &x, &w, b);
    double cpu_cycles = ((double)(c->last - c->first) + 1) * c->cpus;
    c->windows = w.laid;
    c->every = w.every;
    c->transactions = contention_windows_all(&w, w.transactions);
    c->coverage = CC_MIN((double)w.covered / ((double)(c->last - c->first) + 1), 1.0);
    c->contention = (double)excess_all / cpu_cycles;
    int rc = contention_patterns_find(&w, c, (uint64_t)CC_MIN(cpu_cycles, 1.8e19), excess_all, err);
    contention_spins_report(&s, c);
    contention_instructions_report(w.instructions, c);
    contention_instructions_free(w.instructions);
    struct cc_contention_band *bands = cc_arena_alloc(&c->arena, (w.bands.n + 1) * sizeof *bands);
    if (w.bands.n)
        memcpy(bands, w.bands.v, w.bands.n * sizeof *bands);
    c->bands = bands;
    c->nbands = w.bands.n;
    contention_windows_fini(&w);
    contention_spins_fini(&s);
    contention_items_fini(&x);
    free(b);
    if (rc < 0)
        cc_contention_free(c);
    else
        *ret = c;
    return rc;
}

void cc_contention_free(struct cc_contention *c)
{
    if (!c)
        return;
    cc_arena_fini(&c->arena);
    free(c);
}
