/* How much of vector registers a piece of code looks at, and how much of them it changes. */
#ifndef CC_ENGINES_VALGRIND_LANES_H
#define CC_ENGINES_VALGRIND_LANES_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

struct cc_vg_lanes; /* of a block, as VEX made it */

struct cc_vg_lanes *cc_vg_lanes_new(const IRSB *in);
void cc_vg_lanes_free(struct cc_vg_lanes *l);
/* Lower bytes of a temporary that something looks at, `size` if it is all. */
UInt cc_vg_lanes_seen(const struct cc_vg_lanes *l, IRTemp t, UInt size);
/* Lower bytes of a register that statement i changes, a PUT of `size`. */
UInt cc_vg_lanes_put(const struct cc_vg_lanes *l, Int i, UInt size);

#endif
