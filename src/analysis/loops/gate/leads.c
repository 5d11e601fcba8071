/* A pointer that nothing in a loop sets leads into one object all the time. As many pointers as the loop
 * looks by, and as many objects that it loads from and does not write: then each leads to one of these,
 * whichever loads a compiler has left. */
#include "leads.h"
#include "lines.h"
#include "proof.h"

typedef CC_VEC(const char *) names;

static void add(names *v, const char *name)
{
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(v->v[i], name) == 0)
            return;
    CC_VEC_PUSH(v, name);
}

static bool has(const names *v, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < v->n; i++)
        found = found || strcmp(v->v[i], name) == 0;
    return found;
}

/* --- objects --- */

static bool is_name(const struct cc_source_array *a, const char *name)
{
    return a->name && name && strcmp(a->name, name) == 0;
}

/* Whether the line is one of these; of none, any is. */
static bool is_in(const struct gate_input *in, const struct cc_pdependence *d, const char *file,
                  const unsigned *lines)
{
    bool found = !lines;
    for (int k = 0; lines && k < CC_WITNESS_LINES && lines[k]; k++)
        found = found || d->first_line == lines[k];
    return found && cc_gate_has(in, d->loop) &&
           (!lines || (d->first_file && strcmp(d->first_file, file) == 0));
}

/* What the loop was seen to write in these lines (NULL: in any); false: some of it has no name. What a
 * compiler puts aside in the frame has none. */
static bool written_in(const struct gate_input *in, const char *file, const unsigned *lines, names *ret)
{
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        if (d->kind != CC_DEPENDENCE_WRITES || !is_in(in, d, file, lines))
            continue;
        if (!d->variable && d->area != CC_AREA_STACK)
            return false;
        if (d->variable)
            add(ret, d->variable);
    }
    return true;
}

/* Whether the variable may be the one of that name: symbols of a function's own static data have a number
 * behind it, or the function's name in front. */
static bool bears(const char *variable, const char *name)
{
    size_t n = strlen(name), size = strlen(variable);
    return cc_loop_named(variable, name) || (strncmp(variable, name, n) == 0 && variable[n] == '.') ||
           (size > n && variable[size - n - 1] == '.' && strcmp(variable + size - n, name) == 0);
}

/* Whether the function mentions it by its name: then no pointer need lead there. Not so of what has the name
 * of such a pointer. */
static bool is_mentioned(const struct cc_source_loop *s, const char *variable)
{
    bool found = false;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (!s->arrays.v[i].whole && s->arrays.v[i].still && is_name(&s->arrays.v[i], variable))
            return false;
    for (size_t i = 0; i < s->names.n && !found; i++)
        found = bears(variable, s->names.v[i]);
    return found;
}

/* Objects that code of the loop loads data from, and that it does not write: no frame's, of which a compiler
 * has its own, and none that the function knows by its name. */
static size_t only_read(const struct gate_input *in, const names *written)
{
    names found = {0};
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        if (d->kind == CC_DEPENDENCE_READS && d->variable && d->area != CC_AREA_STACK &&
            !has(written, d->variable) && !is_mentioned(in->source, d->variable) &&
            cc_lines_inside(in, d->second) && cc_witness_data(in->witness, d->second))
            add(&found, d->variable);
    }
    size_t n = found.n;
    CC_VEC_FINI(&found);
    return n;
}

/* --- names --- */

/* Adds the lines that write by the name, or by others; false: there are more, or a line does both. */
static bool lines_of(const struct cc_source_loop *s, const char *name, unsigned mine[CC_WITNESS_LINES],
                     unsigned others[CC_WITNESS_LINES])
{
    size_t n[2] = {0};
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *b = &s->arrays.v[i];
        bool own = is_name(b, name);
        for (int k = 0; k < CC_SOURCE_READS && b->writes[k]; k++) {
            if (n[own] + 1 >= CC_WITNESS_LINES)
                return false;
            (own ? mine : others)[n[own]++] = b->writes[k];
        }
        if (b->writes[CC_SOURCE_READS - 1])
            return false;
    }
    for (size_t i = 0; i < n[0]; i++)
        for (size_t k = 0; k < n[1]; k++)
            if (mine[k] == others[i])
                return false;
    return true;
}

