#include "inlined.h"
#include "handed.h"
#include "lines.h"
#include "../../../binary/call_types.h"
#include "../../../base/text.h"

#include <ctype.h>

struct walk {
    const struct gate_input *in;
    uint32_t function;          /* the loop is in */
    bool *seen;                 /* by function of the source */
    const uint32_t *handed;     /* cc_handed_find */
    const uint32_t *beyond;     /* cc_handed_beyond */
    bool unnamed;               /* something is called that the source does not name, */
    CC_VEC(const char *) named; /* or only says the name of, as it depends on a type */
};

/* Whether what lies in one object is loaded all the same: several fields by one instruction, which has the
 * line of one of them. */
static bool is_loaded_at_once(const struct walk *w, const struct cc_loop_function *g)
{
    size_t asked = 0, found = 0;
    for (size_t i = 0; i < g->states.n; i++) {
        struct cc_witness_query q = {.file = g->file,
                                     .line = g->states.v[i].line,
                                     .data = true,
                                     .members = w->in->members,
                                     .nmembers = w->in->nmembers};
        bool known = !g->states.v[i].given;
        for (size_t k = 0; k < i; k++)
            known = known || (g->states.v[k].given && g->states.v[k].line == q.line);
        asked += g->states.v[i].given;
        found += known ? 0 : cc_witness_loads(w->in->witness, &q);
    }
    return asked && found >= asked * cc_lines_bodies(w->in);
}

/* Whether every call reads there what is its iteration's own, or writes nowhere else. */
static bool is_kept_within(const struct walk *w, const struct cc_loop_function *g,
                           const struct cc_source_state *x)
{
    uint32_t handed = w->handed[g - w->in->sources->functions.v];
    bool reads = x->from && x->from <= CC_STATE_PARAMETERS && !(handed >> (x->from - 1) & 1);
    return reads || (x->by && !(x->by & handed));
}

/* Whether it lies in an element that only this iteration has: `step(&ps[i])`. That a compiler handed a value
 * on in a register nevertheless would show. */
static bool is_own_element(const struct walk *w, const struct cc_loop_function *g,
                           const struct cc_source_state *x)
{
    uint32_t beyond = w->beyond[g - w->in->sources->functions.v];
    bool reads = x->from && x->from <= CC_STATE_PARAMETERS && !(beyond >> (x->from - 1) & 1);
    bool own = x->by ? !(x->by & beyond) && (!x->from || reads) : reads;
    return x->lies && own && !w->in->rotating.n;
}

/* Whether it is the function that all of this was put into, which nobody calls here, or `main` of C++, which
 * nobody may call: of what it keeps only that can matter which has code in the loop (a lambda that is written
 * there). */
static bool is_around_all(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_pfunction *f = &w->in->p->functions[w->function];
    return cc_source_has_line(g, f->file, f->line) || strncmp(g->symbol, "c:@F@main#", 10) == 0;
}

/* How many loads a line of it has to have: it looks at so many things there that have no names. One of them
 * may be known from the iteration before (`p->y += p->n;` where the loop sets the next one's n), in each copy
 * of the body. */
static size_t asked_in(const struct walk *w, const struct cc_loop_function *g, unsigned line)
{
    size_t n = 0;
    for (size_t i = 0; i < g->states.n; i++)
        n += g->states.v[i].line == line && !g->states.v[i].name;
    return n > 1 ? n * cc_lines_bodies(w->in) : n;
}

/* The line of its state that is not read from memory; 0: none. The lines that a compiler gives to what it
 * moves out of a loop are others: so only of what need not run it is asked whether it did. */
static unsigned kept_line(const struct walk *w, const struct cc_loop_function *g, bool own)
{
    for (size_t i = 0; i < g->states.n; i++) {
        if ((own && g->states.v[i].given) || is_kept_within(w, g, &g->states.v[i]) ||
            is_own_element(w, g, &g->states.v[i]))
            continue;
        struct cc_witness_query q = {.file = g->file,
                                     .line = g->states.v[i].line,
                                     .name = g->states.v[i].name,
                                     .data = !g->states.v[i].name,
                                     .members = w->in->members,
                                     .nmembers = w->in->nmembers};
        if (is_around_all(w, g) && !cc_witness_inside(w->in->witness, &q, q.line))
            continue;
        bool ran = g->states.v[i].always || cc_witness_ran(w->in->witness, g->file, q.line, w->function);
        bool read = (q.name ? cc_witness_reads(w->in->witness, &q)
                            : cc_witness_loads(w->in->witness, &q) >= asked_in(w, g, q.line)) ||
                    (g->states.v[i].given && is_loaded_at_once(w, g));
        if (ran && (g->states.v[i].resumes || !read))
            return q.line;
    }
    return 0;
}

