/* Tasks of a recorded run: its functions or regions, timed on each unit by their instruction classes. */
#ifndef CC_ANALYSIS_MAPPING_RECORDING_H
#define CC_ANALYSIS_MAPPING_RECORDING_H

#include "mapping.h"
#include "../classes/work.h"

struct cc_map_recording {
    enum cc_level level; /* CC_LEVEL_FUNCTION or CC_LEVEL_REGION */
    size_t tasks;        /* the heaviest so many; what is left is one task more, without dependencies */
    double strong; /* in [0, 1]: streams with this part of the bytes or more are kept even if they close a
                      cycle */
    bool parallel; /* work divides evenly over the cores of a unit */
    bool unma;     /* a dependency carries distinct addresses, not first reads */
};

/* What the tasks leave out, for notes. */
struct cc_map_recorded {
    size_t merged, groups; /* parts that give data to each other, now in so many tasks */
    size_t dropped;        /* streams that would have closed a cycle and were weak */
    double dropped_bytes;
    size_t rest;       /* functions or regions in the task for the rest */
    double rest_share; /* of the instructions */
    const char
        *unable; /* first reason why a task has no time on some unit; NULL: none. Of the problem's arena. */
    size_t nunable;
};

int cc_map_problem_from_profile(const struct cc_profile *profile, const struct cc_platform *platform,
                                const struct cc_map_recording *how, struct cc_map_problem **ret,
                                struct cc_map_recorded *facts, struct cc_err *err);

#endif
