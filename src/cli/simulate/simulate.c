/* corecast simulate: a threaded program on a simulated multiprocessor. */
#include "../command.h"
#include "../mine/findings.h"
#include "../mine/mine.h"
#include "../output.h"
#include "programs.h"
#include "../../platform/machine.h"
#include "../../run/simulate.h"

#include <inttypes.h>
#include <math.h>

struct options {
    struct cc_common common;
    const char *platform, *trace, *firmware, *machine, *cpu, *sysroot;
    uint64_t look_ahead, bound;
    int64_t cores;
    int events;
    struct cc_strs set, bind;
    bool mine;
};

static const char *const event_choices[] = {"data", "misses", "all", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct options, platform),
     "platform file, or the name of one that ships with Corecast"},
    {CC_OPT_INT, 'n', "cores", "N", offsetof(struct options, cores),
     "simulated cores (default: the platform's)", 1, 256},
    {CC_OPT_LIST, 0, "bind", "CORES", offsetof(struct options, bind),
     "cores of the program, in the order its threads take them, like 0-3,8; of several programs, one for "
     "each"},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value of the platform"},
    {CC_OPT_OUT, 't', "trace", "T", offsetof(struct options, trace), "write an access trace to T"},
    {CC_OPT_CHOICE, 0, "events", "WHICH", offsetof(struct options, events),
     "in the trace: data (every data access, fetches that miss), misses, or all", 0, 0, event_choices},
    {CC_OPT_SIZE, 0, "look-ahead", "CYCLES", offsetof(struct options, look_ahead),
     "for surveys: cores may run so far ahead of each other, with everything", 0, 1e9},
    {CC_OPT_SIZE, 0, "bound", "CYCLES", offsetof(struct options, bound),
     "how far a core may run ahead with what no other can see (default 100)", 0, 1e9},
    {CC_OPT_FLAG, 0, "mine", NULL, offsetof(struct options, mine),
     "say what cores lose to each other, as 'mine contention' does, without a trace"},
    {CC_OPT_STR, 0, "sysroot", "DIR", offsetof(struct options, sysroot),
     "where a foreign program's libraries are"},
    {CC_OPT_STR, 0, "firmware", "ELF", offsetof(struct options, firmware),
     "run bare-metal firmware instead of a program"},
    {CC_OPT_STR, 0, "machine", "M", offsetof(struct options, machine),
     "QEMU's board for the firmware (default virt)"},
    {CC_OPT_STR, 0, "cpu", "C", offsetof(struct options, cpu), "QEMU's processor for the firmware"},
};

/* ---- the result ---- */

static const struct cc_col core_columns[] = {
    {"id", "core", CC_COL_INT},
    {"instructions", "instructions", CC_COL_COUNT},
    {"cycles", NULL, CC_COL_INT}, /* shares of the run are in text instead */
    {NULL, "busy", CC_COL_PERCENT, .digits = 1},
    {"idle", NULL, CC_COL_INT},
    {"fetch_stall", NULL, CC_COL_INT},
    {NULL, "fetch stall", CC_COL_PERCENT, .digits = 1},
    {"load_stall", NULL, CC_COL_INT},
    {NULL, "load stall", CC_COL_PERCENT, .digits = 1},
    {"store_stall", NULL, CC_COL_INT},
    {NULL, "store stall", CC_COL_PERCENT, .digits = 1},
    {NULL, "fetch miss", CC_COL_PERCENT, .digits = 2},
    {NULL, "load miss", CC_COL_PERCENT, .digits = 2},
    {"icache.accesses", NULL, CC_COL_INT},
    {"icache.misses", NULL, CC_COL_INT},
    {"dcache.loads", NULL, CC_COL_INT},
    {"dcache.stores", NULL, CC_COL_INT},
    {"dcache.atomics", NULL, CC_COL_INT},
    {"dcache.load_misses", NULL, CC_COL_INT},
    {"dcache.store_misses", NULL, CC_COL_INT},
    {"dcache.upgrades", NULL, CC_COL_INT},
    {"dcache.true_sharing", "true sharing", CC_COL_COUNT},
    {"dcache.false_sharing", "false sharing", CC_COL_COUNT},
    {"dcache.invalidated", NULL, CC_COL_INT},
    {"dcache.write_backs", NULL, CC_COL_INT},
    {"dcache.write_buffer_full", NULL, CC_COL_INT},
    {"lost.true_sharing", NULL, CC_COL_INT},
    {"lost.false_sharing", NULL, CC_COL_INT},
    {"lost.transfer", NULL, CC_COL_INT},
    {"lost.link", NULL, CC_COL_INT},
    {"lost.bank", NULL, CC_COL_INT},
    {"lost.write_buffer", NULL, CC_COL_INT},
    {NULL, "lost", CC_COL_PERCENT, .digits = 1},
};

