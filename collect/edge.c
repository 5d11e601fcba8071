/* Streams and the sets of addresses that took part in them. */
#include "internal.h"

static size_t stream_slot(const struct cc_thread *t, uint32_t producer, uint32_t consumer)
{
    size_t mask = t->stream_index_cap - 1;
    size_t i = (size_t)cc_mix((uint64_t)producer << 32 | consumer) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t at = t->stream_index[i];
        if (!at || (t->streams[at - 1]->producer == producer && t->streams[at - 1]->consumer == consumer))
            return i;
    }
}

struct cc_stream *cc_stream_find(struct cc_thread *t, uint32_t producer, uint32_t consumer)
{
    struct cc_collect *c = t->owner;
    if (t->nstreams * 2 >= t->stream_index_cap) {
        cc_give_back(c, t->stream_index, t->stream_index_cap * sizeof *t->stream_index);
        t->stream_index_cap = t->stream_index_cap ? t->stream_index_cap * 2 : 1024;
        t->stream_index = c->host.map(c->host.self, t->stream_index_cap * sizeof *t->stream_index);
        for (size_t i = 0; i < t->nstreams; i++)
            t->stream_index[stream_slot(t, t->streams[i]->producer, t->streams[i]->consumer)] =
                (uint32_t)i + 1;
    }
    size_t slot = stream_slot(t, producer, consumer);
    if (t->stream_index[slot])
        return t->streams[t->stream_index[slot] - 1];
    struct cc_stream *s = cc_thread_pool(t, sizeof *s);
    s->producer = producer;
    s->consumer = consumer;
    s->number = t->nstreams + 1;
    t->streams = cc_extend(c, t->streams, &t->streams_cap, t->nstreams + 1, sizeof *t->streams);
    t->streams[t->nstreams++] = s;
    t->stream_index[slot] = (uint32_t)t->nstreams;
    return s;
}

static size_t edge_slot(const struct cc_thread *t, const struct cc_stream *stream, uint32_t frame,
                        uint32_t stack)
{
    size_t mask = t->edge_index_cap - 1;
    size_t i = (size_t)cc_mix(stream->number << 33 | (uint64_t)frame << 1 | stack) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t at = t->edge_index[i];
        const struct cc_edge *e = at ? t->edges[at - 1] : NULL;
        if (!e || (e->stream == stream && e->producer_frame == frame && e->stack == stack))
            return i;
    }
}

/* A zeroed edge: one of an earlier frame, if there is any. */
static struct cc_edge *edge_take(struct cc_thread *t)
{
    if (t->nedges == t->edges_made) {
        t->edges = cc_extend(t->owner, t->edges, &t->edges_cap, t->edges_made + 1, sizeof *t->edges);
        t->edges[t->edges_made++] = cc_thread_pool(t, sizeof **t->edges);
    } else {
        __builtin_memset(t->edges[t->nedges], 0, sizeof **t->edges);
    }
    return t->edges[t->nedges++];
}

struct cc_edge *cc_edge_find(struct cc_thread *t, struct cc_stream *stream, uint32_t producer_frame,
                             uint32_t stack)
{
    struct cc_collect *c = t->owner;
    if (t->nedges * 2 >= t->edge_index_cap) {
        cc_give_back(c, t->edge_index, t->edge_index_cap * sizeof *t->edge_index);
        t->edge_index_cap = t->edge_index_cap ? t->edge_index_cap * 2 : 256;
        t->edge_index = c->host.map(c->host.self, t->edge_index_cap * sizeof *t->edge_index);
        for (size_t i = 0; i < t->nedges; i++) {
            const struct cc_edge *e = t->edges[i];
            t->edge_index[edge_slot(t, e->stream, e->producer_frame, e->stack)] = (uint32_t)i + 1;
        }
    }
    size_t slot = edge_slot(t, stream, producer_frame, stack);
    if (t->edge_index[slot])
        return t->edges[t->edge_index[slot] - 1];
    struct cc_edge *e = edge_take(t);
    struct cc_node *consumer = cc_node_at(c, stream->consumer);
    e->stream = stream;
    e->producer_frame = producer_frame;
    e->stack = stack;
    e->next = consumer->edges;
    consumer->edges = e;
    t->edge_index[slot] = (uint32_t)t->nedges;
    return e;
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
