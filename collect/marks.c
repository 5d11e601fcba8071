#include "internal.h"

enum { BLOCK = 1 << 20, FIRST = 1024, BITMAP = CC_MARKS_WORDS * sizeof(uint64_t) };

static struct cc_marked *slot_of(struct cc_marked *v, size_t cap, uint64_t key)
{
    size_t i = (size_t)cc_mix(key) & (cap - 1);
    while (v[i].key && v[i].key != key)
        i = (i + 1) & (cap - 1);
    return &v[i];
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

static uint64_t *bitmap_new(struct cc_marks *m, const struct cc_host *host)
{
    if (!m->blocks || m->used + BITMAP > BLOCK) {
        void **block = host->map(host->self, BLOCK);
        *block = m->blocks;
        m->blocks = block;
        m->used = BITMAP;
    }
    m->used += BITMAP;
    return (uint64_t *)((uint8_t *)m->blocks + m->used - BITMAP);
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
        *e = (struct cc_marked){key, bitmap_new(m, host)};
        m->n++;
    }
    return e->bits;
}

void cc_marks_fini(struct cc_marks *m, const struct cc_host *host)
{
    if (m->v)
        host->unmap(host->self, m->v, m->cap * sizeof *m->v);
    while (m->blocks) {
        void **block = m->blocks;
        m->blocks = *block;
        host->unmap(host->self, block, BLOCK);
    }
}
