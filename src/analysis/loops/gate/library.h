/* What functions of the C library keep where no memory, or not this run, shows it; for refuse.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_LIBRARY_H
#define CC_ANALYSIS_LOOPS_GATE_LIBRARY_H

#include "gate.h"

/* Why a loop is not free: it, or what it calls by name, calls such a function. NULL: none. */
const char *cc_library_refusal(const struct gate_input *in, unsigned *ret_line);

#endif
