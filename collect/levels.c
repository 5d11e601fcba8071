/* Streams at coarser levels: counts add up, addresses have to be united.
 *
 * There may be millions of streams, so they are sorted by the groups they join: those of one pair of groups
 * are then side by side, and no table of all pairs is needed. Where groups are few, as threads and regions
 * mostly are, a table of all pairs it is: streams are taken as they lie in memory. */
#include "internal.h"

enum {
    FEW = 32,        /* streams whose addresses are united without a table */
    FEW_GROUPS = 32, /* so that there is a table of all pairs */
    UNITED = 1024    /* places whose units are united before they become addresses */
};

/* In `level.sorted`, beside the number (2^30 streams would be 40 GB). They spare looks at streams, which are
 * all over memory in this order. */
#define FIRST UINT32_C(0x80000000) /* of those that join its groups */
#define WIDE UINT32_C(0x40000000)  /* as in cc_stream */

/* Streams of one pair of groups mostly lie in few places. */
struct united {
    struct cc_stream all; /* its place, and which units of it took part in any of the streams */
    uint32_t shared;      /* the pair of groups; 0: empty */
};

struct level {
    struct cc_collect *c;
    int level;
    bool final;                      /* addresses are wanted of streams that share a pair of groups */
    const struct cc_addresses *unma; /* by thread */
    uint32_t *first;                 /* of each thread's streams, numbered through */
    uint32_t *rank;                  /* of each node's group */
    uint32_t nranks;
    bool off;         /* something ran while recording was off */
    uint32_t *sorted; /* those numbers */
    uint32_t n;
    uint32_t *shared; /* by number: its pair of groups in `marks`; 0: not there */
    uint64_t *sums;   /* addresses of each of these, from 1 on */
    uint32_t npairs;
    struct cc_marks marks;
    struct united *united;
};

