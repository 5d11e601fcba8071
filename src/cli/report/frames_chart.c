#include "frames_chart.h"
#include "../../draw/chart.h"

#include <math.h>

enum {
    WIDTH = 980,
    LEFT = 84,
    RIGHT = 190,
    TOP = 60,
    RUN = 240,  /* height of the run lengths */
    FLOW = 120, /* of one stream: what is read above its axis, what is written for later below */
    GAP = 54,
    MAX_COLUMNS = 500,
    MAX_PARTS = 7, /* regions with a colour of their own */
    MAX_STREAMS = 6
};

struct drawing {
    struct cc_svg s;
    const struct cc_frames *f;
    size_t from, count;  /* frames drawn: what ran before the first mark may dwarf them all, and is
                            not; nor is a last one that stands for many */
    size_t columns, per; /* frames in a column: their mean is drawn */
    double slot;         /* width of a column */
};

static double frames_in(const struct drawing *d, size_t column)
{
    return (double)(CC_MIN((column + 1) * d->per, d->count) - column * d->per);
}

static size_t column_of(const struct drawing *d, size_t frame)
{
    return (frame - d->from) / d->per;
}

static double x_of(const struct drawing *d, double frame)
{
    return LEFT + d->slot * (frame - (double)d->from) / (double)d->per;
}

static void column_name(const struct drawing *d, size_t column, char *out, size_t size)
{
    if (d->per == 1)
        snprintf(out, size, "frame %zu", d->from + column);
    else
        snprintf(out, size, "frames %zu to %zu", d->from + column * d->per,
                 d->from + CC_MIN((column + 1) * d->per, d->count) - 1);
}

/* Where the amounts of a panel are drawn: upwards from the pixel row `zero` (scale > 0) or downwards. */
struct panel {
    double zero, scale;
    bool bytes;
};

/* A piece of a column, from `at` to `at + value`. */
struct piece {
    double at, value;
    const char *color, *what;
};

static void draw_piece(struct drawing *d, const struct panel *p, size_t column, const struct piece *x)
{
    char name[64], amount[24];
    double left = LEFT + d->slot * (double)column,
           w = d->slot > 3 ? d->slot * 0.86 : d->slot + 0.3; /* no seams */
    double from = p->zero - p->scale * x->at, to = p->zero - p->scale * (x->at + x->value);
    if (!(fabs(from - to) > 0.02))
        return;
    column_name(d, column, name, sizeof name);
    if (p->bytes)
        cc_human_bytes(x->value, amount);
    else
        cc_human_count(x->value, amount);
    CC_CLEANUP(cc_free_ptr) char *tip = cc_asprintf("%s: %s %s", name, x->what, amount);
    cc_svg_rect(&d->s, (struct cc_box){left, fmin(from, to), w, fabs(from - to)}, x->color, "none", tip);
}

/* Ticks from `zero` up (sign 1) or down (-1) to `most`. */
static void draw_scale(struct drawing *d, double zero, double scale, double most, int sign, bool bytes)
{
    double ticks[8], unit = 1;
    while (bytes && most / unit >= 1024)
        unit *= 1024;
    size_t n = most > 0 ? cc_chart_ticks(0, most / unit, false, ticks, CC_COUNT(ticks)) : 0;
    size_t every = scale * most < 110 && n > 4 ? 3 : 1; /* low panels have room for few */
    for (size_t i = 0; i < n; i += every) {
        char text[24];
        double v = ticks[i] * unit, y = zero - sign * scale * v;
        if (v > most * 1.001 || (sign < 0 && i == 0))
            continue;
        cc_svg_line(&d->s, LEFT, y, WIDTH - RIGHT, y, "#dddddd", 1);
        cc_svg_text(&d->s, LEFT - 6, y + 4, CC_SVG_END, 10,
                    bytes ? cc_human_bytes(v, text) : cc_human_count(v, text));
    }
}

