#include "lines.h"
#include "proof.h"
#include "copies.h"
#include "../../../base/text.h"

/* Whether the code lies in one of this statement's loops. */
static bool in_loop(const struct gate_input *in, uint64_t address)
{
    const struct cc_profile *p = in->p;
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t at = address - p->binaries[p->loops[b->loop].binary].bias;
        if (at >= b->start && at < b->end && cc_gate_has(in, b->loop))
            return true;
    }
    return false;
}

bool cc_lines_inside(const struct gate_input *in, uint64_t insn)
{
    return in_loop(in, insn);
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

static bool is_line(const struct gate_input *in, const struct cc_rec_line *x, const char *file, unsigned line)
{
    return x->line == line && x->file != CC_NONE && strcmp(in->p->files[x->file].path, file) == 0;
}

/* Whether the source has an array of that name in the loop. */
static bool is_array(const struct cc_source_loop *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->arrays.n && !found; i++)
        found = s->arrays.v[i].name && cc_loop_named(name, s->arrays.v[i].name);
    return found;
}

/* Whether the loop, or what it calls, writes something in a frame that may be an array's element: by the name
 * it has there, or because its place is computed. */
static bool writes_frame(const struct gate_input *in)
{
    bool found = false;
    for (size_t i = 0; i < in->p->ndependences && !found; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        found = d->kind == CC_DEPENDENCE_WRITES && d->area == CC_AREA_STACK && cc_gate_has(in, d->loop) &&
                ((d->variable && is_array(in->source, d->variable)) || !cc_asides_insn(in->asides, d->first));
    }
    return found;
}

/* Whether code of a line stores something, but for registers that are put aside: what the loop writes does
 * not lie in a frame then, so nothing that an iteration does is there. */
static bool is_stored_outside(const struct gate_input *in, const struct cc_rec_line *x)
{
    return x->written && !in_loop(in, in->p->blocks[x->block].address) &&
           (!cc_asides_block(in->asides, x->block) || writes_frame(in));
}

/* Where code of a line ran that reads memory, or that writes it. */
static struct spots {
    bool here, elsewhere;
} accessed(const struct gate_input *in, const char *file, unsigned line, bool read, bool written)
{
    struct spots s = {0};
    for (size_t i = 0; i < in->p->nlines && !(s.here && s.elsewhere); i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        if (((read && x->read) || (written && x->written)) && is_line(in, x, file, line))
            *(in_loop(in, in->p->blocks[x->block].address) ? &s.here : &s.elsewhere) = true;
    }
    return s;
}

bool cc_lines_stores(const struct cc_source_loop *s, unsigned line)
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
        if (x->written && cc_lines_stores(in->source, x->line) && is_line(in, x, l->file, x->line) &&
            is_stored_outside(in, x))
            return true;
    }
    return false;
}

bool cc_lines_left_behind(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    bool left = false;
    for (size_t i = 0; i < in->p->nlines && !left; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        left = x->line >= s->line && x->line <= s->last_line && !cc_lines_stores(s, x->line) &&
               is_line(in, x, s->file, x->line) && is_stored_outside(in, x);
    }
    return left && !cc_lines_plain(in);
}

bool cc_lines_outside(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    bool outside = false;
    for (size_t i = 0; i < in->p->nlines && !outside; i++)
        outside = is_line(in, &in->p->lines[i], l->file, line) && is_stored_outside(in, &in->p->lines[i]);
    return outside && !cc_lines_plain(in);
}

/* Whether code of the line that accesses memory ran, but none of it in the loop. */
static bool ran_elsewhere(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    struct spots s = accessed(in, l->file, line, true, true);
    return s.elsewhere && !s.here;
}

/* Whether a call leaves nothing to another iteration, wherever it runs: it gets only what this one has for
 * itself, and the function, or one of the language's library, has nothing else. */
