#include "replay.h"

/* --- walking the graph --- */

/* A hardware block in the place of the task and all it calls. What it saves is no work of the processors. */
static void replace(struct engine *e, struct strand *s, uint32_t node)
{
    const struct bound *b = &e->bounds[e->p->block[e->h->nodes[node].name]];
    cc_ticks before = cc_model_subtree(e->m, node, ALONE, e->variant).base;
    struct piece p = {b->speedup ? before / b->speedup : b->time << CC_TICK_BITS, 0, 0};
    if (b->d->simd)
        p.base = b->d->vector_if && !b->condition ? before : (cc_ticks)((double)before / e->m->vector_gain);
    e->saved += before - p.base;
    e->blocks++;
    cc_eng_work(e, s, p, 1, e->h->nodes[node].name);
}

void cc_eng_inside(struct engine *e, struct strand *s, uint32_t node, uint32_t path)
{
    if (cc_plan_block(e->p, node)) {
        replace(e, s, node);
        return;
    }
    if (!cc_plan_below(e->p, node)) {
        cc_eng_work(e, s, cc_model_subtree(e->m, node, cc_eng_load(e, s), e->variant), 1,
                    e->h->nodes[node].name);
        return;
    }
    struct frame *f = cc_eng_push(s, F_WALK, node, path, NULL);
    f->u.walk.child = node + 1;
    f->u.walk.left = e->h->nodes[node].len;
    f->u.walk.writes = s->buffers.writes;
}

void cc_eng_body(struct engine *e, struct strand *s, uint32_t node, uint32_t path)
{
    if (cc_plan_transfer(e->p, node))
        cc_eng_push(s, F_TRANSFER, node, path, NULL);
    else
        cc_eng_inside(e, s, node, path);
}

static bool opens_region(enum cc_omp_kind k)
{
    return k == CC_OMP_PARALLEL || k == CC_OMP_PARALLEL_FOR || k == CC_OMP_PARALLEL_SECTIONS ||
           k == CC_OMP_PARALLEL_MASKED || k == CC_OMP_PARALLEL_TASKLOOP;
}

static bool is_loop(enum cc_omp_kind k)
{
    return k == CC_OMP_FOR || k == CC_OMP_PARALLEL_FOR || k == CC_OMP_TASKLOOP ||
           k == CC_OMP_MASTER_TASKLOOP || k == CC_OMP_PARALLEL_TASKLOOP || k == CC_OMP_TARGET_LOOP;
}

/* Moves data between the host and a unit where the task begins, and leaves the task where it is. */
static bool moves(enum cc_omp_kind k)
{
    return k == CC_OMP_TARGET_ENTER || k == CC_OMP_TARGET_EXIT || k == CC_OMP_TARGET_UPDATE;
}

/* Has an effect outside parallel regions as well. */
static bool stands_alone(const struct strand *s, const struct cc_directive *d)
{
    enum cc_omp_kind k = d->kind;
    return opens_region(k) || moves(k) || k == CC_OMP_TARGET || k == CC_OMP_TARGET_LOOP ||
           k == CC_OMP_TARGET_DATA || k == CC_OMP_TILE || k == CC_OMP_TEAMS ||
           (s->context && (k == CC_OMP_TASKWAIT || (k == CC_OMP_TASK && d->ndepends)));
}

static void check_nesting(struct engine *e, struct strand *s, const struct bound *b)
{
    if (s->closely)
        cc_eng_fail(
            e, b,
            "'%s' for '%s' lies directly inside another work-sharing construct, a task or a critical section",
            b->d->text, b->d->task);
}

/* The team's construct that this thread meets next; the first thread to come makes it. */
static struct share **next_share(struct strand *s)
{
    struct team *t = s->team;
    size_t at = s->seq++ - t->first;
    if (at == t->shares.n)
        CC_VEC_PUSH(&t->shares, NULL);
    return &t->shares.v[at];
}

static void start_sections(struct engine *e, struct strand *s, uint32_t node, uint32_t path,
                           const struct bound *b)
{
    struct share **sh = next_share(s);
    if (!*sh)
        *sh = cc_share_sections(e, b, node);
    cc_eng_push(s, F_LOOP, node, path, b)->u.loop.share = *sh;
}

