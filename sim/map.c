/* Which bank an address belongs to. */
#include "internal.h"

void cc_sim_add_stack(struct cc_sim *s, uint64_t from, uint64_t to)
{
    uint32_t keep = 0; /* a reused stack replaces what it overlaps */
    for (uint32_t i = 0; i < s->nstacks; i++)
        if (s->stack[i].to <= from || s->stack[i].from >= to)
            s->stack[keep++] = s->stack[i];
    s->nstacks = keep;
    if (s->nstacks == CC_SIM_MAX_STACKS)
        return;
    uint32_t at = s->nstacks++;
    for (; at > 0 && s->stack[at - 1].from > from; at--)
        s->stack[at] = s->stack[at - 1];
    s->stack[at] = (struct range){from, to};
}

static bool is_stack(const struct cc_sim *s, uint64_t addr)
{
    uint32_t lo = 0, hi = s->nstacks;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->stack[mid].to <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->nstacks && s->stack[lo].from <= addr;
}

unsigned cc_sim_bank_of(const struct cc_sim *s, uint64_t addr, bool fetch)
{
    uint64_t plain = addr & (((uint64_t)1 << CC_SIM_PROGRAM_BIT) - 1);
    if (s->ranges)
        for (unsigned b = 0; b < s->config.banks; b++)
            if ((s->config.bank[b].serves & CC_SIM_RANGE) && plain >= s->config.bank[b].from &&
                plain < s->config.bank[b].to)
                return b;
    unsigned k = fetch ? 0 : s->nserving[2] && is_stack(s, addr) ? 2 : 1;
    return s->nserving[k] == 1 ? s->serving[k][0]
                               : s->serving[k][addr / s->config.interleave % s->nserving[k]];
}
