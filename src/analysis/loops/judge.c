#include "judge.h"
#include "../../base/text.h"
#include "../../binary/call_types.h"
#include "unseen.h"
#include "flow/flow.h"
#include "../../isa/isa.h"
#include "../../isa/syscalls.h"

struct cc_judge {
    const struct cc_profile *p;
    const struct cc_isa *isa;
    uint32_t *begin; /* by loop, and one more: its dependences in `order` */
    uint32_t *order;
    struct cc_flow *flow;
    const struct cc_copies *copies;
    struct cc_unseen_code *unseen; /* NULL: code and registers are known */
};

/* --- the dependences of each loop together --- */

struct cc_judge *cc_judge_new(const struct cc_profile *p, const struct cc_copies *copies)
{
    struct cc_judge *j = cc_alloc(sizeof *j);
    j->p = p;
    j->copies = copies;
    j->unseen = cc_unseen(p) ? cc_unseen_new(p) : NULL;
    j->isa = p->isa ? cc_isa_named(p->isa) : NULL;
    j->begin = cc_alloc_array(p->nloops + 2, sizeof *j->begin);
    j->order = cc_alloc_array(p->ndependences + 1, sizeof *j->order);
    for (size_t i = 0; i < p->ndependences; i++)
        j->begin[p->dependences[i].loop + 2]++;
    for (size_t i = 2; i < p->nloops + 2; i++)
        j->begin[i] += j->begin[i - 1];
    for (size_t i = 0; i < p->ndependences; i++)
        j->order[j->begin[p->dependences[i].loop + 1]++] = (uint32_t)i;
    j->flow = cc_flow_new(p->loop_code, p->nloop_code, p->isa, p->loop_code_cut);
    return j;
}

void cc_judge_free(struct cc_judge *j)
{
    if (!j)
        return;
    free(j->begin);
    cc_flow_free(j->flow);
    cc_unseen_free(j->unseen);
    free(j->order);
    free(j);
}

void cc_judgement_fini(struct cc_judgement *x)
{
    CC_VEC_FINI(&x->reasons);
    CC_VEC_FINI(&x->reductions);
    CC_VEC_FINI(&x->updates);
    CC_VEC_FINI(&x->privates);
    CC_VEC_FINI(&x->counted);
    CC_VEC_FINI(&x->unsure);
    CC_VEC_FINI(&x->rotating);
}

/* --- library functions --- */

bool cc_call_moves_data(const char *call)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp",  "memchr",  "strlen",
                                        "strcpy", "strncpy", "strcmp", "strncmp", "strchr",  "strrchr",
                                        "stpcpy", "bcopy",   "bzero",  "mempcpy", "strnlen", "strcat"};
    while (*call == '_')
        call++;
    call += strncmp(call, "GI_", 3) == 0 ? 3 : 0; /* the C library's own name for it */
    for (size_t i = 0; i < CC_COUNT(names); i++) {
        size_t n = strlen(names[i]);
        if (strncmp(call, names[i], n) == 0 && (!call[n] || call[n] == '_' || call[n] == '@'))
            return true;
    }
    return false;
}

/* Those that POSIX lets share something between all threads, with nothing to guard it. */
static bool shares_state(const char *call)
{
    static const char *const names[] = {
        "asctime",   "basename",    "catgets",    "crypt",     "ctime",     "dirname",  "dlerror",
        "drand48",   "ecvt",        "encrypt",    "fcvt",      "gcvt",      "getdate",  "getgrent",
        "getgrgid",  "getgrnam",    "getlogin",   "getopt",    "getpwent",  "getpwnam", "getpwuid",
        "gmtime",    "hcreate",     "hdestroy",   "hsearch",   "inet_ntoa", "l64a",     "lgamma",
        "lgammaf",   "lgammal",     "localeconv", "localtime", "lrand48",   "mblen",    "mbtowc",
        "mrand48",   "nl_langinfo", "ptsname",    "putenv",    "rand",      "readdir",  "setenv",
        "setlocale", "strerror",    "strsignal",  "strtok",    "tmpnam",    "ttyname",  "unsetenv",
        "wctomb"};
    while (*call == '_')
        call++;
    for (size_t i = 0; i < CC_COUNT(names); i++)
        if (strcmp(call, names[i]) == 0)
            return true;
    return false;
}

/* What the allocator asks of the system, and what threads wait with, says nothing about order. */
static bool is_output(const struct cc_syscall *c)
{
    if (!c)
        return true;
    bool memory = c->kind == CC_SYS_MMAP || c->kind == CC_SYS_MUNMAP || c->kind == CC_SYS_MREMAP ||
                  c->kind == CC_SYS_BRK;
    bool time = c->race == CC_RACE_CLOCK || c->race == CC_RACE_TIMEOFDAY || c->race == CC_RACE_TIME;
    return !memory && !time && c->race != CC_RACE_FUTEX && c->race != CC_RACE_YIELD;
}

