/* Calls that follow each other and may run side by side. README.md has the rules. */
#ifndef CC_ANALYSIS_EXPLORE_SIDE_H
#define CC_ANALYSIS_EXPLORE_SIDE_H

#include "../patch/calls.h"
#include "../../profile/profile.h"

struct cc_explore_block {
    const struct cc_profile *p;
    const struct cc_patch_calls *of;
    bool moved; /* the program was built in another folder; and calls that need each other are told in any
                   case */
};

struct cc_explore_span { /* of the block's statements */
    size_t from, to;
    const char *refused; /* why they may not run side by side; NULL: they may */
    bool known;          /* refused since the recording shows that they need each other */
    bool hidden;         /* the last call is not in the binary: the compiler made a jump of it */
    bool recursive;      /* of a function that calls itself */
    bool loose;          /* nothing needs to wait for them in the function */
    double coverage;     /* of the calls that were made, those that were followed */
    double share;        /* of the run */
};

struct cc_explore_spans {
    struct cc_explore_span *v;
    size_t n, cap;
};

/* The longest runs of statements that may run side by side; of functions that call themselves, also those
 * that may not. */
void cc_explore_side_by_side(const struct cc_explore_block *b, struct cc_arena *arena,
                             struct cc_explore_spans *ret);

#endif
