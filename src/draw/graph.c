#include "graph.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <math.h>

enum { MARGIN = 20, HEAD = 99, FONT = 12 };

static const char *const tie_color = "#c9d3dd";

struct drawing {
    const struct cc_comm *c;
    struct cc_svg s;
    Agraph_t *g;
    Agnode_t **nodes; /* NULL: not drawn */
    Agedge_t **edges; /* the same */
    size_t nedges;    /* the ties come after them */
    uint64_t most;    /* bytes of the heaviest stream between two nodes: the widest arrow */
    size_t alone;     /* nodes that only talk to themselves, which would only make the drawing wide */
    double height;    /* of the layout: its y axis points up */
};

static const struct cc_comm_edge *edge_at(const struct drawing *d, size_t i)
{
    return i < d->nedges ? &d->c->edges[i] : &d->c->ties[i - d->nedges];
}

/* Names never reach Graphviz, which would read escapes in them: it is told sizes only. */
static void set(void *object, const char *key, const char *value)
{
    agsafeset(object, (char *)(uintptr_t)key, (char *)(uintptr_t)value, (char *)(uintptr_t) "");
}

static void set_size(void *object, const char *key, double pixels)
{
    char text[32];
    snprintf(text, sizeof text, "%.4f", pixels / 72);
    set(object, key, text);
}

static double node_width(const struct cc_comm_node *n)
{
    double least = n->kind == CC_COMM_OBJECT ? 195 : 140; /* for the second line */
    return fmin(fmax(least, 7.4 * (double)strlen(n->name) + 20), 300);
}

static void edge_label(const struct cc_comm_edge *e, char *out, size_t size)
{
    char bytes[24], count[24];
    snprintf(out, size, "%s / %s", cc_human_bytes((double)e->bytes, bytes),
             e->has_unma ? cc_human_count((double)e->unma, count) : "?");
}

/* Of the heaviest stream between nodes; self streams may exceed it and are drawn no wider. */
static double share_of(const struct drawing *d, const struct cc_comm_edge *e)
{
    return fmin((double)e->bytes / fmax((double)d->most, 1), 1);
}

/* Which nodes to draw: those with a stream to or from another, or all if there are none. */
static void choose_nodes(struct drawing *d, bool *drawn)
{
    bool any = false;
    for (size_t i = 0; i < d->nedges; i++) {
        const struct cc_comm_edge *e = &d->c->edges[i];
        if (e->from == e->to)
            continue;
        any = drawn[e->from] = drawn[e->to] = true;
        d->most = CC_MAX(d->most, e->bytes);
    }
    for (size_t i = 0; i < d->c->nnodes; i++) {
        d->alone += any && !drawn[i];
        drawn[i] |= !any;
    }
}

static void build(struct drawing *d)
{
    CC_CLEANUP(cc_free_ptr) bool *drawn = cc_alloc_array(d->c->nnodes + 1, sizeof *drawn);
    choose_nodes(d, drawn);
    d->g = agopen((char *)(uintptr_t) "g", (Agdesc_t){.directed = 1, .maingraph = 1}, NULL);
    set(d->g, "nodesep", "0.35");
    set(d->g, "ranksep", "0.55");
    char name[32];
    for (size_t i = 0; i < d->c->nnodes; i++) {
        if (!drawn[i])
            continue;
        snprintf(name, sizeof name, "n%zu", i);
        Agnode_t *n = d->nodes[i] = agnode(d->g, name, 1);
        set(n, "label", "");
        set(n, "shape", "box");
        set(n, "fixedsize", "true");
        set_size(n, "width", node_width(&d->c->nodes[i]));
        set_size(n, "height", 38);
    }
    for (size_t i = 0; i < d->nedges + d->c->nties; i++) {
        const struct cc_comm_edge *e = edge_at(d, i);
        char label[80];
        if (!drawn[e->from] || !drawn[e->to])
            continue;
        snprintf(name, sizeof name, "e%zu", i);
        edge_label(e, label, sizeof label);
        d->edges[i] = agedge(d->g, d->nodes[e->from], d->nodes[e->to], name, 1);
        set(d->edges[i], "label", label);
        set(d->edges[i], "fontsize", "11");
        char weight[32];
        double share = share_of(d, e);
        snprintf(weight, sizeof weight, "%d", 1 + (int)(9 * sqrt(share)));
        set(d->edges[i], "weight", weight);
    }
}

