#include "cut_build.h"
#include "../../base/map.h"

#include <math.h>

/* Instructions while a function was on the path, recursion counted once. */
static void add_up(struct cc_cut_build *b)
{
    const struct cc_profile *p = b->rq->profile;
    for (size_t c = 0; c < p->ncontexts; c++) {
        uint32_t s = b->source[p->contexts[c].function];
        bool nested = false;
        for (uint32_t up = p->contexts[c].parent; up != CC_NONE && s && !nested; up = p->contexts[up].parent)
            nested = b->source[p->contexts[up].function] == s;
        if (s && !nested)
            b->time[s - 1] += (double)p->contexts[c].inclusive;
    }
}

static void match(struct cc_cut_build *b)
{
    const struct cc_profile *p = b->rq->profile;
    const struct cc_sources *s = b->rq->sources;
    for (size_t f = 0; f < p->nfunctions; f++)
        for (size_t i = 0; i < s->functions.n && !b->source[f]; i++)
            if (!s->functions.v[i].refused && !s->functions.v[i].of &&
                cc_area_same_function(p->functions[f].name, s->functions.v[i].name))
                b->source[f] = (uint32_t)i + 1;
}

static const char *why_left(const struct cc_source_function *f, double time)
{
    if (f->refused)
        return "not measured";
    if (strcmp(f->name, "main") == 0)
        return "main stays in software";
    if (time <= 0)
        return "not in the recording: inlined or never called";
    if (f->nunfit)
        return "not hardware as it stands";
    return NULL;
}

struct ranked {
    uint32_t f;
    double time;
};

static int longer(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    return (x->f > y->f) - (x->f < y->f);
}

static void put_kernel(struct cc_cut_build *b, uint32_t f, double share)
{
    struct cc_cut_kernel *k = &b->in->kernels[b->in->nkernels++];
    const struct cc_area_model *m = b->rq->model;
    *k = (struct cc_cut_kernel){.f = &b->rq->sources->functions.v[f], .share = share};
    double values[CC_VALUE_COUNT];
    cc_area_model_values(m, k->f, values);
    k->measure = cc_arena_alloc(&b->in->arena, m->nmeasures * sizeof *k->measure);
    for (size_t i = 0; i < m->nmeasures; i++)
        k->measure[i] = cc_area_model_estimate(&m->measures[i], values, b->rq->confidence);
    b->kernel[f] = (uint32_t)b->in->nkernels;
}

static void choose_candidates(struct cc_cut_build *b, double total)
{
    const struct cc_sources *s = b->rq->sources;
    struct ranked *ranked = cc_alloc_array(s->functions.n + 1, sizeof *ranked);
    size_t most = CC_MIN(b->rq->most, (size_t)CC_CUT_MOST);
    b->in->kernels = cc_arena_alloc(&b->in->arena, (most + 1) * sizeof *b->in->kernels);
    b->in->left = cc_arena_alloc(&b->in->arena, (s->functions.n + 1) * sizeof *b->in->left);
    for (size_t i = 0; i < s->functions.n; i++)
        ranked[i] = (struct ranked){(uint32_t)i, b->time[i]};
    qsort(ranked, s->functions.n, sizeof *ranked, longer);
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[ranked[i].f];
        const char *why = why_left(f, ranked[i].time);
        double share = ranked[i].time / total;
        if (!why && b->in->nkernels < most)
            put_kernel(b, ranked[i].f, share);
        else if (!f->of || ranked[i].time > 0) /* a loop that did not run is not worth a line */
            b->in->left[b->in->nleft++] =
                (struct cc_cut_left){f->name, why ? why : "less time than the candidates", share};
    }
    free(ranked);
}

/* A context belongs to the node of the nearest candidate on its path; candidates open one of their own. */
static void make_nodes(struct cc_cut_build *b)
{
    const struct cc_profile *p = b->rq->profile;
    struct cc_cut_input *in = b->in;
    size_t most = p->ncontexts + 1;
    for (size_t c = 0; c < p->ncontexts && b->nwritten; c++)
        for (size_t l = 0; l < p->nloops; l++)
            most += p->loops[l].function == p->contexts[c].function && b->written[l];
    in->nodes = cc_arena_alloc(&in->arena, most * sizeof *in->nodes);
    in->nodes[0] = (struct cc_cut_node){0};
    in->nnodes = 1;
    for (size_t c = 0; c < p->ncontexts; c++) {
        const struct cc_pcontext *x = &p->contexts[c];
        uint32_t s = b->source[x->function],
                 up = x->parent == CC_NONE ? 0 : cc_cut_caller(b, x->parent, x->function);
        uint32_t kernel = s ? b->kernel[s - 1] : 0;
        b->node[c] = up;
        if (kernel) {
            b->node[c] = (uint32_t)in->nnodes;
            in->nodes[in->nnodes++] = (struct cc_cut_node){up, kernel - 1, 0, (double)x->calls};
        }
        in->nodes[b->node[c]].time += (double)x->exclusive / b->rq->clock_hz;
        in->seconds += (double)x->exclusive / b->rq->clock_hz;
        cc_cut_open_loops(b, (uint32_t)c);
    }
    cc_cut_share_time(b);
}

