#include "model.h"
#include "../../base/text.h"

#include <float.h>
#include <math.h>

const char *const cc_part_names[CC_PARTS] = {"sequential", "processing", "imbalance", "limited",
                                             "overhead",   "contention", "transfer",  "idle"};

static const enum cc_num_key cost_keys[NCOSTS] = {
#define X(id) CC_NUM_COST_##id,
    CC_COSTS(X)
#undef X
};

static const char *const column_sections[NCOLUMNS] = {"openmp.parallel", "openmp.static", "openmp.dynamic",
                                                      "openmp.guided"};

/* --- building --- */

void cc_model_warn(struct cc_predict_model *m, const char *text)
{
    if (m->nwarnings < CC_COUNT(m->warnings))
        m->warnings[m->nwarnings++] = cc_arena_strdup(&m->arena, text);
}

/* A tick that is an instruction takes so many cycles. */
/* With the trace of lines, ticks are cycles: what instructions take is told by their classes. */
static double cycles_of_tick(const struct cc_predict_model *m, struct cc_platform *p)
{
    if (m->local)
        return 1;
    return strcmp(m->h->clock, "instructions") == 0 ? cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CPI, 1) : 1;
}

int cc_model_unit(const struct cc_predict_model *m, struct cc_platform *p, bool ns, double *ret,
                  struct cc_err *err)
{
    double mhz = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    bool trace_ns = strcmp(m->h->clock, "ns") == 0;
    double cycles = cycles_of_tick(m, p);
    *ret = ns ? 1 : 1 / cycles;
    if (ns == trace_ns)
        return 0;
    if (mhz <= 0)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                         "the trace counts in %s, the platform in %s: its [platform] needs 'clock_mhz'",
                         m->h->clock, ns ? "ns" : "cycles");
    *ret = ns ? mhz / 1000 / cycles : 1000 / mhz;
    return 0;
}

/* A key missing in a column comes from [openmp.parallel], guided's from dynamic first. */
static bool find_cost(struct cc_platform *p, enum column column, enum cost cost, struct cc_quantity *q)
{
    if (cc_platform_num(p, column_sections[column], cost_keys[cost], q, NULL) == 0)
        return true;
    if (column == COL_GUIDED && find_cost(p, COL_DYNAMIC, cost, q))
        return true;
    return column != COL_PARALLEL && find_cost(p, COL_PARALLEL, cost, q);
}

/* What gcc's code for threads does by itself, without the runtime: it is part of the recording then. */
static bool in_code(const struct cc_htg *h, enum column column, enum cost cost)
{
    return h->threaded && column == COL_STATIC &&
           (cost == COST_FOR_PROLOGUE || cost == COST_FOR_GAP || cost == COST_FOR_NEXT_CHUNK);
}

static int load_costs(struct cc_predict_model *m, struct cc_platform *p, struct cc_err *err)
{
    if (!cc_platform_has(p, "openmp.parallel")) {
        int rc = cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                           "the platform has no [openmp.parallel]: no runtime costs to replay");
        cc_err_hint(
            err, "'corecast characterize' measures them; an empty [openmp.parallel] means no costs at all");
        return rc;
    }
    double factor;
    int rc = cc_model_unit(m, p, strcmp(cc_platform_str_or(p, NULL, CC_STR_OPENMP_UNIT, "cycles"), "ns") == 0,
                           &factor, err);
    if (rc < 0)
        return rc;
    factor *= cc_platform_num_or(p, NULL, CC_NUM_OPENMP_SCALE, 1) * (1 << CC_TICK_BITS);
    for (int column = 0; column < NCOLUMNS; column++) {
        for (int cost = 0; cost < NCOSTS; cost++) {
            struct cc_quantity q = {0, 0};
            if (!in_code(m->h, (enum column)column, (enum cost)cost))
                find_cost(p, (enum column)column, (enum cost)cost, &q);
            m->cost[0][column][cost] = llround(fmax(q.value - q.spread, 0) * factor);
            m->cost[1][column][cost] = llround(q.value * factor);
            m->cost[2][column][cost] = llround((q.value + q.spread) * factor);
            m->spreads = m->spreads || q.spread > 0;
            if (m->cost[2][column][cost] > INT64_C(1) << 46)
                return cc_err_at(err, CC_EINPUT, cc_platform_path(p),
                                 cc_platform_line(p, column_sections[column], cost_keys[cost]),
                                 "absurd cost '%s' of [%s]: %g ± %g", cc_platform_key_name(cost_keys[cost]),
                                 column_sections[column], q.value, q.spread);
        }
    }
    return 0;
}

