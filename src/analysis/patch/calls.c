#include "calls.h"
#include "../loops/source/live.h"
#include "../../base/text.h"

enum { MAX_DEPTH = 2000 };

/* --- one statement --- */

struct use {
    bool mentioned, assigned, address;
};

struct statement {
    uint32_t node;
    unsigned calls;
    bool jumps;       /* or something else that no task can have */
    int32_t callee;   /* decl; -1: none, or not of the program */
    int32_t declares; /* decl; -1: none */
    uint32_t to;      /* what an assignment sets, if that is no plain variable; CC_NODE_NONE */
    bool shape;       /* a call, an assignment or declaration of its result, or one of these below an if */
    struct use *uses; /* by decl, without those of `to` */
};

static bool is_jump(int kind)
{
    return kind == CC_N_RETURN || kind == CC_N_BREAK || kind == CC_N_CONTINUE || kind == CC_N_GOTO ||
           kind == CC_N_LABEL || kind == CC_N_CASE || kind == CC_N_DEFAULT || kind == CC_N_ASM ||
           kind == CC_N_STMT_EXPR;
}

static int32_t base_of(const struct cc_tree *t, uint32_t n)
{
    for (n = cc_tree_bare(t, n); n != CC_NODE_NONE; n = cc_tree_bare(t, cc_tree_at(t, n)->child)) {
        int kind = cc_tree_at(t, n)->kind;
        if (kind == CC_N_REF)
            return cc_tree_at(t, n)->decl;
        if (kind != CC_N_MEMBER && kind != CC_N_SUBSCRIPT && kind != CC_N_UNARY)
            return -1;
    }
    return -1;
}

static void note_plain(const struct cc_tree *t, uint32_t n, bool address, struct statement *s)
{
    uint32_t at = cc_tree_bare(t, n);
    int32_t decl = address ? base_of(t, n) : -1;
    if (at != CC_NODE_NONE && cc_tree_at(t, at)->kind == CC_N_REF)
        decl = cc_tree_at(t, at)->decl;
    if (decl < 0)
        return;
    s->uses[decl].address |= address;
    s->uses[decl].assigned |= !address;
}

static void look(const struct cc_tree *t, uint32_t n, struct statement *s, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH || n == s->to)
        return;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    s->jumps = s->jumps || is_jump(x->kind) || (cc_tree_is_loop(x->kind));
    if (x->kind == CC_N_CALL) {
        bool own =
            x->decl >= 0 && t->decls[x->decl].kind == CC_D_FUNCTION && !t->decls[x->decl].in_system_header;
        s->calls++;
        s->callee = s->callee < 0 && own ? x->decl : s->callee;
    }
    if (x->kind == CC_N_REF && x->decl >= 0)
        s->uses[x->decl].mentioned = true;
    if (x->kind == CC_N_VAR && x->decl >= 0)
        s->uses[x->decl].mentioned = s->uses[x->decl].assigned = true;
    if (x->kind == CC_N_ASSIGN)
        note_plain(t, x->child, false, s);
    if (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR))
        note_plain(t, x->child, x->op == CC_OP_ADDR, s);
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        look(t, c, s, depth + 1);
}

/* `r[3]` of an array, or `p->x`: what another statement can be told apart from. */
static bool is_place(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_MEMBER)
        return true;
    uint32_t base = x->kind == CC_N_SUBSCRIPT ? cc_tree_bare(t, cc_tree_part(t, n, 0)) : CC_NODE_NONE,
             index = x->kind == CC_N_SUBSCRIPT ? cc_tree_bare(t, cc_tree_part(t, n, 1)) : CC_NODE_NONE;
    return base != CC_NODE_NONE && index != CC_NODE_NONE && cc_tree_at(t, base)->kind == CC_N_REF &&
           cc_tree_at(t, base)->decl >= 0 && t->decls[cc_tree_at(t, base)->decl].type.class == CC_T_ARRAY &&
           cc_tree_at(t, index)->kind == CC_N_LITERAL;
}

static bool has_else(const struct cc_tree *t, uint32_t n)
{
    uint32_t other = cc_tree_part(t, n, 2);
    return other != CC_NODE_NONE && cc_tree_at(t, other)->kind != CC_N_ABSENT;
}

