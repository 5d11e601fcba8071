/* Scratch that an iteration fills before it reads it: `for (k = 0; k < 8; k++) t[k] = …;` and then t[7 - k].
 */
#include "form.h"
#include "proof.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

/* Something in the statement may go elsewhere, or come from there. */
static bool jumps(const struct scan *s, uint32_t n)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        int kind = at(s, i)->kind;
        if (cc_tree_holds(s->tree, n, i) && (kind == CC_N_BREAK || kind == CC_N_CONTINUE ||
                                             kind == CC_N_RETURN || kind == CC_N_GOTO || kind == CC_N_LABEL))
            return true;
    }
    return false;
}

/* The subscript of `t[k] = …`, if the statement is that; CC_NODE_NONE. */
static uint32_t set_by(const struct scan *s, const struct scan_array *a, uint32_t statement)
{
    const struct cc_tree *t = s->tree;
    statement = cc_tree_bare(t, statement);
    if (statement == CC_NODE_NONE || at(s, statement)->kind != CC_N_ASSIGN ||
        at(s, statement)->op != CC_OP_NONE)
        return CC_NODE_NONE;
    uint32_t place = cc_tree_bare(t, at(s, statement)->child);
    bool element = at(s, place)->kind == CC_N_SUBSCRIPT && cc_scan_plain(t, at(s, place)->child) == a->decl &&
                   at(s, place)->type.class != CC_T_RECORD && at(s, place)->type.class != CC_T_ARRAY;
    return element ? cc_tree_part(t, place, 1) : CC_NODE_NONE;
}

static struct form_range filled(struct forms *f, const struct scan_array *a, uint32_t statement,
                                unsigned depth);

/* What a call of memset or memcpy sets of the array from end to end. */
static struct form_range filled_by_call(const struct scan *s, const struct scan_array *a, uint32_t call)
{
    struct form_range none = {0};
    uint32_t element = cc_tree_bare(s->tree, a->writes.v[0]);
    uint64_t all = s->tree->decls[a->decl].type.bits, each = at(s, element)->type.bits;
    if (cc_cover_filled(s, call) != a->decl || at(s, element)->kind != CC_N_SUBSCRIPT || !each || all % each)
        return none;
    return (struct form_range){cc_form_number(0), cc_form_number((long)(all / each) - 1)};
}

/* What both branches of an `if` set. */
static struct form_range filled_either_way(struct forms *f, const struct scan_array *a, uint32_t n,
                                           unsigned depth)
{
    struct form_range none = {0};
    uint32_t other = cc_tree_part(f->scan->tree, n, 2);
    if (other == CC_NODE_NONE || jumps(f->scan, n))
        return none;
    struct form_range x = filled(f, a, cc_tree_part(f->scan->tree, n, 1), depth),
                      y = filled(f, a, other, depth);
    if (!x.low.known || !x.high.known || !y.low.known || !y.high.known)
        return none;
    struct form low = cc_form_add(x.low, y.low, -1), high = cc_form_add(x.high, y.high, -1);
    long by_low, by_high;
    if (!cc_form_is_number(&low, &by_low) || !cc_form_is_number(&high, &by_high))
        return none;
    return (struct form_range){by_low > 0 ? x.low : y.low, by_high < 0 ? x.high : y.high};
}

/* What the first statement of a block sets that sets something. */
static struct form_range filled_in_block(struct forms *f, const struct scan_array *a, uint32_t n,
                                         unsigned depth)
{
    struct form_range r = {0};
    if (jumps(f->scan, n))
        return r;
    for (uint32_t c = at(f->scan, n)->child; c != CC_NODE_NONE && !(r.low.known && r.high.known);
         c = at(f->scan, c)->next)
        r = filled(f, a, c, depth);
    return r;
}

