#include "clauses.h"
#include "../../base/text.h"

#include <ctype.h>

enum { MOST_ON_STACK = 1 << 20 }; /* bytes of an array that every thread gets a copy of */

/* Names come from the program's debug information: nothing else may get into a patch. */
static bool is_identifier(const char *s)
{
    if (!s || !(isalpha((unsigned char)*s) || *s == '_'))
        return false;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    return *s == '\0';
}

static bool is_operator(const char *op)
{
    static const char *const known[] = {"+", "*", "&", "|", "^", "min", "max", "&&", "||"};
    for (size_t i = 0; op && i < CC_COUNT(known); i++)
        if (strcmp(op, known[i]) == 0)
            return true;
    return false;
}

static bool listed(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const struct cc_patch_array *array_of(const struct cc_patch_loop *f, const char *name)
{
    for (size_t i = 0; i < f->arrays.n; i++)
        if (strcmp(f->arrays.v[i].name, name) == 0)
            return &f->arrays.v[i];
    return NULL;
}

/* What a pointer leads to, if that is declared to be an array that threads can have copies of. */
static const struct cc_patch_array *section_of(const struct cc_patch_loop *f, const char *name)
{
    for (size_t i = 0; name && i < f->lengths.n; i++)
        if (strcmp(f->lengths.v[i].name, name) == 0 && f->lengths.v[i].bytes <= MOST_ON_STACK)
            return &f->lengths.v[i];
    return NULL;
}

/* In whatever order it is combined. */
static bool exact(const struct cc_patch_loop *f, const struct cc_loop_reduction *r)
{
    return (strcmp(r->op, "+") != 0 && strcmp(r->op, "*") != 0) || !is_identifier(r->variable) ||
           listed(f->integers.v, f->integers.n, r->variable);
}

struct writer {
    const struct cc_patch_facts *facts;
    const struct cc_patch_loop *f;
    struct cc_arena *arena;
    struct cc_buf data, costs;
    const char *refused;
    CC_VEC(const struct cc_patch_update *) atomics;
};

/* --- updates that threads make one at a time --- */

static const struct cc_source_array *source_array(const struct cc_source_loop *s, const char *name)
{
    for (size_t i = 0; s && name && i < s->arrays.n; i++)
        if (s->arrays.v[i].name && strcmp(s->arrays.v[i].name, name) == 0)
            return &s->arrays.v[i];
    return NULL;
}

static void take_update(struct writer *w, const struct cc_patch_update *u)
{
    bool known = false;
    for (size_t k = 0; k < w->atomics.n; k++)
        known = known || w->atomics.v[k] == u ||
                (w->atomics.v[k]->line == u->line && strcmp(w->atomics.v[k]->text, u->text) == 0);
    if (!known)
        CC_VEC_PUSH(&w->atomics, u);
}

/* Whether every access of the loop to an array or what a pointer points to is an update that can be atomic;
 * those are taken. */
static bool take_atomics(struct writer *w, const struct cc_source_loop *s, const char *name)
{
    const struct cc_source_array *a = source_array(s, name);
    bool min = a && a->op && (strcmp(a->op, "min") == 0 || strcmp(a->op, "max") == 0), any = false;
    if (!a || !a->op || min || listed(w->f->tangled.v, w->f->tangled.n, name))
        return false;
    for (size_t i = 0; i < w->f->updates.n; i++) {
        const struct cc_patch_update *u = &w->f->updates.v[i];
        if (strcmp(u->name, name) != 0)
            continue;
        any = true;
        take_update(w, u);
    }
    return any;
}

/* What is updated in this line of the loop; NULL: nothing, or more than one thing. */
static const char *updated_in(const struct writer *w, unsigned line)
{
    const char *found = NULL;
    for (size_t i = 0; i < w->f->updates.n; i++) {
        const struct cc_patch_update *u = &w->f->updates.v[i];
        if (u->line == line && found && strcmp(found, u->name) != 0)
            return NULL;
        if (u->line == line)
            found = u->name;
    }
    return found;
}

/* `force(k) += x`, where the run shows that all it leads to is only combined: nothing but such statements. */
static bool take_accessor(struct writer *w, const char *name)
{
    size_t n = strlen(name);
    if (n < 3 || strcmp(name + n - 2, "()") != 0 || listed(w->f->tangled.v, w->f->tangled.n, name))
        return false;
    for (size_t i = 0; i < w->f->updates.n; i++) {
        const struct cc_patch_update *u = &w->f->updates.v[i];
        if (strcmp(u->name, name) == 0)
            take_update(w, u);
    }
    return true;
}

/* Members of structs that are updated in this line: wherever they are, that is all that the loop does to
 * them. */
static bool take_parts(struct writer *w, unsigned line)
{
    bool any = false;
    for (size_t i = 0; i < w->f->parts.n; i++) {
        const struct cc_patch_update *here = &w->f->parts.v[i];
        for (size_t k = 0; here->line == line && k < w->f->parts.n; k++)
            if (strcmp(w->f->parts.v[k].name, here->name) == 0)
                take_update(w, &w->f->parts.v[k]);
        any = any || here->line == line;
    }
    return any;
}

/* The same of all that is combined by way of a struct's name. */
static bool take_members(struct writer *w, const struct cc_source_loop *s, const char *name)
{
    bool any = false, all = true;
    for (size_t i = 0; s && i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        bool mine = a->op && a->name && strcmp(a->name, name) == 0;
        for (int k = 0; mine && all && k < CC_SOURCE_READS && a->writes[k]; k++)
            any = all = take_parts(w, a->writes[k]);
        all = all && !(mine && a->writes[CC_SOURCE_READS - 1]); /* there may be more */
    }
    return any && all;
}

/* The one thing that the loop writes to, all of it by the same operator; NULL: there is no such, or something
 * that is called may write as well. */
static const char *only_combined(const struct cc_source_loop *s)
{
    const char *found = NULL;
    bool only = s && !s->calls.n && !s->given.n && !s->hands.n && !s->combined.n;
    for (size_t i = 0; only && i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (!a->write_line)
            continue;
        only = a->name && a->op && !a->whole && !a->passed && (!found || strcmp(found, a->name) == 0);
        found = a->name;
    }
    return only ? found : NULL;
}

/* What the loop only combines by that operator, in a parameter of which the source says how long it is. */
static bool put_section(struct writer *w, const struct cc_source_loop *s, const char *name, const char *op)
{
    const struct cc_patch_array *a = section_of(w->f, name);
    const struct cc_source_array *in = source_array(s, name);
    if (!a || !in || !in->op || !op || strcmp(in->op, op) != 0 || !is_operator(op) || strlen(op) > 1)
        return false;
    char *clause =
        cc_arena_printf(w->arena, " reduction(%s:%s[:%llu])", op, name, (unsigned long long)a->elements);
    if (w->data.s && strstr(w->data.s, clause))
        return true; /* it has several updates */
    cc_buf_puts(&w->data, clause);
    cc_buf_puts(&w->costs, clause);
    return true;
}

/* Of memory that has no name a clause could use: the lines that were seen to combine it tell its pointer.
 * Where the compiler has made one store of several statements, its line may be none of theirs. */
static bool take_nameless(struct writer *w, const struct cc_loop *l, const struct cc_source_loop *s,
                          const struct cc_loop_reduction *r)
{
    const char *variable = r->variable;
    bool any = false;
    for (size_t i = 0; i < l->updates.n; i++) {
        const struct cc_loop_update *u = &l->updates.v[i];
        if (!u->variable != !variable || (variable && strcmp(u->variable, variable) != 0))
            continue;
        const char *name =
            u->at.file && cc_text_same_file(u->at.file, w->f->file) ? updated_in(w, u->at.line) : NULL;
        name = name ? name : only_combined(s);
        if (put_section(w, s, name, r->op)) {
            any = true;
            continue;
        }
        const struct cc_source_array *a = source_array(s, name);
        if (name && take_accessor(w, name)) {
            any = true;
            continue;
        }
        bool there = u->at.file && cc_text_same_file(u->at.file, w->f->file);
        if ((!a || a->whole || !take_atomics(w, s, name)) && !(there && take_parts(w, u->at.line)))
            return false;
        any = true;
    }
    return any;
}

/* Functions that are called know a global by its own name, not a thread's copy. */
static void check_name(struct writer *w, const char *name)
{
    if (w->refused)
        return;
    const struct cc_patch_array *a = is_identifier(name) ? array_of(w->f, name) : NULL;
    if (!is_identifier(name))
        w->refused =
            cc_arena_printf(w->arena, "each thread would need its own copy of %s, which no clause can name",
                            name ? name : "memory without a name");
    else if (listed(w->f->members.v, w->f->members.n, name))
        w->refused = cc_arena_printf(
            w->arena, "each thread would need its own %s, a static member, which no clause takes", name);
    else if (cc_patch_called_uses(w->facts, w->f, name))
        w->refused = cc_arena_printf(
            w->arena, "each thread would need its own %s, a global that the functions it calls may use too",
            name);
    else if (a && a->bytes > MOST_ON_STACK)
        w->refused =
            cc_arena_printf(w->arena, "each thread would need its own copy of %s, %llu bytes on its stack",
                            name, (unsigned long long)a->bytes);
}

static void put_list(struct writer *w, const char *clause, const char *const *names, size_t n,
                     const char *more)
{
    size_t written = 0;
    for (size_t i = 0; i <= n; i++) {
        const char *name = i < n ? names[i] : more;
        if (!name || (i == n && listed(names, n, name)))
            continue;
        check_name(w, name);
        cc_buf_printf(&w->data, "%s%s", written++ ? ", " : clause, name);
    }
    if (written)
        cc_buf_puts(&w->data, ")");
}

/* A variable that the run shows may have another name here: it is a caller's. */
static bool named_here(const struct cc_source_loop *s, const char *name)
{
    for (size_t i = 0; s && i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, name) == 0)
            return true;
    return !s || source_array(s, name);
}

