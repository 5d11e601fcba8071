#include "input.h"
#include "count.h"
#include "leads.h"
#include "lines.h"
#include "names.h"
#include "proof.h"
#include "shared.h"

/* --- elements --- */

/* Whether some loop turns as often as the input says: what going through its iterations has shown holds for
 * so many. */
static bool turns_by_input(const struct cc_source_loop *s)
{
    bool found = false;
    for (size_t i = 0; i < s->heads.n; i++)
        found = found || (s->heads.v[i].role != CC_HEAD_AROUND && s->heads.v[i].count == CC_SOURCE_UNKNOWN);
    return found;
}

static bool has_clause(const struct cc_loop *l, const struct cc_source_array *a)
{
    bool found = cc_gate_updated(l, a->name, a->write_line);
    for (size_t i = 0; i < l->reductions.n && a->name; i++)
        found = found || (l->reductions.v[i].variable && cc_loop_named(l->reductions.v[i].variable, a->name));
    return found;
}

/* An array of which the run alone tells that no two iterations write one element; NULL: none. What iterations
 * would combine has a clause only if some did. */
static const struct cc_source_array *lucky_array(const struct cc_source_loop *s, const struct cc_loop *l)
{
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        bool told = (a->apart && !a->counted) || a->each || (a->counted && !turns_by_input(s)) ||
                    (a->op && has_clause(l, a)) || a->scratch;
        if ((a->far || a->lucky || a->spread || a->scaled || a->strided) && a->write_line && !told)
            return a;
    }
    return NULL;
}

/* An array that the loop writes, or what a pointer leads to beside one, and of which a condition decides in
 * one line with it what is accessed: NULL: none. */
static const struct cc_source_array *unsure_array(const struct gate_input *in, const struct cc_loop *l,
                                                  unsigned *ret_line)
{
    const struct cc_source_loop *s = in->source;
    bool writes = false;
    for (size_t i = 0; i < s->arrays.n; i++)
        writes = writes || (s->arrays.v[i].write_line && !s->arrays.v[i].scratch);
    for (size_t i = 0; i < s->arrays.n && writes; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        bool other = a->scratch || a->constant || (a->op && has_clause(l, a)),
             told = other || a->apart || a->each || a->alike || !a->write_line,
             pointer = (!a->whole || a->behind) && !a->alone && !cc_leads_elsewhere(in, s->file, a);
        *ret_line = a->leads_line ? a->leads_line : a->arm_line;
        if (*ret_line && (!told || (pointer && !other)))
            return a;
    }
    return NULL;
}

/* --- calls --- */

static bool keeps(const struct cc_loop_function *g)
{
    bool found = false;
    for (size_t i = 0; i < g->states.n; i++)
        found = found || (!g->states.v[i].given && !g->states.v[i].op);
    return found;
}

/* Whether some function, or the loop, calls it by its name. */
static bool is_called_by_name(const struct gate_input *in, const char *symbol)
{
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        for (size_t k = 0; k < g->calls.n; k++)
            if (strcmp(g->calls.v[k].symbol, symbol) == 0)
                return true;
    }
    return false;
}

/* Symbols of C++ tell the types of parameters. */
static bool is_of_c(const struct cc_loop_function *g)
{
    const char *name = strstr(g->symbol, "@F@");
    return name && strcmp(name + strlen("@F@"), g->name) == 0;
}

/* A function of C that keeps something and that only pointers lead to; NULL: none. */
static const struct cc_loop_function *only_pointed_to(const struct gate_input *in)
{
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        if (keeps(g) && is_of_c(g) && strcmp(g->name, "main") != 0 && !is_called_by_name(in, g->symbol))
            return g;
    }
    return NULL;
}

/* Where something is called that the source does not name; 0: nowhere. */
static unsigned pointer_line(const struct cc_loop_call *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(calls[i].symbol, "?") == 0)
            return calls[i].line;
    return 0;
}

static bool looks_at(const struct cc_loop_function *g, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < g->shared.n; i++)
        found = found || (g->shared.v[i].how & CC_SHARES_READ && strcmp(g->shared.v[i].name, name) == 0);
    return found;
}

/* A variable of the program's that it looks at and sets where something holds, which may never have been so
 * in the loop: what it computes but once, say. NULL: there is none. */
static const char *kept_by_choice(const struct cc_loop_function *g)
{
    for (size_t i = 0; i < g->shared.n; i++)
        if (g->shared.v[i].how & CC_SHARES_WRITE && g->shared.v[i].how & CC_SHARES_MAYBE &&
            looks_at(g, g->shared.v[i].name))
            return g->shared.v[i].name;
    return NULL;
}

