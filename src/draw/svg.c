#include "svg.h"

/* Colours that a style sheet inside changes: it outranks the attributes they are written in. */
static const char dark[] = "<style>@media (prefers-color-scheme: dark) { text:not([fill]) { fill: #e3e6e9 } "
                           "[fill=\"#ffffff\"] { fill: #16191c } [stroke=\"#ffffff\"] { stroke: #16191c } "
                           "[fill=\"#f4f4f4\"], [fill=\"#f6f6f6\"] { fill: #23282d } "
                           "[stroke=\"#333333\"], [stroke=\"#555555\"] { stroke: #aeb6be } "
                           "[stroke=\"#dddddd\"], [stroke=\"#eeeeee\"] { stroke: #3a4149 } }</style>\n";

void cc_svg_begin(struct cc_svg *s, double width, double height, const char *title)
{
    memset(s, 0, sizeof *s);
    cc_buf_printf(&s->buf,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                  "width=\"%.0f\" "
                  "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n<title>",
                  width, height, width, height);
    cc_text_xml(&s->buf, title);
    cc_buf_puts(
        &s->buf,
        "</title>\n<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" "
        "markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" "
        "fill=\"context-stroke\"/></marker></defs>\n");
    cc_buf_puts(&s->buf, dark);
    cc_svg_rect(s, (struct cc_box){0, 0, width, height}, "#ffffff", "none", NULL);
}

void cc_svg_end(struct cc_svg *s)
{
    cc_buf_puts(&s->buf, "</svg>\n");
}

static void finish(struct cc_svg *s, const char *element, const char *tip)
{
    if (!tip) {
        cc_buf_puts(&s->buf, "/>\n");
        return;
    }
    cc_buf_puts(&s->buf, "><title>");
    cc_text_xml(&s->buf, tip);
    cc_buf_printf(&s->buf, "</title></%s>\n", element);
}

void cc_svg_rect(struct cc_svg *s, struct cc_box box, const char *fill, const char *stroke, const char *tip)
{
    cc_buf_printf(&s->buf,
                  "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" stroke=\"%s\"",
                  box.x, box.y, box.w, box.h, fill, stroke);
    finish(s, "rect", tip);
}

void cc_svg_circle(struct cc_svg *s, double x, double y, double r, const char *fill, const char *tip)
{
    cc_buf_printf(&s->buf, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"", x, y, r, fill);
    finish(s, "circle", tip);
}

void cc_svg_line(struct cc_svg *s, double x1, double y1, double x2, double y2, const char *stroke,
                 double width)
{
    cc_buf_printf(
        &s->buf,
        "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n", x1,
        y1, x2, y2, stroke, width);
}

void cc_svg_path(struct cc_svg *s, const char *d, const char *fill, const char *stroke, double width,
                 bool arrow, const char *tip)
{
    cc_buf_printf(&s->buf, "<path fill=\"%s\" stroke=\"%s\" stroke-width=\"%.2f\"%s d=\"", fill, stroke,
                  width, arrow ? " marker-end=\"url(#head)\"" : "");
    cc_buf_puts(&s->buf, d);
    cc_buf_puts(&s->buf, "\"");
    finish(s, "path", tip);
}

void cc_svg_text(struct cc_svg *s, double x, double y, enum cc_svg_anchor anchor, double size,
                 const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    cc_buf_printf(&s->buf, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\"%s>", x, y, size,
                  anchors[anchor], s->on_fill ? " fill=\"#16191c\"" : "");
    cc_text_xml(&s->buf, text);
    cc_buf_puts(&s->buf, "</text>\n");
}

static size_t letters_in(const char *text)
{
    size_t n = 0;
    for (const char *p = text; *p; n++) {
        size_t step = cc_utf8_length(p);
        p += step ? step : 1;
    }
    return n;
}

/* Where the letter `n` begins. */
static const char *letter_at(const char *text, size_t n)
{
    for (; *text && n; n--) {
        size_t step = cc_utf8_length(text);
        text += step ? step : 1;
    }
    return text;
}

void cc_svg_text_fit(struct cc_svg *s, double x, double y, double width, double size, const char *text)
{
    double letter = size * 0.58; /* mean advance of a sans-serif face */
    size_t room = width > 0 ? (size_t)(width / letter) : 0, all = letters_in(text);
    if (all <= room) {
        cc_svg_text(s, x, y, CC_SVG_START, size, text);
    } else if (room >= 4) {
        size_t tail = (room - 1) / 2, head = room - 1 - tail;
        CC_CLEANUP(cc_free_ptr)
        char *cut =
            cc_asprintf("%.*s…%s", (int)(letter_at(text, head) - text), text, letter_at(text, all - tail));
        cc_svg_text(s, x, y, CC_SVG_START, size, cut);
    }
}

const char *cc_svg_color(size_t i)
{
    static const char *const palette[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377",
                                          "#bbbbbb", "#ee8866", "#44aa99", "#8877cc", "#997700", "#dd77aa",
                                          "#777777", "#99bb55", "#994455", "#5599dd"};
    return palette[i % CC_COUNT(palette)];
}

char *cc_svg_heat(double v, char out[static 8])
{
    v = v < 0 ? 0 : v > 1 ? 1 : v;
    snprintf(out, 8, "#%02x%02x%02x", (unsigned)(255 - 187 * v), (unsigned)(247 - 190 * v),
             (unsigned)(236 - 116 * v));
    return out;
}
