#include "format.h"
#include "../src/base/count.h"
#include "../src/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

/* Symbols and objects are held in memory: more of them than this is left out and counted as lost. */
enum { META_LIMIT = 128 << 20, LOOK_BACK = 64, MAX_CONTEXTS = 1 << 20 };

struct cursor {
    unsigned cpu;
    size_t begin, at, end; /* in reader.order; `at` is the chunk after the one being read */
    struct chunk *open;    /* the one being read, NULL if none */
    uint8_t *raw;
    size_t raw_cap;
    const uint8_t *p[COLUMNS], *stop[COLUMNS];
    struct shape shapes[256];
    unsigned nshapes;
    uint32_t left;
    uint64_t events; /* of its readable chunks */
    struct cc_trace_event now;
    struct predictor predictors[PREDICTORS];
};

struct strings { /* every distinct string once */
    char **v;
    size_t n, cap;
};

struct cc_trace_reader {
    int fd;
    struct trace_index index;
    uint32_t *order; /* event chunks, CPU by CPU, in file order */
    size_t norder;
    struct cursor *cursors; /* one a CPU that has events */
    size_t ncursors;
    struct cursor **heap;
    size_t nheap;
    struct cc_trace_filter filter;
    struct cc_count *count; /* may be NULL */
    uint32_t damaged, cpus;
    uint8_t *packed;
    size_t packed_cap;
    ZSTD_DCtx *zstd;
    uint64_t meta_bytes;
    struct strings strings;
    const char **facts; /* name, value, name, value … */
    size_t nfacts, cap_facts;
    struct cc_trace_symbol *symbols;
    size_t nsymbols, cap_symbols;
    struct cc_trace_line *lines;
    size_t nlines, cap_lines;
    struct cc_trace_object *objects;
    size_t nobjects, cap_objects;
    struct cc_trace_context *contexts;
    size_t ncontexts, cap_contexts;
    uint64_t *symbol_reach, *object_reach; /* largest `to` up to here: how far back a search must look */
};

static bool grow(void *array, size_t n, size_t *cap, size_t size)
{
    void **p = array;
    if (n < *cap)
        return true;
    size_t bigger = *cap * 2 + 32;
    void *q = cc_realloc_array(*p, bigger * size, 1);
    if (!q)
        return false;
    *p = q;
    *cap = bigger;
    return true;
}

/* ---- chunks ---- */

/* Reads, checks and unpacks a chunk into *raw; false if anything about it is wrong. */
static bool chunk_load(struct cc_trace_reader *r, const struct chunk *c, uint8_t **raw, size_t *cap)
{
    uint8_t head[CHUNK_HEADER];
    struct chunk h;
    if (!cc_trace_read_at(r->fd, head, CHUNK_HEADER, c->offset) || !cc_trace_chunk_decode(head, &h) ||
        h.type != c->type || h.cpu != c->cpu || h.count != c->count || h.raw != c->raw ||
        h.stored != c->stored || h.first != c->first || h.last != c->last || h.packed != c->packed)
        return false;
    if (r->packed_cap < c->stored) {
        uint8_t *p = cc_realloc_array(r->packed, c->stored, 1);
        if (!p)
            return false;
        r->packed = p;
        r->packed_cap = c->stored;
    }
    if (*cap < c->raw) {
        uint8_t *p = cc_realloc_array(*raw, c->raw, 1);
        if (!p)
            return false;
        *raw = p;
        *cap = c->raw;
    }
    if (!cc_trace_read_at(r->fd, r->packed, c->stored, c->offset + CHUNK_HEADER) ||
        cc_trace_sum(r->packed, c->stored) != h.sum)
        return false;
    if (!c->packed) {
        if (c->raw)
            memcpy(*raw, r->packed, c->raw);
        return true;
    }
    return ZSTD_decompressDCtx(r->zstd, *raw, c->raw, r->packed, c->stored) == c->raw;
}

static inline bool get_varint(const uint8_t **p, const uint8_t *stop, uint64_t *ret)
{
    const uint8_t *q = *p;
    uint64_t v = 0;
    for (unsigned shift = 0; q < stop && shift < 64; shift += 7) {
        uint8_t b = *q++;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) {
            *p = q;
            *ret = v;
            return true;
        }
    }
    return false;
}

