/* What an access loses to other cores. */
#ifndef CC_SIM_LOST_H
#define CC_SIM_LOST_H

#include "internal.h"

/* Cycles queued so far behind other cores by the access under way. */
struct queued {
    uint64_t link, bank;
};

static inline struct queued queued(const struct cc_sim *s)
{
    return (struct queued){s->net.lost, s->bank_lost};
}

/* What came since then nobody waits for: a message was posted. */
static inline void unqueue(struct cc_sim *s, struct queued then)
{
    s->net.lost = then.link;
    s->bank_lost = then.bank;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of the `stall` cycles, those queued behind others since `then`. */
static inline void blame_queues(struct cc_sim *s, struct cc_sim_access *a, struct queued then, uint64_t stall)
{
    uint64_t bank = least(s->bank_lost - then.bank, stall),
             link = least(s->net.lost - then.link, stall - bank);
    a->lost[CC_SIM_LOST_BANK] += (uint32_t)bank;
    a->lost[CC_SIM_LOST_LINK] += (uint32_t)link;
}

static inline uint64_t all_lost(const struct cc_sim_access *a)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        sum += a->lost[i];
    return sum;
}

static inline uint64_t count_lost(struct cc_sim_core_stats *st, const struct cc_sim_access *a)
{
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        st->lost[i] += a->lost[i];
    return all_lost(a);
}

static inline void add_lost(struct cc_sim_access *to, const struct cc_sim_access *from)
{
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        to->lost[i] += from->lost[i];
}

#endif
