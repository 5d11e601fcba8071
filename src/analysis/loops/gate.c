#include "gate.h"
#include "gate_bits.h"
#include "gate_calls.h"
#include "gate_far.h"
#include "gate_lines.h"
#include "gate_meets.h"
#include "gate_names.h"
#include "gate_proof.h"
#include "gate_store.h"
#include "inlined.h"
#include "sentence.h"
#include "shared.h"
#include "unseen.h"
#include "../../base/text.h"

/* --- names from the source --- */

static const struct cc_source_variable *carried(const struct cc_source_loop *s,
                                                const struct cc_loop_reason *r)
{
    for (size_t i = 0; i < s->variables.n; i++) {
        const struct cc_source_variable *v = &s->variables.v[i];
        bool changes = v->class == CC_SOURCE_CARRIED || v->class == CC_SOURCE_STEP;
        if (changes && (v->write_line == r->first.line || v->read_line == r->second.line))
            return v;
    }
    return NULL;
}

static const struct cc_source_array *written(const struct cc_source_loop *s, unsigned line)
{
    const struct cc_source_array *found = NULL;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].name && s->arrays.v[i].write_line == line)
            found = found ? NULL : &s->arrays.v[i];
    return found;
}

/* Registers have no names, and heap blocks only that of the line that allocated them. */
static void name_reasons(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; in->source && i < l->reasons.n; i++) {
        struct cc_loop_reason *r = &l->reasons.v[i];
        const struct cc_source_variable *v =
            r->kind == CC_REASON_REGISTER && !r->variable ? carried(in->source, r) : NULL;
        const struct cc_source_array *a =
            r->kind < CC_REASON_REGISTER && !r->variable && !v ? written(in->source, r->first.line) : NULL;
        if (v || a)
            r->variable = v ? v->name : a->name;
    }
}

/* --- what forbids a pragma --- */

static bool refuse(struct cc_loop *l, const char *sentence, enum cc_reason_kind kind, const char *variable,
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

/* What the binary only combines, the source may use in other ways as well, at places that do not meet in this
 * run. */
static bool reduction_refused(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_array *a;
    for (size_t i = 0; i < l->reductions.n; i++) {
        const char *name = l->reductions.v[i].variable;
        if (name && cc_gate_named(in->source, name, &a) && !combines(in->source, name)) {
            unsigned line = a ? a->write_line : l->line;
            return refuse(l,
                          cc_arena_printf(
                              in->arena,
                              "iterations combine elements of %s, but line %u uses it in another way as well",
                              name, line),
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
            return refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations combine elements of %s at line %u, but line %u uses it in "
                                "another way as well",
                                name, at->line, line),
                CC_REASON_RAW, name, line, at->line);
    }
    return false;
}

/* What a line writes by a call, and the binary's loop does not: it may do so once, when the loop is over.
 * What it reads so, and the loop does not, it may have got from the iteration before. */
static bool given_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned line = 0;
    const char *copied = cc_gate_copied(in, l, &line);
    copied = copied ? copied : cc_gate_store_lost(in, &line);
    copied = copied ? copied : cc_gate_given_fixed(in, &line);
    copied = copied ? copied : cc_gate_given_outside(in, l, &line);
    copied = copied ? copied : cc_gate_given_meets(in, l, &line);
    if (copied)
        return refuse(l, copied, CC_REASON_RAW, NULL, line, line);
    for (size_t i = 0; i < in->source->looks.n; i++) {
        const struct cc_source_given *g = &in->source->looks.v[i];
        if (!cc_lines_looked(in, l, g->line))
            return refuse(l,
                          cc_arena_printf(in->arena,
                                          "independent in this binary, which has no load for what line %u "
                                          "reads of %s: line %u would need rewriting",
                                          g->line, g->name, g->line),
                          CC_REASON_RAW, g->name, g->line, l->line);
    }
    for (size_t i = 0; i < in->source->given.n; i++) {
        const struct cc_source_given *g = &in->source->given.v[i];
        if (!cc_lines_stored(in, l, g->line))
            return refuse(l,
                          cc_arena_printf(in->arena,
                                          "independent in this binary, whose loop stores nothing for line %u",
                                          g->line),
                          CC_REASON_WAW, *g->name ? g->name : NULL, g->line, g->line);
    }
    return false;
}

