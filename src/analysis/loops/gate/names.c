/* What the loop calls that which the run shows to be overwritten. */
#include "names.h"
#include "../group.h"
#include "../../../base/text.h"

/* Each field of an array of structs is an array: one that is written says more. */
bool cc_gate_named(const struct cc_source_loop *s, const char *name, const struct cc_source_array **ret)
{
    *ret = NULL;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].name && strcmp(s->arrays.v[i].name, name) == 0 &&
            (!*ret || (!(*ret)->write_line && s->arrays.v[i].write_line)))
            *ret = &s->arrays.v[i];
    if (*ret)
        return true;
    for (size_t i = 0; i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, name) == 0)
            return true;
    return false;
}

static bool is_inside(const struct cc_source_loop *s, const char *name)
{
    for (size_t i = 0; i < s->inside.n; i++)
        if (strcmp(s->inside.v[i], name) == 0)
            return true;
    return false;
}

bool cc_gate_declared(const struct cc_source_loop *s, const char *name)
{
    bool outside = false;
    for (size_t i = 0; i < s->names.n; i++)
        outside = outside || strcmp(s->names.v[i], name) == 0;
    return !outside && is_inside(s, name);
}

static bool is_spared(const struct cc_source_loop *s, const char *name)
{
    for (size_t i = 0; i < s->spared.n; i++)
        if (strcmp(s->spared.v[i], name) == 0)
            return true;
    return false;
}

/* Of the variables that the compiler keeps in one place in turn ("a / b"), the one that the loop writes; the
 * others are of other code. */
const char *cc_gate_name_here(const struct gate_input *in, const struct cc_judge_private *v)
{
    const struct cc_source_array *a;
    const char *found = NULL;
    if (!v->variable || !in->source || v->area != CC_AREA_STACK || !strstr(v->variable, " / "))
        return v->variable;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(v->variable);
    for (char *one, *rest = copy; (one = cc_loop_next_name(&rest));) {
        if (is_inside(in->source, one) || !cc_gate_named(in->source, one, &a) ||
            (a && !a->write_line && !a->passed))
            continue;
        if (found)
            return v->variable;
        found = cc_arena_strdup(in->arena, one);
    }
    return found ? found : v->variable;
}

static bool is_known(const struct cc_source_loop *s, const char *name)
{
    const struct cc_source_array *a;
    bool known = is_inside(s, name) || cc_gate_named(s, name, &a);
    for (size_t i = 0; i < s->names.n; i++)
        known = known || strcmp(s->names.v[i], name) == 0;
    return known;
}

/* Whether the function was running twice at once: a place of its frame may then be another activation's. */
static bool calls_itself(const struct cc_profile *p, uint32_t function)
{
    for (size_t i = 0; i < p->ncontexts; i++) {
        uint32_t at = p->contexts[i].function == function ? p->contexts[i].parent : CC_NONE;
        for (; at != CC_NONE; at = p->contexts[at].parent)
            if (p->contexts[at].function == function)
                return true;
    }
    return false;
}

bool cc_gate_is_here(const struct gate_input *in, const struct cc_judge_private *v)
{
    bool here = v->here && !v->frame;
    for (size_t i = 0; i < in->nmembers && here; i++)
        here = !calls_itself(in->p, in->p->loops[in->members[i]].function);
    return here || v->frame;
}

/* Whether names that the loop's function does not have are those of functions that were put into the loop,
 * which have it anew each time. */
static bool has_called(const struct gate_input *in, const struct cc_judge_private *v)
{
    bool theirs = cc_gate_is_here(in, v) && !strstr(v->variable, "…");
    for (size_t i = 0; i < in->nmembers; i++) /* then names are those of whoever it was put into */
        theirs = theirs && !in->p->loops[in->members[i]].inlined;
    return theirs;
}

/* Whether one of the names of a place is declared in the loop: what lives longer than an iteration does not
 * lie where that does, so the others are gone when the iteration is over. */
