#include "watch.h"

#include <xxhash.h>

/* Beyond this many kinds of loss, places in memory and call paths are no longer told apart. */
enum { MANY_LOSSES = 1 << 17 };

struct cc_watch *cc_watch_new(unsigned cpus, unsigned line_bytes)
{
    struct cc_watch *w = cc_alloc(sizeof *w);
    w->bin_cycles = 1;
    w->line_bytes = line_bytes ? line_bytes : 64;
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
    cc_map_fini(&w->by_address);
    cc_map_fini(&w->by_cpu);
    cc_map_fini(&w->by_time);
    cc_map_fini(&w->by_asking);
    CC_VEC_FINI(&w->awaited);
    contention_rounds_fini(w);
    cc_map_fini(&w->by_pc);
    CC_VEC_FINI(&w->stalls);
    cc_map_fini(&w->fetched);
    cc_map_fini(&w->code);
    cc_map_fini(&w->asking);
    cc_map_fini(&w->by_context);
    CC_VEC_FINI(&w->losses);
    free(w);
}

static size_t loss_at(struct cc_watch *w, const struct loss *like)
{
    struct {
        uint64_t pc, line;
        uint32_t context, node;
        uint8_t why, fetch, atomic, idle, retry, early, asked, cold;
    } key = {like->pc,     like->line, like->context, like->node,  like->why,   like->fetch,
             like->atomic, like->idle, like->retry,   like->early, like->asked, like->cold};
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
        l->home = CC_TRACE_NO_NODE;
    }
    return (size_t)*at;
}

/* Where an access went; of a wait, `node` is who ended it, of a store that found the buffer full, the core's
 * own.
 */
static uint16_t home_of(const struct cc_trace_event *e)
{
    bool access = e->kind >= CC_TRACE_LOAD && e->kind <= CC_TRACE_ATOMIC && !(e->flags & CC_TRACE_STALLED);
    return access ? e->node : (uint16_t)CC_TRACE_NO_NODE;
}

size_t contention_add(struct cc_watch *w, struct loss like, const struct cc_trace_event *e, uint64_t since,
                      uint64_t cycles)
{
    like.from = like.to = e->addr;
    like.cycle = e->cycle;
    size_t at = loss_at(w, &like); /* may move them */
    struct loss *l = &w->losses.v[at];
    l->cycles += cycles;
    l->events++;
    l->looked = like.looked;
    w->cpus[e->cpu].held += contention_holds_up(l) ? (int64_t)cycles : 0;
    if (l->home == CC_TRACE_NO_NODE)
        l->home = home_of(e);
    l->from = CC_MIN(l->from, e->addr);
    l->to = CC_MAX(l->to, e->addr);
    if (e->cpu < WATCH_CPUS) {
        l->cpus[e->cpu / 64] |= (uint64_t)1 << e->cpu % 64;
        *cc_map_put(&w->by_cpu, (uint64_t)at << 8 | e->cpu, NULL) += cycles;
    }
    contention_times_add(w, at, since, e->cycle, cycles);
    return at;
}

/* Up to when a wait from `since` on is due to threads being started one after the other: as long as others
 * begin; and who began earlier than the last one has that lead, once, but for the one that starts them all.
 */
static uint64_t all_begun(struct cc_watch *w, const struct cc_trace_event *e, uint64_t since)
{
    struct watch_cpu *c = &w->cpus[e->cpu];
    uint64_t last = 0;
    for (unsigned i = 0; i < w->ncpus; i++)
        last = w->cpus[i].first <= e->cycle ? CC_MAX(last, w->cpus[i].first) : last;
    if (!c->first || !last)
        return since;
    uint64_t lead = c->first > w->begun && last > c->first + c->lead ? last - c->first - c->lead : 0;
    uint64_t begun = CC_MAX(CC_MIN(since + lead, e->cycle), CC_MIN(last - 1, e->cycle));
    begun = CC_MAX(begun, since);
    c->lead += begun - since;
    return begun;
}

