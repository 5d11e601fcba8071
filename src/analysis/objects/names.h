/* Inside the room. */
#ifndef CC_ANALYSIS_OBJECTS_NAMES_H
#define CC_ANALYSIS_OBJECTS_NAMES_H

#include "objects.h"

/* An error unless objects were recorded. */
int cc_objects_check(const struct cc_profile *p, struct cc_err *err);
/* By object; no two alike. */
const char **cc_objects_names(const struct cc_profile *p, struct cc_arena *arena);

#endif
