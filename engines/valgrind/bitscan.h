/* BSF and BSR of x86-64 leave their register as it was where they find no bit. */
#ifndef CC_ENGINES_VALGRIND_BITSCAN_H
#define CC_ENGINES_VALGRIND_BITSCAN_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Whether a choice is between what such an instruction found and what was in the register. */
Bool cc_vg_is_bitscan(const IRSB *in, const IRExpr *e);
/* Where a statement chooses so: the GET of the register, if nothing else uses that, and no exit lies between;
 * IRTemp_INVALID: there is none. */
IRTemp cc_vg_bitscan_old(const IRSB *in, const IRStmt *st);

#endif
