/* corecast simulate: a threaded program on a simulated multiprocessor. */
#include "../command.h"
#include "../output.h"
#include "../../run/simulate.h"
#include "../../base/table.h"

struct options {
    struct cc_common common;
    const char *platform, *trace, *firmware, *machine, *cpu, *sysroot;
    uint64_t look_ahead;
    int64_t cores;
    int events;
    struct cc_strs set;
};

static const char *const event_choices[] = {"data", "misses", "all", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct options, platform),
     "platform file, or the name of one that ships with Corecast"},
    {CC_OPT_INT, 'n', "cores", "N", offsetof(struct options, cores),
     "simulated cores (default: the platform's)", 1, 256},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value of the platform"},
    {CC_OPT_STR, 't', "trace", "T", offsetof(struct options, trace), "write an access trace to T"},
    {CC_OPT_CHOICE, 0, "events", "WHICH", offsetof(struct options, events),
     "in the trace: data (every data access, fetches that miss), misses, or all", 0, 0, event_choices},
    {CC_OPT_SIZE, 0, "look-ahead", "CYCLES", offsetof(struct options, look_ahead),
     "how far a core may run ahead of the others (default 100; 0 is exact and slow)", 0, 1e9},
    {CC_OPT_STR, 0, "sysroot", "DIR", offsetof(struct options, sysroot),
     "where a foreign program's libraries are"},
    {CC_OPT_STR, 0, "firmware", "ELF", offsetof(struct options, firmware),
     "run bare-metal firmware instead of a program"},
    {CC_OPT_STR, 0, "machine", "M", offsetof(struct options, machine),
     "QEMU's board for the firmware (default virt)"},
    {CC_OPT_STR, 0, "cpu", "C", offsetof(struct options, cpu), "QEMU's processor for the firmware"},
};

