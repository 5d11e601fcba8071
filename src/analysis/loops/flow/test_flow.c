/* Classes of what loops carry, on code made by hand: each has its proof, and each comes with what breaks the
 * proof. */
#include "test_flow_case.h"

static void test_induction(void)
{
    struct assembler a = begin();
    end(&a);
    struct cc_flow_result r = of_register(&a, 0);
    OK(is(r, CC_FLOW_INDUCTION, NULL) && r.has_step && r.step == 8, "a counter");

    a = begin();
    count(&a, 2, 3);
    count(&a, 2, (uint64_t)-5);
    store(&a, reg(&a, 2), reg(&a, 2));
    end(&a);
    r = of_register(&a, 2);
    OK(is(r, CC_FLOW_INDUCTION, NULL) && r.has_step && r.step == -2, "updated twice, used in between");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), reg(&a, 3)));
    store(&a, reg(&a, 2), konst(&a, 1));
    end(&a);
    r = of_register(&a, 2);
    OK(is(r, CC_FLOW_INDUCTION, NULL) && !r.has_step, "an invariant is added");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, reg(&a, 0))));
    store(&a, reg(&a, 2), konst(&a, 1));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL),
       "something loaded is added, and the sum is an address");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_SHL, reg(&a, 2), konst(&a, 1)));
    store(&a, reg(&a, 2), konst(&a, 1));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "shifted");
}

/* x2 += x3, by its lower half or all of it; x3 was put aside by its lower half. */
static struct cc_flow_result aside_case(bool whole, uint64_t more)
{
    struct assembler a = begin();
    uint32_t half = op(&a, CC_CODE_ZEXT, part(&a, reg(&a, 3), 0, 32), 0);
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), whole ? reg(&a, 3) : half));
    store(&a, reg(&a, 2), konst(&a, 1));
    put(&a, 3, more ? op(&a, CC_CODE_ADD, half, konst(&a, more)) : half);
    end(&a);
    return of_register(&a, 2);
}

static void test_aside(void)
{
    OK(is(aside_case(false, 0), CC_FLOW_INDUCTION, NULL), "the lower half of a register stays");
    OK(is(aside_case(true, 0), CC_FLOW_RECURRENCE, NULL), "the upper half need not");
    OK(is(aside_case(false, 1), CC_FLOW_RECURRENCE, NULL), "the lower half goes on");
}

/* if (x2 == 5) x2 = k; else x2 += 1; `by`: the other register of the test; `strays`: control also comes to
 * the constant from elsewhere. */
static struct cc_flow_result known_case(unsigned by, uint64_t k, bool strays)
{
    struct assembler a = begin();
    leave_if(&a, op(&a, CC_CODE_EQ, reg(&a, by), konst(&a, 5)), 0x1200);
    go(&a, 0x1100);
    block(&a, 0x1100);
    count(&a, 2, 1);
    insn(&a);
    if (strays)
        leave_if(&a, op(&a, CC_CODE_EQ, reg(&a, 3), konst(&a, 0)), 0x1200);
    go(&a, 0x1300);
    block(&a, 0x1200);
    put(&a, 2, konst(&a, k));
    go(&a, 0x1300);
    block(&a, 0x1300);
    store(&a, reg(&a, 2), konst(&a, 1));
    end(&a);
    return of_register(&a, 2);
}

static void test_known(void)
{
    struct cc_flow_result r = known_case(2, 6, false);
    OK(is(r, CC_FLOW_INDUCTION, NULL) && r.has_step && r.step == 1, "set to what adding to it gives there");
    OK(is(known_case(2, 7, false), CC_FLOW_RECURRENCE, NULL), "to something else");
    OK(is(known_case(3, 6, false), CC_FLOW_RECURRENCE, NULL), "by a test of something else");
    OK(is(known_case(2, 6, true), CC_FLOW_RECURRENCE, NULL), "or also without the test");
}

/* x2 is a sum, x4 has a copy of it when the loop is over; late: of what it was before. */
static struct cc_flow_result copied_case(bool late, bool looked)
{
    struct assembler a = begin();
    if (late)
        put(&a, 4, reg(&a, 2));
    insn(&a);
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, reg(&a, 0))));
    insn(&a);
    if (looked)
        store(&a, reg(&a, 0), reg(&a, 4));
    if (!late)
        put(&a, 4, reg(&a, 2));
    loop_until(&a, 0, 1);
    after(&a, (unsigned[]){2, 4}, 2);
    return of_register(&a, 2);
}

