/* Metrics of source files: the preprocessor is run, and each file is parsed in a process of its own, so that
 * source which crashes the parser costs that file alone. */
#ifndef CC_CLI_AREA_SOURCES_H
#define CC_CLI_AREA_SOURCES_H

#include "../../analysis/metrics/metrics.h"

/* Measures every function of the files. A file that cannot be read or parsed becomes a message and counts as
 * failed; only a mistake in the options is an error. Without options->preprocessor: $CORECAST_CPP, else the
 * clang of libclang's version, else clang. */
int cc_area_measure(const struct cc_strs *files, const struct cc_source_options *options,
                    struct cc_sources **ret, struct cc_err *err);

#endif