/* As add, for waiting, with what is due to the start kept apart; returns the place of the last of it. */
static size_t add_wait(struct cc_watch *w, struct loss like, const struct cc_trace_event *e, uint64_t since,
                       uint64_t cycles)
{
    uint64_t begun = all_begun(w, e, since), early = 0;
    size_t at = 0;
    if (begun > since)
        early = (uint64_t)((double)cycles * (double)(begun - since) / (double)(e->cycle - since));
    if (early) {
        struct cc_trace_event until = *e;
        until.cycle = begun;
        like.early = true;
        at = contention_add(w, like, &until, since, early);
        like.early = false;
    }
    if (cycles > early || !early)
        at = contention_add(w, like, e, begun, cycles - early);
    return at;
}

void contention_take_back(struct cc_watch *w, size_t loss, unsigned cpu, uint64_t cycles)
{
    struct loss *l = &w->losses.v[loss];
    uint64_t *here = cc_map_get(&w->by_cpu, (uint64_t)loss << 8 | (cpu & 255));
    l->cycles -= CC_MIN(l->cycles, cycles);
    w->cpus[cpu].held -= contention_holds_up(l) ? (int64_t)cycles : 0;
    contention_times_take(w, loss, cycles);
    if (here)
        *here -= CC_MIN(*here, cycles);
}

/* A spin's own losses are part of its time: remembered until it is known whether it is one. */
void contention_pend(struct pending *list, size_t loss, uint32_t cycles)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->v[i].loss == loss) {
            list->v[i].cycles += cycles;
            return;
        }
    if (list->n < CC_COUNT(list->v))
        list->v[list->n++] = (struct part_lost){(uint32_t)loss, cycles};
}

void contention_unpend(struct pending *list, const struct part_lost *p)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->v[i].loss == p->loss)
            list->v[i].cycles -= CC_MIN(list->v[i].cycles, p->cycles);
}

static struct awaited *awaited_at(struct cc_watch *w, uint64_t address)
{
    bool fresh;
    uint64_t *at = cc_map_put(&w->by_address, address, &fresh);
    if (fresh) {
        *at = w->awaited.n;
        CC_VEC_PUSH(&w->awaited, (struct awaited){0});
    }
    return &w->awaited.v[*at];
}

void contention_awaited(struct cc_watch *w, unsigned cpu, const struct loss *l, uint64_t address,
                        bool by_atomic)
{
    enum { ARRIVES = 1024 };
    struct watch_cpu *c = &w->cpus[cpu];
    struct awaited *a = awaited_at(w, address);
    bool again = l->retry && c->spun_at == address && !c->got; /* tries once more: the same wait */
    c->got = false;
    a->waits += !again;
    a->arrived += !again && c->told && l->cycle + 1 >= c->told && l->cycle < c->told + ARRIVES;
    a->atomic += by_atomic && !again;
    c->spun_by_atomic = by_atomic;
    c->spun_at = address;
    c->spun_pc = c->got_pc = l->pc;
    c->spun_context = l->context;
}

bool contention_given_back(const struct cc_watch *w, uint64_t address)
{
    const uint64_t *at = cc_map_get(&w->by_address, address & ~(uint64_t)7);
    struct awaited a = at ? w->awaited.v[*at] : (struct awaited){0};
    /* who asks by atomics may lose what was free for a moment to another, and then waits in several pieces */
    unsigned pieces = 2 * a.atomic > a.waits ? 3 : 2;
    return pieces * a.given_back > a.waits;
}

static size_t add_spin(struct cc_watch *w, unsigned cpu, const struct polled *p, bool polled, uint64_t to)
{
    uint64_t from = polled ? p->first : p->failed_from;
    bool by_atomic = p->by_atomic || 4 * p->failed >= p->times, exchange = by_atomic && p->failed;
    struct cc_trace_event e = {.cycle = to, .cpu = (uint16_t)cpu, .addr = p->address};
    struct loss like = {.pc = exchange ? p->failed_pc : p->pc,
                        .line = polled ? p->address : p->address / 64 * 64,
                        .context = exchange ? p->failed_context : p->context,
                        .why = LOSS_SPIN,
                        .atomic = p->atomic,
                        .retry = !polled,
                        .cycle = from,
                        .node = CC_TRACE_NO_NODE};
    size_t at = add_wait(w, like, &e, from, to - from);
    contention_awaited(w, cpu, &like, p->address, by_atomic);
    contention_round(w, at, &(struct waited){cpu, false, p->address, from, to, to - from});
    contention_ask_spun(&w->cpus[cpu], from, to);
    return at;
}