static void test_copied(void)
{
    OK(is(copied_case(false, false), CC_FLOW_REDUCTION, "+"), "a register has a copy of the sum at the end");
    OK(is(copied_case(true, false), CC_FLOW_RECURRENCE, NULL), "of the sum as it was before the last");
    OK(is(copied_case(false, true), CC_FLOW_RECURRENCE, NULL), "and the next iteration stores it");
}

/* The low byte of a register, as x86-64 has it, and the rest of it. */
static struct assembler in_parts(enum cc_code_op low_op, uint64_t above)
{
    struct assembler a = begin();
    uint32_t low = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_OP,
                                                      .op = low_op,
                                                      .a = part(&a, reg(&a, 2), 0, 8),
                                                      .b = part(&a, konst(&a, 2), 0, 8),
                                                      .bits = 8});
    uint32_t rest = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_OP,
                                                       .op = CC_CODE_ADD,
                                                       .a = part(&a, reg(&a, 2), 8, 56),
                                                       .b = part(&a, konst(&a, above), 0, 56),
                                                       .bits = 56});
    put(&a, 2, made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_JOIN, .a = low, .b = rest, .bits = 64}));
    store(&a, reg(&a, 0), reg(&a, 2));
    end(&a);
    return a;
}

static void test_parts(void)
{
    struct assembler a = in_parts(CC_CODE_ADD, 0);
    OK(is(of_register(&a, 2), CC_FLOW_INDUCTION, NULL), "something is added to the low byte");
    a = in_parts(CC_CODE_ADD, 3);
    OK(is(of_register(&a, 2), CC_FLOW_INDUCTION, NULL), "and something to the rest");
    a = in_parts(CC_CODE_SHL, 3);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "the low byte is shifted");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_FADD, reg(&a, 2), reg(&a, 3)));
    store(&a, reg(&a, 0), reg(&a, 2));
    end(&a);
    struct cc_flow_result r = of_register(&a, 2);
    OK(is(r, CC_FLOW_INDUCTION, NULL) && r.floating && !r.has_step, "counts in floating point");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_FADD, reg(&a, 2), load(&a, reg(&a, 0))));
    store(&a, reg(&a, 0), reg(&a, 2));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "a running sum in floating point");
}

/* The low byte of x2 is set anew, the rest stays; of both something is stored. */
static struct cc_flow_result low_byte(enum cc_code_op how, uint64_t k)
{
    struct assembler a = begin();
    uint32_t low = part(&a, load(&a, reg(&a, 0)), 0, 8), rest = part(&a, reg(&a, 2), 8, 56);
    rest = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_OP, .op = CC_CODE_NOT, .a = rest, .bits = 56});
    put(&a, 2, made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_JOIN, .a = low, .b = rest, .bits = 64}));
    insn(&a);
    uint32_t seen = op(&a, how, reg(&a, 2), konst(&a, k));
    store(&a, reg(&a, 0), op(&a, CC_CODE_AND, op(&a, CC_CODE_ADD, seen, konst(&a, 5)), konst(&a, 0x7f)));
    loop_until(&a, 0, 1);
    after(&a, NULL, 0);
    return of_register(&a, 2);
}

static void test_bits(void)
{
    OK(is(low_byte(CC_CODE_AND, 0xff), CC_FLOW_DEAD, NULL), "the low byte is looked at, set anew");
    OK(is(low_byte(CC_CODE_ADD, 3), CC_FLOW_DEAD, NULL), "sums carry only upwards");
    OK(is(low_byte(CC_CODE_MUL, 3), CC_FLOW_DEAD, NULL), "and so do products");
    OK(is(low_byte(CC_CODE_SHL, 4), CC_FLOW_DEAD, NULL), "it is moved up");
    OK(is(low_byte(CC_CODE_SHR, 1), CC_FLOW_DEAD, NULL), "and down, by so much that the mask leaves it");
    OK(is(low_byte(CC_CODE_SHR, 2), CC_FLOW_RECURRENCE, NULL), "by one bit more");
    OK(is(low_byte(CC_CODE_LTU, 9), CC_FLOW_RECURRENCE, NULL), "a comparison looks at all of it");
}

/* x2 = the first bit of x[i], or as it was; told: the engine said what the choice is; left: the run has shown
 * that it was left as it was. */
