/* What the loop calls that which the run shows to be overwritten. */
#include "gate_names.h"
#include "group.h"

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
        if (!at[i]->file || (cc_loop_same_file(s->file, at[i]->file) && at[i]->line >= s->line &&
                             at[i]->line <= s->last_line))
            return true;
    return false;
}
