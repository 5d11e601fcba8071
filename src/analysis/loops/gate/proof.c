#include "proof.h"
#include "copies.h"
#include "leads.h"
#include "lines.h"
#include "reads.h"
#include "../../../base/text.h"

bool cc_gate_is_number(const char *symbol)
{
    static const char *const names[] = {
        "abs",   "acos", "acosh", "asin", "asinh",     "atan",  "atan2", "atanh", "cbrt",  "ceil",  "cos",
        "cosh",  "erf",  "erfc",  "exp",  "exp2",      "expm1", "fabs",  "fdim",  "floor", "fma",   "fmax",
        "fmin",  "fmod", "hypot", "labs", "llabs",     "log",   "log10", "log1p", "log2",  "pow",   "rint",
        "round", "sin",  "sinh",  "sqrt", "nearbyint", "tan",   "tanh",  "trunc", "lrint", "lround"};
    static const char prefix[] = "c:@F@";
    if (strncmp(symbol, prefix, sizeof prefix - 1) != 0)
        return false;
    symbol += sizeof prefix - 1;
    for (size_t i = 0; i < CC_COUNT(names); i++) {
        size_t n = strlen(names[i]);
        bool begins = strncmp(symbol, names[i], n) == 0;
        if (begins && (!symbol[n] || ((symbol[n] == 'f' || symbol[n] == 'l') && !symbol[n + 1])))
            return true;
    }
    return false;
}

/* A chain of calls: of a function that calls itself, once is enough. */
struct chain {
    const struct cc_loop_function *function;
    const struct chain *by;
    int depth;
};

static bool is_in(const struct chain *c, const struct cc_loop_function *g)
{
    while (c && c->function != g)
        c = c->by;
    return c != NULL;
}

static bool are_pure(const struct cc_source_loops *s, const struct cc_loop_call *v, size_t n,
                     const struct chain *by)
{
    for (size_t i = 0; i < n; i++) {
        const struct cc_loop_function *g = cc_source_function(s, v[i].symbol);
        const struct chain next = {g, by, by ? by->depth + 1 : 1};
        bool pure = g ? g->pure && next.depth <= CC_GATE_DEEP &&
                            (is_in(by, g) || are_pure(s, g->calls.v, g->calls.n, &next))
                      : cc_gate_is_number(v[i].symbol);
        if (!pure)
            return false;
    }
    return true;
}

bool cc_gate_is_passed(const struct cc_source_variable *v)
{
    return v->class == CC_SOURCE_ADDRESS || v->class == CC_SOURCE_ADDRESS_LAST;
}

bool cc_gate_is_scalar(const struct cc_source_loop *s, const char *place)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(place);
    for (char *one, *rest = copy; (one = cc_loop_next_name(&rest));) {
        bool known = false;
        for (size_t i = 0; i < s->inside.n; i++)
            known = known || strcmp(s->inside.v[i], one) == 0;
        for (size_t i = 0; i < s->variables.n; i++)
            known =
                known || (strcmp(s->variables.v[i].name, one) == 0 && !cc_gate_is_passed(&s->variables.v[i]));
        if (!known)
            return false;
    }
    return true;
}

bool cc_gate_is_register(const struct cc_source_loop *s, const char *place)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(place);
    for (char *one, *rest = copy; (one = cc_loop_next_name(&rest));)
        for (size_t i = 0; i < s->variables.n; i++)
            if (strcmp(s->variables.v[i].name, one) == 0 && s->variables.v[i].shared)
                return false;
    return cc_gate_is_scalar(s, place);
}

const char *cc_gate_combined(const struct cc_source_array *a)
{
    return a->op ? a->op : a->partly && a->unseen ? a->partly : NULL;
}

static bool is_proved(const struct cc_source_array *a)
{
    return !a->write_line || a->apart || a->settles || cc_gate_combined(a) || (a->scratch && !a->lasts);
}

