/* A parallelisation scenario: OpenMP directives attached to tasks by name, in a properties file.
 *
 *     vAdd           = #define NUM_THREADS 8
 *     vAdd.parallel0 = #pragma omp parallel num_threads(NUM_THREADS)
 *     vAdd.for0      = #pragma omp for schedule(static, 1)
 */
#ifndef CC_ANALYSIS_SCENARIO_SCENARIO_H
#define CC_ANALYSIS_SCENARIO_SCENARIO_H

#include "../../base/err.h"

enum cc_omp_kind {
    CC_OMP_PARALLEL,
    CC_OMP_FOR, /* also loop */
    CC_OMP_PARALLEL_FOR,
    CC_OMP_SECTIONS,
    CC_OMP_PARALLEL_SECTIONS,
    CC_OMP_PARALLEL_MASKED,
    CC_OMP_PARALLEL_TASKLOOP, /* parallel masked taskloop */
    CC_OMP_SECTION,
    CC_OMP_SINGLE,
    CC_OMP_SCOPE,
    CC_OMP_MASTER, /* also masked */
    CC_OMP_MASTER_TASKLOOP,
    CC_OMP_CRITICAL,
    CC_OMP_ATOMIC,
    CC_OMP_BARRIER,
    CC_OMP_ORDERED,
    CC_OMP_TASK,
    CC_OMP_TASKWAIT,
    CC_OMP_TASKGROUP,
    CC_OMP_TASKLOOP,
    CC_OMP_TEAMS,       /* teams and distribute: only inside a target */
    CC_OMP_TARGET,      /* the task, with all it calls, on a unit of the platform */
    CC_OMP_TARGET_LOOP, /* the same for the iterations of a loop */
    CC_OMP_TARGET_DATA,
    CC_OMP_TARGET_ENTER,
    CC_OMP_TARGET_EXIT,
    CC_OMP_TARGET_UPDATE,
    CC_OMP_NOTHING,  /* what takes no time: flush, taskyield … */
    CC_OMP_REPLACE,  /* #pragma corecast time(N) or speedup(N), a hardware block in the task's place; also omp
                        simd: vectors */
    CC_OMP_TILE,     /* #pragma corecast tile: the task cut into tiles that all processors share */
    CC_OMP_TRANSFER, /* not OpenMP: #pragma corecast dma, transfers before and after the task */
    CC_OMP_KINDS,
};

enum cc_omp_schedule { CC_OMP_STATIC, CC_OMP_DYNAMIC, CC_OMP_GUIDED };

/* One variable of depend: equal names with equal indexes are the same place. */
struct cc_depend {
    bool in; /* else it is written */
    const char *name;
    const char *index[4];
    size_t nindexes;
};

/* One variable of map, or of to and from. */
struct cc_map_item {
    const char *name, *bytes;
    bool to, from; /* neither: only room for it */
};

/* A directive. The texts of clauses are expressions with every #define already put in, NULL when the clause
 * is absent; cc_scenario_eval gives their value for a number of processors. */
struct cc_directive {
    enum cc_omp_kind kind;
    const char *task; /* the name it is attached to */
    unsigned line;
    const char *text; /* what reports show: "for schedule(dynamic, 4)" */
    bool has_schedule;
    enum cc_omp_schedule schedule;
    const char *chunk, *num_threads, *condition, *grainsize, *num_tasks, *collapse, *time, *speedup, *final,
        *filter;
    const char *read[2], *write[2], *buffers;                       /* dma: bytes of a line and lines */
    const char *tile[2], *image[2], *kernel[2], *pixel[2], *memory; /* tile; no tile: find the best */
    const char *device; /* a unit's name, or the number of one that is no CPU */
    struct cc_depend *depends;
    struct cc_map_item *maps;
    size_t ndepends, nmaps;
    const char **reductions; /* how many values each reduction item combines */
    size_t nreductions;
    const char *critical; /* the name in critical(NAME), "" without */
    bool nowait, ordered, nogroup, mergeable, tiled;
    bool copies;      /* single: to the other threads, by copyprivate */
    bool end;         /* taskwait, barrier and the like: behind all the task calls, not in front of it */
    bool uncontended; /* atomic: hint says that threads do not meet there */
    bool one_core;    /* target without teams: one core of the unit */
    bool spread;      /* its threads are put as far from each other as there are clusters */
    char none;        /* clauses without a field of their own point here */
    bool simd;        /* its task, or the loop's iterations, are vectorised */
    bool vector_if;   /* only if the condition holds */
};

struct cc_scenario {
    const char *path, *name;         /* name: the file's, without folder and suffix */
    struct cc_directive *directives; /* in file order; for each task at most one of OpenMP, one to wait at its
                                        end, one block and one dma */
    size_t n;
};

int cc_scenario_load(const char *path, struct cc_scenario **ret, struct cc_err *err);
int cc_scenario_parse(const char *path, const char *text, size_t size, struct cc_scenario **ret,
                      struct cc_err *err);
void cc_scenario_free(struct cc_scenario *s);
/* Whether a line of a scenario can say the name of this task: "NAME = #pragma omp …" is read as that. */
bool cc_scenario_can_name(const char *task);

/* Every directive must name one of these tasks; the error tells the nearest name. */
int cc_scenario_check_names(const struct cc_scenario *s, const char *const *names, size_t n,
                            struct cc_err *err);

/* A clause of a directive, and where its value must lie. */
struct cc_clause {
    const char *name, *text;
    int64_t min, max;
};

/* What names in a clause stand for: the machine's processors; TASK and DEPTH, -1 where there is no task. */
struct cc_clause_names {
    int64_t processors, task, depth;
};

int cc_scenario_eval(const struct cc_scenario *s, const struct cc_directive *d, const struct cc_clause *c,
                     const struct cc_clause_names *names, int64_t *ret, struct cc_err *err);
/* Whether a clause's value differs from task to task. */
bool cc_clause_varies(const char *text);

#endif
