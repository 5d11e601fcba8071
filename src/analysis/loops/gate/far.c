#include "far.h"
#include "proof.h"

bool cc_far_whole(const struct gate_input *in)
{
    const uint64_t LEAST = 4;
    for (size_t i = 0; i < in->nmembers; i++) {
        const struct cc_ploop *x = &in->p->loops[in->members[i]];
        uint64_t others = x->sampled_invocations > 1 ? x->sampled_invocations - 1 : 0,
                 mean = x->invocations ? x->iterations / x->invocations : 0;
        bool all = in->p->loops_exact || x->flags & CC_LOOP_WHOLE || x->sampled_iterations >= x->iterations ||
                   x->trips_max <= LEAST;
        if (!all && x->sampled_iterations < x->trips_max + CC_MIN(mean, LEAST) * others)
            return false;
    }
    return true;
}

static bool is_listed(const unsigned *lines, unsigned line)
{
    for (int k = 0; k < CC_SOURCE_READS && lines[k]; k++)
        if (lines[k] == line)
            return true;
    return false;
}

/* --- two names --- */

struct site { /* an instruction, and one place that it accessed */
    unsigned line;
    uint64_t insn, place;
    const char *variable;
    bool write;
};
struct sites {
    CC_VEC(struct site) v;
};

static void find_sites(const struct gate_input *in, const char *file, struct sites *ret)
{
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        bool write = d->kind == CC_DEPENDENCE_WRITES;
        const char *at = write ? d->first_file : d->second_file;
        if ((write || d->kind == CC_DEPENDENCE_READS) && at && strcmp(at, file) == 0 &&
            d->area != CC_AREA_STACK && cc_gate_has(in, d->loop))
            CC_VEC_PUSH(&ret->v, ((struct site){write ? d->first_line : d->second_line,
                                                write ? d->first : d->second, d->place, d->variable, write}));
    }
}

/* Whether an instruction that writes in the line, and not into a frame, is in the block. */
static bool writes_in(const struct sites *all, unsigned line, const struct cc_pblock *b)
{
    for (size_t i = 0; i < all->v.n; i++)
        if (all->v.v[i].write && all->v.v[i].line == line && all->v.v[i].insn >= b->address &&
            all->v.v[i].insn < b->address + b->size)
            return true;
    return false;
}

/* How many bytes a line writes while the longest invocation lasts. */
static double swept(const struct gate_input *in, const struct sites *all, const char *file, unsigned line)
{
    const struct cc_profile *p = in->p;
    double bytes = 0, iterations = 0, longest = 0;
    for (size_t i = 0; i < in->nmembers; i++) {
        iterations += (double)p->loops[in->members[i]].iterations;
        longest += (double)p->loops[in->members[i]].trips_max;
    }
    for (size_t i = 0; i < p->nlines; i++) {
        const struct cc_rec_line *x = &p->lines[i];
        if (x->line != line || !x->written || x->file == CC_NONE ||
            strcmp(p->files[x->file].path, file) != 0 || !writes_in(all, line, &p->blocks[x->block]))
            continue;
        for (size_t k = 0; k < p->nloop_blocks; k++) {
            const struct cc_rec_loop_block *b = &p->loop_blocks[k];
            uint64_t at = p->blocks[x->block].address - p->binaries[p->loops[b->loop].binary].bias;
            if (at >= b->start && at < b->end && cc_gate_has(in, b->loop))
                bytes += (double)p->loops[b->loop].iterations * x->written;
        }
    }
    return iterations > 0 ? bytes * longest / iterations : 0;
}

/* Whether the two may be by two names of which nothing says that they lead to two things. */
static bool are_two_names(const struct cc_source_loop *s, const struct site *w, const struct site *x)
{
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        bool self = is_listed(a->reads, x->line) || is_listed(a->excused, x->line);
        if (!is_listed(a->writes, w->line) || a->alone || (self && !x->write && !a->alike))
            continue;
        for (size_t k = 0; k < s->arrays.n; k++) {
            const struct cc_source_array *b = &s->arrays.v[k];
            bool there = x->write ? is_listed(b->writes, x->line)
                                  : is_listed(b->reads, x->line) || is_listed(b->excused, x->line);
            if (there && cc_gate_other_name(a, b) && !b->alone &&
                !(a->whole && b->whole && !a->behind && !b->behind))
                return true;
        }
    }
    return false;
}

unsigned cc_far_meets(const struct gate_input *in, const char *file, unsigned *ret_write)
{
    struct sites all = {0};
    unsigned found = 0;
    uint64_t followed = 0, trips = 0;
    for (size_t i = 0; i < in->nmembers; i++) {
        const struct cc_ploop *x = &in->p->loops[in->members[i]];
        followed += x->sampled_invocations ? x->sampled_iterations / x->sampled_invocations : 0;
        trips += x->trips_max;
    }
    if (!in->source || !file || cc_far_whole(in))
        return 0;
    find_sites(in, file, &all);
    for (size_t i = 0; i < all.v.n && !found; i++) {
        const struct site *w = &all.v.v[i];
        double sweep = w->write ? swept(in, &all, file, w->line) : 0,
               near = trips ? sweep / (double)trips * (double)followed : 0;
        for (size_t k = 0; w->write && k < all.v.n && !found; k++) {
            const struct site *x = &all.v.v[k];
            double apart =
                w->place > x->place ? (double)(w->place - x->place) : (double)(x->place - w->place);
            bool one = !w->variable || !x->variable || strcmp(w->variable, x->variable) == 0;
            if (k != i && one && apart > near && apart < sweep && are_two_names(in->source, w, x)) {
                *ret_write = w->line;
                found = x->line;
            }
        }
    }
    CC_VEC_FINI(&all.v);
    return found;
}

/* --- subscripts that do not tell iterations apart by themselves --- */

/* Whether some loop inside does not always turn as often: rows may be longer where nothing was followed. */
static bool is_uneven(const struct gate_input *in)
{
    for (size_t i = 0; i < in->p->nloops; i++) {
        const struct cc_ploop *x = &in->p->loops[i];
        bool mine = false;
        for (size_t k = 0; k < in->nmembers; k++)
            mine = mine || in->members[k] == i;
        if (!mine && x->invocations && x->trips_min != x->trips_max && cc_gate_has(in, (uint32_t)i))
            return true;
    }
    return false;
}

static bool each_invocation(const struct gate_input *in)
{
    for (size_t i = 0; i < in->nmembers; i++) {
        const struct cc_ploop *x = &in->p->loops[in->members[i]];
        if (!in->p->loops_exact && x->sampled_invocations < x->invocations)
            return false;
    }
    return true;
}

const char *cc_far_rows(const struct gate_input *in, const struct cc_source_array *a)
{
    if (!a->write_line || a->apart || (a->op && a->name) || (a->scratch && !a->lasts))
        return NULL;
    bool sampled = false;
    for (size_t i = 0; i < in->nmembers; i++)
        sampled = sampled ||
                  in->p->loops[in->members[i]].sampled_iterations < in->p->loops[in->members[i]].iterations;
    if (!sampled || in->p->loops_exact)
        return NULL;
    if (a->spread && is_uneven(in))
        return "a loop inside turns more often in some iterations than in others";
    return a->scaled && !each_invocation(in) ? "how far apart they are is not the same in every invocation"
                                             : NULL;
}
