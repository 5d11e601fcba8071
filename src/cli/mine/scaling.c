/* corecast mine scaling */
#include "mine.h"
#include "stacks.h"
#include "../output.h"
#include "../../analysis/scaling/scaling.h"
#include "../../../trace/trace.h"
#include "../../draw/chart.h"

#include <inttypes.h>
#include <math.h>

static const char *const class_names[] = {"code", "data", "wait"};

/* --- the result --- */

static const struct cc_col platform_columns[] = {
    {"cores", "cores", CC_COL_INT},
    {"events", NULL, CC_COL_INT},
    {"cycles", "cycles", CC_COL_COUNT},
    {"addresses", "addresses", CC_COL_INT},
    {"hot", "hot", CC_COL_INT},
    {"normal", NULL, CC_COL_INT},
    {"centroid_hot", NULL, CC_COL_LIST},
    {NULL, "time of a hot one", CC_COL_PERCENT, .digits = 3},
    {NULL, "accesses of a hot one", CC_COL_PERCENT, .digits = 3},
    {"centroid_normal", NULL, CC_COL_LIST},
    {"growth", "growth", CC_COL_NUM, .digits = 2},
    {"trace", "trace", CC_COL_STR},
};

static const struct cc_col item_columns[] = {
    {"function", "hot spot", CC_COL_STR}, {"file", "line", CC_COL_STR},
    {"line", NULL, CC_COL_INT},           {"lines", NULL, CC_COL_LIST},
    {"kind", "kind", CC_COL_STR},         {"object", "addresses", CC_COL_STR},
    {"from", NULL, CC_COL_STR},           {"to", NULL, CC_COL_STR},
    {"addresses", NULL, CC_COL_INT},      {"time", "share of the time", CC_COL_LIST},
};

static const struct cc_col spot_columns[] = {
    {NULL, "hot spot", CC_COL_STR, .tree = true},
    {NULL, "line", CC_COL_STR}, /* of the items, like the next two */
    {NULL, "kind", CC_COL_STR},
    {NULL, "addresses", CC_COL_STR},
    {"support", NULL, CC_COL_PERCENT},
    {"platforms", NULL, CC_COL_LIST},
    {"time", "share of the time", CC_COL_LIST},
    {"growth", "growth", CC_COL_NUM, .digits = 2},
    {"items", NULL, CC_COL_TABLE, .under = true, .sub = item_columns, .nsub = CC_COUNT(item_columns)},
};

static void put_pair(struct cc_table *t, double x, double y)
{
    cc_table_list(t);
    cc_table_num(t, x);
    cc_table_num(t, y);
    cc_table_end(t);
}

static void put_platform(struct cc_table *t, const struct cc_scaling_platform *x, const char *trace)
{
    cc_table_row(t);
    cc_table_u64(t, x->cores);
    cc_table_u64(t, x->events);
    cc_table_u64(t, x->cycles);
    cc_table_u64(t, x->addresses);
    cc_table_u64(t, x->hot);
    cc_table_u64(t, x->normal);
    put_pair(t, x->hot_time, x->hot_accesses);
    cc_table_num(t, x->hot_time);
    cc_table_num(t, x->hot_accesses);
    put_pair(t, x->normal_time, x->normal_accesses);
    cc_table_num(t, x->growth);
    cc_table_str(t, trace);
}

/* JSON: [0.1, 0.2]; text: "10.0 -> 20.0 %". */
static void put_shares(struct cc_table *t, const double *time, size_t n)
{
    struct cc_buf b = {0};
    cc_table_list(t);
    for (size_t p = 0; p < n; p++) {
        cc_table_num(t, time[p]);
        cc_buf_printf(&b, "%s%.1f", p ? " -> " : "", 100 * time[p]);
    }
    cc_table_end(t);
    cc_table_show(t, "%s %%", b.s);
    cc_buf_fini(&b);
}

static void put_item(struct cc_table *t, const struct cc_scaling_item *x, size_t platforms)
{
    const char *base = cc_text_base(x->file);
    const char *function = x->function ? x->function : "?";
    cc_table_row(t);
    cc_table_str(t, x->function);
    if (x->object)
        cc_table_show(t, "%s: %s", function, x->object);
    else
        cc_table_show(t, "%s", function);
    cc_table_str(t, x->file);
    if (!x->file || !x->line)
        cc_table_show(t, "%s", "");
    else if (x->line != x->line_to)
        cc_table_show(t, "%s:%" PRIu32 "-%" PRIu32, base, x->line, x->line_to);
    else
        cc_table_show(t, "%s:%" PRIu32, base, x->line);
    cc_table_u64_if(t, x->line, x->line);
    cc_mine_pair(t, x->line, x->line_to);
    cc_table_str(t, class_names[x->class]);
    cc_table_str(t, x->object);
    cc_table_show(t, "[0x%" PRIx64 ",0x%" PRIx64 "] %zu", x->from, x->to, x->addresses);
    cc_mine_address(t, x->from);
    cc_mine_address(t, x->to);
    cc_table_u64(t, x->addresses);
    put_shares(t, x->time, platforms);
}

