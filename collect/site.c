/* Access sites that find something else than last time. */
#include "site.h"
#include "internal.h"

/* --- counts that sites still hold --- */

/* Whose stream it is: sites are of functions that threads run. */
static struct cc_thread *reader_of(const struct cc_collect *c, const struct cc_stream *s)
{
    return c->threads.v[cc_context_at(c, cc_node_at(c, s->consumer)->context)->thread];
}

static void load_flush(struct cc_collect *c, struct cc_load_site *l, struct cc_way *w)
{
    const struct cc_load_more *m = &l->more[w - l->ways];
    uint32_t class = (uint32_t)l->class - l->twice; /* of one */
    uint64_t n = (uint64_t)w->count << l->twice;
    struct cc_thread *t = reader_of(c, m->stream);
    cc_count_read(t, m->stream, m->edge, class, n);
    if (m->fresh)
        cc_count_fresh(t, m->stream, m->fresh, n << class);
    m->tally->reads[m->stack].n[class] += n;
    if (l->twice && !l->apart)
        m->tally->again[m->stack] += w->count;
    w->count = 0;
}

static void activate(struct cc_collect *c, struct cc_sites *s, void *site)
{
    s->v = cc_extend(c, s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = site;
}

static void ways_empty(struct cc_way *ways)
{
    for (uint32_t i = 0; i < CC_WAYS; i++)
        ways[i].key = 0;
}

/* Those that nobody came by since the last time are forgotten, so that the next time is shorter. */
void cc_sites_flush(struct cc_collect *c, bool forget)
{
    struct cc_sites *s = &c->sites;
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct cc_load_site *l = s->v[i];
        bool used = false;
        for (struct cc_way *w = l->ways; w < l->ways + CC_WAYS; w++) {
            used |= w->count != 0;
            if (w->count)
                load_flush(c, l, w);
        }
        if (used && !forget) {
            s->v[kept++] = l;
            continue;
        }
        ways_empty(l->ways);
        l->active = false;
    }
    s->n = kept;
}

/* --- where ways are --- */

enum { SHIFTS = 20 }; /* states and salts have few more bits */

/* What is shifted, of what a way is about. (Nodes have 23 bits, scope.c.) */
static uint32_t way_bits(const struct cc_way *w)
{
    return (uint32_t)w->key ^ cc_salt(w->key >> 32 & 0x7fffff);
}

/* Where each way would be, those that are found most in their first places if that can be; returns how many
 * finds are in second places, UINT64_MAX: not all have room. `from`: for each place the way that is there,
 * CC_WAYS: none. */
static uint64_t place_ways(const struct cc_way *ways, uint32_t shift, uint32_t from[CC_WAYS])
{
    uint64_t seconds = 0;
    bool placed[CC_WAYS];
    for (uint32_t i = 0; i < CC_WAYS; i++) {
        from[i] = CC_WAYS;
        placed[i] = !ways[i].key;
    }
    for (uint32_t n = 0; n < CC_WAYS; n++) {
        uint32_t most = CC_WAYS;
        for (uint32_t i = 0; i < CC_WAYS; i++)
            if (!placed[i] && (most == CC_WAYS || ways[i].count > ways[most].count))
                most = i;
        if (most == CC_WAYS)
            break;
        uint32_t at = way_bits(&ways[most]) >> shift & (CC_WAYS - 1);
        if (from[at] != CC_WAYS) {
            at ^= 1;
            seconds += (uint64_t)ways[most].count + 1;
        }
        if (from[at] != CC_WAYS)
            return UINT64_MAX;
        from[at] = most;
        placed[most] = true;
    }
    return seconds;
}

/* The shift with the fewest finds in second places, and where each way is with it; the present one if no
 * other is better. */
static uint32_t best_shift(const struct cc_way *ways, uint32_t from[CC_WAYS])
{
    uint32_t best = ways->next >> CC_SHIFT_AT & 31, there[CC_WAYS];
    uint64_t least = place_ways(ways, best, from);
    for (uint32_t shift = 0; shift < SHIFTS && least; shift++) {
        uint64_t seconds = place_ways(ways, shift, there);
        if (seconds >= least)
            continue;
        least = seconds;
        best = shift;
        for (uint32_t i = 0; i < CC_WAYS; i++)
            from[i] = there[i];
    }
    return least == UINT64_MAX ? CC_NONE : best;
}

