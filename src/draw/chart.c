#include "chart.h"

#include <math.h>

enum { WIDTH = 820, HEIGHT = 480, LEFT = 80, RIGHT = 180, TOP = 44, BOTTOM = 56, MAX_TICKS = 16 };

struct axis {
    double lo, hi;
    bool log;
    double at0, at1; /* pixels of lo and hi */
};

static double place(const struct axis *a, double v)
{
    double t =
        a->log ? (log10(v) - log10(a->lo)) / (log10(a->hi) - log10(a->lo)) : (v - a->lo) / (a->hi - a->lo);
    return a->at0 + t * (a->at1 - a->at0);
}

static void axis_fit(struct axis *a, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i]) || (a->log && v[i] <= 0))
            continue;
        a->lo = fmin(a->lo, v[i]);
        a->hi = fmax(a->hi, v[i]);
    }
}

static void axis_settle(struct axis *a, bool from_zero)
{
    if (a->lo > a->hi) {
        a->lo = a->log ? 1 : 0;
        a->hi = a->log ? 10 : 1;
    }
    if (from_zero && !a->log)
        a->lo = fmin(a->lo, 0);
    if (a->hi <= a->lo) {
        a->hi = a->log ? a->lo * 10 : a->lo + (a->lo == 0 ? 1 : fabs(a->lo) * 0.1);
    }
}

size_t cc_chart_ticks(double lo, double hi, bool log, double *ticks, size_t cap)
{
    size_t n = 0;
    if (log) {
        for (double e = floor(log10(lo)); e <= ceil(log10(hi)) && n < cap; e++)
            if (pow(10, e) >= lo * 0.999 && pow(10, e) <= hi * 1.001)
                ticks[n++] = pow(10, e);
        if (n >= 2)
            return n;
        n = 0;
    }
    double raw = (hi - lo) / 6, unit = pow(10, floor(log10(raw)));
    double step = raw / unit <= 1   ? unit
                  : raw / unit <= 2 ? 2 * unit
                  : raw / unit <= 5 ? 5 * unit
                                    : 10 * unit;
    for (double k = ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9 && n < cap; k++)
        ticks[n++] = k * step + 0.0; /* no "-0" */
    return n;
}

static void tick_text(double v, char out[static 24])
{
    if (fabs(v) >= 10000)
        cc_human_count(v, out);
    else
        snprintf(out, 24, "%.4g", v);
}

static void draw_axes(struct cc_svg *s, const struct axis *x, const struct axis *y, const char *x_label,
                      const char *y_label)
{
    double ticks[MAX_TICKS];
    char text[24];
    size_t n = cc_chart_ticks(y->lo, y->hi, y->log, ticks, MAX_TICKS);
    for (size_t i = 0; i < n; i++) {
        double py = place(y, ticks[i]);
        cc_svg_line(s, x->at0, py, x->at1, py, "#dddddd", 1);
        tick_text(ticks[i], text);
        cc_svg_text(s, x->at0 - 6, py + 4, CC_SVG_END, 12, text);
    }
    n = cc_chart_ticks(x->lo, x->hi, x->log, ticks, MAX_TICKS);
    for (size_t i = 0; i < n; i++) {
        double px = place(x, ticks[i]);
        cc_svg_line(s, px, y->at0, px, y->at0 + 5, "#333333", 1);
        tick_text(ticks[i], text);
        cc_svg_text(s, px, y->at0 + 19, CC_SVG_MIDDLE, 12, text);
    }
    cc_svg_line(s, x->at0, y->at0, x->at1, y->at0, "#333333", 1);
    cc_svg_line(s, x->at0, y->at0, x->at0, y->at1, "#333333", 1);
    if (x_label)
        cc_svg_text(s, (x->at0 + x->at1) / 2, y->at0 + 40, CC_SVG_MIDDLE, 13, x_label);
    if (y_label)
        cc_svg_text(s, 8, TOP - 12, CC_SVG_START, 13, y_label);
}