static bool cursor_open_columns(struct cursor *k)
{
    const struct chunk *c = k->open;
    const uint8_t *p = k->raw, *stop = k->raw + c->raw;
    uint64_t n, lengths[COLUMNS];
    if (!get_varint(&p, stop, &n) || n > 255 || (uint64_t)(stop - p) < n * SHAPE)
        return false;
    k->nshapes = (unsigned)n;
    for (unsigned i = 0; i < k->nshapes; i++, p += SHAPE) {
        k->shapes[i] = (struct shape){p[0], p[1], p[2], p[3], (uint16_t)get_le(p + 4, 2), p[6], p[7]};
        if (p[0] >= CC_TRACE_KINDS || p[6] >> CC_TRACE_CAUSES || p[7] > 1)
            return false;
    }
    for (int i = 0; i < COLUMNS; i++)
        if (!get_varint(&p, stop, &lengths[i]))
            return false;
    for (int i = 0; i < COLUMNS; i++) {
        if (lengths[i] > (uint64_t)(stop - p))
            return false;
        k->p[i] = p;
        k->stop[i] = p += lengths[i];
    }
    if (p != stop || lengths[0] != c->count)
        return false;
    memset(k->predictors, 0, sizeof k->predictors);
    k->now = (struct cc_trace_event){.cycle = c->first, .cpu = c->cpu};
    k->left = c->count;
    return true;
}

/* The columns that few events have something in. */
static bool decode_rest(struct cursor *k, const struct shape *s, struct cc_trace_event *e)
{
    uint64_t v;
    e->context = k->now.context;
    if (s->context) {
        if (!get_varint(&k->p[5], k->stop[5], &v))
            return false;
        e->context += (uint32_t)unzigzag(v);
    }
    for (unsigned i = 0; s->lost >> i; i++) {
        if (!(s->lost >> i & 1))
            continue;
        if (!get_varint(&k->p[6], k->stop[6], &v) || v > UINT32_MAX)
            return false;
        e->lost[i] = (uint32_t)v;
    }
    return true;
}

static bool decode_event(struct cursor *k)
{
    struct cc_trace_event e = {.cpu = k->now.cpu};
    unsigned shape = *k->p[0]++; /* as many as the chunk has events: checked on opening */
    uint64_t cycle, latency, pc, addr;
    if (shape >= k->nshapes || !get_varint(&k->p[1], k->stop[1], &cycle) ||
        !get_varint(&k->p[2], k->stop[2], &latency) || !get_varint(&k->p[3], k->stop[3], &pc) ||
        !get_varint(&k->p[4], k->stop[4], &addr))
        return false;
    const struct shape *s = &k->shapes[shape];
    e.kind = s->kind;
    e.flags = s->flags;
    e.hops = s->hops;
    e.size = s->size;
    e.node = s->node;
    e.cycle = expected_cycle(&k->now) + unzigzag(cycle);
    e.latency = (uint32_t)latency;
    e.pc = k->now.pc + unzigzag(pc);
    struct predictor *q = &k->predictors[place_of(e.pc)];
    e.addr = predict(q, &e) + unzigzag(addr);
    learn(q, &e);
    if (!decode_rest(k, s, &e) || latency > UINT32_MAX || e.cycle < k->now.cycle || e.cycle > k->open->last)
        return false;
    k->now = e;
    return true;
}

static void chunk_lost(struct cc_trace_reader *r, struct cursor *k, struct chunk *c)
{
    c->type = 0; /* so that another pass neither tries nor counts it again */
    k->events -= c->count;
    r->damaged++;
}

