/* Threads that end at different times leave cores idle. Whose doing is that? Of what held up some cores
 * longer than others, that which explains at least half of it: waiting, as long as it was; queues, and the
 * way to memory, by how much longer each access took there, so that threads which simply have more work do
 * not count as held up. Otherwise it is the work. */
#include "groups.h"

/* Each core's part in something. */
struct part {
    double cycles[WATCH_CPUS];
    enum {
        AS_IT_IS,
        PER_MISS,
        PER_ACCESS
    } by; /* how much it is for each access, or each that went to memory */
};

static unsigned cpus_of(const struct cc_watch *w)
{
    return CC_MIN(w->ncpus, (unsigned)WATCH_CPUS);
}

/* The core whose thread was through last; those that only wait for the others to end do not count. */
static unsigned last_core(const struct cc_watch *w)
{
    unsigned last = 0;
    for (unsigned i = 1; i < cpus_of(w); i++)
        if (w->cpus[i].worked > w->cpus[last].worked)
            last = i;
    return last;
}

static double weight_of(const struct cc_watch *w, const struct part *p, unsigned cpu)
{
    const struct watch_cpu *c = &w->cpus[cpu];
    return p->by == PER_MISS ? (double)c->misses : p->by == PER_ACCESS ? (double)c->accesses : c->last > 0;
}

/* Cycles that cores ended before the last one because they were held up less than the worst. 0 if the last
 * one was held up less than most. */
static double held_up(const struct cc_watch *w, const struct part *p)
{
    double worst = 0, sum = 0, all = 0, n = 0;
    unsigned last = last_core(w);
    for (unsigned i = 0; i < cpus_of(w); i++) {
        double weight = weight_of(w, p, i);
        worst = weight ? CC_MAX(worst, p->cycles[i] / weight) : worst;
        all += weight ? p->cycles[i] : 0;
        n += weight;
    }
    for (unsigned i = 0; i < cpus_of(w); i++) {
        double weight = weight_of(w, p, i), early = (double)(w->cpus[last].worked - w->cpus[i].worked);
        sum += weight ? CC_MIN(weight * worst - p->cycles[i], early) : 0;
    }
    return n && p->cycles[last] * n >= all * weight_of(w, p, last) ? sum : 0;
}

static void part_of(const struct grouping *g, const struct group *x, struct part *p)
{
    *p = (struct part){.by = contention_is_lock(x->out.cause) || x->spin ? AS_IT_IS : PER_MISS};
    for (size_t i = 0; i < x->losses.n; i++)
        for (unsigned cpu = 0; cpu < cpus_of(g->w); cpu++) {
            const uint64_t *c = cc_map_get(&g->w->by_cpu, (uint64_t)x->losses.v[i] << 8 | cpu);
            p->cycles[cpu] += c ? (double)*c : 0;
        }
}

/* ---- barriers ---- */

/* Cycles of the barrier that cores waited because the lock held them up less than others. */
static double shorter_held(const struct grouping *g, const struct group *lock, const struct group *barrier)
{
    struct part l, b;
    double worst = 0, sum = 0;
    part_of(g, lock, &l);
    part_of(g, barrier, &b);
    for (unsigned i = 0; i < cpus_of(g->w); i++)
        worst = CC_MAX(worst, l.cycles[i]);
    for (unsigned i = 0; i < cpus_of(g->w); i++)
        sum += CC_MIN(worst - l.cycles[i], b.cycles[i]);
    return sum;
}

/* Handing tasks out is what takes time if it takes a tenth of a core's. */
static bool hands_out(struct grouping *g, const struct group *tasks, const struct group *barrier)
{
    if (tasks->out.cause != CC_CAUSE_TASKS || !tasks->out.function || !barrier->out.function ||
        strcmp(tasks->out.function, barrier->out.function) != 0)
        return false;
    double spent = (double)tasks->out.cycles + contention_calls(g, tasks, CC_CAUSE_TASKS);
    return 10 * spent >= (double)g->out->cycles;
}

