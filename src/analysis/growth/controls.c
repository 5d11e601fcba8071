#include "law.h"
#include "../../base/map.h"
#include "../../base/text.h"

#include <math.h>

enum { MODES = CC_LAW_PIECES, RUNS_OF_A_MODE = 4 };

/* The categories of one variable, in the order they come. */
static void take_variable(struct cc_controls *c, size_t v, const char *const *values)
{
    struct cc_strmap seen = {0};
    c->texts[v] = cc_arena_alloc(&c->arena, (c->nruns + 1) * sizeof **c->texts);
    c->numeric[v] = true;
    for (size_t r = 0; r < c->nruns; r++) {
        size_t at = r * c->nvariables + v;
        bool new;
        uint64_t *id = cc_strmap_put(&seen, values[at], &new);
        if (new) {
            *id = c->ncategories[v];
            c->texts[v][c->ncategories[v]++] = cc_arena_strdup(&c->arena, values[at]);
        }
        c->category[at] = (uint32_t)*id;
        if (!cc_parse_f64(values[at], &c->x[at])) {
            c->x[at] = NAN;
            c->numeric[v] = false;
        }
    }
    c->numeric[v] &= c->ncategories[v] > 2; /* two points lie on every curve */
    cc_strmap_fini(&seen);
}

static void find_modes(struct cc_controls *c, size_t v)
{
    CC_CLEANUP(cc_free_ptr) size_t *count = cc_alloc_array(c->ncategories[v] + 1, sizeof *count);
    for (size_t r = 0; r < c->nruns; r++)
        count[c->category[r * c->nvariables + v]]++;
    c->modes[v] = !c->numeric[v] && c->ncategories[v] > 1 && c->ncategories[v] <= MODES;
    for (size_t k = 0; k < c->ncategories[v]; k++)
        c->modes[v] &= count[k] >= RUNS_OF_A_MODE;
}

void cc_controls_init(struct cc_controls *c, const char *const *names, size_t nvariables,
                      const char *const *values, size_t nruns)
{
    *c = (struct cc_controls){.nruns = nruns, .nvariables = nvariables, .names = names};
    c->x = cc_arena_alloc(&c->arena, (nruns * nvariables + 1) * sizeof *c->x);
    c->category = cc_arena_alloc(&c->arena, (nruns * nvariables + 1) * sizeof *c->category);
    c->ncategories = cc_arena_alloc(&c->arena, (nvariables + 1) * sizeof *c->ncategories);
    c->texts = cc_arena_alloc(&c->arena, (nvariables + 1) * sizeof *c->texts);
    c->numeric = cc_arena_alloc(&c->arena, nvariables + 1);
    c->modes = cc_arena_alloc(&c->arena, nvariables + 1);
    for (size_t v = 0; v < nvariables; v++) {
        take_variable(c, v, values);
        find_modes(c, v);
    }
}

void cc_controls_fini(struct cc_controls *c)
{
    cc_arena_fini(&c->arena);
}

/* --- values of --at --- */

static int set_variable(const struct cc_controls *c, const char *name, const char *value, double *x,
                        uint32_t *category, struct cc_err *err)
{
    for (size_t v = 0; v < c->nvariables; v++) {
        if (strcmp(c->names[v], name) != 0)
            continue;
        if (!cc_parse_f64(value, &x[v])) {
            x[v] = NAN;
            if (c->numeric[v])
                return cc_err_set(err, CC_EUSAGE, "option '--at': '%s' of the variable '%s' is no number",
                                  value, name);
        }
        for (uint32_t k = 0; k < c->ncategories[v]; k++)
            if (strcmp(c->texts[v][k], value) == 0)
                category[v] = k;
        return 0;
    }
    int rc = cc_err_set(err, CC_EUSAGE, "option '--at': the set has no variable '%s'", name);
    const char *near = cc_nearest(name, c->names, c->nvariables);
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    return rc;
}

int cc_controls_at(const struct cc_controls *c, const char *text, double *x, uint32_t *category,
                   struct cc_err *err)
{
    for (size_t v = 0; v < c->nvariables; v++) {
        x[v] = NAN;
        category[v] = UINT32_MAX;
    }
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *left = NULL;
    for (char *word = strtok_r(copy, ",", &left); word; word = strtok_r(NULL, ",", &left)) {
        char *value = strchr(word, '=');
        if (!value)
            return cc_err_set(err, CC_EUSAGE, "option '--at': expected NAME=VALUE,… and got '%s'", text);
        *value++ = 0;
        int rc = set_variable(c, word, value, x, category, err);
        if (rc < 0)
            return rc;
    }
    for (size_t v = 0; v < c->nvariables; v++)
        if (c->numeric[v] && isnan(x[v]))
            return cc_err_set(err, CC_EUSAGE, "option '--at': no value for the variable '%s'", c->names[v]);
    return 0;
}

char *cc_controls_beyond(const struct cc_controls *c, const double *x)
{
    struct cc_buf b = {0};
    for (size_t v = 0; v < c->nvariables; v++) {
        double lo = INFINITY, hi = -INFINITY;
        for (size_t r = 0; c->numeric[v] && r < c->nruns; r++) {
            lo = fmin(lo, c->x[r * c->nvariables + v]);
            hi = fmax(hi, c->x[r * c->nvariables + v]);
        }
        if (c->numeric[v] && (x[v] < lo || x[v] > hi))
            cc_buf_printf(&b, "%s%s = %.6g (%.6g to %.6g)", b.n ? ", " : "", c->names[v], x[v], lo, hi);
    }
    return b.s;
}
