#include "base/csv.h"
#include "base/rng.h"
#include "base/text.h"
#include "tap.h"

static struct cc_csv *parse(const char *text, struct cc_err *err)
{
    struct cc_csv *csv = NULL;
    memset(err, 0, sizeof *err);
    return cc_csv_parse("t.csv", text, strlen(text), &csv, err) < 0 ? NULL : csv;
}

/* Counts rows until the end; negative on an error. */
static int rows_of(const char *text, size_t size, struct cc_err *err)
{
    struct cc_csv_reader r;
    int rc, n = 0;
    memset(err, 0, sizeof *err);
    cc_csv_open_text(&r, "t.csv", text, size);
    while ((rc = cc_csv_next(&r, err)) > 0)
        n += rc == CC_CSV_ROW;
    cc_csv_close(&r);
    return rc < 0 ? rc : n;
}

static void refused(const char *text, unsigned line, const char *part)
{
    struct cc_err err;
    int rc = rows_of(text, strlen(text), &err);
    OK(rc == -CC_EINPUT && err.line == line && strstr(err.msg, part), "refused in line %u: %s", line, part);
}

static void test_items(void)
{
    struct cc_csv_reader r;
    struct cc_err err = {0};
    const char text[] = "\xef\xbb\xbf# a = 1\r\n\n \t\r\n #b\na, \"x\ny\" ,\r\n\"\"\"\",, c d \nlast";
    cc_csv_open_text(&r, "t.csv", text, sizeof text - 1);
    OK(cc_csv_next(&r, &err) == CC_CSV_COMMENT && r.line == 1 && strcmp(r.cells[0], "# a = 1") == 0,
       "a comment after the byte order mark");
    OK(cc_csv_next(&r, &err) == CC_CSV_COMMENT && r.line == 4 && strcmp(r.cells[0], "#b") == 0,
       "blank lines are skipped and counted");
    OK(cc_csv_next(&r, &err) == CC_CSV_ROW && r.line == 5 && r.n == 3 && strcmp(r.cells[1], "x\ny") == 0 &&
           !*r.cells[2],
       "a cell of two lines, an empty one");
    OK(cc_csv_next(&r, &err) == CC_CSV_ROW && r.line == 7 && r.n == 3 && strcmp(r.cells[0], "\"") == 0 &&
           strcmp(r.cells[2], "c d") == 0,
       "a quote in quotes, blanks inside a cell");
    OK(cc_csv_next(&r, &err) == CC_CSV_ROW && r.line == 8 && r.n == 1 && strcmp(r.cells[0], "last") == 0,
       "a last line without an end");
    OK(cc_csv_next(&r, &err) == CC_CSV_END && cc_csv_next(&r, &err) == CC_CSV_END,
       "the end, again and again");
    cc_csv_close(&r);
    refused("a\n\"b\n\nc", 2, "not closed");
    refused("a\n\n\"b\"c,\n", 3, "after a closing quote");
    OK(rows_of("a\n\"b\n\0\"", 7, &err) < 0 && strstr(err.msg, "zero"),
       "a zero byte in a later line of a cell");
    OK(cc_csv_open(&r, "/nonexistent", &err) == -CC_EINPUT && cc_csv_open(&r, "/", &err) == -CC_EINPUT,
       "no file, a folder");
}

static void test_limits(void)
{
    enum { BIG = 3 << 20 };
    struct cc_err err;
    char *text = cc_alloc(BIG);
    memset(text, 'a', BIG);
    memcpy(text, "x\n\"", 3);
    OK(rows_of(text, BIG, &err) < 0 && err.line == 2 && strstr(err.msg, "1 MiB"), "too long a row");
    memset(text, ',', BIG);
    memcpy(text, "x\ny\n", 4);
    text[900000] = '\n';
    OK(rows_of(text, BIG, &err) < 0 && err.line == 3 && strstr(err.msg, "4096 cells"), "too many cells");
    for (size_t i = 0; i < BIG; i++)
        text[i] = i % 64 == 63 ? '\n' : i % 8 == 7 ? ',' : '1';
    struct cc_csv_reader r;
    size_t rows = 0, largest = 0;
    cc_csv_open_text(&r, "t.csv", text, BIG);
    for (; cc_csv_next(&r, &err) == CC_CSV_ROW && r.n == 8; rows++)
        largest = CC_MAX(largest, r.cap);
    cc_csv_close(&r);
    OK(rows == BIG / 64 && largest <= 1 << 16, "the memory for %zu rows is that of one", rows);
    free(text);
}

