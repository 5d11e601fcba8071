#include "count.h"
#include "form.h"
#include "live.h"
#include "proof.h"

#include <inttypes.h>

enum { COUNT_DEPTH = 20, COUNT_MOST = 1 << 20, COUNT_TEXT = 600 };

static const struct cc_tree_node *at(const struct counts *c, uint32_t n)
{
    return cc_tree_at(c->s->tree, n);
}

/* --- heads of loops --- */

/* By what a statement moves a variable; 0: it does not, or nobody knows. */
static long step_of(const struct cc_tree *t, uint32_t n, int32_t *ret_decl)
{
    if (n == CC_NODE_NONE)
        return 0;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    *ret_decl = x->child == CC_NODE_NONE ? -1 : cc_scan_plain(t, x->child);
    if (x->kind == CC_N_UNARY)
        return x->op == CC_OP_INC ? 1 : x->op == CC_OP_DEC ? -1 : 0;
    long by;
    bool moves = x->kind == CC_N_ASSIGN && (x->op == CC_OP_ADD || x->op == CC_OP_SUB) &&
                 cc_form_literal(t, cc_tree_bare(t, cc_tree_part(t, n, 1)), &by) && by > 0 && by < COUNT_MOST;
    return !moves ? 0 : x->op == CC_OP_ADD ? by : -by;
}

static bool has(const struct cc_tree *t, uint32_t n, int kind)
{
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_at(t, i)->kind == kind && cc_tree_holds(t, n, i))
            return true;
    return false;
}

static bool may_leave(const struct cc_tree *t, uint32_t n)
{
    return has(t, n, CC_N_BREAK) || has(t, n, CC_N_RETURN) || has(t, n, CC_N_GOTO) || has(t, n, CC_N_LABEL);
}

/* The value that a variable is declared with, where no loop but the one that counts with it goes round
 * without declaring it anew, and nothing else sets it. */
static uint32_t declared(const struct cc_tree *t, uint32_t loop, int32_t decl)
{
    uint32_t found = CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_at(t, i)->kind == CC_N_VAR && cc_tree_at(t, i)->decl == decl)
            found = i;
    if (found == CC_NODE_NONE || cc_tree_at(t, found)->begin > cc_tree_at(t, loop)->begin)
        return CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool around = cc_tree_is_loop(x->kind) && i != loop && cc_tree_holds(t, i, loop);
        bool sets = (x->kind == CC_N_ASSIGN ||
                     (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC))) &&
                    x->child != CC_NODE_NONE && cc_scan_plain(t, x->child) == decl;
        if ((around && !cc_tree_holds(t, i, found)) || (sets && !cc_tree_holds(t, loop, i)))
            return CC_NODE_NONE;
    }
    return cc_tree_at(t, found)->child;
}

