/* What a run is asked for. `corecast record` writes it into the run file, the engines get the path of that.
 */
#ifndef CC_COLLECT_OPTIONS_H
#define CC_COLLECT_OPTIONS_H

#include "host.h"

#include <stdbool.h>

/* Which shared libraries' functions are nodes; code of the others is charged to the function that calls it.
 * AUTO: all but the run-time libraries of languages and system. CALLER: those in the program's own folder. */
enum cc_libs { CC_LIBS_AUTO, CC_LIBS_CALLER, CC_LIBS_NODE };

/* What the task trace is made of: marks, marks and every call of a function, or there is none; or
 * of loops and their iterations; or of loops and calls, and then it is followed which calls of one activation
 * need each other. */
enum cc_task_source { CC_TASKS_MARKS, CC_TASKS_CALLS, CC_TASKS_NONE, CC_TASKS_LOOPS, CC_TASKS_ALL };

/* Of loops: nothing; how often and how long they ran; also what their iterations need from each other. */
enum cc_loops { CC_LOOPS_NONE, CC_LOOPS_COUNT, CC_LOOPS_DEPENDENCES };

struct cc_texts {
    const char **v;
    size_t n, cap;
};

struct cc_options {
#define CC_FLAG(name) bool name;
#define CC_NUMBER(name) uint64_t name;
#define CC_CHOICE(name) int name;
#define CC_TEXT(name) const char *name;
#define CC_TEXTS(name) struct cc_texts name;
#include "options.def"
};

/* The run file: lines NAME=VALUE, in which a line break is written \n and a backslash twice; every other byte
 * stands for itself. A list is a line for each of its texts. Whether it was understood; the texts live in
 * memory of the host's that is never given back. */
bool cc_options_read(const struct cc_host *host, const char *path, struct cc_options *ret);

#endif
