/* Many predictions of one trace at once: scenarios x platform settings x numbers of processors, on several
 * threads. */
#ifndef CC_ANALYSIS_PREDICT_SWEEP_H
#define CC_ANALYSIS_PREDICT_SWEEP_H

#include "predict.h"

/* One combination of --set values. */
struct cc_predict_setting {
    const char *label;        /* "memory.l2.read=20, openmp.scale=2", "" for the platform as it is */
    const char **assignments; /* "memory.l2.read=20" */
    size_t n;
};

struct cc_predict_sweep {
    const struct cc_htg *h;
    const char *platform; /* name or path */
    const struct cc_scenario *const *scenarios;
    size_t nscenarios;
    const struct cc_predict_setting *settings; /* at least one */
    size_t nsettings;
    const int64_t *cores;
    size_t ncores;
    struct cc_predict_options options;
    unsigned jobs;       /* threads to use, 0: as many as there are processors */
    int64_t segments_at; /* record segments for this number of processors, 0: never */
};

/* One scenario with one setting. */
struct cc_predict_outcome {
    const struct cc_scenario *scenario;
    const struct cc_predict_setting *setting;
    enum cc_contention contention; /* what was used; never AUTO */
    cc_ticks sequential;
    struct cc_predict_energy energy;       /* of the sequential run */
    double seconds;                        /* of one tick, 0 if unknown */
    struct cc_predict_schedule *schedules; /* one for each of cores */
};

struct cc_predict_result {
    struct cc_predict_outcome *outcomes; /* settings within scenarios */
    size_t n, ncores;
    const char **warnings;
    size_t nwarnings;
    struct cc_assumed *assumed; /* figures of the platform that nobody measured, with any of the settings */
    size_t nassumed;
    struct cc_arena *arena;
};

int cc_predict_sweep_run(const struct cc_predict_sweep *w, struct cc_predict_result *ret, struct cc_err *err);
void cc_predict_result_fini(struct cc_predict_result *r);

/* How many processors a platform has, those of all clusters together. */
int64_t cc_predict_cores(const struct cc_platform *p);

/* "NAME=V", "NAME=V,V…" or "NAME=A..B:STEP" for each --set; all combinations, at most 4096. */
int cc_predict_settings(const char *const *sets, size_t n, struct cc_arena *a,
                        struct cc_predict_setting **ret, size_t *ret_n, struct cc_err *err);

#endif
