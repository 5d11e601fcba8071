/* From a source file to preprocessed text: compiler flags, the preprocessor, and a process to parse in. */
#ifndef CC_ANALYSIS_METRICS_SOURCE_H
#define CC_ANALYSIS_METRICS_SOURCE_H

#include "metrics.h"
#include "tree.h"

/* Runs the preprocessor on `path`. What it says (missing includes) comes back in *ret_said, "" if nothing; it
 * is an error only when no text came out. unit's strings are in the arena, its text is owned by the caller.
 */
int cc_source_preprocess(const char *path, const struct cc_sources_options *options, struct cc_arena *arena,
                         struct cc_source_unit *unit, char **ret_said, struct cc_err *err);

/* Runs `work` in a child process on a large stack and gives back the bytes it wrote. *ret_signal is the
 * signal that ended it early, 0 if none; what it wrote until then is still returned. */
int cc_source_isolate(void (*work)(void *data, FILE *out), void *data, char **ret_bytes, size_t *ret_size,
                      int *ret_signal, struct cc_err *err);

#endif
