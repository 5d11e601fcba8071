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
/* What an instruction accesses whenever it is executed, as QEMU tells it, if it does at all. */
struct cc_access {
    uint8_t times; /* once, or twice: two neighbours, the lower one first; 0: this is not known */
    uint8_t class; /* log2 of the bytes of one */
    bool write;
    bool update; /* it reads once, then writes the same place once */
};
struct cc_access cc_access_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
struct cc_access cc_access_of_x86(const uint8_t *bytes, size_t size); /* decode_x86.c */
/* How many bytes an instruction reads that QEMU carries out with a longer load (7.2 takes whole vectors for
 * scalars of multiply-add, among others); 0: it reads what QEMU tells. */
unsigned cc_part_read(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
unsigned cc_part_read_x86(const uint8_t *bytes, size_t size); /* decode_x86.c */
/* x86's string operations that repeat: each time is an execution, and so is the last one, which accesses
 * nothing. */
bool cc_may_access(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
/* How many bytes an instruction of x86-64 has: more than `size` if these are only its beginning. */
size_t cc_length_x86(const uint8_t *bytes, size_t size);
unsigned cc_block_zero_register(const uint8_t *bytes); /* that has its address */

#endif
