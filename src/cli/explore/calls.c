/* Calls that follow each other as tasks: which are legal by what the recording and the source say. They join
 * the list of loops, behind the true ones, as one more thing that may be shared out. */
#include "internal.h"
#include "../../analysis/patch/tasks.h"
#include "../../binary/demangle.h"

#include <limits.h>

/* --- what the recording says of a function's calls --- */

struct siblings {
    const struct cc_profile *p;
    const struct cc_patch_calls *of;
    bool moved; /* the program was built in another folder */
};

static bool same_file(const struct siblings *s, const char *file)
{
    return s->moved ? strcmp(cc_text_base(file), cc_text_base(s->of->file)) == 0
                    : cc_patch_same_file(file, s->of->file);
}

/* Also a copy that the compiler made of it. */
static bool is_function(const struct siblings *s, uint32_t function)
{
    if (function >= s->p->nfunctions)
        return false;
    const struct cc_pfunction *f = &s->p->functions[function];
    return f->name && cc_function_is(f->name, s->of->function) && (!f->file || same_file(s, f->file));
}

static bool stands_in(const struct siblings *s, size_t a, const char *file, uint64_t line)
{
    const struct cc_patch_call *c = &s->of->v.v[a];
    return file && line >= c->line && line <= c->last_line && same_file(s, file);
}

/* What is passed on the stack lies where the last call's arguments lay: each task has its own. */
static bool is_argument(const struct cc_psibling *r)
{
    return r->kind != CC_DEPENDENCE_RAW && r->area == CC_AREA_STACK && !r->variable &&
           !(r->flags & CC_DEPENDENCE_SECOND_CALL);
}

/* A row that tells of two statements: one call at least, of the same pass through the block. */
static bool joins(const struct siblings *s, const struct cc_psibling *r, size_t a, size_t b)
{
    bool near = r->distance_min && r->distance_min <= 2 * s->of->v.n + 2;
    return r->kind <= CC_DEPENDENCE_WAW && near && !is_argument(r) &&
           stands_in(s, a, r->first_file, r->first_line) && stands_in(s, b, r->second_file, r->second_line);
}

static const struct cc_psibling *conflict(const struct siblings *s, size_t a, size_t b)
{
    for (size_t i = 0; i < s->p->nsiblings; i++)
        if (is_function(s, s->p->siblings[i].function) && joins(s, &s->p->siblings[i], a, b))
            return &s->p->siblings[i];
    return NULL;
}

/* How often the statement's call was followed as a whole. */
static uint64_t followed(const struct siblings *s, size_t a)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->p->nsiblings; i++) {
        const struct cc_psibling *r = &s->p->siblings[i];
        if (r->kind == CC_DEPENDENCE_READS && is_function(s, r->function) &&
            stands_in(s, a, r->second_file, r->second_line))
            n += r->count;
    }
    return n;
}

static bool asks_system(const struct siblings *s, size_t a)
{
    for (size_t i = 0; i < s->p->nsiblings; i++) {
        const struct cc_psibling *r = &s->p->siblings[i];
        if (r->kind == CC_DEPENDENCE_SYSTEM && is_function(s, r->function) &&
            stands_in(s, a, r->first_file, r->first_line))
            return true;
    }
    return false;
}

static bool is_folded(const struct siblings *s)
{
    for (size_t i = 0; i < s->p->nsiblings; i++)
        if (s->p->siblings[i].flags & CC_DEPENDENCE_FOLDED && is_function(s, s->p->siblings[i].function))
            return true;
    return false;
}

/* What the call of a statement leaves to anything later in the activation, but for what stands behind the
 * block's calls: of a last call that the compiler made a jump to the beginning. */
static const struct cc_psibling *conflict_later(const struct siblings *s, size_t a, size_t last)
{
    for (size_t i = 0; i < s->p->nsiblings; i++) {
        const struct cc_psibling *r = &s->p->siblings[i];
        bool from = r->first == 0 ||
                    (r->flags & CC_DEPENDENCE_FIRST_CALL && stands_in(s, a, r->first_file, r->first_line));
        bool behind = r->second_file && same_file(s, r->second_file) &&
                      r->second_line > s->of->v.v[last].last_line && r->second_line <= s->of->last_line;
        bool own = r->first == 0 && !(r->flags & CC_DEPENDENCE_SECOND_CALL) && r->area == CC_AREA_STACK;
        if (r->kind <= CC_DEPENDENCE_WAW && from && !behind && !own && is_function(s, r->function))
            return r;
    }
    return NULL;
}

/* --- whether --- */

static const char *sentence(struct exploration *x, const struct siblings *s, const struct cc_psibling *r,
                            const unsigned lines[2])
{
    static const char *const did[] = {"reads", "writes", "writes"}, *const had[] = {"wrote", "read", "wrote"};
    (void)s;
    return cc_arena_printf(
        &x->arena, "the call in line %u %s %s at line %u, which the one in line %u %s at line %u", lines[1],
        did[r->kind], r->variable ? r->variable : "memory", r->to_line, lines[0], had[r->kind], r->from_line);
}