/* ---- text ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static uint64_t busy_cycles(const struct cc_simulation *s, unsigned core)
{
    const struct cc_sim_core_stats *c = &s->shared->stats.core[core];
    return c->cycles - c->idle;
}

static void print_cores(const struct cc_simulation *s, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "core", .title = "core", .type = CC_COL_INT},
        {.key = "instructions", .title = "instructions", .type = CC_COL_COUNT},
        {.key = "busy", .title = "busy", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "fetch", .title = "fetch stall", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "load", .title = "load stall", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "store", .title = "store stall", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "i", .title = "I miss", .type = CC_COL_PERCENT, .digits = 2},
        {.key = "d", .title = "load miss", .type = CC_COL_PERCENT, .digits = 2},
        {.key = "true", .title = "true sharing", .type = CC_COL_COUNT},
        {.key = "false", .title = "false sharing", .type = CC_COL_COUNT},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (unsigned i = 0; i < s->shared->config.cores; i++) {
        const struct cc_sim_core_stats *c = &s->shared->stats.core[i];
        uint64_t busy = busy_cycles(s, i);
        cc_table_row(t);
        cc_table_int(t, i);
        cc_table_int(t, (int64_t)c->instructions);
        cc_table_num(t, share(busy, s->cycles));
        cc_table_num(t, share(c->fetch_stall, s->cycles));
        cc_table_num(t, share(c->load_stall, s->cycles));
        cc_table_num(t, share(c->store_stall, s->cycles));
        cc_table_num(t, share(c->fetch_misses, c->fetches));
        cc_table_num(t, share(c->load_misses, c->loads));
        cc_table_int(t, (int64_t)c->true_sharing);
        cc_table_int(t, (int64_t)c->false_sharing);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_banks(const struct cc_simulation *s, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "bank", .title = "memory bank", .type = CC_COL_STR},
        {.key = "reads", .title = "reads", .type = CC_COL_COUNT},
        {.key = "writes", .title = "writes", .type = CC_COL_COUNT},
        {.key = "busy", .title = "busy", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "wait", .title = "mean wait", .type = CC_COL_NUM, .digits = 1},
        {.key = "l2", .title = "L2 hits", .type = CC_COL_PERCENT, .digits = 1},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (unsigned i = 0; i < s->shared->config.banks; i++) {
        const struct cc_sim_bank_stats *b = &s->shared->stats.bank[i];
        cc_table_row(t);
        cc_table_str(t, s->shared->config.bank[i].name);
        cc_table_int(t, (int64_t)b->reads);
        cc_table_int(t, (int64_t)b->writes);
        cc_table_num(t, share(b->busy, s->cycles));
        cc_table_num(t, share(b->wait, b->reads + b->writes + b->l2_hits));
        if (s->shared->config.l2.size)
            cc_table_num(t, share(b->l2_hits, b->l2_hits + b->l2_misses));
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static const char *link_name(const struct cc_sim_config *c, unsigned link, char out[static 64])
{
    static const char *const directions[] = {"east", "west", "north", "south"};
    if (c->net == CC_SIM_BUS)
        snprintf(out, 64, "bus");
    else if (c->net == CC_SIM_MESH)
        snprintf(out, 64, "node %u %s", link / 4, directions[link % 4]);
    else if (link < c->cores)
        snprintf(out, 64, "port of core %u", link);
    else
        snprintf(out, 64, "port of bank %.31s",
                 link - c->cores < c->banks ? c->bank[link - c->cores].name : "?");
    return out;
}

static unsigned busiest_link(const struct cc_sim_stats *st)
{
    unsigned best = 0;
    for (unsigned i = 1; i < st->links; i++)
        if (st->link_busy[i] > st->link_busy[best])
            best = i;
    return best;
}

static void print_interconnect(const struct cc_simulation *s, FILE *out)
{
    static const char *const nets[] = {"bus", "crossbar", "mesh"};
    const struct cc_sim_config *c = &s->shared->config;
    const struct cc_sim_stats *st = &s->shared->stats;
    unsigned link = busiest_link(st);
    char name[64], messages[24], bytes[24];
    fprintf(out, "%s: %s messages, %s of data, %.1f cycles mean wait; busiest: %s, %.1f %% busy\n",
            nets[c->net], cc_human_count((double)st->messages, messages),
            cc_human_bytes((double)st->bytes, bytes), share(st->net_wait, st->messages),
            link_name(c, link, name), 100 * share(st->link_busy[link], s->cycles));
}

static void print_histogram(const struct cc_simulation *s, FILE *out)
{
    static const char *const kinds[CC_SIM_KINDS] = {"fetch miss",  "load",        "store",
                                                    "load-linked", "store-cond.", "atomic"};
    const struct cc_sim_stats *st = &s->shared->stats;
    fputs("\nlatency, cycles", out);
    unsigned first = CC_SIM_BUCKETS, last = 0;
    for (unsigned k = 0; k < CC_SIM_KINDS; k++)
        for (unsigned b = 0; b < CC_SIM_BUCKETS; b++)
            if (st->latency[k][b]) {
                first = CC_MIN(first, b);
                last = CC_MAX(last, b);
            }
    struct cc_col cols[CC_SIM_KINDS + 1] = {{.key = "cycles", .title = "cycles", .type = CC_COL_STR}};
    size_t n = 1;
    for (unsigned k = 0; k < CC_SIM_KINDS; k++)
        if (st->latency_count[k])
            cols[n++] =
                (struct cc_col){.key = kinds[k], .title = kinds[k], .type = CC_COL_PERCENT, .digits = 2};
    fputc('\n', out);
    struct cc_table *t = cc_table_new(cols, n);
    for (unsigned b = first; b <= last && first < CC_SIM_BUCKETS; b++) {
        char range[48];
        uint64_t low = b ? (uint64_t)1 << (b - 1) : 0, high = b ? ((uint64_t)1 << b) - 1 : 0;
        snprintf(range, sizeof range, low == high ? "%llu" : "%llu-%llu", (unsigned long long)low,
                 (unsigned long long)high);
        cc_table_row(t);
        cc_table_str(t, range);
        for (unsigned k = 0; k < CC_SIM_KINDS; k++)
            if (st->latency_count[k])
                cc_table_num(t, share(st->latency[k][b], st->latency_count[k]));
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
    fputs("mean:", out);
    for (unsigned k = 0; k < CC_SIM_KINDS; k++)
        if (st->latency_count[k])
            fprintf(out, "  %s %.2f", kinds[k], share(st->latency_sum[k], st->latency_count[k]));
    fputc('\n', out);
}

static void print_text(const struct options *o, const struct cc_simulation *s, FILE *out)
{
    const struct cc_sim_shared *h = s->shared;
    uint64_t instructions = 0, busy = 0;
    for (unsigned i = 0; i < h->config.cores; i++) {
        instructions += h->stats.core[i].instructions;
        busy += busy_cycles(s, i);
    }
    char n[24], c[24];
    fprintf(
        out, "%s cycles on %u cores (%.3f ms at %g MHz), %s instructions, %u thread%s, cores busy %.1f %%\n",
        cc_human_count((double)s->cycles, c), h->config.cores, (double)s->cycles / h->config.clock_mhz / 1000,
        h->config.clock_mhz, cc_human_count((double)instructions, n), h->threads, h->threads == 1 ? "" : "s",
        100 * share(busy, s->cycles * h->config.cores));
    if (s->reason[0])
        fprintf(out, "incomplete: %s\n", s->reason);
    fputc('\n', out);
    print_cores(s, out);
    fputc('\n', out);
    print_banks(s, out);
    print_interconnect(s, out);
    print_histogram(s, out);
    if (o->trace)
        fprintf(out, "\ntrace: %llu events in %s\n", (unsigned long long)s->events, o->trace);
    if (o->common.verbose)
        fprintf(
            out,
            "host: %.2f s, %.2f million instructions a second, %llu hand-overs, %u reliefs (%u unexpected)\n",
            s->seconds, (double)instructions / 1e6 / s->seconds, (unsigned long long)h->handovers, h->reliefs,
            h->unexpected);
}

/* ---- JSON ---- */

