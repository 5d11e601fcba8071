/* Verdicts of known times; parts of made-up traces that must add up. */
#include "stacks.h"
#include "../../base/err.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static void verdict(const uint64_t *cycles, size_t n, enum cc_stacks_verdict want, unsigned want_at,
                    const char *what)
{
    const unsigned cores[] = {1, 2, 4, 8, 16};
    unsigned at;
    enum cc_stacks_verdict v = cc_stacks_judge(cores, cycles, n, &at);
    OK(v == want && at == want_at, "%s (%s at %u)", what, cc_stacks_verdict_names[v], at);
}

/* `cores` cores, of 1000 cycles each: `busy` busy, 300 of which were lost to false sharing; a serial phase.
 */
static struct cc_trace_reader *trace_of(unsigned cores, uint64_t busy, uint64_t instructions,
                                        const char *path)
{
    char why[CC_TRACE_ERR], text[32];
    struct cc_err err = {0};
    struct cc_trace_reader *r;
    struct cc_trace_writer *w = cc_trace_writer_open(path, why);
    const struct {
        const char *name;
        uint64_t value;
    } facts[] = {{"cores", cores}, {"cycles", 1000}, {"busy", busy}, {"instructions", instructions}};
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)facts[i].value);
        cc_trace_writer_fact(w, facts[i].name, text);
    }
    cc_trace_writer_context(w, &(struct cc_trace_context){0});
    cc_trace_writer_symbol(w, &(struct cc_trace_symbol){0x100, 0x200, "f", "f.c", 1, NULL});
    cc_trace_writer_line(w, &(struct cc_trace_line){0x100, "f.c", 3});
    struct cc_trace_event e = {.cycle = 10,
                               .pc = 0x110,
                               .addr = 64,
                               .latency = 500,
                               .kind = CC_TRACE_LOAD,
                               .context = 1,
                               .node = CC_TRACE_NO_NODE};
    e.lost[CC_TRACE_LOST_FALSE] = cores > 1 ? 300 : 0;
    cc_trace_writer_add(w, &e);
    struct cc_trace_event idle = {.cycle = 600,
                                  .pc = 0x110,
                                  .kind = CC_TRACE_IDLE,
                                  .size = 1,
                                  .hops = 1,
                                  .context = 1,
                                  .lost = {50 * (cores - 1)}};
    cc_trace_writer_add(w, &idle);
    if (cc_trace_writer_close(w, why) < 0 || cc_trace_open(path, &r, &err) < 0)
        exit(99);
    return r;
}

static void test_parts(void)
{
    char one[TAP_FOLDER], four[TAP_FOLDER];
    tap_file(one);
    tap_file(four);
    struct cc_trace_reader *traces[] = {trace_of(4, 3000, 2100, four), trace_of(1, 1000, 1000, one)};
    struct cc_stacks *s = cc_stacks_of(traces, 2);
    OK(s->n == 2 && s->stacks[0].cores == 1 && s->stacks[1].cores == 4, "stacks by number of cores");
    for (size_t i = 0; i < s->n; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < CC_STACK_PARTS; k++)
            sum += s->stacks[i].parts[k];
        OK_U64((uint64_t)sum, s->stacks[i].cores * s->stacks[i].cycles,
               "%u cores: the parts are cores x cycles", s->stacks[i].cores);
    }
    const int64_t *p = s->stacks[1].parts;
    OK(p[CC_STACK_WORK] == 1000 && p[CC_STACK_INSTRUCTIONS] == 1100 && p[CC_STACK_CAPACITY] == 600 &&
           p[CC_STACK_COHERENCE] == 300 && p[CC_STACK_SERIAL] == 150 && p[CC_STACK_IDLE] == 850,
       "each part: work 1000, 1100 instructions more at one a cycle, 600 more cycles of misses, 300 lost, "
       "150 serial");
    OK(s->nbottlenecks == 1 && s->bottlenecks[0].part == CC_STACK_COHERENCE &&
           s->bottlenecks[0].lost == 300 && s->bottlenecks[0].finding->line == 3,
       "bottlenecks with their line");
    cc_stacks_free(s);
    cc_trace_close(traces[0]);
    cc_trace_close(traces[1]);
    unlink(one);
    unlink(four);
}

int main(void)
{
    verdict((const uint64_t[]){1820, 990, 760, 840, 1210}, 5, CC_STACKS_COLLAPSES, 4,
            "a grid relaxation that collapses");
    verdict((const uint64_t[]){13300, 6700, 3400, 1800, 1000}, 5, CC_STACKS_SCALES, 16,
            "13.3 times on 16 cores scales");
    verdict((const uint64_t[]){1000, 520, 410, 400, 402}, 5, CC_STACKS_SATURATES, 4, "no gain beyond four");
    verdict((const uint64_t[]){1000, 260}, 2, CC_STACKS_SCALES, 2, "two runs suffice");
    test_parts();
    return TAP_DONE();
}
