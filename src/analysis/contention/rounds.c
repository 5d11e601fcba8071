/* Who comes late to a barrier, and why. Threads that meet again and again work from one opening to the next;
 * in each of these rounds the last one to come may have had more work, or have waited longer for a lock.
 * Which core that is changes from round to round, so that sums over the run show nothing. */
#include "watch.h"

enum { MOST_ROUNDS = 256 }; /* words that threads meet at */

bool contention_holds_up(const struct loss *l)
{
    return l->why == LOSS_WAIT || l->why == LOSS_SPIN || (l->why <= CC_TRACE_LOST_TRANSFER && l->atomic);
}

static struct round *round_at(struct cc_watch *w, uint64_t address)
{
    bool fresh = false;
    uint64_t *at = cc_map_get(&w->by_word, address);
    if (!at && w->rounds.n < MOST_ROUNDS)
        at = cc_map_put(&w->by_word, address, &fresh);
    if (fresh) {
        *at = w->rounds.n;
        CC_VEC_PUSH(&w->rounds, ((struct round){.cores = cc_alloc_array(w->ncpus, sizeof(struct in_round))}));
    }
    return at ? &w->rounds.v[*at] : NULL;
}

void contention_round_write(struct cc_watch *w, const struct cc_trace_event *e)
{
    const uint64_t *at = w->rounds.n ? cc_map_get(&w->by_word, e->addr & ~(uint64_t)7) : NULL;
    if (at) {
        w->rounds.v[*at].written = e->cycle + 1;
        w->rounds.v[*at].writer = e->cpu;
    }
}

/* All that have waited since before it was opened last have waited for that; who sleeps is woken with the
 * others. */
static void open_round(struct cc_watch *w, struct round *r, const struct waited *x)
{
    enum { TOGETHER = 512 };
    if (x->since < r->opened && (!x->woken || x->until <= r->opened + TOGETHER))
        return;
    r->opened = x->until;
    r->openings += x->woken;
    for (unsigned i = 0; i < w->ncpus; i++) {
        struct in_round *c = &r->cores[i];
        c->before = c->now;
        c->now = w->cpus[i].held - c->own;
    }
}

/* Who is woken and sleeps again without having worked has found that it was not meant. It may have had to
 * wait for a lock before it could tell. */
static void note_sleep(struct cc_watch *w, struct round *r, const struct waited *x)
{
    enum { SOON = 4096 };
    struct in_round *c = &r->cores[x->cpu];
    int64_t held = w->cpus[x->cpu].held - c->own, up = (int64_t)(x->since - CC_MIN(x->since, c->woken));
    r->waits++;
    r->sleepers += !c->woken;
    r->again += c->woken && up - (held - c->woken_held) < SOON;
    c->woken = x->until;
    c->woken_held = held;
}

void contention_round(struct cc_watch *w, size_t loss, const struct waited *x)
{
    enum { LATE = 256 };
    struct round *r = round_at(w, x->address);
    if (!r)
        return;
    bool written = r->written > x->since;
    r->cores[x->cpu].own += (int64_t)x->cycles;
    if (x->woken)
        note_sleep(w, r, x);
    if (!x->woken && !(written && r->written + LATE >= x->until))
        return;
    open_round(w, r, x);
    const struct in_round *me = &r->cores[x->cpu], *last = &r->cores[r->writer];
    int64_t longer = (last->now - last->before) - (me->now - me->before);
    if (written && longer > 0)
        w->losses.v[loss].held += CC_MIN((uint64_t)longer, x->cycles);
}

bool contention_woken_together(const struct cc_watch *w, uint64_t address)
{
    const uint64_t *at = cc_map_get(&w->by_word, address & ~(uint64_t)7);
    const struct round *r = at ? &w->rounds.v[*at] : NULL;
    /* all but the one that wakes them; now and then one comes too late to sleep */
    return r && r->openings > 1 && r->sleepers > 1 && 4 * r->waits >= 3 * (r->sleepers - 1) * r->openings &&
           2 * r->waits >= 3 * r->openings && 2 * r->again < r->waits;
}

void contention_rounds_fini(struct cc_watch *w)
{
    for (size_t i = 0; i < w->rounds.n; i++)
        free(w->rounds.v[i].cores);
    CC_VEC_FINI(&w->rounds);
    cc_map_fini(&w->by_word);
}
