#include "inlined.h"

struct walk {
    const struct gate_input *in;
    uint32_t function; /* the loop is in */
    bool *seen;        /* by function of the source */
};

static size_t find(const struct cc_source_loops *s, const char *symbol)
{
    size_t i = 0;
    while (i < s->functions.n && strcmp(s->functions.v[i].symbol, symbol) != 0)
        i++;
    return i;
}

/* Whether the loop's function calls it: what it does then is followed in memory. */
static bool is_called(const struct walk *w, const struct cc_loop_function *g)
{
    const struct cc_profile *p = w->in->p;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pfunction *f = &p->functions[p->contexts[i].function];
        bool from_here =
            p->contexts[i].parent != CC_NONE && p->contexts[p->contexts[i].parent].function == w->function;
        if (from_here && f->file && f->line >= g->line && f->line <= g->last_line &&
            cc_loop_same_file(g->file, f->file))
            return true;
    }
    return false;
}

/* The line of its state that is not read from memory; 0: none. The lines that a compiler gives to what it
 * moves out of a loop are others: so only of what need not run it is asked whether it did. */
static unsigned kept_line(const struct walk *w, const struct cc_loop_function *g, bool own)
{
    for (size_t i = 0; i < g->states.n; i++) {
        if (own && g->states.v[i].given)
            continue;
        struct cc_witness_query q = {.file = g->file,
                                     .line = g->states.v[i].line,
                                     .members = w->in->members,
                                     .nmembers = w->in->nmembers};
        bool ran = g->states.v[i].always || cc_witness_ran(w->in->witness, g->file, q.line, w->function);
        if (ran && !cc_witness_reads(w->in->witness, &q))
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

/* file: where the calls are written */
static const struct cc_loop_function *look(struct walk *w, const char *file, const struct cc_loop_call *calls,
                                           size_t n, unsigned *ret_line)
{
    const struct cc_source_loops *s = w->in->sources;
    const struct cc_loop_function *found = NULL;
    for (size_t i = 0; i < n && !found; i++) {
        size_t at = find(s, calls[i].symbol);
        bool ran = calls[i].always || cc_witness_ran(w->in->witness, file, calls[i].line, w->function);
        if (at == s->functions.n || w->seen[at])
            continue;
        const struct cc_loop_function *g = &s->functions.v[at];
        if (!ran && !is_put_in(w, g))
            continue;
        w->seen[at] = true;
        if (is_called(w, g))
            continue;
        *ret_line = kept_line(w, g, is_own(calls, n, calls[i].symbol));
        found = *ret_line ? g : look(w, g->file, g->calls.v, g->calls.n, ret_line);
    }
    return found;
}

const struct cc_loop_function *cc_inlined_state(const struct gate_input *in, unsigned *ret_line)
{
    const struct cc_loop_function *found = NULL;
    if (!cc_witness_any(in->witness))
        return NULL;
    for (size_t i = 0; i < in->nmembers && !found; i++) {
        struct walk w = {in, in->p->loops[in->members[i]].function, cc_alloc(in->sources->functions.n + 1)};
        found = look(&w, in->source->file, in->source->calls.v, in->source->calls.n, ret_line);
        free(w.seen);
    }
    return found;
}
