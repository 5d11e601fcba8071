/* Counts on their way: what the hot path counts for nodes is taken from there now and then, and goes to their
 * totals and to the slice of time that is running. */
#include "internal.h"
#include "quick.h"

enum { SLICE_FIRST = 1 << 14, SLICES = 1024, FIXED_SLICES = 65536 };

uint64_t cc_counts_operations(const struct cc_counts *k)
{
    uint64_t sum = k->odd;
    for (int i = 0; i < CC_CLASSES; i++)
        sum += k->n[i];
    return sum;
}

uint64_t cc_counts_bytes(const struct cc_counts *k)
{
    uint64_t sum = k->odd_bytes;
    for (int i = 0; i < CC_CLASSES; i++)
        sum += k->n[i] << i;
    return sum;
}

/* Moves all counts to the sum; what they were. */
static struct cc_sum counts_move(struct cc_counts *from, struct cc_sum *to)
{
    struct cc_sum moved = {cc_counts_operations(from), cc_counts_bytes(from)};
    to->operations += moved.operations;
    to->bytes += moved.bytes;
    __builtin_memset(from, 0, sizeof *from);
    return moved;
}

/* What the node read and wrote since the last time. */
static void node_fold(struct cc_thread *t, struct cc_node *n, struct cc_slice_sum *sum)
{
    for (uint32_t stack = 0; stack < 2; stack++) {
        struct cc_sum read = counts_move(&n->tally.reads[stack], &n->read[stack]);
        struct cc_sum written = counts_move(&n->tally.writes[stack], &n->written[stack]);
        t->total[0] += read.operations;
        t->total[1] += written.operations;
        sum->read += read.bytes;
        sum->written += written.bytes;
        sum->stack_read += stack ? read.bytes : 0;
        sum->stack_written += stack ? written.bytes : 0;
    }
}

/* Its calls, and the time in it. */
static void context_fold(struct cc_collect *c, struct cc_node *n)
{
    if (n->kind != CC_NODE_CONTEXT)
        return;
    struct cc_context *x = cc_context_at(c, n->context);
    x->calls += n->calls;
    x->exclusive += n->exclusive;
    n->calls = n->exclusive = 0;
}

void cc_fold(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    for (size_t i = 0; i < t->ntouched; i++) {
        struct cc_node *n = cc_node_at(c, t->room.touched[i]);
        cc_finds_flush(t, n);
        context_fold(c, n);
    }
    cc_lock(c);
    c->time.sum = cc_extend(c, c->time.sum, &c->time.sum_cap, c->code.functions.n, sizeof *c->time.sum);
    for (size_t i = 0; i < t->ntouched; i++) {
        struct cc_node *n = cc_node_at(c, t->room.touched[i]);
        struct cc_slice_sum unwanted, *sum = &unwanted;
        if (n->kind == CC_NODE_CONTEXT && n->scope != CC_SCOPE_OFF)
            sum = &c->time.sum[n->group[CC_LEVEL_FUNCTION]];
        node_fold(t, n, sum);
    }
    cc_unlock(c);
    t->ntouched = 0;
    t->fold++;
    cc_node_enter(t, t->node);
}

/* Before the first frame mark there are no edges, and all that is read was written in frame 0: what a stream
 * has beyond its edges. */
static void first_frame_flows(const struct cc_thread *t, cc_flow_function *add, void *self)
{
    const struct cc_host *h = &t->owner->host;
    size_t size = (t->room.streams->n + 1) * sizeof(uint64_t);
    uint64_t *bytes = h->map(h->self, size);
    for (uint32_t i = 0; i < t->room.streams->n; i++)
        bytes[i] = cc_stream_count(t, cc_stream_at(t, i + 1), CC_COUNTED_BYTES);
    for (uint32_t i = 0; i < t->room.edges->n; i++) {
        const struct cc_edge *e = cc_grow_at(t->room.edges, i);
        bytes[e->stream - 1] -= e->bytes;
    }
    for (uint32_t i = 0; i < t->room.streams->n; i++)
        if (bytes[i])
            add(self, t, &(struct cc_frame_flow){i, 0, 0, bytes[i]});
    h->unmap(h->self, bytes, size);
}

void cc_flows(const struct cc_thread *t, cc_flow_function *add, void *self)
{
    if (t->frame == 0)
        first_frame_flows(t, add, self);
    for (uint32_t i = 0; i < t->room.edges->n; i++) {
        const struct cc_edge *e = cc_grow_at(t->room.edges, i);
        if (e->bytes)
            add(self, t, &(struct cc_frame_flow){e->stream - 1, e->producer_frame, t->frame, e->bytes});
    }
}

static void keep_flow(void *self, const struct cc_thread *unused, const struct cc_frame_flow *flow)
{
    (void)unused;
    struct cc_thread *t = self;
    t->flows = cc_extend(t->owner, t->flows, &t->flows_cap, t->nflows + 1, sizeof *t->flows);
    t->flows[t->nflows++] = *flow;
}

void cc_fold_frame(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    cc_finds_forget(c);
    cc_fold(t);
    cc_flows(t, keep_flow, t);
    t->room.edges->n = 0;
    if (t->room.edge_index)
        __builtin_memset(t->room.edge_index, 0, t->room.edge_index_cap * sizeof *t->room.edge_index);
}

/* --- slices --- */

/* Lock held. */
static void slice_close(struct cc_collect *c)
{
    for (uint32_t f = 0; f < c->time.sum_cap && f < c->code.functions.n; f++) {
        struct cc_slice_sum *s = &c->time.sum[f];
        if (!s->read && !s->written)
            continue;
        cc_slices_add(
            c, &c->time.slices,
            &(struct cc_rec_slice){c->time.slice, f, s->read, s->written, s->stack_read, s->stack_written});
        *s = (struct cc_slice_sum){0};
    }
}

/* What was counted up to now belongs to the present slice; then the clock goes on. */
void cc_clock(struct cc_thread *t, uint64_t now)
{
    struct cc_collect *c = t->owner;
    cc_fold(t);
    cc_lock(c);
    if (!c->time.slice_length)
        c->time.slice_length = c->opt.slice ? c->opt.slice : SLICE_FIRST;
    c->time.clock += now - t->clocked;
    t->clocked = now;
    if (c->time.clock / c->time.slice_length != c->time.slice) {
        slice_close(c);
        uint32_t most = c->opt.slice ? FIXED_SLICES : SLICES;
        for (; c->time.clock / c->time.slice_length >= most; c->time.slice_length *= 2)
            cc_slices_halve(c, &c->time.slices);
        c->time.slice = (uint32_t)(c->time.clock / c->time.slice_length);
    }
    cc_unlock(c);
}

void cc_tick(struct cc_thread *t, uint64_t raw)
{
    struct cc_collect *c = t->owner;
    uint64_t now = cc_now(t, raw);
    cc_clock(t, now);
    uint64_t left = (c->time.slice + 1) * c->time.slice_length - c->time.clock;
    t->tick_at = raw + left;
}
