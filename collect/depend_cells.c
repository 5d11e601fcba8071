/* Cells of memory. */
#include "depend_internal.h"

/* --- reads --- */

/* The newest stamp among the reads; 0: there are none. */
static inline uint32_t last_read(const struct cc_depend *d, cell_at c)
{
    if (has_chain(c))
        return d->links[c.reads[c.slots - 1]].stamp;
    uint32_t last = c.reads[0];
    for (uint32_t i = 1; i < c.slots && c.reads[i]; i++)
        last = c.reads[i];
    return last;
}

/* In a thread by itself, the loop around the innermost one had begun by then: nothing between needs to be
 * kept. */
static bool alone_since(const struct cc_depend_thread *x, uint32_t stamp)
{
    bool goes_on = x->ncontinued && x->loops[x->nloops - 1].before;
    return !x->owner->threads->next && !goes_on && (x->nloops < 2 || x->bounds[2 * x->nloops - 4] <= stamp);
}

static inline __attribute__((always_inline)) void add_read(struct cc_depend_thread *x, cell_at c,
                                                           uint16_t site)
{
    struct cc_depend *d = x->owner;
    uint32_t i = 0;
    while (i < c.slots && c.reads[i])
        i++;
    if (i && !has_chain(c) && alone_since(x, i > 1 ? c.reads[i - 2] : 0))
        i--; /* the newest was for an invocation that is over */
    if (i == c.slots) {
        cc_depend_chain_push(x, c, site);
        return;
    }
    c.reads[i] = d->stamp;
    c.read_sites[i] = site;
}

/* --- accesses --- */

struct access {
    struct cc_depend_thread *x;
    uint64_t a; /* of the cell */
    uint32_t size;
    uint16_t site;
    uint32_t held; /* of a write: stamp of what it overwrites */
};

/* Frames that end before the iteration begins take what is in them along. */
static bool is_gone(const struct access *s, const struct cc_depend_loop *by)
{
    const struct cc_depend_thread *x = s->x;
    uint64_t alive = by->sp - cc_depend_red_zone(x, by);
    return by->sp && s->a >= x->stack_start && s->a + s->size <= alive && by->sp <= x->stack_end;
}

static struct cc_depend_met met_of(const struct access *s, uint32_t kind, uint32_t stamp, uint16_t first)
{
    return (struct cc_depend_met){.space = CC_SPACE_MEMORY,
                                  .kind = kind,
                                  .stamp = stamp,
                                  .size = s->size,
                                  .first = first,
                                  .second = s->site,
                                  .place = s->a};
}

/* In two loops that are one of the source. Whether it was so. */
static bool met_across(const struct access *s, uint32_t kind, uint32_t stamp, uint16_t first)
{
    const struct cc_depend_loop *over = cc_depend_across(s->x, stamp);
    if (!over)
        return false;
    struct cc_depend_met m = met_of(s, CC_DEPENDENCE_ACROSS_RAW + kind, stamp, first);
    if (kind == CC_DEPENDENCE_WAR && s->held < over->before)
        m.flags = CC_DEPENDENCE_BEFORE;
    if (!is_gone(s, over))
        cc_depend_across_loops(s->x, over, &m);
    return true;
}

/* Both in the same iteration of that loop, and of those around it. Whether the same pair has nothing more to
 * tell in this iteration or another. */
static __attribute__((noinline)) bool met_within(const struct access *s, uint32_t kind, uint32_t stamp,
                                                 uint16_t first, const struct cc_depend_loop *in)
{
    struct cc_depend_met m = met_of(s, CC_DEPENDENCE_WITHIN_RAW + kind, stamp, first);
    if (is_gone(s, in))
        return false;
    m.flags = kind == CC_DEPENDENCE_WAR && s->held < in->invocation ? CC_DEPENDENCE_BEFORE : 0;
    cc_depend_within(s->x, in, &m);
    return kind != CC_DEPENDENCE_WAR || m.flags;
}

static inline bool may_meet(const struct access *s, uint16_t first)
{
    return first != s->site && first != SITE_NONE && s->site < SITE_ANY && first < SITE_ANY && s->x->nloops;
}