/* The thread that a stream is of. */
static uint32_t thread_of(const struct level *l, uint32_t number)
{
    number &= ~(FIRST | WIDE);
    uint32_t lo = 0, hi = l->c->threads.n; /* of empty ones that begin at the same number, the last */
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (l->first[mid] <= number)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static const struct cc_stream *stream_of(const struct level *l, uint32_t number)
{
    uint32_t k = thread_of(l, number);
    return cc_stream_at(l->c->threads.v[k], (number & ~(FIRST | WIDE)) - l->first[k] + 1);
}

/* In sorted order streams are all over memory: the one that is wanted soon is fetched. */
static void expect(const struct level *l, const uint32_t *numbers, uint32_t i)
{
    enum { SOON = 16 };
    if (i + SOON < l->n)
        __builtin_prefetch(stream_of(l, numbers[i + SOON]));
}

static uint32_t group_of(const struct level *l, uint32_t node)
{
    return cc_node_at(l->c, node)->group[l->level];
}

/* --- sorting --- */

/* Groups have large numbers too; by rank there are no gaps. */
static void rank_nodes(struct level *l)
{
    struct cc_collect *c = l->c;
    struct cc_index ranks = {0};
    for (uint32_t i = 0; i < c->nodes.all.n; i++) {
        uint64_t key = (uint64_t)group_of(l, i) + 1;
        size_t slot = cc_index_slot(c, &ranks, key);
        if (!ranks.keys[slot]) {
            ranks.keys[slot] = key;
            ranks.values[slot] = (uint32_t)ranks.n++;
        }
        l->rank[i] = ranks.values[slot];
        l->off |= cc_node_at(c, i)->scope == CC_SCOPE_OFF;
    }
    l->nranks = (uint32_t)ranks.n;
    cc_give_back(c, ranks.keys, ranks.cap * sizeof *ranks.keys);
    cc_give_back(c, ranks.values, ranks.cap * sizeof *ranks.values);
}

static bool is_seen(const struct level *l, const struct cc_stream *s)
{
    return !l->off || cc_node_at(l->c, s->consumer)->scope != CC_SCOPE_OFF;
}

/* Counts become where the first of each rank goes. */
static void sum_up(uint32_t *at, uint32_t n)
{
    for (uint32_t i = 0, before = 0, here; i < n; i++, before += here) {
        here = at[i];
        at[i] = before;
    }
}

/* How many there are of each rank, among consumers and among producers. */
static void count_ranks(struct level *l, uint32_t *consumers, uint32_t *producers)
{
    for (uint32_t k = 0; k < l->c->threads.n; k++) {
        const struct cc_thread *t = l->c->threads.v[k];
        for (uint32_t i = 0; i < t->room.streams->n; i++) {
            const struct cc_stream *s = cc_stream_at(t, i + 1);
            if (!is_seen(l, s))
                continue;
            consumers[l->rank[s->consumer]]++;
            producers[l->rank[s->producer]]++;
            l->n++;
        }
    }
    sum_up(consumers, l->nranks);
    sum_up(producers, l->nranks);
}

/* By consumer. */
static void sort_consumers(const struct level *l, uint32_t *consumers, uint32_t *aux)
{
    for (uint32_t k = 0; k < l->c->threads.n; k++) {
        const struct cc_thread *t = l->c->threads.v[k];
        for (uint32_t i = 0; i < t->room.streams->n; i++) {
            const struct cc_stream *s = cc_stream_at(t, i + 1);
            if (is_seen(l, s))
                aux[consumers[l->rank[s->consumer]]++] = l->first[k] + i;
        }
    }
}

/* By producer and then consumer; without streams that nobody wants to see. */
static void sort(struct level *l, uint32_t *aux)
{
    const struct cc_host *h = &l->c->host;
    size_t size = (l->nranks + 1) * sizeof *aux;
    uint32_t *consumers = h->map(h->self, size), *producers = h->map(h->self, size);
    count_ranks(l, consumers, producers);
    sort_consumers(l, consumers, aux);
    __builtin_memset(consumers, 0, size); /* 1 + the last one of each producer now */
    for (uint32_t i = 0; i < l->n; i++) {
        expect(l, aux, i);
        const struct cc_stream *s = stream_of(l, aux[i]);
        uint32_t producer = l->rank[s->producer], consumer = l->rank[s->consumer] + 1;
        uint32_t first = consumers[producer] == consumer ? 0 : FIRST;
        consumers[producer] = consumer;
        l->sorted[producers[producer]++] = aux[i] | first | (s->wide ? WIDE : 0);
    }
    h->unmap(h->self, consumers, size);
    h->unmap(h->self, producers, size);
}

/* The end of those that join the same groups as the one at `from`. */
static uint32_t run_end(const struct level *l, uint32_t from)
{
    uint32_t to = from + 1;
    while (to < l->n && !(l->sorted[to] & FIRST))
        to++;
    return to;
}

/* --- addresses --- */

static uint64_t bits_or(uint64_t *to, uint64_t from)
{
    uint64_t added = from & ~*to;
    *to |= added;
    return cc_count_bits(added);
}

/* The addresses of a stream's own place, in the bitmap of its page. */
static uint64_t place_or(uint64_t *page, const struct cc_stream *s)
{
    uint64_t first = cc_stream_first_line(s), added = 0;
    for (uint32_t i = 0; i < cc_stream_lines(s); i++)
        added += bits_or(&page[(first + i) % CC_MARKS_WORDS], cc_stream_line(s, i));
    return added;
}

static bool are_few(const struct level *l, uint32_t from, uint32_t to)
{
    bool wide = to - from > FEW;
    for (uint32_t i = from; i < to && !wide; i++)
        wide = l->sorted[i] & WIDE;
    return !wide;
}

/* As streams of different places; how many they are. */
static uint32_t unite_places(const struct level *l, uint32_t from, uint32_t to, struct cc_stream *places)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct cc_stream *s = stream_of(l, l->sorted[i]);
        uint32_t at = 0;
        if (!s->place)
            continue;
        while (at < n && places[at].place != s->place)
            at++;
        if (at == n)
            places[n++] = *s;
        places[at].bits |= s->bits;
    }
    return n;
}

/* Of few streams that have no addresses but those of their own places. */
static uint64_t unite_few(const struct level *l, uint32_t from, uint32_t to)
{
    struct cc_stream places[FEW];
    uint64_t pages[FEW], bits[FEW][CC_MARKS_WORDS], sum = 0;
    uint32_t n = 0, nplaces = unite_places(l, from, to, places);
    if (nplaces == 1)
        return cc_count_bits(places[0].bits) << cc_place_unit(places[0].place);
    for (uint32_t i = 0; i < nplaces; i++) {
        uint64_t page = cc_stream_first_line(&places[i]) / CC_MARKS_WORDS;
        uint32_t at = 0;
        while (at < n && pages[at] != page)
            at++;
        if (at == n) {
            pages[n] = page;
            __builtin_memset(bits[n++], 0, sizeof bits[0]);
        }
        sum += place_or(bits[at], &places[i]);
    }
    return sum;
}

