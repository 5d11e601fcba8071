/* Constants, and how often loops run that count from one to another. */
#include "lower.h"

#include <math.h>

static bool literal_value(const struct cc_tree *t, const struct cc_tree_node *n, int64_t *ret)
{
    const char *s = t->text + n->begin;
    if (n->type.class != CC_T_INT || n->end <= n->begin)
        return false;
    if (*s == '\'' && n->end - n->begin == 3) {
        *ret = s[1];
        return true;
    }
    char digits[32];
    size_t len = CC_MIN((size_t)(n->end - n->begin), sizeof digits - 1);
    memcpy(digits, s, len);
    digits[len] = 0;
    char *end;
    bool binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    *ret = (int64_t)strtoull(binary ? digits + 2 : digits, &end, binary ? 2 : 0);
    return end != digits && strspn(end, "uUlL") == strlen(end);
}

static bool combine(enum cc_op op, int64_t a, int64_t b, int64_t *ret)
{
    switch (op) {
    case CC_OP_ADD:
        return !__builtin_add_overflow(a, b, ret);
    case CC_OP_SUB:
        return !__builtin_sub_overflow(a, b, ret);
    case CC_OP_MUL:
        return !__builtin_mul_overflow(a, b, ret);
    case CC_OP_DIV:
        return b > 0 && (*ret = a / b, true);
    case CC_OP_SHL:
        return b >= 0 && b < 62 && a >= 0 && a < (INT64_C(1) << (62 - b)) && (*ret = a << b, true);
    case CC_OP_SHR:
        return b >= 0 && b < 63 && a >= 0 && (*ret = a >> b, true);
    default:
        return false;
    }
}

/* Deeper than any constant people write; keeps the look-ups along a long chain of operators cheap. */
enum { CONSTANT_DEPTH = 32 };

static bool constant(const struct cc_tree *t, uint32_t node, int depth, int64_t *ret)
{
    if (depth > CONSTANT_DEPTH)
        return false;
    const struct cc_tree_node *n = &t->nodes[node];
    int64_t a, b;
    switch (n->kind) {
    case CC_N_LITERAL:
        return literal_value(t, n, ret);
    case CC_N_REF:
        *ret = n->decl >= 0 ? t->decls[n->decl].value : 0;
        return n->decl >= 0 && t->decls[n->decl].has_value;
    case CC_N_SIZEOF:
        *ret = n->value;
        return n->op != 0;
    case CC_N_CAST:
        return n->type.class == CC_T_INT && constant(t, n->child, depth + 1, ret);
    case CC_N_UNARY:
        if ((n->op != CC_OP_NEG && n->op != CC_OP_PLUS) || !constant(t, n->child, depth + 1, &a))
            return false;
        return combine(CC_OP_SUB, 0, n->op == CC_OP_NEG ? a : -a, ret);
    case CC_N_BINARY:
        return constant(t, n->child, depth + 1, &a) && constant(t, t->nodes[n->child].next, depth + 1, &b) &&
               combine(n->op, a, b, ret);
    default:
        return false;
    }
}

bool cc_tree_constant(const struct cc_tree *t, uint32_t node, int64_t *ret)
{
    return constant(t, node, 0, ret);
}

static const struct cc_tree_node *uncast(const struct cc_tree *t, const struct cc_tree_node *n)
{
    while (n->kind == CC_N_CAST)
        n = &t->nodes[n->child];
    return n;
}

/* "int i = 3" or "i = 3" */
static bool loop_start(const struct cc_tree *t, const struct cc_tree_node *n, int32_t *var, int64_t *value)
{
    if (n->kind == CC_N_DECL && n->child != CC_NODE_NONE)
        n = &t->nodes[n->child];
    if (n->child == CC_NODE_NONE)
        return false;
    if (n->kind == CC_N_VAR) {
        *var = n->decl;
        return cc_tree_constant(t, n->child, value);
    }
    const struct cc_tree_node *left = &t->nodes[n->child];
    if (n->kind != CC_N_ASSIGN || n->op != CC_OP_NONE || left->kind != CC_N_REF)
        return false;
    *var = left->decl;
    return cc_tree_constant(t, left->next, value);
}

