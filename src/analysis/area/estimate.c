#include "estimate.h"
#include "../../base/csv.h"
#include "../../base/ini.h"
#include "../../base/map.h"
#include "../../profile/profile.h"

#include <math.h>
#include <strings.h>

/* --- shares --- */

static int find_columns(const struct cc_csv *csv, size_t *name, size_t *share, bool *percent,
                        struct cc_err *err)
{
    *name = *share = SIZE_MAX;
    for (size_t c = 0; c < csv->ncols; c++) {
        const char *title = csv->header.cells[c];
        if (strcmp(title, "name") == 0 || strcmp(title, "function") == 0 || strcmp(title, "kernel") == 0)
            *name = c;
        if (strncmp(title, "share", 5) == 0 || strcmp(title, "time_share") == 0) {
            *share = c;
            *percent = strchr(title, '%') != NULL;
        }
    }
    if (*name == SIZE_MAX || *share == SIZE_MAX)
        return cc_err_at(err, CC_EINPUT, csv->path, csv->header.line, "no column '%s'",
                         *name == SIZE_MAX ? "name" : "share");
    return 0;
}

static int read_share(const struct cc_csv *csv, const struct cc_csv_row *row, size_t col, bool *percent,
                      double *ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *cell = cc_strdup(row->cells[col]);
    size_t n = strlen(cell);
    if (n && cell[n - 1] == '%') {
        *percent = true;
        cell[n - 1] = 0;
        for (n--; n && cell[n - 1] == ' '; n--)
            cell[n - 1] = 0;
    }
    if (!cc_parse_f64(cell, ret) || *ret < 0)
        return cc_err_at(err, CC_EINPUT, csv->path, row->line, "'%.60s' is no share", row->cells[col]);
    return 0;
}

static int fill_shares(struct cc_area_shares *s, const struct cc_csv *csv, struct cc_err *err)
{
    size_t name, share;
    bool percent = false;
    double sum = 0;
    int rc = find_columns(csv, &name, &share, &percent, err);
    s->v = cc_arena_alloc(&s->arena, (csv->nrows + 1) * sizeof *s->v);
    for (size_t r = 0; rc == 0 && r < csv->nrows; r++) {
        rc = read_share(csv, &csv->rows[r], share, &percent, &s->v[r].share, err);
        s->v[r].name = cc_arena_strdup(&s->arena, csv->rows[r].cells[name]);
        sum += s->v[r].share;
        percent |= s->v[r].share > 1;
        s->n++;
    }
    if (rc == 0 && sum > (percent ? 100.5 : 1.005))
        rc = cc_err_at(err, CC_EINPUT, csv->path, 0, "the shares add up to %g%s, more than the whole", sum,
                       percent ? " %" : "");
    for (size_t r = 0; percent && r < s->n; r++)
        s->v[r].share /= 100;
    return rc;
}

int cc_area_shares_load(const char *path, struct cc_area_shares **ret, struct cc_err *err)
{
    struct cc_csv *csv;
    int rc = cc_csv_load(path, &csv, err);
    if (rc < 0)
        return rc;
    struct cc_area_shares *s = cc_alloc(sizeof *s);
    rc = fill_shares(s, csv, err);
    cc_csv_free(csv);
    if (rc < 0) {
        cc_area_shares_free(s);
        return rc;
    }
    *ret = s;
    return 0;
}

