#ifndef CC_CLI_MINE_FINDINGS_H
#define CC_CLI_MINE_FINDINGS_H

#include "../output.h"
#include "../../analysis/contention/findings.h"

/* lost, share, causes and findings, and a sentence for each. */
void cc_mine_add_findings(struct cc_result *r, const struct cc_findings *f);

#endif