/* Whether code of the function ran in the loop's: of the call itself no instruction need be left. */
static bool is_put_in(const struct walk *w, const struct cc_loop_function *g)
{
    bool ran = false;
    for (unsigned line = g->line; line <= g->last_line && !ran; line++)
        ran = cc_witness_ran(w->in->witness, g->file, line, w->function);
    return ran;
}

/* Whether each call of the function gets only what the iteration has for itself. */
static bool is_own(const struct cc_loop_call *calls, size_t n, const char *symbol)
{
    bool own = true;
    for (size_t i = 0; i < n; i++)
        own = own && (calls[i].own || strcmp(calls[i].symbol, symbol) != 0);
    return own;
}

/* Whether some lies in the loop itself. */
static bool is_inside(const struct walk *w, const struct cc_loop_function *g)
{
    struct cc_witness_query q = {
        .file = g->file, .line = g->line, .members = w->in->members, .nmembers = w->in->nmembers};
    return cc_witness_inside(w->in->witness, &q, g->last_line);
}

/* What a compiler moves out of a loop gets into no other, but for one around it. */
static bool is_near(const struct walk *w, const struct cc_loop_function *g)
{
    struct cc_witness_query q = {
        .file = g->file, .line = g->line, .members = w->in->members, .nmembers = w->in->nmembers};
    return cc_witness_near(w->in->witness, &q, g->last_line, w->function);
}

static bool is_char_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a symbol's name, `ns::next(int)` or `next.constprop.0`, is this one. */
static bool is_named(const char *symbol, const char *name, size_t n)
{
    const char *end = symbol + strcspn(symbol, "(."), *begin = end;
    while (begin > symbol && is_char_of_name(begin[-1]))
        begin--;
    return (size_t)(end - begin) == n && strncmp(begin, name, n) == 0;
}

/* The name of a function that is called in each iteration, of which no body was read, and that the loop's
 * function never really called: a header that was not found, or another file by a linker that optimises. What
 * it keeps nobody knows. NULL: it is not so. */
static const char *without_body(const struct gate_input *in, uint32_t function,
                                const struct cc_loop_call *call)
{
    const struct cc_profile *p = in->p;
    const char *at = call->needs_body ? strstr(call->symbol, "@F@") : NULL, *name = at ? at + 3 : NULL;
    size_t n = name ? strcspn(name, "#@") : 0;
    struct cc_call_type known;
    if (!n || *name == '_')
        return NULL;
    const char *alone = cc_arena_strndup(in->arena, name, n);
    for (size_t i = 0; i < p->ncontexts; i++)
        if (p->contexts[i].parent != CC_NONE && p->contexts[p->contexts[i].parent].function == function &&
            p->functions[p->contexts[i].function].name &&
            is_named(p->functions[p->contexts[i].function].name, name, n))
            return NULL;
    return cc_call_type(alone, &known) ? NULL : alone;
}

/* file: where the calls are written */
static const struct cc_loop_function *look(struct walk *w, const char *file, const struct cc_loop_call *calls,
                                           size_t n, unsigned *ret_line)
{
    const struct cc_source_loops *s = w->in->sources;
    const struct cc_loop_function *found = NULL;
    for (size_t i = 0; i < n && !found; i++) {
        const struct cc_loop_function *g = cc_source_function(s, calls[i].symbol);
        w->unnamed = w->unnamed || strcmp(calls[i].symbol, "?") == 0;
        if (calls[i].symbol[0] == '?' && calls[i].symbol[1])
            CC_VEC_PUSH(&w->named, calls[i].symbol + 1);
        bool ran = calls[i].always || cc_witness_ran(w->in->witness, file, calls[i].line, w->function);
        if (!g || w->seen[g - s->functions.v] || (!ran && !is_put_in(w, g)))
            continue;
        w->seen[g - s->functions.v] = true;
        if (cc_gate_calls(w->in->p, w->function, g) && !is_inside(w, g))
            continue;
        *ret_line = kept_line(w, g, is_own(calls, n, calls[i].symbol));
        found = *ret_line ? g : look(w, g->file, g->calls.v, g->calls.n, ret_line);
    }
    return found;
}

