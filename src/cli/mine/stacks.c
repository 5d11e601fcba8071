/* Speed-up stacks as words, tables and bars. */
#include "stacks.h"
#include "mine.h"
#include "../../draw/chart.h"
#include "../../base/text.h"

#include <inttypes.h>

static const struct cc_col stack_columns[] = {
    {"cores", "cores", CC_COL_INT},
    {"cycles", "cycles", CC_COL_COUNT},
    {"speedup", "speed-up", CC_COL_NUM, .digits = 2},
    {"efficiency", "efficiency", CC_COL_PERCENT, .digits = 0},
    {"parts", NULL, CC_COL_MAP},
    {NULL, "work", CC_COL_PERCENT, .digits = 1},
    {NULL, "instructions", CC_COL_PERCENT, .digits = 1},
    {NULL, "capacity", CC_COL_PERCENT, .digits = 1},
    {NULL, "serial", CC_COL_PERCENT, .digits = 1},
    {NULL, "imbalance", CC_COL_PERCENT, .digits = 1},
    {NULL, "locks", CC_COL_PERCENT, .digits = 1},
    {NULL, "barriers", CC_COL_PERCENT, .digits = 1},
    {NULL, "coherence", CC_COL_PERCENT, .digits = 1},
    {NULL, "queueing", CC_COL_PERCENT, .digits = 1},
    {NULL, "idle", CC_COL_PERCENT, .digits = 1},
};

static const struct cc_col bottleneck_columns[] = {
    {"part", "bottleneck", CC_COL_STR},
    {"cause", "cause", CC_COL_STR},
    {"function", "function", CC_COL_STR},
    {"file", "line", CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"object", "object", CC_COL_STR},
    {"lost", "cycles more", CC_COL_COUNT},
    {"advice", NULL, CC_COL_STR},
};

static void put_stack(struct cc_table *t, const struct cc_stack *s)
{
    double all = (double)s->cycles * s->cores;
    cc_table_row(t);
    cc_table_u64(t, s->cores);
    cc_table_u64(t, s->cycles);
    cc_table_num(t, s->speedup);
    cc_table_num(t, s->efficiency);
    cc_table_map(t);
    for (size_t i = 0; i < CC_STACK_PARTS; i++) {
        cc_table_key(t, cc_stack_names[i]);
        cc_table_int(t, s->parts[i]);
    }
    cc_table_end(t);
    for (size_t i = 0; i < CC_STACK_PARTS; i++)
        cc_table_num(t, all > 0 ? (double)s->parts[i] / all : 0);
}

static void put_bottleneck(struct cc_table *t, const struct cc_bottleneck *b)
{
    const struct cc_finding *x = b->finding;
    cc_table_row(t);
    cc_table_str(t, cc_stack_names[b->part]);
    cc_table_str(t, cc_causes[x->cause].name);
    cc_table_str(t, x->function);
    cc_table_place(t, x->file, x->line);
    cc_table_str(t, x->object);
    cc_table_int(t, b->lost);
    cc_table_str(t, cc_causes[x->cause].advice);
}

static void say_verdict(struct cc_result *r, const struct cc_stacks *s)
{
    const struct cc_stack *most = &s->stacks[s->n - 1];
    struct cc_buf why = {0};
    if (s->nbottlenecks) {
        const struct cc_finding *x = s->bottlenecks[0].finding;
        cc_buf_printf(&why, "; most is lost to %s", cc_causes[x->cause].name);
        if (x->object)
            cc_buf_printf(&why, " of '%s'", x->object);
        if (x->file)
            cc_buf_printf(&why, " at %s:%" PRIu32, cc_text_base(x->file), x->line);
    }
    if (s->verdict == CC_STACKS_UNKNOWN)
        cc_result_note(r, "the traces do not say what is waited for: there is no speed-up stack");
    else if (s->verdict == CC_STACKS_SCALES)
        cc_result_note(r, "scales: %.1f times as fast on %u cores", most->speedup, most->cores);
    else if (s->verdict == CC_STACKS_SATURATES)
        cc_result_note(r, "saturates at %u cores (%.1f times as fast on %u)%s", s->at, most->speedup,
                       most->cores, why.s ? why.s : "");
    else
        cc_result_note(r, "collapses beyond %u cores (%.1f times as fast on %u)%s", s->at, most->speedup,
                       most->cores, why.s ? why.s : "");
    cc_buf_fini(&why);
}

void cc_mine_add_verdict(struct cc_result *r, const struct cc_stacks *s)
{
    bool known = s->verdict != CC_STACKS_UNKNOWN;
    cc_result_str(r, "verdict", known ? cc_stacks_verdict_names[s->verdict] : NULL);
    cc_result_u64_if(r, "at", known, s->at);
    say_verdict(r, s);
    cc_result_gap(r);
}

void cc_mine_add_stack_tables(struct cc_result *r, const struct cc_stacks *s)
{
    bool known = s->verdict != CC_STACKS_UNKNOWN;
    cc_result_gap(r);
    struct cc_table *t = cc_result_table(r, "stacks", stack_columns, CC_COUNT(stack_columns));
    for (size_t i = 0; known && i < s->n; i++)
        put_stack(t, &s->stacks[i]);
    t = cc_result_table(r, "bottlenecks", bottleneck_columns, CC_COUNT(bottleneck_columns));
    for (size_t i = 0; known && i < s->nbottlenecks; i++)
        put_bottleneck(t, &s->bottlenecks[i]);
    cc_result_gap(r);
}

/* Heights are cores: what is not work is speed-up that was lost. */
int cc_mine_draw_stacks(const struct cc_stacks *s, const char *path, struct cc_err *err)
{
    double *values = cc_alloc_array(s->n * CC_STACK_PARTS + 1, sizeof *values);
    char(*labels)[32] = cc_alloc_array(s->n + 1, sizeof *labels);
    const char **bars = cc_alloc_array(s->n + 1, sizeof *bars);
    for (size_t i = 0; i < s->n; i++) {
        const struct cc_stack *x = &s->stacks[i];
        snprintf(labels[i], sizeof labels[i], "%u", x->cores);
        bars[i] = labels[i];
        for (size_t k = 0; k < CC_STACK_PARTS; k++)
            values[i * CC_STACK_PARTS + k] =
                x->cycles ? (double)CC_MAX(x->parts[k], 0) / (double)x->cycles : 0;
    }
    struct cc_stack_chart chart = {.title = "Speed-up stacks",
                                   .x_label = "cores",
                                   .y_label = "cores' worth of time",
                                   .bars = bars,
                                   .nbars = s->n,
                                   .parts = cc_stack_names,
                                   .nparts = CC_STACK_PARTS,
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
