#include "graph.h"

#include <math.h>

static const uint32_t figures[] = {[CC_GRAPH_BYTES] = CC_STREAM_BYTES,
                                   [CC_GRAPH_FRESH] = CC_STREAM_FRESH,
                                   [CC_GRAPH_UNMA] = CC_STREAM_DISTINCT};

struct reading {
    const struct cc_models *m;
    struct cc_models_graph *how;
    const double *x;
    const uint32_t *category;
};

static uint64_t figure_at(struct reading *r, const struct cc_model *m)
{
    double v = cc_growth_at(&m->growth, r->x, r->category);
    if (isnan(v)) {
        r->how->unknown++;
        return 0;
    }
    v = r->how->bounds ? cc_growth_bound(&m->growth, v) : v;
    return (uint64_t)llround(fmin(fmax(v, 0), 0x1p62)); /* the graph's check says if that is too much */
}

static void add(struct reading *r, const struct cc_model *m, struct cc_graph *g)
{
    const struct cc_thing *t = &r->m->s->things.v[m->thing];
    if (t->kind == CC_OF_FUNCTION && m->figure == CC_FUNCTION_INSTRUCTIONS &&
        strcmp(t->name, CC_RUNTIME_NAME) != 0) {
        cc_graph_add_node(g, t->name, figure_at(r, m));
    } else if (t->kind == CC_OF_STREAM && m->figure == figures[r->how->traffic]) {
        size_t from = t->ends[0] ? cc_graph_find(g, t->ends[0]) : SIZE_MAX;
        size_t to = t->ends[1] ? cc_graph_find(g, t->ends[1]) : SIZE_MAX;
        if (from == SIZE_MAX || to == SIZE_MAX)
            r->how->outside += figure_at(r, m);
        else
            cc_graph_add_edge(g, from, to, figure_at(r, m));
    }
}

int cc_models_to_graph(const struct cc_models *m, struct cc_models_graph *how, struct cc_graph *ret,
                       struct cc_err *err)
{
    const struct cc_controls *c = &m->s->controls;
    CC_CLEANUP(cc_free_ptr) double *x = cc_alloc_array(c->nvariables + 1, sizeof *x);
    CC_CLEANUP(cc_free_ptr) uint32_t *category = cc_alloc_array(c->nvariables + 1, sizeof *category);
    int rc = cc_controls_at(c, how->at, x, category, err);
    if (rc < 0)
        return rc;
    how->beyond = cc_controls_beyond(c, x);
    struct reading r = {m, how, x, category};
    *ret = (struct cc_graph){0};
    for (size_t i = 0; i < m->v.n; i++) /* functions come before streams */
        add(&r, &m->v.v[i], ret);
    rc = cc_graph_check(ret, how->at, err);
    if (rc < 0)
        cc_graph_fini(ret);
    return rc;
}
