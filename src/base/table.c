#include "table.h"
#include "arena.h"
#include "text.h"
#include "table_priv.h"
#include "ending.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

/* --- columns --- */

static const char *copied(struct cc_arena *a, const char *s)
{
    return s ? cc_arena_strdup(a, s) : NULL;
}

static struct cc_table *make(struct cc_table *owner, const struct cc_col *cols, size_t ncols)
{
    struct cc_table *t = cc_alloc(sizeof *t);
    t->cols = cols;
    t->ncols = ncols;
    t->ncells = ncols && cols[ncols - 1].type == CC_COL_CHILDREN ? ncols - 1 : ncols;
    t->owner = owner ? owner : t;
    t->arena = &t->owner->own_arena;
    if (owner) {
        t->next = owner->next;
        owner->next = t;
    }
    return t;
}

struct cc_table *cc_table_new(const struct cc_col *cols, size_t ncols)
{
    struct cc_table *t = make(NULL, NULL, 0);
    struct cc_col *copy = cc_arena_alloc(t->arena, ncols * sizeof *copy);
    for (size_t i = 0; i < ncols; i++) {
        copy[i] = cols[i];
        copy[i].key = copied(t->arena, cols[i].key);
        copy[i].title = copied(t->arena, cols[i].title);
    }
    t->cols = copy;
    t->ncols = ncols;
    t->ncells = ncols && cols[ncols - 1].type == CC_COL_CHILDREN ? ncols - 1 : ncols;
    return t;
}

void cc_table_free(struct cc_table *t)
{
    struct cc_arena arena = {0};
    if (t)
        arena = t->own_arena;
    while (t) {
        struct cc_table *next = t->next;
        CC_VEC_FINI(&t->rows);
        CC_VEC_FINI(&t->cells);
        CC_VEC_FINI(&t->shown);
        CC_VEC_FINI(&t->pending);
        CC_VEC_FINI(&t->pending_keys);
        free(t);
        t = next;
    }
    cc_arena_fini(&arena);
}

/* --- rows and cells --- */

size_t cc_table_row(struct cc_table *t)
{
    return cc_table_row_under(t, SIZE_MAX);
}

size_t cc_table_row_under(struct cc_table *t, size_t parent)
{
    if (t->open || t->rows.n >= UINT32_MAX || (parent != SIZE_MAX && parent >= t->rows.n))
        abort();
    struct cc_table_row r = {.parent = parent == SIZE_MAX ? UINT32_MAX : (uint32_t)parent};
    CC_VEC_PUSH(&t->rows, r);
    CC_VEC_RESERVE(&t->cells, t->cells.n + t->ncells);
    if (t->ncells)
        memset(t->cells.v + t->cells.n, 0, t->ncells * sizeof *t->cells.v);
    t->cells.n += t->ncells;
    t->filled = 0;
    return t->rows.n - 1;
}

void cc_table_row_only(struct cc_table *t, enum cc_row_where where)
{
    t->rows.v[t->rows.n - 1].where = (uint8_t)where;
}

static bool fits(enum cc_col_type type, enum cc_cell_kind kind)
{
    switch (kind) {
    case CC_CELL_STR:
        return type == CC_COL_STR;
    case CC_CELL_BOOL:
        return type == CC_COL_BOOL;
    case CC_CELL_LIST:
        return type == CC_COL_LIST || type == CC_COL_MAP;
    case CC_CELL_TABLE:
        return type == CC_COL_TABLE || type == CC_COL_RECORD;
    case CC_CELL_I64:
    case CC_CELL_U64:
    case CC_CELL_NUM:
        return type >= CC_COL_INT && type <= CC_COL_PERCENT;
    default:
        return true;
    }
}

/* A cell too many or of another type than its column is a mistake in the program, not in its input. */
static void put(struct cc_table *t, struct cc_cell cell)
{
    if (t->open) {
        if (t->pending_keys.n != (t->open == CC_COL_MAP ? t->pending.n + 1 : 0))
            abort();
        CC_VEC_PUSH(&t->pending, cell);
        return;
    }
    if (!t->rows.n || t->filled >= t->ncells || !fits(t->cols[t->filled].type, cell.kind))
        abort();
    t->cells.v[(t->rows.n - 1) * t->ncells + t->filled++] = cell;
}

/* Many rows repeat the string above them: then both share it. */
static const char *keep(struct cc_table *t, const char *v)
{
    if (!t->open && t->rows.n > 1 && t->filled < t->ncells) {
        const struct cc_cell *above = &t->cells.v[(t->rows.n - 2) * t->ncells + t->filled];
        if (above->kind == CC_CELL_STR && strcmp(above->s, v) == 0)
            return above->s;
    }
    return cc_arena_strdup(t->arena, v);
}

void cc_table_str(struct cc_table *t, const char *v)
{
    put(t, v ? (struct cc_cell){.kind = CC_CELL_STR, .s = keep(t, v)} : (struct cc_cell){0});
}

void cc_table_int(struct cc_table *t, int64_t v)
{
    put(t, (struct cc_cell){.kind = CC_CELL_I64, .i = v});
}

