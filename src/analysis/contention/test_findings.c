/* Findings of made-up traces whose losses are known. */
#include "test_findings.h"

/* 4000 cycles of false sharing, 8600 of a lock, a serial phase of 12000. */
static void write_three(struct cc_trace_writer *w)
{
    for (unsigned i = 0; i < 100; i++) {
        struct cc_trace_event e = {.cycle = i * 100,
                                   .pc = WORK,
                                   .addr = COUNT + 8 * (i % 2),
                                   .latency = 50,
                                   .cpu = (uint16_t)(i % 2),
                                   .kind = CC_TRACE_STORE,
                                   .flags = CC_TRACE_FALSE,
                                   .context = 2,
                                   .size = 8,
                                   .node = i % 3 ? 5 : CC_TRACE_NO_NODE};
        e.lost[CC_TRACE_LOST_FALSE] = 40;
        cc_trace_writer_add(w, &e);
    }
    struct cc_trace_event wait = {.cycle = 20000,
                                  .pc = LOCK + 8,
                                  .addr = MUTEX,
                                  .latency = 9000,
                                  .kind = CC_TRACE_WAIT,
                                  .size = CC_TRACE_ON_FUTEX,
                                  .context = 3,
                                  .node = 0,
                                  .lost = {8000, 100}};
    cc_trace_writer_add(w, &wait);
    struct cc_trace_event atomic = {.cycle = 20100,
                                    .pc = LOCK + 4,
                                    .addr = MUTEX,
                                    .latency = 600,
                                    .kind = CC_TRACE_ATOMIC,
                                    .context = 3,
                                    .node = CC_TRACE_NO_NODE,
                                    .lost = {500}};
    cc_trace_writer_add(w, &atomic);
    struct cc_trace_event idle = {.cycle = 30000,
                                  .pc = MAIN,
                                  .latency = 10000,
                                  .kind = CC_TRACE_IDLE,
                                  .hops = 1,
                                  .size = 1,
                                  .context = 1,
                                  .node = CC_TRACE_NO_NODE,
                                  .lost = {12000}};
    cc_trace_writer_add(w, &idle);
}

/* Sharing of an object with a lock in it: the lock's if that costs a quarter as much, else what it is. */
static void test_small_lock(void)
{
    static const unsigned waits[] = {100, 2000, 10000};
    for (size_t k = 0; k < CC_COUNT(waits); k++) {
        unsigned waited = waits[k];
        bool small = 4 * waited < 5000;
        struct cc_trace_writer *w = begin();
        for (unsigned i = 0; i < 100; i++) {
            struct cc_trace_event e = {.cycle = i * 100,
                                       .pc = WORK,
                                       .addr = MUTEX + 40,
                                       .latency = 60,
                                       .cpu = (uint16_t)(i % 2),
                                       .kind = CC_TRACE_ATOMIC,
                                       .flags = CC_TRACE_SHARED,
                                       .context = 2,
                                       .size = 8,
                                       .node = CC_TRACE_NO_NODE};
            e.lost[CC_TRACE_LOST_TRUE] = 50;
            cc_trace_writer_add(w, &e);
        }
        struct cc_trace_event wait = {.cycle = 20000,
                                      .pc = LOCK + 8,
                                      .addr = MUTEX,
                                      .latency = waited,
                                      .kind = CC_TRACE_WAIT,
                                      .size = CC_TRACE_ON_FUTEX,
                                      .context = 3,
                                      .node = 0,
                                      .lost = {waited}};
        cc_trace_writer_add(w, &wait);
        struct cc_trace_reader *r;
        struct cc_findings *f = end(w, &r, 0.01);
        OK(f->nfindings == 1 && f->findings[0].cause == (small ? CC_CAUSE_TRUE_SHARING : CC_CAUSE_LOCK) &&
               f->findings[0].line == (small ? 21u : 25u) &&
               f->findings[0].cycles == (small ? 5000u : 5000u + waited),
           "a lock that costs %u cycles beside 5000 of sharing", waited);
        cc_findings_free(f);
        cc_trace_close(r);
    }
}

