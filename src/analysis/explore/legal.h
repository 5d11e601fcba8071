/* Whether a loop may be shared out in some way. README.md has the rules. */
#ifndef CC_ANALYSIS_EXPLORE_LEGAL_H
#define CC_ANALYSIS_EXPLORE_LEGAL_H

#include "explore.h"
#include "../loops/source/source.h"

/* As it is, if its choices are joined, if iterations take turns, or as tasks. */
bool cc_explore_is_free(const struct cc_loop *l);
/* Whether iterations could be tasks: nothing is left of one that others need. */
bool cc_explore_could_walk(const struct cc_loop *l);
/* Whether tiles along diagonals of a nest are free, as far as that run shows (moved: of a program built in
 * another folder). */
bool cc_explore_is_wave(const struct cc_loop *l, const struct cc_source_loop *s, bool moved);
/* How much of an iteration waits for its turn; false: that is not known. */
bool cc_explore_turn(const struct cc_profile *p, const struct cc_loop *l, const struct cc_source_loop *s,
                     struct cc_explore_turn *ret);

#endif
