/* corecast mine contention */
#include "mine.h"
#include "../output.h"
#include "../../analysis/contention/contention.h"
#include "../../../trace/traceio.h"
#include "../../base/table.h"
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
    if (o->quantile > 0)
        ret->quantile = o->quantile / 100;
    uint64_t cpus;
    if (o->min_lost) {
        if (!cc_parse_f64(o->min_lost, &ret->min_lost) || ret->min_lost < 0 || ret->min_lost > 100)
            return cc_err_set(err, CC_EUSAGE, "--min-lost wants percent from 0 to 100, got '%s'",
                              o->min_lost);
        ret->min_lost /= 100;
    }
    if (o->min_cpus) {
        if (!cc_parse_u64(o->min_cpus, &cpus) || cpus > CC_TRACE_MAX_CPUS)
            return cc_err_set(err, CC_EUSAGE, "--min-cpus wants a number of CPUs, got '%s'", o->min_cpus);
        ret->min_cpus = (unsigned)cpus;
    }
    if (o->latency_bin)
        ret->bin = (uint32_t)o->latency_bin;
    if (o->latency_max)
        ret->bin_max = (uint32_t)o->latency_max;
    if (o->window && strcmp(o->window, "auto") != 0 &&
        (!cc_parse_u64(o->window, &ret->window) || ret->window < 2))
        return cc_err_set(err, CC_EUSAGE, "--window wants cycles (2 or more) or auto, got '%s'", o->window);
    if (o->explain)
        ret->explain = o->explain / 100;
    else if (o->support)
        ret->explain = 0; /* it is meant as it is */
    return cc_mine_percent(o->support, ret->support, &ret->support, err);
}

static void place_json(struct cc_json *j, const char *function, const char *file, uint32_t line)
{
    cc_json_str(j, "function", function);
    cc_json_str(j, "file", file);
    if (line)
        cc_json_u64(j, "line", line);
    else
        cc_json_null(j, "line");
}

static void item_json(struct cc_json *j, const struct cc_contention_item *i)
{
    cc_json_obj(j, NULL);
    place_json(j, i->function, i->file, i->line);
    cc_json_arr(j, "lines");
    cc_json_u64(j, NULL, i->line_from);
    cc_json_u64(j, NULL, i->line_to);
    cc_json_end(j);
    cc_json_str(j, "kind", cc_trace_kind_name(i->kind));
    cc_json_str(j, "object", i->object);
    cc_mine_address_json(j, "from", i->from);
    cc_mine_address_json(j, "to", i->to);
    cc_mine_address_json(j, "pc_from", i->pc_from);
    cc_mine_address_json(j, "pc_to", i->pc_to);
    if (i->node >= 0)
        cc_json_i64(j, "node", i->node);
    else
        cc_json_null(j, "node");
    cc_json_arr(j, "latency");
    cc_json_u64(j, NULL, i->latency_from);
    cc_json_u64(j, NULL, i->latency_to);
    cc_json_end(j);
    cc_json_u64(j, "events", i->events);
    cc_json_u64(j, "cycles", i->latency);
    cc_json_num(j, "share", i->share);
    cc_json_bool(j, "waiting", i->waiting);
    cc_mine_cpus_json(j, "cpus", i->cpus, i->ncpus);
    cc_json_end(j);
}