/* "i++", "i += 2", "i = i + 2" and the same downwards */
static bool loop_step(const struct cc_tree *t, const struct cc_tree_node *n, int32_t var, int64_t *step)
{
    if (n->child == CC_NODE_NONE)
        return false;
    const struct cc_tree_node *left = &t->nodes[n->child];
    if (left->kind != CC_N_REF || left->decl != var)
        return false;
    if (n->kind == CC_N_UNARY && (n->op == CC_OP_INC || n->op == CC_OP_DEC)) {
        *step = n->op == CC_OP_INC ? 1 : -1;
        return true;
    }
    enum cc_op op = n->op;
    uint32_t amount = left->next;
    if (n->kind == CC_N_ASSIGN && op == CC_OP_NONE) {
        const struct cc_tree_node *right = uncast(t, &t->nodes[left->next]);
        if (right->kind != CC_N_BINARY)
            return false;
        const struct cc_tree_node *base = uncast(t, &t->nodes[right->child]);
        if (base->kind != CC_N_REF || base->decl != var)
            return false;
        op = right->op;
        amount = t->nodes[right->child].next;
    } else if (n->kind != CC_N_ASSIGN) {
        return false;
    }
    if ((op != CC_OP_ADD && op != CC_OP_SUB) || !cc_tree_constant(t, amount, step))
        return false;
    if (op == CC_OP_SUB)
        *step = -*step;
    return *step != 0;
}

/* How often a variable that starts at `from` and moves by `step` passes the test. */
static bool count_trips(const struct cc_tree *t, const struct cc_tree_node *test, int32_t var, int64_t from,
                        int64_t step, double *ret)
{
    int64_t to;
    if (test->kind != CC_N_BINARY)
        return false;
    const struct cc_tree_node *left = uncast(t, &t->nodes[test->child]);
    if (left->kind != CC_N_REF || left->decl != var || !cc_tree_constant(t, t->nodes[test->child].next, &to))
        return false;
    bool up = test->op == CC_OP_LT || test->op == CC_OP_LE,
         down = test->op == CC_OP_GT || test->op == CC_OP_GE;
    if (test->op == CC_OP_NE)
        up = step > 0, down = step < 0;
    if ((up && step < 0) || (down && step > 0) || (!up && !down))
        return false;
    double span = up ? (double)to - (double)from : (double)from - (double)to;
    if (test->op == CC_OP_LE || test->op == CC_OP_GE)
        span++;
    *ret = fmax(0, ceil(span / fabs((double)step)));
    return true;
}

bool cc_tree_trips(const struct cc_tree *t, uint32_t loop, double *ret)
{
    const struct cc_tree_node *init = &t->nodes[t->nodes[loop].child];
    const struct cc_tree_node *test = &t->nodes[init->next], *next = &t->nodes[test->next];
    int32_t var = -1;
    int64_t from, step;
    return loop_start(t, init, &var, &from) && loop_step(t, next, var, &step) &&
           count_trips(t, test, var, from, step, ret);
}

/* --- loops that were watched --- */

double cc_tree_recorded_trips(const struct cc_tree *t, uint32_t loop, uint32_t condition, unsigned level)
{
    unsigned head = t->nodes[loop].line, test = head;
    if (condition != CC_NODE_NONE && t->nodes[condition].kind != CC_N_ABSENT)
        test = t->nodes[condition].line;
    double found = 0;
    for (size_t i = 0; i < t->trips.n; i++) {
        const struct cc_source_trip *r = &t->trips.v[i];
        if (r->level == level && (r->line == test || (r->line == head && found == 0)) &&
            cc_source_same_file(r->file, t->file))
            found = r->trips;
    }
    return found;
}