static struct cc_flow_result scan_case(bool told, bool left)
{
    struct assembler a = begin();
    struct facts f = {0};
    insn(&a);
    register_fact(&f, REG0 + 8 * 2);
    f.v[0].second = left ? a.insn - 4 : 0x1800;
    uint32_t v = load(&a, reg(&a, 0));
    put(&a, 2,
        choose(&a, op(&a, CC_CODE_NE, v, konst(&a, 0)), op(&a, CC_CODE_XOR, v, konst(&a, 63)), reg(&a, 2)));
    a.code.v[a.code.n - 2].value = told;
    store(&a, reg(&a, 0), reg(&a, 2));
    end(&a);
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

static void test_scan(void)
{
    OK(is(scan_case(true, false), CC_FLOW_DEAD, NULL),
       "a register that is always set anew where a bit is found");
    OK(is(scan_case(true, true), CC_FLOW_RECURRENCE, NULL), "not if it was left as it was");
    OK(is(scan_case(false, false), CC_FLOW_RECURRENCE, NULL), "nor any other choice");
}

/* The upper half of a vector register is shifted. Behind the loop the lower half is set, as scalar arithmetic
 * does, with what is above it left as it was; then one of the halves is stored. */
static struct cc_flow_result above_case(unsigned from)
{
    struct assembler a = begin();
    struct facts f = {0};
    put_at(&a, Q0 + 8, op(&a, CC_CODE_SHL, get(&a, Q0 + 8, 64), konst(&a, 1)), 64);
    loop_until(&a, 0, 1);
    block(&a, AFTER);
    uint32_t above = part(&a, get(&a, Q0, 128), 64, 64), low = load(&a, reg(&a, 0));
    put_at(&a, Q0,
           made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_JOIN, .a = low, .b = above, .bits = 128}), 128);
    insn(&a);
    store(&a, konst(&a, 0x50000), part(&a, get(&a, Q0, 128), from, 64));
    put_at(&a, Q0, konst(&a, 0), 64);
    put_at(&a, Q0 + 8, konst(&a, 0), 64);
    finish(&a, CC_CODE_RETURN, 0);
    register_fact(&f, Q0 + 8);
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

static void test_above(void)
{
    OK(is(above_case(0), CC_FLOW_DEAD, NULL), "half of a register that is handed on, and not looked at");
    OK(is(above_case(64), CC_FLOW_RECURRENCE, NULL), "or looked at later");
}

/* xmm3 is shifted, and a function behind the loop takes as many numbers in vector registers as AL says. */
static struct cc_flow_result printed_case(uint64_t al)
{
    const uint64_t xmm3 = CC_GUEST_AMD64_YMM0 + 3 * 32;
    struct assembler a = begin();
    struct facts f = {.isa = "x86_64"};
    put_at(&a, xmm3, op(&a, CC_CODE_SHL, get(&a, xmm3, 64), konst(&a, 1)), 64);
    loop_until(&a, 0, 1);
    block(&a, AFTER);
    put_at(&a, CC_GUEST_AMD64_RAX, part(&a, konst(&a, 77), 0, 8), 8);
    put_at(&a, CC_GUEST_AMD64_RAX,
           made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_CONST, .bits = 8, .value = al}), 8);
    finish(&a, CC_CODE_CALL, 0x70000);
    a.code.v[a.code.n - 1].bits = CC_CODE_COUNTED | 7;
    a.code.v[a.code.n - 1].lane = 9;
    block(&a, a.insn);
    finish(&a, CC_CODE_RETURN, 0);
    register_fact(&f, xmm3);
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

static void test_printed(void)
{
    OK(is(printed_case(3), CC_FLOW_DEAD, NULL), "a register that printf is not given");
    OK(is(printed_case(4), CC_FLOW_RECURRENCE, NULL), "and one that it is");
}

/* if (x[i]) x2 += k; then x2 += l on both ways, or on one */
static struct assembler conditional(uint64_t k, uint64_t l, bool used)
{
    struct assembler a = begin();
    leave_if(&a, op(&a, CC_CODE_EQ, load(&a, reg(&a, 0)), konst(&a, 0)), 0x1200);
    go(&a, 0x1100);
    block(&a, 0x1100);
    count(&a, 2, k);
    go(&a, 0x1300);
    block(&a, 0x1200);
    count(&a, 2, l);
    go(&a, 0x1300);
    block(&a, 0x1300);
    if (used)
        store(&a, reg(&a, 2), konst(&a, 1));
    end(&a);
    return a;
}

static void test_conditional(void)
{
    struct assembler a = conditional(4, 4, true);
    struct cc_flow_result r = of_register(&a, 2);
    OK(is(r, CC_FLOW_INDUCTION, NULL) && r.step == 4, "the same on both ways is an induction");
    a = conditional(4, 5, true);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "not the same: o[k++] is none");
    a = conditional(4, 0, false);
    OK(is(of_register(&a, 2), CC_FLOW_REDUCTION, "+"), "but a count that nobody looks at is a reduction");
}

