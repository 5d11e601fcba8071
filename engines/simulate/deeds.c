/* Blocks, accesses and fences of the program's threads on the model. A core does what others see in the order
 * of time. Where it is not a core's turn, and what it does touches nothing that another thread has a part in,
 * its code need not wait for its clock: it runs on and owes what it has done, up to DEEDS, and whoever has
 * the token pays it when the time has come. So the token need not change hands at every miss, and the model
 * sees everything in order all the same. */
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

static inline uint64_t limit(enum turn turn)
{
    return atomic_load_explicit(&world.limit[turn], memory_order_relaxed);
}

static inline bool is_lost(const struct cc_sim_access *a)
{
    uint64_t two[CC_SIM_CAUSES / 2], any = 0;
    _Static_assert(sizeof two == sizeof a->lost, "an even number of causes");
    memcpy(two, a->lost, sizeof two); /* mostly zeroed just now, as a whole */
    for (unsigned i = 0; i < CC_SIM_CAUSES / 2; i++)
        any |= two[i];
    return any != 0;
}

/* Field by field: what the model has just written in parts is slow to read as a whole. */
static inline void describe(struct cc_trace_event *e, const struct thread *t, const struct deed *x,
                            const struct cc_sim_access *a)
{
    static const uint8_t kinds[] = {
        [CC_SIM_LOAD] = CC_TRACE_LOAD, [CC_SIM_STORE] = CC_TRACE_STORE,   [CC_SIM_LL] = CC_TRACE_LINKED,
        [CC_SIM_SC] = CC_TRACE_ATOMIC, [CC_SIM_ATOMIC] = CC_TRACE_ATOMIC, [DEED_BLOCK] = CC_TRACE_FETCH,
        [DEED_FENCE] = CC_TRACE_STORE};
    const struct core *c = t->core;
    e->cycle = e->cycle > c->last_event ? e->cycle : c->last_event;
    e->addr = x->kind == DEED_BLOCK ? e->pc : x->addr;
    e->latency = a->latency;
    e->cpu = (uint16_t)c->number;
    e->node = a->flags & CC_SIM_HIT ? CC_TRACE_NO_NODE : a->node;
    e->kind = kinds[x->kind];
    e->flags = a->flags | x->outcome;
    e->hops = (uint8_t)(a->hops < 255 ? a->hops : 255);
    e->size = (uint8_t)(x->size < 255 ? x->size : 255);
    e->context = x->context ? x->context : context_now(t);
}

/* Most events have lost nothing and are coded: these never are in memory as a whole. */
static void record(struct thread *t, const struct deed *x, uint64_t now, uint64_t pc,
                   const struct cc_sim_access *a)
{
    if (world.shared->coded && !is_lost(a)) {
        struct cc_trace_event e = {.cycle = now, .pc = pc};
        describe(&e, t, x, a);
        event_code(t->core, &e);
    } else {
        struct cc_trace_event e = {.cycle = now, .pc = pc};
        describe(&e, t, x, a);
        _Static_assert(sizeof e.lost == sizeof a->lost, "one list of causes");
        memcpy(e.lost, a->lost, sizeof e.lost);
        event_put(t->core, &e);
    }
}

/* ---- blocks ---- */

/* Is the block's code in the core's cache? */
static bool fetch_hits(const struct core *c, const struct block *b)
{
    uint64_t length = world.shared->config.icache.line;
    bool hits = true;
    for (uint64_t line = b->pc & ~(length - 1); line <= b->last; line += length)
        hits &= cc_sim_fetch_hits(world.sim, c->number, line + world.tag);
    return hits;
}

static void run_block(struct thread *t, const struct deed *x)
{
    const struct block *b = x->what;
    struct core *c = t->core;
    uint64_t length = world.shared->config.icache.line;
    c->stats->instructions += b->n;
    for (uint64_t line = b->pc & ~(length - 1); line <= b->last; line += length) {
        struct cc_sim_access a;
        cc_sim_do_fetch(world.sim, c->number, c->stats->cycles, line + world.tag, &a);
        if (!(a.flags & CC_SIM_HIT) || world.shared->events == CC_SIM_EVENTS_ALL) {
            if (world.shared->events)
                record(t, x, c->stats->cycles, line > b->pc ? line : b->pc, &a);
            if (!(a.flags & CC_SIM_HIT))
                c->stats->cycles += a.latency;
        }
    }
    c->stats->cycles += b->cycles;
}

/* ---- accesses ---- */

