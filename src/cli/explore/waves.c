/* Nests of which tiles along diagonals may be shared out. */
#include "internal.h"

struct cc_patch_wave cc_explore_wave(const struct place *p, unsigned edge)
{
    return (struct cc_patch_wave){.text = p->file->text,
                                  .loop = p->fact,
                                  .nth = p->nth,
                                  .reach = p->source->wave_reach,
                                  .edge = edge,
                                  .clauses = p->clauses.data};
}

static const struct cc_loop *inner_of(const struct exploration *x, uint32_t loop)
{
    const struct place *p = &x->places[loop];
    for (size_t i = 0; i < x->loops->v.n; i++)
        if (x->loops->v.v[i].parent == loop && x->loops->v.v[i].line == p->source->wave_line)
            return &x->loops->v.v[i];
    return NULL;
}

bool cc_explore_try_as_wave(struct exploration *x, uint32_t loop, struct place *p)
{
    const struct cc_loop *l = &x->loops->v.v[loop];
    const struct cc_patch_loop *f = p->fact;
    if (!cc_explore_is_wave(l, p->source, false) || !f || !p->file || !p->file->text ||
        f->inner != p->source->wave_line || f->counter_after || f->inner_after || !inner_of(x, loop))
        return false;
    struct cc_patch_clauses_input in = {
        .facts = x->facts, .fact = f, .source = p->source, .assumed = true, .arena = &x->arena};
    cc_patch_clauses(l, &in, &p->clauses);
    struct cc_patch_wave w = cc_explore_wave(p, 1);
    p->wave = !p->clauses.refused && !p->clauses.natomics && !p->clauses.before &&
              !strstr(p->clauses.data, "lastprivate") && !cc_patch_refuses_wave(&w, &x->arena);
    return p->wave;
}

struct cc_explore_wave cc_explore_wave_sizes(const struct exploration *x, uint32_t loop)
{
    const struct cc_loop *l = &x->loops->v.v[loop], *inner = inner_of(x, loop);
    double rows = l->invocations ? (double)l->iterations / (double)l->invocations : 0;
    double columns = inner && inner->invocations ? (double)inner->iterations / (double)inner->invocations : 0;
    return (struct cc_explore_wave){(double)l->invocations, columns > 0 ? rows : 0, columns,
                                    x->places[loop].source->wave_reach};
}
