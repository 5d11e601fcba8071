/* Inside the room. */
#ifndef CC_ANALYSIS_EXPLORE_INTERNAL_H
#define CC_ANALYSIS_EXPLORE_INTERNAL_H

#include "explore.h"
#include "../../base/text.h"

/* candidates.c: the loops that may be shared out and have tasks in the graph; why the others are none. */
void cc_explore_candidates(const struct cc_explore_request *rq, struct cc_explore_result *ret);

/* Whether the graph has a task of that name. */
bool cc_explore_has_name(const struct cc_htg *h, const char *name);

/* nest.c: rows of bits as cc_choose_problem has them; owned. */
uint64_t *cc_explore_nest(const struct cc_htg *h, const struct cc_explore_result *r);
/* Puts the candidates into layers of which none runs inside another of its layer; ret by candidate. */
size_t cc_explore_layers(const uint64_t *above, size_t n, unsigned *ret);

/* trial.c: fills work, calls, way, threads, time, gain. */
struct cc_explore_trial {
    const struct cc_explore_request *rq;
    const struct cc_predict_model *m;
    const uint64_t *above;
    struct cc_explore_result *r;
};
int cc_explore_try(const struct cc_explore_trial *t, struct cc_err *err);

/* What the atomic updates of a candidate add to its time on so many processors. */
static inline double cc_explore_atomic(const struct cc_explore_candidate *c, unsigned processors)
{
    return c->atomic / (c->threads ? CC_MIN(c->threads, processors) : processors);
}

/* graph.c: a graph of its own for what the recording has no task for. Node 0 is the whole, named after all
 * others. */
struct cc_explore_graph {
    struct cc_htg h;
    CC_VEC(struct cc_htg_node) nodes;
    const char *names[4];
    uint64_t ticks; /* of the nodes below the whole */
};
/* Once all nodes are there: so that it can be replayed by the clock of the recording. */
void cc_explore_graph_end(struct cc_explore_graph *g, const struct cc_htg *h, const char *const *names,
                          size_t n);
/* Whether tasks of that name are the candidate's iterations. */
bool cc_explore_is_task(const struct cc_explore_candidate *c, uint32_t name);

/* turns.c: of a loop that takes turns, once its work is known: fills turns, way, time, gain. */
int cc_explore_try_turns(const struct cc_explore_trial *t, struct cc_explore_candidate *c,
                         struct cc_err *err);
/* wave.c: of a nest that goes by tiles, the same. */
int cc_explore_try_wave(const struct cc_explore_trial *t, struct cc_explore_candidate *c, struct cc_err *err);
/* walk.c: of a loop that goes from element to element, the same. */
int cc_explore_try_walk(const struct cc_explore_trial *t, struct cc_explore_candidate *c, struct cc_err *err);
/* Whether a loop is replayed by itself in one of these ways, and not by a directive in front of it. */
static inline bool cc_explore_apart(const struct cc_explore_input *in)
{
    return in->turn.share > 0 || in->wave.rows > 0 || in->walk;
}
/* The one of the three above that it takes. */
int cc_explore_try_apart(const struct cc_explore_trial *t, struct cc_explore_candidate *c,
                         struct cc_err *err);
/* How such a loop is replayed: the likely time alone; of how processors slow each other down what was
 * measured of that, else the model, which takes no other recordings. */
static inline struct cc_predict_options cc_explore_quick(const struct cc_explore_request *rq)
{
    struct cc_predict_options quick = rq->predict;
    quick.middle = true;
    quick.contention = quick.together ? CC_CONTENTION_OFF : CC_CONTENTION_MODEL;
    return quick;
}
/* What the whole plan's seconds are to those of `turns`. */
static inline double cc_explore_turn_scale(const struct cc_explore_candidate *c)
{
    return c->whole > 0 && c->work > 0 ? c->whole / c->work : 1;
}
/* What it saves on so many processors, in a whole plan; 0 of another loop. */
double cc_explore_turn_saves(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                             unsigned processors);

/* One candidate as lines of a scenario. threads 0: all. */
void cc_explore_directive(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                          unsigned way, unsigned threads, struct cc_buf *b);
/* The same of calls, as its best way is, but for what `calls` says otherwise. */
void cc_explore_direct_calls(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                             const struct cc_explore_calls *calls, struct cc_buf *b);
/* Which candidate a region of a schedule is of, by the scenario it was made from, whose directives are those
 * of the candidates in this order; SIZE_MAX: none. */
struct cc_explore_owner {
    const char *text; /* of the directive: the pointer tells which it is */
    uint32_t candidate;
};
struct cc_explore_setup { /* a scenario of some candidates, bound to the graph */
    struct cc_scenario *s;
    struct cc_predict_plan *p;
    CC_VEC(struct cc_explore_owner) owners;
};
int cc_explore_setup(const struct cc_explore_request *rq, const struct cc_explore_result *r, const bool *in,
                     int way, struct cc_explore_setup *ret, struct cc_err *err);
void cc_explore_setup_fini(struct cc_explore_setup *s);
/* Time and, with `work`, pure work of each candidate in a schedule are added to times[candidate]. */
void cc_explore_times(const struct cc_explore_setup *s, const struct cc_predict_schedule *schedule,
                      double *times, double *work, uint64_t *calls);

#endif
