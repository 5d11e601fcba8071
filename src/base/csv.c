#include "csv.h"
#include "file.h"

#include <errno.h>

enum { CHUNK = 1 << 16, MAX_ROW = 1 << 20, MAX_CELLS = 4096 };
static const size_t MAX_FILE = 64 << 20;

/* --- rows one by one --- */

static const char zero_byte[] = "not text: a zero byte";

static int bad(const struct cc_csv_reader *r, struct cc_err *err, const char *what)
{
    return cc_err_at(err, CC_EINPUT, r->path, r->line, "%s", what);
}

void cc_csv_close(struct cc_csv_reader *r)
{
    if (r->f && r->f != stdin)
        fclose(r->f);
    free(r->buffer);
    free(r->cells);
    free(r->offsets);
    *r = (struct cc_csv_reader){0};
}

int cc_csv_open(struct cc_csv_reader *r, const char *path, struct cc_err *err)
{
    *r = (struct cc_csv_reader){.path = path, .next_line = 1};
    return cc_file_open_stream(path, &r->f, err);
}

void cc_csv_open_text(struct cc_csv_reader *r, const char *path, const char *text, size_t size)
{
    *r = (struct cc_csv_reader){.path = path, .next_line = 1, .text = text, .text_left = size};
}

static size_t take(struct cc_csv_reader *r, char *to, size_t n)
{
    if (r->f)
        return fread(to, 1, n, r->f);
    n = CC_MIN(n, r->text_left);
    memcpy(to, r->text, n);
    r->text += n;
    r->text_left -= n;
    return n;
}

/* Reads more behind what there is, which moves to the front; 1, 0 at the end of the file. One byte is kept
 * free for the last row's end. */
