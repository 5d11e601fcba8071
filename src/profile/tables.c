#include "tables.h"
#include "channels.h"

#include <stddef.h>

#define CC_NAMES(name, count, ...) const char *const cc_##name##_names[count] = {__VA_ARGS__};
#include "columns.def"

const char *const cc_object_alloc_names[CC_OBJECT_ALLOCS] = {
    "",       "malloc", "calloc", "realloc", "reallocarray", "memalign", "posix_memalign",
    "valloc", "new",    "new[]",  "free",    "mmap"};

/* --- what columns.def says --- */

#define FIELD(name, kind, type, field) name, CC_KIND_##kind, offsetof(type, field), sizeof(((type *)0)->field)
#define AS_KEY(name, type, field, to) name, CC_KIND_KEY
#define AS_ID(name, type, field, to) FIELD(name, ID, type, field), .of = CC_P_##to
#define AS_MAYBE_ID(name, type, field, to) FIELD(name, MAYBE_ID, type, field), .of = CC_P_##to
#define AS_EARLIER(name, type, field, to) FIELD(name, EARLIER, type, field)
#define AS_ANY_ID(name, type, field, to) FIELD(name, ANY_ID, type, field)
#define AS_COUNT(name, type, field, to) FIELD(name, COUNT, type, field)
#define AS_MAYBE_COUNT(name, type, field, to) \
    FIELD(name, MAYBE_COUNT, type, field), offsetof(type, has_##field)
#define AS_NUMBER(name, type, field, to) FIELD(name, NUMBER, type, field)
#define AS_FLAG(name, type, field, to) FIELD(name, FLAG, type, field)
#define AS_LINE(name, type, field, to) FIELD(name, LINE, type, field)
#define AS_ADDRESS(name, type, field, to) FIELD(name, ADDRESS, type, field)
#define AS_TEXT(name, type, field, to) FIELD(name, TEXT, type, field)
#define AS_MAYBE_TEXT(name, type, field, to) FIELD(name, MAYBE_TEXT, type, field)
#define AS_WORD(name, type, field, to) \
    FIELD(name, WORD, type, field), .words = cc_##to##_names, .nwords = CC_COUNT(cc_##to##_names)
#define AS_INDEX(name, type, field, to) FIELD(name, INDEX, type, field)
#define AS_PAD(name, type, field, to) FIELD(name, PAD, type, field)
#define AS_STATUS(name, type, field, least) FIELD(name, STATUS, type, field), .of = least

#define CC_TABLE(table, rows, order) static const struct cc_pcolumn table##_columns[] = {
#define CC_COLUMN(table, column, kind, of, meaning) {AS_##kind(#column, struct cc_p##table, column, of)},
#define CC_TABLE_END(table) \
    }                       \
    ;
#define CC_STREAM(stream, record, row, tag, meaning) \
    typedef struct record stream##_item;             \
    static const struct cc_pcolumn stream##_columns[] = {
#define CC_ITEM(stream, field, kind, of, meaning) {AS_##kind(#field, stream##_item, field, of)},
#define CC_STREAM_END(stream) \
    }                         \
    ;
#include "columns.def"

