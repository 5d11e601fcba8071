/* corecast mine contention */
#include "charts.h"
#include "findings.h"
#include "mine.h"
#include "views.h"
#include "../output.h"
#include "../../analysis/contention/contention.h"
#include "../../../trace/stats.h"
#include "../../draw/chart.h"

#include <inttypes.h>
#include <math.h>

static int settings(const struct cc_mine_options *o, struct cc_contention_options *ret, struct cc_err *err)
{
    cc_contention_defaults(ret, o->method == 0 ? CC_CONTENTION_LATENCY : CC_CONTENTION_WINDOWS);
    ret->place = (enum cc_contention_place)o->item;
    ret->bins_in_items = o->bins;
    ret->hits = o->hits;
    ret->threads = (unsigned)o->threads;
    if (o->top)
        ret->top = (size_t)o->top;
    if (CC_GIVEN(o, quantile))
        ret->quantile = o->quantile;
    if (CC_GIVEN(o, min_lost))
        ret->min_lost = o->min_lost;
    if (CC_GIVEN(o, min_cpus))
        ret->min_cpus = (unsigned)o->min_cpus;
    if (o->latency_bin)
        ret->bin = (uint32_t)o->latency_bin;
    if (o->latency_max)
        ret->bin_max = (uint32_t)o->latency_max;
    if (o->window && strcmp(o->window, "auto") != 0 &&
        (!cc_parse_u64(o->window, &ret->window) || ret->window < 2))
        return cc_err_set(err, CC_EUSAGE, "--window wants cycles (2 or more) or auto, got '%s'", o->window);
    if (CC_GIVEN(o, support)) {
        ret->support = o->support;
        ret->explain = 0; /* it is meant as it is */
    }
    if (CC_GIVEN(o, explain))
        ret->explain = o->explain;
    return 0;
}

static enum cc_finding_item findings_item(const struct cc_mine_options *o)
{
    static const enum cc_finding_item items[] = {CC_ITEM_LINE,    CC_ITEM_FUNCTION, CC_ITEM_ADDRESS,
                                                 CC_ITEM_ADDRESS, CC_ITEM_OBJECT,   CC_ITEM_PATH,
                                                 CC_ITEM_LOOP};
    return CC_GIVEN(o, item) ? items[o->item] : CC_ITEM_FAULT;
}

/* --- the result --- */

static const struct cc_col item_columns[] = {
    {"function", "pattern", CC_COL_STR}, {"file", "line", CC_COL_STR},
    {"line", NULL, CC_COL_INT},          {"lines", NULL, CC_COL_LIST},
    {"kind", "kind", CC_COL_STR},        {"object", "addresses", CC_COL_STR},
    {"from", NULL, CC_COL_STR},          {"to", NULL, CC_COL_STR},
    {"pc_from", NULL, CC_COL_STR},       {"pc_to", NULL, CC_COL_STR},
    {"node", NULL, CC_COL_INT},          {"latency", "cycles", CC_COL_LIST},
    {"events", NULL, CC_COL_INT},        {"cycles", NULL, CC_COL_INT},
    {"cpus", "cpus", CC_COL_LIST},       {"share", "contention", CC_COL_PERCENT, .digits = 1},
    {"waiting", NULL, CC_COL_BOOL},
};

static const struct cc_col pattern_columns[] = {
    {NULL, "pattern", CC_COL_STR, .tree = true},
    {NULL, "line", CC_COL_STR}, /* of the items, like the next three */
    {NULL, "kind", CC_COL_STR},
    {NULL, "addresses", CC_COL_STR},
    {NULL, "cycles", CC_COL_STR},
    {"support", NULL, CC_COL_PERCENT},
    {"windows", NULL, CC_COL_INT},
    {"saturated", NULL, CC_COL_INT},
    {"cpus", "cpus", CC_COL_LIST},
    {"share", "contention", CC_COL_PERCENT, .digits = 1},
    {"lost", "cpu time", CC_COL_PERCENT, .digits = 1},
    {"items", NULL, CC_COL_TABLE, .under = true, .sub = item_columns, .nsub = CC_COUNT(item_columns)},
};

