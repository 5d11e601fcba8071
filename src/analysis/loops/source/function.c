/* Of functions: which others they call, and what they keep from one call to the next. */
#include "live.h"
#include "proof.h"
#include "scan.h"

#include <ctype.h>

/* A variable of the function's own, which the next call has anew. */
bool cc_scan_is_own(const struct cc_tree *t, int32_t decl)
{
    int kind = decl < 0 ? CC_D_OTHER : t->decls[decl].kind, class = decl < 0 ? 0 : t->decls[decl].type.class;
    return (kind == CC_D_LOCAL || kind == CC_D_PARAM) && class != CC_T_POINTER &&
           !(kind == CC_D_PARAM && class == CC_T_ARRAY);
}

/* Elements are also accessed as a whole, or the other way round. */
bool cc_scan_overlaps(const struct scan *s, const struct scan_array *a)
{
    bool found = false;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *b = &s->arrays.v[i];
        bool parts = !b->field.size || !a->field.size || b->whole || a->whole;
        found = found || (b != a && b->decl == a->decl && (a->write_line || b->write_line) &&
                          (parts || cc_proof_share(s, a->first, b->first)));
    }
    return found;
}

/* Whether the line runs whenever the loop's body does, or the function's. */
static bool is_always(const struct scan *s, unsigned line)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    if (!s->loop)
        return cc_source_always(t, line);
    for (CC_TREE_EACH(t, i, CC_N_IF, CC_N_SWITCH)) { /* and loops */
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (*i != s->loop && x->begin >= loop->begin && x->end <= loop->end && line > x->line &&
            line <= x->last_line)
            return false;
    }
    return true;
}

/* The class of an object that is made: its members begin with something, and it will be ended. */
static void tell_class(const struct scan *s, const struct cc_tree_node *call, FILE *out)
{
    const struct cc_tree *t = s->tree;
    const char *usr = t->decls[call->decl].usr, *end = NULL;
    for (const char *at = usr; t->decls[call->decl].builds && (at = strstr(at, "@F")); at++)
        end = at[2] == '@' || at[2] == 'T' ? at : end; /* F: a function, FT: a template of functions */
    if (end)
        fprintf(out, "C\t%u\t%d\t%.*s\n", call->line, is_always(s, call->line), (int)(end - usr), usr);
}

/* The same of `log{out, i}`, which no constructor makes: it will be ended by a function all the same. */
static void tell_made(const struct scan *s, const struct cc_tree_node *x, FILE *out)
{
    const char *usr = x->kind == CC_N_INIT && x->decl >= 0 ? s->tree->decls[x->decl].usr : NULL;
    if (usr && !strpbrk(usr, "\t\n"))
        fprintf(out, "C\t%u\t%d\t%s\n", x->line, is_always(s, x->line), usr);
}

/* What C++ puts around an object that is made or returned where it is needed: all of its text is that. */
static bool is_copy_around(const struct cc_tree *t, const struct cc_tree_node *call)
{
    const struct cc_tree_node *in = call->child == CC_NODE_NONE ? NULL : cc_tree_at(t, call->child);
    return call->decl < 0 && call->type.class == CC_T_RECORD && in && in->next == CC_NODE_NONE &&
           in->begin == call->begin && in->end == call->end;
}

/* Whether a variable is declared as an object of a template's class, `Matrix<T> &a`: which functions it has
 * the class says. Not so `F f`, nor what only passes a call on. */
static bool is_of_template(const struct cc_tree *t, int32_t decl)
{
    static const char passes[] = "function";
    uint32_t at = decl < 0 ? 0 : t->decls[decl].begin;
    while (at && (isspace((unsigned char)t->text[at - 1]) || t->text[at - 1] == '&'))
        at--;
    if (!at || t->text[at - 1] != '>' || t->decls[decl].type.class != CC_T_NONE)
        return false;
    int open = 0;
    do {
        at--;
        open += (t->text[at] == '>') - (t->text[at] == '<');
    } while (at && open > 0 && t->text[at] != ';' && t->text[at] != '{');
    return !open && at > sizeof passes - 1 &&
           strncmp(t->text + at - (sizeof passes - 1), passes, sizeof passes - 1) != 0;
}

