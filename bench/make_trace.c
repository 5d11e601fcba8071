/* Writes an access trace of a made-up program, for benchmarks and tests: make-trace FILE CORES EVENTS
 * [quiet|noisy]. Each core runs `work` (instruction fetches that hit, strided loads that miss now and then);
 * every few thousand cycles all cores meet in `exchange` (exchange.c:40 loads of `queue`, exchange.c:52
 * stores) where memory is slow in proportion to the cores, unless `quiet`; then all but core 0 spin in
 * `barrier_wait` (barrier.c:12) on `gate`, longer the more cores there are; if `noisy` they look once and
 * sleep, so that a large file is one of few events. */
#include "../trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORK = 0x400000,
    EXCHANGE = 0x401000,
    BARRIER = 0x402000,
    GATE = 0x20000000,
    QUEUE = 0x21000000,
    DATA = 0x30000000
};

static uint64_t seed = 0x2545f4914f6cdd1d;
static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

struct core {
    uint64_t clock, data;
};

static struct cc_trace_writer *out;
static bool noisy; /* addresses and latencies of work at random, as hardly anything compresses: large files */
static uint64_t written;

static void add(struct core *c, unsigned cpu, unsigned kind, uint64_t pc, uint64_t addr, uint32_t latency,
                unsigned flags)
{
    struct cc_trace_event e = {.cycle = c->clock,
                               .pc = pc,
                               .addr = addr,
                               .latency = latency,
                               .cpu = (uint16_t)cpu,
                               .node = CC_TRACE_NO_NODE,
                               .kind = (uint8_t)kind,
                               .flags = (uint8_t)flags,
                               .size = 4};
    if (cc_trace_writer_add(out, &e) < 0) {
        fprintf(stderr, "make-trace: %s\n", cc_trace_writer_error(out));
        exit(1);
    }
    c->clock += latency;
    written++;
}

static void work(struct core *c, unsigned cpu, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        for (uint64_t k = 0; k < 6 && !noisy; k++)
            add(c, cpu, CC_TRACE_FETCH, WORK + 4 * k, WORK + 4 * k, 1, CC_TRACE_HIT);
        bool miss = c->data % 32 == 0;
        if (noisy) {
            add(c, cpu, CC_TRACE_LOAD, WORK + 24, DATA + rnd() % (UINT64_C(1) << 40) / 8 * 8,
                1 + (uint32_t)(rnd() % 200), 0);
            continue;
        }
        add(c, cpu, CC_TRACE_LOAD, WORK + 24, DATA + (uint64_t)cpu * 0x1000000 + c->data, miss ? 20 : 1,
            miss ? 0 : CC_TRACE_HIT);
        c->data = (c->data + 4) % 0x100000;
    }
}

static void exchange(struct core *c, unsigned cpu, unsigned cores, bool quiet)
{
    for (unsigned i = 0; i < 12; i++) {
        add(c, cpu, CC_TRACE_FETCH, EXCHANGE + 8 * (i % 3), EXCHANGE, 1, CC_TRACE_HIT);
        uint32_t slow = quiet ? 20 : 20 + 15 * (cores - 1) + (uint32_t)(rnd() % 10);
        if (i % 3 == 2)
            add(c, cpu, CC_TRACE_STORE, EXCHANGE + 0x40, QUEUE + 32 * (rnd() % 4096), slow, 0);
        else
            add(c, cpu, CC_TRACE_LOAD, EXCHANGE + 0x20, QUEUE + 32 * (rnd() % 4096), slow, 0);
    }
}

static void spin_until(struct core *c, unsigned cpu, uint64_t clock)
{
    add(c, cpu, CC_TRACE_LOAD, BARRIER, GATE, 20, CC_TRACE_SHARED);
    while (c->clock < clock && !noisy) {
        add(c, cpu, CC_TRACE_FETCH, BARRIER, BARRIER, 1, CC_TRACE_HIT);
        add(c, cpu, CC_TRACE_LOAD, BARRIER, GATE, 1, CC_TRACE_HIT);
        add(c, cpu, CC_TRACE_FETCH, BARRIER + 4, BARRIER + 4, 1, CC_TRACE_HIT);
    }
    c->clock = c->clock > clock ? c->clock : clock;
}

static void describe(unsigned cores)
{
    char text[16];
    snprintf(text, sizeof text, "%u", cores);
    cc_trace_writer_fact(out, "program", "made-up");
    cc_trace_writer_fact(out, "cores", text);
    cc_trace_writer_fact(out, "line_bytes", "32");
    cc_trace_writer_fact(out, "clock_mhz", "100");
    static const struct cc_trace_symbol symbols[] = {
        {WORK, WORK + 0x100, "work", "work.c", 10, NULL},
        {EXCHANGE, EXCHANGE + 0x100, "exchange", "exchange.c", 30, NULL},
        {BARRIER, BARRIER + 0x100, "barrier_wait", "barrier.c", 10, NULL}};
    static const struct cc_trace_line lines[] = {{WORK, "work.c", 14},
                                                 {WORK + 0x100, NULL, 0},
                                                 {EXCHANGE, "exchange.c", 35},
                                                 {EXCHANGE + 0x20, "exchange.c", 40},
                                                 {EXCHANGE + 0x40, "exchange.c", 52},
                                                 {BARRIER, "barrier.c", 12}};
    static const struct cc_trace_object objects[] = {
        {GATE, GATE + 4, 0, UINT64_MAX, "gate", NULL, NULL, 0, CC_TRACE_GLOBAL},
        {QUEUE, QUEUE + 0x20000, 0, UINT64_MAX, "queue", NULL, NULL, 0, CC_TRACE_GLOBAL}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        cc_trace_writer_symbol(out, &symbols[i]);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cc_trace_writer_line(out, &lines[i]);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        cc_trace_writer_object(out, &objects[i]);
}

int main(int argc, char **argv)
{
    char why[CC_TRACE_ERR];
    unsigned cores = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    uint64_t events = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    bool quiet = argc > 4 && strcmp(argv[4], "quiet") == 0;
    noisy = argc > 4 && strcmp(argv[4], "noisy") == 0;
    if (!cores || cores > 64 || !(out = cc_trace_writer_open(argv[1], why))) {
        fprintf(stderr, "usage: make-trace FILE CORES EVENTS [quiet|noisy]\n");
        return 2;
    }
    struct core all[64] = {0};
    describe(cores);
    while (written < events) {
        uint64_t last = 0;
        for (unsigned cpu = 0; cpu < cores; cpu++) {
            work(&all[cpu], cpu, 120 + (unsigned)(rnd() % 60));
            exchange(&all[cpu], cpu, cores, quiet);
            last = all[cpu].clock > last ? all[cpu].clock : last;
        }
        last += 40 * (cores - 1);
        for (unsigned cpu = 1; cpu < cores; cpu++)
            spin_until(&all[cpu], cpu, last);
        all[0].clock = last;
        add(&all[0], 0, CC_TRACE_STORE, BARRIER + 0x10, GATE, 20, CC_TRACE_SHARED);
    }
    if (cc_trace_writer_close(out, why) < 0) {
        fprintf(stderr, "make-trace: %s\n", why);
        return 1;
    }
    return 0;
}