/* "l2.read" -> memory l2, kind 'r'; also "l2.rd", "l2.write", "l2.wr", "l2.bytes". */
char cc_counter_kind(struct cc_platform *p, const char *name, char memory[static 128])
{
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || (size_t)(dot - name) > 100)
        return 0;
    snprintf(memory, 128, "memory.%.*s", (int)(dot - name), name);
    const char *data = cc_platform_str_or(p, NULL, CC_STR_PLATFORM_DATA_MEMORY, NULL);
    if (data && strcmp(memory, "memory.mem") == 0 && !cc_platform_has(p, memory))
        snprintf(memory, 128, "memory.%.100s", data);
    static const struct {
        const char *word;
        char kind;
    } words[] = {{"read", 'r'}, {"rd", 'r'},     {"reads", 'r'}, {"write", 'w'},
                 {"wr", 'w'},   {"writes", 'w'}, {"bytes", 'b'}};
    for (size_t i = 0; i < CC_COUNT(words); i++)
        if (strcmp(dot + 1, words[i].word) == 0)
            return words[i].kind;
    return 0;
}

/* A value over the number of busy processors. */
static int load_curve(struct cc_predict_model *m, const struct cc_platform *p, const char *section,
                      enum cc_str_key key, const char *text, struct cc_curve **ret, struct cc_err *err)
{
    static const struct cc_curve_kind kind = {"processors", "values", 1, CC_TASKS_MAX_BUSY, DBL_MIN, 1e18};
    *ret = cc_arena_alloc(&m->arena, sizeof **ret);
    int rc = cc_curve_parse(&kind, text, cc_platform_path(p), cc_platform_line(p, section, key), &m->arena,
                            *ret, err);
    if (rc < 0)
        cc_err_context(err, "'%s' of [%s]", cc_platform_key_name(key), section);
    return rc;
}

static int load_rate(struct cc_predict_model *m, struct cc_platform *p, const char *memory, size_t c,
                     struct cc_err *err)
{
    const char *curve = cc_platform_str_or(p, memory, CC_STR_MEMORY_CURVE, NULL);
    double flat = cc_platform_num_or(p, memory, CC_NUM_MEMORY_BANDWIDTH, 0);
    char text[64];
    if (!curve && flat > 0) {
        snprintf(text, sizeof text, "1:%.17g", flat);
        curve = text;
    }
    if (!curve)
        return 0;
    struct cc_curve *rate;
    int rc = load_curve(m, p, memory, CC_STR_MEMORY_CURVE, curve, &rate, err);
    if (rc < 0)
        return rc;
    double per_second =
        strcmp(m->h->clock, "ns") == 0
            ? 1e9
            : cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0) * 1e6 / cycles_of_tick(m, p);
    if (per_second <= 0)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                         "[%s] has bytes per second and the trace counts in %s: [platform] needs 'clock_mhz'",
                         memory, m->h->clock);
    for (size_t i = 0; i < rate->n; i++)
        rate->y[i] /= per_second;
    m->counters[c].rate = rate;
    m->contention = true;
    return 0;
}

/* How much longer reads take when others read too: what the curve says beyond one processor. */
static int load_slower(struct cc_predict_model *m, struct cc_platform *p, const char *memory, size_t c,
                       double factor, struct cc_err *err)
{
    const char *text = cc_platform_str_or(p, memory, CC_STR_MEMORY_LATENCY_CURVE, NULL);
    struct cc_curve *slower;
    if (!text)
        return 0;
    int rc = load_curve(m, p, memory, CC_STR_MEMORY_LATENCY_CURVE, text, &slower, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < slower->n; i++)
        slower->y[i] *= factor * (1 << CC_TICK_BITS);
    m->counters[c].slower = slower;
    m->contention = true;
    return 0;
}