/* Whether lines that write by this name alone were seen to do so, and write objects that no others do. */
static bool writes_own(const struct gate_input *in, const char *file, const char *name)
{
    unsigned mine[CC_WITNESS_LINES] = {0}, others[CC_WITNESS_LINES] = {0};
    names here = {0}, there = {0};
    bool own = lines_of(in->source, name, mine, others) && mine[0] && written_in(in, file, mine, &here) &&
               here.n && (!others[0] || (written_in(in, file, others, &there) && there.n));
    for (size_t i = 0; i < here.n; i++)
        own = own && !has(&there, here.v[i]);
    CC_VEC_FINI(&here);
    CC_VEC_FINI(&there);
    return own;
}

/* Names of pointers that the loop looks by, but for those that write objects of their own; false: some may
 * lead here and there. */
static bool pointers(const struct gate_input *in, const char *file, size_t *ret)
{
    const struct cc_source_loop *s = in->source;
    names looked = {0};
    bool told = true;
    for (size_t i = 0; i < s->arrays.n && told; i++) {
        const struct cc_source_array *b = &s->arrays.v[i];
        if (b->whole && !b->behind)
            continue;
        told = b->still && !b->behind && b->name;
        if (told && !writes_own(in, file, b->name))
            add(&looked, b->name);
    }
    *ret = looked.n;
    CC_VEC_FINI(&looked);
    return told;
}

/* Whether the loop does nothing but what its own lines say. */
static bool is_alone(const struct cc_source_loop *s)
{
    bool alone = s->plain;
    for (size_t i = 0; i < s->calls.n; i++)
        alone = alone && cc_gate_is_number(s->calls.v[i].symbol);
    return alone;
}

/* Whether some access was seen to be of that variable: then those that are get its name. */
static bool is_known(const struct gate_input *in, const char *name)
{
    bool known = false;
    for (size_t i = 0; i < in->p->ndependences && !known; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        known = (d->kind == CC_DEPENDENCE_READS || d->kind == CC_DEPENDENCE_WRITES) && d->variable &&
                bears(d->variable, name) && cc_gate_has(in, d->loop);
    }
    return known;
}

bool cc_leads_elsewhere(const struct gate_input *in, const char *file, const struct cc_source_array *a)
{
    names written = {0};
    size_t looked = 0;
    bool elsewhere = a->name && cc_witness_any(in->witness) && is_alone(in->source) &&
                     written_in(in, file, NULL, &written);
    if (elsewhere && a->whole && !a->behind) {
        elsewhere = is_known(in, a->name);
        for (size_t i = 0; i < written.n; i++)
            elsewhere = elsewhere && !bears(written.v[i], a->name);
    } else
        elsewhere = elsewhere && pointers(in, file, &looked) &&
                    (writes_own(in, file, a->name) || only_read(in, &written) >= looked);
    CC_VEC_FINI(&written);
    return elsewhere;
}

/* Whether the binary's loops are of one piece of code: of a function that was put into two others, or copied
 * for one caller, the pointers of each may be known to lead elsewhere. */
static bool is_one_piece(const struct gate_input *in)
{
    bool one = in->nmembers > 0;
    for (size_t i = 1; i < in->nmembers && one; i++) {
        const struct cc_ploop *a = &in->p->loops[in->members[0]], *b = &in->p->loops[in->members[i]];
        one = a->function == b->function &&
              (a->inlined && b->inlined ? strcmp(a->inlined, b->inlined) == 0 : a->inlined == b->inlined);
    }
    return one;
}

bool cc_leads_apart(const struct gate_input *in, const char *file, const struct cc_source_array *a)
{
    return is_one_piece(in) && cc_leads_elsewhere(in, file, a) &&
           (!a->write_line || (a->whole && !a->behind) || writes_own(in, file, a->name));
}

static bool is_pointed(const struct cc_source_array *a)
{
    return !a->whole || a->behind;
}

/* Whether what is read by its name is written by another. */
static bool is_written(const struct cc_source_array *a, const names *written)
{
    bool found = false;
    for (size_t i = 0; i < written->n; i++)
        found = found || !a->name || bears(written->v[i], a->name);
    return found;
}

const struct cc_source_array *cc_leads_together(const struct gate_input *in, const char *file)
{
    const struct cc_source_loop *s = in->source;
    const struct cc_source_array *found = NULL, *named = NULL;
    names written = {0};
    size_t pointers = 0, writers = 0;
    bool told = written_in(in, file, NULL, &written);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        writers += a->write_line && is_pointed(a);
        if (a->write_line || !a->read_line || a->constant)
            continue;
        pointers += is_pointed(a);
        found = found || !is_pointed(a) ? found : a;
        named = named || is_pointed(a) || !is_written(a, &written) ? named : a;
    }
    bool apart = told && only_read(in, &written) >= pointers;
    CC_VEC_FINI(&written);
    return found && !apart ? found : writers ? named : NULL;
}