/* Tasks have no copy of what they combine: each statement that does is atomic. */
static void take_sums(struct writer *w, const struct cc_loop *l)
{
    for (size_t i = 0; i < l->reductions.n && !w->refused; i++) {
        const struct cc_loop_reduction *r = &l->reductions.v[i];
        bool any = false, can = is_identifier(r->variable) && is_operator(r->op) &&
                                strcmp(r->op, "min") != 0 && strcmp(r->op, "max") != 0 &&
                                !listed(w->f->knotted.v, w->f->knotted.n, r->variable);
        for (size_t k = 0; can && k < w->f->sums.n; k++)
            if (strcmp(w->f->sums.v[k].name, r->variable) == 0) {
                CC_VEC_PUSH(&w->atomics, &w->f->sums.v[k]);
                any = true;
            }
        if (any)
            check_name(w, r->variable);
        else
            w->refused = cc_arena_printf(
                w->arena,
                "each iteration could be a task, but they combine %s (%s), and not by statements "
                "like %s += …; that could be atomic",
                r->variable ? r->variable : "a value", r->op ? r->op : "?",
                is_identifier(r->variable) ? r->variable : "x");
    }
}

static void put_reductions(struct writer *w, const struct cc_loop *l, const struct cc_source_loop *s)
{
    for (size_t i = 0; i < l->reductions.n && !w->refused; i++) {
        const struct cc_loop_reduction *r = &l->reductions.v[i];
        const struct cc_source_array *pointer = source_array(s, r->variable);
        const struct cc_patch_array *large = r->variable ? array_of(w->f, r->variable) : NULL;
        bool record = r->variable && listed(w->f->records.v, w->f->records.n, r->variable);
        bool nameless = !is_identifier(r->variable) || !named_here(s, r->variable) || record;
        if (record && (take_atomics(w, s, r->variable) || take_members(w, s, r->variable)))
            continue;
        if (!nameless && pointer && !pointer->whole && put_section(w, s, r->variable, r->op))
            continue;
        if (nameless ? take_nameless(w, l, s, r)
                     : ((pointer && !pointer->whole) || (large && large->bytes > MOST_ON_STACK)) &&
                           take_atomics(w, s, r->variable))
            continue;
        check_name(w, r->variable);
        if (!w->refused && record)
            w->refused = cc_arena_printf(
                w->arena,
                "iterations combine members of %s, and no clause takes a struct: combine them in "
                "variables of their own, or in arrays of numbers",
                r->variable);
        if (!w->refused && listed(w->f->open.v, w->f->open.n, r->variable))
            w->refused = cc_arena_printf(
                w->arena,
                "iterations combine %s, whose type the template leaves open: no clause takes every type",
                r->variable);
        if (!w->refused && nameless)
            w->refused = cc_arena_printf(
                w->arena, "iterations combine %s, which has no name in the loop to put into a clause",
                r->variable);
        if (!w->refused && pointer && !pointer->whole &&
            listed(w->f->pointers.v, w->f->pointers.n, r->variable))
            w->refused = cc_arena_printf(
                w->arena,
                "iterations combine what %s points to (%s), and no clause takes that: combine it in a "
                "variable of the function's own, and set it after the loop",
                r->variable, r->op ? r->op : "?");
        if (!w->refused && !is_operator(r->op))
            w->refused = cc_arena_printf(w->arena, "OpenMP has no reduction by '%s'", r->op ? r->op : "?");
        if (!w->refused && (strcmp(r->op, "&&") == 0 || strcmp(r->op, "||") == 0) &&
            !listed(w->f->truths.v, w->f->truths.n, r->variable))
            w->refused = cc_arena_printf(
                w->arena,
                "iterations only set %s to %d, which is reduction(%s:%s) if it held 0 or 1 before: "
                "give it one of these in the same function",
                r->variable, strcmp(r->op, "||") == 0, r->op, r->variable);
        if (w->refused)
            return;
        const struct cc_patch_array *a = array_of(w->f, r->variable);
        cc_buf_printf(&w->data, " reduction(%s:%s)", r->op, r->variable);
        cc_buf_printf(&w->costs, " reduction(%s:%s", r->op, r->variable);
        if (a && a->elements)
            cc_buf_printf(&w->costs, "[:%llu]", (unsigned long long)a->elements);
        cc_buf_puts(&w->costs, ")");
    }
}

