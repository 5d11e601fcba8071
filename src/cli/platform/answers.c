#include "answers.h"
#include "../../analysis/topology/topology.h"
#include "../../analysis/units/units.h"
#include "../../platform/dma.h"
#include "../../platform/link.h"
#include "../../platform/machine.h"

#include <math.h>
#include <stdarg.h>

const char *const cc_question_keys[] = {"predict", "energy", "tile",     "units",
                                        "tasks",   "parts",  "simulate", "area"};
const char *const cc_question_texts[] = {
    "predict, validate, explore: speed-ups",
    "predict: energy",
    "tile: tile sizes with a DMA",
    "units: time intervals of kernels",
    "map: tasks onto units",
    "map: parts of a program onto processors",
    "simulate: run a program on it",
    "area partition: data to logic",
};

/* What is not there is no mistake of the file: another code than for what is wrong. */
static int need(bool there, const char *what, struct cc_err *err)
{
    return there ? 0 : cc_err_set(err, CC_EUSAGE, "no %s", what);
}

static int need_clock(const struct cc_platform *p, struct cc_err *err)
{
    double mhz = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN);
    return need(!isnan(mhz), "'clock_mhz' in [platform]", err);
}

static int ask_predict(const struct cc_platform *p, struct cc_err *err)
{
    int rc = need(cc_platform_has(p, "openmp.parallel"), "[openmp.parallel]", err);
    return rc < 0 ? rc : need_clock(p, err);
}

static int ask_energy(const struct cc_platform *p, struct cc_err *err)
{
    int rc = ask_predict(p, err);
    double busy = cc_platform_num_or(p, NULL, CC_NUM_ENERGY_BUSY_CYCLE, NAN);
    return rc < 0 ? rc : need(!isnan(busy), "'busy_cycle' in [energy]", err);
}

static int ask_tile(struct cc_platform *p, struct cc_err *err)
{
    struct cc_dma dma = {0};
    int rc = need(cc_platform_has(p, "dma"), "[dma]", err);
    if (rc == 0)
        rc = cc_dma_load(p, &dma, err);
    cc_dma_fini(&dma);
    double local = cc_platform_num_or(p, "memory.local", CC_NUM_MEMORY_SIZE,
                                      cc_platform_num_or(p, "memory.l1", CC_NUM_MEMORY_SIZE, NAN));
    if (rc == 0)
        rc = need(!isnan(local), "'size' in [memory.local] or [memory.l1]", err);
    return rc < 0 ? rc : need_clock(p, err);
}

/* Every unit knows what each program has: simple instructions, branches, loads and stores. */
static int ask_units(const struct cc_platform *p, struct cc_err *err)
{
    static const enum cc_class all[] = {CC_S_INT, CC_BRANCH, CC_MEMORY};
    struct cc_unit *units = NULL;
    size_t n = 0;
    const char *const *names;
    int rc = need(cc_platform_list(p, "unit", &names) > 0, "[unit.NAME]", err);
    if (rc == 0)
        rc = cc_units_load(p, &units, &n, err);
    for (size_t u = 0; rc == 0 && u < n; u++) {
        for (size_t c = 0; rc == 0 && c < CC_COUNT(all); c++)
            if (isnan(units[u].per_cycle[all[c]]))
                rc = cc_err_set(err, CC_EUSAGE, "[unit.%.80s] lacks '%s'", units[u].name,
                                all[c] == CC_MEMORY ? "load_store" : cc_class_names[all[c]]);
        if (rc == 0 && isnan(units[u].clock_hz))
            rc = need_clock(p, err);
    }
    free(units);
    return rc;
}

static int ask_tasks(const struct cc_platform *p, struct cc_err *err)
{
    const char *const *units;
    size_t n = cc_platform_list(p, "unit", &units);
    int rc = need(n > 0, "[unit.NAME]", err);
    struct cc_arena arena = {0};
    for (size_t a = 0; rc == 0 && a < n; a++)
        for (size_t b = 0; rc == 0 && b < n; b++) {
            struct cc_link link;
            rc = a == b ? 0 : cc_link_load(p, units[a], units[b], &arena, &link, err);
            if (rc == 0 && a != b && !link.present)
                rc = cc_err_set(err, CC_EUSAGE, "no [link.%.80s.%.80s]", units[a], units[b]);
        }
    cc_arena_fini(&arena);
    return rc;
}

static int ask_parts(struct cc_platform *p, struct cc_err *err)
{
    struct cc_topology *t = NULL;
    int rc = cc_platform_has(p, "topology") ? cc_topology_from_platform(p, &t, err) : 0;
    bool many = t || cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1) > 1;
    cc_topology_free(t);
    return rc < 0 ? rc : need(many, "[topology], and one core only", err);
}

