/* One kernel on one unit: bounds by instruction classes, by memory, and how both divide over cores. */
#include "units.h"

#include <math.h>

static const enum cc_num_key class_keys[CC_CLASSES] = {
    CC_NUM_UNIT_S_INT,  CC_NUM_UNIT_M_INT,   CC_NUM_UNIT_FLOAT,     CC_NUM_UNIT_SPECIFIC,
    CC_NUM_UNIT_BRANCH, CC_NUM_UNIT_ADDRESS, CC_NUM_UNIT_LOAD_STORE};

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
        double mhz = cc_platform_num_or(p, section, CC_NUM_UNIT_CLOCK_MHZ,
                                        cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN));
        u->clock_hz = mhz * 1e6;
        u->cores = cc_platform_num_or(p, section, CC_NUM_UNIT_CORES, 1);
        u->superscalar = strcmp(cc_platform_str_or(p, section, CC_STR_UNIT_SUPERSCALAR, "yes"), "yes") == 0;
        for (int c = 0; c < CC_CLASSES; c++)
            u->per_cycle[c] = cc_platform_num_or(p, section, class_keys[c], NAN);
        u->bandwidth = cc_platform_num_or(p, section, CC_NUM_UNIT_BANDWIDTH, NAN);
        u->core_bandwidth = cc_platform_num_or(p, section, CC_NUM_UNIT_CORE_BANDWIDTH, u->bandwidth);
        u->latency = cc_platform_num_or(p, section, CC_NUM_UNIT_LATENCY, 0);
        u->vector_gain = cc_platform_num_or(p, section, CC_NUM_UNIT_VECTOR_GAIN, 1);
        u->atomic = cc_platform_num_or(p, section, CC_NUM_UNIT_ATOMIC, 0);
        u->reduction = cc_platform_num_or(p, section, CC_NUM_UNIT_REDUCTION, 0);
        u->barrier = cc_platform_num_or(p, section, CC_NUM_UNIT_BARRIER, 0);
    }
    *ret = units;
    *ret_n = n;
    return 0;
}

/* T_c = N_c / p_c; between the slowest class (all others run beside it) and the sum (none does). */
static int compute_bound(const struct cc_kernel *k, const struct cc_unit *u, struct cc_kernel_time *ret,
                         struct cc_err *err)
{
    double slowest = 0, sum = 0;
    for (int c = 0; c < CC_MEMORY; c++) {
        if (k->n[c] == 0)
            continue;
        if (isnan(u->per_cycle[c]))
            return cc_err_at(err, CC_EINPUT, k->file ? k->file : "", k->line,
                             "kernel '%.80s' needs '%s', for which unit '%.80s' has no throughput", k->name,
                             cc_class_names[c], u->name);
        double t = k->n[c] / u->per_cycle[c];
        if (t > slowest) {
            slowest = t;
            ret->class = (enum cc_class)c;
        }
        sum += t;
    }
    ret->compute = (struct cc_interval){u->superscalar ? slowest : sum, sum};
    if (k->vector != CC_VECTOR_NO)
        ret->compute.low /= u->vector_gain;
    if (k->vector == CC_VECTOR_YES)
        ret->compute.high /= u->vector_gain;
    return 0;
}

/* Accesses and bytes: overlapped at best, one after the other at worst, where also each access's latency
 * shows. */
static void memory_bound(const struct cc_kernel *k, const struct cc_unit *u, double cores,
                         struct cc_interval *ret)
{
    double access = 0, stream = 0, latency = k->n[CC_MEMORY] * u->latency / cores;
    if (k->n[CC_MEMORY] > 0 && !isnan(u->per_cycle[CC_MEMORY]))
        access = k->n[CC_MEMORY] / u->per_cycle[CC_MEMORY] / cores;
    if (k->bytes > 0 && !isnan(u->bandwidth) && !isnan(u->clock_hz))
        stream = k->bytes / (fmin(u->bandwidth, cores * u->core_bandwidth) / u->clock_hz);
    ret->low = fmax(access, stream);
    ret->high = access + stream + latency;
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

/* What cores cost each other, in ticks for each element. */
static struct cc_interval parallel_cost(const struct cc_kernel *k, const struct cc_unit *u, double cores,
                                        double elements)
{
    struct cc_interval cost = {0, 0};
    if (cores <= 1)
        return cost;
    if (k->parallel == CC_P1) { /* no two updates meet, or all do */
        cost.low = k->atomics * u->atomic / cores;
        cost.high = k->atomics * u->atomic;
    } else if (k->parallel == CC_P2 && elements > 0) {
        cost.low = cost.high = (u->barrier + ceil(log2(cores)) * u->reduction) / elements;
    } else if (k->parallel == CC_P3 && elements > 0) {
        cost.low = cost.high = k->iterations * u->barrier / elements;
    }
    return cost;
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
    struct cc_interval cost = parallel_cost(k, u, cores, columns * rows);
    ret->compute.low = ret->compute.low * part + cost.low;
    ret->compute.high = ret->compute.high * part + cost.high;
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
    if (k->bytes > 0) {
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_BANDWIDTH);
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_CORE_BANDWIDTH);
    }
    if (k->vector != CC_VECTOR_NO)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_VECTOR_GAIN);
    if (cores > 1 && k->parallel == CC_P1)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_ATOMIC);
    if (cores > 1 && k->parallel == CC_P2)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_REDUCTION);
    if (cores > 1 && k->parallel >= CC_P2)
        CC_VEC_PUSH(&keys, CC_NUM_UNIT_BARRIER);
    for (size_t i = 0; i < keys.n; i++)
        cc_platform_num_or(p, section, keys.v[i], 0);
    if (isnan(cc_platform_num_or(p, section, CC_NUM_UNIT_CLOCK_MHZ, NAN)))
        cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    CC_VEC_FINI(&keys);
}
