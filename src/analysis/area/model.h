/* Models of hardware measures: what calibrate makes, a file keeps, and estimate uses. */
#ifndef CC_ANALYSIS_AREA_MODEL_H
#define CC_ANALYSIS_AREA_MODEL_H

#include "kernels.h"

struct cc_area_forest;

enum cc_transform { CC_TRANSFORM_AUTO, CC_TRANSFORM_LINEAR, CC_TRANSFORM_LOG };

/* Linear: few terms with coefficients to read. Penalised: a line of many small terms, signs as physics has
 * them. Forest: where kernels like this one lay (fit_forest.c). Auto: the forest where it is better on
 * kernels left out. */
enum cc_family { CC_FAMILY_LINEAR, CC_FAMILY_FOREST, CC_FAMILY_PENALISED, CC_FAMILY_AUTO };
extern const char *const cc_family_names[]; /* up to CC_FAMILY_AUTO */

/* Confidence levels whose factors a model stores; others are interpolated. */
enum { CC_LEVEL_COUNT = 5, CC_ERROR_QUANTILES = 5 };
extern const double cc_interval_levels[CC_LEVEL_COUNT];     /* 0.5 .. 0.99 */
extern const double cc_error_quantiles[CC_ERROR_QUANTILES]; /* 0.05 .. 0.95 */

struct cc_area_model_term {
    enum cc_metric metric; /* CC_METRIC_COUNT + i: the i-th input of the model */
    const char *name;
    double coef, se;    /* of the metric, or of log(1 + metric); a forest: its share of the splits */
    double mean, scale; /* of the same over the kernels */
    double min, max;    /* of the metric itself */
};

/* Relative errors (estimate - measured) / measured of kernels that were left out of the fit. */
struct cc_error_summary {
    size_t n; /* kernels whose measure is not 0 */
    double mean_abs, worst;
    double median_abs;
    double factor; /* median of the larger over the smaller of the two */
    double q[CC_ERROR_QUANTILES];
    const char *worst_kernel;
};

struct cc_area_model_measure {
    const char *name, *unit;
    enum cc_family family;
    bool log;   /* the model is of log(measure) ... */
    bool plus1; /* ... or of log(1 + measure), where zeros are values */
    size_t kernels, groups, nterms;
    double intercept, intercept_se;
    struct cc_area_model_term *terms;
    struct cc_area_forest *forest; /* NULL: linear */
    double *cov;  /* nterms x nterms: covariance of the standardised coefficients over sigma squared */
    double sigma; /* of the residuals; a forest: half the mean spread of its trees on kernels left out */
    double dof, ridge, condition, leverage_max;
    double r2, r2_left_out;           /* in the scale of the model */
    struct cc_error_summary left_out; /* choice of metrics repeated without each */
    struct cc_error_summary fixed;    /* same metrics, refitted without each */
    double factor[CC_LEVEL_COUNT];    /* half width of the interval over sigma * sqrt(1 + leverage); a forest:
                                         over sigma + the spread of its trees */
};

/* What else explains the measures: a directive, a clock. */
struct cc_area_input {
    const char *name;
    double value;    /* used in estimates; the median of the table unless another is set */
    double min, max; /* of the table */
    bool given;      /* the value was set */
};

struct cc_area_model {
    const char *made_by, *tables, *options; /* how it was made, for people */
    const char *scope;                      /* what the figures are of; "" unknown */
    uint64_t checksum;
    double clock_ns; /* period of the clock its cycles are of; 0: not told */
    int metric_set;  /* version of the metrics' definitions; 0: not told */
    struct cc_area_input inputs[CC_VALUE_COUNT - CC_METRIC_COUNT];
    size_t ninputs;
    struct cc_area_model_measure *measures;
    size_t nmeasures;
    struct cc_arena arena;
};

/* --- fit.c --- */

struct cc_area_fit_options {
    enum cc_transform transform;
    size_t max_terms; /* 0: a fifth of the kernels, at most 15 */
    enum cc_family family;
};

struct cc_area_fit_point { /* one kernel of the fit */
    const char *kernel;
    double measured, fitted; /* in the unit of the measure */
    double left_out;         /* by a model whose terms were chosen without its group */
    double left_out_fixed;   /* by the same terms, refitted without its group */
    double leverage, studentised, cook;
    bool flagged;
};

struct cc_area_fit {
    struct cc_area_model_measure model;
    struct cc_area_fit_point *points;
    size_t npoints;
    size_t dropped; /* kernels without this measure */
};

/* Fits one measure; everything is put into the arena. Too few kernels is an error. */
int cc_area_fit_measure(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                        const struct cc_area_fit_options *options, struct cc_arena *arena,
                        struct cc_area_fit *ret, struct cc_err *err);

/* Errors of the points' left_out, or left_out_fixed. */
struct cc_error_summary cc_area_error_summary(const struct cc_area_fit_point *points, size_t n, bool fixed,
                                              struct cc_arena *arena);

struct cc_area_prediction {
    double value, low, high;
    double zero; /* how likely it is 0, where zeros are values and the model can tell; else NaN */
    double leverage;
    bool outside;               /* a metric is outside the calibrated range, or their combination is */
    const char *outside_metric; /* the first such metric, NULL when only the combination is */
};
/* confidence in [0.5, 0.99] */
struct cc_area_prediction cc_area_model_estimate(const struct cc_area_model_measure *m,
                                                 const double metrics[CC_VALUE_COUNT], double confidence);
/* The function's metrics and the model's inputs as a model takes them. */
void cc_area_model_values(const struct cc_area_model *m, const struct cc_source_function *f,
                          double ret[CC_VALUE_COUNT]);
/* The inputs of a table, with their medians and ranges. */
void cc_area_model_take_inputs(struct cc_area_model *m, const struct cc_area_kernels *k);
/* NULL if the model has no input of that name. */
struct cc_area_input *cc_area_model_input(struct cc_area_model *m, const char *name);

/* --- model.c: the file --- */

#define CC_AREA_MODEL_VERSION 2
void cc_area_model_write(const struct cc_area_model *m, FILE *out);
int cc_area_model_load(const char *path, struct cc_area_model **ret, struct cc_err *err);
int cc_area_model_parse(const char *path, const char *text, size_t size, struct cc_area_model **ret,
                        struct cc_err *err);
void cc_area_model_free(struct cc_area_model *m);

#endif
