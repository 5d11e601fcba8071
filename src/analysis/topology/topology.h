/* Networks on chip: who is joined to whom, the way a message takes, and what a set of messages does to the
 * links. Links are directed: each direction of a wire carries its own bytes. See README.md for what each kind
 * means. */
#ifndef CC_ANALYSIS_TOPOLOGY_TOPOLOGY_H
#define CC_ANALYSIS_TOPOLOGY_TOPOLOGY_H

#include "../../base/err.h"
#include "../../platform/platform.h"

enum cc_topology_kind {
    CC_TOPOLOGY_MESH,
    CC_TOPOLOGY_TORUS,
    CC_TOPOLOGY_RING,
    CC_TOPOLOGY_STAR,
    CC_TOPOLOGY_CROSSBAR,
    CC_TOPOLOGY_BUS,
};

enum { CC_TOPOLOGY_MAX_NODES = 1024 };

struct cc_topology_link {
    size_t from,
        to; /* nodes; == cc_topology_nodes() for the hub of a star, the inside of a crossbar, the bus */
};

struct cc_topology;

/* `missing` holds 2 * nmissing nodes: pairs whose wire is absent, both ways (mesh, torus and ring only). With
 * absent wires messages take the shortest way instead of the XY one. A network that falls apart is an error.
 */
int cc_topology_new(enum cc_topology_kind kind, size_t width, size_t height, const size_t *missing,
                    size_t nmissing, struct cc_topology **ret, struct cc_err *err);
/* From the [topology] section; errors name its lines. */
int cc_topology_from_platform(const struct cc_platform *p, struct cc_topology **ret, struct cc_err *err);
void cc_topology_free(struct cc_topology *t);

enum cc_topology_kind cc_topology_kind(const struct cc_topology *t);
const char *cc_topology_kind_name(enum cc_topology_kind kind);
size_t cc_topology_nodes(const struct cc_topology *t);
size_t cc_topology_width(const struct cc_topology *t);
size_t cc_topology_links(const struct cc_topology *t);
struct cc_topology_link cc_topology_link(const struct cc_topology *t, size_t link);
unsigned cc_topology_hops(const struct cc_topology *t, size_t from, size_t to);
/* "3" or "(1,0)"; the hub is "hub", the bus "bus". `out` is returned. */
char *cc_topology_node_name(const struct cc_topology *t, size_t node, char out[static 48]);
/* Every pair of nodes is as good as every other (star, crossbar, bus): placing changes nothing. */
bool cc_topology_uniform(const struct cc_topology *t);

struct cc_traffic {
    size_t from, to; /* nodes, or parts before they are placed */
    uint64_t bytes;
};

struct cc_traffic_result {
    uint64_t hop_bytes;   /* sum of bytes x hops; equals the sum over links of what they carry */
    uint64_t max_link;    /* bytes over the most loaded link */
    size_t max_link_id;   /* SIZE_MAX when nothing moves */
    uint64_t *link_bytes; /* one a link; owned, may be NULL if not asked for */
};

/* `place[part]` is the part's node; NULL: parts are nodes. */
void cc_topology_route_all(const struct cc_topology *t, const struct cc_traffic *traffic, size_t n,
                           const size_t *place, bool keep_links, struct cc_traffic_result *ret);

#endif
