#include "table.h"
#include "text.h"

#include <inttypes.h>
#include <libsmartcols.h>
#include <locale.h>
#include <math.h>
#include <unistd.h>

struct cell {
    bool set;
    char *s;
    int64_t i;
    double d;
};

struct row {
    struct cell *cells;
    size_t filled;
    size_t parent; /* SIZE_MAX: none */
};

struct cc_table {
    const struct cc_col *cols;
    size_t ncols;
    CC_VEC(struct row) rows;
};

struct cc_table *cc_table_new(const struct cc_col *cols, size_t ncols)
{
    struct cc_table *t = cc_alloc(sizeof *t);
    t->cols = cols;
    t->ncols = ncols;
    return t;
}

void cc_table_free(struct cc_table *t)
{
    if (!t)
        return;
    for (size_t r = 0; r < t->rows.n; r++) {
        for (size_t c = 0; c < t->ncols; c++)
            free(t->rows.v[r].cells[c].s);
        free(t->rows.v[r].cells);
    }
    CC_VEC_FINI(&t->rows);
    free(t);
}

size_t cc_table_row(struct cc_table *t)
{
    return cc_table_row_under(t, SIZE_MAX);
}

size_t cc_table_row_under(struct cc_table *t, size_t parent)
{
    struct row r = {.cells = cc_alloc_array(t->ncols, sizeof(struct cell)), .parent = parent};
    CC_VEC_PUSH(&t->rows, r);
    return t->rows.n - 1;
}

static struct cell *next_cell(struct cc_table *t)
{
    struct row *r = &t->rows.v[t->rows.n - 1];
    if (r->filled >= t->ncols)
        abort();
    return &r->cells[r->filled++];
}

void cc_table_str(struct cc_table *t, const char *v)
{
    struct cell *c = next_cell(t);
    if (v)
        *c = (struct cell){.set = true, .s = cc_strdup(v)};
}

void cc_table_int(struct cc_table *t, int64_t v)
{
    *next_cell(t) = (struct cell){.set = true, .i = v};
}

void cc_table_num(struct cc_table *t, double v)
{
    *next_cell(t) = (struct cell){.set = isfinite(v), .d = v};
}

void cc_table_null(struct cc_table *t)
{
    next_cell(t);
}

size_t cc_table_rows(const struct cc_table *t)
{
    return t->rows.n;
}

static void grouped(struct cc_buf *b, int64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRId64, v);
    for (int i = 0; i < n; i++) {
        cc_buf_add(b, digits + i, 1);
        int left = n - 1 - i;
        if (left && left % 3 == 0 && digits[i] != '-')
            cc_buf_puts(b, " ");
    }
}

static char *cell_text(const struct cc_col *col, const struct cell *c)
{
    struct cc_buf b = {0};
    char human[24];
    cc_buf_add(&b, "", 0);
    if (!c->set) {
        cc_buf_puts(&b, col->type == CC_COL_STR ? "" : "-");
        return b.s;
    }
    switch (col->type) {
    case CC_COL_STR:
        cc_buf_fini(&b);
        return cc_text_safe(c->s);
    case CC_COL_INT:
        grouped(&b, c->i);
        break;
    case CC_COL_COUNT:
        cc_buf_puts(&b, cc_human_count((double)c->i, human));
        break;
    case CC_COL_BYTES:
        cc_buf_puts(&b, cc_human_bytes((double)c->i, human));
        break;
    case CC_COL_NUM:
        cc_buf_printf(&b, "%.*f", col->digits, c->d);
        break;
    case CC_COL_PERCENT:
        cc_buf_printf(&b, "%.*f %%", col->digits, c->d * 100);
        break;
    }
    return b.s;
}