static uint64_t *page_of(struct level *l, uint32_t shared, uint64_t page)
{
    return cc_marks_find(&l->marks, &l->c->host, page | (uint64_t)shared << CC_NUMBER_SHIFT);
}

struct visit {
    struct level *l;
    uint32_t first; /* of the thread */
};

static void unite_page(void *self, uint64_t key, uint64_t *bits)
{
    struct visit *v = self;
    uint32_t shared = v->l->shared[v->first + (key >> CC_NUMBER_SHIFT) - 1];
    if (!shared)
        return;
    uint64_t *to = page_of(v->l, shared, key & ((UINT64_C(1) << CC_NUMBER_SHIFT) - 1));
    for (uint32_t k = 0; k < CC_MARKS_WORDS; k++)
        v->l->sums[shared] += bits_or(&to[k], bits[k]);
}

static void empty_united(struct level *l, struct united *u)
{
    if (u->shared)
        l->sums[u->shared] +=
            place_or(page_of(l, u->shared, cc_stream_first_line(&u->all) / CC_MARKS_WORDS), &u->all);
    u->shared = 0;
}

static void unite_place(struct level *l, uint32_t shared, const struct cc_stream *s)
{
    struct united *u = &l->united[cc_mix(s->place ^ (uint64_t)shared << 32) % UNITED];
    if (u->shared == shared && u->all.place == s->place) {
        u->all.bits |= s->bits;
        return;
    }
    empty_united(l, u);
    *u = (struct united){*s, shared};
}

/* Of all that share one of so many pairs of groups. */
static void unite_many(struct level *l, uint32_t npairs)
{
    const struct cc_host *h = &l->c->host;
    l->npairs = npairs;
    l->sums = h->map(h->self, (npairs + 1) * sizeof *l->sums);
    l->united = h->map(h->self, UNITED * sizeof *l->united);
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t number = (l->sorted ? l->sorted[i] : i) & ~(FIRST | WIDE), shared = l->shared[number];
        const struct cc_stream *s = shared ? stream_of(l, number) : NULL;
        if (s && s->place)
            unite_place(l, shared, s);
    }
    for (uint32_t i = 0; i < UNITED; i++)
        empty_united(l, &l->united[i]);
    h->unmap(h->self, l->united, UNITED * sizeof *l->united);
    for (uint32_t k = 0; npairs && k < l->c->threads.n; k++)
        cc_marks_all(&l->c->threads.v[k]->room.marks, unite_page, &(struct visit){l, l->first[k]});
    cc_marks_fini(&l->marks, h);
}

/* Finds those pairs of groups; how many they are. */
static uint32_t find_many(struct level *l)
{
    uint32_t npairs = 0;
    for (uint32_t from = 0, to; from < l->n; from = to) {
        to = run_end(l, from);
        if (to - from == 1 || are_few(l, from, to))
            continue;
        npairs++;
        for (uint32_t i = from; i < to; i++)
            l->shared[l->sorted[i] & ~(FIRST | WIDE)] = npairs;
    }
    return npairs;
}

/* --- few groups --- */

struct pair {
    struct cc_rec_edge edge;
    uint32_t n; /* its streams */
};

static void pair_add(const struct level *l, struct pair *p, uint32_t thread, const struct cc_stream *s)
{
    const struct cc_thread *t = l->c->threads.v[thread];
    struct cc_rec_edge *r = &p->edge;
    bool only = p->n++ == 0;
    if (only) { /* nodes are all over memory */
        r->level = (uint32_t)l->level;
        r->producer = group_of(l, s->producer);
        r->consumer = group_of(l, s->consumer);
    }
    r->has_unma = l->final || only;
    r->unma = only ? cc_addresses_of(&l->unma[thread], s) : 0;
    r->bytes += cc_stream_count(t, s, CC_COUNTED_BYTES);
    r->reads += cc_stream_count(t, s, CC_COUNTED_READS);
    r->fresh += cc_stream_count(t, s, CC_COUNTED_FRESH + (uint32_t)l->level);
}

