/* Where the instructions go, by function, and how much faster the run could get without them. */
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

/* The limits of Amdahl's law: how much faster the run could get if a function cost nothing. */
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
