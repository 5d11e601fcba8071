/* What a stream leads to: a terminal with so many columns and rows, or not. */
#ifndef CC_BASE_TERMINAL_H
#define CC_BASE_TERMINAL_H

#include "base.h"

/* Columns of the terminal behind `out`, 0 if there is none. What goes to a terminal by way of something else
 * (a pager) has those that CORECAST_COLUMNS tells. */
unsigned cc_terminal_columns(FILE *out);
unsigned cc_terminal_rows(FILE *out); /* 0: unknown, or no terminal */

#endif
