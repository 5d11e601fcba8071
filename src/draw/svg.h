/* Drawing primitives of a standalone SVG. All text is escaped here. Colours follow one palette. Ground, text
 * and lines turn dark where the page around the drawing is dark. */
#ifndef CC_DRAW_SVG_H
#define CC_DRAW_SVG_H

#include "../base/text.h"

struct cc_svg {
    struct cc_buf buf;
    bool on_fill; /* text that follows stands on a coloured shape, and is dark on dark pages too */
};

enum cc_svg_anchor { CC_SVG_START, CC_SVG_MIDDLE, CC_SVG_END };

void cc_svg_begin(struct cc_svg *s, double width, double height, const char *title);
void cc_svg_end(struct cc_svg *s); /* s->buf now holds the document; cc_buf_fini it after use */
struct cc_box {
    double x, y, w, h;
};
/* `tip` is shown when the pointer rests on the shape; NULL: none. `fill` and `stroke` are CSS colours or
 * "none". */
void cc_svg_rect(struct cc_svg *s, struct cc_box box, const char *fill, const char *stroke, const char *tip);
void cc_svg_circle(struct cc_svg *s, double x, double y, double r, const char *fill, const char *tip);
void cc_svg_line(struct cc_svg *s, double x1, double y1, double x2, double y2, const char *stroke,
                 double width);
/* A path in SVG syntax; arrow: a head at its end. */
void cc_svg_path(struct cc_svg *s, const char *d, const char *fill, const char *stroke, double width,
                 bool arrow, const char *tip);
void cc_svg_text(struct cc_svg *s, double x, double y, enum cc_svg_anchor anchor, double size,
                 const char *text);
/* Cut to about `width` pixels, with an ellipsis in place of what tells least, the middle: names that begin
 * alike mostly end differently. Nothing if not even three letters fit. */
void cc_svg_text_fit(struct cc_svg *s, double x, double y, double width, double size, const char *text);

/* Eight colours that stay apart for colour-blind readers, repeated beyond. */
const char *cc_svg_color(size_t i);
/* 0..1 -> light to dark. */
char *cc_svg_heat(double v, char out[static 8]);

#endif
