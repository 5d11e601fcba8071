/* A function that was put into the loop stores to what the loop hands it (`fill(scratch, i)`). Where the
 * compiler needs no memory for that, iterations share nothing in the binary, and threads would in the
 * source. */
#include "store.h"
#include "lines.h"
#include "../group.h"
#include "../../../base/text.h"

enum { ARGUMENTS = 10 }; /* that are told apart; the object is one, and any */

struct search {
    const struct gate_input *in;
    uint8_t *seen; /* by function and argument: how much of what it stores, see `much` */
    bool lost;     /* the run shows no store of some field */
    bool called;   /* it was really called */
    const struct cc_judge_private *nameless; /* what iterations overwrite, or NULL */
    bool stored;                             /* that is what it stores to */
};

/* Whether the loop's function calls it: then what it stores was followed. */
static bool is_called(const struct gate_input *in, const struct cc_loop_function *g)
{
    for (size_t k = 0; k < in->nmembers; k++)
        if (cc_gate_calls(in->p, in->p->loops[in->members[k]].function, g))
            return true;
    return false;
}

/* What a method stores by way of a parameter is not its object, unless that is an argument as well. */
static bool leads_to(int from, int argument)
{
    return from == argument || from == CC_STORE_OTHER || argument == CC_STORE_OTHER;
}

/* Whether some field that it stores to is one that the loop was not seen to store to, in any line. apart: the
 * record that it gets is one that no other iteration has. */
static bool loses(const struct gate_input *in, const struct cc_loop_function *g, int argument, bool apart)
{
    for (size_t i = 0; i < g->stores.n; i++) {
        const struct cc_source_store *a = &g->stores.v[i];
        bool shown = !leads_to(a->from, argument) || (apart && a->lies) ||
                     (a->chosen && !cc_lines_of_loop(in, g->file, a->line));
        for (size_t k = 0; k < g->stores.n && !shown; k++) {
            const struct cc_source_store *b = &g->stores.v[k];
            shown = leads_to(b->from, argument) && strcmp(a->field, b->field) == 0 &&
                    cc_lines_wrote(in, g->file, b->line);
        }
        if (!shown)
            return true;
    }
    return false;
}

static bool is_first(const struct cc_loop_function *g, size_t at, bool line)
{
    bool first = true;
    for (size_t k = 0; k < at; k++) {
        const struct cc_source_store *a = &g->stores.v[k], *b = &g->stores.v[at];
        first = first && (line ? a->line != b->line : strcmp(a->field, b->field) != 0);
    }
    return first;
}

/* Whether the lines store as many bytes as all those fields have, for each call that the loop makes: one
 * instruction that stores two of them bears the line of one. */
static bool stores_enough(const struct gate_input *in, const struct cc_loop_function *g, int argument)
{
    uint64_t asked = 0, found = 0, calls = 0;
    for (size_t i = 0; i < g->stores.n; i++) {
        const struct cc_source_store *a = &g->stores.v[i];
        if (!leads_to(a->from, argument))
            continue;
        if (!a->bytes || a->chosen)
            return false;
        asked += is_first(g, i, false) ? a->bytes : 0;
        found += is_first(g, i, true) ? cc_lines_bytes(in, g->file, a->line) : 0;
    }
    for (size_t i = 0; i < in->source->hands.n; i++)
        calls += strcmp(in->source->hands.v[i].symbol, g->symbol) == 0;
    return found >= asked * CC_MAX(calls, (uint64_t)1);
}

static bool is_at(const struct cc_loop_place *at, const char *file, unsigned line)
{
    return at->line == line && at->file && cc_text_same_file(at->file, file);
}

static bool stores_there(const struct search *x, const struct cc_loop_function *g, int argument)
{
    bool there = false;
    for (size_t i = 0; x->nameless && i < g->stores.n && !there; i++)
        there = leads_to(g->stores.v[i].from, argument) &&
                (is_at(&x->nameless->first, g->file, g->stores.v[i].line) ||
                 is_at(&x->nameless->second, g->file, g->stores.v[i].line));
    return there;
}

static void look(struct search *x, const char *symbol, int argument, bool apart, unsigned depth)
{
    const uint8_t much = apart ? 1 : 2;
    const struct cc_source_loops *all = x->in->sources;
    for (size_t i = 0; depth < 32 && i < all->functions.n; i++) {
        const struct cc_loop_function *g = &all->functions.v[i];
        uint8_t *seen = &x->seen[i * ARGUMENTS + (size_t)CC_MIN(argument - CC_STORE_OBJECT, ARGUMENTS - 1)];
        if (*seen >= much || strcmp(g->symbol, symbol) != 0)
            continue;
        *seen = much;
        x->called = x->called || is_called(x->in, g);
        x->stored = x->stored || stores_there(x, g, argument);
        x->lost = x->lost || (loses(x->in, g, argument, apart) && !stores_enough(x->in, g, argument));
        for (size_t k = 0; k < g->hands.n; k++)
            if (leads_to(g->hands.v[k].from, argument))
                look(x, g->hands.v[k].symbol, g->hands.v[k].to, apart && g->hands.v[k].whole, depth + 1);
    }
}

