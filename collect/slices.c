#include "slices.h"
#include "internal.h"

/* --- numbers of seven bits a byte, the lowest first; the last has its top bit clear --- */

enum { MOST_BYTES = 10, NUMBERS = 6 }; /* of a number; of an entry */

static void put(struct cc_slices *s, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        s->bytes[s->n++] = (uint8_t)(v | 128);
    s->bytes[s->n++] = (uint8_t)v;
}

static uint64_t get(struct cc_slice_reader *r)
{
    uint64_t v = 0;
    for (uint32_t shift = 0;; shift += 7) {
        uint8_t byte = r->slices->bytes[r->at++];
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return v;
    }
}

/* An entry is told from the one before: how many slices later, and which function, or how much further. */
void cc_slices_add(struct cc_collect *c, struct cc_slices *s, const struct cc_rec_slice *entry)
{
    s->bytes = cc_extend(c, s->bytes, &s->cap, s->n + NUMBERS * MOST_BYTES, 1);
    put(s, entry->slice - s->slice);
    put(s, entry->function - (entry->slice == s->slice ? s->function : 0));
    put(s, entry->read);
    put(s, entry->written);
    put(s, entry->stack_read);
    put(s, entry->stack_written);
    s->slice = entry->slice;
    s->function = entry->function;
}

void cc_slices_next(struct cc_slice_reader *r)
{
    r->over = r->at == r->slices->n;
    if (r->over)
        return;
    uint32_t later = (uint32_t)get(r), function = (uint32_t)get(r);
    r->entry.slice += later;
    r->entry.function = function + (later ? 0 : r->entry.function);
    r->entry.read = get(r);
    r->entry.written = get(r);
    r->entry.stack_read = get(r);
    r->entry.stack_written = get(r);
}

static bool is_in(const struct cc_slice_reader *r, uint32_t slice)
{
    return !r->over && r->entry.slice == slice;
}

/* The next entry of the slice that two become, from either or both. */
static struct cc_rec_slice merge_next(struct cc_slice_reader *first, struct cc_slice_reader *second,
                                      uint32_t pair)
{
    bool one = is_in(first, 2 * pair), two = is_in(second, 2 * pair + 1);
    bool take_one = one && (!two || first->entry.function <= second->entry.function);
    bool take_two = two && (!one || second->entry.function <= first->entry.function);
    struct cc_rec_slice sum = take_one ? first->entry : second->entry;
    sum.slice = pair;
    if (take_one && take_two) {
        sum.read += second->entry.read;
        sum.written += second->entry.written;
        sum.stack_read += second->entry.stack_read;
        sum.stack_written += second->entry.stack_written;
    }
    if (take_one)
        cc_slices_next(first);
    if (take_two)
        cc_slices_next(second);
    return sum;
}

void cc_slices_halve(struct cc_collect *c, struct cc_slices *s)
{
    struct cc_slices half = {0};
    struct cc_slice_reader first = {.slices = s}, second;
    cc_slices_next(&first);
    for (; !first.over; first = second) {
        uint32_t pair = first.entry.slice / 2;
        second = first;
        while (is_in(&second, 2 * pair))
            cc_slices_next(&second);
        while (is_in(&first, 2 * pair) || is_in(&second, 2 * pair + 1)) {
            struct cc_rec_slice sum = merge_next(&first, &second, pair);
            cc_slices_add(c, &half, &sum);
        }
    }
    cc_give_back(c, s->bytes, s->cap);
    *s = half;
}
