/* Access traces for the commands: opening with our errors, CSV both ways, copies of a part. */
#ifndef CC_TRACE_TRACEIO_H
#define CC_TRACE_TRACEIO_H

#include "trace.h"
#include "../src/base/err.h"

int cc_traceio_open(const char *path, struct cc_trace_reader **ret, struct cc_err *err);

/* "partial: N of M chunks" when something of the trace is lost, NULL otherwise; owned. To be asked after
 * reading. */
char *cc_traceio_partial(const struct cc_trace_reader *r);

/* What can be said about every event without keeping any. */
struct cc_traceio_stats {
    uint64_t events, by_kind[CC_TRACE_KINDS], hits, latency_sum;
    uint64_t misses; /* neither hits nor waits nor stores the write buffer took: the memory latencies */
    uint32_t q1, median, q3, max; /* of these; 0 if there is none */
    double mean;
};
void cc_traceio_stats(struct cc_trace_reader *r, const struct cc_trace_filter *filter,
                      struct cc_traceio_stats *ret);

/* CSV with a header line; columns in any order, of these: cycle cpu kind pc address latency node hops size
 * flags function file line object. Required: cycle, cpu, latency, and pc or address. Lines "# name = value"
 * before the header are facts. */
struct cc_traceio_import {
    int64_t hit_latency; /* events at most this slow count as cache hits; negative: only those flagged so */
};
int cc_traceio_import_csv(const char *csv, const char *trace, const struct cc_traceio_import *options,
                          uint64_t *ret_events, struct cc_err *err);
void cc_traceio_export_csv(struct cc_trace_reader *r, const struct cc_trace_filter *filter, uint64_t limit,
                           FILE *out);

/* A new trace with the chosen events and all facts, symbols and objects. */
int cc_traceio_copy(struct cc_trace_reader *r, const struct cc_trace_filter *filter, const char *path,
                    uint64_t *ret_events, struct cc_err *err);

/* "hit+false", "" for none; `out` is returned. */
char *cc_traceio_flags(unsigned flags, char out[static 64]);

/* Latencies counted one by one up to 65535, to twelve significant bits above. */
struct cc_latency_histogram {
    uint64_t *bins;
    uint64_t n, sum;
    uint32_t max;
};
void cc_latency_add(struct cc_latency_histogram *h, uint32_t latency);
/* The smallest latency that at least share * n of all are not above; 0 if empty. */
uint32_t cc_latency_quantile(const struct cc_latency_histogram *h, double share);
/* The smallest latency seen above this one, UINT32_MAX if there is none. */
uint32_t cc_latency_above(const struct cc_latency_histogram *h, uint32_t latency);
void cc_latency_fini(struct cc_latency_histogram *h);

#endif
