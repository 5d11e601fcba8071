/* A sum that each iteration puts aside in the frame, before it adds: what code behind the loop, functions
 * that it calls, or whoever got an address of the frame, may look at there. */
#include "test_flow_case.h"

enum what {
    NOBODY,
    READ,          /* behind the loop */
    READ_LATER,    /* in code that comes after a branch */
    WRITTEN,       /* behind the loop, and then read */
    MAYBE_WRITTEN, /* on one of two ways, and then read */
    BESIDE,        /* another place is read */
    POPPED,        /* read from where another frame was, when this one is gone */
    CALLED,        /* a function reads it above its own frame */
    CALLED_OWN,    /* one that only has a frame of its own */
    LIBRARY,       /* a function of which nothing is known */
    LEAKED,        /* its address is put into a register in front of the loop */
    STORED,        /* or into memory */
    FOLLOWED,      /* so it is, and then something is loaded by an address that is not known */
    STORED_CALLED, /* or a function is called */
    STORED_OVER,   /* the same, but it is overwritten before */
    TESTED,        /* its address is looked at, whether it is a multiple of 16 */
    LOST,          /* the stack pointer is set to something unknown */
    ABOVE,         /* it is not in the frame that ends */
};

static uint32_t at_sp(struct assembler *a, uint64_t at)
{
    return op(a, CC_CODE_ADD, get(a, SP, 64), konst(a, at));
}

static void move_sp(struct assembler *a, uint64_t by)
{
    put_at(a, SP, at_sp(a, by), 64);
}

static void use(struct assembler *a, uint32_t v)
{
    store(a, konst(a, 0x50000), v);
}

/* The function begins at 0x800 with a frame of 64 bytes, and goes to the loop. */
static void front(struct assembler *a, enum what what)
{
    block(a, 0x800);
    if (what != ABOVE)
        move_sp(a, (uint64_t)-64);
    if (what == LEAKED)
        put(a, 19, at_sp(a, 16));
    if (what >= STORED && what <= STORED_OVER)
        store(a, konst(a, 0x60000), at_sp(a, 16));
    if (what == TESTED) {
        uint32_t rest = op(a, CC_CODE_AND, at_sp(a, 8), konst(a, 15));
        insn(a);
        leave_if(a, op(a, CC_CODE_NE, rest, konst(a, 0)), 0xf000);
    }
    go(a, TICK);
}

static void back(struct assembler *a, enum what what)
{
    block(a, AFTER);
    if (what == READ)
        use(a, load(a, at_sp(a, 8)));
    if (what == BESIDE)
        use(a, load(a, at_sp(a, 16)));
    if (what == READ_LATER || what == MAYBE_WRITTEN) {
        leave_if(a, op(a, CC_CODE_EQ, reg(a, 3), konst(a, 0)), 0x9200);
        go(a, 0x9100);
        block(a, 0x9100);
        if (what == MAYBE_WRITTEN)
            store(a, at_sp(a, 8), konst(a, 1));
        go(a, 0x9200);
        block(a, 0x9200);
        use(a, load(a, at_sp(a, 8)));
    }
    if (what == WRITTEN) {
        store(a, at_sp(a, 8), konst(a, 1));
        insn(a);
        use(a, load(a, at_sp(a, 8)));
    }
    if (what == FOLLOWED)
        use(a, load(a, load(a, konst(a, 0x60000))));
    if (what == STORED_OVER) {
        store(a, at_sp(a, 8), konst(a, 1));
        insn(a);
    }
    if (what == CALLED || what == CALLED_OWN || what == LIBRARY || what == STORED_CALLED ||
        what == STORED_OVER) {
        finish(a, CC_CODE_CALL, what == LIBRARY ? 0x70000 : 0xa000);
        block(a, a->insn);
    }
    if (what == LOST)
        put_at(a, SP, load(a, konst(a, 0x60000)), 64);
    if (what != ABOVE)
        move_sp(a, 64);
    if (what == POPPED) {
        insn(a);
        use(a, load(a, at_sp(a, (uint64_t)-56)));
    }
    use(a, reg(a, 2));
    finish(a, CC_CODE_RETURN, 0);
    block(a, 0xa000);
    move_sp(a, (uint64_t)-32);
    put(a, 5, at_sp(a, 8));
    use(a, load(a, at_sp(a, what == CALLED ? 32 + 8 : 8)));
    move_sp(a, 32);
    finish(a, CC_CODE_RETURN, 0);
}

/* What the debug information says of the place. */
enum name { UNKNOWN, NONE, VARIABLE };

static bool is_named_sum(enum what what, enum name name)
{
    struct assembler a = {0};
    struct facts f = {.named = name != UNKNOWN};
    front(&a, what);
    block(&a, TICK);
    count(&a, 0, 8);
    store(&a, at_sp(&a, 8), reg(&a, 2));
    uint64_t aside = a.insn - 4;
    insn(&a);
    put(&a, 2, load(&a, reg(&a, 0)));
    insn(&a);
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, at_sp(&a, 8))));
    loop_until(&a, 0, 1);
    back(&a, what);
    register_fact(&f, REG0 + 8 * 2);
    fact(&f, CC_DEPENDENCE_WRITES, aside, aside);
    f.v[1].area = CC_AREA_STACK;
    f.v[1].variable = name == VARIABLE ? "before" : NULL;
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r.class == CC_FLOW_REDUCTION;
}

static bool is_sum(enum what what)
{
    return is_named_sum(what, UNKNOWN);
}

int main(void)
{
    OK(is_sum(NOBODY), "a sum that is put aside in the frame, where nobody looks when the loop is over");
    OK(!is_sum(READ), "not if code behind the loop does");
    OK(!is_sum(READ_LATER), "nor later");
    OK(is_sum(WRITTEN), "but if it is overwritten before");
    OK(!is_sum(MAYBE_WRITTEN), "on all ways");
    OK(is_sum(BESIDE), "who looks beside it does not see it");
    OK(!is_sum(POPPED), "who looks below the stack pointer does");
    OK(!is_sum(CALLED), "and a function that is called with it");
    OK(is_sum(CALLED_OWN), "not one that has a frame of its own, even if it hands that on");
    OK(!is_sum(LIBRARY), "one that is not known might");
    OK(!is_sum(FOLLOWED), "and whoever was handed an address of the frame, or loads by one");
    OK(!is_sum(STORED_CALLED), "and functions then, whichever they are");
    OK(is_sum(LEAKED) && is_sum(STORED), "not if the function is over before anything could");
    OK(is_sum(STORED_OVER), "nor if the place is overwritten before");
    OK(is_named_sum(FOLLOWED, NONE) && is_named_sum(STORED_CALLED, NONE),
       "they lead to no place that is no variable's, where the debug information has variables");
    OK(!is_named_sum(FOLLOWED, VARIABLE) && !is_named_sum(STORED_CALLED, VARIABLE),
       "to one that is they might");
    OK(!is_named_sum(READ, NONE) && !is_named_sum(CALLED, NONE),
       "who reads it by its place does in any case");
    OK(is_sum(TESTED), "which nobody is by a look at its alignment");
    OK(!is_sum(LOST), "where frames are is not known");
    OK(!is_sum(ABOVE), "what lies above the frame stays");
    return TAP_DONE();
}
