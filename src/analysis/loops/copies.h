/* Several iterations of the source in one of the binary: a compiler that unrolls a loop copies its body, and
 * what one copy leaves to another stays within one iteration. */
#ifndef CC_ANALYSIS_LOOPS_COPIES_H
#define CC_ANALYSIS_LOOPS_COPIES_H

#include "group.h"
#include "witness.h"

struct cc_copies; /* of a profile */

struct cc_copies *cc_copies_new(const struct cc_profile *p, const struct cc_source_loops *sources,
                                const struct groups *groups, const struct cc_witness *witness);
void cc_copies_free(struct cc_copies *c);

/* How many copies of the source's body an iteration of the loop has, as far as its stores tell; at least 1.
 */
unsigned cc_copies_of(const struct cc_copies *c, uint32_t loop);
/* The loop whose own code an address is; CC_NONE: none. */
uint32_t cc_copies_loop(const struct cc_profile *p, uint64_t address);
/* Whether two loops store in the same line, or lines do not tell: each has a copy of the body. */
bool cc_copies_same(const struct cc_copies *c, uint32_t a, uint32_t b);
/* Whether the loop is one of several that are one statement of the source. */
bool cc_copies_shared(const struct cc_copies *c, uint32_t loop);
/* Of CC_DEPENDENCE_ACROSS_*: whether it is between iterations. Of a loop that the compiler took apart both
 * halves run all iterations. */
bool cc_copies_go_on(const struct cc_copies *c, const struct cc_pdependence *d);
/* Of CC_DEPENDENCE_WITHIN_*: from one copy to another, so that the source has it between iterations;
 * *ret_distance is how many these lie apart, 0: not known. */
bool cc_copies_depend(const struct cc_copies *c, const struct cc_pdependence *d, unsigned *ret_distance);

#endif