/* What stands alone in a program: taskwait, barrier, a move of data. */
static void start_waiting(struct engine *e, struct strand *s, uint32_t node, uint32_t path,
                          const struct bound *b)
{
    struct frame here = {.node = node, .path = path, .b = b};
    s->wait = CC_PART_IMBALANCE;
    if (b->d->kind == CC_OMP_BARRIER) {
        check_nesting(e, s, b);
        cc_eng_push_barrier(e, s, &here);
    } else if (moves(b->d->kind)) {
        cc_eng_push(s, F_MOVE, node, path, b);
    } else {
        cc_eng_push(s, b->d->ndepends ? F_TASK : F_TASKWAIT, node, path, b);
    }
}

/* The task itself comes after the waiting. */
static void wait_first(struct engine *e, struct strand *s, uint32_t node, uint32_t path,
                       const struct bound *b)
{
    struct frame *f = cc_eng_push(s, F_WALK, node, path, NULL);
    f->u.walk.child = node + 1;
    f->u.walk.left = e->h->nodes[node].len;
    f->u.walk.writes = s->buffers.writes;
    start_waiting(e, s, node, path, b);
}

static void start_atomic(struct engine *e, struct strand *s, uint32_t node, uint32_t path,
                         const struct bound *b)
{
    struct frame here = {.node = node, .path = path, .b = b};
    if (e->local) /* an update of a line, which the trace has: what it waits is known */
        cc_eng_body(e, s, node, path);
    else if (b->d->uncontended)
        cc_eng_uncontended(e, s, &here);
    else
        cc_eng_push(s, F_CRITICAL, node, path, b);
}

/* The frame that a directive is, where it is nothing else. */
static const enum frame_kind frame_of[CC_OMP_KINDS] = {
    [CC_OMP_PARALLEL] = F_REGION,   [CC_OMP_PARALLEL_SECTIONS] = F_REGION,
    [CC_OMP_SINGLE] = F_SINGLE,     [CC_OMP_PARALLEL_MASKED] = F_REGION,
    [CC_OMP_SCOPE] = F_SCOPE,       [CC_OMP_MASTER] = F_MASTER,
    [CC_OMP_CRITICAL] = F_CRITICAL, [CC_OMP_ORDERED] = F_ORDERED,
    [CC_OMP_TASK] = F_TASK,         [CC_OMP_TASKGROUP] = F_TASKGROUP,
    [CC_OMP_TARGET] = F_TARGET,     [CC_OMP_TARGET_DATA] = F_MOVE,
    [CC_OMP_TILE] = F_TILE,
};

/* Runs one copy of a task that has a directive, other than a loop's iterations. */
static void execute(struct engine *e, struct strand *s, uint32_t node, uint32_t path, const struct bound *b)
{
    switch (b->d->kind) {
    case CC_OMP_SECTIONS:
        check_nesting(e, s, b);
        start_sections(e, s, node, path, b);
        break;
    case CC_OMP_ATOMIC:
        start_atomic(e, s, node, path, b);
        break;
    case CC_OMP_BARRIER:
    case CC_OMP_TASKWAIT:
    case CC_OMP_TARGET_ENTER:
    case CC_OMP_TARGET_EXIT:
    case CC_OMP_TARGET_UPDATE:
        wait_first(e, s, node, path, b);
        break;
    case CC_OMP_TEAMS:
        cc_eng_fail(e, b, "'%s' for '%s' lies in no target: a league of teams on the host is not modelled",
                    b->d->text, b->d->task);
        break;
    default:
        if (b->d->kind == CC_OMP_SINGLE || b->d->kind == CC_OMP_SCOPE)
            check_nesting(e, s, b);
        if (b->d->kind == CC_OMP_TARGET && b->d->ndepends)
            cc_eng_push(s, F_TASK, node, path, b);
        else if (frame_of[b->d->kind] != F_WALK)
            cc_eng_push(s, frame_of[b->d->kind], node, path, b);
        else
            cc_eng_body(e, s, node, path);
        break;
    }
}