#define HIDDEN                                                                                               \
    "the call in line %u was not seen as a call: the compiler put it into its place, made a jump of it, or " \
    "it took too long to be followed; record a build with -fno-inline -fno-optimize-sibling-calls, or "      \
    "with --exact"

/* Why b cannot run beside those from a on; NULL: it can. `hidden`: its call is not in the binary. */
static const char *refuses(struct exploration *x, const struct siblings *s, size_t a, size_t b, bool hidden)
{
    const struct cc_patch_call *v = s->of->v.v;
    for (size_t i = a; i < b; i++) {
        if (hidden && v[i].shared.n > 1) /* what lies in the frame was not told apart */
            return cc_arena_printf(&x->arena, HIDDEN, v[b].line);
        const struct cc_psibling *r = hidden ? conflict_later(s, i, b) : conflict(s, i, b);
        if (r)
            return sentence(x, s, r, (const unsigned[]){v[i].line, v[b].line});
        if (asks_system(s, i) && (hidden || asks_system(s, b)))
            return cc_arena_printf(&x->arena, "the calls in lines %u and %u both make system calls",
                                   v[i].line, v[b].line);
    }
    return NULL;
}

static bool calls_itself(const struct cc_patch_calls *of, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (of->v.v[i].callee && strcmp(of->v.v[i].callee, of->function) == 0)
            return true;
    return false;
}

static double share_of(const struct exploration *x, const char *function, const char *file)
{
    uint64_t inclusive = 0; /* copies that the compiler made of it count too */
    for (size_t i = 0; i < x->p->nfunctions; i++) {
        const struct cc_pfunction *f = &x->p->functions[i];
        if (f->name && cc_function_is(f->name, function) &&
            (!file || !f->file || cc_patch_same_file(f->file, file)))
            inclusive += f->inclusive;
    }
    return x->p->instructions ? (double)inclusive / (double)x->p->instructions : 0;
}

static const char *task_name(struct exploration *x, const struct cc_patch_calls *of, unsigned line)
{
    return cc_arena_printf(&x->arena, "call %s:%u", cc_text_base(of->file), line);
}

/* As the profile calls it. */
static const char *file_name(const struct exploration *x, const char *file)
{
    for (size_t i = 0; i < x->p->nfiles; i++)
        if (cc_patch_same_file(x->p->files[i].path, file))
            return x->p->files[i].path;
    return file;
}

const struct file *cc_explore_file_of_calls(const struct exploration *x, const struct cc_patch_calls *of)
{
    for (size_t i = 0; i < x->p->nfiles; i++)
        if (x->files[i].path && cc_patch_same_file(x->p->files[i].path, of->file))
            return &x->files[i];
    return NULL;
}

/* Of the calls that were made, those that were followed. */
static double coverage(const struct exploration *x, const struct siblings *s, size_t from, size_t to)
{
    const double always = 200e6; /* instructions: collect/sibling.c */
    double seen = 0, made = 0, all = (double)x->p->instructions;
    if (!calls_itself(s->of, from, to)) /* a called function may call itself, and its calls are counted so */
        return all > always && !x->p->loops_exact ? always / all : 1;
    for (size_t i = from; i < (s->of->v.v[from].inner ? from + 1 : to); i++)
        seen += (double)followed(s, i);
    for (size_t i = 0; i < x->p->ncontexts; i++) {
        const struct cc_pcontext *at = &x->p->contexts[i];
        uint32_t by = at->parent < x->p->ncontexts ? x->p->contexts[at->parent].function : CC_NONE;
        bool called = false; /* a recursion is one context, and its own parent */
        for (size_t k = from; at->function < x->p->nfunctions && k < to; k++)
            called = called || (s->of->v.v[k].callee &&
                                cc_function_is(x->p->functions[at->function].name, s->of->v.v[k].callee));
        bool here = (by < x->p->nfunctions && is_function(s, by)) || is_function(s, at->function);
        made += called && here ? (double)at->calls : 0;
    }
    return made > seen && seen > 0 ? seen / made : 1;
}

/* Whether the function, called by something that it calls itself, calls on: then its own end may be what a
 * caller inside the recursion waits for. */
static bool comes_back(const struct siblings *s)
{
    for (size_t i = 0; i < s->p->ncontexts; i++) {
        bool away = false; /* something else was met on the way up */
        if (!is_function(s, s->p->contexts[i].function))
            continue;
        for (uint32_t at = s->p->contexts[i].parent, up; at < s->p->ncontexts; at = up) {
            bool own = is_function(s, s->p->contexts[at].function);
            if (own && away)
                return true;
            away = away || !own;
            up = s->p->contexts[at].parent;
            if (up == at)
                break;
        }
    }
    return false;
}

