#include "internal.h"

enum { MAX_RING = 1 << 22, MAX_BYTES = 128 << 20 };

bool contention_is_memory(const struct cc_contention_options *o, const struct cc_trace_event *e)
{
    return e->kind < CC_TRACE_WAIT && (o->hits || !(e->flags & (CC_TRACE_HIT | CC_TRACE_BUFFERED)));
}

void contention_windows_init(struct windows *w, struct items *items, const struct cc_contention_options *o,
                             unsigned ncpus, uint64_t length, uint32_t threshold, uint64_t duration)
{
    *w = (struct windows){
        .items = items, .options = o, .ncpus = ncpus, .length = length, .threshold = threshold, .every = 1};
    w->most = o->most_bytes ? o->most_bytes : MAX_BYTES;
    w->band_gap = duration / CC_CONTENTION_SLICES;
}

void contention_windows_fini(struct windows *w)
{
    free(w->bytes);
    free(w->ring);
    CC_VEC_FINI(&w->entries);
    CC_VEC_FINI(&w->bands);
    cc_map_fini(&w->slot);
    cc_map_fini(&w->pair_windows);
}

static void put_varint(struct windows *w, uint64_t v)
{
    while (v >= 0x80) {
        w->bytes[w->n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    w->bytes[w->n++] = (uint8_t)v;
}

static uint64_t get_varint(const struct windows *w, size_t *at)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t b = w->bytes[(*at)++];
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return v;
    }
}