/* A loop: the consecutive siblings of one name. */
static void start_loop(struct engine *e, struct strand *s, struct frame *f, const struct bound *b)
{
    const struct cc_htg *h = e->h;
    uint32_t first = f->u.walk.child, owner = h->nodes[f->node].name;
    uint32_t path = cc_eng_path(e, f->path, h->nodes[first].name), last = h->nodes[f->node].next;
    struct share *sh;
    if (b->d->kind == CC_OMP_FOR) {
        check_nesting(e, s, b);
        struct share **place = next_share(s);
        if (!*place)
            *place = cc_share_loop(e, b, first, last, owner);
        sh = *place;
    } else {
        sh = cc_share_loop(e, b, first, last, owner);
    }
    cc_eng_work(e, s, cc_model_gap(e->m, first, owner, cc_eng_load(e, s), e->variant), 1, owner);
    f->u.walk.left -= sh->total;
    f->u.walk.child = sh->end;
    if (b->d->kind == CC_OMP_FOR)
        cc_eng_push(s, F_LOOP, first, path, b)->u.loop.share = sh;
    else if (opens_region(b->d->kind))
        cc_eng_push(s, F_REGION, first, path, b)->u.region.share = sh;
    else if (b->d->kind == CC_OMP_TARGET_LOOP && b->d->ndepends)
        cc_eng_push(s, F_TASK, first, path, b)->u.task.share = sh;
    else if (b->d->kind == CC_OMP_TARGET_LOOP)
        cc_eng_push(s, F_TARGET, first, path, b)->u.target.share = sh;
    else if (b->d->kind == CC_OMP_TASKLOOP || s->tid == b->filter)
        cc_eng_push(s, F_TASKLOOP, first, path, b)->u.taskloop.share = sh;
    else
        cc_share_unref(e, sh); /* masked taskloop: not this thread's */
}

static const struct bound *effective(struct engine *e, const struct strand *s, uint32_t name)
{
    int32_t i = e->p->directive[name];
    if (i < 0)
        return NULL;
    const struct bound *b = &e->bounds[i];
    enum cc_omp_kind k = b->d->kind;
    if (!s->team && !stands_alone(s, b->d)) {
        e->orphan[i] = true;
        return NULL;
    }
    bool on_unit = k == CC_OMP_TARGET || k == CC_OMP_TARGET_LOOP || k == CC_OMP_TARGET_DATA || moves(k);
    bool makes = k == CC_OMP_TASKLOOP || k == CC_OMP_MASTER_TASKLOOP;
    if ((makes || (on_unit && !b->d->ndepends)) && !b->condition)
        return NULL; /* undeferred, or on the host: plain code */
    if (s->final && (makes || k == CC_OMP_TASK))
        return NULL; /* included */
    return b;
}

/* A task inside a final one is plain code, which the runtime is asked to run all the same. */
static void charge_included(struct engine *e, struct strand *s, uint32_t name)
{
    int32_t i = e->p->directive[name];
    if (s->final && s->team && i >= 0 && e->bounds[i].d->kind == CC_OMP_TASK && !e->bounds[i].d->mergeable)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_INLINE);
}

/* What waits behind all that a task calls. */
static const struct bound *at_end(struct engine *e, const struct strand *s, uint32_t name)
{
    int32_t i = e->p->end[name];
    if (i < 0)
        return NULL;
    bool effective = s->team || stands_alone(s, e->bounds[i].d);
    e->orphan[i] = e->orphan[i] || !effective;
    return effective ? &e->bounds[i] : NULL;
}

