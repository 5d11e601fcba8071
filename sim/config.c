#include "sim.h"

static bool power_of_two(uint64_t v)
{
    return v && !(v & (v - 1));
}

static const char *check_cache(const struct cc_sim_cache_config *c, uint32_t slices)
{
    if (!power_of_two(c->line) || c->line < 4 || c->line > CC_SIM_MAX_LINE)
        return "a cache's line must be a power of two from 4 to 256 bytes";
    if (!c->ways || c->size % ((uint64_t)c->line * c->ways * slices) ||
        !power_of_two(c->size / slices / c->line / c->ways))
        return "a cache's size over line, ways (and banks, for the shared one) must be a power of two of "
               "sets";
    return NULL;
}

static const char *check_banks(const struct cc_sim_config *c, uint32_t nodes)
{
    uint32_t served = 0;
    for (uint32_t b = 0; b < c->banks; b++) {
        served |= c->bank[b].serves;
        if (!c->bank[b].bandwidth)
            return "a bank needs a bandwidth of at least a byte a cycle";
        if (c->bank[b].node >= nodes)
            return "a bank's node is not on the mesh";
        if ((c->bank[b].serves & CC_SIM_RANGE) && c->bank[b].from >= c->bank[b].to)
            return "a bank's address range is empty";
    }
    if ((served & CC_SIM_CODE) && (served & CC_SIM_DATA))
        return NULL;
    return "some bank must serve code, and some data";
}

const char *cc_sim_config_check(const struct cc_sim_config *c)
{
    if (!c->cores || c->cores > CC_SIM_MAX_CORES)
        return "the number of cores must be from 1 to 256";
    if (!c->banks || c->banks > CC_SIM_MAX_BANKS)
        return "the number of memory banks must be from 1 to 64";
    if (c->write_buffer > 4096)
        return "a write buffer has at most 4096 slots";
    const char *bad = check_cache(&c->icache, 1);
    bad = bad ? bad : check_cache(&c->dcache, 1);
    bad = bad || !c->l2.size ? bad : check_cache(&c->l2, c->banks);
    if (bad)
        return bad;
    uint64_t lines = (uint64_t)c->cores * (c->icache.size / c->icache.line + c->dcache.size / c->dcache.line);
    lines += c->l2.size ? c->l2.size / c->l2.line : 0;
    if (lines > (1 << 25)) /* a gigabyte of host memory */
        return "the caches have more than 32 million lines together";
    if (c->l2.size && (c->l2.line != c->dcache.line || c->l2.line != c->icache.line))
        return "the shared cache needs the same line as the private ones";
    if (!c->net_width)
        return "the interconnect's width must be at least a byte";
    if (!c->interleave || c->interleave % c->dcache.line || c->interleave % c->icache.line)
        return "banks must be interleaved by a multiple of the cache line";
    uint32_t nodes = c->net == CC_SIM_MESH ? c->mesh_x * c->mesh_y : CC_SIM_MAX_NODES;
    if (c->net == CC_SIM_MESH && (!c->mesh_x || !c->mesh_y || c->mesh_x > 32 || c->mesh_y > 32))
        return "a mesh is from 1x1 to 32x32";
    if (c->net == CC_SIM_MESH && c->cores > nodes)
        return "the mesh has fewer nodes than cores";
    return check_banks(c, nodes);
}