/* Whether a place is at a name of the function that the loop is written in: not so of what was inlined, where
 * the caller's names are. */
static bool is_named_here(const struct gate_input *in, const struct cc_judge_private *v)
{
    bool here = v->frame && v->area == CC_AREA_STACK;
    for (size_t i = 0; i < in->nmembers; i++)
        here = here && !in->p->loops[in->members[i]].inlined;
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

/* Through a pointer the source has another name for it: by the line that writes it, then. */
static const struct cc_source_array *array_of(const struct gate_input *in, const struct cc_judge_private *v)
{
    const struct cc_source_array *a = NULL;
    if (array_named(in, v, &a))
        return a;
    const struct cc_loop_place *at[] = {&v->second, &v->first}; /* the first may be a read of it */
    for (size_t i = 0; !a && i < CC_COUNT(at); i++)
        a = at[i]->file && cc_loop_same_file(in->source->file, at[i]->file) ? written(in->source, at[i]->line)
                                                                            : NULL;
    /* compilers say of stores that they are the head's */
    for (size_t i = 0; !a && i < in->source->arrays.n; i++)
        if (v->second.line == in->source->line && v->area != CC_AREA_STACK &&
            in->source->arrays.v[i].write_line && !in->source->arrays.v[i].whole)
            a = &in->source->arrays.v[i];
    return a && !a->whole ? a : NULL;
}

static bool listed(const char *const *names, size_t n, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || strcmp(names[i], name) == 0;
    return found;
}

/* What a function gets the array for, the source does not tell: the run has shown that it was written before,
 * if all that reads it is there. */
static bool is_filled_by_call(const struct gate_input *in, const struct cc_loop *l,
                              const struct cc_source_array *a)
{
    return a->passed && a->whole && !a->write_line &&
           (!cc_lines_unread(in, l, a) || cc_gate_handed_first(in, a));
}

/* A copy for each thread holds nothing at first; and what iterations write and do not read is a result, of
 * which the last has to stay. */
static bool private_refused(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_array *a;
    for (size_t i = 0; i < in->privates.n; i++) {
        const char *name = in->privates.v[i].variable;
        unsigned line =
            cc_gate_own(in, &in->privates.v[i]) ? 0 : cc_gate_given_result(in, &in->privates.v[i]);
        if (line)
            return refuse(
                l,
                cc_arena_printf(in->arena,
                                "iterations write the same elements at line %u, and the last has to "
                                "stay for what reads them after the loop",
                                line),
                CC_REASON_WAW, name, line, line);
        const struct cc_source_given *look =
            cc_gate_own(in, &in->privates.v[i]) ? NULL : cc_gate_given_looked(in, &in->privates.v[i]);
        if (look)
            return refuse(
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
            return refuse(l,
                          cc_arena_printf(in->arena,
                                          "iterations overwrite %s, but line %u may read it before", name,
                                          a->read_line),
                          CC_REASON_WAR, name, a->read_line, a->write_line);
        if (a->result || cc_gate_is_left(in, l->file, a))
            return refuse(
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
    return refuse(
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
           (!cc_loop_same_file(s->file, at.file) || at.line < s->line || at.line > s->last_line);
}

/* What goes on by the same in every iteration may be looked at: of a variable its class tells, of an element,
 * or where a pointer leads to it, nobody does; of what has no name, an object say that a called function
 * belongs to, the function does. */
static bool counted_refused(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; i < in->counted.n; i++) {
        const struct cc_loop_update *c = &in->counted.v[i];
        if (!c->variable && is_elsewhere(in, c->at))
            return refuse(l,
                          "independent in this binary, but a function that it calls moves something on in "
                          "every iteration",
                          CC_REASON_CALL, NULL, l->line, l->line);
        if (c->variable && !cc_gate_is_scalar(in->source, c->variable) && !cc_gate_in_turn(in, c->variable))
            return refuse(
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
                    v->first.file && cc_loop_same_file(in->source->file, v->first.file);
        seen = seen || line || (a->name && v->variable && strcmp(a->name, v->variable) == 0);
    }
    if (!a->fixed_line || a->op || a->partly || a->record || seen)
        return false;
    return refuse(
        l,
        cc_arena_printf(
            in->arena,
            "independent in this binary, but every iteration writes the same element of %s at line %u",
            a->name ? a->name : "something", a->fixed_line),
        CC_REASON_WAW, a->name, a->fixed_line, a->fixed_line);
}

static bool array_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    const char *name = a->name ? a->name : "what it writes";
    if (cc_gate_settles(in, a))
        return false;
    if (element_refused(in, l, a))
        return true;
    if (!a->write_line || a->alike || a->op || a->apart || (a->scratch && !a->lasts))
        return false;
    unsigned line = cc_lines_lost(in, l, a);
    if (line)
        return refuse(l,
                      cc_arena_printf(in->arena,
                                      "independent in this binary, whose loop stores nothing for line %u: "
                                      "what that writes of %s may be overwritten by another iteration",
                                      line, name),
                      CC_REASON_WAW, a->name, line, line);
    line = cc_lines_idle(in, l, a);
    if (line)
        return refuse(l,
                      cc_arena_printf(in->arena,
                                      "iterations did not need each other, but line %u never wrote what it "
                                      "may write of %s: an input that gets there may tell",
                                      line, name),
                      CC_REASON_WAW, a->name, line, line);
    line = a->scratch ? 0 : cc_lines_unread(in, l, a);
    if (line && !cc_lines_ran(in, l->file, line))
        return refuse(l,
                      cc_arena_printf(in->arena,
                                      "iterations did not need each other, but line %u did not run, which "
                                      "reads %s: an input that gets there may tell",
                                      line, name),
                      CC_REASON_RAW, a->name, line, a->write_line);
    if (line)
        return refuse(l,
                      cc_arena_printf(
                          in->arena,
                          "independent in this binary, which has no load for what line %u reads of %s: line "
                          "%u would need rewriting",
                          line, name, line),
                      CC_REASON_RAW, a->name, line, a->write_line);
    if (cc_lines_peeled(in, l))
        return refuse(l,
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
    why = why ? why : cc_gate_left_out(in, l, &line);
    return why && refuse(l, why, CC_REASON_CALL, name, line, line);
}

static bool variable_refused(const struct gate_input *in, struct cc_loop *l,
                             const struct cc_source_variable *v)
{
    unsigned line = v->read_line ? v->read_line : v->write_line;
    if (cc_gate_choice(in, v->name) || cc_gate_in_turn(in, v->name) ||
        (in->walk && strcmp(in->walk, v->name) == 0))
        return false;
    if (v->class == CC_SOURCE_STEP)
        return refuse(
            l,
            cc_arena_printf(in->arena,
                            "independent in this binary, but line %u moves %s on in every iteration: compute "
                            "it from the counter",
                            v->write_line, v->name),
            CC_REASON_REGISTER, v->name, v->read_line, v->write_line);
    if (v->class == CC_SOURCE_CARRIED)
        return refuse(l,
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
    if (!a->far || (a->op && a->name) || !a->write_line || (cc_far_whole(in) && !a->probes))
        return false;
    const char *why = a->probes
                          ? "iterations did not need each other, but where in %s line %u writes depends on "
                            "what is there already: another input may tell"
                          : "few of its iterations were followed, and which elements of %s line %u writes is "
                            "known of these alone (record --exact, or --loops-for its function)";
    return refuse(l, cc_arena_printf(in->arena, why, a->name ? a->name : "something", a->write_line),
                  CC_REASON_RAW, a->name, a->read_line, a->write_line);
}

/* A look between the load and the store of an update leaves no trace in the run. */
static bool seen_refused(const struct gate_input *in, struct cc_loop *l, const struct cc_source_array *a)
{
    bool combined = false;
    for (size_t i = 0; i < l->updates.n; i++)
        combined = combined || l->updates.v[i].at.line == a->write_line ||
                   (a->name && l->updates.v[i].variable && cc_loop_named(l->updates.v[i].variable, a->name));
    if (!a->seen || !a->write_line || !combined)
        return false;
    return refuse(
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
    return why && refuse(l, why, CC_REASON_RAW, a->name, line, l->line);
}

static bool source_refuses(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    if (s->exit_line)
        return refuse(l,
                      cc_arena_printf(in->arena,
                                      "independent in this binary, but line %u may leave the loop early",
                                      s->exit_line),
                      CC_REASON_EXIT, NULL, s->exit_line, s->exit_line);
    if (s->alert_line)
        return refuse(l, "it accesses something volatile, in the order that is written", CC_REASON_RAW, NULL,
                      s->alert_line, s->alert_line);
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
    return false;
}

/* --- clauses --- */

/* What one line combines with a value, and the binary keeps in a register on the way. */
static bool is_combined(const struct gate_input *in, const struct cc_judge_private *v)
{
    for (size_t i = 0; in->source && i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        if (a->op && a->fixed_line && a->write_line == v->first.line && a->write_line == v->second.line)
            return true;
    }
    return false;
}

/* The loop's counter, and variables that the compiler keeps in one place in turn: each has a clause of its
 * own, or needs none. */
static bool needs_no_clause(const struct gate_input *in, const struct cc_judge_private *v)
{
    const struct cc_source_loop *s = in->source;
    if (!s || v->area != CC_AREA_STACK || !v->variable)
        return false;
    return (s->counter && strcmp(v->variable, s->counter) == 0) ||
           (strstr(v->variable, " / ") && cc_gate_is_scalar(s, v->variable));
}

/* What iterations overwrite in memory. Whether all of it has a place in a clause: what a pointer points to
 * has none, nor what only functions that are called know by name. */
static bool overwritten(const struct gate_input *in, struct cc_loop *l)
{
    bool all = true;
    for (size_t i = 0; i < in->privates.n; i++) {
        const struct cc_judge_private *v = &in->privates.v[i];
        const char *settled = cc_gate_given_settled(in, v), *own_name = cc_gate_name_here(in, v),
                   *name = settled    ? settled
                           : own_name ? own_name
                                      : "memory without a name";
        const struct cc_source_array *a = NULL;
        bool known =
            listed(l->private.v, l->private.n, name) || listed(l->lastprivate.v, l->lastprivate.n, name);
        if (known || cc_gate_own(in, v) || is_combined(in, v) || needs_no_clause(in, v))
            continue;
        bool here = own_name && in->source && cc_gate_named(in->source, own_name, &a) &&
                    cc_gate_reaches(in, v, a, own_name);
        if (settled || (here && a && (a->lasts || a->exposed))) { /* what the last one leaves has to stay, and
                                                        what none has written */
            CC_VEC_PUSH(&l->firstprivate, name);
            CC_VEC_PUSH(&l->lastprivate, name);
        } else if (here && !a && cc_gate_is_last(in->source, name)) {
            CC_VEC_PUSH(&l->lastprivate, name);
        } else {
            CC_VEC_PUSH(&l->private, name);
        }
        all = all && here && !settled && (!a || a->whole);
    }
    return all;
}

static void scalars(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; i < in->source->variables.n; i++) {
        const struct cc_source_variable *v = &in->source->variables.v[i];
        if (cc_gate_choice(in, v->name))
            continue;
        if (v->class == CC_SOURCE_PRIVATE)
            CC_VEC_PUSH(&l->private, v->name);
        else if (v->class == CC_SOURCE_LAST)
            CC_VEC_PUSH(&l->lastprivate, v->name);
    }
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        if (a->record && a->write_line && !listed(l->private.v, l->private.n, a->name))
            CC_VEC_PUSH(&l->private, a->name);
        else if (cc_gate_settles(in, a) && a->name && !listed(l->lastprivate.v, l->lastprivate.n, a->name)) {
            CC_VEC_PUSH(&l->firstprivate, a->name);
            CC_VEC_PUSH(&l->lastprivate, a->name);
        }
    }
}

static void add_reduction(struct cc_loop *l, const char *op, const char *name)
{
    for (size_t i = 0; i < l->reductions.n; i++)
        if (l->reductions.v[i].variable && strcmp(l->reductions.v[i].variable, name) == 0) {
            l->reductions.v[i].op = op;
            return;
        }
    CC_VEC_PUSH(&l->reductions, ((struct cc_loop_reduction){op, name}));
}

/* The source has the names of what is in registers. Whether all can be written as clauses. */
static bool reductions(const struct gate_input *in, struct cc_loop *l)
{
    size_t kept = 0, seen = l->reductions.n;
    const struct cc_source_array *a;
    bool all = true;
    for (size_t i = 0; i < seen; i++)
        if (l->reductions.v[i].variable)
            l->reductions.v[kept++] = l->reductions.v[i];
    l->reductions.n = kept;
    for (size_t i = 0; i < in->source->variables.n; i++)
        if (in->source->variables.v[i].class == CC_SOURCE_REDUCTION)
            add_reduction(l, in->source->variables.v[i].op, in->source->variables.v[i].name);
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *x = &in->source->arrays.v[i];
        if (x->op && x->name && (x->fixed_line || (x->far && !cc_far_whole(in)) || (x->halves && !x->apart)))
            add_reduction(l, x->op, x->name);
    }
    /* what is in a function it calls, or behind a pointer, has no clause */
    for (size_t i = 0; i < l->reductions.n; i++) {
        bool here = cc_gate_named(in->source, l->reductions.v[i].variable, &a);
        all = all && here && (!a || a->whole);
    }
    return all && (l->reductions.n || !seen);
}

/* --- what the source proves --- */

/* Whether the source overrules what the binary showed: values in registers, and jumps, are the compiler's;
 * not what met in memory, nor what was not recorded. */
static bool is_proved(const struct gate_input *in, const struct cc_loop *l)
{
    enum cc_proof proof = cc_gate_proof(in);
    bool followed = cc_profile_has_dependences(in->p) && !l->unseen;
    if (cc_gate_goes_over(in, l))
        return false;
    if (!followed || proof == CC_PROOF_NONE || proof == CC_PROOF_TIGHT)
        return followed && proof == CC_PROOF_TIGHT;
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        bool slot = r->kind < CC_REASON_REGISTER &&
                    (r->variable ? cc_gate_is_register(in->source, r->variable) : r->frame);
        if (r->kind != CC_REASON_REGISTER && r->kind != CC_REASON_EXIT && !slot)
            return false;
    }
    return proof == CC_PROOF_WHOLE || (l->verdict != CC_VERDICT_UNKNOWN && cc_lines_all_there(in, l));
}

/* Clauses from the source alone. Whether all can be written. */
static bool proved_clauses(const struct gate_input *in, struct cc_loop *l)
{
    bool all = true;
    l->reductions.n = 0;
    all = reductions(in, l);
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        bool settled = a->settles && a->name && listed(l->lastprivate.v, l->lastprivate.n, a->name);
        bool shared = a->write_line && !a->apart && !a->alike && !settled;
        all = all && (!settled || a->whole);
        const char *op = shared ? cc_gate_combined(a) : NULL;
        if (op)
            add_reduction(l, op, a->name ? a->name : "something");
        else if (shared)
            CC_VEC_PUSH(&l->private, a->name ? a->name : "something");
        all = all && (!shared || (a->whole && !a->partly));
    }
    return all;
}

static enum cc_verdict freed(const struct cc_loop *l)
{
    return l->reductions.n                   ? CC_VERDICT_REDUCTION
           : l->private.n + l->lastprivate.n ? CC_VERDICT_PRIVATE
                                             : CC_VERDICT_PARALLEL;
}

static bool bits_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned line = 0;
    const char *why = cc_gate_bits(in, &line);
    return why && refuse(l, why, CC_REASON_WAW, NULL, line, line);
}

static bool calls_refused(const struct gate_input *in, struct cc_loop *l)
{
    const char *why = cc_loop_calls_sentence(l, in->sources);
    return why && refuse(l, why, CC_REASON_CALL, NULL, l->line, l->line);
}

/* What is left to be asked where the binary has no reason against it. */
static void ask(const struct gate_input *in, struct cc_loop *l, bool proved)
{
    /* the head of a canonical loop tells how often it runs, wherever its bound is kept; one that counts and
     * asks for more may end where it did not in this run */
    bool asks = in->searches || (in->cold && in->source && in->source->counter);
    bool counts = in->source && (in->source->canonical || in->source->bounded);
    if (asks && !proved && !in->walk && !counts) {
        refuse(l, "iterations do not need each other, but the data they find decide when it ends",
               CC_REASON_EXIT, NULL, l->line, l->line);
        l->reductions.n = 0;
        return;
    }
    if (in->source ? !proved && source_refuses(in, l) : calls_refused(in, l)) {
        l->reductions.n = 0;
        return;
    }
    bool expressible = in->source && (in->source->canonical || in->walk);
    if (in->source)
        scalars(in, l);
    if (proved)
        expressible = proved_clauses(in, l) && expressible;
    else if (in->source)
        expressible = reductions(in, l) && expressible;
    if (!proved)
        expressible = overwritten(in, l) && expressible;
    l->verdict = freed(l);
    l->pragma = expressible ? cc_loop_pragma(in->arena, l) : NULL;
    l->sentence = cc_loop_free_sentence(in->arena, l, in->source);
}

static bool flag_refused(const struct gate_input *in, struct cc_loop *l, bool proved)
{
    static const struct {
        uint32_t flag;
        enum cc_reason_kind kind;
        bool overruled; /* by a proof */
        const char *why;
    } flags[] = {
        {CC_LOOP_THROWN, CC_REASON_EXIT, false,
         "iterations did not need each other, but a function that one called has left the loop early (an "
         "exception, or longjmp)"},
        {CC_LOOP_LATE, CC_REASON_RAW, true,
         "some of the code in it only ran while dependences were not followed "
         "(record --exact, or --loops-for its function)"},
        {CC_LOOP_STRANGE, CC_REASON_RAW, true,
         "an invocation that was not followed chose otherwise than others what it accesses "
         "(record --exact, or --loops-for its function)"},
        {CC_LOOP_TWICE, CC_REASON_RAW, false,
         "some file, or shared memory, lies at two addresses of the program"},
    };
    for (size_t k = 0; k < CC_COUNT(flags); k++)
        for (size_t i = 0; i < in->nmembers && !(proved && flags[k].overruled); i++)
            if (in->p->loops[in->members[i]].flags & flags[k].flag)
                return refuse(l, flags[k].why, flags[k].kind, NULL, l->line, l->line);
    return false;
}

/* What iterations that were not followed may do, of which those that were tell nothing. */
static bool sample_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned write = 0, line = cc_far_meets(in, l->file, &write);
    if (line)
        return refuse(l,
                      cc_arena_printf(in->arena,
                                      "few of its iterations were followed, and later ones may get to where "
                                      "line %u leads by another name than line %u (record --exact, or "
                                      "--loops-for its function)",
                                      line, write),
                      CC_REASON_RAW, NULL, line, write);
    for (size_t i = 0; in->source && i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        const char *why = cc_far_rows(in, a);
        if (why)
            return refuse(
                l,
                cc_arena_printf(in->arena,
                                "few of its iterations were followed, and which elements of %s line %u "
                                "writes is known of these alone: %s (record --exact, or --loops-for its "
                                "function)",
                                a->name ? a->name : "something", a->write_line, why),
                CC_REASON_RAW, a->name, a->read_line, a->write_line);
    }
    return false;
}

