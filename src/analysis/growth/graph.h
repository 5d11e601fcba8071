/* The communication graph of an input that was never run. */
#ifndef CC_ANALYSIS_GROWTH_GRAPH_H
#define CC_ANALYSIS_GROWTH_GRAPH_H

#include "models.h"
#include "../partition/recording.h"

struct cc_models_graph {
    const char *at; /* "NAME=VALUE,…" */
    enum cc_graph_traffic traffic;
    bool bounds;      /* at the envelopes instead of the laws */
    size_t unknown;   /* found: figures no law says anything of there, taken as 0 */
    char *beyond;     /* found: values outside what was recorded; owned; NULL: none */
    uint64_t outside; /* found: bytes from or to places outside the program's functions */
};

int cc_models_to_graph(const struct cc_models *m, struct cc_models_graph *how, struct cc_graph *ret,
                       struct cc_err *err);

#endif
