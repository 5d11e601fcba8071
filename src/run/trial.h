/* Trying a change in a copy of a tree: the copy, and commands that run in it. */
#ifndef CC_RUN_TRIAL_H
#define CC_RUN_TRIAL_H

#include "child.h"

#include <signal.h>

enum { CC_TRIAL_FILES = 20000, CC_TRIAL_BYTES = 512 << 20 };

/* Copies a folder with all that is in it but version control; to must not be there. More than the bounds
 * above, or something that is neither file, folder nor link, is an error. Links stay as they are. */
int cc_trial_copy(const char *from, const char *to, struct cc_err *err);
/* With all that is in it; what cannot be removed stays. */
void cc_trial_remove(const char *folder);

struct cc_trial {
    const char *folder;             /* to run in */
    const char *command;            /* for sh(1), which gets it as one word and never pasted into another */
    const char *const *environment; /* as in child.h */
    const char *const *before;      /* words to run the shell with: a tool; ends with NULL; may be NULL */
    const char *out, *err;          /* files for its output; NULL: nowhere */
    double limit;                   /* seconds; then it is ended with all it started */
    const volatile sig_atomic_t *stop; /* not 0: the same at once; may be NULL */
};

struct cc_trial_end {
    int status;                   /* exit code, 128 + n when signal n killed it */
    double seconds, user, system; /* as in child.h */
    uint64_t memory;              /* the same */
    bool late, stopped;
};

int cc_trial_run(const struct cc_trial *t, struct cc_trial_end *ret, struct cc_err *err);
/* n at once, which begin at the same moment; each ends by itself, and all are waited for. */
int cc_trial_run_all(const struct cc_trial *t, size_t n, struct cc_trial_end *ret, struct cc_err *err);

#endif
