/* What the source alone proves of a loop: that no two iterations meet at an element. */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_PROOF_H
#define CC_ANALYSIS_LOOPS_SOURCE_PROOF_H

#include "scan.h"

enum { MOST_ACCESSES = 64 }; /* of an array, that are compared with each other */

/* Whether iterations never meet at an element of the array that one of them writes, by its subscripts. Rows
 * of a matrix are taken to be as long as they are declared. */
bool cc_proof_apart(const struct scan *s, const struct scan_array *a, int32_t counter);
/* The same, if the pointers of a struct that it begins at lead to other arrays than other pointers do, which
 * is the run's to tell. */
bool cc_proof_apart_by_name(const struct scan *s, const struct scan_array *a, int32_t counter);
/* Whether each iteration has written every element that it reads. */
bool cc_proof_scratch(const struct scan *s, const struct scan_array *a, int32_t counter);
/* And each writes the same elements, whatever happens: those of the last one stay. */
bool cc_proof_refilled(const struct scan *s, const struct scan_array *a, int32_t counter);
/* Whether no iteration looks at an element that one combines with something. */
bool cc_proof_unseen(const struct scan *s, const struct scan_array *a, int32_t counter);
/* The element that an update is of, or what is read of it there: `x` in `x += e`, both in `x = x + e`. */
bool cc_proof_updated(const struct scan *s, const struct scan_array *a, uint32_t access);
/* Whether its subscripts stay within their rows, as far as the loops around tell how long these are. */
bool cc_proof_tight(const struct scan *s, const struct scan_array *a, int32_t counter);
/* Whether it has no rows: no access goes by more than one subscript, which is next to the name. */
bool cc_proof_flat(const struct scan *s, const struct scan_array *a);
/* Whether nothing but this name leads to it, by the word of its declaration. */
bool cc_proof_alone(const struct scan *s, const struct scan_array *a);
/* Whether a variable of the function's own leads to it, which nothing in the loop can set. */
bool cc_proof_still(const struct scan *s, const struct scan_array *a);
/* Whether two accesses by one name are of fields that have bytes in common, as those of a union have, and
 * bit-fields beside each other. */
bool cc_proof_share(const struct scan *s, uint32_t a, uint32_t b);
/* Whether it is a bit-field that is written, and another, or this, is accessed at another element: both may
 * lie in what is written. */
bool cc_proof_beside(const struct scan *s, const struct scan_array *a);
/* Whether subscripts of the variable say where an access goes. */
bool cc_proof_tells(const struct scan *s, int32_t decl);
/* Whether what the scan of the loop found is all that it does: C, calls by name only, no assembly, no jumps
 * into it. */
bool cc_proof_named(const struct scan *s);
/* And that it is a `for`. */
bool cc_proof_plain(const struct scan *s);
/* Of a function: it touches nothing but its own variables, but for what it calls, by name. */
bool cc_proof_pure(const struct scan *s);

#endif