static int ask_simulate(const struct cc_platform *p, struct cc_err *err)
{
    struct cc_sim_config config;
    int rc = need(cc_platform_has(p, "core"), "[core]", err);
    return rc < 0 ? rc : cc_machine_of(p, 0, &config, err);
}

static int ask_area(const struct cc_platform *p, struct cc_err *err)
{
    int rc =
        need(cc_link_to_logic(p) != NULL, "link to programmable logic ([link.A.pl] or [link.A.fpga])", err);
    return rc < 0 ? rc : need_clock(p, err);
}

void cc_platform_answer(struct cc_platform *p, enum cc_question q, struct cc_answer *ret)
{
    struct cc_err err = {0};
    int rc = 0;
    switch (q) {
    case CC_ASK_PREDICT:
        rc = ask_predict(p, &err);
        break;
    case CC_ASK_ENERGY:
        rc = ask_energy(p, &err);
        break;
    case CC_ASK_TILE:
        rc = ask_tile(p, &err);
        break;
    case CC_ASK_UNITS:
        rc = ask_units(p, &err);
        break;
    case CC_ASK_TASKS:
        rc = ask_tasks(p, &err);
        break;
    case CC_ASK_PARTS:
        rc = ask_parts(p, &err);
        break;
    case CC_ASK_SIMULATE:
        rc = ask_simulate(p, &err);
        break;
    case CC_ASK_AREA:
        rc = ask_area(p, &err);
        break;
    case CC_QUESTIONS:
        break;
    }
    *ret = (struct cc_answer){.yes = rc == 0, .broken = rc == -CC_EINPUT};
    snprintf(ret->why, sizeof ret->why, "%s", rc < 0 ? err.msg : "");
}

/* --- figures that cannot be --- */

struct odd {
    struct cc_arena *arena;
    CC_VEC(const char *) v;
};

static void add_odd(struct odd *o, const char *fmt, ...) CC_PRINTF(2, 3);
static void add_odd(struct odd *o, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    CC_VEC_PUSH(&o->v, cc_arena_strdup(o->arena, text));
}

/* From the nearest memory to the farthest each is slower, and each cache larger. */
static void odd_memories(const struct cc_platform *p, struct odd *o)
{
    static const char *const order[] = {"memory.l1", "memory.l2", "memory.l3", "memory.dram"};
    for (size_t i = 0; i < CC_COUNT(order); i++)
        for (size_t k = i + 1; k < CC_COUNT(order); k++) {
            double near = cc_platform_num_or(p, order[i], CC_NUM_MEMORY_READ, NAN);
            double far = cc_platform_num_or(p, order[k], CC_NUM_MEMORY_READ, NAN);
            if (near > far)
                add_odd(o, "a read from [%s] takes %g cycles, from [%s], farther away, only %g", order[i],
                        near, order[k], far);
        }
    double l1 = cc_platform_num_or(p, "cache.l1d", CC_NUM_CACHE_SIZE, NAN);
    double l2 = cc_platform_num_or(p, "cache.l2", CC_NUM_CACHE_SIZE, NAN);
    if (l1 > l2)
        add_odd(o, "[cache.l1d] has %g bytes, [cache.l2] only %g", l1, l2);
}

static void odd_units(const struct cc_platform *p, struct odd *o)
{
    const char *const *names;
    size_t n = cc_platform_list(p, "unit", &names);
    for (size_t i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *s = cc_asprintf("unit.%s", names[i]);
        double busy = cc_platform_num_or(p, s, CC_NUM_UNIT_POWER, NAN);
        double idle = cc_platform_num_or(p, s, CC_NUM_UNIT_IDLE_POWER, NAN);
        double all = cc_platform_num_or(p, s, CC_NUM_UNIT_BANDWIDTH, NAN);
        double one = cc_platform_num_or(p, s, CC_NUM_UNIT_CORE_BANDWIDTH, NAN);
        if (idle > busy)
            add_odd(o, "[%.80s] takes more power at rest than at work", s);
        if (one > all)
            add_odd(o, "one core of [%.80s] has more bandwidth than all together", s);
    }
}

size_t cc_platform_odd(const struct cc_platform *p, struct cc_arena *a, const char *const **ret)
{
    struct odd o = {.arena = a};
    odd_memories(p, &o);
    odd_units(p, &o);
    if (cc_platform_num_or(p, NULL, CC_NUM_ENERGY_IDLE_CYCLE, NAN) >
        cc_platform_num_or(p, NULL, CC_NUM_ENERGY_BUSY_CYCLE, NAN))
        add_odd(&o, "a cycle at rest takes more energy than one at work");
    const char **list = cc_arena_alloc(a, (o.v.n + 1) * sizeof *list);
    for (size_t i = 0; i < o.v.n; i++)
        list[i] = o.v.v[i];
    size_t n = o.v.n;
    CC_VEC_FINI(&o.v);
    *ret = list;
    return n;
}
