/* What the three verbs of `corecast mine` share. */
#ifndef CC_CLI_MINE_MINE_H
#define CC_CLI_MINE_MINE_H

#include "../output.h"

struct cc_trace_reader;

struct cc_mine_options {
    struct cc_common common;
    int64_t threads, top;
    /* itemsets */
    const char *transactions, *part; /* transactions: its --support */
    bool list;
    /* contention */
    int method, item;
    const char *window, *svg, *svg_causes, *svg_lines, *svg_instructions, *svg_cpus, *svg_period;
    double support, quantile, explain, min_lost;
    int64_t min_cpus, latency_bin, latency_max;
    const char *pc;
    bool bins, hits;
    /* scaling */
    double platforms; /* its --support */
    const char *svg_clusters, *svg_growth, *svg_stack;
    struct cc_result **kept; /* where the result goes instead of being printed; NULL: it is printed */
};

int cc_mine_contention(void *options, const struct cc_strs *files, struct cc_err *err);
/* What `mine contention TRACE` prints, as data; owned by the caller. */
int cc_mine_contention_of(const char *trace, struct cc_result **ret, struct cc_err *err);
int cc_mine_scaling(void *options, const struct cc_strs *files, struct cc_err *err);
/* The same of `mine scaling TRACE TRACE…`. */
int cc_mine_scaling_of(const struct cc_strs *traces, struct cc_result **ret, struct cc_err *err);

/* Cells: a JSON array of CPUs, "0-3,7" in text; a pair of numbers; "0x1000", since addresses are too large
 * for some readers of JSON numbers. */
void cc_mine_cpus(struct cc_table *t, const uint16_t *cpus, size_t n);
void cc_mine_pair(struct cc_table *t, uint64_t a, uint64_t b);
void cc_mine_address(struct cc_table *t, uint64_t v);
void cc_mine_note_partial(const struct cc_mine_options *o, const char *path, const struct cc_trace_reader *r);

#endif
