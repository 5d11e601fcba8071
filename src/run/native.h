/* Recording plain programs whose marks take time stamps: no engine in between, real time. Their trace becomes
 * the task trace of a profile. */
#ifndef CC_RUN_NATIVE_H
#define CC_RUN_NATIVE_H

#include "../base/err.h"

struct cc_native_options {
    const char *output;    /* the .cast file */
    const unsigned *corun; /* numbers of copies, each 2 or more; may be empty */
    size_t ncorun;
    enum cc_native_copies {
        CC_NATIVE_AUTO,     /* forked, or separate where that cannot be */
        CC_NATIVE_FORKED,   /* at the first mark: they share what they only read, as threads do */
        CC_NATIVE_SEPARATE, /* whole runs of the program, with nothing in common */
    } copies;
    unsigned repeat;   /* runs of each kind; the fastest is stored. 0: 1 alone, 3 of each co-run */
    bool quiet_copies; /* runs after the first write to /dev/null; always so for co-runs */
};

struct cc_native_result {
    int status;        /* the program's own: exit code, or 128 + signal */
    uint64_t events;   /* of the stored run */
    double ns;         /* its length, compensated */
    double outside_ns; /* of that: starting and tearing down the process, which the library cannot see */
    double mark_ns;
    uint64_t lost;
    char note[256]; /* what the user should know, "" if nothing */
};

/* Runs argv (argv[0] looked up in PATH) and writes the profile. A program that crashes still leaves a
 * profile, marked incomplete. Negative with err when nothing could be recorded. */
int cc_native_record(const struct cc_native_options *o, char **argv, struct cc_native_result *ret,
                     struct cc_err *err);

/* Writes the profile of a run that happened elsewhere (on a board, say) from the trace it left. */
int cc_native_import(const char *trace, const char *output, struct cc_native_result *ret, struct cc_err *err);

#endif
