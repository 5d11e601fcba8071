/* The walk through one loop of the source; for source.c. */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_SCAN_H
#define CC_ANALYSIS_LOOPS_SOURCE_SCAN_H

#include "source.h"
#include "../../metrics/tree.h"

enum { SCAN_DEPTH = 2000 }; /* nested deeper, source is not looked at */

struct scan_variable {
    unsigned mentions;
    unsigned updates, steps; /* steps: that are made in every iteration, by the same */
    unsigned accounted;      /* by updates with one op: mentions */
    unsigned sets;           /* that only set it to the truth value `set` */
    int set;
    const char *op;
    bool mixed;           /* several operators */
    bool address, inside; /* its address is taken; it is declared in the loop */
    unsigned addresses;   /* mentions that do */
    bool bare;            /* read where neither this iteration nor whoever has the address need have set it */
    bool lent;            /* calls set it by its address, and keep nothing of that */
    bool handed;          /* its address is passed on where only some ways here have set it */
    bool early;           /* its address is passed on before each way here has set it by name */
    bool counts;          /* a loop inside counts with it */
    bool unset;           /* it is declared in the loop, and nothing says what it holds then */
    bool blank;           /* the same, of an array or a struct */
    bool object;          /* of a class, and assigned as a whole */
    bool starts_anew;     /* the least or greatest of floats, of which a NaN takes the place */
    bool skipped;         /* some `continue` is reached without its having been assigned */
    unsigned exposed_line,
        write_line; /* first read that this iteration need not have assigned; first write */
};

struct scan_field { /* a piece of the source */
    const char *name;
    size_t size;
};

struct scan_array {
    int32_t decl;
    struct scan_field field;
    uint32_t first; /* the node of its first access */
    unsigned accesses, accounted;
    unsigned updates; /* writes that combine what is there with something */
    const char *op;
    bool mixed, alike, passed;
    bool passed_on;          /* not only to memset or memcpy, which set it from end to end */
    bool whole;              /* records or arrays are accessed, not what they consist of */
    bool exposed;            /* its first access is a read */
    CC_VEC(uint32_t) all;    /* nodes: each access */
    CC_VEC(uint32_t) writes; /* nodes */
    unsigned again; /* of the first of these, a bit each: the iteration has written that element before */
    CC_VEC(uint32_t) looks;          /* nodes that read it and are no part of an update */
    unsigned reads[CC_SOURCE_READS]; /* lines */
    CC_VEC(uint32_t) asked;          /* nodes whose loads the binary has to have: each text of a line once */
    CC_VEC(uint32_t) vouch;          /* nodes whose loads stand for later ones as well, */
    unsigned excused[CC_SOURCE_READS]; /* in these lines */
    unsigned read_line, write_line;
};

struct scan_given { /* an assignment, and the op by which it combines what is there with something */
    uint32_t node;
    const char *op;
};

struct combiner { /* combine.c */
    char *usr;
    int param;
    bool reference; /* that is one, not a pointer */
    const char *op;
};
struct borrower { /* lend.c */
    char *usr;
    uint32_t follows, sets; /* parameters, a bit each */
};
struct combiners {
    CC_VEC(struct combiner) v;
    CC_VEC(struct borrower) borrowers;
};

struct scan {
    const struct combiners *combiners; /* NULL: none are known */
    bool combines;                     /* some call is taken for an assignment */
    const struct cc_tree *tree;
    uint32_t loop;                   /* the node; 0: a function as a whole */
    struct scan_variable *variables; /* by decl */
    bool *assigned;                  /* by decl: this iteration has, on every way here */
    CC_VEC(struct scan_array) arrays;
    CC_VEC(unsigned) stores; /* lines, one for each assignment of what has to be in memory, */
    CC_VEC(unsigned) loads;  /* and for each look at it */
    CC_VEC(uint32_t)
    covered;               /* elements that this iteration has written, on every way here: cover.c */
    CC_VEC(uint32_t) seen; /* that it has read, and that nothing can have written since */
    CC_VEC(struct scan_given) given; /* given.c */
    uint32_t *alias;                 /* by decl: alias.c */
    unsigned inside;                 /* loops and switches around, of those in the loop */
    unsigned loops;                  /* of these, loops */
    bool broken;                     /* some inner loop is left by break */
    bool calls;                      /* some function */
    unsigned exit_line;
    unsigned conditional; /* statements around that need not run it */
    unsigned depth;
};

