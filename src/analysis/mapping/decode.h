/* Inside of a decoder, for the searches that place tasks one by one. */
#ifndef CC_ANALYSIS_MAPPING_DECODE_H
#define CC_ANALYSIS_MAPPING_DECODE_H

#include "model.h"
#include "../../base/count.h"

struct decoder {
    const struct model *x;
    size_t *slot;           /* first core of each unit in the two arrays below */
    double *free_at;        /* ascending within a unit */
    uint32_t *last;         /* task that holds or held the core */
    struct cc_count *count; /* of the steps of the search at hand; may be NULL */
    double bound;           /* that no mapping gets below, 0: not known */
};

void cc_mapping_decoder_reset(struct decoder *d);
void cc_mapping_decoder_occupy(struct decoder *d, size_t unit, size_t k, double start, double finish,
                               uint32_t task);

/* Sizes up to which the exact searches run. */
enum { CC_SEQUENCE_MAX = 64, CC_SEQUENCE_CORES = 256 };

struct unit_task {
    double head, load, tail;
};
double cc_mapping_unit_bound(struct unit_task *t, size_t n, double worth_knowing);

#endif