#define COLUMNS(name) name##_columns, CC_COUNT(name##_columns)
#define ROWS(field) offsetof(struct cc_profile, field), offsetof(struct cc_profile, n##field)
const struct cc_ptable cc_ptables[CC_PTABLES] = {
#define CC_TABLE(table, rows, order) \
    {#table, order, 0, COLUMNS(table), sizeof(struct cc_p##table), ROWS(rows)},
#define CC_STREAM(stream, record, row, tag, meaning) \
    {#stream, NULL, CC_REC_##tag, COLUMNS(stream), sizeof(struct record), ROWS(stream)},
#include "columns.def"
};

const struct cc_pcolumn cc_facts[] = {
#define CC_FACT(key, field, kind, of, meaning) {AS_##kind(key, struct cc_profile, field, of)},
#include "columns.def"
};
const size_t cc_nfacts = CC_COUNT(cc_facts);

bool cc_kind_may_be_null(enum cc_pkind kind)
{
    return kind == CC_KIND_MAYBE_ID || kind == CC_KIND_EARLIER || kind == CC_KIND_MAYBE_COUNT ||
           kind == CC_KIND_LINE || kind == CC_KIND_MAYBE_TEXT;
}

bool cc_kind_is_text(enum cc_pkind kind)
{
    return kind == CC_KIND_TEXT || kind == CC_KIND_MAYBE_TEXT || kind == CC_KIND_WORD;
}

size_t *cc_ptable_count(struct cc_profile *p, enum cc_ptable_id id)
{
    return (size_t *)((char *)p + cc_ptables[id].count);
}

enum cc_ptable_id cc_stream_of(enum cc_rec_tag tag)
{
    enum cc_ptable_id id = 0;
    while (id < CC_PTABLES && (cc_ptables[id].order || cc_ptables[id].tag != tag))
        id++;
    return id;
}

void cc_ptable_create(const struct cc_ptable *t, struct cc_buf *ret)
{
    cc_buf_printf(ret, "CREATE TABLE %s (", t->name);
    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct cc_pcolumn *c = &t->columns[i];
        cc_buf_printf(ret, "%s%s %s", i ? ", " : "", c->name,
                      c->kind == CC_KIND_KEY     ? "INTEGER PRIMARY KEY"
                      : cc_kind_is_text(c->kind) ? "TEXT"
                                                 : "INTEGER");
    }
    cc_buf_puts(ret, ")");
}

/* --- each column by itself --- */

static bool fits(uint64_t v)
{
    return v <= INT64_MAX;
}

/* How many ids there are. What lies before the first frame's mark is frame 0, marks or not. */
static size_t ids(const struct cc_profile *p, int of)
{
    size_t n = *(const size_t *)((const char *)p + cc_ptables[of].count);
    return of == CC_P_frames ? CC_MAX(n, (size_t)1) : CC_MIN(n, (size_t)CC_SPECIAL);
}

static bool column_fits(const struct cc_pcolumn *c, const struct cc_profile *p, const char *row, size_t at)
{
    uint32_t small = 0;
    uint64_t large = 0;
    const char *text = NULL;
    if (c->size == sizeof small)
        memcpy(&small, row + c->at, sizeof small);
    else if (c->size == sizeof large)
        memcpy(&large, row + c->at, sizeof large);
    switch (c->kind) {
    case CC_KIND_KEY:
        return at < CC_SPECIAL;
    case CC_KIND_INDEX:
        return small == at;
    case CC_KIND_ID:
        return small < ids(p, c->of);
    case CC_KIND_MAYBE_ID:
        return small == CC_NONE || small < ids(p, c->of);
    case CC_KIND_EARLIER:
        return small == CC_NONE || small < at;
    case CC_KIND_COUNT:
    case CC_KIND_MAYBE_COUNT:
        return fits(large);
    case CC_KIND_LINE:
        return small <= INT32_MAX;
    case CC_KIND_TEXT:
        memcpy(&text, row + c->at, sizeof text);
        return text != NULL;
    case CC_KIND_WORD:
        return small < c->nwords;
    default:
        return true;
    }
}

bool cc_columns_fit(enum cc_ptable_id id, const struct cc_profile *p, const void *row, size_t at)
{
    const struct cc_ptable *t = &cc_ptables[id];
    for (size_t i = 0; i < t->ncolumns; i++)
        if (!column_fits(&t->columns[i], p, row, at))
            return false;
    return true;
}

/* --- columns together --- */

static bool spans_time(uint64_t start, uint64_t length)
{
    return length <= INT64_MAX - start;
}

/* No child exceeds its parent, so that shares stay below 1. */
static bool context_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)at;
    const struct cc_pcontext *x = row, *up = x->parent == CC_NONE ? NULL : &p->contexts[x->parent];
    return x->exclusive <= x->inclusive &&
           (!up || (up->thread == x->thread && x->inclusive <= up->inclusive));
}

static bool scope_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p;
    return (((const struct cc_pscope *)row)->parent == CC_NONE) == (at == 0);
}

static bool node_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p, (void)at;
    const struct cc_pnode *n = row;
    return (n->kind == CC_NODE_CONTEXT) == (n->context != CC_NONE) && n->stack_reads <= n->reads &&
           n->stack_writes <= n->writes && n->stack_bytes_read <= n->bytes_read &&
           n->stack_bytes_written <= n->bytes_written;
}

/* An end of a stream at some level: an id of its table; except at level context, a special id too. */
static bool end_fits(const struct cc_profile *p, uint32_t level, uint32_t id)
{
    static const enum cc_ptable_id tables[CC_LEVELS] = {CC_P_node, CC_P_function, CC_P_thread, CC_P_region};
    bool special = level != CC_LEVEL_CONTEXT && id > CC_SPECIAL && id < CC_SPECIAL_ID(CC_NODE_KINDS);
    return special || id < ids(p, (int)tables[level]);
}