/* A variable of the program's that it writes, and does not only combine with something; NULL: none. */
static const char *written(const struct cc_loop_function *g)
{
    for (size_t i = 0; i < g->shared.n; i++) {
        bool combined = false;
        for (size_t k = 0; k < g->states.n; k++)
            combined = combined || (g->states.v[k].op && g->states.v[k].name &&
                                    strcmp(g->states.v[k].name, g->shared.v[i].name) == 0);
        if (g->shared.v[i].how & CC_SHARES_WRITE && !combined)
            return g->shared.v[i].name;
    }
    return NULL;
}

static bool stores_to_given(const struct cc_loop_function *g)
{
    bool found = false;
    for (size_t i = 0; i < g->stores.n; i++)
        found = found || g->stores.v[i].from >= 0;
    return found;
}

/* A variable of the program's of which more than what the function gets tells the elements that it writes. */
static const char *scattered(const struct cc_loop_function *g)
{
    for (size_t i = 0; i < g->shared.n; i++)
        if (g->shared.v[i].how & CC_SHARES_SCATTERED)
            return g->shared.v[i].name;
    return NULL;
}

/* Whether the object whose method is called is the same in all iterations. */
static bool has_one_object(const struct gate_input *in, const struct cc_loop_call *call)
{
    bool one = false;
    for (size_t i = 0; i < in->source->hands.n; i++) {
        const struct cc_source_hand *h = &in->source->hands.v[i];
        one = one || (h->to == CC_STORE_OBJECT && !h->varies && strcmp(h->symbol, call->symbol) == 0);
    }
    return one;
}

/* The same of what an argument leads to, or the object, that is the same in all iterations. */
static bool scatters_given(const struct gate_input *in, const struct cc_loop_call *call,
                           const struct cc_loop_function *g)
{
    bool found = false;
    for (size_t i = 0; i < g->stores.n && !found; i++) {
        const struct cc_source_store *s = &g->stores.v[i];
        bool given = s->from >= 0 && s->from < CC_STATE_PARAMETERS && !(call->varies >> s->from & 1);
        found = s->scattered && (given || (s->from == CC_STORE_OTHER && has_one_object(in, call)));
    }
    return found && !call->own;
}

/* Elements that a called function gets told where they are: by data, or so that how many it writes is another
 * thing than how far apart they begin. */
static const char *by_arguments(const struct gate_input *in, const struct cc_loop_call *call)
{
    const struct cc_loop_function *g = cc_source_function(in->sources, call->symbol);
    const char *name = g && call->gets_data && !g->combines ? written(g) : NULL;
    if (name)
        return cc_arena_printf(in->arena, "tells the elements of %s that %s writes", name, g->name);
    if (g && scatters_given(in, call, g))
        return cc_arena_printf(in->arena, "tells the elements that %s writes, called at line %u", g->name,
                               call->line);
    if (call->gets_place && (!g || (!g->combines && stores_to_given(g))))
        return cc_arena_printf(in->arena, "tells the elements that line %u writes", call->line);
    return NULL;
}

static const char *by_calls(const struct gate_input *in)
{
    struct cc_reached all = {0};
    const struct cc_loop_function *pointed = only_pointed_to(in);
    unsigned line = pointer_line(in->source->calls.v, in->source->calls.n);
    const char *text = NULL;
    for (size_t i = 0; i < in->source->calls.n && !text; i++)
        text = by_arguments(in, &in->source->calls.v[i]);
    cc_shared_reach(in, &all);
    for (size_t i = 0; i < all.v.n && !text; i++) {
        const struct cc_loop_function *g = all.v.v[i];
        line = line ? line : pointer_line(g->calls.v, g->calls.n);
        const char *kept = kept_by_choice(g), *apart = scattered(g);
        if (apart)
            text = cc_arena_printf(in->arena, "tells the elements of %s that %s writes", apart, g->name);
        else if (kept)
            text = cc_arena_printf(in->arena, "tells whether %s sets %s", g->name, kept);
    }
    if (!text && line && pointed)
        text = cc_arena_printf(in->arena, "tells that line %u does not call %s", line, pointed->name);
    CC_VEC_FINI(&all.v);
    return text;
}

/* --- lines that did not run --- */

static bool is_one_of(const char *symbol, const char *const *names, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || cc_shared_is_call(symbol, names[i]);
    return found;
}

static bool ends_program(const char *symbol)
{
    static const char *const names[] = {"exit", "_exit", "_Exit", "abort", "err", "errx", "__assert_fail"};
    return is_one_of(symbol, names, CC_COUNT(names));
}

