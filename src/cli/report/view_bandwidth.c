#include "view.h"
#include "bandwidth_chart.h"

static const struct cc_col slice_cols[] = {
    {"index", NULL, CC_COL_INT},           {"read", NULL, CC_COL_BYTES},
    {"written", NULL, CC_COL_BYTES},       {"stack_read", NULL, CC_COL_BYTES},
    {"stack_written", NULL, CC_COL_BYTES},
};

static const struct cc_col function_cols[] = {
    {"name", "function", CC_COL_STR},
    {NULL, "share", CC_COL_PERCENT, 1},
    {"bytes", NULL, CC_COL_BYTES, .meaning = "of the traffic that was asked for"},
    {"read", "read", CC_COL_BYTES},
    {"written", "written", CC_COL_BYTES},
    {"stack_read", NULL, CC_COL_BYTES},
    {"stack_written", NULL, CC_COL_BYTES},
    {NULL, "on stack", CC_COL_PERCENT, 1},
    {"active", "slices", CC_COL_INT, .meaning = "slices of the run in which it moves data"},
    {"average", "avg b/instr", CC_COL_NUM, 2, .unit = "bytes an instruction", .meaning = "over those slices"},
    {"peak", "peak b/instr", CC_COL_NUM, 2, .unit = "bytes an instruction"},
    {"peak_slice", "at", CC_COL_INT, .meaning = "the slice of the peak"},
    {"slices", NULL, CC_COL_TABLE, .sub = slice_cols, .nsub = CC_COUNT(slice_cols)},
};

static void put_slices(struct cc_table *t, const struct cc_bandwidth_function *f)
{
    for (size_t i = 0; i < f->nitems; i++) {
        const struct cc_rec_slice *s = &f->items[i];
        cc_table_row(t);
        cc_table_u64(t, s->slice);
        cc_table_u64(t, s->read);
        cc_table_u64(t, s->written);
        cc_table_u64(t, s->stack_read);
        cc_table_u64(t, s->stack_written);
    }
}

static void put_functions(const struct cc_profile *p, const struct cc_bandwidth *b, struct cc_result *r)
{
    struct cc_table *t = cc_result_table(r, "functions", function_cols, CC_COUNT(function_cols));
    for (size_t i = 0; i < b->nfunctions; i++) {
        const struct cc_bandwidth_function *f = &b->functions[i];
        double all = (double)f->read + (double)f->written;
        cc_table_row(t);
        cc_table_str(t, p->functions[f->function].name);
        cc_table_num(t, b->total ? (double)f->bytes / (double)b->total : 0);
        cc_table_u64(t, f->bytes);
        cc_table_u64(t, f->read);
        cc_table_u64(t, f->written);
        cc_table_u64(t, f->stack_read);
        cc_table_u64(t, f->stack_written);
        cc_table_num(t, all > 0 ? ((double)f->stack_read + (double)f->stack_written) / all : 0);
        cc_table_u64(t, f->active);
        cc_table_num(t, f->average);
        cc_table_num(t, f->peak);
        cc_table_u64(t, f->peak_slice);
        put_slices(cc_table_sub(t), f);
    }
}

/* "f 66 %, g 30 %, …" */
static void show_parts(struct cc_table *t, const struct cc_profile *p, const struct cc_phase *x)
{
    struct cc_buf text = {0};
    for (size_t i = 0; i < x->nparts && i < 4; i++) {
        double share = (double)x->parts[i].bytes / (double)CC_MAX(x->bytes, UINT64_C(1));
        cc_buf_printf(&text, "%s%s %.0f %%", i ? ", " : "", p->functions[x->parts[i].function].name,
                      100 * share);
    }
    if (x->nparts > 4)
        cc_buf_puts(&text, ", …");
    cc_table_show(t, "%s", x->nparts ? text.s : "(no traffic)");
    cc_buf_fini(&text);
}

