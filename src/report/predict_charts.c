#include "predict_report.h"
#include "chart.h"
#include "../base/arena.h"
#include "../base/json.h"

enum { MAX_BARS = 20000 };

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

/* Groups of bars side by side, one a scenario and setting; the title tells which is which. */
void cc_predict_chart_stacks(const struct cc_predict_result *r, const char *clock, struct cc_buf *out)
{
    struct cc_arena a = {0};
    size_t group = r->ncores + 1, n = r->n * group - 1; /* an empty place between groups */
    const char **bars = cc_arena_alloc(&a, n * sizeof *bars);
    double *values = cc_arena_alloc(&a, n * CC_PARTS * sizeof *values);
    struct cc_buf title = {0};
    cc_buf_puts(&title, "cycle stacks over processors");
    for (size_t i = 0; i < n; i++) {
        const struct cc_predict_outcome *o = &r->outcomes[i / group];
        if (i % group == 0 && i / group < 6)
            cc_buf_printf(&title, "%s%s", i ? " | " : ": ", i / group < 5 ? outcome_label(&a, o) : "…");
        bars[i] = "";
        if (i % group == r->ncores)
            continue;
        const struct cc_predict_schedule *s = &o->schedules[i % group];
        char label[24];
        snprintf(label, sizeof label, "%u", s->processors);
        bars[i] = cc_arena_strdup(&a, n <= 40 ? label : "");
        for (int k = 0; k < CC_PARTS; k++)
            values[i * CC_PARTS + (size_t)k] = s->stack[k];
    }
    CC_CLEANUP(cc_free_ptr) char *unit = cc_asprintf("%s per processor", clock);
    struct cc_stack_chart chart = {.title = title.s,
                                   .y_label = unit,
                                   .bars = bars,
                                   .nbars = n,
                                   .parts = cc_part_names,
                                   .nparts = CC_PARTS,
                                   .values = values};
    cc_chart_stack(&chart, out);
    cc_buf_fini(&title);
    cc_arena_fini(&a);
}

/* Too many bars to see: bars shorter than a pixel's worth of time run into their neighbour, whose part they
 * then show. */
static size_t thin(const struct cc_predict_schedule *s, struct cc_gantt_bar *bars, const struct cc_htg *h)
{
    cc_ticks least = s->nsegments > MAX_BARS ? s->time / (MAX_BARS / CC_MAX(s->processors, 1u)) : 0;
    size_t n = 0;
    size_t *last = cc_alloc_array(s->processors, sizeof *last);
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
    const char **rows = cc_arena_alloc(&a, s->processors * sizeof *rows);
    for (unsigned p = 0; p < s->processors; p++) {
        char label[24];
        snprintf(label, sizeof label, "%u", p);
        rows[p] = cc_arena_strdup(&a, label);
    }
    struct cc_gantt_chart chart = {.title = title,
                                   .x_label = h->clock,
                                   .rows = rows,
                                   .nrows = s->processors,
                                   .bars = bars,
                                   .nbars = n,
                                   .legend = cc_part_names,
                                   .nlegend = CC_PARTS};
    cc_chart_gantt(&chart, out);
    cc_arena_fini(&a);
    free(bars);
}

void cc_predict_chrome(const struct cc_predict_schedule *s, const struct cc_htg *h, double seconds, FILE *out)
{
    double us = seconds > 0 ? seconds * 1e6 : 1;
    struct cc_json j;
    cc_json_init(&j, out);
    cc_json_obj(&j, NULL);
    cc_json_str(&j, "displayTimeUnit", "ns");
    cc_json_arr(&j, "traceEvents");
    for (unsigned p = 0; p < s->processors; p++) {
        char name[32];
        snprintf(name, sizeof name, "processor %u", p);
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "ph", "M");
        cc_json_str(&j, "name", "thread_name");
        cc_json_u64(&j, "pid", 1);
        cc_json_u64(&j, "tid", p);
        cc_json_obj(&j, "args");
        cc_json_str(&j, "name", name);
        cc_json_end(&j);
        cc_json_end(&j);
    }
    for (size_t i = 0; i < s->nsegments; i++) {
        const struct cc_predict_segment *g = &s->segments[i];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "ph", "X");
        cc_json_str(&j, "name", g->name == UINT32_MAX ? cc_part_names[g->part] : h->names[g->name]);
        cc_json_str(&j, "cat", cc_part_names[g->part]);
        cc_json_u64(&j, "pid", 1);
        cc_json_u64(&j, "tid", g->processor);
        cc_json_num(&j, "ts", CC_TICKS_TO_F64(g->start) * us);
        cc_json_num(&j, "dur", CC_TICKS_TO_F64(g->end - g->start) * us);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_end(&j);
}