static void few_groups(struct level *l, cc_edge_function *put, void *self)
{
    const struct cc_host *h = &l->c->host;
    uint32_t npairs = l->nranks * l->nranks;
    struct pair *pairs = h->map(h->self, npairs * sizeof *pairs);
    for (uint32_t k = 0; k < l->c->threads.n; k++) {
        const struct cc_thread *t = l->c->threads.v[k];
        for (uint32_t i = 0; i < t->room.streams->n; i++, l->n++) {
            const struct cc_stream *s = cc_stream_at(t, i + 1);
            uint32_t pair = l->rank[s->producer] * l->nranks + l->rank[s->consumer];
            if (!is_seen(l, s))
                continue;
            pair_add(l, &pairs[pair], k, s);
            if (l->final)
                l->shared[l->n] = pair + 1;
        }
    }
    if (l->final)
        unite_many(l, npairs);
    for (uint32_t i = 0; i < npairs; i++) {
        if (l->final)
            pairs[i].edge.unma = l->sums[i + 1];
        if (pairs[i].n)
            put(self, &pairs[i].edge);
    }
    h->unmap(h->self, pairs, npairs * sizeof *pairs);
}

/* --- all of a level --- */

static uint64_t addresses(const struct level *l, uint32_t from, uint32_t to)
{
    uint32_t number = l->sorted[from] & ~(FIRST | WIDE), k = thread_of(l, number);
    if (to - from == 1)
        return cc_addresses_of(&l->unma[k], stream_of(l, number));
    if (!l->final)
        return 0;
    return l->shared[number] ? l->sums[l->shared[number]] : unite_few(l, from, to);
}

static void put_all(const struct level *l, cc_edge_function *put, void *self)
{
    for (uint32_t from = 0, to; from < l->n; from = to) {
        to = run_end(l, from);
        for (uint32_t i = from; i < to; i++)
            expect(l, l->sorted, i);
        const struct cc_stream *s = stream_of(l, l->sorted[from]);
        struct cc_rec_edge r = {.level = (uint32_t)l->level,
                                .producer = group_of(l, s->producer),
                                .consumer = group_of(l, s->consumer),
                                .has_unma = l->final || to - from == 1,
                                .unma = addresses(l, from, to)};
        for (uint32_t i = from; i < to; i++) {
            const struct cc_thread *t = l->c->threads.v[thread_of(l, l->sorted[i])];
            s = stream_of(l, l->sorted[i]);
            r.bytes += cc_stream_count(t, s, CC_COUNTED_BYTES);
            r.reads += cc_stream_count(t, s, CC_COUNTED_READS);
            r.fresh += cc_stream_count(t, s, CC_COUNTED_FRESH + (uint32_t)l->level);
        }
        put(self, &r);
    }
}

static void many_groups(struct level *l, size_t size, cc_edge_function *put, void *self)
{
    const struct cc_host *h = &l->c->host;
    uint32_t *aux = h->map(h->self, size);
    l->sorted = h->map(h->self, size);
    sort(l, aux);
    h->unmap(h->self, aux, size);
    if (l->final)
        unite_many(l, find_many(l));
    put_all(l, put, self);
    h->unmap(h->self, l->sorted, size);
}

void cc_level_edges(struct cc_collect *c, int level, const struct cc_addresses *unma, bool final,
                    cc_edge_function *put, void *self)
{
    const struct cc_host *h = &c->host;
    struct level l = {.c = c, .level = level, .final = final, .unma = unma};
    size_t firsts = (c->threads.n + 1) * sizeof *l.first, n = 0;
    l.first = h->map(h->self, firsts);
    for (uint32_t k = 0; k < c->threads.n; k++) {
        l.first[k] = (uint32_t)n;
        n += c->threads.v[k]->room.streams->n;
    }
    size_t size = (n + 1) * sizeof *l.sorted, ranks = (c->nodes.all.n + 1) * sizeof *l.rank;
    if (final)
        l.shared = h->map(h->self, size);
    l.rank = h->map(h->self, ranks);
    rank_nodes(&l);
    if (l.nranks <= FEW_GROUPS)
        few_groups(&l, put, self);
    else
        many_groups(&l, size, put, self);
    if (final) {
        h->unmap(h->self, l.sums, (l.npairs + 1) * sizeof *l.sums);
        h->unmap(h->self, l.shared, size);
    }
    h->unmap(h->self, l.rank, ranks);
    h->unmap(h->self, l.first, firsts);
}