/* Moves to the CPU's next event within the filter's time; false when there is none. */
static bool cursor_next(struct cc_trace_reader *r, struct cursor *k)
{
    for (;;) {
        if (k->open && k->left) {
            k->left--;
            if (decode_event(k)) {
                if (k->now.cycle >= r->filter.from)
                    return k->now.cycle <= r->filter.to;
                continue;
            }
            chunk_lost(r, k, k->open);
        }
        cc_count_add(r->count, k->open ? k->open->count : 0);
        k->open = NULL;
        if (k->at == k->end)
            return false;
        struct chunk *c = &r->index.v[r->order[k->at++]];
        if (c->type != CHUNK_EVENTS || c->last < r->filter.from)
            continue;
        if (c->first > r->filter.to)
            return false;
        k->open = c;
        k->left = 0;
        if (!chunk_load(r, c, &k->raw, &k->raw_cap) || !cursor_open_columns(k)) {
            chunk_lost(r, k, c);
            k->open = NULL;
        }
    }
}

/* ---- merging the CPUs ---- */

static inline bool before(const struct cursor *a, const struct cursor *b)
{
    return a->now.cycle != b->now.cycle ? a->now.cycle < b->now.cycle : a->cpu < b->cpu;
}

static void sift_down(struct cc_trace_reader *r, size_t i)
{
    struct cursor **h = r->heap, *moved = h[i];
    for (size_t child; (child = 2 * i + 1) < r->nheap; i = child) {
        if (child + 1 < r->nheap && before(h[child + 1], h[child]))
            child++;
        if (!before(h[child], moved))
            break;
        h[i] = h[child];
    }
    h[i] = moved;
}

int cc_trace_select(struct cc_trace_reader *r, const struct cc_trace_filter *filter)
{
    r->filter = filter ? *filter : (struct cc_trace_filter){.to = UINT64_MAX};
    if (!r->filter.kinds)
        r->filter.kinds = ~0u;
    if (!r->filter.addr_to && !r->filter.addr_from)
        r->filter.addr_to = UINT64_MAX;
    if (!r->filter.pc_to && !r->filter.pc_from)
        r->filter.pc_to = UINT64_MAX;
    r->nheap = 0;
    for (size_t i = 0; i < r->ncursors; i++) {
        struct cursor *k = &r->cursors[i];
        k->at = k->begin;
        k->open = NULL;
        if (r->filter.cpus && !(r->filter.cpus[k->cpu / 8] >> k->cpu % 8 & 1))
            continue;
        if (cursor_next(r, k))
            r->heap[r->nheap++] = k;
    }
    for (size_t i = r->nheap; i-- > 0;)
        sift_down(r, i);
    return 0;
}

bool cc_trace_next(struct cc_trace_reader *r, struct cc_trace_event *ret)
{
    const struct cc_trace_filter *f = &r->filter;
    while (r->nheap) {
        struct cursor *k = r->heap[0];
        *ret = k->now;
        if (!cursor_next(r, k))
            r->heap[0] = r->heap[--r->nheap];
        if (r->nheap)
            sift_down(r, 0);
        if ((f->kinds >> ret->kind & 1) && ret->addr >= f->addr_from && ret->addr <= f->addr_to &&
            ret->pc >= f->pc_from && ret->pc <= f->pc_to)
            return true;
    }
    return false;
}

void cc_trace_count(struct cc_trace_reader *r, struct cc_count *c)
{
    r->count = c;
}

/* ---- metadata ---- */

static const char *intern(struct cc_trace_reader *r, const uint8_t *s, size_t n)
{
    struct strings *t = &r->strings;
    n = strnlen((const char *)s, n);
    if (!n)
        return NULL;
    if (t->n * 2 >= t->cap) {
        struct strings old = *t;
        t->cap = old.cap ? old.cap * 2 : 1024;
        t->v = cc_alloc_array(t->cap, sizeof *t->v);
        if (!t->v) {
            *t = old;
            return NULL;
        }
        for (size_t i = 0; i < old.cap; i++) {
            if (!old.v[i])
                continue;
            size_t at = XXH3_64bits(old.v[i], strlen(old.v[i])) & (t->cap - 1);
            while (t->v[at])
                at = (at + 1) & (t->cap - 1);
            t->v[at] = old.v[i];
        }
        free(old.v);
    }
    size_t at = XXH3_64bits(s, n) & (t->cap - 1);
    for (; t->v[at]; at = (at + 1) & (t->cap - 1))
        if (strncmp(t->v[at], (const char *)s, n) == 0 && !t->v[at][n])
            return t->v[at];
    t->v[at] = strndup((const char *)s, n);
    t->n += t->v[at] != NULL;
    return t->v[at];
}

