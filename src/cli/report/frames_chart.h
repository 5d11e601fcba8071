/* Run length of the regions in each frame, and the streams' bytes by frame: read in the frame they were
 * written in, read from earlier frames, written for later ones. */
#ifndef CC_CLI_REPORT_FRAMES_CHART_H
#define CC_CLI_REPORT_FRAMES_CHART_H

#include "../../analysis/frames/frames.h"
#include "../../draw/svg.h"

void cc_draw_frames(const struct cc_frames *f, struct cc_buf *out);

#endif