/* A `while` whose last statement is the only one that moves what it counts with. */
static bool head_of_while(const struct cc_tree *t, uint32_t n, struct count_head *ret)
{
    uint32_t body = cc_tree_part(t, n, 1), last = CC_NODE_NONE;
    if (body == CC_NODE_NONE || cc_tree_at(t, body)->kind != CC_N_COMPOUND || cc_tree_at(t, n)->op ||
        has(t, body, CC_N_CONTINUE))
        return false;
    for (uint32_t c = cc_tree_at(t, body)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        last = c;
    *ret = (struct count_head){.loop = n, .body = body, .test = cc_tree_part(t, n, 0), .decl = -1};
    ret->step = last == CC_NODE_NONE ? 0 : step_of(t, last, &ret->decl);
    if (!ret->step || ret->decl < 0)
        return false;
    for (uint32_t c = cc_tree_at(t, body)->child; c != last; c = cc_tree_at(t, c)->next)
        if (cc_scan_writes(t, c, ret->decl))
            return false;
    ret->start = declared(t, n, ret->decl);
    return true;
}

static bool head_of(const struct cc_tree *t, uint32_t n, struct count_head *ret)
{
    int kind = cc_tree_at(t, n)->kind;
    *ret = (struct count_head){.loop = n, .decl = -1};
    if (kind == CC_N_FOR) {
        int32_t moved = -1;
        ret->body = cc_tree_part(t, n, 3);
        ret->test = cc_tree_part(t, n, 1);
        ret->decl = cc_scan_counter(t, n);
        ret->step = step_of(t, cc_tree_part(t, n, 2), &moved);
        ret->start = ret->decl < 0 ? CC_NODE_NONE : cc_form_start(t, n, ret->decl);
        if (ret->decl < 0 || moved != ret->decl || cc_tree_at(t, n)->op)
            return false;
    } else if (kind != CC_N_WHILE || !head_of_while(t, n, ret)) {
        return false;
    }
    const struct cc_decl *d = &t->decls[ret->decl];
    return ret->step && d->kind == CC_D_LOCAL && d->type.class == CC_T_INT && d->type.bits >= 32 &&
           !d->reference && !cc_source_addressed(t, ret->decl);
}

/* `i < 64`: what the counter is compared with, and whether it may be that; false: something else. */
static bool bound_of(const struct cc_tree *t, const struct count_head *h, long *ret, bool *ret_reached)
{
    uint32_t test = h->test == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_bare(t, h->test);
    if (test == CC_NODE_NONE || cc_tree_at(t, test)->kind != CC_N_BINARY ||
        cc_scan_plain(t, cc_tree_part(t, test, 0)) != h->decl)
        return false;
    int op = cc_tree_at(t, test)->op;
    bool up = op == CC_OP_LT || op == CC_OP_LE, down = op == CC_OP_GT || op == CC_OP_GE;
    *ret_reached = op == CC_OP_LE || op == CC_OP_GE;
    uint32_t end = cc_tree_bare(t, cc_tree_part(t, test, 1));
    const struct cc_tree_node *x = cc_tree_at(t, end);
    if (x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].has_value &&
        llabs(t->decls[x->decl].value) < COUNT_MOST)
        *ret = (long)t->decls[x->decl].value;
    else if (!cc_form_literal(t, end, ret))
        return false;
    return (h->step > 0 ? up : down) && labs(*ret) < COUNT_MOST;
}

/* Whether something decides about the statement in the loop, or (unless loops are to pass) it lies in another
 * one. */
static bool is_chosen(const struct cc_tree *t, uint32_t loop, uint32_t n, bool pass)
{
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SELECT || x->kind == CC_N_SWITCH ||
                       x->kind == CC_N_STMT_EXPR || (cc_tree_is_loop(x->kind) && !pass) ||
                       (x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR));
        if (!cc_tree_holds(t, loop, i) || i == loop)
            continue;
        if ((chooses && cc_tree_holds(t, i, n)) ||
            (x->kind == CC_N_CONTINUE && x->begin < cc_tree_at(t, n)->begin))
            return true;
    }
    return false;
}

/* Whether an expression is another number in each iteration: sums and multiples of the counter, what is left
 * of a division by a number, and what a constant table has there. */
static bool goes_on(const struct cc_tree *t, uint32_t n, int32_t decl, unsigned depth)
{
    n = n == CC_NODE_NONE ? n : cc_tree_bare(t, n);
    if (n == CC_NODE_NONE || depth > COUNT_DEPTH || cc_tree_mentions(t, n, decl) != 1)
        return false;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    uint32_t left = cc_tree_part(t, n, 0), right = cc_tree_part(t, n, 1);
    long by = 0;
    if (x->kind == CC_N_REF)
        return true;
    if (x->kind == CC_N_SUBSCRIPT) {
        int32_t table = cc_scan_plain(t, left);
        return table >= 0 && t->decls[table].constant && goes_on(t, right, decl, depth + 1);
    }
    if (x->kind != CC_N_BINARY)
        return false;
    bool first = cc_tree_mentions(t, left, decl) == 1;
    uint32_t with = first ? left : right, other = cc_tree_bare(t, first ? right : left);
    bool sum = x->op == CC_OP_ADD || x->op == CC_OP_SUB;
    bool number = cc_form_literal(t, other, &by) && by != 0;
    return (sum || (number && (x->op == CC_OP_MUL || (x->op == CC_OP_MOD && first)))) &&
           goes_on(t, with, decl, depth + 1);
}

