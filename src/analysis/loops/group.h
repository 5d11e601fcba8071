/* Which of the binary's loops are one loop of the source; for loops.c. */
#ifndef CC_ANALYSIS_LOOPS_GROUP_H
#define CC_ANALYSIS_LOOPS_GROUP_H

#include "loops.h"

struct group {
    const struct cc_profile *p;
    CC_VEC(uint32_t) members;            /* loops of the profile */
    const struct cc_source_loop *source; /* NULL: not found */
    bool lost;                           /* another has the statement that some member seems to be of */
    const char *file;                    /* NULL: unknown */
    unsigned line, level;                /* level: how many of the same line are around it */
};

struct groups {
    const struct cc_profile *p;
    CC_VEC(struct group) v;
    uint32_t *of;     /* by loop of the profile */
    uint32_t *parent; /* by group; CC_NONE: none */
};

void cc_loop_groups(const struct cc_profile *p, const struct cc_source_loops *sources, struct groups *ret);
/* How many loops of the profile around this one, in its function, are of the same line. */
unsigned cc_loop_level(const struct cc_profile *p, uint32_t loop);
/* Whether they are one statement: of one of them a copy may be known that says more. */
bool cc_loop_same_statement(const struct cc_source_loop *a, const struct cc_source_loop *b);
/* Whether a statement lies in another, by their lines and, in one line, by the text. */
bool cc_loop_inside(const struct cc_source_loop *a, const struct cc_source_loop *b);
/* Whether a place of memory bears that name, alone or with others: "a / b". */
bool cc_loop_named(const char *place, const char *name);
/* The first of the names in `rest`, cut off from it; NULL: there is none left. */
char *cc_loop_next_name(char **rest);
void cc_loop_groups_fini(struct groups *g);
/* Name, place, parent (an index into groups) and figures of a group. */
void cc_loop_sum(const struct groups *g, size_t at, struct cc_loop *ret, struct cc_arena *arena);

#endif