static enum step walk(struct engine *e, struct strand *s, struct frame *f)
{
    const struct cc_htg *h = e->h;
    uint32_t owner = h->nodes[f->node].name;
    while (f->u.walk.child != h->nodes[f->node].next) {
        uint32_t c = f->u.walk.child;
        const struct cc_htg_node *n = &h->nodes[c];
        const struct bound *b = effective(e, s, n->name);
        if (b && is_loop(b->d->kind)) {
            start_loop(e, s, f, b);
            return ON;
        }
        struct piece gap = cc_model_gap(e->m, c, owner, cc_eng_load(e, s), e->variant);
        if (!b && cc_plan_plain(e->p, c)) {
            cc_eng_work(e, s, gap, n->repeat, owner);
            cc_eng_work(e, s, cc_model_subtree(e->m, c, cc_eng_load(e, s), e->variant), n->repeat, n->name);
            f->u.walk.left -= (n->gap + n->len) * n->repeat;
            f->u.walk.child = n->next;
            f->u.walk.before = n->name + 1;
            continue;
        }
        if (!f->u.walk.copies)
            f->u.walk.copies = n->repeat;
        f->u.walk.left -= n->gap + n->len;
        if (--f->u.walk.copies == 0)
            f->u.walk.child = n->next;
        uint32_t path = cc_eng_path(e, f->path, n->name);
        cc_eng_work(e, s, gap, 1, owner);
        if (f->u.walk.before != n->name + 1 && cc_plan_transfer(e->p, c))
            cc_eng_fresh_buffers(s); /* nobody knows earlier that these tasks will come */
        f->u.walk.before = n->name + 1;
        if (b)
            execute(e, s, c, path, b);
        else {
            charge_included(e, s, n->name);
            cc_eng_body(e, s, c, path);
        }
        return ON;
    }
    const struct bound *end = f->u.walk.ended ? NULL : at_end(e, s, owner);
    if (end) {
        f->u.walk.ended = true;
        start_waiting(e, s, f->node, f->path, end);
        return ON;
    }
    cc_eng_work(e, s, cc_model_tail(e->m, f->node, f->u.walk.left, cc_eng_load(e, s), e->variant), 1, owner);
    if (s->buffers.writes != f->u.walk.writes) /* a task is over when what it wrote has arrived */
        cc_eng_drain(e, s);
    s->frames.n--;
    return ON;
}

/* --- parallel regions --- */

enum { R_OPEN, R_START, R_REDUCE, R_JOIN, R_CLOSE, R_FREE };

/* The next free processor at or after `from`, all the way round. */
static struct strand *free_processor(struct engine *e, unsigned from)
{
    for (unsigned i = 0; i < e->nprocs; i++) {
        struct strand *w = &e->strands[(from + i) % e->nprocs];
        if (!w->busy)
            return w;
    }
    return NULL;
}

/* Those of the master's cluster first, then the others in turn; spread: a cluster each, as far as there are.
 */
static void choose_members(struct engine *e, struct team *t, bool spread)
{
    unsigned size = e->m->cluster_cores ? e->m->cluster_cores : e->nprocs, own = cc_eng_cluster(e, t->master);
    for (unsigned n = 1; n < t->n; n++) {
        unsigned from = spread ? (own + n) % e->nclusters * size : own * size;
        t->member[n] = free_processor(e, from);
        t->member[n]->busy = true; /* given back by the region's end */
    }
}

static struct team *team_new(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = f->b;
    unsigned want = b->condition ? (unsigned)CC_MIN(b->threads, (int64_t)e->nfree + 1) : 1;
    struct team *t = cc_eng_alloc(e, 1, sizeof *t);
    *t = (struct team){
        .n = want, .master = s, .outermost = !s->team, .path = f->path, .b = b, .opened = s->time};
    t->member = cc_eng_alloc(e, want, sizeof *t->member);
    t->member[0] = s;
    choose_members(e, t, b->d->spread);
    e->nfree -= want - 1;
    unsigned watched = t->outermost ? e->nprocs : want;
    t->snap = cc_eng_alloc(e, watched, sizeof *t->snap);
    for (unsigned i = 0; i < watched; i++) {
        struct strand *w = t->outermost ? &e->strands[i] : t->member[i];
        cc_eng_wait_until(e, w, s->time, t->outermost ? CC_PART_SEQUENTIAL : CC_PART_LIMITED);
        memcpy(t->snap[i], w->part, sizeof w->part);
    }
    CC_VEC_PUSH(&e->teams, t);
    return t;
}

