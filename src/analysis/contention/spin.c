/* A spin loop, seen from the trace: a CPU keeps to a few blocks of code and a few addresses, writes nothing
 * but by atomics, and asks again and again. Whether it waits for somebody shows in the rest of the trace:
 * another CPU writes one of the addresses. */
#include "internal.h"

enum { BLOCK_SHIFT = 6, MANY_WRITERS = 1 << 20, MAX_WAITS = 1 << 16, MAX_POLLED = 1 << 20 };

void contention_spins_init(struct spins *s, struct items *items, unsigned ncpus)
{
    *s = (struct spins){.items = items, .ncpus = ncpus};
    s->cpus = cc_alloc_array(ncpus + 1, sizeof *s->cpus);
}

void contention_spins_fini(struct spins *s)
{
    for (size_t i = 0; i < s->waits.n; i++)
        free(s->waits.v[i].cpus);
    CC_VEC_FINI(&s->waits);
    cc_map_fini(&s->by_place);
    cc_map_fini(&s->writers);
    free(s->cpus);
}

/* Makes the wait at this place (known by code and address) if it is new; NULL when there are too many. */
static struct spin_wait *wait_at(struct spins *s, uint64_t pc, uint32_t context, uint64_t address,
                                 bool spinning)
{
    uint32_t place = contention_items_place(s->items, pc, context);
    uint64_t key = ((uint64_t)place << 1 | spinning) * 0x9e3779b97f4a7c15u ^ (spinning ? 0 : address);
    bool fresh;
    if (s->waits.n >= MAX_WAITS && !cc_map_get(&s->by_place, key))
        return NULL;
    uint64_t *at = cc_map_put(&s->by_place, key, &fresh);
    if (fresh) {
        const struct place *p = &s->items->places.v[place];
        CC_VEC_PUSH(&s->waits, (struct spin_wait){.out = {.spinning = spinning,
                                                          .function = p->function,
                                                          .file = p->file,
                                                          .line = p->line,
                                                          .address = address},
                                                  .cpus = cc_alloc(s->ncpus / 8 + 1)});
        *at = s->waits.n;
    }
    return &s->waits.v[*at - 1];
}

static void note_episode(struct spins *s, const struct spin_cpu *c, unsigned cpu)
{
    const struct polled *main = &c->polled[c->main];
    struct spin_wait *w = wait_at(s, main->pc, main->context, main->address, true);
    if (!w)
        return;
    w->out.episodes++;
    w->out.cycles += main->last - main->first;
    w->cpus[cpu / 8] |= (uint8_t)(1 << cpu % 8);
    for (unsigned i = 0; i < c->npolled; i++) {
        bool known = false;
        if (c->polled[i].times < SPIN_POLLS)
            continue;
        for (unsigned k = 0; k < w->naddresses; k++)
            known |= w->addresses[k] == c->polled[i].address;
        if (!known && w->naddresses < SPIN_ADDRESSES)
            w->addresses[w->naddresses++] = c->polled[i].address;
        if (s->writers.n < MAX_POLLED)
            cc_map_put(&s->writers, c->polled[i].address, NULL);
    }
}

static bool keeps_to_block(struct spin_cpu *c, uint64_t block)
{
    for (unsigned i = 0; i < c->nblocks; i++)
        if (c->blocks[i] == block)
            return true;
    if (c->nblocks == SPIN_BLOCKS)
        return false;
    c->blocks[c->nblocks++] = block;
    return true;
}

void contention_spin_prove(struct polled *p, uint64_t cycle)
{
    p->proof = true;
    p->proven = CC_MAX(p->proven, cycle);
    p->proven_times = p->times;
}

