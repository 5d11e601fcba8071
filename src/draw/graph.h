/* The communication graph as a drawing: boxes for nodes, arrows as wide as their stream is heavy. */
#ifndef CC_DRAW_GRAPH_H
#define CC_DRAW_GRAPH_H

#include "../analysis/comm/comm.h"
#include "svg.h"

enum { CC_GRAPH_EDGES = 300 };

/* Graphviz places nodes and arrows; the drawing is ours. At most CC_GRAPH_EDGES of the heaviest edges
 * and the ties between them are drawn; what is left out is said. */
int cc_draw_graph(const struct cc_comm *c, struct cc_buf *out, struct cc_err *err);

#endif
