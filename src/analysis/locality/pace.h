/* How many cycles an instruction of each task takes while its data are in the first-level cache: what the
 * recorded code costs by the classes of [core]. */
#ifndef CC_ANALYSIS_LOCALITY_PACE_H
#define CC_ANALYSIS_LOCALITY_PACE_H

#include "../../profile/profile.h"
#include "../../../sim/sim.h"

struct cc_pace;

/* An error if the profile holds no code, or code of an instruction set that cannot be decoded. */
int cc_pace_new(const struct cc_profile *p, struct cc_pace **ret, struct cc_err *err);
void cc_pace_free(struct cc_pace *pace);

/* Of a task by its name in the task trace: a mark's, or FILE:LINE of a loop. Others have that of the whole
 * run. NULL: code outside all tasks and loops. */
double cc_pace_of(const struct cc_pace *pace, const char *task, const uint32_t cost[CC_SIM_CLASSES]);
/* Bytes of the lines of 32 that its own code lies in; 0: not known. */
double cc_pace_code(const struct cc_pace *pace, const char *task);
/* Bytes of its average store. */
double cc_pace_store(const struct cc_pace *pace, const char *task);

#endif
