/* What `corecast predict` was asked, and the same sweep for each trace it is asked of. */
#ifndef CC_CLI_PREDICT_ASKED_H
#define CC_CLI_PREDICT_ASKED_H

#include "../command.h"
#include "../../analysis/predict/sweep.h"
#include "../../base/result.h"

struct cc_predict_asked {
    struct cc_common common;
    const char *platform, *cores, *speedup, *stacks, *energy, *gantt, *chrome, *thread, *at;
    struct cc_strs scenarios, set;
    int contention;
    double coverage;
    bool no_latency, tasks, partial, full, force;
    int64_t jobs;
    struct cc_result **kept; /* where the result goes instead of being printed; NULL: it is printed */
};

/* The sweep without a trace, and what it points to. */
struct cc_predict_task {
    struct cc_predict_sweep sweep;
    struct cc_scenario **scenarios;
    size_t nscenarios;
    int64_t *cores;
    struct cc_arena arena;
};

/* Whatever the result, to be ended by cc_predict_task_fini. */
int cc_predict_task_init(struct cc_predict_task *x, const struct cc_predict_asked *o, struct cc_err *err);
void cc_predict_task_fini(struct cc_predict_task *x);
/* Refuses what the recording shows to need its order. */
int cc_predict_task_run(struct cc_predict_task *x, const struct cc_predict_asked *o, const char *input,
                        const struct cc_htg *h, struct cc_predict_result *ret, struct cc_err *err);
int cc_predict_load(const struct cc_predict_asked *o, const char *input, struct cc_htg **ret,
                    struct cc_err *err);

/* Each recording of a set is predicted, and the laws of the times over its inputs give those of --at. */
int cc_predict_set(const struct cc_predict_asked *o, const char *path, struct cc_result **ret,
                   struct cc_err *err);

#endif
