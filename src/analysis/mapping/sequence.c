/* The shortest schedule of a fixed assignment: Giffler and Thompson's branching with bounds.
 *
 * At each step the ready task that could end first is found; in any schedule worth having some task of its
 * unit starts before that end, and the first such task starts as early as it can. Branching over those tasks
 * alone reaches an optimum, also on units with several cores: tasks of one unit are placed in the order of
 * their starts. */
#include "decode.h"
#include "../../base/map.h"

#include <math.h>

struct sequencer {
    struct decoder *d;
    const struct model *x;
    struct plan *now, *best;
    double limit;       /* a schedule must end before this */
    double *tail;       /* after the end of each task, at least */
    double *head;       /* scratch */
    uint32_t *missing;  /* predecessors not placed yet */
    double *unit_start; /* last start on each unit */
    bool *placed;
    size_t depth;
    uint64_t *steps, budget;
    uint64_t first_step;
    struct memory *memory; /* NULL until the search turns out to be long */
    bool found;
};

static double earliest(const struct sequencer *s, uint32_t i)
{
    const struct model *x = s->x;
    size_t o = s->now->choice[i], u = x->unit[o];
    double start = fmax(s->unit_start[u], s->d->free_at[s->d->slot[u] + x->cores[o] - 1]);
    for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1]; a++) {
        uint32_t j = x->pred[a].task;
        double end = s->placed[j] ? s->now->finish[j] : s->head[j] + x->time[s->now->choice[j]];
        start = fmax(start, end + model_transfer(x, x->pred[a].edge, x->unit[s->now->choice[j]], u));
    }
    return start;
}

/* For tasks of one unit: none of a set can start before the smallest head, they need their work's time, and
 * after the last comes at least the smallest tail. The largest such sum over all sets that matter. */
double cc_mapping_unit_bound(struct unit_task *t, size_t n, double worth_knowing)
{
    double worst = 0;
    for (size_t a = 1; a < n; a++) { /* by tail, longest first */
        struct unit_task keep = t[a];
        size_t b = a;
        for (; b > 0 && t[b - 1].tail < keep.tail; b--)
            t[b] = t[b - 1];
        t[b] = keep;
    }
    for (size_t h = 0; h < n; h++) {
        double work = 0;
        for (size_t k = 0; k < n; k++) {
            if (t[k].head < t[h].head)
                continue;
            work += t[k].load;
            worst = fmax(worst, t[h].head + work + t[k].tail);
        }
        if (worst > worth_knowing)
            return worst;
    }
    return worst;
}

/* Tasks that take more than half of a unit's cores cannot run beside each other, however little of it they
 * use: their times add up, not their work. */
static bool crowded(const struct sequencer *s, size_t u, struct unit_task *tasks)
{
    const struct model *x = s->x;
    size_t n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        size_t o = s->now->choice[i];
        if (!s->placed[i] && x->unit[o] == u && 2 * x->cores[o] > x->unit_cores[u])
            tasks[n++] = (struct unit_task){s->head[i], x->time[o], s->tail[i]};
    }
    return n > 1 && cc_mapping_unit_bound(tasks, n, s->limit) >= s->limit;
}

static bool hopeless(struct sequencer *s)
{
    const struct model *x = s->x;
    struct unit_task tasks[CC_SEQUENCE_MAX];
    for (size_t at = 0; at < x->n; at++) {
        uint32_t i = x->topo[at];
        if (s->placed[i])
            continue;
        s->head[i] = earliest(s, i);
        if (s->head[i] + x->time[s->now->choice[i]] + s->tail[i] >= s->limit)
            return true;
    }
    for (size_t u = 0; u < x->m; u++) {
        size_t n = 0;
        for (uint32_t i = 0; i < x->n; i++)
            if (!s->placed[i] && x->unit[s->now->choice[i]] == u)
                tasks[n++] = (struct unit_task){s->head[i], x->load[s->now->choice[i]], s->tail[i]};
        if (n > 1 && cc_mapping_unit_bound(tasks, n, s->limit) >= s->limit)
            return true;
        if (x->unit_cores[u] > 2 && crowded(s, u, tasks))
            return true;
    }
    return false;
}