/* `*` of `a(i) * b(i)`, which is a call if it depends on a type; nothing: it is no operator. */
static struct scan_field operator_of(const struct cc_tree *t, const struct cc_tree_node *call)
{
    uint32_t begin = cc_tree_at(t, call->child)->end;
    while (begin < call->end && isspace((unsigned char)t->text[begin]))
        begin++;
    size_t size = begin < call->end ? strspn(t->text + begin, "+-*/%^&|<>=!") : 0;
    return (struct scan_field){t->text + begin, size};
}

/* The name of the functions of which a type tells the one that is called; NULL: it is something else. */
static const char *several_of(const struct cc_tree *t, const struct cc_tree_node *x)
{
    return x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].several ? t->decls[x->decl].name : NULL;
}

/* `operator*` of `*p`, where that depends on a type; NULL: it is no operator. */
static const char *operators_of(const struct cc_tree *t, const struct cc_tree_node *call)
{
    static const char word[] = "operator";
    for (uint32_t c = call->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next) {
        const char *name = several_of(t, cc_tree_at(t, c));
        if (name && strncmp(name, word, sizeof word - 1) == 0)
            return name;
    }
    return NULL;
}

static bool is_of_language(const struct cc_tree *t, uint32_t n, unsigned depth);

/* Whether it is a pointer or a number: `p++` and `p + 1` are as p is. What p leads to may depend on a type.
 */
static bool is_plain(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    int class = x->type.class;
    const char *op = x->kind == CC_N_CALL && x->decl < 0 ? operators_of(t, x) : NULL;
    bool steps = (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC)) ||
                 (x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB));
    if (depth > SCAN_DEPTH || x->type.is_enum)
        return false;
    for (uint32_t c = x->child; steps && c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        steps = is_plain(t, cc_tree_bare(t, c), depth + 1);
    return class == CC_T_POINTER || class == CC_T_INT || class == CC_T_FLOAT || steps ||
           (op && (strchr(op, '+') || strchr(op, '-')) && is_of_language(t, n, depth + 1));
}

/* Whether an operator is that of pointers and numbers (`*p`, `p + i`): then it is no call, whatever operators
 * there are, since those take an object. */
static bool is_of_language(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *call = cc_tree_at(t, n);
    bool plain = operators_of(t, call);
    for (uint32_t c = call->child; plain && c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        plain = several_of(t, cc_tree_at(t, c)) || is_plain(t, cc_tree_bare(t, c), depth + 1);
    return plain;
}

static bool is_this(const struct cc_tree *t, const struct cc_tree_node *x)
{
    uint32_t of = x->kind == CC_N_UNARY && x->op == CC_OP_DEREF ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
    return of != CC_NODE_NONE && cc_tree_at(t, of)->kind == CC_N_OTHER &&
           strncmp(t->text + cc_tree_at(t, of)->begin, "this", 4) == 0;
}

static bool is_char_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether something may be declared by that name that is no function: a member may hold one then. */
static bool may_be_variable(const struct cc_tree *t, const char *name, size_t size)
{
    size_t all = strlen(t->text);
    const char *end = t->text + all;
    for (const char *at = memmem(t->text, all, name, size); at;
         at = memmem(at + size, (size_t)(end - at) - size, name, size)) {
        const char *behind = at + size;
        if ((at > t->text && is_char_of_name(at[-1])) || is_char_of_name(*behind))
            continue;
        while (isspace((unsigned char)*behind))
            behind++;
        if (*behind && strchr(";={[", *behind))
            return true;
    }
    return false;
}

/* The object, of whatever type a template is made for, that a member lies in: `a` of `a.rows.size`. */
static int32_t object_of(const struct cc_tree *t, const struct cc_tree_node *member)
{
    uint32_t n = member->child;
    while (n != CC_NODE_NONE && cc_tree_at(t, cc_tree_bare(t, n))->kind == CC_N_MEMBER)
        n = cc_tree_at(t, cc_tree_bare(t, n))->child;
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, cc_tree_bare(t, n));
    bool object = x && x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].type.class == CC_T_NONE &&
                  t->decls[x->decl].kind != CC_D_FUNCTION;
    return object ? x->decl : -1;
}

/* Of a call that depends on a type, the name of what is called: of an object, or of several functions the one
 * that fits; nothing: it may be anything. */
