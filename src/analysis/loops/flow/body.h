/* A loop's code as a graph of the pieces an engine translated, and what one iteration computes in it. */
#ifndef CC_ANALYSIS_LOOPS_FLOW_BODY_H
#define CC_ANALYSIS_LOOPS_FLOW_BODY_H

#include "flow.h"
#include "value.h"
#include "../../../base/map.h"

enum {
    CC_GUEST_BYTES = 2048,            /* of registers that are followed */
    CC_GRANULES = CC_GUEST_BYTES / 8, /* what is live is kept for each 8 bytes */
    CC_FLOW_NODES = 1024,             /* pieces of code of a loop; more: it is not analysed */
    CC_FLOW_SLOTS = 4096,             /* bytes of memory at known places that are followed */
    CC_FLOW_ROUNDS = 60,
    CC_FLOW_EFFORT = 2000000000, /* values looked at, for all proofs of a loop: some seconds */
};

/* --- the code of a run: code.c --- */

struct cc_registers { /* a bit for each granule */
    uint64_t bits[CC_GRANULES / 64];
};

struct cc_flow_abi {
    uint32_t sp, pushed; /* pushed: by a call, in bytes */
    uint32_t red_zone; /* bytes below the stack pointer that a function which calls nothing has for itself */
    uint32_t first, result;                       /* an argument in registers, and what is returned */
    bool arm;                                     /* its conditions are AArch64's */
    struct cc_registers arguments, results, kept; /* kept: by functions that are called */
    struct cc_registers integers, floats;         /* of all results, by their kind */
    struct cc_registers
        more_results; /* that functions can have; those that some caller looks at are in results */
};

struct cc_flow_piece {
    uint64_t address, end;
    const struct cc_rec_loop_code *code;
    uint32_t n; /* 1: what it does is not known */
    uint32_t values;
};

struct cc_flow_jump { /* an indirect one that happened */
    uint64_t from, to;
};

/* From the record of a piece to an address. */
struct cc_flow_way {
    uint64_t to;
    uint32_t from, record; /* record: CC_NONE: a call, and that is where the function begins */
};

/* What a function takes from its caller. */
struct cc_flow_takes {
    struct cc_registers set;
    uint32_t pass; /* that it was looked at in last */
    bool open;     /* it is being looked at */
    bool settled;
};

struct cc_flow {
    CC_VEC(struct cc_flow_jump) jumps;   /* by from */
    CC_VEC(struct cc_flow_piece) pieces; /* by address */
    struct cc_flow_abi abi;
    struct cc_map reads, looks; /* address of a function -> 1 + index in takes */
    CC_VEC(struct cc_flow_takes) takes;
    struct cc_map writes; /* address of a function -> 1 + index in sets */
    CC_VEC(struct cc_registers) sets;
    unsigned depth;
    uint32_t pass;                   /* through functions that call each other */
    bool changed, recursive;         /* in this pass: some set grew, one that was not known yet was used */
    bool cut;                        /* some code is missing */
    CC_VEC(struct cc_flow_way) ways; /* by to: again.c */
    bool has_ways, lost_ways;        /* these are known; not all of them */
    struct cc_arena arena;
};

/* Where the indirect jump at the end of a piece went; how often that was seen. */
size_t cc_flow_jumps(const struct cc_flow *f, const struct cc_flow_piece *p, const struct cc_flow_jump **ret);
const struct cc_flow_piece *cc_flow_piece_at(const struct cc_flow *f, uint64_t address); /* NULL: none */
/* Where control can go from a piece: up to `max` addresses; false: it is not known. */
struct cc_flow_exit_to {
    uint64_t target;
    uint32_t record; /* of the EXIT or NEXT */
    bool leaves;     /* returns */
    bool anywhere;   /* an indirect jump */
};
uint32_t cc_flow_targets(const struct cc_flow_piece *p, struct cc_flow_exit_to *ret, uint32_t max);

static inline bool cc_register_is(const struct cc_registers *r, uint32_t granule)
{
    return granule < CC_GRANULES && r->bits[granule / 64] >> (granule % 64) & 1;
}
static inline void cc_register_add(struct cc_registers *r, uint32_t granule)
{
    if (granule < CC_GRANULES)
        r->bits[granule / 64] |= UINT64_C(1) << (granule % 64);
}

/* Registers whose values are read when control comes to `address`, before they are written (live.c). In
 * the function itself: from there to its return; as a callee: what it takes from its caller. sure: it does
 * come there; within: the place is of the same function, so that what never ran there reads nothing. */
struct cc_registers cc_flow_live_at(struct cc_flow *f, uint64_t address, bool sure, bool within,
                                    const struct cc_registers *results);
