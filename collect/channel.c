/* Each write of the producer makes a *value*: the bytes of that access, with one history. Pages of 256
 * addresses say which value each byte belongs to; a read of part of a value splits that part off. So the
 * work is per value, and the figures are exact per byte.
 *
 * Time passes in *rounds*: a stretch of production, then a stretch of consumption. What lies between
 * production and consumption at the end of a round's production is the sum of what was made up to then less
 * what was taken before, counting only what the consumer reads one day. As that is known late, each round
 * keeps its own sums, and the walk over them is made at the end. */
#include "channel.h"

enum {
    PAGE_BITS = 8,
    PAGE = 1 << PAGE_BITS,
    PAGE_BLOCK = 1 << 8,   /* pages come in blocks: the host maps no less than 4 KiB */
    VALUE_BLOCK = 1 << 14, /* values come in blocks */
    MARK_BITS = 16,        /* the bitmap of produced positions comes in blocks of so many bits, log2 */
    SEGMENTS = 256,        /* candidates for the widest window */
    STRIDE_SLOTS = 4096,
    READERS = 4096, /* threads x arrays whose last read is known */
};

struct page {
    uint64_t key; /* 1 + address >> PAGE_BITS */
    uint32_t value[PAGE];
    uint64_t seen[PAGE / 64]; /* bytes that were ever read */
};

struct value {
    uint64_t position;    /* of its first byte among all bytes the producer ever wrote */
    uint64_t last;        /* number of the read that last met it */
    uint32_t made;        /* round */
    uint32_t last_round;  /* of the last read */
    uint32_t reads;       /* that met it; in a free value: the next free one */
    uint16_t bytes, size; /* that belong to it now; of the whole element */
    bool touched;         /* some part of the element was read */
};

struct round {
    uint64_t reads;
    uint64_t made, taken; /* elements produced, and read for the first time, in this round */
    uint64_t made_bytes, taken_bytes;
    int64_t live; /* change in bytes that are to be read again or for the first time */
};

/* Sums over rounds in order; also what is left of rounds that were folded away. */
struct walk {
    uint64_t waiting, waiting_bytes, depth, depth_bytes;
    int64_t live, live_most;
    uint64_t bursts, longest, largest; /* of production */
    uint64_t consumptions, longest_consumption, consumption;
    uint64_t production_hist[CC_CHANNEL_BUCKETS], consumption_hist[CC_CHANNEL_BUCKETS];
};

struct previous {    /* read of a thread in an array */
    uint64_t reader; /* thread and array */
    uint64_t address, size;
    int64_t stride;
    bool any, any_stride;
};

struct reach {
    uint64_t from, to; /* positions; from == to: none */
};

struct cc_channel {
    struct cc_host host;
    struct cc_channel_limits limits;
    struct page **page_blocks;
    uint32_t *page_index; /* hash of the address -> 1 + page */
    uint32_t npages, npage_blocks, page_index_cap;
    struct value **value_blocks;
    uint32_t nvalues, free_value, nvalue_blocks;
    uint64_t position; /* bytes produced so far */
    uint64_t **marks;  /* blocks of bits: the element at this position was read */
    uint64_t nmarks;
    uint64_t newest; /* position of the youngest value read so far */
    bool any_newest, consuming;
    struct round *rounds;
    uint32_t base, round; /* the first that is kept; the present one */
    struct walk folded;
    struct reach reach[SEGMENTS];
    uint32_t reach_shift;
    struct previous previous[READERS]; /* by hash; one that another takes the place of begins anew */
    uint64_t stride_keys[STRIDE_SLOTS], stride_counts[STRIDE_SLOTS];
    uint32_t nstrides;
    struct cc_rec_channel sum;
};

static void *map(struct cc_channel *ch, size_t size)
{
    return ch->host.map(ch->host.self, size);
}

static void unmap(struct cc_channel *ch, void *p, size_t size)
{
    if (p)
        ch->host.unmap(ch->host.self, p, size);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    return x ^ x >> 29;
}

