/* replay TRACE: plays a trace's data accesses again on private caches of its own, in the order of time, and
 * counts the events whose hit flag says otherwise. Nothing of sim/ is used: a table of lines for each core,
 * MESI or write-through as the trace's facts say. Prints "ACCESSES DISAGREEMENTS". */
#include "../src/base/err.h"
#include "../trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { INVALID, SHARED, EXCLUSIVE, MODIFIED };

struct slot {
    uint64_t line, used;
    enum state state;
};

static struct {
    struct slot *slots; /* [(cpu * sets + set) * ways + way] */
    uint64_t cpus, sets, ways, line, clock;
    bool write_back;
} machine;

static struct slot *set_of(unsigned cpu, uint64_t line)
{
    return machine.slots + (cpu * machine.sets + line % machine.sets) * machine.ways;
}

static struct slot *find(unsigned cpu, uint64_t line)
{
    struct slot *s = set_of(cpu, line);
    for (uint64_t w = 0; w < machine.ways; w++)
        if (s[w].state != INVALID && s[w].line == line)
            return &s[w];
    return NULL;
}

/* Its own old place, a free one, the least recently used. */
static struct slot *place(unsigned cpu, uint64_t line)
{
    struct slot *s = set_of(cpu, line), *best = s;
    for (uint64_t w = 0; w < machine.ways; w++) {
        if (s[w].line == line && s[w].used)
            return &s[w];
        if ((s[w].state == INVALID) > (best->state == INVALID) ||
            ((s[w].state == INVALID) == (best->state == INVALID) && s[w].used < best->used))
            best = &s[w];
    }
    return best;
}

/* What the others have of it becomes shared, or goes. True: somebody has it. */
static bool tell_others(unsigned cpu, uint64_t line, bool write)
{
    bool any = false;
    for (unsigned i = 0; i < machine.cpus; i++) {
        struct slot *s = i == cpu ? NULL : find(i, line);
        if (s)
            s->state = write ? INVALID : SHARED;
        any |= s != NULL;
    }
    return any;
}

static bool touch(unsigned cpu, uint64_t line, bool write)
{
    struct slot *s = find(cpu, line);
    machine.clock++;
    bool hit = s && (!write || s->state >= EXCLUSIVE);
    if (hit || (!machine.write_back && write)) {
        if (write && !machine.write_back)
            tell_others(cpu, line, true);
        if (s)
            s->used = machine.clock;
        if (s && write && machine.write_back)
            s->state = MODIFIED;
        return hit;
    }
    bool others = machine.write_back && tell_others(cpu, line, write);
    s = s ? s : place(cpu, line);
    *s = (struct slot){line, machine.clock,
                       write                           ? MODIFIED
                       : others || !machine.write_back ? SHARED
                                                       : EXCLUSIVE};
    return false;
}

static bool replay(const struct cc_trace_event *e)
{
    bool hit = true, write = e->kind == CC_TRACE_STORE || e->kind == CC_TRACE_ATOMIC;
    uint64_t last = (e->addr + (e->size ? e->size - 1u : 0)) / machine.line;
    for (uint64_t line = e->addr / machine.line; line <= last; line++)
        hit &= touch(e->cpu, line, write);
    return hit;
}

static int set_up(struct cc_trace_reader *r)
{
    machine.cpus = cc_trace_fact_number(r, "cores", 0);
    machine.line = cc_trace_fact_number(r, "line_bytes", 0);
    machine.ways = cc_trace_fact_number(r, "l1d_ways", 0);
    const char *policy = cc_trace_fact(r, "l1d_policy");
    machine.write_back = policy && strcmp(policy, "write-back") == 0;
    uint64_t bytes = cc_trace_fact_number(r, "l1d_bytes", 0);
    if (!machine.cpus || !machine.line || !machine.ways || !bytes)
        return -1;
    machine.sets = bytes / machine.line / machine.ways;
    machine.slots = calloc(machine.cpus * machine.sets * machine.ways, sizeof *machine.slots);
    return machine.slots ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct cc_trace_reader *r;
    struct cc_err err = {0};
    if (argc != 2 || cc_trace_open(argv[1], &r, &err) < 0 || set_up(r) < 0) {
        fprintf(stderr, "usage: replay TRACE (of corecast simulate): %s\n", err.msg);
        return 2;
    }
    struct cc_trace_event e;
    uint64_t all = 0, wrong = 0;
    cc_trace_select(r, NULL);
    while (cc_trace_next(r, &e)) {
        if (e.kind == CC_TRACE_FETCH || e.kind >= CC_TRACE_WAIT || e.cpu >= machine.cpus)
            continue;
        bool hit = replay(&e);
        if (!machine.write_back && (e.kind == CC_TRACE_STORE || e.kind == CC_TRACE_ATOMIC))
            continue; /* these never count as hits */
        all++;
        wrong += hit != ((e.flags & CC_TRACE_HIT) != 0);
    }
    printf("%" PRIu64 " %" PRIu64 "\n", all, wrong);
    cc_trace_close(r);
    free(machine.slots);
    return 0;
}
