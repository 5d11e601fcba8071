/* The problem flattened for the searches, with one planned time for each option. */
#ifndef CC_ANALYSIS_MAPPING_MODEL_H
#define CC_ANALYSIS_MAPPING_MODEL_H

#include "mapping.h"

struct arc {
    uint32_t task, edge; /* the other end */
};

struct model {
    size_t n, m, nedges, noptions;
    /* options of task i are first[i] .. first[i + 1] */
    size_t *first;
    uint32_t *unit, *cores;
    double *time, *energy; /* energy 0 when not asked for */
    double *load;          /* time x cores / cores of the unit */
    double *memory;        /* of tasks */
    double *unit_memory;
    uint32_t *unit_cores;
    size_t *pred_first, *succ_first;
    struct arc *pred, *succ;
    uint32_t *topo;      /* tasks, each after what it needs */
    double *transfer;    /* [edge * m * m + from * m + to] */
    double *edge_energy; /* of an edge between units */
    uint32_t *twin;      /* [unit]: the first unit that is the same in every respect */
    /* minimise: sum of energies + weight x end of the schedule, which must not exceed the deadline;
     * or, for a pipeline, the period alone */
    double weight, deadline;
    bool pipeline, energetic; /* energetic: energies count */
    struct cc_arena arena;
};

/* Everything but weight, deadline and pipeline. Errors on cycles. */
int cc_mapping_model_init(struct model *x, const struct cc_map_problem *p, enum cc_map_plan plan,
                          struct cc_err *err);
void cc_mapping_model_fini(struct model *x);

static inline double model_transfer(const struct model *x, size_t edge, size_t from, size_t to)
{
    return x->transfer[(edge * x->m + from) * x->m + to];
}

/* A complete answer: an option for each task and the order in which tasks are handed to their units. */
struct plan {
    size_t *choice; /* option numbers of the model */
    uint32_t *list; /* a topological order */
    double *start, *finish;
    uint32_t
        *blocker; /* what a task had to wait for last: a predecessor, or the task before it on its cores */
    double time, cost; /* cost: what is minimised; INFINITY if memories or deadline do not hold */
};

#define NO_TASK UINT32_MAX

struct plan *cc_mapping_plan_new(const struct model *x);
void cc_mapping_plan_free(struct plan *p);
void cc_mapping_plan_copy(const struct model *x, struct plan *to, const struct plan *from);

/* Runs the list: every task starts as soon as its data is there and enough cores are free. `time_of` gives
 * each option's time (NULL: the planned ones). Fills start, finish, blocker, time. */
struct decoder;
struct decoder *cc_mapping_decoder_new(const struct model *x);
void cc_mapping_decoder_free(struct decoder *d);
double cc_mapping_decode(struct decoder *d, struct plan *p, const double *time_of);
/* Tasks by start, then by place in the list: the list that gives the same schedule again. */
void cc_mapping_plan_sort(const struct model *x, struct plan *p);

double cc_mapping_model_energy(const struct model *x, const size_t *choice); /* without the part at rest */
double cc_mapping_model_period(const struct model *x, const size_t *choice);
double cc_mapping_model_overflow(const struct model *x, const size_t *choice); /* bytes too many, all units */
/* Decodes and sets p->cost; `soft` gives infeasible plans a large finite cost to climb down from. */
double cc_mapping_model_cost(struct decoder *d, struct plan *p, bool soft);

/* HEFT: highest rank first, each where it ends earliest. */
void cc_mapping_heft(struct decoder *d, struct plan *p);
/* Simulated annealing from p; keeps the best feasible plan in p. `heat` is the first temperature in units of
 * what a random change costs: 0.2 keeps what is good in p, 1 forgets it. */
void cc_mapping_anneal(struct decoder *d, struct plan *p, uint64_t seed, size_t steps, double heat);

/* Shortest schedule of a fixed assignment (p->choice), if one ends before `limit`; writes p->list. Returns 1
 * if found and shortest, 0 if there is none, -1 if the budget ran out (p may still have been improved: see
 * p->time). */
int cc_mapping_sequence(struct decoder *d, struct plan *p, double limit, uint64_t *steps, uint64_t budget);

/* Relative difference below which two times are the same. */
#define MAP_EPSILON 1e-9

/* Branch and bound over assignments. The pool holds the best plans with different choices, best first. */
struct pool {
    struct plan **v;
    size_t n, cap;
};
bool cc_mapping_pool_offer(const struct model *x, struct pool *pool, const struct plan *p);
double cc_mapping_pool_limit(const struct pool *pool); /* cost a new plan must beat */
void cc_mapping_pool_fini(struct pool *pool);
/* Returns whether the search ended: the pool is then the best there is. */
bool cc_mapping_search(struct decoder *d, struct pool *pool, uint64_t budget, uint64_t *steps);
/* No plan costs less. */
double cc_mapping_lower_bound(const struct model *x, double upper);

#endif