static const struct cc_col wait_columns[] = {
    {"how", "waiting", CC_COL_STR},     {"function", "function", CC_COL_STR},
    {"file", "line", CC_COL_STR},       {"line", NULL, CC_COL_INT},
    {"object", "for", CC_COL_STR},      {"address", NULL, CC_COL_STR},
    {"cpus", "cpus", CC_COL_LIST},      {"episodes", "times", CC_COL_COUNT},
    {"cycles", "cycles", CC_COL_COUNT}, {"share", "cpu time", CC_COL_PERCENT, .digits = 1},
};

/* file, line, lines */
static void put_place(struct cc_table *t, const struct cc_contention_item *x)
{
    const char *base = cc_text_base(x->file);
    cc_table_str(t, x->file);
    if (x->file && x->line_from != x->line_to)
        cc_table_show(t, "%s:%" PRIu32 " (%" PRIu32 "-%" PRIu32 ")", base, x->line, x->line_from, x->line_to);
    else if (x->file)
        cc_table_show(t, "%s:%" PRIu32, base, x->line);
    cc_table_u64_if(t, x->line, x->line);
    cc_mine_pair(t, x->line_from, x->line_to);
}

/* object, from, to */
static void put_addresses(struct cc_table *t, const struct cc_contention_item *x)
{
    struct cc_buf b = {0};
    if (x->object)
        cc_buf_printf(&b, "%s ", x->object);
    cc_buf_printf(&b, "[0x%" PRIx64 ",0x%" PRIx64 "]", x->from, x->to);
    if (x->node >= 0)
        cc_buf_printf(&b, " node %d", x->node);
    cc_table_str(t, x->object);
    cc_table_show(t, "%s", b.s);
    cc_mine_address(t, x->from);
    cc_mine_address(t, x->to);
    cc_buf_fini(&b);
}

static void put_item(struct cc_table *t, const struct cc_contention_item *x, uint32_t bin_max)
{
    cc_table_row(t);
    cc_table_str(t, x->function);
    if (!x->function)
        cc_table_show(t, "0x%" PRIx64 "-0x%" PRIx64, x->pc_from, x->pc_to);
    put_place(t, x);
    cc_table_str(t, cc_trace_kind_name(x->kind));
    if (x->waiting)
        cc_table_show(t, "%s (spinning)", cc_trace_kind_name(x->kind));
    put_addresses(t, x);
    cc_mine_address(t, x->pc_from);
    cc_mine_address(t, x->pc_to);
    if (x->node >= 0)
        cc_table_int(t, x->node);
    else
        cc_table_null(t);
    cc_mine_pair(t, x->latency_from, x->latency_to);
    if (x->latency_to > bin_max)
        cc_table_show(t, "%" PRIu32 "+", x->latency_from);
    else
        cc_table_show(t, "%" PRIu32 "-%" PRIu32, x->latency_from, x->latency_to);
    cc_table_u64(t, x->events);
    cc_table_u64(t, x->latency);
    cc_mine_cpus(t, x->cpus, x->ncpus);
    cc_table_num(t, x->share);
    cc_table_bool(t, x->waiting);
}

static void put_pattern(struct cc_table *t, const struct cc_contention *c, size_t n)
{
    const struct cc_contention_pattern *p = &c->patterns[n];
    bool windows = c->options.method == CC_CONTENTION_WINDOWS;
    cc_table_row(t);
    cc_table_str(t, NULL);
    if (windows)
        cc_table_show(t, "pattern %zu: %.0f %% of windows, saturates %" PRIu64, n + 1, 100 * p->support,
                      p->saturated);
    else
        cc_table_show(t, "pattern %zu: %.0f %% of windows", n + 1, 100 * p->support);
    for (int i = 0; i < 4; i++)
        cc_table_null(t);
    cc_table_num(t, p->support);
    cc_table_u64(t, p->windows);
    if (windows)
        cc_table_u64(t, p->saturated);
    else
        cc_table_absent(t);
    cc_mine_cpus(t, p->cpus, p->ncpus);
    cc_table_num(t, p->share);
    cc_table_num(t, p->lost);
    struct cc_table *items = cc_table_sub(t);
    for (size_t k = 0; k < p->nitems; k++)
        put_item(items, &p->items[k], c->options.bin_max);
}

