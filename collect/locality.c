#include "locality.h"
#include "internal.h"
#include "reuse.h"

enum {
    MOST_LINES = 1 << 20, /* of the stack: 64 MiB touched; 32 MiB of memory */
    BUFFER = 1 << 16,
    LONGEST = 256,  /* bytes of a pair with its counts */
    STRETCH = 4096, /* instructions after which a grain is told again, if nothing else came between */
    MAX_SHIFT = 6,
};
#define BUDGET                                                                                     \
    (UINT64_C(96) << 20) /* bytes of trace; half of it at full rate, half of the rest at half, … \
                          */

struct tally { /* of a function */
    uint64_t lines, touches, distance[CC_REUSE_KINDS];
};

struct slot {                         /* the line touched last of a colour */
    uint64_t line;                    /* 1 + it; 0: none */
    uint64_t first, last;             /* of the accesses since that the trace leaves out */
    uint32_t count[CC_LINE_KINDS], n; /* n: all of them */
    uint8_t loaded, written;          /* bit 0: its first grain, bit 1: its second */
};

struct cc_locality {
    struct cc_reuse *reuse;
    uint64_t last; /* 1 + the line touched last */
    struct tally **functions;
    size_t nfunctions;
    uint32_t context; /* whose tally is: */
    struct tally *tally;

    struct slot filter[CC_LINES_COLOURS];                 /* by colour */
    uint32_t pattern[CC_LINES_COLOURS][CC_LINES_PATTERN]; /* of what is left out, as locality_record.h says */
    uint64_t used;                                        /* which of them hold a line */
    uint64_t now;   /* of the last access; an engine's count may go back a little */
    uint64_t since; /* when it was last emptied */
    uint8_t *buffer;
    size_t bytes;
    uint64_t time, grain; /* of the last pair */
};

void cc_locality_thread_init(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    if (!c->opt.locality)
        return;
    struct cc_locality *l = c->host.map(c->host.self, sizeof *l);
    l->reuse = cc_reuse_new(&c->host, MOST_LINES);
    l->context = CC_NONE;
    if (c->host.put_tasks)
        l->buffer = c->host.map(c->host.self, BUFFER);
    t->locality = l;
}

/* --- the trace --- */

static void flush(struct cc_thread *t)
{
    struct cc_locality *l = t->locality;
    struct cc_collect *c = t->owner;
    if (!l->bytes)
        return;
    uint32_t head[2] = {t->id | CC_LINES_OF_THREAD, (uint32_t)l->bytes};
    cc_lock(c);
    c->host.put_tasks(c->host.self, head, sizeof head);
    c->host.put_tasks(c->host.self, l->buffer, l->bytes);
    c->lines.bytes += l->bytes;
    while (c->lines.shift <= MAX_SHIFT && c->lines.bytes > BUDGET - (BUDGET >> (c->lines.shift + 1)))
        c->lines.shift++;
    c->lines.cut |= c->lines.shift > MAX_SHIFT;
    cc_unlock(c);
    l->bytes = 0;
}

static void put_number(struct cc_locality *l, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        l->buffer[l->bytes++] = (uint8_t)(v | 128);
    l->buffer[l->bytes++] = (uint8_t)v;
}

static bool is_kept(const struct cc_thread *t, uint64_t grain)
{
    return cc_lines_rank(grain) < (uint32_t)CC_LINES_COLOURS >> t->owner->lines.shift && !t->owner->lines.cut;
}

static void put_pair(struct cc_locality *l, uint64_t now, uint64_t grain, uint32_t flags)
{
    put_number(l, now > l->time ? now - l->time : 0);
    put_number(l, cc_lines_pair((int64_t)(grain - l->grain), flags));
    l->time = now > l->time ? now : l->time;
    l->grain = grain;
}

