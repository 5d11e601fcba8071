/* The figures of the summary view: what ran, what was read and written by the program's own instructions
 * (system calls apart), which functions are hot, which streams are heaviest, and how much of that is
 * re-reading. */
#ifndef CC_CLI_REPORT_SUMMARY_H
#define CC_CLI_REPORT_SUMMARY_H

#include "../../analysis/comm/comm.h"
#include "../../analysis/functions/functions.h"

enum { CC_SUMMARY_TOP = 5 };

struct cc_summary {
    uint64_t reads, writes, bytes_read, bytes_written; /* by the program's own instructions */
    size_t threads, functions, edges;                  /* functions that ran, without <runtime>; streams */
    size_t regions, frames;                            /* that the program marked */
    struct cc_functions *hot;                          /* the first CC_SUMMARY_TOP */
    struct cc_comm *streams; /* the heaviest between different functions come first; NULL: none recorded */
    size_t main_streams[CC_SUMMARY_TOP]; /* edges of `streams`: between different nodes, heaviest first */
    size_t nmain;
    double hot_limit; /* speed-up if the hottest function cost nothing; infinite possible */
    double reread;    /* share of the bytes between nodes that a perfect cache would save */
    bool approximate; /* … at most: some first reads count as repeated ones */
};

int cc_summary_build(const struct cc_profile *p, struct cc_summary **ret, struct cc_err *err);
void cc_summary_free(struct cc_summary *s);

#endif