/* Places of a context that its bytes are shared out among: its loops, then itself. */
struct end {
    uint32_t node;
    double part;
};

static size_t ends_of(const struct cc_cut_build *b, uint32_t node, bool reads, struct end *ret)
{
    const struct cc_profile *p = b->rq->profile;
    uint32_t context;
    size_t n = 0;
    double rest = 1;
    if (cc_profile_end(p, CC_LEVEL_CONTEXT, node, &context) != CC_NODE_CONTEXT || context == CC_NONE) {
        ret[0] =
            (struct end){0, 1}; /* what comes from outside the program, or goes there, is the software's */
        return 1;
    }
    for (size_t i = b->first[context]; i < b->first[context + 1]; i++) {
        const struct cc_cut_place *x = &b->places.v[i];
        ret[n] = (struct end){x->node, fmax(0, reads ? x->reads : x->writes)};
        rest -= ret[n++].part;
    }
    ret[n++] = (struct end){b->node[context], fmax(0, rest)};
    return n;
}

static void add_edge(struct cc_cut_build *b, struct cc_map *pairs, uint32_t from, uint32_t to, double bytes)
{
    struct cc_cut_input *in = b->in;
    bool fresh;
    if (from == to || bytes <= 0)
        return;
    uint64_t *at = cc_map_put(pairs, (uint64_t)from * in->nnodes + to, &fresh);
    if (fresh) {
        *at = b->edges.n;
        CC_VEC_PUSH(&b->edges, (struct cc_cut_edge){from, to, 0});
    }
    b->edges.v[*at].bytes += bytes;
}

/* Only bytes whose value the reader had not read since they were written need to be moved. */
static void make_edges(struct cc_cut_build *b)
{
    const struct cc_profile *p = b->rq->profile;
    struct cc_map pairs = {0};
    struct end *from = cc_alloc_array(b->places.n + 2, sizeof *from);
    struct end *to = cc_alloc_array(b->places.n + 2, sizeof *to);
    for (size_t i = 0; i < p->nedges[CC_LEVEL_CONTEXT]; i++) {
        const struct cc_pedge *e = &p->edges[CC_LEVEL_CONTEXT][i];
        size_t nfrom = ends_of(b, e->producer, false, from), nto = ends_of(b, e->consumer, true, to);
        for (size_t f = 0; f < nfrom; f++)
            for (size_t t = 0; t < nto; t++)
                add_edge(b, &pairs, from[f].node, to[t].node, (double)e->fresh * from[f].part * to[t].part);
    }
    cc_map_fini(&pairs);
    free(from);
    free(to);
    b->in->nedges = b->edges.n;
    b->in->edges = cc_arena_alloc(&b->in->arena, (b->edges.n + 1) * sizeof *b->in->edges);
    if (b->edges.n)
        memcpy(b->in->edges, b->edges.v, b->edges.n * sizeof *b->in->edges);
}

int cc_cut_input_build(const struct cc_cut_request *rq, struct cc_cut_input **ret, struct cc_err *err)
{
    const struct cc_profile *p = rq->profile;
    double total = 0;
    for (size_t c = 0; c < p->ncontexts; c++)
        total += (double)p->contexts[c].exclusive;
    if (total <= 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the recording has no instructions by function");
    struct cc_cut_build b = {.rq = rq, .in = cc_alloc(sizeof *b.in)};
    b.source = cc_alloc_array(p->nfunctions + 1, sizeof *b.source);
    b.kernel = cc_alloc_array(rq->sources->functions.n + 1, sizeof *b.kernel);
    b.time = cc_alloc_array(rq->sources->functions.n + 1, sizeof *b.time);
    b.node = cc_alloc_array(p->ncontexts + 1, sizeof *b.node);
    b.written = cc_alloc_array(p->nloops + 1, sizeof *b.written);
    b.first = cc_alloc_array(p->ncontexts + 2, sizeof *b.first);
    match(&b);
    add_up(&b);
    cc_cut_match_loops(&b);
    choose_candidates(&b, total);
    make_nodes(&b);
    make_edges(&b);
    free(b.source);
    free(b.kernel);
    free(b.time);
    free(b.node);
    free(b.written);
    free(b.first);
    CC_VEC_FINI(&b.places);
    CC_VEC_FINI(&b.edges);
    *ret = b.in;
    return 0;
}

void cc_cut_input_free(struct cc_cut_input *in)
{
    if (!in)
        return;
    cc_arena_fini(&in->arena);
    free(in);
}
