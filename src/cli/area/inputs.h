/* What estimate and partition work on: functions, a model, a device, shares of a run. */
#ifndef CC_CLI_AREA_INPUTS_H
#define CC_CLI_AREA_INPUTS_H

#include "area.h"
#include "../../analysis/area/estimate.h"

struct cc_area_inputs {
    struct cc_area_model *model;
    const char *model_path; /* as found */
    struct cc_area_device *device;
    struct cc_area_shares *shares;
    struct cc_profile *profile;   /* NULL: none */
    struct cc_source_trips trips; /* of its loops */
    struct cc_sources *sources;
    struct cc_area_estimate *estimate;
    double confidence;
    int64_t unroll;           /* 1: as it is */
    bool unrolled, pipelined; /* metrics were transformed, which no kernel of the table was */
    bool profiled;            /* the shares are of a recording */
    int metric_set;           /* what the functions were measured with */
    struct cc_arena arena;
};

/* Without --model the one that ships; a plain name is looked for among those that ship first, of devices too.
 */
int cc_area_inputs_load(struct cc_area_options *o, const struct cc_strs *operands, struct cc_area_inputs *in,
                        struct cc_err *err);
void cc_area_inputs_fini(struct cc_area_inputs *in);
/* What the model's figures are of, and what to mind. */
void cc_area_add_scope(struct cc_result *r, const struct cc_area_inputs *in);

#endif
