/* The platform's units, for target: their links to the cores that are replayed, and how long the code of
 * tasks takes there, by the classes of its instructions (../units). */
#include "plan.h"
#include "../units/units.h"

#include <math.h>

static const char *text_of(struct cc_predict_model *m, const struct cc_err *err)
{
    return cc_arena_strdup(&m->arena, err->msg);
}

/* Seconds of a kernel: low, middle, high. */
static bool seconds_of(const struct cc_kernel *k, const struct cc_unit *u, double cores, double ret[3])
{
    struct cc_kernel_time t;
    if (cc_kernel_interval(k, u, cores, 0, 0, &t, NULL) < 0)
        return false;
    ret[0] = t.time.low / u->clock_hz;
    ret[2] = t.time.high / u->clock_hz;
    ret[1] = (ret[0] + ret[2]) / 2;
    return isfinite(ret[2]) && ret[0] > 0;
}

static const struct cc_class_group *group_of(const struct cc_classes *c, const char *name)
{
    for (size_t i = 1; i < c->ntasks; i++)
        if (strcmp(c->tasks[i].name, name) == 0)
            return &c->tasks[i];
    return NULL;
}

/* How many times as long the code of one name takes on a unit as on one core of the host. */
static void load_ratio(struct cc_predict_model *m, struct model_unit *to, uint32_t name,
                       const struct cc_class_group *g, const struct cc_unit *unit, const struct cc_unit *host)
{
    struct cc_kernel k = {.name = m->h->names[name], .parallel = CC_P0, .iterations = 1, .inner = 1};
    double here[3], there[3];
    for (size_t c = 0; g && c < CC_CLASSES; c++)
        k.n[c] = (double)g->counts.n[c];
    for (int all = 0; all < 2; all++)
        for (int v = 0; v < 3; v++) {
            bool known =
                g && seconds_of(&k, host, 1, here) && seconds_of(&k, unit, all ? unit->cores : 1, there);
            to->times[all][v][name] = known ? there[v] / here[v] : NAN;
        }
}

static void load_ratios(struct cc_predict_model *m, const struct cc_classes *classes,
                        const struct cc_unit *units)
{
    for (size_t i = 0; i < m->nunits; i++)
        for (int k = 0; k < 6; k++)
            m->units[i].times[k / 3][k % 3] = cc_arena_alloc(&m->arena, (m->h->nnames + 1) * sizeof(double));
    for (uint32_t n = 0; n <= m->h->nnames; n++) {
        const struct cc_class_group *g = n < m->h->nnames ? group_of(classes, m->h->names[n]) : NULL;
        for (size_t i = 0; i < m->nunits; i++)
            load_ratio(m, &m->units[i], n, g, &units[i], &units[m->host]);
    }
}

void cc_model_units(struct cc_predict_model *m, struct cc_platform *p, const struct cc_classes *classes)
{
    struct cc_unit *units;
    if (cc_units_load(p, &units, &m->nunits, NULL) < 0) {
        m->nunits = 0;
        return;
    }
    m->units = cc_arena_alloc(&m->arena, m->nunits * sizeof *m->units);
    m->host = m->nunits;
    for (size_t i = 0; i < m->nunits; i++) {
        m->units[i].name = cc_arena_strdup(&m->arena, units[i].name);
        m->units[i].cpu = strcmp(units[i].kind, "cpu") == 0;
        char section[160];
        snprintf(section, sizeof section, "unit.%s", units[i].name);
        m->units[i].watts = cc_platform_num_or(p, section, CC_NUM_UNIT_POWER, NAN) -
                            cc_platform_num_or(p, section, CC_NUM_UNIT_IDLE_POWER, 0);
        m->units[i].cores = fmax(1, units[i].cores);
        if (m->host == m->nunits && m->units[i].cpu)
            m->host = i;
    }
    for (size_t i = 0; i < m->nunits && m->host < m->nunits; i++) {
        struct cc_err err = {0};
        struct model_unit *u = &m->units[i];
        if (i != m->host &&
            (cc_link_load(p, units[m->host].name, units[i].name, &m->arena, &u->to, &err) < 0 ||
             cc_link_load(p, units[i].name, units[m->host].name, &m->arena, &u->from, &err) < 0))
            u->why = text_of(m, &err);
    }
    if (classes && classes->ntasks && m->host < m->nunits)
        load_ratios(m, classes, units);
    free(units);
}

/* --- what a scenario asks for --- */