/* --- reductions --- */

static struct cc_flow_result combine(enum cc_code_op o, bool left, bool seen)
{
    struct assembler a = begin();
    uint32_t x = load(&a, reg(&a, 0)), s = reg(&a, 2);
    uint32_t sum = left ? op(&a, o, s, x) : op(&a, o, x, s);
    put(&a, 2, sum);
    if (seen)
        store(&a, reg(&a, 0), sum);
    end(&a);
    return of_register(&a, 2);
}

static void test_reduction(void)
{
    static const struct {
        enum cc_code_op op;
        const char *name;
        bool either;
    } ops[] = {{CC_CODE_ADD, "+", true},   {CC_CODE_SUB, "+", false},  {CC_CODE_MUL, "*", true},
               {CC_CODE_AND, "&", true},   {CC_CODE_OR, "|", true},    {CC_CODE_XOR, "^", true},
               {CC_CODE_MIN, "min", true}, {CC_CODE_MAX, "max", true}, {CC_CODE_FADD, "+", true},
               {CC_CODE_FSUB, "+", false}, {CC_CODE_FMUL, "*", true},  {CC_CODE_FMIN, "min", true},
               {CC_CODE_FMAX, "max", true}};
    for (size_t i = 0; i < CC_COUNT(ops); i++) {
        struct cc_flow_result r = combine(ops[i].op, true, false);
        OK(is(r, CC_FLOW_REDUCTION, ops[i].name) && r.floating == (ops[i].op >= CC_CODE_FADD),
           "operation %d with the sum first", ops[i].op);
        r = combine(ops[i].op, false, false);
        OK(is(r, ops[i].either ? CC_FLOW_REDUCTION : CC_FLOW_RECURRENCE, ops[i].either ? ops[i].name : NULL),
           "operation %d with the sum second", ops[i].op);
        OK(is(combine(ops[i].op, true, true), CC_FLOW_RECURRENCE, NULL),
           "operation %d whose results are stored", ops[i].op);
    }
    OK(is(combine(CC_CODE_SHL, true, false), CC_FLOW_RECURRENCE, NULL), "a shift is no reduction");
    OK(is(combine(CC_CODE_OTHER, true, false), CC_FLOW_RECURRENCE, NULL), "nor is what nobody knows");

    struct assembler a = begin();
    put(&a, 2, op(&a, CC_CODE_ADD, op(&a, CC_CODE_MUL, reg(&a, 2), reg(&a, 3)), load(&a, reg(&a, 0))));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "Horner's rule mixes two");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, op(&a, CC_CODE_ADD, reg(&a, 2), reg(&a, 0)))));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "an address depends on the sum");

    a = begin();
    put(&a, 4, reg(&a, 2));
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, reg(&a, 0))));
    loop_until(&a, 0, 1);
    after(&a, (unsigned[]){2, 4}, 2);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "the sum before the last is used after the loop");

    a = begin();
    put(&a, 4, reg(&a, 2));
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, reg(&a, 0))));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_REDUCTION, "+"), "a copy that nobody uses is of no consequence");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), load(&a, reg(&a, 0))));
    insn(&a);
    leave_if(&a, op(&a, CC_CODE_LTS, konst(&a, 100), reg(&a, 2)), AFTER);
    go(&a, 0x1100);
    block(&a, 0x1100);
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "the loop ends when the sum is large enough");
}

/* s = s + x, four lanes of 32 bits; `turn`: their halves change places */
static struct cc_flow_result lanes(bool turn)
{
    struct assembler a = begin();
    uint32_t s = get(&a, Q0, 128);
    if (turn) {
        uint32_t high = part(&a, s, 64, 64), low = part(&a, s, 0, 64);
        s = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_JOIN, .a = high, .b = low, .bits = 128});
    }
    uint32_t x = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_LOAD, .a = reg(&a, 0), .bits = 128});
    uint32_t sum =
        made(&a, (struct cc_rec_loop_code){
                     .kind = CC_CODE_OP, .op = CC_CODE_ADD, .a = s, .b = x, .bits = 128, .lane = 32});
    put_at(&a, Q0, sum, 128);
    end(&a);
    struct facts f = {0};
    register_fact(&f, Q0);
    struct cc_flow_result r = classify(&a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a.code);
    return r;
}

