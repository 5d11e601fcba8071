/* The communication graph of a recording. */
#ifndef CC_ANALYSIS_PARTITION_RECORDING_H
#define CC_ANALYSIS_PARTITION_RECORDING_H

#include "graph.h"
#include "../../profile/profile.h"

enum cc_graph_traffic { CC_GRAPH_BYTES, CC_GRAPH_FRESH, CC_GRAPH_UNMA };

/* Nodes with their exclusive instructions (of threads: all theirs), edges with what `traffic` says. What
 * comes from or goes outside the functions of the program (<input>, <static>, <unknown>, <output>, <runtime>)
 * is not placed; its bytes are counted in *ret_outside. */
int cc_graph_from_profile(const struct cc_profile *p, enum cc_level level, enum cc_graph_traffic traffic,
                          struct cc_graph *ret, uint64_t *ret_outside, struct cc_err *err);

#endif
