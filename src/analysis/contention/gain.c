/* Times as fast without a finding: without the cycles it lost, and without what its advice saves besides. */
#include "groups.h"

#include <stdlib.h>

/* Of memory: what the same instructions waited to fetch again what the core had fetched before. */
static double refetching(const struct grouping *g, const struct group *x, uint64_t *ret_lines)
{
    const struct cc_watch *w = g->w;
    struct cc_map seen = {0};
    double cycles = 0;
    *ret_lines = 0;
    for (size_t i = 0; i < x->losses.n; i++) {
        uint64_t pc = w->losses.v[x->losses.v[i]].pc;
        const uint64_t *at = cc_map_get(&w->by_pc, pc);
        bool fresh;
        cc_map_put(&seen, pc, &fresh);
        if (!at || !fresh)
            continue;
        const struct stall *s = &w->stalls.v[*at];
        cycles += (double)s->cycles * contention_refetched(w, s);
        *ret_lines += s->firsts << w->sampled;
    }
    cc_map_fini(&seen);
    return cycles;
}

/* Who uses a line for all it is needed for while it is there fetches it once. Lines spread over the banks are
 * spread over the sets of a cache as well: they stay there if they are not more than it holds. */
static double saved_of_memory(const struct grouping *g, const struct group *x)
{
    uint64_t lines, cache = cc_trace_fact_number(g->trace, "l1d_bytes", 0);
    double cycles = refetching(g, x, &lines);
    bool fits = lines * g->w->line_bytes <= cache * CC_MAX(x->out.ncpus, 1u);
    return x->out.cause == CC_CAUSE_BANDWIDTH || fits ? cycles : 0;
}

/* Is the context in the library's functions of that kind, called from the same function as the finding? */
static bool is_call(struct grouping *g, const struct group *x, enum cc_cause cause, uint64_t id)
{
    const struct cc_trace_context *c = id <= UINT32_MAX ? cc_trace_context(g->trace, (uint32_t)id) : NULL;
    if (!c || !c->entry || !x->out.function)
        return false;
    struct site s = contention_site(&g->sites, c->entry, (uint32_t)id, false);
    return s.cause == cause && s.program && strcmp(s.function, x->out.function) == 0;
}

/* What the calls took without anybody else: their instructions ("context:cycles …", of every context that has
 * more than a few) and waiting for memory. */
double contention_calls(struct grouping *g, const struct group *x, enum cc_cause cause)
{
    const char *list = cc_trace_fact(g->trace, "context_cycles");
    const struct cc_map *stalls = &g->w->by_context;
    double cycles = 0;
    for (size_t i = 0; i < stalls->cap; i++)
        if (stalls->used[i] && is_call(g, x, cause, stalls->keys[i]))
            cycles += (double)stalls->values[i];
    while (list && *list) {
        char *end;
        unsigned long long id = strtoull(list, &end, 10), n = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
        if (end == list || (*end && *end != ' '))
            break;
        list = end + (*end == ' ');
        cycles += is_call(g, x, cause, id) ? (double)n : 0;
    }
    return cycles;
}

/* Of what the calls took, that which was lost in them already: they were made to wait, and executed their
 * loops meanwhile. What the accesses of a loop lost to others is no part of what the calls took. */
static double lost_in_calls(struct grouping *g, const struct group *x)
{
    double cycles = 0;
    for (size_t i = 0; i < x->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[x->losses.v[i]];
        bool called = l->why == LOSS_SPIN && contention_site(&g->sites, l->pc, l->context, false).called;
        cycles += called && l->cycles > l->inside ? (double)(l->cycles - l->inside) : 0;
    }
    return cycles;
}

static double calls_alone(struct grouping *g, const struct group *x)
{
    return CC_MAX(contention_calls(g, x, x->out.cause) - lost_in_calls(g, x), 0.0);
}

/* What is to be done is to do without them. */
static double saved_besides(struct grouping *g, const struct group *x)
{
    switch (x->out.cause) {
    case CC_CAUSE_BANDWIDTH:
    case CC_CAUSE_HOT_BANK:
        return saved_of_memory(g, x);
    case CC_CAUSE_ALLOCATOR:
    case CC_CAUSE_RANDOM:
    case CC_CAUSE_STDIO:
    case CC_CAUSE_CRITICAL:
    case CC_CAUSE_CHUNKS:
    case CC_CAUSE_READER_LOCK:
        return calls_alone(g, x);
    case CC_CAUSE_LOCK: /* who has data of its own needs none; who splits it does */
        return calls_alone(g, x) / 2;
    case CC_CAUSE_CONDITION: /* and the lock that goes with it */
        return (contention_calls(g, x, CC_CAUSE_CONDITION) + contention_calls(g, x, CC_CAUSE_LOCK)) / 2;
    case CC_CAUSE_TASKS: /* and taking them, which is part of waiting */
        return contention_calls(g, x, CC_CAUSE_TASKS) + contention_calls(g, x, CC_CAUSE_BARRIER);
    default:
        return 0;
    }
}

/* Of the cores that threads have run on, how many have their share back: those that lost it; but work that
 * was waited for has to be done by somebody. */
static double takers(const struct grouping *g, const struct group *x)
{
    enum cc_cause cause = x->out.cause;
    size_t used = 0;
    for (unsigned i = 0; i < g->w->ncpus; i++)
        used += g->w->cpus[i].accesses > 0;
    bool work = cause == CC_CAUSE_BARRIER || cause == CC_CAUSE_SPINNING || cause == CC_CAUSE_CONDITION ||
                cause == CC_CAUSE_MESSAGE;
    return (double)CC_MAX(CC_MAX(x->out.ncpus, 1u), work && g->sites.programs == 1 ? used : 0);
}

double contention_gain(struct grouping *g, const struct group *x)
{
    const double least = 0.05; /* of the run is left */
    const struct cc_findings *f = g->out;
    enum cc_cause cause = x->out.cause;
    /* each core that takes part has its share back */
    bool all = cause == CC_CAUSE_SERIAL || cause == CC_CAUSE_JOIN || cause == CC_CAUSE_FAR ||
               cause == CC_CAUSE_MISSES || cause == CC_CAUSE_UNUSED;
    double cores = all ? f->cores : takers(g, x), run = (double)f->cycles;
    double saved = ((double)x->out.cycles + saved_besides(g, x)) / cores;
    return run / CC_MAX(run - saved, least * run);
}
