#include "plan.h"

#define MAX_TRANSFER (INT64_C(1) << 31) /* bytes of a line, lines */

static int attach(struct cc_predict_plan *p, struct cc_err *err)
{
    const struct cc_htg *h = p->h;
    int rc = cc_scenario_check_names(p->s, h->names, h->nnames, err);
    if (rc < 0)
        return rc;
    struct cc_strmap index = {0}, transfers = {0}, locks = {0};
    for (size_t i = 0; i < p->s->n; i++) {
        const struct cc_directive *d = &p->s->directives[i];
        *cc_strmap_put(d->kind == CC_OMP_TRANSFER ? &transfers : &index, d->task, NULL) = i + 1;
    }
    for (size_t i = 0; i <= h->nnames; i++) {
        uint64_t *found = i < h->nnames ? cc_strmap_get(&index, h->names[i]) : NULL;
        p->directive[i] = found ? (int32_t)*found - 1 : -1;
        found = i < h->nnames ? cc_strmap_get(&transfers, h->names[i]) : NULL;
        p->transfer[i] = found ? (int32_t)*found - 1 : -1;
    }
    for (size_t i = 0; i < p->s->n; i++) {
        if (p->s->directives[i].kind != CC_OMP_CRITICAL)
            continue;
        bool is_new;
        uint64_t *lock = cc_strmap_put(&locks, p->s->directives[i].critical, &is_new);
        if (is_new)
            *lock = p->nlocks++;
        p->lock[i] = (uint32_t)*lock;
    }
    cc_strmap_fini(&index);
    cc_strmap_fini(&transfers);
    cc_strmap_fini(&locks);
    return 0;
}

/* A subtree has a directive exactly if the nearest annotated node behind its root lies in it: one pass
 * backwards. */
static void mark(struct cc_predict_plan *p)
{
    const struct cc_htg *h = p->h;
    size_t nearest = SIZE_MAX;
    for (size_t i = h->nnodes; i-- > 0;) {
        if (nearest < h->nodes[i].next)
            p->below[i / 64] |= UINT64_C(1) << (i % 64);
        if (p->directive[h->nodes[i].name] >= 0 || p->transfer[h->nodes[i].name] >= 0)
            nearest = i;
    }
}

int cc_predict_plan_new(const struct cc_htg *h, const struct cc_scenario *s, struct cc_predict_plan **ret,
                        struct cc_err *err)
{
    struct cc_predict_plan *p = cc_alloc(sizeof *p);
    p->h = h;
    p->s = s;
    p->directive = cc_alloc_array(h->nnames + 1, sizeof *p->directive);
    p->transfer = cc_alloc_array(h->nnames + 1, sizeof *p->transfer);
    p->lock = cc_alloc_array(s->n, sizeof *p->lock);
    p->below = cc_alloc_array(h->nnodes / 64 + 1, sizeof *p->below);
    int rc = attach(p, err);
    if (rc < 0) {
        cc_predict_plan_free(p);
        return rc;
    }
    mark(p);
    *ret = p;
    return 0;
}

void cc_predict_plan_free(struct cc_predict_plan *p)
{
    if (!p)
        return;
    free(p->directive);
    free(p->transfer);
    free(p->lock);
    free(p->below);
    free(p);
}

static int value(const struct cc_predict_plan *p, const struct cc_directive *d, const char *clause,
                 const char *text, unsigned processors, int64_t min, int64_t max, int64_t *place,
                 struct cc_err *err)
{
    return text ? cc_scenario_eval(p->s, d, clause, text, processors, min, max, place, err) : 0;
}

int cc_plan_bind(const struct cc_predict_plan *p, unsigned processors, struct bound **ret, struct cc_err *err)
{
    struct bound *list = cc_alloc_array(p->s->n, sizeof *list);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->s->n; i++) {
        const struct cc_directive *d = &p->s->directives[i];
        struct bound *b = &list[i];
        *b = (struct bound){.d = d,
                            .index = (uint32_t)i,
                            .lock = p->lock[i],
                            .threads = processors,
                            .condition = 1,
                            .collapse = 1,
                            .buffers = 2};
        rc = value(p, d, "num_threads", d->num_threads, processors, 1, 1 << 20, &b->threads, err);
        if (rc == 0)
            rc = value(p, d, "schedule's chunk", d->chunk, processors, 1, INT32_MAX, &b->chunk, err);
        if (rc == 0)
            rc = value(p, d, "if", d->condition, processors, INT64_MIN, INT64_MAX, &b->condition, err);
        if (rc == 0)
            rc = value(p, d, "collapse", d->collapse, processors, 1, 8, &b->collapse, err);
        if (rc == 0)
            rc = value(p, d, "grainsize", d->grainsize, processors, 1, INT32_MAX, &b->grainsize, err);
        if (rc == 0)
            rc = value(p, d, "num_tasks", d->num_tasks, processors, 1, INT32_MAX, &b->num_tasks, err);
        if (rc == 0)
            rc = value(p, d, "time", d->time, processors, 0, INT64_C(1) << 40, &b->time, err);
        if (rc == 0)
            rc = value(p, d, "speedup", d->speedup, processors, 1, 1 << 30, &b->speedup, err);
        for (int k = 0; rc == 0 && k < 2; k++) {
            rc = value(p, d, "read", d->read[k], processors, 0, MAX_TRANSFER, &b->read[k], err);
            if (rc == 0)
                rc = value(p, d, "write", d->write[k], processors, 0, MAX_TRANSFER, &b->write[k], err);
        }
        if (rc == 0)
            rc = value(p, d, "buffers", d->buffers, processors, 1, CC_PREDICT_MAX_BUFFERS, &b->buffers, err);
        for (size_t k = 0; rc == 0 && k < d->nreductions; k++) {
            int64_t n = 0;
            rc = value(p, d, "reduction", d->reductions[k], processors, 1, INT32_MAX, &n, err);
            b->reduction_values += n;
        }
        b->column = d->kind == CC_OMP_PARALLEL ? COL_PARALLEL
                    : d->kind == CC_OMP_SECTIONS || d->kind == CC_OMP_PARALLEL_SECTIONS ||
                            d->schedule == CC_OMP_DYNAMIC
                        ? COL_DYNAMIC
                    : d->schedule == CC_OMP_GUIDED ? COL_GUIDED
                                                   : COL_STATIC;
    }
    if (rc < 0)
        free(list);
    else
        *ret = list;
    return rc;
}
