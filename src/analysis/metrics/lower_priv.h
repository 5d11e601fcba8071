/* A function on its way from a tree to basic blocks: for lower.c (graph, statements) and expression.c. */
#ifndef CC_ANALYSIS_METRICS_LOWER_PRIV_H
#define CC_ANALYSIS_METRICS_LOWER_PRIV_H

#include "lower.h"

/* When a value is ready, counted from the start of its straight-line region. */
struct val {
    double depth, latency;
};

struct state { /* of a declaration, valid while `region` is the current one */
    uint32_t region;
    struct val ready; /* value of a register; last store to a memory */
    double accesses;
    bool read, written, memory;
};

struct target { /* of break and continue */
    int32_t on_break, on_continue;
};

struct lower {
    const struct cc_tree *t;
    struct cc_cfg *cfg;
    double *m;
    int32_t cur;
    uint32_t region, stmt, here; /* statements so far; the one being evaluated */
    double region_accesses, trips;
    double unrolled;      /* trips of the short loops inside others, among those */
    unsigned depth;       /* loops around */
    unsigned loop_line;   /* of the nearest of them ... */
    unsigned level;       /* ... and how many more stand on that line */
    uint32_t block;       /* first statement of the block around */
    struct state *states; /* one a declaration, and one for unknown memory at the end */
    int32_t *label_block;
    CC_VEC(struct target) targets;
    int32_t switch_head;
    bool switch_default;
};

static inline const struct cc_tree_node *cc_lower_at(const struct lower *l, uint32_t node)
{
    return &l->t->nodes[node];
}

/* lower.c */
int32_t cc_lower_block(struct lower *l);
void cc_lower_edge(struct lower *l, int32_t from, int32_t to);
void cc_lower_enter(struct lower *l, int32_t block);
/* The current block evaluates something. */
void cc_lower_item(struct lower *l);
/* A definition or a use of the variable, if it is one that cc_flow_tracks. */
void cc_lower_event(struct lower *l, int32_t var, bool def);
void cc_lower_statement(struct lower *l, uint32_t node);

/* expression.c */
struct val cc_lower_eval(struct lower *l, uint32_t node);
struct val cc_lower_eval_all(struct lower *l, uint32_t first);
/* A local variable gets the value of its initialiser. */
void cc_lower_initialise(struct lower *l, int32_t decl, uint32_t initialiser, struct val v);

#endif
