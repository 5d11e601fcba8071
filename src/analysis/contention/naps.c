/* A word that is looked at with sleeps in between. A sleep is ended by the clock, but who sleeps only to look
 * again waits for whoever writes the word: the same instruction, on the same call path, looks at it before
 * the sleep and after it, does next to nothing else, and finds at last that another core has written it. */
#include "watch.h"

/* Cycles from a look to the sleep, and from there to the next look: the call, not work. */
enum { PAUSE = 2048 };

static struct look *look_at(struct naps *n, const struct cc_trace_event *e)
{
    struct look *l = &n->looks[((e->pc ^ e->addr) * 0x9e3779b97f4a7c15u) >> (64 - NAP_LOOKS)];
    if (l->pc != e->pc || l->address != e->addr || l->context != e->context)
        *l = (struct look){.pc = e->pc, .address = e->addr, .context = e->context, .naps = n->naps};
    return l;
}

/* What accesses have lost since the first look, as far as it is known where, is part of the wait. */
static uint64_t take_parts(struct cc_watch *w, struct naps *n, const struct look *l, unsigned cpu)
{
    uint64_t all = 0, since = n->lost - l->lost, taken = 0;
    for (unsigned i = 0; i < n->pending.n; i++)
        all += n->pending.v[i].cycles;
    for (unsigned i = 0; i < n->pending.n; i++) { /* the list may go back further */
        uint64_t cycles = n->pending.v[i].cycles, part = all > since ? cycles * since / all : cycles;
        contention_take_back(w, n->pending.v[i].loss, cpu, part);
        taken += part;
    }
    n->pending.n = 0;
    return taken;
}

/* All the time from the first look to the last one, but for what others had the core for and what stays
 * charged to accesses; each cycle is charged once, whatever else was looked at. */
static void note_wait(struct cc_watch *w, struct naps *n, const struct look *l,
                      const struct cc_trace_event *e)
{
    struct cc_trace_event at = {.cycle = e->cycle, .cpu = e->cpu, .addr = l->address};
    struct loss like = {.pc = l->pc,
                        .line = l->address,
                        .context = l->context,
                        .why = LOSS_SPIN,
                        .cycle = l->since,
                        .node = CC_TRACE_NO_NODE};
    uint64_t since = CC_MAX(l->since, n->charged), others = n->others - l->others + n->lost - l->lost;
    n->charged = CC_MAX(n->charged, e->cycle);
    if (e->cycle <= since + others)
        return;
    uint64_t parts = take_parts(w, n, l, e->cpu);
    contention_awaited(w, e->cpu, &like, l->address & ~(uint64_t)7, false);
    size_t wait =
        contention_add(w, like, &at, since, CC_MIN(e->cycle - since - others + parts, e->cycle - since));
    w->losses.v[wait].inside += parts;
}

void contention_nap_pend(struct watch_cpu *c, size_t loss, uint32_t cycles)
{
    c->naps.lost += cycles;
    if (c->naps.naps)
        contention_pend(&c->naps.pending, loss, cycles);
}

static void note_look(struct cc_watch *w, struct naps *n, const struct cc_trace_event *e)
{
    struct look *l = look_at(n, e);
    bool slept = l->naps + 1 == n->naps && n->from <= l->cycle + PAUSE && e->cycle <= n->to + PAUSE;
    if (!slept && l->naps != n->naps)
        l->waits = false;
    if (slept && !l->waits) {
        l->waits = true;
        l->since = l->cycle;
        l->others = l->before;
        l->lost = l->lost_before;
    }
    if (l->waits && e->flags & (CC_TRACE_SHARED | CC_TRACE_FALSE)) {
        note_wait(w, n, l, e);
        l->waits = false;
    }
    l->naps = n->naps;
    l->cycle = e->cycle;
    l->before = n->others;
    l->lost_before = n->lost;
}

void contention_nap(struct cc_watch *w, const struct cc_trace_event *e)
{
    struct watch_cpu *c = &w->cpus[e->cpu];
    struct naps *n = &c->naps;
    if (e->kind == CC_TRACE_WAIT && e->size == CC_TRACE_ON_TIME && !e->addr) {
        n->naps++;
        n->from = e->cycle - CC_MIN(e->cycle, e->latency);
        if (n->from > n->to + 2 * PAUSE) /* another wait */
            n->pending.n = 0;
        n->to = e->cycle;
        n->other = CC_MAX(n->from, CC_MIN(c->last, e->cycle)) - n->from; /* others had the core */
        n->others += n->other;
    } else if (n->naps && e->context &&
               (e->kind == CC_TRACE_LOAD || e->kind == CC_TRACE_LINKED || e->kind == CC_TRACE_ATOMIC))
        note_look(w, n, e);
}