/* Whether what follows the statement is reached. */
bool cc_scan_statement(struct scan *s, uint32_t n);
/* update.c; unused: nobody needs the value of n itself */
void cc_scan_updates(struct scan *s, uint32_t n, bool unused);

/* Through casts, parentheses and whatever else has one operand and no meaning of its own; the variable that a
 * node is a plain mention of, -1: it is something else; what is known of an access's array. */
uint32_t cc_scan_strip(const struct scan *s, uint32_t n);
int32_t cc_scan_variable(const struct scan *s, uint32_t n);
struct scan_array *cc_scan_array(struct scan *s, uint32_t n);

/* What `a[i]`, `*p`, `s.x` and `p->x` are parts of: the variable that is named; -1: none. The name behind the
 * last dot or arrow. */
int32_t cc_scan_base(const struct scan *s, uint32_t n);
struct scan_field cc_scan_field(const struct scan *s, uint32_t n);

/* head.c: the variable that a node is a plain mention of, -1: something else; what a `for` counts
 * with, -1: nothing; whether an expression changes from one iteration to another (top, depth: false, 1 of a
 * subscript).
 */
int32_t cc_scan_plain(const struct cc_tree *t, uint32_t n);
int32_t cc_scan_counter(const struct cc_tree *t, uint32_t n);
bool cc_scan_is_counter(const struct cc_tree *t, int32_t decl); /* of some loop */
/* Whether something in n sets the variable, or takes its address. */
bool cc_scan_writes(const struct cc_tree *t, uint32_t n, int32_t decl);
/* Whether an expression is another in each iteration, by sums and products of the counter and what stays. */
bool cc_scan_counts_up(const struct scan *s, uint32_t n, int32_t counter);
bool cc_scan_varies(const struct scan *s, uint32_t n, int32_t counter, bool top, unsigned depth);

/* Whether a head sets its counter alone in front of the first iteration, as OpenMP demands. */
bool cc_head_begins(const struct cc_tree *t, uint32_t loop, int32_t counter);
/* head.c: what a loop that is not canonical counts with, -1: nothing; whether it ends where that gets
 * to what stays the same, and for no other reason. */
int32_t cc_head_stepping(const struct scan *s, uint32_t test);
bool cc_head_bounded(const struct scan *s, uint32_t test, int32_t counter);

/* source.c: whether an expression is the same in all iterations but for counters of loops inside (top, depth:
 * true, 0 of an element: what it is part of is no load). */
bool cc_scan_repeats(const struct scan *s, uint32_t n, bool top, unsigned depth);

/* throw.c: the first line that leaves the loop before its end, 0: none; what is thrown does so, unless it is
 * caught in there, and so does a place that a container does not have, where the function itself is ready for
 * that; whether the function is ready for what the loop, or whoever it calls, throws out of it; whether the
 * function throws something that it does not catch. */
unsigned cc_throw_exit(const struct scan *s);
bool cc_throw_tries(const struct cc_tree *t, uint32_t n);
bool cc_throw_ready(const struct cc_tree *t, uint32_t loop);
bool cc_throw_throws(const struct cc_tree *t);

/* unsure.c: whether some read is of the same elements in every iteration; whether of such elements only what
 * need not happen sets them; the parameters that tell how often loops around a function's store turn, by
 * bits; the arguments of a call that are others in each iteration. */
bool cc_unsure_settled(const struct scan *s, const struct scan_array *a);
bool cc_unsure_set(const struct scan *s, const struct scan_array *a);
unsigned cc_unsure_turns(const struct scan *s, uint32_t store);
unsigned cc_unsure_given(const struct scan *s, uint32_t call);
/* Whether every iteration has called the same function with the same arguments before, which are its own. */
bool cc_unsure_repeated(const struct scan *s, uint32_t call, uint32_t begin, uint32_t end);

