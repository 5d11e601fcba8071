/* Single instructions and CPUs: in how many windows, how regularly, in which functions; as data and pictures.
 */
#include "charts.h"
#include "../../base/text.h"
#include "../../draw/chart.h"

#include <inttypes.h>

static const struct cc_col instruction_columns[] = {
    {"pc", NULL, CC_COL_STR},      {"kind", NULL, CC_COL_STR},      {"function", NULL, CC_COL_STR},
    {"file", NULL, CC_COL_STR},    {"line", NULL, CC_COL_INT},      {"events", NULL, CC_COL_INT},
    {"windows", NULL, CC_COL_INT}, {"frequency", NULL, CC_COL_NUM}, {"latency", NULL, CC_COL_NUM},
    {"period", NULL, CC_COL_INT},  {"periods", NULL, CC_COL_LIST},  {"regular", NULL, CC_COL_NUM},
};

static const struct cc_col function_columns[] = {
    {"function", NULL, CC_COL_STR}, {"cycles", NULL, CC_COL_INT}, {"by_cpu", NULL, CC_COL_LIST}};

static double frequency(const struct cc_contention *c, const struct cc_contention_instruction *i)
{
    return c->windows ? (double)i->windows / (double)c->windows : 0;
}

void cc_mine_add_charts(struct cc_result *r, const struct cc_contention *c)
{
    struct cc_table *t =
        cc_result_table(r, "instructions", instruction_columns, CC_COUNT(instruction_columns));
    for (size_t n = 0; n < c->ninstructions; n++) {
        const struct cc_contention_instruction *i = &c->instructions[n];
        cc_table_row(t);
        cc_mine_address(t, i->pc);
        cc_table_str(t, cc_trace_kind_name(i->kind));
        cc_table_str(t, i->function);
        cc_table_str(t, i->file);
        cc_table_u64_if(t, i->line, i->line);
        cc_table_u64(t, i->events);
        cc_table_u64(t, i->windows);
        cc_table_num(t, frequency(c, i));
        cc_table_num(t, i->latency);
        cc_table_u64_if(t, i->period, i->period);
        cc_mine_pair(t, i->period_from, i->period_to);
        cc_table_num(t, i->regular);
    }
    t = cc_result_table(r, "functions", function_columns, CC_COUNT(function_columns));
    for (size_t n = 0; n < c->nfunctions; n++) {
        cc_table_row(t);
        cc_table_str(t, c->functions[n].function);
        cc_table_u64(t, c->functions[n].cycles);
        cc_table_list(t);
        for (unsigned cpu = 0; cpu < c->cpus; cpu++)
            cc_table_u64(t, c->functions[n].by_cpu[cpu]);
        cc_table_end(t);
    }
}

static int write_chart(struct cc_buf *svg, const char *path, struct cc_err *err)
{
    int rc = cc_output_file(path, svg, err);
    cc_buf_fini(svg);
    return rc;
}

/* ---- in how many windows ---- */

enum { NAMED = 7 };
static const double worth_drawing = 0.01; /* of the windows */

/* The functions whose instructions are in the most windows; returns how many. */
static size_t frequent_functions(const struct cc_contention *c, const char *names[static NAMED])
{
    struct {
        const char *name;
        double most;
    } best[NAMED] = {{0}};
    for (size_t n = 0; n < c->ninstructions; n++) {
        const char *name = c->instructions[n].function;
        double most = frequency(c, &c->instructions[n]);
        size_t at = 0;
        while (at < NAMED && best[at].name && (!name || strcmp(best[at].name, name) != 0))
            at++;
        if (!name || (at == NAMED && best[NAMED - 1].most >= most))
            continue;
        at = CC_MIN(at, (size_t)NAMED - 1);
        if (!best[at].name || strcmp(best[at].name, name) != 0)
            best[at].most = 0;
        best[at].name = name;
        best[at].most = CC_MAX(best[at].most, most);
        for (; at > 0 && best[at].most > best[at - 1].most; at--) {
            const char *other = best[at - 1].name;
            double its = best[at - 1].most;
            best[at - 1].name = best[at].name;
            best[at - 1].most = best[at].most;
            best[at].name = other;
            best[at].most = its;
        }
    }
    size_t n = 0;
    while (n < NAMED && best[n].name) {
        names[n] = best[n].name;
        n++;
    }
    return n;
}

static int draw_instructions(const struct cc_contention *c, const char *path, struct cc_err *err)
{
    const char *names[NAMED + 1] = {0};
    size_t n = frequent_functions(c, names), all = c->ninstructions;
    struct cc_series series[NAMED + 1];
    double *x = cc_alloc_array((n + 1) * all + 1, sizeof *x),
           *y = cc_alloc_array((n + 1) * all + 1, sizeof *y);
    names[n] = "others";
    for (size_t k = 0; k <= n; k++)
        series[k] = (struct cc_series){
            .name = names[k], .style = CC_SERIES_POINTS, .x = x + k * all, .y = y + k * all};
    for (size_t i = 0, at = 0; i < all; i++) {
        const struct cc_contention_instruction *in = &c->instructions[i];
        size_t k = 0;
        while (k < n && (!in->function || strcmp(in->function, names[k]) != 0))
            k++;
        if (frequency(c, in) < worth_drawing)
            continue;
        x[k * all + series[k].n] = (double)at++;
        y[k * all + series[k].n++] = 100 * frequency(c, in);
    }
    struct cc_xy_chart chart = {.title = "Instructions in contention windows",
                                .x_label = "instructions, in the order of their addresses",
                                .y_label = "% of the windows",
                                .y_from_zero = true,
                                .series = series,
                                .nseries = n + (series[n].n > 0)};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    free(x);
    free(y);
    return write_chart(&svg, path, err);
}

