/* Set-associative cache with least-recently-used replacement; MESI states and what true and false sharing
 * need to know. */
#ifndef CC_SIM_CACHE_H
#define CC_SIM_CACHE_H

#include "pool.h"
#include "sim.h"

struct cc_cache_line {
    uint64_t tag;   /* line number; UINT64_MAX: never used */
    uint64_t words; /* one bit for a byte, or so many that 64 bits are enough. Valid: what this core wrote
                       since it owns the line. Lost: what others wrote since. */
    uint64_t touched, older; /* words this core used lately, lost in between or not: since the last but one
                                generation of LOSSES losses */
    uint32_t used;           /* stamp of the last use */
    uint8_t state;           /* enum cc_mesi */
    bool lost;               /* invalid because another core wrote to it */
    uint8_t losses;          /* of this generation */
    uint8_t hot; /* so many more hits count as seen by others: another core had a part in it lately */
};

struct cc_cache {
    struct cc_cache_line *lines; /* [set * ways + way] */
    uint64_t *tags;              /* the same, of the lines: those of a set lie side by side */
    uint64_t sets, set_mask;
    uint32_t ways, shift; /* line = address >> shift */
    uint32_t stamp;
    struct cc_pool *pool;
};

void cc_cache_init(struct cc_cache *c, const struct cc_sim_cache_config *config, uint32_t slices,
                   struct cc_pool *pool);
void cc_cache_fini(struct cc_cache *c);
void cc_cache_renumber(struct cc_cache *c); /* the stamp is about to wrap */
/* The slot a new line takes: a lost or unused one of its own, an invalid one, the least recently used. */
struct cc_cache_line *cc_cache_victim(struct cc_cache *c, uint64_t line);

static inline struct cc_cache_line *cc_cache_set(const struct cc_cache *c, uint64_t line)
{
    return c->lines + (line & c->set_mask) * c->ways;
}

/* The slot with this tag, valid or lost; NULL if there is none. */
static inline struct cc_cache_line *cc_cache_find(const struct cc_cache *c, uint64_t line)
{
    uint64_t first = (line & c->set_mask) * c->ways;
    for (uint64_t i = first; i < first + c->ways; i++)
        if (c->tags[i] == line)
            return &c->lines[i];
    return NULL;
}

/* Puts a line into a slot. */
static inline void cc_cache_put(struct cc_cache *c, struct cc_cache_line *slot, struct cc_cache_line line)
{
    *slot = line;
    c->tags[slot - c->lines] = line.tag;
}

static inline void cc_cache_touch(struct cc_cache *c, struct cc_cache_line *l)
{
    if (++c->stamp == UINT32_MAX)
        cc_cache_renumber(c);
    l->used = c->stamp;
}

/* Bits of what an access uses: one for a byte in lines of up to 64, for more in longer ones. */
static inline uint64_t cc_cache_words(const struct cc_cache *c, uint64_t addr, unsigned size)
{
    enum { BITS_SHIFT = 6 };
    unsigned unit = c->shift > BITS_SHIFT ? c->shift - BITS_SHIFT : 0, within = (1u << c->shift) - 1;
    unsigned first = ((unsigned)addr & within) >> unit;
    unsigned last = ((unsigned)(addr + (size ? size - 1 : 0)) & within) >> unit;
    uint64_t upto = last >= 63 ? UINT64_MAX : ((uint64_t)2 << last) - 1;
    return upto & ~(((uint64_t)1 << first) - 1);
}

#endif
