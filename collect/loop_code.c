/* What the code of loops does, kept until the snapshot. */
#include "internal.h"

enum { MAX_RECORDS = 1 << 20 };

static bool is_same(const struct cc_rec_loop_code *p, const struct cc_rec_loop_code *q, uint32_t n)
{
    return cc_same_bytes(p, q, n * sizeof *p);
}

void cc_loop_code_add(struct cc_collect *c, const struct cc_rec_loop_code *v, uint32_t n)
{
    struct cc_loop_codes *k = &c->loop_codes;
    cc_lock(c);
    size_t slot = cc_index_slot(c, &k->blocks, v[0].value);
    bool known = k->blocks.keys[slot] != 0;
    const struct cc_rec_loop_code *old = known ? &k->v[k->blocks.values[slot]] : NULL;
    if (known && old->a == n && is_same(old, v, n)) {
        /* an engine translates what it has thrown away again */
    } else if (k->n + n > MAX_RECORDS) {
        k->cut = true;
    } else {
        k->v = cc_extend(c, k->v, &k->cap, k->n + n, sizeof *k->v);
        __builtin_memcpy(&k->v[k->n], v, n * sizeof *v);
        if (!known) {
            k->blocks.keys[slot] = v[0].value;
            k->blocks.values[slot] = (uint32_t)k->n;
            k->blocks.n++;
        }
        k->n += n;
    }
    cc_unlock(c);
}

void cc_loop_code_jump(struct cc_collect *c, uint64_t from, uint64_t to)
{
    struct cc_loop_codes *k = &c->loop_codes;
    cc_lock(c);
    size_t slot = cc_index_slot(c, &k->jumps, cc_mix(from) ^ to);
    if (!k->jumps.keys[slot] && k->n < MAX_RECORDS) {
        k->jumps.keys[slot] = cc_mix(from) ^ to;
        k->jumps.n++;
        k->v = cc_extend(c, k->v, &k->cap, k->n + 1, sizeof *k->v);
        k->v[k->n++] = (struct cc_rec_loop_code){
            .kind = CC_CODE_TARGET, .a = (uint32_t)from, .b = (uint32_t)(from >> 32), .value = to};
    } else if (!k->jumps.keys[slot]) {
        k->cut = true;
    }
    cc_unlock(c);
}
