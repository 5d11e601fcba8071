/* Horizontal bars with names: two values a row. */
#ifndef CC_DRAW_BARS_H
#define CC_DRAW_BARS_H

#include "svg.h"

struct cc_bar {
    const char *name;
    double value[2]; /* not negative; not finite: drawn to the edge */
    char text[2][24];
};

void cc_draw_bars(const char *title, const char *const legend[2], const struct cc_bar *bars, size_t n,
                  struct cc_buf *out);

#endif