/* A lock and a condition that one function uses: one finding, of the kind that costs more. */
static void test_condition(void)
{
    enum { WAIT = 0xa000, MORE = 0x50000, OTHER = 0x1080 };
    for (unsigned elsewhere = 0; elsewhere < 2; elsewhere++)
        for (unsigned waited = 1000; waited <= 9000; waited += 8000) {
            struct cc_trace_writer *w = begin();
            cc_trace_writer_symbol(
                w, &(struct cc_trace_symbol){WAIT, WAIT + 256, "pthread_cond_wait", "c.c", 1, "libc.so.6"});
            cc_trace_writer_context(
                w, &(struct cc_trace_context){elsewhere ? 1 : 2, elsewhere ? OTHER : WORK + 4, WAIT});
            const struct cc_trace_event waits[] = {{.cycle = 20000,
                                                    .pc = LOCK + 8,
                                                    .addr = MUTEX,
                                                    .context = 3,
                                                    .latency = 5000,
                                                    .lost = {5000}},
                                                   {.cycle = 30000,
                                                    .pc = WAIT + 8,
                                                    .addr = MORE,
                                                    .context = 4,
                                                    .latency = waited,
                                                    .lost = {waited}}};
            for (unsigned i = 0; i < 2; i++) {
                struct cc_trace_event e = waits[i];
                e.kind = CC_TRACE_WAIT;
                e.size = CC_TRACE_ON_FUTEX;
                cc_trace_writer_add(w, &e);
            }
            struct cc_trace_reader *r;
            struct cc_findings *f = end(w, &r, 0.001);
            enum cc_cause first = waited > 5000 ? CC_CAUSE_CONDITION : CC_CAUSE_LOCK;
            OK(f->nfindings == 1 + elsewhere && f->findings[0].cause == first &&
                   f->findings[0].cycles == (elsewhere ? CC_MAX(waited, 5000u) : waited + 5000) &&
                   f->causes[first] == f->findings[0].cycles,
               "a condition of %u cycles and a lock of 5000, %s", waited,
               elsewhere ? "in other functions: two" : "in one function: one");
            cc_findings_free(f);
            cc_trace_close(r);
        }
}

/* CPU 1 calls a function that looks at the mutex and saves registers on the stack, again and again, while CPU
 * 0 has it; `tries`: the function's name says that it may fail. */
static struct cc_findings *ask(bool tries, unsigned kind_at_end, struct cc_trace_reader **r)
{
    enum { TRY = 0xb000, STACK = 0x70000 };
    struct cc_trace_writer *w = begin();
    cc_trace_writer_symbol(
        w, &(struct cc_trace_symbol){TRY, TRY + 256, tries ? "pthread_mutex_trylock" : "pthread_mutex_look",
                                     "t.c", 1, "libc.so.6"});
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 0x44, TRY});
    for (unsigned i = 0; i < 200; i++) {
        struct cc_trace_event save = {.cycle = i * 40,
                                      .pc = TRY,
                                      .addr = STACK + 8 * (i % 2),
                                      .latency = 4,
                                      .cpu = 1,
                                      .kind = CC_TRACE_STORE,
                                      .context = 4,
                                      .size = 8,
                                      .node = 5};
        save.lost[CC_TRACE_LOST_BANK] = i ? 3 : 0;
        cc_trace_writer_add(w, &save);
        cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = i * 40 + 10,
                                                        .pc = TRY + 8,
                                                        .addr = MUTEX,
                                                        .latency = 2,
                                                        .cpu = 1,
                                                        .kind = CC_TRACE_LOAD,
                                                        .flags = i ? CC_TRACE_HIT : CC_TRACE_SHARED,
                                                        .context = 4,
                                                        .size = 4,
                                                        .node = CC_TRACE_NO_NODE});
    }
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = 8000,
                                                    .pc = TRY + 12,
                                                    .addr = MUTEX,
                                                    .latency = 20,
                                                    .cpu = 1,
                                                    .kind = (uint8_t)kind_at_end,
                                                    .context = 4,
                                                    .size = 4,
                                                    .node = CC_TRACE_NO_NODE});
    return end(w, r, 0.001);
}

static void test_asking(void)
{
    struct cc_trace_reader *r;
    struct cc_findings *f = ask(true, CC_TRACE_ATOMIC, &r);
    OK(f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_LOCK && f->findings[0].line == 25 &&
           f->findings[0].cycles == 8000 - 10 && strcmp(f->findings[0].object, "mutex") == 0,
       "tried until it can be had: waiting, from the first look to the exchange");
    OK(f->lost == 8000 - 10 && f->causes[CC_CAUSE_BANDWIDTH] == 0, "with what the tries have queued for");
    cc_findings_free(f);
    cc_trace_close(r);
    f = ask(false, CC_TRACE_ATOMIC, &r);
    OK(f->causes[CC_CAUSE_LOCK] == 0 && f->lost == 199 * 3, "a function that is no try has worked");
    cc_findings_free(f);
    cc_trace_close(r);
}

