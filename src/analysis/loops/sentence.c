#include "sentence.h"
#include "../../base/text.h"

static void list(struct cc_buf *b, const char *clause, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(b, "%s%s", i ? ", " : clause, names[i]);
    if (n)
        cc_buf_puts(b, ")");
}

const char *cc_loop_pragma(struct cc_arena *arena, const struct cc_loop *l)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "#pragma omp parallel for");
    list(&b, " private(", l->private.v, l->private.n);
    list(&b, " firstprivate(", l->firstprivate.v, l->firstprivate.n);
    list(&b, " lastprivate(", l->lastprivate.v, l->lastprivate.n);
    for (size_t i = 0; i < l->reductions.n; i++)
        cc_buf_printf(&b, " reduction(%s:%s)", l->reductions.v[i].op, l->reductions.v[i].variable);
    const char *text = cc_arena_strdup(arena, b.s);
    cc_buf_fini(&b);
    return text;
}

static const char *place(struct cc_arena *arena, struct cc_loop_place at, const char *near)
{
    if (!at.file)
        return "code without a line";
    if (near && strcmp(near, at.file) == 0)
        return cc_arena_printf(arena, "line %u", at.line);
    return cc_arena_printf(arena, "%s:%u", cc_text_base(at.file), at.line);
}

static void note(const char **only, bool *several, const char *name)
{
    if (!name || !*name)
        return;
    *several = *several || (*only && strcmp(*only, name) != 0);
    *only = name;
}

/* What the loop calls a block that only its allocation has named, by the lines that write it (0: any that
 * combine by op): "u (block allocated at f.c:5)". */
static const char *called(struct cc_arena *arena, const struct cc_source_loop *s, const char *variable,
                          unsigned line, const char *op)
{
    static const char block[] = "block allocated at ";
    const char *only = NULL;
    bool several = false;
    if (!s || !variable || strncmp(variable, block, sizeof block - 1) != 0)
        return variable;
    for (size_t i = 0; i < s->given.n; i++)
        if (line ? s->given.v[i].line == line : s->given.v[i].op && strcmp(s->given.v[i].op, op) == 0)
            note(&only, &several, s->given.v[i].name);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        bool there = !line && a->op && strcmp(a->op, op) == 0;
        for (int k = 0; line && k < CC_SOURCE_READS && a->writes[k]; k++)
            there = there || a->writes[k] == line;
        if (there && a->write_line)
            note(&only, &several, a->name);
    }
    return only && !several ? cc_arena_printf(arena, "%s (%s)", only, variable) : variable;
}

static unsigned known(const struct cc_loop_reason *r)
{
    return (r->variable ? 2u : 0u) + (r->first.file ? 1u : 0u) + (r->second.file ? 1u : 0u);
}

/* Of the kind that comes first, the one that tells most. */
static const struct cc_loop_reason *main_reason(const struct cc_loop *l)
{
    const struct cc_loop_reason *best = &l->reasons.v[0];
    for (size_t i = 1; i < l->reasons.n; i++)
        if (l->reasons.v[i].kind == l->reasons.v[0].kind && known(&l->reasons.v[i]) > known(best))
            best = &l->reasons.v[i];
    return best;
}

/* Whether a place is one of the loop's lines, or has none. */
static bool is_in(const struct cc_source_loop *s, const struct cc_loop_place *at)
{
    return !at->file || (strcmp(at->file, s->file) == 0 && at->line >= s->line && at->line <= s->last_line);
}

/* A value in a register that no debug information names is the one variable which the source hands on from
 * iteration to iteration, if there is but one and that goes from element to element (`p = p->next`): it has
 * to be in some register. Code that the compiler gives no line is where it is set. */