/* The larger of s and x; by a choice, or a branch that also does something else. */
static struct cc_flow_result larger(bool branch, bool also, bool strict)
{
    struct assembler a = begin();
    uint32_t x = load(&a, reg(&a, 0)), s = reg(&a, 2);
    uint32_t less = strict ? op(&a, CC_CODE_LTS, s, x) : op(&a, CC_CODE_LES, s, x);
    put(&a, 5, x);
    if (!branch) {
        put(&a, 2, choose(&a, less, x, s));
        if (also)
            put(&a, 4, choose(&a, less, reg(&a, 0), reg(&a, 4)));
        loop_until(&a, 0, 1);
    } else {
        leave_if(&a, less, 0x1100);
        go(&a, 0x1200);
        block(&a, 0x1100);
        put(&a, 2, reg(&a, 5));
        if (also)
            put(&a, 4, reg(&a, 0));
        go(&a, 0x1200);
        block(&a, 0x1200);
        loop_until(&a, 0, 1);
    }
    after(&a, (unsigned[]){2, 4}, 2);
    return of_register(&a, 2);
}

static void test_shapes(void)
{
    OK(is(lanes(false), CC_FLOW_REDUCTION, "+"), "sums in lanes");
    OK(is(lanes(true), CC_FLOW_RECURRENCE, NULL), "lanes that change places");
    for (int strict = 0; strict < 2; strict++) {
        OK(is(larger(false, false, strict), CC_FLOW_REDUCTION, "max"), "the larger of two by a choice");
        OK(is(larger(true, false, strict), CC_FLOW_REDUCTION, "max"), "the larger of two by a branch");
        OK(is(larger(false, true, strict), CC_FLOW_RECURRENCE, NULL), "and where it was, by a choice");
        OK(is(larger(true, true, strict), CC_FLOW_RECURRENCE, NULL), "and where it was, by a branch");
    }
}

/* --- other classes --- */

static void test_others(void)
{
    struct assembler a = begin();
    put(&a, 2, op(&a, CC_CODE_XOR, op(&a, CC_CODE_XOR, reg(&a, 2), konst(&a, 0)), konst(&a, 0)));
    store(&a, reg(&a, 0), reg(&a, 2));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_UNCHANGED, NULL), "left as it was found");

    a = begin();
    put(&a, 4, op(&a, CC_CODE_SHL, reg(&a, 4), konst(&a, 1)));
    end(&a);
    OK(is(of_register(&a, 4), CC_FLOW_DEAD, NULL), "computed for nobody");

    a = begin();
    uint32_t old = reg(&a, 2);
    put(&a, 2, load(&a, op(&a, CC_CODE_ADD, reg(&a, 3), reg(&a, 0))));
    store(&a, op(&a, CC_CODE_ADD, reg(&a, 4), reg(&a, 0)), old);
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_ROTATING, NULL), "kept for the next iteration, which could load it");

    a = begin();
    old = reg(&a, 2);
    put(&a, 2, load(&a, op(&a, CC_CODE_ADD, reg(&a, 3), reg(&a, 0))));
    store(&a, op(&a, CC_CODE_ADD, reg(&a, 3), reg(&a, 0)), old);
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "but not if it is overwritten");

    a = begin();
    uint32_t x = load(&a, reg(&a, 0));
    put(&a, 2, choose(&a, op(&a, CC_CODE_EQ, x, konst(&a, 0)), x, reg(&a, 2)));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_LAST, NULL), "the last that fits");

    a = begin();
    x = load(&a, reg(&a, 0));
    put(&a, 2, choose(&a, op(&a, CC_CODE_EQ, x, reg(&a, 2)), konst(&a, 1), reg(&a, 2)));
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "not if it decides itself");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_ADD, reg(&a, 2), konst(&a, 1)));
    finish(&a, CC_CODE_CALL, 0x20000);
    block(&a, a.insn);
    end(&a);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL),
       "a call may do anything to a register it need not keep");

    a = begin();
    put(&a, 20, op(&a, CC_CODE_ADD, reg(&a, 20), konst(&a, 1)));
    finish(&a, CC_CODE_CALL, 0x20000);
    block(&a, a.insn);
    store(&a, reg(&a, 20), konst(&a, 1));
    end(&a);
    OK(is(of_register(&a, 20), CC_FLOW_INDUCTION, NULL), "but not to one it has to keep");
}

/* A sum in the low half of q0, whose upper half stays, that each iteration also puts to [x3]; what breaks it:
 * 1: it is put there before it is added to, 2: [x3] is looked at, 3: it is put to [x0], 4: what is put there
 * is cut out of something wider. 5: the upper half is another register's, which does no harm; 6: so is the
 * low one, and the upper is added to. */
