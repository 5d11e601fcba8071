/* What can be said about a trace as a whole. */
#ifndef CC_TRACE_STATS_H
#define CC_TRACE_STATS_H

#include "trace.h"

/* "partial: N of M chunks" when something of the trace is lost, NULL otherwise; owned. To be asked after
 * reading. */
char *cc_trace_partial(const struct cc_trace_reader *r);

/* What can be said about every event without keeping any. */
struct cc_trace_stats {
    uint64_t events, by_kind[CC_TRACE_KINDS], hits, latency_sum;
    uint64_t misses; /* neither hits nor waits nor stores the write buffer took: the memory latencies */
    uint32_t q1, median, q3, max; /* of these; 0 if there is none */
    double mean;
};
void cc_trace_stats(struct cc_trace_reader *r, const struct cc_trace_filter *filter,
                    struct cc_trace_stats *ret);

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
