/* Calls that follow each other under a task of their own, while a graph is built. */
#ifndef CC_ANALYSIS_HTG_GATHER_H
#define CC_ANALYSIS_HTG_GATHER_H

#include "build.h"

struct cc_htg_gather;

/* names: of the trace, n of them; a group's id is n and its number. */
struct cc_htg_gather *cc_htg_gather_new(struct cc_htg_builder *b, const struct cc_htg_group *groups,
                                        size_t ngroups, const char *const *names, size_t n);
void cc_htg_gather_free(struct cc_htg_gather *g);
int cc_htg_gather_event(struct cc_htg_gather *g, const struct cc_task_event *ev, struct cc_err *err);
/* No more events. */
void cc_htg_gather_end(struct cc_htg_gather *g);

#endif
