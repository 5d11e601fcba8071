/* The problem of choosing hardware, from a recording and estimates. */
#ifndef CC_ANALYSIS_AREA_CUT_RECORDING_H
#define CC_ANALYSIS_AREA_CUT_RECORDING_H

#include "cut.h"
#include "estimate.h"
#include "../../profile/profile.h"

struct cc_cut_request {
    const struct cc_profile *profile;
    const struct cc_area_model *model;
    const struct cc_sources *sources; /* trees joined */
    double confidence;
    size_t most;     /* candidates, those with most time first */
    double clock_hz; /* of the processor; an instruction takes a cycle */
};

/* A function that may become hardware. */
struct cc_cut_kernel {
    const struct cc_source_function *f;
    double share;                       /* of the run, with all it calls there */
    struct cc_area_prediction *measure; /* one a measure of the model */
};

struct cc_cut_left { /* a function that is no candidate, and why */
    const char *name, *why;
    double share;
};

struct cc_cut_input {
    struct cc_cut_kernel *kernels;
    size_t nkernels;
    struct cc_cut_left *left; /* most share first */
    size_t nleft;
    struct cc_cut_node *nodes;
    size_t nnodes;
    struct cc_cut_edge *edges;
    size_t nedges;
    double seconds; /* of the run in software */
    struct cc_arena arena;
};

/* main stays in software, and so do functions that cannot be hardware as they stand, were not recorded, or
 * have less time than the candidates. */
int cc_cut_input_build(const struct cc_cut_request *rq, struct cc_cut_input **ret, struct cc_err *err);
void cc_cut_input_free(struct cc_cut_input *in);

#endif