static void test_places(void)
{
    struct cc_trace_writer *w = begin();
    write_three(w);
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    OK(f->known && f->nfindings == 3, "three findings (%zu)", f->nfindings);
    OK_U64(f->lost, 4000 + 8600, "lost is what events and waits lost, without the serial phase");
    OK(f->findings[0].cause == CC_CAUSE_SERIAL && f->findings[0].line == 7,
       "the serial phase is main's line 7");
    OK(f->findings[1].cause == CC_CAUSE_LOCK && f->findings[1].cycles == 8600 && f->findings[1].line == 25 &&
           strcmp(f->findings[1].function, "work") == 0 && strcmp(f->findings[1].object, "mutex") == 0 &&
           strcmp(f->findings[1].called, "__pthread_mutex_lock") == 0,
       "a library's wait and its line's transfer are one lock, at the line that called it");
    OK(f->findings[2].cause == CC_CAUSE_FALSE_SHARING && f->findings[2].line == 21 &&
           f->findings[2].ncpus == 2 && f->findings[2].cycles == 4000,
       "false sharing on both CPUs");
    OK(f->findings[2].gain > 1.019 && f->findings[2].gain < 1.021, "gain: 2000 cycles of each core");
    uint64_t sum = 0;
    for (size_t i = 0; i < CC_CAUSES; i++)
        sum += f->causes[i];
    OK_U64(sum, f->lost + 12000, "causes add up");
    OK(f->nlines == 2 && f->lines[0].address == MUTEX / 64 * 64 && f->lines[0].node == -1,
       "who ends a wait is not the home of what is waited for");
    OK(f->lines[1].address == COUNT / 64 * 64 && f->lines[1].node == 5,
       "the home of a line is where accesses to it went");
    cc_findings_free(f);
    cc_trace_close(r);
}

/* A core reads a flag again and again; `taken`: at the end somebody has written it. */
static struct cc_findings *spin(bool taken, struct cc_trace_reader **r)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 1000; i++) {
        bool last = i == 999;
        struct cc_trace_event e = {.cycle = i * 10,
                                   .pc = WORK + 0x40,
                                   .addr = FLAG,
                                   .latency = last ? 60 : 1,
                                   .kind = CC_TRACE_LOAD,
                                   .flags = last && taken ? CC_TRACE_SHARED : CC_TRACE_HIT,
                                   .context = 2,
                                   .size = 4,
                                   .node = CC_TRACE_NO_NODE};
        if (last && taken)
            e.lost[CC_TRACE_LOST_TRUE] = 59;
        cc_trace_writer_add(w, &e);
    }
    return end(w, r, 0.01);
}

static void test_spin(void)
{
    struct cc_trace_reader *r;
    struct cc_findings *f = spin(true, &r);
    OK(f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_SPINNING && f->findings[0].line == 25,
       "a spin is named by its line");
    OK_U64(f->nfindings ? f->findings[0].cycles : 0, 9990 + 60, "all its time counts, its last miss once");
    cc_findings_free(f);
    cc_trace_close(r);
    f = spin(false, &r);
    OK(f->nfindings == 0 && f->lost == 0, "a loop over one word that nobody writes is none");
    cc_findings_free(f);
    cc_trace_close(r);
}

static void test_work(void)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 1000; i++) {
        struct cc_trace_event e = {.cycle = i * 10,
                                   .pc = WORK,
                                   .addr = FLAG,
                                   .latency = 5,
                                   .kind = CC_TRACE_ATOMIC,
                                   .context = 2,
                                   .size = 4,
                                   .node = CC_TRACE_NO_NODE,
                                   .lost = {4}};
        cc_trace_writer_add(w, &e);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    OK(f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_TRUE_SHARING && f->findings[0].cycles == 4000,
       "atomics that change something are work and its transfer, not spinning");
    cc_findings_free(f);
    cc_trace_close(r);
}