static bool leaves_nothing(const struct cc_source_loops *all, const struct cc_loop_call *c, unsigned depth)
{
    const struct cc_loop_function *g = cc_source_function(all, c->symbol);
    bool nothing = c->own && depth <= CC_GATE_DEEP;
    if (!g)
        return nothing && (strncmp(c->symbol, "c:@N@std@", 9) == 0 || cc_gate_is_number(c->symbol));
    nothing = nothing && !g->states.n && !g->shared.n;
    for (size_t i = 0; i < g->calls.n && nothing; i++)
        nothing = leaves_nothing(all, &g->calls.v[i], depth + 1);
    return nothing;
}

unsigned cc_lines_left_out(const struct gate_input *in, const struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    unsigned found = 0;
    for (size_t i = 0; i < s->calls.n && !found; i++) {
        const struct cc_loop_call *c = &s->calls.v[i];
        bool left =
            (c->maybe || !c->always) && !leaves_nothing(in->sources, c, 0) && ran_elsewhere(in, l, c->line);
        found = left ? c->line : 0;
    }
    for (size_t i = 0; i < s->combined.n && !found; i++)
        found = ran_elsewhere(in, l, s->combined.v[i].line) ? s->combined.v[i].line : 0;
    return found;
}

bool cc_lines_stored(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    return accessed(in, l->file, line, false, true).here;
}

bool cc_lines_loaded(const struct gate_input *in, const char *file, unsigned line)
{
    return accessed(in, file, line, true, false).here;
}

bool cc_lines_of_loop(const struct gate_input *in, const char *file, unsigned line)
{
    bool found = false;
    for (size_t i = 0; i < in->p->nlines && !found; i++) {
        const struct cc_rec_line *x = &in->p->lines[i];
        found = x->line == line && x->file != CC_NONE &&
                cc_text_same_file(file, in->p->files[x->file].path) &&
                in_loop(in, in->p->blocks[x->block].address);
    }
    return found;
}

/* Whether the loop, or what it calls, was seen to store there, but for values that are put aside. */
static bool is_store(const struct gate_input *in, const struct cc_pdependence *d, const char *file,
                     unsigned line)
{
    return d->kind == CC_DEPENDENCE_WRITES && d->first_line == line &&
           (d->area != CC_AREA_STACK || d->variable) && d->first_file &&
           cc_text_same_file(file, d->first_file) && cc_gate_has(in, d->loop);
}

bool cc_lines_wrote(const struct gate_input *in, const char *file, unsigned line)
{
    bool found = false;
    for (size_t i = 0; i < in->p->ndependences && !found; i++)
        found = is_store(in, &in->p->dependences[i], file, line);
    return found;
}

/* What the instructions store that do so in the line, and how many they are. */
static uint64_t stored_in(const struct gate_input *in, const char *file, unsigned line, size_t *ret_n)
{
    const struct cc_pdependence *d = in->p->dependences;
    uint64_t bytes = 0;
    for (size_t i = 0; i < in->p->ndependences; i++) {
        bool counts = is_store(in, &d[i], file, line);
        for (size_t k = 0; k < i && counts; k++)
            counts = d[k].first != d[i].first || !is_store(in, &d[k], file, line);
        bytes += counts ? cc_witness_bytes(in->witness, d[i].first) : 0;
        *ret_n += counts;
    }
    return bytes;
}

