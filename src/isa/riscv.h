/* RV64GC instructions by their encoding. */
#ifndef CC_ISA_RISCV_H
#define CC_ISA_RISCV_H

#include "../base/base.h"

struct cc_riscv {
    unsigned size;    /* 2 or 4, or what is left of the code if that is less; 6 to 22 for longer ones, which
                         nobody uses */
    const char *name; /* of a compressed one: what it stands for. NULL: unknown */
    uint8_t operands, memory_operands;
};

void cc_riscv_decode(const uint8_t *code, size_t size, struct cc_riscv *ret);

#endif
