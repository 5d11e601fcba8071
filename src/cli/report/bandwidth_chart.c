#include "bandwidth_chart.h"
#include "../../draw/chart.h"

#include <math.h>

enum {
    WIDTH = 960,
    NAMES = 190,
    RIGHT = 90,
    TOP = 66,
    ROW = 22,
    PHASES = 26,
    MAX_ROWS = 40,
    MAX_COLUMNS = 360
};

struct drawing {
    struct cc_svg s;
    const struct cc_profile *p;
    const struct cc_bandwidth *b;
    size_t rows, columns;
    uint32_t per_column; /* slices */
    double width;        /* of all columns */
    double most;         /* bytes an instruction of the busiest cell */
    double *values;      /* [row * columns + column] */
};

char *cc_phase_kind_name(uint32_t kind, char out[static 16])
{
    if (kind < 26)
        snprintf(out, 16, "%c", 'A' + (int)kind);
    else
        snprintf(out, 16, "%c%u", 'A' + (int)(kind % 26), kind / 26);
    return out;
}

static double x_of(const struct drawing *d, double slice)
{
    return NAMES + d->width * slice / (double)d->b->nslices;
}

static void fill(struct drawing *d, enum cc_traffic traffic, enum cc_stack_part stack)
{
    const struct cc_bandwidth *b = d->b;
    for (size_t r = 0; r < d->rows; r++) {
        const struct cc_bandwidth_function *f = &b->functions[r];
        for (size_t i = 0; i < f->nitems; i++)
            d->values[r * d->columns + f->items[i].slice / d->per_column] +=
                (double)cc_bandwidth_bytes(&f->items[i], traffic, stack);
        for (size_t c = 0; c < d->columns; c++) {
            uint64_t first = (uint64_t)c * d->per_column,
                     end = CC_MIN(first + d->per_column, (uint64_t)b->nslices);
            double length = (double)(end - first) * (double)b->length;
            if (end == b->nslices)
                length -= (double)(b->length - b->last_length);
            double *v = &d->values[r * d->columns + c];
            *v /= length;
            d->most = fmax(d->most, *v);
        }
    }
}

static void draw_rows(struct drawing *d)
{
    double cell = (double)d->per_column;
    for (size_t r = 0; r < d->rows; r++) {
        const char *name = d->p->functions[d->b->functions[r].function].name;
        double y = TOP + ROW * (double)r;
        cc_svg_text_fit(&d->s, 16, y + 15, NAMES - 26, 12, name);
        cc_svg_rect(&d->s, (struct cc_box){NAMES, y, d->width, ROW - 2}, "#f6f6f6", "none", NULL);
        for (size_t c = 0; c < d->columns; c++) {
            double v = d->values[r * d->columns + c];
            if (v <= 0)
                continue;
            char color[8];
            double x = floor(x_of(d, (double)c * cell)),
                   end = floor(
                       fmin(x_of(d, (double)(c + 1) * cell), NAMES + d->width)); /* whole pixels: no seams */
            CC_CLEANUP(cc_free_ptr)
            char *tip = cc_asprintf("%s, slice %u: %.3g bytes an instruction", name,
                                    (unsigned)(c * d->per_column), v);
            cc_svg_rect(&d->s, (struct cc_box){x, y, end - x, ROW - 2},
                        cc_svg_heat(0.12 + 0.88 * v / d->most, color), "none", tip);
        }
    }
}

static void draw_axis(struct drawing *d, double y)
{
    double ticks[12], all = (double)d->b->nslices * (double)d->b->length;
    size_t n = cc_chart_ticks(0, all, false, ticks, CC_COUNT(ticks));
    cc_svg_line(&d->s, NAMES, y, NAMES + d->width, y, "#888888", 1);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        if (ticks[i] < 0 || ticks[i] > all)
            continue;
        double x = x_of(d, ticks[i] / (double)d->b->length);
        cc_svg_line(&d->s, x, y, x, y + 4, "#888888", 1);
        cc_svg_text(&d->s, x, y + 16, CC_SVG_MIDDLE, 11, cc_human_count(ticks[i], text));
    }
    cc_svg_text(&d->s, NAMES + d->width / 2, y + 33, CC_SVG_MIDDLE, 12, "instructions");
}

