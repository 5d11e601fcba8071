/* Streams and the sets of addresses that took part in them. */
#include "internal.h"

static size_t stream_slot(const struct cc_thread *t, uint32_t producer, uint32_t consumer)
{
    size_t mask = t->stream_index_cap - 1;
    size_t i = (size_t)cc_mix((uint64_t)producer << 32 | consumer) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t number = t->stream_index[i];
        const struct cc_stream *s = number ? cc_stream_at(t, number) : NULL;
        if (!s || (s->producer == producer && s->consumer == consumer))
            return i;
    }
}

struct cc_stream *cc_stream_find(struct cc_thread *t, uint32_t producer, uint32_t consumer)
{
    struct cc_collect *c = t->owner;
    if (t->streams->n * 4ul >= t->stream_index_cap * 3) {
        cc_give_back(c, t->stream_index, t->stream_index_cap * sizeof *t->stream_index);
        t->stream_index_cap = t->stream_index_cap ? t->stream_index_cap * 2 : 1024;
        t->stream_index = c->host.map(c->host.self, t->stream_index_cap * sizeof *t->stream_index);
        for (uint32_t number = 1; number <= t->streams->n; number++) {
            const struct cc_stream *s = cc_stream_at(t, number);
            t->stream_index[stream_slot(t, s->producer, s->consumer)] = number;
        }
    }
    size_t slot = stream_slot(t, producer, consumer);
    if (t->stream_index[slot])
        return cc_stream_at(t, t->stream_index[slot]);
    struct cc_stream *s = cc_grow_add(c, t->streams);
    s->producer = producer;
    s->consumer = consumer;
    s->number = t->stream_index[slot] = t->streams->n;
    return s;
}

/* --- frames --- */

static size_t edge_slot(const struct cc_thread *t, uint32_t stream, uint32_t frame)
{
    size_t mask = t->edge_index_cap - 1;
    size_t i = (size_t)cc_mix((uint64_t)stream << 32 | frame) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t at = t->edge_index[i];
        const struct cc_edge *e = at ? cc_grow_at(t->edges, at - 1) : NULL;
        if (!e || (e->stream == stream && e->producer_frame == frame))
            return i;
    }
}

uint64_t *cc_edge_find(struct cc_thread *t, const struct cc_stream *stream, uint32_t producer_frame)
{
    struct cc_collect *c = t->owner;
    if (!t->frame && !producer_frame)
        return NULL;
    if (t->edges->n * 2ul >= t->edge_index_cap) {
        cc_give_back(c, t->edge_index, t->edge_index_cap * sizeof *t->edge_index);
        t->edge_index_cap = t->edge_index_cap ? t->edge_index_cap * 2 : 256;
        t->edge_index = c->host.map(c->host.self, t->edge_index_cap * sizeof *t->edge_index);
        for (uint32_t i = 0; i < t->edges->n; i++) {
            const struct cc_edge *e = cc_grow_at(t->edges, i);
            t->edge_index[edge_slot(t, e->stream, e->producer_frame)] = i + 1;
        }
    }
    size_t slot = edge_slot(t, stream->number, producer_frame);
    if (!t->edge_index[slot]) {
        struct cc_edge *e = cc_grow_add(c, t->edges);
        *e = (struct cc_edge){stream->number, producer_frame, 0};
        t->edge_index[slot] = t->edges->n;
    }
    return &((struct cc_edge *)cc_grow_at(t->edges, t->edge_index[slot] - 1))->bytes;
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

/* Addresses of a stream's own line; those that its bitmap of them holds too count there. */
static uint64_t line_addresses(const struct cc_thread *t, const struct cc_stream *s)
{
    enum { LINES = CC_MARKS_WORDS };
    if (!s->line)
        return 0;
    uint64_t line = s->line - 1, key = line / LINES | (uint64_t)s->number << CC_NUMBER_SHIFT;
    const uint64_t *page = s->wide ? cc_marks_at(&t->marks, key) : NULL;
    return (uint64_t)__builtin_popcountll(page ? s->bits & ~page[line % LINES] : s->bits);
}

static void add_addresses(void *self, uint64_t key, uint64_t *bits)
{
    uint64_t *n = self, sum = 0;
    for (uint32_t k = 0; k < CC_MARKS_WORDS; k++)
        sum += (uint64_t)__builtin_popcountll(bits[k]);
    n[(key >> CC_NUMBER_SHIFT) - 1] += sum;
}

uint64_t *cc_stream_addresses(const struct cc_thread *t)
{
    const struct cc_host *h = &t->owner->host;
    uint64_t *n = h->map(h->self, (t->streams->n + 1) * sizeof *n);
    for (uint32_t number = 1; number <= t->streams->n; number++)
        n[number - 1] = line_addresses(t, cc_stream_at(t, number));
    cc_marks_all(&t->marks, add_addresses, n);
    return n;
}
