/* Where code of a line of the source ran, what it stored, iterations outside the loop: for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_LINES_H
#define CC_ANALYSIS_LOOPS_GATE_LINES_H

#include "gate.h"

/* Whether an instruction lies in one of the statement's loops. */
bool cc_lines_inside(const struct gate_input *in, uint64_t insn);
/* Whether the loop's code keeps even its counter in memory, as compilers write it that do not optimise. */
bool cc_lines_plain(const struct gate_input *in);
/* How many copies of the loop's body the binary has. */
size_t cc_lines_bodies(const struct gate_input *in);
/* The first line that writes the array, if the binary's loop stores nothing for any of them; 0: it does. */
unsigned cc_lines_elsewhere(const struct gate_input *in, const struct cc_loop *l,
                            const struct cc_source_array *a);
/* The innermost loop of the source, inside this one, that holds the line; NULL: none. */
const struct cc_source_loop *cc_lines_around(const struct gate_input *in, unsigned line);
/* The binary's loops that a loop of the source is; NULL: none, or there is no such loop. */
const struct group *cc_lines_group(const struct gate_input *in, const struct cc_source_loop *s);
/* Whether the line lies in a loop of the source inside this one. */
bool cc_lines_inner(const struct gate_input *in, unsigned line);
/* Whether code of a line ran; of code that was optimised, of the inner loop that holds it, or true. */
bool cc_lines_ran(const struct gate_input *in, const char *file, unsigned line);
/* Whether stores of one of its lines also ran outside the loop. */
bool cc_lines_peeled(const struct gate_input *in, const struct cc_loop *l);
/* Whether stores of that line ran outside the loop. */
bool cc_lines_outside(const struct gate_input *in, const struct cc_loop *l, unsigned line);
/* Whether a line of the loop in which the source stores nothing has a store outside the binary's loop: what
 * its iterations did to some variable of the program's, all at once. */
bool cc_lines_left_behind(const struct gate_input *in);
/* The line of a call below a condition or in an inner loop that ran outside the loop alone: what the binary's
 * loop goes round is only a part of the source's (the iterations whose condition does not hold); 0: none. */
unsigned cc_lines_left_out(const struct gate_input *in, const struct cc_loop *l);
/* Whether the loop's code of a line stores something; loads something. */
bool cc_lines_stored(const struct gate_input *in, const struct cc_loop *l, unsigned line);
bool cc_lines_loaded(const struct gate_input *in, const char *file, unsigned line);
/* Whether the source stores something in a line. */
bool cc_lines_stores(const struct cc_source_loop *s, unsigned line);
/* Whether a line reads one thing and stores one, and code of the loop calls a function there that copies. */
bool cc_lines_copied(const struct gate_input *in, const struct cc_loop *l, unsigned line);
/* Whether code of the loop stores in a line of it in which the source stores nothing. */
bool cc_lines_wander(const struct gate_input *in, const char *file);
/* Whether it is one element, which the loop only combines with something. */
bool cc_lines_one_sum(const struct cc_source_array *a);
/* Whether the loop has code of a line; whether it, or what it calls, was seen to store there, but for values
 * that are put aside in the frame. */
bool cc_lines_of_loop(const struct gate_input *in, const char *file, unsigned line);
bool cc_lines_wrote(const struct gate_input *in, const char *file, unsigned line);
/* How many bytes instructions do that store so, each once. */
uint64_t cc_lines_bytes(const struct gate_input *in, const char *file, unsigned line);
/* The first line that would write the array if a condition held, and never did in these loops; 0: none. */
unsigned cc_lines_idle(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a);
/* A line whose stores are gone, of an array that others of the loop write as well: the later ones may have
 * made them needless; 0: none. */
unsigned cc_lines_lost(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a);

#endif
