/* What an access would show to other cores. */
#include "internal.h"

static bool is_private(const struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t line)
{
    bool reads = kind == CC_SIM_LOAD;
    if (!reads && !s->config.write_back)
        return false;
    const struct cc_cache_line *l = cc_cache_find(&s->core[core].dcache, line);
    return l && l->state >= (reads ? CC_MESI_S : CC_MESI_E) && !l->hot;
}

static bool is_lonely(const struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t line)
{
    for (unsigned i = 0; i < s->config.cores; i++) {
        const struct cc_cache_line *l = cc_cache_find(&s->core[i].dcache, line);
        if (!l)
            continue;
        bool other = i != core && (kind == CC_SIM_STORE ? l->state != CC_MESI_I : l->state == CC_MESI_M);
        if (other || l->lost || l->hot)
            return false;
    }
    return true;
}

enum cc_sim_reach cc_sim_reach(const struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t addr,
                               unsigned size)
{
    unsigned shift = s->core[core].dcache.shift;
    uint64_t last = (addr + (size ? size - 1 : 0)) >> shift;
    enum cc_sim_reach reach = CC_SIM_PRIVATE;
    for (uint64_t line = addr >> shift; line <= last; line++) {
        if (is_private(s, core, kind, line))
            continue;
        if ((kind != CC_SIM_LOAD && kind != CC_SIM_STORE) || !is_lonely(s, core, kind, line))
            return CC_SIM_GLOBAL;
        reach = CC_SIM_LONELY;
    }
    return reach;
}

bool cc_sim_contended(const struct cc_sim *s, unsigned core, uint64_t addr)
{
    const struct cc_cache *c = &s->core[core].dcache;
    const struct cc_cache_line *l = cc_cache_find(c, addr >> c->shift);
    return l && (l->hot || l->lost);
}

bool cc_sim_fetch_hits(const struct cc_sim *s, unsigned core, uint64_t addr)
{
    const struct core *c = &s->core[core];
    uint64_t line = addr >> c->icache.shift;
    return line == c->fetch_line || cc_cache_find(&c->icache, line);
}

enum cc_mesi cc_sim_state(const struct cc_sim *s, unsigned core, uint64_t addr)
{
    const struct cc_cache *c = &s->core[core].dcache;
    const struct cc_cache_line *l = cc_cache_find(c, addr >> c->shift);
    return l ? (enum cc_mesi)l->state : CC_MESI_I;
}

void cc_sim_repeat(struct cc_sim *s, unsigned core, const struct cc_sim_core_stats *before, uint64_t times)
{
    struct cc_sim_core_stats *st = &s->stats->core[core];
    uint64_t loads = (st->loads - before->loads) * times, latency = s->config.dcache.latency;
    st->cycles += (st->cycles - before->cycles) * times;
    st->instructions += (st->instructions - before->instructions) * times;
    st->fetches += (st->fetches - before->fetches) * times;
    st->loads += loads;
    unsigned bucket = latency ? 64 - (unsigned)__builtin_clzll(latency) : 0;
    s->stats->latency[CC_SIM_LOAD][bucket < CC_SIM_BUCKETS ? bucket : CC_SIM_BUCKETS - 1] += loads;
    s->stats->latency_sum[CC_SIM_LOAD] += loads * latency;
    s->stats->latency_count[CC_SIM_LOAD] += loads;
}
