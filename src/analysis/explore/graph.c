#include "internal.h"

void cc_explore_graph_end(struct cc_explore_graph *g, const struct cc_htg *h, const char *const *names,
                          size_t n)
{
    for (size_t i = 0; i < n; i++)
        g->names[i] = names[i];
    g->names[n] = "<run>";
    g->nodes.v[0].len = g->ticks;
    g->nodes.v[0].next = (uint32_t)g->nodes.n;
    g->h = (struct cc_htg){.path = h->path,
                           .clock = h->clock,
                           .ticks_per_second = h->ticks_per_second,
                           .nodes = g->nodes.v,
                           .nnodes = g->nodes.n,
                           .tasks = g->nodes.n - 1,
                           .names = g->names,
                           .nnames = n};
}

bool cc_explore_is_task(const struct cc_explore_candidate *c, uint32_t name)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (c->names.v[i] == name)
            return true;
    return false;
}