/* Elements that a statement sets, from one to the other; neither is known if it sets none for sure. */
static struct form_range filled(struct forms *f, const struct scan_array *a, uint32_t statement,
                                unsigned depth)
{
    const struct scan *s = f->scan;
    struct form_range none = {0};
    if (depth > SCAN_DEPTH || statement == CC_NODE_NONE)
        return none;
    uint32_t by = set_by(s, a, statement);
    if (by != CC_NODE_NONE) {
        struct form one = cc_form_of(f, by, FORM_ONE);
        return (struct form_range){one, one};
    }
    uint32_t call = cc_tree_bare(s->tree, statement);
    if (at(s, call)->kind == CC_N_CALL)
        return filled_by_call(s, a, call);
    if (at(s, statement)->kind == CC_N_IF)
        return filled_either_way(f, a, statement, depth + 1);
    if (at(s, statement)->kind == CC_N_COMPOUND)
        return filled_in_block(f, a, statement, depth + 1);
    int32_t counter = at(s, statement)->kind == CC_N_FOR ? cc_scan_counter(s->tree, statement) : -1;
    long step = counter < 0 ? 0 : cc_form_step(s->tree, statement);
    uint32_t body = counter < 0 ? CC_NODE_NONE : cc_tree_part(s->tree, statement, 3);
    if ((step != 1 && step != -1) || jumps(s, statement))
        return none;
    bool block = at(s, body)->kind == CC_N_COMPOUND;
    for (uint32_t c = block ? at(s, body)->child : body; c != CC_NODE_NONE;
         c = block ? at(s, c)->next : CC_NODE_NONE) {
        by = set_by(s, a, c);
        if (by == CC_NODE_NONE)
            continue;
        struct form_range r = cc_form_range(f, statement, counter, FORM_ONE);
        struct form one = cc_form_of(f, by, FORM_ONE),
                    counts = {.known = true,
                              .n = 1,
                              .v = {{.factor = 1, .symbols = {(uint32_t)counter}, .degree = 1}}};
        struct form more = cc_form_add(one, counts, -1);
        long number;
        if (cc_form_is_number(&more, &number))
            return (struct form_range){cc_form_add(r.low, more, 1), cc_form_add(r.high, more, 1)};
    }
    return none;
}

/* Some statement before the read, in a block around both, has set what is read. */
static bool is_set(struct forms *f, const struct scan_array *a, uint32_t read)
{
    const struct scan *s = f->scan;
    uint32_t place = cc_tree_bare(s->tree, read);
    if (at(s, place)->kind != CC_N_SUBSCRIPT || cc_scan_plain(s->tree, at(s, place)->child) != a->decl)
        return false;
    struct form by = cc_form_of(f, cc_tree_part(s->tree, place, 1), FORM_ONE);
    const uint32_t places[2] = {read, CC_NODE_NONE};
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        if (at(s, i)->kind != CC_N_COMPOUND || !cc_tree_holds(s->tree, s->loop, i) ||
            !cc_tree_holds(s->tree, i, read))
            continue;
        for (uint32_t c = at(s, i)->child; c != CC_NODE_NONE && at(s, c)->end <= at(s, read)->begin;
             c = at(s, c)->next) {
            struct form_range r = filled(f, a, c, 0);
            if (r.low.known && r.high.known && cc_form_at_least(f, cc_form_add(by, r.low, -1), 0, places) &&
                cc_form_at_least(f, cc_form_add(r.high, by, -1), 0, places))
                return true;
        }
    }
    return false;
}

/* A statement that is jumped into need not have run from its beginning. */
static bool labels(const struct scan *s)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        int kind = at(s, i)->kind;
        if (cc_tree_holds(s->tree, s->loop, i) &&
            (kind == CC_N_LABEL || kind == CC_N_CASE || kind == CC_N_DEFAULT))
            return true;
    }
    return false;
}

bool cc_proof_scratch(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    struct forms f = {.scan = s, .counter = counter};
    bool told = counter >= 0 && a->decl >= 0 && a->write_line && !a->passed_on && a->asked.n &&
                a->all.n < MOST_ACCESSES && cc_proof_tells(s, a->decl) && !s->variables[a->decl].write_line &&
                !s->variables[a->decl].address && !labels(s);
    for (size_t i = 0; i < a->asked.n && told; i++)
        told = is_set(&f, a, a->asked.v[i]);
    CC_VEC_FINI(&f.atoms);
    return told;
}