/* Of a destructor no statement tells where it is called. */
static bool ends_something(const struct cc_loop_function *g)
{
    const char *name = strrchr(g->name, ':');
    return *(name ? name + 1 : g->name) == '~';
}

/* In C nothing is called that no call names: code of it in the loop is an address or a constant that both
 * take. Symbols of C++ tell the types of parameters. */
static bool is_asked_for(const struct walk *w, const struct cc_loop_function *g)
{
    return !w->unnamed && !strchr(g->symbol, '#');
}

static bool is_listed(const struct walk *w, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < w->named.n; i++)
        found = found || strcmp(w->named.v[i], name) == 0;
    return found;
}

static const char *base_name(const struct cc_loop_function *g)
{
    const char *colon = strrchr(g->name, ':');
    return colon ? colon + 1 : g->name;
}

/* Whether it makes one type of another, which no text says: where types are a template's parameters such a
 * function may be called for every value. */
static bool converts(const struct cc_loop_function *g)
{
    const char *name = base_name(g), *end = name - (name > g->name ? 2 : 0), *begin = end;
    size_t size = strcspn(name, "<");
    while (begin > g->name && begin[-1] != ':')
        begin--;
    bool builds = name > g->name && (size_t)(end - begin) >= size && strncmp(begin, name, size) == 0 &&
                  !is_char_of_name(begin[size]);
    return builds || strncmp(name, "operator ", 9) == 0;
}

/* An operator of numbers, unless the program has one of its own: `operator+`, not `operator()`. */
static bool is_operator_of_language(const char *name)
{
    return strncmp(name, "operator", 8) == 0 && name[8] && strchr("+-*/%^&|<>=!~", name[8]);
}

/* Methods of the library's containers, which only look at their object: they call nothing of the program's.
 */
static bool is_look_of_library(const char *name)
{
    static const char looks[] = " size empty length begin end cbegin cend data front back capacity ";
    return cc_text_listed(looks, name);
}

/* All names that those which are known only by name may lead to. One that no function has, of the program or
 * of the C library, may be anything. */
static void follow_names(struct walk *w)
{
    const struct cc_source_loops *s = w->in->sources;
    struct cc_call_type type;
    for (size_t i = 0; i < w->named.n && !w->unnamed; i++) {
        bool known = cc_call_type(w->named.v[i], &type) || is_operator_of_language(w->named.v[i]) ||
                     is_look_of_library(w->named.v[i]);
        for (size_t k = 0; k < s->functions.n; k++) {
            const struct cc_loop_function *g = &s->functions.v[k];
            if (strcmp(base_name(g), w->named.v[i]) != 0)
                continue;
            known = true;
            for (size_t c = 0; c < g->calls.n; c++) {
                const char *symbol = g->calls.v[c].symbol;
                const struct cc_loop_function *callee = cc_source_function(s, symbol);
                const char *name = *symbol == '?' ? symbol + 1 : callee ? base_name(callee) : NULL;
                w->unnamed = w->unnamed || (*symbol == '?' && !symbol[1]);
                if (name && *name && !is_listed(w, name))
                    CC_VEC_PUSH(&w->named, name);
            }
        }
        w->unnamed = w->unnamed || !known;
    }
}

/* Whether the loop's own text calls a function that only combines: those calls were taken for assignments,
 * and nothing else leads to it. */
static bool is_assigning(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_source_loop *s = w->in->source;
    bool found = false;
    for (size_t i = 0; i < s->combined.n; i++)
        found = found || strcmp(s->combined.v[i].symbol, g->symbol) == 0;
    return found && g->combines && !w->unnamed && !is_listed(w, base_name(g));
}

/* Whether all code of its state lies in loops that have nothing to do with this one, the function's own: an
 * element that a loop of the function changes would be changed by a loop in this one, had it been called
 * there, and what such a loop counts with moves out of none. */