static double px(double x)
{
    return x + MARGIN;
}

static double py(const struct drawing *d, double y)
{
    return d->height - y + HEAD;
}

static void draw_spline(struct drawing *d, size_t number, Agedge_t *ge)
{
    const struct cc_comm_edge *e = edge_at(d, number);
    bool tie = number >= d->nedges;
    const splines *spl = ED_spl(ge);
    struct cc_buf curve = {0};
    for (size_t k = 0; spl && k < (size_t)spl->size; k++) {
        const bezier *b = &spl->list[k];
        for (int i = 0; i < b->size; i++)
            cc_buf_printf(&curve, "%s%.1f %.1f",
                          i == 0   ? "M"
                          : i == 1 ? "C"
                                   : " ",
                          px(b->list[i].x), py(d, b->list[i].y));
        if (b->eflag)
            cc_buf_printf(&curve, "L%.1f %.1f", px(b->ep.x), py(d, b->ep.y));
    }
    if (!curve.n)
        return;
    double share = share_of(d, e);
    char label[80];
    edge_label(e, label, sizeof label);
    char reads[80] = "";
    if (e->has_reads)
        snprintf(reads, sizeof reads, " in %llu reads, %llu fresh", (unsigned long long)e->reads,
                 (unsigned long long)e->fresh);
    CC_CLEANUP(cc_free_ptr)
    char *tip =
        cc_asprintf("%s to %s: %llu bytes%s%s", d->c->nodes[e->from].name, d->c->nodes[e->to].name,
                    (unsigned long long)e->bytes, reads, e->marked ? "; on the critical data path" : "");
    cc_svg_path(&d->s, curve.s, "none",
                e->marked ? "#cc3311"
                : tie     ? tie_color
                          : "#8899aa",
                1 + 5 * sqrt(share), true, tip);
    cc_buf_fini(&curve);
    if (ED_label(ge) && ED_label(ge)->set)
        cc_svg_text(&d->s, px(ED_label(ge)->pos.x), py(d, ED_label(ge)->pos.y) + 4, CC_SVG_MIDDLE, 10.5,
                    label);
}

static void draw_node(struct drawing *d, const struct cc_comm_node *n, Agnode_t *gn)
{
    double w = node_width(n), h = 38, x = px(ND_coord(gn).x) - w / 2, y = py(d, ND_coord(gn).y) - h / 2;
    bool special = n->id == CC_NONE;
    double share = d->c->instructions ? (double)n->instructions / (double)d->c->instructions : 0;
    char color[8], second[64] = "", count[48] = "", in[24], out[24];
    if (d->c->has_instructions) {
        snprintf(second, sizeof second, "%.1f %% of instructions", 100 * share);
        snprintf(count, sizeof count, "%llu instructions, ", (unsigned long long)n->instructions);
    }
    if (special)
        snprintf(second, sizeof second, "%s",
                 n->kind == CC_COMM_OUTPUT ? cc_human_bytes((double)n->bytes_in, in)
                                           : cc_human_bytes((double)n->bytes_out, out));
    bool object = n->kind == CC_COMM_OBJECT; /* in a box of its own colour, with its size */
    if (object)
        snprintf(second, sizeof second, "%s in all, %s at once", cc_human_bytes((double)n->size, in),
                 cc_human_bytes((double)n->peak, out));
    CC_CLEANUP(cc_free_ptr)
    char *tip = cc_asprintf("%s: %s%s in, %s out", n->name, count, cc_human_bytes((double)n->bytes_in, in),
                            cc_human_bytes((double)n->bytes_out, out));
    cc_svg_rect(&d->s, (struct cc_box){x, y, w, h},
                object    ? "#d5e8f7"
                : special ? "#eeeeee"
                          : cc_svg_heat(share * 0.6, color),
                "#555555", tip);
    d->s.on_fill = true;
    cc_svg_text_fit(&d->s, x + 8, y + 16, w - 10, FONT, n->name);
    cc_svg_text(&d->s, x + 8, y + 30, CC_SVG_START, 10, second);
    d->s.on_fill = false;
}

