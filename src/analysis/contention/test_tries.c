/* What is tried until it can be had, and what threads sleep on. */
#include "test_findings.h"

/* By another instruction, of a function that is called. */
static void put_called(struct cc_trace_writer *w, uint64_t cycle, enum cc_trace_kind kind, uint64_t address)
{
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = cycle,
                                                    .pc = WORK + 0x48,
                                                    .addr = address,
                                                    .latency = 1,
                                                    .cpu = 1,
                                                    .kind = kind,
                                                    .flags = CC_TRACE_HIT,
                                                    .context = 2,
                                                    .size = 4,
                                                    .node = CC_TRACE_NO_NODE});
}

/* What was lost in all, and the first cause. */
static uint64_t lost_by(struct cc_trace_writer *w, enum cc_cause *ret_cause)
{
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    uint64_t lost = f->lost;
    *ret_cause = f->nfindings ? f->findings[0].cause : CC_CAUSES;
    cc_findings_free(f);
    cc_trace_close(r);
    return lost;
}

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
            put_called(w, i * 4000 + 70 + 20 * k, CC_TRACE_LOAD, STACK);
        }
        if (elsewhere)
            put(w, 1, i * 4000 + 2060, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
        put(w, 1, i * 4000 + 3000, CC_TRACE_ATOMIC, 0, FLAG, 50);
        put(w, 1, i * 4000 + 3100, CC_TRACE_STORE, CC_TRACE_HIT, back ? FLAG : COUNT, 1);
    }
    return lost_by(w, ret_cause);
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

/* An exchange in a function that is called at one place for the first try and at another for the next, which
 * succeeds; then it is done anew, at the first place, or by another instruction. */
static enum cc_cause tried_apart(uint64_t then)
{
    enum { STACK = 0x70000, CAS = 0xb000 };
    enum cc_cause cause;
    struct cc_trace_writer *w = begin();
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 0x44, CAS});
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 0x84, CAS});
    put(w, 1, 0, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    struct cc_trace_event e = {
        .addr = FLAG, .latency = 50, .cpu = 1, .kind = CC_TRACE_ATOMIC, .size = 8, .node = CC_TRACE_NO_NODE};
    for (unsigned i = 0; i < 20; i++) {
        const struct {
            uint64_t after, pc;
            uint32_t context;
            uint8_t flags;
        } tries[] = {{0, CAS, 4, CC_TRACE_FAILED}, {3000, CAS, 5, 0}, {3200, then, 4, 0}};
        for (size_t k = 0; k < CC_COUNT(tries); k++) {
            e.cycle = i * 4000 + tries[k].after;
            e.pc = tries[k].pc;
            e.context = tries[k].context;
            e.flags = tries[k].flags;
            cc_trace_writer_add(w, &e);
            for (unsigned n = 0; n < 100 && k == 0; n++)
                put(w, 1, e.cycle + 60 + 20 * n, CC_TRACE_STORE, CC_TRACE_HIT, STACK, 1);
        }
    }
    lost_by(w, &cause);
    return cause;
}

static void test_tried_apart(void)
{
    OK(tried_apart(0xb000) == CC_CAUSE_TRUE_SHARING,
       "an exchange that failed asks, from wherever it is called");
    OK(tried_apart(0xb040) == CC_CAUSE_SPIN_LOCK, "another atomic may give back");
}

/* A lock that is looked at every thousand cycles, with counting on the stack in between, until it is free;
 * then it is taken by an atomic, and given back or not. `stored`: what ends the looking is a store there
 * instead. */
