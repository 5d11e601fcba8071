/* How much faster the run could get if a function cost nothing. */
#ifndef CC_ANALYSIS_AMDAHL_AMDAHL_H
#define CC_ANALYSIS_AMDAHL_AMDAHL_H

#include "../../profile/names.h"

struct cc_amdahl_row {
    uint32_t function;
    double share;      /* of the run's instructions, exclusive */
    double limit;      /* 1 / (1 - share); infinite if the share is 1 */
    double cumulative; /* the same with all rows up to this one gone */
};

struct cc_amdahl {
    struct cc_amdahl_row *rows; /* largest share first */
    size_t n;
};

int cc_amdahl_table(const struct cc_profile *p, const struct cc_filter *filter, struct cc_amdahl **ret,
                    struct cc_err *err);
void cc_amdahl_free(struct cc_amdahl *a);

#endif
