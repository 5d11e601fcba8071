/* A recording as a list of things with figures: what comparing and growth laws start from. Parts that a
 * compiler split off a function (".cold", ".part.0", …) are one with it, so that versions built in different
 * ways have the same names. */
#ifndef CC_ANALYSIS_COMPARE_SUBJECTS_H
#define CC_ANALYSIS_COMPARE_SUBJECTS_H

#include "../../profile/profile.h"
#include "../../profile/tasks.h"

enum cc_subject_kind {
    CC_OF_RUN, /* one, "all" */
    CC_OF_FUNCTION,
    CC_OF_LOOP,
    CC_OF_REGION,
    CC_OF_STREAM, /* between functions */
    CC_OF_FLOW,   /* between regions */
    CC_OF_OBJECT,
    CC_OF_CLASS, /* of instructions */
    CC_OF_TASK,  /* by name */
    CC_OFS
};

/* The figures of each kind, in the order of its info. */
enum { CC_RUN_INSTRUCTIONS, CC_RUN_BYTES, CC_RUN_CALLS, CC_RUN_THREADS };
enum { CC_FUNCTION_INSTRUCTIONS, CC_FUNCTION_INCLUSIVE, CC_FUNCTION_CALLS }; /* of regions too */
enum { CC_LOOP_INSTRUCTIONS, CC_LOOP_ITERATIONS, CC_LOOP_INVOCATIONS };
enum { CC_STREAM_BYTES, CC_STREAM_DISTINCT, CC_STREAM_FRESH, CC_STREAM_READS }; /* of flows too */
enum { CC_OBJECT_BYTES, CC_OBJECT_PEAK, CC_OBJECT_COUNT };
enum { CC_TASK_TIME, CC_TASK_COUNT };

enum { CC_FIGURES = 4 }; /* of a kind, at most */

struct cc_figure {
    const char *name, *unit;
};
struct cc_subject_info {
    const char *name, *plural;
    size_t nfigures;
    struct cc_figure figures[CC_FIGURES]; /* the first is what a kind is sorted and summed by */
};
extern const struct cc_subject_info cc_subject_infos[CC_OFS];

struct cc_subject {
    const char *name; /* no two of a kind alike */
    const char *file; /* where it is written; NULL: unknown */
    unsigned line;
    /* The function a loop or object belongs to; the two ends of a stream or flow (functions or regions by
     * their index here, nodes outside the program behind them). CC_NONE: none. */
    uint32_t ends[2];
    uint32_t depth;           /* of a loop in its function */
    double value[CC_FIGURES]; /* NAN: not known */
    double spread;            /* TASK: standard error of the time; 0: counted, exact */
};

/* Who calls whom: pairs of functions, each once. */
struct cc_subject_call {
    uint32_t from, to;
};

struct cc_subjects {
    CC_VEC(struct cc_subject) of[CC_OFS];
    CC_VEC(struct cc_subject_call) calls;
    /* What the figures rest on; NULL: unknown. */
    const char *path, *program, *engine, *isa, *libs, *loops;
    const char *clock; /* of the tasks' time; NULL: no tasks */
    bool timed;        /* the clock measures time: it has noise */
    bool complete, approximate, plain, objects;
    struct cc_arena arena;
};

/* Everything is copied: the profile may be freed. */
int cc_subjects_of(const struct cc_profile *p, struct cc_subjects **ret, struct cc_err *err);
/* Loads a recording and keeps only this of it; its tasks too if asked for. */
int cc_subjects_load(const char *path, bool tasks, struct cc_subjects **ret, struct cc_err *err);
void cc_subjects_free(struct cc_subjects *s);

/* The name of a function without what compilers put behind it; owned by the arena. */
const char *cc_subject_plain_name(const char *name, struct cc_arena *arena);

#endif