static bool add_fact(struct cc_trace_reader *r, const char *name, const char *value)
{
    if (!name)
        return false;
    for (size_t i = 0; i < r->nfacts; i += 2) {
        if (r->facts[i] == name) { /* interned */
            r->facts[i + 1] = value ? value : "";
            return true;
        }
    }
    if (r->nfacts >= 8192 || !grow(&r->facts, r->nfacts + 1, &r->cap_facts, sizeof *r->facts))
        return false;
    r->facts[r->nfacts++] = name;
    r->facts[r->nfacts++] = value ? value : "";
    return true;
}

static bool take_record(struct cc_trace_reader *r, uint8_t tag, const uint64_t *n, const char *const *s)
{
    switch (tag) {
    case META_FACT:
        return add_fact(r, s[0], s[1]);
    case META_SYMBOL:
        if (n[0] >= n[1] || !s[0] || n[2] > UINT32_MAX ||
            !grow(&r->symbols, r->nsymbols, &r->cap_symbols, sizeof *r->symbols))
            return false;
        r->symbols[r->nsymbols++] = (struct cc_trace_symbol){
            .from = n[0], .to = n[1], .line = (uint32_t)n[2], .name = s[0], .file = s[1], .object = s[2]};
        return true;
    case META_LINE:
        if (n[1] > UINT32_MAX || !grow(&r->lines, r->nlines, &r->cap_lines, sizeof *r->lines))
            return false;
        r->lines[r->nlines++] = (struct cc_trace_line){.addr = n[0], .line = (uint32_t)n[1], .file = s[0]};
        return true;
    case META_CONTEXT:
        if (n[0] > r->ncontexts || r->ncontexts >= MAX_CONTEXTS ||
            !grow(&r->contexts, r->ncontexts, &r->cap_contexts, sizeof *r->contexts))
            return false;
        r->contexts[r->ncontexts++] = (struct cc_trace_context){(uint32_t)n[0], n[1], n[2]};
        return true;
    default:
        if (n[0] >= n[1] || n[4] > UINT32_MAX || n[5] > CC_TRACE_AREA ||
            !grow(&r->objects, r->nobjects, &r->cap_objects, sizeof *r->objects))
            return false;
        r->objects[r->nobjects++] = (struct cc_trace_object){.from = n[0],
                                                             .to = n[1],
                                                             .since = n[2],
                                                             .until = n[3],
                                                             .line = (uint32_t)n[4],
                                                             .storage = (uint8_t)n[5],
                                                             .name = s[0],
                                                             .function = s[1],
                                                             .file = s[2]};
        return true;
    }
}

static bool meta_parse(struct cc_trace_reader *r, const uint8_t *p, const uint8_t *stop)
{
    while (p < stop) {
        uint8_t tag = *p++;
        int numbers = tag == META_FACT      ? 0
                      : tag == META_SYMBOL  ? 3
                      : tag == META_LINE    ? 2
                      : tag == META_CONTEXT ? 3
                      : tag == META_OBJECT  ? 6
                                            : -1;
        int strings = tag == META_FACT ? 2 : tag == META_LINE ? 1 : tag == META_CONTEXT ? 0 : 3;
        uint64_t n[6] = {0}, length;
        const char *s[3] = {NULL};
        if (numbers < 0)
            return false;
        for (int i = 0; i < numbers; i++)
            if (!get_varint(&p, stop, &n[i]))
                return false;
        for (int i = 0; i < strings; i++) {
            if (!get_varint(&p, stop, &length) || length > (uint64_t)(stop - p) || length > STRING_LIMIT)
                return false;
            s[i] = intern(r, p, (size_t)length);
            p += length;
        }
        if (!take_record(r, tag, n, s))
            return false;
    }
    return true;
}

