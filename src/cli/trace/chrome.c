#include "chrome.h"
#include "../../../trace/trace.h"
#include "../../draw/chrome.h"

#include <inttypes.h>
#include <math.h>

/* Viewers count in microseconds and round to nanoseconds: whole ones, so that neighbours do not overlap. */
static double time_of(uint64_t cycle, double clock)
{
    return floor((double)cycle * 1000 / clock) / 1000;
}

static void put_event(struct cc_chrome *c, const struct cc_trace_reader *r, const struct cc_trace_event *e,
                      uint64_t end, double clock)
{
    char text[64];
    const struct cc_trace_symbol *f = cc_trace_find_symbol(r, e->pc);
    double start = time_of(e->cycle, clock);
    struct cc_chrome_event shown = {.name = f ? f->name : cc_trace_kind_name(e->kind),
                                    .category = cc_trace_kind_name(e->kind),
                                    .thread = e->cpu,
                                    .start = start,
                                    .length = round((time_of(end, clock) - start) * 1000) / 1000};
    struct cc_json *args = cc_chrome_event_open(c, &shown);
    snprintf(text, sizeof text, "0x%" PRIx64, e->pc);
    cc_json_str(args, "pc", text);
    snprintf(text, sizeof text, "0x%" PRIx64, e->addr);
    cc_json_str(args, "address", text);
    cc_json_u64(args, "cycle", e->cycle);
    cc_json_u64(args, "latency", e->latency);
    if (e->node != CC_TRACE_NO_NODE)
        cc_json_u64(args, "node", e->node);
    if (e->flags)
        cc_json_str(args, "flags", cc_trace_flags(e->flags, text));
    cc_chrome_event_close(c);
}

static void put_names(struct cc_chrome *c, const struct cc_trace_reader *r, unsigned cpus)
{
    const char *program = cc_trace_fact(r, "program");
    cc_chrome_process(c, 0, program ? program : "trace");
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        char text[64];
        if (!cc_trace_cpu_events(r, cpu))
            continue;
        snprintf(text, sizeof text, "CPU %u", cpu);
        cc_chrome_thread(c, 0, cpu, text);
    }
}

/* Waits and idle time lie before their event. */
static uint64_t end_of(const struct cc_trace_event *e)
{
    return e->cycle + (e->kind < CC_TRACE_WAIT ? e->latency : 0);
}

/* What one thread does must not overlap. An access that is not over when the core's next one starts is drawn
 * up to there; its latency is among the arguments. So each CPU's last event waits for the next. */
void cc_trace_export_chrome(struct cc_trace_reader *r, const struct cc_trace_filter *filter, bool hits,
                            uint64_t limit, FILE *out)
{
    struct cc_chrome c;
    struct cc_trace_event e;
    struct cc_trace_summary s;
    double clock = (double)cc_trace_fact_number(r, "clock_mhz", 1);
    clock = clock > 0 ? clock : 1;
    cc_trace_summary(r, &s);
    struct cc_trace_event *last = cc_alloc_array(s.cpus + 1, sizeof *last);
    bool *waits = cc_alloc_array(s.cpus + 1, sizeof *waits);
    cc_chrome_begin(&c, out, "ns", NULL);
    put_names(&c, r, s.cpus);
    cc_trace_select(r, filter);
    for (uint64_t n = 0; (!limit || n < limit) && !ferror(out) && cc_trace_next(r, &e);) {
        if ((!hits && (e.flags & CC_TRACE_HIT)) || e.cpu >= s.cpus)
            continue;
        n++;
        struct cc_trace_event *l = &last[e.cpu];
        if (waits[e.cpu])
            put_event(&c, r, l, CC_MIN(end_of(l), CC_MAX(e.cycle, l->cycle)), clock);
        *l = e;
        waits[e.cpu] = true;
    }
    for (unsigned cpu = 0; cpu < s.cpus; cpu++)
        if (waits[cpu])
            put_event(&c, r, &last[cpu], end_of(&last[cpu]), clock);
    cc_chrome_end(&c);
    free(waits);
    free(last);
}
