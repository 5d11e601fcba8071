/* Tasks are placed in the order of their starts on their units, each as early as it can. What could end
 * before anything else of its unit starts may as well be done first, in the way that ends it soonest, so only
 * tasks that start before that end are tried next. */
#include "packing.h"

#include <math.h>

enum {
    REMEMBERED = 12, /* tasks of sets whose states are kept */
    MET = 8,         /* states kept of each set of placed tasks */
};

struct candidate {
    size_t task, mode;
    double start, end, urgency;
};

struct packing {
    struct packing_task task[CC_SEQUENCE_MAX];
    double lag[CC_SEQUENCE_MAX][CC_SEQUENCE_MAX];
    size_t n, units;
    uint32_t cores[CC_PACKING_UNITS];
    double limit;
    uint64_t steps, budget;
    double free_at[CC_PACKING_UNITS][CC_PACKING_CORES]; /* ascending; not before the last start there */
    double finish[CC_SEQUENCE_MAX];                     /* of placed tasks; the earliest there is of others */
    double start[CC_SEQUENCE_MAX];                      /* of others: the earliest */
    uint64_t needed[CC_SEQUENCE_MAX];                   /* tasks that wait for it */
    struct candidate next[CC_SEQUENCE_MAX][CC_SEQUENCE_MAX * CC_PACKING_MODES];
    /* All tasks on one unit: a set of placed tasks whose cores are free no earlier than when the set was met
     * before leads to nothing new. */
    bool remembers;
    size_t only;
    uint8_t met[1u << REMEMBERED];
    double state[1u << REMEMBERED][MET][CC_PACKING_CORES];
};

struct packing *cc_mapping_packing_new(const uint32_t *unit_cores, size_t units)
{
    struct packing *p = cc_alloc(sizeof *p);
    p->units = units;
    memcpy(p->cores, unit_cores, units * sizeof *unit_cores);
    return p;
}

void cc_mapping_packing_free(struct packing *p)
{
    free(p);
}

struct packing_task *cc_mapping_packing_task(struct packing *p, size_t at)
{
    return &p->task[at];
}

void cc_mapping_packing_after(struct packing *p, size_t task, size_t other, double lag)
{
    p->task[task].before |= UINT64_C(1) << other;
    p->lag[task][other] = lag;
}

/* Whether a state as good as this one was met before; keeps it if not. States with data under way between
 * tasks say less than all there is to know and are left alone. */
static bool met_before(struct packing *p, uint64_t placed)
{
    const double *free_at = p->free_at[p->only];
    size_t cores = p->cores[p->only];
    for (size_t i = 0; i < p->n; i++)
        if (placed >> i & 1 && p->needed[i] & ~placed)
            return false;
    for (size_t k = 0; k < p->met[placed]; k++) {
        const double *old = p->state[placed][k];
        size_t c = 0;
        while (c < cores && old[c] <= free_at[c])
            c++;
        if (c == cores)
            return true;
    }
    if (p->met[placed] < MET)
        memcpy(p->state[placed][p->met[placed]++], free_at, cores * sizeof *free_at);
    return false;
}

/* Earliest starts of what is not placed; false if something cannot end in time. */
static bool look_ahead(struct packing *p, uint64_t placed)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct packing_task *t = &p->task[i];
        if (placed >> i & 1)
            continue;
        double start = fmax(t->head, p->free_at[t->unit][0]);
        for (uint64_t rest = t->before; rest; rest &= rest - 1) {
            size_t j = (size_t)__builtin_ctzll(rest);
            start = fmax(start, p->finish[j] + p->lag[i][j]);
        }
        double end = INFINITY;
        for (size_t k = 0; k < t->nmodes; k++)
            end = fmin(end, fmax(start, p->free_at[t->unit][t->mode[k].cores - 1]) + t->mode[k].time);
        if (end + t->tail > p->limit)
            return false;
        p->start[i] = start;
        p->finish[i] = end;
    }
    return true;
}