/* `from` as place_ways makes it; false: all stay where they are. */
static bool ways_move(struct cc_way *ways, uint32_t from[CC_WAYS])
{
    struct cc_way old[CC_WAYS];
    uint32_t shift = best_shift(ways, from);
    if (shift == CC_NONE)
        return false;
    for (uint32_t i = 0; i < CC_WAYS; i++)
        old[i] = ways[i];
    for (uint32_t i = 0; i < CC_WAYS; i++) {
        ways[i] = from[i] < CC_WAYS ? old[from[i]] : (struct cc_way){0};
        ways[i].next &= ~CC_SHIFT;
    }
    ways->next |= shift << CC_SHIFT_AT;
    return true;
}

void cc_site_spread_load(struct cc_load_site *l)
{
    uint32_t from[CC_WAYS];
    struct cc_load_more old[CC_WAYS];
    l->seconds = 0;
    for (uint32_t i = 0; i < CC_WAYS; i++)
        old[i] = l->more[i];
    if (ways_move(l->ways, from))
        for (uint32_t i = 0; i < CC_WAYS; i++)
            if (from[i] < CC_WAYS)
                l->more[i] = old[from[i]];
}

/* --- loads --- */

static __attribute__((noinline)) void mark_elsewhere(struct cc_thread *t, uint64_t a, uint32_t size,
                                                     struct cc_load_more *m)
{
    if ((a & 63) + size > 64) {
        cc_edge_touch(t, m->stream, a, size);
    } else if (!cc_edge_mark_inside(m->stream, a, size)) {
        m->bits = cc_edge_page(t, m->stream, a);
        m->page = cc_page_of(a);
        cc_edge_mark(m->bits, a, size);
    }
}

/* Each way remembers where it marked last: ways of one site are about different streams. */
void cc_site_mark(struct cc_thread *t, uint64_t a, struct cc_load_site *l, const struct cc_way *w)
{
    struct cc_load_more *m = &l->more[w - l->ways];
    uint32_t size = 1u << l->class;
    if (__builtin_expect(m->page == cc_page_of(a) && (a & 63) + size <= 64, 1))
        cc_edge_mark(m->bits, a, size);
    else
        mark_elsewhere(t, a, size, m);
}

struct cc_way *cc_site_adopt_load(struct cc_thread *t, struct cc_load_site *l, struct cc_way *w,
                                  const struct cc_transition *m)
{
    if (w->count)
        load_flush(t->owner, l, w);
    if (!l->active)
        activate(t->owner, &t->owner->sites, l);
    l->active = true;
    *w = (struct cc_way){.key = m->key,
                         .next = m->next | (w->next & CC_SHIFT) | (m->holds || m->known ? 0 : CC_ATTEND)};
    l->more[w - l->ways] = (struct cc_load_more){.stream = m->stream,
                                                 .edge = m->edge,
                                                 .tally = t->tally,
                                                 .fresh = m->holds ? 0 : m->fresh,
                                                 .stack = m->stack,
                                                 .page = CC_NO_PAGE};
    return w;
}

void cc_site_first(struct cc_thread *t, uint64_t a, uint32_t class, const struct cc_transition *m)
{
    uint32_t size = 1u << class;
    cc_count_fresh(t, m->stream, m->fresh, size);
    if (m->known)
        return;
    if (__builtin_expect((a & 63) + size <= 64, 1))
        cc_edge_touch_within(t, m->stream, a, size);
    else
        cc_edge_touch(t, m->stream, a, size);
}

const struct cc_transition *cc_site_transition(struct cc_thread *t, uint32_t state, uint64_t a,
                                               uint32_t class)
{
    const struct cc_transition *m = cc_transition_known(t, state);
    if (!m)
        m = cc_transition_alone(t, state, cc_alone_place(a, class));
    return m ? m : cc_transition_find(t, state);
}
