/* The interconnect: one bus, a crossbar with a port per destination, or a 2-D mesh with XY routing and a
 * calendar per link. */
#ifndef CC_SIM_NET_H
#define CC_SIM_NET_H

#include "resource.h"
#include "sim.h"

struct cc_net {
    enum cc_sim_net_kind kind;
    uint32_t width, latency, x, y;
    uint8_t column[CC_SIM_MAX_NODES], row[CC_SIM_MAX_NODES]; /* of a mesh's nodes */
    struct cc_resource *links;                               /* as in cc_sim_stats.link_busy */
    uint32_t nlinks;
    struct cc_pool *pool;
    struct cc_sim_stats *stats;
    unsigned core; /* for whom messages go */
    uint64_t lost; /* cycles the access under way has queued at links behind other cores */
};

void cc_net_init(struct cc_net *n, const struct cc_sim_config *config, struct cc_sim_stats *stats,
                 const uint64_t *horizon, struct cc_pool *pool);
void cc_net_fini(struct cc_net *n);
/* One message of a header flit and `bytes` of payload that may leave `from` at `t`; returns when its last
 * flit is at `to`. */
uint64_t cc_net_send(struct cc_net *n, unsigned from, unsigned to, unsigned bytes, uint64_t t);
unsigned cc_net_hops(const struct cc_net *n, unsigned from, unsigned to);
/* Cycles a message takes on an idle network: arbitration or hops, then its flits. */
uint64_t cc_net_idle(const struct cc_net *n, unsigned from, unsigned to, unsigned bytes);

#endif