void cc_table_u64(struct cc_table *t, uint64_t v)
{
    put(t, (struct cc_cell){.kind = CC_CELL_U64, .u = v});
}

void cc_table_u64_if(struct cc_table *t, bool known, uint64_t v)
{
    put(t, known ? (struct cc_cell){.kind = CC_CELL_U64, .u = v} : (struct cc_cell){0});
}

void cc_table_num(struct cc_table *t, double v)
{
    put(t, isfinite(v) ? (struct cc_cell){.kind = CC_CELL_NUM, .d = v} : (struct cc_cell){0});
}

void cc_table_place(struct cc_table *t, const char *file, uint32_t line)
{
    cc_table_str(t, file);
    if (file && line)
        cc_table_show(t, "%s:%" PRIu32, cc_text_base(file), line);
    else if (file)
        cc_table_show(t, "%s", cc_text_base(file));
    cc_table_u64_if(t, line > 0, line);
}

void cc_table_bool(struct cc_table *t, bool v)
{
    put(t, (struct cc_cell){.kind = CC_CELL_BOOL, .b = v});
}

void cc_table_null(struct cc_table *t)
{
    put(t, (struct cc_cell){0});
}

void cc_table_absent(struct cc_table *t)
{
    put(t, (struct cc_cell){.kind = CC_CELL_ABSENT});
}

void cc_table_no_object(struct cc_table *t)
{
    if (t->filled >= t->ncells || !t->cols[t->filled].key)
        abort();
    size_t prefix = strcspn(t->cols[t->filled].key, ".") + 1, first = t->filled;
    const char *name = t->cols[first].key;
    while (t->filled < t->ncells &&
           (!t->cols[t->filled].key || strncmp(t->cols[t->filled].key, name, prefix) == 0))
        put(t, (struct cc_cell){.kind = CC_CELL_NONE});
}

/* --- cells of several values --- */

static void open_list(struct cc_table *t, enum cc_col_type type)
{
    if (t->open)
        abort();
    t->open = type;
    t->pending.n = t->pending_keys.n = 0;
}

void cc_table_list(struct cc_table *t)
{
    open_list(t, CC_COL_LIST);
}

void cc_table_map(struct cc_table *t)
{
    open_list(t, CC_COL_MAP);
}

void cc_table_key(struct cc_table *t, const char *key)
{
    if (t->open != CC_COL_MAP)
        abort();
    const char *copy = cc_arena_strdup(t->arena, key);
    CC_VEC_PUSH(&t->pending_keys, copy);
}

void cc_table_end(struct cc_table *t)
{
    if (!t->open)
        abort();
    size_t n = t->pending.n;
    struct cc_cells *list = cc_arena_alloc(t->arena, sizeof *list);
    struct cc_cell *v = cc_arena_alloc(t->arena, n * sizeof *v);
    list->n = n;
    list->v = v;
    if (n)
        memcpy(v, t->pending.v, n * sizeof *v);
    if (t->open == CC_COL_MAP) {
        const char **keys = cc_arena_alloc(t->arena, n * sizeof *keys);
        if (n)
            memcpy(keys, t->pending_keys.v, n * sizeof *keys);
        list->keys = keys;
    }
    t->open = 0;
    put(t, (struct cc_cell){.kind = CC_CELL_LIST, .list = list});
}

struct cc_table *cc_table_sub(struct cc_table *t)
{
    if (t->filled >= t->ncells)
        abort();
    const struct cc_col *col = &t->cols[t->filled];
    struct cc_table *sub = make(t->owner, col->sub, col->nsub);
    put(t, (struct cc_cell){.kind = CC_CELL_TABLE, .table = sub});
    return sub;
}

void cc_table_show(struct cc_table *t, const char *fmt, ...)
{
    if (t->open || !t->filled)
        abort();
    char small[256];
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < 0)
        cc_ending_no_memory();
    char *text = cc_arena_alloc(t->arena, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    CC_VEC_PUSH(&t->shown, (struct cc_table_shown){(t->rows.n - 1) * t->ncells + t->filled - 1, text});
}

/* --- reading --- */

size_t cc_table_rows(const struct cc_table *t)
{
    return t->rows.n;
}

size_t cc_table_ncols(const struct cc_table *t)
{
    return t->ncols;
}

const struct cc_col *cc_table_col(const struct cc_table *t, size_t c)
{
    return &t->cols[c];
}

size_t cc_table_parent(const struct cc_table *t, size_t row)
{
    uint32_t parent = t->rows.v[row].parent;
    return parent == UINT32_MAX ? SIZE_MAX : parent;
}

enum cc_row_where cc_table_where(const struct cc_table *t, size_t row)
{
    return (enum cc_row_where)t->rows.v[row].where;
}

struct cc_cell cc_table_cell(const struct cc_table *t, size_t row, size_t c)
{
    return c < t->ncells ? t->cells.v[row * t->ncells + c] : (struct cc_cell){.kind = CC_CELL_ABSENT};
}