static bool shares_place(const struct gate_input *in, const struct cc_judge_private *v)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(v->variable);
    bool inside = false;
    for (char *one, *rest = copy; (one = cc_loop_next_name(&rest));)
        inside = inside || is_inside(in->source, one);
    return inside && !strstr(v->variable, "…");
}

/* Whether each of the names of a place ("a / b") is declared in the loop, or one that nothing in it can
 * change (then the place is another's there, if it is of this frame or one of the names is the loop's), or
 * one of a called function. */
static bool all_own(const struct gate_input *in, const struct cc_judge_private *v)
{
    const struct cc_source_loop *s = in->source;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(v->variable);
    bool inside = false, spared = false, called = has_called(in, v) || shares_place(in, v);
    for (char *one, *rest = copy; (one = cc_loop_next_name(&rest));) {
        bool mine = is_inside(s, one);
        if (!mine && !is_spared(s, one) && !(called && !is_known(s, one)))
            return false;
        inside = inside || mine;
        spared = spared || !mine;
    }
    return !spared || inside || cc_gate_is_here(in, v);
}

bool cc_gate_own(const struct gate_input *in, const struct cc_judge_private *v)
{
    return in->source && v->area == CC_AREA_STACK && (!v->variable || all_own(in, v));
}

bool cc_gate_is_last(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->variables.n; i++)
        found = found || (s->variables.v[i].class == CC_SOURCE_ADDRESS_LAST &&
                          strcmp(s->variables.v[i].name, name) == 0);
    return found;
}

/* What bears the same name in another file, or in a function that is called, is another's, unless that gets
 * it from the loop. */
bool cc_gate_reaches(const struct gate_input *in, const struct cc_judge_private *v,
                     const struct cc_source_array *a, const char *name)
{
    const struct cc_source_loop *s = in->source;
    if (v->area != CC_AREA_IMAGE || (a && a->passed))
        return true;
    for (size_t i = 0; i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, name) == 0 && (s->variables.v[i].class == CC_SOURCE_ADDRESS ||
                                                          s->variables.v[i].class == CC_SOURCE_ADDRESS_LAST))
            return true;
    const struct cc_loop_place *at[] = {&v->first, &v->second};
    for (size_t i = 0; i < CC_COUNT(at); i++)
        if (!at[i]->file || (cc_text_same_file(s->file, at[i]->file) && at[i]->line >= s->line &&
                             at[i]->line <= s->last_line))
            return true;
    return false;
}

const struct cc_source_array *cc_gate_written(const struct cc_source_loop *s, unsigned line)
{
    const struct cc_source_array *found = NULL;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].name && s->arrays.v[i].write_line == line)
            found = found ? NULL : &s->arrays.v[i];
    return found;
}

bool cc_gate_updated(const struct cc_loop *l, const char *name, unsigned line)
{
    bool updated = false;
    for (size_t i = 0; i < l->updates.n; i++)
        updated = updated || l->updates.v[i].at.line == line ||
                  (name && l->updates.v[i].variable && cc_loop_named(l->updates.v[i].variable, name));
    return updated;
}

/* Whether it bears the name of another array of the loop. */
static bool is_other(const struct cc_source_loop *s, const char *variable, const struct cc_source_array *a)
{
    bool other = false;
    for (size_t i = 0; i < s->arrays.n && variable; i++) {
        const struct cc_source_array *b = &s->arrays.v[i];
        other = other ||
                (b->name && a->name && strcmp(a->name, b->name) != 0 && cc_loop_named(variable, b->name));
    }
    return other;
}

bool cc_gate_overwrites(const struct gate_input *in, const struct cc_source_array *a)
{
    for (size_t i = 0; i < in->privates.n; i++) {
        const struct cc_judge_private *v = &in->privates.v[i];
        if (a->name && v->variable && cc_loop_named(v->variable, a->name))
            return true;
        for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
            if (v->second.line == a->writes[k] && !is_other(in->source, v->variable, a))
                return true;
    }
    return false;
}