static struct cc_loop_reason by_source(const struct cc_loop_reason *r, const struct cc_source_loop *s)
{
    const struct cc_source_variable *only = NULL;
    struct cc_loop_reason named = *r;
    size_t n = 0;
    for (size_t i = 0; s && i < s->variables.n; i++)
        if (s->variables.v[i].class == CC_SOURCE_CARRIED) {
            only = &s->variables.v[i];
            n++;
        }
    if (r->kind != CC_REASON_REGISTER || r->variable || n != 1 || !only->op || !*only->op ||
        !is_in(s, &r->first) || !is_in(s, &r->second))
        return named;
    named.variable = only->name;
    if (!r->first.file && only->write_line)
        named.first = (struct cc_loop_place){s->file, only->write_line};
    if (!r->second.file && only->read_line)
        named.second = (struct cc_loop_place){s->file, only->read_line};
    return named;
}

/* What a loop goes on by, if all that it carries are values in registers: "p->next". */
static const char *follows(const struct cc_source_loop *s, const struct cc_loop *l,
                           const struct cc_loop_reason *r)
{
    for (size_t i = 0; i < l->reasons.n; i++)
        if (l->reasons.v[i].kind != CC_REASON_REGISTER && l->reasons.v[i].kind != CC_REASON_EXIT)
            return NULL;
    for (size_t i = 0; s && r->variable && i < s->variables.n; i++)
        if (s->variables.v[i].class == CC_SOURCE_CARRIED && s->variables.v[i].op && *s->variables.v[i].op &&
            strcmp(s->variables.v[i].name, r->variable) == 0)
            return s->variables.v[i].op;
    return NULL;
}

/* The function of which a line only combines what it finds with something by one operation; NULL: none. */
static const struct cc_loop_function *combiner(const struct cc_source_loops *all, struct cc_loop_place at,
                                               const char **ret_op)
{
    for (size_t i = 0; all && at.file && i < all->functions.n; i++) {
        const struct cc_loop_function *g = &all->functions.v[i];
        for (size_t k = 0; k < g->states.n; k++)
            if (g->states.v[k].line == at.line && g->states.v[k].op && strcmp(g->file, at.file) == 0) {
                *ret_op = g->states.v[k].op;
                return g;
            }
    }
    return NULL;
}

/* Where all that iterations have in common is what functions they call add to, or combine likewise. */
static const char *combines_in_calls(struct cc_arena *arena, const struct cc_loop *l,
                                     const struct cc_source_loop *s, const struct cc_source_loops *all,
                                     const struct cc_loop_reason *r)
{
    const char *op = NULL;
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *x = &l->reasons.v[i];
        bool memory = x->kind == CC_REASON_RAW || x->kind == CC_REASON_WAR || x->kind == CC_REASON_WAW,
             here = s && x->first.file && strcmp(x->first.file, s->file) == 0 && x->first.line >= s->line &&
                    x->first.line <= s->last_line;
        if (!memory || here || !x->first.file || !x->second.file || x->first.line != x->second.line ||
            strcmp(x->first.file, x->second.file) != 0 || !combiner(all, x->first, &op))
            return NULL;
    }
    const struct cc_loop_function *g = combiner(all, r->first, &op);
    return cc_arena_printf(arena,
                           "%s at %s only combines %s with something (%s): if each thread had its own, and "
                           "these were joined at the end, iterations would not need each other",
                           g->name, place(arena, r->first, l->file),
                           r->variable ? r->variable : "what it finds", op);
}

/* A function that calls itself and has no loop in its source: the compiler has made this one of its calls. */
static bool is_of_calls(const struct cc_loop *l, const struct cc_source_loops *all)
{
    for (size_t i = 0; all && l->file && i < all->functions.n; i++) {
        const struct cc_loop_function *g = &all->functions.v[i];
        if (strcmp(g->file, l->file) != 0 || l->line < g->line || l->line > g->last_line)
            continue;
        for (size_t k = 0; k < all->v.n; k++)
            if (strcmp(all->v.v[k].file, l->file) == 0 && all->v.v[k].line >= g->line &&
                all->v.v[k].line <= g->last_line)
                return false;
        for (size_t k = 0; k < g->calls.n; k++)
            if (strcmp(g->calls.v[k].symbol, g->symbol) == 0)
                return true;
    }
    return false;
}

