#include "lines.h"
#include "copies.h"
#include "early.h"
#include "../../../base/text.h"

static bool is_member(const struct gate_input *in, uint32_t loop)
{
    for (; loop != CC_NONE; loop = in->p->loops[loop].outer)
        for (size_t i = 0; i < in->nmembers; i++)
            if (in->members[i] == loop)
                return true;
    return false;
}

/* Whether the code lies in a loop; mine: in one of this statement's. */
static bool in_loop(const struct gate_input *in, uint64_t address, bool mine)
{
    const struct cc_profile *p = in->p;
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t at = address - p->binaries[p->loops[b->loop].binary].bias;
        if (at >= b->start && at < b->end && (!mine || is_member(in, b->loop)))
            return true;
    }
    return false;
}

/* The innermost loop of the source, inside this one, that holds the line; NULL: none. */
const struct cc_source_loop *cc_lines_around(const struct gate_input *in, unsigned line)
{
    const struct cc_source_loop *found = NULL;
    for (size_t i = 0; i < in->sources->v.n; i++) {
        const struct cc_source_loop *x = &in->sources->v.v[i];
        bool inside = !cc_loop_same_statement(x, in->source) && cc_loop_inside(x, in->source) &&
                      strcmp(x->file, in->source->file) == 0;
        if (inside && line >= x->line && line <= x->last_line && (!found || x->line >= found->line))
            found = x;
    }
    return found;
}

bool cc_lines_inner(const struct gate_input *in, unsigned line)
{
    return cc_lines_around(in, line) != NULL;
}

const struct group *cc_lines_group(const struct gate_input *in, const struct cc_source_loop *s)
{
    for (size_t i = 0; s && i < in->groups->v.n; i++)
        if (in->groups->v.v[i].source && cc_loop_same_statement(in->groups->v.v[i].source, s))
            return &in->groups->v.v[i];
    return NULL;
}

static size_t looks_in(const struct cc_source_loop *s, unsigned line)
{
    for (size_t i = 0; i < s->accesses.n; i++)
        if (s->accesses.v[i].line == line && !s->accesses.v[i].write)
            return s->accesses.v[i].count;
    return 1;
}

/* Adds the lines of the function that combines something; how many there are then. */
static size_t function_lines(const struct gate_input *in, const struct cc_source_given *c,
                             unsigned ret[CC_WITNESS_LINES], size_t n)
{
    for (size_t k = 0; k < in->sources->functions.n; k++) {
        const struct cc_loop_function *g = &in->sources->functions.v[k];
        bool combines = strcmp(g->symbol, c->symbol) == 0;
        for (unsigned line = g->line; combines && line <= g->last_line && n < CC_WITNESS_LINES; line++)
            ret[n++] = line;
    }
    return n;
}

/* Where an array is written: by a function that only combines what it is given, in that. */
static void written_lines(const struct gate_input *in, const struct cc_source_array *a,
                          unsigned ret[CC_WITNESS_LINES])
{
    size_t n = 0;
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k] && n < CC_WITNESS_LINES; k++)
        ret[n++] = a->writes[k];
    for (size_t i = 0; i < in->source->combined.n; i++) {
        const struct cc_source_given *c = &in->source->combined.v[i];
        bool mine = false;
        for (int k = 0; k < CC_SOURCE_READS; k++)
            mine = mine || a->writes[k] == c->line;
        n = mine ? function_lines(in, c, ret, n) : n;
    }
}

/* Whether the binary reads in a line what the source reads there. It has to do so in the same inner loop: a
 * compiler may leave only what the last pass through that reads. Of an inner loop that was unrolled several
 * instructions are left. */
