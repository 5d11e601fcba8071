/* Names for what a simulation saw, into its trace. */
#ifndef CC_RUN_TRACE_NAMES_H
#define CC_RUN_TRACE_NAMES_H

#include "../base/map.h"
#include "../../sim/shared.h"

struct cc_trace_writer;

/* Functions, lines of the instructions seen, variables, stacks and heap objects. `firmware` (NULL for
 * programs) is where its own addresses say. */
void cc_trace_names_write(struct cc_trace_writer *w, const struct cc_sim_shared *shared,
                          const struct cc_map *seen, const char *firmware);

#endif
