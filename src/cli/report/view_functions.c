#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/functions/functions.h"

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void print_json(const struct cc_profile *p, const struct cc_functions *f, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.functions", 1);
    cc_json_u64(&j, "instructions", p->instructions);
    cc_json_arr(&j, "functions");
    for (size_t i = 0; i < f->n; i++) {
        const struct cc_pfunction *x = &p->functions[f->ids[i]];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", x->name);
        cc_json_str(&j, "symbol", x->symbol);
        cc_json_str(&j, "file", x->file);
        if (x->line)
            cc_json_u64(&j, "line", x->line);
        else
            cc_json_null(&j, "line");
        cc_json_str(&j, "object", x->binary == CC_NONE ? NULL : p->binaries[x->binary].path);
        cc_json_bool(&j, "library", x->library);
        cc_json_u64(&j, "calls", x->calls);
        cc_json_u64(&j, "inclusive", x->inclusive);
        cc_json_u64(&j, "exclusive", x->exclusive);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_end(&j);
}

static void print_text(const struct cc_profile *p, const struct cc_functions *f, FILE *out)
{
    static const struct cc_col cols[] = {
        {"share", "SELF", CC_COL_PERCENT, 1},  {"exclusive", "SELF INSTR", CC_COL_COUNT, 0},
        {"total", "TOTAL", CC_COL_PERCENT, 1}, {"inclusive", "TOTAL INSTR", CC_COL_COUNT, 0},
        {"calls", "CALLS", CC_COL_INT, 0},     {"name", "FUNCTION", CC_COL_STR, 0},
        {"place", "WHERE", CC_COL_STR, 0},
    };
    cc_view_caveats(p, out);
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < f->n; i++) {
        const struct cc_pfunction *x = &p->functions[f->ids[i]];
        char place[256];
        cc_table_row(t);
        cc_table_num(t, share(x->exclusive, f->total));
        cc_table_int(t, (int64_t)x->exclusive);
        cc_table_num(t, share(x->inclusive, f->total));
        cc_table_int(t, (int64_t)x->inclusive);
        cc_table_int(t, (int64_t)x->calls);
        cc_table_str(t, x->name);
        cc_table_str(t, cc_view_place(p, x, place, sizeof place));
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
    if (f->hidden)
        fprintf(out, "\n%zu more function%s with %.1f %% of the instructions; --min-share 0 shows all\n",
                f->hidden, f->hidden == 1 ? "" : "s", 100 * share(f->hidden_exclusive, f->total));
}

static void draw(const struct cc_profile *p, const struct cc_functions *f, struct cc_buf *svg)
{
    struct cc_bar *bars = cc_alloc_array(f->n + 1, sizeof *bars);
    for (size_t i = 0; i < f->n; i++) {
        const struct cc_pfunction *x = &p->functions[f->ids[i]];
        bars[i] =
            (struct cc_bar){x->name, {share(x->exclusive, f->total), share(x->inclusive, f->total)}, {""}};
        snprintf(bars[i].text[0], sizeof bars[i].text[0], "%.1f %%", 100 * bars[i].value[0]);
        snprintf(bars[i].text[1], sizeof bars[i].text[1], "%.1f %%", 100 * bars[i].value[1]);
    }
    static const char *const legend[] = {"self", "total (with callees)"};
    cc_draw_bars("Instructions by function", legend, bars, f->n, svg);
    free(bars);
}

int cc_view_functions(const struct cc_view_request *rq, struct cc_err *err)
{
    if (rq->p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, rq->p->path, 0, "the profile has no functions");
    struct cc_filter filter = cc_view_filter(rq, 30, 0.001);
    struct cc_functions *f;
    int rc = cc_functions_list(rq->p, &filter, &f, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(rq->p, f, rq->out);
    else if (rq->out)
        print_text(rq->p, f, rq->out);
    if (rq->svg)
        draw(rq->p, f, rq->svg);
    cc_functions_free(f);
    return 0;
}
