/* A channel as bars: reuse, strides, and how full it is over time. */
#ifndef CC_CLI_REPORT_CHANNEL_CHART_H
#define CC_CLI_REPORT_CHANNEL_CHART_H

#include "../../analysis/channel/channel.h"
#include "../../draw/svg.h"

void cc_draw_channel(const struct cc_channel_figures *f, struct cc_buf *out);
/* "a FIFO of 8 elements (32 B)"; `out` is returned. */
char *cc_channel_verdict(const struct cc_channel_figures *f, char *out, size_t size);
/* "1", "2-3", "4-7", …; `out` is returned. */
char *cc_channel_bucket(int k, char out[static 48]);
size_t cc_channel_points(const struct cc_rec_channel *r); /* of the occupancy that are in use */

#endif
