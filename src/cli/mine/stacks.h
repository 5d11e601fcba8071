#ifndef CC_CLI_MINE_STACKS_H
#define CC_CLI_MINE_STACKS_H

#include "../output.h"
#include "../../analysis/scaling/stacks.h"

/* verdict and at, in words too; stacks and bottlenecks. */
void cc_mine_add_verdict(struct cc_result *r, const struct cc_stacks *s);
void cc_mine_add_stack_tables(struct cc_result *r, const struct cc_stacks *s);
int cc_mine_draw_stacks(const struct cc_stacks *s, const char *path, struct cc_err *err);

#endif