uint64_t cc_lines_bytes(const struct gate_input *in, const char *file, unsigned line)
{
    size_t n = 0;
    return stored_in(in, file, line, &n);
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

/* Whether the line stores fewer bytes than the elements have that it sets in any case: the store of one was
 * never made, as the next iteration overwrites it. */
static bool lacks_bytes(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a,
                        unsigned line)
{
    uint64_t elements = 0, found = cc_lines_bytes(in, l->file, line);
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        elements += a->writes[k] == line && a->kept[k] && !(a->again >> k & 1);
    return elements > 1 && a->bytes && found && found < elements * a->bytes;
}

unsigned cc_lines_idle(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a)
{
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        if (!(a->again >> k & 1) && is_maybe(in, a->writes[k]) && !has_way(in, l, a->writes[k]) &&
            (!cc_lines_stored(in, l, a->writes[k]) || cc_copies_short_of(in, l->file, a->writes[k])))
            return a->writes[k];
    return 0;
}

/* Whether the loop stores something when a loop inside it that the line is in is over: that has the line of
 * the inner one's head. */
static bool is_stored_after(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    const struct cc_source_loop *inner = cc_lines_around(in, line);
    return inner && !cc_lines_stores(in->source, inner->line) && cc_lines_stored(in, l, inner->line);
}

/* Whether a line reads one thing and stores one, and code of the loop calls a function there that copies:
 * that does both then, and was followed as the loop's own loads and stores are. */
bool cc_lines_copied(const struct gate_input *in, const struct cc_loop *l, unsigned line)
{
    bool copied = false;
    size_t accesses[2] = {0}; /* reads, writes */
    for (size_t i = 0; i < in->source->accesses.n; i++)
        accesses[in->source->accesses.v[i].write] +=
            in->source->accesses.v[i].line == line ? in->source->accesses.v[i].count : 0;
    bool one = accesses[0] <= 1 && accesses[1] == 1;
    for (size_t i = 0; i < in->source->accesses.n && !one; i++)
        one = in->source->accesses.v[i].copies && in->source->accesses.v[i].line == line;
    for (size_t i = 0; i < in->p->ndependences && one && !copied; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        copied = d->kind == CC_DEPENDENCE_READS && d->first_line == line && d->first_call &&
                 (strstr(d->first_call, "memcpy") || strstr(d->first_call, "memmove")) && d->first_file &&
                 cc_text_same_file(l->file, d->first_file) && in_loop(in, d->first);
    }
    return copied;
}

/* Whether the loop's code of a line stores something; *ret_idle: it did not run. */
static bool is_kept(const struct gate_input *in, const struct cc_loop *l, unsigned line, bool *ret_idle)
{
    bool maybe = is_maybe(in, line), ran = false;
    if (!cc_lines_stores(in->source, line)) /* a function does it that is called there */
        return true;
    for (size_t i = 0; i < in->p->nlines && maybe && !ran; i++)
        ran = is_line(in, &in->p->lines[i], l->file, line) &&
              in_loop(in, in->p->blocks[in->p->lines[i].block].address);
    *ret_idle = maybe && !ran;
    return cc_lines_stored(in, l, line) || is_stored_after(in, l, line) || cc_lines_copied(in, l, line);
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

/* Whether the first that is to come writes the line: fields of one record are several arrays. */
static bool is_new_line(const struct cc_source_loop *s, size_t array, int k)
{
    unsigned line = s->arrays.v[array].writes[k];
    for (size_t i = 0; i <= array; i++)
        for (int j = 0; j < (i < array ? CC_SOURCE_READS : k); j++)
            if (s->arrays.v[i].writes[j] == line && s->arrays.v[i].name &&
                strcmp(s->arrays.v[i].name, s->arrays.v[array].name) == 0)
                return false;
    return true;
}

/* Whether one instruction stores several fields of a record, which the source sets in several lines, and says
 * one of these: all that these store has the bytes of all fields, once for each copy of the body. Nothing but
 * other fields lies beside a field. */
static bool is_stored_beside(const struct gate_input *in, const struct cc_loop *l,
                             const struct cc_source_array *a)
{
    const struct cc_source_loop *s = in->source;
    uint64_t asked = 0, found = 0, each = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->arrays.n && a->name && a->member; i++) {
        const struct cc_source_array *b = &s->arrays.v[i];
        if (!b->name || strcmp(b->name, a->name) != 0 || !b->write_line)
            continue;
        if (!b->bytes || !b->member || b->writes[CC_SOURCE_READS - 1])
            return false;
        for (int k = 0; k < CC_SOURCE_READS && b->writes[k]; k++) {
            if (cc_lines_around(in, b->writes[k]) || is_maybe(in, b->writes[k]))
                return false;
            asked += b->bytes;
            found += is_new_line(s, i, k) ? stored_in(in, l->file, b->writes[k], &n) : 0;
        }
        each = CC_MAX(each, (uint64_t)b->bytes);
    }
    return asked && found > n * each && found % asked == 0 && found / asked >= cc_lines_bodies(in);
}

/* Whether the loop inside whose head that is was unrolled as a whole. */
static bool is_unrolled(const struct gate_input *in, const struct cc_source_head *h)
{
    for (size_t i = 0; i < in->sources->v.n; i++) {
        const struct cc_source_loop *x = &in->sources->v.v[i];
        if (x->line == h->line && cc_loop_inside(x, in->source) && strcmp(x->file, in->source->file) == 0)
            return !cc_lines_group(in, x);
    }
    return false;
}

/* How many elements a line sets in each iteration, in loops that were unrolled as a whole; their bytes. */
static uint64_t unrolled_bytes(const struct gate_input *in, unsigned line)
{
    uint64_t turns = 1, bytes = 0;
    for (size_t i = 0; i < in->source->heads.n; i++) {
        const struct cc_source_head *h = &in->source->heads.v[i];
        uint64_t here = 0;
        bool nested = false;
        for (int k = 0; h->role == CC_HEAD_INSIDE && h->count > 1 && k < CC_HEAD_STORES; k++) {
            nested = nested || h->nested[k] == line;
            here += h->stores[k] == line ? h->bytes[k] : 0;
        }
        bytes = here ? here : bytes;
        turns *= (here || nested) && is_unrolled(in, h) ? (uint64_t)h->count : 1;
    }
    return turns > 1 ? turns * bytes : 0;
}

/* A line that stores less, or all lines of the array together where what one of them stores bears the line of
 * another; 0: none. */
static unsigned lacks_turns(const struct gate_input *in, const struct cc_loop *l,
                            const struct cc_source_array *a)
{
    uint64_t all = 0, asked = 0;
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++) {
        bool known = false;
        for (int i = 0; i < k; i++)
            known = known || a->writes[i] == a->writes[k];
        uint64_t found = cc_lines_bytes(in, l->file, a->writes[k]), here = unrolled_bytes(in, a->writes[k]);
        if (found && found < here)
            return a->writes[k];
        all += known ? 0 : found;
        asked += known ? 0 : here;
    }
    return all && all < asked ? a->writes[0] : 0;
}

