/* An access trace for trace viewers: a row a CPU, an event as long as its latency. */
#ifndef CC_CLI_TRACE_CHROME_H
#define CC_CLI_TRACE_CHROME_H

#include "../../../trace/trace.h"

#include <stdbool.h>
#include <stdio.h>

void cc_trace_export_chrome(struct cc_trace_reader *r, const struct cc_trace_filter *filter, bool hits,
                            uint64_t limit, FILE *out);

#endif