/* The subscript of the element that is assigned to: `a[i]`, `a[i].x`, `*a[i]`; CC_NODE_NONE. */
static uint32_t subscript_of(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    int32_t vector;
    n = cc_tree_bare(t, n);
    if (cc_tree_at(t, n)->kind == CC_N_CALL)
        return cc_given_subscript(s, n, &vector);
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_MEMBER || (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF))
        n = x->child == CC_NODE_NONE ? n : cc_tree_bare(t, x->child);
    return cc_tree_at(t, n)->kind == CC_N_SUBSCRIPT ? cc_tree_part(t, n, 1) : CC_NODE_NONE;
}

/* Stores that every iteration makes, each to another element. */
static void tell_stores(const struct counts *c, const struct count_head *h, bool nested)
{
    const struct cc_tree *t = c->s->tree;
    bool told = false;
    bool plain = !has(t, h->loop, CC_N_LABEL) && !has(t, h->loop, CC_N_ASM);
    for (uint32_t i = 0; i < t->nnodes && plain; i++) {
        if (at(c, i)->kind != CC_N_ASSIGN || !cc_tree_holds(t, h->body, i) ||
            is_chosen(t, h->loop, i, nested) || (nested && !is_chosen(t, h->loop, i, false)))
            continue;
        uint32_t to = cc_tree_bare(t, at(c, i)->child), by = subscript_of(c->s, to);
        bool number = at(c, to)->type.class == CC_T_INT || at(c, to)->type.class == CC_T_FLOAT;
        if (by == CC_NODE_NONE || !number || at(c, to)->type.bits < 8 || !goes_on(t, by, h->decl, 0))
            continue;
        fprintf(c->out, "%s%u:%u", told ? "," : "", at(c, to)->line, (unsigned)(at(c, to)->type.bits / 8));
        told = true;
    }
}

/* The loop of which this is the whole body: a compiler may exchange them. */
static unsigned wrapped_in(const struct cc_tree *t, uint32_t loop)
{
    for (CC_TREE_EACH(t, i, CC_N_FOR, CC_N_DO)) {
        int kind = cc_tree_at(t, *i)->kind;
        uint32_t body = cc_tree_part(t, *i, kind == CC_N_FOR ? 3 : kind == CC_N_WHILE ? 1 : 0);
        while (body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_COMPOUND) {
            uint32_t only = cc_tree_at(t, body)->child;
            bool alone = only != CC_NODE_NONE && cc_tree_at(t, only)->next == CC_NODE_NONE;
            body = alone || (only != CC_NODE_NONE && cc_tree_at(t, only)->kind == CC_N_DECL) ? only
                                                                                             : CC_NODE_NONE;
            if (body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_DECL)
                body = cc_tree_at(t, body)->next;
        }
        if (body == loop)
            return cc_tree_at(t, *i)->line;
    }
    return 0;
}

static void tell_head(const struct counts *c, const struct count_head *h)
{
    const struct cc_tree *t = c->s->tree;
    long start = 0, bound = 0;
    bool reached = false, known = bound_of(t, h, &bound, &reached);
    bool starts = h->step > 0 && h->start != CC_NODE_NONE &&
                  cc_form_literal(t, cc_tree_bare(t, h->start), &start) && start >= 0 && start < COUNT_MOST;
    bool down = h->step < 0 && known && !t->decls[h->decl].type.is_unsigned && !may_leave(t, h->loop);
    fprintf(c->out, "h\t%u\t", at(c, h->loop)->line);
    if (starts)
        fprintf(c->out, "%ld", start);
    fprintf(c->out, "\t%ld\t", h->step);
    if (down)
        fprintf(c->out, "%ld", bound + !reached);
    fputc('\t', c->out);
    if (starts && known)
        fprintf(c->out, "%ld", CC_MAX(0L, (bound - start + (reached ? h->step : h->step - 1)) / h->step));
    fprintf(c->out, "\t%d\t", h->loop == c->s->loop ? 1 : cc_tree_holds(t, c->s->loop, h->loop) ? 2 : 0);
    tell_stores(c, h, false);
    fprintf(c->out, "\t%u\t", wrapped_in(t, h->loop));
    tell_stores(c, h, true);
    fputc('\n', c->out);
}

