#include "forest.h"
#include "model.h"
#include "../../base/ini.h"
#include "../../base/file.h"
#include "../../base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

enum {
    MAX_FILE = 16 << 20,
    MAX_TERMS = CC_VALUE_COUNT,
    MAX_TREES = 10000,
    MAX_NODES = 1 << 20,
    MAX_MEASURES = 500,
    TERM_NUMBERS = 6
};
enum { ERROR_NUMBERS = 5 + CC_ERROR_QUANTILES };

static const char format_name[] = "corecast area model";

/* --- writing --- */

/* One line, and nothing an INI reader takes for a comment. */
static void put_text(FILE *out, const char *key, const char *value)
{
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(value);
    for (char *c = safe; *c; c++)
        if (*c == ';' || *c == '#')
            *c = '_';
    fprintf(out, "%s = %s\n", key, safe);
}

static void put_errors(FILE *out, const char *key, const struct cc_error_summary *e)
{
    fprintf(out, "%s = %zu %.6g %.6g %.6g %.6g", key, e->n, e->n ? e->median_abs : 0.0,
            e->n ? e->factor : 0.0, e->mean_abs, e->worst);
    for (size_t q = 0; q < CC_ERROR_QUANTILES; q++)
        fprintf(out, " %.6g", e->n ? e->q[q] : 0.0);
    fputc('\n', out);
    CC_CLEANUP(cc_free_ptr) char *kernel_key = cc_asprintf("%s.worst_kernel", key);
    put_text(out, kernel_key, e->worst_kernel);
}

static void put_threshold(FILE *out, int term, double v)
{
    fprintf(out, cc_area_round5(v) == v ? " %d<%.5g" : " %d<%.17g", term, v);
}

/* A split is "metric<threshold", its left side next; a leaf "=mean", or "=mean/share of zeros". Metrics are
 * numbered in the order of the terms. */
static void put_tree(FILE *out, const struct cc_area_model_measure *m, size_t tree, const int *number)
{
    const struct cc_area_forest *f = m->forest;
    size_t end = tree + 1 < f->ntrees ? f->roots[tree + 1] : f->nnodes;
    fprintf(out, "tree.%zu =", tree + 1);
    for (size_t i = f->roots[tree]; i < end; i++) {
        const struct cc_area_node *n = &f->nodes[i];
        if (n->feature >= 0)
            put_threshold(out, number[n->feature], n->threshold);
        else if (n->zeros > 0)
            fprintf(out, " =%.5g/%.5g", n->threshold, n->zeros);
        else
            fprintf(out, " =%.5g", n->threshold);
    }
    fputc('\n', out);
}

static void put_forest(FILE *out, const struct cc_area_model_measure *m)
{
    int number[CC_VALUE_COUNT] = {0};
    fputs("; half width of the interval over sigma + the trees' spread, for 50 80 90 95 99 %\nfactors =",
          out);
    for (size_t l = 0; l < CC_LEVEL_COUNT; l++)
        fprintf(out, " %.6g", m->factor[l]);
    fprintf(out, "\nsigma = %.12g\nterms = %zu\n", m->sigma, m->nterms);
    fputs("; metric, share of the splits, least, most\n", out);
    for (size_t j = 0; j < m->nterms; j++) {
        const struct cc_area_model_term *t = &m->terms[j];
        number[t->metric] = (int)j + 1;
        fprintf(out, "term.%zu = %s %.6g %.12g %.12g\n", j + 1, t->name, t->coef, t->min, t->max);
    }
    fprintf(out, "trees = %zu\nnodes = %zu\n", m->forest->ntrees, m->forest->nnodes);
    fputs("; term<threshold: that side next; =mean of a leaf, /share of zeros\n", out);
    for (size_t t = 0; t < m->forest->ntrees; t++)
        put_tree(out, m, t, number);
}