unsigned cc_lines_lost(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a)
{
    if ((a->scratch && !a->lasts) || !a->writes[0] || !cc_witness_any(in->witness))
        return 0;
    bool several = a->reads[0] != 0; /* what the loop also looks at */
    for (int k = 1; k < CC_SOURCE_READS && a->writes[k]; k++)
        several = several || a->writes[k] != a->writes[0];
    for (int k = 0; k < CC_SOURCE_READS && several && a->writes[k]; k++)
        if (a->kept[k] && !is_any_kept(in, l, a, k) && !is_stored_beside(in, l, a))
            return a->kept[k];
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        if (!is_maybe(in, a->writes[k]) && lacks_bytes(in, l, a, a->writes[k]))
            return a->writes[k];
    return a->scratch ? 0 : lacks_turns(in, l, a); /* of scratch the last iteration's stays: a clause */
}

/* Whether code of the loop stores in a line of it in which the source stores nothing: a compiler that makes
 * one of several iterations says of all of it the line that it begins in. Loads bear that line too. */
bool cc_lines_wander(const struct gate_input *in, const char *file)
{
    const struct cc_source_loop *s = in->source;
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        if (d->kind == CC_DEPENDENCE_WRITES && d->area != CC_AREA_STACK && d->first_line >= s->line &&
            d->first_line <= s->last_line && !cc_lines_stores(s, d->first_line) && d->first_file &&
            strcmp(d->first_file, file) == 0 && cc_gate_has(in, d->loop) && in_loop(in, d->first))
            return true;
    }
    return false;
}

/* One element, which the loop only combines with something: where it is kept in a register, the compiler has
 * seen that nothing else of the loop meets it. */
bool cc_lines_one_sum(const struct cc_source_array *a)
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
    bool here =
        a->scratch || cc_lines_one_sum(a) || !cc_witness_any(in->witness) || cc_lines_wander(in, l->file);
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
