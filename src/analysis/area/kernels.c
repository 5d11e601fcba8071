#include "kernels.h"
#include "../../base/csv.h"
#include "../../base/file.h"
#include "../../base/map.h"
#include "../../base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <math.h>
#include <strings.h>
#include <xxhash.h>

enum { MAX_FILE = 64 << 20, MAX_KERNELS = 20000, MAX_FILES = 16 };

static const double most_value = 1e30; /* its square is still a number */

enum column_kind { COL_KEY, COL_GROUP, COL_FOLD, COL_SET, COL_METRIC, COL_INPUT, COL_MEASURE, COL_TEXT };

struct column {
    enum column_kind kind;
    const char *name, *unit;
    enum cc_metric metric;
};

struct table {
    struct cc_csv *csv;
    struct column *cols;
    size_t key;
    struct cc_strmap rows; /* kernel -> 1 + row */
};

struct load {
    struct cc_area_kernels *k;
    const struct cc_area_kernels_options *options;
    struct table tables[MAX_FILES];
    size_t ntables;
    struct cc_err *err;
};

static const struct {
    const char *name, *unit;
} known_units[] = {
    {"lut", "LUTs"},        {"ff", "flip-flops"}, {"dsp", "DSP blocks"},
    {"bram", "block RAMs"}, {"slices", "slices"}, {"cycles", "cycles"},
    {"period_ns", "ns"},    {"fmax_mhz", "MHz"},  {"power_mw", "mW"},
};

/* Measures of which a circuit has some: a 0 means that the tool did not report, not that there is none. */
static const char never_zero[] =
    " lut luts ff ffs slice slices alm alms registers cycles latency period period_ns clock "
    "fmax fmax_mhz power power_mw delay delay_ns nets wires energy ";

static const char usual_names[] = " dsp dsps dsp48 bram brams uram urams mlab m20k ram rams multipliers io ";

static void note(struct cc_area_kernels *k, const char *fmt, ...) CC_PRINTF(2, 3);
static void note(struct cc_area_kernels *k, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[512];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    CC_VEC_PUSH(&k->notes, cc_arena_strdup(&k->arena, text));
}

/* --- cells --- */

enum cell { CELL_NUMBER, CELL_MISSING, CELL_CENSORED, CELL_TEXT };

/* The bound of "<5"; NaN for any other cell. */
static double bound_of(const char *s)
{
    double v;
    return *s == '<' && cc_parse_f64(s + strspn(s, "<= "), &v) && v > 0 ? v : NAN;
}

static enum cell read_cell(const char *s, double *ret)
{
    static const char *const none[] = {"", "-", "?", "NA", "N/A", "nan", "null", "none"};
    *ret = NAN;
    for (size_t i = 0; i < CC_COUNT(none); i++)
        if (strcasecmp(s, none[i]) == 0)
            return CELL_MISSING;
    double v;
    if (!isnan(bound_of(s)))
        return CELL_CENSORED;
    if (!cc_parse_f64(s, &v))
        return CELL_TEXT;
    *ret = v;
    return CELL_NUMBER;
}

/* Inputs may be switches. */
static bool read_switch(const char *s, double *ret)
{
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true"};
    for (size_t i = 0; i < CC_COUNT(words); i++)
        if (strcasecmp(s, words[i]) == 0)
            return *ret = (double)(i % 2), true;
    return false;
}

/* --- one file --- */

/* Names and units end up in model files: whatever is no letter, digit or one of `also` becomes "_". */
static char *clean(char *s, const char *also)
{
    for (char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(also, *c))
            *c = '_';
    return s;
}

/* "power [mW]" -> "power", "mW" */
static void split_unit(struct cc_area_kernels *k, const char *title, struct column *c)
{
    const char *open = strchr(title, '['), *close = open ? strchr(open, ']') : NULL;
    size_t n = close ? (size_t)(open - title) : strlen(title);
    while (n && isspace((unsigned char)title[n - 1]))
        n--;
    c->name = clean(cc_arena_strndup(&k->arena, title, n), "_.-");
    c->unit =
        close ? clean(cc_arena_strndup(&k->arena, open + 1, (size_t)(close - open - 1)), "_.- /%^*") : "";
    for (size_t i = 0; !*c->unit && i < CC_COUNT(known_units); i++)
        if (strcasecmp(known_units[i].name, c->name) == 0)
            c->unit = known_units[i].unit;
}

