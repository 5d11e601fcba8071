#include "loops_chart.h"
#include "../../draw/svg.h"

enum { WIDTH = 960, ROW = 26, MARGIN = 16, TOP = 64 };

/* Apart for colour-blind readers: what can run at once is blue to green, what cannot is red to grey. */
static const char *const colours[CC_VERDICTS] = {
    [CC_VERDICT_PARALLEL] = "#2b7bba",   [CC_VERDICT_PRIVATE] = "#5aa5d6",
    [CC_VERDICT_REDUCTION] = "#66c2a5",  [CC_VERDICT_ORDERED] = "#e6c34a",
    [CC_VERDICT_SEQUENTIAL] = "#d1495b", [CC_VERDICT_UNKNOWN] = "#b0b0b0"};

static void legend(struct cc_svg *s)
{
    for (int i = 0; i < CC_VERDICTS; i++) {
        double x = MARGIN + i * 130;
        cc_svg_rect(s, (struct cc_box){x, 38, 12, 12}, colours[i], "none", NULL);
        cc_svg_text(s, x + 18, 48, CC_SVG_START, 12, cc_verdict_names[i]);
    }
}

static void bar(struct cc_svg *s, const struct cc_loop *l, double x, double w)
{
    CC_CLEANUP(cc_free_ptr)
    char *tip = cc_asprintf("%s in %s: %.1f %%, %s: %s", l->id, l->function, 100 * l->share,
                            cc_verdict_names[l->verdict], l->sentence ? l->sentence : "");
    double y = TOP + l->depth * ROW;
    cc_svg_rect(s, (struct cc_box){x, y, CC_MAX(w - 1, 0.5), ROW - 2}, colours[l->verdict], "none", tip);
    s->on_fill = true;
    cc_svg_text_fit(s, x + 4, y + 16, w - 8, 12, l->id);
    s->on_fill = false;
}

void cc_loops_chart(const struct cc_loop_list *l, struct cc_buf *svg)
{
    double *x = cc_alloc_array(l->v.n + 1, sizeof *x), *left = cc_alloc_array(l->v.n + 1, sizeof *left);
    double scale = WIDTH - 2 * MARGIN, top = 0;
    uint32_t deepest = 0;
    for (size_t i = 0; i < l->v.n; i++)
        deepest = CC_MAX(deepest, l->v.v[i].depth);
    struct cc_svg s = {0};
    cc_svg_begin(&s, WIDTH, TOP + (deepest + 1) * ROW + MARGIN,
                 "Loops: width is instructions, colour what could run at once");
    legend(&s);
    for (size_t i = 0; i < l->v.n; i++) {
        const struct cc_loop *y = &l->v.v[i];
        double *from = y->parent == CC_NONE ? &top : &left[y->parent];
        /* what also runs elsewhere must not stick out of the loop it is drawn in */
        double room = y->parent == CC_NONE ? 1 - top : x[y->parent] + l->v.v[y->parent].share - *from;
        double share = CC_MAX(CC_MIN(y->share, room), 0.0);
        x[i] = left[i] = *from;
        *from += share;
        if (share * scale >= 0.5)
            bar(&s, y, MARGIN + x[i] * scale, share * scale);
    }
    cc_svg_end(&s);
    *svg = s.buf;
    free(x);
    free(left);
}