/* Of the addresses a loop asks for, the one it waits for: where exchanges failed; else one that others have
 * written, or that it asks for by atomics; else the one it asks for most (a constant beside it may be). */
static const struct polled *awaited_of(const struct spin_cpu *s)
{
    const struct polled *p = &s->polled[s->main];
    for (unsigned i = 0; i < s->npolled; i++) {
        const struct polled *q = &s->polled[i];
        bool often = q->times >= SPIN_POLLS;
        bool better = often && (q->proof != p->proof ? q->proof : q->atomic && !p->atomic);
        if (q->failed > p->failed || (q->failed == p->failed && better))
            p = q;
    }
    return p;
}

/* Who has what it waited for stops asking. Who goes on long after the last write uses it: only what came
 * before was waiting, if it was a loop by then. */
static bool goes_on(const struct polled *p)
{
    enum { SOON = 1024 };
    return p->last > p->proven + SOON && !p->failed;
}

/* The loop that `by` has just ended waited for somebody: what it polls was taken from the core, or it asked
 * by atomics in vain. An exchange that failed is proof by itself: had nobody else been there, it would not
 * have. What has no proof may get it yet (prove). */
static void note_spin(struct cc_watch *w, struct watch_cpu *c, const struct spin_cpu *ended,
                      const struct cc_trace_event *by)
{
    const struct polled *p = awaited_of(ended);
    bool many = p->times >= SPIN_POLLS, polled = many && p->proof;
    bool here = (by->addr & ~(uint64_t)7) == p->address;
    bool works = polled && goes_on(p) && !(here && by->kind == CC_TRACE_WAIT);
    uint64_t to = works                                 ? p->proven
                  : here && by->kind == CC_TRACE_ATOMIC ? CC_MAX(by->cycle, p->last)
                                                        : p->last;
    polled &= !works || p->proven_times >= SPIN_POLLS;
    if (polled || p->failed) {
        size_t spin = add_spin(w, by->cpu, p, polled, to);
        for (unsigned i = 0; i < c->pending.n; i++) {
            const struct part_lost *part = &c->pending.v[i];
            w->losses.v[spin].inside += part->cycles;
            contention_take_back(w, part->loss, by->cpu, part->cycles);
            contention_ask_taken(c, part);
            contention_unpend(&c->naps.pending, part);
        }
    }
    if (many && !polled && !works)
        c->unproven = *p;
    c->pending.n = 0;
}

/* Another core has written what is, or was just now, polled. It may seem to come a little after the loop has
 * ended: what is stored can be seen before it is the core's turn to store it. */
static void prove(struct cc_watch *w, const struct cc_trace_event *e, uint64_t address)
{
    enum { LATE = 256 };
    for (unsigned i = 0; i < w->ncpus; i++) {
        struct watch_cpu *c = &w->cpus[i];
        struct polled *past = &c->unproven;
        if (i == e->cpu)
            continue;
        for (unsigned k = 0; k < c->spin.npolled; k++)
            if (c->spin.polled[k].address == address)
                contention_spin_prove(&c->spin.polled[k], e->cycle);
        if (past->times && past->address == address && e->cycle >= past->first &&
            e->cycle <= past->last + LATE) {
            add_spin(w, i, past, true, past->last);
            past->times = 0;
        }
    }
}

/* Is it the instruction that has polled, or of the loop it is in? A store-conditional beside its load-linked
 * is. */
static bool asks(const struct watch_cpu *c, const struct cc_trace_event *e)
{
    enum { BESIDE = 64 };
    uint64_t distance = e->pc > c->spun_pc ? e->pc - c->spun_pc : c->spun_pc - e->pc;
    return (e->kind == CC_TRACE_ATOMIC && e->pc == c->compared_pc) ||
           (e->context == c->spun_context &&
            (!distance || e->pc == c->got_pc ||
             (c->spun_by_atomic && distance < BESIDE && e->kind == CC_TRACE_ATOMIC)));
}

/* Has another core changed the word before this one does? */
static bool changed_before(struct cc_watch *w, unsigned cpu, uint64_t address)
{
    struct changed *x = &w->changed[(address * 0x9e3779b97f4a7c15u) >> 56], was = *x;
    *x = (struct changed){address, cpu};
    return was.address == address && was.cpu != cpu;
}

