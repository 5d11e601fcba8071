/* Where the instructions go, by function. */
#ifndef CC_ANALYSIS_FUNCTIONS_FUNCTIONS_H
#define CC_ANALYSIS_FUNCTIONS_FUNCTIONS_H

#include "../../profile/names.h"

struct cc_functions {
    uint32_t *ids; /* most exclusive instructions first */
    size_t n;
    size_t hidden;             /* left out by the filter */
    uint64_t hidden_exclusive; /* their instructions */
    uint64_t total;            /* of the run */
};

/* min_share is of exclusive instructions; a focus overrules it. Free with cc_functions_free. */
int cc_functions_list(const struct cc_profile *p, const struct cc_filter *filter, struct cc_functions **ret,
                      struct cc_err *err);
void cc_functions_free(struct cc_functions *f);

#endif