static void put_measure(FILE *out, const struct cc_area_model_measure *m)
{
    fprintf(out, "\n[measure.%s]\n", m->name);
    put_text(out, "unit", m->unit);
    fprintf(out, "family = %s\n", cc_family_names[m->family]);
    fprintf(out, "scale = %s\n", !m->log ? "linear" : m->plus1 ? "log1p" : "log");
    fprintf(out, "kernels = %zu\ngroups = %zu\n", m->kernels, m->groups);
    fprintf(out, "r2 = %.6g\nr2_left_out = %.6g\n", m->r2, m->r2_left_out);
    fputs("; kernels, median |error|, median factor, mean |error|, worst, quantiles 5 25 50 75 95 %: "
          "(estimate - measured) / measured\n",
          out);
    put_errors(out, "error.left_out", &m->left_out);
    put_errors(out, "error.fixed", &m->fixed);
    if (m->forest) {
        put_forest(out, m);
        return;
    }
    fprintf(out, "sigma = %.12g\ndof = %.12g\n", m->sigma, m->dof);
    fprintf(out, "condition = %.6g\nridge = %.12g\nleverage_max = %.12g\n", m->condition, m->ridge,
            m->leverage_max);
    fputs("; half width of the interval over sigma * sqrt(1 + leverage), for 50 80 90 95 99 %\nfactors =",
          out);
    for (size_t l = 0; l < CC_LEVEL_COUNT; l++)
        fprintf(out, " %.6g", m->factor[l]);
    fprintf(out, "\n; value, standard error\nintercept = %.12g %.6g\n", m->intercept, m->intercept_se);
    fprintf(out, "terms = %zu\n", m->nterms);
    if (m->nterms)
        fputs("; metric, coefficient, standard error, mean and spread of the (scaled) metric, least, most\n",
              out);
    for (size_t j = 0; j < m->nterms; j++) {
        const struct cc_area_model_term *t = &m->terms[j];
        fprintf(out, "term.%zu = %s %.12g %.6g %.12g %.12g %.12g %.12g\n", j + 1, t->name, t->coef, t->se,
                t->mean, t->scale, t->min, t->max);
    }
    for (size_t a = 0; a < m->nterms; a++) {
        fprintf(out, "cov.%zu =", a + 1);
        for (size_t b = 0; b < m->nterms; b++)
            fprintf(out, " %.12g", m->cov[a * m->nterms + b]);
        fputc('\n', out);
    }
}

void cc_area_model_write(const struct cc_area_model *m, FILE *out)
{
    fprintf(out, "[model]\nformat = %s\nversion = %d\n", format_name, CC_AREA_MODEL_VERSION);
    put_text(out, "made_by", m->made_by);
    put_text(out, "tables", m->tables);
    fprintf(out, "checksum = %016" PRIx64 "\n", m->checksum);
    put_text(out, "options", m->options);
    put_text(out, "scope", m->scope ? m->scope : "");
    fprintf(out, "metric_set = %d\n", m->metric_set);
    if (m->clock_ns > 0)
        fprintf(out, "clock_ns = %.12g\n", m->clock_ns);
    if (m->ninputs)
        fprintf(out, "; name, median, least, most\ninputs = %zu\n", m->ninputs);
    for (size_t i = 0; i < m->ninputs; i++)
        fprintf(out, "input.%zu = %s %.12g %.12g %.12g\n", i + 1, m->inputs[i].name, m->inputs[i].value,
                m->inputs[i].min, m->inputs[i].max);
    for (size_t i = 0; i < m->nmeasures; i++)
        put_measure(out, &m->measures[i]);
}

/* --- reading --- */

struct read {
    const struct cc_ini *ini;
    const struct cc_ini_section *section;
    struct cc_area_model *m;
    struct cc_err *err;
};

static int bad(const struct read *r, unsigned line, const char *key, const char *what)
{
    return cc_err_at(r->err, CC_EINPUT, r->ini->path, line ? line : r->section->line, "key '%s' %s", key,
                     what);
}

static int text(const struct read *r, const char *key, const char **ret)
{
    const struct cc_ini_key *k = cc_ini_key(r->section, key);
    if (!k)
        return bad(r, 0, key, "is missing");
    *ret = cc_arena_strdup(&r->m->arena, k->value);
    return 0;
}

/* n numbers, after a word if `word` is wanted. */
static int numbers(const struct read *r, const char *key, const char **word, double *v, size_t n)
{
    const struct cc_ini_key *k = cc_ini_key(r->section, key);
    if (!k)
        return bad(r, 0, key, "is missing");
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(k->value);
    char *save = NULL, *part = strtok_r(copy, " \t", &save);
    if (word) {
        *word = cc_arena_strdup(&r->m->arena, part ? part : "");
        part = strtok_r(NULL, " \t", &save);
    }
    for (size_t i = 0; i < n; i++) {
        if (!part || !cc_parse_f64(part, &v[i]))
            return bad(r, k->line, key, "does not hold the numbers it should");
        part = strtok_r(NULL, " \t", &save);
    }
    return part ? bad(r, k->line, key, "holds more numbers than it should") : 0;
}

