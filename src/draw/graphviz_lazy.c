/* Graphviz, loaded when a graph is first drawn (base/lazy.h). */
#include "../base/lazy.h"

#include <graphviz/gvc.h>

static const char *const names[] = {CC_SONAME_GVC, NULL}; /* it brings libcgraph with it */
static struct cc_lazy gvc = {.names = names};

/* clang-format off */
CC_LAZY(gvc, NULL, GVC_t *, gvContext, (void), ())
CC_LAZY(gvc, -1, int, gvLayout, (GVC_t *a, graph_t *b, const char *c), (a, b, c))
CC_LAZY(gvc, -1, int, gvFreeLayout, (GVC_t *a, graph_t *b), (a, b))
CC_LAZY(gvc, NULL, Agraph_t *, agopen, (char *a, Agdesc_t b, Agdisc_t *c), (a, b, c))
CC_LAZY(gvc, -1, int, agclose, (Agraph_t *a), (a))
CC_LAZY(gvc, NULL, Agnode_t *, agnode, (Agraph_t *a, char *b, int c), (a, b, c))
CC_LAZY(gvc, NULL, Agedge_t *, agedge, (Agraph_t *a, Agnode_t *b, Agnode_t *c, char *d, int e), (a, b, c, d, e))
CC_LAZY(gvc, -1, int, agsafeset, (void *a, char *b, char *c, char *d), (a, b, c, d))
CC_LAZY(gvc, NULL, agusererrf, agseterrf, (agusererrf a), (a))