/* A few cells that are no numbers do not make a column of text: they are named where they are read. */
static bool is_text_column(const struct cc_csv *csv, size_t col)
{
    double v;
    size_t texts = 0, numbers = 0;
    for (size_t r = 0; r < csv->nrows; r++) {
        enum cell cell = read_cell(csv->rows[r].cells[col], &v);
        texts += cell == CELL_TEXT;
        numbers += cell == CELL_NUMBER;
    }
    return texts >= numbers && texts > 0;
}

static enum column_kind classify(const struct load *l, const struct cc_csv *csv, size_t col, struct column *c)
{
    static const char passed_over[] = " file line function kernel name ";
    if (l->options->group && strcmp(c->name, l->options->group) == 0)
        return COL_GROUP;
    if (l->options->folds && strcmp(c->name, l->options->folds) == 0)
        return COL_FOLD;
    if (strcmp(c->name, "metric_set") == 0)
        return COL_SET;
    for (size_t i = 0; i < l->options->inputs.n; i++) {
        if (strcmp(c->name, l->options->inputs.v[i]) == 0) {
            c->metric = (enum cc_metric)(CC_METRIC_COUNT + i);
            return COL_INPUT;
        }
    }
    int metric = cc_metric_find(c->name);
    c->metric = metric < 0 ? CC_METRIC_COUNT : (enum cc_metric)metric;
    if (metric >= 0)
        return COL_METRIC;
    return cc_text_listed(passed_over, c->name) || is_text_column(csv, col) ? COL_TEXT : COL_MEASURE;
}

static int find_key(const struct load *l, const struct table *t, size_t *ret)
{
    const char *wanted[] = {l->options->key ? l->options->key : "kernel", "function", "name"};
    const struct cc_csv *csv = t->csv;
    for (size_t w = 0; w < (l->options->key ? 1 : CC_COUNT(wanted)); w++)
        for (size_t c = 0; c < csv->ncols; c++)
            if (strcmp(t->cols[c].name, wanted[w]) == 0)
                return *ret = c, 0;
    int rc = cc_err_at(l->err, CC_EINPUT, csv->path, csv->header.line,
                       "no column '%s' that names the kernels", wanted[0]);
    if (csv->ncols == 1 && strpbrk(csv->header.cells[0], ";\t|"))
        cc_err_hint(l->err, "columns are separated by commas");
    else
        cc_err_hint(l->err, "name it with --key");
    return rc;
}

/* Columns that are looked up by name: which of two would be meant? */
static int check_names(const struct load *l, const struct table *t)
{
    for (size_t c = 0; c < t->csv->ncols; c++) {
        enum column_kind kind = t->cols[c].kind;
        for (size_t d = 0; d < t->csv->ncols && kind <= COL_SET; d++)
            if (d != c && strcmp(t->cols[c].name, t->cols[d].name) == 0)
                return cc_err_at(l->err, CC_EINPUT, t->csv->path, t->csv->header.line,
                                 "column '%s' appears twice", t->cols[c].name);
    }
    return 0;
}

static int index_rows(struct load *l, struct table *t)
{
    for (size_t r = 0; r < t->csv->nrows; r++) {
        const struct cc_csv_row *row = &t->csv->rows[r];
        const char *name = row->cells[t->key];
        bool fresh;
        uint64_t *place = cc_strmap_put(&t->rows, name, &fresh);
        if (!*name)
            return cc_err_at(l->err, CC_EINPUT, t->csv->path, row->line, "a kernel without a name");
        if (!fresh)
            return cc_err_at(l->err, CC_EINPUT, t->csv->path, row->line,
                             "kernel '%s' appears twice, first on line %u", name,
                             t->csv->rows[*place - 1].line);
        *place = r + 1;
    }
    return 0;
}