static bool is_elsewhere(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_source_loops *s = w->in->sources;
    for (size_t i = 0; i < g->states.n; i++) {
        struct cc_witness_query q = {.file = g->file,
                                     .line = g->states.v[i].line,
                                     .members = w->in->members,
                                     .nmembers = w->in->nmembers};
        bool looped = false;
        for (size_t k = 0; k < s->v.n && !looped; k++)
            looped = s->v.v[k].line >= g->line && s->v.v[k].last_line <= g->last_line &&
                     s->v.v[k].line <= q.line && q.line <= s->v.v[k].last_line &&
                     cc_text_same_file(s->v.v[k].file, g->file);
        if (!looped || g->states.v[i].name || !cc_witness_ran(w->in->witness, g->file, q.line, w->function) ||
            cc_witness_near(w->in->witness, &q, q.line, w->function))
            return false;
    }
    return true;
}

/* Whether it keeps variables of the program's, and the loop stores something where its source does not: a
 * counter that the loop takes for its own (`used++` in `operator float`, which gcc -O1 adds up in the
 * register that tells when the loop ends) bears the loop's lines. */
static bool is_only_counted(const struct walk *w, const struct cc_loop_function *g)
{
    bool named = false;
    for (size_t i = 0; i < g->states.n && !named; i++)
        named = g->states.v[i].name != NULL;
    return named && cc_lines_left_behind(w->in);
}

/* The function that the loop is written in; NULL: it was not read. */
static const struct cc_loop_function *home_of(const struct gate_input *in)
{
    const struct cc_loop_function *found = NULL;
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        bool around = in->source->line >= g->line && in->source->last_line <= g->last_line &&
                      strcmp(in->source->file, g->file) == 0;
        found = around && (!found || g->line >= found->line) ? g : found;
    }
    return found;
}

/* Whether calls that are written, by name, lead from one to the other. */
static bool leads_to(const struct gate_input *in, const struct cc_loop_function *from,
                     const struct cc_loop_function *to, unsigned depth)
{
    bool leads = false;
    for (size_t i = 0; i < from->calls.n && !leads && depth < CC_GATE_DEEP; i++) {
        const struct cc_loop_function *g = cc_source_function(in->sources, from->calls.v[i].symbol);
        leads = g && (g == to || leads_to(in, g, to, depth + 1));
    }
    return leads;
}

/* Whether one that has this function's code was called, at any depth, by the one that the loop lies in. */
static bool ran_below(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_profile *p = w->in->p;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pfunction *f = &p->functions[p->contexts[i].function];
        if (!cc_source_has_line(g, f->file, f->line))
            continue;
        for (uint32_t c = p->contexts[i].parent; c != CC_NONE; c = p->contexts[c].parent)
            if (p->contexts[c].function == w->function)
                return true;
    }
    return false;
}

/* Whether it is around the loop by calls: the loop's function was put into it, and arguments that it hands
 * over are computed in the loop. Were it called there, it would call the loop's function again, which a
 * compiler cannot put in without end. */
static bool is_caller(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_loop_function *home = home_of(w->in);
    return home && home != g && leads_to(w->in, g, home, 0) && !leads_to(w->in, home, g, 0) &&
           !ran_below(w, g) && !ran_below(w, home);
}

/* Whether a function is listed by its name, and none of that name has code near the loop or is called by its
 * function: the compiler left nothing that would say which it was, and took what it counts for the loop's
 * own. */
static bool is_lost(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_source_loops *s = w->in->sources;
    struct cc_call_type type; /* what the C library has by that name, too, leaves no trace either */
    bool lost = is_listed(w, base_name(g)) && strncmp(base_name(g), "operator", 8) != 0 &&
                !cc_call_type(base_name(g), &type);
    for (size_t i = 0; i < s->functions.n && lost; i++) {
        const struct cc_loop_function *f = &s->functions.v[i];
        lost = strcmp(base_name(f), base_name(g)) != 0 ||
               (!is_near(w, f) && !cc_gate_calls(w->in->p, w->function, f));
    }
    return lost;
}

/* Functions of which code lies in the loop though no call says so: what the language, or a library's code,
 * calls by itself. */
