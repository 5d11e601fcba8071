/* One producer and one consumer, watched closely: in which order and how often the consumer reads what the
 * producer wrote. Bounded memory; the figures are in channel_record.h, their definitions in
 * src/analysis/channel/README.md. Callers hold the host's lock. */
#ifndef CC_COLLECT_CHANNEL_H
#define CC_COLLECT_CHANNEL_H

#include "channel_record.h"
#include "host.h"

#include <stdbool.h>

struct cc_channel;

/* Who reads, and what: strides are between the reads of one thread in one array. */
struct cc_channel_reader {
    uint32_t thread, array;
};

/* Bounds; 0: the default. */
struct cc_channel_limits {
    uint64_t addresses; /* bytes the producer may have written to: 64 Mi */
    uint32_t values;    /* pieces of them with a history of their own: 8 Mi */
    uint32_t rounds;    /* of production and consumption that are kept exactly: 256 Ki */
    uint64_t produced;  /* bytes over the whole run, for the window: 2 Gi */
};

struct cc_channel *cc_channel_new(const struct cc_host *host, const struct cc_channel_limits *limits);
void cc_channel_free(struct cc_channel *ch);

/* The producer writes. */
void cc_channel_produce(struct cc_channel *ch, uint64_t a, uint32_t size);
/* The consumer, on thread `thread`, reads [a, a + size), size at most 64, in an array of its own number (0:
 * nobody knows which). Bit i of `own` says that byte a + i was last written by the producer; one at least is
 * set. */
void cc_channel_consume(struct cc_channel *ch, struct cc_channel_reader reader, uint64_t a, uint32_t size,
                        uint64_t own);

/* The figures so far; `producer` and `consumer` are left alone. */
void cc_channel_result(struct cc_channel *ch, struct cc_rec_channel *ret);

#endif
