#include "lower_priv.h"

#include <math.h>

enum { UNKNOWN_TRIPS = 10, NO_BLOCK = -1 };

/* --- control-flow graph --- */

int32_t cc_lower_block(struct lower *l)
{
    CC_VEC_PUSH(&l->cfg->blocks, (struct cc_cfg_block){0});
    return (int32_t)l->cfg->blocks.n - 1;
}

void cc_lower_edge(struct lower *l, int32_t from, int32_t to)
{
    if (from != NO_BLOCK)
        CC_VEC_PUSH(&l->cfg->edges, (struct cc_cfg_edge){(uint32_t)from, (uint32_t)to});
}

void cc_lower_enter(struct lower *l, int32_t block)
{
    l->cur = block;
    l->cfg->blocks.v[block].first = (uint32_t)l->cfg->events.n;
}

/* Control goes on in `block`, which starts a new straight-line region. */
static void enter_region(struct lower *l, int32_t block)
{
    cc_lower_enter(l, block);
    l->region++;
    l->region_accesses = 0;
}

static struct cc_cfg_block *current(struct lower *l)
{
    if (l->cur == NO_BLOCK) /* code no path leads to */
        enter_region(l, cc_lower_block(l));
    return &l->cfg->blocks.v[l->cur];
}

void cc_lower_item(struct lower *l)
{
    current(l)->items++;
}

static uint32_t begin(struct lower *l)
{
    return l->here = ++l->stmt;
}

bool cc_flow_tracks(const struct cc_decl *d)
{
    return (d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM || d->kind == CC_D_STATIC) &&
           (d->type.class == CC_T_INT || d->type.class == CC_T_FLOAT || d->type.class == CC_T_POINTER);
}

void cc_lower_event(struct lower *l, int32_t var, bool def)
{
    if (var < 0 || !cc_flow_tracks(&l->t->decls[var]))
        return;
    struct cc_cfg_block *b = current(l);
    CC_VEC_PUSH(&l->cfg->events, (struct cc_cfg_event){(uint32_t)var, l->here, def});
    b->count++;
}

/* --- statements --- */

static void expression_statement(struct lower *l, uint32_t node)
{
    if (cc_lower_at(l, node)->kind == CC_N_ABSENT)
        return;
    cc_lower_eval(l, node);
    cc_lower_item(l);
}

static void declare(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    if (n->kind != CC_N_VAR) {
        expression_statement(l, node);
        return;
    }
    if (n->child == CC_NODE_NONE || n->decl < 0 || l->t->decls[n->decl].kind != CC_D_LOCAL)
        return; /* a static's initialiser is part of the circuit, not of the run */
    begin(l);
    struct val v = cc_lower_eval(l, n->child);
    cc_lower_item(l);
    cc_lower_initialise(l, n->decl, n->child, v);
}

static void lower_if(struct lower *l, const struct cc_tree_node *n)
{
    uint32_t then = cc_lower_at(l, n->child)->next, other = cc_lower_at(l, then)->next;
    begin(l);
    expression_statement(l, n->child);
    int32_t head = l->cur, yes = cc_lower_block(l), join;
    cc_lower_edge(l, head, yes);
    enter_region(l, yes);
    cc_lower_statement(l, then);
    int32_t end = l->cur;
    join = cc_lower_block(l);
    if (cc_lower_at(l, other)->kind != CC_N_ABSENT) {
        int32_t no = cc_lower_block(l);
        cc_lower_edge(l, head, no);
        enter_region(l, no);
        cc_lower_statement(l, other);
        cc_lower_edge(l, l->cur, join);
    } else {
        cc_lower_edge(l, head, join);
    }
    cc_lower_edge(l, end, join);
    enter_region(l, join);
}

static void body_of_loop(struct lower *l, uint32_t body, int32_t on_break, int32_t on_continue)
{
    CC_VEC_PUSH(&l->targets, (struct target){on_break, on_continue});
    cc_lower_statement(l, body);
    cc_lower_edge(l, l->cur, on_continue);
    l->targets.n--;
}

