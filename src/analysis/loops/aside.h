/* Stores that put a register aside in the frame: they bear the line of whatever the compiler needed the
 * register for, and are nothing that the source writes there. For gate/lines.c. */
#ifndef CC_ANALYSIS_LOOPS_ASIDE_H
#define CC_ANALYSIS_LOOPS_ASIDE_H

#include "../../profile/profile.h"

struct cc_asides; /* of a profile; what was asked is kept */

struct cc_asides *cc_asides_new(const struct cc_profile *p);
void cc_asides_free(struct cc_asides *x);
/* Whether all stores of the block go to fixed places of the frame (which may be a variable's: so is `a[0]` of
 * an array that lies there). False where that is not known. */
bool cc_asides_block(struct cc_asides *x, uint32_t block);
/* Whether the instruction at this address does so. */
bool cc_asides_insn(struct cc_asides *x, uint64_t address);

#endif