static void tell_name(const struct cc_tree *t, const struct cc_tree_node *call, FILE *out)
{
    uint32_t n = call->child != CC_NODE_NONE ? cc_tree_bare(t, call->child) : CC_NODE_NONE;
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    int32_t of = x && x->kind == CC_N_MEMBER ? object_of(t, x) : -1;
    struct scan_field name = x ? operator_of(t, call) : (struct scan_field){0};
    bool object = x && ((x->kind == CC_N_REF && is_of_template(t, x->decl)) || is_this(t, x));
    if (call->decl >= 0 &&
        t->decls[call->decl].usr) { /* a virtual method: those that replace it are called so */
        fputs(t->decls[call->decl].name, out);
        return;
    }
    const char *several = !x ? NULL : operators_of(t, call) ? operators_of(t, call) : several_of(t, x);
    if (several) {
        fputs(several, out);
        return;
    }
    if (name.size)
        fprintf(out, "operator%.*s", (int)name.size, name.name);
    else if (object)
        fputs("operator()", out);
    if (name.size || of < 0)
        return;
    uint32_t begin = x->end;
    while (begin > x->begin && is_char_of_name(t->text[begin - 1]))
        begin--;
    bool direct = cc_tree_at(t, cc_tree_bare(t, x->child))->kind == CC_N_REF && is_of_template(t, of);
    if (direct || !may_be_variable(t, t->text + begin, x->end - begin))
        fprintf(out, "%.*s", (int)(x->end - begin), t->text + begin);
}

/* Whether it stands in what a loop does before its first iteration, however many there are: what a `for`
 * begins with, and the test of a `for` or `while`. */
static bool is_in_head(const struct cc_tree *t, const struct cc_tree_node *loop, const struct cc_tree_node *n)
{
    bool found = false;
    uint32_t part =
        loop->kind == CC_N_FOR || (loop->kind == CC_N_WHILE && !loop->op) ? loop->child : CC_NODE_NONE;
    for (int i = loop->kind == CC_N_FOR ? 2 : 1; part != CC_NODE_NONE && i > 0 && !found; i--) {
        const struct cc_tree_node *x = cc_tree_at(t, part);
        found = n->begin >= x->begin && n->end <= x->end;
        part = x->next;
    }
    return found;
}

bool cc_source_sure(const struct cc_tree *t, const struct cc_tree_node *n, uint32_t begin, uint32_t end)
{
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool logic = x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR),
             chooses = logic || x->kind == CC_N_IF || x->kind == CC_N_SWITCH || x->kind == CC_N_SELECT ||
                       (cc_tree_is_loop(x->kind) && x->begin != begin && !is_in_head(t, x, n)),
             leaves = x->kind == CC_N_CONTINUE || x->kind == CC_N_BREAK || x->kind == CC_N_RETURN ||
                      x->kind == CC_N_GOTO;
        if (x->begin < begin || x->end > end)
            continue;
        if ((leaves && x->begin < n->begin) || (chooses && x->begin <= n->begin && x->end >= n->end))
            return false;
    }
    return true;
}

/* A function of the program's own, by its name alone, that is called in each iteration: what becomes of it if
 * its body is nowhere to be read? */
static bool needs_body(const struct cc_tree *t, const struct cc_tree_node *call, uint32_t begin, uint32_t end)
{
    const struct cc_decl *d = &t->decls[call->decl];
    return d->kind == CC_D_FUNCTION && !d->in_system_header && strstr(d->usr, "@F@") &&
           !strstr(d->usr, "@S@") && !strstr(d->usr, "@ST>") && !strstr(d->usr, "@SP>") &&
           !t->trait_line[CC_TRAIT_LAMBDA] && cc_source_sure(t, call, begin, end);
}

/* Whether `a + b` is of types that are a template's parameters, or some of them: it may be a function, and so
 * may what makes one type of another. */
