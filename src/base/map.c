#include "map.h"

#include <xxhash.h>

static size_t slot_of(const struct cc_map *m, uint64_t key)
{
    size_t mask = m->cap - 1;
    size_t i = (size_t)XXH3_64bits(&key, sizeof key) & mask;
    while (m->used[i] && m->keys[i] != key)
        i = (i + 1) & mask;
    return i;
}

static void grow(struct cc_map *m)
{
    struct cc_map old = *m;
    m->cap = CC_MAX(old.cap * 2, (size_t)16);
    m->keys = cc_alloc_array(m->cap, sizeof *m->keys);
    m->values = cc_alloc_array(m->cap, sizeof *m->values);
    m->used = cc_alloc_array(m->cap, 1);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.used[i])
            continue;
        size_t s = slot_of(m, old.keys[i]);
        m->used[s] = 1;
        m->keys[s] = old.keys[i];
        m->values[s] = old.values[i];
    }
    old.n = 0;
    cc_map_fini(&old);
}

uint64_t *cc_map_put(struct cc_map *m, uint64_t key, bool *ret_new)
{
    if (m->n * 4 >= m->cap * 3)
        grow(m);
    size_t i = slot_of(m, key);
    if (ret_new)
        *ret_new = !m->used[i];
    if (!m->used[i]) {
        m->used[i] = 1;
        m->keys[i] = key;
        m->n++;
    }
    return &m->values[i];
}

uint64_t *cc_map_get(const struct cc_map *m, uint64_t key)
{
    if (!m->n)
        return NULL;
    size_t i = slot_of(m, key);
    return m->used[i] ? &m->values[i] : NULL;
}

void cc_map_fini(struct cc_map *m)
{
    free(m->keys);
    free(m->values);
    free(m->used);
    memset(m, 0, sizeof *m);
}

static size_t str_slot(const struct cc_strmap *m, const char *key)
{
    size_t mask = m->cap - 1;
    size_t i = (size_t)XXH3_64bits(key, strlen(key)) & mask;
    while (m->keys[i] && strcmp(m->keys[i], key) != 0)
        i = (i + 1) & mask;
    return i;
}

static void str_grow(struct cc_strmap *m)
{
    struct cc_strmap old = *m;
    m->cap = CC_MAX(old.cap * 2, (size_t)16);
    m->keys = cc_alloc_array(m->cap, sizeof *m->keys);
    m->values = cc_alloc_array(m->cap, sizeof *m->values);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.keys[i])
            continue;
        size_t s = str_slot(m, old.keys[i]);
        m->keys[s] = old.keys[i];
        m->values[s] = old.values[i];
    }
    free(old.keys);
    free(old.values);
}

uint64_t *cc_strmap_put(struct cc_strmap *m, const char *key, bool *ret_new)
{
    if (m->n * 4 >= m->cap * 3)
        str_grow(m);
    size_t i = str_slot(m, key);
    if (ret_new)
        *ret_new = !m->keys[i];
    if (!m->keys[i]) {
        m->keys[i] = cc_strdup(key);
        m->n++;
    }
    return &m->values[i];
}

uint64_t *cc_strmap_get(const struct cc_strmap *m, const char *key)
{
    if (!m->n)
        return NULL;
    size_t i = str_slot(m, key);
    return m->keys[i] ? &m->values[i] : NULL;
}

void cc_strmap_fini(struct cc_strmap *m)
{
    for (size_t i = 0; i < m->cap; i++)
        free(m->keys[i]);
    free(m->keys);
    free(m->values);
    memset(m, 0, sizeof *m);
}