/* --- one dependence --- */

enum harm { NONE, FLOATS, ROTATES, KEEPS, COUNTS, COMBINES, HARMS };
enum { ACROSS = 1 << 30 }; /* among its flags: it comes from another loop of the same statement */

static struct cc_loop_place first_of(const struct cc_pdependence *d)
{
    return (struct cc_loop_place){d->first_file, d->first_line};
}

static struct cc_loop_place second_of(const struct cc_pdependence *d)
{
    return (struct cc_loop_place){d->second_file, d->second_line};
}

static struct cc_loop_reason reason(enum cc_reason_kind kind, const char *variable,
                                    const struct cc_pdependence *d)
{
    return (struct cc_loop_reason){.kind = kind,
                                   .variable = variable,
                                   .first = first_of(d),
                                   .second = second_of(d),
                                   .distance = d->distance_min,
                                   .count = d->count};
}

static void add_reason(struct cc_judgement *x, enum cc_reason_kind kind, const char *variable,
                       const struct cc_pdependence *d)
{
    CC_VEC_PUSH(&x->reasons, reason(kind, variable, d));
}

static struct cc_loop_reason memory_reason(const struct cc_judge *j, enum cc_reason_kind kind,
                                           const struct cc_pdependence *d, const struct cc_flow_body *body)
{
    struct cc_loop_reason r = reason(kind, d->variable, d);
    uint32_t from = d->flags & ACROSS ? cc_copies_loop(j->p, d->first) : CC_NONE;
    r.across = from != CC_NONE && from != d->loop && j->p->loops[from].trips_min > 1 &&
               j->p->loops[d->loop].trips_min > 1;
    bool own = d->area == CC_AREA_STACK && !d->first_call && !d->second_call;
    r.stack = d->area == CC_AREA_STACK;
    r.frame = own && cc_flow_in_frame(body, d->first) && cc_flow_in_frame(body, d->second);
    r.direct = own && cc_flow_is_direct(body, d->first) && cc_flow_is_direct(body, d->second);
    return r;
}

/* Both accesses are a library's. */
static bool within_library(const struct cc_pdependence *d)
{
    return d->first_call && d->second_call && !cc_call_moves_data(d->first_call) &&
           !cc_call_moves_data(d->second_call);
}

/* Throwing and catching: what that keeps is a thread's own (how many exceptions are under way) or there for
 * all of them (where the frames of a file are told), and an exception that leaves the loop ends it. */
static bool is_throwing(const char *call)
{
    static const char *const calls[] = {"__cxa_throw",     "__cxa_rethrow",           "__cxa_begin_catch",
                                        "__cxa_end_catch", "__cxa_get_exception_ptr", "_Unwind_Resume"};
    for (size_t i = 0; call && i < CC_COUNT(calls); i++)
        if (strcmp(call, calls[i]) == 0)
            return true;
    return false;
}

static bool throws(const struct cc_pdependence *d)
{
    return is_throwing(d->first_call) && is_throwing(d->second_call);
}

/* The file that an address of static data lies in is the last that begins below it. */
static bool in_program(const struct cc_profile *p, uint64_t address)
{
    const struct cc_pbinary *best = NULL;
    for (size_t i = 0; i < p->nbinaries; i++)
        if (p->binaries[i].bias <= address && (!best || p->binaries[i].bias > best->bias))
            best = &p->binaries[i];
    return best && best->program;
}

/* What a library overwrites of its static data it keeps for the next call, of whatever thread. In a static
 * program nobody knows whose these are, but for the function. */
static bool library_keeps(const struct cc_judge *j, const struct cc_pdependence *d)
{
    return within_library(d) && d->area == CC_AREA_IMAGE &&
           (!in_program(j->p, d->place) || shares_state(d->second_call));
}

/* What a library overwrites of its own (a block, what each thread has) is its own business; not so a variable
 * or block of the program that it was given, as sprintf is. */
static bool librarys_own(const struct cc_judge *j, const struct cc_pdependence *d)
{
    if (!within_library(d))
        return false;
    if ((d->area != CC_AREA_HEAP && d->area != CC_AREA_IMAGE) || !d->variable)
        return !d->variable && d->area != CC_AREA_IMAGE;
    /* it keeps things there as well, in a stream's block; in a static program nobody knows whose variables
     * are, but what is written by a call that has to keep its order keeps it too */
    for (uint32_t i = j->begin[d->loop]; i < j->begin[d->loop + 1]; i++) {
        const struct cc_pdependence *o = &j->p->dependences[j->order[i]];
        if (o->kind != CC_DEPENDENCE_RAW || !within_library(o))
            continue;
        bool block = o->area == CC_AREA_HEAP && o->variable && strcmp(o->variable, d->variable) == 0;
        bool call = strcmp(o->first_call, d->first_call) == 0 && strcmp(o->second_call, d->second_call) == 0;
        if (d->area == CC_AREA_HEAP ? block : call)
            return true;
    }
    return false;
}

