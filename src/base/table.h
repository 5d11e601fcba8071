/* One typed table: rows of cells under described columns. It holds data and prints nothing by itself: a
 * result (result.h) prints its tables as aligned text, JSON and CSV, so that a column is in all of them. */
#ifndef CC_BASE_TABLE_H
#define CC_BASE_TABLE_H

#include "base.h"
#include "json.h"

/* How a column's cells look in text. JSON and CSV write the values as they are. */
enum cc_col_type {
    CC_COL_STR,
    CC_COL_INT,     /* numbers; text rounds to integers, digits grouped */
    CC_COL_COUNT,   /* numbers; text shows 1.23 M */
    CC_COL_BYTES,   /* numbers; text shows 1.23 MiB */
    CC_COL_NUM,     /* numbers; text uses `digits` decimals */
    CC_COL_PERCENT, /* numbers, 1 is all; text shows 12.3 % */
    CC_COL_BOOL,    /* text: yes, no */
    CC_COL_LIST,    /* values: a JSON array; text joins them by ", ", CSV by ";" */
    CC_COL_MAP,     /* values with names from the data: a JSON object; text and CSV "name value" */
    CC_COL_TABLE,   /* rows with columns `sub`: a JSON array of objects; CSV: compact JSON in the field */
    CC_COL_RECORD,  /* the same with at most one topmost row: a JSON object, or null */
    CC_COL_CHILDREN /* last, takes no cell: the rows under a row are its JSON array of this key (else rows are
                     * flat in JSON); CSV has `row` and `parent` instead. Without it JSON does not tell the
                     * tree. */
};

/* One line describes a column everywhere: {"exclusive", "self", CC_COL_COUNT}. */
struct cc_col {
    const char *key;   /* in JSON and CSV; "a.b" is b in the object a, neighbours share it. NULL: only text */
    const char *title; /* heading in text, lower case. NULL: only JSON and CSV */
    enum cc_col_type type;
    int digits;    /* NUM, PERCENT: decimals in text */
    bool tree;     /* text: this column draws the tree of rows under rows */
    bool under;    /* TABLE, RECORD: text shows its rows under this one, each column under the title
                    * it shares with this table or under one of its own */
    unsigned wrap; /* text: cells wider than so many characters go on in the next line; 0: never */
    bool whole;    /* text: lines of source and the like, which no column shortens as it does names of C++ */
    const struct cc_col *sub; /* TABLE, RECORD: columns of its rows */
    size_t nsub;
    const char *unit;    /* "instructions"; NULL: none, or said by the type */
    const char *meaning; /* one sentence, for those who ask; NULL: the title says it */
};

enum cc_cell_kind {
    CC_CELL_NULL,   /* unknown: JSON null, text "-" (an empty string in a column of strings) */
    CC_CELL_ABSENT, /* no such field in this row: JSON leaves the key out */
    CC_CELL_NONE,   /* the object of this "a.b" is null as a whole */
    CC_CELL_STR,
    CC_CELL_I64,
    CC_CELL_U64,
    CC_CELL_NUM,
    CC_CELL_BOOL,
    CC_CELL_LIST, /* of LIST and MAP */
    CC_CELL_TABLE /* of TABLE and RECORD */
};

struct cc_cell {
    union {
        const char *s;
        int64_t i;
        uint64_t u;
        double d;
        bool b;
        const struct cc_cells *list;
        struct cc_table *table;
    };
    uint8_t kind; /* enum cc_cell_kind */
};

struct cc_cells {
    size_t n;
    const struct cc_cell *v;
    const char *const *keys; /* MAP; NULL for lists */
};

struct cc_table;

/* --- building --- */

/* Columns and their strings are copied; what `sub` points to is borrowed. */
struct cc_table *cc_table_new(const struct cc_col *cols, size_t ncols);
void cc_table_free(struct cc_table *t);

/* Starts a row; cells are then set left to right, the rest stay null. Returns the row's number. */
size_t cc_table_row(struct cc_table *t);
size_t cc_table_row_under(struct cc_table *t, size_t parent); /* parent: SIZE_MAX for none */
/* The row just started is only for text (a sum, an ellipsis), or only for JSON and CSV (beyond what a person
 * reads). */
enum cc_row_where { CC_ROW_EVERYWHERE, CC_ROW_TEXT, CC_ROW_DATA };
void cc_table_row_only(struct cc_table *t, enum cc_row_where where);

void cc_table_str(struct cc_table *t, const char *v); /* copied; NULL -> null */
void cc_table_int(struct cc_table *t, int64_t v);
void cc_table_u64(struct cc_table *t, uint64_t v);
void cc_table_num(struct cc_table *t, double v); /* not finite -> null */
void cc_table_bool(struct cc_table *t, bool v);
void cc_table_null(struct cc_table *t);
void cc_table_absent(struct cc_table *t);    /* this row has no such field */
void cc_table_no_object(struct cc_table *t); /* at the first column of "a.…": a is null in this row */
void cc_table_u64_if(struct cc_table *t, bool known, uint64_t v); /* null if not */
/* Two columns, {"file", "where", CC_COL_STR} and {"line", NULL, CC_COL_INT}: text shows "main.c:12". NULL and
 * 0: unknown. */
void cc_table_place(struct cc_table *t, const char *file, uint32_t line);
/* LIST and MAP: the calls up to cc_table_end set elements; in a map cc_table_key comes before each. */
void cc_table_list(struct cc_table *t);
void cc_table_map(struct cc_table *t);
void cc_table_key(struct cc_table *t, const char *key);
void cc_table_end(struct cc_table *t);
/* TABLE and RECORD: the table of this cell, to be filled; it belongs to t. */
struct cc_table *cc_table_sub(struct cc_table *t);
/* Text shows the cell just set as this instead: "main.c:12" for a file, "thread 1" for a name. */
void cc_table_show(struct cc_table *t, const char *fmt, ...) CC_PRINTF(2, 3);

/* --- reading --- */

size_t cc_table_rows(const struct cc_table *t);
size_t cc_table_ncols(const struct cc_table *t);
const struct cc_col *cc_table_col(const struct cc_table *t, size_t c);
size_t cc_table_parent(const struct cc_table *t, size_t row); /* SIZE_MAX: none */
enum cc_row_where cc_table_where(const struct cc_table *t, size_t row);
struct cc_cell cc_table_cell(const struct cc_table *t, size_t row, size_t c);
char *cc_table_text(const struct cc_table *t, size_t row,
                    size_t c); /* as text shows it; owned by the caller */

/* --- printing: what a result is made of --- */

bool cc_cols_shown(const struct cc_col *cols,
                   size_t n); /* whether text has a column, its own or one `under` */
/* Width of the terminal if out is one. colored: headings and verdicts stand out. */
void cc_table_print_text(const struct cc_table *t, FILE *out, bool colored);
bool cc_table_print_text_any(const struct cc_table *t); /* whether that prints anything */
void cc_table_print_json(const struct cc_table *t, struct cc_json *j, const char *key);
void cc_table_print_json_record(const struct cc_table *t, struct cc_json *j, const char *key);
/* CSV: the heading, each name after `prefix`, and one row; both without the end of the line. */
struct cc_buf;
void cc_cols_csv(const struct cc_col *cols, size_t n, const char *prefix, struct cc_buf *b);
void cc_table_csv_row(const struct cc_table *t, size_t row, struct cc_buf *b);
void cc_cell_csv(const struct cc_cell *cell, enum cc_col_type type, struct cc_buf *b);
void cc_cell_json(const struct cc_cell *cell, enum cc_col_type type, struct cc_json *j, const char *key);

#endif
