#include "table.h"
#include "../../base/csv.h"

#include <math.h>

struct columns {
    size_t name, file, line, set; /* SIZE_MAX: none */
    size_t metric[CC_METRIC_COUNT];
    size_t input[CC_VALUE_COUNT - CC_METRIC_COUNT];
};

static void find_columns(const struct cc_csv *csv, const struct cc_area_model *model, struct columns *c)
{
    memset(c, 0xff, sizeof *c);
    for (size_t i = 0; i < csv->ncols; i++) {
        const char *title = csv->header.cells[i];
        int metric = cc_metric_find(title);
        if (metric >= 0)
            c->metric[metric] = i;
        else if (strcmp(title, "kernel") == 0 || (strcmp(title, "function") == 0 && c->name == SIZE_MAX))
            c->name = i;
        else if (strcmp(title, "file") == 0)
            c->file = i;
        else if (strcmp(title, "line") == 0)
            c->line = i;
        else if (strcmp(title, "metric_set") == 0)
            c->set = i;
        for (size_t k = 0; k < model->ninputs; k++)
            if (strcmp(title, model->inputs[k].name) == 0)
                c->input[k] = i;
    }
}

static bool has(const struct columns *c, enum cc_metric m)
{
    size_t n = 0;
    if (m >= CC_METRIC_COUNT)
        return true; /* an input: the usual value without a column */
    const enum cc_metric *part = cc_metric_parts(m, &n);
    bool all = part != NULL;
    for (size_t i = 0; i < n; i++)
        all &= c->metric[part[i]] != SIZE_MAX;
    return all || c->metric[m] != SIZE_MAX;
}

static int check_columns(const struct cc_csv *csv, const struct columns *c, const struct cc_area_model *model,
                         struct cc_err *err)
{
    if (c->name == SIZE_MAX)
        return cc_err_at(err, CC_EINPUT, csv->path, csv->header.line, "no column 'function' or 'kernel'");
    for (size_t k = 0; k < model->nmeasures; k++)
        for (size_t j = 0; j < model->measures[k].nterms; j++)
            if (!has(c, model->measures[k].terms[j].metric))
                return cc_err_at(err, CC_EINPUT, csv->path, csv->header.line,
                                 "the model of '%s' needs the metric '%s', which the table lacks",
                                 model->measures[k].name, model->measures[k].terms[j].name);
    return 0;
}

static int read_metrics(const struct cc_csv *csv, const struct columns *c, const struct cc_csv_row *row,
                        double m[CC_METRIC_COUNT], struct cc_err *err)
{
    for (size_t k = 0; k < CC_METRIC_COUNT; k++) {
        if (c->metric[k] == SIZE_MAX)
            continue;
        const char *cell = row->cells[c->metric[k]];
        if (!cc_parse_f64(cell, &m[k]) || !(m[k] >= 0 && m[k] <= 1e30))
            return cc_err_at(err, CC_EINPUT, csv->path, row->line, "metric '%s': '%.60s' is no count",
                             cc_metric_info[k].key, cell);
    }
    double derived[CC_METRIC_COUNT];
    memcpy(derived, m, sizeof derived);
    cc_metrics_derive(derived);
    for (size_t k = 0; k < CC_METRIC_COUNT; k++)
        if (c->metric[k] == SIZE_MAX)
            m[k] = derived[k];
    return 0;
}

static const double *read_inputs(struct cc_sources *s, const struct columns *c, const struct cc_csv_row *row)
{
    double *v = cc_arena_alloc(&s->arena, sizeof c->input / sizeof *c->input * sizeof *v);
    for (size_t k = 0; k < CC_COUNT(c->input); k++)
        if (c->input[k] == SIZE_MAX || !cc_parse_f64(row->cells[c->input[k]], &v[k]) || !(v[k] >= 0))
            v[k] = NAN;
    return v;
}

static int fill(struct cc_sources *s, const struct cc_csv *csv, const struct columns *c, int *set,
                struct cc_err *err)
{
    int rc = 0;
    for (size_t r = 0; rc == 0 && r < csv->nrows; r++) {
        const struct cc_csv_row *row = &csv->rows[r];
        struct cc_source_function f = {0};
        double v = 1;
        f.name = f.usr = cc_arena_strdup(&s->arena, row->cells[c->name]);
        f.file = cc_arena_strdup(&s->arena, c->file == SIZE_MAX ? csv->path : row->cells[c->file]);
        if (c->line != SIZE_MAX && cc_parse_f64(row->cells[c->line], &v) && v >= 0 && v < 1e9)
            f.line = (unsigned)v;
        if (c->set == SIZE_MAX || !cc_parse_f64(row->cells[c->set], &v) || !(v >= 1 && v < 1e6))
            v = 1;
        if (r && *set != (int)v)
            return cc_err_at(err, CC_EINPUT, csv->path, row->line,
                             "metric set %d after rows of set %d: measure all with one version", (int)v,
                             *set);
        *set = (int)v;
        rc = read_metrics(csv, c, row, f.m, err);
        f.inputs = read_inputs(s, c, row);
        f.untold = (unsigned)fmin(1e9, fmax(0, f.m[CC_M_loops] - f.m[CC_M_loops_constant]));
        CC_VEC_PUSH(&s->functions, f);
    }
    return rc;
}

int cc_area_table_load(const char *path, const struct cc_area_model *model, struct cc_sources **ret,
                       int *ret_metric_set, struct cc_err *err)
{
    struct cc_csv *csv;
    struct columns c;
    int rc = cc_csv_load(path, &csv, err);
    if (rc < 0)
        return rc;
    find_columns(csv, model, &c);
    rc = check_columns(csv, &c, model, err);
    struct cc_sources *s = cc_sources_new();
    if (rc == 0)
        rc = fill(s, csv, &c, ret_metric_set, err);
    cc_csv_free(csv);
    if (rc < 0) {
        cc_sources_free(s);
        return rc;
    }
    *ret = s;
    return 0;
}
