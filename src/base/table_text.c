/* A table as aligned text. */
#include "table_priv.h"
#include "terminal.h"
#include "text.h"
#include "ending.h"

#include <inttypes.h>
#include <libsmartcols.h>
#include <math.h>
#include <unistd.h>

/* --- one cell --- */

static double number(const struct cc_cell *c)
{
    return c->kind == CC_CELL_I64 ? (double)c->i : c->kind == CC_CELL_U64 ? (double)c->u : c->d;
}

static void put_integer(struct cc_buf *b, const struct cc_cell *c)
{
    char digits[400];
    if (c->kind == CC_CELL_I64)
        snprintf(digits, sizeof digits, "%" PRId64, c->i);
    else if (c->kind == CC_CELL_U64)
        snprintf(digits, sizeof digits, "%" PRIu64, c->u);
    else
        snprintf(digits, sizeof digits, "%.0f", round(c->d) + 0.0); /* never -0 */
    cc_buf_grouped(b, digits);
}

static void put_number(struct cc_buf *b, const struct cc_cell *c, enum cc_col_type type, int digits)
{
    char human[24];
    if (type == CC_COL_INT)
        put_integer(b, c);
    else if (type == CC_COL_COUNT)
        cc_buf_puts(b, cc_human_count(number(c), human));
    else if (type == CC_COL_BYTES)
        cc_buf_puts(b, cc_human_bytes(number(c), human));
    else if (type == CC_COL_PERCENT)
        cc_buf_printf(b, "%.*f %%", digits, number(c) * 100);
    else
        cc_buf_printf(b, "%.*f", digits, number(c));
}

static void put_plain(struct cc_buf *b, const char *s)
{
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(s);
    cc_buf_puts(b, safe);
}

static void put_element(struct cc_buf *b, const struct cc_cell *c)
{
    if (c->kind == CC_CELL_STR)
        put_plain(b, c->s);
    else if (c->kind == CC_CELL_BOOL)
        cc_buf_puts(b, c->b ? "yes" : "no");
    else if (c->kind == CC_CELL_NUM)
        cc_buf_printf(b, "%g", c->d);
    else if (c->kind == CC_CELL_I64 || c->kind == CC_CELL_U64)
        put_integer(b, c);
    else
        cc_buf_puts(b, "-");
}

static void put_list(struct cc_buf *b, const struct cc_cells *list)
{
    for (size_t i = 0; i < list->n; i++) {
        cc_buf_puts(b, i ? ", " : "");
        if (list->keys) {
            put_plain(b, list->keys[i]);
            cc_buf_puts(b, " ");
        }
        put_element(b, &list->v[i]);
    }
}

