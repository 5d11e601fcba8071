/* Functions over time as a heat map, with the phases under it. */
#ifndef CC_CLI_REPORT_BANDWIDTH_CHART_H
#define CC_CLI_REPORT_BANDWIDTH_CHART_H

#include "../../analysis/bandwidth/bandwidth.h"
#include "../../draw/svg.h"

void cc_draw_bandwidth(const struct cc_profile *p, const struct cc_bandwidth *b, enum cc_traffic traffic,
                       enum cc_stack_part stack, struct cc_buf *out);
/* "A", "B", … "Z", "A1", …; `out` is returned. */
char *cc_phase_kind_name(uint32_t kind, char out[static 16]);

#endif
