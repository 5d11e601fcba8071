/* Where the shadow memory of an access lies, and the accesses that calls and returns of x86 make by
 * themselves. */
#ifndef CC_ENGINES_VALGRIND_ACCESS_H
#define CC_ENGINES_VALGRIND_ACCESS_H

#include "engine.h"
#include "../../collect/quick.h"

/* Words at 64 TiB, bytes of split words at 80: outside what Valgrind gives to programs and to itself, which
 * ends far below 2^40. What programs map elsewhere by themselves (V8 does) has chunks of its own; an access
 * that begins before the limit may end behind it. */
#define PIECE_WORDS 0x400000000000ul
#define PIECE_BYTES 0x500000000000ul
#define PIECE_BITS 40
#define PIECE_LIMIT (1ul << PIECE_BITS)
#define PIECE_SPARE 4096ul

static inline Bool is_far(ULong a)
{
    return __builtin_expect(a >> PIECE_BITS != 0, 0);
}

static inline struct cc_spot spot(ULong a)
{
    return (struct cc_spot){(cc_cell *)(PIECE_WORDS + (a & ~3ul)), (cc_cell *)(PIECE_BYTES + a * 4)};
}

/* What is not as mostly. */
__attribute__((noinline)) void cc_vg_pushed_other(ULong a);
__attribute__((noinline)) void cc_vg_popped_other(ULong a);

/* A call has left its return address at `a`; the caller still runs. */
static inline void cc_vg_pushed(struct cc_thread *t, ULong a)
{
    if (is_far(a) || !cc_quick_push(t, a, spot(a)))
        cc_vg_pushed_other(a);
}

/* A return takes it from there. */
static inline void cc_vg_popped(struct cc_thread *t, ULong a)
{
    if (is_far(a) || !cc_quick_load(t, a, 3, CC_ONE, spot(a)))
        cc_vg_popped_other(a);
}

#endif
