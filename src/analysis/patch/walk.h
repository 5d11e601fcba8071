/* A loop from element to element, each iteration of which is a task. */
#ifndef CC_ANALYSIS_PATCH_WALK_H
#define CC_ANALYSIS_PATCH_WALK_H

#include "patch.h"
#include "../loops/source/source.h"

struct cc_patch_walk {
    const struct cc_patch_text *text;
    const struct cc_patch_loop *loop;
    const struct cc_source_loop *source;
    unsigned nth;        /* of the loops of its line */
    bool atomic;         /* the first statement of the body is an update that has to be */
    const char *clauses; /* of a task, but for what the loop goes on by; begins with a blank, or is empty */
    const char *comment;
};

enum { CC_PATCH_WALK_EDITS = 3 };

/* Why its body cannot be put into a block; NULL: it can. In the arena. */
const char *cc_patch_refuses_walk(const struct cc_patch_walk *w, struct cc_arena *arena);
const char *cc_patch_walk_pragma(const struct cc_patch_walk *w, struct cc_arena *arena);
void cc_patch_walk(const struct cc_patch_walk *w, struct cc_patch_edit ret[CC_PATCH_WALK_EDITS],
                   struct cc_arena *arena);

#endif
