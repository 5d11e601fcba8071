/* Loops as candidates. A recording knows the instructions, invocations and accesses of each loop over all
 * contexts of its function, and the streams of contexts as a whole: both are shared out. */
#include "cut_build.h"
#include "recorded.h"

#include <math.h>

static bool is_at(const struct cc_source_function *f, const struct cc_ploop *l)
{
    return f->of && (f->test_line == l->line || f->line == l->line) && cc_source_same_file(l->file, f->file);
}

void cc_cut_match_loops(struct cc_cut_build *b)
{
    const struct cc_profile *p = b->rq->profile;
    const struct cc_sources *s = b->rq->sources;
    for (size_t l = 0; l < p->nloops; l++) {
        /* of nested ones on one line the outermost is the candidate */
        bool found = p->loops[l].file && cc_area_loop_level(p, (uint32_t)l) == 0;
        for (size_t i = 0; i < s->functions.n && found && !b->written[l]; i++)
            if (!s->functions.v[i].refused && is_at(&s->functions.v[i], &p->loops[l]))
                b->written[l] = (uint32_t)i + 1;
        b->nwritten += b->written[l] != 0;
        if (b->written[l])
            b->time[b->written[l] - 1] += (double)p->loops[l].instructions;
    }
}

static double part(uint64_t of, double whole)
{
    return whole > 0 ? fmin(1, (double)of / whole) : 0;
}

/* The context's part of all calls of its function, by time. */
static double weight(const struct cc_profile *p, uint32_t context)
{
    const struct cc_pcontext *x = &p->contexts[context];
    return part(x->inclusive, (double)p->functions[x->function].inclusive);
}

/* The nearest loop around it that has a place in the context. */
static uint32_t place_around(const struct cc_cut_build *b, uint32_t context, uint32_t loop)
{
    const struct cc_profile *p = b->rq->profile;
    for (uint32_t up = p->loops[loop].outer; up != CC_NONE; up = p->loops[up].outer)
        for (size_t i = b->first[context]; i < b->places.n; i++)
            if (b->places.v[i].loop == up)
                return (uint32_t)i;
    return CC_NONE;
}

/* Code outside loops is taken to access nothing beside them. */
static void accesses(const struct cc_profile *p, uint32_t function, double *reads, double *writes)
{
    *reads = *writes = 0;
    for (size_t l = 0; l < p->nloops; l++) {
        if (p->loops[l].function != function || p->loops[l].outer != CC_NONE)
            continue;
        *reads += (double)p->loops[l].bytes_read;
        *writes += (double)p->loops[l].bytes_written;
    }
}

void cc_cut_open_loops(struct cc_cut_build *b, uint32_t context)
{
    const struct cc_profile *p = b->rq->profile;
    uint32_t function = p->contexts[context].function;
    double reads, writes, w = weight(p, context);
    b->first[context] = b->first[context + 1] = (uint32_t)b->places.n;
    if (b->nwritten == 0)
        return;
    accesses(p, function, &reads, &writes);
    for (uint32_t l = 0; l < p->nloops; l++) {
        const struct cc_ploop *x = &p->loops[l];
        uint32_t kernel = x->function == function && b->written[l] ? b->kernel[b->written[l] - 1] : 0;
        if (!kernel)
            continue;
        uint32_t outer = place_around(b, context, l);
        struct cc_cut_place place = {.context = context,
                                     .loop = l,
                                     .node = (uint32_t)b->in->nnodes,
                                     .outer = outer,
                                     .time = w * (double)x->instructions,
                                     .reads = part(x->bytes_read, reads),
                                     .writes = part(x->bytes_written, writes)};
        if (outer != CC_NONE) {
            b->places.v[outer].reads -= place.reads;
            b->places.v[outer].writes -= place.writes;
        }
        uint32_t up = outer == CC_NONE ? b->node[context] : b->places.v[outer].node;
        b->in->nodes[b->in->nnodes++] = (struct cc_cut_node){up, kernel - 1, 0, w * (double)x->invocations};
        CC_VEC_PUSH(&b->places, place);
    }
    b->first[context + 1] = (uint32_t)b->places.n;
}

static size_t calls_of(const struct cc_source_function *f, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < f->ncalls; i++)
        n += cc_area_same_function(name, f->calls[i].name);
    return n;
}

static const struct cc_source_function *holder(const struct cc_sources *s,
                                               const struct cc_source_function *loop)
{
    for (size_t i = 0; i < s->functions.n; i++)
        if (!s->functions.v[i].of && strcmp(s->functions.v[i].usr, loop->of) == 0)
            return &s->functions.v[i];
    return NULL;
}

uint32_t cc_cut_caller(const struct cc_cut_build *b, uint32_t context, uint32_t function)
{
    const struct cc_sources *s = b->rq->sources;
    const char *name = b->rq->profile->functions[function].name;
    for (size_t i = b->first[context + 1]; i-- > b->first[context];) { /* inner ones first */
        const struct cc_source_function *loop = &s->functions.v[b->written[b->places.v[i].loop] - 1];
        const struct cc_source_function *f = holder(s, loop);
        size_t inside = calls_of(loop, name);
        if (f && inside && inside == calls_of(f, name))
            return b->places.v[i].node;
    }
    return b->node[context];
}

/* A place's own time: without the loops and the calls inside it, and no more than the context has itself. */
void cc_cut_share_time(struct cc_cut_build *b)
{
    const struct cc_profile *p = b->rq->profile;
    double *inside = cc_alloc_array(b->in->nnodes + 1, sizeof *inside); /* by node: calls from there */
    double *nested = cc_alloc_array(b->places.n + 1, sizeof *nested);
    double *left = cc_alloc_array(p->ncontexts + 1, sizeof *left);
    for (size_t c = 0; c < p->ncontexts; c++) {
        left[c] = (double)p->contexts[c].exclusive;
        if (p->contexts[c].parent != CC_NONE && b->places.n)
            inside[cc_cut_caller(b, p->contexts[c].parent, p->contexts[c].function)] +=
                (double)p->contexts[c].inclusive;
    }
    for (size_t i = 0; i < b->places.n; i++)
        if (b->places.v[i].outer != CC_NONE)
            nested[b->places.v[i].outer] += b->places.v[i].time;
    for (size_t i = 0; i < b->places.n; i++) {
        struct cc_cut_place *x = &b->places.v[i];
        double own = fmin(fmax(0, x->time - nested[i] - inside[x->node]), left[x->context]);
        left[x->context] -= own;
        b->in->nodes[x->node].time += own / b->rq->clock_hz;
        b->in->nodes[b->node[x->context]].time -= own / b->rq->clock_hz;
    }
    free(inside);
    free(nested);
    free(left);
}
