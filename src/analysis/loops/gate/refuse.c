#include "refuse.h"
#include "accessor.h"
#include "calls.h"
#include "count.h"
#include "far.h"
#include "library.h"
#include "leads.h"
#include "lines.h"
#include "reads.h"
#include "meets.h"
#include "names.h"
#include "peeks.h"
#include "proof.h"
#include "store.h"
#include "inlined.h"
#include "shared.h"
#include "../../../base/text.h"

bool cc_gate_refuse(struct cc_loop *l, const char *sentence, enum cc_reason_kind kind, const char *variable,
                    unsigned read, unsigned write)
{
    struct cc_loop_reason r = {.kind = kind,
                               .variable = variable,
                               .first = {l->file, write ? write : read},
                               .second = {l->file, read ? read : write}};
    CC_VEC_PUSH(&l->reasons, r);
    l->verdict = CC_VERDICT_UNKNOWN;
    l->sentence = sentence;
    return true;
}

static bool combines(const struct cc_source_loop *s, const char *variable)
{
    for (size_t i = 0; i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, variable) == 0)
            return s->variables.v[i].class == CC_SOURCE_REDUCTION ||
                   s->variables.v[i].class == CC_SOURCE_COUNTER;
    bool any = false;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (!a->name || strcmp(a->name, variable) != 0 || !a->write_line)
            continue;
        any = a->op || a->partly;
        if (!any)
            return false;
    }
    return any;
}

/* A call of the library's that sets, copies or hands out something, and combines nothing. */
static bool only_accesses(const char *symbol)
{
    static const char *const c[] = {"memcpy", "memmove"};
    static const char *const plain[] = {"@F@operator[]#", "@F@at#",   "@F@size#", "@F@begin#",
                                        "@F@end#",        "@F@data#", "@F@get#",  "@F@operator=#",
                                        "@S@pair>",       "@S@tuple>"};
    bool found = false;
    for (size_t i = 0; i < CC_COUNT(c); i++)
        found = found || cc_shared_is_call(symbol, c[i]);
    for (size_t i = 0; i < CC_COUNT(plain) && strstr(symbol, "@N@std"); i++)
        found = found || strstr(symbol, plain[i]);
    return found;
}

/* Whether the loop, or a function that it calls, combines any place with something by the source. */
static bool combines_any(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    bool any = s->combined.n || s->lambdas.n;
    for (size_t i = 0; i < s->variables.n; i++)
        any = any || s->variables.v[i].class == CC_SOURCE_REDUCTION;
    for (size_t i = 0; i < s->arrays.n; i++)
        any = any || s->arrays.v[i].op || s->arrays.v[i].partly;
    for (size_t i = 0; i < s->given.n; i++)
        any = any || s->given.v[i].op;
    for (size_t i = 0; i < s->calls.n; i++) /* whoever else is called may */
        any = any || !only_accesses(s->calls.v[i].symbol);
    return any;
}

/* What the binary only combines, the source may use in other ways as well, at places that do not meet in this
 * run. */
static bool reduction_refused(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_array *a;
    for (size_t i = 0; i < l->reductions.n; i++) {
        const char *name = l->reductions.v[i].variable;
        if (!combines_any(in) && !(name && combines(in->source, name)))
            return cc_gate_refuse(l,
                                  cc_arena_printf(in->arena,
                                                  "iterations combine %s in this binary, but the source puts "
                                                  "it there in another way",
                                                  name ? name : "something"),
                                  CC_REASON_RAW, name, l->line, l->line);
        if (name && cc_gate_named(in->source, name, &a) && !combines(in->source, name)) {
            unsigned line = a ? a->write_line : l->line;
            return cc_gate_refuse(
                l,
                cc_arena_printf(
                    in->arena,
                    "iterations combine elements of %s, but line %u uses it in another way as well", name,
                    line),
                CC_REASON_RAW, name, a ? a->read_line : 0, line);
        }
    }
    return false;
}