/* Reads and writes of one memory meet in its banks: `first` joins their counters. */
static void load_banks(struct cc_predict_model *m, struct cc_platform *p, const char *memory, size_t c)
{
    struct counter *k = &m->counters[c];
    k->banks = cc_platform_num_or(p, memory, CC_NUM_MEMORY_BANKS, 0);
    m->banks = m->banks || k->banks > 0;
    m->contention = m->contention || k->banks > 0;
    for (k->first = 0; k->first < c; k->first++) {
        char other[128], kind = cc_counter_kind(p, m->h->counters[k->first], other);
        if ((kind == 'r' || kind == 'w') && strcmp(other, memory) == 0)
            break;
    }
}

/* The memory that data lies in must be one of the platform's: with a wrong name its accesses would cost
 * nothing. */
static int check_data_memory(struct cc_platform *p, struct cc_err *err)
{
    char section[128];
    const char *data = cc_platform_str_or(p, NULL, CC_STR_PLATFORM_DATA_MEMORY, NULL);
    snprintf(section, sizeof section, "memory.%.100s", data ? data : "");
    if (!data || cc_platform_has(p, section))
        return 0;
    return cc_err_at(err, CC_EINPUT, cc_platform_path(p),
                     cc_platform_line(p, NULL, CC_STR_PLATFORM_DATA_MEMORY),
                     "'data_memory' is '%.80s', but there is no [%.100s]", data, section);
}

/* Pages that are touched for the first time: they say nothing of what the program wants of the memory. */
static bool is_fresh(const struct cc_predict_model *m, size_t counter)
{
    return strcmp(m->h->counters[counter], "fresh.read") == 0;
}

static double count_all(const struct cc_htg *h, size_t counter)
{
    CC_VEC(struct {
        size_t end;
        double copies;
    })
    around = {0};
    double sum = (double)cc_htg_tail_count(h, 0, counter);
    for (size_t i = 1; i < h->nnodes; i++) {
        while (around.n && around.v[around.n - 1].end <= i)
            around.n--;
        double copies = (around.n ? around.v[around.n - 1].copies : 1) * h->nodes[i].repeat;
        sum += copies * (double)(cc_htg_gap_count(h, i, counter) + cc_htg_tail_count(h, i, counter));
        CC_VEC_RESERVE(&around, around.n + 1);
        around.v[around.n].end = h->nodes[i].next;
        around.v[around.n++].copies = copies;
    }
    CC_VEC_FINI(&around);
    return sum;
}

static int load_counters(struct cc_predict_model *m, struct cc_platform *p,
                         const struct cc_predict_options *o, bool rates, struct cc_err *err)
{
    double factor;
    struct cc_buf unknown = {0};
    if (m->h->ncounters == 0)
        return 0;
    bool counted =
        strcmp(m->h->clock, "instructions") == 0; /* then all have these, and a note of their own */
    int rc = check_data_memory(p, err);
    if (rc == 0)
        rc = cc_model_unit(m, p, false, &factor, err);
    m->cycle = rc == 0 ? factor * (1 << CC_TICK_BITS) : 0;
    for (size_t c = 0; rc == 0 && c < m->h->ncounters; c++) {
        char memory[128];
        char kind = cc_counter_kind(p, m->h->counters[c], memory);
        bool known = strncmp(m->h->counters[c], "mem.", 4) == 0 || is_fresh(m, c);
        if (kind && !cc_platform_has(p, memory) && !(counted && known))
            cc_buf_printf(&unknown, "%s'%s'", unknown.n ? ", " : "", m->h->counters[c]);
        if (kind == 'b' && rates)
            rc = load_rate(m, p, memory, c, err);
        if ((kind == 'r' || kind == 'w') && rates)
            load_banks(m, p, memory, c);
        if (kind == 'r' && rates)
            rc = load_slower(m, p, memory, c, factor, err);
        if ((kind != 'r' && kind != 'w') || o->no_latency || !cc_platform_has(p, memory))
            continue;
        m->counters[c].latency =
            cc_platform_num_or(p, memory, kind == 'r' ? CC_NUM_MEMORY_READ : CC_NUM_MEMORY_WRITE, 0) *
            factor * (1 << CC_TICK_BITS);
        m->latency = m->latency || m->counters[c].latency > 0;
        if (is_fresh(m, c))
            m->release = llround(fmin(count_all(m->h, c) * factor * (1 << CC_TICK_BITS) *
                                          cc_platform_num_or(p, memory, CC_NUM_MEMORY_WRITE, 0),
                                      1e18));
    }
    if (unknown.n) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf(
            "the trace counts %s, which no [memory.NAME] of the platform goes with: not used", unknown.s);
        cc_model_warn(m, text);
    }
    cc_buf_fini(&unknown);
    return rc;
}

