#include "accessor.h"
#include "handed.h"
#include "lines.h"

/* Whether the name is one that the loop assigns to. */
static bool is_assigned(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->given.n; i++)
        found = found || !*s->given.v[i].name || strcmp(s->given.v[i].name, name) == 0;
    for (size_t i = 0; i < s->combined.n; i++)
        found = found || strcmp(s->combined.v[i].name, name) == 0;
    return found;
}

/* Looks in a line, all at what the loop does not assign to; 0: none, or some are. */
static size_t looks_in(const struct cc_source_loop *s, unsigned line)
{
    size_t n = 0;
    for (size_t i = 0; i < s->looks.n; i++) {
        if (s->looks.v[i].line != line)
            continue;
        if (is_assigned(s, s->looks.v[i].name))
            return 0;
        n++;
    }
    return n;
}

/* Whether only the loop itself calls it, of all that it calls, and in lines with such looks alone; how many
 * these are. */
static size_t looks_by(const struct gate_input *in, const struct cc_loop_function *g, const bool *reached)
{
    const struct cc_source_loop *s = in->source;
    size_t n = 0;
    for (size_t i = 0; i < s->calls.n; i++) {
        bool again = strcmp(s->calls.v[i].symbol, g->symbol) != 0;
        for (size_t k = 0; k < i && !again; k++)
            again = s->calls.v[k].line == s->calls.v[i].line && strcmp(s->calls.v[k].symbol, g->symbol) == 0;
        size_t here = again ? 0 : looks_in(s, s->calls.v[i].line);
        if (!again && !here)
            return 0;
        n += here;
    }
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *f = &in->sources->functions.v[i];
        for (size_t k = 0; reached[i] && k < f->calls.n; k++)
            if (strcmp(f->calls.v[k].symbol, g->symbol) == 0)
                return 0;
    }
    return n;
}

static size_t loads_of(const struct gate_input *in, const struct cc_loop_function *g)
{
    struct cc_witness_query q = {
        .file = g->file, .members = in->members, .nmembers = in->nmembers, .constants = true, .data = true};
    size_t n = 0;
    for (q.line = g->line; q.line <= g->last_line; q.line++)
        n += cc_witness_loads(in->witness, &q);
    return n;
}

/* Loads that bear the line itself: compilers say so of those that they put into an operation. Where the line
 * looks at nothing but what methods hand back they are such a method's. */
static size_t loads_in(const struct gate_input *in, unsigned line)
{
    const struct cc_source_loop *s = in->source;
    struct cc_witness_query q = {.file = s->file,
                                 .line = line,
                                 .members = in->members,
                                 .nmembers = in->nmembers,
                                 .constants = true,
                                 .data = true};
    const char *only = NULL;
    for (size_t i = 0; i < s->arrays.n; i++)
        for (int k = 0; k < CC_SOURCE_READS && s->arrays.v[i].reads[k]; k++)
            if (s->arrays.v[i].reads[k] == line)
                return 0;
    for (size_t i = 0; i < s->calls.n; i++) {
        const struct cc_loop_call *c = &s->calls.v[i];
        if (c->line != line || c->assigned)
            continue;
        if (only && strcmp(only, c->symbol) != 0)
            return 0;
        only = c->symbol;
    }
    return cc_witness_loads(in->witness, &q);
}

/* Whether a line of the loop itself uses a value from the iteration before, and looks at nothing. */
static bool is_of_other_line(const struct cc_source_loop *s, const struct cc_loop_place *at)
{
    bool other =
        at->file && at->line >= s->line && at->line <= s->last_line && strcmp(at->file, s->file) == 0;
    for (size_t i = 0; i < s->looks.n && other; i++)
        other = s->looks.v[i].line != at->line;
    return other;
}

/* Whether all that goes from iteration to iteration in registers is used in other lines than the looks are
 * in: the end of an inner loop, say. Of a use without a line one with a line tells. */
static bool hands_no_look_on(const struct gate_input *in)
{
    for (size_t i = 0; i < in->rotating.n; i++) {
        bool other = false;
        for (size_t k = 0; k < in->rotating.n && !other; k++)
            other = (i == k || !in->rotating.v[i].at.line) &&
                    in->rotating.v[k].from == in->rotating.v[i].from &&
                    is_of_other_line(in->source, &in->rotating.v[k].at);
        if (!other)
            return false;
    }
    return true;
}

bool cc_accessor_looked(const struct gate_input *in, unsigned line)
{
    const struct cc_source_loop *s = in->source;
    if (!hands_no_look_on(in) || !looks_in(s, line))
        return false;
    bool *reached;
    free(cc_handed_find(in, &reached));
    size_t asked = 0, found = 0;
    for (size_t i = 0; i < s->calls.n; i++) {
        const struct cc_loop_call *c = &s->calls.v[i];
        const struct cc_loop_function *g =
            c->line == line && !c->assigned ? cc_source_function(in->sources, c->symbol) : NULL;
        size_t looks = g && !g->states.n && !g->stores.n ? looks_by(in, g, reached) : 0;
        asked += looks;
        found += looks ? loads_of(in, g) + loads_in(in, line) : 0;
    }
    free(reached);
    return asked && found >= asked * cc_lines_bodies(in);
}
