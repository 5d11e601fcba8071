/* DMA before and after tasks. A task's input is asked for as soon as a buffer is free: the one of the task
 * `buffers` before it on the same processor, but not before the loop or region began. Its output goes out
 * when it is done; the processor may go on, but not into a buffer that is still being written. */
#include "replay.h"

static void drop_gap(struct channel *c, size_t i)
{
    memmove(&c->gap[i], &c->gap[i + 1], (--c->ngaps - i) * sizeof *c->gap);
}

static void add_gap(struct channel *c, size_t at, cc_ticks from, cc_ticks to)
{
    if (from >= to)
        return;
    if (c->ngaps == MAX_GAPS) {
        drop_gap(c, 0); /* the oldest is the least likely to be of use */
        at -= at > 0;
    }
    memmove(&c->gap[at + 1], &c->gap[at], (c->ngaps++ - at) * sizeof *c->gap);
    c->gap[at] = (struct gap){from, to};
}

cc_ticks cc_channel_reserve(struct channel *c, cc_ticks earliest, cc_ticks length)
{
    c->busy += length;
    for (size_t i = 0; i < c->ngaps; i++) {
        struct gap g = c->gap[i];
        cc_ticks start = CC_MAX(g.from, earliest);
        if (start + length > g.to)
            continue;
        drop_gap(c, i);
        add_gap(c, i, start + length, g.to);
        add_gap(c, i, g.from, start);
        return start;
    }
    cc_ticks start = CC_MAX(c->free_at, earliest);
    add_gap(c, c->ngaps, c->free_at, start);
    c->free_at = start + length;
    return start;
}

/* When the transfer is over. */
static cc_ticks transfer(struct engine *e, unsigned channel, cc_ticks earliest, cc_ticks length,
                         const int64_t size[2], uint32_t node)
{
    if (size[0] == 0 || size[1] == 0)
        return earliest;
    e->transfers++;
    e->bytes += (double)size[0] * (double)size[1];
    cc_ticks start = cc_channel_reserve(&e->channel[channel], earliest, length);
    if (e->record && length)
        cc_eng_segment(e, (struct cc_predict_segment){e->nprocs + channel, e->h->nodes[node].name,
                                                      CC_PART_TRANSFER, start, start + length});
    return start + length;
}

/* Outside regions the waiting is sequential time like any other. */
static void await(struct engine *e, struct strand *s, cc_ticks t)
{
    cc_eng_wait_until(e, s, t, s->team ? CC_PART_TRANSFER : CC_PART_SEQUENTIAL);
}

void cc_eng_drain(struct engine *e, struct strand *s)
{
    await(e, s, s->buffers.last_write);
}

void cc_eng_fresh_buffers(struct strand *s)
{
    s->buffers.n = 0;
    s->buffers.since = s->time;
}

enum { T_READ, T_WRITE };

enum step cc_eng_transfer(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = &e->bounds[e->p->transfer[e->h->nodes[f->node].name]];
    struct buffers *u = &s->buffers;
    uint64_t n = (uint64_t)b->buffers;
    unsigned channel = 2 * cc_eng_cluster(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    if (f->state == T_READ) {
        bool again = u->n >= n; /* the buffers were in use before */
        size_t used = (size_t)((u->n - n) % CC_PREDICT_MAX_BUFFERS);
        cc_ticks asked = again ? CC_MAX(u->computed[used], u->since) : u->since;
        await(e, s, transfer(e, channel, asked, b->read_time, b->read, f->node));
        if (again)
            await(e, s, u->written[used]);
        f->state = T_WRITE;
        cc_eng_inside(e, s, f->node, f->path);
        return ON;
    }
    cc_ticks done = transfer(e, channel + 1, s->time, b->write_time, b->write, f->node);
    u->computed[u->n % CC_PREDICT_MAX_BUFFERS] = s->time;
    u->written[u->n % CC_PREDICT_MAX_BUFFERS] = done;
    u->n++;
    u->writes++;
    u->last_write = CC_MAX(u->last_write, done);
    s->frames.n--;
    return ON;
}
