#include "exchange.h"
#include "samples.h"
#include "../../base/map.h"
#include "../../base/parallel.h"

#include <math.h>

enum { LEAST_RUNS = 4 };

/* The run is the sum of its functions and streams: its law is the sum of theirs. */
static const bool modelled[CC_OFS] = {[CC_OF_FUNCTION] = true,
                                      [CC_OF_LOOP] = true,
                                      [CC_OF_REGION] = true,
                                      [CC_OF_STREAM] = true,
                                      [CC_OF_FLOW] = true};

struct loading {
    const struct cc_set *set;
    struct cc_samples *s;
    const size_t *run; /* of the manifest, for each run here */
    struct cc_strmap known[CC_OFS];
    const struct cc_ranks *ranks;
    struct cc_samples_kind kind;
    struct cc_err err;
    int rc;
};

static void name_ends(struct cc_samples *s, const struct cc_subjects *of, const struct cc_subject *stream,
                      struct cc_thing *t)
{
    for (int i = 0; i < 2; i++) {
        uint32_t at = stream->ends[i];
        t->ends[i] = at < of->of[CC_OF_FUNCTION].n
                         ? cc_arena_strdup(&s->arena, of->of[CC_OF_FUNCTION].v[at].name)
                         : NULL;
    }
}

static struct cc_thing *thing_of(struct loading *x, enum cc_subject_kind kind, const struct cc_subjects *all,
                                 const struct cc_subject *of)
{
    struct cc_samples *s = x->s;
    bool new;
    uint64_t *at = cc_strmap_put(&x->known[kind], of->name, &new);
    if (new) {
        *at = s->things.n;
        struct cc_thing t = {.kind = kind,
                             .name = cc_arena_strdup(&s->arena, of->name),
                             .file = of->file ? cc_arena_strdup(&s->arena, of->file) : NULL,
                             .line = of->line};
        for (size_t i = 0; i < cc_subject_infos[kind].nfigures; i++)
            t.y[i] = cc_alloc_array(s->nruns, sizeof *t.y[i]);
        if (kind == CC_OF_STREAM)
            name_ends(s, all, of, &t);
        CC_VEC_PUSH(&s->things, t);
    }
    return &s->things.v[*at];
}

static bool differs(const char **first, const char *text, struct cc_arena *arena)
{
    if (!*first)
        *first = text ? cc_arena_strdup(arena, text) : NULL;
    return *first && text && strcmp(*first, text) != 0;
}

static void merge(struct loading *x, size_t run, const struct cc_subjects *of)
{
    for (int k = 0; k < CC_OFS; k++)
        for (size_t i = 0; modelled[k] && i < of->of[k].n; i++) {
            struct cc_thing *t = thing_of(x, (enum cc_subject_kind)k, of, &of->of[k].v[i]);
            for (size_t f = 0; f < cc_subject_infos[k].nfigures; f++)
                t->y[f][run] = of->of[k].v[i].value[f];
        }
    bool isa = differs(&x->kind.isa, of->isa, &x->s->arena),
         engine = differs(&x->kind.engine, of->engine, &x->s->arena);
    x->kind.unlike |= differs(&x->kind.libs, of->libs, &x->s->arena) || isa || engine;
}

/* Runs are read by several threads, but taken in their order: names are the same whichever comes first. */
static void load_some(struct cc_parallel *p, void *data)
{
    struct loading *x = data;
    size_t run;
    while (cc_parallel_next(p, &run)) {
        if (!cc_ranks_mine(x->ranks, run))
            continue;
        const struct cc_set_run *r = &x->set->runs.v[x->run[run]];
        CC_CLEANUP(cc_free_ptr) char *path = cc_set_path(x->set, r);
        struct cc_subjects *of = NULL;
        struct cc_err err = {0};
        int rc = cc_subjects_load(path, false, &of, &err);
        cc_parallel_lock(p);
        if (rc == 0)
            merge(x, run, of);
        else if (x->rc == 0) {
            x->rc = rc;
            x->err = err;
            cc_parallel_stop(p);
        }
        cc_parallel_unlock(p);
        cc_subjects_free(of);
    }
}

static double heaviest(const struct cc_thing *t, size_t n)
{
    double most = 0;
    for (size_t i = 0; t->y[0] && i < n; i++)
        most = fmax(most, t->y[0][i]);
    return most;
}

static int by_weight(const void *a, const void *b, void *runs)
{
    const struct cc_thing *x = a, *y = b;
    double p = heaviest(x, *(size_t *)runs), q = heaviest(y, *(size_t *)runs);
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return p != q ? (p > q ? -1 : 1) : strcmp(x->name, y->name);
}