static bool is_read(const struct gate_input *in, const char *file, unsigned line,
                    const struct cc_source_array *a, size_t times)
{
    const struct cc_source_loop *around = cc_lines_around(in, line);
    const struct group *g = cc_lines_group(in, around);
    /* the load of a pointer is none of what it points to, nor is one of what another leads to */
    bool named = a->whole && !a->behind;
    unsigned written[CC_WITNESS_LINES] = {0};
    written_lines(in, a, written);
    struct cc_witness_query q = {.file = file,
                                 .line = line,
                                 .name = named ? a->name : NULL,
                                 .members = in->members,
                                 .nmembers = in->nmembers,
                                 .written = a->behind || (!named && written[0]) ? written : NULL,
                                 .writers = in->members,
                                 .nwriters = in->nmembers};
    size_t enough = around ? 2 * CC_MAX(times, looks_in(in->source, line)) : CC_MAX(times, (size_t)1);
    if ((around ? cc_witness_reads(in->witness, &q) : cc_witness_loads(in->witness, &q)) >= enough)
        return true;
    if (g) {
        q.members = g->members.v;
        q.nmembers = g->members.n;
    }
    return g && cc_witness_loads(in->witness, &q) >= CC_MAX(times, (size_t)1);
}

static bool is_line(const struct gate_input *in, const struct cc_rec_line *x, const char *file, unsigned line)
{
    return x->line == line && x->file != CC_NONE && strcmp(in->p->files[x->file].path, file) == 0;
}

/* Whether the binary's code of a line reads memory in the loop: as far as can be told, that array. */
static bool line_reads(const struct gate_input *in, const char *file, unsigned line,
                       const struct cc_source_array *a, size_t times)
{
    if (cc_witness_any(in->witness))
        return is_read(in, file, line, a, times);
    for (size_t i = 0; i < in->p->nlines; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        if (x->read && is_line(in, x, file, line) && in_loop(in, in->p->blocks[x->block].address, true))
            return true;
    }
    return false;
}

static bool stores_in(const struct cc_source_loop *s, unsigned line)
{
    bool stores = false;
    for (size_t i = 0; i < s->accesses.n; i++)
        stores = stores || (s->accesses.v[i].write && s->accesses.v[i].line == line);
    return stores;
}

/* The `i = 0` of a head is a store then, and no iteration is anywhere else. */
bool cc_lines_plain(const struct gate_input *in)
{
    bool memory = false, registers = false;
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        bool flows = d->kind == CC_DEPENDENCE_RAW;
        for (size_t k = 0; flows && k < in->nmembers; k++) {
            bool mine = d->loop == in->members[k];
            memory = memory || (mine && d->space == CC_SPACE_MEMORY);
            registers = registers || (mine && d->space == CC_SPACE_REGISTER);
        }
    }
    return memory && !registers;
}

bool cc_lines_ran(const struct gate_input *in, const char *file, unsigned line)
{
    const struct cc_source_loop *around = cc_lines_around(in, line);
    if (!around && !cc_lines_plain(in)) /* what a compiler has moved bears another line */
        return true;
    unsigned first = cc_lines_plain(in) ? line : around->line,
             last = cc_lines_plain(in) ? line : around->last_line;
    bool ran = false;
    for (size_t i = 0; i < in->p->nlines && !ran; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        ran = x->line >= first && x->line <= last && is_line(in, x, file, x->line);
    }
    return ran;
}

/* Whether stores of one of its lines also ran outside every loop: a compiler that takes an iteration out of
 * the loop takes its dependences along, and may leave out some of what that does. */
bool cc_lines_peeled(const struct gate_input *in, const struct cc_loop *l)
{
    if (cc_lines_plain(in))
        return false;
    for (size_t i = 0; i < in->p->nlines; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        if (x->written && stores_in(in->source, x->line) && is_line(in, x, l->file, x->line) &&
            !in_loop(in, in->p->blocks[x->block].address, true))
            return true;
    }
    return false;
}

bool cc_lines_outside(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    bool outside = false, plain = cc_lines_plain(in);
    for (size_t i = 0; i < in->p->nlines && !outside && !plain; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        outside = x->written && is_line(in, x, l->file, line) &&
                  !in_loop(in, in->p->blocks[x->block].address, true);
    }
    return outside;
}

/* Whether code of the line that accesses memory ran, but none of it in the loop. */
static bool ran_elsewhere(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    bool here = false, elsewhere = false;
    for (size_t i = 0; i < in->p->nlines; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        if ((x->read || x->written) && is_line(in, x, l->file, line))
            *(in_loop(in, in->p->blocks[x->block].address, true) ? &here : &elsewhere) = true;
    }
    return elsewhere && !here;
}