static void json_core(struct cc_json *j, const struct cc_simulation *s, unsigned i)
{
    const struct cc_sim_core_stats *c = &s->shared->stats.core[i];
    uint64_t busy = busy_cycles(s, i);
    cc_json_obj(j, NULL);
    cc_json_u64(j, "id", i);
    cc_json_u64(j, "instructions", c->instructions);
    cc_json_u64(j, "cycles", busy);
    cc_json_u64(j, "idle", s->cycles - busy);
    cc_json_u64(j, "fetch_stall", c->fetch_stall);
    cc_json_u64(j, "load_stall", c->load_stall);
    cc_json_u64(j, "store_stall", c->store_stall);
    cc_json_obj(j, "icache");
    cc_json_u64(j, "accesses", c->fetches);
    cc_json_u64(j, "misses", c->fetch_misses);
    cc_json_end(j);
    cc_json_obj(j, "dcache");
    cc_json_u64(j, "loads", c->loads);
    cc_json_u64(j, "stores", c->stores);
    cc_json_u64(j, "atomics", c->atomics);
    cc_json_u64(j, "load_misses", c->load_misses);
    cc_json_u64(j, "store_misses", c->store_misses);
    cc_json_u64(j, "upgrades", c->upgrades);
    cc_json_u64(j, "true_sharing", c->true_sharing);
    cc_json_u64(j, "false_sharing", c->false_sharing);
    cc_json_u64(j, "invalidated", c->invalidated);
    cc_json_u64(j, "write_backs", c->write_backs);
    cc_json_u64(j, "write_buffer_full", c->buffer_full);
    cc_json_end(j);
    cc_json_end(j);
}