/* Exchanges that fail: few are no loop that waits, but each is time lost, with what was fetched for it. */
static void test_failed(void)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 100; i++) {
        put(w, 1, i * 1000, CC_TRACE_ATOMIC, CC_TRACE_FAILED, FLAG, 50);
        struct cc_trace_event fetch = {.cycle = i * 1000 + 60,
                                       .pc = WORK + 0x40,
                                       .addr = WORK + 0x40,
                                       .latency = 100,
                                       .cpu = 1,
                                       .kind = CC_TRACE_FETCH,
                                       .context = 2,
                                       .node = 3};
        fetch.lost[CC_TRACE_LOST_BANK] = 90;
        cc_trace_writer_add(w, &fetch);
        put(w, 1, i * 1000 + 200, CC_TRACE_ATOMIC, 0, FLAG, 50);
        put(w, 1, i * 1000 + 300, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT, 1);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    OK(f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_TRUE_SHARING &&
           f->findings[0].cycles == 100 * 200 && strcmp(f->findings[0].object, "flag") == 0,
       "from the first exchange that fails to the one that does not");
    OK_U64(f->causes[CC_CAUSE_CODE], 0, "what was fetched to try again is part of it");
    cc_findings_free(f);
    cc_trace_close(r);
}

/* Three CPUs poll a flag that the fourth writes, having counted themselves if it `counts`; `back`: who has
 * waited writes it next, as it does with a lock. `late`: the write seems to come after they have seen it. */
static enum cc_cause meet(bool counts, bool back, bool late)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_fact(w, "cores", "4");
    for (unsigned round = 0; round < 20; round++) {
        uint64_t t = 100 + round * 5000, writer = round % 4;
        for (unsigned cpu = 0; cpu < 4 && counts; cpu++)
            put(w, cpu, t - 50 + 10 * cpu, CC_TRACE_ATOMIC, CC_TRACE_HIT, COUNT, 1);
        for (unsigned cpu = 0; cpu < 4; cpu++)
            for (unsigned i = 0; i < 100 && cpu != writer; i++)
                put(w, cpu, t + i * 10, CC_TRACE_LOAD, i == 99 && !late ? CC_TRACE_SHARED : CC_TRACE_HIT,
                    FLAG, 1);
        put(w, (unsigned)writer, t + (late ? 1050 : 980), CC_TRACE_STORE, CC_TRACE_BUFFERED, FLAG, 1);
        for (unsigned cpu = 0; cpu < 4; cpu++)
            if (cpu != writer)
                put(w, cpu, t + 1100 + 10 * cpu, CC_TRACE_STORE, CC_TRACE_BUFFERED,
                    back ? FLAG : COUNT + 64 * cpu, 1);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    enum cc_cause cause = f->nfindings == 1 ? f->findings[0].cause : CC_CAUSES;
    cc_findings_free(f);
    cc_trace_close(r);
    return cause;
}

static void test_awaited(void)
{
    OK(meet(true, false, false) == CC_CAUSE_BARRIER, "what one opens for all others is a barrier");
    OK(meet(true, true, false) == CC_CAUSE_SPIN_LOCK, "what everybody gives back is a lock");
    OK(meet(true, false, true) == CC_CAUSE_BARRIER, "also if the write seems to come a moment late");
    OK(meet(false, false, false) == CC_CAUSE_SPINNING, "who has told nobody that it is there waits at none");
}

static struct cc_finding first(struct cc_trace_writer *w, uint64_t *ret_lost)
{
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    struct cc_finding x = f->nfindings ? f->findings[0] : (struct cc_finding){.cause = CC_CAUSES};
    *ret_lost = f->lost;
    cc_findings_free(f);
    cc_trace_close(r);
    return x;
}

/* Four CPUs wait for what is theirs by atomics, in two or three pieces: it seems to be had at the end of
 * each, but another was faster. At the end of the last it is given back. */
static void test_pieces(void)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_fact(w, "cores", "4");
    for (unsigned round = 0; round < 20; round++)
        for (unsigned piece = 0; piece < 3; piece++)
            for (unsigned cpu = 0; cpu < 4; cpu++) {
                uint64_t t = 100 + round * 20000 + piece * 2000 + 10 * cpu;
                if (piece < round % 2)
                    continue;
                for (unsigned i = 0; i < 100; i++)
                    put(w, cpu, t + i * 10, CC_TRACE_ATOMIC, CC_TRACE_VAIN, FLAG, 5);
                put(w, cpu, t + 1050, CC_TRACE_ATOMIC, 0, FLAG, 5);
                if (piece == 2)
                    put(w, cpu, t + 1500, CC_TRACE_STORE, CC_TRACE_BUFFERED, FLAG, 1);
            }
    uint64_t lost;
    OK(first(w, &lost).cause == CC_CAUSE_SPIN_LOCK, "a lock that others were faster to take is one");
}