static uint64_t looks(bool back, bool stored, enum cc_cause *ret_cause)
{
    enum { STACK = 0x70000, ROUND = 8000 };
    struct cc_trace_writer *w = begin();
    put(w, 1, 0, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    for (unsigned i = 0; i < 20; i++) {
        uint64_t t = 100 + i * ROUND;
        for (unsigned k = 0; k < 5; k++) {
            bool written = k == 0 || k == 4;
            put(w, 1, t + 1000 * k, CC_TRACE_LOAD, written ? CC_TRACE_SHARED : CC_TRACE_HIT, FLAG, 10);
            for (unsigned n = 0; n < 80 && k < 4; n++)
                put(w, 1, t + 1000 * k + 20 + 10 * n, CC_TRACE_STORE, CC_TRACE_HIT, STACK, 1);
        }
        put(w, 1, t + 4100, stored ? CC_TRACE_STORE : CC_TRACE_ATOMIC, 0, FLAG, 10);
        put(w, 1, t + 4200, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
        put_called(w, t + 5000, CC_TRACE_STORE, back ? FLAG : COUNT);
    }
    return lost_by(w, ret_cause);
}

static void test_looks(void)
{
    enum cc_cause cause;
    uint64_t lost = looks(true, false, &cause);
    OK(lost == 20 * 4100 && cause == CC_CAUSE_SPIN_LOCK,
       "a lock that is looked at now and then is waited for from the first look on (%lu)", lost);
    lost = looks(false, false, &cause);
    OK(lost == 0, "what nobody gives back is no lock (%lu)", lost);
    lost = looks(true, true, &cause);
    OK(lost == 0, "nor is what is simply stored into, as a best value so far is (%lu)", lost);
}

static void nap(struct cc_trace_writer *w, uint64_t from, uint64_t to)
{
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = to,
                                                    .pc = WORK + 0x4c,
                                                    .latency = (uint32_t)(to - from),
                                                    .cpu = 1,
                                                    .kind = CC_TRACE_WAIT,
                                                    .size = CC_TRACE_ON_TIME,
                                                    .context = 2,
                                                    .node = CC_TRACE_NO_NODE});
}

/* A word looked at before and after sleeps of 5000 cycles, three in each of ten rounds, and a second one
 * beside it if `two`. `far`: so long before and after a sleep that there is work. `taken`: cycles another
 * thread has the core for in each sleep. */
