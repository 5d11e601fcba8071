/* Store-exclusive (store-conditional) instructions, which emulators carry out as compare-and-swap. */
#ifndef CC_ISA_EXCLUSIVE_H
#define CC_ISA_EXCLUSIVE_H

#include "isa.h"

/* thumb: arm's short instruction set, whose words of four bytes would be other instructions in the long one.
 */
bool cc_is_store_exclusive(enum cc_isa_id isa, const uint8_t *bytes, size_t size, bool thumb);

#endif
