#ifndef CC_CLI_MINE_VIEWS_H
#define CC_CLI_MINE_VIEWS_H

#include "../output.h"
#include "../../analysis/contention/findings.h"

/* "timeline" and "lines". */
void cc_mine_add_views(struct cc_result *r, const struct cc_findings *f);
int cc_mine_draw_causes(const struct cc_findings *f, const char *path, struct cc_err *err);
int cc_mine_draw_lines(const struct cc_findings *f, const char *path, struct cc_err *err);

#endif