static bool update_refused(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; i < l->updates.n; i++) {
        const struct cc_loop_place *at = &l->updates.v[i].at;
        unsigned line = 0;
        const char *name = at->file ? cc_gate_combined_otherwise(in, at, &line) : NULL;
        if (name)
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations combine elements of %s at line %u, but line %u uses it in "
                                "another way as well",
                                name, at->line, line),
                CC_REASON_RAW, name, line, at->line);
    }
    return false;
}

/* Whether functions of the program's that the loop calls only hand out elements, and change nothing. */
static bool only_hands_out(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    bool only = true;
    for (size_t i = 0; i < s->calls.n && only; i++) {
        const struct cc_loop_function *g = cc_source_function(in->sources, s->calls.v[i].symbol);
        only = s->calls.v[i].symbol[0] != '?' && (!g || (!g->states.n && !g->stores.n && !g->writes.n));
        for (size_t k = 0; g && k < g->calls.n && only; k++)
            only = g->calls.v[k].symbol[0] != '?' && !cc_source_function(in->sources, g->calls.v[k].symbol);
    }
    return only;
}

/* Whether what it looks at, had another iteration written it, would have come by way of memory, as the run
 * then has shown, or in a register, which nothing does that is no count: numbers in floating point that were
 * computed from others are known in no other way. Of several iterations in one the first and the last would
 * show that, if all pairs of iterations are as far from each other. */
static bool is_data(const struct gate_input *in, const struct cc_source_given *look)
{
    bool hands_on = in->floats;
    for (size_t i = 0; i < in->rotating.n; i++)
        hands_on = hands_on || !in->rotating.v[i].kept;
    return look->data && cc_witness_any(in->witness) && !hands_on &&
           (look->data == CC_SOURCE_DATA_EVEN || cc_lines_bodies(in) == 1) && only_hands_out(in);
}

/* What a line writes by a call, and the binary's loop does not: it may do so once, when the loop is over.
 * What it reads so, and the loop does not, it may have got from the iteration before. */
static bool given_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned line = 0;
    const char *copied = cc_gate_copied(in, l, &line);
    copied = copied ? copied : cc_gate_store_lost(in, &line);
    copied = copied ? copied : cc_gate_store_left(in, &line);
    copied = copied ? copied : cc_gate_given_fixed(in, &line);
    copied = copied ? copied : cc_gate_given_outside(in, l, &line);
    copied = copied ? copied : cc_gate_given_meets(in, l, &line);
    if (copied)
        return cc_gate_refuse(l, copied, CC_REASON_RAW, NULL, line, line);
    for (size_t i = 0; i < in->source->looks.n; i++) {
        const struct cc_source_given *g = &in->source->looks.v[i];
        if (!is_data(in, g) && !cc_reads_is_whole(in, g) && !cc_reads_looked(in, l, g->line) &&
            !cc_accessor_looked(in, g->line))
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "independent in this binary, which has no load for what line %u "
                                "reads of %s: line %u would need rewriting",
                                g->line, g->name, g->line),
                CC_REASON_RAW, g->name, g->line, l->line);
    }
    for (size_t i = 0; i < in->source->given.n; i++) {
        const struct cc_source_given *g = &in->source->given.v[i];
        if (!g->counted && !cc_lines_stored(in, l, g->line))
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "independent in this binary, whose loop stores nothing for line %u", g->line),
                CC_REASON_WAW, *g->name ? g->name : NULL, g->line, g->line);
    }
    return false;
}

/* Whether a place is at a name of the function that the loop is written in, and that of no array: not so of
 * what was inlined, where the caller's names are. Frames that a register of their own leads to are told by
 * whose they are. */
static bool is_named_here(const struct gate_input *in, const struct cc_judge_private *v)
{
    bool here = cc_gate_is_here(in, v) && v->area == CC_AREA_STACK;
    for (size_t i = 0; i < in->nmembers; i++)
        here = here && !in->p->loops[in->members[i]].inlined;
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        here = here && !(a->whole && a->name && strcmp(a->name, v->variable) == 0);
    }
    return here;
}

/* The array that one of the names of a place ("a / b": variables of two blocks) says; of several, one that
 * forbids something. A pointer's place is not what it points to. */
