#include "copies.h"
#include "lines.h"

static bool is_first(const struct cc_profile *p, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (p->dependences[i].kind == CC_DEPENDENCE_WRITES &&
            p->dependences[i].second == p->dependences[at].second &&
            p->dependences[i].loop == p->dependences[at].loop)
            return false;
    return true;
}

/* How many instructions of the loop store in the line. */
static size_t stores_in(const struct cc_profile *p, uint32_t loop, const char *file, unsigned line)
{
    size_t n = 0;
    for (size_t i = 0; i < p->ndependences; i++) {
        const struct cc_pdependence *d = &p->dependences[i];
        n += d->kind == CC_DEPENDENCE_WRITES && d->loop == loop && d->second_line == line &&
             d->area != CC_AREA_STACK && d->second_file && strcmp(d->second_file, file) == 0 &&
             is_first(p, i);
    }
    return n;
}

struct copies_query {
    const uint32_t *members; /* the binary's loops that the innermost around the line is */
    size_t nmembers;
    struct cc_witness_query loads;
    unsigned head; /* the line of the loop, which compilers say of some loads */
};

static size_t loads_in(const struct gate_input *in, const struct copies_query *q, unsigned line,
                       uint32_t loop)
{
    struct cc_witness_query one = q->loads;
    one.line = line;
    one.members = &loop;
    one.nmembers = 1;
    return in->p->loops[loop].iterations ? cc_witness_loads(in->witness, &one) : 0;
}

/* Whether another of the loops, with a copy of the same body, has a load. */
static bool other_reads(const struct gate_input *in, const struct copies_query *q, uint32_t loop)
{
    for (size_t i = 0; i < q->nmembers; i++)
        if (q->members[i] != loop && cc_copies_same(in->copies, loop, q->members[i]) &&
            loads_in(in, q, q->loads.line, q->members[i]))
            return true;
    return false;
}

/* Whether something in the body decides whether the line reads. */
static bool is_maybe(const struct cc_source_loop *s, unsigned line, const char *look)
{
    bool maybe = false;
    for (size_t i = 0; look && i < s->looks.n; i++)
        maybe = maybe ||
                (s->looks.v[i].maybe && s->looks.v[i].line == line && strcmp(s->looks.v[i].name, look) == 0);
    for (size_t i = 0; !look && i < s->accesses.n; i++)
        maybe = maybe || (s->accesses.v[i].line == line && !s->accesses.v[i].write && s->accesses.v[i].maybe);
    return maybe;
}

bool cc_copies_read(const struct gate_input *in, const struct cc_witness_query *loads, const char *look,
                    size_t times, bool once)
{
    const struct cc_source_loop *around = cc_lines_around(in, loads->line), *s = around ? around : in->source;
    const struct group *g = cc_lines_group(in, around);
    const struct copies_query q = {g ? g->members.v : in->members, g ? g->members.n : in->nmembers, *loads,
                                   s->line};
    if (!times || (around && !g) || !cc_witness_any(in->witness) || is_maybe(s, loads->line, look))
        return true;
    for (size_t i = 0; i < q.nmembers; i++) {
        uint32_t loop = q.members[i];
        size_t found = loads_in(in, &q, loads->line, loop), copies = cc_copies_of(in->copies, loop);
        if (!in->p->loops[loop].iterations)
            continue;
        if (!found && !loads_in(in, &q, q.head, loop) && other_reads(in, &q, loop))
            return false;
        bool stored = stores_in(in->p, loop, loads->file, loads->line) >= copies;
        if (found && (!stored || (once && !around)) && found < times * copies)
            return false;
    }
    return true;
}

bool cc_copies_short_of(const struct gate_input *in, const char *file, unsigned line)
{
    const struct cc_source_loop *around = cc_lines_around(in, line);
    const struct group *g = cc_lines_group(in, around);
    const uint32_t *members = g ? g->members.v : in->members;
    size_t n = g ? g->members.n : in->nmembers, asked = 0, found = 0;
    bool lacks = false;
    for (size_t i = 0; i < in->source->accesses.n; i++)
        if (in->source->accesses.v[i].write && in->source->accesses.v[i].line == line)
            asked += in->source->accesses.v[i].count;
    for (size_t i = 0; i < n && asked > 1 && (g || !around); i++) {
        size_t stores = stores_in(in->p, members[i], file, line);
        lacks = lacks || (stores && stores < asked * cc_copies_of(in->copies, members[i]));
        found += stores;
    }
    return cc_witness_any(in->witness) && found && (lacks || found < asked);
}
