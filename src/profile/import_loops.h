/* Loops and dependences, while records are imported: what addresses are called. */
#ifndef CC_PROFILE_IMPORT_LOOPS_H
#define CC_PROFILE_IMPORT_LOOPS_H

#include "allocation.h"
#include "import_lines.h"
#include "../binary/code.h"
#include "../binary/statics.h"
#include "../binary/variables.h"

struct cc_loops_import {
    struct cc_lines_import *lines;
    struct cc_symbols *symbols;
    struct cc_variables *variables;
    struct cc_statics *statics;
    struct cc_code code;                          /* of the binary that was asked last */
    uint32_t binary;                              /* that one; CC_NONE */
    CC_VEC(struct cc_rec_allocation) allocations; /* by id */
    struct cc_allocations *blocks;                /* the same; NULL: none was asked for yet */
};

void cc_loops_import_init(struct cc_loops_import *x, struct cc_lines_import *lines,
                          struct cc_symbols *symbols); /* borrowed */
void cc_loops_import_fini(struct cc_loops_import *x);
/* Whether the record makes sense. p has the binaries. Texts live as long as the symbols. */
bool cc_loop_take(struct cc_loops_import *x, const struct cc_rec_loop *r, struct cc_profile *p,
                  struct cc_ploop *ret);
bool cc_allocation_take(struct cc_loops_import *x, const struct cc_rec_allocation *r); /* the same */
/* The same for texts of this, and p's arena. p has the functions. */
void cc_dependence_take(struct cc_loops_import *x, const struct cc_rec_dependence *r, struct cc_profile *p,
                        struct cc_pdependence *ret);
/* Puts to a call of a library function in how many registers that takes arguments (collect/loop_code.h). */
void cc_call_take(struct cc_loops_import *x, struct cc_rec_loop_code *r, const struct cc_profile *p);

/* False: it is of no function. */
bool cc_sibling_take(struct cc_loops_import *x, const struct cc_rec_dependence *r, struct cc_profile *p,
                     struct cc_psibling *ret);

#endif
