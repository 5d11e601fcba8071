/* Where control goes after one instruction: enough to find the blocks and loops of a program. By encoding;
 * the capstone library only tells how long an x86 instruction is. */
#ifndef CC_ISA_FLOW_H
#define CC_ISA_FLOW_H

#include "../base/err.h"
#include "isa.h"

enum cc_flow_kind {
    CC_FLOW_NEXT,          /* to the next instruction */
    CC_FLOW_JUMP,          /* to the target */
    CC_FLOW_BRANCH,        /* to the target or the next */
    CC_FLOW_INDIRECT,      /* to where a register or memory says */
    CC_FLOW_CALL,          /* to the target, and in due course to the next */
    CC_FLOW_CALL_INDIRECT, /* and in due course to the next */
    CC_FLOW_RETURN,
    CC_FLOW_STOP, /* nowhere: a trap, or no instruction */
};

struct cc_flow {
    unsigned size; /* in bytes, at least 1; with the delay slot where there is one */
    enum cc_flow_kind kind;
    bool conditional; /* of INDIRECT, RETURN: it may also go to the next */
    bool nop;         /* it does nothing: padding */
    bool memory;      /* it reads or writes memory */
    uint64_t target;  /* of JUMP, BRANCH, CALL */
};

struct cc_flow_decoder {
    const struct cc_isa *isa;
    uintptr_t handle; /* of the library */
    void *insn;       /* its room for one */
    uint64_t it_next; /* Thumb: the next instruction of an IT block, */
    unsigned it_left; /* and how many there are */
};

int cc_flow_init(struct cc_flow_decoder *d, const struct cc_isa *isa, struct cc_err *err);
void cc_flow_fini(struct cc_flow_decoder *d);

/* The instruction at `code`, of which `size` bytes (at least 1) may be read. Of Thumb's IT blocks it knows
 * only if it saw the IT instruction right before. */
struct cc_flow cc_flow_at(struct cc_flow_decoder *d, bool thumb, const uint8_t *code, size_t size,
                          uint64_t address);

#endif