/* Calls that are the last thing a function does need nobody who waits for them there. */
static bool is_loose(const struct siblings *s, size_t from, size_t to)
{
    const struct cc_patch_call *v = s->of->v.v;
    if (!v[to - 1].last || comes_back(s))
        return false;
    for (size_t i = from; i < to; i++)
        if (v[i].inner || v[i].declares || v[i].shared.n || !v[i].callee ||
            strcmp(v[i].callee, s->of->function) != 0)
            return false;
    return true;
}

struct span { /* of statements */
    size_t from, to;
    bool hidden; /* the last call is not in the binary */
    bool known;  /* if it is refused: they need each other */
};

/* One more entry of the list. refused: NULL if it is legal. */
static void add(struct exploration *x, const struct cc_patch_calls *of, struct span span, const char *refused)
{
    size_t from = span.from, to = span.to;
    struct cc_loop l = {.parent = CC_NONE,
                        .function = of->function,
                        .file = file_name(x, of->file),
                        .line = of->v.v[from].line,
                        .iterations = to - from,
                        .coverage = 1,
                        .verdict = !refused     ? CC_VERDICT_PARALLEL
                                   : span.known ? CC_VERDICT_SEQUENTIAL
                                                : CC_VERDICT_UNKNOWN,
                        .sourced = true,
                        .sentence = refused};
    struct calls c = {
        .of = of, .from = from, .to = to, .hidden = span.hidden, .recursive = calls_itself(of, from, to)};
    l.id = cc_arena_printf(&x->arena, "calls %s:%u", cc_text_base(of->file), l.line);
    if (c.recursive)
        l.share = share_of(x, of->function, of->file);
    for (size_t i = from; !c.recursive && i < to; i++)
        l.share += of->v.v[i].callee ? share_of(x, of->v.v[i].callee, NULL) : 0;
    struct siblings s = {x->p, of, x->all_calls};
    c.loose = is_loose(&s, from, to);
    l.coverage = coverage(x, &s, from, to);
    l.share = CC_MIN(l.share, 1.0);
    c.loop = (uint32_t)x->loops->v.n;
    CC_VEC_PUSH(&x->loops->v, l);
    CC_VEC_PUSH(&x->calls, c);
}

/* The longest runs of statements that may run side by side. Runs of functions that call themselves are told
 * of in any case. */
static void judge(struct exploration *x, const struct cc_patch_calls *of)
{
    struct siblings s = {x->p, of, x->all_calls};
    size_t from = 0, n = of->v.n;
    const char *why =
        is_folded(&s) ? "where its calls end was not seen, for the compiler made jumps of some, or there are "
                        "too many dependences: record a build with -fno-optimize-sibling-calls "
                        "-fno-inline"
                      : NULL;
    for (size_t i = 1; i <= n; i++) {
        bool hidden = i < n && !followed(&s, i);
        const char *broken = i == n ? "" : why;
        if (!broken && !followed(&s, i - 1))
            broken = cc_arena_printf(&x->arena, HIDDEN, of->v.v[i - 1].line);
        if (!broken && hidden && i + 1 < n)
            broken = cc_arena_printf(&x->arena, HIDDEN, of->v.v[i].line);
        bool known = !broken;
        if (!broken)
            broken = refuses(x, &s, from, i, hidden);
        if (!broken)
            continue;
        if (i - from >= 2)
            add(x, of, (struct span){from, i, i == n && !followed(&s, n - 1), true}, NULL);
        else if (i < n && (x->all_calls || calls_itself(of, from, i + 1)))
            add(x, of, (struct span){from, i + 1, false, known}, broken);
        from = i;
    }
}

void cc_explore_calls(struct exploration *x)
{
    if (!x->p->nsiblings)
        return;
    for (size_t i = 0; i < x->facts->calls.v.n; i++)
        if (x->facts->calls.v.v[i].v.n >= 2 && !cc_explore_is_system(x->facts->calls.v.v[i].file))
            judge(x, &x->facts->calls.v.v[i]);
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

static void find_tops(struct exploration *x, struct calls *c, struct cc_explore_calls *ret)
{
    CC_VEC(const char *) names = {0};
    for (size_t i = 0; i < x->facts->calls.v.n; i++) {
        const struct cc_patch_calls *of = &x->facts->calls.v.v[i];
        for (size_t k = 0; k < of->v.n; k++)
            for (unsigned line = of->v.v[k].line; is_top(x, c, of, k) && line <= of->v.v[k].last_line; line++)
                CC_VEC_PUSH(&names, task_name(x, of, line));
    }
    ret->tops = cc_arena_alloc(&x->arena, (names.n + 1) * sizeof *ret->tops);
    if (names.n)
        memcpy(ret->tops, names.v, names.n * sizeof *ret->tops);
    ret->ntops = names.n;
    CC_VEC_FINI(&names);
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