/* The stamp is the present one: most often it is the same pair as before. */
static inline void within(const struct access *s, uint32_t kind, uint16_t first)
{
    if (s->x->owner->opt.calls || !may_meet(s, first))
        return;
    struct site *site = &s->x->owner->sites[s->site];
    const struct cc_depend_loop *in = &s->x->loops[s->x->nloops - 1];
    if (site->within[kind] == first && site->within_loop[kind] == in->loop)
        return;
    if (!met_within(s, kind, s->x->owner->stamp, first, in))
        return;
    site->within[kind] = first;
    site->within_loop[kind] = in->loop;
}

/* where: the stamp, among the bounds of loops */
static inline void met(const struct access *s, uint32_t kind, uint32_t stamp, uint16_t first, size_t where)
{
    bool calls = s->x->owner->opt.calls;
    if (!(where & 1)) {
        if (kind > CC_DEPENDENCE_WAW || calls || !may_meet(s, first))
            return;
        if (!(s->x->ncontinued && met_across(s, kind, stamp, first)) && where)
            met_within(s, kind, stamp, first, &s->x->loops[where / 2 - 1]);
        return;
    }
    const struct cc_depend_loop *by = &s->x->loops[where / 2];
    if (is_gone(s, by))
        return;
    if (s->site < SITE_ANY && kind != CC_DEPENDENCE_WAW) {
        struct edge *e = &s->x->owner->sites[s->site].edges[kind];
        if (cc_depend_is_again(e, by, stamp, first)) {
            e->count += s->size;
            return;
        }
    }
    struct cc_depend_met m = met_of(s, kind, stamp, first);
    if (s->site < SITE_ANY && !calls)
        cc_depend_found_memory(s->x, by, &m);
    else
        cc_depend_found(s->x, by, &m);
}

/* What a register had held when it was stored here. */
static void read_stored(uint32_t stamp, const struct access *s, const struct site *from)
{
    const struct cc_depend *d = s->x->owner;
    const struct cc_depend_loop *by = cc_depend_carrier(s->x, stamp);
    struct cc_depend_met m = {.space = CC_SPACE_REGISTER,
                              .kind = CC_DEPENDENCE_RAW,
                              .stamp = stamp,
                              .size = s->size,
                              .first = from->base,
                              .second = s->site,
                              .granule = (uint8_t)(from->granule - 1),
                              .place = d->opt.machine.offset[from->granule - 1]};
    if (by)
        cc_depend_found(s->x, by, &m);
}

/* Whether a register was put there for a called function (store_granule). */
static inline bool is_stored(const struct cc_depend *d, uint16_t by)
{
    return by < SITE_ANY && d->sites[by].granule;
}

static __attribute__((noinline)) void read_older(uint32_t stamp, uint16_t by, const struct access *s,
                                                 size_t where)
{
    const struct site *from = by < SITE_ANY ? &s->x->owner->sites[by] : NULL;
    if (from && from->granule) {
        read_stored(stamp, s, from);
        return;
    }
    met(s, CC_DEPENDENCE_RAW, stamp, by, where);
    if (s->x->owner->opt.calls || !from || !cc_depend_is_outlived(s->x->owner, stamp) ||
        !from->pending[CC_SPACE_MEMORY])
        return;
    struct cc_depend_met m = {
        .space = CC_SPACE_MEMORY, .stamp = stamp, .first = by, .second = s->site, .place = s->a};
    cc_depend_read_after(s->x, &m);
}

/* What is read was written before some of the loops, where that was not seen lately. */
static inline void exposed(const struct access *s, uint32_t write, size_t where)
{
    const struct cc_depend *d = s->x->owner;
    size_t level = (where + 1) / 2;
    if (write >= d->newest || s->site >= SITE_ANY || d->opt.calls || !s->x->nloops)
        return;
    const struct site *site = &d->sites[s->site];
    if (site->exposed_in[level % EXPOSED_KEPT] != cc_depend_from(s->x, level) &&
        site->exposed_path != cc_depend_path(s->x))
        cc_depend_exposed(s->x, level, s->site, s->a);
}

/* It is gone before any loop that is under way begins another iteration: none carries anything from here or
 * to here. */
static inline bool is_dead(const struct access *s)
{
    return s->a + s->size <= s->x->dead && s->a >= s->x->stack_start;
}

