/* What a watched pair of functions says about the channel between them. README.md has the definitions. */
#ifndef CC_ANALYSIS_CHANNEL_CHANNEL_H
#define CC_ANALYSIS_CHANNEL_CHANNEL_H

#include "../../profile/profile.h"

enum cc_channel_kind {
    CC_CHANNEL_NONE, /* nothing flowed */
    CC_CHANNEL_FIFO,
    CC_CHANNEL_WINDOW,
    CC_CHANNEL_DOUBLE_BUFFER,
    CC_CHANNEL_SHARED_MEMORY,
    CC_CHANNEL_KINDS,
};
extern const char *const cc_channel_kind_names[CC_CHANNEL_KINDS]; /* "none", "fifo", "window", … */

struct cc_channel_figures {
    const char *from, *to;
    const struct cc_rec_channel *rec;
    double reuse;                     /* reads of a value, on average over its bytes; NAN: nothing was read */
    double reads_per_address;         /* NAN likewise */
    double in_order;                  /* share of first reads, in [0,1]; NAN likewise */
    double interleaving;              /* alternations over the fewest possible; NAN likewise */
    double unit, constant, irregular; /* shares of the strides; NAN: fewer than two reads */
    double complexity;                /* in [0,1] */
    uint64_t nstrides;                /* counted */
    enum cc_channel_kind kind;
    uint64_t size;         /* of the suggestion: elements of a FIFO, otherwise bytes */
    uint64_t bytes;        /* the same in bytes */
    uint64_t side_by_side; /* bytes, if the consumer took each value as soon as its order allows */
    bool almost_fifo;      /* it is none, but would be without a hundredth of the bytes */
};

/* The channel from `from` to `to`; either may be NULL as long as only one channel fits. Fails if the profile
 * has none, or none such. */
int cc_channel_find(const struct cc_profile *p, const char *from, const char *to,
                    struct cc_channel_figures *ret, struct cc_err *err);
/* All but the names. */
void cc_channel_judge(const struct cc_rec_channel *rec, struct cc_channel_figures *ret);

/* Indices of the most frequent strides, most first; returns how many. */
size_t cc_channel_top_strides(const struct cc_rec_channel *rec, uint32_t *out, size_t cap);

#endif