bool cc_scan_same_text(const struct scan *s, uint32_t a, uint32_t b); /* apart.c: but for blanks */
enum cc_source_element cc_scan_element(const struct cc_ctype *t);     /* source.c: of that type */

/* cover.c: an element is written; was, with the same subscripts; a variable changes; so do all that a
 * loop changes; control may come from elsewhere. */
void cc_cover_add(struct scan *s, uint32_t n);
bool cc_cover_has(const struct scan *s, uint32_t n);
void cc_cover_changed(struct scan *s, int32_t decl);
void cc_cover_loop(struct scan *s, uint32_t n);
void cc_cover_none(struct scan *s);
/* Whether all that the loop does with an array is to write one element of it, in every iteration or in none,
 * and to look at what the iteration itself has written. */
bool cc_cover_settles(const struct scan *s, const struct scan_array *a, int32_t counter);
/* Whether something that changes in the loop decides which iterations write the same element. */
bool cc_cover_chosen(const struct scan *s, const struct scan_array *a, int32_t counter);
/* A struct without arrays in it, of the function's own, that nothing but its name leads to. */
bool cc_cover_own_record(const struct scan *s, int32_t decl);
/* The array that a call of memset or memcpy sets from end to end; -1: none. */
int32_t cc_cover_filled(const struct scan *s, uint32_t call);
/* Tells of all such calls in the loop, and how many bytes each sets. */
void cc_cover_tell_fills(const struct scan *s, FILE *out);
/* The number or pointer that a call of them sets as a whole by that argument, its first; -1: none. */
int32_t cc_cover_copied(const struct scan *s, uint32_t call, uint32_t argument);

/* The same of what was read: the node that did, or CC_NODE_NONE; an element is written. */
void cc_seen_add(struct scan *s, uint32_t n);
void cc_seen_by_test(struct scan *s, uint32_t test); /* what was read where the test holds */
uint32_t cc_seen_find(const struct scan *s, uint32_t n);
void cc_seen_written(struct scan *s, uint32_t n);
void cc_seen_none(struct scan *s);
/* Whether what two accesses to one array say differs by small numbers at most: elements that meet, if they
 * do, meet in iterations that are near each other. */
bool cc_scan_near(const struct scan *s, uint32_t a, uint32_t b);
/* Whether some subscript says by a number that they are two elements: `a[i][j]` and `a[i][j - 1]`. */
bool cc_scan_differ(const struct scan *s, uint32_t a, uint32_t b);
/* Whether a is `b` and a number more. */
bool cc_scan_above(const struct scan *s, uint32_t a, uint32_t b);

/* class.c: what becomes of a variable; the operator of a reduction, NULL: it is none; whether a
 * mention outside the loop may see what the loop left; a variable is declared; whether one that is declared
 * in the loop may be read though the iteration has not set it: what an earlier one left there is found then.
 */
enum cc_source_class cc_class_of(const struct scan *s, uint32_t loop, int32_t decl, int32_t counter);
const char *cc_class_combined(const struct scan_variable *v);
/* Whether a place loses something of a value that op combines it with. */
bool cc_class_loses(struct cc_ctype to, struct cc_ctype from, const char *op);
/* Whether what the loop leaves in it may be looked at again. */
bool cc_class_lasts(const struct scan *s, int32_t decl);
bool cc_class_seen_after(const struct cc_tree *t, uint32_t loop, int32_t decl);
/* Whether each iteration sets it by name before it passes its address on, and nobody else looks at it. */
bool cc_class_set_first(const struct scan *s, uint32_t loop, int32_t decl);
void cc_class_declared(struct scan *s, const struct cc_tree_node *x);
/* Whether it is declared in the head of a `for` over a range, which sets it. */
bool cc_class_of_range(const struct cc_tree *t, const struct cc_tree_node *x);
bool cc_class_left_over(const struct scan *s, int32_t decl);
bool cc_class_is_c(const struct cc_tree *t); /* not C++ */

