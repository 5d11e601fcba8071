/* What a loop only combines with something: `x += e`, `x = x * e`, `if (e > x) x = e`. */
#include "scan.h"

static const struct cc_tree_node *node(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

static uint32_t child(const struct scan *s, uint32_t n, int which)
{
    return cc_tree_part(s->tree, n, (unsigned)which);
}

/* Whether a conversion that is written leaves a value as it is, whatever it is: else what is combined is not
 * what the place holds. */
static bool keeps(struct cc_ctype to, struct cc_ctype from)
{
    if (to.class == CC_T_INT && from.class == CC_T_INT)
        return to.is_unsigned == from.is_unsigned ? to.bits >= from.bits
                                                  : to.bits > from.bits && !to.is_unsigned;
    if (to.class == CC_T_FLOAT)
        return from.class == CC_T_INT || (from.class == CC_T_FLOAT && to.bits >= from.bits);
    return to.class == from.class;
}

/* Through parentheses and conversions, but not through one that changes something. */
static uint32_t bare(const struct scan *s, uint32_t n)
{
    uint32_t inner = n == CC_NODE_NONE ? n : node(s, n)->child;
    while (n != CC_NODE_NONE && (node(s, n)->kind == CC_N_CAST || node(s, n)->kind == CC_N_OTHER) &&
           inner != CC_NODE_NONE && node(s, inner)->next == CC_NODE_NONE) {
        bool written = node(s, n)->kind == CC_N_OTHER || node(s, n)->op == 1;
        if (written && !keeps(node(s, n)->type, node(s, cc_scan_strip(s, inner))->type))
            break;
        n = inner;
        inner = node(s, n)->child;
    }
    return n;
}

/* The same of what is assigned to the place: what it is made anyway. */
static uint32_t bare_value(const struct scan *s, uint32_t n, uint32_t place)
{
    n = bare(s, n);
    struct cc_ctype to = node(s, cc_scan_strip(s, place))->type;
    bool same = n != CC_NODE_NONE && node(s, n)->kind == CC_N_CAST && node(s, n)->type.class == to.class &&
                node(s, n)->type.bits == to.bits && node(s, n)->type.is_unsigned == to.is_unsigned;
    return same ? bare(s, node(s, n)->child) : n;
}

/* The op of an OpenMP reduction that an operation belongs to; NULL: none. */
static const char *family(int op)
{
    switch (op) {
    case CC_OP_ADD:
    case CC_OP_SUB:
    case CC_OP_INC:
    case CC_OP_DEC:
        return "+";
    case CC_OP_MUL:
        return "*";
    case CC_OP_AND:
        return "&";
    case CC_OP_OR:
        return "|";
    case CC_OP_XOR:
        return "^";
    default:
        return NULL;
    }
}

/* Whether the place is mentioned once in a chain of one op, not to the right of a minus. */
static bool in_chain(const struct scan *s, uint32_t n, uint32_t place, const char *op)
{
    n = bare(s, n);
    if (n == CC_NODE_NONE)
        return false;
    if (node(s, n)->kind != CC_N_BINARY)
        return node(s, n)->kind == node(s, cc_scan_strip(s, place))->kind &&
               cc_scan_same_text(s, n, cc_scan_strip(s, place));
    const char *mine = family(node(s, n)->op);
    if (!mine || mine != op)
        return false;
    return in_chain(s, child(s, n, 0), place, op) ||
           (node(s, n)->op != CC_OP_SUB && in_chain(s, child(s, n, 1), place, op));
}

static const char *minimum_call(const struct scan *s, uint32_t n)
{
    int32_t decl = node(s, n)->decl;
    const char *name = decl >= 0 ? s->tree->decls[decl].name : "";
    static const char *const least[] = {"fmin", "fminf", "fminl", "min"}, *const most[] = {"fmax", "fmaxf",
                                                                                           "fmaxl", "max"};
    for (size_t i = 0; i < CC_COUNT(least); i++)
        if (strcmp(name, least[i]) == 0 || strcmp(name, most[i]) == 0)
            return strcmp(name, least[i]) == 0 ? "min" : "max";
    return NULL;
}

/* "max" if the comparison is true where `value` is more than `place`. */
static const char *comparison(const struct scan *s, uint32_t n, uint32_t place, uint32_t value)
{
    n = cc_scan_strip(s, n);
    if (n == CC_NODE_NONE || node(s, n)->kind != CC_N_BINARY)
        return NULL;
    int op = node(s, n)->op;
    bool less = op == CC_OP_LT || op == CC_OP_LE, more = op == CC_OP_GT || op == CC_OP_GE;
    uint32_t a = bare(s, child(s, n, 0)), b = bare(s, child(s, n, 1));
    if ((!less && !more) || a == CC_NODE_NONE || b == CC_NODE_NONE)
        return NULL;
    value = bare_value(s, value, place), place = cc_scan_strip(s, place);
    if (cc_scan_same_text(s, a, place) && cc_scan_same_text(s, b, value))
        return less ? "max" : "min";
    if (cc_scan_same_text(s, b, place) && cc_scan_same_text(s, a, value))
        return less ? "min" : "max";
    return NULL;
}

static const char *selection(const struct scan *s, uint32_t n, uint32_t place)
{
    uint32_t yes = bare(s, child(s, n, 1)), no = bare(s, child(s, n, 2));
    if (yes == CC_NODE_NONE || no == CC_NODE_NONE)
        return NULL;
    if (cc_scan_same_text(s, no, cc_scan_strip(s, place)))
        return comparison(s, child(s, n, 0), place, yes);
    const char *other =
        cc_scan_same_text(s, yes, cc_scan_strip(s, place)) ? comparison(s, child(s, n, 0), place, no) : NULL;
    return !other ? NULL : strcmp(other, "max") == 0 ? "min" : "max";
}

/* Whether it makes no difference that it is evaluated where a truth value is known already. */
static bool has_no_effect(const struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = node(s, n);
    if (depth > SCAN_DEPTH || x->kind == CC_N_CALL || x->kind == CC_N_ASSIGN || x->kind == CC_N_STMT_EXPR ||
        (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC)))
        return false;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = node(s, c)->next)
        if (!has_no_effect(s, c, depth + 1))
            return false;
    return true;
}

