#include "timeline.h"
#include "chart.h"
#include "../analysis/calltree/calltree.h"
#include "../base/map.h"

#include <math.h>

enum {
    MAX_BOXES = 5000,
    MAX_ARROWS = 60,
    MAX_ROWS = 40,
    WIDTH = 1100,
    LEFT = 20,
    RIGHT = 20,
    TOP = 56,
    ROW = 24,
    GAP = 26
};

struct lane {       /* of a thread */
    uint32_t depth; /* rows */
    double top;
};

struct arrow {
    struct cc_timeline_arrow a;
    double x1, x2; /* where it leaves and arrives */
};

struct drawing {
    const struct cc_profile *p;
    const struct cc_comm *streams; /* NULL: none */
    bool regions;                  /* boxes are regions, not contexts */
    struct cc_timeline_box *boxes;
    size_t n;
    struct lane *lanes;
    double begin, end; /* instructions */
    struct cc_svg s;
    struct arrow *arrows; /* heaviest first */
    size_t narrows;
    double bottom;
};

static double place(const struct drawing *d, double t)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (t - d->begin) / (d->end - d->begin);
}

static double top_of(const struct drawing *d, const struct cc_timeline_box *b)
{
    return d->lanes[b->thread].top + ROW * (double)b->depth;
}

static void lay_out(struct drawing *d)
{
    d->n = cc_timeline_fold(d->boxes, d->n, MAX_ROWS);
    bool one_frame = d->streams && d->streams->one_frame;
    d->begin = one_frame ? INFINITY : 0;
    for (size_t i = 0; i < d->n; i++) {
        const struct cc_timeline_box *b = &d->boxes[i];
        d->begin = fmin(d->begin, (double)b->start);
        d->end = fmax(d->end, (double)(b->start + b->length));
        d->lanes[b->thread].depth = CC_MAX(d->lanes[b->thread].depth, b->depth + 1);
    }
    d->end = fmax(d->end, d->begin + 1);
    double y = TOP;
    for (size_t t = 0; t < d->p->nthreads; t++) {
        d->lanes[t].top = y + (d->p->nthreads > 1 ? 14 : 0);
        if (d->lanes[t].depth)
            y = d->lanes[t].top + ROW * (double)d->lanes[t].depth + GAP;
    }
    d->bottom = y;
}

/* --- arrows --- */

/* The ends of arrows at a box are spread over its width, in the order the arrows are drawn. */
static double port(const struct drawing *d, size_t box, unsigned *used, const unsigned *ends)
{
    const struct cc_timeline_box *b = &d->boxes[box];
    double part = (double)++used[box] / (double)(ends[box] + 1);
    return place(d, (double)b->start + (double)b->length * part);
}

static void find_arrows(struct drawing *d)
{
    CC_CLEANUP(cc_free_ptr) struct cc_timeline_arrow *all = NULL;
    size_t n = d->streams ? cc_timeline_arrows(d->p, d->streams, d->boxes, d->n, &all) : 0;
    d->narrows = CC_MIN(n, (size_t)MAX_ARROWS);
    d->arrows = cc_alloc_array(d->narrows + 1, sizeof *d->arrows);
    for (size_t i = 0; i < d->narrows; i++)
        d->arrows[i].a = all[i];
}

static void place_arrows(struct drawing *d)
{
    CC_CLEANUP(cc_free_ptr) unsigned *counts = cc_alloc_array(d->n * 2 + 1, sizeof *counts);
    unsigned *ends = counts, *used = counts + d->n;
    for (size_t i = 0; i < d->narrows; i++) {
        const struct cc_timeline_arrow *a = &d->arrows[i].a;
        if (a->from != SIZE_MAX)
            ends[a->from]++;
        if (a->to != SIZE_MAX)
            ends[a->to]++;
    }
    for (size_t i = 0; i < d->narrows; i++) {
        struct arrow *a = &d->arrows[i];
        a->x1 = a->a.from == SIZE_MAX ? LEFT + 70 : port(d, a->a.from, used, ends);
        a->x2 = a->a.to == SIZE_MAX ? WIDTH - RIGHT - 70 : port(d, a->a.to, used, ends);
    }
}

