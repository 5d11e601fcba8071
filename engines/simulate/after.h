/* Code of aarch64: which registers an instruction reads and writes, and whether anybody looks at what a
 * register has from some place on. Nothing is guessed: what is not known reads and writes it. */
#ifndef CC_ENGINES_SIMULATE_AFTER_H
#define CC_ENGINES_SIMULATE_AFTER_H

#include <stdbool.h>
#include <stdint.h>

enum { USE_NONE = 0, USE_READS = 1, USE_WRITES = 2, USE_UNKNOWN = 3 };
/* Of x0 to x30; 31 is the stack pointer. */
unsigned use_of(uint32_t word, unsigned reg);

enum after_kind {
    AFTER_USED, /* or not known */
    AFTER_DEAD,
    AFTER_RETURNS, /* dead if it is where this function returns to */
};
enum { AFTER_X30 = INT32_MIN };
struct after {
    enum after_kind kind;
    int64_t back; /* of AFTER_RETURNS: where that address lies, from the stack pointer at the start
                     (AFTER_X30: in that register still), */
    int64_t up;   /* and what it will be more by */
};
/* A word of code; false: none is there. */
typedef bool after_read(uint64_t addr, uint32_t *ret);
struct after after_code(uint64_t pc, unsigned reg, after_read *read);

#endif