static bool array_named(const struct gate_input *in, const struct cc_judge_private *v,
                        const struct cc_source_array **ret)
{
    const struct cc_source_loop *s = in->source;
    bool known = v->variable && cc_gate_named(s, v->variable, ret);
    if (known && *ret && !(*ret)->whole && is_named_here(in, v))
        *ret = NULL;
    for (size_t i = 0; v->variable && !known && i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (a->name && a->whole && cc_loop_named(v->variable, a->name) &&
            (!*ret || (!(*ret)->exposed && !(*ret)->result)))
            *ret = a;
    }
    return known || *ret;
}

/* The only array that some statement in the line writes, the first of those that write it or a later one. */
static const struct cc_source_array *written_in(const struct cc_source_loop *s, unsigned line)
{
    const struct cc_source_array *found = cc_gate_written(s, line), *only = NULL;
    unsigned n = 0;
    for (size_t i = 0; i < s->arrays.n && !found; i++)
        for (int k = 0; k < CC_SOURCE_READS && s->arrays.v[i].name && s->arrays.v[i].writes[k]; k++)
            if (s->arrays.v[i].writes[k] == line && only != &s->arrays.v[i]) {
                only = &s->arrays.v[i];
                n++;
            }
    return found ? found : n == 1 ? only : NULL;
}

/* Through a pointer the source has another name for it: by the line that writes it, then. */
static const struct cc_source_array *array_of(const struct gate_input *in, const struct cc_judge_private *v)
{
    const struct cc_source_array *a = NULL;
    if (array_named(in, v, &a))
        return a;
    const struct cc_loop_place *at[] = {&v->second, &v->first}; /* the first may be a read of it */
    for (size_t i = 0; !a && i < CC_COUNT(at); i++)
        a = at[i]->file && cc_text_same_file(in->source->file, at[i]->file)
                ? written_in(in->source, at[i]->line)
                : NULL;
    /* compilers say of stores that they are the head's */
    for (size_t i = 0; !a && i < in->source->arrays.n; i++)
        if (v->second.line == in->source->line && v->area != CC_AREA_STACK &&
            in->source->arrays.v[i].write_line && !in->source->arrays.v[i].whole)
            a = &in->source->arrays.v[i];
    return a && !a->whole ? a : NULL;
}

/* What a function gets the array for, the source does not tell: the run has shown that it was written before,
 * if all that reads it is there. */
static bool is_filled_by_call(const struct gate_input *in, const struct cc_loop *l,
                              const struct cc_source_array *a)
{
    return a->passed && a->whole && !a->write_line &&
           (!cc_reads_unread(in, l, a) || cc_gate_handed_first(in, a));
}

/* What a called function sets only if something holds: that it did in every iteration is this input's. */
static bool maybe_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_judge_private *v)
{
    const struct cc_source_array *a = NULL;
    bool own = cc_gate_own(in, v),
         settled = v->variable && cc_gate_named(in->source, v->variable, &a) && a && a->settled;
    const struct cc_loop_function *g = own ? NULL : cc_gate_store_maybe(in, &v->second, settled);
    return g && cc_gate_refuse(l,
                               cc_arena_printf(in->arena,
                                               "iterations did not need each other, but %s, which it calls, "
                                               "need not set %s (line %u): an iteration may take it from the "
                                               "one before",
                                               g->name, v->variable ? v->variable : "what it gets",
                                               v->second.line),
                               CC_REASON_RAW, v->variable, v->second.line, v->second.line);
}

/* Static data of a function that is called, which iterations overwrite: no clause makes copies of it. */
static bool static_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_judge_private *v)
{
    const struct cc_source_array *a = NULL;
    const char *name = v->variable;
    if (v->area != CC_AREA_IMAGE || !name)
        return false;
    cc_gate_named(in->source, name, &a);
    return !cc_gate_reaches(in, v, a, name) &&
           cc_gate_refuse(l,
                          cc_arena_printf(in->arena,
                                          "iterations overwrite %s at line %u, in a function that it calls: "
                                          "all threads would have the one (unless it is made thread_local)",
                                          name, v->second.line),
                          CC_REASON_WAW, name, v->second.line, v->second.line);
}

