/* From a recording to plans: which loops to share out, how, and what that gives. README.md has the method. */
#ifndef CC_ANALYSIS_EXPLORE_EXPLORE_H
#define CC_ANALYSIS_EXPLORE_EXPLORE_H

#include "../loops/loops.h"
#include "../predict/predict.h"
#include "choose.h"
#include "../../base/ranks.h"

#include <signal.h>

/* How iterations are dealt out. Chunks are of tasks of the recording, which may be several iterations. */
struct cc_explore_way {
    enum cc_omp_schedule schedule;
    unsigned chunk;     /* 0: none */
    bool collapsed;     /* with the loop that is all of its body */
    const char *clause; /* in a scenario */
};
enum { CC_EXPLORE_WAYS = 7 };
extern const struct cc_explore_way cc_explore_ways[CC_EXPLORE_WAYS];

/* Calls that follow each other, in the place of a loop. Way 0 and so on are depths of recursion then. */
struct cc_explore_calls {
    struct cc_htg_group group; /* the graph was loaded with it */
    bool recursive;            /* tasks, and a region around calls from outside; else sections */
    bool hidden; /* the last is a jump in the binary, so the graph has no task for the group: each call waits
                    at its end */
    bool loose;  /* nothing follows the calls in their function: the region waits for them all, nobody else */
    const char **tops; /* those calls, as far as they can have a region */
    size_t ntops;
    const char **others; /* statements that call something else */
    size_t nothers;
};
extern const unsigned cc_explore_depths[CC_EXPLORE_WAYS];

/* The part of an iteration that has to wait until all earlier ones have done theirs. */
struct cc_explore_turn {
    double before, share; /* of an iteration: what runs before it, and itself; share 0: there is none */
};

/* A loop and the one that is all of its body, to be gone through in tiles, diagonal by diagonal: on average.
 */
struct cc_explore_wave {
    double invocations, rows, columns; /* rows 0: it is no such nest */
    unsigned reach;                    /* columns to the right that a row looks at in those before */
};
enum { CC_EXPLORE_EDGES = 5 };
extern const unsigned cc_explore_edges[CC_EXPLORE_EDGES]; /* of tiles that are tried */

/* A loop of the list, as the caller knows it. */
struct cc_explore_input {
    const char *refused; /* why it may not be shared out; NULL: it may */
    bool collapsible;
    unsigned lines;      /* that a directive for it takes; at least 1 */
    const char *clauses; /* that cost something: " reduction(+:a[:64])"; "" */
    double atomics;      /* updates of shared data, in the whole run, that the directive makes atomic */
    const struct cc_explore_calls *calls; /* it is no loop; NULL: it is */
    struct cc_explore_turn turn;
    struct cc_explore_wave wave;
    bool walk; /* one thread goes from element to element, and each iteration is a task */
    const struct cc_source_loop *source; /* NULL: not found */
    bool group;                          /* it is no loop but calls, also where these are refused */
    bool unwanted;                       /* the user left it out */
    bool assumed;                        /* the user takes its iterations to be free */
};

enum cc_explore_objective {
    CC_EXPLORE_TIME,   /* on the largest number of cores */
    CC_EXPLORE_CORE,   /* speed-up for each core, on the number from two on where it is best */
    CC_EXPLORE_ENERGY, /* on the number of cores where it is least */
    CC_EXPLORE_AREA,   /* part of the logic that a part of the run saved takes; without logic as time, behind
                          those */
};

struct cc_explore_request {
    const struct cc_profile *p;
    const struct cc_loop_list *loops;
    const struct cc_explore_input *inputs; /* by loop */
    const struct cc_source_loops *sources; /* as the loops were analysed with */
    struct cc_htg *h;                      /* loops inside one of the same name get names of their own */
    struct cc_platform *platform;
    struct cc_predict_options predict;
    const int64_t *cores; /* rising */
    size_t ncores;
    unsigned lines;                      /* of the best plan, at most; 0: any */
    enum cc_explore_objective objective; /* that plans are ranked by */
    double min_gain;                     /* of the run's time: what a directive has to save to be worth it */
    uint64_t most_events;         /* of lines that replays of whole plans may go through; 0: a usual number */
    const struct cc_ranks *ranks; /* processes that share the trials; NULL: this one does all */
    unsigned jobs;                /* threads to compute with; 0: as many as processors */
    const volatile sig_atomic_t *stop; /* not 0: come to an end with what is known; may be NULL */
    void (*progress)(void *data, size_t done, size_t all); /* may be NULL */
    void *data;
};