static void put_hotspot(struct cc_table *t, const struct cc_scaling *s, size_t n)
{
    const struct cc_scaling_hotspot *h = &s->hotspots[n];
    struct cc_buf on = {0};
    for (size_t p = 0; p < h->support; p++)
        cc_buf_printf(&on, "%s%u", p ? ", " : "", s->platforms[h->platforms[p]].cores);
    cc_table_row(t);
    cc_table_str(t, NULL);
    cc_table_show(t, "hot spot %zu, on %s cores", n + 1, on.s);
    cc_buf_fini(&on);
    for (int i = 0; i < 3; i++)
        cc_table_null(t);
    cc_table_num(t, (double)h->support / (double)s->nplatforms);
    cc_table_list(t);
    for (size_t p = 0; p < h->support; p++)
        cc_table_u64(t, s->platforms[h->platforms[p]].cores);
    cc_table_end(t);
    put_shares(t, h->time, s->nplatforms);
    cc_table_num(t, h->growth);
    if (isfinite(h->growth))
        cc_table_show(t, "x %.2f", h->growth);
    else
        cc_table_show(t, "new");
    struct cc_table *items = cc_table_sub(t);
    for (size_t k = 0; k < h->nitems; k++)
        put_item(items, &h->items[k], s->nplatforms);
}

static struct cc_result *build(const struct cc_scaling *s, const struct cc_stacks *stacks,
                               const struct cc_strs *files)
{
    struct cc_result *r = cc_result_new("corecast.scaling", 2);
    cc_mine_add_verdict(r, stacks);
    cc_result_u64(r, "minimum_platforms", s->min_platforms);
    cc_result_bool(r, "performance_loss", s->loss);
    struct cc_table *t = cc_result_table(r, "platforms", platform_columns, CC_COUNT(platform_columns));
    for (size_t p = 0; p < s->nplatforms; p++)
        put_platform(t, &s->platforms[p], files->v[s->order[p]]);
    cc_mine_add_stack_tables(r, stacks);
    cc_result_note(r, "%s",
                   s->loss ? "the hot addresses take more time and more accesses as cores are added: the "
                             "program loses performance"
                           : "the hot addresses do not take both more time and more accesses as cores are "
                             "added");
    if (!s->nhotspots)
        cc_result_note(r,
                       "no set of hot addresses on at least %zu platforms takes more of the time as cores "
                       "are added",
                       s->min_platforms);
    t = cc_result_table(r, "hotspots", spot_columns, CC_COUNT(spot_columns));
    for (size_t i = 0; i < s->nhotspots; i++)
        put_hotspot(t, s, i);
    return r;
}

/* Hot addresses of each platform in its own colour, all the others in grey. */
static int draw_clusters(const struct cc_scaling *s, const char *path, struct cc_err *err)
{
    size_t n = s->nplatforms, *counts = cc_alloc_array(n + 1, sizeof *counts);
    double *x = cc_alloc_array((n + 1) * n * CC_SCALING_POINTS, sizeof *x),
           *y = cc_alloc_array((n + 1) * n * CC_SCALING_POINTS, sizeof *y);
    char(*names)[32] = cc_alloc_array(n + 1, sizeof *names);
    struct cc_series *series = cc_alloc_array(n + 1, sizeof *series);
    for (size_t p = 0; p < n; p++) {
        for (size_t i = 0; i < s->platforms[p].npoints; i++) {
            const struct cc_scaling_point *q = &s->platforms[p].points[i];
            size_t k = q->hot ? p + 1 : 0;
            x[k * n * CC_SCALING_POINTS + counts[k]] = 100 * q->accesses;
            y[k * n * CC_SCALING_POINTS + counts[k]++] = 100 * q->time;
        }
        snprintf(names[p + 1], sizeof names[p + 1], "hot, %u core%s", s->platforms[p].cores,
                 s->platforms[p].cores == 1 ? "" : "s");
    }
    snprintf(names[0], sizeof names[0], "normal");
    for (size_t k = 0; k <= n; k++)
        series[k] = (struct cc_series){.name = names[k],
                                       .style = CC_SERIES_POINTS,
                                       .x = x + k * n * CC_SCALING_POINTS,
                                       .y = y + k * n * CC_SCALING_POINTS,
                                       .n = counts[k],
                                       .color = k ? cc_svg_color(k - 1) : "#999999"};
    struct cc_xy_chart chart = {.title = "Addresses by share of accesses and of time",
                                .x_label = "share of the accesses (%)",
                                .y_label = "share of the time (%)",
                                .y_from_zero = true,
                                .series = series,
                                .nseries = n + 1};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(path, &svg, err);
    cc_buf_fini(&svg);
    free(series);
    free(names);
    free(counts);
    free(x);
    free(y);
    return rc;
}

