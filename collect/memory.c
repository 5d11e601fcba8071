/* Memory of the collector itself: pools, growing arrays. */
#include "internal.h"

enum { POOL_BLOCK = 1 << 20 };

static void *pool_take(struct cc_collect *c, uint8_t **pool, size_t *left, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > POOL_BLOCK / 4)
        return c->host.map(c->host.self, size);
    if (*left < size) {
        *pool = c->host.map(c->host.self, POOL_BLOCK);
        *left = POOL_BLOCK;
    }
    void *p = *pool;
    *pool += size;
    *left -= size;
    return p;
}

void *cc_pool(struct cc_collect *c, size_t size)
{
    return pool_take(c, &c->pool.at, &c->pool.left, size);
}

void *cc_thread_pool(struct cc_thread *t, size_t size)
{
    return pool_take(t->owner, &t->room.pool, &t->room.pool_left, size);
}

void cc_give_back(struct cc_collect *c, void *p, size_t size)
{
    if (p)
        c->host.unmap(c->host.self, p, size);
}

void *cc_extend(struct cc_collect *c, void *p, size_t *cap, size_t want, size_t item)
{
    if (want <= *cap)
        return p;
    size_t cap_new = *cap ? *cap * 2 : 4096 / item + 1;
    while (cap_new < want)
        cap_new *= 2;
    uint8_t *grown = c->host.map(c->host.self, cap_new * item);
    __builtin_memcpy(grown, p ? p : grown, *cap * item);
    cc_give_back(c, p, *cap * item);
    *cap = cap_new;
    return grown;
}

void *cc_grow_add(struct cc_collect *c, struct cc_grow *g)
{
    uint32_t block = g->n >> CC_BLOCK_BITS;
    if (block >= CC_MAX_BLOCKS)
        __builtin_trap(); /* a thousand million items: every caller stops long before */
    if (!g->blocks[block])
        g->blocks[block] = c->host.map(c->host.self, (size_t)g->item << CC_BLOCK_BITS);
    return cc_grow_at(g, g->n++);
}
static size_t index_find(const struct cc_index *x, uint64_t key)
{
    size_t mask = x->cap - 1, i = (size_t)cc_mix(key) & mask;
    while (x->keys[i] && x->keys[i] != key)
        i = (i + 1) & mask;
    return i;
}

const uint32_t *cc_index_at(const struct cc_index *x, uint64_t key)
{
    size_t slot = x->cap ? index_find(x, key) : 0;
    return x->cap && x->keys[slot] ? &x->values[slot] : NULL;
}

void cc_index_room(struct cc_collect *c, struct cc_index *x, size_t n)
{
    for (x->cap = 1024; x->cap < 2 * n;)
        x->cap *= 2;
    x->keys = c->host.map(c->host.self, x->cap * sizeof *x->keys);
    x->values = c->host.map(c->host.self, x->cap * sizeof *x->values);
}

size_t cc_index_slot(struct cc_collect *c, struct cc_index *x, uint64_t key)
{
    if (x->n * 4 >= x->cap * 3) {
        struct cc_index old = *x;
        x->cap = old.cap ? old.cap * 2 : 1024;
        x->keys = c->host.map(c->host.self, x->cap * sizeof *x->keys);
        x->values = c->host.map(c->host.self, x->cap * sizeof *x->values);
        for (size_t i = 0; i < old.cap; i++) {
            if (!old.keys[i])
                continue;
            size_t slot = index_find(x, old.keys[i]);
            x->keys[slot] = old.keys[i];
            x->values[slot] = old.values[i];
        }
        cc_give_back(c, old.keys, old.cap * sizeof *old.keys);
        cc_give_back(c, old.values, old.cap * sizeof *old.values);
    }
    return index_find(x, key);
}
