/* What a loop that is not free would be if it were written in another way: with choices that each thread
 * makes for itself, with a part of the body that iterations run one after the other, or with one thread that
 * goes from element to element and leaves what is to be done there to all. */
#include "gate.h"
#include "../../../base/text.h"

static bool listed(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

const struct cc_source_choice *cc_gate_choice(const struct gate_input *in, const char *name)
{
    for (size_t i = 0; in->joins && in->source && name && i < in->source->choices.n; i++)
        if (listed(in->source->choices.v[i].names.v, in->source->choices.v[i].names.n, name))
            return &in->source->choices.v[i];
    return NULL;
}

bool cc_gate_in_turn(const struct gate_input *in, const char *name)
{
    bool any = false;
    for (size_t i = 0; in->turns && name && i < in->source->statements.n; i++) {
        const struct cc_source_statement *x = &in->source->statements.v[i];
        if (!listed(x->names.v, x->names.n, name))
            continue;
        if (!in->turns[i])
            return false;
        any = true;
    }
    return any;
}

/* The same loop without clauses; of its reductions and updates those that the binary has. */
static struct cc_loop *copy(const struct gate_input *in, const struct cc_loop *l)
{
    struct cc_loop *j = cc_arena_alloc(in->arena, sizeof *j);
    *j = *l;
    j->reasons = (typeof(j->reasons)){0};
    j->private = (typeof(j->private)){0};
    j->lastprivate = (typeof(j->lastprivate)){0};
    j->firstprivate = (typeof(j->firstprivate)){0};
    j->reductions = (typeof(j->reductions)){0};
    j->updates = (typeof(j->updates)){0};
    j->joined = j->turns = j->walked = NULL;
    for (size_t i = 0; i < l->reductions.n; i++)
        if (!cc_gate_choice(in, l->reductions.v[i].variable))
            CC_VEC_PUSH(&j->reductions, l->reductions.v[i]);
    for (size_t i = 0; i < l->updates.n; i++)
        CC_VEC_PUSH(&j->updates, l->updates.v[i]);
    return j;
}

/* --- without the proof --- */

struct cc_loop *cc_gate_shown(const struct gate_input *in, const struct cc_loop *l)
{
    struct cc_loop *shown = copy(in, l);
    cc_gate_ask(in, shown);
    return shown;
}

void cc_gate_prefer(struct cc_loop *l, struct cc_loop *shown)
{
    if (!shown)
        return;
    bool freed = shown->verdict == CC_VERDICT_PARALLEL || shown->verdict == CC_VERDICT_PRIVATE ||
                 shown->verdict == CC_VERDICT_REDUCTION;
    if (freed && shown->directive && shown->reductions.n < l->reductions.n) {
        struct cc_loop proved = *l;
        *l = *shown;
        l->joined = proved.joined;
        l->turns = proved.turns;
        l->walked = proved.walked;
        proved.joined = proved.turns = proved.walked = NULL;
        *shown = proved;
    }
    cc_loop_fini(shown);
}

/* --- choices --- */

/* Whether a reason is nothing but a choice of the source: its variable, at one of its lines. Of what a
 * register hands on the source says the rest: nothing else that it has may be carried. */
static bool is_choice(const struct gate_input *in, const struct cc_loop_reason *r)
{
    const struct cc_source_choice *c = r->kind <= CC_REASON_REGISTER ? cc_gate_choice(in, r->variable) : NULL;
    return c && ((r->first.line >= c->line && r->first.line <= c->last_line) ||
                 (r->second.line >= c->line && r->second.line <= c->last_line));
}

void cc_gate_join(const struct gate_input *in, struct cc_loop *l)
{
    struct gate_input own = *in;
    own.joins = true;
    if (!in->source || !in->source->choices.n || !in->source->canonical || l->unseen)
        return;
    for (size_t i = 0; i < l->reasons.n; i++)
        if (!is_choice(&own, &l->reasons.v[i]))
            return;
    own.privates.v = cc_arena_alloc(in->arena, (in->privates.n + 1) * sizeof *own.privates.v);
    own.privates.n = 0;
    for (size_t i = 0; i < in->privates.n; i++)
        if (!cc_gate_choice(&own, in->privates.v[i].variable))
            own.privates.v[own.privates.n++] = in->privates.v[i];
    l->joined = copy(&own, l);
    cc_gate_ask(&own, l->joined);
}

/* --- turns --- */

/* The statement of the body that a line belongs to; SIZE_MAX: none. */
static size_t statement_of(const struct gate_input *in, const struct cc_loop_place *at)
{
    const struct cc_source_loop *s = in->source;
    size_t found = SIZE_MAX;
    if (!at->file || !cc_text_same_file(s->file, at->file) || at->line < s->line)
        return SIZE_MAX;
    for (size_t i = 0; i < s->statements.n; i++)
        if (!(s->statements.v[i].flags & CC_SOURCE_HEAD) && at->line >= s->statements.v[i].line)
            found = i;
    bool inside = found != SIZE_MAX && at->line <= CC_MAX(s->last_line, s->statements.v[found].last_line);
    return inside ? found : SIZE_MAX;
}

static bool is_carried(const struct cc_source_variable *v)
{
    return v->class == CC_SOURCE_CARRIED || v->class == CC_SOURCE_STEP;
}

static bool carries(const struct cc_source_loop *s, const char *name)
{
    for (size_t i = 0; name && i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, name) == 0)
            return is_carried(&s->variables.v[i]);
    return false;
}