static bool same_place(const struct cc_pdependence *a, const struct cc_pdependence *b)
{
    if (a->space != b->space || a->area != b->area)
        return false;
    return a->place == b->place ||
           (a->variable && b->variable && strcmp(a->variable, b->variable) == 0 && a->area != CC_AREA_HEAP);
}

/* `__last`: of a library's function that was put there. Others bear it as well. */
static bool is_reserved(const char *name)
{
    return strncmp(name, "__", 2) == 0;
}

/* Whether one of the names of a place is the program's. */
static bool has_own_name(const char *names)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(names);
    bool own = false;
    for (char *one, *rest = copy; !own && (one = cc_loop_next_name(&rest));)
        own = !is_reserved(one);
    return own;
}

/* The same, or perhaps the same: a place of a frame bears the names that it has at the instructions, "a / b /
 * …". */
static bool perhaps_same_place(const struct cc_pdependence *a, const struct cc_pdependence *b)
{
    bool named = a->space == b->space && a->area == CC_AREA_STACK && b->area == CC_AREA_STACK &&
                 a->variable && b->variable;
    if (!named || same_place(a, b))
        return same_place(a, b);
    if (strstr(a->variable, "…") || strstr(b->variable, "…"))
        return true;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(a->variable);
    bool found = false, own = has_own_name(a->variable) && has_own_name(b->variable);
    for (char *one, *rest = copy; !found && (one = cc_loop_next_name(&rest));)
        found = cc_loop_named(b->variable, one) && !(own && is_reserved(one));
    return found;
}

/* Whether the first of `o` is the same site: a call is one by itself, and each function that it calls. */
static bool same_site(const struct cc_pdependence *o, uint64_t site, const char *call)
{
    return o->first == site && !o->first_call == !call && (!call || strcmp(o->first_call, call) == 0);
}

/* Whether what `o` wrote is one of those that `d` writes. */
static bool writes_as(const struct cc_pdependence *o, const struct cc_pdependence *d)
{
    return (d->kind != CC_DEPENDENCE_WAR && same_site(o, d->first, d->first_call)) ||
           same_site(o, d->second, d->second_call);
}

/* Whether the one that is seen to read is one of those that `d` has. What memcpy and its like read is not
 * what they write: `memcpy(t, g, sizeof t)` reads g from before the loop, and nothing of t. Where it does
 * read t, that is a dependence of its own. */
static bool reads_as(const struct cc_pdependence *o, const struct cc_pdependence *d)
{
    bool apart = o->variable && d->variable && !perhaps_same_place(o, d) &&
                 !strstr(o->second_call ? o->second_call : "", "cat");
    bool first =
        d->kind == CC_DEPENDENCE_WAR || !apart || !d->first_call || !cc_call_moves_data(d->first_call);
    bool second = !apart || !d->second_call || !cc_call_moves_data(d->second_call);
    return (first && o->second == d->first) || (second && o->second == d->second);
}

/* Whether an instruction that reads a pair of places in the frame was seen to read the other one from before
 * the loop. What was there before, was read and then overwritten is told of reader and writer together. */
static bool beside(const struct cc_pdependence *o, const struct cc_pdependence *d)
{
    return o->first == o->second && o->area == CC_AREA_STACK && !o->second_call &&
           (o->place < d->place || o->place >= d->place + CC_MAX(d->size, 1u));
}

/* Whether two places of a frame that have one address are two: calls at different depths have their frames
 * at different addresses, and of each place one is recorded. */
static bool other_slot(const struct cc_flow_body *body, const struct cc_pdependence *o,
                       const struct cc_pdependence *d)
{
    uint64_t by = o->kind == CC_DEPENDENCE_EXPOSED ? o->second : o->first;
    bool called = o->first_call || o->second_call || d->first_call || d->second_call;
    return o->area == CC_AREA_STACK && !(o->variable && d->variable) && !called &&
           cc_flow_apart(body, by, d->first) && cc_flow_apart(body, by, d->second);
}

/* Whether what is looked at after the loop is of another object than the place: a library's function writes
 * several (a string and what it allocates for it), and one of them is told. A place of the frame that is no
 * variable's is a value of one statement, and gone when that is over. */
