/* Streams and the sets of addresses that took part in them. */
#include "internal.h"

/* Numbers are smaller than the index is large: what is left of an entry is the hash's, so that other streams
 * need not be looked at. */
static uint32_t entry_of(const struct cc_thread *t, uint64_t hash, uint32_t number)
{
    return ((uint32_t)(hash >> 32) & ~(uint32_t)(t->room.stream_index_cap - 1)) | number;
}

static size_t stream_slot(const struct cc_thread *t, uint32_t producer, uint32_t consumer, uint64_t hash)
{
    size_t mask = t->room.stream_index_cap - 1;
    uint32_t want = entry_of(t, hash, 0);
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t entry = t->room.stream_index[i];
        if (!entry)
            return i;
        if ((entry & ~(uint32_t)mask) != want)
            continue;
        const struct cc_stream *s = cc_stream_at(t, entry & (uint32_t)mask);
        if (s->producer == producer && s->consumer == consumer)
            return i;
    }
}

static uint64_t stream_hash(uint32_t producer, uint32_t consumer)
{
    return cc_mix((uint64_t)producer << 32 | consumer);
}

void cc_stream_expect(const struct cc_thread *t, uint32_t producer, uint32_t consumer)
{
    if (t->room.stream_index_cap)
        __builtin_prefetch(
            &t->room.stream_index[stream_hash(producer, consumer) & (t->room.stream_index_cap - 1)]);
}

struct cc_stream *cc_stream_find(struct cc_thread *t, uint32_t producer, uint32_t consumer)
{
    struct cc_collect *c = t->owner;
    if (t->room.streams->n * 4ul >= t->room.stream_index_cap * 3) {
        cc_give_back(c, t->room.stream_index, t->room.stream_index_cap * sizeof *t->room.stream_index);
        t->room.stream_index_cap = t->room.stream_index_cap ? t->room.stream_index_cap * 2 : 1024;
        t->room.stream_index =
            c->host.map(c->host.self, t->room.stream_index_cap * sizeof *t->room.stream_index);
        for (uint32_t number = 1; number <= t->room.streams->n; number++) {
            const struct cc_stream *s = cc_stream_at(t, number);
            uint64_t hash = stream_hash(s->producer, s->consumer);
            t->room.stream_index[stream_slot(t, s->producer, s->consumer, hash)] = entry_of(t, hash, number);
        }
    }
    uint64_t hash = stream_hash(producer, consumer);
    size_t slot = stream_slot(t, producer, consumer, hash);
    if (t->room.stream_index[slot])
        return cc_stream_at(t, t->room.stream_index[slot] & (uint32_t)(t->room.stream_index_cap - 1));
    struct cc_stream *s = cc_grow_add(c, t->room.streams);
    s->producer = producer;
    s->consumer = consumer;
    s->number = t->room.streams->n;
    t->room.stream_index[slot] = entry_of(t, hash, s->number);
    return s;
}

/* --- counts --- */

void cc_stream_carry(struct cc_thread *t, struct cc_stream *s, uint32_t which, uint64_t carry)
{
    size_t slot = cc_index_slot(t->owner, &t->room.large_index, s->number);
    if (!t->room.large_index.keys[slot]) {
        t->room.large_index.keys[slot] = s->number;
        t->room.large_index.values[slot] = t->room.large->n;
        t->room.large_index.n++;
        cc_grow_add(t->owner, t->room.large);
    }
    uint64_t *counts = cc_grow_at(t->room.large, t->room.large_index.values[slot]);
    if (!s->large) /* what is there is of before a fork */
        __builtin_memset(counts, 0, t->room.large->item);
    s->large = true;
    counts[which] += carry;
}

uint64_t cc_stream_count(const struct cc_thread *t, const struct cc_stream *s, uint32_t which)
{
    if (!s->large)
        return s->low[which];
    const uint64_t *counts = cc_grow_at(t->room.large, *cc_index_at(&t->room.large_index, s->number));
    return s->low[which] + (counts[which] << 16);
}

/* --- frames --- */

static size_t edge_slot(const struct cc_thread *t, uint32_t stream, uint32_t frame)
{
    size_t mask = t->room.edge_index_cap - 1;
    size_t i = (size_t)cc_mix((uint64_t)stream << 32 | frame) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t at = t->room.edge_index[i];
        const struct cc_edge *e = at ? cc_grow_at(t->room.edges, at - 1) : NULL;
        if (!e || (e->stream == stream && e->producer_frame == frame))
            return i;
    }
}

uint64_t *cc_edge_find(struct cc_thread *t, const struct cc_stream *stream, uint32_t producer_frame)
{
    struct cc_collect *c = t->owner;
    if (!t->frame && !producer_frame)
        return NULL;
    if (t->room.edges->n * 2ul >= t->room.edge_index_cap) {
        cc_give_back(c, t->room.edge_index, t->room.edge_index_cap * sizeof *t->room.edge_index);
        t->room.edge_index_cap = t->room.edge_index_cap ? t->room.edge_index_cap * 2 : 256;
        t->room.edge_index = c->host.map(c->host.self, t->room.edge_index_cap * sizeof *t->room.edge_index);
        for (uint32_t i = 0; i < t->room.edges->n; i++) {
            const struct cc_edge *e = cc_grow_at(t->room.edges, i);
            t->room.edge_index[edge_slot(t, e->stream, e->producer_frame)] = i + 1;
        }
    }
    size_t slot = edge_slot(t, stream->number, producer_frame);
    if (!t->room.edge_index[slot]) {
        struct cc_edge *e = cc_grow_add(c, t->room.edges);
        *e = (struct cc_edge){stream->number, producer_frame, 0};
        t->room.edge_index[slot] = t->room.edges->n;
    }
    return &((struct cc_edge *)cc_grow_at(t->room.edges, t->room.edge_index[slot] - 1))->bytes;
}

