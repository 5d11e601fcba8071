#include "shared.h"
#include "clauses.h"
#include "../../../base/text.h"

enum { CALLS_MOST = 256 }; /* functions that are followed */

static bool is_reached(const struct cc_reached *r, const struct cc_loop_function *g)
{
    bool found = false;
    for (size_t i = 0; i < r->v.n; i++)
        found = found || r->v.v[i] == g;
    return found;
}

/* Whether the function around the loop mentions it. */
static bool mentions(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->names.n; i++)
        found = found || strcmp(s->names.v[i], name) == 0;
    return found;
}

static bool is_array(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->arrays.n; i++)
        found = found || (s->arrays.v[i].name && strcmp(s->arrays.v[i].name, name) == 0);
    return found;
}

/* Whether it sets a pointer that the loop calls by: a call that names no function may lead there. */
static bool may_be_meant(const struct cc_reached *r, const struct cc_loop_call *call,
                         const struct cc_loop_function *g)
{
    bool sets = false, may = strcmp(call->symbol, "?") == 0 && !strchr(g->symbol, '#'); /* in C */
    for (size_t i = 0; may && i < g->shared.n; i++)
        sets =
            sets || (g->shared.v[i].how & CC_SHARES_WRITE && mentions(r->in->source, g->shared.v[i].name) &&
                     !is_array(r->in->source, g->shared.v[i].name));
    return sets;
}

static void reach(struct cc_reached *r, const struct cc_loop_call *calls, size_t n)
{
    const struct cc_source_loops *s = r->in->sources;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->functions.n && r->v.n < CALLS_MOST; k++) {
            const struct cc_loop_function *g = &s->functions.v[k];
            if ((strcmp(g->symbol, calls[i].symbol) != 0 && !may_be_meant(r, &calls[i], g)) ||
                is_reached(r, g))
                continue;
            CC_VEC_PUSH(&r->v, g);
            reach(r, g->calls.v, g->calls.n);
        }
}

void cc_shared_reach(const struct gate_input *in, struct cc_reached *ret)
{
    ret->in = in;
    reach(ret, in->source->calls.v, in->source->calls.n);
}

/* Whether the loop itself sets it. */
static bool sets(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->variables.n; i++)
        found = found || (s->variables.v[i].write_line && strcmp(s->variables.v[i].name, name) == 0);
    for (size_t i = 0; i < s->arrays.n; i++)
        found = found ||
                (s->arrays.v[i].write_line && s->arrays.v[i].name && strcmp(s->arrays.v[i].name, name) == 0);
    return found;
}

/* Whether another of the functions accesses it so. */
static bool others(const struct cc_reached *r, const struct cc_loop_function *g, const char *name,
                   unsigned how)
{
    for (size_t i = 0; i < r->v.n; i++)
        for (size_t k = 0; k < r->v.v[i]->shared.n; k++) {
            const struct cc_source_shared *x = &r->v.v[i]->shared.v[k];
            if (r->v.v[i] != g && x->how & how && strcmp(x->name, name) == 0)
                return true;
        }
    return false;
}

/* Whether what it has in common with others goes by memory in the binary, and so was followed. */
static bool is_followed(const struct cc_reached *r, const struct cc_loop_function *g,
                        const struct cc_source_shared *x)
{
    const struct gate_input *in = r->in;
    struct cc_witness_query q = {
        .file = g->file, .line = x->line, .name = x->name, .members = in->members, .nmembers = in->nmembers};
    bool set = sets(in->source, x->name) || others(r, g, x->name, CC_SHARES_WRITE),
         looked = mentions(in->source, x->name) || others(r, g, x->name, CC_SHARES_READ);
    if (x->how & CC_SHARES_READ && set && !cc_witness_reads(in->witness, &q))
        return false;
    return (!(x->how & CC_SHARES_WRITE) || !looked) && !(x->how & CC_SHARES_OUT)
               ? true
               : cc_witness_named(in->witness, &q);
}

bool cc_shared_runs(const struct gate_input *in, const struct cc_loop_function *g)
{
    const struct cc_profile *p = in->p;
    struct cc_witness_query q = {
        .file = g->file, .line = g->line, .members = in->members, .nmembers = in->nmembers};
    bool called = false;
    for (size_t i = 0; i < p->ncontexts && !called; i++) {
        const struct cc_pfunction *f = &p->functions[p->contexts[i].function];
        called = cc_source_has_line(g, f->file, f->line);
    }
    return called && !cc_witness_inside(in->witness, &q, g->last_line);
}

/* A variable that a function, called in each iteration, always sets, and its line; NULL: none. A compiler may
 * have left nothing of it. */
static const struct cc_source_shared *set_by_all(const struct gate_input *in,
                                                 const struct cc_loop_call *calls, size_t n, unsigned depth)
{
    const struct cc_source_shared *found = NULL;
    for (size_t i = 0; i < n && !found && depth < CC_GATE_DEEP; i++) {
        const struct cc_loop_function *g =
            calls[i].always ? cc_source_function(in->sources, calls[i].symbol) : NULL;
        for (size_t k = 0; g && k < g->shared.n && !found; k++)
            found = g->shared.v[k].how & CC_SHARES_SAME ? &g->shared.v[k] : NULL;
        found = found || !g ? found : set_by_all(in, g->calls.v, g->calls.n, depth + 1);
    }
    return found;
}