/* So nobody asks who read it, and of what is read, only how long ago it was written. */
static inline __attribute__((always_inline)) void dead_read(cell_at c, const struct access *s)
{
    const struct cc_depend *d = s->x->owner;
    uint32_t write = *c.write;
    bool matters = cc_depend_is_outlived(d, write) || is_stored(d, *c.write_site);
    if (write == d->stamp || (write >= d->newest && !matters))
        return;
    size_t where = cc_depend_where(s->x, write);
    if (matters)
        read_older(write, *c.write_site, s, where);
    exposed(s, write, where);
}

static inline __attribute__((always_inline)) void dead_write(cell_at c, const struct access *s)
{
    if (c.reads[0])
        cc_depend_drop_reads(s->x->owner, c);
    *c.write = s->x->owner->stamp;
    *c.write_site = s->site;
}

static inline __attribute__((always_inline)) void cell_read(cell_at c, const struct access *s)
{
    struct cc_depend *d = s->x->owner;
    uint32_t write = *c.write;
    if (is_dead(s)) {
        dead_read(c, s);
        return;
    }
    if (write == d->stamp) {
        within(s, CC_DEPENDENCE_RAW, *c.write_site);
    } else {
        size_t where = write ? cc_depend_where(s->x, write) : 0;
        if (write)
            read_older(write, *c.write_site, s, where);
        exposed(s, write, where);
    }
    uint32_t last = last_read(d, c);
    if (!last || last < d->newest)
        add_read(s->x, c, s->site);
}

static __attribute__((noinline)) void met_reads(cell_at c, const struct access *s)
{
    struct reads r;
    cc_depend_reads_get(s->x->owner, c, &r);
    for (uint32_t i = 0; i < r.n; i++) {
        size_t where = cc_depend_where(s->x, r.v[i].stamp);
        const struct cc_depend_loop *by = where & 1 ? &s->x->loops[where / 2] : NULL;
        met(s, CC_DEPENDENCE_WAR, r.v[i].stamp, r.v[i].site, where);
        /* in an iteration that was not followed from its beginning, it may have been written before */
        if (by && !s->x->owner->opt.calls && *c.write < by->invocation && r.v[i].stamp >= by->whole)
            met(s, CC_DEPENDENCE_EXPOSED, r.v[i].stamp, r.v[i].site, where);
    }
}

static inline __attribute__((always_inline)) void cell_write(cell_at c, struct access *s)
{
    struct cc_depend *d = s->x->owner;
    if (is_dead(s)) {
        dead_write(c, s);
        return;
    }
    s->held = *c.write;
    if (s->held == d->stamp)
        within(s, CC_DEPENDENCE_WAW, *c.write_site);
    else if (s->held)
        met(s, CC_DEPENDENCE_WAW, s->held, *c.write_site, cc_depend_where(s->x, s->held));
    if (c.reads[0]) {
        if (c.reads[0] == d->stamp && !(c.slots == 1 && has_chain(c)))
            within(s, CC_DEPENDENCE_WAR, c.read_sites[0]);
        else
            met_reads(c, s);
        cc_depend_drop_reads(d, c);
    }
    *c.write = d->stamp;
    *c.write_site = s->site;
}

/* --- where cells are --- */

static struct chunk *chunk_of(struct cc_depend *d, uint64_t a)
{
    struct chunk *k = d->directory[cc_chunk_of(a)];
    return k ? k : cc_depend_chunk_new(d, cc_chunk_of(a));
}

static uint32_t word_of(uint64_t a)
{
    return (uint32_t)(a & (CC_CHUNK_SIZE - 1)) / 8;
}

static void note_used(struct cc_depend *d, struct chunk *k, uint32_t word)
{
    uint32_t page = word / (CELLS_PAGE / 8);
    if (!(k->used[page / 64] >> page % 64 & 1))
        cc_depend_page_new(d, k, page);
}

/* --- words that are split --- */

static inline union split *split_at(const struct cc_depend *d, uint32_t number)
{
    return &d->slabs[number / SPLITS_SLAB][number % SPLITS_SLAB];
}

static inline uint32_t split_of(const struct cell *w)
{
    return w->write_site == SITE_SPLIT ? w->reads[0] : 0;
}

