/* Charts: legends that tell series apart and say whole names, titles of axes, names that differ where they
 * were cut, colours of dark pages. */
#include "draw/chart.h"
#include "tap.h"

static size_t times(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++)
        n++;
    return n;
}

static void test_legend(void)
{
    double x[] = {1, 2, 4}, y[] = {1, 1.9, 3.5}, bound[] = {1, 2, 3.9};
    struct cc_series series[] = {
        {.name = "plan", .style = CC_SERIES_LINE, .x = x, .y = y, .n = 3, .color = "#123456"},
        {.name = "plan: Amdahl's bound for every one of them",
         .style = CC_SERIES_DASHED,
         .x = x,
         .y = bound,
         .n = 3,
         .color = "#123456"}};
    struct cc_xy_chart chart = {.title = "t", .x_label = "processors", .series = series, .nseries = 2};
    struct cc_buf svg = {0};
    cc_chart_xy(&chart, &svg);
    OK_U64(times(svg.s, "stroke-dasharray"), 2, "a dashed series is dashed in the legend too");
    OK(times(svg.s, ">plan</text>") == 1 && strstr(svg.s, ">plan: Amdahl"), "both have a name");
    OK(strstr(svg.s, "every one of them") && !strstr(svg.s, "…"),
       "a long name goes on in the next line, uncut");
    cc_buf_fini(&svg);
}

static void test_stack(void)
{
    const char *bars[] = {"1", "2", "", "1", "2"}, *parts[] = {"work", "wait"},
               *groups[] = {"first plan", "second"};
    const char *colors[] = {"#228833", "#bbbbbb"};
    double values[] = {3, 0, 2, 1, 0, 0, 3, 0, 1.5, 0.1};
    struct cc_stack_chart chart = {.title = "t",
                                   .x_label = "processors",
                                   .y_label = "ns",
                                   .bars = bars,
                                   .nbars = 5,
                                   .parts = parts,
                                   .nparts = 2,
                                   .values = values,
                                   .colors = colors,
                                   .groups = groups,
                                   .ngroups = 2,
                                   .group = 2};
    struct cc_buf svg = {0};
    cc_chart_stack(&chart, &svg);
    OK(strstr(svg.s, ">processors<"), "stacks have a title below");
    OK(strstr(svg.s, ">first plan<") && strstr(svg.s, ">second<"), "groups of bars have their names");
    OK_U64(times(svg.s, "\"#228833\""), 4 + 1,
           "parts have the colours that were asked for, in bars and legend");
    cc_buf_fini(&svg);
}

static void test_gantt(void)
{
    const char *rows[] = {"0"}, *legend[] = {"sequential", "processing", "imbalance", "limited",
                                             "overhead",   "contention", "transfer",  "idle"};
    const char *colors[] = {"#000001", "#000002", "#000003", "#000004",
                            "#000005", "#000006", "#000007", "#000008"};
    struct cc_gantt_bar bars[] = {{0, 0, 5, "f", 1}, {0, 5, 9, "imbalance", 2}};
    struct cc_gantt_chart chart = {.title = "t",
                                   .rows = rows,
                                   .nrows = 1,
                                   .bars = bars,
                                   .nbars = 2,
                                   .legend = legend,
                                   .nlegend = 8,
                                   .colors = colors};
    struct cc_buf svg = {0};
    cc_chart_gantt(&chart, &svg);
    OK(times(svg.s, "\"#000002\"") == 2 && times(svg.s, "\"#000003\"") == 2,
       "a part has its colour in the bars and in the legend");
    double height = 0, lowest = 0;
    const char *head = strstr(svg.s, " height=\"");
    OK(head && sscanf(head, " height=\"%lf\"", &height) == 1, "the drawing has a height");
    for (const char *p = svg.s; (p = strstr(p, "<text x=\"")); p++) {
        double x, y;
        if (sscanf(p, "<text x=\"%lf\" y=\"%lf\"", &x, &y) == 2)
            lowest = fmax(lowest, y);
    }
    OK(lowest > 0 && lowest <= height, "no line of the legend is below its end");
    cc_buf_fini(&svg);
}

/* A stack of a simulation has ten parts: no two may look alike. */
static void test_palette(void)
{
    size_t same = 0;
    for (size_t i = 0; i < 16; i++)
        for (size_t k = 0; k < i; k++)
            same += strcmp(cc_svg_color(i), cc_svg_color(k)) == 0;
    OK_U64(same, 0, "sixteen colours that differ");
}

static void test_names(void)
{
    struct cc_svg a, b;
    cc_svg_begin(&a, 100, 100, "");
    cc_svg_begin(&b, 100, 100, "");
    cc_svg_text_fit(&a, 0, 0, 140, 12, "libsqlite3.so.0.8.6+0x1a2b3c");
    cc_svg_text_fit(&b, 0, 0, 140, 12, "libsqlite3.so.0.8.6+0x1a9f00");
    OK(strcmp(a.buf.s, b.buf.s) != 0 && strstr(a.buf.s, "…") && strstr(a.buf.s, "2b3c"),
       "names that begin alike still differ when cut");
    OK(strstr(a.buf.s, "prefers-color-scheme: dark"), "drawings know dark pages");
    b.on_fill = true;
    cc_svg_text(&b, 0, 0, CC_SVG_START, 12, "on a box");
    OK(strstr(b.buf.s, "fill=\"#16191c\">on a box"), "text on a box keeps its colour there");
    cc_svg_text_fit(&a, 0, 0, 60, 12, "ünïcödé name that is long");
    OK(strstr(a.buf.s, "ünïc"), "letters are cut whole");
    cc_buf_fini(&a.buf);
    cc_buf_fini(&b.buf);
}

int main(void)
{
    test_legend();
    test_stack();
    test_gantt();
    test_palette();
    test_names();
    return TAP_DONE();
}