/* CPU 1 makes as many accesses as CPU 0, or `more`; each takes `latency` cycles there. Then CPU 0 is idle. */
static struct cc_finding uneven(unsigned more, unsigned latency, const char *topology, uint64_t *ret_lost)
{
    struct cc_trace_writer *w = begin();
    uint64_t t = 0;
    cc_trace_writer_fact(w, "topology", topology);
    for (unsigned i = 0; i < 500 * (more ? more : 1); i++) {
        if (i < 500)
            put(w, 0, i * 30, CC_TRACE_LOAD, 0, COUNT, 20);
        put(w, 1, t += latency + 10, CC_TRACE_LOAD, 0, COUNT, latency);
    }
    struct cc_trace_event idle = {.cycle = t + 100,
                                  .pc = WORK,
                                  .latency = (uint32_t)(t - 500 * 30),
                                  .cpu = 1,
                                  .kind = CC_TRACE_IDLE,
                                  .hops = 1,
                                  .size = 2,
                                  .flags = CC_TRACE_ENDED,
                                  .context = 2,
                                  .node = CC_TRACE_NO_NODE,
                                  .lost = {(uint32_t)(t - 500 * 30)}};
    cc_trace_writer_add(w, &idle);
    return first(w, ret_lost);
}

/* Both make as many accesses, of which one of two misses on CPU 1, and one of twenty on CPU 0, which is idle
 * then. */
static struct cc_finding conflicts(uint64_t *ret_lost)
{
    struct cc_trace_writer *w = begin();
    uint64_t t[2] = {0, 0};
    cc_trace_writer_fact(w, "topology", "bus");
    for (unsigned i = 0; i < 1000; i++)
        for (unsigned cpu = 0; cpu < 2; cpu++) {
            bool hit = cpu ? i % 2 : i % 20 != 0;
            put(w, cpu, t[cpu], CC_TRACE_LOAD, hit ? CC_TRACE_HIT : 0, COUNT + 8 * (i % 9), hit ? 1 : 50);
            t[cpu] += 10 + (hit ? 1 : 50);
        }
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = t[1] + 100,
                                                    .pc = WORK,
                                                    .latency = (uint32_t)(t[1] - t[0]),
                                                    .cpu = 1,
                                                    .kind = CC_TRACE_IDLE,
                                                    .hops = 1,
                                                    .size = 2,
                                                    .flags = CC_TRACE_ENDED,
                                                    .context = 2,
                                                    .node = CC_TRACE_NO_NODE,
                                                    .lost = {(uint32_t)(t[1] - t[0])}});
    return first(w, ret_lost);
}

static void test_uneven(void)
{
    uint64_t lost, lost_far;
    struct cc_finding far = uneven(0, 80, "mesh", &lost_far), more = uneven(3, 20, "mesh", &lost);
    OK(far.cause == CC_CAUSE_FAR && far.line == 25 && far.cycles == 500 * 90 - 500 * 30 && !lost_far,
       "equal work, but memory takes longer: distance, at the line that waits for it; nobody's doing");
    OK(more.cause == CC_CAUSE_JOIN && lost == more.cycles, "more work is an uneven end");
    struct cc_finding misses = conflicts(&lost_far);
    OK(misses.cause == CC_CAUSE_MISSES && misses.line == 25 && !lost_far,
       "equal work, but more of it misses on one core: its cache");
    OK(uneven(0, 80, "bus", &lost).cause == CC_CAUSE_JOIN, "where all is equally far, it is no distance");
}

/* CPU 1 works up to 50 000; CPU 0 has worked up to `since`, and waits for its end, as does a core beside. */
static struct cc_finding join(uint64_t since, unsigned cores, uint64_t *ret_lost)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = 1000,
                                                    .pc = WORK,
                                                    .cpu = 1,
                                                    .kind = CC_TRACE_IDLE,
                                                    .flags = CC_TRACE_BEGINS,
                                                    .context = 2,
                                                    .node = CC_TRACE_NO_NODE});
    for (uint64_t t = 1100; t < 50000; t += 100)
        put(w, 1, t, CC_TRACE_LOAD, CC_TRACE_HIT, COUNT, 1);
    uint32_t length = (uint32_t)(50000 - since);
    cc_trace_writer_add(w, &(struct cc_trace_event){.cycle = 50000,
                                                    .pc = MAIN,
                                                    .latency = length,
                                                    .kind = CC_TRACE_WAIT,
                                                    .size = CC_TRACE_ON_JOIN,
                                                    .context = 1,
                                                    .node = CC_TRACE_NO_NODE,
                                                    .lost = {length * cores}});
    return first(w, ret_lost);
}

