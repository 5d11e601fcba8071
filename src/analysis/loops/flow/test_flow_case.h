/* One loop's code and what the run showed of it, classified: for tests of classes. */
#ifndef CC_ANALYSIS_LOOPS_FLOW_TEST_FLOW_CASE_H
#define CC_ANALYSIS_LOOPS_FLOW_TEST_FLOW_CASE_H

#include "test_flow_code.h"
#include "../../../../tests/tap.h"

static const struct cc_flow_range loop_code = {TICK, AFTER};

struct facts {
    const char *isa; /* NULL: aarch64 */
    struct cc_pdependence v[16];
    size_t n;
    bool named; /* the debug information names places of the frame */
};

__attribute__((unused)) static void fact(struct facts *f, enum cc_dependence_kind kind, uint64_t first,
                                         uint64_t second)
{
    f->v[f->n++] = (struct cc_pdependence){
        .space = CC_SPACE_MEMORY, .kind = kind, .first = first, .second = second, .size = 8};
}

__attribute__((unused)) static void register_fact(struct facts *f, uint64_t at)
{
    f->v[f->n++] =
        (struct cc_pdependence){.space = CC_SPACE_REGISTER, .kind = CC_DEPENDENCE_RAW, .place = at};
}

__attribute__((unused)) static struct cc_flow_result
classify(struct assembler *a, struct facts *f, struct cc_pdependence d, enum cc_flow_exit *ret_exit)
{
    struct cc_flow_result r, exit;
    struct cc_flow *flow = cc_flow_new(a->code.v, a->code.n, f->isa ? f->isa : "aarch64", false);
    struct cc_flow_body *b = cc_flow_body_new(flow, &(struct cc_flow_loop){.header = TICK,
                                                                           .tick = TICK,
                                                                           .blocks = &loop_code,
                                                                           .nblocks = 1,
                                                                           .facts = f->v,
                                                                           .nfacts = f->n,
                                                                           .named = f->named});
    cc_flow_classify(b, &d, &r);
    enum cc_flow_exit e = cc_flow_exits(b, &exit);
    if (ret_exit)
        *ret_exit = e;
    cc_flow_body_free(b);
    cc_flow_free(flow);
    return r;
}

/* Of register r; the code is done with. */
__attribute__((unused)) static struct cc_flow_result of_register(struct assembler *a, unsigned r)
{
    struct facts f = {0};
    register_fact(&f, REG0 + 8 * r);
    struct cc_flow_result x = classify(a, &f, f.v[0], NULL);
    CC_VEC_FINI(&a->code);
    return x;
}

__attribute__((unused)) static struct cc_flow_result of_memory(struct assembler *a, struct facts *f)
{
    struct cc_flow_result x = classify(a, f, f->v[0], NULL);
    CC_VEC_FINI(&a->code);
    return x;
}

__attribute__((unused)) static bool is(struct cc_flow_result r, enum cc_flow_class class,
                                       const char *operation)
{
    bool fits =
        r.class == class && (operation ? r.operation && strcmp(r.operation, operation) == 0 : !r.operation);
    if (!fits)
        printf("# %s %s: %s\n", cc_flow_class_names[r.class], r.operation ? r.operation : "", r.reason);
    return fits;
}

/* x0 counts to x1; x2 is what the case is about, x3 does not change. */
__attribute__((unused)) static struct assembler begin(void)
{
    struct assembler a = {0};
    block(&a, TICK);
    count(&a, 0, 8);
    insn(&a);
    return a;
}

__attribute__((unused)) static void end(struct assembler *a)
{
    loop_until(a, 0, 1);
    after(a, (unsigned[]){2}, 1);
}

/* --- inductions --- */

#endif
