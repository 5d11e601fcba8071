#include "peeks.h"
#include "handed.h"
#include "lines.h"
#include "proof.h"
#include "shared.h"
#include "../../../base/text.h"

enum { NAMES_MOST = 8, NAMES_DEEP = 8 };
struct names { /* variables that something lies in */
    const char *v[NAMES_MOST];
    size_t n;
    bool any; /* or it may lie anywhere */
};

struct peeks {
    const struct gate_input *in;
    struct cc_reached all;
    uint32_t *handed, *beyond; /* handed.h */
};

/* Lambdas have no symbol of their own. */
static bool is_lambda(const struct cc_loop_function *g)
{
    return strcmp(g->symbol, "a lambda") == 0;
}

static bool calls_lambda(const char *symbol)
{
    return strstr(symbol, "@Sa@F@operator()") != NULL;
}

static bool is_call_of(const char *symbol, const struct cc_loop_function *g)
{
    return is_lambda(g) ? calls_lambda(symbol) : strcmp(symbol, g->symbol) == 0;
}

static bool is_of_c(const struct cc_loop_function *g)
{
    return !strchr(g->symbol, '#') && !is_lambda(g);
}

static void add_name(struct names *to, const char *name)
{
    to->any = to->any || !*name || to->n == NAMES_MOST;
    if (!to->any)
        to->v[to->n++] = name;
}

/* The variables of the loop that a parameter leads to. */
static void find_names(const struct peeks *x, const char *symbol, int param, unsigned depth,
                       struct names *ret)
{
    const struct gate_input *in = x->in;
    if (param < 0 || depth == NAMES_DEEP || strstr(symbol, "@F@operator")) {
        ret->any = true; /* arguments of operators are counted otherwise */
        return;
    }
    for (size_t i = 0; i < in->source->hands.n && !ret->any; i++) {
        const struct cc_source_hand *h = &in->source->hands.v[i];
        if (h->to == param && strcmp(h->symbol, symbol) == 0)
            add_name(ret, h->part ? h->name : "");
    }
    for (size_t k = 0; k < x->all.v.n && !ret->any; k++) {
        const struct cc_loop_function *g = x->all.v.v[k];
        for (size_t i = 0; i < g->hands.n && !ret->any; i++) {
            const struct cc_source_hand *h = &g->hands.v[i];
            if (h->to == param && strcmp(h->symbol, symbol) == 0)
                find_names(x, g->symbol, h->whole ? h->from : CC_STORE_OTHER, depth + 1, ret);
        }
    }
}

static bool are_two(const struct names *a, const struct names *b)
{
    bool two = !a->any && !b->any;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n && two; k++)
            two = strcmp(a->v[i], b->v[k]) != 0;
    return two;
}

/* Whether what is written (by g; NULL: by the loop) may be what is looked at. */
static bool meets(const struct peeks *x, const struct cc_source_peek *look, const struct names *at,
                  const struct cc_loop_function *g, const struct cc_source_peek *write)
{
    struct names to = {0};
    if (look->kind && write->kind &&
        (look->kind != write->kind ||
         (*look->field && *write->field && strcmp(look->field, write->field) != 0)))
        return false;
    if (g && write->from >= 0 && write->from < CC_STATE_PARAMETERS &&
        !(x->handed[g - x->in->sources->functions.v] >> write->from & 1))
        return false; /* it is an iteration's own */
    if (write->array)
        add_name(&to, write->name);
    else if (g)
        find_names(x, g->symbol, write->from, 0, &to);
    else
        to.any = true;
    return !are_two(at, &to);
}

enum { HANDED_ANY, HANDED_MOVED };

static bool is_handed(const struct cc_source_hand *h, size_t n, const struct cc_loop_function *g, int to,
                      int how)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || (strcmp(h[i].symbol, g->symbol) == 0 && (h[i].varies || how == HANDED_ANY) &&
                          (h[i].to == to || (to == CC_STORE_OBJECT && h[i].to < 0) ||
                           strstr(h[i].symbol, "@F@operator"))); /* whose arguments are counted otherwise */
    return found;
}

/* Whether some call of it gets there what others have as well; or by what may be another in each iteration.
 */