/* Whether the loop writes a scalar, or anything, that a pointer may lead to. */
static bool writes_shared(const struct cc_source_loop *s)
{
    bool written = false;
    for (size_t i = 0; i < s->variables.n; i++)
        written = written || (s->variables.v[i].write_line && s->variables.v[i].shared);
    return written;
}

static bool writes_memory(const struct cc_source_loop *s)
{
    bool written = writes_shared(s);
    for (size_t i = 0; i < s->arrays.n; i++)
        written = written || s->arrays.v[i].write_line;
    return written;
}

/* Memory is accessed as what it was written as: compilers take that for granted where they leave loads out.
 */
static bool differ_in_type(const struct cc_source_array *a, const struct cc_source_array *b)
{
    return a->element && b->element && a->element != b->element;
}

bool cc_gate_other_name(const struct cc_source_array *a, const struct cc_source_array *b)
{
    bool other = !a->name || !b->name || strcmp(a->name, b->name) != 0;
    return other || (a != b && a->behind && b->behind && (a->led || b->led) && !differ_in_type(a, b));
}

/* Whether nothing else is at what the name says: an array as it was declared, or blocks that were allocated
 * for the one pointer. A pointer in a struct (`s.p[i]`) may lead to any of these. */
static bool is_thing(const struct cc_source_array *a)
{
    return a->name && !a->behind && (a->whole || (a->fresh && a->still));
}

/* Whether each thing has one name here: arrays as they were declared, blocks, or one pointer alone. Of what
 * nobody writes it does not matter. That nothing else leads to a `restrict` is but promised: a compiler that
 * has seen who calls may know better, and keep in a register what goes from one name to the other. */
static bool is_one_name_each(const struct cc_source_loop *s)
{
    bool whole = true, one = !writes_shared(s);
    for (size_t i = 0; i < s->arrays.n; i++) {
        whole = whole && is_thing(&s->arrays.v[i]);
        for (size_t k = 0; k <= i; k++)
            one = one && !cc_gate_other_name(&s->arrays.v[i], &s->arrays.v[k]);
    }
    return whole || one || !writes_memory(s);
}

bool cc_gate_settles(const struct gate_input *in, const struct cc_source_array *a)
{
    const struct cc_source_loop *s = in->source;
    return a->settles && s->plain && is_one_name_each(s) &&
           are_pure(in->sources, s->calls.v, s->calls.n, NULL);
}

bool cc_gate_goes_over(const struct gate_input *in, const struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    bool found = false;
    for (size_t i = 0; s && i < l->reasons.n; i++)
        for (size_t k = 0; k < s->left.n && l->reasons.v[i].variable; k++)
            found = found || (l->reasons.v[i].kind == CC_REASON_RAW &&
                              cc_loop_named(l->reasons.v[i].variable, s->left.v[k]));
    return found;
}

static bool are_scalars_proved(const struct cc_source_loop *s)
{
    bool proved = true;
    for (size_t i = 0; i < s->variables.n && proved; i++) {
        enum cc_source_class class = s->variables.v[i].class;
        proved = class == CC_SOURCE_COUNTER || class == CC_SOURCE_PRIVATE || class == CC_SOURCE_LAST ||
                 class == CC_SOURCE_REDUCTION;
    }
    return proved;
}

/* Vectors that the counter goes through side by side, and nothing else. */
static bool is_abreast(const struct cc_source_loop *s)
{
    bool abreast = s->given.n && !s->arrays.n && !s->combined.n && !s->copies.n;
    for (size_t i = 0; i < s->given.n && abreast; i++)
        abreast = s->given.v[i].abreast;
    return abreast;
}

enum cc_proof cc_gate_proof(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    bool counts = s && (s->canonical || (s->bounded && s->kind == CC_SOURCE_FOR));
    if (!counts || !s->counter || s->exit_line || !are_scalars_proved(s))
        return CC_PROOF_NONE;
    if (is_abreast(s))
        return CC_PROOF_TIGHT;
    if (!s->plain)
        return CC_PROOF_NONE;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (!is_proved(&s->arrays.v[i]))
            return CC_PROOF_NONE;
    if (!are_pure(in->sources, s->calls.v, s->calls.n, NULL))
        return CC_PROOF_NONE;
    bool tight = true;
    for (size_t i = 0; i < s->arrays.n; i++)
        tight = tight && ((s->arrays.v[i].tight && !s->arrays.v[i].counted) || !writes_memory(s));
    return !is_one_name_each(s) ? CC_PROOF_NAMES : tight ? CC_PROOF_TIGHT : CC_PROOF_WHOLE;
}

