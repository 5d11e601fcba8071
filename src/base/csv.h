/* CSV files (RFC 4180) with the line of every row. Blank lines and lines that start with '#' are skipped. */
#ifndef CC_BASE_CSV_H
#define CC_BASE_CSV_H

#include "arena.h"
#include "err.h"

struct cc_csv_row {
    const char **cells; /* as many as the header has */
    unsigned line;
};

struct cc_csv {
    const char *path;
    struct cc_csv_row header;
    size_t ncols;
    struct cc_csv_row *rows;
    size_t nrows;
    struct cc_arena arena;
};

/* A row with more or fewer cells than the header, an open quote and an empty file are errors. */
int cc_csv_load(const char *path, struct cc_csv **ret, struct cc_err *err);
int cc_csv_parse(const char *path, const char *text, size_t size, struct cc_csv **ret, struct cc_err *err);
void cc_csv_free(struct cc_csv *csv);

#endif