static int by_cell(const void *a, const void *b)
{
    const struct cc_table_shown *x = a, *y = b;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static const char *shown_as(const struct cc_table *t, size_t row, size_t c)
{
    struct cc_table_shown key = {row * t->ncells + c, NULL};
    const struct cc_table_shown *hit =
        t->shown.n ? bsearch(&key, t->shown.v, t->shown.n, sizeof key, by_cell) : NULL;
    return hit ? hit->text : NULL;
}

char *cc_table_text(const struct cc_table *t, size_t row, size_t c)
{
    const struct cc_col *col = &t->cols[c];
    struct cc_cell cell = cc_table_cell(t, row, c);
    const char *shown = c < t->ncells ? shown_as(t, row, c) : NULL;
    struct cc_buf b = {0};
    cc_buf_add(&b, "", 0);
    if (shown)
        put_plain(&b, shown);
    else if (cell.kind == CC_CELL_NULL || cell.kind == CC_CELL_NONE)
        cc_buf_puts(&b, col->type == CC_COL_STR ? "" : "-");
    else if (cell.kind == CC_CELL_LIST)
        put_list(&b, cell.list);
    else if (cell.kind == CC_CELL_I64 || cell.kind == CC_CELL_U64 || cell.kind == CC_CELL_NUM)
        put_number(&b, &cell, col->type, col->digits);
    else if (cell.kind != CC_CELL_ABSENT && cell.kind != CC_CELL_TABLE)
        put_element(&b, &cell);
    return b.s;
}

/* --- headings: those of the table, and of the tables shown under its rows --- */

struct heading {
    const char *title;
    bool right, tree, wrap;
};

struct headings {
    CC_VEC(struct heading) v;
};

/* Of several headings with the title, the one that stands for the same column of its table. */
static size_t find_heading(const struct headings *h, const struct cc_col *cols, size_t c)
{
    size_t before = 0;
    for (size_t i = 0; i < c; i++)
        before += cols[i].title && !cols[i].under && strcmp(cols[i].title, cols[c].title) == 0;
    for (size_t i = 0; i < h->v.n; i++)
        if (strcmp(h->v.v[i].title, cols[c].title) == 0 && before-- == 0)
            return i;
    return h->v.n;
}

static bool is_number(enum cc_col_type type)
{
    return type >= CC_COL_INT && type <= CC_COL_PERCENT;
}

/* A column that is new goes behind the one before it in its own table. An empty title joins no other. */
static void add_heading(struct headings *h, size_t *at, const struct cc_col *cols, size_t c)
{
    const struct cc_col *col = &cols[c];
    size_t known = *col->title ? find_heading(h, cols, c) : h->v.n;
    if (known < h->v.n) {
        h->v.v[known].tree |= col->tree;
        h->v.v[known].wrap |= col->wrap > 0;
        *at = known + 1;
        return;
    }
    struct heading new = {col->title, is_number(col->type), col->tree, col->wrap > 0};
    CC_VEC_PUSH(&h->v, new);
    memmove(h->v.v + *at + 1, h->v.v + *at, (h->v.n - 1 - *at) * sizeof new);
    h->v.v[(*at)++] = new;
}

static void add_headings(struct headings *h, const struct cc_col *cols, size_t n)
{
    size_t at = 0;
    for (size_t c = 0; c < n; c++)
        if (cols[c].title && !cols[c].under)
            add_heading(h, &at, cols, c);
    for (size_t c = 0; c < n; c++)
        if (cols[c].under)
            add_headings(h, cols[c].sub, cols[c].nsub);
}

bool cc_cols_shown(const struct cc_col *cols, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (cols[c].under ? cc_cols_shown(cols[c].sub, cols[c].nsub) : cols[c].title != NULL)
            return true;
    return false;
}

static bool has_titles(const struct cc_table *t)
{
    for (size_t c = 0; c < t->ncols; c++)
        if (t->cols[c].title && !t->cols[c].under)
            return true;
    return false;
}

/* --- rows --- */

/* Breaks lines at spaces, so that none has more than `width` characters; what has no space is broken where it
 * ends. Frees s. */
static char *wrapped(char *s, unsigned width)
{
    struct cc_buf b = {0};
    cc_buf_add(&b, "", 0);
    for (const char *line = s; *line;) {
        const char *end = line, *space = NULL;
        for (unsigned n = 0; *end && n < width; n++) {
            size_t bytes = cc_utf8_length(end);
            end += bytes ? bytes : 1;
            if (*end == ' ')
                space = end;
        }
        if (*end && space)
            end = space;
        cc_buf_printf(&b, "%s%.*s", b.n ? "\n" : "", (int)(end - line), line);
        line = end + strspn(end, " ");
    }
    free(s);
    return b.s;
}

/* Names of C++ may have a thousand characters, which would push all that stands behind them out of sight.
 * JSON and CSV have them whole. Frees s. */
static char *brief(char *s)
{
    enum { WIDEST = 64 };
    char *kept = cc_text_brief(s, WIDEST);
    free(s);
    return kept;
}

/* Whether a loop could run in parallel, at a glance. */
static const char *verdict_color(const struct cc_col *col, const char *text)
{
    static const struct {
        const char *verdict, *color;
    } colors[] = {{"parallel", "green"}, {"private", "green"},  {"reduction", "green"},
                  {"ordered", "brown"},  {"sequential", "red"}, {"unknown", "darkgray"}};
    for (size_t i = 0; col->key && text && strcmp(col->key, "verdict") == 0 && i < CC_COUNT(colors); i++)
        if (strcmp(text, colors[i].verdict) == 0)
            return colors[i].color;
    return NULL;
}

static void fill_line(const struct cc_table *t, size_t row, const struct headings *h,
                      struct libscols_line *line)
{
    for (size_t c = 0; c < t->ncells; c++) {
        const struct cc_col *col = &t->cols[c];
        if (!col->title || col->under)
            continue;
        size_t at = *col->title ? find_heading(h, t->cols, c) : 0;
        while (!*col->title && h->v.v[at].title != col->title)
            at++;
        char *text = cc_table_text(t, row, c);
        const char *color = verdict_color(col, text);
        if (col->wrap)
            text = wrapped(text, col->wrap);
        else if (!col->whole)
            text = brief(text);
        if (scols_line_refer_data(line, at, text) < 0)
            cc_ending_no_memory();
        if (color) /* shown only if the table has colours */
            scols_cell_set_color(scols_line_get_cell(line, at), color);
    }
}

/* Rows of a table without titles are not shown themselves, only what is under them. */
static void add_rows(const struct cc_table *t, const struct headings *h, struct libscols_table *s,
                     struct libscols_line *parent)
{
    CC_CLEANUP(cc_free_ptr) struct libscols_line **lines = cc_alloc_array(t->rows.n + 1, sizeof *lines);
    bool titled = has_titles(t);
    for (size_t r = 0; r < t->rows.n; r++) {
        size_t up = cc_table_parent(t, r);
        struct libscols_line *above = up == SIZE_MAX ? parent : lines[up];
        lines[r] = above;
        if (t->rows.v[r].where == CC_ROW_DATA)
            continue;
        if (titled) {
            lines[r] = scols_table_new_line(s, above);
            if (!lines[r])
                cc_ending_no_memory();
            fill_line(t, r, h, lines[r]);
        }
        for (size_t c = 0; c < t->ncells; c++) {
            struct cc_cell cell = cc_table_cell(t, r, c);
            if (t->cols[c].under && cell.kind == CC_CELL_TABLE)
                add_rows(cell.table, h, s, lines[r]);
        }
    }
}

bool cc_table_print_text_any(const struct cc_table *t)
{
    bool titled = has_titles(t);
    for (size_t r = 0; r < t->rows.n; r++) {
        if (t->rows.v[r].where == CC_ROW_DATA)
            continue;
        if (titled)
            return true;
        for (size_t c = 0; c < t->ncells; c++) {
            struct cc_cell cell = cc_table_cell(t, r, c);
            if (t->cols[c].under && cell.kind == CC_CELL_TABLE && cc_table_print_text_any(cell.table))
                return true;
        }
    }
    return false;
}

/* Colours and the terminal's width are the only things that differ between a terminal and a file. */
static struct libscols_table *styled(FILE *out, bool colored)
{
    struct libscols_table *s = scols_new_table();
    if (!s)
        cc_ending_no_memory();
    scols_table_set_stream(s, out);
    scols_table_set_column_separator(s, "  ");
    scols_table_enable_maxout(s, 0);
    scols_table_enable_colors(s, colored);
    unsigned columns = cc_terminal_columns(out);
    scols_table_set_termforce(s, columns ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
    scols_table_set_termwidth(s, columns);
    return s;
}

void cc_table_print_text(const struct cc_table *t, FILE *out, bool colored)
{
    if (!cc_table_print_text_any(t))
        return;
    struct headings h = {0};
    struct libscols_table *s = styled(out, colored);
    add_headings(&h, t->cols, t->ncols);
    for (size_t i = 0; i < h.v.n; i++) {
        CC_CLEANUP(cc_free_ptr) char *title = cc_text_safe(h.v.v[i].title);
        struct libscols_column *col = scols_table_new_column(
            s, title, 0, (h.v.v[i].right ? SCOLS_FL_RIGHT : 0) | (h.v.v[i].tree ? SCOLS_FL_TREE : 0));
        if (!col)
            cc_ending_no_memory();
        scols_cell_set_color(scols_column_get_header(col), "bold");
        scols_column_set_safechars(col, h.v.v[i].wrap ? "\n\\" : "\\"); /* "\x09" is ours already */
        if (h.v.v[i].wrap) {
            scols_column_set_flags(col, scols_column_get_flags(col) | SCOLS_FL_WRAP);
            scols_column_set_wrapfunc(col, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
        }
    }
    add_rows(t, &h, s, NULL);
    if (scols_print_table(s) < 0 && !ferror(out)) /* the only other reason it has */
        cc_ending_no_memory();
    scols_unref_table(s);
    CC_VEC_FINI(&h.v);
}
