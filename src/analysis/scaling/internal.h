#ifndef CC_ANALYSIS_SCALING_INTERNAL_H
#define CC_ANALYSIS_SCALING_INTERNAL_H

#include "scaling.h"
#include "../../base/map.h"
#include "../../base/text.h"

/* What one trace says of its addresses. */
struct feature {
    uint64_t addr;
    uint8_t class;
    uint32_t votes; /* for pc */
    uint64_t latency, accesses;
    uint64_t
        pc; /* data: the instruction that asks for it most, if one makes more than half of the accesses */
};

struct features {
    CC_VEC(struct feature) all;
    struct cc_map index[3]; /* by class: block -> 1 + place in all */
    unsigned shift;         /* data addresses are counted in blocks of 1 << shift */
    uint64_t latency, accesses, last, first;
};

void scaling_features_read(struct features *f, struct cc_trace_reader *trace);
/* What the process `from` has read, told to all; the index stays its own. */
void scaling_features_tell(struct features *f, const struct cc_ranks *ranks, unsigned from);
void scaling_features_fini(struct features *f);

/* One address under a name that is the same on every platform. */
struct known {
    char *key;
    enum cc_scaling_class class;
    const char *function, *file, *object;
    uint32_t line;
    double *time, *accesses; /* by platform */
    uint64_t *addr;          /* by platform */
    bool *hot;
};

struct mining {
    struct cc_scaling *out;
    const struct cc_scaling_options *options;
    CC_VEC(struct known) known;
    struct cc_strmap by_key;
};

int scaling_hotspots_find(struct mining *m, struct cc_err *err);

#endif
