/* Classes of what loops carry through memory: variables that are followed as registers are, and elements. */
#include "test_flow_case.h"

static uint32_t slot(struct assembler *a, uint64_t at)
{
    return op(a, CC_CODE_ADD, get(a, SP, 64), konst(a, at));
}

/* [sp + 8] += x, and what else the case has; W and R: where */
static struct cc_flow_result slot_case(int which)
{
    struct assembler a = begin();
    struct facts f = {0};
    insn(&a);
    uint64_t read = a.insn - 4;
    uint32_t s = load(&a, slot(&a, 8));
    if (which == 1)
        store(&a, reg(&a, 0), s);
    insn(&a);
    uint64_t write = a.insn - 4;
    store(&a, slot(&a, 8),
          op(&a, CC_CODE_ADD, s, which == 2 || which == 6 ? konst(&a, 1) : load(&a, reg(&a, 0))));
    fact(&f, CC_DEPENDENCE_RAW, write, read);
    insn(&a);
    if (which == 3) { /* the run shows that this store hits it */
        store(&a, op(&a, CC_CODE_ADD, reg(&a, 4), reg(&a, 0)), konst(&a, 0));
        fact(&f, CC_DEPENDENCE_WAW, a.insn - 4, write);
    }
    if (which == 4 || which == 6)
        fact(&f, CC_DEPENDENCE_RAW, write, 0x70000); /* in a function that is called */
    if (which == 5)
        put_at(&a, SP, slot(&a, 16), 64); /* the stack moves */
    end(&a);
    return of_memory(&a, &f);
}

/* what a register counts, or loads, is put down at [sp + 8], where a called function reads it */
static struct cc_flow_result copy_case(bool counts, bool chosen)
{
    struct assembler a = begin();
    struct facts f = {0};
    uint32_t next = op(&a, CC_CODE_ADD, reg(&a, 5), konst(&a, 3));
    put(&a, 5, next);
    insn(&a);
    uint32_t value = counts ? next : load(&a, reg(&a, 0));
    uint32_t when = chosen ? op(&a, CC_CODE_EQ, load(&a, reg(&a, 0)), konst(&a, 7)) : 0;
    store(&a, slot(&a, 8), value);
    a.code.v[a.code.n - 1].c = when;
    fact(&f, CC_DEPENDENCE_RAW, a.insn - 4, 0x70000);
    end(&a);
    return of_memory(&a, &f);
}

/* h[b[i]] op= x */
static struct cc_flow_result update_case(int which)
{
    struct assembler a = begin();
    struct facts f = {0};
    uint32_t h = op(&a, CC_CODE_ADD, reg(&a, 3), load(&a, reg(&a, 0)));
    insn(&a);
    uint64_t read = a.insn - 4;
    uint32_t s = load(&a, h);
    insn(&a);
    uint64_t write = a.insn - 4;
    uint32_t sum = op(&a, which == 1 ? CC_CODE_SHL : CC_CODE_ADD, s, reg(&a, 4));
    store(&a, which == 2 ? op(&a, CC_CODE_ADD, h, konst(&a, 8)) : h, sum);
    fact(&f, CC_DEPENDENCE_RAW, write, read);
    insn(&a);
    if (which == 3)
        store(&a, reg(&a, 0), sum);
    if (which == 4)
        fact(&f, CC_DEPENDENCE_WAR, a.insn - 4, write);
    if (which == 4)
        store(&a, reg(&a, 0), load(&a, op(&a, CC_CODE_ADD, reg(&a, 5), reg(&a, 0))));
    if (which == 5)
        f.v[0].flags = CC_DEPENDENCE_FOLDED;
    end(&a);
    return of_memory(&a, &f);
}

/* A counter that lies at [sp + 8] while an iteration runs: x2 is put there, set to something else, and loaded
 * again. What overwrote the place is told as the instruction that x2 is from, or as another store. */
