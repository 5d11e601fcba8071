/* The communication graph for Graphviz. */
#include "export.h"
#include "../../analysis/comm/comm.h"
#include "../../base/text.h"

#include <inttypes.h>
#include <math.h>

static void put_nodes(const struct cc_comm *c, struct cc_buf *b)
{
    for (size_t i = 0; i < c->nnodes; i++) {
        const struct cc_comm_node *n = &c->nodes[i];
        cc_buf_printf(b, "  n%zu [label=\"", i);
        cc_text_dot(b, n->name);
        cc_buf_printf(b, "\", kind=%s, instructions=%" PRIu64 "%s];\n", cc_comm_kind_names[n->kind],
                      n->instructions, n->id == CC_NONE ? ", shape=ellipse" : "");
    }
}

static void put_edges(const struct cc_comm *c, struct cc_buf *b)
{
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        char bytes[24], count[24];
        double width = 1 + 5 * sqrt((double)e->bytes / fmax((double)c->edges[0].bytes, 1));
        cc_buf_printf(b, "  n%u -> n%u [label=\"%s / %s\", bytes=%" PRIu64 ", ", e->from, e->to,
                      cc_human_bytes((double)e->bytes, bytes),
                      e->has_unma ? cc_human_count((double)e->unma, count) : "?", e->bytes);
        if (e->has_unma)
            cc_buf_printf(b, "unma=%" PRIu64 ", ", e->unma);
        cc_buf_printf(b, "reads=%" PRIu64 ", fresh=%" PRIu64 ", penwidth=%.2f%s];\n", e->reads, e->fresh,
                      width, e->marked ? ", color=\"#cc3311\"" : "");
    }
}

int cc_export_dot(const struct cc_export_request *rq, struct cc_err *err)
{
    struct cc_comm *c;
    int rc = cc_comm_build(rq->p, rq->by, &rq->filter, &c, err);
    if (rc < 0)
        return rc;
    struct cc_buf b = {0};
    cc_buf_puts(
        &b,
        "// edges: bytes read / distinct addresses; red: the critical data path\ndigraph communication {\n"
        "  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n");
    put_nodes(c, &b);
    put_edges(c, &b);
    cc_buf_puts(&b, "}\n");
    fwrite(b.s, 1, b.n, rq->out);
    cc_buf_fini(&b);
    cc_comm_free(c);
    return 0;
}