static bool is_elsewhere(const struct cc_pdependence *o, const struct cc_pdependence *d)
{
    return o->kind == CC_DEPENDENCE_LIVE_OUT && o->first_call && o->area == CC_AREA_HEAP &&
           d->area == CC_AREA_STACK && !(d->flags & CC_DEPENDENCE_FRAME) && !d->variable;
}

/* What is known to be read before the loop wrote it, or after the loop though a later iteration did not write
 * it. */
static bool has(const struct cc_judge *j, uint32_t loop, enum cc_dependence_kind kind,
                const struct cc_pdependence *d, const struct cc_flow_body *body)
{
    bool slot = memory_reason(j, CC_REASON_WAW, d, body).direct;
    for (uint32_t i = j->begin[loop]; i < j->begin[loop + 1]; i++) {
        const struct cc_pdependence *o = &j->p->dependences[j->order[i]];
        if (o->kind != kind || o->space != d->space || is_elsewhere(o, d))
            continue;
        bool site =
            kind == CC_DEPENDENCE_EXPOSED ? reads_as(o, d) && !(slot && beside(o, d)) : writes_as(o, d);
        bool block =
            o->area == CC_AREA_HEAP && o->variable && d->variable && strcmp(o->variable, d->variable) == 0;
        if (site || block || (perhaps_same_place(o, d) && !other_slot(body, o, d)))
            return true;
    }
    return false;
}

/* Whether the place may be one of an array's, or of a struct's. */
static bool is_of_array(const struct cc_source_loop *s, const char *variable)
{
    bool found = !s;
    for (size_t i = 0; variable && s && i < s->arrays.n && !found; i++)
        found = s->arrays.v[i].name && cc_loop_named(variable, s->arrays.v[i].name);
    return variable && found;
}

/* Whether a place of the frame, a number's or one without a name, only has, as soon as an iteration begins,
 * what some register then holds: compilers put it aside there behind the test that lets the loop go on, and
 * in front of the loop for the first iteration. What an iteration finds there nobody needs; what goes on is
 * the register's. */
static bool is_put_aside(const struct cc_judge *j, uint32_t loop, const struct cc_pdependence *d,
                         struct cc_flow_body *body, const struct cc_source_loop *source)
{
    bool met = false, own = d->area == CC_AREA_STACK && !(d->flags & (CC_DEPENDENCE_FRAME | ACROSS)) &&
                            !is_of_array(source, d->variable) && cc_flow_in_frame(body, d->first) &&
                            cc_flow_in_frame(body, d->second);
    for (uint32_t i = j->begin[loop]; i < j->begin[loop + 1] && own; i++) {
        struct cc_pdependence o = j->p->dependences[j->order[i]];
        bool writes = o.first == d->second || (d->kind == CC_DEPENDENCE_WAW && o.first == d->first);
        struct cc_flow_result flow;
        if (o.kind != CC_DEPENDENCE_WITHIN_RAW || o.space != CC_SPACE_MEMORY || !writes)
            continue;
        o.kind = CC_DEPENDENCE_RAW;
        cc_flow_classify(body, &o, &flow);
        own = flow.class == CC_FLOW_DEAD;
        met = met || o.first == d->second;
    }
    return own && met;
}

/* An iteration overwrites what another wrote or read, and nothing flows between them. */
static void overwrite(const struct cc_judge *j, uint32_t loop, const struct cc_pdependence *d,
                      struct cc_flow_body *body, const struct cc_source_loop *source, struct cc_judgement *x)
{
    enum cc_reason_kind kind = d->kind == CC_DEPENDENCE_WAR ? CC_REASON_WAR : CC_REASON_WAW;
    uint32_t from = d->flags & ACROSS ? cc_copies_loop(j->p, d->first) : CC_NONE;
    bool live = has(j, loop, CC_DEPENDENCE_LIVE_OUT, d, body) ||
                (from != CC_NONE && has(j, from, CC_DEPENDENCE_LIVE_OUT, d, body));
    if (!live && is_put_aside(j, loop, d, body, source))
        return;
    if (live || d->flags & CC_DEPENDENCE_BEFORE || has(j, loop, CC_DEPENDENCE_EXPOSED, d, body)) {
        if (j->unseen && kind == CC_REASON_WAW) /* it may be what a register sums up */
            CC_VEC_PUSH(&x->unsure, reason(kind, d->variable, d));
        else
            CC_VEC_PUSH(&x->reasons, memory_reason(j, kind, d, body));
        return;
    }
    struct cc_judge_private v = {.variable = d->variable,
                                 .area = d->area,
                                 .first = first_of(d),
                                 .second = second_of(d),
                                 .frame =
                                     cc_flow_in_frame(body, d->first) && cc_flow_in_frame(body, d->second),
                                 .here = d->area == CC_AREA_STACK && !(d->flags & CC_DEPENDENCE_FRAME),
                                 .unsure = (d->flags & CC_DEPENDENCE_CUT) != 0,
                                 .partly = (d->flags & CC_DEPENDENCE_PARTLY) != 0,
                                 .count = d->count};
    CC_VEC_PUSH(&x->privates, v);
    if (v.unsure && v.area != CC_AREA_STACK && !x->unknown) /* of a frame the source tells */
        x->unknown =
            "iterations overwrite each other's results, and the samples ended before these were read";
    if (v.partly && !source && v.area != CC_AREA_STACK && !x->unknown)
        x->unknown =
            "iterations overwrite each other's results, and there is no source to ask what these are";
}

