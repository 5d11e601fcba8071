/* Tells the collector where the loops of the program are, in a file (collect/loop_record.h). */
#ifndef CC_RUN_LOOPS_FILE_H
#define CC_RUN_LOOPS_FILE_H

#include "target.h"

struct cc_loops_request {
    const struct cc_target *target;
    const char *functions; /* NAME,NAME…: only the loops of these; NULL: all */
    bool rests;            /* what iterations need of each other is followed: single ones as well */
};

/* A function that is not there is an error; code that cannot be understood is not. */
int cc_loops_file_write(const char *path, const struct cc_loops_request *q, struct cc_err *err);

#endif
