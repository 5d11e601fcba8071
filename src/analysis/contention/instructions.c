/* Single instructions and functions over the run: how many windows hold one, how regularly it is executed,
 * what each CPU spends its time in. */
#include "watch.h"

enum {
    GAPS = 128, /* classes of distances in cycles: four to each power of two */
    MOST = 1 << 15,
    MOST_CELLS = 1 << 22, /* instructions x CPUs */
    SHOWN_INSTRUCTIONS = 4096,
    SHOWN_FUNCTIONS = 7,
};

struct instruction {
    struct cc_contention_instruction out;
    uint64_t latency, stamp;
    uint32_t function;
    uint32_t gaps[GAPS];
    uint64_t cycles[GAPS]; /* all of a class together */
    uint64_t *last;        /* by CPU: 1 + the cycle it was executed there last */
};

struct instructions {
    struct cc_trace_reader *trace;
    unsigned ncpus;
    size_t most;
    struct cc_map by_pc; /* -> place */
    CC_VEC(struct instruction) v;
    struct cc_map by_name; /* symbol -> place in functions */
    CC_VEC(struct cc_contention_function) functions;
    struct at {
        uint64_t cycle;
        uint32_t function; /* 1 +; 0: nothing yet */
    } * at;                /* by CPU */
    struct cc_arena *arena;
};

struct instructions *contention_instructions_new(struct cc_trace_reader *trace, unsigned ncpus,
                                                 struct cc_arena *arena)
{
    struct instructions *x = cc_alloc(sizeof *x);
    x->trace = trace;
    x->arena = arena;
    x->ncpus = CC_MAX(ncpus, 1u);
    x->most = CC_MIN((size_t)MOST, (size_t)MOST_CELLS / x->ncpus);
    x->at = cc_alloc_array(x->ncpus, sizeof *x->at);
    return x;
}

void contention_instructions_free(struct instructions *x)
{
    for (size_t i = 0; i < x->v.n; i++)
        free(x->v.v[i].last);
    CC_VEC_FINI(&x->v);
    CC_VEC_FINI(&x->functions);
    cc_map_fini(&x->by_pc);
    cc_map_fini(&x->by_name);
    free(x->at);
    free(x);
}

/* Functions nothing is known of are one. */
static uint32_t function_at(struct instructions *x, const struct cc_trace_symbol *s)
{
    bool fresh;
    uint64_t *at = cc_map_put(&x->by_name, (uint64_t)(uintptr_t)s, &fresh);
    if (fresh) {
        *at = x->functions.n;
        CC_VEC_PUSH(&x->functions, ((struct cc_contention_function){
                                       .function = s ? s->name : "?",
                                       .by_cpu = cc_arena_alloc(x->arena, x->ncpus * sizeof(uint64_t))}));
    }
    return (uint32_t)*at;
}

/* NULL: there are too many. */
static struct instruction *instruction_at(struct instructions *x, const struct cc_trace_event *e)
{
    const uint64_t *known = cc_map_get(&x->by_pc, e->pc);
    if (known)
        return &x->v.v[*known];
    if (x->v.n >= x->most)
        return NULL;
    const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, e->pc);
    const struct cc_trace_line *l = cc_trace_find_line(x->trace, e->pc);
    struct instruction i = {.out = {.pc = e->pc,
                                    .kind = e->kind,
                                    .function = s ? s->name : NULL,
                                    .file = l ? l->file : NULL,
                                    .line = l ? l->line : 0},
                            .function = function_at(x, s)};
    *cc_map_put(&x->by_pc, e->pc, NULL) = x->v.n;
    CC_VEC_PUSH(&x->v, i);
    return &x->v.v[x->v.n - 1];
}

static unsigned gap_class(uint64_t gap)
{
    if (gap < 4)
        return (unsigned)gap;
    unsigned top = 63 - (unsigned)__builtin_clzll(gap);
    return CC_MIN(4 * top - 4 + (unsigned)(gap >> (top - 2) & 3), (unsigned)GAPS - 1);
}

/* The smallest distance of a class. */
static uint64_t gap_from(unsigned c)
{
    return c < 4 ? c : (uint64_t)(4 + c % 4) << (c / 4 - 1);
}

/* Where the CPU was since its last event is where that was. */
static void count_time(struct instructions *x, const struct cc_trace_event *e, const struct instruction *i)
{
    struct at *at = &x->at[e->cpu];
    if (at->function && e->kind != CC_TRACE_WAIT) {
        struct cc_contention_function *f = &x->functions.v[at->function - 1];
        f->by_cpu[e->cpu] += e->cycle - at->cycle;
        f->cycles += e->cycle - at->cycle;
    }
    *at = (struct at){e->cycle, i ? i->function + 1 : 0};
}

void contention_instructions_event(struct instructions *x, const struct cc_trace_event *e)
{
    if (e->cpu >= x->ncpus || e->kind == CC_TRACE_IDLE)
        return;
    struct instruction *i = instruction_at(x, e);
    count_time(x, e, i);
    if (!i || e->kind == CC_TRACE_WAIT)
        return;
    if (e->kind == CC_TRACE_FETCH && i->out.kind != CC_TRACE_FETCH)
        return;
    if (e->kind != i->out.kind && i->out.kind == CC_TRACE_FETCH) { /* known by its fetches so far */
        i->out.kind = e->kind;
        i->out.events = i->latency = 0;
    }
    i->out.events++;
    i->latency += e->latency;
    if (e->kind == CC_TRACE_FETCH)
        return;
    if (!i->last)
        i->last = cc_alloc_array(x->ncpus, sizeof *i->last);
    if (i->last[e->cpu]) {
        uint64_t gap = e->cycle - (i->last[e->cpu] - 1);
        i->gaps[gap_class(gap)]++;
        i->cycles[gap_class(gap)] += gap;
    }
    i->last[e->cpu] = e->cycle + 1;
}

