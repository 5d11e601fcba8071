/* Laws of all things of a set. */
#ifndef CC_ANALYSIS_GROWTH_MODELS_H
#define CC_ANALYSIS_GROWTH_MODELS_H

#include "samples.h"

struct cc_model {
    uint32_t thing;
    uint32_t figure;
    bool constant; /* the same in all runs */
    struct cc_growth growth;
};

struct cc_models {
    const struct cc_samples *s; /* borrowed */
    CC_VEC(struct cc_model) v;  /* in the order of things and figures */
};

struct cc_models_options {
    double coverage;  /* wanted of envelopes */
    int only;         /* a kind; -1: all */
    size_t pieces;    /* laws in pieces are looked for among so many of the heaviest things of a kind */
    unsigned threads; /* 0: as many as processors */
    const struct cc_ranks *ranks; /* processes that fit a share each; NULL: this one alone */
};

void cc_models_build(const struct cc_samples *s, const struct cc_models_options *o, struct cc_models **ret);
void cc_models_free(struct cc_models *m);

/* What the laws would have said of each run, had it not been there. */
struct cc_models_check {
    size_t tried, unknown;            /* figures of runs; those no law says anything of */
    double median, mean, worst_tenth; /* relative errors: half, and nine of ten, are not larger */
    double held;                      /* share that lies below its envelope */
    double held_largest; /* the same of each model's largest run alone, which has to be extrapolated */
};
void cc_models_check(const struct cc_samples *s, const struct cc_models_options *o,
                     struct cc_models_check *ret);

#endif
