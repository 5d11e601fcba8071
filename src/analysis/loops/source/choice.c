/* `if (d < best) { best = d; at = i; }`: iterations that only keep the best they have met, and what belongs
 * to it. Of several that are as good the first stays (<, >) or the last (<=, >=). */
#include "live.h"
#include "scan.h"

struct choice {
    uint32_t node; /* the if */
    int op;        /* of what is met to the best: it is taken if it is <, <=, >, >= */
    int32_t best;
    CC_VEC(int32_t) decls; /* the best first */
};

/* Without what the compiler adds by itself: conversions and parentheses. */
static uint32_t written(const struct cc_tree *t, uint32_t n)
{
    while (n != CC_NODE_NONE &&
           ((cc_tree_at(t, n)->kind == CC_N_CAST && !cc_tree_at(t, n)->op) ||
            cc_tree_at(t, n)->kind == CC_N_OTHER) &&
           cc_tree_at(t, n)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, n)->child)->next == CC_NODE_NONE)
        n = cc_tree_at(t, n)->child;
    return n;
}

/* Functions whose value is that of their arguments. */
static bool is_plain_function(const struct cc_tree *t, int32_t callee)
{
    static const char *const names[] = {
        "abs",   "labs",   "llabs",  "fabs",    "fabsf",  "fabsl",   "sqrt",    "sqrtf",
        "hypot", "exp",    "expf",   "log",     "logf",   "pow",     "powf",    "fmin",
        "fmax",  "sin",    "cos",    "tan",     "atan2",  "floor",   "ceil",    "size",
        "empty", "strlen", "strcmp", "strncmp", "memcmp", "tolower", "toupper", "operator[]"};
    for (size_t i = 0; callee >= 0 && t->decls[callee].in_system_header && i < CC_COUNT(names); i++)
        if (strcmp(t->decls[callee].name, names[i]) == 0)
            return true;
    return false;
}

/* Whether evaluating it once more, or not at all, makes no difference. */
static bool is_pure(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    if (n == CC_NODE_NONE)
        return true;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool effects = x->kind == CC_N_ASSIGN || x->kind == CC_N_STMT_EXPR || x->kind == CC_N_ASM ||
                   (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC)) ||
                   (x->kind == CC_N_CALL && !is_plain_function(t, x->decl));
    if (effects || depth > SCAN_DEPTH)
        return false;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        if (!is_pure(t, c, depth + 1))
            return false;
    return true;
}

static int turned(int op)
{
    return op == CC_OP_LT ? CC_OP_GT : op == CC_OP_GT ? CC_OP_LT : op == CC_OP_LE ? CC_OP_GE : CC_OP_LE;
}

/* A copy of it is all that is ever compared: no bit may be lost on the way. */
static bool holds(const struct cc_ctype *best, const struct cc_ctype *value)
{
    bool number = best->class == CC_T_INT || best->class == CC_T_FLOAT;
    return number && best->class == value->class && value->bits && value->bits <= best->bits &&
           best->is_unsigned == value->is_unsigned;
}

/* The comparison with the best, alone or with other conditions; *ret_value: what is compared. */
static bool find_test(const struct scan *s, uint32_t n, int32_t best, int *ret_op, uint32_t *ret_value)
{
    const struct cc_tree *t = s->tree;
    n = written(t, n);
    if (n == CC_NODE_NONE || cc_tree_at(t, n)->kind != CC_N_BINARY)
        return false;
    int op = cc_tree_at(t, n)->op;
    uint32_t left = cc_tree_part(t, n, 0), right = cc_tree_part(t, n, 1);
    if (op == CC_OP_LAND) {
        bool first = cc_tree_mentions(t, left, best) > 0;
        return find_test(s, first ? left : right, best, ret_op, ret_value);
    }
    if (op != CC_OP_LT && op != CC_OP_GT && op != CC_OP_LE && op != CC_OP_GE)
        return false;
    bool first = cc_scan_plain(t, left) == best;
    if (!first && cc_scan_plain(t, right) != best)
        return false;
    *ret_op = first ? turned(op) : op;
    *ret_value = written(t, first ? right : left);
    return *ret_value != CC_NODE_NONE;
}