/* What an object leads to that holds where a variable is: the clause would make others, of which it knows
 * nothing. */
static bool held_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_judge_private *v)
{
    for (size_t i = 0; v->variable && v->area == CC_AREA_STACK && i < in->source->held.n; i++)
        if (strcmp(in->source->held.v[i], v->variable) == 0)
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations overwrite %s at line %u, by way of an object that "
                                "holds where it is: all threads would have the one",
                                v->variable, v->second.line),
                CC_REASON_WAW, v->variable, v->second.line, v->second.line);
    return false;
}

/* A copy for each thread holds nothing at first; and what iterations write and do not read is a result, of
 * which the last has to stay. */
static bool private_refused(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_array *a;
    for (size_t i = 0; i < in->privates.n; i++) {
        const char *name = in->privates.v[i].variable;
        if (maybe_refused(in, l, &in->privates.v[i]) || static_refused(in, l, &in->privates.v[i]) ||
            held_refused(in, l, &in->privates.v[i]))
            return true;
        unsigned line =
            cc_gate_own(in, &in->privates.v[i]) ? 0 : cc_gate_given_result(in, &in->privates.v[i]);
        if (line)
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations write the same elements at line %u, and the last has to "
                                "stay for what reads them after the loop",
                                line),
                CC_REASON_WAW, name, line, line);
        const struct cc_source_given *look =
            cc_gate_own(in, &in->privates.v[i]) ? NULL : cc_gate_given_looked(in, &in->privates.v[i]);
        if (look)
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations overwrite elements of %s, but line %u may read it before",
                                look->name, look->line),
                CC_REASON_WAR, look->name, look->line, in->privates.v[i].second.line);
        a = cc_gate_own(in, &in->privates.v[i]) ? NULL : array_of(in, &in->privates.v[i]);
        if (!a)
            continue;
        name = name ? name : a->name;
        if (a->exposed && !is_filled_by_call(in, l, a))
            return cc_gate_refuse(l,
                                  cc_arena_printf(in->arena,
                                                  "iterations overwrite %s, but line %u may read it before",
                                                  name, a->read_line),
                                  CC_REASON_WAR, name, a->read_line, a->write_line);
        if (a->result || cc_gate_is_left(in, l->file, a))
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations write the same elements of %s at line %u, and the last has to "
                                "stay for what reads them after the loop",
                                name, a->write_line),
                CC_REASON_WAW, name, a->write_line, a->write_line);
    }
    return false;
}

static bool is_private(const struct gate_input *in, const char *name)
{
    for (size_t i = 0; i < in->privates.n; i++)
        if (in->privates.v[i].variable && strcmp(in->privates.v[i].variable, name) == 0)
            return true;
    return false;
}

/* What has an address and is in memory was followed there; in a register nobody knows what became of it. */
static bool address_refused(const struct gate_input *in, struct cc_loop *l,
                            const struct cc_source_variable *v)
{
    struct cc_witness_query q = {.name = v->name, .members = in->members, .nmembers = in->nmembers};
    if (!cc_gate_is_passed(v) || is_private(in, v->name) || cc_witness_named(in->witness, &q))
        return false;
    return cc_gate_refuse(
        l,
        cc_arena_printf(
            in->arena,
            "independent in this binary, but it passes on where %s is, and the binary keeps that in "
            "a register",
            v->name),
        CC_REASON_REGISTER, v->name, v->read_line, v->write_line);
}

/* Of a function that was put into the loop. */
static bool is_elsewhere(const struct gate_input *in, struct cc_loop_place at)
{
    const struct cc_source_loop *s = in->source;
    return at.file && at.line &&
           (!cc_text_same_file(s->file, at.file) || at.line < s->line || at.line > s->last_line);
}

/* What goes on by the same in every iteration may be looked at: of a variable its class tells, of an element,
 * or where a pointer leads to it, nobody does; of what has no name, an object say that a called function
 * belongs to, the function does. */