static int number(const struct read *r, const char *key, double min, double max, double *ret)
{
    int rc = numbers(r, key, NULL, ret, 1);
    if (rc == 0 && (*ret < min || *ret > max))
        rc = bad(r, cc_ini_key(r->section, key)->line, key, "is outside its range");
    return rc;
}

static int count(const struct read *r, const char *key, double min, double max, size_t *ret)
{
    double v = 0;
    int rc = number(r, key, min, max, &v);
    *ret = rc < 0 ? 0 : (size_t)v;
    return rc;
}

static int errors(const struct read *r, const char *key, struct cc_error_summary *e)
{
    double v[ERROR_NUMBERS];
    int rc = numbers(r, key, NULL, v, ERROR_NUMBERS);
    if (rc < 0)
        return rc;
    if (v[0] < 0 || v[0] > 1e9)
        return bad(r, cc_ini_key(r->section, key)->line, key, "is outside its range");
    e->n = (size_t)v[0];
    e->median_abs = v[1];
    e->factor = v[2];
    e->mean_abs = v[3];
    e->worst = v[4];
    memcpy(e->q, v + 5, sizeof e->q);
    char kernel_key[64];
    snprintf(kernel_key, sizeof kernel_key, "%s.worst_kernel", key);
    return text(r, kernel_key, &e->worst_kernel);
}

/* A metric, or an input of the model behind them; -1: neither. */
static int find_value(const struct cc_area_model *m, const char *name)
{
    for (size_t i = 0; i < m->ninputs; i++)
        if (strcmp(m->inputs[i].name, name) == 0)
            return CC_METRIC_COUNT + (int)i;
    return cc_metric_find(name);
}

static int read_inputs(const struct read *r)
{
    struct cc_area_model *m = r->m;
    size_t n = 0;
    int rc = cc_ini_key(r->section, "inputs") ? count(r, "inputs", 0, CC_COUNT(m->inputs), &n) : 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct cc_area_input *input = &m->inputs[m->ninputs];
        char key[32];
        double v[3];
        snprintf(key, sizeof key, "input.%zu", i + 1);
        rc = numbers(r, key, &input->name, v, CC_COUNT(v));
        if (rc == 0 && (v[1] > v[2] || v[1] < 0 || find_value(m, input->name) >= 0))
            rc = bad(r, cc_ini_key(r->section, key)->line, key, "is no input");
        if (rc < 0)
            return rc;
        input->value = v[0];
        input->min = v[1];
        input->max = v[2];
        m->ninputs++;
    }
    return rc;
}

static int read_term(const struct read *r, size_t j, struct cc_area_model_term *t)
{
    char key[32];
    const char *name;
    double v[TERM_NUMBERS];
    snprintf(key, sizeof key, "term.%zu", j + 1);
    int rc = numbers(r, key, &name, v, TERM_NUMBERS);
    if (rc < 0)
        return rc;
    unsigned line = cc_ini_key(r->section, key)->line;
    int metric = find_value(r->m, name);
    if (metric < 0)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, line, "no metric '%.60s'", name);
    if (v[3] <= 0 || v[1] < 0 || v[4] > v[5])
        return bad(r, line, key, "is outside its range");
    *t = (struct cc_area_model_term){(enum cc_metric)metric, name, v[0], v[1], v[2], v[3], v[4], v[5]};
    return 0;
}

static int read_terms(const struct read *r, struct cc_area_model_measure *m)
{
    int rc = count(r, "terms", 0, MAX_TERMS, &m->nterms);
    if (rc < 0)
        return rc;
    m->terms = cc_arena_alloc(&r->m->arena, (m->nterms + 1) * sizeof *m->terms);
    m->cov = cc_arena_alloc(&r->m->arena, (m->nterms * m->nterms + 1) * sizeof *m->cov);
    for (size_t j = 0; rc == 0 && j < m->nterms; j++) {
        char key[32];
        rc = read_term(r, j, &m->terms[j]);
        snprintf(key, sizeof key, "cov.%zu", j + 1);
        if (rc == 0)
            rc = numbers(r, key, NULL, m->cov + j * m->nterms, m->nterms);
    }
    return rc;
}

