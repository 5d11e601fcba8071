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

static int select_functions(struct cc_sources *s, const struct cc_strs *names, struct cc_err *err)
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

int cc_area_sources(struct cc_area_options *o, const struct cc_strs *operands, struct cc_sources **ret,
                    struct cc_err *err)
{
    size_t n = 0;
    while (n < operands->n && operands->v[n][0] != '-')
        n++;
    if (n == 0)
        return cc_err_set(err, CC_EUSAGE, "no source file given");
    struct cc_strs files = {operands->v, n, 0}, flags = {operands->v + n, operands->n - n, 0};
    struct cc_source_options options = {.flags = &flags, .compile_commands = o->compile_commands};
    int rc = cc_area_measure(&files, &options, ret, err);
    if (rc < 0)
        return rc;
    show_messages(o, *ret);
    if ((*ret)->failed == (*ret)->files)
        rc = cc_err_set(err, CC_EINPUT, "none of the files could be read as C source");
    else
        rc = select_functions(*ret, &o->functions, err);
    if (rc < 0)
        cc_sources_free(*ret);
    return rc;
}

struct cc_table *cc_area_refused(const struct cc_sources *s)
{
    static const struct cc_col cols[] = {
        {"function", "not measured", CC_COL_STR},
        {"file", "file", CC_COL_STR},
        {"line", "line", CC_COL_INT},
        {"reason", "reason", CC_COL_STR},
        {"reason_line", "at line", CC_COL_INT},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (!f->refused)
            continue;
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->file);
        cc_table_int(t, f->line);
        cc_table_str(t, f->refused);
        cc_table_int(t, f->refused_line);
    }
    return t;
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

void cc_area_unfit_json(struct cc_json *j, const struct cc_source_function *f)
{
    cc_json_arr(j, "unfit");
    for (size_t i = 0; i < f->nunfit; i++) {
        cc_json_obj(j, NULL);
        cc_json_str(j, "kind", cc_unfit_name(f->unfit[i].kind));
        cc_json_u64(j, "line", f->unfit[i].line);
        cc_json_str(j, "detail", *f->unfit[i].detail ? f->unfit[i].detail : NULL);
        cc_json_end(j);
    }
    cc_json_end(j);
}

/* --- the tables --- */

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
    bool all = o->columns ? strcmp(o->columns, "all") == 0 : o->csv || o->common.json;
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

enum { FIXED = 3 }; /* function, file, line */

static void make_cols(const struct columns *c, struct cc_col cols[FIXED + CC_METRIC_COUNT])
{
    cols[0] = (struct cc_col){"function", "function", CC_COL_STR};
    cols[1] = (struct cc_col){"file", "file", CC_COL_STR};
    cols[2] = (struct cc_col){"line", "line", CC_COL_INT};
    for (size_t i = 0; i < c->n; i++) {
        const char *key = cc_metric_info[c->v[i]].key;
        cols[FIXED + i] = (struct cc_col){key, key, CC_COL_NUM, .digits = is_whole(c->v[i]) ? 0 : 1};
    }
}

static struct cc_table *metrics_table(const struct cc_sources *s, const struct columns *c,
                                      const struct cc_col *cols)
{
    struct cc_table *t = cc_table_new(cols, FIXED + c->n);
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            continue;
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->file);
        cc_table_int(t, f->line);
        for (size_t k = 0; k < c->n; k++)
            cc_table_num(t, f->m[c->v[k]]);
    }
    return t;
}

static struct cc_table *definitions(void)
{
    static const struct cc_col cols[] = {
        {"metric", "metric", CC_COL_STR},
        {"unit", "unit", CC_COL_STR},
        {"family", "family", CC_COL_STR},
        {"definition", "definition", CC_COL_STR},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < CC_METRIC_COUNT; i++) {
        cc_table_row(t);
        cc_table_str(t, cc_metric_info[i].key);
        cc_table_str(t, cc_metric_info[i].unit);
        cc_table_str(t, cc_metric_info[i].family);
        cc_table_str(t, cc_metric_info[i].definition);
    }
    return t;
}