/* `x = x && e`: what e is does not matter once x is false. */
static const char *truth_chain(const struct scan *s, uint32_t n, uint32_t place)
{
    int op = node(s, n)->op;
    uint32_t left = cc_scan_strip(s, child(s, n, 0)), right = child(s, n, 1);
    if ((op != CC_OP_LAND && op != CC_OP_LOR) || left == CC_NODE_NONE || right == CC_NODE_NONE ||
        !cc_scan_same_text(s, left, cc_scan_strip(s, place)) || !has_no_effect(s, right, 0))
        return NULL;
    return op == CC_OP_LAND ? "&&" : "||";
}

/* Whether a value that is no number (NaN), of which every comparison is false, takes the place of the least
 * or the greatest so far: `x = x < e ? x : e`, `std::min(e, x)`. What comes behind it then starts anew. */
static bool takes_nothing(const struct scan *s, uint32_t value, uint32_t place)
{
    const struct cc_tree_node *v = node(s, value);
    place = cc_scan_strip(s, place);
    if (place == CC_NODE_NONE || node(s, place)->type.class != CC_T_FLOAT)
        return false;
    uint32_t kept = v->kind == CC_N_SELECT ? bare(s, child(s, value, 1)) : CC_NODE_NONE;
    if (v->kind == CC_N_CALL && v->decl >= 0 && *s->tree->decls[v->decl].name == 'm')
        kept = cc_scan_strip(s, child(s, value, 2));
    return kept != CC_NODE_NONE && cc_scan_same_text(s, kept, place);
}

