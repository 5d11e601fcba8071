/* What the page needs to predict by itself: the task graph, the platform's files, directives to begin with.
 */
#ifndef CC_CLI_REPORT_PAGE_WHATIF_H
#define CC_CLI_REPORT_PAGE_WHATIF_H

#include "page.h"
#include "../../base/json.h"

/* "whatif" of a profile: an object, with "missing" in place of the rest if it cannot be done. False: the page
 * needs no engine for it. */
bool cc_page_whatif(struct cc_json *j, const struct cc_page_request *rq, const char *profile);

#endif