static int by_item_cpu(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Drops items that are on no more than `min` CPUs of the window. */
static void keep_widespread(struct windows *w, unsigned min)
{
    size_t kept = 0;
    for (size_t i = 0, next; i < w->entries.n; i = next) {
        for (next = i + 1; next < w->entries.n && w->entries.v[next].item == w->entries.v[i].item;)
            next++;
        for (size_t k = i; next - i > min && k < next; k++)
            w->entries.v[kept++] = w->entries.v[k];
    }
    w->entries.n = kept;
}

/* The open window as it is kept. */
static void put_window(struct windows *w, uint64_t excess)
{
    size_t need = 20 + w->entries.n * 38;
    if (w->cap - w->n < need) {
        w->cap = CC_MAX(w->cap + w->cap / 2, w->n + need + 4096);
        w->bytes = cc_realloc_array(w->bytes, w->cap, 1);
    }
    put_varint(w, w->entries.n);
    put_varint(w, excess);
    uint32_t last = NO_ITEM;
    for (size_t i = 0; i < w->entries.n; i++) {
        const struct entry *e = &w->entries.v[i];
        put_varint(w, e->item);
        put_varint(w, e->cpu);
        put_varint(w, e->events);
        put_varint(w, e->latency);
        put_varint(w, e->excess);
        if (e->item != last)
            w->items->all.v[e->item].windows++;
        last = e->item;
        ++*cc_map_put(&w->pair_windows, (uint64_t)e->item << 16 | e->cpu, NULL);
    }
    w->total_excess += excess;
    w->transactions += w->entries.n > 0;
}

/* The window at *at is as if it had not been. */
static void forget_window(struct windows *w, size_t *at)
{
    size_t n = get_varint(w, at);
    uint32_t last = NO_ITEM;
    w->total_excess -= get_varint(w, at);
    for (size_t i = 0; i < n; i++) {
        uint32_t item = (uint32_t)get_varint(w, at);
        uint64_t cpu = get_varint(w, at);
        for (int k = 0; k < 3; k++)
            get_varint(w, at);
        w->items->all.v[item].windows -= item != last;
        last = item;
        --*cc_map_put(&w->pair_windows, (uint64_t)item << 16 | cpu, NULL);
    }
    w->transactions -= n > 0;
}

static void skip_window(const struct windows *w, size_t *at)
{
    size_t n = get_varint(w, at);
    for (size_t i = 0; i < 5 * n + 1; i++)
        get_varint(w, at);
}

/* Too many to keep: half of them go, and of those to come as many, by chance, since programs repeat
 * themselves. Shares and supports are those of the sample. */
static void thin(struct windows *w)
{
    size_t kept = 0;
    w->empty /= 2;
    w->count = w->empty;
    for (size_t at = 0, from; at < w->n;) {
        from = at;
        if (cc_rng_below(&w->chance, 2)) {
            forget_window(w, &at);
            continue;
        }
        skip_window(w, &at);
        memmove(w->bytes + kept, w->bytes + from, at - from);
        kept += at - from;
        w->count++;
    }
    w->n = kept;
    w->every *= 2;
}

static void close_window(struct windows *w)
{
    uint64_t excess = 0;
    w->open = false;
    w->laid++;
    if (cc_rng_below(&w->chance, w->every))
        return;
    w->count++;
    if (!w->entries.n) {
        w->empty++;
        return;
    }
    qsort(w->entries.v, w->entries.n, sizeof *w->entries.v, by_item_cpu);
    for (size_t i = 0; i < w->entries.n; i++)
        excess += w->entries.v[i].excess;
    if (w->options->method == CC_CONTENTION_WINDOWS) {
        unsigned most = w->ncpus > 1 ? w->ncpus - 1 : 0;
        keep_widespread(w, CC_MIN(w->options->min_cpus, most));
    }
    put_window(w, excess);
    w->entries.n = 0;
    if (w->n > w->most)
        thin(w);
}

static void open_window(struct windows *w, uint64_t from, uint64_t to)
{
    w->open = true;
    w->from = from;
    w->to = to;
    w->stamp++;
    w->entries.n = 0;
    if (w->slot.n > 1 << 16)
        cc_map_fini(&w->slot);
    uint64_t fresh_from = CC_MAX(from, w->covered_to);
    if (to >= fresh_from)
        w->covered += to - fresh_from + 1;
    w->covered_to = CC_MAX(w->covered_to, to + 1);
    if (w->bands.n && from <= w->bands.v[w->bands.n - 1].to + w->band_gap)
        w->bands.v[w->bands.n - 1].to = CC_MAX(w->bands.v[w->bands.n - 1].to, to);
    else
        CC_VEC_PUSH(&w->bands, (struct cc_contention_band){from, to});
}

static void take(struct windows *w, const struct past *p)
{
    uint64_t *slot = cc_map_put(&w->slot, (uint64_t)p->item << 16 | p->cpu, NULL);
    if (*slot >> 32 != (uint32_t)w->stamp || !*slot) { /* left over from an earlier window */
        CC_VEC_PUSH(&w->entries, (struct entry){.item = p->item, .cpu = p->cpu});
        *slot = (uint64_t)(uint32_t)w->stamp << 32 | (w->entries.n - 1);
    }
    contention_instructions_window(w->instructions, p->pc, w->stamp);
    struct entry *e = &w->entries.v[(uint32_t)*slot];
    e->events++;
    e->excess += p->excess;
    e->latency += p->latency;
}

static void remember(struct windows *w, const struct past *p)
{
    uint64_t half = w->length / 2;
    while (w->ring_n && w->ring[w->ring_at].cycle + half < p->cycle) {
        w->ring_at = (w->ring_at + 1) % w->ring_cap;
        w->ring_n--;
    }
    if (w->ring_n == w->ring_cap && w->ring_cap < MAX_RING) {
        size_t cap = CC_MAX(w->ring_cap * 2, (size_t)1024);
        struct past *ring = cc_alloc_array(cap, sizeof *ring);
        for (size_t i = 0; i < w->ring_n; i++)
            ring[i] = w->ring[(w->ring_at + i) % w->ring_cap];
        free(w->ring);
        w->ring = ring;
        w->ring_at = 0;
        w->ring_cap = cap;
    }
    if (w->ring_n == w->ring_cap) { /* millions of events within half a window: the oldest go */
        w->ring_at = (w->ring_at + 1) % w->ring_cap;
        w->ring_n--;
    }
    w->ring[(w->ring_at + w->ring_n++) % w->ring_cap] = *p;
}

static void feed_latency(struct windows *w, const struct past *p)
{
    uint64_t half = w->length / 2;
    if (w->open && p->cycle > w->to)
        close_window(w);
    if (!w->open && p->latency >= w->threshold) {
        uint64_t to = p->cycle + half < p->cycle ? UINT64_MAX : p->cycle + half;
        remember(w, p); /* also lets go of what is too old */
        open_window(w, p->cycle > half ? p->cycle - half : 0, to);
        for (size_t i = 0; i < w->ring_n; i++)
            take(w, &w->ring[(w->ring_at + i) % w->ring_cap]);
        return;
    }
    if (w->open)
        take(w, p);
    remember(w, p);
}

void contention_windows_feed(struct windows *w, const struct past *p)
{
    if (w->options->method == CC_CONTENTION_LATENCY) {
        feed_latency(w, p);
        return;
    }
    uint64_t from = p->cycle - p->cycle % w->length;
    if (w->open && from != w->from)
        close_window(w);
    if (!w->open)
        open_window(w, from, from + w->length - 1 < from ? UINT64_MAX : from + w->length - 1);
    take(w, p);
}

void contention_windows_end(struct windows *w)
{
    if (w->open)
        close_window(w);
}

size_t contention_windows_read(const struct windows *w, size_t *at, struct entry *entries)
{
    size_t n = get_varint(w, at);
    get_varint(w, at);
    for (size_t i = 0; i < n; i++) {
        entries[i].item = (uint32_t)get_varint(w, at);
        entries[i].cpu = (uint16_t)get_varint(w, at);
        entries[i].events = get_varint(w, at);
        entries[i].latency = get_varint(w, at);
        entries[i].excess = get_varint(w, at);
    }
    return n;
}

uint64_t contention_windows_all(const struct windows *w, uint64_t kept)
{
    return w->every == 1 || !w->count ? kept
                                      : (uint64_t)((double)kept / (double)w->count * (double)w->laid + 0.5);
}

size_t contention_windows_widest(const struct windows *w)
{
    size_t widest = 0;
    for (size_t at = 0; at < w->n;) {
        size_t next = at, n = get_varint(w, &next); /* once: the macro below asks twice */
        widest = CC_MAX(widest, n);
        skip_window(w, &at);
    }
    return widest;
}

/* One candidate length: the sweep of the latency method, counting only which CPUs a window sees. */
struct trial {
    uint64_t half, until, windows, cpus, stamp;
    uint64_t *seen; /* the last window that saw the CPU */
};

static void trial_feed(struct trial *t, const struct cc_trace_event *e, bool slow, const uint64_t *last,
                       unsigned ncpus)
{
    if (slow && (!t->windows || e->cycle > t->until)) {
        t->until = e->cycle + t->half < e->cycle ? UINT64_MAX : e->cycle + t->half;
        t->windows++;
        t->stamp++;
        for (unsigned cpu = 0; cpu < ncpus; cpu++) {
            if (!last[cpu] || e->cycle - (last[cpu] - 1) > t->half)
                continue;
            t->seen[cpu] = t->stamp;
            t->cpus++;
        }
    }
    if (e->cpu < ncpus && t->windows && e->cycle <= t->until && t->seen[e->cpu] != t->stamp) {
        t->seen[e->cpu] = t->stamp;
        t->cpus++;
    }
}

/* How many CPUs a window sees grows with its length until all that take part are in sight: the shortest
 * length that shows 90 % of the CPUs the longest one shows is taken. Half of it must reach as far back as
 * slow accesses last, since what made them slow came before; the longest one tried reaches four times as far,
 * since what is further away has nothing to do with it. The start of a long trace is enough to tell. */
uint64_t contention_windows_choose(struct cc_trace_reader *trace, const struct cc_contention_options *o,
                                   unsigned ncpus, uint32_t threshold, uint32_t reach)
{
    enum { LENGTHS = 9, SHORTEST = 50, LOOKED_AT = 256, FAR = 4 };
    ncpus = CC_MIN(ncpus, (unsigned)LOOKED_AT);
    uint64_t *last = cc_alloc_array(ncpus + 1, sizeof *last); /* 1 + cycle */
    struct trial t[LENGTHS];
    for (int k = 0; k < LENGTHS; k++)
        t[k] = (struct trial){.half = (uint64_t)SHORTEST << k >> 1,
                              .seen = cc_alloc_array(ncpus + 1, sizeof *t[k].seen)};
    struct cc_trace_event e;
    cc_trace_select(trace, NULL);
    for (uint64_t n = 0; n < CC_CONTENTION_LOOKED_AT && cc_trace_next(trace, &e);) {
        if (!contention_is_memory(o, &e))
            continue;
        n++;
        for (int k = 0; k < LENGTHS; k++)
            trial_feed(&t[k], &e, e.latency >= threshold, last, ncpus);
        if (e.cpu < ncpus)
            last[e.cpu] = e.cycle + 1;
    }
    int chosen = 0, longest;
    while (chosen < LENGTHS - 1 && t[chosen].half < reach)
        chosen++;
    for (longest = chosen; longest < LENGTHS - 1 && t[longest].half < FAR * (uint64_t)reach;)
        longest++;
    double most = t[longest].windows ? (double)t[longest].cpus / (double)t[longest].windows : 0;
    while (chosen < longest && (double)t[chosen].cpus < 0.9 * most * (double)t[chosen].windows)
        chosen++;
    for (int k = 0; k < LENGTHS; k++)
        free(t[k].seen);
    free(last);
    uint64_t length = (uint64_t)SHORTEST << chosen;
    return o->method == CC_CONTENTION_WINDOWS ? length * 2 : length;
}
