/* Whether what a loop leaves in a variable is looked at afterwards. */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_LIVE_H
#define CC_ANALYSIS_LOOPS_SOURCE_LIVE_H

#include "../../metrics/tree.h"

/* false: on every way from the end of the loop the variable is set before it is read, or not read at all. A
 * proof by the shape of the source; true where there is none: globals, addresses taken, jumps by goto. */
bool cc_source_live(const struct cc_tree *t, uint32_t loop, int32_t decl);
/* Whether the function takes the address of a variable, or hands it out in another way that is not followed;
 * arrays and structs too. */
bool cc_source_addressed(const struct cc_tree *t, int32_t decl);
/* Whether code of the line runs whenever the function does; what stands in one line is taken for one. */
bool cc_source_always(const struct cc_tree *t, unsigned line);

#endif