static bool is_by_type(const struct cc_tree *t, const struct cc_tree_node *x)
{
    bool operates = x->kind == CC_N_BINARY || x->kind == CC_N_ASSIGN ||
                    (x->kind == CC_N_UNARY && x->op != CC_OP_ADDR && x->op != CC_OP_DEREF);
    for (uint32_t c = x->child; operates && c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        if (!is_plain(t, cc_tree_bare(t, c), 0) && cc_tree_at(t, cc_tree_bare(t, c))->type.class == CC_T_NONE)
            return true;
    return false;
}

static void tell_by_type(const struct scan *s, const struct cc_tree_node *x, FILE *out)
{
    const struct cc_tree *t = s->tree;
    uint32_t at = x->kind == CC_N_UNARY ? x->begin : cc_tree_at(t, x->child)->end;
    while (at < x->end && (isspace((unsigned char)t->text[at]) || strchr("()", t->text[at])))
        at++;
    size_t size = strspn(t->text + at, "+-*/%^&|<>=!~");
    if (size)
        fprintf(out, "C\t%u\t%d\t?operator%.*s\n", x->line, is_always(s, x->line), (int)size, t->text + at);
}

/* Whether the last argument is no address: `NULL`, `((void *)0)`, `nullptr`. */
static bool ends_in_null(const struct cc_tree *t, uint32_t call)
{
    static const char *const nothing[] = {"0", "0L", "__null", "nullptr"};
    uint32_t last = CC_NODE_NONE;
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        last = c;
    while (last != CC_NODE_NONE && cc_tree_at(t, last)->child != CC_NODE_NONE)
        last = cc_tree_at(t, last)->kind == CC_N_CAST || cc_tree_at(t, last)->kind == CC_N_OTHER
                   ? cc_tree_at(t, last)->child
                   : CC_NODE_NONE;
    if (last == CC_NODE_NONE || cc_tree_at(t, last)->kind != CC_N_LITERAL)
        return false;
    const struct cc_tree_node *x = cc_tree_at(t, last);
    bool found = false;
    for (size_t i = 0; i < CC_COUNT(nothing); i++)
        found = found || (strlen(nothing[i]) == x->end - x->begin &&
                          memcmp(nothing[i], t->text + x->begin, x->end - x->begin) == 0);
    return found;
}

/* `*f(x) = y`, as errno is set. */
static bool is_overwritten(const struct cc_tree *t, uint32_t call)
{
    for (CC_TREE_EACH(t, i, CC_N_ASSIGN, CC_N_ASSIGN)) {
        uint32_t left = cc_tree_bare(t, cc_tree_part(t, *i, 0));
        const struct cc_tree_node *x = cc_tree_at(t, left);
        if (cc_tree_at(t, *i)->op == CC_OP_NONE && x->kind == CC_N_UNARY && x->op == CC_OP_DEREF &&
            cc_tree_bare(t, x->child) == call)
            return true;
    }
    return false;
}

/* Whether an assembly statement may do something that its operands do not tell (`asm volatile("ldmxcsr %0"
 * …)`, or one that sets none), so that the compiler keeps it in its order: not where there is no instruction
 * in it
 * (`asm("" ::: "memory")`). */
static bool is_ordered_assembly(const struct cc_tree *t, const struct cc_tree_node *x)
{
    const char *at = t->text + x->begin, *end = t->text + x->end;
    const char *open = memchr(at, '(', (size_t)(end - at));
    bool ordered = false, instruction = false, outputs = false, string = false;
    for (const char *p = at; open && p < open && !ordered; p++)
        ordered = strncmp(p, "volatile", sizeof "volatile" - 1) == 0;
    unsigned colons = 0;
    for (const char *p = open ? open + 1 : end; p < end && colons < 2; p++) {
        bool escaped = string && *p == '\\';
        string ^= *p == '"';
        colons += !string && *p == ':';
        instruction =
            instruction || (string && !colons && *p != '"' && !escaped && !isspace((unsigned char)*p));
        outputs = outputs || (string && colons == 1);
        p += escaped;
    }
    return instruction && (ordered || !outputs);
}

static void tell_assembly(const struct scan *s, uint32_t begin, uint32_t end, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_ASM, CC_N_ASM)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (x->begin >= begin && x->end <= end && is_ordered_assembly(t, x))
            fprintf(out, "C\t%u\t%d\tc:@F@asm\n", x->line, is_always(s, x->line));
    }
}

