#include "cut_recording.h"
#include "../../base/map.h"

#include <math.h>

struct build {
    const struct cc_cut_request *rq;
    struct cc_cut_input *in;
    uint32_t *source; /* function of the profile -> 1 + function of the source */
    uint32_t *kernel; /* function of the source -> 1 + kernel */
    double *time;     /* instructions of each function of the source, with all it calls */
    uint32_t *node;   /* context -> node */
};

/* Instructions while a function was on the path, recursion counted once. */
static void add_up(struct build *b)
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

static void match(struct build *b)
{
    const struct cc_profile *p = b->rq->profile;
    const struct cc_sources *s = b->rq->sources;
    for (size_t f = 0; f < p->nfunctions; f++)
        for (size_t i = 0; i < s->functions.n && !b->source[f]; i++)
            if (!s->functions.v[i].refused &&
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

static void put_kernel(struct build *b, uint32_t f, double share)
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

static void choose_candidates(struct build *b, double total)
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
        else
            b->in->left[b->in->nleft++] =
                (struct cc_cut_left){f->name, why ? why : "less time than the candidates", share};
    }
    free(ranked);
}

/* A context belongs to the node of the nearest candidate on its path; candidates open one of their own. */
static void make_nodes(struct build *b)
{
    const struct cc_profile *p = b->rq->profile;
    struct cc_cut_input *in = b->in;
    in->nodes = cc_arena_alloc(&in->arena, (p->ncontexts + 1) * sizeof *in->nodes);
    in->nodes[0] = (struct cc_cut_node){0};
    in->nnodes = 1;
    for (size_t c = 0; c < p->ncontexts; c++) {
        const struct cc_pcontext *x = &p->contexts[c];
        uint32_t s = b->source[x->function], up = x->parent == CC_NONE ? 0 : b->node[x->parent];
        uint32_t kernel = s ? b->kernel[s - 1] : 0;
        b->node[c] = up;
        if (kernel) {
            b->node[c] = (uint32_t)in->nnodes;
            in->nodes[in->nnodes++] = (struct cc_cut_node){up, kernel - 1, 0, (double)x->calls};
        }
        in->nodes[b->node[c]].time += (double)x->exclusive / b->rq->clock_hz;
        in->seconds += (double)x->exclusive / b->rq->clock_hz;
    }
}

/* Only bytes whose value the reader had not read since they were written need to be moved. What comes from
 * outside the program, or goes there, is the software's. */
static void make_edges(struct build *b)
{
    const struct cc_profile *p = b->rq->profile;
    struct cc_cut_input *in = b->in;
    struct cc_map pairs = {0};
    size_t n = p->nedges[CC_LEVEL_CONTEXT];
    in->edges = cc_arena_alloc(&in->arena, (n + 1) * sizeof *in->edges);
    for (size_t i = 0; i < n; i++) {
        const struct cc_pedge *e = &p->edges[CC_LEVEL_CONTEXT][i];
        uint32_t from, to;
        bool fresh;
        if (cc_profile_end(p, CC_LEVEL_CONTEXT, e->producer, &from) != CC_NODE_CONTEXT)
            from = CC_NONE;
        if (cc_profile_end(p, CC_LEVEL_CONTEXT, e->consumer, &to) != CC_NODE_CONTEXT)
            to = CC_NONE;
        from = from == CC_NONE ? 0 : b->node[from];
        to = to == CC_NONE ? 0 : b->node[to];
        if (from == to)
            continue;
        uint64_t *at = cc_map_put(&pairs, (uint64_t)from * in->nnodes + to, &fresh);
        if (fresh) {
            *at = in->nedges;
            in->edges[in->nedges++] = (struct cc_cut_edge){from, to, 0};
        }
        in->edges[*at].bytes += (double)e->fresh;
    }
    cc_map_fini(&pairs);
}

int cc_cut_input_build(const struct cc_cut_request *rq, struct cc_cut_input **ret, struct cc_err *err)
{
    const struct cc_profile *p = rq->profile;
    double total = 0;
    for (size_t c = 0; c < p->ncontexts; c++)
        total += (double)p->contexts[c].exclusive;
    if (total <= 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the recording has no instructions by function");
    struct build b = {.rq = rq, .in = cc_alloc(sizeof *b.in)};
    b.source = cc_alloc_array(p->nfunctions + 1, sizeof *b.source);
    b.kernel = cc_alloc_array(rq->sources->functions.n + 1, sizeof *b.kernel);
    b.time = cc_alloc_array(rq->sources->functions.n + 1, sizeof *b.time);
    b.node = cc_alloc_array(p->ncontexts + 1, sizeof *b.node);
    match(&b);
    add_up(&b);
    choose_candidates(&b, total);
    make_nodes(&b);
    make_edges(&b);
    free(b.source);
    free(b.kernel);
    free(b.time);
    free(b.node);
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