/* Rows with everything in them, written and read back: cells fall on every place of the buffer. */
static void test_round_trip(void)
{
    enum { ROWS = 30000, CELLS = 5 };
    struct cc_rng rng = {3};
    struct cc_buf out = {0};
    char(*cells)[CELLS][16] = cc_alloc_array(ROWS, sizeof *cells);
    for (size_t i = 0; i < ROWS; i++) {
        if (cc_rng_below(&rng, 10) == 0)
            cc_buf_puts(&out, "# \"comment\n\n");
        for (size_t c = 0; c < CELLS; c++) {
            for (size_t k = cc_rng_below(&rng, 15); k > 0; k--)
                cells[i][c][k - 1] = "ab, \"\n\r#x1"[cc_rng_below(&rng, 10)];
            cc_buf_puts(&out, c ? "," : "");
            cc_buf_puts(&out, "\"");
            for (const char *s = cells[i][c]; *s; s++)
                cc_buf_printf(&out, *s == '"' ? "\"\"" : "%c", *s);
            cc_buf_puts(&out, "\"");
        }
        cc_buf_puts(&out, i % 2 ? "\n" : "\r\n");
    }
    struct cc_csv_reader r;
    struct cc_err err = {0};
    size_t row = 0, wrong = 0;
    int rc;
    cc_csv_open_text(&r, "t.csv", out.s, out.n);
    while ((rc = cc_csv_next(&r, &err)) > 0) {
        if (rc == CC_CSV_COMMENT)
            continue;
        for (size_t c = 0; c < CELLS; c++)
            wrong += r.n != CELLS || row >= ROWS || strcmp(r.cells[c], cells[row][c]) != 0;
        row++;
    }
    cc_csv_close(&r);
    OK(rc == 0 && row == ROWS && wrong == 0, "%zu rows of %zu bytes read back (%s)", row, out.n, err.msg);
    free(cells);
    cc_buf_fini(&out);
}

int main(void)
{
    struct cc_err err;
    test_items();
    test_limits();
    test_round_trip();
    struct cc_csv *c = parse("# note\nname, v\r\n\n\"a,\"\"b\"\"\nc\" , 1\r\nplain,", &err);
    OK(c && c->ncols == 2 && c->nrows == 2, "header and rows, without comments and blank lines");
    OK_STR(c->header.cells[1], "v", "cells are trimmed");
    OK_STR(c->rows[0].cells[0], "a,\"b\"\nc", "quotes, commas and line ends inside quotes");
    OK_STR(c->rows[0].cells[1], "1", "the cell after them");
    OK_STR(c->rows[1].cells[1], "", "an empty last cell");
    OK(c->rows[0].line == 4 && c->rows[1].line == 6, "lines of the rows");
    cc_csv_free(c);
    OK(!parse("a,b\n1\n", &err) && err.line == 2 && strstr(err.msg, "header has 2"), "too few cells");
    OK(!parse("a,b\n1,\"2\n3\n", &err) && err.line == 2 && strstr(err.msg, "quote"), "an open quote");
    OK(!parse("", &err) && strstr(err.msg, "no header"), "an empty file");
    OK(cc_csv_parse("t.csv", "a\0b", 3, &c, &err) < 0, "zero bytes");
    struct cc_rng rng = {7};
    size_t parsed = 0;
    for (int i = 0; i < 5000; i++) {
        char text[] = "name,lut,\"ff [x]\"\n\"a\",1,2\nb,\"3\",4\r\n# c\nd,5,6\n";
        for (size_t k = cc_rng_below(&rng, 4); k > 0; k--)
            text[cc_rng_below(&rng, sizeof text - 1)] = "\",\n\r #a\0\xff"[cc_rng_below(&rng, 9)];
        c = NULL;
        if (cc_csv_parse("t.csv", text, sizeof text - 1, &c, &err) == 0)
            parsed++;
        cc_csv_free(c);
    }
    OK(parsed > 100 && parsed < 4900, "mutated text is parsed or refused (%zu parsed)", parsed);
    return TAP_DONE();
}
