/* Inside of a table, for table.c, table_text.c and table_data.c. */
#ifndef CC_BASE_TABLE_PRIV_H
#define CC_BASE_TABLE_PRIV_H

#include "arena.h"
#include "table.h"

struct cc_table_row {
    uint32_t parent; /* UINT32_MAX: none */
    uint8_t where;
};

struct cc_table_shown {
    size_t cell;
    const char *text;
};

struct cc_table {
    const struct cc_col *cols;
    size_t ncols, ncells; /* cells of a row: all columns but CHILDREN */
    size_t filled;        /* cells set in the last row */
    CC_VEC(struct cc_table_row) rows;
    CC_VEC(struct cc_cell) cells;        /* row by row: 16 bytes each */
    CC_VEC(struct cc_table_shown) shown; /* in the order of cells */
    int open;                            /* CC_COL_LIST or _MAP while one is being filled, else 0 */
    CC_VEC(struct cc_cell) pending;      /* its elements so far */
    CC_VEC(const char *) pending_keys;   /* and their names */
    struct cc_arena own_arena, *arena;   /* the outermost table's, for all inside it */
    struct cc_table *owner, *next;       /* all tables inside the outermost one, to free them */
};

#endif