/* The call, and what its result is for. */
static bool has_shape(const struct cc_tree *t, uint32_t n, struct statement *s, bool below)
{
    n = cc_tree_bare(t, n);
    if (n == CC_NODE_NONE)
        return false;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    uint32_t only = x->child;
    switch (x->kind) {
    case CC_N_CALL:
        return true;
    case CC_N_COMPOUND:
        return below && only != CC_NODE_NONE && cc_tree_at(t, only)->next == CC_NODE_NONE &&
               has_shape(t, only, s, true);
    case CC_N_IF:
        return !below && !has_else(t, n) && has_shape(t, cc_tree_part(t, n, 1), s, true);
    case CC_N_ASSIGN: {
        uint32_t to = cc_tree_bare(t, x->child), from = cc_tree_bare(t, cc_tree_part(t, n, 1));
        bool plain = cc_tree_at(t, to)->kind == CC_N_REF;
        if (x->op != CC_OP_NONE || from == CC_NODE_NONE || cc_tree_at(t, from)->kind != CC_N_CALL)
            return false;
        s->to = plain ? CC_NODE_NONE : to;
        return plain || is_place(t, to);
    }
    case CC_N_DECL: {
        uint32_t from = only != CC_NODE_NONE ? cc_tree_bare(t, cc_tree_at(t, only)->child) : CC_NODE_NONE;
        return !below && from != CC_NODE_NONE && cc_tree_at(t, only)->kind == CC_N_VAR &&
               cc_tree_at(t, only)->next == CC_NODE_NONE && cc_tree_at(t, from)->kind == CC_N_CALL;
    }
    default:
        return false;
    }
}

static void statement_of(const struct cc_tree *t, uint32_t n, struct statement *s)
{
    *s = (struct statement){.node = n, .callee = -1, .declares = -1, .to = CC_NODE_NONE};
    s->uses = cc_alloc_array(t->ndecls + 1, sizeof *s->uses);
    s->shape = has_shape(t, n, s, false);
    look(t, n, s, 0);
    uint32_t at = cc_tree_bare(t, n),
             var = cc_tree_at(t, at)->kind == CC_N_DECL ? cc_tree_at(t, at)->child : CC_NODE_NONE;
    if (var != CC_NODE_NONE && cc_tree_at(t, var)->kind == CC_N_VAR) {
        const struct cc_decl *d = &t->decls[cc_tree_at(t, var)->decl];
        bool simple =
            d->type.class == CC_T_INT || d->type.class == CC_T_FLOAT || d->type.class == CC_T_POINTER;
        s->declares = cc_tree_at(t, var)->decl;
        s->jumps = s->jumps || cc_tree_at(t, var)->next != CC_NODE_NONE || !simple || d->kind != CC_D_LOCAL;
    }
}

/* --- two statements --- */

static bool same_text(const struct cc_tree *t, uint32_t a, uint32_t b)
{
    uint32_t n = cc_tree_at(t, a)->end - cc_tree_at(t, a)->begin;
    return n == cc_tree_at(t, b)->end - cc_tree_at(t, b)->begin &&
           memcmp(t->text + cc_tree_at(t, a)->begin, t->text + cc_tree_at(t, b)->begin, n) == 0;
}

/* The last word of `p->x`, and its size. */
static const char *member_name(const struct cc_tree *t, uint32_t n, size_t *ret_size)
{
    const char *from = t->text + cc_tree_at(t, n)->begin, *end = t->text + cc_tree_at(t, n)->end, *p = end;
    while (p > from && (p[-1] == '_' || (p[-1] >= '0' && p[-1] <= '9') || (p[-1] >= 'A' && p[-1] <= 'Z') ||
                        (p[-1] >= 'a' && p[-1] <= 'z')))
        p--;
    *ret_size = (size_t)(end - p);
    return p;
}

/* Whether a member of that name is mentioned below n. */
static bool mentions_member(const struct cc_tree *t, uint32_t n, uint32_t member, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH)
        return false;
    size_t a, b;
    const char *x = member_name(t, member, &a);
    if (cc_tree_at(t, n)->kind == CC_N_MEMBER) {
        const char *y = member_name(t, n, &b);
        if (a == b && memcmp(x, y, a) == 0)
            return true;
    }
    bool found = false;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = mentions_member(t, c, member, depth + 1);
    return found;
}

/* What a sets that is no plain variable, b may look at or set too. */
static bool meets_place(const struct cc_tree *t, const struct statement *a, const struct statement *b)
{
    if (a->to == CC_NODE_NONE)
        return false;
    if (cc_tree_at(t, a->to)->kind == CC_N_MEMBER)
        return mentions_member(t, b->node, a->to, 0);
    int32_t base = base_of(t, a->to);
    return base < 0 || b->uses[base].mentioned || (b->to != CC_NODE_NONE && same_text(t, a->to, b->to));
}