/* One standard deviation of the logarithms; with few of them, not much is known. */
static double error_of(const struct cc_tasks_copies *c)
{
    double sum = 0, squares = 0, n = (double)c->n;
    for (size_t i = 0; i < c->n; i++) {
        double l = log(c->factors[i]);
        sum += l;
        squares += l * l;
    }
    return c->n > 1 ? fmin(sqrt(fmax(squares - sum * sum / n, 0) / (n - 1)), 1) : 0;
}

/* What every copy took, by name; names without take what CC_TASKS_REST has. */
static void load_copies(struct cc_predict_model *m)
{
    const struct cc_htg *h = m->h;
    struct copies *by_name = cc_arena_alloc(&m->arena, (h->nnames + 1) * sizeof *by_name), rest = {NULL, 0};
    for (size_t i = 0; i < h->ncopies; i++) {
        struct copies *c = &by_name[h->copies[i].name];
        if (h->copies[i].busy == 1) {
            m->run_error = error_of(&h->copies[i]);
            continue;
        }
        c->v = c->n ? c->v : &h->copies[i];
        c->n++;
        if (strcmp(h->names[h->copies[i].name], CC_TASKS_REST) == 0)
            rest = *c;
    }
    for (size_t i = 0; i <= h->nnames; i++)
        if (!by_name[i].n)
            by_name[i] = rest;
    m->copies = by_name;
    m->ncopies = h->ncopies;
}

/* The co-run's table as curves that start at 1 processor, factor 1. */
static void load_burdens(struct cc_predict_model *m)
{
    const struct cc_htg *h = m->h;
    const struct cc_curve *rest = NULL;
    for (size_t i = 0; i < h->nburdens;) {
        size_t end = i;
        while (end < h->nburdens && h->burdens[end].name == h->burdens[i].name)
            end++;
        struct cc_curve *c = cc_arena_alloc(&m->arena, sizeof *c);
        c->n = end - i + 1;
        c->x = cc_arena_alloc(&m->arena, c->n * sizeof *c->x);
        c->y = cc_arena_alloc(&m->arena, c->n * sizeof *c->y);
        c->spread = cc_arena_alloc(&m->arena, c->n * sizeof *c->spread);
        c->x[0] = c->y[0] = 1;
        for (size_t k = i; k < end; k++) {
            c->x[k - i + 1] = h->burdens[k].busy;
            c->y[k - i + 1] = h->burdens[k].factor;
            c->spread[k - i + 1] = h->burdens[k].spread;
            m->spreads = m->spreads || h->burdens[k].spread > 0;
        }
        m->burden[h->burdens[i].name] = c;
        if (strcmp(h->names[h->burdens[i].name], CC_TASKS_REST) == 0)
            rest = c;
        i = end;
    }
    for (size_t i = 0; rest && i <= h->nnames; i++)
        if (!m->burden[i])
            m->burden[i] = rest;
    load_copies(m);
    m->contention = true;
}