static struct cc_flow_result put_aside_case(bool other)
{
    struct assembler a = begin();
    struct facts f = {0};
    register_fact(&f, REG0 + 8 * 2);
    insn(&a);
    uint64_t store_at = a.insn - 4;
    store(&a, op(&a, CC_CODE_ADD, get(&a, SP, 64), konst(&a, 8)), reg(&a, 2));
    insn(&a);
    uint64_t other_at = a.insn - 4;
    store(&a, reg(&a, 0), konst(&a, 1));
    insn(&a);
    put(&a, 2, load(&a, reg(&a, 0)));
    insn(&a);
    put(&a, 2, load(&a, op(&a, CC_CODE_ADD, get(&a, SP, 64), konst(&a, 8))));
    insn(&a);
    uint64_t from = a.insn - 4;
    count(&a, 2, 4);
    fact(&f, CC_DEPENDENCE_WAW, other ? other_at : from, store_at);
    end(&a);
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

/* Whether [sp + at] is of the loop's own frame. */
static bool in_frame(const char *isa, uint64_t at, bool calls)
{
    const uint64_t sp = strcmp(isa, "x86_64") == 0 ? CC_GUEST_AMD64_RSP : SP;
    struct assembler a = begin();
    uint64_t insn_at = a.insn - 4;
    store(&a, op(&a, CC_CODE_ADD, get(&a, sp, 64), konst(&a, at)), konst(&a, 1));
    if (calls) {
        put_at(&a, sp, op(&a, CC_CODE_SUB, get(&a, sp, 64), konst(&a, 8)), 64);
        finish(&a, CC_CODE_CALL, 0x70000);
        block(&a, a.insn);
    }
    end(&a);
    struct cc_flow *flow = cc_flow_new(a.code.v, a.code.n, isa, false);
    struct cc_flow_body *b = cc_flow_body_new(
        flow, &(struct cc_flow_loop){.header = TICK, .tick = TICK, .blocks = &loop_code, .nblocks = 1});
    bool is = cc_flow_in_frame(b, insn_at);
    cc_flow_body_free(b);
    cc_flow_free(flow);
    CC_VEC_FINI(&a.code);
    return is;
}

static void test_frame(void)
{
    OK(in_frame("x86_64", 8, false) && in_frame("x86_64", (uint64_t)-128, false),
       "a red zone is of the frame");
    OK(!in_frame("x86_64", (uint64_t)-136, false), "no more than that");
    OK(in_frame("x86_64", 8, true) && !in_frame("x86_64", (uint64_t)-8, true), "nor where the loop calls");
    OK(!in_frame("aarch64", (uint64_t)-8, false), "and aarch64 has none");
}

/* What is loaded at one place of the frame and stored at another, `by` further on; moves: the stack does. */
static bool apart_case(uint64_t by, bool moves)
{
    struct assembler a = begin();
    insn(&a);
    uint64_t read = a.insn - 4;
    uint32_t s = load(&a, slot(&a, 8));
    insn(&a);
    store(&a, slot(&a, 8 + by), s);
    uint64_t write = a.insn - 4;
    if (moves)
        put_at(&a, SP, slot(&a, 16), 64);
    end(&a);
    struct cc_flow *flow = cc_flow_new(a.code.v, a.code.n, "aarch64", false);
    struct cc_flow_body *b = cc_flow_body_new(
        flow, &(struct cc_flow_loop){.header = TICK, .tick = TICK, .blocks = &loop_code, .nblocks = 1});
    bool apart = cc_flow_apart(b, read, write) && cc_flow_apart(b, write, read);
    OK(!cc_flow_apart(b, read, 0x70000), "of other code nobody knows");
    cc_flow_body_free(b);
    cc_flow_free(flow);
    CC_VEC_FINI(&a.code);
    return apart;
}

int main(void)
{
    OK(apart_case(8, false), "two places of the frame");
    OK(!apart_case(0, false), "one");
    OK(!apart_case(4, false), "two that share a byte");
    OK(!apart_case(8, true), "places of a frame that moves");
    OK(is(slot_case(0), CC_FLOW_REDUCTION, "+"), "a variable in the frame that is summed up");
    OK(is(slot_case(1), CC_FLOW_RECURRENCE, NULL), "and looked at");
    OK(is(slot_case(2), CC_FLOW_INDUCTION, NULL), "counted");
    OK(is(slot_case(3), CC_FLOW_RECURRENCE, NULL), "another store was seen to hit it");
    OK(is(slot_case(4), CC_FLOW_RECURRENCE, NULL), "something else was seen to read it");
    OK(is(put_aside_case(false), CC_FLOW_INDUCTION, NULL), "a counter that is put aside and taken back");
    OK(is(put_aside_case(true), CC_FLOW_RECURRENCE, NULL), "not where another store was seen to hit it");
    OK(is(slot_case(5), CC_FLOW_RECURRENCE, NULL), "a place that moves is none");
    OK(is(slot_case(6), CC_FLOW_INDUCTION, NULL) && slot_case(6).looked, "who reads a counter could count");
    OK(is(copy_case(true, false), CC_FLOW_INDUCTION, NULL), "the same of what a register counts");
    OK(is(copy_case(false, false), CC_FLOW_RECURRENCE, NULL), "not of what is loaded");
    OK(is(copy_case(true, true), CC_FLOW_RECURRENCE, NULL), "nor of what only some iterations put there");
    OK(is(update_case(0), CC_FLOW_REDUCTION, "+"), "elements that are updated");
    OK(is(update_case(1), CC_FLOW_RECURRENCE, NULL), "by an operation that is not associative");
    OK(is(update_case(2), CC_FLOW_RECURRENCE, NULL), "another element is written");
    OK(is(update_case(3), CC_FLOW_RECURRENCE, NULL), "the new value is used");
    OK(is(update_case(4), CC_FLOW_RECURRENCE, NULL), "somebody else was seen to read it");
    OK(is(update_case(5), CC_FLOW_RECURRENCE, NULL), "not all that was seen is known");
    test_frame();
    return TAP_DONE();
}
