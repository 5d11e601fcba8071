/* Statements of a loop that change something to what they make of it: those that `omp atomic` takes, and what
 * others change. */
#ifndef CC_PATCH_UPDATES_H
#define CC_PATCH_UPDATES_H

#include "../metrics/tree.h"

#include <stdio.h>

enum { CC_PATCH_MAX_STATEMENT = 400 }; /* bytes of one that are told */

/* The first variable in the text of n; -1: none. */
int32_t cc_patch_first_mentioned(const struct cc_tree *t, uint32_t n);
/* The text of n, blanks as one. */
void cc_patch_tell_text(const struct cc_tree *t, uint32_t n, FILE *out);
/* U, V, O, X and Q lines (facts.c) of a loop's body. */
void cc_patch_tell_updates(const struct cc_tree *t, uint32_t body, FILE *out);

#endif