/* Functions that are called by name, but for calls that are taken for assignments. */
void cc_source_calls(const struct scan *s, uint32_t begin, uint32_t end, FILE *out)
{
    const struct cc_tree *t = s->tree;
    tell_assembly(s, begin, end, out);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        const char *usr = x->kind == CC_N_CALL && x->decl >= 0 ? t->decls[x->decl].usr : NULL, *op;
        if (x->begin >= begin && x->end <= end && is_by_type(t, x))
            tell_by_type(s, x, out);
        if (x->begin >= begin && x->end <= end)
            tell_made(s, x, out);
        bool inside = x->kind == CC_N_CALL && x->begin >= begin && x->end <= end && !is_copy_around(t, x);
        if (inside && (usr ? t->decls[x->decl].replaced : !is_of_language(t, i, 0))) { /* by a pointer, say */
            fprintf(out, "C\t%u\t%d\t?", x->line, is_always(s, x->line));
            tell_name(t, x, out);
            fputc('\n', out);
        }
        if (usr && x->begin >= begin && x->end <= end && !strpbrk(usr, "\t\n") &&
            cc_combine_place(s, i, &op) == CC_NODE_NONE) {
            fprintf(out, "C\t%u\t%d%s%s%s%s%s%s%s\t%s\n", x->line,
                    (int)((unsigned)is_always(s, x->line) | (unsigned)cc_combine_gets_own(s, i) << 1 |
                          cc_unsure_given(s, i) << 2),
                    needs_body(t, x, begin, end) ? "b" : "", cc_scan_gets_data(s, i) ? "d" : "",
                    cc_scan_gets_place(s, i) || cc_arm_gets_choice(s, i) ? "p" : "",
                    cc_source_assigned(s, i) || is_overwritten(t, i) ? "a" : "",
                    ends_in_null(t, i) ? "n" : "", cc_source_sure(t, x, begin, end) ? "" : "m",
                    cc_unsure_repeated(s, i, begin, end) ? "r" : "", usr);
            tell_class(s, x, out);
        }
    }
}

/* Whether a variable is a parameter or a local of the lambda whose text a node is: what it captures, also
 * what it captures by a name of its own (`[k = 0]`), lasts from call to call and is not. */
bool cc_scan_of_lambda(const struct cc_tree *t, const struct cc_tree_node *lambda, int32_t decl)
{
    const struct cc_decl *d = &t->decls[decl];
    uint32_t from = lambda->begin;
    for (int open = 0; from < lambda->end; from++) { /* the end of what it captures */
        open += t->text[from] == '[' || t->text[from] == '(' || t->text[from] == '{';
        open -= t->text[from] == ']' || t->text[from] == ')' || t->text[from] == '}';
        if (!open)
            break;
    }
    return (d->kind == CC_D_PARAM || (d->kind == CC_D_LOCAL && !d->reference)) && d->begin > from &&
           d->begin < lambda->end;
}

/* Whether it stands behind the loop, and nothing leads back from there: while the loop runs there is none
 * that has this run's variables. */
static bool is_later(const struct scan *s, const struct cc_tree_node *lambda)
{
    const struct cc_tree *t = s->tree;
    bool later = lambda->begin >= cc_tree_at(t, s->loop)->end;
    for (uint32_t i = 0; i < t->nnodes && later; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool around = cc_tree_is_loop(x->kind) && cc_tree_holds(t, i, s->loop);
        later = x->kind != CC_N_LABEL && !(around && x->end > lambda->begin);
    }
    return later;
}

/* A call may run a lambda, which writes variables of the function as if their addresses were passed. */
void cc_source_captured(struct scan *s)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; s->calls && t->trait_line[CC_TRAIT_LAMBDA] && i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->kind != CC_N_OTHER || t->text[x->begin] != '[')
            continue;
        bool later = is_later(s, x);
        for (uint32_t k = 0; k < t->nnodes; k++) {
            const struct cc_tree_node *y = cc_tree_at(t, k);
            bool writes =
                y->kind == CC_N_ASSIGN ||
                (y->kind == CC_N_UNARY && (y->op == CC_OP_INC || y->op == CC_OP_DEC || y->op == CC_OP_ADDR));
            int32_t decl =
                writes && y->begin >= x->begin && y->end <= x->end ? cc_scan_base(s, y->child) : -1;
            int kind = decl >= 0 ? t->decls[decl].kind : CC_D_GLOBAL;
            if (decl >= 0 && !cc_scan_of_lambda(t, x, decl) &&
                !(later && (kind == CC_D_LOCAL || kind == CC_D_PARAM)))
                s->variables[decl].address = true;
        }
    }
}

/* A coroutine goes on where it was, with the variables it had. */
static void tell_resumed(const struct cc_tree *t, FILE *out)
{
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_given_resumes(t, i))
            fprintf(out, "U\t%u\t%d\t\t\n", cc_tree_at(t, i)->line,
                    cc_source_always(t, cc_tree_at(t, i)->line) | 4);
}

