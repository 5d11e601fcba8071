/* Values that the code of a loop computes in one iteration, as expressions: two values with one number are
 * equal. The leaves are constants, what registers and memory held when the iteration began, and what nobody
 * knows. */
#ifndef CC_ANALYSIS_LOOPS_FLOW_VALUE_H
#define CC_ANALYSIS_LOOPS_FLOW_VALUE_H

#include "../../../profile/profile.h"

enum cc_value_kind {
    CC_VALUE_NONE,
    CC_VALUE_CONST,   /* data */
    CC_VALUE_INIT,    /* of registers at `data`, or with a: of memory at a + data, when the iteration began */
    CC_VALUE_OP,      /* op(a, b, c); data: see cc_values_op */
    CC_VALUE_PART,    /* the bits of a from `data` on */
    CC_VALUE_JOIN,    /* a, above it b */
    CC_VALUE_SELECT,  /* a ? b : c */
    CC_VALUE_LOAD,    /* memory at a, as b left it */
    CC_VALUE_MEMORY,  /* all memory, after b was stored at a, and before that c; data: 1: at the start; 2:
                         something unknown */
    CC_VALUE_PHI,     /* one of its operands, by the way control came */
    CC_VALUE_UNKNOWN, /* data: which */
};

struct cc_value {
    uint8_t kind, op;
    uint16_t bits, lane;
    uint32_t a, b, c;
    uint64_t data;
    uint32_t first, n; /* of a PHI, in struct cc_values */
};

typedef CC_VEC(struct cc_value) cc_value_vec;
typedef CC_VEC(uint32_t) cc_number_vec;

struct cc_values {
    cc_value_vec v; /* 0 is none */
    cc_number_vec operands;
    uint32_t *hash;
    size_t hash_cap;
};

void cc_values_init(struct cc_values *x);
void cc_values_fini(struct cc_values *x);

static inline const struct cc_value *cc_value(const struct cc_values *x, uint32_t v)
{
    return &x->v.v[v];
}

/* Each simplifies. */
uint32_t cc_value_const(struct cc_values *x, uint64_t data, unsigned bits);
uint32_t cc_value_init(struct cc_values *x, uint32_t base, uint64_t at, unsigned bits);
uint32_t cc_value_part(struct cc_values *x, uint32_t a, unsigned from, unsigned bits);
uint32_t cc_value_join(struct cc_values *x, uint32_t low, uint32_t high);
uint32_t cc_value_select(struct cc_values *x, uint32_t condition, uint32_t yes, uint32_t no);
uint32_t cc_value_load(struct cc_values *x, uint32_t address, uint32_t memory, unsigned bits);
uint32_t cc_value_memory(struct cc_values *x, uint32_t before, uint32_t address, uint32_t data);
uint32_t cc_value_unknown(struct cc_values *x, uint64_t which, unsigned bits);
struct cc_operation {
    enum cc_code_op op;
    unsigned bits, lane;
    uint32_t a, b, c;
    uint64_t number; /* of an operation that `op` alone does not tell */
};
uint32_t cc_value_op(struct cc_values *x, struct cc_operation o);
/* A new one; operands may be given later. */
uint32_t cc_value_phi(struct cc_values *x, uint64_t where, unsigned bits);
void cc_value_phi_set(struct cc_values *x, uint32_t phi, const uint32_t *operands, uint32_t n);

bool cc_value_is_const(const struct cc_values *x, uint32_t v, uint64_t *ret);
/* What the operation gives for constants of `width` bits; false: that is not known. */
bool cc_value_fold(const struct cc_operation *o, const uint64_t k[2], unsigned width, uint64_t *ret);
/* v = *ret_base + the constant returned. */
int64_t cc_value_offset(const struct cc_values *x, uint32_t v, uint32_t *ret_base);
/* How many operands v has, and which; *memory* of a load is none. */
uint32_t cc_value_operands(const struct cc_values *x, uint32_t v, const uint32_t **ret);

#endif
