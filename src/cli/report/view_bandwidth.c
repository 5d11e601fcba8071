#include "view.h"
#include "bandwidth_chart.h"

static void json_function(struct cc_json *j, const struct cc_profile *p,
                          const struct cc_bandwidth_function *f)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "name", p->functions[f->function].name);
    cc_json_u64(j, "bytes", f->bytes);
    cc_json_u64(j, "read", f->read);
    cc_json_u64(j, "written", f->written);
    cc_json_u64(j, "stack_read", f->stack_read);
    cc_json_u64(j, "stack_written", f->stack_written);
    cc_json_u64(j, "active", f->active);
    cc_json_num(j, "average", f->average);
    cc_json_num(j, "peak", f->peak);
    cc_json_u64(j, "peak_slice", f->peak_slice);
    cc_json_arr(j, "slices");
    for (size_t i = 0; i < f->nitems; i++) {
        const struct cc_rec_slice *s = &f->items[i];
        cc_json_obj(j, NULL);
        cc_json_u64(j, "index", s->slice);
        cc_json_u64(j, "read", s->read);
        cc_json_u64(j, "written", s->written);
        cc_json_u64(j, "stack_read", s->stack_read);
        cc_json_u64(j, "stack_written", s->stack_written);
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_end(j);
}

static void json_phase(struct cc_json *j, const struct cc_profile *p, const struct cc_phase *x)
{
    cc_json_obj(j, NULL);
    cc_json_u64(j, "first", x->first);
    cc_json_u64(j, "last", x->last);
    cc_json_u64(j, "kind", x->kind);
    cc_json_u64(j, "bytes", x->bytes);
    cc_json_arr(j, "functions");
    for (size_t i = 0; i < x->nparts; i++)
        cc_json_str(j, NULL, p->functions[x->parts[i].function].name);
    cc_json_end(j);
    cc_json_arr(j, "function_bytes");
    for (size_t i = 0; i < x->nparts; i++)
        cc_json_u64(j, NULL, x->parts[i].bytes);
    cc_json_end(j);
    cc_json_end(j);
}

static void print_json(const struct cc_view_request *rq, const struct cc_bandwidth *b)
{
    struct cc_json j;
    cc_json_document(&j, rq->out, "corecast.bandwidth", 1);
    cc_json_u64(&j, "slice", b->length);
    cc_json_u64(&j, "last_slice", b->last_length);
    cc_json_u64(&j, "slices", b->nslices);
    cc_json_str(&j, "traffic", cc_traffic_names[rq->traffic]);
    cc_json_str(&j, "stack", cc_stack_part_names[rq->stack]);
    cc_json_u64(&j, "bytes", b->total);
    cc_json_arr(&j, "functions");
    for (size_t i = 0; i < b->nfunctions; i++)
        json_function(&j, rq->p, &b->functions[i]);
    cc_json_end(&j);
    cc_json_arr(&j, "phases");
    for (size_t i = 0; i < b->nphases; i++)
        json_phase(&j, rq->p, &b->phases[i]);
    cc_json_end(&j);
    cc_json_end(&j);
}

