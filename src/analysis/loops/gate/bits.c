/* Elements of std::vector<bool> and std::bitset that iterations set: many of them lie in one word, which has
 * to be read and written as a whole. That no two iterations met in a word depends on where they cut it. */
#include "bits.h"

static bool is_of(const char *symbol, const char *class, const char *const *methods)
{
    bool found = false;
    for (; strstr(symbol, class) && *methods; methods++)
        found = found || strstr(symbol, *methods);
    return found;
}

/* Sets a bit of what it belongs to. */
static bool sets_bit(const struct cc_loop_call *c)
{
    static const char *const of_reference[] = {"@F@operator=", "@F@flip#", NULL};
    static const char *const of_set[] = {"@F@set#", "@F@reset#", "@F@flip#", "@F@operator=", NULL};
    return is_of(c->symbol, "_Bit_reference", of_reference) ||
           is_of(c->symbol, "__bit_reference", of_reference) || is_of(c->symbol, "@bitset", of_set);
}

/* Leads to an element of something that is not the iteration's, or the function's, own. */
static bool leads_to_bit(const struct cc_loop_call *c)
{
    static const char *const leads[] = {"@F@operator[]", "@F@at#",    "@F@front#",
                                        "@F@back#",      "@F@begin#", NULL};
    static const char *const follows[] = {"@F@operator*", "@F@operator[]", NULL};
    return !c->own && (is_of(c->symbol, "@vector>#b#", leads) || is_of(c->symbol, "@bitset", leads) ||
                       is_of(c->symbol, "_Bit_iterator", follows));
}

struct search {
    const struct cc_source_loops *all;
    bool *seen; /* by function */
};

static bool reaches(struct search *x, const struct cc_loop_call *v, size_t n, unsigned depth, unsigned *ret)
{
    unsigned set = 0;
    bool led = false;
    for (size_t i = 0; i < n; i++) {
        bool sets = sets_bit(&v[i]);
        led = led || leads_to_bit(&v[i]) || (sets && !v[i].own && strstr(v[i].symbol, "@bitset"));
        set = sets ? v[i].line : set;
    }
    *ret = set;
    if (set && led)
        return true;
    for (size_t i = 0; depth < 64 && i < n; i++)
        for (size_t k = 0; !v[i].own && k < x->all->functions.n; k++) {
            const struct cc_loop_function *g = &x->all->functions.v[k];
            if (x->seen[k] || strcmp(g->symbol, v[i].symbol) != 0)
                continue;
            x->seen[k] = true;
            if (reaches(x, g->calls.v, g->calls.n, depth + 1, ret)) {
                *ret = v[i].line;
                return true;
            }
        }
    return false;
}

unsigned cc_gate_sets_bits(const struct gate_input *in)
{
    unsigned line = 0;
    if (!in->source || !in->sources)
        return 0;
    struct search x = {in->sources, cc_alloc_array(in->sources->functions.n + 1, sizeof *x.seen)};
    bool found = reaches(&x, in->source->calls.v, in->source->calls.n, 0, &line);
    free(x.seen);
    return found ? line : 0;
}

const char *cc_gate_bits(const struct gate_input *in, unsigned *ret_line)
{
    *ret_line = cc_gate_sets_bits(in);
    return *ret_line ? cc_arena_printf(in->arena,
                                       "independent in this run, but line %u sets elements of a vector of "
                                       "bool or a bitset, many of which lie in one word: with a vector of "
                                       "char iterations could not meet",
                                       *ret_line)
                     : NULL;
}