void cc_gate_ask(const struct gate_input *in, struct cc_loop *l)
{
    ask(in, l, false);
}

void cc_loop_gate(const struct gate_input *in, struct cc_loop *l)
{
    l->sourced = in->source != NULL;
    l->unseen = cc_unseen(in->p);
    name_reasons(in, l);
    cc_gate_combine(in, l);
    bool proved = is_proved(in, l);
    bool agrees = proved && !l->reasons.n && l->verdict != CC_VERDICT_UNKNOWN;
    l->reasons.n = proved ? 0 : l->reasons.n;
    if (l->verdict == CC_VERDICT_UNKNOWN && !proved) {
        l->sentence = in->unknown;
        l->reductions.n = 0;
        return;
    }
    if (!cc_gate_called(in, l)) {
        cc_gate_join(in, l);
        cc_gate_turns(in, l);
        cc_gate_walk(in, l);
    }
    if (l->reasons.n) {
        l->sentence = cc_loop_reason_sentence(in->arena, l, in->source, in->sources);
        l->reductions.n = 0;
        return;
    }
    if (flag_refused(in, l, proved) || sample_refused(in, l) || bits_refused(in, l)) {
        l->reductions.n = 0;
        return;
    }
    struct cc_loop *shown = agrees ? cc_gate_shown(in, l) : NULL;
    ask(in, l, proved);
    cc_gate_prefer(l, shown);
}