static const struct cc_col bank_columns[] = {
    {"name", "memory bank", CC_COL_STR},
    {"reads", "reads", CC_COL_COUNT},
    {"writes", "writes", CC_COL_COUNT},
    {"busy", NULL, CC_COL_INT},
    {NULL, "busy", CC_COL_PERCENT, .digits = 1},
    {"wait", NULL, CC_COL_INT},
    {NULL, "mean wait", CC_COL_NUM, .digits = 1},
    {"l2_hits", NULL, CC_COL_INT},
    {"l2_misses", NULL, CC_COL_INT},
    {NULL, "l2 hits", CC_COL_PERCENT, .digits = 1},
};

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static uint64_t busy_cycles(const struct cc_simulation *s, unsigned core)
{
    const struct cc_sim_core_stats *c = &s->shared->stats.core[core];
    return c->cycles - c->idle;
}

static void put_cycles(struct cc_table *t, uint64_t cycles, uint64_t run)
{
    cc_table_u64(t, cycles);
    cc_table_num(t, share(cycles, run));
}

static void put_core(struct cc_table *t, const struct cc_simulation *s, unsigned i)
{
    const struct cc_sim_core_stats *c = &s->shared->stats.core[i];
    const uint64_t caches[] = {c->fetches,      c->fetch_misses,  c->loads,        c->stores,
                               c->atomics,      c->load_misses,   c->store_misses, c->upgrades,
                               c->true_sharing, c->false_sharing, c->invalidated,  c->write_backs,
                               c->buffer_full};
    cc_table_row(t);
    cc_table_u64(t, i);
    cc_table_u64(t, c->instructions);
    put_cycles(t, busy_cycles(s, i), s->cycles);
    cc_table_u64(t, s->cycles - busy_cycles(s, i));
    put_cycles(t, c->fetch_stall, s->cycles);
    put_cycles(t, c->load_stall, s->cycles);
    put_cycles(t, c->store_stall, s->cycles);
    cc_table_num(t, share(c->fetch_misses, c->fetches));
    cc_table_num(t, share(c->load_misses, c->loads));
    for (size_t k = 0; k < CC_COUNT(caches); k++)
        cc_table_u64(t, caches[k]);
    uint64_t lost = 0;
    for (size_t k = 0; k < CC_SIM_CAUSES; k++) {
        cc_table_u64(t, c->lost[k]);
        lost += c->lost[k];
    }
    cc_table_num(t, share(lost, s->cycles));
}

