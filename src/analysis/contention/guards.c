/* What a lock guards moves from core to core with it: one fault. Which lock that is shows in the trace: a
 * core has changed a word by an atomic that is at other times in vain, and writes it by another when it is
 * through. */
#include "groups.h"

void contention_guard(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e)
{
    enum { MOST_ASKING = 4096 };
    bool atomic = e->kind == CC_TRACE_ATOMIC, vain = e->flags & (CC_TRACE_VAIN | CC_TRACE_FAILED);
    uint64_t word = e->addr & ~(uint64_t)7;
    if (atomic && vain && w->asking.n < MOST_ASKING)
        cc_map_put(&w->asking, e->pc, NULL);
    if ((!atomic && e->kind != CC_TRACE_STORE) || vain)
        return;
    if (atomic && cc_map_get(&w->asking, e->pc))
        c->guard = word;
    else if (c->guard == word)
        c->guard = 0;
}

void contention_guarded(struct loss *l, uint64_t guard, uint64_t cycles)
{
    if (!l->guard)
        l->guard = guard;
    l->guarded += guard && l->guard == guard ? cycles : 0;
}

/* The word that guards most of it; 0: none does half. */
static uint64_t guard_of(const struct grouping *g, const struct group *x)
{
    uint64_t word = 0, most = 0, cycles = 0;
    for (size_t i = 0; i < x->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[x->losses.v[i]];
        if (l->guarded > most) {
            most = l->guarded;
            word = l->guard;
        }
    }
    for (size_t i = 0; i < x->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[x->losses.v[i]];
        cycles += l->guard == word ? l->guarded : 0;
    }
    return 2 * cycles > x->out.cycles ? word : 0;
}

static bool is_lock_at(const struct grouping *g, const struct group *lock, uint64_t word)
{
    bool any = false;
    if (lock->folded || cc_causes[lock->out.cause].part != CC_PART_LOCKS)
        return false;
    for (size_t i = 0; i < lock->losses.n; i++)
        any |= (g->w->losses.v[lock->losses.v[i]].from & ~(uint64_t)7) == word;
    return any;
}

/* As long as the lock costs a quarter as much: what is shared may be guarded by the way. */
void contention_fold_guarded(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *x = &g->groups.v[i];
        bool moves = x->out.cause == CC_CAUSE_TRUE_SHARING || x->out.cause == CC_CAUSE_TRANSFER;
        uint64_t word = moves && !x->folded ? guard_of(g, x) : 0;
        for (size_t k = 0; k < g->groups.n && word && !x->folded; k++) {
            struct group *lock = &g->groups.v[k];
            if (is_lock_at(g, lock, word) && 4 * lock->out.cycles >= x->out.cycles)
                contention_fold(g, lock, x);
        }
    }
}
