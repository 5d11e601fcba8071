/* Between the two files that run programs for the native engine: inside this folder only. */
#ifndef CC_RUN_COPIES_H
#define CC_RUN_COPIES_H

#include "../profile/native.h"

/* Where the traces of one record lie until they are in the profile. */
struct session {
    char dir[64];
    char **argv;
    int *cpus; /* those this process may run on */
    size_t ncpus;
};

struct copy {
    pid_t pid;
    int status; /* as waitpid gives it */
    int exec_errno;
    double wall_ns; /* from the start of the program to its end, as its parent sees it */
    char *trace;
    const char *plan; /* of co-runs: what the program gets as CC_NT_CORUN_ENV */
    struct cc_native_times times;
};

/* Runs n copies at once, copy i on cpus[i] (NULL: anywhere), and waits for all. quiet: without a terminal. */
int cc_native_run_copies(const struct session *s, struct copy *copies, size_t n, const int *cpus, bool quiet,
                         struct cc_err *err);
void cc_native_init_copies(const struct session *s, struct copy *c, size_t n, const char *what);
void cc_native_fini_copies(struct copy *c, size_t n);
int cc_native_exit_status(int status);

/* Co-runs, their slowdowns to the profile. ns: how long the program takes alone; cpu_share is lowered to the
 * least seen; note: what the user should know, "" if nothing. */
int cc_native_corun(const struct session *s, const struct cc_native_options *o, double ns,
                    struct cc_tasks_writer *w, double *cpu_share, char note[static 256], struct cc_err *err);

#endif