static void join_team(struct engine *e, struct strand *w, struct team *t, unsigned tid)
{
    w->team = t;
    w->tid = tid;
    w->closely = 0;
    w->seq = 0;
    w->busy = true;
    w->context = NULL;
    w->group = NULL;
    w->final = false;
    w->wait = CC_PART_IMBALANCE;
    cc_eng_fresh_buffers(w);
    (void)e;
}

/* Its threads begin, one behind the other or all at once. */
static void launch(struct engine *e, struct strand *s, const struct frame *f, struct team *t)
{
    const struct bound *b = f->b;
    struct share *sh = f->u.region.share;
    struct strand **launched = cc_eng_alloc(e, t->n, sizeof *launched);
    memcpy(launched, t->member, t->n * sizeof *launched);
    for (unsigned i = 1; i < t->n; i++)
        t->member[i]->tid = i;
    cc_eng_shuffle(e, launched + 1, t->n - 1);
    for (unsigned i = 1; i < t->n; i++) {
        struct strand *w = launched[i];
        cc_eng_cost(e, s, b->column, COST_THR_LAUNCH);
        join_team(e, w, t, w->tid);
        w->looked = false;
        w->wait = CC_PART_OVERHEAD; /* created, not yet launched */
        struct frame *own = cc_eng_push(w, F_REGION, f->node, f->path, b);
        own->state = R_START;
        own->u.region.team = t;
        own->u.region.share = sh;
        if (sh)
            sh->refs++;
        cc_eng_wake(e, w, s->time);
        cc_eng_visit(w, VISIT_JOIN, t->n);
        w->wait = CC_PART_IMBALANCE;
        cc_eng_cost(e, s, b->column, COST_THR_LAUNCH_GAP);
    }
    cc_eng_free(e, launched);
}

static void open_region(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = f->b;
    if (b->d->kind == CC_OMP_PARALLEL_SECTIONS)
        f->u.region.share = cc_share_sections(e, b, f->node);
    struct team *t = team_new(e, s, f);
    cc_eng_region(e, f->path, b);
    if (t->outermost && e->local && e->local->log)
        cc_local_region(e->local, f->node, f->u.region.share && b->d->kind == CC_OMP_PARALLEL_FOR);
    f->u.region.team = t;
    f->u.region.outer = s->team;
    f->u.region.tid = s->tid;
    f->u.region.closely = s->closely;
    f->u.region.seq = s->seq;
    f->u.region.context = s->context;
    f->u.region.group = s->group;
    f->u.region.final = s->final;
    f->state = R_START;
    if (!e->had_region)
        cc_eng_advance(e, s, cc_eng_crowd(e, CROWD_REGION_FIRST, t->n, 0), CC_PART_OVERHEAD, UINT32_MAX);
    cc_team_fresh(e, s, t);
    if (!t->outermost)
        cc_team_make_threads(e, s, t);
    cc_eng_visit(s, e->had_region && (t->outermost || t->n == 1) ? VISIT_REGION : VISIT_FIRST, t->n);
    e->had_region = true;
    cc_eng_cost(e, s, b->column, COST_PAR_OPEN);
    if (t->n == 1)
        cc_eng_cost(e, s, b->column, COST_PAR_ALONE);
    for (unsigned i = 1; i < t->n; i++) {
        cc_eng_cost(e, s, b->column, COST_THR_CREATE);
        cc_eng_wait_until(e, t->member[i], s->time, CC_PART_IDLE);
        cc_eng_cost(e, s, b->column, COST_THR_CREATE_GAP);
    }
    join_team(e, s, t, 0);
    /* of threads that begin at the same time its master is the last: it lets them go. Combined loops may have
     * costs of their own for that. */
    s->looked = b->d->kind == CC_OMP_PARALLEL || e->local;
    launch(e, s, f, t);
    cc_eng_cost(e, s, b->column, COST_THR_LAUNCH_MASTER);
}

