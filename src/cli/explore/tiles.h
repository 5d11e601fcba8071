/* Loop nests over images, cut into tiles that a DMA brings into a local memory. */
#ifndef CC_CLI_EXPLORE_TILES_H
#define CC_CLI_EXPLORE_TILES_H

#include "internal.h"

/* For a platform with a DMA and a local memory: plans in which the hottest nest goes through tiles. */
int cc_explore_tiles(struct exploration *x, struct cc_err *err);
void cc_explore_show_tiles(struct exploration *x, struct cc_result *r);

#endif
