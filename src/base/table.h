/* One typed table, printed as aligned text (libsmartcols), as a JSON array of objects, or as CSV. */
#ifndef CC_BASE_TABLE_H
#define CC_BASE_TABLE_H

#include "base.h"
#include "json.h"

enum cc_col_type {
    CC_COL_STR,
    CC_COL_INT,     /* integers; right-aligned, digits grouped in text */
    CC_COL_COUNT,   /* integers; text shows 1.23 M */
    CC_COL_BYTES,   /* integers; text shows 1.23 MiB */
    CC_COL_NUM,     /* double; text uses `digits` decimals */
    CC_COL_PERCENT, /* double in [0,1]; text shows 12.3 % */
};

struct cc_col {
    const char *key;   /* JSON and CSV name */
    const char *title; /* text heading; NULL: not shown in text */
    enum cc_col_type type;
    int digits;     /* NUM, PERCENT: decimals in text */
    bool tree;      /* text: this column draws the tree of cc_table_row_under */
    bool data_only; /* only in JSON and CSV */
};

struct cc_table;

struct cc_table *cc_table_new(const struct cc_col *cols, size_t ncols); /* cols are borrowed */
void cc_table_free(struct cc_table *t);

/* Starts a row; cells are then set left to right, the rest stay null. Returns the row's number. */
size_t cc_table_row(struct cc_table *t);
size_t cc_table_row_under(struct cc_table *t, size_t parent);
void cc_table_str(struct cc_table *t, const char *v); /* copied; NULL -> null */
void cc_table_int(struct cc_table *t, int64_t v);     /* INT, COUNT, BYTES */
void cc_table_num(struct cc_table *t, double v);      /* NUM, PERCENT; not finite -> null */
void cc_table_null(struct cc_table *t);
size_t cc_table_rows(const struct cc_table *t);

void cc_table_print_text(const struct cc_table *t, FILE *out); /* width of the terminal if out is one */
void cc_table_print_json(const struct cc_table *t, struct cc_json *j, const char *key);
void cc_table_print_csv(const struct cc_table *t, FILE *out);

#endif
