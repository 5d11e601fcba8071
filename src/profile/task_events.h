/* Task events that an instrumenting engine left beside its records (collect/task.c), into the task trace of a
 * profile, with the counted clock; and the trace of lines that lies between them (collect/locality.c). */
#ifndef CC_PROFILE_TASK_EVENTS_H
#define CC_PROFILE_TASK_EVENTS_H

#include "profile.h"
#include "store.h"

struct cc_lines_import;

struct cc_task_events {
    const char *path;
    struct cc_store *out;
    struct cc_profile *p;
    struct cc_lines_import *lines; /* calls are named after theirs */
    const char *incomplete;
};

/* p has the functions, scopes and threads that events name. A file that does not exist, or holds no events,
 * is no task trace and no error. What is cut short is kept up to there. */
int cc_task_events_import(const struct cc_task_events *x, struct cc_err *err);

#endif
