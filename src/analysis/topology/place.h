/* Placing parts on the nodes of a network so that bytes x hops are few and, among equals, the fullest link is
 * light. */
#ifndef CC_ANALYSIS_TOPOLOGY_PLACE_H
#define CC_ANALYSIS_TOPOLOGY_PLACE_H

#include "topology.h"

struct cc_placement {
    size_t parts;
    size_t *node; /* of each part; no two alike */
    struct cc_traffic_result traffic;
    bool proven; /* no placement has fewer byte-hops */
};

/* `bytes` is parts x parts, row = from. fixed[p] keeps part p on node p (NULL: none). Needs parts <= nodes.
 */
int cc_topology_place(const struct cc_topology *t, const uint64_t *bytes, size_t parts, const bool *fixed,
                      struct cc_placement *ret, struct cc_err *err);
void cc_placement_fini(struct cc_placement *p);

#endif