void cc_counts_init(struct counts *c, const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    *c = (struct counts){.s = s, .out = out};
    for (uint32_t i = 0; i < t->nnodes && c->nheads < COUNT_HEADS; i++) {
        if (!cc_tree_is_loop(cc_tree_at(t, i)->kind) ||
            (!cc_tree_holds(t, s->loop, i) && !cc_tree_holds(t, i, s->loop)))
            continue;
        if (head_of(t, i, &c->heads[c->nheads]))
            tell_head(c, &c->heads[c->nheads++]);
    }
}

/* --- constant tables --- */

static const char *after(const char *at, const char *name)
{
    size_t n = strlen(name);
    return strncmp(at, name, n) == 0 ? at + n : NULL;
}

/* The numbers in `t[8] = {1, 2}`; how many, 0: they are not told. The text ends somewhere behind. */
static size_t entries(const char *text, long most, long ret[COUNT_ENTRIES])
{
    size_t n = 0;
    while (*text == '[' || *text == ']' || *text == ' ' || *text == '=' || (*text >= '0' && *text <= '9'))
        text++;
    if (*text++ != '{')
        return 0;
    while (n < COUNT_ENTRIES) {
        while (*text == ' ' || *text == '\n' || *text == '\t')
            text++;
        if (*text == '}')
            return n;
        if (*text < '0' || *text > '9' ||
            (text[0] == '0' && text[1] != ',' && text[1] != '}' && text[1] != ' ' && text[1] != '\n'))
            return 0;
        char *end;
        ret[n] = strtol(text, &end, 10);
        for (text = end; *text == ' ' || *text == '\n';)
            text++;
        if (ret[n++] > most || (*text != ',' && *text != '}'))
            return 0;
        text += *text == ',';
    }
    return 0;
}

/* The number of a table that the variable is, which is told of if it was not; -1: it is none. */
static int table_of(struct counts *c, uint32_t n)
{
    const struct cc_tree *t = c->s->tree;
    int32_t decl = cc_scan_plain(t, cc_tree_part(t, n, 0));
    for (unsigned i = 0; i < c->ntables; i++)
        if (c->tables[i] == decl)
            return (int)i;
    const struct cc_decl *d = decl < 0 ? NULL : &t->decls[decl];
    if (!d || !d->constant || d->type.class != CC_T_ARRAY || at(c, n)->type.class != CC_T_INT ||
        at(c, n)->type.bits < 8 || c->ntables == COUNT_TABLES || d->type.elements > COUNT_ENTRIES)
        return -1;
    static long v[COUNT_ENTRIES];
    const char *text = after(t->text + d->begin, d->name);
    uint64_t bits = CC_MIN(at(c, n)->type.bits, (uint64_t)21);
    size_t told = text ? entries(text, (1L << (bits - 1)) - 1, v) : 0;
    if (!told || told > d->type.elements)
        return -1;
    fputs("t\t", c->out);
    for (uint64_t i = 0; i < d->type.elements; i++)
        fprintf(c->out, "%s%ld", i ? "," : "", i < told ? v[i] : 0L);
    fputc('\n', c->out);
    c->tables[c->ntables] = decl;
    return (int)c->ntables++;
}

/* --- accesses --- */

struct text {
    char v[COUNT_TEXT];
    size_t n;
};

static bool put(struct text *to, const char *word, long number)
{
    int n = snprintf(to->v + to->n, sizeof to->v - to->n, "%s%s", to->n ? " " : "", word);
    to->n += (size_t)n;
    if (number >= 0 && to->n < sizeof to->v)
        to->n += (size_t)snprintf(to->v + to->n, sizeof to->v - to->n, "%ld", number);
    return to->n < sizeof to->v;
}