static void test_joins(void)
{
    uint64_t lost, lost_beside, lost_uneven;
    struct cc_finding only = join(1500, 1, &lost), beside = join(1500, 3, &lost_beside),
                      uneven = join(20000, 1, &lost_uneven);
    OK(only.cause == CC_CAUSE_UNUSED && only.line == 7 && only.cycles == 48500 && !lost,
       "who only waits for those it has started leaves its core unused, which is no contention");
    OK(beside.cause == CC_CAUSE_JOIN && beside.cycles == 2 * 48500 && lost_beside == beside.cycles,
       "what other cores have nothing to do meanwhile is an uneven end");
    OK(uneven.cause == CC_CAUSE_JOIN && lost_uneven == 30000, "and so is who has worked before");
}

/* What a lock's function queues for: its own word, which it changes at once, or what it saves on the stack.
 */
static uint64_t queued_at(uint8_t kind, enum cc_cause cause)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 100; i++) {
        struct cc_trace_event e = {.cycle = i * 100,
                                   .pc = LOCK + 8,
                                   .addr = MUTEX,
                                   .latency = 50,
                                   .cpu = (uint16_t)(i % 2),
                                   .kind = kind,
                                   .context = 3,
                                   .size = 4,
                                   .node = 5};
        e.lost[CC_TRACE_LOST_BANK] = 40;
        cc_trace_writer_add(w, &e);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    uint64_t cycles = f->causes[cause];
    cc_findings_free(f);
    cc_trace_close(r);
    return cycles;
}

static void test_queues(void)
{
    OK(queued_at(CC_TRACE_ATOMIC, CC_CAUSE_LOCK) == 4000 &&
           queued_at(CC_TRACE_ATOMIC, CC_CAUSE_BANDWIDTH) == 0,
       "atomics that queue in a lock's function are the lock's");
    OK(queued_at(CC_TRACE_STORE, CC_CAUSE_BANDWIDTH) == 4000, "its other accesses are short of bandwidth");
}

/* An atomic beside which a constant is loaded each time, as compilers' helpers do, which nobody writes. */
static void test_beside(void)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 100; i++) {
        put(w, 1, i * 20, CC_TRACE_LOAD, CC_TRACE_HIT, MUTEX, 1);
        put(w, 1, i * 20 + 2, CC_TRACE_ATOMIC, CC_TRACE_VAIN, FLAG, 10);
    }
    put(w, 1, 2010, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT, 1);
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.005);
    OK(f->nfindings == 1 && f->findings[0].cycles == 99 * 20 + 10 && f->findings[0].object &&
           strcmp(f->findings[0].object, "flag") == 0,
       "a spin waits for what it asks for by atomics, whatever it loads beside");
    cc_findings_free(f);
    cc_trace_close(r);
}

/* Of four CPUs that begin 2000 cycles after each other, the last opens a barrier 1000 cycles after it began,
 * or `later`. The first has started them. */
static uint64_t start(unsigned later, uint64_t *ret_barrier)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_fact(w, "cores", "4");
    put(w, 0, 0, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT, 1);
    uint64_t open = 6000 + 1000 + later;
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        uint64_t begins = cpu ? 2000 * cpu : 5500, meets = begins + 1000;
        put(w, cpu, begins, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT + 64 * cpu, 1);
        put(w, cpu, meets - 10, CC_TRACE_ATOMIC, CC_TRACE_HIT, COUNT, 1);
        for (uint64_t t = meets; t < open && cpu < 3; t += 10)
            put(w, cpu, t, CC_TRACE_LOAD, t + 10 >= open ? CC_TRACE_SHARED : CC_TRACE_HIT, FLAG, 10);
        put(w, cpu, open + 20, CC_TRACE_STORE, CC_TRACE_BUFFERED, cpu == 3 ? FLAG : COUNT + 64 * cpu, 1);
    }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    uint64_t started = f->causes[CC_CAUSE_START];
    *ret_barrier = f->causes[CC_CAUSE_BARRIER];
    cc_findings_free(f);
    cc_trace_close(r);
    return started;
}

