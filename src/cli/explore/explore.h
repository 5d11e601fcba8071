/* `corecast explore` for other commands. */
#ifndef CC_CLI_EXPLORE_EXPLORE_H
#define CC_CLI_EXPLORE_EXPLORE_H

#include "../../base/result.h"

/* What the command prints of a recording, as data; owned by the caller. source: the folder its source is in;
 * NULL: where it was compiled. */
int cc_explore_of(const char *profile, const char *platform, const char *source, struct cc_result **ret,
                  struct cc_err *err);

#endif
