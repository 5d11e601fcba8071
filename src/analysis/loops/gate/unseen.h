/* What is said of loops whose registers and code nobody saw (../unseen.h). */
#ifndef CC_ANALYSIS_LOOPS_GATE_UNSEEN_H
#define CC_ANALYSIS_LOOPS_GATE_UNSEEN_H

#include "gate.h"

/* Places that iterations change where they find them, as a counter does, and a sum, and what is computed from
 * its own last value: which of these the source tells, where it does. Adds reasons for those that iterations
 * need from each other. */
void cc_unseen_reasons(const struct gate_input *in, struct cc_loop *l);
/* What is said where there is no reason. */
const char *cc_unseen_sentence(const struct gate_input *in);

#endif
