#include "view.h"
#include "../../analysis/functions/functions.h"
#include "../../draw/bars.h"

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void build(const struct cc_profile *p, const struct cc_functions *f, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "self", CC_COL_PERCENT, 1},
        {"exclusive", "self instr", CC_COL_COUNT, .unit = "instructions",
         .meaning = "instructions of the function itself"},
        {NULL, "total", CC_COL_PERCENT, 1},
        {"inclusive", "total instr", CC_COL_COUNT, .unit = "instructions",
         .meaning = "instructions of the function and of all it calls"},
        {"calls", "calls", CC_COL_INT},
        {"name", "function", CC_COL_STR},
        {"file", "where", CC_COL_STR},
        {"line", NULL, CC_COL_INT},
        {"symbol", NULL, CC_COL_STR},
        {"object", NULL, CC_COL_STR, .meaning = "the program or library it is in"},
        {"library", NULL, CC_COL_BOOL},
    };
    cc_view_caveats(p, r);
    cc_result_u64(r, "instructions", p->instructions);
    struct cc_table *t = cc_result_table(r, "functions", cols, CC_COUNT(cols));
    for (size_t i = 0; i < f->n; i++) {
        const struct cc_pfunction *x = &p->functions[f->ids[i]];
        cc_table_row(t);
        cc_table_num(t, share(x->exclusive, f->total));
        cc_table_u64(t, x->exclusive);
        cc_table_num(t, share(x->inclusive, f->total));
        cc_table_u64(t, x->inclusive);
        cc_table_u64(t, x->calls);
        cc_table_str(t, x->name);
        cc_view_place(t, p, x);
        cc_table_str(t, x->symbol);
        cc_table_str(t, x->binary == CC_NONE ? NULL : p->binaries[x->binary].path);
        cc_table_bool(t, x->library);
    }
    if (f->hidden)
        cc_result_note(r, "%zu more function%s with %.1f %% of the instructions; --min-share 0 shows all",
                       f->hidden, cc_view_plural(f->hidden), 100 * share(f->hidden_exclusive, f->total));
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

int cc_view_functions(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    if (rq->p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, rq->p->path, 0, "the profile has no functions");
    struct cc_filter filter = cc_view_filter(rq, 30, 0.001);
    struct cc_functions *f;
    int rc = cc_functions_list(rq->p, &filter, &f, err);
    if (rc < 0)
        return rc;
    build(rq->p, f, r);
    if (rq->svg)
        draw(rq->p, f, rq->svg);
    cc_functions_free(f);
    return 0;
}