static uint32_t bucket(uint64_t v) /* v > 0 */
{
    uint32_t k = 63 - (uint32_t)__builtin_clzll(v);
    return k < CC_CHANNEL_BUCKETS ? k : CC_CHANNEL_BUCKETS - 1;
}

/* --- pages and values --- */

static struct page *page_at(const struct cc_channel *ch, uint32_t i)
{
    return &ch->page_blocks[i / PAGE_BLOCK][i % PAGE_BLOCK];
}

static uint32_t page_slot(const struct cc_channel *ch, uint64_t key)
{
    uint32_t mask = ch->page_index_cap - 1, i = (uint32_t)mix(key) & mask;
    while (ch->page_index[i] && page_at(ch, ch->page_index[i] - 1)->key != key)
        i = (i + 1) & mask;
    return i;
}

static void page_index_grow(struct cc_channel *ch)
{
    unmap(ch, ch->page_index, ch->page_index_cap * sizeof *ch->page_index);
    ch->page_index_cap = ch->page_index_cap ? ch->page_index_cap * 2 : 1024;
    ch->page_index = map(ch, ch->page_index_cap * sizeof *ch->page_index);
    for (uint32_t i = 0; i < ch->npages; i++)
        ch->page_index[page_slot(ch, page_at(ch, i)->key)] = i + 1;
}

static struct page *page_find(struct cc_channel *ch, uint64_t a)
{
    uint32_t i = ch->page_index_cap ? ch->page_index[page_slot(ch, (a >> PAGE_BITS) + 1)] : 0;
    return i ? page_at(ch, i - 1) : NULL;
}

/* NULL: there is no room. */
static struct page *page_make(struct cc_channel *ch, uint64_t a)
{
    if (ch->npages * 2 >= ch->page_index_cap)
        page_index_grow(ch);
    uint32_t slot = page_slot(ch, (a >> PAGE_BITS) + 1);
    if (ch->page_index[slot])
        return page_at(ch, ch->page_index[slot] - 1);
    if ((uint64_t)ch->npages * PAGE >= ch->limits.addresses)
        return NULL;
    uint32_t i = ch->npages++;
    if (!ch->page_blocks[i / PAGE_BLOCK])
        ch->page_blocks[i / PAGE_BLOCK] = map(ch, PAGE_BLOCK * sizeof(struct page));
    page_at(ch, i)->key = (a >> PAGE_BITS) + 1;
    ch->page_index[slot] = i + 1;
    return page_at(ch, i);
}

static struct value *value_at(const struct cc_channel *ch, uint32_t v)
{
    return &ch->value_blocks[v / VALUE_BLOCK][v % VALUE_BLOCK];
}

/* 0: there is no room. */
static uint32_t value_take(struct cc_channel *ch)
{
    uint32_t v = ch->free_value;
    if (v) {
        ch->free_value = value_at(ch, v)->reads;
        return v;
    }
    if (ch->nvalues >= ch->limits.values)
        return 0;
    v = ch->nvalues++;
    if (!ch->value_blocks[v / VALUE_BLOCK])
        ch->value_blocks[v / VALUE_BLOCK] = map(ch, VALUE_BLOCK * sizeof(struct value));
    return v;
}

static void value_leave(struct cc_channel *ch, uint32_t v, uint32_t bytes)
{
    struct value *g = value_at(ch, v);
    g->bytes = (uint16_t)(g->bytes - bytes);
    if (g->bytes == 0) {
        g->reads = ch->free_value;
        ch->free_value = v;
    }
}

/* --- rounds --- */

static void end_consumption(struct walk *w)
{
    if (!w->consumption)
        return;
    w->consumptions++;
    w->consumption_hist[bucket(w->consumption)]++;
    if (w->consumption > w->longest_consumption)
        w->longest_consumption = w->consumption;
    w->consumption = 0;
}