static bool polls(struct spin_cpu *c, const struct cc_trace_event *e)
{
    uint64_t address = e->addr & ~(uint64_t)7;
    unsigned i = 0;
    while (i < c->npolled && c->polled[i].address != address)
        i++;
    if (i == SPIN_ADDRESSES)
        return false;
    struct polled *p = &c->polled[i];
    if (i == c->npolled) {
        *p = (struct polled){.address = address, .first = e->cycle};
        c->npolled++;
    }
    p->times++;
    p->atomic |= e->kind != CC_TRACE_LOAD;
    if (e->flags & (CC_TRACE_SHARED | CC_TRACE_VAIN))
        contention_spin_prove(p, e->cycle + e->latency);
    if (e->flags & CC_TRACE_FAILED) {
        p->failed_from = p->failed++ ? p->failed_from : e->cycle;
        p->failed_pc = e->pc;
        p->failed_context = e->context;
    }
    if (!p->votes) { /* the instruction that asks most */
        p->pc = e->pc;
        p->by_atomic = e->kind != CC_TRACE_LOAD;
    }
    if (p->pc == e->pc)
        p->context = e->context;
    p->votes += p->pc == e->pc ? 1 : -1u;
    p->last = e->cycle + e->latency;
    if (p->times > c->polled[c->main].times)
        c->main = i;
    if (i == c->main)
        c->idle = 0;
    return true;
}

static bool spinning_now(const struct spin_cpu *c)
{
    return c->npolled && c->polled[c->main].times >= SPIN_POLLS;
}

/* Who asks every few cycles, and then not for long, has worked meanwhile, though not on memory. Who asks in
 * vain by an atomic may have waited before it did so again. */
static bool paused(const struct spin_cpu *c, const struct cc_trace_event *e)
{
    enum { LONG = 1024, TIMES = 64 };
    bool vain = e->kind == CC_TRACE_ATOMIC && e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED);
    uint64_t gap = e->cycle > c->until ? e->cycle - c->until : 0;
    return c->events && !vain && gap > LONG && gap / TIMES > (c->until - c->since) / c->events;
}

static void note_event(struct spin_cpu *c, const struct cc_trace_event *e)
{
    c->since = c->events++ ? c->since : e->cycle;
    c->until = CC_MAX(c->until, e->cycle + e->latency);
}

/* Where calls put the return address on the stack, that is no more of a store than where they keep it in a
 * register: one word is stored, in the first round and so in all, and looked at next in what was called.
 * Anything else that is stored is work. */
static bool calls(struct spin_cpu *c, const struct cc_trace_event *e)
{
    bool first = !c->slot && c->npolled && c->polled[c->main].times == 1;
    if (e->kind != CC_TRACE_STORE || c->called || !e->context || !(first || c->slot == e->addr))
        return false;
    c->slot = e->addr;
    c->caller = e->context;
    c->called = true;
    return true;
}

static bool returns(struct spin_cpu *c, const struct cc_trace_event *e)
{
    if (e->kind != CC_TRACE_LOAD || !c->called || e->addr != c->slot || e->context == c->caller)
        return false;
    c->called = false;
    return true;
}

bool contention_spin_follow(struct spin_cpu *c, const struct cc_trace_event *e, struct spin_cpu *ended)
{
    bool call = calls(c, e) || returns(c, e);
    bool data =
        !call && (e->kind == CC_TRACE_LOAD || e->kind == CC_TRACE_LINKED || e->kind == CC_TRACE_ATOMIC);
    /* where it is known, an atomic that changes something is work */
    bool works = e->kind == CC_TRACE_ATOMIC && e->context && !(e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED));
    bool breaks = (e->kind == CC_TRACE_STORE && !call) || e->kind >= CC_TRACE_WAIT || works;
    if (breaks || paused(c, e) || ++c->idle > SPIN_IDLE || !keeps_to_block(c, e->pc >> BLOCK_SHIFT) ||
        (data && !polls(c, e))) {
        *ended = *c;
        *c = (struct spin_cpu){0};
        if (!breaks)
            keeps_to_block(c, e->pc >> BLOCK_SHIFT);
        if (data)
            polls(c, e);
    }
    note_event(c, e);
    return spinning_now(c);
}