/* Whether a block that one of them has to itself cannot be what the other one names. */
static bool is_of_its_own(const struct cc_source_array *a, const struct cc_source_array *b)
{
    return a->fresh && (b->fresh || b->given || (b->whole && !b->behind));
}

/* Whether they may be one thing, as far as the source tells; a compiler may know. */
static bool may_be_one(const struct cc_source_array *a, const struct cc_source_array *b)
{
    return cc_gate_other_name(a, b) && !(a->whole && b->whole && !a->behind && !b->behind) &&
           !is_of_its_own(a, b) && !is_of_its_own(b, a) && !differ_in_type(a, b);
}

/* By another name it may be what the loop writes. */
static bool is_named_twice(const struct cc_source_loop *s, const struct cc_source_array *a)
{
    if (s->given.n && !a->whole && !a->alone) /* `v[i]` of a container whose `data()` it is */
        return true;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].write_line && may_be_one(a, &s->arrays.v[i]))
            return true;
    return false;
}

/* Reads in a line of what is another element in each iteration, and was not read before; line 0: of all. */
static size_t moving_in(const struct cc_source_loop *s, unsigned line)
{
    size_t n = 0;
    for (size_t i = 0; i < s->arrays.n; i++)
        for (int k = 0; k < CC_SOURCE_READS && s->arrays.v[i].lone[k] && !s->arrays.v[i].scratch; k++)
            n += !line || s->arrays.v[i].lone[k] == line;
    return CC_MAX(n, (size_t)1);
}

/* Lines that write what it may be by another name. */
static void others_lines(const struct cc_source_loop *s, const struct cc_source_array *a,
                         unsigned ret[CC_WITNESS_LINES])
{
    size_t n = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *b = &s->arrays.v[i];
        for (int k = 0; k < CC_SOURCE_READS && b->writes[k] && may_be_one(a, b) && n < CC_WITNESS_LINES; k++)
            ret[n++] = b->writes[k];
    }
    for (size_t i = 0; i < s->given.n && n < CC_WITNESS_LINES; i++)
        ret[n++] = s->given.v[i].line;
}

/* Loads that an iteration before has made: but not of what that also stores, where it may be by another name,
 * nor of what the loop was seen to write. An element that is loaded that early, or in front of the loop, does
 * not meet an iteration that writes it soon after it is read. */
static size_t loads_before(const struct gate_input *in, const struct cc_source_array *a)
{
    unsigned written[CC_WITNESS_LINES] = {0};
    struct cc_witness_query all = {.members = in->members, .nmembers = in->nmembers, .constants = true},
                            theirs = {.written = written, .writers = in->members, .nwriters = in->nmembers};
    size_t kept = 0;
    others_lines(in->source, a, written);
    for (size_t i = 0; i < in->rotating.n; i++) {
        uint64_t from = in->rotating.v[i].from;
        kept += cc_witness_loads_of(in->witness, &all, from) && !cc_witness_stores(in->witness, from) &&
                !cc_witness_loads_of(in->witness, &theirs, from);
    }
    return kept;
}

bool cc_gate_alone(const struct gate_input *in, const struct cc_source_array *a, const char *file)
{
    unsigned written[CC_WITNESS_LINES] = {0};
    bool alone = a->alone;
    others_lines(in->source, a, written);
    for (int i = 0; i < CC_SOURCE_READS && a->reads[i] && alone && written[0]; i++) {
        struct cc_witness_query q = {.file = file,
                                     .line = a->reads[i],
                                     .members = in->members,
                                     .nmembers = in->nmembers,
                                     .written = written,
                                     .writers = in->members,
                                     .nwriters = in->nmembers};
        alone = !cc_witness_loads(in->witness, &q);
    }
    return alone;
}

