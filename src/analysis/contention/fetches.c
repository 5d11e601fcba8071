/* Which misses fetch what the core had before: those that a program which uses a line while it is there would
 * not have. In bounded memory by a sample of the pairs of core and line, the same ones for the whole run. */
#include "watch.h"

#include <xxhash.h>

enum { MOST_FETCHED = 1 << 16, MOST_HALVED = 40 };

static bool is_sampled(const struct cc_watch *w, uint64_t hash)
{
    return !(hash & (((uint64_t)1 << w->sampled) - 1));
}

/* Half of the sample goes, and with it what it counted. */
static void halve(struct cc_watch *w)
{
    struct cc_map kept = {0}, *m = &w->fetched;
    w->sampled++;
    for (size_t i = 0; i < m->cap; i++)
        if (m->used[i] && is_sampled(w, m->keys[i]))
            *cc_map_put(&kept, m->keys[i], NULL) = m->values[i];
        else if (m->used[i])
            w->stalls.v[m->values[i]].firsts--;
    cc_map_fini(m);
    *m = kept;
}

static uint64_t hash_of(const struct cc_watch *w, const struct cc_trace_event *e)
{
    const uint64_t pair[2] = {e->cpu, e->addr / w->line_bytes};
    return XXH3_64bits(pair, sizeof pair);
}

bool contention_cold(struct cc_watch *w, const struct cc_trace_event *e)
{
    enum { MOST_CODE = 1 << 18 }; /* what is beyond is taken to have been there before */
    bool fresh = false;
    if (e->kind == CC_TRACE_FETCH && w->code.n < MOST_CODE)
        cc_map_put(&w->code, hash_of(w, e), &fresh);
    return fresh;
}

void contention_fetched(struct cc_watch *w, size_t stall, const struct cc_trace_event *e)
{
    uint64_t hash = hash_of(w, e);
    bool fresh;
    if (!is_sampled(w, hash))
        return;
    uint64_t *at = cc_map_put(&w->fetched, hash, &fresh);
    if (!fresh)
        return;
    *at = stall;
    w->stalls.v[stall].firsts++;
    while (w->fetched.n > MOST_FETCHED && w->sampled < MOST_HALVED)
        halve(w);
}

double contention_refetched(const struct cc_watch *w, const struct stall *s)
{
    double firsts = (double)s->firsts * (double)((uint64_t)1 << w->sampled), all = (double)s->misses;
    return all > firsts ? (all - firsts) / all : 0;
}
