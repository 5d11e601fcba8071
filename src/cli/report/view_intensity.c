/* Memory access intensity. */
#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/intensity/intensity.h"

#include <math.h>

static void json_figures(struct cc_json *j, const struct cc_intensity *x)
{
    cc_json_str(j, "name", x->name);
    cc_json_u64(j, "instructions", x->instructions);
    const struct {
        const char *key;
        double v;
    } figures[] = {{"time_share", x->time_share},
                   {"mar", x->mar},
                   {"nloc_mar", x->nloc_mar},
                   {"mor", x->mor},
                   {"nloc_mor", x->nloc_mor},
                   {"stk_ratio", x->stk_ratio},
                   {"flow_ratio", x->flow_ratio},
                   {"nloc_flow_ratio", x->nloc_flow_ratio},
                   {"bytewise_stk_ratio", x->bytewise_stk_ratio},
                   {"bytes_per_access", x->bytes_per_access}};
    for (size_t i = 0; i < CC_COUNT(figures); i++)
        cc_json_num(j, figures[i].key, figures[i].v);
    const struct {
        const char *key;
        uint64_t v;
    } counts[] = {{"memory_instructions", x->memory},
                  {"stack_instructions", x->stack},
                  {"other_instructions", x->other},
                  {"reads", x->reads},
                  {"writes", x->writes},
                  {"stack_reads", x->stack_reads},
                  {"stack_writes", x->stack_writes},
                  {"bytes_read", x->bytes_read},
                  {"bytes_written", x->bytes_written},
                  {"stack_bytes_read", x->stack_bytes_read},
                  {"stack_bytes_written", x->stack_bytes_written}};
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        cc_json_u64(j, counts[i].key, counts[i].v);
}

static void json_operands(struct cc_json *j, const struct cc_intensities *x, const struct cc_intensity *f)
{
    if (x->operands) {
        cc_json_u64(j, "operands", f->operands);
        cc_json_u64(j, "memory_operands", f->memory_operands);
    } else {
        cc_json_null(j, "operands");
        cc_json_null(j, "memory_operands");
    }
}

static void print_json(const struct cc_intensities *x, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.intensity", 1);
    cc_json_arr(&j, "functions");
    for (size_t i = 0; i < x->n; i++) {
        cc_json_obj(&j, NULL);
        json_figures(&j, &x->functions[i]);
        json_operands(&j, x, &x->functions[i]);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_obj(&j, "total");
    json_figures(&j, &x->total);
    json_operands(&j, x, &x->total);
    cc_json_end(&j);
    cc_json_end(&j);
}

static void put_row(struct cc_table *t, const struct cc_intensity *x)
{
    cc_table_row(t);
    cc_table_str(t, x->name);
    cc_table_num(t, x->time_share);
    const double figures[] = {x->mar,
                              x->nloc_mar,
                              x->mor,
                              x->nloc_mor,
                              x->stk_ratio,
                              x->flow_ratio,
                              x->nloc_flow_ratio,
                              x->bytewise_stk_ratio,
                              x->bytes_per_access};
    for (size_t i = 0; i < CC_COUNT(figures); i++)
        cc_table_num(t, figures[i]);
}

static void print_text(const struct cc_profile *p, const struct cc_intensities *x, FILE *out)
{
    static const struct cc_col cols[] = {
        {"name", "FUNCTION", CC_COL_STR, 0},
        {"time_share", "TIME", CC_COL_PERCENT, 1},
        {"mar", "MAR", CC_COL_NUM, 3},
        {"nloc_mar", "NLOC-MAR", CC_COL_NUM, 3},
        {"mor", "MOR", CC_COL_NUM, 3},
        {"nloc_mor", "NLOC-MOR", CC_COL_NUM, 3},
        {"stk_ratio", "STK", CC_COL_NUM, 3},
        {"flow_ratio", "FLOW", CC_COL_NUM, 3},
        {"nloc_flow_ratio", "NLOC-FLOW", CC_COL_NUM, 3},
        {"bytewise_stk_ratio", "STK BYTES", CC_COL_NUM, 3},
        {"bytes_per_access", "B/ACC", CC_COL_NUM, 2},
    };
    cc_view_caveats(p, out);
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < x->n; i++)
        put_row(t, &x->functions[i]);
    put_row(t, &x->total);
    cc_table_print_text(t, out);
    cc_table_free(t);
    char count[24];
    if (x->hidden)
        fprintf(out, "\n%zu more function%s with %s instructions; --min-share 0 shows all\n", x->hidden,
                x->hidden == 1 ? "" : "s", cc_human_count((double)x->hidden_instructions, count));
    if (!x->operands) {
        fputs("\nno operands (MOR): ", out);
        cc_text_print_safe(out, x->why);
        fputc('\n', out);
    }
    fputs("\nMAR: memory instructions an instruction; MOR: memory operands an operand; NLOC: heap and global "
          "data "
          "only\nSTK: part of them on the stack; FLOW: -1 only writes, 1 only reads; B/ACC: bytes a memory "
          "instruction\n",
          out);
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

int cc_view_intensity(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 30, 0.001);
    struct cc_intensities *x;
    int rc = cc_intensity_build(rq->p, &filter, &x, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(x, rq->out);
    else if (rq->out)
        print_text(rq->p, x, rq->out);
    if (rq->svg)
        draw(x, rq->svg);
    cc_intensity_free(x);
    return 0;
}