bool cc_gate_names_apart(const struct gate_input *in, const char *file)
{
    bool apart = !writes_shared(in->source);
    for (size_t i = 0; i < in->source->arrays.n && apart; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        apart = !is_named_twice(in->source, a) || a->constant || cc_leads_apart(in, file, a);
    }
    return apart;
}

static unsigned unread(const struct gate_input *in, const struct cc_source_array *a, const char *file)
{
    if (a->write_line || !a->moving || a->constant || !cc_witness_any(in->witness) ||
        !is_named_twice(in->source, a) || cc_leads_elsewhere(in, file, a))
        return 0;
    size_t times = 1;
    bool alone = cc_gate_alone(in, a, file), moved = false;
    for (int i = 0; i < CC_SOURCE_READS && a->reads[i]; i++) {
        struct cc_witness_query q = {.file = file,
                                     .line = a->reads[i],
                                     .members = in->members,
                                     .nmembers = in->nmembers,
                                     .constants = true};
        struct cc_witness_query constant = {file, a->reads[i], a->name, in->members, in->nmembers};
        /* a `restrict`: one load is enough to show what it leads to */
        bool one = alone || cc_lines_inner(in, a->reads[i]);
        size_t least = one ? 1 : moving_in(in->source, a->reads[i]);
        bool few = !alone && !cc_copies_read(in, &q, NULL, least, false);
        if (few && cc_lines_bodies(in) > 1)
            return a->reads[i];
        /* of one body: what a variable gets may be loaded where the variable is used, if the loop has all */
        moved = moved || few;
        times = CC_MAX(times, cc_reads_times(in, a->reads[i]));
        bool broken = a->alone && !alone; /* then each load has to be there, not those of one line */
        if ((!broken && !moved &&
             (cc_witness_loads(in->witness, &q) >= least * times ||
              cc_reads_all_loaded(in, file, a->reads[i]) || cc_reads_span(in, file, a->reads[i]))) ||
            (a->whole && a->name && cc_witness_constant(in->witness, &constant)))
            return 0;
    }
    /* the loads may bear the line of another statement, or be made by the iteration before */
    struct cc_witness_query all = {
        .members = in->members, .nmembers = in->nmembers, .constants = true, .moving = moved};
    bool broken = a->alone && !alone; /* in each copy of the body */
    size_t loads = cc_witness_loads_in(in->witness, &all) + (broken ? 0 : loads_before(in, a));
    times = broken ? CC_MAX(times, cc_lines_bodies(in)) : times;
    return loads >= moving_in(in->source, 0) * times ? 0 : a->reads[0];
}

/* Whether the loop itself sets elements of it, and does not only say where they are (`p = &a[i]`): what is
 * written by way of a pointer has that name. */
static bool is_set(const struct cc_source_array *a)
{
    bool set = false;
    for (int k = 0; k < CC_SOURCE_READS && a->writes[k]; k++)
        set = set || a->kept[k];
    return set;
}

/* The line of a store that the binary makes elsewhere, all at once, of what may be read, or written as well,
 * by another name; 0: none. */
static unsigned unstored(const struct gate_input *in, const struct cc_loop *l,
                         const struct cc_source_array *a)
{
    bool read = false;
    for (size_t i = 0; i < in->source->arrays.n && is_set(a) && !a->alone && !a->record; i++) {
        const struct cc_source_array *b = &in->source->arrays.v[i];
        read = read || ((b->reads[0] || is_set(b)) && !b->alone && !b->record && may_be_one(a, b));
    }
    return read ? cc_lines_elsewhere(in, l, a) : 0;
}

