/* What the source says of its `for` loops that a directive in front of them has to know. */
#ifndef CC_ANALYSIS_PATCH_FACTS_H
#define CC_ANALYSIS_PATCH_FACTS_H

#include "calls.h"
#include "../../base/arena.h"
#include "../../base/err.h"

#include <stdio.h>

struct cc_patch_update { /* `a[k] += x;`, a statement of its own */
    unsigned line;
    const char *name; /* of the array or pointer */
    const char *text; /* the statement as it stands, blanks as one */
};

struct cc_patch_array { /* that the loop mentions */
    const char *name;
    uint64_t bytes, elements; /* 0: unknown */
};

/* Whose globals code may use: its own, and those of what it calls. */
struct cc_patch_uses {
    CC_VEC(const char *) globals; /* that it mentions */
    CC_VEC(const char *) callees; /* functions of the program */
    CC_VEC(struct cc_patch_update)
    changes;      /* of functions: globals that become something of what they were */
    bool unknown; /* it also calls through pointers */
};

struct cc_patch_function {
    const char *name;
    struct cc_patch_uses uses;
};

struct cc_patch_loop {
    const char *file, *function;
    unsigned line, last_line;
    const char *counter;   /* NULL: none */
    const char *malformed; /* why OpenMP does not take its head; NULL: it does */
    bool counts, descends; /* its counter is an integer; it goes down */
    bool leads;            /* it is the first thing in its line, also if a macro has written it */
    bool counter_after;    /* what the counter is at the end is read */
    unsigned inner;        /* line of the loop that is all of its body; 0: there is more in it, or no loop */
    bool rectangular;      /* the inner loop's head does not depend on this one */
    const char *inner_counter;
    bool inner_after;   /* the same of the inner counter; only if it was declared outside */
    const char *begins; /* the assignment its head begins with, if that can stand in front of it; NULL */
    bool always;        /* it has an iteration, whatever the input */
    const char *runs;   /* that it has an iteration at all, as an expression: "0 < n"; NULL: not known */
    struct cc_patch_uses uses;
    CC_VEC(const char *) integers; /* variables, or arrays of them, that it mentions whose sums are exact */
    CC_VEC(const char *) records;  /* structs, and arrays of them, that it mentions */
    CC_VEC(const char *) open;     /* variables whose type a template leaves open */
    CC_VEC(const char *) pointers; /* variables that point somewhere; an object's own numbers do not */
    CC_VEC(const char *) truths;   /* variables that never hold anything but 0 and 1 */
    CC_VEC(const char *) valued;   /* variables that have a value when the loop begins, by the source */
    CC_VEC(const char *) members;  /* static ones of a class: OpenMP shares them always */
    CC_VEC(const char *) tangled;  /* arrays that it changes in ways no `omp atomic` takes */
    CC_VEC(struct cc_patch_update) updates;
    CC_VEC(struct cc_patch_update)
    parts;                               /* the same of members of structs, and their elements, that nothing
                                            else mentions; names tell them apart */
    CC_VEC(struct cc_patch_update) sums; /* the same of variables: `n += x;` */
    CC_VEC(const char *) knotted;        /* variables that it changes in other ways */
    CC_VEC(struct cc_patch_array) arrays;
    CC_VEC(struct cc_patch_array) lengths; /* parameters that are declared as arrays of numbers */
};

struct cc_patch_facts {
    CC_VEC(struct cc_patch_loop) v; /* in the order of the source, outer ones first */
    CC_VEC(struct cc_patch_function) functions;
    struct cc_patch_calls_list calls;
    struct cc_arena arena;
};

/* Parses the unit (cc_source_unit of the metrics room) and writes what it finds, for cc_patch_facts_add; in a
 * process of its own, like cc_source_loops_write. */
struct cc_source_unit;
void cc_patch_facts_write(const struct cc_source_unit *unit, FILE *out);
/* The same of one function, by whoever parses; `out` is a FILE. */
struct cc_tree;
void cc_patch_facts_tell(void *out, const struct cc_tree *t);

struct cc_patch_facts *cc_patch_facts_new(void);
void cc_patch_facts_free(struct cc_patch_facts *f);
/* What cc_patch_facts_write wrote; lines that make no sense end it. */
void cc_patch_facts_add(struct cc_patch_facts *f, const char *bytes, size_t size);

/* Whether a function that the loop calls, or that such a one calls, may use the global; of what is not known
 * the worst is taken. */
bool cc_patch_called_uses(const struct cc_patch_facts *f, const struct cc_patch_loop *l, const char *global);

/* A global that a function which the loop calls, or that such a one calls, counts up or changes otherwise
 * from what it was: where, and in which function; NULL: none. */
const struct cc_patch_update *cc_patch_called_changes(const struct cc_patch_facts *f,
                                                      const struct cc_patch_loop *l,
                                                      const char **ret_function);

/* The loop whose `for` stands in this line; of several, the nth from 0. NULL: there is none. */
const struct cc_patch_loop *cc_patch_find(const struct cc_patch_facts *f, const char *file, unsigned line,
                                          unsigned nth);

#endif
