/* Hardware estimates of functions beside their share of the run: which kernels to take, and what it would
 * bring. */
#ifndef CC_ANALYSIS_AREA_ESTIMATE_H
#define CC_ANALYSIS_AREA_ESTIMATE_H

#include "model.h"
#include "../../profile/profile.h"

/* Part of the run a function takes itself, 0 to 1. */
struct cc_area_share {
    const char *name;
    double share;
};

struct cc_area_shares {
    struct cc_area_share *v;
    size_t n;
    struct cc_arena arena;
};

/* CSV with columns name (or function) and share, in per cent ("12.5%" or a column "share [%]") or 0 to 1.
 * Shares that add up to more than the whole are an error; without a sign, values above 1 mean per cent. */
int cc_area_shares_load(const char *path, struct cc_area_shares **ret, struct cc_err *err);
/* Exclusive instructions of each function over all. */
int cc_area_shares_from_profile(const struct cc_profile *p, struct cc_area_shares **ret, struct cc_err *err);
void cc_area_shares_free(struct cc_area_shares *s);

/* "ns::f(int)" of a recording is the function "ns::f" of the source. */
bool cc_area_same_function(const char *recorded, const char *source);

/* A device: how much of each measure it has. */
struct cc_area_device {
    const char *name, *source;
    struct cc_area_capacity {
        const char *measure;
        double value;
    } * capacities;
    size_t n;
    struct cc_arena arena;
};
int cc_area_device_load(const char *path, struct cc_area_device **ret, struct cc_err *err);
void cc_area_device_free(struct cc_area_device *d);
/* NaN if the device does not name it. */
double cc_area_device_capacity(const struct cc_area_device *d, const char *measure);

/* Times and frequencies of kernels do not add up to those of the whole. */
bool cc_area_is_additive(const struct cc_area_model_measure *m);

struct cc_area_cell { /* one function, one measure */
    struct cc_area_prediction e;
    double share;                             /* of the device; NaN: unknown */
    double sum, sum_low, sum_high, sum_share; /* with all functions above it; NaN if it is in none */
    bool additive;                            /* false: sums mean nothing (a clock period) */
};

struct cc_area_row {
    const struct cc_source_function *f;
    double share;               /* of the run; NaN: unknown */
    double speedup, cumulative; /* NaN: unknown */
    bool fits; /* all additive measures so far are within the device; true without a device */
    struct cc_area_cell *cells; /* one a measure of the model */
};

struct cc_area_estimate {
    struct cc_area_row *rows;
    size_t n;
    const char **unmatched; /* hottest names of the shares that no function has, at most 5 */
    size_t nunmatched;
    double matched_share; /* NaN without shares */
    struct cc_arena arena;
};

struct cc_area_estimate_request {
    const struct cc_sources *sources;
    const struct cc_area_model *model;
    const struct cc_area_shares *shares; /* may be NULL */
    const struct cc_area_device *device; /* may be NULL */
    double confidence;                   /* of the intervals, 0 to 1 */
    bool hot; /* in the order of the shares, largest first, functions without one last; else as given */
};
/* Functions that were not measured are left out; those that cannot be hardware as they stand have estimates,
 * but are in no sum. */
struct cc_area_estimate *cc_area_estimate_all(const struct cc_area_estimate_request *rq);
void cc_area_estimate_free(struct cc_area_estimate *e);

#endif