bool cc_predict_overlaps(const struct cc_platform *p)
{
    static const char *const memories[] = {"memory.l2", "memory.l3", "memory.dram"};
    for (size_t i = 0; i < CC_COUNT(memories); i++)
        if (cc_platform_has(p, memories[i]) &&
            cc_platform_num_or(p, memories[i], CC_NUM_MEMORY_OVERLAP, 1) >= 2)
            return true;
    return false;
}

/* The trace of lines, if there is one and the platform has a machine for it. */
static int load_local(struct cc_predict_model *m, struct cc_platform *p, const struct cc_predict_options *o,
                      struct cc_err *err)
{
    bool wanted = o->contention == CC_CONTENTION_LOCALITY;
    if (!wanted && (o->contention != CC_CONTENTION_AUTO || m->h->nburdens))
        return 0;
    if (!m->h->lines || !m->h->pace) {
        if (!wanted)
            return 0;
        int rc = cc_err_at(err, CC_EINPUT, m->h->path, 0, "the recording has no trace of lines");
        cc_err_hint(err, "record with --locality");
        return rc;
    }
    if (!wanted && cc_predict_overlaps(p)) {
        cc_model_warn(m, "the trace of lines is not used: cores of this machine read on while they wait, "
                         "which its caches' model does not (--contention locality takes it all the same)");
        return 0;
    }
    struct cc_err why = {0};
    m->local = cc_local_new(m->h, p, &why);
    if (!m->local && wanted) {
        *err = why;
        return -CC_EINPUT;
    }
    if (!m->local)
        cc_model_warn(m,
                      "the trace of lines is not used: the platform does not describe its cores, caches and "
                      "memory banks");
    return 0;
}

static int load_contention(struct cc_predict_model *m, struct cc_platform *p,
                           const struct cc_predict_options *o, struct cc_err *err)
{
    bool corun =
        o->contention == CC_CONTENTION_CORUN || (o->contention == CC_CONTENTION_AUTO && m->h->nburdens);
    if (m->local)
        return 0;
    if (o->contention == CC_CONTENTION_CORUN && !m->h->nburdens) {
        int rc = cc_err_at(err, CC_EINPUT, m->h->path, 0, "the trace has no co-run");
        cc_err_hint(err, "record it with --engine native --corun 2,4");
        return rc;
    }
    m->corun = corun;
    if (corun) {
        load_burdens(m);
        return load_counters(m, p, o, false, err);
    }
    bool model = o->contention != CC_CONTENTION_OFF;
    if (o->together && !model) {
        m->compute = o->together;
        m->contention = true;
    }
    const char *compute = model ? cc_platform_str_or(p, NULL, CC_STR_CONTENTION_COMPUTE, NULL) : NULL;
    if (compute) {
        struct cc_curve *c;
        int rc = load_curve(m, p, "contention", CC_STR_CONTENTION_COMPUTE, compute, &c, err);
        if (rc < 0)
            return rc;
        m->compute = c;
        m->contention = true;
    }
    return load_counters(m, p, o, model, err);
}

/* Traces without accesses that the platform knows, on a machine whose memory was measured. */
static int load_blind(struct cc_predict_model *m, struct cc_platform *p, const struct cc_predict_options *o,
                      struct cc_err *err)
{
    static const char memory[] = "memory.dram";
    const char *text = cc_platform_str_or(p, memory, CC_STR_MEMORY_CURVE, NULL);
    bool blind = text && o->contention == CC_CONTENTION_AUTO && !o->middle && !m->local && !m->corun;
    for (size_t c = 0; c < m->h->ncounters; c++)
        blind = blind &&
                (is_fresh(m, c) || (!m->counters[c].rate && !m->counters[c].slower && !m->counters[c].banks));
    struct cc_curve *rate;
    int rc = blind ? load_curve(m, p, memory, CC_STR_MEMORY_CURVE, text, &rate, err) : 0;
    if (blind && rc == 0)
        m->blind = rate;
    return rc;
}

