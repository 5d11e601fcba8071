/* Whether two outputs are the same, as far as a parallel program's can be. */
#ifndef CC_ANALYSIS_EXPLORE_SAME_H
#define CC_ANALYSIS_EXPLORE_SAME_H

#include "../../base/arena.h"

struct cc_same_text {
    const char *s;
    size_t n;
};

/* Lines that differ between two runs of the same program (a time it took, say) say nothing: `ret` gets one
 * entry for each line of a, true if it varies. False: the runs have different numbers of lines, nothing can
 * be compared. *ret is owned. */
bool cc_same_varying(struct cc_same_text a, struct cc_same_text b, bool **ret, size_t *ret_n);

/* NULL: the same, but for varying lines (n of them are known) and for numbers that differ by no more than
 * `tolerance` times the larger (0: not at all). Else where they differ, in the arena. */
const char *cc_same(struct cc_same_text want, struct cc_same_text got, const bool *varying, size_t n,
                    double tolerance, struct cc_arena *arena);

#endif
