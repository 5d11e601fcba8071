/* Where a function's variables are declared. */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_HOME_H
#define CC_ANALYSIS_LOOPS_SOURCE_HOME_H

#include "../../metrics/tree.h"

struct home {       /* CC_NODE_NONE: none */
    uint32_t var;   /* the declaration */
    uint32_t block; /* the smallest block around it */
};

/* By decl, for the caller to free. Found once for a function: all of its loops ask for all of its variables.
 */
struct home *cc_homes_find(const struct cc_tree *t);
/* Whether it is declared behind the loop, and so not there yet, or in a block that is over by then. */
bool cc_home_is_away(const struct cc_tree *t, const struct home *h, uint32_t loop);

#endif
