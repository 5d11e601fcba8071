/* A lock that is tried until it can be had (pthread_mutex_trylock, sem_trywait): no loop that only asks,
 * since every call saves registers on the stack. Seen from the events alone it could be work that looks at a
 * flag from time to time; the name of the called function decides at the end. */
#include "watch.h"

enum { FRAME = 256, PAUSE = 1024, LOOKS = 2 };

static bool changes(const struct cc_trace_event *e)
{
    return e->kind == CC_TRACE_ATOMIC && !(e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED));
}

/* What the call stores into is its own, and close together. */
static bool stores_elsewhere(struct asking *a, const struct cc_trace_event *e)
{
    if (e->kind != CC_TRACE_STORE)
        return false;
    a->frame = a->frame ? a->frame : e->addr;
    uint64_t distance = e->addr > a->frame ? e->addr - a->frame : a->frame - e->addr;
    return e->context != a->context || distance > FRAME;
}

static void finish(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *by)
{
    struct asking *a = &c->asking;
    struct cc_trace_event e = {
        .cycle = changes(by) ? CC_MAX(by->cycle, a->last) : a->last, .cpu = by->cpu, .addr = a->address};
    struct loss like = {.pc = a->pc,
                        .line = a->address,
                        .context = a->context,
                        .why = LOSS_SPIN,
                        .asked = true,
                        .node = CC_TRACE_NO_NODE};
    uint64_t cycles = e.cycle > a->first + a->spun ? e.cycle - a->first - a->spun : 0;
    if (a->times >= LOOKS && cycles) {
        size_t loss = contention_add(w, like, &e, a->first, cycles);
        for (unsigned i = 0; i < a->npending && by->cpu < WATCH_CPUS; i++)
            *cc_map_put(&w->by_asking, ((uint64_t)loss << 32 | a->pending[i].loss) << 8 | by->cpu, NULL) +=
                a->pending[i].cycles;
    }
    a->times = 0;
}

void contention_ask_spun(struct asking *a, uint64_t from, uint64_t to)
{
    from = CC_MAX(from, a->first);
    a->spun += to > from ? to - from : 0;
}

void contention_ask_taken(struct asking *a, const struct pending *loss)
{
    for (unsigned i = 0; i < a->npending; i++)
        if (a->pending[i].loss == loss->loss)
            a->pending[i].cycles -= CC_MIN(a->pending[i].cycles, loss->cycles);
}

void contention_ask(struct cc_watch *w, const struct cc_trace_event *e)
{
    struct watch_cpu *c = &w->cpus[e->cpu];
    struct asking *a = &c->asking;
    bool looks =
        e->kind == CC_TRACE_LOAD || e->kind == CC_TRACE_LINKED || (e->kind == CC_TRACE_ATOMIC && !changes(e));
    bool again = looks && e->pc == a->pc && e->addr == a->address && e->context == a->context;
    if (a->times && (e->kind >= CC_TRACE_WAIT || changes(e) || stores_elsewhere(a, e) ||
                     e->cycle > a->last + PAUSE || (!again && (e->pc == a->pc || ++a->idle > SPIN_IDLE))))
        finish(w, c, e);
    const unsigned another = CC_TRACE_SHARED | CC_TRACE_FALSE | CC_TRACE_VAIN | CC_TRACE_FAILED;
    if (!a->times && looks && e->context && e->flags & another)
        *a = (struct asking){
            .pc = e->pc, .address = e->addr, .context = e->context, .first = e->cycle, .times = 1};
    else if (a->times && again)
        a->times++;
    else
        return;
    a->idle = 0;
    a->last = e->cycle + e->latency;
}

static bool may_fail(const struct site *s)
{
    bool lock = s->cause == CC_CAUSE_LOCK || s->cause == CC_CAUSE_SPIN_LOCK ||
                s->cause == CC_CAUSE_READER_LOCK || s->cause == CC_CAUSE_SEMAPHORE;
    return lock && s->program && s->called && (strstr(s->called, "try") || strstr(s->called, "test"));
}

static void forget(struct cc_watch *w, size_t loss)
{
    for (unsigned cpu = 0; cpu < CC_MIN(w->ncpus, (unsigned)WATCH_CPUS); cpu++) {
        const uint64_t *here = cc_map_get(&w->by_cpu, (uint64_t)loss << 8 | cpu);
        if (here)
            contention_take_back(w, loss, cpu, *here);
    }
    w->losses.v[loss].cycles = 0;
}

void contention_asked(struct cc_watch *w, struct sites *sites)
{
    for (size_t i = 0; i < w->losses.n; i++) {
        const struct loss *l = &w->losses.v[i];
        if (!l->asked)
            continue;
        struct site s = contention_site(sites, l->pc, l->context, false);
        if (!may_fail(&s))
            forget(w, i);
    }
    for (size_t i = 0; i < w->by_asking.cap; i++) {
        if (!w->by_asking.used[i])
            continue;
        uint64_t key = w->by_asking.keys[i];
        if (w->losses.v[key >> 40].cycles)
            contention_take_back(w, key >> 8 & UINT32_MAX, key & 255, w->by_asking.values[i]);
    }
}