/* Arrows hang below the boxes, each at its own depth, so that their labels do not meet. */
static void draw_arrow(struct drawing *d, const struct arrow *a, size_t rank, double width)
{
    double base = d->bottom + 18 + 20 * (double)rank;
    double x1 = a->x1, x2 = a->x2;
    double y1 = a->a.from == SIZE_MAX ? base : top_of(d, &d->boxes[a->a.from]) + ROW - 3;
    double y2 = a->a.to == SIZE_MAX ? base : top_of(d, &d->boxes[a->a.to]) + ROW - 3;
    char path[200], bytes[24];
    double r = fmin(10, fabs(x2 - x1) / 2), turn = x2 > x1 ? r : -r;
    int n = snprintf(path, sizeof path, "M%.1f %.1f", x1, y1);
    if (a->a.from != SIZE_MAX)
        n += snprintf(path + n, sizeof path - (size_t)n, "V%.1fQ%.1f %.1f %.1f %.1f", base - r, x1, base,
                      x1 + turn, base);
    if (a->a.to != SIZE_MAX)
        snprintf(path + n, sizeof path - (size_t)n, "H%.1fQ%.1f %.1f %.1f %.1fV%.1f", x2 - turn, x2, base, x2,
                 base - r, y2);
    else
        snprintf(path + n, sizeof path - (size_t)n, "H%.1f", x2);
    cc_svg_path(&d->s, path, "none", cc_svg_color(rank), width, true,
                cc_human_bytes((double)a->a.bytes, bytes));
    if (a->a.special)
        cc_svg_text(&d->s, a->a.from == SIZE_MAX ? LEFT : WIDTH - RIGHT - 64, base + 4, CC_SVG_START, 11,
                    a->a.special);
}

/* On a white ground, after all arrows: no line goes through a number. */
static void draw_label(struct drawing *d, const struct arrow *a, size_t rank)
{
    char bytes[24];
    double y = d->bottom + 18 + 20 * (double)rank, x = (a->x1 + a->x2) / 2;
    cc_human_bytes((double)a->a.bytes, bytes);
    double w = 6.2 * (double)strlen(bytes) + 4;
    cc_svg_rect(&d->s, (struct cc_box){x - w / 2, y - 6, w, 12}, "#ffffff", "none", NULL);
    cc_svg_text(&d->s, x, y + 4, CC_SVG_MIDDLE, 10.5, bytes);
}

/* --- boxes --- */

static void draw_boxes(struct drawing *d)
{
    for (size_t i = 0; i < d->n; i++) {
        const struct cc_timeline_box *b = &d->boxes[i];
        double x = place(d, (double)b->start), w = fmax(place(d, (double)(b->start + b->length)) - x, 0.3);
        uint32_t id = d->regions ? b->context : d->p->contexts[b->context].function;
        const char *name = d->regions ? d->p->regions[id].name : d->p->functions[id].name;
        char length[24];
        cc_human_count((double)b->length, length);
        CC_CLEANUP(cc_free_ptr)
        char *tip = cc_asprintf("%s: %s instructions from %llu", name, length, (unsigned long long)b->start);
        CC_CLEANUP(cc_free_ptr) char *label = cc_asprintf("%s  %s", name, length);
        double y = top_of(d, b);
        char fill[16]; /* pale, so that the name can be read on it */
        snprintf(fill, sizeof fill, "%s", id == 0 ? "#eeeeee" : cc_svg_color(d->regions ? id - 1 : id + 3));
        if (id)
            snprintf(fill + 7, sizeof fill - 7, "aa");
        cc_svg_rect(&d->s, (struct cc_box){x, y, w, ROW - 2}, fill, w > 3 ? "#ffffff" : "none", tip);
        d->s.on_fill = true;
        cc_svg_text_fit(&d->s, x + 4, y + 15, w - 6, 11, label);
        d->s.on_fill = false;
    }
}