static void put_grain(struct cc_thread *t, uint64_t now, uint64_t grain, enum cc_line_kind kind)
{
    struct cc_locality *l = t->locality;
    if (!is_kept(t, grain))
        return;
    static const uint32_t of[] = {
        [CC_LINE_STORE] = CC_LINES_WRITE, [CC_LINE_ATOMIC] = CC_LINES_WRITE | CC_LINES_ATOMIC};
    uint32_t flags = of[kind] | (t->off ? CC_LINES_OFF : 0) |
                     (cc_on_stack(t, grain * CC_LOCALITY_GRAIN) ? CC_LINES_STACK : 0);
    put_pair(l, now, grain, flags);
    if (l->bytes > BUFFER - LONGEST)
        flush(t);
}

/* What was left out of the slot's line, behind it. */
static void put_counts(struct cc_thread *t, const struct slot *s)
{
    struct cc_locality *l = t->locality;
    enum { SECOND = 2 };
    uint64_t grain = (s->line - 1) * 2 + ((s->loaded | s->written) == SECOND); /* one that was touched */
    if (!s->n || !is_kept(t, grain))
        return;
    uint32_t stack = cc_on_stack(t, grain * CC_LOCALITY_GRAIN) ? CC_LINES_STACK : 0;
    put_pair(l, s->last, grain, CC_LINES_COUNT | stack);
    for (unsigned k = 0; k < CC_LINE_KINDS; k++)
        put_number(l, s->count[k]);
    put_number(l, l->time - s->last);
    put_number(l, s->last - s->first);
    for (uint32_t i = 0; i < s->n && i < CC_LINES_PATTERN; i++)
        put_number(l, l->pattern[s - l->filter][i]);
    if (l->bytes > BUFFER - LONGEST)
        flush(t);
}

static void empty_filter(struct cc_thread *t, uint64_t now)
{
    struct cc_locality *l = t->locality;
    for (; l->used; l->used &= l->used - 1) {
        struct slot *s = &l->filter[__builtin_ctzll(l->used)];
        put_counts(t, s);
        *s = (struct slot){0};
    }
    l->since = now;
}

void cc_locality_boundary(struct cc_thread *t)
{
    if (t->locality && t->locality->buffer)
        empty_filter(t, t->locality->since);
}

void cc_locality_flush(struct cc_thread *t)
{
    cc_locality_boundary(t);
    if (t->locality)
        flush(t);
}

static void leave_out(struct cc_locality *l, struct slot *s, uint64_t now, enum cc_line_kind kind)
{
    enum { LONG = 1 << 28 };
    uint64_t since = now - s->last;
    if (s->n < CC_LINES_PATTERN)
        l->pattern[s - l->filter][s->n] = (uint32_t)(since < LONG ? since : LONG) << 2 | kind;
    s->first = s->n ? s->first : now;
    s->last = now;
    s->count[kind]++;
    s->n++;
}

static void trace(struct cc_thread *t, uint64_t now, uint64_t grain, enum cc_line_kind kind)
{
    bool write = kind != CC_LINE_LOAD;
    struct cc_locality *l = t->locality;
    uint64_t line = grain >> 1, half = 1 + (grain & 1);
    struct slot *slot = &l->filter[line % CC_LINES_COLOURS];
    if (slot->line == line + 1 && ((write ? slot->written : slot->loaded) & half)) {
        if (!t->off)
            leave_out(l, slot, now, kind);
        return;
    }
    if (now - l->since > STRETCH)
        empty_filter(t, now);
    put_counts(t, slot);
    if (slot->line == line + 1)
        *slot = (struct slot){.line = line + 1, .loaded = slot->loaded, .written = slot->written};
    else
        *slot = (struct slot){.line = line + 1};
    l->used |= UINT64_C(1) << line % CC_LINES_COLOURS;
    slot->last = now;
    slot->loaded |= (uint8_t)(write ? 0 : half);
    slot->written |= (uint8_t)(write ? half : 0);
    put_grain(t, now, grain, kind);
}

/* --- distances --- */

