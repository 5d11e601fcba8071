#include "measure.h"
#include "lower.h"
#include "../../base/map.h"

#include <math.h>

struct measure {
    const struct cc_tree *t;
    struct cc_arena *arena;
    struct cc_source_function *f;
    double *m;
    CC_VEC(struct cc_source_call) calls;
    CC_VEC(struct cc_unfit_reason) unfit;
    struct cc_strmap literals;
};

static const struct cc_tree_node *at(const struct measure *x, uint32_t node)
{
    return &x->t->nodes[node];
}

static const struct cc_tree_node *second(const struct cc_tree *t, const struct cc_tree_node *n)
{
    return &t->nodes[t->nodes[n->child].next];
}

/* --- size --- */

static void measure_tokens(struct measure *x)
{
    struct cc_strmap operators = {0}, operands = {0};
    const struct cc_tree *t = x->t;
    for (size_t i = 0; i < t->ntokens; i++) {
        const struct cc_token *k = &t->tokens[i];
        const char *s = t->text + k->begin;
        size_t n = k->end - k->begin;
        if (k->kind == CC_TOK_PUNCTUATION && n == 1 && (*s == ')' || *s == ']' || *s == '}'))
            continue;
        bool operand = k->kind == CC_TOK_IDENTIFIER || k->kind == CC_TOK_LITERAL;
        char *word = cc_strndup(s, n);
        cc_strmap_put(operand ? &operands : &operators, word, NULL);
        if (k->kind == CC_TOK_LITERAL)
            cc_strmap_put(&x->literals, word, NULL);
        free(word);
        x->m[operand ? CC_M_operands : CC_M_operators]++;
    }
    double *m = x->m;
    m[CC_M_tokens] = (double)t->ntokens;
    m[CC_M_unique_operators] = (double)operators.n;
    m[CC_M_unique_operands] = (double)operands.n;
    m[CC_M_literals] = (double)x->literals.n;
    m[CC_M_halstead_length] = m[CC_M_operators] + m[CC_M_operands];
    m[CC_M_halstead_vocabulary] = m[CC_M_unique_operators] + m[CC_M_unique_operands];
    if (m[CC_M_halstead_vocabulary] > 0)
        m[CC_M_halstead_volume] = m[CC_M_halstead_length] * log2(m[CC_M_halstead_vocabulary]);
    if (operands.n)
        m[CC_M_halstead_difficulty] =
            m[CC_M_unique_operators] / 2 * m[CC_M_operands] / m[CC_M_unique_operands];
    m[CC_M_halstead_effort] = m[CC_M_halstead_difficulty] * m[CC_M_halstead_volume];
    cc_strmap_fini(&operators);
    cc_strmap_fini(&operands);
}

/* --- structure --- */

static void unfit(struct measure *x, enum cc_unfit kind, unsigned line, const char *detail)
{
    for (size_t i = 0; i < x->unfit.n; i++)
        if (x->unfit.v[i].kind == kind && strcmp(x->unfit.v[i].detail, detail) == 0)
            return;
    CC_VEC_PUSH(&x->unfit, (struct cc_unfit_reason){kind, line, cc_arena_strdup(x->arena, detail)});
}

static void count_call(struct measure *x, const struct cc_tree_node *n)
{
    x->m[CC_M_calls]++;
    const struct cc_decl *d = n->decl >= 0 ? &x->t->decls[n->decl] : NULL;
    if (!d || d->kind != CC_D_FUNCTION) {
        x->m[CC_M_indirect_calls]++;
        unfit(x, CC_UNFIT_INDIRECT_CALL, n->line, d ? d->name : "");
        return;
    }
    CC_VEC_PUSH(&x->calls,
                (struct cc_source_call){cc_arena_strdup(x->arena, d->usr), cc_arena_strdup(x->arena, d->name),
                                        n->line, d->in_system_header});
}

