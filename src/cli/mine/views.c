/* Losses over time by cause, and cache lines by core: as data and as pictures. */
#include "views.h"
#include "mine.h"
#include "../../base/text.h"
#include "../../draw/chart.h"

#include <inttypes.h>
#include <math.h>

static const struct cc_col bin_columns[] = {{"cycle", NULL, CC_COL_INT}, {"causes", NULL, CC_COL_MAP}};

static const struct cc_col line_columns[] = {{"address", NULL, CC_COL_STR},
                                             {"object", NULL, CC_COL_STR},
                                             {"cause", NULL, CC_COL_STR},
                                             {"cycles", NULL, CC_COL_INT},
                                             {"node", NULL, CC_COL_INT, .meaning = "home of the line"},
                                             {"by_cpu", NULL, CC_COL_LIST}};

void cc_mine_add_views(struct cc_result *r, const struct cc_findings *f)
{
    struct cc_table *t = cc_result_table(r, "timeline", bin_columns, CC_COUNT(bin_columns));
    for (size_t i = 0; f->known && i < f->nbins; i++) {
        cc_table_row(t);
        cc_table_u64(t, i * f->bin_cycles);
        cc_table_map(t);
        for (size_t k = 0; k < CC_CAUSES; k++)
            if (f->bins[i][k]) {
                cc_table_key(t, cc_causes[k].name);
                cc_table_u64(t, f->bins[i][k]);
            }
        cc_table_end(t);
    }
    t = cc_result_table(r, "lines", line_columns, CC_COUNT(line_columns));
    for (size_t i = 0; f->known && i < f->nlines; i++) {
        const struct cc_hot_line *l = &f->lines[i];
        cc_table_row(t);
        cc_mine_address(t, l->address);
        cc_table_str(t, l->object);
        cc_table_str(t, cc_causes[l->cause].name);
        cc_table_u64(t, l->cycles);
        cc_table_u64_if(t, l->node >= 0, (uint64_t)l->node);
        cc_table_list(t);
        for (unsigned cpu = 0; cpu < f->cores; cpu++)
            cc_table_u64(t, l->by_cpu[cpu]);
        cc_table_end(t);
    }
}

/* The causes that cost something, in the order of the table. */
static size_t used_causes(const struct cc_findings *f, size_t used[static CC_CAUSES])
{
    size_t n = 0;
    for (size_t k = 0; k < CC_CAUSES; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < f->nbins; i++)
            sum += f->bins[i][k];
        if (sum)
            used[n++] = k;
    }
    return n;
}

/* Heights are cores: how many were lost to what, at each time. */
int cc_mine_draw_causes(const struct cc_findings *f, const char *path, struct cc_err *err)
{
    enum { LABELS = 8 };
    size_t used[CC_CAUSES], n = used_causes(f, used);
    const char *parts[CC_CAUSES];
    double *values = cc_alloc_array(f->nbins * n + 1, sizeof *values);
    char(*labels)[24] = cc_alloc_array(f->nbins + 1, sizeof *labels);
    const char **bars = cc_alloc_array(f->nbins + 1, sizeof *bars);
    for (size_t i = 0; i < f->nbins; i++) {
        if (i % (f->nbins / LABELS + 1) == 0)
            cc_human_count((double)(i * f->bin_cycles), labels[i]);
        bars[i] = labels[i];
        for (size_t k = 0; k < n; k++)
            values[i * n + k] = (double)f->bins[i][used[k]] / (double)f->bin_cycles;
    }
    for (size_t k = 0; k < n; k++)
        parts[k] = cc_causes[used[k]].name;
    struct cc_stack_chart chart = {.title = "Cores lost over time, by cause",
                                   .x_label = "cycle",
                                   .y_label = "cores",
                                   .bars = bars,
                                   .nbars = f->nbins,
                                   .parts = parts,
                                   .nparts = n,
                                   .values = values};
    struct cc_buf svg = {0};
    cc_chart_stack(&chart, &svg);
    int rc = cc_output_file(path, &svg, err);
    cc_buf_fini(&svg);
    free(bars);
    free(labels);
    free(values);
    return rc;
}

enum { NAMES = 300, CELLS = 640, ROW = 18, ABOVE = 60, BELOW = 50, MOST_ROWS = 40 };

static void draw_line(struct cc_svg *s, const struct cc_findings *f, const struct cc_hot_line *l, double top,
                      double most)
{
    struct cc_buf text = {0};
    double width = (double)CELLS / f->cores;
    cc_buf_printf(&text, "%s 0x%" PRIx64, l->object ? l->object : "", l->address);
    cc_svg_text_fit(s, 8, top + ROW - 5, NAMES - 16, 12, text.s);
    for (unsigned cpu = 0; cpu < f->cores; cpu++) {
        char color[8];
        double v = (double)l->by_cpu[cpu];
        if (v <= 0)
            continue;
        text.n = 0;
        cc_buf_printf(&text, "core %u: %" PRIu64 " cycles, %s", cpu, l->by_cpu[cpu],
                      cc_causes[l->cause].name);
        cc_svg_rect(s, (struct cc_box){NAMES + width * cpu, top, width + 0.3, ROW - 1},
                    cc_svg_heat(most > 1 ? log(v + 1) / log(most + 1) : 1, color), "none", text.s);
    }
    cc_buf_fini(&text);
}

int cc_mine_draw_lines(const struct cc_findings *f, const char *path, struct cc_err *err)
{
    size_t n = CC_MIN(f->nlines, (size_t)MOST_ROWS);
    double most = 0, bottom = ABOVE + (double)n * ROW;
    for (size_t i = 0; i < n; i++)
        for (unsigned cpu = 0; cpu < f->cores; cpu++)
            most = fmax(most, (double)f->lines[i].by_cpu[cpu]);
    struct cc_svg s;
    cc_svg_begin(&s, NAMES + CELLS + 20, bottom + BELOW, "Cycles lost, by cache line and core");
    cc_svg_text(&s, (NAMES + CELLS) / 2.0, 24, CC_SVG_MIDDLE, 15, "Cycles lost, by cache line and core");
    for (size_t i = 0; i < n; i++)
        draw_line(&s, f, &f->lines[i], ABOVE + (double)i * ROW, most);
    for (unsigned cpu = 0; cpu < f->cores; cpu += f->cores / 16 + 1) {
        char text[16];
        snprintf(text, sizeof text, "%u", cpu);
        cc_svg_text(&s, NAMES + (double)CELLS / f->cores * (cpu + 0.5), bottom + 16, CC_SVG_MIDDLE, 12, text);
    }
    cc_svg_text(&s, NAMES + CELLS / 2.0, bottom + 36, CC_SVG_MIDDLE, 13, "core (darker: more, logarithmic)");
    cc_svg_end(&s);
    int rc = cc_output_file(path, &s.buf, err);
    cc_buf_fini(&s.buf);
    return rc;
}
