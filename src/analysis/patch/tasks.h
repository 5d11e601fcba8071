/* Calls that follow each other rewritten as tasks or sections. */
#ifndef CC_ANALYSIS_PATCH_TASKS_H
#define CC_ANALYSIS_PATCH_TASKS_H

#include "patch.h"

/* Why statements cannot be rewritten; NULL: they can. In the arena. */
const char *cc_patch_refuses_calls(const struct cc_patch_text *t, const struct cc_patch_calls *c, size_t from,
                                   size_t to, struct cc_arena *arena);

struct cc_patch_tasks {
    const struct cc_patch_calls *calls;
    size_t from, to;
    unsigned depth;      /* of tasks in tasks, from which on calls are plain; 0: sections */
    unsigned threads;    /* of sections; 0: all */
    bool loose;          /* whoever made the tasks does not wait for them: the region does */
    const char *comment; /* above */
};

/* `long x = f(n);` as `long x;` and `x = f(n);` with the line's end; either may be NULL. False: it has
 * another form. */
bool cc_patch_declared(const struct cc_patch_text *t, const struct cc_patch_call *c, struct cc_buf *ret_decl,
                       struct cc_buf *ret_rest);
/* What stands in the place of the statements' lines. In the arena. */
const char *cc_patch_tasks(const struct cc_patch_text *t, const struct cc_patch_tasks *x,
                           struct cc_arena *arena);
/* The same for one statement with a parallel region around it, of which one thread runs it. */
const char *cc_patch_region(const struct cc_patch_text *t, const struct cc_patch_call *call, unsigned threads,
                            struct cc_arena *arena);

#endif