static bool express(struct counts *c, uint32_t n, uint32_t place, struct text *to, unsigned depth);

static bool express_variable(const struct counts *c, int32_t decl, uint32_t place, struct text *to)
{
    const struct cc_tree *t = c->s->tree;
    int found = -1;
    for (unsigned i = 0; i < c->nheads; i++)
        if (c->heads[i].decl == decl && cc_tree_holds(t, c->heads[i].body, place) &&
            (found < 0 || at(c, c->heads[i].loop)->begin > at(c, c->heads[found].loop)->begin))
            found = (int)i;
    if (found >= 0)
        return put(to, "c", found);
    const struct cc_decl *d = decl < 0 ? NULL : &t->decls[decl];
    return d && d->has_value && d->value >= 0 && d->value < COUNT_MOST && put(to, "#", (long)d->value);
}

static bool express_binary(struct counts *c, uint32_t n, uint32_t place, struct text *to, unsigned depth)
{
    static const struct {
        int op;
        const char *word;
    } words[] = {{CC_OP_ADD, "+"}, {CC_OP_SUB, "-"}, {CC_OP_MUL, "*"}, {CC_OP_MOD, "%"}, {CC_OP_DIV, "/"},
                 {CC_OP_XOR, "^"}, {CC_OP_LT, "<"},  {CC_OP_GT, ">"},  {CC_OP_EQ, "="},  {CC_OP_NE, "~"}};
    const char *word = NULL;
    for (size_t i = 0; i < CC_COUNT(words); i++)
        word = words[i].op == at(c, n)->op ? words[i].word : word;
    return word && express(c, cc_tree_part(c->s->tree, n, 0), place, to, depth + 1) &&
           express(c, cc_tree_part(c->s->tree, n, 1), place, to, depth + 1) && put(to, word, -1);
}

/* What a subscript or a condition at that place computes, from small whole numbers that are never negative.
 */
static bool express(struct counts *c, uint32_t n, uint32_t place, struct text *to, unsigned depth)
{
    const struct cc_tree *t = c->s->tree;
    for (; n != CC_NODE_NONE && (at(c, n)->kind == CC_N_CAST || at(c, n)->kind == CC_N_OTHER);
         n = at(c, n)->child)
        if (at(c, n)->child == CC_NODE_NONE || at(c, at(c, n)->child)->next != CC_NODE_NONE ||
            cc_form_narrows(t, n))
            return false;
    if (n == CC_NODE_NONE || depth > COUNT_DEPTH)
        return false;
    const struct cc_tree_node *x = at(c, n);
    long value;
    int table;
    switch (x->kind) {
    case CC_N_LITERAL:
        return cc_form_literal(t, n, &value) && value >= 0 && value < COUNT_MOST && put(to, "#", value);
    case CC_N_REF:
        return express_variable(c, x->decl, place, to);
    case CC_N_BINARY:
        return express_binary(c, n, place, to, depth);
    case CC_N_UNARY:
        return x->op == CC_OP_NOT && express(c, x->child, place, to, depth + 1) && put(to, "!", -1);
    case CC_N_SUBSCRIPT:
        table = table_of(c, n);
        return table >= 0 && express(c, cc_tree_part(t, n, 1), place, to, depth + 1) && put(to, "t", table);
    default:
        return false;
    }
}

/* Conditions in the loop that have to hold for the place to be reached, as far as they can be told. */
static void tell_conditions(struct counts *c, uint32_t place, struct text *to)
{
    const struct cc_tree *t = c->s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        if (at(c, i)->kind != CC_N_IF || !cc_tree_holds(t, c->s->loop, i) || !cc_tree_holds(t, i, place))
            continue;
        uint32_t then = cc_tree_part(t, i, 1), other = cc_tree_part(t, i, 2);
        bool first = then != CC_NODE_NONE && cc_tree_holds(t, then, place),
             second = other != CC_NODE_NONE && cc_tree_holds(t, other, place);
        struct text one = {.n = 0};
        if (first == second || !express(c, cc_tree_part(t, i, 0), place, &one, 0) ||
            (second && !put(&one, "!", -1)) || to->n + one.n + 4 >= sizeof to->v)
            continue;
        bool more = to->n > 0;
        put(to, one.v, -1);
        if (more)
            put(to, "&", -1);
    }
}