/* The op by which an assignment combines a place with something; *ret_mentions of the place it accounts
 * for. */
static const char *update(const struct scan *s, uint32_t n, unsigned *ret_mentions)
{
    const struct cc_tree_node *x = node(s, n);
    uint32_t place = child(s, n, 0), value = bare_value(s, child(s, n, 1), place);
    *ret_mentions = 1;
    if (x->kind == CC_N_UNARY || x->op != CC_OP_NONE)
        return family(x->op);
    *ret_mentions = 2;
    if (value == CC_NODE_NONE)
        return NULL;
    const struct cc_tree_node *v = node(s, value);
    const char *op = v->kind == CC_N_BINARY ? family(v->op) : NULL;
    if (op && in_chain(s, value, place, op))
        return op;
    if (v->kind == CC_N_BINARY && truth_chain(s, value, place))
        return truth_chain(s, value, place);
    if (v->kind == CC_N_SELECT) {
        *ret_mentions = 3;
        return selection(s, value, place);
    }
    const char *call = v->kind == CC_N_CALL ? minimum_call(s, value) : NULL;
    for (uint32_t c = call ? child(s, value, 1) : CC_NODE_NONE; c != CC_NODE_NONE; c = node(s, c)->next)
        if (cc_scan_same_text(s, cc_scan_strip(s, c), cc_scan_strip(s, place)))
            return call;
    return NULL;
}

/* By a number, or by a variable as it is. */
static bool steps(const struct scan *s, uint32_t n)
{
    uint32_t by = cc_scan_strip(s, child(s, n, 1));
    return !s->conditional && (node(s, n)->kind == CC_N_UNARY ||
                               (node(s, n)->kind == CC_N_ASSIGN && by != CC_NODE_NONE &&
                                (node(s, by)->kind == CC_N_LITERAL || node(s, by)->kind == CC_N_REF)));
}

static void combine(const char **op, bool *mixed, const char *found)
{
    if (*op && strcmp(*op, found) != 0)
        *mixed = true;
    *op = found;
}

/* The look that an update takes at its own place. */
static void account(const struct scan *s, struct scan_array *a, uint32_t n, uint32_t place)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->looks.n; i++) {
        const struct cc_tree_node *look = node(s, a->looks.v[i]);
        bool own = look->begin >= node(s, n)->begin && look->end <= node(s, n)->end &&
                   cc_scan_same_text(s, a->looks.v[i], place);
        if (!own)
            a->looks.v[kept++] = a->looks.v[i];
    }
    a->looks.n = kept;
}

/* What a place loses of a value each time it is combined with it is lost in another order: class.c.
 * Of a choice, each of what it chooses from counts, before it is made wider. */
static bool loses(const struct scan *s, uint32_t place, uint32_t value, const char *op)
{
    if (place == CC_NODE_NONE || value == CC_NODE_NONE)
        return false;
    value = bare_value(s, value, place); /* `m = (char)x` loses what `m = x` does */
    if (value == CC_NODE_NONE)
        return false;
    if (node(s, value)->kind == CC_N_SELECT)
        return loses(s, place, child(s, value, 1), op) || loses(s, place, child(s, value, 2), op);
    return cc_class_loses(node(s, place)->type, node(s, value)->type, op);
}

/* Whether the word stands in front of a variable's name where it is declared. */
static bool is_declared(const struct scan *s, const struct cc_decl *d, const char *word)
{
    const char *text = s->tree->text;
    uint32_t from = d->begin;
    while (from && !strchr(";{}(,", text[from - 1]))
        from--;
    return memmem(text + from, d->begin - from, word, strlen(word));
}

/* Whether a cast to a pointer takes bytes of something else for the number: `(uint32_t *)(bytes + 3 * i)`.
 * What `void *` leads to is what it is cast to. */