static void put_parts(struct cc_table *t, const struct cc_profile *p, const struct cc_phase *x)
{
    cc_table_list(t);
    for (size_t i = 0; i < x->nparts; i++)
        cc_table_str(t, p->functions[x->parts[i].function].name);
    cc_table_end(t);
    show_parts(t, p, x);
    cc_table_list(t);
    for (size_t i = 0; i < x->nparts; i++)
        cc_table_u64(t, x->parts[i].bytes);
    cc_table_end(t);
}

enum { MOST_PHASES = 40 };

static void put_phases(const struct cc_profile *p, const struct cc_bandwidth *b, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "phase", CC_COL_INT},
        {"kind", "kind", CC_COL_INT, .meaning = "phases of one kind divide their traffic alike"},
        {"first", "slices", CC_COL_INT, .meaning = "from the first to the last"},
        {"last", NULL, CC_COL_INT},
        {NULL, "of run", CC_COL_PERCENT, 1},
        {"bytes", "bytes", CC_COL_BYTES},
        {"functions", "functions", CC_COL_LIST},
        {"function_bytes", NULL, CC_COL_LIST, .meaning = "bytes of each of these functions"},
    };
    struct cc_table *t = cc_result_table(r, "phases", cols, CC_COUNT(cols));
    for (size_t i = 0; i < b->nphases; i++) {
        const struct cc_phase *x = &b->phases[i];
        char kind[16];
        cc_table_row(t);
        cc_table_row_only(t, i < MOST_PHASES ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        cc_table_u64(t, i + 1);
        cc_table_u64(t, x->kind);
        cc_table_show(t, "%s", cc_phase_kind_name(x->kind, kind));
        cc_table_u64(t, x->first);
        cc_table_show(t, "%u-%u", x->first, x->last);
        cc_table_u64(t, x->last);
        cc_table_num(t, (double)(x->last - x->first + 1) / (double)b->nslices);
        cc_table_u64(t, x->bytes);
        put_parts(t, p, x);
    }
    if (b->nphases > MOST_PHASES)
        cc_result_note(r, "%zu more phases; --json lists all", b->nphases - MOST_PHASES);
}

static void put_head(const struct cc_view_request *rq, const struct cc_bandwidth *b, struct cc_result *r)
{
    static const char *const what[] = {"read or written", "read", "written"};
    static const char *const where[] = {"", " beside the stack", " on the stack"};
    char bytes[24], length[24];
    cc_view_caveats(rq->p, r);
    cc_result_u64(r, "slice", b->length);
    cc_result_u64(r, "last_slice", b->last_length);
    cc_result_u64(r, "slices", b->nslices);
    cc_result_str(r, "traffic", cc_traffic_names[rq->traffic]);
    cc_result_str(r, "stack", cc_stack_part_names[rq->stack]);
    cc_result_u64(r, "bytes", b->total);
    cc_result_note(r, "%s %s%s, in %u slices of %s instructions", cc_human_bytes((double)b->total, bytes),
                   what[rq->traffic], where[rq->stack], b->nslices,
                   cc_human_count((double)b->length, length));
}

static void build(const struct cc_view_request *rq, const struct cc_bandwidth *b, struct cc_result *r)
{
    char bytes[24];
    put_head(rq, b, r);
    put_functions(rq->p, b, r);
    if (b->hidden)
        cc_result_note(r, "%zu more function%s with %s; --min-share 0 shows all", b->hidden,
                       cc_view_plural(b->hidden), cc_human_bytes((double)(b->total - b->shown), bytes));
    cc_result_gap(r);
    cc_result_note(r, "%zu phase%s of %u kind%s: slices whose traffic is divided alike among the functions",
                   b->nphases, cc_view_plural(b->nphases), b->nkinds, cc_view_plural(b->nkinds));
    put_phases(rq->p, b, r);
}

int cc_view_bandwidth(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.005);
    struct cc_bandwidth *b;
    int rc = cc_bandwidth_build(rq->p, rq->traffic, rq->stack, &filter, &b, err);
    if (rc < 0)
        return rc;
    build(rq, b, r);
    if (rq->svg)
        cc_draw_bandwidth(rq->p, b, rq->traffic, rq->stack, rq->svg);
    cc_bandwidth_free(b);
    return 0;
}
