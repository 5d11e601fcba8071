/* Which sites write inside which loops, or read there what is from before them. */
#include "depend_internal.h"

enum { MAX_PAIRS = 1 << 18, LOOPS_WORD = 64 };

/* Of a site and LOOPS_WORD loops: what is known of their pairs, a bit each. A value may be written with
 * hundreds of loops around it, in a recursion: what is new about it is told from these, a word at a time. */
enum known { KNOWN_PAIR, KNOWN_WRITTEN, KNOWN_EXPOSED, KNOWNS }; /* it is there; wrote_at is; it is exposed */
struct known_loops {
    uint64_t key; /* 0: none */
    uint64_t v[KNOWNS];
};

static size_t known_at(const struct cc_depend *d, uint64_t key)
{
    size_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (d->known_cap - 1);
    while (d->known[at].key && d->known[at].key != key)
        at = (at + 1) & (d->known_cap - 1);
    return at;
}

static uint64_t known_key(uint16_t site, uint32_t word)
{
    return ((uint64_t)word << 16 | site) + 1;
}

static const uint64_t *known_of(const struct cc_depend *d, uint16_t site, uint32_t word)
{
    static const uint64_t nothing[KNOWNS];
    const struct known_loops *k = d->known ? &d->known[known_at(d, known_key(site, word))] : NULL;
    return k && k->key ? k->v : nothing;
}

static void grow_known(struct cc_depend *d)
{
    struct known_loops *old = d->known;
    size_t cap = d->known_cap;
    d->known_cap = cap ? 2 * cap : 1024;
    d->known = d->host.map(d->host.self, d->known_cap * sizeof *d->known);
    for (size_t i = 0; i < cap; i++)
        if (old[i].key)
            d->known[known_at(d, old[i].key)] = old[i];
    if (old)
        d->host.unmap(d->host.self, old, cap * sizeof *old);
}

static void learn(struct cc_depend *d, uint32_t loop, uint16_t site, enum known what)
{
    if (2 * d->nknown >= d->known_cap)
        grow_known(d);
    uint64_t key = known_key(site, loop / LOOPS_WORD);
    struct known_loops *k = &d->known[known_at(d, key)];
    d->nknown += !k->key;
    k->key = key;
    k->v[what] |= UINT64_C(1) << loop % LOOPS_WORD;
}

/* --- pairs --- */

struct pair_key {
    uint32_t loop;
    uint16_t site;
};

static uint64_t pair_hash_of(uint32_t loop, uint16_t site)
{
    return cc_depend_mix((uint64_t)loop << 16 | site);
}

static bool same_pair(const struct cc_depend *d, uint32_t item, const void *key)
{
    const struct pair_key *k = key;
    return d->pairs[item].loop == k->loop && d->pairs[item].site == k->site;
}

static uint64_t pair_hash(const struct cc_depend *d, uint32_t item)
{
    return pair_hash_of(d->pairs[item].loop, d->pairs[item].site);
}

static void put_pending(struct site *s, struct pair *p, uint32_t number)
{
    for (uint32_t space = 0; space < CC_SPACES; space++) {
        p->next[space] = s->pending[space];
        s->pending[space] = number;
    }
}

struct pair *cc_depend_pair(struct cc_depend *d, uint32_t loop, uint16_t site)
{
    static const struct depend_items of = {same_pair, pair_hash};
    struct pair_key key = {loop, site};
    if (site == SITE_NONE || site >= SITE_ANY)
        return NULL;
    uint32_t *slot = cc_depend_slot(d, &d->pair_index, d->npairs, pair_hash_of(loop, site), &of, &key);
    if (*slot)
        return &d->pairs[*slot - 1];
    if (d->npairs >= MAX_PAIRS) {
        d->cut = true;
        return NULL;
    }
    d->pairs = cc_depend_extend(d, d->pairs, &d->pairs_cap, d->npairs + 1, sizeof *d->pairs);
    d->news = true;
    d->pairs[d->npairs] = (struct pair){.loop = loop, .site = site};
    *slot = (uint32_t)++d->npairs;
    put_pending(&d->sites[site], &d->pairs[d->npairs - 1], (uint32_t)d->npairs);
    learn(d, loop, site, KNOWN_PAIR);
    return &d->pairs[d->npairs - 1];
}

struct spot cc_depend_spot(const struct cc_depend *d, uint64_t place, uint32_t space)
{
    struct cc_rec_dependence r = {.owner = CC_NONE};
    uint32_t object = d->locate && space == CC_SPACE_MEMORY ? d->locate(d->locate_self, place, &r) : 0;
    return (struct spot){.place = place, .base = r.base, .area = r.area, .owner = r.owner, .object = object};
}

