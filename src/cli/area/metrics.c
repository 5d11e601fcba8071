/* corecast area metrics FILE…: software complexity metrics of every function. */
#include "area.h"

/* What a person sees first; --columns changes it. */
static const char default_columns[] = "lines,statements,cyclomatic,loops,loop_depth,calls,operations,loads,"
                                      "stores,array_bits,live_max,critical_path";

static void keep_named(struct cc_sources *s, const struct cc_strs *names, bool *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->functions.n; i++) {
        bool wanted = false;
        for (size_t k = 0; k < names->n; k++) {
            bool same = strcmp(s->functions.v[i].name, names->v[k]) == 0;
            found[k] |= same;
            wanted |= same;
        }
        if (wanted)
            s->functions.v[kept++] = s->functions.v[i];
    }
    s->functions.n = kept;
}

int cc_area_select(struct cc_sources *s, const struct cc_strs *names, struct cc_err *err)
{
    if (names->n == 0)
        return 0;
    bool *found = cc_alloc_array(names->n, sizeof *found);
    keep_named(s, names, found);
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < names->n; k++)
        if (!found[k])
            rc = cc_err_set(err, CC_EINPUT, "no function '%s' in the source given", names->v[k]);
    free(found);
    return rc;
}

static void show_messages(const struct cc_area_options *o, const struct cc_sources *s)
{
    enum { AT_MOST = 20 };
    size_t n = o->common.verbose ? s->messages.n : CC_MIN(s->messages.n, (size_t)AT_MOST);
    for (size_t i = 0; i < n; i++) {
        const struct cc_source_message *m = &s->messages.v[i];
        if (m->line)
            cc_note(&o->common, "%s:%u: %s", m->file, m->line, m->text);
        else
            cc_note(&o->common, "%s: %s", m->file, m->text);
    }
    if (n < s->messages.n)
        cc_note(&o->common, "%zu more messages (-v shows all)", s->messages.n - n);
}

int cc_area_sources(struct cc_area_options *o, const struct cc_strs *operands, bool trees,
                    const struct cc_source_trips *trips, struct cc_sources **ret, struct cc_err *err)
{
    size_t n = 0;
    while (n < operands->n && operands->v[n][0] != '-')
        n++;
    if (n == 0)
        return cc_err_set(err, CC_EUSAGE, "no source file given");
    struct cc_strs files = {operands->v, n, 0}, flags = {operands->v + n, operands->n - n, 0};
    struct cc_source_options options = {.flags = &flags, .compile_commands = o->compile_commands};
    if (trips)
        options.trips = *trips;
    options.loops = o->loops;
    int rc = cc_area_measure(&files, &options, ret, err);
    if (rc < 0)
        return rc;
    show_messages(o, *ret);
    if (trees)
        cc_sources_join_trees(*ret);
    if ((*ret)->failed == (*ret)->files)
        rc = cc_err_set(err, CC_EINPUT, "none of the files could be read as C source");
    else
        rc = cc_area_select(*ret, &o->functions, err);
    if (rc < 0)
        cc_sources_free(*ret);
    return rc;
}

void cc_area_add_refused(struct cc_result *r, const struct cc_sources *s)
{
    static const struct cc_col cols[] = {
        {"function", "not measured", CC_COL_STR},
        {"file", "file", CC_COL_STR},
        {"line", "line", CC_COL_INT},
        {"reason", "reason", CC_COL_STR},
        {"reason_line", "at line", CC_COL_INT},
    };
    struct cc_table *t = cc_result_table(r, "not_measured", cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (!f->refused)
            continue;
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->file);
        cc_table_u64(t, f->line);
        cc_table_str(t, f->refused);
        cc_table_u64(t, f->refused_line);
    }
}

static char *unfit_text(const struct cc_source_function *f)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (size_t i = 0; i < f->nunfit; i++) {
        const struct cc_unfit_reason *r = &f->unfit[i];
        cc_buf_printf(&b, "%s%s at %u", i ? "; " : "", cc_unfit_name(r->kind), r->line);
        if (*r->detail)
            cc_buf_printf(&b, " (%s)", r->detail);
    }
    return b.s;
}

void cc_area_add_unfit(struct cc_result *r, const struct cc_source_function *f, bool *heading)
{
    if (f->refused || f->nunfit == 0)
        return;
    if (!*heading) {
        cc_result_gap(r);
        cc_result_note(r, "Not hardware as it stands (line of the source):");
    }
    *heading = true;
    CC_CLEANUP(cc_free_ptr) char *text = unfit_text(f);
    cc_result_note(r, "  %s: %s", f->name, text);
}