/* ---- where CPUs spend their time ---- */

static int draw_cpus(const struct cc_contention *c, const char *path, struct cc_err *err)
{
    size_t n = c->nfunctions;
    const char **parts = cc_alloc_array(n + 1, sizeof *parts),
               **bars = cc_alloc_array(c->cpus + 1, sizeof *bars);
    char(*labels)[16] = cc_alloc_array(c->cpus + 1, sizeof *labels);
    double *values = cc_alloc_array(n * c->cpus + 1, sizeof *values), run = (double)(c->last - c->first) + 1;
    for (size_t k = 0; k < n; k++)
        parts[k] = c->functions[k].function;
    for (unsigned cpu = 0; cpu < c->cpus; cpu++) {
        snprintf(labels[cpu], sizeof labels[cpu], "%u", cpu);
        bars[cpu] = labels[cpu];
        for (size_t k = 0; k < n; k++)
            values[cpu * n + k] = 100 * (double)c->functions[k].by_cpu[cpu] / run;
    }
    struct cc_stack_chart chart = {.title = "What each CPU spends its time in",
                                   .x_label = "CPU",
                                   .y_label = "% of the run",
                                   .bars = bars,
                                   .nbars = c->cpus,
                                   .parts = parts,
                                   .nparts = n,
                                   .values = values};
    struct cc_buf svg = {0};
    cc_chart_stack(&chart, &svg);
    free(values);
    free(labels);
    free(bars);
    free(parts);
    return write_chart(&svg, path, err);
}

/* ---- how long after each other ---- */

/* The one asked for, or the data access that takes longest in all. */
static const struct cc_contention_instruction *chosen(const struct cc_mine_options *o,
                                                      const struct cc_contention *c, struct cc_err *err)
{
    const struct cc_contention_instruction *best = NULL;
    uint64_t pc = 0;
    if (o->pc && !cc_parse_u64(o->pc, &pc)) {
        cc_err_set(err, CC_EUSAGE, "option '--pc': '%s' is no address", o->pc);
        return NULL;
    }
    for (size_t n = 0; n < c->ninstructions; n++) {
        const struct cc_contention_instruction *i = &c->instructions[n];
        if (o->pc ? i->pc == pc
                  : i->period &&
                        (!best || i->latency * (double)i->events > best->latency * (double)best->events))
            best = i;
    }
    if (!best)
        cc_err_set(err, CC_EINPUT,
                   o->pc ? "no access of the instruction at %s is in the trace"
                         : "no instruction accesses data twice",
                   o->pc);
    return best;
}

static int draw_period(const struct cc_mine_options *o, const struct cc_contention *c,
                       struct cc_trace_reader *trace, struct cc_err *err)
{
    enum { POINTS = 512, CPUS = 8 };
    const struct cc_contention_instruction *i = chosen(o, c, err);
    if (!i)
        return -CC_EINPUT;
    struct cc_contention_gap gaps[POINTS];
    struct cc_series series[CPUS];
    char names[CPUS][16];
    double *x = cc_alloc_array((size_t)CPUS * POINTS, sizeof *x),
           *y = cc_alloc_array((size_t)CPUS * POINTS, sizeof *y);
    size_t nseries = 0;
    for (unsigned cpu = 0; cpu < c->cpus && nseries < CPUS; cpu++) {
        size_t n = cc_contention_gaps(trace, i->pc, cpu, gaps, POINTS);
        if (!n)
            continue;
        double *sx = x + nseries * POINTS, *sy = y + nseries * POINTS;
        for (size_t k = 0; k < n; k++) {
            sx[k] = (double)gaps[k].cycle;
            sy[k] = (double)CC_MAX(gaps[k].gap, UINT64_C(1));
        }
        snprintf(names[nseries], sizeof names[nseries], "CPU %u", cpu);
        series[nseries] = (struct cc_series){names[nseries], CC_SERIES_POINTS, sx, sy, n, NULL};
        nseries++;
    }
    CC_CLEANUP(cc_free_ptr)
    char *title =
        cc_asprintf("0x%" PRIx64 "%s%s: cycles from one %s to the next", i->pc, i->function ? " in " : "",
                    i->function ? i->function : "", cc_trace_kind_name(i->kind));
    struct cc_xy_chart chart = {.title = title,
                                .x_label = "cycle",
                                .y_label = "cycles",
                                .y_log = true,
                                .series = series,
                                .nseries = nseries};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    free(x);
    free(y);
    return write_chart(&svg, o->svg_period, err);
}

int cc_mine_draw_charts(const struct cc_mine_options *o, const struct cc_contention *c,
                        struct cc_trace_reader *trace, struct cc_err *err)
{
    int rc = 0;
    if (o->svg_instructions)
        rc = draw_instructions(c, o->svg_instructions, err);
    if (rc == 0 && o->svg_cpus)
        rc = draw_cpus(c, o->svg_cpus, err);
    if (rc == 0 && o->svg_period)
        rc = draw_period(o, c, trace, err);
    return rc;
}