/* combine.c: whether a function, once walked through, is one: the operator, NULL: it is not; the place
 * that a call of one combines with something, CC_NODE_NONE: it is none. */
const char *cc_combiners_learn(struct combiners *c, const struct scan *s);
uint32_t cc_combine_place(const struct scan *s, uint32_t n, const char **ret_op);
void cc_combiners_fini(struct combiners *c);
/* lend.c: of a function, once walked through, which pointers to numbers it only follows; the variable that a
 * call sets by way of an argument, whatever it was before (-1: none); whether `&x` is handed to such a
 * function and nobody else. */
void cc_lend_learn(struct combiners *c, const struct scan *s);
int32_t cc_lend_set(const struct scan *s, uint32_t call, uint32_t argument);
bool cc_lend_is_lent(const struct scan *s, uint32_t address);
/* function.c: whether nothing decides in these bounds if the node is got to. */
bool cc_source_sure(const struct cc_tree *t, const struct cc_tree_node *n, uint32_t begin, uint32_t end);
/* Whether all that a call gets the address of is declared in the loop: the next iteration has another. */
bool cc_combine_gets_own(const struct scan *s, uint32_t call);
/* The same of one argument, and of the object of a method, if it is one. */
bool cc_combine_owns(const struct scan *s, uint32_t c);
bool cc_combine_owns_object(const struct scan *s, uint32_t call);
unsigned cc_combine_operands(const struct scan *s, uint32_t call); /* of an operator that is a function */

/* given.c: an assignment may be to what a call hands back; tells of those. */
bool cc_given_assigns(const struct scan *s, uint32_t n);
/* Whether a call is of a class's own `operator=`, which assigns the variable: notes that. */
bool cc_given_sets(struct scan *s, uint32_t call, int32_t decl);
/* Whether it is of one that moves the variable on (`++out`), which the loop does not count by. */
bool cc_given_goes_on(const struct scan *s, uint32_t call, int32_t decl);
/* Whether a call of the library gives the object what another had: `std::swap(p, kept)`. */
bool cc_given_swaps(const struct scan *s, uint32_t call, int32_t decl);
bool cc_given_swaps_part(const struct scan *s, uint32_t call, uint32_t n); /* n: `last`, `m.last` */
/* Whether an operator of the library sets or changes an object that is a part of another: `last = x`. */
bool cc_given_part(const struct scan *s, uint32_t call, uint32_t n);
bool cc_given_sets_part(const struct scan *s, uint32_t call);
bool cc_given_asked(const struct scan *s, uint32_t call, uint32_t n); /* by a method, in a function */
void cc_moves_parts(const struct scan *s, FILE *out);
void cc_moves_on(const struct scan *s,
                 FILE *out); /* of a function: what its next call finds further on (U) */
bool cc_moves_steps(const struct scan *s, uint32_t write);
bool cc_moves_given(const struct scan *s, uint32_t assignment, unsigned *ret_flags); /* flags of U */
/* Whether a call hands out a place of what it is about: an element, or what an iterator is at. */
bool cc_given_hands_out(const struct scan *s, uint32_t n);
void cc_given_note(struct scan *s, uint32_t n, const char *op);
void cc_given_tell(const struct scan *s, int32_t counter, FILE *out);
/* Whether all that is accessed of it lies in elements that each iteration has for itself, by the text. */
bool cc_given_each(const struct scan *s, const struct scan_array *a, int32_t counter);
/* Of `v[i]`: the vector, and the subscript; CC_NODE_NONE: it is something else. The same of any container,
 * also by a reference to it. Whether the loop assigns to what a pointer or a reference leads to; whether the
 * place of n is told somebody. */