static uint64_t polls(bool changes, bool two, bool far, unsigned taken)
{
    enum { ROUND = 40000 };
    struct cc_trace_writer *w = begin();
    put(w, 0, 0, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    uint64_t gap = far ? 3000 : 100;
    for (unsigned i = 0; i < 10; i++) {
        uint64_t t = 100 + i * ROUND;
        for (unsigned k = 0; k < 4; k++, t += 5000 + 2 * gap) {
            unsigned flags = k == 3 && changes ? CC_TRACE_SHARED : CC_TRACE_HIT;
            put(w, 1, t, CC_TRACE_LOAD, flags, FLAG, 1);
            if (two)
                put(w, 1, t, CC_TRACE_LOAD, flags, MUTEX, 1);
            if (k < 3 && taken)
                put(w, 1, t + gap + taken - 1, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
            if (k < 3)
                nap(w, t + gap, t + gap + 5000);
        }
    }
    enum cc_cause cause;
    return lost_by(w, &cause);
}

static void test_naps(void)
{
    const uint64_t all = (10 * 3 - 1) * 5200; /* before its first sleep nobody is known to sleep */
    OK_U64(polls(true, false, false, 0), all, "who sleeps only to look again has waited all the time");
    OK_U64(polls(true, true, false, 0), all, "once, whatever it looks at");
    OK_U64(polls(true, false, false, 2000), all - (10 * 3 - 1) * 2000,
           "but for what others had the core for");
    OK_U64(polls(false, false, false, 0), 0, "not if nobody ever writes it");
    OK_U64(polls(true, false, true, 0), 0, "nor if it does something before it sleeps");
}

/* As polls, with an access before each sleep that queues for 50 cycles: how much the first finding costs. */
static uint64_t polls_queued(bool changes, enum cc_cause *ret)
{
    enum { ROUND = 40000 };
    struct cc_trace_writer *w = begin();
    put(w, 0, 0, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    struct cc_trace_event queued = {.pc = WORK + 0x60,
                                    .addr = COUNT,
                                    .latency = 60,
                                    .cpu = 1,
                                    .kind = CC_TRACE_LOAD,
                                    .context = 2,
                                    .size = 4};
    queued.lost[CC_TRACE_LOST_BANK] = 50;
    for (unsigned i = 0; i < 10; i++) {
        uint64_t t = 100 + i * ROUND;
        for (unsigned k = 0; k < 4; k++, t += 5200) {
            put(w, 1, t, CC_TRACE_LOAD, k == 3 && changes ? CC_TRACE_SHARED : CC_TRACE_HIT, FLAG, 1);
            if (k == 3)
                break;
            nap(w, t + 100, t + 5100);
            queued.cycle = t + 5110;
            cc_trace_writer_add(w, &queued);
        }
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.001);
    uint64_t cycles = f->findings[0].cycles;
    *ret = f->nfindings == 1 ? f->findings[0].cause : CC_CAUSES;
    cc_findings_free(f);
    cc_trace_close(r);
    return cycles;
}

static void test_naps_queued(void)
{
    enum cc_cause cause;
    uint64_t cycles = polls_queued(true, &cause);
    OK(cause == CC_CAUSE_SPINNING && cycles == (10 * 3 - 1) * 5200,
       "what accesses lose between two looks is part of the wait (%lu)", cycles);
    cycles = polls_queued(false, &cause);
    OK(cause == CC_CAUSE_BANDWIDTH && cycles == 10 * 3 * 50, "and their own where nobody waits (%lu)",
       cycles);
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

/* Fetches that queue in a lock's function, with a lock that costs so much. */
static void fetches_of(unsigned waited, uint64_t *ret_lock, uint64_t *ret_code)
{
    struct cc_trace_writer *w = begin();
    struct cc_trace_event e = {.latency = 60, .cpu = 1, .kind = CC_TRACE_FETCH, .node = 2};
    e.lost[CC_TRACE_LOST_BANK] = 50;
    for (unsigned i = 0; i < 100; i++) {
        bool in_lock = i % 2;
        e.cycle = 100 * i;
        e.pc = e.addr = in_lock ? LOCK : WORK;
        e.context = in_lock ? 3 : 2;
        cc_trace_writer_add(w, &e);
    }
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = 20000,
                                                    .pc = LOCK + 8,
                                                    .addr = MUTEX,
                                                    .latency = waited,
                                                    .kind = CC_TRACE_WAIT,
                                                    .size = CC_TRACE_ON_FUTEX,
                                                    .context = 3,
                                                    .lost = {waited}});
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0);
    *ret_lock = f->causes[CC_CAUSE_LOCK];
    *ret_code = f->causes[CC_CAUSE_CODE];
    cc_findings_free(f);
    cc_trace_close(r);
}

/* The line that an allocator's lock is told at, which is waited for in malloc and longer in free. */
static unsigned line_of_allocator(void)
{
    enum { MALLOC = 0xc000, FREE = 0xd000 };
    struct cc_trace_writer *w = begin();
    const struct cc_trace_symbol symbols[] = {{MALLOC, MALLOC + 256, "malloc", NULL, 0, "libc.so.6"},
                                              {FREE, FREE + 256, "free", NULL, 0, "libc.so.6"}};
    const struct cc_trace_context calls[] = {{2, WORK + 4, MALLOC}, {2, WORK + 0x44, FREE}};
    struct cc_trace_event e = {.addr = 0x80000, .kind = CC_TRACE_WAIT, .size = CC_TRACE_ON_FUTEX};
    for (unsigned i = 0; i < 2; i++) {
        cc_trace_writer_symbol(w, &symbols[i]);
        cc_trace_writer_context(w, &calls[i]);
        e.cycle = 20000 * (i + 1);
        e.pc = calls[i].entry + 8;
        e.context = 4 + i;
        e.latency = e.lost[0] = 5000 * (i + 1);
        cc_trace_writer_add(w, &e);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    unsigned line = f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_ALLOCATOR ? f->findings[0].line : 0;
    cc_findings_free(f);
    cc_trace_close(r);
    return line;
}

static void test_code_of_lock(void)
{
    OK(line_of_allocator() == 21, "an allocator's lock is told where memory is asked for (%u)",
       line_of_allocator());
    uint64_t lock, code;
    fetches_of(9000, &lock, &code);
    OK(lock == 9000 + 2450 && code == 2450,
       "fetches of a lock's code go with the lock, the first ones with the start (%lu, %lu)", lock, code);
    fetches_of(1000, &lock, &code);
    OK(lock == 1000 && code == 4900, "but not with one that costs less than they do (%lu, %lu)", lock, code);
}

/* A reader lock whose exchange fails each time: what its accesses lose to others is none of what its calls
 * take by themselves, the rest of the loop is. */
static void test_gain_of_tries(void)
{
    enum { READ = 0xa000 };
    struct cc_trace_writer *w = begin();
    cc_trace_writer_symbol(
        w, &(struct cc_trace_symbol){READ, READ + 256, "pthread_rwlock_rdlock", NULL, 0, "libc.so.6"});
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 0x44, READ});
    cc_trace_writer_fact(w, "context_cycles", "4:20000");
    struct cc_trace_event e = {.pc = READ + 8,
                               .addr = MUTEX,
                               .latency = 60,
                               .cpu = 1,
                               .kind = CC_TRACE_ATOMIC,
                               .context = 4,
                               .size = 4,
                               .node = 0};
    e.lost[CC_TRACE_LOST_TRUE] = 50;
    for (unsigned i = 0; i < 100; i++) {
        e.cycle = 500 * i;
        e.flags = CC_TRACE_FAILED;
        cc_trace_writer_add(w, &e);
        e.cycle = 500 * i + 100;
        e.flags = 0;
        cc_trace_writer_add(w, &e);
        put(w, 1, 500 * i + 200, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    double lost = 100 * (100 + 50), calls = 20000 + 200 * 10 - 100 * (100 - 50);
    double gain = f->nfindings ? f->findings[0].gain : 0, right = 100000 / (100000 - lost - calls);
    OK(f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_READER_LOCK && (double)f->lost == lost &&
           gain > 0.999 * right && gain < 1.001 * right,
       "who does without a lock saves its calls, but what they waited only once (%.3f, %.3f)", gain, right);
    cc_findings_free(f);
    cc_trace_close(r);
}

/* Cycles lost by a core that loads one word a thousand times, every ten cycles, and finds at the `at`th that
 * another has written it, or its line. */
static uint64_t loaded(unsigned at, unsigned flags)
{
    enum cc_cause cause;
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 1000; i++)
        put(w, 1, 10 * i, CC_TRACE_LOAD, i == at ? flags : CC_TRACE_HIT, FLAG, 1);
    put(w, 1, 10000, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
    return lost_by(w, &cause);
}

static void test_goes_on(void)
{
    uint64_t waited = loaded(999, CC_TRACE_SHARED), most = loaded(950, CC_TRACE_SHARED);
    OK(waited > 9900 && most > 9900, "who stops asking when it is written has waited (%lu, %lu)", waited,
       most);
    uint64_t first = loaded(100, CC_TRACE_SHARED), none = loaded(5, CC_TRACE_SHARED);
    OK(first > 900 && first < 1100, "who goes on for long has waited until then (%lu)", first);
    OK(!none, "unless it had hardly asked by then (%lu)", none);
    none = loaded(999, CC_TRACE_FALSE);
    OK(!none, "a write of something else in the line is none that was waited for (%lu)", none);
}

static void put_wait(struct cc_trace_writer *w, unsigned cpu, uint64_t cycle, uint64_t address,
                     uint32_t context)
{
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = cycle,
                                                    .pc = LOCK + 8,
                                                    .addr = address,
                                                    .latency = 2000,
                                                    .cpu = (uint16_t)cpu,
                                                    .kind = CC_TRACE_WAIT,
                                                    .size = CC_TRACE_ON_FUTEX,
                                                    .context = context,
                                                    .lost = {2000}});
}

