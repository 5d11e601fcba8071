/* Instructions and bytes of each line of source, from the executions of blocks of code and the lines that a
 * profile has of them. */
#ifndef CC_ANALYSIS_LINES_LINES_H
#define CC_ANALYSIS_LINES_LINES_H

#include "../../profile/profile.h"

struct cc_line_counts {
    uint64_t instructions, read, written; /* bytes */
    uint64_t
        conditional; /* bytes of both that an execution may leave out: read and written are upper bounds */
};

struct cc_line_sum {
    uint32_t function;   /* whom it is charged to; CC_NONE: all of them */
    uint32_t file, line; /* file CC_NONE: code without a line, */
    uint32_t binary;     /* of this file, if known; else CC_NONE */
    uint32_t part;       /* of the request; CC_NONE: none */
    struct cc_line_counts counts;
};

struct cc_line_sums {
    struct cc_line_sum *v; /* by function, part, file and line; no part is last, so is code without a line */
    size_t n;
    struct cc_line_counts total;
};

struct cc_line_request {
    const bool *match; /* [function]: only what is charged to these; NULL: to any */
    bool by_function;
    const uint32_t *part; /* [block]: lines are told apart by this as well; NULL: they are not */
};

/* Free with cc_line_sums_free. An error if the profile holds no lines. */
int cc_line_sums(const struct cc_profile *p, const struct cc_line_request *rq, struct cc_line_sums **ret,
                 struct cc_err *err);
void cc_line_sums_free(struct cc_line_sums *s);

#endif
