#include "page_data.h"

void cc_page_data_init(struct cc_page_data *d, FILE *out)
{
    *d = (struct cc_page_data){0};
    cc_json_init(&d->json, out);
    d->json.compact = true;
    cc_json_obj(&d->json, NULL);
}

static uint64_t intern(struct cc_page_data *d, const char *s)
{
    bool new;
    uint64_t *id = cc_strmap_put(&d->ids, s, &new);
    if (new) {
        *id = d->strings.n;
        CC_VEC_PUSH(&d->strings, cc_arena_strdup(&d->arena, s));
    }
    return *id;
}

void cc_page_data_name(struct cc_page_data *d, const char *key, const char *s)
{
    if (s)
        cc_json_u64(&d->json, key, intern(d, s));
    else
        cc_json_null(&d->json, key);
}

static void put_rows(struct cc_page_data *d, const struct cc_table *t);

static void put_list(struct cc_page_data *d, const char *key, const struct cc_cells *list);

/* Numbers and booleans as they are; a string is {"$": its number}, where it may stand among them. */
static void put_value(struct cc_page_data *d, const char *key, const struct cc_cell *c)
{
    switch ((enum cc_cell_kind)c->kind) {
    case CC_CELL_STR:
        cc_json_obj(&d->json, key);
        cc_page_data_name(d, "$", c->s);
        cc_json_end(&d->json);
        break;
    case CC_CELL_I64:
        cc_json_i64(&d->json, key, c->i);
        break;
    case CC_CELL_U64:
        cc_json_u64(&d->json, key, c->u);
        break;
    case CC_CELL_NUM:
        cc_json_num(&d->json, key, c->d);
        break;
    case CC_CELL_BOOL:
        cc_json_bool(&d->json, key, c->b);
        break;
    case CC_CELL_LIST:
        put_list(d, key, c->list);
        break;
    case CC_CELL_TABLE:
        cc_json_obj(&d->json, key);
        put_rows(d, c->table);
        cc_json_end(&d->json);
        break;
    case CC_CELL_NULL:
    case CC_CELL_ABSENT:
    case CC_CELL_NONE:
        cc_json_null(&d->json, key);
    }
}

static void put_list(struct cc_page_data *d, const char *key, const struct cc_cells *list)
{
    if (list->keys)
        cc_json_obj(&d->json, key);
    else
        cc_json_arr(&d->json, key);
    for (size_t i = 0; i < list->n; i++)
        put_value(d, list->keys ? list->keys[i] : NULL, &list->v[i]);
    cc_json_end(&d->json);
}

/* Whether a column has data: what only text shows follows from others. */
static bool is_data(const struct cc_col *c)
{
    return c->key && c->type != CC_COL_CHILDREN;
}

static void put_row(struct cc_page_data *d, const struct cc_table *t, size_t row)
{
    cc_json_arr(&d->json, NULL);
    for (size_t c = 0; c < cc_table_ncols(t); c++) {
        const struct cc_col *col = cc_table_col(t, c);
        struct cc_cell cell = cc_table_cell(t, row, c);
        if (!is_data(col))
            continue;
        if (col->type == CC_COL_STR && cell.kind == CC_CELL_STR)
            cc_page_data_name(d, NULL, cell.s);
        else
            put_value(d, NULL, &cell);
    }
    cc_json_end(&d->json);
}

/* Rows, with the number of the row that each is under if any is; rows come after those they are under. */
static void put_rows(struct cc_page_data *d, const struct cc_table *t)
{
    size_t n = cc_table_rows(t), kept = 0, cut = 0;
    CC_CLEANUP(cc_free_ptr) size_t *number = cc_alloc_array(n + 1, sizeof *number);
    bool tree = false;
    cc_json_arr(&d->json, "rows");
    for (size_t i = 0; i < n; i++) {
        number[i] = SIZE_MAX;
        if (cc_table_where(t, i) == CC_ROW_TEXT)
            continue;
        if (kept == CC_PAGE_MAX_ROWS) {
            cut++;
            continue;
        }
        number[i] = kept++;
        tree = tree || cc_table_parent(t, i) != SIZE_MAX;
        put_row(d, t, i);
    }
    cc_json_end(&d->json);
    if (tree) {
        cc_json_arr(&d->json, "parents");
        for (size_t i = 0; i < n; i++) {
            size_t up = cc_table_parent(t, i);
            if (number[i] != SIZE_MAX)
                cc_json_i64(&d->json, NULL,
                            up == SIZE_MAX || number[up] == SIZE_MAX ? -1 : (int64_t)number[up]);
        }
        cc_json_end(&d->json);
    }
    if (cut)
        cc_json_u64(&d->json, "cut", cut);
}