static void finish(struct sequencer *s)
{
    double end = 0;
    for (size_t i = 0; i < s->x->n; i++)
        end = fmax(end, s->now->finish[i]);
    if (end >= s->limit)
        return;
    s->limit = end - end * MAP_EPSILON;
    s->now->time = end;
    cc_mapping_plan_copy(s->x, s->best, s->now);
    s->found = true;
}

static void step(struct sequencer *s);

/* States seen, by the set of tasks placed. A state in which every core, every unit and all data of what is
 * left are ready no earlier than in one seen before leads to nothing better. */
enum { MEMORY_AFTER = 300, MEMORY_STATES = 60000, MEMORY_CHAIN = 24 };

struct memory {
    struct cc_map heads; /* set of placed tasks -> last state, 1-based */
    uint32_t *previous;  /* of each state: the one before it with the same set */
    double *vectors;
    size_t size, n;
};

static void describe(const struct sequencer *s, double *v)
{
    const struct model *x = s->x;
    size_t cores = s->d->slot[x->m];
    memcpy(v, s->d->free_at, cores * sizeof *v);
    memcpy(v + cores, s->unit_start, x->m * sizeof *v);
    v += cores + x->m;
    for (uint32_t i = 0; i < x->n; i++) {
        v[i] = 0; /* when the data of task i is there, as far as its predecessors are placed */
        for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1] && !s->placed[i]; a++) {
            uint32_t j = x->pred[a].task;
            if (s->placed[j])
                v[i] = fmax(v[i],
                            s->now->finish[j] + model_transfer(x, x->pred[a].edge, x->unit[s->now->choice[j]],
                                                               x->unit[s->now->choice[i]]));
        }
    }
}

static bool seen_better(struct sequencer *s)
{
    if (!s->memory) {
        if (*s->steps - s->first_step < MEMORY_AFTER)
            return false;
        s->memory = cc_alloc(sizeof *s->memory);
        s->memory->size = s->d->slot[s->x->m] + s->x->m + s->x->n;
        s->memory->previous = cc_alloc_array(MEMORY_STATES, sizeof *s->memory->previous);
        s->memory->vectors =
            cc_alloc_array((MEMORY_STATES + 1) * s->memory->size, sizeof *s->memory->vectors);
    }
    struct memory *m = s->memory;
    double *v = &m->vectors[m->n * m->size]; /* there is room for one more, to compare */
    uint64_t set = 0;
    for (size_t i = 0; i < s->x->n; i++)
        set |= (uint64_t)s->placed[i] << i;
    describe(s, v);
    uint64_t *head = cc_map_put(&m->heads, set, NULL);
    uint32_t at = (uint32_t)*head;
    for (int k = 0; at && k < MEMORY_CHAIN; k++, at = m->previous[at - 1]) {
        const double *old = &m->vectors[(at - 1) * m->size];
        size_t c = 0;
        while (c < m->size && old[c] <= v[c])
            c++;
        if (c == m->size)
            return true;
    }
    if (m->n < MEMORY_STATES) {
        m->previous[m->n++] = (uint32_t)*head;
        *head = m->n;
    }
    return false;
}

static void place(struct sequencer *s, uint32_t i, double start)
{
    const struct model *x = s->x;
    size_t o = s->now->choice[i], u = x->unit[o], cores = x->unit_cores[u];
    double *free_at = &s->d->free_at[s->d->slot[u]], saved[CC_SEQUENCE_CORES],
           start_before = s->unit_start[u];
    memcpy(saved, free_at, cores * sizeof *saved);
    s->now->start[i] = start;
    s->now->finish[i] = start + x->time[o];
    s->now->list[s->depth++] = i;
    s->placed[i] = true;
    s->unit_start[u] = start;
    cc_mapping_decoder_occupy(s->d, u, x->cores[o], start, s->now->finish[i], i);
    for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
        s->missing[x->succ[k].task]--;
    step(s);
    for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
        s->missing[x->succ[k].task]++;
    s->unit_start[u] = start_before;
    s->placed[i] = false;
    s->depth--;
    memcpy(free_at, saved, cores * sizeof *saved);
}