/* Loops shorter than this inside others are unrolled by hardware compilers unasked. */
enum { SHORT_LOOP = 64 };

/* Of a loop on that line: how many around it stand there too. */
static unsigned level_at(const struct lower *l, unsigned line)
{
    return l->depth && l->loop_line == line ? l->level + 1 : 0;
}

/* What is so outside a loop. */
struct around {
    double trips, unrolled;
    unsigned loop_line, level;
};

static struct around enter_loop(struct lower *l, unsigned line, double trips, bool known)
{
    struct around around = {l->trips, l->unrolled, l->loop_line, l->level};
    l->trips = fmin(l->trips * trips, 1e18);
    if (known && trips < SHORT_LOOP && l->depth > 0)
        l->unrolled = fmin(l->unrolled * trips, 1e18);
    l->level = level_at(l, line);
    l->loop_line = line;
    l->depth++;
    return around;
}

static void leave_loop(struct lower *l, const struct around *around)
{
    l->trips = around->trips;
    l->unrolled = around->unrolled;
    l->loop_line = around->loop_line;
    l->level = around->level;
    l->depth--;
}

/* The trips of a loop: what its text says, else what a recording says, else a guess. */
static double trips_of(struct lower *l, uint32_t node, uint32_t condition, bool known, double told)
{
    if (known)
        return told;
    double recorded = cc_tree_recorded_trips(l->t, node, condition, level_at(l, cc_lower_at(l, node)->line));
    l->cfg->untold += recorded == 0;
    return recorded > 0 ? recorded : UNKNOWN_TRIPS;
}

struct loop {
    uint32_t number, condition, step, body; /* statement; nodes, step may be CC_NODE_NONE */
    unsigned line;
    double trips;
    bool known;
};

/* for and while: test in front; body and step go back to it. */
static void lower_loop(struct lower *l, const struct loop *loop)
{
    uint32_t number = loop->number, condition = loop->condition, step_node = loop->step;
    int32_t test = cc_lower_block(l), after = cc_lower_block(l), top = cc_lower_block(l);
    int32_t next = step_node == CC_NODE_NONE ? test : cc_lower_block(l);
    cc_lower_edge(l, l->cur, test);
    struct around around = enter_loop(l, loop->line, loop->trips, loop->known);
    enter_region(l, test);
    l->here = number;
    expression_statement(l, condition);
    cc_lower_edge(l, l->cur, top);
    if (cc_lower_at(l, condition)->kind != CC_N_ABSENT)
        cc_lower_edge(l, l->cur, after);
    enter_region(l, top);
    body_of_loop(l, loop->body, after, next);
    if (step_node != CC_NODE_NONE) {
        enter_region(l, next);
        l->here = number;
        expression_statement(l, step_node);
        cc_lower_edge(l, l->cur, test);
    }
    leave_loop(l, &around);
    enter_region(l, after);
}

static void lower_for(struct lower *l, uint32_t node)
{
    uint32_t init = cc_lower_at(l, node)->child, condition = cc_lower_at(l, init)->next;
    uint32_t step_node = cc_lower_at(l, condition)->next, body = cc_lower_at(l, step_node)->next;
    double trips = 0;
    bool known = cc_tree_trips(l->t, node, &trips);
    trips = trips_of(l, node, condition, known, trips);
    uint32_t number = begin(l);
    if (cc_lower_at(l, init)->kind == CC_N_DECL)
        cc_lower_statement(l, init);
    else
        expression_statement(l, init);
    if (cc_lower_at(l, step_node)->kind == CC_N_ABSENT)
        step_node = CC_NODE_NONE;
    lower_loop(l,
               &(struct loop){number, condition, step_node, body, cc_lower_at(l, node)->line, trips, known});
}

/* do { … } while (0): a block that break and continue leave. */
static void lower_once(struct lower *l, const struct cc_tree_node *n)
{
    begin(l);
    int32_t after = cc_lower_block(l);
    body_of_loop(l, n->child, after, after);
    enter_region(l, after);
}