static uint32_t split_new(struct cc_depend *d, uint32_t how)
{
    uint32_t n = d->free_splits[how], size = how;
    if (n) {
        d->free_splits[how] = split_at(d, n)->halves[0].write;
        __builtin_memset(split_at(d, n), 0, size * sizeof(union split));
        return n;
    }
    if (d->nsplits % SPLITS_SLAB == 0 || d->nsplits % SPLITS_SLAB + size > SPLITS_SLAB) {
        d->slabs = cc_depend_extend(d, d->slabs, &d->slabs_cap, d->nslabs + 1, sizeof *d->slabs);
        d->nsplits = (uint32_t)d->nslabs * SPLITS_SLAB + !d->nslabs; /* 0 is none */
        d->slabs[d->nslabs++] = d->host.map(d->host.self, SPLITS_SLAB * sizeof(union split));
        d->memory += SPLITS_SLAB * sizeof(union split);
    }
    n = d->nsplits;
    d->nsplits += size;
    return n;
}

static inline uint32_t ncells(uint32_t how)
{
    return how == SPLIT_BYTES ? 8 : how == SPLIT_HALVES ? 2 : 1;
}

static inline cell_at part_of(const struct cc_depend *d, struct cell *w, uint32_t how, uint32_t i)
{
    return how == SPLIT_BYTES    ? at_byte((struct byte_cell *)split_at(d, w->write) + i)
           : how == SPLIT_HALVES ? at_cell(&split_at(d, w->write)->halves[i])
                                 : at_cell(w);
}

static void cell_copy(struct cc_depend *d, cell_at to, cell_at from)
{
    struct reads r;
    cc_depend_reads_get(d, from, &r);
    *to.write = *from.write;
    *to.write_site = *from.write_site;
    cc_depend_reads_put(d, to, &r);
}

/* It is one cell again, in which nothing is. */
static void join_word(struct cc_depend *d, struct cell *w)
{
    uint32_t how = split_of(w), number = w->write;
    for (uint32_t i = 0; i < ncells(how); i++)
        cc_depend_drop_reads(d, part_of(d, w, how, i));
    if (how) {
        split_at(d, number)->halves[0].write = d->free_splits[how];
        d->free_splits[how] = number;
    }
    *w = (struct cell){0};
}

/* The word's cells become finer; each takes over what the one it was part of held. */
static void split_word(struct cc_depend *d, struct cell *w, uint32_t how)
{
    uint32_t old = split_of(w), each = ncells(how) / ncells(old);
    struct cell to = {.write = split_new(d, how), .write_site = SITE_SPLIT, .reads = {how}};
    for (uint32_t i = 0; i < ncells(how); i++)
        cell_copy(d, part_of(d, &to, how, i), part_of(d, w, old, i / each));
    join_word(d, w);
    *w = to;
}

/* [first, first + size) of one word. */
static __attribute__((noinline)) void access_word(struct access *s, uint64_t word_at, uint32_t first,
                                                  uint32_t size, bool write)
{
    struct cc_depend *d = s->x->owner;
    struct chunk *k = chunk_of(d, word_at);
    struct cell *w = &k->words[word_of(word_at)];
    uint32_t need = size == 8 ? 0 : ((first | size) & 3) == 0 ? SPLIT_HALVES : SPLIT_BYTES;
    note_used(d, k, word_of(word_at));
    if (split_of(w) < need)
        split_word(d, w, need);
    uint32_t how = split_of(w), bytes = 8 / ncells(how);
    s->size = bytes;
    for (uint32_t at = first; at < first + size; at += bytes) {
        s->a = word_at + at;
        if (write)
            cell_write(part_of(d, w, how, at / bytes), s);
        else
            cell_read(part_of(d, w, how, at / bytes), s);
    }
    if (!write || size < 8 || !how)
        return;
    join_word(d, w); /* all of it is the same now */
    w->write = d->stamp;
    w->write_site = s->site;
}

