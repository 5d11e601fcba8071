/* Which instructions call and which return, for the machines the QEMU engine knows. */
#ifndef CC_ENGINES_QEMU_DECODE_H
#define CC_ENGINES_QEMU_DECODE_H

#include <stddef.h>
#include <stdint.h>

enum cc_flow { CC_FLOW_NONE, CC_FLOW_CALL, CC_FLOW_RETURN };

/* `machine` is ELF's e_machine. thumb: the ARM instruction is in the Thumb set (2 bytes, or 4 of two halves).
 */
enum cc_flow cc_flow_of(uint32_t machine, const uint8_t *bytes, size_t size);
/* aarch64's DC ZVA writes a block that memory callbacks do not report. */
int cc_is_block_zero(uint32_t machine, const uint8_t *bytes, size_t size);

#endif