unsigned cc_lines_left_out(const struct gate_input *in, const struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    unsigned found = 0;
    for (size_t i = 0; i < s->calls.n && !found; i++)
        found = !s->calls.v[i].always && ran_elsewhere(in, l, s->calls.v[i].line) ? s->calls.v[i].line : 0;
    for (size_t i = 0; i < s->combined.n && !found; i++)
        found = ran_elsewhere(in, l, s->combined.v[i].line) ? s->combined.v[i].line : 0;
    return found;
}

bool cc_lines_stored(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    bool stored = false;
    for (size_t i = 0; i < in->p->nlines && !stored; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        stored =
            x->written && is_line(in, x, l->file, line) && in_loop(in, in->p->blocks[x->block].address, true);
    }
    return stored;
}

bool cc_lines_of_loop(const struct gate_input *in, const char *file, unsigned line)
{
    bool found = false;
    for (size_t i = 0; i < in->p->nlines && !found; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        found = x->line == line && x->file != CC_NONE &&
                cc_text_same_file(file, in->p->files[x->file].path) &&
                in_loop(in, in->p->blocks[x->block].address, true);
    }
    return found;
}

bool cc_lines_wrote(const struct gate_input *in, const char *file, unsigned line)
{
    bool found = false;
    for (size_t i = 0; i < in->p->ndependences && !found; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        found = d->kind == CC_DEPENDENCE_WRITES && d->first_line == line &&
                (d->area != CC_AREA_STACK || d->variable) && d->first_file &&
                cc_text_same_file(file, d->first_file) && is_member(in, d->loop);
    }
    return found;
}

static bool hands_on(const struct gate_input *in, uint32_t loop, unsigned from, unsigned to)
{
    struct cc_judgement x;
    bool found = false;
    cc_judge_loop(in->judge, loop, in->source, &x);
    for (size_t i = 0; i < x.reasons.n; i++)
        found = found || (x.reasons.v[i].kind == CC_REASON_REGISTER && x.reasons.v[i].first.line == from &&
                          x.reasons.v[i].second.line == to);
    cc_judgement_fini(&x);
    return found;
}

/* Whether a loop inside hands the value on from one of its iterations to the next, in a register: what it
 * starts from is this loop's business, and was followed there. */
static bool is_handed_on(const struct gate_input *in, unsigned line, const struct cc_source_array *a)
{
    const struct cc_source_loop *inner = cc_lines_around(in, line);
    const struct group *g = cc_lines_group(in, inner);
    for (size_t i = 0; g && a->name && i < inner->arrays.n; i++) {
        const struct cc_source_array *b = &inner->arrays.v[i];
        if (!b->name || strcmp(a->name, b->name) != 0 || !b->write_line)
            continue;
        for (size_t k = 0; k < g->members.n; k++)
            if (hands_on(in, g->members.v[k], b->write_line, line))
                return true;
    }
    return false;
}

/* Whether the line did what the source does there: a compiler may compute beforehand what a condition then
 * passes by. Of one that stores nothing, nothing need be left; the array's store tells. */
static bool line_ran(const struct gate_input *in, const char *file, unsigned line,
                     const struct cc_source_array *a)
{
    unsigned stored = stores_in(in->source, line) ? line : a->write_line;
    for (size_t i = 0; i < in->p->nlines; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        if (x->written && is_line(in, x, file, stored) && in_loop(in, in->p->blocks[x->block].address, true))
            return true;
    }
    return false;
}

/* Loads of functions of the same file that were put into the loop. */
static size_t loads_elsewhere(const struct gate_input *in, struct cc_witness_query q)
{
    size_t all = cc_witness_loads_in(in->witness, &q), here = 0;
    for (q.line = in->source->line; q.line <= in->source->last_line; q.line++)
        here += cc_witness_loads(in->witness, &q);
    return all - here;
}

/* Lines that assign to elements of what bears the name, functions that combine one with something among them;
 * how many. */
static size_t given_lines(const struct gate_input *in, const char *name, unsigned ret[CC_WITNESS_LINES])
{
    const struct cc_source_loop *s = in->source;
    size_t n = 0;
    for (size_t i = 0; i < s->given.n && n < CC_WITNESS_LINES; i++)
        if (!name || strcmp(s->given.v[i].name, name) == 0)
            ret[n++] = s->given.v[i].line;
    for (size_t i = 0; i < s->combined.n; i++)
        if (!name || strcmp(s->combined.v[i].name, name) == 0)
            n = function_lines(in, &s->combined.v[i], ret, n);
    return n;
}

