#include "plan.h"

#define MAX_TRANSFER (INT64_C(1) << 31) /* bytes of a line, lines */

static int attach(struct cc_predict_plan *p, struct cc_err *err)
{
    const struct cc_htg *h = p->h;
    int rc = cc_scenario_check_names(p->s, h->names, h->nnames, err);
    if (rc < 0)
        return rc;
    struct cc_strmap index = {0}, transfers = {0}, blocks = {0}, ends = {0}, locks = {0};
    for (size_t i = 0; i < p->s->n; i++) {
        const struct cc_directive *d = &p->s->directives[i];
        struct cc_strmap *kind = d->kind == CC_OMP_TRANSFER  ? &transfers
                                 : d->kind == CC_OMP_REPLACE ? &blocks
                                 : d->end                    ? &ends
                                                             : &index;
        if (d->kind != CC_OMP_NOTHING)
            *cc_strmap_put(kind, d->task, NULL) = i + 1;
    }
    for (size_t i = 0; i < p->s->n; i++) { /* vectors in a loop, unless a block is given as well */
        bool is_new = false;
        uint64_t *block =
            p->s->directives[i].simd ? cc_strmap_put(&blocks, p->s->directives[i].task, &is_new) : NULL;
        if (is_new)
            *block = i + 1;
    }
    for (size_t i = 0; i <= h->nnames; i++) {
        uint64_t *found = i < h->nnames ? cc_strmap_get(&index, h->names[i]) : NULL;
        p->directive[i] = found ? (int32_t)*found - 1 : -1;
        found = i < h->nnames ? cc_strmap_get(&transfers, h->names[i]) : NULL;
        p->transfer[i] = found ? (int32_t)*found - 1 : -1;
        found = i < h->nnames ? cc_strmap_get(&blocks, h->names[i]) : NULL;
        p->block[i] = found ? (int32_t)*found - 1 : -1;
        found = i < h->nnames ? cc_strmap_get(&ends, h->names[i]) : NULL;
        p->end[i] = found ? (int32_t)*found - 1 : -1;
    }
    for (size_t i = 0; i < p->s->n; i++) {
        const struct cc_directive *d = &p->s->directives[i];
        if (d->kind != CC_OMP_CRITICAL && d->kind != CC_OMP_ATOMIC)
            continue;
        bool is_new; /* no name of a critical section begins with a blank */
        CC_CLEANUP(cc_free_ptr)
        char *name = d->kind == CC_OMP_ATOMIC ? cc_asprintf(" %s", d->task) : cc_strdup(d->critical);
        uint64_t *lock = cc_strmap_put(&locks, name, &is_new);
        if (is_new)
            *lock = p->nlocks++;
        p->lock[i] = (uint32_t)*lock;
    }
    cc_strmap_fini(&index);
    cc_strmap_fini(&transfers);
    cc_strmap_fini(&blocks);
    cc_strmap_fini(&ends);
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
        bool waits = p->end[h->nodes[i].name] >= 0;
        if (nearest < h->nodes[i].next || waits)
            p->below[i / 64] |= UINT64_C(1) << (i % 64);
        if (waits || p->directive[h->nodes[i].name] >= 0 || cc_plan_transfer(p, i) || cc_plan_block(p, i))
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
    p->block = cc_alloc_array(h->nnames + 1, sizeof *p->block);
    p->end = cc_alloc_array(h->nnames + 1, sizeof *p->end);
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
    free(p->block);
    free(p->end);
    free(p->lock);
    free(p->below);
    free(p);
}

/* A clause of a directive and the number in `struct bound` that it gives. */
struct place {
    struct cc_clause clause;
    int64_t *to;
};

/* The costs of which construct its region and loop have. */
static enum column column_of(const struct cc_directive *d)
{
    if (d->kind == CC_OMP_PARALLEL || d->kind == CC_OMP_PARALLEL_MASKED || d->kind == CC_OMP_SCOPE ||
        d->kind == CC_OMP_PARALLEL_TASKLOOP)
        return COL_PARALLEL;
    if (d->kind == CC_OMP_SECTIONS || d->kind == CC_OMP_PARALLEL_SECTIONS || d->schedule == CC_OMP_DYNAMIC)
        return COL_DYNAMIC;
    return d->schedule == CC_OMP_GUIDED ? COL_GUIDED : COL_STATIC;
}

static bool varies(const struct cc_directive *d)
{
    bool task = d->kind == CC_OMP_TASK, found = false;
    if (task)
        found = (d->condition && cc_clause_varies(d->condition)) || (d->final && cc_clause_varies(d->final));
    for (size_t i = 0; i < d->ndepends; i++)
        for (size_t k = 0; k < d->depends[i].nindexes; k++)
            found = found || cc_clause_varies(d->depends[i].index[k]);
    return found && (task || d->kind == CC_OMP_TARGET || d->kind == CC_OMP_TARGET_LOOP);
}