static void print_json(const struct cc_contention *c, const char *partial, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.contention", 1);
    cc_json_str(&j, "method", c->options.method == CC_CONTENTION_LATENCY ? "latency" : "windows");
    cc_json_str(&j, "partial", partial);
    cc_json_u64(&j, "cpus", c->cpus);
    cc_json_u64(&j, "cycles", c->last - c->first);
    cc_json_u64(&j, "events", c->events);
    cc_json_u64(&j, "memory_events", c->memory_events);
    cc_json_u64(&j, "median", c->median);
    cc_json_u64(&j, "q3", c->q3);
    if (c->threshold == UINT32_MAX)
        cc_json_null(&j, "threshold");
    else
        cc_json_u64(&j, "threshold", c->threshold);
    cc_json_u64(&j, "window", c->options.window);
    cc_json_u64(&j, "windows", c->windows);
    cc_json_num(&j, "coverage", c->coverage);
    cc_json_u64(&j, "transactions", c->transactions);
    cc_json_num(&j, "minimum_support", c->options.support);
    cc_json_num(&j, "explained", c->explained);
    cc_json_u64(&j, "closed", c->closed);
    cc_json_num(&j, "contention", c->contention);
    cc_json_num(&j, "waiting", c->waiting);
    if (c->options.method == CC_CONTENTION_WINDOWS)
        cc_json_num(&j, "bound", c->bound);
    cc_json_arr(&j, "patterns");
    for (size_t i = 0; i < c->npatterns; i++) {
        const struct cc_contention_pattern *p = &c->patterns[i];
        cc_json_obj(&j, NULL);
        cc_json_num(&j, "support", p->support);
        cc_json_num(&j, "share", p->share);
        cc_json_num(&j, "lost", p->lost);
        cc_json_u64(&j, "windows", p->windows);
        if (c->options.method == CC_CONTENTION_WINDOWS)
            cc_json_u64(&j, "saturated", p->saturated);
        cc_mine_cpus_json(&j, "cpus", p->cpus, p->ncpus);
        cc_json_arr(&j, "items");
        for (size_t k = 0; k < p->nitems; k++)
            item_json(&j, &p->items[k]);
        cc_json_end(&j);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_arr(&j, "waits");
    for (size_t i = 0; i < c->nwaits; i++) {
        const struct cc_contention_wait *w = &c->waits[i];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "how", w->spinning ? "spinning" : "blocked");
        place_json(&j, w->function, w->file, w->line);
        cc_json_str(&j, "object", w->object);
        cc_mine_address_json(&j, "address", w->address);
        cc_json_u64(&j, "episodes", w->episodes);
        cc_json_u64(&j, "cycles", w->cycles);
        cc_json_num(&j, "share", w->share);
        cc_mine_cpus_json(&j, "cpus", w->cpus, w->ncpus);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_end(&j);
}

static void add_line(struct cc_buf *b, const char *file, uint32_t line, uint32_t from, uint32_t to)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    b->n = 0;
    cc_buf_add(b, "", 0);
    if (file)
        cc_buf_printf(b, "%s:%" PRIu32, slash ? slash + 1 : file, line);
    if (file && from != to)
        cc_buf_printf(b, " (%" PRIu32 "-%" PRIu32 ")", from, to);
}

static void pattern_rows(const struct cc_contention *c, size_t n, struct cc_table *t)
{
    const struct cc_contention_pattern *p = &c->patterns[n];
    struct cc_buf b = {0};
    cc_buf_printf(&b, "pattern %zu: %.0f %% of windows", n + 1, 100 * p->support);
    if (c->options.method == CC_CONTENTION_WINDOWS)
        cc_buf_printf(&b, ", saturates %" PRIu64, p->saturated);
    size_t row = cc_table_row(t);
    cc_table_str(t, b.s);
    for (int i = 0; i < 4; i++)
        cc_table_null(t);
    b.n = 0;
    cc_mine_cpus_text(&b, p->cpus, p->ncpus);
    cc_table_str(t, b.s);
    cc_table_num(t, p->share);
    cc_table_num(t, p->lost);
    for (size_t i = 0; i < p->nitems; i++) {
        const struct cc_contention_item *x = &p->items[i];
        cc_table_row_under(t, row);
        b.n = 0;
        if (x->function)
            cc_buf_puts(&b, x->function);
        else
            cc_buf_printf(&b, "0x%" PRIx64 "-0x%" PRIx64, x->pc_from, x->pc_to);
        cc_table_str(t, b.s);
        add_line(&b, x->file, x->line, x->line_from, x->line_to);
        cc_table_str(t, b.s);
        b.n = 0;
        cc_buf_printf(&b, "%s%s", cc_trace_kind_name(x->kind), x->waiting ? " (spinning)" : "");
        cc_table_str(t, b.s);
        b.n = 0;
        if (x->object)
            cc_buf_printf(&b, "%s ", x->object);
        cc_buf_printf(&b, "[0x%" PRIx64 ",0x%" PRIx64 "]", x->from, x->to);
        if (x->node >= 0)
            cc_buf_printf(&b, " node %d", x->node);
        cc_table_str(t, b.s);
        b.n = 0;
        if (x->latency_to > c->options.bin_max)
            cc_buf_printf(&b, "%" PRIu32 "+", x->latency_from);
        else
            cc_buf_printf(&b, "%" PRIu32 "-%" PRIu32, x->latency_from, x->latency_to);
        cc_table_str(t, b.s);
        b.n = 0;
        cc_buf_add(&b, "", 0);
        cc_mine_cpus_text(&b, x->cpus, x->ncpus);
        cc_table_str(t, b.s);
        cc_table_num(t, x->share);
    }
    cc_buf_fini(&b);
}

static const struct cc_col pattern_columns[] = {
    {"what", "pattern", CC_COL_STR, .tree = true},
    {"line", "line", CC_COL_STR},
    {"kind", "kind", CC_COL_STR},
    {"data", "addresses", CC_COL_STR},
    {"latency", "cycles", CC_COL_STR},
    {"cpus", "CPUs", CC_COL_STR},
    {"share", "contention", CC_COL_PERCENT, .digits = 1},
    {"lost", "CPU time", CC_COL_PERCENT, .digits = 1},
};

