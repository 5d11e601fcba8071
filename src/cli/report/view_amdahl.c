#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/amdahl/amdahl.h"

static void print_json(const struct cc_profile *p, const struct cc_amdahl *a, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.amdahl", 1);
    cc_json_arr(&j, "functions");
    for (size_t i = 0; i < a->n; i++) {
        const struct cc_amdahl_row *r = &a->rows[i];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", p->functions[r->function].name);
        cc_json_u64(&j, "exclusive", p->functions[r->function].exclusive);
        cc_json_num(&j, "share", r->share);
        cc_json_num(&j, "limit", r->limit);
        cc_json_num(&j, "cumulative", r->cumulative);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_end(&j);
}

static void print_text(const struct cc_profile *p, const struct cc_amdahl *a, FILE *out)
{
    static const struct cc_col cols[] = {
        {"name", "FUNCTION", CC_COL_STR, 0},
        {"share", "SHARE", CC_COL_PERCENT, 2},
        {"limit", "LIMIT ALONE", CC_COL_NUM, 2},
        {"cumulative", "WITH ALL ABOVE", CC_COL_NUM, 2},
    };
    cc_view_caveats(p, out);
    fputs("speed-up of the whole run if a function cost nothing, alone and together with all above it\n\n",
          out);
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < a->n; i++) {
        cc_table_row(t);
        cc_table_str(t, p->functions[a->rows[i].function].name);
        cc_table_num(t, a->rows[i].share);
        cc_table_num(t, a->rows[i].limit);
        cc_table_num(t, a->rows[i].cumulative);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
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

int cc_view_amdahl(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.01);
    struct cc_amdahl *a;
    int rc = cc_amdahl_table(rq->p, &filter, &a, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(rq->p, a, rq->out);
    else if (rq->out)
        print_text(rq->p, a, rq->out);
    if (rq->svg)
        draw(rq->p, a, rq->svg);
    cc_amdahl_free(a);
    return 0;
}