uint32_t cc_given_subscript(const struct scan *s, uint32_t n, int32_t *ret_decl);
uint32_t cc_given_element(const struct scan *s, uint32_t n, int32_t *ret_decl);
bool cc_given_of_vector(const struct scan *s, uint32_t n); /* `v[i]` of a vector of the library */
bool cc_given_led(const struct scan *s, int32_t counter);
bool cc_given_handed(const struct scan *s, uint32_t n);
/* Of a function: where it looks at what it keeps so (U). */
void cc_given_states(const struct scan *s, FILE *out);
/* Whether a call changes the object whose method it is, as an assignment would. */
bool cc_given_moves(const struct scan *s, uint32_t call);
/* Whether it is the `m[k]` of a map, which puts in what it does not find. */
bool cc_given_inserts(const struct scan *s, uint32_t call);
/* The variable of which it hands back an element, if the same hands back another that is assigned; -1. */
int32_t cc_given_met(const struct scan *s, uint32_t n);
/* Whether a node is a call by which a coroutine goes on. */
bool cc_given_resumes(const struct cc_tree *t, uint32_t n);

/* moves.c: tells of what such calls read, and may write (K). */
void cc_moves_copies(const struct scan *s, FILE *out);

/* abreast.c: whether all that the loop accesses is numbers in vectors, which its counter tells apart. */
bool cc_source_abreast(const struct scan *s, int32_t counter);
/* Whether two calls of methods hand out two things, as vectors allocate what they hold: elements of vectors
 * that hold things of another kind or size; a number that is an element of a vector by itself, and one that
 * lies in a `std::array`; any element, and what lies in one that is
 * a variable. */
bool cc_source_two_things(const struct scan *s, uint32_t a, uint32_t b);
/* Whether a call is of a lambda that only computes with numbers. */
bool cc_source_number_lambda(const struct scan *s, uint32_t call);
/* In which subscript, as place_of has it, the counter stands in all that the loop assigns to, if that is
 * numbers in vectors, and nothing else in the loop may write any; 0: it is not so (all: and only its text
 * looks at some; program: functions of the program's may). Whether n is a number there: no other iteration
 * writes what this one looks at. */
unsigned cc_source_places(const struct scan *s, int32_t counter, bool *ret_all, bool *ret_program);
bool cc_source_at_place(const struct scan *s, uint32_t n, int32_t counter, unsigned place);

/* Whether a call looks at no element: how many there are, and of numbers. */
bool cc_source_looks_at_none(const struct scan *s, uint32_t call);

/* data.c: whether all that the loop stores are elements in floating point that are computed from such;
 * whether n is one, and something that is stored is computed from it; whether sums of the counter alone say
 * which elements are accessed. */
bool cc_source_stores_data(const struct scan *s);
bool cc_source_of_data(const struct scan *s, uint32_t look);
bool cc_source_even(const struct scan *s);

/* bind.c: tells of names of `auto [a, b]` by which the loop may hand a value on (V). */
void cc_bind_tell(const struct scan *s, FILE *out);

/* text.c: tells of arrays that are each iteration's own, and hold strings that it sets first (y). */
void cc_text_tell(const struct scan *s, FILE *out);

/* bare.c: whether no function can be in the loop, as it has only numbers and calls nothing. */
bool cc_source_bare(const struct scan *s);
/* The first line that accesses something volatile; 0: none. */
unsigned cc_source_alert(const struct scan *s);

/* choice.c: tells of choices that the loop makes. */
void cc_source_choices(const struct scan *s, FILE *out);
/* turns.c: and of the statements of its body. */
void cc_source_statements(const struct scan *s, FILE *out);
/* What is written over several lines: compilers say of a load the line that it begins in. */
void cc_source_spans(const struct scan *s, FILE *out);
/* Lines that set, or read, the same element, the one where a condition holds and the other where it does not.
 */
void cc_source_ways(const struct scan *s, FILE *out);
/* wave.c: and, of a nest of two loops, whether tiles along a diagonal of it are free. */
void cc_source_wave(const struct scan *s, FILE *out);
/* walk.c: of one that goes from element to element, what it does that by; and of a function, which
 * fields it writes. */
void cc_source_walk(const struct scan *s, FILE *out);
void cc_source_fields(const struct cc_tree *t, FILE *out);

/* function.c: which functions the text from begin to end calls (C); what a function keeps (U); one
 * that could not be read. Whether a variable is the function's own; whether elements are also accessed as a
 * whole.
 */