static int read_scale(const struct read *r, struct cc_area_model_measure *m)
{
    const char *scale;
    int rc = text(r, "scale", &scale);
    if (rc < 0)
        return rc;
    m->log = strncmp(scale, "log", 3) == 0;
    m->plus1 = strcmp(scale, "log1p") == 0;
    if (strcmp(scale, "linear") != 0 && strcmp(scale, "log") != 0 && !m->plus1)
        return bad(r, cc_ini_key(r->section, "scale")->line, "scale", "is none of linear, log, log1p");
    return 0;
}

/* One term of a forest: metric, share, least, most. */
static int read_used(const struct read *r, size_t j, struct cc_area_model_term *t)
{
    char key[32];
    const char *name;
    double v[3];
    snprintf(key, sizeof key, "term.%zu", j + 1);
    int rc = numbers(r, key, &name, v, CC_COUNT(v));
    if (rc < 0)
        return rc;
    unsigned line = cc_ini_key(r->section, key)->line;
    int metric = find_value(r->m, name);
    if (metric < 0)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, line, "no metric '%.60s'", name);
    if (v[1] > v[2])
        return bad(r, line, key, "is outside its range");
    *t = (struct cc_area_model_term){(enum cc_metric)metric, name, .coef = v[0], .min = v[1], .max = v[2]};
    return 0;
}

static bool read_node(const struct cc_area_model_measure *m, char *word, struct cc_area_node *n)
{
    char *sign = strpbrk(word, "<=/");
    double number;
    *n = (struct cc_area_node){.feature = -1};
    if (sign && *sign == '<') {
        *sign = 0;
        if (!cc_parse_f64(word, &number) || !(number >= 1 && number <= (double)m->nterms))
            return false;
        n->feature = (int32_t)m->terms[(size_t)number - 1].metric;
        return cc_parse_f64(sign + 1, &n->threshold);
    }
    if (!sign || sign != word || *sign != '=')
        return false;
    char *zeros = strchr(word, '/');
    if (zeros)
        *zeros++ = 0;
    return cc_parse_f64(word + 1, &n->threshold) &&
           (!zeros || (cc_parse_f64(zeros, &n->zeros) && n->zeros >= 0 && n->zeros <= 1));
}

/* The right side of a split begins where its left side ends: splits that wait for theirs are a stack. */
static bool read_tree(struct cc_area_model_measure *m, char *text, size_t most)
{
    struct cc_area_forest *f = m->forest;
    CC_VEC(uint32_t) open = {0};
    char *save = NULL;
    bool ok = true, whole = false;
    for (char *word = strtok_r(text, " \t", &save); word && ok; word = strtok_r(NULL, " \t", &save)) {
        ok = !whole && f->nnodes < most && read_node(m, word, &f->nodes[f->nnodes]);
        if (!ok)
            break;
        uint32_t me = (uint32_t)f->nnodes++;
        if (f->nodes[me].feature >= 0) {
            CC_VEC_PUSH(&open, me);
        } else if (open.n) {
            f->nodes[open.v[--open.n]].right = me + 1;
        } else {
            whole = true;
        }
    }
    CC_VEC_FINI(&open);
    return ok && whole;
}

static int read_trees(const struct read *r, struct cc_area_model_measure *m)
{
    size_t trees = 0, nodes = 0;
    int rc = count(r, "trees", 1, MAX_TREES, &trees);
    if (rc == 0)
        rc = count(r, "nodes", 1, MAX_NODES, &nodes);
    if (rc < 0)
        return rc;
    m->forest = cc_arena_alloc(&r->m->arena, sizeof *m->forest);
    m->forest->roots = cc_arena_alloc(&r->m->arena, trees * sizeof *m->forest->roots);
    m->forest->nodes = cc_arena_alloc(&r->m->arena, nodes * sizeof *m->forest->nodes);
    for (size_t t = 0; t < trees; t++) {
        char key[32];
        snprintf(key, sizeof key, "tree.%zu", t + 1);
        const struct cc_ini_key *k = cc_ini_key(r->section, key);
        if (!k)
            return bad(r, 0, key, "is missing");
        m->forest->roots[m->forest->ntrees++] = (uint32_t)m->forest->nnodes;
        CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(k->value);
        if (!read_tree(m, copy, nodes))
            return bad(r, k->line, key, "is no tree");
    }
    return 0;
}

