/* What the source of a profile's loops says of them. */
#ifndef CC_CLI_LOOP_SOURCES_H
#define CC_CLI_LOOP_SOURCES_H

#include "../analysis/loops/source.h"
#include "../profile/profile.h"

/* folder: where source files are, if not where they were compiled; NULL. Files that are not there, were
 * changed since or cannot be parsed say nothing. */
struct cc_source_loops *cc_loop_sources(const struct cc_profile *p, const char *folder);

#endif
