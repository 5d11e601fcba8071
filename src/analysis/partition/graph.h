/* A communication graph: what is to be placed (functions, contexts, regions), how much work each is, and how
 * many bytes go from whom to whom. Comes from a recording, from a small file, or from a test. */
#ifndef CC_ANALYSIS_PARTITION_GRAPH_H
#define CC_ANALYSIS_PARTITION_GRAPH_H

#include "../../base/arena.h"
#include "../../base/err.h"

enum { CC_GRAPH_MAX_NODES = 200000, CC_GRAPH_MAX_EDGES = 4000000 };
/* Sums stay below this, so that bytes x hops never overflow 64 bits. */
#define CC_GRAPH_MAX_TOTAL (UINT64_C(1) << 53)

struct cc_graph_node {
    const char *name;
    uint64_t weight; /* work, in instructions or any other unit */
};

struct cc_graph_edge {
    size_t from, to;
    uint64_t bytes;
};

/* Plain arrays: fill them by hand or with the functions below. Edges may repeat and go both ways; self edges
 * count for nothing. */
struct cc_graph {
    struct cc_arena arena; /* of names */
    CC_VEC(struct cc_graph_node) nodes;
    CC_VEC(struct cc_graph_edge) edges;
};

size_t cc_graph_add_node(struct cc_graph *g, const char *name, uint64_t weight); /* copies the name */
void cc_graph_add_edge(struct cc_graph *g, size_t from, size_t to, uint64_t bytes);
size_t cc_graph_find(const struct cc_graph *g, const char *name); /* SIZE_MAX if absent */
void cc_graph_fini(struct cc_graph *g);
/* Sizes and sums within the bounds above. */
int cc_graph_check(const struct cc_graph *g, const char *path, struct cc_err *err);

/* Two formats, told apart by the first line that says anything: INI with [nodes] NAME = WEIGHT and [edges]
 * FROM -> TO = BYTES, or CSV with the header kind,name,to,amount and rows
 * node,NAME,,WEIGHT and edge,FROM,TO,BYTES. */
int cc_graph_load(const char *path, struct cc_graph *ret, struct cc_err *err);
int cc_graph_parse(const char *path, const char *text, size_t size, struct cc_graph *ret, struct cc_err *err);

/* Folds the nodes with the same group into one, named "a+b". `group` has one entry a node; groups are
 * numbered as they first appear. ret_of[node] is the new node. */
void cc_graph_merge(const struct cc_graph *g, const size_t *group, struct cc_graph *ret, size_t *ret_of);

#endif
