#include "bandwidth.h"

const char *const cc_traffic_names[] = {"all", "reads", "writes", NULL};
const char *const cc_stack_part_names[] = {"with", "without", "only", NULL};

uint64_t cc_bandwidth_bytes(const struct cc_rec_slice *s, enum cc_traffic traffic, enum cc_stack_part stack)
{
    uint64_t read = stack == CC_STACK_ONLY      ? s->stack_read
                    : stack == CC_STACK_WITHOUT ? s->read - s->stack_read
                                                : s->read;
    uint64_t written = stack == CC_STACK_ONLY      ? s->stack_written
                       : stack == CC_STACK_WITHOUT ? s->written - s->stack_written
                                                   : s->written;
    return (traffic == CC_TRAFFIC_WRITES ? 0 : read) + (traffic == CC_TRAFFIC_READS ? 0 : written);
}

static int by_function(const void *a, const void *b)
{
    const struct cc_rec_slice *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->slice > y->slice) - (x->slice < y->slice);
}

static int by_bytes(const void *a, const void *b)
{
    const struct cc_bandwidth_function *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->function < y->function ? -1 : 1;
}

static uint64_t length_of(const struct cc_bandwidth *b, uint32_t slice)
{
    return slice + 1 == b->nslices ? b->last_length : b->length;
}

static struct cc_bandwidth_function function_sum(const struct cc_bandwidth *b,
                                                 const struct cc_rec_slice *items, size_t n,
                                                 enum cc_traffic traffic, enum cc_stack_part stack)
{
    struct cc_bandwidth_function f = {.function = items->function, .items = items, .nitems = n};
    uint64_t instructions = 0;
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_slice *s = &items[i];
        uint64_t bytes = cc_bandwidth_bytes(s, traffic, stack), length = length_of(b, s->slice);
        f.read += s->read;
        f.written += s->written;
        f.stack_read += s->stack_read;
        f.stack_written += s->stack_written;
        if (!bytes)
            continue;
        if (!f.active++)
            f.first = s->slice;
        f.last = s->slice;
        f.bytes += bytes;
        instructions += length;
        double rate = (double)bytes / (double)length;
        if (rate > f.peak) {
            f.peak = rate;
            f.peak_slice = s->slice;
        }
    }
    f.average = instructions ? (double)f.bytes / (double)instructions : 0;
    return f;
}

/* The slices' span: the last one may be cut short by the end of the run. */
static void measure(struct cc_bandwidth *b, const struct cc_profile *p)
{
    for (size_t i = 0; i < p->nslices; i++)
        b->nslices = CC_MAX(b->nslices, p->slices[i].slice + 1);
    b->length = CC_MAX(p->slice_length, UINT64_C(1));
    uint64_t before = 0;
    bool fits = !__builtin_mul_overflow(b->length, (uint64_t)b->nslices - 1, &before);
    b->last_length = b->length;
    if (fits && p->instructions > before && p->instructions - before < b->length)
        b->last_length = p->instructions - before;
}

static void functions_sum(struct cc_bandwidth *b, const struct cc_profile *p, struct cc_rec_slice *items,
                          const bool *match, enum cc_traffic traffic, enum cc_stack_part stack,
                          const struct cc_filter *filter)
{
    CC_VEC(struct cc_bandwidth_function) all = {0};
    qsort(items, p->nslices, sizeof *items, by_function);
    for (size_t i = 0, end; i < p->nslices; i = end) {
        for (end = i; end < p->nslices && items[end].function == items[i].function;)
            end++;
        struct cc_bandwidth_function f = function_sum(b, items + i, end - i, traffic, stack);
        b->total += f.bytes;
        if (f.bytes)
            CC_VEC_PUSH(&all, f);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_bytes);
    b->functions = cc_arena_alloc(&b->arena, (all.n + 1) * sizeof *b->functions);
    for (size_t i = 0; i < all.n; i++) {
        const struct cc_bandwidth_function *f = &all.v[i];
        bool shown =
            filter->focus ? match[f->function] : (double)f->bytes >= filter->min_share * (double)b->total;
        if (shown && (!filter->top || b->nfunctions < filter->top)) {
            b->functions[b->nfunctions++] = *f;
            b->shown += f->bytes;
        } else {
            b->hidden++;
        }
    }
    CC_VEC_FINI(&all);
}

int cc_bandwidth_build(const struct cc_profile *p, enum cc_traffic traffic, enum cc_stack_part stack,
                       const struct cc_filter *filter, struct cc_bandwidth **ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    int rc = filter->focus ? cc_names_focus_functions(filter->focus, p, match, err) : 0;
    if (rc == 0 && !p->nslices) {
        rc = cc_err_set(err, CC_EINPUT, "'%s' was recorded without slices of time", p->path ? p->path : "?");
        cc_err_hint(err, "record it again with the valgrind or qemu engine, without --plain");
    }
    if (rc < 0)
        return rc;
    struct cc_bandwidth *b = cc_alloc(sizeof *b);
    struct cc_rec_slice *items = cc_arena_alloc(&b->arena, p->nslices * sizeof *items);
    measure(b, p);
    memcpy(items, p->slices, p->nslices * sizeof *items);
    cc_phases_find(b, p->slices, p->nslices, traffic, stack);
    functions_sum(b, p, items, match, traffic, stack, filter);
    *ret = b;
    return 0;
}

void cc_bandwidth_free(struct cc_bandwidth *b)
{
    if (!b)
        return;
    cc_arena_fini(&b->arena);
    free(b);
}
