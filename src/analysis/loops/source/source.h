/* What the source says of its loops: which variables an iteration gets from the one before, which it sets for
 * itself, which it only adds to. The binary tells what happened; a pragma has to fit the source as well. */
#ifndef CC_ANALYSIS_LOOPS_SOURCE_H
#define CC_ANALYSIS_LOOPS_SOURCE_H

#include "../../../base/arena.h"
#include "../../../base/err.h"

#include <stdio.h>

enum cc_source_class {
    CC_SOURCE_COUNTER,   /* the loop's own, as `for (i = 0; i < n; i++)` has it, or a `while` that could be
                            written so */
    CC_SOURCE_PRIVATE,   /* every iteration sets it before it reads it, and nobody reads it afterwards */
    CC_SOURCE_LAST,      /* the same, but it may be read after the loop */
    CC_SOURCE_REDUCTION, /* only ever combined with something by one operator */
    CC_SOURCE_STEP, /* goes on by the same in every iteration, and is used: would have to be computed from the
                       counter */
    CC_SOURCE_ADDRESS,      /* its address is taken: the source alone cannot tell */
    CC_SOURCE_CARRIED,      /* may be read before this iteration has set it */
    CC_SOURCE_ADDRESS_LAST, /* as ADDRESS, but it may be read after the loop */
    CC_SOURCE_CLASSES
};

struct cc_source_variable { /* declared outside the loop and written in it */
    const char *name;
    enum cc_source_class class;
    const char *op; /* of a reduction: + * & | ^ && || min max; of what is carried: "p->next", all that it is
                       ever set to */
    unsigned read_line, write_line; /* that make it so; 0: none */
    bool shared;                    /* a pointer may lead to it */
    bool of_thread;                 /* each thread has one of its own */
    bool starts_anew;               /* of min and max: a NaN takes the place of what there was */
    bool lasts;                     /* of the counter: what it is behind the loop may be looked at */
};

enum { CC_SOURCE_READS = 16, CC_SOURCE_WHOLE = 9999 };

/* What all that is accessed of an array is; whole numbers have more than 8 bits. */
enum cc_source_element { CC_ELEMENT_ANY, CC_ELEMENT_INT, CC_ELEMENT_FLOAT, CC_ELEMENT_DOUBLE };

