/* What a command found, as data: fields, tables and sentences in the order in which they are to be read. A
 * command or view builds one and prints nothing; cc_result_print writes it as text, JSON or CSV. See
 * README.md. */
#ifndef CC_BASE_RESULT_H
#define CC_BASE_RESULT_H

#include "err.h"
#include "table.h"

struct cc_result;

struct cc_result *cc_result_new(const char *schema, int version); /* both are the document's first fields */
void cc_result_free(struct cc_result *r);

/* Fields of the document or of what was opened last: JSON. `key` is NULL for the elements of arrays. */
void cc_result_str(struct cc_result *r, const char *key, const char *v); /* copied; NULL -> null */
void cc_result_u64(struct cc_result *r, const char *key, uint64_t v);
void cc_result_u64_if(struct cc_result *r, const char *key, bool known, uint64_t v); /* null if not */
void cc_result_i64(struct cc_result *r, const char *key, int64_t v);
void cc_result_num(struct cc_result *r, const char *key, double v); /* not finite -> null */
void cc_result_bool(struct cc_result *r, const char *key, bool v);
void cc_result_null(struct cc_result *r, const char *key);
void cc_result_obj(struct cc_result *r, const char *key);
void cc_result_arr(struct cc_result *r, const char *key);
void cc_result_end(struct cc_result *r); /* closes the innermost */

/* A table: text, JSON (an array of objects) and CSV. It belongs to the result; rows are added to it at any
 * time before printing. `key` NULL: only text. Without a titled column: only JSON and CSV. */
struct cc_table *cc_result_table(struct cc_result *r, const char *key, const struct cc_col *cols,
                                 size_t ncols);
/* One row of such columns as a JSON object (a total, say); not in text. */
struct cc_table *cc_result_record(struct cc_result *r, const char *key, const struct cc_col *cols,
                                  size_t ncols);

/* Only text. One line; what is not printable in it is escaped, so that names may go in as they are. Lines
 * that follow each other stay together; a table always stands between empty lines. */
void cc_result_note(struct cc_result *r, const char *fmt, ...) CC_PRINTF(2, 3);
/* A note of pieces between which a line may end: one that is too long for the terminal, or for 100 columns,
 * goes on in the next line, indented. */
void cc_result_chain(struct cc_result *r, const char *const *pieces, size_t n);
/* "  label   text", both escaped as in a note, aligned with the facts before and after it. */
void cc_result_fact(struct cc_result *r, const char *label, const char *fmt, ...) CC_PRINTF(3, 4);
void cc_result_gap(struct cc_result *r); /* an empty line here; never two, none at either end */

enum cc_format { CC_FORMAT_TEXT, CC_FORMAT_JSON, CC_FORMAT_CSV, CC_FORMAT_COLORED }; /* the last: text */

/* CSV is one table: `table` names it by the keys on the way to it ("functions", "functions.slices"); NULL:
 * the first with something in text. Fields of the array elements and rows it lies in are put in front of each
 * of its rows. "fields", or a result without a table in text: the fields outside arrays and tables, one a
 * line. */
int cc_result_print(const struct cc_result *r, enum cc_format how, const char *table, FILE *out,
                    struct cc_err *err);

/* --- reading, for other printers --- */

enum cc_item_kind {
    CC_ITEM_VALUE, /* a field or an element: `value` */
    CC_ITEM_OBJ,
    CC_ITEM_ARR,
    CC_ITEM_TABLE,
    CC_ITEM_RECORD, /* as TABLE, one row */
    CC_ITEM_NOTE,   /* `text`, not yet escaped */
    CC_ITEM_FACT,   /* `label` and `text` */
    CC_ITEM_GAP
};

struct cc_item {
    enum cc_item_kind kind;
    const char *key; /* NULL: none */
    struct cc_cell value;
    struct cc_table *table;
    const char *label, *text;
    bool chain;                   /* NOTE: text is escaped, and each of its lines is a piece */
    struct cc_item *first, *last; /* inside OBJ and ARR */
    struct cc_item *next, *parent;
};

const struct cc_item *cc_result_root(const struct cc_result *r); /* an OBJ */
/* The item after x in the order of the document, NULL after the last; `leave` (may be NULL) is told of each
 * object and array that ends. */
const struct cc_item *cc_result_after(const struct cc_item *x, const struct cc_item *root,
                                      void (*leave)(void *data), void *data);
void cc_result_print_text(const struct cc_result *r, FILE *out, bool colored);

#endif
