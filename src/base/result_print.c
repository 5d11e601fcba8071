/* The one printer of results. */
#include "result.h"
#include "text.h"

/* Without recursion. */
const struct cc_item *cc_result_after(const struct cc_item *x, const struct cc_item *root,
                                      void (*leave)(void *data), void *data)
{
    if (x->kind == CC_ITEM_OBJ || x->kind == CC_ITEM_ARR) {
        if (x->first)
            return x->first;
        if (leave)
            leave(data);
    }
    while (x != root && !x->next) {
        x = x->parent;
        if (leave)
            leave(data);
    }
    return x == root ? NULL : x->next;
}

/* --- JSON --- */

static void end_json(void *j)
{
    cc_json_end(j);
}

static void print_json(const struct cc_result *r, FILE *out)
{
    struct cc_json j;
    cc_json_init(&j, out);
    const struct cc_item *root = cc_result_root(r);
    for (const struct cc_item *x = root; x; x = cc_result_after(x, root, end_json, &j)) {
        if (x->kind == CC_ITEM_OBJ)
            cc_json_obj(&j, x->key);
        else if (x->kind == CC_ITEM_ARR)
            cc_json_arr(&j, x->key);
        else if (x->kind == CC_ITEM_VALUE)
            cc_cell_json(&x->value, CC_COL_LIST, &j, x->key);
        else if (x->kind == CC_ITEM_TABLE && x->key)
            cc_table_print_json(x->table, &j, x->key);
        else if (x->kind == CC_ITEM_RECORD)
            cc_table_print_json_record(x->table, &j, x->key);
    }
}

/* --- CSV --- */

/* What stands in front of each row: fields of what the table lies in. */
struct lead {
    char *name, *text;
};

struct csv {
    FILE *out;
    const char *want; /* keys on the way to the table, joined by dots */
    bool found;
    CC_VEC(struct lead) lead;
    CC_VEC(char *) head; /* names of the leads as the heading has them */
    struct cc_buf line;
};

static char *joined(const char *path, const char *key)
{
    return *path && key ? cc_asprintf("%s.%s", path, key) : cc_strdup(key ? key : path);
}

static void drop_leads(struct csv *c, size_t keep)
{
    while (c->lead.n > keep) {
        c->lead.n--;
        free(c->lead.v[c->lead.n].name);
        free(c->lead.v[c->lead.n].text);
    }
}

static void push_lead(struct csv *c, const char *path, const char *key, const struct cc_cell *cell)
{
    struct cc_buf text = {0};
    cc_buf_add(&text, "", 0);
    cc_cell_csv(cell, CC_COL_LIST, &text);
    CC_VEC_PUSH(&c->lead, (struct lead){joined(path, key), text.s});
}

static void put_head(struct csv *c, const struct cc_table *t)
{
    for (size_t i = 0; i < c->lead.n; i++) {
        CC_VEC_PUSH(&c->head, cc_strdup(c->lead.v[i].name));
        cc_text_csv(&c->line, c->lead.v[i].name);
        cc_buf_puts(&c->line, ",");
    }
    cc_cols_csv(cc_table_col(t, 0), cc_table_ncols(t), "", &c->line);
    cc_buf_puts(&c->line, "\n");
}

/* Elements may lack a field that the first of them has: theirs stays empty. */
static void put_leads(struct csv *c)
{
    for (size_t h = 0; h < c->head.n; h++) {
        for (size_t i = 0; i < c->lead.n; i++)
            if (strcmp(c->lead.v[i].name, c->head.v[h]) == 0)
                cc_buf_puts(&c->line, c->lead.v[i].text);
        cc_buf_puts(&c->line, ",");
    }
}

static void csv_rows(struct csv *c, const struct cc_table *t)
{
    if (!c->found)
        put_head(c, t);
    c->found = true;
    for (size_t r = 0; r < cc_table_rows(t); r++) {
        if (cc_table_where(t, r) == CC_ROW_TEXT)
            continue;
        put_leads(c);
        cc_table_csv_row(t, r, &c->line);
        cc_buf_puts(&c->line, "\n");
        fwrite(c->line.s, 1, c->line.n, c->out);
        c->line.n = 0;
    }
}

