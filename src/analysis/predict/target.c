/* Work on a unit in the processors' place, and the data it needs there. A unit does one thing at a time; each
 * direction of its link carries one transfer at a time, one for each variable. */
#include "replay.h"

#include <math.h>

/* How long a variable takes over the link. */
static cc_ticks move_time(const struct engine *e, const struct cc_link *l, int64_t bytes)
{
    double ticks = cc_link_seconds(l, (double)bytes) / e->m->seconds * (1 << CC_TICK_BITS);
    return ticks < 1e15 ? llround(ticks) : INT64_C(1) << 60; /* the schedule gets too long, and says so */
}

static uint64_t *present(struct engine *e, const struct bound *b, const char *name)
{
    CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("%zu %s", b->unit, name);
    return cc_strmap_put(&e->present, key, NULL);
}

/* Moves what a map asks for in one direction, as far as it is not there already; when the last has arrived.
 * out: from the unit. */
static cc_ticks move_maps(struct engine *e, const struct bound *b, bool out, bool always, cc_ticks t)
{
    const struct model_unit *u = &e->m->units[b->unit];
    struct channel *c = &e->units[b->unit].link[out];
    for (size_t i = 0; i < b->d->nmaps; i++) {
        const struct cc_map_item *m = &b->d->maps[i];
        if (!(out ? m->from : m->to) || (!always && *present(e, b, m->name)))
            continue;
        cc_ticks length = move_time(e, out ? &u->from : &u->to, b->mapped[i]);
        t = cc_channel_reserve(c, t, length) + length;
        e->offload.bytes += (double)b->mapped[i];
        e->saved -= length; /* one processor would wait for it as well */
    }
    return t;
}

static void mark_maps(struct engine *e, const struct bound *b, int by)
{
    for (size_t i = 0; i < b->d->nmaps; i++) {
        uint64_t *n = present(e, b, b->d->maps[i].name);
        if (by > 0)
            ++*n;
        else if (*n)
            --*n;
    }
}

/* Outside regions the waiting is sequential time like any other. */
void cc_eng_await(struct engine *e, struct strand *s, cc_ticks t, enum cc_part part)
{
    if (!s->team)
        e->offload.waited += CC_MAX(t - s->time, 0);
    cc_eng_wait_until(e, s, t, s->team ? part : CC_PART_SEQUENTIAL);
}

/* What the unit takes beyond rest, all of it or one core. */
static double joules_of(const struct engine *e, const struct bound *b, cc_ticks work)
{
    const struct model_unit *u = &e->m->units[b->unit];
    return u->watts / (b->d->one_core ? u->cores : 1) * CC_TICKS_TO_F64(work) * e->m->seconds;
}

/* One copy of a node on the unit; ret_host: on a processor. */
static cc_ticks time_there(struct engine *e, const struct bound *b, uint32_t node, cc_ticks *ret_host)
{
    const struct cc_htg *h = e->h;
    cc_ticks here = cc_model_subtree(e->m, node, ALONE, e->variant).base;
    *ret_host = here;
    if (cc_plan_block(e->p, node)) {
        const struct bound *block = &e->bounds[e->p->block[h->nodes[node].name]];
        return block->speedup ? here / block->speedup : block->time << CC_TICK_BITS;
    }
    const double *ratio = e->m->units[b->unit].times[!b->d->one_core][e->variant];
    double there = 0, all = 0;
    for (uint32_t k = node; k < h->nodes[node].next; k++) { /* each task's own code has its own mix */
        double own = (double)h->nodes[k].len;
        for (uint32_t c = k + 1; c < h->nodes[k].next; c = h->nodes[c].next)
            own -= (double)h->nodes[c].len * h->nodes[c].repeat;
        all += own;
        there += own * ratio[h->nodes[k].name];
    }
    return all > 0 ? llround((double)here * (there / all)) : 0;
}