/* All metrics do not fit side by side: one block a function. */
static void print_blocks(const struct cc_sources *s, const struct columns *c, FILE *out)
{
    static const struct cc_col cols[] = {
        {"metric", "metric", CC_COL_STR},
        {"value", "value", CC_COL_NUM, .digits = 1},
        {"unit", "unit", CC_COL_STR},
    };
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            continue;
        cc_text_print_safe(out, f->name);
        fputs("  (", out);
        cc_text_print_safe(out, f->file);
        fprintf(out, ":%u)\n", f->line);
        struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
        for (size_t k = 0; k < c->n; k++) {
            cc_table_row(t);
            cc_table_str(t, cc_metric_info[c->v[k]].key);
            cc_table_num(t, f->m[c->v[k]]);
            cc_table_str(t, cc_metric_info[c->v[k]].unit);
        }
        cc_table_print_text(t, out);
        cc_table_free(t);
        fputc('\n', out);
    }
}

void cc_area_print_unfit(const struct cc_source_function *f, bool *heading, FILE *out)
{
    if (f->refused || f->nunfit == 0)
        return;
    if (!*heading)
        fputs("\nNot hardware as it stands (line of the source):\n", out);
    *heading = true;
    CC_CLEANUP(cc_free_ptr) char *text = unfit_text(f);
    fputs("  ", out);
    cc_text_print_safe(out, f->name);
    fputs(": ", out);
    cc_text_print_safe(out, text);
    fputc('\n', out);
}

static void print_text(const struct cc_area_options *o, const struct cc_sources *s, const struct columns *c,
                       FILE *out)
{
    struct cc_col cols[FIXED + CC_METRIC_COUNT];
    make_cols(c, cols);
    if (o->columns && strcmp(o->columns, "all") == 0) {
        print_blocks(s, c, out);
    } else {
        struct cc_table *t = metrics_table(s, c, cols);
        if (cc_table_rows(t) == 0)
            fputs("no function could be measured\n", out);
        cc_table_print_text(t, out);
        cc_table_free(t);
    }
    struct cc_table *refused = cc_area_refused(s);
    if (cc_table_rows(refused)) {
        fputc('\n', out);
        cc_table_print_text(refused, out);
    }
    cc_table_free(refused);
    bool heading = false;
    for (size_t i = 0; i < s->functions.n; i++)
        cc_area_print_unfit(&s->functions.v[i], &heading, out);
}

static void print_json(const struct cc_sources *s, const struct columns *c, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.area.metrics", 1);
    cc_json_arr(&j, "functions");
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            continue;
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", f->name);
        cc_json_str(&j, "file", f->file);
        cc_json_u64(&j, "line", f->line);
        cc_json_obj(&j, "metrics");
        for (size_t k = 0; k < c->n; k++)
            cc_json_num(&j, cc_metric_info[c->v[k]].key, f->m[c->v[k]]);
        cc_json_end(&j);
        cc_area_unfit_json(&j, f);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    struct cc_table *refused = cc_area_refused(s);
    cc_table_print_json(refused, &j, "not_measured");
    cc_table_free(refused);
    cc_json_end(&j);
}

static int print_definitions(struct cc_area_options *o, struct cc_err *err)
{
    struct cc_outfile out;
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    struct cc_table *t = definitions();
    if (o->common.json) {
        struct cc_json j;
        cc_json_document(&j, out.f, "corecast.area.definitions", 1);
        cc_table_print_json(t, &j, "metrics");
        cc_json_end(&j);
    } else if (o->csv) {
        cc_table_print_csv(t, out.f);
    } else {
        cc_table_print_text(t, out.f);
    }
    cc_table_free(t);
    return cc_outfile_commit(&out, err);
}

static void print_csv(const struct cc_area_options *o, const struct cc_sources *s, const struct columns *c,
                      FILE *out)
{
    struct cc_col cols[FIXED + CC_METRIC_COUNT];
    make_cols(c, cols);
    struct cc_table *t = metrics_table(s, c, cols);
    cc_table_print_csv(t, out);
    cc_table_free(t);
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            cc_note(&o->common, "%s:%u: '%s' not measured: %s", f->file, f->refused_line, f->name,
                    f->refused);
    }
}

int cc_area_metrics(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_area_options *o = options;
    struct columns columns = {0};
    struct cc_sources *s;
    struct cc_outfile out = {0};
    if (o->csv && o->common.json)
        return cc_err_set(err, CC_EUSAGE, "'--csv' and '--json' exclude each other");
    if (o->define)
        return print_definitions(o, err);
    int rc = choose_columns(o, &columns, err);
    if (rc == 0)
        rc = cc_area_sources(o, operands, &s, err);
    if (rc < 0)
        return rc;
    rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        if (o->common.json)
            print_json(s, &columns, out.f);
        else if (o->csv)
            print_csv(o, s, &columns, out.f);
        else
            print_text(o, s, &columns, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    cc_sources_free(s);
    return rc;
}
