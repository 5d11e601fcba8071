/* Data objects as records. */
#include "data_internal.h"

#define RECORD(w, tag, r) (w)->put((w)->self, tag, &(r), sizeof(r), NULL, 0)

static void put_groups(const struct cc_data *x, const struct cc_data_writer *w)
{
    for (uint32_t i = 0; i < x->groups.n; i++) {
        const struct cc_group *g = cc_group_at(x, i);
        struct cc_rec_object r = {.id = i,
                                  .kind = g->kind,
                                  .alloc = g->alloc,
                                  .binary = g->binary,
                                  .thread = g->thread,
                                  .name_size = g->name_size,
                                  .address = g->address,
                                  .size = g->size,
                                  .count = g->count,
                                  .freed = g->freed,
                                  .total = g->total,
                                  .live = g->live,
                                  .peak = g->peak};
        w->put(w->self, CC_REC_OBJECT, &r, sizeof r, g->name, g->name_size);
        for (uint32_t k = 0; k < g->ncalls; k++) {
            const struct cc_site_call *f = &g->calls[k];
            struct cc_rec_object_site s = {
                .object = i, .level = k, .function = f->function, .binary = f->binary, .address = f->address};
            RECORD(w, CC_REC_OBJECT_SITE, s);
        }
    }
}

/* --- counts of all threads --- */

static bool used(const struct cc_pair *p)
{
    uint64_t sum = 0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < CC_DATA_CLASSES; i++)
            sum |= p->n[k][i];
        sum |= p->odd[k];
    }
    return sum != 0;
}

static void add_pair(struct cc_pair *to, const struct cc_pair *p, uint64_t start)
{
    uint64_t first = p->first + start, last = p->last + start;
    bool fresh = !used(to);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < CC_DATA_CLASSES; i++)
            to->n[k][i] += p->n[k][i];
        to->odd[k] += p->odd[k];
        to->odd_bytes[k] += p->odd_bytes[k];
    }
    to->first = fresh || first < to->first ? first : to->first;
    to->last = fresh || last > to->last ? last : to->last;
}

/* Bitmaps of all threads are joined in those of the sum. */
static void unite(struct cc_data_thread *sum, const struct cc_data_thread *d)
{
    for (size_t i = 0; i < d->bits_cap; i++) {
        const struct cc_bits *b = &d->bits[i];
        if (!b->key)
            continue;
        const struct cc_pair *p = d->pairs[(b->key >> (CC_ADDRESS_BITS - CC_BITS_PAGE)) - 1];
        struct cc_pair *to = cc_pair_find(sum, p->function, p->group);
        uint64_t page = b->key & ((UINT64_C(1) << (CC_ADDRESS_BITS - CC_BITS_PAGE)) - 1);
        uint64_t *mine = cc_data_bits(sum, to->number, page << CC_BITS_PAGE);
        for (int k = 0; k < CC_BITS_WORDS; k++) {
            uint64_t read = b->bits[k] & ~mine[k],
                     written = b->bits[CC_BITS_WORDS + k] & ~mine[CC_BITS_WORDS + k];
            to->distinct[0] += cc_count_bits(read);
            to->distinct[1] += cc_count_bits(written);
            to->unma += cc_count_bits((read | written) & ~(mine[k] | mine[CC_BITS_WORDS + k]));
            mine[k] |= read;
            mine[CC_BITS_WORDS + k] |= written;
        }
    }
}

/* What all threads counted, by function and group. */
static struct cc_data_thread *sum_of(struct cc_data *x)
{
    struct cc_collect *c = x->c;
    if (!x->sum) {
        x->sum = c->host.map(c->host.self, sizeof *x->sum);
        x->sum->owner = c;
        cc_data_thread_new(x, x->sum);
    }
    struct cc_data_thread *sum = x->sum->data;
    for (size_t i = 0; i < sum->npairs; i++) {
        struct cc_pair *p = sum->pairs[i];
        *p = (struct cc_pair){.function = p->function, .group = p->group, .number = p->number};
    }
    for (size_t i = 0; i < sum->bits_cap; i++)
        if (sum->bits[i].key)
            __builtin_memset(sum->bits[i].bits, 0, 2 * CC_BITS_WORDS * sizeof(uint64_t));
    for (uint32_t t = 0; t < c->threads.n; t++) {
        const struct cc_data_thread *d = c->threads.v[t]->data;
        for (size_t i = 0; i < d->npairs; i++) {
            if (!used(d->pairs[i]))
                continue;
            struct cc_pair *to = cc_pair_find(sum, d->pairs[i]->function, d->pairs[i]->group);
            add_pair(to, d->pairs[i], c->threads.v[t]->start);
            if (c->threads.n > 1) /* unite() counts them */
                continue;
            to->unma = d->pairs[i]->unma;
            to->distinct[0] = d->pairs[i]->distinct[0];
            to->distinct[1] = d->pairs[i]->distinct[1];
        }
    }
    return sum;
}