/* The cell of exactly these bytes, if there is one in use. */
static inline __attribute__((always_inline)) bool only_cell(const struct cc_depend *d, uint64_t a,
                                                            uint32_t size, cell_at *ret)
{
    struct chunk *k = d->directory[cc_chunk_of(a)];
    if (!k || a & (size - 1))
        return false;
    struct cell *w = &k->words[word_of(a)];
    uint32_t how = split_of(w);
    if (size == 8 && !how && (w->write | w->reads[0]))
        *ret = at_cell(w);
    else if (size == 4 && how == SPLIT_HALVES)
        *ret = at_cell(&split_at(d, w->write)->halves[a / 4 & 1]);
    else if (size == 1 && how == SPLIT_BYTES)
        *ret = at_byte((struct byte_cell *)split_at(d, w->write) + (a & 7));
    else
        return false;
    return true;
}

/* Whether there is a cell of exactly these bytes; they are accessed then. */
static inline __attribute__((always_inline)) bool access_one(struct access *s, uint64_t a, uint32_t size,
                                                             bool write)
{
    cell_at c;
    if (!only_cell(s->x->owner, a, size, &c))
        return false;
    s->a = a;
    s->size = size;
    if (write)
        cell_write(c, s);
    else
        cell_read(c, s);
    return true;
}

/* The same of two bytes that have a cell each. */
static inline __attribute__((always_inline)) bool access_two(struct access *s, uint64_t a, bool write)
{
    return !(a & 1) && access_one(s, a, 1, write) && access_one(s, a + 1, 1, write);
}

/* A word after the other. */
static __attribute__((noinline)) void access_words(struct access *s, uint64_t a, uint32_t size, bool write)
{
    while (size) {
        uint32_t first = (uint32_t)(a & 7), n = 8 - first < size ? 8 - first : size;
        access_word(s, a - first, first, n, write);
        a += n;
        size -= n;
    }
}

/* Where the size is known, no more than what it needs is left of this. */
static inline __attribute__((always_inline)) void
access(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site, bool write)
{
    struct access s = {.x = x, .site = cc_depend_site_of(x, site)};
    bool calls = x->owner->opt.calls;
    if (write && !calls && s.site < SITE_ANY &&
        x->owner->sites[s.site].path[CC_SPACE_MEMORY] != cc_depend_path(x))
        cc_depend_writes_here(x, s.site, a);
    if (!write && !calls && s.site < SITE_ANY && !x->owner->sites[s.site].reads && x->nloops)
        cc_depend_reads_here(x, s.site, a);
    if (size == 16) { /* vectors */
        if (!access_one(&s, a, 8, write)) {
            access_words(&s, a, 16, write);
            return;
        }
        a += size -= 8;
    }
    if ((size == 8 && access_one(&s, a, 8, write)) || (size == 4 && access_one(&s, a, 4, write)) ||
        (size == 1 && access_one(&s, a, 1, write)) || (size == 2 && access_two(&s, a, write)))
        return; /* as most are */
    access_words(&s, a, size, write);
}

#define SIZED(bytes)                                                                                 \
    void cc_depend_read##bytes(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site)  \
    {                                                                                                \
        if (!x->allocating)                                                                          \
            access(x, a, bytes, site, false);                                                        \
    }                                                                                                \
    void cc_depend_write##bytes(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site) \
    {                                                                                                \
        if (!x->allocating)                                                                          \
            access(x, a, bytes, site, true);                                                         \
    }
SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

static __attribute__((noinline)) void other(struct cc_depend_thread *x, uint64_t a, uint32_t size,
                                            struct cc_depend_site *site, bool write)
{
    access(x, a, size, site, write);
}

static void any(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site,
                bool write)
{
    switch (size) {
    case 1:
        (write ? cc_depend_write1 : cc_depend_read1)(x, a, site);
        break;
    case 2:
        (write ? cc_depend_write2 : cc_depend_read2)(x, a, site);
        break;
    case 4:
        (write ? cc_depend_write4 : cc_depend_read4)(x, a, site);
        break;
    case 8:
        (write ? cc_depend_write8 : cc_depend_read8)(x, a, site);
        break;
    case 16:
        (write ? cc_depend_write16 : cc_depend_read16)(x, a, site);
        break;
    default:
        if (!x->allocating)
            other(x, a, size, site, write);
    }
}

void cc_depend_read(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site)
{
    any(x, a, size, site, false);
}

void cc_depend_write(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site)
{
    any(x, a, size, site, true);
}

