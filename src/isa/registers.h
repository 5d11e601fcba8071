/* Which general registers an instruction takes and sets, for aarch64 and x86-64: bit n is register n. */
#ifndef CC_ISA_REGISTERS_H
#define CC_ISA_REGISTERS_H

#include "isa.h"

#include <capstone/capstone.h>

struct cc_registers {
    uint32_t taken, set; /* 0 where nothing is known */
    uint32_t address;    /* of these taken, what its address in memory is made of */
    uint32_t moved;      /* set to the next address, as it goes along */
    bool frame;          /* what it accesses lies at a fixed distance from the stack pointer */
};

void cc_registers(csh handle, const cs_insn *insn, enum cc_isa_id isa, struct cc_registers *ret);

#endif