/* --- addresses --- */

void cc_edge_touch(struct cc_thread *t, struct cc_stream *e, uint64_t a, uint32_t size)
{
    while (size) {
        uint32_t room = 64 - (uint32_t)(a & 63), n = size < room ? size : room;
        cc_edge_touch_within(t, e, a, n);
        a += n;
        size -= n;
    }
}

uint64_t cc_stream_line(const struct cc_stream *s, uint32_t line)
{
    uint32_t unit = cc_place_unit(s->place), n = 64 >> unit;
    uint64_t of_unit = UINT64_MAX >> (64 - (1u << unit)), bytes = 0;
    for (uint64_t left = s->bits >> line * n & UINT64_MAX >> (64 - n); left; left &= left - 1)
        bytes |= of_unit << (__builtin_ctzll(left) << unit);
    return bytes;
}

/* Addresses of a wide stream's own place, which is in one page; those that the bitmap of it holds too count
 * there. */
static uint64_t own_addresses(const struct cc_thread *t, const struct cc_stream *s)
{
    enum { LINES = CC_MARKS_WORDS };
    uint64_t first = cc_stream_first_line(s), n = 0;
    const uint64_t *page =
        cc_marks_at(&t->room.marks, first / LINES | (uint64_t)s->number << CC_NUMBER_SHIFT);
    for (uint32_t i = 0; i < cc_stream_lines(s); i++) {
        uint64_t bytes = cc_stream_line(s, i);
        n += cc_count_bits(page ? bytes & ~page[(first + i) % LINES] : bytes);
    }
    return n;
}

struct visit {
    struct cc_addresses *x;
    struct cc_collect *c;
};

/* The place of a wide stream's sum. */
static uint64_t *sum_of(struct cc_addresses *x, struct cc_collect *c, uint32_t number)
{
    size_t slot = cc_index_slot(c, &x->at, number);
    if (!x->at.keys[slot]) {
        x->at.keys[slot] = number;
        x->at.values[slot] = (uint32_t)x->at.n++;
    }
    return &x->n[x->at.values[slot]];
}

static void add_addresses(void *self, uint64_t key, uint64_t *bits)
{
    const struct visit *v = self;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < CC_MARKS_WORDS; k++)
        sum += cc_count_bits(bits[k]);
    *sum_of(v->x, v->c, (uint32_t)(key >> CC_NUMBER_SHIFT)) += sum;
}

static void count_addresses(struct cc_addresses *x, const struct cc_thread *t)
{
    cc_marks_all(&t->room.marks, add_addresses, &(struct visit){x, t->owner});
    for (size_t i = 0; i < x->at.cap; i++)
        if (x->at.keys[i])
            x->n[x->at.values[i]] += own_addresses(t, cc_stream_at(t, (uint32_t)x->at.keys[i]));
}

/* How many wide streams there may be, and places for them. */
static size_t wide_streams(const struct cc_thread *t, size_t *ret_cap)
{
    size_t n = t->room.marks.n < t->room.streams->n ? t->room.marks.n : t->room.streams->n, cap = 4;
    while (cap < 2 * n)
        cap *= 2;
    *ret_cap = cap;
    return n;
}

struct cc_addresses *cc_addresses_new(struct cc_collect *c)
{
    size_t size = (c->threads.n + 1) * sizeof(struct cc_addresses), cap;
    for (uint32_t k = 0; k < c->threads.n; k++) {
        size_t n = wide_streams(c->threads.v[k], &cap);
        size += n ? n * sizeof(uint64_t) + cap * (sizeof(uint64_t) + sizeof(uint32_t)) : 0;
    }
    struct cc_addresses *all = c->host.map(c->host.self, size);
    uint64_t *at = (uint64_t *)(all + c->threads.n + 1);
    for (uint32_t k = 0; k < c->threads.n; k++) {
        size_t n = wide_streams(c->threads.v[k], &cap);
        if (!n)
            continue;
        all[k] = (struct cc_addresses){.at = {at, (uint32_t *)(at + cap), 0, cap}, .n = at + cap + cap / 2};
        at = all[k].n + n;
        count_addresses(&all[k], c->threads.v[k]);
    }
    all[c->threads.n].at.cap = size;
    return all;
}

void cc_addresses_free(struct cc_collect *c, struct cc_addresses *all)
{
    c->host.unmap(c->host.self, all, all[c->threads.n].at.cap);
}

uint64_t cc_addresses_of(const struct cc_addresses *x, const struct cc_stream *s)
{
    return s->wide ? x->n[*cc_index_at(&x->at, s->number)]
                   : cc_count_bits(s->bits) << cc_place_unit(s->place);
}
