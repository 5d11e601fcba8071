#include "net.h"

#include <stdlib.h>
#include <string.h>

void cc_net_init(struct cc_net *n, const struct cc_sim_config *config, struct cc_sim_stats *stats,
                 const uint64_t *horizon, struct cc_pool *pool)
{
    memset(n, 0, sizeof *n);
    n->kind = config->net;
    n->width = config->net_width;
    n->latency = config->net_latency;
    n->x = config->mesh_x;
    n->y = config->mesh_y;
    n->stats = stats;
    n->nlinks = n->kind == CC_SIM_BUS ? 1 : n->kind == CC_SIM_CROSSBAR ? CC_SIM_MAX_NODES : n->x * n->y * 4;
    stats->links = n->nlinks;
    for (unsigned i = 0; n->kind == CC_SIM_MESH && i < n->x * n->y; i++) {
        n->column[i] = (uint8_t)(i % n->x);
        n->row[i] = (uint8_t)(i / n->x);
    }
    n->pool = pool;
    n->links = cc_pool_alloc(pool, n->nlinks, sizeof *n->links);
    for (uint32_t i = 0; i < n->nlinks; i++)
        cc_resource_init(&n->links[i], config->cores, horizon, pool);
}

void cc_net_fini(struct cc_net *n)
{
    for (uint32_t i = 0; i < n->nlinks; i++)
        cc_resource_fini(&n->links[i]);
    cc_pool_free(n->pool, n->links, n->nlinks, sizeof *n->links);
    memset(n, 0, sizeof *n);
}

unsigned cc_net_hops(const struct cc_net *n, unsigned from, unsigned to)
{
    if (n->kind != CC_SIM_MESH)
        return 1;
    int dx = n->column[from] - n->column[to], dy = n->row[from] - n->row[to];
    return (unsigned)(abs(dx) + abs(dy));
}

static uint64_t flits(const struct cc_net *n, unsigned bytes)
{
    return 1 + (bytes + n->width - 1) / n->width;
}

uint64_t cc_net_idle(const struct cc_net *n, unsigned from, unsigned to, unsigned bytes)
{
    return (uint64_t)cc_net_hops(n, from, to) * n->latency + flits(n, bytes);
}

static inline uint64_t cross(struct cc_net *n, unsigned link, uint64_t length, uint64_t t, uint64_t *wait)
{
    uint64_t start = cc_resource_book(&n->links[link], n->core, t, length, &n->lost);
    *wait += start - t;
    return start + n->latency;
}

/* The head flit goes link by link, x first; each link is taken for all the flits from when the head gets it.
 * Routers buffer whole messages: a message that waits does not hold the links behind it (virtual
 * cut-through). */
static uint64_t send_mesh(struct cc_net *n, unsigned from, unsigned to, uint64_t length, uint64_t t)
{
    int dx = n->column[to] - n->column[from], dy = n->row[to] - n->row[from];
    unsigned east_west = dx > 0 ? CC_SIM_EAST : CC_SIM_WEST, node = from;
    unsigned north_south = dy > 0 ? CC_SIM_SOUTH : CC_SIM_NORTH;
    uint64_t wait = 0, hops = (uint64_t)(abs(dx) + abs(dy));
    for (int left = abs(dx); left; left--, node += dx > 0 ? 1u : -1u)
        t = cross(n, node * 4 + east_west, length, t, &wait);
    for (int left = abs(dy); left; left--, node += dy > 0 ? n->x : -n->x)
        t = cross(n, node * 4 + north_south, length, t, &wait);
    n->stats->net_wait += wait;
    n->stats->hops += hops;
    return t + length;
}

uint64_t cc_net_send(struct cc_net *n, unsigned from, unsigned to, unsigned bytes, uint64_t t)
{
    uint64_t length = flits(n, bytes);
    n->stats->messages++;
    n->stats->bytes += bytes;
    if (n->kind == CC_SIM_MESH)
        return send_mesh(n, from, to, length, t);
    struct cc_resource *link = &n->links[n->kind == CC_SIM_BUS ? 0 : to];
    t += n->latency;
    uint64_t start = cc_resource_book(link, n->core, t, length, &n->lost);
    n->stats->net_wait += start - t;
    return start + length;
}