static void lower_do(struct lower *l, const struct cc_tree_node *n)
{
    uint32_t condition = cc_lower_at(l, n->child)->next;
    double trips = 0;
    uint32_t node = (uint32_t)(n - l->t->nodes);
    bool known = cc_tree_while_trips(l->t, l->block, node, &trips);
    trips = trips_of(l, node, condition, known, trips);
    uint32_t number = begin(l);
    int32_t top = cc_lower_block(l), test = cc_lower_block(l), after = cc_lower_block(l);
    cc_lower_edge(l, l->cur, top);
    struct around around = enter_loop(l, n->line, trips, known);
    enter_region(l, top);
    body_of_loop(l, n->child, after, test);
    enter_region(l, test);
    l->here = number;
    expression_statement(l, condition);
    cc_lower_edge(l, l->cur, top);
    cc_lower_edge(l, l->cur, after);
    leave_loop(l, &around);
    enter_region(l, after);
}

static void lower_switch(struct lower *l, const struct cc_tree_node *n)
{
    uint32_t body = cc_lower_at(l, n->child)->next;
    int32_t outer_head = l->switch_head;
    bool outer_default = l->switch_default;
    begin(l);
    expression_statement(l, n->child);
    current(l);
    int32_t after = cc_lower_block(l);
    l->switch_head = l->cur;
    l->switch_default = false;
    CC_VEC_PUSH(&l->targets,
                (struct target){after, l->targets.n ? l->targets.v[l->targets.n - 1].on_continue : after});
    l->cur = NO_BLOCK;
    cc_lower_statement(l, body);
    cc_lower_edge(l, l->cur, after);
    if (!l->switch_default)
        cc_lower_edge(l, l->switch_head, after);
    l->targets.n--;
    l->switch_head = outer_head;
    l->switch_default = outer_default;
    enter_region(l, after);
}

static void lower_arm(struct lower *l, const struct cc_tree_node *n)
{
    int32_t block = cc_lower_block(l);
    cc_lower_edge(l, l->cur, block);
    cc_lower_edge(l, l->switch_head, block);
    l->switch_default |= n->kind == CC_N_DEFAULT;
    enter_region(l, block);
    uint32_t last = n->child;
    while (last != CC_NODE_NONE && cc_lower_at(l, last)->next != CC_NODE_NONE)
        last = cc_lower_at(l, last)->next;
    if (last != CC_NODE_NONE)
        cc_lower_statement(l, last);
}

static int32_t label_block(struct lower *l, int32_t label)
{
    if (l->label_block[label] == NO_BLOCK)
        l->label_block[label] = cc_lower_block(l);
    return l->label_block[label];
}

static void lower_jump(struct lower *l, const struct cc_tree_node *n)
{
    begin(l);
    current(l);
    if (n->kind == CC_N_RETURN || n->kind == CC_N_GOTO) {
        if (n->child != CC_NODE_NONE)
            expression_statement(l, n->child);
    }
    if (n->kind == CC_N_RETURN) {
        cc_lower_edge(l, l->cur, CC_CFG_EXIT);
    } else if (n->kind == CC_N_GOTO && n->decl >= 0) {
        cc_lower_edge(l, l->cur, label_block(l, n->decl));
    } else if (n->kind == CC_N_GOTO) { /* computed: may go to any label */
        for (size_t i = 0; i < l->t->nnodes; i++)
            if (l->t->nodes[i].kind == CC_N_LABEL)
                cc_lower_edge(l, l->cur, label_block(l, l->t->nodes[i].decl));
    } else if (l->targets.n) {
        const struct target *t = &l->targets.v[l->targets.n - 1];
        cc_lower_edge(l, l->cur, n->kind == CC_N_BREAK ? t->on_break : t->on_continue);
    }
    l->cur = NO_BLOCK;
}

static void lower_label(struct lower *l, const struct cc_tree_node *n)
{
    cc_lower_edge(l, l->cur, label_block(l, n->decl));
    enter_region(l, l->label_block[n->decl]);
    if (n->child != CC_NODE_NONE)
        cc_lower_statement(l, n->child);
}