static bool counted_refused(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; i < in->counted.n; i++) {
        const struct cc_loop_update *c = &in->counted.v[i];
        if (!c->variable && is_elsewhere(in, c->at))
            return cc_gate_refuse(
                l,
                "independent in this binary, but a function that it calls moves something on in "
                "every iteration",
                CC_REASON_CALL, NULL, l->line, l->line);
        if (c->variable && !cc_gate_is_scalar(in->source, c->variable) &&
            !cc_gate_is_range(in->source, c->variable) && !cc_gate_in_turn(in, c->variable))
            return cc_gate_refuse(
                l,
                cc_arena_printf(in->arena,
                                "line %u moves %s on in every iteration: compute it from the counter",
                                c->at.line, c->variable),
                CC_REASON_RAW, c->variable, c->at.line, c->at.line);
    }
    return false;
}

/* An element that every iteration writes is as a variable, which a compiler may keep in a register: unless
 * the run saw it written, by name or, through a pointer, by that line. */
static bool element_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    bool seen = false;
    for (size_t i = 0; i < in->privates.n; i++) {
        const struct cc_judge_private *v = &in->privates.v[i];
        bool line = !a->whole && v->first.line == a->fixed_line && v->second.line == a->fixed_line &&
                    v->first.file && cc_text_same_file(in->source->file, v->first.file);
        seen = seen || line || (a->name && v->variable && strcmp(a->name, v->variable) == 0);
    }
    if (!a->fixed_line || a->op || a->partly || a->record || seen)
        return false;
    return cc_gate_refuse(
        l,
        cc_arena_printf(
            in->arena,
            "independent in this binary, but every iteration writes the same element of %s at line %u",
            a->name ? a->name : "something", a->fixed_line),
        CC_REASON_WAW, a->name, a->fixed_line, a->fixed_line);
}

/* What is this input's luck: that something held in each iteration which need not, or where a compiler cuts
 * bit-fields. */
static bool luck_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    const char *name = a->name ? a->name : "something";
    if (a->unsure && !a->scratch && !a->apart)
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena,
                            "iterations did not need each other, but line %u need not set what line %u reads "
                            "of %s: an iteration may take it from the one before",
                            a->write_line, a->read_line, name),
            CC_REASON_RAW, a->name, a->read_line, a->write_line);
    return a->beside &&
           cc_gate_refuse(l,
                          cc_arena_printf(in->arena,
                                          "independent in this binary, but line %u sets a bit-field of %s, "
                                          "and one beside it may be another iteration's",
                                          a->write_line, name),
                          CC_REASON_WAW, a->name, a->write_line, a->write_line);
}

/* A record that is read beside a field that is written, or the other way round. */
static bool met_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    unsigned line = a->met_line ? cc_reads_unmet(in, l, a) : 0;
    return line && cc_gate_refuse(
                       l,
                       cc_arena_printf(in->arena,
                                       "independent in this binary, which has no load for what line %u reads "
                                       "of %s, and line %u may have written in another iteration",
                                       line, a->name ? a->name : "something", a->met_line),
                       CC_REASON_RAW, a->name, line, a->met_line);
}

/* A line whose stores are gone. Scratch that is read behind the loop may lie in registers: then the stores of
 * its line are others'. 0: there is none. */
static unsigned lost_line(const struct gate_input *in, const struct cc_loop *l,
                          const struct cc_source_array *a)
{
    unsigned line = cc_lines_lost(in, l, a);
    bool hidden = a->scratch && cc_witness_any(in->witness) && !cc_gate_overwrites(in, a);
    return line || !hidden ? line : a->write_line;
}