static bool meets(const struct cc_tree *t, const struct statement *a, const struct statement *b)
{
    for (size_t d = 0; d < t->ndecls; d++) {
        const struct use *x = &a->uses[d], *y = &b->uses[d];
        if ((x->assigned && y->mentioned) || (y->assigned && x->mentioned))
            return true;
        if ((x->address && y->mentioned && !y->address) || (y->address && x->mentioned && !x->address))
            return true;
    }
    return meets_place(t, a, b) || meets_place(t, b, a);
}

/* --- several calls in one expression --- */

enum { MOST_INNER = 16 };

struct expression {
    uint32_t calls[MOST_INNER]; /* always made, and with none of the program inside */
    size_t n, all;              /* all: of the program */
    bool odd;                   /* it changes something by itself, or has more calls than that */
};

static bool is_own(const struct cc_tree *t, const struct cc_tree_node *x)
{
    return x->kind == CC_N_CALL && x->decl >= 0 && t->decls[x->decl].kind == CC_D_FUNCTION &&
           !t->decls[x->decl].in_system_header;
}

static bool has_simple_type(const struct cc_tree_node *x)
{
    return x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT || x->type.class == CC_T_POINTER;
}

static void see_inner(const struct cc_tree *t, uint32_t n, bool always, struct expression *e, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH || e->odd)
        return;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    size_t before = e->all;
    e->odd = x->kind == CC_N_ASSIGN || x->kind == CC_N_STMT_EXPR || x->kind == CC_N_ASM ||
             x->kind == CC_N_VAR || x->kind == CC_N_DECL ||
             (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC)) ||
             (x->kind == CC_N_BINARY && x->op == CC_OP_COMMA);
    bool depends =
        x->kind == CC_N_SELECT || (x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR));
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        see_inner(t, c, always && (!depends || c == x->child), e, depth + 1);
    if (!is_own(t, x))
        return;
    if (always && e->all == before && has_simple_type(x)) {
        e->odd = e->odd || e->n == MOST_INNER;
        if (!e->odd)
            e->calls[e->n++] = n;
    }
    e->all++;
}

/* The part of a statement whose calls could be made before it: what is returned, assigned, declared, or given
 * to a function. */
static uint32_t expression_of(const struct cc_tree *t, uint32_t n)
{
    uint32_t at = cc_tree_bare(t, n), child = at == CC_NODE_NONE ? at : cc_tree_at(t, at)->child;
    if (at == CC_NODE_NONE || child == CC_NODE_NONE)
        return CC_NODE_NONE;
    switch (cc_tree_at(t, at)->kind) {
    case CC_N_RETURN:
        return child;
    case CC_N_CALL:
        return at;
    case CC_N_ASSIGN: {
        uint32_t to = cc_tree_bare(t, child);
        return to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_REF ? cc_tree_part(t, at, 1)
                                                                         : CC_NODE_NONE;
    }
    case CC_N_DECL:
        return cc_tree_at(t, child)->kind == CC_N_VAR && cc_tree_at(t, child)->next == CC_NODE_NONE
                   ? cc_tree_at(t, child)->child
                   : CC_NODE_NONE;
    default:
        return CC_NODE_NONE;
    }
}

/* If some call the function itself, only those. */
static void keep_recursive(const struct cc_tree *t, struct expression *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++)
        if (strcmp(t->decls[cc_tree_at(t, e->calls[i])->decl].name, t->name) == 0)
            e->calls[n++] = e->calls[i];
    e->n = n ? n : e->n;
}

/* --- what follows --- */

static bool ends_with(const struct cc_tree *t, uint32_t outer, uint32_t block, unsigned depth)
{
    if (outer == CC_NODE_NONE || depth > MAX_DEPTH || outer == block)
        return outer == block;
    uint32_t last = cc_tree_at(t, outer)->child;
    if (cc_tree_at(t, outer)->kind == CC_N_IF)
        return ends_with(t, cc_tree_part(t, outer, 1), block, depth + 1) ||
               ends_with(t, cc_tree_part(t, outer, 2), block, depth + 1);
    while (last != CC_NODE_NONE && cc_tree_at(t, last)->next != CC_NODE_NONE)
        last = cc_tree_at(t, last)->next;
    return cc_tree_at(t, outer)->kind == CC_N_COMPOUND && ends_with(t, last, block, depth + 1);
}

/* Whether the function may be over while what was called still runs: nobody can hold the address of a
 * variable of its own. */
