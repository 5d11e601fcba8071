/* The parts of `corecast area`, one file each. */
#ifndef CC_CLI_AREA_AREA_H
#define CC_CLI_AREA_AREA_H

#include "../command.h"
#include "../output.h"
#include "sources.h"

struct cc_area_options {
    struct cc_common common;
    /* metrics, estimate */
    const char *compile_commands;
    struct cc_strs functions;
    bool tree, alone; /* metrics over what a function calls: for metrics if asked for, else unless not */
    /* metrics */
    const char *columns;
    bool define;
    /* calibrate: names of columns; estimate, partition: NAME=VALUE */
    struct cc_strs inputs;
    /* calibrate */
    struct cc_strs targets;
    const char *group, *key;
    int transform, zeros, family;
    const char *scope, *folds;
    int64_t max_terms;
    /* estimate */
    const char *model, *device, *profile, *shares;
    int order;
    int64_t unroll;
    bool pipeline;
    double confidence;
    double clock_ns; /* of the hardware: of a table's for calibrate, of kernels for partition */
    /* partition */
    struct cc_strs budget;
    const char *platform, *link, *svg;
    double gain;
    bool loops; /* are candidates too */
    int64_t candidates;
};

int cc_area_metrics(void *options, const struct cc_strs *operands, struct cc_err *err);
int cc_area_calibrate(void *options, const struct cc_strs *operands, struct cc_err *err);
int cc_area_estimate(void *options, const struct cc_strs *operands, struct cc_err *err);
int cc_area_partition(void *options, const struct cc_strs *operands, struct cc_err *err);
int cc_area_model_show(void *options, const struct cc_strs *operands, struct cc_err *err);

/* "--target lut,ff --target dsp" */
void cc_area_split(const struct cc_strs *given, struct cc_arena *arena, struct cc_strs *ret);

/* Prints the result, which is freed. */
int cc_area_show(const struct cc_common *common, struct cc_result *r, struct cc_err *err);

/* Keeps the functions of those names; without names all. One that is not there is an error. */
int cc_area_select(struct cc_sources *s, const struct cc_strs *names, struct cc_err *err);

/* Measures the operands; those from the first that starts with '-' on are compiler flags. Notes go to
 * standard error. Functions that --function does not name are left out. With trees, metrics are those of a
 * function and all it calls. trips: of a recording, NULL: none. */
int cc_area_sources(struct cc_area_options *o, const struct cc_strs *operands, bool trees,
                    const struct cc_source_trips *trips, struct cc_sources **ret, struct cc_err *err);
/* Functions that could not be measured, with the reason: the table "not_measured". */
void cc_area_add_refused(struct cc_result *r, const struct cc_sources *s);
/* "f: recursion at 12 (calls itself); allocation at 30 (malloc)" under a heading, if there is anything to
 * say. The same as a table in a row of the function. */
void cc_area_add_unfit(struct cc_result *r, const struct cc_source_function *f, bool *heading);
void cc_area_put_unfit(struct cc_table *t, const struct cc_source_function *f);
#define CC_AREA_UNFIT_COLUMNS 3
extern const struct cc_col cc_area_unfit_columns[CC_AREA_UNFIT_COLUMNS];

/* The path of a model or device: a plain name, with or without its suffix, is one that ships if there is one
 * of it, as with platforms. Owned. */
char *cc_area_shipped(const char *name, const char *suffix);

#endif