struct cc_source_array { /* or what a pointer points to, or a struct: accessed by element */
    const char *name;
    const char *op; /* every access combines the element with something by it; NULL: not so */
    /* the same of every write, but it is also looked at, in these lines (each as often as there are looks) */
    const char *partly;
    unsigned looks[CC_SOURCE_READS];
    unsigned read_line, write_line; /* first; 0: never */
    /* all lines that read what this iteration need not have written, as far as there is room; then 0 */
    unsigned reads[CC_SOURCE_READS];
    unsigned writes[CC_SOURCE_READS]; /* lines that write it, as far as there is room; then 0 */
    unsigned kept[CC_SOURCE_READS]; /* of these, in their places: the last that writes the same element by its
                                       text; 0: what it writes may be done elsewhere */
    /* of an access that a condition in its line decides about: that the line ran does not tell that it was
       made; that sets the pointer to one thing or another; 0: none */
    unsigned arm_line, leads_line;
    unsigned again; /* a bit for each of `writes`: the iteration has written that element before, anyway */
    /* lines of `reads` that are at another element in each iteration, each text of the loop once; then 0 */
    unsigned lone[CC_SOURCE_READS];
    unsigned excused[CC_SOURCE_READS]; /* lines that only read again what the iteration has read; then 0 */
    bool alike; /* all subscripts read the same, are computed without loads, and are others in each iteration
                 */
    bool exposed;        /* in the order of the source it is read before it is written */
    unsigned fixed_line; /* where the same element is written in every iteration; 0: nowhere */
    bool whole;          /* declared as an array or struct, not as a pointer */
    bool behind;         /* some access follows a pointer that lies in memory: `*a[i]`, `p->x[i]` */
    bool lasts;          /* it may be read after the loop */
    bool result;         /* the loop only writes it, and the function reads it afterwards */
    bool far;  /* by what the subscripts say, iterations far from each other may meet at an element */
    bool seen; /* where it is combined, it may be looked at as well */
    /* proved by the subscripts and the heads of loops: */
    bool apart;    /* no two iterations meet at an element that one of them writes */
    bool unseen;   /* no iteration looks at an element that one combines with something */
    bool tight;    /* subscripts stay within their rows, as far as the loops around tell how long these are */
    bool flat;     /* it has no rows: each access has one subscript, next to the name */
    bool alone;    /* nothing but this name leads to it */
    bool still;    /* a variable of the function's own leads to it, which nothing in the loop can set */
    bool led;      /* the same, and numbers lie there, not records: other pointers in memory may lead there */
    bool fresh;    /* it lies in blocks that the function has allocated for this pointer alone */
    bool given;    /* it is the caller's: its pointer is what the function got */
    bool constant; /* declared so that nothing may change its elements */
    bool moving;   /* some read is of another element in each iteration */
    bool scratch;  /* each iteration has written what it reads */
    bool passed;   /* to a function, as a whole */
    /* all that is done with it is to write one element, in every iteration or in none: the last one's stays
     */
    bool settles;
    bool spread;  /* some subscript has the counter and that of a loop inside, and rows may overlap */
    bool scaled;  /* the counter is multiplied by what may be zero in some invocation */
    bool strided; /* the same of a pointer of the loop's own: `row = a + i * step` */
    bool each;    /* all of it, by its name, lies in elements that each iteration has for itself */
    bool halves;  /* which element is written a quotient of the counter tells: `a[i / 2]`, one for several */
    bool chosen;  /* something decides which iterations write the element of fixed_line */
    bool probes;  /* a loop inside looks at it for the place that is written: `while (a[h]) h++;` */
    bool counted; /* apart, or unseen, as often as loops turned in this run: ../gate/count.c */
    bool lucky;   /* counted, where subscripts alone would not tell */
    bool record;  /* a struct of the function's own, each part of which is set before it is read */
    bool unsure;  /* the same elements are read in every iteration, and only what need not happen sets them */
    bool settled; /* some read is of the same elements in every iteration */
    bool beside;  /* a bit-field, and one of another element, which may be another iteration's, is accessed */
    bool member;  /* of a struct, or of elements that are structs: the name is that of all of it */
    unsigned bytes; /* that each write stores: a number; 0: unknown, or not all the same */
    enum cc_source_element element;
    /* of a field that is only read, or a record: where the record, or a field, is written, at what may be the
     * same element; 0: nowhere. What is looked at there: CC_SOURCE_WHOLE: a function gets it as it is */
    unsigned met_line, met_fields;
};

/* What count.h tells. */
enum { CC_HEAD_AROUND, CC_HEAD_SELF, CC_HEAD_INSIDE };
enum { CC_HEAD_STORES = 4, CC_SOURCE_UNKNOWN = -1 };
struct cc_source_head {
    unsigned line, role;
    long start, step, low, count; /* start, low, count: CC_SOURCE_UNKNOWN */
    /* lines of stores that each iteration makes, to another element each; their bytes; 0 ends them */
    unsigned stores[CC_HEAD_STORES], bytes[CC_HEAD_STORES];
    unsigned nested[CC_HEAD_STORES]; /* the same of stores in loops inside it */
    unsigned wrapped;                /* the line of the loop of which it is the whole body; 0: none */
};
struct cc_source_table {
    long *v;
    size_t n;
};
struct cc_source_vector { /* or another container, of which elements are set */
    long variable;
    const char *name;
    bool proves; /* all that is done with it is told, and no other name leads there */
};
struct cc_source_touch {
    unsigned array; /* by number */
    long variable;
    char how;             /* r, w, u */
    long first, bits;     /* of the field */
    const char *at, *if_; /* subscript, "?": unknown; condition, "": none */
};

struct cc_loop_call {
    const char *symbol; /* of the function */
    unsigned line;
    bool always;     /* its line runs whenever the code around does; else that is below an if or in a loop */
    bool maybe;      /* something decides whether it happens, be it in the same line: `if (x) f();` */
    bool own;        /* of a loop: all that it gets the address of is declared in there */
    unsigned varies; /* of a loop: arguments that are others in each iteration, by bits */
    bool needs_body; /* a function of the program's own, called in each iteration */
    bool gets_data;  /* of a loop: a number that only data tell */
    bool gets_place; /* of a loop: an address, which no other argument has to do with (scan.h) */
    bool assigned;   /* something is assigned to what it hands back, which nobody looks at */
    bool ends_in_null; /* its last argument is no address */
    bool repeated; /* of a loop: each iteration has made the same call before, with the same arguments, which
                      are its own */
};

