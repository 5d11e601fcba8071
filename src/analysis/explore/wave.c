/* Nests of two loops in tiles, diagonal by diagonal: the tiles of a diagonal are the iterations of a region.
 * The recording has no task for a tile, so an average invocation is replayed in a graph of its own, in which
 * each has one. */
#include "internal.h"

#include <math.h>

enum { MOST = 20000 }; /* tiles that are replayed: smaller ones would not be worth a region */

const unsigned cc_explore_edges[CC_EXPLORE_EDGES] = {256, 128, 64, 32, 16};

/* Elements of a tile: of each of its rows, what lies in the nest. */
static double elements(const struct cc_explore_wave *w, double row, double column, double edge)
{
    double all = 0;
    for (double i = row * edge; i < fmin(w->rows, (row + 1) * edge); i++) {
        double from = column * edge - w->reach * i;
        all += fmax(0, fmin(w->columns, from + edge) - fmax(0, from));
    }
    return all;
}

static void put_node(struct cc_explore_graph *g, double len, uint32_t name)
{
    uint32_t at = (uint32_t)g->nodes.n;
    uint64_t ticks = (uint64_t)llround(fmax(1, len));
    CC_VEC_PUSH(&g->nodes, ((struct cc_htg_node){.len = ticks, .name = name, .next = at + 1, .repeat = 1}));
    g->ticks += ticks;
}

/* False: there would be too many tiles, or but one. */
static bool fill(struct cc_explore_graph *g, const struct cc_htg *h, const struct cc_explore_wave *w,
                 double each, double edge)
{
    double rows = ceil(w->rows / edge), columns = ceil((w->columns + w->reach * rows * edge) / edge);
    if (rows * columns > MOST || rows < 2 || columns < 2)
        return false;
    CC_VEC_PUSH(&g->nodes, ((struct cc_htg_node){.name = 2, .repeat = 1}));
    for (double d = 0; d < rows + columns - 1; d++) {
        for (double r = fmax(0, d - columns + 1); r < fmin(rows, d + 1); r++)
            put_node(g, each * elements(w, r, d - r, edge), 0);
        put_node(g, 0, 1); /* so that each diagonal opens a region of its own */
    }
    static const char *const names[] = {"tile", "between"};
    cc_explore_graph_end(g, h, names, CC_COUNT(names));
    return true;
}

static int replay(const struct cc_explore_trial *t, const struct cc_explore_graph *g, double *ret,
                  struct cc_err *err)
{
    static const char text[] = "tile = #pragma omp parallel for schedule(static, 1)\n";
    struct cc_predict_options quick = cc_explore_quick(t->rq);
    struct cc_predict_model *m = NULL;
    struct cc_scenario *s = NULL;
    struct cc_predict_plan *p = NULL;
    int rc = cc_predict_model_new(&g->h, t->rq->platform, &quick, &m, err);
    if (rc == 0)
        rc = cc_scenario_parse("tiles", text, sizeof text - 1, &s, err);
    if (rc == 0)
        rc = cc_predict_plan_new(&g->h, s, &p, err);
    for (size_t k = 0; rc == 0 && k < t->rq->ncores; k++) {
        struct cc_predict_schedule schedule = {0};
        rc = cc_predict_run(m, p, (unsigned)t->rq->cores[k], false, &schedule, err);
        double all = rc == 0 ? CC_TICKS_TO_F64(cc_predict_sequential(m)) : 0;
        ret[k] = all > 0 ? CC_TICKS_TO_F64(schedule.time) / all : 1;
        cc_predict_schedule_fini(&schedule);
        t->r->replays++;
    }
    cc_predict_plan_free(p);
    cc_scenario_free(s);
    cc_predict_model_free(m);
    return rc;
}

/* Ticks of the recording that the candidate took. A task that is repeated is in the graph once, with all in
 * it. */
static double ticks_of(const struct cc_htg *h, const struct cc_explore_candidate *c)
{
    struct open {
        uint32_t end;
        double copies;
    };
    CC_VEC(struct open) open = {0};
    double all = 0;
    for (uint32_t i = 1; i < h->nnodes; i++) {
        while (open.n && open.v[open.n - 1].end <= i)
            open.n--;
        double copies = (open.n ? open.v[open.n - 1].copies : 1) * h->nodes[i].repeat;
        if (cc_explore_is_task(c, h->nodes[i].name))
            all += copies * (double)h->nodes[i].len;
        if (h->nodes[i].next > i + 1)
            CC_VEC_PUSH(&open, ((struct open){h->nodes[i].next, copies}));
    }
    CC_VEC_FINI(&open);
    return all;
}

int cc_explore_try_wave(const struct cc_explore_trial *t, struct cc_explore_candidate *c, struct cc_err *err)
{
    const struct cc_explore_wave *w = &t->rq->inputs[c->loop].wave;
    size_t n = t->rq->ncores;
    double all = w->invocations * w->rows * w->columns, each = all > 0 ? ticks_of(t->rq->h, c) / all : 0;
    int rc = 0;
    for (unsigned k = 0; rc == 0 && each > 0 && k < CC_EXPLORE_EDGES; k++) {
        struct cc_explore_graph g = {0};
        double *times = cc_arena_alloc(&t->r->arena, n * sizeof *times);
        bool fits = fill(&g, t->rq->h, w, each, cc_explore_edges[k]);
        if (fits)
            rc = replay(t, &g, times, err);
        for (size_t i = 0; i < n; i++)
            times[i] *= c->work;
        if (fits && rc == 0 && (!c->turns || times[n - 1] < 0.99 * c->turns[n - 1])) {
            c->turns = times;
            c->edge = cc_explore_edges[k];
            c->way = 1;
            c->time = times[n - 1];
            c->gain = c->work - c->time;
        }
        CC_VEC_FINI(&g.nodes);
    }
    return rc;
}
