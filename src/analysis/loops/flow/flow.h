/* What becomes, in a loop's code, of a value that one iteration leaves to the next. That it was left and read
 * is a fact of the run (struct cc_pdependence); that it does no harm is proved here from the code, or not at
 * all: every answer but CC_FLOW_RECURRENCE is a proof for the code that ran. */
#ifndef CC_ANALYSIS_LOOPS_FLOW_H
#define CC_ANALYSIS_LOOPS_FLOW_H

#include "../../../profile/profile.h"

enum cc_flow_class {
    CC_FLOW_RECURRENCE, /* none of the others, or not known */
    CC_FLOW_INDUCTION,  /* the same invariant is added in each iteration, or turns its bits over */
    CC_FLOW_REDUCTION,  /* one associative operation, and nothing else in the loop sees it */
    CC_FLOW_UNCHANGED,  /* what is left is what was found */
    CC_FLOW_DEAD,       /* read, but what comes of it is not used */
    CC_FLOW_ROTATING, /* computed anew in each iteration from inductions, invariants and memory that the loop
                         does not write, and used in the next: the next could compute it by itself. In the
                         source it may still be a dependence. */
    CC_FLOW_LAST, /* set in some iterations, by conditions that do not depend on it, and only used after the
                     loop */
    CC_FLOW_CLASSES,
};
extern const char *const cc_flow_class_names[CC_FLOW_CLASSES];

enum cc_flow_exit {
    CC_FLOW_EXIT_COUNTED, /* inductions and invariants decide when the loop ends */
    CC_FLOW_EXIT_DATA,    /* so does memory that the loop does not write, or a call, in some exit: a search */
    CC_FLOW_EXIT_CARRIED, /* so does something else: what iterations compute, or it is not known */
    CC_FLOW_EXITS,
};

struct cc_flow_result {
    enum cc_flow_class class;
    const char *operation; /* of a reduction: "+", "*", "&", "|", "^", "min", "max"; NULL */
    bool floating;         /* of a reduction, or an induction in a register: floating point, which rounds */
    bool has_step;
    int64_t step; /* of an induction, if it is a constant */
    bool turns;   /* of an induction: nothing is added, the same bits are turned over */
    bool looked;  /* of an induction in memory: others load what is there */
    bool untaken; /* it rests on calls not taking what the run did not show them to */
    bool kept; /* of what rotates: it is what one place in memory holds, which the loop was not seen to write
                */
    uint64_t cold;  /* code of the loop that never ran: what it would do is not known; 0: all ran */
    uint64_t at[4]; /* addresses of instructions that this is about, as executed */
    unsigned nat;
    char reason[128];
};

struct cc_flow_range {
    uint64_t start, end;
};

struct cc_flow_loop { /* addresses as executed */
    uint64_t header, tick;
    const struct cc_flow_range *blocks; /* its code, with that of loops inside it */
    size_t nblocks;
    const struct cc_pdependence *facts; /* all that it carries */
    size_t nfacts;
    /* what met within one of its iterations: also all that loops inside it carry */
    const struct cc_pdependence *meetings;
    size_t nmeetings;
    bool met;       /* these are known */
    bool named;     /* the debug information names places in the frame of its function */
    uint32_t flags; /* CC_LOOP_NO_INTEGER, CC_LOOP_NO_FLOAT */
};

/* The code of a run. What it is made from lives longer. isa: as in a profile; cut: there
 * was more. */
struct cc_flow *cc_flow_new(const struct cc_rec_loop_code *code, size_t n, const char *isa, bool cut);
void cc_flow_free(struct cc_flow *f);

/* A loop's iteration. */
struct cc_flow_body *cc_flow_body_new(struct cc_flow *f, const struct cc_flow_loop *loop);
/* The same, by its id. */
struct cc_flow_body *cc_flow_body_of(struct cc_flow *f, const struct cc_profile *p, uint32_t loop);
void cc_flow_body_free(struct cc_flow_body *b);

/* Whether a register has nothing that anybody could want when a function of a library is over: no result
 * comes in it, and it need not be as it was. one: the function returns no more than one register holds. */
bool cc_flow_is_left_over(const struct cc_flow *f, uint64_t place, bool one);
/* Whether what was in a register when a function of a library began may matter to it: it is an argument of
 * one that takes so many, or has to be as it was. */
bool cc_flow_may_be_given(const struct cc_flow *f, uint64_t place, uint32_t integers, uint32_t floats);

/* Code of the loop that a branch could have gone to, but never did; 0: all ran. */
uint64_t cc_flow_cold(const struct cc_flow_body *b);

/* Of a carried RAW: d->space, d->place for a register, d->first and d->second for memory. */
void cc_flow_classify(struct cc_flow_body *b, const struct cc_pdependence *d, struct cc_flow_result *ret);
/* Of what each iteration adds the same to, in memory: whether nothing in the loop looks at it besides. */
bool cc_flow_combines(struct cc_flow_body *b, const struct cc_pdependence *d);
/* Whether all that an instruction accesses is at a fixed place of the frame, by the stack pointer as it is
 * when an iteration begins: the frame of the loop's own function. */
bool cc_flow_in_frame(const struct cc_flow_body *b, uint64_t insn);
/* Whether it is at a fixed distance from what some register holds throughout. */
bool cc_flow_is_direct(const struct cc_flow_body *b, uint64_t insn);
/* The same of both, at places that share no byte. */
bool cc_flow_apart(const struct cc_flow_body *b, uint64_t one, uint64_t other);
/* Of an instruction that stores to one place in every iteration, which nothing in the loop loads from: the
 * operation that combines what it stores, if that is what a register combines by itself; NULL: it is not so.
 */
const char *cc_flow_copied(struct cc_flow_body *b, uint64_t insn);
/* Of one that stores 0 or 1 there and nothing else: "&&", "||". */
const char *cc_flow_sets(const struct cc_flow_body *b, uint64_t insn);
/* What decides that the loop ends. `ret` says the worst: reason and addresses. */
enum cc_flow_exit cc_flow_exits(struct cc_flow_body *b, struct cc_flow_result *ret);

#endif
