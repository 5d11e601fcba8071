#include "replay.h"

/* --- locks --- */

enum { ARRIVE, BODY };

static void release_lock(struct engine *e, struct lock *l, cc_ticks t)
{
    l->holder = NULL;
    l->free_at = t;
    if (l->head < l->queue.n) {
        struct strand *next = l->queue.v[l->head++];
        if (l->head == l->queue.n)
            l->head = l->queue.n = 0;
        l->holder = next;
        cc_eng_wake(e, next, t);
    }
}

enum step cc_eng_critical(struct engine *e, struct strand *s, struct frame *f)
{
    struct lock *l = &e->locks[f->b->lock];
    if (f->state == BODY)
        cc_eng_drain(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    if (f->state == BODY) {
        s->closely--;
        s->frames.n--;
        release_lock(e, l, s->time);
        return ON;
    }
    if (l->holder == s) { /* handed over while it waited, or taken before: then it would wait for itself */
        for (size_t i = 0; i + 1 < s->frames.n; i++)
            if (s->frames.v[i].kind == F_CRITICAL && s->frames.v[i].b->lock == f->b->lock) {
                cc_eng_fail(e, f->b,
                            "'%s' is inside a critical section of the same name: it would wait for itself",
                            f->b->d->task);
                return STOP;
            }
    } else if (l->holder) {
        CC_VEC_PUSH(&l->queue, s);
        s->wait = CC_PART_IMBALANCE;
        cc_eng_block(e, s);
        return STOP;
    }
    l->holder = s;
    cc_eng_cost(e, s, COL_PARALLEL, COST_CRITICAL_OVH);
    f->state = BODY;
    s->closely++;
    cc_eng_body(e, s, f->node, f->path);
    return ON;
}

/* The values of one thread are combined under a lock of their own. */
enum step cc_eng_reduce(struct engine *e, struct strand *s, const struct bound *b)
{
    cc_ticks cost = e->cost[b->column][COST_REDUCTION_OVH];
    if (!b->reduction_values || !cost)
        return ON;
    if (cc_eng_yield(e, s))
        return STOP;
    struct lock *l = &e->locks[e->p->nlocks];
    cc_eng_wait_until(e, s, l->free_at, CC_PART_IMBALANCE);
    if (cost > (INT64_C(1) << 60) / b->reduction_values)
        cc_eng_fail(e, b, "absurd cost of the reduction of '%s'", b->d->task);
    else
        cc_eng_advance(e, s, cost * b->reduction_values, CC_PART_OVERHEAD, UINT32_MAX);
    l->free_at = s->time;
    return ON;
}

/* --- single, master --- */

static struct share *single_share(struct engine *e, struct strand *s, const struct bound *b)
{
    struct team *t = s->team;
    size_t at = s->seq++ - t->first;
    if (at == t->shares.n)
        CC_VEC_PUSH(&t->shares, cc_share_none(e, b));
    return t->shares.v[at];
}

enum { S_ARRIVE, S_BODY, S_WAIT, S_LEAVE };

/* Uses the loop's frame: a single is a loop of one iteration whose first comer gets it. */
enum step cc_eng_single(struct engine *e, struct strand *s, struct frame *f)
{
    switch (f->state) {
    case S_ARRIVE:
        if (cc_eng_yield(e, s))
            return STOP;
        f->u.loop.share = single_share(e, s, f->b);
        f->u.loop.since = s->time;
        memcpy(f->u.loop.snap, s->part, sizeof s->part);
        f->u.loop.worked = !f->u.loop.share->taken;
        f->u.loop.share->taken = true;
        f->state = f->u.loop.worked ? S_BODY : S_WAIT;
        if (f->u.loop.worked) {
            s->closely++;
            cc_eng_body(e, s, f->node, f->path);
        }
        return ON;
    case S_BODY:
        s->closely--;
        f->state = S_WAIT;
        return ON;
    case S_WAIT:
        s->wait = f->u.loop.worked ? CC_PART_IMBALANCE : CC_PART_LIMITED;
        f->state = S_LEAVE;
        if (!f->b->d->nowait) {
            struct frame *bar = cc_eng_push(s, F_BARRIER, f->node, f->path, f->b);
            bar->u.barrier.cost = e->cost[COL_PARALLEL][COST_BARRIER_OVH] +
                                  e->cost[COL_PARALLEL][COST_BARRIER_THREAD] * (s->team->n - 1);
        }
        return ON;
    default:
        f->kind = F_LOOP; /* its last state does the accounts */
        f->state = 99;
        f->u.loop.combined = false;
        return ON;
    }
}

enum step cc_eng_master(struct engine *e, struct strand *s, struct frame *f)
{
    if (f->state == ARRIVE && s->tid == 0) {
        f->state = BODY;
        s->closely++;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    }
    if (f->state == BODY)
        s->closely--;
    s->frames.n--;
    return ON;
}

/* --- barriers --- */

static void stop_waiting(struct team *t, struct strand *s)
{
    for (size_t i = 0; i < t->waiting.n; i++)
        if (t->waiting.v[i] == s) {
            memmove(&t->waiting.v[i], &t->waiting.v[i + 1], (t->waiting.n - i - 1) * sizeof *t->waiting.v);
            t->waiting.n--;
            break;
        }
    if (s->at_barrier)
        t->arrived--;
    s->at_barrier = false;
}

static void start_waiting(struct engine *e, struct strand *s, bool barrier)
{
    CC_VEC_PUSH(&s->team->waiting, s);
    s->at_barrier = barrier;
    s->team->arrived += barrier;
    cc_eng_block(e, s);
}

enum { B_ARRIVE, B_PASS };

enum step cc_eng_barrier(struct engine *e, struct strand *s, struct frame *f)
{
    struct team *t = s->team;
    if (f->state == B_PASS) {
        cc_eng_advance(e, s, f->u.barrier.cost, CC_PART_OVERHEAD, UINT32_MAX);
        cc_eng_fresh_buffers(s);
        s->frames.n--;
        return ON;
    }
    cc_eng_drain(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    if (cc_eng_take_job(e, s))
        return ON;
    if (t->arrived + 1 < t->n) {
        start_waiting(e, s, true);
        return STOP;
    }
    f->state = B_PASS;
    while (t->waiting.n) { /* all of them are at this barrier */
        struct strand *w = t->waiting.v[0];
        stop_waiting(t, w);
        w->frames.v[w->frames.n - 1].state = B_PASS;
        cc_eng_wake(e, w, s->time);
    }
    return ON;
}

/* --- explicit tasks --- */

static struct context *own_context(struct engine *e, struct strand *s)
{
    if (!s->context) {
        s->context = cc_eng_alloc(e, 1, sizeof *s->context);
        s->context->refs = 1;
    }
    return s->context;
}

void cc_context_unref(struct engine *e, struct context *c)
{
    while (c && --c->refs == 0) {
        struct context *parent = c->parent;
        cc_eng_free(e, c);
        c = parent;
    }
}

static struct context *child_context(struct engine *e, struct context *parent)
{
    struct context *c = cc_eng_alloc(e, 1, sizeof *c);
    c->refs = 1;
    c->parent = parent;
    parent->refs++;
    parent->children++;
    return c;
}

/* A child is done: whoever waits for the last one goes on. */
static void child_done(struct engine *e, struct strand *s, struct context *c)
{
    struct context *parent = c->parent;
    if (parent && --parent->children == 0 && parent->waiter && parent->waiter->blocked) {
        struct strand *w = parent->waiter;
        parent->waiter = NULL;
        stop_waiting(s->team, w);
        cc_eng_wake(e, w, s->time);
    }
    cc_context_unref(e, c);
}

static void enqueue(struct engine *e, struct strand *s, struct job *job)
{
    struct team *t = s->team;
    job->ready = s->time;
    CC_VEC_PUSH(&t->queue, job);
    if (t->waiting.n) {
        struct strand *w = t->waiting.v[0];
        stop_waiting(t, w);
        cc_eng_wake(e, w, s->time);
    }
}

bool cc_eng_take_job(struct engine *e, struct strand *s)
{
    struct team *t = s->team;
    if (t->queue_head == t->queue.n)
        return false;
    struct job *job = t->queue.v[t->queue_head++];
    if (t->queue_head == t->queue.n)
        t->queue_head = t->queue.n = 0;
    cc_eng_wait_until(e, s, job->ready, s->wait);
    struct frame *f = cc_eng_push(s, F_TASK, job->node, job->path, job->b);
    f->u.task.job = job;
    f->u.task.outer = s->context;
    f->u.task.cur = job->lo;
    f->state = 1;
    s->context = job->context;
    s->context->refs++;
    s->closely++;
    cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_START);
    return true;
}

/* Frames of two kinds: state 0 makes a task, states from 1 on run one. */
enum { T_MAKE, T_START, T_ITERATION, T_AFTER, T_END };

static enum step task_make(struct engine *e, struct strand *s, struct frame *f)
{
    if (cc_eng_yield(e, s))
        return STOP;
    cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_CREATE);
    struct job *job = cc_eng_alloc(e, 1, sizeof *job);
    *job = (struct job){
        .node = f->node, .path = f->path, .b = f->b, .context = child_context(e, own_context(e, s))};
    s->frames.n--;
    if (job->b->condition) {
        enqueue(e, s, job);
        return ON;
    }
    f = cc_eng_push(s, F_TASK, job->node, job->path, job->b); /* undeferred: at once, here */
    f->u.task.job = job;
    f->u.task.outer = s->context;
    f->state = T_START;
    s->context = job->context;
    s->context->refs++;
    s->closely++;
    return ON;
}

