/* One kernel on one unit: bounds by instruction classes, by memory, and how both divide over cores. */
#include "units.h"

#include <math.h>

static const enum cc_num_key class_keys[CC_CLASSES] = {
    CC_NUM_UNIT_S_INT,  CC_NUM_UNIT_M_INT,   CC_NUM_UNIT_FLOAT,     CC_NUM_UNIT_SPECIFIC,
    CC_NUM_UNIT_BRANCH, CC_NUM_UNIT_ADDRESS, CC_NUM_UNIT_LOAD_STORE};

/* "0.1 ± 0.05" is a range of costs, from which the whole spread may be taken but no throughput be 0. */
static void read_throughput(const struct cc_platform *p, const char *section, enum cc_num_key key,
                            double *value, double *spread)
{
    struct cc_quantity q = {NAN, 0};
    cc_platform_num(p, section, key, &q, NULL);
    *value = q.value;
    *spread = fmin(q.spread, 0.999 * q.value);
}

int cc_units_load(const struct cc_platform *p, struct cc_unit **ret, size_t *ret_n, struct cc_err *err)
{
    const char *const *names;
    size_t n = cc_platform_list(p, "unit", &names);
    if (n == 0)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0, "the platform has no [unit.NAME] section");
    struct cc_unit *units = cc_alloc_array(n, sizeof *units);
    for (size_t i = 0; i < n; i++) {
        struct cc_unit *u = &units[i];
        char section[300];
        snprintf(section, sizeof section, "unit.%s", names[i]);
        u->name = names[i];
        u->kind = cc_platform_str_or(p, section, CC_STR_UNIT_KIND, "cpu");
        u->gpu = strcmp(u->kind, "gpu") == 0;
        double mhz = cc_platform_num_or(p, section, CC_NUM_UNIT_CLOCK_MHZ,
                                        cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN));
        u->clock_hz = mhz * 1e6;
        u->cores = cc_platform_num_or(p, section, CC_NUM_UNIT_CORES, 1);
        u->superscalar = strcmp(cc_platform_str_or(p, section, CC_STR_UNIT_SUPERSCALAR, "yes"), "yes") == 0;
        for (int c = 0; c < CC_CLASSES; c++)
            read_throughput(p, section, class_keys[c], &u->per_cycle[c], &u->spread[c]);
        u->load_latency = cc_platform_num_or(p, section, CC_NUM_UNIT_LOAD_LATENCY, 0);
        u->mispredict = cc_platform_num_or(p, section, CC_NUM_UNIT_MISPREDICT, 0);
        u->vector_load_store = cc_platform_num_or(p, section, CC_NUM_UNIT_VECTOR_LOAD_STORE, NAN);
        u->bandwidth = cc_platform_num_or(p, section, CC_NUM_UNIT_BANDWIDTH, NAN);
        u->core_bandwidth = cc_platform_num_or(p, section, CC_NUM_UNIT_CORE_BANDWIDTH, u->bandwidth);
        u->latency = cc_platform_num_or(p, section, CC_NUM_UNIT_LATENCY, 0);
        if (strcmp(u->kind, "cpu") == 0) { /* the memory of [memory.dram] is theirs */
            u->second = cc_platform_num_or(p, "memory.l2", CC_NUM_MEMORY_READ, 0);
            u->alone = cc_platform_num_or(p, "memory.dram", CC_NUM_MEMORY_READ, 0);
            u->miss = u->alone / cc_platform_num_or(p, "memory.dram", CC_NUM_MEMORY_OVERLAP, INFINITY);
        }
        u->vector_gain = cc_platform_num_or(p, section, CC_NUM_UNIT_VECTOR_GAIN, 1);
        u->atomic = cc_platform_num_or(p, section, CC_NUM_UNIT_ATOMIC, NAN);
        u->reduction = cc_platform_num_or(p, section, CC_NUM_UNIT_REDUCTION, NAN);
        u->barrier = cc_platform_num_or(p, section, CC_NUM_UNIT_BARRIER, NAN);
    }
    *ret = units;
    *ret_n = n;
    return 0;
}

/* Of all branches, how many go another way than foretold where data decide: nobody counted them, so this is
 * in the upper end only. */
#define MISSED 0.05

/* T_c = N_c / p_c; between the slowest class (all others run beside it) and the sum (none does). A class with
 * a range of costs takes the cheapest below and the dearest above. */