/* Is this one of many atomics? Those of a barrier, far from each other, are not. */
static bool is_dense(const struct core *c, const struct deed *x, uint64_t now)
{
    enum { CLOSE = 200 };
    return (x->kind == CC_SIM_LL || x->kind == CC_SIM_ATOMIC) && now - c->last_atomic < CLOSE;
}

/* Whose turn an access needs. Only asked for when the core is ahead of somebody. */
static enum turn turn_of(const struct core *c, const struct deed *x, uint64_t now)
{
    if (!world.shared->ordered)
        return is_dense(c, x, now) ? TURN_ATOMIC : TURN_RUN;
    if (x->io || x->looks)
        return TURN_GLOBAL;
    switch (cc_sim_reach(world.sim, c->number, x->kind, x->addr + world.tag, (unsigned)x->size)) {
    case CC_SIM_PRIVATE:
        return TURN_RUN;
    case CC_SIM_LONELY:
        return TURN_SLACK;
    default:
        return TURN_GLOBAL;
    }
}

/* QEMU tells of an access when it has happened. One that met a contended line lately is taken to do so again,
 * and waits for its turn before it happens; one of what threads talk by until its thread owes nothing
 * (on_gate). In the strictest order all wait: a load that has happened before another core's write of an
 * earlier time has seen what was there before. */
static void foretell(const struct core *c, const struct deed *x)
{
    struct insn *i = x->what;
    uint64_t addr = x->addr + world.tag;
    bool contended =
        !world.shared->ahead ||
        (!x->alone && (x->kind > CC_SIM_STORE ? cc_sim_reach(world.sim, c->number, x->kind, addr,
                                                             (unsigned)x->size) != CC_SIM_PRIVATE
                                              : !x->io && cc_sim_contended(world.sim, c->number, addr)));
    i->foretold = contended ? FORETELL : i->foretold - (i->foretold > 0);
    i->talks = x->spare < SPARE_ANY && world.owes ? FORETELL : i->talks - (i->talks > 0);
    i->spare = x->spare;
}

static void run_access(struct thread *t, const struct deed *x)
{
    struct core *c = t->core;
    const struct insn *i = x->what;
    uint64_t now = c->stats->cycles - i->after;
    if (x->kind == CC_SIM_LL || x->kind == CC_SIM_ATOMIC)
        c->last_atomic = now;
    struct cc_sim_access a;
    if (x->io)
        a = cc_sim_io(world.sim, c->number, now, x->addr, x->kind == CC_SIM_STORE);
    else
        cc_sim_do_access(world.sim, c->number, x->kind, now, x->addr + world.tag, (unsigned)x->size, &a);
    uint32_t hit = x->io ? 0 : world.shared->config.dcache.latency;
    c->stats->cycles += a.latency - hit;
    if (world.shared->events >= CC_SIM_EVENTS_DATA ||
        (world.shared->events && (!(a.flags & (CC_SIM_HIT | CC_SIM_BUFFERED)) || is_lost(&a))))
        record(t, x, now, i->pc, &a);
}

static void run_fence(struct thread *t, const struct deed *x)
{
    const struct insn *i = x->what;
    struct cc_sim_access a;
    uint64_t now = t->core->stats->cycles - i->after;
    cc_sim_fence(world.sim, t->core->number, now, &a);
    t->core->stats->cycles += a.latency;
    if (world.shared->events && a.latency)
        record(t, x, now, i->pc, &a);
}

/* ---- in turn ---- */

/* What it does lies this much before the core's clock. */
static uint64_t lag_of(const struct deed *x)
{
    return x->kind < DEED_BLOCK || x->kind == DEED_FENCE ? ((const struct insn *)x->what)->after : 0;
}

/* May the core do it now? Else *need is the turn it has to have. */
static bool has_turn(const struct thread *t, const struct deed *x, enum turn *need)
{
    const struct core *c = t->core;
    uint64_t now = c->stats->cycles - lag_of(x);
    if (x->kind > DEED_BLOCK || now <= limit(TURN_GLOBAL))
        return true;
    if (x->kind == DEED_BLOCK)
        *need = now > limit(TURN_SLACK) && !fetch_hits(c, x->what) ? TURN_SLACK : TURN_RUN;
    else
        *need = turn_of(c, x, now);
    return now <= limit(*need);
}

/* Of a load-linked and a store-conditional that only add: how many additions each word has had by the model's
 * time. The program's own were done at once; on the model the store fails where another core has added to the
 * word since the load. */
enum { WORDS = 1 << 16, ROOM = 4 }; /* ROOM: among what is owed, for what has to be done again */
static uint32_t additions[WORDS];

