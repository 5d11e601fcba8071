/* What VEX's operations mean in records of collect/loop_code.h. */
#ifndef CC_ENGINES_VALGRIND_CODE_H
#define CC_ENGINES_VALGRIND_CODE_H

#include "engine.h"

struct cc_vg_meaning {
    IROp op;
    UChar class, lane, rounded; /* lane: bits; rounded: the first operand is a rounding mode */
    Bool turned;                /* ours has its operands the other way round */
};

const struct cc_vg_meaning *cc_vg_meaning(IROp op); /* NULL: none */
/* Of the lowest part of a register; the rest is the first operand's. */
const struct cc_vg_meaning *cc_vg_low_meaning(IROp op);

#endif