/* A sum that a function adds to (`add(&s, x)`) is no scratch: what becomes of it is judged as of `s += x`. */
static bool is_sum(const struct gate_input *in, const struct cc_source_hand *h)
{
    bool combines = false, sum = false;
    for (size_t i = 0; i < in->sources->functions.n; i++)
        combines = combines || (strcmp(in->sources->functions.v[i].symbol, h->symbol) == 0 &&
                                in->sources->functions.v[i].combines);
    for (size_t i = 0; i < in->source->variables.n && combines; i++)
        sum = sum || (in->source->variables.v[i].class == CC_SOURCE_REDUCTION &&
                      strcmp(in->source->variables.v[i].name, h->name) == 0);
    bool other = false;
    for (size_t i = 0; i < in->source->arrays.n && combines; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        bool written = a->name && a->write_line && strcmp(a->name, h->name) == 0;
        sum = sum || (written && a->op);
        other = other || (written && !a->op);
    }
    return sum && !other;
}

const char *cc_gate_store_lost(const struct gate_input *in, unsigned *ret_line)
{
    const struct cc_source_loop *s = in->source;
    size_t n = (in->sources->functions.n + 1) * ARGUMENTS;
    struct search x = {.in = in, .seen = cc_alloc_array(n, sizeof *x.seen)};
    const char *why = NULL;
    for (size_t i = 0; i < s->hands.n && !why; i++) {
        const struct cc_source_hand *h = &s->hands.v[i];
        x.lost = x.called = false;
        memset(x.seen, 0, n * sizeof *x.seen);
        look(&x, h->symbol, h->to, h->apart, 0);
        *ret_line = h->line;
        if (x.lost && !x.called && !is_sum(in, h))
            why = cc_arena_printf(in->arena,
                                  "independent in this binary, whose loop stores nothing for what line %u "
                                  "hands to a function that writes there: declare it inside the loop",
                                  h->line);
    }
    free(x.seen);
    return why;
}

/* Whether a function that the loop hands a reference to stores to what lies in the frame of the loop's own
 * function, which may have no name (or by chance that of something else): whether it is read when the loop is
 * over the source would have to tell, by its name. */
static bool is_left_by(const struct gate_input *in, const struct cc_source_hand *h)
{
    size_t n = (in->sources->functions.n + 1) * ARGUMENTS;
    bool left = false;
    for (size_t i = 0; i < in->privates.n && h->bound && !left; i++) {
        const struct cc_judge_private *v = &in->privates.v[i];
        if (!v->here || v->frame)
            continue;
        struct search x = {.in = in, .seen = cc_alloc_array(n, sizeof *x.seen), .nameless = v};
        look(&x, h->symbol, h->to, false, 0);
        left = x.stored;
        free(x.seen);
    }
    return left;
}

const char *cc_gate_store_left(const struct gate_input *in, unsigned *ret_line)
{
    for (size_t i = 0; i < in->source->hands.n; i++) {
        const struct cc_source_hand *h = &in->source->hands.v[i];
        *ret_line = h->line;
        if (is_left_by(in, h))
            return cc_arena_printf(
                in->arena,
                "line %u hands a reference to a function that writes there, each iteration "
                "over what the one before wrote: declare what it leads to inside the loop",
                h->line);
    }
    return NULL;
}

/* Whether all functions of that name that the source has were called, and there are some. */
static bool were_called(const struct gate_input *in, const char *symbol)
{
    bool found = false;
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        if (strcmp(g->symbol, symbol) != 0)
            continue;
        if (!is_called(in, g))
            return false;
        found = true;
    }
    return found;
}

static bool is_always(const struct cc_source_loop *s, const struct cc_source_hand *h)
{
    for (size_t i = 0; i < s->calls.n; i++)
        if (s->calls.v[i].line == h->line && strcmp(s->calls.v[i].symbol, h->symbol) == 0)
            return s->calls.v[i].always && !s->calls.v[i].maybe;
    return false;
}

bool cc_gate_handed_first(const struct gate_input *in, const struct cc_source_array *a)
{
    const struct cc_source_loop *s = in->source;
    unsigned line = 0;
    for (size_t i = 0; a->name && i < s->hands.n && !line; i++) {
        const struct cc_source_hand *h = &s->hands.v[i];
        if (strcmp(h->name, a->name) == 0 && is_always(s, h) && were_called(in, h->symbol))
            line = h->line;
    }
    bool later = line && a->read_line > line;
    for (int i = 0; i < CC_SOURCE_READS && a->reads[i]; i++)
        later = later && a->reads[i] > line;
    return later;
}

/* Whether a line of the function may set what it sets, or not. */
static bool may_set(const struct cc_loop_function *g, unsigned line, unsigned varies)
{
    bool may = false;
    for (size_t i = 0; i < g->stores.n; i++)
        may = may ||
              (g->stores.v[i].line == line && (g->stores.v[i].passed_by || g->stores.v[i].turns & varies));
    for (size_t i = 0; i < g->shared.n; i++)
        may = may || (g->shared.v[i].line == line && g->shared.v[i].how & CC_SHARES_MAYBE);
    return may;
}

/* Arguments that the loop's calls of the function have otherwise in each iteration. */
static unsigned varying(const struct cc_source_loop *s, const struct cc_loop_function *g)
{
    unsigned mask = 0;
    for (size_t i = 0; i < s->calls.n; i++)
        mask |= strcmp(s->calls.v[i].symbol, g->symbol) == 0 ? s->calls.v[i].varies : 0;
    return mask;
}

const struct cc_loop_function *cc_gate_store_maybe(const struct gate_input *in,
                                                   const struct cc_loop_place *at, bool settled)
{
    const struct cc_source_loop *s = in->source;
    for (size_t i = 0; at->file && at->line && i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        bool around = strcmp(g->file, s->file) == 0 && g->line <= s->line && g->last_line >= s->last_line;
        if (!around && cc_source_has_line(g, at->file, at->line) &&
            may_set(g, at->line, settled ? varying(s, g) : 0))
            return g;
    }
    return NULL;
}