/* Which element of the variable an access is at: `a[e]` or `a[e].x`; whether that can be told. */
static bool element(struct counts *c, const struct scan_array *a, uint32_t n, int64_t field[2],
                    struct text *to)
{
    const struct cc_tree *t = c->s->tree;
    uint32_t place = n = cc_tree_bare(t, n);
    field[0] = field[1] = 0;
    if (at(c, n)->kind == CC_N_MEMBER) {
        if (!at(c, n)->record || !at(c, n)->type.bits || at(c, n)->type.class == CC_T_ARRAY)
            return false;
        field[0] = at(c, n)->value;
        field[1] = (int64_t)at(c, n)->type.bits;
        n = cc_tree_bare(t, at(c, n)->child);
    }
    const struct scan_variable *v = &c->s->variables[a->decl];
    int class = at(c, n)->type.class;
    return at(c, n)->kind == CC_N_SUBSCRIPT && (class == CC_T_INT || class == CC_T_FLOAT || field[1]) &&
           cc_scan_plain(t, cc_tree_part(t, n, 0)) == a->decl && cc_alias_of(c->s, a->decl) == CC_NODE_NONE &&
           !v->inside && !v->write_line && !v->address && express(c, cc_tree_part(t, n, 1), place, to, 0);
}

void cc_counts_tell(struct counts *c, const struct scan_array *a, unsigned array)
{
    bool writes = false;
    for (size_t i = 0; i < c->s->arrays.n; i++)
        writes = writes || (c->s->arrays.v[i].decl == a->decl && c->s->arrays.v[i].write_line);
    bool self = false;
    for (unsigned i = 0; i < c->nheads; i++)
        self = self || c->heads[i].loop == c->s->loop;
    if (!self || !writes || a->decl < 0)
        return;
    bool tells = !a->passed && !a->whole && cc_proof_tells(c->s, a->decl) && a->all.n < MOST_ACCESSES;
    bool updates = a->writes.n && a->updates == a->writes.n;
    if (!tells)
        fprintf(c->out, "e\t%u\t%d\tr\t0\t0\t?\t\n", array, a->decl);
    for (size_t i = 0; i < a->all.n && tells; i++) {
        struct text subscript = {.n = 0}, condition = {.n = 0};
        int64_t field[2];
        bool known = element(c, a, a->all.v[i], field, &subscript);
        bool write = false;
        for (size_t k = 0; k < a->writes.n; k++)
            write = write || a->writes.v[k] == a->all.v[i];
        bool update = updates && cc_proof_updated(c->s, a, a->all.v[i]);
        if (known)
            tell_conditions(c, a->all.v[i], &condition);
        fprintf(c->out, "e\t%u\t%d\t%c\t%" PRId64 "\t%" PRId64 "\t%s\t%s\n", array, a->decl,
                update  ? 'u'
                : write ? 'w'
                        : 'r',
                field[0], field[1], known ? subscript.v : "?", condition.v);
    }
}

/* --- vectors --- */

/* Whether the loop calls nothing but what hands out elements of vectors, or combines one with something. */
static bool calls_others(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        int32_t decl;
        const char *op;
        if (cc_tree_at(t, i)->kind == CC_N_CALL && cc_tree_holds(t, s->loop, i) &&
            cc_given_subscript(s, i, &decl) == CC_NODE_NONE && cc_combine_place(s, i, &op) == CC_NODE_NONE)
            return true;
    }
    return false;
}

