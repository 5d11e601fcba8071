/* The code of an ELF file: its bytes, and where functions begin and end. */
#ifndef CC_BINARY_CODE_H
#define CC_BINARY_CODE_H

#include "symbols.h"
#include "../isa/flow.h"

struct cc_code_part {  /* a function, or a part of one that the compiler moved away */
    uint64_t from, to; /* [from, to) in the file's virtual addresses */
    bool thumb;
    enum { CC_END_UNKNOWN, CC_END_RETURNS, CC_END_NEVER } end; /* once someone asked: see cfg.c */
};

struct cc_code_bytes {
    const uint8_t *data;
    uint64_t from, to;
};

struct cc_code_slot { /* the cell of memory that a stub jumps through, and whose function it is for */
    uint64_t address;
    const char *name; /* as in the file's table of symbols */
};

struct cc_landing { /* an exception that leaves a call in [from, to) goes on at the pad */
    uint64_t from, to, pad;
};

/* What a call does beside calling and returning. */
enum cc_callee { CC_CALLEE_PLAIN, CC_CALLEE_NEVER_RETURNS, CC_CALLEE_RETURNS_TWICE };

struct cc_code {
    const struct cc_isa *isa;
    struct cc_flow_decoder decoder;
    CC_VEC(struct cc_code_bytes) bytes;  /* that can be executed, by address */
    CC_VEC(struct cc_code_part) parts;   /* by address, none overlap */
    CC_VEC(struct cc_code_slot) slots;   /* by address */
    CC_VEC(struct cc_landing) landings;  /* by `from` */
    CC_VEC(struct cc_code_slot) callees; /* functions that do not simply return, by address */
};

/* Nothing at all of a file that cannot be read. The symbols are borrowed and must stay. */
int cc_code_init(struct cc_code *c, struct cc_symbols *symbols, const char *path, struct cc_err *err);
void cc_code_fini(struct cc_code *c);

/* The bytes from an address on, NULL if there is no code; *ret_n: how many. */
const uint8_t *cc_code_at(const struct cc_code *c, uint64_t address, size_t *ret_n);
const struct cc_code_part *cc_code_part_of(const struct cc_code *c, uint64_t address); /* NULL: in none */
/* The function of another file that the stub at an address is for, as in its table of symbols; NULL: it is
 * none. */
const char *cc_code_stub(const struct cc_code *c, uint64_t target);
/* What is called at an address: a function of the file or a stub for another file's. */
enum cc_callee cc_code_callee(struct cc_code *c, uint64_t target);
/* The landing pad of a call at an address; 0: none. */
uint64_t cc_code_landing(const struct cc_code *c, uint64_t call);

#endif