static const struct cc_loop_function *unasked(struct walk *w, unsigned *ret_line)
{
    const struct gate_input *in = w->in;
    const struct cc_loop_function *found = NULL;
    for (size_t i = 0; i < in->sources->functions.n && !found && !in->source->bare; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        bool around = in->source->line >= g->line && in->source->last_line <= g->last_line &&
                      strcmp(in->source->file, g->file) == 0;
        bool within = g->line >= in->source->line && g->last_line <= in->source->last_line &&
                      strcmp(in->source->file, g->file) == 0; /* a lambda: the loop's own */
        if (w->seen[i] || around || within || !g->states.n || is_asked_for(w, g) || is_assigning(w, g) ||
            is_caller(w, g))
            continue;
        bool unsaid = w->named.n && converts(g);
        bool may = ends_something(g) || w->unnamed || is_listed(w, base_name(g)) || unsaid;
        bool near = is_near(w, g) || (unsaid && is_only_counted(w, g));
        bool hidden = may && !cc_gate_calls(w->in->p, w->function, g) && near && !is_elsewhere(w, g);
        if (is_inside(w, g) || hidden || is_lost(w, g)) {
            *ret_line = kept_line(w, g, false);
            found = *ret_line ? g : NULL;
        }
    }
    return found;
}

static bool calls_lambda(const struct gate_input *in, const struct cc_loop_function *g)
{
    bool called = false;
    for (size_t i = 0; i < in->source->lambdas.n; i++)
        called = called || !in->source->lambdas.v[i] || in->source->lambdas.v[i] == g->line;
    return called && strcmp(g->symbol, "a lambda") == 0 && cc_text_same_file(g->file, in->source->file);
}

/* A lambda that the loop calls and that lets a function of the library change what outlasts the call
 * (`std::exchange(last, x)`): of both none of the lines need be left. Or that goes on by an object of the
 * library's (`*it++`): what it loads is what that leads to. */
static const struct cc_loop_function *by_library(const struct gate_input *in, unsigned *ret_line)
{
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        for (size_t k = 0; k < g->states.n && calls_lambda(in, g); k++) {
            *ret_line = g->states.v[k].line;
            struct cc_witness_query q = {.file = g->file,
                                         .line = *ret_line,
                                         .data = true,
                                         .members = in->members,
                                         .nmembers = in->nmembers};
            if (g->states.v[k].object || (g->states.v[k].library && !cc_witness_loads(in->witness, &q)))
                return g;
        }
    }
    return NULL;
}

static const struct cc_loop_function *state_of(const struct gate_input *in, unsigned *ret_line)
{
    const struct cc_loop_function *found = NULL;
    if (!cc_witness_any(in->witness))
        return NULL;
    uint32_t *handed = cc_handed_find(in, NULL), *beyond = cc_handed_beyond(in);
    for (size_t i = 0; i < in->nmembers && !found; i++) {
        struct walk w = {in, in->p->loops[in->members[i]].function, cc_alloc(in->sources->functions.n + 1),
                         handed, beyond};
        found = look(&w, in->source->file, in->source->calls.v, in->source->calls.n, ret_line);
        for (size_t k = 0; k < in->sources->functions.n && !found; k++) {
            const struct cc_loop_function *g = &in->sources->functions.v[k];
            if (calls_lambda(in, g)) /* of `*c++` there none of the lines need be left */
                found = look(&w, g->file, g->calls.v, g->calls.n, ret_line);
        }
        follow_names(&w);
        found = found ? found : unasked(&w, ret_line);
        CC_VEC_FINI(&w.named);
        free(w.seen);
    }
    free(handed);
    free(beyond);
    return found;
}

static const char *unread(const struct gate_input *in, unsigned *ret_line)
{
    const char *name = NULL;
    const struct cc_source_loop *s = in->source;
    for (size_t i = 0; cc_witness_any(in->witness) && i < s->calls.n && !name; i++)
        for (size_t k = 0; k < in->nmembers && !name; k++) {
            *ret_line = s->calls.v[i].line;
            if (!cc_source_function(in->sources, s->calls.v[i].symbol))
                name = without_body(in, in->p->loops[in->members[k]].function, &s->calls.v[i]);
        }
    return name;
}

bool cc_gate_of_language(const char *file)
{
    return strstr(file, "/include/c++/") != NULL;
}

/* Whether it calls what the source does not name (a parameter of a template may hold anything), or by a name
 * that leads to something which keeps a state. */