static struct cc_flow_result half_case(int which, const char **ret_copied)
{
    struct assembler a = begin();
    struct facts f = {0};
    uint32_t all = get(&a, Q0, 128), low = part(&a, all, 0, 64), high = part(&a, all, 64, 64);
    uint32_t sum = op(&a, CC_CODE_FADD, which == 6 ? high : low, load(&a, reg(&a, 0)));
    uint32_t other = which >= 5 ? part(&a, get(&a, Q0 + 16, 128), 64, 64) : high;
    uint32_t next = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_JOIN,
                                                       .a = which == 6 ? other : sum,
                                                       .b = which == 6 ? sum : other,
                                                       .bits = 128});
    if (which == 4) {
        next = made(
            &a,
            (struct cc_rec_loop_code){
                .kind = CC_CODE_OP, .op = CC_CODE_MIN, .a = all, .b = get(&a, Q0 + 16, 128), .bits = 128});
        sum = part(&a, next, 0, 64);
    }
    put_at(&a, Q0, next, 128);
    insn(&a);
    uint64_t write = a.insn - 4;
    store(&a, reg(&a, which == 3 ? 0 : 3), which == 1 ? low : sum);
    insn(&a);
    if (which == 2)
        store(&a, reg(&a, 0), load(&a, reg(&a, 3)));
    end(&a);
    register_fact(&f, Q0);
    struct cc_flow *flow = cc_flow_new(a.code.v, a.code.n, "aarch64", false);
    struct cc_flow_body *b = cc_flow_body_new(
        flow,
        &(struct cc_flow_loop){
            .header = TICK, .tick = TICK, .blocks = &loop_code, .nblocks = 1, .facts = f.v, .nfacts = f.n});
    *ret_copied = cc_flow_copied(b, write);
    cc_flow_body_free(b);
    cc_flow_free(flow);
    return of_memory(&a, &f);
}

static uint32_t by_parts(struct assembler *a, enum cc_code_op o, uint32_t x, uint32_t y, uint32_t lane)
{
    return made(
        a, (struct cc_rec_loop_code){.kind = CC_CODE_OP, .op = o, .a = x, .b = y, .bits = 128, .lane = lane});
}

/* q0 gets, in each of four parts, the larger of what it holds and of what is loaded, by a mask; 1: the
 * smaller; 2: with all operands turned. What breaks it: 3: something else is taken where the mask says so, 4:
 * the two are taken by two masks, 5: the mask compares something else. */
static struct cc_flow_result mask_case(int which)
{
    struct assembler a = begin();
    uint32_t all = get(&a, Q0, 128), other = get(&a, Q0 + 16, 128), address = reg(&a, 0),
             x = made(&a, (struct cc_rec_loop_code){.kind = CC_CODE_LOAD, .a = address, .bits = 128}),
             m = by_parts(&a, CC_CODE_LTS, all, which == 5 ? other : x, 32),
             n = which == 4 ? by_parts(&a, CC_CODE_LTS, other, x, 32) : m,
             not = by_parts(&a, CC_CODE_NOT, n, 0, 8),
             taken = which == 3   ? other
                     : which == 1 ? all
                                  : x,
             kept = which == 1 ? x : all,
             yes =
                 which == 2 ? by_parts(&a, CC_CODE_AND, taken, m, 8) : by_parts(&a, CC_CODE_AND, m, taken, 8),
             no = which == 2 ? by_parts(&a, CC_CODE_AND, kept, not, 8)
                             : by_parts(&a, CC_CODE_AND, not, kept, 8);
    put_at(&a, Q0, which == 2 ? by_parts(&a, CC_CODE_OR, no, yes, 8) : by_parts(&a, CC_CODE_OR, yes, no, 8),
           128);
    end(&a);
    struct facts f = {0};
    register_fact(&f, Q0);
    return of_memory(&a, &f);
}

static void test_masks(void)
{
    OK(is(mask_case(0), CC_FLOW_REDUCTION, "max"), "the larger of two by a mask");
    OK(is(mask_case(1), CC_FLOW_REDUCTION, "min"), "the smaller");
    OK(is(mask_case(2), CC_FLOW_REDUCTION, "max"), "in whichever order it is written");
    OK(is(mask_case(3), CC_FLOW_RECURRENCE, NULL), "something else is taken: no");
    OK(is(mask_case(4), CC_FLOW_RECURRENCE, NULL), "by two masks: no");
    OK(is(mask_case(5), CC_FLOW_RECURRENCE, NULL), "something else is compared: no");
}

