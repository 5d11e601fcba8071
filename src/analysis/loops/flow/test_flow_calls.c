/* What functions that are called hand back as they found it, in the register that results come in. */
#include "test_flow_case.h"

/* What an iteration leaves in x0 is nobody's when a function that is called behind the loop only hands it
 * back and its caller does not look; 1: the caller does, 2: the function does. x2 counts, x0 is doubled. */
static struct cc_flow_result handed_case(int which)
{
    struct assembler a = {0};
    block(&a, TICK);
    count(&a, 2, 8);
    insn(&a);
    put(&a, 0, op(&a, CC_CODE_SHL, reg(&a, 0), konst(&a, 1)));
    loop_until(&a, 2, 1);
    block(&a, AFTER);
    finish(&a, CC_CODE_CALL, 0xa000);
    block(&a, a.insn);
    if (which == 1)
        store(&a, konst(&a, 0x50000), reg(&a, 0));
    put(&a, 0, konst(&a, 0));
    finish(&a, CC_CODE_RETURN, 0);
    block(&a, 0xa000);
    if (which == 2)
        store(&a, konst(&a, 0x50000), reg(&a, 0));
    leave_if(&a, op(&a, CC_CODE_EQ, reg(&a, 3), konst(&a, 0)), 0xa200);
    go(&a, 0xa100);
    block(&a, 0xa100);
    put(&a, 0, konst(&a, 1));
    go(&a, 0xa200);
    block(&a, 0xa200);
    finish(&a, CC_CODE_RETURN, 0);
    return of_register(&a, 0);
}

static void test_handed_back(void)
{
    OK(is(handed_case(0), CC_FLOW_DEAD, NULL), "what a function hands back and nobody looks at is dead");
    OK(is(handed_case(1), CC_FLOW_RECURRENCE, NULL), "its caller looks at it");
    OK(is(handed_case(2), CC_FLOW_RECURRENCE, NULL), "or the function");
}

/* A sum in x0, which a function that each iteration calls leaves as it was and its caller gets back. `sets`:
 * on some way it is set there, `looks`: it is stored. */
static struct cc_flow_result passed_by_case(bool sets, bool looks)
{
    struct assembler a = {0};
    block(&a, TICK);
    count(&a, 19, 8);
    finish(&a, CC_CODE_CALL, 0xa000);
    block(&a, a.insn);
    put(&a, 0, op(&a, CC_CODE_ADD, reg(&a, 0), load(&a, reg(&a, 19))));
    loop_until(&a, 19, 1);
    block(&a, AFTER);
    finish(&a, CC_CODE_RETURN, 0);
    block(&a, 0xa000);
    if (looks)
        store(&a, konst(&a, 0x50000), reg(&a, 0));
    leave_if(&a, op(&a, CC_CODE_EQ, reg(&a, 3), konst(&a, 0)), 0xa200);
    go(&a, 0xa100);
    block(&a, 0xa100);
    put(&a, sets ? 0 : 5, konst(&a, 1));
    go(&a, 0xa200);
    block(&a, 0xa200);
    finish(&a, CC_CODE_RETURN, 0);
    return of_register(&a, 0);
}

static void test_passed_by(void)
{
    OK(is(passed_by_case(false, false), CC_FLOW_REDUCTION, "+"), "a sum over calls that leave it alone");
    OK(is(passed_by_case(true, false), CC_FLOW_RECURRENCE, NULL), "not if some way sets it");
    OK(is(passed_by_case(false, true), CC_FLOW_RECURRENCE, NULL), "nor if the function looks");
}

/* x3 is changed in some iterations, and a library's function was seen to read it, which takes `integers`. */
static struct cc_flow_result read_beside_case(uint32_t integers)
{
    struct assembler a = {0};
    struct facts f = {0};
    block(&a, TICK);
    count(&a, 19, 8);
    leave_if(&a, op(&a, CC_CODE_EQ, load(&a, reg(&a, 19)), konst(&a, 0)), 0x1200);
    go(&a, 0x1100);
    block(&a, 0x1100);
    put(&a, 3, op(&a, CC_CODE_SHL, reg(&a, 3), konst(&a, 1)));
    go(&a, 0x1200);
    block(&a, 0x1200);
    uint64_t call = a.insn - 4;
    finish(&a, CC_CODE_CALL, 0x70000);
    a.code.v[a.code.n - 1].bits = 1 + integers;
    a.code.v[a.code.n - 1].lane = 1;
    block(&a, a.insn);
    loop_until(&a, 19, 1);
    block(&a, AFTER);
    store(&a, konst(&a, 0x50000), reg(&a, 3));
    finish(&a, CC_CODE_RETURN, 0);
    register_fact(&f, REG0 + 8 * 3);
    f.v[0].second = call;
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

static void test_read_beside(void)
{
    OK(is(read_beside_case(3), CC_FLOW_DEAD, NULL), "a function looks where it takes nothing");
    OK(is(read_beside_case(4), CC_FLOW_RECURRENCE, NULL), "and where it does");
}

/* A sum in x0, put aside in x20 over a call of nobody knows what, which may take it. The run shows that it is
 * read by an instruction of the loop, or by the call. */
static struct cc_flow_result put_aside_case(bool by_call)
{
    struct assembler a = {0};
    struct facts f = {0};
    block(&a, TICK);
    count(&a, 19, 8);
    insn(&a);
    uint64_t own = a.insn - 4;
    put(&a, 20, reg(&a, 0));
    insn(&a);
    uint64_t call = a.insn - 4;
    finish(&a, CC_CODE_CALL, 0x70000);
    block(&a, a.insn);
    put(&a, 0, op(&a, CC_CODE_ADD, reg(&a, 20), load(&a, reg(&a, 19))));
    loop_until(&a, 19, 1);
    block(&a, AFTER);
    store(&a, konst(&a, 0x50000), reg(&a, 0));
    put(&a, 20, konst(&a, 0));
    finish(&a, CC_CODE_RETURN, 0);
    register_fact(&f, REG0);
    f.v[0].second = by_call ? call : own;
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

static void test_put_aside(void)
{
    OK(is(put_aside_case(false), CC_FLOW_REDUCTION, "+"), "a function that was not seen to read a sum");
    OK(is(put_aside_case(true), CC_FLOW_RECURRENCE, NULL), "and one that was");
}

int main(void)
{
    test_put_aside();
    test_handed_back();
    test_passed_by();
    test_read_beside();
    return TAP_DONE();
}