static void put_pair(const struct cc_data_writer *w, const struct cc_pair *p, bool has_unma)
{
    struct cc_rec_object_access r = {.function = p->function,
                                     .object = p->group,
                                     .has_unma = has_unma,
                                     .unma = p->unma,
                                     .unma_read = p->distinct[0],
                                     .unma_written = p->distinct[1],
                                     .reads = p->odd[0],
                                     .writes = p->odd[1],
                                     .bytes_read = p->odd_bytes[0],
                                     .bytes_written = p->odd_bytes[1],
                                     .first = p->first,
                                     .last = p->last};
    for (int k = 0; k < CC_DATA_CLASSES; k++) {
        r.reads += p->n[0][k];
        r.writes += p->n[1][k];
        r.bytes_read += p->n[0][k] << k;
        r.bytes_written += p->n[1][k] << k;
    }
    RECORD(w, CC_REC_OBJECT_ACCESS, r);
}

/* Distinct addresses are known of a single thread at any time, of several once the run has ended. */
static void put_pairs(struct cc_data *x, const struct cc_data_writer *w, bool final)
{
    const struct cc_threads *threads = &x->c->threads;
    struct cc_data_thread *sum = sum_of(x);
    for (uint32_t t = 0; final && threads->n > 1 && t < threads->n; t++)
        unite(sum, threads->v[t]->data);
    for (size_t i = 0; i < sum->npairs; i++)
        if (used(sum->pairs[i]) && sum->pairs[i]->function != CC_FUNCTION_OFF)
            put_pair(w, sum->pairs[i], final || threads->n == 1);
}

/* --- stack frames; the reader adds up what several threads did at the same place --- */

static void put_slot(const struct cc_data_writer *w, const struct cc_stack_view *v, uint64_t distance,
                     uint32_t size, const struct cc_slot *s, const uint64_t bytes[2], uint64_t start)
{
    if ((!s->n[0] && !s->n[1]) || v->function == CC_FUNCTION_OFF)
        return;
    struct cc_rec_object_slot r = {.function = v->function,
                                   .owner = v->owner,
                                   .size = size,
                                   .distance = distance,
                                   .reads = s->n[0],
                                   .writes = s->n[1],
                                   .bytes_read = bytes ? bytes[0] : s->n[0] * size,
                                   .bytes_written = bytes ? bytes[1] : s->n[1] * size,
                                   .first = s->first - 1 + start,
                                   .last = s->last + start};
    RECORD(w, CC_REC_OBJECT_SLOT, r);
}

static void put_stack_frames(const struct cc_data_writer *w, const struct cc_data_thread *d)
{
    uint64_t start = d->thread->start;
    for (size_t i = 0; i < d->nviews; i++) {
        const struct cc_stack_view *v = d->views[i];
        for (uint32_t class = 0; class < CC_DATA_CLASSES; class ++)
            for (uint32_t k = 0; v->near[class] && k < (uint32_t)CC_NEAR >> class; k++)
                put_slot(w, v, (uint64_t)(k + 1) << class, 1u << class, &v->near[class][k], NULL, start);
    }
    for (size_t i = 0; i < d->far_cap; i++) {
        const struct cc_far_slot *s = &d->far[i];
        if (!s->key)
            continue;
        const struct cc_stack_view *v = d->views[(s->key >> 44) - 1];
        put_slot(w, v, s->key >> 8 & ((UINT64_C(1) << 36) - 1), (uint32_t)(s->key & 255), &s->slot, s->bytes,
                 start);
    }
}

bool cc_data_cut(const struct cc_collect *c)
{
    return c->data && c->data->full;
}

void cc_data_write(struct cc_collect *c, const struct cc_data_writer *w, bool final)
{
    if (!c->data)
        return;
    put_groups(c->data, w);
    put_pairs(c->data, w, final);
    for (uint32_t t = 0; t < c->threads.n; t++)
        put_stack_frames(w, c->threads.v[t]->data);
}
