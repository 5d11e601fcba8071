#include "cache.h"

#include <string.h>

void cc_cache_init(struct cc_cache *c, const struct cc_sim_cache_config *config, uint32_t slices,
                   struct cc_pool *pool)
{
    memset(c, 0, sizeof *c);
    c->ways = config->ways;
    c->sets = config->size / slices / config->line / config->ways;
    c->set_mask = c->sets - 1;
    c->shift = (uint32_t)__builtin_ctz(config->line);
    c->pool = pool;
    c->lines = cc_pool_alloc(pool, c->sets * c->ways, sizeof *c->lines);
    c->tags = cc_pool_alloc(pool, c->sets * c->ways, sizeof *c->tags);
    for (uint64_t i = 0; i < c->sets * c->ways; i++)
        c->lines[i].tag = c->tags[i] = UINT64_MAX;
}

void cc_cache_fini(struct cc_cache *c)
{
    cc_pool_free(c->pool, c->lines, c->sets * c->ways, sizeof *c->lines);
    cc_pool_free(c->pool, c->tags, c->sets * c->ways, sizeof *c->tags);
    memset(c, 0, sizeof *c);
}

/* Ages are only compared within a set, so each set's are renumbered on their own. */
void cc_cache_renumber(struct cc_cache *c)
{
    for (uint64_t s = 0; s < c->sets; s++) {
        struct cc_cache_line *set = c->lines + s * c->ways;
        for (uint32_t done = 0; done < c->ways; done++) {
            struct cc_cache_line *oldest = NULL;
            for (uint32_t w = 0; w < c->ways; w++)
                if (set[w].used > done && (!oldest || set[w].used < oldest->used))
                    oldest = &set[w];
            if (oldest)
                oldest->used = done + 1;
        }
    }
    c->stamp = c->ways + 1;
}

struct cc_cache_line *cc_cache_victim(struct cc_cache *c, uint64_t line)
{
    struct cc_cache_line *set = cc_cache_set(c, line), *best = NULL;
    for (uint32_t w = 0; w < c->ways; w++) {
        struct cc_cache_line *l = &set[w];
        if (l->tag == line)
            return l;
        /* an unused slot before a lost line's (which still explains misses), that before any valid one */
        int rank = l->tag == UINT64_MAX ? 0 : l->state == CC_MESI_I ? 1 : 2;
        int best_rank = !best ? 3 : best->tag == UINT64_MAX ? 0 : best->state == CC_MESI_I ? 1 : 2;
        if (rank < best_rank || (rank == best_rank && l->used < best->used))
            best = l;
    }
    return best;
}
