/* Loops and dependences, while records are imported: what addresses are called. */
#ifndef CC_PROFILE_IMPORT_LOOPS_H
#define CC_PROFILE_IMPORT_LOOPS_H

#include "import_lines.h"
#include "../binary/variables.h"

struct cc_loops_import {
    struct cc_lines_import *lines;
    struct cc_symbols *symbols;
    struct cc_variables *variables;
};

void cc_loops_import_init(struct cc_loops_import *x, struct cc_lines_import *lines,
                          struct cc_symbols *symbols); /* borrowed */
void cc_loops_import_fini(struct cc_loops_import *x);
/* Whether the record makes sense. p has the binaries. Texts live as long as the symbols. */
bool cc_loop_take(struct cc_loops_import *x, const struct cc_rec_loop *r, const struct cc_profile *p,
                  struct cc_ploop *ret);
/* The same for texts of this, and p's arena. p has the functions. */
void cc_dependence_take(struct cc_loops_import *x, const struct cc_rec_dependence *r, struct cc_profile *p,
                        struct cc_pdependence *ret);

/* False: it is of no function. */
bool cc_sibling_take(struct cc_loops_import *x, const struct cc_rec_dependence *r, struct cc_profile *p,
                     struct cc_psibling *ret);

#endif
