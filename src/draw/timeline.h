/* Calls over time, as boxes; with a graph by context also the streams between them, as arrows. With a graph
 * by region: the times in regions instead. */
#ifndef CC_DRAW_TIMELINE_H
#define CC_DRAW_TIMELINE_H

#include "../analysis/comm/comm.h"
#include "svg.h"

/* `streams`: NULL for boxes alone. A stream goes between the longest calls of its two contexts; a context
 * that is not on the time line is represented by the nearest caller that is. If it is of one frame, only that
 * frame is drawn. */
int cc_draw_timeline(const struct cc_profile *p, const struct cc_comm *streams, struct cc_buf *out,
                     struct cc_err *err);

#endif