static void finish_worker(struct engine *e, struct strand *w, cc_ticks t)
{
    cc_eng_wait_until(e, w, t, w->wait);
    struct frame *f = &w->frames.v[w->frames.n - 1];
    cc_share_unref(e, f->u.region.share);
    cc_context_unref(e, w->context);
    w->context = NULL;
    w->frames.n = 0;
    w->blocked = true;
}

static enum step join_region(struct engine *e, struct strand *s, struct frame *f)
{
    struct team *t = f->u.region.team;
    if (cc_eng_yield(e, s))
        return STOP;
    if (cc_eng_take_job(e, s))
        return ON;
    if (t->arrived + 1 < t->n) {
        cc_eng_start_waiting(e, s, true);
        return STOP;
    }
    cc_eng_wait_until(e, s, t->until, s->wait); /* what units were given without waiting */
    for (size_t i = 0; i < t->waiting.n; i++) {
        struct strand *w = t->waiting.v[i];
        w->at_barrier = w->listed = false;
        if (w == t->master) {
            w->frames.v[w->frames.n - 1].state = R_CLOSE;
            cc_eng_wake(e, w, s->time);
        } else {
            finish_worker(e, w, s->time);
        }
    }
    t->waiting.n = 0;
    t->arrived = 0;
    if (s != t->master) {
        finish_worker(e, s, s->time);
        cc_eng_rest(e, s);
        return STOP;
    }
    f->state = R_CLOSE;
    return ON;
}

static void account(struct engine *e, struct team *t, cc_ticks end)
{
    struct region *r = cc_eng_region(e, t->path, t->b);
    unsigned watched = t->outermost ? e->nprocs : t->n;
    cc_wide_ticks sum[CC_PARTS] = {0};
    for (unsigned i = 0; i < watched; i++) {
        struct strand *w = t->outermost ? &e->strands[i] : t->member[i];
        cc_eng_wait_until(e, w, end, w->team == t ? CC_PART_IDLE : CC_PART_LIMITED);
        for (int k = 0; k < CC_PARTS; k++)
            sum[k] += w->part[k] - t->snap[i][k];
    }
    for (int k = 0; k < CC_PARTS; k++)
        r->stack[k] += (double)sum[k] / (1 << CC_TICK_BITS) / watched;
    r->time += CC_TICKS_TO_F64(end - t->opened);
    r->threads += t->n;
    r->calls++;
}

static void team_free(struct engine *e, struct team *t)
{
    for (size_t i = e->teams.n; i-- > 0;) /* the innermost region closes first: look from the end */
        if (e->teams.v[i] == t) {
            e->teams.v[i] = e->teams.v[--e->teams.n];
            break;
        }
    CC_VEC_FINI(&t->shares);
    CC_VEC_FINI(&t->waiting);
    CC_VEC_FINI(&t->queue);
    CC_VEC_FINI(&t->at_queue);
    cc_eng_free(e, t->member);
    cc_eng_free(e, t->snap);
    cc_eng_free(e, t);
}

static enum step free_region(struct engine *e, struct strand *s, struct frame *f)
{
    struct team *t = f->u.region.team;
    if (cc_eng_yield(e, s)) /* others must not get the processors before this moment */
        return STOP;
    account(e, t, s->time);
    for (unsigned i = 1; i < t->n; i++) {
        t->member[i]->busy = false;
        t->member[i]->team = NULL;
    }
    e->nfree += t->n - 1;
    e->inside -= t->outermost ? 0 : t->n - 1;
    if (t->outermost && e->local)
        e->local->shared = 0;
    cc_share_unref(e, f->u.region.share);
    cc_context_unref(e, s->context);
    s->team = f->u.region.outer;
    s->tid = f->u.region.tid;
    s->closely = f->u.region.closely;
    s->seq = f->u.region.seq;
    s->context = f->u.region.context;
    s->group = f->u.region.group;
    s->final = f->u.region.final;
    s->frames.n--;
    cc_eng_fresh_buffers(s);
    team_free(e, t);
    return ON;
}

