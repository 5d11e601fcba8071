/* Loops as kernels: the metrics of a loop as if it were a function of what it takes from around it. */
#include "lower.h"
#include "measure.h"

enum { MOST_LOOPS = 256 };

struct outline {
    const struct cc_tree *t;
    bool *inside, *used; /* of each declaration: made in the loop, named in it */
    unsigned last;       /* line */
    unsigned jump;       /* line of a return or goto: 0 if there is none */
};

static void look(struct outline *o, uint32_t node)
{
    const struct cc_tree_node *n = &o->t->nodes[node];
    o->last = CC_MAX(o->last, n->line);
    if (n->kind == CC_N_VAR && n->decl >= 0)
        o->inside[n->decl] = true;
    if (n->kind == CC_N_REF && n->decl >= 0)
        o->used[n->decl] = true;
    if ((n->kind == CC_N_RETURN || n->kind == CC_N_GOTO) && !o->jump)
        o->jump = n->line;
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = o->t->nodes[c].next)
        look(o, c);
}

/* Variables of the function that the loop names would be its parameters. */
static void measure_signature(const struct outline *o, double m[CC_METRIC_COUNT])
{
    enum { POINTER_BITS = 64 };
    for (size_t i = 0; i < o->t->ndecls; i++) {
        const struct cc_decl *d = &o->t->decls[i];
        bool variable = d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM || d->kind == CC_D_STATIC;
        if (!variable || !o->used[i] || o->inside[i])
            continue;
        bool array = d->type.class == CC_T_ARRAY;
        m[CC_M_parameters]++;
        m[CC_M_parameter_bits] += array ? POINTER_BITS : (double)d->type.bits;
        m[CC_M_pointer_parameters] += array || d->type.class == CC_T_POINTER;
        m[CC_M_array_parameters] += array;
        m[CC_M_array_parameter_bits] += array ? (double)d->type.bits : 0;
    }
}

static void leaves_by(struct cc_source_function *f, unsigned line, struct cc_arena *arena)
{
    struct cc_unfit_reason *all = cc_arena_alloc(arena, (f->nunfit + 1) * sizeof *all);
    if (f->nunfit)
        memcpy(all, f->unfit, f->nunfit * sizeof *all);
    all[f->nunfit++] = (struct cc_unfit_reason){CC_UNFIT_JUMP, line, "leaves its function"};
    f->unfit = all;
}

static unsigned test_line(const struct cc_tree *t, const struct cc_tree_node *n)
{
    uint32_t test = n->kind == CC_N_WHILE ? n->child : t->nodes[n->child].next;
    return t->nodes[test].kind == CC_N_ABSENT ? n->line : t->nodes[test].line;
}

static void take_tokens(struct cc_tree *t, const struct cc_tree_node *n)
{
    while (t->ntokens && t->tokens->begin < n->begin) {
        t->tokens++;
        t->ntokens--;
    }
    while (t->ntokens && t->tokens[t->ntokens - 1].begin >= n->end)
        t->ntokens--;
}

static void measure_loop(const struct cc_tree *tree, uint32_t node, struct cc_arena *arena,
                         struct cc_source_function *f)
{
    const struct cc_tree_node *n = &tree->nodes[node];
    struct outline o = {.t = tree};
    o.inside = cc_alloc_array(tree->ndecls + 1, sizeof *o.inside);
    o.used = cc_alloc_array(tree->ndecls + 1, sizeof *o.used);
    look(&o, node);
    CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s:%u", tree->name, n->line);
    CC_CLEANUP(cc_free_ptr) char *usr = cc_asprintf("%s@%u", tree->usr, n->line);
    struct cc_tree t = *tree;
    t.name = cc_arena_strdup(arena, name);
    t.usr = cc_arena_strdup(arena, usr);
    t.body = node;
    t.nparams = 0;
    t.line = n->line;
    t.last_line = o.last;
    take_tokens(&t, n);
    for (int i = 0; i < CC_TRAIT_COUNT; i++)
        if (i == CC_TRAIT_VARIADIC || t.trait_line[i] < t.line || t.trait_line[i] > t.last_line)
            t.trait_line[i] = 0;
    cc_measure_function(&t, arena, f);
    f->of = tree->usr;
    f->test_line = test_line(tree, n);
    measure_signature(&o, f->m);
    if (o.jump)
        leaves_by(f, o.jump, arena);
    free(o.inside);
    free(o.used);
}

struct found {
    uint32_t node[MOST_LOOPS];
    size_t n;
};

static bool is_loop(const struct cc_tree *t, const struct cc_tree_node *n)
{
    return n->kind == CC_N_FOR || n->kind == CC_N_WHILE || (n->kind == CC_N_DO && !cc_tree_runs_once(t, n));
}

/* Of several on one line a recording knows one: the first. */
static void find(const struct cc_tree *t, uint32_t node, struct found *f)
{
    const struct cc_tree_node *n = &t->nodes[node];
    bool taken = !is_loop(t, n);
    for (size_t i = 0; i < f->n && !taken; i++)
        taken = t->nodes[f->node[i]].line == n->line;
    if (!taken && f->n < MOST_LOOPS)
        f->node[f->n++] = node;
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = t->nodes[c].next)
        find(t, c, f);
}

void cc_measure_loops(const struct cc_tree *t, void (*each)(void *data, const struct cc_source_function *f),
                      void *data)
{
    struct found *found = cc_alloc(sizeof *found);
    if (!t->refused)
        find(t, t->body, found);
    for (size_t i = 0; i < found->n; i++) {
        struct cc_arena arena = {0};
        struct cc_source_function f;
        measure_loop(t, found->node[i], &arena, &f);
        each(data, &f);
        cc_arena_fini(&arena);
    }
    free(found);
}
