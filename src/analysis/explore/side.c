/* Calls that follow each other: which may run side by side, by what the recording says of them. The source
 * has said already that the statements' own code does not need each other's. */
#include "side.h"
#include "../../base/text.h"
#include "../../binary/demangle.h"
#include "../patch/facts.h"

#include <string.h>

/* --- what the recording says of a function's calls --- */

static bool same_file(const struct cc_explore_block *s, const char *file)
{
    return s->moved ? strcmp(cc_text_base(file), cc_text_base(s->of->file)) == 0
                    : cc_text_same_file(file, s->of->file);
}

/* Also a copy that the compiler made of it. */
static bool is_function(const struct cc_explore_block *s, uint32_t function)
{
    if (function >= s->p->nfunctions)
        return false;
    const struct cc_pfunction *f = &s->p->functions[function];
    return f->name && cc_function_is(f->name, s->of->function) && (!f->file || same_file(s, f->file));
}

static bool stands_in(const struct cc_explore_block *s, size_t a, const char *file, uint64_t line)
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
static bool joins(const struct cc_explore_block *s, const struct cc_psibling *r, size_t a, size_t b)
{
    bool near = r->distance_min && r->distance_min <= 2 * s->of->v.n + 2;
    return r->kind <= CC_DEPENDENCE_WAW && near && !is_argument(r) &&
           stands_in(s, a, r->first_file, r->first_line) && stands_in(s, b, r->second_file, r->second_line);
}

static const struct cc_psibling *conflict(const struct cc_explore_block *s, size_t a, size_t b)
{
    for (size_t i = 0; i < s->p->nsiblings; i++)
        if (is_function(s, s->p->siblings[i].function) && joins(s, &s->p->siblings[i], a, b))
            return &s->p->siblings[i];
    return NULL;
}

/* How often the statement's call was followed as a whole. */
static uint64_t followed(const struct cc_explore_block *s, size_t a)
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

static bool asks_system(const struct cc_explore_block *s, size_t a)
{
    for (size_t i = 0; i < s->p->nsiblings; i++) {
        const struct cc_psibling *r = &s->p->siblings[i];
        if (r->kind == CC_DEPENDENCE_SYSTEM && is_function(s, r->function) &&
            stands_in(s, a, r->first_file, r->first_line))
            return true;
    }
    return false;
}

static bool is_folded(const struct cc_explore_block *s)
{
    for (size_t i = 0; i < s->p->nsiblings; i++)
        if (s->p->siblings[i].flags & CC_DEPENDENCE_FOLDED && is_function(s, s->p->siblings[i].function))
            return true;
    return false;
}

/* What the call of a statement leaves to anything later in the activation, but for what stands behind the
 * block's calls: of a last call that the compiler made a jump to the beginning. */
static const struct cc_psibling *conflict_later(const struct cc_explore_block *s, size_t a, size_t last)
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

static const char *sentence(struct cc_arena *arena, const struct cc_psibling *r, const unsigned lines[2])
{
    static const char *const did[] = {"reads", "writes", "writes"}, *const had[] = {"wrote", "read", "wrote"};
    return cc_arena_printf(
        arena, "the call in line %u %s %s at line %u, which the one in line %u %s at line %u", lines[1],
        did[r->kind], r->variable ? r->variable : "memory", r->to_line, lines[0], had[r->kind], r->from_line);
}

#define HIDDEN                                                                                               \
    "the call in line %u was not seen as a call: the compiler put it into its place, made a jump of it, or " \
    "it took too long to be followed; record a build with -fno-inline -fno-optimize-sibling-calls, or "      \
    "with --exact"

