/* Counts on their way: what the hot path counts on edges and nodes is taken from there now and then, and goes
 * to the stream's total and to the slice of time that is running. */
#include "internal.h"
#include "site.h"

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

/* Moves all counts from one to the other. */
static void counts_move(struct cc_counts *from, struct cc_counts *to)
{
    uint64_t *a = (uint64_t *)from, *b = (uint64_t *)to;
    for (size_t i = 0; i < sizeof *from / sizeof *a; i++)
        b[i] += a[i];
    __builtin_memset(from, 0, sizeof *from);
}

/* What the node read and wrote since the last time. */
static void node_fold(struct cc_thread *t, struct cc_node *n, struct cc_slice_sum *sum)
{
    for (struct cc_edge *e = n->edges; e; e = e->next) {
        uint64_t bytes = cc_counts_bytes(&e->reads);
        if (!bytes)
            continue;
        t->total[0] += cc_counts_operations(&e->reads);
        e->bytes += bytes;
        sum->read += bytes;
        sum->stack_read += e->stack ? bytes : 0;
        counts_move(&e->reads, &e->stream->reads[e->stack]);
    }
    for (uint32_t stack = 0; stack < 2; stack++) {
        uint64_t bytes = cc_counts_bytes(&n->writes[stack]);
        if (!bytes)
            continue;
        t->total[1] += cc_counts_operations(&n->writes[stack]);
        sum->written += bytes;
        sum->stack_written += stack ? bytes : 0;
        counts_move(&n->writes[stack], &n->written[stack]);
    }
}

void cc_fold(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    cc_sites_flush(c, false);
    cc_lock(c);
    c->time.sum = cc_extend(c, c->time.sum, &c->time.sum_cap, c->code.functions.n, sizeof *c->time.sum);
    for (size_t i = 0; i < t->ntouched; i++) {
        struct cc_node *n = cc_node_at(c, t->touched[i]);
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

void cc_fold_frame(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    cc_sites_flush(c, true);
    cc_fold(t);
    t->flows = cc_extend(c, t->flows, &t->flows_cap, t->nflows + t->nedges, sizeof *t->flows);
    for (size_t i = 0; i < t->nedges; i++) {
        const struct cc_edge *e = t->edges[i];
        if (e->bytes)
            t->flows[t->nflows++] = (struct cc_frame_flow){(uint32_t)e->stream->number - 1, e->producer_frame,
                                                           t->frame, e->bytes};
    }
    t->nedges = 0;
    if (t->edge_index)
        __builtin_memset(t->edge_index, 0, t->edge_index_cap * sizeof *t->edge_index);
}

/* --- slices --- */

/* Two slices become one. Entries are sorted by slice, then function. */
static void slices_halve(struct cc_collect *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->time.nslices;) {
        uint32_t slice = c->time.slices[i].slice >> 1;
        size_t a = i, b, end;
        while (i < c->time.nslices && c->time.slices[i].slice == slice << 1)
            i++;
        b = i;
        while (i < c->time.nslices && c->time.slices[i].slice >> 1 == slice)
            i++;
        end = i;
        /* merge [a, b) and [b, end) behind what is done: the result is never longer than what it replaces,
         * but may overtake the second run, so that run is copied first */
        size_t m = end - b;
        struct cc_rec_slice *second = c->host.map(c->host.self, m * sizeof *second + 1);
        __builtin_memcpy(second, c->time.slices + b, m * sizeof *second);
        struct cc_rec_slice *first = c->host.map(c->host.self, (b - a) * sizeof *first + 1);
        __builtin_memcpy(first, c->time.slices + a, (b - a) * sizeof *first);
        for (size_t x = 0, y = 0; x < b - a || y < m;) {
            struct cc_rec_slice s;
            if (y == m || (x < b - a && first[x].function < second[y].function)) {
                s = first[x++];
            } else if (x == b - a || second[y].function < first[x].function) {
                s = second[y++];
            } else {
                s = first[x++];
                s.read += second[y].read;
                s.written += second[y].written;
                s.stack_read += second[y].stack_read;
                s.stack_written += second[y++].stack_written;
            }
            s.slice = slice;
            c->time.slices[n++] = s;
        }
        c->host.unmap(c->host.self, first, (b - a) * sizeof *first + 1);
        c->host.unmap(c->host.self, second, m * sizeof *second + 1);
    }
    c->time.nslices = n;
    c->time.slice >>= 1;
    c->time.slice_length *= 2;
}

/* Lock held. */
static void slice_close(struct cc_collect *c)
{
    for (uint32_t f = 0; f < c->time.sum_cap && f < c->code.functions.n; f++) {
        struct cc_slice_sum *s = &c->time.sum[f];
        if (!s->read && !s->written)
            continue;
        c->time.slices =
            cc_extend(c, c->time.slices, &c->time.slices_cap, c->time.nslices + 1, sizeof *c->time.slices);
        c->time.slices[c->time.nslices++] =
            (struct cc_rec_slice){c->time.slice, f, s->read, s->written, s->stack_read, s->stack_written};
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
        while (c->time.clock / c->time.slice_length >= most)
            slices_halve(c);
        c->time.slice = (uint32_t)(c->time.clock / c->time.slice_length);
    }
    cc_unlock(c);
}

void cc_tick(struct cc_thread *t, uint64_t raw)
{
    struct cc_collect *c = t->owner;
    uint64_t now = cc_now(t, raw);
    cc_clock(t, now);
    t->tick_at = raw + (c->time.slice + 1) * c->time.slice_length - c->time.clock;
}