static int refill(struct cc_csv_reader *r, struct cc_err *err)
{
    if (r->at_end)
        return 0;
    if (r->start) {
        memmove(r->buffer, r->buffer + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->end == r->cap) {
        if (r->cap >= MAX_ROW)
            return bad(r, err, "a row of more than 1 MiB");
        r->cap = CC_MAX(r->cap * 2, CHUNK);
        r->buffer = cc_realloc_array(r->buffer, r->cap + 1, 1);
    }
    size_t n = take(r, r->buffer + r->end, r->cap - r->end);
    bool first = r->next_line == 1 && r->end == 0;
    r->end += n;
    r->at_end = n == 0;
    if (r->at_end && r->f && ferror(r->f))
        return cc_err_at(err, CC_EINPUT, r->path, 0, "cannot read: %s", strerror(errno));
    if (first && r->end >= 3 &&
        memcmp(r->buffer, "\xef\xbb\xbf", 3) == 0) /* what spreadsheets put in front */
        r->start = 3;
    return n > 0;
}

/* The end of the line that holds the row's byte `from`, counted from the row's start. Nothing lies behind it
 * at the end of a file without a last line end. */
static int find_end(struct cc_csv_reader *r, size_t from, size_t *ret, struct cc_err *err)
{
    for (;;) {
        const char *row = r->buffer ? r->buffer + r->start : "";
        size_t n = r->end - r->start;
        const char *end = from < n ? memchr(row + from, '\n', n - from) : NULL;
        if (end) {
            *ret = (size_t)(end - row);
            return 0;
        }
        from = n;
        int rc = refill(r, err);
        if (rc <= 0) {
            *ret = n;
            return rc;
        }
    }
}

static int add_cell(struct cc_csv_reader *r, size_t offset, struct cc_err *err)
{
    if (r->n == r->cells_cap) {
        if (r->n == MAX_CELLS)
            return bad(r, err, "more than 4096 cells in a row");
        r->cells_cap = CC_MAX(2 * r->cells_cap, 16);
        r->offsets = cc_realloc_array(r->offsets, r->cells_cap, sizeof *r->offsets);
        r->cells = cc_realloc_array(r->cells, r->cells_cap, sizeof *r->cells);
    }
    r->offsets[r->n++] = offset;
    return 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where a row is being cut: `at` is the next byte, `n` the end of its last line so far. */
struct cut {
    size_t at, n;
};

/* A cell in quotes, whose own line ends make the row longer. */
static int cut_quoted(struct cc_csv_reader *r, struct cut *c, struct cc_err *err)
{
    size_t to = ++c->at;
    int rc = add_cell(r, to, err);
    for (char *row = r->buffer + r->start; rc == 0;) {
        if (c->at == c->n) {
            if (r->start + c->n == r->end)
                return bad(r, err, "a quote is not closed");
            size_t before = c->n;
            rc = find_end(r, before + 1, &c->n, err);
            r->next_line++;
            row = r->buffer + r->start;
            if (rc == 0 && memchr(row + before, 0, c->n - before))
                return bad(r, err, zero_byte);
            continue;
        }
        if (row[c->at] == '"' && (++c->at == c->n || row[c->at] != '"')) {
            row[to] = 0;
            break;
        }
        row[to++] = row[c->at++];
    }
    const char *row = r->buffer + r->start;
    while (c->at < c->n && (is_blank(row[c->at]) || row[c->at] == '\r'))
        c->at++;
    return rc < 0 || c->at == c->n || row[c->at] == ',' ? rc : bad(r, err, "text after a closing quote");
}

static int cut_plain(struct cc_csv_reader *r, struct cut *c, struct cc_err *err)
{
    char *row = r->buffer + r->start;
    size_t from = c->at;
    while (c->at < c->n && row[c->at] != ',')
        c->at++;
    size_t end = c->at;
    while (end > from && (is_blank(row[end - 1]) || row[end - 1] == '\r'))
        end--;
    int rc = add_cell(r, from, err);
    if (end < c->at) /* else its end is the comma, which is needed yet */
        row[end] = 0;
    return rc;
}

static int cut_row(struct cc_csv_reader *r, struct cut *c, struct cc_err *err)
{
    for (;;) {
        const char *row = r->buffer + r->start;
        while (c->at < c->n && is_blank(row[c->at]))
            c->at++;
        int rc = c->at < c->n && row[c->at] == '"' ? cut_quoted(r, c, err) : cut_plain(r, c, err);
        if (rc < 0)
            return rc;
        bool more = c->at < c->n;
        r->buffer[r->start + c->at] = 0;
        if (!more)
            return 0;
        c->at++;
    }
}

int cc_csv_next(struct cc_csv_reader *r, struct cc_err *err)
{
    for (;;) {
        struct cut c = {0};
        r->line = r->next_line;
        r->n = 0;
        int rc = find_end(r, 0, &c.n, err);
        if (rc < 0 || r->start == r->end)
            return rc;
        char *row = r->buffer + r->start;
        if (memchr(row, 0, c.n))
            return bad(r, err, zero_byte);
        while (c.at < c.n && (is_blank(row[c.at]) || row[c.at] == '\r'))
            c.at++;
        bool blank = c.at == c.n, comment = !blank && row[c.at] == '#';
        if (comment) {
            rc = add_cell(r, c.at, err);
            row[c.n] = 0;
            if (row[c.n - 1] == '\r')
                row[c.n - 1] = 0;
        } else if (!blank) {
            rc = cut_row(r, &c, err);
        }
        row = r->buffer + r->start;
        for (size_t i = 0; rc == 0 && i < r->n; i++)
            r->cells[i] = row + r->offsets[i];
        r->next_line++;
        r->start += CC_MIN(c.n + 1, r->end - r->start);
        if (rc < 0 || !blank)
            return rc < 0 ? rc : comment ? CC_CSV_COMMENT : CC_CSV_ROW;
    }
}

/* --- whole files --- */

static void keep_row(struct cc_csv *csv, const struct cc_csv_reader *r, struct cc_csv_row *ret)
{
    ret->line = r->line;
    ret->cells = cc_arena_alloc(&csv->arena, r->n * sizeof *ret->cells);
    for (size_t i = 0; i < r->n; i++)
        ret->cells[i] = cc_arena_strdup(&csv->arena, r->cells[i]);
}

static int read_rows(struct cc_csv_reader *r, struct cc_csv *csv, struct cc_err *err)
{
    CC_VEC(struct cc_csv_row) rows = {0};
    size_t bytes = 0;
    int rc;
    while ((rc = cc_csv_next(r, err)) > 0) {
        struct cc_csv_row row;
        if (rc == CC_CSV_COMMENT)
            continue;
        if (csv->ncols && r->n != csv->ncols) {
            rc = cc_err_at(err, CC_EINPUT, csv->path, r->line, "%zu cells where the header has %zu", r->n,
                           csv->ncols);
            break;
        }
        keep_row(csv, r, &row);
        for (size_t i = 0; i < r->n; i++)
            bytes += strlen(row.cells[i]) + 1;
        if (bytes > MAX_FILE) {
            rc = cc_err_at(err, CC_EINPUT, csv->path, 0, "larger than the limit of %zu bytes", MAX_FILE);
            break;
        }
        if (csv->ncols) {
            CC_VEC_PUSH(&rows, row);
        } else {
            csv->header = row;
            csv->ncols = r->n;
        }
    }
    if (rc == 0 && csv->ncols == 0)
        rc = cc_err_at(err, CC_EINPUT, csv->path, 0, "no header");
    csv->nrows = rows.n;
    csv->rows = cc_arena_alloc(&csv->arena, rows.n * sizeof *csv->rows + 1);
    if (rows.n)
        memcpy(csv->rows, rows.v, rows.n * sizeof *csv->rows);
    CC_VEC_FINI(&rows);
    return rc;
}

static int read_table(struct cc_csv_reader *r, struct cc_csv **ret, struct cc_err *err)
{
    struct cc_csv *csv = cc_alloc(sizeof *csv);
    csv->path = cc_arena_strdup(&csv->arena, r->path);
    int rc = read_rows(r, csv, err);
    cc_csv_close(r);
    if (rc == 0)
        *ret = csv;
    else
        cc_csv_free(csv);
    return rc;
}

int cc_csv_parse(const char *path, const char *text, size_t size, struct cc_csv **ret, struct cc_err *err)
{
    struct cc_csv_reader r;
    cc_csv_open_text(&r, path, text, size);
    return read_table(&r, ret, err);
}

int cc_csv_load(const char *path, struct cc_csv **ret, struct cc_err *err)
{
    struct cc_csv_reader r;
    int rc = cc_csv_open(&r, path, err);
    return rc < 0 ? rc : read_table(&r, ret, err);
}

void cc_csv_free(struct cc_csv *csv)
{
    if (!csv)
        return;
    struct cc_arena arena = csv->arena;
    free(csv);
    cc_arena_fini(&arena);
}