/* What a statement `x = e;` sets, if e does no more than have a value; -1: it is another. */
static int32_t assigned(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind != CC_N_ASSIGN || x->op != CC_OP_NONE || !is_pure(t, cc_tree_part(t, n, 1), 0))
        return -1;
    int32_t decl = cc_scan_plain(t, x->child);
    bool outside = decl >= 0 && !s->variables[decl].inside && !s->variables[decl].address;
    int class = decl < 0 ? CC_T_NONE : t->decls[decl].type.class;
    bool copied = class == CC_T_INT || class == CC_T_FLOAT || class == CC_T_POINTER;
    for (size_t i = 0; outside && i < t->ndecls; i++) /* two of one name are not told apart */
        outside = (int32_t)i == decl || strcmp(t->decls[i].name, t->decls[decl].name) != 0;
    return outside && copied ? decl : -1;
}

/* `x = 1;` or `x = 1, y = 2;` */
static bool take_assigned(const struct scan *s, struct choice *c, uint32_t n, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    if (depth < SCAN_DEPTH && cc_tree_at(t, n)->kind == CC_N_BINARY && cc_tree_at(t, n)->op == CC_OP_COMMA)
        return take_assigned(s, c, cc_tree_part(t, n, 0), depth + 1) &&
               take_assigned(s, c, cc_tree_part(t, n, 1), depth + 1);
    int32_t decl = assigned(s, n);
    if (decl >= 0)
        CC_VEC_PUSH(&c->decls, decl);
    return decl >= 0;
}

/* All that is set in the block, each once and only there. */
static bool collect(const struct scan *s, struct choice *c, uint32_t block)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t n = cc_tree_at(t, block)->child; n != CC_NODE_NONE; n = cc_tree_at(t, n)->next)
        if (!take_assigned(s, c, n, 0))
            return false;
    for (size_t i = 0; i < c->decls.n; i++) {
        unsigned own = c->decls.v[i] == c->best ? 2 : 1;
        if (cc_tree_mentions(t, s->loop, c->decls.v[i]) != own ||
            cc_tree_mentions(t, cc_tree_part(t, c->node, 0), c->decls.v[i]) + 1 != own)
            return false;
    }
    return c->decls.n > 1; /* with nothing to it, it is a minimum */
}

/* Whether the variable is set to what it was compared with. */
static bool is_best(const struct scan *s, struct choice *c, uint32_t assignment)
{
    const struct cc_tree *t = s->tree;
    uint32_t test = cc_tree_part(t, c->node, 0), value = CC_NODE_NONE;
    c->best = assigned(s, assignment);
    return c->best >= 0 && cc_tree_mentions(t, test, c->best) == 1 &&
           find_test(s, test, c->best, &c->op, &value) &&
           holds(&t->decls[c->best].type, &cc_tree_at(t, value)->type) &&
           cc_scan_same_text(s, value, written(t, cc_tree_part(t, assignment, 1)));
}

static bool read_choice(const struct scan *s, uint32_t n, struct choice *ret)
{
    const struct cc_tree *t = s->tree;
    uint32_t test = cc_tree_part(t, n, 0), block = cc_tree_part(t, n, 1), other = cc_tree_part(t, n, 2);
    bool alone = other == CC_NODE_NONE || cc_tree_at(t, other)->kind == CC_N_ABSENT;
    *ret = (struct choice){.node = n, .best = -1};
    if (!alone || block == CC_NODE_NONE || cc_tree_at(t, block)->kind != CC_N_COMPOUND ||
        !is_pure(t, test, 0))
        return false;
    bool found = false;
    for (uint32_t c = cc_tree_at(t, block)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = is_best(s, ret, c);
    return found && collect(s, ret, block);
}

static void tell(const struct scan *s, const struct choice *c, FILE *out)
{
    static const char *const names[] = {
        [CC_OP_LT] = "<", [CC_OP_GT] = ">", [CC_OP_LE] = "<=", [CC_OP_GE] = ">="};
    const struct cc_tree *t = s->tree;
    fprintf(out, "H\t%u\t%u\t%s\t%s", cc_tree_at(t, c->node)->line, cc_tree_at(t, c->node)->last_line,
            names[c->op], t->decls[c->best].name);
    for (size_t i = 0; i < c->decls.n; i++)
        if (c->decls.v[i] != c->best)
            fprintf(out, ",%s", t->decls[c->decls.v[i]].name);
    fputc('\n', out);
}

void cc_source_choices(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        struct choice c = {0};
        if (x->kind == CC_N_IF && x->begin >= cc_tree_at(t, s->loop)->begin &&
            x->end <= cc_tree_at(t, s->loop)->end && read_choice(s, i, &c))
            tell(s, &c, out);
        CC_VEC_FINI(&c.decls);
    }
}
