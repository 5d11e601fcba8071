/* Whether what a scenario makes parallel may run in parallel, as far as the recording knows. */
#ifndef CC_CLI_PREDICT_LEGAL_H
#define CC_CLI_PREDICT_LEGAL_H

#include "../command.h"
#include "../../analysis/scenario/scenario.h"

/* An error if a loop that needs its order is shared out, a note with `force`; a note where nothing is known.
 * A CSV trace has no loops: nothing is said of it. */
int cc_predict_legal(const struct cc_common *common, const char *profile,
                     struct cc_scenario *const *scenarios, size_t n, bool force, struct cc_err *err);

#endif