static const char OF_CALLS[] =
    "the source has no loop there: the compiler made it of calls of the function by itself, which "
    "could be tasks; record a build with -O1 -fno-inline -fno-optimize-sibling-calls";

const char *cc_loop_calls_sentence(const struct cc_loop *l, const struct cc_source_loops *all)
{
    return is_of_calls(l, all) ? OF_CALLS : NULL;
}

const char *cc_loop_reason_sentence(struct cc_arena *arena, const struct cc_loop *l,
                                    const struct cc_source_loop *source, const struct cc_source_loops *all)
{
    const struct cc_loop_reason named = by_source(main_reason(l), source), *r = &named;
    const char *next = follows(source, l, r), *joined = combines_in_calls(arena, l, source, all, r);
    if (joined)
        return joined;
    if (!source && is_of_calls(l, all))
        return OF_CALLS;
    if (next)
        return cc_arena_printf(arena,
                               "it goes from element to element: %s = %s at line %u; with these in an array, "
                               "and nothing else between them, they could be shared out",
                               r->variable, next, r->first.line);
    const struct cc_loop_place *written = r->kind == CC_REASON_WAR ? &r->second : &r->first;
    bool here = source && written->file && strcmp(written->file, source->file) == 0 && written->line;
    const char *what = r->variable && here ? called(arena, source, r->variable, written->line, NULL)
                       : r->variable       ? r->variable
                       : r->kind == CC_REASON_REGISTER ? "a value in a register"
                                                       : "memory without a name";
    const char *first = place(arena, r->first, l->file), *second = place(arena, r->second, l->file);
    switch (r->kind) {
    case CC_REASON_IO:
        return cc_arena_printf(arena, "keeps its order: %s at %s is a system call",
                               r->variable ? r->variable : "something", second);
    case CC_REASON_CALL:
        return cc_arena_printf(arena, "keeps its order: %s, called at %s, keeps something from call to call",
                               what, second);
    case CC_REASON_EXIT:
        return cc_arena_printf(arena, "whether it goes on (%s) depends on what it did before", second);
    case CC_REASON_WAR:
        return cc_arena_printf(
            arena, "an iteration reads %s at %s before a later one overwrites it at %s: read from a copy",
            what, first, second);
    case CC_REASON_WAW:
        return cc_arena_printf(arena,
                               "iterations write %s at %s and %s, and which came last matters afterwards",
                               what, first, second);
    default:
        break;
    }
    if (l->verdict == CC_VERDICT_ORDERED)
        return cc_arena_printf(arena, "%s that %s reads was written %u iterations before at %s: %s", what,
                               second, r->distance, first,
                               l->unseen ? "no more than that can run at once (registers not analysed under "
                                           "qemu)"
                                         : "so many can run at once");
    return cc_arena_printf(arena, "an iteration reads %s at %s that an earlier one wrote at %s", what, second,
                           first);
}

const char *cc_loop_free_sentence(struct cc_arena *arena, const struct cc_loop *l,
                                  const struct cc_source_loop *source)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "iterations do not need each other");
    if (!l->sourced)
        cc_buf_puts(&b, " in this binary");
    if (l->by_input)
        cc_buf_printf(&b, " with this input, which %s", l->by_input);
    if (l->private.n + l->lastprivate.n)
        cc_buf_puts(&b, ", if each thread has its own ");
    list(&b, "", l->private.v, l->private.n);
    if (l->private.n)
        b.s[--b.n] = '\0';
    list(&b, l->private.n ? ", " : "", l->lastprivate.v, l->lastprivate.n);
    if (l->lastprivate.n)
        b.s[--b.n] = '\0';
    for (size_t i = 0; i < l->reductions.n; i++)
        cc_buf_printf(&b, "%s%s (%s)", i ? ", " : "; what threads have combined is joined at the end: ",
                      l->reductions.v[i].variable
                          ? called(arena, source, l->reductions.v[i].variable, 0, l->reductions.v[i].op)
                          : "a value without a name",
                      l->reductions.v[i].op);
    const char *text = cc_arena_strdup(arena, b.s);
    cc_buf_fini(&b);
    return text;
}