static void test_start(void)
{
    uint64_t barrier, started = start(0, &barrier);
    /* CPU 1 and 2 wait as long as they began before CPU 3: 4000 and 2000; CPU 0 for nobody's start: 500 */
    OK(started == 6000 && barrier == 500, "who began earlier waits for the start (%lu, %lu)", started,
       barrier);
    started = start(3000, &barrier);
    OK(started == 6000 && barrier == 500 + 3 * 3000, "and no longer than that (%lu, %lu)", started, barrier);
}

/* Two CPUs fetch `lines` lines each, over and over, 1000 times in all: of 50 cycles, 10 are lost at the bank.
 */
static double stream(uint64_t lines)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_fact(w, "line_bytes", "32");
    cc_trace_writer_fact(w, "data_nodes", "5");
    for (unsigned i = 0; i < 1000; i++)
        for (uint16_t cpu = 0; cpu < 2; cpu++) {
            struct cc_trace_event e = {.cycle = i * 60,
                                       .pc = WORK,
                                       .addr = COUNT + 32 * (i % lines),
                                       .latency = 50,
                                       .cpu = cpu,
                                       .kind = CC_TRACE_LOAD,
                                       .context = 2,
                                       .size = 8,
                                       .node = 5};
            e.lost[CC_TRACE_LOST_BANK] = i > 0 ? 10 : 0;
            cc_trace_writer_add(w, &e);
        }
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    double gain = f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_BANDWIDTH ? f->findings[0].gain : 0;
    cc_findings_free(f);
    cc_trace_close(r);
    return gain;
}

static bool near(double a, double b)
{
    return a > b * 0.999 && a < b * 1.001;
}

/* The part of one CPU's misses that fetch what it had before. */
static double refetched(unsigned lines, unsigned rounds)
{
    struct cc_watch *w = cc_watch_new(2, 64);
    for (unsigned i = 0; i < lines * rounds; i++)
        cc_watch_feed(w, &(struct cc_trace_event){.cycle = i * 60,
                                                  .pc = WORK,
                                                  .addr = (uint64_t)64 * (i % lines),
                                                  .latency = 50,
                                                  .cpu = 1,
                                                  .kind = CC_TRACE_LOAD,
                                                  .node = 5});
    double part = contention_refetched(w, &w->stalls.v[0]);
    cc_watch_free(w);
    return part;
}

static void test_gain(void)
{
    /* each CPU has lost 9990 cycles and waited 40 000 beside; all but the first fetch of a line is saved */
    double once = stream(1000), ten = stream(10);
    OK(near(once, 100000 / (100000 - 9990.0)), "what is fetched once: the queueing is saved (%.3f)", once);
    OK(near(ten, 100000 / (100000 - 9990.0 - 0.99 * 40000)),
       "what is fetched again and again is fetched once (%.3f)", ten);
    double four = refetched(300000, 4), one = refetched(300000, 1);
    OK(four > 0.74 && four < 0.76 && one < 0.02, "also of more lines than are kept (%.3f, %.3f)", four, one);
}

/* Of three threads, the last begins on the core of who started them: CPUs 1 and 2 wait for it, from 6000 on.
 */
static void test_second_start(void)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_fact(w, "cores", "3");
    put(w, 0, 0, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT, 1);
    for (unsigned cpu = 1; cpu < 3; cpu++)
        put(w, cpu, 5000, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT + 64 * cpu, 1);
    struct cc_trace_event begins = {.cycle = 9000,
                                    .kind = CC_TRACE_IDLE,
                                    .flags = CC_TRACE_BEGINS,
                                    .context = 2,
                                    .node = CC_TRACE_NO_NODE};
    cc_trace_writer_add(w, &begins);
    for (unsigned cpu = 1; cpu < 3; cpu++)
        put(w, cpu, 5990, CC_TRACE_ATOMIC, CC_TRACE_HIT, COUNT, 1);
    for (uint64_t t = 6000; t < 10500; t += 10)
        for (unsigned cpu = 1; cpu < 3; cpu++)
            put(w, cpu, t, CC_TRACE_LOAD, t + 10 >= 10500 ? CC_TRACE_SHARED : CC_TRACE_HIT, FLAG, 10);
    for (unsigned cpu = 1; cpu < 3; cpu++)
        put(w, cpu, 10520, CC_TRACE_STORE, CC_TRACE_BUFFERED, COUNT + 64 * cpu, 1);
    put(w, 0, 10530, CC_TRACE_STORE, CC_TRACE_BUFFERED, FLAG, 1);
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.001);
    OK(f->causes[CC_CAUSE_START] == 2 * 4000 && f->causes[CC_CAUSE_BARRIER] == 2 * 500,
       "a thread may begin where another one was (%lu, %lu)", f->causes[CC_CAUSE_START],
       f->causes[CC_CAUSE_BARRIER]);
    cc_findings_free(f);
    cc_trace_close(r);
}

