/* Instruction classes by function, region and task. */
#include "view.h"
#include "../../analysis/classes/classes.h"

#include <math.h>

struct row {
    const char *name;
    const struct cc_class_counts *c;
};

struct rows {
    const char *key, *title; /* "functions", "function" */
    CC_VEC(struct row) v;    /* heaviest first */
    size_t hidden;
    uint64_t hidden_instructions;
};

static int by_weight(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->c->instructions != y->c->instructions)
        return x->c->instructions > y->c->instructions ? -1 : 1;
    return x->c < y->c ? -1 : 1; /* as in the profile */
}

static void keep_some(struct rows *r, const struct cc_filter *filter, uint64_t total)
{
    size_t n = 0;
    if (r->v.n)
        qsort(r->v.v, r->v.n, sizeof *r->v.v, by_weight);
    for (size_t i = 0; i < r->v.n; i++) {
        uint64_t weight = r->v.v[i].c->instructions;
        bool shown = filter->focus || (double)weight >= filter->min_share * (double)total;
        if (shown && (!filter->top || n < filter->top)) {
            r->v.v[n++] = r->v.v[i];
        } else {
            r->hidden++;
            r->hidden_instructions += weight;
        }
    }
    r->v.n = n;
}

static int functions_of(const struct cc_profile *p, const struct cc_classes *c,
                        const struct cc_filter *filter, struct rows *ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    int rc = filter->focus ? cc_names_focus_functions(filter->focus, p, match, err) : 0;
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < c->nfunctions; i++)
        if (filter->focus ? match[i] : c->functions[i].instructions > 0)
            CC_VEC_PUSH(&ret->v, (struct row){p->functions[i].name, &c->functions[i]});
    keep_some(ret, filter, c->total.instructions);
    return 0;
}

/* A focus means functions. */
static void groups_of(const struct cc_class_group *groups, size_t n, const struct cc_classes *c,
                      const struct cc_filter *filter, struct rows *ret)
{
    struct cc_filter f = {filter->top, filter->min_share, NULL};
    for (size_t i = 0; i < n; i++)
        if (groups[i].counts.instructions)
            CC_VEC_PUSH(&ret->v, (struct row){groups[i].name, &groups[i].counts});
    keep_some(ret, &f, c->total.instructions);
}

/* Counts of a class are data, shares are what a person reads; hence two columns each. */
static const struct cc_col columns[] = {
    {NULL, "share", CC_COL_PERCENT, 1},
    {"instructions", "instr", CC_COL_COUNT},
    {"profile.s_int", "s_int", CC_COL_PERCENT, 1, .meaning = "simple integer, of what computes"},
    {"profile.m_int", "m_int", CC_COL_PERCENT, 1, .meaning = "integer multiplication"},
    {"profile.float", "float", CC_COL_PERCENT, 1},
    {"profile.specific", "specific", CC_COL_PERCENT, 1, .meaning = "division, square root, ciphers"},
    {"profile.branch", "branch", CC_COL_PERCENT, 1},
    {"profile.address", "address", CC_COL_PERCENT, 1, .meaning = "address computation"},
    {"s_int", NULL, CC_COL_COUNT},
    {"m_int", NULL, CC_COL_COUNT},
    {"float", NULL, CC_COL_COUNT},
    {"specific", NULL, CC_COL_COUNT},
    {"branch", NULL, CC_COL_COUNT},
    {"address", NULL, CC_COL_COUNT},
    {"memory", "memory", CC_COL_COUNT, .meaning = "instructions that access memory"},
    {NULL, "other", CC_COL_COUNT},
    {"other", NULL, CC_COL_COUNT, .meaning = "instructions of no class"},
    {"unknown", NULL, CC_COL_COUNT, .meaning = "instructions that could not be decoded"},
    {"combined", NULL, CC_COL_COUNT, .meaning = "instructions that count in two classes"},
    {"operands", NULL, CC_COL_COUNT},
    {"memory_operands", NULL, CC_COL_COUNT},
    {"intensity", "intensity", CC_COL_NUM, 2,
     .meaning = "instructions that compute for each that accesses memory"},
    {"name", NULL, CC_COL_STR},
};
enum { COLUMNS = CC_COUNT(columns) };