/* Registers that the loop's function may return something in. */
struct cc_registers cc_flow_results(const struct cc_flow *f, uint32_t loop_flags);
struct cc_registers cc_flow_callee_reads(struct cc_flow *f, uint64_t address);
/* Registers that a call, or a system call, may take something in. */
struct cc_registers cc_flow_taken(struct cc_flow *f, const struct cc_rec_loop_code *call);
/* The same; what a function only hands back, as the result that its caller got from it, counts if it is one
 * of these: where the caller looks at it then. */
struct cc_registers cc_flow_taken_with(struct cc_flow *f, const struct cc_rec_loop_code *call,
                                       const struct cc_registers *after);
/* A call of a library function that only gets numbers: it writes no memory (but errno). */
bool cc_flow_is_pure(const struct cc_flow *f, const struct cc_rec_loop_code *call);
bool cc_flow_hands_back(const struct cc_flow *f,
                        const struct cc_rec_loop_code *call); /* its first argument */
/* Arguments by their number and kind: code.c. */
struct cc_registers cc_flow_arguments(const struct cc_flow *f, uint32_t integers, uint32_t floats);
/* Registers that a function may write. Compilers know it of their own, and keep values in those it does not.
 */
struct cc_registers cc_flow_callee_writes(struct cc_flow *f, uint64_t address);

/* That all a call takes lies in registers. */
bool cc_flow_in_registers(const struct cc_flow *f, const struct cc_rec_loop_code *call);
/* Ways to an address: the first of f->ways, and how many. False: not all ways are known (again.c). */
bool cc_flow_find_ways(struct cc_flow *f);
size_t cc_flow_ways_to(const struct cc_flow *f, uint64_t address, size_t *ret_n);

/* --- a loop's body: graph.c, eval.c --- */

enum { CC_TO_TICK = UINT32_MAX, CC_TO_OUTSIDE = UINT32_MAX - 1 };

/* What is followed as one: registers, or memory at a known place. */
struct cc_flow_cell {
    uint32_t start, bytes; /* in a state */
    bool memory;
    uint32_t base; /* memory: at value base + offset */
    int64_t offset;
    uint32_t key; /* the same in every round */
    bool looked;  /* others load it too, so that all that is stored there may be seen */
    bool untaken; /* some call may take it, which the run did not show to */
};

struct cc_flow_byte {
    uint32_t value, at; /* the byte `at` of a value */
};

struct cc_flow_edge {
    uint32_t from, to; /* nodes, CC_TO_TICK, CC_TO_OUTSIDE */
    uint64_t target;
    uint32_t record;
    uint32_t condition; /* value that must be `taken`; 0: none */
    bool taken;
    struct cc_flow_byte *state; /* when control goes there; NULL: not known yet */
    uint32_t memory;            /* CC_VALUE_MEMORY or PHI */
};

struct cc_flow_node {
    const struct cc_flow_piece *piece;
    uint32_t order;     /* in a walk that comes to others first, but for loops */
    uint32_t component; /* nodes that reach each other in one iteration have the same */
    uint32_t edge, nedges;
    uint32_t pred, npreds; /* in preds */
    bool header;           /* an edge from further down comes here */
    bool reached;
    struct cc_flow_byte *start; /* of a header: what it began with, in this round */
    bool effects;               /* stores to unknown places, calls and the like */
};

enum cc_flow_use {
    CC_USE_ADDRESS,
    CC_USE_STORED,
    CC_USE_CONDITION,
    CC_USE_CALL,
    CC_USE_EFFECT,
    CC_USE_JUMP,
    CC_USE_AFTER, /* the loop, in register or memory `cell` */
};

struct cc_flow_root {
    uint32_t value, node, cell, edge;
    enum cc_flow_use use;
    uint64_t insn;
};

struct cc_flow_access {
    uint64_t insn;
    uint32_t node, address, bytes;
    uint32_t base; /* with offset: its address, if that does not change in the loop (`fixed`) */
    int64_t offset;
    bool store, fixed, guarded;
    uint32_t value; /* loaded or stored */
};

struct cc_flow_place { /* memory that was a cell in some round; its index is the cell's key */
    uint32_t base;
    int64_t offset;
    uint32_t bytes;
    bool shared; /* others store there too: it is memory like any other */
    bool looked; /* others load it */
};

/* --- what is used: use.c --- */

struct cc_flow_uses {
    uint32_t *user,
        *users;         /* values that have value v as an operand: users[user[v]] to users[user[v + 1] - 1] */
    uint32_t *sites;    /* by value: 1 + first access that loads it; 0: none */
    struct cc_map cell; /* INIT value -> 1 + cell */
    size_t n;
};

/* Values by number: whether. */
struct cc_flow_set {
    uint8_t *is;
    size_t n;
};