enum { CC_STORE_OTHER = -1, CC_STORE_OBJECT = -2 };
struct cc_source_store { /* of a function, to what is not its own */
    unsigned line;
    int from;          /* the parameter that leads there; or CC_STORE_OTHER */
    bool chosen;       /* if some condition holds */
    bool passed_by;    /* and some way through the function sets nothing there */
    unsigned turns;    /* parameters that tell how often loops around it turn, by bits */
    unsigned bytes;    /* 0: not known */
    const char *field; /* that is set; "": all of it, or an element */
    bool lies;         /* in the record that the parameter leads to */
    bool scattered;    /* to an element that more than a sum of parameters tells: scatter.c */
};
struct cc_source_hand { /* to a function, what that may store to */
    unsigned line;
    int from; /* the parameter that it came by; CC_STORE_OTHER */
    int to;   /* the argument; CC_STORE_OBJECT: the object whose method is called; CC_STORE_OTHER: any */
    const char *symbol; /* of the function */
    const char *name;   /* of the variable that is handed, or a part of it; "": there is none */
    bool whole;         /* it is the parameter itself, which nothing changes, and no part of it */
    bool part;          /* it lies in that variable, and not behind a pointer */
    bool varies;        /* it may be another in each iteration */
    bool apart;         /* of a loop: the element of an array of records that only this iteration mentions */
    bool lies;          /* in the record that the parameter leads to, which nothing changes */
    bool bound;         /* by a reference that is a variable: it may have no name of its own */
};

struct cc_source_peek { /* a look at what is not a function's own, or a write to it (of a loop, too) */
    unsigned line;
    int from;          /* the parameter that leads there; CC_STORE_OBJECT, CC_STORE_OTHER */
    unsigned kind;     /* 0: of any type; else what is of another shares no byte with it */
    bool sure;         /* of a look: nothing in the function decides whether it happens */
    bool lies;         /* of a look: in the record that the parameter leads to */
    bool moves;        /* of a look: something else than that parameter tells where */
    bool lent;         /* of a look: whoever calls the function gets a reference, and may look or not */
    bool told;         /* of a look: parameters that the function never sets tell where, and nothing else */
    bool array;        /* it is in an array, or a struct, by its name, and not behind a pointer */
    const char *name;  /* of a write, or of an array: of the variable; "": there is none */
    const char *field; /* "": an element */
};

/* `if (d < best) { best = d; at = i; }`, and nothing else of the loop mentions these variables. */
struct cc_source_choice {
    unsigned line, last_line;   /* of the if */
    const char *op;             /* of what is met to the best so far: <, <=, > or >= */
    CC_VEC(const char *) names; /* the best first */
};

/* A statement of the body, or a part of the head. */
enum { CC_SOURCE_HEAD = 1, CC_SOURCE_JUMPS = 2, CC_SOURCE_DECLARES = 4 };
struct cc_source_statement {
    unsigned line, last_line, flags;
    CC_VEC(const char *) names; /* of variables that the loop changes and this mentions */
};

struct cc_source_span { /* an assignment, call or initialiser written over several lines */
    unsigned line, last_line;
};

enum { CC_STATE_PARAMETERS = 32 }; /* of a function, that are told apart */
struct cc_source_state {
    unsigned line;
    bool always;
    bool given;       /* it lies where one of its parameters leads to */
    const char *op;   /* the function only ever combines it by this; NULL: it does something else as well */
    const char *name; /* of a variable; NULL: it has none of its own */
    bool
        lies; /* what is written, and what is read but for variables, lies in the record of `from` and `by` */
    bool library;  /* a function of the library's gets where it is, and may change it */
    bool object;   /* it is an object of the library's, which is looked at before it is set */
    bool resumes;  /* a coroutine, whose variables are in no memory that its lines tell */
    uint32_t by;   /* what it may have been written by: these parameters, a bit each; 0: not known */
    unsigned from; /* the parameter that alone leads to what is read, from 1 on; 0: there is none */
};