static void put_row(struct cc_table *t, const struct cc_class_counts *c, uint64_t total, const char *name)
{
    cc_table_row(t);
    cc_table_num(t, total ? (double)c->instructions / (double)total : NAN);
    cc_table_u64(t, c->instructions);
    for (size_t k = 0; k < CC_MEMORY; k++)
        cc_table_num(t, cc_class_share(c, (enum cc_class)k));
    for (size_t k = 0; k < CC_CLASSES; k++)
        cc_table_u64(t, c->n[k]);
    cc_table_u64(t, c->other + c->unknown);
    cc_table_u64(t, c->other);
    cc_table_u64(t, c->unknown);
    cc_table_u64(t, c->combined);
    cc_table_u64(t, c->operands);
    cc_table_u64(t, c->memory_operands);
    cc_table_num(t, cc_class_intensity(c));
    if (name)
        cc_table_str(t, name);
    else
        cc_table_absent(t);
}

static void put_table(const struct rows *rows, const struct cc_class_counts *total, bool text,
                      struct cc_result *r)
{
    struct cc_col cols[COLUMNS];
    memcpy(cols, columns, sizeof cols);
    cols[COLUMNS - 1].title = rows->title;
    for (size_t k = 0; k < COLUMNS && !text; k++)
        cols[k].title = NULL;
    struct cc_table *t = cc_result_table(r, rows->key, cols, COLUMNS);
    for (size_t i = 0; i < rows->v.n; i++)
        put_row(t, rows->v.v[i].c, total->instructions, rows->v.v[i].name);
    if (rows->v.n > 1) {
        put_row(t, total, total->instructions, "(whole run)");
        cc_table_row_only(t, CC_ROW_TEXT);
    }
    if (rows->hidden && rows->v.n && text)
        cc_result_note(
            r, "%zu more with %.1f %% of the instructions; --min-share 0 shows all", rows->hidden,
            total->instructions ? 100 * (double)rows->hidden_instructions / (double)total->instructions : 0);
}

static void build(const struct cc_view_request *rq, const struct cc_classes *c, const struct rows *rows,
                  size_t n, struct cc_result *r)
{
    cc_view_caveats(rq->p, r);
    if (c->cut)
        cc_result_note(r, "note: more code ran than a profile keeps; these are the counts of what it kept");
    cc_result_str(r, "isa", rq->p->isa);
    cc_result_bool(r, "complete", !c->cut);
    put_row(cc_result_record(r, "total", columns, COLUMNS), &c->total, c->total.instructions, NULL);
    for (size_t k = 0; k < n; k++)
        put_table(&rows[k], &c->total, k > 0 || rq->by != CC_LEVEL_REGION, r);
    cc_result_gap(r);
    if (c->total.unknown && c->total.instructions)
        cc_result_note(r, "%.2g %% of the instructions could not be decoded; they are under other",
                       100 * (double)c->total.unknown / (double)c->total.instructions);
    cc_result_gap(r);
    cc_result_note(r,
                   "classes: shares of the instructions that compute; memory: instructions that access it, "
                   "whether they compute or not;");
    cc_result_note(r,
                   "other: none of these (nop, barrier, system call); intensity: instructions that compute "
                   "for each that accesses memory");
}

enum { WIDTH = 980, NAMES = 230, FIGURES = 190, TOP = 74, ROW = 24, PARTS = CC_CLASSES + 2, MAX_BARS = 200 };

static const char *part_color(size_t k)
{
    size_t grey = 6; /* of the palette; memory takes the colour after it */
    return k < CC_CLASSES    ? cc_svg_color(k < grey ? k : k + 1)
           : k == CC_CLASSES ? cc_svg_color(grey)
                             : "#e8e8e8";
}