/* A clause whose value is the same for all tasks; NULL: it is not, or there is none. */
static const char *fixed(const struct bound *b, const char *text)
{
    return text && b->varies && b->d->kind == CC_OMP_TASK && cc_clause_varies(text) ? NULL : text;
}

static int bind(const struct cc_scenario *s, const struct cc_directive *d, unsigned processors,
                struct bound *b, struct cc_err *err)
{
    const struct place places[] = {
        {{"num_threads", d->num_threads, 1, 1 << 20}, &b->threads},
        {{"schedule's chunk", d->chunk, 1, INT32_MAX}, &b->chunk},
        {{"if", fixed(b, d->condition), INT64_MIN, INT64_MAX}, &b->condition},
        {{"final", fixed(b, d->final), INT64_MIN, INT64_MAX}, &b->final},
        {{"filter", d->filter, 0, 1 << 20}, &b->filter},
        {{"tile", d->tile[0], 1, CC_TILE_MAX_SIDE}, &b->tile[0]},
        {{"tile", d->tile[1], 1, CC_TILE_MAX_SIDE}, &b->tile[1]},
        {{"image", d->image[0], 1, CC_TILE_MAX_SIDE}, &b->image[0]},
        {{"image", d->image[1], 1, CC_TILE_MAX_SIDE}, &b->image[1]},
        {{"kernel", d->kernel[0], 1, CC_TILE_MAX_SIDE}, &b->kernel[0]},
        {{"kernel", d->kernel[1], 1, CC_TILE_MAX_SIDE}, &b->kernel[1]},
        {{"pixel", d->pixel[0], 1, 1 << 16}, &b->pixel[0]},
        {{"pixel", d->pixel[1], 1, 1 << 16}, &b->pixel[1]},
        {{"memory", d->memory, 1, INT64_C(1) << 50}, &b->memory},
        {{"collapse", d->collapse, 1, 8}, &b->collapse},
        {{"grainsize", d->grainsize, 1, INT32_MAX}, &b->grainsize},
        {{"num_tasks", d->num_tasks, 1, INT32_MAX}, &b->num_tasks},
        {{"time", d->time, 0, INT64_C(1) << 40}, &b->time},
        {{"speedup", d->speedup, 1, 1 << 30}, &b->speedup},
        {{"read", d->read[0], 0, MAX_TRANSFER}, &b->read[0]},
        {{"write", d->write[0], 0, MAX_TRANSFER}, &b->write[0]},
        {{"read", d->read[1], 0, MAX_TRANSFER}, &b->read[1]},
        {{"write", d->write[1], 0, MAX_TRANSFER}, &b->write[1]},
        {{"buffers", d->buffers, 1, CC_PREDICT_MAX_BUFFERS}, &b->buffers},
    };
    const struct cc_clause_names names = {processors, -1, -1};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < CC_COUNT(places); i++)
        if (places[i].clause.text)
            rc = cc_scenario_eval(s, d, &places[i].clause, &names, places[i].to, err);
    b->mapped = cc_alloc_array(d->nmaps + 1, sizeof *b->mapped);
    for (size_t i = 0; rc == 0 && i < d->nmaps; i++) {
        const struct cc_clause bytes = {"map", d->maps[i].bytes, 0, INT64_C(1) << 40};
        rc = cc_scenario_eval(s, d, &bytes, &names, &b->mapped[i], err);
    }
    for (size_t i = 0; rc == 0 && i < d->nreductions; i++) {
        const struct cc_clause values = {"reduction", d->reductions[i], 1, INT32_MAX};
        int64_t n = 0;
        rc = cc_scenario_eval(s, d, &values, &names, &n, err);
        b->reduction_values += n;
    }
    return rc;
}

int cc_plan_bind(const struct cc_predict_plan *p, unsigned processors, struct bound **ret, struct cc_err *err)
{
    struct bound *list = cc_alloc_array(p->s->n, sizeof *list);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->s->n; i++) {
        const struct cc_directive *d = &p->s->directives[i];
        list[i] = (struct bound){.d = d,
                                 .index = (uint32_t)i,
                                 .lock = p->lock[i],
                                 .column = column_of(d),
                                 .threads = processors,
                                 .condition = 1,
                                 .collapse = 1,
                                 .varies = varies(d),
                                 .kernel = {1, 1},
                                 .pixel = {1, 1},
                                 .buffers = 2};
        rc = bind(p->s, d, processors, &list[i], err);
    }
    if (rc < 0)
        cc_plan_bound_free(list, p->s->n);
    else
        *ret = list;
    return rc;
}

void cc_plan_bound_free(struct bound *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(list[i].mapped);
        free(list[i].tiled);
    }
    free(list);
}
