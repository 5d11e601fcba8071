/* Shared by the files that work out what decides where a loop accesses. */
#ifndef CC_COLLECT_APART_INTERNAL_H
#define CC_COLLECT_APART_INTERNAL_H

#include "apart.h"

enum {
    REGISTERS = 34, /* words of the guest's state: general registers and the stack pointer are among them */
    TERMS = 6,
    NODES = 1024,
    FORMS = 2048,
    HASHES = 4096,
    VALUES = 16384,
    STORES = 256,
    SITES = 32,
    DEFINITIONS = 8,
    SLOTS = 64,
    ITEMS = 12,
    PROGRAM = 192,
    STACK = 16,
};

static inline uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

/* A sum of multiples of nodes. They are numbered so that equal ones have one number; 0 is nobody knows. */
struct term {
    uint32_t node;
    uint64_t by;
};
struct form {
    uint64_t k;
    uint32_t n;
    struct term t[TERMS]; /* by number of the node */
};

enum node_kind {
    NODE_START, /* a register where a piece of code begins */
    NODE_ENTRY, /* the same where the loop is entered */
    NODE_LOAD,  /* of memory at form a */
    NODE_OP,    /* of forms a, b and c */
    NODE_GOES,  /* begins as form a, in a loop inside, and goes on from there */
};
struct node {
    uint32_t kind, bits, op, a, b, c;
    uint64_t value; /* a register's offset; the operation's number */
    bool varies;    /* in the loop */
    uint64_t step;  /* so much from iteration to iteration; 0: not known */
    bool busy, done;
    uint32_t resolved; /* form */
};

struct store {
    uint32_t address, value, resolved; /* forms; the last: of the address */
};
struct site {
    uint32_t address; /* form */
    bool write;
    int64_t low, high; /* it goes so far, downwards and upwards, with each iteration */
    bool anywhere;     /* not known how far */
};

struct definitions { /* of a register, in the loop: forms */
    uint32_t n;
    uint32_t v[DEFINITIONS];
};

enum item_kind { ITEM_VALUE, ITEM_DISTANCE, ITEM_TABLE, ITEM_WALK };
struct item {
    uint32_t kind, from, to; /* instructions of the program */
    uint32_t form;
    uint64_t step;           /* of a table, */
    uint32_t size;           /* and of what is looked up there */
    int64_t low[2], high[2]; /* of a distance: how far both ends go with each iteration */
    bool anywhere;
};

enum { DO_CONSTANT, DO_REGISTER, DO_LOAD, DO_SCALE, DO_ADD, DO_GO, DO_OP };
struct step {
    uint8_t what, op, nargs, bits;
    uint64_t v;
};

struct cc_apart {
    uint32_t nitems, nsteps;
    struct item items[ITEMS];
    struct step steps[PROGRAM];
};

struct apart_work {
    const struct cc_depend_machine *machine;
    uint32_t nforms, nnodes;
    struct form forms[FORMS];
    struct node nodes[NODES];
    uint16_t form_hash[HASHES], node_hash[HASHES];
    bool full;
    bool calls; /* the loop makes some */
    /* of the present piece of code */
    uint32_t values[VALUES];
    uint8_t value_bits[VALUES];
    uint32_t now[REGISTERS];
    uint32_t nslots;
    struct {
        uint32_t address, value;
    } slots[SLOTS];
    /* of all of them */
    struct definitions of[REGISTERS];
    uint32_t nstores, nsites, nsteps;
    struct store stores[STORES];
    struct site sites[SITES];
    uint32_t steps[DEFINITIONS]; /* what something goes on by, if that is no constant: forms */
    uint32_t depth;
};

/* apart_form.c */
uint32_t cc_apart_constant(struct apart_work *w, uint64_t k);
uint32_t cc_apart_of(struct apart_work *w, uint32_t node); /* the form of that node alone */
uint32_t cc_apart_node(struct apart_work *w, const struct node *x);
uint32_t cc_apart_sum(struct apart_work *w, uint32_t a, uint32_t b, uint64_t by); /* a + b * by */
uint32_t cc_apart_operate(struct apart_work *w, const struct node *x);
bool cc_apart_varies(const struct apart_work *w, uint32_t form);
uint32_t cc_apart_resolve(struct apart_work *w, uint32_t form);
/* apart_code.c */
void cc_apart_piece(struct apart_work *w, const struct cc_rec_loop_code *v);

#endif
