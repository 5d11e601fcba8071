#include "internal.h"

enum { BLOCK = 1 << 20, FIRST = 1024, NEAR = 8 };

/* Bitmaps in the order in which they were made, with their keys, for whoever wants all. */
struct cc_mark_block {
    struct cc_mark_block *before;
    size_t n;
    uint64_t *keys, (*bits)[CC_MARKS_WORDS]; /* they lie behind it */
};
enum {
    EACH = sizeof(uint64_t) * (1 + CC_MARKS_WORDS),
    PER_BLOCK = (BLOCK - sizeof(struct cc_mark_block)) / EACH
};

static void block_begin(struct cc_mark_block *b, size_t cap)
{
    b->keys = (uint64_t *)(b + 1);
    b->bits = (uint64_t(*)[CC_MARKS_WORDS])(b->keys + cap);
}

/* Eight neighbouring pages of a stream share a stretch of the table, each at a place of its own, since
 * programs walk through memory. Where its place is taken, a page goes to the same place of the next stretch;
 * if there is none at all, to the next place. */
static struct cc_marked *slot_of(struct cc_marked *v, size_t cap, uint64_t key)
{
    size_t stretches = cap / NEAR;
    uint64_t h = cc_mix(key / NEAR);
    for (uint64_t place = h >> 32 ^ key;; place++)
        for (size_t k = 0; k < stretches; k++) {
            struct cc_marked *e = &v[((h + k) & (stretches - 1)) * NEAR + place % NEAR];
            if (!e->key || e->key == key)
                return e;
        }
}

static void grow(struct cc_marks *m, const struct cc_host *host)
{
    struct cc_marked *old = m->v;
    size_t cap = m->cap;
    m->cap = cap ? cap * 2 : FIRST;
    m->v = host->map(host->self, m->cap * sizeof *old);
    for (size_t i = 0; i < cap; i++)
        if (old[i].key)
            *slot_of(m->v, m->cap, old[i].key) = old[i];
    if (old)
        host->unmap(host->self, old, cap * sizeof *old);
}

static uint64_t *bitmap_new(struct cc_marks *m, const struct cc_host *host, uint64_t key)
{
    if (!m->blocks || m->blocks->n == PER_BLOCK) {
        struct cc_mark_block *block = host->map(host->self, BLOCK);
        block->before = m->blocks;
        block_begin(block, PER_BLOCK);
        m->blocks = block;
    }
    m->blocks->keys[m->blocks->n] = key;
    return m->blocks->bits[m->blocks->n++];
}

uint64_t *cc_marks_at(const struct cc_marks *m, uint64_t key)
{
    return m->cap ? slot_of(m->v, m->cap, key)->bits : NULL;
}

uint64_t *cc_marks_find(struct cc_marks *m, const struct cc_host *host, uint64_t key)
{
    if (m->n * 4 >= m->cap * 3)
        grow(m, host);
    struct cc_marked *e = slot_of(m->v, m->cap, key);
    if (!e->key) {
        *e = (struct cc_marked){key, bitmap_new(m, host, key)};
        m->n++;
    }
    return e->bits;
}

void cc_marks_all(const struct cc_marks *m, cc_marked_function *visit, void *self)
{
    for (struct cc_mark_block *b = m->blocks; b; b = b->before)
        for (size_t i = 0; i < b->n; i++)
            visit(self, b->keys[i], b->bits[i]);
}

static void pack(void *self, uint64_t key, uint64_t *bits)
{
    struct cc_marks *to = self;
    struct cc_mark_block *b = to->blocks;
    b->keys[b->n] = key;
    *slot_of(to->v, to->cap, key) =
        (struct cc_marked){key, __builtin_memcpy(b->bits[b->n], bits, sizeof *b->bits)};
    b->n++;
}

struct cc_marks cc_marks_packed(struct cc_collect *c, const struct cc_marks *m)
{
    struct cc_marks p = {.n = m->n, .cap = NEAR};
    if (!m->n)
        return (struct cc_marks){0};
    while (p.cap < 2 * p.n)
        p.cap *= 2;
    p.v = cc_pool(c, p.cap * sizeof *p.v);
    p.blocks = cc_pool(c, sizeof *p.blocks + p.n * EACH);
    block_begin(p.blocks, p.n);
    cc_marks_all(m, pack, &p);
    return p;
}

static void block_drop(struct cc_marks *m, const struct cc_host *host)
{
    struct cc_mark_block *block = m->blocks;
    m->blocks = block->before;
    host->unmap(host->self, block, BLOCK);
}

void cc_marks_empty(struct cc_marks *m, const struct cc_host *host)
{
    if (m->n > FIRST) {
        cc_marks_fini(m, host);
        *m = (struct cc_marks){0};
        return;
    }
    while (m->blocks && m->blocks->before)
        block_drop(m, host);
    if (m->v)
        __builtin_memset(m->v, 0, m->cap * sizeof *m->v);
    if (m->blocks)
        __builtin_memset(m->blocks->bits, 0, m->blocks->n * sizeof *m->blocks->bits);
    if (m->blocks)
        m->blocks->n = 0;
    m->n = 0;
}

void cc_marks_fini(struct cc_marks *m, const struct cc_host *host)
{
    if (m->v)
        host->unmap(host->self, m->v, m->cap * sizeof *m->v);
    while (m->blocks)
        block_drop(m, host);
}
