#include "law.h"
#include "../../base/map.h"

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