static void put_bank(struct cc_table *t, const struct cc_simulation *s, unsigned i)
{
    const struct cc_sim_bank_stats *b = &s->shared->stats.bank[i];
    cc_table_row(t);
    cc_table_str(t, s->shared->config.bank[i].name);
    cc_table_u64(t, b->reads);
    cc_table_u64(t, b->writes);
    put_cycles(t, b->busy, s->cycles);
    cc_table_u64(t, b->wait);
    cc_table_num(t, share(b->wait, b->reads + b->writes + b->l2_hits));
    if (s->shared->config.l2.size) {
        cc_table_u64(t, b->l2_hits);
        cc_table_u64(t, b->l2_misses);
        cc_table_num(t, share(b->l2_hits, b->l2_hits + b->l2_misses));
    } else {
        cc_table_absent(t);
        cc_table_absent(t);
    }
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

static void add_interconnect(struct cc_result *r, const struct cc_simulation *s)
{
    static const char *const nets[] = {"bus", "crossbar", "mesh"};
    static const struct cc_col cols[] = {
        {"name", NULL, CC_COL_STR}, {"busy", NULL, CC_COL_INT}, {"load", NULL, CC_COL_PERCENT}};
    const struct cc_sim_config *c = &s->shared->config;
    const struct cc_sim_stats *st = &s->shared->stats;
    unsigned busiest = busiest_link(st);
    char name[64], messages[24], bytes[24];
    cc_result_note(r, "%s: %s messages, %s of data, %.1f cycles mean wait; busiest: %s, %.1f %% busy",
                   nets[c->net], cc_human_count((double)st->messages, messages),
                   cc_human_bytes((double)st->bytes, bytes), share(st->net_wait, st->messages),
                   link_name(c, busiest, name), 100 * share(st->link_busy[busiest], s->cycles));
    cc_result_obj(r, "interconnect");
    cc_result_str(r, "kind", nets[c->net]);
    cc_result_u64(r, "messages", st->messages);
    cc_result_u64(r, "bytes", st->bytes);
    cc_result_u64(r, "hops", st->hops);
    cc_result_u64(r, "wait", st->net_wait);
    struct cc_table *t = cc_result_table(r, "links", cols, CC_COUNT(cols));
    for (unsigned i = 0; i < st->links; i++) {
        if (!st->link_busy[i])
            continue;
        cc_table_row(t);
        cc_table_str(t, link_name(c, i, name));
        put_cycles(t, st->link_busy[i], s->cycles);
    }
    cc_result_end(r);
}

/* Latencies by kind of access: counts in buckets whose bounds double. */
static const struct {
    const char *key, *title;
} kinds[CC_SIM_KINDS] = {{"fetch_miss", "fetch miss"},
                         {"load", "load"},
                         {"store", "store"},
                         {"load_linked", "load-linked"},
                         {"store_conditional", "store-cond."},
                         {"atomic", "atomic"}};

static uint64_t bucket_from(unsigned b)
{
    return b ? (uint64_t)1 << (b - 1) : 0;
}

static uint64_t bucket_to(unsigned b)
{
    return b ? ((uint64_t)1 << b) - 1 : 0;
}

static void add_latencies(struct cc_result *r, const struct cc_simulation *s)
{
    static const struct cc_col cols[] = {
        {"from", NULL, CC_COL_INT}, {"to", NULL, CC_COL_INT}, {"count", NULL, CC_COL_INT}};
    const struct cc_sim_stats *st = &s->shared->stats;
    cc_result_obj(r, "latency");
    for (unsigned k = 0; k < CC_SIM_KINDS; k++) {
        uint64_t count = st->latency_count[k];
        cc_result_obj(r, kinds[k].key);
        cc_result_u64(r, "count", count);
        cc_result_num(r, "mean", count ? share(st->latency_sum[k], count) : NAN);
        struct cc_table *t = cc_result_table(r, "histogram", cols, CC_COUNT(cols));
        for (unsigned b = 0; b < CC_SIM_BUCKETS; b++) {
            if (!st->latency[k][b])
                continue;
            cc_table_row(t);
            cc_table_u64(t, bucket_from(b));
            cc_table_u64(t, bucket_to(b));
            cc_table_u64(t, st->latency[k][b]);
        }
        cc_result_end(r);
    }
    cc_result_end(r);
}

/* The kinds side by side, for reading. */
static void compare_latencies(struct cc_result *r, const struct cc_simulation *s)
{
    const struct cc_sim_stats *st = &s->shared->stats;
    struct cc_col cols[CC_SIM_KINDS + 1] = {{NULL, "cycles", CC_COL_STR}};
    struct cc_buf mean = {0};
    size_t n = 1;
    unsigned first = CC_SIM_BUCKETS, last = 0;
    for (unsigned k = 0; k < CC_SIM_KINDS; k++) {
        if (!st->latency_count[k])
            continue;
        cols[n++] = (struct cc_col){NULL, kinds[k].title, CC_COL_PERCENT, .digits = 2};
        cc_buf_printf(&mean, "  %s %.2f", kinds[k].title, share(st->latency_sum[k], st->latency_count[k]));
        for (unsigned b = 0; b < CC_SIM_BUCKETS; b++)
            if (st->latency[k][b]) {
                first = CC_MIN(first, b);
                last = CC_MAX(last, b);
            }
    }
    cc_result_gap(r);
    cc_result_note(r, "latency, cycles");
    struct cc_table *t = cc_result_table(r, NULL, cols, n);
    for (unsigned b = first; b <= last && first < CC_SIM_BUCKETS; b++) {
        cc_table_row(t);
        cc_table_str(t, "");
        if (b < 2)
            cc_table_show(t, "%u", b);
        else
            cc_table_show(t, "%" PRIu64 "-%" PRIu64, bucket_from(b), bucket_to(b));
        for (unsigned k = 0; k < CC_SIM_KINDS; k++)
            if (st->latency_count[k])
                cc_table_num(t, share(st->latency[k][b], st->latency_count[k]));
    }
    cc_result_note(r, "mean:%s", mean.s ? mean.s : "");
    cc_buf_fini(&mean);
}

static void add_figures(struct cc_result *r, const struct cc_simulation *s)
{
    const struct cc_sim_shared *h = s->shared;
    cc_result_str(r, "isa", s->isa);
    cc_result_bool(r, "complete", !s->reason[0]);
    cc_result_str(r, "reason", s->reason[0] ? s->reason : NULL);
    cc_result_obj(r, "exit");
    s->signal ? cc_result_null(r, "code") : cc_result_i64(r, "code", s->exit_code);
    s->signal ? cc_result_i64(r, "signal", s->signal) : cc_result_null(r, "signal");
    cc_result_end(r);
    cc_result_u64(r, "cycles", s->cycles);
    cc_result_num(r, "clock_mhz", h->config.clock_mhz);
    cc_result_bool(r, "ordered", h->ordered);
    cc_result_u64_if(r, "bound", h->ordered, h->ahead);
    cc_result_u64_if(r, "look_ahead", !h->ordered, h->ahead);
    cc_result_u64(r, "threads", h->threads);
    cc_result_u64(r, "handovers", h->handovers);
}

static uint64_t all_instructions(const struct cc_simulation *s)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->shared->config.cores; i++)
        sum += s->shared->stats.core[i].instructions;
    return sum;
}

