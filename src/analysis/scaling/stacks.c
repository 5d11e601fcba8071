#include "stacks.h"

const char *const cc_stack_names[CC_STACK_PARTS] = {
    "work",  "extra instructions", "cache capacity", "serial phases", "imbalance",
    "locks", "barriers",           "coherence",      "queueing",      "idle"};
const char *const cc_stacks_verdict_names[] = {"unknown", "scales", "saturates", "collapses"};

static enum cc_stack_part part_of(enum cc_cause cause)
{
    switch (cc_causes[cause].part) {
    case CC_PART_COHERENCE:
        return CC_STACK_COHERENCE;
    case CC_PART_QUEUES:
        return CC_STACK_QUEUES;
    case CC_PART_LOCKS:
        return CC_STACK_LOCKS;
    case CC_PART_BARRIERS:
        return cause == CC_CAUSE_JOIN || cause == CC_CAUSE_FAR || cause == CC_CAUSE_MISSES
                   ? CC_STACK_IMBALANCE
                   : CC_STACK_BARRIERS;
    case CC_PART_SERIAL:
        return CC_STACK_SERIAL;
    default:
        return CC_STACK_IDLE;
    }
}

/* All but what is compared with the smallest run: its work is the busy time that nothing was lost in. */
static struct cc_stack read_stack(struct cc_trace_reader *trace)
{
    const struct cc_findings_options all = {.item = CC_ITEM_FAULT, .least = 0.001, .top = 200};
    struct cc_stack s = {.findings = cc_findings_read(trace, &all)};
    const struct cc_findings *f = s.findings;
    s.cores = f->cores;
    s.cycles = f->cycles;
    s.instructions = cc_trace_fact_number(trace, "instructions", 0);
    uint64_t busy = cc_trace_fact_number(trace, "busy", 0), rest = (uint64_t)s.cores * s.cycles;
    s.parts[CC_STACK_WORK] = (int64_t)busy - (int64_t)f->busy;
    for (size_t i = 0; i < CC_CAUSES; i++)
        s.parts[part_of((enum cc_cause)i)] += (int64_t)f->causes[i];
    s.parts[CC_STACK_IDLE] = (int64_t)rest;
    for (size_t i = 0; i < CC_STACK_IDLE; i++)
        s.parts[CC_STACK_IDLE] -= s.parts[i];
    return s;
}

/* What it works beyond the smallest run: instructions that run has not, at its pace, and the rest. */
static void compare(struct cc_stack *s, const struct cc_stack *base)
{
    int64_t work = base->parts[CC_STACK_WORK], more = s->parts[CC_STACK_WORK] - work;
    int64_t instructions = (int64_t)s->instructions - (int64_t)base->instructions;
    double pace = base->instructions ? (double)work / (double)base->instructions : 1;
    /* a spin loop's instructions are in its own part: about one a cycle */
    instructions -= (int64_t)CC_MIN((uint64_t)CC_MAX(instructions, 0), s->findings->spinning);
    int64_t extra = instructions > 0 && more > 0 ? CC_MIN((int64_t)((double)instructions * pace), more) : 0;
    s->parts[CC_STACK_WORK] = work;
    s->parts[CC_STACK_INSTRUCTIONS] = extra;
    s->parts[CC_STACK_CAPACITY] = more - extra;
    s->speedup = s->cycles ? (double)base->cycles / (double)s->cycles * base->cores : 0;
    s->efficiency = s->cores ? s->speedup / s->cores : 0;
}

enum cc_stacks_verdict cc_stacks_judge(const unsigned *cores, const uint64_t *cycles, size_t n,
                                       unsigned *ret_at)
{
    const double good = 0.7, worse = 1.1, near = 1.1;
    size_t best = 0, enough = 0;
    *ret_at = n ? cores[n - 1] : 0;
    if (n < 2 || !cycles[n - 1])
        return CC_STACKS_UNKNOWN;
    for (size_t i = 1; i < n; i++)
        best = cycles[i] < cycles[best] ? i : best;
    while (enough < n && (double)cycles[enough] > near * (double)cycles[best])
        enough++;
    double ideal = (double)cycles[0] * cores[0] / cores[n - 1];
    if (ideal >= good * (double)cycles[n - 1])
        return CC_STACKS_SCALES;
    if ((double)cycles[n - 1] > worse * (double)cycles[best]) {
        *ret_at = cores[best];
        return CC_STACKS_COLLAPSES;
    }
    *ret_at = cores[enough];
    return CC_STACKS_SATURATES;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint64_t cost_in(const struct cc_findings *f, const struct cc_finding *like)
{
    for (size_t i = 0; i < f->nfindings; i++) {
        const struct cc_finding *x = &f->findings[i];
        if (x->cause == like->cause && x->line == like->line && same(x->file, like->file) &&
            same(x->object, like->object))
            return x->cycles;
    }
    return 0;
}

static int costliest_first(const void *a, const void *b)
{
    const struct cc_bottleneck *x = a, *y = b;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    return (x->finding > y->finding) - (x->finding < y->finding);
}

/* What costs more on the most cores than on the fewest, from a hundredth of cores x time on. */
static void find_bottlenecks(struct cc_stacks *s)
{
    const struct cc_stack *least = &s->stacks[0], *most = &s->stacks[s->n - 1];
    const struct cc_findings *f = most->findings;
    s->bottlenecks = cc_alloc_array(f->nfindings + 1, sizeof *s->bottlenecks);
    for (size_t i = 0; i < f->nfindings; i++) {
        const struct cc_finding *x = &f->findings[i];
        int64_t lost = (int64_t)x->cycles - (int64_t)cost_in(least->findings, x);
        if ((double)lost >= 0.01 * (double)most->cycles * most->cores)
            s->bottlenecks[s->nbottlenecks++] = (struct cc_bottleneck){part_of(x->cause), x, lost};
    }
    qsort(s->bottlenecks, s->nbottlenecks, sizeof *s->bottlenecks, costliest_first);
}

static int by_cores(const void *a, const void *b)
{
    const struct cc_stack *x = a, *y = b;
    return (x->cores > y->cores) - (x->cores < y->cores);
}

struct cc_stacks *cc_stacks_of(struct cc_trace_reader *const *traces, size_t n)
{
    enum { MOST = 64 };
    struct cc_stacks *s = cc_alloc(sizeof *s);
    unsigned cores[MOST];
    uint64_t cycles[MOST];
    bool known = n > 0 && n <= MOST;
    s->stacks = cc_alloc_array(n + 1, sizeof *s->stacks);
    for (size_t i = 0; i < n && i < MOST; i++) {
        s->stacks[s->n++] = read_stack(traces[i]);
        known &= s->stacks[i].findings->known && cc_trace_fact_number(traces[i], "busy", 0) > 0;
    }
    qsort(s->stacks, s->n, sizeof *s->stacks, by_cores);
    struct cc_stack base = s->n ? s->stacks[0] : (struct cc_stack){0};
    for (size_t i = 0; i < s->n; i++) {
        compare(&s->stacks[i], &base);
        cores[i] = s->stacks[i].cores;
        cycles[i] = s->stacks[i].cycles;
    }
    if (!known)
        return s;
    s->verdict = cc_stacks_judge(cores, cycles, s->n, &s->at);
    find_bottlenecks(s);
    return s;
}

void cc_stacks_free(struct cc_stacks *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        cc_findings_free(s->stacks[i].findings);
    free(s->bottlenecks);
    free(s->stacks);
    free(s);
}