/* A variable, or an array of which the loop knows how long it is. */
static bool takes_copy(const struct cc_source_loop *s, const char *name)
{
    const struct cc_source_array *a = source_array(s, name);
    return named_here(s, name) && (!a || a->whole);
}

/* Of a loop whose iterations are free, but whose directive the loops room does not offer. */
static const char *inexpressible(const struct cc_loop *l, const struct cc_source_loop *s,
                                 struct cc_arena *arena)
{
    if (!s)
        return "its source could not be read as it was compiled (--source DIR)";
    if (s->kind == CC_SOURCE_RANGE)
        return "iterations do not need each other, but its range is gone through one by one: OpenMP shares "
               "out "
               "what has elements by number, as std::vector";
    if (s->kind != CC_SOURCE_FOR)
        return cc_arena_printf(
            arena, "iterations do not need each other, but it is no for loop: write it as one that counts");
    if (!s->canonical)
        return cc_arena_printf(
            arena, "iterations do not need each other, but its head does not count as OpenMP wants it: "
                   "for (i = a; i < b; i += c)");
    for (size_t i = 0; i < l->reductions.n; i++) {
        const char *name = l->reductions.v[i].variable;
        for (size_t k = 0; name && k < s->arrays.n; k++)
            if (s->arrays.v[k].name && strcmp(s->arrays.v[k].name, name) == 0 && !s->arrays.v[k].whole)
                return cc_arena_printf(
                    arena,
                    "iterations only combine elements of %s (%s), a pointer whose length no clause knows: "
                    "declare it as an array, or give each thread its own and add them up",
                    name, l->reductions.v[i].op);
        if (!name || !is_identifier(name) || !named_here(s, name))
            return cc_arena_printf(
                arena, "iterations combine %s, which has no name in the loop to put into a clause",
                name ? name : "a value");
    }
    for (size_t i = 0; i < l->private.n; i++)
        if (!is_identifier(l->private.v[i]) || !takes_copy(s, l->private.v[i]))
            return cc_arena_printf(
                arena, "each thread would need its own copy of %s: declare or allocate it inside the loop",
                l->private.v[i]);
    return "no clause says what its iterations share";
}

