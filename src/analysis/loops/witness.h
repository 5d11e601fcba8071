/* Which instructions of a loop were seen to read which variable: for gate.c. A load that the source has and
 * the binary has not may be the very one that an iteration needs another for. */
#ifndef CC_ANALYSIS_LOOPS_WITNESS_H
#define CC_ANALYSIS_LOOPS_WITNESS_H

#include "../../profile/profile.h"
#include "source/source.h"

struct cc_witness; /* of a profile */

struct cc_witness *cc_witness_new(const struct cc_profile *p);
void cc_witness_free(struct cc_witness *w);
/* Whether the recording tells at all. */
bool cc_witness_any(const struct cc_witness *w);

enum { CC_WITNESS_LINES = 16 };
struct cc_witness_query {
    const char *file;
    unsigned line;
    const char *name;        /* NULL: of whatever */
    const uint32_t *members; /* loops of the profile */
    size_t nmembers;
    /* lines, up to 0 or CC_WITNESS_LINES: only of what loops write there; NULL: of whatever */
    const unsigned *written;
    const uint32_t *writers; /* of these loops' writes; none: of any's */
    size_t nwriters;
    bool constants; /* also of static variables and blocks that no loop was seen to write */
    bool data;      /* of loads: not of those that only tell where another access goes */
    bool moving;    /* of cc_witness_loads_in: of these, those at another address in each iteration, where the
                       code of the loop is one piece */
    /* of loads: not of what a compiler has put aside in the frame and finds there again, which is no element
     * of what this loop accesses by element, where the code of the loop is one piece; NULL: of that too */
    const struct cc_source_loop *elements;
};
/* Whether some code of that line ran in the function. */
bool cc_witness_ran(const struct cc_witness *w, const char *file, unsigned line, uint32_t function);
/* Whether code of some line from q->line to `last` lies in these loops. */
bool cc_witness_inside(const struct cc_witness *w, const struct cc_witness_query *q, unsigned last);
/* Whether such code lies in the function, but not in loops that have nothing to do with these. */
bool cc_witness_near(const struct cc_witness *w, const struct cc_witness_query *q, unsigned last,
                     uint32_t function);
/* How many instructions of that line, in the code of these loops, read it. What has no name may be it. */
size_t cc_witness_reads(const struct cc_witness *w, const struct cc_witness_query *q);
/* How many loads they are: an instruction that loads a pair is two. */
size_t cc_witness_loads(const struct cc_witness *w, const struct cc_witness_query *q);
/* Whether what the instruction leaves in a register is computed from a load of it: of that name, or of what
 * loops write in those lines. */
bool cc_witness_loads_of(const struct cc_witness *w, const struct cc_witness_query *q, uint64_t insn);
/* How many bytes an instruction stores; 0: none, or its code is not known. */
uint64_t cc_witness_bytes(const struct cc_witness *w, uint64_t insn);
/* Whether an instruction loads something that does not only tell where another access goes. */
bool cc_witness_data(const struct cc_witness *w, uint64_t insn);
/* Whether that is stored elsewhere, as it is. */
bool cc_witness_stores(const struct cc_witness *w, uint64_t insn);
/* Loads in the loops, of whatever line; of that file, if there is one. */
size_t cc_witness_loads_in(const struct cc_witness *w, const struct cc_witness_query *q);
/* Whether an instruction of that line, in the code of these loops, reads a static variable of that name which
 * no loop was seen to write. */
bool cc_witness_constant(const struct cc_witness *w, const struct cc_witness_query *q);
/* Whether the loops, or what they call, read a variable of that name in memory, wherever. */
bool cc_witness_named(const struct cc_witness *w, const struct cc_witness_query *q);

#endif
