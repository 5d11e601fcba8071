/* Statements that call functions of the program, one after the other: which could be tasks, as far as the
 * source tells. */
#ifndef CC_ANALYSIS_PATCH_CALLS_H
#define CC_ANALYSIS_PATCH_CALLS_H

#include "../../base/arena.h"
#include "../../base/base.h"

#include <stdio.h>

struct cc_patch_call { /* a statement of a block */
    unsigned line, last_line;
    const char *callee;   /* of the first call in it to a function of the program */
    const char *declares; /* the variable that it declares and sets; NULL: none */
    bool task;            /* one call, and no jump: could be a task */
    bool last; /* nothing follows it in the function, whose variables nobody else can have an address of */
    CC_VEC(const char *) shared; /* variables of the function that a task must not have a copy of */
    /* The call as it stands, if the statement has several of them in its expression: then its neighbours are
     * the others, of the same lines. NULL: it is all of the statement. */
    const char *inner;
    unsigned together; /* calls of the program in that expression */
};

struct cc_patch_calls { /* that follow each other and whose own code does not need each other's */
    const char *function, *file;
    unsigned first_line, last_line; /* of the function */
    CC_VEC(struct cc_patch_call) v;
};

struct cc_tree;
void cc_patch_calls_write(const struct cc_tree *t, FILE *out);

struct cc_patch_calls_list {
    CC_VEC(struct cc_patch_calls) v;
};
/* A line of what was written; whether it was understood. */
bool cc_patch_calls_add(struct cc_patch_calls_list *l, char **x, size_t n, struct cc_arena *arena);
void cc_patch_calls_fini(struct cc_patch_calls_list *l);
/* What was added after the first `known` and is there already, goes. */
void cc_patch_calls_drop(struct cc_patch_calls_list *l, size_t known);

#endif
