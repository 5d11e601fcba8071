/* What is said of a loop whose verdict is known; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_SENTENCE_H
#define CC_ANALYSIS_LOOPS_SENTENCE_H

#include "loops.h"
#include "source/source.h"

/* Why it cannot be shared out: it has reasons. source: NULL if unknown; all: where what it calls is. */
const char *cc_loop_reason_sentence(struct cc_arena *arena, const struct cc_loop *l,
                                    const struct cc_source_loop *source, const struct cc_source_loops *all);
/* That the compiler made it of calls of a function by itself; NULL: it did not. */
const char *cc_loop_calls_sentence(const struct cc_loop *l, const struct cc_source_loops *all);
/* That it can, and with what. */
const char *cc_loop_free_sentence(struct cc_arena *arena, const struct cc_loop *l,
                                  const struct cc_source_loop *source);
const char *cc_loop_pragma(struct cc_arena *arena, const struct cc_loop *l);

#endif