/* No variable of the source goes on from iteration to iteration: what counts in floating point is the
 * compiler's, which does so where that gives what the counter would. */
static bool is_steady(const struct cc_source_loop *source)
{
    for (size_t i = 0; source && i < source->variables.n; i++) {
        enum cc_source_class class = source->variables.v[i].class;
        if (class != CC_SOURCE_COUNTER && class != CC_SOURCE_PRIVATE && class != CC_SOURCE_LAST &&
            class != CC_SOURCE_REDUCTION)
            return false;
    }
    return source != NULL;
}

/* It is written by the line that the loop begins in. */
static bool is_at_head(const struct cc_judge *j, const struct cc_pdependence *d)
{
    const struct cc_ploop *l = &j->p->loops[d->loop];
    struct cc_loop_place at = first_of(d);
    return at.line && at.line == l->line && cc_text_same_file(at.file, l->file);
}

/* rotates: the value could be computed anew by the iteration that uses it. A compiler does that to loads;
 * whether the source does, the source tells. */
static enum harm flow_of(const struct cc_judge *j, struct cc_flow_body *body, const struct cc_pdependence *d,
                         const struct cc_source_loop *source, const char **ret_op)
{
    struct cc_flow_result flow;
    struct cc_pdependence whole = *d;
    if (d->space == CC_SPACE_REGISTER)
        whole.place &= ~UINT64_C(7); /* the low bytes of x86-64's registers are followed by themselves */
    cc_flow_classify(body, &whole, &flow);
    *ret_op = flow.operation;
    if (flow.untaken && !source && flow.class != CC_FLOW_INDUCTION) /* nobody tells that it is no argument */
        return HARMS;
    switch (flow.class) {
    case CC_FLOW_INDUCTION:
        if (d->space == CC_SPACE_REGISTER)
            return !flow.floating ? NONE : is_steady(source) ? FLOATS : HARMS;
        /* what has no name, and others look at, is the loop's counter if its own line counts it */
        if (d->area == CC_AREA_STACK && !(d->flags & CC_DEPENDENCE_FRAME))
            return flow.looked && !d->variable && !is_at_head(j, d) ? HARMS : COUNTS;
        *ret_op = "+"; /* an element of an array, say, which others may read under another name */
        return cc_flow_combines(body, d) ? COMBINES : HARMS;
    case CC_FLOW_UNCHANGED:
    case CC_FLOW_DEAD:
        return NONE;
    case CC_FLOW_REDUCTION:
        return COMBINES;
    case CC_FLOW_ROTATING: /* a place that the compiler keeps a value in lies in the frame */
        return !source || (d->space != CC_SPACE_REGISTER && d->area != CC_AREA_STACK) ? HARMS
               : flow.kept                                                            ? KEEPS
                                                                                      : ROTATES;
    default:
        return HARMS;
    }
}

/* From one loop into another that goes on with it: each has to combine what is there by the same operation.
 */
static enum harm flow_across(struct cc_judge *j, struct cc_flow_body *body, const struct cc_pdependence *d,
                             const struct cc_source_loop *source, const char **ret_op)
{
    uint32_t from = cc_copies_loop(j->p, d->first);
    if (from == CC_NONE)
        return HARMS;
    struct cc_pdependence first = *d, second = *d;
    const char *op = NULL;
    first.second = d->first;
    second.first = d->second;
    struct cc_flow_body *before = cc_flow_body_of(j->flow, j->p, from);
    bool combines = flow_of(j, before, &first, source, &op) == COMBINES &&
                    flow_of(j, body, &second, source, ret_op) == COMBINES;
    cc_flow_body_free(before);
    return combines && op && *ret_op && strcmp(op, *ret_op) == 0 ? COMBINES : HARMS;
}

static void exits(struct cc_flow_body *body, uint32_t loop, const struct cc_judge *j, struct cc_judgement *x)
{
    struct cc_flow_result why;
    enum cc_flow_exit by = cc_flow_exits(body, &why);
    x->searches = by == CC_FLOW_EXIT_DATA;
    x->cold = cc_flow_cold(body);
    if (by != CC_FLOW_EXIT_CARRIED)
        return;
    const struct cc_ploop *l = &j->p->loops[loop];
    struct cc_loop_place at = {l->file, l->line};
    CC_VEC_PUSH(&x->reasons, ((struct cc_loop_reason){.kind = CC_REASON_EXIT, .first = at, .second = at}));
}