static void test_halves(void)
{
    static const char *const what[] = {"put before it is added to", "looked at", "put to other places",
                                       "cut out of a wider one"};
    const char *copied;
    OK(is(half_case(0, &copied), CC_FLOW_REDUCTION, "+"), "a sum in half a register that is also in memory");
    OK(copied && strcmp(copied, "+") == 0, "and the memory has a copy of it");
    for (int i = 1; i <= 4; i++) {
        OK(is(half_case(i, &copied), CC_FLOW_RECURRENCE, NULL), "%s: no", what[i - 1]);
        OK(!copied, "%s: and no copy", what[i - 1]);
    }
    OK(is(half_case(5, &copied), CC_FLOW_REDUCTION, "+"), "whatever is in the upper half");
    OK(is(half_case(6, &copied), CC_FLOW_RECURRENCE, NULL), "but not in the low one");
}

/* --- exits --- */

static enum cc_flow_exit exit_case(int which)
{
    struct assembler a = begin();
    struct facts f = {0};
    enum cc_flow_exit e;
    register_fact(&f, REG0);
    put(&a, 2, op(&a, CC_CODE_SHL, reg(&a, 2), konst(&a, 1)));
    uint32_t x = which == 1 ? load(&a, reg(&a, 0)) : which == 2 ? reg(&a, 2) : reg(&a, 3);
    if (which) {
        leave_if(&a, op(&a, CC_CODE_EQ, x, konst(&a, 7)), which == 4 ? 0x1200 : AFTER);
        go(&a, 0x1100);
        block(&a, 0x1100);
    }
    loop_until(&a, 0, 1);
    if (which == 4) { /* left from where only some iterations come by, for data */
        block(&a, 0x1200);
        leave_if(&a, op(&a, CC_CODE_EQ, load(&a, reg(&a, 0)), konst(&a, 3)), 0x1300);
        go(&a, 0x1100);
        block(&a, 0x1300);
        leave_if(&a, op(&a, CC_CODE_EQ, reg(&a, 3), konst(&a, 7)), AFTER);
        go(&a, 0x1100);
    }
    after(&a, (unsigned[]){2}, 1);
    classify(&a, &f, f.v[0], &e);
    CC_VEC_FINI(&a.code);
    return e;
}

static void test_exits(void)
{
    OK(exit_case(0) == CC_FLOW_EXIT_COUNTED, "a counter decides");
    OK(exit_case(1) == CC_FLOW_EXIT_DATA, "a search");
    OK(exit_case(2) == CC_FLOW_EXIT_CARRIED, "until what is computed is so");
    OK(exit_case(3) == CC_FLOW_EXIT_COUNTED, "an invariant");
    OK(exit_case(4) == CC_FLOW_EXIT_DATA, "an invariant, but looked at only for some data");
}

/* --- what follows --- */

/* The loop's result is the argument of a library function that is called by a jump. */
static void test_tail_call(void)
{
    struct assembler a = begin();
    put(&a, 2, op(&a, CC_CODE_SHL, reg(&a, 2), konst(&a, 1)));
    loop_until(&a, 0, 1);
    block(&a, AFTER);
    go(&a, 0x400);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "what a function at the end may take is not dead");

    a = begin();
    put(&a, 2, op(&a, CC_CODE_SHL, reg(&a, 2), konst(&a, 1)));
    loop_until(&a, 0, 1);
    block(&a, AFTER);
    finish(&a, CC_CODE_CALL, 0x400);
    block(&a, a.insn);
    finish(&a, CC_CODE_RETURN, 0);
    OK(is(of_register(&a, 2), CC_FLOW_RECURRENCE, NULL), "nor what a call may");
}

/* x86: a call pushes where it comes back to, and the stack pointer is as before when it has. The variable at
 * [rsp + 8] is summed up on both sides of the call; `leak`: it is rsp that the function does not give back.
 */
