#include "reads.h"
#include "inlined.h"
#include "copies.h"
#include "early.h"
#include "lines.h"
#include "proof.h"
#include "shared.h"

static size_t looks_in(const struct cc_source_loop *s, unsigned line)
{
    for (size_t i = 0; i < s->accesses.n; i++)
        if (s->accesses.v[i].line == line && !s->accesses.v[i].write)
            return s->accesses.v[i].count;
    return 1;
}

/* What the source reads in a line, of whatever array. */
static size_t reads_in(const struct cc_source_array *a, unsigned line)
{
    size_t n = 0;
    for (int k = 0; k < CC_SOURCE_READS; k++)
        n += a->reads[k] == line;
    return n;
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
 * loads are left: of what has a name, twice those that the line has of that name. */
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
    size_t looks = named && a->name ? named_in(in->source, a->name, line) : looks_in(in->source, line);
    size_t enough = around ? 2 * CC_MAX(times, looks) : CC_MAX(times, (size_t)1);
    if (cc_witness_loads(in->witness, &q) >= enough)
        return true;
    if (g) {
        q.members = g->members.v;
        q.nmembers = g->members.n;
    }
    return g && cc_witness_loads(in->witness, &q) >= CC_MAX(times, (size_t)1);
}

/* Whether the binary's code of a line reads memory in the loop: as far as can be told, that array. */
static bool line_reads(const struct gate_input *in, const char *file, unsigned line,
                       const struct cc_source_array *a, size_t times)
{
    return cc_witness_any(in->witness) ? is_read(in, file, line, a, times) : cc_lines_loaded(in, file, line);
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
static bool line_ran(const struct gate_input *in, const struct cc_loop *l, unsigned line,
                     const struct cc_source_array *a)
{
    return cc_lines_stored(in, l, cc_lines_stores(in->source, line) ? line : a->write_line);
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
           cc_copies_read(in, &q, name, asked > kept ? asked - kept : 0, false);
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

size_t cc_reads_times(const struct gate_input *in, unsigned line)
{
    return uses_what_was_stored(in, line) ? cc_lines_bodies(in) : 1;
}

static size_t bodies_of(const struct gate_input *in, const struct group *g)
{
    size_t n = 0;
    for (size_t i = 0; g && i < g->members.n; i++)
        n += in->p->loops[g->members.v[i]].iterations ? cc_copies_of(in->copies, g->members.v[i]) : 0;
    return g ? CC_MAX(n, (size_t)1) : cc_lines_bodies(in);
}

static size_t asked_in(const struct gate_input *in, unsigned line)
{
    size_t asked = 0;
    for (size_t i = 0; i < in->source->arrays.n; i++)
        asked += reads_in(&in->source->arrays.v[i], line);
    return asked;
}

static bool is_of_range(const struct cc_source_given *look)
{
    return strncmp(look->name, "__begin", 7) == 0;
}

/* Whether the lines of a `for` over a range have a load for each number that they look at: what its head
 * hands out bears the line where it is used. */
static bool is_loaded_in_range(const struct gate_input *in, struct cc_witness_query q)
{
    const struct cc_source_loop *around = cc_lines_around(in, q.line), *s = around ? around : in->source;
    size_t asked = 0, loads = 0;
    bool range = false;
    for (size_t i = 0; i < in->source->looks.n && q.line == s->line; i++)
        range = range || (in->source->looks.v[i].line == q.line && is_of_range(&in->source->looks.v[i]));
    for (q.line = s->line; range && q.line <= s->last_line; q.line++) {
        loads += cc_witness_loads(in->witness, &q);
        asked += asked_in(in, q.line);
        for (size_t i = 0; i < in->source->looks.n; i++) {
            const struct cc_source_given *x = &in->source->looks.v[i];
            asked += x->line == q.line && (x->direct || is_of_range(x));
        }
    }
    return range && loads >= asked * bodies_of(in, cc_lines_group(in, s));
}

/* A string or a row that is handed to a function, or a function object that is called: where no value goes
 * from iteration to iteration in registers it is looked at in memory, by whatever function. */
bool cc_reads_is_whole(const struct gate_input *in, const struct cc_source_given *look)
{
    return look->object && !cc_inlined_hands_on(in) && cc_lines_bodies(in) == 1;
}

/* What a line looks at may be loaded by a function that gets it, and was put into the loop. */
bool cc_reads_looked(const struct gate_input *in, const struct cc_loop *l, unsigned line)
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
        if (cc_reads_is_whole(in, &in->source->looks.v[i]))
            continue;
        asked += in->source->looks.v[i].line == line;
        direct += in->source->looks.v[i].line == line && in->source->looks.v[i].direct;
        all = all &&
              (in->source->looks.v[i].line != line || is_looked_at(in, l, line, in->source->looks.v[i].name));
    }
    size_t loads = cc_witness_loads(in->witness, &q) + cc_early_inside(in, line, &of),
           least = CC_MAX(asked, (size_t)1);
    return !cc_witness_any(in->witness) || (all && is_loaded_in_range(in, q)) ||
           (all && loads >= direct &&
            (loads >= least * cc_reads_times(in, line) ||
             loads + loads_elsewhere(in, q) >= least * cc_lines_bodies(in)));
}