static void step(struct sequencer *s)
{
    const struct model *x = s->x;
    if (*s->steps >= s->budget)
        return;
    ++*s->steps;
    cc_count_set(s->d->count, *s->steps);
    if (s->depth == x->n) {
        finish(s);
        return;
    }
    if (hopeless(s) || seen_better(s))
        return;
    uint32_t first = NO_TASK;
    double first_end = INFINITY;
    for (uint32_t i = 0; i < x->n; i++) {
        if (s->placed[i] || s->missing[i])
            continue;
        double end = s->head[i] + x->time[s->now->choice[i]];
        if (end < first_end) {
            first_end = end;
            first = i;
        }
    }
    size_t unit = x->unit[s->now->choice[first]], n = 0;
    struct {
        uint32_t task;
        double start, urgency;
    } next[CC_SEQUENCE_MAX];
    for (uint32_t i = 0; i < x->n; i++) {
        if (s->placed[i] || s->missing[i] || x->unit[s->now->choice[i]] != unit)
            continue;
        if (i != first && s->head[i] >= first_end)
            continue;
        double urgency = s->head[i] + x->time[s->now->choice[i]] + s->tail[i];
        size_t k = n++;
        for (; k > 0 && next[k - 1].urgency < urgency; k--)
            next[k] = next[k - 1];
        next[k].task = i;
        next[k].start = s->head[i];
        next[k].urgency = urgency;
    }
    for (size_t k = 0; k < n; k++)
        place(s, next[k].task, next[k].start);
}

int cc_mapping_sequence(struct decoder *d, struct plan *p, double limit, uint64_t *steps, uint64_t budget)
{
    const struct model *x = d->x;
    if (x->n > CC_SEQUENCE_MAX)
        return -1;
    for (size_t u = 0; u < x->m; u++)
        if (x->unit_cores[u] > CC_SEQUENCE_CORES)
            return -1;
    double tail[CC_SEQUENCE_MAX] = {0}, head[CC_SEQUENCE_MAX] = {0}, unit_start[CC_MAP_MAX_UNITS] = {0};
    uint32_t missing[CC_SEQUENCE_MAX];
    bool placed[CC_SEQUENCE_MAX] = {0};
    for (size_t at = x->n; at-- > 0;) {
        uint32_t i = x->topo[at];
        missing[i] = (uint32_t)(x->pred_first[i + 1] - x->pred_first[i]);
        for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++) {
            uint32_t j = x->succ[k].task;
            tail[i] = fmax(tail[i],
                           model_transfer(x, x->succ[k].edge, x->unit[p->choice[i]], x->unit[p->choice[j]]) +
                               x->time[p->choice[j]] + tail[j]);
        }
    }
    struct plan *now = cc_mapping_plan_new(x);
    memcpy(now->choice, p->choice, x->n * sizeof *now->choice);
    struct sequencer s = {.d = d,
                          .x = x,
                          .now = now,
                          .best = p,
                          .limit = limit,
                          .tail = tail,
                          .head = head,
                          .missing = missing,
                          .unit_start = unit_start,
                          .placed = placed,
                          .steps = steps,
                          .budget = budget,
                          .first_step = *steps};
    cc_mapping_decoder_reset(d);
    step(&s);
    if (s.memory) {
        cc_map_fini(&s.memory->heads);
        free(s.memory->previous);
        free(s.memory->vectors);
        free(s.memory);
    }
    cc_mapping_plan_free(now);
    if (*steps >= budget)
        return -1;
    return s.found;
}