static void draw_axis(struct drawing *d)
{
    double ticks[16];
    size_t n = cc_chart_ticks(d->begin, d->end, false, ticks, CC_COUNT(ticks));
    for (size_t i = 0; i < n; i++) {
        if (ticks[i] < d->begin || ticks[i] > d->end)
            continue;
        char text[24];
        double x = place(d, ticks[i]);
        cc_svg_line(&d->s, x, TOP - 6, x, d->bottom - GAP + 4, "#dddddd", 1);
        enum cc_svg_anchor anchor = x > WIDTH - 60  ? CC_SVG_END
                                    : x < LEFT + 20 ? CC_SVG_START
                                                    : CC_SVG_MIDDLE;
        cc_svg_text(&d->s, x, TOP - 10, anchor, 10, cc_human_count(fmax(ticks[i], 0), text));
    }
    for (size_t t = 0; d->p->nthreads > 1 && t < d->p->nthreads; t++) {
        char text[64];
        snprintf(text, sizeof text, "thread %zu (tid %u)", t + 1, d->p->threads[t].tid);
        if (d->lanes[t].depth)
            cc_svg_text(&d->s, LEFT, d->lanes[t].top - 3, CC_SVG_START, 11, text);
    }
}

/* Where frames begin, if the drawing's clock is that of the frames and they are not too many to see. */
static void draw_frames(struct drawing *d)
{
    const struct cc_profile *p = d->p;
    if (!d->regions || d->streams->one_frame || p->nthreads != 1 || p->nframes > 200)
        return;
    double last = -100;
    for (size_t i = 1; i < p->nframes; i++) {
        char text[32];
        double x = place(d, (double)p->frames[i].start);
        cc_svg_line(&d->s, x, TOP - 2, x, d->bottom - GAP + 14, "#bb5566", 0.7);
        snprintf(text, sizeof text, "frame %zu", i);
        if (x - last < 52 || x > WIDTH - 60)
            continue;
        cc_svg_text(&d->s, x + 2, d->bottom - GAP + 13, CC_SVG_START, 9, text);
        last = x;
    }
}

static void draw_head(struct drawing *d)
{
    char title[100], note[120], least[24];
    snprintf(title, sizeof title, "%s over time%s", d->regions ? "Regions" : "Calls",
             d->streams ? " and the data between them" : "");
    if (d->streams && d->streams->one_frame)
        snprintf(title, sizeof title, "Regions in frame %u and the data they read", d->streams->frame);
    cc_svg_text(&d->s, LEFT, 22, CC_SVG_START, 16, title);
    snprintf(note, sizeof note, "instructions; calls of less than %s are not drawn",
             cc_human_count((double)d->p->call_threshold, least));
    cc_svg_text(&d->s, WIDTH - RIGHT, 22, CC_SVG_END, 11, d->regions ? "instructions" : note);
}

static size_t find_boxes(struct drawing *d, struct cc_err *err)
{
    const struct cc_profile *p = d->p;
    struct cc_filter frame = {0};
    if (d->streams)
        frame = (struct cc_filter){.one_frame = d->streams->one_frame, .frame = d->streams->frame};
    d->n = d->regions ? cc_timeline_regions(p, &frame, MAX_BOXES, &d->boxes)
                      : cc_timeline(p, MAX_BOXES, &d->boxes);
    if (d->n == 0) {
        cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no time line");
        if (!d->regions)
            cc_err_hint(err, "no call lasted %llu instructions", (unsigned long long)p->call_threshold);
    }
    return d->n;
}

int cc_draw_timeline(const struct cc_profile *p, const struct cc_comm *streams, struct cc_buf *out,
                     struct cc_err *err)
{
    struct drawing d = {.p = p, .streams = streams, .regions = streams && streams->by == CC_LEVEL_REGION};
    if (find_boxes(&d, err) == 0) {
        free(d.boxes);
        return -CC_EINPUT;
    }
    d.lanes = cc_alloc_array(p->nthreads + 1, sizeof *d.lanes);
    lay_out(&d);
    find_arrows(&d);
    place_arrows(&d);
    cc_svg_begin(&d.s, WIDTH, d.bottom + 20 * (double)d.narrows + 24, "Time line");
    draw_head(&d);
    draw_axis(&d);
    draw_frames(&d);
    draw_boxes(&d);
    for (size_t i = 0; i < d.narrows; i++)
        draw_arrow(&d, &d.arrows[i], i,
                   1 + 4 * sqrt((double)d.arrows[i].a.bytes / fmax((double)d.arrows[0].a.bytes, 1)));
    for (size_t i = 0; i < d.narrows; i++)
        draw_label(&d, &d.arrows[i], i);
    cc_svg_end(&d.s);
    *out = d.s.buf;
    free(d.arrows);
    free(d.lanes);
    free(d.boxes);
    return 0;
}