/* Do others come late to the barrier because they have waited longer, each time another one? The lock has to
 * account for it: what it costs one core all others wait. */
static bool makes_late(const struct grouping *g, const struct group *lock, const struct group *barrier)
{
    uint64_t held = 0;
    for (size_t i = 0; i < barrier->losses.n; i++)
        held += g->w->losses.v[barrier->losses.v[i]].held;
    return 2 * held >= barrier->out.cycles && lock->out.cycles * cpus_of(g->w) >= held;
}

/* One core that a lock has held up lets all others wait: what the lock costs may be much less. */
static bool holds_up(struct grouping *g, const struct group *lock, const struct group *barrier)
{
    return cc_causes[lock->out.cause].part == CC_PART_LOCKS && lock->out.cause != CC_CAUSE_TASKS &&
           (2 * shorter_held(g, lock, barrier) >= (double)barrier->out.cycles ||
            makes_late(g, lock, barrier));
}

/* Is it a call that wakes all who wait for a condition, from the function that waits? */
static bool wakes_all(struct grouping *g, const struct group *x, const struct loss *l)
{
    struct site s = contention_site(&g->sites, l->pc, l->context, false);
    return s.called && s.program && x->out.function && strcmp(s.function, x->out.function) == 0 &&
           (strstr(s.called, "broadcast") || strstr(s.called, "notify_all"));
}

/* A condition that threads sleep on until the last of them comes, who wakes them all, is a barrier that the
 * program has made itself; waiting there for threads that have yet to begin is the start's. */
static void made_of_condition(struct grouping *g, struct group *x)
{
    uint64_t together = 0, waits = 0, early = 0;
    bool all = false;
    for (size_t i = 0; i < x->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[x->losses.v[i]];
        bool slept = l->why == LOSS_WAIT && contention_woken_together(g->w, l->from);
        waits += l->why == LOSS_WAIT ? l->cycles : 0;
        together += slept ? l->cycles : 0;
        early += l->early ? l->cycles : 0;
        all |= wakes_all(g, x, l);
    }
    if (!all || 2 * together < waits)
        return;
    g->out->causes[CC_CAUSE_CONDITION] -= x->out.cycles;
    g->out->causes[CC_CAUSE_START] += early;
    x->out.cycles -= early;
    x->out.cause = CC_CAUSE_BARRIER;
    g->out->causes[CC_CAUSE_BARRIER] += x->out.cycles;
}

void contention_barriers(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++)
        if (g->groups.v[i].out.cause == CC_CAUSE_CONDITION && !g->groups.v[i].folded)
            made_of_condition(g, &g->groups.v[i]);
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *barrier = &g->groups.v[i], *why = NULL;
        if (barrier->folded || barrier->out.cause != CC_CAUSE_BARRIER)
            continue;
        for (size_t k = 0; k < g->groups.n; k++) {
            struct group *x = &g->groups.v[k];
            if (!x->folded && x != barrier && (!why || x->out.cycles > why->out.cycles) &&
                (hands_out(g, x, barrier) || holds_up(g, x, barrier)))
                why = x;
        }
        if (why)
            contention_fold(g, why, barrier);
    }
}

/* ---- ends ---- */

/* The line that waits longest for memory stands for the distance, or for caches that do worse. */
static void blame_memory(struct grouping *g, struct group *end, enum cc_cause cause)
{
    const struct stall *most = NULL;
    for (size_t i = 0; i < g->w->stalls.n; i++)
        if (!most || g->w->stalls.v[i].cycles > most->cycles)
            most = &g->w->stalls.v[i];
    if (!most)
        return;
    struct site s = contention_site(&g->sites, most->pc, most->context, false);
    if (!s.program)
        return;
    g->out->causes[CC_CAUSE_JOIN] -= end->out.cycles;
    g->out->causes[cause] += end->out.cycles;
    end->out.cause = cause;
    end->out.function = s.function;
    end->out.file = s.file;
    end->out.line = s.line;
    end->out.called = s.called;
    end->pc = most->pc;
    end->context = most->context;
    end->out.from = end->out.to = most->addr;
    end->out.object = contention_object_name(cc_trace_find_object(g->trace, most->addr, most->cycle));
}