static int compute_bound(const struct cc_kernel *k, const struct cc_unit *u, struct cc_kernel_time *ret,
                         struct cc_err *err)
{
    double slowest = 0, longest = 0;
    struct cc_interval sum = {0, 0};
    for (int c = 0; c < CC_MEMORY; c++) {
        if (k->n[c] == 0)
            continue;
        if (isnan(u->per_cycle[c]))
            return cc_err_at(err, CC_EINPUT, k->file ? k->file : "", k->line,
                             "kernel '%.80s' needs '%s', for which unit '%.80s' has no throughput", k->name,
                             cc_class_names[c], u->name);
        double t = k->n[c] / u->per_cycle[c], least = k->n[c] / (u->per_cycle[c] + u->spread[c]);
        if (t > slowest) {
            slowest = t;
            ret->class = (enum cc_class)c;
        }
        longest = fmax(longest, least);
        sum.low += least;
        sum.high += k->n[c] / (u->per_cycle[c] - u->spread[c]);
    }
    sum.high += k->n[CC_BRANCH] * MISSED * u->mispredict;
    ret->compute = (struct cc_interval){u->superscalar ? longest : sum.low, sum.high};
    if (k->vector != CC_VECTOR_NO)
        ret->compute.low /= u->vector_gain;
    if (k->vector == CC_VECTOR_YES)
        ret->compute.high /= u->vector_gain;
    return 0;
}

/* Cycles of the kernel's accesses on one core. Vectorised, there are fewer by what vectors gain, each at the
 * cost of a vector access; where it is not known whether they are, both costs are possible. */
static struct cc_interval access_time(const struct cc_kernel *k, const struct cc_unit *u)
{
    double n = k->n[CC_MEMORY], rate = u->per_cycle[CC_MEMORY], spread = u->spread[CC_MEMORY];
    if (n == 0 || isnan(rate))
        return (struct cc_interval){0, 0};
    struct cc_interval scalar = {n / (rate + spread), n / (rate - spread)};
    if (k->vector == CC_VECTOR_NO || isnan(u->vector_load_store))
        return scalar;
    double vector = n / u->vector_gain / u->vector_load_store;
    if (k->vector == CC_VECTOR_YES)
        return (struct cc_interval){vector, vector};
    return (struct cc_interval){fmin(scalar.low, vector), fmax(scalar.high, vector)};
}

/* Bytes between the unit and its memory: a CPU's caches keep some of it from going there. */
static double moved(const struct cc_kernel *k, const struct cc_unit *u)
{
    return k->has_missed && strcmp(u->kind, "cpu") == 0 ? k->missed : k->bytes;
}

enum { LINE = 64 };

/* Loads of a chain: none begins before the last has come, from where it lies. */
static double chain(const struct cc_kernel *k, const struct cc_unit *u)
{
    double far = k->has_missed ? fmin(k->chained, k->missed / LINE) : 0,
           near = k->has_missed ? fmin(k->chained, k->missed_first) - far : 0;
    return k->chained * u->load_latency + fmax(near, 0) * u->second + far * u->alone;
}

/* Accesses and bytes: overlapped at best, one after the other at worst, where also each access's latency
 * shows, and lines are waited for that no prefetcher brought. */
static void memory_bound(const struct cc_kernel *k, const struct cc_unit *u, double cores,
                         struct cc_interval *ret)
{
    struct cc_interval access = access_time(k, u);
    double stream = 0, latency = k->n[CC_MEMORY] * u->latency / cores, bytes = moved(k, u);
    if (bytes > 0 && !isnan(u->bandwidth) && !isnan(u->clock_hz))
        stream = bytes / (fmin(u->bandwidth, cores * u->core_bandwidth) / u->clock_hz);
    ret->low = fmax(access.low / cores, stream);
    ret->high =
        access.high / cores + fmax(stream, bytes / LINE * u->miss / cores) + latency + chain(k, u) / cores;
}

/* The share of the work one of n cores has: its rows with their overlap, of all rows. */
static double share(const struct cc_kernel *k, double cores, double rows)
{
    if (cores <= 1)
        return 1;
    if (rows <= 0)
        return 1 / cores;
    return fmin((ceil(rows / cores) + k->halo) / rows, 1);
}

/* Threads that may meet: cores, on a GPU with all their lanes. */
static double meeting(const struct cc_unit *u, double cores)
{
    double lanes = 1;
    for (int c = 0; u->gpu && c < CC_MEMORY; c++)
        lanes = fmax(lanes, isnan(u->per_cycle[c]) ? 1 : u->per_cycle[c]);
    return cores * lanes;
}

static int lacks(const struct cc_kernel *k, const struct cc_unit *u, const char *key, struct cc_err *err)
{
    return cc_err_at(err, CC_EINPUT, k->file ? k->file : "", k->line,
                     "kernel '%.80s' of class P%d needs '%s', which [unit.%.80s] does not give", k->name,
                     (int)k->parallel, key, u->name);
}