static void json_interconnect(struct cc_json *j, const struct cc_simulation *s)
{
    static const char *const nets[] = {"bus", "crossbar", "mesh"};
    const struct cc_sim_stats *st = &s->shared->stats;
    cc_json_obj(j, "interconnect");
    cc_json_str(j, "kind", nets[s->shared->config.net]);
    cc_json_u64(j, "messages", st->messages);
    cc_json_u64(j, "bytes", st->bytes);
    cc_json_u64(j, "hops", st->hops);
    cc_json_u64(j, "wait", st->net_wait);
    cc_json_arr(j, "links");
    for (unsigned i = 0; i < st->links; i++) {
        char name[64];
        if (!st->link_busy[i])
            continue;
        cc_json_obj(j, NULL);
        cc_json_str(j, "name", link_name(&s->shared->config, i, name));
        cc_json_u64(j, "busy", st->link_busy[i]);
        cc_json_num(j, "load", share(st->link_busy[i], s->cycles));
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_end(j);
}

static void json_memory(struct cc_json *j, const struct cc_simulation *s)
{
    cc_json_obj(j, "memory");
    cc_json_arr(j, "banks");
    for (unsigned i = 0; i < s->shared->config.banks; i++) {
        const struct cc_sim_bank_stats *b = &s->shared->stats.bank[i];
        cc_json_obj(j, NULL);
        cc_json_str(j, "name", s->shared->config.bank[i].name);
        cc_json_u64(j, "reads", b->reads);
        cc_json_u64(j, "writes", b->writes);
        cc_json_u64(j, "busy", b->busy);
        cc_json_u64(j, "wait", b->wait);
        if (s->shared->config.l2.size) {
            cc_json_u64(j, "l2_hits", b->l2_hits);
            cc_json_u64(j, "l2_misses", b->l2_misses);
        }
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_end(j);
}

static void json_latency(struct cc_json *j, const struct cc_simulation *s)
{
    static const char *const kinds[CC_SIM_KINDS] = {"fetch_miss",        "load",  "store", "load_linked",
                                                    "store_conditional", "atomic"};
    const struct cc_sim_stats *st = &s->shared->stats;
    cc_json_obj(j, "latency");
    for (unsigned k = 0; k < CC_SIM_KINDS; k++) {
        cc_json_obj(j, kinds[k]);
        cc_json_u64(j, "count", st->latency_count[k]);
        st->latency_count[k] ? cc_json_num(j, "mean", share(st->latency_sum[k], st->latency_count[k]))
                             : cc_json_null(j, "mean");
        cc_json_arr(j, "histogram");
        for (unsigned b = 0; b < CC_SIM_BUCKETS; b++) {
            if (!st->latency[k][b])
                continue;
            cc_json_obj(j, NULL);
            cc_json_u64(j, "from", b ? (uint64_t)1 << (b - 1) : 0);
            cc_json_u64(j, "to", b ? ((uint64_t)1 << b) - 1 : 0);
            cc_json_u64(j, "count", st->latency[k][b]);
            cc_json_end(j);
        }
        cc_json_end(j);
        cc_json_end(j);
    }
    cc_json_end(j);
}

static void print_json(const struct options *o, const struct cc_simulation *s, FILE *out)
{
    const struct cc_sim_shared *h = s->shared;
    struct cc_json j;
    cc_json_document(&j, out, "corecast.simulate", 1);
    cc_json_str(&j, "isa", s->isa);
    cc_json_bool(&j, "complete", !s->reason[0]);
    cc_json_str(&j, "reason", s->reason[0] ? s->reason : NULL);
    cc_json_obj(&j, "exit");
    s->signal ? cc_json_null(&j, "code") : cc_json_i64(&j, "code", s->exit_code);
    s->signal ? cc_json_i64(&j, "signal", s->signal) : cc_json_null(&j, "signal");
    cc_json_end(&j);
    cc_json_u64(&j, "cycles", s->cycles);
    cc_json_num(&j, "clock_mhz", h->config.clock_mhz);
    cc_json_u64(&j, "look_ahead", h->look_ahead);
    cc_json_u64(&j, "threads", h->threads);
    cc_json_arr(&j, "cores");
    for (unsigned i = 0; i < h->config.cores; i++)
        json_core(&j, s, i);
    cc_json_end(&j);
    json_interconnect(&j, s);
    json_memory(&j, s);
    json_latency(&j, s);
    cc_json_u64(&j, "handovers", h->handovers);
    if (o->common.verbose) { /* what differs from run to run */
        cc_json_obj(&j, "host");
        cc_json_num(&j, "seconds", s->seconds);
        cc_json_u64(&j, "reliefs", h->reliefs);
        cc_json_u64(&j, "unexpected_reliefs", h->unexpected);
        cc_json_end(&j);
    }
    o->trace ? cc_json_u64(&j, "events", s->events) : cc_json_null(&j, "events");
    cc_json_str(&j, "trace", o->trace);
    cc_json_end(&j);
}

/* ---- the command ---- */

static int show(const struct options *o, const struct cc_simulation *s, struct cc_err *err)
{
    struct cc_outfile out = {0};
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    if (o->common.json)
        print_json(o, s, out.f);
    else if (!o->common.quiet || o->common.output)
        print_text(o, s, out.f);
    rc = cc_outfile_commit(&out, err);
    if (s->shared->unexpected)
        cc_note(
            &o->common,
            "QEMU stopped all cores %u times for an operation of its own: times may be a little off there",
            s->shared->unexpected);
    return rc;
}

static int check(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    if (!o->platform)
        return cc_err_set(err, CC_EUSAGE, "no platform: '--platform P' is needed");
    if (!o->firmware && !operands->n)
        return cc_err_set(err, CC_EUSAGE, "no program to simulate");
    if (!o->firmware && (o->machine || o->cpu))
        return cc_err_set(err, CC_EUSAGE, "'--machine' and '--cpu' go with '--firmware'");
    return 0;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    struct cc_platform *p = NULL;
    struct cc_sim_config config;
    int rc = check(o, operands, err), status = 0;
    if (rc == 0)
        rc = cc_platform_load(o->platform, &p, err);
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(p, o->set.v[i], err);
    if (rc == 0)
        rc = cc_simulate_config(p, (unsigned)o->cores, &config, err);
    struct cc_simulation *s = NULL;
    if (rc == 0) {
        static const enum cc_sim_events events[] = {CC_SIM_EVENTS_DATA, CC_SIM_EVENTS_MISSES,
                                                    CC_SIM_EVENTS_ALL};
        struct cc_simulate_request r = {.config = &config,
                                        .platform = cc_platform_str_or(p, "platform", "name", o->platform),
                                        .look_ahead = CC_GIVEN(o, look_ahead) ? o->look_ahead : 100,
                                        .events = events[o->events],
                                        .trace = o->trace,
                                        .sysroot = o->sysroot,
                                        .firmware = o->firmware,
                                        .machine = o->machine ? o->machine : "virt",
                                        .cpu = o->cpu,
                                        .argv = operands->v,
                                        .argc = operands->n,
                                        .stdout_to_stderr = o->common.json && !o->common.output};
        rc = cc_simulate_run(&r, &s, &status, err);
    }
    if (s) {
        struct cc_err shown = {0};
        int rc2 = show(o, s, rc < 0 ? &shown : err);
        rc = rc < 0 ? rc : rc2 < 0 ? rc2 : s->status;
    } else if (rc < 0 && (status == 126 || status == 127)) {
        cc_err_print(err, stderr);
        rc = status;
    }
    cc_simulation_free(s);
    cc_platform_free(p);
    return rc;
}

const struct cc_command cc_cmd_simulate = {
    .name = "simulate",
    .summary = "run a threaded program on a simulated multiprocessor",
    .synopsis = "--platform P [OPTIONS] -- PROGRAM [ARGUMENTS]",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .stop_at_operand = true,
    .raw_exit = true,
    .run = run,
};