static int by_text(const char *a, const char *b)
{
    return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

#define BY(field)             \
    if (a->field != b->field) \
    return a->field < b->field ? -1 : 1

static int by_symbol(const void *va, const void *vb)
{
    const struct cc_trace_symbol *a = va, *b = vb;
    BY(from);
    BY(to);
    return by_text(a->name, b->name);
}

static int by_line(const void *va, const void *vb)
{
    const struct cc_trace_line *a = va, *b = vb;
    BY(addr);
    /* of two rows at one address the one that says something comes last and wins */
    int c = by_text(a->file, b->file);
    if (c)
        return c;
    BY(line);
    return 0;
}

static int by_object(const void *va, const void *vb)
{
    const struct cc_trace_object *a = va, *b = vb;
    BY(from);
    BY(since);
    BY(to);
    return by_text(a->name, b->name);
}

static bool meta_load(struct cc_trace_reader *r)
{
    uint8_t *raw = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < r->index.n; i++) {
        struct chunk *c = &r->index.v[i];
        if (c->type != CHUNK_META)
            continue;
        bool room = r->meta_bytes + c->raw <= META_LIMIT;
        if (!room || !chunk_load(r, c, &raw, &cap) || (c->raw && !meta_parse(r, raw, raw + c->raw)))
            r->damaged++;
        else
            r->meta_bytes += c->raw;
    }
    free(raw);
    if (r->nsymbols)
        qsort(r->symbols, r->nsymbols, sizeof *r->symbols, by_symbol);
    if (r->nlines)
        qsort(r->lines, r->nlines, sizeof *r->lines, by_line);
    if (r->nobjects)
        qsort(r->objects, r->nobjects, sizeof *r->objects, by_object);
    r->symbol_reach = cc_alloc((r->nsymbols + 1) * sizeof *r->symbol_reach);
    r->object_reach = cc_alloc((r->nobjects + 1) * sizeof *r->object_reach);
    if (!r->symbol_reach || !r->object_reach)
        return false;
    for (size_t i = 0, reach = 0; i < r->nsymbols; i++)
        r->symbol_reach[i] = reach = r->symbols[i].to > reach ? r->symbols[i].to : reach;
    for (size_t i = 0, reach = 0; i < r->nobjects; i++)
        r->object_reach[i] = reach = r->objects[i].to > reach ? r->objects[i].to : reach;
    return true;
}

/* ---- opening ---- */