bool cc_source_captures(const struct cc_tree *t, int32_t decl)
{
    bool own = decl < (int32_t)t->nparams || t->decls[decl].kind != CC_D_LOCAL;
    for (uint32_t i = 0; i < t->nnodes && !own; i++)
        own = cc_tree_at(t, i)->kind == CC_N_VAR && cc_tree_at(t, i)->decl == decl;
    return !own;
}

/* Whether functions of the library are called about a record, whose code bears none of these lines. */
static bool is_library_record(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    if (t->decls[decl].type.class != CC_T_RECORD)
        return false;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        int32_t callee = cc_tree_at(t, *i)->decl;
        for (uint32_t c = cc_tree_at(t, *i)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            if (callee >= 0 && t->decls[callee].in_system_header && cc_scan_base(s, c) == decl)
                return true;
    }
    return false;
}

/* What a lambda changes of the variables around it and also looks at: put into a loop, it has them in
 * registers. */
static void tell_captured(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++)
        if (s->variables[d].write_line && s->variables[d].exposed_line && cc_source_captures(t, d))
            fprintf(out, "U\t%u\t%d\t\t\n", s->variables[d].exposed_line,
                    cc_source_always(t, s->variables[d].exposed_line) | 4 | is_library_record(s, d) << 5);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        if (a->decl >= 0 && a->write_line && a->reads[0] && !a->alike && cc_source_captures(t, a->decl))
            fprintf(out, "U\t%u\t%d\t\t\n", a->reads[0], cc_source_always(t, a->reads[0]) | 4);
    }
    for (uint32_t i = 0; i < t->nnodes; i++) {
        int32_t decl = cc_given_met(s, i);
        if (decl >= 0 && cc_source_captures(t, decl))
            fprintf(out, "U\t%u\t%d\t\t\n", cc_tree_at(t, i)->line,
                    cc_source_always(t, cc_tree_at(t, i)->line) | 4);
    }
}

/* Whether it is a part of the object whose method this is, and lies in it: `x`, `this->x`, `pos.x`, `id[2]`.
 */
static bool is_of_object(const struct cc_tree *t, uint32_t n)
{
    for (unsigned depth = 0; depth < SCAN_DEPTH; depth++) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        const struct cc_tree_node *of = x->child == CC_NODE_NONE ? NULL : cc_tree_at(t, x->child);
        if (x->kind == CC_N_MEMBER && !x->record)
            return false;
        if (x->kind == CC_N_MEMBER &&
            (!of || (of->kind == CC_N_OTHER && strncmp(t->text + of->begin, "this", 4) == 0)))
            return true;
        uint32_t base = !of                                                   ? CC_NODE_NONE
                        : x->kind == CC_N_MEMBER || x->kind == CC_N_SUBSCRIPT ? cc_tree_bare(t, x->child)
                                                                              : CC_NODE_NONE;
        int class = base == CC_NODE_NONE ? CC_T_NONE : cc_tree_at(t, base)->type.class;
        if (class != (x->kind == CC_N_MEMBER ? CC_T_RECORD : CC_T_ARRAY))
            return false;
        n = base;
    }
    return false;
}

/* Whether all that is done with it is done to what a parameter leads to, or to the method's object. */
static bool is_given(const struct scan *s, const struct scan_array *a)
{
    bool object = a->decl < 0 && a->all.n;
    for (size_t i = 0; object && i < a->all.n; i++)
        object = is_of_object(s->tree, a->all.v[i]);
    bool param = a->decl >= 0 && s->tree->decls[a->decl].kind == CC_D_PARAM &&
                 !s->variables[a->decl].write_line && !s->variables[a->decl].address;
    return object || (param && !cc_alias_behind(s, a));
}

/* An array of the program's, and not what a pointer leads to. */
static bool is_static_array(const struct cc_tree *t, int32_t decl)
{
    int kind = decl < 0 ? CC_D_OTHER : t->decls[decl].kind;
    return (kind == CC_D_GLOBAL || kind == CC_D_STATIC) && t->decls[decl].type.class == CC_T_ARRAY;
}

