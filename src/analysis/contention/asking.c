/* What is asked for until it can be had, though not by a loop that only asks: something is stored on the
 * stack in between.
 * A lock that is tried by calls (pthread_mutex_trylock, sem_trywait), since every call saves registers: seen
 * from the events alone it could be work that looks at a flag from time to time; the name of the called
 * function decides at the end.
 * An atomic that has failed, or changed nothing, and is tried again until it succeeds: whoever counts to a
 * number, yields or calls in between does so because of the one that was there first.
 * A lock that is looked at from time to time, with a pause in between, and taken when it is free: whether it
 * is one shows when it is given back. */
#include "groups.h"

enum { FRAME = 256, PAUSE = 1024, LOOKS = 2 };

static bool changes(const struct cc_trace_event *e)
{
    return e->kind == CC_TRACE_ATOMIC && !(e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED));
}

/* An atomic that has changed nothing, because somebody else was there. One of a line that has not moved since
 * the core had it may only have put back what was there. */
static bool in_vain(const struct cc_trace_event *e)
{
    return e->kind == CC_TRACE_ATOMIC && e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED) &&
           !(e->flags & CC_TRACE_HIT);
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* What the call stores into is its own, and close together. */
static bool stores_elsewhere(struct asking *a, const struct cc_trace_event *e)
{
    if (e->kind != CC_TRACE_STORE)
        return false;
    a->frame = a->frame ? a->frame : e->addr;
    bool asked = a->looks && apart(e->addr, a->address) < sizeof(uint64_t);
    return (e->context != a->context && !a->vain && !a->looks) || asked || apart(e->addr, a->frame) > FRAME;
}

/* Who only passes the time looks at few places beside what it waits for and its own stack. */
static bool looks_elsewhere(struct asking *a, const struct cc_trace_event *e)
{
    uint64_t word = e->addr & ~(uint64_t)7;
    if (e->kind != CC_TRACE_LOAD || e->addr == a->address || (a->frame && apart(e->addr, a->frame) <= FRAME))
        return false;
    unsigned i = 0;
    while (i < a->nplaces && a->places[i] != word)
        i++;
    if (i == CC_COUNT(a->places))
        return true;
    a->places[i] = word;
    a->nplaces = CC_MAX(a->nplaces, i + 1);
    return false;
}

/* Has it been had in the end? */
static bool succeeds(const struct asking *a, const struct cc_trace_event *by)
{
    return a->vain && changes(by) && ((by->addr ^ a->address) & ~(uint64_t)7) == 0;
}

/* What was part of it is known at the end as well. */
static void note_parts(struct cc_watch *w, const struct asking *a, size_t loss, unsigned cpu)
{
    for (unsigned i = 0; i < a->pending.n && cpu < WATCH_CPUS; i++)
        *cc_map_put(&w->by_asking, ((uint64_t)loss << 32 | a->pending.v[i].loss) << 8 | cpu, NULL) +=
            a->pending.v[i].cycles;
}

static void finish(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *by)
{
    struct asking *a = &c->asking;
    struct cc_trace_event e = {
        .cycle = changes(by) ? CC_MAX(by->cycle, a->last) : a->last, .cpu = by->cpu, .addr = a->address};
    bool tried = succeeds(a, by);
    struct loss like = {.pc = a->pc,
                        .line = tried ? a->address / 64 * 64 : a->address,
                        .context = a->context,
                        .why = LOSS_SPIN,
                        .asked = tried ? (a->failed ? ASKED_FAILED : ASKED_VAIN) : ASKED_CALL,
                        .atomic = tried,
                        .retry = tried,
                        .node = CC_TRACE_NO_NODE};
    uint64_t cycles = e.cycle > a->first + a->spun ? e.cycle - a->first - a->spun : 0;
    if ((tried || a->times >= LOOKS) && cycles) {
        if (tried) {
            contention_awaited(w, by->cpu, &like, a->address & ~(uint64_t)7, true);
            c->got_pc = by->pc;
        }
        note_parts(w, a, contention_add(w, like, &e, a->first, cycles), by->cpu);
    }
    a->times = 0;
}

/* Who looked all the time and then does something else for a while has what it waited for. */
static bool has_it(const struct asking *a)
{
    return 8 * a->spun >= 7 * (a->last - a->first);
}

/* A lock is taken by an atomic, or is the core's when its turn has come; who stores into what it has looked
 * at has found nobody there. */
static void finish_look(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *by)
{
    struct asking *a = &c->looking;
    bool here = ((by->addr ^ a->address) & ~(uint64_t)7) == 0, taken = here && changes(by);
    struct cc_trace_event e = {.cycle = taken && !has_it(a) ? CC_MAX(by->cycle, a->last) : a->last,
                               .cpu = by->cpu,
                               .addr = a->address};
    struct loss like = {.pc = a->pc,
                        .line = a->address,
                        .context = a->context,
                        .why = LOSS_SPIN,
                        .asked = ASKED_LOOK,
                        .retry = a->spun != 0, /* the same wait */
                        .cycle = a->first,
                        .node = CC_TRACE_NO_NODE};
    uint64_t cycles = e.cycle > a->first + a->spun ? e.cycle - a->first - a->spun : 0;
    if (a->times >= LOOKS && cycles && !(here && by->kind == CC_TRACE_STORE)) {
        contention_awaited(w, by->cpu, &like, a->address & ~(uint64_t)7, false);
        c->got_pc = taken ? by->pc : c->got_pc;
        like.retry = false;
        note_parts(w, a, contention_add(w, like, &e, a->first, cycles), by->cpu);
    }
    a->times = 0;
}