static void warn_of_instructions(struct cc_predict_model *m, const struct cc_platform *p)
{
    if (m->local || strcmp(m->h->clock, "instructions") != 0 ||
        cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CPI, 0) != 0)
        return;
    cc_model_warn(m, !m->h->lines && cc_platform_has(p, "cache.l1d")
                         ? "times are of instructions, one a cycle: caches and memory are in them if the "
                           "program is recorded with --locality"
                         : "the trace counts instructions: one instruction is taken as one cycle; set "
                           "platform.cpi");
}

int cc_predict_model_new(const struct cc_htg *h, struct cc_platform *p, const struct cc_predict_options *o,
                         struct cc_predict_model **ret, struct cc_err *err)
{
    if (h->nodes[0].len >> 50)
        return cc_err_at(err, CC_EINPUT, h->path, 0, "the trace is longer than 2^50 %s", h->clock);
    struct cc_predict_model *m = cc_alloc(sizeof *m);
    m->h = h;
    m->coverage = o->middle ? 0 : o->coverage > 0 && o->coverage < 1 ? o->coverage : 0.9;
    m->burden = cc_arena_alloc(&m->arena, (h->nnames + 1) * sizeof *m->burden);
    int rc = load_local(m, p, o, err);
    if (rc == 0)
        rc = load_costs(m, p, err);
    if (rc == 0)
        rc = cc_model_crowds(m, p, err);
    if (rc == 0)
        rc = load_contention(m, p, o, err);
    if (rc == 0)
        rc = load_blind(m, p, o, err);
    if (rc == 0)
        rc = cc_model_machine(m, p, o->contention != CC_CONTENTION_OFF, err);
    if (rc < 0) {
        cc_predict_model_free(m);
        return rc;
    }
    cc_model_units(m, p, o->classes);
    if (o->contention == CC_CONTENTION_MODEL && !m->contention)
        cc_model_warn(
            m, "the platform says nothing about contention that goes with this trace: see [contention], "
               "and 'bandwidth', 'banks' and 'latency_curve' of [memory.NAME]");
    warn_of_instructions(m, p);
    struct piece all = cc_model_subtree(m, 0, ALONE, 1);
    m->sequential = all.base;
    if (m->local)
        m->sequential += llround(m->local->stall[PIECE_ALL][0] * (1 << CC_TICK_BITS));
    m->sequential_joules = all.joules;
    m->spreads = m->spreads && !o->middle;
    *ret = m;
    return 0;
}

void cc_predict_model_free(struct cc_predict_model *m)
{
    if (!m)
        return;
    cc_local_free(m->local);
    cc_arena_fini(&m->arena);
    cc_dma_fini(&m->dma);
    free(m);
}

size_t cc_predict_model_warnings(const struct cc_predict_model *m, const char *const **ret)
{
    *ret = m->warnings;
    return m->nwarnings;
}

const char *const cc_contention_names[] = {"auto", "corun", "model", "off", "locality", NULL};

enum cc_contention cc_predict_contention(const struct cc_predict_model *m)
{
    if (m->local)
        return CC_CONTENTION_LOCALITY;
    return m->corun ? CC_CONTENTION_CORUN : m->contention ? CC_CONTENTION_MODEL : CC_CONTENTION_OFF;
}

cc_ticks cc_predict_sequential(const struct cc_predict_model *m)
{
    return m->sequential;
}

/* --- pieces --- */

/* Between neighbours of a rising list, by rank from 0 to 1. */
static double at_rank(const struct cc_tasks_copies *c, double rank)
{
    double at = rank * (double)(c->n - 1);
    size_t below = CC_MIN((size_t)at, c->n - 1), above = CC_MIN(below + 1, c->n - 1);
    return c->factors[below] + (at - (double)below) * (c->factors[above] - c->factors[below]);
}

/* Of the copy at this rank when so many are at work: straight between the numbers that were tried, from 1 for
 * one alone, and on like the last stretch beyond them. */
static double copy_factor(const struct copies *c, unsigned busy, double rank)
{
    double x0 = 1, y0 = 1, x1 = 1, y1 = 1;
    for (size_t i = 0; i < c->n; i++) {
        x0 = x1;
        y0 = y1;
        x1 = c->v[i].busy;
        y1 = at_rank(&c->v[i], rank);
        if (x1 >= busy)
            break;
    }
    return fmax(x1 > x0 ? y0 + (y1 - y0) * (busy - x0) / (x1 - x0) : y1, 0.1);
}