void contention_instructions_window(struct instructions *x, uint64_t pc, uint64_t stamp)
{
    const uint64_t *known = cc_map_get(&x->by_pc, pc);
    struct instruction *i = known ? &x->v.v[*known] : NULL;
    if (i && i->stamp != stamp) {
        i->stamp = stamp;
        i->out.windows++;
    }
}

/* ---- the result ---- */

/* The commonest distance stands for the period; how many are alike, and where all but a tenth at either end
 * lie. */
static void find_period(struct instruction *i)
{
    uint64_t all = 0, sum = 0;
    unsigned mode = 0;
    for (unsigned c = 0; c < GAPS; c++) {
        all += i->gaps[c];
        mode = i->gaps[c] > i->gaps[mode] ? c : mode;
    }
    if (!all)
        return;
    uint64_t alike =
        i->gaps[mode] + (mode ? i->gaps[mode - 1] : 0) + (mode + 1 < GAPS ? i->gaps[mode + 1] : 0);
    i->out.period = (i->cycles[mode] + i->gaps[mode] / 2) / i->gaps[mode];
    i->out.regular = (double)alike / (double)all;
    for (unsigned c = 0; c < GAPS; c++) {
        if (sum * 10 < all && (sum + i->gaps[c]) * 10 >= all)
            i->out.period_from = gap_from(c);
        sum += i->gaps[c];
        if (sum * 10 >= all * 9) {
            i->out.period_to = c < 4 ? c : gap_from(c + 1) - 1;
            break;
        }
    }
}

static int most_windows(const void *a, const void *b)
{
    const struct cc_contention_instruction *x = a, *y = b;
    if (x->windows != y->windows)
        return x->windows > y->windows ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static int by_pc(const void *a, const void *b)
{
    const struct cc_contention_instruction *x = a, *y = b;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static int most_cycles(const void *a, const void *b)
{
    const struct cc_contention_function *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return strcmp(x->function, y->function);
}

/* What is beyond the costliest is one. */
static void put_functions(struct instructions *x, struct cc_contention *c)
{
    size_t n = x->functions.n, kept = CC_MIN(n, (size_t)SHOWN_FUNCTIONS);
    if (n)
        qsort(x->functions.v, n, sizeof *x->functions.v, most_cycles);
    struct cc_contention_function *v = cc_arena_alloc(x->arena, (kept + 1) * sizeof *v);
    if (kept)
        memcpy(v, x->functions.v, kept * sizeof *v);
    v[kept] = (struct cc_contention_function){
        .function = "others", .by_cpu = cc_arena_alloc(x->arena, x->ncpus * sizeof(uint64_t))};
    for (size_t i = kept; i < n; i++) {
        v[kept].cycles += x->functions.v[i].cycles;
        for (unsigned cpu = 0; cpu < x->ncpus; cpu++)
            v[kept].by_cpu[cpu] += x->functions.v[i].by_cpu[cpu];
    }
    c->functions = v;
    c->nfunctions = kept + (v[kept].cycles > 0);
}

void contention_instructions_report(struct instructions *x, struct cc_contention *c)
{
    struct cc_contention_instruction *v = cc_arena_alloc(x->arena, (x->v.n + 1) * sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < x->v.n; i++) {
        struct instruction *in = &x->v.v[i];
        if (!in->out.windows && !in->out.events)
            continue;
        in->out.latency = in->out.events ? (double)in->latency / (double)in->out.events : 0;
        find_period(in);
        v[n++] = in->out;
    }
    if (n > SHOWN_INSTRUCTIONS) {
        qsort(v, n, sizeof *v, most_windows);
        n = SHOWN_INSTRUCTIONS;
    }
    if (n)
        qsort(v, n, sizeof *v, by_pc);
    c->instructions = v;
    c->ninstructions = n;
    put_functions(x, c);
}

/* ---- one instruction over time ---- */

size_t cc_contention_gaps(struct cc_trace_reader *trace, uint64_t pc, unsigned cpu,
                          struct cc_contention_gap *out, size_t most)
{
    struct cc_trace_filter filter = {.to = UINT64_MAX, .pc_from = pc, .pc_to = pc};
    struct cc_trace_event e;
    uint64_t last = 0, every = 1, seen = 0;
    bool any = false;
    size_t n = 0;
    cc_trace_select(trace, &filter);
    while (cc_trace_next(trace, &e)) {
        if (e.cpu != cpu || e.kind >= CC_TRACE_WAIT || e.kind == CC_TRACE_FETCH)
            continue;
        if (any && seen++ % every == 0) {
            if (n == most) { /* every other one goes */
                for (size_t i = 0; i < n / 2; i++)
                    out[i] = out[2 * i];
                n /= 2;
                every *= 2;
            }
            out[n++] = (struct cc_contention_gap){e.cycle, e.cycle - last, e.latency};
        }
        any = true;
        last = e.cycle;
    }
    return n;
}