static void count_decl(struct measure *x, const struct cc_tree_node *n)
{
    if (n->decl < 0)
        return;
    const struct cc_decl *d = &x->t->decls[n->decl];
    double *m = x->m;
    m[CC_M_declarations]++;
    if (d->kind == CC_D_GLOBAL) /* extern inside a body */
        return;
    if (d->type.class == CC_T_ARRAY) {
        m[CC_M_local_arrays]++;
        m[CC_M_array_elements] += (double)d->type.elements;
        m[CC_M_array_bits] += (double)d->type.bits;
        if (d->type.variable)
            unfit(x, CC_UNFIT_ALLOCATION, n->line, "array of variable size");
        return;
    }
    m[CC_M_local_bits] += (double)d->type.bits;
    if (d->type.class == CC_T_RECORD)
        return;
    uint64_t bits = d->type.bits;
    m[CC_M_locals]++;
    if (d->type.class == CC_T_INT)
        m[bits <= 8    ? CC_M_locals_8
          : bits <= 16 ? CC_M_locals_16
          : bits <= 32 ? CC_M_locals_32
                       : CC_M_locals_64]++;
    else if (d->type.class == CC_T_FLOAT)
        m[bits <= 32 ? CC_M_locals_float : CC_M_locals_double]++;
    else if (d->type.class == CC_T_POINTER)
        m[CC_M_locals_pointer]++;
}

/* What a node of each kind counts for, and whether it decides; 1 + metric, 0 for none. */
static const struct {
    uint8_t metric;
    bool decides;
} counted[CC_N_LAST] = {
    [CC_N_IF] = {1 + CC_M_ifs, true},
    [CC_N_FOR] = {1 + CC_M_loops, false}, /* decides if it has a condition */
    [CC_N_WHILE] = {1 + CC_M_loops, true},
    [CC_N_DO] = {1 + CC_M_loops, true},
    [CC_N_SWITCH] = {1 + CC_M_switches, false}, /* its cases do */
    [CC_N_CASE] = {1 + CC_M_switch_arms, true},
    [CC_N_DEFAULT] = {1 + CC_M_switch_arms, false},
    [CC_N_SELECT] = {0, true},
    [CC_N_GOTO] = {1 + CC_M_gotos, false},
    [CC_N_BREAK] = {1 + CC_M_breaks, false},
    [CC_N_CONTINUE] = {1 + CC_M_breaks, false},
    [CC_N_RETURN] = {1 + CC_M_returns, false},
};

static void count_node(struct measure *x, uint32_t node)
{
    const struct cc_tree_node *n = at(x, node);
    double trips, *m = x->m;
    if (cc_tree_runs_once(x->t, n))
        return;
    if (counted[n->kind].metric)
        m[counted[n->kind].metric - 1]++;
    m[CC_M_cyclomatic] += counted[n->kind].decides;
    switch (n->kind) {
    case CC_N_FOR:
        m[CC_M_loops_constant] += cc_tree_trips(x->t, node, &trips);
        m[CC_M_cyclomatic] += second(x->t, n)->kind != CC_N_ABSENT;
        break;
    case CC_N_BINARY:
        if (n->op == CC_OP_LAND || n->op == CC_OP_LOR) {
            m[CC_M_logical_ops]++;
            m[CC_M_cyclomatic]++;
        }
        break;
    case CC_N_CALL:
        count_call(x, n);
        break;
    case CC_N_VAR:
        count_decl(x, n);
        break;
    default:
        break;
    }
}

/* do { … } while (0) is a block with another name. */
static bool is_loop(const struct cc_tree *t, const struct cc_tree_node *n)
{
    return n->kind == CC_N_FOR || n->kind == CC_N_WHILE || (n->kind == CC_N_DO && !cc_tree_runs_once(t, n));
}