static void put_wait(struct cc_table *t, const struct cc_contention_wait *w)
{
    cc_table_str(t, w->spinning ? "spinning" : "blocked");
    cc_table_str(t, w->function);
    if (!w->function)
        cc_table_show(t, "?");
    cc_table_place(t, w->file, w->line);
    cc_table_str(t, w->object);
    cc_table_show(t, "%s%s0x%" PRIx64, w->object ? w->object : "", w->object ? " " : "", w->address);
    cc_mine_address(t, w->address);
    cc_mine_cpus(t, w->cpus, w->ncpus);
    cc_table_u64(t, w->episodes);
    cc_table_u64(t, w->cycles);
    cc_table_num(t, w->share);
}

static void add_waits(struct cc_result *r, const struct cc_contention *c)
{
    enum { MOST = 10 };
    const double least = 0.0005; /* of the time: below it text would show 0.0 % */
    if (c->nwaits && c->waits[0].share >= least)
        cc_result_note(r, "%.1f %% of all CPU time is waiting", 100 * c->waiting);
    struct cc_table *t = cc_result_table(r, "waits", wait_columns, CC_COUNT(wait_columns));
    bool shown = true;
    for (size_t i = 0; i < c->nwaits; i++) {
        shown &= i < MOST && c->waits[i].share >= least;
        cc_table_row(t);
        cc_table_row_only(t, shown ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        put_wait(t, &c->waits[i]);
    }
}

static void add_figures(struct cc_result *r, const struct cc_contention *c, const char *partial)
{
    cc_result_str(r, "method", c->options.method == CC_CONTENTION_LATENCY ? "latency" : "windows");
    cc_result_str(r, "partial", partial);
    cc_result_u64(r, "cpus", c->cpus);
    cc_result_u64(r, "cycles", c->last - c->first);
    cc_result_u64(r, "events", c->events);
    cc_result_u64(r, "memory_events", c->memory_events);
    cc_result_u64(r, "median", c->median);
    cc_result_u64(r, "q3", c->q3);
    cc_result_u64_if(r, "threshold", c->threshold != UINT32_MAX, c->threshold);
    cc_result_u64(r, "window", c->options.window);
    cc_result_u64(r, "windows", c->windows);
    cc_result_num(r, "coverage", c->coverage);
    cc_result_u64(r, "transactions", c->transactions);
    cc_result_num(r, "minimum_support", c->options.support);
    cc_result_num(r, "explained", c->explained);
    cc_result_u64(r, "closed", c->closed);
    cc_result_num(r, "contention", c->contention);
    cc_result_num(r, "waiting", c->waiting);
    if (c->options.method == CC_CONTENTION_WINDOWS)
        cc_result_num(r, "bound", c->bound);
}

static void add_words(struct cc_result *r, const struct cc_contention *c, const char *partial)
{
    char a[24], b[24];
    if (partial)
        cc_result_note(r, "%s", partial);
    cc_result_note(r,
                   "%u CPUs, %s cycles, %s memory accesses: half take at most %" PRIu32
                   " cycles, a quarter %" PRIu32 " or more",
                   c->cpus, cc_human_count((double)(c->last - c->first), a),
                   cc_human_count((double)c->memory_events, b), c->median, c->q3);
    cc_result_note(
        r, "%s windows of %" PRIu64 " cycles, %.1f %% of the run; contention costs %.1f %% of all CPU time",
        cc_human_count((double)c->windows, a), c->options.window, 100 * c->coverage, 100 * c->contention);
    if (c->every > 1)
        cc_result_note(r, "(patterns are those of one window in %" PRIu64 ": there are too many to keep)",
                       c->every);
    if (c->support_raised)
        cc_result_note(r, "(minimum support was raised to %.0f %% to keep the number of patterns in hand)",
                       100 * c->options.support);
    else if (c->support_lowered)
        cc_result_note(r,
                       "(minimum support was lowered to %.0f %%: more frequent patterns explain too little)",
                       100 * c->options.support);
    if (!c->npatterns)
        cc_result_note(r,
                       "no pattern is in %.0f %% of the windows and costs %.2g %% of the CPU time (a smaller "
                       "--support shows rarer ones)",
                       100 * c->options.support, 100 * c->options.min_lost);
    cc_result_gap(r);
}

static struct cc_result *build(const struct cc_contention *c, const struct cc_findings *f,
                               const char *partial)
{
    struct cc_result *r = cc_result_new("corecast.contention", 2);
    cc_mine_add_findings(r, f);
    add_figures(r, c, partial);
    add_words(r, c, partial);
    struct cc_table *t = cc_result_table(r, "patterns", pattern_columns, CC_COUNT(pattern_columns));
    for (size_t i = 0; i < c->npatterns; i++)
        put_pattern(t, c, i);
    add_waits(r, c);
    cc_mine_add_charts(r, c);
    return r;
}

/* The picture: a strip a CPU, its largest latency in each slice of time, the windows shaded across all
 * strips. */
enum {
    PIC_WIDTH = 900,
    PIC_LEFT = 70,
    PIC_RIGHT = 20,
    PIC_TOP = 46,
    PIC_STRIP = 56,
    PIC_GAP = 8,
    PIC_BOTTOM = 50
};

static void draw_strip(struct cc_svg *s, const struct cc_contention *c, size_t cpu, double top, uint32_t most)
{
    struct cc_buf d = {0};
    double slice = (double)(PIC_WIDTH - PIC_LEFT - PIC_RIGHT) / CC_CONTENTION_SLICES;
    char text[32];
    for (size_t i = 0; i < CC_CONTENTION_SLICES; i++) {
        double height = PIC_STRIP * (double)c->slices[cpu][i] / most;
        if (height > 0)
            cc_buf_printf(&d, "M%.2f %.2fv%.2fh%.2fv%.2fz", PIC_LEFT + slice * (double)i, top + PIC_STRIP,
                          -height, slice, height);
    }
    if (d.n)
        cc_svg_path(s, d.s, cc_svg_color(cpu), "none", 0, false, NULL);
    cc_buf_fini(&d);
    cc_svg_line(s, PIC_LEFT, top + PIC_STRIP, PIC_WIDTH - PIC_RIGHT, top + PIC_STRIP, "#333333", 1);
    snprintf(text, sizeof text, "CPU %zu", cpu);
    cc_svg_text(s, 8, top + PIC_STRIP - 2, CC_SVG_START, 12, text);
    snprintf(text, sizeof text, "%" PRIu32, most);
    cc_svg_text(s, PIC_LEFT - 6, top + 10, CC_SVG_END, 11, text);
}

static int draw(const struct cc_contention *c, const char *path, struct cc_err *err)
{
    struct cc_svg s;
    double height = PIC_TOP + (double)c->nrows * (PIC_STRIP + PIC_GAP) + PIC_BOTTOM,
           plot = PIC_WIDTH - PIC_LEFT - PIC_RIGHT;
    double length = (double)(c->last - c->first) + 1, bottom = height - PIC_BOTTOM, ticks[16];
    uint32_t most = 1;
    char text[24];
    for (size_t cpu = 0; cpu < c->nrows; cpu++)
        for (size_t i = 0; i < CC_CONTENTION_SLICES; i++)
            most = CC_MAX(most, c->slices[cpu][i]);
    cc_svg_begin(&s, PIC_WIDTH, height, "Memory latency over time");
    cc_svg_text(&s, PIC_WIDTH / 2.0, 20, CC_SVG_MIDDLE, 15,
                "Largest memory latency (cycles) over time; contention windows are shaded");
    for (size_t i = 0; i < c->nbands; i++) {
        double from =
            PIC_LEFT + plot * (double)(c->bands[i].from - CC_MIN(c->bands[i].from, c->first)) / length;
        double to =
            PIC_LEFT + plot * fmin((double)(c->bands[i].to - CC_MIN(c->bands[i].to, c->first)) / length, 1);
        cc_svg_rect(&s, (struct cc_box){from, PIC_TOP - 6, fmax(to - from, 0.3), bottom - PIC_TOP + 4},
                    "#f6d9d9", "none", NULL);
    }
    for (size_t cpu = 0; cpu < c->nrows; cpu++)
        draw_strip(&s, c, cpu, PIC_TOP + (double)cpu * (PIC_STRIP + PIC_GAP), most);
    size_t n = cc_chart_ticks((double)c->first, (double)c->first + length, false, ticks, CC_COUNT(ticks));
    for (size_t i = 0; i < n; i++) {
        double x = PIC_LEFT + plot * (ticks[i] - (double)c->first) / length;
        cc_svg_line(&s, x, bottom, x, bottom + 5, "#333333", 1);
        cc_svg_text(&s, x, bottom + 18, CC_SVG_MIDDLE, 11, cc_human_count(fabs(ticks[i]), text));
    }
    cc_svg_text(&s, PIC_LEFT + plot / 2, bottom + 38, CC_SVG_MIDDLE, 13, "cycle");
    cc_svg_end(&s);
    int rc = cc_output_file(path, &s.buf, err);
    cc_buf_fini(&s.buf);
    return rc;
}

/* Two passes for the patterns, one for the findings, and a look at the first events to choose the window. */
static int mine(const struct cc_mine_options *o, const struct cc_contention_options *how,
                struct cc_trace_reader *r, struct cc_contention **c, struct cc_findings **f,
                struct cc_err *err)
{
    struct cc_findings_options wanted = {.item = findings_item(o),
                                         .least = CC_GIVEN(o, min_lost) ? o->min_lost : 0.01,
                                         .top = o->top ? (size_t)o->top : 10};
    struct cc_trace_summary sum;
    struct cc_progress progress = {.what = "mining", .unit = "events"};
    cc_trace_summary(r, &sum);
    cc_count_expect(&progress.count, 3 * sum.events);
    if (!how->window)
        cc_count_expect(&progress.count, CC_MIN(sum.events, (uint64_t)CC_CONTENTION_LOOKED_AT));
    cc_trace_count(r, &progress.count);
    cc_output_progress(&o->common, &progress);
    int rc = cc_contention_mine(r, how, c, err);
    if (rc == 0)
        *f = cc_findings_read(r, &wanted);
    cc_progress_end(&progress);
    cc_trace_count(r, NULL);
    return rc;
}

int cc_mine_contention(void *options, const struct cc_strs *files, struct cc_err *err)
{
    const struct cc_mine_options *o = options;
    struct cc_contention_options how;
    struct cc_trace_reader *r;
    struct cc_contention *c;
    if (files->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected 'mine contention TRACE'");
    int rc = settings(o, &how, err);
    if (rc < 0 || (rc = cc_trace_open(files->v[0], &r, err)) < 0)
        return rc;
    struct cc_findings *f = NULL;
    rc = mine(o, &how, r, &c, &f, err);
    if (rc < 0) {
        cc_err_context(err, "'%s'", files->v[0]);
        cc_trace_close(r);
        return rc;
    }
    CC_CLEANUP(cc_free_ptr) char *partial = cc_trace_partial(r);
    struct cc_result *result = build(c, f, partial);
    if (o->kept) {
        *o->kept = result;
    } else {
        rc = cc_output_result(&o->common, result, err);
        cc_result_free(result);
    }
    if (rc == 0 && o->svg_causes)
        rc = cc_mine_draw_causes(f, o->svg_causes, err);
    if (rc == 0 && o->svg_lines)
        rc = cc_mine_draw_lines(f, o->svg_lines, err);
    cc_findings_free(f);
    if (rc == 0 && o->svg)
        rc = draw(c, o->svg, err);
    if (rc == 0)
        rc = cc_mine_draw_charts(o, c, r, err);
    if (rc == 0)
        cc_mine_note_partial(o, files->v[0], r);
    cc_contention_free(c);
    cc_trace_close(r);
    return rc;
}

int cc_mine_contention_of(const char *trace, struct cc_result **ret, struct cc_err *err)
{
    struct cc_mine_options o = {.common = {.quiet = true}, .kept = ret};
    struct cc_strs files = {.v = &trace, .n = 1};
    return cc_mine_contention(&o, &files, err);
}