static bool calls_unnamed(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    struct walk w = {.in = in};
    for (size_t i = 0; i < s->calls.n; i++) {
        const char *symbol = s->calls.v[i].symbol;
        w.unnamed = w.unnamed || strcmp(symbol, "?") == 0;
        if (*symbol == '?' && symbol[1])
            CC_VEC_PUSH(&w.named, symbol + 1);
    }
    follow_names(&w);
    bool unnamed = w.unnamed;
    for (size_t i = 0; i < in->sources->functions.n && w.named.n && !unnamed; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        unnamed = g->states.n && is_listed(&w, base_name(g));
    }
    CC_VEC_FINI(&w.named);
    return unnamed;
}

/* Whether code of that file stores something in the loop, but for what it puts aside in the frame. */
static bool file_stores(const struct gate_input *in, const char *file)
{
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        bool stores = d->kind == CC_DEPENDENCE_WRITES && d->area != CC_AREA_STACK && d->second_file &&
                      strcmp(d->second_file, file) == 0;
        for (size_t k = 0; stores && k < in->nmembers; k++)
            if (d->loop == in->members[k])
                return true;
    }
    return false;
}

/* Whether it lies in a function that keeps nothing. What a function of the language's library also stores, or
 * one beside it does, is handed on by way of memory in the source: elements that it got by references
 * (`std::tie(a[i].x, a[i].y) = …`). */
static bool is_harmless(const struct gate_input *in, const struct cc_judge_rotation *r)
{
    const struct cc_loop_place *at = &r->at;
    bool harmless = cc_gate_of_language(at->file) && !calls_unnamed(in) &&
                    !cc_witness_stores(in->witness, r->from) && !file_stores(in, at->file);
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        bool here = cc_source_has_line(g, at->file, at->line),
             around = in->source->line >= g->line && in->source->last_line <= g->last_line;
        if (here && (g->states.n || around))
            return false;
        harmless = harmless || here;
    }
    return harmless;
}

/* Where a container begins and ends, loaded for the test of one iteration and used by the next, is no value.
 */
bool cc_inlined_hands_on(const struct gate_input *in)
{
    bool found = false;
    for (size_t i = 0; i < in->rotating.n; i++) {
        const struct cc_judge_rotation *r = &in->rotating.v[i];
        found = found || (!r->kept && (!r->at.file || !cc_gate_of_language(r->at.file) ||
                                       cc_witness_stores(in->witness, r->from)));
    }
    return found;
}

static unsigned handed_on(const struct gate_input *in)
{
    for (size_t i = 0; i < in->rotating.n; i++) {
        const struct cc_loop_place *at = &in->rotating.v[i].at;
        bool inside = at->file && at->line >= in->source->line && at->line <= in->source->last_line &&
                      cc_text_same_file(in->source->file, at->file);
        bool mine = inside && !calls_unnamed(in); /* and not of what was put in its place */
        bool kept = in->rotating.v[i].kept && !cc_witness_stores(in->witness, in->rotating.v[i].from);
        if (at->file && at->line && !mine && !kept && !is_harmless(in, &in->rotating.v[i]))
            return at->line;
    }
    return 0;
}

const char *cc_inlined_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name)
{
    const struct cc_loop_function *g = state_of(in, ret_line);
    g = g ? g : by_library(in, ret_line);
    if (g) {
        *ret_name = g->name;
        if (strcmp(g->name, "main") == 0) /* which nobody calls: a lambda that is written there */
            return cc_arena_printf(
                in->arena,
                "independent in this binary, but what is written at line %u, and called by "
                "it, may keep something from call to call",
                *ret_line);
        return cc_arena_printf(
            in->arena,
            "independent in this binary, but %s, which it calls, keeps something at line %u from "
            "call to call",
            g->name, *ret_line);
    }
    *ret_name = unread(in, ret_line);
    if (*ret_name)
        return cc_arena_printf(
            in->arena,
            "independent in this binary, but %s, which it calls, could not be read, and was "
            "put into it: what that keeps from call to call is not known",
            *ret_name);
    *ret_line = handed_on(in);
    return !*ret_line ? NULL
                      : cc_arena_printf(in->arena,
                                        "independent in this binary, but what it calls (line %u) may hand a "
                                        "value on from one iteration to the next",
                                        *ret_line);
}
