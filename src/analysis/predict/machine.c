/* What a platform says beyond the runtime's costs: CPUs that share a core, DMA, energy. */
#include "plan.h"

#include <math.h>

/* --- siblings --- */

/* "0-8, 1-9": how many CPUs have another one on their core; -1 if the text is no such list. */
static long paired_cpus(const char *text)
{
    enum { MAX_CPU = 65535 };
    bool *seen = cc_alloc_array(MAX_CPU + 1, sizeof *seen);
    long n = 0;
    for (const char *p = text + strspn(text, " \t,"); *p && n >= 0; p += strspn(p, " \t,")) {
        char *end;
        unsigned long cpu[2] = {strtoul(p, &end, 10), 0};
        bool ok = end != p && *end == '-' && end[1] >= '0' && end[1] <= '9' && *p >= '0' && *p <= '9';
        if (ok)
            cpu[1] = strtoul(p = end + 1, &end, 10);
        ok = ok && (!*end || strchr(" \t,", *end)) && cpu[0] <= MAX_CPU && cpu[1] <= MAX_CPU &&
             cpu[0] != cpu[1];
        for (int i = 0; ok && i < 2; i++) {
            n += !seen[cpu[i]];
            seen[cpu[i]] = true;
        }
        n = ok ? n : -1;
        p = end;
    }
    free(seen);
    return n;
}

/* With all CPUs at work every sibling is: the curve's value there tells what a busy sibling costs. */
static int load_siblings(struct cc_predict_model *m, struct cc_platform *p, struct cc_err *err)
{
    const char *text = cc_platform_str_or(p, NULL, CC_STR_CONTENTION_SIBLINGS, NULL);
    if (!text || !*text)
        return 0;
    long paired = paired_cpus(text);
    m->cpus = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1);
    if (paired < 0 || (double)paired > m->cpus)
        return cc_err_at(
            err, CC_EINPUT, cc_platform_path(p), cc_platform_line(p, NULL, CC_STR_CONTENTION_SIBLINGS),
            paired < 0 ? "'siblings' of [contention] is not a list of pairs of CPUs: '%.80s'"
                       : "'siblings' of [contention] names more CPUs than the platform has: '%.80s'",
            text);
    if (!m->compute) {
        if (!m->h->nburdens)
            cc_model_warn(m, "the platform names 'siblings' but no 'compute' in [contention]: how much they "
                             "slow each other down is not known");
        return 0;
    }
    m->pairs = (double)paired / 2;
    m->sibling = 1 + fmax(cc_curve_at(m->compute, m->cpus, 0) - 1, 0) * m->cpus / (double)paired;
    return 0;
}

/* As many as when the operating system, which does not see them, puts k threads anywhere. */
unsigned cc_model_pairs(const struct cc_predict_model *m, unsigned k)
{
    if (m->sibling <= 0 || k < 2)
        return 0;
    double expected =
        k >= m->cpus ? m->pairs * k / m->cpus : m->pairs * k * (k - 1.0) / (m->cpus * (m->cpus - 1));
    return CC_MIN((unsigned)lround(expected), k / 2);
}

/* --- DMA --- */

static int transfer_time(const struct cc_predict_model *m, const struct cc_predict_plan *p,
                         const struct bound *b, const struct cc_dma_channel *c, const int64_t size[2],
                         cc_ticks *ret, struct cc_err *err)
{
    *ret = 0;
    if (size[0] == 0 || size[1] == 0)
        return 0;
    double cycles = cc_dma_time(c, (double)size[0], (double)size[1]);
    if (!isfinite(cycles))
        return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                         "the platform's DMA has no time for %lld x %lld bytes of '%s': over its limit, or "
                         "outside its table",
                         (long long)size[0], (long long)size[1], b->d->task);
    double ticks = cycles / m->cycles * (1 << CC_TICK_BITS);
    if (ticks > 1e15)
        return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line, "a transfer of '%s' takes absurdly long",
                         b->d->task);
    *ret = llround(ticks);
    return 0;
}

int cc_model_transfers(const struct cc_predict_model *m, const struct cc_predict_plan *p,
                       struct bound *bounds, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->s->n; i++) {
        struct bound *b = &bounds[i];
        if (b->d->simd && isnan(m->vector_gain))
            return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                             "'simd' for '%s': no [unit.NAME] of kind cpu tells 'vector_gain'", b->d->task);
        if (b->d->kind != CC_OMP_TRANSFER)
            continue;
        if (!m->has_dma)
            return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line, "transfers of '%s': %s", b->d->task,
                             m->dma_err.msg);
        if (m->cycles <= 0)
            return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                             "transfers of '%s': the trace counts in ns, the platform's DMA in cycles: its "
                             "[platform] needs 'clock_mhz'",
                             b->d->task);
        rc = transfer_time(m, p, b, &m->dma.read, b->read, &b->read_time, err);
        if (rc == 0)
            rc = transfer_time(m, p, b, &m->dma.write, b->write, &b->write_time, err);
    }
    return rc;
}

/* --- energy --- */

