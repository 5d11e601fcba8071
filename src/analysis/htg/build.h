/* Builds a graph from begin and end events. */
#ifndef CC_ANALYSIS_HTG_BUILD_H
#define CC_ANALYSIS_HTG_BUILD_H

#include "htg.h"
#include "../../base/arena.h"

struct cc_htg_builder;

/* `start`: where the run begins. The names' ids are those of the events. */
struct cc_htg_builder *cc_htg_builder_new(const char *path, size_t ncounters, uint64_t start);
/* More nodes are refused, the whole counted; without this, more than fit into 3 GiB. */
void cc_htg_builder_limit(struct cc_htg_builder *b, uint64_t nodes);
/* Equal neighbours stay nodes of their own. */
void cc_htg_builder_unfold(struct cc_htg_builder *b);
/* Events in order of time, ends matching begins; counters are running totals (NULL if there are none). */
int cc_htg_builder_begin(struct cc_htg_builder *b, uint32_t name, uint64_t time, const uint64_t *counters,
                         struct cc_err *err);
void cc_htg_builder_end(struct cc_htg_builder *b, uint64_t time, const uint64_t *counters);
/* The graph with the arena its texts live in; what the source knows (names, clock) is filled in by the
 * caller. */
struct cc_htg *cc_htg_builder_finish(struct cc_htg_builder *b, uint64_t end);
/* One whose nodes are known, with 2 x ncounters counts for each: of its gap, then of its tail. */
struct cc_htg *cc_htg_of_nodes(const struct cc_htg_node *nodes, size_t n, const uint64_t *counts,
                               size_t ncounters);
struct cc_arena *cc_htg_arena(struct cc_htg *h);
void cc_htg_builder_free(struct cc_htg_builder *b);

#endif