static void draw_title(struct cc_svg *s, const char *title)
{
    cc_svg_text(s, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, 20, CC_SVG_MIDDLE, 15, title);
}

/* Beside the plot, from the top down. */
struct legend {
    double y;
};

/* The end of the longest part of `text` that fits into a line, at least one letter; lines end at spaces. */
static size_t line_end(const char *text, size_t room)
{
    size_t end = 0, bytes = 0, letters = 0;
    while (text[bytes] && letters <= room) {
        if (text[bytes] == ' ')
            end = bytes;
        size_t n = cc_utf8_length(text + bytes);
        bytes += n ? n : 1;
        letters++;
    }
    return letters <= room ? bytes : end ? end : bytes;
}

static void legend_mark(struct cc_svg *s, double y, enum cc_series_style style, const char *color)
{
    double x = WIDTH - RIGHT + 10;
    char d[64];
    snprintf(d, sizeof d, "M%.1f %.1fH%.1f", x, y + 6, x + 20);
    if (style == CC_SERIES_POINTS)
        cc_svg_circle(s, x + 10, y + 6, 3.5, color, NULL);
    else if (style == CC_SERIES_AREA)
        cc_svg_rect(s, (struct cc_box){x + 4, y, 12, 12}, color, "none", NULL);
    else if (style == CC_SERIES_DASHED) {
        cc_buf_puts(&s->buf, "<g stroke-dasharray=\"6 4\">");
        cc_svg_path(s, d, "none", color, 2, false, NULL);
        cc_buf_puts(&s->buf, "</g>\n");
    } else
        cc_svg_path(s, d, "none", color, 2, false, NULL);
}

/* A line looks like its series; a name that is too long goes on below. */
static void legend(struct cc_svg *s, struct legend *l, const char *name, enum cc_series_style style,
                   const char *color)
{
    enum { MOST_LINES = 4, LETTERS = 20 };
    legend_mark(s, l->y, style, color);
    for (int line = 0; *name && line < MOST_LINES; line++) {
        size_t end = line == MOST_LINES - 1 ? strlen(name) : line_end(name, LETTERS);
        CC_CLEANUP(cc_free_ptr) char *part = cc_asprintf("%.*s", (int)end, name);
        cc_svg_text_fit(s, WIDTH - RIGHT + 34, l->y + 10, RIGHT - 34, 12, part);
        name += end;
        name += strspn(name, " ");
        l->y += *name ? 14 : 0;
    }
    l->y += 18;
}

static void draw_series(struct cc_svg *s, const struct cc_series *one, const struct axis *x,
                        const struct axis *y, const char *color)
{
    struct cc_buf d = {0};
    bool pen = false;
    double last_y = 0;
    for (size_t i = 0; i < one->n; i++) {
        bool shown = isfinite(one->x[i]) && isfinite(one->y[i]) && !(x->log && one->x[i] <= 0) &&
                     !(y->log && one->y[i] <= 0);
        if (!shown) {
            pen = false;
            continue;
        }
        double px = place(x, one->x[i]), py = place(y, one->y[i]);
        if (one->style == CC_SERIES_POINTS) {
            cc_svg_circle(s, px, py, 2.5, color, NULL);
            continue;
        }
        if (one->style == CC_SERIES_STEP && pen)
            cc_buf_printf(&d, "L%.2f %.2f", px, last_y);
        if (one->style == CC_SERIES_AREA && !pen)
            cc_buf_printf(&d, "M%.2f %.2fL%.2f %.2f", px, y->at0, px, py);
        else
            cc_buf_printf(&d, "%c%.2f %.2f", pen ? 'L' : 'M', px, py);
        pen = true;
        last_y = py;
    }
    if (d.n && one->style == CC_SERIES_AREA)
        cc_buf_printf(&d, "L%.2f %.2fZ", place(x, one->x[one->n - 1]), y->at0);
    if (d.n && one->style == CC_SERIES_DASHED) {
        cc_buf_puts(&s->buf, "<g stroke-dasharray=\"6 4\">");
        cc_svg_path(s, d.s, "none", color, 2, false, one->name);
        cc_buf_puts(&s->buf, "</g>\n");
    } else if (d.n) {
        cc_svg_path(s, d.s, one->style == CC_SERIES_AREA ? color : "none", color, 2, false, one->name);
    }
    cc_buf_fini(&d);
}

