/* Mapping tasks onto the units of a chip: the problem, the solvers, and what can be said about the answer.
 * Times are seconds, energies joules, sizes bytes. See README.md for the model. */
#ifndef CC_ANALYSIS_MAPPING_MAPPING_H
#define CC_ANALYSIS_MAPPING_MAPPING_H

#include "../../base/arena.h"
#include "../../base/count.h"
#include "../../base/err.h"
#include "../../platform/link.h"

enum {
    CC_MAP_MAX_UNITS = 64,
    CC_MAP_MAX_CORES = 4096,
    CC_MAP_MAX_TASKS = 20000,
    CC_MAP_MAX_OPTIONS = 64, /* of one task */
};

struct cc_map_unit {
    const char *name;
    size_t cores;
    double memory;            /* INFINITY: no limit */
    double power, idle_power; /* watts; NAN: not known */
};

/* One way to run a task: on `cores` of `unit`, taking between low and high. */
struct cc_map_option {
    size_t unit, cores;
    double low, high;
    double energy; /* beyond what the unit draws at rest; NAN: not known */
};

struct cc_map_task {
    const char *name;
    CC_VEC(struct cc_map_option) options;
    double memory; /* held on its unit all the time */
    unsigned line; /* in the task file */
};

struct cc_map_edge {
    size_t from, to;
    double bytes;
};

struct cc_map_problem {
    struct cc_arena arena;
    const char *path, *name;
    const char *clock;   /* what the file's times are in: "ms" */
    double clock_second; /* seconds of one such unit */
    CC_VEC(struct cc_map_unit) units;
    CC_VEC(struct cc_map_task) tasks;
    CC_VEC(struct cc_map_edge) edges;
    struct cc_link *links; /* [from * units + to] */
    double byte_energy;    /* joules a byte between units; 0 if not known */
    double idle_power;     /* watts of everything at rest */
};

/* A task file and the platform it is for. */
int cc_map_problem_load(const char *path, const struct cc_platform *p, struct cc_map_problem **ret,
                        struct cc_err *err);
int cc_map_problem_parse(const char *path, const char *text, size_t size, const struct cc_platform *p,
                         struct cc_map_problem **ret, struct cc_err *err);
/* The platform a task file names itself ([tasks] platform), as a path; NULL if none. Owned by the caller. */
char *cc_map_problem_platform(const char *path);
void cc_map_problem_free(struct cc_map_problem *p);
/* Keeps only the options on `unit`, or drops them. Errors if none is left. */
int cc_map_problem_pin(struct cc_map_problem *p, const char *task, const char *unit, struct cc_err *err);
int cc_map_problem_forbid(struct cc_map_problem *p, const char *task, const char *unit, struct cc_err *err);

enum cc_map_objective { CC_MAP_LATENCY, CC_MAP_THROUGHPUT, CC_MAP_ENERGY, CC_MAP_PARETO };
enum cc_map_plan { CC_MAP_EXPECTED, CC_MAP_WORST, CC_MAP_BEST }; /* middle, high, low end of each interval */

struct cc_map_solve_options {
    enum cc_map_objective objective;
    enum cc_map_plan plan;
    double deadline;        /* the schedule must end by then; INFINITY: none */
    double effort;          /* 1: the default budgets */
    size_t alternatives;    /* next best mappings wanted */
    size_t exact_tasks;     /* no exact search beyond; 0: the default */
    size_t samples;         /* draws to tell how sure the answer is; 0: the default */
    struct cc_count *count; /* of steps; may be NULL */
};

struct cc_map_placed {
    size_t option; /* of the task */
    double start, finish;
};

struct cc_map_solution {
    struct cc_map_placed *tasks;
    size_t *order;    /* tasks by start: what a run in other times keeps */
    double time;      /* end of the schedule */
    double period;    /* between two results when inputs stream through */
    double energy;    /* NAN if not known */
    double low, high; /* the schedule with all times at their low and high ends */
    double better;    /* alternatives: how likely the chosen mapping beats this one, 0 to 1 */
};

struct cc_map_result {
    struct cc_map_solution *best; /* one; for a Pareto front as many as it has points, fastest first */
    size_t nbest;
    struct cc_map_solution *alternatives;
    size_t nalternatives;
    double lower_bound; /* of the objective: seconds or joules */
    bool proven;        /* best[0] (or the whole front) is optimal for its planned times */
    bool alternatives_proven;
    uint64_t steps; /* of the exact search */
    double
        quantiles[3]; /* 5 %, 50 %, 95 % of the time of best[0] when times are uniform in their intervals */
    size_t samples;
};

/* An error when nothing satisfies memories and deadline. */
int cc_map_solve(const struct cc_map_problem *p, const struct cc_map_solve_options *o,
                 struct cc_map_result *ret, struct cc_err *err);
void cc_map_result_fini(struct cc_map_result *r);

#endif