static void add_words(struct cc_result *r, const struct cc_simulation *s)
{
    const struct cc_sim_shared *h = s->shared;
    uint64_t busy = 0;
    for (unsigned i = 0; i < h->config.cores; i++)
        busy += busy_cycles(s, i);
    char n[24], c[24];
    cc_result_note(
        r, "%s cycles on %u cores (%.3f ms at %g MHz), %s instructions, %u thread%s, cores busy %.1f %%",
        cc_human_count((double)s->cycles, c), h->config.cores, (double)s->cycles / h->config.clock_mhz / 1000,
        h->config.clock_mhz, cc_human_count((double)all_instructions(s), n), h->threads,
        h->threads == 1 ? "" : "s", 100 * share(busy, s->cycles * h->config.cores));
    if (s->reason[0])
        cc_result_note(r, "incomplete: %s", s->reason);
}

/* Each thread's life: running + waiting + ready. */
static void add_threads(struct cc_result *r, const struct cc_simulation *s)
{
    static const struct cc_col cols[] = {{"id", NULL, CC_COL_INT},      {"born", NULL, CC_COL_INT},
                                         {"ended", NULL, CC_COL_INT},   {"running", NULL, CC_COL_INT},
                                         {"waiting", NULL, CC_COL_INT}, {"ready", NULL, CC_COL_INT}};
    struct cc_table *t = cc_result_table(r, "thread_times", cols, CC_COUNT(cols));
    for (uint32_t i = 0; i < s->shared->threads && i < CC_SIM_THREADS; i++) {
        const struct cc_sim_thread *x = &s->shared->thread[i];
        const uint64_t row[] = {i, x->born, x->ended, x->running, x->waiting, x->ready};
        cc_table_row(t);
        for (size_t k = 0; k < CC_COUNT(row); k++)
            cc_table_u64(t, row[k]);
    }
}

