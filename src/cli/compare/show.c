/* Differences as tables, sentences and a chart. */
#include "compare.h"
#include "../../draw/bars.h"

#include <inttypes.h>
#include <math.h>

bool cc_compare_shows(const struct cc_compare_shown *how, const struct cc_difference *d)
{
    return d->weight >= how->min_share && (how->all || d->differs || d->noise);
}

/* "+12.3 %", "new", "gone" */
static void show_change(struct cc_table *t, const struct cc_difference *d, size_t i)
{
    double x = d->change[i];
    cc_table_num(t, x);
    if (!d->a || !d->b)
        cc_table_show(t, "%s", d->a ? "gone" : "new");
    else if (isinf(x))
        cc_table_show(t, "from 0");
    else if (x == 0)
        cc_table_show(t, "same");
    else if (!isnan(x))
        cc_table_show(t, fabs(x) < 0.0005 ? "%+.4f %%" : fabs(x) < 10 ? "%+.1f %%" : "%+.0f %%", 100 * x);
}

static void put_value(struct cc_table *t, const struct cc_subject *x, size_t i)
{
    if (x)
        cc_table_num(t, x->value[i]);
    else
        cc_table_null(t);
}

static const char *note_of(const struct cc_difference *d)
{
    if (d->noise)
        return "noise";
    return !d->a || !d->b                   ? NULL
           : d->how == CC_MATCH_RENAMED     ? "renamed"
           : strcmp(d->a->name, d->b->name) ? "moved"
                                            : NULL;
}

static void put_row(struct cc_table *t, const struct cc_difference *d, size_t nfigures)
{
    cc_table_row(t);
    cc_table_str(t, cc_difference_name(d));
    cc_table_str(t, d->a && d->b && strcmp(d->a->name, d->b->name) != 0 ? d->a->name : NULL);
    put_value(t, d->a, 0);
    put_value(t, d->b, 0);
    show_change(t, d, 0);
    for (size_t i = 1; i < nfigures; i++) {
        put_value(t, d->a, i);
        put_value(t, d->b, i);
        show_change(t, d, i);
    }
    cc_table_num(t, d->weight);
    cc_table_str(t, note_of(d));
    const struct cc_subject *x = d->b ? d->b : d->a;
    cc_table_place(t, x->file, x->line);
}

static enum cc_col_type type_of(const struct cc_figure *f)
{
    return strcmp(f->unit, "bytes") == 0 ? CC_COL_BYTES : CC_COL_COUNT;
}

/* name, a, b, change of the first figure; the others as objects of that form. */
static struct cc_table *new_table(struct cc_result *r, const struct cc_subject_info *info)
{
    struct cc_col cols[8 + 3 * CC_FIGURES];
    char keys[CC_FIGURES][3][32];
    static const char *const parts[] = {"a", "b", "change"};
    size_t n = 0;
    enum cc_col_type type = type_of(&info->figures[0]);
    const char *unit = info->figures[0].unit;
    cols[n++] = (struct cc_col){"name", info->name, CC_COL_STR, .wrap = 44};
    cols[n++] = (struct cc_col){"was", NULL, CC_COL_STR, .meaning = "its name in a, if another"};
    cols[n++] = (struct cc_col){"a", "a", type, .unit = unit};
    cols[n++] = (struct cc_col){"b", "b", type, .unit = unit};
    cols[n++] = (struct cc_col){"change", info->figures[0].name, CC_COL_PERCENT, 1, .meaning = "(b - a) / a"};
    for (size_t i = 1; i < info->nfigures; i++)
        for (int k = 0; k < 3; k++) {
            snprintf(keys[i][k], sizeof keys[i][k], "%s.%s", info->figures[i].name, parts[k]);
            cols[n++] = (struct cc_col){keys[i][k], k == 2 ? info->figures[i].name : NULL,
                                        k == 2 ? CC_COL_PERCENT : type_of(&info->figures[i]), 1,
                                        .unit = k == 2 ? NULL : info->figures[i].unit};
        }
    cols[n++] = (struct cc_col){"share", NULL, CC_COL_PERCENT, 1,
                                .meaning = "of all of its kind, the larger of both"};
    cols[n++] = (struct cc_col){"note", "", CC_COL_STR};
    cols[n++] = (struct cc_col){"file", NULL, CC_COL_STR};
    cols[n++] = (struct cc_col){"line", NULL, CC_COL_INT};
    return cc_result_table(r, info->plural, cols, n);
}