enum step cc_eng_task(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    switch (f->state) {
    case T_MAKE:
        return task_make(e, s, f);
    case T_START:
        f->state = job->share ? T_ITERATION : T_END;
        if (!job->share)
            cc_eng_body(e, s, f->node, f->path);
        return ON;
    case T_ITERATION: {
        if (f->u.task.cur == job->hi) {
            f->state = T_END;
            return ON;
        }
        f->state = T_AFTER;
        size_t run = f->u.task.run, at = s->frames.n - 1;
        cc_share_iteration(e, s, job->share, f->u.task.cur, &run, f->path);
        s->frames.v[at].u.task.run = run;
        return ON;
    }
    case T_AFTER:
        cc_eng_work(e, s, (struct piece){cc_share_after(job->share, f->u.task.cur), 0, 0}, 1,
                    job->share->owner);
        f->u.task.cur++;
        f->state = T_ITERATION;
        return ON;
    default:
        cc_eng_drain(e, s);
        if (cc_eng_yield(e, s))
            return STOP;
        cc_context_unref(e, s->context);
        s->context = f->u.task.outer;
        s->closely--;
        s->frames.n--;
        child_done(e, s, job->context);
        cc_share_unref(e, job->share);
        cc_eng_free(e, job);
        return ON;
    }
}

