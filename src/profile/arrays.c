#include "arrays.h"
#include "channels.h"

#include <stddef.h>

const struct cc_array cc_arrays[CC_ARRAYS] = {
    {CC_REC_FRAME, "frames", sizeof(struct cc_rec_frame)},
    {CC_REC_BLOCK, "blocks", sizeof(struct cc_rec_block)},
    {CC_REC_SPAN, "spans", sizeof(struct cc_rec_span)},
    {CC_REC_FRAME_PART, "frame_parts", sizeof(struct cc_rec_frame_part)},
    {CC_REC_FLOW, "flows", sizeof(struct cc_rec_flow)},
    {CC_REC_SLICE, "slices", sizeof(struct cc_rec_slice)},
    {CC_REC_EXEC, "execs", sizeof(struct cc_rec_exec)},
    {CC_REC_CHANNEL, "channels", sizeof(struct cc_rec_channel)},
};

enum { MAX_CODE = 1 << 16 }; /* bytes of one block */

const struct cc_array *cc_array_of(enum cc_rec_tag tag)
{
    for (size_t i = 0; i < CC_ARRAYS; i++)
        if (cc_arrays[i].tag == tag)
            return &cc_arrays[i];
    return NULL;
}

bool cc_group_fits(uint32_t id, size_t n)
{
    return id < n || (id > CC_SPECIAL && id < CC_SPECIAL_ID(CC_NODE_KINDS));
}

static bool fits(uint64_t v)
{
    return v <= INT64_MAX;
}

static bool spans_time(uint64_t start, uint64_t length)
{
    return fits(start) && length <= INT64_MAX - start;
}

static bool flow_fits(const struct cc_limits *l, const struct cc_rec_flow *f)
{
    size_t n = f->level == CC_LEVEL_FUNCTION ? l->functions : f->level == CC_LEVEL_REGION ? l->regions : 0;
    return n && cc_group_fits(f->producer, n) && cc_group_fits(f->consumer, n) &&
           f->producer_frame < l->frames && f->consumer_frame < l->frames &&
           f->producer_frame <= f->consumer_frame && fits(f->bytes);
}

static bool none_or(uint32_t id, size_t n)
{
    return id == CC_NONE || id < n;
}

static bool channel_fits(const struct cc_limits *l, const struct cc_rec_channel *c)
{
    const uint64_t *counts = &c->reads;
    bool fine = none_or(c->producer, l->functions) && none_or(c->consumer, l->functions) &&
                c->nstrides <= CC_CHANNEL_STRIDES && l->items < CC_MAX_CHANNELS;
    for (size_t i = 0;
         i < (offsetof(struct cc_rec_channel, strides) - offsetof(struct cc_rec_channel, reads)) / 8; i++)
        fine = fine && fits(counts[i]);
    for (uint32_t i = 0; fine && i < c->nstrides; i++)
        fine = fits(c->strides[i].count) && (i == 0 || c->strides[i].stride > c->strides[i - 1].stride);
    return fine;
}

static bool item_fits(const struct cc_array *a, const struct cc_limits *l, const void *item)
{
    switch (a->tag) {
    case CC_REC_FRAME: {
        const struct cc_rec_frame *f = item;
        return f->id == l->items && spans_time(f->start, f->length);
    }
    case CC_REC_BLOCK: {
        const struct cc_rec_block *b = item;
        return b->id == l->items && b->function < l->functions && b->size <= MAX_CODE && b->mode <= 1 &&
               b->instructions <= b->size;
    }
    case CC_REC_SPAN: {
        const struct cc_rec_span *s = item;
        return s->scope < l->scopes && s->thread < l->threads && s->frame < l->frames &&
               spans_time(s->start, s->length);
    }
    case CC_REC_FRAME_PART: {
        const struct cc_rec_frame_part *p = item;
        return p->frame < l->frames && p->region < l->regions && fits(p->instructions);
    }
    case CC_REC_FLOW:
        return flow_fits(l, item);
    case CC_REC_SLICE: {
        const struct cc_rec_slice *s = item;
        return s->function < l->functions && s->slice < 1 << 20 && fits(s->read) && fits(s->written) &&
               s->stack_read <= s->read && s->stack_written <= s->written;
    }
    case CC_REC_EXEC: {
        const struct cc_rec_exec *e = item;
        return e->block < l->blocks && e->function < l->functions && e->scope < l->scopes && fits(e->count);
    }
    case CC_REC_CHANNEL:
        return channel_fits(l, item);
    default:
        return false;
    }
}

bool cc_array_fits(const struct cc_array *a, const struct cc_limits *l, const void *item, size_t left,
                   size_t *ret_size)
{
    if (left < a->size || !item_fits(a, l, item))
        return false;
    *ret_size = a->size;
    if (a->tag == CC_REC_BLOCK)
        *ret_size += (((const struct cc_rec_block *)item)->size + 7u) & ~(size_t)7;
    return *ret_size <= left;
}