static bool is_given(const struct peeks *x, const struct cc_loop_function *g,
                     const struct cc_source_peek *look, int how)
{
    const struct cc_source_loop *s = x->in->source;
    bool found = is_handed(s->hands.v, s->hands.n, g, look->from, how) ||
                 is_handed(s->lent.v, s->lent.n, g, look->from, how);
    for (size_t k = 0; k < x->all.v.n; k++) {
        const struct cc_loop_function *f = x->all.v.v[k];
        found = found || is_handed(f->hands.v, f->hands.n, g, look->from, how) ||
                is_handed(f->lent.v, f->lent.n, g, look->from, how);
    }
    return found;
}

/* Whether it lies where only this iteration looks. */
static bool is_own(const struct peeks *x, const struct cc_loop_function *g, const struct cc_source_peek *look)
{
    size_t at = (size_t)(g - x->in->sources->functions.v);
    if (!is_of_c(g) && !is_lambda(g) && look->from != CC_STORE_OTHER)
        return !is_given(x, g, look, HANDED_ANY);
    if (look->from < 0 || look->from >= CC_STATE_PARAMETERS)
        return false;
    return !(x->handed[at] >> look->from & 1) ||
           (look->lies && !(x->beyond[at] >> look->from & 1) && !x->in->rotating.n);
}

/* Whether the loop, or a function that it calls, may write it. */
static bool is_written(const struct peeks *x, const struct cc_loop_function *g,
                       const struct cc_source_peek *look)
{
    const struct cc_source_loop *s = x->in->source;
    struct names at = {0};
    if (look->array)
        add_name(&at, look->name);
    else
        find_names(x, g->symbol, look->from, 0, &at);
    at.any = at.any || !at.n;
    for (size_t i = 0; i < s->writes.n; i++)
        if (meets(x, look, &at, NULL, &s->writes.v[i]))
            return true;
    for (size_t k = 0; k < x->all.v.n; k++)
        for (size_t i = 0; i < x->all.v.v[k]->writes.n; i++)
            if (meets(x, look, &at, x->all.v.v[k], &x->all.v.v[k]->writes.v[i]))
                return true;
    return false;
}

/* once: but for those that an iteration has made before */
static size_t calls_of(const struct peeks *x, const char *file, const struct cc_loop_call *calls, size_t n,
                       const char *symbol, bool once)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        bool ran = calls[i].always;
        if (once && calls[i].repeated)
            continue;
        for (size_t k = 0; k < x->in->nmembers && !ran; k++)
            ran = cc_witness_ran(x->in->witness, file, calls[i].line,
                                 x->in->p->loops[x->in->members[k]].function);
        found += ran && strcmp(calls[i].symbol, symbol) == 0;
    }
    return found;
}

/* Loads that a line of it has to have, in each copy of the body: for each call and look, but for what
 * pointers of its own lead to, which may be read twice by two names. */
static size_t asked_in(const struct peeks *x, const struct cc_loop_function *g,
                       const struct cc_source_peek *look)
{
    const struct cc_source_loop *s = x->in->source;
    if (look->from < 0)
        return cc_lines_bodies(x->in);
    size_t looks = 0;
    /* what a call looks at where the one before has looked, is no other iteration's either */
    bool once = !x->in->rotating.n;
    for (size_t i = 0; i < g->peeks.n; i++) {
        const struct cc_source_peek *p = &g->peeks.v[i];
        looks += p->line == look->line;
        once = once && (p->line != look->line || (p->told && p->sure));
    }
    size_t calls = calls_of(x, s->file, s->calls.v, s->calls.n, g->symbol, once);
    for (size_t k = 0; k < x->all.v.n; k++) {
        const struct cc_loop_function *f = x->all.v.v[k];
        calls += f == g ? 0 : calls_of(x, f->file, f->calls.v, f->calls.n, g->symbol, false);
    }
    return looks * CC_MAX(calls, (size_t)1) * cc_lines_bodies(x->in);
}

/* Adds the lambdas that the loop calls. */
static void add_lambdas(struct peeks *x)
{
    const struct gate_input *in = x->in;
    for (size_t i = 0; i < in->sources->functions.n && in->source->lambdas.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        bool called = false;
        for (size_t k = 0; k < in->source->lambdas.n; k++)
            called = called || !in->source->lambdas.v[k] || in->source->lambdas.v[k] == g->line;
        if (called && is_lambda(g) && cc_text_same_file(g->file, in->source->file))
            CC_VEC_PUSH(&x->all.v, g);
    }
}