/* A lock is given back by who waited for it. */
static void note_write(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    bool changes = e->kind == CC_TRACE_ATOMIC && !(e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED));
    uint64_t address = e->addr & ~(uint64_t)7, *at;
    if (e->flags & CC_TRACE_FAILED)
        c->compared_pc = e->pc;
    if (e->kind != CC_TRACE_STORE && !changes)
        return;
    contention_round_write(w, e);
    prove(w, e, address);
    at = w->awaited.n ? cc_map_get(&w->by_address, address) : NULL;
    if ((changes && changed_before(w, e->cpu, address)) || at)
        c->told = e->cycle + 1;
    if (!at)
        return;
    struct awaited *a = &w->awaited.v[*at];
    a->writes++;
    if (address != c->spun_at)
        return;
    if (asks(c, e)) {
        c->got = true;
    } else {
        a->given_back++;
        c->spun_at = UINT64_MAX;
    }
}

/* What it waited for memory that was idle, as far as it is known. */
static void note_stall(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    uint64_t lost = 0;
    if (e->flags & (CC_TRACE_HIT | CC_TRACE_BUFFERED) || !w->together || c->joined)
        return;
    for (unsigned i = 0; i < CC_TRACE_CAUSES; i++)
        lost += e->lost[i];
    uint64_t stall = e->latency > lost ? e->latency - lost : 0, *at;
    *cc_map_put(&w->by_context, e->context, NULL) += stall;
    if (e->kind == CC_TRACE_FETCH)
        return;
    c->stalled += stall;
    c->misses++;
    if (w->stalls.n >= MANY_LOSSES && !cc_map_get(&w->by_pc, e->pc))
        return;
    bool fresh;
    at = cc_map_put(&w->by_pc, e->pc, &fresh);
    if (fresh) {
        *at = w->stalls.n;
        CC_VEC_PUSH(&w->stalls,
                    ((struct stall){.pc = e->pc, .addr = e->addr, .cycle = e->cycle, .context = e->context}));
    }
    w->stalls.v[*at].cycles += stall;
    w->stalls.v[*at].misses++;
    contention_fetched(w, (size_t)*at, e);
}

static void feed_access(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    enum { LINE = 64 };
    bool cold = contention_cold(w, e);
    for (unsigned i = 0; i < CC_TRACE_CAUSES; i++) {
        if (!e->lost[i])
            continue;
        bool sharing = i <= CC_TRACE_LOST_TRANSFER;
        struct loss like = {.pc = e->pc,
                            .line = sharing ? e->addr / LINE * LINE : 0,
                            .context = e->context,
                            .why = (uint8_t)i,
                            .fetch = e->kind == CC_TRACE_FETCH,
                            .cold = cold,
                            .atomic = e->kind == CC_TRACE_LINKED || e->kind == CC_TRACE_ATOMIC,
                            .node = sharing ? CC_TRACE_NO_NODE : e->node};
        size_t loss = contention_add(w, like, e, e->cycle, e->lost[i]);
        if (sharing && !like.atomic)
            contention_guarded(&w->losses.v[loss], c->guard, e->lost[i]);
        contention_pend(&c->pending, loss, e->lost[i]);
        contention_ask_pend(c, loss, e->lost[i]);
        contention_nap_pend(c, loss, e->lost[i]);
        w->any = true;
    }
    if (e->kind != CC_TRACE_FETCH && e->node != CC_TRACE_NO_NODE)
        w->node_accesses[CC_MIN(e->node, CC_COUNT(w->node_accesses) - 1)]++;
}

/* Does the thread that waits for others' ends from `since` on do nothing else while they run? It has worked
 * less than a sixteenth as long since the last of them began. */
static bool only_joins(const struct cc_watch *w, struct watch_cpu *c, uint64_t since, uint64_t length)
{
    enum { PART = 16 };
    if (c->joins_for != w->started) {
        c->joins_for = w->started;
        c->only_joins = since < w->started + length / PART;
    }
    return c->only_joins;
}

/* Cores that nobody runs on while a thread waits: its own, if it has nothing else to do; the rest is due to
 * those that it waits for. */