static void walk(struct measure *x, uint32_t node, unsigned loops, unsigned nesting)
{
    const struct cc_tree_node *n = at(x, node);
    count_node(x, node);
    loops += is_loop(x->t, n);
    nesting += is_loop(x->t, n) || n->kind == CC_N_IF || n->kind == CC_N_SWITCH;
    x->m[CC_M_loop_depth] = fmax(x->m[CC_M_loop_depth], loops);
    x->m[CC_M_nesting] = fmax(x->m[CC_M_nesting], nesting);
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = at(x, c)->next) {
        double trips;
        if (n->kind == CC_N_COMPOUND && (at(x, c)->kind == CC_N_WHILE || at(x, c)->kind == CC_N_DO) &&
            !cc_tree_runs_once(x->t, at(x, c)))
            x->m[CC_M_loops_constant] += cc_tree_while_trips(x->t, n->child, c, &trips);
        /* "else if" is one level with the if it belongs to */
        bool chained = n->kind == CC_N_IF && at(x, c)->kind == CC_N_IF && at(x, c)->next == CC_NODE_NONE;
        walk(x, c, loops, nesting - chained);
    }
}

/* --- essential complexity --- */

enum { LEAVES_RETURN = 1, LEAVES_GOTO = 2, LEAVES_BREAK = 4, LEAVES_CONTINUE = 8, FALLS_THROUGH = 16 };

static double case_labels(const struct measure *x, uint32_t node)
{
    double n = at(x, node)->kind == CC_N_CASE;
    for (uint32_t c = at(x, node)->child; c != CC_NODE_NONE; c = at(x, c)->next)
        if (at(x, c)->kind != CC_N_SWITCH)
            n += case_labels(x, c);
    return n;
}

static unsigned essential(struct measure *x, uint32_t node);

static bool ends_arm(const struct cc_tree_node *n)
{
    return n->kind == CC_N_BREAK || n->kind == CC_N_RETURN || n->kind == CC_N_GOTO ||
           n->kind == CC_N_CONTINUE;
}

/* The statements of a switch's body; *open tells whether the arm so far runs on into the next label. */
static unsigned essential_arms(struct measure *x, uint32_t first, bool *open)
{
    unsigned how = 0;
    for (uint32_t c = first; c != CC_NODE_NONE; c = at(x, c)->next) {
        const struct cc_tree_node *n = at(x, c);
        while (n->kind == CC_N_CASE || n->kind == CC_N_DEFAULT) {
            how |= *open ? FALLS_THROUGH : 0;
            *open = false;
            uint32_t last = n->child;
            while (last != CC_NODE_NONE && at(x, last)->next != CC_NODE_NONE)
                last = at(x, last)->next;
            if (last == CC_NODE_NONE)
                break;
            n = at(x, last);
        }
        if (n->kind == CC_N_COMPOUND) {
            how |= essential_arms(x, n->child, open);
            continue;
        }
        if (n->kind != CC_N_BREAK)
            how |= essential(x, (uint32_t)(n - x->t->nodes));
        *open = !ends_arm(n);
    }
    return how;
}

static unsigned essential_switch(struct measure *x, const struct cc_tree_node *n)
{
    const struct cc_tree_node *body = second(x->t, n);
    bool open = false;
    unsigned how = body->kind == CC_N_COMPOUND ? essential_arms(x, body->child, &open) : 0;
    if (how)
        x->m[CC_M_essential] += case_labels(x, at(x, n->child)->next);
    return how & ~(unsigned)(LEAVES_BREAK | FALLS_THROUGH);
}

