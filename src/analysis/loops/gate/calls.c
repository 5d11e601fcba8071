/* What iterations share by way of functions that do nothing but combine what they are given with values
 * (../source/combine.c): the source has taken their calls for assignments, so the run may be as well. */
#include "calls.h"
#include "inlined.h"
#include "lines.h"
#include "reads.h"
#include "../../../base/text.h"

/* The function that a place is in; NULL: none of these. */
static const struct cc_loop_function *combiner(const struct cc_source_loops *all, const char *file,
                                               unsigned line)
{
    for (size_t i = 0; file && i < all->functions.n; i++) {
        const struct cc_loop_function *g = &all->functions.v[i];
        if (g->combines && line >= g->line && line <= g->last_line && strcmp(g->file, file) == 0)
            return g;
    }
    return NULL;
}

static bool is_mine(const struct gate_input *in, uint32_t loop)
{
    bool mine = false;
    for (size_t i = 0; i < in->nmembers; i++)
        mine = mine || in->members[i] == loop;
    return mine;
}

/* Whether two accesses of one place are of one iteration: also those of two iterations of a loop inside. */
static bool is_within(const struct gate_input *in, const struct cc_pdependence *d)
{
    return d->space == CC_SPACE_MEMORY && cc_gate_has(in, d->loop) &&
           (d->kind >= CC_DEPENDENCE_WITHIN_RAW || (d->kind <= CC_DEPENDENCE_WAW && !is_mine(in, d->loop)));
}

/* Whether somebody else looks at what they combine, or sets it, in the same iteration. */
static bool is_met(const struct gate_input *in)
{
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        if (!is_within(in, d))
            continue;
        const struct cc_loop_function *a = combiner(in->sources, d->first_file, d->first_line),
                                      *b = combiner(in->sources, d->second_file, d->second_line);
        bool folded = d->flags & CC_DEPENDENCE_FOLDED;
        if ((a || b) && (folded || !a || !b || strcmp(a->combines, b->combines) != 0))
            return true;
    }
    return false;
}

/* Whether the loop calls it in another way: then the source does not tell at what. */
static bool is_called(const struct gate_input *in, const struct cc_loop_function *g)
{
    bool called = false;
    for (size_t i = 0; i < in->source->calls.n; i++)
        called = called || strcmp(in->source->calls.v[i].symbol, g->symbol) == 0;
    return called;
}

/* The operator of what the source combines under that name, or NULL: a block of the heap has another. */
static const char *combined(const struct cc_source_loop *s, const char *name, const char *op)
{
    bool found = false;
    for (size_t i = 0; i < s->variables.n; i++) {
        const struct cc_source_variable *v = &s->variables.v[i];
        bool reduced = v->class == CC_SOURCE_REDUCTION && strcmp(v->op, op) == 0;
        if (name && strcmp(v->name, name) == 0)
            return reduced ? op : NULL;
        found = found || reduced;
    }
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        found = found || (a->op && strcmp(a->op, op) == 0) || (a->partly && strcmp(a->partly, op) == 0);
    }
    return found ? op : NULL;
}

/* Of what calls of a function combine, the name that the loop also assigns to in another way; NULL: none. */
static const char *set_otherwise(const struct cc_source_loop *s, const char *op, unsigned *ret)
{
    for (size_t i = 0; i < s->combined.n; i++) {
        const struct cc_source_given *c = &s->combined.v[i];
        for (size_t k = 0; strcmp(c->op, op) == 0 && k < s->given.n; k++) {
            const struct cc_source_given *b = &s->given.v[k];
            *ret = b->line;
            if (strcmp(c->name, b->name) == 0 && (!b->op || strcmp(b->op, op) != 0))
                return c->name;
        }
        for (size_t k = 0; strcmp(c->op, op) == 0 && k < s->arrays.n; k++) {
            const struct cc_source_array *a = &s->arrays.v[k];
            *ret = a->write_line;
            if (a->name && strcmp(c->name, a->name) == 0 && a->write_line && !a->op && !a->partly)
                return c->name;
        }
    }
    return NULL;
}

static const char *op_of(const struct gate_input *in, const struct cc_loop_reason *r)
{
    const struct cc_loop_function *a = combiner(in->sources, r->first.file, r->first.line),
                                  *b = combiner(in->sources, r->second.file, r->second.line);
    bool memory = r->kind == CC_REASON_RAW || r->kind == CC_REASON_WAR || r->kind == CC_REASON_WAW;
    if (!memory || !a || !b || strcmp(a->combines, b->combines) != 0 || is_called(in, a) || is_called(in, b))
        return NULL;
    unsigned line = 0;
    return set_otherwise(in->source, a->combines, &line) ? NULL
                                                         : combined(in->source, r->variable, a->combines);
}

