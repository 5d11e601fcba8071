/* The tree of loops as nested bars: width is instructions, colour the verdict. */
#ifndef CC_CLI_REPORT_LOOPS_CHART_H
#define CC_CLI_REPORT_LOOPS_CHART_H

#include "../../analysis/loops/loops.h"
#include "../../base/text.h"

void cc_loops_chart(const struct cc_loop_list *l, struct cc_buf *svg);

#endif