/* --- loops that count by hand --- */

/* What happens to a variable in a part of the tree. */
struct touched {
    int32_t var;
    unsigned writes; /* assignments, ++ and --; taking its address counts as many */
    bool jumps;      /* continue or goto: the step may be skipped */
    unsigned nodes;  /* looked at */
};

/* Beyond these a loop is taken as unknown: every loop looks at what is before it. */
enum { WALK_DEPTH = 200, WALK_NODES = 10000 };

static void touch(const struct cc_tree *t, uint32_t node, int depth, struct touched *w)
{
    const struct cc_tree_node *n = &t->nodes[node];
    if (depth > WALK_DEPTH || ++w->nodes > WALK_NODES) {
        w->writes += 2;
        return;
    }
    const struct cc_tree_node *target = n->child == CC_NODE_NONE ? NULL : uncast(t, &t->nodes[n->child]);
    bool ours = target && target->kind == CC_N_REF && target->decl == w->var;
    if (n->kind == CC_N_ASSIGN || (n->kind == CC_N_UNARY && (n->op == CC_OP_INC || n->op == CC_OP_DEC)))
        w->writes += ours;
    if (n->kind == CC_N_UNARY && n->op == CC_OP_ADDR)
        w->writes += 2 * ours;
    w->jumps |= n->kind == CC_N_CONTINUE || n->kind == CC_N_GOTO || n->kind == CC_N_LABEL;
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = t->nodes[c].next)
        touch(t, c, depth + 1, w);
}

/* The step: the only write of the variable in the body, a statement of its own there. */
static bool body_step(const struct cc_tree *t, uint32_t body, int32_t var, int64_t *step)
{
    struct touched w = {.var = var};
    touch(t, body, 0, &w);
    if (w.writes != 1 || w.jumps || t->nodes[body].kind != CC_N_COMPOUND)
        return false;
    for (uint32_t c = t->nodes[body].child; c != CC_NODE_NONE; c = t->nodes[c].next)
        if (loop_step(t, &t->nodes[c], var, step))
            return true;
    return false;
}

bool cc_tree_while_trips(const struct cc_tree *t, uint32_t before, uint32_t loop, double *ret)
{
    const struct cc_tree_node *n = &t->nodes[loop];
    bool first = n->kind == CC_N_WHILE;
    uint32_t test = first ? n->child : t->nodes[n->child].next,
             body = first ? t->nodes[n->child].next : n->child;
    const struct cc_tree_node *left =
        t->nodes[test].kind == CC_N_BINARY ? uncast(t, &t->nodes[t->nodes[test].child]) : NULL;
    int64_t from = 0, step;
    if (before == CC_NODE_NONE || !left || left->kind != CC_N_REF || left->decl < 0 ||
        t->decls[left->decl].kind != CC_D_LOCAL)
        return false;
    int32_t var = -1;
    struct touched w = {.var = left->decl};
    for (uint32_t c = before; c != CC_NODE_NONE && c != loop; c = t->nodes[c].next) {
        int32_t started = -1;
        w.writes = 0;
        int64_t value;
        touch(t, c, 0, &w);
        if (loop_start(t, &t->nodes[c], &started, &value) && started == left->decl) {
            var = started;
            from = value;
        } else if (w.writes) {
            var = -1;
        }
    }
    if (var < 0 || !body_step(t, body, var, &step) || !count_trips(t, &t->nodes[test], var, from, step, ret))
        return false;
    *ret = first ? *ret : fmax(1, *ret); /* do runs once before it asks */
    return true;
}

bool cc_tree_runs_once(const struct cc_tree *t, const struct cc_tree_node *n)
{
    int64_t value;
    return n->kind == CC_N_DO && cc_tree_constant(t, t->nodes[n->child].next, &value) && value == 0;
}
