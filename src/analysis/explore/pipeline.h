/* Stages of a loop over frames, each on a core of its own: where to cut, and how long that takes. */
#ifndef CC_ANALYSIS_EXPLORE_PIPELINE_H
#define CC_ANALYSIS_EXPLORE_PIPELINE_H

#include "../../base/base.h"

enum { CC_PIPELINE_ITEMS = 12 };

/* Item `to` of a frame waits for item `from`, which is behind it, of the frame `frames` before. */
struct cc_pipeline_wait {
    uint32_t from, to;
    uint32_t frames; /* at least 1 */
};

struct cc_pipeline_problem {
    size_t nitems, nframes; /* items in their order, at most CC_PIPELINE_ITEMS */
    const double *times;    /* nframes rows of nitems */
    const struct cc_pipeline_wait *waits;
    size_t nwaits;
    double hand_over; /* that a stage takes to give a frame to the next, and as much to be given one */
    unsigned buffers; /* frames that may lie between two stages; at least 1 */
};

/* Cuts: bit i is set if a stage begins with item i + 1. */
static inline unsigned cc_pipeline_stages(uint32_t cuts)
{
    return (unsigned)__builtin_popcount(cuts) + 1;
}

/* From the start of the first frame to the end of the last: every stage does frame after frame, and its items
 * in their order. busy (may be NULL): of each stage, its work with the cost of handing over. */
double cc_pipeline_time(const struct cc_pipeline_problem *p, uint32_t cuts, double *busy);

/* The cuts of least time with at most so many stages, of all there are; of equal ones the fewest. */
uint32_t cc_pipeline_best(const struct cc_pipeline_problem *p, unsigned stages);

#endif