/* Whether what a library's function gets there is changed by it: `std::exchange(last, x)`. */
static const struct cc_decl *library_s(const struct cc_tree *t, uint32_t argument)
{
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL))
        for (uint32_t c = cc_tree_at(t, *i)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            if (c == argument) {
                int32_t callee = cc_tree_at(t, *i)->decl;
                return callee >= 0 && t->decls[callee].in_system_header ? &t->decls[callee] : NULL;
            }
    return NULL;
}

/* By what is computed from it: of the load that its line then has, another may be the reason. */
static bool is_replaced(const struct cc_tree *t, uint32_t argument)
{
    const struct cc_decl *d = library_s(t, argument);
    return d && cc_text_listed(" exchange swap tie ref ", d->name);
}

/* What a function hands out a reference to, `std::exchange(before, x)`: a number that outlives the call. */
static void tell_handed(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        uint32_t n = x->handed ? cc_tree_bare(t, i) : CC_NODE_NONE;
        const struct cc_tree_node *y = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
        bool number = y && (y->type.class == CC_T_INT || y->type.class == CC_T_FLOAT),
             alone = y && (y->kind == CC_N_REF || y->kind == CC_N_MEMBER) && is_replaced(t, i);
        if (!y || (!number && !(alone && y->type.class == CC_T_POINTER)) || y->kind == CC_N_CALL)
            continue;
        int32_t decl = y->kind == CC_N_REF ? y->decl : cc_scan_base(s, n);
        bool object = y->kind == CC_N_MEMBER && is_of_object(t, n);
        if (object || !cc_scan_is_own(t, decl) || (decl >= 0 && cc_source_captures(t, decl)))
            fprintf(out, "U\t%u\t%d\t\t\n", x->line,
                    cc_source_always(t, x->line) | object << 1 | alone << 2 | (library_s(t, i) != NULL) << 4);
    }
}

/* Whether what a parameter is if nobody says so does something: `int id = next++`. A call does not show it.
 */
static bool has_busy_default(const struct cc_tree *t)
{
    if (cc_class_is_c(t) || t->body == CC_NODE_NONE)
        return false;
    const char *end = t->text + cc_tree_at(t, t->body)->begin, *at = end;
    while (at > t->text && at[-1] != ';' && at[-1] != '}' && at[-1] != '{')
        at--;
    bool inside = false, given = false;
    for (; at + 1 < end; at++) {
        given = given && *at != ',';
        if (given && (strchr("([=", *at) || (*at == '+' && at[1] == '+') || (*at == '-' && at[1] == '-')))
            return true;
        inside = inside || *at == '(';
        given = given || (inside && *at == '=');
    }
    return false;
}

/* Behind a pointer, that a parameter leads to or another. */
static bool is_behind(const struct scan *s, const struct scan_array *a)
{
    const struct cc_decl *d = a->decl < 0 ? NULL : &s->tree->decls[a->decl];
    return !d || d->type.class == CC_T_POINTER || d->reference;
}

/* The parameter that alone leads there; CC_STORE_OTHER: there is none. */
static int leads_from(const struct scan *s, const struct scan_array *a)
{
    const struct cc_decl *d = a->decl < 0 ? NULL : &s->tree->decls[a->decl];
    bool leads = d && (d->type.class == CC_T_POINTER || d->type.class == CC_T_ARRAY || d->reference);
    return leads && (size_t)a->decl < s->tree->nparams && is_given(s, a) ? a->decl : CC_STORE_OTHER;
}

/* Whether all of it lies in the record that a parameter leads to. */
static bool lies_in_record(const struct scan *s, const struct scan_array *a)
{
    bool lies = a->all.n && leads_from(s, a) >= 0;
    for (size_t i = 0; i < a->all.n && lies; i++)
        lies = cc_source_in_record(s->tree, a->all.v[i], a->decl);
    return lies;
}

/* Whether what it reads there may be what it writes by another name, for another call; the parameters that
 * lead to all of those, a bit each (0: something else does, too); whether all that lies in the records which
 * parameters lead to, what is read too if it is no variable. */
