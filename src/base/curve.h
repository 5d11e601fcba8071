/* A measured curve: points with rising x and straight lines between them. Before the first point it is flat,
 * beyond the last its last stretch goes on. */
#ifndef CC_BASE_CURVE_H
#define CC_BASE_CURVE_H

#include "arena.h"
#include "err.h"

struct cc_curve {
    size_t n; /* 0: there is none */
    double *x, *y;
    double *spread; /* of y; NULL: not known */
};

/* What a curve is of: the words for messages and the least and largest values. */
struct cc_curve_kind {
    const char *x, *y;
    double min_x, max_x, min_y, max_y;
};

/* "X:Y X:Y …", blanks or commas between; `path` and `line` are where the text stands. The points lie in the
 * arena. */
int cc_curve_parse(const struct cc_curve_kind *kind, const char *text, const char *path, unsigned line,
                   struct cc_arena *a, struct cc_curve *ret, struct cc_err *err);
/* A file with "X Y" a line; '#' and ';' begin comments. */
int cc_curve_load(const struct cc_curve_kind *kind, const char *path, struct cc_arena *a,
                  struct cc_curve *ret, struct cc_err *err);
/* `spreads` times the spread is added. */
double cc_curve_at(const struct cc_curve *c, double x, double spreads);

#endif
