/* Frame pipelines: the calls of a loop over frames as stages. */
#ifndef CC_CLI_EXPLORE_STAGES_H
#define CC_CLI_EXPLORE_STAGES_H

#include "internal.h"
#include "../../analysis/explore/pipeline.h"

struct stage_wait { /* why a frame waits for the one before */
    struct cc_pipeline_wait w;
    const char *why;
};

struct pipeline {
    uint32_t loop;                          /* of the list */
    const char *why;                        /* there is no pipeline in it; NULL: there may be */
    const char *file;                       /* of its lines */
    unsigned lines[CC_PIPELINE_ITEMS];      /* each item's: a call, or a loop */
    const char *callees[CC_PIPELINE_ITEMS]; /* NULL: not known */
    bool called[CC_PIPELINE_ITEMS];         /* it is a call */
    bool once;                              /* each item is one call, and every frame makes it */
    double *times;
    struct cc_pipeline_problem p;
    CC_VEC(struct stage_wait) waits;
    CC_VEC(struct cc_pipeline_wait) plain;
    uint32_t *cuts;  /* by number of cores */
    double *seconds; /* of the loop, by number of cores */
    double all;      /* of the loop, as it is */
};

/* Finds them and puts the best among the plans. */
int cc_explore_stages(struct exploration *x, struct cc_err *err);
void cc_explore_stages_fini(struct exploration *x);
void cc_explore_show_stages(struct exploration *x, struct cc_result *r);

#endif