static unsigned essential(struct measure *x, uint32_t node)
{
    const struct cc_tree_node *n = at(x, node);
    unsigned how = 0;
    if (n->kind == CC_N_SWITCH)
        return essential_switch(x, n);
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = at(x, c)->next)
        how |= essential(x, c);
    switch (n->kind) {
    case CC_N_RETURN:
        return LEAVES_RETURN;
    case CC_N_GOTO:
    case CC_N_LABEL:
        return how | LEAVES_GOTO;
    case CC_N_BREAK:
        return LEAVES_BREAK;
    case CC_N_CONTINUE:
        return LEAVES_CONTINUE;
    case CC_N_IF:
        x->m[CC_M_essential] += how != 0;
        return how;
    case CC_N_FOR:
        x->m[CC_M_essential] += how != 0 && second(x->t, n)->kind != CC_N_ABSENT;
        return how & ~(unsigned)(LEAVES_BREAK | LEAVES_CONTINUE);
    case CC_N_WHILE:
    case CC_N_DO:
        x->m[CC_M_essential] += how != 0 && !cc_tree_runs_once(x->t, n);
        return how & ~(unsigned)(LEAVES_BREAK | LEAVES_CONTINUE);
    default:
        return how;
    }
}

/* --- paths --- */

/* Ways an expression adds: one for each &&, || and ?:. */
static double forks(const struct measure *x, uint32_t node)
{
    const struct cc_tree_node *n = at(x, node);
    double sum =
        n->kind == CC_N_SELECT || (n->kind == CC_N_BINARY && (n->op == CC_OP_LAND || n->op == CC_OP_LOR));
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = at(x, c)->next)
        sum += forks(x, c);
    return sum;
}

static double npath(const struct measure *x, uint32_t node);

static double npath_switch(const struct measure *x, const struct cc_tree_node *n)
{
    const struct cc_tree_node *body = second(x->t, n);
    double sum = forks(x, n->child), arm = 0;
    bool has_default = false;
    for (uint32_t c = body->kind == CC_N_COMPOUND ? body->child : CC_NODE_NONE; c != CC_NODE_NONE;
         c = at(x, c)->next) {
        const struct cc_tree_node *s = at(x, c);
        bool label = false;
        while ((s->kind == CC_N_CASE || s->kind == CC_N_DEFAULT) && s->child != CC_NODE_NONE) {
            has_default |= s->kind == CC_N_DEFAULT;
            label = true;
            uint32_t last = s->child;
            while (at(x, last)->next != CC_NODE_NONE)
                last = at(x, last)->next;
            s = at(x, last);
        }
        if (label) {
            sum += arm;
            arm = 1;
        }
        arm = fmin(arm * npath(x, (uint32_t)(s - x->t->nodes)), 1e18);
    }
    return sum + arm + !has_default;
}

static double npath(const struct measure *x, uint32_t node)
{
    const struct cc_tree_node *n = at(x, node);
    double product = 1, sum = 1;
    uint32_t c;
    switch (n->kind) {
    case CC_N_COMPOUND:
        for (c = n->child; c != CC_NODE_NONE; c = at(x, c)->next)
            product = fmin(product * npath(x, c), 1e18);
        return product;
    case CC_N_IF:
        c = at(x, n->child)->next;
        return fmin(forks(x, n->child) + npath(x, c) + npath(x, at(x, c)->next), 1e18);
    case CC_N_FOR:
        for (c = n->child; at(x, c)->next != CC_NODE_NONE; c = at(x, c)->next)
            sum += forks(x, c);
        return fmin(sum + npath(x, c), 1e18);
    case CC_N_WHILE:
        return fmin(1 + forks(x, n->child) + npath(x, at(x, n->child)->next), 1e18);
    case CC_N_DO:
        return fmin(!cc_tree_runs_once(x->t, n) + forks(x, at(x, n->child)->next) + npath(x, n->child), 1e18);
    case CC_N_SWITCH:
        return fmin(npath_switch(x, n), 1e18);
    case CC_N_LABEL:
        return n->child == CC_NODE_NONE ? 1 : npath(x, n->child);
    case CC_N_ABSENT:
        return 1;
    default:
        return fmin(1 + forks(x, node), 1e18);
    }
}

/* --- one function --- */

enum { POINTER_BITS = 64 };

