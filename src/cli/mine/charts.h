#ifndef CC_CLI_MINE_CHARTS_H
#define CC_CLI_MINE_CHARTS_H

#include "mine.h"
#include "../../analysis/contention/contention.h"

/* "instructions" and "functions". */
void cc_mine_add_charts(struct cc_result *r, const struct cc_contention *c);
/* Those that were asked for. */
int cc_mine_draw_charts(const struct cc_mine_options *o, const struct cc_contention *c,
                        struct cc_trace_reader *trace, struct cc_err *err);

#endif