static bool leaves_nothing(const struct cc_tree *t)
{
    for (size_t d = 0; d < t->ndecls; d++) {
        const struct cc_decl *x = &t->decls[d];
        bool own = x->kind == CC_D_LOCAL || x->kind == CC_D_PARAM;
        bool simple = x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT ||
                      x->type.class == CC_T_POINTER || (x->type.class == CC_T_ARRAY && d < t->nparams);
        if (own && (!simple || x->reference))
            return false;
    }
    for (uint32_t n = 0; n < t->nnodes; n++) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        bool given = x->handed || (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR);
        uint32_t what = cc_tree_bare(t, x->handed ? n : x->child);
        int32_t decl = given && what != CC_NODE_NONE && cc_tree_at(t, what)->kind == CC_N_REF
                           ? cc_tree_at(t, what)->decl
                           : -1;
        if (decl >= 0 && (t->decls[decl].kind == CC_D_LOCAL || t->decls[decl].kind == CC_D_PARAM))
            return false;
    }
    return !t->trait_line[CC_TRAIT_LAMBDA];
}

static bool is_itself(const struct cc_tree *t, int32_t decl)
{
    return decl >= 0 && strcmp(t->decls[decl].name, t->name) == 0;
}

/* Whether the function calls itself nowhere but in these statements: another call of it may have to wait for
 * all that its own made. */
static bool has_all_own(const struct cc_tree *t, const struct statement *v, size_t n)
{
    size_t here = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        here += is_itself(t, v[i].callee);
    for (uint32_t i = 0; i < t->nnodes; i++)
        all += cc_tree_at(t, i)->kind == CC_N_CALL && is_itself(t, cc_tree_at(t, i)->decl);
    return all == here;
}

/* --- telling --- */

static bool is_task(const struct statement *s)
{
    return s->shape && s->calls == 1 && !s->jumps && s->callee >= 0;
}

static void tell(const struct cc_tree *t, const struct statement *s, FILE *out)
{
    fprintf(out, "T\t%u\t%u\t%d\t%s\t%s\n", cc_tree_at(t, s->node)->line, cc_tree_at(t, s->node)->last_line,
            is_task(s), s->declares >= 0 ? t->decls[s->declares].name : "",
            s->callee >= 0 ? t->decls[s->callee].name : "");
    int32_t to = s->to != CC_NODE_NONE ? base_of(t, s->to) : -1;
    for (size_t d = 0; d < t->ndecls; d++) {
        const struct cc_decl *x = &t->decls[d];
        bool own = x->kind == CC_D_LOCAL || x->kind == CC_D_PARAM;
        bool large = (x->type.class == CC_T_ARRAY && x->kind == CC_D_LOCAL) || x->type.class == CC_T_RECORD;
        bool used = s->uses[d].mentioned || (int32_t)d == to;
        if (own && used && (s->uses[d].assigned || s->uses[d].address || large))
            fprintf(out, "V\t%s\n", x->name);
    }
}

static void put_text(const struct cc_tree *t, uint32_t n, FILE *out)
{
    bool blank = false;
    for (uint32_t i = cc_tree_at(t, n)->begin; i < cc_tree_at(t, n)->end; i++) {
        bool space = strchr(" \t\r\n", t->text[i]) != NULL;
        if (!space || !blank)
            fputc(space ? ' ' : t->text[i], out);
        blank = space;
    }
}

static void tell_expression(const struct cc_tree *t, uint32_t statement, FILE *out)
{
    struct expression e = {0};
    uint32_t at = expression_of(t, statement);
    if (at != CC_NODE_NONE)
        see_inner(t, at, true, &e, 0);
    keep_recursive(t, &e);
    if (e.odd || e.n < 2)
        return;
    struct statement whole;
    statement_of(t, statement, &whole);
    bool told = whole.declares < 0 || has_simple_type(cc_tree_at(t, cc_tree_bare(t, at)));
    if (told)
        fprintf(out, "J\t%u\t%u\t%s\t%s\n", t->line, t->last_line, t->name, t->file);
    for (size_t i = 0; told && i < e.n; i++) {
        struct statement s = {
            .node = statement, .calls = 1, .shape = true, .declares = whole.declares, .to = CC_NODE_NONE};
        s.callee = cc_tree_at(t, e.calls[i])->decl;
        s.uses = cc_alloc_array(t->ndecls + 1, sizeof *s.uses);
        look(t, e.calls[i], &s, 0);
        s.calls = 1;
        tell(t, &s, out);
        fprintf(out, "E\t%zu\t", e.all);
        put_text(t, e.calls[i], out);
        fputc('\n', out);
        free(s.uses);
    }
    free(whole.uses);
}

