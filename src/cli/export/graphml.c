/* The communication graph as GraphML: http://graphml.graphdrawing.org/. */
#include "export.h"
#include "../../analysis/comm/comm.h"
#include "../../base/text.h"

#include <inttypes.h>

static void put_keys(struct cc_buf *b)
{
    static const struct {
        const char *id, *of, *type;
    } keys[] = {{"name", "node", "string"}, {"kind", "node", "string"},     {"instructions", "node", "long"},
                {"bytes", "edge", "long"},  {"unma", "edge", "long"},       {"reads", "edge", "long"},
                {"fresh", "edge", "long"},  {"critical", "edge", "boolean"}};
    for (size_t i = 0; i < CC_COUNT(keys); i++)
        cc_buf_printf(b, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", keys[i].id,
                      keys[i].of, keys[i].id, keys[i].type);
}

static void put_number(struct cc_buf *b, const char *key, uint64_t v)
{
    cc_buf_printf(b, "<data key=\"%s\">%" PRIu64 "</data>", key, v);
}

int cc_export_graphml(const struct cc_export_request *rq, struct cc_err *err)
{
    struct cc_comm *c;
    int rc = cc_comm_build(rq->p, rq->by, &rq->filter, &c, err);
    if (rc < 0)
        return rc;
    struct cc_buf b = {0};
    cc_buf_puts(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
                    "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    put_keys(&b);
    cc_buf_puts(&b, "  <graph id=\"communication\" edgedefault=\"directed\">\n");
    for (size_t i = 0; i < c->nnodes; i++) {
        cc_buf_printf(&b, "    <node id=\"n%zu\"><data key=\"name\">", i);
        cc_text_xml(&b, c->nodes[i].name);
        cc_buf_printf(&b, "</data><data key=\"kind\">%s</data>", cc_comm_kind_names[c->nodes[i].kind]);
        put_number(&b, "instructions", c->nodes[i].instructions);
        cc_buf_puts(&b, "</node>\n");
    }
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        cc_buf_printf(&b, "    <edge source=\"n%u\" target=\"n%u\">", e->from, e->to);
        put_number(&b, "bytes", e->bytes);
        if (e->has_unma)
            put_number(&b, "unma", e->unma);
        put_number(&b, "reads", e->reads);
        put_number(&b, "fresh", e->fresh);
        cc_buf_printf(&b, "<data key=\"critical\">%s</data></edge>\n", e->marked ? "true" : "false");
    }
    cc_buf_puts(&b, "  </graph>\n</graphml>\n");
    fwrite(b.s, 1, b.n, rq->out);
    cc_buf_fini(&b);
    cc_comm_free(c);
    return 0;
}