/* What differs from run to run. */
static void add_host(struct cc_result *r, const struct cc_simulation *s)
{
    const struct cc_sim_shared *h = s->shared;
    cc_result_obj(r, "host");
    cc_result_num(r, "seconds", s->seconds);
    cc_result_u64(r, "reliefs", h->reliefs);
    cc_result_u64(r, "unexpected_reliefs", h->unexpected);
    cc_result_end(r);
    cc_result_note(r,
                   "host: %.2f s, %.2f million instructions a second, %" PRIu64
                   " hand-overs, %u reliefs (%u unexpected)",
                   s->seconds, (double)all_instructions(s) / 1e6 / s->seconds, h->handovers, h->reliefs,
                   h->unexpected);
}

/* Only of several is there more to say than of the whole. */
static void add_programs(struct cc_result *r, const struct cc_simulation *s,
                         const struct cc_programs *programs)
{
    static const struct cc_col cols[] = {
        {"program", "program", CC_COL_STR}, {"isa", NULL, CC_COL_STR},    {"cores", "cores", CC_COL_LIST},
        {"cycles", "cycles", CC_COL_COUNT}, {"exit", "exit", CC_COL_INT}, {"reason", NULL, CC_COL_STR}};
    if (programs->n < 2)
        return;
    struct cc_table *t = cc_result_table(r, "programs", cols, CC_COUNT(cols));
    for (size_t i = 0; i < programs->n; i++) {
        const struct cc_simulated *p = &s->program[i];
        cc_table_row(t);
        cc_table_str(t, programs->v[i].argv[0]);
        cc_table_str(t, p->isa);
        cc_mine_cpus(t, programs->v[i].core, programs->v[i].cores);
        cc_table_u64(t, p->cycles);
        cc_table_int(t, p->status);
        cc_table_str(t, p->reason[0] ? p->reason : NULL);
    }
}

static struct cc_result *build(const struct options *o, const struct cc_simulation *s,
                               const struct cc_programs *programs, const struct cc_findings *f)
{
    const struct cc_sim_config *config = &s->shared->config;
    struct cc_result *r = cc_result_new("corecast.simulate", 1);
    add_figures(r, s);
    add_words(r, s);
    add_programs(r, s, programs);
    struct cc_table *t = cc_result_table(r, "cores", core_columns, CC_COUNT(core_columns));
    for (unsigned i = 0; i < config->cores; i++)
        put_core(t, s, i);
    cc_result_obj(r, "memory");
    t = cc_result_table(r, "banks", bank_columns, CC_COUNT(bank_columns));
    for (unsigned i = 0; i < config->banks; i++)
        put_bank(t, s, i);
    cc_result_end(r);
    add_interconnect(r, s);
    compare_latencies(r, s);
    add_latencies(r, s);
    add_threads(r, s);
    cc_result_u64_if(r, "events", o->trace, s->events);
    cc_result_str(r, "trace", o->trace);
    if (o->trace) {
        cc_result_gap(r);
        cc_result_note(r, "trace: %" PRIu64 " events in %s", s->events, o->trace);
    }
    if (f) {
        cc_result_gap(r);
        cc_mine_add_findings(r, f);
    }
    if (o->common.verbose)
        add_host(r, s);
    return r;
}

/* ---- the command ---- */

static int show(const struct options *o, const struct cc_simulation *s, const struct cc_programs *programs,
                const struct cc_findings *f, const struct cc_platform *p, struct cc_err *err)
{
    int rc = 0;
    if (!o->common.quiet || o->common.output || cc_output_format(&o->common) != CC_FORMAT_TEXT) {
        struct cc_result *r = build(o, s, programs, f);
        cc_platform_show_assumed(p, r);
        rc = cc_output_result(&o->common, r, err);
        cc_result_free(r);
    }
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
    if (CC_GIVEN(o, bound) && CC_GIVEN(o, look_ahead))
        return cc_err_set(err, CC_EUSAGE, "'--bound' and '--look-ahead' exclude each other");
    if (o->firmware && o->bind.n)
        return cc_err_set(err, CC_EUSAGE, "'--bind' is for programs, not for firmware");
    if (!o->firmware && (o->machine || o->cpu))
        return cc_err_set(err, CC_EUSAGE, "'--machine' and '--cpu' go with '--firmware'");
    return 0;
}

