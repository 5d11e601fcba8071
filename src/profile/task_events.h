/* Task events that an instrumenting engine left beside its records (collect/task.c), into the task trace of a
 * profile, with the counted clock. */
#ifndef CC_PROFILE_TASK_EVENTS_H
#define CC_PROFILE_TASK_EVENTS_H

#include "store.h"

struct cc_task_names {
    const char *const *scopes, *const *functions; /* NULL: it has no name */
    size_t nscopes, nfunctions;
};

/* A file that does not exist, or holds no events, is no task trace and no error. What is cut short is kept up
 * to there. `start` and `end`: of the run, in instructions. */
int cc_task_events_import(const char *path, struct cc_store *out, const struct cc_task_names *names,
                          uint64_t end, const char *incomplete, struct cc_err *err);

#endif