static bool array_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    const char *name = a->name ? a->name : "what it writes";
    if (luck_refused(in, l, a))
        return true;
    if (cc_gate_settles(in, a))
        return false;
    if (element_refused(in, l, a) || met_refused(in, l, a))
        return true;
    if (!a->write_line || a->alike || a->op || a->apart || (a->scratch && !a->lasts))
        return false;
    unsigned line = lost_line(in, l, a);
    if (line)
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena,
                            "independent in this binary, whose loop stores nothing for line %u: "
                            "what that writes of %s may be overwritten by another iteration",
                            line, name),
            CC_REASON_WAW, a->name, line, line);
    line = cc_lines_idle(in, l, a);
    if (line)
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena,
                            "iterations did not need each other, but line %u never wrote what it "
                            "may write of %s: an input that gets there may tell",
                            line, name),
            CC_REASON_WAW, a->name, line, line);
    line = a->scratch ? 0 : cc_reads_unread(in, l, a);
    if (line && !cc_lines_ran(in, l->file, line))
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena,
                            "iterations did not need each other, but line %u did not run, which "
                            "reads %s: an input that gets there may tell",
                            line, name),
            CC_REASON_RAW, a->name, line, a->write_line);
    if (line)
        return cc_gate_refuse(
            l,
            cc_arena_printf(
                in->arena,
                "independent in this binary, which has no load for what line %u reads of %s: line "
                "%u would need rewriting",
                line, name, line),
            CC_REASON_RAW, a->name, line, a->write_line);
    if (cc_lines_peeled(in, l))
        return cc_gate_refuse(
            l,
            cc_arena_printf(
                in->arena,
                "independent in this binary, but it runs some iterations outside the loop, and %s "
                "is accessed at line %u and written at line %u",
                name, a->read_line ? a->read_line : a->write_line, a->write_line),
            a->read_line ? CC_REASON_RAW : CC_REASON_WAW, a->name, a->read_line, a->write_line);
    return false;
}

/* What a function that was put into the loop keeps may have become a counter in a register. */
static bool state_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned line = 0;
    const char *name = NULL, *why = cc_inlined_refusal(in, &line, &name);
    why = why ? why : cc_shared_refusal(in, &line, &name);
    why = why ? why : cc_shared_set(in, &line, &name);
    why = why ? why : cc_peeks_refusal(in, &line, &name);
    why = why ? why : cc_gate_left_out(in, l, &line);
    why = why ? why : cc_library_refusal(in, &line);
    return why && cc_gate_refuse(l, why, CC_REASON_CALL, name, line, line);
}

static bool variable_refused(const struct gate_input *in, struct cc_loop *l,
                             const struct cc_source_variable *v)
{
    unsigned line = v->read_line ? v->read_line : v->write_line;
    if (cc_gate_choice(in, v->name) || cc_gate_in_turn(in, v->name) ||
        (in->walk && strcmp(in->walk, v->name) == 0))
        return false;
    if (v->class == CC_SOURCE_STEP)
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena,
                            "independent in this binary, but line %u moves %s on in every iteration: compute "
                            "it from the counter",
                            v->write_line, v->name),
            CC_REASON_REGISTER, v->name, v->read_line, v->write_line);
    if (v->class == CC_SOURCE_CARRIED)
        return cc_gate_refuse(
            l,
            cc_arena_printf(
                in->arena,
                "independent in this binary, but by the source an iteration may take %s (line %u) "
                "from the one before",
                v->name, line),
            CC_REASON_RAW, v->name, v->read_line, v->write_line);
    return false;
}

/* A few iterations in a row do not show what far ones have to do with each other. */
static bool far_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    if (!a->far || (a->op && a->name && !a->seen) || !a->write_line || (cc_far_whole(in) && !a->probes))
        return false;
    const char *why = a->probes
                          ? "iterations did not need each other, but where in %s line %u writes depends on "
                            "what is there already: another input may tell"
                          : "few of its iterations were followed, and which elements of %s line %u writes is "
                            "known of these alone (record --exact, or --loops-for its function)";
    return cc_gate_refuse(l, cc_arena_printf(in->arena, why, a->name ? a->name : "something", a->write_line),
                          CC_REASON_RAW, a->name, a->read_line, a->write_line);
}

/* A look between the load and the store of an update leaves no trace in the run. */
static bool seen_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    if (!a->seen || !a->write_line || !cc_gate_updated(l, a->name, a->write_line))
        return false;
    return cc_gate_refuse(
        l,
        cc_arena_printf(in->arena,
                        "iterations combine elements of %s at line %u, and line %u may look at one of them",
                        a->name ? a->name : "something", a->write_line, a->read_line),
        CC_REASON_RAW, a->name, a->read_line, a->write_line);
}