static struct tally *tally_of(struct cc_thread *t)
{
    struct cc_locality *l = t->locality;
    if (l->context == t->context)
        return l->tally;
    struct cc_collect *c = t->owner;
    uint32_t f = cc_context_at(c, t->context)->function;
    l->functions = cc_extend(c, l->functions, &l->nfunctions, (size_t)f + 1, sizeof *l->functions);
    if (!l->functions[f])
        l->functions[f] = cc_thread_pool(t, sizeof *l->tally);
    l->context = t->context;
    l->last = 0; /* the same line is another's now */
    return l->tally = l->functions[f];
}

static void measure(struct cc_thread *t, uint64_t line)
{
    struct cc_locality *l = t->locality;
    struct tally *tally = tally_of(t);
    uint32_t who = t->off ? CC_NONE - 1 : cc_context_at(t->owner, t->context)->function;
    struct cc_reuse_found found = cc_reuse_touch(l->reuse, line, who);
    l->last = line + 1;
    if (t->off)
        return;
    tally->lines += found.fresh ? found.weight : 0;
    tally->touches += found.weight;
    tally->distance[found.class] += found.weight;
}

void cc_locality_access(struct cc_thread *t, uint64_t raw, uint64_t a, uint32_t size, enum cc_line_kind kind)
{
    struct cc_locality *l = t->locality;
    uint64_t end = a + (size ? size - 1 : 0);
    for (uint64_t line = a / CC_LOCALITY_LINE; line <= end / CC_LOCALITY_LINE; line++) {
        if (line + 1 != l->last || t->context != l->context) {
            measure(t, line);
        } else if (!t->off && cc_reuse_shift(l->reuse) == 0) {
            l->tally->touches++;
            l->tally->distance[0]++;
        } else {
            measure(t, line);
        }
    }
    if (!l->buffer)
        return;
    uint64_t now = (t->off ? t->off_at : raw - t->skipped) - t->origin;
    l->now = now > l->now ? now : l->now;
    for (uint64_t grain = a / CC_LOCALITY_GRAIN; grain <= end / CC_LOCALITY_GRAIN; grain++)
        trace(t, l->now, grain, kind);
}

/* --- what is left of it --- */

void cc_locality_forget(struct cc_thread *t)
{
    struct cc_locality *l = t->locality;
    if (!l)
        return;
    for (size_t f = 0; f < l->nfunctions; f++)
        if (l->functions[f])
            *l->functions[f] = (struct tally){0};
    l->bytes = 0;
    l->time = l->grain = l->since = l->used = l->now = 0;
    __builtin_memset(l->filter, 0, sizeof l->filter);
}

static void put_function(const struct cc_data_writer *w, uint32_t f, uint32_t shift, const struct tally *sum)
{
    struct cc_rec_locality r = {f, shift, sum->lines, sum->touches};
    if (!sum->touches)
        return;
    w->put(w->self, CC_REC_LOCALITY, &r, sizeof r, NULL, 0);
    for (uint32_t j = 0; j < CC_REUSE_KINDS; j++) {
        struct cc_rec_reuse d = {f, j, sum->distance[j]};
        if (d.count)
            w->put(w->self, CC_REC_REUSE, &d, sizeof d, NULL, 0);
    }
}

void cc_locality_write(struct cc_collect *c, const struct cc_data_writer *w)
{
    for (uint32_t f = 0; c->opt.locality && f < c->code.functions.n; f++) {
        struct tally sum = {0};
        uint32_t shift = 0;
        for (uint32_t i = 0; i < c->threads.n; i++) {
            const struct cc_locality *l = c->threads.v[i]->locality;
            const struct tally *one = l && f < l->nfunctions ? l->functions[f] : NULL;
            if (!one)
                continue;
            sum.lines += one->lines;
            sum.touches += one->touches;
            shift = cc_reuse_shift(l->reuse) > shift ? cc_reuse_shift(l->reuse) : shift;
            for (uint32_t j = 0; j < CC_REUSE_KINDS; j++)
                sum.distance[j] += one->distance[j];
        }
        put_function(w, f, shift, &sum);
    }
}