/* Whether it has a load: in C in its line, as many as there are looks. In C++ compilers make one of many that
 * are alike, and what values look at of themselves is in registers: one, in the function or where it is
 * called. */
static bool is_loaded(const struct peeks *x, const struct cc_loop_function *g,
                      const struct cc_source_peek *look)
{
    const struct gate_input *in = x->in;
    struct cc_witness_query q = {.file = g->file,
                                 .line = look->line,
                                 .members = in->members,
                                 .nmembers = in->nmembers,
                                 .constants = true,
                                 .data = true};
    if (is_of_c(g))
        return cc_witness_loads(in->witness, &q) >= asked_in(x, g, look);
    bool loaded = !is_lambda(g) && !is_given(x, g, look, HANDED_MOVED) && !look->moves;
    for (q.line = g->line; q.line <= g->last_line && !loaded; q.line++)
        loaded = cc_witness_loads(in->witness, &q) > 0;
    for (size_t k = 0; k < x->all.v.n && !loaded; k++) {
        const struct cc_loop_function *f = x->all.v.v[k];
        q.file = f->file;
        for (size_t i = 0; i < f->calls.n && !loaded; i++) {
            q.line = f->calls.v[i].line;
            loaded = is_call_of(f->calls.v[i].symbol, g) && cc_witness_loads(in->witness, &q) > 0;
        }
    }
    q.file = in->source->file;
    for (size_t i = 0; i < in->source->calls.n && !loaded; i++) {
        q.line = in->source->calls.v[i].line;
        loaded =
            strcmp(in->source->calls.v[i].symbol, g->symbol) == 0 && cc_witness_loads(in->witness, &q) > 0;
    }
    return loaded;
}

static bool has_run(const struct gate_input *in, const char *file, unsigned line)
{
    bool ran = false;
    for (size_t i = 0; i < in->nmembers; i++)
        ran = ran || cc_witness_ran(in->witness, file, line, in->p->loops[in->members[i]].function);
    return ran;
}

static size_t looked_at(const struct cc_loop_call *calls, size_t n, const struct cc_loop_function *g,
                        size_t *ret_calls)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        bool may = calls[i].symbol[0] == '?' || is_call_of(calls[i].symbol, g);
        found += may && !calls[i].assigned;
        *ret_calls += may;
    }
    return found;
}

/* Whether what it hands back is only assigned to (`m(i, j) = x;`), wherever it is called. */
static bool is_only_set(const struct peeks *x, const struct cc_loop_function *g)
{
    const struct cc_source_loop *s = x->in->source;
    size_t calls = 0, looks = looked_at(s->calls.v, s->calls.n, g, &calls);
    for (size_t k = 0; k < x->all.v.n; k++)
        looks += looked_at(x->all.v.v[k]->calls.v, x->all.v.v[k]->calls.n, g, &calls);
    for (size_t i = 0; i < s->combined.n; i++)
        looks += is_call_of(s->combined.v[i].symbol, g);
    return calls && !looks;
}

/* The first line of it that lacks a load for what somebody writes; 0: none. */
static unsigned lacking(const struct peeks *x, const struct cc_loop_function *g)
{
    for (size_t i = 0; i < g->peeks.n; i++) {
        const struct cc_source_peek *look = &g->peeks.v[i];
        bool own = (look->array && !is_lambda(g)) || is_own(x, g, look) || /* of arrays shared.c tells */
                   (look->lent && is_only_set(x, g));
        if (!own && (look->sure || has_run(x->in, g->file, look->line)) && is_written(x, g, look) &&
            !is_loaded(x, g, look))
            return look->line;
    }
    return 0;
}

const char *cc_peeks_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name)
{
    struct peeks x = {.in = in};
    const char *why = NULL;
    if (!cc_witness_any(in->witness) || !in->source->calls.n)
        return NULL;
    cc_shared_reach(in, &x.all);
    add_lambdas(&x);
    x.handed = cc_handed_find(in, NULL);
    x.beyond = cc_handed_beyond(in);
    for (size_t i = 0; i < x.all.v.n && !why; i++) {
        const struct cc_loop_function *g = x.all.v.v[i];
        *ret_line = cc_shared_runs(in, g) ? 0 : lacking(&x, g);
        *ret_name = g->name;
        if (*ret_line)
            why = cc_arena_printf(in->arena,
                                  "independent in this binary, but %s, which it calls, reads at line %u what "
                                  "an iteration may have written, and the binary has no load for that",
                                  g->name, *ret_line);
    }
    free(x.handed);
    free(x.beyond);
    CC_VEC_FINI(&x.all.v);
    return why;
}