/* Two CPUs meet ten times, after work that asks memory for nothing; each asks five times before it goes on.
 */
static void test_pauses(void)
{
    struct cc_trace_writer *w = begin();
    for (unsigned i = 0; i < 10; i++)
        for (unsigned cpu = 0; cpu < 2; cpu++)
            for (unsigned k = 0; k < 5; k++)
                put(w, cpu, 5000 * (i + 1) + 10 * k, CC_TRACE_LOAD, k == 4 ? CC_TRACE_SHARED : CC_TRACE_HIT,
                    FLAG, 10);
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.001);
    OK(f->spinning == 0, "what lies between two times that somebody asks is work (%lu)", f->spinning);
    cc_findings_free(f);
    cc_trace_close(r);
}

/* Calls of an allocator that wait for its lock: those who do without lose neither that nor what the calls
 * take by themselves. */
static void test_gain_of_calls(void)
{
    struct cc_trace_writer *w = begin();
    cc_trace_writer_symbol(w,
                           &(struct cc_trace_symbol){0xa000, 0xa100, "malloc", "malloc.c", 1, "libc.so.6"});
    cc_trace_writer_context(w, &(struct cc_trace_context){2, WORK + 0x44, 0xa000});
    cc_trace_writer_fact(w, "context_cycles", "2:9000 4:20000");
    struct cc_trace_event wait = {.cycle = 20000,
                                  .pc = 0xa008,
                                  .addr = MUTEX,
                                  .latency = 9000,
                                  .cpu = 1,
                                  .kind = CC_TRACE_WAIT,
                                  .size = CC_TRACE_ON_FUTEX,
                                  .context = 4,
                                  .node = 0,
                                  .lost = {8000, 0}};
    cc_trace_writer_add(w, &wait);
    struct cc_trace_event miss = {.cycle = 21000,
                                  .pc = 0xa010,
                                  .addr = 0xa010,
                                  .latency = 500,
                                  .cpu = 1,
                                  .kind = CC_TRACE_FETCH,
                                  .context = 4,
                                  .node = 0};
    cc_trace_writer_add(w, &miss);
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    OK(f->nfindings == 1 && f->findings[0].cause == CC_CAUSE_ALLOCATOR &&
           near(f->findings[0].gain, 100000 / (100000 - 8000.0 - 20000 - 500)),
       "who does without an allocator saves its calls (%.3f)", f->nfindings ? f->findings[0].gain : 0);
    cc_findings_free(f);
    cc_trace_close(r);
}

/* A trace from elsewhere. */
static void test_unknown(void)
{
    char why[CC_TRACE_ERR];
    struct cc_trace_writer *w = cc_trace_writer_open(path, why);
    for (unsigned i = 0; i < 100; i++)
        cc_trace_writer_add(
            w, &(struct cc_trace_event){.cycle = i, .pc = 4, .addr = 8, .latency = i, .kind = CC_TRACE_LOAD});
    struct cc_trace_reader *r;
    struct cc_findings *f = end(w, &r, 0.01);
    OK(!f->known && !f->nfindings && !f->lost, "without causes nothing is claimed");
    cc_findings_free(f);
    cc_trace_close(r);
}

int main(void)
{
    tap_file(path);
    test_places();
    test_small_lock();
    test_condition();
    test_asking();
    test_spin();
    test_work();
    test_failed();
    test_awaited();
    test_pieces();
    test_uneven();
    test_joins();
    test_queues();
    test_beside();
    test_start();
    test_second_start();
    test_pauses();
    test_gain();
    test_gain_of_calls();
    test_unknown();
    unlink(path);
    return TAP_DONE();
}