static void walk_round(struct walk *w, const struct round *r)
{
    w->waiting += r->made;
    w->waiting_bytes += r->made_bytes;
    w->live += r->live;
    if (w->waiting > w->depth)
        w->depth = w->waiting;
    if (w->waiting_bytes > w->depth_bytes)
        w->depth_bytes = w->waiting_bytes;
    if (w->live > w->live_most)
        w->live_most = w->live;
    w->waiting -= r->taken;
    w->waiting_bytes -= r->taken_bytes;
    if (r->made) { /* else nothing of this production is ever read: consumption just goes on */
        end_consumption(w);
        w->bursts++;
        w->production_hist[bucket(r->made)]++;
        if (r->made > w->longest)
            w->longest = r->made;
        if (r->made_bytes > w->largest)
            w->largest = r->made_bytes;
    }
    w->consumption += r->reads;
}

/* The older half of the rounds goes; what is still said about them later only makes the sums larger. */
static void fold(struct cc_channel *ch)
{
    uint32_t kept = ch->limits.rounds, half = kept / 2;
    for (uint32_t i = 0; i < half; i++)
        walk_round(&ch->folded, &ch->rounds[i]);
    for (uint32_t i = 0; i < kept + 2; i++)
        ch->rounds[i] = i + half < kept + 2 ? ch->rounds[i + half] : (struct round){0};
    ch->base += half;
}

static void next_round(struct cc_channel *ch)
{
    ch->consuming = false;
    ch->round++;
    if (ch->round - ch->base >= ch->limits.rounds)
        fold(ch);
}

static struct round *round_at(struct cc_channel *ch, uint32_t round)
{
    return &ch->rounds[round - ch->base];
}

/* A value that was made in round `made` is read for the first time, now. */
static void first_read(struct cc_channel *ch, uint32_t made, uint32_t elements, uint32_t bytes)
{
    struct round *now = round_at(ch, ch->round);
    now->taken += elements;
    now->taken_bytes += bytes;
    ch->sum.elements += elements;
    if (made >= ch->base) {
        round_at(ch, made)->made += elements;
        round_at(ch, made)->made_bytes += bytes;
        return;
    }
    ch->folded.waiting += elements;
    ch->folded.waiting_bytes += bytes;
    ch->folded.depth += elements;
    ch->folded.depth_bytes += bytes;
    ch->sum.flags |= CC_CHANNEL_UPPER;
}

/* Bytes are needed from the start of round `from` to the present one. */
static void needed(struct cc_channel *ch, uint32_t from, uint32_t bytes)
{
    if (from > ch->round)
        return;
    round_at(ch, ch->round + 1)->live -= bytes;
    if (from >= ch->base) {
        round_at(ch, from)->live += bytes;
        return;
    }
    ch->folded.live += bytes;
    ch->folded.live_most += bytes;
    ch->sum.flags |= CC_CHANNEL_UPPER;
}

/* --- the window: which positions were read at all, and the farthest reaches back --- */

static void mark(struct cc_channel *ch, uint64_t position, uint32_t size)
{
    for (uint64_t p = position; p < position + size; p++) {
        uint64_t block = p >> MARK_BITS;
        if (block >= ch->nmarks) {
            ch->sum.flags |= CC_CHANNEL_RAW;
            return;
        }
        if (!ch->marks[block])
            ch->marks[block] = map(ch, (1u << MARK_BITS) / 8);
        ch->marks[block][p >> 6 & ((1u << (MARK_BITS - 6)) - 1)] |= UINT64_C(1) << (p & 63);
    }
}

/* Positions in [from, to) whose element was read; those beyond the bitmap all count. */
static uint64_t marked(const struct cc_channel *ch, uint64_t from, uint64_t to)
{
    uint64_t end = ch->nmarks << MARK_BITS, n = to > end ? to - (from > end ? from : end) : 0;
    if (to > end)
        to = end;
    while (from < to) {
        const uint64_t *block = ch->marks[from >> MARK_BITS];
        uint64_t stop = (from >> MARK_BITS) + 1;
        stop = stop << MARK_BITS < to ? stop << MARK_BITS : to;
        if (!block) {
            from = stop;
            continue;
        }
        uint64_t word = block[from >> 6 & ((1u << (MARK_BITS - 6)) - 1)] >> (from & 63);
        uint64_t left = 64 - (from & 63);
        if (stop - from < left) {
            word &= (UINT64_C(1) << (stop - from)) - 1;
            left = stop - from;
        }
        n += (uint64_t)__builtin_popcountll(word);
        from += left;
    }
    return n;
}

