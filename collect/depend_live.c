/* Values that outlive the iteration that wrote them, and its loop. */
#include "depend_internal.h"

/* --- iterations before the last of an invocation that is over, by stamp --- */

void cc_depend_outlived(struct cc_depend *d, uint32_t from, uint32_t to)
{
    if (to > d->outlived)
        d->outlived = to;
    if (to > OUTLIVES_KEPT)
        to = OUTLIVES_KEPT;
    if (from >= to)
        return;
    if (!d->outlives)
        d->outlives = d->host.map(d->host.self, OUTLIVES_KEPT / 8);
    uint64_t *first = &d->outlives[from / 64], *last = &d->outlives[(to - 1) / 64];
    uint64_t low = UINT64_MAX << from % 64, high = UINT64_MAX >> (63 - (to - 1) % 64);
    if (first == last) {
        *first |= low & high;
        return;
    }
    *first |= low;
    for (uint64_t *at = first + 1; at < last; at++)
        *at = UINT64_MAX;
    *last |= high;
}

void cc_depend_forget_outlived(struct cc_depend *d)
{
    if (d->outlives)
        d->host.unmap(d->host.self, d->outlives, OUTLIVES_KEPT / 8);
    d->outlives = NULL;
    d->outlived = 0;
}

/* --- whose they are --- */

/* What is found stays so: the stretch around the stamp is remembered. */
static bool quiet_between(struct loop_facts *f, uint32_t from, uint32_t to)
{
    f->quiet_from = from;
    f->quiet_to = to;
    return false;
}

/* One after the other: the first that ended then or later is the only one it can be in. */
static bool is_earlier_of(struct loop_facts *f, uint32_t stamp, uint64_t n)
{
    uint64_t low = f->nended - n, high = f->nended;
    if (stamp >= f->quiet_from && stamp < f->quiet_to)
        return false;
    while (low < high) {
        uint64_t mid = (low + high) / 2;
        if (f->ended[mid % INVOCATIONS_KEPT].end < stamp)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == f->nended)
        return false;
    const struct ended *e = &f->ended[low % INVOCATIONS_KEPT];
    if (e->began <= stamp)
        return stamp < e->last || quiet_between(f, e->last, e->end + 1);
    if (low == f->nended - n)
        return f->nended > INVOCATIONS_KEPT; /* too long ago to tell */
    return quiet_between(f, f->ended[(low - 1) % INVOCATIONS_KEPT].end + 1, e->began);
}

/* Whether it was written in an iteration, not the last one, of an invocation that is over. */
static bool is_earlier(struct loop_facts *f, uint32_t stamp)
{
    uint64_t n = f->nended < INVOCATIONS_KEPT ? f->nended : INVOCATIONS_KEPT;
    if (!f->overlaps)
        return is_earlier_of(f, stamp, n);
    for (uint64_t i = 1; i <= n; i++) {
        const struct ended *e = &f->ended[(f->nended - i) % INVOCATIONS_KEPT];
        if (e->end < stamp)
            return false;
        if (e->began <= stamp && stamp < e->last)
            return true;
    }
    return f->nended > INVOCATIONS_KEPT; /* too long ago to tell */
}

void cc_depend_live_after(struct cc_depend_thread *x, const struct cc_depend_met *m)
{
    struct cc_depend *d = x->owner;
    uint32_t *at = &d->sites[m->first].pending[m->space];
    while (*at) {
        struct pair *p = &d->pairs[*at - 1];
        struct loop_facts *f = cc_depend_facts(d, p->loop);
        if (f->end < m->stamp || !is_earlier(f, m->stamp)) {
            at = &p->next[m->space];
            continue;
        }
        p->live[m->space] = d->news = true;
        p->reader[m->space] = m->second;
        p->live_at[m->space] = cc_depend_spot(d, m->place, m->space);
        *at = p->next[m->space];
    }
}
