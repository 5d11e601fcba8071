/* corecast mine scaling */
#include "mine.h"
#include "../output.h"
#include "../../analysis/scaling/scaling.h"
#include "../../../trace/traceio.h"
#include "../../base/table.h"
#include "../../draw/chart.h"

#include <inttypes.h>
#include <math.h>

static const char *const class_names[] = {"code", "data", "wait"};

static void item_json(struct cc_json *j, const struct cc_scaling_item *i, size_t platforms)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "kind", class_names[i->class]);
    cc_json_str(j, "function", i->function);
    cc_json_str(j, "file", i->file);
    if (i->line)
        cc_json_u64(j, "line", i->line);
    else
        cc_json_null(j, "line");
    cc_json_arr(j, "lines");
    cc_json_u64(j, NULL, i->line);
    cc_json_u64(j, NULL, i->line_to);
    cc_json_end(j);
    cc_json_str(j, "object", i->object);
    cc_mine_address_json(j, "from", i->from);
    cc_mine_address_json(j, "to", i->to);
    cc_json_u64(j, "addresses", i->addresses);
    cc_json_arr(j, "time");
    for (size_t p = 0; p < platforms; p++)
        cc_json_num(j, NULL, i->time[p]);
    cc_json_end(j);
    cc_json_end(j);
}

static void pair_json(struct cc_json *j, const char *key, double x, double y)
{
    cc_json_arr(j, key);
    cc_json_num(j, NULL, x);
    cc_json_num(j, NULL, y);
    cc_json_end(j);
}