/* Of the container that the loop assigns to only loads of such an object count: another may stand in the same
 * line. */
static bool is_looked_at(const struct gate_input *in, const struct cc_loop *l, unsigned line,
                         const char *name)
{
    unsigned written[CC_WITNESS_LINES] = {0};
    struct cc_witness_query q = {.file = l->file,
                                 .line = line,
                                 .members = in->members,
                                 .nmembers = in->nmembers,
                                 .written = written,
                                 .writers = in->members,
                                 .nwriters = in->nmembers,
                                 .data = true};
    size_t asked = 0;
    for (size_t i = 0; i < in->source->looks.n; i++)
        asked += in->source->looks.v[i].line == line && strcmp(in->source->looks.v[i].name, name) == 0;
    bool given = given_lines(in, name, written) > 0;
    size_t kept = (given ? cc_early_inside : cc_early_loads)(in, line, &q);
    q.written = given ? written : NULL;
    q.constants = !given;
    return (!given || cc_witness_loads(in->witness, &q) + kept >= asked) &&
           cc_copies_read(in, &q, name, asked > kept ? asked - kept : 0);
}

/* Whether a line uses what the iteration before has stored as it is: of an array that is written, its load
 * may be gone for that, whatever the rest of a vector loop loads. */
static bool uses_what_was_stored(const struct gate_input *in, unsigned line)
{
    for (size_t i = 0; i < in->rotating.n; i++)
        if (in->rotating.v[i].at.line == line && cc_witness_stores(in->witness, in->rotating.v[i].from))
            return true;
    return false;
}

size_t cc_lines_times(const struct gate_input *in, unsigned line)
{
    return uses_what_was_stored(in, line) ? cc_lines_bodies(in) : 1;
}

/* What a line looks at may be loaded by a function that gets it, and was put into the loop. */
bool cc_lines_looked(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    struct cc_witness_query q = {.file = l->file,
                                 .line = line,
                                 .members = in->members,
                                 .nmembers = in->nmembers,
                                 .constants = true,
                                 .data = true};
    unsigned written[CC_WITNESS_LINES] = {0};
    struct cc_witness_query of = {.written = written, .writers = in->members, .nwriters = in->nmembers};
    size_t asked = 0, direct = 0;
    bool all = true;
    given_lines(in, NULL, written);
    for (size_t i = 0; i < in->source->looks.n; i++) {
        asked += in->source->looks.v[i].line == line;
        direct += in->source->looks.v[i].line == line && in->source->looks.v[i].direct;
        all = all &&
              (in->source->looks.v[i].line != line || is_looked_at(in, l, line, in->source->looks.v[i].name));
    }
    size_t loads = cc_witness_loads(in->witness, &q) + cc_early_inside(in, line, &of),
           least = CC_MAX(asked, (size_t)1);
    return !cc_witness_any(in->witness) || (all && loads >= direct &&
                                            (loads >= least * cc_lines_times(in, line) ||
                                             loads + loads_elsewhere(in, q) >= least * cc_lines_bodies(in)));
}

/* Whether something in the loop decides whether a line stores. */
static bool is_maybe(const struct gate_input *in, unsigned line)
{
    bool maybe = false;
    for (size_t i = 0; i < in->source->accesses.n; i++)
        maybe = maybe || (in->source->accesses.v[i].write && in->source->accesses.v[i].line == line &&
                          in->source->accesses.v[i].maybe);
    return maybe;
}

/* Whether a line that sets the same element in the other case has a store, which is of both then. */
static bool has_way(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    for (size_t i = 0; i < in->source->ways.n; i++) {
        const struct cc_source_span *x = &in->source->ways.v[i];
        if ((x->line == line && cc_lines_stored(in, l, x->last_line)) ||
            (x->last_line == line && cc_lines_stored(in, l, x->line)))
            return true;
    }
    return false;
}

unsigned cc_lines_idle(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a)
{
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        if (is_maybe(in, a->writes[k]) && !has_way(in, l, a->writes[k]) &&
            (!cc_lines_stored(in, l, a->writes[k]) || cc_copies_short_of(in, l->file, a->writes[k])))
            return a->writes[k];
    return 0;
}

