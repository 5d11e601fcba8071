#include "marks.h"

enum { LANES = 4, FIRST_GROUPS = 256 };

static uint64_t mix(uint64_t x) /* see cc_mix */
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

/* Each of four neighbouring lines has its place in a group. */
static struct cc_marked *slot_of(struct cc_marked *v, size_t groups, uint64_t key)
{
    uint64_t lane = key >> CC_MARKS_NUMBERS & (LANES - 1);
    size_t i = (size_t)mix(key & ~((uint64_t)(LANES - 1) << CC_MARKS_NUMBERS)) & (groups - 1);
    while (v[i * LANES + lane].key && v[i * LANES + lane].key != key)
        i = (i + 1) & (groups - 1);
    return &v[i * LANES + lane];
}

static size_t bytes_of(size_t groups)
{
    return groups * LANES * sizeof(struct cc_marked);
}

static void grow(struct cc_marks *m, const struct cc_host *host)
{
    size_t groups = m->groups ? m->groups * 2 : FIRST_GROUPS;
    struct cc_marked *v = host->map(host->self, bytes_of(groups));
    if (host->dense)
        host->dense(host->self, v, bytes_of(groups));
    for (size_t i = 0; i < m->groups * LANES; i++)
        if (m->v[i].key)
            *slot_of(v, groups, m->v[i].key) = m->v[i];
    cc_marks_fini(m, host);
    m->v = v;
    m->groups = groups;
}

struct cc_marked *cc_marks_find(struct cc_marks *m, const struct cc_host *host, uint64_t key, int *moved)
{
    struct cc_marked *e = m->groups ? slot_of(m->v, m->groups, key) : 0;
    if (e && e->key)
        return e;
    size_t *n = &m->n[key >> CC_MARKS_NUMBERS & (LANES - 1)];
    if (*n * 8 >= m->groups * 5) {
        grow(m, host);
        *moved = 1;
        e = slot_of(m->v, m->groups, key);
    }
    e->key = key;
    ++*n;
    return e;
}

void cc_marks_fini(struct cc_marks *m, const struct cc_host *host)
{
    if (m->v)
        host->unmap(host->self, m->v, bytes_of(m->groups));
    m->v = 0;
}