/* How an element is accessed: r, w, or u for an update by one operator, if all that set it are. */
static char how_given(const struct scan *s, uint32_t n, bool *ret_mixed, const char **ret_op)
{
    const struct cc_tree *t = s->tree;
    const char *op = NULL;
    bool set = false;
    for (size_t i = 0; i < s->given.n; i++)
        if (cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child) == n) {
            op = s->given.v[i].op;
            set = true;
        }
    for (uint32_t i = 0; i < t->nnodes && !set; i++) {
        const char *by;
        if (cc_tree_at(t, i)->kind == CC_N_CALL && cc_combine_place(s, i, &by) == n) {
            op = by;
            set = true;
        }
    }
    if (!set)
        return 'r';
    *ret_mixed = *ret_mixed || !op || (*ret_op && strcmp(*ret_op, op) != 0);
    *ret_op = op;
    return op ? 'u' : 'w';
}

/* Whether all that the loop does with the vector is told: `v[e]`, handed to nobody that does something else.
 */
static bool is_told(const struct scan *s, int32_t decl, bool *ret_written, bool *ret_mixed)
{
    const struct cc_tree *t = s->tree;
    unsigned told = 0;
    const char *op = NULL;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        int32_t of = -1;
        if (!cc_tree_holds(t, s->loop, i) || cc_given_subscript(s, i, &of) == CC_NODE_NONE || of != decl)
            continue;
        char how = how_given(s, i, ret_mixed, &op);
        if (how != 'u' && cc_given_handed(s, i))
            return false;
        *ret_written = *ret_written || how != 'r';
        told++;
    }
    for (int32_t d = 0; d < (int32_t)t->ndecls && told; d++) /* by one name, no two */
        if (d != decl && strcmp(t->decls[d].name, t->decls[decl].name) == 0 &&
            cc_tree_mentions(t, s->loop, d))
            return false;
    return told && told == cc_tree_mentions(t, s->loop, decl);
}

/* Elements of the container that the loop accesses, where they can be told; `proves`: where not, as well. */
static void tell_elements(struct counts *c, int32_t decl, bool proves, bool mixed)
{
    const struct scan *s = c->s;
    const struct cc_tree *t = s->tree;
    const char *op = NULL;
    fprintf(c->out, "v\t%d\t%s\t%d\n", decl, t->decls[decl].name, proves);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        int32_t of = -1;
        uint32_t by = cc_tree_holds(t, s->loop, i) ? cc_given_element(s, i, &of) : CC_NODE_NONE;
        struct text subscript = {.n = 0}, condition = {.n = 0};
        if (by == CC_NODE_NONE || of != decl)
            continue;
        bool known = express(c, by, i, &subscript, 0), ignored = false;
        char how = how_given(s, i, &ignored, &op);
        tell_conditions(c, i, &condition);
        if (known || proves)
            fprintf(c->out, "e\t%u\t%d\t%c\t0\t0\t%s\t%s\n", UINT32_MAX, decl,
                    how == 'u' && mixed ? 'w' : how, known ? subscript.v : "?", condition.v);
    }
}

/* Whether the loop sets elements of the container; ret_mixed: not only by one operator. */
static bool sets_elements(const struct scan *s, int32_t decl, bool *ret_mixed)
{
    const char *op = NULL;
    bool sets = false;
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        int32_t of = -1;
        if (cc_tree_holds(s->tree, s->loop, i) && cc_given_element(s, i, &of) != CC_NODE_NONE && of == decl)
            sets = how_given(s, i, ret_mixed, &op) != 'r' || sets;
    }
    return sets;
}

/* Of a vector that is only accessed by `v[e]` in a loop that calls nobody else, all is told, and proves
 * something; of other containers, also those that references lead to, as much as their text says. */
void cc_counts_vectors(struct counts *c, int32_t counter)
{
    const struct scan *s = c->s;
    const struct cc_tree *t = s->tree;
    if (!c->nheads || cc_class_is_c(t) || t->refused)
        return;
    bool all = !t->trait_line[CC_TRAIT_LAMBDA] && !calls_others(s) && !cc_given_led(s, counter);
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++) {
        bool written = false, mixed = false;
        if (t->decls[d].type.class != CC_T_RECORD || s->variables[d].inside)
            continue;
        bool proves = all && is_told(s, d, &written, &mixed);
        if (proves ? written : sets_elements(s, d, &mixed))
            tell_elements(c, d, proves, mixed);
    }
}