static void reach_note(struct reach *r, uint64_t from, uint64_t to)
{
    if (to - from > r->to - r->from)
        *r = (struct reach){from, to};
}

/* The value at `from` is read after the younger one at `to`. Of each stretch of the run the farthest is kept.
 */
static void reach_back(struct cc_channel *ch, uint64_t from, uint64_t to)
{
    while (to >> ch->reach_shift >= SEGMENTS) {
        ch->reach_shift++;
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            struct reach pair[2] = {{0}};
            for (uint32_t k = 0; k < 2 && 2 * i + k < SEGMENTS; k++)
                pair[k] = ch->reach[2 * i + k];
            ch->reach[i] = pair[0];
            reach_note(&ch->reach[i], pair[1].from, pair[1].to);
        }
    }
    reach_note(&ch->reach[to >> ch->reach_shift], from, to);
}

/* --- strides --- */

static void stride_count(struct cc_channel *ch, int64_t stride)
{
    uint64_t key = (uint64_t)stride;
    uint32_t i = (uint32_t)mix(key) & (STRIDE_SLOTS - 1);
    while (ch->stride_counts[i] && ch->stride_keys[i] != key)
        i = (i + 1) & (STRIDE_SLOTS - 1);
    if (!ch->stride_counts[i]) {
        if (ch->nstrides == CC_CHANNEL_STRIDES) {
            ch->sum.other_strides++;
            return;
        }
        ch->nstrides++;
        ch->stride_keys[i] = key;
    }
    ch->stride_counts[i]++;
}

static void note_stride(struct cc_channel *ch, struct cc_channel_reader reader, uint64_t a, uint32_t size)
{
    uint64_t key = (uint64_t)reader.thread << 32 | reader.array;
    struct previous *p = &ch->previous[mix(key + 1) & (READERS - 1)];
    if (p->any && p->reader != key)
        *p = (struct previous){0};
    p->reader = key;
    if (p->any) {
        int64_t stride = (int64_t)(a - p->address);
        stride_count(ch, stride);
        if (stride == (int64_t)p->size)
            ch->sum.unit++;
        else if (p->any_stride && stride == p->stride)
            ch->sum.constant++;
        else
            ch->sum.irregular++;
        p->stride = stride;
        p->any_stride = true;
    }
    p->any = true;
    p->address = a;
    p->size = size;
}

/* --- events --- */

void cc_channel_produce(struct cc_channel *ch, uint64_t a, uint32_t size)
{
    enum { MOST = 4096 }; /* no instruction writes more; the size of a value has 16 bits */
    for (; size > MOST; size -= MOST, a += MOST)
        cc_channel_produce(ch, a, MOST);
    if (!size)
        return;
    if (ch->consuming)
        next_round(ch);
    uint32_t v = value_take(ch), lost = 0;
    struct page *page = NULL;
    for (uint32_t i = 0; i < size; i++) {
        if (i == 0 || ((a + i) & (PAGE - 1)) == 0)
            page = page_make(ch, a + i);
        if (!page) {
            lost++;
            continue;
        }
        uint32_t *at = &page->value[(a + i) & (PAGE - 1)];
        if (*at)
            value_leave(ch, *at, 1);
        *at = v;
        lost += v == 0;
    }
    if (lost)
        ch->sum.flags |= CC_CHANNEL_LOST;
    if (v) {
        *value_at(ch, v) = (struct value){.position = ch->position,
                                          .made = ch->round,
                                          .bytes = (uint16_t)(size - lost),
                                          .size = (uint16_t)size};
        if (lost == size) { /* no page: give it back */
            value_at(ch, v)->bytes = 1;
            value_leave(ch, v, 1);
        }
    }
    ch->position += size;
}