/* What each thread keeps for itself and joins at the end; a last value is nobody's then. */
static void check_choices(struct writer *w, const struct cc_loop *l, const struct cc_source_loop *s)
{
    for (size_t i = 0; i < s->choices.n; i++)
        for (size_t k = 0; k < s->choices.v[i].names.n; k++)
            check_name(w, s->choices.v[i].names.v[k]);
    const char *last = l->lastprivate.n ? l->lastprivate.v[0] : w->f->counter_after ? w->f->counter : NULL;
    if (last && !w->refused)
        w->refused =
            cc_arena_printf(w->arena, "what %s is after the loop would have to be set by hand", last);
    cc_buf_printf(&w->costs, " reduction(%s:%s)", *s->choices.v[0].op == '<' ? "min" : "max",
                  s->choices.v[0].names.v[0]);
}

/* Had the run got there more than once, the loop would not be free. */
static void check_called(struct writer *w)
{
    const char *function;
    const struct cc_patch_update *c = cc_patch_called_changes(w->facts, w->f, &function);
    if (c)
        w->refused =
            cc_arena_printf(w->arena,
                            "iterations did not need each other, but %s, which it calls, changes %s at "
                            "line %u if it gets there: an input that does may tell",
                            function, c->name, c->line);
}

static void write_clauses(const struct cc_loop *l, const struct cc_patch_clauses_input *in,
                          struct cc_patch_clauses *ret)
{
    const struct cc_patch_loop *f = in->fact;
    struct cc_arena *arena = in->arena;
    bool after = f->counter_after && !in->walked; /* one thread goes through it as it stands */
    struct writer w = {.facts = in->facts, .f = f, .arena = arena};
    if (f->malformed && !in->walked)
        w.refused = cc_arena_printf(arena, "OpenMP does not take it: %s", f->malformed);
    else if (f->counter && cc_patch_called_uses(in->facts, f, f->counter))
        w.refused = cc_arena_printf(
            arena, "its counter %s is a global that the functions it calls may use too", f->counter);
    if (in->alone && !w.refused)
        check_called(&w);
    if (in->joined)
        check_choices(&w, l, in->source);
    put_list(&w, " private(", l->private.v, l->private.n, NULL);
    /* after no iteration at all a last value is what the copies began with */
    CC_VEC(const char *) valued = {0};
    for (size_t i = 0; i < l->lastprivate.n; i++)
        if ((!f->always && listed(f->valued.v, f->valued.n, l->lastprivate.v[i])) ||
            listed(l->firstprivate.v, l->firstprivate.n, l->lastprivate.v[i]))
            CC_VEC_PUSH(&valued, l->lastprivate.v[i]);
    put_list(&w, " firstprivate(", valued.v, valued.n, NULL);
    CC_VEC_FINI(&valued);
    put_list(&w, " lastprivate(", l->lastprivate.v, l->lastprivate.n, after ? f->counter : NULL);
    if (after && !f->always && !f->begins && !w.refused)
        w.refused =
            cc_arena_printf(arena,
                            "its counter %s is read afterwards, and OpenMP leaves it undefined after no "
                            "iteration: give it its first value in a line in front of the loop",
                            f->counter);
    ret->before = after && !f->always && f->begins ? cc_arena_printf(arena, "%s;", f->begins) : NULL;
    if ((l->lastprivate.n || after) && f->runs) /* all threads would write it after none */
        cc_buf_printf(&w.data, " if(%s)", f->runs);
    if (in->walked)
        take_sums(&w, l);
    else
        put_reductions(&w, l, in->source);
    ret->refused = w.refused;
    for (size_t i = 0; !ret->refused && i < l->reductions.n; i++)
        ret->rounds = ret->rounds || !exact(f, &l->reductions.v[i]);
    ret->data = w.data.s ? cc_arena_strdup(arena, w.data.s) : "";
    ret->costs = w.costs.s ? cc_arena_strdup(arena, w.costs.s) : "";
    for (size_t i = 0; i < w.atomics.n; i++)
        ret->rounds = ret->rounds || !listed(f->integers.v, f->integers.n, w.atomics.v[i]->name);
    ret->natomics = w.atomics.n;
    const struct cc_patch_update **atomics = cc_arena_alloc(arena, (w.atomics.n + 1) * sizeof *atomics);
    if (w.atomics.n)
        memcpy(atomics, w.atomics.v, w.atomics.n * sizeof *atomics);
    ret->atomics = atomics;
    CC_VEC_FINI(&w.atomics);
    cc_buf_fini(&w.data);
    cc_buf_fini(&w.costs);
}

