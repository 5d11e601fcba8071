/* A graph as bytes, for the report page, which replays it with the same code. Not a file format: both sides
 * are of one build. */
#ifndef CC_ANALYSIS_HTG_PACK_H
#define CC_ANALYSIS_HTG_PACK_H

#include "htg.h"
#include "../../base/text.h"

/* At most max_nodes (at least 1): of a larger graph, tasks below a depth are left out and are part of the
 * task they ran in. Returns that depth, 0: the graph is whole. The trace of lines is left out. */
unsigned cc_htg_pack(const struct cc_htg *h, size_t max_nodes, struct cc_buf *out);
/* Whatever the bytes are, the graph that comes out is a sound one. */
int cc_htg_unpack(const void *bytes, size_t n, struct cc_htg **ret, struct cc_err *err);

#endif