/* Copies that read the same data bring it in for each other; threads, each in its own part, do not. So no
 * mean is below one, and what single copies took goes with it. */
static double at_least_alone(const struct cc_curve *mean, unsigned busy)
{
    double factor = cc_curve_at(mean, busy, 0);
    return factor > 0.1 && factor < 1 ? 1 / factor : 1;
}

/* Of work that is bound by what memory gives, in that part. */
static double crowded(const struct cc_curve *rate, struct load load)
{
    double alone = cc_curve_at(rate, 1, 0), all = cc_curve_at(rate, load.busy, 0);
    return 1 + load.bound * fmax(load.busy * alone / all - 1, 0);
}

static double factor_of(const struct cc_predict_model *m, uint32_t name, struct load load, int variant)
{
    if (m->burden[name] && load.rank > 0 && m->copies[name].n)
        return copy_factor(&m->copies[name], load.busy, load.rank) *
               at_least_alone(m->burden[name], load.busy) * exp(load.share * (1 - 1.0 / load.busy));
    if (m->burden[name])
        return fmax(cc_curve_at(m->burden[name], load.busy, variant - 1), 1);
    if (m->sibling > 0) /* not the curve: which CPUs it was measured on is chance */
        return load.sibling ? m->sibling : 1;
    return m->compute ? cc_curve_at(m->compute, load.busy, variant - 1) : 1;
}

/* Waiting for banks that serve one access a cycle, as in a queue with steady service (M/D/1) that the other
 * busy processors feed as densely as this one. *ret_least: no less than all accesses take in all banks. */
static double bank_conflicts(const struct cc_predict_model *m, const double *count, unsigned busy,
                             double base, double *ret_least)
{
    double total[CC_TASKS_MAX_COUNTERS] = {0}, waiting = 0;
    for (size_t c = 0; c < m->h->ncounters; c++)
        if (m->counters[c].banks > 0)
            total[m->counters[c].first] += count[c];
    for (size_t c = 0; c < m->h->ncounters; c++) {
        if (total[c] <= 0 || base <= 0)
            continue;
        double full = total[c] * m->cycle, banks = m->counters[c].banks;
        double load = fmin((busy - 1) * full / base / banks, 0.95);
        waiting += full * load / (2 * (1 - load));
        *ret_least = fmax(*ret_least, busy * full / banks);
    }
    return waiting;
}

static struct piece make_piece(const struct cc_predict_model *m, uint32_t name, uint64_t ticks, size_t node,
                               bool tail, struct load load, int variant)
{
    struct piece p = {(cc_ticks)(ticks << CC_TICK_BITS), 0, 0, tail ? PIECE_TAIL : PIECE_GAP, (uint32_t)node};
    const struct cc_htg *h = m->h;
    if (m->local)
        p.base = cc_ticks_of(m->local->work[p.kind][node] * (1 << CC_TICK_BITS));
    double latency = 0, waiting = 0, streaming = 0, counts[CC_TASKS_MAX_COUNTERS];
    bool others = (m->contention || load.bound > 0) && load.busy > 1;
    for (size_t c = 0; (m->latency || m->access_energy || others) && c < h->ncounters; c++) {
        const struct counter *k = &m->counters[c];
        double count = (double)(tail ? cc_htg_tail_count(h, node, c) : cc_htg_gap_count(h, node, c));
        counts[c] = count;
        latency += k->latency * count;
        p.joules += k->joules * count;
        if (others && k->slower)
            waiting += count * fmax(cc_curve_at(k->slower, load.busy, 0) - cc_curve_at(k->slower, 1, 0), 0);
        double rate = others && k->rate ? cc_curve_at(k->rate, load.busy, 0) : 0;
        if (rate > 0) /* all busy processors are taken to want as much as this one */
            streaming = fmax(streaming, load.busy * count / rate * (1 << CC_TICK_BITS));
    }
    p.base += cc_ticks_of(fmin(latency, 1e18)) + (tail && node == 0 ? m->release : 0);
    if (!others)
        return p;
    if (m->banks)
        waiting += bank_conflicts(m, counts, load.near, (double)p.base, &streaming);
    double factor = factor_of(m, name, load, variant);
    if (m->blind)
        factor *= crowded(m->blind, load);
    if (factor < 1) /* a processor that is faster than the one that was recorded */
        p.base = cc_ticks_of((double)p.base * factor);
    double extra = factor > 1 ? (double)p.base * (factor - 1) : 0;
    extra = fmax(extra + waiting, streaming - (double)p.base);
    p.extra = cc_ticks_of(fmin(extra, 1e18));
    return p;
}

