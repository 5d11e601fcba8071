/* A function's tree as basic blocks of definitions and uses, with its operations counted by functional unit.
 */
#ifndef CC_ANALYSIS_METRICS_LOWER_H
#define CC_ANALYSIS_METRICS_LOWER_H

#include "metrics.h"
#include "tree.h"

struct cc_cfg_event {
    uint32_t var;  /* index of the declaration: a scalar local or parameter */
    uint32_t stmt; /* number of the statement in source order, from 1; parameters are defined at 0 */
    bool def;
};

struct cc_cfg_block {
    uint32_t first, count; /* events */
    uint32_t items;        /* expressions evaluated */
};

struct cc_cfg_edge {
    uint32_t from, to;
};

struct cc_cfg {
    CC_VEC(struct cc_cfg_event) events;
    CC_VEC(struct cc_cfg_block) blocks; /* 0 is the entry, 1 the exit */
    CC_VEC(struct cc_cfg_edge) edges;   /* an edge may stand twice: both ways of an empty if */
    unsigned untold;                    /* loops whose trips neither the text nor a recording tells */
};

enum { CC_CFG_ENTRY, CC_CFG_EXIT };

/* Adds to m the families operations, memory and graph, statements, and the globals read and written. */
void cc_lower(const struct cc_tree *tree, struct cc_cfg *cfg, double m[CC_METRIC_COUNT]);
void cc_cfg_fini(struct cc_cfg *cfg);

/* flow.c: blocks, edges, live variables, definitions and uses. False when the function is too large for it.
 */
bool cc_flow_measure(const struct cc_tree *tree, const struct cc_cfg *cfg, double m[CC_METRIC_COUNT]);
/* Whether the declaration is one that events speak of. */
bool cc_flow_tracks(const struct cc_decl *d);

/* The value of an integer constant expression made of literals, enumeration constants, constant variables and
 * sizeof. */
bool cc_tree_constant(const struct cc_tree *t, uint32_t node, int64_t *ret);
/* Trips of a for loop whose bounds and step are such constants; false otherwise. */
bool cc_tree_trips(const struct cc_tree *t, uint32_t loop, double *ret);
/* The same of a while or do loop: a local that starts at a constant in the statements from `before` (the
 * first of the same block) on, and whose only write in the body is the step. */
bool cc_tree_while_trips(const struct cc_tree *t, uint32_t before, uint32_t loop, double *ret);
/* What a recording says of the loop, 0 if nothing; `condition` is its test, CC_NODE_NONE or absent: none. */
double cc_tree_recorded_trips(const struct cc_tree *t, uint32_t loop, uint32_t condition, unsigned level);
/* do { … } while (0) */
bool cc_tree_runs_once(const struct cc_tree *t, const struct cc_tree_node *n);
/* The metric that counts calls of this function of math.h by its kind; CC_METRIC_COUNT if it is none. */
enum cc_metric cc_math_kind(const char *name);
/* A function of math.h, by name. */
bool cc_is_math(const char *name);

#endif
