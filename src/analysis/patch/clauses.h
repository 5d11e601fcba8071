/* The clauses of a loop's directive, from its verdict and its source; or why there can be none. */
#ifndef CC_ANALYSIS_PATCH_CLAUSES_H
#define CC_ANALYSIS_PATCH_CLAUSES_H

#include "facts.h"
#include "../loops/loops.h"

struct cc_patch_clauses {
    const char *refused; /* why no directive can say it; NULL: one can */
    const char *data;    /* " private(j) reduction(+:sum)"; "" */
    const char *costs;   /* of these what takes time, for a scenario: " reduction(+:a[:64])"; "" */
    bool rounds;         /* partial results that may not be exact are joined in another order */
    const struct cc_patch_update *const *atomics; /* statements that need `omp atomic` in front of them */
    size_t natomics;
    const char *before; /* a statement to stand in front: what is left after no iteration; NULL: none */
};

struct cc_patch_clauses_input {
    const struct cc_patch_facts *facts;
    const struct cc_patch_loop *fact;    /* NULL: not found */
    const struct cc_source_loop *source; /* what the loops room knows of it; NULL: nothing */
    bool walked;                         /* its iterations are tasks, so its head need not count */
    bool joined;                         /* each thread has the choices of its source for itself */
    bool assumed; /* the user says that iterations are independent, whatever the verdict */
    bool alone; /* nothing but its verdict keeps what it calls apart: no turns, no tiles, no word of the user
                 */
    struct cc_arena *arena;
};

void cc_patch_clauses(const struct cc_loop *l, const struct cc_patch_clauses_input *in,
                      struct cc_patch_clauses *ret);

#endif