static void push_row(struct csv *c, const char *path, const struct cc_table *t, size_t row)
{
    for (size_t k = 0; k < cc_table_ncols(t); k++) {
        const struct cc_col *col = cc_table_col(t, k);
        struct cc_cell cell = cc_table_cell(t, row, k);
        if (col->key && col->type < CC_COL_TABLE)
            push_lead(c, path, col->key, &cell);
    }
}

/* Recurses into columns of columns only, which the program defines. */
static void csv_table(struct csv *c, const char *path, const struct cc_table *t)
{
    size_t n = strlen(path);
    if (strcmp(path, c->want) == 0) {
        csv_rows(c, t);
        return;
    }
    if (strncmp(path, c->want, n) != 0 || c->want[n] != '.')
        return;
    for (size_t r = 0; r < cc_table_rows(t); r++) {
        size_t keep = c->lead.n;
        if (cc_table_where(t, r) == CC_ROW_TEXT)
            continue;
        push_row(c, path, t, r);
        for (size_t k = 0; k < cc_table_ncols(t); k++) {
            struct cc_cell cell = cc_table_cell(t, r, k);
            CC_CLEANUP(cc_free_ptr) char *inner = joined(path, cc_table_col(t, k)->key);
            if (cell.kind == CC_CELL_TABLE && cc_table_col(t, k)->key)
                csv_table(c, inner, cell.table);
        }
        drop_leads(c, keep);
    }
}

/* Values of an array's element, those in objects inside it too. */
static void push_element(struct csv *c, const char *path, const struct cc_item *x)
{
    for (const struct cc_item *i = x->first; i; i = i->next) {
        CC_CLEANUP(cc_free_ptr) char *inner = joined(path, i->key);
        if (i->kind == CC_ITEM_VALUE)
            push_lead(c, path, i->key, &i->value);
        else if (i->kind == CC_ITEM_OBJ)
            push_element(c, inner, i);
    }
}

static void csv_items(struct csv *c, const char *path, const struct cc_item *x)
{
    for (const struct cc_item *i = x->first; i; i = i->next) {
        size_t keep = c->lead.n;
        CC_CLEANUP(cc_free_ptr) char *inner = joined(path, i->key);
        if (i->kind == CC_ITEM_TABLE && i->key)
            csv_table(c, inner, i->table);
        else if (i->kind == CC_ITEM_OBJ && x->kind == CC_ITEM_ARR)
            push_element(c, inner, i);
        if (i->kind == CC_ITEM_OBJ || i->kind == CC_ITEM_ARR)
            csv_items(c, inner, i);
        drop_leads(c, keep);
    }
}

static void csv_fields(struct csv *c, const char *path, const struct cc_item *x)
{
    for (const struct cc_item *i = x->first; i; i = i->next) {
        CC_CLEANUP(cc_free_ptr) char *inner = joined(path, i->key);
        if (i->kind == CC_ITEM_OBJ) {
            csv_fields(c, inner, i);
        } else if (i->kind == CC_ITEM_VALUE) {
            cc_text_csv(&c->line, inner);
            cc_buf_puts(&c->line, ",");
            cc_cell_csv(&i->value, CC_COL_LIST, &c->line);
            cc_buf_puts(&c->line, "\n");
        }
    }
}

/* --- which table --- */

struct name {
    char *path, *head; /* the heading of its CSV, as far as columns tell */
};

struct names {
    CC_VEC(struct name) v;
    size_t first_shown; /* SIZE_MAX: none is in text */
};

static bool has_titles(const struct cc_col *cols, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (cols[c].title && !cols[c].under)
            return true;
    return false;
}

static const struct name *find_name(const struct names *n, const char *path)
{
    for (size_t i = 0; i < n->v.n; i++)
        if (strcmp(n->v.v[i].path, path) == 0)
            return &n->v.v[i];
    return NULL;
}

/* The values of a row that stand in front of the rows of a table inside it. */
static size_t outer_values(const struct cc_col *cols, size_t n, struct cc_col *ret)
{
    size_t count = 0;
    for (size_t c = 0; c < n; c++)
        if (cols[c].key && cols[c].type < CC_COL_TABLE)
            ret[count++] = cols[c];
    return count;
}