struct piece cc_model_gap(const struct cc_predict_model *m, size_t node, uint32_t owner, struct load load,
                          int variant)
{
    return make_piece(m, owner, m->h->nodes[node].gap, node, false, load, variant);
}

struct piece cc_model_tail(const struct cc_predict_model *m, size_t node, uint64_t ticks, struct load load,
                           int variant)
{
    return make_piece(m, m->h->nodes[node].name, ticks, node, true, load, variant);
}

struct level {
    size_t node, child;
    uint64_t left; /* ticks not yet given to children */
    uint64_t copies;
};

static void add_piece(struct piece *sum, struct piece p, uint64_t copies)
{
    sum->base += p.base * (cc_ticks)copies;
    sum->extra += p.extra * (cc_ticks)copies;
    sum->joules += p.joules * (double)copies;
}

struct piece cc_model_subtree(const struct cc_predict_model *m, size_t node, struct load load, int variant)
{
    const struct cc_htg *h = m->h;
    if (m->local && !m->access_energy)
        return (struct piece){cc_ticks_of(m->local->work[PIECE_ALL][node] * (1 << CC_TICK_BITS)), 0, 0,
                              PIECE_ALL, (uint32_t)node};
    if (!m->latency && !m->access_energy && ((!m->contention && load.bound <= 0) || load.busy < 2))
        return (struct piece){.base = (cc_ticks)(h->nodes[node].len << CC_TICK_BITS)};
    if (cc_htg_leaf(h, node))
        return cc_model_tail(m, node, h->nodes[node].len, load, variant);
    struct piece sum = {.kind = PIECE_ALL, .node = (uint32_t)node};
    CC_VEC(struct level) stack = {0};
    struct level top = {node, node + 1, h->nodes[node].len, 1};
    CC_VEC_PUSH(&stack, top);
    while (stack.n) {
        struct level *l = &stack.v[stack.n - 1];
        if (l->child == h->nodes[l->node].next) {
            add_piece(&sum, cc_model_tail(m, l->node, l->left, load, variant), l->copies);
            stack.n--;
            continue;
        }
        size_t child = l->child;
        const struct cc_htg_node *n = &h->nodes[child];
        uint64_t copies = l->copies * n->repeat;
        l->left -= (n->gap + n->len) * n->repeat;
        l->child = n->next;
        add_piece(&sum, cc_model_gap(m, child, h->nodes[l->node].name, load, variant), copies);
        if (cc_htg_leaf(h, child)) {
            add_piece(&sum, cc_model_tail(m, child, n->len, load, variant), copies);
        } else {
            struct level down = {child, child + 1, n->len, copies};
            CC_VEC_PUSH(&stack, down);
        }
    }
    CC_VEC_FINI(&stack);
    return sum;
}

/* --- parameters --- */

char *cc_predict_parameter(const char *name)
{
    size_t n = strlen(name);
    if (strcmp(name, "overhead_scale") == 0)
        return cc_strdup("openmp.scale");
    if (!strchr(name, '.') && n > 3 && strcmp(name + n - 3, "_rd") == 0)
        return cc_asprintf("memory.%.*s.read", (int)(n - 3), name);
    if (!strchr(name, '.') && n > 3 && strcmp(name + n - 3, "_wr") == 0)
        return cc_asprintf("memory.%.*s.write", (int)(n - 3), name);
    return cc_strdup(name);
}
