/* Instructions that change memory with nobody between: in one, or as store-exclusive (store-conditional),
 * which emulators carry out as compare-and-swap. */
#ifndef CC_ISA_EXCLUSIVE_H
#define CC_ISA_EXCLUSIVE_H

#include "isa.h"

/* thumb: arm's short instruction set, whose words of four bytes would be other instructions in the long one.
 */
bool cc_is_store_exclusive(enum cc_isa_id isa, const uint8_t *bytes, size_t size, bool thumb);

/* One that loads and stores (lock add, xchg, cas, ldadd, amoadd), or a store-exclusive. */
enum cc_atomic { CC_ATOMIC_NONE, CC_ATOMIC_UPDATE, CC_ATOMIC_STORE };
enum cc_atomic cc_atomic_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size, bool thumb);

#endif