static void put_kind(const struct cc_comparison *c, enum cc_subject_kind kind,
                     const struct cc_compare_shown *how, struct cc_result *r)
{
    const struct cc_subject_info *info = &cc_subject_infos[kind];
    size_t rows = 0, more = 0;
    struct cc_table *t = new_table(r, info);
    for (size_t i = 0; i < c->of[kind].n; i++) {
        const struct cc_difference *d = &c->of[kind].v[i];
        if (d->weight < how->min_share || (how->most && cc_table_rows(t) == how->most))
            continue;
        put_row(t, d, info->nfigures);
        bool shown = cc_compare_shows(how, d) && rows < how->top;
        if (!shown)
            cc_table_row_only(t, CC_ROW_DATA);
        rows += shown;
        more += !shown && cc_compare_shows(how, d);
    }
    if (more)
        cc_result_note(r, "%zu more %s differ", more, info->plural);
}

static void put_counts(const struct cc_comparison *c, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"kind", "of", CC_COL_STR},
        {"same", "same", CC_COL_INT, .meaning = "all figures equal, or equal but for noise"},
        {"differ", "differ", CC_COL_INT},
        {"only_a", "only in a", CC_COL_INT},
        {"only_b", "only in b", CC_COL_INT},
    };
    struct cc_table *t = cc_result_table(r, "kinds", cols, CC_COUNT(cols));
    for (int k = CC_OF_FUNCTION; k < CC_OFS; k++) {
        size_t only[2] = {0};
        if (c->of[k].n == 0)
            continue;
        for (size_t i = 0; i < c->of[k].n; i++) {
            only[0] += !c->of[k].v[i].b;
            only[1] += !c->of[k].v[i].a;
        }
        cc_table_row(t);
        cc_table_str(t, cc_subject_infos[k].plural);
        cc_table_u64(t, c->same[k]);
        cc_table_u64(t, c->of[k].n - c->same[k] - only[0] - only[1]);
        cc_table_u64(t, only[0]);
        cc_table_u64(t, only[1]);
    }
}

/* What could not be matched: streams and flows follow their ends. */
static void put_unmatched(const struct cc_comparison *c, struct cc_result *r)
{
    cc_result_obj(r, "unmatched");
    for (int side = 0; side < 2; side++) {
        cc_result_arr(r, side ? "b" : "a");
        for (int k = CC_OF_FUNCTION; k < CC_OFS; k++)
            for (size_t i = 0; k != CC_OF_STREAM && k != CC_OF_FLOW && i < c->of[k].n; i++) {
                const struct cc_difference *d = &c->of[k].v[i];
                if (side ? !d->a : !d->b)
                    cc_result_str(r, NULL, cc_difference_name(d));
            }
        cc_result_end(r);
    }
    cc_result_end(r);
}

char *cc_compare_sentence(const struct cc_broken *b)
{
    const struct cc_difference *d = b->d;
    const struct cc_subject_info *info = &cc_subject_infos[b->condition->kind];
    size_t f = b->condition->figure;
    if (b->condition->on >= CC_ON_NEW)
        return cc_asprintf("%s %s is %s", info->name, cc_difference_name(d),
                           b->condition->on == CC_ON_NEW ? "new" : "gone");
    char change[32] = "";
    if (d->a && d->b && isfinite(d->change[f]))
        snprintf(change, sizeof change, " (%+.3g %%)", 100 * d->change[f]);
    return cc_asprintf("%s %s: %s %.15g -> %.15g%s", info->name, cc_difference_name(d), info->figures[f].name,
                       d->a ? d->a->value[f] : 0, d->b ? d->b->value[f] : 0, change);
}

