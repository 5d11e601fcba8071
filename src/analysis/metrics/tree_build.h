/* Nodes of a tree under construction; for tree.c and tree_functions.c. */
#ifndef CC_ANALYSIS_METRICS_TREE_BUILD_H
#define CC_ANALYSIS_METRICS_TREE_BUILD_H

#include "clang_unit.h"

/* A list of children under construction. */
struct frame {
    struct parser *p;
    uint32_t first, last;
    size_t count;
};

void cc_tb_refuse(struct parser *p, const char *why, unsigned line);
uint32_t cc_tb_node(struct parser *p, enum cc_node_kind kind, uint32_t begin, uint32_t end);
void cc_tb_append(struct frame *f, uint32_t node);
uint32_t cc_tb_build(struct parser *p, CXCursor c);
struct frame cc_tb_children(struct parser *p, CXCursor c); /* but for declarations other than variables */

/* tree_functions.c: every function below a cursor; forgets the last one. */
enum CXChildVisitResult cc_tb_visit_top(CXCursor c, CXCursor parent, CXClientData data);
void cc_tb_reset(struct parser *p);

#endif
