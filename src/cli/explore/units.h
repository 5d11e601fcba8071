/* Units of the chip beside the cores: reading what they need, showing what they give. */
#ifndef CC_CLI_EXPLORE_UNITS_H
#define CC_CLI_EXPLORE_UNITS_H

#include "internal.h"

bool cc_explore_has_logic(const struct cc_platform *p);
/* After the search: x->devices, NULL for a platform without other units, and plans that use them. An error
 * only if the user asked for something that is not there. */
int cc_explore_units(struct exploration *x, struct cc_err *err);

/* show_units.c */
extern const struct cc_col cc_explore_move_cols[], cc_explore_area_cols[];
enum { CC_EXPLORE_MOVE_COLS = 14, CC_EXPLORE_AREA_COLS = 5 };
#define CC_EXPLORE_MOVE_COLUMNS                                                                   \
    {"unwritten", NULL, CC_COL_STR, .meaning = "why it is not only directives; null: it is"},     \
        {"moves", NULL, CC_COL_TABLE, .sub = cc_explore_move_cols, .nsub = CC_EXPLORE_MOVE_COLS}, \
    {                                                                                             \
        "area", NULL, CC_COL_TABLE, .sub = cc_explore_area_cols, .nsub = CC_EXPLORE_AREA_COLS     \
    }
void cc_explore_put_moves(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan);
void cc_explore_show_moves(struct exploration *x, size_t plan, struct cc_result *r);
/* Hot functions and loops that cannot go to a unit, and why. */
void cc_explore_show_left(struct exploration *x, struct cc_result *r);
/* Why none of them was looked at; NULL: they were, or there are none. */
const char *cc_explore_units_untried(const struct exploration *x);

#endif