void cc_chart_xy(const struct cc_xy_chart *c, struct cc_buf *out)
{
    struct axis x = {INFINITY, -INFINITY, c->x_log, LEFT, WIDTH - RIGHT};
    struct axis y = {INFINITY, -INFINITY, c->y_log, HEIGHT - BOTTOM, TOP};
    for (size_t i = 0; i < c->nseries; i++) {
        axis_fit(&x, c->series[i].x, c->series[i].n);
        axis_fit(&y, c->series[i].y, c->series[i].n);
    }
    axis_settle(&x, false);
    axis_settle(&y, c->y_from_zero);
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, HEIGHT, c->title);
    draw_title(&s, c->title);
    for (size_t i = 0; i < c->nbands; i++) {
        double from = place(&x, fmax(c->bands[i].from, x.lo)), to = place(&x, fmin(c->bands[i].to, x.hi));
        if (to >= from)
            cc_svg_rect(&s, (struct cc_box){from, y.at1, fmax(to - from, 0.5), y.at0 - y.at1}, "#f6d8d8",
                        "none", NULL);
    }
    draw_axes(&s, &x, &y, c->x_label, c->y_label);
    struct legend names = {TOP + 8};
    for (size_t i = 0; i < c->nseries; i++) {
        const char *color = c->series[i].color ? c->series[i].color : cc_svg_color(i);
        draw_series(&s, &c->series[i], &x, &y, color);
        if (c->series[i].name)
            legend(&s, &names, c->series[i].name, c->series[i].style, color);
    }
    cc_svg_end(&s);
    *out = s.buf;
}

static const char *stack_color(const struct cc_stack_chart *c, size_t part)
{
    return c->colors ? c->colors[part] : cc_svg_color(part);
}

static void draw_stack_scale(struct cc_svg *s, const struct axis *x, const struct axis *y)
{
    double ticks[MAX_TICKS];
    size_t n = cc_chart_ticks(y->lo, y->hi, false, ticks, MAX_TICKS);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        tick_text(ticks[i], text);
        cc_svg_line(s, x->at0, place(y, ticks[i]), x->at1, place(y, ticks[i]), "#dddddd", 1);
        cc_svg_text(s, x->at0 - 6, place(y, ticks[i]) + 4, CC_SVG_END, 12, text);
    }
}

static void draw_stack_bar(struct cc_svg *s, const struct cc_stack_chart *c, size_t b, double px,
                           double width, const struct axis *y)
{
    double at = 0;
    for (size_t p = 0; p < c->nparts; p++) {
        double v = c->values[b * c->nparts + p];
        if (!(v > 0))
            continue;
        char tip[256];
        snprintf(tip, sizeof tip, "%s: %s %.6g", c->bars[b], c->parts[p], v);
        double top = place(y, at + v);
        cc_svg_rect(s, (struct cc_box){px, top, width, place(y, at) - top}, stack_color(c, p), "none", tip);
        at += v;
    }
    cc_svg_text(s, px + width / 2, y->at0 + 16, CC_SVG_MIDDLE, 12, c->bars[b]);
}

/* Names of neighbouring bars under a line as wide as they are. */
static void draw_groups(struct cc_svg *s, const struct cc_stack_chart *c, double left, double slot, double y)
{
    for (size_t g = 0; c->groups && g < c->ngroups; g++) {
        double from = left + slot * (double)(g * (c->group + 1)), width = slot * (double)c->group;
        double letters = fmin((double)strlen(c->groups[g]) * 11 * 0.58, width);
        cc_svg_line(s, from + slot * 0.1, y, from + width - slot * 0.1, y, "#333333", 1);
        cc_svg_text_fit(s, from + (width - letters) / 2, y + 13, width, 11, c->groups[g]);
    }
}