bool cc_gate_called(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; i < l->reasons.n; i++)
        if (!in->source || !op_of(in, &l->reasons.v[i]))
            return false;
    if (!l->reasons.n || is_met(in))
        return false;
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        bool known = false;
        for (size_t k = 0; k < l->reductions.n; k++)
            known = known || l->reductions.v[k].variable == r->variable ||
                    (l->reductions.v[k].variable && r->variable &&
                     strcmp(l->reductions.v[k].variable, r->variable) == 0);
        if (!known)
            CC_VEC_PUSH(&l->reductions, ((struct cc_loop_reduction){op_of(in, r), r->variable}));
    }
    l->reasons.n = 0;
    return true;
}

static bool writes_in(const struct cc_source_array *a, unsigned line)
{
    bool found = false;
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        found = found || a->writes[k] == line;
    return found;
}

/* What a line combines by way of a call and looks at as well, between load and store of that: the run shows
 * nothing of it. Each such assignment is a look, too. NULL: there is none. */
static const char *looked_between(const struct cc_source_loop *s, unsigned line)
{
    for (size_t i = 0; i < s->given.n; i++) {
        const char *name = s->given.v[i].line == line && s->given.v[i].op ? s->given.v[i].name : NULL;
        size_t assigned = 0, looked = 0;
        for (size_t k = 0; name && k < s->given.n; k++)
            assigned += s->given.v[k].line == line && strcmp(s->given.v[k].name, name) == 0;
        for (size_t k = 0; name && k < s->looks.n; k++)
            looked += s->looks.v[k].line == line && strcmp(s->looks.v[k].name, name) == 0;
        if (name && *name && looked > assigned)
            return name;
    }
    return NULL;
}

/* The line of one of these that does something else with what a combines; 0: none does. */
static unsigned otherwise(const struct cc_source_given *a, const struct cc_source_given *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(a->name, of[i].name) == 0 && (!of[i].op || strcmp(a->op, of[i].op) != 0))
            return of[i].line;
    return 0;
}

const char *cc_gate_combined_otherwise(const struct gate_input *in, const struct cc_loop_place *at,
                                       unsigned *ret)
{
    const struct cc_source_loop *s = in->source;
    const unsigned line = at->line;
    const struct cc_loop_function *g = combiner(in->sources, at->file, line);
    if (g)
        return set_otherwise(s, g->combines, ret);
    if (!cc_text_same_file(s->file, at->file))
        return NULL;
    const char *name = NULL;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (!writes_in(a, line))
            continue;
        if (a->op || a->partly)
            return NULL;
        name = a->name ? a->name : "something";
        *ret = a->writes[0] == line && a->writes[1] ? a->writes[1] : a->writes[0];
    }
    if (!name && (name = looked_between(s, line)))
        *ret = line;
    for (size_t i = 0; i < s->given.n; i++) {
        const struct cc_source_given *a = &s->given.v[i];
        if (a->line != line || !a->op)
            continue;
        unsigned other = otherwise(a, s->given.v, s->given.n);
        other = other ? other
                      : otherwise(a, s->combined.v, s->combined.n); /* by a function that gets an element */
        if (other) {
            *ret = other;
            return *a->name ? a->name : "something";
        }
    }
    return name;
}

/* The line that overwrites what calls hand back of an object, and the loop never looks at; 0: none. */
unsigned cc_gate_given_result(const struct gate_input *in, const struct cc_judge_private *v)
{
    for (size_t i = 0; i < in->source->given.n; i++) {
        const struct cc_source_given *g = &in->source->given.v[i];
        if (g->result && !g->settles && g->line == v->second.line && v->second.file &&
            cc_text_same_file(in->source->file, v->second.file))
            return g->line;
    }
    return 0;
}

const char *cc_gate_given_fixed(const struct gate_input *in, unsigned *ret_line)
{
    for (size_t i = 0; i < in->source->given.n; i++) {
        const struct cc_source_given *g = &in->source->given.v[i];
        bool seen = !g->fixed || g->op || g->settles;
        for (size_t k = 0; k < in->privates.n && !seen; k++)
            seen = in->privates.v[k].second.line == g->line && in->privates.v[k].second.file &&
                   cc_text_same_file(in->source->file, in->privates.v[k].second.file);
        if (seen)
            continue;
        *ret_line = g->line;
        return cc_arena_printf(
            in->arena,
            "independent in this binary, but every iteration writes the same element of %s "
            "at line %u",
            *g->name ? g->name : "something", g->line);
    }
    return NULL;
}

