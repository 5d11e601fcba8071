/* Where pointers of the source lead, by the objects that a loop was seen to access. */
#ifndef CC_ANALYSIS_LOOPS_GATE_LEADS_H
#define CC_ANALYSIS_LOOPS_GATE_LEADS_H

#include "gate.h"

/* Whether nothing that the loop writes by other names is what this name leads to: then it does not matter
 * which of its loads are gone. */
bool cc_leads_elsewhere(const struct gate_input *in, const char *file, const struct cc_source_array *a);
/* Whether the loop writes what this name leads to by no other, in all of the binary's loops that it is: then
 * what one iteration leaves to another in a register is the compiler's, if the subscripts say so. */
bool cc_leads_apart(const struct gate_input *in, const char *file, const struct cc_source_array *a);
/* What is read, and may lie in an object that the loop writes by another name, as far as it was seen what
 * that loads; NULL: nothing. */
const struct cc_source_array *cc_leads_together(const struct gate_input *in, const char *file);

#endif