const char *cc_gate_alias(const struct gate_input *in, const struct cc_loop *l,
                          const struct cc_source_array *a, unsigned *ret_line)
{
    const char *name = a->name ? a->name : "something";
    *ret_line = unread(in, a, l->file);
    if (*ret_line)
        return cc_arena_printf(in->arena,
                               "independent in this binary, which has no load for what line %u reads of "
                               "%s: that may be what an iteration writes by another name",
                               *ret_line, name);
    *ret_line = unstored(in, l, a);
    if (*ret_line && cc_lines_idle(in, l, a))
        return cc_arena_printf(in->arena,
                               "iterations did not need each other, but line %u never wrote what it may "
                               "write of %s, which may be read by another name: an input that gets there may "
                               "tell",
                               *ret_line, name);
    return *ret_line
               ? cc_arena_printf(in->arena,
                                 "independent in this binary, whose loop stores nothing for line %u: what "
                                 "that writes of %s may be read by another name",
                                 *ret_line, name)
               : NULL;
}

/* Instructions of a line that loaded what an earlier iteration wrote. */
static size_t finders(const struct gate_input *in, const char *file, unsigned line)
{
    CC_VEC(uint64_t) seen = {0};
    for (size_t i = 0; i < in->p->ndependences; i++) {
        const struct cc_pdependence *d = &in->p->dependences[i];
        bool mine = d->kind == CC_DEPENDENCE_RAW && d->space == CC_SPACE_MEMORY && d->second_line == line &&
                    d->second_file && strcmp(d->second_file, file) == 0;
        bool member = false, known = false;
        for (size_t k = 0; mine && k < in->nmembers; k++)
            member = member || d->loop == in->members[k];
        for (size_t k = 0; member && k < seen.n; k++)
            known = known || seen.v[k] == d->second;
        if (member && !known)
            CC_VEC_PUSH(&seen, d->second);
    }
    size_t n = seen.n;
    CC_VEC_FINI(&seen);
    return n;
}

/* The array that a reason is about, if that is all there is to it. */
static const struct cc_source_array *combined_in(const struct gate_input *in, const struct cc_loop_reason *r)
{
    bool memory = r->kind == CC_REASON_RAW || r->kind == CC_REASON_WAR || r->kind == CC_REASON_WAW;
    unsigned line = r->first.line;
    if (!memory || !r->variable || !r->first.file || r->second.line != line ||
        !cc_text_same_file(in->source->file, r->first.file))
        return NULL;
    const struct cc_source_array *only = NULL;
    for (size_t i = 0; i < in->source->arrays.n; i++) {
        const struct cc_source_array *a = &in->source->arrays.v[i];
        if (a->name && strcmp(a->name, r->variable) == 0 && a->write_line) {
            if (only)
                return NULL;
            only = a;
        }
    }
    /* written there and nowhere else; a look by another name would be one more instruction */
    bool there = only && only->whole && only->op && only->write_line == line;
    for (int k = 0; there && k < CC_SOURCE_READS && only->writes[k]; k++)
        there = only->writes[k] == line;
    return there && finders(in, r->first.file, line) <= cc_lines_bodies(in) ? only : NULL;
}

static bool in_loop(const struct cc_source_loop *s, const struct cc_loop_place *at)
{
    return at->file && cc_text_same_file(s->file, at->file) && at->line >= s->line &&
           at->line <= s->last_line;
}

/* Where std::min and std::max look at what they are given. */
static bool is_extreme(const struct cc_loop_place *at, const char *op)
{
    bool extreme = strcmp(op, "min") == 0 || strcmp(op, "max") == 0;
    return extreme && at->file &&
           (strstr(at->file, "bits/stl_algobase.h") || strstr(at->file, "__algorithm/m"));
}

/* Whether nothing but its name leads to a variable, where a reason has met it: in C the source tells. In C++
 * there may be references; code that was not optimised follows them in memory, and a name not. */