bool contention_spins_feed(struct spins *s, const struct cc_trace_event *e)
{
    struct spin_cpu ended = {0};
    bool spinning = contention_spin_follow(&s->cpus[e->cpu], e, &ended);
    if (spinning_now(&ended))
        note_episode(s, &ended, e->cpu);
    if (e->kind == CC_TRACE_WAIT) {
        struct spin_wait *w = wait_at(s, e->pc, e->context, e->addr, false);
        if (w) {
            w->out.episodes++;
            w->out.cycles += e->latency;
            w->cpus[e->cpu / 8] |= (uint8_t)(1 << e->cpu % 8);
        }
    }
    return spinning;
}

bool contention_spins_again(struct spins *s, const struct cc_trace_event *e)
{
    struct spin_cpu ended;
    return contention_spin_follow(&s->cpus[e->cpu], e, &ended);
}

void contention_spins_end(struct spins *s)
{
    for (unsigned cpu = 0; cpu < s->ncpus; cpu++)
        if (spinning_now(&s->cpus[cpu]))
            note_episode(s, &s->cpus[cpu], cpu);
}

void contention_spins_restart(struct spins *s)
{
    memset(s->cpus, 0, (s->ncpus + 1) * sizeof *s->cpus);
}

void contention_spins_writer(struct spins *s, const struct cc_trace_event *e)
{
    if (!s->writers.n || (e->kind != CC_TRACE_STORE && e->kind != CC_TRACE_ATOMIC))
        return;
    uint64_t *w = cc_map_get(&s->writers, e->addr & ~(uint64_t)7);
    if (w && *w != e->cpu + 1u)
        *w = *w ? MANY_WRITERS : e->cpu + 1u;
}

const uint16_t *contention_cpu_list(struct cc_arena *arena, const uint8_t *bits, size_t nbits, size_t *ret_n)
{
    uint16_t *v = cc_arena_alloc(arena, nbits * sizeof *v);
    *ret_n = 0;
    for (size_t i = 0; i < nbits; i++)
        if (bits[i / 8] >> i % 8 & 1)
            v[(*ret_n)++] = (uint16_t)i;
    return v;
}

/* The polled address that somebody else writes; 0 if there is none. */
static uint64_t awaited(const struct spins *s, const struct spin_wait *w)
{
    for (unsigned i = 0; i < w->naddresses; i++) {
        const uint64_t *writer = cc_map_get(&s->writers, w->addresses[i]);
        if (!writer || !*writer)
            continue;
        if (*writer == MANY_WRITERS)
            return w->addresses[i];
        for (unsigned cpu = 0; cpu < s->ncpus; cpu++)
            if ((w->cpus[cpu / 8] >> cpu % 8 & 1) && *writer != cpu + 1)
                return w->addresses[i];
    }
    return 0;
}

static int longest_first(const void *a, const void *b)
{
    const struct cc_contention_wait *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

void contention_spins_report(struct spins *s, struct cc_contention *c)
{
    struct cc_contention_wait *out = cc_arena_alloc(&c->arena, (s->waits.n + 1) * sizeof *out);
    double all = ((double)(c->last - c->first) + 1) * c->cpus;
    size_t n = 0;
    for (size_t i = 0; i < s->waits.n; i++) {
        struct spin_wait *w = &s->waits.v[i];
        if (w->out.spinning && !(w->out.address = awaited(s, w)))
            continue;
        out[n] = w->out;
        out[n].object =
            contention_object_name(cc_trace_find_object(s->items->trace, w->out.address, c->last));
        out[n].share = (double)w->out.cycles / all;
        out[n].cpus = contention_cpu_list(&c->arena, w->cpus, s->ncpus, &out[n].ncpus);
        c->waiting += out[n].share;
        n++;
    }
    qsort(out, n, sizeof *out, longest_first);
    c->waits = out;
    c->nwaits = n;
}
