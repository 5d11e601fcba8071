/* What the collector leaves of one channel: a watched pair of functions, producer and consumer. The figures
 * are defined in src/analysis/channel/README.md. Part of record.h. */
#ifndef CC_COLLECT_CHANNEL_RECORD_H
#define CC_COLLECT_CHANNEL_RECORD_H

#include <stdint.h>

enum {
    CC_CHANNEL_LOST =
        1, /* the producer wrote more than is followed: `unfollowed` bytes are in no figure but bytes */
    CC_CHANNEL_UPPER = 2, /* a value waited too long: depth, depth_bytes and live are upper bounds */
    CC_CHANNEL_RAW =
        4, /* the producer wrote too much to tell what was read of it: window is an upper bound */
};

enum {
    CC_CHANNEL_BUCKETS =
        48, /* of histograms: bucket k counts values from 2^k to 2^(k+1) - 1, the last all above */
    CC_CHANNEL_STRIDES = 1023,  /* different strides that are told apart */
    CC_CHANNEL_OCCUPANCY = 128, /* points of the occupancy over time */
};

struct cc_rec_stride {
    int64_t stride;
    uint64_t count;
};

struct cc_rec_channel {
    uint32_t producer, consumer; /* functions */
    uint32_t flags, nstrides;
    uint64_t reads, bytes, unma, fresh; /* reads: accesses of the consumer that met the producer's bytes */
    uint64_t unfollowed;
    uint64_t ordered;  /* of the fresh bytes: read before any byte that was produced later */
    uint64_t elements; /* written by the producer and read, at least in part */
    uint64_t depth, depth_bytes, window, live;
    uint64_t production_bursts, longest_production, largest_production; /* elements, bytes */
    uint64_t consumption_bursts, longest_consumption;                   /* reads */
    uint64_t behind[3]; /* bytes read of the latest production burst, of the one before, of older ones */
    uint64_t unit, constant, irregular;      /* strides */
    uint64_t other_strides;                  /* those beyond CC_CHANNEL_STRIDES different ones */
    uint64_t reuse[CC_CHANNEL_BUCKETS];      /* bytes by how often their value was read */
    uint64_t distance[CC_CHANNEL_BUCKETS];   /* bytes read again, by the reads since the last time */
    uint64_t production[CC_CHANNEL_BUCKETS]; /* bursts by length */
    uint64_t consumption[CC_CHANNEL_BUCKETS];
    uint64_t rounds, rounds_per_point; /* of production and consumption; what a point of `occupancy` covers */
    uint64_t occupancy[CC_CHANNEL_OCCUPANCY];         /* most bytes waiting in that stretch */
    struct cc_rec_stride strides[CC_CHANNEL_STRIDES]; /* sorted by stride */
};

#endif