static int load_table(struct load *l, const char *path)
{
    struct table *t = &l->tables[l->ntables];
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, l->err);
    if (rc == 0)
        rc = cc_csv_parse(path, text, size, &t->csv, l->err);
    if (rc < 0)
        return rc;
    l->ntables++;
    l->k->checksum = XXH3_64bits_withSeed(text, size, l->k->checksum);
    CC_VEC_PUSH(&l->k->files, cc_arena_strdup(&l->k->arena, path));
    if (t->csv->nrows > MAX_KERNELS)
        return cc_err_at(l->err, CC_EINPUT, path, 0, "more than %d kernels", MAX_KERNELS);
    t->cols = cc_arena_alloc(&l->k->arena, t->csv->ncols * sizeof *t->cols);
    for (size_t c = 0; c < t->csv->ncols; c++)
        split_unit(l->k, t->csv->header.cells[c], &t->cols[c]);
    rc = find_key(l, t, &t->key);
    for (size_t c = 0; rc == 0 && c < t->csv->ncols; c++)
        t->cols[c].kind = c == t->key ? COL_KEY : classify(l, t->csv, c, &t->cols[c]);
    rc = rc < 0 ? rc : check_names(l, t);
    return rc < 0 ? rc : index_rows(l, t);
}

/* --- joining --- */

static bool has_column(const struct load *l, enum column_kind kind, const char *name)
{
    for (size_t i = 0; i < l->ntables; i++)
        for (size_t c = 0; c < l->tables[i].csv->ncols; c++)
            if (l->tables[i].cols[c].kind == kind && strcmp(l->tables[i].cols[c].name, name) == 0)
                return true;
    return false;
}

static int take_inputs(struct load *l)
{
    struct cc_area_kernels *k = l->k;
    const struct cc_strs *inputs = &l->options->inputs;
    if (inputs->n > CC_COUNT(k->input))
        return cc_err_set(l->err, CC_EUSAGE, "more than %zu inputs", CC_COUNT(k->input));
    for (size_t i = 0; i < inputs->n; i++) {
        if (cc_metric_find(inputs->v[i]) >= 0)
            return cc_err_set(l->err, CC_EUSAGE, "'%s' is a metric: it explains without being an input",
                              inputs->v[i]);
        if (!has_column(l, COL_INPUT, inputs->v[i]))
            return cc_err_at(l->err, CC_EINPUT, l->tables[0].csv->path, l->tables[0].csv->header.line,
                             "no column '%s'", inputs->v[i]);
        k->input[k->ninputs++] = cc_arena_strdup(&k->arena, inputs->v[i]);
    }
    return 0;
}

static bool folds_are_groups(const struct load *l)
{
    return l->options->folds && l->options->group && strcmp(l->options->folds, l->options->group) == 0;
}

static int check_columns(struct load *l)
{
    struct cc_strmap seen = {0};
    int rc = 0;
    bool group = false, folds = false;
    for (size_t i = 0; rc == 0 && i < l->ntables; i++) {
        const struct table *t = &l->tables[i];
        for (size_t c = 0; rc == 0 && c < t->csv->ncols; c++) {
            const struct column *col = &t->cols[c];
            group |= col->kind == COL_GROUP;
            folds |= col->kind == COL_FOLD || (col->kind == COL_GROUP && folds_are_groups(l));
            if (col->kind != COL_METRIC && col->kind != COL_INPUT && col->kind != COL_MEASURE)
                continue;
            bool fresh;
            cc_strmap_put(&seen, col->name, &fresh);
            if (!fresh)
                rc = cc_err_at(l->err, CC_EINPUT, t->csv->path, t->csv->header.line,
                               "column '%s' appears twice", col->name);
        }
    }
    cc_strmap_fini(&seen);
    if (rc == 0 && l->options->group && !group)
        rc = cc_err_at(l->err, CC_EINPUT, l->tables[0].csv->path, l->tables[0].csv->header.line,
                       "no column '%s'", l->options->group);
    if (rc == 0 && l->options->folds && !folds)
        rc = cc_err_at(l->err, CC_EINPUT, l->tables[0].csv->path, l->tables[0].csv->header.line,
                       "no column '%s'", l->options->folds);
    return rc;
}

static const struct cc_csv_row *row_of(const struct table *t, const char *kernel)
{
    const uint64_t *r = cc_strmap_get(&t->rows, kernel);
    return r ? &t->csv->rows[*r - 1] : NULL;
}

