/* What the source has against a loop that was independent in this binary. For gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_REFUSE_H
#define CC_ANALYSIS_LOOPS_GATE_REFUSE_H

#include "gate.h"

/* Makes the loop unknown, with its sentence and the lines of a read and a write (0: the other's); true. */
bool cc_gate_refuse(struct cc_loop *l, const char *sentence, enum cc_reason_kind kind, const char *variable,
                    unsigned read, unsigned write);
/* Whether the source forbids a pragma; l then says why. */
bool cc_gate_source_refuses(const struct gate_input *in, struct cc_loop *l);

#endif
