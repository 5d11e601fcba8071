/* Traces as CSV, both ways: a header line, then a line an event. */
#ifndef CC_TRACE_CSV_H
#define CC_TRACE_CSV_H

#include "trace.h"

#include <stdio.h>

/* Columns in any order, of these: cycle cpu kind pc address latency node hops size flags function file line
 * object. Required: cycle, cpu, latency, and pc or address. Lines "# name = value" before the header are
 * facts. */
struct cc_map;
struct cc_trace_import {
    int64_t hit_latency; /* events at most this slow count as cache hits; negative: only those flagged so */
    /* Puts names of a file into the trace, for the instructions seen (keys); NULL: there are only those of
     * the CSV, which do not count between the file's addresses. */
    void (*names)(struct cc_trace_writer *w, const struct cc_map *seen, const void *file);
    const void *file;
    uint64_t from, to;
};
int cc_trace_import_csv(const char *csv, const char *trace, const struct cc_trace_import *options,
                        uint64_t *ret_events, struct cc_err *err);
void cc_trace_export_csv(struct cc_trace_reader *r, const struct cc_trace_filter *filter, uint64_t limit,
                         FILE *out);

#endif
