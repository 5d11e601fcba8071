#include "view.h"
#include "../../analysis/locality/locality.h"
#include "../../draw/chart.h"

static const struct cc_col miss_cols[] = {
    {"size", NULL, CC_COL_BYTES, .meaning = "of a fully associative cache that keeps the lines used last"},
    {"misses", NULL, CC_COL_COUNT},
};

/* Text shows a few sizes; data has them all. */
static const uint64_t shown[] = {16 << 10, 32 << 10, 256 << 10, 1 << 20, 8 << 20};

static const struct cc_col cols[] = {
    {"name", "function", CC_COL_STR},
    {"lines_touched", "lines", CC_COL_COUNT, .meaning = "distinct"},
    {NULL, "working set", CC_COL_BYTES},
    {"touches", "accesses", CC_COL_COUNT, .meaning = "one for each line that is touched"},
    {NULL, "16 KiB", CC_COL_PERCENT, 2},
    {NULL, "32 KiB", CC_COL_PERCENT, 2},
    {NULL, "256 KiB", CC_COL_PERCENT, 2},
    {NULL, "1 MiB", CC_COL_PERCENT, 2},
    {NULL, "8 MiB", CC_COL_PERCENT, 2},
    {"misses", NULL, CC_COL_TABLE, .sub = miss_cols, .nsub = CC_COUNT(miss_cols)},
};

static double miss_share(const struct cc_locality_curves *c, const struct cc_locality_curve *x, uint64_t size)
{
    size_t j = 0;
    while (j + 1 < c->nsizes && c->sizes[j] < size)
        j++;
    return x->touches ? (double)x->misses[j] / (double)x->touches : 0;
}

static void put_row(struct cc_table *t, const struct cc_locality_curves *c, const struct cc_locality_curve *x,
                    const char *name)
{
    cc_table_row(t);
    cc_table_str(t, name);
    cc_table_u64(t, x->lines);
    cc_table_num(t, (double)x->lines * CC_LOCALITY_LINE);
    cc_table_u64(t, x->touches);
    for (size_t i = 0; i < CC_COUNT(shown); i++)
        cc_table_num(t, miss_share(c, x, shown[i]));
    struct cc_table *misses = cc_table_sub(t);
    for (size_t j = 0; j < c->nsizes; j++) {
        cc_table_row(misses);
        cc_table_u64(misses, c->sizes[j]);
        cc_table_u64(misses, x->misses[j]);
    }
}

static void build(const struct cc_profile *p, const struct cc_locality_curves *c, struct cc_result *r)
{
    cc_view_caveats(p, r);
    cc_result_note(r, "percentages: accesses that miss in a fully associative cache of that size with "
                      "lines of 64 bytes");
    if (c->sampled > 1)
        cc_result_note(r, "estimated from one line in %u: the run touches more than can be followed",
                       c->sampled);
    cc_result_u64(r, "line_size", CC_LOCALITY_LINE);
    cc_result_u64(r, "sampled", c->sampled);
    struct cc_table *t = cc_result_table(r, "functions", cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->n; i++)
        put_row(t, c, &c->rows[i], p->functions[c->rows[i].function].name);
    if (c->hidden)
        cc_result_note(r, "%zu more functions miss less", c->hidden);
}

static void draw(const struct cc_profile *p, const struct cc_locality_curves *c, struct cc_buf *svg)
{
    enum { CURVES = 8, FIRST = 7 }; /* FIRST: 1 KiB */
    struct cc_series series[CURVES];
    double x[CC_LOCALITY_SIZES], y[CURVES][CC_LOCALITY_SIZES];
    size_t n = CC_MIN(c->n, (size_t)CURVES), points = c->nsizes - FIRST;
    for (size_t j = 0; j < points; j++)
        x[j] = (double)c->sizes[FIRST + j] / 1024;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < points; j++)
            y[i][j] = (double)c->rows[i].misses[FIRST + j];
        series[i] = (struct cc_series){.name = p->functions[c->rows[i].function].name,
                                       .style = CC_SERIES_STEP,
                                       .x = x,
                                       .y = y[i],
                                       .n = points};
    }
    cc_chart_xy(&(struct cc_xy_chart){.title = "Misses over cache size",
                                      .x_label = "cache, KiB",
                                      .y_label = "misses",
                                      .x_log = true,
                                      .y_from_zero = true,
                                      .series = series,
                                      .nseries = n},
                svg);
}

int cc_view_locality(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.005);
    struct cc_locality_curves *c;
    int rc = cc_locality_curves(rq->p, &filter, &c, err);
    if (rc < 0)
        return rc;
    build(rq->p, c, r);
    if (rq->svg)
        draw(rq->p, c, rq->svg);
    cc_locality_curves_free(c);
    return 0;
}
