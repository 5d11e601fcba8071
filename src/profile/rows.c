#include "rows.h"

#include <sqlite3.h>

enum { MAX_STATUS = 1024 }; /* exit codes and signals */

void cc_row_select(const struct cc_ptable *t, const char *where, struct cc_buf *ret)
{
    for (size_t i = 0; i < t->ncolumns; i++)
        cc_buf_printf(ret, "%s%s", i ? ", " : "SELECT ", t->columns[i].name);
    cc_buf_printf(ret, " FROM %s %s ORDER BY %s", t->name, where, t->order);
}

void cc_row_insert(const struct cc_ptable *t, size_t rows, struct cc_buf *ret)
{
    cc_buf_printf(ret, "INSERT INTO %s VALUES ", t->name);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < t->ncolumns; i++)
            cc_buf_puts(ret, i ? ", ?" : row ? ", (?" : "(?");
        cc_buf_puts(ret, ")");
    }
}

/* --- writing --- */

/* Whether the field says that the column is NULL. */
static bool is_null(const struct cc_pcolumn *c, const char *row)
{
    uint32_t small;
    bool known;
    switch (c->kind) {
    case CC_KIND_MAYBE_COUNT:
        memcpy(&known, row + c->has, sizeof known);
        return !known;
    case CC_KIND_MAYBE_ID:
    case CC_KIND_EARLIER:
        memcpy(&small, row + c->at, sizeof small);
        return small == CC_NONE;
    case CC_KIND_LINE:
        memcpy(&small, row + c->at, sizeof small);
        return small == 0 || small > INT32_MAX; /* debug information may say anything */
    default:
        return false;
    }
}

static void bind(sqlite3_stmt *st, int to, const struct cc_pcolumn *c, const char *field)
{
    uint32_t small;
    uint64_t large;
    const char *text;
    bool flag;
    switch (c->kind) {
    case CC_KIND_COUNT:
    case CC_KIND_MAYBE_COUNT:
    case CC_KIND_ADDRESS:
        memcpy(&large, field, sizeof large);
        sqlite3_bind_int64(st, to, (sqlite3_int64)large);
        break;
    case CC_KIND_TEXT:
    case CC_KIND_MAYBE_TEXT:
        memcpy(&text, field, sizeof text);
        sqlite3_bind_text(st, to, text, -1, SQLITE_STATIC); /* NULL binds NULL */
        break;
    case CC_KIND_WORD:
        memcpy(&small, field, sizeof small);
        sqlite3_bind_text(st, to, c->words[small], -1, SQLITE_STATIC);
        break;
    case CC_KIND_FLAG:
        memcpy(&flag, field, sizeof flag);
        sqlite3_bind_int(st, to, flag);
        break;
    default:
        memcpy(&small, field, sizeof small);
        sqlite3_bind_int64(st, to, small);
    }
}

void cc_row_bind(sqlite3_stmt *st, int before, const struct cc_ptable *t, const void *row, size_t at)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct cc_pcolumn *c = &t->columns[i];
        int to = before + (int)i + 1;
        if (c->kind == CC_KIND_KEY)
            sqlite3_bind_int64(st, to, (sqlite3_int64)at);
        else if (is_null(c, row))
            sqlite3_bind_null(st, to);
        else
            bind(st, to, c, (const char *)row + c->at);
    }
}

/* --- reading --- */

struct reading {
    sqlite3_stmt *st;
    int column;
    struct cc_arena *arena;
    char *to;
};

static bool read_number(const struct reading *r, uint64_t max, uint64_t *ret)
{
    bool integer = sqlite3_column_type(r->st, r->column) == SQLITE_INTEGER;
    sqlite3_int64 v = sqlite3_column_int64(r->st, r->column);
    *ret = (uint64_t)v;
    return integer && v >= 0 && *ret <= max;
}

static bool read_small(const struct reading *r, uint32_t max)
{
    uint64_t v;
    bool fine = read_number(r, max, &v);
    uint32_t small = (uint32_t)v;
    memcpy(r->to, &small, sizeof small);
    return fine;
}

static bool read_large(const struct reading *r)
{
    uint64_t v;
    bool fine = read_number(r, INT64_MAX, &v);
    memcpy(r->to, &v, sizeof v);
    return fine;
}

static bool read_flag(const struct reading *r)
{
    uint64_t v;
    bool fine = read_number(r, 1, &v), flag = v;
    memcpy(r->to, &flag, sizeof flag);
    return fine;
}

/* Texts hold no NUL. */
static const char *raw_text(const struct reading *r)
{
    if (sqlite3_column_type(r->st, r->column) != SQLITE_TEXT) /* asked first: reading converts a blob */
        return NULL;
    const char *s = (const char *)sqlite3_column_text(r->st, r->column);
    return s && strlen(s) == (size_t)sqlite3_column_bytes(r->st, r->column) ? s : NULL;
}