/* The work left of each unit must fit behind what is placed there. */
static bool work_fits(const struct packing *p, uint64_t placed)
{
    double area[CC_PACKING_UNITS] = {0}, tail[CC_PACKING_UNITS];
    for (size_t u = 0; u < p->units; u++)
        tail[u] = INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        const struct packing_task *t = &p->task[i];
        if (placed >> i & 1)
            continue;
        area[t->unit] += t->area;
        tail[t->unit] = fmin(tail[t->unit], t->tail);
    }
    for (size_t u = 0; u < p->units; u++) {
        double room = 0;
        for (size_t c = 0; c < p->cores[u] && area[u] > 0; c++)
            room += fmax(0, p->limit - tail[u] - p->free_at[u][c]);
        if (area[u] > room * (1 + 1e-9))
            return false;
    }
    return true;
}

/* What may be placed next, most urgent first. */
static size_t candidates(const struct packing *p, uint64_t placed, struct candidate *next)
{
    size_t n = 0, unit = 0;
    double first_end = INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        if (placed >> i & 1 || p->task[i].before & ~placed || p->finish[i] >= first_end)
            continue;
        first_end = p->finish[i];
        unit = p->task[i].unit;
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct packing_task *t = &p->task[i];
        if (placed >> i & 1 || t->before & ~placed || t->unit != unit)
            continue;
        for (size_t k = 0; k < t->nmodes; k++) {
            double start = fmax(p->start[i], p->free_at[unit][t->mode[k].cores - 1]);
            struct candidate c = {i, k, start, start + t->mode[k].time, t->mode[k].time + t->tail};
            if (c.end + t->tail > p->limit || (c.start >= first_end && c.end > first_end))
                continue;
            size_t at = n++;
            for (; at > 0 && next[at - 1].urgency < c.urgency; at--)
                next[at] = next[at - 1];
            next[at] = c;
        }
    }
    return n;
}

/* Takes the cores that are free first; none counts as free before the start any more. */
static void occupy(double *free_at, size_t ncores, const struct candidate *c, size_t cores)
{
    double after[CC_PACKING_CORES];
    size_t n = 0, from = cores;
    while (from < ncores && free_at[from] < c->end)
        after[n++] = fmax(free_at[from++], c->start);
    for (size_t k = 0; k < cores; k++)
        after[n++] = c->end;
    while (from < ncores)
        after[n++] = free_at[from++];
    memcpy(free_at, after, ncores * sizeof *after);
}

static bool place(struct packing *p, uint64_t placed, size_t depth)
{
    if (depth == p->n)
        return true;
    if (++p->steps > p->budget)
        return true; /* not known: as if they fitted */
    if (!look_ahead(p, placed) || !work_fits(p, placed) || (p->remembers && met_before(p, placed)))
        return false;
    struct candidate *next = p->next[depth];
    size_t n = candidates(p, placed, next);
    for (size_t k = 0; k < n; k++) {
        const struct packing_task *t = &p->task[next[k].task];
        double *free_at = p->free_at[t->unit], saved[CC_PACKING_CORES];
        memcpy(saved, free_at, sizeof saved);
        occupy(free_at, p->cores[t->unit], &next[k], t->mode[next[k].mode].cores);
        p->finish[next[k].task] = next[k].end;
        if (place(p, placed | UINT64_C(1) << next[k].task, depth + 1))
            return true;
        memcpy(free_at, saved, sizeof saved);
    }
    return false;
}

bool cc_mapping_packs(struct packing *p, size_t n, double limit, uint64_t budget, uint64_t *steps)
{
    p->n = n;
    p->limit = limit;
    p->steps = 0;
    p->budget = budget;
    p->remembers = n <= REMEMBERED;
    p->only = n ? p->task[0].unit : 0;
    memset(p->free_at, 0, sizeof p->free_at);
    memset(p->needed, 0, sizeof p->needed);
    for (size_t i = 0; i < n; i++) {
        p->remembers = p->remembers && p->task[i].unit == p->only;
        for (uint64_t rest = p->task[i].before; rest; rest &= rest - 1)
            p->needed[__builtin_ctzll(rest)] |= UINT64_C(1) << i;
    }
    if (p->remembers)
        memset(p->met, 0, (size_t)1 << n);
    bool fits = place(p, 0, 0);
    *steps += p->steps;
    return fits;
}