/* Without a name, so that it is gone with us. */
static int temporary_file(void)
{
    const char *folder = getenv("TMPDIR");
    CC_CLEANUP(cc_free_ptr)
    char *path = cc_asprintf("%s/corecast.XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static int spool(int from, char *err)
{
    int fd = temporary_file();
    char block[64 << 10];
    ssize_t n = 0;
    while (fd >= 0 && ((n = read(from, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0 && write(fd, block, (size_t)n) != n)
            break;
    if (fd < 0 || n != 0) {
        snprintf(err, CC_TRACE_ERR, "cannot copy to a temporary file: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

static int open_seekable(const char *path, char *err)
{
    struct cc_err why = {0};
    int fd = cc_file_open(path, &why);
    if (fd < 0) {
        snprintf(err, CC_TRACE_ERR, "%.200s", why.msg);
        return -1;
    }
    if (lseek(fd, 0, SEEK_CUR) >= 0)
        return fd;
    int copy = spool(fd, err);
    close(fd);
    return copy;
}

/* Groups the event chunks by CPU; a chunk that starts before its CPU's previous one ended is not used. */
static bool cursors_build(struct cc_trace_reader *r)
{
    uint32_t *count = cc_alloc_array(CC_TRACE_MAX_CPUS, sizeof *count);
    uint64_t *reached = cc_alloc_array(CC_TRACE_MAX_CPUS, sizeof *reached);
    bool ok = count && reached;
    for (size_t i = 0; ok && i < r->index.n; i++) {
        struct chunk *c = &r->index.v[i];
        if (c->type != CHUNK_EVENTS)
            continue;
        if (count[c->cpu] && c->first < reached[c->cpu]) {
            c->type = 0;
            r->damaged++;
            continue;
        }
        reached[c->cpu] = c->last;
        r->ncursors += count[c->cpu]++ == 0;
        r->norder++;
    }
    r->order = cc_alloc((r->norder + 1) * sizeof *r->order);
    r->cursors = cc_alloc_array(r->ncursors + 1, sizeof *r->cursors);
    r->heap = cc_alloc_array(r->ncursors + 1, sizeof(struct cursor *));
    ok = ok && r->order && r->cursors && r->heap;
    size_t at = 0, k = 0;
    for (unsigned cpu = 0; ok && cpu < CC_TRACE_MAX_CPUS; cpu++) {
        if (!count[cpu])
            continue;
        r->cursors[k] = (struct cursor){.cpu = cpu, .begin = at, .at = at, .end = at + count[cpu]};
        reached[cpu] = k++; /* from here on: number of the CPU's cursor */
        at += count[cpu];
        r->cpus = cpu + 1;
    }
    for (size_t i = 0; ok && i < r->index.n; i++) {
        const struct chunk *c = &r->index.v[i];
        if (c->type != CHUNK_EVENTS)
            continue;
        struct cursor *to = &r->cursors[reached[c->cpu]];
        r->order[to->at++] = (uint32_t)i;
        to->events += c->count;
    }
    free(count);
    free(reached);
    return ok;
}

static struct cc_trace_reader *reader_open(const char *path, char *err)
{
    int fd = open_seekable(path, err);
    if (fd < 0)
        return NULL;
    struct cc_trace_reader *r = cc_alloc_array(1, sizeof *r);
    if (!r) {
        snprintf(err, CC_TRACE_ERR, "out of memory");
        close(fd);
        return NULL;
    }
    r->fd = fd;
    if (cc_trace_index_load(fd, &r->index, err) < 0) {
        cc_trace_close(r);
        return NULL;
    }
    r->damaged = r->index.lost;
    r->zstd = ZSTD_createDCtx();
    if (!r->zstd || !cursors_build(r) || !meta_load(r)) {
        snprintf(err, CC_TRACE_ERR, "out of memory");
        cc_trace_close(r);
        return NULL;
    }
    uint64_t cores = cc_trace_fact_number(r, "cores", 0);
    if (cores > r->cpus && cores <= CC_TRACE_MAX_CPUS)
        r->cpus = (unsigned)cores;
    cc_trace_select(r, NULL);
    return r;
}

int cc_trace_open(const char *path, struct cc_trace_reader **ret, struct cc_err *err)
{
    char why[CC_TRACE_ERR] = "";
    *ret = reader_open(path, why);
    return *ret ? 0 : cc_err_at(err, CC_EINPUT, path, 0, "%s", why);
}

void cc_trace_close(struct cc_trace_reader *r)
{
    if (!r)
        return;
    close(r->fd);
    cc_trace_index_fini(&r->index);
    for (size_t i = 0; i < r->ncursors && r->cursors; i++)
        free(r->cursors[i].raw);
    for (size_t i = 0; i < r->strings.cap; i++)
        free(r->strings.v[i]);
    free(r->strings.v);
    free(r->cursors);
    free(r->order);
    free(r->heap);
    free(r->packed);
    free(r->facts);
    free(r->symbols);
    free(r->lines);
    free(r->objects);
    free(r->contexts);
    free(r->symbol_reach);
    free(r->object_reach);
    ZSTD_freeDCtx(r->zstd);
    free(r);
}

/* ---- asking ---- */

void cc_trace_summary(const struct cc_trace_reader *r, struct cc_trace_summary *ret)
{
    *ret = (struct cc_trace_summary){.first = UINT64_MAX,
                                     .bytes = r->index.bytes,
                                     .damaged = r->damaged,
                                     .cpus = r->cpus,
                                     .indexed = r->index.indexed};
    for (size_t i = 0; i < r->index.n; i++) {
        const struct chunk *c = &r->index.v[i];
        if (c->type == CHUNK_META)
            continue;
        ret->chunks++;
        if (c->type != CHUNK_EVENTS)
            continue;
        ret->events += c->count;
        ret->first = c->first < ret->first ? c->first : ret->first;
        ret->last = c->last > ret->last ? c->last : ret->last;
    }
    ret->chunks += r->index.lost;
}

uint64_t cc_trace_cpu_events(const struct cc_trace_reader *r, unsigned cpu)
{
    for (size_t i = 0; i < r->ncursors; i++)
        if (r->cursors[i].cpu == cpu)
            return r->cursors[i].events;
    return 0;
}

const char *cc_trace_fact(const struct cc_trace_reader *r, const char *name)
{
    for (size_t i = 0; i < r->nfacts; i += 2)
        if (strcmp(r->facts[i], name) == 0)
            return r->facts[i + 1];
    return NULL;
}

size_t cc_trace_facts(const struct cc_trace_reader *r)
{
    return r->nfacts / 2;
}

const char *cc_trace_fact_at(const struct cc_trace_reader *r, size_t i, const char **ret_value)
{
    *ret_value = r->facts[2 * i + 1];
    return r->facts[2 * i];
}

uint64_t cc_trace_fact_number(const struct cc_trace_reader *r, const char *name, uint64_t otherwise)
{
    const char *s = cc_trace_fact(r, name);
    if (!s || *s < '0' || *s > '9')
        return otherwise;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s, &end, 10);
    return errno || *end ? otherwise : v;
}

size_t cc_trace_symbols(const struct cc_trace_reader *r, const struct cc_trace_symbol **ret)
{
    *ret = r->symbols;
    return r->nsymbols;
}

size_t cc_trace_lines(const struct cc_trace_reader *r, const struct cc_trace_line **ret)
{
    *ret = r->lines;
    return r->nlines;
}

size_t cc_trace_objects(const struct cc_trace_reader *r, const struct cc_trace_object **ret)
{
    *ret = r->objects;
    return r->nobjects;
}

size_t cc_trace_contexts(const struct cc_trace_reader *r)
{
    return r->ncontexts;
}

const struct cc_trace_context *cc_trace_context(const struct cc_trace_reader *r, uint32_t number)
{
    return number && number <= r->ncontexts ? &r->contexts[number - 1] : NULL;
}

/* Number of elements whose first field, an address, is at most addr. */
static size_t count_upto(const void *array, size_t n, size_t size, uint64_t addr)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        uint64_t from;
        memcpy(&from, (const char *)array + mid * size, sizeof from);
        if (from <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct cc_trace_symbol *cc_trace_find_symbol(const struct cc_trace_reader *r, uint64_t pc)
{
    size_t n = count_upto(r->symbols, r->nsymbols, sizeof *r->symbols, pc);
    for (size_t i = n; i-- > 0 && r->symbol_reach[i] > pc && n - i <= LOOK_BACK;)
        if (r->symbols[i].to > pc)
            return &r->symbols[i];
    return NULL;
}

const struct cc_trace_line *cc_trace_find_line(const struct cc_trace_reader *r, uint64_t pc)
{
    size_t n = count_upto(r->lines, r->nlines, sizeof *r->lines, pc);
    return n && r->lines[n - 1].file ? &r->lines[n - 1] : NULL;
}

static const struct cc_trace_object *find_object(const struct cc_trace_reader *r, uint64_t addr,
                                                 uint64_t cycle, bool loop)
{
    size_t n = count_upto(r->objects, r->nobjects, sizeof *r->objects, addr);
    for (size_t i = n; i-- > 0 && r->object_reach[i] > addr && n - i <= LOOK_BACK;) {
        const struct cc_trace_object *o = &r->objects[i];
        if (o->to > addr && o->since <= cycle && o->until >= cycle && (o->storage == CC_TRACE_LOOP) == loop)
            return o;
    }
    return NULL;
}

const struct cc_trace_object *cc_trace_find_object(const struct cc_trace_reader *r, uint64_t addr,
                                                   uint64_t cycle)
{
    return find_object(r, addr, cycle, false);
}

const struct cc_trace_object *cc_trace_find_loop(const struct cc_trace_reader *r, uint64_t pc)
{
    return find_object(r, pc, 0, true);
}
