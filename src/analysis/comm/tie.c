/* What holds a filtered graph together. */
#include "comm.h"

static uint32_t root_of(uint32_t *up, uint32_t x)
{
    while (up[x] != x)
        x = up[x] = up[up[x]];
    return x;
}

static bool unite(uint32_t *up, uint32_t a, uint32_t b)
{
    uint32_t x = root_of(up, a), y = root_of(up, b);
    up[x] = y;
    return x != y;
}

void cc_comm_tie(struct cc_comm *c, const struct cc_comm_edge *hidden, size_t n, uint32_t nends)
{
    CC_CLEANUP(cc_free_ptr) uint32_t *up = cc_alloc_array((size_t)nends + 1, sizeof *up);
    CC_CLEANUP(cc_free_ptr) bool *shown = cc_alloc_array((size_t)nends + 1, sizeof *shown);
    for (uint32_t i = 0; i < nends; i++)
        up[i] = i;
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        if (e->from == e->to)
            continue;
        for (int k = 0; k < 2; k++) {
            uint32_t end = k ? e->to : e->from;
            c->pieces += !shown[end];
            shown[end] = true;
        }
        c->pieces -= unite(up, e->from, e->to);
    }
    c->ties = cc_arena_alloc(&c->arena, (c->pieces + 1) * sizeof *c->ties);
    for (size_t i = 0; i < n && c->pieces > 1; i++) {
        const struct cc_comm_edge *e = &hidden[i];
        if (!shown[e->from] || !shown[e->to] || !unite(up, e->from, e->to))
            continue;
        c->ties[c->nties++] = *e;
        c->pieces--;
    }
}