/* Whether the loop stores something when a loop inside it that the line is in is over: that has the line of
 * the inner one's head. */
static bool is_stored_after(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    const struct cc_source_loop *inner = cc_lines_around(in, line);
    return inner && !stores_in(in->source, inner->line) && cc_lines_stored(in, l, inner->line);
}

/* Whether a line reads one thing and stores one, and code of the loop calls a function there that copies:
 * that does both then, and was followed as the loop's own loads and stores are. */
static bool is_copied(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    bool copied = false;
    size_t accesses[2] = {0}; /* reads, writes */
    for (size_t i = 0; i < in->source->accesses.n; i++)
        accesses[in->source->accesses.v[i].write] +=
            in->source->accesses.v[i].line == line ? in->source->accesses.v[i].count : 0;
    bool one = accesses[0] <= 1 && accesses[1] == 1;
    for (size_t i = 0; i < in->p->ndependences && one && !copied; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        copied = d->kind == CC_DEPENDENCE_READS && d->first_line == line && d->first_call &&
                 (strstr(d->first_call, "memcpy") || strstr(d->first_call, "memmove")) && d->first_file &&
                 cc_text_same_file(l->file, d->first_file) && in_loop(in, d->first, true);
    }
    return copied;
}

/* Whether the loop's code of a line stores something; *ret_idle: it did not run. */
static bool is_kept(const struct gate_input *in, const struct cc_loop *l, unsigned line, bool *ret_idle)
{
    bool maybe = is_maybe(in, line), ran = false;
    if (!stores_in(in->source, line)) /* a function does it that is called there */
        return true;
    for (size_t i = 0; i < in->p->nlines && maybe && !ran; i++)
        ran = is_line(in, &in->p->lines[i], l->file, line) &&
              in_loop(in, in->p->blocks[in->p->lines[i].block].address, true);
    *ret_idle = maybe && !ran;
    return cc_lines_stored(in, l, line) || is_stored_after(in, l, line) || is_copied(in, l, line);
}

/* Whether one of the lines that write the element of the k-th has a store, or none of them ran. */
static bool is_any_kept(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a,
                        int k)
{
    bool all_idle = true;
    for (int i = 0; i < CC_SOURCE_READS && a->writes[i]; i++) {
        bool idle = false;
        if (a->kept[i] != a->kept[k])
            continue;
        if (is_kept(in, l, a->writes[i], &idle))
            return true;
        all_idle = all_idle && idle;
    }
    return all_idle;
}

unsigned cc_lines_lost(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a)
{
    if (a->scratch || !a->writes[0] || !cc_witness_any(in->witness))
        return 0;
    bool several = a->reads[0] != 0; /* what the loop also looks at */
    for (int k = 1; k < CC_SOURCE_READS && a->writes[k]; k++)
        several = several || a->writes[k] != a->writes[0];
    for (int k = 0; k < CC_SOURCE_READS && several && a->writes[k]; k++)
        if (a->kept[k] && !is_any_kept(in, l, a, k))
            return a->kept[k];
    return 0;
}

/* Whether code of the loop stores in a line of it in which the source stores nothing: a compiler that makes
 * one of several iterations says of all of it the line that it begins in. Loads bear that line too. */
static bool wanders(const struct gate_input *in, const char *file)
{
    const struct cc_source_loop *s = in->source;
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        if (d->kind == CC_DEPENDENCE_WRITES && d->area != CC_AREA_STACK && d->first_line >= s->line &&
            d->first_line <= s->last_line && !stores_in(s, d->first_line) && d->first_file &&
            strcmp(d->first_file, file) == 0 && is_member(in, d->loop) && in_loop(in, d->first, true))
            return true;
    }
    return false;
}

/* One element, which the loop only combines with something: where it is kept in a register, the compiler has
 * seen that nothing else of the loop meets it. */
static bool is_one_sum(const struct cc_source_array *a)
{
    bool one = a->op && a->fixed_line;
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        one = one && a->writes[k] == a->fixed_line;
    return one;
}

static bool is_stored_here(const struct gate_input *in, const struct cc_loop *l,
                           const struct cc_source_array *a)
{
    bool idle = false;
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        if (is_kept(in, l, a->writes[k], &idle) || idle || cc_lines_around(in, a->writes[k]))
            return true;
    return false;
}

