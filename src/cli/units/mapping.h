/* The last step from a recorded program to a chip: which kernel runs where. */
#ifndef CC_CLI_UNITS_MAPPING_H
#define CC_CLI_UNITS_MAPPING_H

#include "../../analysis/mapping/recording.h"
#include "../../analysis/units/units.h"

struct cc_units_mapping {
    struct cc_map_problem *problem;
    struct cc_map_recorded facts;
    struct cc_map_result solved;
};

/* The mapping of least time for one run, with the data that kernels pass on. cc_units_unmap after use, also
 * after a failure. */
int cc_units_map(const struct cc_profile *profile, const struct cc_platform *platform,
                 const struct cc_map_recording *how, struct cc_units_mapping *ret, struct cc_err *err);
void cc_units_unmap(struct cc_units_mapping *m);

/* The computing profile of each kernel: shares of the classes, and how much it computes for each access. */
void cc_units_show_profiles(const struct cc_kernels *k, struct cc_result *r);
void cc_units_show_mapping(const struct cc_units_mapping *m, struct cc_result *r);

#endif