static const char *part_name(size_t k)
{
    return k < CC_CLASSES ? cc_class_names[k] : k == CC_CLASSES ? "other" : "unknown";
}

static void draw_row(struct cc_svg *s, double y, const struct row *r, uint64_t total)
{
    double sum = 0, x = NAMES, room = WIDTH - NAMES - FIGURES, counts[PARTS];
    for (size_t k = 0; k < PARTS; k++)
        sum += counts[k] = (double)(k < CC_CLASSES    ? r->c->n[k]
                                    : k == CC_CLASSES ? r->c->other
                                                      : r->c->unknown);
    cc_svg_text_fit(s, 16, y + 14, NAMES - 26, 12, r->name);
    for (size_t k = 0; k < PARTS && sum > 0; k++) {
        double w = room * counts[k] / sum;
        CC_CLEANUP(cc_free_ptr)
        char *tip =
            cc_asprintf("%s: %.0f %s, %.1f %%", r->name, counts[k], part_name(k), 100 * counts[k] / sum);
        if (counts[k] > 0)
            cc_svg_rect(s, (struct cc_box){x, y, w, ROW - 6}, part_color(k), "none", tip);
        x += w;
    }
    char text[64];
    snprintf(text, sizeof text, "%.1f %%", total ? 100 * (double)r->c->instructions / (double)total : 0);
    cc_svg_text(s, WIDTH - FIGURES + 70, y + 14, CC_SVG_END, 12, text);
    double intensity = cc_class_intensity(r->c);
    snprintf(text, sizeof text, "%.2f", intensity);
    cc_svg_text(s, WIDTH - FIGURES + 150, y + 14, CC_SVG_END, 12, isnan(intensity) ? "no access" : text);
}

static void draw(const struct cc_classes *c, const struct rows *rows, struct cc_buf *svg)
{
    size_t n = CC_MIN(rows->v.n, (size_t)MAX_BARS);
    CC_CLEANUP(cc_free_ptr) char *title = cc_asprintf("Instruction classes of the %s", rows->key);
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, TOP + ROW * (double)n + 16, title);
    cc_svg_text(&s, 16, 24, CC_SVG_START, 16, title);
    for (size_t k = 0; k < PARTS; k++) {
        double x = 16 + 84 * (double)k;
        cc_svg_rect(&s, (struct cc_box){x, 36, 12, 12}, part_color(k), "none", NULL);
        cc_svg_text(&s, x + 17, 46, CC_SVG_START, 12, part_name(k));
    }
    cc_svg_text(&s, WIDTH - FIGURES + 70, 64, CC_SVG_END, 11, "of the run");
    cc_svg_text(&s, WIDTH - FIGURES + 150, 64, CC_SVG_END, 11, "intensity");
    for (size_t i = 0; i < n; i++)
        draw_row(&s, TOP + ROW * (double)i, &rows->v.v[i], c->total.instructions);
    cc_svg_end(&s);
    *svg = s.buf;
}

int cc_view_classes(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 30, 0.001);
    struct cc_classes *c;
    int rc = cc_classes_build(rq->p, &c, err);
    if (rc < 0)
        return rc;
    struct rows rows[] = {{.key = "functions", .title = "function"},
                          {.key = "regions", .title = "region"},
                          {.key = "tasks", .title = "task"}};
    rc = functions_of(rq->p, c, &filter, &rows[0], err);
    if (rc == 0) {
        /* Text leaves out the one region of a program without marks. */
        bool marked = c->nregions > 1 || rq->data || rq->by == CC_LEVEL_REGION;
        groups_of(c->regions, marked ? c->nregions : 0, c, &filter, &rows[1]);
        groups_of(c->tasks, c->ntasks, c, &filter, &rows[2]);
        build(rq, c, rows, CC_COUNT(rows), r);
        if (rq->svg)
            draw(c, &rows[rq->by == CC_LEVEL_REGION], rq->svg);
    }
    for (size_t k = 0; k < CC_COUNT(rows); k++)
        CC_VEC_FINI(&rows[k].v);
    cc_classes_free(c);
    return rc;
}