static int draw_growth(const struct cc_scaling *s, const char *path, struct cc_err *err)
{
    size_t n = s->nplatforms;
    double *x = cc_alloc_array(n, sizeof *x), *y = cc_alloc_array(n, sizeof *y);
    for (size_t p = 0; p < n; p++) {
        x[p] = s->platforms[p].cores;
        y[p] = s->platforms[p].growth;
    }
    struct cc_series series[] = {{.name = "growth rate", .style = CC_SERIES_LINE, .x = x, .y = y, .n = n},
                                 {.name = "platforms", .style = CC_SERIES_POINTS, .x = x, .y = y, .n = n}};
    struct cc_xy_chart chart = {.title = "Growth rate of the hot cluster",
                                .x_label = "cores",
                                .y_label = "growth",
                                .y_from_zero = true,
                                .series = series,
                                .nseries = 2};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(path, &svg, err);
    cc_buf_fini(&svg);
    free(x);
    free(y);
    return rc;
}

static int show(const struct cc_mine_options *o, const struct cc_scaling *s, const struct cc_stacks *stacks,
                const struct cc_strs *files, struct cc_err *err)
{
    struct cc_result *r = build(s, stacks, files);
    if (o->kept) {
        *o->kept = r;
        return 0;
    }
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    if (rc == 0 && o->svg_clusters)
        rc = draw_clusters(s, o->svg_clusters, err);
    if (rc == 0 && o->svg_growth)
        rc = draw_growth(s, o->svg_growth, err);
    if (rc == 0 && o->svg_stack)
        rc = cc_mine_draw_stacks(stacks, o->svg_stack, err);
    return rc;
}

/* Each trace is read twice: for the addresses and for the stacks. Of several processes each is only a part:
 * then nothing is shown. */
static void watch(const struct cc_mine_options *o, struct cc_progress *progress,
                  struct cc_trace_reader *const *traces, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct cc_trace_summary sum;
        cc_trace_summary(traces[i], &sum);
        cc_count_expect(&progress->count, 2 * sum.events);
        cc_trace_count(traces[i], &progress->count);
    }
    cc_output_progress(&o->common, progress);
}

/* Of several processes the first tells. */
static int mine(const struct cc_mine_options *o, const struct cc_strs *files, const struct cc_ranks *ranks,
                struct cc_err *err)
{
    struct cc_scaling_options how = {.top = o->top ? (size_t)o->top : 10,
                                     .support = CC_GIVEN(o, platforms) ? o->platforms : 0.5,
                                     .threads = (unsigned)o->threads,
                                     .ranks = ranks};
    struct cc_progress progress = {.what = "mining", .unit = "events"};
    struct cc_scaling *s = NULL;
    bool tells = cc_ranks_own(ranks) == 0;
    int rc = 0;
    struct cc_trace_reader **traces = cc_alloc_array(files->n, sizeof *traces);
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        rc = cc_trace_open(files->v[i], &traces[i], err);
    rc = cc_ranks_agree(ranks, rc, err);
    if (rc == 0 && !ranks)
        watch(o, &progress, traces, files->n);
    if (rc == 0)
        rc = cc_scaling_mine(traces, files->n, &how, &s, err);
    struct cc_stacks *stacks = rc == 0 && tells ? cc_stacks_of(traces, files->n) : NULL;
    cc_progress_end(&progress);
    if (rc == 0 && tells)
        rc = show(o, s, stacks, files, err);
    cc_stacks_free(stacks);
    for (size_t i = 0; i < files->n; i++) {
        if (rc == 0 && tells)
            cc_mine_note_partial(o, files->v[i], traces[i]);
        cc_trace_close(traces[i]);
    }
    cc_scaling_free(s);
    free(traces);
    return rc;
}

int cc_mine_scaling(void *options, const struct cc_strs *files, struct cc_err *err)
{
    const struct cc_mine_options *o = options;
    struct cc_ranks *ranks = NULL;
    if (files->n < 2 || files->n > 64)
        return cc_err_set(err, CC_EUSAGE,
                          "expected 'mine scaling TRACE TRACE…', 2 to 64 traces of one program");
    int rc = cc_ranks_open(&ranks, err);
    if (rc < 0)
        return rc;
    if (ranks) { /* mpirun gives us a terminal that nobody sits at */
        setenv("CORECAST_PAGER", "", 1);
        setenv("NO_COLOR", "1", 1);
    }
    rc = mine(o, files, ranks, err);
    cc_ranks_close(ranks);
    return rc;
}

int cc_mine_scaling_of(const struct cc_strs *traces, struct cc_result **ret, struct cc_err *err)
{
    struct cc_mine_options o = {.common = {.quiet = true}, .kept = ret};
    return cc_mine_scaling(&o, traces, err);
}