static void load_energy(struct cc_predict_model *m, struct cc_platform *p)
{
    m->watts = cc_platform_num_or(p, NULL, CC_NUM_ENERGY_IDLE, 0);
    m->busy_joules = cc_platform_num_or(p, NULL, CC_NUM_ENERGY_BUSY_CYCLE, 0);
    m->idle_joules = cc_platform_num_or(p, NULL, CC_NUM_ENERGY_IDLE_CYCLE, 0);
    m->byte_joules = cc_platform_num_or(p, NULL, CC_NUM_ENERGY_BYTE, 0);
    for (size_t c = 0; c < m->h->ncounters; c++) {
        char memory[128], kind = cc_counter_kind(p, m->h->counters[c], memory);
        if (!kind)
            continue;
        enum cc_num_key key = kind == 'r'   ? CC_NUM_MEMORY_READ_ENERGY
                              : kind == 'w' ? CC_NUM_MEMORY_WRITE_ENERGY
                                            : CC_NUM_MEMORY_BYTE_ENERGY;
        m->counters[c].joules = cc_platform_num_or(p, memory, key, 0);
        m->access_energy = m->access_energy || m->counters[c].joules > 0;
    }
    if (m->watts > 0 && m->seconds <= 0)
        cc_model_warn(m, "the chip's power at rest is not counted: how long a tick is, is not known");
    /* a cycle's energy is what makes schedules differ: without it there is nothing to tell */
    m->has_energy = m->busy_joules > 0 || m->idle_joules > 0 || m->access_energy;
    if (m->has_energy && m->cycles <= 0) {
        cc_model_warn(m, "energy is not counted: [platform] needs 'clock_mhz' for that");
        m->has_energy = m->access_energy = false;
    }
}

struct cc_predict_energy cc_model_energy(const struct cc_predict_model *m, const struct model_use *use)
{
    struct cc_predict_energy e = {.known = m->has_energy && !isnan(use->units)};
    if (!e.known)
        return e;
    e.fixed = m->watts * CC_TICKS_TO_F64(use->time) * m->seconds;
    e.busy = m->busy_joules * CC_TICKS_TO_F64(use->busy) * m->cycles;
    e.waiting = m->idle_joules * CC_TICKS_TO_F64(use->waiting) * m->cycles;
    e.accesses = use->accesses;
    e.transfers = use->bytes * m->byte_joules;
    e.units = use->units;
    e.total = e.fixed + e.busy + e.waiting + e.accesses + e.transfers + e.units;
    return e;
}

struct cc_predict_energy cc_predict_sequential_energy(const struct cc_predict_model *m)
{
    return cc_model_energy(
        m,
        &(struct model_use){.busy = m->sequential, .time = m->sequential, .accesses = m->sequential_joules});
}

/* --- all of it --- */

static void load_clock(struct cc_predict_model *m, struct cc_platform *p)
{
    double mhz = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0), per_cycle;
    bool ns = strcmp(m->h->clock, "ns") == 0;
    if ((!ns || mhz > 0) && cc_model_unit(m, p, false, &per_cycle, NULL) == 0)
        m->cycles = 1 / per_cycle;
    /* cycles and instructions are the platform's, whatever ran the trace */
    if (!ns && mhz > 0)
        m->seconds = m->cycles * 1e-6 / mhz;
    else if (m->h->ticks_per_second > 0)
        m->seconds = 1 / m->h->ticks_per_second;
}

/* Of the first unit of CPUs that tells it: those are the cores that are replayed. */
static double cpu_figure(struct cc_platform *p, enum cc_num_key key)
{
    const char *const *names;
    size_t n = cc_platform_list(p, "unit", &names);
    for (size_t i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", names[i]);
        double v = cc_platform_num_or(p, section, key, NAN);
        if (!isnan(v) && strcmp(cc_platform_str_or(p, section, CC_STR_UNIT_KIND, "cpu"), "cpu") == 0)
            return v;
    }
    return NAN;
}

static void load_atomic(struct cc_predict_model *m, struct cc_platform *p)
{
    double cycles = cpu_figure(p, CC_NUM_UNIT_ATOMIC);
    bool told = !isnan(cycles) && m->cycles > 0 && cycles / m->cycles < 1e12;
    m->atomic = told ? llround(cycles / m->cycles * (1 << CC_TICK_BITS)) : -1;
}

int cc_model_machine(struct cc_predict_model *m, struct cc_platform *p, bool contention, struct cc_err *err)
{
    m->vector_gain = cpu_figure(p, CC_NUM_UNIT_VECTOR_GAIN);
    load_clock(m, p);
    load_atomic(m, p);
    if (cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLUSTERS, 1) > 1)
        m->cluster_cores = (unsigned)cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1);
    m->local_memory = cc_platform_num_or(p, "memory.local", CC_NUM_MEMORY_SIZE, NAN);
    if (isnan(m->local_memory))
        m->local_memory = cc_platform_num_or(p, "memory.l1", CC_NUM_MEMORY_SIZE, NAN);
    load_energy(m, p);
    m->has_dma = cc_dma_load(p, &m->dma, &m->dma_err) == 0;
    return contention ? load_siblings(m, p, err) : 0;
}

double cc_predict_tick_seconds(const struct cc_predict_model *m)
{
    return m->seconds;
}
