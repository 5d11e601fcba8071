/* Loops of which a part of each iteration has to wait for its turn. The recording has no task for that part,
 * so the loop's iterations are replayed in a graph of their own, in which each has one. */
#include "internal.h"

#include <math.h>

enum { MOST = 20000 }; /* iterations that are replayed: of longer loops the first */

static const unsigned ways[] = {
    1, 2}; /* static 1 and dynamic 1: with longer chunks threads wait for each other */

/* --- the graph --- */

static void add_iterations(struct cc_explore_graph *g, uint64_t len, double parts,
                           const struct cc_explore_turn *turn)
{
    unsigned n = (unsigned)fmax(1, round(parts));
    for (unsigned k = 0; k < n && g->nodes.n / 2 < MOST; k++) {
        uint64_t own = len * (k + 1) / n - len * k / n, part = (uint64_t)((double)own * turn->share);
        uint64_t before = (uint64_t)((double)own * turn->before);
        uint32_t at = (uint32_t)g->nodes.n;
        part = CC_MIN(part, own - CC_MIN(before, own));
        CC_VEC_PUSH(&g->nodes, (struct cc_htg_node){.len = own, .name = 0, .next = at + 2, .repeat = 1});
        CC_VEC_PUSH(&g->nodes,
                    (struct cc_htg_node){
                        .gap = CC_MIN(before, own), .len = part, .name = 1, .next = at + 2, .repeat = 1});
        g->ticks += own;
    }
}

/* Between two invocations stands another task, so that each opens a region of its own. */
static void fill(struct cc_explore_graph *g, const struct cc_explore_request *rq,
                 const struct cc_explore_candidate *c)
{
    const struct cc_htg *h = rq->h;
    uint32_t end = 0; /* of the iteration before */
    CC_VEC_PUSH(&g->nodes, (struct cc_htg_node){.name = 3, .repeat = 1});
    for (uint32_t i = 1; i < h->nnodes && g->nodes.n / 2 < MOST; i++) {
        if (!cc_explore_is_task(c, h->nodes[i].name))
            continue;
        uint32_t at = (uint32_t)g->nodes.n;
        if (end && end != i)
            CC_VEC_PUSH(&g->nodes, (struct cc_htg_node){.name = 2, .next = at + 1, .repeat = 1});
        for (uint32_t k = 0; k < h->nodes[i].repeat && g->nodes.n / 2 < MOST; k++)
            add_iterations(g, h->nodes[i].len, c->per_task, &rq->inputs[c->loop].turn);
        end = h->nodes[i].next;
    }
    static const char *const names[] = {"i", "o", "between"};
    cc_explore_graph_end(g, h, names, CC_COUNT(names));
}

/* --- replays --- */

static int replay(const struct cc_predict_model *m, const struct cc_explore_graph *g, unsigned way,
                  unsigned processors, double *ret, struct cc_err *err)
{
    struct cc_buf text = {0};
    struct cc_scenario *s = NULL;
    struct cc_predict_plan *p = NULL;
    struct cc_predict_schedule schedule = {0};
    cc_buf_printf(&text, "i = #pragma omp parallel for ordered %s\no = #pragma omp ordered\n",
                  cc_explore_ways[way].clause);
    int rc = cc_scenario_parse("turns", text.s, text.n, &s, err);
    if (rc == 0)
        rc = cc_predict_plan_new(&g->h, s, &p, err);
    if (rc == 0)
        rc = cc_predict_run(m, p, processors, false, &schedule, err);
    if (rc == 0)
        *ret = CC_TICKS_TO_F64(schedule.time);
    cc_predict_schedule_fini(&schedule);
    cc_predict_plan_free(p);
    cc_scenario_free(s);
    cc_buf_fini(&text);
    return rc;
}

static int try_way(const struct cc_explore_trial *t, struct cc_explore_candidate *c, unsigned way,
                   const struct cc_predict_model *m, const struct cc_explore_graph *g, struct cc_err *err)
{
    size_t ncores = t->rq->ncores;
    double *times = cc_arena_alloc(&t->r->arena, ncores * sizeof *times);
    double all = CC_TICKS_TO_F64(cc_predict_sequential(m));
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < ncores; k++) {
        rc = replay(m, g, way, (unsigned)t->rq->cores[k], &times[k], err);
        t->r->replays++;
        times[k] = all > 0 ? times[k] / all * c->work : c->work;
    }
    if (rc == 0 && (!c->turns || times[ncores - 1] < 0.99 * c->turns[ncores - 1])) {
        c->turns = times;
        c->way = way;
        c->time = times[ncores - 1] + cc_explore_atomic(c, (unsigned)t->rq->cores[ncores - 1]);
        c->gain = c->work - c->time;
    }
    return rc;
}

int cc_explore_try_turns(const struct cc_explore_trial *t, struct cc_explore_candidate *c, struct cc_err *err)
{
    struct cc_explore_graph g = {0};
    struct cc_predict_model *m = NULL;
    struct cc_predict_options quick = cc_explore_quick(t->rq);
    fill(&g, t->rq, c);
    int rc = cc_predict_model_new(&g.h, t->rq->platform, &quick, &m, err);
    for (size_t i = 0; rc == 0 && i < CC_COUNT(ways); i++)
        rc = try_way(t, c, ways[i], m, &g, err);
    cc_predict_model_free(m);
    CC_VEC_FINI(&g.nodes);
    return rc;
}

double cc_explore_turn_saves(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                             unsigned processors)
{
    for (size_t k = 0; c->turns && k < rq->ncores; k++)
        if ((unsigned)rq->cores[k] == processors)
            return (c->work - c->turns[k]) * cc_explore_turn_scale(c);
    return 0;
}