static void name_columns(struct names *n, const char *path, const char *lead, const struct cc_col *cols,
                         size_t ncols)
{
    if (find_name(n, path))
        return;
    struct cc_buf head = {0}, inner_lead = {0};
    cc_buf_puts(&head, lead);
    cc_cols_csv(cols, ncols, "", &head);
    if (has_titles(cols, ncols) && n->first_shown == SIZE_MAX)
        n->first_shown = n->v.n;
    CC_VEC_PUSH(&n->v, (struct name){cc_strdup(path), head.s});
    CC_CLEANUP(cc_free_ptr) struct cc_col *values = cc_alloc_array(ncols + 1, sizeof *values);
    CC_CLEANUP(cc_free_ptr) char *prefix = cc_asprintf("%s.", path);
    size_t nvalues = outer_values(cols, ncols, values);
    cc_buf_puts(&inner_lead, lead);
    cc_cols_csv(values, nvalues, prefix, &inner_lead);
    cc_buf_puts(&inner_lead, nvalues ? "," : "");
    for (size_t c = 0; c < ncols; c++) {
        CC_CLEANUP(cc_free_ptr) char *inner = joined(path, cols[c].key);
        if (cols[c].key && cols[c].sub)
            name_columns(n, inner, inner_lead.s, cols[c].sub, cols[c].nsub);
    }
    cc_buf_fini(&inner_lead);
}

static void name_tables(struct names *n, const char *path, const struct cc_item *x)
{
    for (const struct cc_item *i = x->first; i; i = i->next) {
        CC_CLEANUP(cc_free_ptr) char *inner = joined(path, i->key);
        if (i->kind == CC_ITEM_TABLE && i->key)
            name_columns(n, inner, "", cc_table_col(i->table, 0), cc_table_ncols(i->table));
        else if (i->kind == CC_ITEM_OBJ || i->kind == CC_ITEM_ARR)
            name_tables(n, inner, i);
    }
}

static int no_table(const struct names *n, const char *table, struct cc_err *err)
{
    struct cc_buf all = {0};
    for (size_t i = 0; i < n->v.n; i++)
        cc_buf_printf(&all, "%s, ", n->v.v[i].path);
    cc_buf_puts(&all, "fields");
    int rc = cc_err_set(err, CC_EUSAGE, "option '--csv': the result has no table '%s'", table);
    cc_err_hint(err, "one of: %s", all.s);
    cc_buf_fini(&all);
    return rc;
}

static void csv_one(struct csv *c, const struct cc_result *r, const struct name *name)
{
    c->want = name->path;
    csv_items(c, "", cc_result_root(r));
    if (!c->found)
        cc_buf_printf(&c->line, "%s\n", name->head);
    CC_VEC_FINI(&c->lead);
    for (size_t i = 0; i < c->head.n; i++)
        free(c->head.v[i]);
    CC_VEC_FINI(&c->head);
}

static int print_csv(const struct cc_result *r, const char *table, FILE *out, struct cc_err *err)
{
    struct names names = {.first_shown = SIZE_MAX};
    struct csv c = {.out = out};
    int rc = 0;
    name_tables(&names, "", cc_result_root(r));
    bool main_one = !table && names.first_shown != SIZE_MAX;
    const struct name *name =
        main_one ? &names.v.v[names.first_shown] : find_name(&names, table ? table : "");
    if (name) {
        csv_one(&c, r, name);
    } else if (table && strcmp(table, "fields") != 0) {
        rc = no_table(&names, table, err);
    } else {
        cc_buf_puts(&c.line, "field,value\n");
        csv_fields(&c, "", cc_result_root(r));
    }
    if (c.line.n)
        fwrite(c.line.s, 1, c.line.n, out);
    cc_buf_fini(&c.line);
    for (size_t i = 0; i < names.v.n; i++) {
        free(names.v.v[i].path);
        free(names.v.v[i].head);
    }
    CC_VEC_FINI(&names.v);
    return rc;
}

int cc_result_print(const struct cc_result *r, enum cc_format how, const char *table, FILE *out,
                    struct cc_err *err)
{
    if (how == CC_FORMAT_CSV)
        return print_csv(r, table, out, err);
    if (how == CC_FORMAT_JSON)
        print_json(r, out);
    else
        cc_result_print_text(r, out, how == CC_FORMAT_COLORED);
    return 0;
}