/* A few iterations that do far more than the others do what the others do not: a sample that has not followed
 * most iterations has hardly met them. Evenly growing ones (a triangle) deviate by 0.6 of the mean. */
static bool unlike(const struct cc_profile *p, const struct cc_ploop *l)
{
    const double MUCH = 2, MOST = 0.5;
    double n = (double)l->iterations;
    return !p->loops_exact && (double)l->sampled_iterations < MOST * n &&
           (double)l->cost_deviation * n > MUCH * (double)l->instructions;
}

/* What a sample met at several distances it may have missed at a lesser one. */
static bool is_distance_sure(const struct cc_profile *p, const struct cc_pdependence *d)
{
    const struct cc_ploop *l = &p->loops[d->loop];
    bool whole = p->loops_exact || l->sampled_iterations + l->invocations >= l->iterations;
    bool varies = d->flags & CC_DEPENDENCE_FAR || d->distance_max > d->distance_min;
    return d->distance_min <= 1 || whole || !(varies || unlike(p, l));
}

/* The dependence between iterations that one is; `kind` is RAW, WAR or WAW then. few: of a loop that says
 * nothing by itself, because it hardly ran. */
static bool carries(const struct cc_judge *j, const struct cc_pdependence *d, bool few,
                    struct cc_pdependence *ret)
{
    unsigned distance;
    *ret = *d;
    if (!is_distance_sure(j->p, d))
        ret->distance_min = ret->distance_max = 0;
    if (d->kind <= CC_DEPENDENCE_WAW)
        return !few;
    if (d->kind >= CC_DEPENDENCE_ACROSS_RAW) {
        ret->kind = (enum cc_dependence_kind)(d->kind - CC_DEPENDENCE_ACROSS_RAW);
        ret->flags |= ACROSS;
        return cc_copies_go_on(j->copies, d);
    }
    if (d->kind < CC_DEPENDENCE_WITHIN_RAW || !cc_copies_depend(j->copies, d, &distance))
        return false;
    ret->kind = (enum cc_dependence_kind)(d->kind - CC_DEPENDENCE_WITHIN_RAW);
    ret->distance_min = ret->distance_max = distance;
    return true;
}

/* What a register has from a library's function, and one that looked at it afterwards cannot have meant. None
 * of those whose types are known returns more than one register holds. */
static bool nobody_wants(const struct cc_judge *j, const struct cc_pdependence *d)
{
    struct cc_call_type type;
    if (!d->first_call)
        return false;
    if (cc_flow_is_left_over(j->flow, d->place, cc_call_type(d->first_call, &type)))
        return true;
    return d->second_call && cc_call_type(d->second_call, &type) && !type.counted &&
           !cc_flow_may_be_given(j->flow, d->place, type.integers, type.floats);
}

/* What a library's function finds beyond the end of a string that the iteration has set in an array of its
 * own, or overwrites there. Not where the function was put into another, which may have a variable of that
 * name. */
static bool is_beyond_text(const struct cc_judge *j, uint32_t loop, const struct cc_source_loop *s,
                           const struct cc_pdependence *d)
{
    uint32_t function = j->p->loops[loop].function;
    const char *name = function < j->p->nfunctions ? j->p->functions[function].name : NULL;
    bool own = s && name && d->space == CC_SPACE_MEMORY && d->area == CC_AREA_STACK && d->variable &&
               !(d->flags & CC_DEPENDENCE_FRAME) && (d->first_call || d->second_call) &&
               strncmp(name, s->function, strlen(s->function)) == 0 && strchr(".", name[strlen(s->function)]);
    for (size_t i = 0; own && i < s->texts.n; i++)
        if (strcmp(s->texts.v[i], d->variable) == 0)
            return true;
    return false;
}

/* What flows from one iteration to another. Those that do no harm are marked, and what overwrites them with
 * them. */