static void measure_signature(struct measure *x)
{
    double *m = x->m;
    m[CC_M_lines] = x->t->last_line >= x->t->line ? x->t->last_line - x->t->line + 1 : 1;
    m[CC_M_parameters] = (double)x->t->nparams;
    for (size_t i = 0; i < x->t->nparams; i++) {
        const struct cc_ctype *type = &x->t->decls[i].type;
        bool array = type->class == CC_T_ARRAY; /* a pointer in C; what it points to has a size of its own */
        m[CC_M_parameter_bits] += array ? POINTER_BITS : (double)type->bits;
        m[CC_M_pointer_parameters] += array || type->class == CC_T_POINTER;
        m[CC_M_array_parameters] += array;
        m[CC_M_array_parameter_bits] += array ? (double)type->bits : 0;
    }
}

static void note_traits(struct measure *x)
{
    static const struct {
        enum cc_trait trait;
        enum cc_unfit kind;
        const char *detail;
    } table[] = {
        {CC_TRAIT_VARIADIC, CC_UNFIT_VARARGS, "variable arguments"},
        {CC_TRAIT_NEW, CC_UNFIT_ALLOCATION, "new"},
        {CC_TRAIT_THROW, CC_UNFIT_JUMP, "exception"},
        {CC_TRAIT_ASM, CC_UNFIT_ASM, ""},
        {CC_TRAIT_COMPUTED_GOTO, CC_UNFIT_JUMP, "computed goto"},
    };
    for (size_t i = 0; i < CC_COUNT(table); i++)
        if (x->t->trait_line[table[i].trait])
            unfit(x, table[i].kind, x->t->trait_line[table[i].trait], table[i].detail);
}

static double distinct_callees(const struct measure *x)
{
    struct cc_strmap names = {0};
    for (size_t i = 0; i < x->calls.n; i++)
        cc_strmap_put(&names, x->calls.v[i].usr, NULL);
    double n = (double)names.n;
    cc_strmap_fini(&names);
    return n;
}

static void *into_arena(struct cc_arena *arena, const void *v, size_t bytes)
{
    void *copy = cc_arena_alloc(arena, bytes + 1);
    if (bytes)
        memcpy(copy, v, bytes);
    return copy;
}

static void measure_body(struct measure *x)
{
    measure_signature(x);
    measure_tokens(x);
    x->m[CC_M_cyclomatic] = x->m[CC_M_essential] = 1;
    walk(x, x->t->body, 0, 0);
    essential(x, x->t->body);
    x->m[CC_M_npath] = npath(x, x->t->body);
    x->m[CC_M_fan_out] = distinct_callees(x);
    note_traits(x);
    struct cc_cfg cfg = {0};
    cc_lower(x->t, &cfg, x->m);
    x->f->untold = cfg.untold;
    if (!cc_flow_measure(x->t, &cfg, x->m)) {
        x->f->refused = "too large for the data-flow analysis";
        x->f->refused_line = x->t->line;
    }
    cc_cfg_fini(&cfg);
}

void cc_measure_function(const struct cc_tree *t, struct cc_arena *arena, struct cc_source_function *f)
{
    *f = (struct cc_source_function){.name = t->name, .usr = t->usr, .file = t->file, .line = t->line};
    f->last_line = t->last_line;
    f->refused = t->refused;
    f->refused_line = t->refused_line;
    if (t->refused)
        return;
    struct measure x = {.t = t, .arena = arena, .f = f, .m = f->m};
    measure_body(&x);
    f->ncalls = x.calls.n;
    f->calls = into_arena(arena, x.calls.v, x.calls.n * sizeof *x.calls.v);
    f->nunfit = x.unfit.n;
    f->unfit = into_arena(arena, x.unfit.v, x.unfit.n * sizeof *x.unfit.v);
    CC_VEC_FINI(&x.calls);
    CC_VEC_FINI(&x.unfit);
    cc_strmap_fini(&x.literals);
}
