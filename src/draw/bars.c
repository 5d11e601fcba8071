#include "bars.h"

#include <math.h>

enum { WIDTH = 860, NAMES = 250, VALUES = 70, TOP = 64, ROW = 34, MAX_BARS = 200 };

void cc_draw_bars(const char *title, const char *const legend[2], const struct cc_bar *bars, size_t n,
                  struct cc_buf *out)
{
    n = CC_MIN(n, (size_t)MAX_BARS);
    double most = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            if (isfinite(bars[i].value[k]))
                most = fmax(most, bars[i].value[k]);
    double room = WIDTH - NAMES - VALUES - 16;
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, TOP + ROW * (double)n + 16, title);
    cc_svg_text(&s, 16, 24, CC_SVG_START, 16, title);
    for (int k = 0; k < 2; k++) {
        cc_svg_rect(&s, (struct cc_box){NAMES + 170 * k, 36, 12, 12}, cc_svg_color((size_t)k), "none", NULL);
        cc_svg_text(&s, NAMES + 170 * k + 17, 46, CC_SVG_START, 12, legend[k]);
    }
    for (size_t i = 0; i < n; i++) {
        double y = TOP + ROW * (double)i;
        cc_svg_text_fit(&s, 16, y + 17, NAMES - 26, 12, bars[i].name);
        for (int k = 0; k < 2; k++) {
            double v = bars[i].value[k];
            double w = isfinite(v) ? (most > 0 ? room * v / most : 0) : room;
            CC_CLEANUP(cc_free_ptr)
            char *tip = cc_asprintf("%s: %s %s", bars[i].name, legend[k], bars[i].text[k]);
            cc_svg_rect(&s, (struct cc_box){NAMES, y + 2 + 13 * k, fmax(w, 0.5), 12}, cc_svg_color((size_t)k),
                        "none", tip);
            cc_svg_text(&s, NAMES + w + 5, y + 12 + 13 * k, CC_SVG_START, 11, bars[i].text[k]);
        }
    }
    cc_svg_end(&s);
    *out = s.buf;
}
