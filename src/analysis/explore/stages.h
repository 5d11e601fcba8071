/* Frame pipelines: the calls and loops of a loop over frames as stages. README.md has the rules. */
#ifndef CC_ANALYSIS_EXPLORE_STAGES_H
#define CC_ANALYSIS_EXPLORE_STAGES_H

#include "explore.h"
#include "pipeline.h"
#include "../patch/facts.h"

struct cc_stage_wait { /* why a frame waits for the one before */
    struct cc_pipeline_wait w;
    const char *why;
};

struct cc_stage {
    size_t first, end; /* of the items */
    double busy;       /* ticks of all frames, handing over paid */
    double received;   /* bytes of a frame that earlier stages wrote and it reads for the first time; NaN: not
                          known */
};

struct cc_stages {
    uint32_t loop;                          /* of the list; CC_NONE: no loop was looked at */
    const char *why;                        /* there is no pipeline in it; NULL: there may be */
    const char *file;                       /* of its lines */
    unsigned lines[CC_PIPELINE_ITEMS];      /* each item's: a call, or a loop */
    const char *callees[CC_PIPELINE_ITEMS]; /* NULL: not known */
    const char *names[CC_PIPELINE_ITEMS];   /* for a person: the callee, or its place */
    bool called[CC_PIPELINE_ITEMS];         /* it is a call */
    bool once;                              /* each item is one call, and every frame makes it */
    double *times;
    struct cc_pipeline_problem p;
    CC_VEC(struct cc_stage_wait) waits;
    CC_VEC(struct cc_pipeline_wait) plain;
    uint32_t *cuts;                       /* by number of cores */
    double *seconds;                      /* ticks of the loop, by number of cores */
    double all;                           /* of the loop, as it is */
    struct cc_stage v[CC_PIPELINE_ITEMS]; /* on the largest number of cores */
    size_t n;
};

/* After a search: the loop whose stages save most; its plan is put among the others. facts (may be NULL) name
 * what is called. Texts are the result's. */
int cc_stages_find(const struct cc_explore_request *rq, const struct cc_patch_facts *facts,
                   struct cc_explore_result *r, struct cc_stages *ret, struct cc_err *err);
void cc_stages_fini(struct cc_stages *l);

#endif
