#include "watch.h"

#include <xxhash.h>

/* Beyond this many kinds of loss, places in memory and call paths are no longer told apart. */
enum { MANY_LOSSES = 1 << 17 };

struct cc_watch *cc_watch_new(unsigned cpus)
{
    struct cc_watch *w = cc_alloc(sizeof *w);
    w->ncpus = CC_MIN(CC_MAX(cpus, 1u), (unsigned)CC_TRACE_MAX_CPUS);
    w->cpus = cc_alloc_array(w->ncpus, sizeof *w->cpus);
    for (unsigned i = 0; i < w->ncpus; i++)
        w->cpus[i].spun_at = UINT64_MAX;
    return w;
}

void cc_watch_free(struct cc_watch *w)
{
    if (!w)
        return;
    free(w->cpus);
    cc_map_fini(&w->index);
    CC_VEC_FINI(&w->losses);
    free(w);
}

static size_t loss_at(struct cc_watch *w, const struct loss *like)
{
    struct {
        uint64_t pc, line;
        uint32_t context, node;
        uint8_t why, fetch, atomic, idle, zero[4];
    } key = {like->pc,    like->line,   like->context, like->node, like->why,
             like->fetch, like->atomic, like->idle,    {0}};
    if (w->losses.n >= MANY_LOSSES) {
        key.line = 0;
        key.context = 0;
    }
    bool fresh;
    uint64_t *at = cc_map_put(&w->index, XXH3_64bits(&key, sizeof key), &fresh);
    if (fresh) {
        *at = w->losses.n;
        CC_VEC_PUSH(&w->losses, *like);
        struct loss *l = &w->losses.v[*at];
        l->line = key.line;
        l->context = key.context;
    }
    return (size_t)*at;
}

static size_t add(struct cc_watch *w, struct loss like, const struct cc_trace_event *e, uint64_t cycles)
{
    like.from = like.to = e->addr;
    like.cycle = e->cycle;
    size_t at = loss_at(w, &like); /* may move them */
    struct loss *l = &w->losses.v[at];
    l->cycles += cycles;
    l->events++;
    l->from = CC_MIN(l->from, e->addr);
    l->to = CC_MAX(l->to, e->addr);
    if (e->cpu < WATCH_CPUS)
        l->cpus[e->cpu / 64] |= (uint64_t)1 << e->cpu % 64;
    return at;
}

/* A spin's own losses are part of its time: remembered until it is known whether it is one. */
static void pend(struct watch_cpu *c, size_t loss, uint32_t cycles)
{
    for (unsigned i = 0; i < c->npending; i++)
        if (c->pending[i].loss == loss) {
            c->pending[i].cycles += cycles;
            return;
        }
    if (c->npending < CC_COUNT(c->pending))
        c->pending[c->npending++] = (struct pending){(uint32_t)loss, cycles};
}

/* The loop that has just ended waited for somebody: what it polls was taken from the core, or it asked by
 * atomics in vain. */
static void note_spin(struct cc_watch *w, struct watch_cpu *c, const struct spin_cpu *ended, unsigned cpu)
{
    const struct polled *p = &ended->polled[ended->main];
    if (ended->npolled && p->times >= SPIN_POLLS && p->proof) {
        struct cc_trace_event e = {.cycle = p->last, .cpu = (uint16_t)cpu, .addr = p->address};
        c->spun_at = p->address;
        c->spun = add(w,
                      (struct loss){.pc = p->pc,
                                    .line = p->address,
                                    .context = p->context,
                                    .why = LOSS_SPIN,
                                    .atomic = p->atomic,
                                    .node = CC_TRACE_NO_NODE},
                      &e, p->last - p->first);
        for (unsigned i = 0; i < c->npending; i++) {
            struct loss *l = &w->losses.v[c->pending[i].loss];
            l->cycles -= CC_MIN(l->cycles, c->pending[i].cycles);
        }
    }
    c->npending = 0;
}

/* A lock is given back by who waited for it. */
static void note_write(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    bool writes = e->kind == CC_TRACE_STORE || (e->kind == CC_TRACE_ATOMIC && !(e->flags & CC_TRACE_VAIN));
    if (!writes || (e->addr & ~(uint64_t)7) != c->spun_at)
        return;
    w->losses.v[c->spun].given_back++;
    c->spun_at = UINT64_MAX;
}

static void feed_access(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    enum { LINE = 64 };
    for (unsigned i = 0; i < CC_TRACE_CAUSES; i++) {
        if (!e->lost[i])
            continue;
        bool sharing = i <= CC_TRACE_LOST_TRANSFER;
        struct loss like = {.pc = e->pc,
                            .line = sharing ? e->addr / LINE * LINE : 0,
                            .context = e->context,
                            .why = (uint8_t)i,
                            .fetch = e->kind == CC_TRACE_FETCH,
                            .node = sharing ? CC_TRACE_NO_NODE : e->node};
        add(w, like, e, e->lost[i]);
        pend(c, loss_at(w, &like), e->lost[i]);
        w->any = true;
    }
    if (e->kind != CC_TRACE_FETCH && e->node != CC_TRACE_NO_NODE)
        w->node_accesses[CC_MIN(e->node, CC_COUNT(w->node_accesses) - 1)]++;
}

void cc_watch_feed(struct cc_watch *w, const struct cc_trace_event *e)
{
    if (e->cpu >= w->ncpus)
        return;
    struct watch_cpu *c = &w->cpus[e->cpu];
    struct spin_cpu ended = {0};
    contention_spin_follow(&c->spin, e, &ended);
    if (ended.npolled)
        note_spin(w, c, &ended, e->cpu);
    w->any |= e->context != 0;
    uint64_t end = e->cycle + (e->kind < CC_TRACE_WAIT ? e->latency : 0);
    w->last = CC_MAX(w->last, end);
    struct loss like = {.pc = e->pc, .context = e->context, .node = CC_TRACE_NO_NODE};
    if (e->kind == CC_TRACE_WAIT && (e->lost[0] || e->lost[1])) {
        like.why = e->size == CC_TRACE_ON_JOIN ? LOSS_JOIN : LOSS_WAIT;
        like.line = e->addr;
        add(w, like, e, (uint64_t)e->lost[0] + e->lost[1]);
        w->calls += e->lost[1];
    } else if (e->kind == CC_TRACE_IDLE) {
        like.why = LOSS_IDLE;
        bool some_ended = e->flags & CC_TRACE_ENDED;
        like.idle = e->size <= 1 ? (some_ended ? IDLE_LAST : IDLE_SERIAL)
                    : some_ended ? IDLE_UNEVEN
                                 : IDLE_START;
        add(w, like, e, e->lost[0]);
    } else if (e->kind < CC_TRACE_WAIT) {
        feed_access(w, c, e);
        note_write(w, c, e);
    }
}
