/* Memory access intensity. */
#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/intensity/intensity.h"

#include <math.h>

static const struct cc_col cols[] = {
    {"name", "function", CC_COL_STR},
    {"instructions", NULL, CC_COL_COUNT},
    {"time_share", "time", CC_COL_PERCENT, 1},
    {"mar", "mar", CC_COL_NUM, 3, .meaning = "memory instructions an instruction"},
    {"nloc_mar", "nloc-mar", CC_COL_NUM, 3, .meaning = "the same, heap and global data only"},
    {"mor", "mor", CC_COL_NUM, 3, .meaning = "memory operands an operand"},
    {"nloc_mor", "nloc-mor", CC_COL_NUM, 3, .meaning = "the same, heap and global data only"},
    {"stk_ratio", "stk", CC_COL_NUM, 3, .meaning = "part of the memory instructions on the stack"},
    {"flow_ratio", "flow", CC_COL_NUM, 3, .meaning = "-1 only writes, 1 only reads"},
    {"nloc_flow_ratio", "nloc-flow", CC_COL_NUM, 3, .meaning = "the same, heap and global data only"},
    {"bytewise_stk_ratio", "stk bytes", CC_COL_NUM, 3, .meaning = "part of the bytes on the stack"},
    {"bytes_per_access", "b/acc", CC_COL_NUM, 2, .meaning = "bytes a memory instruction"},
    {"memory_instructions", NULL, CC_COL_COUNT},
    {"stack_instructions", NULL, CC_COL_COUNT},
    {"other_instructions", NULL, CC_COL_COUNT},
    {"reads", NULL, CC_COL_COUNT},
    {"writes", NULL, CC_COL_COUNT},
    {"stack_reads", NULL, CC_COL_COUNT},
    {"stack_writes", NULL, CC_COL_COUNT},
    {"bytes_read", NULL, CC_COL_BYTES},
    {"bytes_written", NULL, CC_COL_BYTES},
    {"stack_bytes_read", NULL, CC_COL_BYTES},
    {"stack_bytes_written", NULL, CC_COL_BYTES},
    {"operands", NULL, CC_COL_COUNT},
    {"memory_operands", NULL, CC_COL_COUNT},
};

static void put_row(struct cc_table *t, const struct cc_intensities *all, const struct cc_intensity *x)
{
    const double figures[] = {x->time_share,         x->mar,
                              x->nloc_mar,           x->mor,
                              x->nloc_mor,           x->stk_ratio,
                              x->flow_ratio,         x->nloc_flow_ratio,
                              x->bytewise_stk_ratio, x->bytes_per_access};
    const uint64_t counts[] = {x->memory,
                               x->stack,
                               x->other,
                               x->reads,
                               x->writes,
                               x->stack_reads,
                               x->stack_writes,
                               x->bytes_read,
                               x->bytes_written,
                               x->stack_bytes_read,
                               x->stack_bytes_written};
    cc_table_row(t);
    cc_table_str(t, x->name);
    cc_table_u64(t, x->instructions);
    for (size_t i = 0; i < CC_COUNT(figures); i++)
        cc_table_num(t, figures[i]);
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        cc_table_u64(t, counts[i]);
    cc_table_u64_if(t, all->operands, x->operands);
    cc_table_u64_if(t, all->operands, x->memory_operands);
}

static void build(const struct cc_profile *p, const struct cc_intensities *x, struct cc_result *r)
{
    char count[24];
    cc_view_caveats(p, r);
    struct cc_table *t = cc_result_table(r, "functions", cols, CC_COUNT(cols));
    for (size_t i = 0; i < x->n; i++)
        put_row(t, x, &x->functions[i]);
    put_row(t, x, &x->total);
    cc_table_row_only(t, CC_ROW_TEXT);
    put_row(cc_result_record(r, "total", cols, CC_COUNT(cols)), x, &x->total);
    if (x->hidden)
        cc_result_note(r, "%zu more function%s with %s instructions; --min-share 0 shows all", x->hidden,
                       cc_view_plural(x->hidden), cc_human_count((double)x->hidden_instructions, count));
    cc_result_gap(r);
    if (!x->operands)
        cc_result_note(r, "no operands (mor): %s", x->why);
    cc_result_gap(r);
    cc_result_note(r, "mar: memory instructions an instruction; mor: memory operands an operand; "
                      "nloc: heap and global data only");
    cc_result_note(r, "stk: part of them on the stack; flow: -1 only writes, 1 only reads; "
                      "b/acc: bytes a memory instruction");
}

static void draw(const struct cc_intensities *x, struct cc_buf *out)
{
    static const char *const legend[2] = {"part of the run", "NLOC-MAR"};
    struct cc_bar *bars = cc_alloc_array(x->n + 1, sizeof *bars);
    for (size_t i = 0; i < x->n; i++) {
        const struct cc_intensity *f = &x->functions[i];
        struct cc_bar *b = &bars[i];
        b->name = f->name;
        b->value[0] = isfinite(f->time_share) ? f->time_share : 0;
        b->value[1] = isfinite(f->nloc_mar) ? f->nloc_mar : 0;
        snprintf(b->text[0], sizeof b->text[0], "%.1f %%", 100 * b->value[0]);
        snprintf(b->text[1], sizeof b->text[1], "%.3f", b->value[1]);
    }
    char title[100] = "Accesses to heap and global data, an instruction";
    if (isfinite(x->total.nloc_mar))
        snprintf(title, sizeof title, "Accesses to heap and global data, an instruction: %.3f in all",
                 x->total.nloc_mar);
    cc_draw_bars(title, legend, bars, x->n, out);
    free(bars);
}

int cc_view_intensity(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 30, 0.001);
    struct cc_intensities *x;
    int rc = cc_intensity_build(rq->p, &filter, &x, err);
    if (rc < 0)
        return rc;
    build(rq->p, x, r);
    if (rq->svg)
        draw(x, rq->svg);
    cc_intensity_free(x);
    return 0;
}