void cc_source_calls(const struct scan *s, uint32_t begin, uint32_t end, FILE *out);
/* store.c: whether a place lies in the record that the variable points to. */
bool cc_source_in_record(const struct cc_tree *t, uint32_t n, int32_t decl);
/* Whether all that a line of the loop does is to copy one record, `a[i] = b[j];`. */
bool cc_source_copies_record(const struct scan *s, unsigned line);
/* Size of the record that each assignment of the line sets as a whole; 0: they set something else. */
unsigned cc_source_record_bytes(const struct scan *s, unsigned line);
/* What a function stores by way of its parameters (S), what the text from begin to end hands
 * on to functions of the program (G). */
void cc_source_stores(const struct scan *s, FILE *out);
void cc_source_hands(const struct scan *s, uint32_t begin, uint32_t end, FILE *out);
/* peek.c: what a function looks at behind pointers (p), what a loop or function writes there (k). */
/* What may be the same as something else of its size: 0 where anything may, a whole record or a member of a
 * union. */
unsigned cc_source_kind_of(const struct cc_tree *t, uint32_t n);
void cc_source_peeks(const struct scan *s, FILE *out);
/* Whether something is assigned to what the call hands back. */
bool cc_source_assigned(const struct scan *s, uint32_t call);
void cc_source_writes(const struct scan *s, FILE *out);
/* Where what is only read of an array is written as a whole, or a part of it is (m). */
void cc_source_met(const struct scan *s, const struct scan_array *a, int32_t counter, FILE *out);
void cc_source_states(const struct scan *s, FILE *out);
/* common.c: which variables of the program's a function accesses by their names, and how (Y). */
void cc_source_common(const struct scan *s, FILE *out);
/* Whether it is a variable of a function around the one that mentions it. */
bool cc_source_captures(const struct cc_tree *t, int32_t decl);
void cc_source_captured(struct scan *s); /* notes what lambdas of the function change of its variables */
void cc_source_unread(const struct cc_tree *t, FILE *out);
bool cc_scan_is_own(const struct cc_tree *t, int32_t decl);
bool cc_scan_of_lambda(const struct cc_tree *t, const struct cc_tree_node *lambda, int32_t decl);
bool cc_scan_overlaps(const struct scan *s, const struct scan_array *a);

/* alias.c: finds pointers that are another name for an element. What `x` points to, if it is one:
 * `&a[i]` or `a + i`; CC_NODE_NONE. */
void cc_alias_find(struct scan *s);
uint32_t cc_alias_of(const struct scan *s, int32_t decl);
/* Of `&a[i]` and `a + i`: a, or a[i]. */
uint32_t cc_alias_base(const struct cc_tree *t, uint32_t n);
/* Whether some access follows a pointer that is itself an element or a member. */
bool cc_alias_behind(const struct scan *s, const struct scan_array *a);
/* The same, and elements are accessed, and no fields of records: `m->v[i]` may be `m->w[i]`. */
bool cc_alias_led(const struct scan *s, const struct scan_array *a);
/* A pointer that is declared in the loop, or in the function, and only ever gets blocks that are new. */
bool cc_alias_allocated(const struct scan *s, int32_t decl);
/* Whether what is accessed lies in blocks that nobody had before, and that only this variable leads to, or
 * what was set to it; or is the caller's, who gave it before the function did anything. In C. */
bool cc_alias_fresh(const struct scan *s, const struct scan_array *a);
bool cc_alias_given(const struct scan *s, const struct scan_array *a);
/* The first line in which the loop writes a number by a pointer that may lead to the variable, or to what it
 * looks at of an array or a record in every iteration (`p = &x` somewhere in the function); or, where it sets
 * the variable by its name, accesses one so; 0: none. */
unsigned cc_alias_meets(const struct scan *s, int32_t decl, int32_t counter);