static void flows(struct cc_judge *j, uint32_t loop, struct cc_flow_body *body,
                  const struct cc_source_loop *source, bool *harmless, struct cc_judgement *x)
{
    const uint32_t begin = j->begin[loop], n = j->begin[loop + 1] - begin;
    const bool few = x->unknown != NULL;
    for (uint32_t i = 0; i < n; i++) {
        struct cc_pdependence carried, *d = &carried;
        const char *op = NULL;
        if (!carries(j, &j->p->dependences[j->order[begin + i]], few, d) || d->kind != CC_DEPENDENCE_RAW)
            continue;
        if ((d->space == CC_SPACE_REGISTER && nobody_wants(j, d)) || is_beyond_text(j, loop, source, d)) {
            harmless[i] = true;
            continue;
        }
        if (within_library(d)) { /* it keeps what it left there */
            if (!throws(d))
                add_reason(x, CC_REASON_CALL, d->second_call, d);
            continue;
        }
        if (j->unseen && cc_unseen_update(j->unseen, d)) {
            CC_VEC_PUSH(&x->unsure, reason(CC_REASON_RAW, d->variable, d));
            harmless[i] = true;
            continue;
        }
        enum harm harm =
            d->flags & ACROSS ? flow_across(j, body, d, source, &op) : flow_of(j, body, d, source, &op);
        if (harm == ROTATES || harm == KEEPS)
            CC_VEC_PUSH(&x->rotating, ((struct cc_judge_rotation){second_of(d), d->first, harm == KEEPS}));
        x->floats = x->floats || harm == FLOATS;
        if (harm == COUNTS)
            CC_VEC_PUSH(&x->counted, ((struct cc_loop_update){d->variable, first_of(d)}));
        if (harm == HARMS && d->space == CC_SPACE_REGISTER)
            add_reason(x, CC_REASON_REGISTER, d->variable, d);
        else if (harm == HARMS)
            CC_VEC_PUSH(&x->reasons, memory_reason(j, CC_REASON_RAW, d, body));
        if (harm == COMBINES)
            CC_VEC_PUSH(&x->reductions, ((struct cc_loop_reduction){op, d->variable}));
        if (harm == COMBINES && d->space == CC_SPACE_MEMORY) {
            CC_VEC_PUSH(&x->updates, ((struct cc_loop_update){d->variable, first_of(d)}));
            CC_VEC_PUSH(&x->updates, ((struct cc_loop_update){d->variable, second_of(d)}));
        }
        harmless[i] = harm != HARMS;
    }
    if (!few && !j->unseen)
        exits(body, loop, j, x);
    if (!few && !j->unseen && !source && cc_flow_cold(body) && !x->reasons.n)
        x->unknown = "some of its code did not run, and there is no source to ask";
}

/* Whether what overwrites goes with a flow that does no harm. What was read and is overwritten by a later
 * iteration must be what such a flow reads, or be at one place all the time: another look at an array whose
 * elements are combined needs its order. */
static bool covered(const struct cc_judge *j, uint32_t loop, const struct cc_flow_body *body,
                    const bool *harmless, const struct cc_pdependence *d)
{
    const uint32_t begin = j->begin[loop], n = j->begin[loop + 1] - begin;
    bool slot = cc_flow_is_direct(body, d->first) && cc_flow_is_direct(body, d->second);
    bool covers = false, reads = slot || j->unseen || d->kind != CC_DEPENDENCE_WAR;
    for (uint32_t i = 0; i < n && !(covers && reads); i++) {
        const struct cc_pdependence *o = &j->p->dependences[j->order[begin + i]];
        bool sites =
            (o->first == d->first || o->first == d->second || o->second == d->first) && o->space == d->space;
        covers = covers || (harmless[i] && (same_place(o, d) || sites));
        reads = reads || (harmless[i] && o->second == d->first && o->space == d->space);
    }
    return covers && reads;
}

static const char *leaves(struct cc_flow_body *body, uint64_t insn)
{
    const char *op = cc_flow_copied(body, insn);
    return op ? op : cc_flow_sets(body, insn);
}

/* What the loop that a dependence comes from leaves there; both are one statement. */
static const char *left_by(struct cc_judge *j, struct cc_flow_body *body, const struct cc_pdependence *d)
{
    uint32_t from = d->flags & ACROSS ? cc_copies_loop(j->p, d->first) : CC_NONE;
    if (from == CC_NONE)
        return d->flags & ACROSS ? NULL : leaves(body, d->first);
    struct cc_flow_body *before = cc_flow_body_of(j->flow, j->p, from);
    const char *op = leaves(before, d->first);
    cc_flow_body_free(before);
    return op;
}

/* Both put into a place of memory what a register combines, or the same truth value. */
static bool copies(struct cc_judge *j, struct cc_flow_body *body, const struct cc_pdependence *d,
                   struct cc_judgement *x)
{
    bool simple = d->kind == CC_DEPENDENCE_WAW && !(d->flags & CC_DEPENDENCE_FOLDED);
    const char *op = simple ? left_by(j, body, d) : NULL;
    const char *other = op && d->second != d->first ? leaves(body, d->second) : op;
    if (!op || !other || strcmp(op, other) != 0)
        return false;
    CC_VEC_PUSH(&x->reductions, ((struct cc_loop_reduction){op, d->variable}));
    CC_VEC_PUSH(&x->updates, ((struct cc_loop_update){d->variable, first_of(d)}));
    CC_VEC_PUSH(&x->updates, ((struct cc_loop_update){d->variable, second_of(d)}));
    return true;
}