unsigned cc_lines_elsewhere(const struct gate_input *in, const struct cc_loop *l,
                            const struct cc_source_array *a)
{
    bool here = a->scratch || is_one_sum(a) || !cc_witness_any(in->witness) || wanders(in, l->file);
    for (size_t i = 0; i < in->source->arrays.n && !here; i++) { /* fields of one struct are several */
        const struct cc_source_array *b = &in->source->arrays.v[i];
        here = (b == a || (a->name && b->name && strcmp(a->name, b->name) == 0)) && is_stored_here(in, l, b);
    }
    return here ? 0 : a->writes[0];
}

size_t cc_lines_bodies(const struct gate_input *in)
{
    size_t n = 0;
    for (size_t i = 0; i < in->nmembers; i++)
        n += in->p->loops[in->members[i]].iterations ? cc_copies_of(in->copies, in->members[i]) : 0;
    return CC_MAX(n, (size_t)1);
}

/* What the source reads in a line, of whatever array. */
static size_t reads_in(const struct cc_source_array *a, unsigned line)
{
    size_t n = 0;
    for (int k = 0; k < CC_SOURCE_READS; k++)
        n += a->reads[k] == line;
    return n;
}

static size_t asked_in(const struct gate_input *in, unsigned line)
{
    size_t asked = 0;
    for (size_t i = 0; i < in->source->arrays.n; i++)
        asked += reads_in(&in->source->arrays.v[i], line);
    return asked;
}

/* Of what is written over several lines a compiler may say that all loads are in the first: then there have
 * to be as many as all its lines read, of whatever. */
static bool span_reads(const struct gate_input *in, const char *file, unsigned line)
{
    const struct group *g = cc_lines_group(in, cc_lines_around(in, line));
    struct cc_witness_query q = {
        .file = file, .members = g ? g->members.v : in->members, .nmembers = g ? g->members.n : in->nmembers};
    for (size_t i = 0; i < in->source->spans.n && cc_witness_any(in->witness); i++) {
        const struct cc_source_span *x = &in->source->spans.v[i];
        size_t asked = 0, loads = 0;
        for (q.line = x->line; line >= x->line && line <= x->last_line && q.line <= x->last_line; q.line++) {
            asked += asked_in(in, q.line);
            loads += cc_witness_loads(in->witness, &q);
        }
        if (asked && loads >= asked * cc_lines_bodies(in))
            return true;
    }
    return false;
}

static size_t bodies_of(const struct gate_input *in, const struct group *g)
{
    size_t n = 0;
    for (size_t i = 0; g && i < g->members.n; i++)
        n += in->p->loops[g->members.v[i]].iterations ? cc_copies_of(in->copies, g->members.v[i]) : 0;
    return g ? CC_MAX(n, (size_t)1) : cc_lines_bodies(in);
}

/* What the source reads in a line of all that bears the name: fields of one struct are several arrays. */
static size_t named_in(const struct cc_source_loop *s, const char *name, unsigned line)
{
    size_t n = 0;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].name && strcmp(s->arrays.v[i].name, name) == 0)
            n += reads_in(&s->arrays.v[i], line);
    return n;
}

/* An instruction that loads a pair takes the loads of two lines together, and has the line of one: with pairs
 * among them, all lines of an inner loop that read the array have to have as many as they read. */
static bool pair_reads(const struct gate_input *in, const char *file, unsigned line,
                       const struct cc_source_array *a)
{
    const struct cc_source_loop *around = cc_lines_around(in, line);
    const struct group *g = cc_lines_group(in, around);
    struct cc_witness_query q = {.file = file,
                                 .name = a->name,
                                 .members = g ? g->members.v : in->members,
                                 .nmembers = g ? g->members.n : in->nmembers};
    size_t asked = 0, loads = 0, instructions = 0;
    bool all = a->name && a->whole && !a->behind && !a->reads[CC_SOURCE_READS - 1];
    if (!all || !cc_witness_any(in->witness) || (around && !g))
        return false;
    for (int i = 0; i < CC_SOURCE_READS && a->reads[i]; i++) {
        bool before = cc_lines_around(in, a->reads[i]) != around;
        for (int k = 0; k < i; k++)
            before = before || a->reads[k] == a->reads[i];
        if (before)
            continue;
        q.line = a->reads[i];
        asked += named_in(in->source, a->name, q.line);
        loads += cc_witness_loads(in->witness, &q);
        instructions += cc_witness_reads(in->witness, &q);
    }
    return loads > instructions && loads >= asked * bodies_of(in, g);
}