static bool takes_bytes(const struct scan *s, uint32_t cast, uint64_t bits)
{
    const struct cc_tree *t = s->tree;
    uint32_t of = cc_tree_bare(t, node(s, cast)->child);
    const struct cc_tree_node *x = of == CC_NODE_NONE ? NULL : node(s, of);
    if (!x || node(s, cast)->op != 1 || node(s, cast)->type.class != CC_T_POINTER)
        return false;
    bool computed = x->kind == CC_N_BINARY || (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR);
    const struct cc_decl *d = x->kind == CC_N_REF && x->decl >= 0 ? &t->decls[x->decl] : NULL;
    bool array =
             d && d->type.class == CC_T_ARRAY && d->type.elements && d->type.bits / d->type.elements != bits,
         pointer = d && d->type.class == CC_T_POINTER;
    return computed || array || (pointer && !is_declared(s, d, "void"));
}

/* Whether what is handed on without its type, as `void *` or to a function, is a place in bytes of something
 * else than the number: in an array of another width, or so far behind a pointer to bytes. */
static bool leads_to_bytes(const struct scan *s, uint32_t n, uint64_t bits)
{
    const struct cc_tree *t = s->tree;
    bool computed = false;
    for (unsigned depth = 0; n != CC_NODE_NONE && node(s, n)->kind != CC_N_REF && depth < SCAN_DEPTH;
         depth++) {
        uint32_t right = node(s, n)->kind == CC_N_BINARY ? child(s, n, 1) : CC_NODE_NONE;
        int class = right == CC_NODE_NONE ? CC_T_NONE : node(s, right)->type.class;
        computed = computed || right != CC_NODE_NONE;
        n = class == CC_T_POINTER || class == CC_T_ARRAY ? right : node(s, n)->child;
    }
    const struct cc_decl *d = n == CC_NODE_NONE || node(s, n)->decl < 0 ? NULL : &t->decls[node(s, n)->decl];
    if (!d || d->type.class != CC_T_POINTER)
        return d && d->type.class == CC_T_ARRAY && d->type.elements &&
               d->type.bits / d->type.elements != bits;
    return computed && (is_declared(s, d, "void") || is_declared(s, d, "char") || is_declared(s, d, "byte") ||
                        is_declared(s, d, "int8"));
}

/* An argument of a call that hands back where the number is. */
static bool is_handed_bytes(const struct scan *s, uint32_t call, uint64_t bits)
{
    bool found = false;
    for (uint32_t c = child(s, call, 1); c != CC_NODE_NONE && !found; c = node(s, c)->next) {
        int class = node(s, c)->type.class;
        found = (class == CC_T_POINTER || class == CC_T_ARRAY) && leads_to_bytes(s, c, bits);
    }
    return found;
}

