/* Names for what a simulation saw, into its trace. */
#ifndef CC_RUN_TRACE_NAMES_H
#define CC_RUN_TRACE_NAMES_H

#include "../base/err.h"
#include "../base/map.h"
#include "../../sim/shared.h"

struct cc_trace_writer;

/* Functions, lines of the instructions seen, variables, stacks and heap objects. `firmware` (NULL for
 * programs) is where its own addresses say. */
void cc_trace_names_write(struct cc_trace_writer *w, const struct cc_sim_shared *shared,
                          const struct cc_map *seen, const char *firmware);

/* A program's file, for traces that come from elsewhere. */
struct cc_trace_file {
    const char *path;  /* borrowed */
    uint64_t bias;     /* the program's addresses less the file's */
    uint64_t from, to; /* of what is loaded */
};

/* `base` is where its first segment was loaded; NULL: where the file says. */
int cc_trace_file_open(const char *path, const uint64_t *base, struct cc_trace_file *ret, struct cc_err *err);
/* Functions, variables, and lines of the instructions seen. */
void cc_trace_file_names(struct cc_trace_writer *w, const struct cc_map *seen, const void *file);

#endif