/* `n` of the bytes of value v, at `at`, get a value of their own, if they are not all of it. 0: no room. */
static uint32_t split(struct cc_channel *ch, uint32_t v, uint32_t *at, uint32_t n)
{
    if (value_at(ch, v)->bytes == n)
        return v;
    uint32_t part = value_take(ch);
    if (part) {
        *value_at(ch, part) = *value_at(ch, v);
        value_at(ch, part)->bytes = (uint16_t)n;
        value_at(ch, v)->touched = true;
    } else {
        ch->sum.flags |= CC_CHANNEL_LOST;
    }
    value_leave(ch, v, n);
    for (uint32_t i = 0; i < n; i++)
        at[i] = part;
    return part;
}

static void read_value(struct cc_channel *ch, struct value *g, uint32_t n)
{
    struct cc_rec_channel *sum = &ch->sum;
    if (g->reads == 0) {
        sum->fresh += n;
        if (!ch->any_newest || g->position >= ch->newest)
            sum->ordered += n;
        first_read(ch, g->made, !g->touched, n);
        if (!g->touched)
            mark(ch, g->position, g->size);
        g->touched = true;
        needed(ch, g->made, n);
    } else {
        sum->distance[bucket(sum->reads > g->last ? sum->reads - g->last : 1)] += n;
        sum->reuse[bucket(g->reads)] -= n;
        needed(ch, g->last_round + 1, n);
    }
    uint32_t behind = ch->round - g->made;
    sum->behind[behind < 2 ? behind : 2] += n;
    if (ch->any_newest && g->position < ch->newest)
        reach_back(ch, g->position, ch->newest);
    g->reads += g->reads < UINT32_MAX;
    sum->reuse[bucket(g->reads)] += n;
    g->last = sum->reads;
    g->last_round = ch->round;
}

void cc_channel_consume(struct cc_channel *ch, struct cc_channel_reader reader, uint64_t a, uint32_t size,
                        uint64_t own)
{
    struct cc_rec_channel *sum = &ch->sum;
    uint32_t first = (uint32_t)__builtin_ctzll(own), end = 64 - (uint32_t)__builtin_clzll(own);
    if (end > size)
        end = size;
    sum->reads++;
    ch->consuming = true;
    round_at(ch, ch->round)->reads++;
    note_stride(ch, reader, a + first, end - first);
    uint64_t newest = ch->newest;
    bool any_newest = ch->any_newest;
    for (uint32_t i = first, n; i < end; i += n) {
        n = 1;
        if (!(own >> i & 1))
            continue;
        struct page *page = page_find(ch, a + i);
        uint32_t at = (uint32_t)((a + i) & (PAGE - 1)), v = page ? page->value[at] : 0;
        while (i + n < end && own >> (i + n) & 1 && at + n < PAGE && page && page->value[at + n] == v)
            n++;
        sum->bytes += n;
        if (v)
            v = split(ch, v, &page->value[at], n);
        if (!v) {
            sum->unfollowed += n;
            continue;
        }
        struct value *g = value_at(ch, v);
        read_value(ch, g, n);
        for (uint32_t k = 0; k < n; k++) {
            uint64_t *word = &page->seen[(at + k) >> 6], bit = UINT64_C(1) << ((at + k) & 63);
            sum->unma += !(*word & bit);
            *word |= bit;
        }
        if (!any_newest || g->position > newest)
            newest = g->position;
        any_newest = true;
    }
    ch->newest = newest; /* bytes of one read are read at once */
    ch->any_newest = any_newest;
}

/* --- life and results --- */

struct cc_channel *cc_channel_new(const struct cc_host *host, const struct cc_channel_limits *limits)
{
    struct cc_channel *ch = host->map(host->self, sizeof *ch);
    ch->host = *host;
    ch->limits = *limits;
    if (!ch->limits.addresses)
        ch->limits.addresses = 64 << 20;
    if (!ch->limits.values)
        ch->limits.values = 8 << 20;
    if (!ch->limits.rounds)
        ch->limits.rounds = 1 << 18;
    if (!ch->limits.produced)
        ch->limits.produced = UINT64_C(2) << 30;
    ch->npage_blocks = (uint32_t)(ch->limits.addresses / PAGE / PAGE_BLOCK) + 1;
    ch->page_blocks = map(ch, ch->npage_blocks * sizeof *ch->page_blocks);
    ch->nvalue_blocks = ch->limits.values / VALUE_BLOCK + 1;
    ch->value_blocks = map(ch, ch->nvalue_blocks * sizeof *ch->value_blocks);
    ch->nvalues = 1; /* 0 is no value */
    ch->value_blocks[0] = map(ch, VALUE_BLOCK * sizeof(struct value));
    ch->nmarks = (ch->limits.produced >> MARK_BITS) + 1;
    ch->marks = map(ch, ch->nmarks * sizeof *ch->marks);
    ch->rounds = map(ch, (ch->limits.rounds + 2) * sizeof *ch->rounds);
    return ch;
}

