/* What a recording says that the source does not. */
#ifndef CC_ANALYSIS_AREA_RECORDED_H
#define CC_ANALYSIS_AREA_RECORDED_H

#include "../metrics/source.h"
#include "../../profile/profile.h"

/* How many loops around it stand on the same line: for (...) for (...) */
unsigned cc_area_loop_level(const struct cc_profile *p, uint32_t loop);

/* How often each loop of the recording went round, by file and line; nothing if loops were not recorded. */
void cc_area_recorded_trips(const struct cc_profile *p, struct cc_arena *arena, struct cc_source_trips *ret);

#endif
