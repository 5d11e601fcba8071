/* From an assignment and a list to a schedule. */
#include "decode.h"

#include <math.h>

struct decoder *cc_mapping_decoder_new(const struct model *x)
{
    struct decoder *d = cc_alloc(sizeof *d);
    d->x = x;
    size_t cores = 0;
    for (size_t u = 0; u < x->m; u++)
        cores += x->unit_cores[u];
    d->free_at = cc_alloc_array(cores, sizeof *d->free_at);
    d->last = cc_alloc_array(cores, sizeof *d->last);
    d->slot = cc_alloc_array(x->m + 1, sizeof *d->slot);
    for (size_t u = 0; u < x->m; u++)
        d->slot[u + 1] = d->slot[u] + x->unit_cores[u];
    return d;
}

void cc_mapping_decoder_free(struct decoder *d)
{
    if (!d)
        return;
    free(d->free_at);
    free(d->last);
    free(d->slot);
    free(d);
}

void cc_mapping_decoder_reset(struct decoder *d)
{
    size_t cores = d->slot[d->x->m];
    memset(d->free_at, 0, cores * sizeof *d->free_at);
    for (size_t i = 0; i < cores; i++)
        d->last[i] = NO_TASK;
}

/* The slots of a unit are kept sorted by when they get free. The task takes those that got free last among
 * the `k` or more that are free at `start`, which leaves the others for what comes earlier. */
void cc_mapping_decoder_occupy(struct decoder *d, size_t unit, size_t k, double start, double finish,
                               uint32_t task)
{
    double *free_at = &d->free_at[d->slot[unit]];
    uint32_t *last = &d->last[d->slot[unit]];
    size_t cores = d->x->unit_cores[unit], ready = k;
    while (ready < cores && free_at[ready] <= start)
        ready++;
    size_t from = ready - k,
           to = ready; /* slots from .. ready - 1 go; those after move down until finish fits */
    while (to < cores && free_at[to] < finish) {
        free_at[from] = free_at[to];
        last[from++] = last[to++];
    }
    for (size_t i = from; i < to; i++) {
        free_at[i] = finish;
        last[i] = task;
    }
}

double cc_mapping_decode(struct decoder *d, struct plan *p, const double *time_of)
{
    const struct model *x = d->x;
    cc_mapping_decoder_reset(d);
    if (!time_of)
        time_of = x->time;
    double end = 0;
    for (size_t at = 0; at < x->n; at++) {
        uint32_t i = p->list[at];
        size_t o = p->choice[i], unit = x->unit[o], k = x->cores[o];
        double start = 0;
        uint32_t blocker = NO_TASK;
        for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1]; a++) {
            uint32_t j = x->pred[a].task;
            double there = p->finish[j] + model_transfer(x, x->pred[a].edge, x->unit[p->choice[j]], unit);
            if (there > start) {
                start = there;
                blocker = j;
            }
        }
        double free_at = d->free_at[d->slot[unit] + k - 1];
        if (free_at > start) {
            start = free_at;
            blocker = d->last[d->slot[unit] + k - 1];
        }
        p->start[i] = start;
        p->finish[i] = start + time_of[o];
        p->blocker[i] = blocker;
        cc_mapping_decoder_occupy(d, unit, k, start, p->finish[i], i);
        end = fmax(end, p->finish[i]);
    }
    p->time = end;
    return end;
}

struct started {
    double start;
    uint32_t task, at;
};

static int earlier_first(const void *a, const void *b)
{
    const struct started *p = a, *q = b;
    if (p->start != q->start)
        return p->start < q->start ? -1 : 1;
    return (p->at > q->at) - (p->at < q->at);
}

void cc_mapping_plan_sort(const struct model *x, struct plan *p)
{
    struct started *s = cc_alloc_array(x->n, sizeof *s);
    for (size_t at = 0; at < x->n; at++)
        s[at] = (struct started){p->start[p->list[at]], p->list[at], (uint32_t)at};
    qsort(s, x->n, sizeof *s, earlier_first);
    for (size_t at = 0; at < x->n; at++)
        p->list[at] = s[at].task;
    free(s);
}

double cc_mapping_model_cost(struct decoder *d, struct plan *p, bool soft)
{
    const struct model *x = d->x;
    double over = cc_mapping_model_overflow(x, p->choice), late, cost;
    if (x->pipeline) {
        cost = cc_mapping_model_period(x, p->choice);
        late = 0;
    } else {
        cc_mapping_decode(d, p, NULL);
        cost = x->weight > 0 ? x->weight * p->time : 0;
        if (x->energetic)
            cost += cc_mapping_model_energy(x, p->choice);
        late = fmax(0, p->time - x->deadline);
    }
    if (!isfinite(cost) || ((over > 0 || late > 0) && !soft))
        return p->cost = INFINITY;
    if (over > 0)
        cost += (fabs(cost) + 1e-9) * (10 + over / 1e3);
    if (late > 0)
        cost += (fabs(cost) + 1e-9) * (10 + 100 * late / x->deadline);
    return p->cost = cost;
}
