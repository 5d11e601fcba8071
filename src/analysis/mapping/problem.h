/* What the readers of platform and tasks share. */
#ifndef CC_ANALYSIS_MAPPING_PROBLEM_H
#define CC_ANALYSIS_MAPPING_PROBLEM_H

#include "mapping.h"

int cc_map_read_platform(struct cc_map_problem *p, const struct cc_platform *platform, struct cc_err *err);
int cc_map_check_connected(const struct cc_map_problem *p, const struct cc_platform *platform,
                           struct cc_err *err);
/* Where nobody gave an energy: the unit's power above rest, shared by its cores. */
void cc_map_fill_energy(const struct cc_map_problem *p, struct cc_map_task *t);
size_t cc_map_find_unit(const struct cc_map_problem *p, const char *name); /* SIZE_MAX if absent */

#endif
