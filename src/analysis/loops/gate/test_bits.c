/* Which loops set elements that share a word, by the calls that the source tells of. */
#include "bits.h"
#include "../../../../tests/tap.h"

#define VECTOR "c:@N@std@SP>1#T@vector>#b#t0.0"
#define AT VECTOR "@F@operator[]#l#"
#define SET "c:@N@std@S@_Bit_reference@F@operator=#b#"
#define LOOK "c:@N@std@S@_Bit_reference@F@operator bool#1"
#define BITSET "c:@N@std@ST>1#Nl@bitset@F@set#l#b#"

struct calls {
    struct cc_loop_call v[2];
};

/* The line that is told of a loop with these calls, one of which may be to a function with others. */
static unsigned told(struct calls loop, struct calls callee)
{
    struct cc_source_loops all = {0};
    struct cc_source_loop s = {0};
    struct cc_loop_function f = {.symbol = "c:@F@put"};
    for (size_t i = 0; i < 2 && loop.v[i].symbol; i++)
        CC_VEC_PUSH(&s.calls, loop.v[i]);
    for (size_t i = 0; i < 2 && callee.v[i].symbol; i++)
        CC_VEC_PUSH(&f.calls, callee.v[i]);
    CC_VEC_PUSH(&all.functions, f);
    struct gate_input in = {.source = &s, .sources = &all};
    unsigned line = cc_gate_sets_bits(&in);
    CC_VEC_FINI(&s.calls);
    CC_VEC_FINI(&f.calls);
    CC_VEC_FINI(&all.functions);
    return line;
}

int main(void)
{
    static const struct cc_loop_call at = {.symbol = AT, .line = 5},
                                     own = {.symbol = AT, .line = 5, .own = true},
                                     set = {.symbol = SET, .line = 6}, look = {.symbol = LOOK, .line = 6},
                                     put = {.symbol = "c:@F@put", .line = 7},
                                     of_own = {.symbol = "c:@F@put", .line = 7, .own = true},
                                     bits = {.symbol = BITSET, .line = 8},
                                     own_bits = {.symbol = BITSET, .line = 8, .own = true};
    const struct calls none = {0}, sets = {{at, set}};
    OK_U64(told(sets, none), 6, "an element of a vector from outside is set");
    OK_U64(told((struct calls){{at, look}}, none), 0, "or looked at");
    OK_U64(told((struct calls){{own, set}}, none), 0, "a vector of the iteration's own");
    OK_U64(told((struct calls){{put}}, sets), 7, "by a function that is called");
    OK_U64(told((struct calls){{of_own}}, sets), 0, "which gets nothing from outside");
    OK_U64(told((struct calls){{put}}, (struct calls){{put, look}}), 0, "a function that calls itself");
    OK_U64(told((struct calls){{bits}}, none), 8, "a bit of a set");
    OK_U64(told((struct calls){{own_bits}}, none), 0, "of the iteration's own");
    return TAP_DONE();
}