const char *cc_shared_set(const struct gate_input *in, unsigned *ret_line, const char **ret_name)
{
    const struct cc_source_shared *x = set_by_all(in, in->source->calls.v, in->source->calls.n, 0);
    if (!x)
        return NULL;
    *ret_line = x->line;
    *ret_name = x->name;
    return cc_arena_printf(in->arena,
                           "independent in this binary, but by the source every iteration sets %s (line %u), "
                           "in a function that it calls: all threads would have the one",
                           x->name, x->line);
}

const char *cc_shared_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name)
{
    struct cc_reached r = {.in = in};
    const char *why = NULL;
    if (cc_witness_any(in->witness))
        cc_shared_reach(in, &r);
    for (size_t i = 0; i < r.v.n && !why; i++) {
        const struct cc_loop_function *g = r.v.v[i];
        for (size_t k = 0; k < g->shared.n && !why && !cc_shared_runs(in, g); k++) {
            const struct cc_source_shared *x = &g->shared.v[k];
            if (is_followed(&r, g, x))
                continue;
            *ret_line = x->line;
            *ret_name = x->name;
            why = cc_arena_printf(
                in->arena,
                "independent in this binary, but %s, which it calls, has %s in common with it "
                "(line %u), and the binary has no load for that",
                g->name, x->name, x->line);
        }
    }
    CC_VEC_FINI(&r.v);
    return why;
}

/* Whether it is the function's own, as far as the source tells: then a function's is another of that name. */
static bool is_own(const struct cc_source_loop *s, const char *name)
{
    bool own = false;
    for (size_t i = 0; i < s->variables.n; i++)
        own = own || (!s->variables.v[i].shared && strcmp(s->variables.v[i].name, name) == 0);
    return own;
}

static bool is_each_threads(const struct cc_loop *l, const char *name)
{
    bool found = cc_gate_has_clause(l, name);
    for (size_t i = 0; i < l->reductions.n; i++)
        found = found || (l->reductions.v[i].variable && strcmp(l->reductions.v[i].variable, name) == 0);
    return found;
}

const char *cc_shared_beside(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line,
                             const char **ret_name)
{
    struct cc_reached r = {.in = in};
    const char *why = NULL;
    if (l->private.n + l->lastprivate.n + l->reductions.n)
        cc_shared_reach(in, &r);
    for (size_t i = 0; i < r.v.n && !why; i++) {
        const struct cc_loop_function *g = r.v.v[i];
        for (size_t k = 0; k < g->shared.n && !why; k++) {
            const struct cc_source_shared *x = &g->shared.v[k];
            if (!is_each_threads(l, x->name) || is_own(in->source, x->name))
                continue;
            *ret_line = x->line;
            *ret_name = x->name;
            why = cc_arena_printf(in->arena,
                                  "iterations do not need each other if each thread has its own %s, but %s, "
                                  "which it calls, finds the one that all have (line %u): hand it over",
                                  x->name, g->name, x->line);
        }
    }
    CC_VEC_FINI(&r.v);
    return why;
}

const struct cc_loop_function *cc_shared_throws(const struct gate_input *in)
{
    struct cc_reached r = {.in = in};
    const struct cc_loop_function *found = NULL;
    if (in->source->tried)
        cc_shared_reach(in, &r);
    for (size_t i = 0; i < r.v.n && !found; i++)
        found = r.v.v[i]->throws ? r.v.v[i] : NULL;
    CC_VEC_FINI(&r.v);
    return found;
}

static bool calls_one_of(const struct cc_loop_call *calls, size_t n, const char *const *names, size_t nnames)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < nnames && !found; k++)
            found = cc_shared_is_call(calls[i].symbol, names[k]);
    return found;
}

bool cc_shared_is_call(const char *symbol, const char *name)
{
    size_t n = strlen(name);
    return strncmp(symbol, "c:@F@", 5) == 0 && strncmp(symbol + 5, name, n) == 0 &&
           (!symbol[5 + n] || symbol[5 + n] == '#');
}

bool cc_shared_jumps(const struct gate_input *in)
{
    static const char *const away[] = {"longjmp", "_longjmp", "siglongjmp"};
    static const char *const back[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
    const struct cc_source_loop *s = in->source;
    struct cc_reached r = {0};
    bool jumps = calls_one_of(s->calls.v, s->calls.n, away, CC_COUNT(away));
    cc_shared_reach(in, &r);
    for (size_t i = 0; i < r.v.n && !jumps; i++)
        jumps = calls_one_of(r.v.v[i]->calls.v, r.v.v[i]->calls.n, away, CC_COUNT(away));
    CC_VEC_FINI(&r.v);
    return jumps && !calls_one_of(s->calls.v, s->calls.n, back, CC_COUNT(back));
}
