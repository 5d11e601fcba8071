/* Heads of for loops, as OpenMP wants them. */
#ifndef CC_ANALYSIS_PATCH_HEAD_H
#define CC_ANALYSIS_PATCH_HEAD_H

#include "../metrics/tree.h"

/* Why the head is not one that OpenMP takes, NULL if it is; that it counts at all is what the loops room has
 * found. *ret_declared: it declares its counter. */
const char *cc_head_refused(const struct cc_tree *t, uint32_t n, int32_t counter, bool *ret_declared);
/* Whether the counter gets less, by a head that is well formed. */
bool cc_head_descends(const struct cc_tree *t, uint32_t n, int32_t counter);
/* The loop that is all of another's body; CC_NODE_NONE: none. */
uint32_t cc_head_inner(const struct cc_tree *t, uint32_t n);

#endif