static void feed_wait(struct cc_watch *w, struct watch_cpu *c, struct loss like,
                      const struct cc_trace_event *e)
{
    uint64_t since = e->cycle - CC_MIN(e->cycle, e->latency), cycles = (uint64_t)e->lost[0] + e->lost[1];
    bool joins = e->size == CC_TRACE_ON_JOIN;
    like.line = e->addr;
    if (joins && w->started && only_joins(w, c, since, e->cycle - since)) {
        uint64_t own = CC_MIN(cycles, e->cycle - since);
        like.why = LOSS_UNUSED;
        contention_add(w, like, e, since, own);
        cycles -= own;
    }
    like.why = joins ? LOSS_JOIN : LOSS_WAIT;
    like.looked = c->looked;
    if (cycles) {
        size_t at = add_wait(w, like, e, since, cycles);
        if (!joins && e->addr && e->latency) /* who wakes others does not wait */
            contention_round(w, at,
                             &(struct waited){e->cpu, true, e->addr & ~(uint64_t)7, since, e->cycle, cycles});
    }
    w->calls += e->lost[1];
}

/* As long as it looks at what it looked at before, that is it, whatever it needs on the way. */
static void note_looked(struct watch_cpu *c, const struct spin_cpu *ended)
{
    enum { LOOKS = 4 };
    const struct polled *p = &ended->polled[ended->main];
    bool still = false;
    for (unsigned i = 0; i < ended->npolled; i++)
        still |= ended->polled[i].address == c->looked.address;
    if (p->times >= LOOKS && !still)
        c->looked = (struct looked){p->pc, p->address, p->context};
}

static bool starts_failing(const struct spin_cpu *c, const struct cc_trace_event *e)
{
    bool first = false;
    for (unsigned i = 0; i < c->npolled; i++)
        first |= c->polled[i].failed == 1 && c->polled[i].failed_from == e->cycle &&
                 c->polled[i].times < SPIN_POLLS;
    return first && (e->flags & CC_TRACE_FAILED) && e->kind == CC_TRACE_ATOMIC;
}

void cc_watch_feed(struct cc_watch *w, const struct cc_trace_event *e)
{
    if (e->cpu >= w->ncpus)
        return;
    struct watch_cpu *c = &w->cpus[e->cpu];
    struct spin_cpu ended = {0};
    bool spins = contention_spin_follow(&c->spin, e, &ended);
    if (ended.npolled) {
        note_spin(w, c, &ended, e);
        note_looked(c, &ended);
    }
    contention_ask(w, e);
    contention_nap(w, e);
    if (starts_failing(&c->spin, e))
        c->pending.n = 0; /* what came before was no retry */
    w->any |= e->context != 0;
    uint64_t end = e->cycle + (e->kind < CC_TRACE_WAIT ? e->latency : 0);
    w->last = CC_MAX(w->last, end);
    c->last = CC_MAX(c->last, end);
    if (!c->first || (e->kind == CC_TRACE_IDLE && (e->flags & CC_TRACE_BEGINS))) {
        c->first = e->cycle + 1;
        c->lead = 0;
        w->started = e->kind == CC_TRACE_IDLE ? c->first : w->started;
        w->begun = w->begun ? CC_MIN(w->begun, c->first) : c->first;
    }
    struct loss like = {.pc = e->pc, .context = e->context, .node = CC_TRACE_NO_NODE};
    w->together |= e->cpu != 0;
    c->joined |= e->kind == CC_TRACE_WAIT && e->size == CC_TRACE_ON_JOIN;
    if (e->kind < CC_TRACE_WAIT && !c->joined)
        c->worked = e->cycle;
    if (e->kind == CC_TRACE_WAIT && (e->lost[0] || e->lost[1])) {
        feed_wait(w, c, like, e);
    } else if (e->kind == CC_TRACE_IDLE) {
        like.why = LOSS_IDLE;
        bool some_ended = e->flags & CC_TRACE_ENDED;
        like.idle = e->size <= 1 ? (some_ended ? IDLE_LAST : IDLE_SERIAL)
                    : some_ended ? IDLE_UNEVEN
                                 : IDLE_START;
        contention_add(w, like, e, e->cycle - CC_MIN(e->cycle, e->latency), e->lost[0]);
    } else if (e->kind < CC_TRACE_WAIT) {
        bool waits = spins && (e->flags & CC_TRACE_HIT);
        c->accesses += e->kind != CC_TRACE_FETCH && w->together && !c->joined && !waits;
        feed_access(w, c, e);
        note_stall(w, c, e);
        note_write(w, c, e);
        contention_guard(w, c, e);
    }
}