static bool read_text(const struct reading *r)
{
    const char *s = raw_text(r);
    if (s)
        s = cc_arena_strdup(r->arena, s);
    memcpy(r->to, &s, sizeof s);
    return s != NULL;
}

static bool read_word(const struct reading *r, const struct cc_pcolumn *c)
{
    const char *s = raw_text(r);
    for (uint32_t i = 0; s && i < c->nwords; i++)
        if (strcmp(s, c->words[i]) == 0) {
            memcpy(r->to, &i, sizeof i);
            return true;
        }
    return false;
}

static void read_null(const struct reading *r, const struct cc_pcolumn *c)
{
    const uint32_t none = CC_NONE;
    memset(r->to, 0, c->size);
    if (c->kind == CC_KIND_MAYBE_ID || c->kind == CC_KIND_EARLIER)
        memcpy(r->to, &none, sizeof none);
}

static bool read_address(const struct reading *r)
{
    bool integer = sqlite3_column_type(r->st, r->column) == SQLITE_INTEGER;
    sqlite3_int64 v = sqlite3_column_int64(r->st, r->column);
    memcpy(r->to, &v, sizeof v);
    return integer;
}

static bool read_column(const struct reading *r, const struct cc_pcolumn *c, size_t at)
{
    uint64_t key;
    switch (c->kind) {
    case CC_KIND_KEY:
        return read_number(r, CC_SPECIAL, &key) && key == at;
    case CC_KIND_FLAG:
        return read_flag(r);
    case CC_KIND_COUNT:
    case CC_KIND_MAYBE_COUNT:
        return read_large(r);
    case CC_KIND_ADDRESS:
        return read_address(r);
    case CC_KIND_TEXT:
    case CC_KIND_MAYBE_TEXT:
        return read_text(r);
    case CC_KIND_WORD:
        return read_word(r, c);
    case CC_KIND_LINE:
        return read_small(r, INT32_MAX);
    case CC_KIND_NUMBER:
    case CC_KIND_ANY_ID:
        return read_small(r, UINT32_MAX);
    default:
        return read_small(r, CC_SPECIAL - 1);
    }
}

bool cc_row_read(sqlite3_stmt *st, const struct cc_ptable *t, void *row, size_t at, struct cc_arena *arena)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct cc_pcolumn *c = &t->columns[i];
        struct reading r = {st, (int)i, arena, (char *)row + c->at};
        bool null = sqlite3_column_type(st, r.column) == SQLITE_NULL, known = !null;
        if (null && cc_kind_may_be_null(c->kind))
            read_null(&r, c);
        else if (null || !read_column(&r, c, at))
            return false;
        if (c->kind == CC_KIND_MAYBE_COUNT)
            memcpy((char *)row + c->has, &known, sizeof known);
    }
    return true;
}

/* --- facts --- */

int cc_fact_put(struct cc_store *s, const struct cc_pcolumn *fact, const struct cc_profile *p,
                struct cc_err *err)
{
    const char *field = (const char *)p + fact->at;
    const char *text;
    uint64_t large;
    uint32_t small;
    int status;
    bool flag;
    switch (fact->kind) {
    case CC_KIND_TEXT:
        memcpy(&text, field, sizeof text);
        return cc_store_set(s, fact->name, text, err);
    case CC_KIND_COUNT:
        memcpy(&large, field, sizeof large);
        return cc_store_set_u64(s, fact->name, large, err);
    case CC_KIND_FLAG:
        memcpy(&flag, field, sizeof flag);
        return cc_store_set_u64(s, fact->name, flag, err);
    case CC_KIND_STATUS:
        memcpy(&status, field, sizeof status);
        return status < fact->of ? 0 : cc_store_set_u64(s, fact->name, (uint64_t)status, err);
    default:
        memcpy(&small, field, sizeof small);
        return cc_store_set_u64(s, fact->name, small, err);
    }
}

bool cc_fact_read(struct cc_store *s, const struct cc_pcolumn *fact, struct cc_profile *p)
{
    CC_CLEANUP(cc_free_ptr) char *text = cc_store_get(s, fact->name);
    char *field = (char *)p + fact->at;
    if (!text)
        return true;
    if (fact->kind == CC_KIND_TEXT) {
        const char *copy = cc_arena_strdup(&p->arena, text);
        memcpy(field, &copy, sizeof copy);
        return true;
    }
    uint64_t max = fact->kind == CC_KIND_FLAG     ? 1
                   : fact->kind == CC_KIND_COUNT  ? INT64_MAX
                   : fact->kind == CC_KIND_STATUS ? MAX_STATUS
                                                  : UINT32_MAX;
    uint64_t v;
    if (!cc_parse_u64(text, &v) || v > max)
        return false;
    uint32_t small = (uint32_t)v; /* NUMBER and STATUS */
    bool flag = v;
    memcpy(field,
           fact->kind == CC_KIND_COUNT  ? (void *)&v
           : fact->kind == CC_KIND_FLAG ? (void *)&flag
                                        : &small,
           fact->size);
    return true;
}
