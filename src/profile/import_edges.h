#ifndef CC_PROFILE_IMPORT_EDGES_H
#define CC_PROFILE_IMPORT_EDGES_H

#include "profile.h"

/* The edges by level, producer and consumer (cc_edge_order); their ids are those of tables, or special. To be
 * freed. */
const struct cc_pedge **cc_edges_sorted(const struct cc_pedge *v, size_t n);

#endif