const char *cc_gate_given_settled(const struct gate_input *in, const struct cc_judge_private *v)
{
    const struct cc_source_loop *s = in->source;
    bool here = s && v->second.file && cc_text_same_file(s->file, v->second.file);
    for (size_t i = 0; here && i < s->given.n; i++)
        if (s->given.v[i].settles && s->given.v[i].line == v->second.line && *s->given.v[i].name)
            return s->given.v[i].name;
    return NULL;
}

const struct cc_source_given *cc_gate_given_looked(const struct gate_input *in,
                                                   const struct cc_judge_private *v)
{
    const struct cc_source_loop *s = in->source;
    bool here = v->second.file && cc_text_same_file(s->file, v->second.file);
    for (size_t i = 0; here && i < s->given.n; i++)
        for (size_t k = 0; s->given.v[i].line == v->second.line && k < s->looks.n; k++)
            if (!s->given.v[i].op && strcmp(s->looks.v[k].name, s->given.v[i].name) == 0)
                return &s->looks.v[k];
    return NULL;
}

/* Whether the loop's function calls one that copies: then memory was followed. */
static bool copies_by_call(const struct gate_input *in)
{
    const struct cc_profile *p = in->p;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const char *name = p->functions[p->contexts[i].function].name;
        uint32_t parent = p->contexts[i].parent;
        bool copies = name && cc_call_moves_data(name);
        for (size_t k = 0; copies && parent != CC_NONE && k < in->nmembers; k++)
            if (p->contexts[parent].function == p->loops[in->members[k]].function)
                return true;
    }
    return false;
}

/* Whether a function of the language's library, put into the loop, loads what it copies, and nothing goes
 * from iteration to iteration in registers: such loads bear the lines of the library. */
static bool copies_by_library(const struct gate_input *in)
{
    for (size_t i = 0; !cc_inlined_hands_on(in) && i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        struct cc_witness_query q = {.file = d->second_file,
                                     .line = d->second_line,
                                     .members = in->members,
                                     .nmembers = in->nmembers,
                                     .constants = true,
                                     .data = true};
        if (d->kind == CC_DEPENDENCE_READS && cc_gate_has(in, d->loop) && q.file &&
            cc_gate_of_language(q.file) && cc_witness_loads(in->witness, &q))
            return true;
    }
    return false;
}

const char *cc_gate_copied(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line)
{
    for (size_t i = 0; i < in->source->copies.n; i++) {
        *ret_line = in->source->copies.v[i].line;
        if (!cc_reads_looked(in, l, *ret_line) && !copies_by_call(in) && !copies_by_library(in))
            return cc_arena_printf(in->arena,
                                   "independent in this binary, which has no load for what line %u copies",
                                   *ret_line);
    }
    return NULL;
}

const char *cc_gate_left_out(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line)
{
    unsigned line = cc_lines_left_out(in, l);
    if (!line)
        return NULL;
    *ret_line = line;
    return cc_arena_printf(
        in->arena,
        "what the compiler made of it goes round without line %u, whose call runs outside of "
        "it, so most of its iterations are not known (compiled with less optimisation they "
        "may be)",
        line);
}

/* Whether the loop only combines what bears the name with something, and does so by one operator: each such
 * assignment is a look, too. */
static bool is_only_combined(const struct cc_source_loop *s, const struct cc_source_given *g)
{
    bool only = g->op != NULL;
    size_t assigned = 0, looked = 0;
    for (size_t i = 0; i < s->given.n && only; i++) {
        bool same = strcmp(s->given.v[i].name, g->name) == 0;
        assigned += same;
        only = !same || (s->given.v[i].op && strcmp(s->given.v[i].op, g->op) == 0);
    }
    for (size_t i = 0; i < s->looks.n; i++)
        looked += strcmp(s->looks.v[i].name, g->name) == 0;
    return only && looked <= assigned;
}

const char *cc_gate_given_outside(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line)
{
    for (size_t i = 0; i < in->source->given.n; i++) {
        const struct cc_source_given *g = &in->source->given.v[i];
        if (g->apart || g->settles || is_only_combined(in->source, g) || !cc_lines_outside(in, l, g->line))
            continue;
        *ret_line = g->line;
        return cc_arena_printf(in->arena,
                               "independent in this binary, but it runs some iterations outside the loop, "
                               "and line %u may write what these do",
                               g->line);
    }
    return NULL;
}