struct cc_flow_body {
    struct cc_flow *flow;
    struct cc_flow_loop loop;
    struct cc_values values;
    CC_VEC(struct cc_flow_node) nodes;
    CC_VEC(struct cc_flow_edge) edges;
    CC_VEC(uint32_t) preds; /* edges */
    CC_VEC(uint32_t) walk;  /* nodes in order */
    uint32_t tick;          /* node */
    bool once;              /* it goes round nowhere: all ways out of it end an iteration */
    uint32_t bytes;         /* of a state */
    CC_VEC(struct cc_flow_cell) cells;
    uint32_t *cell_of;           /* byte of a state -> cell */
    struct cc_registers written; /* in the loop */
    /* of the last round */
    CC_VEC(struct cc_flow_root) roots;
    CC_VEC(struct cc_flow_access) accesses;
    uint64_t seen; /* what they were in the round before */
    struct cc_arena arena;
    cc_number_vec end; /* by cell: its value when the iteration is over */
    CC_VEC(struct cc_flow_place) places;
    struct cc_map differs;     /* place of a PHI that is needed -> 1 */
    struct cc_map fixed;       /* INIT values -> 1: do not change in the loop, 2: may */
    struct cc_map known_fixed; /* any value, in this round */
    bool changed;
    struct cc_map rotating; /* by cell, of those that were asked for: see update.c */
    struct cc_flow_uses uses;
    uint64_t effort; /* spent on proofs; what takes more than CC_FLOW_EFFORT is not proved */
    uint64_t cold;   /* a branch to code of the loop that never ran; 0: none */
    struct cc_flow_range *own_blocks;
    struct cc_pdependence *own_facts, *own_meetings;
    enum { CC_FRAME_UNKNOWN, CC_FRAME_OWN, CC_FRAME_SHARED } frame; /* see frame.c */
    uint32_t frame_steps;
    const char *failed; /* why nothing is known; NULL */
};

/* slots.c: memory at places that stay the same. */
void cc_flow_slots(struct cc_flow_body *b); /* cells for the next round, from the accesses of this one */
uint32_t cc_flow_slot_at(const struct cc_flow_body *b, uint32_t base, int64_t offset,
                         uint32_t bytes); /* CC_NONE */
/* Whether each pair of instructions the loop's dependences join is one of accesses to the same slot; slots
 * for which that is not so become shared. */
void cc_flow_share(struct cc_flow_body *b);
const struct cc_rec_loop_code *cc_flow_is_call(const struct cc_flow_body *b, uint64_t insn);
/* Whether what memory `cell` holds when the loop is left by the edge may be looked at behind it (frame.c). */
bool cc_flow_stays(struct cc_flow_body *b, uint32_t edge, uint32_t cell);
static inline bool cc_flow_is_raw(enum cc_dependence_kind kind)
{
    return kind == CC_DEPENDENCE_RAW || kind == CC_DEPENDENCE_WITHIN_RAW || kind == CC_DEPENDENCE_ACROSS_RAW;
}
static inline bool cc_flow_is_war(enum cc_dependence_kind kind)
{
    return kind == CC_DEPENDENCE_WAR || kind == CC_DEPENDENCE_WITHIN_WAR || kind == CC_DEPENDENCE_ACROSS_WAR;
}
bool cc_flow_from_call(const struct cc_value *v); /* eval.c: it is the result of one */

void cc_flow_uses_init(struct cc_flow_body *b); /* when evaluation is done */
void cc_flow_uses_fini(struct cc_flow_body *b);
struct cc_flow_set cc_flow_set_new(const struct cc_flow_body *b);
void cc_flow_set_free(struct cc_flow_set *s);
/* What a value is made of, and what that is, each once: next gives one, into has its operands follow, the
 * first `but` of them left out. */
struct cc_flow_walk {
    const struct cc_flow_body *b;
    struct cc_flow_set seen;
    cc_number_vec todo;
};
struct cc_flow_walk cc_flow_walk_new(const struct cc_flow_body *b, uint32_t v);
bool cc_flow_walk_next(struct cc_flow_walk *w, uint32_t *ret);
void cc_flow_walk_into(struct cc_flow_walk *w, uint32_t v, uint32_t but);
void cc_flow_walk_free(struct cc_flow_walk *w);
/* What can only be computed with v. */
struct cc_flow_set cc_flow_dependents(const struct cc_flow_body *b, uint32_t v);