static void print_functions(const struct cc_profile *p, const struct cc_bandwidth *b, FILE *out)
{
    static const struct cc_col cols[] = {
        {"name", "FUNCTION", CC_COL_STR, 0},
        {"share", "SHARE", CC_COL_PERCENT, 1},
        {"read", "READ", CC_COL_BYTES, 0},
        {"written", "WRITTEN", CC_COL_BYTES, 0},
        {"stack", "ON STACK", CC_COL_PERCENT, 1},
        {"active", "SLICES", CC_COL_INT, 0},
        {"average", "AVG B/INSTR", CC_COL_NUM, 2},
        {"peak", "PEAK B/INSTR", CC_COL_NUM, 2},
        {"at", "AT", CC_COL_INT, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < b->nfunctions; i++) {
        const struct cc_bandwidth_function *f = &b->functions[i];
        double all = (double)f->read + (double)f->written;
        cc_table_row(t);
        cc_table_str(t, p->functions[f->function].name);
        cc_table_num(t, b->total ? (double)f->bytes / (double)b->total : 0);
        cc_table_int(t, (int64_t)f->read);
        cc_table_int(t, (int64_t)f->written);
        cc_table_num(t, all > 0 ? ((double)f->stack_read + (double)f->stack_written) / all : 0);
        cc_table_int(t, f->active);
        cc_table_num(t, f->average);
        cc_table_num(t, f->peak);
        cc_table_int(t, f->peak_slice);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

/* "f, g 30 %, h 4 %": the first without its share if it is alone. */
static char *phase_functions(const struct cc_profile *p, const struct cc_phase *x)
{
    struct cc_buf text = {0};
    for (size_t i = 0; i < x->nparts && i < 4; i++) {
        double share = (double)x->parts[i].bytes / (double)CC_MAX(x->bytes, UINT64_C(1));
        cc_buf_printf(&text, "%s%s %.0f %%", i ? ", " : "", p->functions[x->parts[i].function].name,
                      100 * share);
    }
    if (x->nparts > 4)
        cc_buf_puts(&text, ", …");
    if (!x->nparts)
        cc_buf_puts(&text, "(no traffic)");
    return text.s;
}

static void print_phases(const struct cc_profile *p, const struct cc_bandwidth *b, FILE *out)
{
    enum { MOST = 40 };
    static const struct cc_col cols[] = {
        {"phase", "PHASE", CC_COL_INT, 0},   {"kind", "KIND", CC_COL_STR, 0},
        {"first", "SLICES", CC_COL_STR, 0},  {"length", "OF RUN", CC_COL_PERCENT, 1},
        {"bytes", "BYTES", CC_COL_BYTES, 0}, {"functions", "FUNCTIONS", CC_COL_STR, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < b->nphases && i < MOST; i++) {
        const struct cc_phase *x = &b->phases[i];
        char kind[16], span[40];
        CC_CLEANUP(cc_free_ptr) char *functions = phase_functions(p, x);
        snprintf(span, sizeof span, "%u-%u", x->first, x->last);
        cc_table_row(t);
        cc_table_int(t, (int64_t)i + 1);
        cc_table_str(t, cc_phase_kind_name(x->kind, kind));
        cc_table_str(t, span);
        cc_table_num(t, (double)(x->last - x->first + 1) / (double)b->nslices);
        cc_table_int(t, (int64_t)x->bytes);
        cc_table_str(t, functions);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
    if (b->nphases > MOST)
        fprintf(out, "\n%zu more phases; --json lists all\n", b->nphases - MOST);
}

static void print_text(const struct cc_view_request *rq, const struct cc_bandwidth *b)
{
    static const char *const what[] = {"read or written", "read", "written"};
    static const char *const where[] = {"", " beside the stack", " on the stack"};
    char bytes[24], length[24];
    FILE *out = rq->out;
    cc_view_caveats(rq->p, out);
    fprintf(out, "%s %s%s, in %u slices of %s instructions\n\n", cc_human_bytes((double)b->total, bytes),
            what[rq->traffic], where[rq->stack], b->nslices, cc_human_count((double)b->length, length));
    print_functions(rq->p, b, out);
    if (b->hidden)
        fprintf(out, "\n%zu more function%s with %s; --min-share 0 shows all\n", b->hidden,
                b->hidden == 1 ? "" : "s", cc_human_bytes((double)(b->total - b->shown), bytes));
    fprintf(out, "\n%zu phase%s of %u kind%s: slices whose traffic is divided alike among the functions\n\n",
            b->nphases, b->nphases == 1 ? "" : "s", b->nkinds, b->nkinds == 1 ? "" : "s");
    print_phases(rq->p, b, out);
}

int cc_view_bandwidth(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.005);
    struct cc_bandwidth *b;
    int rc = cc_bandwidth_build(rq->p, rq->traffic, rq->stack, &filter, &b, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(rq, b);
    else if (rq->out)
        print_text(rq, b);
    if (rq->svg)
        cc_draw_bandwidth(rq->p, b, rq->traffic, rq->stack, rq->svg);
    cc_bandwidth_free(b);
    return 0;
}
