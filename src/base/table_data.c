/* A table as data: JSON and CSV. */
#include "table_priv.h"
#include "text.h"
#include "ending.h"

#include <inttypes.h>

/* --- JSON --- */

static void json_list(const struct cc_cells *list, struct cc_json *j, const char *key)
{
    if (list->keys)
        cc_json_obj(j, key);
    else
        cc_json_arr(j, key);
    for (size_t i = 0; i < list->n; i++)
        cc_cell_json(&list->v[i], CC_COL_LIST, j, list->keys ? list->keys[i] : NULL);
    cc_json_end(j);
}

void cc_cell_json(const struct cc_cell *cell, enum cc_col_type type, struct cc_json *j, const char *key)
{
    switch ((enum cc_cell_kind)cell->kind) {
    case CC_CELL_ABSENT:
        break;
    case CC_CELL_NULL:
    case CC_CELL_NONE:
        cc_json_null(j, key);
        break;
    case CC_CELL_STR:
        cc_json_str(j, key, cell->s);
        break;
    case CC_CELL_I64:
        cc_json_i64(j, key, cell->i);
        break;
    case CC_CELL_U64:
        cc_json_u64(j, key, cell->u);
        break;
    case CC_CELL_NUM:
        cc_json_num(j, key, cell->d);
        break;
    case CC_CELL_BOOL:
        cc_json_bool(j, key, cell->b);
        break;
    case CC_CELL_LIST:
        json_list(cell->list, j, key);
        break;
    case CC_CELL_TABLE:
        if (type == CC_COL_RECORD)
            cc_table_print_json_record(cell->table, j, key);
        else
            cc_table_print_json(cell->table, j, key);
        break;
    }
}

/* Columns c..return are of the same object: their keys begin with the `n` bytes of "a.b.". */
static size_t group_end(const struct cc_table *t, size_t c, size_t n)
{
    size_t end = c + 1;
    for (size_t i = c + 1; i < t->ncells; i++) {
        if (!t->cols[i].key)
            continue;
        if (strncmp(t->cols[i].key, t->cols[c].key, n) != 0)
            break;
        end = i + 1;
    }
    return end;
}

static enum cc_cell_kind group_kind(const struct cc_table *t, size_t row, size_t c, size_t end)
{
    enum cc_cell_kind kind = CC_CELL_ABSENT;
    for (; c < end; c++) {
        struct cc_cell cell = cc_table_cell(t, row, c);
        if (t->cols[c].key && cell.kind == CC_CELL_NONE)
            return CC_CELL_NONE;
        if (t->cols[c].key && cell.kind != CC_CELL_ABSENT)
            kind = CC_CELL_TABLE;
    }
    return kind;
}

/* Fields c..end of a row; their keys share `prefix` bytes. Recurses once a dot in the keys. */
static void json_fields(const struct cc_table *t, size_t row, size_t c, size_t end, size_t prefix,
                        struct cc_json *j)
{
    while (c < end) {
        const char *key = t->cols[c].key ? t->cols[c].key + prefix : NULL;
        const char *dot = key ? strchr(key, '.') : NULL;
        if (!key || !dot) {
            struct cc_cell cell = cc_table_cell(t, row, c);
            if (key)
                cc_cell_json(&cell, t->cols[c].type, j, key);
            c++;
            continue;
        }
        size_t n = (size_t)(dot - t->cols[c].key) + 1, last = group_end(t, c, n);
        enum cc_cell_kind kind = group_kind(t, row, c, last);
        CC_CLEANUP(cc_free_ptr) char *name = cc_strndup(key, (size_t)(dot - key));
        if (kind == CC_CELL_NONE) {
            cc_json_null(j, name);
        } else if (kind != CC_CELL_ABSENT) {
            cc_json_obj(j, name);
            json_fields(t, row, c, last, n, j);
            cc_json_end(j);
        }
        c = last;
    }
}

static const char *children_key(const struct cc_table *t)
{
    return t->ncells < t->ncols ? t->cols[t->ncols - 1].key : NULL;
}

/* First child and next sibling of each row that JSON has; [rows] is the list of those without a parent. */
struct links {
    uint32_t *child, *next;
};

static struct links link_rows(const struct cc_table *t)
{
    size_t n = t->rows.n;
    struct links l = {cc_alloc_array(n + 1, sizeof *l.child), cc_alloc_array(n + 1, sizeof *l.next)};
    for (size_t i = 0; i <= n; i++)
        l.child[i] = l.next[i] = UINT32_MAX;
    for (size_t i = n; i-- > 0;) {
        if (t->rows.v[i].where == CC_ROW_TEXT)
            continue;
        size_t parent = cc_table_parent(t, i);
        size_t of = parent == SIZE_MAX ? n : parent;
        l.next[i] = l.child[of];
        l.child[of] = (uint32_t)i;
    }
    return l;
}