/* A loop that may be shared out: how it would do. */
struct cc_explore_candidate {
    uint32_t loop;          /* index into the list */
    CC_VEC(uint32_t) names; /* of its iterations in the graph; of calls, those that regions are around */
    double work;            /* seconds or ticks of the sequential run, see cc_explore_result */
    uint64_t calls;         /* regions it would open */
    double per_task;        /* iterations in a task */
    unsigned way, threads;  /* the best on the largest number of cores */
    double time;            /* with those */
    double gain;            /* work - time */
    double overhead;        /* of one region on one processor */
    double atomic;          /* what atomic updates add to the work; threads share it */
    double *turns; /* of a loop that takes turns, or goes by tiles: its time, by number of cores; else NULL */
    unsigned edge; /* of these tiles; 0: it does not */
    double
        whole; /* of the same: its work as the replay of a whole plan has it, with caches; 0: not asked yet */
};

struct cc_explore_speedup {
    unsigned processors;
    double time, speedup, low, high, energy; /* energy NAN: not known */
};

struct cc_explore_part {
    uint32_t candidate;
    double work;        /* on one processor, by the model that plans are replayed with */
    double time, saved; /* in this plan, on the largest number of cores */
    double share;       /* saved, of the sequential run */
};

/* Code that goes to another unit; the caller's, who puts such plans among the others. */
struct cc_explore_move {
    const char *name, *file, *unit, *kind;
    unsigned line;
    bool logic;
    double cores, calls, bytes; /* cores of the unit; of the whole run */
    double low, seconds, high;  /* on the unit, of the whole run */
    double share, saved;        /* of the sequential run: what it takes on the cores; what is saved, transfers
                                   paid */
};

struct cc_explore_plan {
    CC_VEC(struct cc_explore_part) parts; /* those that save most first */
    struct cc_explore_speedup *speedups;  /* one for each of the cores */
    unsigned lines;
    double time;           /* on the largest number of cores */
    double score;          /* what it is ranked by: less is better; */
    size_t at;             /* index of the number of cores that it is best on */
    const char *unwritten; /* why directives cannot say it, and nothing can be proven; NULL: they can */
    const char *also;      /* what it has beside loops, in a few words; NULL: nothing */
    const struct cc_explore_move *moves;
    size_t nmoves;
    double area; /* share of the logic that they take; 0: none */
};

struct cc_explore_result {
    CC_VEC(struct cc_explore_candidate) candidates;
    CC_VEC(struct cc_explore_plan) plans; /* the best by the objective first */
    double sequential, second;            /* ticks of the run; seconds of a tick, 0: unknown */
    double energy;                        /* of the sequential run; NAN: not known */
    const char **refused;                 /* by loop: why it is no candidate; NULL: it is */
    bool proven;                          /* no other set of candidates gains more */
    double bound;                         /* speed-up that no set exceeds */
    bool complete;                        /* false: stopped */
    size_t replays;
    const char *const *warnings;
    size_t nwarnings;
    size_t ncores;
    struct cc_arena arena;
};

/* The candidate that a loop of the list is; NULL: it is none. */
const struct cc_explore_candidate *cc_explore_candidate_of(const struct cc_explore_result *r, uint32_t loop);

/* Whether its directive saves enough. One with turns has to save ten times as much: threads that wait for
 * their turn lose more than the replay knows as soon as one of them is kept from running. */
bool cc_explore_pays(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                     double sequential);

int cc_explore_run(const struct cc_explore_request *rq, struct cc_explore_result *ret, struct cc_err *err);
/* One more plan, at the end: the best without some candidates (`without` by candidate). None if there is
 * none, or if it is there already. */
int cc_explore_again(const struct cc_explore_request *rq, struct cc_explore_result *r, const bool *without,
                     struct cc_err *err);
void cc_explore_fini(struct cc_explore_result *r);

/* The choice among the candidates that plans are made of; free items and above. */
void cc_explore_choice(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                       struct cc_choose_problem *ret);
/* A plan of some candidates, which is put nowhere; of none it is the sequential run. */
int cc_explore_replay(const struct cc_explore_request *rq, struct cc_explore_result *r, const bool *set,
                      struct cc_explore_plan *ret, struct cc_err *err);
/* The same of a plan on a machine where so many busy processors slow each other down as `together` says,
 * whatever the platform says about that. */
int cc_explore_replay_slowed(const struct cc_explore_request *rq, struct cc_explore_result *r,
                             const struct cc_explore_plan *plan, const struct cc_curve *together,
                             struct cc_explore_plan *ret, struct cc_err *err);
/* Scores a plan whose speed-ups were changed, and puts it among the others. */
void cc_explore_add(const struct cc_explore_request *rq, struct cc_explore_result *r,
                    const struct cc_explore_plan *plan);

/* The directives of a plan as a scenario for predict. */
void cc_explore_scenario(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                         const struct cc_explore_plan *plan, struct cc_buf *ret);

#endif
