#include "stats.h"
#include "../src/base/err.h"

#include <inttypes.h>
#include <math.h>

char *cc_trace_partial(const struct cc_trace_reader *r)
{
    struct cc_trace_summary s;
    cc_trace_summary(r, &s);
    const char *why = cc_trace_fact(r, "incomplete");
    if (!s.damaged && s.indexed && !(why && *why))
        return NULL;
    if (!s.damaged)
        return cc_asprintf("the run stopped early%s%s", why && *why ? ": " : ": the trace was never closed",
                           why && *why ? why : "");
    uint32_t lost = CC_MIN(s.damaged, s.chunks);
    return cc_asprintf("partial: %" PRIu32 " of %" PRIu32 " chunks", s.chunks - lost, s.chunks);
}

/* ---- latencies ---- */

enum { SMALL = 65536, BINS = SMALL + (16 << 12) };

static uint32_t bin_of(uint32_t latency)
{
    if (latency < SMALL)
        return latency;
    unsigned top = 31 - (unsigned)__builtin_clz(latency);
    return SMALL + ((top - 16) << 12) + ((latency >> (top - 12)) & 0xfff);
}

static uint32_t bin_start(uint32_t bin)
{
    if (bin < SMALL)
        return bin;
    unsigned top = 16 + ((bin - SMALL) >> 12);
    return (0x1000 | ((bin - SMALL) & 0xfff)) << (top - 12);
}

void cc_latency_add(struct cc_latency_histogram *h, uint32_t latency)
{
    if (!h->bins)
        h->bins = cc_alloc_array(BINS, sizeof *h->bins);
    h->bins[bin_of(latency)]++;
    h->n++;
    h->sum += latency;
    h->max = CC_MAX(h->max, latency);
}

uint32_t cc_latency_quantile(const struct cc_latency_histogram *h, double share)
{
    uint64_t want = (uint64_t)ceil(share * (double)h->n), seen = 0;
    for (uint32_t bin = 0; h->n && bin < BINS; bin++) {
        seen += h->bins[bin];
        if (seen >= want && seen)
            return bin_start(bin);
    }
    return 0;
}

uint32_t cc_latency_above(const struct cc_latency_histogram *h, uint32_t latency)
{
    for (uint32_t bin = bin_of(latency) + 1; h->n && bin < BINS; bin++)
        if (h->bins[bin])
            return bin_start(bin);
    return UINT32_MAX;
}

void cc_latency_fini(struct cc_latency_histogram *h)
{
    free(h->bins);
    memset(h, 0, sizeof *h);
}

void cc_trace_stats(struct cc_trace_reader *r, const struct cc_trace_filter *filter,
                    struct cc_trace_stats *ret)
{
    struct cc_latency_histogram h = {0};
    struct cc_trace_event e;
    memset(ret, 0, sizeof *ret);
    cc_trace_select(r, filter);
    while (cc_trace_next(r, &e)) {
        ret->events++;
        ret->by_kind[e.kind]++;
        ret->latency_sum += e.latency;
        ret->hits += (e.flags & CC_TRACE_HIT) != 0;
        if (!(e.flags & (CC_TRACE_HIT | CC_TRACE_BUFFERED)) && e.kind < CC_TRACE_WAIT)
            cc_latency_add(&h, e.latency);
    }
    ret->misses = h.n;
    ret->q1 = cc_latency_quantile(&h, 0.25);
    ret->median = cc_latency_quantile(&h, 0.5);
    ret->q3 = cc_latency_quantile(&h, 0.75);
    ret->max = h.max;
    ret->mean = h.n ? (double)h.sum / (double)h.n : 0;
    cc_latency_fini(&h);
}