enum cc_source_shares {
    CC_SHARES_READ = 1,
    CC_SHARES_WRITE = 2,
    CC_SHARES_MAYBE = 4,
    CC_SHARES_SAME = 16,      /* each call writes the same place of it */
    CC_SHARES_SCATTERED = 32, /* what parameters say, and more, tells which element is written: scatter.c */
    CC_SHARES_OUT = 8         /* where it lies is told to others: `return buffer;` */
};
struct cc_source_shared { /* a variable of the program's that a function accesses by its name */
    unsigned line, how;
    const char *name;
};

/* What a loop stores is computed from what it looks at, in floating point (../source/data.c), and sums of the
 * counter say where, */
enum cc_source_data { CC_SOURCE_NO_DATA, CC_SOURCE_DATA, CC_SOURCE_DATA_EVEN };

struct cc_source_given { /* an assignment to what a call about `name` (empty: unknown) hands back */
    unsigned line;
    const char *op, *name; /* op: it combines what is there with something; NULL: it does not */
    bool result;           /* the loop does nothing else with it */
    const char *symbol;    /* of what is combined: of the function that does so; else NULL */
    bool settles;          /* and every iteration assigns to one element: the last one's stays */
    bool fixed;            /* by its text it is the same element in every iteration */
    bool apart;            /* each iteration has elements of its own, by the text */
    bool abreast;          /* and so it is of all that the loop accesses: ../source/abreast.c */
    bool halves;           /* which element it is a quotient of the counter tells */
    bool maybe;            /* something in the loop decides whether it happens */
    bool direct;           /* of a look: a number, which no function gets */
    bool object;           /* of a look: an object of a class, or a function object that is called */
    unsigned data;         /* of a look: enum cc_source_data */
    bool counted;          /* apart, as often as loops turned in this run: ../gate/count.c */
    unsigned record;       /* its bytes, if it is a record; else 0 */
    unsigned if_written;   /* of a look: only where a function that the loop calls writes what is of this kind
                              (cc_source_peek); 0: in any case */
};

struct cc_source_accesses { /* in a line: assignments of what has to be in memory, or looks at it */
    unsigned line, count;
    bool write;
    bool maybe;      /* something in the loop decides whether they happen */
    bool copies;     /* all of it is one record that is copied */
    unsigned record; /* what it sets are records of so many bytes; 0: it is not so */
};

struct cc_source_fill { /* in a line: a call of memset or memcpy that sets an array from end to end */
    unsigned line, bytes;
};

enum cc_source_kind {
    CC_SOURCE_FOR,
    CC_SOURCE_WHILE,
    CC_SOURCE_DO,
    CC_SOURCE_RANGE, /* a `for` over a range that is gone through one by one: a list, a map */
};