/* Whether some cast in what leads to a place, or in what a pointer there was set to, does so. */
static bool is_of_bytes(const struct scan *s, uint32_t n, uint64_t bits, unsigned depth)
{
    enum { VARIABLE = SCAN_DEPTH / 4 }; /* pointers that are set to others: so many of them in turn */
    const struct cc_tree *t = s->tree;
    while (n != CC_NODE_NONE && depth++ < SCAN_DEPTH) {
        const struct cc_tree_node *x = node(s, n);
        if (x->kind == CC_N_CAST && takes_bytes(s, n, bits))
            return true;
        if (x->kind == CC_N_SELECT)
            return is_of_bytes(s, child(s, n, 1), bits, depth) || is_of_bytes(s, child(s, n, 2), bits, depth);
        if (x->kind == CC_N_CALL)
            return is_handed_bytes(s, n, bits);
        if (x->kind == CC_N_REF)
            break;
        uint32_t right = x->kind == CC_N_BINARY ? child(s, n, 1) : CC_NODE_NONE;
        bool second = right != CC_NODE_NONE && node(s, right)->type.class == CC_T_POINTER;
        n = second ? right : x->child;
    }
    int32_t decl = n == CC_NODE_NONE ? -1 : node(s, n)->decl;
    bool own = decl >= 0 && t->decls[decl].kind == CC_D_LOCAL && t->decls[decl].type.class == CC_T_POINTER;
    bool any = own && is_declared(s, &t->decls[decl], "void"), found = false;
    for (uint32_t i = 0; own && i < t->nnodes && !found && depth < SCAN_DEPTH; i++) {
        const struct cc_tree_node *x = node(s, i);
        bool moves = any && (x->kind == CC_N_ASSIGN || x->kind == CC_N_UNARY) && x->op != CC_OP_NONE &&
                     x->op != CC_OP_DEREF && x->op != CC_OP_ADDR && cc_scan_plain(t, x->child) == decl;
        uint32_t value = x->kind == CC_N_VAR && x->decl == decl                               ? x->child
                         : x->kind == CC_N_ASSIGN && cc_scan_plain(t, child(s, i, 0)) == decl ? child(s, i, 1)
                                                                                              : CC_NODE_NONE;
        found = moves || (value != CC_NODE_NONE && ((any && leads_to_bytes(s, value, bits)) ||
                                                    is_of_bytes(s, value, bits, depth + VARIABLE)));
    }
    return found;
}

/* Sums of overlapping numbers carry from one to another, and of bytes that a clause would combine none do. */
static bool carries(const struct scan *s, uint32_t place, const char *op)
{
    return place != CC_NODE_NONE && !strchr("&|^", *op) &&
           is_of_bytes(s, place, node(s, place)->type.bits, 0);
}

static void note_update(struct scan *s, uint32_t n, uint32_t place, const char *op, unsigned accounted)
{
    place = cc_scan_strip(s, place);
    uint32_t value = node(s, n)->kind == CC_N_IF ? child(s, n, 1) : n;
    while (value != CC_NODE_NONE && node(s, value)->kind == CC_N_COMPOUND)
        value = node(s, value)->child;
    bool assigns = value != CC_NODE_NONE && node(s, value)->kind == CC_N_ASSIGN;
    if ((assigns && loses(s, place, child(s, value, 1), op)) || carries(s, place, op))
        return;
    int32_t decl = cc_scan_variable(s, place);
    if (decl >= 0) {
        struct scan_variable *v = &s->variables[decl];
        v->updates++;
        v->steps += steps(s, n);
        if (cc_tree_mentions(s->tree, n, decl) == accounted) {
            v->accounted += accounted;
            combine(&v->op, &v->mixed, op);
        }
        return;
    }
    int kind = place == CC_NODE_NONE ? CC_N_ABSENT : node(s, place)->kind;
    if (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER || kind == CC_N_UNARY) {
        struct scan_array *a = cc_scan_array(s, place);
        a->accounted += accounted;
        a->updates++;
        combine(&a->op, &a->mixed, op);
        account(s, a, n, place);
    }
}

/* The truth value that a literal is; -1: none. */
static int truth(const struct scan *s, uint32_t n)
{
    n = cc_scan_strip(s, n);
    if (n == CC_NODE_NONE || node(s, n)->kind != CC_N_LITERAL)
        return -1;
    const char *text = s->tree->text + node(s, n)->begin;
    size_t size = node(s, n)->end - node(s, n)->begin;
    static const char *const names[] = {"0", "1", "false", "true"};
    for (int i = 0; i < (int)CC_COUNT(names); i++)
        if (strlen(names[i]) == size && memcmp(text, names[i], size) == 0)
            return i % 2;
    return -1;
}

/* `found = 1;` says the same in whatever order it happens. */
static void note_set(struct scan *s, uint32_t n)
{
    int32_t decl = cc_scan_variable(s, child(s, n, 0));
    int value =
        node(s, n)->kind == CC_N_ASSIGN && node(s, n)->op == CC_OP_NONE ? truth(s, child(s, n, 1)) : -1;
    if (decl < 0 || value < 0)
        return;
    struct scan_variable *v = &s->variables[decl];
    v->sets += !v->sets || v->set == value;
    v->set = v->sets == 1 ? value : v->set;
}