static void spun(struct asking *a, uint64_t from, uint64_t to)
{
    from = CC_MAX(from, a->first);
    a->spun += to > from ? to - from : 0;
}

void contention_ask_spun(struct watch_cpu *c, uint64_t from, uint64_t to)
{
    spun(&c->asking, from, to);
    spun(&c->looking, from, to);
}

void contention_ask_taken(struct watch_cpu *c, const struct part_lost *p)
{
    contention_unpend(&c->asking.pending, p);
    contention_unpend(&c->looking.pending, p);
}

void contention_ask_pend(struct watch_cpu *c, size_t loss, uint32_t cycles)
{
    if (c->asking.times)
        contention_pend(&c->asking.pending, loss, cycles);
    if (c->looking.times)
        contention_pend(&c->looking.pending, loss, cycles);
}

/* Who looks at a word from time to time works in between. */
static bool stops(struct asking *a, const struct cc_trace_event *e, bool again)
{
    return e->cycle > a->last + PAUSE || (!again && ++a->idle > SPIN_IDLE);
}

static void look(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    struct asking *a = &c->looking;
    bool again =
        e->kind == CC_TRACE_LOAD && e->pc == a->pc && e->addr == a->address && e->context == a->context;
    if (a->times && (e->kind >= CC_TRACE_WAIT || changes(e) || in_vain(e) || stores_elsewhere(a, e) ||
                     (!again && e->pc == a->pc) || looks_elsewhere(a, e)))
        finish_look(w, c, e);
    bool written = e->kind == CC_TRACE_LOAD && e->context && e->flags & (CC_TRACE_SHARED | CC_TRACE_FALSE);
    bool free = !a->times || (!again && a->times < LOOKS);
    if (free && written && w->together && !(c->asking.times && c->asking.vain))
        *a = (struct asking){
            .pc = e->pc, .address = e->addr, .context = e->context, .first = e->cycle, .looks = true};
    else if (!a->times || !again)
        return;
    a->times++;
    a->last = e->cycle + e->latency;
}

void contention_ask(struct cc_watch *w, const struct cc_trace_event *e)
{
    struct watch_cpu *c = &w->cpus[e->cpu];
    struct asking *a = &c->asking;
    look(w, c, e);
    bool looks =
        e->kind == CC_TRACE_LOAD || e->kind == CC_TRACE_LINKED || (e->kind == CC_TRACE_ATOMIC && !changes(e));
    bool again = looks && e->pc == a->pc && e->addr == a->address && e->context == a->context;
    if (a->times &&
        (e->kind >= CC_TRACE_WAIT || changes(e) || stores_elsewhere(a, e) || (!again && e->pc == a->pc) ||
         (a->vain ? looks_elsewhere(a, e) : in_vain(e) || stops(a, e, again))))
        finish(w, c, e);
    const unsigned another = CC_TRACE_SHARED | CC_TRACE_FALSE | CC_TRACE_VAIN | CC_TRACE_FAILED;
    if (!a->times && looks && w->together && e->context && e->flags & another)
        *a = (struct asking){.pc = e->pc,
                             .address = e->addr,
                             .context = e->context,
                             .first = e->cycle,
                             .times = 1,
                             .vain = in_vain(e),
                             .failed = (e->flags & CC_TRACE_FAILED) != 0};
    else if (a->times && again)
        a->times++;
    else
        return;
    a->idle = 0;
    a->last = e->cycle + e->latency;
}

static bool may_fail_at(struct sites *sites, const struct loss *l)
{
    struct site s = contention_site(sites, l->pc, l->context, false);
    bool lock = s.cause == CC_CAUSE_LOCK || s.cause == CC_CAUSE_SPIN_LOCK ||
                s.cause == CC_CAUSE_READER_LOCK || s.cause == CC_CAUSE_SEMAPHORE;
    return lock && s.program && s.called && (strstr(s.called, "try") || strstr(s.called, "test"));
}

/* Was what it asked for had by another, as far as the end shows? */
static bool has_waited(struct cc_watch *w, struct sites *sites, const struct loss *l)
{
    switch (l->asked) {
    case ASKED_CALL:
        return may_fail_at(sites, l);
    case ASKED_LOOK: /* a library's own loops are known by their names */
        return contention_given_back(w, l->from) &&
               !contention_is_lock(contention_site(sites, l->pc, l->context, false).cause);
    case ASKED_VAIN:
        return contention_given_back(w, l->from);
    default:
        return true;
    }
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
        if (w->losses.v[i].asked && !has_waited(w, sites, &w->losses.v[i]))
            forget(w, i);
    }
    for (size_t i = 0; i < w->by_asking.cap; i++) {
        if (!w->by_asking.used[i])
            continue;
        uint64_t key = w->by_asking.keys[i];
        struct loss *l = &w->losses.v[key >> 40];
        if (l->cycles) {
            l->inside += w->by_asking.values[i];
            contention_take_back(w, key >> 8 & UINT32_MAX, key & 255, w->by_asking.values[i]);
        }
    }
}