/* Whether each of what the line reads is read in the other case as well, by lines that have their loads: a
 * compiler makes one of both, in front of the condition. */
static bool way_reads(const struct gate_input *in, const char *file, unsigned line,
                      const struct cc_source_array *a)
{
    size_t found = 0;
    for (size_t i = 0; i < in->source->read_ways.n && !in->rotating.n; i++) {
        const struct cc_source_span *x = &in->source->read_ways.v[i];
        unsigned other = x->line == line ? x->last_line : x->last_line == line ? x->line : 0;
        found += other && other != line && reads_in(a, other) &&
                 line_reads(in, file, other, a, reads_in(a, other));
    }
    return found && found >= reads_in(a, line);
}

/* Where lines tell nothing, the loop has to have as many loads of what bears the array's name (or, behind
 * pointers, of whatever) as all its lines read of that. */
static bool wanderers_read(const struct gate_input *in, const char *file, const struct cc_source_array *a)
{
    bool named = a->name && a->whole && !a->behind;
    const struct cc_source_loop *s = in->source;
    struct cc_witness_query q = {.file = file,
                                 .name = named ? a->name : NULL,
                                 .members = in->members,
                                 .nmembers = in->nmembers,
                                 .constants = !named};
    size_t asked = 0, loads = 0;
    for (q.line = s->line; q.line <= s->last_line; q.line++) {
        asked += named ? named_in(s, a->name, q.line) : asked_in(in, q.line);
        loads += cc_witness_loads(in->witness, &q);
    }
    return loads >= asked * cc_lines_bodies(in);
}

/* Whether each of the loops that a compiler made of this one, and that stores in the line, reads there too:
 * of a condition that stays the same it makes two loops, and one may have read before it begins. */
static bool each_reads(const struct gate_input *in, const char *file, unsigned line,
                       const struct cc_source_array *a)
{
    unsigned written[CC_WITNESS_LINES] = {0};
    bool named = a->whole && !a->behind;
    struct cc_witness_query q = {.file = file, .line = line, .name = named ? a->name : NULL, .nmembers = 1};
    written_lines(in, a, written);
    q.written = !named && written[0] ? written : NULL;
    q.writers = in->members, q.nwriters = in->nmembers;
    for (size_t i = 0; i < in->nmembers && in->nmembers > 1 && stores_in(in->source, line); i++) {
        bool stores = false;
        for (size_t k = 0; k < in->p->ndependences && !stores; k++) {
            const struct cc_pdependence *d = &in->p->dependences[k];
            stores = d->kind == CC_DEPENDENCE_WRITES && d->loop == in->members[i] && d->first_line == line &&
                     d->area != CC_AREA_STACK && d->first_file && strcmp(d->first_file, file) == 0;
        }
        q.members = &in->members[i];
        if (stores && !cc_witness_loads(in->witness, &q))
            return false;
    }
    return true;
}

/* Whether every copy of the innermost body around the line has its loads of the array. */
static bool copies_read(const struct gate_input *in, const char *file, unsigned line,
                        const struct cc_source_array *a, size_t times)
{
    unsigned written[CC_WITNESS_LINES] = {0};
    bool named = a->whole && !a->behind;
    written_lines(in, a, written);
    const struct cc_witness_query q = {.file = file,
                                       .line = line,
                                       .name = named ? a->name : NULL,
                                       .written = !named && written[0] ? written : NULL,
                                       .writers = in->members,
                                       .nwriters = in->nmembers};
    return !a->write_line || cc_copies_read(in, &q, NULL, times);
}

/* The first line whose reads the binary has no loads for; 0: none. Where writes only combine what is there
 * with something, the other looks at it count. */