const struct cc_col cc_area_unfit_columns[CC_AREA_UNFIT_COLUMNS] = {
    {"kind", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"detail", NULL, CC_COL_STR},
};

void cc_area_put_unfit(struct cc_table *t, const struct cc_source_function *f)
{
    struct cc_table *reasons = cc_table_sub(t);
    for (size_t i = 0; i < f->nunfit; i++) {
        cc_table_row(reasons);
        cc_table_str(reasons, cc_unfit_name(f->unfit[i].kind));
        cc_table_u64(reasons, f->unfit[i].line);
        cc_table_str(reasons, *f->unfit[i].detail ? f->unfit[i].detail : NULL);
    }
}

/* --- the result --- */

struct columns {
    enum cc_metric v[CC_METRIC_COUNT];
    size_t n;
};

static int add_column(struct columns *c, const char *name, struct cc_err *err)
{
    int m = cc_metric_find(name);
    if (m < 0) {
        const char *keys[CC_METRIC_COUNT];
        for (size_t i = 0; i < CC_METRIC_COUNT; i++)
            keys[i] = cc_metric_info[i].key;
        int rc = cc_err_set(err, CC_EUSAGE, "no metric '%s'", name);
        const char *near = cc_nearest(name, keys, CC_METRIC_COUNT);
        cc_err_hint(err, near ? "did you mean '%s'?" : "'corecast area metrics --define' lists all%s",
                    near ? near : "");
        return rc;
    }
    for (size_t i = 0; i < c->n; i++)
        if (c->v[i] == (enum cc_metric)m)
            return 0;
    c->v[c->n++] = (enum cc_metric)m;
    return 0;
}

static int choose_columns(const struct cc_area_options *o, struct columns *c, struct cc_err *err)
{
    bool all = o->columns ? strcmp(o->columns, "all") == 0 : cc_output_format(&o->common) != CC_FORMAT_TEXT;
    for (size_t i = 0; all && i < CC_METRIC_COUNT; i++)
        c->v[c->n++] = (enum cc_metric)i;
    if (all)
        return 0;
    CC_CLEANUP(cc_free_ptr) char *list = cc_strdup(o->columns ? o->columns : default_columns);
    char *save = NULL;
    int rc = 0;
    for (char *name = strtok_r(list, ", ", &save); rc == 0 && name; name = strtok_r(NULL, ", ", &save))
        rc = add_column(c, name, err);
    if (rc == 0 && c->n == 0)
        rc = cc_err_set(err, CC_EUSAGE, "option '--columns': the list is empty");
    return rc;
}

static bool is_whole(enum cc_metric m)
{
    return m != CC_M_halstead_volume && m != CC_M_halstead_difficulty && m != CC_M_halstead_effort &&
           m != CC_M_dataflow_distance_mean && m != CC_M_parallelism;
}

/* JSON has the metrics of a function as an object. CSV is the table that calibrate reads: one row a kernel,
 * metrics by their own names and nothing else. */
enum { FIXED = 4, MOST_COLUMNS = FIXED + CC_METRIC_COUNT + 1 };

static size_t make_cols(const struct columns *c, bool csv, bool shown, struct cc_arena *arena,
                        struct cc_col cols[MOST_COLUMNS])
{
    size_t n = 0;
    cols[n++] = (struct cc_col){csv ? "function" : "name", shown ? "function" : NULL, CC_COL_STR};
    cols[n++] = (struct cc_col){"file", shown ? "file" : NULL, CC_COL_STR};
    cols[n++] = (struct cc_col){"line", shown ? "line" : NULL, CC_COL_INT};
    if (csv && c->n == CC_METRIC_COUNT)
        cols[n++] = (struct cc_col){"metric_set", "metric_set", CC_COL_INT};
    for (size_t i = 0; i < c->n; i++) {
        const char *name = cc_metric_info[c->v[i]].key;
        CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("%s%s", csv ? "" : "metrics.", name);
        cols[n++] = (struct cc_col){cc_arena_strdup(arena, key), shown ? name : NULL, CC_COL_NUM,
                                    .digits = is_whole(c->v[i]) ? 0 : 1};
    }
    if (!csv)
        cols[n++] = (struct cc_col){"unfit", NULL, CC_COL_TABLE, .sub = cc_area_unfit_columns,
                                    .nsub = CC_AREA_UNFIT_COLUMNS};
    return n;
}

