/* `report --fail-if`: figures of one recording that must not be, for CI. */
#ifndef CC_CLI_REPORT_FAIL_IF_H
#define CC_CLI_REPORT_FAIL_IF_H

#include "../output.h"

/* What is wrong with a condition by itself, before anything is shown. */
int cc_report_fail_if_check(const struct cc_strs *conditions, struct cc_err *err);
/* Says what broke a condition on standard error, whatever is quiet. The number of things that did, or
 * negative. */
int cc_report_fail_if(const struct cc_strs *conditions, const char *profile, struct cc_err *err);

#endif
