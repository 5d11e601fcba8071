/* What the tests of findings share: a made-up trace of a program with two functions and a lock. */
#ifndef CC_ANALYSIS_CONTENTION_TEST_FINDINGS_H
#define CC_ANALYSIS_CONTENTION_TEST_FINDINGS_H

#include "watch.h"
#include "../../base/err.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static char path[TAP_FOLDER];

enum { MAIN = 0x1000, WORK = 0x1100, LOCK = 0x9000, COUNT = 0x20000, MUTEX = 0x30000, FLAG = 0x40000 };

static struct cc_trace_writer *begin(void)
{
    char why[CC_TRACE_ERR];
    struct cc_trace_writer *w = cc_trace_writer_open(path, why);
    if (!w)
        exit(99);
    const struct cc_trace_symbol symbols[] = {
        {MAIN, MAIN + 0x100, "main", "a.c", 5, "prog"},
        {WORK, WORK + 0x100, "work", "a.c", 20, "prog"},
        {LOCK, LOCK + 0x100, "__pthread_mutex_lock", "lock.c", 1, "libc.so.6"}};
    const struct cc_trace_line lines[] = {
        {MAIN, "a.c", 7}, {WORK, "a.c", 21}, {WORK + 0x40, "a.c", 25}, {LOCK, "lock.c", 90}};
    const struct cc_trace_object objects[] = {
        {COUNT, COUNT + 512, 0, UINT64_MAX, "counts", NULL, NULL, 0, CC_TRACE_GLOBAL},
        {MUTEX, MUTEX + 48, 0, UINT64_MAX, "mutex", NULL, NULL, 0, CC_TRACE_GLOBAL},
        {FLAG, FLAG + 8, 0, UINT64_MAX, "flag", NULL, NULL, 0, CC_TRACE_GLOBAL}};
    /* thread 0: main; thread 1: work; work calls the lock */
    const struct cc_trace_context contexts[] = {{0, 0, 0}, {0, 1, 0}, {2, WORK + 0x44, LOCK}};
    for (size_t i = 0; i < 3; i++) {
        cc_trace_writer_symbol(w, &symbols[i]);
        cc_trace_writer_object(w, &objects[i]);
        cc_trace_writer_context(w, &contexts[i]);
    }
    for (size_t i = 0; i < 4; i++)
        cc_trace_writer_line(w, &lines[i]);
    cc_trace_writer_fact(w, "program", "./prog");
    cc_trace_writer_fact(w, "cores", "2");
    cc_trace_writer_fact(w, "cycles", "100000");
    return w;
}

static struct cc_findings *end(struct cc_trace_writer *w, struct cc_trace_reader **ret, double least)
{
    char why[CC_TRACE_ERR];
    struct cc_err err = {0};
    if (cc_trace_writer_close(w, why) < 0 || cc_trace_open(path, ret, &err) < 0)
        exit(99);
    return cc_findings_read(*ret, &(struct cc_findings_options){.least = least, .top = 10});
}

static void put(struct cc_trace_writer *w, unsigned cpu, uint64_t cycle, unsigned kind, unsigned flags,
                uint64_t addr, unsigned latency)
{
    struct cc_trace_event e = {.cycle = cycle,
                               .pc = kind == CC_TRACE_STORE ? WORK + 0x50 : WORK + 0x40,
                               .addr = addr,
                               .latency = latency,
                               .cpu = (uint16_t)cpu,
                               .kind = (uint8_t)kind,
                               .flags = (uint8_t)flags,
                               .context = 2,
                               .size = 4,
                               .node = CC_TRACE_NO_NODE};
    cc_trace_writer_add(w, &e);
}

#endif