/* What threads cost each other, in ticks for each element. */
static int parallel_cost(const struct cc_kernel *k, const struct cc_unit *u, double cores, double elements,
                         struct cc_interval *cost, struct cc_err *err)
{
    double threads = meeting(u, cores);
    *cost = (struct cc_interval){0, 0};
    if (k->parallel == CC_P0 || threads <= 1)
        return 0;
    if (k->parallel == CC_P1) { /* no two updates meet, or all do */
        if (k->atomics > 0 && isnan(u->atomic))
            return lacks(k, u, "atomic", err);
        if (k->atomics > 0)
            *cost = (struct cc_interval){k->atomics * u->atomic / threads, k->atomics * u->atomic};
        return 0;
    }
    if (isnan(u->barrier) || (k->parallel == CC_P2 && isnan(u->reduction)))
        return lacks(k, u, isnan(u->barrier) ? "barrier" : "reduction", err);
    if (elements <= 0)
        return cc_err_at(
            err, CC_EINPUT, k->file ? k->file : "", k->line,
            "kernel '%.80s' of class P%d pays once for all elements: say how many there are with "
            "--image",
            k->name, (int)k->parallel);
    cost->low =
        k->parallel == CC_P2 ? u->barrier + ceil(log2(threads)) * u->reduction : k->iterations * u->barrier;
    cost->low = cost->high = cost->low / elements;
    return 0;
}

int cc_kernel_interval(const struct cc_kernel *k, const struct cc_unit *u, double cores, double columns,
                       double rows, struct cc_kernel_time *ret, struct cc_err *err)
{
    *ret = (struct cc_kernel_time){.kernel = k, .unit = u, .class = CC_S_INT};
    int rc = compute_bound(k, u, ret, err);
    if (rc < 0)
        return rc;
    cores = fmin(fmax(cores, 1), u->cores);
    if (k->parallel == CC_P3)
        cores = fmin(cores, k->inner);
    double part = share(k, cores, rows);
    struct cc_interval cost;
    rc = parallel_cost(k, u, cores, columns * rows, &cost, err);
    if (rc < 0)
        return rc;
    ret->compute.low = ret->compute.low * part + cost.low;
    ret->compute.high = ret->compute.high * part + cost.high;
    if ((k->n[CC_MEMORY] > 0 || moved(k, u) > 0) && isnan(u->per_cycle[CC_MEMORY]) && isnan(u->bandwidth))
        return cc_err_at(
            err, CC_EINPUT, k->file ? k->file : "", k->line,
            "kernel '%.80s' accesses memory, for which unit '%.80s' has neither 'load_store' nor "
            "'bandwidth'",
            k->name, u->name);
    memory_bound(k, u, cores, &ret->memory);
    ret->time.low = fmax(ret->compute.low, ret->memory.low);
    ret->time.high = fmax(ret->compute.high, ret->memory.high);
    ret->bound = ret->memory.high > ret->compute.high ? "memory" : "compute";
    double sum = 0;
    for (int c = 0; c < CC_MEMORY; c++)
        sum += k->n[c];
    ret->intensity = k->n[CC_MEMORY] > 0 ? sum / k->n[CC_MEMORY] : NAN;
    return 0;
}

void cc_kernel_figures(const struct cc_platform *p, const struct cc_kernel_time *t, double cores)
{
    const struct cc_kernel *k = t->kernel;
    CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", t->unit->name);
    CC_VEC(enum cc_num_key) keys = {0};
    CC_VEC_PUSH(&keys, CC_NUM_UNIT_CLOCK_MHZ);
    for (int c = 0; c < CC_CLASSES; c++)
        if (k->n[c] > 0)
            CC_VEC_PUSH(&keys, class_keys[c]);
    if (k->n[CC_MEMORY] > 0)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_LATENCY);
    if (moved(k, t->unit) > 0) {
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_BANDWIDTH);
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_CORE_BANDWIDTH);
    }
    if (k->vector != CC_VECTOR_NO)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_VECTOR_GAIN);
    if (k->vector != CC_VECTOR_NO && k->n[CC_MEMORY] > 0)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_VECTOR_LOAD_STORE);
    bool meet = meeting(t->unit, cores) > 1;
    if (meet && k->parallel == CC_P1 && k->atomics > 0)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_ATOMIC);
    if (meet && k->parallel == CC_P2)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_REDUCTION);
    if (meet && k->parallel >= CC_P2)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_BARRIER);
    for (size_t i = 0; i < keys.n; i++)
        cc_platform_num_or(p, section, keys.v[i], 0);
    if (isnan(cc_platform_num_or(p, section, CC_NUM_UNIT_CLOCK_MHZ, NAN)))
        cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    CC_VEC_FINI(&keys);
}
