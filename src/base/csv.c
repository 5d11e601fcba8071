#include "csv.h"
#include "file.h"
#include "text.h"

enum { MAX_FILE = 64 << 20, MAX_COLUMNS = 4096 };

struct parse {
    struct cc_csv *csv;
    struct cc_err *err;
    const char *at, *end;
    unsigned line;
    CC_VEC(const char *) cells;
    CC_VEC(struct cc_csv_row) rows;
    struct cc_buf cell;
};

static int bad(struct parse *p, unsigned line, const char *what)
{
    return cc_err_at(p->err, CC_EINPUT, p->csv->path, line, "%s", what);
}

static int quoted(struct parse *p)
{
    unsigned start = p->line;
    for (p->at++; p->at < p->end; p->at++) {
        if (*p->at == '"') {
            if (p->at + 1 == p->end || p->at[1] != '"') {
                p->at++;
                return 0;
            }
            p->at++;
        }
        p->line += *p->at == '\n';
        cc_buf_add(&p->cell, p->at, 1);
    }
    return bad(p, start, "quote without an end");
}

/* One cell; leaves `at` on the comma or the end of the line. */
static int cell(struct parse *p)
{
    p->cell.n = 0;
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
        p->at++;
    if (p->at < p->end && *p->at == '"') {
        int rc = quoted(p);
        if (rc < 0)
            return rc;
    }
    const char *start = p->at;
    while (p->at < p->end && *p->at != ',' && *p->at != '\n')
        p->at++;
    const char *stop = p->at;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
        stop--;
    cc_buf_add(&p->cell, start, (size_t)(stop - start));
    CC_VEC_PUSH(&p->cells, cc_arena_strndup(&p->csv->arena, p->cell.s ? p->cell.s : "", p->cell.n));
    return 0;
}

static void end_line(struct parse *p)
{
    if (p->at < p->end)
        p->at++;
    p->line++;
}

static int row(struct parse *p, struct cc_csv_row *ret)
{
    unsigned line = p->line;
    p->cells.n = 0;
    for (;;) {
        int rc = cell(p);
        if (rc < 0)
            return rc;
        if (p->cells.n > MAX_COLUMNS)
            return bad(p, line, "too many columns");
        if (p->at == p->end || *p->at != ',')
            break;
        p->at++;
    }
    end_line(p);
    ret->line = line;
    ret->cells = cc_arena_alloc(&p->csv->arena, p->cells.n * sizeof *ret->cells);
    memcpy(ret->cells, p->cells.v, p->cells.n * sizeof *ret->cells);
    return 0;
}

static bool skips(struct parse *p)
{
    const char *s = p->at;
    while (s < p->end && (*s == ' ' || *s == '\t' || *s == '\r'))
        s++;
    if (s < p->end && *s != '\n' && *s != '#')
        return false;
    while (p->at < p->end && *p->at != '\n')
        p->at++;
    end_line(p);
    return true;
}

static int parse_rows(struct parse *p)
{
    struct cc_csv *csv = p->csv;
    int rc = 0;
    while (rc == 0 && p->at < p->end) {
        if (skips(p))
            continue;
        struct cc_csv_row r;
        rc = row(p, &r);
        if (rc == 0 && csv->ncols == 0) {
            csv->header = r;
            csv->ncols = p->cells.n;
        } else if (rc == 0 && p->cells.n != csv->ncols) {
            rc = cc_err_at(p->err, CC_EINPUT, csv->path, r.line, "%zu cells where the header has %zu",
                           p->cells.n, csv->ncols);
        } else if (rc == 0) {
            CC_VEC_PUSH(&p->rows, r);
        }
    }
    if (rc == 0 && csv->ncols == 0)
        rc = bad(p, 0, "no header");
    return rc;
}

int cc_csv_parse(const char *path, const char *text, size_t size, struct cc_csv **ret, struct cc_err *err)
{
    struct cc_csv *csv = cc_alloc(sizeof *csv);
    csv->path = cc_arena_strdup(&csv->arena, path);
    struct parse p = {.csv = csv, .err = err, .at = text, .end = text + size, .line = 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* what spreadsheets put in front */
        p.at += 3;
    int rc = memchr(text, 0, size) ? bad(&p, 0, "not a text file") : parse_rows(&p);
    if (rc == 0) {
        csv->nrows = p.rows.n;
        csv->rows = cc_arena_alloc(&csv->arena, p.rows.n * sizeof *csv->rows + 1);
        if (p.rows.n)
            memcpy(csv->rows, p.rows.v, p.rows.n * sizeof *csv->rows);
    }
    CC_VEC_FINI(&p.cells);
    CC_VEC_FINI(&p.rows);
    cc_buf_fini(&p.cell);
    if (rc < 0) {
        cc_csv_free(csv);
        return rc;
    }
    *ret = csv;
    return 0;
}

int cc_csv_load(const char *path, struct cc_csv **ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    return rc < 0 ? rc : cc_csv_parse(path, text, size, ret, err);
}

void cc_csv_free(struct cc_csv *csv)
{
    if (!csv)
        return;
    struct cc_arena arena = csv->arena;
    free(csv);
    cc_arena_fini(&arena);
}