int cc_edge_order(const void *a, const void *b)
{
    const struct cc_pedge *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->producer != y->producer)
        return x->producer < y->producer ? -1 : 1;
    return (x->consumer > y->consumer) - (x->consumer < y->consumer);
}

static bool edge_fits(const struct cc_profile *p, const void *row, size_t at)
{
    const struct cc_pedge *e = row;
    return end_fits(p, e->level, e->producer) && end_fits(p, e->level, e->consumer) &&
           (at == 0 || cc_edge_order(e - 1, e) <= 0);
}

static bool object_access_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)at;
    const struct cc_pobject_access *a = row;
    uint32_t f = a->function;
    return (f < p->nfunctions || f == CC_SPECIAL_ID(CC_NODE_INPUT) || f == CC_SPECIAL_ID(CC_NODE_OUTPUT)) &&
           a->unma_read <= a->bytes_read && a->unma_written <= a->bytes_written;
}

static bool call_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p;
    const struct cc_rec_call *c = row;
    bool sorted =
        at == 0 || c[-1].thread < c->thread || (c[-1].thread == c->thread && c[-1].start <= c->start);
    return sorted && spans_time(c->start, c->length);
}

static bool frame_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p, (void)at;
    const struct cc_rec_frame *f = row;
    return spans_time(f->start, f->length);
}

enum { MAX_CODE = 1 << 16, MAX_SLICES = 1 << 20 };

static bool block_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p, (void)at;
    const struct cc_rec_block *b = row;
    return b->size <= MAX_CODE && b->mode <= 1 && b->instructions <= b->size;
}

static bool line_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p;
    const struct cc_rec_line *l = row;
    return (l->file == CC_NONE) == (l->line == 0) && (l->file == CC_NONE || l->binary == CC_NONE) &&
           l->line <= INT32_MAX && (at == 0 || l[-1].block <= l->block);
}

static bool span_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p, (void)at;
    const struct cc_rec_span *s = row;
    return spans_time(s->start, s->length);
}

static bool flow_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)at;
    const struct cc_rec_flow *f = row;
    return (f->level == CC_LEVEL_FUNCTION || f->level == CC_LEVEL_REGION) &&
           end_fits(p, f->level, f->producer) && end_fits(p, f->level, f->consumer) &&
           f->producer_frame <= f->consumer_frame;
}

static bool slice_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p, (void)at;
    const struct cc_rec_slice *s = row;
    return s->slice < MAX_SLICES && s->stack_read <= s->read && s->stack_written <= s->written;
}

static bool channel_fits(const struct cc_profile *p, const void *row, size_t at)
{
    (void)p;
    const struct cc_rec_channel *c = row;
    const uint64_t *counts = &c->reads;
    bool fine = c->nstrides <= CC_CHANNEL_STRIDES && at < CC_MAX_CHANNELS;
    for (size_t i = 0;
         i < (offsetof(struct cc_rec_channel, strides) - offsetof(struct cc_rec_channel, reads)) / 8; i++)
        fine = fine && fits(counts[i]);
    for (uint32_t i = 0; fine && i < c->nstrides; i++)
        fine = fits(c->strides[i].count) && (i == 0 || c->strides[i].stride > c->strides[i - 1].stride);
    return fine;
}

bool cc_row_fits(enum cc_ptable_id id, const struct cc_profile *p, const void *row, size_t at)
{
    static bool (*const together[CC_PTABLES])(const struct cc_profile *, const void *, size_t) = {
        [CC_P_context] = context_fits,
        [CC_P_scope] = scope_fits,
        [CC_P_node] = node_fits,
        [CC_P_edge] = edge_fits,
        [CC_P_object_access] = object_access_fits,
        [CC_P_calls] = call_fits,
        [CC_P_frames] = frame_fits,
        [CC_P_blocks] = block_fits,
        [CC_P_lines] = line_fits,
        [CC_P_spans] = span_fits,
        [CC_P_flows] = flow_fits,
        [CC_P_slices] = slice_fits,
        [CC_P_channels] = channel_fits,
    };
    return cc_columns_fit(id, p, row, at) && (!together[id] || together[id](p, row, at));
}

size_t cc_item_size(enum cc_ptable_id id, const struct cc_profile *p, const void *item, size_t at,
                    size_t left)
{
    size_t size = cc_ptables[id].size;
    if (left < size || !cc_row_fits(id, p, item, at))
        return 0;
    if (id == CC_P_blocks)
        size += (((const struct cc_rec_block *)item)->size + 7u) & ~(size_t)7;
    return size <= left ? size : 0;
}
