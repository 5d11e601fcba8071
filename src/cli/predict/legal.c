#include "legal.h"
#include "../loop_sources.h"
#include "../output.h"
#include "../../analysis/loops/loops.h"

struct legal {
    const struct cc_common *common;
    const struct cc_profile *p;
    const struct cc_source_loops *sources;
    const struct cc_loop_list *loops;
    bool force;
};

/* Directives that let iterations or tasks run at once. */
static bool shares(const struct cc_directive *d)
{
    static const enum cc_omp_kind kinds[] = {
        CC_OMP_FOR,         CC_OMP_PARALLEL_FOR,    CC_OMP_TASK,
        CC_OMP_TASKLOOP,    CC_OMP_MASTER_TASKLOOP, CC_OMP_PARALLEL_TASKLOOP,
        CC_OMP_TARGET_LOOP, CC_OMP_SECTION};
    bool found = false;
    for (size_t i = 0; i < CC_COUNT(kinds); i++)
        found = found || d->kind == kinds[i];
    return found;
}

/* The innermost loop of the source around a line. */
static const struct cc_source_loop *around(const struct legal *x, const char *file, unsigned line)
{
    const struct cc_source_loop *best = NULL;
    for (size_t i = 0; i < x->sources->v.n; i++) {
        const struct cc_source_loop *s = &x->sources->v.v[i];
        bool holds =
            s->line <= line && line <= s->last_line && strcmp(cc_text_base(s->file), cc_text_base(file)) == 0;
        if (holds && (!best || s->last_line - s->line <= best->last_line - best->line))
            best = s;
    }
    return best;
}

static bool is_line(const struct cc_loop *l, const char *task)
{
    CC_CLEANUP(cc_free_ptr)
    char *name = l->file ? cc_asprintf("%s:%u", cc_text_base(l->file), l->line) : NULL;
    return name && strcmp(name, task) == 0;
}

static int forbids(const struct cc_loop *l)
{
    return l->verdict == CC_VERDICT_SEQUENTIAL ? 3
           : l->verdict == CC_VERDICT_ORDERED  ? 2
                                               : l->verdict == CC_VERDICT_UNKNOWN;
}

/* The loop whose iterations a task is: by its name (file.c:40), or the loop around the mark of that name. */
static const struct cc_loop *loop_of(const struct legal *x, const char *task)
{
    for (size_t i = 0; i < x->loops->v.n; i++)
        if (strcmp(x->loops->v.v[i].id, task) == 0)
            return &x->loops->v.v[i];
    const struct cc_loop *worst = NULL; /* tasks of a line with several loops bear its name alone */
    for (size_t i = 0; i < x->loops->v.n; i++)
        if (is_line(&x->loops->v.v[i], task) && (!worst || forbids(&x->loops->v.v[i]) > forbids(worst)))
            worst = &x->loops->v.v[i];
    if (worst)
        return worst;
    for (size_t i = 0; i < x->p->nscopes; i++) {
        const struct cc_pscope *s = &x->p->scopes[i];
        if (!s->file || strcmp(s->name, task) != 0)
            continue;
        const struct cc_source_loop *l = around(x, s->file, s->line);
        for (size_t k = 0; l && k < x->loops->v.n; k++) {
            const struct cc_loop *c = &x->loops->v.v[k];
            if (c->file && c->line == l->line && strcmp(cc_text_base(c->file), cc_text_base(l->file)) == 0)
                return c;
        }
    }
    return NULL;
}

static int check_directive(const struct legal *x, const struct cc_scenario *s, const struct cc_directive *d,
                           struct cc_err *err)
{
    const struct cc_loop *l = loop_of(x, d->task);
    if (!l) {
        cc_note(x->common,
                "%s:%u: no loop of the recording is known to be '%s': whether it may run in parallel is not "
                "known",
                s->path, d->line, d->task);
        return 0;
    }
    if (l->task_iterations > 1 && strcmp(l->id, d->task) == 0)
        cc_note(x->common,
                "%s:%u: tasks of %s are %.0f iterations each, %.2g %% of an invocation: by that the balance "
                "may be off",
                s->path, d->line, l->id, l->task_iterations, 100 * l->task_share);
    /* in order all the same; or each thread keeps the best for itself, and a reduction stands for that */
    bool joined = l->joined && l->joined->verdict <= CC_VERDICT_REDUCTION;
    bool turns = l->turns && l->turns->verdict <= CC_VERDICT_REDUCTION;
    bool kept = (d->ordered && (l->verdict == CC_VERDICT_ORDERED || turns)) || joined;
    bool illegal = (l->verdict == CC_VERDICT_SEQUENTIAL || l->verdict == CC_VERDICT_ORDERED) && !kept;
    if (illegal && !x->force) {
        int rc = cc_err_at(err, CC_EINPUT, s->path, d->line, "%s is %s: %s", l->id,
                           cc_verdict_names[l->verdict], l->sentence);
        cc_err_hint(err, "--force predicts it all the same");
        return rc;
    }
    if (illegal || l->verdict == CC_VERDICT_UNKNOWN)
        cc_note(x->common, "%s:%u: %s is %s: %s", s->path, d->line, l->id, cc_verdict_names[l->verdict],
                l->sentence);
    return 0;
}

static int check_all(struct legal *x, struct cc_scenario *const *scenarios, size_t n, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        for (size_t k = 0; rc == 0 && k < scenarios[i]->n; k++)
            if (shares(&scenarios[i]->directives[k]))
                rc = check_directive(x, scenarios[i], &scenarios[i]->directives[k], err);
    return rc;
}

int cc_predict_legal(const struct cc_common *common, const char *profile,
                     struct cc_scenario *const *scenarios, size_t n, bool force, struct cc_err *err)
{
    struct cc_profile *p;
    struct cc_err ignored = {0};
    if (cc_profile_load(profile, &p, &ignored) < 0)
        return 0;
    int rc = 0;
    struct cc_loop_list *loops = NULL;
    if (cc_profile_has_dependences(p)) {
        struct cc_source_loops *sources = cc_loop_sources(p, NULL);
        rc = cc_loops_analyse(p, sources, &loops, err);
        struct legal x = {common, p, sources, loops, force};
        if (rc == 0)
            rc = check_all(&x, scenarios, n, err);
        cc_loops_free(loops);
        cc_source_loops_free(sources);
    } else {
        cc_note(common, "dependences were not recorded: whether the scenario is legal is not known (record "
                        "--loops dependences)");
    }
    cc_profile_free(p);
    return rc;
}
