/* Subscripts as sums of products, with what the heads of loops say of the counters in them; for
 * proof.c. Values are whole numbers without overflow, as C has it for subscripts. */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_FORM_H
#define CC_ANALYSIS_LOOPS_SOURCE_FORM_H

#include "scan.h"

enum { FORM_TERMS = 12, FORM_DEGREE = 3 };
/* A symbol is a variable, or an atom by its number; of the other side of a comparison, another one. */
enum { FORM_ATOM = 1 << 29, FORM_SIDE = 1 << 30 };

struct form_term {
    long factor;
    uint32_t symbols[FORM_DEGREE]; /* in rising order */
    unsigned degree;
};

struct form {
    bool known;
    unsigned n;
    struct form_term v[FORM_TERMS];
};

struct form_atom { /* what does not change in the loop and is not looked into: n / 2; and rests of counters,
                      of which each iteration has its own */
    uint32_t node;
};

struct forms {
    const struct scan *scan;
    int32_t counter; /* of the loop */
    bool second;     /* of two bounds that both hold, as of `a < b ? a : b`, the second one is taken */
    bool trusting;  /* variables of the file that nothing in the loop sets by name stay as they are: runs show
                       it */
    bool moving;    /* rests of counters are atoms, too */
    unsigned depth; /* bounds that are being looked for */
    CC_VEC(struct form_atom) atoms;
};

/* Two iterations are compared: what changes has another symbol in the other one. */
enum form_side { FORM_ONE, FORM_OTHER };

struct form cc_form_of(struct forms *f, uint32_t n, enum form_side side);
struct form cc_form_number(long value);
/* a + factor * b */
struct form cc_form_add(struct form a, struct form b, long factor);
uint32_t cc_form_counter(const struct forms *f, enum form_side side);
/* Whether it is nothing but a number. */
bool cc_form_is_number(const struct form *a, long *ret);
/* Whether it is what one sum leaves less what another leaves, both divided by the same number (`t & 1` less
 * `(t + 1) & 1`); the two sums, and that number. */
bool cc_form_rests(struct forms *f, const struct form *difference, struct form ret[2], long *by);
/* Whether it is what `e ^ 1`, or another number, or `!e` have from e: never nothing. */
bool cc_form_turned(struct forms *f, const struct form *difference);
/* Whether it is never nothing, since, divided by the step of a loop around one of the places (nodes, of one
 * iteration and the other), it always leaves something: the places of one colour of a grid. */
bool cc_form_leaves(struct forms *f, const struct form *difference, const uint32_t places[2]);
/* Whether it is `least` or more wherever the two places (nodes, of one iteration and the other) run. */
bool cc_form_at_least(struct forms *f, struct form a, long least, const uint32_t places[2]);
struct form_range { /* both ends are in it; an end that is not `known` is open */
    struct form low, high;
};
/* What the head of a `for` says of its counter, wherever its body runs. */
struct form_range cc_form_range(struct forms *f, uint32_t loop, int32_t counter, enum form_side side);
/* A whole number, which may stand in parentheses; what a `for` sets its counter to, CC_NODE_NONE: nothing; a
 * conversion that could cut something off. */
bool cc_form_literal(const struct cc_tree *t, uint32_t n, long *ret);
uint32_t cc_form_start(const struct cc_tree *t, uint32_t loop, int32_t counter);
bool cc_form_narrows(const struct cc_tree *t, uint32_t n);
/* By what the loop's counter goes on; 0: unknown. */
long cc_form_step(const struct cc_tree *t, uint32_t loop);

/* stands.c: what the variable stands for where it is used (`int b = i + j;`, `b = i + j;`), CC_NODE_NONE:
 * itself; false: nobody knows, since what it was made of has changed. */
bool cc_stands_for(const struct forms *f, int32_t decl, uint32_t use, uint32_t *ret);
/* Whether whole numbers of the file, or an array of them, are the same as long as this loop runs: nothing in
 * it sets them by name, calls anybody, or writes whole numbers by a pointer. */
bool cc_stands_at_file(const struct forms *f, int32_t decl, uint32_t loop);

#endif