void cc_channel_free(struct cc_channel *ch)
{
    for (uint32_t i = 0; i < ch->npage_blocks; i++)
        unmap(ch, ch->page_blocks[i], PAGE_BLOCK * sizeof(struct page));
    unmap(ch, ch->page_blocks, ch->npage_blocks * sizeof *ch->page_blocks);
    unmap(ch, ch->page_index, ch->page_index_cap * sizeof *ch->page_index);
    for (uint32_t i = 0; i < ch->nvalue_blocks; i++)
        unmap(ch, ch->value_blocks[i], VALUE_BLOCK * sizeof(struct value));
    unmap(ch, ch->value_blocks, ch->nvalue_blocks * sizeof *ch->value_blocks);
    for (uint64_t i = 0; i < ch->nmarks; i++)
        unmap(ch, ch->marks[i], (1u << MARK_BITS) / 8);
    unmap(ch, ch->marks, ch->nmarks * sizeof *ch->marks);
    unmap(ch, ch->rounds, (ch->limits.rounds + 2) * sizeof *ch->rounds);
    unmap(ch, ch, sizeof *ch);
}

static void put_rounds(const struct cc_channel *ch, struct cc_rec_channel *ret)
{
    struct walk w = ch->folded;
    uint32_t n = ch->round - ch->base + 1;
    ret->rounds = (uint64_t)ch->round + 1;
    ret->rounds_per_point = n / CC_CHANNEL_OCCUPANCY + 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct round *r = &ch->rounds[i];
        uint64_t waiting = w.waiting_bytes + r->made_bytes,
                 *point = &ret->occupancy[i / ret->rounds_per_point];
        walk_round(&w, r);
        if (waiting > *point)
            *point = waiting;
    }
    end_consumption(&w);
    ret->depth = w.depth;
    ret->depth_bytes = w.depth_bytes;
    ret->live = (uint64_t)w.live_most;
    ret->production_bursts = w.bursts;
    ret->longest_production = w.longest;
    ret->largest_production = w.largest;
    ret->consumption_bursts = w.consumptions;
    ret->longest_consumption = w.longest_consumption;
    for (uint32_t i = 0; i < CC_CHANNEL_BUCKETS; i++) {
        ret->production[i] = w.production_hist[i];
        ret->consumption[i] = w.consumption_hist[i];
    }
}

static void put_strides(const struct cc_channel *ch, struct cc_rec_channel *ret)
{
    ret->nstrides = 0;
    for (uint32_t i = 0; i < STRIDE_SLOTS; i++) {
        if (!ch->stride_counts[i])
            continue;
        struct cc_rec_stride s = {(int64_t)ch->stride_keys[i], ch->stride_counts[i]};
        uint32_t at = ret->nstrides++;
        for (; at > 0 && ret->strides[at - 1].stride > s.stride; at--)
            ret->strides[at] = ret->strides[at - 1];
        ret->strides[at] = s;
    }
}

void cc_channel_result(struct cc_channel *ch, struct cc_rec_channel *ret)
{
    uint32_t producer = ret->producer, consumer = ret->consumer;
    *ret = ch->sum;
    ret->producer = producer;
    ret->consumer = consumer;
    put_rounds(ch, ret);
    put_strides(ch, ret);
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        uint64_t width = marked(ch, ch->reach[i].from, ch->reach[i].to);
        if (width > ret->window)
            ret->window = width;
    }
}
