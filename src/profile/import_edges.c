/* Edges in the order of a profile: by level, producer and consumer. There may be millions, and all their ids
 * are small: each is put where the counts of those before it tell, first by consumer, then by producer and
 * level. */
#include "import_edges.h"
#include "../base/base.h"
#include "../../collect/record.h"

#include <stdlib.h>

struct ids {
    uint32_t ordinary; /* one more than the largest that is not special */
    size_t n;          /* of all, the special ones behind the others */
};

static struct ids ids_of(const struct cc_pedge *v, size_t n)
{
    uint32_t ordinary = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i].producer < CC_SPECIAL && v[i].producer >= ordinary)
            ordinary = v[i].producer + 1;
        if (v[i].consumer < CC_SPECIAL && v[i].consumer >= ordinary)
            ordinary = v[i].consumer + 1;
    }
    return (struct ids){ordinary, (size_t)ordinary + (UINT32_MAX - CC_SPECIAL) + 1};
}

static size_t number_of(const struct ids *ids, uint32_t id)
{
    return id < CC_SPECIAL ? id : (size_t)ids->ordinary + (id - CC_SPECIAL);
}

static size_t consumer_of(const struct ids *ids, const struct cc_pedge *e)
{
    return number_of(ids, e->consumer);
}

static size_t producer_of(const struct ids *ids, const struct cc_pedge *e)
{
    return (size_t)e->level * ids->n + number_of(ids, e->producer);
}

typedef size_t key_function(const struct ids *ids, const struct cc_pedge *e);

/* How many have smaller keys, for each of `keys`. */
static size_t *count_before(const struct ids *ids, const struct cc_pedge *v, size_t n, key_function *key,
                            size_t keys)
{
    size_t *before = cc_alloc_array(keys + 1, sizeof *before);
    for (size_t i = 0; i < n; i++)
        before[key(ids, &v[i]) + 1]++;
    for (size_t k = 1; k < keys; k++)
        before[k] += before[k - 1];
    return before;
}

const struct cc_pedge **cc_edges_sorted(const struct cc_pedge *v, size_t n)
{
    const struct ids ids = ids_of(v, n);
    const struct cc_pedge **by_consumer = cc_alloc_array(n + 1, sizeof(void *)),
                          **sorted = cc_alloc_array(n + 1, sizeof(void *));
    size_t *at = count_before(&ids, v, n, consumer_of, ids.n);
    for (size_t i = 0; i < n; i++)
        by_consumer[at[consumer_of(&ids, &v[i])]++] = &v[i];
    free(at);
    at = count_before(&ids, v, n, producer_of, ids.n * CC_LEVELS);
    for (size_t i = 0; i < n; i++)
        sorted[at[producer_of(&ids, by_consumer[i])]++] = by_consumer[i];
    free(at);
    free(by_consumer);
    return sorted;
}
