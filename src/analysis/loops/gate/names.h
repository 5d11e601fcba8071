/* What the loop calls that which the run shows to be overwritten; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_NAMES_H
#define CC_ANALYSIS_LOOPS_GATE_NAMES_H

#include "gate.h"

/* Whether the loop mentions a variable or array of that name; *ret: the array, NULL: a variable. */
bool cc_gate_named(const struct cc_source_loop *s, const char *name, const struct cc_source_array **ret);
/* The name that the loop has for a place of its frame which several variables share; NULL: unknown. */
const char *cc_gate_name_here(const struct gate_input *in, const struct cc_judge_private *v);
/* Whether a name is that of variables which the loop declares, and of no others. */
bool cc_gate_declared(const struct cc_source_loop *s, const char *name);
/* Whether it is of the loop's own frame: declared in it, or in a function that was put into it, or where the
 * compiler keeps something for a while. */
bool cc_gate_own(const struct gate_input *in, const struct cc_judge_private *v);
/* Whether it lies in the frame of the loop's own function, of the activation that has the loop. */
bool cc_gate_is_here(const struct gate_input *in, const struct cc_judge_private *v);
/* Whether what is overwritten is the variable, or the array a, that the loop calls so. */
bool cc_gate_reaches(const struct gate_input *in, const struct cc_judge_private *v,
                     const struct cc_source_array *a, const char *name);
/* A variable whose address is passed on, and which is read after the loop. */
bool cc_gate_is_last(const struct cc_source_loop *s, const char *name);
/* The one array with a name that a line writes; NULL: none, or several. */
const struct cc_source_array *cc_gate_written(const struct cc_source_loop *s, unsigned line);
/* Whether iterations were seen to update elements of what is called so or in that line; NULL, 0: not
 * known. */
bool cc_gate_updated(const struct cc_loop *l, const char *name, unsigned line);
/* Whether the run showed that iterations overwrite what the array's name leads to. */
bool cc_gate_overwrites(const struct gate_input *in, const struct cc_source_array *a);

#endif
