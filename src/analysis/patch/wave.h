/* A nest of two loops cut into tiles that are gone through diagonal by diagonal. */
#ifndef CC_ANALYSIS_PATCH_WAVE_H
#define CC_ANALYSIS_PATCH_WAVE_H

#include "patch.h"

struct cc_patch_wave {
    const struct cc_patch_text *text;
    const struct cc_patch_loop *loop; /* the outer one; `inner` is that of the columns */
    unsigned nth;                     /* of the loops of its line */
    unsigned reach; /* columns to the right that a row may look at in those before: rows of a tile are shifted
                       by it */
    unsigned edge;  /* of a tile */
    const char *clauses; /* of the loop over the tiles of a diagonal; begins with a blank, or is empty */
    const char *comment;
};

enum { CC_PATCH_WAVE_EDITS = 3 };

/* Why its heads cannot be rewritten; NULL: they can. In the arena. */
const char *cc_patch_refuses_wave(const struct cc_patch_wave *w, struct cc_arena *arena);
/* The directive, with the counter of the rows where that is declared outside. In the arena. */
const char *cc_patch_wave_pragma(const struct cc_patch_wave *w, struct cc_arena *arena);
void cc_patch_wave(const struct cc_patch_wave *w, struct cc_patch_edit ret[CC_PATCH_WAVE_EDITS],
                   struct cc_arena *arena);

#endif