void cc_depend_set_origin(struct cc_depend *d, uint64_t a, uint32_t size, uint32_t stamp, uint16_t site)
{
    for (uint32_t at = 0; at < size; at++) { /* cells that lie in it as a whole */
        struct cell *w = &chunk_of(d, a + at)->words[word_of(a + at)];
        uint32_t how = split_of(w), bytes = 8 / ncells(how), in = (uint32_t)((a + at) & 7);
        if (in % bytes || at + bytes > size || (!how && !w->write))
            continue;
        cell_at c = part_of(d, w, how, in / bytes);
        *c.write = stamp;
        *c.write_site = site;
    }
}

/* By code that is not seen, on behalf of the call that is under way. */
static void unseen(struct cc_depend_thread *x, uint64_t a, uint64_t size, bool write)
{
    struct cc_depend_site site = {.outside = true};
    while (x->owner->on && size) {
        uint32_t part = size < 1 << 30 ? (uint32_t)size : 1 << 30;
        other(x, a, part, &site, write);
        a += part;
        size -= part;
    }
}

void cc_depend_system(struct cc_depend_thread *x, uint64_t a, uint64_t size, bool write)
{
    unseen(x, a, size, write);
}

void cc_depend_allocating(struct cc_depend_thread *x, bool yes)
{
    x->allocating = yes;
}

void cc_depend_moved(struct cc_depend_thread *x, uint64_t from, uint64_t old_size, uint64_t to, uint64_t size)
{
    uint64_t kept = !old_size || size < old_size ? size : old_size;
    if (from != to) {
        unseen(x, from, kept, false);
        cc_depend_clear(x->owner, to, size);
        unseen(x, to, kept, true);
    } else if (size > old_size && old_size) {
        cc_depend_clear(x->owner, to + old_size, size - old_size);
    }
}

/* --- what is gone --- */

static void clear_word(struct cc_depend *d, struct cell *w, uint32_t first, uint32_t last)
{
    if (!(w->write | w->reads[0]))
        return;
    if (last - first == 8) {
        join_word(d, w);
        return;
    }
    uint32_t bytes = 8 / ncells(split_of(w));
    if ((first | last) % bytes) { /* part of a cell: what lies beside it stays */
        split_word(d, w, SPLIT_BYTES);
        bytes = 1;
    }
    for (uint32_t at = first; at < last; at += bytes) {
        cell_at c = part_of(d, w, split_of(w), at / bytes);
        cc_depend_drop_reads(d, c);
        *c.write = *c.write_site = 0;
    }
}

void cc_depend_clear(struct cc_depend *d, uint64_t start, uint64_t size)
{
    uint64_t end = start + size < start ? UINT64_MAX : start + size;
    if (!d->on)
        return;
    while (start < end) {
        struct chunk *k = d->directory[cc_chunk_of(start)];
        if (!k) {
            uint64_t next = (start | (CC_CHUNK_SIZE - 1)) + 1;
            if (next <= start)
                return;
            start = next;
            continue;
        }
        uint64_t word_at = start & ~UINT64_C(7), stop = end - word_at < 8 ? end : word_at + 8;
        clear_word(d, &k->words[word_of(word_at)], (uint32_t)(start - word_at), (uint32_t)(stop - word_at));
        start = stop;
    }
}

/* --- what is left in memory --- */

static bool word_holds(const struct cc_depend *d, struct cell *w, const struct overwritten *o, uint32_t from,
                       uint32_t to)
{
    uint32_t how = split_of(w);
    for (uint32_t i = 0; i < ncells(how); i++) {
        cell_at c = part_of(d, w, how, i);
        if (*c.write >= from && *c.write < to && (*c.write_site == o->first || *c.write_site == o->second))
            return true;
    }
    return false;
}

bool cc_depend_holds(struct cc_depend *d, const struct overwritten *w, uint32_t from, uint32_t to)
{
    enum { FAR = 64 << 10 };
    if (w->high - w->low > FAR)
        return true; /* as far as it is worth to look */
    for (uint64_t a = w->low & ~UINT64_C(7); a < w->high; a += 8) {
        struct chunk *k = d->directory[cc_chunk_of(a)];
        if (k && word_holds(d, &k->words[word_of(a)], w, from, to))
            return true;
    }
    return false;
}
