#include "clauses.h"
#include "calls.h"
#include "far.h"
#include "names.h"
#include "proof.h"

static bool listed(const char *const *names, size_t n, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || strcmp(names[i], name) == 0;
    return found;
}

/* Each field of a record is told by itself, and the name of the record has one clause. */
bool cc_gate_has_clause(const struct cc_loop *l, const char *name)
{
    return listed(l->private.v, l->private.n, name) || listed(l->lastprivate.v, l->lastprivate.n, name);
}

static void add_private(struct cc_loop *l, const char *name)
{
    if (!cc_gate_has_clause(l, name))
        CC_VEC_PUSH(&l->private, name);
}

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

static bool is_sum(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->variables.n; i++)
        found = found ||
                (s->variables.v[i].class == CC_SOURCE_REDUCTION && strcmp(s->variables.v[i].name, name) == 0);
    return found;
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
        if (own_name && v->area == CC_AREA_STACK && in->source && is_sum(in->source, own_name))
            continue; /* where a register that combines is put aside, for who catches an exception say */
        if (cc_gate_has_clause(l, name) || cc_gate_own(in, v) || is_combined(in, v) || needs_no_clause(in, v))
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
        /* scratch may lie in registers as a whole, where the run has shown none of it */
        bool scratch = a->scratch && a->whole && a->name && !a->lasts && !a->apart && !a->alike && !a->op;
        if ((a->record || scratch) && a->write_line)
            add_private(l, a->name);
        else if (cc_gate_settles(in, a) && a->name && !cc_gate_has_clause(l, a->name)) {
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

/* Whether the loop sets the pointer itself: then no clause can name what it leads to, which the run has told.
 */
static bool is_set(const struct cc_source_loop *s, const char *name)
{
    bool set = false;
    for (size_t i = 0; i < s->variables.n && name; i++)
        set = set || strcmp(s->variables.v[i].name, name) == 0;
    return set;
}

/* What iterations declare themselves is nothing that they combine, though they all set it to the same. */
static void leave_out_own(const struct gate_input *in, struct cc_loop *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->reductions.n; i++)
        if (!l->reductions.v[i].variable || !cc_gate_declared(in->source, l->reductions.v[i].variable))
            l->reductions.v[kept++] = l->reductions.v[i];
    l->reductions.n = kept;
}

/* The source has the names of what is in registers. Whether all can be written as clauses. */
static bool reductions(const struct gate_input *in, struct cc_loop *l)
{
    leave_out_own(in, l);
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
        bool far = x->far && !x->seen && !(is_set(in->source, x->name) && cc_far_whole(in));
        if (x->op && x->name && (x->fixed_line || far || (x->halves && !x->apart)))
            add_reduction(l, x->op, x->name);
    }
    /* what is in a function it calls, behind a pointer or in a struct has no clause */
    for (size_t i = 0; i < l->reductions.n; i++) {
        bool here = cc_gate_named(in->source, l->reductions.v[i].variable, &a);
        all = all && here && (!a || (a->whole && !a->behind && !a->member));
    }
    if (l->reductions.n || !seen)
        return all;
    /* the source does not say what is combined (by an operator that depends on a type), but something is */
    l->reductions.n = seen;
    return false;
}

/* Clauses from the source alone. Whether all can be written. */
static bool proved(const struct gate_input *in, struct cc_loop *l)
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
            add_private(l, a->name ? a->name : "something");
        all = all && (!shared || (a->whole && !a->partly && !(op && (a->behind || a->member))));
    }
    return all;
}

/* Scratch behind a pointer that lies in registers as a whole, where the run has shown none of it. Whether
 * there is none, as it has no clause. */
static bool hidden(const struct gate_input *in, struct cc_loop *l)
{
    bool none = true;
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        if (!a->scratch || a->whole || !a->write_line || a->apart || a->op || !a->name ||
            cc_gate_overwrites(in, a))
            continue;
        add_private(l, a->name);
        none = false;
    }
    return none;
}

bool cc_gate_clauses(const struct gate_input *in, struct cc_loop *l, bool by_source)
{
    if (in->source)
        scalars(in, l);
    if (by_source)
        return proved(in, l);
    bool combined = !in->source || reductions(in, l);
    bool told = overwritten(in, l);
    return (!in->source || hidden(in, l)) && told && combined;
}

void cc_gate_counter_left(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; in->source && i < in->source->variables.n; i++) {
        const struct cc_source_variable *v = &in->source->variables.v[i];
        if (v->class == CC_SOURCE_COUNTER && v->lasts && !cc_gate_has_clause(l, v->name))
            CC_VEC_PUSH(&l->lastprivate, v->name);
    }
}

enum cc_verdict cc_gate_freed(const struct cc_loop *l)
{
    return l->reductions.n                   ? CC_VERDICT_REDUCTION
           : l->private.n + l->lastprivate.n ? CC_VERDICT_PRIVATE
                                             : CC_VERDICT_PARALLEL;
}