static void put_failed(const struct cc_verdicts *v, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"condition", "condition", CC_COL_STR},
        {"subject", NULL, CC_COL_STR},
        {"sentence", "of", CC_COL_STR, .wrap = 60},
    };
    cc_result_arr(r, "failed");
    for (size_t i = 0; i < v->nconditions; i++)
        for (size_t k = 0; k < v->broken.n; k++)
            if (v->broken.v[k].condition == &v->conditions[i]) {
                cc_result_str(r, NULL, v->conditions[i].text);
                break;
            }
    cc_result_end(r);
    if (v->nconditions == 0)
        return;
    enum { MOST = 20 };
    struct cc_table *t = cc_result_table(r, "violations", cols, CC_COUNT(cols));
    for (size_t i = 0; i < v->broken.n; i++) {
        CC_CLEANUP(cc_free_ptr) char *sentence = cc_compare_sentence(&v->broken.v[i]);
        cc_table_row(t);
        cc_table_str(t, v->broken.v[i].condition->text);
        cc_table_str(t, cc_difference_name(v->broken.v[i].d));
        cc_table_str(t, sentence);
        if (i >= MOST)
            cc_table_row_only(t, CC_ROW_DATA);
    }
    if (v->broken.n > MOST)
        cc_result_note(r, "and %zu more", v->broken.n - MOST);
    if (v->broken.n == 0)
        cc_result_note(r, "%zu condition%s: none holds", v->nconditions, v->nconditions == 1 ? "" : "s");
}

static bool identical(const struct cc_comparison *c)
{
    for (int k = 0; k < CC_OFS; k++)
        if (c->same[k] != c->of[k].n)
            return false;
    return true;
}

void cc_compare_result(const struct cc_verdicts *v, const struct cc_compare_shown *how, struct cc_result *r)
{
    const struct cc_comparison *c = v->c;
    cc_result_str(r, "a", c->a->path);
    cc_result_str(r, "b", c->b->path);
    cc_result_fact(r, "a", "%s", c->a->path);
    cc_result_fact(r, "b", "%s", c->b->path);
    cc_result_bool(r, "identical", identical(c));
    cc_result_arr(r, "limits");
    for (size_t i = 0; i < c->limits.n; i++)
        cc_result_str(r, NULL, c->limits.v[i]);
    cc_result_end(r);
    for (size_t i = 0; i < c->limits.n; i++)
        cc_result_note(r, "note: %s", c->limits.v[i]);
    if (identical(c))
        cc_result_note(r, "every figure is the same");
    struct cc_compare_shown run = *how;
    run.all = true;
    put_kind(c, CC_OF_RUN, &run, r);
    put_counts(c, r);
    for (int k = CC_OF_FUNCTION; k < CC_OFS; k++)
        if (how->only < 0 || how->only == k)
            put_kind(c, (enum cc_subject_kind)k, how, r);
    put_unmatched(c, r);
    put_failed(v, r);
}

/* --- chart --- */

void cc_compare_chart(const struct cc_comparison *c, const struct cc_compare_shown *how, struct cc_buf *svg)
{
    enum { MOST = 24 };
    enum cc_subject_kind kind = how->only > 0 ? (enum cc_subject_kind)how->only : CC_OF_FUNCTION;
    const struct cc_subject_info *info = &cc_subject_infos[kind];
    struct cc_bar bars[MOST];
    size_t n = 0;
    for (size_t i = 0; i < c->of[kind].n && n < CC_MIN(how->top, (size_t)MOST); i++) {
        const struct cc_difference *d = &c->of[kind].v[i];
        if (!cc_compare_shows(how, d))
            continue;
        bars[n] = (struct cc_bar){.name = cc_difference_name(d)};
        for (int k = 0; k < 2; k++) {
            const struct cc_subject *x = k ? d->b : d->a;
            bars[n].value[k] = x && isfinite(x->value[0]) ? x->value[0] : 0;
            if (type_of(&info->figures[0]) == CC_COL_BYTES)
                cc_human_bytes(bars[n].value[k], bars[n].text[k]);
            else
                cc_human_count(bars[n].value[k], bars[n].text[k]);
        }
        n++;
    }
    CC_CLEANUP(cc_free_ptr)
    char *title = cc_asprintf("%s of %s that changed most", info->figures[0].name, info->plural);
    const char *const legend[2] = {cc_text_base(c->a->path), cc_text_base(c->b->path)};
    cc_draw_bars(title, legend, bars, n, svg);
}