static bool is_by_name(const struct gate_input *in, const struct cc_loop_reason *r, const char *op)
{
    bool first = in_loop(in->source, &r->first), second = in_loop(in->source, &r->second);
    const char *type = strrchr(in->source->file, '.');
    bool extreme = strcmp(op, "min") == 0 || strcmp(op, "max") == 0;
    bool statement = extreme && r->first.line == r->second.line; /* what std::max hands back is a reference */
    if (first && second)
        return (type && strcmp(type, ".c") == 0) || ((r->direct || statement) && cc_lines_plain(in));
    return cc_lines_plain(in) && (first || is_extreme(&r->first, op)) &&
           (second || is_extreme(&r->second, op));
}

/* A variable of the function's own that the source only ever combines with something. */
static const struct cc_source_variable *slot_in(const struct gate_input *in, const struct cc_loop_reason *r)
{
    bool memory = r->kind == CC_REASON_RAW || r->kind == CC_REASON_WAR || r->kind == CC_REASON_WAW;
    const struct cc_source_loop *s = in->source;
    const struct cc_source_variable *only = NULL;
    for (size_t i = 0; memory && r->variable && i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, r->variable) == 0)
            only = &s->variables.v[i];
    for (size_t i = 0; only && i < s->inside.n; i++) /* two of one name are not told apart */
        if (strcmp(s->inside.v[i], r->variable) == 0)
            return NULL;
    bool combined = only && only->class == CC_SOURCE_REDUCTION && !only->shared;
    return combined && is_by_name(in, r, only->op) ? only : NULL;
}

/* What a `for` over a range goes on by has a name that no program may use. */
bool cc_gate_is_range(const struct cc_source_loop *s, const char *name)
{
    return s->canonical && !s->counter && name &&
           (strncmp(name, "__begin", 7) == 0 || strcmp(name, "__for_begin") == 0);
}

static void add_combined(struct cc_loop *l, const char *op, const char *name)
{
    bool known = false;
    for (size_t k = 0; k < l->reductions.n; k++)
        known = known || (l->reductions.v[k].variable && strcmp(l->reductions.v[k].variable, name) == 0);
    if (!known)
        CC_VEC_PUSH(&l->reductions, ((struct cc_loop_reduction){op, name}));
}

static bool is_listed(const char *const *v, size_t n, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < n && !found; i++)
        found = strcmp(v[i], name) == 0;
    return found;
}

/* Whether it is only that an iteration overwrites a variable which the loop declares, and nothing else bears
 * the name: each has its own. That one reads there what was there before (what is copied of a short string is
 * all of its place) tells it nothing. A function that was put into another may bear a name of that one's. */
static bool is_of_iteration(const struct gate_input *in, const struct cc_loop *l,
                            const struct cc_loop_reason *r)
{
    const struct cc_source_loop *s = in->source;
    bool own = (r->kind == CC_REASON_WAR || r->kind == CC_REASON_WAW) && r->stack && r->variable &&
               is_listed(s->inside.v, s->inside.n, r->variable) &&
               !is_listed(s->names.v, s->names.n, r->variable);
    for (size_t i = 0; i < in->nmembers && own; i++)
        own = !in->p->loops[in->members[i]].inlined;
    for (size_t i = 0; i < l->reasons.n && own; i++)
        own = l->reasons.v[i].kind != CC_REASON_RAW || !l->reasons.v[i].variable ||
              !cc_loop_named(l->reasons.v[i].variable, r->variable);
    return own;
}

void cc_gate_combine(const struct gate_input *in, struct cc_loop *l)
{
    size_t kept = 0, before = l->reasons.n;
    for (size_t i = 0; in->source && i < before; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        if (is_of_iteration(in, l, r))
            continue;
        const struct cc_source_array *a = combined_in(in, r);
        const struct cc_source_variable *v = a ? NULL : slot_in(in, r);
        if (a || v)
            add_combined(l, a ? a->op : v->op, a ? a->name : v->name);
        else if (r->kind > CC_REASON_WAW || !cc_gate_is_range(in->source, r->variable))
            l->reasons.v[kept++] = l->reasons.v[i];
    }
    if (!in->source || kept == before)
        return;
    l->reasons.n = kept;
    if (!kept)
        l->verdict = in->unknown ? CC_VERDICT_UNKNOWN : CC_VERDICT_PARALLEL;
}
