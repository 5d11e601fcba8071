/* Calls that follow each other as tasks. They join the list of loops, behind the true ones, as one more thing
 * that may be shared out. */
#include "internal.h"
#include "../../analysis/explore/side.h"
#include "../../analysis/patch/tasks.h"
#include "../../base/text.h"

#include <limits.h>

static const char *task_name(struct exploration *x, const struct cc_patch_calls *of, unsigned line)
{
    return cc_arena_printf(&x->arena, "call %s:%u", cc_text_base(of->file), line);
}

/* As the profile calls it. */
static const char *file_name(const struct exploration *x, const char *file)
{
    for (size_t i = 0; i < x->p->nfiles; i++)
        if (cc_text_same_file(x->p->files[i].path, file))
            return x->p->files[i].path;
    return file;
}

const struct file *cc_explore_file_of_calls(const struct exploration *x, const struct cc_patch_calls *of)
{
    for (size_t i = 0; i < x->p->nfiles; i++)
        if (x->files[i].path && cc_text_same_file(x->p->files[i].path, of->file))
            return &x->files[i];
    return NULL;
}

/* One more entry of the list. */
static void add(struct exploration *x, const struct cc_patch_calls *of, const struct cc_explore_span *span)
{
    struct cc_loop l = {.parent = CC_NONE,
                        .function = of->function,
                        .file = file_name(x, of->file),
                        .line = of->v.v[span->from].line,
                        .iterations = span->to - span->from,
                        .coverage = span->coverage,
                        .share = span->share,
                        .verdict = !span->refused ? CC_VERDICT_PARALLEL
                                   : span->known  ? CC_VERDICT_SEQUENTIAL
                                                  : CC_VERDICT_UNKNOWN,
                        .sourced = true,
                        .sentence = span->refused};
    struct calls c = {.of = of,
                      .from = span->from,
                      .to = span->to,
                      .hidden = span->hidden,
                      .recursive = span->recursive,
                      .loose = span->loose,
                      .loop = (uint32_t)x->loops->v.n};
    l.id = cc_arena_printf(&x->arena, "calls %s:%u", cc_text_base(of->file), l.line);
    CC_VEC_PUSH(&x->loops->v, l);
    CC_VEC_PUSH(&x->calls, c);
}

void cc_explore_calls(struct exploration *x)
{
    if (!x->p->nsiblings)
        return;
    for (size_t i = 0; i < x->facts->calls.v.n; i++) {
        const struct cc_patch_calls *of = &x->facts->calls.v.v[i];
        if (of->v.n < 2 || cc_explore_is_system(of->file))
            continue;
        struct cc_explore_spans spans = {0};
        struct cc_explore_block block = {x->p, of, x->all_calls};
        cc_explore_side_by_side(&block, &x->arena, &spans);
        for (size_t k = 0; k < spans.n; k++)
            add(x, of, &spans.v[k]);
        CC_VEC_FINI(&spans);
    }
}

/* --- as tasks of the graph --- */

/* A statement that calls the function from outside, and can have a region around it. */
static bool is_top(struct exploration *x, const struct calls *c, const struct cc_patch_calls *of, size_t k)
{
    const struct cc_patch_call *v = &of->v.v[k];
    const struct file *f = cc_explore_file_of_calls(x, of);
    return v->callee && !v->inner && strcmp(v->callee, c->of->function) == 0 &&
           strcmp(of->function, c->of->function) != 0 && f && f->text &&
           !cc_patch_refuses_calls(f->text, of, k, k + 1, &x->arena);
}

/* A statement that calls something else, and only that. */
static bool is_other(const struct calls *c, const struct cc_patch_calls *of, size_t k)
{
    const struct cc_patch_call *v = &of->v.v[k];
    for (size_t i = 0; i < of->v.n; i++)
        if (of->v.v[i].line <= v->last_line && of->v.v[i].last_line >= v->line &&
            (!of->v.v[i].callee || strcmp(of->v.v[i].callee, c->of->function) == 0))
            return false;
    return !v->inner;
}

static void add_lines(struct exploration *x, const struct cc_patch_calls *of, size_t k, struct cc_strs *names)
{
    for (unsigned line = of->v.v[k].line; line <= of->v.v[k].last_line; line++)
        CC_VEC_PUSH(names, task_name(x, of, line));
}

static const char **keep(struct exploration *x, struct cc_strs *names, size_t *ret_n)
{
    const char **kept = cc_arena_alloc(&x->arena, (names->n + 1) * sizeof *kept);
    if (names->n)
        memcpy(kept, names->v, names->n * sizeof *kept);
    *ret_n = names->n;
    CC_VEC_FINI(names);
    return kept;
}

static void find_tops(struct exploration *x, struct calls *c, struct cc_explore_calls *ret)
{
    struct cc_strs tops = {0}, others = {0};
    for (size_t i = 0; i < x->facts->calls.v.n; i++) {
        const struct cc_patch_calls *of = &x->facts->calls.v.v[i];
        for (size_t k = 0; k < of->v.n; k++) {
            if (is_top(x, c, of, k))
                add_lines(x, of, k, &tops);
            else if (is_other(c, of, k))
                add_lines(x, of, k, &others);
        }
    }
    ret->tops = keep(x, &tops, &ret->ntops);
    ret->others = keep(x, &others, &ret->nothers);
}

