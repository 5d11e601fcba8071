#include "result.h"
#include "text.h"
#include "arena.h"
#include "ending.h"

#include <math.h>
#include <stdarg.h>

struct cc_result {
    struct cc_arena arena;
    struct cc_item root, *open;
    CC_VEC(struct cc_table *) tables;
};

struct cc_result *cc_result_new(const char *schema, int version)
{
    struct cc_result *r = cc_alloc(sizeof *r);
    r->root.kind = CC_ITEM_OBJ;
    r->open = &r->root;
    cc_result_str(r, "schema", schema);
    cc_result_i64(r, "version", version);
    return r;
}

void cc_result_free(struct cc_result *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->tables.n; i++)
        cc_table_free(r->tables.v[i]);
    CC_VEC_FINI(&r->tables);
    cc_arena_fini(&r->arena);
    free(r);
}

const struct cc_item *cc_result_root(const struct cc_result *r)
{
    return &r->root;
}

/* Fields of objects have keys and elements of arrays have none: anything else is no JSON. */
static struct cc_item *add(struct cc_result *r, enum cc_item_kind kind, const char *key)
{
    struct cc_item *x = cc_arena_alloc(&r->arena, sizeof *x), *into = r->open;
    bool text = kind >= CC_ITEM_NOTE || kind == CC_ITEM_TABLE;
    if (!text && (key != NULL) != (into->kind == CC_ITEM_OBJ))
        abort();
    x->kind = kind;
    x->key = key ? cc_arena_strdup(&r->arena, key) : NULL;
    x->parent = into;
    if (into->last)
        into->last->next = x;
    else
        into->first = x;
    into->last = x;
    return x;
}

static void put(struct cc_result *r, const char *key, struct cc_cell v)
{
    add(r, CC_ITEM_VALUE, key)->value = v;
}

void cc_result_str(struct cc_result *r, const char *key, const char *v)
{
    put(r, key,
        v ? (struct cc_cell){.kind = CC_CELL_STR, .s = cc_arena_strdup(&r->arena, v)} : (struct cc_cell){0});
}

void cc_result_u64(struct cc_result *r, const char *key, uint64_t v)
{
    put(r, key, (struct cc_cell){.kind = CC_CELL_U64, .u = v});
}

void cc_result_u64_if(struct cc_result *r, const char *key, bool known, uint64_t v)
{
    put(r, key, known ? (struct cc_cell){.kind = CC_CELL_U64, .u = v} : (struct cc_cell){0});
}

void cc_result_i64(struct cc_result *r, const char *key, int64_t v)
{
    put(r, key, (struct cc_cell){.kind = CC_CELL_I64, .i = v});
}

void cc_result_num(struct cc_result *r, const char *key, double v)
{
    put(r, key, isfinite(v) ? (struct cc_cell){.kind = CC_CELL_NUM, .d = v} : (struct cc_cell){0});
}

void cc_result_bool(struct cc_result *r, const char *key, bool v)
{
    put(r, key, (struct cc_cell){.kind = CC_CELL_BOOL, .b = v});
}

void cc_result_null(struct cc_result *r, const char *key)
{
    put(r, key, (struct cc_cell){0});
}

void cc_result_obj(struct cc_result *r, const char *key)
{
    r->open = add(r, CC_ITEM_OBJ, key);
}

void cc_result_arr(struct cc_result *r, const char *key)
{
    r->open = add(r, CC_ITEM_ARR, key);
}

void cc_result_end(struct cc_result *r)
{
    if (r->open == &r->root)
        abort();
    r->open = r->open->parent;
}

static struct cc_table *add_table(struct cc_result *r, enum cc_item_kind kind, const char *key,
                                  const struct cc_col *cols, size_t ncols)
{
    struct cc_table *t = cc_table_new(cols, ncols);
    add(r, kind, key)->table = t;
    CC_VEC_PUSH(&r->tables, t);
    return t;
}

struct cc_table *cc_result_table(struct cc_result *r, const char *key, const struct cc_col *cols,
                                 size_t ncols)
{
    return add_table(r, CC_ITEM_TABLE, key, cols, ncols);
}

struct cc_table *cc_result_record(struct cc_result *r, const char *key, const struct cc_col *cols,
                                  size_t ncols)
{
    return add_table(r, CC_ITEM_RECORD, key, cols, ncols);
}

static const char *formatted(struct cc_result *r, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0)
        cc_ending_no_memory();
    char *text = cc_arena_alloc(&r->arena, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

void cc_result_note(struct cc_result *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(r, CC_ITEM_NOTE, NULL)->text = formatted(r, fmt, ap);
    va_end(ap);
}

void cc_result_chain(struct cc_result *r, const char *const *pieces, size_t n)
{
    struct cc_buf text = {0};
    for (size_t i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(pieces[i]);
        cc_buf_printf(&text, "%s%s", i ? "\n" : "", safe);
    }
    struct cc_item *x = add(r, CC_ITEM_NOTE, NULL);
    x->text = cc_arena_strdup(&r->arena, text.s ? text.s : "");
    x->chain = true;
    cc_buf_fini(&text);
}

void cc_result_fact(struct cc_result *r, const char *label, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct cc_item *x = add(r, CC_ITEM_FACT, NULL);
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(label); /* here, since its width counts */
    x->label = cc_arena_strdup(&r->arena, safe);
    x->text = formatted(r, fmt, ap);
    va_end(ap);
}

void cc_result_gap(struct cc_result *r)
{
    add(r, CC_ITEM_GAP, NULL);
}