int cc_area_shares_from_profile(const struct cc_profile *p, struct cc_area_shares **ret, struct cc_err *err)
{
    double total = 0;
    for (size_t i = 0; i < p->nfunctions; i++)
        total += (double)p->functions[i].exclusive;
    if (total <= 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the recording has no instructions by function");
    struct cc_area_shares *s = cc_alloc(sizeof *s);
    s->v = cc_arena_alloc(&s->arena, (p->nfunctions + 1) * sizeof *s->v);
    for (size_t i = 0; i < p->nfunctions; i++)
        s->v[s->n++] = (struct cc_area_share){cc_arena_strdup(&s->arena, p->functions[i].name),
                                              (double)p->functions[i].exclusive / total};
    *ret = s;
    return 0;
}

void cc_area_shares_free(struct cc_area_shares *s)
{
    if (!s)
        return;
    cc_arena_fini(&s->arena);
    free(s);
}

/* --- devices --- */

static int read_device(const struct cc_ini *ini, struct cc_area_device *d, struct cc_err *err)
{
    const struct cc_ini_section *head = cc_ini_section(ini, "device"),
                                *capacity = cc_ini_section(ini, "capacity");
    if (!head || !capacity)
        return cc_err_at(err, CC_EINPUT, ini->path, 0, "not a device file: no section [%s]",
                         head ? "capacity" : "device");
    const struct cc_ini_key *name = cc_ini_key(head, "name"), *source = cc_ini_key(head, "source");
    if (!name)
        return cc_err_at(err, CC_EINPUT, ini->path, head->line, "key 'name' is missing");
    for (size_t i = 0; i < ini->nsections; i++)
        if (&ini->sections[i] != head && &ini->sections[i] != capacity)
            return cc_err_at(err, CC_EINPUT, ini->path, ini->sections[i].line, "unknown section '%.60s'",
                             ini->sections[i].name);
    d->name = cc_arena_strdup(&d->arena, name->value);
    d->source = source ? cc_arena_strdup(&d->arena, source->value) : NULL;
    d->capacities = cc_arena_alloc(&d->arena, (capacity->nkeys + 1) * sizeof *d->capacities);
    for (size_t i = 0; i < capacity->nkeys; i++) {
        const struct cc_ini_key *k = &capacity->keys[i];
        double v;
        if (!cc_parse_f64(k->value, &v) || v <= 0)
            return cc_err_at(err, CC_EINPUT, ini->path, k->line, "'%s' is no capacity: '%.60s'", k->name,
                             k->value);
        d->capacities[d->n++] = (struct cc_area_capacity){cc_arena_strdup(&d->arena, k->name), v};
    }
    return 0;
}

int cc_area_device_load(const char *path, struct cc_area_device **ret, struct cc_err *err)
{
    struct cc_ini *ini;
    int rc = cc_ini_load(path, &ini, err);
    if (rc < 0)
        return rc;
    struct cc_area_device *d = cc_alloc(sizeof *d);
    rc = read_device(ini, d, err);
    cc_ini_free(ini);
    if (rc < 0) {
        cc_area_device_free(d);
        return rc;
    }
    *ret = d;
    return 0;
}

void cc_area_device_free(struct cc_area_device *d)
{
    if (!d)
        return;
    cc_arena_fini(&d->arena);
    free(d);
}

double cc_area_device_capacity(const struct cc_area_device *d, const char *measure)
{
    for (size_t i = 0; d && i < d->n; i++)
        if (strcasecmp(d->capacities[i].measure, measure) == 0)
            return d->capacities[i].value;
    return NAN;
}

/* --- estimates --- */

bool cc_area_is_additive(const struct cc_area_model_measure *m)
{
    static const char *const not [] = {"cycles", "latency", "period", "clock", "fmax", "delay", "frequency"};
    for (size_t i = 0; i < CC_COUNT(not ); i++)
        if (strncasecmp(m->name, not [i], strlen(not [i])) == 0)
            return false;
    return true;
}

bool cc_area_same_function(const char *recorded, const char *source)
{
    size_t n = strlen(source);
    return strncmp(recorded, source, n) == 0 && (!recorded[n] || recorded[n] == '(' || recorded[n] == '.');
}

static void match_shares(const struct cc_area_shares *shares, struct cc_area_estimate *e)
{
    bool *used = cc_alloc_array(shares->n + 1, sizeof *used);
    e->matched_share = 0;
    for (size_t i = 0; i < e->n; i++) {
        for (size_t k = 0; k < shares->n; k++) {
            if (used[k] || !cc_area_same_function(shares->v[k].name, e->rows[i].f->name))
                continue;
            used[k] = true;
            e->rows[i].share =
                isnan(e->rows[i].share) ? shares->v[k].share : e->rows[i].share + shares->v[k].share;
            e->matched_share += shares->v[k].share;
        }
    }
    enum { AT_MOST = 5 };
    e->unmatched = cc_arena_alloc(&e->arena, AT_MOST * sizeof *e->unmatched);
    while (e->nunmatched < AT_MOST) {
        size_t hottest = SIZE_MAX;
        for (size_t k = 0; k < shares->n; k++)
            if (!used[k] && shares->v[k].share > 0.001 &&
                (hottest == SIZE_MAX || shares->v[k].share > shares->v[hottest].share))
                hottest = k;
        if (hottest == SIZE_MAX)
            break;
        used[hottest] = true;
        e->unmatched[e->nunmatched++] = cc_arena_strdup(&e->arena, shares->v[hottest].name);
    }
    free(used);
}

static int hotter(const void *a, const void *b)
{
    const struct cc_area_row *x = a, *y = b;
    double p = isnan(x->share) ? -1 : x->share, q = isnan(y->share) ? -1 : y->share;
    if (p != q)
        return p < q ? 1 : -1;
    return (x->f > y->f) - (x->f < y->f); /* qsort is not stable */
}

/* Errors of different kernels are taken as independent: half widths add as squares, each side for itself. */
static void accumulate(struct cc_area_estimate *e, const struct cc_area_model *m,
                       const struct cc_area_device *device)
{
    for (size_t k = 0; k < m->nmeasures; k++) {
        double capacity = cc_area_device_capacity(device, m->measures[k].name), sum = 0, below = 0, above = 0;
        bool additive = cc_area_is_additive(&m->measures[k]);
        for (size_t i = 0; i < e->n; i++) {
            struct cc_area_cell *c = &e->rows[i].cells[k];
            c->additive = additive;
            c->share = c->e.value / capacity;
            c->sum = c->sum_low = c->sum_high = c->sum_share = NAN;
            if (e->rows[i].f->nunfit) /* it will not be made as it stands */
                continue;
            sum += c->e.value;
            below += (c->e.value - c->e.low) * (c->e.value - c->e.low);
            above += (c->e.high - c->e.value) * (c->e.high - c->e.value);
            c->sum = additive ? sum : NAN;
            c->sum_low = additive ? fmax(0, sum - sqrt(below)) : NAN;
            c->sum_high = additive ? sum + sqrt(above) : NAN;
            c->sum_share = c->sum / capacity;
            if (additive && sum > capacity)
                e->rows[i].fits = false;
        }
    }
}

static void speedups(struct cc_area_estimate *e)
{
    double sum = 0;
    for (size_t i = 0; i < e->n; i++) {
        struct cc_area_row *r = &e->rows[i];
        r->speedup = r->cumulative = NAN;
        if (isnan(r->share))
            continue;
        r->speedup = r->share < 1 ? 1 / (1 - r->share) : INFINITY;
        if (r->f->nunfit)
            continue;
        sum += r->share;
        /* the accelerated part takes no time at all: Amdahl's upper bound */
        r->cumulative = sum < 1 ? 1 / (1 - sum) : INFINITY;
    }
}

struct cc_area_estimate *cc_area_estimate_all(const struct cc_area_estimate_request *rq)
{
    const struct cc_sources *s = rq->sources;
    const struct cc_area_model *m = rq->model;
    struct cc_area_estimate *e = cc_alloc(sizeof *e);
    e->rows = cc_arena_alloc(&e->arena, (s->functions.n + 1) * sizeof *e->rows);
    e->matched_share = NAN;
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct cc_source_function *f = &s->functions.v[i];
        if (f->refused)
            continue;
        struct cc_area_row *r = &e->rows[e->n++];
        *r = (struct cc_area_row){.f = f, .share = NAN, .fits = true};
        r->cells = cc_arena_alloc(&e->arena, m->nmeasures * sizeof *r->cells);
        double values[CC_VALUE_COUNT];
        cc_area_model_values(m, f, values);
        for (size_t k = 0; k < m->nmeasures; k++)
            r->cells[k].e = cc_area_model_estimate(&m->measures[k], values, rq->confidence);
    }
    if (rq->shares)
        match_shares(rq->shares, e);
    if (rq->shares && rq->hot)
        qsort(e->rows, e->n, sizeof *e->rows, hotter);
    accumulate(e, m, rq->device);
    speedups(e);
    return e;
}

void cc_area_estimate_free(struct cc_area_estimate *e)
{
    if (!e)
        return;
    cc_arena_fini(&e->arena);
    free(e);
}
