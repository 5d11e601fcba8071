/* Loops whose threads keep something of their own, or take turns: text around the loop and in its body. */
#ifndef CC_ANALYSIS_PATCH_JOIN_H
#define CC_ANALYSIS_PATCH_JOIN_H

#include "patch.h"
#include "../loops/source/source.h"

struct cc_patch_join {
    const struct cc_patch_text *text;
    const struct cc_patch_loop *loop;
    unsigned nth; /* of the loops of its line */
    const struct cc_source_choice *choices;
    size_t n;
    const char *parallel, *share; /* clauses of the region, and of the loop in it; each begins with a blank */
    const char *comment;
};

enum { CC_PATCH_JOIN_EDITS = 16 }; /* at most */

/* Why choices cannot be joined; NULL: they can. In the arena. */
const char *cc_patch_refuses_join(const struct cc_patch_join *j, struct cc_arena *arena);
/* The edits; how many. */
size_t cc_patch_join(const struct cc_patch_join *j, struct cc_patch_edit ret[CC_PATCH_JOIN_EDITS],
                     struct cc_arena *arena);

#endif
