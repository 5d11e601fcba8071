#include "show.h"
#include "../../draw/chart.h"
#include "../../draw/chrome.h"
#include "../../base/arena.h"

enum { MAX_BARS = 20000 };

/* Work is green and blue, what is lost is warm, waiting is grey. */
static const char *const part_colors[CC_PARTS] = {"#4477aa", "#228833", "#ccbb44", "#aa3377",
                                                  "#ee8866", "#cc3311", "#66ccee", "#bbbbbb"};

static const char *outcome_label(struct cc_arena *a, const struct cc_predict_outcome *o)
{
    CC_CLEANUP(cc_free_ptr)
    char *text = *o->setting->label ? cc_asprintf("%s, %s", o->scenario->name, o->setting->label)
                                    : cc_strdup(o->scenario->name);
    return cc_arena_strdup(a, text);
}

void cc_predict_chart_speedup(const struct cc_predict_result *r, struct cc_buf *out)
{
    struct cc_arena a = {0};
    struct cc_series *series = cc_arena_alloc(&a, (2 * r->n + 1) * sizeof *series);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct cc_predict_outcome *o = &r->outcomes[i];
        double *x = cc_arena_alloc(&a, r->ncores * sizeof *x), *y = cc_arena_alloc(&a, r->ncores * sizeof *y),
               *bound = cc_arena_alloc(&a, r->ncores * sizeof *bound);
        for (size_t c = 0; c < r->ncores; c++) {
            x[c] = o->schedules[c].processors;
            y[c] = o->schedules[c].speedup;
            bound[c] = o->schedules[c].amdahl;
        }
        const char *label = outcome_label(&a, o);
        CC_CLEANUP(cc_free_ptr) char *dashed = cc_asprintf("%s: Amdahl", label);
        series[n++] = (struct cc_series){
            .name = label, .style = CC_SERIES_LINE, .x = x, .y = y, .n = r->ncores, .color = cc_svg_color(i)};
        series[n++] = (struct cc_series){.name = cc_arena_strdup(&a, dashed),
                                         .style = CC_SERIES_DASHED,
                                         .x = x,
                                         .y = bound,
                                         .n = r->ncores,
                                         .color = cc_svg_color(i)};
    }
    struct cc_xy_chart chart = {.title = "predicted speed-up",
                                .x_label = "processors",
                                .y_label = "speed-up",
                                .y_from_zero = true,
                                .series = series,
                                .nseries = n};
    cc_chart_xy(&chart, out);
    cc_arena_fini(&a);
}

/* The parts of one schedule's bar. */
typedef void bar_fn(const struct cc_predict_schedule *s, double *out);

static void time_bar(const struct cc_predict_schedule *s, double *out)
{
    memcpy(out, s->stack, sizeof s->stack);
}

static void energy_bar(const struct cc_predict_schedule *s, double *out)
{
    const struct cc_predict_energy *e = &s->energy;
    const double parts[] = {e->fixed, e->busy, e->waiting, e->accesses, e->transfers, e->units};
    memcpy(out, parts, sizeof parts);
}

/* What stacks are of. */
struct stacks {
    const char *title, *unit;
    const char *const *parts, *const *colors; /* colors NULL: the palette's */
    size_t nparts;
    bar_fn *bar;
};

/* Groups of bars side by side, one a scenario and setting, whose name stands below. */
static void stacks(const struct cc_predict_result *r, const struct stacks *k, struct cc_buf *out)
{
    struct cc_arena a = {0};
    size_t group = r->ncores + 1, n = r->n * group - 1; /* an empty place between groups */
    const char **bars = cc_arena_alloc(&a, n * sizeof *bars),
               **names = cc_arena_alloc(&a, r->n * sizeof *names);
    double *values = cc_arena_alloc(&a, n * k->nparts * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        const struct cc_predict_outcome *o = &r->outcomes[i / group];
        names[i / group] = outcome_label(&a, o);
        bars[i] = "";
        if (i % group == r->ncores)
            continue;
        const struct cc_predict_schedule *s = &o->schedules[i % group];
        char label[24];
        snprintf(label, sizeof label, "%u", s->processors);
        bars[i] = cc_arena_strdup(&a, n <= 40 ? label : "");
        k->bar(s, &values[i * k->nparts]);
    }
    struct cc_stack_chart chart = {.title = k->title,
                                   .x_label = "processors",
                                   .y_label = k->unit,
                                   .bars = bars,
                                   .nbars = n,
                                   .parts = k->parts,
                                   .nparts = k->nparts,
                                   .values = values,
                                   .colors = k->colors,
                                   .groups = names,
                                   .ngroups = r->n,
                                   .group = r->ncores};
    cc_chart_stack(&chart, out);
    cc_arena_fini(&a);
}