/* What is not in the drawing, and whether that leaves parts of it unconnected. */
static void draw_left_out(struct drawing *d)
{
    const struct cc_comm *c = d->c;
    uint64_t bytes = c->hidden_bytes, between = c->hidden_between;
    size_t streams = c->hidden - c->nties;
    char text[200], human[24];
    for (size_t i = 0; i < c->nties; i++) {
        bytes -= c->ties[i].bytes;
        between -= c->ties[i].bytes;
    }
    for (size_t i = d->nedges; i < c->nedges; i++, streams++) {
        bytes += c->edges[i].bytes;
        between += c->edges[i].from != c->edges[i].to ? c->edges[i].bytes : 0;
    }
    snprintf(text, sizeof text,
             "not drawn: %zu streams with %s, %.1f %% of what flows; %zu nodes that only read their own data",
             streams, cc_human_bytes((double)bytes, human),
             c->between ? 100 * (double)between / (double)c->between : 0, d->alone);
    cc_svg_text(&d->s, MARGIN, 57, CC_SVG_START, 11, text);
    if (c->pieces < 2)
        return;
    snprintf(text, sizeof text, "%zu parts: no stream goes from a node of one straight to a node of another",
             c->pieces);
    cc_svg_text(&d->s, MARGIN, 72, CC_SVG_START, 11, text);
}

static void draw_head(struct drawing *d)
{
    char text[200];
    if (d->c->one_frame)
        snprintf(text, sizeof text, "Data read in frame %u, by %s", d->c->frame, cc_level_names[d->c->by]);
    else
        snprintf(text, sizeof text, "Data flow by %s", d->c->objects ? "object" : cc_level_names[d->c->by]);
    cc_svg_text(&d->s, MARGIN, 24, CC_SVG_START, 16, text);
    cc_svg_text(&d->s, MARGIN, 42, CC_SVG_START, 11,
                "on arrows: bytes read / distinct addresses; darker boxes execute more instructions");
    draw_left_out(d);
    cc_svg_line(&d->s, MARGIN, 84, MARGIN + 26, 84, "#cc3311", 3);
    cc_svg_text(&d->s, MARGIN + 32, 88, CC_SVG_START, 11, "critical data path");
    if (!d->c->nties)
        return;
    cc_svg_line(&d->s, MARGIN + 170, 84, MARGIN + 196, 84, tie_color, 3);
    cc_svg_text(&d->s, MARGIN + 202, 88, CC_SVG_START, 11,
                "lighter streams, only to show how the parts hang together");
}

static void draw(struct drawing *d)
{
    boxf bb = GD_bb(d->g);
    d->height = bb.UR.y;
    cc_svg_begin(&d->s, fmax(bb.UR.x + 2 * MARGIN, 640), bb.UR.y + HEAD + MARGIN, "Communication graph");
    draw_head(d);
    for (size_t i = d->nedges + d->c->nties; i-- > 0;) /* heavy arrows lie on top */
        if (d->edges[i])
            draw_spline(d, i, d->edges[i]);
    for (size_t i = 0; i < d->c->nnodes; i++)
        if (d->nodes[i])
            draw_node(d, &d->c->nodes[i], d->nodes[i]);
    cc_svg_end(&d->s);
}

static int quiet(char *message)
{
    (void)message;
    return 0;
}

int cc_draw_graph(const struct cc_comm *c, struct cc_buf *out, struct cc_err *err)
{
    struct drawing d = {.c = c, .nedges = CC_MIN(c->nedges, (size_t)CC_GRAPH_EDGES)};
    /* One for the whole process: its plugins keep pointers into the first context they saw, even after it is
     * gone. */
    static GVC_t *gvc;
    if (!gvc)
        gvc = gvContext();
    if (!gvc)
        return cc_err_set(err, CC_EBUG, "cannot start Graphviz");
    agseterrf(quiet);
    CC_CLEANUP(cc_free_ptr) Agnode_t **nodes = cc_alloc_array(c->nnodes + 1, sizeof *nodes);
    CC_CLEANUP(cc_free_ptr) Agedge_t **edges = cc_alloc_array(d.nedges + c->nties + 1, sizeof *edges);
    d.nodes = nodes;
    d.edges = edges;
    build(&d);
    int rc = 0;
    if (gvLayout(gvc, d.g, "dot") == 0) {
        draw(&d);
        *out = d.s.buf;
        gvFreeLayout(gvc, d.g);
    } else {
        rc = cc_err_set(err, CC_EINPUT, "Graphviz cannot lay out the graph");
        cc_err_hint(err, "is the package graphviz installed? otherwise try --top 20");
    }
    agclose(d.g);
    return rc;
}