/* --- loops under way --- */

void cc_depend_not_under_way(struct cc_depend_thread *x, const struct cc_depend_loop *l)
{
    uint32_t word = l->loop / LOOPS_WORD;
    x->under[l->loop] = l->same;
    if (l->same)
        return;
    x->way[word] &= ~(UINT64_C(1) << l->loop % LOOPS_WORD);
    if (!x->way[word])
        x->ways[word / LOOPS_WORD] &= ~(UINT64_C(1) << word % LOOPS_WORD);
}

void cc_depend_none_under_way(struct cc_depend_thread *x)
{
    if (!x->under)
        return;
    __builtin_memset(x->under, 0, x->under_cap * sizeof *x->under);
    __builtin_memset(x->way, 0, x->way_cap * sizeof *x->way);
    __builtin_memset(x->ways, 0, x->ways_cap * sizeof *x->ways);
}

/* --- what is new --- */

struct event { /* a site does that in the loops from that level on */
    struct cc_depend_thread *x;
    uint16_t site;
    enum known what;
    size_t level;
};

/* Whether the loop is under way at that level or inside it, followed from the beginning of some iteration. */
static bool is_whole_from(const struct cc_depend_thread *x, size_t level, uint32_t loop)
{
    for (uint32_t at = x->under[loop]; at > level; at = x->loops[at - 1].same)
        if (x->loops[at - 1].whole != CC_DEPEND_NOT_WHOLE)
            return true;
    return false;
}

/* Of the loops of that word that are under way, those of which it is new. */
static uint64_t new_of(const struct event *e, uint32_t word)
{
    struct cc_depend *d = e->x->owner;
    const uint64_t *known = known_of(d, e->site, word);
    bool full = d->npairs >= MAX_PAIRS;
    uint64_t some = 0, left = e->x->way[word] & ~known[e->what];
    if (full && d->cut)
        left &= known[KNOWN_PAIR]; /* there will be no others */
    for (; left; left &= left - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(left);
        if (e->what == KNOWN_EXPOSED && !is_whole_from(e->x, e->level, word * LOOPS_WORD + bit))
            continue;
        if (!full || known[KNOWN_PAIR] >> bit & 1)
            some |= UINT64_C(1) << bit;
        else
            d->cut = true;
    }
    return some;
}

/* Whether there is something: x->fresh has the loops, by words. */
static bool find_new(const struct event *e)
{
    struct cc_depend_thread *x = e->x;
    uint64_t some = 0;
    x->fresh = cc_depend_extend(x->owner, x->fresh, &x->fresh_cap, x->way_cap, sizeof *x->fresh);
    for (uint32_t i = 0; i < x->ways_cap; i++)
        for (uint64_t left = x->ways[i]; left; left &= left - 1) {
            uint32_t word = i * LOOPS_WORD + (uint32_t)__builtin_ctzll(left);
            some |= x->fresh[word] = new_of(e, word);
        }
    return some;
}

/* The pair of the loop at that level, if it is among them and was not had before. */
static struct pair *next_new(const struct event *e, size_t level)
{
    const struct cc_depend_loop *l = &e->x->loops[level];
    uint64_t *word = &e->x->fresh[l->loop / LOOPS_WORD], bit = UINT64_C(1) << l->loop % LOOPS_WORD;
    if (!(*word & bit) || (e->what == KNOWN_EXPOSED && l->whole == CC_DEPEND_NOT_WHOLE))
        return NULL;
    *word &= ~bit;
    struct pair *p = cc_depend_pair(e->x->owner, l->loop, e->site);
    if (p)
        learn(e->x->owner, l->loop, e->site, e->what);
    return p;
}

/* What is noted of a site in some loops. */
enum what { WROTE_MEMORY = 1, WROTE_REGISTER, READ_BEFORE };

/* Whether this was noted of the site lately, in the same loops. */
static bool noted(struct cc_depend_thread *x, uint32_t loops, enum what what, uint16_t site)
{
    struct cc_depend *d = x->owner;
    uint64_t key = (uint64_t)loops << 32 | (uint64_t)what << 16 | site;
    if (!d->noted)
        d->noted = d->host.map(d->host.self, NOTED_KEPT * sizeof *d->noted);
    uint64_t *kept = &d->noted[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (NOTED_KEPT - 1)];
    bool before = *kept == key;
    *kept = key;
    return before;
}

