/* The two partitions of a graph side by side: parts as boxes, nodes in them, arrows for the bytes; solid
 * where a boundary cuts them, dashed inside a part. */
#include "map.h"
#include "../../draw/svg.h"

#include <math.h>

enum {
    BOX = 170, /* width of a part */
    GAP = 90,  /* between parts, room for arrows */
    ROW = 30,  /* height of a node */
    TOP = 70,
    MARGIN = 24,
    MOST_NODES = 40,
    MOST_PARTS = 16,
};

struct panel {
    struct cc_svg *s;
    const struct cc_graph *g;
    const struct cc_partition *p;
    const bool *shown;
    double left;
    double *x, *y; /* left edge and middle of each shown node */
};

static double panel_width(size_t parts)
{
    return (double)parts * BOX + (double)(parts - 1) * GAP;
}

static void draw_parts(struct panel *d, double height)
{
    size_t *filled = cc_alloc_array(d->p->parts, sizeof *filled);
    char text[64], load[24];
    for (size_t k = 0; k < d->p->parts; k++) {
        double x = d->left + (double)k * (BOX + GAP);
        cc_svg_rect(d->s, (struct cc_box){x, TOP, BOX, height}, "#f4f4f4", "#888888", NULL);
        snprintf(text, sizeof text, "part %zu: %s", k, cc_human_count((double)d->p->load[k], load));
        cc_svg_text(d->s, x + BOX / 2.0, TOP + 18, CC_SVG_MIDDLE, 13, text);
    }
    for (size_t i = 0; i < d->g->nodes.n; i++) {
        if (!d->shown[i])
            continue;
        size_t part = d->p->part[i];
        d->x[i] = d->left + (double)part * (BOX + GAP) + 25;
        d->y[i] = TOP + 30 + ROW * ((double)filled[part]++ + 0.5);
        cc_svg_rect(d->s, (struct cc_box){d->x[i], d->y[i] - ROW * 0.36, BOX - 50, ROW * 0.72}, "#ffffff",
                    cc_svg_color(part), d->g->nodes.v[i].name);
        cc_svg_text_fit(d->s, d->x[i] + 6, d->y[i] + 4, BOX - 60, 12, d->g->nodes.v[i].name);
    }
    free(filled);
}

static void draw_edge(struct panel *d, const struct cc_graph_edge *e, double most)
{
    bool cut = d->p->part[e->from] != d->p->part[e->to];
    double x1 = d->x[e->from], y1 = d->y[e->from], x2 = d->x[e->to], y2 = d->y[e->to], width = BOX - 50;
    struct cc_buf path = {0};
    char bytes[24], tip[400];
    double label_x, label_y = (y1 + y2) / 2;
    if (cut) {
        bool right = x2 > x1;
        x1 += right ? width : 0;
        x2 += right ? 0 : width;
        double bend = right ? GAP * 0.5 : -GAP * 0.5;
        cc_buf_printf(&path, "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1 + bend, y1, x2 - bend, y2,
                      x2, y2);
        label_x = (x1 + x2) / 2;
        label_y -= 5;
    } else {
        /* down on the right of the nodes, up on their left, so that both directions of a pair show */
        double side = y2 > y1 ? width : 0, out = y2 > y1 ? 22 : -22;
        x1 += side;
        x2 += side;
        cc_buf_printf(&path, "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1 + out, y1, x2 + out, y2,
                      x2, y2);
        label_x = x1 + out;
    }
    snprintf(tip, sizeof tip, "%.150s to %.150s: %s", d->g->nodes.v[e->from].name, d->g->nodes.v[e->to].name,
             cc_human_bytes((double)e->bytes, bytes));
    if (!cut)
        cc_buf_puts(&d->s->buf, "<g stroke-dasharray=\"5 4\">");
    cc_svg_path(d->s, path.s, "none", cut ? "#cc3311" : "#777777", 1 + 4 * sqrt((double)e->bytes / most),
                true, tip);
    if (!cut)
        cc_buf_puts(&d->s->buf, "</g>\n");
    if (cut)
        cc_svg_text(d->s, label_x, label_y, CC_SVG_MIDDLE, 10, bytes);
    cc_buf_fini(&path);
}

static void draw_panel(struct panel *d, const char *title, double height, double least, double most)
{
    char text[128], bytes[24];
    snprintf(text, sizeof text, "%s: %s cut", title, cc_human_bytes((double)d->p->cut, bytes));
    cc_svg_text(d->s, d->left + panel_width(d->p->parts) / 2, 50, CC_SVG_MIDDLE, 15, text);
    draw_parts(d, height);
    for (size_t k = 0; k < d->g->edges.n; k++) {
        const struct cc_graph_edge *e = &d->g->edges.v[k];
        if (e->from != e->to && d->shown[e->from] && d->shown[e->to] && e->bytes && (double)e->bytes >= least)
            draw_edge(d, e, most);
    }
}

/* The heaviest nodes, as many as can be read. */
static size_t choose(const struct cc_graph *g, bool *shown)
{
    size_t n = 0;
    for (; n < CC_MIN(g->nodes.n, (size_t)MOST_NODES); n++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < g->nodes.n; i++)
            if (!shown[i] && (best == SIZE_MAX || g->nodes.v[i].weight > g->nodes.v[best].weight))
                best = i;
        shown[best] = true;
    }
    return n;
}

int cc_map_draw(const char *path, const struct cc_graph *g, const struct cc_partition *balance,
                const struct cc_partition *cut, struct cc_err *err)
{
    if (cut->parts > MOST_PARTS)
        return cc_err_set(err, CC_EUSAGE, "option '--svg': %zu parts are too many to draw, %d at most",
                          cut->parts, MOST_PARTS);
    bool *shown = cc_alloc_array(g->nodes.n, sizeof *shown);
    size_t nodes = choose(g, shown);
    double most = 1, total = 0;
    for (size_t k = 0; k < g->edges.n; k++) {
        most = fmax(most, (double)g->edges.v[k].bytes);
        total += (double)g->edges.v[k].bytes;
    }
    size_t *filled = cc_alloc_array(2 * cut->parts, sizeof *filled), rows = 1;
    for (size_t i = 0; i < g->nodes.n; i++) {
        if (!shown[i])
            continue;
        filled[balance->part[i]]++;
        filled[cut->parts + cut->part[i]]++;
    }
    for (size_t k = 0; k < 2 * cut->parts; k++)
        rows = CC_MAX(rows, filled[k]);
    double height = 40 + ROW * (double)rows, width = 2 * panel_width(cut->parts) + 3 * MARGIN + GAP;
    struct cc_svg s;
    cc_svg_begin(&s, width, TOP + height + 2 * MARGIN, "partition");
    double *xy = cc_alloc_array(2 * g->nodes.n, sizeof *xy);
    struct panel left = {&s, g, balance, shown, MARGIN, xy, xy + g->nodes.n};
    struct panel right = {&s, g, cut, shown, 2 * MARGIN + GAP + panel_width(cut->parts), xy, xy + g->nodes.n};
    draw_panel(&left, "load only", height, total * 0.01, most);
    draw_panel(&right, "with communication", height, total * 0.01, most);
    if (nodes < g->nodes.n)
        cc_svg_text(&s, MARGIN, TOP + height + MARGIN, CC_SVG_START, 11, "only the heaviest nodes are drawn");
    cc_svg_end(&s);
    int rc = cc_output_file(path, &s.buf, err);
    cc_buf_fini(&s.buf);
    free(xy);
    free(filled);
    free(shown);
    return rc;
}