static int read_forest(const struct read *r, struct cc_area_model_measure *m)
{
    int rc = count(r, "terms", 1, MAX_TERMS, &m->nterms);
    if (rc < 0)
        return rc;
    m->family = CC_FAMILY_FOREST;
    m->terms = cc_arena_alloc(&r->m->arena, m->nterms * sizeof *m->terms);
    for (size_t j = 0; rc == 0 && j < m->nterms; j++)
        rc = read_used(r, j, &m->terms[j]);
    return rc < 0 ? rc : read_trees(r, m);
}

static int read_linear(const struct read *r, struct cc_area_model_measure *m)
{
    const double big = 1e300;
    double intercept[2];
    int rc;
    if ((rc = number(r, "dof", 0, 1e9, &m->dof)) < 0 ||
        (rc = number(r, "condition", 0, big, &m->condition)) < 0 ||
        (rc = number(r, "ridge", 0, big, &m->ridge)) < 0 ||
        (rc = number(r, "leverage_max", 0, 2, &m->leverage_max)) < 0 ||
        (rc = numbers(r, "intercept", NULL, intercept, 2)) < 0)
        return rc;
    m->intercept = intercept[0];
    m->intercept_se = intercept[1];
    return read_terms(r, m);
}

static int read_measure(const struct read *r, struct cc_area_model_measure *m)
{
    const double big = 1e300;
    const char *family;
    m->name = cc_arena_strdup(&r->m->arena, strchr(r->section->name, '.') + 1);
    int rc = text(r, "unit", &m->unit);
    if (rc < 0 || (rc = read_scale(r, m)) < 0 || (rc = count(r, "kernels", 1, 1e9, &m->kernels)) < 0 ||
        (rc = count(r, "groups", 1, 1e9, &m->groups)) < 0 ||
        (rc = number(r, "r2", -big, 1.001, &m->r2)) < 0 ||
        (rc = number(r, "r2_left_out", -big, 1.001, &m->r2_left_out)) < 0 ||
        (rc = errors(r, "error.left_out", &m->left_out)) < 0 ||
        (rc = errors(r, "error.fixed", &m->fixed)) < 0 || (rc = number(r, "sigma", 0, big, &m->sigma)) < 0 ||
        (rc = numbers(r, "factors", NULL, m->factor, CC_LEVEL_COUNT)) < 0 ||
        (rc = text(r, "family", &family)) < 0)
        return rc;
    for (size_t l = 0; l < CC_LEVEL_COUNT; l++)
        if (m->factor[l] < 0)
            return bad(r, cc_ini_key(r->section, "factors")->line, "factors", "is outside its range");
    if (strcmp(family, "forest") == 0)
        return m->log ? read_forest(r, m) : bad(r, 0, "scale", "is not that of a forest");
    if (strcmp(family, "penalised") == 0)
        m->family = CC_FAMILY_PENALISED;
    else if (strcmp(family, "linear") != 0)
        return bad(r, cc_ini_key(r->section, "family")->line, "family",
                   "is none of linear, penalised, forest");
    return read_linear(r, m);
}

static int read_head(struct read *r)
{
    const char *format;
    double version;
    r->section = cc_ini_section(r->ini, "model");
    if (!r->section)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, 0,
                         "not a model written by 'corecast area calibrate'");
    int rc = text(r, "format", &format);
    if (rc == 0 && strcmp(format, format_name) != 0)
        rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, r->section->line,
                       "not a model written by 'corecast area calibrate'");
    if (rc == 0)
        rc = number(r, "version", 1, 1e6, &version);
    if (rc == 0 && version != CC_AREA_MODEL_VERSION)
        rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, cc_ini_key(r->section, "version")->line,
                       "model version %g, this corecast reads version %d", version, CC_AREA_MODEL_VERSION);
    const char *checksum;
    if (rc < 0 || (rc = text(r, "made_by", &r->m->made_by)) < 0 ||
        (rc = text(r, "tables", &r->m->tables)) < 0 || (rc = text(r, "options", &r->m->options)) < 0 ||
        (rc = text(r, "checksum", &checksum)) < 0 || (rc = text(r, "scope", &r->m->scope)) < 0)
        return rc;
    r->m->checksum = strtoull(checksum, NULL, 16);
    size_t set = 0;
    rc = count(r, "metric_set", 0, 1e6, &set);
    r->m->metric_set = (int)set;
    if (rc == 0 && cc_ini_key(r->section, "clock_ns"))
        rc = number(r, "clock_ns", 1e-6, 1e9, &r->m->clock_ns);
    return rc < 0 ? rc : read_inputs(r);
}