/* A load that is gone may be of what the iteration before wrote by another name. */
static bool alias_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    unsigned line = 0;
    const char *alias = cc_gate_alias(in, l, a, &line), *why = alias ? alias : cc_gate_meets(in, a, &line);
    return why && cc_gate_refuse(l, why, CC_REASON_RAW, a->name, line, l->line);
}

/* Iterations that run outside of the binary's loop leave no trace of what they have to do with those in it.
 * They are innermost loops', of which several are one in the binary. */
static bool outside_refused(const struct gate_input *in, struct cc_loop *l)
{
    bool writes = false;
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        writes = writes || (a->write_line && !a->scratch && !cc_lines_inner(in, a->write_line));
    }
    const struct cc_source_array *a =
        writes && cc_lines_peeled(in, l) ? cc_leads_together(in, in->source->file) : NULL;
    return a && cc_gate_refuse(
                    l,
                    cc_arena_printf(in->arena,
                                    "independent in this binary, but it runs some iterations outside the "
                                    "loop, and what line %u reads of %s may be what the loop writes",
                                    a->read_line, a->name ? a->name : "something"),
                    CC_REASON_RAW, a->name, a->read_line, l->line);
}

/* What a compiler makes of several iterations at once leaves no trace of what they have to do with each
 * other. What keeps its order, or is a copy's, may need that. */
static bool needed_refused(const struct gate_input *in, struct cc_loop *l)
{
    bool whole = !in->turns && !in->joins && !in->walk;
    const struct cc_source_array *a = whole ? cc_gate_needed(in) : NULL;
    return a &&
           cc_gate_refuse(l,
                          cc_arena_printf(in->arena,
                                          "independent in this binary, but by the source iterations meet at "
                                          "elements of %s, which line %u writes",
                                          a->name ? a->name : "something", a->write_line),
                          CC_REASON_RAW, a->name, a->read_line, a->write_line);
}

bool cc_gate_source_refuses(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    if (s->exit_line)
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena, "independent in this binary, but line %u may leave the loop early",
                            s->exit_line),
            CC_REASON_EXIT, NULL, s->exit_line, s->exit_line);
    const struct cc_loop_function *thrower = cc_shared_throws(in);
    if (thrower)
        return cc_gate_refuse(
            l,
            cc_arena_printf(in->arena,
                            "iterations did not need each other, but %s, which it calls, may throw, and what "
                            "is thrown is caught outside of the loop",
                            thrower->name),
            CC_REASON_EXIT, NULL, l->line, l->line);
    if (cc_shared_jumps(in))
        return cc_gate_refuse(l, "iterations did not need each other, but one may jump out of it (longjmp)",
                              CC_REASON_EXIT, NULL, l->line, l->line);
    if (s->trips && l->trips_max > s->trips + 1) /* what is said of its iterations is said of others' */
        return cc_gate_refuse(
            l,
            cc_arena_printf(
                in->arena,
                "the compiler made one loop of it and the one around it: it goes round %llu times "
                "there, and %u times by its head",
                (unsigned long long)l->trips_max, s->trips),
            CC_REASON_EXIT, NULL, l->line, l->line);
    if (s->alert_line)
        return cc_gate_refuse(l, "it accesses something volatile, in the order that is written",
                              CC_REASON_RAW, NULL, s->alert_line, s->alert_line);
    for (size_t i = 0; i < s->variables.n; i++)
        if (variable_refused(in, l, &s->variables.v[i]) || address_refused(in, l, &s->variables.v[i]))
            return true;
    if (counted_refused(in, l) || reduction_refused(in, l) || private_refused(in, l) ||
        state_refused(in, l) || update_refused(in, l) || given_refused(in, l))
        return true;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (!cc_gate_in_turn(in, s->arrays.v[i].name) &&
            (array_refused(in, l, &s->arrays.v[i]) || far_refused(in, l, &s->arrays.v[i]) ||
             seen_refused(in, l, &s->arrays.v[i]) || alias_refused(in, l, &s->arrays.v[i])))
            return true;
    return outside_refused(in, l) || needed_refused(in, l);
}
