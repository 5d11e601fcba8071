/* What is tried until it can be had, and what threads sleep on. */
#include "test_findings.h"

/* An exchange that fails, or one that changes nothing, counting on the stack, and the one that succeeds; then
 * what it got is given back, or not. `elsewhere`: it also works in between. */
static uint64_t retry(unsigned flags, bool back, bool elsewhere, enum cc_cause *ret_cause)
{
    enum { STACK = 0x70000 };
    struct cc_trace_writer *w = begin();
    put(w, 1, 0, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    for (unsigned i = 0; i < 20; i++) {
        put(w, 1, i * 4000, CC_TRACE_ATOMIC, flags, FLAG, 50);
        for (unsigned k = 0; k < 100; k++) {
            put(w, 1, i * 4000 + 60 + 20 * k, CC_TRACE_STORE, CC_TRACE_HIT, STACK + 8 * (k % 2), 1);
            cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = i * 4000 + 70 + 20 * k,
                                                            .pc = WORK + 0x48,
                                                            .addr = STACK,
                                                            .latency = 1,
                                                            .cpu = 1,
                                                            .kind = CC_TRACE_LOAD,
                                                            .flags = CC_TRACE_HIT,
                                                            .context = 2,
                                                            .size = 4,
                                                            .node = CC_TRACE_NO_NODE});
        }
        if (elsewhere)
            put(w, 1, i * 4000 + 2060, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
        put(w, 1, i * 4000 + 3000, CC_TRACE_ATOMIC, 0, FLAG, 50);
        put(w, 1, i * 4000 + 3100, CC_TRACE_STORE, CC_TRACE_HIT, back ? FLAG : COUNT, 1);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    uint64_t lost = f->lost;
    *ret_cause = f->nfindings ? f->findings[0].cause : CC_CAUSES;
    cc_findings_free(f);
    cc_trace_close(r);
    return lost;
}

static void test_back_off(void)
{
    enum cc_cause cause;
    uint64_t lost = retry(CC_TRACE_FAILED, false, false, &cause);
    OK(lost == 20 * 3000 && cause == CC_CAUSE_TRUE_SHARING,
       "who counts on its stack until it tries again has waited (%lu)", lost);
    lost = retry(CC_TRACE_VAIN, true, false, &cause);
    OK(lost == 20 * 3000 && cause == CC_CAUSE_SPIN_LOCK, "of what is given back: for a lock (%lu)", lost);
    lost = retry(CC_TRACE_VAIN, false, false, &cause);
    OK(lost == 0, "what changes nothing and is not given back is no lock (%lu)", lost);
    lost = retry(CC_TRACE_FAILED, false, true, &cause);
    OK(lost < 20 * 100, "who does something else meanwhile has not waited (%lu)", lost);
    lost = retry(CC_TRACE_FAILED | CC_TRACE_HIT, false, false, &cause);
    OK(lost < 20 * 100, "nor who puts back what was there (%lu)", lost);
}

/* Threads that sleep on a table of the C++ library, having looked at a flag or not. */
static const char *slept_on(bool looked)
{
    enum { WAIT = 0xb000, TABLE = 0x50000 };
    static char name[32];
    struct cc_trace_writer *w = begin();
    cc_trace_writer_symbol(
        w, &(struct cc_trace_symbol){WAIT, WAIT + 256, "std::__tree_barrier<>::wait", "b.h", 1, "lib.so"});
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 0x44, WAIT});
    cc_trace_writer_object(w,
                           &(struct cc_trace_object){TABLE, TABLE + 512, 0, UINT64_MAX, "std::__detail::__w",
                                                     NULL, NULL, 0, CC_TRACE_GLOBAL});
    struct cc_trace_event e = {.pc = WAIT + 8,
                               .addr = looked ? FLAG : COUNT,
                               .latency = 1,
                               .cpu = 1,
                               .kind = CC_TRACE_LOAD,
                               .flags = CC_TRACE_HIT,
                               .context = looked ? 4 : 2,
                               .size = 1,
                               .node = CC_TRACE_NO_NODE};
    for (unsigned i = 0; i < 8; i++, e.cycle += 10)
        cc_trace_writer_add(w, &e);
    e = (struct cc_trace_event){.cycle = 30000,
                                .pc = WAIT + 16,
                                .addr = TABLE + 64,
                                .latency = 20000,
                                .cpu = 1,
                                .kind = CC_TRACE_WAIT,
                                .size = CC_TRACE_ON_FUTEX,
                                .context = 4,
                                .lost = {20000}};
    cc_trace_writer_add(w, &e);
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    snprintf(name, sizeof name, "%s", f->nfindings && f->findings[0].object ? f->findings[0].object : "-");
    cc_findings_free(f);
    cc_trace_close(r);
    return name;
}

static void test_slept_on(void)
{
    OK_STR(slept_on(true), "flag", "who sleeps on a table of the library waits for what it has looked at");
    OK_STR(slept_on(false), "std::__detail::__w", "in that call");
}

int main(void)
{
    tap_file(path);
    test_back_off();
    test_slept_on();
    unlink(path);
    return TAP_DONE();
}
