/* For page.c: the calls, or the times in regions, over the run, with the data between them as arrows. */
#ifndef CC_CLI_REPORT_PAGE_TIME_H
#define CC_CLI_REPORT_PAGE_TIME_H

#include "../../base/result.h"
#include "../../profile/profile.h"

/* Owned by the caller. At most 3000 boxes, the longest. */
struct cc_result *cc_page_timeline(const struct cc_profile *p, bool regions);

#endif