static int metric_cells(struct load *l, const char *kernel, double *x, bool *complete)
{
    size_t at = 0;
    *complete = true;
    for (size_t i = 0; i < l->ntables; i++) {
        const struct table *t = &l->tables[i];
        const struct cc_csv_row *row = row_of(t, kernel);
        for (size_t c = 0; c < t->csv->ncols; c++) {
            bool input = t->cols[c].kind == COL_INPUT;
            if (t->cols[c].kind != COL_METRIC && !input)
                continue;
            double v;
            enum cell cell = read_cell(row->cells[c], &v);
            if (input && cell == CELL_TEXT && read_switch(row->cells[c], &v))
                cell = CELL_NUMBER;
            if (input && (cell == CELL_TEXT || (cell == CELL_NUMBER && (v < 0 || v > most_value)))) {
                note(l->k, "%s:%u: '%.60s' is no value of '%s': the kernel is left out", t->csv->path,
                     row->line, row->cells[c], t->cols[c].name);
                cell = CELL_MISSING;
            }
            if (cell == CELL_TEXT || (cell == CELL_NUMBER && (v < 0 || v > most_value)))
                return cc_err_at(l->err, CC_EINPUT, t->csv->path, row->line,
                                 "metric '%s': '%.60s' is no count", t->cols[c].name, row->cells[c]);
            *complete &= cell == CELL_NUMBER;
            x[at++] = v;
        }
    }
    return 0;
}

static void measure_cells(struct load *l, const char *kernel, size_t row_at)
{
    size_t at = 0;
    for (size_t i = 0; i < l->ntables; i++) {
        const struct table *t = &l->tables[i];
        const struct cc_csv_row *row = row_of(t, kernel);
        for (size_t c = 0; c < t->csv->ncols; c++) {
            if (t->cols[c].kind != COL_MEASURE)
                continue;
            struct cc_area_kernel_measure *m = &l->k->measures[at++];
            enum cell cell = read_cell(row->cells[c], &m->v[row_at]);
            m->below[row_at] = bound_of(row->cells[c]);
            if (cell == CELL_NUMBER && (m->v[row_at] < 0 || m->v[row_at] > most_value)) {
                m->v[row_at] = NAN;
                cell = CELL_TEXT;
            }
            if (cell == CELL_TEXT)
                note(l->k, "%s:%u: '%.60s' is no value of '%s' and is left out", t->csv->path, row->line,
                     row->cells[c], m->name);
            m->missing += cell == CELL_MISSING || cell == CELL_TEXT;
            m->censored += cell == CELL_CENSORED;
        }
    }
}

/* Nothing is left of it: neither logic nor registers, as far as the table tells. */
static bool optimised_away(const struct cc_area_kernels *k, size_t row)
{
    bool some = false;
    for (size_t i = 0; i < k->nmeasures; i++) {
        if (!cc_text_listed(" lut luts ff ffs slice slices alm alms registers ", k->measures[i].name))
            continue;
        if (!(k->measures[i].v[row] == 0))
            return false;
        some = true;
    }
    return some;
}

static void lay_out(struct load *l, size_t most)
{
    struct cc_area_kernels *k = l->k;
    for (size_t i = 0; i < l->ntables; i++) {
        for (size_t c = 0; c < l->tables[i].csv->ncols; c++) {
            const struct column *col = &l->tables[i].cols[c];
            k->nmeasures += col->kind == COL_MEASURE;
            if (col->kind == COL_METRIC || col->kind == COL_INPUT)
                k->metric[k->nmetrics++] = col->metric;
        }
    }
    k->names = cc_arena_alloc(&k->arena, (most + 1) * sizeof *k->names);
    k->group = cc_arena_alloc(&k->arena, (most + 1) * sizeof *k->group);
    k->fold = cc_arena_alloc(&k->arena, (most + 1) * sizeof *k->fold);
    k->x = cc_arena_alloc(&k->arena, (most * k->nmetrics + 1) * sizeof *k->x);
    k->measures = cc_arena_alloc(&k->arena, (k->nmeasures + 1) * sizeof *k->measures);
    size_t at = 0;
    for (size_t i = 0; i < l->ntables; i++) {
        for (size_t c = 0; c < l->tables[i].csv->ncols; c++) {
            const struct column *col = &l->tables[i].cols[c];
            if (col->kind != COL_MEASURE)
                continue;
            struct cc_area_kernel_measure *m = &k->measures[at++];
            *m = (struct cc_area_kernel_measure){.name = col->name, .unit = col->unit};
            m->v = cc_arena_alloc(&k->arena, (most + 1) * sizeof *m->v);
            m->below = cc_arena_alloc(&k->arena, (most + 1) * sizeof *m->below);
            m->usual =
                *col->unit || cc_text_listed(never_zero, col->name) || cc_text_listed(usual_names, col->name);
            m->keeps_zeros = l->options->zeros == CC_ZEROS_KEEP ||
                             (l->options->zeros == CC_ZEROS_AUTO && !cc_text_listed(never_zero, col->name));
        }
    }
}

