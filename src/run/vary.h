/* Records a program over all combinations of parameters and inputs into a set (src/profile/set.h): several at
 * once, each in a process of its own, and what is there already is not run again. */
#ifndef CC_RUN_VARY_H
#define CC_RUN_VARY_H

#include "../profile/set.h"

struct cc_vary_options {
    const char *folder;
    const char *const *vary; /* "NAME=VALUE,VALUE…" each */
    size_t nvary;
    const char *const *inputs; /* patterns of files: the variable `input`, and `input_bytes`, its size */
    size_t ninputs;
    unsigned jobs; /* at once */
    /* Records argv into `output`, in a process of its own: the program's status, or negative with err. */
    int (*record)(void *data, const char *output, char **argv, size_t n, struct cc_err *err);
    /* Told of each run when it has ended. */
    void (*ended)(void *data, const struct cc_set *s, const struct cc_set_run *r, size_t done, size_t all);
    void *data;
};

struct cc_vary_result {
    size_t all, kept, recorded, failed; /* kept: recorded before */
    bool interrupted;
};

/* argv: the program and its arguments, in which {NAME} stands for the variable's value. Negative with err if
 * no run could be tried. */
int cc_vary(const struct cc_vary_options *o, char *const *argv, size_t n, struct cc_vary_result *ret,
            struct cc_err *err);

#endif