static void draw_axis(struct drawing *d, double zero)
{
    double ticks[16];
    size_t n = cc_chart_ticks(0, (double)CC_MAX(d->f->nframes, (size_t)2) - 1, false, ticks, CC_COUNT(ticks));
    cc_svg_line(&d->s, LEFT, zero, WIDTH - RIGHT, zero, "#333333", 1);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        if (ticks[i] != floor(ticks[i]) || ticks[i] < (double)d->from ||
            ticks[i] >= (double)(d->from + d->count))
            continue;
        snprintf(text, sizeof text, "%.0f", ticks[i]);
        cc_svg_text(&d->s, x_of(d, ticks[i]) + d->slot / (double)d->per / 2, zero + 13, CC_SVG_MIDDLE, 10,
                    text);
    }
}

static void draw_key(struct drawing *d, double y, const char *color, const char *name)
{
    cc_svg_rect(&d->s, (struct cc_box){WIDTH - RIGHT + 14, y - 10, 12, 12}, color, "none", NULL);
    cc_svg_text_fit(&d->s, WIDTH - RIGHT + 31, y, RIGHT - 40, 11, name);
}

/* --- run lengths --- */

static void draw_runs(struct drawing *d)
{
    const struct cc_frames *f = d->f;
    size_t parts = CC_MIN(f->nregions, (size_t)MAX_PARTS), stride = parts + 1;
    CC_CLEANUP(cc_free_ptr) double *values = cc_alloc_array(d->columns * stride, sizeof *values);
    CC_CLEANUP(cc_free_ptr) double *sums = cc_alloc_array(d->columns, sizeof *sums);
    double most = 0, zero = TOP + RUN;
    for (size_t i = d->from; i < d->from + d->count; i++) {
        for (size_t k = f->first[i]; k < f->first[i + 1]; k++) {
            size_t at = 0, c = column_of(d, i);
            while (at < parts && f->regions[at].region != f->parts[k]->region)
                at++;
            double v = (double)f->parts[k]->instructions / frames_in(d, c);
            values[c * stride + at] += v;
            sums[c] += v;
            most = fmax(most, sums[c]);
        }
    }
    double scale = most > 0 ? RUN / most : 0;
    struct panel panel = {zero, scale, false};
    draw_scale(d, zero, scale, most, 1, false);
    for (size_t c = 0; c < d->columns; c++) {
        double at = 0;
        for (size_t k = 0; k < stride; k++) {
            double v = values[c * stride + k];
            draw_piece(d, &panel, c,
                       &(struct piece){at, v, k < parts ? cc_svg_color(k) : "#999999",
                                       k < parts ? f->regions[k].name : "other regions"});
            at += v;
        }
    }
    draw_axis(d, zero);
    for (size_t k = 0; k < parts; k++)
        draw_key(d, TOP + 12 + 18 * (double)k, cc_svg_color(k), f->regions[k].name);
    if (f->nregions > parts)
        draw_key(d, TOP + 12 + 18 * (double)parts, "#999999", "other regions");
}

/* --- streams --- */

static const char *const use_colors[] = {"#004488", "#6699cc", "#ddaa33"};
static const char *const use_names[] = {"read in the frame it was written", "read from earlier frames",
                                        "written for later frames"};

