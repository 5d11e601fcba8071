/* Which instructions call and which return, for the machines the QEMU engine knows. */
#ifndef CC_ENGINES_QEMU_DECODE_H
#define CC_ENGINES_QEMU_DECODE_H

#include "../../src/isa/isa.h"

enum cc_flow { CC_FLOW_NONE, CC_FLOW_CALL, CC_FLOW_RETURN };

enum cc_flow cc_flow_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size);
/* aarch64's DC ZVA writes a block that memory callbacks do not report. */
int cc_is_block_zero(enum cc_isa_id isa, const uint8_t *bytes, size_t size);

#endif