void cc_chart_stack(const struct cc_stack_chart *c, struct cc_buf *out)
{
    struct axis y = {0, 0, false, HEIGHT - BOTTOM, TOP}, x = {0, 1, false, LEFT, WIDTH - RIGHT};
    for (size_t b = 0; b < c->nbars; b++) {
        double sum = 0;
        for (size_t p = 0; p < c->nparts; p++)
            sum += c->values[b * c->nparts + p];
        y.hi = fmax(y.hi, sum);
    }
    axis_settle(&y, true);
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, HEIGHT, c->title);
    draw_title(&s, c->title);
    draw_stack_scale(&s, &x, &y);
    double slot = (x.at1 - x.at0) / (double)CC_MAX(c->nbars, (size_t)1);
    for (size_t b = 0; b < c->nbars; b++)
        draw_stack_bar(&s, c, b, x.at0 + slot * ((double)b + 0.15), slot * 0.7, &y);
    cc_svg_line(&s, x.at0, y.at0, x.at1, y.at0, "#333333", 1);
    draw_groups(&s, c, x.at0, slot, y.at0 + 21);
    if (c->x_label)
        cc_svg_text(&s, (x.at0 + x.at1) / 2, HEIGHT - 8, CC_SVG_MIDDLE, 13, c->x_label);
    if (c->y_label)
        cc_svg_text(&s, 8, TOP - 12, CC_SVG_START, 13, c->y_label);
    struct legend names = {TOP + 8};
    for (size_t p = c->nparts; p-- > 0;) /* the last part is the topmost */
        legend(&s, &names, c->parts[p], CC_SERIES_AREA, stack_color(c, p));
    cc_svg_end(&s);
    *out = s.buf;
}

void cc_chart_heat(const struct cc_heat_chart *c, struct cc_buf *out)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < c->nx * c->ny; i++) {
        if (isfinite(c->values[i]) && !(c->log && c->values[i] <= 0)) {
            lo = fmin(lo, c->values[i]);
            hi = fmax(hi, c->values[i]);
        }
    }
    struct axis scale = {lo, hi, c->log, 0, 1};
    axis_settle(&scale, false);
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, HEIGHT, c->title);
    draw_title(&s, c->title);
    double w = (WIDTH - LEFT - RIGHT) / (double)CC_MAX(c->nx, (size_t)1);
    double h = (HEIGHT - TOP - BOTTOM) / (double)CC_MAX(c->ny, (size_t)1);
    for (size_t y = 0; y < c->ny; y++) {
        for (size_t x = 0; x < c->nx; x++) {
            double v = c->values[y * c->nx + x];
            if (!isfinite(v))
                continue;
            char color[8], tip[128];
            snprintf(tip, sizeof tip, "(%g, %g): %.6g", c->xs[x], c->ys[y], v);
            bool mark = x == c->mark_x && y == c->mark_y;
            cc_svg_rect(&s,
                        (struct cc_box){LEFT + w * (double)x, HEIGHT - BOTTOM - h * (double)(y + 1), w + 0.3,
                                        h + 0.3},
                        cc_svg_heat(place(&scale, v), color), mark ? "#ee6677" : "none", tip);
        }
    }
    if (c->mark_x < c->nx && c->mark_y < c->ny)
        cc_svg_circle(&s, LEFT + w * ((double)c->mark_x + 0.5),
                      HEIGHT - BOTTOM - h * ((double)c->mark_y + 0.5), 4, "#ee6677", "best");
    for (size_t i = 0; i < 6 && c->nx && c->ny; i++) {
        char text[24];
        size_t x = i * (c->nx - 1) / 5, y = i * (c->ny - 1) / 5;
        tick_text(c->xs[x], text);
        cc_svg_text(&s, LEFT + w * ((double)x + 0.5), HEIGHT - BOTTOM + 17, CC_SVG_MIDDLE, 12, text);
        tick_text(c->ys[y], text);
        cc_svg_text(&s, LEFT - 6, HEIGHT - BOTTOM - h * ((double)y + 0.5) + 4, CC_SVG_END, 12, text);
    }
    cc_svg_text(&s, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 14, CC_SVG_MIDDLE, 13, c->x_label);
    cc_svg_text(&s, 8, TOP - 12, CC_SVG_START, 13, c->y_label);
    struct legend names = {TOP + 8};
    for (size_t i = 0; i <= 4; i++) {
        char color[8], text[24];
        double t = (double)i / 4,
               v = c->log ? scale.lo * pow(scale.hi / scale.lo, t) : scale.lo + t * (scale.hi - scale.lo);
        tick_text(v, text);
        legend(&s, &names, text, CC_SERIES_AREA, cc_svg_heat(t, color));
    }
    cc_svg_end(&s);
    *out = s.buf;
}

