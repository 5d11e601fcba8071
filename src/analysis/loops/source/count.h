/* What a loop accesses, told so that it can be gone through once the run has told how often loops turned; for
 * source.c. Lines that read.c reads again:
 *   h  a loop around it, itself, or in it: line; where its counter starts (or nothing); its step; the least
 *      value of one that counts down (or nothing); how often it turns (or nothing); 0 around, 1 itself, 2
 *      inside; lines of stores to another element in each iteration, which none goes without: `line:bytes,…`;
 *      the line of the loop around of which it is the whole body (0: none)
 *   t  the numbers of a constant table
 *   e  an access: array (as told, from 0); variable; r, w or u (an update); the field's first bit and bits;
 *      subscript; condition. Both are written with operands first: `#4 c0 +`, c: counter of the h-th loop,
 *      t: entry of a table. A subscript `?` is not known.
 *   v  the name of a variable that is a vector; of its accesses the array is no number of one */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_COUNT_H
#define CC_ANALYSIS_LOOPS_SOURCE_COUNT_H

#include "scan.h"

enum { COUNT_HEADS = 8, COUNT_TABLES = 8, COUNT_ENTRIES = 4096 };

struct count_head {
    uint32_t loop, body, test, start;
    int32_t decl;
    long step;
};

struct counts {
    const struct scan *s;
    unsigned nheads, ntables;
    struct count_head heads[COUNT_HEADS];
    int32_t tables[COUNT_TABLES]; /* decls */
    FILE *out;
};

void cc_counts_init(struct counts *c, const struct scan *s, FILE *out); /* tells of loops */
/* array: as it is told */
void cc_counts_tell(struct counts *c, const struct scan_array *a, unsigned array);

/* The same of vectors, which have no arrays. */
void cc_counts_vectors(struct counts *c, int32_t counter);

#endif