static bool store_fails(struct thread *t, const struct deed *x)
{
    if (!x->adds || !((const struct insn *)x->what)->pair || x->outcome & CC_TRACE_FAILED)
        return false;
    uint32_t *n = &additions[x->addr / 4 % WORDS];
    if (x->kind == CC_SIM_LL)
        t->linked = *n;
    else if (*n != t->linked)
        return true;
    else
        ++*n;
    return false;
}

static void put_first(struct thread *t, const struct deed *x)
{
    if (!t->deeds && !(t->deeds = calloc(DEEDS, sizeof *t->deeds)))
        abort();
    t->first_deed = (t->first_deed + DEEDS - 1) % DEEDS;
    t->deeds[t->first_deed] = *x;
    t->ndeeds++;
}

/* Loads again, adds and stores, before all else it owes. */
static void try_again(struct thread *t, const struct deed *x)
{
    struct block *b = ((const struct insn *)x->what)->retry;
    struct deed again = *x;
    if (t->ndeeds + ROOM > DEEDS)
        return;
    again.judged = again.foretold = again.alone = true;
    again.spare = SPARE_ANY;
    if (!again.context && world.shared->events)
        again.context = context_now(t);
    for (unsigned i = 0; i < 2; i++) {
        again.kind = i ? CC_SIM_LL : CC_SIM_SC;
        again.what = &b->insn[i ? 0 : 2];
        lines_owe(&again, true);
        put_first(t, &again);
    }
    again.kind = DEED_BLOCK;
    again.what = b;
    again.adds = false;
    put_first(t, &again);
    t->owed += b->cycles;
    world.shared->own_cycles[t->context] += b->cycles;
}

static void run(struct thread *t, const struct deed *x)
{
    struct deed failed;
    if (x->kind < DEED_BLOCK && store_fails(t, x)) {
        failed = *x;
        failed.outcome |= CC_TRACE_FAILED;
        run_access(t, &failed);
        try_again(t, x);
        return;
    }
    switch (x->kind) {
    case DEED_BLOCK:
        run_block(t, x);
        break;
    case DEED_FENCE:
        run_fence(t, x);
        break;
    case DEED_BEGINS:
    case DEED_ENDS:
        heap_changes(t, x);
        break;
    default:
        run_access(t, x);
    }
}

uint64_t deeds_lag(const struct thread *t)
{
    return t->ndeeds ? lag_of(&t->deeds[t->first_deed]) : t->last_lag;
}

void deeds_pay(struct thread *t)
{
    enum turn need;
    while (t->ndeeds) {
        const struct deed x = t->deeds[t->first_deed];
        if (!has_turn(t, &x, &need))
            break;
        if (!x.foretold && world.gates && x.kind < DEED_BLOCK)
            foretell(t->core, &x);
        t->owed -= x.kind == DEED_BLOCK ? ((const struct block *)x.what)->cycles : 0;
        if (x.adds)
            lines_owe(&x, false);
        t->first_deed = (t->first_deed + 1) % DEEDS;
        t->ndeeds--;
        run(t, &x);
    }
    t->lag = deeds_lag(t);
}

bool deeds_private(const struct thread *t)
{
    for (unsigned i = 0; i < t->ndeeds; i++) {
        const struct deed *x = &t->deeds[(t->first_deed + i) % DEEDS];
        bool hits = x->kind == DEED_BLOCK
                        ? fetch_hits(t->core, x->what)
                        : x->kind == CC_SIM_LOAD &&
                              cc_sim_reach(world.sim, t->core->number, CC_SIM_LOAD, x->addr + world.tag,
                                           (unsigned)x->size) == CC_SIM_PRIVATE;
        if (!hits)
            return false;
    }
    return true;
}

void deed_owe(struct thread *t, struct deed *x)
{
    if (!t->deeds)
        t->deeds = calloc(DEEDS, sizeof *t->deeds);
    if (!t->deeds || t->ndeeds == DEEDS)
        return;
    if (!x->context && world.shared->events) {
        if (!t->context_here)
            t->context_here = context_now(t);
        x->context = t->context_here;
    }
    t->owed += x->kind == DEED_BLOCK ? ((const struct block *)x->what)->cycles : 0;
    if (x->adds)
        lines_owe(x, true);
    t->deeds[(t->first_deed + t->ndeeds++) % DEEDS] = *x;
}

/* It does not have the token: it will do this when it has. */
static void put_off(struct thread *t, const struct deed *x)
{
    if (!t->put_off)
        t->put_off = calloc(MAX_PUT_OFF, sizeof *t->put_off);
    if (t->put_off && t->nput_off < MAX_PUT_OFF)
        t->put_off[t->nput_off++] = *x;
}