static const char *gantt_color(const struct cc_gantt_chart *c, size_t i)
{
    return c->colors && i < c->nlegend ? c->colors[i] : cc_svg_color(i);
}

void cc_chart_gantt(const struct cc_gantt_chart *c, struct cc_buf *out)
{
    double row = 26, rows = TOP + row * (double)c->nrows + BOTTOM;
    double height = fmax(rows, TOP + 18 * (double)c->nlegend + 20); /* the legend may be taller */
    struct axis x = {INFINITY, -INFINITY, false, 110, WIDTH - RIGHT};
    struct axis y = {0, (double)CC_MAX(c->nrows, (size_t)1), false, TOP + row * (double)c->nrows, TOP};
    for (size_t i = 0; i < c->nbars; i++) {
        x.lo = fmin(x.lo, c->bars[i].start);
        x.hi = fmax(x.hi, c->bars[i].end);
    }
    axis_settle(&x, true);
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, height, c->title);
    draw_title(&s, c->title);
    double ticks[MAX_TICKS];
    size_t n = cc_chart_ticks(x.lo, x.hi, false, ticks, MAX_TICKS);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        tick_text(ticks[i], text);
        cc_svg_line(&s, place(&x, ticks[i]), y.at1, place(&x, ticks[i]), y.at0, "#dddddd", 1);
        cc_svg_text(&s, place(&x, ticks[i]), y.at0 + 17, CC_SVG_MIDDLE, 12, text);
    }
    for (size_t r = 0; r < c->nrows; r++)
        cc_svg_text_fit(&s, 8, TOP + row * (double)r + 17, 98, 12, c->rows[r]);
    for (size_t i = 0; i < c->nbars; i++) {
        const struct cc_gantt_bar *b = &c->bars[i];
        char tip[256];
        snprintf(tip, sizeof tip, "%s: %.6g to %.6g", b->label ? b->label : "", b->start, b->end);
        double from = place(&x, b->start), width = fmax(place(&x, b->end) - from, 0.2);
        double top = TOP + row * (double)b->row + 3;
        cc_svg_rect(&s, (struct cc_box){from, top, width, row - 6}, gantt_color(c, b->color),
                    width > 3 ? "#ffffff" : "none", tip);
        s.on_fill = true;
        if (b->label)
            cc_svg_text_fit(&s, from + 3, top + 14, width - 5, 11, b->label);
        s.on_fill = false;
    }
    if (c->x_label)
        cc_svg_text(&s, (x.at0 + x.at1) / 2, y.at0 + 38, CC_SVG_MIDDLE, 13, c->x_label);
    struct legend names = {TOP + 8};
    for (size_t i = 0; i < c->nlegend; i++)
        legend(&s, &names, c->legend[i], CC_SERIES_AREA, gantt_color(c, i));
    cc_svg_end(&s);
    *out = s.buf;
}