/* --- the loop's own looks --- */

/* Whether the loop lies in the function, whose text then tells of it. */
static bool is_around(const struct gate_input *in, const struct cc_loop_function *g)
{
    return in->source->line >= g->line && in->source->last_line <= g->last_line &&
           strcmp(in->source->file, g->file) == 0 && !is_lambda(g);
}

/* Whether code of it lies in the loop, whatever calls it there. */
static bool is_inside(const struct gate_input *in, const struct cc_loop_function *g)
{
    struct cc_witness_query q = {
        .file = g->file, .line = g->line, .members = in->members, .nmembers = in->nmembers};
    return cc_witness_inside(in->witness, &q, g->last_line);
}

/* Whether it calls a function whose source is not known, but for those that only look, or compute: elements
 * may be written there (`std::swap(v[i], v[i + 1])`). */
static bool hands_away(const struct peeks *x, const struct cc_loop_function *g)
{
    static const char looking[] =
        " operator[] at size empty begin end cbegin cend front back data find count "
        "length operator* operator-> operator+ operator- operator++ operator-- "
        "operator== operator!= operator< operator> min max abs sqrt exp log pow "
        "accumulate inner_product get move forward ";
    bool found = false;
    for (size_t i = 0; i < g->calls.n && !found; i++) {
        const char *symbol = g->calls.v[i].symbol, *name = NULL;
        for (const char *at = strstr(symbol, "@F@"); at; at = strstr(at + 3, "@F@"))
            name = at + 3;
        CC_CLEANUP(cc_free_ptr) char *alone = name ? cc_strndup(name, strcspn(name, "#<")) : NULL;
        bool looks = strncmp(symbol, "c:@N@std@", 9) == 0 && alone && cc_text_listed(looking, alone);
        found = *symbol != '?' && !looks && !cc_gate_is_number(symbol) && !calls_lambda(symbol) &&
                !cc_source_function(x->in->sources, symbol);
    }
    return found;
}

static bool writes_kind(const struct peeks *x, const struct cc_loop_function *g, unsigned kind)
{
    uint32_t handed = x->handed[g - x->in->sources->functions.v];
    bool found = hands_away(x, g);
    for (size_t i = 0; i < g->writes.n; i++) {
        const struct cc_source_peek *w = &g->writes.v[i];
        bool own = w->from >= 0 && w->from < CC_STATE_PARAMETERS && !(handed >> w->from & 1);
        found = found || (!own && !w->array && (!w->kind || w->kind == kind));
    }
    return found;
}

static bool is_written_by_calls(const struct peeks *x, unsigned kind)
{
    const struct gate_input *in = x->in;
    for (size_t k = 0; k < x->all.v.n; k++)
        if (!cc_shared_runs(in, x->all.v.v[k]) && writes_kind(x, x->all.v.v[k], kind))
            return true;
    for (size_t i = 0; i < in->sources->functions.n; i++) {
        const struct cc_loop_function *g = &in->sources->functions.v[i];
        if (!is_around(in, g) && writes_kind(x, g, kind) && is_inside(in, g))
            return true;
    }
    return false;
}

void cc_peeks_ask(struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    struct peeks x = {.in = in};
    bool any = false;
    for (size_t i = 0; s && in->sources && i < s->looks.n; i++)
        any = any || s->looks.v[i].if_written;
    if (!any)
        return;
    cc_shared_reach(in, &x.all);
    add_lambdas(&x);
    x.handed = cc_handed_find(in, NULL);
    struct cc_source_loop *copy = cc_arena_alloc(in->arena, sizeof *copy);
    *copy = *s;
    copy->looks.v = cc_arena_alloc(in->arena, s->looks.n * sizeof *copy->looks.v);
    copy->looks.n = 0;
    for (size_t i = 0; i < s->looks.n; i++)
        if (!s->looks.v[i].if_written || is_written_by_calls(&x, s->looks.v[i].if_written))
            copy->looks.v[copy->looks.n++] = s->looks.v[i];
    in->source = copy;
    free(x.handed);
    CC_VEC_FINI(&x.all.v);
}