static bool is_written_elsewhere(const struct scan *s, const struct scan_array *a, uint32_t *ret_by,
                                 bool *ret_lies)
{
    const struct cc_tree *t = s->tree;
    bool found = false, other = false;
    *ret_by = 0;
    *ret_lies = !is_behind(s, a) || lies_in_record(s, a);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *b = &s->arrays.v[i];
        const struct cc_ctype *x = &cc_tree_at(t, a->first)->type, *y = &cc_tree_at(t, b->first)->type;
        bool own = cc_alias_allocated(s, b->decl) || cc_scan_is_own(t, b->decl);
        if (b != a && b->write_line && !own && (is_behind(s, a) || is_behind(s, b)) && x->class == y->class &&
            x->bits == y->bits) {
            int from = leads_from(s, b);
            found = true;
            other = other || from < 0 || from >= CC_STATE_PARAMETERS;
            *ret_by |= other ? 0 : 1U << from;
            *ret_lies = *ret_lies && lies_in_record(s, b) && (!is_behind(s, a) || b->decl == a->decl);
        }
    }
    *ret_by = other ? 0 : *ret_by;
    return found;
}

/* What one call leaves to the next by another name: `move(&x[i + 1], &x[i])`. */
static void tell_moved(const struct scan *s, FILE *out)
{
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        bool mine = cc_alias_allocated(s, a->decl) || cc_scan_is_own(s->tree, a->decl);
        uint32_t by;
        bool lies;
        bool asked =
            !a->write_line && (!mine || cc_alias_behind(s, a)) && is_written_elsewhere(s, a, &by, &lies);
        for (int k = 0; asked && k < CC_SOURCE_READS && a->reads[k]; k++)
            fprintf(out, "U\t%u\t%d\t\t\t%u\t%d\n", a->reads[k],
                    cc_source_always(s->tree, a->reads[k]) | is_given(s, a) << 1 | lies << 3, by,
                    leads_from(s, a) + 1);
    }
}

/* A member, say, that is moved on, `*p++`: the loads of a line are of what it leads to. */
static bool steps_pointer(const struct scan *s, const struct scan_array *a)
{
    bool steps = false;
    for (size_t i = 0; i < a->writes.n && !steps; i++)
        steps = cc_tree_at(s->tree, a->writes.v[i])->type.class == CC_T_POINTER &&
                cc_moves_steps(s, a->writes.v[i]);
    return steps;
}

/* After cc_scan_updates. */
void cc_source_states(const struct scan *s, FILE *out)
{
    cc_source_common(s, out);
    if (has_busy_default(s->tree))
        fprintf(out, "U\t%u\t5\t\t\n", s->tree->line);
    tell_resumed(s->tree, out);
    tell_captured(s, out);
    cc_given_states(s, out);
    tell_handed(s, out);
    cc_moves_parts(s, out);
    cc_moves_on(s, out);
    tell_moved(s, out);
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++) {
        const struct scan_variable *v = &s->variables[d];
        int kind = s->tree->decls[d].kind;
        bool combined = v->op && !v->mixed && v->accounted == v->mentions;
        if ((kind == CC_D_GLOBAL || kind == CC_D_STATIC) && v->write_line && v->exposed_line)
            fprintf(out, "U\t%u\t%d\t%s\t%s\n", v->exposed_line,
                    cc_source_always(s->tree, v->exposed_line) | is_library_record(s, d) << 5,
                    combined ? v->op : "", s->tree->decls[d].name);
    }
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        bool combined =
            a->op && !a->mixed && !a->passed && !cc_scan_overlaps(s, a) && a->accounted == a->accesses;
        bool mine = cc_alias_allocated(s, a->decl) || cc_scan_is_own(s->tree, a->decl);
        if (!a->write_line || (mine && !cc_alias_behind(s, a)))
            continue;
        bool given = is_given(s, a), steps = steps_pointer(s, a);
        for (int k = 0; k < CC_SOURCE_READS && a->reads[k]; k++)
            fprintf(
                out, "U\t%u\t%d\t%s\t%s\t0\t%d\n", a->reads[k],
                cc_source_always(s->tree, a->reads[k]) | given << 1 | steps << 2 | lies_in_record(s, a) << 3,
                combined ? a->op : "", is_static_array(s->tree, a->decl) ? s->tree->decls[a->decl].name : "",
                leads_from(s, a) + 1);
    }
}

/* What the parser does not understand may do anything. */
void cc_source_unread(const struct cc_tree *t, FILE *out)
{
    if (!t->usr || strpbrk(t->usr, "\t\n"))
        return;
    fprintf(out, "F\t%s\t%s\t%s\t%u\t%u\t4\t\nU\t%u\t5\t\t\n", t->usr, t->name, t->file, t->line,
            t->last_line, t->line);
}