void deeds_resume(struct thread *t)
{
    struct deed list[MAX_PUT_OFF];
    unsigned n = t->nput_off;
    if (!n)
        return;
    memcpy(list, t->put_off, n * sizeof *list);
    t->nput_off = 0;
    for (unsigned i = 0; i < n; i++)
        deed_do(t, &list[i]); /* relieved again, it puts the rest off again */
    lap_end(t);
}

static bool may_owe(const struct thread *t, const struct deed *x)
{
    return x->alone && world.owes && t->ndeeds < DEEDS - ROOM;
}

static bool settle(struct thread *t, uint64_t lag, bool in_code)
{
    t->last_lag = lag;
    while (t->holder && t->ndeeds)
        sched_yield_token(t, now_of(t), TURN_GLOBAL, in_code);
    return t->holder;
}

bool deeds_settle(struct thread *t, bool in_code)
{
    return settle(t, 0, in_code);
}

/* True: others may have run meanwhile. */
static bool await(struct thread *t, const struct insn *i)
{
    bool waited = false;
    if (t->ndeeds && (i->foretold || t->laps || t->owed > i->spare)) {
        waited = true;
        if (!settle(t, i->after, true))
            return false;
    }
    if (t->ndeeds)
        return false;
    bool meets = i->foretold || t->laps || (i->talks && !i->spare);
    enum turn turn = meets ? TURN_GLOBAL : TURN_RUN;
    while (t->holder && now_of(t) - i->after > limit(turn)) {
        uint64_t now = now_of(t) - i->after;
        if (!world.owes || !sched_catch_up(t, now, turn))
            sched_yield_token(t, now, turn, true);
        waited = true;
    }
    if (t->laps && t->holder)
        sched_yield_token(t, now_of(t) - i->after, turn, true);
    return waited && t->holder && turn != TURN_GLOBAL;
}

void deeds_await(struct thread *t, struct insn *i)
{
    bool known = place_foretell(t, i);
    t->laps = lap_waits(t, i);
    while (await(t, i) && known) /* the place may be another's by now */
        place_foretell(t, i);
    t->laps = false;
}

/* Who loads one word again and again may wait for what another will write there. */
static bool polls(struct thread *t, const struct deed *x)
{
    bool again = x->kind == CC_SIM_LOAD && x->addr == t->polled;
    t->polls = again ? t->polls + (t->polls < LOOKS_IN_A_ROW) : 0;
    t->polled = x->addr;
    return t->polls == LOOKS_IN_A_ROW;
}

static void judge(struct thread *t, struct deed *x)
{
    uint64_t spare = x->kind >= DEED_BLOCK ? SPARE_ANY : 0;
    if (x->kind < DEED_BLOCK && !x->io && world.gates && world.owes) {
        bool waits = polls(t, x);
        if (!waits)
            lap_end(t);
        spare = lines_spare(t, x);
        spare = waits ? 0 : spare < SPARE_ANY ? spare : SPARE_ANY;
    } else
        x->adds = false;
    x->spare = (uint16_t)spare;
    x->alone = spare == SPARE_ANY || (spare && t->owed <= spare);
    x->judged = true;
}

/* Until it has to wait for another's turn; true: it is done, or will be. */
static bool do_at_once(struct thread *t, struct deed *x)
{
    enum turn need;
    if (!x->foretold && world.gates && x->kind < DEED_BLOCK)
        foretell(t->core, x);
    x->foretold = true;
    /* what others see may change while the core waits: look again */
    while (!has_turn(t, x, &need)) {
        uint64_t now = now_of(t) - lag_of(x);
        if (world.owes && sched_catch_up(t, now, need))
            continue;
        if (may_owe(t, x)) {
            deed_owe(t, x);
            return true;
        }
        sched_yield_token(t, now, need, true);
        if (!t->holder)
            return false;
    }
    run(t, x);
    return true;
}

void deed_do(struct thread *t, struct deed *x)
{
    /* a thread that is the only one: nobody's turn, nothing to foretell */
    if (!world.gates && t->holder && !t->ndeeds && x->kind < DEED_BLOCK && !x->io &&
        now_of(t) - lag_of(x) <= limit(TURN_GLOBAL)) {
        run_access(t, x);
        return;
    }
    if (t->holder && !x->judged) {
        if (x->kind == DEED_BLOCK)
            context_enter(t, x->what);
        judge(t, x);
        if (t->polls == LOOKS_IN_A_ROW)
            lap_note(t, x);
    }
    if (t->holder && t->ndeeds && may_owe(t, x))
        deed_owe(t, x);
    else if (!t->holder || (t->ndeeds && !settle(t, lag_of(x), true)) || !do_at_once(t, x))
        put_off(t, x);
}