static void others(struct cc_judge *j, uint32_t loop, struct cc_flow_body *body,
                   const struct cc_source_loop *source, const bool *harmless, struct cc_judgement *x)
{
    const uint32_t begin = j->begin[loop], n = j->begin[loop + 1] - begin;
    const bool few = x->unknown != NULL;
    for (uint32_t i = 0; i < n; i++) {
        struct cc_pdependence carried, *d = &carried;
        bool anti = carries(j, &j->p->dependences[j->order[begin + i]], few, d) &&
                    d->kind != CC_DEPENDENCE_RAW && d->space == CC_SPACE_MEMORY && !throws(d);
        const struct cc_syscall *c =
            d->kind == CC_DEPENDENCE_SYSTEM && j->isa ? cc_syscall(j->isa, d->place) : NULL;
        if (d->kind == CC_DEPENDENCE_SYSTEM && !few && is_output(c))
            add_reason(x, CC_REASON_IO, d->second_call ? d->second_call : c ? c->name : NULL, d);
        else if (anti && library_keeps(j, d))
            add_reason(x, CC_REASON_CALL, d->second_call, d);
        else if (anti && !librarys_own(j, d) && !is_beyond_text(j, loop, source, d) &&
                 !covered(j, loop, body, harmless, d) && !copies(j, body, d, x))
            overwrite(j, loop, d, body, source, x);
    }
}

/* --- a loop --- */

static bool any_followed(const struct cc_profile *p)
{
    bool any = false;
    for (size_t i = 0; i < p->nloops; i++)
        any = any || p->loops[i].sampled_iterations;
    return any;
}

/* Of such code only the calls that lead to it are known, so what is said of its loop would be said of a call.
 */
static bool is_librarys(const struct cc_profile *p, const struct cc_ploop *l)
{
    return l->function < p->nfunctions && p->functions[l->function].library;
}

static const char *too_little(const struct cc_profile *p, const struct cc_ploop *l)
{
    if (!cc_profile_has_dependences(p))
        return "dependences were not recorded (record --loops dependences)";
    if (l->flags & CC_LOOP_IRREDUCIBLE)
        return "the compiler made jumps into the middle of it, so it is not known where an iteration begins "
               "(compiled with less optimisation it may be)";
    if (l->trips_max < 2)
        return "it never ran two iterations in a row";
    if (is_librarys(p, l))
        return "it lies in a library without lines, of which only calls are followed (compiled with -g all "
               "of "
               "it is)";
    if (l->sampled_iterations < 2)
        return cc_unseen(p) && !any_followed(p)
                   ? "this QEMU did not show its stack pointer, so dependences were not followed"
               : p->loops_exact ? "none of its iterations were followed"
                                : "none of its iterations were followed (record --exact follows every one)";
    return NULL;
}

/* Iterations too long to be followed from end to end: what was met between parts of them are facts all the
 * same. */
static bool is_partly_followed(const struct cc_judge *j, uint32_t loop)
{
    const struct cc_ploop *l = &j->p->loops[loop];
    bool met = false;
    for (uint32_t i = j->begin[loop]; i < j->begin[loop + 1]; i++)
        met = met || j->p->dependences[j->order[i]].kind == CC_DEPENDENCE_RAW;
    return met && !is_librarys(j->p, l) && !(l->flags & CC_LOOP_IRREDUCIBLE) && l->trips_max >= 2 &&
           l->sampled_iterations < 2 && cc_profile_has_dependences(j->p) && !cc_unseen(j->p);
}

void cc_judge_loop(struct cc_judge *j, uint32_t loop, const struct cc_source_loop *source,
                   struct cc_judgement *ret)
{
    const char *little = too_little(j->p, &j->p->loops[loop]);
    bool parts = little && is_partly_followed(j, loop);
    *ret = (struct cc_judgement){.unknown = parts ? NULL : little};
    if (ret->unknown && !cc_copies_shared(j->copies, loop))
        return;
    bool *harmless = cc_alloc_array(j->begin[loop + 1] - j->begin[loop] + 1, sizeof *harmless);
    struct cc_flow_body *body = cc_flow_body_of(j->flow, j->p, loop);
    flows(j, loop, body, source, harmless, ret);
    others(j, loop, body, source, harmless, ret);
    cc_flow_body_free(body);
    free(harmless);
    if (parts && !ret->reasons.n)
        ret->unknown = little;
    if (!ret->unknown && unlike(j->p, &j->p->loops[loop]))
        ret->unknown = "some iterations do far more than most, and few were followed (record --exact, or "
                       "--loops-for its function)";
}