/* Of how a value goes on: C in the comments. */
struct cc_flow_chain {
    struct cc_flow_set members;
    struct cc_flow_set dependents; /* of where it starts */
    struct cc_flow_set
        decided;               /* SELECTs that are a minimum or maximum: their condition is none of its own */
    CC_VEC(uint32_t) branches; /* nodes whose branch is one */
    CC_VEC(uint32_t) meetings; /* and where the two ways meet */
    enum cc_code_op family;    /* CC_CODE_OTHER: none yet */
    uint64_t number;           /* of the operation, if `family` does not tell it */
    bool floating;
    uint32_t start;
    uint64_t store;  /* instruction that stores the result; 0: it ends in a cell */
    uint32_t stored; /* that result; 0: it ends in a cell */
    uint32_t node;   /* where it is stored */
    uint32_t cell;   /* that one; CC_NONE */
    const char *why; /* it is none */
    uint64_t at;     /* where */
};

/* A branch that only finds the smaller or larger of two, for the chain (NULL: none). */
bool cc_flow_is_own_branch(const struct cc_flow_chain *but, const struct cc_flow_root *r);
/* Whether a register has, when the loop is over, what the chain's cell has then, or what the last iteration
 * has stored: that is what is left, however it was combined. ret: that, and what else is in the register; 0:
 * nothing. */
bool cc_flow_is_left(struct cc_flow_body *b, const struct cc_flow_chain *c, const struct cc_flow_root *r,
                     uint32_t ret[2]);
/* Values of which the loop, or what follows it, needs some bit, but for what a chain decides by itself (NULL:
 * all): demand.c. */
struct cc_flow_set cc_flow_demanded(struct cc_flow_body *b, const struct cc_flow_chain *but);
/* From `end` back to chain->start by one associative operation; `last`: by choices alone. */
bool cc_flow_chain_find(struct cc_flow_body *b, struct cc_flow_chain *chain, uint32_t end, bool last);
/* And nothing else that is needed uses what is in between. */
bool cc_flow_chain_alone(struct cc_flow_body *b, struct cc_flow_chain *chain);
void cc_flow_chain_fini(struct cc_flow_chain *chain);
/* Whether some load of the loop is from a cell of memory. */
bool cc_flow_loads_from(const struct cc_flow_body *b, uint32_t cell);
/* Whether SELECT or the PHI of ways that a branch parts is the smaller or larger of two. */
bool cc_flow_is_extreme_select(struct cc_flow_body *b, struct cc_flow_chain *chain, uint32_t v,
                               uint32_t *ret_on);
bool cc_flow_is_extreme_phi(struct cc_flow_body *b, struct cc_flow_chain *chain, uint32_t v);

/* Whether code is the loop's. */
bool cc_flow_is_inside(const struct cc_flow_body *b, uint64_t address);
bool cc_flow_graph(struct cc_flow_body *b); /* false: failed is set */
void cc_flow_evaluate(struct cc_flow_body *b);
/* Value of a cell in a state. */
uint32_t cc_flow_read(struct cc_flow_body *b, const struct cc_flow_byte *state, uint32_t start,
                      uint32_t bytes);
uint32_t cc_flow_cell_init(struct cc_flow_body *b, uint32_t cell);
bool cc_flow_is_fixed(struct cc_flow_body *b, uint32_t value);
uint32_t cc_flow_cell_at(const struct cc_flow_body *b, uint64_t guest_offset); /* CC_NONE: none */

/* --- classes: flow.c, update.c --- */

void cc_flow_say(struct cc_flow_result *r, enum cc_flow_class class, const char *reason, uint64_t at);
const char *cc_flow_operation_name(enum cc_code_op family);
/* Pieces overlap: whether one comes by the branch at `insn`. */
bool cc_flow_has_branch(const struct cc_flow_body *b, uint32_t node, uint64_t insn);
/* Each iteration adds the same to it, or to each of its parts (sum.c): its step, and whether in floating
 * point. */
bool cc_flow_is_induction(struct cc_flow_body *b, uint32_t cell, struct cc_flow_result *ret);
/* The same, in integers, or nothing. */
bool cc_flow_counts(struct cc_flow_body *b, uint32_t cell);
/* Whether a register holds the same number whenever an iteration begins (again.c). */
bool cc_flow_is_number(struct cc_flow_body *b, uint32_t cell);
/* Each iteration turns the same bits over: what it is, its number tells. */
bool cc_flow_toggles(struct cc_flow_body *b, uint32_t cell);
bool cc_flow_rotates(struct cc_flow_body *b, uint32_t cell);
/* Whether what is left is made of nothing but counters and what does not change. */
bool cc_flow_follows(struct cc_flow_body *b, uint32_t cell);
/* Whether it only ever holds what one place in memory does, which the run showed the loop not to write. */
bool cc_flow_keeps(struct cc_flow_body *b, uint32_t cell);
/* Whether the loop may write what is loaded; false: it is known that it does not. */
bool cc_flow_is_written(struct cc_flow_body *b, uint32_t load);
void cc_flow_classify_update(struct cc_flow_body *b, const struct cc_pdependence *d,
                             struct cc_flow_result *ret);

#endif