static struct cc_explore_calls *describe(struct exploration *x, struct calls *c)
{
    struct cc_explore_calls *ret = cc_arena_alloc(&x->arena, sizeof *ret);
    bool inner = c->of->v.v[c->from].inner != NULL; /* all in the same lines */
    size_t n = 0, to = inner ? c->from + 1 : c->to;
    for (size_t i = c->from; i < to; i++)
        n += c->of->v.v[i].last_line - c->of->v.v[i].line + 1;
    const char **members = cc_arena_alloc(&x->arena, (n + 1) * sizeof *members);
    uint32_t *places = cc_arena_alloc(&x->arena, (n + 1) * sizeof *places);
    size_t k = 0;
    for (size_t i = c->from; i < to; i++)
        for (unsigned line = c->of->v.v[i].line; line <= c->of->v.v[i].last_line; line++, k++) {
            members[k] = task_name(x, c->of, line);
            places[k] = (uint32_t)(i - c->from) + 1;
        }
    unsigned together = inner ? c->of->v.v[c->from].together : 1;
    *ret = (struct cc_explore_calls){.group = {x->loops->v.v[c->loop].id, members, places, n, together},
                                     .recursive = c->recursive,
                                     .hidden = c->hidden,
                                     .loose = c->loose};
    if (c->recursive)
        find_tops(x, c, ret);
    return ret;
}

/* Tasks around those calls, for who loads the graph; owned by the arena. */
struct cc_htg_group *cc_explore_call_groups(struct exploration *x, size_t *ret_n)
{
    struct cc_htg_group *v = cc_arena_alloc(&x->arena, (x->calls.n + 1) * sizeof *v);
    *ret_n = 0;
    for (size_t i = 0; i < x->calls.n; i++) {
        struct calls *c = &x->calls.v[i];
        if (x->inputs[c->loop].refused)
            continue;
        c->input = describe(x, c);
        x->inputs[c->loop].calls = c->input;
        if (!c->hidden)
            v[(*ret_n)++] = c->input->group;
    }
    return v;
}

const struct calls *cc_explore_calls_of(const struct exploration *x, uint32_t loop)
{
    for (size_t i = 0; i < x->calls.n; i++)
        if (x->calls.v[i].loop == loop)
            return &x->calls.v[i];
    return NULL;
}

/* --- as a patch --- */

const char *cc_explore_calls_pragma(struct exploration *x, const struct cc_explore_candidate *c)
{
    const struct calls *k = cc_explore_calls_of(x, c->loop);
    if (!k->recursive)
        return "#pragma omp parallel sections";
    return cc_arena_printf(&x->arena, "#pragma omp task%s: %u deep; parallel, single around the call",
                           k->loose ? "" : ", taskwait", cc_explore_depths[c->way]);
}

static bool leads_there(const struct exploration *x, const struct cc_explore_candidate *c,
                        const struct cc_patch_calls *of, const struct cc_patch_call *v)
{
    for (size_t i = 0; i < c->names.n; i++)
        for (unsigned line = v->line; line <= v->last_line; line++) {
            char name[CC_TASKS_MAX_NAME];
            snprintf(name, sizeof name, "call %s:%u", cc_text_base(of->file), line);
            if (strcmp(name, x->h->names[c->names.v[i]]) == 0)
                return true;
        }
    return false;
}

static void put_tops(struct exploration *x, const struct cc_explore_candidate *c, const struct file *f,
                     struct cc_explore_edits *ret)
{
    const struct calls *calls = cc_explore_calls_of(x, c->loop);
    for (size_t i = 0; i < x->facts->calls.v.n; i++) {
        const struct cc_patch_calls *of = &x->facts->calls.v.v[i];
        for (size_t k = 0; cc_explore_file_of_calls(x, of) == f && k < of->v.n; k++) {
            const struct cc_patch_call *v = &of->v.v[k];
            if (leads_there(x, c, of, v) && is_top(x, calls, of, k))
                CC_VEC_PUSH(ret, ((struct cc_patch_edit){
                                     .line = v->line,
                                     .last = v->last_line,
                                     .nth = -1,
                                     .text = cc_patch_region(f->text, v, c->threads, &x->arena)}));
        }
    }
}

void cc_explore_calls_edits(struct exploration *x, const struct cc_explore_candidate *c, const struct file *f,
                            struct cc_explore_edits *ret)
{
    const struct calls *k = cc_explore_calls_of(x, c->loop);
    if (k->recursive)
        put_tops(x, c, f, ret);
    if (cc_explore_file_of_calls(x, k->of) != f)
        return;
    struct cc_patch_tasks tasks = {.calls = k->of,
                                   .from = k->from,
                                   .to = k->to,
                                   .depth = k->recursive ? cc_explore_depths[c->way] : 0,
                                   .threads = c->threads,
                                   .loose = k->loose,
                                   .comment =
                                       "/* corecast: in the run recorded, these calls did not need each "
                                       "other */"};
    CC_VEC_PUSH(ret, ((struct cc_patch_edit){.line = k->of->v.v[k->from].line,
                                             .last = k->of->v.v[k->to - 1].last_line,
                                             .nth = -1,
                                             .text = cc_patch_tasks(f->text, &tasks, &x->arena)}));
}