/* Figures that some run does not tell are of no use. */
static void drop_unknown(struct cc_samples *s)
{
    for (size_t i = 0; i < s->things.n; i++)
        for (size_t f = 0; f < CC_FIGURES; f++) {
            double *y = s->things.v[i].y[f];
            bool known = true;
            for (size_t r = 0; y && known && r < s->nruns; r++)
                known = isfinite(y[r]);
            if (!known) {
                free(y);
                s->things.v[i].y[f] = NULL;
            }
        }
}

/* Without marks there is one region, outside of all: the whole run. */
static void drop_outside(struct cc_samples *s)
{
    size_t regions = 0, n = 0;
    for (size_t i = 0; i < s->things.n; i++)
        regions += s->things.v[i].kind == CC_OF_REGION;
    for (size_t i = 0; i < s->things.n; i++) {
        struct cc_thing *t = &s->things.v[i];
        bool drop = regions < 2 && (t->kind == CC_OF_REGION || t->kind == CC_OF_FLOW);
        for (size_t f = 0; drop && f < CC_FIGURES; f++)
            free(t->y[f]);
        if (!drop)
            s->things.v[n++] = *t;
    }
    s->things.n = n;
}

static int load_runs(struct loading *x, struct cc_err *err)
{
    cc_parallel_run(x->s->nruns, cc_ranks_threads(x->ranks), load_some, x);
    for (int k = 0; k < CC_OFS; k++)
        cc_strmap_fini(&x->known[k]);
    if (x->rc < 0)
        *err = x->err;
    int rc = cc_ranks_agree(x->ranks, x->rc, err);
    if (rc < 0)
        return rc;
    cc_samples_exchange(x->ranks, x->s, &x->kind);
    drop_outside(x->s);
    drop_unknown(x->s);
    if (x->s->things.n)
        qsort_r(x->s->things.v, x->s->things.n, sizeof *x->s->things.v, by_weight, &x->s->nruns);
    if (x->kind.unlike)
        CC_VEC_PUSH(
            &x->s->limits,
            "the recordings are not of one instruction set, engine or --libs: their figures are not alike");
    return 0;
}

int cc_controls_of_set(const struct cc_set *set, struct cc_arena *arena, size_t *run, struct cc_controls *ret,
                       struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr)
    const char **values = cc_alloc_array(set->runs.n * set->nvariables + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < set->runs.n; i++) {
        if (strcmp(set->runs.v[i].status, CC_SET_OK) != 0 || !*set->runs.v[i].file)
            continue;
        memcpy(&values[n * set->nvariables], set->runs.v[i].values, set->nvariables * sizeof *values);
        run[n++] = i;
    }
    if (n < LEAST_RUNS)
        return cc_err_at(err, CC_EINPUT, set->folder, 0,
                         "%zu whole recordings in the set; a law needs at least %d", n, LEAST_RUNS);
    const char **names = cc_arena_alloc(arena, set->nvariables * sizeof *names);
    for (size_t i = 0; i < set->nvariables; i++)
        names[i] = cc_arena_strdup(arena, set->variables[i]);
    cc_controls_init(ret, names, set->nvariables, values, n);
    return 0;
}

int cc_samples_load(const struct cc_set *set, const struct cc_ranks *ranks, struct cc_samples **ret,
                    struct cc_err *err)
{
    struct cc_samples *s = cc_alloc(sizeof *s);
    CC_CLEANUP(cc_free_ptr) size_t *run = cc_alloc_array(set->runs.n + 1, sizeof *run);
    int rc = cc_controls_of_set(set, &s->arena, run, &s->controls, err);
    if (rc == 0) {
        s->nruns = s->controls.nruns;
        s->skipped = set->runs.n - s->nruns;
        s->runs = cc_arena_alloc(&s->arena, s->nruns * sizeof *s->runs);
        for (size_t i = 0; i < s->nruns; i++)
            s->runs[i] = cc_arena_strdup(&s->arena, set->runs.v[run[i]].file);
        struct loading x = {.set = set, .s = s, .run = run, .ranks = ranks};
        rc = load_runs(&x, err);
    }
    if (rc < 0)
        cc_samples_free(s);
    else
        *ret = s;
    return rc;
}

void cc_samples_free(struct cc_samples *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->things.n; i++)
        for (size_t f = 0; f < CC_FIGURES; f++)
            free(s->things.v[i].y[f]);
    CC_VEC_FINI(&s->things);
    CC_VEC_FINI(&s->limits);
    cc_controls_fini(&s->controls);
    cc_arena_fini(&s->arena);
    free(s);
}
