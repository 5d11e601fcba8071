/* One instruction at a time: how long it is, what class it counts as, how many operands it has. x86-64,
 * aarch64, arm and Thumb through the capstone library, RISC-V (RV64GC) by hand. What counts as what is in
 * rules.def. */
#ifndef CC_ISA_DECODE_H
#define CC_ISA_DECODE_H

#include "../base/err.h"
#include "class.h"
#include "isa.h"

/* What an instruction computes: one of enum cc_class but CC_MEMORY, or one of these. */
enum {
    CC_INSN_ACCESS = CC_MEMORY, /* nothing: a load or a store */
    CC_INSN_OTHER = CC_CLASSES, /* nop, barrier, system call, prefetch */
    CC_INSN_UNKNOWN,            /* bytes that are no instruction we know */
    CC_INSN_KINDS
};

struct cc_insn {
    unsigned size;                       /* in bytes; at least 1 */
    unsigned kind;                       /* what it computes, see above */
    bool reads, writes;                  /* memory */
    unsigned operands;                   /* as written; one in memory is one, however it is addressed */
    unsigned memory_operands;            /* of these; implied ones (a call's return address) count */
    uint32_t taken, set, address, moved; /* general registers, see registers.h; 0 where that is not known */
    bool frame; /* of x86-64 and aarch64: what it accesses lies at a fixed distance from the stack pointer */
    const char *name; /* borrowed from the decoder, valid until the next instruction; "?" if unknown */
};

struct cc_decoder;

/* An instruction set without classes is an error. */
int cc_decoder_new(const struct cc_isa *isa, struct cc_decoder **ret, struct cc_err *err);
void cc_decoder_free(struct cc_decoder *d);

/* The instruction at `code`, of which `size` bytes (at least 1) may be read. Never fails: what cannot be
 * decoded is CC_INSN_UNKNOWN and as long as the instruction set says, on x86 all `size` bytes, for nobody
 * knows where the next begins. */
void cc_decode(struct cc_decoder *d, bool thumb, const uint8_t *code, size_t size, uint64_t address,
               struct cc_insn *ret);

/* The instruction's class for a disassembler's mnemonic, CC_INSN_UNKNOWN if no rule fits: for tests. */
unsigned cc_decode_rule(enum cc_isa_id isa, const char *name);

#endif