/* hold.c: the same, by way of an object that holds where it is, or of functions that were told; the line. */
unsigned cc_hold_meets(const struct scan *s, int32_t decl);
/* Whether the address of a variable of the file, or of a static one, is taken anywhere in the file. */
bool cc_hold_at_file(const struct scan *s, int32_t decl);
/* Tells of variables that the loop does not name, and objects in it hold where they are (H). */
void cc_hold_tell(const struct scan *s, FILE *out);

/* apart.c: whether two accesses to an array meet in one iteration, if they meet; whether some
 * subscript of `a[i][j].x` tells iterations apart by itself. */
bool cc_scan_share_row(const struct scan *s, uint32_t a, uint32_t b, int32_t counter);
bool cc_scan_tells_apart(const struct scan *s, uint32_t n, int32_t counter);
/* Whether it is `*a[i]` or `a[i]->x`: which thing that is, only memory tells. Rows, `a[i][j]`, are taken for
 * different ones. */
bool cc_scan_follows(const struct scan *s, uint32_t n, int32_t counter);
/* Whether which element an access goes to is said by counters and what stays the same: else, only runs tell.
 */
bool cc_scan_is_counted(const struct scan *s, uint32_t n, int32_t counter);
/* The same of a number. */
bool cc_scan_is_sum(const struct scan *s, uint32_t n, int32_t counter);

/* spread.c: whether a loop inside may lead beyond a row of the array; whether the counter is
 * multiplied by something that nothing says not to be zero. */
bool cc_scan_spread(const struct scan *s, const struct scan_array *a, int32_t counter);
bool cc_scan_scaled(const struct scan *s, const struct scan_array *a, int32_t counter);
/* The same of a pointer of the loop's own that leads there: `row = a + i * step`. */
/* scatter.c: whether more than a sum of what a function gets tells which element that is: `t[key % size]` */
bool cc_scan_scattered(const struct scan *s, uint32_t place);
bool cc_scan_strided(const struct scan *s, const struct scan_array *a, int32_t counter);
/* Of a call: whether it gets a number that only data tell; whether it gets an address, to store to, that
 * differs by what no other argument has to do with: where the next iteration's begins, and how much is
 * stored, are two things. */
bool cc_scan_gets_data(const struct scan *s, uint32_t call);
bool cc_scan_gets_place(const struct scan *s, uint32_t call);
/* Whether some loop inside tests the array, and moves what a write's place is said by. */
bool cc_scan_probes(const struct scan *s, const struct scan_array *a);
/* Whether the loop writes nothing but numbers in floating point, and n looks at nothing but whole numbers and
 * pointers, on whatever way: `i < m->rows[r].length`, where `m->rows[r].data[i]` is a double. */
bool cc_scan_looks_at_others(const struct scan *s, uint32_t n, const struct scan_array *a);
/* Whether a quotient of the counter, and nothing else of it, tells which element it is: `a[i / 2]`; of some
 * write. */
bool cc_scan_is_half(const struct scan *s, uint32_t n, int32_t counter);
/* Whether the counter goes on by a multiple of what it is divided by. */
bool cc_scan_is_stepped(const struct scan *s, uint32_t quotient);
bool cc_scan_halves(const struct scan *s, const struct scan_array *a, int32_t counter);

/* column.c: where in its line, as the file has it, the keyword with a loop's test stands; 0: not
 * known, but several loops may be in the line. */
unsigned cc_source_column(const struct cc_tree *t, uint32_t n, uint32_t test);

/* store.c: whether the function need not come by an assignment to a place of that text, and has some.
 */
bool cc_source_passed_by(const struct scan *s, uint32_t place);

/* arm.c: the line of an access that a condition in the same line decides about, and that is made nowhere else
 * in any case; that sets a pointer to one thing or another; 0: there is none. */
unsigned cc_arm_line(const struct scan *s, const struct scan_array *a, int32_t counter);
unsigned cc_arm_leads(const struct scan *s, int32_t decl);
/* Whether a call gets one address or another. */
bool cc_arm_gets_choice(const struct scan *s, uint32_t call);

/* common.c: whether each thread has one of its own. */
bool cc_scan_of_thread(const struct cc_tree *t, int32_t decl);

#endif