/* The comparison by which a condition decides, also where others do so with it: `c && e > x`. What is only
 * looked at where the comparison holds must do nothing, as it holds in other iterations in another order. */
static const char *deciding(const struct scan *s, uint32_t n, uint32_t place, uint32_t value, unsigned depth)
{
    n = cc_scan_strip(s, n);
    if (n == CC_NODE_NONE || depth > SCAN_DEPTH || node(s, n)->kind != CC_N_BINARY ||
        node(s, n)->op != CC_OP_LAND)
        return comparison(s, n, place, value);
    uint32_t last = child(s, n, 1);
    const char *op = deciding(s, child(s, n, 0), place, value, depth + 1);
    if (op)
        return last != CC_NODE_NONE && has_no_effect(s, last, 0) ? op : NULL;
    return deciding(s, last, place, value, depth + 1);
}

/* `if (e > x) x = e;` */
static bool guarded(struct scan *s, uint32_t n)
{
    uint32_t then = child(s, n, 1), other = child(s, n, 2);
    while (then != CC_NODE_NONE && node(s, then)->kind == CC_N_COMPOUND &&
           node(s, then)->child != CC_NODE_NONE && node(s, node(s, then)->child)->next == CC_NODE_NONE)
        then = node(s, then)->child;
    if (then == CC_NODE_NONE || (other != CC_NODE_NONE && node(s, other)->kind != CC_N_ABSENT) ||
        node(s, then)->kind != CC_N_ASSIGN || node(s, then)->op != CC_OP_NONE)
        return false;
    const char *op = deciding(s, child(s, n, 0), child(s, then, 0), child(s, then, 1), 0);
    if (!op)
        return false;
    note_update(s, n, child(s, then, 0), op, 2);
    s->conditional++;
    cc_scan_updates(s, child(s, n, 0), false); /* what else it does */
    s->conditional--;
    return true;
}

/* Every update below, where its own value is of no use to anybody. */
void cc_scan_updates(struct scan *s, uint32_t n, bool unused)
{
    const struct cc_tree_node *x = node(s, n);
    bool assigns =
        x->kind == CC_N_ASSIGN || (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC));
    bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SWITCH || cc_tree_is_loop(x->kind);
    unsigned accounted;
    if (s->depth > SCAN_DEPTH || (x->kind == CC_N_IF && guarded(s, n)))
        return;
    if (assigns && unused) {
        const char *op = update(s, n, &accounted);
        int32_t decl = cc_scan_variable(s, x->child);
        if (op && decl >= 0 && *op == 'm' &&
            takes_nothing(s, bare_value(s, child(s, n, 1), x->child), x->child))
            s->variables[decl].starts_anew = true;
        if (op)
            note_update(s, n, x->child, op, accounted);
        note_set(s, n);
        cc_given_note(s, n, op);
    } else if (assigns || cc_given_assigns(s, n)) {
        cc_given_note(s, n, NULL);
    } else if (unused && x->kind == CC_N_CALL) {
        const char *op = NULL;
        uint32_t place = cc_combine_place(s, n, &op);
        if (place != CC_NODE_NONE)
            note_update(s, n, place, op, 1);
    }
    bool statement = chooses || x->kind == CC_N_COMPOUND || x->kind == CC_N_LABEL || x->kind == CC_N_CASE ||
                     x->kind == CC_N_DEFAULT;
    bool comma = x->kind == CC_N_BINARY && x->op == CC_OP_COMMA && unused;
    s->depth++;
    s->conditional += chooses;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = node(s, c)->next)
        cc_scan_updates(s, c, statement || comma);
    s->conditional -= chooses;
    s->depth--;
}
