/* Whether the binary has the loads that the source has: for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_READS_H
#define CC_ANALYSIS_LOOPS_GATE_READS_H

#include "gate.h"

/* The first line whose reads of the array the binary has no loads for; 0: none. */
unsigned cc_reads_unread(const struct gate_input *in, const struct cc_loop *l,
                         const struct cc_source_array *a);
/* Whether the loop's code of a line loads what the source looks at there by way of calls. */
bool cc_reads_looked(const struct gate_input *in, const struct cc_loop *l, unsigned line);
/* How many times it has to have what a line reads: once, unless the iteration before hands on what it has
 * stored. Then one copy of the body may have a load where another has none. */
size_t cc_reads_times(const struct gate_input *in, unsigned line);
/* Whether the loop has a load for each look of the line, whatever at. */
bool cc_reads_all_loaded(const struct gate_input *in, const char *file, unsigned line);
/* Whether all loads and stores that the source has are there. */
bool cc_reads_all_there(const struct gate_input *in, const struct cc_loop *l);

/* Whether a look is at an object as a whole, and certainly in memory. */
bool cc_reads_is_whole(const struct gate_input *in, const struct cc_source_given *look);

/* The same of a field that is only read beside the record that is written, or of a record beside a field of
 * it: 0, or a line that lacks loads. */
unsigned cc_reads_unmet(const struct gate_input *in, const struct cc_loop *l,
                        const struct cc_source_array *a);

/* Of what is written over several lines a compiler may say that all loads are in one: then there have to be
 * as many as all its lines read, of whatever. */
bool cc_reads_span(const struct gate_input *in, const char *file, unsigned line);

#endif