static const struct cc_col wait_columns[] = {
    {"how", "waiting", CC_COL_STR},     {"function", "function", CC_COL_STR},
    {"line", "line", CC_COL_STR},       {"object", "for", CC_COL_STR},
    {"cpus", "CPUs", CC_COL_STR},       {"episodes", "times", CC_COL_COUNT},
    {"cycles", "cycles", CC_COL_COUNT}, {"share", "CPU time", CC_COL_PERCENT, .digits = 1},
};

static void print_waits(const struct cc_contention *c, FILE *out)
{
    enum { MOST = 10 };
    struct cc_table *t = cc_table_new(wait_columns, CC_COUNT(wait_columns));
    struct cc_buf b = {0};
    for (size_t i = 0; i < c->nwaits && i < MOST && c->waits[i].share >= 0.0005; i++) {
        const struct cc_contention_wait *w = &c->waits[i];
        cc_table_row(t);
        cc_table_str(t, w->spinning ? "spinning" : "blocked");
        cc_table_str(t, w->function ? w->function : "?");
        add_line(&b, w->file, w->line, w->line, w->line);
        cc_table_str(t, b.s);
        b.n = 0;
        cc_buf_printf(&b, "%s%s0x%" PRIx64, w->object ? w->object : "", w->object ? " " : "", w->address);
        cc_table_str(t, b.s);
        b.n = 0;
        cc_mine_cpus_text(&b, w->cpus, w->ncpus);
        cc_table_str(t, b.s);
        cc_table_int(t, (int64_t)w->episodes);
        cc_table_int(t, (int64_t)w->cycles);
        cc_table_num(t, w->share);
    }
    if (cc_table_rows(t)) {
        fprintf(out, "\n%.1f %% of all CPU time is waiting\n", 100 * c->waiting);
        cc_table_print_text(t, out);
    }
    cc_table_free(t);
    cc_buf_fini(&b);
}

static void print_text(const struct cc_contention *c, const char *partial, FILE *out)
{
    char a[24], b[24], w[24];
    if (partial)
        fprintf(out, "%s\n", partial);
    fprintf(out,
            "%u CPUs, %s cycles, %s memory accesses: half take at most %" PRIu32 " cycles, a quarter %" PRIu32
            " or more\n",
            c->cpus, cc_human_count((double)(c->last - c->first), a),
            cc_human_count((double)c->memory_events, b), c->median, c->q3);
    fprintf(out,
            "%s windows of %" PRIu64
            " cycles, %.1f %% of the run; contention costs %.1f %% of all CPU time\n",
            cc_human_count((double)c->windows, w), c->options.window, 100 * c->coverage, 100 * c->contention);
    if (c->support_raised)
        fprintf(out, "(minimum support was raised to %.0f %% to keep the number of patterns in hand)\n",
                100 * c->options.support);
    else if (c->support_lowered)
        fprintf(out, "(minimum support was lowered to %.0f %%: more frequent patterns explain too little)\n",
                100 * c->options.support);
    if (!c->npatterns)
        fprintf(out,
                "no pattern is in %.0f %% of the windows and costs %.2g %% of the CPU time (a smaller "
                "--support shows rarer ones)\n",
                100 * c->options.support, 100 * c->options.min_lost);
    fputc('\n', out);
    struct cc_table *t = cc_table_new(pattern_columns, CC_COUNT(pattern_columns));
    for (size_t i = 0; i < c->npatterns; i++)
        pattern_rows(c, i, t);
    cc_table_print_text(t, out);
    cc_table_free(t);
    print_waits(c, out);
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
        cc_svg_rect(&s, from, PIC_TOP - 6, fmax(to - from, 0.3), bottom - PIC_TOP + 4, "#f6d9d9", "none",
                    NULL);
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

int cc_mine_contention(const struct cc_mine_options *o, const struct cc_strs *files, struct cc_err *err)
{
    struct cc_contention_options how;
    struct cc_trace_reader *r;
    struct cc_contention *c;
    if (files->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected 'mine contention TRACE'");
    int rc = settings(o, &how, err);
    if (rc < 0 || (rc = cc_traceio_open(files->v[0], &r, err)) < 0)
        return rc;
    rc = cc_contention_mine(r, &how, &c, err);
    if (rc < 0) {
        cc_err_context(err, "'%s'", files->v[0]);
        cc_trace_close(r);
        return rc;
    }
    struct cc_outfile out = {0};
    CC_CLEANUP(cc_free_ptr) char *partial = cc_traceio_partial(r);
    rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        (o->common.json ? print_json : print_text)(c, partial, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    if (rc == 0 && o->svg)
        rc = draw(c, o->svg, err);
    if (rc == 0)
        cc_mine_note_partial(o, files->v[0], r);
    cc_contention_free(c);
    cc_trace_close(r);
    return rc;
}