/* What the source says of a loop that the user takes to be independent, in the place of a verdict. */
static const char *assume(const struct cc_source_loop *s, struct cc_loop *l, struct cc_arena *arena)
{
    if (!s)
        return "its source could not be read as it was compiled (--source DIR)";
    if (s->exit_line)
        return cc_arena_printf(arena, "line %u may leave the loop early", s->exit_line);
    for (size_t i = 0; i < s->variables.n; i++) {
        const struct cc_source_variable *v = &s->variables.v[i];
        if (v->class == CC_SOURCE_CARRIED || v->class == CC_SOURCE_STEP)
            return cc_arena_printf(arena,
                                   "by the source an iteration may take %s (line %u) from the one before",
                                   v->name, v->read_line ? v->read_line : v->write_line);
        if (v->class == CC_SOURCE_REDUCTION)
            CC_VEC_PUSH(&l->reductions, (struct cc_loop_reduction){v->op, v->name});
        else if (v->class == CC_SOURCE_LAST)
            CC_VEC_PUSH(&l->lastprivate, v->name);
        else if (v->class != CC_SOURCE_COUNTER)
            CC_VEC_PUSH(&l->private, v->name);
    }
    return NULL;
}

/* Whether all that threads need copies of can be named, in a loop that a directive can stand in front of. */
static bool only_reductions_lack(const struct cc_loop *l, const struct cc_source_loop *s)
{
    if (l->verdict != CC_VERDICT_REDUCTION || !s || s->kind != CC_SOURCE_FOR || !s->canonical)
        return false;
    for (size_t i = 0; i < l->private.n; i++) {
        const struct cc_source_array *a = source_array(s, l->private.v[i]);
        bool scalar = false;
        for (size_t k = 0; k < s->variables.n; k++)
            scalar = scalar || strcmp(s->variables.v[k].name, l->private.v[i]) == 0;
        if (!is_identifier(l->private.v[i]) || (a ? !a->whole : !scalar))
            return false;
    }
    return true;
}

void cc_patch_clauses(const struct cc_loop *l, const struct cc_patch_clauses_input *in,
                      struct cc_patch_clauses *ret)
{
    *ret = (struct cc_patch_clauses){.data = "", .costs = ""};
    struct cc_loop own = {0};
    bool verdict = l->directive || (!in->assumed && only_reductions_lack(l, in->source));
    if (!verdict)
        ret->refused =
            in->assumed ? assume(in->source, &own, in->arena) : inexpressible(l, in->source, in->arena);
    if (!ret->refused && !in->fact)
        ret->refused = "the source has no for loop in that line, as it is now";
    if (!ret->refused)
        write_clauses(verdict ? l : &own, in, ret);
    if (ret->refused && verdict && !l->directive) /* updates that cannot be atomic */
        ret->refused = inexpressible(l, in->source, in->arena);
    CC_VEC_FINI(&own.private);
    CC_VEC_FINI(&own.lastprivate);
    CC_VEC_FINI(&own.reductions);
}