/* Exchanges that fail because another was faster: as unfair as a lock. */
static bool is_race(const struct grouping *g, const struct group *x)
{
    uint64_t retried = 0;
    for (size_t i = 0; i < x->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[x->losses.v[i]];
        retried += l->retry ? l->cycles : 0;
    }
    return x->out.cause == CC_CAUSE_TRUE_SHARING && 2 * retried >= x->out.cycles;
}

/* The costliest of one part of the causes, as long as it has cost at least half as much. */
static struct group *costliest(struct grouping *g, const struct group *end, enum cc_cause_part part)
{
    struct group *most = NULL;
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *x = &g->groups.v[i];
        bool fits = x->out.cause < CC_CAUSES &&
                    (cc_causes[x->out.cause].part == part || (part == CC_PART_LOCKS && is_race(g, x)));
        if (!x->folded && fits && (!most || x->out.cycles > most->out.cycles))
            most = x;
    }
    return most && 2 * most->out.cycles >= end->out.cycles ? most : NULL;
}

/* Only on a mesh is memory further from some cores than from others. */
static bool has_distances(const struct grouping *g)
{
    const char *topology = cc_trace_fact(g->trace, "topology");
    return !topology || strcmp(topology, "mesh") == 0;
}

/* Cycles that cores ended earlier because they have waited less for memory. */
static double stalled(const struct cc_watch *w, unsigned by)
{
    struct part p = {.by = by};
    for (unsigned i = 0; i < cpus_of(w); i++)
        p.cycles[i] = (double)w->cpus[i].stalled;
    return held_up(w, &p);
}

void contention_uneven(struct grouping *g)
{
    struct group *end = NULL, *why = NULL;
    for (size_t i = 0; i < g->groups.n; i++)
        if (g->groups.v[i].out.cause == CC_CAUSE_JOIN)
            end = &g->groups.v[i];
    if (!end)
        return;
    /* threads that start one after the other end one after the other */
    uint64_t skew = CC_MIN(end->out.cycles, g->starting);
    end->out.cycles -= skew;
    g->out->causes[CC_CAUSE_JOIN] -= skew;
    g->out->causes[CC_CAUSE_START] += skew;
    g->skew = skew;
    g->skewed = CC_CAUSE_JOIN;
    double best = (double)end->out.cycles / 2;
    struct part p;
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *x = &g->groups.v[i];
        if (x->folded || x == end || x->out.cause == CC_CAUSE_START || x->out.cause == CC_CAUSE_SERIAL ||
            x->out.cause == CC_CAUSE_UNUSED)
            continue;
        part_of(g, x, &p);
        double held = held_up(g->w, &p);
        if (held > best) {
            best = held;
            why = x;
        }
    }
    /* threads that one lock holds up end at different times, in whichever order */
    struct group *lock = costliest(g, end, CC_PART_LOCKS);
    bool slower = stalled(g->w, PER_MISS) > best;
    if (lock)
        why = lock;
    else if (slower && !has_distances(g)) /* others have had more of a shared cache */
        why = costliest(g, end, CC_PART_QUEUES);
    else if (slower || (!why && stalled(g->w, PER_ACCESS) > best)) {
        blame_memory(g, end, slower ? CC_CAUSE_FAR : CC_CAUSE_MISSES);
        g->skewed = end->out.cause;
        return;
    }
    if (why && end->out.cycles) {
        contention_fold(g, why, end);
        g->skewed = why->out.cause;
    }
}
