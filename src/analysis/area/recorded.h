/* What a recording says that the source does not. */
#ifndef CC_ANALYSIS_AREA_RECORDED_H
#define CC_ANALYSIS_AREA_RECORDED_H

#include "../metrics/source.h"
#include "../../profile/profile.h"

/* How often each loop of the recording went round, by file and line; nothing if loops were not recorded. */
void cc_area_recorded_trips(const struct cc_profile *p, struct cc_arena *arena, struct cc_source_trips *ret);

#endif