/* Waits until a context has no children left, working off the queue meanwhile. */
static enum step wait_children(struct engine *e, struct strand *s, struct context *c)
{
    if (cc_eng_yield(e, s))
        return STOP;
    if (!c || c->children == 0) {
        s->frames.n--;
        return ON;
    }
    s->wait = CC_PART_IMBALANCE;
    if (cc_eng_take_job(e, s))
        return ON;
    c->waiter = s;
    start_waiting(e, s, false);
    return STOP;
}

enum step cc_eng_taskwait(struct engine *e, struct strand *s, struct frame *f)
{
    (void)f;
    if (s->context)
        s->context->waiter = NULL;
    return wait_children(e, s, s->context);
}

enum { L_START, L_MAKE, L_WAIT };

static void start_taskloop(struct engine *e, struct strand *s, struct frame *f)
{
    uint64_t n = f->u.taskloop.share->n, want = s->team->n;
    if (f->b->grainsize)
        want = CC_MAX(n / (uint64_t)f->b->grainsize, 1);
    else if (f->b->num_tasks)
        want = (uint64_t)f->b->num_tasks;
    f->u.taskloop.ntasks = CC_MIN(want, n);
    if (f->b->d->nogroup) {
        f->u.taskloop.group = own_context(e, s);
        f->u.taskloop.group->refs++;
    } else {
        f->u.taskloop.group = cc_eng_alloc(e, 1, sizeof(struct context));
        f->u.taskloop.group->refs = 1;
    }
    f->state = L_MAKE;
}

/* The next task of a taskloop: its part of the iterations. */
static void make_task(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.taskloop.share;
    cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_CREATE);
    uint64_t q = sh->n / f->u.taskloop.ntasks, r = sh->n % f->u.taskloop.ntasks, i = f->u.taskloop.made++;
    struct job *job = cc_eng_alloc(e, 1, sizeof *job);
    *job = (struct job){.node = f->node,
                        .path = f->path,
                        .b = f->b,
                        .share = sh,
                        .context = child_context(e, f->u.taskloop.group)};
    job->lo = i * q + CC_MIN(i, r);
    job->hi = job->lo + q + (i < r);
    sh->refs++;
    enqueue(e, s, job);
}

enum step cc_eng_taskloop(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.taskloop.share;
    if (f->state == L_START) {
        start_taskloop(e, s, f);
        return ON;
    }
    if (f->state == L_MAKE && f->u.taskloop.made < f->u.taskloop.ntasks) {
        if (cc_eng_yield(e, s))
            return STOP;
        make_task(e, s, f);
        return ON;
    }
    f->state = L_WAIT;
    struct context *group = f->u.taskloop.group;
    size_t at = s->frames.n - 1;
    if (!f->b->d->nogroup) {
        group->waiter = NULL;
        enum step next = wait_children(e, s, group);
        if (next == STOP || s->frames.n > at)
            return next;
    } else {
        s->frames.n--;
    }
    cc_context_unref(e, group);
    cc_share_unref(e, sh);
    return ON;
}