bool cc_reads_span(const struct gate_input *in, const char *file, unsigned line)
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
    for (size_t i = 0; i < in->nmembers && in->nmembers > 1 && cc_lines_stores(in->source, line); i++) {
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
    bool once = a->reads[0] && !a->reads[1] && a->moving && !a->excused[0];
    written_lines(in, a, written);
    const struct cc_witness_query q = {.file = file,
                                       .line = line,
                                       .name = named ? a->name : NULL,
                                       .written = !named && written[0] ? written : NULL,
                                       .writers = in->members,
                                       .nwriters = in->nmembers};
    return !a->write_line || cc_copies_read(in, &q, NULL, times, once);
}

/* The first line whose reads the binary has no loads for; 0: none. Where writes only combine what is there
 * with something, the other looks at it count. */
unsigned cc_reads_unread(const struct gate_input *in, const struct cc_loop *l,
                         const struct cc_source_array *a)
{
    const unsigned *lines = a->partly ? a->looks : a->reads;
    bool wander = cc_lines_wander(in, l->file);
    for (int i = 0; i < CC_SOURCE_READS && lines[i]; i++) {
        size_t times = 0;
        if (a->write_line && uses_what_was_stored(in, lines[i]))
            return lines[i];
        if (cc_lines_copied(in, l, lines[i]))
            continue;
        for (int k = 0; k < CC_SOURCE_READS; k++)
            times += lines[k] == lines[i];
        if (a->partly) /* the load of what is combined there is none of what is looked at */
            times = CC_MAX(times, reads_in(a, lines[i]));
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
            !cc_reads_span(in, l->file, lines[i]) && !pair_reads(in, l->file, lines[i], a) &&
            !way_reads(in, l->file, lines[i], a))
            return lines[i];
    }
    /* the load of what is read once more may be gone, but the line has to have run */
    for (int i = 0; i < CC_SOURCE_READS && a->excused[i]; i++)
        if (!line_ran(in, l, a->excused[i], a) && !line_reads(in, l->file, a->excused[i], a, 1))
            return a->excused[i];
    return 0;
}

/* Whether some function that a line calls runs as one of its own, and gets what it gets by memory. */
static bool is_really_called(const struct gate_input *in, unsigned line)
{
    bool called = false;
    for (size_t i = 0; i < in->source->calls.n; i++) {
        const struct cc_loop_function *g = cc_source_function(in->sources, in->source->calls.v[i].symbol);
        called = called || (in->source->calls.v[i].line == line && g && cc_shared_runs(in, g));
    }
    return called;
}

unsigned cc_reads_unmet(const struct gate_input *in, const struct cc_loop *l, const struct cc_source_array *a)
{
    struct cc_source_array written = *a; /* as one that is also written */
    written.write_line = written.writes[0] = a->met_line;
    unsigned line = cc_reads_unread(in, l, &written);
    bool named = a->name && a->whole && !a->behind;
    struct cc_witness_query q = {
        .file = l->file, .name = named ? a->name : NULL, .members = in->members, .nmembers = in->nmembers};
    size_t loads = 0;
    if (line || !cc_witness_any(in->witness))
        return line;
    if (a->met_fields == CC_SOURCE_WHOLE)
        return is_really_called(in, a->read_line) ? 0 : a->read_line;
    for (q.line = in->source->line; q.line <= in->source->last_line; q.line++)
        loads += cc_witness_loads(in->witness, &q);
    return loads < a->met_fields * cc_lines_bodies(in) ? a->read_line : 0;
}

/* Whether some `restrict` was seen not to be one: a compiler that believes it leaves loads out. */
static bool is_broken(const struct gate_input *in, const char *file)
{
    bool broken = false;
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        broken = broken || (a->alone && !cc_gate_alone(in, a, file));
    }
    return broken;
}

/* Loads that the binary has in a line, anywhere in the loop, against what the source reads there. each: in
 * each copy of the body, of which one may hand on to the next what another has loaded. */
static bool has_loads(const struct gate_input *in, const char *file, unsigned line, bool each)
{
    struct cc_witness_query q = {
        .file = file, .line = line, .members = in->members, .nmembers = in->nmembers, .elements = in->source};
    size_t asked = 0;
    for (size_t i = 0; i < in->source->arrays.n; i++)
        if (!cc_lines_one_sum(&in->source->arrays.v[i]))
            asked += reads_in(&in->source->arrays.v[i], line);
    return cc_witness_any(in->witness) &&
           cc_witness_loads(in->witness, &q) >=
               asked * (each || is_broken(in, file) ? cc_lines_bodies(in) : cc_reads_times(in, line));
}

/* Whether every copy of the body has a load for each look of the line, whatever at: one behind a pointer in
 * memory takes two, and a call may be any. */
bool cc_reads_all_loaded(const struct gate_input *in, const char *file, unsigned line)
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
bool cc_reads_all_there(const struct gate_input *in, const struct cc_loop *l)
{
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        for (int k = 0; k < CC_SOURCE_READS && a->reads[k]; k++)
            if (!has_loads(in, l->file, a->reads[k], l->reasons.n || in->rotating.n))
                return false;
        bool stored = !a->write_line || cc_lines_one_sum(a);
        for (int k = 0; k < CC_SOURCE_READS && !stored && a->writes[k]; k++)
            stored = line_ran(in, l, a->writes[k], a);
        if (!stored)
            return false;
    }
    return true;
}