/* Colours and the terminal's width are the only things that differ between a terminal and a file. */
static struct libscols_table *styled(FILE *out)
{
    struct libscols_table *s = scols_new_table();
    if (!s)
        abort();
    scols_table_set_stream(s, out);
    scols_table_set_column_separator(s, "  ");
    scols_table_enable_maxout(s, 0);
    if (!isatty(fileno(out))) {
        scols_table_set_termforce(s, SCOLS_TERMFORCE_NEVER);
        scols_table_set_termwidth(s, 0);
    }
    return s;
}

static void add_columns(const struct cc_table *t, struct libscols_table *s)
{
    for (size_t c = 0; c < t->ncols; c++) {
        const struct cc_col *col = &t->cols[c];
        if (col->data_only || !col->title)
            continue;
        int flags = col->type == CC_COL_STR ? 0 : SCOLS_FL_RIGHT;
        if (col->tree)
            flags |= SCOLS_FL_TREE;
        scols_table_new_column(s, col->title, 0, flags);
    }
}

void cc_table_print_text(const struct cc_table *t, FILE *out)
{
    if (t->rows.n == 0)
        return;
    struct libscols_table *s = styled(out);
    add_columns(t, s);
    struct libscols_line **lines = cc_alloc_array(t->rows.n, sizeof *lines);
    for (size_t r = 0; r < t->rows.n; r++) {
        const struct row *row = &t->rows.v[r];
        lines[r] = scols_table_new_line(s, row->parent == SIZE_MAX ? NULL : lines[row->parent]);
        size_t shown = 0;
        for (size_t c = 0; c < t->ncols; c++) {
            if (t->cols[c].data_only || !t->cols[c].title)
                continue;
            char *text = cell_text(&t->cols[c], &row->cells[c]);
            scols_line_refer_data(lines[r], shown++, text);
        }
    }
    scols_print_table(s);
    scols_unref_table(s);
    free(lines);
}

void cc_table_print_json(const struct cc_table *t, struct cc_json *j, const char *key)
{
    cc_json_arr(j, key);
    for (size_t r = 0; r < t->rows.n; r++) {
        cc_json_obj(j, NULL);
        for (size_t c = 0; c < t->ncols; c++) {
            const struct cell *cell = &t->rows.v[r].cells[c];
            const char *name = t->cols[c].key;
            if (!name)
                continue;
            if (!cell->set)
                cc_json_null(j, name);
            else if (t->cols[c].type == CC_COL_STR)
                cc_json_str(j, name, cell->s);
            else if (t->cols[c].type == CC_COL_NUM || t->cols[c].type == CC_COL_PERCENT)
                cc_json_num(j, name, cell->d);
            else
                cc_json_i64(j, name, cell->i);
        }
        cc_json_end(j);
    }
    cc_json_end(j);
}

void cc_table_print_csv(const struct cc_table *t, FILE *out)
{
    struct cc_buf b = {0};
    const char *gap = "";
    for (size_t c = 0; c < t->ncols; c++) {
        if (!t->cols[c].key)
            continue;
        cc_buf_puts(&b, gap);
        cc_text_csv(&b, t->cols[c].key);
        gap = ",";
    }
    cc_buf_puts(&b, "\n");
    for (size_t r = 0; r < t->rows.n; r++) {
        gap = "";
        for (size_t c = 0; c < t->ncols; c++) {
            const struct cell *cell = &t->rows.v[r].cells[c];
            if (!t->cols[c].key)
                continue;
            cc_buf_puts(&b, gap);
            gap = ",";
            if (!cell->set)
                continue;
            if (t->cols[c].type == CC_COL_STR)
                cc_text_csv(&b, cell->s);
            else if (t->cols[c].type == CC_COL_NUM || t->cols[c].type == CC_COL_PERCENT)
                cc_buf_printf(&b, "%.17g", cell->d);
            else
                cc_buf_printf(&b, "%" PRId64, cell->i);
        }
        cc_buf_puts(&b, "\n");
    }
    fwrite(b.s, 1, b.n, out);
    cc_buf_fini(&b);
}