/* Depth first without recursion: a tree may be as deep as a program's recursion. */
static void json_tree(const struct cc_table *t, struct cc_json *j, const char *root)
{
    struct links l = link_rows(t);
    const char *children = children_key(t);
    uint32_t at = l.child[t->rows.n];
    while (at != UINT32_MAX) {
        bool top = t->rows.v[at].parent == UINT32_MAX;
        cc_json_obj(j, top ? root : NULL);
        json_fields(t, at, 0, t->ncells, 0, j);
        cc_json_arr(j, children);
        if (l.child[at] != UINT32_MAX) {
            at = l.child[at];
            continue;
        }
        for (;;) { /* up to a row with a sibling */
            cc_json_end(j);
            cc_json_end(j);
            if (l.next[at] != UINT32_MAX || t->rows.v[at].parent == UINT32_MAX)
                break;
            at = t->rows.v[at].parent;
        }
        at = l.next[at];
    }
    free(l.child);
    free(l.next);
}

void cc_table_print_json(const struct cc_table *t, struct cc_json *j, const char *key)
{
    cc_json_arr(j, key);
    if (children_key(t)) {
        json_tree(t, j, NULL);
    } else {
        for (size_t r = 0; r < t->rows.n; r++) {
            if (t->rows.v[r].where == CC_ROW_TEXT)
                continue;
            cc_json_obj(j, NULL);
            json_fields(t, r, 0, t->ncells, 0, j);
            cc_json_end(j);
        }
    }
    cc_json_end(j);
}

void cc_table_print_json_record(const struct cc_table *t, struct cc_json *j, const char *key)
{
    if (t->rows.n == 0) {
        cc_json_null(j, key);
    } else if (children_key(t)) {
        json_tree(t, j, key);
    } else {
        cc_json_obj(j, key);
        json_fields(t, 0, 0, t->ncells, 0, j);
        cc_json_end(j);
    }
}

/* --- CSV --- */

static void csv_json(const struct cc_cell *cell, enum cc_col_type type, struct cc_buf *b)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        cc_ending_no_memory();
    struct cc_json j;
    cc_json_init(&j, out);
    j.compact = true;
    cc_cell_json(cell, type, &j, NULL);
    fclose(out);
    while (n && text[n - 1] == '\n')
        text[--n] = 0;
    cc_text_csv_quoted(b, text);
    free(text);
}

static void csv_list(const struct cc_cells *list, struct cc_buf *b)
{
    struct cc_buf text = {0};
    cc_buf_add(&text, "", 0);
    for (size_t i = 0; i < list->n; i++) {
        cc_buf_puts(&text, i ? ";" : "");
        if (list->keys) {
            cc_buf_puts(&text, list->keys[i]);
            cc_buf_puts(&text, " ");
        }
        if (list->v[i].kind == CC_CELL_STR)
            cc_buf_puts(&text, list->v[i].s);
        else
            cc_cell_csv(&list->v[i], CC_COL_LIST, &text);
    }
    cc_text_csv(b, text.s);
    cc_buf_fini(&text);
}

void cc_cell_csv(const struct cc_cell *cell, enum cc_col_type type, struct cc_buf *b)
{
    char number[40];
    switch ((enum cc_cell_kind)cell->kind) {
    case CC_CELL_NULL:
    case CC_CELL_NONE:
    case CC_CELL_ABSENT:
        break;
    case CC_CELL_STR:
        cc_text_csv(b, cell->s);
        break;
    case CC_CELL_I64:
        cc_buf_printf(b, "%" PRId64, cell->i);
        break;
    case CC_CELL_U64:
        cc_buf_printf(b, "%" PRIu64, cell->u);
        break;
    case CC_CELL_NUM:
        cc_buf_puts(b, cc_json_number(cell->d, number));
        break;
    case CC_CELL_BOOL:
        cc_buf_puts(b, cell->b ? "true" : "false");
        break;
    case CC_CELL_LIST:
        csv_list(cell->list, b);
        break;
    case CC_CELL_TABLE:
        csv_json(cell, type, b);
        break;
    }
}

void cc_cols_csv(const struct cc_col *cols, size_t n, const char *prefix, struct cc_buf *b)
{
    const char *gap = "";
    for (size_t c = 0; c < n; c++) {
        if (!cols[c].key)
            continue;
        bool children = cols[c].type == CC_COL_CHILDREN;
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s%s", prefix, children ? "row" : cols[c].key);
        cc_buf_puts(b, gap);
        cc_text_csv(b, name);
        if (children)
            cc_buf_printf(b, ",%sparent", prefix);
        gap = ",";
    }
}

void cc_table_csv_row(const struct cc_table *t, size_t row, struct cc_buf *b)
{
    const char *gap = "";
    for (size_t c = 0; c < t->ncells; c++) {
        if (!t->cols[c].key)
            continue;
        cc_buf_puts(b, gap);
        struct cc_cell cell = cc_table_cell(t, row, c);
        cc_cell_csv(&cell, t->cols[c].type, b);
        gap = ",";
    }
    size_t parent = cc_table_parent(t, row);
    if (children_key(t))
        cc_buf_printf(b, "%s%zu,", gap, row + 1);
    if (children_key(t) && parent != SIZE_MAX)
        cc_buf_printf(b, "%zu", parent + 1);
}