/* What a thread of the region does in it. */
static void start_own(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = f->b;
    struct share *sh = f->u.region.share;
    uint32_t node = f->node, path = f->path;
    if (b->d->kind == CC_OMP_PARALLEL_TASKLOOP) {
        if (s->tid != b->filter)
            return;
        sh->refs++;
        cc_eng_push(s, F_TASKLOOP, node, path, b)->u.taskloop.share = sh;
    } else if (b->d->kind == CC_OMP_PARALLEL_MASKED) {
        cc_eng_push(s, F_MASTER, node, path, b);
    } else if (sh) {
        struct frame *loop = cc_eng_push(s, F_LOOP, node, path, b);
        loop->u.loop.share = sh;
        loop->u.loop.combined = true;
    } else {
        cc_eng_body(e, s, node, path);
    }
}

enum step cc_eng_region_step(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.region.share;
    switch (f->state) {
    case R_OPEN:
        if (cc_eng_yield(e, s))
            return STOP;
        open_region(e, s, f);
        return ON;
    case R_START:
        cc_eng_fresh_buffers(s);
        cc_eng_cost(e, s, f->b->column, COST_THR_PROLOGUE);
        f->state = R_REDUCE;
        start_own(e, s, f);
        return ON;
    case R_REDUCE:
        cc_eng_drain(e, s);
        if (cc_eng_reduce(e, s, f->b) == STOP)
            return STOP;
        if (!sh)
            s->wait = CC_PART_IMBALANCE;
        cc_eng_cost(e, s, f->b->column, COST_THR_EPILOGUE);
        f->state = R_JOIN;
        return ON;
    case R_JOIN:
        return join_region(e, s, f);
    case R_CLOSE:
        cc_eng_advance(e, s, s->making.owes, CC_PART_OVERHEAD, UINT32_MAX);
        s->making.owes = 0;
        cc_eng_visit(s, VISIT_JOIN, f->u.region.team->n);
        cc_eng_cost(e, s, f->b->column, COST_THR_FREE_MASTER);
        cc_eng_advance(e, s, e->cost[f->b->column][COST_THR_FREE] * (f->u.region.team->n - 1),
                       CC_PART_OVERHEAD, UINT32_MAX);
        cc_eng_advance(
            e, s,
            CC_MAX(e->cost[f->b->column][COST_PAR_CLOSE] + cc_model_region(e->m, f->u.region.team->n), 0),
            CC_PART_OVERHEAD, UINT32_MAX);
        f->state = R_FREE;
        return ON;
    default:
        return free_region(e, s, f);
    }
}

/* --- the replay --- */

static enum step step(struct engine *e, struct strand *s)
{
    struct frame *f = &s->frames.v[s->frames.n - 1];
    switch (f->kind) {
    case F_WALK:
        return walk(e, s, f);
    case F_REGION:
        return cc_eng_region_step(e, s, f);
    case F_LOOP:
        return cc_eng_loop(e, s, f);
    case F_SINGLE:
        return cc_eng_single(e, s, f);
    case F_MASTER:
        return cc_eng_master(e, s, f);
    case F_CRITICAL:
        return cc_eng_critical(e, s, f);
    case F_ORDERED:
        return cc_eng_ordered(e, s, f);
    case F_BARRIER:
        return cc_eng_barrier(e, s, f);
    case F_TASK:
        return cc_eng_task(e, s, f);
    case F_TASKWAIT:
        return cc_eng_taskwait(e, s, f);
    case F_TASKLOOP:
        return cc_eng_taskloop(e, s, f);
    case F_TASKGROUP:
        return cc_eng_taskgroup(e, s, f);
    case F_LOOK:
        return cc_eng_look(e, s, f);
    case F_SCOPE:
        return cc_eng_scope(e, s, f);
    case F_TARGET:
        return cc_eng_target(e, s, f);
    case F_MOVE:
        return cc_eng_move(e, s, f);
    case F_TILE:
        return cc_eng_tile(e, s, f);
    case F_TRANSFER:
        return cc_eng_transfer(e, s, f);
    }
    return STOP;
}

