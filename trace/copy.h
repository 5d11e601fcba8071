/* A part of a trace as a trace of its own. */
#ifndef CC_TRACE_COPY_H
#define CC_TRACE_COPY_H

#include "trace.h"

/* A new trace with the first `limit` of the chosen events (0: all) and all facts, symbols and objects. */
int cc_trace_copy(struct cc_trace_reader *r, const struct cc_trace_filter *filter, uint64_t limit,
                  const char *path, uint64_t *ret_events, struct cc_err *err);

#endif