static void print_json(const struct cc_scaling *s, const struct cc_strs *files, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.scaling", 1);
    cc_json_u64(&j, "minimum_platforms", s->min_platforms);
    cc_json_bool(&j, "performance_loss", s->loss);
    cc_json_arr(&j, "platforms");
    for (size_t p = 0; p < s->nplatforms; p++) {
        const struct cc_scaling_platform *x = &s->platforms[p];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "trace", files->v[s->order[p]]);
        cc_json_u64(&j, "cores", x->cores);
        cc_json_u64(&j, "events", x->events);
        cc_json_u64(&j, "cycles", x->cycles);
        cc_json_u64(&j, "addresses", x->addresses);
        cc_json_u64(&j, "hot", x->hot);
        cc_json_u64(&j, "normal", x->normal);
        pair_json(&j, "centroid_hot", x->hot_time, x->hot_accesses);
        pair_json(&j, "centroid_normal", x->normal_time, x->normal_accesses);
        cc_json_num(&j, "growth", x->growth);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_arr(&j, "hotspots");
    for (size_t i = 0; i < s->nhotspots; i++) {
        const struct cc_scaling_hotspot *h = &s->hotspots[i];
        cc_json_obj(&j, NULL);
        cc_json_num(&j, "support", (double)h->support / (double)s->nplatforms);
        cc_json_arr(&j, "platforms");
        for (size_t p = 0; p < h->support; p++)
            cc_json_u64(&j, NULL, s->platforms[h->platforms[p]].cores);
        cc_json_end(&j);
        cc_json_num(&j, "growth", h->growth);
        cc_json_arr(&j, "time");
        for (size_t p = 0; p < s->nplatforms; p++)
            cc_json_num(&j, NULL, h->time[p]);
        cc_json_end(&j);
        cc_json_arr(&j, "items");
        for (size_t k = 0; k < h->nitems; k++)
            item_json(&j, &h->items[k], s->nplatforms);
        cc_json_end(&j);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_end(&j);
}

static const struct cc_col platform_columns[] = {
    {"cores", "cores", CC_COL_INT},
    {"cycles", "cycles", CC_COL_COUNT},
    {"addresses", "addresses", CC_COL_INT},
    {"hot", "hot", CC_COL_INT},
    {"time", "time of a hot one", CC_COL_PERCENT, .digits = 3},
    {"accesses", "accesses of a hot one", CC_COL_PERCENT, .digits = 3},
    {"growth", "growth", CC_COL_NUM, .digits = 2},
    {"trace", "trace", CC_COL_STR},
};

static const struct cc_col spot_columns[] = {
    {"what", "hot spot", CC_COL_STR, .tree = true},
    {"line", "line", CC_COL_STR},
    {"kind", "kind", CC_COL_STR},
    {"range", "addresses", CC_COL_STR},
    {"time", "share of the time", CC_COL_STR},
    {"growth", "growth", CC_COL_STR},
};

static void shares_text(struct cc_buf *b, const double *time, size_t n)
{
    b->n = 0;
    for (size_t p = 0; p < n; p++)
        cc_buf_printf(b, "%s%.1f", p ? " -> " : "", 100 * time[p]);
    cc_buf_puts(b, " %");
}

static void spot_rows(const struct cc_scaling *s, size_t n, struct cc_table *t)
{
    const struct cc_scaling_hotspot *h = &s->hotspots[n];
    struct cc_buf b = {0};
    cc_buf_printf(&b, "hot spot %zu, on ", n + 1);
    for (size_t p = 0; p < h->support; p++)
        cc_buf_printf(&b, "%s%u", p ? ", " : "", s->platforms[h->platforms[p]].cores);
    cc_buf_puts(&b, " cores");
    size_t row = cc_table_row(t);
    cc_table_str(t, b.s);
    for (int i = 0; i < 3; i++)
        cc_table_null(t);
    shares_text(&b, h->time, s->nplatforms);
    cc_table_str(t, b.s);
    b.n = 0;
    if (isfinite(h->growth))
        cc_buf_printf(&b, "x %.2f", h->growth);
    else
        cc_buf_puts(&b, "new");
    cc_table_str(t, b.s);
    for (size_t i = 0; i < h->nitems; i++) {
        const struct cc_scaling_item *x = &h->items[i];
        const char *slash = x->file ? strrchr(x->file, '/') : NULL;
        cc_table_row_under(t, row);
        b.n = 0;
        cc_buf_puts(&b, x->function ? x->function : "?");
        if (x->object)
            cc_buf_printf(&b, ": %s", x->object);
        cc_table_str(t, b.s);
        b.n = 0;
        cc_buf_add(&b, "", 0);
        if (x->file && x->line)
            cc_buf_printf(&b, x->line != x->line_to ? "%s:%" PRIu32 "-" : "%s:%" PRIu32,
                          slash ? slash + 1 : x->file, x->line);
        if (x->file && x->line && x->line != x->line_to)
            cc_buf_printf(&b, "%" PRIu32, x->line_to);
        cc_table_str(t, b.s);
        cc_table_str(t, class_names[x->class]);
        b.n = 0;
        cc_buf_printf(&b, "[0x%" PRIx64 ",0x%" PRIx64 "] %zu", x->from, x->to, x->addresses);
        cc_table_str(t, b.s);
        shares_text(&b, x->time, s->nplatforms);
        cc_table_str(t, b.s);
    }
    cc_buf_fini(&b);
}

static void print_text(const struct cc_scaling *s, const struct cc_strs *files, FILE *out)
{
    struct cc_table *t = cc_table_new(platform_columns, CC_COUNT(platform_columns));
    for (size_t p = 0; p < s->nplatforms; p++) {
        const struct cc_scaling_platform *x = &s->platforms[p];
        cc_table_row(t);
        cc_table_int(t, x->cores);
        cc_table_int(t, (int64_t)x->cycles);
        cc_table_int(t, (int64_t)x->addresses);
        cc_table_int(t, (int64_t)x->hot);
        cc_table_num(t, x->hot_time);
        cc_table_num(t, x->hot_accesses);
        cc_table_num(t, x->growth);
        cc_table_str(t, files->v[s->order[p]]);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
    fprintf(out, "\n%s\n",
            s->loss ? "the hot addresses take more time and more accesses as cores are added: the program "
                      "loses performance"
                    : "the hot addresses do not take both more time and more accesses as cores are added");
    if (!s->nhotspots)
        fprintf(
            out,
            "no set of hot addresses on at least %zu platforms takes more of the time as cores are added\n",
            s->min_platforms);
    else
        fputc('\n', out);
    t = cc_table_new(spot_columns, CC_COUNT(spot_columns));
    for (size_t i = 0; i < s->nhotspots; i++)
        spot_rows(s, i, t);
    cc_table_print_text(t, out);
    cc_table_free(t);
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

static int show(const struct cc_mine_options *o, const struct cc_scaling *s, const struct cc_strs *files,
                struct cc_err *err)
{
    struct cc_outfile out = {0};
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    (o->common.json ? print_json : print_text)(s, files, out.f);
    rc = cc_outfile_commit(&out, err);
    if (rc == 0 && o->svg)
        rc = draw_clusters(s, o->svg, err);
    if (rc == 0 && o->svg_growth)
        rc = draw_growth(s, o->svg_growth, err);
    return rc;
}

int cc_mine_scaling(const struct cc_mine_options *o, const struct cc_strs *files, struct cc_err *err)
{
    struct cc_scaling_options how = {.top = o->top ? (size_t)o->top : 10, .threads = (unsigned)o->threads};
    struct cc_scaling *s = NULL;
    if (files->n < 2 || files->n > 64)
        return cc_err_set(err, CC_EUSAGE,
                          "expected 'mine scaling TRACE TRACE…', 2 to 64 traces of one program");
    int rc = cc_mine_percent(o->support, 0.5, &how.support, err);
    struct cc_trace_reader **traces = cc_alloc_array(files->n, sizeof *traces);
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        rc = cc_traceio_open(files->v[i], &traces[i], err);
    if (rc == 0)
        rc = cc_scaling_mine(traces, files->n, &how, &s, err);
    if (rc == 0)
        rc = show(o, s, files, err);
    for (size_t i = 0; i < files->n; i++) {
        if (rc == 0)
            cc_mine_note_partial(o, files->v[i], traces[i]);
        cc_trace_close(traces[i]);
    }
    cc_scaling_free(s);
    free(traces);
    return rc;
}
