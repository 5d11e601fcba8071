/* Which instructions call and which return, for the machines the QEMU engine knows. */
#ifndef CC_ENGINES_QEMU_DECODE_H
#define CC_ENGINES_QEMU_DECODE_H

#include "../../src/isa/isa.h"

enum cc_flow { CC_FLOW_NONE, CC_FLOW_CALL, CC_FLOW_RETURN };

enum cc_flow cc_flow_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
/* aarch64's DC ZVA writes a block that memory callbacks do not report. */
int cc_is_block_zero(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
/* aarch64's instructions that copy or set any number of bytes (FEAT_MOPS) are not reported either. They come
 * in threes: the first has where, whence and how much in general registers of these numbers. */
struct cc_block_op {
    uint8_t to, from, count;
    uint8_t copies; /* or sets */
};
int cc_block_op(enum cc_isa_id isa, const uint8_t *bytes, size_t size, struct cc_block_op *ret);
/* Whether the instruction, whenever it is executed, accesses memory once at most, as QEMU tells it. Of some
 * that do, it is not known. */
int cc_is_single_access(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
/* Whether it loads or stores two neighbours of four or of eight bytes, the lower one first. */
int cc_is_pair_access(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
unsigned cc_block_zero_register(const uint8_t *bytes); /* that has its address */

#endif