static struct cc_flow_result pushing_case(bool leak)
{
    enum { RSP = CC_GUEST_AMD64_RSP, RBX = CC_GUEST_AMD64_RAX + 3 * 8, R12 = CC_GUEST_AMD64_RAX + 12 * 8 };
    struct assembler a = {0};
    struct facts f = {.isa = "x86_64"};
    block(&a, TICK);
    put_at(&a, RBX, op(&a, CC_CODE_ADD, get(&a, RBX, 64), konst(&a, 8)), 64);
    insn(&a);
    uint64_t read = a.insn - 4;
    uint32_t s = load(&a, op(&a, CC_CODE_ADD, get(&a, RSP, 64), konst(&a, 8)));
    put_at(&a, R12, s, 64); /* a register that is kept */
    insn(&a);
    uint32_t top = op(&a, CC_CODE_SUB, get(&a, RSP, 64), konst(&a, leak ? 16 : 8));
    put_at(&a, RSP, top, 64);
    store(&a, top, konst(&a, a.insn));
    finish(&a, CC_CODE_CALL, 0x20000);
    block(&a, a.insn);
    insn(&a);
    uint64_t write = a.insn - 4;
    uint32_t sum = op(&a, CC_CODE_ADD, get(&a, R12, 64), load(&a, get(&a, RBX, 64)));
    store(&a, op(&a, CC_CODE_ADD, get(&a, RSP, 64), konst(&a, 8)), sum);
    insn(&a);
    leave_if(&a, op(&a, CC_CODE_EQ, get(&a, RBX, 64), get(&a, RBX + 80, 64)), AFTER);
    go(&a, TICK);
    block(&a, AFTER);
    for (unsigned i = 0; i < 16; i++)
        put_at(&a, CC_GUEST_AMD64_RAX + 8 * i, konst(&a, 0), 64);
    finish(&a, CC_CODE_RETURN, 0);
    fact(&f, CC_DEPENDENCE_RAW, write, read);
    return of_memory(&a, &f);
}

static void test_pushing(void)
{
    OK(is(pushing_case(false), CC_FLOW_REDUCTION, "+"), "x86: the stack pointer comes back from a call");
    OK(is(pushing_case(true), CC_FLOW_RECURRENCE, NULL), "x86: and if it does not, the variable is another");
}

/* --- jumps --- */

/* x2 += 4 on each of two ways that an indirect jump takes; `seen`: both were seen to be taken */
static struct cc_flow_result jump_case(bool seen)
{
    struct assembler a = begin();
    uint64_t at = a.insn - 4;
    uint32_t to = load(&a, reg(&a, 0));
    emit(&a, (struct cc_rec_loop_code){.kind = CC_CODE_NEXT, .op = CC_CODE_PLAIN, .a = to});
    a.code.v[0].a = (uint32_t)a.code.n;
    a.code.v[0].b = (uint32_t)(a.insn - TICK);
    for (uint64_t way = 0x1100; way <= 0x1200; way += 0x100) {
        block(&a, way);
        count(&a, 2, 4);
        go(&a, 0x1300);
    }
    block(&a, 0x1300);
    store(&a, reg(&a, 2), konst(&a, 1));
    end(&a);
    for (uint64_t way = 0x1100; seen && way <= 0x1200; way += 0x100)
        emit(&a, (struct cc_rec_loop_code){.kind = CC_CODE_TARGET, .a = (uint32_t)at, .value = way});
    return of_register(&a, 2);
}

static void test_jumps(void)
{
    OK(is(jump_case(true), CC_FLOW_INDUCTION, NULL), "an indirect jump goes where it was seen to go");
    OK(is(jump_case(false), CC_FLOW_RECURRENCE, NULL), "or it may go anywhere");
}

/* --- damage --- */

static void test_damage(void)
{
    struct assembler a = conditional(4, 0, false);
    struct facts f = {0};
    register_fact(&f, REG0 + 16);
    uint64_t seed = 1;
    unsigned proved = 0;
    for (int i = 0; i < 4000; i++) {
        struct assembler copy = {0};
        for (size_t k = 0; k < a.code.n; k++)
            CC_VEC_PUSH(&copy.code, a.code.v[k]);
        for (int n = 0; n < 2; n++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            uint32_t *words = (uint32_t *)&copy.code.v[(seed >> 33) % copy.code.n];
            words[(seed >> 20) % 10] = seed >> 60 < 8 ? (uint32_t)(seed >> 50) % 20 : (uint32_t)(seed >> 8);
        }
        struct cc_flow_result r = classify(&copy, &f, f.v[0], NULL);
        proved += r.class != CC_FLOW_RECURRENCE;
        CC_VEC_FINI(&copy.code);
    }
    CC_VEC_FINI(&a.code);
    OK(proved > 0, "damaged code is survived");
}

int main(void)
{
    test_induction();
    test_aside();
    test_known();
    test_copied();
    test_parts();
    test_bits();
    test_scan();
    test_above();
    test_printed();
    test_conditional();
    test_reduction();
    test_shapes();
    test_others();
    test_halves();
    test_masks();
    test_exits();
    test_jumps();
    test_tail_call();
    test_pushing();
    test_damage();
    return TAP_DONE();
}
