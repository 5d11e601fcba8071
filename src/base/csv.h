/* CSV files (RFC 4180) with the line of every row: quotes, line ends of all kinds, blanks around cells
 * dropped unless quoted, blank lines skipped, lines that start with '#' are comments. */
#ifndef CC_BASE_CSV_H
#define CC_BASE_CSV_H

#include "arena.h"
#include "err.h"

/* Row by row, in memory that does not grow with the file. */
struct cc_csv_reader {
    const char *path;
    char **cells; /* of the current row or comment, until the next; may be written to */
    size_t n;
    unsigned line; /* where it begins, from 1 */

    /* private */
    FILE *f; /* NULL: from the text */
    const char *text;
    size_t text_left;
    char *buffer;
    size_t start, end, cap; /* what is read and not yet handed out */
    bool at_end;
    unsigned next_line;
    size_t *offsets; /* of the cells in the row */
    size_t cells_cap;
};

enum cc_csv_item { CC_CSV_END, CC_CSV_ROW, CC_CSV_COMMENT };

int cc_csv_open(struct cc_csv_reader *r, const char *path, struct cc_err *err); /* "-": standard input */
void cc_csv_open_text(struct cc_csv_reader *r, const char *path, const char *text, size_t size);
void cc_csv_close(struct cc_csv_reader *r);
/* An item of enum cc_csv_item, or negative. A comment is one cell, with its '#'. Open quotes, text after a
 * closing quote, zero bytes, rows of more than 1 MiB or 4096 cells and read errors are errors. */
int cc_csv_next(struct cc_csv_reader *r, struct cc_err *err);

struct cc_csv_row {
    const char **cells; /* as many as the header has */
    unsigned line;
};

/* A whole file of at most 64 MiB. */
struct cc_csv {
    const char *path;
    struct cc_csv_row header;
    size_t ncols;
    struct cc_csv_row *rows;
    size_t nrows;
    struct cc_arena arena;
};

/* A row with more or fewer cells than the header and an empty file are errors too. */
int cc_csv_load(const char *path, struct cc_csv **ret, struct cc_err *err);
int cc_csv_parse(const char *path, const char *text, size_t size, struct cc_csv **ret, struct cc_err *err);
void cc_csv_free(struct cc_csv *csv);

#endif