static int find_unit(const struct cc_predict_model *m, const struct cc_predict_plan *p, struct bound *b,
                     struct cc_err *err)
{
    const char *want = b->d->device;
    char *end = NULL;
    unsigned long number = want ? strtoul(want, &end, 10) : 0;
    bool counted = !want || (*want >= '0' && *want <= '9' && !*end);
    for (b->unit = 0; b->unit < m->nunits; b->unit++) {
        const struct model_unit *u = &m->units[b->unit];
        if (counted ? !u->cpu && number-- == 0 : strcmp(u->name, want) == 0)
            break;
    }
    if (b->unit == m->nunits) {
        int rc = cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                           "'%s' for '%s': the platform has no such unit", b->d->text, b->d->task);
        cc_err_hint(
            err, "device(NAME) names a [unit.NAME], device(0) the first that is no CPU; see 'platform show'");
        return rc;
    }
    const struct model_unit *u = &m->units[b->unit];
    if (b->unit == m->host)
        return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                         "'%s' for '%s': unit '%s' is the processors that are predicted", b->d->text,
                         b->d->task, u->name);
    if (m->host == m->nunits || u->why || !u->to.present || !u->from.present)
        return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line, "'%s' for '%s': %s%s'", b->d->text,
                         b->d->task, u->why ? u->why : "no link between the cores and unit '",
                         u->why ? "" : u->name);
    if (m->seconds <= 0)
        return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                         "'%s' for '%s': how long a tick is, is not known: [platform] needs 'clock_mhz'",
                         b->d->text, b->d->task);
    return 0;
}

/* Every name under a target must have a time there, unless a block tells it. */
static int check_times(const struct cc_predict_model *m, const struct cc_predict_plan *p,
                       const struct bound *b, struct cc_err *err)
{
    const struct cc_htg *h = m->h;
    double *const *times = m->units[b->unit].times[!b->d->one_core];
    for (uint32_t i = 0; i < h->nnodes;) {
        if (strcmp(h->names[h->nodes[i].name], b->d->task) != 0) {
            i++;
            continue;
        }
        for (uint32_t k = i; k < h->nodes[i].next && !cc_plan_block(p, i); k++) {
            if (times[1] && !isnan(times[1][h->nodes[k].name]))
                continue;
            int rc = cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                               "how long '%s' takes on unit '%s' is not known: %s",
                               h->names[h->nodes[k].name], m->units[b->unit].name,
                               times[1] ? "a class of its instructions has no throughput there"
                                        : "the trace has no classes of instructions");
            cc_err_hint(err, "tell it: '%s = #pragma corecast speedup(N)' or time(N)", b->d->task);
            return rc;
        }
        i = h->nodes[i].next;
    }
    return 0;
}

static int check_atomic(const struct cc_predict_model *m, const struct cc_predict_plan *p,
                        const struct bound *b, struct cc_err *err)
{
    if (b->d->kind != CC_OMP_ATOMIC || m->atomic >= 0)
        return 0;
    return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line,
                     "'atomic' for '%s': no [unit.NAME] of kind cpu tells 'atomic'", b->d->task);
}

static int check_tile(const struct cc_predict_model *m, const struct cc_predict_plan *p,
                      const struct bound *b, struct cc_err *err)
{
    if (b->d->kind != CC_OMP_TILE)
        return 0;
    const char *why = !m->has_dma      ? m->dma_err.msg
                      : m->cycles <= 0 ? "[platform] needs 'clock_mhz'"
                      : b->memory      ? NULL
                      : isnan(m->local_memory)
                          ? "the platform has no 'size' in [memory.local]: give memory(BYTES)"
                          : NULL;
    if (why)
        return cc_err_at(err, CC_EINPUT, p->s->path, b->d->line, "tiles of '%s': %s", b->d->task, why);
    return 0;
}

int cc_model_offload(const struct cc_predict_model *m, const struct cc_predict_plan *p, struct bound *bounds,
                     struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->s->n; i++) {
        struct bound *b = &bounds[i];
        enum cc_omp_kind k = b->d->kind;
        rc = check_atomic(m, p, b, err);
        if (rc == 0)
            rc = check_tile(m, p, b, err);
        bool runs = k == CC_OMP_TARGET || k == CC_OMP_TARGET_LOOP;
        if (rc < 0 || !b->condition ||
            (!runs && k != CC_OMP_TARGET_DATA && k != CC_OMP_TARGET_ENTER && k != CC_OMP_TARGET_EXIT &&
             k != CC_OMP_TARGET_UPDATE))
            continue;
        rc = find_unit(m, p, b, err);
        if (rc == 0 && runs)
            rc = check_times(m, p, b, err);
    }
    return rc;
}
