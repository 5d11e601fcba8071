/* Calibration tables: software metrics of kernels beside their measured hardware, joined and cleaned. */
#ifndef CC_ANALYSIS_AREA_KERNELS_H
#define CC_ANALYSIS_AREA_KERNELS_H

#include "../metrics/metrics.h"

enum cc_zeros { CC_ZEROS_AUTO, CC_ZEROS_KEEP, CC_ZEROS_DROP };

struct cc_area_kernel_measure {
    const char *name, *unit;
    double *v;                       /* one a kernel; NaN: not measured */
    double *below;                   /* one a kernel: it is less than this ("<5"); NaN: no such cell */
    size_t missing, censored, zeros; /* cells without a number; "<5"; zeros taken as not measured */
    bool keeps_zeros;                /* a 0 is a value: no DSP used */
    bool usual;                      /* its name is one that hardware is told by */
};

struct cc_area_kernels {
    size_t n;
    const char **names;
    uint32_t *group; /* 0 .. ngroups - 1 */
    size_t ngroups;
    const char *group_column;              /* NULL: every kernel is its own group */
    uint32_t *fold;                        /* 0 .. nfolds - 1, by the column of folds */
    size_t nfolds;                         /* 0 without such a column */
    int metric_set;                        /* column metric_set; 1 without it */
    enum cc_metric metric[CC_VALUE_COUNT]; /* CC_METRIC_COUNT + i: the i-th input */
    size_t nmetrics;
    const char *input[CC_VALUE_COUNT - CC_METRIC_COUNT];
    size_t ninputs;
    double *x; /* n rows of nmetrics */
    struct cc_area_kernel_measure *measures;
    size_t nmeasures;
    CC_VEC(const char *) notes; /* what was left out, for people */
    struct cc_strs files;
    uint64_t checksum; /* of the files' bytes, in order */
    struct cc_arena arena;
};

struct cc_area_kernels_options {
    const char *key, *group, *folds; /* columns; NULL: default, none, none */
    struct cc_strs inputs;           /* columns that explain like metrics: unroll, clock_ns */
    enum cc_zeros zeros;
};

/* Joins the files by kernel. Columns named like a metric are metrics, "lut" or "power [mW]" are measures;
 * columns
 * that hold more text than numbers are passed over. Metrics that follow from others are added where
 * those are there. Kernels in only some of the files, without a metric, or optimised away (no
 * LUT, no flip-flop) are left out and noted. */
int cc_area_kernels_load(const struct cc_strs *files, const struct cc_area_kernels_options *options,
                         struct cc_area_kernels **ret, struct cc_err *err);
/* A column's name: that of a metric or of an input. */
const char *cc_area_column_name(const struct cc_area_kernels *k, size_t column);
void cc_area_kernels_free(struct cc_area_kernels *k);

#endif
