/* Copies of one program that run at the same time, each leaving a native trace. */
#ifndef CC_RUN_COPIES_H
#define CC_RUN_COPIES_H

#include "child.h"
#include "../profile/native.h"

/* Where the traces of one record lie until they are in the profile. */
struct session {
    char *dir;
    char *file; /* the program's path */
    char **argv;
    int *cpus; /* those this process may run on */
    size_t ncpus;
};

struct copy {
    struct cc_child child;
    char *trace;
    const char *plan; /* of co-runs: what the program gets as CC_NT_CORUN_ENV */
    struct cc_native_times times;
};

int cc_session_init(struct session *s, char **argv, struct cc_err *err);
void cc_session_fini(struct session *s);

void cc_copies_init(const struct session *s, struct copy *c, size_t n, const char *what);
/* Runs n copies at once, copy i on cpus[i] (NULL: anywhere), and waits for all. quiet: without a terminal. */
int cc_copies_run(const struct session *s, struct copy *copies, size_t n, const int *cpus, bool quiet,
                  struct cc_err *err);
void cc_copies_fini(struct copy *c, size_t n); /* removes the traces */

#endif
