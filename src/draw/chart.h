/* Charts that several commands draw: lines and points over axes, stacked bars, heat maps, Gantt charts. Each
 * renders into a finished SVG document in `out` (cc_buf_fini it after use). Strings and arrays are borrowed.
 */
#ifndef CC_DRAW_CHART_H
#define CC_DRAW_CHART_H

#include "svg.h"

enum cc_series_style { CC_SERIES_LINE, CC_SERIES_DASHED, CC_SERIES_POINTS, CC_SERIES_STEP, CC_SERIES_AREA };

struct cc_series {
    const char *name;
    enum cc_series_style style;
    const double *x, *y;
    size_t n;
    const char *color; /* NULL: from the palette */
};

/* A shaded stretch of the x axis, a contention window say. */
struct cc_band {
    double from, to;
};

struct cc_xy_chart {
    const char *title, *x_label, *y_label;
    bool x_log, y_log;
    bool y_from_zero;
    const struct cc_series *series;
    size_t nseries;
    const struct cc_band *bands;
    size_t nbands;
};
void cc_chart_xy(const struct cc_xy_chart *c, struct cc_buf *out);

struct cc_stack_chart {
    const char *title, *x_label, *y_label;
    const char *const *bars; /* labels under the bars */
    size_t nbars;
    const char *const *parts; /* names in the legend */
    size_t nparts;
    const double *values;      /* [bar * nparts + part], not negative */
    const char *const *colors; /* of the parts; NULL: from the palette */
    const char *const *groups; /* names under neighbouring bars, `group` of them each; NULL: none */
    size_t ngroups, group;
};
void cc_chart_stack(const struct cc_stack_chart *c, struct cc_buf *out);

struct cc_heat_chart {
    const char *title, *x_label, *y_label;
    const double *xs, *ys; /* the cells' coordinates, for the axis labels */
    size_t nx, ny;
    const double *values; /* [y * nx + x]; NAN: no value */
    bool log;
    size_t mark_x, mark_y; /* cell with a ring round it; SIZE_MAX: none */
};
void cc_chart_heat(const struct cc_heat_chart *c, struct cc_buf *out);

struct cc_gantt_bar {
    size_t row;
    double start, end;
    const char *label;
    size_t color; /* palette index */
};

struct cc_gantt_chart {
    const char *title, *x_label;
    const char *const *rows;
    size_t nrows;
    const struct cc_gantt_bar *bars;
    size_t nbars;
    const char *const *legend; /* name of palette colour i; may be NULL */
    size_t nlegend;
    const char *const *colors; /* in place of the palette; NULL: none */
};
void cc_chart_gantt(const struct cc_gantt_chart *c, struct cc_buf *out);

/* Round steps for an axis from lo to hi: at most `cap` values, returns how many. */
size_t cc_chart_ticks(double lo, double hi, bool log, double *ticks, size_t cap);

#endif