/* Both ends of what the run showed have to be in statements; of a variable that is carried by the source too
 * all statements that mention it are taken anyway. */
static bool mark_reasons(const struct gate_input *in, const struct cc_loop *l, bool *turns)
{
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        size_t from = statement_of(in, &r->first), to = statement_of(in, &r->second);
        if (r->kind == CC_REASON_REGISTER && carries(in->source, r->variable))
            continue;
        if (r->kind == CC_REASON_EXIT || from == SIZE_MAX || to == SIZE_MAX)
            return false;
        turns[from] = turns[to] = true;
    }
    return true;
}

static bool mark_variables(const struct gate_input *in, bool *turns)
{
    const struct cc_source_loop *s = in->source;
    for (size_t v = 0; v < s->variables.n; v++)
        for (size_t i = 0; is_carried(&s->variables.v[v]) && i < s->statements.n; i++) {
            const struct cc_source_statement *x = &s->statements.v[i];
            if (!listed(x->names.v, x->names.n, s->variables.v[v].name))
                continue;
            if (x->flags & CC_SOURCE_HEAD)
                return false;
            turns[i] = true;
        }
    return true;
}

/* One block from the first to the last of them, which leaves something before or behind it. */
static bool close_gaps(const struct cc_source_loop *s, bool *turns, size_t *ret_first, size_t *ret_last)
{
    size_t first = SIZE_MAX, last = 0, others = 0;
    for (size_t i = 0; i < s->statements.n; i++)
        if (turns[i]) {
            first = CC_MIN(first, i);
            last = i;
        }
    if (first == SIZE_MAX)
        return false;
    for (size_t i = 0; i < s->statements.n; i++) {
        bool in = i >= first && i <= last;
        unsigned flags = s->statements.v[i].flags;
        others += !in && !(flags & CC_SOURCE_HEAD);
        turns[i] = in;
        if (in && (flags & CC_SOURCE_JUMPS || (flags & CC_SOURCE_DECLARES && last + 1 < s->statements.n)))
            return false;
    }
    *ret_first = first;
    *ret_last = last;
    return others > 0;
}

void cc_gate_turns(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    size_t first, last;
    if (!s || !s->canonical || s->exit_line || !s->statements.n || l->unseen)
        return;
    bool *turns = cc_arena_alloc(in->arena, s->statements.n * sizeof *turns);
    memset(turns, 0, s->statements.n * sizeof *turns);
    if (!mark_reasons(in, l, turns) || !mark_variables(in, turns) || !close_gaps(s, turns, &first, &last))
        return;
    struct gate_input own = *in;
    own.turns = turns;
    l->turns = copy(&own, l);
    l->turn_line = s->statements.v[first].line;
    l->turn_last = s->statements.v[last].last_line;
    cc_gate_ask(&own, l->turns);
}

/* --- tasks for what is met on the way --- */

/* Library functions that may write all of what they get. */
static bool fills(const char *symbol)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "bcopy", "bzero",
                                        "fread",  "read",    "recv",   "qsort", "realloc"};
    const char *at = strrchr(symbol, '@');
    return listed(names, CC_COUNT(names), at ? at + 1 : symbol);
}

/* Whether a function, or one that it calls, may write the field; `done`: those that were asked. */
static bool writes_field(const struct cc_source_loops *all, const char *symbol, const char *field, bool *done)
{
    if (fills(symbol))
        return true;
    for (size_t i = 0; i < all->functions.n; i++) {
        const struct cc_loop_function *g = &all->functions.v[i];
        if (done[i] || strcmp(g->symbol, symbol) != 0)
            continue;
        done[i] = true;
        if (listed(g->fields.v, g->fields.n, field) || listed(g->fields.v, g->fields.n, "*"))
            return true;
        for (size_t k = 0; k < g->calls.n; k++)
            if (writes_field(all, g->calls.v[k].symbol, field, done))
                return true;
    }
    return false;
}

static bool way_changes(const struct gate_input *in)
{
    bool *done = cc_arena_alloc(in->arena, in->sources->functions.n + 1), found = false;
    memset(done, 0, in->sources->functions.n);
    for (size_t i = 0; i < in->source->calls.n; i++)
        found =
            found || writes_field(in->sources, in->source->calls.v[i].symbol, in->source->walk_field, done);
    return found;
}

/* What the walk itself hands on. Of registers the source says the rest, as of choices, and of places in the
 * frame that have no name and are only set anew; that it ends where the list does is all there is to its end.
 */
static bool is_walk(const struct cc_source_loop *s, const struct cc_loop_reason *r)
{
    bool own = r->variable && strcmp(r->variable, s->walk) == 0;
    bool slot = !r->variable && r->frame && (r->kind == CC_REASON_WAR || r->kind == CC_REASON_WAW);
    return own || slot || r->kind == CC_REASON_EXIT || (r->kind == CC_REASON_REGISTER && !r->variable);
}

void cc_gate_walk(const struct gate_input *in, struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    if (!s || !s->walk || !in->sources || l->unseen || way_changes(in))
        return;
    for (size_t i = 0; i < l->reasons.n; i++)
        if (!is_walk(s, &l->reasons.v[i]))
            return;
    struct gate_input own = *in;
    own.walk = s->walk;
    l->walked = copy(&own, l);
    cc_gate_ask(&own, l->walked);
}