/* The kernel's cell in the first column of the kind; NULL if there is none. */
static const char *label_of(const struct load *l, enum column_kind kind, const char *kernel)
{
    for (size_t i = 0; i < l->ntables; i++)
        for (size_t c = 0; c < l->tables[i].csv->ncols; c++)
            if (l->tables[i].cols[c].kind == kind)
                return row_of(&l->tables[i], kernel)->cells[c];
    return NULL;
}

/* Kernels of different sets of metrics in one table are an error: the same name means different things. */
static int check_set(struct load *l, const char *kernel)
{
    const char *cell = label_of(l, COL_SET, kernel);
    double v = 1;
    if (cell && (!cc_parse_f64(cell, &v) || v < 1 || v > 1e6 || v != floor(v)))
        return cc_err_set(l->err, CC_EINPUT, "kernel '%s': '%.60s' is no version of the metrics", kernel,
                          cell);
    if (l->k->metric_set && l->k->metric_set != (int)v)
        return cc_err_set(
            l->err, CC_EINPUT,
            "kernels of metric sets %d and %d ('%s') in one table: measure all with one version",
            l->k->metric_set, (int)v, kernel);
    l->k->metric_set = (int)v;
    return 0;
}

static uint32_t number_of(struct cc_strmap *labels, const char *label, size_t *count)
{
    bool fresh;
    uint64_t *number = cc_strmap_put(labels, label, &fresh);
    if (fresh)
        *number = (*count)++;
    return (uint32_t)*number;
}

static bool in_all_tables(const struct load *l, const char *kernel)
{
    for (size_t i = 0; i < l->ntables; i++)
        if (!row_of(&l->tables[i], kernel))
            return false;
    return true;
}

static int join_rows(struct load *l)
{
    struct cc_area_kernels *k = l->k;
    const struct table *first = &l->tables[0];
    struct cc_strmap groups = {0}, folds = {0};
    size_t partial = 0, away = 0, unmatched = 0;
    int rc = 0;
    for (size_t r = 0; rc == 0 && r < first->csv->nrows; r++) {
        const char *name = first->csv->rows[r].cells[first->key];
        bool complete;
        if (!in_all_tables(l, name)) {
            unmatched++;
            continue;
        }
        rc = metric_cells(l, name, k->x + k->n * k->nmetrics, &complete);
        if (rc == 0 && !complete)
            partial++;
        if (rc < 0 || !complete)
            continue;
        measure_cells(l, name, k->n);
        if (optimised_away(k, k->n)) {
            away++;
            continue;
        }
        rc = check_set(l, name);
        const char *group = label_of(l, COL_GROUP, name),
                   *fold = label_of(l, folds_are_groups(l) ? COL_GROUP : COL_FOLD, name);
        k->group[k->n] = number_of(&groups, group ? group : name, &k->ngroups);
        k->fold[k->n] = fold ? number_of(&folds, fold, &k->nfolds) : 0;
        k->names[k->n++] = cc_arena_strdup(&k->arena, name);
    }
    cc_strmap_fini(&groups);
    cc_strmap_fini(&folds);
    for (size_t i = 1; i < l->ntables; i++)
        for (size_t r = 0; r < l->tables[i].csv->nrows; r++)
            unmatched += !row_of(first, l->tables[i].csv->rows[r].cells[l->tables[i].key]);
    if (unmatched)
        note(k, "%zu kernels are not in every file and are left out", unmatched);
    if (partial)
        note(k, "%zu kernels lack a metric and are left out", partial);
    if (away)
        note(k, "%zu kernels have neither logic nor registers (optimised away) and are left out", away);
    return rc;
}

