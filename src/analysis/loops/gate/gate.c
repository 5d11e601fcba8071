#include "gate.h"
#include "bits.h"
#include "calls.h"
#include "clauses.h"
#include "far.h"
#include "input.h"
#include "lines.h"
#include "reads.h"
#include "names.h"
#include "proof.h"
#include "refuse.h"
#include "shared.h"
#include "../sentence.h"
#include "../unseen.h"
#include "../../../base/text.h"

bool cc_gate_has(const struct gate_input *in, uint32_t loop)
{
    for (; loop != CC_NONE; loop = in->p->loops[loop].outer)
        for (size_t i = 0; i < in->nmembers; i++)
            if (in->members[i] == loop)
                return true;
    return false;
}

bool cc_gate_calls(const struct cc_profile *p, uint32_t function, const struct cc_loop_function *g)
{
    for (size_t i = 0; i < p->ncontexts; i++) {
        uint32_t parent = p->contexts[i].parent;
        const struct cc_pfunction *f = &p->functions[p->contexts[i].function];
        if (parent != CC_NONE && p->contexts[parent].function == function &&
            cc_source_has_line(g, f->file, f->line))
            return true;
    }
    return false;
}

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

/* Registers have no names, and heap blocks only that of the line that allocated them. */
static void name_reasons(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; in->source && i < l->reasons.n; i++) {
        struct cc_loop_reason *r = &l->reasons.v[i];
        const struct cc_source_variable *v =
            r->kind == CC_REASON_REGISTER && !r->variable ? carried(in->source, r) : NULL;
        const struct cc_source_array *a = r->kind < CC_REASON_REGISTER && !r->variable && !v
                                              ? cc_gate_written(in->source, r->first.line)
                                              : NULL;
        if (v || a)
            r->variable = v ? v->name : a->name;
    }
}

/* --- what the source proves --- */

/* Whether another loop of the function is around it, which runs it several times. */
static bool is_inside(const struct gate_input *in)
{
    bool inside = false;
    for (size_t i = 0; i < in->sources->v.n && !inside; i++)
        inside = cc_loop_inside(in->source, &in->sources->v.v[i]) &&
                 strcmp(in->source->function, in->sources->v.v[i].function) == 0;
    return inside;
}

/* Whether iterations met in memory at an array of which the subscripts say that each has elements of its own:
 * a row goes on into the next. Where there are no rows, or no two iterations of one of the binary's loops
 * have met but only those of several, the loop around was unrolled as a whole: these have run one after the
 * other. */
static bool is_contradicted(const struct gate_input *in, const struct cc_loop *l)
{
    bool meets = false;
    for (size_t i = 0; in->source && i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        bool here = r->second.file && cc_text_same_file(in->source->file, r->second.file);
        const struct cc_source_array *a = here ? cc_gate_written(in->source, r->second.line) : NULL;
        meets = meets || (r->kind == CC_REASON_WAW && !r->frame && a && a->apart && !a->scratch && !a->flat &&
                          !(r->across && is_inside(in)));
    }
    return meets;
}

/* A place of the frame that bears the name of a pointer which the loop never sets is a register that was put
 * aside. */
static bool is_put_aside(const struct gate_input *in, const struct cc_loop_reason *r)
{
    bool pointer = false, other = !r->frame;
    for (size_t i = 0; i < in->source->arrays.n && !other; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        if (!a->name || !cc_loop_named(r->variable, a->name))
            continue;
        pointer = pointer || (a->still && !a->whole);
        other = a->whole || !a->still;
    }
    return pointer && !other && !strchr(r->variable, '/');
}

/* Whether the source overrules what the binary showed: values in registers, and jumps, are the compiler's;
 * not what met in memory, nor what was not recorded. */
static bool is_proved(const struct gate_input *in, const struct cc_loop *l)
{
    enum cc_proof proof = cc_gate_proof(in);
    bool followed = cc_profile_has_dependences(in->p) && !l->unseen;
    if (cc_gate_goes_over(in, l) || is_contradicted(in, l))
        return false;
    if (!followed || proof == CC_PROOF_NONE || proof == CC_PROOF_TIGHT)
        return followed && proof == CC_PROOF_TIGHT;
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        bool slot =
            r->kind < CC_REASON_REGISTER &&
            (r->variable ? cc_gate_is_register(in->source, r->variable) || is_put_aside(in, r) : r->frame);
        if (r->kind != CC_REASON_REGISTER && r->kind != CC_REASON_EXIT && !slot)
            return false;
    }
    return proof == CC_PROOF_WHOLE || (l->verdict != CC_VERDICT_UNKNOWN &&
                                       (cc_reads_all_there(in, l) || cc_gate_names_apart(in, l->file)));
}

static bool bits_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned line = 0;
    const char *why = cc_gate_bits(in, &line);
    return why && cc_gate_refuse(l, why, CC_REASON_WAW, NULL, line, line);
}

static bool calls_refused(const struct gate_input *in, struct cc_loop *l)
{
    const char *why = cc_loop_calls_sentence(l, in->sources);
    return why && cc_gate_refuse(l, why, CC_REASON_CALL, NULL, l->line, l->line);
}

static bool beside_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned line = 0;
    const char *name = NULL, *why = in->source ? cc_shared_beside(in, l, &line, &name) : NULL;
    if (!why)
        return false;
    l->private.n = l->firstprivate.n = l->lastprivate.n = l->reductions.n = 0;
    return cc_gate_refuse(l, why, CC_REASON_RAW, name, line, l->line);
}

/* Whether it sets what each thread has for itself anyway: no clause may name that. */
static bool sets_of_thread(const struct cc_source_loop *s)
{
    bool found = false;
    for (size_t i = 0; i < s->variables.n; i++)
        found = found || s->variables.v[i].of_thread;
    return found;
}

/* What is left to be asked where the binary has no reason against it. */
static void ask(const struct gate_input *in, struct cc_loop *l, bool proved)
{
    /* the head of a canonical loop tells how often it runs, wherever its bound is kept; one that counts and
     * asks for more may end where it did not in this run */
    bool asks = in->searches || (in->cold && in->source && in->source->counter);
    bool counts = in->source && (in->source->canonical || in->source->bounded);
    if (asks && !proved && !in->walk && !counts) {
        cc_gate_refuse(l, "iterations do not need each other, but the data they find decide when it ends",
                       CC_REASON_EXIT, NULL, l->line, l->line);
        l->reductions.n = 0;
        return;
    }
    if (in->source ? !proved && cc_gate_source_refuses(in, l) : calls_refused(in, l)) {
        l->reductions.n = 0;
        return;
    }
    bool all = cc_gate_clauses(in, l, proved);
    if (beside_refused(in, l))
        return;
    bool expressible = all && in->source && (in->source->begins || in->walk) && !sets_of_thread(in->source);
    l->verdict = cc_gate_freed(l);
    l->by_input = cc_gate_input(in, l, proved);
    l->sentence = cc_loop_free_sentence(in->arena, l, in->source);
    cc_gate_counter_left(in, l);
    l->directive = expressible ? cc_loop_pragma(in->arena, l) : NULL;
    l->pragma = l->by_input ? NULL : l->directive;
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
                return cc_gate_refuse(l, flags[k].why, flags[k].kind, NULL, l->line, l->line);
    return false;
}

/* What iterations that were not followed may do, of which those that were tell nothing. */
static bool sample_refused(const struct gate_input *in, struct cc_loop *l)
{
    unsigned write = 0, line = cc_far_meets(in, l->file, &write);
    if (line)
        return cc_gate_refuse(
            l,
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
            return cc_gate_refuse(
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
