#include "meets.h"
#include "lines.h"

static const char *halved(const struct gate_input *in, unsigned line, const char *name)
{
    return cc_arena_printf(in->arena,
                           "independent in this binary, but several iterations write the same element of %s "
                           "at line %u, and a compiler may make one of these",
                           name && *name ? name : "something", line);
}

static bool is_inside(const struct cc_profile *p, uint32_t inner, uint32_t outer)
{
    while (inner != CC_NONE && inner != outer)
        inner = p->loops[inner].outer;
    return inner == outer;
}

/* Whether two of the binary's loops are of this one, and not of one line: those that follow each other were
 * only taken for one, and what goes from one to the other followed, where their line is the same. */
static bool is_parted(const struct gate_input *in)
{
    const struct cc_profile *p = in->p;
    for (size_t i = 0; i < in->nmembers; i++)
        for (size_t k = 0; k < i; k++) {
            uint32_t a = in->members[i], b = in->members[k];
            if (p->loops[a].iterations && p->loops[b].iterations && p->loops[a].line != p->loops[b].line &&
                !is_inside(p, a, b) && !is_inside(p, b, a))
                return true;
        }
    return false;
}

static const char *parted(const struct gate_input *in, unsigned line, const char *name)
{
    return cc_arena_printf(in->arena,
                           "independent in this binary, which has several loops for it: what one of "
                           "them leaves to the next of %s, which line %u writes, was not followed",
                           name && *name ? name : "something", line);
}

const char *cc_gate_meets(const struct gate_input *in, const struct cc_source_array *a, unsigned *ret_line)
{
    *ret_line = a->write_line;
    if (!a->write_line || a->apart || a->op || a->settles || (a->scratch && !a->lasts) || cc_lines_plain(in))
        return NULL;
    if (a->halves)
        return halved(in, a->write_line, a->name);
    return !a->alike && is_parted(in) ? parted(in, a->write_line, a->name) : NULL;
}

/* Whether some other access of the loop may be at the container that one assigns to. */
static bool is_met(const struct cc_source_loop *s, size_t which)
{
    const struct cc_source_given *g = &s->given.v[which];
    bool met = false;
    for (size_t i = 0; i < s->given.n; i++)
        met = met || (i != which && strcmp(s->given.v[i].name, g->name) == 0 && !s->given.v[i].apart);
    for (size_t i = 0; i < s->looks.n; i++)
        met = met || strcmp(s->looks.v[i].name, g->name) == 0;
    return met;
}

const char *cc_gate_given_meets(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line)
{
    for (size_t i = 0; i < in->source->given.n && !cc_lines_plain(in); i++) {
        const struct cc_source_given *g = &in->source->given.v[i];
        bool free = g->apart || (g->op && l->reductions.n);
        *ret_line = g->line;
        if (g->halves && !free)
            return halved(in, g->line, g->name);
        if (!free && !g->settles && is_met(in->source, i) && is_parted(in))
            return parted(in, g->line, g->name);
    }
    return NULL;
}

/* Whether an iteration of the binary is one of the source, as far as what is read before the line tells. */
static bool is_single(const struct gate_input *in, const char *file, unsigned line)
{
    const struct cc_source_loop *s = in->source;
    struct cc_witness_query q = {
        .file = file, .members = in->members, .nmembers = in->nmembers, .constants = true};
    size_t ran = 0, same = 0;
    for (size_t i = 0; i < in->nmembers; i++)
        ran += in->p->loops[in->members[i]].iterations > 0;
    for (size_t i = 0; ran == 1 && i < s->accesses.n; i++) {
        const struct cc_source_accesses *x = &s->accesses.v[i];
        q.line = x->line;
        size_t loads = x->write || cc_lines_inner(in, x->line) ? 0 : cc_witness_loads(in->witness, &q);
        if (x->line < line && loads > x->count)
            return false;
        same += x->line < line && loads == x->count;
    }
    return same > 0;
}

/* Whether something decides if a write of the array happens. */
static bool is_chosen(const struct cc_source_loop *s, const struct cc_source_array *a)
{
    bool chosen = false;
    for (size_t i = 0; i < s->accesses.n; i++)
        for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
            chosen = chosen || (s->accesses.v[i].write && s->accesses.v[i].maybe &&
                                s->accesses.v[i].line == a->writes[k]);
    return chosen;
}

bool cc_gate_is_left(const struct gate_input *in, const char *file, const struct cc_source_array *a)
{
    const struct cc_source_loop *s = in->source;
    bool maybe = false;
    if (a->scratch && a->lasts && !a->settles && !a->op && is_chosen(s, a))
        return true;
    for (size_t i = 0; i < s->accesses.n; i++)
        maybe = maybe ||
                (s->accesses.v[i].write && s->accesses.v[i].maybe && s->accesses.v[i].line == a->fixed_line);
    return maybe && a->chosen && a->lasts && !a->op && !cc_lines_plain(in) &&
           !is_single(in, file, a->fixed_line);
}
