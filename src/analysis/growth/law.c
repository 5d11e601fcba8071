#include "law.h"
#include "../../base/text.h"

#include <math.h>

double cc_shape_at(enum cc_shape shape, double x)
{
    double log = log2(fmax(x, 1));
    switch (shape) {
    case CC_SHAPE_LOG:
        return log;
    case CC_SHAPE_ROOT:
        return sqrt(fmax(x, 0));
    case CC_SHAPE_N:
        return x;
    case CC_SHAPE_N_LOG:
        return x * log;
    case CC_SHAPE_N_ROOT:
        return x * sqrt(fmax(x, 0));
    case CC_SHAPE_SQUARE:
        return x * x;
    case CC_SHAPE_SQUARE_LOG:
        return x * x * log;
    case CC_SHAPE_CUBE:
        return x * x * x;
    case CC_SHAPES:
        break;
    }
    return NAN;
}

static double term_at(const struct cc_term *t, const double *x)
{
    double v = 1;
    for (size_t i = 0; i < t->n; i++)
        v *= cc_shape_at((enum cc_shape)t->shape[i], x[t->variable[i]]);
    return v;
}

static double law_at(const struct cc_law *l, const double *x)
{
    double v = l->constant;
    for (size_t i = 0; i < l->n; i++)
        v += l->coefficient[i] * term_at(&l->term[i], x);
    return fmax(v, 0); /* figures are counts */
}

double cc_growth_at(const struct cc_growth *g, const double *x, const uint32_t *category)
{
    if (g->npieces == 1)
        return law_at(&g->piece[0], x);
    size_t piece = g->mode ? category[g->by] : x[g->by] > g->threshold;
    return piece < g->npieces ? law_at(&g->piece[piece], x) : NAN;
}

double cc_growth_bound(const struct cc_growth *g, double at)
{
    return at + g->above * fmax(at, g->scale);
}

/* --- text --- */

static const char *const shape_texts[CC_SHAPES] = {"log %s", "sqrt %s", "%s",          "%s log %s",
                                                   "%s^1.5", "%s^2",    "%s^2 log %s", "%s^3"};

static void put_term(struct cc_buf *b, const struct cc_term *t, const char *const *names)
{
    for (size_t i = 0; i < t->n; i++) {
        const char *name = names[t->variable[i]];
        cc_buf_puts(b, i ? " * " : "");
        for (const char *s = shape_texts[t->shape[i]]; *s; s++)
            if (s[0] == '%') {
                cc_buf_puts(b, name);
                s++;
            } else {
                cc_buf_add(b, s, 1);
            }
    }
}

char *cc_law_text(const struct cc_law *l, const char *const *names)
{
    struct cc_buf b = {0};
    if (l->constant != 0 || l->n == 0)
        cc_buf_printf(&b, "%.4g", l->constant);
    for (size_t i = 0; i < l->n; i++) {
        const char *sign = l->coefficient[i] < 0 ? "- " : b.n ? "+ " : "";
        cc_buf_printf(&b, "%s%s%.4g ", b.n ? " " : "", sign, fabs(l->coefficient[i]));
        put_term(&b, &l->term[i], names);
    }
    return b.s;
}

char *cc_growth_when(const struct cc_growth *g, const struct cc_controls *c, size_t piece)
{
    if (g->mode)
        return cc_asprintf("%s = %s", c->names[g->by], c->texts[g->by][piece]);
    return cc_asprintf("%s %s %.4g", c->names[g->by], piece ? ">" : "<=", g->threshold);
}

char *cc_growth_text(const struct cc_growth *g, const struct cc_controls *c)
{
    struct cc_buf b = {0};
    for (size_t p = 0; p < g->npieces; p++) {
        CC_CLEANUP(cc_free_ptr) char *law = cc_law_text(&g->piece[p], c->names);
        CC_CLEANUP(cc_free_ptr) char *when = g->npieces > 1 ? cc_growth_when(g, c, p) : NULL;
        cc_buf_printf(&b, "%s%s%s%s", p ? "; " : "", law, when ? " if " : "", when ? when : "");
    }
    return b.s;
}

double cc_term_order(const struct cc_term *t)
{
    static const double power[CC_SHAPES] = {0.1, 0.5, 1, 1.1, 1.5, 2, 2.1, 3};
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += power[t->shape[i]];
    return sum;
}

char *cc_law_order(const struct cc_law *l, const char *const *names)
{
    const struct cc_term *most = NULL;
    for (size_t i = 0; i < l->n; i++)
        if (!most || cc_term_order(&l->term[i]) > cc_term_order(most))
            most = &l->term[i];
    if (!most)
        return cc_strdup("constant");
    struct cc_buf b = {0};
    put_term(&b, most, names);
    return b.s;
}