struct cc_source_loop {
    const char *file, *function;
    enum cc_source_kind kind;
    unsigned line, column, last_line;   /* of the statement; column in bytes from 1 on, 0: unknown */
    unsigned test_column;               /* where that with the test begins; 0: not known */
    unsigned begin, end;                /* in the text that was parsed; end 0: not known */
    unsigned test_line, test_last_line; /* where the test is written: with the line, if it begins there */
    const char *counter;                /* NULL: it does not count */
    bool canonical;                     /* a `for` whose head says how it counts, as OpenMP demands */
    bool begins;                        /* and says where, so that a pragma may stand in front of it */
    bool bounded;                       /* a `while` whose test says the same */
    bool tried;                         /* what is thrown in it is caught by its function, outside of it */
    bool plain;                         /* all that it does is told here: C, calls by name, no assembly */
    bool bare;                          /* it has only numbers and calls nothing: no function is in it */
    unsigned exit_line;                 /* a break, return or goto that leaves it; 0: none */
    unsigned alert_line;                /* that accesses something volatile; 0: none */
    unsigned trips;                     /* by its head, if that has only numbers; 0: unknown */
    CC_VEC(struct cc_source_variable) variables;
    CC_VEC(struct cc_source_array) arrays;
    CC_VEC(struct cc_source_head) heads;
    CC_VEC(struct cc_source_table) tables;
    CC_VEC(struct cc_source_touch) touches;
    CC_VEC(struct cc_source_vector) vectors;
    CC_VEC(const char *) inside; /* variables that are declared in it, or that nothing in it changes */
    /* variables of the function that nothing in the loop can change: what their place in the frame gets there
     * is the compiler's own */
    CC_VEC(const char *) spared;
    CC_VEC(const char *) names; /* of the function around it, and what else that mentions */
    CC_VEC(const char *)
    held; /* variables that it does not name, and of which objects in it hold where they are */
    /* variables that are declared in it, and not set on every way to where they are read */
    CC_VEC(const char *) left;
    CC_VEC(const char *)
    texts; /* strings that each iteration sets in an array of its own: nobody looks beyond their end */
    CC_VEC(struct cc_loop_call) calls;
    CC_VEC(struct cc_source_hand) hands; /* of what is not declared in it */
    CC_VEC(unsigned) lambdas;            /* that it calls: lines in which they are written; 0: not known */
    CC_VEC(struct cc_source_hand) lent;  /* by references to const, of what is not an iteration's own */
    CC_VEC(struct cc_source_peek) writes;
    CC_VEC(struct cc_source_accesses) accesses;
    CC_VEC(struct cc_source_fill) fills;
    CC_VEC(struct cc_source_given) given;
    CC_VEC(struct cc_source_given) looks;    /* at what such calls about the same variables hand back */
    CC_VEC(struct cc_source_given) combined; /* what calls only combine with something: `add(&v[j], x)` */
    CC_VEC(struct cc_source_given) copies;   /* what memcpy and its like read, if they may write it as well */
    CC_VEC(struct cc_source_choice) choices;
    CC_VEC(struct cc_source_statement) statements; /* none if the body is but one */
    CC_VEC(struct cc_source_span) spans;
    /* two lines that set the same element, or read it, the one if a condition holds, the other if not */
    CC_VEC(struct cc_source_span) ways;
    CC_VEC(struct cc_source_span) read_ways;
    /* A nest of two loops, this and one that is all of its body (its lines; 0: there is none): what two rows
     * have in common lies at most so many columns to the right in the earlier one, by the subscripts. */
    unsigned wave_line, wave_last, wave_reach;
    bool wave_rows; /* if its rows, which lie behind pointers, are all different ones */
    /* It goes from element to element by `p = p->next` alone, which nothing in its body changes (calls may):
     * p, next, and the lines of the body's statements. NULL: it does not. */
    const char *walk, *walk_field;
    unsigned walk_line, walk_last;
};

struct cc_loop_function {
    const char *symbol, *name, *file;
    unsigned line, last_line;
    const char *combines; /* all it does is to combine what a parameter leads to by this; NULL: not so */
    bool throws;          /* something, and does not catch it */
    bool pure;            /* touches nothing but its own variables, as far as what it calls does not either */
    /* lines that may read what an earlier call left: it writes that too */
    CC_VEC(struct cc_source_state) states;
    CC_VEC(struct cc_source_shared) shared;
    CC_VEC(struct cc_loop_call) calls;
    CC_VEC(struct cc_source_store) stores;
    CC_VEC(struct cc_source_hand) hands, lent;
    CC_VEC(struct cc_source_peek) peeks, writes;
    CC_VEC(const char *) fields; /* members of structs that it may write; "*": any */
};

struct cc_source_loops {
    CC_VEC(struct cc_source_loop) v;
    CC_VEC(struct cc_loop_function) functions;
    const char *blind; /* why no source can be read here at all; NULL: it can */
    struct cc_arena arena;
};

/* Parses the unit (cc_source_unit of the metrics room) and writes what it finds, for cc_source_loops_add; in
 * a process of its own, like cc_source_measure. */
struct cc_source_unit;
void cc_source_loops_write(const struct cc_source_unit *unit, FILE *out);
/* The same; each function's tree goes to somebody else as well, so that the unit is parsed once. */
struct cc_tree;
typedef void cc_source_beside(void *data, const struct cc_tree *tree);
void cc_source_loops_write_beside(const struct cc_source_unit *unit, FILE *out, cc_source_beside *beside,
                                  void *data);

struct cc_source_loops *cc_source_loops_new(void);
void cc_source_loops_free(struct cc_source_loops *s);
/* The first function of that symbol; NULL: the source of none was read. */
const struct cc_loop_function *cc_source_function(const struct cc_source_loops *s, const char *symbol);
/* Whether a line of a file (NULL: unknown) is the function's. */
bool cc_source_has_line(const struct cc_loop_function *g, const char *file, unsigned line);
/* What cc_source_loops_write wrote; lines that make no sense end it. */
void cc_source_loops_add(struct cc_source_loops *s, const char *bytes, size_t size);

#endif