static void lower_asm(struct lower *l, const struct cc_tree_node *n)
{
    begin(l);
    cc_lower_eval_all(l, n->child);
    cc_lower_item(l);
}

static void lower_each(struct lower *l, const struct cc_tree_node *n, void (*one)(struct lower *, uint32_t))
{
    for (uint32_t c = n->child; c != CC_NODE_NONE; c = cc_lower_at(l, c)->next)
        one(l, c);
}

static void lower_block(struct lower *l, const struct cc_tree_node *n)
{
    uint32_t outer = l->block;
    l->block = n->child;
    lower_each(l, n, cc_lower_statement);
    l->block = outer;
}

static void lower_while(struct lower *l, uint32_t node)
{
    uint32_t condition = cc_lower_at(l, node)->child;
    double trips = 0;
    bool known = cc_tree_while_trips(l->t, l->block, node, &trips);
    trips = trips_of(l, node, condition, known, trips);
    uint32_t number = begin(l);
    lower_loop(l, &(struct loop){number, condition, CC_NODE_NONE, cc_lower_at(l, condition)->next,
                                 cc_lower_at(l, node)->line, trips, known});
}

void cc_lower_statement(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    switch (n->kind) {
    case CC_N_ABSENT:
    case CC_N_NULL:
        return;
    case CC_N_COMPOUND:
    case CC_N_STMT_EXPR:
        lower_block(l, n);
        return;
    case CC_N_DECL:
        lower_each(l, n, declare);
        return;
    case CC_N_VAR:
        declare(l, node);
        return;
    case CC_N_IF:
        lower_if(l, n);
        return;
    case CC_N_FOR:
        lower_for(l, node);
        return;
    case CC_N_WHILE:
        lower_while(l, node);
        return;
    case CC_N_DO:
        if (cc_tree_runs_once(l->t, n))
            lower_once(l, n);
        else
            lower_do(l, n);
        return;
    case CC_N_SWITCH:
        lower_switch(l, n);
        return;
    case CC_N_CASE:
    case CC_N_DEFAULT:
        lower_arm(l, n);
        return;
    case CC_N_LABEL:
        lower_label(l, n);
        return;
    case CC_N_BREAK:
    case CC_N_CONTINUE:
    case CC_N_RETURN:
    case CC_N_GOTO:
        lower_jump(l, n);
        return;
    case CC_N_ASM:
        lower_asm(l, n);
        return;
    default:
        begin(l);
        expression_statement(l, node);
    }
}

void cc_lower(const struct cc_tree *tree, struct cc_cfg *cfg, double m[CC_METRIC_COUNT])
{
    struct lower l = {.t = tree,
                      .cfg = cfg,
                      .m = m,
                      .region = 1,
                      .trips = 1,
                      .unrolled = 1,
                      .block = CC_NODE_NONE,
                      .switch_head = NO_BLOCK};
    l.states = cc_alloc_array(tree->ndecls + 1, sizeof *l.states);
    l.label_block = cc_alloc_array(tree->ndecls + 1, sizeof *l.label_block);
    for (size_t i = 0; i <= tree->ndecls; i++)
        l.label_block[i] = NO_BLOCK;
    cc_lower_block(&l);
    cc_lower_block(&l);
    l.cur = CC_CFG_ENTRY;
    for (size_t i = 0; i < tree->nparams; i++)
        cc_lower_event(&l, (int32_t)i, true);
    cc_lower_statement(&l, tree->body);
    cc_lower_edge(&l, l.cur, CC_CFG_EXIT);
    m[CC_M_statements] = l.stmt;
    double steps = m[CC_M_operations] + m[CC_M_loads] + m[CC_M_stores];
    m[CC_M_parallelism] = m[CC_M_critical_path] > 0 ? steps / m[CC_M_critical_path] : 0;
    CC_VEC_FINI(&l.targets);
    free(l.states);
    free(l.label_block);
}

void cc_cfg_fini(struct cc_cfg *cfg)
{
    CC_VEC_FINI(&cfg->events);
    CC_VEC_FINI(&cfg->blocks);
    CC_VEC_FINI(&cfg->edges);
}