/* Whether its order, or what it left, can be seen. */
static bool is_seen(const char *symbol)
{
    static const char *const names[] = {"printf", "fprintf", "puts",  "putchar", "fputs",  "fputc",
                                        "putc",   "fwrite",  "write", "getchar", "getc",   "fgetc",
                                        "fgets",  "fread",   "read",  "scanf",   "fscanf", "rand",
                                        "random", "drand48", "strtok"};
    return is_one_of(symbol, names, CC_COUNT(names));
}

/* A line, below a condition, of a library's call whose order can be seen: it did not run, or in one iteration
 * alone, or the loop were ordered. 0: there is none. What says that something went wrong and then ends the
 * program may do so in any order. */
static unsigned silent_line(const struct gate_input *in)
{
    const unsigned NEAR = 4; /* lines: of one message and the end */
    for (size_t i = 0; i < in->source->calls.n; i++) {
        const struct cc_loop_call *c = &in->source->calls.v[i];
        bool ends = false;
        for (size_t k = 0; k < in->source->calls.n; k++)
            ends = ends ||
                   (ends_program(in->source->calls.v[k].symbol) && in->source->calls.v[k].line >= c->line &&
                    in->source->calls.v[k].line <= c->line + NEAR);
        if (c->maybe && !ends && is_seen(c->symbol))
            return c->line;
    }
    return 0;
}

/* Whether the function ends the program, or one does that it calls. */
static bool ends_by(const struct cc_loop_function *g)
{
    bool ends = false;
    for (size_t i = 0; i < g->calls.n; i++)
        ends = ends || ends_program(g->calls.v[i].symbol);
    return ends;
}

static bool has_run(const struct gate_input *in, const struct cc_loop_function *g)
{
    bool ran = false;
    for (size_t i = 0; i < in->nmembers && !ran; i++)
        ran = cc_gate_calls(in->p, in->p->loops[in->members[i]].function, g);
    for (unsigned line = g->line; line <= g->last_line && !ran; line++)
        ran = cc_lines_of_loop(in, g->file, line);
    return ran;
}

/* A function of the program's that does something with what is not its own, and that a condition decides
 * about, which never held. *ret_line: where it is called; NULL: there is none. */
static const struct cc_loop_function *never_called(const struct gate_input *in, unsigned *ret_line)
{
    for (size_t i = 0; i < in->source->calls.n; i++) {
        const struct cc_loop_call *c = &in->source->calls.v[i];
        const struct cc_loop_function *g = c->maybe ? cc_source_function(in->sources, c->symbol) : NULL;
        *ret_line = c->line;
        if (g && !g->pure && !(c->own && !g->shared.n && !g->states.n) && !ends_by(g) && !has_run(in, g))
            return g;
    }
    return NULL;
}

/* The least or greatest of floats, of which some would have to be no number. */
static const struct cc_source_variable *starting_anew(const struct cc_source_loop *s)
{
    for (size_t i = 0; i < s->variables.n; i++)
        if (s->variables.v[i].class == CC_SOURCE_REDUCTION && s->variables.v[i].starts_anew)
            return &s->variables.v[i];
    return NULL;
}

const char *cc_gate_input(const struct gate_input *in, const struct cc_loop *l, bool proved)
{
    if (!in->source)
        return NULL;
    const struct cc_source_array *a = lucky_array(in->source, l);
    if (a)
        return cc_arena_printf(in->arena, "tells the elements of %s that line %u writes",
                               a->name ? a->name : "something", a->write_line);
    unsigned at = 0;
    a = proved && cc_gate_proof(in) == CC_PROOF_WHOLE ? NULL : unsure_array(in, l, &at);
    if (a && a->leads_line)
        return cc_arena_printf(in->arena, "tells where %s leads that line %u sets",
                               a->name ? a->name : "a pointer", at);
    if (a)
        return cc_arena_printf(in->arena, "tells what line %u does to %s", at,
                               a->name ? a->name : "something");
    const struct cc_loop_function *silent = proved ? NULL : never_called(in, &at);
    if (silent)
        return cc_arena_printf(in->arena, "never called %s at line %u", silent->name, at);
    const char *vector = cc_gate_needed_later(in, l);
    if (vector)
        return cc_arena_printf(in->arena, "tells how many elements of %s it goes through", vector);
    const struct cc_source_variable *v = starting_anew(in->source);
    if (v)
        return cc_arena_printf(
            in->arena, "must have no NaN (that was not looked at): line %u would let it take the place of %s",
            v->write_line, v->name);
    const char *calls = proved ? NULL : by_calls(in);
    unsigned line = calls ? 0 : silent_line(in);
    const char *came = line && cc_lines_of_loop(in, in->source->file, line) ? "came to line %u but once"
                                                                            : "never came to line %u";
    return line ? cc_arena_printf(in->arena, came, line) : calls;
}