void cc_depend_writes_here(struct cc_depend_thread *x, uint16_t site, uint64_t place)
{
    struct cc_depend *d = x->owner;
    if (site >= SITE_ANY)
        return;
    d->sites[site].path[place ? CC_SPACE_MEMORY : CC_SPACE_REGISTER] = cc_depend_path(x);
    if (noted(x, cc_depend_path(x), place ? WROTE_MEMORY : WROTE_REGISTER, site))
        return;
    struct event e = {x, site, place ? KNOWN_WRITTEN : KNOWN_PAIR, 0};
    if (site == SITE_NONE || !find_new(&e))
        return;
    struct spot at = place ? cc_depend_spot(d, place, CC_SPACE_MEMORY) : (struct spot){0};
    for (size_t i = 0; i < x->nloops; i++) {
        struct pair *p = next_new(&e, i);
        if (p && place)
            p->wrote_at = at;
    }
}

void cc_depend_reads_here(struct cc_depend_thread *x, uint16_t site, uint64_t place)
{
    struct site *s = &x->owner->sites[site];
    s->read_at = cc_depend_spot(x->owner, place, CC_SPACE_MEMORY);
    s->reads = s->read_at.place != 0;
    s->read_in = x->loops[x->nloops - 1].loop;
}

static uint32_t power(uint32_t base, size_t n)
{
    uint32_t v = 1;
    for (; n; n >>= 1, base *= base)
        if (n & 1)
            v *= base;
    return v;
}

/* Of the loops from that level on, whatever is around them. */
static uint32_t chain_from(const struct cc_depend_thread *x, size_t level)
{
    uint32_t all = x->loops[x->nloops - 1].chain;
    return level ? all - x->loops[level - 1].chain * power(CC_DEPEND_CHAIN, x->nloops - level) : all;
}

static void expose(struct cc_depend_thread *x, size_t level, uint16_t site, uint64_t place)
{
    struct cc_depend *d = x->owner;
    struct event e = {x, site, KNOWN_EXPOSED, level};
    if (site == SITE_NONE || !find_new(&e))
        return;
    struct spot at = cc_depend_spot(d, place, CC_SPACE_MEMORY);
    for (size_t i = level; i < x->nloops; i++) {
        struct pair *p = next_new(&e, i);
        if (!p)
            continue;
        p->exposed = d->news = true;
        p->exposed_at = at;
    }
}

void cc_depend_exposed(struct cc_depend_thread *x, size_t level, uint16_t site, uint64_t place)
{
    struct cc_depend *d = x->owner;
    bool whole = true; /* else this may have been written before, in the part that was not followed */
    for (size_t i = level; i < x->nbegun; i++)
        whole = whole && x->loops[i].whole != CC_DEPEND_NOT_WHOLE;
    uint32_t loops = chain_from(x, level) + (whole ? 0 : (uint32_t)cc_depend_mix(x->wholes));
    if (!noted(x, loops, READ_BEFORE, site))
        expose(x, level, site, place);
    if (whole && !level)
        d->sites[site].exposed_path = cc_depend_path(x);
    if (whole)
        d->sites[site].exposed_in[level % EXPOSED_KEPT] = cc_depend_from(x, level);
}

void cc_depend_forget_pairs(struct cc_depend *d)
{
    for (size_t i = 0; i < d->nsites; i++) {
        d->sites[i].pending[CC_SPACE_MEMORY] = d->sites[i].pending[CC_SPACE_REGISTER] =
            d->sites[i].exposed_path = 0;
        d->sites[i].read_at.place = d->sites[i].reads = 0;
        __builtin_memset(d->sites[i].within, 0, sizeof d->sites[i].within);
        __builtin_memset(d->sites[i].inner, 0, sizeof d->sites[i].inner);
        __builtin_memset(d->sites[i].exposed_in, 0, sizeof d->sites[i].exposed_in);
    }
    if (d->noted)
        __builtin_memset(d->noted, 0, NOTED_KEPT * sizeof *d->noted);
    for (size_t i = 0; i < d->known_cap; i++)
        d->known[i].v[KNOWN_EXPOSED] = 0;
    for (size_t i = 0; i < d->npairs; i++) {
        struct pair *p = &d->pairs[i];
        p->exposed = p->rewritten = p->live[CC_SPACE_MEMORY] = p->live[CC_SPACE_REGISTER] = false;
        put_pending(&d->sites[p->site], p, (uint32_t)i + 1);
    }
}