static void add_functions(struct cc_result *r, const struct cc_sources *s, const struct columns *c, bool csv,
                          bool shown)
{
    struct cc_col cols[MOST_COLUMNS];
    struct cc_arena arena = {0};
    struct cc_table *t = cc_result_table(r, "functions", cols, make_cols(c, csv, shown, &arena, cols));
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            continue;
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->file);
        cc_table_u64(t, f->line);
        if (csv && c->n == CC_METRIC_COUNT)
            cc_table_u64(t, CC_METRIC_SET);
        for (size_t k = 0; k < c->n; k++)
            cc_table_num(t, f->m[c->v[k]]);
        if (!csv)
            cc_area_put_unfit(t, f);
    }
    if (cc_table_rows(t) == 0)
        cc_result_note(r, "no function could be measured");
    cc_arena_fini(&arena);
}

/* All metrics do not fit side by side: text has one block a function. */
static void add_blocks(struct cc_result *r, const struct cc_sources *s, const struct columns *c)
{
    static const struct cc_col cols[] = {
        {NULL, "metric", CC_COL_STR},
        {NULL, "value", CC_COL_NUM, .digits = 1},
        {NULL, "unit", CC_COL_STR},
    };
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            continue;
        cc_result_note(r, "%s  (%s:%u)", f->name, f->file, f->line);
        struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
        for (size_t k = 0; k < c->n; k++) {
            cc_table_row(t);
            cc_table_str(t, cc_metric_info[c->v[k]].key);
            cc_table_num(t, f->m[c->v[k]]);
            cc_table_str(t, cc_metric_info[c->v[k]].unit);
        }
    }
}

static struct cc_result *build(const struct cc_area_options *o, const struct cc_sources *s,
                               const struct columns *c)
{
    struct cc_result *r = cc_result_new("corecast.area.metrics", 1);
    cc_result_u64(r, "metric_set", CC_METRIC_SET);
    bool blocks = o->columns && strcmp(o->columns, "all") == 0, heading = false;
    if (blocks)
        add_blocks(r, s, c);
    add_functions(r, s, c, o->common.csv, !blocks || o->common.csv);
    cc_area_add_refused(r, s);
    for (size_t i = 0; i < s->functions.n; i++)
        cc_area_add_unfit(r, &s->functions.v[i], &heading);
    return r;
}

static struct cc_result *definitions(void)
{
    static const struct cc_col cols[] = {
        {"metric", "metric", CC_COL_STR},
        {"unit", "unit", CC_COL_STR},
        {"family", "family", CC_COL_STR},
        {"definition", "definition", CC_COL_STR},
    };
    struct cc_result *r = cc_result_new("corecast.area.definitions", 1);
    struct cc_table *t = cc_result_table(r, "metrics", cols, CC_COUNT(cols));
    for (size_t i = 0; i < CC_METRIC_COUNT; i++) {
        cc_table_row(t);
        cc_table_str(t, cc_metric_info[i].key);
        cc_table_str(t, cc_metric_info[i].unit);
        cc_table_str(t, cc_metric_info[i].family);
        cc_table_str(t, cc_metric_info[i].definition);
    }
    return r;
}

/* CSV has no place for what is missing in it. */
static void note_refused(const struct cc_area_options *o, const struct cc_sources *s)
{
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            cc_note(&o->common, "%s:%u: '%s' not measured: %s", f->file, f->refused_line, f->name,
                    f->refused);
    }
}

/* Source that does not compile is no success, however well the reasons are shown. */
static bool none_measured(const struct cc_sources *s)
{
    size_t refused = 0;
    for (size_t i = 0; i < s->functions.n; i++)
        refused += s->functions.v[i].refused != NULL;
    return refused && refused == s->functions.n;
}

int cc_area_metrics(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_area_options *o = options;
    struct columns columns = {0};
    struct cc_sources *s;
    if (o->define)
        return cc_area_show(&o->common, definitions(), err);
    int rc = choose_columns(o, &columns, err);
    if (rc == 0)
        rc = cc_area_sources(o, operands, o->tree, NULL, &s, err);
    if (rc < 0)
        return rc;
    rc = cc_area_show(&o->common, build(o, s, &columns), err);
    if (rc == 0 && o->common.csv)
        note_refused(o, s);
    if (rc == 0 && none_measured(s))
        rc = CC_ETHRESHOLD;
    cc_sources_free(s);
    return rc;
}