void cc_predict_chart_stacks(const struct cc_predict_result *r, const char *clock, struct cc_buf *out)
{
    CC_CLEANUP(cc_free_ptr) char *unit = cc_asprintf("%s per processor", clock);
    stacks(r, &(struct stacks){"cycle stacks", unit, cc_part_names, part_colors, CC_PARTS, time_bar}, out);
}

void cc_predict_chart_energy(const struct cc_predict_result *r, struct cc_buf *out)
{
    stacks(r, &(struct stacks){"energy", "joules", cc_predict_energy_names, NULL, 6, energy_bar}, out);
}

/* Rows of a schedule: its processors, then the two channels of each cluster's DMA if it was used. */
static unsigned rows_of(const struct cc_predict_schedule *s)
{
    return s->processors + (s->dma.transfers ? 2 * s->dma.clusters : 0);
}

static const char *row_name(const struct cc_predict_schedule *s, unsigned row, const char *prefix,
                            char out[static 40])
{
    unsigned channel = row - s->processors;
    if (row < s->processors)
        snprintf(out, 40, "%s%u", prefix, row);
    else if (s->dma.clusters < 2)
        snprintf(out, 40, "DMA %s", channel ? "write" : "read");
    else
        snprintf(out, 40, "DMA %u %s", channel / 2, channel % 2 ? "write" : "read");
    return out;
}

/* Too many bars to see: bars shorter than a pixel's worth of time run into their neighbour, whose part they
 * then show. */
static size_t thin(const struct cc_predict_schedule *s, struct cc_gantt_bar *bars, const struct cc_htg *h)
{
    cc_ticks least = s->nsegments > MAX_BARS ? s->time / (MAX_BARS / CC_MAX(s->processors, 1u)) : 0;
    size_t n = 0;
    size_t *last = cc_alloc_array(rows_of(s), sizeof *last);
    for (size_t i = 0; i < s->nsegments; i++) {
        const struct cc_predict_segment *g = &s->segments[i];
        size_t prev = last[g->processor];
        if (prev && bars[prev - 1].end - bars[prev - 1].start < CC_TICKS_TO_F64(least)) {
            if (g->end - g->start > least / 2)
                bars[prev - 1].color = (size_t)g->part;
            bars[prev - 1].end = CC_TICKS_TO_F64(g->end);
            continue;
        }
        bars[n++] =
            (struct cc_gantt_bar){.row = g->processor,
                                  .start = CC_TICKS_TO_F64(g->start),
                                  .end = CC_TICKS_TO_F64(g->end),
                                  .label = g->name == UINT32_MAX ? cc_part_names[g->part] : h->names[g->name],
                                  .color = (size_t)g->part};
        last[g->processor] = n;
    }
    free(last);
    return n;
}

void cc_predict_chart_gantt(const struct cc_predict_schedule *s, const struct cc_htg *h, const char *title,
                            struct cc_buf *out)
{
    struct cc_gantt_bar *bars = cc_alloc_array(s->nsegments + 1, sizeof *bars);
    size_t n = thin(s, bars, h);
    struct cc_arena a = {0};
    unsigned nrows = rows_of(s);
    const char **rows = cc_arena_alloc(&a, nrows * sizeof *rows);
    char label[40];
    for (unsigned p = 0; p < nrows; p++)
        rows[p] = cc_arena_strdup(&a, row_name(s, p, "", label));
    struct cc_gantt_chart chart = {.title = title,
                                   .x_label = h->clock,
                                   .rows = rows,
                                   .nrows = nrows,
                                   .bars = bars,
                                   .nbars = n,
                                   .legend = cc_part_names,
                                   .nlegend = CC_PARTS,
                                   .colors = part_colors};
    cc_chart_gantt(&chart, out);
    cc_arena_fini(&a);
    free(bars);
}

void cc_predict_chrome(const struct cc_predict_schedule *s, const struct cc_htg *h, double seconds, FILE *out)
{
    double us = seconds > 0 ? seconds * 1e6 : 1;
    struct cc_chrome c;
    cc_chrome_begin(&c, out, "ns", seconds > 0 ? NULL : "one microsecond is one tick of the trace's clock");
    for (unsigned p = 0; p < rows_of(s); p++) {
        char name[40];
        cc_chrome_thread(&c, 0, p, row_name(s, p, "processor ", name));
    }
    for (size_t i = 0; i < s->nsegments; i++) {
        const struct cc_predict_segment *g = &s->segments[i];
        cc_chrome_event(&c, &(struct cc_chrome_event){
                                g->name == UINT32_MAX ? cc_part_names[g->part] : h->names[g->name],
                                cc_part_names[g->part], 0, g->processor, CC_TICKS_TO_F64(g->start) * us,
                                CC_TICKS_TO_F64(g->end - g->start) * us});
    }
    cc_chrome_end(&c);
}
