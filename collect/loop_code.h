/* What the code of loops does, in a form that no ISA is left in: each piece of code that an engine
 * translated, as assignments to values that are set once. Engines make it (engines/valgrind/code.c),
 * src/analysis/loops reads it. A record of the file of records each, and an item of the profile's stream
 * `code`.
 *
 * A piece of code begins with BLOCK. Its values are numbered from 1 and known in that piece only; 0 is none.
 * Registers are bytes of the engine's guest state. Control leaves by an EXIT, if its condition holds, or by
 * the NEXT at the end, and goes to the start of another piece. */
#ifndef CC_COLLECT_LOOP_CODE_H
#define CC_COLLECT_LOOP_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum cc_code_kind {
    CC_CODE_BLOCK,  /* value: its address; a: records of it, with this one; b: bytes of code */
    CC_CODE_INSN,   /* value: address of the instruction that the following does; a: its bytes */
    CC_CODE_CONST,  /* to = value */
    CC_CODE_GET,    /* to = registers at `value` */
    CC_CODE_PUT,    /* registers at `value` = a */
    CC_CODE_LOAD,   /* to = memory at a; b: only if it is not 0, else `to` is undefined */
    CC_CODE_STORE,  /* memory at a = b; c: only if it is not 0 */
    CC_CODE_OP,     /* to = a op b op c; value: the engine's own number of the operation */
    CC_CODE_PART,   /* to = the bits of a from bit `value` on */
    CC_CODE_JOIN,   /* to = a, and above it b */
    CC_CODE_SELECT, /* to = a ? b : c; value: 1 if c is what was in the register that an instruction
                       leaves as it was, and which the run tells as read when it does */
    CC_CODE_EXIT,   /* if a: go to `value`; in profiles lane 1: which is within the function */
    CC_CODE_NEXT, /* go to `value`, or to a; op: enum cc_code_jump. Of a call, in profiles: bits and lane are
                     1 + the registers that a library function takes integers and floats in; 0: not known.
                     Of CC_CODE_PLAIN: lane as of EXIT */
    CC_CODE_EFFECT,  /* something else happens, with a, b, c; it may read and write any memory */
    CC_CODE_UNKNOWN, /* to = nobody knows; the same again may be something else */
    CC_CODE_TARGET,  /* in no piece: the indirect jump at `a` and, its upper half, b went to `value` */
    CC_CODE_CLOBBER, /* registers at `value`, `bits` of them, become nobody knows what */
    CC_CODE_KINDS,
};

enum cc_code_op {
    CC_CODE_OTHER, /* a function of its operands */
    CC_CODE_ADD,
    CC_CODE_SUB,
    CC_CODE_MUL, /* of the low half */
    CC_CODE_AND,
    CC_CODE_OR,
    CC_CODE_XOR,
    CC_CODE_NOT,
    CC_CODE_SHL,
    CC_CODE_SHR,
    CC_CODE_SAR,
    CC_CODE_MIN, /* of integers; `value` tells signed from unsigned */
    CC_CODE_MAX,
    CC_CODE_EQ,
    CC_CODE_NE,
    CC_CODE_LTS, /* a < b, signed; of parts: each all ones, or zero */
    CC_CODE_LES,
    CC_CODE_LTU,
    CC_CODE_LEU,
    CC_CODE_ZEXT, /* a with zeroes above */
    CC_CODE_SEXT,
    CC_CODE_FADD, /* floating point: rounding modes are left out */
    CC_CODE_FSUB,
    CC_CODE_FMUL,
    CC_CODE_FMIN,
    CC_CODE_FMAX,
    CC_CODE_FMA, /* a * b + c */
    CC_CODE_FNEG,
    CC_CODE_FCMP,  /* of a and b: 0 above, 1 below, 0x40 equal, 0x45 unordered */
    CC_CODE_FLAGS, /* whether condition a holds after an operation: function of a, b, c and of what came
                      before */
    CC_CODE_OPS,
};

enum cc_code_jump {
    CC_CODE_PLAIN,
    CC_CODE_CALL, /* and comes back behind the last instruction, if it does */
    CC_CODE_RETURN,
    CC_CODE_SYSTEM, /* a system call, or something the engine does; then goes on at `value` */
    CC_CODE_JUMPS,
};

/* Of a call, with `bits` in profiles: it returns its first argument; it takes as many as it is given. */
enum { CC_CODE_HANDS_BACK = 0x100, CC_CODE_COUNTED = 0x200 };

/* Where the Valgrind engine keeps registers: offsets in its guest state. */
enum {
    CC_GUEST_ARM64_X0 = 16, /* X1 and so on behind it, 8 bytes each, then SP */
    CC_GUEST_ARM64_SP = 264,
    CC_GUEST_ARM64_Q0 = 320, /* 16 bytes each */
    CC_GUEST_AMD64_RAX = 16, /* RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15 behind it, 8 bytes each */
    CC_GUEST_AMD64_RSP = 48,
    CC_GUEST_AMD64_YMM0 = 224, /* 32 bytes each */
};

struct cc_rec_loop_code {
    uint32_t kind, op; /* enum cc_code_kind; enum cc_code_op or cc_code_jump */
    uint32_t to, a, b, c;
    uint32_t bits,
        lane; /* of what it computes, stores or puts; of each part of it that is computed by itself, 0: of all
               */
    uint64_t value;
};

#endif