static const char *type_name(enum cc_col_type type)
{
    static const char *const names[] = {
        [CC_COL_STR] = "text",      [CC_COL_INT] = "int",       [CC_COL_COUNT] = "count",
        [CC_COL_BYTES] = "bytes",   [CC_COL_NUM] = "number",    [CC_COL_BOOL] = "bool",
        [CC_COL_LIST] = "list",     [CC_COL_MAP] = "map",       [CC_COL_TABLE] = "table",
        [CC_COL_PERCENT] = "share", [CC_COL_RECORD] = "record",
    };
    return names[type];
}

static void put_cols(struct cc_page_data *d, const struct cc_col *cols, size_t n)
{
    struct cc_json *j = &d->json;
    cc_json_arr(j, "cols");
    for (size_t c = 0; c < n; c++) {
        const struct cc_col *col = &cols[c];
        if (!is_data(col))
            continue;
        cc_json_obj(j, NULL);
        cc_json_str(j, "key", col->key);
        cc_json_str(j, "type", type_name(col->type));
        if (col->title && *col->title)
            cc_json_str(j, "title", col->title);
        if (col->digits)
            cc_json_i64(j, "digits", col->digits);
        if (col->unit)
            cc_json_str(j, "unit", col->unit);
        if (col->meaning)
            cc_json_str(j, "meaning", col->meaning);
        if (col->sub)
            put_cols(d, col->sub, col->nsub);
        cc_json_end(j);
    }
    cc_json_end(j);
}

static void put_table(struct cc_page_data *d, const struct cc_item *item)
{
    size_t n = cc_table_ncols(item->table);
    CC_CLEANUP(cc_free_ptr) struct cc_col *cols = cc_alloc_array(n + 1, sizeof *cols);
    for (size_t c = 0; c < n; c++)
        cols[c] = *cc_table_col(item->table, c);
    cc_json_obj(&d->json, item->key);
    cc_json_bool(&d->json, item->kind == CC_ITEM_RECORD ? "$record" : "$table", true);
    put_cols(d, cols, n);
    put_rows(d, item->table);
    cc_json_end(&d->json);
}

static void put_items(struct cc_page_data *d, const struct cc_item *first, const char *without);

static void put_item(struct cc_page_data *d, const struct cc_item *item)
{
    switch (item->kind) {
    case CC_ITEM_VALUE:
        put_value(d, item->key, &item->value);
        break;
    case CC_ITEM_OBJ:
        cc_json_obj(&d->json, item->key);
        put_items(d, item->first, NULL);
        cc_json_end(&d->json);
        break;
    case CC_ITEM_ARR:
        cc_json_arr(&d->json, item->key);
        put_items(d, item->first, NULL);
        cc_json_end(&d->json);
        break;
    case CC_ITEM_TABLE:
    case CC_ITEM_RECORD:
        if (item->key)
            put_table(d, item);
        break;
    case CC_ITEM_NOTE:
    case CC_ITEM_FACT:
    case CC_ITEM_GAP:
        break;
    }
}

static void put_items(struct cc_page_data *d, const struct cc_item *first, const char *without)
{
    for (const struct cc_item *i = first; i; i = i->next)
        if (!without || !i->key || strcmp(i->key, without) != 0)
            put_item(d, i);
}

static void put_notes(struct cc_page_data *d, const struct cc_item *first)
{
    cc_json_arr(&d->json, "$notes");
    for (const struct cc_item *i = first; i; i = i->next)
        if (i->kind == CC_ITEM_NOTE && !i->chain)
            cc_json_str(&d->json, NULL, i->text);
    cc_json_end(&d->json);
}

void cc_page_data_result(struct cc_page_data *d, const char *key, const struct cc_result *r,
                         const char *without)
{
    const struct cc_item *root = cc_result_root(r);
    cc_json_obj(&d->json, key);
    put_items(d, root->first, without);
    put_notes(d, root->first);
    cc_json_end(&d->json);
}

void cc_page_data_fini(struct cc_page_data *d)
{
    cc_json_arr(&d->json, "strings");
    for (size_t i = 0; i < d->strings.n; i++)
        cc_json_str(&d->json, NULL, d->strings.v[i]);
    cc_json_end(&d->json);
    cc_json_end(&d->json);
    free(d->strings.v);
    cc_strmap_fini(&d->ids);
    cc_arena_fini(&d->arena);
}