/* Two cores meet 20 times; in turns one of them comes late, because a lock has held it up, or without any. */
static uint64_t late_to_barrier(bool lock)
{
    enum { MEET = 0xe000 };
    struct cc_trace_writer *w = begin();
    cc_trace_writer_symbol(
        w, &(struct cc_trace_symbol){MEET, MEET + 256, "pthread_barrier_wait", NULL, 0, "libc.so.6"});
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 4, MEET});
    for (unsigned i = 0; i < 20; i++) {
        uint64_t t = 100 + 4000 * i;
        unsigned late = i % 2;
        put(w, 0, t, CC_TRACE_STORE, CC_TRACE_HIT, COUNT, 1);
        put(w, 1, t, CC_TRACE_STORE, CC_TRACE_HIT, COUNT + 256, 1);
        if (lock)
            put_wait(w, late, t + 2100, MUTEX, 3);
        put(w, late, t + 2990, CC_TRACE_STORE, CC_TRACE_HIT, FLAG, 1);
        put_wait(w, !late, t + 3000, FLAG, 4);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    uint64_t at_barrier = f->causes[CC_CAUSE_BARRIER];
    cc_findings_free(f);
    cc_trace_close(r);
    return at_barrier;
}

/* The cause where two cores sleep on a condition again and again and a third wakes both, from the function
 * that waits or another; or each by itself. */