static void draw_phases(struct drawing *d, double y)
{
    cc_svg_text(&d->s, 16, y + 14, CC_SVG_START, 12, "phases");
    for (size_t i = 0; i < d->b->nphases; i++) {
        const struct cc_phase *x = &d->b->phases[i];
        double from = x_of(d, x->first), to = x_of(d, (double)x->last + 1);
        char kind[16], bytes[24];
        cc_phase_kind_name(x->kind, kind);
        const char *name = x->nparts ? d->p->functions[x->parts[0].function].name : "no traffic";
        CC_CLEANUP(cc_free_ptr)
        char *tip =
            cc_asprintf("phase %zu (%s), slices %u to %u: %s%s, %s", i + 1, kind, x->first, x->last, name,
                        x->nparts > 1 ? " and others" : "", cc_human_bytes((double)x->bytes, bytes));
        cc_svg_rect(&d->s, (struct cc_box){from, y, fmax(to - from - 0.5, 0.3), 18},
                    x->nparts ? cc_svg_color(x->kind) : "#eeeeee", "none", tip);
        d->s.on_fill = x->nparts > 0;
        if (x->nparts && to - from > 14)
            cc_svg_text(&d->s, (from + to) / 2, y + 13, CC_SVG_MIDDLE, 11, kind);
    }
    d->s.on_fill = false;
}

static void draw_scale(struct drawing *d)
{
    double x = WIDTH - RIGHT + 14, height = CC_MIN(ROW * (double)CC_MAX(d->rows, (size_t)3), 160.0);
    char text[32], color[8];
    for (int i = 0; i < 20; i++)
        cc_svg_rect(&d->s, (struct cc_box){x, TOP + height * (19 - i) / 20.0, 12, height / 20 + 0.3},
                    cc_svg_heat(0.12 + 0.88 * i / 19.0, color), "none", NULL);
    snprintf(text, sizeof text, "%.3g", d->most);
    cc_svg_text(&d->s, x + 17, TOP + 9, CC_SVG_START, 11, text);
    cc_svg_text(&d->s, x + 17, TOP + height, CC_SVG_START, 11, "0");
    cc_svg_text(&d->s, WIDTH - 16, TOP - 10, CC_SVG_END, 11, "bytes an instruction");
}

void cc_draw_bandwidth(const struct cc_profile *p, const struct cc_bandwidth *b, enum cc_traffic traffic,
                       enum cc_stack_part stack, struct cc_buf *out)
{
    static const char *const what[] = {"read and written", "read", "written"};
    static const char *const where[] = {"", ", beside the stack", ", on the stack"};
    struct drawing d = {
        .p = p, .b = b, .rows = CC_MIN(b->nfunctions, (size_t)MAX_ROWS), .width = WIDTH - NAMES - RIGHT};
    d.per_column = (b->nslices + MAX_COLUMNS - 1) / MAX_COLUMNS;
    d.columns = (b->nslices + d.per_column - 1) / d.per_column;
    d.values = cc_alloc_array(d.rows * d.columns + 1, sizeof *d.values);
    fill(&d, traffic, stack);
    double rows = ROW * (double)CC_MAX(d.rows, (size_t)3);
    CC_CLEANUP(cc_free_ptr) char *title = cc_asprintf("Bytes %s over time%s", what[traffic], where[stack]);
    cc_svg_begin(&d.s, WIDTH, TOP + rows + PHASES + 52, title);
    cc_svg_text(&d.s, 16, 26, CC_SVG_START, 16, title);
    draw_rows(&d);
    draw_phases(&d, TOP + rows + 4);
    draw_axis(&d, TOP + rows + PHASES + 4);
    draw_scale(&d);
    cc_svg_end(&d.s);
    free(d.values);
    *out = d.s.buf;
}