static void draw_stream(struct drawing *d, const struct cc_frame_stream *s, double top)
{
    CC_CLEANUP(cc_free_ptr) double *values = cc_alloc_array(d->columns * 3, sizeof *values);
    double up = 0, down = 0;
    for (size_t i = 0; i < s->nuses; i++) {
        const struct cc_frame_use *u = &s->uses[i];
        if (u->frame < d->from || u->frame >= d->from + d->count)
            continue;
        double *v = &values[column_of(d, u->frame) * 3], n = frames_in(d, column_of(d, u->frame));
        v[0] += (double)u->intra / n;
        v[1] += (double)u->earlier / n;
        v[2] += (double)u->later / n;
        up = fmax(up, v[0] + v[1]);
        down = fmax(down, v[2]);
    }
    /* Each direction has its own scale: a frame may write for all that follow. */
    double room = down <= 0 ? FLOW : up <= 0 ? 0 : FLOW * 0.6, zero = top + room;
    double above = up > 0 ? room / up : 0, below = down > 0 ? (FLOW - room) / down : 0;
    struct panel reads = {zero, above, true}, writes = {zero, -below, true};
    draw_scale(d, zero, above, up, 1, true);
    draw_scale(d, zero, below, down, -1, true);
    for (size_t c = 0; c < d->columns; c++) {
        const double *v = &values[c * 3];
        draw_piece(d, &reads, c, &(struct piece){0, v[0], use_colors[0], use_names[0]});
        draw_piece(d, &reads, c, &(struct piece){v[0], v[1], use_colors[1], use_names[1]});
        draw_piece(d, &writes, c, &(struct piece){0, v[2], use_colors[2], use_names[2]});
    }
    cc_svg_line(&d->s, LEFT, zero, WIDTH - RIGHT, zero, "#333333", 1);
    char bytes[24];
    CC_CLEANUP(cc_free_ptr) char *title = cc_asprintf("%s to %s", s->from, s->to);
    cc_svg_text_fit(&d->s, LEFT, top - 8, WIDTH - RIGHT - LEFT, 12, title);
    cc_svg_text(&d->s, WIDTH - RIGHT + 14, top + 12, CC_SVG_START, 11,
                cc_human_bytes((double)s->bytes, bytes));
    cc_svg_text(&d->s, WIDTH - RIGHT + 14, top + 28, CC_SVG_START, 11, "read in all");
}

static bool has_uses(const struct drawing *d, const struct cc_frame_stream *s)
{
    for (size_t i = 0; i < s->nuses; i++)
        if (s->uses[i].frame >= d->from && s->uses[i].frame < d->from + d->count)
            return true;
    return false;
}

void cc_draw_frames(const struct cc_frames *f, struct cc_buf *out)
{
    struct drawing d = {.f = f, .from = f->nframes > 1};
    const struct cc_frame_stream *streams[MAX_STREAMS];
    size_t n = 0;
    d.count = f->nframes - d.from - (f->cut && f->nframes > 2);
    for (size_t i = 0; i < f->nstreams && n < MAX_STREAMS; i++)
        if (!f->streams[i].self && has_uses(&d, &f->streams[i]))
            streams[n++] = &f->streams[i];
    d.per = (d.count + MAX_COLUMNS - 1) / MAX_COLUMNS;
    d.columns = (d.count + d.per - 1) / d.per;
    d.slot = (double)(WIDTH - LEFT - RIGHT) / ((double)d.count / (double)d.per);
    double flows = TOP + RUN + GAP + (n ? 30 : 0);
    cc_svg_begin(&d.s, WIDTH, flows + (FLOW + 30) * (double)n + 10, "Frames");
    cc_svg_text(&d.s, 16, 24, CC_SVG_START, 16, "Instructions in each frame, by region");
    char note[80] = "";
    if (d.per > 1)
        snprintf(note, sizeof note, "each column: the mean of %zu frames", d.per);
    cc_svg_text(&d.s, WIDTH - RIGHT, 24, CC_SVG_END, 11, note);
    draw_runs(&d);
    if (n) {
        char title[64];
        snprintf(title, sizeof title, "Data between %ss, by frame", cc_level_names[f->by]);
        cc_svg_text(&d.s, 16, flows - 42, CC_SVG_START, 16, title);
        for (size_t k = 0; k < 3; k++) {
            double x = 330 + 215 * (double)k;
            cc_svg_rect(&d.s, (struct cc_box){x, flows - 53, 12, 12}, use_colors[k], "none", NULL);
            cc_svg_text(&d.s, x + 17, flows - 43, CC_SVG_START, 11, use_names[k]);
        }
    }
    for (size_t i = 0; i < n; i++)
        draw_stream(&d, streams[i], flows + (FLOW + 30) * (double)i);
    cc_svg_end(&d.s);
    *out = d.s.buf;
}