static void tell_block(const struct cc_tree *t, uint32_t block, FILE *out)
{
    CC_VEC(struct statement) group = {0};
    bool ends = ends_with(t, t->body, block, 0) && leaves_nothing(t);
    for (uint32_t n = cc_tree_at(t, block)->child; n != CC_NODE_NONE; n = cc_tree_at(t, n)->next) {
        struct statement s;
        statement_of(t, n, &s);
        bool joins = is_task(&s) && group.n && is_task(&group.v[group.n - 1]);
        for (size_t i = 0; joins && i < group.n; i++)
            joins = !meets(t, &group.v[i], &s);
        if (!joins) {
            for (size_t i = 0; i < group.n; i++)
                free(group.v[i].uses);
            group.n = 0;
        }
        if (!s.calls || s.jumps) {
            free(s.uses);
            continue;
        }
        if (!joins)
            fprintf(out, "J\t%u\t%u\t%s\t%s\n", t->line, t->last_line, t->name, t->file);
        tell(t, &s, out);
        CC_VEC_PUSH(&group, s);
        if (cc_tree_at(t, n)->next == CC_NODE_NONE && ends && has_all_own(t, group.v, group.n))
            fputs("Z\n", out);
    }
    for (size_t i = 0; i < group.n; i++)
        free(group.v[i].uses);
    CC_VEC_FINI(&group);
    for (uint32_t n = cc_tree_at(t, block)->child; n != CC_NODE_NONE; n = cc_tree_at(t, n)->next)
        tell_expression(t, n, out);
}

void cc_patch_calls_write(const struct cc_tree *t, FILE *out)
{
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_at(t, i)->kind == CC_N_COMPOUND)
            tell_block(t, i, out);
}

/* --- reading what was told --- */

static unsigned number(const char *text)
{
    return (unsigned)strtoul(text, NULL, 10);
}

bool cc_patch_calls_add(struct cc_patch_calls_list *l, char **x, size_t n, struct cc_arena *arena)
{
    struct cc_patch_calls *last = l->v.n ? &l->v.v[l->v.n - 1] : NULL;
    struct cc_patch_call *call = last && last->v.n ? &last->v.v[last->v.n - 1] : NULL;
    if (strcmp(x[0], "J") == 0 && n == 5) {
        CC_VEC_PUSH(&l->v, (struct cc_patch_calls){.first_line = number(x[1]),
                                                   .last_line = number(x[2]),
                                                   .function = cc_arena_strdup(arena, x[3]),
                                                   .file = cc_arena_strdup(arena, x[4])});
    } else if (strcmp(x[0], "T") == 0 && n == 6 && last) {
        CC_VEC_PUSH(&last->v, (struct cc_patch_call){.line = number(x[1]),
                                                     .last_line = number(x[2]),
                                                     .task = number(x[3]) != 0,
                                                     .declares = *x[4] ? cc_arena_strdup(arena, x[4]) : NULL,
                                                     .callee = *x[5] ? cc_arena_strdup(arena, x[5]) : NULL});
    } else if (strcmp(x[0], "Z") == 0 && n == 1 && call) {
        call->last = true;
    } else if (strcmp(x[0], "V") == 0 && n == 2 && call) {
        CC_VEC_PUSH(&call->shared, cc_arena_strdup(arena, x[1]));
    } else if (strcmp(x[0], "E") == 0 && n == 3 && call) {
        call->together = number(x[1]);
        call->inner = cc_arena_strdup(arena, x[2]);
    } else {
        return false;
    }
    return true;
}

static void calls_fini(struct cc_patch_calls *c)
{
    for (size_t i = 0; i < c->v.n; i++)
        CC_VEC_FINI(&c->v.v[i].shared);
    CC_VEC_FINI(&c->v);
}

void cc_patch_calls_fini(struct cc_patch_calls_list *l)
{
    for (size_t i = 0; i < l->v.n; i++)
        calls_fini(&l->v.v[i]);
    CC_VEC_FINI(&l->v);
}

void cc_patch_calls_drop(struct cc_patch_calls_list *l, size_t known)
{
    size_t kept = known;
    for (size_t i = known; i < l->v.n; i++) {
        struct cc_patch_calls *c = &l->v.v[i];
        bool twice = c->v.n == 0;
        for (size_t k = 0; k < known && !twice; k++)
            twice = l->v.v[k].v.v[0].line == c->v.v[0].line && strcmp(l->v.v[k].file, c->file) == 0 &&
                    !l->v.v[k].v.v[0].inner == !c->v.v[0].inner &&
                    strcmp(l->v.v[k].function, c->function) == 0;
        if (twice)
            calls_fini(c);
        else if (kept++ != i)
            l->v.v[kept - 1] = *c;
    }
    l->v.n = kept;
}