static int read_model(struct read *r)
{
    int rc = read_head(r);
    if (rc == 0 && r->ini->nsections > MAX_MEASURES)
        rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, 0, "more than %d measures", MAX_MEASURES);
    if (rc < 0)
        return rc;
    r->m->measures = cc_arena_alloc(&r->m->arena, r->ini->nsections * sizeof *r->m->measures);
    for (size_t i = 0; rc == 0 && i < r->ini->nsections; i++) {
        r->section = &r->ini->sections[i];
        if (strcmp(r->section->name, "model") == 0)
            continue;
        if (strncmp(r->section->name, "measure.", 8) != 0 || !r->section->name[8])
            return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->section->line, "unknown section '%.60s'",
                             r->section->name);
        rc = read_measure(r, &r->m->measures[r->m->nmeasures]);
        r->m->nmeasures++;
    }
    if (rc == 0 && r->m->nmeasures == 0)
        rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, 0, "a model without measures");
    return rc;
}

int cc_area_model_parse(const char *path, const char *input, size_t size, struct cc_area_model **ret,
                        struct cc_err *err)
{
    struct cc_ini *ini;
    int rc = cc_ini_parse(path, input, size, &ini, err);
    if (rc < 0)
        return rc;
    struct cc_area_model *m = cc_alloc(sizeof *m);
    struct read r = {.ini = ini, .m = m, .err = err};
    rc = read_model(&r);
    cc_ini_free(ini);
    if (rc < 0) {
        cc_area_model_free(m);
        return rc;
    }
    *ret = m;
    return 0;
}

int cc_area_model_load(const char *path, struct cc_area_model **ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *input = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &input, &size, err);
    return rc < 0 ? rc : cc_area_model_parse(path, input, size, ret, err);
}

/* --- inputs --- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cc_area_model_take_inputs(struct cc_area_model *m, const struct cc_area_kernels *k)
{
    double *v = cc_alloc_array(k->n + 1, sizeof *v);
    m->ninputs = k->n ? k->ninputs : 0;
    for (size_t j = 0; j < k->nmetrics && m->ninputs; j++) {
        if (k->metric[j] < CC_METRIC_COUNT)
            continue;
        for (size_t i = 0; i < k->n; i++)
            v[i] = k->x[i * k->nmetrics + j];
        qsort(v, k->n, sizeof *v, ascending);
        m->inputs[k->metric[j] - CC_METRIC_COUNT] =
            (struct cc_area_input){.name = cc_arena_strdup(&m->arena, cc_area_column_name(k, j)),
                                   .value = v[k->n / 2],
                                   .min = v[0],
                                   .max = v[k->n - 1]};
    }
    free(v);
}

struct cc_area_input *cc_area_model_input(struct cc_area_model *m, const char *name)
{
    for (size_t i = 0; i < m->ninputs; i++)
        if (strcmp(m->inputs[i].name, name) == 0)
            return &m->inputs[i];
    return NULL;
}

void cc_area_model_values(const struct cc_area_model *m, const struct cc_source_function *f,
                          double ret[CC_VALUE_COUNT])
{
    memcpy(ret, f->m, sizeof f->m);
    for (size_t i = 0; i < CC_VALUE_COUNT - CC_METRIC_COUNT; i++)
        ret[CC_METRIC_COUNT + i] = m->inputs[i].value;
    for (size_t i = 0; f->inputs && i < m->ninputs; i++)
        if (!isnan(f->inputs[i]) && !m->inputs[i].given)
            ret[CC_METRIC_COUNT + i] = f->inputs[i];
}

void cc_area_model_free(struct cc_area_model *m)
{
    if (!m)
        return;
    cc_arena_fini(&m->arena);
    free(m);
}