static void replay(struct engine *e)
{
    struct strand *s = &e->strands[0];
    s->busy = true;
    e->running = 1;
    e->nfree = e->nprocs - 1;
    for (unsigned i = 1; i < e->nprocs; i++)
        e->strands[i].blocked = true;
    struct path top = {UINT32_MAX, e->h->nodes[0].name};
    CC_VEC_PUSH(&e->paths, top);
    cc_eng_body(e, s, 0, 0);
    while (s && !e->failed) {
        while (!e->failed && s->frames.n && step(e, s) == ON)
            ;
        s = cc_eng_pop(e);
    }
    if (!e->failed && e->strands[0].frames.n) {
        const struct strand *stuck = &e->strands[0];
        cc_eng_fail(e, stuck->frames.v[stuck->frames.n - 1].b, "the threads wait for each other for ever");
    }
}

static void start(struct engine *e)
{
    e->h = e->m->h;
    e->cost = e->draw ? e->draw->cost : e->m->cost[e->variant];
    e->chance.state = e->draw ? e->draw->chance : 0;
    e->order.state = e->draw ? e->draw->chance + 1 : e->local ? e->local->rounds : 0;
    e->strands = cc_alloc_array(e->nprocs, sizeof *e->strands);
    e->heap = cc_alloc_array(e->nprocs, sizeof *e->heap);
    e->locks = cc_alloc_array(e->p->nlocks + 1, sizeof *e->locks);
    e->orphan = cc_alloc_array(e->p->s->n, sizeof *e->orphan);
    e->loops = cc_alloc_array(e->p->s->n + 1, sizeof *e->loops);
    if (e->portions)
        e->ran_by = cc_alloc_array(e->h->nnodes, sizeof *e->ran_by);
    unsigned size = e->m->cluster_cores ? e->m->cluster_cores : e->nprocs;
    e->nclusters = (e->nprocs + size - 1) / size;
    e->channel = cc_alloc_array(2 * (size_t)e->nclusters, sizeof *e->channel);
    e->units = cc_alloc_array(e->m->nunits + 1, sizeof *e->units);
    e->near = cc_alloc_array(e->nclusters, sizeof *e->near);
    e->near[0] = 1;
    for (unsigned i = 0; i < e->nprocs; i++)
        e->strands[i].proc = i;
    for (unsigned i = 0; i < cc_model_pairs(e->m, e->nprocs); i++) {
        e->strands[i].sibling = &e->strands[e->nprocs - 1 - i];
        e->strands[e->nprocs - 1 - i].sibling = &e->strands[i];
    }
}

static void finish(struct engine *e)
{
    for (size_t i = 0; i < e->teams.n; i++) {
        CC_VEC_FINI(&e->teams.v[i]->shares);
        CC_VEC_FINI(&e->teams.v[i]->waiting);
        CC_VEC_FINI(&e->teams.v[i]->queue);
        CC_VEC_FINI(&e->teams.v[i]->at_queue);
    }
    while (e->owned)
        cc_eng_free(e, e->owned + 1);
    for (unsigned i = 0; i < e->nprocs; i++)
        CC_VEC_FINI(&e->strands[i].frames);
    for (size_t i = 0; i <= e->p->nlocks; i++)
        CC_VEC_FINI(&e->locks[i].queue);
    CC_VEC_FINI(&e->teams);
    CC_VEC_FINI(&e->paths);
    CC_VEC_FINI(&e->regions);
    CC_VEC_FINI(&e->segments);
    cc_map_fini(&e->path_index);
    cc_map_fini(&e->region_index);
    free(e->strands);
    free(e->heap);
    free(e->locks);
    free(e->orphan);
    free(e->loops);
    free(e->ran_by);
    CC_VEC_FINI(&e->places);
    CC_VEC_FINI(&e->launches);
    cc_strmap_fini(&e->place_index);
    cc_strmap_fini(&e->present);
    free(e->channel);
    free(e->units);
    free(e->near);
}

int cc_eng_replay(struct engine e, struct cc_predict_schedule *ret)
{
    start(&e);
    replay(&e);
    if (!e.failed)
        cc_eng_results(&e, ret);
    finish(&e);
    return e.failed ? -CC_EINPUT : 0;
}