/* Why b cannot run beside those from a on; NULL: it can. `hidden`: its call is not in the binary. */
static const char *refuses(const struct cc_explore_block *s, struct cc_arena *arena, size_t a, size_t b,
                           bool hidden)
{
    const struct cc_patch_call *v = s->of->v.v;
    for (size_t i = a; i < b; i++) {
        if (hidden && v[i].shared.n > 1) /* what lies in the frame was not told apart */
            return cc_arena_printf(arena, HIDDEN, v[b].line);
        const struct cc_psibling *r = hidden ? conflict_later(s, i, b) : conflict(s, i, b);
        if (r)
            return sentence(arena, r, (const unsigned[]){v[i].line, v[b].line});
        if (asks_system(s, i) && (hidden || asks_system(s, b)))
            return cc_arena_printf(arena, "the calls in lines %u and %u both make system calls", v[i].line,
                                   v[b].line);
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

static double share_of(const struct cc_explore_block *s, const char *function, const char *file)
{
    uint64_t inclusive = 0; /* copies that the compiler made of it count too */
    for (size_t i = 0; i < s->p->nfunctions; i++) {
        const struct cc_pfunction *f = &s->p->functions[i];
        if (f->name && cc_function_is(f->name, function) &&
            (!file || !f->file || cc_text_same_file(f->file, file)))
            inclusive += f->inclusive;
    }
    return s->p->instructions ? (double)inclusive / (double)s->p->instructions : 0;
}

/* Of the calls that were made, those that were followed. */
static double coverage(const struct cc_explore_block *s, size_t from, size_t to)
{
    const double always = 200e6; /* instructions: collect/sibling.c */
    double seen = 0, made = 0, all = (double)s->p->instructions;
    if (!calls_itself(s->of, from, to)) /* a called function may call itself, and its calls are counted so */
        return all > always && !s->p->loops_exact ? always / all : 1;
    for (size_t i = from; i < (s->of->v.v[from].inner ? from + 1 : to); i++)
        seen += (double)followed(s, i);
    for (size_t i = 0; i < s->p->ncontexts; i++) {
        const struct cc_pcontext *at = &s->p->contexts[i];
        uint32_t by = at->parent < s->p->ncontexts ? s->p->contexts[at->parent].function : CC_NONE;
        bool called = false; /* a recursion is one context, and its own parent */
        for (size_t k = from; at->function < s->p->nfunctions && k < to; k++)
            called = called || (s->of->v.v[k].callee &&
                                cc_function_is(s->p->functions[at->function].name, s->of->v.v[k].callee));
        bool here = (by < s->p->nfunctions && is_function(s, by)) || is_function(s, at->function);
        made += called && here ? (double)at->calls : 0;
    }
    return made > seen && seen > 0 ? seen / made : 1;
}

/* Whether the function, called by something that it calls itself, calls on: then its own end may be what a
 * caller inside the recursion waits for. */
static bool comes_back(const struct cc_explore_block *s)
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
static bool is_loose(const struct cc_explore_block *s, size_t from, size_t to)
{
    const struct cc_patch_call *v = s->of->v.v;
    if (!v[to - 1].last || comes_back(s))
        return false;
    for (size_t i = 0; i < to; i++) {
        bool own = v[i].callee && strcmp(v[i].callee, s->of->function) == 0;
        if (own != (i >= from) || (own && (v[i].inner || v[i].declares || v[i].shared.n)))
            return false;
    }
    return true;
}

static void add(const struct cc_explore_block *s, struct cc_explore_span span, struct cc_explore_spans *ret)
{
    const struct cc_patch_calls *of = s->of;
    span.recursive = calls_itself(of, span.from, span.to);
    if (span.recursive)
        span.share = share_of(s, of->function, of->file);
    for (size_t i = span.from; !span.recursive && i < span.to; i++)
        span.share += of->v.v[i].callee ? share_of(s, of->v.v[i].callee, NULL) : 0;
    span.share = CC_MIN(span.share, 1.0);
    span.loose = is_loose(s, span.from, span.to);
    span.coverage = coverage(s, span.from, span.to);
    CC_VEC_PUSH(ret, span);
}

/* Why a statement cannot run beside those from `from` on. ret_known: since they need each other. */
static const char *breaks(const struct cc_explore_block *s, struct cc_arena *arena, size_t from, size_t i,
                          bool *ret_known)
{
    const struct cc_patch_call *v = s->of->v.v;
    bool hidden = !followed(s, i);
    *ret_known = false;
    if (is_folded(s))
        return "where its calls end was not seen, for the compiler made jumps of some, or there are too many "
               "dependences: record a build with -fno-optimize-sibling-calls -fno-inline";
    if (!followed(s, i - 1))
        return cc_arena_printf(arena, HIDDEN, v[i - 1].line);
    if (hidden && i + 1 < s->of->v.n)
        return cc_arena_printf(arena, HIDDEN, v[i].line);
    *ret_known = true;
    return refuses(s, arena, from, i, hidden);
}

void cc_explore_side_by_side(const struct cc_explore_block *b, struct cc_arena *arena,
                             struct cc_explore_spans *ret)
{
    size_t from = 0, n = b->of->v.n;
    for (size_t i = 1; i <= n; i++) {
        bool known = false;
        const char *broken = i == n ? "" : breaks(b, arena, from, i, &known);
        if (!broken)
            continue;
        if (i - from >= 2)
            add(b, (struct cc_explore_span){.from = from, .to = i, .hidden = i == n && !followed(b, n - 1)},
                ret);
        else if (i < n && (b->moved || calls_itself(b->of, from, i + 1)))
            add(b, (struct cc_explore_span){.from = from, .to = i + 1, .refused = broken, .known = known},
                ret);
        from = i;
    }
}