/* Mining while it runs: no event is kept. */
struct mined {
    struct cc_watch *watch;
    struct cc_trace_reader *names;
    struct cc_findings *findings;
};

static void feed(void *arg, const struct cc_trace_event *e)
{
    cc_watch_feed(arg, e);
}

static void find(struct mined *m, const struct options *o, const struct cc_simulation *s)
{
    const struct cc_findings_options how = {.item = CC_ITEM_FAULT, .least = 0.01, .top = 10};
    struct cc_err ignored = {0}; /* what went wrong with a trace is told already */
    if (m->watch && s->traced && cc_trace_open(o->trace ? o->trace : s->names, &m->names, &ignored) == 0)
        m->findings = cc_findings_of(m->watch, m->names, &how);
}

static void mined_fini(struct mined *m)
{
    cc_findings_free(m->findings);
    cc_watch_free(m->watch);
    if (m->names)
        cc_trace_close(m->names);
}

static int watched(const struct options *o, struct cc_simulate_request *r, struct cc_simulation **ret,
                   struct cc_err *err)
{
    struct cc_simulate_watch watch = {.fd = -1};
    struct cc_progress progress = {.what = "simulating",
                                   .unit = "instructions",
                                   .program = true,
                                   .ask = cc_simulate_watched,
                                   .data = &watch};
    r->watch = &watch;
    cc_output_progress(&o->common, &progress);
    int rc = cc_simulate_run(r, ret, err);
    cc_progress_end(&progress);
    r->watch = NULL;
    cc_simulate_watch_fini(&watch);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    struct cc_platform *p = NULL;
    struct cc_sim_config config;
    int rc = check(o, operands, err);
    if (rc == 0)
        rc = cc_platform_load(o->platform, &p, err);
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(p, o->set.v[i], err);
    if (rc == 0)
        rc = cc_machine_of(p, (unsigned)o->cores, &config, err);
    struct cc_programs programs = {0};
    if (rc == 0)
        rc = cc_programs_read(operands, &o->bind, config.cores, &programs, err);
    struct cc_simulation *s = NULL;
    struct mined mined = {.watch =
                              rc == 0 && o->mine ? cc_watch_new(config.cores, config.dcache.line) : NULL};
    if (rc == 0) {
        static const enum cc_sim_events events[] = {CC_SIM_EVENTS_DATA, CC_SIM_EVENTS_MISSES,
                                                    CC_SIM_EVENTS_ALL};
        struct cc_simulate_request r = {
            .config = &config,
            .platform = cc_platform_str_or(p, NULL, CC_STR_PLATFORM_NAME, o->platform),
            .ordered = !CC_GIVEN(o, look_ahead),
            .ahead = CC_GIVEN(o, look_ahead) ? o->look_ahead
                     : CC_GIVEN(o, bound)    ? o->bound
                                             : 100,
            .events = events[o->events],
            .trace = o->trace,
            .each = mined.watch ? feed : NULL,
            .arg = mined.watch,
            .sysroot = o->sysroot,
            .firmware = o->firmware,
            .machine = o->machine ? o->machine : "virt",
            .cpu = o->cpu,
            .programs = programs.v,
            .nprograms = programs.n,
            .stdout_to_stderr = cc_output_format(&o->common) != CC_FORMAT_TEXT && !o->common.output};
        rc = watched(o, &r, &s, err);
    }
    if (s) {
        struct cc_err shown = {0};
        find(&mined, o, s);
        int rc2 = show(o, s, &programs, mined.findings, p, rc < 0 ? &shown : err);
        rc = rc < 0 ? rc : rc2 < 0 ? rc2 : s->status;
    }
    mined_fini(&mined);
    cc_programs_fini(&programs);
    cc_simulation_free(s);
    cc_platform_free(p);
    return rc;
}

const struct cc_command cc_cmd_simulate = {
    .name = "simulate",
    .summary = "run a threaded program on a simulated multiprocessor",
    .synopsis = "--platform P [OPTIONS] -- PROGRAM [ARGUMENTS] [-- PROGRAM [ARGUMENTS]]…",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .stop_at_operand = true,
    .raw_exit = true,
    .run = run,
};
