/* The run file: what the engines are told (collect/options.h). */
#ifndef CC_RUN_RUN_FILE_H
#define CC_RUN_RUN_FILE_H

#include "../base/err.h"
#include "../../collect/options.h"

int cc_run_file_write(const char *path, const struct cc_options *o, struct cc_err *err);

#endif