static cc_ticks kernel_time(struct engine *e, const struct bound *b, uint32_t node, const struct share *sh,
                            cc_ticks *ret_host)
{
    cc_ticks there = 0, host = 0;
    for (size_t i = 0; i < (sh ? sh->nruns : 1); i++) {
        uint32_t run = sh ? sh->node[i] : node;
        cc_ticks copies = sh ? e->h->nodes[run].repeat : 1, one;
        there += copies * time_there(e, b, run, &one);
        host += copies * one;
    }
    *ret_host = host;
    return there;
}

/* A kernel with its data: when that is there, it starts, and its results are back; its work, and the host's
 * in its place. */
struct kernel {
    cc_ticks there, start, back, work, host;
};

static struct kernel do_kernel(struct engine *e, const struct bound *b, uint32_t node, const struct share *sh,
                               cc_ticks t)
{
    struct kernel k = {.there = move_maps(e, b, false, false, t)};
    k.work = kernel_time(e, b, node, sh, &k.host);
    k.start = cc_channel_reserve(&e->units[b->unit].work, k.there, k.work);
    k.back = move_maps(e, b, true, false, k.start + k.work);
    e->offload.kernels++;
    e->offload.busy += CC_TICKS_TO_F64(k.work);
    e->offload.joules += joules_of(e, b, k.work);
    e->blocks++;
    return k;
}

/* The unit goes on by itself until somebody waits. */
static void nobody_waits(struct engine *e, struct strand *s, struct context *c, struct group *g,
                         const struct kernel *k)
{
    c->until = CC_MAX(c->until, k->back);
    if (g)
        g->until = CC_MAX(g->until, k->back);
    if (s->team)
        s->team->until = CC_MAX(s->team->until, k->back);
    e->saved += k->host;
}

cc_ticks cc_eng_launch(struct engine *e, struct strand *s, struct job *job, cc_ticks t)
{
    struct kernel k = do_kernel(e, job->b, job->node, job->share, t);
    nobody_waits(e, s, job->context->parent, job->group, &k);
    return k.back;
}

enum step cc_eng_target(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = f->b;
    if (cc_eng_yield(e, s))
        return STOP;
    struct kernel k = do_kernel(e, b, f->node, f->u.target.share, s->time);
    if (b->d->nowait) {
        nobody_waits(e, s, cc_eng_own_context(e, s), s->group, &k);
    } else {
        cc_eng_await(e, s, k.there, CC_PART_TRANSFER);
        cc_eng_await(e, s, k.start, CC_PART_IMBALANCE);
        cc_eng_work(e, s, (struct piece){k.work, 0, 0}, 1, e->h->nodes[f->node].name);
        e->offload.waited += k.work;
        cc_eng_await(e, s, k.back, CC_PART_TRANSFER);
        e->saved += k.host - k.work;
    }
    cc_share_unref(e, f->u.target.share);
    s->frames.n--;
    return ON;
}

enum { M_IN, M_OUT };

/* target data around a task; target enter data, exit data and update, where the strand is. */
enum step cc_eng_move(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = f->b;
    enum cc_omp_kind k = b->d->kind;
    if (cc_eng_yield(e, s))
        return STOP;
    if (f->state == M_IN && (k == CC_OMP_TARGET_DATA || k == CC_OMP_TARGET_ENTER)) {
        cc_eng_await(e, s, move_maps(e, b, false, false, s->time), CC_PART_TRANSFER);
        mark_maps(e, b, 1);
    }
    if (f->state == M_IN && k == CC_OMP_TARGET_DATA) {
        f->state = M_OUT;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    }
    if (k == CC_OMP_TARGET_UPDATE) {
        cc_eng_await(e, s, move_maps(e, b, false, true, s->time), CC_PART_TRANSFER);
        cc_eng_await(e, s, move_maps(e, b, true, true, s->time), CC_PART_TRANSFER);
    }
    if (k == CC_OMP_TARGET_DATA || k == CC_OMP_TARGET_EXIT) {
        mark_maps(e, b, -1);
        cc_eng_await(e, s, move_maps(e, b, true, false, CC_MAX(s->time, e->units[b->unit].work.free_at)),
                     CC_PART_TRANSFER);
    }
    s->frames.n--;
    return ON;
}
