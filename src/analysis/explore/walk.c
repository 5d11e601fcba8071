/* Loops that go from element to element: one thread does, and makes a task of each iteration. The recording
 * has no task around an invocation, so iterations are replayed in a graph of their own, which has. */
#include "internal.h"

#include <math.h>

enum { MOST = 20000 }; /* iterations that are replayed: of longer loops the first */

static uint32_t put_node(struct cc_explore_graph *g, uint64_t len, uint32_t name)
{
    uint32_t at = (uint32_t)g->nodes.n;
    CC_VEC_PUSH(&g->nodes, ((struct cc_htg_node){.len = len, .name = name, .next = at + 1, .repeat = 1}));
    return at;
}

/* The iterations of a task of the recording; what they take together. */
static uint64_t put_iterations(struct cc_explore_graph *g, uint64_t len, double parts)
{
    uint64_t n = (uint64_t)fmax(1, round(parts)), all = 0;
    for (uint64_t k = 0; k < n && g->nodes.n < MOST; k++) {
        uint64_t own = len * (k + 1) / n - len * k / n;
        put_node(g, own, 0);
        all += own;
    }
    return all;
}

static void fill(struct cc_explore_graph *g, const struct cc_explore_request *rq,
                 const struct cc_explore_candidate *c)
{
    const struct cc_htg *h = rq->h;
    uint32_t end = 0, around = 0; /* of the iteration before; the invocation's */
    CC_VEC_PUSH(&g->nodes, ((struct cc_htg_node){.name = 2, .repeat = 1}));
    for (uint32_t i = 1; i < h->nnodes && g->nodes.n < MOST; i++) {
        if (!cc_explore_is_task(c, h->nodes[i].name))
            continue;
        if (!around || end != i)
            around = put_node(g, 0, 1);
        for (uint32_t k = 0; k < h->nodes[i].repeat && g->nodes.n < MOST; k++) {
            uint64_t all = put_iterations(g, h->nodes[i].len, c->per_task);
            g->nodes.v[around].len += all;
            g->ticks += all;
        }
        g->nodes.v[around].next = (uint32_t)g->nodes.n;
        end = h->nodes[i].next;
    }
    static const char *const names[] = {"element", "walk"};
    cc_explore_graph_end(g, h, names, CC_COUNT(names));
}

int cc_explore_try_walk(const struct cc_explore_trial *t, struct cc_explore_candidate *c, struct cc_err *err)
{
    static const char text[] = "walk = #pragma omp parallel masked\nelement = #pragma omp task\n";
    struct cc_explore_graph g = {0};
    struct cc_predict_options quick = cc_explore_quick(t->rq);
    struct cc_predict_model *m = NULL;
    struct cc_scenario *s = NULL;
    struct cc_predict_plan *p = NULL;
    size_t n = t->rq->ncores;
    double *times = cc_arena_alloc(&t->r->arena, n * sizeof *times);
    fill(&g, t->rq, c);
    int rc = cc_predict_model_new(&g.h, t->rq->platform, &quick, &m, err);
    if (rc == 0)
        rc = cc_scenario_parse("walk", text, sizeof text - 1, &s, err);
    if (rc == 0)
        rc = cc_predict_plan_new(&g.h, s, &p, err);
    for (size_t k = 0; rc == 0 && k < n; k++) {
        struct cc_predict_schedule schedule = {0};
        rc = cc_predict_run(m, p, (unsigned)t->rq->cores[k], false, &schedule, err);
        double all = rc == 0 ? CC_TICKS_TO_F64(cc_predict_sequential(m)) : 0;
        times[k] = all > 0 ? CC_TICKS_TO_F64(schedule.time) / all * c->work : c->work;
        cc_predict_schedule_fini(&schedule);
        t->r->replays++;
    }
    if (rc == 0) {
        c->turns = times;
        c->time = times[n - 1] + cc_explore_atomic(c, (unsigned)t->rq->cores[n - 1]);
        c->gain = c->work - c->time;
    }
    cc_predict_plan_free(p);
    cc_scenario_free(s);
    cc_predict_model_free(m);
    CC_VEC_FINI(&g.nodes);
    return rc;
}
