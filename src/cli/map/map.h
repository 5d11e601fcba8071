/* The two halves of `corecast map`: graphs into parts (map_parts.c) and tasks onto units (map_tasks.c). */
#ifndef CC_CLI_MAP_MAP_H
#define CC_CLI_MAP_MAP_H

#include "../output.h"
#include "../../analysis/mapping/recording.h"
#include "../../analysis/partition/partition.h"
#include "../../platform/platform.h"

struct cc_map_options {
    struct cc_common common;
    const char *platform, *svg, *trace, *at;
    int64_t parts, alternatives, top, tasks;
    double tolerance, strong, deadline, effort, rate;
    int objective, plan, by, traffic;
    bool all, units, parallel;
    struct cc_strs pin, forbid, merge, set;
};

/* `name` is what messages and headings call the graph. worst: the same nodes with the streams' envelopes, or
 * NULL. `p` may be NULL: then no topology. */
int cc_map_parts(const struct cc_map_options *o, const char *name, struct cc_graph *g,
                 const struct cc_graph *worst, struct cc_platform *p, struct cc_err *err);

/* Both partitions side by side as an SVG file. */
int cc_map_draw(const char *path, const struct cc_graph *g, const struct cc_partition *balance,
                const struct cc_partition *cut, struct cc_err *err);

/* Pins, forbids, solves and shows. `recorded`: what tasks of a recording leave out; NULL: it is none. */
int cc_map_tasks(const struct cc_map_options *o, struct cc_map_problem *p, const struct cc_platform *platform,
                 const struct cc_map_recorded *recorded, struct cc_err *err);

/* Splits "NAME=VALUE" at its last '='; names of C++ operators hold some. Both strings are owned by the
 * caller. */
int cc_map_assignment(const char *option, const char *text, char **ret_name, char **ret_value,
                      struct cc_err *err);

#endif
