/* The control flow of one function: its blocks and where each goes. */
#ifndef CC_BINARY_CFG_H
#define CC_BINARY_CFG_H

#include "code.h"

struct cc_codegraph_block {
    uint64_t from, to;     /* [from, to) in the file's virtual addresses */
    uint64_t last;         /* address of the instruction that ends it */
    uint32_t first, count; /* its successors: first, first + 1 … of `edges` */
    uint32_t instructions;
    bool branches; /* it ends in a conditional branch */
    bool touches;  /* memory, or it calls */
    bool calls;
    bool back_to_setjmp; /* its call does not return, and the function has a setjmp it may come back to */
    bool twice;          /* it begins where a call returns that may return again: setjmp */
};

struct cc_codegraph {
    CC_VEC(struct cc_codegraph_block)
    blocks;                  /* by address; only what can be reached from the function's entry */
    CC_VEC(uint32_t) edges;  /* blocks */
    CC_VEC(uint64_t) leaves; /* where direct jumps out of the parts go */
    uint32_t entry;          /* block; meaningless where there are none */
    bool indirect;           /* some jump goes to where only the run tells */
    bool returns;            /* some way leads to a return, or out of the parts */
};

/* Of code in these parts, of which the first begins with the function's entry. Bounded by the size of the
 * parts. */
void cc_codegraph_init(struct cc_codegraph *g, struct cc_code *c, const struct cc_code_part *const *parts,
                       size_t n);
void cc_codegraph_fini(struct cc_codegraph *g);

/* The block that begins at an address; UINT32_MAX: none. */
uint32_t cc_codegraph_block_at(const struct cc_codegraph *g, uint64_t address);

#endif