/* Metrics that follow from others, where the table has those but not them. */
static void add_derived(struct cc_area_kernels *k)
{
    size_t column[CC_VALUE_COUNT], had = k->nmetrics, parts;
    memset(column, 0xff, sizeof column);
    for (size_t j = 0; j < had; j++)
        column[k->metric[j]] = j;
    for (int m = 0; m < CC_METRIC_COUNT; m++) {
        const enum cc_metric *part = cc_metric_parts((enum cc_metric)m, &parts);
        bool all = part && column[m] == SIZE_MAX;
        for (size_t i = 0; all && i < parts; i++)
            all = column[part[i]] != SIZE_MAX && column[part[i]] < had;
        if (all)
            k->metric[k->nmetrics++] = (enum cc_metric)m;
    }
    double *x = cc_arena_alloc(&k->arena, (k->n * k->nmetrics + 1) * sizeof *x);
    for (size_t i = 0; i < k->n; i++) {
        double *row = x + i * k->nmetrics;
        memcpy(row, k->x + i * had, had * sizeof *row);
        double m[CC_VALUE_COUNT] = {0};
        for (size_t j = 0; j < had; j++)
            m[k->metric[j]] = row[j];
        cc_metrics_derive(m);
        for (size_t j = had; j < k->nmetrics; j++)
            row[j] = m[k->metric[j]];
    }
    k->x = x;
}

static void drop_zeros(struct cc_area_kernels *k)
{
    for (size_t i = 0; i < k->nmeasures; i++) {
        struct cc_area_kernel_measure *m = &k->measures[i];
        for (size_t r = 0; r < k->n && !m->keeps_zeros; r++) {
            if (m->v[r] == 0) {
                m->v[r] = NAN;
                m->zeros++;
            }
        }
        if (m->zeros)
            note(k, "%s: %zu zeros are taken as not measured", m->name, m->zeros);
        if (m->missing + m->censored)
            note(k, "%s: %zu cells without a number, %zu that are bounds (<N)", m->name, m->missing,
                 m->censored);
    }
}

int cc_area_kernels_load(const struct cc_strs *files, const struct cc_area_kernels_options *options,
                         struct cc_area_kernels **ret, struct cc_err *err)
{
    struct cc_area_kernels *k = cc_alloc(sizeof *k);
    struct load *l = cc_alloc(sizeof *l);
    *l = (struct load){.k = k, .options = options, .err = err};
    int rc = files->n > MAX_FILES ? cc_err_set(err, CC_EUSAGE, "more than %d tables", MAX_FILES) : 0;
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        rc = load_table(l, files->v[i]);
    if (rc == 0)
        rc = check_columns(l);
    if (rc == 0)
        rc = take_inputs(l);
    if (rc == 0) {
        k->group_column = options->group ? cc_arena_strdup(&k->arena, options->group) : NULL;
        lay_out(l, l->tables[0].csv->nrows);
        rc = join_rows(l);
    }
    if (rc == 0 && k->nmetrics == 0)
        rc = cc_err_at(err, CC_EINPUT, files->v[0], 1, "no column is named like a metric");
    if (rc == 0 && k->nmeasures == 0)
        rc = cc_err_at(err, CC_EINPUT, files->v[0], 1, "no column holds a measure of hardware");
    if (rc == 0) {
        add_derived(k);
        drop_zeros(k);
    }
    for (size_t i = 0; i < CC_COUNT(l->tables); i++) {
        cc_csv_free(l->tables[i].csv);
        cc_strmap_fini(&l->tables[i].rows);
    }
    free(l);
    if (rc < 0) {
        cc_area_kernels_free(k);
        return rc;
    }
    *ret = k;
    return 0;
}

const char *cc_area_column_name(const struct cc_area_kernels *k, size_t column)
{
    enum cc_metric m = k->metric[column];
    return m < CC_METRIC_COUNT ? cc_metric_info[m].key : k->input[m - CC_METRIC_COUNT];
}

void cc_area_kernels_free(struct cc_area_kernels *k)
{
    if (!k)
        return;
    CC_VEC_FINI(&k->notes);
    cc_strs_fini(&k->files);
    cc_arena_fini(&k->arena);
    free(k);
}