unsigned cc_lines_unread(const struct gate_input *in, const struct cc_loop *l,
                         const struct cc_source_array *a)
{
    const unsigned *lines = a->partly ? a->looks : a->reads;
    bool wander = wanders(in, l->file);
    for (int i = 0; i < CC_SOURCE_READS && lines[i]; i++) {
        size_t times = 0;
        if (a->write_line && uses_what_was_stored(in, lines[i]))
            return lines[i];
        if (is_copied(in, l, lines[i]))
            continue;
        for (int k = 0; k < CC_SOURCE_READS; k++)
            times += lines[k] == lines[i];
        if (a->write_line && cc_witness_any(in->witness) && !cc_lines_around(in, lines[i]) &&
            ((wander && !wanderers_read(in, l->file, a)) || !each_reads(in, l->file, lines[i], a)))
            return lines[i];
        bool named = a->whole && !a->behind;
        struct cc_witness_query of = {.name = named ? a->name : NULL,
                                      .written = named ? NULL : a->writes,
                                      .writers = in->members,
                                      .nwriters = in->nmembers};
        /* what was loaded before its iteration does not meet one that writes it soon after that */
        size_t kept = (a->write_line ? cc_early_inside : cc_early_loads)(in, lines[i], &of);
        times = times > kept + 1 ? times - kept : 1;
        if (a->write_line && named && a->name) /* a load of another field is none of this one */
            times += named_in(in->source, a->name, lines[i]) - reads_in(a, lines[i]);
        bool copied = copies_read(in, l->file, lines[i], a, times);
        if (times > 1 && a->write_line &&
            !cc_lines_around(in, lines[i])) /* one's loads are not the other's */
            times *= cc_lines_bodies(in);
        if ((!copied || !line_reads(in, l->file, lines[i], a, times)) && !is_handed_on(in, lines[i], a) &&
            !span_reads(in, l->file, lines[i]) && !pair_reads(in, l->file, lines[i], a) &&
            !way_reads(in, l->file, lines[i], a))
            return lines[i];
    }
    /* the load of what is read once more may be gone, but the line has to have run */
    for (int i = 0; i < CC_SOURCE_READS && a->excused[i]; i++)
        if (!line_ran(in, l->file, a->excused[i], a) && !line_reads(in, l->file, a->excused[i], a, 1))
            return a->excused[i];
    return 0;
}

/* Loads that the binary has in a line, anywhere in the loop, against what the source reads there. */
static bool has_loads(const struct gate_input *in, const char *file, unsigned line)
{
    struct cc_witness_query q = {file, line, NULL, in->members, in->nmembers};
    size_t asked = 0;
    for (size_t i = 0; i < in->source->arrays.n; i++)
        if (!is_one_sum(&in->source->arrays.v[i]))
            asked += reads_in(&in->source->arrays.v[i], line);
    return cc_witness_any(in->witness) &&
           cc_witness_loads(in->witness, &q) >= asked * cc_lines_times(in, line);
}

/* Whether every copy of the body has a load for each look of the line, whatever at: one behind a pointer in
 * memory takes two, and a call may be any. */
bool cc_lines_all_loaded(const struct gate_input *in, const char *file, unsigned line)
{
    struct cc_witness_query q = {
        .file = file, .line = line, .members = in->members, .nmembers = in->nmembers, .constants = true};
    size_t asked = 0;
    for (size_t i = 0; i < in->source->arrays.n; i++)
        asked += reads_in(&in->source->arrays.v[i], line) * (1 + in->source->arrays.v[i].behind);
    for (size_t i = 0; i < in->source->calls.n; i++)
        asked += in->source->calls.v[i].line == line;
    return asked && cc_witness_loads(in->witness, &q) >= asked * cc_lines_bodies(in);
}

/* Where two names may be one thing, the binary has to have all loads and stores: then the run showed what
 * meets in memory. */
bool cc_lines_all_there(const struct gate_input *in, const struct cc_loop *l)
{
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        for (int k = 0; k < CC_SOURCE_READS && a->reads[k]; k++)
            if (!has_loads(in, l->file, a->reads[k]))
                return false;
        bool stored = !a->write_line || is_one_sum(a);
        for (int k = 0; k < CC_SOURCE_READS && !stored && a->writes[k]; k++)
            stored = line_ran(in, l->file, a->writes[k], a);
        if (!stored)
            return false;
    }
    return true;
}
