#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/functions/functions.h"

static void build(const struct cc_profile *p, const struct cc_amdahl *a, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"name", "function", CC_COL_STR},
        {"exclusive", NULL, CC_COL_COUNT, .unit = "instructions"},
        {"share", "share", CC_COL_PERCENT, 2, .meaning = "of the run's instructions, its own"},
        {"limit", "limit alone", CC_COL_NUM, 2,
         .meaning = "speed-up of the run if the function cost nothing"},
        {"cumulative", "with all above", CC_COL_NUM, 2,
         .meaning = "the same if all above it cost nothing too"},
    };
    cc_view_caveats(p, r);
    cc_result_note(
        r, "speed-up of the whole run if a function cost nothing, alone and together with all above it");
    struct cc_table *t = cc_result_table(r, "functions", cols, CC_COUNT(cols));
    for (size_t i = 0; i < a->n; i++) {
        const struct cc_amdahl_row *x = &a->rows[i];
        cc_table_row(t);
        cc_table_str(t, p->functions[x->function].name);
        cc_table_u64(t, p->functions[x->function].exclusive);
        cc_table_num(t, x->share);
        cc_table_num(t, x->limit);
        cc_table_num(t, x->cumulative);
    }
}

static void draw(const struct cc_profile *p, const struct cc_amdahl *a, struct cc_buf *svg)
{
    struct cc_bar *bars = cc_alloc_array(a->n + 1, sizeof *bars);
    for (size_t i = 0; i < a->n; i++) {
        const struct cc_amdahl_row *r = &a->rows[i];
        bars[i] = (struct cc_bar){p->functions[r->function].name, {r->limit, r->cumulative}, {""}};
        for (int k = 0; k < 2; k++)
            snprintf(bars[i].text[k], sizeof bars[i].text[k], "%.2f x", bars[i].value[k]);
    }
    static const char *const legend[] = {"alone", "with all above"};
    cc_draw_bars("Speed-up if a function cost nothing", legend, bars, a->n, svg);
    free(bars);
}

int cc_view_amdahl(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.01);
    struct cc_amdahl *a;
    int rc = cc_amdahl_table(rq->p, &filter, &a, err);
    if (rc < 0)
        return rc;
    build(rq->p, a, r);
    if (rq->svg)
        draw(rq->p, a, rq->svg);
    cc_amdahl_free(a);
    return 0;
}