static enum cc_cause woken(uint64_t from, unsigned apart)
{
    enum { WAIT = 0xe000, WAKE = 0xf000 };
    enum cc_cause cause;
    struct cc_trace_writer *w = begin();
    const struct cc_trace_symbol symbols[] = {
        {WAIT, WAIT + 256, "pthread_cond_wait", NULL, 0, "libc.so.6"},
        {WAKE, WAKE + 256, "pthread_cond_broadcast", NULL, 0, "libc.so.6"}};
    const struct cc_trace_context calls[] = {{2, WORK + 4, WAIT}, {from == MAIN ? 1 : 2, from + 0x44, WAKE}};
    for (unsigned i = 0; i < 2; i++) {
        cc_trace_writer_symbol(w, &symbols[i]);
        cc_trace_writer_context(w, &calls[i]);
    }
    for (unsigned i = 0; i < 20; i++) {
        uint64_t t = 3000 + 8000 * i;
        cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = t,
                                                        .pc = WAKE + 8,
                                                        .addr = FLAG,
                                                        .cpu = 2,
                                                        .kind = CC_TRACE_WAIT,
                                                        .size = CC_TRACE_ON_FUTEX,
                                                        .context = 5,
                                                        .lost = {0, 300}});
        put_wait(w, 0, t + 10, FLAG, 4);
        put_wait(w, 1, t + 10 + apart, FLAG, 4);
    }
    lost_by(w, &cause);
    return cause;
}

static void test_woken(void)
{
    OK(woken(WORK, 0) == CC_CAUSE_BARRIER,
       "a condition on which all sleep until the last has come: a barrier");
    OK(woken(MAIN, 0) == CC_CAUSE_CONDITION, "not if another function wakes them");
    OK(woken(WORK, 1900) == CC_CAUSE_CONDITION, "nor if each is woken by itself");
}

static void test_rounds(void)
{
    uint64_t held = late_to_barrier(true), works = late_to_barrier(false);
    OK(!held, "a lock that makes another core late each time: what they wait at the barrier is its (%lu)",
       held);
    OK(works > 30000, "without one it is the barrier's (%lu)", works);
}

/* Cycles of sharing beside a lock: a core takes it, once in vain, and gives it back before or after it uses
 * what others have written. */
static uint64_t shared_beside(bool guarded)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 100; i++) {
        uint64_t t = 900 * i;
        struct cc_trace_event ask = {.cycle = t,
                                     .pc = LOCK + 8,
                                     .addr = MUTEX,
                                     .latency = 60,
                                     .cpu = 1,
                                     .kind = CC_TRACE_ATOMIC,
                                     .flags = i ? 0 : CC_TRACE_FAILED,
                                     .context = 3,
                                     .size = 4,
                                     .node = 0,
                                     .lost = {[CC_TRACE_LOST_TRUE] = 50}};
        struct cc_trace_event back = ask, use = ask;
        back.cycle = guarded ? t + 400 : t + 100;
        back.pc = LOCK + 0x40;
        back.flags = 0;
        back.lost[CC_TRACE_LOST_TRUE] = 0;
        use.cycle = t + 200;
        use.pc = WORK + 0x40;
        use.addr = COUNT;
        use.kind = CC_TRACE_LOAD;
        use.flags = CC_TRACE_SHARED;
        use.context = 2;
        cc_trace_writer_add(w, &ask);
        cc_trace_writer_add(w, guarded ? &use : &back);
        cc_trace_writer_add(w, guarded ? &back : &use);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    uint64_t cycles = f->causes[CC_CAUSE_TRUE_SHARING];
    cc_findings_free(f);
    cc_trace_close(r);
    return cycles;
}

static void test_guards(void)
{
    uint64_t with = shared_beside(true), without = shared_beside(false);
    OK(!with, "what moves while a core has the lock goes with the lock (%lu)", with);
    OK(without == 5000, "what moves when it has given it back does not (%lu)", without);
}

int main(void)
{
    tap_file(path);
    test_guards();
    test_rounds();
    test_woken();
    test_goes_on();
    test_gain_of_tries();
    test_back_off();
    test_code_of_lock();
    test_tried_apart();
    test_looks();
    test_naps();
    test_naps_queued();
    test_slept_on();
    unlink(path);
    return TAP_DONE();
}
